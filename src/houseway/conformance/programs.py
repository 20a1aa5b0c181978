"""Asking for answers: of our own engine, or of any program that answers rounds line by line."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

import msgspec

from houseway.conformance.corpus import Case
from houseway.engine.settle_json import Window
from houseway.wording import several

LONGEST: Final = 1 << 20
"""Bytes of the longest answer that is read."""
GRACE: Final = 5.0
"""Seconds a program has to end once it has said its last."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """What stands in an answer's place where there is none, and why."""

    reason: str
    came: str


@dataclass(frozen=True, slots=True)
class Answers:
    """What came back, in order, and what is to be said about the program itself."""

    given: tuple[Any, ...]
    """An answer for each round; NoAnswer where none came or it is no JSON."""
    remarks: tuple[str, ...]


class StartError(ValueError):
    """A command that cannot be started."""


def own(cases: Iterable[Case]) -> Answers:
    """The answers of our own engine, as a program would print them."""
    window = Window()
    found = (msgspec.json.decode(msgspec.json.encode(window.settle(dict(case.round)))) for case in cases)
    return Answers(tuple(found), ())


def of_program(command: str, cases: Sequence[Case], seconds: float) -> Answers:
    """The answers of a program; one that stops early, hangs or prints something else is told of."""
    process = _start(command)
    lines: list[bytes] = []
    errors: list[bytes] = []
    threads = (
        threading.Thread(target=_feed, args=(process.stdin, cases), daemon=True),
        threading.Thread(target=_collect, args=(process.stdout, lines, len(cases)), daemon=True),
        threading.Thread(target=_collect, args=(process.stderr, errors, len(cases)), daemon=True),
    )
    try:
        for thread in threads:
            thread.start()
        threads[1].join(seconds)
        late = threads[1].is_alive()
        if not late:
            threads[2].join(GRACE)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        code = process.poll()
        if code is None:
            _stop(process)
    answered = [line for line in list(lines) if line.strip()]
    return Answers(
        tuple(_read(answered, n) for n in range(len(cases))),
        tuple(_remarks(answered, len(cases), list(errors), seconds if late else None, code)),
    )


def _start(command: str) -> subprocess.Popen[bytes]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise StartError(f"cannot read the command {command!r}: {error}") from error
    if not words:
        raise StartError('there is no command; give a program, --cmd "my-settler --json-lines"')
    try:
        pipe = subprocess.PIPE
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except OSError as error:
        raise StartError(f"cannot start {words[0]!r}: {error.strerror}") from error


def _feed(stream: IO[bytes] | None, cases: Sequence[Case]) -> None:
    assert stream is not None
    # A program may stop reading whenever it likes.
    with contextlib.suppress(OSError):
        for case in cases:
            stream.write(case.line)
    with contextlib.suppress(OSError):
        stream.close()


def _collect(stream: IO[bytes] | None, lines: list[bytes], most: int) -> None:
    """Keep what comes, up to one line more than asked for; a line without an end is the last."""
    assert stream is not None
    with contextlib.suppress(OSError, ValueError):
        while len(lines) <= most and (line := stream.readline(LONGEST)):
            lines.append(line)
            if len(line) == LONGEST:
                break
    with contextlib.suppress(OSError):
        stream.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program that we started, and what it started itself."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _read(lines: Sequence[bytes], n: int) -> Any:
    if n >= len(lines):
        return NoAnswer("no answer came", "nothing")
    try:
        # Numbers with a decimal point are kept as written: money is never a float.
        return json.loads(lines[n], parse_float=str)
    except ValueError:
        return NoAnswer("the answer is no JSON", lines[n][:120].decode("utf-8", "replace").strip())


def _remarks(
    lines: Sequence[bytes], asked: int, errors: Sequence[bytes], late: float | None, code: int | None
) -> Iterable[str]:
    if late is not None:
        yield f"the program was still running after {late:g} seconds and was stopped (--seconds)"
    if len(lines) < asked:
        came, due = several(len(lines), "answer"), several(asked, "round")
        yield f"{came} came for {due}; one line of JSON is due for each"
    elif len(lines) > asked:
        yield f"more lines came than there are rounds ({asked}); one line of JSON is due for each"
    if len(lines) != asked and code not in (None, 0):
        yield f"the program ended with code {code}"
    if len(lines) != asked and errors:
        yield f"its last words were: {errors[-1].decode('utf-8', 'replace').strip()[:200]}"
