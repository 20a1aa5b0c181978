"""Compare the payments of a closed round with the payments that the second settler computes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Final

import msgspec

from houseway.audit.engine_resettlement import on_record, settle_again
from houseway.audit.second_settler_adapter import knows, settle_independently
from houseway.engine.state import State
from houseway.rules.rulebook import Rulebook

COMPARED: Final = ("seat", "hand", "wager", "stake", "result", "net", "for", "from", "cut", "coupon")
"""The fields of a settled wager that are compared."""


def wrong_payments(
    book: Rulebook, data: dict[str, Any], mispaid: Mapping[int, int], end: State
) -> list[str]:
    """Return a sentence for each wrong payment of a closed round.

    `data` is the round in the format of `settle`. `mispaid` has the cents that each seat was paid by
    mistake according to the record, minus corrections. If the second settler does not know the rulebook,
    houseway itself settles the round again.
    """
    if knows(book):
        answer = settle_independently(book.id, data)
        if "refused" in answer:
            return [f"the second settler refuses the round: {answer['refused'][0]['message']}"]
        lines, nets = answer["lines"], {seat["seat"]: seat["net"] for seat in answer["seats"]}
        return _differences(lines, nets, mispaid, end)
    return _from_engine(book, data, mispaid, end)


def _from_engine(book: Rulebook, data: dict[str, Any], mispaid: Mapping[int, int], end: State) -> list[str]:
    again = settle_again(book, data, end.unoffered)
    if isinstance(again, str):
        return [again]
    lines = [msgspec.to_builtins(line) for line in again.lines]
    return _differences(lines, {seat.seat: seat.net for seat in again.seats}, mispaid, end)


def _differences(
    due: list[dict[str, Any]], nets: Mapping[int, str], mispaid: Mapping[int, int], end: State
) -> list[str]:
    """Return a sentence for each settled wager that differs from the wager due.

    If there is none, return a sentence for each seat whose net result differs.
    """
    paid, recorded_nets = on_record(end, mispaid)
    wrong = [
        _sentence(recorded, expected)
        for recorded, expected in zip_longest(map(msgspec.to_builtins, paid), due)
        if _compared(recorded) != _compared(expected)
    ]
    if wrong:
        return wrong
    return [
        f"seat {number} nets {recorded_nets[number]} in the record; {net} is due"
        for number, net in nets.items()
        if recorded_nets[number] != net
    ]


def _compared(line: Mapping[str, Any] | None) -> tuple[Any, ...] | None:
    return None if line is None else tuple(line.get(part) for part in COMPARED)


def _sentence(paid: Mapping[str, Any] | None, due: Mapping[str, Any] | None) -> str:
    if paid is None and due is not None:
        return f"{_wager(due)} was not settled; {_result(due)} is due"
    if due is None and paid is not None:
        return f"{_wager(paid)} was settled ({_result(paid)}), but there is no such wager to settle"
    assert paid is not None
    assert due is not None
    if _wager(paid) != _wager(due):
        return f"{_wager(paid)} was settled, but {_wager(due)} was next in order"
    return f"{_wager(paid)}: {_result(paid)} in the record; {_result(due)} is due ({due['clause']})"


def _wager(line: Mapping[str, Any]) -> str:
    return f"seat {line['seat']}'s {line['wager'].replace('_', ' ')}"


def _result(line: Mapping[str, Any]) -> str:
    return f"{line['result']} {line['net']} on {line['stake']}"
