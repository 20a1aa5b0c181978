"""Checks that must hold in a simulated world, whatever faults happen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from houseway.audit.entries import StoredEntry, read_entry
from houseway.audit.ledgers import LedgerFunded, read_ledger_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.streams import is_table
from houseway.audit.verify_house import verify_house
from houseway.auditor.follower import Auditor
from houseway.client import messages as m
from houseway.engine import events as e
from houseway.engine.codec import hide
from houseway.engine.evolve import evolve, seat_of
from houseway.engine.ledger_moves import ACCOUNT, CHIPS
from houseway.engine.state import State, total
from houseway.live.viewer_messages import encoder
from houseway.server.house import HouseServer
from record.recorded import SIGNER
from simulated_world.clients import Client
from simulated_world.histories import History, Shown
from test_views import FACES, SHOWS


class Invariants:
    """Checks a house while it runs and after it has closed."""

    def __init__(self, kept: MemoryStore) -> None:
        self._kept = kept
        self.violations: list[str] = []
        self.covered: Counter[str] = Counter()
        """How often each check had something to check."""
        self._read: dict[str, int] = {}
        """How many entries of each record have been read."""
        self._closed: Counter[str] = Counter()
        """The closed rounds of each table."""
        self._back = 0
        """How often the clock was set back."""

    # --- while the house runs ---

    def rounds_by_table(self) -> Counter[str]:
        """Return how many rounds of each table are on record."""
        for stream in self._kept.streams():
            if not is_table(stream):
                continue
            entries = self._kept._records[stream].entries
            for stored in entries[self._read.get(stream, 0) :]:
                self._closed[stream] += stored.public.count(b'"type":"RoundClosed"')
            self._read[stream] = len(entries)
        return Counter(self._closed)

    def rounds(self) -> int:
        """Return how many rounds are on record."""
        return self.rounds_by_table().total()

    def clock_jumped(self, *, back: bool) -> None:
        """Note that the machine's clock was set."""
        self._back += back

    def early(self, client: str, stream: str, text: str) -> str:
        """Return a sentence if a message contains an event that is not on record at this moment."""
        if text.startswith('{"type":"answered"'):
            message = msgspec.json.decode(text, type=m.Answered)
            stored = self._kept.keyed(stream, f"{client}/{message.key}")
            if stored is None or stored.seq != message.seq:
                return f"{client}: {message.key} was acknowledged but is not on record as {message.seq}"
            return ""
        if text.startswith(('{"type":"told"', '{"type":"entered"')):
            seq = int(text.partition('"seq":')[2].partition(",")[0].rstrip("}"))
            signed = self._kept.head(stream)
            if signed is None or signed.head.events < seq:
                return f"{client}: event {seq} was shown but is not on record"
        return ""

    def compare_views(self, house: HouseServer, clients: Sequence[Client]) -> None:
        """Check that each client that knows the last event has the same view as the server."""
        for client in clients:
            runner = house.hall.tables.get(client.stream)
            if runner is None or client.follower.seq != runner.seq or not client.history.current:
                continue
            self.covered["views compared"] += 1
            mine, theirs = client.follower.view, runner.view(client.history.role)
            if [_as_sent(view) for view in (mine.table, mine.yours)] != [
                _as_sent(view) for view in (theirs.table, theirs.yours)
            ]:
                self.violations.append(f"{client.name} has a different view than the server")

    # --- after the house has closed ---

    def check(self, histories: Sequence[History]) -> Iterator[str]:
        """Yield a sentence for each violation on record or in the messages to the clients."""
        for report in verify_house(self._kept, key=SIGNER.public):
            yield from (f"{report.stream}: {fault}" for fault in report.faults)
        auditor = Auditor(self._kept)
        yield from (f"{alarm.stream}: {alarm.message}" for alarm in auditor.poll())
        self.covered["rounds settled again"] += auditor.counts.settled
        records = {s: _Record(self._kept, s) for s in self._kept.streams() if is_table(s)}
        for stream, record in records.items():
            yield from record.problems
            if record.backward > self._back:
                times = f"{record.backward} times; the clock was set back {self._back} times"
                yield f"{stream}: the time on record goes back {times}"
        yield from self._money(records.values())
        for history in histories:
            yield from history.problems
            yield from self._check_messages(history, records)

    def _check_messages(self, history: History, records: dict[str, _Record]) -> Iterator[str]:
        for (stream, key), seq in history.acks.items():
            if records[stream].keys.get(key) != [seq]:
                on_record = records[stream].keys.get(key)
                yield f"{history.name}: {key} was acknowledged as event {seq}; on record: {on_record}"
        record = records.get(history.stream)
        if record is None:
            return
        for seq, event in history.events.items():
            if seq > len(record.public) or record.public[seq - 1] != event:
                yield f"{history.name}: event {seq} is not the event on record"
        for shown in history.shown:
            if leaked := shown.cards - record.visible(shown):
                yield f"{history.name} ({shown.role}) was shown {sorted(leaked)} at event {shown.seq}"

    def _money(self, records: Iterable[_Record]) -> Iterator[str]:
        """Check that every chip that the house gave is in an account or at a table."""
        funded = held = 0
        for stream in self._kept.streams():
            if stream.startswith(ACCOUNT):
                events = [
                    read_ledger_entry(stored.public).events[0] for stored in self._kept.entries(stream)
                ]
                funded += sum(event.changes[CHIPS] for event in events if isinstance(event, LedgerFunded))
                held += events[-1].balances[CHIPS]
        at_tables = sum(record.from_accounts for record in records)
        if funded != held + at_tables:
            yield f"the house gave {funded} cents; accounts have {held}, and tables {at_tables}"


