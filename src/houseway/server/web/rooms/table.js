// @ts-nocheck
// The table room: where one sits, watches, deals or oversees.

import "../kit/actions.js";
import "../kit/line.js";
import { onlyHere } from "../here.js";
import { randomHex } from "../house.js";
import { h, morph } from "../kit/dom.js";
import { money, tableSaid } from "../kit/words.js";
import { keepSalt, keepSeal } from "../seals.js";
import { onSettings, setting } from "../settings.js";
import { begun, played } from "../sitting.js";
import { assertive, polite, spoken, tell, turn as tellTurn } from "./table/announce.js";
import { roundPath } from "./record/lists.js";
import { bar } from "./table/bar.js";
import { shortly } from "./table/chair.js";
import { Betting, holding } from "./table/betting.js";
import { Coach } from "./table/coach.js";
import { Felt, scriptLine } from "./table/felt.js";
import { door, noTable } from "./table/door.js";
import { Invitations } from "./table/invite.js";
import { keyList, listen } from "./table/keys.js";
import { Log } from "./table/log.js";
import { lying, move, Showing } from "./table/motion.js";
import { AWAY, closedNotice, closedOn, noInvitation, noticed, refusedNotice, turnedAway }
  from "./table/notices.js";
import { panel } from "./table/panel.js";
import { Pick } from "./table/pick.js";
import { presses } from "./table/presses.js";
import { prompt } from "./table/prompt.js";
import { named, seats, sorted, standing, yourTurn } from "./table/state.js";
import { textTable } from "./table/text.js";

const SOON = 10;

class TableRoom {
  constructor(context) {
    Object.assign(this, { house: context.house, context, table: context.params.table });
    this.element = h("div", { class: "table-room" });
    this.path = `/api/tables/${encodeURIComponent(this.table)}`;
    this.line = "opening";
    this.roles = [];
    this.tab = "coach";
    this.names = new Map();
    this.showing = new Showing((...shown) => this.show(...shown));
    this.press = (wager, hand) => this.pressed(wager, hand);
    this.pick = new Pick(() => this.paint());
    const changed = () => this.paint();
    this.coach = new Coach({ house: this.house, table: this.table, changed,
      kept: `houseway-tally-${this.table}` });
    this.betting = new Betting({ send: (wagers) => this.bet(wagers), changed,
      tell: (head, text) => this.aboutBets(head, text), kept: `houseway-bets-${this.table}` });
    this.invitations = new Invitations({ house: this.house, table: this.table, changed,
      refused: ({ message }) => { this.say(noInvitation(message)); this.paint(); } });
    this.offSettings = onSettings(changed);
    this.offKeys = listen(presses(this));
    this.element.addEventListener("closed", changed);
    this.element.addEventListener("click", ({ target }) => {
      if (this.openedPod && target.closest(".felt-frame") && !target.closest(".pod, button")) this.lookAt(0);
    });
    this.element.addEventListener("clause", ({ detail }) => this.openClause(detail));
    holding(this.element, (wager) => this.betting.take(wager));
    context.setSkips([["Skip to the choices", "choices"], ["Skip to the table", "board"],
      ["Skip to the panel", "panel"]]);
    this.open();
  }

  // --- coming and going ---

  async open() {
    try {
      if (!this.context.person) {
        await this.meet();
        return;
      }
      await this.look();
    } catch (refused) {
      morph(this.element, [noTable(refused)]);
      return;
    }
    if (this.left) return;
    const { card } = this.sheet;
    this.context.setTop({ title: tableSaid(card.name), note: [card.rulebook], back: "/" });
    this.enter(new URLSearchParams(location.search).get("as") ?? this.own ?? "rail");
  }

  /** Look what one may be here, who sits where, and which seat is one's own. */
  async look() {
    const { you } = await this.house.get("/api/house");
    this.roles = you ? [...(you.roles?.[this.table] ?? []),
      ...(you.roles?.["*"] ?? [])].filter((role) => role !== "player") : [];
    this.sheet = await this.house.get(this.path);
    const { handle } = you ?? this.context.person;
    const mine = this.sheet.card.seats.find(({ player, kind }) => kind === "person" && player === handle);
    this.own = mine && `seat ${mine.seat}`;
  }

