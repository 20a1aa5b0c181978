"""Compare an answer with the expected result, and find the wagers that are paid wrongly.

Money is always compared. Order, odds as printed, clauses, approvals, limits and the house way are compared
only with `strict`: an implementation can pay correctly without citing clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.conformance.answers import AnswerError, Line, amount, by_key, list_of, money, paired, short
from houseway.conformance.corpus import Case
from houseway.money import dollars


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between an answer and the expected result."""

    case: str
    rulebook: str
    wager: str
    """The wager, or one of "round", "seats", "meters", "tips", "answer", "order", "approvals", "caps" and
    "house_way"."""
    clause: str | None
    expected: str
    answered: str
    says: str
    """The difference in words: "pays 10.00 too little"."""

    @property
    def came(self) -> str:
        """The old name of `answered`."""
        return self.answered


def difference(
    case: Case, wager: str, expected: str, answered: str, says: str, clause: str | None = None
) -> Difference:
    """Return a difference in the answer to a case."""
    return Difference(case.id, case.rulebook, wager, clause, expected, answered, says)


def compare(case: Case, answer: Any, *, strict: bool = False) -> list[Difference]:
    """Return the differences between an answer and the expected result; empty if they agree."""
    if not isinstance(answer, Mapping):
        sentence = "the answer is not a JSON object"
        return [difference(case, "answer", "a JSON object", short(answer), sentence)]
    try:
        one_refuses = case.refused or _refuses(answer)
        return list((_refusal if one_refuses else _settled)(case, answer, strict))
    except AnswerError as error:
        form = "an answer in the format of the suite"
        return [difference(case, "answer", form, short(answer), str(error))]


def _refuses(answer: Mapping[str, Any]) -> bool:
    """True if an answer refuses the round. An empty `refused` list next to lines is not a refusal."""
    return answer.get("refused") is not None and (bool(answer["refused"]) or "lines" not in answer)


def _refusal(case: Case, answer: Mapping[str, Any], strict: bool) -> Iterator[Difference]:
    clauses = [r["clause"] for r in case.expect.get("refused", ()) if r.get("clause")]
    if not case.refused:
        came = f"refused: {short(answer['refused'])}"
        yield difference(case, "round", "settled", came, "refused, but it must be settled")
    elif not _refuses(answer):
        says = f"settled, but it must be refused ({case.about})"
        yield difference(case, "round", "refused", "settled", says, clauses[0] if clauses else None)
    elif strict:
        if not isinstance(answer["refused"], list):
            raise AnswerError("`refused` is not a list")
        cited = [r.get("clause") for r in answer["refused"] if isinstance(r, Mapping)]
        answered = ", ".join(map(str, cited)) or "nothing"
        for clause in clauses:
            if clause not in cited:
                yield difference(
                    case, "round", clause, answered, "refused, but cites another clause", clause
                )


def _settled(case: Case, answer: Mapping[str, Any], strict: bool) -> Iterator[Difference]:
    due, paid = by_key(case.expect["lines"]), by_key(list_of(answer, "lines"))
    wrong_seats: set[Any] = set()
    for key in [*due, *(k for k in paid if k not in due)]:
        for one, other in paired(due.get(key, []), paid.get(key, [])):
            wrong = _line(case, key, one, other, strict)
            if wrong is not None:
                wrong_seats.add(key[0])
                yield wrong
    yield from _seats(case, answer, wrong_seats)
    yield from _meters(case, answer)
    tips, came = (amount(side.get("dealer_tips", "0"), "dealer_tips") for side in (case.expect, answer))
    if tips != came:
        yield difference(case, "tips", dollars(tips), dollars(came), f"the dealer gets {_off(came - tips)}")
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
        says = f"an unexpected line: {_in_words(paid)}"
    elif paid is None:
        net = amount(due["net"], "net")
        owed = f"must {'win' if net > 0 else 'lose'} {dollars(abs(net))}" if net else "must push"
        says = f"the line is missing; the wager {owed}"
    elif money(due) != money(paid):
        says = _wrong(due, paid)
    elif strict:
        others = (key for key in ("clause", "odds") if due.get(key) != paid.get(key))
        says = next((f"{key} is {paid.get(key)} instead of {due[key]}" for key in others), None)
    if says is None:
        return None
    clause = due.get("clause") if due is not None else None
    return difference(case, wager, f"{who}: {_in_words(due)}", f"{who}: {_in_words(paid)}", says, clause)


def _wrong(due: Line, paid: Line) -> str:
    (stake, result, net, cut), (stake2, result2, net2, cut2) = money(due), money(paid)
    if net != net2:
        turned = f"the result is {result2}, but should be {result}; " if result != result2 else ""
        return f"{turned}pays {_off(net2 - net)}"
    if stake != stake2:
        return f"has a stake of {dollars(stake2)} instead of {dollars(stake)}"
    if result != result2:
        return f"the result is {result2}, but should be {result}"
    return f"is cut by {dollars(cut2)} instead of {dollars(cut)}"


def _seats(case: Case, answer: Mapping[str, Any], wrong_seats: set[Any]) -> Iterator[Difference]:
    """Compare the totals by seat, except for seats with a wrong line."""
    paid = {str(s.get("seat")): s for s in list_of(answer, "seats") if isinstance(s, Mapping)}
    for due in case.expect["seats"]:
        came = paid.pop(str(due["seat"]), None)
        if due["seat"] in wrong_seats:
            continue
        for key in ("staked", "returned", "net"):
            owed = amount(due[key], key)
            total = amount(came.get(key), key) if came is not None else None
            if owed != total:
                place = f"seat {due['seat']} {key}"
                answered = dollars(total) if total is not None else "nothing"
                says = f"{key} is {_off(total - owed)}" if total is not None else "no totals for the seat"
                yield difference(case, "seats", f"{place} {dollars(owed)}", f"{place} {answered}", says)
                break
    for seat in [seat for seat in paid if seat not in map(str, wrong_seats)]:
        yield difference(case, "seats", "no such seat", f"seat {seat}", "an unexpected seat")


def _meters(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    meters = answer.get("meters", {})
    if not isinstance(meters, Mapping):
        raise AnswerError("`meters` is not a JSON object")
    for name, text in case.expect["meters"].items():
        due = amount(text, name)
        if name not in meters:
            yield difference(case, "meters", f"{name} {text}", "nothing", f"the meter {name} is missing")
        elif (came := amount(meters[name], name)) != due:
            says = f"the meter {name} shows {_off(came - due)}"
            yield difference(case, "meters", dollars(due), dollars(came), says)
    for name in meters:
        if name not in case.expect["meters"]:
            answered = f"{name} {meters[name]}"
            yield difference(case, "meters", "no such meter", answered, f"an unexpected meter {name}")


def _strictly(case: Case, answer: Mapping[str, Any]) -> Iterator[Difference]:
    keys = ("seat", "hand", "wager", "for", "from")
    due_order, order = (
        [{key: x[key] for key in keys if key in x} for x in lines]
        for lines in (case.expect["lines"], answer["lines"])
    )
    if due_order != order:
        yield difference(case, "order", short(due_order), short(order), "settled in a different order")
    for key in ("approvals", "caps", "house_way"):
        due, came = case.expect.get(key) or None, answer.get(key) or None
        if due != came:
            yield difference(case, key, short(due), short(came), f"different {key.replace('_', ' ')}")


def _off(cents: int) -> str:
    return f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"


def _in_words(line: Line | None) -> str:
    if line is None:
        return "no line"
    cut = f", cut {line['cut']}" if line.get("cut") else ""
    return f"{line.get('result')} {line.get('net')} on {line.get('stake')}{cut}"
