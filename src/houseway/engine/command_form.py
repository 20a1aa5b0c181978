"""The form of a command: every field of its type, given by somebody who may give it.

Commands that came as JSON were checked when they were read; one made in a program is checked here, so
that the engine refuses it and never stumbles.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Any, get_args, get_origin, get_type_hints

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.command_helpers import refuse

Fields = tuple[tuple[str, tuple[type, ...], type | None], ...]
"""The fields of a command: name, the types a value may have, the type of what it holds."""


class _Form:
    """The form of one kind of command."""

    __slots__ = ("fields", "held", "seen", "values")

    def __init__(self, kind: type[c.Command]) -> None:
        fields = []
        for name, hint in get_type_hints(kind).items():
            origin = get_origin(hint)
            if origin in (tuple, dict):
                held = get_args(hint)[0] if origin is tuple else get_args(hint)[1]
                fields.append((name, (origin,), None if held is Any else held))
            else:
                fields.append((name, get_args(hint) or (hint,), None))
        self.fields: Fields = tuple(fields)
        self.held = tuple((n, held) for n, (_, _, held) in enumerate(fields) if held is not None)
        self.values = attrgetter("by", *(name for name, _, _ in fields))
        self.seen: set[tuple[type, ...]] = set()
        """Combinations of types found right before; most commands look like one sent already."""


_said = attrgetter("by", "cards.__class__", "seat", "count", "name", "deck", "seal")
NOTHING_ELSE = ("dealer", tuple, None, None, "", "", "")
"""The usual act of the dealer, looked at first: a step, perhaps cards, nothing else said."""
ONLY_CARDS = {Card}
_form_of = cache(_Form)


def check_form(command: c.Command) -> None:
    """Refuse a command with a field of a wrong type, or from somebody who may not give it."""
    kind = type(command)
    if (
        kind is c.Perform
        and _said(command) == NOTHING_ELSE
        and type(command.step) is str  # type: ignore[attr-defined]
        and (not command.cards or set(map(type, command.cards)) == ONLY_CARDS)  # type: ignore[attr-defined]
    ):
        return
    form = _form_of(kind)
    by, *values = form.values(command)
    types = tuple(map(type, values))
    if types not in form.seen:
        for value, (name, allowed, _) in zip(values, form.fields, strict=True):
            if type(value) not in allowed:
                wanted = " or ".join("nothing" if t is type(None) else t.__name__ for t in allowed)
                refuse("bad-command", f"{name} is {wanted}, not {value!r}", where=f"{kind.__name__}.{name}")
        form.seen.add(types)
    for n, held in form.held:
        if values[n] and not _holds(values[n], held):
            name = form.fields[n][0]
            sentence = f"{name} holds {held.__name__}, not what {values[n]!r} does"
            refuse("bad-command", sentence, where=f"{kind.__name__}.{name}")
    if by != "dealer":
        _check_sender(command)


def _holds(value: Any, held: type) -> bool:
    if type(value) is dict:
        return all(type(k) is str and type(v) is held for k, v in value.items())
    return all(type(v) is held for v in value)


SEAT_COMMANDS = (
    c.Sit, c.Stand, c.Leave, c.Bet, c.AddSalt, c.TakeBack, c.Check, c.Play, c.Fold, c.Keep, c.Split,
    c.Challenge,
)  # fmt: skip
"""What a player does at the own seat; the dealer or the floor may enter it for the player."""
DEALERS = (
    c.OpenTable, c.CloseTable, c.GoIdle, c.Resume, c.ReplaceDeck, c.Perform, c.KeyAward, c.Report,
    c.DealExtra, c.DealShort, c.Mispay,
)  # fmt: skip
"""What no player does; commands that want a floor person refuse others themselves, with their clause."""
WATCHERS = frozenset({"rail", "surveillance"})


def _check_sender(command: c.Command) -> None:
    """A player acts at one seat, a watcher nowhere; who somebody is, the caller must know."""
    by, where = command.by, type(command).__name__
    if by in WATCHERS:
        sentence = f"the {by} watches and gives no commands; ask for a seat to play"
        refuse("only-watching", sentence, where=where)
    if by.startswith("seat ") and isinstance(command, DEALERS):
        refuse("not-the-dealer", f"{by} is a player; this is for the dealer or the floor", where=where)
    if by.startswith("seat ") and isinstance(command, SEAT_COMMANDS) and by != command.where:
        refuse("not-your-seat", f"{by} cannot act at {command.where}; act at the own seat", where=where)