  /** Ask a guest for a name, at the door of the table that the link leads to. */
  async meet() {
    const { card } = await this.house.get(this.path);
    morph(this.element, [door(this.house, card, (person) => {
      this.context.person = person;
      this.context.setPerson(person);
      this.open();
    })]);
    this.element.querySelector("input")?.focus();
  }

  /** Come in a role; `why` is the notice of somebody who wanted another one. */
  enter(role, why = null) {
    this.place?.leave();
    this.why = why;
    if (this.notice?.stays) this.notice = null;
    this.showing.stop();
    this.showing.last = null;
    this.role = role;
    if (!/^(seat|rail)/.test(role)) this.tab = "notes";
    const seat = Number(/^seat (\d+)$/.exec(role)?.[1] ?? 0);
    this.felt = new Felt({ seat, voiced: false });
    this.log = new Log(seat, (n) => this.names.get(n) ?? `seat ${n}`);
    this.place = this.house.enter(this.table, role, {
      sight: (sight, moments, { back }) => this.hear(sight, moments, back),
      line: (state, what) => this.lineChanged(state, what),
    });
  }

  /** The house does not let one in as before: go to one's seat or to the rail, and say why. */
  async turnedAway(bye) {
    const { place } = this;
    place.leave();
    try {
      await this.look();
    } catch { /* The rail is open, whatever else is known. */ }
    if (this.left || this.place !== place) return;
    const own = this.own === place.role ? null : this.own;
    this.enter(own ?? "rail", turnedAway(bye, place, { own, seats: this.sheet.card.seats }));
  }

  async sit(seat) {
    if (await this.send({ type: "Sit", seat })) this.enter(`seat ${seat}`);
  }

  /** Stand up, sit down again, or leave: for the lobby, or to watch where one sat. */
  async go({ command }, { watch = false } = {}) {
    const { chips } = this.sight.yours;
    if (!(await this.send(command)) || command.type !== "Leave") return;
    this.context.setTop({ chips: null });
    if (watch) this.enter("rail");
    else this.context.go("/", { said: `You left ${tableSaid(this.sheet.card.name)} `
      + `with ${money(chips ?? 0)} in play chips.` });
  }

  /** Take a seat for a bot, best play, at any free place. */
  seatBot() { return this.reseat(() => this.house.post(`${this.path}/bots`, { style: "best" })); }

  /** Free the seat of a bot, or of somebody who is gone. */
  freeSeat(seat) { return this.reseat(() => this.house.delete(`${this.path}/seats/${seat}`)); }

  async reseat(ask) {
    try {
      this.sheet = { ...this.sheet, card: await ask() };
    } catch (refused) {
      this.refuse(refused);
    }
    this.paint();
  }

  /** Leave and sit down again with fresh play chips. */
  async freshChips() {
    const { seat } = this.sight.yours;
    if (await this.send({ type: "Leave", seat })) await this.sit(seat);
  }

  lineChanged(state, what) {
    const before = this.line;
    this.line = state === "refused" || state === "bye" ? before : state;
    if (state === "lost" && before === "there") {
      this.lost = { kind: "waiting", head: "Connection lost, trying again.", text: this.held() };
      assertive(`${this.lost.head} ${this.lost.text}`);
    } else if (state === "there") {
      if (before === "lost" && this.lost) assertive("The connection is back.");
      this.lost = null;
    } else if (state === "refused") {
      if (this.sheet && this.sight) this.refuse(what);
      else morph(this.element, [noTable(what)]);
    } else if (state === "bye" && AWAY.has(what.code)) {
      this.turnedAway(what);
    } else if (state === "bye") {
      this.notice = { kind: "plain", head: "The house closed the line.", text: what.message };
    }
    this.paint();
  }

  /** What holds while the line is lost: nothing, where one has nothing out in a round that goes on. */
  held() {
    const sight = this.showing.last ?? this.sight;
    if (!sight || !standing(sight, this.sheet)) return "";
    const until = this.until && new Date(Date.now() + this.until - performance.now());
    return until && yourTurn(sight)
      ? `Your wagers stand. The table holds your turn until ${until.toLocaleTimeString()}.`
      : "Your wagers stand.";
  }

  // --- what happens ---

