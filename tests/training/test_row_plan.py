"""The rounds of the irregularities in a table test come from the seed: an old score sheet tells nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from houseway.shoe.seeded_draws import SeedDraws
from houseway.training import chair as ch
from houseway.training.exams.run import ExamRun
from houseway.training.scenarios.row_plan import DealtRounds, RowPlan
from training.exam_trainee import SALT, exam_setup
from training.test_exams import TEST, followed

SEEDS = 60
COUNT_ROWS = (12, 14)
"""The rows of uth-ma that only a count of the stub shows (MA-7.g.2-a and -b). Row 13, a wrong board, cannot happen in
training."""


def plans(rulebook: str, mode: str) -> list[RowPlan]:
    """The plans of the table tests of many seeds."""
    session = ExamRun(exam_setup(TEST, rulebook, mode), "1", SALT).session
    after = session.plan.next_table.after if session.plan.next_table else TEST.rounds
    rounds = ((1, after), (after + 1, TEST.rounds))
    parts = [DealtRounds(table, *rounds[n]) for n, table in enumerate(session.tables)]
    return [RowPlan(parts, range(1, 31), SeedDraws(str(n), "rows")) for n in range(SEEDS)]


@pytest.mark.parametrize(("rulebook", "mode"), [("uth-ma", "manual"), ("uth-sd", "device")])
def test_no_row_has_the_same_round_in_a_third_of_the_seeds(rulebook: str, mode: str) -> None:
    planned = [plan.planned for plan in plans(rulebook, mode)]
    for row in planned[0]:
        rounds = Counter(one[row] for one in planned)
        limit = SEEDS // 2 if row in COUNT_ROWS and rulebook == "uth-ma" else SEEDS // 3
        assert max(rounds.values()) < limit, (row, rounds)


def test_the_rows_of_a_count_have_every_order_and_every_round() -> None:
    """The stub is counted in rounds 5, 10, 15 and 20, so there are twelve possibilities for two rows."""
    listed = plans("uth-ma", "manual")
    pairs = {tuple(plan.planned[row] for row in COUNT_ROWS) for plan in listed}
    assert pairs == {(x, y) for x in (5, 10, 15, 20) for y in (5, 10, 15, 20) if x != y}
    hidden = Counter(sum(row in COUNT_ROWS for row in plan.repeats.values()) for plan in listed)
    assert set(hidden) == {0, 1, 2}


def test_table_tests_of_several_seeds_have_different_irregularities() -> None:
    listed = []
    for seed in ("1", "2", "3"):
        run = followed(replace(TEST, players=1, people={}), "uth-sd", "manual", seed)
        rounds = [
            (number, entry.input.kind)
            for number, one in enumerate(run.session.judgements, 1)
            for entry in one.entries
            if isinstance(entry.input, ch.Happening)
        ]
        listed.append(set(rounds))
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert len(listed[one] & listed[other]) <= len(listed[one]) // 2
