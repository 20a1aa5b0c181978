"""Resolved tables to the Rulebook value; every fault of form is noted, none stops the reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from houseway.money import Cents
from houseway.rules import options
from houseway.rules.extending import HOUSE, JURISDICTION
from houseway.rules.house_way import read_house_way
from houseway.rules.problems import Problem, meant
from houseway.rules.procedure import read_procedure
from houseway.rules.reading import Basis, Reader, Said, kind
from houseway.rules.rulebook import (
    Approval,
    BetLimit,
    Bounds,
    Cap,
    Clause,
    Limit,
    Pass,
    Posting,
    RankedClass,
    Ranking,
    Rulebook,
    Step,
    TableRule,
)
from houseway.rules.settings import read_setting
from houseway.rules.stages import read_stage
from houseway.rules.wagers import read_table, read_wager


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands beside the rules: clauses, worked rounds, notes, the canonical text."""

    clauses: Mapping[str, Clause]
    known: Mapping[str, Clause]
    rounds: tuple[Mapping[str, Any], ...]
    notes: str
    text: str


def rulebook(raw: dict[str, Any], parts: Parts) -> tuple[Rulebook, list[Problem]]:
    """The Rulebook value and the faults of form found on the way."""
    problems: list[Problem] = []
    head = Reader(raw, "", problems).table("rulebook")
    extends = head.text("extends") or None
    kind_of = head.choice("as", (HOUSE, JURISDICTION), HOUSE)
    own = head.text("id") if extends and kind_of == HOUSE else ""
    file = Reader(raw, "", problems, own)
    game = head.choice("game", options.GAMES, options.ULTIMATE)
    book = Rulebook(
        id=head.text("id", needed=True),
        game=game,
        title=head.text("title", needed=True),
        source=head.said("source", Reader.text) or Said(""),
        extends=extends,
        ranking=_ranking(file.table("ranking")),
        options=_options(file.table("options"), game),
        stages=tuple(read_stage(row) for row in file.rows("stage")),
        wagers={name: read_wager(name, below) for name, below in file.tables("wager")},
        entry=file.said("entry", _sets),
        tables={
            name: {n: read_table(name, n, t) for n, t in below.tables_here()}
            for name, below in file.tables("tables")
        },
        table_rules={name: _table_rule(below) for name, below in file.tables("table_rules")},
        limits={name: _limit(below) for name, below in file.tables("limits")},
        posted={name: _bounds(below) for name, below in file.tables("posted")},
        limit_basis=file.optional_basis("posted_limits"),
        minimum_basis=file.table("posted_limits").optional_basis("minimum"),
        bet_limit=_bet_limit(file.table("bet_limit")) if "bet_limit" in file else None,
        settlement=tuple(_pass(row) for row in file.rows("pass")),
        caps=tuple(_cap(row) for row in file.rows("cap")),
        approvals=tuple(_approval(row) for row in file.rows("approval")),
        postings=tuple(_posting(row) for row in file.rows("posting")),
        house={name: read_setting(name, below) for name, below in file.tables("house")},
        house_way=read_house_way(file.table("house_way")) if "house_way" in file else None,
        procedure=read_procedure(file),
        clauses=parts.clauses,
        known=parts.known,
        rounds=parts.rounds,
        notes=parts.notes,
        text=parts.text,
    )
    head.finish()
    file.finish_known(("rulebook", "house_way", "bet_limit", "posted_limits", "procedure"))
    return book, problems


def _ranking(reader: Reader) -> Ranking:
    return reader.make(
        Ranking,
        reader.typed("decks", int, 1, needed=True),
        tuple(_ranked(row) for row in reader.rows("classes")),
        reader.basis(),
        reader.said("card_order", Reader.text),
        reader.said("low_ace", Reader.flag),
        reader.said("suits_equal", Reader.flag),
        reader.said("kickers", Reader.text),
    )


def _ranked(row: Reader) -> RankedClass:
    return row.make(RankedClass, row.text("name", needed=True), row.text("within") or None, row.basis())


def _options(reader: Reader, game: str) -> dict[str, Said[Any]]:
    known = {o.name: o for o in options.options_of(game)}
    options_read = {}
    for name in reader.data:
        option = known.get(name)
        if option is None:
            reader.fault(name, "is no option of this game", meant(name, known))
            continue
        said = reader.said(name, lambda below, key, o=option: options.read_value(o, below, key))  # type: ignore[misc]
        if said is not None:
            options_read[name] = said
    for name in known:
        if name not in reader.data:
            reader.fault(name, "is missing", "every parameter has a value in every rulebook")
    return options_read


def _sets(reader: Reader, key: str) -> tuple[tuple[str, ...], ...]:
    value = reader.raw(key)
    if isinstance(value, list) and all(isinstance(v, list) for v in value):
        return tuple(tuple(v) for v in value)
    reader.fault(key, f"is {kind(value)}", 'write sets of wagers, [["ante", "blind"], ["trips"]]')
    return ()


def _table_rule(reader: Reader) -> TableRule:
    return reader.make(TableRule, reader.optional_basis("no_less"), reader.optional_basis("closed"))


def _limit(reader: Reader) -> Limit:
    return reader.make(Limit, reader.said("minima", _amounts), reader.said("maximum", Reader.money))


def _bounds(reader: Reader) -> Bounds:
    return reader.make(Bounds, reader.amount("min"), reader.amount("max"))


def _amounts(reader: Reader, key: str) -> tuple[Cents, ...]:
    return tuple(reader.dollars(key, v) or Cents(0) for v in reader.texts(key))


def _bet_limit(reader: Reader) -> BetLimit:
    return reader.make(
        BetLimit,
        reader.money("amount"),
        reader.optional_basis("posted"),
        reader.optional_basis("wagered"),
    )


def _pass(row: Reader) -> Pass:
    basis = row.basis()
    return row.make(
        Pass,
        row.text("name", needed=True),
        row.texts("hands"),
        tuple(_step(step, basis) for step in _mixed(row, "wagers")),
        row.said("direction", Reader.text),
        row.table("when").data,
        basis,
    )


def _mixed(row: Reader, key: str) -> list[str | Reader]:
    value = row.raw(key)
    if not isinstance(value, list):
        row.fault(key, f"is {kind(value)}", "a list of wagers belongs here")
        return []
    return [v if isinstance(v, str) else row.below(v, f"{key}[{n}]") for n, v in enumerate(value)]


def _step(step: str | Reader, basis: Basis) -> Step:
    if isinstance(step, str):
        return Step(step, basis)
    return step.make(Step, step.text("wager", needed=True), step.basis())


def _cap(row: Reader) -> Cap:
    return row.make(
        Cap,
        row.texts("wagers"),
        row.amount("limit"),
        row.text("setting") or None,
        row.flag("or_minimum_bettor"),
        row.basis(),
    )


def _approval(row: Reader) -> Approval:
    return row.make(Approval, row.texts("wagers"), row.money("above"), row.text("who"), row.basis())


def _posting(row: Reader) -> Posting:
    return row.make(
        Posting, row.choice("where", ("layout", "sign", "placard", "card")), row.text("shows"), row.basis()
    )
