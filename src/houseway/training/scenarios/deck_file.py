"""The file of a scenario deck: a TOML text with a `[scenario]` table and a `[[card]]` per happening."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from houseway.errors import InputError
from houseway.rules.catalogue import parsed
from houseway.rules.problems import Problem, RulebookError, shortened, suggest
from houseway.training.conduct import CONDUCT
from houseway.training.scenarios.deck import (
    HARDEST,
    MOST_AFTER,
    MOST_CARDS,
    MOST_ROUNDS,
    MOST_TEXT,
    ScenarioCard,
    ScenarioDeck,
)
from houseway.training.scenarios.kinds import KINDS, PLACES

MOST_BYTES: Final = 100_000
"""The most bytes of a file."""
LONGEST_NAME: Final = 60
SEAT: Final = re.compile("seat [1-9][0-9]?")
TABLES: Final = ("scenario", "card")
NUMBERS: Final = {"chance": (0, 100), "difficulty": (1, HARDEST), "after": (0, MOST_AFTER)}
"""The numbers of a card, with the least and the greatest."""
DECK_KEYS: Final = ("name", "about")
HEADING: Final = re.compile(r"\s*\[\[\s*card\s*\]\]")


class ScenarioError(InputError, ValueError):
    """A scenario cannot be used; `problems` lists every problem in it."""

    def __init__(self, ref: str, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{ref}: {problem}" for problem in problems))


def is_scenario(text: str) -> bool:
    """True if a text is meant as a scenario: it has a `[scenario]` or a `[[card]]` table."""
    return re.search(r"^\s*(\[\s*scenario\s*\]|\[\[\s*card\s*\]\])", text, re.MULTILINE) is not None


def read_deck(text: str, ref: str) -> ScenarioDeck:
    """Return the deck in a TOML text; raise ScenarioError with every problem. `ref` names the file."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        wrong = f"the file is longer than {MOST_BYTES:,} bytes"
        raise ScenarioError(ref, [Problem("file", wrong, "split it into several scenarios")])
    try:
        tables = parsed(text, shortened(ref))
    except RulebookError as error:
        raise ScenarioError(ref, error.problems) from error
    problems = [_with_line(problem, text) for problem in deck_problems(tables)]
    if problems:
        raise ScenarioError(ref, problems)
    return _deck(tables)


def _deck(tables: dict[str, Any]) -> ScenarioDeck:
    cards = (
        ScenarioCard(**{**card, "rounds": tuple(card.get("rounds", ()))}) for card in tables.get("card", ())
    )
    return ScenarioDeck(**tables.get("scenario", {}), cards=tuple(cards))


@cache
def shipped_decks() -> dict[str, ScenarioDeck]:
    """Return the decks that come with houseway, by name."""
    folder = resources.files("houseway").joinpath("training", "scenarios", "decks")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda f: f.name)
    decks = (read_deck(file.read_text("utf-8"), file.name) for file in files)
    return {deck.name: deck for deck in decks}


# --- problems ---


def deck_problems(tables: dict[str, Any]) -> Iterator[Problem]:
    """Yield every problem in the tables of a scenario."""
    for key in tables:
        if key not in TABLES:
            yield Problem(
                shortened(key), f"a scenario has no table {shortened(key)!r}", suggest(key, TABLES)
            )
    head = tables.get("scenario", {})
    if not isinstance(head, dict):
        yield Problem("scenario", "it is not a table", "write [scenario]")
        head = {}
    yield from _head_problems(head)
    cards = tables.get("card", [])
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        yield Problem("card", "it is not a list of tables", "write [[card]] above each happening")
        return
    if len(cards) > MOST_CARDS:
        yield Problem("card", f"the deck has {len(cards)} cards", f"use at most {MOST_CARDS}")
        return
    for number, card in enumerate(cards, 1):
        yield from _card_problems(f"card[{number}]", card)


def check_deck(deck: ScenarioDeck) -> Iterator[Problem]:
    """Yield every problem of a deck that did not come from a file, such as that of a session's plan."""
    tables = msgspec.to_builtins(deck)
    cards = [card | {"rounds": list(card.get("rounds", ()))} for card in tables.pop("cards", ())]
    yield from deck_problems({"scenario": {"name": deck.name, **tables}, "card": cards})


