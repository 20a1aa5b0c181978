"""Limits on a rulebook's size: checking, dealing and solving it take bounded time, whatever it says."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

from houseway.rules.problems import Problem
from houseway.rules.procedure import SECTIONS
from houseway.rules.rulebook import Rulebook

MOST_WAGERS: Final = 24
MOST_TABLES: Final = 24
"""Pay tables of one kind."""
MOST_ROWS: Final = 100
"""Rows of a wager, and of a pay table."""
MOST_CHOICES: Final = 500
"""Ways to choose one pay table of each kind that a wager asks; every case is checked under each."""
MOST_SIZES: Final = 10
"""Sizes of the play wager at one betting point."""
LARGEST_SIZE: Final = 100
"""The largest multiple of the ante."""
MOST_STAGES: Final = 5
MOST_DECKS: Final = 8
MOST_STEPS: Final = 100
"""Steps of one section of the procedure, and irregularities, cues, passes and postings."""
MOST_CARDS: Final = 10
"""Cards one step deals to one place."""
LONGEST_NAME: Final = 80
"""Letters of a title or name."""


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Every part that is larger than any real rulebook's."""
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
        **{f"tables.{kind}": (len(tables), MOST_TABLES) for kind, tables in rulebook.tables.items()},
        **{f"wager.{name}.pays": (len(wager.pays), MOST_ROWS) for name, wager in rulebook.wagers.items()},
        **{
            f"tables.{kind}.{table.name}.rows": (len(table.rows), MOST_ROWS)
            for kind, tables in rulebook.tables.items()
            for table in tables.values()
        },
        **{
            f"stage[{n}].sizes.value": (len(stage.sizes.value), MOST_SIZES)
            for n, stage in enumerate(rulebook.stages)
            if stage.sizes
        },
    }
    for path, (count, most) in parts.items():
        if count > most:
            yield Problem(path, f"has {count:,}, more than any table needs", f"write at most {most:,}")
    for n, stage in enumerate(rulebook.stages):
        if stage.sizes and max(stage.sizes.value, default=0) > LARGEST_SIZE:
            wrong = f"has the multiple {max(stage.sizes.value):,}"
            yield Problem(f"stage[{n}].sizes.value", wrong, f"write multiples up to {LARGEST_SIZE}")
    for section in SECTIONS:
        for n, step in enumerate(rulebook.procedure.steps(section)):
            if max(step.each, step.times) > MOST_CARDS:
                right = f"write each and times up to {MOST_CARDS}"
                yield Problem(f"{section}[{n}]", f"deals {step.each} cards {step.times} times", right)
    for name, wager in rulebook.wagers.items():
        asked = {row.table for row in wager.pays}
        choices = prod(len(tables) or 1 for kind, tables in rulebook.tables.items() if kind in asked)
        if choices > MOST_CHOICES:
            wrong = f"asks pay tables that can be chosen in {choices:,} ways"
            yield Problem(f"wager.{name}.pays", wrong, f"ask fewer kinds: at most {MOST_CHOICES} ways")
    yield from _names(rulebook)


def _names(rulebook: Rulebook) -> Iterator[Problem]:
    """Names too long to print."""
    named = {"rulebook.id": rulebook.id, "rulebook.title": rulebook.title}
    named |= {f"wager.{name}.title": wager.title for name, wager in rulebook.wagers.items()}
    named |= {f"tables.{kind}.{name}": name for kind, tables in rulebook.tables.items() for name in tables}
    for path, name in named.items():
        if len(name) > LONGEST_NAME:
            wrong = f"has {len(name)} letters"
            yield Problem(path, wrong, f"write at most {LONGEST_NAME}")
