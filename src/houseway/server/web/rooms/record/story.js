// The round told on paper: a sentence for its events, each with its clauses.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { cardSaid, cardSigns } from "../../kit/words.js";

const TOLD = /(\b[2-9TJQKA][shdc]\b|[+−-]\$[\d,]+(?:\.\d\d)?)/;

/**
 * A sentence with its cards and amounts set apart.
 *
 * @param {string} says
 */
export function told(says) {
  return says.split(TOLD).map((part, n) => {
    if (n % 2 === 0) return part;
    if (part.includes("$")) return h("b", { class: `money ${part[0] === "+" ? "won" : "lost"}` },
      part.replace("-", "−"));
    return h("b", { class: `written suit-${part[1]}` },
      h("span", { "aria-hidden": "true" }, cardSigns(part)),
      h("span", { class: "unseen" }, cardSaid(part)));
  });
}

/** @typedef {{ heading: string }} Heading */
/** @typedef {{ says: string, from: number, to: number, clauses?: string[] }} Passage The words of some events. */

/**
 * The story as far as an event; a sentence pressed leads to where its events end.
 *
 * @param {(Heading | Passage)[]} story
 * @param {number} at
 * @param {(at: number) => void} seek
 */
export function storyOnPaper(story, at, seek) {
  const begun = story.filter((part) => "says" in part).filter(({ from }) => from <= at);
  const now = begun.find((part) => at <= part.to) ?? begun.reduce(
    (/** @type {Passage | null} */ a, b) => (a && a.to >= b.to ? a : b), null);
  return [
    h("header", { "data-key": "head" }, h("h2", {}, "The round in words"),
      h("p", { class: "quiet" }, "Each sentence describes one event and names its clause.")),
    ...story.map((part, n) => "heading" in part
      ? h("h3", { "data-key": `heading ${n}` }, part.heading)
      : h("div", { class: `sentence${part === now ? " current" : part.from > at ? " later" : ""}`,
        "data-key": String(n) },
        h("button", { type: "button", "aria-current": part === now && "step",
          onclick: () => seek(part.to) }, told(part.says)),
        h("span", { class: "tags" }, (part.clauses ?? []).map((clause) => clauseTag(clause))))),
  ];
}
