// The menu before practice: the modes, the rulebook, and the rating so far.

import { select } from "../../../kit/choices.js";
import { h } from "../../../kit/dom.js";
import { asTitle, plural } from "../../../kit/words.js";
import { shortNames } from "../../parts.js";
import { ratingBox } from "./rating.js";

/**
 * The contents of the menu. `topic` is the chosen kind or theme, as "kind:NAME" or "theme:NAME".
 *
 * @typedef {{ books: api.RulebookEntry[], rulebook: string, menu: api.PracticeMenu, topic: string,
 *   take: (rulebook: string) => void, setTopic: (topic: string) => void, again: () => void,
 *   start: (order: Partial<api.StartPractice>) => void }} MenuState
 */

/**
 * @param {string} key
 * @param {string} title
 * @param {string} text
 * @param {Child} acts
 */
const modeCard = (key, title, text, acts) => h("article", { class: "box mode-card", "data-key": key, "data-mode": key },
  h("h2", {}, title), h("p", {}, text), h("div", { class: "acts" }, acts));

/**
 * @param {string} label
 * @param {string} title
 * @param {() => void} press
 */
const startButton = (label, title, press) => h("button", { type: "button", class: "button", "data-key": label, "aria-label":
  title ? `${label}: ${title}` : label, onclick: press }, label);

/** @param {MenuState} state */
export function practiceMenu(state) {
  const { books, rulebook, menu, take } = state;
  const names = shortNames(books);
  return h("div", { class: "practice-menu" },
    h("header", {}, h("div", {}, h("h1", {}, "Practice"),
      h("p", { class: "small" }, "Practise single decisions, without playing whole rounds. You decide, then you see the exact value of each choice.")),
    select("Rulebook", books.map(({ id }) => [id, `${names.get(id)}, ${id}`]), rulebook, take)),
    menu.ready ? ready(state) : h("section", { class: "box preparing", role: "status" }, h("h2", {}, "Not ready yet"),
      h("p", {}, menu.sentence), h("p", { class: "acts" }, h("button", { type: "button", class: "button", onclick: state.again }, "Try again"))));
}

/** @param {MenuState} state */
function ready({ menu, topic, setTopic, start }) {
  const { streets = [], kinds = [], themes = [], counts, due = 0, answered = 0, weak = false, ratings = [], edge = "" } = menu;
  /** @type {(group: string, label: string, listed: readonly api.PracticeTopic[]) => [string, string][]} */
  const options = (group, label, listed) => listed.map(({ name, words }) => [`${group}:${name}`, `${label}: ${words}`]);
  const topics = [...options("kind", "Kind", kinds), ...options("theme", "Theme", themes)];
  const chosen = topic || topics[0]?.[0] || "";
  const [group, name] = chosen.split(":");
  return h("div", { class: "menu-columns" },
    h("div", { class: "mode-cards" },
      modeCard("mixed", "Mixed", `${counts.mixed} positions from all streets, chosen by how often they occur and what they cost.`,
        startButton("Start", "mixed", () => start({ mode: "mixed" }))),
      streets.length > 1 && modeCard("street", "One street", `${counts.street} positions from one street.`,
        streets.map((street) => startButton(asTitle(street), "", () => start({ mode: "street", street })))),
      modeCard("leaks", "Your weak spots", `Mostly the kinds of position that cost you most. They are not named before you answer. ${weak ? ""
        : "Until you miss a position, all kinds are mixed."}`, startButton("Start", "your weak spots", () => start({ mode: "leaks" }))),
      modeCard("endless", "One kind or theme", "As many positions as you like.",
        [select("Kind or theme", topics, chosen, setTopic), startButton("Start", "one kind or theme", () => start({ mode: "endless", [group]: name }))]),
      modeCard("timed", "Timed", `${counts.timed} positions with a clock. Speed is shown, not judged.`,
        startButton("Start", "timed", () => start({ mode: "timed" }))),
      modeCard("exam", "Exam", `${counts.exam} dealt decisions. No grades until the end, then a score sheet.`,
        startButton("Start", "exam", () => start({ mode: "exam" })))),
    h("aside", { class: "menu-side", "aria-label": "Your progress" },
      h("section", { class: "box", "data-key": "due" }, h("h2", {}, "Your positions"),
        answered ? h("p", {}, `${plural(answered, "answer")} so far. `, due ? `${plural(due, "missed position")} to repeat: they come up as you practise.`
          : "Nothing to repeat now.") : h("p", {}, "No answers yet. Positions that you miss come back later.")),
      ratingBox(ratings), h("p", { class: "small edge" }, edge)));
}
