"""All drills by name. Makes a question of any drill from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.errors import InputError
from houseway.rules.rulebook import Rulebook
from houseway.shoe.seeded_draws import SeedDraws
from houseway.training.drills.chip_drill import CHIPS, chip_question
from houseway.training.drills.hand_drill import HANDS, hand_question
from houseway.training.drills.next_act_drill import NEXT, next_act_question
from houseway.training.drills.order_drill import ORDER, order_question
from houseway.training.drills.payout_drill import PAYOUTS, payout_question
from houseway.training.drills.payout_rounds import DisagreementError
from houseway.training.drills.question import LEVELS, Question
from houseway.training.drills.ruling_drill import RULINGS, ruling_question

DRILLS: Final[dict[str, Callable[..., Question]]] = {
    PAYOUTS: payout_question,
    HANDS: hand_question,
    ORDER: order_question,
    NEXT: next_act_question,
    RULINGS: ruling_question,
    CHIPS: chip_question,
}
NEED_PROCEDURE: Final = frozenset({ORDER, NEXT, RULINGS})
"""The drills that need a rulebook with a procedure."""
CAP: Final = "500"
"""The payout limit, in dollars, of a table whose house sets the limit."""
TRIES: Final = 20


def drill_tables(book: Rulebook, offers: Sequence[dict[str, object]]) -> tuple[Table, ...]:
    """Return the tables that questions are about.

    `offers` are the terms of each deal mode. If the house may limit payouts, each mode also has a table
    with a limit.
    """
    tables = []
    settings: dict[str, object] = {cap.setting: CAP for cap in book.caps if cap.setting is not None}
    for offer in offers:
        variants: list[dict[str, object]] = [{}, settings] if settings else [{}]
        for house in variants:
            given = {**offer, "house": house}
            terms, refused = read_terms(book, given)
            if refused:
                raise InputError(f"{book.id}: {refused[0].message}")
            tables.append(Table(terms))
    return tuple(tables)


def make_question(drill: str, tables: Sequence[Table], seed: str, level: int, scope: str = "") -> Question:
    """Return the question of a seed. The same seed and the same tables always give the same question.

    `scope` chooses what a payout question is about: one of `payout_drill.SCOPES`, or empty for any.
    """
    if level not in LEVELS:
        raise ValueError(f"a level is 1, 2 or 3 (got {level})")
    for attempt in range(TRIES):
        draws = SeedDraws(seed, f"drill {drill} {level} {attempt}")
        try:
            return DRILLS[drill](draws.choice(tables), draws, level, *([scope] if scope else []))
        except DisagreementError as error:
            # A payment that the two settlement programs do not agree on is never taught.
            disagreement = error
    raise disagreement
