"""Compare the rating with an outside package for item response theory, girth, on the same answers.

Simulated players answer the same positions. The rating knows the exact values. The package is used in two
ways: with a Rasch model whose difficulties it estimates from the answers alone, and with the slopes that
the exact values give (only for positions with two choices). Players are compared if their 95 % intervals do
not overlap. The run fails if a rank correlation is below 0.98.

Run with `pip install houseway[bench]` and `python benchmarks/rating_irt.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import combinations
from math import exp, inf
from random import Random

import numpy as np
from girth import ability_eap, ability_mle, rasch_mml

from houseway.rules.loader import load
from houseway.school.game_values import game_values
from houseway.school.practice_positions import Practice, practice_position
from houseway.school.skill_estimate import Item, SkillEstimate, estimate_skill

PLAYERS, POSITIONS = 200, 400
LEAST = 0.98


def main() -> int:
    """Print the rank correlations; return 1 if one is too low."""
    game, rng = game_values(load("uth-ma")), Random("rating against girth")
    shown = (practice_position(game, Practice("irt"), n).position for n in range(POSITIONS))
    items = [(0.0, *map(float, one.gaps)) for one in shown if not one.close]
    temperatures = [0.02 * 20 ** (n / (PLAYERS - 1)) for n in range(PLAYERS)]
    answers = [[answer(rng, gaps, temperature) for gaps in items] for temperature in temperatures]
    every = range(len(items))
    two = [n for n in every if len(items[n]) == 2]
    low = 1.0
    for name, used in (("Rasch, difficulties from the answers", every), ("slopes from the values", two)):
        rated = [estimate_skill([Item(items[n][1:], items[n][own[n]]) for n in used]) for own in answers]
        right = np.array([[own[n] == 0 for own in answers] for n in used], dtype=int)
        if used is every:
            varied = right[(right.mean(axis=1) > 0) & (right.mean(axis=1) < 1)]
            abilities = ability_eap(varied, rasch_mml(varied)["Difficulty"], np.ones(len(varied)))
        else:
            slopes = np.array([items[n][1] / 0.05 for n in used])
            abilities = ability_mle(right, np.zeros(len(used)), slopes, no_estimate=99.0)
        pairs, gamma = concordance(rated, abilities)
        apart = disjoint(rated)
        spearman = rank_correlation([rated[n].skill for n in apart], [abilities[n] for n in apart])
        whole = rank_correlation([one.skill for one in rated], list(abilities))
        print(f"{name}: {len(list(used))} positions, {PLAYERS} players")
        print(f"  {pairs:,} pairs of players whose intervals do not overlap: rank correlation {gamma:.4f}")
        print(f"  {len(apart)} players, none of whose intervals overlap: rank correlation {spearman:.4f}")
        print(f"  all players, for information: rank correlation {whole:.4f}")
        low = min(low, gamma, spearman)
    return 0 if low >= LEAST else 1


def answer(rng: Random, gaps: Sequence[float], temperature: float) -> int:
    """Return the choice of a player; 0 is the best one."""
    return rng.choices(range(len(gaps)), [exp(-gap / temperature) for gap in gaps])[0]


def concordance(rated: Sequence[SkillEstimate], abilities: Sequence[float]) -> tuple[int, float]:
    """Return the number of pairs with separate intervals, and their Goodman-Kruskal rank correlation."""
    signs = [
        np.sign((one.skill - other.skill) * (a - b))
        for (one, a), (other, b) in combinations(zip(rated, abilities, strict=True), 2)
        if one.high < other.low or other.high < one.low
    ]
    return len(signs), float(np.mean(signs))


def disjoint(rated: Sequence[SkillEstimate]) -> list[int]:
    """Return players whose intervals do not overlap, as many as possible."""
    picked: list[int] = []
    top = -inf
    for number in sorted(range(len(rated)), key=lambda n: rated[n].high):
        if rated[number].low > top:
            picked.append(number)
            top = rated[number].high
    return picked


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation of Spearman; ties count as their mean rank."""

    def ranks(values: Sequence[float]) -> list[float]:
        ordered = sorted(values)
        return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]

    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


if __name__ == "__main__":
    sys.exit(main())
