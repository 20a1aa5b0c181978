"""A simulated disk that can lose unsynced data, for tests of the real store.

SQLite writes through a layer that logs every write, truncation, sync and deletion. From this log, the files can be
rebuilt as they might be after a power cut at any moment: all synced data is there, and any part of the unsynced data
may be there. The store itself is unchanged; it uses another SQLite library with the same interface.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import apsw


class Note(NamedTuple):
    """A file operation, or an acknowledgement to the writer."""

    kind: str
    """"create", "write", "truncate", "sync", "delete", "acknowledged"."""
    name: str = ""
    at: int = 0
    data: bytes = b""


class File:
    """A file: its synced content, and the operations since the last sync."""

    def __init__(self) -> None:
        self.synced: bytes | None = None
        self.since: list[Note] = []

    def after_power_cut(self, rng: Random | None) -> bytes | None:
        """Return the content after a power cut: the synced data and, if `rng` is set, a random part of the unsynced data."""
        likely = rng.random() if rng else 0.0
        content = None if self.synced is None else bytearray(self.synced)
        for note in self.since:
            if rng is None or rng.random() >= likely:
                continue
            content = _changed(content, note)
        return None if content is None else bytes(content)

    def note(self, note: Note) -> None:
        if note.kind == "sync":
            content = None if self.synced is None else bytearray(self.synced)
            for before in self.since:
                content = _changed(content, before)
            self.synced, self.since = None if content is None else bytes(content), []
        elif note.kind == "delete" and note.at:
            self.synced, self.since = None, []
        else:
            self.since.append(note)


def _changed(content: bytearray | None, note: Note) -> bytearray | None:
    if note.kind == "delete":
        return None
    if content is None or note.kind == "create":
        content = bytearray()
    if note.kind == "truncate":
        del content[note.at :]
    elif note.kind == "write":
        content.extend(bytes(max(0, note.at - len(content))))
        content[note.at : note.at + len(note.data)] = note.data
    return content


class Disk(apsw.VFS):
    """The layer under SQLite, and its log."""

    def __init__(self, name: str) -> None:
        self.notes: list[Note] = []
        self.name = name
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _OpenFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        # If SQLite also syncs the folder, a power cut cannot undo the deletion.
        self.notes.append(Note("delete", Path(filename).name, int(syncdir)))

    def moments(self) -> Iterator[tuple[Note, dict[str, File]]]:
        """Yield every note with the files right after it."""
        files: dict[str, File] = {}
        for note in self.notes:
            if note.name:
                files.setdefault(note.name, File()).note(note)
            yield note, files

    def library(self, version: tuple[int, ...]) -> Any:
        """Return SQLite on this disk behind the interface of Python's `sqlite3`, reporting `version`."""
        return SimpleNamespace(
            __name__="apsw",
            paramstyle="named",
            sqlite_version=apsw.sqlite_lib_version(),
            sqlite_version_info=version,
            connect=lambda where, **_: _Connection(where, self.name),
            Error=apsw.Error,
            IntegrityError=apsw.ConstraintError,
        )


class _OpenFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(path).name if path else ""
        self._disk = disk
        new = bool(path) and not Path(str(path)).exists()
        super().__init__("", name, flags)
        if new:
            self._note("create")

    def _note(self, kind: str, at: int = 0, data: bytes = b"") -> None:
        if self._name:
            self._disk.notes.append(Note(kind, self._name, at, data))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._note("write", offset, bytes(data))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._note("truncate", newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._note("sync")


class _Connection:
    """The part of a connection that the store uses."""

    isolation_level: str | None = None

    def __init__(self, where: str, disk: str) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        self._connection = apsw.Connection(where, flags=flags, vfs=disk)

    def cursor(self) -> _Cursor:
        return _Cursor(self._connection)

    def create_function(self, *_: Any, **__: Any) -> None:
        """Do nothing: the store's tables need no function."""

    def commit(self) -> None:
        """Do nothing: every statement commits automatically."""

    rollback = commit

    def close(self) -> None:
        self._connection.close()


class _Cursor:
    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._cursor.exec_trace = self._describe
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid = None

    def _describe(self, cursor: apsw.Cursor, _words: str, _parameters: Any) -> bool:
        with suppress(apsw.ExecutionCompleteError):
            self.description = [(name, *[None] * 6) for name, _ in cursor.get_description()] or None
        return True

    def execute(self, words: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> _Cursor:
        self.description = None
        self._rows = list(self._cursor.execute(words, parameters))
        self.rowcount = self._connection.changes()
        return self

    def executemany(self, words: str, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            self.execute(words, row)

    def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    def fetchone(self) -> Any:
        return self._rows.pop(0) if self._rows else None

    def close(self) -> None:
        self._cursor.close()
