// Generated from the message definitions by tests/js/message_types.py; run `make message-types` to renew.

declare namespace api {
  /** Accept an invitation. */
  interface Accept {
    invitation: string;
  }

  /** A command is on record; `seq` is the number of its first event. */
  interface Answered {
    type: "answered";
    key: string;
    seq: number;
    repeated?: boolean;
  }

  /** The reason why the house closes the socket. */
  interface Bye {
    type: "bye";
    code: string;
    message: string;
  }

  /** A choice: the text of its button, and the command to send. */
  interface Choice {
    says: string;
    command: Record<string, any>;
    costs?: number;
    clause?: string | null;
    key?: string;
    amount?: Spot | null;
  }

  /** A betting spot on the layout. */
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

  /** A closed round, with everything that the floor needs to decide a dispute. */
  interface Dispute {
    stream: string;
    number: number;
    at: string;
    title: string;
    rulebook: string;
    hands: RackedHand[];
    wagers: DisputedWager[];
    seats: DisputedSeat[];
    difference: number;
    seal?: string;
    proved?: number;
    notes?: string[];
  }

  /** The totals of one seat, in cents. */
  interface DisputedSeat {
    seat: number;
    player: string;
    paid: number;
    due: number | null;
    difference: number;
  }

  /** A wager of the round, with the amount paid and the amount due in cents. */
  interface DisputedWager {
    seat: number;
    hand: number;
    wager: string;
    stake: number;
    result: string;
    paid: number;
    due: number | null;
    difference: number;
    clause?: string | null;
    odds?: string;
    reason?: string;
    for_dealer?: boolean;
  }

  /** Send a command to the table. A command that is sent twice with the same key counts once. */
  interface Do {
    type: "do";
    key: string;
    command: any;
    expect?: number | null;
  }

  /** Enter a table. This is the first message on a socket. */
  interface Enter {
    type: "enter";
    ticket: string;
    table: string;
    role?: string;
    since?: number | null;
    version?: 2;
  }

  /** The table for a viewer who enters, and the events after the last one that the viewer knows. */
  interface Entered {
    type: "entered";
    seq: number;
    role: string;
    view: View;
    updates?: Update[];
    missed?: boolean;
  }

  /** A role that a person has at a table. */
  interface Grant {
    handle: string;
    table: string;
    role: "dealer" | "floor" | "player" | "surveillance";
    granted_by: string;
    granted_at: string;
    expires_at: string;
  }

  /** The roles at a table, or at every table. */
  interface Grants {
    grants: Grant[];
  }

  /** A hand as everyone sees it: how many cards it has, and their faces once they are turned up. */
  interface HandView {
    cards?: number;
    faces?: string[];
    reads?: string;
    plays?: string[];
    wagers?: Record<string, number>;
    tips?: Record<string, number>;
    coupon?: number;
    folded?: boolean;
    played?: boolean;
    racked?: boolean;
    void?: boolean;
  }

  /** The newest head of a table's record, and the chain after as many events as the request names. */
  interface HeadAnswer {
    head: RecordHead;
    chain_at?: string;
  }

  /** Something that the operator and the floor should know, such as a database that does not answer. */
  interface HouseEvent {
    at: string;
    event: string;
    message: string;
    table?: string;
  }

  /** The last significant events, newest first. */
  interface HouseEvents {
    events: HouseEvent[];
  }

  /** A line of the dealer's house way. */
  interface HouseLine {
    keeps: string;
    clause?: string | null;
  }

  /** Register a handle. */
  interface Introduce {
    handle: string;
  }

  /** A person, and the token that authenticates that person. */
  interface Introduced {
    person: Person;
    token: string;
  }

  /** A single-use link that gives a role. */
  interface Invitation {
    link: string;
    invitation: string;
  }

  /** Request a link that gives a role at a table. */
  interface Invite {
    table: string;
    role: "dealer" | "floor" | "player" | "surveillance";
  }

  /** Request to solve a rulebook with some values changed. */
  interface LabRequest {
    rulebook: string;
    set?: Record<string, string>;
  }

  /** A line of the round's log. */
  interface LogLine {
    text: string;
    clause?: string | null;
  }

