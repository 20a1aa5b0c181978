// Reports of irregularities by the dealer or the floor supervisor, and the floor supervisor's rulings.

import { h } from "../../kit/dom.js";
import { select } from "../../kit/choices.js";
import { seatOf } from "../../kit/places.js";
import { asTitle } from "../../kit/words.js";

/** @typedef {import("../table.js").TableRoom} TableRoom */
/** @typedef {Event & { target: HTMLInputElement }} InputEvent */

const REPORT = "report";
const RULING = "ruling";
const AMOUNT = "Amount in dollars (negative if the player pays it back)";

export class Reports {
  /** The report in the form. */
  kind = "";
  place = "";
  which = 0;
  /** @type {Record<string, string | boolean>} Further fields of the report, such as a device's card count. */
  more = {};
  /** The ruling in the form. */
  effect = "";
  seat = 0;
  hand = 1;
  wager = "";
  amount = "";
  reason = "";

  /**
   * `send` sends a command, shows a refusal, and returns true if the command was accepted.
   *
   * @param {{ changed: () => void, send: (command: Record<string, any>) => Promise<boolean> }} options
   */
  constructor({ changed, send }) {
    this.changed = changed;
    this.send = send;
  }

  /**
   * Create the buttons that open the forms; null for a viewer who can neither report nor rule.
   *
   * @param {api.View} view
   */
  buttons({ yours: { reports = [], rulings = [] } }) {
    if (!reports.length && !rulings.length) return null;
    /** @type {(box: string, words: string) => HTMLElement} */
    const button = (box, words) => h("button", { type: "button", class: "link", "data-key": box,
      popovertarget: box, "aria-haspopup": "dialog" }, words);
    return h("div", { class: "staff", "data-key": "staff" },
      reports.length > 0 && button(REPORT, "Report…"), rulings.length > 0 && button(RULING, "Ruling…"));
  }

  /**
   * Create the forms.
   *
   * @param {TableRoom} room
   */
  boxes(room) {
    const { reports = [], rulings = [] } = room.view.yours;
    return [reports.length > 0 && this.reportBox(reports, room), rulings.length > 0 && this.rulingBox(rulings, room)];
  }

  /**
   * @param {api.ReportOption[]} reports
   * @param {TableRoom} room
   */
  reportBox(reports, { names }) {
    const option = reports.find(({ kind }) => kind === this.kind) ?? reports[0];
    const places = option.places ?? [];
    const place = places.find((one) => one.place === this.place) ?? places[0];
    const numbers = place?.cards ?? [];
    const which = numbers.includes(this.which) ? this.which : 0;
    /** @param {string} at */
    const placeName = (at) => [asTitle(at), names.get(seatOf(at))].filter(Boolean).join(": ");
    return box(REPORT, "Report an irregularity", "Report", () => this.report(option, place?.place ?? "", which), [
      field("Irregularity", this.choose("kind", "Irregularity", reports.map(({ kind, means }) =>
        [kind, `${asTitle(kind)}: ${means}`]), option.kind)),
      places.length > 0 && field("Place", this.choose("place", "Place", places.map((one) =>
        [one.place, placeName(one.place)]), place?.place)),
      numbers.length > 0 && field("Card, in the order dealt", select("Card, in the order dealt",
        [["0", "The card dealt last"], ...numbers.map((n) => /** @type {[string, string]} */ ([String(n), `Card ${n}`]))],
        String(which), (value) => this.set({ which: Number(value) }))),
      Object.entries(option.asks ?? {}).map(([name, label]) => this.ask(name, label)),
    ]);
  }

  /**
   * Create the control for a further field of a report.
   *
   * @param {string} name
   * @param {string} label
   */
  ask(name, label) {
    if (name === "seen") {
      return h("label", { class: "switch", "data-key": name },
        h("input", { type: "checkbox", ".checked": this.more.seen === true,
          onchange: (/** @type {InputEvent} */ { target }) => { this.more.seen = target.checked; } }),
        h("span", {}, label));
    }
    return field(label, h("input", { "aria-label": label, inputmode: name === "count" ? "numeric" : "text",
      ".value": String(this.more[name] ?? ""),
      oninput: (/** @type {InputEvent} */ { target }) => { this.more[name] = target.value; } }));
  }

