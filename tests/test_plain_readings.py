"""Both settlers agree if a house chooses a reading of a rule other than the default."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import twins
from houseway.engine.settle_json import Window
from houseway.rules.loader import load
from houseway.second_settler import settle
from houseway.testing import random_round

ROUNDS = 1_500
CHOSEN = [
    ("uth-ma", "cover_all_low", "push"),
    ("uth-ma", "folded_progressive", "at once"),
    ("uth-sd", "trips_alone", "may fold"),
    ("uth-sd", "tip_limit", "posted"),
    ("uth-proc", "approval_scope", "hand"),
]


def with_setting(data: dict[str, Any], setting: str, value: str) -> dict[str, Any]:
    """Return the round under a setting, changed so that the setting can affect the result."""
    data["house"] = {**data.get("house", {}), setting: value}
    if setting == "trips_alone":
        for seat in data["seats"]:
            if "ante" not in seat and "trips" in seat:
                seat["play"] = 0
    if setting == "tip_limit":
        data["limits"] = {"ante": {"max": "100"}, "trips": {"max": "5"}}
    return data


@pytest.mark.parametrize(("rulebook", "setting", "value"), CHOSEN, ids=[s for _, s, _ in CHOSEN])
def test_the_two_settlers_agree_under_the_other_reading(rulebook: str, setting: str, value: str) -> None:
    rng, window, book = Random(setting), Window(), load(rulebook)
    differs = 0
    for _ in range(ROUNDS):
        data = random_round(rng, book)
        usual = settle(data)
        other = with_setting(data, setting, value)
        disagreement, answer = twins.compare(window, other)
        assert disagreement is None, (disagreement, other)
        differs += answer != usual
    # If the setting changed no answer, the test would show nothing.
    assert differs >= 10
