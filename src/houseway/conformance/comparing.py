"""An answer beside its expectation: what is paid wrongly, and by how much.

Money is compared strictly. Order, odds as printed, clauses, approvals, limits and the house way are
compared only when asked: an implementation may pay right without citing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.conformance.corpus import Case
from houseway.conformance.reading import (
    Key,
    Line,
    OddAnswerError,
    amount,
    beside,
    by_key,
    list_of,
    money,
    short,
)
from houseway.money import dollars


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing an answer has otherwise than expected."""

    case: str
    rulebook: str
    wager: str
    """The wager it is about, or what else: "round", "seats", "meters", "tips", "answer", "order"."""
    clause: str | None
    expected: str
    came: str
    says: str
    """What is wrong, in words: "pays 10.00 too little"."""


def compare(case: Case, answer: Any, *, strict: bool = False) -> list[Difference]:
    """What an answer has otherwise than expected; nothing where it agrees."""
    if not isinstance(answer, Mapping):
        return [_answer(case, "a JSON object", short(answer), "the answer is no JSON object")]
    try:
        return list(
            _refusal(case, answer, strict) if _one_refuses(case, answer) else _settled(case, answer, strict)
        )
    except OddAnswerError as odd:
        return [_answer(case, "an answer in the form of the suite", short(answer), str(odd))]


def _one_refuses(case: Case, answer: Mapping[str, Any]) -> bool:
    return case.refused or _refuses(answer)


def _refuses(answer: Mapping[str, Any]) -> bool:
    """Whether an answer refuses the round; an empty list beside lines does not."""
    return answer.get("refused") is not None and (bool(answer["refused"]) or "lines" not in answer)


def _refusal(case: Case, answer: Mapping[str, Any], strict: bool) -> Iterator[Difference]:
    asked = [r["clause"] for r in case.expect.get("refused", ()) if r.get("clause")]
    if not case.refused:
        came = short(answer["refused"])
        yield Difference(
            case.id,
            case.rulebook,
            "round",
            None,
            "settled",
            f"refused: {came}",
            "refused, but it must be settled",
        )
    elif not _refuses(answer):
        clause = asked[0] if asked else None
        yield Difference(
            case.id,
            case.rulebook,
            "round",
            clause,
            "refused",
            "settled",
            f"settled, but it must be refused ({case.about})",
        )
    elif strict:
        listed = answer["refused"]
        if not isinstance(listed, list):
            raise OddAnswerError("`refused` is no list")
        cited = [r.get("clause") for r in listed if isinstance(r, Mapping)]
        for clause in asked:
            if clause not in cited:
                said = ", ".join(str(c) for c in cited) or "nothing"
                yield Difference(
                    case.id, case.rulebook, "round", clause, clause, said, "refused by another clause"
                )


def _settled(case: Case, answer: Mapping[str, Any], strict: bool) -> Iterator[Difference]:
    due, paid = by_key(case.expect["lines"]), by_key(list_of(answer, "lines"))
    touched: set[Any] = set()
    for key in [*due, *(k for k in paid if k not in due)]:
        for one, other in beside(due.get(key, []), paid.get(key, [])):
            found = _line(case, key, one, other, strict)
            if found is not None:
                touched.add(key[0])
                yield found
    yield from _seats(case, answer, touched)
    yield from _meters(case, answer)
    tips, came = (
        amount(case.expect["dealer_tips"], "dealer_tips"),
        amount(answer.get("dealer_tips", "0"), "dealer_tips"),
    )
    if tips != came:
        yield _sum(case, "tips", tips, came, f"the dealer has {_off(came - tips)}")
    if strict:
        yield from _strictly(case, answer)


def _line(case: Case, key: Key, due: Line | None, paid: Line | None, strict: bool) -> Difference | None:
    seat, hand, wager, for_whom, source, coupon = key
    who = f"seat {seat}" + (f" hand {hand}" if hand != 1 else "")
    if for_whom is not None:
        who += f", for the {for_whom}"
    if source is not None:
        who += f", from seat {source[0]} hand {source[1]}"
    if coupon is not None:
        who += ", coupon"
    shown = (f"{who}: {_said(due)}", f"{who}: {_said(paid)}")
    clause = due.get("clause") if due is not None else None
    says = None
    if due is None:
        says = f"a line too many: {_said(paid)}"
    elif paid is None:
        net = amount(due["net"], "net")
        says = (
            f"no line; {dollars(abs(net))} {'is due' if net > 0 else 'is to be taken' if net else 'pushes'}"
        )
    elif money(due) != money(paid):
        says = _wrong(due, paid)
    elif strict:
        says = next(
            (f"another {k}: {paid.get(k)}" for k in ("clause", "odds") if due.get(k) != paid.get(k)), None
        )
    return None if says is None else Difference(case.id, case.rulebook, wager, clause, *shown, says)


