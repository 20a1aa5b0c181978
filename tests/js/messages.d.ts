// Generated from the message definitions by tests/js/message_types.py; run `make message-types` to renew.

declare namespace api {
  /** Accept an invitation. */
  interface Accept {
    invitation: string;
  }

  /** The view after an act, and the new entries: your act, and what the players did. */
  interface ActAnswer {
    view: ChairView;
    entries?: ChairEvent[];
    repeated?: boolean;
  }

  /** An act of the rulebook. The list of acts is the same at every moment. */
  interface ActOption {
    name: string;
    group: "cards" | "players" | "table" | "wagers";
    type: string;
    what?: string;
    asks?: string[];
    means?: string;
    key?: string;
    thing?: "" | "cover";
  }

  /** One act of the trainee. An act that is sent twice with the same key counts once. */
  interface ActRequest {
    key: string;
    act: Record<string, any>;
  }

  /** Answer a question, or one wager of it. */
  interface AnswerDrill {
    step: number;
    answers: Record<string, string>;
    time?: number;
  }

  /** Answer the current position. */
  interface AnswerSpot {
    step: number;
    choice: string;
    time?: number;
  }

  /** A command is on record; `seq` is the number of its first event. */
  interface Answered {
    type: "answered";
    key: string;
    seq: number;
    repeated?: boolean;
  }

  /** An attempt of a trainee at an exam. */
  interface AttemptResult {
    attempt: number;
    exam: string;
    rulebook: string;
    status: string;
    started_at: string;
    ended_at?: string;
    passed?: boolean | null;
    certificate?: boolean;
    session?: string;
    measures?: ResultMeasure[];
  }

  /** The reason why the house closes the socket. */
  interface Bye {
    type: "bye";
    code: string;
    message: string;
  }

  /** A line of a rules card with its clauses. */
  interface CardLine {
    text: string;
    clauses: string[];
  }

  /** Lines, or a table, of a rules card. */
  interface CardPart {
    title?: string;
    lines?: CardLine[];
    columns?: string[];
    rows?: CardRow[];
    foot?: string[][];
  }

  /** A row of a table of a rules card with its clauses. */
  interface CardRow {
    cells: string[];
    clauses?: string[];
  }

  /** A section of a rules card. */
  interface CardSection {
    title: string;
    for_staff: boolean;
    parts: CardPart[];
  }

  /** A category of an audition. */
  interface Category {
    name: string;
    points: number | null;
    seen: boolean;
    right: number;
    judged: number;
  }

  /** A deck, and its place on the table. */
  interface ChairDeck {
    back: string;
    stands: string;
    place: string;
    left?: number | null;
  }

  /** Something that happened in the dealer's sight: an act of yours, or of a player. */
  interface ChairEvent {
    number: number;
    time: number;
    who: string;
    words: string;
    type?: string;
    seat?: number;
    spoken?: string;
  }

  /** The felt at one moment. */
  interface ChairFelt {
    round: number;
    open: boolean;
    betting: string;
    board: string[];
    dealer: string[];
    kept?: string[];
    seats?: ChairSeat[];
    decks?: ChairDeck[];
    rack?: number;
    exposed?: ExposedPlace[];
    meters?: Record<string, number>;
    incidents?: SeenIncident[];
    payouts?: Record<string, string>;
  }

  /** A hand of a player, with its wagers. */
  interface ChairHand {
    cards?: string[];
    wagers?: Record<string, number>;
    tips?: Record<string, number>;
    coupon?: number;
    paid?: Record<string, Record<string, number>>;
    discards?: number;
    folded?: boolean;
    settled?: boolean;
    lammer?: boolean;
  }

  /** A seat with its player. */
  interface ChairSeat {
    seat: number;
    name: string;
    hands: ChairHand[];
    decision?: string;
    says?: string;
    lit?: boolean;
    keyed?: string;
  }

  /** A betting spot in front of the dealer. */
  interface ChairSpot {
    wager: string;
    title: string;
    shape: "circle" | "diamond" | "sensor";
    equals?: string;
    later?: boolean;
  }

  /** A training session as the dealer sees it. */
  interface ChairView {
    session: string;
    rulebook: string;
    title: string;
    mode: string;
    limits: string;
    notes: string[];
    tables: Record<string, string>;
    way: "live" | "training";
    progress: "aborted" | "open" | "over";
    round: number;
    rounds: number;
    judged: number;
    clock: number;
    felt: ChairFelt;
    tray: number[];
    spots: ChairSpot[];
    unplaced: Record<string, string>;
    places: number;
    hand_size: number;
    board_size: number;
    hands: string[];
    acts: ActOption[];
    irregularities: IrregularityKind[];
    announcements?: ChairEvent[];
    log?: ChairEvent[];
    stopped?: RulingForm | null;
    exam?: ExamView | null;
    scenario?: string;
    seed?: string;
    wakes?: number | null;
    place?: string;
    side_bets?: string[];
    dealt?: string;
  }

  /** The totals after a number of rounds. */
  interface ChartPoint {
    rounds: number;
    loss_per_100: LossRate;
    result: number;
    expected: number;
  }