  /** The part of a view for the dealer, the floor or surveillance. */
  interface Notes {
    next?: string;
    cards?: number;
    script?: ScriptLine[];
    waits_for?: string;
    tips?: number;
    approval?: string;
    minima?: Record<string, number>;
    kept?: Record<number, number>;
    decks?: [string, string, string][];
    house?: number | null;
    rack?: Pile[];
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
    link?: string;
    bots?: SeatedBot[];
    clock?: number;
    pace?: "brisk" | "normal" | "unhurried";
    dealer?: "machine" | "person";
    purpose?: "live" | "training";
    backs?: string[];
  }

  /** A line of a pay table, as printed. */
  interface PayLine {
    hand: string;
    pays: string;
    clause: string | null;
  }

  /** A person the house knows, and the roles that person has. */
  interface Person {
    handle: string;
    roles?: Record<string, ("dealer" | "floor" | "player" | "surveillance")[]>;
  }

  /** A group of cards in the rack: the place they came from, and their faces if known. */
  interface Pile {
    what: string;
    count: number;
    faces: string[];
  }

  /** Check that the server still answers. */
  interface Ping {
    type: "ping";
  }

  /** A position at a table, as the lobby shows it. */
  interface Place {
    seat: number;
    player?: string;
    kind?: "bot" | "person" | null;
    held?: string;
  }

  /** The reply to a ping. */
  interface Pong {
    type: "pong";
    seq: number;
  }

  /** The cards of one hand, the board, the burn or the stub, in the order in which they were racked. */
  interface RackedHand {
    place: string;
    cards: string[];
    count: number;
    reads?: string;
    differs?: boolean;
  }

  /** Report that the player has finished betting, or has seen the result of the round. */
  interface Ready {
    type: "ready";
    ready?: boolean;
    round?: number | null;
    why?: "bets" | "next" | null;
    seat?: number | null;
  }

  /** The signed end of a table's record. Keep it: a later record of the table must contain it. */
  interface RecordHead {
    stream: string;
    events: number;
    chain: string;
    signature: string;
    key: string;
  }

  /** Sign in with a recovery link. */
  interface Recover {
    recovery: string;
  }

  /** A single-use link that signs you in on another device, and the hours for which it is valid. */
  interface Recovery {
    link: string;
    recovery: string;
    hours: number;
  }

  /** One reason why a round or a command is refused. */
  interface Refusal {
    code: string;
    clause: string | null;
    where: string;
    message: string;
  }

  /** A round that was not settled, with every reason. */
  interface Refused {
    refused: Refusal[];
  }

  /** A request was refused and changed nothing. */
  interface Rejected {
    type: "refused";
    refused: Refusal[];
    key?: string;
    seq?: number;
    view?: View | null;
  }

  /** A round as a role saw it: the view after the first event, and an update for each event. The first update has no patch. */
  interface Replay {
    table: string;
    name: string;
    rulebook: string;
    title: string;
    number: number;
    at: string;
    seen_as: string;
    roles: string[];
    phases: Record<string, any>[];
    story: Record<string, any>[];
    view: View;
    updates: Update[];
  }

  /** An irregularity that the rulebook has a rule for. */
  interface ReportOption {
    kind: string;
    means: string;
    places?: ReportPlace[];
    asks?: Record<string, string>;
  }

  /** A place that a report may name. */
  interface ReportPlace {
    place: string;
    cards?: number[];
  }

  /** Take a role at a table from a person. */
  interface RevokeRole {
    handle: string;
    table: string;
    role: "dealer" | "floor" | "player" | "surveillance";
  }

  /** An effect that a supervisor's ruling may have. */
  interface RulingOption {
    effect: string;
    means: string;
    asks?: string[];
  }

  /** A line of the script: words or an action of the dealer. */
  interface ScriptLine {
    says: string;
    clause: string | null;
  }

  /** A seat as everyone sees it. */
  interface SeatView {
    player: string;
    chips: number;
    hands: Record<number, HandView>;
    seated?: boolean;
    light?: boolean;
    lammer?: boolean;
    lammers?: number[];
    act?: string;
    bets?: Record<string, number>;
  }

