"""A text format for rounds that a person can type, with lines for the table, the seats, the dealer and the
board.

A round is read into the format of `houseway settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from houseway.audit.history_terms import TERMS, more_terms, read_table, write_terms
from houseway.audit.history_text import LineReader, lines_under, pairs, phrase, plain
from houseway.cards import codes

HEAD: Final = "houseway history 1"
_OTHERS: Final = frozenset({"seat", "player", "hole", "cards", "hands", "play", "tips", "match_play"})
"""The fields of a seat that are not wagers."""
BOARD: Final = ("board", "flop", "turn", "river")
EXPECTED: Final = "'table:', 'round', 'seat', 'dealer:', 'board:', 'flop:', 'turn:', 'river:' or 'meters:'"


class HistoryRound(msgspec.Struct, frozen=True):
    """A round read from a text: its data, and the line number of each part."""

    name: str
    data: dict[str, Any]
    lines: dict[str, int]
    """The line number of each part. The keys are the paths that `houseway settle` names in a refusal."""


# --- writing ---


def write_rounds(rounds: Iterable[Mapping[str, Any]]) -> str:
    """Write rounds as text; each round is in the format of `houseway settle`."""
    return "".join(f"{line}\n" for line in _lines(rounds))


def _lines(rounds: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield HEAD
    before: dict[str, Any] = {}
    for number, data in enumerate(rounds, 1):
        terms = {name: data[name] for name in TERMS if name in data}
        if terms != before:
            yield ""
            yield from write_terms(data["rulebook"], terms)
            before = terms
        yield ""
        yield f"round {number}"
        if data.get("meters"):
            meters = ", ".join(f"{phrase(name)} {shows}" for name, shows in data["meters"].items())
            yield f"meters: {meters}"
        yield from (_seat(seat) for seat in data["seats"])
        keeps = f", keeps {data['dealer_keeps']}" if "dealer_keeps" in data else ""
        yield f"dealer: {data['dealer']}{keeps}"
        yield f"board: {data['board']}"


def _seat(seat: Mapping[str, Any]) -> str:
    player = f" {plain(seat['player'])}" if "player" in seat else ""
    parts = [seat.get("hole") or seat["cards"]]
    parts += [f"{phrase(name)} {_amounts(stake)}" for name, stake in seat.items() if name not in _OTHERS]
    parts += [f"tip {phrase(name)} {tip}" for name, tip in seat.get("tips", {}).items()]
    if "match_play" in seat:
        parts.append(f"coupon {seat['match_play']}")
    if "play" in seat:
        parts.append(f"plays {seat['play']}x" if seat["play"] else "folds")
    if "hands" in seat:
        parts.append(f"{'keeps' if len(seat['hands']) == 1 else 'splits'} {' / '.join(seat['hands'])}")
    return f"seat {seat['seat']}{player}: {', '.join(parts)}"


def _amounts(stake: Any) -> str:
    return " / ".join(stake) if isinstance(stake, list) else str(stake)


# --- reading ---


def read_rounds(text: str) -> list[HistoryRound]:
    """Read the rounds of a text. Raises HistoryError if that fails, or if the text has no rounds."""
    line = LineReader(1, "")
    terms: dict[str, Any] = {}
    where: dict[str, int] = {}
    rounds: list[HistoryRound] = []
    current: HistoryRound | None = None
    for line in lines_under(HEAD, text):
        start = line.place
        if line.next_is("table:"):
            _require_complete(current, line)
            current = None
            terms = read_table(line)
            where = dict.fromkeys(("rulebook", "mode", "tables"), line.number)
        elif terms and current is None and (more := more_terms(line, terms)) is not None:
            where |= {name: line.number for name in more if more[name] is not terms.get(name)}
            terms = more
        elif line.next_is("round"):
            _require_complete(current, line)
            if not terms:
                raise line.wrong("expected 'table:' before the first round", start)
            name = line.rest.split("#")[0].strip().rstrip(":") or str(len(rounds) + 1)
            lines_of_round = {**where, "": line.number, "seats": line.number}
            current = HistoryRound(name, {**terms, "seats": []}, lines_of_round)
            rounds.append(current)
        elif current is None:
            raise line.expected("'round', or 'limits:' or 'house:' after 'table:'" if terms else "'table:'")
        else:
            _read_part(line, current.data, current.lines)
    _require_complete(current, line)
    if not rounds:
        raise line.wrong("expected 'round' after this line, with its cards and wagers", 0)
    return rounds


def _require_complete(round_: HistoryRound | None, line: LineReader) -> None:
    """Raise HistoryError if a round has no board or no dealer; the error names `line`."""
    for part, example in (("board", "board: Qh Jh Th 2c 2d"), ("dealer", "dealer: 9s 9d")):
        if round_ is not None and part not in round_.data:
            raise line.wrong(f"expected the {part} of round {round_.name}, such as '{example}'", 0)


def _read_part(line: LineReader, data: dict[str, Any], where: dict[str, int]) -> None:
    """Read a line of a round into `data`, and store its line number in `where`."""
    start = line.place
    part = next((part for part in (*BOARD, "meters", "dealer") if line.next_is(f"{part}:")), "")
    if part not in BOARD and part in data:
        raise line.twice(part, start)
    if part in BOARD:
        data["board"] = f"{data.get('board', '')} {codes(line.cards())}".lstrip()
        where["board"] = line.number
    elif part == "meters":
        data["meters"] = pairs(line, lambda: line.words("a meter such as main"), line.amount)
        where["meters"] = line.number
    elif part == "dealer":
        data["dealer"] = codes(line.cards())
        if line.next_is(","):
            line.need("keeps")
            data["dealer_keeps"] = codes(line.cards())
        where["dealer"] = where["dealer_keeps"] = line.number
    elif line.next_is("seat"):
        where[f"seats[{len(data['seats'])}]"] = line.number
        data["seats"].append(_read_seat(line))
    else:
        raise line.expected(EXPECTED)
    line.finish()


def _read_seat(line: LineReader) -> dict[str, Any]:
    seat: dict[str, Any] = {"seat": line.number_("the number of a seat")}
    if not line.next_is(":"):
        seat["player"] = line.plain("':' or the player's name")
        line.need(":")
    held = line.cards("the seat's cards, such as Ah Kh")
    seat["cards" if len(held) > 2 else "hole"] = codes(held)
    while line.next_is(","):
        _read_item(line, seat)
    return seat


def _read_item(line: LineReader, seat: dict[str, Any]) -> None:
    start, name, target = line.place, "play", seat
    item: Any
    if line.next_is("folds"):
        item = 0
    elif line.next_is("plays"):
        item = line.times()
    elif line.next_is("keeps"):
        name, item = "hands", [codes(line.cards())]
    elif line.next_is("splits"):
        first = line.cards()
        line.need("/")
        name, item = "hands", [codes(first), codes(line.cards())]
    elif line.next_is("tip"):
        target = seat.setdefault("tips", {})
        name, item = line.words("a wager such as ante"), line.amount()
    elif line.next_is("coupon"):
        name, item = "match_play", line.amount()
    else:
        name = line.words("a wager such as ante 10, 'plays 4x', 'folds', 'keeps' or 'splits'")
        if name in _OTHERS - {"play", "match_play"}:
            raise line.wrong(f"{phrase(name)!r} is not a wager; name a wager such as ante 10", start)
        amounts = [line.amount()]
        while line.next_is("/"):
            amounts.append(line.amount())
        item = amounts if len(amounts) > 1 else amounts[0]
    if name in target:
        raise line.twice("coupon" if name == "match_play" else name, start)
    target[name] = item
