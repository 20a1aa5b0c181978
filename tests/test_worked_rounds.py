"""The worked rounds beside every rulebook come out as written, and every rulebook has some."""

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
    pytest.param(book, told, id=f"{book}: {told['name']}")
    for book in rulebook_ids()
    for told in load(book).rounds
]


def signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@pytest.mark.parametrize(("book", "told"), WORKED)
def test_a_worked_round_comes_out_as_written(book: str, told: dict[str, Any]) -> None:
    answer = Window().settle({"rulebook": book, **told["round"]})
    assert isinstance(answer, Settlement), answer
    split = {line.seat for line in answer.lines if line.hand == 2}
    for seat in answer.seats:
        nets: Counter[str] = Counter()
        for line in answer.lines:
            if line.seat == seat.seat:
                by_hand = seat.seat in split and line.wager != "envy"
                nets[f"{line.wager}.{line.hand}" if by_hand else line.wager] += signed(line.net)
        nets["net"] = signed(seat.net)
        expected = {wager: signed(net) for wager, net in told["expect"][str(seat.seat)].items()}
        assert dict(nets) == expected
    assert set(told["expect"]) == {str(seat.seat) for seat in answer.seats}


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_rulebook_tells_rounds_and_its_readings(book: str) -> None:
    assert list(map(str, problems(book))) == []
    rulebook = load(book)
    assert len(rulebook.rounds) >= 8
    assert rulebook.notes.startswith("# ")
    for told in rulebook.rounds:
        assert told["tells"]
        assert set(told["shows"]) <= set(rulebook.known)
