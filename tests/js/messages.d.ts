// Generated from the message definitions by tests/js/message_types.py; run `make message-types` to renew.

declare namespace api {
  /** Take an invitation up. */
  interface Accept {
    invitation: string;
  }

  /** A command that is on record, the first of its events by number. */
  interface Answered {
    type: "answered";
    key: string;
    seq: number;
    repeated?: boolean;
  }

  /** The house closes the socket, and why. */
  interface Bye {
    type: "bye";
    code: string;
    message: string;
  }

  /** A rulebook with some of its values changed, to be solved. */
  interface Changed {
    rulebook: string;
    set?: Record<string, string>;
  }

  /** A button: a command ready to be sent, in words. */
  interface Choice {
    says: string;
    command: Record<string, any>;
    costs?: number;
    clause?: string | null;
    key?: string;
  }

  /** A place on the layout for a wager. */
  interface Circle {
    wager: string;
    title: string;
    shape: "circle" | "diamond" | "sensor";
    equals?: string;
    later?: boolean;
    times?: number[];
    table?: string;
    pays?: PayLine[];
    clause?: string | null;
  }

  /** Do something at the table; sent again under its key it counts once. */
  interface Do {
    type: "do";
    key: string;
    command: any;
    expect?: number | null;
  }

  /** Come to a table, as the first thing on a socket. */
  interface Enter {
    type: "enter";
    ticket: string;
    table: string;
    role?: string;
    since?: number | null;
    version?: 1 | 2;
  }

  /** The table as it lies for somebody who just came, and what happened since the event known. */
  interface Entered {
    type: "entered";
    seq: number;
    role: string;
    sight: Sight;
    moments?: Moment[];
    missed?: boolean;
  }

  /** A hand as it lies for everyone: how many cards, and their faces once they are turned. */
  interface HandSeen {
    cards: number;
    faces: string[];
    wagers: Record<string, string>;
    tips?: Record<string, string>;
    coupon?: string;
    folded?: boolean;
    played?: boolean;
    racked?: boolean;
    void?: boolean;
  }

  /** Say by which handle one wants to be known. */
  interface Introduce {
    handle: string;
  }

  /** A person, and the token that shows it is that person. */
  interface Introduced {
    person: Person;
    token: string;
  }

  /** A link that gives a role once. */
  interface Invitation {
    link: string;
    invitation: string;
  }

  /** Ask for a link that gives somebody a role at a table. */
  interface Invite {
    table: string;
    role: "dealer" | "floor" | "player" | "surveillance";
  }

  /** The table as it lies: everything that is face up or said aloud. */
  interface Layout {
    rulebook: string;
    section: string;
    step: string;
    turn: number;
    round: number;
    betting: string;
    board: string[];
    board_down: number;
    dealer: string[];
    dealer_cards: number;
    seats: SeatSeen[];
    rack: number;
    meters: Record<string, string>;
    settled: Paid[];
    dealer_keeps?: string[];
    exposed?: [string, string[]][];
    payouts?: number;
    challenged?: number;
    void?: string;
    held?: Record<number, [string, string]>;
  }

  /** One event on record, as everybody may see it. */
  interface Moment {
    seq: number;
    event: Record<string, any>;
    tells?: string;
    script?: Words[];
    clause?: string | null;
  }

  /** A wish that is not granted; nothing was done. */
  interface NotTaken {
    type: "refused";
    refused: Refusal[];
    key?: string;
    seq?: number;
    sight?: Sight | null;
  }

  /** Open a table. */
  interface OpenTable {
    rulebook: string;
    name?: string;
    mode?: string;
    tables?: Record<string, string>;
    limits?: Record<string, Record<string, string>>;
    house?: Record<string, any>;
    leave_out?: string[];
    bots?: SeatedBot[];
    clock?: number;
    pace?: "brisk" | "normal" | "unhurried";
    dealer?: "machine" | "person";
  }

  /** A wager settled, as everyone sees it. */
  interface Paid {
    seat: number;
    hand: number;
    wager: string;
    stake: string;
    result: string;
    back: string;
    odds: string | null;
    clause: string | null;
    for_dealer?: boolean;
    cut?: string;
  }

  /** A line of a pay table as it is printed. */
  interface PayLine {
    hand: string;
    pays: string;
    clause: string | null;
  }

  /** Somebody the house knows, and what that person may be at which table. */
  interface Person {
    handle: string;
    roles?: Record<string, ("dealer" | "floor" | "player" | "surveillance")[]>;
  }

  /** Ask whether the house is there. */
  interface Ping {
    type: "ping";
  }

