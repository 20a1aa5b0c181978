"""Two settlers side by side: ours, and the plain one written from the documents alone."""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import msgspec

from houseway.engine.settle_json import Window
from houseway.rules.loader import load
from houseway.testing import random_round
from plain import settle as settle_plainly

SAID = ("lines", "seats", "meters", "dealer_tips", "approvals", "caps", "house_way")


def compared(window: Window, given: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Where the two settlers disagree about a round, or None; and what the plain one says."""
    ours = msgspec.to_builtins(window.settle(given))
    plain = settle_plainly(copy.deepcopy(given))
    if "refused" in ours or "refused" in plain:
        # Several clauses may refuse one round; that it is refused is what both must say.
        same = ("refused" in ours) == ("refused" in plain)
        return None if same else f"{ours.get('refused')} and {plain.get('refused')}", plain
    for key in SAID:
        if ours.get(key) != plain.get(key):
            return f"{key}: {ours.get(key)} and {plain.get(key)}", plain
    return None, plain


def differences(rulebook: str, rounds: int, seed: str) -> tuple[list[str], Counter[tuple[str, str, str]]]:
    """Disagreements over random rounds, and how often each paying line of each table came."""
    rng = Random(seed)
    book = load(rulebook)
    window = Window()
    found: list[str] = []
    hits: Counter[tuple[str, str, str]] = Counter()
    for _ in range(rounds):
        given = random_round(rng, book)
        wrong, plain = compared(window, given)
        if wrong:
            found.append(f"{given}: {wrong}")
        for line in plain.get("lines", ()):
            hits[line["wager"], line["clause"], line.get("odds") or line["result"]] += 1
    return found, hits
