"""Two settlers side by side: the engine's, and the second settler, written from the documents alone."""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import msgspec

from houseway.engine.settle_json import Window
from houseway.rules.loader import load
from houseway.second_settler import settle as settle_plainly
from houseway.testing import random_round

COMPARED = ("lines", "seats", "meters", "dealer_tips", "approvals", "caps", "house_way")


def compare(window: Window, data: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The first difference between the two settlers' answers, or None; and the second settler's answer."""
    ours = msgspec.to_builtins(window.settle(data))
    plain = settle_plainly(copy.deepcopy(data))
    if "refused" in ours or "refused" in plain:
        # Several clauses may refuse one round. Both settlers must refuse it, but may cite different clauses.
        same = ("refused" in ours) == ("refused" in plain)
        return None if same else f"{ours.get('refused')} and {plain.get('refused')}", plain
    for key in COMPARED:
        if ours.get(key) != plain.get(key):
            return f"{key}: {ours.get(key)} and {plain.get(key)}", plain
    return None, plain


def differences(
    rulebook: str, rounds: int, seed: str, *, enough: int | None = None
) -> tuple[list[str], Counter[tuple[str, str, str]]]:
    """Disagreements over random rounds, and the number of hits of each paying line of each table.

    The rounds end early after `enough` disagreements.
    """
    rng = Random(seed)
    book = load(rulebook)
    window = Window()
    disagreements: list[str] = []
    hits: Counter[tuple[str, str, str]] = Counter()
    for _ in range(rounds):
        data = random_round(rng, book)
        wrong, plain = compare(window, data)
        if wrong:
            disagreements.append(f"{data}: {wrong}")
            if len(disagreements) == enough:
                break
        for line in plain.get("lines", ()):
            hits[line["wager"], line["clause"], line.get("odds") or line["result"]] += 1
    return disagreements, hits
