"""Commands: requests to a table. Their names are imperatives, and `by` names the sender.

Sending a command changes no state. `decide` answers it with events or with a refusal.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.cards import Card


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """A request to the table."""

    by: str = "dealer"
    """The sender: "dealer", "floor", "casino supervisor", "seat 3", "deadline", "house" or a name."""

    @property
    def where(self) -> str:
        """The place that a refusal names, unless the refusal has a more exact place."""
        return "table"


class SeatCommand(Command, frozen=True):
    """A request that concerns one seat."""

    seat: int

    @property
    def where(self) -> str:
        """The seat."""
        return f"seat {self.seat}"


class OpenTable(Command, frozen=True):
    """Open a table for a game, with its decks and meters."""

    designated: tuple[str, ...] = ()
    """The games for which the house has designated the table."""
    designated_by: str = ""
    """The person who designated the table; empty if it is the rulebook's game by default."""
    backs: tuple[str, ...] = ("red",)
    """The colour of each deck's back."""
    examples: bool = False
    """True to try out a table with the rulebook's examples for settings that the house has not chosen."""
    dealer: str = "machine"
    """The dealer: "machine", or "person" if a person performs the acts one by one."""
    cover_cards: str = ""
    """The colour of the cover cards, if the rulebook uses them."""
    meters: dict[str, int] = {}
    """The amount on each meter, in cents; a meter left out starts at its seed (starting amount)."""
    link: dict[str, Any] = {}
    """The linked meter that this table joins: its `name` and, if the meter already exists, its pay table,
    wager, decks, `seeds` and `reserve` in cents, the number `at` of its last event, and its `meters` and
    `reserves` in millionths of a cent."""
    purpose: str = "live"
    """"live", "shadow" if the record follows a physical table, or "training" for a dealer in training."""
    leave_out: tuple[str, ...] = ()
    """Wagers of the rulebook that this table does not offer."""
    players_cut: str = ""
    """"committed" if players commit to their salts first, or "plain" if they add them in the clear. A live
    table fills in "committed"; records from before this field are "plain"."""


class Sit(SeatCommand, frozen=True):
    """Take a seat with chips, or sit down again after standing up."""

    player: str = ""
    chips: int = 0
    account: str = ""
    """The account that the chips come from; a live table fills in the chips."""


class Stand(SeatCommand, frozen=True):
    """Stand up without leaving the game."""

    name: str = ""
    """The name of the floor person who reports that a player stood up; the server enters it."""


class Leave(SeatCommand, frozen=True):
    """Leave the game and take the chips."""


class Bet(SeatCommand, frozen=True):
    """Put wagers on the layout, replacing the seat's earlier ones."""

    wagers: dict[str, int]
    """Cents by wager; a wager that must equal another may be left out."""
    tips: dict[str, int] = {}
    coupon: int = 0
    form: str = "chips"
    """"chips", "plaques", "cash" or "verbal"."""


class AddSalt(SeatCommand, frozen=True):
    """Add 16 random bytes to the players' cut, at a table that takes them in the clear."""

    salt: str
    """32 hexadecimal digits."""


class CommitSalt(SeatCommand, frozen=True):
    """Commit to 16 random bytes for the players' cut, while betting is open on a fresh deck."""

    commitment: str
    """64 hexadecimal digits: the SHA-256 of a label, the deck's seal, the seat and the salt."""


class OpenSalt(SeatCommand, frozen=True):
    """Open the salt that the seat committed to, once betting is closed."""

    salt: str
    """32 hexadecimal digits."""


class DiscardDeck(Command, frozen=True):
    """Discard the deck unseen, because a salt was not opened in time.

    Only the table itself sends this command.
    """

    @property
    def where(self) -> str:
        """The deck."""
        return "deck"


class TakeBack(SeatCommand, frozen=True):
    """Take all wagers off the layout again."""


