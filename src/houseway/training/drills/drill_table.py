"""A training table that runs by itself, with seeded players and a dealer who follows the document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from houseway.cards import DECK, Card, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import handle
from houseway.engine.legal import legal, spots
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.training import acts as a
from houseway.training.conduct import DECISIONS
from houseway.training.drills.draws import RandomSource
from houseway.training.drills.question import FeltFacts, FeltHand
from houseway.training.model_dealer import right_act
from houseway.training.perform import (
    cards_needed,
    perform,
    players_state,
    receive,
    take_chair,
    waits_for,
)

CHIPS: Final = 50_000_00
"""The chips of each player, in cents."""
STEPS: Final = 1500
"""The number of inputs after which an unfinished round counts as stuck."""
STAKES: Final = (500, 1000, 1500, 2500)
SIDE_BETS: Final = 0.6
"""How often a player makes a side bet."""
BACKS: Final = ("red", "blue")


class DrillTable:
    """A table that plays from its opening on. Each step changes `chair`."""

    def __init__(self, table: Table, draws: RandomSource, seats: int) -> None:
        self.table, self.draws = table, draws
        self._cards: list[Card] = []
        opening = c.OpenTable(
            designated=(table.book.game,), backs=BACKS[: table.decks] or BACKS[:1], dealer="person",
            examples=True, purpose="training",
        )  # fmt: skip
        state = State()
        numbers = sorted(draws.sample(range(1, table.seats + 1), min(seats, table.seats)))
        sits = [c.Sit(seat=n, player=f"player {n}", chips=CHIPS) for n in numbers]
        for command in (opening, *sits):
            state, _ = handle(table, state, command)
        self.chair = take_chair(table, state)

    def due(self) -> a.ChairAct | None:
        """Return the act that the document asks for now; None while a player must bet or decide."""
        if self._bets_open() or waits_for(self.table, self.chair):
            return None
        return right_act(self.table, self.chair)

    def step(self) -> None:
        """Let one input happen: the bets, a decision, or the dealer's act."""
        if self._bets_open():
            self._bet()
        elif waiting := waits_for(self.table, self.chair):
            self._decide(waiting[0])
        else:
            act = right_act(self.table, self.chair)
            if act is None:
                raise ValueError(f"nothing is due at {self.chair.state.done!r} of {self.table.book.id}")
            self.perform(act)

    def run(self, until: Callable[[], bool]) -> bool:
        """Play until a condition is true; return False if the round closes before it is."""
        for _ in range(STEPS):
            if until():
                return True
            if not self.advance():
                return False
        raise ValueError(f"the round is stuck at {self.chair.state.done!r} of {self.table.book.id}")

    def advance(self) -> bool:
        """Let one input happen; return False if it closed the round."""
        self.step()
        changes = self.chair.entries[-1].changes
        return not any(isinstance(one.event, e.RoundClosed) for one in changes)

    def perform(self, act: a.ChairAct) -> None:
        """Perform an act of the dealer, with cards from the shoe."""
        needed = min(cards_needed(self.table, self.chair, act), len(self._cards))
        cards, self._cards = tuple(self._cards[:needed]), self._cards[needed:]
        self.chair = perform(self.table, self.chair, act, cards=cards)
        for change in self.chair.entries[-1].changes:
            event = change.event
            fresh = isinstance(event, e.DeckShuffled) and not event.ahead
            if fresh or (isinstance(event, e.DecksSwapped) and event.stands):
                self._cards = list(DECK) * self.table.book.ranking.decks
                self.draws.shuffle(self._cards)

    # --- players ---

    def _bets_open(self) -> bool:
        state = self.chair.state
        waiting = state.section == "round" and state.round.betting == "open"
        return waiting and not any(seat.hands[0].wagers for seat in state.seats.values())

    def _bet(self) -> None:
        for number in tuple(self.chair.state.seats):
            for command in self._bets(number):
                after = receive(self.table, self.chair, command)
                if not isinstance(after, Refusal):
                    self.chair = after
                    break

    def _bets(self, number: int) -> Iterator[c.Bet]:
        """Yield a bet with side bets, then bets without them, in case the first is refused."""
        listed = spots(self.table, self.chair.state, number)
        ways = self.table.terms.ways_in
        entry = ways[0] if ways else frozenset({self.table.entry_wager})
        for chance in (SIDE_BETS, 0.0):
            wagers = {
                spot.wager: self._stake(spot.least, spot.most)
                for spot in listed
                if spot.wager in entry or self.draws.random() < chance
            }
            yield c.Bet(by=f"seat {number}", seat=number, wagers=wagers)

    def _stake(self, least: int, most: int | None) -> int:
        fits = [stake for stake in STAKES if least <= stake and (most is None or stake <= most)]
        return self.draws.choice(fits or [least])

    def _decide(self, number: int) -> None:
        options = legal(self.table, players_state(self.chair), f"seat {number}")
        listed = [one.command for one in options if isinstance(one.command, DECISIONS)]
        if not listed:
            self.perform(a.ReportIrregularity(kind="wrong number", at=f"seat {number}"))
            return
        after = receive(self.table, self.chair, self.draws.choice(listed))
        assert not isinstance(after, Refusal), after
        self.chair = after


def felt_of(state: State, *, open_cards: bool = False) -> FeltFacts:
    """Return the cards and wagers on the felt.

    Cards that are face down are only counted, unless `open_cards` is true.
    """
    now = state.round
    hands = []
    for number, seat in state.seats.items():
        for index, hand in enumerate(seat.hands, 1):
            if not hand.wagers and not hand.cards:
                continue
            up = open_cards or hand.shown
            hands.append(
                FeltHand(
                    seat=number, cards=codes(hand.cards) if up else "", wagers=dict(hand.wagers),
                    hand=index, folded=bool(hand.folded), down=0 if up or hand.racked else len(hand.cards),
                )
            )  # fmt: skip
    up = open_cards or now.revealed
    return FeltFacts(
        board=codes(now.board if open_cards else now.board[: now.up]),
        dealer=codes(now.kept or now.dealer) if up else "",
        hands=tuple(hands),
        dealer_down=0 if up else len(now.dealer),
    )
