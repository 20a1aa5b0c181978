// The parts around the felt: the bar with the act in hand, the foot of the palette, the panel, and the focus of the Tab key on the felt.

import { h, picture, s } from "../../kit/dom.js";
import { heldPanel, heldStrip } from "./held_panel.js";
import { things } from "./keys.js";
import { actLog, panelHead } from "./room_parts.js";

/** @typedef {import("./table.js").ChairRoom} ChairRoom */

const BELL = "M12 4a5 5 0 0 0-5 5c0 5-2 6-2 7h14c0-1-2-2-2-7a5 5 0 0 0-5-5zM10 19a2 2 0 0 0 4 0";
const NOTE = "M6 4h12v16H6zM12 8v5M12 16v.5";

/** Make one thing of the felt reachable with Tab; the arrows move between the others. @param {HTMLElement} felt */
export function rove(felt) {
  const all = things(felt);
  const current = all.find((one) => one === document.activeElement) ?? all.find((one) => one.tabIndex === 0) ?? all[0];
  for (const one of all) one.tabIndex = one === current ? 0 : -1;
}

/**
 * The act in hand, in the bar, for screens on which the panel is a drawer.
 *
 * @param {ChairRoom} room
 * @param {api.ChairView} view
 */
export function strip(room, view) {
  if (!room.held.draft.any) return null;
  return h("div", { class: "hand-strip", "data-key": "strip" }, heldStrip(view, room.held.draft, room.handlers));
}

/** Create the foot of the palette: the search, the keys and the buttons of the drawers. @type {(room: ChairRoom, view: api.ChairView) => HTMLElement} */
export function foot(room, view) {
  return h("div", { class: "palette-foot", "data-key": "foot" }, room.finder.element(),
    h("p", { class: "small" }, "You can do any act at any time. Press an act, or the thing itself: a card, a circle, a tube, the ",
      view.mode === "device" ? "machine" : "deck", " or the rack."),
    h("button", { type: "button", class: "quiet-button", "data-key": "keys", onclick: () => room.keySettings.show() }, "Keys"),
    h("div", { class: "drawer-buttons", "data-key": "drawers" },
      h("button", { type: "button", class: "button", "data-key": "palette", "aria-expanded": String(room.drawer === "palette"),
        onclick: () => room.toggle("palette") }, "Acts"),
      h("button", { type: "button", class: "button", "data-key": "panel", "aria-expanded": String(room.drawer === "panel"),
        onclick: () => room.toggle("panel") }, "In your hand"), always(room, "bar")));
}

/**
 * The two acts that are always in the same place.
 *
 * @param {ChairRoom} room
 * @param {"bar" | "panel"} where
 */
function always(room, where) {
  /** @type {(type: string, sign: string) => HTMLElement | false} */
  const one = (type, sign) => {
    const act = room.acts.find((option) => option.type === type);
    if (!act) return false;
    return h("button", { type: "button", class: "button always", "data-key": `${where}-${type}`, onclick: () => room.held.pick(act) },
      picture("0 0 24 24", { class: "sign-art" }, s("path", { d: sign })), h("span", {}, act.name),
      h("kbd", { "aria-hidden": "true" }, room.keySettings.keys.get(act.name) ?? ""));
  };
  return [one("CallFloor", BELL), one("ReportIrregularity", NOTE)];
}

/** Create the panel: the act in hand and the acts so far. @type {(room: ChairRoom, view: api.ChairView) => Child[]} */
export function panelContent(room, view) {
  const exam = room.isExam;
  return [
    panelHead(view, room.clock.now, () => room.toggle("panel")),
    room.clock.minuteSaid && view.progress === "open" && h("p", { class: "small last-minute", "data-key": "minute" }, "One minute is left."),
    heldPanel(view, room.held.draft, room.handlers),
    h("section", { class: "did", "data-key": "did", "aria-labelledby": "did" }, h("h2", { id: "did" }, "What you did"),
      actLog(view, room.held.draft)),
    h("footer", { class: "panel-foot", "data-key": "foot" }, always(room, "panel"),
      h("p", { class: "small" }, exam ? "This is an exam. Your acts are judged when it is over."
        : view.way === "live" ? "A wrong act is refused, with its clause, and changes nothing."
        : "In training, a mistake stands until you correct it. Your acts are judged after the round.")),
  ];
}
