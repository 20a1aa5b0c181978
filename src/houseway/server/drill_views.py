"""Drill questions, grades and figures as messages, for the page and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from houseway.cards import cards
from houseway.client import drill_messages as d
from houseway.client.layout_spots import betting_spot
from houseway.client.messages import TableInUse
from houseway.engine.made_hands import hand_words
from houseway.engine.table import Table
from houseway.training.chips import tray_values
from houseway.training.drills.drill_session import DrillQuestion, DrillSession, summary
from houseway.training.drills.drill_words import (
    given_words,
    kind_words,
    miss_sentence,
    spoken_lines,
    sum_words,
)
from houseway.training.drills.grade import PartGrade, right_order
from houseway.training.drills.marks import LATE, WRONG, Mark, figures
from houseway.training.drills.payout_drill import PAYOUTS
from houseway.training.drills.question import (
    PAYMENT,
    SEQUENCE,
    FeltFacts,
    FeltHand,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)
from houseway.training.drills.repetition import level_of
from houseway.wording import several

READ_ALOUD: Final = 2
"""Up to this level, the hands of a payout question are read aloud. Above it, the trainee reads them."""
TITLES: Final[dict[d.DrillName, tuple[str, str]]] = {
    "payouts": ("Payouts", "Take, push or pay a wager, a whole hand or a whole table."),
    "hands": ("Hand reading", "Read seven cards. Compare two hands."),
    "order": ("Order", "Put the acts of a settlement in order."),
    "next": ("What next?", "Choose the act that is due now."),
    "rulings": ("Rulings", "Rule on an irregularity: hands, wagers, board, whom to call."),
    "chips": ("Chips", "Make an amount. Read a stack."),
}
"""The title of each drill, and one sentence about it."""


def circles_of(table: Table) -> tuple[d.DrillCircle, ...]:
    """Return the places on the layout of a table, in the rulebook's order."""
    return tuple(
        betting_spot(d.DrillCircle, table.terms, wager)
        for wager in table.terms.wagers
        if not wager.group.on_other_hands and (wager.modes is None or table.mode in wager.modes.value)
    )


def tray_of(table: Table) -> tuple[int, ...]:
    """Return the chip values of a table's tray in cents, smallest first."""
    return tuple(sorted(tray_values(table)))


def question_message(table: Table, asked: DrillQuestion, number: int) -> d.DrillQuestion:
    """Return a question as a message: its facts, without the key and the kind."""
    facts = asked.question.facts
    felt = _felt(table, facts) if facts.felt is not None else None
    return d.DrillQuestion(
        number=number,
        asks=facts.asks,
        mode=facts.mode,
        level=facts.difficulty,
        parts=tuple(_part(table, part) for part in facts.parts),
        scope=facts.scope,  # type: ignore[arg-type]
        notes=facts.notes,
        tables=tuple(
            TableInUse(wager=name, title=table.book.wagers[name].title, table=chosen)
            for name, chosen in facts.tables.items()
        ),
        meters=tuple(_meters(table, facts)),
        limit=facts.limit,
        speech=(*spoken_lines(facts)[:-1], *_readings(felt), facts.asks),
        felt=felt,
        stack=facts.stack,
        repeats=asked.repeats,
    )


def _meters(table: Table, facts: QuestionFacts) -> Iterator[d.DrillMeter]:
    for name, amount in facts.meters.items():
        for wager in table.terms.wagers:
            pays = table.terms.in_use.get(wager.name)
            if pays is not None and name in pays.meters:
                yield d.DrillMeter(wager=wager.name, title=wager.title, name=name, cents=amount)
                break


def _part(table: Table, part: QuestionPart) -> d.DrillPart:
    return d.DrillPart(
        name=part.name,
        title=table.book.wagers[part.wager].title if part.wager else part.label or part.name,
        form=part.form,  # type: ignore[arg-type]
        choices=part.choices,
        seat=part.seat,
        hand=part.hand,
        wager=part.wager,
    )


