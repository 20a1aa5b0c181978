"""The exact analysis of Texas Shootout: choices, best play, the disk cache, and games that cannot be counted."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from houseway import Settlement, load, settle
from houseway.cards import DECK, cards, codes
from houseway.engine.terms import read_terms
from houseway.exact import shootout
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.shootout import Move, odds, solve
from houseway.exact.shootout_game import PAIRS, read_game
from houseway.exact.shootout_hands import NAMES, STARTS, Hands, discard_indices, path_of, store, stored
from houseway.exact.shootout_play import fours, play, splits_allowed

BOOK = load("shootout-sd")
TERMS, _ = read_terms(BOOK, {})
SHOE = [card for card in DECK for _ in range(6)]


@pytest.fixture(autouse=True)
def _no_cached_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the cache, so that results of an earlier run are not used."""
    monkeypatch.setattr(shootout, "cached_hands", lambda book: None)


# Choices.


@cache
def choices(four: str) -> list[Move]:
    """The choices of four cards, counted once for all tests, because counting them takes seconds."""
    return odds(TERMS, cards(four), threads=3)


def test_choices_are_named_once_and_the_best_is_first() -> None:
    result = choices("As Ad Kh Kd")
    assert Counter(choice.action for choice in result) == Counter(
        {
            "keep As Ad": 1, "keep As Kh": 1, "keep As Kd": 1, "keep Ad Kh": 1, "keep Ad Kd": 1, "keep Kh Kd": 1,
            "split As Ad / Kh Kd": 1, "split As Kh / Ad Kd": 1, "split As Kd / Ad Kh": 1,
        }
    )  # fmt: skip
    values = [choice.value for choice in result]
    assert values == sorted(values, reverse=True)
    assert result[0].action == "split As Ad / Kh Kd"
    values_by_action = {choice.action: choice.value for choice in result}
    assert (
        values_by_action["split As Ad / Kh Kd"]
        == values_by_action["keep As Ad"] + values_by_action["keep Kh Kd"]
    )
    # Both hands are ace and king; the suited hand is worth more.
    assert values_by_action["keep Ad Kd"] > values_by_action["keep As Kd"]


def test_equal_choices_are_listed_once_and_one_pair_may_not_be_split() -> None:
    assert {c.action for c in odds(TERMS, cards("7c 7c 7c 7c"))} == {"keep 7c 7c", "split 7c 7c / 7c 7c"}
    assert {c.action for c in odds(TERMS, cards("7c 7c 9d 8h"))} == {
        "keep 7c 7c", "keep 7c 9d", "keep 7c 8h", "keep 9d 8h",
    }  # fmt: skip


def test_choices_do_not_depend_on_threads() -> None:
    assert odds(BOOK, cards("Th Th Tc Td"), threads=1) == choices("Th Th Tc Td")


def settled(played: dict[str, Any]) -> float:
    """Return the net of the only seat of a round."""
    paid = settle({"rulebook": "shootout-sd", **played})
    assert isinstance(paid, Settlement)
    return float(paid.seats[0].net)


def simulated(four: str, hands: list[str], rounds: int, seed: int) -> tuple[float, float]:
    """Settle random rounds; return the mean net and its standard error."""
    rng = Random(seed)
    left = list(SHOE)
    for card in cards(four):
        left.remove(card)
    total = squares = 0
    for _ in range(rounds):
        dealt = rng.sample(left, 9)
        data = {"board": codes(dealt[:5]), "dealer": codes(dealt[5:])}
        seat = {"seat": 1, "cards": four, "hands": hands, "wager": "1"}
        net = round(settled({**data, "seats": [seat]}))
        total += net
        squares += net * net
    mean = total / rounds
    return mean, sqrt((squares / rounds - mean * mean) / rounds)


@pytest.mark.parametrize(
    ("four", "hands", "action"),
    [
        ("As Ad Kh Kd", ["Ad Kd"], "keep Ad Kd"),
        ("9c 8c 4d 2h", ["4d 2h"], "keep 4d 2h"),
        ("Th Th Tc Td", ["Th Th", "Tc Td"], "split Th Th / Tc Td"),
    ],
)
def test_settled_rounds_agree_with_the_counted_values(four: str, hands: list[str], action: str) -> None:
    counted = next(c.value for c in choices(four) if c.action == action)
    mean, error = simulated(four, hands, 1500, seed=11)
    assert abs(mean - float(counted)) < 4 * error
    assert error < 0.06


