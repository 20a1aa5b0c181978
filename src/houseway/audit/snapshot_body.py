"""The body of a snapshot: the state of a table, its shoes, and the version of the format."""

from __future__ import annotations

import msgspec

from houseway import __version__
from houseway.engine.state import STATE_FORMAT


class SnapshotBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a snapshot, as it is stored."""

    engine: str
    """The version of houseway that took the snapshot."""
    format: int = 1
    """The format of the state. Snapshots of early versions do not have this field; their format is 1."""
    state: msgspec.Raw
    shoes: msgspec.Raw

    @property
    def current(self) -> bool:
        """True if this version of houseway took the snapshot, in the current format."""
        return self.engine == __version__ and self.format == STATE_FORMAT


def write_snapshot(state: bytes, shoes: bytes) -> bytes:
    """Return the body of a snapshot in the current format. `state` and `shoes` are JSON."""
    parts = {"state": msgspec.Raw(state), "shoes": msgspec.Raw(shoes)}
    return msgspec.json.encode(SnapshotBody(engine=__version__, format=STATE_FORMAT, **parts))


def read_snapshot(body: bytes) -> SnapshotBody:
    """Return the parts of a snapshot's body. Raises msgspec.MsgspecError if it cannot be read."""
    return msgspec.json.decode(body, type=SnapshotBody)
