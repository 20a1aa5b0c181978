// The form that opens a table: every choice on it is one the rulebook leaves open.

import { onlyHere } from "../../here.js";
import { h, morph } from "../../kit/dom.js";
import { listed, numberSaid, titled } from "../../kit/words.js";
import { refusals, segmented, select } from "../parts.js";

const MODES = { device: "by device", manual: "by hand" };
const STYLES = { best: "best play" };
const CLOCKS = [[15, "15 s"], [30, "30 s"], [60, "60 s"], [0, "none"]];
const PACES = ["brisk", "normal", "unhurried"].map((pace) => [pace, pace]);
const DEALERS = [["machine", "the house"], ["person", "a person in the chair"]];
/** The bots a table is opened with unless one says otherwise. */
export const BOTS = ["best", "practical", "beginner"];
const ABREAST = 4;

const styleSaid = (style) => STYLES[style] ?? style;
const few = (names) => names.length <= ABREAST && names.every((name) => name.length <= 2);
const whole = (dollars) => dollars.replace(/\.00$/, "");

/** How a table is opened unless one says otherwise: in a mode that has every side bet, at a small limit. */
export function usual(options) {
  const [wager] = Object.keys(options.limits);
  const { min, max, minima } = options.limits[wager];
  return {
    mode: options.modes.find((mode) => options.side_bets.every(({ modes }) => modes.includes(mode)))
      ?? options.modes[0],
    limits: { [wager]: { min: whole(min ?? minima.at(-1) ?? "5"), max: whole(max ?? "100") } },
  };
}

/** What is sent for an example that stands for a house setting: text for money, numbers for counts. */
function given(kind, text) {
  if (kind === "flag") return text === "true";
  return kind === "count" || kind === "percent" ? Number(text) : text;
}

export class OpenForm {
  /** `opened(wish)` asks the house for a table; `taken(book)` hears which rulebook is chosen. */
  constructor({ house, books, names, styles, opened, taken }) {
    Object.assign(this, { house, books, names, styles, opened, taken });
    this.element = h("form", { class: "open-form", "aria-label": "Open a table", onsubmit: (event) => {
      event.preventDefault();
      this.send();
    } });
    this.chosen = { name: "", bots: [...BOTS], clock: 30, pace: "normal", dealer: "machine" };
  }

  /** Take a rulebook; what it leaves open fills the form. */
  async take(rulebook, known = null) {
    this.rulebook = rulebook;
    this.refused = null;
    this.sending = !known;
    this.paint();
    let found = known;
    try {
      found ??= await this.house.get(`/api/rulebooks/${encodeURIComponent(rulebook)}`);
    } catch (refused) {
      this.refused = refused;
      this.options = null;
      this.paint();
      return;
    }
    if (this.rulebook !== rulebook) return;
    this.sending = false;
    this.options = found.options;
    this.taken(found);
    const { mode, limits } = usual(this.options);
    Object.assign(this.chosen, {
      mode,
      limits: { ...Object.fromEntries(Object.keys(this.options.limits).map((wager) =>
        [wager, { min: "", max: "" }])), ...limits },
      out: new Set(),
      tables: Object.fromEntries(Object.entries(this.options.tables).map(([kind, tables]) =>
        [kind, this.options.in_use[kind] ?? tables[0]])),
      house: Object.fromEntries(this.options.house.map((setting) =>
        [setting.name, setting.example ?? setting.default ?? ""])),
    });
    this.paint();
  }

  set(changes) {
    Object.assign(this.chosen, changes);
    this.paint();
  }

