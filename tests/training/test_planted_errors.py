"""Every planted error of a dealer is found, with its clause and its amount, and nothing else is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from houseway.engine.evolve import fold
from houseway.engine.state import total
from houseway.engine.terms import stakeable
from houseway.rules.loader import load
from houseway.training.judge import Judgement, judge
from houseway.training.mistakes.all_mistakes import MISTAKES
from houseway.training.mistakes.planted_dealer import PlantedDealer
from training.planted_errors import Planted
from training.planted_money import MONEY
from training.planted_procedure import PROCEDURE
from training.planted_reports import FLOOR_AND_REPORTS, READING
from training.sessions import Session

Result = tuple[str, str | None, int]
CATALOGUE = [*MONEY, *PROCEDURE, *READING, *FLOOR_AND_REPORTS]
ROUNDS = 400
"""The number of rounds in which the moment of an error must come."""


def terms(planted: Planted) -> dict[str, Any]:
    """The terms of a table with the posted limits that the rulebook needs."""
    book = load(planted.book)
    given: dict[str, Any] = {"mode": planted.mode}
    if book.bet_limit is not None and book.bet_limit.maxima is not None:
        free = [name for name in stakeable(book) if book.wagers[name].equals is None]
        given["limits"] = {name: {"min": "1", "max": "100"} for name in free}
    return {**given, **planted.given}


class Planting:
    """A session in which one error is planted."""

    def __init__(self, planted: Planted) -> None:
        self.planted = planted
        self.session = Session(planted.book, planted.mode, 7, given=terms(planted), seats=planted.seats)
        self.dealer = PlantedDealer(planted.mistake)

    def play(self) -> Judgement:
        """Play until the error is made, and return the judgement of its round."""
        at = self.session
        for _ in range(ROUNDS):
            at.play_round(self.dealer.choose)
            judged = judge(at.table, at.chair)
            if self.dealer.done:
                return judged
            assert not judged.slips
        raise AssertionError(f"the moment never came in {ROUNDS} rounds")

    def expected(self) -> list[Result]:
        """The slips that must be found."""
        return [
            (one.kind, one.clause, one.amount(self.dealer.line) if one.amount is not None else 0)
            for one in self.planted.found
        ]


def test_the_catalogue_has_the_promised_kinds() -> None:
    names = [planted.name for planted in CATALOGUE]
    assert len(set(names)) == len(names)
    assert len(names) >= 60
    assert set(names) == set(MISTAKES)
    assert {planted.book for planted in CATALOGUE} == {
        "uth-ma",
        "uth-sd",
        "uth-card",
        "uth-proc",
        "shootout-sd",
    }


@pytest.mark.parametrize("planted", CATALOGUE, ids=str)
def test_a_planted_error_is_found(planted: Planted) -> None:
    planting = Planting(planted)
    judged = planting.play()
    slips = [(slip.kind, slip.clause, slip.amount) for slip in judged.slips]
    assert Counter(slips) == Counter(planting.expected())
    assert Counter(slip.kind for slip in judged.slips) == Counter(planted.mistake.slips)
    # What happened is on record, the money adds up, and both programs agree on what was due.
    at = planting.session
    events = [change.event for entry in at.log for change in entry.changes]
    if planted.mistake.happening is None:
        assert fold(events, at.start) == at.state
    assert total(at.state) == total(at.start)
    assert not judged.differences
    # The next round starts clean.
    at.play_round()
    carried = [slip.kind for slip in judge(at.table, at.chair).slips]
    assert carried == []
