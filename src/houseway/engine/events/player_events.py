"""What players did: seats, wagers, decisions."""

from __future__ import annotations

from houseway.engine.events.event import NOTHING, Cards, Event, SeatEvent


class PlayerSeated(SeatEvent, frozen=True):
    """A player sat down with chips."""

    player: str
    chips: int


class PlayerReseated(SeatEvent, frozen=True):
    """A player who stood sat down again."""


class PlayerStood(SeatEvent, frozen=True):
    """A player stood up."""


class PlayerLeft(SeatEvent, frozen=True):
    """A player left with the chips."""

    chips: int


class RoundOpened(Event, frozen=True):
    """The round was opened; wagers are taken."""

    number: int
    deck: str
    seal: str = ""
    limits: dict[str, int] = NOTHING
    """Minimum bets changed since the table opened, by wager."""


class WagersPlaced(SeatEvent, frozen=True):
    """A seat's wagers were put on the layout, in place of those that lay there."""

    wagers: dict[str, int]
    minimum: int = 0
    """The minimum the player was held to."""
    tips: dict[str, int] = NOTHING
    coupon: int = 0


class SaltAdded(SeatEvent, frozen=True):
    """A player put bytes of the own into the players' cut."""

    salt: str


class PlayersCutMade(Event, frozen=True):
    """The players' bytes, by seat, cut the deck: the order of what is left of it follows from them."""

    deck: str
    salts: dict[int, str]


class WagersTakenBack(SeatEvent, frozen=True):
    """A seat's wagers were taken off the layout."""


class BettingClosed(Event, frozen=True):
    """No more bets."""


class SensorsLocked(Event, frozen=True):
    """The progressive sensors were locked."""

    seats: tuple[int, ...]
    lit: bool


class ProgressiveCollected(Event, frozen=True):
    """The progressive wagers were taken off the table."""

    stakes: dict[int, int]
    stays_lit: bool = True


class MeterFed(Event, frozen=True):
    """Progressive wagers fed the meters, or a void round took that back."""

    meters: dict[str, int]
    """Millionths of a cent added; below nothing where a void round takes them back."""
    reserves: dict[str, int] = NOTHING


class LammersPlaced(Event, frozen=True):
    """Lammers mark the wagers that envy goes with."""

    seats: tuple[int, ...]
    hand: int = 1


class Checked(SeatEvent, frozen=True):
    """A player checked."""

    stage: str
    by: str = ""


class PlayMade(SeatEvent, frozen=True):
    """A player made the play wager."""

    stage: str
    times: int
    amount: int
    tip: int = 0
    locks: bool = True


class Folded(SeatEvent, frozen=True):
    """A player folded."""

    stage: str
    held: bool = False
    by: str = ""


class HandSet(SeatEvent, frozen=True):
    """A player kept two of four cards."""

    face: Cards
    sealed: Cards
    """The two discards."""
    shown: bool = True
    lies: str = ""
    """Where the hand lies, as the rulebook puts it."""
    by: str = ""


class HandSplit(SeatEvent, frozen=True):
    """A player split four cards into two hands."""

    first: Cards
    second: Cards
    wager: int
    bonus: int = 0
    shown: bool = True
    lies: str = ""
