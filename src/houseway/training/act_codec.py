"""JSON codec for acts in the dealer's chair, conduct and happenings. Its output includes face-down cards,
so only records may use it."""

from __future__ import annotations

from typing import Any, Union

import msgspec

from houseway.engine.codec import AnyCommand, decode_card, encode_card, kinds
from houseway.training.acts import ChairAct
from houseway.training.chair import Conduct, Happening

AnyAct: Any = Union[tuple(kinds(ChairAct))]  # noqa: UP007
_encoder = msgspec.json.Encoder(enc_hook=encode_card)
_acts = msgspec.json.Decoder(AnyAct, dec_hook=decode_card)


def encode_act(act: ChairAct) -> bytes:
    """Return an act as JSON without default values; equal acts give equal bytes."""
    return _encoder.encode(act)


def read_act(text: bytes | str) -> ChairAct:
    """Return the act in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    return _acts.decode(text)  # type: ignore[no-any-return]


class ConductRecord(Conduct, frozen=True, forbid_unknown_fields=True):
    """Conduct as a file stores it: its commands can be of any kind."""

    tries: AnyCommand | None = None
    then: AnyCommand | None = None


class HappeningRecord(Happening, frozen=True, forbid_unknown_fields=True):
    """A happening as a file stores it: its command can be of any kind."""

    command: AnyCommand | None = None


_conduct = msgspec.json.Decoder(ConductRecord, dec_hook=decode_card)
_happenings = msgspec.json.Decoder(HappeningRecord, dec_hook=decode_card)


def encode_conduct(conduct: Conduct) -> bytes:
    """Return conduct as JSON without default values."""
    return _encoder.encode(conduct)


def read_conduct(text: bytes | str) -> Conduct:
    """Return the conduct in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    stored = _conduct.decode(text)
    return Conduct(**{name: getattr(stored, name) for name in Conduct.__struct_fields__})


def encode_happening(happening: Happening) -> bytes:
    """Return a happening as JSON without default values."""
    return _encoder.encode(happening)


def read_happening(text: bytes | str) -> Happening:
    """Return the happening in a JSON text; raise msgspec.DecodeError with the fault and its place."""
    stored = _happenings.decode(text)
    return Happening(**{name: getattr(stored, name) for name in Happening.__struct_fields__})
