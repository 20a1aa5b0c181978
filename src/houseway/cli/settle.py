"""`settle`: settle rounds from JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import chain
from json import loads as json_loads
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
from cyclopts import Parameter

from houseway.cli.output import BadInputError, complain, file_problem, write_json
from houseway.engine.refusals import Refusal, Refused
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement


class DecimalText:
    """A number with a decimal point, stored as text: money is never a float."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


NEWLINE = b"\n"
BLANK = b" \t\r\n"
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
DECODER = msgspec.json.Decoder(float_hook=DecimalText)
ENCODER = msgspec.json.Encoder()
REWRITER = msgspec.json.Encoder(enc_hook=repr)


def settle(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, json: bool = False) -> int:
    """Settle rounds from JSON: an object, an array, or JSON lines.

    A single round is printed as a table with hands, amounts and clauses. For several rounds, the command
    prints one line of JSON each, in order. A round that breaks a rule is refused, with the clause of that
    rule; the others are settled. Exit code 2 means that a round was refused.

    Parameters
    ----------
    file
        A file, or - for standard input.
    json
        Print JSON even for a single round.
    """
    if file == "-":
        return _settle(sys.stdin.buffer, "standard input", json=json)
    with _open_file(file) as stream:
        return _settle(stream, file, json=json)


def _open_file(file: str) -> BinaryIO:
    with file_problem("read", Path(file)):
        return Path(file).open("rb")


def _settle(stream: BinaryIO, source: str, *, json: bool) -> int:
    """Settle the rounds of a stream; return the exit code. Errors name the `source`."""
    lines = _rounds(stream)
    first = next(lines, None)
    if first is None:
        example = '{"rulebook": "uth-ma", "board": …, "seats": [ … ]}'
        raise BadInputError(f"the input has no round; give one such as {example}")
    second = next(lines, None)
    settler = Window()
    if second is None:
        return _settle_one(settler, first, source, json=json)
    refused = 0
    out = sys.stdout.buffer
    for line in chain((first, second), lines):
        answer = settle_text(settler, line)
        refused += isinstance(answer, Refused)
        out.write(ENCODER.encode(answer) + b"\n")
    out.flush()
    return 2 if refused else 0


def _rounds(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the rounds of a stream: one JSON object or array over several lines, or one object per line.

    Blank lines are skipped. If the first line is a complete object, the rest is read line by line;
    otherwise the whole stream is read at once.
    """
    text = first = b""
    for first in stream:
        first = first.removeprefix(b"\xef\xbb\xbf")
        text += first
        if first.strip(BLANK):
            break
    else:
        return
    if _is_json(first) and not first.lstrip().startswith(b"["):
        yield first
        yield from (line for line in stream if line.strip(BLANK))
        return
    rest = list(stream)
    text += b"".join(rest)
    by_line = any(line.lstrip().startswith(b"{") and _is_json(line) for line in rest)
    if not _is_json(text) and by_line:
        yield from (line for line in (first, *rest) if line.strip(BLANK))
    elif not _is_json(text):
        # Decode the whole text, so that the error names the line.
        yield text
    elif text.lstrip().startswith(b"["):
        yield from (bytes(round_) for round_ in msgspec.json.decode(text, type=list[msgspec.Raw]))
    else:
        yield text


def _is_json(text: bytes) -> bool:
    try:
        DECODER.decode(text)
    except UNREADABLE:
        return False
    return True


def _repeated_key(text: bytes, data: object) -> str | None:
    """Return the first key that occurs twice in one object, or None. The decoder keeps only one value."""
    # Encoding the decoded data again loses the repeated key and its colon.
    if text.count(b":") == REWRITER.encode(data).count(b":"):
        return None
    twice: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        names = [name for name, _ in pairs]
        twice.extend(name for name in names if names.count(name) > 1)

    json_loads(text, object_pairs_hook=look)
    return twice[0] if twice else None


def settle_text(settler: Window, line: bytes, *, show_cards: bool = False) -> Settlement | Refused:
    """Settle or refuse one round given as JSON."""
    try:
        data: Any = DECODER.decode(line)
        twice = _repeated_key(line, data)
    except UNREADABLE as error:
        fault = str(error).removeprefix("JSON is malformed: ")
        fault = "it ends too early" if "truncated" in fault else fault
        return Refused((Refusal("bad-json", None, "", f"this is not valid JSON: {fault}"),))
    if twice is not None:
        problem = f"{twice!r} is named twice in one object; name it once"
        return Refused((Refusal("key-twice", None, twice, problem),))
    return settler.settle(data, show_cards=show_cards)


def _settle_one(settler: Window, text: bytes, source: str, *, json: bool) -> int:
    """Settle the only round of the source, and print it as a table or as JSON."""
    answer = settle_text(settler, text, show_cards=not json)
    if json:
        write_json(answer)
    if isinstance(answer, Refused):
        bad_json = answer.refused[0].code == "bad-json"
        place = f"{source}{_line_of(text, answer.refused[0].message)}: " if bad_json else ""
        return complain(f"{place}{_refusal_text(r)}" for r in answer.refused)
    if not json:
        from houseway.cli.settlement_output import show_settlement

        show_settlement(DECODER.decode(text), settler, answer)
    return 0


def _line_of(text: bytes, message: str) -> str:
    """Return the line of a JSON error, ", line 3", from the byte that the message names; empty if it names
    none."""
    byte = re.search(r"\(byte ([0-9]+)\)", message)
    if byte is None:
        return ""
    before = text[: int(byte[1])]
    return f", line {before.count(NEWLINE) + 1}"


def _refusal_text(refusal: Refusal) -> str:
    # Some messages start with the place themselves.
    named = refusal.message.startswith(f"{refusal.where} ")
    where = f"{refusal.where}: " if refusal.where and not named else ""
    return f"{where}{refusal.message} ({refusal.clause or refusal.code})"
