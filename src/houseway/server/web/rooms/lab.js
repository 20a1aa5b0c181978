// The lab: change a payout and the whole game is solved again, exactly.

import { select } from "../kit/choices.js";
import { h, morph } from "../kit/dom.js";
import { Controls } from "./lab/controls.js";
import { figures, percent, edgeText } from "./lab/figures.js";
import { actionsPanel, bestPlay, outcomesPanel, sideBets } from "./lab/panels.js";
import { announce, copyLink, fullest, reader, refusals, shortNames } from "./parts.js";

const SETTLED = 500;
const TURNING = 120;
const AGAIN = 2000;

/** @param {import("../app.js").Context} context */
export default function room({ client }) {
  const lab = new Lab(client);
  lab.start();
  return { element: lab.element, leave: () => lab.leave() };
}

class Lab {
  /** @type {api.RulebookEntry[]} */
  books = [];
  /** @type {Map<string, string>} */
  names = new Map();
  /** @type {Record<string, string>} */
  set = {};
  rulebook = "";
  other = "";
  hand = "";
  lastChange = "";
  preparing = "";
  closed = false;
  stale = false;
  rough = false;
  requests = 0;
  timer = 0;
  saying = 0;
  /** @type {unknown} */
  refused = null;
  /** @type {api.Lab | null} The changed game. */
  now = null;
  /** @type {api.Lab | null} The game to compare with. */
  base = null;
  /** @type {api.LabOutcomes | null} */
  outcomes = null;
  /** @type {api.LabOutcomes | null} */
  outcomesBase = null;
  /** @type {api.LabWagers | null} */
  wagers = null;

  /** @type {api.LabWagers | null} */
  wagersBase = null;
  /** @type {api.LabStrategy | null} Best play after the flop and after the river. */
  strategy = null;
  /** The street whose best play is shown; empty before the flop. */
  street = "";

  /** @param {import("../api_client.js").ApiClient} client */
  constructor(client) {
    this.client = client;
    this.read(new URLSearchParams(location.search));
    this.controls = new Controls((key, value) => this.turn(key, value), () => this.back());
    this.main = h("div", { class: "bench" });
    this.element = h("div", { class: "lab" }, this.controls.element, this.main);
    this.element.append(reader(this.element, client));
    this.element.addEventListener("pick", (event) => {
      this.hand = /** @type {CustomEvent<string>} */ (event).detail;
      this.paint();
    });
  }

