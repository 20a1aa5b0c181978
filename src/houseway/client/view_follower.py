"""Keeps a client's view of a table up to date: each message from the server patches it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import msgspec

from houseway.client.messages import Entered, FromHouse, RecordHead, Update, Updated, View
from houseway.engine.patches import apply_patch

_messages: Final = msgspec.json.Decoder(FromHouse)


class ViewStep:
    """An update, and the view after it."""

    def __init__(self, update: Update, data: Any) -> None:
        self.update = update
        self._data = data

    @cached_property
    def view(self) -> View:
        """The view after the update."""
        return msgspec.convert(self._data, View, str_keys=True)


class ViewFollower:
    """One viewer's view, kept up to date by the server's messages."""

    def __init__(self) -> None:
        self.seq = 0
        """The number of the last known event; a client that reconnects sends it."""
        self.steps: list[ViewStep] = []
        """The updates of the last message."""
        self.head: RecordHead | None = None
        """The newest signed head of the table's record; `House.contains` compares it later."""
        self._data: Any = None
        """The view as JSON values."""
        self._view: View | None = None

    @property
    def view(self) -> View:
        """The view after the last message. Raises ValueError before the first message."""
        if self._view is None:
            if self._data is None:
                raise ValueError("the server has sent no view yet")
            self._view = msgspec.convert(self._data, View, str_keys=True)
        return self._view

    def take(self, frame: bytes | str) -> FromHouse:
        """Apply a frame and return its message; raises msgspec.DecodeError if it cannot be read."""
        message: FromHouse = _messages.decode(frame)
        if isinstance(message, Entered | Updated):
            whole = message.view
            self.head = getattr(message, "head", None) or self.head
            if whole is not None:
                self._data = msgspec.to_builtins(whole, str_keys=True)
            self.seq, self.steps, self._view = message.seq, [], whole
            # `waits` and `people` are already current, so they are part of the view after every update.
            for name in ("waits", "people"):
                part = getattr(message, name, None)
                if part is not None:
                    self._data = {**self._data, name: msgspec.to_builtins(part, str_keys=True)}
                    self._view = None
            for update in message.updates:
                if update.patch:
                    self._data, self._view = apply_patch(self._data, update.patch), None
                self.steps.append(ViewStep(update, self._data))
        return message
