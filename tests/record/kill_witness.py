"""Who watches writers die: knows what they were told, and looks whether the record still says so."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from houseway.audit.entries import link, read_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import genuine
from houseway.audit.store import Head, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.live import LiveTable

from .kill_script import STREAM, house, next_command, taken_up
from .kill_writer import Order


class LostError(AssertionError):
    """Something that was acknowledged is not on record, or is there twice, or is another."""


class Writers:
    """The process that begets the writers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, order: Order) -> list[list[str]]:
        """Let a writer live and die; the lines it said."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(order).decode() + "\n")
        self._process.stdin.flush()
        said: list[list[str]] = []
        while (line := self._process.stdout.readline().rstrip("\n")) != "dead":
            assert line, "the writers' own process has ended"
            said.append(line.split(" ", 2))
        return said


@contextmanager
def writers() -> Iterator[Writers]:
    words = [sys.executable, "-m", f"{__package__}.kill_writer"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, cwd=Path(__file__).parents[1], stdin=pipe, stdout=pipe, text=True
    ) as process:
        yield Writers(process)
        assert process.stdin is not None
        process.stdin.close()


class Witness:
    """What is known of one record over the lives of its writers."""

    def __init__(self, writers: Writers, where: str, fault: str = "") -> None:
        self._writers = writers
        self.where = where
        self._fault = fault
        self._told: dict[int, str] = {}
        """The chain at each number of events that was acknowledged."""
        self._keys: set[str] = set()
        self._unanswered = ("", "")
        self.head = Head.first(STREAM)
        self.deaths = 0
        self.rounds = 0

    def live_and_die(
        self, moment: str = "", at: int = 1, *, seconds: float = 0, plays: bool = False
    ) -> list[bool]:
        """One more writer; whether what it was told stood on record already, command by command."""
        key, command = self._unanswered
        order = Order(self.where, moment, at, seconds, plays, key, command, self._fault)
        said = self._writers.run(order)
        self.deaths += 1
        repeated = []
        for what, key, rest in said:
            if what == "sends":
                self._unanswered = (key, rest)
            elif what == "told":
                events, chain, again = rest.split()
                repeated.append(again == "True")
                self._unanswered = ("", "")
                # A repeated answer comes with the head as it is now, not as it was then.
                if again == "False":
                    self._told[int(events)] = chain
            else:
                raise LostError(f"{what} {key} {rest}")
        self.look()
        return repeated

    def look(self) -> None:
        """Nothing acknowledged is missing, nothing is there twice, the chain holds and is signed."""
        try:
            reader = open_store(self.where, read_only=True)
        except StoreError:
            # Killed before there was a record at all; somebody must make it first.
            if self._told or self.head.events:
                raise
            return
        with closing(reader) as store:
            signed = store.head(STREAM)
            for stored in store.entries(STREAM, self.head.events):
                if link(self.head.chain, stored.public) != stored.chain:
                    raise LostError(f"the chain breaks at event {stored.seq}")
                if stored.key in self._keys:
                    raise LostError(f"{stored.key} is on record twice")
                self._keys |= {stored.key} - {""}
                self.head = Head(stored.last, stored.chain)
                self.rounds += any(isinstance(event, e.RoundClosed) for event in read_entry(stored).events)
                told = self._told.pop(stored.last, None)
                if told is not None and told != stored.chain.hex():
                    raise LostError(f"event {stored.last} is another than was acknowledged")
        if self._told:
            raise LostError(f"acknowledged and not on record: events {sorted(self._told)}")
        if signed is not None and not genuine(STREAM, signed):
            raise LostError("the head is not signed")

    def compare(self) -> None:
        """The record is to the byte that of a twin nobody disturbed, and the table stands where it says."""
        twin = MemoryStore()
        undisturbed = taken_up(house(twin))
        with closing(open_store(self.where)) as store:
            resumed = LiveTable.resume(house(store), STREAM)
            while undisturbed.head.events < resumed.head.events:
                undisturbed.send(next_command(undisturbed), f"after-{undisturbed.head.events}")
            assert everything(store, twin) == everything(twin, twin)
            state = State()
            for stored in store.entries(STREAM):
                for event in read_entry(stored).events:
                    state = evolve(state, event)
            assert resumed.state == undisturbed.state == state
            # And both deal the same cards from here on.
            for live in (resumed, undisturbed):
                for _ in range(60):
                    live.send(next_command(live), f"after-{live.head.events}")
            assert everything(store, twin) == everything(twin, twin)


def everything(store: Store, names: MemoryStore) -> tuple[object, ...]:
    """All a store holds of the record, looked up under the names that the twin knows."""
    known = names._records[STREAM]
    return (
        store.head(STREAM),
        list(store.entries(STREAM)),
        {name: store.secret(STREAM, name) for name in known.secrets},
        [store.snapshot(STREAM, events) for events in store.snapshots(STREAM)],
        {digest: store.text(digest) for digest in names._texts},
    )
