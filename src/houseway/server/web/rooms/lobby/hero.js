// The head of the lobby: quick play with bots, an invitation to a table, or a link that signs you in.

import { card } from "../../kit/card.js";
import { h } from "../../kit/dom.js";
import { money, numberWord } from "../../kit/words.js";
import { handleForm } from "./handle_form.js";
import { BOT_COUNT, defaultOrder } from "./open.js";
import { steps } from "./steps.js";

/** @typedef {import("../lobby.js").Lobby} Lobby */

const FAN = ["As", "Kh", "Qd", "Jc", "Ts"];

/** Ask before the link is used: it replaces the person who is signed in here. @param {Lobby} lobby */
function recoveryHero(lobby) {
  const { person } = lobby.arrivals;
  return h("section", { class: "hero", "data-key": "hero" }, h("div", {},
    h("h1", {}, "Sign in"),
    h("p", {}, "This link signs you in on this device, and signs out the device that you used before. "
      + `${person ? `You are signed in here as ${person.handle}. You can return to that name only with a recovery `
        + "link for it." : ""}`),
    h("div", { class: "acts" }, h("button", { type: "button", class: "button main",
      onclick: () => lobby.arrivals.attempt("hero", () => lobby.arrivals.recover(lobby.recovery)) }, "Sign in"),
      h("a", { class: "button", href: "/" }, "Cancel")),
    lobby.refusedAt("hero")));
}

/** Create the head of the lobby: quick play, an invitation or a recovery link. @param {Lobby} lobby */
export function hero(lobby) {
  if (lobby.recovery) return recoveryHero(lobby);
  const bots = `${numberWord(BOT_COUNT)} bots`;
  const what = lobby.invitation ? "You are invited to a table." : `${ownTable(lobby)} with ${bots} and `
    + `the coach switched on. ${lobby.chips ? `You sit down with ${money(lobby.chips, { short: true })} in play `
      + "chips. " : ""}Free seats stay open to other players.`;
  return h("section", { class: "hero", "data-key": "hero" },
    h("div", {},
      h("h1", {}, lobby.invitation ? "Join" : "Take a seat"), h("p", {}, what),
      lobby.arrivals.asking?.at === "hero" ? handleForm(lobby.arrivals, lobby.invitation ? "Join" : "Sit down")
        : h("div", { class: "acts" },
        h("button", { type: "button", class: "button main",
          onclick: () => lobby.arrivals.withPerson("hero", () => lobby.enter()) }, lobby.invitation ? "Join"
            : `Sit down with ${bots}`),
        h("button", { type: "button", class: "button", "aria-expanded": String(Boolean(lobby.stepsShown)),
          onclick: () => lobby.showSteps(!lobby.stepsShown) },
        stepsLabel(lobby))),
      lobby.refusedAt("hero")),
    h("div", { class: "fan", "aria-hidden": "true" }, FAN.map((face) => card(face))));
}

/** Describe the table that quick play opens. @param {Lobby} lobby */
function ownTable(lobby) {
  if (!lobby.first) return "Your own table";
  const [{ min }] = Object.values(defaultOrder(lobby.first.options).limits);
  return `Your own $${min} table under ${lobby.names.get(lobby.first.id)} rules,`;
}

/** Return the label of the button that shows a game in steps: the quick-play game, or that of the chosen rulebook. @param {Lobby} lobby */
function stepsLabel(lobby) {
  if (!lobby.book) return "The game in a few steps";
  const name = lobby.book === lobby.first ? "The game" : lobby.names.get(lobby.book.id);
  return `${name} in ${numberWord(steps(lobby.book.card).length)} steps`;
}
