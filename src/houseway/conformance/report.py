"""What came of it: how many rounds agree, and what is paid wrongly, grouped, with an example each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from houseway.conformance.comparing import Difference, compare
from houseway.conformance.corpus import Case
from houseway.conformance.programs import Answers, NoAnswer
from houseway.wording import several


@dataclass(frozen=True, slots=True)
class Result:
    """A run: the rounds, and what each answer has otherwise than expected."""

    cases: tuple[Case, ...]
    differences: tuple[tuple[Difference, ...], ...]
    """For each round, in order."""
    remarks: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether every round agrees and the program behaved."""
        return not any(self.differences) and not self.remarks


@dataclass(frozen=True, slots=True)
class Group:
    """Differences of one kind: the same rulebook, wager and clause."""

    rulebook: str
    wager: str
    clause: str | None
    rounds: int
    first: Difference


def result(cases: Sequence[Case], answers: Answers, *, strict: bool) -> Result:
    """Compare every answer."""
    found = tuple(
        tuple(_compare(case, answer, strict=strict))
        for case, answer in zip(cases, answers.given, strict=True)
    )
    return Result(tuple(cases), found, answers.remarks)


def _compare(case: Case, answer: Any, *, strict: bool) -> list[Difference]:
    if isinstance(answer, NoAnswer):
        due = "a refusal" if case.refused else "a settlement"
        return [Difference(case.id, case.rulebook, "answer", None, due, answer.came, answer.reason)]
    return compare(case, answer, strict=strict)


def groups(run: Result) -> list[Group]:
    """Differences by rulebook, wager and clause, the most frequent first in each rulebook."""
    found: dict[tuple[str, str, str | None], list[Difference]] = {}
    for listed in run.differences:
        seen = set()
        for difference in listed:
            key = (difference.rulebook, difference.wager, difference.clause)
            if key not in seen:
                seen.add(key)
                found.setdefault(key, []).append(difference)
    made = [Group(*key, len(listed), listed[0]) for key, listed in found.items()]
    return sorted(made, key=lambda g: (g.rulebook, -g.rounds, g.wager, g.clause or ""))


def by_rulebook(run: Result) -> dict[str, tuple[int, int]]:
    """How many rounds agree, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for case, wrong in zip(run.cases, run.differences, strict=True):
        agree, count = found.get(case.rulebook, (0, 0))
        found[case.rulebook] = (agree + (not wrong), count + 1)
    return found


def by_clause(run: Result) -> dict[str, tuple[int, int]]:
    """Of the rounds that show each clause, how many agree and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for case, wrong in zip(run.cases, run.differences, strict=True):
        for clause in case.clauses:
            agree, count = found.get(clause, (0, 0))
            found[clause] = (agree + (not wrong), count + 1)
    return dict(sorted(found.items()))


def document(run: Result, *, clauses: bool) -> dict[str, Any]:
    """The report as one JSON document."""
    agree = sum(not wrong for wrong in run.differences)
    made: dict[str, Any] = {
        "agrees": run.agrees,
        "rounds": len(run.cases),
        "agreeing": agree,
        "rulebooks": {name: {"agree": a, "rounds": n} for name, (a, n) in by_rulebook(run).items()},
        "wrong": [asdict(group) for group in groups(run)],
        "remarks": list(run.remarks),
    }
    if clauses:
        made["clauses"] = {name: {"agree": a, "rounds": n} for name, (a, n) in by_clause(run).items()}
    return made


def prose(run: Result, *, clauses: bool) -> Iterator[str]:
    """The report for people."""
    for remark in run.remarks:
        yield f"! {remark}"
    for name, (agree, count) in by_rulebook(run).items():
        yield f"{name:<14}{agree:>6} of {count:>5} rounds agree"
    if clauses:
        yield ""
        yield f"{'clause':<24}{'agree':>8}{'rounds':>8}"
        for name, (agree, count) in by_clause(run).items():
            yield f"{name:<24}{agree:>8}{count:>8}{'' if agree == count else '  <'}"
    listed = groups(run)
    if listed:
        yield ""
        yield "Paid or answered wrongly:"
    for group in listed:
        rests = f" by {group.clause}" if group.clause else ""
        yield f"  {group.rulebook} {group.wager}{rests}: {several(group.rounds, 'round')}"
        yield f"    first {group.first.case}: {group.first.says}"
        yield f"      expected  {group.first.expected}"
        yield f"      came      {group.first.came}"
    agree = sum(not wrong for wrong in run.differences)
    yield ""
    if run.agrees:
        yield "The one round agrees." if len(run.cases) == 1 else f"All {len(run.cases)} rounds agree."
    else:
        yield f"{agree} of {len(run.cases)} rounds agree, {len(run.cases) - agree} do not."
