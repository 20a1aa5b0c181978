"""The worked rounds of every rulebook settle as written, and every rulebook has some."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.money import cents
from houseway.rules.loader import load, rulebook_ids
from houseway.testing.soundness import problems

WORKED = [
    pytest.param(book, worked, id=f"{book}: {worked['name']}")
    for book in rulebook_ids()
    for worked in load(book).rounds
]


def signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@pytest.mark.parametrize(("book", "worked"), WORKED)
def test_a_worked_round_settles_as_written(book: str, worked: dict[str, Any]) -> None:
    answer = Window().settle({"rulebook": book, **worked["round"]})
    assert isinstance(answer, Settlement), answer
    split = {line.seat for line in answer.lines if line.hand == 2}
    for seat in answer.seats:
        nets: Counter[str] = Counter()
        for line in answer.lines:
            if line.seat == seat.seat:
                by_hand = seat.seat in split and line.wager != "envy"
                nets[f"{line.wager}.{line.hand}" if by_hand else line.wager] += signed(line.net)
        nets["net"] = signed(seat.net)
        expected = {wager: signed(net) for wager, net in worked["expect"][str(seat.seat)].items()}
        assert dict(nets) == expected
    assert set(worked["expect"]) == {str(seat.seat) for seat in answer.seats}


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_rulebook_has_worked_rounds_and_notes(book: str) -> None:
    assert list(map(str, problems(book))) == []
    rulebook = load(book)
    assert len(rulebook.rounds) >= 8
    assert rulebook.notes.startswith("# ")
    for worked in rulebook.rounds:
        assert worked["tells"]
        assert set(worked["shows"]) <= set(rulebook.known)
