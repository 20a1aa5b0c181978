"""The state of the dealer's chair in training: the table after the trainee's acts (errors included), the
acts that are due, and the inputs of this round.

A chair is a value. Every input (an act of the trainee, a command of a player, a happening of a scenario)
leads to the next chair and is kept as an entry. The state of the table is the fold of the entries' events.
"""

from __future__ import annotations

from typing import Final

import msgspec

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.irregularities import TOP
from houseway.engine.state import State
from houseway.rules.procedure import EXPOSED_CARD, FACE_UP_CARD
from houseway.training.acts import ChairAct
from houseway.training.due_acts import DueAct

HOUSE: Final = "house"
"""The origin of an event that the rulebook asks for."""
PLAYER: Final = "player"
SLIP: Final = "slip"
"""The origin of an event that happened although the rulebook does not allow it."""
CURE: Final = "cure"
"""The origin of an event that repairs a slip or handles an irregularity."""
TRAINER: Final = "trainer"
"""The origin of an event that the program adds because play cannot continue without it."""

# The kinds of slips.
OUT_OF_ORDER: Final = "out of order"
MISSED: Final = "missed"
NOT_DUE: Final = "not due"
WRONG_AMOUNT: Final = "wrong amount"
MISREAD: Final = "misread"
WRONG_HAND_SET: Final = "wrong hand set"
WRONG_KEY: Final = "wrong key"
MISCOUNT: Final = "miscount"
UNSEEN: Final = "unseen irregularity"
WRONG_REPORT: Final = "wrong report"
NEEDLESS_CALL: Final = "needless floor call"
MISSED_CALL: Final = "missed floor call"
LATE: Final = "late"
WRONG_HANDLING: Final = "wrong handling"
WRONG_RULING: Final = "wrong ruling"
DEVICE_COUNT: Final = "device count"
WRONG_COUNT: Final = "wrong count"
"""The irregularities of a deck with a wrong number of cards: on the display of a device, or by a count."""
KINDS: Final = (
    OUT_OF_ORDER, MISSED, NOT_DUE, WRONG_AMOUNT, MISREAD, WRONG_HAND_SET, WRONG_KEY, MISCOUNT,
    UNSEEN, WRONG_REPORT, NEEDLESS_CALL, MISSED_CALL, LATE, WRONG_HANDLING, WRONG_RULING,
)  # fmt: skip


