"""Write commands as lines of a table's history, and read them back.

Common commands have a short form; all others are written field by field. The sender is the seat's player or
the dealer, unless the line ends with "(by NAME)".
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, get_args, get_origin

import msgspec

from houseway.audit.history_text import HistoryError, LineReader, items, money, pairs, phrase, plain, value
from houseway.cards import Card, codes
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.engine.command_form import SEAT_COMMANDS
from houseway.rules.problems import suggest

MONEY: Final = frozenset({"amount", "chips", "coupon", "tip", "bonus", "wager"})
"""Fields in cents."""
KINDS: Final[dict[str, type[c.Command]]] = {
    re.sub(r"(?<=.)(?=[A-Z])", " ", kind.__name__).lower(): kind for kind in kinds(c.Command)
}
"""The class of each command, by the command's name in words."""
NAMES: Final = {kind: name for name, kind in KINDS.items()}
VERBS: Final[dict[type[c.Command], str]] = {
    c.Sit: "sits",
    c.Stand: "stands up",
    c.Leave: "leaves",
    c.Bet: "bets",
    c.TakeBack: "takes back",
    c.Check: "checks",
    c.Play: "plays",
    c.Fold: "folds",
    c.Keep: "keeps",
    c.Split: "splits",
    c.Challenge: "challenges",
}
"""The verbs of the commands that are written as "seat N VERB"."""
PARTS: Final[dict[type[c.Command], dict[str, str]]] = {
    c.Sit: {"chips": " with", "account": "; account"},
    c.Bet: {"wagers": "", "tips": "; tips", "coupon": "; coupon", "form": "; in"},
    c.Play: {"times": "", "tip": ", tip"},
    c.Keep: {"cards": ""},
    c.Split: {"first": "", "second": " /", "bonus": ", bonus", "wager": ", wager"},
    c.Perform: {"step": "", "cards": ":"}
    | {name: f"; {name}" for name in ("count", "seat", "name", "deck", "seal")},
}
"""The fields of each short form, and the text before the value of each field."""


