// Compares the table's record with the signed head that this browser kept, and warns if the record lacks it.

import { keepHead, keptHead } from "../../heads.js";
import { h } from "../../kit/dom.js";
import { assertive } from "./announce.js";

const HEADING = "The record of this table no longer matches what your browser saw.";

export class RecordWatch {
  /** @type {api.RecordHead | null} The kept head that the record does not contain. */
  lacking = null;
  /** @type {Promise<void>} The comparison in progress. */
  compared = Promise.resolve();

  /**
   * @param {{ house: import("../../house.js").House, table: string, changed: () => void }} options
   */
  constructor({ house, table, changed }) {
    this.house = house;
    this.table = table;
    this.changed = changed;
  }

  /** Ask the server for the chain at the kept head, and compare it. */
  compare() {
    this.compared = this.compareNow();
    return this.compared;
  }

  async compareNow() {
    const kept = keptHead(this.table);
    if (!kept || this.lacking) return;
    try {
      /** @type {api.HeadAnswer} */
      const { chain_at: chain = "" } = await this.house.get(
        `/api/tables/${encodeURIComponent(this.table)}/head?events=${kept.events}`);
      if (chain !== kept.chain) this.warn(kept);
    } catch (error) {
      // Without an answer nothing is known. The page compares again when it reconnects.
      if (/** @type {import("../../house.js").Refused} */ (error).code === "no-table") this.warn(kept);
    }
  }

  /**
   * Keep the head of a record after a round, unless it conflicts with the head kept before.
   *
   * @param {api.RecordHead} head
   */
  async closed(head) {
    await this.compared;
    const kept = keptHead(this.table);
    if (this.lacking) return;
    if (kept && kept.events > head.events) this.warn(kept);
    else keepHead(head);
  }

  /** @param {api.RecordHead} kept */
  warn(kept) {
    this.lacking = kept;
    assertive(`${HEADING} ${this.text(kept)}`);
    this.changed();
  }

  /** @param {api.RecordHead} kept */
  text({ events }) {
    return `Your browser saved the record's signed head at event ${events}. The server's record does not contain that head, `
      + "so the record was changed or replaced by an older copy. Stop betting, save the signed head, and ask the operator to run "
      + "houseway audit verify with --against and this file.";
  }

  /** Create the warning; false if there is none. It stays as long as the record lacks the head. */
  notice() {
    const { lacking } = this;
    return lacking !== null && h("section", { class: "record-warning", "aria-label": "Warning about the record",
      "data-key": "record-warning" },
      h("p", {}, h("strong", {}, HEADING), " ", this.text(lacking)),
      h("button", { type: "button", class: "button", onclick: () => save(lacking) }, "Save the signed head"));
  }
}

/**
 * Save a head as a file.
 *
 * @param {api.RecordHead} head
 */
function save(head) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(head)}\n`], { type: "application/json" }));
  h("a", { href: url, download: `head-${head.stream}-${head.events}.json` }).click();
  URL.revokeObjectURL(url);
}
