"""The signing key of a server. A lost key is never replaced silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from houseway.audit.signatures import Signer, is_genuine
from houseway.audit.store import Batch, DamagedError, HouseStore, SignedHead, StoreError
from houseway.audit.streams import HOUSE_LOG
from houseway.live.house_log_writer import change_key
from houseway.live.table_services import now

HISTORY: Final = "house:keys"
"""The name under which the store holds the keys of the house."""


class KeyPeriod(msgspec.Struct, frozen=True):
    """A public key of the house, and when the house began to use it."""

    key: str
    since: str


class HouseKey(msgspec.Struct, frozen=True):
    """The signer of a house, and whether its key was created or replaced at this start."""

    signer: Signer
    created: bool = False
    """True if the key is new."""
    replaced: str = ""
    """The public key that the new key replaces; empty if no key was replaced."""


def key_history(store: HouseStore) -> tuple[KeyPeriod, ...]:
    """Return the keys of a house, the current key last; empty before the first start with a key."""
    body = store.kept_as(HISTORY)
    return msgspec.json.decode(body, type=tuple[KeyPeriod, ...]) if body else ()


def open_key(store: HouseStore, path: Path, *, new: bool = False) -> HouseKey:
    """Return the house's key, which is created for a house without records.

    Raises StoreError if the records are signed with another key. With `new`, they are signed again instead,
    and the change is stored.
    """
    history = key_history(store)
    known = history[-1].key if history else _usual_key(store)
    created = not path.exists()
    if created and known and not new:
        raise StoreError(f"the key {path} is missing, but the records in {store.where} {_advice(known)}")
    signer = Signer.kept(path)
    own = signer.public.hex()
    if own == known and history:
        return HouseKey(signer)
    if known and own != known:
        if not new:
            raise StoreError(f"{path} is another key: the records in {store.where} {_advice(known)}")
        old = _old_signer(path, known)
        for stream, signed in _heads(store):
            if signed.key.hex() == known:
                _sign_again(store, stream, signed, signer, old)
        history = history or (KeyPeriod(known, ""),)
    store.keep(HISTORY, msgspec.json.encode((*history, KeyPeriod(own, now()))))
    return HouseKey(signer, created, known if own != known else "")


def _advice(known: str) -> str:
    return f"are signed with {known[:16]}…; restore that key, or sign them again with serve --new-key"


def _heads(store: HouseStore) -> Iterator[tuple[str, SignedHead]]:
    for stream in store.streams():
        # Verification reports a damaged head.
        with suppress(DamagedError):
            if (signed := store.head(stream)) is not None:
                yield stream, signed


def _usual_key(store: HouseStore) -> str:
    """Return the key of most records: a store may also have records imported from other houses."""
    keys = Counter(signed.key.hex() for _, signed in _heads(store))
    return keys.most_common(1)[0][0] if keys else ""


def _old_signer(path: Path, known: str) -> Signer | None:
    """Return the signer with the old key, if its file was renamed by adding `.old`."""
    file = path.with_name(f"{path.name}.old")
    signer = Signer.kept(file) if file.exists() else None
    return signer if signer is not None and signer.public.hex() == known else None


def _sign_again(
    store: HouseStore, stream: str, signed: SignedHead, signer: Signer, old: Signer | None
) -> None:
    """Sign the head and the snapshots of a record with a new key, if the old signatures are valid."""
    if not is_genuine(stream, signed):
        raise StoreError(
            f"{stream}: the signature of the head is invalid; run `houseway audit verify` first"
        )
    # Snapshots first: if the program stops in between, the head still has the old key.
    ends = signer.head(stream, signed.head)
    for at in store.snapshots(stream):
        snapshot = store.snapshot(stream, at)
        if snapshot is not None and is_genuine(stream, snapshot.signed, snapshot.body):
            again = signer.snapshot(stream, snapshot.signed.head, snapshot.body)
            store.append(stream, signed.head, Batch(entries=(), signed=signed, snapshot=again))
    if stream == HOUSE_LOG:
        # The log's new signature and the entry about it are stored together.
        change_key(store, signed, signer, old)
    else:
        store.append(stream, signed.head, Batch(entries=(), signed=ends))
