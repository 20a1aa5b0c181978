"""Recorded rounds: the list of rounds, a round as one role saw it, its proofs, and exports of a record.

To find a round in a long record, an index starts from a snapshot. Only proofs read the whole record,
because they follow every card from the first shuffle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from houseway.audit.dispute import Dispute, dispute
from houseway.audit.export import export_lines
from houseway.audit.kept_heads import HeadDocument, chain_at
from houseway.audit.record_header import apply_recorded, recorded_entry, recorded_table
from houseway.audit.roles import RAIL, SURVEILLANCE
from houseway.audit.round_proofs import proofs
from houseway.audit.signatures import is_genuine
from houseway.audit.snapshot_body import read_snapshot
from houseway.audit.store import MAX_EVENTS, Store, StoreError
from houseway.cards import Card, cards
from houseway.client.messages import HeadAnswer, RecordHead, Update, View, Waits
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields, read_state
from houseway.engine.evolve import seat_of
from houseway.engine.patches import difference
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.table_view import Follower
from houseway.live.viewer_messages import update, yours_of
from houseway.narrate.narrator import Sees
from houseway.narrate.reasons import Reasons
from houseway.narrate.record import RoundTeller
from houseway.narrate.stories import Data, SeesAt, StoryStep, Storyteller, phase_names, phases
from houseway.rules.odds_words import wording
from houseway.server.rulebook_library import refused

EVERY: Final = 1000
"""If a record has no snapshots, an index keeps a state each time this many events have passed."""
MOST: Final = 100
"""The most rounds in one list."""
ROUNDS: Final = 2000
"""The most rounds of one record that an index keeps."""
INDEXES: Final = 64
"""The most records whose indexes are kept."""


class _RoundCount(msgspec.Struct, frozen=True):
    """The part of a state that the index reads."""

    rounds: int


class _UnusableError(Exception):
    """A snapshot cannot be used: this house did not sign it, or its format is not the current one."""


class _Index:
    """The positions of rounds in one record, cached as they become known."""

    def __init__(self, store: Store, stream: str) -> None:
        first = next(iter(store.entries(stream)), None)
        if first is None:
            raise refused(404, "no-record", "table", f"table {stream[:80]!r} has no record")
        self.lock = Lock()
        self.table = recorded_table(store, recorded_entry(first, hidden=False))
        self._store = store
        self._stream = stream
        self._own: dict[int, State] = {0: State()}
        """The index's own snapshots: the state after each number of events."""
        self._opened: dict[int, int] = {0: 0}
        """Maps a number of events to the number of rounds that these events opened."""
        self._closed: dict[int, Data] = {}
        """Closed rounds by number."""
        self._under_way: Data = {}
        self._sitting: dict[int, str] = {}
        """The last player at each seat up to event `_read`."""
        self._read = 0
        """The number of the last event scanned for rounds."""
        self._last = 0
        """The number of the last round opened."""

    # --- positions ---

    def _rounds_at(self, events: int) -> int:
        if events not in self._opened:
            self._opened[events] = msgspec.json.decode(self._snapshot(events), type=_RoundCount).rounds
        return self._opened[events]

    def _snapshot(self, events: int) -> bytes:
        """Return the state stored in a snapshot."""
        stored, head = self._store.snapshot(self._stream, events), self._store.head(self._stream)
        ours = stored is not None and head is not None and stored.signed.key == head.key
        if stored is None or not ours or not is_genuine(self._stream, stored.signed, stored.body):
            raise _UnusableError
        snapshot = read_snapshot(stored.body)
        if not snapshot.current:
            raise _UnusableError
        return bytes(snapshot.state)

    def _position(self, number: int) -> int:
        """Return the last known position before a round was opened, as a number of events."""
        for positions in (sorted({*self._own, *self._store.snapshots(self._stream)}), sorted(self._own)):
            try:
                return positions[max(0, bisect_left(positions, number, key=self._rounds_at) - 1)]
            except (_UnusableError, msgspec.MsgspecError):
                continue
        return 0

    def _state(self, events: int) -> State:
        return self._own[events] if events in self._own else read_state(self._snapshot(events))

    def _players(self, events: int) -> dict[int, str]:
        """Return the player at each seat after a number of events."""
        return {number: seat.player for number, seat in self._state(events).seats.items()}

    # --- lists ---

    def listed(self, before: int | None, limit: int) -> list[Data]:
        """Return closed rounds with a number below `before`, newest first."""
        with self.lock:
            for number in sorted(self._closed)[:-ROUNDS]:
                # A client paged far back, so too many rounds are cached. Drop the oldest; they are scanned
                # again if needed.
                del self._closed[number]
            if not self._read:
                # Start before the round that was under way at the last known position.
                self._last = self._rounds_at(self._position(MAX_EVENTS))
                self._read = self._position(max(1, self._last))
                self._sitting = self._players(self._read)
            self._read = self._scan(self._read, None)
            last = self._last - bool(self._under_way)
            last = min(last, before - 1) if before is not None else last
            numbers = range(last, max(0, last - limit), -1)
            if any(number not in self._closed for number in reversed(numbers)):
                self._scan(self._position(numbers[-1]), last)
            return [closed for number in numbers if (closed := self._closed.get(number))]

    def _scan(self, after: int, until: int | None) -> int:
        """Scan the events after `after` for rounds, up to round `until` or to the end of the record.

        Return the number of the last event scanned.
        """
        under_way = self._under_way if until is None else {}
        sitting = self._sitting if until is None else self._players(after)
        for stored in self._store.entries(self._stream, after):
            entry = recorded_entry(stored, hidden=False)
            for seq, event in enumerate(entry.events, stored.seq):
                if isinstance(event, e.RoundOpened):
                    if until is not None and event.number > until:
                        return stored.seq - 1
                    # Empty until the round closes. A round abandoned without a wager never closes.
                    self._closed.setdefault(event.number, {})
                    under_way = {"number": event.number, "at": entry.at, "lines": 0, "from": seq}
                    self._last = max(self._last, event.number)
                elif isinstance(event, e.PlayerSeated):
                    sitting[event.seat] = event.player
                elif under_way and isinstance(event, e.WagerSettled):
                    under_way["lines"] += 1
                elif under_way and isinstance(event, e.RoundClosed):
                    start = under_way["from"]
                    self._closed[event.number] = {
                        **under_way,
                        "net": event.net,
                        "players": {seat: sitting.get(seat, "") for seat in event.net},
                        "events": seq - start + 1,
                        "to": seq,
                    }
                    under_way = {}
            after = stored.last
        if until is None:
            self._under_way = under_way
        return after

    # --- one round ---

    def round(self, number: int) -> tuple[State, list[StoryStep], list[StoryStep]]:
        """Return the state before a round, the events since the previous round, and the round's own events.

        If the round is under way, its events end where the record ends.
        """
        lead: list[StoryStep] = []
        steps: list[StoryStep] = []
        position = self._position(number - 1)
        before = self._state(position)
        for step in self._walk(position):
            opens = isinstance(step.event, e.RoundOpened)
            if opens and step.after.round.number > number:
                break
            if steps or (opens and step.after.round.number == number):
                steps.append(step)
                if isinstance(step.event, e.RoundClosed):
                    break
            elif isinstance(step.event, e.RoundClosed):
                lead = []
            else:
                lead.append(step)
            if not steps:
                before = step.after
        if not steps:
            raise refused(404, "no-round", "round", f"there is no round {number} on this record")
        return before, lead, steps

    def _walk(self, after: int) -> Iterator[StoryStep]:
        state, noted = self._state(after), after
        for stored in self._store.entries(self._stream, after):
            entry = recorded_entry(stored)
            for seq, event in enumerate(entry.events, stored.seq):
                state = apply_recorded(state, event, seq)
                yield StoryStep(seq, event, state, entry.at)
            if stored.last >= noted + EVERY:
                noted = stored.last
                self._own[noted], self._opened[noted] = state, state.rounds


