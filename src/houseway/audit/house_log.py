"""The house log: a signed chain of events about records, keys, roles, and starts and stops of the server.

The record of a table can be removed, or replaced by an older copy, without a trace in any other record. The
house log has the heads that each record had, so it shows that something is missing. The head of the log can
be kept outside the database. The log contains no secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from houseway import __version__
from houseway.audit.entries import StoredEntry, link, require_version
from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, Snapshot
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.times import entry_time

VERSION: Final = 1
"""The version of the names and fields of entries."""
FORMAT: Final = 1
"""The version of the state in a snapshot."""

Heads = dict[str, str]
"""The head of each stream as EVENTS:CHAIN."""
Roles = dict[str, dict[str, tuple[str, ...]]]
"""The roles of each person at each table, sorted. The person is the handle that `folded` returns."""


class HouseLogEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An event of the house log."""


class HouseOpened(HouseLogEvent, frozen=True):
    """A server started with this public key."""

    key: str


class HouseClosed(HouseLogEvent, frozen=True):
    """A server was shut down normally."""


class KeyChanged(HouseLogEvent, frozen=True):
    """From now on, the house signs with a new key."""

    old: str
    new: str
    by_new: str
    """The new key's signature over both keys."""
    by_old: str = ""
    """The old key's signature over both keys; empty if the old key was lost."""


class StreamsOpened(HouseLogEvent, frozen=True):
    """Records were started, in the same transaction as this entry."""

    heads: Heads


class StreamsFound(HouseLogEvent, frozen=True):
    """When the server started, the database contained records that were not in the log."""

    heads: Heads
    without_secrets: tuple[str, ...] = ()
    """The records that had no secrets, such as imported ones."""


class Checkpoint(HouseLogEvent, frozen=True):
    """The heads of the records that have changed, and the digest of all roles."""

    heads: Heads
    roles: str
    """The digest of the roles of all persons."""
    closed: tuple[str, ...] = ()
    """The tables that were closed."""


class RolesFound(HouseLogEvent, frozen=True):
    """The roles of all persons when the log began."""

    roles: Roles


class RoleGranted(HouseLogEvent, frozen=True):
    """A person was given roles at a table. The table "*" means every table."""

    person: str
    """The handle that `folded` returns."""
    table: str
    roles: tuple[str, ...]
    by: str
    """The giver: a handle, "house", "operator", or the creator of the invitation."""


class RoleRevoked(HouseLogEvent, frozen=True):
    """A person lost roles at a table."""

    person: str
    table: str
    roles: tuple[str, ...]
    by: str
    """The person who revoked them: a handle, "house" or "operator"."""


class SecretsErased(HouseLogEvent, frozen=True):
    """The house erased secrets of a record on purpose."""

    stream: str
    names: tuple[str, ...]
    """The names of the secrets, or "*" for all of them."""
    by: str
    reason: str


AnyHouseLogEvent = (
    HouseOpened | HouseClosed | KeyChanged | StreamsOpened | StreamsFound | Checkpoint | RolesFound
    | RoleGranted | RoleRevoked | SecretsErased
)  # fmt: skip


class HouseLogEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One event of the house log, as it is stored."""

    version: int = 1
    seq: int
    at: str
    clock: str = ""
    """The clock's own time, if it was earlier than the time of the previous entry.

    `at` then repeats that entry's time.
    """
    engine: str
    events: tuple[AnyHouseLogEvent]


encode_log_entry: Final = msgspec.json.Encoder().encode
"""Return an entry as it is stored."""
_decode = msgspec.json.Decoder(HouseLogEntry).decode


def read_log_entry(public: bytes) -> HouseLogEntry:
    """Return an entry. Raises ValueError if it cannot be read, or if it is from a newer houseway."""
    require_version(public, VERSION)
    return _decode(public)


def head_text(head: Head) -> str:
    """Return a head as EVENTS:CHAIN."""
    return f"{head.events}:{head.chain.hex()}"


def read_head_text(text: str) -> Head:
    """Return the head in a text. Raises ValueError if the text is not a head."""
    events, _, chain = text.partition(":")
    return Head(int(events), bytes.fromhex(chain))


def plain_roles(roles: Mapping[str, Mapping[str, Iterable[str]]]) -> Roles:
    """Return roles in their canonical form: sorted, without persons and tables that have none."""
    plain = {
        person: {table: tuple(sorted(set(given))) for table, given in sorted(tables.items()) if given}
        for person, tables in sorted(roles.items())
    }
    return {person: tables for person, tables in plain.items() if tables}


def roles_digest(roles: Mapping[str, Mapping[str, Iterable[str]]]) -> str:
    """Return the SHA-256 of all roles in their canonical form."""
    return hashlib.sha256(msgspec.json.encode(plain_roles(roles))).hexdigest()


class HouseLogState(msgspec.Struct):
    """The state of a house after the entries of its log."""

    format: int = FORMAT
    at: str = ""
    """The time of the last entry."""
    key: str = ""
    """The house's public key."""
    heads: Heads = {}
    """The last head of each record in the log."""
    without_secrets: list[str] = []
    """The records that had no secrets when they were added to the log."""
    roles: Roles = {}
    erased: dict[str, list[str]] = {}
    """The names of erased secrets, by record."""

    def follow(self, entry: HouseLogEntry) -> None:
        """Apply an entry."""
        self.at = entry.at
        match entry.events[0]:
            case HouseOpened(key=key) | KeyChanged(new=key):
                self.key = key
            case StreamsFound() as found:
                self.heads.update(found.heads)
                self.without_secrets += found.without_secrets
            case StreamsOpened(heads=heads) | Checkpoint(heads=heads):
                self.heads.update(heads)
            case RolesFound(roles=roles):
                self.roles = plain_roles(roles)
            case RoleGranted() as change:
                self._set_roles(change, {*self._roles_of(change), *change.roles})
            case RoleRevoked() as change:
                self._set_roles(change, {*self._roles_of(change)} - {*change.roles})
            case SecretsErased() as erased:
                self.erased.setdefault(erased.stream, []).extend(erased.names)

    def _roles_of(self, change: RoleGranted | RoleRevoked) -> tuple[str, ...]:
        return self.roles.get(change.person, {}).get(change.table, ())

    def _set_roles(self, change: RoleGranted | RoleRevoked, roles: set[str]) -> None:
        tables = {**self.roles.get(change.person, {}), change.table: tuple(sorted(roles))}
        self.roles.pop(change.person, None)
        self.roles |= plain_roles({change.person: tables})


def log_batch(
    signer: Signer,
    after: Head,
    last: str,
    clock: str,
    events: Sequence[AnyHouseLogEvent],
    snapshot: Snapshot | None = None,
) -> tuple[Batch, list[HouseLogEntry]]:
    """Return the batch that appends events to the log, and its entries. `last` is the last entry's time."""
    head, stored, entries = after, [], []
    at, behind = entry_time(clock, last)
    for event in events:
        seq = head.events + 1
        entry = HouseLogEntry(seq=seq, at=at, clock=behind, engine=__version__, events=(event,))
        public = encode_log_entry(entry)
        head = Head(seq, link(head.chain, public))
        stored.append(StoredEntry(seq, 1, "", public, b"", head.chain))
        entries.append(entry)
    signed = signer.head(HOUSE_LOG, head)
    return Batch(entries=stored, signed=signed, snapshot=snapshot), entries
