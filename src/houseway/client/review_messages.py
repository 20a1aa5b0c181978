"""The messages of round reviews and of "Your play": values, reasons, totals, leaks, and imports of rounds.

Exact numbers have a numerator and a denominator as text, and a decimal. No message contains
another seat's cards.
"""

from __future__ import annotations

from typing import Literal

from houseway.client.messages import Reply, Request

Period = Literal["all", "last-100", "30-days"]


class ExactNumber(Reply, frozen=True):
    """An exact number: a fraction and its decimal approximation."""

    # All three are always written, so they have no defaults.
    num: str
    den: str
    value: float


class ChoiceValue(ExactNumber, frozen=True):
    """A legal choice with its value in antes (in Texas Shootout: in wagers)."""

    choice: str
    title: str = ""
    """The choice as on a button: "Check", "Play 4×"."""
    times: int = 0
    """The antes that the choice plays; 0 if it plays none."""


class ChoiceReason(Reply, frozen=True):
    """The reason for the best choice, as data."""

    kind: str
    better: str
    worse: str
    gap: ExactNumber
    figures: dict[str, int]
    words: dict[str, str]


class ReviewedChoice(Reply, frozen=True):
    """A decision with the value of each choice, the loss of the choice made, and the reason."""

    street: str
    hole: tuple[str, ...]
    board: tuple[str, ...]
    """The community cards that were face up."""
    choice: str
    by: str
    """Empty if the player decided; otherwise what decided instead, such as "deadline"."""
    choices: tuple[ChoiceValue, ...]
    best: str
    loss: ExactNumber
    close: bool
    """True for a close call, which counts as neither right nor wrong."""
    kind: str
    kind_words: str
    verdict: str
    reason: ChoiceReason
    because: str
    """The reason in words."""
    position: str = ""
    """The position as a link text."""
    hand: str = ""
    """The hand in words."""
    start: str = ""
    """The starting hand, such as "J3o", before the flop."""


class OutcomeWager(Reply, frozen=True):
    """A settled wager of a round, in cents."""

    wager: str
    hand: int
    stake: int
    net: int
    clause: str | None = None
    title: str = ""


class ReviewedOutcome(Reply, frozen=True):
    """The end of a round, in cents."""

    board: tuple[str, ...]
    dealer: tuple[str, ...]
    """The dealer's cards, if they were turned up."""
    net: int
    void: bool
    wagers: tuple[OutcomeWager, ...]
    dealer_reads: str = ""
    """The dealer's hand in words."""
    reads: str = ""
    """Your hand in words."""


class SplitPart(ExactNumber, frozen=True):
    """A step from the start of a round to its result, in antes."""

    cause: str
    choice: str
    title: str = ""
    """The choice as on a button, if the cause is a choice."""


class SideBetPart(Reply, frozen=True):
    """A side bet of a round, in cents. `expected` and `luck` are null if they depend on more than the
    rulebook."""

    wager: str
    hand: int
    stake: int
    net: int
    expected: ExactNumber | None = None
    luck: ExactNumber | None = None
    title: str = ""


class ResultParts(Reply, frozen=True):
    """The result of a round, split into the house edge, luck and choices. The parts add up exactly."""

    steps: tuple[SplitPart, ...]
    house_edge: ExactNumber
    luck: ExactNumber
    choices: ExactNumber
    limits: ExactNumber
    result: ExactNumber
    side_bets: tuple[SideBetPart, ...]
    other: int


class PlayedReview(Reply, frozen=True):
    """The review of one round of a person."""

    id: str
    source: Literal["table", "import"]
    table: str
    name: str
    """The table's name, or the name of the imported file."""
    rulebook: str
    rulebook_title: str
    round: int
    seat: int
    player: str
    at: str
    stake: int
    """Cents of the ante, or of the wager in Texas Shootout."""
    unit: str
    """The wager in whose units values are stated."""
    decisions: tuple[ReviewedChoice, ...]
    loss: ExactNumber
    loss_cents: ExactNumber
    outcome: ReviewedOutcome | None = None
    split: ResultParts | None = None
    """Null if the round has no such split, for example because it was void."""
    unknown: int = 0
    """The number of decisions with unknown cards, which are left out."""
    streets: tuple[str, ...] = ()
    """The streets of the game, in order."""
    number: int = 0
    """The place of the round among all your rounds, from 1."""
    rounds: int = 0
    before: str = ""
    """The ID of the round before; empty if there is none."""
    after: str = ""


class LossRate(ExactNumber, frozen=True):
    """A loss per 100 rounds, with its 95 % interval."""

    low: float
    high: float