def _as_sent(view: object) -> Any:
    """Return a part of a view as a client reads it."""
    return msgspec.json.decode(encoder.encode(view))


class _Record:
    """One table's record, read for the checks."""

    def __init__(self, kept: MemoryStore, stream: str) -> None:
        self.keys: defaultdict[str, list[int]] = defaultdict(list)
        """The events of each key."""
        self.public: list[dict[str, Any]] = []
        """The public part of every event."""
        self.problems: list[str] = []
        self.backward = 0
        """How often the time goes back."""
        self.from_accounts = 0
        """Cents that players brought from accounts and have not taken back."""
        self._rounds: list[int] = [0]
        """The number of the first event of each round."""
        self._shown: list[dict[str, int]] = [{}]
        """For each round, the event that showed each card to everyone."""
        self._own: list[defaultdict[int, set[str]]] = [defaultdict(set)]
        """For each round, the cards that were dealt to each seat."""
        self._looked: list[int | None] = [None]
        """For each round, the event after which players may look at their cards."""
        state, last = State(), ""
        for stored in kept.entries(stream):
            entry = read_entry(stored)
            self._take_entry(stored, last, entry.at)
            last = entry.at
            for seq, event in enumerate(entry.events, stored.seq):
                before, state = state, evolve(state, event)
                if before.section and total(before) != total(state):
                    self.problems.append(f"{stream}: event {seq} creates or destroys money")
                self._follow(seq, event, before)

    def _take_entry(self, stored: StoredEntry, last: str, at: str) -> None:
        if stored.key:
            self.keys[stored.key].append(stored.seq)
        self.backward += at < last

    def _follow(self, seq: int, event: e.Event, before: State) -> None:
        self.public.append(msgspec.json.decode(encoder.encode(hide(event)[0])))
        match event:
            case e.PlayerSeated() if event.account:
                self.from_accounts += event.chips
            case e.PlayerLeft() if before.seats[event.seat].account:
                self.from_accounts -= event.chips
            case e.RoundOpened():
                self._rounds.append(seq)
                self._shown.append({})
                self._own.append(defaultdict(set))
                self._looked.append(None)
            case e.PlayersLooked():
                self._looked[-1] = self._looked[-1] or seq
        if isinstance(event, SHOWS):
            for name in FACES:
                for card in getattr(event, name, ()):
                    self._shown[-1].setdefault(str(card), seq)
        where = getattr(event, "to", "") if isinstance(event, e.CardsDealt) else getattr(event, "at", "")
        if isinstance(event, e.CardsDealt | e.ExtraDealt | e.CardReplaced) and seat_of(str(where)):
            self._own[-1][seat_of(str(where)) or 0].update(map(str, event.sealed))

    def visible(self, shown: Shown) -> set[str]:
        """Return the cards that a message may contain."""
        seat, visible = seat_of(shown.role) or 0, set[str]()
        ends = [*self._rounds[1:], len(self.public) + 1]
        for n, (start, end) in enumerate(zip(self._rounds, ends, strict=True)):
            if start <= shown.seq and end > shown.first:
                visible |= {card for card, seq in self._shown[n].items() if seq <= shown.seq}
                looked = self._looked[n]
                if looked is not None and looked <= shown.seq:
                    visible |= self._own[n][seat]
        return visible
