"""`solve --only`: select parts of a solved game."""

from __future__ import annotations

from typing import Any, Final

from houseway.cli.output import BadInputError
from houseway.rules.problems import suggest

EDGE, SPREAD, CHOICES, OUTCOMES = "edge", "spread", "choices", "outcomes"
STRATEGY, BETS, HANDS, SIDES = "strategy", "bets", "hands", "sides"

GAME: Final = {
    EDGE: ("ev", "edge", "edge_per_initial_bet", "element_of_risk"),
    SPREAD: ("variance", "sd", "average_bet"),
    CHOICES: ("actions",),
    OUTCOMES: ("outcomes",),
}
"""The parts of the main game, and the fields of each in the JSON document."""
BESIDE: Final = {STRATEGY: "strategy", BETS: "whole_bet", HANDS: "starting_hands", SIDES: "wagers"}
"""The other parts, and the field of each in the JSON document."""
EVERY: Final = frozenset({*GAME, *BESIDE})


def read_parts(text: str, *, strategy: bool, bets: bool) -> frozenset[str]:
    """Return the parts named in the option, or all parts if it is empty."""
    named = [part.strip() for part in text.split(",") if part.strip()]
    for part in named:
        if part not in EVERY:
            raise BadInputError(f"--only {text}: unknown part {part!r}; {suggest(part, EVERY)}")
    for part, requested in ((STRATEGY, strategy), (BETS, bets)):
        if part in named and not requested:
            raise BadInputError(f"--only {part} needs --{part} as well")
    return frozenset(named) or EVERY


def cut(document: dict[str, Any], parts: frozenset[str]) -> dict[str, Any]:
    """Return the document with only these parts and the fields that identify the game."""
    fields = {name for part in parts for name in GAME.get(part, ())}
    game = {name: value for name, value in document["game"].items() if name in fields}
    left_out = {"game", *(BESIDE[part] for part in EVERY - parts if part in BESIDE)}
    rest = {name: value for name, value in document.items() if name not in left_out}
    return rest | ({"game": game} if game else {})
