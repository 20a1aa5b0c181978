// The connection to a table: the person's roles, their socket in the current role, and its state.

import { seatOf } from "../../kit/places.js";
import { TableSocket } from "../../table_socket.js";
import { assertive } from "./announce.js";
import { ROLE_REFUSALS, roleRefusedNotice } from "./notices.js";

/** @typedef {import("./notices.js").Notice} Notice */
/** @typedef {import("../../api_client.js").Refused} Refused */

export class Connection {
  /** @type {"opening" | "there" | "lost"} */
  line = "opening";
  role = "rail";
  /** @type {string[]} The person's roles at this table, other than player. */
  roles = [];
  /** @type {string | null} The person's own seat: "seat 3". */
  ownSeat = null;
  /** @type {TableSocket | null} */
  socket = null;
  /** @type {Notice | null} The notice shown while disconnected. */
  lost = null;
  left = false;

  /**
   * Callbacks: `entered()` is called when the person enters in a role, `view` with each view, and `refused` with each
   * refusal. `held()` returns a sentence about the player's wagers, shown while disconnected.
   *
   * @param {{ client: import("../../api_client.js").ApiClient, table: string, notices: import("./notice_board.js").NoticeBoard,
   *   entered: () => void, view: import("../../table_socket.js").Listener["view"], held: () => string,
   *   refused: (refused: Refused) => void, changed: () => void,
   *   record: import("./record_watch.js").RecordWatch }} options
   */
  constructor({ client, table, notices, entered, view, held, refused, changed, record }) {
    this.client = client;
    this.path = `/api/tables/${encodeURIComponent(table)}`;
    this.table = table;
    this.notices = notices;
    this.record = record;
    this.listeners = { entered, view, held, refused, changed };
    /** @type {api.Person | null} */
    this.person = null;
    /** @type {api.TableSheet | null} */
    this.sheet = null;
  }

  get offline() { return this.line !== "there"; }

  /** The seat number of the current role; 0 if the role has no seat. */
  get seat() { return seatOf(this.role); }

  /** Load the table, the person's roles here and their seat. */
  async look() {
    /** @type {api.House} */
    const { you } = await this.client.get("/api/house");
    this.roles = you ? [...(you.roles?.[this.table] ?? []), ...(you.roles?.["*"] ?? [])]
      .filter((role) => role !== "player") : [];
    /** @type {api.TableSheet} */
    const sheet = await this.client.get(this.path);
    this.sheet = sheet;
    const handle = (you ?? this.person)?.handle;
    const mine = sheet.card.seats.find(({ player, kind }) => kind === "person" && player === handle);
    this.ownSeat = mine ? `seat ${mine.seat}` : null;
  }

  /**
   * Enter the table in a role.
   *
   * @param {string} role
   */
  enter(role) {
    this.socket?.leave();
    this.role = role;
    this.listeners.entered();
    this.socket = new TableSocket(this.client, this.table, role, { view: this.listeners.view,
      line: (state, what) => this.lineChanged(state, what), head: (head) => this.record.closed(head) });
  }

  /**
   * @param {import("../../table_socket.js").LineState} state
   * @param {any} what
   */
  lineChanged(state, what) {
    const before = this.line;
    if (state === "lost") {
      this.line = state;
      if (before === "there") {
        this.lost = { kind: "waiting", head: "Connection lost. Reconnecting.", text: this.listeners.held() };
        assertive(`${this.lost.head} ${this.lost.text}`);
      }
    } else if (state === "there") {
      this.line = state;
      if (before === "lost" && this.lost) assertive("Reconnected.");
      if (before !== "there") this.record.compare();
      this.lost = null;
    } else if (state === "refused") {
      this.listeners.refused(what);
    } else if (ROLE_REFUSALS.has(what.code)) {
      this.roleRefused(what);
    } else {
      this.notices.show({ kind: "plain", head: "The server closed the connection.", text: what.message });
    }
    this.listeners.changed();
  }

  /**
   * Handle a refused role: switch to the person's seat or the rail, and explain.
   *
   * @param {api.Bye} bye
   */
  async roleRefused(bye) {
    const { socket } = this;
    if (!socket) return;
    socket.leave();
    try {
      await this.look();
    } catch { /* Anyone may watch from the rail. */ }
    if (this.left || this.socket !== socket) return;
    const own = this.ownSeat === socket.role ? null : this.ownSeat;
    this.enter(own ?? "rail");
    this.notices.say(roleRefusedNotice(bye, socket, { own, seats: this.sheet?.card.seats ?? [] }));
  }

  /**
   * Send a command; return true if it was accepted.
   *
   * @param {Record<string, any>} command
   * @param {{ expect?: boolean }} options
   */
  async send(command, options = {}) {
    try {
      await this.socket?.do(command, options);
      this.notices.accepted();
      return true;
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (refused.code !== "left") this.listeners.refused(refused);
      return false;
    }
  }

  leave() {
    this.left = true;
    this.socket?.leave();
  }
}
