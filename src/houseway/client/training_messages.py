"""The messages of the dealer's training chair.

A view has only what a dealer can see. It never depends on hidden cards, nor on the act that is due. Amounts
are whole cents, times are milliseconds since the session started, and a card is two characters, or an empty
text if it lies face down.
"""

from __future__ import annotations

from typing import Any, Literal

from houseway.client.messages import BettingSpot, Reply, Request

Way = Literal["training", "live"]
"""In training a wrong act happens and is judged after the round. In the live way it is refused."""
Group = Literal["cards", "players", "wagers", "table"]
Progress = Literal["open", "over", "aborted"]

FACE_DOWN = ""
"""A card that lies face down."""


# --- requests ---


class TrainingRequest(Request, frozen=True):
    """Open a training session."""

    rulebook: str
    mode: str = ""
    """The deal mode; by default the one that offers more kinds of wagers."""
    tables: dict[str, str] = {}  # noqa: RUF012
    """Pay tables by wager."""
    limits: dict[str, dict[str, str]] = {}  # noqa: RUF012
    house: dict[str, Any] = {}  # noqa: RUF012
    """House settings."""
    seats: int = 3
    rounds: int = 5
    way: Way = "training"
    scenario: str = ""
    """The name of a scenario; empty for regular players and no incidents."""
    seed: str = ""
    """Sessions with the same seed have the same cards and wagers; by default the server chooses a seed."""
    exam: str = ""
    """The id of an exam. It sets seats, rounds, scenario and way; the server seals the seed. An exam has
    the usual pay tables, limits and house settings."""
    class_id: str = ""
    """The id of a class whose exam you take. The class sets exam, rulebook and mode."""


class ActRequest(Request, frozen=True):
    """One act of the trainee. An act that is sent twice with the same key counts once."""

    key: str
    act: dict[str, Any]
    """The act: its `type` as in the list of acts, and the fields that this type asks for."""


class IrregularityReport(Request, frozen=True):
    """An irregularity that the trainee reports."""

    kind: str
    at: str = ""
    """"seat 3", "dealer", "board", "deck", or empty."""
    which: int = 0
    """The number of the card, from 1; 0 if no card is named."""
    count: int | None = None
    device: str = ""


class RulingRequest(Request, frozen=True):
    """A report of an irregularity, or the ruling on it.

    Without answers, play stops and the reply has the form. With answers, the ruling is judged and play
    continues.
    """

    key: str
    irregularity: IrregularityReport | None = None
    """The report; None if play has already stopped for one."""
    answers: dict[str, str] | None = None
    """The answer to each question of the form."""


# --- the table from the dealer's side ---


class ChairHand(Reply, frozen=True):
    """A hand of a player, with its wagers."""

    cards: tuple[str, ...] = ()
    wagers: dict[str, int] = {}  # noqa: RUF012
    """The wagers on the layout."""
    tips: dict[str, int] = {}  # noqa: RUF012
    coupon: int = 0
    paid: dict[str, dict[str, int]] = {}  # noqa: RUF012
    """The chips that you paid in this round, by wager: count by chip value in cents."""
    discards: int = 0
    """The number of discarded cards beside the hand."""
    folded: bool = False
    settled: bool = False
    """True if the hand had wagers in this round and none is left on the layout."""
    lammer: bool = False


class ChairSeat(Reply, frozen=True):
    """A seat with its player."""

    seat: int
    name: str
    hands: tuple[ChairHand, ...]
    decision: str = ""
    """The player's last decision in this round: "2×, $50", "checks" or "folds"."""
    says: str = ""
    """The last words of the player, unless they are a bet or a decision."""
    lit: bool = False
    """True if the light of the progressive sensor is on."""
    keyed: str = ""
    """The award on the keypad."""


class ChairDeck(Reply, frozen=True):
    """A deck, and its place on the table."""

    back: str
    stands: str
    """"received", "stack", "shoe", "machine", "device", "spread" or "off"."""
    place: str
    """The place in words: "in the shoe"."""
    left: int | None = None
    """The cards left to deal; None if the dealer cannot see them."""