  /** A choice: the text of its button, and the command to send. */
  interface Choice {
    says: string;
    command: Record<string, any>;
    costs?: number;
    clause?: string | null;
    key?: string;
    amount?: Spot | null;
    action?: string;
  }

  /** The reason for the best choice, as data. */
  interface ChoiceReason {
    kind: string;
    better: string;
    worse: string;
    gap: ExactNumber;
    figures: Record<string, number>;
    words: Record<string, string>;
  }

  /** A legal choice with its value in antes (in Texas Shootout: in wagers). */
  interface ChoiceValue {
    num: string;
    den: string;
    value: number;
    choice: string;
    title?: string;
    times?: number;
  }

  /** A betting spot of a live table, with what it pays. */
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

  /** A clause with its sentence. */
  interface CitedClause {
    clause: string;
    says: string;
    borrowed?: boolean;
    document?: string;
    section?: string;
    reading?: string;
  }

  /** A class. */
  interface ClassCard {
    id: string;
    name: string;
    instructor: string;
    yours: boolean;
    members: number;
    created_at: string;
    closed?: boolean;
    exam?: ExamSet | null;
  }

  /** The classes that you teach, and the classes that you have joined. */
  interface ClassCards {
    may_open: boolean;
    teaching: ClassCard[];
    joined: ClassCard[];
  }

  /** The link with which trainees join a class. It works for many trainees until it expires. */
  interface ClassInvitation {
    link: string;
    invitation: string;
    expires_at: string;
  }

  /** The result of leaving a class. */
  interface ClassLeft {
    left: boolean;
  }

  /** Name a trainee of a class. */
  interface ClassPerson {
    handle: string;
  }

  /** A class as a person sees it before joining. */
  interface ClassPreview {
    name: string;
    instructor: string;
    members: number;
    joined?: string;
  }

  /** A session of a trainee that the instructor of a class may watch. */
  interface ClassSession {
    trainee: string;
    session: TrainingCard;
  }

  /** The open sessions of the trainees of a class. */
  interface ClassSessions {
    sessions: ClassSession[];
  }

  /** A class with its trainees and results. A trainee sees only their own results. */
  interface ClassSheet {
    card: ClassCard;
    trainees: TraineeResults[];
    exams?: ExamChoice[];
    invited_until?: string;
  }

  /** Name a table of a class. */
  interface ClassTable {
    table: string;
  }

  /** The open tables at which trainees of a class play or deal. */
  interface ClassTables {
    tables: TableCard[];
  }

  /** Everything that the floor needs to decide a dispute about a closed round. */
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
    odds_wording?: string;
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

  /** A drill that can be started, with the person's progress in it. */
  interface DrillChoice {
    drill: "chips" | "hands" | "next" | "order" | "payouts" | "rulings";
    title: string;
    about: string;
    count: number;
    level?: number;
    known?: number;
    due?: number;
    weak?: string[];
  }

  /** A betting spot of a drill's table. */
  interface DrillCircle {
    wager: string;
    title: string;
    shape: "circle" | "diamond" | "sensor";
    equals?: string;
    later?: boolean;
  }

  /** The cards and wagers on the felt. */
  interface DrillFelt {
    board?: string[];
    dealer?: string[];
    dealer_down?: number;
    dealer_reads?: string;
    exposed?: string[];
    hands?: DrillHand[];
  }

  /** The figures of a drill. */
  interface DrillFigures {
    answered: number;
    right: number;
    late: number;
    median: number;
    per_minute: number;
    groups: DrillGroup[];
  }

  /** The answers of one kind. */
  interface DrillGroup {
    group: string;
    right: number;
    answered: number;
    median: number;
  }

  /** A player's hand on the felt. */
  interface DrillHand {
    seat: number;
    hand?: number;
    cards?: string[];
    down?: number;
    folded?: boolean;
    wagers?: Record<string, number>;
    reads?: string;
  }

  /** The drills of a rulebook. */
  interface DrillMenu {
    rulebook: string;
    title: string;
    modes: string[];
    drills: DrillChoice[];
    next_due?: string;
  }

  /** A progressive meter. */
  interface DrillMeter {
    wager: string;
    title: string;
    name: string;
    cents: number;
  }

  /** The last wrong answer. */
  interface DrillMiss {
    number: number;
    title: string;
    sentence: string;
    clause?: string | null;
  }

  /** One thing to answer. */
  interface DrillPart {
    name: string;
    title: string;
    form: "amount" | "choice" | "payment" | "sequence" | "stack";
    choices?: string[];
    seat?: number;
    hand?: number;
    wager?: string;
  }

  /** The grade of one part. */
  interface DrillPartGrade {
    part: string;
    is_right: boolean;
    given: string;
    sentence: string;
    judged?: boolean;
    again?: boolean;
    right?: string;
    sum?: string;
    amount?: number;
    paid?: number;
    clause?: string | null;
    time?: number;
    late?: boolean;
    order?: string[];
  }

  /** The answers of a drill so far. */
  interface DrillProgress {
    marks: ("late" | "right" | "wrong")[];
    figures: DrillFigures;
    miss?: DrillMiss | null;
    level?: number;
  }

