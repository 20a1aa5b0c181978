// The lobby: quick play with bots, the list of tables and the form to open one.

import { h, morph } from "../kit/dom.js";
import { amount } from "../kit/money.js";
import { firstSentence } from "../kit/words.js";
import { durationText, setReminder, session } from "../sitting.js";
import { Arrivals } from "./lobby/arrivals.js";
import { legend, tableCard } from "./lobby/cards.js";
import { Devices } from "./lobby/devices.js";
import { handleForm } from "./lobby/handle_form.js";
import { hero } from "./lobby/hero.js";
import { OpenForm } from "./lobby/open.js";
import { stepSheet } from "./lobby/steps.js";
import { fullest, reader, refusals, shortNames } from "./parts.js";

const EVERY = 3000;
/** @type {[minutes: number, words: string][]} */
const BREAKS = [[0, "off"], [30, "30 minutes"], [60, "60 minutes"]];

/** @param {import("../app.js").Context} context */
export default function room({ client, go, params, person, setPerson, message }) {
  const lobby = new Lobby({ client, go, person, setPerson, message, invitation: params.invitation,
    recovery: params.recovery });
  lobby.start();
  return { element: lobby.element, leave: () => lobby.leave() };
}

/** @typedef {import("../app.js").Context} Context */

/** @param {string} sentence */
function preparing(sentence) {
  const [head, text] = firstSentence(sentence);
  return h("hw-notice", { head, text });
}

export class Lobby {
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {Map<string, string>} */
  names = new Map();
  /** @type {api.TableCard[] | null} */
  tables = null;
  /** @type {api.House["solver"] | null} */
  solver = null;
  chips = 0;
  filter = "";
  /** @type {unknown} Why loading failed. */
  refused = null;
  /** @type {api.Rulebook | null} The rulebook for quick play. */
  first = null;
  /** @type {api.Rulebook | null} The rulebook chosen in the form. */
  book = null;
  /** @type {OpenForm | null} */
  form = null;
  stepsShown = false;
  timer = 0;
  /** @type {Promise<void>} */
  read = Promise.resolve();

  /** @param {Pick<Context, "client" | "go" | "person" | "setPerson" | "message">
   *   & { invitation?: string, recovery?: string }} options */
  constructor({ client, go, person, setPerson, message, invitation = "", recovery = "" }) {
    this.client = client;
    this.go = go;
    this.message = message;
    this.invitation = invitation;
    this.recovery = recovery;
    this.arrivals = new Arrivals({ client, go, person, setPerson, invitation, askHandle: () => this.askHandle(),
      changed: () => this.paint() });
    this.devices = new Devices({ client, changed: () => this.paint() });
    this.left = h("div", { class: "left" });
    this.opening = h("div", {}, h("div", { class: "open-form" }, h("h2", {}, "Open a table"),
      h("p", { class: "quiet" }, "Loading the rulebooks…")));
    this.side = h("div", { class: "notes" });
    this.right = h("aside", { class: "right", "aria-label": "Open a table" }, this.opening, this.side);
    this.element = h("div", { class: "lobby" }, this.left, this.right);
    this.drawer = reader(this.element, this.client);
    this.element.append(this.drawer);
    this.poll = () => this.look();
  }