  /** A bot to seat at a table. */
  interface SeatedBot {
    style?: "beginner" | "best" | "practical" | "random";
    seat?: number;
  }

  /** A settled wager, in cents, with the reason for its result. */
  interface SettledWager {
    seat: number;
    hand: number;
    wager: string;
    stake: number;
    result: string;
    net: number;
    odds?: string;
    reason?: string;
    clause?: string | null;
    cut?: number;
    cut_clause?: string;
    for_dealer?: boolean;
    coupon?: number;
  }

  /** The occupant of a seat, and whether the occupant is connected. */
  interface Sitter {
    kind: "bot" | "person";
    here?: boolean;
    leaves?: boolean;
  }

  /** A wager that a seat may make now, with its minimum and maximum in cents. */
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
    meters: Record<string, number>;
    round: number;
    clock: number;
    pace: "brisk" | "normal" | "unhurried";
    dealer: string;
    open: boolean;
    link?: string;
  }

  /** The tables of a house. */
  interface TableCards {
    tables: TableCard[];
  }

  /** A table with everything the page needs to draw it. */
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
    house_way?: HouseLine[];
    more_positions?: boolean;
  }

  /** Everything at a table that is face up or said aloud. */
  interface TableView {
    rulebook: string;
    section: string;
    round: number;
    step?: string;
    turn?: number;
    turns?: number[];
    betting?: string;
    seal?: string;
    commitments?: Record<number, string>;
    players_cut?: string;
    deck?: string;
    board?: string[];
    board_down?: number;
    dealer?: string[];
    dealer_cards?: number;
    dealer_keeps?: string[];
    dealer_line?: string;
    dealer_reads?: string;
    dealer_plays?: string[];
    qualifies?: boolean | null;
    seats?: Record<number, SeatView>;
    rack?: number;
    meters?: Record<string, number>;
    settled?: Record<number, SettledWager>;
    net?: Record<number, number>;
    payouts?: Record<string, string>;
    payout_hands?: number;
    exposed?: [string, string[]][];
    challenged?: number;
    emptied?: boolean;
    void?: boolean;
    closed?: boolean;
    held?: Record<number, [string, string]>;
  }

  /** A single-use ticket to open a socket, and the seconds for which it is valid. */
  interface Ticket {
    ticket: string;
    seconds: number;
  }

  /** Request a ticket to open a socket. */
  interface TicketRequest {
    table: string;
  }

  /** The public part of a recorded event, and how it changes the viewer's view. */
  interface Update {
    seq: number;
    event?: Record<string, any> | null;
    sentences?: string[];
    aloud?: string[];
    script?: Words[];
    clause?: string | null;
    patch?: Record<string, any>;
  }

  /** New events at the table. `waits` and `people` are sent when they change. */
  interface Updated {
    type: "told";
    seq: number;
    updates?: Update[];
    waits?: Waits | null;
    people?: Record<number, Sitter> | null;
    view?: View | null;
    head?: RecordHead | null;
  }

  /** A table as one viewer sees it now. */
  interface View {
    table: TableView;
    yours: Yours;
    waits: Waits;
    people?: Record<number, Sitter>;
  }

  /** The reason why the table waits, and the seats that it waits for. */
  interface Waits {
    why: "bets" | "closed" | "dealer" | "decision" | "floor" | "next" | "players";
    seats?: number[];
    ready?: number[];
    seconds?: number | null;
    unavailable?: boolean;
    openings?: number[];
    stalled?: string;
  }

  /** A line of the dealer's script. */
  interface Words {
    says: string;
    clause?: string | null;
  }

  /** The part of a view that only this viewer sees: hidden cards and choices. */
  interface Yours {
    seat?: number;
    cards?: string[][];
    chips?: number;
    reads?: string;
    spots?: Spot[];
    tip_spots?: string[];
    coupons?: boolean;
    notes?: Notes | null;
    choices?: Choice[];
    reports?: ReportOption[];
    rulings?: RulingOption[];
    salt_due?: boolean;
    commit_due?: boolean;
    commitment?: string;
    openings?: Record<number, string>;
    log?: Record<number, LogLine>;
  }
}