  /**
   * @param {api.RulingOption[]} rulings
   * @param {TableRoom} room
   */
  rulingBox(rulings, { view, sheet, names }) {
    const option = rulings.find(({ effect }) => effect === this.effect) ?? rulings[0];
    const asks = new Set(option.asks ?? []);
    const taken = Object.entries(view.table.seats ?? {});
    const [seat, { hands = {} } = {}] = taken.find(([n]) => Number(n) === this.seat) ?? taken[0] ?? ["0"];
    const two = Object.keys(hands).length > 1;
    const wager = sheet.circles.find((circle) => circle.wager === this.wager)?.wager ?? sheet.circles[0]?.wager ?? "";
    const ruling = { effect: option.effect, ...(asks.has("seat") ? { seat: Number(seat), hand: two ? this.hand : 1 } : {}),
      ...(asks.has("wager") ? { wager } : {}) };
    return box(RULING, "Make a ruling", "Make the ruling", () => this.rule(ruling, asks.has("amount")), [
      field("Effect", this.choose("effect", "Effect", rulings.map(({ effect, means }) =>
        [effect, `${asTitle(effect)}: ${means}`]), option.effect)),
      asks.has("seat") && field("Seat", select("Seat", taken.map(([n]) => /** @type {[string, string]} */ (
        [n, [`Seat ${n}`, names.get(Number(n))].filter(Boolean).join(": ")])), seat,
      (value) => this.set({ seat: Number(value), hand: 1 }))),
      asks.has("seat") && two && field("Hand", select("Hand", Object.keys(hands).map((n) =>
        /** @type {[string, string]} */ ([n, `Hand ${n}`])), String(this.hand), (value) => this.set({ hand: Number(value) }))),
      asks.has("wager") && field("Wager", this.choose("wager", "Wager", sheet.circles.map((circle) =>
        [circle.wager, asTitle(circle.title)]), wager)),
      asks.has("amount") && field(AMOUNT, this.text("amount", AMOUNT, "decimal")),
      field("Reason", this.text("reason", "Reason", "text")),
    ]);
  }

  /**
   * @param {"kind" | "place" | "effect" | "wager"} name
   * @param {string} label
   * @param {[string, string][]} choices
   * @param {string | undefined} chosen
   */
  choose(name, label, choices, chosen) {
    return select(label, choices, chosen, (value) => this.set({ [name]: value }));
  }

  /** @type {(name: "amount" | "reason", label: string, mode: string) => HTMLElement} */
  text(name, label, mode) {
    return h("input", { "aria-label": label, inputmode: mode, ".value": this[name],
      oninput: (/** @type {InputEvent} */ { target }) => { this[name] = target.value; } });
  }

  /** @param {Partial<Pick<Reports, "kind" | "place" | "which" | "effect" | "seat" | "hand" | "wager">>} values */
  set(values) {
    Object.assign(this, values);
    this.changed();
  }

  /**
   * Send a report. It does not name the cards; the table fills them in.
   *
   * @param {api.ReportOption} option
   * @param {string} at
   * @param {number} which
   */
  async report({ kind, asks = {} }, at, which) {
    const { count, device, seen } = this.more;
    hide(REPORT);
    const sent = await this.send({ type: "Report", kind, ...(at ? { at } : {}), ...(which ? { which } : {}),
      ...("count" in asks && count ? { count: Math.trunc(Number(count)) || 0 } : {}),
      ...("device" in asks && device ? { device } : {}), ...("seen" in asks && seen ? { seen } : {}) });
    if (sent) this.more = {};
    this.set(sent ? { place: "", which: 0 } : {});
  }

  /**
   * Send a ruling; the server enters the supervisor's name.
   *
   * @param {Record<string, any>} ruling
   * @param {boolean} pays
   */
  async rule(ruling, pays) {
    hide(RULING);
    const cents = Math.round(Number(this.amount.replace("−", "-")) * 100) || 0;
    if (await this.send({ type: "MakeRuling", ...ruling, reason: this.reason, ...(pays ? { amount: cents } : {}) })) {
      this.reason = "";
      this.amount = "";
    }
    this.changed();
  }
}

/** @param {string} id */
function hide(id) {
  const open = document.getElementById(id);
  if (open?.matches(":popover-open")) open.hidePopover();
}

/** @type {(label: string, control: HTMLElement) => HTMLElement} */
const field = (label, control) => h("label", { class: "field", "data-key": label },
  h("span", { class: "label" }, label), control);

/**
 * Create a form in a box.
 *
 * @param {string} id
 * @param {string} title
 * @param {string} words
 * @param {() => void} submit
 * @param {Child[]} fields
 */
const box = (id, title, words, submit, fields) => h("div", { id, popover: "auto", class: "box staff-box",
  role: "dialog", "aria-label": title, "data-key": id },
h("h2", {}, title),
h("form", { onsubmit: (/** @type {Event} */ event) => {
  event.preventDefault();
  submit();
} }, fields, h("p", { class: "acts" }, h("button", { type: "submit", class: "button main" }, words),
  h("button", { type: "button", class: "button", popovertarget: id, popovertargetaction: "hide" }, "Close"))));
