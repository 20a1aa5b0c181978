// The views of the practice room: a position with its choices, the answer, the menu, the score sheet and messages.

import { h } from "../../../kit/dom.js";
import { asTitle, withCardSigns } from "../../../kit/words.js";
import { setting } from "../../../settings.js";
import { marksOf } from "../../chair/drill/panel.js";
import { nameForm } from "../../name_form.js";
import { refusals } from "../../parts.js";
import { practiceMenu } from "./menu.js";
import { reasonBox } from "./reason.js";
import { scoreSheet } from "./result.js";
import { spotChoices, spotFelt } from "./spot.js";

/** @typedef {import("../practice.js").PracticeRoom} PracticeRoom */

/** @type {Record<string, string>} */
export const TITLES = { mixed: "Practice", street: "Practice", leaks: "Practice", endless: "Practice", timed: "Timed practice", exam: "Exam" };

/** Return the number of the position and, if it is fixed, the number of positions. @param {PracticeRoom} room */
export function progressWords({ spot, state }) {
  const { number = 0 } = spot ?? {};
  return state?.count ? `${number} of ${state.count}` : `Position ${number}`;
}

/** Return everything that is not a position. @param {PracticeRoom} room */
export function page(room) {
  if (room.phase === "name") return nameForm(room.client, { title: "Practice",
    text: "Your answers and your rating are kept under your name. The positions that you miss come back later." }, (person) => {
    room.person = person;
    room.setPerson(person);
    room.start();
  });
  if (room.phase === "menu" && room.menu) return practiceMenu({ books: room.books, rulebook: room.rulebook, menu: room.menu, topic: room.topic,
    take: (rulebook) => { Object.assign(room, { rulebook, topic: "" }); room.attempt(() => room.showMenu()); },
    setTopic: (topic) => { room.topic = topic; room.paint(); }, again: () => room.attempt(() => room.showMenu()),
    start: (order) => room.attempt(() => room.begin(order)) });
  if (room.phase === "finished" && room.state?.result) return scoreSheet({ state: room.state, result: room.state.result,
    marks: marksBox(room, true), again: () => room.again(), leave: () => room.toMenu() });
  if (room.phase === "expired") return message(room, "This practice has ended",
    "The server keeps a session for two hours. Your answers are saved.", "Start again", () => room.again());
  if (room.phase === "error") return message(room, "Practice cannot be loaded",
    /** @type {Error} */ (room.refused)?.message ?? "The server did not answer.", "Try again", () => room.start());
  return h("div", { class: "practice-menu" }, h("h1", {}, "Practice"),
    h("p", { class: "quiet", role: "status" }, "Loading positions. The first time, the exact solver takes a few seconds."));
}

/**
 * @param {PracticeRoom} room
 * @param {string} title
 * @param {string} text
 * @param {string} act
 * @param {() => void} press
 */
function message(room, title, text, act, press) {
  return h("section", { class: "page-error" }, h("h1", {}, title), h("p", { role: "alert" }, asTitle(text)),
    h("p", { class: "acts" }, h("button", { type: "button", class: "button main", onclick: press }, act),
      h("button", { type: "button", class: "button", onclick: () => room.toMenu() }, "Other practice")));
}

/** Draw a position with its choices. @param {PracticeRoom} room */
export function table(room) {
  const { spot, analysis, phase } = room;
  return [head(room),
    h("div", { class: "practice-notices", "data-key": "notices" }, room.offline && h("hw-notice", { kind: "waiting", role: "alert",
      head: "The server does not answer.", text: "Your answer is kept. It is sent as soon as the server answers, and counts once." }), ...refusals(room.refused)),
    spotFelt(spot, analysis?.hand ?? ""),
    h("div", { "data-key": "choices-place" },
      spotChoices(spot, analysis, { off: room.sending, choose: (choice) => room.choose(choice) })),
    phase === "answered" && h("div", { class: "spot-acts", "data-key": "acts" },
      h("button", { type: "button", class: "button", "data-key": "repeat", "aria-disabled": String(room.repeats), onclick: () => room.repeatLater() },
        room.repeats ? "It will come back" : "Repeat later"),
      h("button", { type: "button", class: "button main next-spot", "data-key": "next", onclick: () => room.next() },
        room.reply?.next ? "Next position" : "Score sheet", h("kbd", { "aria-hidden": "true" }, "↵")))];
}

/** @param {PracticeRoom} room */
function head(room) {
  const { state } = room;
  if (!state) return null;
  return h("header", { class: "practice-head", "data-key": "head" },
    h("div", {}, h("h1", {}, state.topic ? asTitle(state.topic) : TITLES[state.mode]),
      h("p", { class: "small" }, progressWords(room), ", ", h("a", { href: `/rulebooks/${room.rulebook}` }, room.rulebook),
        state.mode === "timed" && room.phase === "spot" && h("span", { class: "spot-clock", "aria-hidden": "true" }, ", ", h("span", { id: "practice-clock", "data-own": "" })))),
    state.count > 0 && marksBox(room, false),
    state.mode !== "exam" && h("button", { type: "button", class: "button text", onclick: () => room.end() }, "End"));
}

/**
 * Draw the marks of the session. Close calls, and the answers of an exam that is not over, count as neither right nor wrong.
 *
 * @param {PracticeRoom} room
 * @param {boolean} finished
 */
function marksBox(room, finished) {
  const { count = 0 } = room.state ?? {};
  const shown = room.marks.slice(0, 60);
  return h("div", { class: "spot-marks", "data-key": "marks" }, marksOf(shown, finished ? shown.length : count, finished || room.phase === "answered"));
}

/** Return the panel: the answer, or the keys while a position is open. @param {PracticeRoom} room */
export function answer(room) {
  const { analysis, spot } = room;
  if (analysis && spot) return reasonBox(analysis, spot, room.rulebook);
  const exam = room.state?.mode === "exam";
  return h("section", { class: "key-help", "data-key": "keys" }, h("h2", {}, "Decide"),
    h("p", { class: "small" }, exam ? "No grade is shown until the exam is over." : "After your answer, each choice shows its exact value."),
    setting("keys") !== "on" && h("p", { class: "small" }, "Keyboard shortcuts are turned off in the settings."),
    h("dl", {}, (spot?.choices ?? []).map(({ title, key }) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, withCardSigns(title)))),
      h("div", {}, h("dt", {}, h("kbd", {}, "S")), h("dd", {}, "speak the position")),
      !exam && h("div", {}, h("dt", {}, h("kbd", {}, "↵")), h("dd", {}, "continue after the answer"))));
}
