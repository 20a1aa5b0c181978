"""The judgement of a watcher's report, and the results of a session."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Literal

from houseway.client.find_messages import (
    ONE_PLACE,
    FindFamily,
    FindTally,
    GradedPart,
    MistakeAnswer,
    MistakeJudgement,
    MistakeReport,
    Outcome,
)
from houseway.money import exactly
from houseway.rules.loader import all_clauses, own_clause
from houseway.training.mistakes.find_round import PlantedAnswer
from houseway.training.mistakes.mistake import BY_KEY, CHANGED_BET, LATE_BET
from houseway.training.words import amount_words
from houseway.wording import alternatives, the_wager

NO_MISTAKE = "no mistake"
SENTENCES: dict[Outcome, str] = {
    "right": "You named the mistake.",
    "inexact": "You named the mistake. The amount is wrong.",
    "missed": "The mistake was not reported.",
    "false call": "The report names something that was not wrong.",
}


def judge_report(
    answer: PlantedAnswer, report: MistakeReport, notice: int | None = None
) -> MistakeJudgement:
    """Compare a report with the answer. `notice` is the time from the mistake to the report.

    Raise ValueError if the report names both a seat and a place: one of them could be a guess.
    """
    if report.seat and report.place:
        raise ValueError(ONE_PLACE)
    parts = tuple(_parts(answer, report))
    outcome = _outcome(answer, report, parts)
    says = SENTENCES[outcome]
    if not answer.name:
        says = "There was no mistake." if outcome == "right" else "A false call: there was no mistake."
    named = outcome in ("right", "inexact") and bool(answer.name)
    return MistakeJudgement(
        outcome=outcome,
        parts=parts,
        answer=shown_answer(answer),
        says=says,
        notice=notice if named else None,
    )


def _outcome(answer: PlantedAnswer, report: MistakeReport, parts: Sequence[GradedPart]) -> Outcome:
    if not report.family:
        return "missed" if answer.name else "right"
    wrong = {part.name for part in parts if not part.is_right}
    if not wrong:
        return "right"
    return "inexact" if wrong == {"amount"} else "false call"


def _parts(answer: PlantedAnswer, report: MistakeReport) -> list[GradedPart]:
    """Return the parts of the report that are judged."""
    family = BY_KEY.get(report.family)
    titles = [BY_KEY[key].title for key in answer.families]
    right = (
        NO_MISTAKE
        if not answer.name
        else titles[0]
        if len(titles) == 1
        else alternatives(map(quoted, titles))
    )
    fits = report.family in answer.families if answer.name else not report.family
    yours = family.title if family is not None else NO_MISTAKE
    parts = [GradedPart(name="what", yours=yours, right=right, is_right=fits)]
    if family is None or not answer.name:
        return parts
    if (answer.seats or answer.places) and (report.seat or family.has_wager or family.has_place):
        parts.append(_where(answer, report, family))
    if family.has_wager and answer.wagers:
        fits = report.wager in answer.wagers
        yours = the_wager(report.wager) if report.wager else "no wager"
        wagers = alternatives(map(the_wager, answer.wagers))
        parts.append(GradedPart(name="wager", yours=yours, right=wagers, is_right=fits))
    if family.has_amount and answer.amounts:
        fits = report.amount in answer.amounts
        yours = "no amount" if report.amount is None else difference_words(report.family, report.amount)
        wanted = difference_words(answer.families[0], answer.amounts[0])
        parts.append(GradedPart(name="amount", yours=yours, right=wanted, is_right=fits))
    early = 0 < report.step < answer.step
    yours = f"event {report.step}" if report.step else "after the last event"
    parts.append(GradedPart(name="moment", yours=yours, right=f"event {answer.step}", is_right=not early))
    return parts


def _where(answer: PlantedAnswer, report: MistakeReport, family: FindFamily) -> GradedPart:
    """Compare the seat or the place of a report with all seats and places of the answer."""
    rights = [*map(_seat_words, answer.seats), *map(place_words, answer.places)]
    name: Literal["seat", "place"] = "place" if family.has_place else "seat"
    yours = f"no {name}"
    if report.seat:
        yours = _seat_words(report.seat)
    elif report.place and family.has_place:
        yours = place_words(report.place)
    return GradedPart(name=name, yours=yours, right=alternatives(rights), is_right=yours in rights)


def _seat_words(seat: int) -> str:
    return f"seat {seat}"


def place_words(place: str) -> str:
    """Return a place that is not a seat.

    >>> place_words("dealer")
    'the dealer'
    """
    return f"the {place}"


def quoted(title: str) -> str:
    """Return a title in quotation marks."""
    return f"“{title}”"


def difference_words(family: str, cents: int) -> str:
    """Return an amount with its direction, for a payment or for a bet.

    >>> difference_words("amount", -750), difference_words("changed bet", 500)
    ('$7.50 underpaid', 'bet $5.00 more')
    """
    if family in (LATE_BET, CHANGED_BET):
        return f"bet {exactly(abs(cents))} {'more' if cents > 0 else 'less'}"
    return amount_words(cents) if cents else "no difference"


def shown_answer(answer: PlantedAnswer) -> MistakeAnswer:
    """Return the answer as it is shown after the report, with the sentence of its clause."""
    if not answer.name:
        return MistakeAnswer()
    return MistakeAnswer(
        name=answer.name,
        family=answer.families[0],
        title=BY_KEY[answer.families[0]].title,
        seat=answer.seats[0] if answer.seats else 0,
        wager=answer.wagers[0] if answer.wagers else "",
        amount=answer.amounts[0] if answer.amounts else 0,
        step=answer.step,
        facts=answer.facts,
        clause=answer.clause,
        sentence=clause_sentence(answer.clause),
    )


def clause_sentence(clause: str | None) -> str:
    """Return a clause in words; empty if there is none."""
    if clause is None:
        return ""
    cited = all_clauses().get(clause) or own_clause(clause)
    return cited.says if cited is not None else ""


def tally(judgements: Sequence[MistakeJudgement]) -> FindTally:
    """Add up the judgements of a session."""
    outcomes = [one.outcome for one in judgements]
    times = [one.notice for one in judgements if one.notice is not None]
    return FindTally(
        rounds=len(judgements),
        right=outcomes.count("right"),
        inexact=outcomes.count("inexact"),
        missed=outcomes.count("missed"),
        false_calls=outcomes.count("false call"),
        notice=round(median(times)) if times else None,
    )
