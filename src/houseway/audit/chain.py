"""The chain through a record: whether every entry stands where it was put, as it was written."""

from __future__ import annotations

import msgspec

from houseway.audit.entries import RecordEntry, Stored, link
from houseway.audit.store import Head


class Fault(msgspec.Struct, frozen=True):
    """Something wrong with a record, and at which event."""

    seq: int
    code: str
    message: str


class Chain:
    """Follows a record entry by entry and names what breaks it."""

    def __init__(self, stream: str) -> None:
        self.head = Head.first(stream)
        """Where the record ends so far."""
        self.broken = False
        """Whether events are missing or strange, so that nothing after them can be played again."""
        self._replaced = 0
        """An entry that is not the one recorded, unless the signed head says that only its text changed."""
        self._ahead = 0
        """The number of the entry a swapped one is still awaited behind."""
        self._loose = False
        """Whether the next entry hangs on one that is not there any more."""
        self._unread = False
        """Whether the last entry could not be read at all, not even how many events it holds."""

    def take(self, stored: Stored, entry: RecordEntry | None, then: Stored | None) -> list[Fault]:
        """What is wrong with where an entry stands: `entry` is what it says, where that can be read, and
        `then` the one after it."""
        wanted = self.head.events + 1
        if not stored.chain:
            self.broken = self._loose = self._unread = True
            return [Fault(wanted, "unreadable", f"event {wanted} cannot be read")]
        if self._unread and stored.seq > wanted:
            wanted = stored.seq
        self._unread = False
        if stored.seq != wanted:
            return self._out_of_place(stored, entry, then, wanted)
        linked = link(self.head.chain, stored.public)
        loose, self._loose = self._loose, False
        before, self.head = self.head, Head(_last(stored, entry), stored.chain)
        if linked == stored.chain or loose:
            return []
        if entry is not None and entry.seq != stored.seq:
            self.broken = self._loose = True
            self.head = Head(stored.last, stored.chain)
            sentence = f"event {stored.seq} is another one: it says it is event {entry.seq}"
            return [Fault(stored.seq, "swapped", sentence)]
        if then is not None and link(linked, then.public) == then.chain:
            self.head = Head(self.head.events, linked)
            return [Fault(stored.seq, "changed", f"the chain written at event {stored.seq} was changed")]
        if then is not None and link(stored.chain, then.public) != then.chain:
            self.broken = self._loose = True
            return [_spliced(stored.seq)]
        self._replaced = stored.seq
        if before.events == 0:
            self.broken = True
            return [_spliced(stored.seq)]
        return [Fault(stored.seq, "changed", f"event {stored.seq} is not as it was recorded")]

    def _out_of_place(
        self, stored: Stored, entry: RecordEntry | None, then: Stored | None, wanted: int
    ) -> list[Fault]:
        self.broken = True
        if stored.seq < wanted:
            if stored.seq == self._ahead:
                return []
            return [Fault(stored.seq, "swapped", f"event {stored.seq} stands behind event {wanted - 1}")]
        # What comes after a gap hangs on an entry that is not there.
        self.head = Head(_last(stored, entry), stored.chain)
        if then is not None and then.seq == wanted:
            self._ahead = wanted
            return [Fault(wanted, "swapped", f"event {wanted} stands behind event {stored.seq}")]
        one = stored.seq == wanted + 1
        gap = f"event {wanted} is" if one else f"events {wanted} to {stored.seq - 1} are"
        return [Fault(wanted, "missing", f"{gap} missing")]

    def end(self, head: Head, faults: list[Fault]) -> list[Fault]:
        """All faults, with those that only the signed head brings to light."""
        last = self.head.events
        if last < head.events:
            sentence = f"the record ends with event {last}; its head says there are {head.events}"
            return [*faults, Fault(last + 1, "truncated", sentence)]
        if last > head.events:
            sentence = f"the record goes on to event {last}; its head says it ends with {head.events}"
            return [*faults, Fault(head.events + 1, "head", sentence)]
        if self.head.chain == head.chain:
            return faults
        if self._replaced:
            # The entries after it go on from it, and not to the head: they came together.
            self.broken = True
            own = _spliced(self._replaced)
            return [own if f.seq == own.seq and f.code == "changed" else f for f in faults]
        return [*faults, Fault(last, "head", f"the head names another event {last} than the record holds")]


def _spliced(seq: int) -> Fault:
    return Fault(seq, "spliced", f"event {seq} was not recorded here: it comes from another record")


def _last(stored: Stored, entry: RecordEntry | None) -> int:
    """The number of an entry's last event: as it says itself, which the chain vouches for."""
    return stored.last if entry is None else stored.seq + max(len(entry.events), 1) - 1
