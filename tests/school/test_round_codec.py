"""Stored rounds are read back unchanged; what is not a round is refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from discovered import BOOKS
from houseway.cards import DECK
from houseway.school.game_values import game_values
from houseway.school.round_codec import StoredRound, read_stored, store_round
from houseway.school.round_review import review_round
from record.recorded import house, recorded
from school.rounds import random_table, rounds_of
from school.test_recorded_rounds import rounds_in


def through_json(stored: StoredRound) -> StoredRound:
    return msgspec.json.decode(msgspec.json.encode(stored), type=StoredRound)


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_stored_round_is_read_back_unchanged(rulebook: str) -> None:
    driver = random_table(rulebook, 10, seed=41)
    terms = driver.table.terms
    for played in rounds_of(driver):
        stored = store_round(played, rulebook, terms.hash, terms.chosen)
        assert read_stored(through_json(stored)) == played
        assert len(msgspec.json.encode(stored)) < 2_000


def test_rounds_with_irregularities_are_read_back_unchanged() -> None:
    playing = recorded("uth-proc", rounds=12, at=house(seed="codec"))
    terms = playing.table.terms
    for played in rounds_in(playing.house.store):
        stored = store_round(played, "uth-proc", terms.hash, terms.chosen)
        assert read_stored(through_json(stored)) == played


def test_a_round_that_was_stored_has_the_same_review() -> None:
    driver = random_table("uth-ma", 10, seed=42)
    game = game_values(driver.table.terms)
    for played in rounds_of(driver):
        again = read_stored(through_json(store_round(played, "uth-ma", game.terms.hash, {})))
        assert review_round(game, again) == review_round(game, played)


def test_a_board_with_a_card_too_many_is_read_back() -> None:
    driver = random_table("uth-ma", 5, seed=44)
    game = game_values(driver.table.terms)
    played = next(one for one in rounds_of(driver) if one.outcome and len(one.outcome.board) == 5)
    assert played.outcome is not None
    extra = next(card for card in DECK if card not in played.outcome.board)
    more = replace(played, outcome=replace(played.outcome, board=(*played.outcome.board, extra)))
    again = read_stored(through_json(store_round(more, "uth-ma", game.terms.hash, {})))
    assert again == more
    assert review_round(game, again).decisions == review_round(game, played).decisions


def changed(**parts: Any) -> dict[str, Any]:
    driver = random_table("uth-ma", 1, seed=43)
    data = msgspec.to_builtins(store_round(rounds_of(driver)[0], "uth-ma", "h", {}))
    data["decisions"] = [{**data["decisions"][0], **parts}]
    return dict(data)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"street": "later"}, "not a street"),
        ({"choice": "5x"}, "not among the legal choices"),
        ({"hole": "Zz Ah"}, "Zz"),
        ({"hole": "2c " * 8}, "not a hand"),
        ({"board": "2c 3c 4c"}, "the board has 0 cards, not 3"),
        ({"choices": [str(n) for n in range(99)], "choice": "1"}, "too many"),
    ],
)
def test_what_is_not_a_round_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_stored(msgspec.convert(changed(**parts), StoredRound))


@pytest.mark.parametrize("limits", ["1e999999999", "1/0", "x", "", "9" * 40, "0.5"])
def test_a_fraction_is_bounded(limits: str) -> None:
    data = changed()
    data["outcome"]["wagers"][0]["limits"] = limits
    with pytest.raises(ValueError, match="is not a fraction"):
        read_stored(msgspec.convert(data, StoredRound))


@pytest.mark.parametrize("stake", [-1, 10**16])
def test_an_amount_is_bounded(stake: int) -> None:
    with pytest.raises(ValueError, match="amount"):
        read_stored(msgspec.convert({**changed(), "stake": stake}, StoredRound))


def test_any_changed_byte_is_read_or_refused() -> None:
    rng = Random(1)
    raw = bytearray(msgspec.json.encode(changed()))
    for _ in range(500):
        data = bytearray(raw)
        data[rng.randrange(len(data))] = rng.randrange(32, 127)
        try:
            stored = msgspec.json.decode(data, type=StoredRound)
            read_stored(stored)
        except ValueError:
            continue
