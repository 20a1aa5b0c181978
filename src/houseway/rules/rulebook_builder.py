"""Build the Rulebook object from merged tables. Format problems are collected; reading continues."""

from __future__ import annotations

from typing import Any

from houseway.rules import options
from houseway.rules.extension import HOUSE, JURISDICTION
from houseway.rules.problems import Problem, suggest
from houseway.rules.procedure import read_procedure
from houseway.rules.rulebook import Pass, PassStep, Posting, Ranking, Rulebook
from houseway.rules.settings import read_setting
from houseway.rules.toml_reader import Cited, Reader, texts_or_tables
from houseway.rules.wagers import read_table, read_wager
from houseway.wording import printable

PLACES = ("layout", "sign", "placard", "card")
"""The places for postings."""


def rulebook(raw: dict[str, Any], **extra: Any) -> tuple[Rulebook, list[Problem]]:
    """Return the rulebook and its format problems.

    `extra` holds the fields that are not in the tables: clauses, worked rounds, notes and canonical text.
    """
    problems: list[Problem] = []
    file = Reader(raw, "", problems)
    head = file.table("rulebook")
    extends = head.text("extends") or None
    if head.choice("as", (HOUSE, JURISDICTION), HOUSE) == HOUSE and extends:
        file.own = head.text("id")
    game = head.choice("game", options.GAMES, options.ULTIMATE)
    book = file.record(
        Rulebook,
        id=head.text("id", needed=True),
        game=game,
        # Only the title as shown is escaped; the hash covers the text as written.
        title=printable(head.text("title", needed=True)),
        source=head.cited("source", Reader.text) or Cited(""),
        extends=extends,
        ranking=_ranking(file.table("ranking")),
        options=_options(file.table("options"), game),
        wagers={name: read_wager(name, below) for name, below in file.tables("wager")},
        tables={
            name: {n: read_table(name, n, t) for n, t in below.tables()}
            for name, below in file.tables("tables")
        },
        minimum_basis=file.table("posted_limits").optional_basis("minimum"),
        settlement=tuple(_pass(row) for row in file.rows("pass")),
        postings=tuple(_posting(row) for row in file.rows("posting")),
        house={name: read_setting(name, below) for name, below in file.tables("house")},
        procedure=read_procedure(file),
        **extra,
    )
    # `drop` is removed when a rulebook is merged with its base, so it is never read here.
    head.finish(*(["drop"] if extends else []))
    return book, list(dict.fromkeys(problems))


def _ranking(reader: Reader) -> Ranking:
    return reader.record(Ranking, decks=reader.typed("decks", int, 1, needed=True))


def _options(reader: Reader, game: str) -> dict[str, Cited[Any]]:
    known = {o.name: o for o in options.options_of(game)}
    options_read = {}
    for name in reader.data:
        if name not in known:
            reader.fault(name, "is not an option of this game", suggest(name, known))
        elif cited := reader.cited(name, known[name].read):
            options_read[name] = cited
    for name in known:
        if name not in reader.data:
            reader.fault(name, "is missing", f'write {name} = {{ value = …, clause = "…" }}')
    return options_read


def _pass(row: Reader) -> Pass:
    right = "list the wagers that this pass settles"
    if "wagers" not in row:
        row.fault("wagers", "is missing", right)
    return row.record(Pass, steps=texts_or_tables(row, "wagers", PassStep, right))


def _posting(row: Reader) -> Posting:
    return row.record(Posting, where=row.choice("where", PLACES), shows=row.text("shows"))
