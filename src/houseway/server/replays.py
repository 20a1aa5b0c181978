"""The rounds of a record: listed, played again as somebody saw them, proved and handed over.

A long record is not read whole for one round: snapshots tell how far into it a round lies. Only its proofs
follow every card from the first shuffle on, for one who asks at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import replace

from houseway import __version__
from houseway.audit.export import exported
from houseway.audit.record_header import happened, recorded_entry, recorded_table
from houseway.audit.roles import RAIL, SURVEILLANCE
from houseway.audit.round_proofs import proofs
from houseway.audit.signatures import genuine
from houseway.audit.store import MANY, Store, StoreError
from houseway.cards import Card, cards
from houseway.client.messages import Update, View, Waits
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
from houseway.server.rulebook_library import refused

EVERY: Final = 1000
"""Events between two places an index notes where a record has no snapshots."""
MOST: Final = 100
"""Rounds listed at once."""
ROUNDS: Final = 2000
"""Rounds of one record remembered between two lists."""
INDEXES: Final = 64
"""Records whose rounds are remembered at once."""


class _Snapshot(msgspec.Struct, frozen=True):
    """What an index reads of a snapshot."""

    engine: str
    state: msgspec.Raw


class _Counted(msgspec.Struct, frozen=True):
    """What it reads of a state to know where it stands."""

    rounds: int


class _UnusableError(Exception):
    """A snapshot that was not taken by this version of this house."""


class _Index:
    """Where the rounds of one record lie; what was learned once is kept."""

    def __init__(self, store: Store, stream: str) -> None:
        first = next(iter(store.entries(stream)), None)
        if first is None:
            raise refused(404, "no-record", "table", f"there is no record of {stream[:80]!r}")
        self.lock = Lock()
        self.table = recorded_table(store, recorded_entry(first, hidden=False))
        self._store = store
        self._stream = stream
        self._own: dict[int, State] = {0: State()}
        """The table after so many events, where no snapshot says."""
        self._opened: dict[int, int] = {0: 0}
        """How many rounds had been opened after so many events."""
        self._closed: dict[int, Data] = {}
        """Closed rounds by number."""
        self._under_way: Data = {}
        self._sitting: dict[int, str] = {}
        """Who sat at each seat last, as far as the events have been looked through."""
        self._read = 0
        """How many events have been looked through for rounds, from some place on to the end."""
        self._last = 0
        """The number of the last round opened."""

    # --- places ---

    def _rounds_at(self, events: int) -> int:
        if events not in self._opened:
            self._opened[events] = msgspec.json.decode(self._snapshot(events), type=_Counted).rounds
        return self._opened[events]

    def _snapshot(self, events: int) -> bytes:
        """The state on a snapshot."""
        found, head = self._store.snapshot(self._stream, events), self._store.head(self._stream)
        ours = found is not None and head is not None and found.signed.key == head.key
        if found is None or not ours or not genuine(self._stream, found.signed, found.body):
            raise _UnusableError
        snapshot = msgspec.json.decode(found.body, type=_Snapshot)
        if snapshot.engine != __version__:
            raise _UnusableError
        return bytes(snapshot.state)

    def _place(self, number: int) -> int:
        """How many events lie before the last place known that comes before a round is opened."""
        for places in (sorted({*self._own, *self._store.snapshots(self._stream)}), sorted(self._own)):
            try:
                return places[max(0, bisect_left(places, number, key=self._rounds_at) - 1)]
            except (_UnusableError, msgspec.MsgspecError):
                continue
        return 0

    def _state(self, events: int) -> State:
        if events in self._own:
            return self._own[events]
        return read_state(self._snapshot(events))

    def _sat(self, events: int) -> dict[int, str]:
        """Who sat at each seat after so many events."""
        return {number: seat.player for number, seat in self._state(events).seats.items()}

    # --- lists ---

    def listed(self, before: int | None, limit: int) -> list[Data]:
        """Closed rounds with a number below `before`, the newest first."""
        with self.lock:
            for number in sorted(self._closed)[:-ROUNDS]:
                # Somebody has leafed far back; it is found again.
                del self._closed[number]
            if not self._read:
                # From before the round that was under way at the last place known.
                self._last = self._rounds_at(self._place(MANY))
                self._read = self._place(max(1, self._last))
                self._sitting = self._sat(self._read)
            self._read = self._look_through(self._read, None)
            last = self._last - bool(self._under_way)
            last = min(last, before - 1) if before is not None else last
            numbers = range(last, max(0, last - limit), -1)
            if any(number not in self._closed for number in reversed(numbers)):
                self._look_through(self._place(numbers[-1]), last)
            return [found for number in numbers if (found := self._closed.get(number))]

    def _look_through(self, after: int, until: int | None) -> int:
        """Note the rounds opened after so many events, up to one of a number or to the end; how many
        events there are by then."""
        under_way = self._under_way if until is None else {}
        sitting = self._sitting if until is None else self._sat(after)
        for stored in self._store.entries(self._stream, after):
            entry = recorded_entry(stored, hidden=False)
            for seq, event in enumerate(entry.events, stored.seq):
                if isinstance(event, e.RoundOpened):
                    if until is not None and event.number > until:
                        return stored.seq - 1
                    # One that was left without a wager is none: nothing is noted until it closes.
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
        """Return the table before a round, what happened since the round before it, and in it; a round
        under way ends where the record does."""
        lead: list[StoryStep] = []
        steps: list[StoryStep] = []
        place = self._place(number - 1)
        before = self._state(place)
        for step in self._walk(place):
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
                state = happened(state, event, seq)
                yield StoryStep(seq, event, state, entry.at)
            if stored.last >= noted + EVERY:
                noted = stored.last
                self._own[noted], self._opened[noted] = state, state.rounds


class Replays:
    """The records of a house, for those who look back."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._indexes: Callable[[str], _Index] = lru_cache(INDEXES)(partial(_Index, store))

    def _index(self, stream: str) -> _Index:
        # Two threads that ask for the same record share one index.
        with self._lock:
            return self._indexes(stream)

    def rounds(self, stream: str, before: int | None = None, limit: int = 20) -> Data:
        """Closed rounds, the newest first; what everybody at the table could see of them."""
        return {"rounds": self._index(stream).listed(before, max(1, min(limit, MOST)))}

    def replay(self, stream: str, number: int, role: str = RAIL, player: str = "", name: str = "") -> Data:
        """Return a round as a role saw it: the view when it opens, and an update for each event.

        A seat's role is for the player who had the seat when the cards were looked at. Other roles are the
        caller's to give. `name` is the table's, for people.
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

    def proofs(self, stream: str, number: int, role: str = RAIL, player: str = "") -> Data:
        """What the verifier needs for the cards of a round that a role has seen."""
        index = self._index(stream)
        if seat_of(role):
            with index.lock:
                _check(role, _seats_of(index.round(number)[2], player), number)
        try:
            return proofs(self._store, stream, number, role)
        except StoreError as error:
            raise refused(404, "no-proofs", "round", str(error)) from error

    def export(self, stream: str, role: str = RAIL, player: str = "") -> Iterator[bytes]:
        """The lines of the record handed over; a seat's cards go to the player who had it last."""
        self._index(stream)
        seat = seat_of(role)
        if seat and (not player or self._last_players(stream).get(seat) != player):
            raise refused(403, "not-your-seat", "as", f"seat {seat} is not yours; take the rail's record")
        return exported(self._store, stream, role)

    def _last_players(self, stream: str) -> dict[int, str]:
        """The player who had each seat last."""
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
    teller, views = RoundTeller(table.terms.order), list[View]()
    updates: list[Update] = []
    for step in steps:
        seen = follower.follow(step.event, step.after)
        yours = yours_of(table, step.after, role if _sits(step.after, role, player) else RAIL)
        views.append(View(table=seen, yours=yours, waits=waits))
        # The table before the round still has the cards of the last one: the first event opens the view.
        patch = difference(views[-2], views[-1]) if updates else {}
        told = update(table, step.seq, step.event, step.after, teller.tell(step.event))
        updates.append(replace(told, patch=patch))
    held = [cards(" ".join(card for hand in view.yours.cards for card in hand)) for view in views]
    return views[0], updates, held


def _seats_of(steps: list[StoryStep], player: str) -> list[int]:
    """The seats a player had in a round: when cards were looked at, or as it stands now."""
    looked = next((step.after for step in steps if step.after.round.looking), steps[-1].after)
    return [number for number, seat in looked.seats.items() if player and seat.player == player]


def _check(role: str, own: list[int], number: int) -> None:
    seat = seat_of(role)
    if seat and seat not in own:
        message = f"seat {seat} was not yours in round {number}; look at it from the rail"
        raise refused(403, "not-your-seat", "as", message)
    if not seat and role not in (RAIL, "dealer", "floor", SURVEILLANCE):
        raise refused(400, "unknown-role", "as", f"{role[:40]!r} is nobody at a table")


def _sits(state: State, role: str, player: str) -> bool:
    """Whether the player has the role now: a seat may be another's by then."""
    number = seat_of(role)
    seat = state.seats.get(number)
    return not number or (seat is not None and seat.player == player)


def _sees_at(table: Table, role: str, player: str, *, closed: bool) -> SeesAt:
    """Return which hidden cards a reader of the story may see: those the own seat had looked at; for
    surveillance all, once the round is closed."""
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
