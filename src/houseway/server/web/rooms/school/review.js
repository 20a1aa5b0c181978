// Round review: what each choice of a round was worth, street by street, and where its result came from.

import { h } from "../../kit/dom.js";
import { plural } from "../../kit/words.js";
import { setting } from "../../settings.js";
import { Visit } from "../chair/classes/visit.js";
import { announce, reader } from "../parts.js";
import { outcomeRow, streetRow } from "./review/streets.js";
import { splitPanel } from "./review/split.js";
import { axisOf, axisRow } from "./review/values.js";
import { practicePath, roundName, roundNote } from "./review/words.js";

/** Milliseconds after which the page says that the values take a moment. */
const SLOW = 400;
/** Milliseconds until the page asks again while the solver is busy. */
const AGAIN = 2000;

/** @param {import("../../app.js").Context} context */
export default function room(context) {
  const review = new Review(context);
  review.start();
  return { element: review.outer, leave: () => review.leave() };
}

/** @param {Element | null} target */
const inField = (target) => target?.closest?.("input, select, textarea, [contenteditable]");

class Review extends Visit {
  /** @type {api.PlayedReview | null} */
  review = null;
  whyName = "Your rounds are kept under your name.";
  /** True while the values take longer than a moment. */
  slow = false;
  slowTimer = 0;
  again = 0;
  street = 0;

  /** @param {import("../../app.js").Context} context */
  constructor(context) {
    super(context, "Reviewing your round…");
    const { round, at, number } = context.params;
    const seat = new URLSearchParams(location.search).get("seat");
    this.path = at ? `/api/me/rounds/${number}?table=${encodeURIComponent(at)}${seat ? `&seat=${seat}` : ""}`
      : `/api/me/rounds/${encodeURIComponent(round ?? "last")}`;
    this.element.className = "review-room";
    this.outer = h("div", { class: "review-outer" }, this.element);
    this.outer.append(reader(this.outer, context.client));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.hear(event);
    document.addEventListener("keydown", this.onKey);
  }

  start() {
    this.context.setTop({ title: "Round review", back: "/school/play" });
    super.start();
  }

  leave() {
    super.leave();
    clearTimeout(this.slowTimer);
    clearTimeout(this.again);
    document.removeEventListener("keydown", this.onKey);
  }

  async fetch() {
    this.slowTimer = setTimeout(() => {
      this.slow = true;
      this.paint();
    }, SLOW);
    try {
      this.review = await this.client.get(this.path);
    } catch (error) {
      // The solver is busy. The values of the previous round stay until it has time.
      if (/** @type {import("../../api_client.js").Refused} */ (error).status !== 429) throw error;
      this.slow = true;
      this.again = setTimeout(() => this.load(), AGAIN);
      return;
    } finally {
      clearTimeout(this.slowTimer);
    }
    this.slow = false;
    const shown = /** @type {api.PlayedReview} */ (this.review);
    this.context.setTop({ title: roundName(shown) });
    announce(`${roundName(shown)}. ${shown.decisions.map(({ street, verdict }) => `${street}: ${verdict}`).join(" ")}`);
  }

  /**
   * Show another round; the values of this one stay until it has loaded.
   *
   * @param {string | undefined} id
   */
  open(id) {
    if (!id) return;
    this.path = `/api/me/rounds/${encodeURIComponent(id)}`;
    history.replaceState(null, "", `/school/review/${encodeURIComponent(id)}`);
    clearTimeout(this.again);
    this.load();
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const { key } = event;
    if (!this.review || event.ctrlKey || event.metaKey || event.altKey || setting("keys") !== "on"
      || inField(/** @type {Element} */ (event.target))) return;
    const streets = this.review.streets ?? [];
    if (key === "[") this.open(this.review.before);
    else if (key === "]") this.open(this.review.after);
    else if (key >= "1" && key <= String(streets.length)) this.show(Number(key) - 1);
    else if (key.toLowerCase() === "l") this.openLab();
    else return;
    event.preventDefault();
  }

  /** Open the position of the street that was chosen last or, if none was, the first position. */
  openLab() {
    const link = this.element.querySelector(`#street-${this.street} a.lab-link`) ?? this.element.querySelector("a.lab-link");
    /** @type {HTMLElement | null} */ (link)?.click();
  }

  /** @param {number} street */
  show(street) {
    this.street = street;
    const section = this.element.querySelector(`#street-${street}`);
    section?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (section?.querySelector("h2"))?.focus();
  }

  /** @returns {Child[]} */
  drawn() {
    const { review } = this;
    if (!review) {
      return [h("hw-notice", { kind: "waiting", role: "status", text: "Values in a few seconds.", "data-key": "busy" })];
    }
    const costliest = review.decisions.filter(({ close, by }) => !close && !by)
      .reduce((/** @type {api.ReviewedChoice | null} */ a, b) => (b.loss.value > (a?.loss.value ?? 0) ? b : a), null);
    const axis = axisOf(review);
    return [h("div", { class: this.slow ? "review-main stale" : "review-main", "data-key": "main",
      "aria-busy": String(this.slow) },
      h("header", { class: "review-head" },
        h("div", {},
          h("h1", {}, `${roundName(review)}, reviewed`),
          h("p", { class: "small" }, roundNote(review))),
        h("nav", { class: "acts", "aria-label": "Rounds" },
          this.step("‹", "[", "Previous round", review.before), this.step("›", "]", "Next round", review.after),
          costliest && h("a", { class: "button", href: practicePath(review.rulebook, costliest.kind) }, "Practise this kind"))),
      this.slow && h("p", { class: "review-wait", role: "status", "data-key": "wait" },
        "The solver is busy: values in a few seconds."),
      axisRow(axis),
      (review.streets ?? []).map((street, n) => streetRow({ review, street, n, axis })),
      outcomeRow(review)),
    h("aside", { class: "review-side", "data-key": "side", "aria-label": "Result" }, splitPanel(review),
      h("footer", { class: "small" },
        h("p", {}, "A choice is judged by its value over all cards, never by the cards that came. "
          + "The house has the edge, even against perfect play."),
        h("p", {}, h("a", { href: "/school/play" }, "Your play"),
          review.rounds ? ` · round ${review.number} of ${plural(review.rounds, "round")}` : "")))];
  }

  /**
   * @param {string} sign
   * @param {string} key
   * @param {string} words
   * @param {string | undefined} id
   */
  step(sign, key, words, id) {
    return h("button", { type: "button", class: "button", "data-key": key, "aria-label": words, disabled: !id,
      "aria-keyshortcuts": key, onclick: () => this.open(id) },
    h("span", { "aria-hidden": "true" }, sign), h("kbd", { "aria-hidden": "true" }, key));
  }
}
