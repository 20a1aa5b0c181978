"""Collect the acknowledgements of writers that are killed, and compare them with the record."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from houseway.audit.entries import link, read_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import is_genuine
from houseway.audit.store import Head, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.live import LiveTable

from .kill_script import STREAM, house, next_command, resume_or_open
from .kill_writer import Order


class LostError(AssertionError):
    """An acknowledged event is missing from the record, is there twice, or differs."""


class Writers:
    """The process that forks the writers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, order: Order) -> list[list[str]]:
        """Run a writer until it is killed and return the lines it printed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(order).decode() + "\n")
        self._process.stdin.flush()
        lines: list[list[str]] = []
        while (line := self._process.stdout.readline().rstrip("\n")) != "dead":
            assert line, "the process that forks writers has ended"
            lines.append(line.split(" ", 2))
        return lines


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
    """Everything that was acknowledged for one record, by all its writers."""

    def __init__(self, writers: Writers, where: str, fault: str = "") -> None:
        self._writers = writers
        self.where = where
        self._fault = fault
        self._acknowledged: dict[int, str] = {}
        """The acknowledged chain, by the number of events."""
        self._keys: set[str] = set()
        self._unanswered = ("", "")
        self.head = Head.first(STREAM)
        self.deaths = 0
        self.rounds = 0

    def run_until_killed(
        self, moment: str = "", at: int = 1, *, seconds: float = 0, plays: bool = False
    ) -> list[bool]:
        """Run one more writer. Return, for each acknowledged command, True if it was already on record."""
        key, command = self._unanswered
        order = Order(self.where, moment, at, seconds, plays, key, command, self._fault)
        lines = self._writers.run(order)
        self.deaths += 1
        repeated = []
        for kind, key, rest in lines:
            if kind == "sends":
                self._unanswered = (key, rest)
            elif kind == "acknowledged":
                events, chain, again = rest.split()
                repeated.append(again == "True")
                self._unanswered = ("", "")
                # A repeated answer has the current head, not the head of the original answer.
                if again == "False":
                    self._acknowledged[int(events)] = chain
            else:
                raise LostError(f"{kind} {key} {rest}")
        self.check()
        return repeated

    def check(self) -> None:
        """Check that no acknowledged event is missing or duplicated, and that the chain is unbroken and signed."""
        try:
            reader = open_store(self.where, read_only=True)
        except StoreError:
            # The writer was killed before it created the record.
            if self._acknowledged or self.head.events:
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
                acknowledged = self._acknowledged.pop(stored.last, None)
                if acknowledged is not None and acknowledged != stored.chain.hex():
                    raise LostError(f"event {stored.last} differs from the acknowledged one")
        if self._acknowledged:
            raise LostError(f"acknowledged and not on record: events {sorted(self._acknowledged)}")
        if signed is not None and not is_genuine(STREAM, signed):
            raise LostError("the head is not signed")

    def compare(self) -> None:
        """Compare the record with that of a writer that was never killed: the bytes and the resumed state must be equal."""
        twin = MemoryStore()
        undisturbed = resume_or_open(house(twin))
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
            # Both deal the same cards from here on.
            for live in (resumed, undisturbed):
                for _ in range(60):
                    live.send(next_command(live), f"after-{live.head.events}")
            assert everything(store, twin) == everything(twin, twin)


def everything(store: Store, names: MemoryStore) -> tuple[object, ...]:
    """Return everything that a store has for the record. `names` is the store from which the names are taken."""
    known = names._records[STREAM]
    return (
        store.head(STREAM),
        list(store.entries(STREAM)),
        {name: store.secret(STREAM, name) for name in known.secrets},
        [store.snapshot(STREAM, events) for events in store.snapshots(STREAM)],
        {digest: store.text(digest) for digest in names._texts},
    )
