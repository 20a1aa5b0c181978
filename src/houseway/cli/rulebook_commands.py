"""`rulebooks`, `check` and `clause`: list rulebooks, check them, read their clauses."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from houseway.cli.clause_code import code_for, step_at
from houseway.cli.output import BadInputError, usable_rulebooks, write_json
from houseway.rules import catalogue, loader
from houseway.rules.compare.parameters import setting_text
from houseway.rules.problems import closest, suggest
from houseway.rules.rulebook import Clause, Rulebook
from houseway.wording import several

KINDS = {"configured": "a value in the rulebook", "enforced": "the software refuses violations",
         "performed": "the software does it", "instructed": "printed for dealers or players",
         "own": "set by the house's own rulebook"}  # fmt: skip
"""The meaning of each kind of clause, for the person who reads one."""


def rulebooks(*, json: bool = False) -> int:
    """List the rulebooks with their ids, games and sources.

    Parameters
    ----------
    json
        Print one JSON document.
    """
    sound, broken = loader.sound_rulebooks()
    if json:
        listed: list[dict[str, Any]] = [
            {"id": b.id, "title": b.title, "game": b.game, "source": b.source.value, "hash": b.hash}
            for b in sound
        ]
        write_json([*listed, *({"id": error.ref, "problems": error.problems} for error in broken)])
        return 0
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("rulebook", "game", "title", "source", "clauses"):
        table.add_column(column, justify="right" if column == "clauses" else "left")
    for book in sound:
        row = (book.id, book.game, book.title, book.source.value, str(len(book.clauses)))
        table.add_row(*map(Text, row))
    for error in broken:
        table.add_row(Text(error.ref), "", Text(f"cannot be used: {error.problems[0]}"))
    Console().print(table)
    return 0


def check(*refs: str, json: bool = False) -> int:
    """Check rulebooks, scenarios and exams, and report every problem.

    Exit code 1 means that there are problems.

    Parameters
    ----------
    refs
        Rulebook ids, TOML files or rulebook folders, and files of training scenarios and exams; default:
        all rulebooks.
    json
        Print one JSON document.
    """
    from houseway.cli.exam_file import exam_problems
    from houseway.cli.scenario_file import scenario_problems
    from houseway.testing import soundness

    answers: list[dict[str, Any]] = []
    failed = False
    for ref in refs or loader.rulebook_ids():
        kind, problems = "scenario", scenario_problems(ref)
        if problems is None:
            kind, problems = "exam", exam_problems(ref)
        if problems is None:
            kind, problems = "rulebook", soundness.problems(ref)
        errors = [p for p in problems if p.weight == "error"]
        failed = failed or bool(errors)
        answers.append({kind: ref, "sound": not errors, "problems": problems})
        if not json:
            sys.stdout.write(f"{ref}: {several(len(errors), 'problem') if errors else 'sound'}\n")
            for p in problems:
                mark = "warning: " if p.weight == "warning" else ""
                sys.stdout.write(f"  {p.path}\n      {mark}{p.wrong}\n      {p.right}\n")
    if json:
        write_json(answers)
    return 1 if failed else 0


def clause(text: Annotated[str, Parameter(name="CLAUSE")], /, *, json: bool = False) -> int:
    """Print a clause, our reading of it, and where it is used.

    `houseway clause MA-10` lists every clause whose id starts with MA-10. `houseway clause envy` lists
    every clause that contains the word envy.

    Parameters
    ----------
    text
        A clause id such as MA-9.h.1, the start of an id, a house setting such as house.rounding, or a word.
    json
        Print one JSON document.
    """
    books = usable_rulebooks()
    known = loader.readable_clauses()
    by_lower = {name.lower(): name for name in known}
    exact = by_lower.get(text.lower())
    one = known[exact] if exact is not None else loader.own_clause(text)
    if one is not None:
        return _show_clause(one, books, json=json)
    if text.startswith("house."):
        return _show_setting(text.removeprefix("house."), books, json=json)
    matches = [c for lower, c in by_lower.items() if lower.startswith(text.lower())]
    matches = matches or [c for c in known if text.lower() in known[c].says.lower()]
    if not matches:
        raise BadInputError(
            f"no clause matches {text!r}; {closest(text, known) or f'ids look like {min(known)}'}"
        )
    if json:
        write_json([{"id": c, "kind": known[c].kind, "says": known[c].says} for c in matches])
        return 0
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    for c in matches:
        table.add_row(Text(c), Text(known[c].says))
    Console(highlight=False).print(table)
    return 0


def _show_clause(one: Clause, books: dict[str, Rulebook], *, json: bool) -> int:
    """Print a clause, and the places in rulebooks and code that use it."""
    used = [
        {"rulebook": name, "at": path}
        for name, book in books.items()
        for path, basis in book.bases()
        if one.id in basis.all or one.id == basis.elsewhere
    ]
    if one.kind == "own" and not used:
        owners = {f"own.{basis.own}" for b in books.values() for _, basis in b.bases() if basis.own}
        raise BadInputError(f"no added rulebook uses {one.id!r}; {_own_advice(one.id, owners, books)}")
    places = (place for use in used for place in code_for(books[use["rulebook"]], use["at"]))
    # Named functions first, then single lines.
    code = sorted(dict.fromkeys(places), key=lambda place: " " not in place)
    document = next((b.source.value for b in books.values() if one.id in b.clauses), "")
    if json:
        write_json(
            {
                "id": one.id, "document": document, "kind": one.kind, "says": one.says,
                "check": one.check, "reading": one.reading, "conflicts": one.conflicts, "used": used,
                "code": code,
            }
        )  # fmt: skip
        return 0
    console = Console(highlight=False)
    console.print(_headed(one.id, f"  ({one.kind}: {KINDS.get(one.kind, 'an unknown kind')})"))
    console.print(one.says, markup=False)
    for title, text in (("Test.", one.check), ("Reading.", one.reading), ("Document.", document)):
        if text:
            console.print(_headed(f"\n{title}", f" {text}"))
    if one.conflicts:
        console.print(_headed("\nOther clauses say something different:", f" {', '.join(one.conflicts)}."))
    console.print(_headed("\nUsed in") if used else "\nNo rulebook uses this clause in its data.")
    for place in used:
        step = step_at(books[place["rulebook"]], place["at"])
        console.print(f"  {place['rulebook']}: {place['at']}{step and f', “{step}”'}", markup=False)
    if code:
        console.print(_headed("\nImplemented by"))
        for where in code:
            console.print(f"  houseway/{where}")
    elif used:
        console.print("\nNo code acts on this clause; it is only printed and compared.")
    return 0


def _own_advice(identity: str, owners: set[str], books: dict[str, Rulebook]) -> str:
    """Return advice about an unknown `own.ID`: a similar one, or the reason why there is none."""
    added = catalogue.catalogue().keys() - catalogue.bundled().keys()
    if owners:
        return suggest(identity, owners)
    if not added:
        return "add a rulebook with --rulebooks FILE"
    loaded = added & books.keys()
    return "no added rulebook extends another" if loaded else "no added rulebook could be loaded"


def _headed(head: str, rest: str = "") -> Text:
    """Return a bold heading followed by plain text, without markup."""
    return Text.assemble((head, "bold"), rest)


def _show_setting(name: str, books: dict[str, Rulebook], *, json: bool) -> int:
    """Print a house setting's values in each rulebook that has it."""
    having = {book.id: book.house for book in books.values() if name in book.house}
    if not having:
        known = {n for book in books.values() for n in book.house}
        raise BadInputError(f"{name!r} is not a house setting; {suggest(name, known)}")
    values = {book: setting_text(house[name]) for book, house in having.items()}
    about = next(iter(having.values()))[name].about
    if json:
        write_json({"id": f"house.{name}", "about": about, "rulebooks": values})
        return 0
    console = Console(highlight=False)
    console.print(_headed(f"house.{name}", f"  (house setting)\n{about}\n"))
    for book, text in values.items():
        console.print(f"  {book}: {text}", markup=False)
    return 0
