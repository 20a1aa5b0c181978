"""Drive a table in a few readable lines: cards in a chosen order, amounts in dollars, and automatic dealer
acts.

>>> t = table("uth-ma", deck="Ah 2c Kd As 3c Kc 9d  Qd 9s 7h  8d  4c 2d")
>>> t.bet(1, ante=10).bet(2, ante=10).deal()
>>> t.play(1, 4).check(2).deal()
>>> t.hole(1), t.hole(2), t.board
('Ah As', '2c 3c', 'Qd 9s 7h')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Self

from msgspec.structs import replace

from houseway.cards import DECK, Card, cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve, fold
from houseway.engine.idle_table import must_spread
from houseway.engine.legal import legal
from houseway.engine.refusals import Refusal
from houseway.engine.script import ScriptLine, script
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.engine.terms import read_terms, stakeable
from houseway.engine.turn_order import due, turn
from houseway.engine.views import RoleView, view
from houseway.money import cents, dollars
from houseway.rules.loader import load

MOST = "100"
"""The posted maximum, in dollars, if the rulebook needs one and the caller gives no limits."""
LIMIT = 1000
"""The number of acts after which a driver gives up."""

OFF_DECK = (e.FaceUpFound, e.CardReplaced, e.CardDrawn, e.HandCured, e.ExtraDealt, e.BoardExposed)
"""The events, besides those of the dealer's steps, whose cards come off the deck."""


class CommandRefusedError(AssertionError):
    """A command that must be accepted was refused."""

    def __init__(self, command: c.Command, refusal: Refusal) -> None:
        self.command, self.refusal = command, refusal
        cited = f"{refusal.code}, {refusal.clause}" if refusal.clause else refusal.code
        super().__init__(f"{command} refused ({cited}): {refusal.message}")


class DriverShoe:
    """The shoe of a test table, in a scripted or a seeded order."""

    seal = "0" * 64
    """A placeholder; it does not commit to any cards."""

    def __init__(self, decks: int, order: Sequence[Card] = (), seed: int = 1) -> None:
        self._decks = decks
        self._scripted = tuple(order)
        self._rng = Random(seed)
        self.cards: list[Card] = []

    def shuffle(self) -> None:
        """Set a new order: the scripted cards first, then all others."""
        rest = list(DECK) * self._decks
        for card in self._scripted:
            if card not in rest:
                raise ValueError(f"{card} is in the scripted deck more often than in {self._decks} deck(s)")
            rest.remove(card)
        if not self._scripted:
            self._rng.shuffle(rest)
        self.cards = [*self._scripted, *rest]

    def stack(self, text: str) -> None:
        """Move these cards to the top."""
        top = cards(text)
        for card in top:
            self.cards.remove(card)
        self.cards[:0] = top

    def cut(self, count: int) -> None:
        """Move this many cards from the top to the bottom."""
        self.cards = self.cards[count:] + self.cards[:count]

    def take(self, count: int) -> tuple[Card, ...]:
        """Remove and return the next cards."""
        top, self.cards = tuple(self.cards[:count]), self.cards[count:]
        return top


def amount(value: Any) -> int:
    """Return dollars, given as a whole number or a string, in cents."""
    if type(value) is int:
        return value * 100
    if not isinstance(value, str):
        raise TypeError(f'{value!r} is not an amount; write dollars as a whole number or a string, "7.50"')
    return cents(value)


VISITOR = "the first player"


