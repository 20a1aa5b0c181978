// The explanation beside the felt: one idea, the result of a wager, and the choices.

import "../../../kit/actions.js";
import "../../../kit/line.js";
import { clauseTag } from "../../../kit/clause.js";
import { h } from "../../../kit/dom.js";
import { handList, referenceButton } from "../../../kit/reference.js";
import { asTitle } from "../../../kit/words.js";
import { settlement } from "../../table/settle.js";
import { seats, settledWagers } from "../../table/state.js";

/** @typedef {import("../learn.js").LearnRoom} LearnRoom */

/** More pages than any round has, for the progress. */
const MOST_PAGES = 12;

/**
 * Create the panel of the room.
 *
 * @param {LearnRoom} room
 * @param {Child[]} problems
 */
export function pagePanel(room, problems) {
  const { reply, page } = room;
  if (!reply || !page) {
    return [h("header", { class: "idea-head", "data-key": "head" }, h("h1", {}, "Learn the game")),
      problems.length ? h("div", { class: "idea-problem", "data-key": "problem" }, ...problems,
        h("p", { class: "acts" }, h("button", { type: "button", class: "button main", onclick: () => room.again?.() }, "Try again"),
          h("a", { class: "button", href: "/school/learn" }, "Start over")))
        : h("p", { class: "quiet", role: "status", "data-key": "loading" }, "Loading the lesson…")];
  }
  return [head(reply, room.at),
    h("div", { class: "idea-text", "data-key": `page-${reply.round}-${room.at}` },
      h("h2", { tabindex: "-1" }, page.title),
      h("p", { class: "idea-says" }, page.says),
      page.clauses.length > 0 && h("p", { class: "tags", "aria-label": "Clauses", role: "group" }, page.clauses.map((id) => clauseTag(id))),
      reply.over && room.at === reply.pages.length - 1 ? total(room) : results(room, page.wagers ?? []),
      page.shows === "hands" && room.words && handList(room.words.hands),
      isEnd(reply, room.at) && doors(reply)),
    problems.length > 0 && h("div", { class: "idea-problem", "data-key": "problem" }, ...problems,
      h("button", { type: "button", class: "button", onclick: () => room.again?.() }, "Try again")),
    h("div", { class: "idea-acts", "data-key": "acts" }, acts(room))];
}

/**
 * @param {api.LessonReply} reply
 * @param {number} at
 */
function head({ round, rounds, title, pages, over }, at) {
  // Until the round is over, its number of pages is not known.
  const done = (round - 1 + (at + 1) / (over ? pages.length : MOST_PAGES)) / rounds.length;
  return h("header", { class: "idea-head", "data-key": "head" },
    h("div", {}, h("h1", {}, title),
      h("p", { class: "small" }, `Round ${round} of ${rounds.length}: ${rounds[round - 1]}`,
        h("span", { class: "unseen" }, `, page ${at + 1}`))),
    referenceButton("button text"),
    h("span", { class: "idea-progress", "aria-hidden": "true", vars: { "--done": done } }));
}

/** Return the learner's seat in the view of the page. @param {LearnRoom} room */
function own(room) {
  const { sheet } = /** @type {api.LessonReply} */ (room.reply);
  return seats(room.viewAt(room.at), sheet).find(({ you }) => you);
}

/**
 * Create the lines of the wagers that the page explains.
 *
 * @param {LearnRoom} room
 * @param {readonly string[]} wagers
 */
function results(room, wagers) {
  const lines = settledWagers(room.viewAt(room.at)).filter(({ wager }) => wagers.includes(wager));
  /** @param {string} wager */
  const title = (wager) => asTitle(room.reply?.sheet.circles.find((circle) => circle.wager === wager)?.title ?? wager);
  return lines.length > 0 && h("div", { class: "idea-line" }, lines.map((line) => h("hw-line", { wager: title(line.wager), net: line.net,
    why: line.reason, clause: line.clause, odds: line.odds || null })));
}

/** Create the settlement of the whole round. @param {LearnRoom} room */
function total(room) {
  const { sheet } = /** @type {api.LessonReply} */ (room.reply);
  return h("div", { class: "idea-total" }, settlement(own(room), sheet));
}

/** True for the last page of the lesson. @param {api.LessonReply} reply @param {number} at */
const isEnd = ({ over, round, rounds, pages }, at) => over && round === rounds.length && at === pages.length - 1;

/** Create the links to what comes after the lesson. @param {api.LessonReply} reply */
const doors = ({ rulebook }) => h("nav", { class: "idea-doors", "aria-label": "What to do next" },
  h("a", { class: "button main", href: "/" }, "Sit down at a table"),
  h("a", { class: "button", href: "/school/practice" }, "Practise decisions"),
  h("a", { class: "button", href: `/rulebooks/${encodeURIComponent(rulebook)}/card` }, "Read the rules card"));

/** @param {LearnRoom} room */
function acts(room) {
  const { reply, page, at, sending } = room;
  if (!reply || !page) return [];
  const { choices = [], chosen } = page;
  const back = (at > 0 || reply.round > 1) && h("button", { type: "button", class: "button", "data-key": "back", onclick: () => room.back() },
    h("span", {}, "Back"), h("kbd", { "aria-hidden": "true" }, "←"));
  const last = at === reply.pages.length - 1;
  const title = !last ? "Continue" : reply.over && reply.round < reply.rounds.length ? "Next round" : "";
  return [
    choices.length > 0 && [chosen && h("p", { class: "small", "data-key": "chosen" },
      `You chose: ${choices.find(({ choice }) => choice === chosen)?.title}. Press a choice to try it.`),
    h("hw-actions", { "data-key": `actions-${reply.round}-${at}`, id: "choices", tabindex: "-1", ".off": sending,
      ".options": choices.map((one) => ({ says: one.title, costs: one.costs, note: one.effect, key: one.key.toLowerCase(), command: null,
        clause: one.clause, choice: one.choice })),
      ".act": (/** @type {{ choice?: string }} */ option) => room.choose(option.choice ?? "") })],
    h("div", { class: "idea-moves", "data-key": "moves" }, back,
      title && h("button", { type: "button", class: "button main", "data-key": "next", "aria-disabled": String(sending), onclick: () => room.next() },
        h("span", {}, title), h("kbd", { "aria-hidden": "true" }, "↵"))),
  ];
}
