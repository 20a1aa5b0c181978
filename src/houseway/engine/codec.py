"""Commands and events as plain JSON and back, cards written out: for the record, never for a viewer."""

from __future__ import annotations

from typing import Any, Union

import msgspec

from houseway.cards import Card, card
from houseway.engine import commands, events

VERSION = 1
"""The version of names and fields; it grows when a record written before could be read otherwise."""


def _all(kinds: list[type[events.Event]] | list[type[commands.Command]]) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007


def _out(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of a record")


def _in(kind: type, value: Any) -> Any:
    # What is raised here comes out as a fault of the text, with its place.
    if kind is not Card or not isinstance(value, str):
        raise ValueError(f"{value!r} is no card")
    return card(value)


_encoder = msgspec.json.Encoder(enc_hook=_out)
_events = msgspec.json.Decoder(_all(events.Event.__subclasses__()), dec_hook=_in)
_commands = msgspec.json.Decoder(_all(commands.Command.__subclasses__()), dec_hook=_in)


def written(record: events.Event | commands.Command) -> bytes:
    """A command or an event as JSON, always the same bytes: fields as declared, defaults left out."""
    return _encoder.encode(record)


def read_event(text: bytes | str) -> events.Event:
    """The event a JSON text holds; raises msgspec.DecodeError with what is wrong and where."""
    return _events.decode(text)  # type: ignore[no-any-return]


def read_command(text: bytes | str) -> commands.Command:
    """The command a JSON text holds; raises msgspec.DecodeError with what is wrong and where."""
    return _commands.decode(text)  # type: ignore[no-any-return]
