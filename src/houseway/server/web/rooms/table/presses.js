// @ts-nocheck
// What the keys do at a table.

import { listed, money, signed, titled } from "../../kit/words.js";
import { assertive, polite } from "./announce.js";
import { waiting } from "./bar.js";
import { step } from "./keys.js";

const ROWS = [".near button.ring, .text-spots button.ring", ".pod .who", ".choices .choice",
  ".chips .chip-button", ".tabs [role=tab]", ".near .pick"];

/** What each kind of key does in the room of a table; each answers whether it did something. */
export function presses(room) {
  return {
    close: () => close(room),
    walk: (key, target) => {
      const within = ROWS.map((css) => [...room.element.querySelectorAll(css)])
        .find((row) => row.some((one) => one.contains(target)));
      return within ? step(within, target, key) : false;
    },
    space: () => {
      if (!room.showing.busy) return false;
      room.showing.rush();
      return true;
    },
    chips: (wager, by) => {
      if (!wager || !room.betting.open) return false;
      room.betting[by > 0 ? "add" : "take"](wager);
      return true;
    },
    other: (by) => {
      const { chips, chip } = room.betting;
      if (!room.betting.open) return false;
      room.betting.chip = chips[(chips.indexOf(chip) + by + chips.length) % chips.length];
      room.paint();
      polite(`Chip ${money(room.betting.chip, { short: true })}`);
      return true;
    },
    list: () => {
      document.getElementById("keys")?.togglePopover();
      return true;
    },
    letter: (key) => letter(room, key),
  };
}

const SIT_OUT = "Put some on a circle, or press Sit out to let this round go by.";

function close(room) {
  if (room.drawer?.hasAttribute("clause")) room.drawer.close();
  else if (room.openedPod) room.lookAt(0);
  else if (room.panelOpen) room.openPanel(false);
  else return false;
  return true;
}

function letter(room, key) {
  if (key === "w") {
    assertive(`${where(room)} ${room.script?.says ?? ""}`);
    return true;
  }
  if (key === "x") {
    const tags = [...room.element.querySelectorAll(":is(hw-line, hw-script) hw-clause button")];
    tags.at(room.sight?.seen.lines?.length ? -1 : 0)?.click();
    return tags.length > 0;
  }
  if (key === "r" && (room.betting.open || room.sight?.waits.why === "next")) {
    if (room.betting.open && !room.betting.laid) room.aboutBets("No chips lie out.", SIT_OUT);
    else room.ready();
    return true;
  }
  if (room.picking && room.turn && /^[1-4]$/.test(key)) {
    room.pick.choose(Number(key) - 1);
    return true;
  }
  return room.element.querySelector("hw-actions")?.press(key) ?? false;
}

/** Where one is, in a sentence. */
function where({ sight, options, turn, names }) {
  if (!sight) return "The table is being opened.";
  const choices = listed(options.map(({ says }) => titled(signed(says))));
  return `Round ${sight.seen.number}. ${turn ? `Your turn: ${choices}` : waiting(sight, names)}.`;
}
