"""The house rules of a table: the points that the document leaves open, and what this house does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from houseway.engine.table import Table
from houseway.rules.compare.value_words import setting_in_words
from houseway.rules.loader import all_clauses
from houseway.rules.procedure import SECTIONS
from houseway.training.scenarios.rulebook_comparison import SILENT, compare_irregularities

IRREGULARITIES: Final = "irregularities"
PLAY: Final = "play"
SETTINGS: Final = "settings"
READINGS: Final = "readings"
HEADINGS: Final = {
    IRREGULARITIES: "The document does not say what follows from these irregularities. In this house:",
    PLAY: "The document is also silent on these points. The house follows the clauses of other documents:",
    SETTINGS: "The document leaves these choices to the house:",
    READINGS: "The document contradicts itself here. The house reads it like this:",
}
"""The topics in order, each with a sentence."""
ROWS: Final = "irregularity["
"""The start of the key paths of irregularities."""


class HouseRule(msgspec.Struct, frozen=True):
    """A rule of the house on a point that the document leaves open."""

    topic: str
    """A key of `HEADINGS`."""
    rule: str
    clause: str | None = None
    """The clause that the house follows or reads, or the setting; None if no document has a clause."""

    @property
    def line(self) -> str:
        """The rule with its clause, on one line."""
        return f"{self.rule} [{self.clause}]" if self.clause else self.rule


def house_rules(table: Table) -> tuple[HouseRule, ...]:
    """Return the rules that a dealer cannot read in the rulebook's own document.

    A dealer who knows only that document needs them before a test.
    """
    return (*_irregularities(table), *_play(table), *_settings(table), *_readings(table))


def house_rule_lines(table: Table) -> list[str]:
    """Return the house rules as lines to print; no lines if the document answers every question."""
    return rule_lines(house_rules(table))


def rule_lines(rules: Iterable[HouseRule]) -> list[str]:
    """Return house rules as lines to print, under the headings of their topics."""
    listed, lines = list(rules), []
    for topic, heading in HEADINGS.items():
        own = [f"- {rule.line}" for rule in listed if rule.topic == topic]
        lines += [heading, *own] if own else []
    return lines


def _irregularities(table: Table) -> Iterator[HouseRule]:
    """Yield the outcomes of irregularities that the document does not cover."""
    for row in compare_irregularities([table]):
        outcome = row.outcomes[table.book.id]
        if outcome.borrowed or outcome.clause is None:
            situation = f" ({row.situation})" if row.situation else ""
            then = outcome.act.removesuffix(f" ({SILENT})")
            rule = f"{row.kind.capitalize()}{situation}: {then}."
            yield HouseRule(IRREGULARITIES, rule, outcome.clause)


def _play(table: Table) -> Iterator[HouseRule]:
    """Yield the other clauses of other documents that this table follows, in their order."""
    book, mode = table.book, table.mode
    skipped = tuple(
        f"{section}[{number}]"
        for section in SECTIONS
        for number, step in enumerate(getattr(book.procedure, section))
        if step.name not in table.steps
    )
    borrowed = {
        basis.clause(mode)
        for path, basis in book.bases()
        if basis.filled and not path.startswith((ROWS, *skipped))
    }
    decided = {rule.clause for rule in _irregularities(table)}
    for name, clause in all_clauses().items():
        if name in borrowed - decided:
            yield HouseRule(PLAY, clause.says, name)


def _settings(table: Table) -> Iterator[HouseRule]:
    """Yield the house settings in force at the table."""
    terms = table.terms
    for name, setting in table.book.house.items():
        value = terms.given.get(name, setting.assumed)
        if value not in (None, {}):
            yield HouseRule(
                SETTINGS, f"{name}: {setting_in_words(setting, value)}. {setting.about}", f"house.{name}"
            )


def _readings(table: Table) -> Iterator[HouseRule]:
    """Yield the readings of clauses that conflict with another clause of the same document."""
    own = table.book.clauses
    for name, clause in own.items():
        if clause.reading and any(other in own for other in clause.conflicts):
            yield HouseRule(READINGS, clause.reading, name)
