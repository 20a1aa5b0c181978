"""`python -m houseway.conformance`: settle the corpus with our engine or with any program, and compare."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence

from houseway.conformance.corpus import Case, cases, rulebooks, spread
from houseway.conformance.programs import StartError, of_program, own
from houseway.conformance.report import document, prose, result

AGREES, DIFFERS, BAD_INPUT = 0, 1, 2


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m houseway.conformance",
        description="Settle the rounds of the conformance suite and say which wagers are paid wrongly. "
        "Exit 0 where all agree, 1 where not, 2 on bad input.",
    )
    add = made.add_argument
    add(
        "--cmd",
        metavar="PROGRAM",
        help="a program that reads rounds and prints answers, one JSON line each",
    )
    add("--rulebook", metavar="ID", nargs="+", action="extend", default=[], help="only these rulebooks")
    add("--limit", metavar="N", type=int, help="at most N rounds, spread over the corpus")
    add("--strict", action="store_true", help="compare order, odds, clauses, approvals and limits too")
    add("--seconds", type=float, default=60.0, help="how long the program may take in all (60)")
    add("--clauses", action="store_true", help="say for every clause how many of its rounds agree")
    add("--json", action="store_true", help="print one JSON document")
    add("--list", action="store_true", help="list the rounds and settle nothing")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; the exit code."""
    asked = parser().parse_args(arguments)
    unknown = [name for name in asked.rulebook if name not in rulebooks()]
    if unknown:
        known = ", ".join(rulebooks())
        return _complain(f"no rounds for {', '.join(unknown)}; there are rounds for {known}")
    if asked.limit is not None and asked.limit < 1:
        return _complain("--limit is at least 1")
    if asked.seconds <= 0:
        return _complain("--seconds is more than nothing")
    chosen = spread(list(cases(*dict.fromkeys(asked.rulebook))), asked.limit)
    if asked.list:
        _print(_list(chosen, as_json=asked.json))
        return AGREES
    try:
        answers = own(chosen) if asked.cmd is None else of_program(asked.cmd, chosen, asked.seconds)
    except StartError as error:
        return _complain(str(error))
    run = result(chosen, answers, strict=asked.strict)
    if asked.json:
        _print([json.dumps(document(run, clauses=asked.clauses), ensure_ascii=False)])
    else:
        _print(prose(run, clauses=asked.clauses))
    return AGREES if run.agrees else DIFFERS


def _list(chosen: Sequence[Case], *, as_json: bool) -> list[str]:
    if as_json:
        rows = [{"id": c.id, "about": c.about, "clauses": c.clauses, "refused": c.refused} for c in chosen]
        return [json.dumps(rows, ensure_ascii=False)]
    return [f"{c.id:<18}{c.about}  ({', '.join(c.clauses) or 'no clause'})" for c in chosen]


def _print(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _complain(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return BAD_INPUT


def script() -> int:
    """Run the suite from a shell; a reader that has seen enough ends it quietly."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIFFERS
    return code


if __name__ == "__main__":
    sys.exit(script())
