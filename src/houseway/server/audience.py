"""Those who watch a table, and what they are told: moments, and the parts of a sight that changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from houseway.audit.roles import RAIL, SURVEILLANCE
from houseway.client.messages import Entered, SeenRound, Sitter, Waits, Yours
from houseway.engine.evolve import seat_of
from houseway.engine.state import State
from houseway.engine.views import Layout
from houseway.live.delivery import Watcher
from houseway.server.sights import FIELDS, encoder

REMEMBERED: Final = 512
"""Moments kept for those who come back; who was away longer sees the table as it lies."""


class Common(NamedTuple):
    """The parts of a sight that are the same for everybody."""

    layout: Layout
    waits: Waits
    people: dict[int, Sitter]
    seen: SeenRound


class Audience:
    """All who watch one table, by role."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self._told: dict[str, dict[str, bytes]] = {}
        """The sight last told to each role, part by part."""
        self._news: list[bytes] = []
        self._state: State | None = None
        """The table as it was told last."""
        self._remembered: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self._left: dict[Watcher, int] = {}
        """Who watches from the rail and had a seat, and which."""

    def has(self, role: str) -> bool:
        """Whether anybody watches in a role."""
        return role in self._told

    def welcome(self, watcher: Watcher, entered: Entered, since: int | None) -> None:
        """Show the table to somebody who comes, with what happened behind the event known."""
        known = [text for seq, text in self._remembered if since is not None and seq > since]
        if since is not None and entered.seq - since > len(known):
            entered = replace(entered, missed=True)
        body = encoder.encode(entered)
        if known:
            body = body[:-1] + b',"moments":[' + b",".join(known) + b"]}"
        self.watchers.add(watcher)
        self._told.setdefault(watcher.role, {})
        watcher.tell(body)

    def lose(self, watcher: Watcher) -> None:
        """Somebody is gone."""
        self.watchers.discard(watcher)
        self._left.pop(watcher, None)
        self._drop(watcher.role)

    def place(self, players: Mapping[int, str]) -> None:
        """Let everybody watch as what they are now, by who sits where.

        Who has no seat any more sees what everybody sees, and the seat's cards again when the player sits
        down there once more; who plays does not watch from above.
        """
        for watcher in self.watchers:
            seat = seat_of(watcher.role)
            if seat and players.get(seat) != watcher.handle:
                self._move(watcher, RAIL)
                self._left[watcher] = seat
            elif watcher.role == SURVEILLANCE and watcher.handle in players.values():
                self._move(watcher, RAIL)
        for watcher, seat in tuple(self._left.items()):
            if players.get(seat) == watcher.handle:
                self._move(watcher, f"seat {seat}")
                del self._left[watcher]

    def _move(self, watcher: Watcher, role: str) -> None:
        before, watcher.role = watcher.role, role
        self._drop(before)
        # Whole at first, for all who see it so.
        self._told[role] = {}

    def _drop(self, role: str) -> None:
        """Forget what a role was told once nobody has it any more."""
        if all(watcher.role != role for watcher in self.watchers):
            self._told.pop(role, None)

    def anew(self) -> None:
        """Tell everybody the whole sight next: what was told may not be how the table lies."""
        self._told = {role: {} for role in self._told}

    def happened(self, seq: int, moment: bytes) -> None:
        """Something is on record; it is told with the next change."""
        self._news.append(moment)
        self._remembered.append((seq, moment))

    def tell(self, seq: int, common: Common, yours: Callable[[str, Common], Yours], state: State) -> None:
        """Tell every role what happened and what changed in its sight."""
        news, self._news = b",".join(self._news), []
        # Where nothing happened, only who is waited for can be new.
        still, self._state = not news and state is self._state, state
        # What is the same for everybody is written once.
        written = {name: encoder.encode(part) for name, part in common._asdict().items()}
        running = encoder.encode(replace(common.waits, seconds=common.waits.seconds and 1.0))
        # Who plays hears of it first, however many only watch.
        for role in sorted(self._told, key=lambda role: not seat_of(role)):
            before = self._told[role]
            own = before.get("yours") if still else None
            parts = {**written, "yours": own or encoder.encode(yours(role, common))}
            # A clock that has only run on is nothing new.
            marks = {**parts, "waits": running}
            changed = [
                b'"%s":%s' % (name.encode(), parts[name])
                for name in FIELDS
                if marks[name] != before.get(name) or (name == "waits" and news)
            ]
            if not news and not changed:
                continue
            self._told[role] = marks
            sight = b",".join(changed)
            frame = b'{"type":"told","seq":%d,"moments":[%s],"sight":{%s}}' % (seq, news, sight)
            for watcher in tuple(self.watchers):
                if watcher.role == role:
                    watcher.tell(frame)
