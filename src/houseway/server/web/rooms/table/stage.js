// Renders a table room: the felt or the text table, the bar and the panel.

import { h, morph } from "../../kit/dom.js";
import { referenceSheet } from "../../kit/reference.js";
import { tableTitle } from "../../kit/words.js";
import { setting } from "../../settings.js";
import { roundPath } from "../record/lists.js";
import { assertive } from "./announce.js";
import { bar } from "./bar.js";
import { Felt, scriptLine } from "./felt.js";
import { keyList } from "./keys.js";
import { snapshot, animateChanges } from "./motion.js";
import { panel } from "./panel.js";
import { seats } from "./state.js";
import { textTable } from "./text.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */
/** @typedef {import("./notices.js").Notice} Notice */

export class Stage {
  felt = new Felt({ voiced: false });
  broken = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * Start a new felt, seen from a seat; 0 for no seat.
   *
   * @param {number} seat
   */
  entered(seat) { this.felt = new Felt({ seat, voiced: false }); }

  /**
   * Draw the room; if that fails, show the table as text.
   *
   * @param {TableRoom} room
   */
  paint(room) {
    if (this.broken) return;
    try {
      this.draw(room);
    } catch (error) {
      console.error(error);
      this.break(room);
    }
  }

  /**
   * Draw the room and animate what is new; `hurried` starts all animations at once.
   *
   * @param {TableRoom} room
   */
  animate(room, { hurried = false } = {}) {
    const before = snapshot(this.felt.element);
    this.paint(room);
    animateChanges(this.felt.element, before, { hurried });
  }

  /** @param {TableRoom} room */
  draw(room) {
    const { view, sheet, connection, notices, betting, script, record } = room;
    const own = seats(view, sheet).find(({ you }) => you);
    const text = setting("text") === "on";
    const additions = this.additions(room);
    if (!text) this.felt.paint(view, sheet, additions);
    const focused = document.activeElement;
    morph(this.element, [
      h("h1", { class: "unseen", "data-key": "title" }, tableTitle(sheet.card.name)),
      h("div", { class: "play", "data-key": "play" },
        record.notice(),
        connection.lost && shown(connection.lost, { class: "line-lost", "data-key": "lost" }),
        // The Tab order is: script line, choices, circles.
        !text && h("div", { class: "felt-frame voiced", "data-key": "voice" },
          h("div", { class: "felt" }, h("div", { class: "stage" }, scriptLine(script)))),
        notices.notice && shown(notices.notice, { class: "beside-bar", "data-key": "notice", away: true,
          onaway: () => notices.dismiss() }),
        bar(room, own),
        text ? h("div", { class: "text-frame", "data-key": "text" },
          textTable(view, sheet, { ...additions, script, draft: betting.stakes.wagers, tipping: betting.stakes.tipping }))
          : h("div", { class: "felt-frame", "data-key": "felt", "data-own": true })),
      panel(room, own),
      keyList(room),
      referenceSheet(room.client, sheet.card.rulebook),
      room.invitations.box(),
      room.roles.box(),
      room.reports.boxes(room),
    ]);
    const frame = this.element.querySelector(".felt-frame[data-own]");
    if (frame && this.felt.element.parentNode !== frame) frame.replaceChildren(this.felt.element);
    this.refocus(room.decision, focused);
  }

  /**
   * Return the room's additions to the view.
   *
   * @param {TableRoom} room
   * @returns {import("./felt.js").More}
   */
  additions({ view, sheet, connection, player, decision, betting, panels, deadline, sitAt, press, goTo }) {
    const picks = decision.picking && decision.turn;
    return {
      clause: panels.clause,
      draft: !player.busy && betting.open ? betting.stakes.draft : null,
      chosen: picks ? decision.pick.chosen : null,
      choose: picks ? (n) => decision.pick.choose(n) : null,
      press,
      sit: (view.yours.seat ? sheet.more_positions : connection.role === "rail") ? sitAt : null,
      go: goTo,
      until: player.busy ? null : deadline.until,
      opened: panels.looked,
      open: (seat) => panels.lookAt(panels.looked === seat ? 0 : seat, view),
    };
  }

  /**
   * Move the focus to the choices of a new decision, unless the focus is on something else.
   *
   * @param {import("./decision.js").Decision} decision
   * @param {Element | null} focused
   */
  refocus(decision, focused) {
    if (!decision.refocus) return;
    decision.refocus = false;
    const free = focused === document.body || !focused?.isConnected
      || focused.closest(".choices, .betting, .next");
    if (!free) return;
    queueMicrotask(() => {
      const first = /** @type {HTMLElement | null} */ (this.element.querySelector("hw-actions .choice"));
      first?.focus(/** @type {FocusOptions} */ ({ focusVisible: false }));
    });
  }

  /**
   * Show the table as text because drawing it failed.
   *
   * @param {TableRoom} room
   */
  break({ view, sheet, table }) {
    this.broken = true;
    const { round } = view.table;
    assertive("Something went wrong. Your wagers are safe: they are on record.");
    this.element.replaceChildren(h("div", { class: "page-error" }, h("h1", {}, "Something went wrong"),
      h("p", {}, "Your wagers are safe: they are on record."),
      h("p", { class: "acts" }, h("button", { type: "button", class: "button main",
        onclick: () => location.reload() }, "Reload the page"),
      h("a", { class: "button", href: roundPath(table, round) }, `Round ${round} on record`)),
      textTable(view, sheet, {})));
  }
}

/** @type {(notice: Notice, props: ElementProps) => HTMLElement} */
const shown = ({ kind, head, text, clause }, props) => h("hw-notice", { kind, head, text, clause, ...props });
