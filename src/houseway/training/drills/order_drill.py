"""The order drill: put the acts of a settlement in the order that the document asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from string import ascii_lowercase
from typing import Final

from houseway.engine.table import Table
from houseway.shoe.seeded_draws import RandomSource
from houseway.training import acts as a
from houseway.training.drills.drill_table import DrillTable, felt_of
from houseway.training.drills.question import (
    FIXED_WAGERS,
    SEQUENCE,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)
from houseway.training.due_acts import DueAct, ahead
from houseway.training.words import act_words
from houseway.wording import several

ORDER = "order"
SEATS: Final = {1: 1, 2: 2, 3: 6}
"""The number of players, by level."""
MOST: Final = {1: 5, 2: 8, 3: 16}
"""The most acts to put in order, by level."""
LEAST: Final = 3
TRIES: Final = 40


def order_question(table: Table, draws: RandomSource, level: int) -> Question:
    """Return the acts of a settlement in a random order, to be put in the right one."""
    for _ in range(TRIES):
        at = DrillTable(table, draws, SEATS[level])
        if not at.run(partial(_settles, at)):
            continue
        listed = _to_order(at, level)
        start = draws.randrange(max(1, len(listed) - MOST[level] + 1))
        acts = listed[start : start + MOST[level]]
        if len(acts) >= LEAST:
            return _question(table, draws, level, at, acts)
    raise ValueError(f"no settlement of {table.book.id} has {LEAST} acts to put in order")


def _settles(at: DrillTable) -> bool:
    """True if the dealer settles a player's hand next."""
    step = at.table.steps.get(at.chair.queue[0].step) if at.chair.queue else None
    return step is not None and step.act == "settle" and at.due() is not None


def _to_order(at: DrillTable, level: int) -> list[DueAct]:
    """Return the acts until the end of the settlement. In a large settlement, only wagers count."""
    groups = ahead(at.table, at.chair.state, at.chair.queue)
    kinds: tuple[type[a.ChairAct], ...] = (a.Take, a.Pay, a.Push)
    if level < max(SEATS):
        kinds = (*kinds, a.TurnUp, a.Rack, a.TakeFold, a.Key)
    listed = [
        one
        for group in groups
        for one in group
        if isinstance(one.act, kinds) and not one.optional and not one.automatic
    ]
    labels = [order_label(one.act) for one in listed]
    return [one for one, label in zip(listed, labels, strict=True) if labels.count(label) == 1]


def order_label(act: a.ChairAct) -> str:
    """Return an act in words, with the hand if a seat has several."""
    number = getattr(act, "hand", 1)
    hand = f" (hand {number})" if isinstance(number, int) and number > 1 else ""
    envy = f", for seat {act.of[0]}" if isinstance(act, a.WagerAct) and act.of[0] else ""
    return f"{act_words(act, due=True)}{hand}{envy}"


def _question(
    table: Table, draws: RandomSource, level: int, at: DrillTable, acts: Sequence[DueAct]
) -> Question:
    labels = [order_label(one.act) for one in acts]
    choices = draws.sample(labels, len(labels))
    answer = "".join(ascii_lowercase[choices.index(label)] for label in labels)
    part = QuestionPart("order", SEQUENCE, tuple(choices))
    right = RightAnswer(
        part="order", answer=answer, clause=acts[0].order, acts=tuple(acts), reason="; ".join(labels)
    )
    facts = QuestionFacts(
        drill=ORDER, rulebook=table.book.id, mode=table.mode, difficulty=level,
        asks=f"Put these {several(len(acts), 'act')} in order.", parts=(part,),
        felt=felt_of(at.chair.state, open_cards=True),
    )  # fmt: skip
    players = several(len({one.seat for one in acts if one.seat}), "player")
    fixed = "" if all(one.free for one in acts if one.lines) else f", {FIXED_WAGERS}"
    return Question(f"order, {players}, {acts[0].step}{fixed}", facts, (right,))