class Driver:
    """A table with its shoe, events and dealer's script. Methods that act return the driver."""

    def __init__(self, rulebook: str, *, deck: str = "", seed: int = 1, **given: Any) -> None:
        book = load(rulebook)
        if "limits" not in given and book.bet_limit is not None and book.bet_limit.maxima is not None:
            free = [name for name in stakeable(book) if book.wagers[name].equals is None]
            given["limits"] = {name: {"max": MOST} for name in free}
        terms, refused = read_terms(book, given)
        if refused:
            raise AssertionError(f"the table's terms are refused: {[r.message for r in refused]}")
        self.table = Table(terms)
        self.shoe = DriverShoe(terms.rulebook.ranking.decks, cards(deck), seed)
        self.state = State()
        self.events: list[e.Event] = []
        self.script: list[ScriptLine] = []
        self._visitor = 0
        """The seat of the visitor who inspected the cards before the first round; 0 if there is none."""
        self.machine_cuts = self.table.find("cut") is not None

    # --- sending commands ---

    def send(self, command: c.Command) -> tuple[e.Event, ...]:
        """Send a command that must be accepted, and return its events.

        A visitor who inspected the cards leaves once another player sits down.
        """
        visitor = self._visitor
        if isinstance(command, c.Sit) and visitor and visitor in self.state.seats:
            self._visitor = 0
            if command.seat != visitor:
                events = self._send(command)
                self._send(c.Leave(seat=visitor))
                return events
            # The visitor moves, because an empty table would be idle.
            self._send(c.Sit(seat=visitor - 1, player=VISITOR, chips=1))
            self._send(c.Leave(seat=visitor))
            events = self._send(command)
            self._send(c.Leave(seat=visitor - 1))
            return events
        return self._send(command)

    def _send(self, command: c.Command) -> tuple[e.Event, ...]:
        answer = decide(self.table, self.state, command)
        if isinstance(answer, Refusal):
            raise CommandRefusedError(command, answer)
        for event in answer:
            self.state = evolve(self.state, event)
            self._follow(event)
            self.script += script(self.table, self.state, event)
        self.events += answer
        return answer

    def _follow(self, event: e.Event) -> None:
        """Shuffle and cut the shoe as the dealer did, and remove the cards that an event took from it."""
        if (isinstance(event, e.DeckShuffled) and not event.ahead) or (
            isinstance(event, e.DecksSwapped) and event.stands
        ):
            # A deck that was shuffled ahead becomes the shoe when it comes into play.
            self.shoe.shuffle()
            # A machine cuts in half; after that the scripted cards must be on top.
            if self.machine_cuts:
                size = len(self.shoe.cards)
                self.shoe.cut(size - size // 2)
        elif isinstance(event, e.DeckCut) and event.rest_on_top:
            self.shoe.cut(event.count)
        elif isinstance(event, OFF_DECK) and not (isinstance(event, e.FaceUpFound) and event.at):
            off = getattr(event, "sealed", ()) + getattr(event, "face", ())
            # Remove the cards only if they are still on top: the caller may have taken them already.
            if tuple(self.shoe.cards[: len(off)]) == off:
                self.shoe.take(len(off))

    # --- the dealer ---

    def _open(self, **given: Any) -> Self:
        """Open the table for its game, with a card back for each deck."""
        backs = ("red", "blue")[: self.table.decks] or ("red",)
        defaults = {"designated": (self.table.book.game,), "backs": backs, "examples": True}
        self.send(c.OpenTable(**{**defaults, **given}))
        return self

    @property
    def next(self) -> str:
        """The name of the step that is due."""
        now = due(self.table, self.state)
        return "" if now is None else now.step.name

    def _step(self, **given: Any) -> tuple[e.Event, ...]:
        """Perform the dealer's next act, with cards from the shoe."""
        if self.state.round.asked is not None:
            named = self.table.names_persons
            return self.send(c.Approve(by="floor supervisor", name="Flo" if named else ""))
        if self._idles:
            idle = self.state.section == "idle"
            return self.send(c.Resume() if idle else c.GoIdle())
        act = next_act(self.table, self.state)
        if act is None and self._awaits_player:
            return self._first_player()
        if act is None:
            raise AssertionError(f"the dealer has nothing to do at {self.next or self.state.section!r}")
        seal = self.shoe.seal if act.act == "open" else ""
        return self.send(with_cards(act.command(self.shoe.take(act.cards), seal), given))

    @property
    def _awaits_player(self) -> bool:
        """True if the dealer waits to offer the inspection to a first player."""
        now = due(self.table, self.state)
        return now is not None and now.step.act == "offer inspection" and not self.state.seats

    def _first_player(self) -> tuple[e.Event, ...]:
        """Let a visitor sit down and have the chance to inspect the deck.

        The visitor stays until another player sits down, because a table without players is idle.
        """
        seat = self.table.seats
        seated = self.send(c.Sit(seat=seat, player=VISITOR, chips=1))
        offered = self.send(c.Perform(step=self.next))
        self._visitor = 0 if self.state.rounds else seat
        return (*seated, *offered)

    @property
    def _idles(self) -> bool:
        """True if the last player has left: the cards must be spread, or play must be resumed."""
        return must_spread(self.table, self.state) or (self.state.emptied and self.state.section == "idle")

    def deal(self) -> Self:
        """Perform the dealer's acts until a player must decide, betting opens, or the round is over."""
        if self.state.round.betting == "open":
            self._step()
        while next_act(self.table, self.state) is not None:
            before = self.state.section
            self._step()
            if self.state.section != "round" or (before == "round" and not self.state.done):
                break
        return self

    def finish(self) -> Self:
        """Play to the end of the round; players who must decide check, or fold if they cannot check."""
        return self._act_until(lambda: self.state.section != "round" or not self.state.done, "the end")

    def out_of_order(self, step: str, **given: Any) -> Refusal:
        """Request a step that is not due, and return the refusal."""
        return self._refused(with_cards(c.Perform(step=step), given))

    def _refused(self, command: c.Command) -> Refusal:
        answer = decide(self.table, self.state, command)
        if not isinstance(answer, Refusal):
            raise AssertionError(f"{command} was accepted: {answer}")
        return answer

    def _act_until(self, reached: Callable[[], bool], what: str) -> Self:
        """Perform the acts of the dealer and of players who must decide until `reached` returns True."""
        for _ in range(LIMIT):
            if reached():
                return self
            now = self.state.round
            waits = next_act(self.table, self.state) is None and not (self._awaits_player or self._idles)
            if waits and now.asked is None and not now.challenged:
                self._pass_turn()
            else:
                self._step()
        raise AssertionError(f"{what} was not reached after {LIMIT} acts")

    def _pass_turn(self) -> None:
        """Act for the player whose turn it is: check, fold, or keep the first two cards.

        If no player is at the table to mark the cut, an employee marks it.
        """
        now, current = due(self.table, self.state), turn(self.table, self.state)
        if now is not None and now.step.act == "cut":
            half = self.table.deck_size // 2
            self.send(c.Perform(step=now.step.name, count=half, name="supervisor Flo"))
            return
        if current is None:
            raise AssertionError("neither a player nor the dealer can act")
        self.send(c.ActFor(by="supervisor", seat=current[0]))

    def _ready(self) -> Self:
        """Perform the dealer's acts until betting opens."""
        return self._act_until(
            lambda: (
                self.state.round.betting == "open" and self.state.section == "round" and not self._idles
            ),
            "the betting",
        )

    # --- players ---

    def sit(self, *seats: int, player: str = "", chips: Any = 10_000) -> Self:
        """Seat players, with $10,000 each unless `chips` says otherwise."""
        for seat in seats:
            self.send(c.Sit(seat=seat, player=player or f"player {seat}", chips=amount(chips)))
        return self

    def bet(self, seat: int, **wagers: Any) -> Self:
        """Place wagers in dollars, with optional `tips`, `coupon` and `form`.

        Opens the table and the round and seats a player first if necessary.
        """
        self.send(self._bet(seat, **wagers))
        return self

    def _bet(self, seat: int, **wagers: Any) -> c.Bet:
        """Return the command that places wagers; open the round and seat the player first if necessary."""
        if self.state.section == "closed":
            self._open()
        if self.state.emptied and seat not in self.state.seats:
            self.sit(seat)
        if self.state.emptied or self.state.round.betting not in ("open", "closed"):
            self._ready()
        if seat not in self.state.seats or seat == self._visitor:
            self.sit(seat)
        tips = {name: amount(value) for name, value in wagers.pop("tips", {}).items()}
        coupon = amount(wagers.pop("coupon", 0))
        form = wagers.pop("form", "chips")
        amounts = {name: amount(value) for name, value in wagers.items()}
        return c.Bet(by=f"seat {seat}", seat=seat, wagers=amounts, tips=tips, coupon=coupon, form=form)

    def check(self, *seats: int) -> Self:
        """Check for these seats, in order."""
        for seat in seats:
            self.send(c.Check(by=f"seat {seat}", seat=seat))
        return self

    def play(self, seat: int, times: int, tip: Any = 0) -> Self:
        """Make a play wager of a multiple of the seat's ante."""
        self.send(c.Play(by=f"seat {seat}", seat=seat, times=times, tip=amount(tip)))
        return self

    def fold(self, *seats: int) -> Self:
        """Fold for these seats, in order."""
        for seat in seats:
            self.send(c.Fold(by=f"seat {seat}", seat=seat))
            while (act := next_act(self.table, self.state)) is not None and act.act == "take folds":
                self._step()
        return self

    def keep(self, seat: int, hand: str, other: str = "", bonus: Any = 0) -> Self:
        """Keep two of a seat's four cards, or split them into two hands if `other` is given."""
        sender = f"seat {seat}"
        if other:
            first, second = cards(hand), cards(other)
            self.send(c.Split(by=sender, seat=seat, first=first, second=second, bonus=amount(bonus)))
        else:
            self.send(c.Keep(by=sender, seat=seat, cards=cards(hand)))
        return self

    def report(self, kind: str, **given: Any) -> Self:
        """Report an irregularity; cards are given as text."""
        self.send(c.Report(kind=kind, cards=cards(given.pop("cards", "")), **given))
        return self

    # --- reading the state ---

    def hole(self, seat: int, hand: int = 1) -> str:
        """Return the cards of a seat's hand."""
        return codes(self.state.seats[seat].hands[hand - 1].cards)

    @property
    def board(self) -> str:
        """The community cards that are face up."""
        return codes(self.state.round.board[: self.state.round.up])

    def net(self, seat: int) -> str:
        """Return what a seat has won or lost since the round opened; wagers on the layout count as lost."""
        at = self.state.seats[seat]
        return dollars(at.chips - at.started)

    def chips_of(self, seat: int) -> str:
        """Return a seat's chips in dollars."""
        return dollars(self.state.seats[seat].chips)

    def wagers(self, seat: int, hand: int = 1) -> dict[str, str]:
        """Return the wagers on the layout at a seat, in dollars."""
        return {n: dollars(a) for n, a in self.state.seats[seat].hands[hand - 1].wagers.items()}

    def view(self, who: str) -> RoleView:
        """Return the view of a role, such as "seat 1" or "dealer"."""
        return view(self.table, self.state, who)

    def legal(self, who: str) -> list[str]:
        """Return the legal actions of a role, in words."""
        return [option.says for option in legal(self.table, self.state, who)]

    def check_books(self) -> None:
        """Assert that applying the events gives the same state, and that the books balance."""
        assert fold(self.events) == self.state
        assert total(self.state) == 0


def with_cards(command: c.Perform, given: dict[str, Any]) -> c.Perform:
    """Return a command with some of its fields changed; cards may be given as text."""
    if isinstance(given.get("cards"), str):
        given = {**given, "cards": cards(given["cards"])}
    return replace(command, **given)


def table(
    rulebook: str, *, deck: str = "", seed: int = 1, opening: Mapping[str, Any] | None = None, **given: Any
) -> Driver:
    """Return a table of a rulebook, ready for wagers. `deck` lists the first cards from the top.

    `mode`, `tables`, `limits` and `house` are its terms, as for `houseway settle`. `opening` has fields of
    the command that opens the table, such as `{"dealer": "person"}`.
    """
    return Driver(rulebook, deck=deck, seed=seed, **given)._open(**(opening or {}))._ready()


def stacked(mode: str, board: str, dealer: str, *holes: str) -> str:
    """Return the top of a deck that deals this board, this dealer's hand and these two-card hands by seat.

    In manual mode cards are dealt one at a time and two are burned. In device mode the board comes first
    and the dealer's hand last.
    """
    hands = [cards(hole) for hole in (*holes, dealer)]
    five = cards(board)
    if mode == "device":
        return codes((*five, *(card for hand in hands for card in hand)))
    used = {*five, *(card for hand in hands for card in hand)}
    first, second = [card for card in DECK if card not in used][:2]
    dealt = [hand[n] for n in (0, 1) for hand in hands]
    return codes((*dealt, first, *five[:3], second, *five[3:]))
