"""For each player who has left a salt unopened: their last 100 rounds, and whether they opened their salt
in each."""

from __future__ import annotations

from typing import Final

MOST_UNOPENED: Final = 3
"""A player with this many unopened salts in the last rounds adds nothing to the cut."""
LAST_ROUNDS: Final = 100
"""The number of a player's last rounds in which unopened salts count."""
OPENED_MARK: Final = "."
UNOPENED_MARK: Final = "x"


def with_round(openings: dict[str, str], player: str, mark: str) -> dict[str, str]:
    """Return `State.openings` with one more round added for a player."""
    rounds = (openings.get(player, "") + mark)[-LAST_ROUNDS:]
    if UNOPENED_MARK in rounds:
        return {**openings, player: rounds}
    return {other: kept for other, kept in openings.items() if other != player}


def is_barred(openings: dict[str, str], player: str) -> bool:
    """True if a player left too many salts unopened to add to the cut."""
    return openings.get(player, "").count(UNOPENED_MARK) >= MOST_UNOPENED
