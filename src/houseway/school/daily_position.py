"""The daily position: one position a day, the same for everyone in a house."""

from __future__ import annotations

import re
from typing import Final

from houseway.school.game_values import GameValues
from houseway.school.practice_positions import PracticePosition, chosen_position
from houseway.shoe.seeded_draws import SeedDraws

_DATE: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", re.ASCII)
LONGEST_HOUSE: Final = 200


def daily_position(game: GameValues, date: str, house: str) -> PracticePosition:
    """Return the position of a day, such as "2026-11-18". It is chosen, not dealt.

    `house` identifies the house: its name, or the digest of a key. With a secret part, positions of later
    days cannot be computed outside the house.
    """
    if not _DATE.fullmatch(date):
        raise ValueError(f"the date must be like 2026-11-18 (got {date[:40]!r})")
    if not 0 < len(house) <= LONGEST_HOUSE:
        raise ValueError(f"the house's name must have 1 to {LONGEST_HOUSE} characters (got {len(house)})")
    return chosen_position(game, SeedDraws(house, f"daily position {game.terms.hash} {date}"))
