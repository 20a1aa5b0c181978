"""Names of modules and classes: nouns, and one name for one concept."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import houseway
from houseway.audit import house_log, ledgers, personal_entries
from houseway.client import messages
from houseway.engine import events

SOURCE = Path(houseway.__file__).parent
PARTICIPLE = re.compile(r"(ed|ing)$")
NOUNS = {
    "wording",
    "numbering",
    "Ping",
    "Heading",
    "Finding",
    "Ranking",
    "Rating",
    "rating",
    "Posting",
    "Setting",
    "Happening",
    "Ruling",
    "MakeRuling",
}
"""Nouns that end like participles."""
RESULTS = {"Accepted", "Refused", "ApprovalNeeded", "Cited"}
"""Results named like events: a command is `Accepted` or refused. `Cited[T]` is a value with its clause."""
SAME_TOPIC = {
    "__init__": "a package",
    "__main__": "a program",
    "app": "the application of a package: commands, terminal, server",
    "errors": "the errors of a package",
    "exam": "exams for dealers, and the command that gives one",
    "meters": "progressive meters, in the engine and in the simulation",
    "record": "the record of a table, and the record of an exam",
    "settle": "settlement, and the command that prints it",
    "shootout": "Texas Shootout",
    "stakes": "the wagers of a round",
    "ultimate": "Ultimate Texas Hold'em",
}
"""Module names that several packages share."""
SAME_CONCEPT = {
    "DrillQuestion": "a question of a drill: in the session, and the message without its answer",
    "DrillSummary": "the figures of a drill: in the session, and the message",
    "Hand": "a hand: at a seat in the engine's state, and as five cards in the ranking",
    "OpenTable": "the order to open a table: the engine's command, and the message that asks for it",
}
"""Class names that two modules share."""


def modules() -> list[Path]:
    # The second settler shares nothing with the rest, so it has its own names for the same things.
    return sorted(p for p in SOURCE.rglob("*.py") if SOURCE / "second_settler" not in p.parents)


def classes() -> dict[str, list[str]]:
    """The modules that define a class, by its name."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(SOURCE).as_posix())
    return places


def test_no_module_is_named_with_a_participle() -> None:
    assert [
        path.stem for path in modules() if PARTICIPLE.search(path.stem) and path.stem not in NOUNS
    ] == []


def test_modules_with_the_same_name_have_the_same_topic() -> None:
    places = defaultdict(list)
    for path in modules():
        places[path.stem].append(path)
    assert {name for name, paths in places.items() if len(paths) > 1} == set(SAME_TOPIC)


def test_no_class_name_is_used_for_two_concepts() -> None:
    assert {name for name, places in classes().items() if len(places) > 1} == set(SAME_CONCEPT)


def test_only_events_and_messages_are_named_with_participles() -> None:
    recorded = {*vars(events), *vars(ledgers), *vars(house_log), *vars(personal_entries)}
    happened = {*recorded, *vars(messages)}
    named = {name for name in classes() if PARTICIPLE.search(name)}
    assert named - happened - NOUNS == RESULTS
