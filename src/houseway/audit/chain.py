"""Check the hash chain of a record: every entry must be unchanged and in its position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from houseway.audit.entries import StoredEntry, link
from houseway.audit.store import Head


class Fault(msgspec.Struct, frozen=True):
    """A fault in a record, and the number of the event at which it was found."""

    seq: int
    code: str
    message: str


class ReadEntry(Protocol):
    """The content of an entry, as far as the chain needs it."""

    @property
    def seq(self) -> int: ...
    @property
    def events(self) -> Sequence[object]: ...


class Chain:
    """Follows a record entry by entry, and reports each break in the chain."""

    def __init__(self, stream: str) -> None:
        self.head = Head.first(stream)
        """The end of the record so far."""
        self.broken = False
        """True if events are missing or from another record, so that nothing after them can be replayed."""
        self._replaced = 0
        """The number of an entry that was changed, or was spliced in from another record. The signed head
        decides which of the two it is."""
        self._ahead = 0
        """The number of an entry that comes too late. It is already reported as swapped."""
        self._loose = False
        """True if the entry before the next one is missing, so that the link cannot be checked."""
        self._unread = False
        """True if the last entry could not be read, so that its number of events is unknown."""

    def take(
        self, stored: StoredEntry, entry: ReadEntry | None, following: StoredEntry | None
    ) -> list[Fault]:
        """Return the faults in the position of an entry.

        `entry` is the content of the entry, if it can be read. `following` is the entry after it.
        """
        expected = self.head.events + 1
        if not stored.chain:
            self.broken = self._loose = self._unread = True
            return [Fault(expected, "unreadable", f"event {expected} cannot be read")]
        if self._unread and stored.seq > expected:
            expected = stored.seq
        self._unread = False
        if stored.seq != expected:
            return self._out_of_place(stored, entry, following, expected)
        linked = link(self.head.chain, stored.public)
        loose, self._loose = self._loose, False
        before, self.head = self.head, Head(_last(stored, entry), stored.chain)
        if linked == stored.chain or loose:
            return []
        if entry is not None and entry.seq != stored.seq:
            self.broken = self._loose = True
            self.head = Head(stored.last, stored.chain)
            sentence = f"event {stored.seq} was swapped: its entry says it is event {entry.seq}"
            return [Fault(stored.seq, "swapped", sentence)]
        if following is not None and link(linked, following.public) == following.chain:
            self.head = Head(self.head.events, linked)
            return [Fault(stored.seq, "changed", f"the chain hash of event {stored.seq} was changed")]
        if following is not None and link(stored.chain, following.public) != following.chain:
            self.broken = self._loose = True
            return [_spliced(stored.seq)]
        self._replaced = stored.seq
        if before.events == 0:
            self.broken = True
            return [_spliced(stored.seq)]
        return [Fault(stored.seq, "changed", f"event {stored.seq} was changed after it was recorded")]

    def _out_of_place(
        self, stored: StoredEntry, entry: ReadEntry | None, following: StoredEntry | None, expected: int
    ) -> list[Fault]:
        self.broken = True
        if stored.seq < expected:
            if stored.seq == self._ahead:
                return []
            return [Fault(stored.seq, "swapped", f"event {stored.seq} comes after event {expected - 1}")]
        # The entry after a gap is linked to an entry that is missing.
        self.head = Head(_last(stored, entry), stored.chain)
        if following is not None and following.seq == expected:
            self._ahead = expected
            return [Fault(expected, "swapped", f"event {expected} comes after event {stored.seq}")]
        single = stored.seq == expected + 1
        gap = f"event {expected} is" if single else f"events {expected} to {stored.seq - 1} are"
        return [Fault(expected, "missing", f"{gap} missing")]

    def end(self, head: Head, faults: list[Fault]) -> list[Fault]:
        """Return `faults`, with the faults added that only the signed head reveals."""
        last = self.head.events
        if last < head.events:
            sentence = f"the record ends at event {last}, but its head says it has {head.events} events"
            return [*faults, Fault(last + 1, "truncated", sentence)]
        if last > head.events:
            sentence = f"the record continues to event {last}, but its head ends at event {head.events}"
            return [*faults, Fault(head.events + 1, "head", sentence)]
        if self.head.chain == head.chain:
            return faults
        if self._replaced:
            # The entries after it do not lead to the signed head, so they come from the other record too.
            self.broken = True
            spliced = _spliced(self._replaced)
            return [spliced if f.seq == spliced.seq and f.code == "changed" else f for f in faults]
        return [*faults, Fault(last, "head", f"the head does not match event {last} of the record")]


def _spliced(seq: int) -> Fault:
    return Fault(seq, "spliced", f"event {seq} was not recorded here: it comes from another record")


def _last(stored: StoredEntry, entry: ReadEntry | None) -> int:
    """Return the number of an entry's last event. If the entry can be read, its events are counted, because
    the chain covers them."""
    return stored.last if entry is None else stored.seq + max(len(entry.events), 1) - 1
