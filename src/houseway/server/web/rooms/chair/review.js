// The judgement of a closed round: each slip with what you did, what is right, and the clause; the round replayed.

import { clauseTag } from "../../kit/clause.js";
import { h } from "../../kit/dom.js";
import { countOf, mispaidText, mispaidTexts, plural, withCardSigns } from "../../kit/words.js";
import { announce, refusals } from "../parts.js";
import { clockText, judgedAs, markOf } from "./marks.js";
import { eventText } from "./room_parts.js";

/** Milliseconds between two steps of the replay. */
const STEP = 900;

export class RoundReviewSheet {
  kind = "reviewing";
  /** @type {api.RoundReview | null} */
  review = null;
  /** @type {unknown} */
  refused = null;
  /** The step that the felt shows: 0 is the felt before the first step. */
  at = 0;
  /** @type {number | null} The slip whose clause is open. */
  open = null;
  timer = 0;

  /**
   * @param {{ client: import("../../api_client.js").ApiClient, path: string, round: number, view: api.ChairView, changed: () => void,
   *   close: () => void, showSeat: (seat: number) => void }} options
   */
  constructor({ client, path, round, view, changed, close, showSeat }) {
    this.showSeat = showSeat;
    this.client = client;
    this.path = path;
    this.round = round;
    this.view = view;
    this.changed = changed;
    this.close = close;
  }

  async load() {
    this.refused = null;
    this.changed();
    try {
      this.review = await this.client.get(this.path);
      const { slips } = this;
      this.at = this.review?.steps.length ?? 0;
      if (slips.length) this.show(0);
      announce(`${this.summary}. ${slips.map(({ words }) => words).join(" ")}`);
    } catch (error) {
      this.refused = error;
    }
    this.changed();
  }

  leave() {
    clearInterval(this.timer);
  }

  get slips() { return (this.review?.verdicts ?? []).filter(({ right, kind }) => !right || kind === "disputed"); }

  get summary() {
    const { review } = this;
    if (!review) return "";
    const wrong = this.slips.filter(({ kind }) => kind !== "disputed").length;
    return [`Round ${review.round}: ${wrong ? plural(wrong, "slip") : "no slips"}`, ...mispaidTexts(review.over, review.under)].join("; ");
  }

  /**
   * Open a slip: its clause, and the felt at that moment.
   *
   * @param {number} n
   */
  show(n) {
    this.stopReplay();
    this.open = n;
    const { steps } = /** @type {api.RoundReview} */ (this.review);
    const entry = this.slips[n]?.entry;
    const at = steps.findIndex(({ event }) => event.number >= entry);
    this.at = at < 0 ? steps.length : at + 1;
    const seat = this.slips[n]?.seat;
    if (seat) this.showSeat(seat);
    this.changed();
  }

  /** @param {number} at */
  seek(at) {
    this.at = Math.max(0, Math.min(this.review?.steps.length ?? 0, at));
    this.changed();
  }

  replay() {
    if (this.timer) {
      this.stopReplay();
      this.changed();
      return;
    }
    const end = this.review?.steps.length ?? 0;
    if (this.at >= end) this.at = 0;
    this.timer = setInterval(() => {
      if (this.at >= end) this.stopReplay();
      else this.at += 1;
      this.changed();
    }, STEP);
    this.changed();
  }

  stopReplay() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  enter() {
    this.close();
    return true;
  }

  felt() {
    const { review, at } = this;
    if (!review) return this.view.felt;
    return at > 0 ? review.steps[at - 1].felt : review.before;
  }

  said() {
    const event = this.at > 0 ? this.review?.steps[this.at - 1]?.event : null;
    return event ? withCardSigns(eventText(event)) : "";
  }

  head() {
    const { review } = this;
    return h("header", { class: "sheet-head", "data-key": "sheet-head" },
      h("div", {}, h("h1", {}, `Round ${this.round} is over`),
        h("p", { class: "small" }, review ? `Step ${countOf(this.at, review.steps.length, "0")}` : "Judging the round…")),
      review && h("p", { class: "outcome" }, markOf(this.slips.some(({ kind }) => kind !== "disputed") ? "wrong" : "right"), this.summary));
  }