class Replays:
    """Replays, lists, proofs and exports of the server's records."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._indexes: Callable[[str], _Index] = lru_cache(INDEXES)(partial(_Index, store))

    def _index(self, stream: str) -> _Index:
        # Two threads that read the same record must share one index.
        with self._lock:
            return self._indexes(stream)

    def rounds(self, stream: str, before: int | None = None, limit: int = 20) -> Data:
        """Return closed rounds, newest first, with public information only."""
        return {"rounds": self._index(stream).listed(before, max(1, min(limit, MOST)))}

    def head(self, stream: str, events: int = 0) -> HeadAnswer:
        """Return the newest signed head of a record, and the record's hash after `events` events."""
        signed = self._store.head(stream)
        if signed is None:
            raise StoreError(f"there is no record of {stream}")
        chain = chain_at(self._store, stream, events) if events <= signed.head.events else None
        head = RecordHead(**asdict(HeadDocument.of(stream, signed)))
        return HeadAnswer(head=head, chain_at=chain.hex() if chain else "")

    def replay(self, stream: str, number: int, role: str = RAIL, player: str = "", name: str = "") -> Data:
        """Return a round as a role saw it: the view when it opens, and an update for each event.

        A round may be seen from a seat only by the player who held that seat when the players looked at
        their cards. The caller must check other roles. `name` is the table's display name.
        """
        index = self._index(stream)
        with index.lock:
            before, lead, steps = index.round(number)
            own = _seats_of(steps, player)
            _check(role, own, number)
            table = index.table
            roles = dict.fromkeys((*(f"seat {seat}" for seat in own), RAIL, role))
            names = phase_names(table, steps)
            first, updates, held = _updates(table, before, steps, role, player)
            sees = _sees_at(table, role, player, closed=isinstance(steps[-1].event, e.RoundClosed))
            return {
                "table": stream,
                "name": name,
                "rulebook": table.book.id,
                "title": table.book.title,
                "number": number,
                "at": steps[0].at,
                "seen_as": role,
                "roles": list(roles),
                "phases": phases(names),
                "view": first,
                "updates": updates,
                "story": Storyteller(table, sees, seat_of(role)).story(lead, steps, names, held),
            }

    def events(self, stream: str, number: int) -> tuple[State, list[tuple[e.Event, str]]]:
        """Return the state before a round, and the round's events with all cards, each with its time.

        The caller must not show them to anybody.
        """
        index = self._index(stream)
        with index.lock:
            before, _, steps = index.round(number)
        return before, [(step.event, step.at) for step in steps]

    def proofs(self, stream: str, number: int, role: str = RAIL, player: str = "") -> Data:
        """Return the proofs that the verifier needs for the cards a role saw in a round."""
        index = self._index(stream)
        if seat_of(role):
            with index.lock:
                _check(role, _seats_of(index.round(number)[2], player), number)
        try:
            return proofs(self._store, stream, number, role)
        except StoreError as error:
            raise refused(404, "no-proofs", "round", str(error)) from error

    def dispute(self, stream: str, number: int) -> Dispute:
        """Return a closed round for a dispute, with every card. The caller checks the role."""
        self._index(stream)
        try:
            return dispute(self._store, stream, number)
        except StoreError as error:
            raise refused(404, "no-dispute", "round", str(error)) from error

    def export(self, stream: str, role: str = RAIL, player: str = "") -> Iterator[bytes]:
        """Return the lines of the exported record. Only a seat's last player may export it as that seat."""
        self._index(stream)
        seat = seat_of(role)
        if seat and (not player or self._last_players(stream).get(seat) != player):
            raise refused(
                403, "not-your-seat", "as", f"seat {seat} is not yours; export it as a spectator (as=rail)"
            )
        return export_lines(self._store, stream, role)

    def _last_players(self, stream: str) -> dict[int, str]:
        """Return the last player at each seat."""
        return {
            event.seat: event.player
            for stored in self._store.entries(stream)
            for event in recorded_entry(stored, hidden=False).events
            if isinstance(event, e.PlayerSeated)
        }


