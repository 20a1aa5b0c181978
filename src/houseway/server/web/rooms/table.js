// The table room, for players, spectators, the dealer, the floor supervisor and surveillance.

import "../kit/actions.js";
import "../kit/line.js";
import { h, morph } from "../kit/dom.js";
import { tableTitle } from "../kit/words.js";
import { keepSeal } from "../seals.js";
import { onSettings, pace } from "../settings.js";
import { startSession, countRound } from "../sitting.js";
import { announceUpdates } from "./table/announce.js";
import { Betting, onHold } from "./table/betting.js";
import { shortRole } from "./table/role_notes.js";
import { Coach } from "./table/coach.js";
import { Connection } from "./table/connection.js";
import { PlayersCut } from "./table/cut.js";
import { Deadline } from "./table/deadline.js";
import { Decision } from "./table/decision.js";
import { guestForm, noTable } from "./table/guest_form.js";
import { HouseEvents } from "./table/house_events.js";
import { Invitations } from "./table/invite.js";
import { Roles } from "./table/roles.js";
import { listen } from "./table/keys.js";
import { NoticeBoard } from "./table/notice_board.js";
import { betsTimedOutNotice, betsTimedOut, discardedNotice, noInvitation, rolesFailed } from "./table/notices.js";
import { Panels } from "./table/panels.js";
import { Player } from "./table/player.js";
import { keyHandlers } from "./table/presses.js";
import { scriptAfter } from "./table/prompt.js";
import { RecordWatch } from "./table/record_watch.js";
import { Reports } from "./table/reports.js";
import { Seating } from "./table/seating.js";
import { betOf } from "./table/stakes.js";
import { Stage } from "./table/stage.js";
import { displayName, foldLoss, nextOwnSeat, ownBets, seats, hasWagersInPlay, takenSeats, yourTurn } from "./table/state.js";
import { holds, stepsOf } from "./table/steps.js";

/** @typedef {import("../app.js").Context} Context */

export class TableRoom {
  /** @type {Map<number, string>} Players' names by seat, as last shown. */
  names = new Map();
  /** @type {api.View | null} The view that is shown. */
  shown = null;
  /** @type {import("./table/felt.js").Script | null} */
  script = null;
  left = false;
  /** The last round that the viewer was ready for. */
  readyRound = 0;

  /** @param {Context} context */
  constructor(context) {
    const { client, params: { table } } = context;
    const changed = () => this.paint();
    this.context = context;
    this.client = client;
    this.table = table;
    this.element = h("div", { class: "table-room" });
    this.stage = new Stage(this.element);
    this.player = new Player({ pace, show: (step, how) => this.show(step.view, step.updates, how) });
    this.notices = new NoticeBoard(changed);
    this.record = new RecordWatch({ client, table, changed });
    /** @type {Connection} */
    this.connection = new Connection({ client, table, changed, notices: this.notices, record: this.record,
      entered: () => this.entered(), view: (...args) => this.receive(...args), held: () => this.heldText(),
      refused: (refused) => this.refused(refused) });
    this.cut = new PlayersCut((command) => this.connection.socket?.do(command));
    this.seating = new Seating({ connection: this.connection, notices: this.notices, context, changed });
    this.panels = new Panels({ element: this.element, client, path: this.connection.path, changed });
    this.coach = new Coach({ client, table, changed, storageKey: `houseway-tally-${table}` });
    /** @type {Decision} */
    this.decision = new Decision({ changed, busy: () => this.player.busy,
      foldLoss: () => foldLoss(this.view, this.sheet),
      acted: (option) => this.coach.act(option),
      send: (command, options) => this.connection.send(command, options) });
    this.betting = new Betting({ send: (wagers) => this.bet(wagers), changed,
      tell: (head, text) => this.notices.aboutBets(head, text), storageKey: `houseway-bets-${table}` });
    /** @type {Deadline} */
    this.deadline = new Deadline(() => this.decision.awaited);
    this.invitations = new Invitations({ client, table, changed,
      refused: ({ message }) => this.notices.say(noInvitation(message)) });
    this.roles = new Roles({ client, table, changed,
      refused: (refused) => this.notices.say(rolesFailed(refused.message)) });
    this.houseEvents = new HouseEvents({ client, table, changed });
    this.reports = new Reports({ changed, send: (command) => this.connection.send(command) });
    /** @type {(wager: string, hand?: number) => void} */
    this.press = (wager, hand = 1) => this.pressed(wager, hand);
    /** @type {(seat: number) => Promise<void>} */
    this.goTo = (seat) => this.playSeat(seat);
    /** @type {(seat: number) => Promise<void>} Sit down in a free seat, after sending unsent wagers. */
    this.sitAt = async (seat) => {
      if (this.betting.open) await this.betting.flush();
      await this.seating.sit(seat);
    };
    this.cleanups = [onSettings(changed), listen(keyHandlers(this)), () => this.houseEvents.leave()];
    this.element.addEventListener("click", ({ target }) => this.clearSelection(/** @type {Element} */ (target)));
    onHold(this.element, (wager) => this.betting.take(wager));
    context.setSkips([["Skip to the choices", "choices"], ["Skip to the table", "board"],
      ["Skip to the table information", "panel"]]);
    this.open();
  }

