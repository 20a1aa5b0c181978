"""A host who also plays gains nothing by choosing its random bytes for the players' cut.

`benchmarks/insider.py` plays the host. It knows the server's seeds and always sends last.
"""

from __future__ import annotations

import importlib.util
import sys
from math import erfc, sqrt
from pathlib import Path
from types import ModuleType

import pytest

from samples import sample

FILE = Path(__file__).parents[2] / "benchmarks" / "insider.py"
ROUNDS = sample("insider")
SIGNIFICANCE = 1e-6
"""The significance level: below this probability, the insider's cards are not explained by chance."""


@pytest.fixture(scope="module")
def insider() -> ModuleType:
    spec = importlib.util.spec_from_file_location("insider", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["insider"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gains(insider: ModuleType, outcome: object, seats: int) -> bool:
    """True if the insider has more aces, or more pairs of aces, than chance explains."""
    by_aces: float = erfc(insider.aces_z(outcome, seats) / sqrt(2)) / 2
    by_pairs: float = insider.p_value(outcome, seats)
    return min(by_aces, by_pairs) < SIGNIFICANCE


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_with_salts_in_the_clear_the_insider_can_deal_itself_aces(insider: ModuleType, seats: int) -> None:
    outcome = insider.Insider(seats, "plain").play(5)
    assert (outcome.dealt, outcome.goals) == (5, 5)
    assert gains(insider, outcome, seats)


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_with_commitments_the_insiders_cards_are_random(insider: ModuleType, seats: int) -> None:
    outcome = insider.Insider(seats).play(ROUNDS)
    assert outcome.dealt == ROUNDS
    assert not gains(insider, outcome, seats)
    assert outcome.notes == ()


def test_a_planted_leak_of_the_salts_is_noticed(insider: ModuleType) -> None:
    outcome = insider.Insider(3, leak=True).play(5)
    assert outcome.goals == 5
    assert gains(insider, outcome, 3)


@pytest.mark.parametrize("seats", [1, 5])
def test_the_number_of_aborted_rounds_is_limited_and_visible(insider: ModuleType, seats: int) -> None:
    outcome = insider.Insider(seats, aborts=True).play(100)
    assert 0 < outcome.aborted <= seats * 3
    assert outcome.dealt == 100 - outcome.aborted
    counted = [int(note.split(" in ")[1].split(" of ")[0]) for note in outcome.notes]
    assert sum(counted) == outcome.aborted
    assert max(counted) <= 3
