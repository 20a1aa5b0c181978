"""A table others play at, followed while a person types."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Self

from houseway.play.game import Game
from houseway.play.port import Awaited
from houseway.play.telling import Said

LOOK = 0.1
"""Seconds between two looks at whether the line has been typed."""


class Watching:
    """Tells what happens until the line is typed, and asks again where something else is awaited by then.

    While it is entered the game is its own: whoever reads the line leaves the game alone.
    """

    def __init__(
        self,
        game: Game,
        asked: Awaited,
        say: Callable[[list[Said]], None],
        prompt: Callable[[Awaited], None],
    ) -> None:
        self._game = game
        self.asked: Awaited | None = asked
        """What the person was last asked for; None where the table went on and has not asked again."""
        self._say = say
        self._prompt = prompt
        self._stop = Event()
        self._problem: Exception | None = None
        self._thread = Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        try:
            while not self._stop.is_set():
                self._say(self._game.listen(LOOK))
                if self._game.awaited != self.asked:
                    self.asked = None
                    self._follow()
        except Exception as error:
            self._problem = error

    def _follow(self) -> None:
        while not self._stop.is_set():
            awaited = self._game.awaited
            if awaited is None:
                self._say(self._game.step())
            elif awaited.why == "over":
                self._say(self._game.go_on())
            else:
                self.asked = awaited
                if awaited.why != "left":
                    self._prompt(awaited)
                return

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        if self._problem is not None and error is None:
            raise self._problem
