// A table of contents: links to the sections of a paper, beside it.

import { h } from "../../kit/dom.js";

/**
 * Create a table of contents. A link moves the focus to its section.
 *
 * @param {(readonly [id: string, title: Child])[]} entries
 */
export const contents = (entries) => h("nav", { class: "contents", "aria-label": "Contents", "data-key": "contents" },
  h("h2", {}, "Contents"), h("ol", {}, entries.map(([id, title]) => h("li", { "data-key": id }, h("a", { href: `#${id}`,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      goTo(id);
    } }, title)))));

/**
 * Scroll to a section and move the focus to it; a folded section is opened.
 *
 * @param {string} id
 */
function goTo(id) {
  const section = document.getElementById(id);
  if (!section) return;
  if (section instanceof HTMLDetailsElement) section.open = true;
  history.replaceState(null, "", `#${id}`);
  section.scrollIntoView();
  section.focus({ preventScroll: true });
}
