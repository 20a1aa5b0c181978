"""Get answers from our own engine, or from any program that answers rounds line by line."""

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
"""The maximum length of an answer in bytes."""
GRACE: Final = 5.0
"""Seconds that a program has to exit after it closes its output."""


@dataclass(frozen=True, slots=True)
class MissingAnswer:
    """The placeholder for a missing or unreadable answer, with the reason."""

    reason: str
    output: str
    """The beginning of the unreadable answer, or "nothing"."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers in order, and remarks about the program itself."""

    given: tuple[Any, ...]
    """An answer for each round; MissingAnswer if it is missing or not JSON."""
    remarks: tuple[str, ...]


class StartError(ValueError):
    """A command cannot be started."""


def run_engine(cases: Iterable[Case]) -> Answers:
    """Return the answers of our own engine, as a program would print them."""
    window = Window()
    answers = (msgspec.json.decode(msgspec.json.encode(window.settle(dict(case.round)))) for case in cases)
    return Answers(tuple(answers), ())


def run_program(command: str, cases: Sequence[Case], seconds: float) -> Answers:
    """Return the answers of a program, with remarks if it stops early, hangs or prints too many lines."""
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
        raise StartError('--cmd is empty; name a program, as in --cmd "my-program --json-lines"')
    try:
        pipe = subprocess.PIPE
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    except OSError as error:
        raise StartError(f"cannot start {words[0]!r}: {error.strerror}") from error


def _feed(stream: IO[bytes] | None, cases: Sequence[Case]) -> None:
    assert stream is not None
    # The program may close its input at any time.
    with contextlib.suppress(OSError):
        for case in cases:
            stream.write(case.line)
    with contextlib.suppress(OSError):
        stream.close()


def _collect(stream: IO[bytes] | None, lines: list[bytes], most: int) -> None:
    """Read at most `most` + 1 lines; stop after a line of the maximum length."""
    assert stream is not None
    with contextlib.suppress(OSError, ValueError):
        while len(lines) <= most and (line := stream.readline(LONGEST)):
            lines.append(line)
            if len(line) == LONGEST:
                break
    with contextlib.suppress(OSError):
        stream.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and its child processes."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _read(lines: Sequence[bytes], n: int) -> Any:
    if n >= len(lines):
        return MissingAnswer("there is no answer", "nothing")
    try:
        # Keep numbers with a decimal point as written: money is never a float.
        return json.loads(lines[n], parse_float=str)
    except ValueError:
        return MissingAnswer("the answer is not JSON", lines[n][:120].decode("utf-8", "replace").strip())


def _remarks(
    lines: Sequence[bytes], rounds: int, errors: Sequence[bytes], late: float | None, code: int | None
) -> Iterable[str]:
    if late is not None:
        yield f"the program was still running after {late:g} seconds and was stopped (see --seconds)"
    if len(lines) < rounds:
        printed = f"{several(len(lines), 'answer')} for {several(rounds, 'round')}"
        yield f"the program printed {printed}; it must print one line of JSON for each round"
    elif len(lines) > rounds:
        yield f"the program printed more than {rounds} lines; it must print one line of JSON for each round"
    if len(lines) != rounds and code not in (None, 0):
        yield f"the program exited with code {code}"
    if len(lines) != rounds and errors:
        yield f"its last line of errors is: {errors[-1].decode('utf-8', 'replace').strip()[:200]}"