class ExposedPlace(Reply, frozen=True):
    """Cards that lie face up although they should be hidden."""

    place: str
    cards: tuple[str, ...]


class ChairFelt(Reply, frozen=True):
    """The felt at one moment."""

    round: int
    """The number of the round at the table; 0 before the first one."""
    open: bool
    """True while a round is open."""
    betting: str
    """"open", "closed", or empty."""
    board: tuple[str, ...]
    dealer: tuple[str, ...]
    kept: tuple[str, ...] = ()
    """The two cards that the dealer plays, once the hand is set."""
    seats: tuple[ChairSeat, ...] = ()
    decks: tuple[ChairDeck, ...] = ()
    rack: int = 0
    """The number of cards in the discard rack."""
    exposed: tuple[ExposedPlace, ...] = ()
    meters: dict[str, int] = {}  # noqa: RUF012
    """Cents on the display of each progressive meter."""
    incidents: tuple[SeenIncident, ...] = ()
    """What the dealer can see besides cards and wagers: a machine that stops, a card beside the deck."""
    payouts: dict[str, str] = {}  # noqa: RUF012
    """The odds of Cover All on the machine's display in this round, by hand, best hand first."""


class ChairSpot(BettingSpot, frozen=True):
    """A betting spot in front of the dealer."""


class ActOption(Reply, frozen=True):
    """An act of the rulebook. The list of acts is the same at every moment."""

    name: str
    """The label of the button."""
    group: Group
    type: str
    """The type of the act in a request, such as "Pay"."""
    what: str = ""
    """For "TakeStep": the field `what` of the act."""
    asks: tuple[str, ...] = ()
    """The other fields of the act."""
    means: str = ""
    key: str = ""
    """The suggested key; empty if the act has none."""
    thing: Literal["", "cover"] = ""
    """"cover" for an act with the cover card, which then lies on the felt."""


class IrregularityKind(Reply, frozen=True):
    """A kind of irregularity that the rulebook has a rule for. The list is the same at every moment."""

    kind: str
    means: str
    asks: tuple[str, ...] = ()
    """The fields of a report of this kind: "at", "which", "count" or "device"."""


class ChairEvent(Reply, frozen=True):
    """Something that happened in the dealer's sight: an act of yours, or of a player."""

    number: int
    """The number of the input since the session started."""
    time: int
    who: str
    """"you", "seat 3", "table", or "trainer" for what the program had to do in your place."""
    words: str
    type: str = ""
    """For an act of yours: its type, as in the list of acts."""
    seat: int = 0
    """The seat of the player, or the seat that your act names; 0 if there is none."""
    spoken: str = ""
    """Your announcement, if the act is one: "seat 3: pair of kings, player wins"."""


class RulingQuestion(Reply, frozen=True):
    """A question of a ruling, and the possible answers."""

    question: str
    answers: tuple[str, ...]


class RulingForm(Reply, frozen=True):
    """The questions that a report raises. They do not depend on the right ruling."""

    report: IrregularityReport
    time: int
    """The time of the report. Play has stopped."""
    questions: tuple[RulingQuestion, ...]
    hands: str = ""
    """The number of cards in each hand, in words, if you reported a wrong count of the stub."""


class ExamView(Reply, frozen=True):
    """What you may know about an exam while it runs: no answer, no judgement and no seed."""

    exam: str
    title: str
    exam_hash: str
    commitment: str
    """SHA-256 of the seed and its salt. Both are opened at the end."""
    state: str
    """"running", "finished", "out of time" or "aborted"."""
    left: int | None
    """The milliseconds that are left; None if the exam has no time limit."""
    examiner: str


class SeenIncident(Reply, frozen=True):
    """Something that a dealer can see or hear, and that no card or wager shows."""

    place: str
    words: str


