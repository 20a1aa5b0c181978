"""Verify personal streams: the chain, the keys, the sealed parts, and the tombstones (entries that record
an erasure)."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.audit.encrypted_store import MARK
from houseway.audit.entries import StoredEntry, digest
from houseway.audit.personal_entries import (
    KEY_BYTES,
    PersonalEntry,
    ProgressErased,
    encode_personal_entry,
    key_name,
    read_personal_entry,
    unseal,
)
from houseway.audit.store import Store
from houseway.audit.stream_replay import StreamReplay
from houseway.wording import several


class PersonalReplay(StreamReplay[PersonalEntry]):
    """Replays a personal stream entry by entry, and collects its faults."""

    def __init__(self, store: Store, stream: str, *, due: bool) -> None:
        """With `due`, the keys that were not erased must be in the store."""
        super().__init__(stream, read_personal_entry, encode_personal_entry, lambda entry: entry.key)
        self._store = store
        self._stream = stream
        self._due = due
        self._number = 1
        """The number of the key that the next entry must have."""
        self._entries = self._bytes = 0
        """The entries and bytes since the last tombstone."""
        self._sealed: list[StoredEntry] = []
        """The entries since the last tombstone."""
        self._erased: list[tuple[int, str]] = []
        """For each tombstone: the number of entries that it erased, and its time."""
        self._locked = 0
        """The number of entries that could not be decrypted here, because their key is missing or
        encrypted."""

    def take(self, stored: StoredEntry, following: StoredEntry | None) -> None:
        """Check the next entry."""
        entry = self._next_entry(stored, following)
        if entry is None:
            return
        if entry.number != self._number:
            sentence = f"event {entry.seq} has key {entry.number}; the tombstones before it lead to key "
            self._fault(entry.seq, "events", f"{sentence}{self._number}")
        self._count(stored, entry)

    def _count(self, stored: StoredEntry, entry: PersonalEntry) -> None:
        event = entry.events[0]
        if isinstance(event, ProgressErased):
            self._erased.append((len(self._sealed), event.at))
            self._check_erased(entry)
            self._number, self._entries, self._bytes, self._sealed = entry.number + 1, 0, 0, []
            return
        self._entries += 1
        # The size is checked only while the sealed part is there.
        size = entry.bytes - self._bytes
        self._bytes = entry.bytes
        measured = bool(stored.sealed) and _is_plain(stored.sealed)
        if entry.entries != self._entries or (measured and size != len(stored.sealed)):
            self._fault(entry.seq, "events", f"event {entry.seq} has a wrong number of entries or bytes")
        self._sealed.append(stored)

    def _check_erased(self, entry: PersonalEntry) -> None:
        """Check that the key and the sealed parts before a tombstone are gone."""
        left = any(stored.sealed for stored in self._sealed)
        if left:
            # The stream may have been erased after its first entries were read.
            again = self._store.entries(self._stream, self._sealed[0].seq - 1)
            left = any(stored.sealed for stored in again if stored.seq < entry.seq)
        if left or self._store.secret(self._stream, key_name(entry.number)) is not None:
            sentence = "the stream was erased here, but a key or a sealed part is still in the database"
            self._fault(entry.seq, "erased", sentence)

    def end(self) -> None:
        """Check the sealed parts after the last tombstone. Call this after the last entry."""
        if not self._sealed:
            return
        key = self._store.secret(self._stream, key_name(self._number))
        if key is None and self._erased_since():
            self._locked = len(self._sealed)
            return
        if key is None and self._due:
            sentence = "the key is missing, and no tombstone says that it was erased"
            self._fault(self._sealed[0].seq, "secret", sentence)
        for stored in self._sealed:
            self._check_sealed(stored, key)

    def _erased_since(self) -> bool:
        """True if a running server has erased the stream since its last entry was read."""
        for stored in self._store.entries(self._stream, self.chain.head.events):
            try:
                if isinstance(read_personal_entry(stored.public).events[0], ProgressErased):
                    return True
            except ValueError:
                return False
        return False

    def _check_sealed(self, stored: StoredEntry, key: bytes | None) -> None:
        if not _is_plain(key or b"") or not _is_plain(stored.sealed):
            self._locked += 1
            return
        if not stored.sealed:
            if key is not None:
                self._fault(stored.seq, "sealed", f"the sealed part of event {stored.seq} is missing")
            self._locked += 1
            return
        try:
            entry = read_personal_entry(stored.public)
            if digest(stored.sealed) != entry.seal:
                raise ValueError("its sealed part was changed")
            if key is None or len(key) != KEY_BYTES:
                self._locked += 1
            else:
                unseal(self._stream, key, entry.number, entry.seq, stored.sealed)
        except ValueError as error:
            self._fault(stored.seq, "sealed", f"event {stored.seq} cannot be read: {error}")

    def lacked(self) -> Iterator[str]:
        """Yield a sentence if entries could not be decrypted."""
        if self._locked:
            entries = several(self._locked, "entry", "entries")
            yield f"the contents of {entries}, because their key is not here"

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each tombstone."""
        for entries, at in self._erased:
            yield f"erased: {several(entries, 'entry', 'entries')}, at {at}"


def _is_plain(value: bytes) -> bool:
    """True if a value is not encrypted with the house's secrets key."""
    return not value.startswith(MARK)
