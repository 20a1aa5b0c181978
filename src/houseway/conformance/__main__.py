"""`python -m houseway.conformance`: settle the corpus with our engine or with any program, and compare."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

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
    made.add_argument(
        "--cmd",
        metavar="PROGRAM",
        help="a program that reads rounds and prints answers, one JSON line each",
    )
    made.add_argument(
        "--rulebook", metavar="ID", nargs="+", action="extend", default=[], help="only these rulebooks"
    )
    made.add_argument("--limit", metavar="N", type=int, help="at most N rounds, spread over the corpus")
    made.add_argument(
        "--strict", action="store_true", help="compare order, odds, clauses, approvals and limits too"
    )
    made.add_argument(
        "--seconds", type=float, default=60.0, help="how long the program may take in all (60)"
    )
    made.add_argument(
        "--clauses", action="store_true", help="say for every clause how many of its rounds agree"
    )
    made.add_argument("--json", action="store_true", help="print one JSON document")
    made.add_argument("--list", action="store_true", help="list the rounds and settle nothing")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; the exit code."""
    asked = parser().parse_args(arguments)
    unknown = [name for name in asked.rulebook if name not in rulebooks()]
    if unknown:
        return _complain(
            f"no rounds for {', '.join(unknown)}; there are rounds for {', '.join(rulebooks())}"
        )
    if asked.limit is not None and asked.limit < 1:
        return _complain("--limit is at least 1")
    if asked.seconds <= 0:
        return _complain("--seconds is more than nothing")
    chosen = spread(list(cases(*dict.fromkeys(asked.rulebook))), asked.limit)
    if asked.list:
        _list(chosen, as_json=asked.json)
        return AGREES
    try:
        answers = own(chosen) if asked.cmd is None else of_program(asked.cmd, chosen, asked.seconds)
    except StartError as error:
        return _complain(str(error))
    run = result(chosen, answers, strict=asked.strict)
    if asked.json:
        _print(json.dumps(document(run, clauses=asked.clauses), ensure_ascii=False))
    else:
        for line in prose(run, clauses=asked.clauses):
            _print(line)
    return AGREES if run.agrees else DIFFERS


def _list(chosen: Sequence[Case], *, as_json: bool) -> None:
    if as_json:
        rows = [{"id": c.id, "about": c.about, "clauses": c.clauses, "refused": c.refused} for c in chosen]
        _print(json.dumps(rows, ensure_ascii=False))
        return
    for case in chosen:
        _print(f"{case.id:<18}{case.about}  ({', '.join(case.clauses) or 'no clause'})")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


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
