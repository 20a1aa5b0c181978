"""Rounds for the tests of the school: dealt at a real engine table, with choices made at random."""

from __future__ import annotations

from random import Random
from typing import Any

from discovered import BOOKS, ULTIMATE
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.legal import seat_options
from houseway.engine.turn_order import turn
from houseway.school.played_rounds import PlayedRound, played_rounds
from table_driver import Driver

SHOOTOUT = "shootout-sd"
STAKES: dict[str, dict[str, Any]] = {
    name: {"ante": 10, "blind": 10, "trips": 5} if name in ULTIMATE else {"wager": 10, "bonus": 5}
    for name in BOOKS
}
DECISIONS = (c.Check, c.Play, c.Fold, c.Keep, c.Split)
LIMIT = 500


def play_round(driver: Driver, rng: Random, seats: tuple[int, ...] = (1, 2)) -> None:
    """Play one round with random legal choices."""
    for seat in seats:
        driver.bet(seat, **STAKES[driver.table.book.id])
    for _ in range(LIMIT):
        driver.deal()
        now = turn(driver.table, driver.state)
        if now is not None:
            options = [option.command for option in seat_options(driver.table, driver.state, now[0])]
            driver.send(rng.choice([command for command in options if isinstance(command, DECISIONS)]))
        elif driver.state.section != "round" or not driver.state.done:
            return
        else:
            driver.step()
    raise AssertionError("the round does not end")


def random_table(rulebook: str, rounds: int, seed: int, **given: Any) -> Driver:
    """A table at which this many rounds were played."""
    driver = Driver(rulebook, seed=seed, **given).open().sit(1, 2, chips=1_000_000)
    rng = Random(seed)
    for _ in range(rounds):
        play_round(driver, rng)
    return driver


def rounds_of(driver: Driver) -> list[PlayedRound]:
    """The rounds of every seat at a table."""
    return list(played_rounds(driver.table, ((event, "") for event in driver.events)))


def closings(driver: Driver) -> list[e.RoundClosed]:
    """The events that closed the rounds."""
    return [event for event in driver.events if isinstance(event, e.RoundClosed)]
