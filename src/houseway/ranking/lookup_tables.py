"""The fast evaluator's tables: generation and file format.

A table gives the strength of the best five cards for every multiset of five, six or seven ranks. The key is
the sum of the cards' three-bit counters. There is one table for cards of any suits and one for cards of one
suit. All distinct hands are numbered from the lowest up, and a hand's number is its strength. A different
order of classes gives different numbers.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import combinations, combinations_with_replacement
from typing import Final

from houseway.ranking.classes import HandClass, Ranks, classify
from houseway.ranking.fast_evaluator import Evaluator

MAGIC: Final = b"houseway ranking 1\n"
BIG_ENDIAN: Final = array("H", [1]).tobytes() != b"\x01\x00"


@cache
def evaluator(order: tuple[HandClass, ...], decks: int) -> Evaluator:
    """Return the evaluator for an order of classes, from the shipped tables or newly built."""
    for file in resources.files("houseway.ranking").joinpath("data").iterdir():
        if file.name.endswith(".bin"):
            shipped = unpack(file.read_bytes(), order, decks)
            if shipped is not None:
                return shipped
    return build(order, decks)


def build(order: Sequence[HandClass], decks: int) -> Evaluator:
    """Generate the tables for an order of classes and a number of decks."""
    classified = {}
    for suited in (False, True):
        for five in _multisets(5, decks if suited else 4 * decks):
            place, ranks = classify(tuple(five), tuple(order), suited=suited)
            classified[five, suited] = -place, ranks
    keys = sorted(set(classified.values()))
    number = {key: n for n, key in enumerate(keys)}
    fives = {hand: number[key] for hand, key in classified.items()}
    return Evaluator(
        tuple(order),
        decks,
        bytes(-place for place, _ in keys),
        _best(fives, 4 * decks, suited=False),
        _best(fives, decks, suited=True),
    )


def _multisets(size: int, copies: int) -> Iterator[Ranks]:
    for ranks in combinations_with_replacement(range(13), size):
        if max(map(ranks.count, ranks)) <= copies:
            yield ranks


def _best(fives: dict[tuple[Ranks, bool], int], copies: int, *, suited: bool) -> dict[int, int]:
    return {
        sum(1 << (3 * r) for r in ranks): max(fives[five, suited] for five in combinations(ranks, 5))
        for size in (5, 6, 7)
        for ranks in _multisets(size, copies)
    }


def pack(evaluator: Evaluator) -> bytes:
    """Return the tables as the bytes of a file."""
    header = {
        "order": evaluator.order,
        "decks": evaluator.decks,
        "strengths": len(evaluator.places),
        "ranks": len(evaluator.ranks),
        "suited": len(evaluator.suited),
    }
    body = evaluator.places
    for table in (evaluator.ranks, evaluator.suited):
        keys = sorted(table)
        body += _native(array("Q", keys)).tobytes()
        body += _native(array("H", [table[k] for k in keys])).tobytes()
    return MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(body, 9)


def unpack(file: bytes, order: Sequence[HandClass], decks: int) -> Evaluator | None:
    """Return the tables of a file, or None if the file is for another order or number of decks."""
    magic, head, packed = file.split(b"\n", 2)
    header = json.loads(head)
    if magic + b"\n" != MAGIC or header["order"] != list(order) or header["decks"] != decks:
        return None
    body = memoryview(zlib.decompress(packed))
    at = header["strengths"]
    places = bytes(body[:at])
    tables: list[dict[int, int]] = []
    for name in ("ranks", "suited"):
        keys, values = array("Q"), array("H")
        for column in (keys, values):
            size = header[name] * column.itemsize
            column.frombytes(body[at : at + size])
            at += size
        tables.append(dict(zip(_native(keys), _native(values), strict=True)))
    return Evaluator(tuple(order), decks, places, tables[0], tables[1])


def _native(column: array[int]) -> array[int]:
    # Files are little-endian: swap on reading and writing if the machine is not.
    if BIG_ENDIAN:
        column.byteswap()
    return column
