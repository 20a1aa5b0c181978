"""Commands as lines of a table's history, and back.

What happens often has a form of its own; everything else is written field by field. A command is given by
whom its form suggests, the player or the dealer, unless the line says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from houseway.audit.history_text import HistoryError, Line, items, listed, money, plain, said
from houseway.cards import Card, written
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.engine.forms import SEAT_COMMANDS
from houseway.rules.problems import meant

FORMS: Final = ("chips", "plaques", "cash", "verbal")
MONEY: Final = frozenset({"amount", "chips", "coupon", "tip", "bonus"})
"""Fields in cents."""
KINDS: Final[dict[str, type[c.Command]]] = {
    re.sub(r"(?<=.)(?=[A-Z])", " ", kind.__name__).lower(): kind for kind in kinds(c.Command)
}
"""Every command by its name in words."""
NAMES: Final = {kind: name for name, kind in KINDS.items()}
TOLD: Final = ("count", "seat", "name", "deck", "seal")
"""What the line of a step may say besides its cards."""
SHORT: Final[dict[type[c.Command], str]] = {
    c.Stand: "stands up",
    c.Leave: "leaves",
    c.TakeBack: "takes back",
    c.Check: "checks",
    c.Fold: "folds",
    c.Challenge: "challenges",
}


# --- writing ---


def written_command(command: c.Command) -> str:
    """A command as a line; ValueError for one that no line can say."""
    by = "" if command.by == _usual(command) else f" (by {plain(command.by)})"
    for form in (_pretty, _by_field):
        text = form(command)
        if text and _says(text + by, command):
            return text + by
    raise ValueError(f"no line says {command!r}")


def _says(text: str, command: c.Command) -> bool:
    """Whether a line read again is the command it was written for."""
    try:
        return read_command(Line(1, text)) == command
    except HistoryError:
        return False


def _usual(command: c.Command) -> str:
    return f"seat {command.seat}" if isinstance(command, SEAT_COMMANDS) else "dealer"


def _pretty(command: c.Command) -> str:
    match command:
        case c.Sit(seat=seat, player=player, chips=chips):
            chips_ = f" with {money(chips)}" if chips else ""
            return f"seat {seat}{f' {plain(player)}:' if player else ''} sits{chips_}"
        case c.Bet():
            return _bet(command)
        case c.Play(seat=seat, times=times, tip=tip):
            return f"seat {seat} plays {times}x" + (f", tip {money(tip)}" if tip else "")
        case c.Keep(seat=seat, cards=cards) if cards:
            return f"seat {seat} keeps {written(cards)}"
        case c.Split(seat=seat, first=first, second=second, bonus=bonus) if first and second:
            hands = f"{written(first)} / {written(second)}"
            return f"seat {seat} splits {hands}" + (f", bonus {money(bonus)}" if bonus else "")
        case c.Perform():
            return _perform(command)
    short = SHORT.get(type(command))
    return f"seat {command.seat} {short}" if short else ""  # type: ignore[attr-defined]


def _bet(command: c.Bet) -> str:
    parts = [f"seat {command.seat} bets {_stakes(command.wagers)}".rstrip()]
    if command.tips:
        parts.append(f"tips {_stakes(command.tips)}")
    if command.coupon:
        parts.append(f"coupon {money(command.coupon)}")
    if command.form != "chips":
        parts.append(f"in {plain(command.form)}")
    return "; ".join(parts)


def _stakes(stakes: Mapping[str, int]) -> str:
    return listed(f"{said(name)} {money(stake)}" for name, stake in stakes.items())


def _perform(command: c.Perform) -> str:
    parts = [f"dealer: {plain(command.step)}" + (f": {written(command.cards)}" if command.cards else "")]
    if command.count is not None:
        parts.append(f"count {command.count}")
    if command.seat is not None:
        parts.append(f"seat {command.seat}")
    parts += [
        f"{name} {plain(text)}" for name in ("name", "deck", "seal") if (text := getattr(command, name))
    ]
    return "; ".join(parts)


def _by_field(command: c.Command) -> str:
    fields = []
    for field in msgspec.structs.fields(command):
        given = getattr(command, field.name)
        if field.name != "by" and (field.required or given != _default(field)):
            fields.append(f"{said(field.name)} {_field(field.name, given)}")
    return f"do {NAMES[type(command)]}" + (f": {listed(fields)}" if fields else "")


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default


def _field(name: str, given: Any) -> str:
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, str):
        return plain(given)
    if isinstance(given, int):
        return money(given) if name in MONEY else str(given)
    if isinstance(given, tuple) and all(isinstance(one, Card) for one in given):
        return written(given) or "none"
    return msgspec.json.encode(given).decode()


# --- reading ---


def read_command(line: Line) -> c.Command:
    """The command a line holds; HistoryError where it holds none."""
    if line.next_is("dealer:"):
        return _read_perform(line)
    if line.next_is("do"):
        return _read_by_field(line)
    if line.next_is("seat"):
        return _read_seat(line)
    raise line.expected("'seat', 'dealer:', 'dealer ...', 'do' or 'round'")


def _by(line: Line, usual: str) -> str:
    """Who gives a command; the last thing a line says."""
    by = usual
    if line.next_is("("):
        line.need("by")
        by = line.plain("who gives the command")
        line.need(")")
    line.finish()
    return by


def _read_seat(line: Line) -> c.Command:
    seat = line.number_("the number of a seat")
    usual = f"seat {seat}"
    for kind, words in SHORT.items():
        if line.next_is(words):
            return kind(seat=seat, by=_by(line, usual))  # type: ignore[call-arg]
    if line.next_is("bets"):
        return _read_bet(line, seat, usual)
    if line.next_is("plays"):
        times = line.number_("how many times the ante, such as 4x")
        line.next_is("x")
        tip = _after(line, "tip")
        return c.Play(seat=seat, times=times, tip=tip, by=_by(line, usual))
    if line.next_is("keeps"):
        return c.Keep(seat=seat, cards=line.cards(), by=_by(line, usual))
    if line.next_is("splits"):
        first = line.cards()
        line.need("/")
        second = line.cards()
        bonus = _after(line, "bonus")
        return c.Split(seat=seat, first=first, second=second, bonus=bonus, by=_by(line, usual))
    player = ""
    if not line.next_is("sits"):
        player = line.plain("what the seat does, such as 'bets', 'checks', 'plays 4x', 'folds' or 'sits'")
        line.need(":")
        line.need("sits")
    chips = line.cents() if line.next_is("with") else 0
    return c.Sit(seat=seat, player=player, chips=chips, by=_by(line, usual))


def _after(line: Line, name: str) -> int:
    """An amount that a comma and its name go before; nothing without them."""
    if not line.next_is(","):
        return 0
    line.need(name)
    return line.cents()


def _read_bet(line: Line, seat: int, usual: str) -> c.Bet:
    wagers = _read_stakes(line)
    tips: dict[str, int] = {}
    coupon, form = 0, "chips"
    while line.next_is(";"):
        if line.next_is("tips"):
            tips = _read_stakes(line)
        elif line.next_is("coupon"):
            coupon = line.cents()
        else:
            line.need("in")
            form = line.plain(f"one of {listed(FORMS)}")
    return c.Bet(seat=seat, wagers=wagers, tips=tips, coupon=coupon, form=form, by=_by(line, usual))


def _read_stakes(line: Line) -> dict[str, int]:
    found: dict[str, int] = {}
    for _ in items(line) if not line.rest.startswith((";", "(")) and not line.done else ():
        name = line.words("a wager such as ante")
        found[name] = line.cents()
    return found


def _read_perform(line: Line) -> c.Perform:
    step = line.plain("a step of the dealer's")
    cards = line.cards() if line.next_is(":") else ()
    count = seat = None
    told: dict[str, str] = {}
    while line.next_is(";"):
        what = line.word("'count', 'seat', 'name', 'deck' or 'seal'")
        if what == "count":
            count = line.number_("a number of cards")
        elif what == "seat":
            seat = line.number_("the number of a seat")
        elif what in ("name", "deck", "seal"):
            told[what] = line.plain(f"the {what}")
        else:
            raise line.wrong(f"{what!r} is nothing a step has; {meant(what, TOLD)}")
    return c.Perform(step=step, cards=cards, count=count, seat=seat, by=_by(line, "dealer"), **told)


def _read_by_field(line: Line) -> c.Command:
    start = line.place
    name = line.plain("a command such as 'approve'")
    kind = KINDS.get(name)
    if kind is None:
        raise line.wrong(f"{name!r} is no command; {meant(name, KINDS)}", start)
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for _ in items(line) if line.next_is(":") else ():
        start = line.place
        field = line.word(f"one of {listed(hints)}")
        while said(field) not in map(said, hints) and any(h.startswith(f"{field}_") for h in hints):
            field = f"{field}_{line.word(f'one of {listed(hints)}')}"
        if field not in hints or field == "by":
            raise line.wrong(f"{field!r} is nothing {name} has; {meant(field, set(hints) - {'by'})}", start)
        given[field] = _read_field(line, field, hints[field])
    lacking = [f.name for f in msgspec.structs.fields(kind) if f.required and f.name not in given]
    if lacking:
        raise line.wrong(f"{name} needs {listed(map(said, lacking))}")
    usual = f"seat {given['seat']}" if kind in SEAT_COMMANDS else "dealer"
    try:
        return kind(by=_by(line, usual), **given)
    except TypeError as error:
        raise line.wrong(f"{name}: {error}") from error


def _read_field(line: Line, name: str, hint: Any) -> Any:
    if get_origin(hint) is tuple and get_args(hint)[0] is Card:
        return () if line.next_is("none") else line.cards()
    if get_origin(hint) in (tuple, dict):
        if hint == tuple[str, ...] and line.next_is("none"):
            return ()
        start = line.place
        what = f"{said(name)} as JSON"
        try:
            return msgspec.convert(line.json(what), hint)
        except msgspec.ValidationError as error:
            raise line.wrong(f"{said(name)}: {error}", start) from error
    if hint is bool:
        word = line.word("'yes' or 'no'")
        if word not in ("yes", "no"):
            raise line.wrong(f"{said(name)} is 'yes' or 'no', not {word!r}")
        return word == "yes"
    if hint is str:
        return line.plain(f"the {said(name)}")
    return line.cents() if name in MONEY else line.number_(f"the {said(name)}, a whole number")