def _felt(table: Table, facts: QuestionFacts) -> d.DrillFelt:
    felt = facts.felt or FeltFacts()
    aloud = facts.drill == PAYOUTS and facts.difficulty <= READ_ALOUD
    by_mistake = {place: _codes(text) for place, text in felt.exposed.items()}
    dealers = by_mistake.get("dealer", ())
    return d.DrillFelt(
        board=(*_codes(felt.board), *by_mistake.get("board", ())),
        dealer=(*_codes(felt.dealer), *dealers),
        dealer_down=max(0, felt.dealer_down - len(dealers)),
        exposed=tuple(code for codes in by_mistake.values() for code in codes),
        dealer_reads=hand_words(table, _codes(felt.dealer), _codes(felt.board)) if aloud else "",
        hands=tuple(_hand(table, felt, hand, aloud=aloud) for hand in felt.hands),
    )


def _hand(table: Table, felt: FeltFacts, hand: FeltHand, *, aloud: bool) -> d.DrillHand:
    reads = aloud and not hand.folded
    seen = _codes(felt.exposed.get(f"seat {hand.seat}", "")) if hand.down else ()
    return d.DrillHand(
        seat=hand.seat,
        hand=hand.hand,
        cards=(*_codes(hand.cards), *seen),
        down=hand.down - len(seen),
        folded=hand.folded,
        wagers=hand.wagers,
        reads=hand_words(table, _codes(hand.cards), _codes(felt.board)) if reads else "",
    )


def _codes(text: str) -> tuple[str, ...]:
    return tuple(map(str, cards(text)))


def _readings(felt: d.DrillFelt | None) -> list[str]:
    """Return the hands that are read aloud, one sentence each."""
    if felt is None or not felt.dealer_reads:
        return []
    players = [f"Seat {hand.seat}: {hand.reads}." for hand in felt.hands if hand.reads]
    return [*players, f"The dealer: {felt.dealer_reads}."]


def part_grade(
    part: QuestionPart, right: RightAnswer, row: PartGrade, mark: Mark, *, again: bool, time: int
) -> d.DrillPartGrade:
    """Return the grade of a part; if it can be answered again, without the right answer."""
    given = given_words(part, row.given)
    late = row.is_right and mark.judgement == LATE
    if again:
        sentence = f"You {given}. That is not right. Answer once more."
        return d.DrillPartGrade(
            part=part.name, is_right=False, given=given, sentence=sentence, again=True, time=time
        )
    if not row.judged:
        sentence = "Not judged: the document does not answer this."
    else:
        sentence = "Right." if row.is_right else miss_sentence(part, row)
    return d.DrillPartGrade(
        part=part.name,
        is_right=row.is_right,
        given=given,
        sentence=sentence,
        judged=row.judged,
        right=row.reason if part.form == SEQUENCE else row.right,
        sum=sum_words(right) if part.form == PAYMENT else "",
        amount=row.amount,
        paid=right.amount if part.form == PAYMENT else 0,
        clause=row.clause,
        time=time,
        late=late,
        order=right_order(part, right) if part.form == SEQUENCE else (),
    )


def progress_message(
    session: DrillSession, marks: Sequence[Mark], miss: d.DrillMiss | None
) -> d.DrillProgress:
    """Return the marks and figures of a drill so far."""
    total = figures(marks)
    return d.DrillProgress(
        marks=tuple(mark.judgement for mark in marks),  # type: ignore[misc]
        figures=d.DrillFigures(
            answered=total.answered,
            right=total.right,
            late=total.late,
            median=total.median,
            per_minute=round(total.per_minute, 1),
            groups=tuple(
                d.DrillGroup(group=one.group, right=one.right, answered=one.answered, median=one.median)
                for one in total.groups
            ),
        ),
        miss=miss,
        level=level_of(session.progress, session.rulebook, session.drill),
    )


def summary_message(session: DrillSession) -> d.DrillSummary:
    """Return the result of a finished drill."""
    total = summary(session)
    weak = tuple(map(kind_words, total.weak))
    return d.DrillSummary(over=total.over, short=total.short, weak=weak, level=total.level)


def miss_number(marks: Sequence[Mark]) -> int:
    """Return the number of the last wrong answer."""
    return max((n for n, mark in enumerate(marks, 1) if mark.judgement == WRONG), default=0)


def ended_sentence(hours: int) -> str:
    """Return the sentence for a drill that the server no longer has."""
    return f"this drill has ended: drills are kept for {several(hours, 'hour')}; start it again"