  hear(sight, moments, back) {
    const { seat } = sight.yours;
    if (this.readied !== sight.seen.number
      && closedOn(seat, this.waits, this.sheet.card.dealer, moments)) {
      this.say(closedNotice(sight.seen.bets?.[seat]));
    }
    if (sight.waits !== this.waits) {
      this.waits = sight.waits;
      const { seconds } = sight.waits;
      this.until = seconds === null || seconds === undefined ? null : performance.now() + seconds * 1000;
      this.whenSoon();
    }
    this.showing.take(sight, moments, { atOnce: back || !this.sight
      || this.sight.yours.seat !== sight.yours.seat });
    const { seen, yours, layout } = sight;
    if (layout.betting === "open") keepSeal(this.table, seen.number, seen.seal);
    if (yours.seat) begun();
    if (yours.salt_due && this.salted !== seen.number) this.salt(sight);
  }

  /** Put bytes of this browser's own into the players' cut. */
  async salt({ yours: { seat }, seen: { number, seal } }) {
    this.salted = number;
    const salt = randomHex(16);
    try {
      await this.place.do({ type: "AddSalt", seat, salt });
      keepSalt(seal, seat, salt);
    } catch { /* The wagers closed first; the cut goes without it. */ }
  }

  whenSoon() {
    clearTimeout(this.soon);
    if (!this.until) return;
    const left = this.until - performance.now() - SOON * 1000;
    if (left > 0) this.soon = setTimeout(() => this.asked && polite(`${SOON} seconds left.`), left);
  }

  /** Show a sight, with the moments that led to it. */
  show(sight, moments, { still = false, hurried = false } = {}) {
    const old = this.sight;
    this.sight = sight;
    for (const { seat, player } of sight.layout.seats) this.names.set(seat, named(player));
    const own = sight.yours.seat;
    // A seat may be left, and taken again, from another page of the same person.
    if (own) this.role = `seat ${own}`;
    else if (this.role.startsWith("seat")) this.role = "rail";
    this.log.take(moments);
    for (const { script } of moments) {
      for (const { says, clause } of script ?? []) this.script = { ...spoken(says), clause };
    }
    const turn = yourTurn(sight);
    const { answers } = sorted(sight.yours.choices ?? []);
    this.picking = this.pick.see(sight);
    if (turn) this.script = prompt(sight.yours.seat, answers);
    const [todo] = sight.yours.notes?.script ?? [];
    if (todo) this.script = { ...spoken(todo.says), clause: todo.clause };
    if (old?.seen.number !== sight.seen.number) this.opened();
    if (moments.some(({ event }) => event.type === "WagerSettled"
      && event.seat === own)) this.tab = "result";
    else if (this.picking && turn && !this.turn) this.tab = "hand";
    this.turn = turn;
    this.betting.see(sight, this.sheet);
    this.coach.see(sight, turn);
    this.acted(moments, own);
    if (this.why) this.say(this.why);
    this.why = null;
    if (!still) tell(moments, { sight, sheet: this.sheet, names: this.names });
    const asked = `${sight.seen.number}/${sight.layout.step}/${turn}`;
    if (turn && asked !== this.told) {
      tellTurn(this.options);
      this.refocus = true;
    }
    this.told = asked;
    this.context.setTop({ ...(own ? { chips: sight.yours.chips ?? 0 } : {}),
      note: [this.sheet.card.rulebook, `round ${sight.seen.number}`, shortly(this.role)] });
    const before = still ? null : lying(this.felt.element);
    this.paint();
    if (before) move(this.felt.element, before, { hurried });
    const net = sight.seen.net?.[own];
    if (sight.seen.closed && own && net !== undefined) played(this.table, sight.seen.number, net);
    if (moments.some(({ event }) => event.type === "RoundClosed")) this.rounds = null;
    if (this.tab === "rounds" && !this.rounds) this.loadRounds();
  }

  opened() {
    if (!this.notice?.stays) this.notice = null;
    this.sent = "";
    if (this.tab === "result" || this.tab === "hand") this.tab = "coach";
  }

