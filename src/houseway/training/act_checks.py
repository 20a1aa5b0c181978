"""Check an act that comes from a client: every seat, wager, card and chip that it names must exist at the
table.

An act that passes may still be wrong. The judge decides that, not this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from houseway.engine.table import Table
from houseway.rules.problems import shortened, suggest
from houseway.training import acts as a
from houseway.training.act_list import step_names
from houseway.training.chips import CENT, total, tray_values
from houseway.training.special_acts import CHIPS

MOST_CARDS: Final = 100
"""The most cards of one deal."""
MOST_COUNT: Final = 1000
MOST_MONEY: Final = 10_000_000_00
"""The largest payment, in cents."""
MOST_HANDS: Final = 2
PLACES: Final = ("dealer", "board")
REPORT_PLACES: Final = ("", "deck", *PLACES)
LONGEST: Final = 80
RESULTS: Final = ("", "win", "lose", "tie")
_RACKED: Final = re.compile("(board|dealer|seat ([0-9]{1,2})(?: hand ([12]))?)( discards)?")


def act_problem(table: Table, act: a.ChairAct) -> str:
    """Return what is wrong with the things that an act names; empty if nothing is."""
    return next(_problems(table, act), "")


def _problems(table: Table, act: a.ChairAct) -> Iterator[str]:
    if isinstance(act, a.SeatAct):
        yield from _seat(table, act.seat)
    if isinstance(act, a.PlaceAct):
        yield from _place(table, act.place, PLACES)
    yield from _hand(getattr(act, "hand", 1))
    match act:
        case a.DealCards() | a.Burn():
            yield from _number("count", act.count, 1, MOST_CARDS)
        case a.TurnUp():
            yield from _number("count", act.count, 0, MOST_CARDS)
        case a.ReadHand():
            yield from _one_of("hand", act.reads, table.terms.order)
            yield from _one_of("result", act.result, RESULTS)
        case a.WagerAct():
            yield from _one_of("wager", act.wager, table.book.wagers)
            yield from _number("of", act.of[0], 0, table.seats)
            yield from _number("of", act.of[1], 0, MOST_HANDS)
            if isinstance(act, a.Pay):
                yield from _chips(table, act.chips)
        case a.ColourUp():
            yield from _chips(table, act.taken)
            yield from _chips(table, act.given)
        case a.SetHand():
            if len(act.cards) != 2:
                yield f"the dealer keeps two cards (got {len(act.cards)})"
        case a.Key():
            yield from _one_of("hand", act.hand, table.terms.order)
        case a.CountStub():
            yield from _number("count", act.count, 0, MOST_COUNT)
        case a.Rack():
            yield from _rack(table, act.what)
        case a.ReportIrregularity():
            yield from _report(table, act)
        case a.CorrectPayment():
            yield from _one_of("wager", act.wager, (*table.book.wagers, CHIPS))
            yield from _number("amount", act.amount or 0, 0, MOST_MONEY)
        case a.LetStand():
            yield from _one_of("wager", act.wager, table.book.wagers)
        case a.Refuse():
            yield from _one_of("refusal", act.what, a.REFUSED)
        case a.TakeStep():
            yield from _one_of("act", act.what, step_names(table))
            yield from _number("count", act.count or 0, 0, MOST_COUNT)


def _number(name: str, value: int, least: int, most: int) -> Iterator[str]:
    if not least <= value <= most:
        yield f"{name} must be {least} to {most} (got {shortened(str(value), 20)})"


def _one_of(name: str, value: str, known: object) -> Iterator[str]:
    names = list(known)  # type: ignore[call-overload]
    if value not in names:
        yield f"there is no {name} {shortened(value, 40)!r}; {suggest(value, names)}"


def _seat(table: Table, number: int) -> Iterator[str]:
    if not 1 <= number <= table.seats:
        yield f"there is no seat {shortened(str(number), 20)}; the table has seats 1 to {table.seats}"


def _hand(hand: object) -> Iterator[str]:
    if isinstance(hand, int) and not 1 <= hand <= MOST_HANDS:
        yield f"a seat has at most two hands (got hand {shortened(str(hand), 20)})"


def _place(table: Table, place: str, others: tuple[str, ...]) -> Iterator[str]:
    if place not in others and place not in {f"seat {n}" for n in range(1, table.seats + 1)}:
        yield f"there is no place {shortened(place, 40)!r}; use 'seat 3', 'dealer' or 'board'"


def _chips(table: Table, stack: Mapping[int, int]) -> Iterator[str]:
    values = (*tray_values(table), CENT)
    unknown = [value for value in stack if value not in values]
    if unknown:
        yield f"the tray has no chips of {shortened(str(unknown[0]), 20)} cents"
    if not all(0 < count <= MOST_MONEY for count in stack.values()):
        yield "each chip value needs a count of at least 1"
    elif not 0 < total(stack) <= MOST_MONEY:
        yield "the chips must have a sum of $0.01 to $10,000,000"


def _rack(table: Table, what: str) -> Iterator[str]:
    match = _RACKED.fullmatch(what)
    if match is None:
        yield f"there are no cards {shortened(what, 40)!r}; use 'seat 3', 'board' or 'dealer discards'"
    elif match[2]:
        yield from _seat(table, int(match[2]))


def _report(table: Table, act: a.ReportIrregularity) -> Iterator[str]:
    kinds = sorted({row.kind for row in table.book.procedure.irregularities})
    yield from _one_of("irregularity", act.kind, kinds)
    yield from _place(table, act.at, REPORT_PLACES)
    yield from _number("which", act.which, 0, MOST_COUNT)
    yield from _number("count", act.count or 0, 0, MOST_COUNT)
    if len(act.device) > LONGEST or not act.device.isprintable():
        yield f"the device needs a printable name of at most {LONGEST} characters"
