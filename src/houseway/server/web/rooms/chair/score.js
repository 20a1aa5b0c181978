// The score sheet of a session: dollars, seconds and clauses, the slips, and the certificate of a passed exam.

import { h, morph } from "../../kit/dom.js";
import { asTitle } from "../../kit/words.js";
import { setting } from "../../settings.js";
import { reader } from "../parts.js";
import { polite } from "../table/announce.js";
import { paper } from "./score/paper.js";
import { examSheet, practiceSheet } from "./score/sheet.js";
import { openSlip } from "./score/slip.js";
import { strip } from "./score/strip.js";

const MOST_ROUNDS = 60;

/** @param {import("../../app.js").Context} context */
export default function room({ client, params, person, setTop, setSkips }) {
  const score = new ScoreRoom(client, params.session, person);
  setTop({ title: "Score sheet", back: "/chair" });
  setSkips([["Skip to the sheet", "score-sheet"], ["Skip to the slip", "score-slip"]]);
  score.start();
  return { element: score.element, leave: () => score.leave() };
}

class ScoreRoom {
  /** @type {import("./score/sheet.js").Sheet | null} */
  sheet = null;
  /** @type {(Error & { code?: string, status?: number }) | null} */
  refused = null;
  open = 0;
  closed = false;

  /**
   * @param {import("../../api_client.js").ApiClient} client
   * @param {string} session
   * @param {api.Person | null} person
   */
  constructor(client, session, person) {
    this.client = client;
    this.session = session;
    this.person = person;
    this.main = h("div", { class: "score-main", id: "score-sheet", tabindex: "-1" });
    this.side = h("aside", { class: "score-slip", id: "score-slip", "aria-label": "The open slip", tabindex: "-1" });
    this.foot = h("div", { class: "score-foot" });
    this.element = h("div", { class: "score-room" }, this.main, this.side, this.foot);
    this.element.append(reader(this.element, client));
    this.hear = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.hear);
  }

  leave() {
    this.closed = true;
    document.removeEventListener("keydown", this.hear);
  }

  async start() {
    this.refused = null;
    this.paint();
    try {
      this.sheet = await this.load();
    } catch (refused) {
      this.refused = /** @type {Error} */ (refused);
    }
    if (!this.closed) this.paint();
  }

  /** Get the result of an exam; a session without an exam has only a score. */
  async load() {
    const path = `/api/training/${encodeURIComponent(this.session)}`;
    try {
      return examSheet(await this.client.get(`${path}/result`));
    } catch (error) {
      const { code } = /** @type {import("../../api_client.js").Refused} */ (error);
      if (code !== "no-exam" && code !== "no-route") throw error;
    }
    const [score, view] = [await this.client.get(`${path}/score`), await this.client.get(path)];
    const reviews = [];
    for (let round = 1; round <= Math.min(score.rounds, MOST_ROUNDS); round += 1) {
      reviews.push(await this.client.get(`${path}/rounds/${round}`));
    }
    return practiceSheet(score, { rulebook: view.rulebook ?? "", title: view.title ?? view.rulebook ?? "",
      trainee: this.person?.handle ?? "" }, reviews);
  }

  /** @param {number} n */
  show(n) {
    this.open = n;
    this.paint();
    const slip = this.sheet?.slips[n];
    if (slip) polite(`Slip ${n + 1}: ${slip.sentence}`);
    if (matchMedia("(max-width: 1039px)").matches) this.side.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const field = /** @type {Element} */ (event.target).closest?.("input, select, textarea");
    const last = (this.sheet?.slips.length ?? 0) - 1;
    if (field || event.ctrlKey || event.metaKey || event.altKey || last < 0 || setting("keys") !== "on") return;
    if (event.key === ".") this.show(Math.min(last, this.open + 1));
    else if (event.key === ",") this.show(Math.max(0, this.open - 1));
  }

  paint() {
    if (this.closed) return;
    const { sheet } = this;
    morph(this.main, [sheet ? paper(sheet, this.open, (n) => this.show(n)) : this.waiting()]);
    morph(this.side, sheet ? openSlip(sheet, this.open, (n) => this.show(n)) : []);
    this.side.hidden = !sheet || !sheet.slips.length;
    morph(this.foot, sheet ? [strip(sheet)] : []);
  }

  waiting() {
    const { refused } = this;
    if (!refused) {
      return h("article", { class: "score-paper paper", "aria-busy": "true" }, h("header", {}, h("div", {},
        h("p", { class: "small" }, "Score sheet"), h("h1", {}, "Loading the sheet…"))));
    }
    const { status = 0, code = "" } = refused;
    const [title, text] = status === 401 ? ["Sign in to see this sheet", "A score sheet belongs to one person. Sign in in the lobby."]
      : status === 404 ? ["There is no such sheet", "The session is not yours, or it was erased."]
        : code === "no-house" ? ["The server does not answer", "The sheet is safe: it is on record. Try again."]
          : ["The sheet cannot be shown", asTitle(refused.message)];
    return h("section", { class: "page-error" }, h("h1", {}, title), h("p", { role: "alert" }, text),
      h("p", { class: "acts" }, status !== 401 && status !== 404
        && h("button", { type: "button", class: "button main", onclick: () => this.start() }, "Try again"),
      h("a", { class: "button", href: status === 401 ? "/" : "/chair" }, status === 401 ? "Go to the lobby" : "Go to the chair")));
  }
}
