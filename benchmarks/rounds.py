"""Measure full rounds per second, compared with showdown hands per second of a public poker engine.

houseway decides every command, and applies and keeps every event, from the shuffle to the close. Each seat
bets ante, blind, trips and one play wager. The other engine checks no-limit hold'em hands down to a
showdown, with everything else automated. The two take turns on one core. The last column is the ratio. Run
with `make bench`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import Act, next_act
from houseway.engine.decide import handle
from houseway.engine.refusals import Refusal
from houseway.engine.turn_order import turn
from houseway.testing import Driver

SECONDS, REPEATS = 2, 3
ENDING = frozenset({"shuffle", "cut", "close"})


class Shoe:
    """A deck of cards in a random order."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.cards: list[Card] = []

    def take(self, count: int) -> tuple[Card, ...]:
        """Deal the next cards."""
        cards = tuple(self.cards[:count])
        del self.cards[:count]
        return cards

    def follow(self, act: Act) -> None:
        """Shuffle or cut as the dealer did."""
        if act.act == "shuffle":
            # Sort the cards by a random number each.
            numbers = memoryview(self.random.randbytes(8 * len(DECK))).cast("Q").tolist()
            self.cards = [DECK[n] for n in sorted(range(len(DECK)), key=numbers.__getitem__)]
        elif act.act == "cut":
            self.cards = self.cards[act.number :] + self.cards[: act.number]


class Rounds:
    """A table whose machine dealer plays round after round."""

    def __init__(self, mode: str, seats: int) -> None:
        driver = Driver("uth-ma", mode=mode)
        backs = ("red", "blue")[: driver.table.decks]
        driver.send(c.OpenTable(designated=("ultimate",), backs=backs, examples=True))
        driver.sit(*range(1, seats + 1), chips=100_000_000)
        self.table = driver.table
        self.state = driver.state
        self.events: list[e.Event] = list(driver.events)
        self.shoe = Shoe(mode)
        self.bets = tuple(
            c.Bet(seat=seat, wagers={"ante": 1000, "trips": 500}) for seat in driver.state.seats
        )

    def play(self) -> None:
        """Play one round, from the shuffle (in the first round, from the opening) to the close."""
        table, state, events = self.table, self.state, self.events
        commands: tuple[c.Command, ...]
        while True:
            act = next_act(table, state)
            if act is None:
                on_turn = turn(table, state)
                commands = (c.Play(seat=on_turn[0], times=4),) if on_turn else self.bets
            else:
                cards = self.shoe.take(act.cards) if act.cards else ()
                commands = (act.command(cards),)
            for command in commands:
                state, answer = handle(table, state, command)
                if isinstance(answer, Refusal):
                    raise SystemExit(f"{command}: {answer.message}")
                events += answer
            if act is not None and act.act in ENDING:
                self.shoe.follow(act)
                if act.act == "close":
                    self.state = state
                    return


def rate(work: Callable[[], object]) -> float:
    """The calls per second, measured over some seconds."""
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        work()
        done += 1
    return done / (time.perf_counter() - start)


def pokerkit_hand(players: int) -> Callable[[], object]:
    """Return a function that plays a hand of a public engine, checked down to the showdown."""
    from pokerkit import Automation, NoLimitTexasHoldem

    def hand() -> object:
        antes_trimmed, antes, blinds, least, chips = True, 0, (1, 2), 2, 200
        state = NoLimitTexasHoldem.create_state(
            tuple(Automation), antes_trimmed, antes, blinds, least, chips, players
        )
        while state.status:
            state.check_or_call()
        return state

    return hand


def main() -> None:
    try:
        import pokerkit  # noqa: F401
    except ImportError:
        print("pokerkit is not installed; run `make bench`")
        return
    print("full rounds per second, with events kept; showdown hands per second; ratio")
    for seats, players in ((1, 2), (6, 6)):
        for mode in ("manual", "device"):
            ours = other = 0.0
            for _ in range(REPEATS):
                ours = max(ours, rate(Rounds(mode, seats).play))
                other = max(other, rate(pokerkit_hand(players)))
            name = f"{seats} seat{'s' if seats > 1 else ''}, {mode}"
            print(f"{name:<18}{ours:>8.0f}   pokerkit, {players} players{other:>8.0f}{ours / other:>8.1f}x")


if __name__ == "__main__":
    main()