class ChairView(Reply, frozen=True):
    """A training session as the dealer sees it."""

    session: str
    rulebook: str
    title: str
    mode: str
    limits: str
    """The limits in words: "$5 to $100"."""
    notes: tuple[str, ...]
    """The side bets with their pay tables, and how the cards are dealt."""
    tables: dict[str, str]
    """The posted pay tables by wager."""
    way: Way
    progress: Progress
    round: int
    """The round that is being dealt, from 1."""
    rounds: int
    judged: int
    """The number of closed rounds. During an exam it says nothing about the judgement."""
    clock: int
    felt: ChairFelt
    tray: tuple[int, ...]
    """The chip values of the tray in cents, smallest first."""
    spots: tuple[ChairSpot, ...]
    """The places for wagers on each player's layout."""
    unplaced: dict[str, str]
    """The wagers that have no place on the layout, with their titles, such as envy."""
    places: int
    """The number of seats on the layout."""
    hand_size: int
    """The number of cards that the dealer gets."""
    board_size: int
    """The number of community cards."""
    hands: tuple[str, ...]
    """The classes of hands that can be announced, highest first."""
    acts: tuple[ActOption, ...]
    irregularities: tuple[IrregularityKind, ...]
    announcements: tuple[ChairEvent, ...] = ()
    """The last words at the table in this round."""
    log: tuple[ChairEvent, ...] = ()
    """What you did since this round opened, or since the last one closed: at most the last 200 acts."""
    stopped: RulingForm | None = None
    """The form of a report, while play is stopped for it."""
    exam: ExamView | None = None
    scenario: str = ""
    seed: str = ""
    """The seed, once the session is over. It decides the cards."""
    wakes: int | None = None
    """Milliseconds until something may happen by itself; None if nothing will."""
    place: str = ""
    """The short name of the rulebook, from its title: "Massachusetts"."""
    side_bets: tuple[str, ...] = ()
    """The side bets with their pay tables, as in `notes`."""
    dealt: str = ""
    """How the cards are dealt, if the rulebook has several deal modes: "dealt by hand"."""


class ActAnswer(Reply, frozen=True):
    """The view after an act, and the new entries: your act, and what the players did."""

    view: ChairView
    entries: tuple[ChairEvent, ...] = ()
    repeated: bool = False
    """True if an act with this key had already been counted."""


class TrainingCard(Reply, frozen=True):
    """A training session in a list."""

    session: str
    rulebook: str
    title: str
    mode: str
    way: Way
    progress: Progress
    rounds: int
    judged: int
    opened_at: str
    exam: str = ""
    class_id: str = ""
    outcome: str = ""
    """The result of an exam that is over: "passed", "not passed", "aborted" or "out of time"."""
    scenario: str = ""


class TrainingCards(Reply, frozen=True):
    """Your training sessions, newest first."""

    sessions: tuple[TrainingCard, ...]


class ExamCard(Reply, frozen=True):
    """An exam that you can take."""

    exam: str
    title: str
    about: str
    hash: str
    rounds: int
    players: int
    certificate: bool
    seconds: int
    """The time limit; 0 if there is none."""


class ExamCards(Reply, frozen=True):
    """The exams and the scenarios."""

    exams: tuple[ExamCard, ...]
    scenarios: dict[str, str] = {}  # noqa: RUF012
    """The scenarios, with what happens in them."""


class HouseRuleTopic(Reply, frozen=True):
    """House rules of one kind."""

    heading: str
    rules: tuple[HouseRuleLine, ...]


class HouseRuleLine(Reply, frozen=True):
    """A rule of the house on a point that the document leaves open."""

    rule: str
    clause: str | None = None


class HouseRules(Reply, frozen=True):
    """The house rules of a table, which a trainee reads before an exam."""

    topics: tuple[HouseRuleTopic, ...]


# --- after a round ---