class Check(SeatCommand, frozen=True):
    """Check: decide at the next betting point."""


class Play(SeatCommand, frozen=True):
    """Make the play wager, a multiple of the ante."""

    times: int
    tip: int = 0
    """Cents of a tip on the play wager."""


class Fold(SeatCommand, frozen=True):
    """Fold: give up the ante and the blind."""


class Keep(SeatCommand, frozen=True):
    """Keep two of four cards."""

    cards: tuple[Card, ...]


class Split(SeatCommand, frozen=True):
    """Play all four cards as two hands, with a second wager equal to the first."""

    first: tuple[Card, ...]
    second: tuple[Card, ...]
    bonus: int = 0
    """Cents on the second hand's bonus."""
    wager: int | None = None
    """Cents on the second hand. They must equal the first hand's wager; None means that amount."""


class Challenge(SeatCommand, frozen=True):
    """Claim that the dealer's hand was not set by the house way."""


class AnswerChallenge(Command, frozen=True):
    """Check the dealer's hand after a challenge, and set it again if it does not follow the house way."""

    name: str = ""
    """The name of the dealer or supervisor; the server enters it."""


class ResetHand(Command, frozen=True):
    """Set the dealer's hand again by the house way, without a challenge."""

    name: str = ""
    """The name of the dealer or supervisor; the server enters it."""

    @property
    def where(self) -> str:
        """The dealer."""
        return "dealer"


class ActFor(SeatCommand, frozen=True):
    """Play an absent player's hand by the rulebook's default."""

    name: str = ""
    """The name of the floor person; the server enters it."""


class Perform(Command, frozen=True):
    """Perform the next step of the dealer's procedure."""

    step: str
    cards: tuple[Card, ...] = ()
    """The next cards off the deck, in order, if the step uses cards; never more than it uses."""
    count: int | None = None
    """The number of cards cut, counted or confirmed, if the step asks for one."""
    seat: int | None = None
    """The next seat to deal to or to settle; None settles every seat left in the step."""
    name: str = ""
    """The name of the person who inspected, verified or cut, if the step asks for it."""
    deck: str = ""
    """The deck to use, if the table has two."""
    seal: str = ""
    """The seal of the shuffled deck."""
    exception: str = ""
    """The reason for opening without a confirmation, if the clause allows that."""
    holds: dict[str, int] = {}
    """At a real table, after a wrong count of the stub: the number of cards that each unseen hand really
    has, by place. A hand that is not named has as many as it was dealt."""

    @property
    def where(self) -> str:
        """The step."""
        return self.step


class KeyAward(SeatCommand, frozen=True):
    """Press the keypad button of a progressive award; a second press withdraws the award."""

    hand: str
    """The class of the hand to key."""


class Approve(Command, frozen=True):
    """Approve the payment that is waiting for approval."""

    name: str = ""
    """The name of the person who approves the payment; empty if the house setting `auto_approve` does."""


class Recut(Command, frozen=True):
    """Order a new cut."""

    name: str = ""
    """The supervisor's name; the server enters it."""


class GoIdle(Command, frozen=True):
    """Make an open table idle, with its cards spread."""


class Resume(Command, frozen=True):
    """Resume play at an idle table."""


class ChangeMinimum(Command, frozen=True):
    """Change the posted minimum, starting with the next round."""

    wager: str
    amount: int
    notice: str = ""
    """The department that was notified: "surveillance"."""
    name: str = ""
    """The name of the floor person; the server enters it."""


class KeepMinimum(SeatCommand, frozen=True):
    """Let a player keep the old minimum."""

    name: str = ""
    """The name of the floor person; the server enters it."""


class HoldSeat(SeatCommand, frozen=True):
    """Hold a seat for a player who will return with more funds."""

    until: str = ""
    """The end of the hold in the floor supervisor's words; if empty, the hold lasts until released."""
    name: str = ""
    """The name of the floor person; the server enters it."""