@pytest.mark.parametrize(
    ("four", "sentence"),
    [
        ("As Ad Kh", "a hand must have four cards, such as As Ad Kh Kd (got 3)"),
        ("As " * 7, "a hand must have four cards, such as As Ad Kh Kd (got 7)"),
    ],
)
def test_wrong_cards_are_refused(four: str, sentence: str) -> None:
    with pytest.raises(ValueError, match="four cards") as refused:
        odds(TERMS, cards(four))
    assert str(refused.value) == sentence


def test_another_game_is_refused() -> None:
    with pytest.raises(UnsolvableError, match="not a Texas Shootout rulebook with a house way; use one"):
        odds(load("uth-ma"), cards("As Ad Kh Kd"))


# Best play.


def invented(seed: int) -> Hands:
    """Return hands with invented values, to test best play separately from counting."""
    rng = Random(seed)
    table = [[rng.randrange(-60, 60) for _ in PAIRS] for _ in STARTS]
    return Hands(np.array([0] * len(STARTS), object), np.array(table, object))


def test_every_four_cards_are_listed_with_the_number_of_their_deals() -> None:
    listed = fours(6)
    assert int(listed.weight.sum()) == comb(312, 4)
    assert splits_allowed(6, TERMS)[(np.diff(listed.cards, axis=1) == 0).all(axis=1)].all()


def test_best_play_is_the_best_of_every_choice() -> None:
    hands = invented(3)
    listed = fours(6)
    allowed = splits_allowed(6, TERMS)
    values = {}
    for places in combinations(range(4), 2):
        rest = [p for p in range(4) if p not in places]
        where = discard_indices(listed.cards[:, list(places)], listed.cards[:, rest])
        values[places] = hands.by_discards[where].tolist()
    both = {(0, 1): (2, 3), (0, 2): (1, 3), (0, 3): (1, 2)}
    total = split = 0
    for n, (four, weight) in enumerate(zip(listed.cards.tolist(), listed.weight.tolist(), strict=True)):
        best = max(value[n] for value in values.values())
        most = max(values[a][n] + values[b][n] for a, b in both.items())
        ranks = sorted(Counter(n // 4 for n in four).values())
        splits = ranks in ([2, 2], [4]) and most > best
        total += weight * (most if splits else best)
        split += weight * splits
    result = play(hands, 6, allowed)
    assert (result.total, result.split) == (total, split)
    assert int(result.hands.sum()) == comb(312, 4) + split
    anything = play(hands, 6, np.ones_like(allowed))
    nothing = play(hands, 6, np.zeros_like(allowed))
    assert nothing.total < result.total < anything.total
    assert nothing.split == 0 < result.split < anything.split


def test_the_hands_played_add_up_to_best_play() -> None:
    hands = invented(4)
    result = play(hands, 6, splits_allowed(6, TERMS))
    assert (result.hands.astype(object) * hands.by_discards).sum() == result.total


def test_if_keeping_and_splitting_have_the_same_value_two_cards_are_kept() -> None:
    nothing = Hands(np.zeros(len(STARTS), object), np.zeros((len(STARTS), len(PAIRS)), object))
    assert play(nothing, 6, np.ones(len(fours(6).cards), bool)).split == 0


# The disk cache.


def test_counts_are_loaded_from_the_cache(tmp_path: Path) -> None:
    hands = invented(5)
    hands.by_discards[3, 7] = 10**21 + 1
    assert stored(BOOK, tmp_path) is None
    store(BOOK, hands, tmp_path)
    loaded = stored(BOOK, tmp_path)
    assert loaded is not None
    assert (loaded.by_discards == hands.by_discards).all()
    assert (loaded.alone == hands.alone).all()
    assert list(tmp_path.iterdir()) == [path_of(BOOK, tmp_path)]
    assert json.loads(path_of(BOOK, tmp_path).read_text())["discards"][NAMES[3]][7] == 10**21 + 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1", "2", 500),
        lambda text: text.replace('"alone"', '"along"'),
        lambda text: "[]",
        lambda text: "",
    ],
)
def test_a_damaged_file_is_ignored(tmp_path: Path, damage: object) -> None:
    store(BOOK, invented(5), tmp_path)
    file = path_of(BOOK, tmp_path)
    assert callable(damage)
    file.write_text(damage(file.read_text()))
    assert stored(BOOK, tmp_path) is None


