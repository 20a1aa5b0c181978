"""`solve --only`: the parts of a solved game that somebody asked for."""

from __future__ import annotations

from typing import Any, Final

from houseway.cli.output import BadInputError
from houseway.rules.problems import meant

EDGE, SPREAD, CHOICES, OUTCOMES = "edge", "spread", "choices", "outcomes"
STRATEGY, BETS, HANDS, SIDES = "strategy", "bets", "hands", "sides"

GAME: Final = {
    EDGE: ("ev", "edge", "edge_per_initial_bet", "element_of_risk"),
    SPREAD: ("variance", "sd", "average_bet"),
    CHOICES: ("actions",),
    OUTCOMES: ("outcomes",),
}
"""Parts of the main game, and what of its data each is."""
BESIDE: Final = {STRATEGY: "strategy", BETS: "whole_bet", HANDS: "starting_hands", SIDES: "wagers"}
"""The other parts, and where each stands in the data."""
EVERY: Final = frozenset({*GAME, *BESIDE})


def read_parts(text: str, *, strategy: bool, bets: bool) -> frozenset[str]:
    """The parts named, or all where none is."""
    named = [part.strip() for part in text.split(",") if part.strip()]
    for part in named:
        if part not in EVERY:
            raise BadInputError(f"--only {text}: {part!r} is no part; {meant(part, EVERY)}")
    for part, there in ((STRATEGY, strategy), (BETS, bets)):
        if part in named and not there:
            raise BadInputError(f"--only {part}: there is none without --{part}; give that as well")
    return frozenset(named) or EVERY


def cut(document: dict[str, Any], parts: frozenset[str]) -> dict[str, Any]:
    """A solved game as data with these parts only, and what it was made from."""
    kept = {name for part in parts for name in GAME.get(part, ())}
    game = {name: value for name, value in document["game"].items() if name in kept}
    left_out = {"game", *(BESIDE[part] for part in EVERY - parts if part in BESIDE)}
    told = {name: value for name, value in document.items() if name not in left_out}
    return told | ({"game": game} if game else {})
