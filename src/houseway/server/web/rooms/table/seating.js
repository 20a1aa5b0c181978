// Seats at a table: sitting down, leaving, bots, new chips and the table's link.

import { localLinkNote } from "../../local_link.js";
import { money, tableTitle } from "../../kit/words.js";
import { polite } from "./announce.js";
import { ownSeats } from "./state.js";

export class Seating {
  /**
   * @param {{ connection: import("./connection.js").Connection, notices: import("./notice_board.js").NoticeBoard,
   *   context: import("../../app.js").Context, changed: () => void }} options
   */
  constructor({ connection, notices, context, changed }) {
    this.connection = connection;
    this.notices = notices;
    this.context = context;
    this.changed = changed;
  }

  /**
   * Sit down in a free seat; at a table with more positions, a seated player takes another one.
   *
   * @param {number} seat
   */
  async sit(seat) {
    if (await this.connection.send({ type: "Sit", seat })) this.connection.enter(`seat ${seat}`);
  }

  /**
   * Stand up, sit down again, or leave a seat. A player who leaves the last seat returns to the lobby, or stays to
   * `watch`.
   *
   * @param {api.Choice} choice
   * @param {api.View} view
   */
  async go({ command }, view, { watch = false } = {}) {
    const { yours } = view;
    if (!(await this.connection.send(command)) || command.type !== "Leave") return;
    this.context.setTop({ chips: null });
    const [other] = ownSeats(view).filter((seat) => seat !== yours.seat);
    if (other) {
      this.connection.enter(`seat ${other}`);
      return;
    }
    const name = tableTitle(this.connection.sheet?.card.name ?? "");
    if (watch) this.connection.enter("rail");
    else this.context.go("/", { message: `You left ${name} with ${money(yours.chips ?? 0)} in play chips.` });
  }

  /** Seat a bot in any free seat; the bot makes the best play. */
  seatBot() { return this.reseat((client, path) => client.post(`${path}/bots`, { style: "best" })); }

  /**
   * Free the seat of a bot or of an absent player.
   *
   * @param {number} seat
   */
  freeSeat(seat) { return this.reseat((client, path) => client.delete(`${path}/seats/${seat}`)); }

  /**
   * Remove a connected player who holds up the table, as the floor supervisor.
   *
   * @param {number} seat
   */
  remove(seat) { return this.connection.send({ type: "RemovePlayer", seat, reason: "holds up the table" }); }

  /** @param {(client: import("../../api_client.js").ApiClient, path: string) => Promise<api.TableCard>} ask */
  async reseat(ask) {
    const { connection } = this;
    try {
      const card = await ask(connection.client, connection.path);
      if (connection.sheet) connection.sheet = { ...connection.sheet, card };
    } catch (refused) {
      this.notices.refuse(/** @type {import("../../api_client.js").Refused} */ (refused));
    }
    this.changed();
  }

  /**
   * Leave and sit down again with new play chips.
   *
   * @param {number} seat
   */
  async freshChips(seat) {
    if (await this.connection.send({ type: "Leave", seat })) await this.sit(seat);
  }

  async copyLink() {
    const link = location.origin + location.pathname;
    let head = "Link copied.";
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      head = "Copy the table's link yourself:";
    }
    polite(`${head} ${localLinkNote()}`);
    this.notices.show({ kind: "plain", head, text: [localLinkNote(), link].filter(Boolean).join(" ") });
  }
}
