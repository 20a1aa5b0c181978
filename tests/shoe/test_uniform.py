"""The shuffle of the package is uniform over many decks, and planted faults are noticed."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations

import pytest

from counted import SEVEN_OF_52
from houseway.shoe import shuffle
from houseway.shoe.entropy import SystemEntropy
from samples import sample
from shoe.battery import cycle_chances, match_chances, run_chances, unfair
from shoe.stats import chi_tail, fits, normal_tails, uniformity

Steps = tuple[bool, tuple[tuple[int, int, int], ...]]


def test_single_decks_are_uniform() -> None:
    assert unfair("a million decks", 52, sample("decks")) == []


def test_six_deck_shoes_are_uniform() -> None:
    assert unfair("six decks", 312, sample("shoes")) == []


@pytest.mark.exhaustive
@pytest.mark.timeout(7200)
def test_twenty_million_decks_from_a_new_seed_are_uniform() -> None:
    assert unfair(SystemEntropy().draw(16).hex(), 52, 20_000_000) == []


# --- planted faults are noticed ---


def off_by_one(size: int) -> Steps:
    """The current card is never left in its place."""
    words = 256
    return False, tuple((last, last, words - words % last) for last in range(size - 1, 0, -1))


def modulo_bias(size: int) -> Steps:
    """No word is rejected, so low places are chosen more often."""
    return False, tuple((last, last + 1, 256) for last in range(size - 1, 0, -1))


def stops_early(size: int) -> Steps:
    """The last two cards are not exchanged."""
    return False, tuple((last, last + 1, 256 - 256 % (last + 1)) for last in range(size - 1, 1, -1))


@pytest.mark.parametrize(
    ("planted", "tests"),
    [
        (off_by_one, {"fixed points", "cycles", "card by position"}),
        (modulo_bias, {"card by position", "pair at 50 and 51", "pair at 0 and 51"}),
        (stops_early, {"cycles", "pair at 0 and 1"}),
    ],
)
def test_a_planted_fault_in_the_steps_fails(
    planted: Callable[[int], Steps], tests: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shuffle, "_steps", planted)
    assert tests <= set(unfair("planted", 52, 10_000))


def test_an_off_by_one_in_the_large_shoe_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = tuple((last, last, 65_536 - 65_536 % last) for last in range(311, 0, -1))
    monkeypatch.setattr(shuffle, "_steps", lambda size: (True, wide))
    assert {"fixed points", "cycles"} <= set(unfair("planted", 312, 1_000))


def test_a_seed_used_twice_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    sound, last, drawn = shuffle.order, b"", 0

    def stuck(seed: bytes, size: int) -> tuple[int, ...]:
        nonlocal last, drawn
        drawn += 1
        last = last if drawn % 20 == 0 else seed
        return sound(last, size)

    monkeypatch.setattr(shuffle, "order", stuck)
    assert {"serial correlation", "repeats of the shoe before"} <= set(unfair("planted", 52, 2_000))


def test_an_occasionally_unshuffled_deck_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = shuffle.order
    monkeypatch.setattr(
        shuffle, "order", lambda seed, size: tuple(range(size)) if seed[0] < 5 else sound(seed, size)
    )
    assert {"runs", "fixed points", "cycles"} <= set(unfair("planted", 52, 2_000))


def test_decks_with_aces_on_top_fail_the_test_of_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = shuffle.order

    def cold(seed: bytes, size: int) -> tuple[int, ...]:
        # One deck in fifty is changed so that four aces are on top.
        sequence = sound(seed, size)
        if seed[0] >= 5:
            return sequence
        return (48, 49, 50, 51, *(n for n in sequence if n < 48))

    monkeypatch.setattr(shuffle, "order", cold)
    assert "seven-card hands" in unfair("planted", 52, 2_000)


# --- tests of the statistics ---


def test_the_published_counts_of_hands_add_up() -> None:
    assert sum(SEVEN_OF_52.values()) == math.comb(52, 7) == 133_784_560


def test_the_exact_probabilities_agree_with_all_orders_of_six_cards() -> None:
    runs, cycles, fixed = [0] * 6, [0] * 7, [0] * 7
    for order in permutations(range(6)):
        runs[sum(order[i + 1] < order[i] for i in range(5))] += 1
        fixed[sum(order[i] == i for i in range(6))] += 1
        seen: set[int] = set()
        count = 0
        for start in range(6):
            count += start not in seen
            at = start
            while at not in seen:
                seen.add(at)
                at = order[at]
        cycles[count] += 1
    assert run_chances(6) == tuple(k / 720 for k in runs)
    assert cycle_chances(6) == tuple(k / 720 for k in cycles)
    assert match_chances(6) == tuple(k / 720 for k in fixed)


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    # Upper critical values of χ² as every table of the distribution prints them.
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (29.588298, 10, 0.001), (124.342113, 100, 0.05)],
)
def test_chi_square_tails_match_the_tables(statistic: float, freedom: int, tail: float) -> None:
    assert chi_tail(statistic, freedom) == pytest.approx(tail, rel=1e-5)


def test_with_two_degrees_of_freedom_the_tail_is_an_exponential() -> None:
    for x in (0.1, 1.0, 2.0, 5.0, 40.0):
        assert chi_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


def test_the_tail_for_many_degrees_of_freedom_is_wilson_hilferty() -> None:
    freedom = 2601
    for z in (-3.0, 0.0, 3.0):
        x = freedom * (1 - 2 / (9 * freedom) + z * math.sqrt(2 / (9 * freedom))) ** 3
        assert chi_tail(x, freedom) == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-3)


def test_normal_tails_match_the_tables() -> None:
    assert normal_tails(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert normal_tails(-4.891638) == pytest.approx(1e-6, rel=1e-4)


def test_uniformity_distinguishes_even_from_crowded_numbers() -> None:
    even = [(k + 0.5) / 1000 for k in range(1000)]
    assert uniformity(even) > 0.999
    assert uniformity([value**1.3 for value in even]) < 1e-4
    # The 5 % point of Kolmogorov's distribution is 1.358. The evenly spaced numbers are already half a step
    # (0.0005) away from the uniform distribution, so they are shifted by that much less.
    shifted = [min(1.0, value + 1.358 / math.sqrt(1000) - 0.0005) for value in even]
    assert uniformity(shifted) == pytest.approx(0.05, abs=0.002)


def test_small_cells_are_merged() -> None:
    # 60 throws with probabilities 1/2, 1/3 and 1/6; the last is split into two small cells.
    pooled = fits([36, 18, 3, 3], [1 / 2, 1 / 3, 1 / 12, 1 / 12])
    assert pooled == pytest.approx(chi_tail(36 / 30 + 4 / 20 + 16 / 10, 2))
