"""Load a scenario deck by its name or from a file, for `train` and `check`."""

from __future__ import annotations

from pathlib import Path

from houseway.cli.output import BadInputError, file_problem
from houseway.rules.problems import Problem, shortened, suggest
from houseway.training.scenarios.deck import ScenarioDeck
from houseway.training.scenarios.deck_file import (
    MOST_BYTES,
    ScenarioError,
    is_scenario,
    read_deck,
    shipped_decks,
)


def read_scenario(ref: str) -> ScenarioDeck:
    """Return the deck with this name, or in this file; raise BadInputError or ScenarioError."""
    decks = shipped_decks()
    if ref in decks:
        return decks[ref]
    if not _is_file(ref):
        raise BadInputError(f"there is no scenario or file {shortened(ref)!r}; {suggest(ref, decks)}")
    return read_deck(_text(ref), ref)


def scenario_problems(ref: str) -> list[Problem] | None:
    """Return every problem of a scenario; None if `ref` is neither a scenario's name nor its file."""
    if ref in shipped_decks():
        return []
    if not ref.endswith(".toml") or not _is_file(ref):
        return None
    text = _text(ref)
    if not is_scenario(text):
        return None
    try:
        read_deck(text, ref)
    except ScenarioError as error:
        return error.problems
    return []


def _is_file(ref: str) -> bool:
    try:
        return Path(ref).is_file()
    except (OSError, ValueError):
        # The name is too long for a file, or contains a null byte.
        return False


def _text(ref: str) -> str:
    """Return the beginning of a file as text, one byte more than a scenario may have."""
    with file_problem("read", ref), Path(ref).open("rb") as file:
        return file.read(MOST_BYTES + 1).decode("utf-8", "replace")