class CitedClause(Reply, frozen=True):
    """A clause with its sentence."""

    clause: str
    says: str
    borrowed: bool = False
    """True if the document is silent and a clause of another document applies."""
    document: str = ""
    """The short name of the clause's document; empty if no document says it."""
    section: str = ""
    """The section of the document, such as "14(a)"."""
    reading: str = ""
    """How the program reads a clause that leaves something open."""


class VerdictView(Reply, frozen=True):
    """The judgement of one act, or of an act that was missed."""

    entry: int
    time: int
    kind: str
    """"right", "disputed" or the kind of a slip."""
    right: bool
    words: str
    """The verdict as a sentence."""
    did: str = ""
    due: str = ""
    """The right act, as an instruction; empty if nothing was due."""
    clause: CitedClause | None = None
    amount: int = 0
    """Cents paid beyond the amount due; negative if the player got too little."""
    money: str = ""
    """Deprecated: `amount` in words, "$7.50 underpaid"."""
    cured: bool = False
    seat: int = 0
    """The seat that it is about; 0 if it is about none."""
    paid: int = 0
    """The cents that you paid; 0 if the act was no payment."""
    drill: str = ""
    """The drill that practises it, such as "payouts"."""


class ReviewStep(Reply, frozen=True):
    """One input of a round, and the felt after it."""

    event: ChairEvent
    felt: ChairFelt


class RoundReview(Reply, frozen=True):
    """The judgement of a closed round."""

    session: str
    round: int
    slips: int
    over: int
    """Cents paid too much and not corrected."""
    under: int
    """Cents paid too little and not corrected."""
    words: str
    verdicts: tuple[VerdictView, ...]
    before: ChairFelt
    """The felt before the first step."""
    steps: tuple[ReviewStep, ...]
    unjudged: tuple[str, ...] = ()
    """Conduct of players that the document does not say how to handle."""


class ScoreView(Reply, frozen=True):
    """The score of the closed rounds."""

    session: str
    rounds: int
    slips: int
    slips_per_round: float
    kinds: dict[str, int]
    clauses: dict[str, int]
    over: int
    under: int
    gross: int
    net: int
    corrected: int
    payments: int
    payments_right: int
    payments_per_minute: float
    payment_time: int
    hands_read: int
    hands_read_right: int
    irregularities: int
    reported: int
    time: int
    rounds_per_hour: float
    lines: tuple[str, ...]
    """The score in sentences."""


class JudgedRow(Reply, frozen=True):
    """One question of a ruling: your answer, the right one and the clause."""

    question: str
    given: str
    right: str
    judged: bool
    """False if the document does not answer the question."""
    is_right: bool
    clause: CitedClause | None = None
    also: tuple[str, ...] = ()
    """Other right answers."""


class OtherRulebook(Reply, frozen=True):
    """The same irregularity in another rulebook."""

    rulebook: str
    title: str
    words: str
    clause: str | None = None
    place: str = ""
    """The short name of the rulebook, from its title: "Massachusetts"."""


class RuledWager(Reply, frozen=True):
    """A wager that a void round still settles."""

    seat: int
    wager: str
    hand: str
    """The name of the player's hand with the whole board."""
    cents: int
    """Cents that the player wins; negative if the player loses."""


class RulingAnswer(Reply, frozen=True):
    """A ruling, judged row by row; during an exam, only the view."""

    view: ChairView
    rows: tuple[JudgedRow, ...] = ()
    happened: str = ""
    """What really happened, if the report named something else; empty if the report is right."""
    noticed: int = 0
    """Milliseconds from the irregularity to the report."""
    returned: int = 0
    """Cents that go back to the players by the rulebook."""
    returned_yours: int = 0
    """Cents that go back by your ruling."""
    board: tuple[str, ...] = ()
    """The completed board, if the rulebook completes it in a void round."""
    settled: tuple[RuledWager, ...] = ()
    """The wagers that the rulebook settles on that board."""
    others: tuple[OtherRulebook, ...] = ()
    repeated: bool = False