  /** A question, without its answer. */
  interface DrillQuestion {
    number: number;
    asks: string;
    mode: string;
    level: number;
    parts: DrillPart[];
    scope?: "" | "hand" | "table" | "wager";
    notes?: string[];
    tables?: TableInUse[];
    meters?: DrillMeter[];
    limit?: number;
    speech?: string[];
    felt?: DrillFelt | null;
    stack?: Record<number, number>;
    repeats?: boolean;
  }

  /** The grade of an answer, and the next question if the answer completed one. */
  interface DrillReply {
    step: number;
    parts: DrillPartGrade[];
    progress: DrillProgress;
    complete: boolean;
    next?: DrillQuestion | null;
    summary?: DrillSummary | null;
  }

  /** A drill with its current question. */
  interface DrillState {
    session: string;
    rulebook: string;
    title: string;
    drill: "chips" | "hands" | "next" | "order" | "payouts" | "rulings";
    scope: "" | "hand" | "table" | "wager";
    mode: string;
    count: number;
    step: number;
    tray: number[];
    circles: DrillCircle[];
    progress: DrillProgress;
    question?: DrillQuestion | null;
    settled?: DrillPartGrade[];
    summary?: DrillSummary | null;
  }

  /** The result of a finished drill. */
  interface DrillSummary {
    over: number;
    short: number;
    weak: string[];
    level: number;
  }

  /** An earlier attempt of the same person at the same exam. */
  interface EarlierAttempt {
    started: string;
    outcome: string;
    record: string;
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

  /** Erase your own progress. This cannot be undone, so the request must say so in words. */
  interface EraseProgress {
    confirm: "erase my progress";
  }

  /** The exams that the same person started, and erased before this one. */
  interface ErasedAttempts {
    count: number;
    at: string;
  }

  /** An exact number: a fraction and its decimal approximation. */
  interface ExactNumber {
    num: string;
    den: string;
    value: number;
  }

  /** An exam that you can take. */
  interface ExamCard {
    exam: string;
    title: string;
    about: string;
    hash: string;
    rounds: number;
    players: number;
    certificate: boolean;
    seconds: number;
  }

  /** The exams and the scenarios. */
  interface ExamCards {
    exams: ExamCard[];
    scenarios?: Record<string, string>;
  }

  /** An exam that an instructor can set. */
  interface ExamChoice {
    id: string;
    title: string;
  }

  /** One measure of an exam, with its limit. */
  interface ExamMeasure {
    name: string;
    column: string;
    label: string;
    shown: string;
    detail: string;
    limit_shown: string;
    value: number;
    limit: number | null;
    at_least: boolean;
  }

  /** The result of an exam. Amounts are in cents and times in milliseconds. */
  interface ExamResult {
    exam: string;
    title: string;
    exam_hash: string;
    rulebook: string;
    rulebook_title: string;
    rulebook_hash: string;
    game: string;
    mode: string;
    players: number;
    rounds: number;
    finished: number;
    trainee: string;
    examiner: string;
    started: string;
    ended: string;
    outcome: string;
    passed: boolean;
    certificate: boolean;
    measures: ExamMeasure[];
    failures: string[];
    slips: SlipLine[];
    categories: Category[];
    round_times: RoundTime[];
    irregularities: string[];
    absent: string[];
    impossible: string[];
    incidents: Incident[];
    earlier: EarlierAttempt[] | null;
    erased: ErasedAttempts | null;
    seed_known: boolean;
    commitment: string;
    seed: string;
    salt: string;
    record: string;
    terms: string[];
    terms_hash: string;
    rulebook_note: string;
  }

  /** The exam that is set for a class. */
  interface ExamSet {
    exam: string;
    title: string;
    rulebook: string;
    rulebook_title: string;
    set_at: string;
    mode?: string;
  }

  /** The result of an exam, and what its score sheet needs besides. */
  interface ExamSheet {
    session: string;
    result: ExamResult;
    score: number;
    within: Record<string, boolean>;
    bars: Record<string, [number, number]>;
    facts: SheetFact[];
    signed?: boolean;
    place?: string;
    game_title?: string;
  }

  /** What you may know about an exam while it runs: no answer, no judgement and no seed. */
  interface ExamView {
    exam: string;
    title: string;
    exam_hash: string;
    commitment: string;
    state: string;
    left: number | null;
    examiner: string;
  }

  /** Cards that lie face up although they should be hidden. */
  interface ExposedPlace {
    place: string;
    cards: string[];
  }

  /** A player whose rounds a file has. */
  interface FilePlayer {
    title: string;
    player?: string;
    seat?: number;
  }

  /** A family of mistakes, as a watcher reports it. */
  interface FindFamily {
    key: string;
    title: string;
    hint: string;
    has_amount?: boolean;
    has_wager?: boolean;
    has_place?: boolean;
  }

  /** The judgement of the current round. */
  interface FindJudgementReply {
    session: string;
    round: number;
    judgement: MistakeJudgement;
    tally: FindTally;
    over?: boolean;
  }

  /** Start a session. */
  interface FindMistake {
    rulebook: string;
    mode?: string;
    level?: number;
    rounds?: number;
  }

  /** The current round of a session, without its answer. */
  interface FindRoundReply {
    session: string;
    round: number;
    rounds: number;
    level: number;
    families: FindFamily[];
    places: string[];
    replay: WatchedRound;
    tally: FindTally;
    judged?: MistakeJudgement | null;
  }