  /** The view that is shown, for code that runs only after the first view has arrived. */
  get view() { return /** @type {api.View} */ (this.shown); }

  get sheet() { return /** @type {api.TableSheet} */ (this.connection.sheet); }

  // --- entering and leaving ---

  async open() {
    const { connection, context } = this;
    try {
      if (!context.person) {
        await this.askName();
        return;
      }
      connection.person = context.person;
      await connection.look();
    } catch (refused) {
      await this.record.compare();
      morph(this.element, [this.record.notice(), noTable(/** @type {Error} */ (refused))]);
      return;
    }
    if (this.left) return;
    const { card } = this.sheet;
    context.setTop({ title: tableTitle(card.name), note: [card.rulebook], back: "/" });
    connection.enter(new URLSearchParams(location.search).get("as") ?? connection.ownSeat ?? "rail");
  }

  /** Ask a guest who followed a link for a name. */
  async askName() {
    const { card } = await this.client.get(this.connection.path);
    morph(this.element, [guestForm(this.client, card, (person) => {
      this.context.person = person;
      this.context.setPerson(person);
      this.open();
    })]);
    this.element.querySelector("input")?.focus();
  }

  /** Reset the room for a new role. */
  entered() {
    const { role, seat } = this.connection;
    this.notices.entered();
    this.player.stop();
    this.panels.entered(role);
    this.houseEvents.entered(role);
    this.stage.entered(seat);
  }

  /** @param {import("../api_client.js").Refused} refused */
  refused(refused) {
    if (this.sheet && this.shown) this.notices.refuse(refused);
    else morph(this.element, [noTable(refused)]);
  }

  /**
   * Return a sentence that the wagers are safe while disconnected; empty if the viewer has no wagers in play.
   *
   * @returns {string}
   */
  heldText() {
    const view = this.connection.socket?.view ?? this.shown;
    if (!view || !hasWagersInPlay(view, this.sheet)) return "";
    return this.deadline.time && yourTurn(view)
      ? `Your wagers are safe. You can still act until ${this.deadline.time}.` : "Your wagers are safe.";
  }

  leave() {
    this.left = true;
    this.connection.leave();
    this.player.stop();
    this.coach.leave();
    this.deadline.stop();
    for (const end of this.cleanups) end();
  }

  // --- events ---

  /**
   * Update the room from the current view and the updates that led to it.
   *
   * @param {api.View} view
   * @param {api.Update[]} updates
   * @param {{ views?: api.View[], back?: boolean }} how
   */
  receive(view, updates, { views, back = false }) {
    const { table, yours, waits } = view;
    this.houseEvents.received();
    if (this.readyRound !== table.round
      && betsTimedOut(yours.seat, this.deadline.waits, this.sheet.card.dealer, updates)) {
      this.notices.say(betsTimedOutNotice(ownBets(view)));
    }
    this.deadline.see(waits);
    if (back || !views || !this.shown || this.shown.yours.seat !== yours.seat) {
      this.player.stop();
      this.show(view, updates, { still: true });
    } else {
      const durations = holds(updates.map(({ event }) => event), yours.seat);
      this.player.add(updates.length ? stepsOf(views, updates, durations) : [{ view, updates, hold: 0 }]);
      if (yourTurn(view) || document.hidden) this.player.finish();
    }
    if (table.betting === "open") keepSeal(this.table, table.round, table.seal ?? "");
    if (yours.seat) startSession();
    this.cut.see(view);
    const discarded = discardedNotice(updates, yours.seat, (n) => this.names.get(n) ?? `Seat ${n}`);
    if (discarded) this.notices.say(discarded);
    const next = nextOwnSeat(view);
    if (next) this.playSeat(next);
  }

