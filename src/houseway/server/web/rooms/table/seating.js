// Coming and going at a table: seats taken, left and freed, bots, fresh chips, the link.

import { onlyHere } from "../../here.js";
import { money, tableSaid } from "../../kit/words.js";
import { polite } from "./announce.js";

export class Seating {
  /**
   * @param {{ connection: import("./connection.js").Connection, notices: import("./notice_board.js").NoticeBoard,
   *   context: import("../../app.js").Context, changed: () => void }} given
   */
  constructor({ connection, notices, context, changed }) {
    this.connection = connection;
    this.notices = notices;
    this.context = context;
    this.changed = changed;
  }

  /**
   * Sit down at a free seat.
   *
   * @param {number} seat
   */
  async sit(seat) {
    if (await this.connection.send({ type: "Sit", seat })) this.connection.enter(`seat ${seat}`);
  }

  /**
   * Stand up, sit down again, or leave: for the lobby, or to watch.
   *
   * @param {api.Choice} choice
   * @param {api.View} view
   */
  async go({ command }, { yours }, { watch = false } = {}) {
    if (!(await this.connection.send(command)) || command.type !== "Leave") return;
    this.context.setTop({ chips: null });
    const name = tableSaid(this.connection.sheet?.card.name ?? "");
    if (watch) this.connection.enter("rail");
    else this.context.go("/", { said: `You left ${name} with ${money(yours.chips ?? 0)} in play chips.` });
  }

  /** Take a seat for a bot, best play, at any free place. */
  seatBot() { return this.reseat((house, path) => house.post(`${path}/bots`, { style: "best" })); }

  /**
   * Free the seat of a bot, or of a player who is gone.
   *
   * @param {number} seat
   */
  freeSeat(seat) { return this.reseat((house, path) => house.delete(`${path}/seats/${seat}`)); }

  /** @param {(house: import("../../house.js").House, path: string) => Promise<api.TableCard>} ask */
  async reseat(ask) {
    const { connection } = this;
    try {
      const card = await ask(connection.house, connection.path);
      if (connection.sheet) connection.sheet = { ...connection.sheet, card };
    } catch (refused) {
      this.notices.refuse(/** @type {import("../../house.js").Refused} */ (refused));
    }
    this.changed();
  }

  /**
   * Leave and sit down again with fresh play chips.
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
      head = "The table's link:";
    }
    polite(`Link copied. ${onlyHere()}`);
    this.notices.show({ kind: "plain", head, text: [onlyHere(), link].filter(Boolean).join(" ") });
  }
}
