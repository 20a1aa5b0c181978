"""A kind of mistake that can be planted in a round, and the families that a watcher chooses from.

A mistake names the act that it replaces and what the dealer does instead. It holds no rule: the judge
decides which slips follow, with their clauses and amounts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import msgspec

from houseway.client.find_messages import FindFamily
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.training import acts as a
from houseway.training import chair as ch

AMOUNT: Final = "amount"
ORDER: Final = "order"
READING: Final = "reading"
UNSETTLED: Final = "unsettled"
LATE_BET: Final = "late bet"
CHANGED_BET: Final = "changed bet"
CARDS: Final = "cards"
BURN: Final = "burn"
IRREGULARITY: Final = "irregularity"
FLOOR: Final = "floor"

FAMILIES: Final = (
    FindFamily(
        key=AMOUNT,
        title="Amount",
        hint="A wager was paid or taken wrongly.",
        has_amount=True,
        has_wager=True,
    ),
    FindFamily(key=ORDER, title="Order", hint="An act came too early, too late or not at all."),
    FindFamily(
        key=READING,
        title="Hand read",
        hint="A hand was announced or set wrongly, or not announced.",
        has_place=True,
    ),
    FindFamily(
        key=UNSETTLED,
        title="Not taken or not paid",
        hint="A wager was left as it was.",
        has_amount=True,
        has_wager=True,
    ),
    FindFamily(
        key=LATE_BET,
        title="Bet after the cards",
        hint="A player bet after betting was closed.",
        has_amount=True,
        has_wager=True,
    ),
    FindFamily(
        key=CHANGED_BET,
        title="Bet changed",
        hint="A player raised or lowered a bet after betting was closed.",
        has_amount=True,
        has_wager=True,
    ),
    FindFamily(
        key=CARDS,
        title="Card handling",
        hint="Cards were dealt, turned up, cut, shuffled or collected wrongly.",
        has_place=True,
    ),
    FindFamily(key=BURN, title="Burn or stub", hint="A burn card or the stub was handled wrongly."),
    FindFamily(
        key=IRREGULARITY,
        title="Irregularity missed",
        hint="An irregularity was reported late, wrongly or not at all.",
        has_place=True,
    ),
    FindFamily(
        key=FLOOR,
        title="Floor not called",
        hint="A payment needed the floor, and the floor was not called.",
    ),
)
"""The families in the order in which every watcher sees them."""
BY_KEY: Final = {family.key: family for family in FAMILIES}


class DealtTable(Protocol):
    """A training table during a round, as moments and wrong acts see it."""

    table: Table
    chair: ch.Chair

    @property
    def state(self) -> State:
        """The state of the table."""
        ...

    def happen(self, happening: ch.Happening) -> bool:
        """Let something go wrong; return False if it cannot happen now."""
        ...


Moment = Callable[[Any, Any], bool]
"""True if the mistake can be made now: takes a `DealtTable` and the act that is due."""
Wrong = Callable[[Any, Any], Sequence[a.ChairAct]]
"""Returns the acts that the dealer does instead of the act that is due."""


class DealerMistake(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of mistake of the dealer."""

    name: str
    family: str
    moment: Moment
    wrong: Wrong
    slips: tuple[str, ...]
    """The kinds of slips that the judge must find: these and no others."""
    also: tuple[str, ...] = ()
    """Other families under which a report of the mistake is right."""
    level: int = 1
    """The lowest level at which it is planted."""
    unnoticed: bool = False
    """True if the dealer never reports the irregularity that follows."""
    leave_out: bool = False
    """True if the dealer never does the act that is due at the moment."""
    happening: Callable[[Any], ch.Happening] | None = None
    """Returns something that goes wrong at the moment, before the dealer's acts."""
    in_replays: bool = True
    """False if a watcher could not see the mistake, or could not tell it from good work."""

    @property
    def families(self) -> tuple[str, ...]:
        """The families under which a report is right."""
        return (self.family, *self.also)

    def __str__(self) -> str:
        return self.name
