"""The report of a run: how many rounds agree, and the wrong payments in groups, each with an example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from houseway.conformance.answer_comparison import Difference, compare, difference
from houseway.conformance.corpus import Case
from houseway.conformance.programs import Answers, MissingAnswer
from houseway.wording import several

ANSWER: Final = "answer"
"""The name that a difference has instead of a wager if the whole answer is missing or cannot be read."""


@dataclass(frozen=True, slots=True)
class Result:
    """A run: each round with the differences in its answer."""

    compared: tuple[tuple[Case, list[Difference]], ...]
    remarks: tuple[str, ...]

    @property
    def agreeing(self) -> int:
        """The number of rounds that agree."""
        return sum(not wrong for _, wrong in self.compared)

    @property
    def agrees(self) -> bool:
        """True if every round agrees and there are no remarks about the program."""
        return self.agreeing == len(self.compared) and not self.remarks


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Differences with the same rulebook, wager and clause."""

    rulebook: str
    wager: str
    clause: str | None
    rounds: int
    first: Difference


def result(cases: Sequence[Case], answers: Answers, *, strict: bool) -> Result:
    """Compare every answer and return the run."""
    pairs = zip(cases, answers.given, strict=True)
    return Result(tuple((case, _compare(case, answer, strict)) for case, answer in pairs), answers.remarks)


def _compare(case: Case, answer: Any, strict: bool) -> list[Difference]:
    if isinstance(answer, MissingAnswer):
        due = "a refusal" if case.refused else "a settlement"
        return [difference(case, ANSWER, due, answer.output, answer.reason)]
    return compare(case, answer, strict=strict)


def groups(run: Result) -> list[FailureGroup]:
    """Return the differences by rulebook, wager and clause, the most frequent first in each rulebook."""
    grouped: dict[tuple[str, str, str | None], list[Difference]] = {}
    for _, wrong in run.compared:
        # A round counts once in each group, with its first difference in that group.
        firsts = {(each.rulebook, each.wager, each.clause): each for each in reversed(wrong)}
        for key, first in firsts.items():
            grouped.setdefault(key, []).append(first)
    failures = [FailureGroup(*key, len(listed), listed[0]) for key, listed in grouped.items()]
    return sorted(failures, key=lambda g: (g.rulebook, -g.rounds, g.wager, g.clause or ""))


def by_rulebook(run: Result) -> dict[str, dict[str, int]]:
    """Return the number of rounds of each rulebook, and how many of them agree."""
    return _counted(run, lambda case: (case.rulebook,))


def by_clause(run: Result) -> dict[str, dict[str, int]]:
    """Return the number of rounds that test each clause, and how many of them agree."""
    return dict(sorted(_counted(run, lambda case: case.clauses).items()))


def _counted(run: Result, names: Callable[[Case], Iterable[str]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for case, wrong in run.compared:
        for name in names(case):
            count = counts.setdefault(name, {"agree": 0, "rounds": 0})
            count["agree"] += not wrong
            count["rounds"] += 1
    return counts


def document(run: Result, *, clauses: bool) -> dict[str, Any]:
    """Return the report as one JSON document."""
    data = {
        "agrees": run.agrees,
        "rounds": len(run.compared),
        "agreeing": run.agreeing,
        "rulebooks": by_rulebook(run),
        "wrong": [_as_json(group) for group in groups(run)],
        "remarks": list(run.remarks),
    }
    return data | ({"clauses": by_clause(run)} if clauses else {})


def _as_json(group: FailureGroup) -> dict[str, Any]:
    """Return a group as JSON.

    Its first difference has the answer under two keys: `answered`, and `came`, the old name of that key.
    """
    data = asdict(group)
    data["first"]["came"] = group.first.answered
    return data


def prose(run: Result, *, clauses: bool) -> Iterator[str]:
    """Yield the report as lines of text."""
    for remark in run.remarks:
        yield f"! {remark}"
    for name, count in by_rulebook(run).items():
        yield f"{name:<14}{count['agree']:>6} of {count['rounds']:>5} rounds agree"
    if clauses:
        yield ""
        yield f"{'clause':<24}{'agree':>8}{'rounds':>8}"
        for name, count in by_clause(run).items():
            mark = "" if count["agree"] == count["rounds"] else "  <"
            yield f"{name:<24}{count['agree']:>8}{count['rounds']:>8}{mark}"
    listed = groups(run)
    if listed:
        yield ""
        yield "Paid or answered wrongly:"
    for group in listed:
        clause = f" ({group.clause})" if group.clause else ""
        what = ", no readable answer" if group.wager == ANSWER else f" {group.wager}"
        yield f"  {group.rulebook}{what}{clause}: {several(group.rounds, 'round')}"
        yield f"    example {group.first.case}: {group.first.says}"
        yield f"      expected  {group.first.expected}"
        yield f"      answered  {group.first.answered}"
    yield ""
    rounds = len(run.compared)
    if run.agrees:
        yield "The round agrees." if rounds == 1 else f"All {rounds} rounds agree."
    else:
        yield f"{run.agreeing} of {rounds} rounds agree, {rounds - run.agreeing} do not."
