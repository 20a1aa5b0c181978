"""JSON codec for commands, events and states. Its output includes face-down cards, so only the record may
use it.

Hidden cards are the cards that a command names and the `sealed` field of an event. They can be split off,
so that a record verifies without them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, Union

import msgspec
from msgspec.structs import astuple, replace

from houseway.cards import Card, read_card
from houseway.engine import commands, events
from houseway.engine.events import Cards
from houseway.engine.state import State

VERSION = 1
"""The version of the names and fields of commands and events.

It increases when a change alters the meaning of old records.
"""

Record = TypeVar("Record", commands.Command, events.Event)


Kind = TypeVar("Kind")


def kinds(base: type[Kind]) -> list[type[Kind]]:
    """Return every kind of command or event: the subclasses of `base` that are not subclassed further."""
    subclasses = base.__subclasses__()
    return [kind for each in subclasses for kind in kinds(each)] if subclasses else [base]


AnyEvent: Any = Union[tuple(kinds(events.Event))]  # noqa: UP007
AnyCommand: Any = Union[tuple(kinds(commands.Command))]  # noqa: UP007


def encode_card(value: Any) -> Any:
    """Encode a card, the only type that JSON lacks, as its two characters."""
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"a record cannot contain a {type(value).__name__}")


def decode_card(kind: type, value: Any) -> Any:
    """Decode a card. The decoder reports a ValueError raised here with its place in the text."""
    if kind is not Card or not isinstance(value, str):
        raise ValueError(f"{value!r} is not a card")
    return read_card(value)


_encoder = msgspec.json.Encoder(enc_hook=encode_card)
_events = msgspec.json.Decoder(AnyEvent, dec_hook=decode_card)
_commands = msgspec.json.Decoder(AnyCommand, dec_hook=decode_card)
_states = msgspec.json.Decoder(State, dec_hook=decode_card)


def encode_command(record: events.Event | commands.Command) -> bytes:
    """Return a command or an event as JSON without default values; equal values give equal bytes."""
    return _encoder.encode(record)


def same_event(one: events.Event, other: events.Event) -> bool:
    """True if two events have the same kind and the same fields.

    Their JSON may still differ: a field with its default value may be written or left out.
    """
    return type(one) is type(other) and _encoder.encode(astuple(one)) == _encoder.encode(astuple(other))


def read_event(text: bytes | str) -> events.Event:
    """Return the event in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    return _events.decode(text)  # type: ignore[no-any-return]


def unknown_field(text: bytes | str, command: commands.Command) -> str:
    """Return the first field of a JSON text that its command does not have; empty if there is none."""
    known = {"type", *command.__struct_fields__}
    return next((name for name in msgspec.json.decode(text, type=dict[str, Any]) if name not in known), "")


def read_command(text: bytes | str) -> commands.Command:
    """Return the command in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    return _commands.decode(text)  # type: ignore[no-any-return]


def encode_state(state: State) -> bytes:
    """Return a state as JSON; equal states give equal bytes."""
    return _encoder.encode(state)


def read_state(text: bytes | str) -> State:
    """Return the state in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    return _states.decode(text)


def hidden_fields(record: events.Event | commands.Command) -> tuple[str, ...]:
    """Return the fields of a command or an event that contain hidden cards."""
    # Every event passes here several times; comparing types is faster than isinstance.
    if (type(record) is events.HandSet or type(record) is events.HandSplit) and not record.shown:
        return tuple(name for name in record.__struct_fields__ if name in _HAND_FIELDS)
    return _hidden_fields_of(type(record))


@cache
def _hidden_fields_of(kind: type[events.Event | commands.Command]) -> tuple[str, ...]:
    if issubclass(kind, commands.Command):
        return _CARD_FIELDS.get(kind, ())
    return ("sealed",) if "sealed" in kind.__struct_fields__ else ()


_HAND_FIELDS = frozenset({"face", "first", "second", "sealed"})
_CARD_FIELDS: dict[type[commands.Command], tuple[str, ...]] = {
    commands.Perform: ("cards",),
    commands.Keep: ("cards",),
    commands.Split: ("first", "second"),
    commands.Report: ("cards",),
    commands.DealExtra: ("cards",),
    commands.DealShort: ("cards",),
}


def hide(record: Record) -> tuple[Record, dict[str, Cards]]:
    """Return a command or an event without its hidden cards, and those cards by field."""
    fields = hidden_fields(record)
    hidden = {name: getattr(record, name) for name in fields if getattr(record, name)} if fields else {}
    return (replace(record, **dict.fromkeys(hidden, ())), hidden) if hidden else (record, hidden)


def unhide(record: Record, hidden: dict[str, Cards]) -> Record:
    """Return a command or an event with its hidden cards put back."""
    return replace(record, **hidden) if hidden else record
