// Types of the page that no message definition gives: children of elements, the page's own elements, and
// the bodies of replies that the server composes without a message definition.

type Child = Node | string | number | boolean | null | undefined | Child[];
type ElementProps = Record<string, any>;

interface HTMLElementTagNameMap {
  "hw-actions": import("../../src/houseway/server/web/kit/actions.js").HwActions;
  "hw-card": HTMLElement;
  "hw-circle": HTMLElement;
  "hw-clause": HTMLElement;
  "hw-clock": HTMLElement;
  "hw-drawer": import("../../src/houseway/server/web/kit/drawer.js").HwDrawer;
  "hw-grid": HTMLElement;
  "hw-line": HTMLElement;
  "hw-meter": HTMLElement;
  "hw-money": HTMLElement;
  "hw-notice": HTMLElement;
  "hw-outcomes": HTMLElement;
  "hw-script": HTMLElement;
  "hw-reference": import("../../src/houseway/server/web/kit/reference.js").HwReference;
  "hw-scrubber": HTMLElement;
  "hw-seal": HTMLElement;
  "hw-seconds": HTMLElement;
  "hw-settings": HTMLElement;
}

declare namespace api {
  interface Clause {
    id: string;
    says: string;
    citation?: string;
    section?: string;
    reading?: string;
    conflicts?: string[];
    also?: string[];
    lines?: { hand: string; pays: string }[];
    rulebook?: string;
    fills?: string;
  }

  /** The house: who you are, what it says, what it can do. */
  interface House {
    you?: Person | null;
    notice: string;
    chips: number;
    styles: string[];
    solver: { ready: boolean; sentence: string };
  }

  interface RulebookEntry {
    id: string;
    title: string;
    place: string;
    game_title: string;
    clauses: number;
  }

  interface Rulebook {
    id: string;
    title: string;
    source: string;
    hash: string;
    clauses: Required<Clause>[];
    /** The topic of each section that has one. */
    sections: Record<string, string>;
    options: TableOptions;
    card: RulesCard;
  }

  /** What a rulebook leaves open for whoever opens a table. */
  interface TableOptions {
    modes: string[];
    positions: number;
    limits: Record<string, { min?: string | null; max?: string | null; minima: string[] }>;
    side_bets: { wager: string; title: string; modes: string[] }[];
    tables: Record<string, string[]>;
    in_use: Record<string, string>;
    linked_games: boolean;
    named_people: boolean;
    house: HouseSetting[];
  }

  interface HouseSetting {
    name: string;
    kind: string;
    about: string;
    wager?: string;
    choices: string[];
    low?: number;
    high?: number;
    example?: any;
    default?: any;
  }

  interface Cited<T> {
    value: T;
    title: string;
    clause?: string | Record<string, string> | null;
  }

  /** The rules card of a rulebook, as far as the steps of a round are told from it. */
  interface RulesCard {
    title: string;
    hand_size: number;
    wagers: Record<string, CardWager>;
    stages: { name: string; board: number; check: boolean; play: Cited<number[]> }[];
    options: Record<string, Cited<any>>;
    entry: Cited<string[][]>;
  }

  interface CardWager {
    title: string;
    on_own_cards: boolean;
    on_whole_table: boolean;
    optional: boolean;
    clause?: string | Record<string, string> | null;
    equals?: Cited<string> | null;
    rows: { when: Record<string, string | boolean>; result: string; odds: string; pays: string; clause?: string | null }[];
  }

  /** A stated value of a rulebook, in a comparison. */
  interface Stated {
    says: string;
    clause?: string;
    clauses?: string[];
    filled?: boolean;
  }

  interface Differences {
    a: string;
    b: string;
    rows: { title: string; same: boolean; a: Stated | null; b: Stated | null }[];
  }

  /** A value of the game that the lab can change. */
  interface LabControl {
    key: string;
    title: string;
    group: string;
    kind: string;
    value: string;
    book: string;
    choices: string[];
    clause?: string | null;
  }

  interface GridCell {
    hand: string;
    best: string;
    values: Record<string, number>;
    close: boolean;
  }

  interface Lab {
    ready: boolean;
    sentence: string;
    controls: LabControl[];
    edge: { ante: number; risk: number | null };
    average_bet?: number;
    deals?: string;
    seconds: number;
    grid: GridCell[];
  }

  interface Outcome {
    net: string;
    count: string;
    chance: number;
  }

  interface LabOutcomes {
    outcomes: Outcome[];
    actions: Record<string, string>;
    risk: number;
    sd: number;
    variance: number;
    average_bet: number;
  }

  /** A side bet; the last two fields are those of a progressive, in dollars by meter. */
  interface SideBet {
    edge: number;
    variance: number;
    seeds?: Record<string, string>;
    break_even?: Record<string, string[]>;
  }

  interface LabWagers {
    wagers: Record<string, Record<string, SideBet>>;
  }

  /** A kind of hand, and the deals in which each choice is best. */
  interface KindPlay {
    hand: string;
    deals: Record<string, string>;
  }

  interface LabStrategy {
    streets: Record<string, KindPlay[]>;
  }

  /** What the coach says of a decision. */
  interface Advice {
    ready: boolean;
    sentence?: string;
    hand?: string;
    stage?: string;
    ways?: string | number;
    choices: CoachedChoice[];
  }

  interface CoachedChoice {
    says: string;
    action: string;
    value: number;
    costs: number;
    best: boolean;
    close: boolean;
    dollars: string;
    cents: number;
    num: string;
    den: string;
  }

  interface RoundEntry {
    number: number;
    at: string;
    events: number;
    net: Record<number, number>;
    players?: Record<number, string>;
  }
}
