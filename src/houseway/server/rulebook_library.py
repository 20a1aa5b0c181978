"""Rulebooks as JSON: rules cards, clauses, differences and the options of a table."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from houseway.client.messages import PayLine
from houseway.engine.refusals import Refusal
from houseway.engine.terms import Terms, read_terms, stakeable
from houseway.money import dollars
from houseway.report.pay_tables import hand
from houseway.report.payment_words import basis_of, payment_text
from houseway.report.rulebook_data import card_data
from houseway.rules import loader
from houseway.rules.compare import Statement, compare
from houseway.rules.compare.parameters import setting_text
from houseway.rules.odds_words import wording
from houseway.rules.problems import shortened, suggest
from houseway.rules.rulebook import Clause, Rulebook

Data = dict[str, Any]
HOUSE = "house."
"""The prefix of a house setting that is cited in place of a clause."""


class RefusedError(Exception):
    """A refused request, with its HTTP status."""

    def __init__(self, status: int, *refused: Refusal) -> None:
        self.status = status
        self.refused = refused
        super().__init__("; ".join(refusal.message for refusal in refused))


def refused(status: int, code: str, where: str, message: str) -> RefusedError:
    """Return an error with one refusal that cites no clause."""
    return RefusedError(status, Refusal(code, None, where, message))


def bundled(name: str) -> Rulebook:
    """Return a rulebook by its ID. Unlike the loader, this function accepts no path."""
    known = {book.id: book for book in loader.sound_rulebooks()[0]}
    if name not in known:
        raise _unknown("rulebook", name, "rulebook", known)
    return known[name]


def _unknown(kind: str, name: str, what: str, known: Iterable[str]) -> RefusedError:
    """Return the error for an unknown name, with similar names."""
    shown = name[:80]
    return refused(404, f"unknown-{kind}", kind, f"there is no {what} {shown!r}; {suggest(shown, known)}")


def default_terms(book: Rulebook) -> Terms:
    """Return the terms of a rulebook in its usual mode.

    Each house setting has its default or, without one, its example value.
    """
    terms, refusals = read_terms(book, {})
    if refusals:
        raise RefusedError(400, *refusals)
    return terms


plain_terms = cache(default_terms)
"""Cached terms of a bundled rulebook."""


def rulebooks() -> Data:
    """Return the usable rulebooks, and the first problem of each broken rulebook."""
    sound, broken = loader.sound_rulebooks()
    problems = [{"id": error.ref, "problem": str(error.problems[0])} for error in broken]
    listed = [{**_head(book), "clauses": len(book.clauses)} for book in sound]
    return {"rulebooks": listed, **({"broken": problems} if problems else {})}


def _head(book: Rulebook) -> Data:
    source = book.source.value
    return {
        "id": book.id,
        "title": book.title,
        "place": book.place,
        "game_title": book.game_title,
        "game": book.game,
        "source": source,
        "hash": book.hash,
    }


@cache
def rulebook(name: str) -> Data:
    """Return a rulebook with its rules card, its clauses in order and the options of a table."""
    book = bundled(name)
    card = card_data(plain_terms(book))
    return {
        **_head(book),
        "card": card,
        "clauses": list(map(_clause, book.clauses.values())),
        "sections": section_titles().get(book.id, {}),
        "options": _options(book, card),
    }


def _clause(clause: Clause) -> Data:
    return {
        "id": clause.id,
        "kind": clause.kind,
        "says": clause.says,
        "reading": clause.reading,
        "conflicts": clause.conflicts,
        "section": section(clause.id),
    }


@cache
def section_titles() -> dict[str, dict[str, str]]:
    """Return the topic of each section of the bundled rulebooks, by rulebook and section."""
    file = resources.files(__package__).joinpath("section_titles.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def section(clause: str) -> str:
    """Return the section of a clause: the part of its id after the document's letters, up to the next dot
    or dash."""
    return clause.partition("-")[2].partition(".")[0].partition("-")[0]


def _options(book: Rulebook, card: Data) -> Data:
    """Return the options for opening a table."""
    terms = plain_terms(book)
    chosen = [kind for kind in book.tables if f"{kind}_table" in book.house]
    # A wager with a fixed amount, or one that must equal another, has no limits to choose.
    fixed = {rule.wager for rule in terms.stake_rules if rule.twin or rule.exact is not None}
    return {
        "modes": book.modes,
        "tables": {kind: list(book.tables[kind]) for kind in chosen},
        "in_use": {kind: terms.tables[kind] for kind in chosen if kind in terms.tables},
        "side_bets": [
            {"wager": name, "title": wager.title, "modes": wager.modes.value if wager.modes else book.modes}
            for name in stakeable(book)
            if (wager := book.wagers[name]).optional
        ],
        "limits": {name: _limits(terms, name) for name in terms.stakeable if name not in fixed},
        "positions": terms.house("seats") or book.seats,
        "linked_games": "linked_games" in book.options and book.options["linked_games"].value != "none",
        "named_people": "auto_approve" in book.house,
        "house": [
            {"name": name, "wager": setting.wager, **card["house"][name]}
            for name, setting in book.house.items()
            if setting.required and setting.kind != "limits" and name.removesuffix("_table") not in chosen
        ],
    }


def _limits(terms: Terms, name: str) -> Data:
    """Return the limits that the document sets; a limit that the house may choose is None."""
    bounds, fixed = terms.bounds[name], terms.rulebook.limits.get(name)
    minima = fixed.minima.value if fixed and fixed.minima else ()
    return {
        "min": None if bounds.low is None else dollars(bounds.low),
        "max": None if bounds.high is None else dollars(bounds.high),
        "minima": [dollars(amount) for amount in minima],
    }


# --- clauses ---


def clause(identity: str, terms: Terms | None = None) -> Data:
    """Return a clause with the pay table it prints; with `terms`, the pay table in use at that table."""
    known = loader.all_clauses()
    if identity.startswith(HOUSE):
        return _setting(identity, terms)
    own = loader.own_clause(identity)
    if identity not in known and own is None:
        raise _unknown("clause", identity, "clause", known)
    cited = own or known[identity]
    sound = loader.sound_rulebooks()[0]
    home = next((b for b in sound if identity in b.clauses or identity == f"own.{b.id}"), None)
    if home is None:
        problem = f"the rulebook of {shortened(identity)!r} cannot be used"
        raise refused(404, "unknown-clause", "clause", f"{problem}; run houseway check")
    under = terms if terms is not None and identity in _co_cited(terms.rulebook) else plain_terms(home)
    return {
        **_clause(cited),
        "citation": home.source.value,
        "also": _co_cited(under.rulebook).get(identity, ()),
        "lines": _cited_lines(under, identity),
        "rulebook": home.id,
        "fills": terms.rulebook.title if terms and identity in terms.rulebook.borrowed() else "",
    }


@cache
def _co_cited(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Return, for each clause a rulebook cites, the clauses cited together with it."""
    co_cited: dict[str, dict[str, None]] = {}
    for _, basis in book.bases():
        for cited in basis.all:
            others = dict.fromkeys(other for other in basis.all if other != cited)
            co_cited.setdefault(cited, {}).update(others)
    return {cited: tuple(together) for cited, together in co_cited.items()}


