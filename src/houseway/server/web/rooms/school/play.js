// Your play: totals over many rounds, luck separate from choices, leaks sorted by cost, import, export and erasing.

import { segmented, select } from "../../kit/choices.js";
import { h } from "../../kit/dom.js";
import { YourData } from "../../kit/your_data.js";
import { plural } from "../../kit/words.js";
import { Visit } from "../chair/classes/visit.js";
import { reader } from "../parts.js";
import { chartPanel } from "./play/chart.js";
import { ImportForm } from "./play/import_form.js";
import { leaksPanel } from "./play/leaks.js";
import { lossPanel, luckPanel, practicePanel, ratingPanel, sideBetsPanel } from "./play/panels.js";

const PERIODS = /** @type {[string, string][]} */ ([["last-100", "Last 100"], ["30-days", "30 days"], ["all", "All"]]);
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });

/** @param {import("../../app.js").Context} context */
export default function room(context) {
  const play = new Play(context);
  play.start();
  return { element: play.outer, leave: () => play.leave() };
}

class Play extends Visit {
  /** @type {api.YourPlay | null} */
  play = null;
  whyName = "Your rounds are kept under your name.";
  /** True while the form for an import is open. */
  importing = false;
  /** True while "Your data" is open. */
  erasing = false;

  /** @param {import("../../app.js").Context} context */
  constructor(context) {
    super(context, "Adding up your rounds…");
    const address = new URLSearchParams(location.search);
    this.period = address.get("period") ?? "all";
    this.game = address.get("game") ?? "";
    this.element.className = "play-room";
    this.outer = h("div", { class: "play-outer" }, this.element);
    this.outer.append(reader(this.outer, context.client));
    this.form = new ImportForm(context.client, () => this.load(), () => this.toggle("importing"));
    this.data = new YourData(context.client, () => this.load());
  }

  start() {
    this.context.setTop({ title: "Your play" });
    super.start();
  }

  async fetch() {
    const query = new URLSearchParams({ period: this.period, ...(this.game ? { game: this.game } : {}) });
    this.play = await this.client.get(`/api/me/play?${query}`);
  }

  /** @param {{ period?: string, game?: string }} chosen */
  async choose(chosen) {
    Object.assign(this, chosen);
    history.replaceState(null, "", `/school/play?${new URLSearchParams({ period: this.period, ...(this.game ? { game: this.game } : {}) })}`);
    this.busy = true;
    this.paint();
    await this.load();
    this.busy = false;
    this.paint();
  }

  /** @param {"importing" | "erasing"} part */
  toggle(part) {
    this[part] = !this[part];
    if (this.erasing && part === "erasing") this.data.load();
    if (this.importing && part === "importing") this.form.open();
    this.paint();
    const opened = this[part] ? this.element.querySelector(part === "importing" ? ".import-form h2" : ".your-data h2")
      : this.element.querySelector(`[data-key="${part}"]`);
    /** @type {HTMLElement | null} */ (opened)?.focus();
  }

  /** @returns {Child[]} */
  drawn() {
    const play = /** @type {api.YourPlay} */ (this.play);
    return [this.head(play), this.importing && this.form.element, play.full && h("hw-notice", { kind: "waiting", "data-key": "full",
      head: "New rounds are not kept.", text: "Your data has reached its limit. Export it, then erase it to start again." }),
    ...(play.rounds ? this.filled(play) : [this.empty()]), this.foot(play), this.erasing && this.data.element];
  }

  /** @param {api.YourPlay} play */
  head({ rounds, since = "", games, game = "", totals }) {
    const from = since ? ` since ${day.format(new Date(since))}` : "";
    const decisions = totals ? `, ${plural(totals.decisions, "decision")} reviewed` : "";
    return h("header", { class: "play-head", "data-key": "head" },
      h("div", {}, h("h1", {}, "Your play"),
        h("p", { class: "small" }, rounds ? `${rounds.toLocaleString("en-US")} round${rounds === 1 ? "" : "s"}${from}${decisions}. Kept under your handle on this server.`
          : "Your rounds are kept under your handle on this server.")),
      h("div", { class: "acts" },
        games.length > 1 && select("Game", games.map((one) => [one.game,
          `${one.game} (${one.rounds.toLocaleString("en-US")})`]), game, (chosen) => this.choose({ game: chosen })),
        rounds > 0 && segmented("Period", PERIODS, this.period, (period) => this.choose({ period })),
        h("button", { type: "button", class: "button", "data-key": "importing", "aria-expanded": String(this.importing),
          onclick: () => this.toggle("importing") }, "Import"),
        rounds > 0 && h("a", { class: "button", href: "/api/me/rounds", download: "" }, "Export")));
  }

  empty() {
    return h("section", { class: "box play-empty", "data-key": "empty" },
      h("p", {}, "You have no rounds yet. Play a round, or import rounds that you played elsewhere."),
      h("p", { class: "acts" }, h("a", { class: "button main", href: "/" }, "Play a round"),
        h("button", { type: "button", class: "button", onclick: () => this.toggle("importing") }, "Import rounds")));
  }

  /** @param {api.YourPlay} play */
  filled(play) {
    const { totals, problem, skipped = 0 } = play;
    const rulebook = play.games.find(({ game }) => game === play.game)?.rulebook ?? "";
    if (!totals) {
      return [h("hw-notice", { kind: "waiting", "data-key": "problem", text: problem || "There are no totals yet." })];
    }
    if (!totals.rounds) {
      return [h("hw-notice", { kind: "waiting", "data-key": "none", text: "No round in this period can be reviewed. Choose a longer period." })];
    }
    return [h("div", { class: this.busy ? "play-grid stale" : "play-grid", "data-key": "grid", "aria-busy": String(this.busy) },
      ratingPanel(play), lossPanel(totals), luckPanel(totals.luck), chartPanel(totals.series), practicePanel(totals, rulebook),
      leaksPanel(totals, rulebook), totals.side_bets.length > 0 && sideBetsPanel(totals.side_bets)),
    skipped > 0 && h("p", { class: "small", "data-key": "notes" },
      `${plural(skipped, "round")} without a decision of yours, or with unknown cards, ${skipped === 1 ? "is" : "are"} left out.`)];
  }

  /** @param {api.YourPlay} play */
  foot({ games, game, rounds, last = "" }) {
    const shown = games.find((one) => one.game === game);
    const edge = shown?.value ? `: ${(-100 * shown.value.value).toFixed(4)} % of the ante under ${shown.rulebook}` : "";
    return h("footer", { class: "play-foot small", "data-key": "foot" },
      h("p", {}, `The house has the edge, even against perfect play${edge}.`),
      last && h("a", { href: `/school/review/${encodeURIComponent(last)}` }, "Review your last round"),
      rounds > 0 && h("button", { type: "button", class: "link-button", "data-key": "erasing", "aria-expanded": String(this.erasing),
        onclick: () => this.toggle("erasing") }, "Delete my data"));
  }
}
