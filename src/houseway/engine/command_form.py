"""Check the form of a command: the type of every field, and that its sender may send it.

The codec checks the types of commands read from JSON. Commands built in a program are checked here, so
that a wrong type is refused and does not raise an error in the engine.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Any, get_args, get_origin, get_type_hints

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.command_helpers import refuse
from houseway.engine.table import Table
from houseway.engine.terms import Terms

Fields = tuple[tuple[str, tuple[type, ...], type | None], ...]
"""The fields of a command: name, allowed types, and the type of the items of a tuple or dict."""


class _Form:
    """The form of one kind of command."""

    __slots__ = ("accepted", "fields", "items", "values")

    def __init__(self, kind: type[c.Command]) -> None:
        fields = []
        for name, hint in get_type_hints(kind).items():
            origin = get_origin(hint)
            if origin in (tuple, dict):
                item = get_args(hint)[0] if origin is tuple else get_args(hint)[1]
                fields.append((name, (origin,), None if item is Any else item))
            else:
                fields.append((name, get_args(hint) or (hint,), None))
        self.fields: Fields = tuple(fields)
        self.items = tuple((n, item) for n, (_, _, item) in enumerate(fields) if item is not None)
        self.values = attrgetter("by", *(name for name, _, _ in fields))
        self.accepted: set[tuple[type, ...]] = set()
        """The combinations of field types that have passed the check."""


_perform_fields = attrgetter(
    "by", "cards.__class__", "seat", "count", "name", "deck", "seal", "exception", "holds"
)
PLAIN_PERFORM: tuple[object, ...] = ("dealer", tuple, None, None, "", "", "", "", {})
"""The most common command, checked first: the dealer performs a step, with cards or without."""
ONLY_CARDS = {Card}
_form_of = cache(_Form)


def check_form(table: Table, command: c.Command) -> None:
    """Refuse a command with a field of the wrong type, or from a sender who may not send it."""
    kind = type(command)
    if (
        kind is c.Perform
        and _perform_fields(command) == PLAIN_PERFORM
        and type(command.step) is str  # type: ignore[attr-defined]
        and (not command.cards or set(map(type, command.cards)) == ONLY_CARDS)  # type: ignore[attr-defined]
    ):
        return
    form = _form_of(kind)
    by, *values = form.values(command)
    types = tuple(map(type, values))
    if types not in form.accepted:
        for value, (name, allowed, _) in zip(values, form.fields, strict=True):
            if type(value) not in allowed:
                right = " or ".join("None" if t is type(None) else t.__name__ for t in allowed)
                sentence = f"{name} must be {right}, not {value!r}"
                refuse("bad-command", sentence, where=f"{kind.__name__}.{name}")
        form.accepted.add(types)
    for n, item in form.items:
        if values[n] and not _all_are(values[n], item):
            name = form.fields[n][0]
            sentence = f"every item of {name} must be {item.__name__}; got {values[n]!r}"
            refuse("bad-command", sentence, where=f"{kind.__name__}.{name}")
    if by != "dealer":
        _check_sender(table, command)


def _all_are(value: Any, item: type) -> bool:
    if type(value) is dict:
        return all(type(k) is str and type(v) is item for k, v in value.items())
    return all(type(v) is item for v in value)


SEAT_COMMANDS = (
    c.Sit, c.Stand, c.Leave, c.Bet, c.AddSalt, c.CommitSalt, c.OpenSalt, c.TakeBack, c.Check, c.Play,
    c.Fold, c.Keep, c.Split, c.Challenge,
)  # fmt: skip
"""A player's commands. The player sends them from their own seat, or the dealer or floor enters them."""
DEALER_COMMANDS = (
    c.OpenTable, c.CloseTable, c.GoIdle, c.Resume, c.ReplaceDeck, c.Perform, c.KeyAward, c.Report,
    c.DealExtra, c.DealShort, c.Mispay, c.SyncMeters, c.MakeRuling, c.ShowCards, c.SeeFold, c.DiscardDeck,
    c.RemovePlayer,
)  # fmt: skip
"""The commands that no player may send. Handlers of the floor's commands check the sender themselves."""
WATCHERS = frozenset({"rail", "surveillance"})


WAGER_COMMANDS = (c.Bet, c.Play, c.Split)
"""The commands that make a wager."""


def seated_clause(terms: Terms, command: c.Command) -> str | None:
    """Return the clause that lets only seated players wager, if the command makes a wager; else None."""
    return terms.clause("seated") if isinstance(command, WAGER_COMMANDS) else None


def answer_clause(terms: Terms, command: c.Command) -> str | None:
    """Return the clause that says who answers a challenge or sets the dealer's hand again; else None."""
    rule = {c.AnswerChallenge: "reset", c.ResetHand: "follows"}.get(type(command))
    step = next((one for one in terms.rulebook.procedure.round if one.act == "set dealer"), None)
    return None if rule is None or step is None else step.rule(rule, terms.mode)


def _check_sender(table: Table, command: c.Command) -> None:
    """Refuse a spectator, and a player who acts for another seat or sends a dealer's command.

    The caller must have identified the sender.
    """
    by, command_name = command.by, type(command).__name__
    if by in WATCHERS:
        sentence = "spectators can only watch; take a seat to play"
        refuse("only-watching", sentence, seated_clause(table.terms, command), command_name)
    if by.startswith("seat ") and isinstance(command, DEALER_COMMANDS):
        refuse("not-the-dealer", "players cannot send this command", where=command_name)
    if by.startswith("seat ") and isinstance(command, SEAT_COMMANDS) and by != command.where:
        sentence = f"you can only act at {by}, not at {command.where}"
        refuse("not-your-seat", sentence, seated_clause(table.terms, command), command_name)
