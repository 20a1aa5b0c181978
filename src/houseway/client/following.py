"""A table followed from what the house sends: each message makes the last sight the present one."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.client.messages import (
    Entered,
    FromHouse,
    Moment,
    SeenRound,
    Sight,
    Sitter,
    Told,
    Waits,
    Yours,
)
from houseway.engine.views import Layout

_messages: Final = msgspec.json.Decoder(FromHouse)
_parts: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    "layout": msgspec.json.Decoder(Layout),
    "yours": msgspec.json.Decoder(Yours),
    "waits": msgspec.json.Decoder(Waits),
    "people": msgspec.json.Decoder(dict[int, Sitter]),
    "seen": msgspec.json.Decoder(SeenRound),
}


class Following:
    """What somebody at a table knows, message by message."""

    def __init__(self) -> None:
        self.seq = 0
        """The last event known: who comes back says it."""
        self.sight: Sight | None = None
        self.moments: list[Moment] = []
        """What happened with the last message."""

    def take(self, frame: bytes | str) -> FromHouse:
        """Take a frame in and give the message it holds; msgspec.DecodeError where it holds none."""
        message: FromHouse = _messages.decode(frame)
        if isinstance(message, Entered):
            self.seq, self.sight, self.moments = message.seq, message.sight, list(message.moments)
        elif isinstance(message, Told) and self.sight is not None:
            changed = {name: _parts[name].decode(part) for name, part in message.sight.items()}
            self.seq, self.sight = message.seq, replace(self.sight, **changed)
            self.moments = list(message.moments)
        return message