  /** The results of the rounds so far. */
  interface FindTally {
    rounds?: number;
    right?: number;
    inexact?: number;
    missed?: number;
    false_calls?: number;
    notice?: number | null;
  }

  /** One part of a report, compared with the answer. */
  interface GradedPart {
    name: "amount" | "moment" | "place" | "seat" | "wager" | "what";
    yours: string;
    right: string;
    is_right: boolean;
  }

  /** A role that a person has at a table. */
  interface Grant {
    handle: string;
    table: string;
    role: "dealer" | "examiner" | "floor" | "player" | "surveillance";
    granted_by: string;
    granted_at: string;
    expires_at: string;
  }

  /** The roles at a table, or at every table. */
  interface Grants {
    grants: Grant[];
  }

  /** A class of hands with an example. */
  interface HandExampleReply {
    name: string;
    cards: string[];
    says: string;
    clause: string;
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

  /** The newest head of a table's record, and the hash after the number of events in the request. */
  interface HeadAnswer {
    head: RecordHead;
    chain_at?: string;
  }

  /** An event for the operator and the floor supervisor, such as a database that does not answer. */
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

  /** A rule of the house on a point that the document leaves open. */
  interface HouseRuleLine {
    rule: string;
    clause?: string | null;
  }

  /** House rules of one kind. */
  interface HouseRuleTopic {
    heading: string;
    rules: HouseRuleLine[];
  }

  /** The house rules of a table, which a trainee reads before an exam. */
  interface HouseRules {
    topics: HouseRuleTopic[];
  }

  /** The result of an import. If there are problems or players to choose from, nothing was imported. */
  interface ImportResult {
    imported: number;
    known: number;
    problems?: WrongRow[];
    more_problems?: number;
    players?: FilePlayer[];
  }

  /** Import rounds from a file: an exported record, a hand history, a CSV file or your own export. */
  interface ImportRounds {
    name: string;
    text: string;
    rulebook?: string;
    player?: string;
    seat?: number;
  }

  /** Something that happened to the exam itself: a lost connection, a reconnection, an abort. */
  interface Incident {
    time: number;
    kind: string;
    why: string;
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
    role: "dealer" | "examiner" | "floor" | "player" | "surveillance";
  }

  /** A kind of irregularity that the rulebook has a rule for. The list is the same at every moment. */
  interface IrregularityKind {
    kind: string;
    means: string;
    asks?: string[];
  }

  /** An irregularity that the trainee reports. */
  interface IrregularityReport {
    kind: string;
    at?: string;
    which?: number;
    count?: number | null;
    device?: string;
  }

  /** The house that signs. */
  interface Issuer {
    id: string;
    name: string;
    url?: string;
    status?: string;
  }

  /** Join a class, or look at it first. */
  interface JoinClass {
    invitation: string;
  }

  /** One question of a ruling: your answer, the right one and the clause. */
  interface JudgedRow {
    question: string;
    given: string;
    right: string;
    judged: boolean;
    is_right: boolean;
    clause?: CitedClause | null;
    also?: string[];
  }

  /** The public keys of an issuer, the oldest first. */
  interface KeyList {
    kind: string;
    format: number;
    issuer: Issuer;
    keys: PublicKeyPeriod[];
  }

  /** The cost of one kind of position, in antes per 100 rounds, with its 95 % interval. */
  interface KindPart {
    kind: string;
    street: string;
    words: string;
    does: string;
    should: string;
    seen: number;
    errors: number;
    lost: ExactNumber;
    cost_per_100: number;
    low: number;
    high: number;
    leak: boolean;
    does_title?: string;
    should_title?: string;
  }

  /** Request to solve a rulebook with some values changed. */
  interface LabRequest {
    rulebook: string;
    set?: Record<string, string>;
  }

  /** A choice that the learner may make. */
  interface LessonOption {
    choice: string;
    title: string;
    effect: string;
    key: string;
    costs: number;
    clause?: string | null;
  }

  /** One idea of a lesson, with the events that lead to it and the choices that follow. */
  interface LessonPageReply {
    title: string;
    says: string;
    clauses: string[];
    updates: Update[];
    wagers?: string[];
    shows?: "" | "hands";
    choices?: LessonOption[];
    chosen?: string;
  }

  /** A round of a lesson up to the next choice, or to its end. */
  interface LessonReply {
    lesson: string;
    title: string;
    about: string;
    rulebook: string;
    round: number;
    rounds: string[];
    sheet: TableSheet;
    view: View;
    pages: LessonPageReply[];
    fresh: number;
    over: boolean;
  }

  /** A line of the round's log. */
  interface LogLine {
    text: string;
    clause?: string | null;
  }

  /** A loss per 100 rounds, with its 95 % interval. */
  interface LossRate {
    num: string;
    den: string;
    value: number;
    low: number;
    high: number;
  }

  /** Results split into luck and choices, in antes. */
  interface LuckPart {
    rounds: number;
    result: ExactNumber;
    expected: ExactNumber;
    house_edge: ExactNumber;
    choices: ExactNumber;
    limits: ExactNumber;
    luck: ExactNumber;
    spread?: number | null;
    deviations?: number | null;
  }

