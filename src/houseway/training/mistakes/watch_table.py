"""A table for replays. Cards, wagers and decisions come from a seed, so that a round can be dealt twice:
once by the document, and once with a mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from houseway.bots import bot
from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import view
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.drills.chosen_deals import chosen_deal
from houseway.training.drills.payout_rounds import SIDE_BETS, STAKES
from houseway.training.model_dealer import right_act
from houseway.training.perform import (
    cards_needed,
    happen,
    perform,
    players_state,
    receive,
    take_chair,
    waits_for,
)
from houseway.training.seeded_players import (
    PLAYS,
    accepted_bet,
    backs_of,
    bettors,
    is_regular,
    name_of,
    seated,
    ways_to_decide,
    wrong_number,
)

SEATS: Final = {1: 2, 2: 4, 3: 6}
"""The number of players at each level."""
INPUTS: Final = 900
"""The number of inputs after which an unfinished round counts as stuck."""
WHIM: Final = 0.25
"""How often a player does not decide by basic strategy."""
PACE: Final[dict[type, int]] = {
    a.DealCards: 700, a.Burn: 900, a.TurnUp: 1200, a.Ask: 900, a.ReadHand: 2200, a.Take: 1300,
    a.Push: 1100, a.Pay: 2400, a.TakeFold: 1600, a.Rack: 900, a.CountStub: 2500, a.Key: 1400,
    c.Bet: 1500, c.Play: 1500, c.Check: 700, c.Fold: 900, c.Keep: 1500, c.Split: 1800,
}  # fmt: skip
"""The milliseconds that an input takes; STEP for any other."""
STEP: Final = 1100
Choose = Callable[["WatchTable"], "a.ChairAct | None"]


class StuckRoundError(RuntimeError):
    """A round did not come to its end."""


class WatchTable:
    """A table from its opening to the end of the first round. Each input changes `chair`."""

    def __init__(self, table: Table, seed: str, level: int) -> None:
        self.table, self.seed, self.level = table, seed, level
        self.time = 0
        draws = SeedDraws(seed, "watched cards")
        numbers = sorted(draws.sample(range(1, table.seats + 1), min(SEATS[level], table.seats)))
        board, hands = chosen_deal(draws, table.book, len(numbers) + 1, table.hand_size)
        self._cards = {"board": board, "dealer": hands.pop()}
        self._cards |= {f"seat {n}": hand for n, hand in zip(numbers, hands, strict=True)}
        self._stub = _stub(draws, table, self._cards)
        self._bet: set[int] = set()
        self._player = bot(PLAYS, seed)
        state = seated(table, {n: name_of(n) for n in numbers}, backs_of(table))
        assert isinstance(state, State), state
        self.chair = take_chair(table, state)
        self.chairs: list[ch.Chair] = []
        """The chair after each input."""

    @property
    def state(self) -> State:
        """The state of the table."""
        return self.chair.state

    @property
    def over(self) -> bool:
        """True if the round is closed."""
        last = self.chair.entries[-1:]
        return any(isinstance(change.event, e.RoundClosed) for one in last for change in one.changes)

    def play(self, choose: Choose | None = None) -> None:
        """Play the round. `choose` returns the dealer's next act; None follows the document."""
        for _ in range(INPUTS):
            if self.over:
                return
            self.step(choose)
        raise StuckRoundError(f"the round is stuck at {self.state.done!r} of {self.table.book.id}")

    def step(self, choose: Choose | None = None) -> None:
        """Let one input happen: a bet, a decision or an act of the dealer."""
        command = self._next_bet() or self._next_decision()
        if command is not None:
            self._receive(command)
            return
        act = (choose(self) if choose is not None else None) or right_act(self.table, self.chair)
        if act is None:
            raise StuckRoundError(f"nothing is due at {self.state.done!r} of {self.table.book.id}")
        self._perform(act)

    def happen(self, happening: ch.Happening) -> bool:
        """Let something go wrong; return False if it cannot happen now."""
        self.time += STEP
        after = happen(self.table, self.chair, happening, self.time, tuple(self._stub[:1]))
        if after is not None:
            self._advance(after)
        return after is not None

    def _advance(self, after: ch.Chair) -> None:
        self.chair = after
        self.chairs.append(after)

    # --- the dealer ---

    def _perform(self, act: a.ChairAct) -> None:
        self.time += PACE.get(type(act), STEP)
        place = act.place if isinstance(act, a.DealCards) else ""
        cards = self._next_cards(place, cards_needed(self.table, self.chair, act))
        self._advance(perform(self.table, self.chair, act, self.time, cards))
        if isinstance(act, a.ReportIrregularity) and not self.chair.entries[-1].changes:
            # The report took no card off the deck.
            return
        for card in cards:
            kept = self._cards.get(place, [])
            (kept if card in kept else self._stub).remove(card)

    def _next_cards(self, place: str, count: int) -> tuple[Card, ...]:
        own = self._cards.get(place, [])[:count]
        return (*own, *self._stub[: count - len(own)])

    # --- the players ---

    def _receive(self, command: c.Command) -> None:
        self.time += PACE.get(type(command), STEP)
        after = receive(self.table, self.chair, command, self.time)
        if isinstance(after, Refusal):
            raise StuckRoundError(f"{self.table.book.id}: {after.message}")
        self._advance(after)

    def _next_bet(self) -> c.Bet | None:
        """Return the next player's bet that the table allows; None if no player has to bet."""
        for number in bettors(self.state, self._bet):
            self._bet.add(number)
            draws, stakes = SeedDraws(self.seed, f"watched bet {number}"), STAKES[self.level]
            bet = accepted_bet(self.table, self.chair, number, draws, stakes, SIDE_BETS[self.level])
            if bet is not None:
                return bet
        return None

    def _next_decision(self) -> c.Command | None:
        """Return the decision of a player who was asked; None if no player has to decide."""
        state = players_state(self.chair)
        for number in waits_for(self.table, self.chair):
            options = ways_to_decide(self.table, self.chair, number)
            if not options:
                self._perform(wrong_number(number))
                return self._next_decision()
            seen = view(self.table, state, f"seat {number}")
            draws = SeedDraws(self.seed, f"watched decision {number} {self.chair.asking}")
            if not is_regular(self.table, seen) or draws.random() < WHIM:
                return draws.choice(options).command
            return self._player.choose(self.table, seen, options).command
        return None


def _stub(draws: SeedDraws, table: Table, dealt: dict[str, list[Card]]) -> list[Card]:
    """Return the cards that no place gets, in random order."""
    left = Counter(DECK * table.book.ranking.decks)
    for cards in dealt.values():
        left -= Counter(cards)
    stub = list(left.elements())
    draws.shuffle(stub)
    return stub