  /** Notice what the table did in one's place, and what went wrong. */
  acted(moments, seat) {
    const told = moments.some(({ event }) => !seat || event.seat === seat);
    const past = this.notice?.doubt ? told : this.notice?.bets && !this.betting.open;
    const before = past ? null : this.notice;
    this.notice = noticed(before, moments, { seat, seen: this.sight.seen,
      title: (wager) => this.betting.title(wager), name: (n) => this.names.get(n) ?? `Seat ${n}` });
    if (this.notice === before || this.notice?.kind !== "time") return;
    (this.notice.of === seat ? assertive : polite)(`${this.notice.head} ${this.notice.text}`);
  }

  /** Show a notice and read it out. */
  say(notice) {
    this.notice = notice;
    assertive(`${notice.head} ${notice.text}`);
  }

  // --- what one does ---

  get options() {
    if (!this.sight || this.showing.busy) return [];
    if (this.picking && this.turn) return this.pick.options;
    const { answers } = sorted(this.sight.yours.choices ?? []);
    if (this.sight.yours.seat) return this.turn ? answers
      : answers.filter(({ command }) => command.type === "Challenge");
    return answers.map((option) => ({ ...option, note: option.clause ?? "" }));
  }

  get asked() {
    const { waits, yours } = this.sight;
    return !this.showing.busy && yours.seat && (waits.seats ?? []).includes(yours.seat)
      && !(waits.ready ?? []).includes(yours.seat);
  }

  async send(command, given) {
    try {
      await this.place.do(command, given);
      if (this.notice?.kind === "refused") this.notice = null;
      return true;
    } catch (refused) {
      if (refused.code !== "left") this.refuse(refused);
      return false;
    }
  }

  async act(option) {
    this.sent = option.says;
    if (this.turn) this.coach.act(option);
    this.paint();
    await this.send(option.command, { expect: this.turn });
    this.sent = "";
    this.paint();
  }

  bet(wagers) {
    const { seat } = this.sight.yours;
    const lies = Object.keys(this.sight.seen.bets?.[seat] ?? {}).length;
    if (!Object.keys(wagers).length) return lies ? this.send({ type: "TakeBack", seat }) : true;
    return this.send({ type: "Bet", seat, wagers });
  }

  /** Say why chips do not lie where they were put, or take back what was said of that. */
  aboutBets(head, text) {
    const same = this.notice?.head === head && this.notice.text === text;
    if (head && !same) this.say({ kind: "plain", bets: true, head, text });
    else if (!head && this.notice?.bets) this.notice = null;
    this.paint();
  }

  async ready() {
    if (this.betting.open && this.betting.missing) {
      this.aboutBets("Not ready yet.", this.betting.missing);
      return;
    }
    if (this.betting.open && !(await this.betting.flush())) return;
    this.aboutBets("");
    this.readied = this.sight.seen.number;
    this.place.ready(true, this.sight);
  }

  /** Look at a seat, at what came of its wagers once that is known; 0 looks away. */
  lookAt(seat) {
    this.openedPod = seat;
    const { lines } = this.sight.seen;
    if (lines?.some((line) => line.seat === seat)) this.tab = "result";
    this.paint();
  }

  refuse(refused) {
    this.say(refusedNotice(refused));
    this.paint();
  }

  dismiss() {
    this.notice = null;
    this.paint();
  }

