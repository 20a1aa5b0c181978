"""The acts of a person in the dealer's chair. An act names things on the table, not steps of the procedure.

An act does not contain the cards that it takes off the deck: the caller passes them along. Amounts are in
cents.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.cards import Card
from houseway.engine.fold_registry import card_place

REFUSED: Final = ("bet", "tip", "take-back", "decision")
"""What `Refuse` can refuse."""


class ChairAct(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """One act of the dealer."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The thing that the act is about. Acts with the same target differ only in how they are done."""
        return (type(self).__name__,)


class PlaceAct(ChairAct, frozen=True):
    """An act with the cards of one place."""

    place: str
    """"seat 3", "dealer" or "board"."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The kind of act and the place."""
        return (type(self).__name__, self.place)


class SeatAct(ChairAct, frozen=True):
    """An act that concerns one seat."""

    seat: int

    @property
    def target(self) -> tuple[Any, ...]:
        """The kind of act and the seat."""
        return (type(self).__name__, self.seat)


class WagerAct(SeatAct, frozen=True):
    """An act on one wager: take it, push it or pay it."""

    wager: str
    hand: int = 1
    tip: bool = False
    """True for the tip on the wager, which belongs to the dealer."""
    of: tuple[int, int] = (0, 0)
    """Seat and hand that an envy payment is for; zeros for any other wager."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The wager. Take, push and pay have the same target."""
        return ("wager", self.seat, self.hand, self.wager, self.tip, self.of)


class DealCards(PlaceAct, frozen=True):
    """Deal the next cards of the deck to a place."""

    count: int = 1


class Burn(ChairAct, frozen=True):
    """Burn the next cards of the deck."""

    count: int = 1


class TurnUp(PlaceAct, frozen=True):
    """Turn up cards: a player's hand, the dealer's hand, or the next community cards."""

    hand: int = 1
    count: int = 0
    """The number of community cards; 0 for a whole hand."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The hand, or the board."""
        return ("TurnUp", self.place, self.hand)


class Ask(SeatAct, frozen=True):
    """Ask a player to decide."""


class TakeFold(SeatAct, frozen=True):
    """Take a folded hand: collect its lost wagers, count the cards and rack them."""


class ReadHand(PlaceAct, frozen=True):
    """Announce a hand and its result against the dealer."""

    reads: str
    """The class of the hand, as the rulebook names it: "two pair"."""
    hand: int = 1
    result: str = ""
    """"win", "lose" or "tie" for a player; empty if it is not announced."""
    qualifies: bool | None = None
    """For the dealer's hand: True if it qualifies; None if it is not announced."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The hand."""
        return ("ReadHand", self.place, self.hand)


class Take(WagerAct, frozen=True):
    """Take a wager into the tray."""


class Push(WagerAct, frozen=True):
    """Return a wager to the player."""


class Pay(WagerAct, frozen=True, kw_only=True):
    """Pay a wager in chips; its stake goes back to the player."""

    chips: dict[int, int]
    """Count by chip value in cents."""


class ColourUp(SeatAct, frozen=True, kw_only=True):
    """Change a player's chips for chips of other values."""

    taken: dict[int, int]
    """Count by chip value in cents, of the chips that the player gives."""
    given: dict[int, int]
    """Count by chip value in cents, of the chips that the player gets."""


class SetHand(ChairAct, frozen=True):
    """Set the dealer's hand: keep two of four cards."""

    cards: tuple[Card, ...]


class ResetDealer(ChairAct, frozen=True):
    """Set the dealer's hand again by the house way."""


class Key(SeatAct, frozen=True):
    """Press the keypad button of a progressive award; a second press withdraws it."""

    hand: str


class CountStub(ChairAct, frozen=True):
    """Count the stub."""

    count: int


class Rack(ChairAct, frozen=True):
    """Put cards into the discard rack."""

    what: str
    """"seat 3", "seat 3 hand 2", "seat 3 discards", "board", "dealer" or "dealer discards"."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The cards."""
        return ("Rack", self.what)


class CallFloor(ChairAct, frozen=True):
    """Call the floor supervisor."""


class ReportIrregularity(ChairAct, frozen=True):
    """Stop play and report an irregularity."""

    kind: str
    at: str = ""
    which: int = 0
    count: int | None = None
    device: str = ""
    ruling: dict[str, str] | None = None
    """The answer to each question of the ruling; None if the trainee did not rule."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The kind of irregularity and its place."""
        return ("ReportIrregularity", self.kind, self.at)


class CorrectPayment(SeatAct, frozen=True):
    """Correct a payment that was wrong."""

    wager: str
    hand: int = 1
    amount: int | None = None
    """The right payment in cents, 0 for a wager that loses or pushes; None if it is not announced."""


class Refuse(SeatAct, frozen=True):
    """Refuse what a player tries: a bet, a tip, a decision out of turn, or taking a bet back."""

    what: str = "bet"
    """One of `REFUSED`."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The player. A refusal and a warning have the same target."""
        return ("answer", self.seat)


class Warn(SeatAct, frozen=True):
    """Tell a player to stop: to stay seated, to leave the cards alone, not to show them."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The player. A refusal and a warning have the same target."""
        return ("answer", self.seat)


class LetStand(SeatAct, frozen=True):
    """Answer a dispute: the payment was right and stands. `CorrectPayment` is the other answer."""

    wager: str
    hand: int = 1


class TakeStep(ChairAct, frozen=True):
    """Perform an act of the procedure that needs no more than its name, such as "close betting"."""

    what: str
    """The act's name in the vocabulary of procedures; for a note or a confirmation, its step's name."""
    count: int | None = None
    """The number of cards cut."""

    @property
    def target(self) -> tuple[Any, ...]:
        """The name."""
        return ("TakeStep", self.what)


def seat_named(act: object) -> int:
    """Return the seat that an act, a command or a happening names; 0 if it names none."""
    place = getattr(act, "place", "") or getattr(act, "what", "") or getattr(act, "at", "")
    return int(getattr(act, "seat", 0) or card_place(str(place)).seat)
