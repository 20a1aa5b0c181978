// Arriving at a table: ask for a name, then sit down or accept an invitation.

import { randomHex } from "../../api_client.js";
import { set } from "../../settings.js";
import { BOT_COUNT, defaultBots, defaultOrder } from "./open.js";

/** @typedef {import("../../app.js").Context} Context */

/** @param {string} table */
const pathOf = (table) => `/table/${encodeURIComponent(table)}`;
/** @param {string} table */
const apiPath = (table) => `/api/tables/${encodeURIComponent(table)}`;

export class Arrivals {
  /** @type {{ at: string, then: () => Promise<void>, refused?: unknown } | null} The action that needs a handle first. */
  asking = null;
  /** @type {unknown} */
  refused = null;
  /** Where a refusal is shown: a table, "hero", or "" for the room. */
  at = "";

  /**
   * `askHandle()` is called when a handle is needed, `changed()` after other changes.
   *
   * @param {Pick<Context, "client" | "go" | "person" | "setPerson">
   *   & { invitation: string, askHandle: () => void, changed: () => void }} options
   */
  constructor({ client, go, person, setPerson, invitation, askHandle, changed }) {
    this.client = client;
    this.go = go;
    this.person = person;
    this.setPerson = setPerson;
    this.invitation = invitation;
    this.askHandle = askHandle;
    this.changed = changed;
  }

  /**
   * Run an action that needs a signed-in person; `at` is where to ask for a handle.
   *
   * @param {string} at
   * @param {() => Promise<void>} then
   */
  async withPerson(at, then) {
    Object.assign(this, { refused: null, at: "" });
    if (!this.person) {
      this.asking = { at, then };
      this.askHandle();
      return;
    }
    this.asking = null;
    await this.attempt(at, then);
  }

  /**
   * Run an action; a refusal is shown at `at`.
   *
   * @param {string} at
   * @param {() => Promise<void>} then
   */
  async attempt(at, then) {
    try {
      await then();
    } catch (refused) {
      if (at === "open") throw refused;
      Object.assign(this, { refused, at });
      this.changed();
    }
  }

  /**
   * Sign in with a recovery link.
   *
   * @param {string} recovery
   */
  async recover(recovery) {
    const { person } = await this.client.post("/api/session/recover", { recovery });
    this.setKnown(person);
    this.go("/", { replace: true, message: `You are signed in as ${person.handle}. Your other device is signed out.` });
  }

  /**
   * Sign in with a handle, then run the pending action.
   *
   * @param {string} handle
   */
  async introduce(handle) {
    const { asking } = this;
    if (!asking) return;
    try {
      const { person } = await this.client.post("/api/session", { handle });
      this.setKnown(person);
    } catch (refused) {
      asking.refused = refused;
      this.changed();
      return;
    }
    await this.withPerson(asking.at === "open" ? "hero" : asking.at, asking.then);
  }

  /** @param {api.Person} person */
  setKnown(person) {
    this.person = person;
    this.setPerson(person);
  }

  /** Cancel the pending action. */
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
   * Sit down with bots at the person's own table: an earlier one without other players, or a new one.
   *
   * @param {api.Rulebook} book
   */
  async sitWithBots({ id, options }) {
    set("coach", "before");
    const [{ you, styles }, { tables }] = await Promise.all([this.client.get("/api/house"),
      this.client.get("/api/tables")]);
    /** @param {api.TableCard} table */
    const own = (table) => you?.roles?.[table.table]?.includes("floor") && table.rulebook === id
      && table.open && table.dealer === "machine"
      && table.seats.filter(({ kind }) => kind === "bot").length >= BOT_COUNT
      && table.seats.every(({ kind, player }) => kind !== "person" || player === you.handle)
      && (this.sitsAt(table) || table.seats.some(({ kind }) => !kind));
    await this.sit(tables.find(own) ?? await this.client.post("/api/tables",
      { rulebook: id, ...defaultOrder(options), bots: defaultBots(styles).map((style) => ({ style })) }));
  }

  /**
   * Open a table and sit down at it; if a person deals, become the dealer.
   *
   * @param {api.OpenTable} order
   */
  async open(order) {
    const table = await this.client.post("/api/tables", order);
    if (table.dealer === "machine") await this.sit(table);
    else this.go(`${pathOf(table.table)}?as=dealer`);
  }

  /**
   * Sit down in the free seat nearest the middle, unless already seated; watch if none is free.
   *
   * @param {api.TableCard} card
   */
  async sit({ table, seats }) {
    /** @param {api.Place} place */
    const far = ({ seat }) => Math.abs(2 * seat - seats.length - 1);
    const [free] = seats.filter(({ kind, held = "" }) => !kind && ["", this.person?.handle].includes(held))
      .sort((a, b) => Number(Boolean(b.held)) - Number(Boolean(a.held)) || far(a) - far(b));
    if (free && !this.sitsAt({ seats })) {
      await this.client.post(`${apiPath(table)}/commands`,
        { type: "do", key: randomHex(8), command: { type: "Sit", seat: free.seat } });
    }
    this.go(pathOf(table));
  }

  /** Accept the invitation and go to its table. */
  async accept() {
    const before = this.person?.roles ?? {};
    /** @type {api.Person} */
    const person = await this.client.post("/api/invitations/accept", { invitation: this.invitation });
    this.setKnown(person);
    const [table, role] = Object.entries(person.roles ?? {})
      .flatMap(([at, roles]) => roles.map((one) => /** @type {const} */ ([at, one])))
      .find(([at, one]) => at !== "*" && !before[at]?.includes(one)) ?? [];
    if (!table || !role) {
      this.go("/", { replace: true });
      return;
    }
    const { card: { seats } } = await this.client.get(apiPath(table));
    this.go(this.sitsAt({ seats }) ? pathOf(table) : `${pathOf(table)}?as=${encodeURIComponent(role)}`,
      { replace: true });
  }
}
