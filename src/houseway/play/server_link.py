"""The way to a seat at a server's table: messages in and out, and back again after the server was away."""

from __future__ import annotations

from secrets import token_hex
from time import monotonic, sleep

import msgspec

from houseway.client import AtTable, House, HouseError
from houseway.client.messages import Entered, FromHouse, Replay, TableSheet, View
from houseway.engine import commands as c
from houseway.engine.codec import written
from houseway.engine.patches import apply_patch
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.play.player_round import SeenRound
from houseway.play.port import PlayError
from houseway.shoe.salts import SALT_BYTES

TRIES = 40
"""How often a server that is away is tried before the game ends."""
PAUSE = 1.5
"""Seconds between two tries; the first comes at once."""
EARLIER = 20
"""Rounds before the person came to the table that the history reads back."""


class Link:
    """A socket at a table. If it breaks it is opened anew, and the server sends what was missed."""

    shared = True
    cards_wanted = None

    def __init__(self, house: House, at: AtTable, sheet: TableSheet, table: Table) -> None:
        self._house = house
        self._name, self.stream = sheet.card.name, sheet.card.table
        self.at = at
        """The table as the person follows it."""
        self.table = table
        self.seat = at.view.yours.seat
        self.seats = (self.seat,)
        self.sender = token_hex(4)
        shown = {circle.wager for circle in sheet.circles}
        self.unoffered = tuple(name for name in table.terms.rulebook.wagers if name not in shown)
        self.busy = False
        """True while the server is away."""
        self._tries = 0
        self._next_try = 0.0

    @property
    def problem(self) -> str:
        """What is wrong while the server is away."""
        trying = f"trying again ({self._tries} of {TRIES})"
        return f"The house at {self._house.url} does not answer; {trying}" if self.busy else ""

    def view(self, seat: int) -> View:
        """The table as it was sent last."""
        return self.at.view

    def receive(self, seconds: float) -> FromHouse | None:
        """The next message, if one comes in time; PlayError if the server does not come back."""
        if self.busy:
            return self._come_back(seconds)
        try:
            return self.at.next(seconds)
        except TimeoutError:
            return None
        except HouseError:
            self.lose()
            return None

    def do(self, command: c.Command, key: str, *, late: bool) -> None:
        """Send a command under its key; with `late` it counts although others have acted since."""
        try:
            self.at.do(msgspec.Raw(written(command)), key, None if late else self.at.seq)
        except HouseError:
            self.lose()

    def ready(self) -> None:
        """Say that the table may go on, and have it answer with a pong."""
        try:
            self.at.ready()
            self.at.ask_pong()
        except HouseError:
            self.lose()

    def type_cards(self, text: str) -> str:
        """No cards are typed at a server's table."""
        return "no cards are wanted now"

    def salt(self) -> str:
        """A random salt for the players' cut."""
        return token_hex(SALT_BYTES)

    def finish(self) -> Refusal | None:
        """Leave the table to the others."""
        return None

    def lately(self) -> tuple[()]:
        """Nothing: the view has the round."""
        return ()

    def rounds(self, before: int | None) -> list[SeenRound]:
        """The last rounds on record with a number below `before` in which the person had the seat."""
        try:
            listed = self._house.rounds(self.stream, EARLIER)
        except HouseError:
            return []
        numbers = [listing["number"] for listing in reversed(listed)]
        replays = (self._replay(number) for number in numbers if before is None or number < before)
        return [seen for seen in replays if seen is not None]

    def _replay(self, number: int) -> SeenRound | None:
        """A round on record; None if another player had the seat."""
        try:
            replay = self._house.replay(self.stream, number, f"seat {self.seat}")
        except HouseError:
            return None
        return seen_in(replay, self.seat)

    def farewell(self, number: int, *, left: bool) -> str:
        """What becomes of the seat when the person quits."""
        if left:
            return f"You have left {self._name}."
        stays = f"Seat {self.seat} at {self._name} stays yours: the same command comes back to it."
        return f"{stays} A hand under way is played for you at its deadline."

    def lose(self) -> None:
        """Note that the server is away."""
        self.at.close()
        self.busy, self._tries, self._next_try = True, 0, 0.0

    def _come_back(self, seconds: float) -> Entered | None:
        wait = self._next_try - monotonic()
        if wait > 0:
            sleep(min(wait, seconds))
            return None
        self._tries += 1
        try:
            at = self._house.at(self.stream, self.at.role, self.at.seq)
        except (HouseError, TimeoutError) as error:
            if getattr(error, "refused", ()) or self._tries >= TRIES:
                raise PlayError(f"the table is lost: {error}") from error
            self._next_try = monotonic() + PAUSE
            return None
        self.at, self.busy = at, False
        return Entered(seq=at.seq, role=at.role, view=at.view)

    def close(self) -> None:
        """Close the socket; the seat stays the person's."""
        self.at.close()


def seen_in(replay: Replay, seat: int) -> SeenRound:
    """A round on record as the player at a seat saw it."""
    data, own, salt = msgspec.to_builtins(replay.view, str_keys=True), (), ""
    for update in replay.updates:
        data = apply_patch(data, update.patch)
        own = data["yours"].get("cards") or own
        event = update.event or {}
        if event.get("type") == "SaltAdded" and event["seat"] == seat:
            salt = event["salt"]
    view = msgspec.convert(data, View, str_keys=True)
    return SeenRound(view.table, seat, tuple(map(tuple, own)), salt)