  /** The planted mistake; the name is empty if there was none. */
  interface MistakeAnswer {
    name?: string;
    family?: string;
    title?: string;
    seat?: number;
    wager?: string;
    amount?: number;
    step?: number;
    facts?: string[];
    clause?: string | null;
    sentence?: string;
  }

  /** The judgement of a report, with the answer. */
  interface MistakeJudgement {
    outcome: "false call" | "inexact" | "missed" | "right";
    parts: GradedPart[];
    answer: MistakeAnswer;
    says: string;
    notice?: number | null;
  }

  /** A watcher's report. An empty family reports that there was no mistake. */
  interface MistakeReport {
    family?: string;
    seat?: number;
    place?: string;
    wager?: string;
    amount?: number | null;
    step?: number;
    unknown?: ("amount" | "place" | "seat" | "wager")[];
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

  /** Open a class. */
  interface OpenClass {
    name: string;
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
    designated?: string[];
  }

  /** The same irregularity in another rulebook. */
  interface OtherRulebook {
    rulebook: string;
    title: string;
    words: string;
    clause?: string | null;
    place?: string;
  }

  /** A settled wager of a round, in cents. */
  interface OutcomeWager {
    wager: string;
    hand: number;
    stake: number;
    net: number;
    clause?: string | null;
    title?: string;
  }

  /** One of a person's own attempts at an exam of a class. */
  interface OwnAttempt {
    attempt: number;
    exam: string;
    rulebook: string;
    status: string;
    started_at: string;
    ended_at?: string;
  }

  /** A class that a person has joined, and the person's attempts in it. */
  interface OwnClass {
    id: string;
    name: string;
    instructor: string;
    attempts?: OwnAttempt[];
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
    roles?: Record<string, ("dealer" | "examiner" | "floor" | "player" | "surveillance")[]>;
  }

  /** A starting hand in a picture. */
  interface PictureHand {
    hand: string;
    plays: boolean;
    yours: boolean;
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

  /** A person's totals over many rounds of one game. */
  interface PlayTotals {
    rounds: number;
    decisions: number;
    errors: number;
    close: number;
    close_lost: ExactNumber;
    lost: ExactNumber;
    lost_cents: ExactNumber;
    loss_per_100: LossRate;
    streets: StreetPart[];
    luck: LuckPart;
    side_bets: SideBetTotal[];
    leaks: KindPart[];
    kinds: KindPart[];
    series: ChartPoint[];
  }

  /** A game that a person has played. A game is a rulebook with pay tables and payout limits. */
  interface PlayedGame {
    game: string;
    rulebook: string;
    title: string;
    rounds: number;
    value?: ExactNumber | null;
  }

  /** The review of one round of a person. */
  interface PlayedReview {
    id: string;
    source: "import" | "table";
    table: string;
    name: string;
    rulebook: string;
    rulebook_title: string;
    round: number;
    seat: number;
    player: string;
    at: string;
    stake: number;
    unit: string;
    decisions: ReviewedChoice[];
    loss: ExactNumber;
    loss_cents: ExactNumber;
    outcome?: ReviewedOutcome | null;
    split?: ResultParts | null;
    unknown?: number;
    streets?: string[];
    number?: number;
    rounds?: number;
    before?: string;
    after?: string;
  }

  /** The rules card of a rulebook or of a table: pay tables, limits, betting points, clauses. */
  interface PlayersCard {
    rulebook: string;
    title: string;
    source: string;
    table: string;
    sections: CardSection[];
    hash: string;
  }

  /** The reply to a ping. */
  interface Pong {
    type: "pong";
    seq: number;
  }

  /** The practice that a rulebook offers, with the person's rating. */
  interface PracticeMenu {
    rulebook: string;
    title: string;
    ready: boolean;
    sentence: string;
    counts: Record<"endless" | "exam" | "leaks" | "mixed" | "street" | "timed", number>;
    streets?: string[];
    kinds?: PracticeTopic[];
    themes?: PracticeTopic[];
    answered?: number;
    due?: number;
    weak?: boolean;
    ratings?: RatingReply[];
    edge?: string;
  }

  /** The analysis of an answer, and the next position. */
  interface PracticeReply {
    step: number;
    mark: "answered" | "close" | "right" | "wrong";
    marks?: ("answered" | "close" | "right" | "wrong")[];
    analysis?: SpotAnalysis | null;
    next?: PracticeSpot | null;
    result?: PracticeResult | null;
  }

  /** The score sheet of a finished session. Close calls count as neither right nor wrong. */
  interface PracticeResult {
    answered: number;
    graded: number;
    right: number;
    lost: string;
    reference: string;
    unit: string;
    median: number;
    streets: StreetResult[];
    mistakes: SpotMistake[];
    ratings: RatingReply[];
    edge: string;
  }

  /** A position, without its answer. */
  interface PracticeSpot {
    street: string;
    cards: string[];
    board: string[];
    wagers: string;
    choices: SpotChoice[];
    number?: number;
    badge?: string;
  }