  /**
   * Switch to another of the viewer's own seats, after sending unsent wagers.
   *
   * @param {number} seat
   */
  async playSeat(seat) {
    if (this.betting.open) await this.betting.flush();
    if (!this.left && this.connection.seat !== seat) this.connection.enter(`seat ${seat}`);
  }

  /**
   * Show a view and the updates that led to it; `still` skips announcements and animations.
   *
   * @param {api.View} view
   * @param {api.Update[]} updates
   * @param {{ still?: boolean, hurried?: boolean }} how
   */
  show(view, updates, { still = false, hurried = false } = {}) {
    const { sheet, connection, decision } = this;
    const { seat } = view.yours;
    const before = this.shown;
    this.shown = view;
    for (const n of takenSeats(view)) this.names.set(n, displayName(view.table.seats?.[n].player ?? ""));
    // The person may have left or taken a seat in another tab.
    if (seat) connection.role = `seat ${seat}`;
    else if (connection.seat) connection.role = "rail";
    const begins = decision.see(view);
    this.script = scriptAfter(this.script, view, updates, decision.turn);
    if (before?.table.round !== view.table.round) this.opened();
    this.panels.see(updates, { seat, picks: begins && decision.picking });
    this.betting.see(view, sheet);
    this.coach.see(view, decision.turn);
    this.notices.see(updates, { view, betting: this.betting.open,
      title: (wager) => this.betting.stakes.title(wager), name: (n) => this.names.get(n) ?? `Seat ${n}` });
    if (!still) announceUpdates(updates);
    decision.announceTurn();
    this.context.setTop({ ...(seat ? { chips: view.yours.chips ?? 0 } : {}),
      note: [sheet.card.rulebook, `round ${view.table.round}`, shortRole(connection.role)] });
    if (still) this.paint();
    else this.stage.animate(this, { hurried });
    const net = view.table.net?.[seat ?? 0];
    if (view.table.closed && seat && net !== undefined) countRound(this.table, view.table.round, net);
  }

  /** Reset for a new round. */
  opened() {
    this.notices.opened();
    this.decision.opened();
    this.panels.opened();
  }

  // --- the viewer's actions ---

  /** @param {Record<string, number>} wagers */
  bet(wagers) {
    const { seat } = this.view.yours;
    if (Object.keys(wagers).length) return this.connection.send({ type: "Bet", seat, ...betOf(wagers) });
    const out = Object.keys(ownBets(this.view)).length > 0;
    return out ? this.connection.send({ type: "TakeBack", seat }) : true;
  }

  /** Tell the server that the viewer is ready: for the deal, after sending the wagers, or for the next round. */
  async ready() {
    const { betting, notices } = this;
    if (betting.open && betting.stakes.missing) {
      notices.aboutBets("Not ready yet.", betting.stakes.missing);
      return;
    }
    if (betting.open && !(await betting.flush())) return;
    notices.aboutBets("");
    this.readyRound = this.view.table.round;
    this.connection.socket?.ready(this.view);
  }

  /**
   * Handle a press on a circle. While betting is open, it adds a chip; later, it opens the clause of the result.
   *
   * @param {string} wager
   * @param {number} hand
   */
  pressed(wager, hand) {
    if (this.betting.open && this.betting.stakes.spotOf(wager)) {
      this.betting.add(wager);
      return;
    }
    const own = seats(this.view, this.sheet).find(({ you }) => you);
    const line = own?.hands[hand - 1]?.results[wager];
    if (line?.clause) {
      this.panels.openClause({ clause: line.clause, line: line.odds,
        from: /** @type {HTMLElement | null} */ (document.activeElement) });
    }
  }

  /**
   * Clear the selected seat after a press on the felt outside the seats.
   *
   * @param {Element} target
   */
  clearSelection(target) {
    const outside = target.closest(".felt-frame") && !target.closest(".pod, button");
    if (this.panels.looked && outside) this.panels.lookAt(0, this.view);
  }

  paint() {
    if (this.shown && !this.left) this.stage.paint(this);
  }
}

/**
 * Create the room of one table.
 *
 * @param {Context} context
 */
export default function room(context) {
  const table = new TableRoom(context);
  return { element: table.element, leave: () => table.leave() };
}
