"""The viewers of one table. Each gets an update for every event, with a patch for the viewer's role."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Final, NamedTuple, Protocol

from msgspec.structs import replace

from houseway.audit.roles import RAIL, SURVEILLANCE
from houseway.client.messages import Entered, Sitter, View, Waits, Yours
from houseway.engine import events as e
from houseway.engine.evolve import seat_of
from houseway.engine.patches import difference, entries_difference
from houseway.engine.state import State
from houseway.engine.table_view import Follower
from houseway.live.recent_events import Numbered
from houseway.live.recorded_table import RecordedTable
from houseway.live.viewer_messages import Last, encoder, update, yours_between, yours_of
from houseway.narrate.live_log import (
    LiveEvent,
    Log,
    LogEntry,
    LogLine,
    RoundLog,
    lines,
    listeners,
    say_aloud,
)
from houseway.narrate.reasons import Reasons
from houseway.narrate.record import RoundTeller
from houseway.rules.odds_words import wording

BOT_MARK: Final = " (bot)"
"""The end of a bot's name."""
REMEMBERED: Final = 512
"""The number of updates kept for viewers who reconnect. A viewer who missed more gets only these."""


LogLines = tuple[tuple[int, LogLine], ...]
"""Lines of a log with their numbers."""


class Watcher(Protocol):
    """A viewer who gets the updates of a table."""

    role: str
    handle: str

    def tell(self, frame: bytes) -> None:
        """Send a message without waiting."""


class NewEvent(NamedTuple):
    """An event on record that has not been sent yet."""

    seq: int
    text: bytes
    """The update as JSON, without a patch."""
    table: bytes
    """The patch of the public view; empty if nothing changed."""
    heard: LiveEvent
    log: dict[int, LogEntry]
    """The log entries that the event adds or changes."""
    new_round: bool
    """True if the event opens a round, and with it a new log."""

    def patched(self, yours: bytes = b"{}", aloud: tuple[str, ...] = ()) -> bytes:
        """Return the update with the public patch, and with one role's own patch and spoken words."""
        parts = [b'"table":' + self.table] if self.table else []
        parts += [b'"yours":' + yours] if yours != b"{}" else []
        text = b'%s,"aloud":%s}' % (self.text[:-1], encoder.encode(aloud)) if aloud else self.text
        return b'%s,"patch":{%s}}' % (text[:-1], b",".join(parts)) if parts else text


class Speech(NamedTuple):
    """An event with the words that a screen reader says after it."""

    event: NewEvent
    aloud: tuple[str, ...]
    text: bytes
    """The update for viewers whose own part of the view did not change."""
    by_log: dict[tuple[LogLines, LogLines], bytes]
    """The updates for viewers whose own part changed only in the log, by the lines before and after."""

    def with_log(self, old: Log, new: Log) -> bytes:
        """Return the update for viewers whose own part changed only in these lines of the log."""
        lines = (tuple(old.items()), tuple(new.items()))
        text = self.by_log.get(lines)
        if text is None:
            patch = {"log": entries_difference(old, new)}
            text = self.by_log[lines] = self.event.patched(encoder.encode(patch), self.aloud)
        return text


class Attendance(NamedTuple):
    """A copy of the roles and players of a table's viewers, which another thread may read."""

    watched: bool
    """True if the table has a viewer."""
    roles: frozenset[str]
    players: frozenset[str]
    """The handles of players who are connected at a seat."""

    def has(self, role: str) -> bool:
        """True if a viewer has this role."""
        return role in self.roles

    def has_player(self, handle: str) -> bool:
        """True if a player is connected at any of their seats."""
        return handle in self.players


