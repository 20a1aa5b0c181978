"""Rounds a person can type: the table, the cards, the wagers and the decisions, a line each.

What is read is the round as `houseway settle` takes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from houseway.audit.history_terms import TERMS, more_terms, read_table, written_terms
from houseway.audit.history_text import LineReader, lines_under, pairs, plain, said
from houseway.cards import written

HEAD: Final = "houseway history 1"
_OTHERS: Final = frozenset({"seat", "player", "hole", "cards", "hands", "play", "tips", "match_play"})
"""What a seat has besides its wagers."""
BOARD: Final = ("board", "flop", "turn", "river")
EXPECTED: Final = "'table:', 'round', 'seat', 'dealer:', 'board:', 'flop:', 'turn:', 'river:' or 'meters:'"


class ToldRound(msgspec.Struct, frozen=True):
    """A round that was told: its data, and the lines it was told in."""

    name: str
    data: dict[str, Any]
    lines: dict[str, int]
    """By the path `houseway settle` names in a refusal."""


# --- writing ---


def written_rounds(rounds: Iterable[Mapping[str, Any]]) -> str:
    """Rounds as text; each is the data `houseway settle` takes."""
    return "".join(f"{line}\n" for line in _lines(rounds))


def _lines(rounds: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield HEAD
    before: dict[str, Any] = {}
    for number, data in enumerate(rounds, 1):
        terms = {name: data[name] for name in TERMS if name in data}
        if terms != before:
            yield ""
            yield from written_terms(data["rulebook"], terms)
            before = terms
        yield ""
        yield f"round {number}"
        if data.get("meters"):
            meters = ", ".join(f"{said(name)} {shows}" for name, shows in data["meters"].items())
            yield f"meters: {meters}"
        yield from (_seat(seat) for seat in data["seats"])
        keeps = f", keeps {data['dealer_keeps']}" if "dealer_keeps" in data else ""
        yield f"dealer: {data['dealer']}{keeps}"
        yield f"board: {data['board']}"


def _seat(seat: Mapping[str, Any]) -> str:
    player = f" {plain(seat['player'])}" if "player" in seat else ""
    parts = [seat.get("hole") or seat["cards"]]
    parts += [f"{said(name)} {_amounts(stake)}" for name, stake in seat.items() if name not in _OTHERS]
    parts += [f"tip {said(name)} {tip}" for name, tip in seat.get("tips", {}).items()]
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


def read_rounds(text: str) -> list[ToldRound]:
    """The rounds of a text; HistoryError where it is none."""
    line = LineReader(1, "")
    terms: dict[str, Any] = {}
    where: dict[str, int] = {}
    rounds: list[ToldRound] = []
    under_way: ToldRound | None = None
    for line in lines_under(HEAD, text):
        start = line.place
        if line.next_is("table:"):
            _require_whole(under_way, line)
            under_way = None
            terms = read_table(line)
            where = dict.fromkeys(("rulebook", "mode", "tables"), line.number)
        elif terms and under_way is None and (more := more_terms(line, terms)) is not None:
            where |= {name: line.number for name in more if more[name] is not terms.get(name)}
            terms = more
        elif line.next_is("round"):
            _require_whole(under_way, line)
            if not terms:
                raise line.wrong("expected 'table:' before the first round", start)
            name = line.rest.split("#")[0].strip().rstrip(":") or str(len(rounds) + 1)
            lines_of_round = {**where, "": line.number, "seats": line.number}
            under_way = ToldRound(name, {**terms, "seats": []}, lines_of_round)
            rounds.append(under_way)
        elif under_way is None:
            raise line.expected("'round', or 'limits:' or 'house:' after 'table:'" if terms else "'table:'")
        else:
            _read_part(line, under_way.data, under_way.lines)
    _require_whole(under_way, line)
    if not rounds:
        raise line.wrong("expected 'round' and what was played in it after this line", 0)
    return rounds


def _require_whole(told: ToldRound | None, line: LineReader) -> None:
    """Refuse a round without board or dealer; `line` is the one after it, or its last."""
    for part, example in (("board", "board: Qh Jh Th 2c 2d"), ("dealer", "dealer: 9s 9d")):
        if told is not None and part not in told.data:
            raise line.wrong(f"expected the {part} of round {told.name}, such as '{example}'", 0)


def _read_part(line: LineReader, data: dict[str, Any], where: dict[str, int]) -> None:
    """Another line of a round, and its number under the path it tells of."""
    start = line.place
    part = next((part for part in (*BOARD, "meters", "dealer") if line.next_is(f"{part}:")), "")
    if part not in BOARD and part in data:
        raise line.twice(part, start)
    if part in BOARD:
        data["board"] = f"{data.get('board', '')} {written(line.cards())}".lstrip()
        where["board"] = line.number
    elif part == "meters":
        data["meters"] = pairs(line, lambda: line.words("a meter such as main"), line.amount)
        where["meters"] = line.number
    elif part == "dealer":
        data["dealer"] = written(line.cards())
        if line.next_is(","):
            line.need("keeps")
            data["dealer_keeps"] = written(line.cards())
        where["dealer"] = where["dealer_keeps"] = line.number
    elif line.next_is("seat"):
        where[f"seats[{len(data['seats'])}]"] = line.number
        data["seats"].append(_read_seat(line))
    else:
        raise line.expected(EXPECTED)
    line.finish()


def _read_seat(line: LineReader) -> dict[str, Any]:
    found: dict[str, Any] = {"seat": line.number_("the number of a seat")}
    if not line.next_is(":"):
        found["player"] = line.plain("':' or the player's name")
        line.need(":")
    held = line.cards("the seat's cards, such as Ah Kh")
    found["cards" if len(held) > 2 else "hole"] = written(held)
    while line.next_is(","):
        _read_item(line, found)
    return found


def _read_item(line: LineReader, found: dict[str, Any]) -> None:
    start, name, given = line.place, "play", found
    item: Any
    if line.next_is("folds"):
        item = 0
    elif line.next_is("plays"):
        item = line.times()
    elif line.next_is("keeps"):
        name, item = "hands", [written(line.cards())]
    elif line.next_is("splits"):
        first = line.cards()
        line.need("/")
        name, item = "hands", [written(first), written(line.cards())]
    elif line.next_is("tip"):
        given = found.setdefault("tips", {})
        name, item = line.words("a wager such as ante"), line.amount()
    elif line.next_is("coupon"):
        name, item = "match_play", line.amount()
    else:
        name = line.words("a wager such as ante 10, 'plays 4x', 'folds', 'keeps' or 'splits'")
        if name in _OTHERS - {"play", "match_play"}:
            raise line.wrong(f"{said(name)!r} is not a wager; name a wager such as ante 10", start)
        amounts = [line.amount()]
        while line.next_is("/"):
            amounts.append(line.amount())
        item = amounts if len(amounts) > 1 else amounts[0]
    if name in given:
        raise line.twice("coupon" if name == "match_play" else name, start)
    given[name] = item
