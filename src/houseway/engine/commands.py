"""What people ask of a table: commands are imperatives, and each names who gives it.

A command is a wish. `decide` answers it with events or with a refusal; it never changes anything itself.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.cards import Card


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """Something somebody wants done at the table."""

    by: str = "dealer"
    """Who gives it: "dealer", "floor", "supervisor", "seat 3", "deadline", a name."""

    @property
    def where(self) -> str:
        """The place that a refusal of the command names, unless it names a closer one."""
        return "table"


class SeatCommand(Command, frozen=True):
    """Something somebody wants done at one seat."""

    seat: int

    @property
    def where(self) -> str:
        """The seat."""
        return f"seat {self.seat}"


class OpenTable(Command, frozen=True):
    """Open a table for a game: its rulebook's terms, its decks and what it starts with."""

    designated: tuple[str, ...] = ()
    """The games the house has designated the table for."""
    backs: tuple[str, ...] = ("red",)
    """The colour of each deck's back."""
    examples: bool = False
    """Take the rulebook's examples for what the house must choose and has not: to try a table out."""
    dealer: str = "machine"
    """Who performs the dealer's acts: "machine", or "person", who issues them one by one."""
    cover_cards: str = ""
    """The colour of the cover cards, where the rulebook has them."""
    meters: dict[str, int] = {}
    """What the meters show, in cents; one left out starts at its seed."""
    link: dict[str, Any] = {}
    """The meter of other tables this one joins: its pay table, wager and decks."""


class Sit(SeatCommand, frozen=True):
    """Take a seat with chips, or sit down again."""

    player: str = ""
    chips: int = 0


class Stand(SeatCommand, frozen=True):
    """Stand up without leaving the game."""


class Leave(SeatCommand, frozen=True):
    """Leave the game with the chips."""


class Bet(SeatCommand, frozen=True):
    """Put wagers on the layout, in place of what the seat had there."""

    wagers: dict[str, int]
    """Cents by wager; a wager that equals another may be left out."""
    tips: dict[str, int] = {}
    coupon: int = 0
    form: str = "chips"
    """"chips", "plaques", "cash" or "verbal"."""


class AddSalt(SeatCommand, frozen=True):
    """Put 16 bytes of one's own into the players' cut, while wagers are taken on a fresh deck."""

    salt: str
    """32 hexadecimal digits."""


class TakeBack(SeatCommand, frozen=True):
    """Take all wagers off the layout again."""


class Check(SeatCommand, frozen=True):
    """Put the decision off to the next betting point."""


class Play(SeatCommand, frozen=True):
    """Make the play wager, a multiple of the ante."""

    times: int
    tip: int = 0
    """Cents of a play wager for the dealer."""


class Fold(SeatCommand, frozen=True):
    """Give up ante and blind."""


class Keep(SeatCommand, frozen=True):
    """Keep two of four cards."""

    cards: tuple[Card, ...]


class Split(SeatCommand, frozen=True):
    """Play all four cards as two hands, with a second wager equal to the first."""

    first: tuple[Card, ...]
    second: tuple[Card, ...]
    bonus: int = 0
    """Cents on the second hand's bonus."""


class Challenge(SeatCommand, frozen=True):
    """Say that the dealer's hand is not set by the house way."""


class AnswerChallenge(Command, frozen=True):
    """Look at the dealer's hand again, and set it by the house way if it was not."""


class ActFor(SeatCommand, frozen=True):
    """Play an absent player's hand by the rulebook's default."""


class Perform(Command, frozen=True):
    """Perform the next step of the dealer's procedure."""

    step: str
    cards: tuple[Card, ...] = ()
    """The cards off the deck that the step uses, in their order; as few as one, as many as it needs."""
    count: int | None = None
    """Cards cut, counted or confirmed, where the step asks for a number."""
    seat: int | None = None
    """The one hand to settle; without it the step settles all that are left in it."""
    name: str = ""
    """Whom the step names: who inspected, who verified, who cut."""
    deck: str = ""
    """The deck meant, where there are two."""
    seal: str = ""
    """The seal of the shuffled deck."""

    @property
    def where(self) -> str:
        """The step."""
        return self.step


class KeyAward(SeatCommand, frozen=True):
    """Press the keypad button of a progressive award; pressed again it is withdrawn."""

    hand: str
    """The class of hand keyed."""


class Approve(Command, frozen=True):
    """Approve the payment that waits for it."""


class Recut(Command, frozen=True):
    """Order the cards cut again."""


class GoIdle(Command, frozen=True):
    """Let an open table stand idle, the cards spread."""


class Resume(Command, frozen=True):
    """Take up play at an idle table."""


class ChangeMinimum(Command, frozen=True):
    """Change the posted minimum from the next round on."""

    wager: str
    amount: int
    notice: str = ""
    """Who was told: "surveillance"."""


class KeepMinimum(SeatCommand, frozen=True):
    """Let a player who is in the game stay at the old minimum."""


class HoldSeat(SeatCommand, frozen=True):
    """Hold a seat for a player who comes back with more funds."""

    until: str = ""
    """An end, in the floor person's own words; empty until released by hand."""


class ReleaseSeat(SeatCommand, frozen=True):
    """End a seat's hold."""


class ReplaceDeck(Command, frozen=True):
    """Bring a new deck in the place of one that is off the table."""

    deck: str


class Report(Command, frozen=True):
    """Say that something is wrong."""

    kind: str
    at: str = ""
    """Where: "seat 3", "dealer", "board" or "deck"."""
    cards: tuple[Card, ...] = ()
    """The cards concerned: those seen, or the next one where the dealer is to be dealt it."""
    count: int | None = None
    seen: bool = False
    """For a card to be dealt in sequence: whether it was turned up."""
    device: str = ""
    """The back-up device taken, where one is."""

    @property
    def where(self) -> str:
        """The report itself."""
        return "report"


class DealExtra(Command, frozen=True):
    """Deal a hand a card too many, as happens; nobody has noticed yet."""

    at: str
    cards: tuple[Card, ...]


class DealShort(Command, frozen=True):
    """Pass over the hand whose card is next, as happens; nobody has noticed yet."""


class Mispay(SeatCommand, frozen=True):
    """Hand over another amount than is due on a settled wager, as happens."""

    wager: str
    amount: int
    """Cents more (or, below nothing, fewer) than due."""
    hand: int = 1


class Correct(SeatCommand, frozen=True):
    """Put a mispaid wager right."""

    wager: str
    hand: int = 1


class CloseTable(Command, frozen=True):
    """Close the table."""
