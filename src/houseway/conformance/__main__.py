"""`python -m houseway.conformance`: settle the conformance rounds and compare the results.

Our own engine settles them, or the program given with `--cmd`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence

from houseway.conformance.corpus import Case, cases, rulebooks, sample
from houseway.conformance.programs import StartError, run_engine, run_program
from houseway.conformance.report import document, prose, result

AGREES, DIFFERS, BAD_INPUT = 0, 1, 2


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command-line options."""
    built = argparse.ArgumentParser(
        prog="python -m houseway.conformance",
        description="Settle the rounds of the conformance suite and report wagers that are paid wrongly. "
        "Exit code: 0 if all rounds agree, 1 if any differs, 2 on bad input.",
    )
    add = built.add_argument
    add(
        "--cmd",
        metavar="PROGRAM",
        help="a program that reads one round per line and prints one answer per line, as JSON",
    )
    add("--rulebook", metavar="ID", nargs="+", action="extend", default=[], help="only these rulebooks")
    add("--limit", metavar="N", type=int, help="at most N rounds, taken evenly from the whole suite")
    add("--strict", action="store_true", help="compare order, odds, clauses, approvals and limits too")
    add("--seconds", type=float, default=60.0, help="time limit for the program in seconds (default 60)")
    add("--clauses", action="store_true", help="show how many rounds agree for each clause")
    add("--json", action="store_true", help="print one JSON document")
    add("--list", action="store_true", help="list the rounds without settling them")
    add("--show", metavar="ID", help="print one round as JSON, for houseway settle")
    return built


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite and return the exit code."""
    options = parser().parse_args(arguments)
    unknown = [name for name in options.rulebook if name not in rulebooks()]
    if unknown:
        known = ", ".join(rulebooks())
        return _complain(f"--rulebook: there are no rounds for {', '.join(unknown)}; use {known}")
    if options.limit is not None and options.limit < 1:
        return _complain(f"--limit must be at least 1 (got {options.limit})")
    if options.seconds <= 0:
        return _complain(f"--seconds must be more than 0 (got {options.seconds:g})")
    if options.show is not None:
        return _show(options.show)
    chosen = sample(list(cases(*dict.fromkeys(options.rulebook))), options.limit)
    if options.list:
        _print(_list(chosen, as_json=options.json))
        return AGREES
    try:
        program = options.cmd is not None
        answers = run_program(options.cmd, chosen, options.seconds) if program else run_engine(chosen)
    except StartError as error:
        return _complain(str(error))
    run = result(chosen, answers, strict=options.strict)
    if options.json:
        _print([json.dumps(document(run, clauses=options.clauses), ensure_ascii=False)])
    else:
        _print(prose(run, clauses=options.clauses))
    return AGREES if run.agrees else DIFFERS


def _show(identity: str) -> int:
    """Print the round with this id; return the exit code."""
    case = next((case for case in cases() if case.id == identity), None)
    if case is None:
        return _complain(f"--show: there is no round {identity!r}; --list prints the ids")
    _print([case.line.decode().rstrip()])
    return AGREES


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
    """Run the suite from a shell; exit quietly if the reader of the output closes the pipe."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIFFERS
    return code


if __name__ == "__main__":
    sys.exit(script())
