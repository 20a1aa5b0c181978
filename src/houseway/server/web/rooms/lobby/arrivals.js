// Arriving at a table: a person introduced once, then seated, at a table of their own or by an invitation.

import { randomHex } from "../../house.js";
import { set } from "../../settings.js";
import { BOTS, usual } from "./open.js";

/** @typedef {import("../../app.js").Context} Context */

/** @param {string} table */
const pathOf = (table) => `/table/${encodeURIComponent(table)}`;
/** @param {string} table */
const apiPath = (table) => `/api/tables/${encodeURIComponent(table)}`;

export class Arrivals {
  /** @type {{ at: string, then: () => Promise<void>, refused?: unknown } | null} What waits for a handle. */
  asking = null;
  /** @type {unknown} */
  refused = null;
  /** Where something was refused: a table, "hero", or "" for the room. */
  at = "";

  /**
   * `asked()` is called when a handle is asked for, `changed()` when there is something else to show.
   *
   * @param {Pick<Context, "house" | "go" | "person" | "setPerson">
   *   & { invitation: string, asked: () => void, changed: () => void }} given
   */
  constructor({ house, go, person, setPerson, invitation, asked, changed }) {
    this.house = house;
    this.go = go;
    this.person = person;
    this.setPerson = setPerson;
    this.invitation = invitation;
    this.asked = asked;
    this.changed = changed;
  }

  /**
   * Do something that needs a person the house knows; `at` is where the handle is asked.
   *
   * @param {string} at
   * @param {() => Promise<void>} then
   */
  async known(at, then) {
    Object.assign(this, { refused: null, at: "" });
    if (!this.person) {
      this.asking = { at, then };
      this.asked();
      return;
    }
    this.asking = null;
    try {
      await then();
    } catch (refused) {
      if (at === "open") throw refused;
      Object.assign(this, { refused, at });
      this.changed();
    }
  }

  /**
   * Introduce a person by a handle, then do what waited for it.
   *
   * @param {string} handle
   */
  async introduce(handle) {
    const { asking } = this;
    if (!asking) return;
    try {
      const { person } = await this.house.post("/api/session", { handle });
      this.know(person);
    } catch (refused) {
      asking.refused = refused;
      this.changed();
      return;
    }
    await this.known(asking.at === "open" ? "hero" : asking.at, asking.then);
  }

  /** @param {api.Person} person */
  know(person) {
    this.person = person;
    this.setPerson(person);
  }

  /** Forget what waits for a handle. */
  cancel() {
    this.asking = null;
    this.changed();
  }

  /**
   * True if the person sits at a table.
   *
   * @param {Pick<api.TableCard, "seats">} card
   */
  sitsAt({ seats }) {
    return seats.some(({ player, kind }) => kind === "person" && player === this.person?.handle);
  }

  /**
   * Sit down at a table of one's own with bots: the one opened before if nobody else sits there, or a new one.
   *
   * @param {api.Rulebook} book
   */
  async sitWithBots({ id, options }) {
    set("coach", "before");
    const [{ you }, { tables }] = await Promise.all([this.house.get("/api/house"),
      this.house.get("/api/tables")]);
    /** @param {api.TableCard} table */
    const own = (table) => you?.roles?.[table.table]?.includes("floor") && table.rulebook === id
      && table.open && table.dealer === "machine"
      && table.seats.filter(({ kind }) => kind === "bot").length >= BOTS.length
      && table.seats.every(({ kind, player }) => kind !== "person" || player === you.handle)
      && (this.sitsAt(table) || table.seats.some(({ kind }) => !kind));
    await this.sit(tables.find(own) ?? await this.house.post("/api/tables",
      { rulebook: id, ...usual(options), bots: BOTS.map((style) => ({ style })) }));
  }

  /**
   * Open a table and sit down at it; if a person deals, that chair is one's own.
   *
   * @param {api.OpenTable} wish
   */
  async open(wish) {
    const table = await this.house.post("/api/tables", wish);
    if (table.dealer === "machine") await this.sit(table);
    else this.go(`${pathOf(table.table)}?as=dealer`);
  }

  /**
   * Sit down at the free seat nearest to the middle, unless one sits there already; watch if none is free.
   *
   * @param {api.TableCard} card
   */
  async sit({ table, seats }) {
    /** @param {api.Place} place */
    const far = ({ seat }) => Math.abs(2 * seat - seats.length - 1);
    const [free] = seats.filter(({ kind }) => !kind).sort((a, b) => far(a) - far(b));
    if (free && !this.sitsAt({ seats })) {
      await this.house.post(`${apiPath(table)}/commands`,
        { type: "do", key: randomHex(8), command: { type: "Sit", seat: free.seat } });
    }
    this.go(pathOf(table));
  }

  /** Accept the invitation and go to its table. */
  async accept() {
    const before = this.person?.roles ?? {};
    /** @type {api.Person} */
    const person = await this.house.post("/api/invitations/accept", { invitation: this.invitation });
    this.know(person);
    const [table, role] = Object.entries(person.roles ?? {})
      .flatMap(([at, roles]) => roles.map((one) => /** @type {const} */ ([at, one])))
      .find(([at, one]) => at !== "*" && !before[at]?.includes(one)) ?? [];
    if (!table || !role) {
      this.go("/", { replace: true });
      return;
    }
    const { card: { seats } } = await this.house.get(apiPath(table));
    this.go(this.sitsAt({ seats }) ? pathOf(table) : `${pathOf(table)}?as=${encodeURIComponent(role)}`,
      { replace: true });
  }
}