class Audience:
    """All viewers of one table, by role."""

    def __init__(
        self, now: RecordedTable, events: Iterable[Numbered], left_out: Iterable[str] = ()
    ) -> None:
        self.watchers: set[Watcher] = set()
        self._now = now
        self._left_out = frozenset(left_out)
        self._sent: dict[str, View | None] = {}
        """The view last sent to each role; None if the role gets the whole view next."""
        self._state: State | None = None
        """The state of the table when updates were last sent."""
        self._remembered: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self._left: dict[Watcher, int] = {}
        """Viewers at the rail (spectators) who had a seat, and the seat."""
        self.restart(events)

    def restart(self, events: Iterable[Numbered]) -> None:
        """Start again from the events of the current round; every viewer gets the whole view next."""
        self.follower = Follower(self._now.table, self._now.state, Reasons(self._now.table))
        table = self._now.table
        self._teller, self._log = RoundTeller(table.terms.order, wording=wording(table.book)), RoundLog()
        for _, event in events:
            self.follower.remember(event)
            self._log.take(event, self._teller.tell(event), self._names(self._now.state))
        self.follower.look()
        self._news: list[NewEvent] = []
        self._sent = dict.fromkeys(self._sent)

    # --- viewers ---

    @property
    def watched(self) -> bool:
        """True if the table has a viewer."""
        return bool(self.watchers)

    def attendance(self) -> Attendance:
        """Return a copy of the roles and players of the viewers."""
        players = frozenset(watcher.handle for watcher in self.watchers if seat_of(watcher.role))
        return Attendance(self.watched, frozenset(self._sent), players)

    def has(self, role: str) -> bool:
        """True if a viewer has this role."""
        return role in self._sent

    def has_player(self, handle: str) -> bool:
        """True if a player is connected at any of their seats."""
        return any(seat_of(watcher.role) and watcher.handle == handle for watcher in self.watchers)

    def welcome(
        self, watcher: Watcher, since: int | None, waits: Waits, people: Mapping[int, Sitter]
    ) -> None:
        """Add a viewer and send them the table, with the updates after event `since`."""
        view = self.view(watcher.role, waits, people)
        seq = self._now.head.events
        known = [text for number, text in self._remembered if since is not None and number > since]
        missed = since is not None and seq - since > len(known)
        body = encoder.encode(Entered(seq=seq, role=watcher.role, view=view, missed=missed))
        if known:
            body = body[:-1] + b',"updates":[' + b",".join(known) + b"]}"
        self.watchers.add(watcher)
        sent = self._sent.setdefault(watcher.role, view)
        if sent is not None and (sent.table, sent.yours) != (view.table, view.yours):
            # All viewers of a role get the same patches, so they must have the same view.
            self._sent[watcher.role] = None
        watcher.tell(body)

    def lose(self, watcher: Watcher) -> None:
        """Remove a viewer."""
        self.watchers.discard(watcher)
        self._left.pop(watcher, None)
        self._drop(watcher.role)

    def place(self) -> None:
        """Give every viewer the role that fits the current seating.

        A viewer who no longer has their seat becomes a spectator, and gets the seat's view again after
        sitting down there again. A surveillance viewer who sits down to play becomes a spectator too.
        """
        players = {number: seat.player for number, seat in self._now.state.seats.items()}
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
        self._sent[role] = None

    def _drop(self, role: str) -> None:
        """Forget the last view of a role that no longer has a viewer."""
        if all(watcher.role != role for watcher in self.watchers):
            self._sent.pop(role, None)

    # --- updates ---

    def view(self, role: str, waits: Waits, people: Mapping[int, Sitter]) -> View:
        """Return the table as a role sees it now."""
        yours = self._yours(role, self._log.lines(seat_of(role)))
        return View(table=self.follower.view, yours=yours, waits=waits, people=dict(people))

    def _yours(self, role: str, log: Log, last: Last = None) -> Yours:
        table, state, salt = self._now.table, self._now.state, self._now.salts
        yours = yours_of(table, state, role, last, left_out=self._left_out, salt=salt)
        return yours if yours.log is log else replace(yours, log=log)

    def _names(self, state: State) -> dict[int, str]:
        """Return the players' names for the log, without the mark of a bot."""
        return {number: seat.player.removesuffix(BOT_MARK) for number, seat in state.seats.items()}

    def record(self, seq: int, event: e.Event, after: State) -> None:
        """Queue an event that is now on record."""
        before = self.follower.view
        patch = difference(before, self.follower.follow(event, after))
        sentences = self._teller.tell(event)
        names = self._names(after) if sentences else {}
        text = encoder.encode(update(self._now.table, seq, event, after, sentences))
        settled = self.follower.view.settled
        reason = settled[len(settled)].reason if isinstance(event, e.WagerSettled) else ""
        heard = LiveEvent(event, sentences, after, names, reason)
        log = self._log.take(event, sentences, names)
        opened = isinstance(event, e.RoundOpened)
        self._news.append(NewEvent(seq, text, encoder.encode(patch) if patch else b"", heard, log, opened))
        self._remembered.append((seq, text))

    def send(self, waits: Waits, people: Mapping[int, Sitter]) -> None:
        """Send every viewer the queued events and other changes."""
        news, self._news = self._news, []
        before, self._state = self._state, self._now.state
        # If only the clock has changed, nothing is sent.
        running = replace(waits, seconds=waits.seconds and 1.0)
        heard, people = [event.heard for event in news], dict(people)
        common, seats = self._spoken(news, heard, 0), listeners(heard)
        waits_text, people_text = encoder.encode(waits), encoder.encode(people)
        head = self._closing_head(news)
        watchers: dict[str, list[Watcher]] = {}
        for watcher in self.watchers:
            watchers.setdefault(watcher.role, []).append(watcher)
        # Players are sent updates before other viewers.
        for role in sorted(self._sent, key=lambda role: not seat_of(role)):
            last, seat = self._sent[role], seat_of(role)
            if last is None:
                now = self.view(role, running, people)
                parts = [b'"view":' + encoder.encode(replace(now, waits=waits))]
                parts += [b'"updates":[%s]' % b",".join(event.text for event in news)] if news else []
            else:
                yours = self._yours(role, last.yours.log, (before, last) if before is not None else None)
                spoken = self._spoken(news, heard, seat, common) if seat in seats else common
                updates, log = self._updates(role, before, last.yours, yours, spoken)
                yours = yours if log is yours.log else replace(yours, log=log)
                now = View(table=self.follower.view, yours=yours, waits=running, people=people)
                parts = [b'"updates":[%s]' % b",".join(updates)] if updates else []
                if news or last.waits != running:
                    parts.append(b'"waits":' + waits_text)
                if last.people != people:
                    parts.append(b'"people":' + people_text)
            self._sent[role] = now
            if parts:
                parts += [b'"head":' + head] if head else []
                frame = b'{"type":"told","seq":%d,%s}' % (self._now.head.events, b",".join(parts))
                for watcher in watchers.get(role, ()):
                    watcher.tell(frame)

    def _closing_head(self, news: Iterable[NewEvent]) -> bytes:
        """Return the signed head for viewers to keep, if a round was closed; otherwise return nothing."""
        if not any(isinstance(event.heard.event, e.RoundClosed) for event in news):
            return b""
        head = self._now.record_head()
        return encoder.encode(head) if head is not None else b""

    def _spoken(
        self, news: list[NewEvent], heard: list[LiveEvent], seat: int, common: Iterable[Speech] = ()
    ) -> list[Speech]:
        """Return the events with the words for a seat's player; seat 0 is for viewers without a seat."""
        aloud = say_aloud(self._now.table, heard, seat)
        return [
            other
            if other and other.aloud == words
            else Speech(event, words, event.patched(aloud=words), {})
            for event, words, other in zip_longest(news, aloud, common)
        ]

    def _updates(
        self, role: str, state: State | None, before: Yours, now: Yours, news: Iterable[Speech]
    ) -> tuple[list[bytes], Log]:
        """Return the updates for a role, and the role's log. Only the last update contains its choices.

        `before` and `now` both have the log before these events. The events give its changes.
        """
        updates: list[bytes] = []
        head, seat, log = self._now.head.events, seat_of(role), before.log
        for spoken in news:
            event = spoken.event
            after = now
            if event.seq != head:
                after = yours_between(self._now.table, before, state, event.heard.after, role)
            patch = difference(before, after) if after is not before else {}
            text = spoken.text
            new = lines(event.log, seat) if event.log else {}
            old = log if event.new_round else {n: log[n] for n in new if n in log}
            if new or old:
                log = new if event.new_round else log | new
                if not patch:
                    text = spoken.with_log(old, new)
                else:
                    patch["log"] = entries_difference(old, new)
            updates.append(event.patched(encoder.encode(patch), spoken.aloud) if patch else text)
            before, state = after, event.heard.after
        if before is not now and (patch := difference(before, now)):
            updates.append(b'{"seq":%d,"patch":{"yours":%s}}' % (head, encoder.encode(patch)))
        return updates, log
