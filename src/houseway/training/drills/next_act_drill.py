"""The "what next?" drill: the act that is due at any point of a round, in any deal mode."""

from __future__ import annotations

from typing import Final, NamedTuple

from houseway.cards import Card
from houseway.engine.table import Table
from houseway.shoe.seeded_draws import RandomSource
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import act_text
from houseway.training.drills.drill_table import DrillTable, felt_of
from houseway.training.drills.order_drill import order_label
from houseway.training.drills.question import (
    CHOICE,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)
from houseway.training.due_acts import any_cards, what_is_due
from houseway.training.perform import attempt, cards_needed
from houseway.wording import shown_name

NEXT = "next"
SEATS: Final = {1: 1, 2: 2, 3: 3}
"""The number of players, by level."""
CHOICES: Final = {1: 4, 2: 6, 3: 8}
"""The number of choices, by level."""
LEAST_WRONG: Final = 2
TRIES: Final = 40


def next_act_question(table: Table, draws: RandomSource, level: int) -> Question:
    """Return a point of a round, with acts to choose the due one from."""
    for _ in range(TRIES):
        moments = _round(DrillTable(table, draws, SEATS[level]))
        steps = sorted({one.step for one in moments if one.asked})
        step = draws.choice(steps)
        moment = draws.choice([one for one in moments if one.asked and one.step == step])
        others = list({one.label: one for one in moments if one.label != moment.label}.values())
        draws.shuffle(others)
        # Acts of the same part of the procedure come first: acts of another part are easily ruled out.
        others.sort(key=lambda one: one.chair.state.section != moment.chair.state.section)
        wrong: list[str] = []
        for other in others:
            if len(wrong) < CHOICES[level] - 1 and _is_wrong(table, moment.chair, other.right):
                wrong.append(other.label)
        if len(wrong) >= LEAST_WRONG:
            return _question(table, level, moment, wrong)
    raise ValueError(f"no point of a round of {table.book.id} has acts to choose from")


class Moment(NamedTuple):
    """A point of a round at which the dealer must act."""

    chair: ch.Chair
    right: a.ChairAct
    step: str
    clause: str | None

    @property
    def asked(self) -> bool:
        """True if the drill asks about it.

        How to read and set hands is another drill, and an act without a clause cannot be judged.
        """
        return bool(self.clause) and not isinstance(self.right, a.ReadHand | a.SetHand)

    @property
    def label(self) -> str:
        """The act in words; a plain step by the name of the step."""
        return shown_name(self.step) if isinstance(self.right, a.TakeStep) else order_label(self.right)


def _round(at: DrillTable) -> list[Moment]:
    """Return every point at which the dealer must act, from the opening to the end of the first round."""
    moments: list[Moment] = []

    def note() -> bool:
        right = at.due()
        if right is not None:
            step, clause = what_is_due(at.table, at.chair.state)
            first = at.chair.queue[0] if at.chair.queue else None
            if first is not None:
                step, clause = first.step or step, first.order or first.clause or clause
            moments.append(Moment(at.chair, right, step, clause))
        return False

    at.run(note)
    return moments


def _is_wrong(table: Table, chair: ch.Chair, act: a.ChairAct) -> bool:
    """True if the act would be a slip now."""
    count = cards_needed(table, chair, act)
    cards: tuple[Card, ...] = any_cards(table, chair.state, count)
    return isinstance(attempt(table, chair, act, cards=cards), ch.Slip)


def _question(table: Table, level: int, moment: Moment, wrong: list[str]) -> Question:
    chair = moment.chair
    # The list is in alphabetical order, so that the place of an act says nothing about when it is due.
    choices = sorted([moment.label, *wrong])
    last = next((one.input for one in reversed(chair.entries) if isinstance(one.input, a.ChairAct)), None)
    before = (f"Last act: {act_text(table, last)}.",) if last is not None else ()
    seats = f"seat{'s' if len(chair.asked) > 1 else ''} {', '.join(map(str, chair.asked))}"
    asked = (f"Asked in the latest betting round: {seats}.",) if chair.asked else ()
    facts = QuestionFacts(
        drill=NEXT, rulebook=table.book.id, mode=table.mode, difficulty=level, asks="What next?",
        parts=(QuestionPart("next", CHOICE, tuple(choices)),), felt=felt_of(chair.state),
        notes=(*before, *asked),
    )  # fmt: skip
    step = shown_name(moment.step)
    # Hands are racked in the course of steps that are about wagers, so the step would not explain the act.
    fits = step != moment.label and not isinstance(moment.right, a.Rack)
    reason = f"step: {step}" if fits else ""
    key = RightAnswer(part="next", answer=moment.label, clause=moment.clause, reason=reason)
    return Question(f"{table.mode} deal, {moment.step}", facts, (key,))
