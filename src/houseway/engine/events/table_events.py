"""Events about a table and its decks."""

from __future__ import annotations

from typing import Any

from houseway.engine.events.event import Event, SeatEvent


class TableOpened(Event, frozen=True):
    """The table was opened under a rulebook's terms."""

    rulebook: str
    hash: str
    settings: dict[str, Any]
    backs: tuple[str, ...]
    meters: dict[str, int]
    """Millionths of a cent."""
    reserves: dict[str, int]
    section: str
    dealer: str = "machine"
    chosen: dict[str, Any] = {}  # noqa: RUF012
    """The settings that the house chose itself, as it wrote them."""
    unoffered: tuple[str, ...] = ()
    """Wagers of the rulebook that this table does not offer."""
    version: int = 1
    """The version of the record's names and fields."""
    purpose: str = "live"
    """"live", "shadow" or "training"."""
    link: str = ""
    """The name of the linked meter that the table feeds; empty if its meters are its own."""
    link_at: int = 0
    """The number of the linked meter's last event when the table joined it; 0 if the table opened it."""
    players_cut: str = "plain"
    """"committed" if players commit to their salts first, or "plain" if they add them in the clear."""


class MetersSynced(Event, frozen=True):
    """The linked meter was read after other tables had fed it or won from it."""

    meters: dict[str, int]
    """Millionths of a cent."""
    reserves: dict[str, int]
    at: int
    """The number of the meter's last event."""


class StepTaken(Event, frozen=True):
    """A step of the dealer's procedure was completed."""

    step: str
    section: str
    by: str = "dealer"
    name: str = ""
    deck: str = ""
    count: int | None = None
    automatic: bool = False
    """True if the house setting `auto_approve` performed it, without a person."""


class ItemConfirmed(Event, frozen=True):
    """An item was confirmed at the opening, or the table was opened without it."""

    item: str
    step: str
    by: str
    name: str = ""
    """The person who confirmed it."""
    deck: str = ""
    automatic: bool = False
    """True if the house setting `auto_approve` confirmed it, without a person."""
    exception: str = ""
    """The reason for opening without the item; empty if it was confirmed."""


class DeckInspected(Event, frozen=True):
    """A deck was inspected."""

    deck: str
    by: str
    name: str
    """The person who inspected it; empty if the house setting did."""
    automatic: bool = False
    """True if the house setting `auto_approve` performed the step, without a person."""


class DeckVerified(Event, frozen=True):
    """A supervisor verified the inspection of a deck."""

    deck: str
    by: str
    name: str = ""
    automatic: bool = False
    """True if the house setting `auto_approve` verified it, without a person."""


class InspectionOffered(SeatEvent, frozen=True):
    """The first player at the table had the chance to inspect a deck that was spread face up."""

    player: str
    deck: str


class DeckWashed(Event, frozen=True):
    """A deck was turned face down, washed and stacked."""

    deck: str


class DeckShuffled(Event, frozen=True):
    """A deck was shuffled."""

    deck: str
    method: str
    stands: str
    """The deck's place after the shuffle: "stack", "shoe", "machine" or "device"."""
    seal: str = ""
    """The seal that commits to the order of the cards before any wager or cut."""
    ahead: bool = False
    """True if it was shuffled for a later round, at the opening or while the other deck was in play."""


class DeckCut(Event, frozen=True):
    """A deck was cut."""

    deck: str
    count: int
    by: str
    """The person who cut, or the player or employee who marked the cut."""
    rest_on_top: bool
    automatic: bool = False
    """True if the automatic dealer placed the cut card for the person named."""


class CutCardPlaced(Event, frozen=True):
    """The cut card was put into the shoe."""

    behind: int
    """The number of cards behind the cut card, at the end of the shoe."""


class CutCardReached(Event, frozen=True):
    """The cut card came out; this round is the shoe's last."""


class DeckLoaded(Event, frozen=True):
    """A deck was put into the shoe or the machine."""

    deck: str
    into: str


class RackCleared(Event, frozen=True):
    """The discard rack was emptied."""


class DecksSwapped(Event, frozen=True):
    """One deck was put into play, and the other was put into the device."""

    into_play: str
    into_device: str
    stands: str = ""
    """The place of the deck that was put into play, if the device shuffled it ahead."""


class DeckRemoved(Event, frozen=True):
    """A deck was taken off the table."""

    deck: str


class DeckReplaced(Event, frozen=True):
    """A deck that was off the table was replaced by a new one."""

    deck: str
    section: str
    name: str = ""
    """The name of the floor person; empty if the table replaced the deck, and in older records."""
    automatic: bool = False
    """True if the house setting `auto_approve` replaced it, without a person."""


class RecutOrdered(Event, frozen=True):
    """A supervisor ordered a new cut."""

    by: str
    owed: tuple[str, ...]
    name: str = ""
    """The supervisor's name."""


class ReshuffleOrdered(Event, frozen=True):
    """Cards were ordered to be shuffled again before any of them is dealt."""

    owed: tuple[str, ...] = ()
    section: str | None = None
    decks: tuple[str, ...] = ()
    """The decks in a device that jammed; each is shuffled again before it is used."""


class TableIdled(Event, frozen=True):
    """The open table went idle, with its cards spread."""

    spread: bool = True


class TableResumed(Event, frozen=True):
    """Play was resumed at an idle table."""

    owed: tuple[str, ...]
    section: str = "shuffling"


class TableClosed(Event, frozen=True):
    """The table was closed."""


class LimitsChanged(Event, frozen=True):
    """A minimum bet was changed, starting with the next round."""

    wager: str
    amount: int
    notice: str
    warning: str = ""
    """A warning to the house: with the new minimum bets, a player could win more than a limit pays."""
    name: str = ""
    """The name of the floor person; empty in older records."""


class MinimumKept(SeatEvent, frozen=True):
    """The floor let a player keep the old minimum."""

    amount: int
    name: str = ""
    """The name of the floor person; empty in older records."""


class SeatHeld(SeatEvent, frozen=True):
    """A seat was held for its player."""

    until: str
    keeps: int = 0
    """The minimum that the player keeps if the table's minimum is higher when they return; 0 if none."""
    name: str = ""
    """The name of the floor person; empty in older records."""


class SeatReleased(SeatEvent, frozen=True):
    """A held seat was released."""

    name: str = ""
    """The name of the floor person; empty in older records."""
