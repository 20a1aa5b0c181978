"""An answer beside its expectation: what is paid wrongly, and by how much.

Money is compared strictly. Order, odds as printed, clauses, approvals, limits and the house way are
compared only when asked: an implementation may pay right without citing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.conformance.answers import Line, OddAnswerError, amount, beside, by_key, list_of, money, short
from houseway.conformance.corpus import Case
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


def difference(
    case: Case, wager: str, expected: str, came: str, says: str, clause: str | None = None
) -> Difference:
    """A difference found in the answer to a case."""
    return Difference(case.id, case.rulebook, wager, clause, expected, came, says)


def compare(case: Case, answer: Any, *, strict: bool = False) -> list[Difference]:
    """What an answer has otherwise than expected; nothing where it agrees."""
    if not isinstance(answer, Mapping):
        sentence = "the answer is no JSON object"
        return [difference(case, "answer", "a JSON object", short(answer), sentence)]
    try:
        one_refuses = case.refused or _refuses(answer)
        return list((_refusal if one_refuses else _settled)(case, answer, strict))
    except OddAnswerError as odd:
        form = "an answer in the form of the suite"
        return [difference(case, "answer", form, short(answer), str(odd))]


def _refuses(answer: Mapping[str, Any]) -> bool:
    """Whether an answer refuses the round; an empty list beside lines does not."""
    return answer.get("refused") is not None and (bool(answer["refused"]) or "lines" not in answer)


def _refusal(case: Case, answer: Mapping[str, Any], strict: bool) -> Iterator[Difference]:
    asked = [r["clause"] for r in case.expect.get("refused", ()) if r.get("clause")]
    if not case.refused:
        came = f"refused: {short(answer['refused'])}"
        yield difference(case, "round", "settled", came, "refused, but it must be settled")
    elif not _refuses(answer):
        says = f"settled, but it must be refused ({case.about})"
        yield difference(case, "round", "refused", "settled", says, asked[0] if asked else None)
    elif strict:
        if not isinstance(answer["refused"], list):
            raise OddAnswerError("`refused` is no list")
        cited = [r.get("clause") for r in answer["refused"] if isinstance(r, Mapping)]
        said = ", ".join(map(str, cited)) or "nothing"
        for clause in asked:
            if clause not in cited:
                yield difference(case, "round", clause, said, "refused by another clause", clause)


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
    tips, came = (amount(told.get("dealer_tips", "0"), "dealer_tips") for told in (case.expect, answer))
    if tips != came:
        says = f"the dealer has {_off(came - tips)}"
        yield difference(case, "tips", dollars(tips), dollars(came), says)
    if strict:
        yield from _strictly(case, answer)


def _line(
    case: Case, key: tuple[Any, ...], due: Line | None, paid: Line | None, strict: bool
) -> Difference | None:
    seat, hand, wager, for_whom, source, coupon = key
    who = f"seat {seat}" + (f" hand {hand}" if hand != 1 else "")
    if for_whom is not None:
        who += f", for the {for_whom}"
    if source is not None:
        who += f", from seat {source[0]} hand {source[1]}"
    if coupon is not None:
        who += ", coupon"
    says = None
    if due is None:
        says = f"a line too many: {_said(paid)}"
    elif paid is None:
        net = amount(due["net"], "net")
        owed = "is due" if net > 0 else "is to be taken" if net else "pushes"
        says = f"no line; {dollars(abs(net))} {owed}"
    elif money(due) != money(paid):
        says = _wrong(due, paid)
    elif strict:
        others = (key for key in ("clause", "odds") if due.get(key) != paid.get(key))
        says = next((f"another {key}: {paid.get(key)}" for key in others), None)
    if says is None:
        return None
    clause = due.get("clause") if due is not None else None
    return difference(case, wager, f"{who}: {_said(due)}", f"{who}: {_said(paid)}", says, clause)


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
                place = f"seat {due['seat']} {key}"
                shown = dollars(found) if found is not None else "nothing"
                says = f"{key} is {_off(found - wanted)}" if found is not None else "no total for the seat"
                yield difference(case, "seats", f"{place} {dollars(wanted)}", f"{place} {shown}", says)
                break
    for seat in [seat for seat in paid if seat not in map(str, touched)]:
        yield difference(case, "seats", "no such seat", f"seat {seat}", "a seat too many")


def _meters(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    given = answer.get("meters", {})
    if not isinstance(given, Mapping):
        raise OddAnswerError("`meters` is no JSON object")
    for name, text in case.expect["meters"].items():
        due = amount(text, name)
        if name not in given:
            says = f"the meter {name} is not told"
            yield difference(case, "meters", f"{name} {text}", "nothing", says)
        elif (came := amount(given[name], name)) != due:
            says = f"the meter {name} shows {_off(came - due)}"
            yield difference(case, "meters", dollars(due), dollars(came), says)
    for name in given:
        if name not in case.expect["meters"]:
            shown = f"{name} {given[name]}"
            yield difference(case, "meters", "no such meter", shown, f"a meter {name} too many")


def _strictly(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    told = ("seat", "hand", "wager", "for", "from")
    due_order, order = (
        [{key: x[key] for key in told if key in x} for x in lines]
        for lines in (case.expect["lines"], answer["lines"])
    )
    if due_order != order:
        yield difference(case, "order", short(due_order), short(order), "settled in another order")
    for key in ("approvals", "caps", "house_way"):
        due, came = case.expect.get(key) or None, answer.get(key) or None
        if due != came:
            yield difference(case, key, short(due), short(came), f"other {key.replace('_', ' ')}")


def _off(cents: int) -> str:
    return f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"


def _said(line: Line | None) -> str:
    if line is None:
        return "no line"
    cut = f", cut {line['cut']}" if line.get("cut") else ""
    return f"{line.get('result')} {line.get('net')} on {line.get('stake')}{cut}"
