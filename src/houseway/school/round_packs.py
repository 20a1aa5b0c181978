"""Packs of played rounds: the form in which a person's rounds are kept, exported and imported.

A round of a live table is kept alone, as readable JSON. Imported rounds are packed together and compressed,
because a file can contain 100,000 of them.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final, Literal

import msgspec

from houseway.school.round_codec import StoredRound

FORMAT: Final = "houseway played rounds"
VERSION: Final = 1
"""The version of an exported file."""
PACKED: Final = 1000
"""The most rounds in one pack. Compressed, they take about 150 KB."""
LARGEST_PACK: Final = 16_000_000
"""The most bytes of a pack after decompression."""
LONGEST_LINE: Final = 100_000
"""The most characters of a line of an exported file. A round has about 1,000."""
Source = Literal["table", "import"]

FIRST_OF_ROUND: Final = '{"rulebook":'
"""The beginning of each line with a round in an exported file."""

_encode_rounds = msgspec.json.Encoder().encode
_decode_rounds = msgspec.json.Decoder(tuple[StoredRound, ...]).decode


class RoundPack(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Played rounds of one person, as they are kept."""

    source: Source
    table: str = ""
    """The table's ID, for a round of a live table."""
    name: str = ""
    """The table's name, or the name of the imported file."""
    count: int
    rounds: tuple[StoredRound, ...] = ()
    packed: str = ""
    """The rounds as JSON, compressed with zlib, in base64; empty if `rounds` has them."""


class ExportHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported file. Each other line has one round."""

    format: str
    version: int
    rounds: int


def table_pack(table: str, name: str, stored: StoredRound) -> RoundPack:
    """Return the pack with a round of a live table."""
    return RoundPack(source="table", table=table, name=name, count=1, rounds=(stored,))


def import_packs(name: str, rounds: Sequence[StoredRound]) -> Iterator[RoundPack]:
    """Yield the packs with the rounds of an imported file."""
    for start in range(0, len(rounds), PACKED):
        some = rounds[start : start + PACKED]
        text = base64.b64encode(zlib.compress(_encode_rounds(some))).decode()
        yield RoundPack(source="import", name=name, count=len(some), packed=text)


def unpacked(pack: RoundPack) -> tuple[StoredRound, ...]:
    """Return the rounds of a pack. Raises ValueError if it cannot be read."""
    if not pack.packed:
        return pack.rounds
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(base64.b64decode(pack.packed), LARGEST_PACK)
    except zlib.error as error:
        raise ValueError(f"the rounds cannot be decompressed: {error}") from error
    if reader.unconsumed_tail:
        raise ValueError("the pack is too large")
    return _decode_rounds(text)


def identity(stored: StoredRound) -> tuple[object, ...]:
    """Return a key that two copies of the same round share, so that it is not kept twice."""
    outcome = stored.outcome
    dealt = (outcome.board, outcome.dealer, outcome.net) if outcome is not None else ()
    made = tuple((each.hole, each.board, each.choice) for each in stored.decisions)
    return stored.hash, stored.number, stored.seat, stored.stake, made, dealt


def export_lines(rounds: Sequence[StoredRound]) -> Iterator[bytes]:
    """Yield the lines of an exported file, which can be imported again."""
    encode = msgspec.json.Encoder().encode
    yield encode(ExportHeader(format=FORMAT, version=VERSION, rounds=len(rounds))) + b"\n"
    for stored in rounds:
        yield encode(stored) + b"\n"


def is_export(text: str) -> bool:
    """True if a text is an exported file of played rounds, or a part of one, which may have no header."""
    first = text[:200].lstrip().partition("\n")[0]
    return first.startswith(FIRST_OF_ROUND) or _is_header(first)


def _is_header(line: str) -> bool:
    return line.startswith("{") and FORMAT in line[:200]


def exported_rounds(text: str) -> Iterator[tuple[int, StoredRound | str]]:
    """Yield the number of each line of an exported file, and its round or what is wrong with it."""
    decode = msgspec.json.Decoder(StoredRound).decode
    for number, line in enumerate(StringIO(text, newline="\n"), 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            yield number, "the line is too long for a played round"
            continue
        try:
            if _is_header(line):
                header = msgspec.json.decode(line, type=ExportHeader)
                if header.version > VERSION:
                    yield number, "the file is from a newer version of houseway; update houseway"
                    return
                continue
            yield number, decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            yield number, f"the line is not a played round: {error}"
