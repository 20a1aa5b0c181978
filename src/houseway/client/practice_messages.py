"""Messages of practice: start a session, answer a position, get its analysis and the next position.

No message about an unanswered position has a field for its values, its kind, its themes or its difficulty,
because they give the answer away.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from houseway.client.messages import Reply, Request

PracticeMode = Literal["mixed", "street", "leaks", "endless", "timed", "exam"]
SpotVerdict = Literal["right", "wrong", "close"]
SpotMark = Literal["right", "wrong", "close", "answered"]
PictureForm = Literal["cards", "hands", "line"]
ShortText = Annotated[str, Meta(max_length=100)]


class StartPractice(Request, frozen=True):
    """Start a practice session."""

    rulebook: ShortText
    mode: PracticeMode = "mixed"
    street: ShortText = ""
    """The street, for the mode "street"."""
    kind: ShortText = ""
    theme: ShortText = ""
    """The kind of position or the theme, for the mode "endless"."""
    seed: ShortText = ""
    """With the same seed, positions that do not return are the same; empty for a random seed."""


class AnswerSpot(Request, frozen=True):
    """Answer the current position."""

    step: Annotated[int, Meta(ge=0, le=10**6)]
    """The step of the session that the answer belongs to. A repeated request gets the same reply."""
    choice: ShortText
    time: Annotated[int, Meta(ge=0, le=10**9)] = 0
    """Milliseconds since the position was shown."""


class RepeatSpot(Request, frozen=True):
    """Ask to see an answered position again in a later session."""

    number: Annotated[int, Meta(ge=1, le=10**6)]


class RatingReply(Reply, frozen=True):
    """A person's rating on one ladder."""

    ladder: str
    about: str
    decisions: int
    """The number of decisions that count."""
    least: int
    """The least number of decisions for a rating."""
    words: str
    skill: float | None = None
    """None if there are not enough decisions."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval; without an upper end, `high` is None."""


class PracticeTopic(Reply, frozen=True):
    """A kind of position or a theme that can be practised."""

    name: str
    words: str
    streets: tuple[str, ...]


class PracticeMenu(Reply, frozen=True):
    """The practice that a rulebook offers, with the person's rating."""

    rulebook: str
    title: str
    ready: bool
    """False while the rulebook is being solved for the first time."""
    sentence: str
    """The reason practice is not ready."""
    counts: dict[PracticeMode, int]
    """The number of positions of a session; 0 for a session that you end yourself."""
    streets: tuple[str, ...] = ()
    kinds: tuple[PracticeTopic, ...] = ()
    themes: tuple[PracticeTopic, ...] = ()
    answered: int = 0
    due: int = 0
    """The number of missed positions that are due again."""
    weak: bool = False
    """True if the person has missed positions, so that there are weak kinds to practise."""
    ratings: tuple[RatingReply, ...] = ()
    edge: str = ""
    """The sentence about the house edge."""


class SpotChoice(Reply, frozen=True):
    """A choice, as it is on a button."""

    choice: str
    title: str
    effect: str
    """The amount that the choice bets or gives up."""
    key: str
    """The key that takes the choice."""


class PracticeSpot(Reply, frozen=True):
    """A position, without its answer."""

    street: str
    cards: tuple[str, ...]
    board: tuple[str, ...]
    wagers: str
    """The wagers on the felt, such as "Ante $10.00, blind $10.00"."""
    choices: tuple[SpotChoice, ...]
    number: int = 0
    badge: str = ""
    """The words that say that the cards were chosen; empty for dealt cards."""


class SpotValue(Reply, frozen=True):
    """The exact value of a choice, in antes (in Texas Shootout: in wagers)."""

    choice: str
    num: str
    den: str
    value: float
    text: str
    """The value with four decimals."""
    dollars: str
    best: bool
    yours: bool


class PictureHand(Reply, frozen=True):
    """A starting hand in a picture."""

    hand: str
    plays: bool
    yours: bool


class SpotPicture(Reply, frozen=True):
    """The picture of a reason: cards that beat you, the dealer's hands, or the hands of a family."""

    form: PictureForm
    against: tuple[str, ...] = ()
    ahead: int = 0
    ties: int = 0
    behind: int = 0
    line: tuple[PictureHand, ...] = ()


class SpotAnalysis(Reply, frozen=True):
    """An answered position: the values, the verdict and the reason."""

    verdict: SpotVerdict
    sentence: str
    """The verdict in words; empty if no choice was made."""
    because: tuple[str, ...]
    """The sentences of the reason."""
    hand: str
    """Your hand in words."""
    unit: str
    """ante or wager."""
    stake: int
    """The ante or the wager in cents."""
    values: tuple[SpotValue, ...]
    kind: str
    themes: tuple[str, ...]
    link: str
    """The link of the position, for others."""
    picture: SpotPicture | None = None


class SpotMistake(Reply, frozen=True):
    """A wrong answer on a score sheet."""

    number: int
    street: str
    cards: tuple[str, ...]
    board: tuple[str, ...]
    yours: str
    best: str
    lost: str
    link: str


class StreetResult(Reply, frozen=True):
    """The answers on one street."""

    street: str
    graded: int
    right: int
    lost: str


class PracticeResult(Reply, frozen=True):
    """The score sheet of a finished session. Close calls count as neither right nor wrong."""

    answered: int
    graded: int
    right: int
    lost: str
    """The antes given up."""
    reference: str
    """The antes that the reference player gives up in the same positions, on average."""
    unit: str
    median: int
    """The median time of an answer, in milliseconds."""
    streets: tuple[StreetResult, ...]
    mistakes: tuple[SpotMistake, ...]
    """The wrong answers, costliest first."""
    ratings: tuple[RatingReply, ...]
    edge: str


class PracticeState(Reply, frozen=True):
    """A practice session with its current position."""

    session: str
    rulebook: str
    title: str
    mode: PracticeMode
    count: int
    """The number of positions; 0 for a session that you end yourself."""
    step: int
    topic: str = ""
    """The street, kind or theme that is practised, in words."""
    street: str = ""
    kind: str = ""
    theme: str = ""
    marks: tuple[SpotMark, ...] = ()
    """A mark for each answer, in order. An exam shows them only at the end."""
    spot: PracticeSpot | None = None
    """The current position; absent if the session is finished."""
    result: PracticeResult | None = None


class PracticeReply(Reply, frozen=True):
    """The analysis of an answer, and the next position."""

    step: int
    """The step of the next answer."""
    mark: SpotMark
    marks: tuple[SpotMark, ...] = ()
    analysis: SpotAnalysis | None = None
    """The analysis; absent in an exam."""
    next: PracticeSpot | None = None
    result: PracticeResult | None = None
    """The score sheet, if the session is finished."""


class SharedPosition(Reply, frozen=True):
    """A position that has a link: one that a person shares, or the daily position."""

    link: str
    rulebook: str
    title: str
    spot: PracticeSpot
    date: str = ""
    """The day, for the daily position."""
