"""Players that are programs: they see what their seat sees and choose among what is legal.

The styles here are the one list that messages, commands and documents take their names from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

from houseway.bots.players import Basic, Beginner, Best, Bot, Chance

Style = Literal["best", "practical", "beginner", "random"]
StyleName = Literal["basic", Style]
"""A style, or another name of one."""

STYLES: Final[tuple[Style, ...]] = get_args(Style)
ALIASES: Final[dict[str, Style]] = {"basic": "practical"}


def style_of(name: str) -> Style:
    """The style that a name stands for."""
    return ALIASES.get(name) or STYLES[STYLES.index(name)]


def bot(style: str, seed: str, ready: Callable[[], bool] = lambda: True) -> Bot:
    """A player of a style; a random one plays by the seed, `ready` is True once the solver is."""
    makers: dict[Style, Callable[[], Bot]] = {
        "best": lambda: Best(ready),
        "practical": Basic,
        "beginner": Beginner,
        "random": lambda: Chance(seed),
    }
    return makers[style_of(style)]()
