// The form for importing rounds from a file. Wrong rows are listed; a file is imported as a whole or not at all.

import { Refused } from "../../../api_client.js";
import { select } from "../../../kit/choices.js";
import { h, morph } from "../../../kit/dom.js";
import { asTitle, plural } from "../../../kit/words.js";

const MOST_BYTES = 10_000_000;

export class ImportForm {
  /** @type {File | null} */
  file = null;
  rulebook = "";
  player = "";
  seat = 0;
  /** @type {api.ImportResult | null} The last reply. */
  reply = null;
  busy = false;
  done = "";
  /** @type {Refused | null} */
  refused = null;
  /** @type {api.RulebookEntry[]} */
  books = [];

  /**
   * @param {import("../../../api_client.js").ApiClient} client
   * @param {() => void} imported Called after an import.
   * @param {() => void} close
   */
  constructor(client, imported, close) {
    this.client = client;
    this.imported = imported;
    this.close = close;
    this.element = h("section", { class: "box import-form", "data-key": "import-form", "data-own": true, "aria-labelledby": "import-title" });
  }

  async open() {
    Object.assign(this, { refused: null, reply: null, done: "", player: "", seat: 0 });
    this.paint();
    try {
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
    } catch { /* A file can name its rulebook in a column. */ }
    this.paint();
  }

  async send() {
    const { file } = this;
    if (!file || this.busy) return;
    if (file.size > MOST_BYTES) {
      this.done = "";
      this.refused = new Refused(413, [{ code: "too-long", where: "file", clause: null,
        message: "The file is larger than 10 MB. Split it." }]);
      this.paint();
      return;
    }
    Object.assign(this, { busy: true, refused: null, reply: null, done: "" });
    this.paint();
    try {
      /** @type {api.ImportResult} */
      const reply = await this.client.post("/api/me/rounds", { name: file.name, text: await file.text(),
        ...(this.rulebook ? { rulebook: this.rulebook } : {}), ...(this.player ? { player: this.player } : {}),
        ...(this.seat ? { seat: this.seat } : {}) });
      this.reply = reply;
      const stopped = Boolean(reply.problems?.length || reply.players?.length);
      this.done = stopped ? "" : `${plural(reply.imported, "round")} imported.${reply.known ? ` ${plural(reply.known, "round")} ${reply.known === 1 ? "was" : "were"} already stored.` : ""}`;
      if (!stopped) this.imported();
    } catch (error) {
      this.refused = /** @type {Refused} */ (error);
    }
    this.busy = false;
    this.paint();
    if (!this.done) /** @type {HTMLElement | null} */ (this.element.querySelector(".import-problems h3, .import-problems select"))?.focus();
  }

  paint() {
    morph(this.element, [h("h2", { id: "import-title", tabindex: "-1" }, "Import rounds"),
      h("p", { class: "small" }, "A houseway record, a hand history, a CSV file of typed hands, or your own export: at most 10 MB and 100,000 rounds. "
        + "If a row is wrong, nothing is imported."),
      h("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.send();
      } },
      h("label", { class: "field" }, h("span", { class: "label" }, "File"),
        h("input", { type: "file", accept: ".csv,.txt,.json,.jsonl,.hh", required: true,
          onchange: (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
            Object.assign(this, { file: target.files?.[0] ?? null, refused: null, reply: null, done: "", player: "", seat: 0 });
            this.paint();
          } })),
      h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, "Rulebook of a CSV file"),
        select("Rulebook of a CSV file", [["", "as stated in the file"], .../** @type {[string, string][]} */ (this.books.map(({ id }) => [id, id]))],
          this.rulebook, (rulebook) => { this.rulebook = rulebook; })),
      h("p", { class: "acts" },
        h("button", { type: "submit", class: "button main", "aria-disabled": String(this.busy) }, this.busy ? "Importing…" : "Import the file"),
        h("button", { type: "button", class: "button", onclick: () => this.close() }, "Close"))),
      this.done && h("p", { role: "status", class: "import-done" }, this.done),
      this.refused && this.failed(this.refused), this.reply && this.stopped(this.reply)].filter(Boolean));
  }

  /** @param {Refused} error */
  failed({ refused, message }) {
    return h("div", { class: "import-problems", role: "alert", "data-key": "failed" }, h("h3", { tabindex: "-1" }, "Nothing was imported"),
      h("p", {}, asTitle(refused[0]?.message || message)));
  }

  /** @param {api.ImportResult} reply */
  stopped({ problems = [], more_problems: more = 0, players = [] }) {
    if (players.length) {
      return h("div", { class: "import-problems", role: "alert", "data-key": "players" },
        h("p", {}, "The file has rounds of several players. Which player are you?"),
        h("p", { class: "acts" }, players.map(({ title, player = "", seat = 0 }) => h("button", { type: "button", class: "button", "data-key": title,
          onclick: () => {
            Object.assign(this, { player, seat: player ? 0 : seat });
            this.send();
          } }, title))));
    }
    if (!problems.length) return null;
    return h("div", { class: "import-problems", role: "alert", "data-key": "problems" },
      h("h3", { tabindex: "-1" }, "Nothing was imported: correct these rows and try again"),
      h("table", {}, h("thead", {}, h("tr", {}, ["Row", "Column", "What is wrong"].map((one) => h("th", { scope: "col" }, one)))),
        h("tbody", {}, problems.map(({ row, column = "", sentence }, n) => h("tr", { "data-key": String(n) }, h("td", {}, String(row)),
          h("td", {}, column || "–"), h("td", {}, asTitle(sentence)))))),
      more > 0 && h("p", { class: "small" }, `The file has ${plural(more, "more problem")}.`));
  }
}
