// The story of a round: sentences for its events, with their clauses.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { cardName, cardSigns } from "../../kit/words.js";

const CARDS_AND_AMOUNTS = /(\b[2-9TJQKA][shdc]\b|[+−-]\$[\d,]+(?:\.\d\d)?)/;

/**
 * Return a sentence with its cards and amounts highlighted.
 *
 * @param {string} says
 */
export function formatSentence(says) {
  return says.split(CARDS_AND_AMOUNTS).map((part, n) => {
    if (n % 2 === 0) return part;
    if (part.includes("$")) return h("b", { class: `money ${part[0] === "+" ? "won" : "lost"}` },
      part.replace("-", "−"));
    return h("b", { class: `written suit-${part[1]}` },
      h("span", { "aria-hidden": "true" }, cardSigns(part)),
      h("span", { class: "unseen" }, cardName(part)));
  });
}

/** @typedef {{ heading: string }} Heading */
/** @typedef {{ says: string, from: number, to: number, clauses?: string[] }} Passage A sentence about some events. */

/**
 * Create the story up to an event; pressing a sentence seeks to its last event.
 *
 * @param {(Heading | Passage)[]} story
 * @param {number} at
 * @param {(at: number) => void} seek
 */
export function storySheet(story, at, seek) {
  const past = story.filter((part) => "says" in part).filter(({ from }) => from <= at);
  const now = past.find((part) => at <= part.to) ?? past.reduce(
    (/** @type {Passage | null} */ a, b) => (a && a.to >= b.to ? a : b), null);
  return [
    h("header", { "data-key": "head" }, h("h2", {}, "The round in words"),
      h("p", { class: "quiet" }, "Each sentence describes what happened and names its clause.")),
    ...story.map((part, n) => "heading" in part
      ? h("h3", { "data-key": `heading ${n}` }, part.heading)
      : h("div", { class: `sentence${part === now ? " current" : part.from > at ? " later" : ""}`,
        "data-key": String(n) },
        h("button", { type: "button", "aria-current": part === now && "step",
          onclick: () => seek(part.to) }, formatSentence(part.says)),
        h("span", { class: "tags" }, (part.clauses ?? []).map((clause) => clauseTag(clause))))),
  ];
}
