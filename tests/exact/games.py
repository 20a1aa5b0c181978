"""Games for the tests: unchanged rulebooks, and rulebooks with changed pay tables, play sizes and qualifier."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from houseway.engine.terms import Terms, read_terms
from houseway.exact import Outcomes, Solution, outcomes, solve
from houseway.money import payment
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Cited
from houseway.rules.wagers import Row

ODDS = (
    "push",
    "lose",
    "1 to 1",
    "3 to 2",
    "2 to 1",
    "6 to 5",
    "7 to 3",
    "9 to 4",
    "8 to 7",
    "25 to 1",
    "3 for 1",
)


@cache
def terms(ref: str = "uth-ma") -> Terms:
    """Return the terms of a rulebook with default settings."""
    return read_terms(load(ref), {})[0]


@cache
def solution(ref: str = "uth-ma") -> Solution:
    """Return the solution of a rulebook's main game."""
    return solve(terms(ref))


@cache
def table(ref: str = "uth-ma") -> Outcomes:
    """Return the outcomes of a rulebook's solved game."""
    return outcomes(solution(ref))


def terms_of(book: Rulebook) -> Terms:
    """Return the terms of a rulebook that a test built."""
    return read_terms(book, {})[0]


def with_blind(book: Rulebook, pays: dict[str, str]) -> Rulebook:
    """Return a rulebook with other odds on the blind. The keys of `pays` are hand classes."""
    blind = book.tables["blind"]["blind"]
    rows = tuple(
        replace(r, pays=payment(pays[str(r.when["hand"])])) if r.when["hand"] in pays else r
        for r in blind.rows
    )
    return replace(book, tables={**book.tables, "blind": {"blind": replace(blind, rows=rows)}})


def with_row(book: Rulebook, wager: str, when: dict[str, Any], pays: str) -> Rulebook:
    """Return a rulebook in which one row of a wager has another payment."""
    old = book.wagers[wager]

    def changed(row: Row) -> Row:
        return replace(row, pays=payment(pays), table=None) if dict(row.when) == when else row

    new = replace(old, pays=tuple(map(changed, old.pays)))
    assert new.pays != old.pays or pays in map(str, (r.pays for r in old.pays))
    return replace(book, wagers={**book.wagers, wager: new})


def with_qualifier(book: Rulebook, name: str | None) -> Rulebook:
    """Return a rulebook in which the dealer qualifies with another class, or always if `name` is None."""
    options = {n: option for n, option in book.options.items() if n != "qualifier"}
    if name is not None:
        options["qualifier"] = replace(book.options["qualifier"], value=name)
    return replace(book, options=options)


def with_sizes(book: Rulebook, *sizes: tuple[int, ...]) -> Rulebook:
    """Return a rulebook with other play sizes at the three betting points."""
    stages = []
    for stage, offered in zip(book.stages, sizes, strict=True):
        assert isinstance(stage.sizes, Cited)
        stages.append(replace(stage, sizes=replace(stage.sizes, value=offered) if offered else None))
    return replace(book, stages=tuple(stages))


def changed(seed: str, qualifier: str | None) -> Rulebook:
    """Return a rulebook with random payments in the main game and random play sizes."""
    rng = Random(seed)
    book = with_qualifier(load("uth-ma"), qualifier)
    blind = book.tables["blind"]["blind"]
    book = with_blind(book, {str(r.when["hand"]): rng.choice(ODDS) for r in blind.rows})
    contests: list[dict[str, Any]] = [{"contest": c} for c in ("lose", "tie", "win")]
    for wager in ("ante", "play"):
        rows = [*contests, {"dealer_qualifies": False}] if wager == "ante" else contests
        for row in rows:
            if rng.random() < 0.4:
                book = with_row(book, wager, row, rng.choice(ODDS))
    if rng.random() < 0.3:
        book = with_row(book, "blind", {"contest": "tie"}, rng.choice(ODDS))
    starts = rng.choice([(3, 4), (4,), (3,), (2, 5), ()])
    flops = rng.choice([(2,), (1, 2), (3,), ()])
    return with_sizes(book, starts, flops, rng.choice([(1,), (1, 2)]))
