// The keys of a drill. Shortcuts made of one character can be turned off in the settings.

import { setting } from "../../../settings.js";
import { LETTERS } from "./answers.js";

/** @typedef {import("../drill.js").DrillRoom} DrillRoom */

/**
 * The keys 1 to 7 take a chip from that tube of the tray; with Shift, they put one back.
 *
 * @param {DrillRoom} room
 * @param {KeyboardEvent} event
 */
function chipKey(room, event) {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : "");
  const value = digit && room.state?.tray[Number(digit) - 1];
  if (!value || !room.current.cutting) return false;
  room.current.cut(value, event.shiftKey ? -1 : 1);
  return true;
}

/**
 * @param {DrillRoom} room
 * @param {string} key
 */
function letterKey(room, key) {
  if (key === "s") {
    room.current.speak();
    return true;
  }
  if (room.current.form === "payment") {
    if (key === "h") room.pay("push");
    else if (key === "t") room.pay("take");
    else if (key === "a") room.current.toggleField();
    else return false;
    return true;
  }
  const at = LETTERS.indexOf(key);
  if (at < 0 || room.current.judged) return false;
  if (room.current.form === "choice") {
    const part = room.current.answer.parts[room.current.answer.row];
    const choice = part?.choices?.[at];
    if (choice) room.current.choose(part.name, choice);
    return Boolean(choice);
  }
  if (room.current.form === "sequence" && at < (room.current.answer.parts[0].choices?.length ?? 0)) {
    room.current.answer.pick(at);
    room.paint();
    return true;
  }
  return false;
}

/**
 * @param {DrillRoom} room
 * @param {string} key
 */
function arrowKey(room, key) {
  const by = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  if (room.current.form === "payment") {
    room.current.walkWagers(by);
    return room.current.wholeTable;
  }
  if (room.current.form !== "choice" || room.current.judged) return false;
  const { answer } = room.current;
  answer.row = Math.min(answer.parts.length - 1, Math.max(0, answer.row + by));
  room.paint();
  return true;
}

/**
 * Listen for keys. Returns a function that stops listening.
 *
 * @param {DrillRoom} room
 */
export function listen(room) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || room.phase !== "drill") return;
    if (target.closest?.("input, select, textarea")) return;
    const { key } = event;
    // Enter on a chip or a bet answers; on any other button, it presses that button.
    const other = target.closest?.("button, a") && !target.closest(".tray, .felt-box, .option, .act");
    let done = false;
    if (key === "Enter" && !other) {
      if (room.current.form === "payment") room.pay("pay");
      else room.submit();
      done = true;
    } else if (key === "Backspace") {
      room.current.putBack();
      done = true;
    } else if (key.startsWith("Arrow")) done = arrowKey(room, key);
    else if (setting("keys") === "on") done = chipKey(room, event) || letterKey(room, key.toLowerCase());
    if (done) event.preventDefault();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
