"""Compare a trainee's ruling with the right one: row by row, in dollars, and with the other rulebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain

import msgspec

from houseway.client.training_messages import (
    CitedClause,
    IrregularityReport,
    JudgedRow,
    OtherRulebook,
    RulingForm,
    RulingQuestion,
)
from houseway.engine.fold_registry import seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import all_clauses, document_of, own_clause, section_of
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training.chair import WRONG_COUNT, Chair, OpenIrregularity
from houseway.training.happenings import row_facts
from houseway.training.ruling_form import (
    ANSWERS,
    BOARD,
    CALL,
    CALLS,
    CARD,
    HANDS,
    RETURNED,
    VOID_ONE,
    WAGER_ANSWERS,
    Ruling,
    judge_ruling,
    reported_irregularity,
    right_ruling,
    wagers_on_layout,
)
from houseway.training.scenarios.rulebook_comparison import HandlingRule, usual_handling
from houseway.training.void_rounds import VoidRoundEnd
from houseway.wording import several


class RulingVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling, judged."""

    rows: tuple[JudgedRow, ...] = ()
    happened: str = ""
    noticed: int = 0
    returned: int = 0
    returned_yours: int = 0
    end: VoidRoundEnd = VoidRoundEnd()
    """The end of the round, if the right ruling makes it void."""
    others: tuple[OtherRulebook, ...] = ()


def ruling_form(state: State, report: IrregularityReport, time: int) -> RulingForm:
    """Return the form of a report. Its questions depend only on the wagers on the layout."""
    wagers = (RulingQuestion(question=name, answers=WAGER_ANSWERS) for name in wagers_on_layout(state))
    return RulingForm(
        report=report,
        time=time,
        questions=(
            RulingQuestion(question=HANDS, answers=ANSWERS[HANDS]),
            *wagers,
            RulingQuestion(question=BOARD, answers=ANSWERS[BOARD]),
            RulingQuestion(question=CARD, answers=ANSWERS[CARD]),
            RulingQuestion(question=CALL, answers=CALLS),
        ),
        hands=_hands_in_words(state) if report.kind == WRONG_COUNT else "",
    )


def _hands_in_words(state: State) -> str:
    """Return the number of cards in each hand once the stub is out; empty before that.

    After a wrong count, the dealer determines whether the cards were misdealt, and then rules.
    """
    hands = [
        (f"seat {number}" + (f", hand {index}" if len(seat.hands) > 1 else ""), hand.cards)
        for number, seat in state.seats.items()
        for index, hand in enumerate(seat.hands, 1)
        if hand.cards and not hand.racked
    ]
    hands += [("the dealer", state.round.dealer)]
    counted = [f"{place}, {several(len(cards), 'card')}" for place, cards in hands]
    return f"You count the hands: {'; '.join(counted)}." if state.round.stub_out else ""


def report_act(report: IrregularityReport, ruling: Mapping[str, str] | None = None) -> a.ReportIrregularity:
    """Return a report, with the ruling on it, as an act of the chair."""
    return a.ReportIrregularity(
        kind=report.kind,
        at=report.at,
        which=report.which,
        count=report.count,
        device=report.device,
        ruling=None if ruling is None else dict(ruling),
    )


def answers_problem(form: RulingForm, answers: Mapping[str, str]) -> str:
    """Return what is wrong with the answers to a form; empty if nothing is."""
    known = {one.question: one.answers for one in form.questions}
    for question, answer in answers.items():
        if question not in known:
            return f"the form has no question {question[:40]!r}; it asks for {', '.join(known)}"
        if answer not in known[question]:
            return f"{question} must be one of: {', '.join(known[question])} (got {answer[:40]!r})"
    return ""


def judge_answers(
    table: Table, chair: Chair, form: RulingForm, answers: Mapping[str, str], books: Iterable[Rulebook]
) -> RulingVerdict:
    """Judge the answers to a form, before the report takes effect. `books` are the other rulebooks."""
    report = form.report
    happened, irregularity = _matching(chair, report, form.time)
    right = None if irregularity is None else right_ruling(table, chair.state, irregularity)
    judged = {row.question: row for row in judge_ruling(right, answers)} if right is not None else {}
    rows = []
    for one in form.questions:
        row, given = judged.get(one.question), answers.get(one.question, "")
        is_judged = row is not None and row.judged
        rows.append(
            JudgedRow(
                question=one.question,
                given=given,
                right=row.right if row is not None else "",
                judged=is_judged,
                is_right=row.is_right if row is not None else True,
                also=row.also if row is not None else (),
                clause=cited(table.book, row.clause) if row is not None else None,
            )
        )
    return RulingVerdict(
        rows=tuple(rows),
        happened=happened,
        noticed=max(0, form.time - irregularity.time) if irregularity is not None else 0,
        returned=right.returned if right is not None else 0,
        returned_yours=_returned(chair.state, (irregularity or report).at, answers, right),
        others=_others(table, chair.state, irregularity or _as_reported(report), books),
    )


