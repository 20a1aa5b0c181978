"""The number of cases that test each promise: few in `make test`, many in `make tests-long`.

A planted fault sets the daily size: the sample shows the fault at least ten times (`MARGIN`), and the test
that plants it checks that. docs/testing.md lists the samples with their faults; a test compares it with this table.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
MARGIN = 10
"""The least number of times that a daily sample must show its planted fault."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The size of one sample, in cases of one kind."""

    promise: str
    cases: str
    daily: int
    long: int


SAMPLES = {
    "decks": Sample("R1", "shuffled decks", 100_000, 1_000_000),
    "shoes": Sample("R1", "shuffled six-deck shoes", 20_000, 200_000),
    "seeds": Sample("R2", "processes that draw 1,000 seeds each", 100, 1_000),
    "proofs": Sample("R3", "rounds checked from their proofs", 1_000, 10_000),
    "tampers": Sample("R3", "single-bit tampers", 2_000, 10_000),
    "live proofs": Sample("R3", "rounds of live tables checked from their proofs", 100, 10_000),
    "insider": Sample("R3", "rounds with a host who also plays 1, 3 or 5 of the 6 seats", 60, 1_000),
    "payouts": Sample("R4", "rounds settled twice, for each rulebook", 10_000, 100_000),
    "store kills": Sample("R5", "random kills of a store", 160, 1_000),
    "server kills": Sample("R5", "random kills of the server", 12, 100),
    "power cuts": Sample(
        "R5", "entries, with the power cut before, during and after writing each one", 40, 80
    ),
    "schedules": Sample("R6", "schedules on the memory store", 500, 100_000),
    "database schedules": Sample("R6", "schedules on each database", 300, 2_100),
    "socket schedules": Sample("R6", "schedules over sockets, for each rulebook", 120, 400),
    "relayed schedules": Sample(
        "R6", "schedules over sockets to a server other than the table's own", 40, 400
    ),
    "linked schedules": Sample("R6", "schedules of two linked tables in memory", 100, 10_000),
    "linked database schedules": Sample("R6", "schedules of two linked tables on each database", 20, 2_000),
    "linked kills": Sample("R5", "kills of a server with two linked tables", 12, 200),
    "money": Sample("R7", "rounds with money counted after every event", 1_000, 100_000),
    "engine rounds": Sample("R8", "rounds replayed and settled twice", 2_500, 20_000),
    "worlds": Sample("R9", "seeds of the simulated world", 300, 5_000),
    "decisions": Sample("R10", "decisions valued in reviews and practice, for each rulebook", 400, 10_000),
    "secrecy": Sample("R11", "rounds played twice, the second time with different hidden cards", 70, 2_100),
    "relayed rounds": Sample(
        "R11", "rounds seen through another server and directly, frame by frame", 12, 100
    ),
    "frames": Sample("R12", "fuzzed frames", 25_000, 1_000_000),
    "socket frames": Sample("R12", "fuzzed frames over a socket", 5_000, 20_000),
    "relayed frames": Sample("R12", "fuzzed frames to a server other than the table's own", 1_000, 20_000),
    "memory frames": Sample("R12", "fuzzed frames, memory measured", 40_000, 100_000),
    "requests": Sample("R12", "fuzzed requests to each route", 60, 300),
    "attempts": Sample("R14", "attempts without authority, and forged tickets", 2_000, 10_000),
    "relayed attempts": Sample(
        "R14",
        "attempts without authority at a server other than the table's own, and forged tickets",
        300,
        2_000,
    ),
    "record events": Sample("R16", "events, with each byte flipped in turn", 2_000, 10_000),
    "server faults": Sample(
        "R17", "faults (kill, stop, cut off from the database) of two of three servers at once", 12, 200
    ),
    "backups": Sample("R18", "backups of a server under load", 12, 100),
    "flips": Sample("R16", "flipped bytes found by a whole verification", 200, 1_000),
}


def sample(name: str) -> int:
    """Return the size of a sample in this run."""
    size = SAMPLES[name]
    return size.long if LONG else size.daily
