"""Events about players: seats, wagers, decisions."""

from __future__ import annotations

from houseway.engine.events.event import NOTHING, Cards, Event, SeatEvent


class PlayerSeated(SeatEvent, frozen=True):
    """A player sat down with chips."""

    player: str
    chips: int
    account: str = ""
    """The account that the chips come from and return to; empty if there is none."""
    keeps: int | None = None
    """The old minimum that the player keeps after a hold; None for the minimum recorded in the hold."""


class PlayerReseated(SeatEvent, frozen=True):
    """A standing player sat down again."""


class PlayerStood(SeatEvent, frozen=True):
    """A player stood up."""

    name: str = ""
    """The name of the floor person who reported it; empty if the player stood up with the table's
    knowledge, and in older records."""


class PlayerRemoved(SeatEvent, frozen=True):
    """A player was removed by the floor or by the house, and leaves now or after the round."""

    player: str
    name: str
    """The name of the floor person."""
    reason: str
    by: str


class PlayerLeft(SeatEvent, frozen=True):
    """A player left and took the chips."""

    chips: int
    empty: bool = False
    """True if no player is left after a round, so that the cards must be spread."""


class RoundOpened(Event, frozen=True):
    """The round was opened for wagers."""

    number: int
    deck: str
    seal: str = ""
    limits: dict[str, int] = NOTHING
    """Minimum bets that changed since the table opened, by wager."""


class WagersPlaced(SeatEvent, frozen=True):
    """A seat's wagers were put on the layout, replacing its earlier ones."""

    wagers: dict[str, int]
    minimum: int = 0
    """The minimum that applied to the player."""
    tips: dict[str, int] = NOTHING
    coupon: int = 0


class SaltAdded(SeatEvent, frozen=True):
    """A player added random bytes to the players' cut, in the clear."""

    salt: str


class SaltCommitted(SeatEvent, frozen=True):
    """A player committed to random bytes for the players' cut, replacing an earlier commitment."""

    commitment: str


class SaltOpened(SeatEvent, frozen=True):
    """A player opened the salt that the seat had committed to."""

    salt: str


class PlayersCutMade(Event, frozen=True):
    """The players' salts (random bytes) cut the deck and so decided the order of its remaining cards."""

    deck: str
    salts: dict[int, str]


class DeckDiscarded(Event, frozen=True):
    """The deck was discarded unseen, because these seats did not open their salts in time."""

    deck: str
    seats: tuple[int, ...]


class WagersTakenBack(SeatEvent, frozen=True):
    """A seat's wagers were taken back."""


class BettingClosed(Event, frozen=True):
    """The dealer announced no more bets."""

    entries: dict[int, int] = {}  # noqa: RUF012
    """Each player's main wager, by seat. Recorded only if it decides which players may keep an old
    minimum."""


class SensorsLocked(Event, frozen=True):
    """The progressive sensors were locked."""

    seats: tuple[int, ...]
    lit: bool


class ProgressiveCollected(Event, frozen=True):
    """The progressive wagers were collected."""

    stakes: dict[int, int]
    stays_lit: bool = True


class MeterFed(Event, frozen=True):
    """Part of the progressive wagers was added to the meters, or taken off when wagers were returned."""

    meters: dict[str, int]
    """Millionths of a cent added; negative if wagers were returned."""
    reserves: dict[str, int] = NOTHING


class LammersPlaced(Event, frozen=True):
    """Lammers (markers) were put next to the wagers that qualify for envy."""

    seats: tuple[int, ...]
    hand: int = 1


class Checked(SeatEvent, frozen=True):
    """A player checked."""

    stage: str
    by: str = ""
    name: str = ""
    """The name of the floor person who played the hand; empty in older records."""


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
    name: str = ""
    """The name of the floor person who played the hand; empty in older records."""


class FoldSeen(SeatEvent, frozen=True):
    """An unseen folded hand was put under its trips bet, or the dealer took it."""

    held: bool = False


class HandSet(SeatEvent, frozen=True):
    """A player kept two of four cards."""

    face: Cards
    sealed: Cards
    """The two discards."""
    shown: bool = True
    lies: str = ""
    """The hand's place on the layout, in the rulebook's words."""
    by: str = ""
    discards_lie: str = ""
    """The place of the face-down discards, in the rulebook's words."""
    name: str = ""
    """The name of the floor person who set the hand; empty in older records."""


class HandSplit(SeatEvent, frozen=True):
    """A player split four cards into two hands."""

    first: Cards
    second: Cards
    wager: int
    bonus: int = 0
    shown: bool = True
    lies: str = ""
