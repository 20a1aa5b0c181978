// The form that opens a table, with every option that the rulebook leaves to the house.

import { localLinkNote } from "../../local_link.js";
import { segmented, select } from "../../kit/choices.js";
import { h, morph } from "../../kit/dom.js";
import { joinWords, numberWord, asTitle } from "../../kit/words.js";
import { refusals } from "../parts.js";

/** @type {Record<string, string>} */
const MODES = { device: "by device", manual: "by hand" };
/** @type {Record<string, string>} */
const STYLES = { best: "best play" };
/** @type {[number, string][]} */
const CLOCKS = [[15, "15 s"], [30, "30 s"], [60, "60 s"], [0, "none"]];
/** @type {[string, string][]} */
const PACES = [["brisk", "fast"], ["normal", "normal"], ["unhurried", "slow"]];
/** @type {[string, string][]} */
const DEALERS = [["machine", "automatic"], ["person", "a person"]];
/** The label of the choice among `APPROVERS`, which is offered if a person deals. */
const APPROVER = "Who verifies decks and approves payments";
/** @type {[string, string][]} */
const APPROVERS = [["", "a floor supervisor, by name"], ["automatic", "automatic, noted in the record"]];
/** The number of bots at a new table. */
export const BOT_COUNT = 3;
/** Up to this many pay tables are shown as buttons side by side; more are shown as a list. */
const MOST_BUTTONS = 4;

/**
 * Return the styles of the bots at a new table: the first styles that the server lists.
 *
 * @param {string[]} styles
 */
export const defaultBots = (styles) => styles.slice(0, BOT_COUNT);

/** @param {string} style */
const styleName = (style) => STYLES[style] ?? style;
/** @param {string[]} names */
const fitButtons = (names) => names.length <= MOST_BUTTONS && names.every((name) => name.length <= 2);
/** @param {string} dollars */
const withoutCents = (dollars) => dollars.replace(/\.00$/, "");

/**
 * Return the defaults of a new table: a deal mode with every side bet, and low limits.
 *
 * @param {api.TableOptions} options
 */
export function defaultOrder(options) {
  const [wager] = Object.keys(options.limits);
  const { min, max, minima } = options.limits[wager];
  return {
    mode: options.modes.find((mode) => options.side_bets.every(({ modes }) => modes.includes(mode)))
      ?? options.modes[0],
    limits: { [wager]: { min: withoutCents(min ?? minima.at(-1) ?? "5"), max: withoutCents(max ?? "100") } },
  };
}

/**
 * Return the value to send for a house setting: text for money, numbers for counts.
 *
 * @param {string} kind
 * @param {string} text
 */
function settingValue(kind, text) {
  if (kind === "flag") return text === "true";
  return kind === "count" || kind === "percent" ? Number(text) : text;
}

/**
 * The values of the form.
 *
 * @typedef {{ name: string, mode: string, limits: Record<string, { min: string, max: string }>, out: Set<string>,
 *   tables: Record<string, string>, house: Record<string, any>, bots: string[], clock: number, pace: string,
 *   dealer: string, approves: string, link: string }} Chosen
 */

/** @typedef {InputEvent & { target: HTMLInputElement }} Typed */

export class OpenForm {
  rulebook = "";
  sending = false;
  changing = false;
  /** @type {unknown} */
  refused = null;
  /** @type {api.TableOptions | null} */
  options = null;

