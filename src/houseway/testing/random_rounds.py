"""Random rounds for any rulebook, in which rare hands are frequent.

A round is in the format of `houseway settle`. The wagers depend on the rulebook's rules for betting but not
on its payments, so the rounds can test any settlement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from houseway.cards import Card, codes
from houseway.money import cents, dollars
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook
from houseway.training.drills.chosen_deals import chosen_deal, five_of

__all__ = ["five_of", "random_round"]

STAKES = ("1", "2", "3", "5", "7.50", "10", "12.34", "15", "25")


def random_round(rng: Random, book: Rulebook) -> dict[str, Any]:
    """Return one random round that the rulebook allows."""
    round_ = _shootout(rng, book) if book.game == SHOOTOUT else _ultimate(rng, book)
    if "rounding" in book.house and rng.random() < 0.3:
        round_.setdefault("house", {})["rounding"] = rng.choice(book.house["rounding"].choices)
    return {"rulebook": book.id, **round_}


def _stake(rng: Random, book: Rulebook, wager: str) -> str:
    fixed = book.limits.get(wager)
    if fixed and fixed.minima:
        return rng.choice([s for s in STAKES if min(fixed.minima.value) <= cents(s)])
    return rng.choice(STAKES)


def _ultimate(rng: Random, book: Rulebook) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 7), rng.choice((1, 1, 2, 2, 3, 4, 5, 6))))
    board, held = chosen_deal(rng, book, len(seats) + 1, 2)
    dealer = held.pop()
    tables = {
        kind: rng.choice(list(book.tables[kind]))
        for kind in ("trips", "progressive")
        if kind in book.tables and len(book.tables[kind]) > 1
    }
    round_: dict[str, Any] = {"board": codes(board), "dealer": codes(dealer)}
    if tables and rng.random() < 0.9:
        round_["tables"] = tables
    if rng.random() < 0.5:
        round_["mode"] = rng.choice(book.modes)
    table = book.tables.get("progressive", {}).get(tables.get("progressive", ""))
    round_["seats"] = [
        _seat(rng, book, seat, codes(hole), round_, table) for seat, hole in zip(seats, held, strict=True)
    ]
    if table is not None and "tables" in round_:
        if rng.random() < 0.7:
            round_["meters"] = {m: dollars(rng.randrange(20_000, 9_000_000)) for m in table.meters}
        if rng.random() < 0.3:
            round_["house"] = {"awards": "shared"}
        if rng.random() < 0.2:
            round_.setdefault("house", {})["reserve"] = {table.meters[-1]: "750.25"}
    if "ante_return" in book.house and rng.random() < 0.3:
        round_["house"] = {"ante_return": "in_sequence"}
    if "max_payout" in book.house and rng.random() < 0.2:
        round_.setdefault("house", {})["max_payout"] = rng.choice(("50", "200", "1000"))
    if any("match_play" in s for s in round_["seats"]):
        round_.setdefault("house", {})["match_play"] = True
    return round_


def _seat(
    rng: Random, book: Rulebook, seat: int, hole: str, round_: Mapping[str, Any], table: Any
) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat, "hole": hole}
    no_ante = book.entry is not None and ("trips",) in book.entry.value and rng.random() < 0.1
    big = book.caps and book.bet_limit is None and not book.limits and rng.random() < 0.15
    if not no_ante:
        data["ante"] = rng.choice(("120", "150", "200")) if big else _stake(rng, book, "ante")
        if rng.random() < 0.5:
            data["blind"] = data["ante"]
        data["play"] = rng.choice((0, 0, 1, 2, 3, 4))
    if no_ante or rng.random() < 0.7:
        data["trips"] = _stake(rng, book, "trips")
    if "progressive" in book.wagers and "tables" in round_ and rng.random() < 0.8:
        wager = book.wagers["progressive"].amount or (table.wager if table else None)
        data["progressive"] = str(wager.value // 100) if wager else "1"
    if "cover_all" in book.wagers and not no_ante and round_.get("mode") != "manual" and rng.random() < 0.4:
        data["cover_all"] = "150" if big else rng.choice(STAKES)
    if book.option("tips") and rng.random() < 0.25:
        data["tips"] = _tips(rng, data)
    if "match_play" in book.house and not no_ante and rng.random() < 0.1:
        data["match_play"] = "1"
    return data


def _tips(rng: Random, data: Mapping[str, Any]) -> dict[str, str]:
    tips = {}
    if "ante" in data:
        if rng.random() < 0.7:
            tips["ante"] = "2"
            if data["play"] and rng.random() < 0.5:
                tips["play"] = str(2 * data["play"])
        if rng.random() < 0.4:
            tips["blind"] = "1.01"
    if rng.random() < 0.5 or not tips:
        tips["trips"] = "1"
    return tips


def _shootout(rng: Random, book: Rulebook) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 8), rng.choice((1, 1, 2, 2, 3, 7))))
    board, held = chosen_deal(rng, book, len(seats) + 1, 4)
    dealer = held.pop()
    round_: dict[str, Any] = {"board": codes(board), "dealer": codes(dealer)}
    if rng.random() < 0.8:
        round_["tables"] = {"bonus": rng.choice(list(book.tables["bonus"]))}
    if rng.random() < 0.15:
        round_["dealer_keeps"] = codes(rng.sample(dealer, 2))
    round_["seats"] = [_set(rng, seat, four) for seat, four in zip(seats, held, strict=True)]
    return round_


def _set(rng: Random, seat: int, four: Sequence[Card]) -> dict[str, Any]:
    """Return a Texas Shootout seat that keeps two of its four cards, or splits them if that is allowed."""
    groups = sorted(Counter(c.rank for c in four).values())
    split = groups in ([2, 2], [4]) and rng.random() < 0.7
    one = rng.choice(list(combinations(range(4), 2)))
    first = [four[n] for n in one]
    rest = [four[n] for n in range(4) if n not in one]
    data: dict[str, Any] = {"seat": seat, "cards": codes(four), "wager": rng.choice(STAKES)}
    data["hands"] = [codes(first), codes(rest)] if split else [codes(first)]
    if rng.random() < 0.7:
        bonus = rng.choice(STAKES)
        data["bonus"] = [bonus, bonus] if split and rng.random() < 0.6 else [bonus]
    return data