  /** A practice session with its current position. */
  interface PracticeState {
    session: string;
    rulebook: string;
    title: string;
    mode: "endless" | "exam" | "leaks" | "mixed" | "street" | "timed";
    count: number;
    step: number;
    topic?: string;
    street?: string;
    kind?: string;
    theme?: string;
    marks?: ("answered" | "close" | "right" | "wrong")[];
    spot?: PracticeSpot | null;
    result?: PracticeResult | null;
  }

  /** A kind of position or a theme that can be practised. */
  interface PracticeTopic {
    name: string;
    words: string;
    streets: string[];
  }

  /** One entry of a person's progress, such as a drill or an exam. */
  interface ProgressEntry {
    seq: number;
    at: string;
    kind: string;
    format: number;
    body: any;
  }

  /** Everything that the server stores about a person's progress, as one document. */
  interface ProgressExport {
    format: string;
    version: number;
    handle: string;
    exported_at: string;
    erased_at: string[];
    entries: ProgressEntry[];
    classes: OwnClass[];
  }

  /** The result of erasing. */
  interface ProgressGone {
    erased: boolean;
    classes: number;
  }

  /** How much progress a person has stored. */
  interface ProgressSummary {
    handle: string;
    entries: number;
    bytes: number;
    most_entries: number;
    most_bytes: number;
    kinds: Record<string, number>;
    classes: number;
    first_at?: string;
    last_at?: string;
    erased_at?: string;
  }

  /** A public key, and the time in which it signed. Times are in seconds since 1970. */
  interface PublicKeyPeriod {
    kid: string;
    jwk: Record<string, string>;
    start: number;
    end?: number | null;
    withdrawn?: boolean;
  }

  /** The cards of one place (a hand, the board, the burn cards or the stub), in the order of the rack. */
  interface RackedHand {
    place: string;
    cards: string[];
    count: number;
    reads?: string;
    differs?: boolean;
  }

  /** A person's rating on one ladder. */
  interface RatingReply {
    ladder: string;
    about: string;
    decisions: number;
    least: number;
    words: string;
    skill?: number | null;
    low?: number | null;
    high?: number | null;
  }

  /** Report that the player has finished betting, or has seen the result of the round. */
  interface Ready {
    type: "ready";
    ready?: boolean;
    round?: number | null;
    why?: "bets" | "next" | null;
    seat?: number | null;
  }

  /** The signed head of a table's record: its number of events and its last hash. Keep it: a later record of the table must contain it. */
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

  /** Ask to see an answered position again in a later session. */
  interface RepeatSpot {
    number: number;
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

  /** Report the mistake of the current round. */
  interface ReportMistake {
    round: number;
    report: MistakeReport;
    used?: number;
    shown?: number[];
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

  /** A measure of an exam, as the results show it. */
  interface ResultMeasure {
    name: string;
    label: string;
    shown: string;
    limit: string;
    passed: boolean;
  }

  /** The result of a round, split into the house edge, luck and choices. The parts add up exactly. */
  interface ResultParts {
    steps: SplitPart[];
    house_edge: ExactNumber;
    luck: ExactNumber;
    choices: ExactNumber;
    limits: ExactNumber;
    result: ExactNumber;
    side_bets: SideBetPart[];
    other: number;
  }

  /** One input of a round, and the felt after it. */
  interface ReviewStep {
    event: ChairEvent;
    felt: ChairFelt;
  }

  /** A decision with the value of each choice, the loss of the choice made, and the reason. */
  interface ReviewedChoice {
    street: string;
    hole: string[];
    board: string[];
    choice: string;
    by: string;
    choices: ChoiceValue[];
    best: string;
    loss: ExactNumber;
    close: boolean;
    kind: string;
    kind_words: string;
    verdict: string;
    reason: ChoiceReason;
    because: string;
    position?: string;
    hand?: string;
    start?: string;
  }

  /** The end of a round, in cents. */
  interface ReviewedOutcome {
    board: string[];
    dealer: string[];
    net: number;
    void: boolean;
    wagers: OutcomeWager[];
    dealer_reads?: string;
    reads?: string;
  }

  /** Take a role at a table from a person. */
  interface RevokeRole {
    handle: string;
    table: string;
    role: "dealer" | "examiner" | "floor" | "player" | "surveillance";
  }

  /** The judgement of a closed round. */
  interface RoundReview {
    session: string;
    round: number;
    slips: number;
    over: number;
    under: number;
    words: string;
    verdicts: VerdictView[];
    before: ChairFelt;
    steps: ReviewStep[];
    unjudged?: string[];
  }

  /** The time that a round took, and its slips. */
  interface RoundTime {
    time: number;
    slips: number;
    late: boolean;
    over_time: boolean;
  }

  /** A wager that a void round still settles. */
  interface RuledWager {
    seat: number;
    wager: string;
    hand: string;
    cents: number;
  }

  /** A ruling, judged row by row; during an exam, only the view. */
  interface RulingAnswer {
    view: ChairView;
    rows?: JudgedRow[];
    happened?: string;
    noticed?: number;
    returned?: number;
    returned_yours?: number;
    board?: string[];
    settled?: RuledWager[];
    others?: OtherRulebook[];
    repeated?: boolean;
  }

