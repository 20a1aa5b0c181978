// One position that opens for everyone: the daily position, or one that a person shares. The analysis comes after an answer.

import { h, morph } from "../../kit/dom.js";
import { select } from "../../kit/choices.js";
import { asTitle } from "../../kit/words.js";
import { fullest, reader, refusals, shortNames } from "../parts.js";
import { polite } from "../table/announce.js";
import { listen } from "./practice/keys.js";
import { reasonBox } from "./practice/reason.js";
import { choiceOfKey, spotSpeech } from "./practice/speech.js";
import { spotChoices, spotFelt } from "./practice/spot.js";

/** @param {import("../../app.js").Context} context */
export default function room({ client, params, setTop, setSkips }) {
  const shown = new PositionRoom(client, params.link ?? "");
  setTop({ title: params.link ? "Position" : "Daily position", back: "/school" });
  setSkips([["Skip to the position", "position"], ["Skip to the answer", "answer"]]);
  shown.start();
  return { element: shown.element, leave: () => shown.leave() };
}

class PositionRoom {
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {api.SharedPosition | null} */
  shared = null;
  /** @type {api.SpotAnalysis | null} */
  analysis = null;
  /** @type {unknown} */
  refused = null;
  sending = false;
  closed = false;

  /**
   * @param {import("../../api_client.js").ApiClient} client
   * @param {string} link The link of the position; empty for the daily position.
   */
  constructor(client, link) {
    this.client = client;
    this.link = link;
    this.rulebook = new URLSearchParams(location.search).get("rulebook") ?? "";
    this.main = h("div", { class: "practice-main", id: "position", tabindex: "-1" });
    this.side = h("aside", { class: "practice-side", id: "answer", "aria-label": "The answer", tabindex: "-1" });
    this.element = h("div", { class: "practice-room spot" }, this.main, this.side);
    this.element.append(reader(this.element, client));
    this.stopListening = listen({ press: (key) => this.press(key), next: () => false });
  }

  leave() {
    this.closed = true;
    this.stopListening();
  }

  async start() {
    Object.assign(this, { refused: null, shared: null, analysis: null });
    this.paint();
    try {
      if (!this.link) {
        this.books = (await this.client.get("/api/rulebooks")).rulebooks;
        this.rulebook ||= fullest(this.books).id;
      }
      this.shared = await this.client.get(this.link ? `/api/positions/${encodeURIComponent(this.link)}`
        : `/api/daily-position?rulebook=${encodeURIComponent(this.rulebook)}`);
      if (this.shared) polite(spotSpeech(this.shared.spot));
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
  }

  /** @param {string} key */
  press(key) {
    if (key.toLowerCase() === "s" && this.shared) {
      polite(spotSpeech(this.shared.spot));
      return true;
    }
    const choice = this.analysis ? "" : choiceOfKey(this.shared?.spot ?? null, key);
    if (choice) this.answer(choice);
    return Boolean(choice);
  }

  /**
   * Get the analysis for a choice or, without one, for the best choice.
   *
   * @param {string} choice
   */
  async answer(choice) {
    if (!this.shared || this.sending) return;
    this.sending = true;
    this.paint();
    try {
      const query = choice ? `?choice=${encodeURIComponent(choice)}` : "";
      /** @type {api.SpotAnalysis} */
      const analysis = await this.client.get(`/api/positions/${encodeURIComponent(this.shared.link)}/analysis${query}`);
      Object.assign(this, { analysis, refused: null });
      polite(`${analysis.sentence ?? ""} ${analysis.because}`);
    } catch (refused) {
      this.refused = refused;
    }
    this.sending = false;
    this.paint();
    if (this.analysis) this.side.focus({ preventScroll: true });
  }

  paint() {
    if (this.closed) return;
    const { shared, analysis } = this;
    this.element.className = `practice-room ${analysis ? "answered" : "spot"}`;
    morph(this.main, [this.head(), h("div", { class: "practice-notices", "data-key": "notices" }, ...refusals(this.refused)),
      this.refused && !shared ? h("p", { class: "acts", "data-key": "retry" },
        h("button", { type: "button", class: "button main", onclick: () => this.start() }, "Try again"),
        h("a", { class: "button", href: "/school" }, "Go to the school")) : null,
      !(this.refused && !shared) && spotFelt(shared?.spot ?? null, analysis?.hand ?? ""),
      shared && h("div", { "data-key": "choices-place" },
        spotChoices(shared.spot, analysis, { off: this.sending, choose: (choice) => this.answer(choice) })),
      shared && h("p", { class: "acts", "data-key": "acts" }, analysis ? h("a", { class: "button main", href: "/school/practice" }, "Practise more")
        : h("button", { type: "button", class: "button", onclick: () => this.answer("") }, "Show the analysis"))]);
    morph(this.side, [shared && analysis ? reasonBox(analysis, shared.spot, shared.rulebook)
      : h("section", { class: "key-help", "data-key": "keys" }, h("h2", {}, "Decide"),
        h("p", { class: "small" }, this.refused && !shared ? "There is no position to decide." : "After your answer, each choice shows its exact value."),
        h("p", { class: "small" }, "The house has the edge, even against perfect play."))]);
  }

  head() {
    const { shared, link, books } = this;
    const names = shortNames(books);
    return h("header", { class: "practice-head", "data-key": "head" }, h("div", {}, h("h1", {}, link ? "A shared position" : "Daily position"),
      h("p", { class: "small" }, shared ? [shared.date, asTitle(shared.title)].filter(Boolean).join(", ") : "Loading the position…")),
    !link && books.length > 0 && select("Rulebook", books.map(({ id }) => [id, `${names.get(id)}, ${id}`]), this.rulebook, (rulebook) => {
      this.rulebook = rulebook;
      this.start();
    }));
  }
}
