"""The file of a training session: JSON lines, first the plan, then every input.

Each line ends with a check sum over itself and all lines before it, so a changed, missing or moved line is
noticed. The sums are not signatures: a person who changes a file can compute them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from houseway.cards import Card
from houseway.engine.codec import decode_card, encode_card, encode_command, read_command
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_codec import (
    encode_act,
    encode_conduct,
    encode_happening,
    read_act,
    read_conduct,
    read_happening,
)
from houseway.training.session import SessionError, SessionInput, SessionPlan, TrainingSession
from houseway.training.stored_rulebook import stored_rulebook

FORMAT: Final = 4
"""The version of the file format. Format 1 had no scenario, format 2 no rulings, and format 3 no text of
the rulebook. Files of these formats can still be read."""
WITHOUT_TEXT: Final = 3
"""The format of a session whose plan does not have the text of its rulebook."""
KIND: Final = "houseway training session"
MOST_BYTES: Final = 1 << 25
"""The most bytes of a file."""
MOST_LINES: Final = 200_000
LONGEST_LINE: Final = 1 << 14
LATEST: Final = 1 << 48
"""The latest time of an input, in milliseconds."""
SUM_DIGITS: Final = 16
IMPOSSIBLE: Final = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""The errors that an impossible plan or input can raise."""


class SessionHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a file."""

    kind: str
    format: int
    plan: SessionPlan
    sum: str = ""


class SessionLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line of one input: an act of the trainee, a command or conduct of a player, or a happening."""

    time: int
    act: msgspec.Raw = msgspec.Raw(b"")
    command: msgspec.Raw = msgspec.Raw(b"")
    conduct: msgspec.Raw = msgspec.Raw(b"")
    happening: msgspec.Raw = msgspec.Raw(b"")
    cards: tuple[Card, ...] = ()
    sum: str = ""


_encoder = msgspec.json.Encoder(enc_hook=encode_card)
_headers = msgspec.json.Decoder(SessionHeader)
_lines = msgspec.json.Decoder(SessionLine, dec_hook=decode_card)


class SessionWriter:
    """Turns a session into the lines of its file, one by one."""

    def __init__(self) -> None:
        self._sum = ""
        self._lines = 0
        self._bytes = 0

    @property
    def full(self) -> bool:
        """True if the file may not have another line."""
        return self._lines >= MOST_LINES or self._bytes + LONGEST_LINE > MOST_BYTES

    @property
    def sum(self) -> str:
        """The check sum of the last line."""
        return self._sum

    def header(self, plan: SessionPlan, version: int | None = None) -> bytes:
        """Return the first line of a file of a format, by default the newest that fits the plan."""
        version = version or (FORMAT if plan.text else WITHOUT_TEXT)
        return self._line({"kind": KIND, "format": version, "plan": msgspec.to_builtins(plan)})

    def line(self, one: SessionInput) -> bytes:
        """Return the line of an input."""
        fields: dict[str, Any] = {"time": one.time}
        match one.input:
            case a.ChairAct() as act:
                fields["act"] = msgspec.Raw(encode_act(act))
            case ch.Conduct() as conduct:
                fields["conduct"] = msgspec.Raw(encode_conduct(conduct))
            case ch.Happening() as happening:
                fields["happening"] = msgspec.Raw(encode_happening(happening))
            case command:
                fields["command"] = msgspec.Raw(encode_command(command))
        if one.cards:
            fields["cards"] = one.cards
        return self._line(fields)

    def _line(self, fields: dict[str, Any]) -> bytes:
        body = _encoder.encode(fields)
        self._sum = _check_sum(self._sum, body)
        line = body[:-1] + f',"sum":"{self._sum}"}}\n'.encode()
        self._lines += 1
        self._bytes += len(line)
        return line


def _check_sum(before: str, body: bytes) -> str:
    return hashlib.sha256(before.encode() + body).hexdigest()[:SUM_DIGITS]


def read_session(data: bytes) -> tuple[SessionPlan, list[SessionInput]]:
    """Return the plan and the inputs of a file; raise SessionError if it is damaged, too large or newer."""
    if len(data) > MOST_BYTES:
        raise SessionError(f"the file is larger than {MOST_BYTES >> 20} MB; it is not a training session")
    lines = data.split(b"\n")
    if len(lines) > MOST_LINES + 1:
        raise SessionError(f"the file has more than {MOST_LINES:,} lines; it is not a training session")
    plan = _header(lines[0])
    if lines[-1]:
        raise damaged(len(lines), "it is incomplete")
    before = ""
    inputs: list[SessionInput] = []
    for number, line in enumerate(lines[:-1], 1):
        before = check_line(number, line, before)
        if number > 1:
            inputs.append(read_input(number, line))
    return plan, inputs


def replay_session(
    plan: SessionPlan, inputs: Iterable[SessionInput], book: Rulebook | None = None
) -> TrainingSession:
    """Return the session of a file, played again; raise SessionError if that is impossible.

    By default the rulebook is the one whose text is in the file.
    """
    book = book if book is not None else stored_rulebook(plan.rulebook, plan.hash, plan.text)
    try:
        session = TrainingSession(plan, book)
    except IMPOSSIBLE as error:
        raise damaged(1, "no table can have this plan") from error
    try:
        session.replay(inputs)
    except IMPOSSIBLE as error:
        # The sums are right, so the file was written by hand or by another program.
        raise damaged(len(session.inputs) + 2, "the table does not allow this input") from error
    return session


def _header(line: bytes) -> SessionPlan:
    try:
        found = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = {}
    if found.get("kind") != KIND:
        raise SessionError('this is not a training session; give a file of "houseway train --record FILE"')
    version = found.get("format")
    if isinstance(version, int) and version > FORMAT:
        newer = f"the file has format {version}, and this version of houseway reads format {FORMAT}"
        raise SessionError(f"{newer}; update houseway")
    try:
        header = _headers.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise damaged(1, str(error)) from error
    if not 1 <= header.format <= FORMAT:
        raise damaged(1, f"there is no format {header.format}")
    return header.plan


def check_line(number: int, line: bytes, before: str) -> str:
    """Return the check sum of a line; raise SessionError if it is wrong."""
    body, separator, _ = line.rpartition(b',"sum":"')
    expected = _check_sum(before, body + b"}")
    if len(line) > LONGEST_LINE and number > 1:
        raise damaged(number, "it is too long")
    if not separator or line != body + f',"sum":"{expected}"}}'.encode():
        raise damaged(number, "its check sum is wrong")
    return expected


def read_input(number: int, text: bytes) -> SessionInput:
    """Return the input of a line; raise SessionError if it is damaged."""
    try:
        line = _lines.decode(text)
        if not 0 <= line.time <= LATEST:
            raise ValueError("its time is out of range")
        texts = {name: bytes(getattr(line, name)) for name in READERS}
        given = [name for name, text in texts.items() if text]
        if len(given) != 1:
            raise ValueError(f"it needs one of {', '.join(READERS)}")
        value = READERS[given[0]](texts[given[0]])
    except (ValueError, RecursionError) as error:
        raise damaged(number, str(error)) from error
    return SessionInput(line.time, value, line.cards)


READERS: Final[dict[str, Callable[[bytes], ch.Input]]] = {
    "act": read_act,
    "command": read_command,
    "conduct": read_conduct,
    "happening": read_happening,
}
"""The reader of each kind of input."""


def damaged(number: int, why: str) -> SessionError:
    """Return the error of a damaged line."""
    cure = "the lines before it can still be scored; delete the rest" if number > 1 else "use another copy"
    return SessionError(f"line {number} of the file is damaged: {why}; {cure}")