def test_a_missing_cache_folder_causes_no_error(tmp_path: Path) -> None:
    store(BOOK, invented(5), tmp_path / "nowhere")
    assert stored(BOOK, tmp_path / "nowhere") is None


# The whole game.


def test_the_solution_contains_the_results_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = invented(6)
    monkeypatch.setattr(shootout, "cached_hands", lambda book: hands)
    solution = solve(TERMS)
    game = read_game(BOOK)
    deals = comb(308, 4) * comb(304, 5)
    assert solution.deals == comb(312, 4) * deals
    best = play(hands, 6, splits_allowed(6, TERMS))
    assert solution.best.value == Fraction(best.total, solution.deals * game.scale)
    assert solution.best.staked == 1 + Fraction(best.split, comb(312, 4))
    assert sum(hand.played for hand in solution.hands) == solution.best.staked
    assert sum(hand.dealer for hand in solution.hands) == 1
    assert sum(share for _, share in solution.classes) == 1
    straight_up = [share for name, share in solution.classes if name in ("straight", "flush", "full house")]
    assert all(bonus.hits > sum(straight_up) for _, bonus in solution.bonus)
    # The printed payments of table A minus those of table B, in units of the bonus wager.
    more = {"suited five of a kind": 4000, "royal flush": 300, "straight flush": 25, "five of a kind": 10,
            "four of a kind": -2}  # fmt: skip
    bonus = dict(solution.bonus)
    assert bonus["A"].value - bonus["B"].value == sum(
        more.get(name, 0) * share for name, share in solution.classes
    )
    paid = {"suited five of a kind": 1000, "royal flush": 250, "straight flush": 50, "five of a kind": 10}
    assert solution.envy == 100 * sum(paid.get(name, 0) * share for name, share in solution.classes)


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
def test_the_solved_game_agrees_with_settled_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solve the game without the cache. Then deal random hands, make the best choice and settle the rounds."""
    monkeypatch.setattr(shootout, "store", lambda book, hands: store(book, hands, tmp_path))
    reports: list[tuple[int, int]] = []
    solution = solve(TERMS, progress=lambda done, every: reports.append((done, every)))
    assert reports == [(n, 182) for n in range(1, 183)]
    hands = stored(BOOK, tmp_path)
    monkeypatch.setattr(shootout, "cached_hands", lambda book: hands)
    assert solve(TERMS) == solution
    rng = Random(23)
    nets = []
    for _ in range(40_000):
        dealt = rng.sample(SHOE, 13)
        best: Move = odds(TERMS, dealt[:4])[0]
        parts = best.action.partition(" ")[2].split(" / ")
        seat = {"seat": 1, "cards": codes(dealt[:4]), "hands": parts, "wager": "1"}
        data = {"board": codes(dealt[4:9]), "dealer": codes(dealt[9:])}
        nets.append(settled({**data, "seats": [seat]}))
    error = float(np.std(nets)) / sqrt(len(nets))
    assert abs(float(np.mean(nets)) - float(solution.best.value)) < 4 * error
    assert solution.no_split.value < solution.best.value < solution.any_split.value


def test_a_game_in_which_ties_push_has_a_higher_value() -> None:
    row = next(w for w in BOOK.wagers["wager"].pays if w.when.get("contest") == "tie")
    wager = replace(
        BOOK.wagers["wager"],
        pays=tuple(replace(r, pays="push") if r is row else r for r in BOOK.wagers["wager"].pays),
    )
    kinder = replace(BOOK, wagers={**BOOK.wagers, "wager": wager})
    by_text = {c.action: c.value for c in choices("9c 8c 4d 2h")}
    for choice in odds(kinder, cards("9c 8c 4d 2h")):
        assert by_text[choice.action] < choice.value < by_text[choice.action] + Fraction(1, 4)
