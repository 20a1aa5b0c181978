"""Records and histories of random tables, with irregularities, give the rounds of the table; results add up."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from discovered import BOOKS, ULTIMATE
from houseway.audit.archive import Archive
from houseway.audit.export import export_lines
from houseway.audit.history import write_history
from houseway.audit.store import Store
from houseway.audit.store_factory import open_store
from houseway.engine import events as e
from houseway.school.game_values import game_values
from houseway.school.played_rounds import PlayedRound
from houseway.school.player_decisions import Decision
from houseway.school.recorded_rounds import rounds_in_history, rounds_in_record
from houseway.school.round_review import review_rounds
from record.recorded import Recorded, house, recorded
from samples import LONG

ROUNDS = 200 if LONG else 12
STREAM = "table:1"


def without_times(rounds: list[PlayedRound]) -> list[PlayedRound]:
    return [PlayedRound(r.number, r.seat, r.stake, r.decisions, r.outcome, r.player) for r in rounds]


def known(played: PlayedRound) -> list[Decision]:
    return [decision for decision in played.decisions if decision.known]


def rounds_in(store: Store) -> list[PlayedRound]:
    return [played for _, played in rounds_in_record(store, STREAM)]


def random_record(rulebook: str, rounds: int = ROUNDS) -> Recorded:
    return recorded(rulebook, rounds=rounds, at=house(seed=f"school {rulebook}"))


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_the_results_of_recorded_rounds_add_up(rulebook: str) -> None:
    playing = random_record(rulebook)
    rounds = rounds_in(playing.house.store)
    nets = {}
    for event in playing.record:
        if isinstance(event, e.RoundClosed):
            nets.update({(event.number, seat): net for seat, net in event.net.items()})
    game = game_values(playing.table.terms)
    decisions = splits = 0
    for review in review_rounds(game, rounds):
        played, split = review.played, review.split
        assert played.outcome is not None
        assert played.outcome.net == nets.get((played.number, played.seat), 0)
        assert played.at
        decisions += len(review.decisions)
        if split is not None:
            splits += 1
            assert sum((step.amount for step in split.steps), Fraction(0)) == split.result
            side = sum(bet.net for bet in split.side_bets)
            assert split.result * played.stake + side + split.other == played.outcome.net
    assert decisions >= 15
    assert splits > 5


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_history_has_the_rounds_of_the_record(rulebook: str) -> None:
    playing = random_record(rulebook, 5)
    store = playing.house.store
    try:
        text = "\n".join(write_history(store, STREAM))
    except ValueError:
        pytest.skip("the record has cards that were never seen")
    from_text = [played for _, played in rounds_in_history(text)]
    assert without_times(from_text) == without_times(rounds_in(store))


def test_an_export_for_a_seat_has_the_decisions_of_that_seat(tmp_path: Path) -> None:
    playing = random_record("uth-ma")
    whole = rounds_in(playing.house.store)
    seat = whole[0].seat
    file = tmp_path / "seat.jsonl"
    file.write_bytes(b"".join(export_lines(playing.house.store, STREAM, f"seat {seat}")))
    seen = rounds_in(Archive(file))
    assert [(r.number, r.seat) for r in seen] == [(r.number, r.seat) for r in whole]
    own = [(a, b) for a, b in zip(seen, whole, strict=True) if a.seat == seat]
    # A device deals the cards of all seats at once, so only hands that were turned up are in the export.
    hidden = 0
    for mine, all_of_it in own:
        for one, other in zip(known(mine), known(all_of_it), strict=False):
            assert one == other
        hidden += len(known(all_of_it)) - len(known(mine))
        assert [d.choice for d in mine.decisions] == [d.choice for d in all_of_it.decisions]
    assert hidden < sum(len(known(all_of_it)) for _, all_of_it in own)
    reviews = review_rounds(game_values(playing.table.terms), seen)
    assert sum(len(review.decisions) for review in reviews) >= sum(len(known(mine)) for mine, _ in own)


def test_a_database_has_the_rounds_of_the_record(tmp_path: Path) -> None:
    store = open_store(tmp_path / "table.db")
    playing = recorded("uth-ma", rounds=3, at=house(store, seed="file"))
    rounds = rounds_in(store)
    store.close()
    again = open_store(tmp_path / "table.db", read_only=True)
    assert rounds_in(again) == rounds
    assert len({played.number for played in rounds}) <= len(playing.rounds) + 1
    again.close()
