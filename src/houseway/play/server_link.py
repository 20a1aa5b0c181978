"""The connection to a seat at a server's table. It reconnects if it is lost."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex
from time import monotonic, sleep

import msgspec

from houseway.client import AtTable, House, HouseError
from houseway.client.messages import Choice, Entered, FromHouse, RecordHead, Replay, TableSheet, View
from houseway.engine import commands as c
from houseway.engine.codec import encode_command
from houseway.engine.patches import apply_patch
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.play.player_round import PlayerRound
from houseway.play.prompt import PlayError
from houseway.shoe.salts import SALT_BYTES

TEMPORARY = frozenset({"moving", "record"})
"""Codes of temporary refusals: the table is moving to another server, or the database is busy."""
TRIES = 40
"""Reconnection attempts before the game ends."""
PAUSE = 1.5
"""Seconds between two attempts; the first is immediate."""
EARLIER = 20
"""The number of earlier rounds that the history shows."""


class ServerLink:
    """A socket at a table. If it breaks, the link opens a new one, and the server sends missed events."""

    floor = ""
    """The name of the floor supervisor. Empty: on a server, supervisors sign in themselves."""
    shared = True
    real = False
    cards_prompt = None

    def __init__(
        self, house: House, at: AtTable, sheet: TableSheet, table: Table, others: Sequence[int] = ()
    ) -> None:
        self._house = house
        self._name, self.stream = sheet.card.name, sheet.card.table
        self.at = at
        """The socket, with the view that its messages build."""
        self.table = table
        self.seat = at.view.yours.seat
        self.seats = tuple(sorted((self.seat, *others)))
        """The person's seats: the seat of the socket, and `others`."""
        self._views: dict[int, tuple[int, View]] = {}
        """The last view of each of the other seats, with the number of its last event."""
        self.sender = token_hex(4)
        offered = {circle.wager for circle in sheet.circles}
        self.unoffered = tuple(name for name in table.terms.rulebook.wagers if name not in offered)
        self.busy = False
        """True while there is no prompt, because the connection is lost."""
        self._tries = 0
        self._next_try = 0.0

    @property
    def problem(self) -> str:
        """An error message while the connection is lost; empty otherwise."""
        retry = f"retrying ({self._tries} of {TRIES})"
        return f"The server at {self._house.url} does not answer; {retry}" if self.busy else ""

    def floor_choices(self) -> tuple[Choice, ...]:
        """Return nothing: on a server, the floor supervisor makes these choices, not the player."""
        return ()

    def view(self, seat: int) -> View:
        """Return the newest view of one of the person's seats."""
        if seat == self.seat or seat not in self.seats or self.busy:
            return self.at.view
        seq, view = self._views.get(seat, (-1, self.at.view))
        if seq != self.at.seq:
            try:
                view = self._house.view(self.stream, f"seat {seat}")
            except HouseError:
                return self.at.view
            self._views[seat] = self.at.seq, view
        return view

    def receive(self, seconds: float) -> FromHouse | None:
        """Return the next message; None after a timeout. Raises PlayError if reconnecting fails."""
        if self.busy:
            return self._reconnect(seconds)
        try:
            return self.at.next(seconds)
        except TimeoutError:
            return None
        except HouseError:
            self.lose()
            return None

    def do(self, command: c.Command, key: str, *, late: bool) -> None:
        """Send a command under its key. With `late`, it counts even if other players have acted since."""
        try:
            self.at.do(msgspec.Raw(encode_command(command)), key, None if late else self.at.seq)
        except HouseError:
            self.lose()

    def ready(self) -> None:
        """Tell the table to continue, and send a ping so that the server replies."""
        try:
            self.at.ready()
            self.at.ask_pong()
        except HouseError:
            self.lose()

    def type_cards(self, text: str) -> str:
        """Return an error: a server deals its own cards."""
        return "No cards are needed now."

    def salt(self) -> str:
        """Return a random salt for the players' cut."""
        return token_hex(SALT_BYTES)

    def discard_deck(self) -> None:
        """Do nothing: the server discards the deck at its own deadline."""

    def finish(self) -> Refusal | None:
        """Do nothing: other players may stay at the table."""
        return None

    def recent_events(self) -> tuple[()]:
        """Return no events: the view already contains the current round."""
        return ()

    def rounds(self, before: int | None) -> list[PlayerRound]:
        """Return the last rounds before round `before` in which the person had the seat, oldest first."""
        try:
            listed = self._house.rounds(self.stream, EARLIER)
        except HouseError:
            return []
        numbers = [listing["number"] for listing in reversed(listed)]
        replays = (self._replay(number) for number in numbers if before is None or number < before)
        return [replay for replay in replays if replay is not None]

    def _replay(self, number: int) -> PlayerRound | None:
        """Return a recorded round; None if another player had the seat."""
        try:
            replay = self._house.replay(self.stream, number, f"seat {self.seat}")
        except HouseError:
            return None
        return replayed_round(replay, self.seat)

    def farewell(self, number: int, *, left: bool) -> str:
        """Return a line for a person who quits: what happens to the seat and the hand."""
        if left:
            return f"You have left {self._name}."
        seats = " and ".join(map(str, self.seats))
        stays = f"Seat {seats} at {self._name} stays yours: run the same command to return to it."
        if len(self.seats) > 1:
            stays = f"Seats {seats} at {self._name} stay yours: run the same command to return to them."
        return f"{stays} If you have cards, they are played for you when your time runs out."

    def lose(self) -> None:
        """Close the socket and start to reconnect."""
        self.at.close()
        self.busy, self._tries, self._next_try = True, 0, 0.0

    def _reconnect(self, seconds: float) -> Entered | None:
        """Try to reconnect when the next attempt is due; raises PlayError after the last attempt."""
        wait = self._next_try - monotonic()
        if wait > 0:
            sleep(min(wait, seconds))
            return None
        self._tries += 1
        try:
            at = self._house.at(self.stream, self.at.role, self.at.seq)
        except (HouseError, TimeoutError) as error:
            codes = {refusal.code for refusal in getattr(error, "refused", ())}
            if codes - TEMPORARY or self._tries >= TRIES:
                raise PlayError(f"cannot reconnect to the table: {error}") from error
            self._next_try = monotonic() + PAUSE
            return None
        kept, self.at, self.busy = self.at.head, at, False
        if kept is not None:
            at.head = at.head or kept
            self._compare(kept)
        return Entered(seq=at.seq, role=at.role, view=at.view)

    def _compare(self, kept: RecordHead) -> None:
        """Raise PlayError if the table's record no longer contains the signed head of the last round."""
        try:
            contained = self._house.contains(kept)
        except HouseError:
            # No answer: the record cannot be compared now.
            return
        if not contained:
            lost = f"the record of this table no longer has event {kept.events}, which the server signed"
            raise PlayError(f"{lost}; it was changed or is an older copy, so ask the operator to verify it")

    def close(self) -> None:
        """Close the socket; the person keeps the seat."""
        self.at.close()


def replayed_round(replay: Replay, seat: int) -> PlayerRound:
    """Return a recorded round as the player at a seat saw it."""
    data, own, salt = msgspec.to_builtins(replay.view, str_keys=True), (), ""
    for update in replay.updates:
        data = apply_patch(data, update.patch)
        own = data["yours"].get("cards") or own
        event = update.event or {}
        if event.get("type") in ("SaltAdded", "SaltOpened") and event["seat"] == seat:
            salt = event["salt"]
    view = msgspec.convert(data, View, str_keys=True)
    return PlayerRound(view.table, seat, tuple(map(tuple, own)), salt)
