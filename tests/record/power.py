"""A disk that forgets what was not synced, under the real store.

SQLite writes through a layer that notes every write, truncation, sync and deletion. From these notes the files
can be made as they might be found after the power went at any moment: what was synced is there; of what was
not, any part may be. The store runs unchanged: its SQLite is another library behind the same interface.
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
    """Something that happened to a file, or what the writer was told meanwhile."""

    what: str
    """"create", "write", "truncate", "sync", "delete", "told"."""
    name: str = ""
    at: int = 0
    data: bytes = b""


class File:
    """A file: what the disk holds for sure, and what it was given since."""

    def __init__(self) -> None:
        self.sure: bytes | None = None
        self.since: list[Note] = []

    def found(self, rng: Random | None) -> bytes | None:
        """What may be found of it; without chance, what is sure."""
        likely = rng.random() if rng else 0.0
        content = None if self.sure is None else bytearray(self.sure)
        for note in self.since:
            if rng is None or rng.random() >= likely:
                continue
            content = _changed(content, note)
        return None if content is None else bytes(content)

    def note(self, note: Note) -> None:
        if note.what == "sync":
            content = None if self.sure is None else bytearray(self.sure)
            for before in self.since:
                content = _changed(content, before)
            self.sure, self.since = None if content is None else bytes(content), []
        elif note.what == "delete" and note.at:
            self.sure, self.since = None, []
        else:
            self.since.append(note)


def _changed(content: bytearray | None, note: Note) -> bytearray | None:
    if note.what == "delete":
        return None
    if content is None or note.what == "create":
        content = bytearray()
    if note.what == "truncate":
        del content[note.at :]
    elif note.what == "write":
        content.extend(bytes(max(0, note.at - len(content))))
        content[note.at : note.at + len(note.data)] = note.data
    return content


class Disk(apsw.VFS):
    """The layer under SQLite, and its notes."""

    def __init__(self, name: str) -> None:
        self.notes: list[Note] = []
        self.name = name
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _OpenFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        # Sure at once where the folder is synced with it.
        self.notes.append(Note("delete", Path(filename).name, int(syncdir)))

    def moments(self) -> Iterator[tuple[Note, dict[str, File]]]:
        """Every note, with the files as they are right after it."""
        files: dict[str, File] = {}
        for note in self.notes:
            if note.name:
                files.setdefault(note.name, File()).note(note)
            yield note, files

    def library(self, version: tuple[int, ...]) -> Any:
        """SQLite over this disk, behind the interface of Python's own; it says to be of a version."""
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

    def _note(self, what: str, at: int = 0, data: bytes = b"") -> None:
        if self._name:
            self._disk.notes.append(Note(what, self._name, at, data))

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
    """As much of a connection as the store asks for."""

    isolation_level: str | None = None

    def __init__(self, where: str, disk: str) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        self._connection = apsw.Connection(where, flags=flags, vfs=disk)

    def cursor(self) -> _Cursor:
        return _Cursor(self._connection)

    def create_function(self, *_: Any, **__: Any) -> None:
        """Not needed."""

    def commit(self) -> None:
        """Nothing is left open: every statement commits by itself."""

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

    def _describe(self, cursor: apsw.Cursor, _words: str, _given: Any) -> bool:
        with suppress(apsw.ExecutionCompleteError):
            self.description = [(name, *[None] * 6) for name, _ in cursor.get_description()] or None
        return True

    def execute(self, words: str, given: Mapping[str, Any] | Sequence[Any] = ()) -> _Cursor:
        self.description = None
        self._rows = list(self._cursor.execute(words, given))
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
