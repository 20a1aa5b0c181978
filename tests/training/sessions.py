"""A training table that plays automatically: seeded players, and a dealer who follows the document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.idle_table import must_spread
from houseway.engine.legal import legal, spots
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
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
from random_play.chance import SteeredShoe, random_terms

SECONDS = 1000
LIMIT = 600
"""The number of inputs after which an unfinished round counts as stuck."""
Choose = Callable[["Session"], "a.ChairAct | None"]


class Session:
    """A training table with seeded players and cards.

    `deals` is asked for the next act of the dealer; the default follows the document.
    """

    def __init__(
        self, rulebook: str, mode: str, seed: int, *, given: Mapping[str, Any] | None = None, seats: int = 3
    ) -> None:
        self.book = load(rulebook)
        self.rng = Random(f"{rulebook} {mode} {seed}")
        self.given = random_terms(self.rng, self.book, mode) if given is None else dict(given)
        terms, refused = read_terms(self.book, self.given)
        assert not refused, refused
        self.table = Table(terms)
        self.shoe = SteeredShoe(self.rng, self.book.ranking.decks)
        self.seats = min(seats, self.table.seats)
        self.time = 0
        self.bets: dict[int, dict[str, int]] = {}
        """The wagers of each seat; empty for random ones."""
        self.moves: dict[tuple[int, str], str] = {}
        """The decision of a seat at a betting point, by the label of the option; "" decides at random."""
        state = State()
        backs = ("red", "blue")[: self.table.decks] or ("red",)
        opening = c.OpenTable(
            designated=(self.book.game,), backs=backs, dealer="person", examples=True, purpose="training"
        )
        for command in (opening, *(self._sit(n) for n in range(1, self.seats + 1))):
            answer = decide(self.table, state, command)
            assert not isinstance(answer, Refusal), answer
            for event in answer:
                state = evolve(state, event)
        self.start = state
        self.chair = take_chair(self.table, state)
        self.log: list[ch.ChairEntry] = []
        """The entries of every round."""

    def _sit(self, number: int) -> c.Sit:
        return c.Sit(seat=number, player=f"player {number}", chips=50_000_000)

    # --- inputs ---

    def act(self, act: a.ChairAct) -> ch.ChairEntry:
        """Let the trainee act, with cards from the shoe."""
        self.time += 2 * SECONDS
        cards = self._cards(act)
        self.chair = perform(self.table, self.chair, act, self.time, cards)
        entry = self._after()
        if isinstance(act, a.ReportIrregularity) and not entry.changes:
            # The report took no card off the deck.
            self.shoe.cards[:0] = cards
        return entry

    def _cards(self, act: a.ChairAct) -> tuple[Card, ...]:
        count = min(cards_needed(self.table, self.chair, act), len(self.shoe.cards))
        place = act.place if isinstance(act, a.DealCards) else "burn"
        cards = self.shoe.next([place] * count)
        self.shoe.take(cards)
        return cards

    def command(self, command: c.Command) -> Refusal | None:
        """Let a player or the house act."""
        self.time += SECONDS // 2
        answer = receive(self.table, self.chair, command, self.time)
        if isinstance(answer, Refusal):
            return answer
        self.chair = answer
        self._after()
        return None

    def happen(self, happening: ch.Happening) -> bool:
        """Let something go wrong at the table; it does not go into the log."""
        chair = happen(self.table, self.chair, happening, self.time, self.shoe.next(["deck"]))
        if chair is not None:
            self.chair = chair
        return chair is not None

    def _after(self) -> ch.ChairEntry:
        entry = self.chair.entries[-1]
        self.log.append(entry)
        for change in entry.changes:
            event = change.event
            fresh = isinstance(event, e.DeckShuffled) and not event.ahead
            if fresh or (isinstance(event, e.DecksSwapped) and event.stands):
                self.shoe.shuffle()
            elif isinstance(event, e.DeckCut):
                self.shoe.cut(event.count)
        return entry

    # --- playing ---

    @property
    def state(self) -> State:
        """The true table."""
        return self.chair.state

    def step(self, choose: Choose | None = None) -> None:
        """Let one input happen: bets, a decision, or an act of the dealer."""
        now = self.state.round
        if must_spread(self.table, self.state) or self.state.section == "idle":
            raise AssertionError("the table has become empty")
        if now.betting == "open" and not any(s.hands[0].wagers for s in self.state.seats.values()):
            self.place_bets()
            return
        waiting = waits_for(self.table, self.chair)
        if waiting:
            self.decide(waiting[0])
            return
        act = choose(self) if choose is not None else None
        act = act or right_act(self.table, self.chair)
        if act is None:
            raise AssertionError(f"nothing is due: {self.state.section} {self.state.done!r}")
        self.act(act)

    def play_round(self, choose: Choose | None = None) -> list[ch.ChairEntry]:
        """Play until a round is closed, and return its entries."""
        for _ in range(LIMIT):
            self.step(choose)
            closed = any(isinstance(x.event, e.RoundClosed) for x in self.chair.entries[-1].changes)
            if closed:
                return list(self.chair.entries)
        raise AssertionError(f"the round is stuck at {self.state.done!r}: {self.chair.queue[:1]}")

    def play_to(self, reached: Callable[[Session], bool]) -> Session:
        """Play by the document until something is reached."""
        for _ in range(20 * LIMIT):
            if reached(self):
                return self
            self.step()
        raise AssertionError("this was never reached")

    def place_bets(self) -> None:
        """Let every seat bet."""
        seated = list(self.state.seats)
        for number in seated:
            for plain in range(4):
                wagers = self.bets.get(number) if self.bets else self._bet(number, plain)
                if wagers is None:
                    break
                refused = self.command(self._with_extras(number, wagers, plain))
                assert refused is None or not self.bets, refused
                if refused is None:
                    break
        players = [n for n, s in self.state.seats.items() if s.hands[0].wagers]
        assert players, "no player could bet"
        if not self.bets and (self.state.playing.used == 0 or self.book.ranking.decks > 1):
            self.shoe.choose_class(players, self.table.terms.order)

    def _bet(self, number: int, plain: int) -> dict[str, int]:
        rng = self.rng
        ways = self.table.terms.ways_in
        way = rng.choice(ways) if ways else frozenset({"wager"})
        wagers = {}
        for spot in spots(self.table, self.state, number):
            if spot.wager not in way and (plain > 2 or rng.random() < 0.3):
                continue
            high = spot.most if spot.most is not None else max(spot.least, 1) + 100_000
            least = min(high, max(spot.least, 100))
            much = min(high, least * rng.choice((1, 1, 2, 3, 7)) + rng.choice((0, 0, 0, 50, 34)))
            wagers[spot.wager] = spot.least if spot.exact or plain > 1 else much
        return wagers

    def _with_extras(self, number: int, wagers: dict[str, int], plain: int) -> c.Bet:
        tips: dict[str, int] = {}
        coupon = 0
        if not self.bets and not plain:
            allowed = self.table.book.option("tips") or ()
            if allowed and self.rng.random() < 0.2:
                tips = {w: 200 for w in allowed if w in wagers and w != "play"}
            if self.table.terms.house("match_play") and "ante" in wagers and self.rng.random() < 0.3:
                coupon = wagers["ante"]
        return c.Bet(by=f"seat {number}", seat=number, wagers=wagers, tips=tips, coupon=coupon)

    def decide(self, number: int) -> None:
        """Let a player who was asked decide."""
        kinds = (c.Check, c.Play, c.Fold, c.Keep, c.Split)
        options = legal(self.table, players_state(self.chair), f"seat {number}")
        listed = [one for one in options if isinstance(one.command, kinds)]
        if not listed:
            # A hand with a wrong number of cards has no decision; the player says so, and it is reported.
            self.act(a.ReportIrregularity(kind="wrong number", at=f"seat {number}"))
            return
        wanted = self.moves.get((number, self.chair.asking)) or self.moves.get((number, ""))
        chosen = next((one for one in listed if one.says == wanted), None) or self.rng.choice(listed)
        refused = self.command(chosen.command)
        assert refused is None, refused

    def slips(self) -> list[ch.Slip]:
        """Every slip so far."""
        return [slip for entry in self.log for slip in entry.slips]