def _head_problems(head: dict[str, Any]) -> Iterator[Problem]:
    for key in head:
        if key not in DECK_KEYS:
            yield Problem(f"scenario.{shortened(key)}", "there is no such key", suggest(key, DECK_KEYS))
    for key, most in (("name", LONGEST_NAME), ("about", MOST_TEXT)):
        yield from _text_problems(f"scenario.{key}", head.get(key, ""), most)
    if not head.get("name"):
        yield Problem("scenario.name", "the scenario has no name", 'write name = "my school, week 1"')


def _text_problems(path: str, text: object, most: int) -> Iterator[Problem]:
    if not isinstance(text, str):
        yield Problem(path, f"{shortened(str(text))} is not text", "put it in quotation marks")
    elif len(text) > most or not text.isprintable():
        yield Problem(path, "the text is too long or has line breaks", f"use at most {most} characters")


def _card_problems(path: str, card: dict[str, Any]) -> Iterator[Problem]:
    """Yield every problem of a card."""
    known = ScenarioCard.__struct_fields__
    for key in card:
        if key not in known:
            yield Problem(f"{path}.{shortened(key)}", "there is no such key", suggest(key, known))
    kind = card.get("kind")
    if kind is None:
        yield Problem(f"{path}.kind", "the card has no kind", 'write for example kind = "late bet"')
    elif not isinstance(kind, str) or kind not in KINDS:
        wrong = f"{shortened(str(kind))!r} is not a kind of happening"
        yield Problem(f"{path}.kind", wrong, suggest(str(kind), KINDS))
    for key, (least, most) in NUMBERS.items():
        value = card.get(key, least)
        if type(value) is not int or not least <= value <= most:
            wrong = f"{shortened(str(value))} is not a whole number from {least} to {most:,}"
            yield Problem(f"{path}.{key}", wrong, f"write for example {key} = {most // 2 or 1}")
    yield from _round_problems(path, card)
    yield from _place_problems(f"{path}.at", card.get("at", ""), str(kind))
    yield from _text_problems(f"{path}.says", card.get("says", ""), MOST_TEXT)
    if card.get("says") and isinstance(kind, str) and kind in KINDS and kind not in CONDUCT:
        wrong = f"{kind!r} is not conduct of a player, so no player speaks"
        yield Problem(f"{path}.says", wrong, "leave the text out")


def _round_problems(path: str, card: dict[str, Any]) -> Iterator[Problem]:
    rounds = card.get("rounds", [])
    numbers = rounds if isinstance(rounds, list) else [rounds]
    if not isinstance(rounds, list) or not all(type(n) is int and 1 <= n <= MOST_ROUNDS for n in numbers):
        wrong = f"it must be a list of round numbers from 1 to {MOST_ROUNDS}"
        yield Problem(f"{path}.rounds", wrong, "write for example rounds = [2, 5]")
    if not card.get("chance") and not rounds:
        wrong = "the card never happens"
        yield Problem(path, wrong, "give it a chance in percent, or a list of rounds")


def _place_problems(path: str, place: object, kind: str) -> Iterator[Problem]:
    text = str(place)
    if not isinstance(place, str) or not (text in ("", *PLACES) or SEAT.fullmatch(text)):
        wrong = f"{shortened(text)!r} is not a place"
        yield Problem(path, wrong, 'use "seat", "seat 2", "dealer", "board" or "deck"')
    elif kind in CONDUCT and text and not text.startswith("seat"):
        yield Problem(path, f"a player is not at the {text}", 'use "seat", or a seat such as "seat 2"')


def _with_line(problem: Problem, text: str) -> Problem:
    """Return a problem whose path also names the line of the file, if it can be found."""
    number = re.match(r"card\[(\d+)\](?:\.(\w+))?", problem.path)
    lines = text.splitlines()
    heads = [index for index, line in enumerate(lines) if HEADING.match(line)]
    if number is None or int(number[1]) > len(heads):
        return problem
    start = heads[int(number[1]) - 1]
    line = start
    for index in range(start + 1, len(lines)):
        if lines[index].lstrip().startswith("["):
            break
        if number[2] and re.match(rf"\s*[\"']?{re.escape(number[2])}[\"']?\s*=", lines[index]):
            line = index
    return Problem(f"{problem.path} (line {line + 1})", problem.wrong, problem.right, problem.weight)