  /** The questions that a report raises. They do not depend on the right ruling. */
  interface RulingForm {
    report: IrregularityReport;
    time: number;
    questions: RulingQuestion[];
    hands?: string;
  }

  /** An effect that a supervisor's ruling may have. */
  interface RulingOption {
    effect: string;
    means: string;
    asks?: string[];
  }

  /** A question of a ruling, and the possible answers. */
  interface RulingQuestion {
    question: string;
    answers: string[];
  }

  /** A report of an irregularity, or the ruling on it. */
  interface RulingRequest {
    key: string;
    irregularity?: IrregularityReport | null;
    answers?: Record<string, string> | null;
  }

  /** The score of the closed rounds. */
  interface ScoreView {
    session: string;
    rounds: number;
    slips: number;
    slips_per_round: number;
    kinds: Record<string, number>;
    clauses: Record<string, number>;
    over: number;
    under: number;
    gross: number;
    net: number;
    corrected: number;
    payments: number;
    payments_right: number;
    payments_per_minute: number;
    payment_time: number;
    hands_read: number;
    hands_read_right: number;
    irregularities: number;
    reported: number;
    time: number;
    rounds_per_hour: number;
    lines: string[];
  }

  /** A line of the script: words or an action of the dealer. */
  interface ScriptLine {
    says: string;
    clause: string | null;
    spoken: string;
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
    times?: number;
  }

  /** A bot to seat at a table. */
  interface SeatedBot {
    style?: "beginner" | "best" | "practical" | "random";
    seat?: number;
  }

  /** Something that a dealer can see or hear, and that no card or wager shows. */
  interface SeenIncident {
    place: string;
    words: string;
  }

  /** Set the exam of a class; without an exam, remove it. */
  interface SetExam {
    exam?: string;
    rulebook?: string;
    mode?: string;
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

  /** A position that has a link: one that a person shares, or the daily position. */
  interface SharedPosition {
    link: string;
    rulebook: string;
    title: string;
    spot: PracticeSpot;
    date?: string;
  }

  /** A fact besides the score, such as the earlier attempts, as the score sheet prints it. */
  interface SheetFact {
    name: string;
    words: string;
  }

  /** Cards that a slip is about, as codes such as "As", and their place. */
  interface ShownCards {
    place: string;
    cards: string[];
    owner: string;
  }

  /** A side bet of a round, in cents. `expected` and `luck` are null if they depend on more than the rulebook. */
  interface SideBetPart {
    wager: string;
    hand: number;
    stake: number;
    net: number;
    expected?: ExactNumber | null;
    luck?: ExactNumber | null;
    title?: string;
  }

  /** A side bet over many rounds, in cents. */
  interface SideBetTotal {
    wager: string;
    staked: number;
    net: number;
    expected?: ExactNumber | null;
    title?: string;
  }

  /** The file of a revocation list: the list, with the key that signed it and the signature. */
  interface SignedList {
    list: Record<string, any>;
    kid: string;
    signature: string;
  }

  /** The occupant of a seat, and whether the occupant is connected. */
  interface Sitter {
    kind: "bot" | "person";
    here?: boolean;
    leaves?: boolean;
  }

  /** A rating over the dealt decisions at the server's tables, in logits. */
  interface SkillReply {
    decisions: number;
    words: string;
    skill?: number | null;
    low?: number | null;
    high?: number | null;
  }

  /** One slip, as the sheet prints it. */
  interface SlipLine {
    round: number;
    kind: string;
    did: string;
    right: string;
    heading: string;
    sentence: string;
    amount: number;
    clause: string;
    says: string;
    document: string;
    section: string;
    cured: boolean;
    seat: number;
    cards: ShownCards[];
    wager: string;
    stake: number;
    shape: string;
    paid: number;
    drill: string;
  }

  /** A step from the start of a round to its result, in antes. */
  interface SplitPart {
    num: string;
    den: string;
    value: number;
    cause: string;
    choice: string;
    title?: string;
  }

  /** A wager that a seat may make now, with its minimum and maximum in cents. */
  interface Spot {
    wager: string;
    least: number;
    most: number | null;
    exact: boolean;
    beside: string[];
  }

  /** An answered position: the values, the verdict and the reason. */
  interface SpotAnalysis {
    verdict: "close" | "right" | "wrong";
    sentence: string;
    because: string[];
    hand: string;
    unit: string;
    stake: number;
    values: SpotValue[];
    kind: string;
    themes: string[];
    link: string;
    picture?: SpotPicture | null;
  }

  /** A choice, as it is on a button. */
  interface SpotChoice {
    choice: string;
    title: string;
    effect: string;
    key: string;
  }

  /** A wrong answer on a score sheet. */
  interface SpotMistake {
    number: number;
    street: string;
    cards: string[];
    board: string[];
    yours: string;
    best: string;
    lost: string;
    link: string;
  }

  /** The picture of a reason: cards that beat you, the dealer's hands, or the hands of a family. */
  interface SpotPicture {
    form: "cards" | "hands" | "line";
    against?: string[];
    ahead?: number;
    ties?: number;
    behind?: number;
    line?: PictureHand[];
  }

