"""A training table that runs by itself, with seeded players and a dealer who follows the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from houseway.cards import DECK, Card, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.shoe.seeded_draws import RandomSource
from houseway.training import acts as a
from houseway.training.drills.question import FeltFacts, FeltHand
from houseway.training.model_dealer import right_act
from houseway.training.perform import (
    cards_needed,
    perform,
    receive,
    take_chair,
    waits_for,
)
from houseway.training.seeded_players import (
    accepted_bet,
    backs_of,
    bettors,
    seated,
    ways_to_decide,
    wrong_number,
)

STEPS: Final = 1500
"""The number of inputs after which an unfinished round counts as stuck."""
STAKES: Final = (500, 1000, 1500, 2500)
SIDE_BETS: Final = 0.6
"""How often a player makes a side bet."""


class DrillTable:
    """A table that plays from its opening on. Each step changes `chair`."""

    def __init__(self, table: Table, draws: RandomSource, seats: int) -> None:
        self.table, self.draws = table, draws
        self._cards: list[Card] = []
        numbers = sorted(draws.sample(range(1, table.seats + 1), min(seats, table.seats)))
        state = seated(table, {n: f"player {n}" for n in numbers}, backs_of(table))
        assert isinstance(state, State), state
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
        return len([*bettors(self.chair.state)]) == len(self.chair.state.seats)

    def _bet(self) -> None:
        for number in tuple(self.chair.state.seats):
            bet = accepted_bet(self.table, self.chair, number, self.draws, STAKES, SIDE_BETS)
            if bet is not None:
                self._receive(bet)

    def _decide(self, number: int) -> None:
        options = ways_to_decide(self.table, self.chair, number)
        if options:
            self._receive(self.draws.choice(options).command)
        else:
            self.perform(wrong_number(number))

    def _receive(self, command: c.Command) -> None:
        after = receive(self.table, self.chair, command)
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
