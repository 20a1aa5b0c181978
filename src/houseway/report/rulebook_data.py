"""A rulebook as plain data: the content of the rules card, with amounts as strings in dollars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.money import Flat, Odds, Payment, Share, dollars
from houseway.report import document as d
from houseway.report.payment_words import basis_of, payment_text
from houseway.rules.house_way import HouseWay
from houseway.rules.odds_words import wording
from houseway.rules.options import options_of
from houseway.rules.rulebook import Ranking, Rulebook
from houseway.rules.settings import Setting
from houseway.rules.toml_reader import Basis, Cited
from houseway.rules.wagers import PayTable, Row, Wager

Data = dict[str, Any]

AMOUNTS = frozenset({"above", "amount", "base", "least", "limit", "maximum", "minima", "wager"})
"""Fields that hold cents."""


def card_data(terms: Terms) -> Data:
    """Return everything on the rules card."""
    book = terms.rulebook
    return {
        "rulebook": book.id,
        "game": book.game,
        "title": book.title,
        "source": _cited(book.source),
        "hash": book.hash,
        "hand_size": Table(terms).hand_size,
        "tables_in_use": dict(terms.tables),
        "tables_chosen": dict(terms.named_tables),
        "ranking": _ranking(book.ranking),
        "options": {
            option.name: {"title": option.title, **_cited(cited)}
            for option in options_of(book.game)
            if (cited := book.options.get(option.name))
        },
        "entry": book.entry and _cited(book.entry),
        "stages": [
            {
                **_fields(s, "name", "board"),
                "play": s.sizes and _cited(s.sizes),
                **_fields(s, "check", "fold"),
            }
            for s in book.stages
        ],
        "wagers": {name: _wager(terms, wager) for name, wager in book.wagers.items()},
        "tables": {
            kind: {name: _table(book, table) for name, table in tables.items() if _shown(terms, kind, name)}
            for kind, tables in book.tables.items()
        },
        "table_rules": {
            kind: _fields(rule, "no_less", "closed") for kind, rule in book.table_rules.items()
        },
        "limits": _limits(terms),
        "caps": [
            _fields(cap, "wagers", "limit", "setting", "or_minimum_bettor", "basis") for cap in book.caps
        ],
        "approvals": [_fields(approval, "wagers", "above", "who", "basis") for approval in book.approvals],
        "passes": [
            {
                **_fields(rulebook_pass, "name", "hands", "direction", "unqualified", "when"),
                "wagers": [
                    {"wager": s.wager, **basis_data(s.basis), **({"when": s.when} if s.when else {})}
                    for s in rulebook_pass.steps
                ],
                **basis_data(rulebook_pass.basis),
            }
            for rulebook_pass in book.settlement
        ],
        "postings": [_fields(posting, "where", "shows", "basis") for posting in book.postings],
        "house": {name: _setting(terms, setting) for name, setting in book.house.items()},
        "house_way": book.house_way and _house_way(book.house_way),
    }


def basis_data(basis: Basis) -> Data:
    """Return the clauses that a part of the rulebook is based on, one for each deal mode if they differ."""
    one = basis.deciding[0] if len(basis.deciding) == 1 else dict(basis.clauses) or None
    return {"clause": one, "also": basis.also, "filled": basis.filled, "house": basis.house}


def _cited(cited: Cited[Any]) -> Data:
    return {"value": cited.value, **basis_data(cited.basis)}


def _fields(part: Any, *names: str) -> Data:
    """Return the named fields of a part of the rulebook.

    The clauses of the part itself (its `basis`) are not nested: they are keys beside the other fields.
    """
    data: Data = {}
    for name in names:
        value = getattr(part, name)
        if name == "basis":
            data |= basis_data(value)
        elif isinstance(value, Basis):
            data[name] = basis_data(value)
        elif isinstance(value, Cited):
            data[name] = {"value": _plain(name, value.value), **basis_data(value.basis)}
        else:
            data[name] = _plain(name, value)
    return data


def _plain(name: str, value: Any) -> Any:
    """Return the value of a field, with amounts in dollars."""
    if name not in AMOUNTS or value is None:
        return value
    return [dollars(each) for each in value] if isinstance(value, tuple) else dollars(value)


def _shown(terms: Terms, kind: str, name: str) -> bool:
    """True if the rules card shows a pay table: the chosen one of its kind, or all if none is chosen."""
    of_envy = kind == "envy" and name in terms.rulebook.tables.get("progressive", ())
    return terms.named_tables.get("progressive" if of_envy else kind, name) == name


def _ranking(ranking: Ranking) -> Data:
    return {
        "decks": ranking.decks,
        "classes": [_fields(ranked, "name", "within", "basis") for ranked in ranking.classes],
        **_fields(ranking, "card_order", "low_ace", "suits_equal", "kickers", "basis"),
    }


def _wager(terms: Terms, wager: Wager) -> Data:
    return {
        **_fields(wager, "title", "looks"),
        **_fields(wager.group, "on_own_cards", "on_whole_table"),
        **_fields(wager, "optional", "equals", "beside", "amount", "least", "excludes", "kept", "modes"),
        "rows": [_row(terms.rulebook, row, row.basis) for row in wager.rows(terms.house)],
        **basis_data(wager.basis),
    }


def _table(book: Rulebook, table: PayTable) -> Data:
    return {
        "rows": [_row(book, row, basis_of(row, table)) for row in table.rows],
        **_fields(table, "cards", "wager", "base", "meters"),
        "seeds": {
            meter: {"value": dollars(seed.value), **basis_data(seed.basis)}
            for meter, seed in table.seeds.items()
        },
        **basis_data(table.basis),
    }


def _row(book: Rulebook, row: Row, basis: Basis) -> Data:
    paid = {"table": row.table} if row.table else _pays(row.pays or "lose", wording(book))
    return {"when": row.when, **paid, **basis_data(basis)}


def _pays(pays: Payment, words: str | None) -> Data:
    """Return a payment as printed and as numbers."""
    if isinstance(pays, str):
        return {"result": pays, "pays": pays}
    won: Data = {"result": "win", "pays": payment_text(pays, words)}
    match pays:
        case Odds(units, per, keeps):
            return won | {"odds": {"units": units, "per": per, "stake_returned": not keeps}}
        case Share(percent, meter):
            return won | {"share": {"percent": percent, "meter": meter}}
        case Flat(amount):
            return won | {"amount": dollars(amount)}


def _limits(terms: Terms) -> Data:
    book = terms.rulebook
    return {
        "fixed": {name: _fields(limit, "minima", "maximum") for name, limit in book.limits.items()},
        "posted": {
            name: {"min": _plain("amount", bounds.low), "max": _plain("amount", bounds.high)}
            for name, bounds in terms.limits.items()
        },
        "posted_by": book.limit_basis and basis_data(book.limit_basis),
        "bet_limit": book.bet_limit and _fields(book.bet_limit, "amount", "posted", "wagered", "maxima"),
    }


def _setting(terms: Terms, setting: Setting) -> Data:
    return {
        **_fields(setting, "kind", "about", "required", "choices", "low", "high"),
        "default": _value(setting, setting.default),
        "example": _value(setting, setting.example),
        "set": _value(setting, terms.given.get(setting.name)),
        **basis_data(setting.basis),
    }


def _value(setting: Setting, value: Any) -> Any:
    if setting.kind == "amounts" and isinstance(value, Mapping):
        return {name: dollars(amount) for name, amount in value.items()}
    return dollars(value) if setting.kind == "money" and value is not None else value


def _house_way(way: HouseWay) -> Data:
    lines = [line.text for line in way.lines]
    return {"name": way.name, "version": way.version, "lines": lines, **basis_data(way.basis)}


def sheet_data(sheet: d.Document, terms: Terms, name: str) -> Data:
    """A posted sheet as data: its lines and tables in order."""
    return {
        "rulebook": terms.rulebook.id,
        "hash": terms.rulebook.hash,
        "sheet": name,
        "title": sheet.title,
        "tables_in_use": dict(terms.tables),
        "content": list(map(_block, sheet.blocks)),
    }


def _block(block: d.Block) -> Data:
    match block:
        case d.Heading(text, level):
            return {"heading": text, "level": level}
        case d.TextLine():
            return {"lines": [_line(block)]}
        case d.Bullets(lines):
            return {"lines": [_line(line) for line in lines]}
        case d.SheetTable(columns, rows, foot):
            return {"columns": [c.title for c in columns], "rows": rows, "foot": foot}
        case d.Spots(spots):
            return {"spots": [asdict(spot) for spot in spots]}


def _line(line: d.TextLine) -> Data:
    return {"text": line.text, "clause": line.clause or None}
