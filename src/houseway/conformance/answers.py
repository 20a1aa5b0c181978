"""Read an answer: its lines by seat, hand and wager, and its amounts in cents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

_AMOUNT: Final = re.compile(r"([+-]?)(\d+)(?:\.(\d{1,2}))?")

Line = Mapping[str, Any]


class AnswerError(ValueError):
    """An answer does not have the format of the suite."""


def by_key(lines: list[Line]) -> dict[tuple[Any, ...], list[Line]]:
    """Return the lines by seat, hand, wager, `for`, source hand and coupon."""
    grouped: dict[tuple[Any, ...], list[Line]] = {}
    for line in lines:
        if not isinstance(line, Mapping):
            raise AnswerError("a line is not a JSON object")
        source = line.get("from")
        if source is not None and not isinstance(source, Mapping):
            raise AnswerError("`from` is not a JSON object")
        hand = (str(source.get("seat")), str(source.get("hand", 1))) if source is not None else None
        coupon = line.get("coupon")
        face = amount(coupon, "coupon") if coupon is not None else None
        for part in ("seat", "hand", "for"):
            if isinstance(line.get(part), dict | list):
                raise AnswerError(f"`{part}` is {short(line.get(part))}; write a number or a string")
        key = (line.get("seat"), line.get("hand", 1), str(line.get("wager")), line.get("for"), hand, face)
        grouped.setdefault(key, []).append(line)
    return grouped


def paired(due: list[Line], paid: list[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    """Yield pairs of expected and paid lines with the same key, those that agree first."""
    left = list(paid)
    unmatched = []
    for one in due:
        same = next((other for other in left if money(one) == money(other)), None)
        if same is None:
            unmatched.append(one)
        else:
            left.remove(same)
            yield one, same
    yield from zip_longest(unmatched, left)


def money(line: Line) -> tuple[int, str, int, int]:
    """Return the stake, the result, the net and the amount cut by a limit."""
    stake, net = (amount(line.get(key), key) for key in ("stake", "net"))
    return stake, str(line.get("result")), net, amount(line.get("cut", "0"), "cut")


def list_of(answer: Mapping[str, Any], key: str) -> list[Any]:
    """Return a list that the answer must have."""
    value = answer.get(key)
    if not isinstance(value, list):
        raise AnswerError(f"the answer has no list `{key}`")
    return value


def amount(value: Any, key: str) -> int:
    """Return an amount in cents: dollars as a string or a whole number, with at most two decimals."""
    text = str(value) if type(value) is int else value
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise AnswerError(f'`{key}` must be dollars such as "7.50", not {short(value)}')
    amount = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    return -amount if match[1] == "-" else amount


def short(value: Any) -> str:
    """Return a value as text, shortened for a report."""
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= 200 else f"{text[:197]}..."