  below() {
    const { review } = this;
    const end = review?.steps.length ?? 0;
    const wrong = new Map(this.slips.map((slip, n) => [review?.steps.findIndex(({ event }) => event.number >= slip.entry), n]));
    return h("div", { class: "timeline", "data-key": "timeline" },
      review && h("div", { class: "seeker" },
        h("button", { type: "button", class: "button", "data-key": "replay", onclick: () => this.replay() }, this.timer ? "Stop" : "Replay"),
        h("input", { type: "range", min: 0, max: end, step: 1, ".value": String(this.at), "aria-label": "Step of the round",
          "aria-valuetext": `Step ${countOf(this.at, end, "0")}. ${this.said()}`,
          oninput: (/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => {
            this.stopReplay();
            this.seek(Number(target.value));
          } })),
      review && h("ol", { class: "steps-told" }, review.steps.map(({ event }, n) => ({ event, n }))
        .filter(({ n }) => wrong.has(n)).map(({ event, n }) => h("li", { "data-key": String(n) },
          h("button", { type: "button", class: this.at === n + 1 ? "tick current" : "tick", onclick: () => this.show(wrong.get(n) ?? 0) },
            h("span", { class: "at-time" }, clockText(event.time, true)), withCardSigns(event.words))))));
  }

  panel() {
    const { review, slips } = this;
    return [
      h("header", { class: "panel-head", "data-key": "head" }, h("h2", {}, "Judgement"),
        review && h("p", { class: "small" }, review.verdicts.length
          ? `${review.verdicts.filter(({ right }) => right).length} of ${plural(review.verdicts.length, "act")} right` : "No act is judged")),
      h("div", { class: "paper judged", "data-key": "paper", tabindex: "0", "aria-label": "Slips" },
        !review && !this.refused && h("p", { class: "quiet", role: "status" }, "Judging the round…"),
        Boolean(this.refused) && [refusals(this.refused), h("button", { type: "button", class: "button", onclick: () => this.load() }, "Try again")],
        review && !slips.length && h("p", {}, "Every act is right. The table was settled as the rulebook says."),
        h("ol", { class: "slips" }, slips.map((slip, n) => this.slip(slip, n)))),
      h("footer", { class: "panel-foot", "data-key": "foot" },
        h("button", { type: "button", class: "button main", "data-key": "next", onclick: () => this.close() },
          h("span", {}, this.view.progress === "open" ? "Next round" : "Close"), h("kbd", {}, "↵")),
        this.view.progress !== "open" && h("a", { class: "button", href: `/chair/score/${encodeURIComponent(this.view.session)}` }, "Score sheet")),
    ];
  }

  /** @type {(slip: api.VerdictView, n: number) => HTMLElement} */
  slip(slip, n) {
    const open = this.open === n;
    return h("li", { class: open ? "slip open" : "slip", "data-key": `${slip.entry}-${n}` },
      h("button", { type: "button", class: "slip-head", "aria-expanded": String(open), onclick: () => (open ? this.shut() : this.show(n)) },
        markOf(judgedAs(slip), slip.kind), h("span", {}, withCardSigns(slip.words), slip.cured && " You repaired it.")),
      open && h("div", { class: "slip-body" },
        slip.did && h("p", {}, h("b", {}, "You did: "), withCardSigns(slip.did)),
        slip.due && h("p", {}, h("b", {}, "Right: "), withCardSigns(slip.due)),
        Boolean(slip.amount) && h("p", {}, h("b", {}, "Money: "), mispaidText(slip.amount ?? 0)),
        slip.clause ? h("p", { class: "clause-open" }, clauseTag(slip.clause.clause), " ", slip.clause.says,
          slip.clause.borrowed && h("span", { class: "quiet" }, " Borrowed: this rulebook does not cover this; the rule comes from another document."))
          : h("p", { class: "quiet" }, "No clause is cited for this."),
        h("button", { type: "button", class: "link", onclick: () => {
          this.seek(this.at - 2);
          this.replay();
        } }, "Replay on the felt")));
  }

  shut() {
    this.open = null;
    this.changed();
  }
}
