"""Commands, events and states as plain JSON and back, cards written out: for the record, for no viewer.

What nobody may see yet can be taken apart from a command or an event, so that a record verifies without
it: the cards a command names, and an event's fields named `sealed`.
"""

from __future__ import annotations

from typing import Any, TypeVar, Union

import msgspec
from msgspec.structs import replace

from houseway.cards import Card, card
from houseway.engine import commands, events
from houseway.engine.events import Cards
from houseway.engine.state import State

VERSION = 1
"""The version of names and fields; it grows when a record written before could be read otherwise."""

Record = TypeVar("Record", commands.Command, events.Event)


Kind = TypeVar("Kind")


def kinds(base: type[Kind]) -> list[type[Kind]]:
    """Return every kind of command or event: the classes below a base that have none below them."""
    below = base.__subclasses__()
    return [kind for each in below for kind in kinds(each)] if below else [base]


AnyEvent: Any = Union[tuple(kinds(events.Event))]  # noqa: UP007
AnyCommand: Any = Union[tuple(kinds(commands.Command))]  # noqa: UP007


def card_out(value: Any) -> Any:
    """How what JSON does not know is written: a card as two characters."""
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of a record")


def card_in(kind: type, value: Any) -> Any:
    """How it is read; what is raised here comes out as a fault of the text, with its place."""
    if kind is not Card or not isinstance(value, str):
        raise ValueError(f"{value!r} is no card")
    return card(value)


_encoder = msgspec.json.Encoder(enc_hook=card_out)
_events = msgspec.json.Decoder(AnyEvent, dec_hook=card_in)
_commands = msgspec.json.Decoder(AnyCommand, dec_hook=card_in)
_states = msgspec.json.Decoder(State, dec_hook=card_in)


def written(record: events.Event | commands.Command) -> bytes:
    """A command or an event as JSON, always the same bytes: fields as declared, defaults left out."""
    return _encoder.encode(record)


def read_event(text: bytes | str) -> events.Event:
    """The event a JSON text holds; raises msgspec.DecodeError with what is wrong and where."""
    return _events.decode(text)  # type: ignore[no-any-return]


def read_command(text: bytes | str) -> commands.Command:
    """The command a JSON text holds; raises msgspec.DecodeError with what is wrong and where."""
    return _commands.decode(text)  # type: ignore[no-any-return]


def written_state(state: State) -> bytes:
    """A state as JSON, always the same bytes for the same events folded."""
    return _encoder.encode(state)


def read_state(text: bytes | str) -> State:
    """The state a JSON text holds; raises msgspec.DecodeError with what is wrong and where."""
    return _states.decode(text)


def hidden_fields(record: events.Event | commands.Command) -> tuple[str, ...]:
    """The fields of a command or an event that hold cards not everybody may see."""
    if isinstance(record, commands.Command):
        return _CARDS_OF.get(type(record), ())
    if isinstance(record, (events.HandSet, events.HandSplit)) and not record.shown:
        return tuple(name for name in record.__struct_fields__ if name in _SET)
    return ("sealed",) if hasattr(record, "sealed") else ()


_SET = frozenset({"face", "first", "second", "sealed"})
_CARDS_OF: dict[type[commands.Command], tuple[str, ...]] = {
    commands.Perform: ("cards",),
    commands.Keep: ("cards",),
    commands.Split: ("first", "second"),
    commands.Report: ("cards",),
    commands.DealExtra: ("cards",),
}


def apart(record: Record) -> tuple[Record, dict[str, Cards]]:
    """A command or an event without its hidden cards, and those cards by field."""
    hidden = {name: getattr(record, name) for name in hidden_fields(record) if getattr(record, name)}
    return (replace(record, **dict.fromkeys(hidden, ())), hidden) if hidden else (record, hidden)


def whole(record: Record, hidden: dict[str, Cards]) -> Record:
    """A command or an event with its hidden cards put back."""
    return replace(record, **hidden) if hidden else record