  paint() {
    const choices = this.books.map(({ id }) => [id, `${this.names.get(id)}, ${id}`]);
    morph(this.element, [
      h("h2", {}, "Open a table"),
      h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"),
        select("Rulebook", choices, this.rulebook, (id) => this.take(id))),
      ...(this.options ? this.fields()
        : [h("p", { class: "quiet" }, this.refused ? "" : "Reading the rulebook.")]),
      ...refusals(this.refused),
    ]);
  }

  fields() {
    const { chosen, options } = this;
    const field = (title, ...rest) => h("div", { class: "field", "data-key": title },
      h("span", { class: "label" }, title), rest);
    return [
      options.modes.length > 1 && field("Cards are dealt", segmented("Cards are dealt",
        options.modes.toSorted().map((mode) => [mode, MODES[mode] ?? mode]), chosen.mode,
          (mode) => this.set({ mode }))),
      field("Limits", this.limit(Object.keys(options.limits)[0])),
      options.side_bets.length > 0 && field("Side bets", options.side_bets.map((bet) => this.sideBet(bet))),
      field("Bots", this.bots()),
      field("Time to act", segmented("Time to act", CLOCKS, chosen.clock, (clock) => this.set({ clock }))),
      field("Dealer", segmented("Dealer", DEALERS, chosen.dealer, (dealer) => this.set({ dealer }))),
      this.more(field),
      h("button", { class: "button main", disabled: this.sending }, "Open the table"),
      h("p", { class: "quiet small" }, `${this.comes()} The table gets a link you can share. ${onlyHere()
        || "Friends on this network join with it."}`),
    ].filter(Boolean);
  }

  /** Where one comes to when the table is open. */
  comes() {
    if (this.chosen.dealer !== "machine") return "You come to the dealer's chair.";
    return this.chosen.bots.length < this.options.positions
      ? "You sit down at it at once, and may watch instead." : "Bots have all its seats: you watch.";
  }

  title(wager) {
    return this.options.side_bets.find((bet) => bet.wager === wager)?.title ?? wager;
  }

  limit(wager) {
    const limits = this.chosen.limits[wager];
    const minima = this.options.limits[wager].minima ?? [];
    const input = (end, words) => h("label", { class: "amount-field" }, h("span", {}, words),
      h("span", { "aria-hidden": "true" }, "$"),
      h("input", { inputmode: "decimal", value: limits[end], "aria-label": `${words}, in dollars`,
        oninput: (event) => { limits[end] = event.target.value.trim(); } }));
    const from = minima.length
      ? segmented("Minimum", minima.map((least) => [whole(least), `from $${whole(least)}`]), limits.min,
        (min) => {
        limits.min = min;
        this.paint();
      })
      : input("min", "from");
    return h("div", { class: "pair", "data-key": this.rulebook }, from, input("max", "to"));
  }

  sideBet({ wager, title, modes }) {
    const { chosen, options } = this;
    const apart = modes?.length && !modes.includes(chosen.mode);
    const on = !chosen.out.has(wager) && !apart;
    const tables = options.tables[wager] ?? [];
    const choose = (table) => this.set({ tables: { ...chosen.tables, [wager]: table } });
    const choice = few(tables) ? segmented : select;
    return h("div", { class: "side-bet", "data-key": wager },
      h("label", { class: "switch" },
        h("input", { type: "checkbox", role: "switch", ".checked": on, disabled: apart, onchange: () => {
          if (on) chosen.out.add(wager);
          else chosen.out.delete(wager);
          this.paint();
        } }), title),
      apart || (on && tables.length < 2 && modes?.length && modes.length < options.modes.length)
        ? h("span", { class: "quiet small" }, `${modes.map((mode) => MODES[mode] ?? mode).join(", ")} only`)
        : on && tables.length > 1 && choice(`${title} pay table`, tables.map((table) => [table, table]),
          chosen.tables[wager], choose));
  }

  bots() {
    const { bots } = this.chosen;
    if (!this.changing) {
      const said = bots.length ? `${titled(numberSaid(bots.length))}: ${listed(bots.map(styleSaid))}`
        : "None";
      return h("div", { class: "row" }, h("span", {}, said),
        h("button", { type: "button", class: "button text",
        onclick: () => { this.changing = true; this.paint(); } }, "Change"));
    }
    const change = (n, ...style) => this.set({ bots: bots.toSpliced(n, 1, ...style) });
    return h("div", { class: "bots" }, bots.map((bot, n) => h("div", { class: "row" },
      select(`Bot ${n + 1}`, this.styles.map((style) => [style, styleSaid(style)]), bot,
        (style) => change(n, style)),
      h("button", { type: "button", class: "button text", "aria-label": `Take bot ${n + 1} away`,
        onclick: () => change(n) }, "Remove"))),
    bots.length < this.options.positions && h("button", { type: "button", class: "button text",
      onclick: () => this.set({ bots: [...bots, this.styles[0]] }) }, "Add a bot"));
  }

  /** What few change: name, pace, limits of side bets and what the rulebook leaves to the house. */
  more(field) {
    const { chosen, options } = this;
    const due = options.house.filter(({ wager }) => !wager || !chosen.out.has(wager));
    const limited = Object.keys(options.limits).slice(1).filter((wager) => !chosen.out.has(wager));
    return h("details", { class: "house-settings" }, h("summary", {}, "Name, pace and what else is open"),
      h("label", { class: "field" }, h("span", { class: "label" }, "Name, if you like"),
        h("input", { maxlength: 40, autocomplete: "off",
          oninput: (event) => { chosen.name = event.target.value; } })),
      field("Pace", segmented("Pace", PACES, chosen.pace, (pace) => this.set({ pace }))),
      limited.map((wager) => h("div", { class: "field", "data-key": `limits ${wager}` },
        h("span", { class: "label" }, `Limits of ${this.title(wager)}`), this.limit(wager))),
      due.map((setting) => h("div", { class: "field", "data-key": setting.name },
        h("span", { class: "label" }, setting.about), this.setting(setting, chosen.house))));
  }

  setting({ name, kind, choices, low, high, about }, values) {
    const keep = (value) => { values[name] = value; };
    if (kind === "choice") return select(about, choices.map((choice) => [choice, choice]), values[name],
      keep);
    if (kind === "flag") return select(about, [["true", "yes"], ["false", "no"]], String(values[name]),
      (text) => keep(given(kind, text)));
    if (typeof values[name] === "object" && values[name] !== null) {
      return Object.keys(values[name]).map((part) =>
        h("label", { class: "amount-field" }, h("span", {}, part), "$",
        h("input", { inputmode: "decimal", value: values[name][part],
          oninput: (event) => { values[name] = { ...values[name], [part]: event.target.value }; } })));
    }
    const number = kind === "count" || kind === "percent";
    return h("input", { type: number ? "number" : "text", min: low, max: high, value: values[name],
      "aria-label": about,
      oninput: (event) => keep(given(kind, event.target.value)) });
  }

  /** What is asked of the house. */
  wish() {
    const { name, mode, tables, limits, house, out, bots, clock, pace, dealer } = this.chosen;
    const without = (wager) => out.has(wager);
    const settings = this.options.house
      .filter((setting) => !(setting.wager && without(setting.wager)) && house[setting.name] !== "");
    return {
      rulebook: this.rulebook, name, mode, clock, pace, dealer, leave_out: [...out],
      tables: Object.fromEntries(Object.entries(tables).filter(([kind]) => !without(kind))),
      limits: Object.fromEntries(Object.entries(limits).filter(([wager, { min, max }]) => !without(wager)
        && (min || max))
        .map(([wager, ends]) => [wager,
          Object.fromEntries(Object.entries(ends).filter(([, end]) => end))])),
      house: Object.fromEntries(settings.map((setting) => [setting.name, house[setting.name]])),
      bots: bots.map((style) => ({ style })),
    };
  }

  async send() {
    this.sending = true;
    this.refused = null;
    this.paint();
    try {
      await this.opened(this.wish());
    } catch (refused) {
      this.refused = refused;
    }
    this.sending = false;
    this.paint();
  }
}
