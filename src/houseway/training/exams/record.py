"""The record of an exam: JSON lines, first the setup and the commitment, then every input and incident, and
at the end the seed.

Each line ends with a check sum over itself and all lines before it. The head of the record is the SHA-256
of the whole file; a certificate names it.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from houseway.report import exam_result as r
from houseway.rules.rulebook import Rulebook
from houseway.training.exams.exam import exam_from_text
from houseway.training.exams.run import ExamRun, ExamSetup, commit
from houseway.training.session import SessionError, SessionInput
from houseway.training.session_file import (
    IMPOSSIBLE,
    LATEST,
    MOST_BYTES,
    MOST_LINES,
    SessionWriter,
    check_line,
    damaged,
    read_input,
)
from houseway.training.stored_rulebook import stored_rulebook

FORMAT: Final = 3
"""The version of the format. Format 1 had no rulings, and format 2 neither a second table nor the text of
the rulebook. An exam without these parts is still written in its old format."""
ADDED: Final = {
    "rulings": (2, False),
    "erased": (2, None),
    "next_table": (3, None),
    "rulebook_text": (3, ""),
}
"""For each part of a setup that format 1 did not have: the first format with the part, and its default."""
KIND: Final = "houseway exam"
OPENINGS: Final = (b'{"incident"', b'{"end"')
"""The first bytes of each line that is not an input of the table."""


class ExamHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a record."""

    kind: str
    format: int
    setup: ExamSetup
    commitment: str
    sum: str = ""


class IncidentLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line of a lost connection, a reconnection or an abort."""

    incident: str
    time: int
    why: str = ""
    sum: str = ""


class ExamEnd(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line of a record. It opens the commitment."""

    end: str
    time: int
    ended: str
    seed: str
    salt: str
    sum: str = ""


class ExamRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it was read."""

    setup: ExamSetup
    commitment: str
    items: tuple[SessionInput | r.Incident, ...]
    end: ExamEnd | None
    """None if the exam never ended, for example because the program was stopped."""
    head: str


class ExamWriter(SessionWriter):
    """Turns a running exam into the lines of its record."""

    def __init__(self, run: ExamRun) -> None:
        super().__init__()
        self._run = run
        self._hash = hashlib.sha256()
        self._inputs = self._incidents = 0
        self._started = self._ended = False

    @property
    def head(self) -> str:
        """The SHA-256 of the lines so far."""
        return self._hash.hexdigest()

    def lines(self, ended: str = "") -> bytes:
        """Return the lines that are new since the last call; after the end of the exam, also the last one.

        `ended` is the date and time of the end.
        """
        run, new = self._run, b""
        if not self._started:
            self._started = True
            setup = msgspec.to_builtins(run.setup, str_keys=True) | {"exam": run.exam.values}
            # A setup without the added parts is written as before, so that its record keeps its head.
            unused = [key for key, (_, default) in ADDED.items() if setup[key] == default]
            setup = {key: value for key, value in setup.items() if key not in unused}
            version = max((since for key, (since, _) in ADDED.items() if key in setup), default=1)
            head = {"kind": KIND, "format": version, "setup": setup, "commitment": run.commitment}
            new += self._line(head)
        items: list[SessionInput | r.Incident] = [
            *run.session.inputs[self._inputs :],
            *run.incidents[self._incidents :],
        ]
        for one in sorted(items, key=lambda item: item.time):
            new += self.line(one) if isinstance(one, SessionInput) else self._line(_incident(one))
        self._inputs, self._incidents = len(run.session.inputs), len(run.incidents)
        if run.over and not self._ended:
            self._ended = True
            seed, salt = run.opened()
            end = {"end": run.state, "time": run.ended_at, "ended": ended, "seed": seed, "salt": salt}
            new += self._line(end)
        self._hash.update(new)
        return new


def _incident(one: r.Incident) -> dict[str, Any]:
    fields: dict[str, Any] = {"incident": one.kind, "time": one.time}
    return fields | {"why": one.why} if one.why else fields


def is_exam_record(data: bytes) -> bool:
    """True if a file starts like the record of an exam."""
    return data.startswith(f'{{"kind":"{KIND}"'.encode())


def read_exam_record(data: bytes) -> ExamRecord:
    """Return the record in a file; raise SessionError if it is damaged, too large or newer."""
    if len(data) > MOST_BYTES:
        raise SessionError(
            f"the file is larger than {MOST_BYTES >> 20} MB; it is not the record of an exam"
        )
    lines = data.split(b"\n")
    if len(lines) > MOST_LINES + 1:
        raise SessionError(f"the file has more than {MOST_LINES:,} lines; it is not the record of an exam")
    if not is_exam_record(data):
        raise SessionError(
            'this is not the record of an exam; give a file of "houseway exam --record FILE"'
        )
    header = _header(lines[0])
    if lines[-1]:
        raise damaged(len(lines), "it is incomplete")
    before = ""
    items: list[SessionInput | r.Incident] = []
    end: ExamEnd | None = None
    for number, line in enumerate(lines[:-1], 1):
        before = check_line(number, line, before)
        if number == 1:
            continue
        if end is not None:
            raise damaged(number, "it follows the end of the exam")
        if line.startswith(OPENINGS[1]):
            end = _decoded(number, line, ExamEnd)
        elif line.startswith(OPENINGS[0]):
            one = _decoded(number, line, IncidentLine)
            items.append(r.Incident(one.time, one.incident, one.why))
        else:
            items.append(read_input(number, line))
    return ExamRecord(
        setup=header.setup,
        commitment=header.commitment,
        items=tuple(items),
        end=end,
        head=hashlib.sha256(data).hexdigest(),
    )


def _header(line: bytes) -> ExamHeader:
    try:
        data = msgspec.json.decode(line, type=dict[str, Any])
        version = data.get("format")
        if isinstance(version, int) and version > FORMAT:
            newer = f"the record has format {version}, and this version of houseway reads format {FORMAT}"
            raise SessionError(f"{newer}; update houseway")
        header = msgspec.convert(data, ExamHeader, str_keys=True)
        exam_from_text(header.setup.exam.text)
    except SessionError:
        raise
    except (ValueError, RecursionError) as error:
        raise damaged(1, str(error)) from error
    if not 1 <= header.format <= FORMAT:
        raise damaged(1, f"there is no format {header.format}")
    return header


def _decoded(number: int, line: bytes, kind: type[Any]) -> Any:
    try:
        value = msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError) as error:
        raise damaged(number, str(error)) from error
    if not 0 <= value.time <= LATEST:
        raise damaged(number, "its time is out of range")
    return value


def replay_exam(record: ExamRecord, book: Rulebook | None = None) -> ExamRun:
    """Return the exam of a record, taken again; raise SessionError if that is impossible.

    By default the rulebook is the one whose text is in the record. An exam that never ended is aborted
    after its last input.
    """
    if book is None:
        setup = record.setup
        book = stored_rulebook(setup.rulebook, setup.rulebook_hash, setup.rulebook_text)
    end = record.end
    seed, salt = (end.seed, end.salt) if end is not None else ("", "")
    if end is not None and commit(seed, salt) != record.commitment:
        raise SessionError("the seed does not fit the commitment at the start; the record was changed")
    try:
        run = ExamRun(record.setup, seed, salt, book)
        run.commitment = record.commitment
    except IMPOSSIBLE as error:
        raise damaged(1, "no table can have this setup") from error
    try:
        run.replay(record.items)
        last = record.items[-1].time if record.items else 0
        if end is None:
            run.abort(last, "the record ends here")
        elif not run.over:
            run.tick(end.time + 1)
    except IMPOSSIBLE as error:
        number = len(run.session.inputs) + len(run.incidents) + 2
        raise damaged(number, "the exam does not allow this") from error
    if end is not None and (run.state, run.ended_at) != (end.end, end.time):
        raise damaged(len(record.items) + 2, f"the exam did not end with {end.end!r}")
    return run


def result_of(record: ExamRecord, book: Rulebook | None = None) -> r.ExamResult:
    """Return the result of a record, by default under the rulebook whose text is in it."""
    run = replay_exam(record, book)
    return run.result(record.end.ended if record.end is not None else "", record.head)
