"""Batches of arbitrary bytes for store tests: a store does not interpret its entries."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from houseway.audit.entries import StoredEntry, link
from houseway.audit.store import Batch, Head, SignedHead, Snapshot


def signed(head: Head) -> SignedHead:
    """Return a head with fake bytes of the right size as its signature."""
    name = hashlib.sha512(head.chain).digest()
    return SignedHead(head, name, name[:32])


def batch(
    after: Head,
    *parts: bytes,
    keys: Sequence[str] = (),
    sealed: bytes = b"hidden",
    count: int = 2,
    texts: Mapping[str, str] | None = None,
    secrets: Mapping[str, bytes] | None = None,
    body: bytes | None = None,
    fence: int = 0,
) -> Batch:
    """Return a batch that follows a head, with one entry for each part, and a snapshot at its end if `body` is set."""
    entries: list[StoredEntry] = []
    seq, chain = after.events + 1, after.chain
    for n, part in enumerate(parts):
        chain = link(chain, part)
        key = keys[n] if n < len(keys) else ""
        entries.append(StoredEntry(seq, count, key, part, sealed, chain))
        seq += count
    end = signed(Head(seq - 1, chain))
    return Batch(
        entries=tuple(entries),
        signed=end,
        texts=texts or {},
        secrets=secrets or {},
        snapshot=None if body is None else Snapshot(end, body),
        fence=fence,
    )
