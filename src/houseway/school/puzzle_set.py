"""A puzzle set: different positions of one game with their exact values, all from a seed.

Positions are chosen as in practice, by frequency and expected cost, and none is a close call. Two
positions that differ only by an exchange of suits are one puzzle, because no value depends on the suits.
A set depends only on the game and the seed, and a longer set starts with the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any, Final

from houseway.cards import SUITS, Card, codes
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import Street
from houseway.school.practice_positions import (
    NoPositionError,
    PracticePosition,
    chosen_position,
    link_of,
    streets_of,
)
from houseway.shoe.seeded_draws import SeedDraws

LICENSE: Final = "CC0-1.0"
LICENSE_URL: Final = "https://creativecommons.org/publicdomain/zero/1.0/"
FORMAT: Final = 1
"""The number of the format. A change of the columns or of the choice of positions gives it a new number."""
MOST_PUZZLES: Final = 1_000_000
MOST_REPEATS: Final = 300
"""The number of repeated positions in a row after which a street has no more puzzles. Before the flop,
there are fewer than 169."""
PLACES: Final = 10
"""The number of decimals of a value."""

_PERMUTED: Final = tuple(permutations(range(len(SUITS))))


def puzzles(game: GameValues, seed: str, count: int) -> Iterator[PracticePosition]:
    """Yield different positions, fewer than `count` if the game has no more. The streets take turns."""
    streets = [_puzzles_of(game, seed, street) for street in streets_of(game)]
    left = count
    while streets:
        for street in list(streets):
            if left == 0:
                return
            shown = next(street, None)
            if shown is None:
                streets.remove(street)
                continue
            left -= 1
            yield shown


def _puzzles_of(game: GameValues, seed: str, street: Street) -> Iterator[PracticePosition]:
    """Yield different positions of a street, until no new ones are found."""
    known: set[bytes] = set()
    number = repeats = 0
    while repeats < MOST_REPEATS:
        draws = SeedDraws(seed, f"puzzle {game.terms.hash} {street} {number}")
        try:
            shown = chosen_position(game, draws, street)
        except NoPositionError:
            return
        number += 1
        key = _without_suits(shown.position.decision.hole, shown.position.decision.board)
        repeats = repeats + 1 if key in known else 0
        if not repeats:
            known.add(key)
            yield shown


def puzzle_data(game: GameValues, shown: PracticePosition) -> dict[str, Any]:
    """Return a puzzle as data. Each value is a fraction as text, with a decimal that is rounded from it."""
    spot = shown.position
    return {
        "link": link_of(game, shown),
        "game": game.terms.rulebook.game,
        "rulebook": game.terms.rulebook.id,
        "hash": game.terms.hash,
        "street": spot.street,
        "cards": codes(spot.decision.hole),
        "board": codes(spot.decision.board),
        "choices": list(spot.values),
        "values": list(map(str, spot.values.values())),
        "decimals": [decimal_text(value) for value in spot.values.values()],
        "best": spot.best,
        "lead": str(spot.lead),
        "lead_decimal": decimal_text(spot.lead),
        "difficulty": str(shown.difficulty),
        "kind": shown.kind.name,
        "themes": [theme.name for theme in shown.themes],
    }


def set_data(game: GameValues, seed: str) -> dict[str, Any]:
    """Return the data at the head of a set: its format, license, rulebook and seed."""
    return {
        "format": FORMAT,
        "license": LICENSE,
        "license_url": LICENSE_URL,
        "rulebook": game.terms.rulebook.id,
        "hash": game.terms.hash,
        "unit": game.unit,
        "seed": seed,
    }


def decimal_text(value: Fraction) -> str:
    """Return a value with ten decimals, rounded half to even. Only whole numbers are used to compute it."""
    scaled = round(abs(value) * 10**PLACES)
    whole, rest = divmod(scaled, 10**PLACES)
    return f"{'-' if value < 0 and scaled else ''}{whole}.{rest:0{PLACES}d}"


def _without_suits(hole: tuple[Card, ...], board: tuple[Card, ...]) -> bytes:
    """Return a key that two positions share if they differ only by an exchange of suits or by order."""
    return min(
        bytes([*sorted(4 * c.rank + suits[c.suit] for c in hole), 255,
               *sorted(4 * c.rank + suits[c.suit] for c in board)])
        for suits in _PERMUTED
    )  # fmt: skip
