"""Replay a stream whose entries have one event each: ledgers, personal streams and the house log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from houseway.audit.chain import Chain, Fault, ReadEntry
from houseway.audit.entries import StoredEntry

Entry = TypeVar("Entry", bound=ReadEntry)


class StreamReplay(Generic[Entry]):
    """Reads a stream entry by entry, checks its chain, and collects its faults."""

    def __init__(
        self,
        stream: str,
        read: Callable[[bytes], Entry],
        encode: Callable[[Entry], bytes],
        key: Callable[[Entry], str] = lambda _: "",
    ) -> None:
        """`key` returns the key by which the store finds an entry."""
        self.chain = Chain(stream)
        self.faults: list[Fault] = []
        self.missing: list[str] = []
        """The tables that are not in the store, although the stream names them."""
        self._read, self._encode, self._key = read, encode, key

    def _fault(self, seq: int, code: str, message: str) -> None:
        self.faults.append(Fault(seq, code, message))

    def _next_entry(self, stored: StoredEntry, following: StoredEntry | None) -> Entry | None:
        """Return the content of the next entry, after a check of its place; None if it cannot be read."""
        problem = ""
        try:
            entry: Entry | None = self._read(stored.public)
        except ValueError as error:
            entry, problem = None, str(error)
        misplaced = self.chain.take(stored, entry, following)
        self.faults += misplaced
        if entry is None:
            if not misplaced:
                self._fault(stored.seq, "unreadable", f"event {stored.seq} cannot be read: {problem}")
            return None
        own, indexed = (entry.seq, 1, self._key(entry)), (stored.seq, stored.count, stored.key)
        if not misplaced and (own != indexed or self._encode(entry) != stored.public):
            sentence = f"the stored text, number or key of event {stored.seq} is wrong"
            self._fault(stored.seq, "changed", sentence)
        return entry
