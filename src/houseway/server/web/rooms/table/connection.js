// The connection to a table: who one may be there, the place one has, and what happens to its line.

import { Place } from "../../place.js";
import { assertive } from "./announce.js";
import { AWAY, turnedAway } from "./notices.js";

/** @typedef {import("./notices.js").Notice} Notice */
/** @typedef {import("../../house.js").Refused} Refused */

export class Connection {
  /** @type {"opening" | "there" | "lost"} */
  line = "opening";
  role = "rail";
  /** @type {string[]} The roles without a seat that the person may have here. */
  roles = [];
  /** @type {string | null} The seat that is the person's own: "seat 3". */
  own = null;
  /** @type {Place | null} */
  place = null;
  /** @type {Notice | null} The notice that the line is lost. */
  lost = null;
  left = false;

  /**
   * `entered()` is called at each entry, `view` with what is seen; `held()` says what holds while the line is
   * lost; `notices` shows what goes wrong, `refused` what the house refuses.
   *
   * @param {{ house: import("../../house.js").House, table: string, notices: import("./notice_board.js").NoticeBoard,
   *   entered: () => void, view: import("../../place.js").Hears["view"], held: () => string,
   *   refused: (refused: Refused) => void, changed: () => void }} given
   */
  constructor({ house, table, notices, entered, view, held, refused, changed }) {
    this.house = house;
    this.path = `/api/tables/${encodeURIComponent(table)}`;
    this.table = table;
    this.notices = notices;
    this.hears = { entered, view, held, refused, changed };
    /** @type {api.Person | null} */
    this.person = null;
    /** @type {api.TableSheet | null} */
    this.sheet = null;
  }

  get offline() { return this.line !== "there"; }

  /** The number of the seat that the role has; 0 without one. */
  get seat() { return Number(/^seat (\d+)$/.exec(this.role)?.[1] ?? 0); }

  /** Learn the roles the person may have here, who sits where, and which seat is the person's own. */
  async look() {
    /** @type {api.House} */
    const { you } = await this.house.get("/api/house");
    this.roles = you ? [...(you.roles?.[this.table] ?? []), ...(you.roles?.["*"] ?? [])]
      .filter((role) => role !== "player") : [];
    /** @type {api.TableSheet} */
    const sheet = await this.house.get(this.path);
    this.sheet = sheet;
    const handle = (you ?? this.person)?.handle;
    const mine = sheet.card.seats.find(({ player, kind }) => kind === "person" && player === handle);
    this.own = mine ? `seat ${mine.seat}` : null;
  }

  /**
   * Come in a role.
   *
   * @param {string} role
   */
  enter(role) {
    this.place?.leave();
    this.role = role;
    this.hears.entered();
    this.place = new Place(this.house, this.table, role, { view: this.hears.view,
      line: (state, what) => this.lineChanged(state, what) });
  }

  /**
   * @param {import("../../place.js").LineState} state
   * @param {any} what
   */
  lineChanged(state, what) {
    const before = this.line;
    if (state === "lost") {
      this.line = state;
      if (before === "there") {
        this.lost = { kind: "waiting", head: "Connection lost. Reconnecting.", text: this.hears.held() };
        assertive(`${this.lost.head} ${this.lost.text}`);
      }
    } else if (state === "there") {
      this.line = state;
      if (before === "lost" && this.lost) assertive("Reconnected.");
      this.lost = null;
    } else if (state === "refused") {
      this.hears.refused(what);
    } else if (AWAY.has(what.code)) {
      this.turnedAway(what);
    } else {
      this.notices.show({ kind: "plain", head: "The server closed the connection.", text: what.message });
    }
    this.hears.changed();
  }

  /**
   * The house does not let the person in as before: go to their seat or to the rail, and say why.
   *
   * @param {api.Bye} bye
   */
  async turnedAway(bye) {
    const { place } = this;
    if (!place) return;
    place.leave();
    try {
      await this.look();
    } catch { /* The rail is open, whatever else is known. */ }
    if (this.left || this.place !== place) return;
    const own = this.own === place.role ? null : this.own;
    this.enter(own ?? "rail");
    this.notices.say(turnedAway(bye, place, { own, seats: this.sheet?.card.seats ?? [] }));
  }

  /**
   * Send a command: true once it is on record.
   *
   * @param {Record<string, any>} command
   * @param {{ expect?: boolean }} given
   */
  async send(command, given = {}) {
    try {
      await this.place?.do(command, given);
      this.notices.accepted();
      return true;
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (refused.code !== "left") this.hears.refused(refused);
      return false;
    }
  }

  leave() {
    this.left = true;
    this.place?.leave();
  }
}