def _cited_lines(terms: Terms, identity: str) -> list[PayLine]:
    """Return the rows of the pay table that a clause prints. Of several tables, the table in use counts."""
    tables = [
        table
        for by_name in terms.rulebook.tables.values()
        for table in by_name.values()
        if identity in table.basis.all or any(identity in row.basis.all for row in table.rows)
    ]
    used = [table for table in tables if terms.in_use.get(table.kind) is table]
    table = next(iter(used or tables), None)
    if table is None:
        return []
    words = wording(terms.rulebook)
    return [
        PayLine(
            hand=hand(row.when),
            pays=payment_text(row.pays or "lose", words),
            clause=basis_of(row, table).clause(terms.mode),
        )
        for row in table.rows
    ]


def _setting(identity: str, terms: Terms | None) -> Data:
    """Return a house setting in the form of a clause."""
    name = identity.removeprefix(HOUSE)
    books = [*([terms.rulebook] if terms else []), *loader.sound_rulebooks()[0]]
    book = next((book for book in books if name in book.house), None)
    if book is None:
        raise _unknown("clause", name, "setting", {setting for b in books for setting in b.house})
    setting = book.house[name]
    as_clause = Clause(identity, "house setting", setting.about, "", setting_text(setting), ())
    return {
        **_clause(as_clause),
        "section": "",
        "citation": "a house setting",
        "also": setting.basis.all,
        "lines": [],
        "rulebook": book.id,
        "fills": "",
    }


# --- differences ---


@cache
def differences(a: str, b: str) -> Data:
    """Compare two rulebooks by parameter; a side is None if its rulebook lacks the parameter."""
    one, other = bundled(a), bundled(b)
    rows = [
        {"name": x.name, "title": x.title, "same": not x.differs, "a": _stated(x.a), "b": _stated(x.b)}
        for x in compare(one, other)
    ]
    return {"a": one.id, "b": other.id, "rows": rows}


def _stated(stated: Statement | None) -> Data | None:
    if stated is None:
        return None
    return {
        "says": stated.value,
        "clause": next(iter(stated.clauses), None),
        "clauses": stated.clauses,
        "filled": any(basis.filled for basis in stated.bases),
    }