  /** The exact value of a choice, in antes (in Texas Shootout: in wagers). */
  interface SpotValue {
    choice: string;
    num: string;
    den: string;
    value: number;
    text: string;
    dollars: string;
    best: boolean;
    yours: boolean;
  }

  /** Start a drill. */
  interface StartDrill {
    rulebook: string;
    drill: "chips" | "hands" | "next" | "order" | "payouts" | "rulings";
    scope?: "" | "hand" | "table" | "wager";
    mode?: string;
    seed?: string;
  }

  /** Start a practice session. */
  interface StartPractice {
    rulebook: string;
    mode?: "endless" | "exam" | "leaks" | "mixed" | "street" | "timed";
    street?: string;
    kind?: string;
    theme?: string;
    seed?: string;
  }

  /** The revoked certificates as Open Badges 3.0 publishes them, without a signature. */
  interface StatusList {
    id: string;
    issuer: string;
    revokedCredential: Record<string, any>[];
  }

  /** The decisions of one street. */
  interface StreetPart {
    street: string;
    decisions: number;
    errors: number;
    close: number;
    lost: ExactNumber;
    loss_per_100: ExactNumber;
  }

  /** The answers on one street. */
  interface StreetResult {
    street: string;
    graded: number;
    right: number;
    lost: string;
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
    place?: string;
  }

  /** The tables of a house. */
  interface TableCards {
    tables: TableCard[];
  }

  /** A wager and the pay table that is used for it. */
  interface TableInUse {
    wager: string;
    title: string;
    table: string;
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
    back?: string;
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

  /** What a player looks up at a table of a rulebook. */
  interface TableWords {
    rulebook: string;
    hands: HandExampleReply[];
    words: WordReply[];
  }

  /** Play a round of a lesson with these choices. The server keeps nothing of it. */
  interface TakeLesson {
    round?: number;
    choices?: string[];
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

  /** A trainee of a class, and the trainee's attempts. */
  interface TraineeResults {
    handle: string;
    joined_at: string;
    erased_at?: string;
    erased_attempts?: number;
    attempts?: AttemptResult[];
  }

  /** A training session in a list. */
  interface TrainingCard {
    session: string;
    rulebook: string;
    title: string;
    mode: string;
    way: "live" | "training";
    progress: "aborted" | "open" | "over";
    rounds: number;
    judged: number;
    opened_at: string;
    exam?: string;
    class_id?: string;
    outcome?: string;
    scenario?: string;
  }

  /** Your training sessions, newest first. */
  interface TrainingCards {
    sessions: TrainingCard[];
  }

  /** Open a training session. */
  interface TrainingRequest {
    rulebook: string;
    mode?: string;
    tables?: Record<string, string>;
    limits?: Record<string, Record<string, string>>;
    house?: Record<string, any>;
    seats?: number;
    rounds?: number;
    way?: "live" | "training";
    scenario?: string;
    seed?: string;
    exam?: string;
    class_id?: string;
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

  /** The judgement of one act, or of an act that was missed. */
  interface VerdictView {
    entry: number;
    time: number;
    kind: string;
    right: boolean;
    words: string;
    did?: string;
    due?: string;
    clause?: CitedClause | null;
    amount?: number;
    money?: string;
    cured?: boolean;
    seat?: number;
    paid?: number;
    drill?: string;
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

  /** One event of a replay. Parts that are left out did not change. */
  interface WatchStep {
    number: number;
    time: number;
    phase: string;
    by: "dealer" | "player" | "table";
    says: string;
    seat?: number;
    spoken?: string;
    hands?: WatchedHand[];
    board?: string[] | null;
    dealer?: string[] | null;
  }

  /** A player's hand with its wagers, as it lies on the felt. */
  interface WatchedHand {
    seat: number;
    hand?: number;
    cards?: string[];
    wagers?: Record<string, number>;
    paid?: Record<string, number>;
    folded?: boolean;
  }

  /** A player at the table. */
  interface WatchedPlayer {
    seat: number;
    name: string;
  }

  /** A replay of one round. */
  interface WatchedRound {
    rulebook: string;
    title: string;
    mode: string;
    notes: string[];
    positions: number;
    players: WatchedPlayer[];
    spots: WatchedSpot[];
    chips: number[];
    steps: WatchStep[];
    duration: number;
    tables?: TableInUse[];
  }

  /** A betting spot of a replay. */
  interface WatchedSpot {
    wager: string;
    title: string;
    shape: "circle" | "diamond" | "sensor";
    equals?: string;
    later?: boolean;
  }

  /** A word of the game and its meaning. */
  interface WordReply {
    word: string;
    meaning: string;
  }

  /** A line of the dealer's script. */
  interface Words {
    says: string;
    clause?: string | null;
    spoken?: string;
  }

  /** One thing that is wrong with a file. */
  interface WrongRow {
    row: number;
    sentence: string;
    column?: string;
  }

  /** A person's play: the games, and the totals of one of them. */
  interface YourPlay {
    games: PlayedGame[];
    rounds: number;
    since?: string;
    period?: "30-days" | "all" | "last-100";
    game?: string;
    totals?: PlayTotals | null;
    rating?: SkillReply | null;
    reviewed?: number;
    skipped?: number;
    problem?: string;
    full?: boolean;
    last?: string;
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
