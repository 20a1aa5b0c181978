// The record room: the rounds that were played, and the replay of one.

import { h, morph } from "../kit/dom.js";
import { Replay } from "./record/replay.js";
import { roundsList, tablesList } from "./record/lists.js";
import { reader, refusals } from "./parts.js";

const PAGE = 20;

/** @param {import("../app.js").Context} context */
export default function room({ client, params, setTop }) {
  const shown = params.round ? new Replay(client, params.table, Number(params.round), setTop)
    : new Rounds(client, new URLSearchParams(location.search).get("table"));
  shown.start();
  shown.element.append(reader(shown.element, client, params.table ?? ""));
  return { element: shown.element, leave: () => shown.leave() };
}

/** The list of tables on record, with the rounds of one. */
class Rounds {
  /** @type {api.TableCard[] | null} */
  tables = null;
  /** @type {api.RoundEntry[]} */
  rounds = [];
  more = false;
  closed = false;
  /** @type {unknown} */
  refused = null;

  /**
   * @param {import("../api_client.js").ApiClient} client
   * @param {string | null} table
   */
  constructor(client, table) {
    this.client = client;
    this.table = table ?? "";
    this.content = h("div", { class: "round-lists" });
    this.element = h("div", { class: "records" }, this.content);
  }

  leave() {
    this.closed = true;
  }

  async start() {
    try {
      // The server lists tables in the order they were opened; here the newest is first.
      this.tables = (await this.client.get("/api/tables")).tables.toReversed();
      this.table ||= this.tables?.[0]?.table ?? "";
      if (this.table) await this.loadMore();
    } catch (refused) {
      this.refused = refused;
    }
    this.paint();
  }

  /** Load the next page of older rounds. */
  async loadMore() {
    const last = this.rounds.at(-1);
    const before = last ? `&before=${last.number}` : "";
    const { rounds } = await this.client.get(
      `/api/tables/${encodeURIComponent(this.table)}/rounds?limit=${PAGE}${before}`);
    this.rounds.push(...rounds);
    this.more = rounds.length === PAGE;
    this.paint();
  }

  paint() {
    const now = this.tables?.find(({ table }) => table === this.table);
    morph(this.content, [
      h("h1", {}, "Record"),
      h("p", { class: "quiet" },
        "Replay any round, read what happened, and verify its shuffle in this browser."),
      ...refusals(this.refused),
      this.tables && !this.tables.length
        && h("p", { class: "empty box" }, h("span", {}, "No table has been opened yet."),
        h("a", { href: "/" }, "Take a seat")),
      this.tables && this.tables.length > 0 && h("div", { class: "shelves" }, tablesList(this.tables, this.table),
        roundsList(now, this.table, this.rounds, this.more && (() => this.loadMore()))),
    ].filter(Boolean));
  }
}
