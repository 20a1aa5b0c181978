"""`settle`: rounds in as JSON, what every wager comes to out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
from cyclopts import Parameter

from houseway.cli.output import BadInputError, complain, write_json
from houseway.engine.cashier import Window
from houseway.engine.lines import Settlement
from houseway.engine.refusals import Refusal, Refused


class Number:
    """A number with a decimal point, kept as it was written: money is never a float."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


DECODER = msgspec.json.Decoder(float_hook=Number)
ENCODER = msgspec.json.Encoder()


def settle(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, json: bool = False) -> int:
    """Settle rounds given as JSON, one object or one per line.

    One round is shown as a table with words, amounts and clauses. Of several, one a line, each gives one
    line of JSON, in order; a round that breaks a rule is refused with its clause and the others settle.
    The exit code is 2 if any was refused.

    Parameters
    ----------
    file
        A file, or - for standard input.
    json
        Print JSON for a single round as well.
    """
    if file == "-":
        return _settle(sys.stdin.buffer, json=json)
    with _opened(Path(file)) as stream:
        return _settle(stream, json=json)


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise BadInputError(f"cannot read {file}: {error.strerror}") from error


def _settle(stream: BinaryIO, *, json: bool) -> int:
    lines = _rounds(stream)
    first = next(lines, None)
    if first is None:
        raise BadInputError(
            'there is no round; give one as {"rulebook": "uth-ma", "board": …, "seats": [ … ]}'
        )
    second = next(lines, None)
    window = Window()
    if second is None:
        return _one(window, first, json=json)
    refused = 0
    out = sys.stdout.buffer
    for line in _chain(first, second, lines):
        answer = _answer(window, line)
        refused += isinstance(answer, Refused)
        out.write(ENCODER.encode(answer) + b"\n")
    out.flush()
    return 2 if refused else 0


def _chain(first: bytes, second: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield second
    yield from rest


def _rounds(stream: BinaryIO) -> Iterator[bytes]:
    """The rounds of a stream: its lines, or all of it where the first line is not a whole object."""
    lines = (line for line in stream if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if first.lstrip().startswith(b"{") and not _whole(first):
        yield first + b"".join(lines)
        return
    if first.lstrip().startswith(b"["):
        yield from _listed(first + b"".join(lines))
        return
    yield first
    yield from lines


def _listed(text: bytes) -> Iterator[bytes]:
    """The rounds of a JSON array, each as if it stood on a line; the text itself if it is none."""
    try:
        rounds = msgspec.json.decode(text, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield text
        return
    yield from (bytes(one) for one in rounds)


def _whole(line: bytes) -> bool:
    try:
        DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # A line that ends its object is a bad line of a batch, not the start of a longer text.
        return line.rstrip().endswith(b"}")
    return True


def _answer(window: Window, line: bytes) -> Settlement | Refused:
    data: Any
    try:
        data = DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = f"this is no JSON: {error}"
        return Refused((Refusal("bad-json", None, "", sentence),))
    return window.settle(data)


def _one(window: Window, line: bytes, *, json: bool) -> int:
    answer = _answer(window, line)
    if isinstance(answer, Refused):
        if json:
            write_json(answer)
        return complain(_sentence(r) for r in answer.refused)
    if json:
        write_json(answer)
    else:
        from houseway.cli.settled import show_settlement

        show_settlement(DECODER.decode(line), window, answer)
    return 0


def _sentence(refusal: Refusal) -> str:
    where = f"{refusal.where}: " if refusal.where else ""
    return f"{where}{refusal.message} ({refusal.clause or refusal.code})"
