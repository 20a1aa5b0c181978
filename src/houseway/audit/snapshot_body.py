"""The body of a snapshot: the state of a table and its shoes, and the format that they are written in."""

from __future__ import annotations

import msgspec

from houseway import __version__
from houseway.engine.state import STATE_FORMAT


class SnapshotBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a snapshot, as it is stored."""

    engine: str
    """The version of houseway that took it."""
    format: int = 1
    """The format of the state; 1 in the snapshots of early versions, which do not name it."""
    state: msgspec.Raw
    shoes: msgspec.Raw

    @property
    def current(self) -> bool:
        """True if its state is the one that this version computes from the same events."""
        return self.engine == __version__ and self.format == STATE_FORMAT


def write_snapshot(state: bytes, shoes: bytes) -> bytes:
    """Return the body of a snapshot in the current format; both parts are JSON."""
    parts = {"state": msgspec.Raw(state), "shoes": msgspec.Raw(shoes)}
    return msgspec.json.encode(SnapshotBody(engine=__version__, format=STATE_FORMAT, **parts))


def read_snapshot(body: bytes) -> SnapshotBody:
    """Return the parts of a snapshot's body; raises msgspec.MsgspecError if it cannot be read."""
    return msgspec.json.decode(body, type=SnapshotBody)
