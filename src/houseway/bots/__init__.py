"""Players that are programs: they see what their seat sees and choose among what is legal."""

from houseway.bots.basic import Basic
from houseway.bots.beginner import Beginner
from houseway.bots.chance import Chance
from houseway.bots.exactly import Best
from houseway.bots.port import Bot, decisions
from houseway.bots.styles import STYLES, Style, StyleName, bot, style_of

__all__ = [
    "STYLES",
    "Basic",
    "Beginner",
    "Best",
    "Bot",
    "Chance",
    "Style",
    "StyleName",
    "bot",
    "decisions",
    "style_of",
]
