// The record: rounds that were played, and each of them again, event by event.

import { h, morph } from "../kit/dom.js";
import { Replay } from "./record/replay.js";
import { roundsList, tablesList } from "./record/lists.js";
import { reader, refusals } from "./parts.js";

const MANY = 20;

/** @param {import("../app.js").Context} context */
export default function room({ house, params, setTop }) {
  const shown = params.round ? new Replay(house, params.table, Number(params.round), setTop)
    : new Rounds(house, new URLSearchParams(location.search).get("table"));
  shown.start();
  shown.element.append(reader(shown.element, house, params.table ?? ""));
  return { element: shown.element, leave: () => shown.leave() };
}

/** The tables on record, and the rounds of one. */
class Rounds {
  /** @type {api.TableCard[] | null} */
  tables = null;
  /** @type {api.RoundEntry[]} */
  rounds = [];
  more = false;
  gone = false;
  /** @type {unknown} */
  refused = null;

  /**
   * @param {import("../house.js").House} house
   * @param {string | null} table
   */
  constructor(house, table) {
    this.house = house;
    this.table = table ?? "";
    this.content = h("div", { class: "round-lists" });
    this.element = h("div", { class: "records" }, this.content);
  }

  leave() {
    this.gone = true;
  }

  async start() {
    try {
      // The house lists its tables as they were opened; here the newest comes first.
      this.tables = (await this.house.get("/api/tables")).tables.toReversed();
      this.table ||= this.tables?.[0]?.table ?? "";
      if (this.table) await this.take();
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
  }

  /** Take in the rounds before those known. */
  async take() {
    const last = this.rounds.at(-1);
    const before = last ? `&before=${last.number}` : "";
    const { rounds } = await this.house.get(
      `/api/tables/${encodeURIComponent(this.table)}/rounds?limit=${MANY}${before}`);
    this.rounds.push(...rounds);
    this.more = rounds.length === MANY;
    this.paint();
  }

  paint() {
    const now = this.tables?.find(({ table }) => table === this.table);
    morph(this.content, [
      h("h1", {}, "Record"),
      h("p", { class: "quiet" },
        "Replay any round, read it in sentences, and verify its shuffle in this browser."),
      ...refusals(this.refused),
      this.tables && !this.tables.length
        && h("p", { class: "empty box" }, "No table has been opened yet. ",
        h("a", { href: "/" }, "Take a seat")),
      this.tables && this.tables.length > 0 && h("div", { class: "shelves" }, tablesList(this.tables, this.table),
        roundsList(now, this.table, this.rounds, this.more && (() => this.take()))),
    ].filter(Boolean));
  }
}
