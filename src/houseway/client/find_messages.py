"""Messages of "Find the mistake": a replay as surveillance sees it, a report, and its judgement.

A replay has no field for a verdict, a clause, a face-down card or the origin of an event. The answer comes
only with the judgement.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from houseway.client.messages import BettingSpot, Reply, Request, TableInUse

Outcome = Literal["right", "inexact", "missed", "false call"]
"""The judgement of a round. A report is inexact if it names the mistake, but not its amount."""
PLACES = ("dealer", "board", "deck")
"""The places of a mistake that is not at a seat."""
ONE_PLACE = "name a seat or a place, not both"
"""Why a report with a seat and a place is refused."""
ReportPart = Literal["seat", "place", "wager", "amount"]
"""A part of a report that its family may need."""


# --- the replay ---


class FindFamily(Reply, frozen=True):
    """A family of mistakes, as a watcher reports it."""

    key: str
    title: str
    hint: str
    has_amount: bool = False
    has_wager: bool = False
    """True if a mistake of the family concerns one wager."""
    has_place: bool = False
    """True if a mistake of the family has a place: a seat, or one of `PLACES`."""


class WatchedPlayer(Reply, frozen=True):
    """A player at the table."""

    seat: int
    name: str


class WatchedSpot(BettingSpot, frozen=True):
    """A betting spot of a replay."""


class WatchedHand(Reply, frozen=True):
    """A player's hand with its wagers, as it lies on the felt."""

    seat: int
    hand: int = 1
    cards: tuple[str, ...] = ()
    """The cards; empty text for a card that is face down."""
    wagers: dict[str, int] = msgspec.field(default_factory=dict)
    """Cents by wager."""
    paid: dict[str, int] = msgspec.field(default_factory=dict)
    """Cents that the dealer has paid beside each wager."""
    folded: bool = False


class WatchStep(Reply, frozen=True):
    """One event of a replay. Parts that are left out did not change."""

    number: int
    time: int
    """Milliseconds since the start of the replay."""
    phase: str
    by: Literal["dealer", "player", "table"]
    says: str
    """The event in a sentence."""
    seat: int = 0
    spoken: str = ""
    """The dealer's announcement."""
    hands: tuple[WatchedHand, ...] = ()
    """The hands that changed."""
    board: tuple[str, ...] | None = None
    dealer: tuple[str, ...] | None = None


class WatchedRound(Reply, frozen=True):
    """A replay of one round."""

    rulebook: str
    title: str
    mode: str
    notes: tuple[str, ...]
    """The side bets with their pay tables."""
    positions: int
    players: tuple[WatchedPlayer, ...]
    spots: tuple[WatchedSpot, ...]
    chips: tuple[int, ...]
    """The chip values of the tray in cents, smallest first."""
    steps: tuple[WatchStep, ...]
    duration: int
    """The length of the replay in milliseconds."""
    tables: tuple[TableInUse, ...] = ()
    """The side bets with their pay tables, as in `notes`."""


# --- reports and judgements ---


class MistakeReport(Request, frozen=True):
    """A watcher's report. An empty family reports that there was no mistake.

    A report names every part that its family needs, or lists it in `unknown`; otherwise it is refused.
    """

    family: str = ""
    seat: int = 0
    """The seat; 0 if the report names none."""
    place: str = ""
    """One of `PLACES`, if the mistake is not at a seat."""
    wager: str = ""
    amount: int | None = None
    """Cents: positive if the player got too much or bet more, negative for too little or less."""
    step: int = 0
    """The number of the step at which the watcher stopped; 0 after the last one."""
    unknown: tuple[ReportPart, ...] = ()
    """The parts that the watcher does not know. They are judged as wrong."""


class FindMistake(Request, frozen=True):
    """Start a session."""

    rulebook: str
    mode: str = ""
    """The deal mode; empty for the mode that offers more kinds of wagers."""
    level: int = 1
    rounds: int = 20


class ReportMistake(Request, frozen=True):
    """Report the mistake of the current round."""

    round: int
    report: MistakeReport
    used: int = 0
    """Milliseconds on the watcher's clock since the first event."""
    shown: tuple[int, ...] = ()
    """For each step, the milliseconds at which it was first shown; -1 if it was not."""


class GradedPart(Reply, frozen=True):
    """One part of a report, compared with the answer."""

    name: Literal["what", "seat", "place", "wager", "amount", "moment"]
    yours: str
    right: str
    is_right: bool


class MistakeAnswer(Reply, frozen=True):
    """The planted mistake; the name is empty if there was none."""

    name: str = ""
    family: str = ""
    title: str = ""
    """The family in words."""
    seat: int = 0
    wager: str = ""
    amount: int = 0
    step: int = 0
    """The number of the step that is wrong."""
    facts: tuple[str, ...] = ()
    """A sentence for each slip."""
    clause: str | None = None
    sentence: str = ""
    """The clause in words."""


class FindTally(Reply, frozen=True):
    """The results of the rounds so far."""

    rounds: int = 0
    right: int = 0
    inexact: int = 0
    missed: int = 0
    false_calls: int = 0
    notice: int | None = None
    """The median time from a mistake to its report, in milliseconds."""


class MistakeJudgement(Reply, frozen=True):
    """The judgement of a report, with the answer."""

    outcome: Outcome
    parts: tuple[GradedPart, ...]
    answer: MistakeAnswer
    says: str
    """The judgement in a sentence."""
    notice: int | None = None
    """Milliseconds from the mistake to the report; None if it was not reported rightly."""


class FindRoundReply(Reply, frozen=True):
    """The current round of a session, without its answer."""

    session: str
    round: int
    rounds: int
    level: int
    families: tuple[FindFamily, ...]
    places: tuple[str, ...]
    """The places of a mistake that is not at a seat, as a report names them."""
    replay: WatchedRound
    tally: FindTally
    judged: MistakeJudgement | None = None
    """The judgement, if the round has a report."""


class FindJudgementReply(Reply, frozen=True):
    """The judgement of the current round."""

    session: str
    round: int
    judgement: MistakeJudgement
    tally: FindTally
    over: bool = False
    """True if this was the last round of the session."""
