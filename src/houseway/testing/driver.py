"""A table in a few readable lines: scripted cards, dollars, the dealer's acts by themselves.

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

from houseway.cards import DECK, Card, cards, written
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve, fold
from houseway.engine.legal import legal
from houseway.engine.refusals import Refusal
from houseway.engine.script import ScriptLine, script
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import due, turn
from houseway.engine.views import View, view
from houseway.money import cents, dollars
from houseway.rules.loader import load

LIMIT = 1000
"""Acts after which a driver stops waiting."""


class CommandRefusedError(AssertionError):
    """A command that should have been accepted was refused."""

    def __init__(self, command: c.Command, refusal: Refusal) -> None:
        self.command, self.refusal = command, refusal
        super().__init__(f"{command} refused: {refusal.code} ({refusal.clause}) {refusal.message}")


class Shoe:
    """The cards outside the engine: an order given by a test, or a seeded one."""

    seal = "0" * 64
    """It binds to nothing and stands for one that does."""

    def __init__(self, decks: int, order: Sequence[Card] = (), seed: int = 1) -> None:
        self._decks = decks
        self._scripted = tuple(order)
        self._rng = Random(seed)
        self.cards: list[Card] = []

    def shuffle(self) -> None:
        """A new order: the scripted cards first, all others after them."""
        rest = list(DECK) * self._decks
        for card in self._scripted:
            if card not in rest:
                raise ValueError(f"{card} stands too often in the deck given")
            rest.remove(card)
        if not self._scripted:
            self._rng.shuffle(rest)
        self.cards = [*self._scripted, *rest]

    def stack(self, text: str) -> None:
        """Put these cards on top, whatever lies there."""
        wanted = cards(text)
        for card in wanted:
            self.cards.remove(card)
        self.cards[:0] = wanted

    def cut(self, count: int) -> None:
        """Cut: so many off the top, the rest on top of them."""
        self.cards = self.cards[count:] + self.cards[:count]

    def take(self, count: int) -> tuple[Card, ...]:
        """The next cards."""
        taken, self.cards = tuple(self.cards[:count]), self.cards[count:]
        return taken


def amount(value: Any) -> int:
    """Cents of dollars given as a whole number or a text."""
    if type(value) is int:
        return value * 100
    if not isinstance(value, str):
        raise TypeError(f'{value!r}: write dollars as a whole number or as text, "7.50"')
    return cents(value)


class Driver:
    """A table with its shoe, its record and the dealer's script; methods that act return the driver."""

    def __init__(self, rulebook: str, *, deck: str = "", seed: int = 1, **given: Any) -> None:
        terms, refused = read_terms(load(rulebook), given)
        if refused:
            raise AssertionError(f"no such table: {[r.message for r in refused]}")
        self.table = Table(terms)
        self.shoe = Shoe(terms.rulebook.ranking.decks, cards(deck), seed)
        self.state = State()
        self.events: list[e.Event] = []
        self.script: list[ScriptLine] = []
        self.machine_cuts = self.table.find("cut") is not None

    # --- sending commands ---

    def send(self, command: c.Command) -> tuple[e.Event, ...]:
        """Send a command that must be accepted; what happened."""
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
        """Shuffle and cut the shoe as the dealer did, and take out the cards that an event took."""
        if isinstance(event, e.DeckShuffled):
            self.shoe.shuffle()
            # A machine cuts in half; scripted cards must lie on top afterwards.
            if self.machine_cuts:
                size = len(self.shoe.cards)
                self.shoe.cut(size - size // 2)
        elif isinstance(event, e.DeckCut) and event.rest_on_top:
            self.shoe.cut(event.count)
        elif isinstance(event, (e.FaceUpFound, e.CardDrawn, e.HandCured, e.ExtraDealt)):
            off = event.face if isinstance(event, e.FaceUpFound) else event.sealed
            # Named off the top of the shoe, the cards leave it; who took them already finds others there.
            if tuple(self.shoe.cards[: len(off)]) == off:
                self.shoe.take(len(off))

    # --- the dealer ---

    def _open(self, **given: Any) -> Self:
        """Open the table; designated for its game, with a back for each deck."""
        backs = ("red", "blue")[: self.table.decks] or ("red",)
        usual = {"designated": (self.table.book.game,), "backs": backs, "examples": True}
        self.send(c.OpenTable(**{**usual, **given}))
        return self

    @property
    def next(self) -> str:
        """The name of the step that is due."""
        now = due(self.table, self.state)
        return "" if now is None else now.step.name

    def _step(self, **given: Any) -> tuple[e.Event, ...]:
        """Perform the dealer's next act, with its cards off the shoe."""
        if self.state.round.asked is not None:
            return self.send(c.Approve(by="floor supervisor"))
        act = next_act(self.table, self.state)
        if act is None:
            raise AssertionError(f"the dealer waits: {self.next or self.state.section}")
        seal = self.shoe.seal if act.act == "open" else ""
        return self.send(with_cards(act.command(self.shoe.take(act.cards), seal), given))

    def deal(self) -> Self:
        """The dealer's acts until a player is asked, wagers are taken, or the round is over."""
        if self.state.round.betting == "open":
            self._step()
        while next_act(self.table, self.state) is not None:
            before = self.state.section
            self._step()
            if self.state.section != "round" or (before == "round" and not self.state.done):
                break
        return self

    def finish(self) -> Self:
        """Everything to the end of the round; players who are asked check, then fold."""
        return self._act_until(lambda: self.state.section != "round" or not self.state.done, "the end")

    def out_of_order(self, step: str, **given: Any) -> Refusal:
        """Ask for a step that is not due; the refusal."""
        return self._refused(with_cards(c.Perform(step=step), given))

    def _refused(self, command: c.Command) -> Refusal:
        answer = decide(self.table, self.state, command)
        if not isinstance(answer, Refusal):
            raise AssertionError(f"{command} was accepted: {answer}")
        return answer

    def _act_until(self, reached: Callable[[], bool], what: str) -> Self:
        """The dealer's acts, and those of players who are asked, until something is reached."""
        for _ in range(LIMIT):
            if reached():
                return self
            now = self.state.round
            if next_act(self.table, self.state) is None and now.asked is None and not now.challenged:
                self._pass_turn()
            else:
                self._step()
        raise AssertionError(f"{what} never came")

    def _pass_turn(self) -> None:
        """The player who is asked checks, or folds, or keeps the first two cards."""
        asked = turn(self.table, self.state)
        if asked is None:
            raise AssertionError("nobody is asked")
        self.send(c.ActFor(by="supervisor", seat=asked[0]))

    def _ready(self) -> Self:
        """The dealer's acts until wagers are taken."""
        return self._act_until(
            lambda: self.state.round.betting == "open" and self.state.section == "round", "the betting"
        )

    # --- players ---

    def sit(self, *seats: int, player: str = "", chips: Any = 10_000) -> Self:
        """Seats taken with $10,000 each."""
        for seat in seats:
            self.send(c.Sit(seat=seat, player=player or f"player {seat}", chips=amount(chips)))
        return self

    def bet(self, seat: int, **wagers: Any) -> Self:
        """Wagers in dollars; `tips` and `coupon` besides. A free seat is taken first, a round opened."""
        self.send(self._bet(seat, **wagers))
        return self

    def _bet(self, seat: int, **wagers: Any) -> c.Bet:
        """The command that puts wagers down, the seat taken and the round opened first."""
        if self.state.section == "closed":
            self._open()
        if self.state.round.betting not in ("open", "closed"):
            self._ready()
        if seat not in self.state.seats:
            self.sit(seat)
        tips = {name: amount(value) for name, value in wagers.pop("tips", {}).items()}
        coupon = amount(wagers.pop("coupon", 0))
        form = wagers.pop("form", "chips")
        placed = {name: amount(value) for name, value in wagers.items()}
        return c.Bet(by=f"seat {seat}", seat=seat, wagers=placed, tips=tips, coupon=coupon, form=form)

    def check(self, *seats: int) -> Self:
        """Seats check."""
        for seat in seats:
            self.send(c.Check(by=f"seat {seat}", seat=seat))
        return self

    def play(self, seat: int, times: int, tip: Any = 0) -> Self:
        """A seat plays a multiple of its ante."""
        self.send(c.Play(by=f"seat {seat}", seat=seat, times=times, tip=amount(tip)))
        return self

    def fold(self, *seats: int) -> Self:
        """Seats fold."""
        for seat in seats:
            self.send(c.Fold(by=f"seat {seat}", seat=seat))
            while (act := next_act(self.table, self.state)) is not None and act.act == "take folds":
                self._step()
        return self

    def keep(self, seat: int, hand: str, other: str = "", bonus: Any = 0) -> Self:
        """Keep two of a seat's four cards, or split them into two hands if `other` is given."""
        by = f"seat {seat}"
        if other:
            hands = {"first": cards(hand), "second": cards(other)}
            self.send(c.Split(by=by, seat=seat, **hands, bonus=amount(bonus)))
        else:
            self.send(c.Keep(by=by, seat=seat, cards=cards(hand)))
        return self

    def report(self, kind: str, **given: Any) -> Self:
        """Report an irregularity; cards as text."""
        self.send(c.Report(kind=kind, cards=cards(given.pop("cards", "")), **given))
        return self

    # --- looking ---

    def hole(self, seat: int, hand: int = 1) -> str:
        """The cards a seat holds."""
        return written(self.state.seats[seat].hands[hand - 1].cards)

    @property
    def board(self) -> str:
        """The community cards that lie face up."""
        return written(self.state.round.board[: self.state.round.up])

    def net(self, seat: int) -> str:
        """What a seat has won or lost since the round opened, wagers on the layout counted as spent."""
        at = self.state.seats[seat]
        return dollars(at.chips - at.started)

    def chips_of(self, seat: int) -> str:
        """What a seat has in front of it, in dollars."""
        return dollars(self.state.seats[seat].chips)

    def wagers(self, seat: int, hand: int = 1) -> dict[str, str]:
        """What lies on the layout at a seat, in dollars."""
        return {n: dollars(a) for n, a in self.state.seats[seat].hands[hand - 1].wagers.items()}

    def view(self, who: str) -> View:
        """What somebody sees."""
        return view(self.table, self.state, who)

    def legal(self, who: str) -> list[str]:
        """What somebody may do now, in words."""
        return [option.says for option in legal(self.table, self.state, who)]

    def check_books(self) -> None:
        """The record folded again gives the same table, and no money was made or lost."""
        assert fold(self.events) == self.state
        assert total(self.state) == 0


def with_cards(command: c.Perform, given: dict[str, Any]) -> c.Perform:
    """A command with some of its fields changed; cards may be given as text."""
    if isinstance(given.get("cards"), str):
        given = {**given, "cards": cards(given["cards"])}
    return replace(command, **given)


def table(
    rulebook: str, *, deck: str = "", seed: int = 1, opening: Mapping[str, Any] | None = None, **given: Any
) -> Driver:
    """A table of a rulebook, open and ready for wagers; `deck` names its first cards from the top.

    `mode`, `tables`, `limits` and `house` are its terms, as `houseway settle` takes them; `opening` holds
    fields of the command that opens it, such as `{"dealer": "person"}`.
    """
    return Driver(rulebook, deck=deck, seed=seed, **given)._open(**(opening or {}))._ready()


def stacked(mode: str, board: str, dealer: str, *holes: str) -> str:
    """The top of a deck that deals these two-card hands, seat by seat, this board and this dealer's hand.

    By hand one card at a time, two cards burned; by machine the board first and the dealer last.
    """
    hands = [cards(hole) for hole in (*holes, dealer)]
    five = cards(board)
    if mode == "device":
        return written((*five, *(card for hand in hands for card in hand)))
    used = {*five, *(card for hand in hands for card in hand)}
    first, second = [card for card in DECK if card not in used][:2]
    dealt = [hand[n] for n in (0, 1) for hand in hands]
    return written((*dealt, first, *five[:3], second, *five[3:]))
