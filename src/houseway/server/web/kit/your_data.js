// "Your data": what the server stores about your training; download it, or erase it.

import "./notice.js";
import { h, morph } from "./dom.js";
import { asTitle, joinWords } from "./words.js";

const PATH = "/api/me/progress";
/** The kinds of entries in words, one and several. @type {Record<string, [string, string]>} */
const KINDS = { drill: ["drill", "drills"], training: ["training entry", "training entries"], exam: ["exam", "exams"],
  certificate: ["certificate", "certificates"], find: ["find-the-mistake round", "find-the-mistake rounds"],
  practice: ["practice entry", "practice entries"], review: ["review", "reviews"], rating: ["rating", "ratings"],
  rounds: ["entry of played rounds", "entries of played rounds"], lesson: ["lesson", "lessons"] };

/**
 * Return a count with the singular or plural of its noun.
 *
 * @param {number} n
 * @param {[one: string, several: string]} nouns
 */
const counted = (n, [one, several]) => `${n.toLocaleString("en-US")} ${n === 1 ? one : several}`;

/**
 * Return a number of bytes in words: "12 KB".
 *
 * @param {number} bytes
 */
export const sizeWords = (bytes) => (bytes < 1000 ? `${bytes} bytes`
  : bytes < 1e6 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * Return what is stored, in words.
 *
 * @param {api.ProgressSummary} summary
 */
export function storedWords({ entries, bytes, kinds }) {
  const parts = Object.entries(kinds).map(([kind, count]) => counted(count, KINDS[kind] ?? [kind, kind]));
  return `The server stores ${counted(entries, ["entry", "entries"])} about your training (${sizeWords(bytes)}): `
    + `${joinWords(parts)}.`;
}

/** A panel for the progress of the person who is signed in. */
export class YourData {
  /** @type {api.ProgressSummary | null} */
  summary = null;
  /** @type {unknown} */
  refused = null;
  /** @type {"" | "asking" | "erasing" | "erased"} */
  state = "";

  /**
   * @param {import("../api_client.js").ApiClient} client
   * @param {() => void} [erased] Called after the data was erased.
   */
  constructor(client, erased = () => {}) {
    this.client = client;
    this.erased = erased;
    this.element = h("section", { class: "your-data box", "data-key": "your-data", "data-own": true,
      "aria-labelledby": "your-data-title" });
    this.paint();
  }

  async load() {
    try {
      this.summary = await this.client.get(`${PATH}/summary`);
      this.refused = null;
    } catch (error) {
      this.refused = error;
    }
    this.paint();
  }

  async erase() {
    this.state = "erasing";
    this.paint();
    try {
      await this.client.ask("DELETE", PATH, { confirm: "erase my progress" });
      this.state = "erased";
      await this.load();
      this.erased();
    } catch (error) {
      Object.assign(this, { refused: error, state: "asking" });
    }
    this.paint();
    /** @type {HTMLElement | null} */ (this.element.querySelector("h2"))?.focus();
  }

  /** @param {"" | "asking"} state */
  ask(state) {
    this.state = state;
    this.paint();
    const name = state ? ".question .button" : ".erase";
    /** @type {HTMLElement | null} */ (this.element.querySelector(name))?.focus();
  }

  paint() {
    morph(this.element, [h("h2", { id: "your-data-title", tabindex: "-1" }, "Your data"), ...this.drawn()].filter(Boolean));
  }

  /** @returns {Child[]} */
  drawn() {
    const { summary } = this;
    const refused = this.refused ? h("hw-notice", { kind: "refused", role: "alert", head: "That failed.",
      text: asTitle(/** @type {Error} */ (this.refused).message) }) : null;
    if (!summary) {
      return [refused ?? h("p", { class: "quiet" }, "Loading…"), refused && h("p", { class: "acts" },
        h("button", { type: "button", class: "button", onclick: () => this.load() }, "Try again"))];
    }
    const nothing = !summary.entries && !summary.classes;
    return [
      this.state === "erased" && h("p", { role: "status" }, "Your data has been erased. It can no longer be read on this server."),
      h("p", {}, summary.entries ? storedWords(summary) : "The server stores nothing about your training."),
      summary.entries > 0 && h("p", { class: "small" }, "It is encrypted under your own key. It does not include your name or the records of tables."),
      refused,
      this.state === "asking" || this.state === "erasing" ? this.question(summary) : h("p", { class: "acts" },
        h("a", { class: "button", href: PATH, download: "" }, "Download my data"),
        nothing ? null : h("button", { type: "button", class: "button erase", onclick: () => this.ask("asking") },
          "Erase my data…")),
    ];
  }

  /** @param {api.ProgressSummary} summary */
  question({ classes }) {
    const busy = this.state === "erasing";
    return h("div", { class: "question", role: "group", "aria-label": "Erase your data",
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => { if (key === "Escape" && !busy) this.ask(""); } },
      h("p", {}, h("strong", {}, "Erase all of your training data? This cannot be undone.")),
      h("p", {}, `Drills, exams, ratings and the rounds you played are lost${classes ? `, and your results disappear from ${counted(classes, ["class", "classes"])}` : ""}. `
        + "Certificates that you downloaded stay valid. The operator's backups keep the data until they are deleted."),
      h("p", { class: "acts" },
        h("a", { class: "button main", href: PATH, download: "" }, "Download it first"),
        h("button", { type: "button", class: "button", "aria-disabled": String(busy),
          onclick: () => { if (!busy) this.erase(); } }, busy ? "Erasing…" : "Erase my data"),
        h("button", { type: "button", class: "button text", onclick: () => { if (!busy) this.ask(""); } }, "Keep my data")));
  }
}
