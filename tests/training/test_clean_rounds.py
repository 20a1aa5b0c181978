"""A trainee who follows the document makes no slip, under every rulebook and in both deal modes."""

from __future__ import annotations

import pytest

from houseway.engine.evolve import fold
from houseway.rules.loader import rulebook_ids
from houseway.second_settler import DOCUMENTS
from houseway.training.judge import judge
from houseway.training.score import score
from random_play.chance import modes_of
from samples import LONG
from training.document_trainee import DocumentTrainee

TABLES = 313 if LONG else 10
ROUNDS = 4
"""Tables of four rounds in each of eight rulebooks and deal modes: 320 rounds, or 10,016 in the long run."""
PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_following_the_document_is_never_wrong(rulebook: str, mode: str) -> None:
    judged = []
    for seed in range(TABLES):
        at = DocumentTrainee(rulebook, mode, seed, seats=1 + seed % 6)
        for _ in range(ROUNDS):
            at.play_round()
            judged.append(judge(at.table, at.chair))
            assert judged[-1].slips == ()
            assert judged[-1].differences == ()
            # The players have what the automatic dealer gives them.
            assert {n: s.chips for n, s in at.state.seats.items()} == {
                n: s.chips for n, s in at.mirror.seats.items()
            }
        assert fold((x.event for entry in at.log for x in entry.changes), at.start) == at.state
    figures = score(judged)
    assert (figures.rounds, figures.slips, figures.gross) == (TABLES * ROUNDS, 0, 0)
    assert figures.payments_right == figures.payments > 0
    assert {one.settled_twice for one in judged} == {rulebook in DOCUMENTS}