def _matching(chair: Chair, report: IrregularityReport, time: int) -> tuple[str, OpenIrregularity | None]:
    """Return what happened if the report names something else, and the irregularity that it does name."""
    named = reported_irregularity(chair, report.kind, report.at, time)
    if named is not None:
        return "", named
    other = next((one for one in chair.open if report.at in (one.at, "")), None)
    if other is None:
        return "Nothing had happened.", None
    return f"What happened: {other.kind}{f', {other.at}' if other.at else ''}.", None


def cited(book: Rulebook, clause: str | None) -> CitedClause | None:
    """Return a clause with its sentence; None without a clause, or if it is not a clause of a document."""
    if not clause:
        return None
    known = all_clauses().get(clause) or own_clause(clause)
    setting = book.house.get(clause.removeprefix("house."))
    says = known.says if known is not None else f"A house setting. {setting.about}" if setting else ""
    return CitedClause(
        clause=clause,
        says=says,
        borrowed=clause in _borrowed(book),
        document=document_of(clause),
        section=section_of(clause),
        reading=known.reading if known is not None else "",
    )


@lru_cache(maxsize=32)
def _borrowed(book: Rulebook) -> frozenset[str]:
    """Return the clauses of other documents that a rulebook uses. Reading them takes milliseconds."""
    return frozenset(book.borrowed())


def _as_reported(report: IrregularityReport) -> OpenIrregularity:
    """Return the irregularity that a report describes, although it has not happened."""
    return OpenIrregularity(kind=report.kind, at=report.at, which=report.which, since=0, time=0)


def _returned(state: State, place: str, answers: Mapping[str, str], right: Ruling | None) -> int:
    """Return the cents that go back to the players by the trainee's answers.

    `place` is the place of the irregularity: if one hand is void, only the wagers of that hand go back. If
    the same hands are void by the rulebook, only the kinds of wagers on which the trainee differs change
    what the rulebook returns. A fold that stays lost, for example, then counts in neither sum.
    """
    only = seat_of(place) if answers.get(HANDS) == VOID_ONE else 0
    if right is None or answers.get(HANDS) != right.answers[HANDS].answer:
        return sum(_stakes(state, wager, only) for wager, one in answers.items() if one == RETURNED)
    cents = right.returned
    for wager, one in right.answers.items():
        yours = answers.get(wager, "")
        if (yours == RETURNED) != (one.answer == RETURNED):
            cents += _stakes(state, wager, only) * (1 if yours == RETURNED else -1)
    return cents


def _stakes(state: State, wager: str, only: int) -> int:
    """Return the cents of a kind of wager on the layout, or at one seat only."""
    hands = [hand for n, seat in state.seats.items() if only in (0, n) for hand in seat.hands]
    return sum(hand.stakes.get(wager, 0) + hand.tips.get(wager, 0) for hand in hands)


def _others(
    table: Table, state: State, irregularity: OpenIrregularity, books: Iterable[Rulebook]
) -> tuple[OtherRulebook, ...]:
    """Return what the other rulebooks say about the same irregularity at the same moment."""
    row = row_facts(table, state, irregularity)
    others = []
    for book in books:
        if book.id == table.book.id or book.game != table.book.game:
            continue
        mode = table.mode if table.mode in book.modes else next(iter(book.modes))
        other = usual_handling(Table(read_terms(book, {"mode": mode})[0]), row.kind, row.facts)
        others.append(
            OtherRulebook(
                rulebook=book.id,
                title=book.title,
                words=_silent(table.book, other) if other.borrowed else other.act,
                clause=other.clause,
                place=book.place,
            )
        )
    return tuple(others)


def _silent(book: Rulebook, other: HandlingRule) -> str:
    """Return what another rulebook does by a borrowed clause. `book` is the rulebook of the table."""
    lender = document_of(other.clause or "")
    borrowed = f"This document does not cover it; {lender} applies"
    return borrowed if lender == _document(book) else f"{borrowed}: {other.act}"


def _document(book: Rulebook) -> str:
    """Return the short name of a rulebook's document.

    A house's own rulebook may have no clauses. Then its document is that of the rulebook it extends.
    """
    cited = (clause for _, basis in book.bases() if not basis.filled for clause in basis.all)
    return next(filter(None, map(document_of, chain(book.clauses, cited))), "")
