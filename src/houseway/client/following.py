"""A table followed from what the house sends: each message makes the last sight the present one."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.client import messages2
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
from houseway.engine.patches import apply_patch
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


_version2: Final = msgspec.json.Decoder(messages2.FromHouse)


class Step:
    """An update, and the view after it."""

    def __init__(self, update: messages2.Update, data: Any) -> None:
        self.update = update
        self._data = data

    @cached_property
    def view(self) -> messages2.View:
        """The view after the update."""
        return msgspec.convert(self._data, messages2.View, str_keys=True)


class ViewFollowing:
    """The view of one viewer, followed message by message."""

    def __init__(self) -> None:
        self.seq = 0
        """The last event known; a viewer who returns names it."""
        self.steps: list[Step] = []
        """The updates of the last message."""
        self._data: Any = None
        """The view as JSON values."""
        self._view: messages2.View | None = None

    @property
    def view(self) -> messages2.View:
        """The view after the last message; ValueError before the first."""
        if self._view is None:
            if self._data is None:
                raise ValueError("the server has sent no view yet")
            self._view = msgspec.convert(self._data, messages2.View, str_keys=True)
        return self._view

    def take(self, frame: bytes | str) -> messages2.FromHouse:
        """Take in a frame and return its message; msgspec.DecodeError if it has none."""
        message: messages2.FromHouse = _version2.decode(frame)
        if isinstance(message, messages2.Entered | messages2.Told):
            whole = message.view
            if whole is not None:
                self._data = msgspec.to_builtins(whole, str_keys=True)
            self.seq, self.steps, self._view = message.seq, [], whole
            self._begin(message)
            for update in message.updates:
                if update.patch:
                    self._data, self._view = apply_patch(self._data, update.patch), None
                self.steps.append(Step(update, self._data))
        return message

    def _begin(self, message: messages2.Entered | messages2.Told) -> None:
        """Take in what is about the present, before any event of a message."""
        for name in ("waits", "people"):
            part = getattr(message, name, None)
            if part is not None:
                self._data, self._view = (
                    {**self._data, name: msgspec.to_builtins(part, str_keys=True)},
                    None,
                )
