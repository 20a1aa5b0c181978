"""A rulebook as plain data: what the rules card prints, for programs; amounts as strings of dollars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.engine.terms import Terms
from houseway.money import Flat, Odds, Payment, Share, dollars
from houseway.report import document as d
from houseway.report.words import basis_of, printed, wording
from houseway.rules.options import options_of
from houseway.rules.reading import Basis, Said
from houseway.rules.rulebook import Bounds, Rulebook
from houseway.rules.settings import Setting
from houseway.rules.wagers import PayTable, Row, Wager

Data = dict[str, Any]


def card_data(terms: Terms) -> Data:
    """Everything on the rules card."""
    book = terms.rulebook
    return {
        "rulebook": book.id,
        "game": book.game,
        "title": book.title,
        "source": _said(book.source),
        "hash": book.hash,
        "tables_in_use": dict(terms.tables),
        "tables_chosen": dict(terms.named_tables),
        "ranking": _ranking(book),
        "options": {
            o.name: {"title": o.title, **_stated(book.options[o.name])}
            for o in options_of(book.game)
            if o.name in book.options
        },
        "entry": _said(book.entry),
        "stages": [
            {
                "name": s.name,
                "board": s.board,
                "play": _said(s.sizes),
                "check": None if s.check is None else rests(s.check),
                "fold": None if s.fold is None else rests(s.fold),
            }
            for s in book.stages
        ],
        "wagers": {name: _wager(book, wager) for name, wager in book.wagers.items()},
        "tables": {
            kind: {name: _table(book, table) for name, table in tables.items() if _shown(terms, kind, name)}
            for kind, tables in book.tables.items()
        },
        "table_rules": {
            kind: {"no_less": _maybe(rule.no_less), "closed": _maybe(rule.closed)}
            for kind, rule in book.table_rules.items()
        },
        "limits": _limits(terms),
        "caps": [
            {
                "wagers": cap.wagers,
                "limit": None if cap.limit is None else dollars(cap.limit),
                "setting": cap.setting,
                "or_minimum_bettor": cap.or_minimum_bettor,
                **rests(cap.basis),
            }
            for cap in book.caps
        ],
        "approvals": [
            {"wagers": a.wagers, "above": dollars(a.above), "who": a.who, **rests(a.basis)}
            for a in book.approvals
        ],
        "passes": [
            {
                "name": walk.name,
                "hands": walk.hands,
                "direction": _said(walk.direction),
                "when": walk.when,
                "wagers": [{"wager": step.wager, **rests(step.basis)} for step in walk.steps],
                **rests(walk.basis),
            }
            for walk in book.settlement
        ],
        "postings": [{"where": p.where, "shows": p.shows, **rests(p.basis)} for p in book.postings],
        "house": {name: _setting(terms, setting) for name, setting in book.house.items()},
        "house_way": _house_way(book),
    }


def rests(basis: Basis) -> Data:
    """What something rests on; a clause for each deal mode where they differ."""
    one = basis.deciding[0] if len(basis.deciding) == 1 else dict(basis.clauses) or None
    return {"clause": one, "also": basis.also, "filled": basis.filled, "house": basis.house}


def _maybe(basis: Basis | None) -> Data | None:
    return None if basis is None else rests(basis)


def _said(said: Said[Any] | None) -> Data | None:
    return None if said is None else _stated(said)


def _stated(said: Said[Any]) -> Data:
    return {"value": said.value, **rests(said.basis)}


def _amount(said: Said[Any] | None) -> Data | None:
    return None if said is None else {"value": dollars(said.value), **rests(said.basis)}


def _shown(terms: Terms, kind: str, name: str) -> bool:
    """Whether the card shows a table: all of a kind, or the one that was chosen."""
    of_envy = kind == "envy" and name in terms.rulebook.tables.get("progressive", ())
    return terms.named_tables.get("progressive" if of_envy else kind, name) == name


def _ranking(book: Rulebook) -> Data:
    ranking = book.ranking
    return {
        "decks": ranking.decks,
        "classes": [{"name": c.name, "within": c.within, **rests(c.basis)} for c in ranking.classes],
        "card_order": _said(ranking.card_order),
        "low_ace": _said(ranking.low_ace),
        "suits_equal": _said(ranking.suits_equal),
        "kickers": _said(ranking.kickers),
        **rests(ranking.basis),
    }


def _wager(book: Rulebook, wager: Wager) -> Data:
    return {
        "title": wager.title,
        "looks": wager.looks,
        "on_own_cards": wager.group.on_own_cards,
        "on_whole_table": wager.group.on_whole_table,
        "optional": wager.optional,
        "equals": _said(wager.equals),
        "beside": _said(wager.beside),
        "amount": _amount(wager.amount),
        "least": _amount(wager.least),
        "excludes": _said(wager.excludes),
        "kept": _said(wager.kept),
        "modes": _said(wager.modes),
        "rows": [_row(book, row, row.basis) for row in wager.pays],
        **rests(wager.basis),
    }


def _table(book: Rulebook, table: PayTable) -> Data:
    return {
        "rows": [_row(book, row, basis_of(row, table)) for row in table.rows],
        "cards": _said(table.cards),
        "wager": _amount(table.wager),
        "base": _amount(table.base),
        "meters": table.meters,
        "seeds": {meter: _amount(seed) for meter, seed in table.seeds.items()},
        **rests(table.basis),
    }


def _row(book: Rulebook, row: Row, basis: Basis) -> Data:
    paid = {"table": row.table} if row.table else _pays(row.pays or "lose", wording(book))
    return {"when": row.when, **paid, **rests(basis)}


def _pays(pays: Payment, words: str | None) -> Data:
    """A payment as printed, and in numbers."""
    match pays:
        case Odds(units, per, keeps):
            odds = {"units": units, "per": per, "stake_returned": not keeps}
            return {"result": "win", "pays": printed(pays, words), "odds": odds}
        case Share(percent, meter):
            share = {"percent": percent, "meter": meter}
            return {"result": "win", "pays": printed(pays, words), "share": share}
        case Flat(amount):
            return {"result": "win", "pays": printed(pays, words), "amount": dollars(amount)}
        case word:
            return {"result": word, "pays": word}


def _limits(terms: Terms) -> Data:
    book = terms.rulebook
    fixed = {}
    for name, limit in book.limits.items():
        low = limit.minima
        fixed[name] = {
            "minima": {"value": [dollars(m) for m in low.value], **rests(low.basis)} if low else None,
            "maximum": _amount(limit.maximum),
        }
    bet = book.bet_limit
    return {
        "fixed": fixed,
        "posted": {name: _bounds(bounds) for name, bounds in terms.limits.items()},
        "posted_by": _maybe(book.limit_basis),
        "bet_limit": bet
        and {"amount": dollars(bet.amount), "posted": _maybe(bet.posted), "wagered": _maybe(bet.wagered)},
    }


def _bounds(bounds: Bounds) -> Data:
    ends = {"min": bounds.low, "max": bounds.high}
    return {key: None if end is None else dollars(end) for key, end in ends.items()}


def _setting(terms: Terms, setting: Setting) -> Data:
    return {
        "kind": setting.kind,
        "about": setting.about,
        "required": setting.required,
        "choices": setting.choices,
        "low": setting.low,
        "high": setting.high,
        "default": _value(setting, setting.default),
        "example": _value(setting, setting.example),
        "set": _value(setting, terms.given.get(setting.name)),
        **rests(setting.basis),
    }


def _value(setting: Setting, value: Any) -> Any:
    if value is None:
        return None
    if setting.kind == "money":
        return dollars(value)
    if setting.kind == "amounts" and isinstance(value, Mapping):
        return {name: dollars(amount) for name, amount in value.items()}
    return value


def _house_way(book: Rulebook) -> Data | None:
    way = book.house_way
    if way is None:
        return None
    lines = [line.text for line in way.lines]
    return {"name": way.name, "version": way.version, "lines": lines, **rests(way.basis)}


def sheet_data(sheet: d.Document, terms: Terms, name: str) -> Data:
    """A posted sheet as data: its lines and tables in order."""
    content = [data for block in sheet.blocks if (data := _block(block))]
    book = terms.rulebook
    return {
        "rulebook": book.id,
        "hash": book.hash,
        "sheet": name,
        "title": sheet.title,
        "tables_in_use": dict(terms.tables),
        "content": content,
    }


def _block(block: d.Block) -> Data | None:
    match block:
        case d.Heading(text, level):
            return {"heading": text, "level": level}
        case d.Paragraph(line):
            return {"lines": [_line(line)]}
        case d.Bullets(lines):
            return {"lines": [_line(line) for line in lines]}
        case d.Table(columns, rows, foot):
            return {"columns": [c.title for c in columns], "rows": rows, "foot": foot}
        case d.Spots(spots):
            return {"spots": [{"label": s.label, "shape": s.shape, "joined": s.joined} for s in spots]}
        case _:
            return None


def _line(line: d.Line) -> Data:
    return {"text": line.text, "clause": line.clause or None}
