// The lab: turn one payout and the whole game is solved again, exactly.

import { h, morph } from "../kit/dom.js";
import { Controls } from "./lab/controls.js";
import { figures, percent, sided } from "./lab/figures.js";
import { grid, outcomes, played, sideBets } from "./lab/panels.js";
import { announce, copyLink, fullest, reader, refusals, select, shortNames } from "./parts.js";

const SETTLED = 500;
const TURNING = 120;
const AGAIN = 2000;

export default function room({ house }) {
  const lab = new Lab(house);
  lab.start();
  return { element: lab.element, leave: () => lab.leave() };
}

class Lab {
  constructor(house) {
    this.house = house;
    this.books = [];
    this.hand = "";
    this.read(new URLSearchParams(location.search));
    this.controls = new Controls((key, value) => this.turn(key, value), () => this.back());
    this.main = h("div", { class: "bench" });
    this.element = h("div", { class: "lab" }, this.controls.element, this.main);
    this.element.append(reader(this.element, house));
    this.element.addEventListener("pick", ({ detail }) => {
      this.hand = detail;
      this.paint();
    });
  }

  leave() {
    this.gone = true;
    clearTimeout(this.timer);
    clearTimeout(this.saying);
  }

  /** The setting, from the address and into it. */
  read(address) {
    this.rulebook = address.get("rulebook");
    this.other = address.get("with") ?? "";
    this.set = Object.fromEntries(address.getAll("set").map((change) => {
      const at = change.indexOf("=");
      return [change.slice(0, at), change.slice(at + 1)];
    }));
  }

  get changes() {
    return Object.entries(this.set).map(([key, value]) => ["set", `${key}=${value}`]);
  }

  write() {
    const query = new URLSearchParams([["rulebook", this.rulebook], ...this.changes,
      ...(this.other ? [["with", this.other]] : [])]);
    history.replaceState(null, "", `/lab?${query}`);
  }

  async start() {
    this.paint();
    try {
      this.books = (await this.house.get("/api/rulebooks")).rulebooks;
    } catch (refused) {
      this.refused = refused;
      this.paint();
      return;
    }
    this.names = shortNames(this.books);
    this.rulebook ??= fullest(this.books).id;
    this.solve();
  }

  // --- what is turned ---

  turn(key, value) {
    const control = this.now.controls.find((one) => one.key === key);
    if (value === control.book) delete this.set[key];
    else this.set[key] = value;
    control.value = value;
    this.said = `${control.title} ${value}`;
    this.changed();
  }

  back() {
    this.set = {};
    for (const control of this.now.controls) control.value = control.book;
    this.said = "As in the rulebook";
    this.changed();
  }

  take(rulebook) {
    Object.assign(this, { rulebook, set: {}, now: null, base: null, found: null, foundBase: null,
      wagers: null, said: "" });
    this.changed();
  }

  compare(other) {
    Object.assign(this, { other, base: null });
    this.changed();
  }

  changed() {
    this.write();
    this.stale = true;
    this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.solve(), TURNING);
  }

  // --- what is asked ---

  /** Solve the setting and what it is compared with: value and best play first, then the rest. */
  async solve() {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const current = () => !this.gone && mine === this.asked;
    const wish = { rulebook: this.rulebook, set: { ...this.set } };
    const beside = { rulebook: this.other || this.rulebook, set: {} };
    Object.assign(this, { stale: true, rough: true, refused: null });
    this.paint();
    try {
      const now = await this.house.post("/api/lab", wish);
      if (!current()) return;
      if (!now.ready) {
        this.preparing = now.sentence;
        this.paint();
        this.timer = setTimeout(() => this.solve(), AGAIN);
        return;
      }
      Object.assign(this, { now, preparing: "", stale: false });
      this.paint();
      const base = await this.house.post("/api/lab", beside);
      if (!current()) return;
      this.base = base;
      this.paint();
      this.tell();
      if (!now.grid.length) return;
      const found = await this.house.post("/api/lab/outcomes", wish);
      if (!current()) return;
      Object.assign(this, { found, foundBase: null, rough: false });
      this.paint();
      const foundBase = base.grid.length ? await this.house.post("/api/lab/outcomes", beside) : null;
      if (!current()) return;
      this.foundBase = foundBase;
      this.paint();
      const wagers = await this.house.post("/api/lab/wagers", wish);
      if (!current()) return;
      this.wagers = wagers;
    } catch (refused) {
      if (!current()) return;
      Object.assign(this, { refused, stale: false });
    }
    this.paint();
  }

  tell() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => announce(
      `${this.said ? `${this.said}. ` : ""}Edge per ante ${sided(this.now.edge.ante)}.`), SETTLED);
  }

  // --- what is shown ---

  paint() {
    this.controls.paint(this.now?.controls ?? [],
      { rulebook: this.rulebook, count: Object.keys(this.set).length });
    morph(this.main, [this.head(), ...refusals(this.refused),
      this.preparing && h("hw-notice", { head: "The solver is getting ready.", text: this.preparing,
        kind: "waiting" }),
      ...(this.now ? this.panels() : [!this.refused && !this.preparing
        && h("p", { class: "quiet" }, "Solving the game.")])].filter(Boolean));
  }

  head() {
    const books = this.books.map(({ id }) => [id, `${this.names.get(id)}, ${id}`]);
    const others = [["", "compare with the rulebook"], ...books.filter(([id]) => id !== this.rulebook)
      .map(([id]) => [id, `compare with ${this.names.get(id)}`])];
    const deals = this.now?.deals && BigInt(this.now.deals);
    const sheet = new URLSearchParams(this.changes);
    return h("header", { "data-key": "head" }, h("h1", {}, "Lab"),
      h("div", { class: "picks" }, select("Rulebook", books, this.rulebook, (id) => this.take(id)),
        select("Compare with", others, this.other, (id) => this.compare(id))),
      this.now && h("p", { class: "quiet small" }, this.stale ? "solving"
        : deals ? `exact, ${deals.toLocaleString("en-US")} deals in ${this.now.seconds.toFixed(1)} s`
          : this.now.sentence),
      h("div", { class: "acts" }, copyLink(), this.rulebook && h("a", { class: "button", download: "",
        href: `/api/sheet/${encodeURIComponent(this.rulebook)}${this.changes.length ? `?${sheet}` : ""}` },
          "Par sheet"),
      h("button", { type: "button", class: "button to-controls", onclick: () => this.controls.show() },
        "Change the game")));
  }

  panels() {
    const { now, base, found, foundBase } = this;
    const named = this.other || "rulebook";
    const same = !this.other && !this.changes.length;
    const told = { stale: this.stale, rough: this.rough, named, same };
    return [
      figures({ now, base: same ? null : base, found, foundBase: same ? null : foundBase, ...told }),
      now.grid.length > 0 && h("div", { class: "panels", "data-key": "panels" },
        h("div", {}, outcomes({ found, base: same ? null : foundBase, ...told }),
          played({ found, base: same ? null : foundBase, ...told }),
          this.wagers && sideBets(this.wagers)),
        grid({ now, base: same ? null : base, hand: this.hand, ...told })),
      h("p", { class: "quiet small", "data-key": "edge" }, now.edge.ante > 0
        ? `The house has the edge: at best play it keeps ${percent(now.edge.ante)} of the ante on average.`
        : "With this setting the player has the edge, at best play."),
    ].filter(Boolean);
  }
}