def _wrong(due: Line, paid: Line) -> str:
    (stake, result, net, cut), (stake2, result2, net2, cut2) = money(due), money(paid)
    if net != net2:
        turned = f"{result2} instead of {result}, " if result != result2 else ""
        return f"{turned}pays {_off(net2 - net)}"
    if stake != stake2:
        return f"stands for {dollars(stake2)} instead of {dollars(stake)}"
    if result != result2:
        return f"{result2} instead of {result}"
    return f"cut by {dollars(cut2)} instead of {dollars(cut)}"


def _seats(case: Case, answer: Mapping[str, Any], touched: set[Any]) -> Iterator[Difference]:
    """Totals by seat; where a line of the seat is wrong, its total follows and is not told again."""
    paid = {str(s.get("seat")): s for s in list_of(answer, "seats") if isinstance(s, Mapping)}
    for due in case.expect["seats"]:
        came = paid.pop(str(due["seat"]), None)
        if due["seat"] in touched:
            continue
        for key in ("staked", "returned", "net"):
            wanted = amount(due[key], key)
            found = amount(came.get(key), key) if came is not None else None
            if wanted != found:
                shown = dollars(found) if found is not None else "nothing"
                says = f"{key} is {_off(found - wanted)}" if found is not None else "no total for the seat"
                yield Difference(
                    case.id,
                    case.rulebook,
                    "seats",
                    None,
                    f"seat {due['seat']} {key} {dollars(wanted)}",
                    f"seat {due['seat']} {key} {shown}",
                    says,
                )
                break
    for seat in paid:
        if seat not in {str(t) for t in touched}:
            yield Difference(
                case.id, case.rulebook, "seats", None, "no such seat", f"seat {seat}", "a seat too many"
            )


def _meters(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    given = answer.get("meters", {})
    if not isinstance(given, Mapping):
        raise OddAnswerError("`meters` is no JSON object")
    for name, text in case.expect["meters"].items():
        due = amount(text, name)
        if name not in given:
            says = f"the meter {name} is not told"
            yield Difference(case.id, case.rulebook, "meters", None, f"{name} {text}", "nothing", says)
        elif (came := amount(given[name], name)) != due:
            yield _sum(case, "meters", due, came, f"the meter {name} shows {_off(came - due)}")
    for name in given:
        if name not in case.expect["meters"]:
            shown = f"{name} {given[name]}"
            yield Difference(
                case.id, case.rulebook, "meters", None, "no such meter", shown, f"a meter {name} too many"
            )


def _strictly(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    told = ("seat", "hand", "wager", "for", "from")
    order = [
        [{key: x[key] for key in told if key in x} for x in lines]
        for lines in (case.expect["lines"], answer["lines"])
    ]
    if order[0] != order[1]:
        yield Difference(
            case.id,
            case.rulebook,
            "order",
            None,
            short(order[0]),
            short(order[1]),
            "settled in another order",
        )
    for key in ("approvals", "caps", "house_way"):
        due, came = case.expect.get(key) or None, answer.get(key) or None
        if due != came:
            yield Difference(
                case.id,
                case.rulebook,
                key,
                None,
                short(due),
                short(came),
                f"other {key.replace('_', ' ')}",
            )


def _answer(case: Case, expected: str, came: str, says: str) -> Difference:
    return Difference(case.id, case.rulebook, "answer", None, expected, came, says)


def _sum(case: Case, what: str, due: int, came: int, says: str) -> Difference:
    return Difference(case.id, case.rulebook, what, None, dollars(due), dollars(came), says)


def _off(cents: int) -> str:
    return f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"


def _said(line: Line | None) -> str:
    if line is None:
        return "no line"
    return f"{line.get('result')} {line.get('net')} on {line.get('stake')}" + (
        f", cut {line['cut']}" if line.get("cut") else ""
    )
