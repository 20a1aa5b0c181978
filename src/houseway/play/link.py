"""The way to a seat of a house: messages in and out, and back again after the house was away."""

from __future__ import annotations

from time import monotonic, sleep

import msgspec

from houseway.client import AtTable, House, HouseError
from houseway.client.messages import Entered, FromHouse, Sight
from houseway.engine import commands as c
from houseway.engine.codec import written
from houseway.play.opening import PlayError

TRIES = 40
"""How often a house that is away is asked for before the game ends."""
PAUSE = 1.5
"""Seconds between two tries; the first comes at once."""


class Link:
    """One's socket at a table. Where it breaks it is opened anew, and the house says what was missed."""

    def __init__(self, house: House, table: str, at: AtTable) -> None:
        self._house = house
        self._table = table
        self._at = at
        self.away = False
        """Whether the house is away."""
        self._tries = 0
        self._next_try = 0.0

    @property
    def seq(self) -> int:
        """The last event known."""
        return self._at.seq

    @property
    def sight(self) -> Sight:
        """What is seen since the last message."""
        return self._at.sight

    @property
    def problem(self) -> str:
        """What is wrong while the house is away."""
        return f"The house at {self._house.url} does not answer; trying again ({self._tries} of {TRIES})"

    def receive(self, seconds: float) -> FromHouse | None:
        """The next message, if one comes in time; PlayError where the house does not come back."""
        if self.away:
            return self._come_back(seconds)
        try:
            return self._at.next(seconds)  # type: ignore[return-value]
        except TimeoutError:
            return None
        except HouseError:
            self.lose()
            return None

    def do(self, command: c.Command, key: str, expect: int | None) -> None:
        """Send a command under its key."""
        try:
            self._at.do(msgspec.Raw(written(command)), key, expect)
        except HouseError:
            self.lose()

    def ready(self) -> None:
        """Say that the table may go on, and have the house answer once that is told."""
        try:
            self._at.ready()
            self._at.ask_pong()
        except HouseError:
            self.lose()

    def lose(self) -> None:
        """The house is away."""
        self._at.close()
        self.away, self._tries, self._next_try = True, 0, 0.0

    def _come_back(self, seconds: float) -> Entered | None:
        wait = self._next_try - monotonic()
        if wait > 0:
            sleep(min(wait, seconds))
            return None
        self._tries += 1
        try:
            at = self._house.at(self._table, self._at.role, self._at.seq)
        except (HouseError, TimeoutError) as error:
            if getattr(error, "refused", ()) or self._tries >= TRIES:
                raise PlayError(f"the table is lost: {error}") from error
            self._next_try = monotonic() + PAUSE
            return None
        self._at, self.away = at, False
        return Entered(seq=at.seq, role=at.role, sight=at.sight, moments=tuple(at.moments))

    def close(self) -> None:
        """Go; the seat stays one's own."""
        self._at.close()
