"""Players that are programs: they see what their seat sees and choose among what is legal."""

from houseway.bots.players import Basic, Beginner, Best, Bot, Chance, decisions
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
