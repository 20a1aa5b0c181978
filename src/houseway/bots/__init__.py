"""Players that are programs: they see what their seat sees and choose among what is legal."""

from collections.abc import Callable

from houseway.bots.basic import Basic
from houseway.bots.beginner import Beginner
from houseway.bots.chance import Chance
from houseway.bots.exactly import Best
from houseway.bots.port import Bot, decisions

STYLES = ("best", "practical", "beginner", "random")
BASIC = "basic"
"""Another name for the practical player."""


def bot(style: str, seed: str, ready: Callable[[], bool] = lambda: True) -> Bot:
    """A player of a style; the seed is what a random one plays by, `ready` says whether the solver is."""
    made: dict[str, Callable[[], Bot]] = {
        "best": lambda: Best(ready),
        "practical": Basic,
        BASIC: Basic,
        "beginner": Beginner,
        "random": lambda: Chance(seed),
    }
    return made[style]()


__all__ = ["BASIC", "STYLES", "Basic", "Beginner", "Best", "Bot", "Chance", "bot", "decisions"]
