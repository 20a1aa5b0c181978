"""The form of a command: every field of its type, given by somebody who may give it.

Commands that came as JSON were checked when they were read; one made in a program is checked here, so
that the engine refuses it and never stumbles.
"""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

from houseway.engine import commands as c
from houseway.engine.answers import refuse
from houseway.engine.refusals import Refusal

FORMS: dict[type[c.Command], tuple[tuple[str, tuple[type, ...], type | None], ...]] = {}
"""For each command its fields: name, the types a value may have, the type of what it holds."""


def _form(kind: type[c.Command]) -> tuple[tuple[str, tuple[type, ...], type | None], ...]:
    found = []
    for name, hint in get_type_hints(kind).items():
        origin = get_origin(hint)
        if origin in (tuple, dict):
            held = get_args(hint)[0] if origin is tuple else get_args(hint)[1]
            found.append((name, (origin,), None if held is Any else held))
        else:
            found.append((name, get_args(hint) or (hint,), None))
    return tuple(found)


def ill_formed(command: c.Command) -> Refusal | None:
    """What is wrong with a command's form, or with who gives it."""
    kind = type(command)
    form = FORMS.get(kind)
    if form is None:
        form = FORMS[kind] = _form(kind)
    for name, types, held in form:
        value = getattr(command, name)
        if type(value) not in types or (held is not None and value and not _holds(value, held)):
            wanted = " or ".join("nothing" if t is type(None) else t.__name__ for t in types)
            of = f" of {held.__name__}" if held is not None else ""
            sentence = f"{name} is {wanted}{of}, not {value!r}"
            return refuse("bad-command", None, f"{kind.__name__}.{name}", sentence)
    return _not_theirs(command)


def _holds(value: Any, held: type) -> bool:
    if type(value) is dict:
        return all(type(k) is str and (held is object or type(v) is held) for k, v in value.items())
    return all(type(v) is held for v in value)


SEAT_COMMANDS = (
    c.Sit, c.Stand, c.Leave, c.Bet, c.TakeBack, c.Check, c.Play, c.Fold, c.Keep, c.Split, c.Challenge,
)  # fmt: skip
"""What a player does at the own seat; the dealer or the floor may enter it for the player."""
DEALERS = (
    c.OpenTable, c.CloseTable, c.GoIdle, c.Resume, c.ReplaceDeck, c.Perform, c.KeyAward, c.Report,
    c.DealExtra, c.DealShort, c.Mispay,
)  # fmt: skip
"""What no player does; commands that want a floor person refuse others themselves, with their clause."""
WATCHERS = frozenset({"rail", "surveillance"})


def _not_theirs(command: c.Command) -> Refusal | None:
    """A player acts at one seat, a watcher nowhere; who somebody is, the caller must know."""
    by = command.by
    if by == "dealer":
        return None
    where = type(command).__name__
    if by in WATCHERS:
        return refuse("only-watching", None, where, f"the {by} watches and gives no commands")
    if by.startswith("seat "):
        if isinstance(command, DEALERS):
            sentence = f"{by} is a player; this is for the dealer or the floor"
            return refuse("not-the-dealer", None, where, sentence)
        if isinstance(command, SEAT_COMMANDS) and by != f"seat {command.seat}":
            sentence = f"{by} cannot act at seat {command.seat}"
            return refuse("not-your-seat", None, where, sentence)
    return None