  leave() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.saying);
  }

  /**
   * Read the rulebook and the changes from the address.
   *
   * @param {URLSearchParams} address
   */
  read(address) {
    this.rulebook = address.get("rulebook") ?? "";
    this.other = address.get("with") ?? "";
    this.hand = address.get("hand") ?? "";
    this.set = Object.fromEntries(address.getAll("set").map((change) => {
      const at = change.indexOf("=");
      return [change.slice(0, at), change.slice(at + 1)];
    }));
  }

  get changes() {
    return Object.entries(this.set).map(([key, value]) => ["set", `${key}=${value}`]);
  }

  /** Write the rulebook and the changes to the address. */
  write() {
    const query = new URLSearchParams([["rulebook", this.rulebook], ...this.changes,
      ...(this.other ? [["with", this.other]] : [])]);
    history.replaceState(null, "", `/lab?${query}`);
  }

  async start() {
    this.paint();
    try {
      this.books = (await this.client.get("/api/rulebooks")).rulebooks;
    } catch (refused) {
      this.refused = refused;
      this.paint();
      return;
    }
    this.names = shortNames(this.books);
    this.rulebook ||= fullest(this.books).id;
    this.solve();
  }

  // --- changes ---

  /**
   * @param {string} key
   * @param {string} value
   */
  turn(key, value) {
    const control = this.now?.controls.find((one) => one.key === key);
    if (!control) return;
    if (value === control.book) delete this.set[key];
    else this.set[key] = value;
    control.value = value;
    this.lastChange = `${control.title} ${value}`;
    this.changed();
  }

  back() {
    this.set = {};
    for (const control of this.now?.controls ?? []) control.value = control.book;
    this.lastChange = "As in the rulebook";
    this.changed();
  }

  /** @param {string} rulebook */
  take(rulebook) {
    Object.assign(this, { rulebook, set: {}, now: null, base: null, outcomes: null, outcomesBase: null,
      wagers: null, wagersBase: null, strategy: null, lastChange: "" });
    this.changed();
  }

  /** @param {string} other */
  compare(other) {
    Object.assign(this, { other, base: null, outcomesBase: null, wagersBase: null });
    this.changed();
  }

  changed() {
    this.write();
    this.stale = true;
    this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.solve(), TURNING);
  }

  /** @param {string} street */
  show(street) {
    this.street = street;
    this.paint();
    if (street && !this.strategy && !this.stale) this.solveStreets();
  }

  // --- requests ---

  /** Get the best play after the flop and after the river, if it is shown. */
  async solveStreets() {
    const id = this.requests;
    try {
      const strategy = await this.client.post("/api/lab/strategy", { rulebook: this.rulebook, set: { ...this.set } });
      if (this.closed || id !== this.requests) return;
      if (strategy.ready) this.strategy = strategy;
      else setTimeout(() => id === this.requests && !this.closed && this.solveStreets(), AGAIN);
    } catch (refused) {
      if (this.closed || id !== this.requests) return;
      this.refused = refused;
    }
    this.paint();
  }

  /** Solve the changed game and the base game: value and best play first, then the rest. */
  async solve() {
    const id = (this.requests += 1);
    const current = () => !this.closed && id === this.requests;
    const request = { rulebook: this.rulebook, set: { ...this.set } };
    const baseRequest = { rulebook: this.other || this.rulebook, set: {} };
    const changed = Boolean(this.other || this.changes.length);
    Object.assign(this, { stale: true, rough: true, refused: null, strategy: null });
    this.paint();
    try {
      const now = await this.client.post("/api/lab", request);
      if (!current()) return;
      if (!now.ready) {
        this.preparing = now.sentence;
        this.paint();
        this.timer = setTimeout(() => this.solve(), AGAIN);
        return;
      }
      Object.assign(this, { now, stale: false });
      this.paint();
      const base = await this.client.post("/api/lab", baseRequest);
      if (!current()) return;
      if (!base.ready) {
        this.preparing = base.sentence;
        this.paint();
        this.timer = setTimeout(() => this.solve(), AGAIN);
        return;
      }
      Object.assign(this, { base, preparing: "" });
      this.paint();
      this.announceEdge();
      if (!now.grid.length) return;
      const outcomes = await this.client.post("/api/lab/outcomes", request);
      if (!current()) return;
      Object.assign(this, { outcomes, outcomesBase: null, rough: false });
      this.paint();
      const outcomesBase = base.grid.length ? await this.client.post("/api/lab/outcomes", baseRequest) : null;
      if (!current()) return;
      this.outcomesBase = outcomesBase;
      this.paint();
      const wagers = await this.client.post("/api/lab/wagers", request);
      if (!current()) return;
      this.wagers = wagers;
      this.paint();
      const wagersBase = changed && base.grid.length ? await this.client.post("/api/lab/wagers", baseRequest) : null;
      if (!current()) return;
      this.wagersBase = wagersBase;
      if (this.street) await this.solveStreets();
    } catch (refused) {
      if (!current()) return;
      Object.assign(this, { refused, stale: false });
    }
    this.paint();
  }

  announceEdge() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.now && announce(
      `${this.lastChange ? `${this.lastChange}. ` : ""}Edge per ante ${edgeText(this.now.edge.ante)}.`), SETTLED);
  }

  // --- rendering ---

  paint() {
    this.controls.paint(this.now?.controls ?? [],
      { rulebook: this.rulebook, count: Object.keys(this.set).length });
    morph(this.main, [this.head(), ...refusals(this.refused),
      this.preparing && h("hw-notice", { head: "The solver is starting.", text: this.preparing,
        kind: "waiting" }),
      ...(this.now ? this.panels(this.now) : [!this.refused && !this.preparing
        && h("p", { class: "quiet" }, "Solving the game…")])].filter(Boolean));
  }

  head() {
    const books = this.books.map(({ id }) =>
      /** @type {[string, string]} */ ([id, `${this.names.get(id)}, ${id}`]));
    /** @type {[string, string][]} */
    const others = [["", "compare with the rulebook"], ...books.filter(([id]) => id !== this.rulebook)
      .map(([id]) => /** @type {[string, string]} */ ([id, `compare with ${this.names.get(id)}`]))];
    const deals = this.now?.deals && BigInt(this.now.deals);
    const sheet = new URLSearchParams(this.changes);
    return h("header", { "data-key": "head" }, h("h1", {}, "Lab"),
      h("div", { class: "picks" }, select("Rulebook", books, this.rulebook, (id) => this.take(id)),
        select("Compare with", others, this.other, (id) => this.compare(id))),
      this.now && h("p", { class: "quiet small" }, this.stale ? "solving…"
        : deals ? `exact, ${deals.toLocaleString("en-US")} deals in ${this.now.seconds.toFixed(1)} s`
          : this.now.sentence),
      h("div", { class: "acts" }, copyLink(), this.rulebook && h("a", { class: "button", download: "",
        href: `/api/sheet/${encodeURIComponent(this.rulebook)}${this.changes.length ? `?${sheet}` : ""}` },
          "Download the par sheet"),
      h("button", { type: "button", class: "button to-controls", onclick: () => this.controls.show() },
        "Change the game")));
  }

  /** @param {api.Lab} now */
  panels(now) {
    const { base, outcomes, outcomesBase } = this;
    const named = this.other || "rulebook";
    const same = !this.other && !this.changes.length;
    const baseRequest = same ? null : outcomesBase;
    const shared = { stale: this.stale, rough: this.rough, named, same };
    return [
      figures({ now, base: same ? null : base, outcomes, outcomesBase: baseRequest, ...shared }),
      now.grid.length > 0 && h("div", { class: "panels", "data-key": "panels" },
        h("div", {}, outcomesPanel({ outcomes, base: baseRequest, ...shared }),
          actionsPanel({ outcomes, base: baseRequest, ...shared }),
          this.wagers && sideBets(this.wagers, { base: same ? null : this.wagersBase, named })),
        bestPlay({ now, base: same ? null : base, hand: this.hand, ...shared, street: this.street,
          strategy: this.strategy, show: (street) => this.show(street) })),
      h("p", { class: "quiet small", "data-key": "edge" }, now.edge.ante > 0
        ? `The house has the edge: even with best play, you lose ${percent(now.edge.ante)} of the ante on average.`
        : "With these changes and best play, the player has the edge."),
    ].filter(Boolean);
  }
}
