"""Reading an answer: its lines by what they are about, its amounts in cents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

_AMOUNT: Final = re.compile(r"([+-]?)(\d+)(?:\.(\d{1,2}))?")

Line = Mapping[str, Any]


class OddAnswerError(ValueError):
    """An answer that is not of the form asked for."""


def by_key(lines: list[Line]) -> dict[tuple[Any, ...], list[Line]]:
    """Lines by what they are about: seat, hand, wager, for whom, from which hand, which coupon."""
    found: dict[tuple[Any, ...], list[Line]] = {}
    for line in lines:
        if not isinstance(line, Mapping):
            raise OddAnswerError("a line is no JSON object")
        source = line.get("from")
        if source is not None and not isinstance(source, Mapping):
            raise OddAnswerError("`from` is no JSON object")
        hand = (str(source.get("seat")), str(source.get("hand", 1))) if source is not None else None
        coupon = line.get("coupon")
        face = amount(coupon, "coupon") if coupon is not None else None
        for part in ("seat", "hand", "for"):
            if isinstance(line.get(part), dict | list):
                raise OddAnswerError(f"`{part}` is {short(line.get(part))}")
        key = (line.get("seat"), line.get("hand", 1), str(line.get("wager")), line.get("for"), hand, face)
        found.setdefault(key, []).append(line)
    return found


def beside(due: list[Line], paid: list[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    """Lines of the same thing side by side, those that agree first."""
    left = list(paid)
    alone = []
    for one in due:
        same = next((other for other in left if money(one) == money(other)), None)
        if same is None:
            alone.append(one)
        else:
            left.remove(same)
            yield one, same
    yield from zip_longest(alone, left)


def money(line: Line) -> tuple[int, str, int, int]:
    """Stake, result, net and what a limit cut."""
    stake, net = (amount(line.get(key), key) for key in ("stake", "net"))
    return stake, str(line.get("result")), net, amount(line.get("cut", "0"), "cut")


def list_of(answer: Mapping[str, Any], key: str) -> list[Any]:
    """A list the answer must have."""
    value = answer.get(key)
    if not isinstance(value, list):
        raise OddAnswerError(f"the answer has no list `{key}`")
    return value


def amount(value: Any, key: str) -> int:
    """An amount in cents: dollars as text or a whole number, at most two decimals."""
    text = str(value) if type(value) is int else value
    match = _AMOUNT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise OddAnswerError(f'`{key}` is {short(value)}, no amount of dollars such as "7.50"')
    amount = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    return -amount if match[1] == "-" else amount


def short(value: Any) -> str:
    """A value as text, not too long for a report."""
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= 200 else f"{text[:197]}..."