class Slip(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error of the trainee."""

    number: int
    """The number of the slip in the round, from 1."""
    kind: str
    clause: str | None = None
    did: ChairAct | None = None
    """The trainee's act; None if an act was missed."""
    due: ChairAct | None = None
    """The right act; None if nothing was due."""
    step: str = ""
    """The step that was due."""
    amount: int = 0
    """Cents paid beyond the amount due; negative if the player got too little."""
    irregularity: str = ""
    at: str = ""
    """The irregularity or conduct that the slip is about, and its place."""
    passed: int = 0
    """The number of due acts that this act passed over."""
    of: int = 0
    """For an act that was passed over and never done: the slip that passed over it."""
    waits: bool = False
    """True if the right act is `Ask` and that seat was asked already: the trainee had to wait for it."""


class OpenIrregularity(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An irregularity that has happened and has not been reported."""

    kind: str
    at: str = ""
    which: int = 0
    cards: tuple[Card, ...] = ()
    """Cards that already left the deck because of it."""
    count: int | None = None
    """The number of cards that a device shows, if it counts."""
    clause: str | None = None
    noticed: bool = False
    """True if the trainee has reported it, but the deal must be finished first."""
    since: int
    """The number of the entry in which it happened."""
    waited: int = 0
    """The last entry before which a report still had to wait for the deal; 0 if none had to."""
    time: int
    """The time at which it happened, or from which a report could take effect, in milliseconds."""
    also: str = ""
    """Another kind that names it: if no card comes out of the machine, the machine failed to deal."""

    def named(self, kind: str) -> OpenIrregularity:
        """Return the irregularity as a report of a kind names it."""
        other = bool(self.also) and kind == self.also
        return msgspec.structs.replace(self, kind=kind, at="", which=0) if other else self

    def is_named(self, kind: str, at: str) -> bool:
        """True if a report of this kind and place is about this irregularity. The place may be missing.

        The next card of the deck is face up, whether it was found face up or was exposed: both names fit.
        So do both names of a wrong number on the display of a device.
        """
        if self.kind == FACE_UP_CARD and self.at in TOP and at in TOP:
            return kind in (FACE_UP_CARD, EXPOSED_CARD)
        if self.kind == DEVICE_COUNT and kind == WRONG_COUNT:
            # The wrong count is the one on the display.
            return True
        if self.also and kind == self.also:
            return True
        return self.kind == kind and at in (self.at, "")


class Happening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that goes wrong through no act of the trainee: a jam, an exposed card, a short hand."""

    kind: str
    """The kind of irregularity, as the rulebook names it."""
    at: str = ""
    which: int = 0
    count: int | None = None
    """The number of cards that a device shows, if it counts."""
    command: c.Command | None = None
    """A command that makes it happen, such as `DealExtra`; None if nothing moves."""


class Conduct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a player does or says, and that is not a decision in turn: a late bet, a dispute."""

    kind: str
    """The kind of conduct, as `training.conduct` names it."""
    seat: int
    text: str = ""
    """The player's words."""
    tries: c.Command | None = None
    """The command that the player tries, and that the rulebook refuses."""
    then: c.Command | None = None
    """The command that the player sends instead, once the dealer has refused."""
    wager: str = ""
    """The wager of a dispute."""
    hand: int = 1
    chips: dict[int, int] = {}
    """The chips that the player wants to change, count by value in cents."""


class OpenConduct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Conduct that the trainee has not answered."""

    conduct: Conduct
    right: ChairAct | None = None
    """The act that handles it; None if it needs none."""
    clause: str | None = None
    """The clause by which it is judged; None if the document does not say, so that it is not judged."""
    since: int
    """The number of the entry in which it happened."""
    time: int
    """The time at which it happened, in milliseconds."""

    @property
    def judged(self) -> bool:
        """True if the document says how to handle it."""
        return self.right is not None and self.clause is not None


Mispayments = dict[tuple[int, str], tuple[int, str | None]]
"""By round and wager (see `fold_registry.mispaid_key`): the cents paid beyond the amount due, and a clause.
The cents are negative if the player got too little. `State.mispaid` has only the sum of all rounds."""
Input = ChairAct | c.Command | Happening | Conduct


class Change(msgspec.Struct, frozen=True):
    """An event of the table, and its origin."""

    origin: str
    event: e.Event


class ChairEntry(msgspec.Struct, frozen=True):
    """One input and its results."""

    number: int
    time: int
    """Milliseconds since the table opened."""
    input: Input
    cards: tuple[Card, ...] = ()
    """The cards that the input took off the deck."""
    changes: tuple[Change, ...] = ()
    slips: tuple[Slip, ...] = ()
    cured: tuple[int, ...] = ()
    """The numbers of the slips that this input repaired."""
    handled: OpenIrregularity | None = None
    """The irregularity that this input reported rightly."""
    seal: str = ""
    """The seal of the deck that the input shuffled."""
    answered: OpenConduct | None = None
    """The conduct that this input answered."""


class PassedAct(msgspec.Struct, frozen=True):
    """A due act that the trainee passed over, and the slip that did so."""

    due: DueAct
    slip: int


class EarlyAct(msgspec.Struct, frozen=True):
    """An act that the trainee did before its turn; it counts when its turn comes."""

    act: ChairAct
    cards: tuple[Card, ...] = ()


class Chair(msgspec.Struct, frozen=True):
    """The table as the trainee's acts left it, errors included, and the round so far."""

    state: State
    queue: tuple[DueAct, ...] = ()
    """The due acts of the dealer's current command."""
    passed: tuple[PassedAct, ...] = ()
    early: tuple[EarlyAct, ...] = ()
    asked: tuple[int, ...] = ()
    """The seats that the trainee has asked at this betting point."""
    asking: str = ""
    """The step in which those seats were asked."""
    decisions: dict[int, c.Command] = {}
    """Decisions that players made before their turn, by seat."""
    open: tuple[OpenIrregularity, ...] = ()
    entries: tuple[ChairEntry, ...] = ()
    """The inputs since the round opened, or since the last round closed."""
    inputs: int = 0
    """The number of inputs since the table opened."""
    slips: int = 0
    """The number of slips in this round."""
    start: State = State()
    """The table before the first of these entries."""
    conduct: tuple[OpenConduct, ...] = ()
    """What players did or said, and the trainee has not answered."""
    missing: int = 0
    """The number of cards that are missing from the deck without anyone having noticed."""
    mispaid: Mispayments = {}
    """The wrong payments that are not corrected, of this round and of earlier ones."""
    counts: int = 0
    """The number of rounds in a row, up to the last one, in which the trainee counted the stub."""
