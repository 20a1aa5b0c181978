"""Players that are programs: they see what their seat sees and choose among what is legal."""

from houseway.bots.basic import Basic
from houseway.bots.chance import Chance
from houseway.bots.port import Bot, decisions

STYLES = ("basic", "random")


def bot(style: str, seed: str) -> Bot:
    """A player of a style; the seed is what a random one plays by."""
    return Chance(seed) if style == "random" else Basic()


__all__ = ["STYLES", "Basic", "Bot", "Chance", "bot", "decisions"]