  /** A position at a table, as the lobby shows it. */
  interface Place {
    seat: number;
    player?: string;
    kind?: "bot" | "person" | null;
  }

  /** The house is there. */
  interface Pong {
    type: "pong";
    seq: number;
  }

  /** Say that the seat has wagered what it wants, or has seen the round that is over. */
  interface Ready {
    type: "ready";
    ready?: boolean;
    round?: number | null;
    why?: "bets" | "next" | null;
  }

  /** One reason why a round is not settled or an act not accepted. */
  interface Refusal {
    code: string;
    clause: string | null;
    where: string;
    message: string;
  }

  /** A round that breaks a rule: every reason at once, nothing settled. */
  interface Refused {
    refused: Refusal[];
  }

  /** A position as everyone sees it. */
  interface SeatSeen {
    seat: number;
    player: string;
    chips: string;
    hands: HandSeen[];
    seated?: boolean;
    light?: boolean;
    lammer?: boolean;
  }

  /** A program that plays at a table. */
  interface SeatedBot {
    style?: "beginner" | "best" | "practical" | "random";
    seat?: number;
  }

  /** A hand as it was turned up; it stays readable when the cards are racked. */
  interface SeenHand {
    seat: number;
    hand: number;
    cards: string[];
    reads?: string;
    plays?: string[];
  }

  /** A wager settled, with its reason. */
  interface SeenLine {
    seat: number;
    hand: number;
    wager: string;
    stake: number;
    result: string;
    odds: string;
    net: number;
    why: string;
    clause: string | null;
    cut?: number;
    for_dealer?: boolean;
  }

  /** The round as it was seen so far by everybody. */
  interface SeenRound {
    number?: number;
    seal?: string;
    deck?: string;
    board?: string[];
    dealer?: string[];
    dealer_reads?: string;
    dealer_plays?: string[];
    qualifies?: boolean | null;
    hands?: SeenHand[];
    acts?: Record<number, string>;
    bets?: Record<number, Record<string, number>>;
    lines?: SeenLine[];
    payouts?: Record<string, string>;
    net?: Record<number, number>;
    void?: string;
    closed?: boolean;
  }

  /** All that somebody sees of a table now. */
  interface Sight {
    layout: Layout;
    yours: Yours;
    waits: Waits;
    people: Record<number, Sitter>;
    seen: SeenRound;
  }

  /** Who sits at a seat, and whether somebody answers for it. */
  interface Sitter {
    kind: "bot" | "person";
    here?: boolean;
    leaves?: boolean;
  }

  /** A place on the layout where a seat may wager now: the least and the most, in cents. */
  interface Spot {
    wager: string;
    least: number;
    most: number | null;
    exact: boolean;
    beside: string[];
  }

  /** A table as the lobby shows it. */
  interface TableCard {
    table: string;
    name: string;
    rulebook: string;
    title: string;
    game: string;
    mode: string;
    limits: string;
    notes: string[];
    seats: Place[];
    meters: Record<string, string>;
    round: number;
    clock: number;
    pace: "brisk" | "normal" | "unhurried";
    dealer: string;
    open: boolean;
  }

  /** The tables of a house. */
  interface TableCards {
    tables: TableCard[];
  }

  /** A table with everything the page draws it from. */
  interface TableSheet {
    card: TableCard;
    circles: Circle[];
    positions: number;
    cards: number;
    board: number;
    qualifies: string;
    signs: Record<string, PayLine[]>;
    chips: number[];
    given: Record<string, any>;
    hash: string;
  }

  /** A ticket: good once, for so many seconds. */
  interface Ticket {
    ticket: string;
    seconds: number;
  }

  /** What happened, and what changed in the viewer's sight: whole fields, by name. */
  interface Told {
    type: "told";
    seq: number;
    moments: Moment[];
    sight: Record<string, any>;
  }

  /** Whom the table waits for. */
  interface Waits {
    why: "bets" | "closed" | "dealer" | "decision" | "floor" | "next" | "players";
    seats?: number[];
    ready?: number[];
    seconds?: number | null;
  }

  /** Ask for a ticket with which a socket opens. */
  interface WantTicket {
    table: string;
  }

  /** A line of the dealer's script. */
  interface Words {
    says: string;
    clause?: string | null;
  }

  /** What only this viewer sees and may do. */
  interface Yours {
    seat?: number;
    cards?: string[][];
    choices?: Choice[];
    spots?: Spot[];
    chips?: number;
    reads?: string;
    salt_due?: boolean;
    notes?: Record<string, any>;
  }
}