  async copyLink() {
    const link = location.origin + location.pathname;
    let head = "Link copied.";
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      head = "The table's link:";
    }
    this.notice = { kind: "plain", head, text: [onlyHere(), link].filter(Boolean).join(" ") };
    polite(`Link copied. ${onlyHere()}`);
    this.paint();
  }

  choose(tab) {
    this.tab = tab;
    if (tab === "rounds" && !this.rounds) this.loadRounds();
    this.paint();
  }

  async loadRounds() {
    try {
      this.rounds = (await this.house.get(`${this.path}/rounds?limit=20`)).rounds;
    } catch {
      this.rounds = [];
    }
    this.paint();
  }

  openPanel(open) {
    this.panelOpen = open;
    this.paint();
    if (open) this.element.querySelector("#panel")?.focus();
  }

  get drawer() { return this.element.querySelector("hw-drawer"); }

  openClause({ clause, line, from }) {
    if (this.drawer?.getAttribute("clause") === clause) this.drawer.close();
    else this.drawer?.open(clause, { line, from });
    this.paint();
  }

  // --- painting ---

  paint() {
    if (!this.sight || this.left || this.broken) return;
    try {
      this.draw();
    } catch (error) {
      console.error(error);
      this.break();
    }
  }

  /** The table in text where it cannot be drawn: what lies on it is on record. */
  break() {
    this.broken = true;
    const { number } = this.sight.seen;
    assertive("The page went wrong. Your wagers are safe: the record has them.");
    this.element.replaceChildren(h("div", { class: "page-error" }, h("h1", {}, "The page went wrong"),
      h("p", {}, "Your wagers are safe: the record has them."),
      h("p", { class: "acts" }, h("button", { type: "button", class: "button main",
        onclick: () => location.reload() }, "Load the page again"),
      h("a", { class: "button", href: roundPath(this.table, number) }, `Round ${number} on record`)),
      textTable(this.sight, this.sheet, {})));
  }

  draw() {
    const own = seats(this.sight, this.sheet).find(({ you }) => you);
    const betting = !this.showing.busy && this.betting.open;
    const more = {
      clause: this.drawer?.getAttribute("clause"),
      draft: betting ? this.betting.draft : null,
      chosen: this.picking && this.turn ? this.pick.chosen : null,
      choose: this.picking && this.turn ? (n) => this.pick.choose(n) : null,
      press: this.press,
      sit: this.sight.yours.seat || this.role !== "rail" ? null : (seat) => this.sit(seat),
      until: this.showing.busy ? null : this.until,
      opened: this.openedPod,
      open: (seat) => this.lookAt(this.openedPod === seat ? 0 : seat),
    };
    const text = setting("text") === "on";
    if (!text) this.felt.paint(this.sight, this.sheet, more);
    const focused = document.activeElement;
    morph(this.element, [
      h("div", { class: "play", "data-key": "play" },
        this.lost && h("hw-notice", { class: "line-lost", "data-key": "lost", kind: this.lost.kind,
          head: this.lost.head, text: this.lost.text }),
        // The line comes before the choices and the choices before the circles, for who walks with Tab.
        !text && h("div", { class: "felt-frame voiced", "data-key": "voice" },
          h("div", { class: "felt" }, h("div", { class: "stage" }, scriptLine(this.script)))),
        this.notice && h("hw-notice", { class: "beside-bar", "data-key": "notice", kind: this.notice.kind,
          head: this.notice.head, text: this.notice.text, clause: this.notice.clause, away: true,
          onaway: () => this.dismiss() }),
        bar(this, own),
        text ? h("div", { class: "text-frame", "data-key": "text" },
          textTable(this.sight, this.sheet, { ...more, script: this.script, draft: this.betting.wagers }))
          : h("div", { class: "felt-frame", "data-key": "felt", "data-own": true })),
      panel(this, own),
      keyList(this),
      this.invitations.box(),
    ]);
    const frame = this.element.querySelector(".felt-frame[data-own]");
    if (frame && this.felt.element.parentNode !== frame) frame.replaceChildren(this.felt.element);
    this.refocusChoices(focused);
  }

  /** On one's turn the focus goes to the choices, but only from an old choice or from the page itself. */
  refocusChoices(focused) {
    if (!this.refocus) return;
    this.refocus = false;
    const free = focused === document.body || !focused?.isConnected
      || focused.closest?.(".choices, .betting, .next");
    const first = () => this.element.querySelector("hw-actions .choice");
    if (free) queueMicrotask(() => first()?.focus({ focusVisible: false }));
  }

  pressed(wager, hand = 1) {
    if (this.betting.open && this.betting.spotOf(wager)) {
      this.betting.add(wager);
      return;
    }
    const own = seats(this.sight, this.sheet).find(({ you }) => you);
    const line = own?.hands[hand - 1]?.results[wager];
    if (line?.clause) this.openClause({ clause: line.clause, line: line.odds,
      from: document.activeElement });
  }

  leave() {
    this.left = true;
    this.place?.leave();
    this.showing.stop();
    this.coach.leave();
    this.offKeys();
    this.offSettings();
    clearTimeout(this.soon);
  }
}

/** The room of one table. */
export default function room(context) {
  const table = new TableRoom(context);
  return { element: table.element, leave: () => table.leave() };
}
