"""Events about cards: deals, cards turned up, the stub, the rack."""

from __future__ import annotations

from houseway.engine.events.event import Cards, Event, SeatEvent


class CardsDealt(Event, frozen=True):
    """Cards were dealt to one place."""

    to: str
    count: int
    face: Cards = ()
    sealed: Cards = ()


class CardsSeen(Event, frozen=True):
    """Cards became visible at a real table."""

    at: str
    face: Cards
    which: int = 0
    """The number of the card at the place, from 1; 0 for the first unseen cards there."""


class CardsBurned(Event, frozen=True):
    """Cards were burned."""

    count: int
    sealed: Cards


class BoardTurned(Event, frozen=True):
    """Community cards were turned up."""

    face: Cards


class BoardArranged(Event, frozen=True):
    """The community cards were arranged."""

    face: Cards


class PlayersLooked(Event, frozen=True):
    """Players may look at their cards."""


class StubRemoved(Event, frozen=True):
    """The stub was taken out of the shoe."""

    count: int
    racked: bool


class StubCounted(Event, frozen=True):
    """The stub was counted."""

    count: int
    expected: int
    right: bool
    racked: bool
    between: bool = False
    """True if it was counted between two rounds."""


class DealerRevealed(Event, frozen=True):
    """The dealer's cards were turned up and the hand was announced."""

    face: Cards
    reads: str = ""
    qualifies: bool | None = None


class DealerHandSet(Event, frozen=True):
    """The dealer kept two of four cards."""

    kept: Cards
    by: str
    house_way: Cards = ()
    """The two cards that the house way keeps, if the dealer kept others."""
    line: str = ""
    """The line of the house way that decides; empty in older records."""


class HandChallenged(SeatEvent, frozen=True):
    """A player challenged the dealer's hand."""


class ChallengeAnswered(Event, frozen=True):
    """The dealer's hand was checked after a challenge, and set again if it did not follow the house way."""

    kept: Cards
    changed: bool
    by: str
    automatic: bool = False
    """True if the table answered automatically, without a person."""
    final: bool = False
    """True if the hand cannot be challenged again."""
    line: str = ""
    """The line of the house way that decides; empty in older records."""
    name: str = ""
    """The name of the dealer or supervisor; empty if the table acted by itself, and in older records."""


class DealerHandReset(Event, frozen=True):
    """The dealer's hand was set again by the house way, without a challenge."""

    kept: Cards
    by: str
    line: str = ""
    """The line of the house way that decides; empty in older records."""
    name: str = ""
    """The name of the dealer or supervisor; empty if the table acted by itself, and in older records."""
    automatic: bool = False
    """True if the table set it again automatically, without a person."""


class PayoutsShown(Event, frozen=True):
    """The device showed the Cover All payouts for the hands dealt."""

    hands: int
    odds: dict[str, str]


class HandTurned(SeatEvent, frozen=True):
    """A player's hand was turned up and announced."""

    hand: int
    face: Cards
    reads: str
    community: int = 0
    """The number of community cards with which the hand was read; 0 for all of them."""


class CardsRacked(Event, frozen=True):
    """Cards went into the discard rack."""

    what: str
    count: int
    face: Cards = ()
    sealed: Cards = ()


class FoldTaken(SeatEvent, frozen=True):
    """The dealer collected a folded hand right away."""

    step: str


class CardsCounted(SeatEvent, frozen=True):
    """A folded hand was spread face down and counted."""

    count: int


class CardsLeft(SeatEvent, frozen=True):
    """A hand's cards stay on the table, face up, because a wager may still be paid on them."""
