"""The measures of an exam, in dollars, seconds and clauses, and its automatic failures: errors that fail an
exam whatever its measures are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houseway.money import exactly
from houseway.report.exam_result import CLAUSES, DOLLARS, SECONDS, ExamMeasure, Incident, RoundTime
from houseway.training import chair as ch
from houseway.training.exams.exam import SECOND, Exam
from houseway.training.judge import Judgement
from houseway.training.score import Score, round_time
from houseway.training.words import amount_words, over_and_under
from houseway.wording import several

LOST = "connection lost"
BACK = "reconnected"
LEFT = "left"
"""The kinds of incidents."""


def measure(
    exam: Exam,
    score: Score,
    rounds: Sequence[RoundTime],
    players: int,
    ruled: tuple[int, int] | None = None,
) -> tuple[ExamMeasure, ...]:
    """Return the measures of an exam, the most important one of each column first.

    `ruled` is two counts, the ruling questions answered right and those judged; None if the exam did not
    ask for rulings.
    """
    return tuple(_measures(exam, score, rounds, players, ruled))


def _measures(
    exam: Exam, score: Score, rounds: Sequence[RoundTime], players: int, ruled: tuple[int, int] | None
) -> Iterator[ExamMeasure]:
    limits = exam.passes
    yield _money("gross_mispayment", "Gross mispayment", score.gross, limits.gross_mispayment)
    yield _money(
        "net_mispayment",
        "Net mispayment",
        abs(score.net),
        limits.net_mispayment,
        shown=exactly(score.net),
        detail=over_and_under(score.over, score.under),
    )
    yield _share(
        "payment_accuracy", DOLLARS, "Bets settled right", score.payments_right, score.payments,
        limits.payment_accuracy, "no bets settled",
    )  # fmt: skip
    pace = _least_pace(limits.rounds_per_hour, players)
    with_players = f"with {several(players, 'player')}"
    yield ExamMeasure(
        name="rounds_per_hour",
        column=SECONDS,
        label="Rounds per hour",
        shown=f"{score.rounds_per_hour:.1f}",
        limit_shown="" if pace is None else f"at least {pace:g} {with_players}",
        value=score.rounds_per_hour,
        limit=pace,
        at_least=True,
    )
    yield ExamMeasure(
        name="median_payment",
        column=SECONDS,
        label="Median payment",
        shown=_seconds(score.payment_time),
        detail=several(score.payments, "payment"),
        limit_shown="" if limits.median_payment is None else f"limit {_seconds(limits.median_payment)}",
        value=score.payment_time,
        limit=limits.median_payment,
    )
    yield ExamMeasure(
        name="payments_per_minute",
        column=SECONDS,
        label="Payments per minute",
        shown=f"{score.payments_per_minute:.1f}",
        limit_shown=""
        if limits.payments_per_minute is None
        else f"at least {limits.payments_per_minute:g}",
        value=score.payments_per_minute,
        limit=limits.payments_per_minute,
        at_least=True,
    )
    yield _count("late_reports", SECONDS, "Handled late", score.kinds.get(ch.LATE, 0), limits.late_reports)
    over = sum(one.over_time for one in rounds)
    yield _count("rounds_over_time", SECONDS, "Rounds over time", over, limits.rounds_over_time)
    most = None if limits.slips_per_round is None else limits.slips_per_round * exam.rounds
    yield ExamMeasure(
        name="slips_per_round",
        column=CLAUSES,
        label="Slips",
        shown=str(score.slips),
        detail=f"{score.slips_per_round:.2f} per round",
        limit_shown="" if most is None else f"limit {most:g} in {several(exam.rounds, 'round')}",
        value=score.slips,
        limit=most,
    )
    yield _share(
        "hand_reading", CLAUSES, "Hands read right", score.hands_read_right, score.hands_read,
        limits.hand_reading, "no hands read",
    )  # fmt: skip
    yield _share(
        "irregularities", CLAUSES, "Irregularities reported", score.reported, score.irregularities,
        limits.irregularities, "none happened",
    )  # fmt: skip
    if ruled is not None:
        yield _share("rulings", CLAUSES, "Rulings right", *ruled, limits.rulings, "no rulings")
    elif limits.rulings is not None:
        yield ExamMeasure(
            name="rulings", column=CLAUSES, label="Rulings right", shown="not asked", value=100.0
        )
    yield _share(
        "conduct", CLAUSES, "Players handled correctly", score.conduct_right, score.conduct,
        limits.conduct, "none needed it",
    )  # fmt: skip
    calls = score.kinds.get(ch.NEEDLESS_CALL, 0) + score.kinds.get(ch.MISSED_CALL, 0)
    yield _count("floor_calls", CLAUSES, "Wrong floor calls", calls, limits.floor_calls)


def _money(
    name: str, label: str, cents: int, limit: int | None, *, shown: str = "", detail: str = ""
) -> ExamMeasure:
    return ExamMeasure(
        name=name,
        column=DOLLARS,
        label=label,
        shown=shown or exactly(cents),
        detail=detail,
        limit_shown="" if limit is None else f"limit {exactly(limit)}",
        value=cents,
        limit=limit,
    )


def _share(
    name: str, column: str, label: str, right: int, of: int, least: float | None, nothing: str
) -> ExamMeasure:
    """Return a measure in percent. If there was nothing to count, it is 100 and shows `nothing`."""
    share = 100 * right / of if of else 100.0
    return ExamMeasure(
        name=name,
        column=column,
        label=label,
        shown=f"{right} of {of}" if of else nothing,
        detail=f"{share:.1f} %" if share % 1 else f"{share:.0f} %" if of else "",
        limit_shown="" if least is None else f"at least {least:g} %",
        value=share,
        limit=least,
        at_least=True,
    )


def _count(name: str, column: str, label: str, count: int, most: int | None) -> ExamMeasure:
    return ExamMeasure(
        name=name,
        column=column,
        label=label,
        shown=str(count),
        limit_shown="" if most is None else f"limit {most}",
        value=count,
        limit=most,
    )


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / SECOND:.1f} s"


def _least_pace(pace: dict[int, float] | None, players: int) -> float | None:
    """Return the lowest number of rounds per hour with this number of players."""
    fitting = [players_from for players_from in pace or () if players_from <= players]
    return pace[max(fitting)] if pace and fitting else None


def round_times(exam: Exam, judgements: Iterable[Judgement]) -> tuple[RoundTime, ...]:
    """Return the time of each closed round."""
    times = []
    for one in judgements:
        took = round_time(one)
        kinds = {slip.kind for slip in one.slips}
        over = bool(exam.time.round) and took > exam.time.round
        times.append(RoundTime(time=took, slips=len(one.slips), late=kinds == {ch.LATE}, over_time=over))
    return tuple(times)


def automatic_failures(
    exam: Exam, judgements: Sequence[Judgement], incidents: Iterable[Incident], finished: int
) -> Iterator[str]:
    """Yield a sentence for each event that is enough, by itself, to fail the exam."""
    fails = exam.fails
    for number, judgement in enumerate(judgements, 1):
        for slip in judgement.slips:
            if fails.mispayment is not None and not slip.cured and abs(slip.amount) >= fails.mispayment:
                yield f"Round {number}: {amount_words(slip.amount)} in one payment."
            # No document demands what a slip without a clause left out.
            if slip.kind in fails.slips and slip.clause is not None:
                yield f"Round {number}: {slip.kind}."
    kinds = [one.kind for one in incidents]
    if fails.abort and LEFT in kinds and finished < exam.rounds:
        yield f"Left after {finished} of {several(exam.rounds, 'round')}."
    if fails.reconnections is not None and kinds.count(BACK) > fails.reconnections:
        yield f"Reconnected {several(kinds.count(BACK), 'time')}; the limit is {fails.reconnections}."
