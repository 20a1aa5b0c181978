"""Bots. A bot sees what a player at its seat sees, and chooses among the legal options.

Messages, commands and documents use the names of the styles listed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

from houseway.bots.players import Basic, Beginner, Best, Bot, Chance

Style = Literal["best", "practical", "beginner", "random"]
StyleName = Literal["basic", Style]
"""A style, or an alias of a style."""

STYLES: Final[tuple[Style, ...]] = get_args(Style)
ALIASES: Final[dict[str, Style]] = {"basic": "practical"}


def style_of(name: str) -> Style:
    """Return the style for a name or an alias."""
    return ALIASES.get(name) or STYLES[STYLES.index(name)]


def bot(style: str, seed: str, ready: Callable[[], bool] = lambda: True) -> Bot:
    """Return a bot that plays this style.

    `seed` is for random play. `ready` returns True once the solver is ready.
    """
    makers: dict[Style, Callable[[], Bot]] = {
        "best": lambda: Best(ready),
        "practical": Basic,
        "beginner": Beginner,
        "random": lambda: Chance(seed),
    }
    return makers[style_of(style)]()
