// Checks the signed heads of the table's record: their signatures, and that the record still contains the head that
// this browser kept. Warns if a check fails.

import { checkSignature, keepHead, keptHead } from "../../heads.js";
import { h } from "../../kit/dom.js";
import { assertive } from "./announce.js";

/** @typedef {{ head: api.RecordHead, heading: string, text: string }} Warning */

const UNCHECKED = "This browser cannot check Ed25519 signatures, so the signature was not checked.";

export class RecordWatch {
  /** @type {Warning | null} */
  warning = null;
  /** @type {{ events: number, signature: import("../../heads.js").SignatureCheck } | null} The kept head, once checked. */
  kept = null;
  /** @type {Promise<void>} The checks in progress, one after another. */
  checks = Promise.resolve();

  /**
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, changed: () => void }} options
   */
  constructor({ client, table, changed }) {
    this.client = client;
    this.table = table;
    this.changed = changed;
  }

  /** Check the kept head, ask the server for the chain at its event, and compare. */
  compare() { return this.inTurn(() => this.compareNow()); }

  /**
   * Check and keep the head of a record after a round, unless it conflicts with the head kept before.
   *
   * @param {api.RecordHead} head
   */
  closed(head) { return this.inTurn(() => this.closedNow(head)); }

  /**
   * @param {() => Promise<void>} check
   */
  inTurn(check) {
    this.checks = this.checks.catch(() => {}).then(check);
    return this.checks;
  }

  async compareNow() {
    const kept = keptHead(this.table);
    if (!kept || this.warning) return;
    const signature = await this.check(kept, "Your browser kept a signed summary of this record (its head)");
    if (signature === "invalid") return;
    this.noteKept(kept, signature);
    try {
      /** @type {api.HeadAnswer} */
      const { chain_at: chain = "" } = await this.client.get(
        `/api/tables/${encodeURIComponent(this.table)}/head?events=${kept.events}`);
      if (chain !== kept.chain) this.warnLacking(kept);
    } catch (error) {
      // Without an answer, the record cannot be compared now. The page tries again when it reconnects.
      if (/** @type {import("../../api_client.js").Refused} */ (error).code === "no-table") this.warnLacking(kept);
    }
  }

  /** @param {api.RecordHead} head */
  async closedNow(head) {
    if (this.warning) return;
    const signature = await this.check(head, "The server sent a signed summary of this record (its head)");
    if (signature === "invalid") return;
    const kept = keptHead(this.table);
    if (kept && kept.events > head.events) {
      this.warnLacking(kept);
      return;
    }
    keepHead(head);
    this.noteKept(head, signature);
  }

  /**
   * Check the signature of a head of this table's record, and warn if it is invalid.
   *
   * @param {api.RecordHead} head
   * @param {string} origin The start of the sentence: where the head is from.
   */
  async check(head, origin) {
    const signature = head.stream === this.table ? await checkSignature(head) : "invalid";
    if (signature === "invalid") {
      this.warn({ head, heading: "A signature on the record of this table is not valid.",
        text: `${origin} at event ${head.events}, but its signature is invalid, so the head proves nothing. `
          + "Stop betting, save the head, and ask the operator to run houseway audit verify." });
    }
    return signature;
  }

  /**
   * @param {api.RecordHead} head
   * @param {import("../../heads.js").SignatureCheck} signature
   */
  noteKept({ events }, signature) {
    this.kept = { events, signature };
    this.changed();
  }

  /** @param {api.RecordHead} kept */
  warnLacking(kept) {
    const unchecked = this.kept?.signature === "unchecked" ? ` ${UNCHECKED}` : "";
    this.warn({ head: kept, heading: "The record of this table no longer matches what your browser saw.",
      text: `Your browser saved a signed summary of the record (its head) at event ${kept.events}. The server's record does not contain `
        + "that head, so the record was changed or replaced by an older copy. Stop betting, save the signed head, and ask the "
        + `operator to run houseway audit verify with --against and this file.${unchecked}` });
  }

  /** @param {Warning} warning */
  warn(warning) {
    this.warning = warning;
    assertive(`${warning.heading} ${warning.text}`);
    this.changed();
  }

  /** Create the warning; false if there is none. It stays until the page is left. */
  notice() {
    const { warning } = this;
    return warning !== null && h("section", { class: "record-warning", "aria-label": "Warning about the record",
      "data-key": "record-warning" },
      h("p", {}, h("strong", {}, warning.heading), " ", warning.text),
      h("button", { type: "button", class: "button", onclick: () => save(warning.head) }, "Save the signed head"));
  }

  /** Create the line about the kept head; false if this browser keeps none. */
  line() {
    const { kept } = this;
    return kept !== null && h("p", { class: "small", "data-key": "kept-head" },
      `Your browser keeps a signed summary of the record (its head) at event ${kept.events}. `,
      kept.signature === "valid" ? "Its signature is valid." : UNCHECKED);
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