class StreetPart(Reply, frozen=True):
    """The decisions of one street."""

    street: str
    decisions: int
    errors: int
    close: int
    lost: ExactNumber
    loss_per_100: ExactNumber


class LuckPart(Reply, frozen=True):
    """Results split into luck and choices, in antes."""

    rounds: int
    result: ExactNumber
    expected: ExactNumber
    house_edge: ExactNumber
    choices: ExactNumber
    limits: ExactNumber
    luck: ExactNumber
    spread: float | None = None
    """The standard deviation of luck under best play; null if it is not known."""
    deviations: float | None = None
    """Luck in standard deviations."""


class SideBetTotal(Reply, frozen=True):
    """A side bet over many rounds, in cents."""

    wager: str
    staked: int
    net: int
    expected: ExactNumber | None = None
    title: str = ""


class KindPart(Reply, frozen=True):
    """The cost of one kind of position, in antes per 100 rounds, with its 95 % interval."""

    kind: str
    street: str
    words: str
    does: str
    """The costliest choice; empty if there is no error."""
    should: str
    seen: int
    errors: int
    lost: ExactNumber
    cost_per_100: float
    low: float
    high: float
    leak: bool
    does_title: str = ""
    should_title: str = ""
    """The two choices as on their buttons."""


class ChartPoint(Reply, frozen=True):
    """The totals after a number of rounds."""

    rounds: int
    loss_per_100: LossRate
    result: float
    expected: float


class PlayTotals(Reply, frozen=True):
    """A person's totals over many rounds of one game."""

    rounds: int
    decisions: int
    errors: int
    close: int
    close_lost: ExactNumber
    lost: ExactNumber
    lost_cents: ExactNumber
    loss_per_100: LossRate
    streets: tuple[StreetPart, ...]
    luck: LuckPart
    side_bets: tuple[SideBetTotal, ...]
    leaks: tuple[KindPart, ...]
    """The leaks, costliest first."""
    kinds: tuple[KindPart, ...]
    series: tuple[ChartPoint, ...]


class SkillReply(Reply, frozen=True):
    """A rating over the dealt decisions at the server's tables, in logits."""

    decisions: int
    words: str
    skill: float | None = None
    """Null below 100 decisions."""
    low: float | None = None
    high: float | None = None
    """Null if the interval has no upper end."""


class PlayedGame(Reply, frozen=True):
    """A game that a person has played. A game is a rulebook with pay tables and payout limits."""

    game: str
    rulebook: str
    title: str
    rounds: int
    value: ExactNumber | None = None
    """The expected result of a round under best play, in antes; null if it has not been counted."""


class YourPlay(Reply, frozen=True):
    """A person's play: the games, and the totals of one of them."""

    games: tuple[PlayedGame, ...]
    """All games, most played first."""
    rounds: int
    """The rounds of all games."""
    since: str = ""
    """The time of the first round with a time."""
    period: Period = "all"
    game: str = ""
    """The game of `totals`; empty if there are no rounds."""
    totals: PlayTotals | None = None
    rating: SkillReply | None = None
    reviewed: int = 0
    """The rounds in the totals."""
    skipped: int = 0
    """The rounds of this game that cannot be reviewed, such as rounds with unknown cards."""
    problem: str = ""
    """The reason there are no totals, if the game cannot be valued yet."""
    full: bool = False
    """True if the server stores no more rounds for this person."""
    last: str = ""
    """The ID of the last round."""


class ImportRounds(Request, frozen=True):
    """Import rounds from a file: an exported record, a hand history, a CSV file or your own export."""

    name: str
    """The name of the file."""
    text: str
    rulebook: str = ""
    """The rulebook of a CSV file without a rulebook column."""
    player: str = ""
    """The player whose rounds are imported, if the file has several."""
    seat: int = 0
    """The seat whose rounds are imported, if the file has no names."""


class WrongRow(Reply, frozen=True):
    """One thing that is wrong with a file."""

    row: int
    """The number of the row or line, from 1."""
    sentence: str
    column: str = ""
    """Empty if the problem is not in one column."""


class FilePlayer(Reply, frozen=True):
    """A player whose rounds a file has."""

    title: str
    """The name, or the seat if the file has no names."""
    player: str = ""
    seat: int = 0


class ImportResult(Reply, frozen=True):
    """The result of an import. If there are problems or players to choose from, nothing was imported."""

    # Both counts are always written, so they have no defaults.
    imported: int
    known: int
    """The rounds that were stored before, and are not stored again."""
    problems: tuple[WrongRow, ...] = ()
    more_problems: int = 0
    """The number of problems that are not listed."""
    players: tuple[FilePlayer, ...] = ()
    """The players of the file, if it has several: send the file again with the name or the seat of one."""