class ReleaseSeat(SeatCommand, frozen=True):
    """End a seat's hold."""

    name: str = ""
    """The name of the floor person; the server enters it."""


class RemovePlayer(SeatCommand, frozen=True):
    """Remove a player who holds up the table; a player with cards leaves after the round."""

    name: str = ""
    """The name of the floor person; the server enters it."""
    reason: str = ""


class ReplaceDeck(Command, frozen=True):
    """Replace a deck that was taken off the table."""

    deck: str
    name: str = ""
    """The name of the floor person, which the server enters; empty if the house setting `auto_approve`
    replaces the deck."""


class Report(Command, frozen=True):
    """Report an irregularity."""

    kind: str
    at: str = ""
    """The place: "seat 3", "dealer", "board" or "deck"."""
    cards: tuple[Card, ...] = ()
    """The exposed or misplaced cards, or the missing cards to deal to the dealer or the board. A live
    table fills in cards that come off the deck."""
    count: int | None = None
    seen: bool = False
    """True if the card that the hand should have received is already face up elsewhere, so that it can no
    longer be dealt to the hand."""
    device: str = ""
    """The back-up device put into use, if any."""
    which: int = 0
    """The exposed or face-up card, counted from 1 in the order dealt; 0 is the card dealt last."""
    holds: int | None = None
    """At a real table, where face-down cards are unseen: the number of cards that a hand really has."""

    @property
    def where(self) -> str:
        """The report itself."""
        return "report"


class ShowCards(Command, frozen=True):
    """Name cards that have become visible at a real table."""

    at: str
    """The place: "seat 3", "dealer" or "board"."""
    cards: tuple[Card, ...]

    @property
    def where(self) -> str:
        """The cards."""
        return "cards"


class SeeFold(Command, frozen=True):
    """Record what happened to an unseen folded hand at a real table."""

    seat: int
    held: bool = False
    """True if the cards stay under the trips bet; False if the dealer took the cards."""


class DealExtra(Command, frozen=True):
    """Deal a hand one card too many, as a mistake that is reported later."""

    at: str
    # With a default factory, the field is written to the record even if it is empty, as in older records.
    cards: tuple[Card, ...] = msgspec.field(default_factory=lambda: ())
    """The next card of the deck; a live table takes it from its shoe."""


class DealShort(Command, frozen=True):
    """Skip the hand that should get the next card, as a mistake that is reported later."""

    cards: tuple[Card, ...] = ()
    """The cards that a device deals to the board, if it deals too few."""


class Mispay(SeatCommand, frozen=True):
    """Pay the wrong amount on a settled wager, as a mistake that is corrected later."""

    wager: str
    amount: int
    """Cents paid beyond the amount due; negative if too little was paid."""
    hand: int = 1


class Correct(SeatCommand, frozen=True):
    """Correct a mispaid wager."""

    wager: str
    hand: int = 1
    name: str = ""
    """The name of the floor person; the server enters it."""


class MakeRuling(Command, frozen=True):
    """Make a supervisor's ruling on something that no clause covers."""

    name: str = ""
    """The supervisor's name; the server enters it."""
    reason: str = ""
    effect: str = ""
    """"continue", "void hand", "void round", "refund round" or "correct payment"."""
    seat: int = 0
    """The seat whose hand is void or whose payment is corrected."""
    hand: int = 1
    wager: str = ""
    amount: int = 0
    """Cents that the player gets; negative if they are taken back."""

    @property
    def where(self) -> str:
        """The ruling itself."""
        return "ruling"


class SyncMeters(Command, frozen=True):
    """Copy the amounts of the linked meter, which other tables have changed.

    Only the house sends this command.
    """

    meters: dict[str, int]
    """Millionths of a cent."""
    reserves: dict[str, int]
    at: int
    """The number of the meter's last event."""


class CloseTable(Command, frozen=True):
    """Close the table."""
