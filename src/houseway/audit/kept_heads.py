"""Heads that are kept outside their record (in the house log, by players, or in a file outside the
database), so that the record can be compared with them later.

If a record does not contain a kept head, it was replaced by an older copy, or changed after the head was
signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated, Final

import msgspec

from houseway.audit.chain import Fault
from houseway.audit.signatures import is_genuine
from houseway.audit.store import MAX_EVENTS, Head, SignedHead, Store, StoreError
from houseway.wording import several

NOTED: Final = "the head that you noted"
BACK: Final = (1, 64, 4096)
"""To find the entry that ends at an event, the store is read from this many events before it. The smallest
number is tried first. No entry has more events than the last number."""

Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]


class KeptHead(msgspec.Struct, frozen=True):
    """A head that a record must contain, and where it was kept."""

    head: Head
    where: str = NOTED
    """The name of the head in a sentence, such as "the head in the house log"."""


class HeadDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed head as JSON, as the server sends it and `houseway audit head` prints it."""

    stream: str
    events: Annotated[int, msgspec.Meta(ge=0, le=MAX_EVENTS - 1)]
    chain: Hex
    signature: Hex
    key: Hex

    @classmethod
    def of(cls, stream: str, signed: SignedHead) -> HeadDocument:
        """Return a signed head as a document."""
        head = signed.head
        return cls(stream, head.events, head.chain.hex(), signed.signature.hex(), signed.key.hex())

    @property
    def signed(self) -> SignedHead:
        """The signed head."""
        chain, signature, key = map(bytes.fromhex, (self.chain, self.signature, self.key))
        return SignedHead(Head(self.events, chain), signature, key)


def read_heads(file: Path) -> list[HeadDocument]:
    """Return the signed heads in a file. The file has one head, a list of heads, or one head per line.

    Raises StoreError if the file cannot be read, or if a signature is invalid.
    """
    try:
        text = file.read_bytes().strip()
        one_per_line = text.count(b"\n") and text.splitlines()[0].rstrip().endswith(b"}")
        if one_per_line:
            heads = [msgspec.json.decode(line, type=HeadDocument) for line in text.splitlines() if line]
        else:
            read = msgspec.json.decode(text, type=HeadDocument | list[HeadDocument])
            heads = read if isinstance(read, list) else [read]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        help_ = "name a file with heads that `houseway audit head` or a server wrote"
        raise StoreError(f"{file} cannot be read: {reason}; {help_}") from error
    for head in heads:
        if not is_genuine(head.stream, head.signed):
            sentence = f"the signature of the head of {head.stream} at event {head.events} is invalid"
            raise StoreError(f"{file}: {sentence}, so it proves nothing; remove it from the file")
    return heads


def chain_at(store: Store, stream: str, events: int) -> bytes | None:
    """Return the chain of a record after its first `events` events, or None if no entry ends there."""
    if events == 0:
        return Head.first(stream).chain
    for back in BACK:
        for stored in store.entries(stream, max(0, events - back)):
            if stored.last == events:
                return stored.chain
            if stored.seq > events:
                break
    return None


class HeadCheck:
    """Finds the kept heads that a record does not contain, while the record is read."""

    def __init__(self, stream: str, kept: Iterable[KeptHead]) -> None:
        self._due: dict[int, list[KeptHead]] = {}
        for one in kept:
            self._due.setdefault(one.head.events, []).append(one)
        self._changed: list[KeptHead] = []
        self.see(Head.first(stream))

    def see(self, head: Head) -> None:
        """Compare the kept heads with the record's head after an entry."""
        if self._due and head.events in self._due:
            due = self._due.pop(head.events)
            self._changed += [one for one in due if one.head.chain != head.chain]

    def faults(self, end: Head) -> Iterator[Fault]:
        """For each place with kept heads, yield a fault for the first one that the record does not contain.

        Call this after the last entry.
        """
        missing = [*self._changed, *(one for due in self._due.values() for one in due)]
        missing.sort(key=lambda one: (one.where, one.head.events))
        for where, group in groupby(missing, lambda one: one.where):
            first, *others = group
            change = "has changed" if first.head.events <= end.events else "is missing"
            more = f", together with {several(len(others), 'later head')}" if others else ""
            yield Fault(first.head.events, "rollback", f"{where} {change}{more}")
