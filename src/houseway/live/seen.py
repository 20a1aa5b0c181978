"""A round as it was seen: what lay face up stays readable after the dealer has collected it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from houseway.cards import cards
from houseway.engine import events as e
from houseway.engine.codec import apart
from houseway.engine.table import Table
from houseway.ranking import Hand, HandClass, read

Place = tuple[int, int]
"""A seat and its hand, counted from 1."""


def made(table: Table, own: Iterable[str], board: Iterable[str]) -> Hand | None:
    """The hand that cards make with the board; None while there are too few."""
    seven = (*own, *board)
    return _read(seven, table.terms.order) if 5 <= len(seven) <= 7 else None


@lru_cache(maxsize=4096)
def _read(seven: tuple[str, ...], order: tuple[HandClass, ...]) -> Hand:
    """Everybody at a table looks at the same hands, again and again."""
    return read(cards(" ".join(seven)), order)


def called(table: Table, own: Iterable[str], board: Iterable[str]) -> str:
    """The hand that cards make with the board, as a dealer calls it; empty while there are too few."""
    hand = made(table, own, board)
    return hand.words if hand is not None else ""


@dataclass(frozen=True)
class Line:
    """A wager settled."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    odds: str
    net: int
    clause: str
    cut: int = 0
    """What a limit took off it."""
    for_dealer: bool = False


@dataclass
class Seen:
    """One round, for one seat; 0 for somebody who does not sit."""

    you: int = 0
    number: int = 0
    seal: str = ""
    """What the order of the cards was sealed with before the first wager."""
    salt: str = ""
    """What the player put into the players' cut."""
    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealer_says: str = ""
    hands: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    """Hands turned up, and the own ones once they could be looked at."""
    acts: dict[int, str] = field(default_factory=dict)
    """What each seat did last, in a word or two."""
    bets: dict[int, dict[str, int]] = field(default_factory=dict)
    """Cents wagered by seat, the play wager and a second hand's wagers included."""
    payouts: dict[str, str] = field(default_factory=dict)
    """What Cover All pays in this round."""
    lines: list[Line] = field(default_factory=list)
    net: dict[int, int] = field(default_factory=dict)
    closed: bool = False
    _dealt: tuple[str, ...] = ()
    """The own cards, until they may be looked at."""

    def follow(self, table: Table, event: e.Event) -> None:
        """Take in what an event showed."""
        if isinstance(event, e.CardsDealt) and self.you and event.to == f"seat {self.you}":
            self._dealt += tuple(map(str, event.sealed or event.face))
        shown, _ = apart(event)
        match shown:
            case e.PlayersLooked() if self._dealt and "looking" in table.book.options:
                self.hands[self.you, 1] = self._dealt
            case e.SaltAdded(seat=self.you, salt=salt):
                self.salt = salt
            case e.WagersPlaced(seat=seat, wagers=wagers):
                self.bets[seat] = dict(wagers)
            case e.WagersTakenBack(seat=seat):
                self.bets.pop(seat, None)
            case e.Checked(seat=seat):
                self.acts[seat] = "checked"
            case e.PlayMade(seat=seat, times=times, amount=amount):
                self.acts[seat] = f"played {times}x"
                self.bets.setdefault(seat, {})["play"] = amount
            case e.Folded(seat=seat):
                self.acts[seat] = "folded"
            case e.HandSet(seat=seat, face=face):
                self.acts[seat] = "hand set"
                self._turn((seat, 1), face)
            case e.HandSplit(seat=seat, first=first, second=second):
                self.acts[seat] = "split"
                self._turn((seat, 1), first)
                self._turn((seat, 2), second)
            case e.BoardTurned() | e.CardsDealt(to="board"):
                self.board += tuple(map(str, shown.face))
            case e.BoardArranged():
                self.board = tuple(map(str, shown.face))
            case e.DealerRevealed():
                self.dealer = tuple(map(str, shown.face))
                if shown.qualifies is not None:
                    self.dealer_says = "qualifies" if shown.qualifies else "does not qualify"
            case e.DealerHandSet(kept=kept) | e.ChallengeAnswered(kept=kept):
                self.dealer = tuple(map(str, kept))
            case e.HandTurned():
                self._turn((shown.seat, shown.hand), shown.face)
            case e.PayoutsShown():
                self.payouts = dict(shown.odds)
            case e.WagerSettled():
                self.lines.append(_line(shown))
            case e.RoundVoided():
                self.dealer_says = "every hand is void"
            case e.RoundClosed():
                self.net, self.closed = dict(shown.net), True

    def _turn(self, place: Place, face: e.Cards) -> None:
        if face:
            self.hands[place] = tuple(map(str, face))

    def calls(self, table: Table, place: Place) -> str:
        """A hand in words, as far as the board is out."""
        own = self.hands.get(place, ())
        return called(table, own, self.board) if len(own) == 2 else ""

    def dealer_calls(self, table: Table) -> str:
        """The dealer's hand in words, and whether it qualifies."""
        hand = called(table, self.dealer, self.board) if len(self.dealer) == 2 else ""
        return ", ".join(part for part in (hand, self.dealer_says) if part)


def _line(event: e.WagerSettled) -> Line:
    return Line(
        event.seat,
        event.hand,
        event.wager,
        event.stake,
        event.result,
        event.odds or "",
        event.back - event.stake,
        event.clause or "",
        event.cut,
        event.for_dealer,
    )
