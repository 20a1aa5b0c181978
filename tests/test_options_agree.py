"""A rulebook cannot print one thing and do another: code reads every option, or the checker compares it with the procedure."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import houseway
from discovered import BOOKS
from houseway.rules.check_options import AGREE, AGREE_ELSEWHERE
from houseway.rules.loader import load
from houseway.rules.options import BY_NAME
from test_checker import bundled, problems, put, save, steps

HOME = Path(houseway.__file__).parent
CHECKED = {**AGREE, **AGREE_ELSEWHERE}
LISTED = {"modes", "offered"}
"""The options that check_names.py compares with the wagers and the deal modes."""
READS = r'option\("{0}"\)|options(\.get)?[\[(]"{0}"[\])]'


def acted_on(option: str) -> bool:
    """True if the code of a table, a server or a report reads the value of an option."""
    reads = re.compile(READS.format(option))
    files = [
        file
        for package in ("engine", "report", "server", "live")
        for file in (HOME / package).rglob("*.py")
    ]
    files.append(HOME / "rules" / "odds_words.py")
    return any(reads.search(file.read_text(encoding="utf-8")) for file in files)


@pytest.mark.parametrize("option", BY_NAME)
def test_every_option_is_read_by_code_or_checked_against_the_procedure(option: str) -> None:
    assert option in CHECKED or option in LISTED or acted_on(option)


def test_every_checked_option_exists() -> None:
    assert CHECKED.keys() <= BY_NAME.keys()


def other_words(book: str, option: str) -> list[str]:
    """The other words of an option, which would contradict the rulebook if it printed them."""
    rulebook = load(book)
    cited = rulebook.options.get(option)
    words = [word for word in BY_NAME[option].words if cited is not None and word != cited.value]
    if book == "uth-proc" and option == "rebuildable":
        # These procedures do both: the cards are in plain view, and collected in order.
        return []
    if option == "folded_cards" and "progressive" not in rulebook.wagers:
        # Without a progressive, nothing but trips can hold the cards.
        return [word for word in words if "progressive" not in word]
    return words


OTHERS = [
    (book, option, word) for book in BOOKS for option in CHECKED for word in other_words(book, option)
]


@pytest.mark.parametrize(("book", "option", "word"), OTHERS)
def test_every_other_word_of_an_option_contradicts_the_rulebook(
    book: str, option: str, word: str, tmp_path: Path
) -> None:
    """The words of an option exclude each other, so a rulebook can print only the one that it carries out."""
    raw = tomllib.loads(bundled(book))
    put(raw, steps(f"options.{option}.value"), word)
    assert [problem.path for problem in problems(save(tmp_path, raw))] == [f"options.{option}"]


PLANTED: list[tuple[str, str, Any]] = [
    ("uth-ma", "deck_standard", "none"),
    ("uth-ma", "deck_standard", "205 CMR 999"),
    ("uth-sd", "deck_standard", "205 CMR 146.48"),
    ("uth-ma", "cover_cards", "none"),
    ("uth-ma", "cover_cards", "two, solid red"),
    ("uth-sd", "cover_cards", "two, solid yellow or green"),
    ("uth-ma", "mode_approvals", "none"),
    ("uth-card", "mode_approvals", "the machine, its place and its procedures"),
    ("uth-sd", "decks", [1, 2]),
    ("uth-ma", "decks", [1]),
    ("uth-proc", "kept_minimum", False),
    ("uth-ma", "kept_minimum", True),
    ("uth-sd", "seats", 5),
    ("shootout-sd", "cut_card", [30, 64]),
    ("uth-ma", "excluded", ["205 CMR 146.49"]),
    ("uth-ma", "burns", {"manual": 1, "device": 1}),
    ("shootout-sd", "burn_per_shoe", 0),
]


@pytest.mark.parametrize(("book", "option", "value"), PLANTED)
def test_a_planted_disagreement_is_an_error_with_its_key(
    book: str, option: str, value: Any, tmp_path: Path
) -> None:
    raw = tomllib.loads(bundled(book))
    put(raw, steps(f"options.{option}.value"), value)
    (problem,) = problems(save(tmp_path, raw))
    assert (problem.path, problem.weight) == (f"options.{option}", "error")


CHANGED: list[tuple[str, str, Any, list[str]]] = [
    ("uth-ma", "wash and stack", "note", ["opening"]),
    ("uth-ma", "offer the inspection", "note", ["opening"]),
    ("uth-proc", "cycle the shuffler", "rules", ["looking"]),
    ("uth-ma", "dispense the dealer's hand", "rules", ["deal_by_device"]),
    ("uth-ma", "deal the second card to the dealer", "rules", ["deal_by_hand"]),
    ("uth-sd", "ask after the flop", "rules.tucked", ["cards_after_play"]),
]


@pytest.mark.parametrize(("book", "step", "change", "options"), CHANGED)
def test_a_changed_procedure_disagrees_with_the_printed_option(
    book: str, step: str, change: str, options: list[str], tmp_path: Path
) -> None:
    raw = tomllib.loads(bundled(book))
    [row] = [row for part in ("opening", "shuffling", "round") for row in raw[part] if row["step"] == step]
    if change == "note":
        row["act"] = change
    elif change == "rules":
        row.pop(change)
    else:
        row["rules"].pop(change.removeprefix("rules."))
    assert [problem.path for problem in problems(save(tmp_path, raw))] == [f"options.{o}" for o in options]