def _updates(
    table: Table, before: State, steps: list[StoryStep], role: str, player: str
) -> tuple[View, list[Update], list[tuple[Card, ...]]]:
    """Return the view when a round opens, an update for each event, and the viewer's cards after each."""
    follower, waits = Follower(table, before, Reasons(table)), Waits(why="closed")
    teller, views = RoundTeller(table.terms.order, wording=wording(table.book)), list[View]()
    updates: list[Update] = []
    for step in steps:
        table_view = follower.follow(step.event, step.after)
        yours = yours_of(table, step.after, role if _sits(step.after, role, player) else RAIL)
        views.append(View(table=table_view, yours=yours, waits=waits))
        # The state before the round still has the cards of the previous round, so the first view is the
        # view after the first event.
        patch = difference(views[-2], views[-1]) if updates else {}
        message = update(table, step.seq, step.event, step.after, teller.tell(step.event))
        updates.append(replace(message, patch=patch))
    held = [cards(" ".join(card for hand in view.yours.cards for card in hand)) for view in views]
    return views[0], updates, held


def _seats_of(steps: list[StoryStep], player: str) -> list[int]:
    """Return the seats that a player had when the players looked at their cards.

    If nobody has looked yet, return the seats that the player has now.
    """
    looked = next((step.after for step in steps if step.after.round.looking), steps[-1].after)
    return [number for number, seat in looked.seats.items() if player and seat.player == player]


def _check(role: str, own: list[int], number: int) -> None:
    seat = seat_of(role)
    if seat and seat not in own:
        message = f"seat {seat} was not yours in round {number}; view it from the rail"
        raise refused(403, "not-your-seat", "as", message)
    if not seat and role not in (RAIL, "dealer", "floor", SURVEILLANCE):
        raise refused(400, "unknown-role", "as", f"there is no role {role[:40]!r}")


def _sits(state: State, role: str, player: str) -> bool:
    """True if the player has the role in this state; another player may have taken the seat since."""
    number = seat_of(role)
    seat = state.seats.get(number)
    return not number or (seat is not None and seat.player == player)


def _sees_at(table: Table, role: str, player: str, *, closed: bool) -> SeesAt:
    """Return a function that selects the cards a reader of the story may see.

    A player sees the cards that their own seat has looked at. Surveillance sees all cards of a closed
    round.
    """
    looking = "looking" in table.book.options and bool(seat_of(role))

    def at(state: State) -> Sees:
        looked = looking and state.round.looking and _sits(state, role, player)

        def sees(event: e.Event, name: str) -> tuple[Card, ...]:
            faces: tuple[Card, ...] = getattr(event, name)
            if name not in hidden_fields(event) or (role == SURVEILLANCE and closed):
                return faces
            own = isinstance(event, e.HandSet | e.HandSplit) and f"seat {event.seat}" == role
            return faces if own and looked else ()

        return sees

    return at