  /**
   * `submit(order)` opens the table; `rulebookChosen(book)` is called when a rulebook is chosen.
   *
   * @param {{ client: import("../../api_client.js").ApiClient, books: api.RulebookEntry[], names: Map<string, string>,
   *   styles: string[], submit: (order: api.OpenTable) => Promise<void>,
   *   rulebookChosen: (book: api.Rulebook) => void }} options
   */
  constructor({ client, books, names, styles, submit, rulebookChosen }) {
    this.client = client;
    this.books = books;
    this.names = names;
    this.styles = styles;
    this.submit = submit;
    this.rulebookChosen = rulebookChosen;
    this.element = h("form", { class: "open-form", "aria-label": "Open a table", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send();
    } });
    /** @type {Chosen} */
    this.chosen = { name: "", mode: "", limits: {}, out: new Set(), tables: {}, house: {}, bots: defaultBots(styles),
      clock: 30, pace: "normal", dealer: "machine", approves: "", link: "" };
  }

  /**
   * Choose a rulebook and fill the form with its options.
   *
   * @param {string} rulebook
   * @param {api.Rulebook | null} known
   */
  async take(rulebook, known = null) {
    this.rulebook = rulebook;
    this.refused = null;
    this.sending = !known;
    this.paint();
    /** @type {api.Rulebook} */
    let book;
    try {
      book = known ?? await this.client.get(`/api/rulebooks/${encodeURIComponent(rulebook)}`);
    } catch (refused) {
      this.refused = refused;
      this.options = null;
      this.paint();
      return;
    }
    if (this.rulebook !== rulebook) return;
    this.sending = false;
    const { options } = book;
    this.options = options;
    this.rulebookChosen(book);
    const { mode, limits } = defaultOrder(options);
    Object.assign(this.chosen, {
      mode,
      limits: { ...Object.fromEntries(Object.keys(options.limits).map((wager) =>
        [wager, { min: "", max: "" }])), ...limits },
      out: new Set(),
      tables: Object.fromEntries(Object.entries(options.tables).map(([kind, tables]) =>
        [kind, options.in_use[kind] ?? tables[0]])),
      house: Object.fromEntries(options.house.map((setting) =>
        [setting.name, setting.example ?? setting.default ?? ""])),
    });
    this.paint();
  }

  /** @param {Partial<Chosen>} changes */
  set(changes) {
    Object.assign(this.chosen, changes);
    this.paint();
  }

  paint() {
    const choices = this.books.map(({ id }) =>
      /** @type {[string, string]} */ ([id, `${this.names.get(id)}, ${id}`]));
    morph(this.element, [
      h("h2", {}, "Open a table"),
      h("label", { class: "field" }, h("span", { class: "label" }, "Rulebook"),
        select("Rulebook", choices, this.rulebook, (id) => this.take(id))),
      ...(this.options ? this.fields(this.options)
        : [h("p", { class: "quiet" }, this.refused ? "" : "Loading the rulebook…")]),
      ...refusals(this.refused),
    ]);
  }

  /** @param {api.TableOptions} options */
  fields(options) {
    const { chosen } = this;
    /** @type {(title: string, ...rest: Child[]) => HTMLElement} */
    const field = (title, ...rest) => h("div", { class: "field", "data-key": title },
      h("span", { class: "label" }, title), rest);
    return [
      options.modes.length > 1 && field("Cards are dealt", segmented("Cards are dealt",
        options.modes.toSorted().map((mode) => /** @type {[string, string]} */ ([mode, MODES[mode] ?? mode])),
        chosen.mode, (mode) => this.set({ mode }))),
      field("Limits", this.limit(Object.keys(options.limits)[0], options)),
      options.side_bets.length > 0 && field("Side bets", options.side_bets.map((bet) => this.sideBet(bet, options))),
      field("Bots", this.bots(options)),
      field("Time to act", segmented("Time to act", CLOCKS, chosen.clock, (clock) => this.set({ clock }))),
      field("Dealer", segmented("Dealer", DEALERS, chosen.dealer, (dealer) => this.set({ dealer }))),
      options.named_people && chosen.dealer !== "machine" && field(APPROVER,
        select(APPROVER, APPROVERS, chosen.approves, (approves) => this.set({ approves }))),
      this.more(field, options),
      h("button", { class: "button main", disabled: this.sending }, "Open the table"),
      h("p", { class: "quiet small" }, `${this.arrivalText(options)} You can share the table's link. ${localLinkNote()
        || "Friends on your network can use it to join."}`),
    ].filter(Boolean);
  }

  /**
   * Describe where the person goes when the table opens.
   *
   * @param {api.TableOptions} options
   */
  arrivalText({ positions }) {
    if (this.chosen.dealer !== "machine") return "You will be the dealer.";
    return this.chosen.bots.length < positions
      ? "You will get a seat, and you can switch to watching." : "Bots take every seat, so you will watch.";
  }

  /**
   * @param {string} wager
   * @param {api.TableOptions} options
   */
  title(wager, options) {
    return options.side_bets.find((bet) => bet.wager === wager)?.title ?? wager;
  }

  /**
   * @param {string} wager
   * @param {api.TableOptions} options
   */
  limit(wager, options) {
    const limits = this.chosen.limits[wager];
    const minima = options.limits[wager].minima ?? [];
    /** @type {(end: "min" | "max", words: string) => HTMLElement} */
    const input = (end, words) => h("label", { class: "amount-field" }, h("span", {}, words),
      h("span", { "aria-hidden": "true" }, "$"),
      h("input", { inputmode: "decimal", value: limits[end], "aria-label": `${words}, in dollars`,
        oninput: (/** @type {Typed} */ { target }) => { limits[end] = target.value.trim(); } }));
    const from = minima.length
      ? segmented("Minimum", minima.map((least) =>
        /** @type {[string, string]} */ ([withoutCents(least), `from $${withoutCents(least)}`])), limits.min,
        (min) => {
        limits.min = min;
        this.paint();
      })
      : input("min", "from");
    return h("div", { class: "pair", "data-key": this.rulebook }, from, input("max", "to"));
  }

  /**
   * @param {api.TableOptions["side_bets"][number]} bet
   * @param {api.TableOptions} options
   */
  sideBet({ wager, title, modes }, options) {
    const { chosen } = this;
    const unavailable = modes?.length && !modes.includes(chosen.mode);
    const on = !chosen.out.has(wager) && !unavailable;
    const tables = options.tables[wager] ?? [];
    /** @param {string} table */
    const choose = (table) => this.set({ tables: { ...chosen.tables, [wager]: table } });
    const choice = fitButtons(tables) ? segmented : select;
    return h("div", { class: "side-bet", "data-key": wager },
      h("label", { class: "switch" },
        h("input", { type: "checkbox", role: "switch", ".checked": on, disabled: unavailable, onchange: () => {
          if (on) chosen.out.add(wager);
          else chosen.out.delete(wager);
          this.paint();
        } }), title),
      unavailable || (on && tables.length < 2 && modes?.length && modes.length < options.modes.length)
        ? h("span", { class: "quiet small" }, `${modes.map((mode) => MODES[mode] ?? mode).join(", ")} only`)
        : on && tables.length > 1 && choice(`${title} pay table`, tables.map((table) => /** @type {[string, string]} */ ([table, table])),
          chosen.tables[wager], choose));
  }

  /** @param {api.TableOptions} options */
  bots({ positions }) {
    const { bots } = this.chosen;
    if (!this.changing) {
      const summary = bots.length ? `${asTitle(numberWord(bots.length))}: ${joinWords(bots.map(styleName))}`
        : "None";
      return h("div", { class: "row" }, h("span", {}, summary),
        h("button", { type: "button", class: "button text",
        onclick: () => { this.changing = true; this.paint(); } }, "Change"));
    }
    /** @type {(n: number, ...style: string[]) => void} */
    const change = (n, ...style) => this.set({ bots: bots.toSpliced(n, 1, ...style) });
    return h("div", { class: "bots" }, bots.map((bot, n) => h("div", { class: "row" },
      select(`Bot ${n + 1}`, this.styles.map((style) => /** @type {[string, string]} */ ([style, styleName(style)])), bot,
        (style) => change(n, style)),
      h("button", { type: "button", class: "button text", "aria-label": `Remove bot ${n + 1}`,
        onclick: () => change(n) }, "Remove"))),
    bots.length < positions && h("button", { type: "button", class: "button text",
      onclick: () => this.set({ bots: [...bots, this.styles[0]] }) }, "Add a bot"));
  }

  /**
   * Create the less common options: name, linked progressive, pace, side bet limits and house settings.
   *
   * @param {(title: string, ...rest: Child[]) => HTMLElement} field
   * @param {api.TableOptions} options
   */
  more(field, options) {
    const { chosen } = this;
    const due = options.house.filter(({ wager }) => !wager || !chosen.out.has(wager));
    const limited = Object.keys(options.limits).slice(1).filter((wager) => !chosen.out.has(wager));
    return h("details", { class: "house-settings" }, h("summary", {}, "Name, pace and other options"),
      h("label", { class: "field" }, h("span", { class: "label" }, "Table name (optional)"),
        h("input", { maxlength: 40, autocomplete: "off",
          oninput: (/** @type {Typed} */ { target }) => { chosen.name = target.value; } })),
      options.linked_games && !chosen.out.has("progressive") && h("label", { class: "field", "data-key": "link" },
        h("span", { class: "label" }, "Linked progressive (optional)"),
        h("input", { maxlength: 40, autocomplete: "off", placeholder: "name of the meter",
          oninput: (/** @type {Typed} */ { target }) => { chosen.link = target.value.trim(); } }),
        h("span", { class: "quiet small" }, "Tables that name the same meter share one progressive.")),
      field("Pace", segmented("Pace", PACES, chosen.pace, (pace) => this.set({ pace }))),
      limited.map((wager) => h("div", { class: "field", "data-key": `limits ${wager}` },
        h("span", { class: "label" }, `${asTitle(this.title(wager, options))} limits`), this.limit(wager, options))),
      due.map((setting) => h("div", { class: "field", "data-key": setting.name },
        h("span", { class: "label" }, setting.about), this.setting(setting, chosen.house))));
  }

  /**
   * @param {api.HouseSetting} setting
   * @param {Record<string, any>} values
   */
  setting({ name, kind, choices, low, high, about }, values) {
    /** @param {any} value */
    const keep = (value) => { values[name] = value; };
    if (kind === "choice") return select(about,
      choices.map((choice) => /** @type {[string, string]} */ ([choice, choice])), values[name], keep);
    if (kind === "flag") return select(about, [["true", "yes"], ["false", "no"]], String(values[name]),
      (text) => keep(settingValue(kind, text)));
    if (typeof values[name] === "object" && values[name] !== null) {
      return Object.keys(values[name]).map((part) =>
        h("label", { class: "amount-field" }, h("span", {}, part), "$",
        h("input", { inputmode: "decimal", value: values[name][part],
          oninput: (/** @type {Typed} */ { target }) => {
            values[name] = { ...values[name], [part]: target.value };
          } })));
    }
    const number = kind === "count" || kind === "percent";
    return h("input", { type: number ? "number" : "text", min: low, max: high, value: values[name],
      "aria-label": about,
      oninput: (/** @type {Typed} */ { target }) => keep(settingValue(kind, target.value)) });
  }

  /**
   * Return the request that opens the table.
   *
   * @param {api.TableOptions} options
   * @returns {api.OpenTable}
   */
  order(options) {
    const { name, mode, tables, limits, house, out, bots, clock, pace, dealer, approves, link } = this.chosen;
    const automatic = approves && options.named_people ? { auto_approve: approves === "automatic" } : {};
    /** @param {string} wager */
    const without = (wager) => out.has(wager);
    const settings = options.house
      .filter((setting) => !(setting.wager && without(setting.wager)) && house[setting.name] !== "");
    return /** @type {api.OpenTable} */ ({
      rulebook: this.rulebook, name, mode, clock, pace, dealer, leave_out: [...out],
      link: options.linked_games && !without("progressive") ? link : "",
      tables: Object.fromEntries(Object.entries(tables).filter(([kind]) => !without(kind))),
      limits: Object.fromEntries(Object.entries(limits).filter(([wager, { min, max }]) => !without(wager)
        && (min || max))
        .map(([wager, ends]) => [wager,
          Object.fromEntries(Object.entries(ends).filter(([, end]) => end))])),
      house: { ...automatic, ...Object.fromEntries(settings.map((setting) => [setting.name, house[setting.name]])) },
      bots: bots.map((style) => ({ style })),
    });
  }

  async send() {
    if (!this.options) return;
    this.sending = true;
    this.refused = null;
    this.paint();
    try {
      await this.submit(this.order(this.options));
    } catch (refused) {
      this.refused = refused;
    }
    this.sending = false;
    this.paint();
  }
}
