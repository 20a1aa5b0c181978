"""Batches for the stores, made of bytes that mean nothing: a store knows nothing of the game."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from houseway.audit.entries import Stored, link
from houseway.audit.store import Batch, Head, Signed, Snapshot


def signed(head: Head) -> Signed:
    """Bytes of the right size where a signature goes."""
    name = hashlib.sha512(head.chain).digest()
    return Signed(head, name, name[:32])


def batch(
    after: Head,
    *parts: bytes,
    keys: Sequence[str] = (),
    sealed: bytes = b"hidden",
    count: int = 2,
    texts: Mapping[str, str] | None = None,
    secrets: Mapping[str, bytes] | None = None,
    body: bytes | None = None,
) -> Batch:
    """An entry for each part, behind a head; with a body, a snapshot where they end."""
    entries: list[Stored] = []
    seq, chain = after.events + 1, after.chain
    for n, part in enumerate(parts):
        chain = link(chain, part)
        key = keys[n] if n < len(keys) else ""
        entries.append(Stored(seq, count, key, part, sealed, chain))
        seq += count
    end = signed(Head(seq - 1, chain))
    return Batch(
        entries=tuple(entries),
        signed=end,
        texts=texts or {},
        secrets=secrets or {},
        snapshot=None if body is None else Snapshot(end, body),
    )
