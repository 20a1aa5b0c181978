"""Check a rulebook's size, so that checking, dealing and solving it take a bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from houseway.rules.problems import Problem
from houseway.rules.procedure import SECTIONS
from houseway.rules.rulebook import Rulebook

MOST_WAGERS: Final = 24
MOST_TABLES: Final = 24
"""The maximum number of pay tables of one kind."""
MOST_ROWS: Final = 100
"""The maximum number of rows of a wager, and of a pay table."""
MOST_CHOICES: Final = 500
"""The maximum number of combinations of pay tables, with one table of each kind that a wager uses.

Every case is checked under each combination.
"""
MOST_SIZES: Final = 10
"""The maximum number of sizes of the play wager at one betting point."""
LARGEST_SIZE: Final = 100
"""The largest size of the play wager, as a multiple of the ante."""
MOST_STAGES: Final = 5
MOST_DECKS: Final = 8
MOST_STEPS: Final = 100
"""The maximum number of steps in one section of the procedure.

It also applies to irregularities, cues, passes, postings and settings.
"""
MOST_CARDS: Final = 10
"""The maximum of `each` and of `times` in one step."""
MOST_COUNT: Final = 100
"""The largest value of a house setting of kind count, such as seats."""
LONGEST_NAME: Final = 80
"""The maximum number of characters in a title or name."""


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield every part that exceeds its limit."""
    pays = {f"wager.{name}.pays": wager.pays for name, wager in rulebook.wagers.items()}
    tables = {
        f"tables.{kind}.{name}": table
        for kind, named in rulebook.tables.items()
        for name, table in named.items()
    }
    sizes = {f"stage[{n}].sizes.value": s.sizes.value for n, s in enumerate(rulebook.stages) if s.sizes}
    parts = {
        "wager": (len(rulebook.wagers), MOST_WAGERS),
        "stage": (len(rulebook.stages), MOST_STAGES),
        "ranking.decks": (rulebook.ranking.decks, MOST_DECKS),
        "pass": (len(rulebook.settlement), MOST_STEPS),
        "posting": (len(rulebook.postings), MOST_STEPS),
        "house": (len(rulebook.house), MOST_STEPS),
        "irregularity": (len(rulebook.procedure.irregularities), MOST_STEPS),
        "cue": (len(rulebook.procedure.cues), MOST_STEPS),
        **{section: (len(rulebook.procedure.steps(section)), MOST_STEPS) for section in SECTIONS},
        **{f"tables.{kind}": (len(named), MOST_TABLES) for kind, named in rulebook.tables.items()},
        **{path: (len(rows), MOST_ROWS) for path, rows in pays.items()},
        **{f"{path}.rows": (len(table.rows), MOST_ROWS) for path, table in tables.items()},
        **{path: (len(multiples), MOST_SIZES) for path, multiples in sizes.items()},
    }
    for path, (count, most) in parts.items():
        if count > most:
            yield Problem(path, f"{count:,} is above the limit", f"write at most {most:,}")
    for path, multiples in sizes.items():
        if max(multiples, default=0) > LARGEST_SIZE:
            wrong = f"{max(multiples):,} is above the limit"
            yield Problem(path, wrong, f"write multiples of at most {LARGEST_SIZE}")
    for section in SECTIONS:
        for n, step in enumerate(rulebook.procedure.steps(section)):
            if max(step.each, step.times) > MOST_CARDS:
                right = f"write at most {MOST_CARDS} for each and times"
                yield Problem(f"{section}[{n}]", f"deals {step.each} cards {step.times} times", right)
    for name, setting in rulebook.house.items():
        if setting.kind == "count" and (setting.high is None or setting.high > MOST_COUNT):
            wrong = "is missing" if setting.high is None else f"is {setting.high:,}"
            yield Problem(f"house.{name}.high", wrong, f"write a number of at most {MOST_COUNT}")
    for path, rows in pays.items():
        used = {row.table for row in rows}
        choices = prod(len(named) or 1 for kind, named in rulebook.tables.items() if kind in used)
        if choices > MOST_CHOICES:
            wrong = f"uses pay tables with {choices:,} combinations"
            yield Problem(path, wrong, f"use fewer kinds: at most {MOST_CHOICES} combinations")
    names = {"rulebook.id": rulebook.id, "rulebook.title": rulebook.title}
    names |= {f"wager.{name}.title": wager.title for name, wager in rulebook.wagers.items()}
    names |= {path: table.name for path, table in tables.items()}
    for path, name in names.items():
        if len(name) > LONGEST_NAME:
            yield Problem(path, f"has {len(name)} characters", f"write at most {LONGEST_NAME}")
