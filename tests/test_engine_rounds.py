"""Random rounds at every rulebook's table: the invariants after every event, and at the end.

No event creates or loses money. Applying the recorded events again gives the same table. The engine settles
each line as `houseway settle` does for the same round. The changes of a closed round sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine import showdown_acts
from houseway.engine.codec import kinds
from houseway.engine.evolve import evolve, fold
from houseway.engine.fold_registry import FOLDS, Fold
from houseway.engine.meters import MICRO
from houseway.engine.settle import settle
from houseway.engine.settle_json import Window, read_round
from houseway.engine.settlement import Settlement, SettlementLine
from houseway.engine.state import State, total
from houseway.money import dollars
from houseway.rules.loader import rulebook_ids
from random_play import Played, Rounds, modes_of
from random_play.played import lines
from samples import sample

BOOKS = rulebook_ids()
ROUNDS = 500
PARTS = sample("engine rounds") // (ROUNDS * len(BOOKS))
LONG_PARTS, LONG_ROUNDS = 12, 300_000 // (12 * len(BOOKS))
PREFIXES = 10
"""The number of rounds in each part for which the events are applied again from the start, up to each event."""


def tables(rulebook: str, seed: str, rounds: int) -> Iterator[tuple[Rounds, Played]]:
    """Rounds of a rulebook, divided evenly among its deal modes; one in three without irregularities."""
    modes = modes_of(rulebook)
    assert modes, f"{rulebook} has no procedure"
    for mode in modes:
        calm = Rounds(rulebook, mode, f"{seed} calm", irregular=0)
        rough = Rounds(rulebook, mode, f"{seed} rough", irregular=0.06)
        share = rounds // len(modes)
        for playing, count in ((calm, share // 3), (rough, share - share // 3)):
            for played in playing.play(count):
                yield playing, played


def settled_lines(played: Played) -> list[SettlementLine]:
    """The lines the engine settled, as `houseway settle` writes them."""
    return lines(played.end)


def no_money_is_made_or_lost(played: Played) -> None:
    for event, state in zip(played.events, played.states, strict=True):
        assert total(state) == 0, event
        assert all(seat.chips >= 0 for seat in state.seats.values()), event


def record_gives_the_same_table(record: list[e.Event], played: Played, *, prefixes: bool = False) -> None:
    state = played.start
    for event, live in zip(played.events, played.states, strict=True):
        state = evolve(state, event)
        assert state == live, event
    assert fold(record) == played.end
    if prefixes:
        for count in range(len(played.events)):
            assert fold(played.events[: count + 1], played.start) == played.states[count]


def changes_sum_to_zero(played: Played) -> None:
    closed = played.events[-1]
    assert isinstance(closed, e.RoundClosed)
    assert sum(closed.net.values()) * MICRO + sum(closed.changes.values()) == 0


def settle_agrees(window: Window, playing: Rounds, played: Played) -> bool:
    """Return True if `houseway settle` can settle the round; fail if its result differs from the engine's."""
    data = played.data()
    if data is None or not data["seats"]:
        return False
    answer = window.settle(data)
    if not isinstance(answer, Settlement):
        # The floor may let a player bet less than the minimum posted in the data.
        assert {r.code for r in answer.refused} == {"below-minimum"}, (answer, data)
        terms, _ = window.terms(data["rulebook"], data)
        answer = settle(terms, read_round(data, terms)[0])
    assert settled_lines(played) == answer.lines, data
    shows = {name: dollars(micro // MICRO) for name, micro in played.end.meters.items()}
    assert shows == answer.meters or not answer.meters
    closed = played.events[-1]
    assert isinstance(closed, e.RoundClosed)
    mispaid: dict[int, int] = {}
    for event in played.events:
        if isinstance(event, e.RoundOpened):
            mispaid.clear()
        elif isinstance(event, (e.MispaymentMade, e.PaymentCorrected)):
            mispaid[event.seat] = mispaid.get(event.seat, 0) + event.amount
    for seat in answer.seats:
        assert dollars(closed.net[seat.seat] - mispaid.get(seat.seat, 0)) == seat.net, (seat, data)
    return True


def check_invariants(rulebook: str, seed: str, rounds: int) -> None:
    window = Window()
    settled = count = 0
    for count, (playing, played) in enumerate(tables(rulebook, seed, rounds), 1):
        no_money_is_made_or_lost(played)
        record_gives_the_same_table(playing.record, played, prefixes=count <= PREFIXES)
        changes_sum_to_zero(played)
        settled += settle_agrees(window, playing, played)
    assert settled > count // 2


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_invariants_hold_after_every_event(rulebook: str, part: int) -> None:
    check_invariants(rulebook, f"default {part}", ROUNDS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(LONG_PARTS))
@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_invariants_hold_after_every_event_of_many_rounds(rulebook: str, part: int) -> None:
    check_invariants(rulebook, f"long {part}", LONG_ROUNDS)


def test_every_kind_of_event_happens() -> None:
    # Random play has no linked tables, no cards typed from a real table, no commitments to salts
    # (tests/test_commitments.py has them) and no player who is removed (tests/server/test_stalled.py).
    salts = {e.SaltCommitted, e.SaltOpened, e.DeckDiscarded}
    elsewhere = {e.MetersSynced, e.CardsSeen, e.FoldSeen, e.PlayerRemoved, *salts}
    missing = set(kinds(e.Event)) - elsewhere
    tables = [(rulebook, mode) for rulebook in BOOKS for mode in modes_of(rulebook)]
    for part in range(10):
        for rulebook, mode in tables:
            for irregular in (0.03, 0.15):
                playing = Rounds(rulebook, mode, f"everything {part}", irregular=irregular, lasts=8)
                for played in playing.play(50):
                    missing.difference_update(map(type, played.events))
                playing.leave_table()
                missing.difference_update(map(type, playing.record))
        if not missing:
            return
    raise AssertionError(f"in {10 * 50 * 2 * len(tables)} rounds, these events never happened: {missing}")


def test_a_seed_plays_the_same_rounds_again() -> None:
    first, second = (
        [event for played in Rounds("uth-ma", "device", "again").play(10) for event in played.events]
        for _ in range(2)
    )
    assert first == second


# --- planted faults ---


def plant(monkeypatch: pytest.MonkeyPatch, kind: type[e.Event], careless: Fold) -> None:
    """Replace the function that applies one kind of event with a faulty one."""
    monkeypatch.setitem(FOLDS, kind, careless)


def check_money(rounds: int) -> None:
    for _, played in tables("uth-ma", "planted", rounds):
        no_money_is_made_or_lost(played)


def check_records(rounds: int) -> None:
    for playing, played in tables("uth-ma", "planted", rounds):
        record_gives_the_same_table(playing.record, played)


def check_lines(rounds: int) -> None:
    window = Window()
    for playing, played in tables("uth-ma", "planted", rounds):
        settle_agrees(window, playing, played)


def test_an_event_that_loses_a_cent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FOLDS[e.WagerSettled]

    def careless(state: State, event: e.WagerSettled) -> State:
        folded = honest(state, event)
        return replace(folded, house=folded.house - MICRO) if event.result == "push" else folded

    plant(monkeypatch, e.WagerSettled, careless)
    with pytest.raises(AssertionError, match="WagerSettled"):
        check_money(100)


def test_a_meter_that_drops_its_remainder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FOLDS[e.MeterFed]

    def careless(state: State, event: e.MeterFed) -> State:
        folded = honest(state, event)
        return replace(folded, meters={n: m // MICRO * MICRO for n, m in folded.meters.items()})

    plant(monkeypatch, e.MeterFed, careless)
    with pytest.raises(AssertionError, match="MeterFed"):
        check_money(200)


def test_an_event_that_changes_the_past_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FOLDS[e.PlayMade]

    def careless(state: State, event: e.PlayMade) -> State:
        state.seats[event.seat].hands[0].made["play"] = event.amount
        return honest(state, event)

    plant(monkeypatch, e.PlayMade, careless)
    with pytest.raises(AssertionError, match=r"WagersPlaced|PlayMade"):
        check_records(100)


def test_a_line_that_houseway_settle_settles_differently_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = showdown_acts._ActivePass.hand

    def careless(*given: Any) -> list[e.Event]:
        events = honest(*given)
        return [replace(event, clause=None) if is_blind(event) else event for event in events]

    def is_blind(event: e.Event) -> bool:
        return isinstance(event, e.WagerSettled) and event.wager == "blind"

    monkeypatch.setattr(showdown_acts._ActivePass, "hand", careless)
    with pytest.raises(AssertionError, match="blind"):
        check_lines(100)
