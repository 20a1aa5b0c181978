"""The JSON boundary: any input is accepted or rejected without a traceback, and a rejection changes nothing."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from houseway.audit.store import Head
from houseway.engine import commands as c
from houseway.engine.codec import encode_command
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.live import Accepted, LiveTable
from houseway.live.command_checks import parse
from houseway.rules.loader import load, rulebook_ids
from record.recorded import house, recorded

BYTES = 10_000
MUTATED = 10_000
WORDS = ("", "dealer", "seat 1", "floor", "deadline", "Ah", "Ah Kd", "0", "-1", "\0", "\ud800x", "é" * 300)
NUMBERS = (0, -1, 1, 7, 2**31, 2**63, -(2**63), 2**64, 10**30, 0.5, 1e308)


def send_text(live: LiveTable, text: bytes) -> Accepted | Refusal:
    """Send a text and check that a rejection leaves the table and the record unchanged."""
    before: tuple[State, Head] = (live.state, live.head)
    command = parse(text)
    answer = command if isinstance(command, Refusal) else live.send(command)
    if isinstance(answer, Refusal):
        assert (live.state, live.head) == before
        assert answer.code
        assert answer.message
    return answer


def commands(rulebook: str) -> list[bytes]:
    """Return commands of every kind that a played table receives."""
    playing = recorded(rulebook, rounds=0, irregular=0.1, keep=True)
    texts: dict[bytes, None] = {}
    send = playing.send

    def recording_send(command: c.Command) -> Any:
        texts[encode_command(command)] = None
        return send(command)

    playing.send = recording_send  # type: ignore[method-assign]
    for _ in playing.play(6):
        pass
    return list(texts)


def mutate(rng: Random, text: bytes) -> bytes:
    """Return a valid command with an error in a byte, a value or a key."""
    if rng.random() < 0.3:
        cut = bytearray(text)
        for _ in range(rng.randint(1, 4)):
            where = rng.randrange(len(cut))
            change = rng.choice(("flip", "drop", "add"))
            if change == "flip":
                cut[where] = rng.randrange(256)
            elif change == "drop" and len(cut) > 1:
                del cut[where]
            else:
                cut.insert(where, rng.randrange(256))
        return bytes(cut)
    data = json.loads(text)
    key = rng.choice([*data, "seat", "cards", "by", "step", "wagers", "nothing"])
    data[key] = rng.choice((_value(rng, 2), rng.choice(WORDS), rng.choice(NUMBERS)))
    if rng.random() < 0.2:
        data.pop(rng.choice(list(data)))
    return json.dumps(data).encode("utf-8", "surrogatepass")


def _value(rng: Random, depth: int) -> Any:
    kind = rng.randrange(7 if depth else 5)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return rng.choice(NUMBERS)
    if kind in (2, 3, 4):
        return (None, True, False)[kind - 2]
    if kind == 5:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(WORDS): _value(rng, depth - 1) for _ in range(rng.randrange(4))}


def table(rulebook: str) -> LiveTable:
    """Return a table in the middle of its third round."""
    playing = recorded(rulebook, rounds=2, irregular=0)
    for _ in range(9):
        playing.step()
    return playing.live


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_random_bytes_are_rejected_and_change_nothing(rulebook: str) -> None:
    rng = Random(f"bytes {rulebook}")
    live = table(rulebook)
    for _ in range(BYTES // len(rulebook_ids())):
        assert isinstance(send_text(live, rng.randbytes(rng.randrange(200))), Refusal)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_mutated_commands_never_break_the_table(rulebook: str) -> None:
    rng = Random(f"mutated {rulebook}")
    valid = commands(rulebook)
    live = table(rulebook)
    answers = {Refusal: 0, Accepted: 0}
    for _ in range(MUTATED // len(rulebook_ids())):
        answers[type(send_text(live, mutate(rng, rng.choice(valid))))] += 1
        if live.state.section == "closed":
            live = table(rulebook)
    # Both outcomes must occur for the test to mean anything.
    assert min(answers.values()) > 0
    again = LiveTable.resume(live.house, live.stream)
    assert again.state == live.state
    assert again.head == live.head


def test_a_deeply_nested_text_is_rejected() -> None:
    live = table("uth-ma")
    deep = b'{"type":"OpenTable","link":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001
    answer = send_text(live, deep)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad-command"


def test_a_table_opens_only_once() -> None:
    book = load("uth-ma")
    at = house()
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    assert isinstance(LiveTable.open(at, "table:1", book, {}, opening), LiveTable)
    again = LiveTable.open(at, "table:1", book, {}, opening)
    assert isinstance(again, Refusal)
    assert again.code == "record-there"