@cache
def _fields(kind: type[c.Command]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the fields of a command, except its sender."""
    return {field.name: field for field in msgspec.structs.fields(kind) if field.name != "by"}


def _usual_sender(kind: type[c.Command], seat: Any) -> str:
    """Return the default sender of a command, for a line that names none."""
    return f"seat {seat}" if kind in SEAT_COMMANDS else "dealer"


# --- writing ---


def write_command(command: c.Command) -> str:
    """Return a command as a line. Raises ValueError if it cannot be written as a line."""
    values = {}
    for name, field in _fields(type(command)).items():
        factory = field.default_factory
        default = field.default if factory is msgspec.NODEFAULT else factory()
        if (content := getattr(command, name)) != default:
            values[name] = content
    usual = _usual_sender(type(command), values.get("seat"))
    by = "" if command.by == usual else f" (by {plain(command.by)})"
    for text in (_short(type(command), values), _by_field(type(command), values)):
        if text and _reads_back(text + by, command):
            return text + by
    raise ValueError(f"{command!r} cannot be written as a line")


def _reads_back(text: str, command: c.Command) -> bool:
    """True if the line reads back as the command."""
    try:
        return read_command(LineReader(1, text)) == command
    except HistoryError:
        return False


def _short(kind: type[c.Command], values: dict[str, Any]) -> str:
    """Return a command in its short form. Return an empty string if it has none, or if one of its lists is
    empty."""
    if () in values.values() or (kind is not c.Perform and kind not in VERBS):
        return ""
    text = "dealer:"
    if kind in VERBS:
        player = f" {plain(values['player'])}:" if "player" in values else ""
        text = f"seat {values['seat']}{player} {VERBS[kind]}"
    for name, before in PARTS.get(kind, {}).items():
        if name in values:
            text += f"{before} {_short_value(name, values[name])}".rstrip()
    return text


def _short_value(name: str, content: Any) -> str:
    if name == "times":
        return f"{content}x"
    if isinstance(content, dict):
        return ", ".join(f"{phrase(wager)} {money(stake)}" for wager, stake in content.items())
    return _value(name, content)


def _by_field(kind: type[c.Command], values: dict[str, Any]) -> str:
    fields = ", ".join(f"{phrase(name)} {_value(name, content)}" for name, content in values.items())
    return f"do {NAMES[kind]}" + (f": {fields}" if fields else "")


def _value(name: str, content: Any) -> str:
    if isinstance(content, str):
        return plain(content)
    if name in MONEY:
        return money(content)
    if isinstance(content, tuple) and all(isinstance(one, Card) for one in content):
        return codes(content) or "none"
    return value(content)


# --- reading ---


def read_command(line: LineReader) -> c.Command:
    """Read a command from a line; raises HistoryError if that fails."""
    if line.next_is("dealer:"):
        return _read_short(line, c.Perform, {})
    if line.next_is("do"):
        return _read_by_field(line)
    if not line.next_is("seat"):
        raise line.expected("'seat', 'dealer:', 'dealer ...', 'do' or 'round'")
    values: dict[str, Any] = {"seat": line.number_("the number of a seat")}
    kind = next((kind for kind, verb in VERBS.items() if line.next_is(verb)), None)
    if kind is None:
        what = "what the seat does, such as 'bets', 'checks', 'plays 4x', 'folds' or 'sits'"
        values["player"] = line.plain(what)
        line.need(":")
        line.need("sits")
    return _read_short(line, kind or c.Sit, values)


def _read_short(line: LineReader, kind: type[c.Command], values: dict[str, Any]) -> c.Command:
    """Read the rest of a short form: the required fields, then the others in any order."""
    parts, fields = PARTS.get(kind, {}), _fields(kind)
    for name in [name for name in parts if fields[name].required]:
        line.need(parts[name].strip())
        values[name] = _read_short_value(line, fields[name])
    more = {before.strip(): fields[name] for name, before in parts.items() if not fields[name].required}
    start = line.place
    while field := next((more[before] for before in more if line.next_is(before)), None):
        if field.name in values:
            raise line.twice(field.name, start)
        values[field.name] = _read_short_value(line, field)
        start = line.place
    if more and not line.done and not line.rest.startswith("("):
        raise line.expected(f"the end of the line or one of {', '.join(map(repr, more))}")
    return _build(line, kind, values)


def _read_short_value(line: LineReader, field: msgspec.structs.FieldInfo) -> Any:
    if field.name == "times":
        return line.times()
    if get_origin(field.type) is dict:
        # A bet may be empty, but "tips" needs at least one tip.
        empty = field.name == "wagers"
        return pairs(line, lambda: line.words("a wager such as ante"), line.cents, may_be_empty=empty)
    return _read_value(line, field)


def _read_by_field(line: LineReader) -> c.Command:
    start = line.place
    name = line.plain("a command such as 'approve'")
    kind = KINDS.get(name)
    if kind is None:
        raise line.wrong(f"{name!r} is not a command; {suggest(name, KINDS)}", start)
    fields = _fields(kind)
    # "designated by" comes before "designated".
    longest_first = sorted(fields, key=len, reverse=True)
    values: dict[str, Any] = {}
    if not fields and line.rest.startswith(":"):
        raise line.wrong(f"{name} has no fields; remove the ':'")
    for _ in items(line) if line.next_is(":") else ():
        start = line.place
        field = next((f for f in longest_first if line.next_is(phrase(f)) or line.next_is(f)), None)
        if field is None:
            word = line.word(f"one of {', '.join(map(phrase, fields))}")
            raise line.wrong(f"{name} has no field {word!r}; {suggest(word, fields)}", start)
        if field in values:
            raise line.twice(field, start)
        empty = get_origin(fields[field].type) is tuple and line.next_is("none")
        values[field] = () if empty else _read_value(line, fields[field])
    lacking = [phrase(f) for f in fields if fields[f].required and f not in values]
    if lacking:
        raise line.wrong(f"{name} needs {', '.join(lacking)}")
    return _build(line, kind, values)


def _read_value(line: LineReader, field: msgspec.structs.FieldInfo) -> Any:
    name, hint = phrase(field.name), field.type
    if get_origin(hint) is tuple and get_args(hint)[0] is Card:
        return line.cards()
    if get_origin(hint) in (tuple, dict):
        start = line.place
        try:
            return msgspec.convert(line.json(f"{name} as JSON"), hint)
        except msgspec.ValidationError as error:
            raise line.wrong(f"{name}: {error}", start) from error
    if hint is bool:
        word = line.word("'yes' or 'no'")
        if word not in ("yes", "no"):
            raise line.wrong(f"{name} is 'yes' or 'no', not {word!r}")
        return word == "yes"
    if hint is str:
        return line.plain(f"the {name}")
    return line.cents() if field.name in MONEY else line.number_(f"the {name}, a whole number")


def _build(line: LineReader, kind: type[c.Command], values: dict[str, Any]) -> c.Command:
    """Build a command from its fields. Read the sender if the line ends with one."""
    by = _usual_sender(kind, values.get("seat"))
    if line.next_is("("):
        line.need("by")
        by = line.plain("the sender of the command")
        line.need(")")
    line.finish()
    return kind(by=by, **values)
