// The handlers for the keys of a table, which `keys.js` calls.

import { toggleReference } from "../../kit/reference.js";
import { joinWords, money, withCardSigns, asTitle } from "../../kit/words.js";
import { assertive, polite } from "./announce.js";
import { waitingText } from "./bar.js";
import { step } from "./keys.js";
import { settledWagers } from "./state.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */

const ROWS = [".near button.ring, .text-spots button.ring", ".pod .who", ".choices .choice",
  ".chips .chip-button", ".tabs [role=tab]", ".near .pick"];
const SIT_OUT = "Put chips on a circle, or press Sit out to skip this round.";

/**
 * Return the key handlers of a table room.
 *
 * @param {TableRoom} room
 * @returns {import("./keys.js").KeyHandlers}
 */
export function keyHandlers(room) {
  const { betting, player } = room;
  return {
    close: () => close(room),
    move: (key, target) => {
      const row = ROWS.map((css) => /** @type {HTMLElement[]} */ ([...room.element.querySelectorAll(css)]))
        .find((elements) => elements.some((one) => one.contains(target)));
      return row ? step(row, target, key) : false;
    },
    space: () => {
      if (!player.busy) return false;
      player.finish();
      return true;
    },
    chips: (wager, by) => {
      const circle = wager || betting.stakes.main;
      if (!circle || !betting.open) return false;
      betting[by > 0 ? "add" : "take"](circle);
      return true;
    },
    otherChip: (by) => {
      if (!betting.open) return false;
      betting.otherChip(by);
      polite(`Chip ${money(betting.stakes.chip, { short: true })}`);
      return true;
    },
    keyList: () => {
      document.getElementById("keys")?.togglePopover();
      return true;
    },
    letter: (key) => letter(room, key),
  };
}

/** @param {TableRoom} room */
function close({ panels, view }) {
  if (panels.clause) panels.drawer?.close();
  else if (panels.looked) panels.lookAt(0, view);
  else if (panels.open) panels.show(false);
  else return false;
  return true;
}

/** @type {(room: TableRoom, key: string) => boolean} */
function letter(room, key) {
  const { betting, decision, notices, player, shown: view } = room;
  if (key === "w") {
    assertive(`${roundSummary(room)} ${room.script?.says ?? ""}`);
    return true;
  }
  if (key === "g") return toggleReference();
  if (key === "x") {
    const tags = /** @type {HTMLElement[]} */ (
      [...room.element.querySelectorAll(":is(hw-line, hw-script) hw-clause button")]);
    tags.at(view && settledWagers(view).length ? -1 : 0)?.click();
    return tags.length > 0;
  }
  // While the settlement is shown, R does not skip it: Space does.
  if (key === "r" && player.busy && !betting.open) return false;
  if (key === "r" && (betting.open || view?.waits.why === "next")) {
    if (betting.open && !betting.stakes.laid) notices.aboutBets("You have no chips on the table.", SIT_OUT);
    else room.ready();
    return true;
  }
  if (key === "s" && betting.open && !player.busy) {
    if (betting.repeat()) polite("Same wagers as last round.");
    return true;
  }
  if (key === "t" && betting.open && betting.stakes.tipSpots.length) {
    betting.toggleTip();
    polite(betting.stakes.tipping ? "Chips are now tips for the dealer." : "Chips are now wagers.");
    return true;
  }
  if (key === "t" && decision.mayTip) {
    decision.toggleTip();
    polite(decision.tipping ? "With a tip play." : "Without a tip play.");
    return true;
  }
  if (decision.picking && decision.turn && /^[1-4]$/.test(key)) {
    decision.pick.choose(Number(key) - 1);
    return true;
  }
  return room.element.querySelector("hw-actions")?.press(key) ?? false;
}

/**
 * Describe the state of the round in a sentence.
 *
 * @param {TableRoom} room
 */
function roundSummary({ shown: view, decision: { options, turn }, names }) {
  if (!view) return "The table is opening.";
  const choices = joinWords(options.map(({ says }) => asTitle(withCardSigns(says))));
  return `Round ${view.table.round}. ${turn ? `Your turn: ${choices}` : waitingText(view, names)}.`;
}
