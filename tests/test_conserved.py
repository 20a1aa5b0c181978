"""Money is conserved to the millionth of a cent, in every round and over ten million contributions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.deal_acts import feed_meters
from houseway.engine.evolve import evolve
from houseway.engine.fold_registry import FOLDS
from houseway.engine.meters import MICRO
from houseway.engine.state import State, total
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load, rulebook_ids
from random_play import Rounds
from samples import LONG, MARGIN, sample

ROUNDS = sample("money")
PARTS = 5 if LONG else 1
TABLES = [(book, mode) for book in rulebook_ids() for mode in load(book).modes]


def unbalanced(rounds: Rounds, count: int) -> Iterator[str]:
    """Every event of these rounds after which the books do not balance or a seat has negative chips."""
    for played in rounds.play(count):
        due = total(played.start)
        for event, state in zip(played.events, played.states, strict=True):
            if total(state) != due:
                yield f"round {played.number}: {event} changes the money"
            if any(seat.chips < 0 for seat in state.seats.values()):
                yield f"round {played.number}: {event} leaves a player owing"


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_no_event_makes_or_loses_money(rulebook: str, mode: str, part: int) -> None:
    playing = Rounds(rulebook, mode, f"conserved {part}", irregular=0.05)
    assert next(unbalanced(playing, ROUNDS // PARTS // len(TABLES)), None) is None


def test_a_missing_millionth_of_a_cent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = FOLDS[e.MeterFed]

    def careless(state: State, event: e.Event) -> State:
        after = fold(state, event)
        return replace(after, house=after.house + 1)

    monkeypatch.setitem(FOLDS, e.MeterFed, careless)  # type: ignore[misc]
    assert len(list(unbalanced(Rounds("uth-ma", "device", "careless"), 60))) >= MARGIN


CONTRIBUTIONS, AWARDS, AT_ONCE = 10_000_000, 1_000, 1_000


def test_meters_hold_every_millionth_of_ten_million_contributions_and_a_thousand_awards() -> None:
    rng = Random("meters")
    terms, refused = read_terms(load("uth-ma"), {"tables": {"progressive": "PTMGLML02"}})
    assert not refused
    table = Table(terms)
    assert len(table.meters) == 3, "an odd number, so that a share does not divide"
    percent = terms.house("feed")
    # A hundred sets of wagers in odd amounts, used in turn.
    tables = [{seat: rng.randrange(1, 10_000) for seat in range(AT_ONCE)} for _ in range(100)]
    fed_by = [feed_meters(table, State(), stakes) for stakes in tables]
    shows = dict.fromkeys(table.meters, 100000000 * MICRO)
    first = evolve(State(meters=shows, reserves=shows), e.PlayerSeated(seat=1, player="Ann", chips=0))
    state, balance, rounds = first, Fraction(), CONTRIBUTIONS // AT_ONCE
    for n in range(rounds):
        balance += Fraction(sum(tables[n % 100].values()) * percent, 100)
        for event in fed_by[n % 100]:
            state = evolve(state, event)
        if n % (rounds // AWARDS) == 0:
            meter = rng.choice(table.meters)
            amount = rng.randrange(state.meters[meter] // MICRO)
            balance -= amount
            state = evolve(
                state,
                e.WagerSettled(
                    seat=1, hand=1, wager="progressive", stake=0, result="win", back=amount,
                    meter=meter, awarded=amount,
                ),
            )  # fmt: skip
    assert Fraction(sum(state.meters.values()) - sum(first.meters.values()), MICRO) == balance
    assert total(state) == total(first)