  async start() {
    this.paint();
    document.addEventListener("visibilitychange", this.poll);
    this.timer = setInterval(this.poll, EVERY);
    this.look();
    this.read = this.readBooks();
    try {
      await this.read;
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
    if (this.invitation) this.arrivals.withPerson("hero", () => this.enter());
  }

  /** Load the list of rulebooks, sorted by number of clauses, and the whole rulebook for quick play. */
  async readBooks() {
    const [about, { rulebooks }] = await Promise.all(
      [this.client.get("/api/house"), this.client.get("/api/rulebooks")]);
    this.books = rulebooks.sort((/** @type {api.RulebookEntry} */ a, /** @type {api.RulebookEntry} */ b) =>
      b.clauses - a.clauses);
    this.names = shortNames(rulebooks);
    /** @type {api.Rulebook} */
    const first = await this.client.get(`/api/rulebooks/${encodeURIComponent(fullest(rulebooks).id)}`);
    Object.assign(this, { first, book: first });
    this.about(about);
    this.form = new OpenForm({ client: this.client, books: rulebooks, names: this.names,
      styles: about.styles,
      submit: (order) => this.arrivals.withPerson("open", () => this.arrivals.open(order)),
      rulebookChosen: (book) => { this.book = book; this.paint(); } });
    this.opening.replaceChildren(this.form.element);
    this.form.take(first.id, first);
  }

  /** @param {api.House} about */
  about({ solver, chips }) {
    Object.assign(this, { solver, chips });
  }

  leave() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.poll);
  }

  /** Reload the tables while the page is visible. */
  async look() {
    if (document.hidden) return;
    try {
      this.tables = (await this.client.get("/api/tables")).tables;
      this.refused = null;
      if (this.solver && !this.solver.ready) this.about(await this.client.get("/api/house"));
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
  }

  /** Show the form for a handle and focus it. */
  askHandle() {
    this.paint();
    const field = /** @type {HTMLInputElement | null} */ (this.element.querySelector(".handle input"));
    field?.closest("form")?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  }

  /** Accept the invitation, or sit down with bots. */
  async enter() {
    if (this.invitation) {
      await this.arrivals.accept();
      return;
    }
    await this.read;
    if (this.first) await this.arrivals.sitWithBots(this.first);
  }

  // --- rendering ---

  paint() {
    morph(this.left, [this.message && h("hw-notice", { "data-key": "said", tabindex: -1, autofocus: true,
      role: "status", text: this.message, away: true, onaway: () => { this.message = ""; this.paint(); } }),
    hero(this), this.stepsShown && this.book
      && stepSheet(this.book.card, () => this.showSteps(false)),
      ...this.refusedAt(""), this.filters(), this.list(), this.sessionBox()].filter(Boolean));
    // The form that asks for a name replaces the form that opens a table.
    this.opening.hidden = this.arrivals.asking?.at === "open";
    morph(this.side, [
      ...(this.opening.hidden ? [h("h2", {}, "Open a table"), handleForm(this.arrivals, "Open the table")] : []),
      this.solver && !this.solver.ready && preparing(this.solver.sentence),
      h("p", { class: "quiet small" },
        "If playing for money stops being fun, talk to someone you trust or to a gambling helpline "
          + "where you live."),
    ].filter(Boolean));
  }

  /** @param {string} at */
  refusedAt(at) {
    const { arrivals } = this;
    return arrivals.at === at && arrivals.refused ? refusals(arrivals.refused)
      : at ? [] : refusals(this.refused);
  }

  /** @param {boolean} shown */
  async showSteps(shown) {
    await this.read;
    this.stepsShown = shown;
    this.paint();
    if (shown) /** @type {HTMLElement | null} */ (this.element.querySelector(".steps"))?.focus();
  }

  filters() {
    /** @type {(id: string, words: string | undefined) => HTMLElement} */
    const one = (id, words) => h("button", { type: "button", class: "pill", "data-key": id || "all",
      "aria-pressed": String(this.filter === id), onclick: () => this.choose(id) }, words);
    return h("div", { class: "filters", "data-key": "filters" },
      h("div", { class: "pills", role: "group", "aria-label": "Tables by rulebook" },
        one("", "All rulebooks"), this.books.map(({ id }) => one(id, this.names.get(id)))), legend());
  }

  /**
   * Filter the tables by rulebook, and choose it in the form.
   *
   * @param {string} id
   */
  choose(id) {
    this.filter = id;
    if (id && this.form && this.form.rulebook !== id) this.form.take(id);
    this.paint();
  }

  list() {
    if (!this.tables) return h("ul", { class: "tables", "data-key": "tables" });
    const shown = this.tables.filter((table) => table.open
      && (!this.filter || table.rulebook === this.filter));
    if (!shown.length) {
      return h("p", { class: "empty box", "data-key": "none" }, this.filter
        ? "No tables use this rulebook. " : "No tables are open yet. ",
        h("button", { type: "button", class: "button text", onclick: () => this.toForm() },
          "Open a table"));
    }
    return h("ul", { class: "tables", "data-key": "tables" }, shown.map((table) =>
      tableCard(table, this.names.get(table.rulebook) ?? table.title, this.foot(table))));
  }

  toForm() {
    this.right.scrollIntoView({ block: "start" });
    /** @type {HTMLElement | null} */ (this.right.querySelector("select"))?.focus();
  }

  /** @param {api.TableCard} table */
  foot(table) {
    const { arrivals } = this;
    if (arrivals.asking?.at === table.table) return handleForm(arrivals, "Sit down");
    const free = table.seats.some(({ kind }) => !kind);
    const says = arrivals.sitsAt(table) ? "Back to your seat" : free ? "Sit down" : "Watch";
    const act = free ? () => arrivals.withPerson(table.table, () => arrivals.sit(table))
      : () => this.go(`/table/${encodeURIComponent(table.table)}`);
    return [h("button", { type: "button", class: "button", "aria-label": `${says} at ${table.name}`,
      onclick: act }, says), this.refusedAt(table.table)];
  }

  sessionBox() {
    const { since, rounds, net, last, tables, breaks } = session();
    const summary = since ? [` ${durationText(since)}, ${rounds} round${rounds === 1 ? "" : "s"}, `,
      amount(net, { signed: true }), " in play chips"]
      : " No rounds played yet.";
    return h("section", { class: "sitting box", "data-key": "sitting" },
      h("p", {}, h("strong", {}, "This session"), summary),
      last && h("a", { href: `/table/${encodeURIComponent(last)}/round/${tables[last]}` },
        `Replay round ${tables[last]}`),
      h("label", { class: "remind" }, h("span", {}, "Remind me to take a break"),
        h("select", { onchange: (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => {
          setReminder(Number(target.value));
          this.paint();
        } },
          BREAKS.map(([minutes, words]) => h("option", { value: minutes, ".selected": minutes === breaks },
            words)))),
      this.arrivals.person && this.devices.box((act) => this.arrivals.attempt("", act)));
  }
}
