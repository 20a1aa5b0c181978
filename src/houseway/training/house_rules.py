"""The house rules of a table: the points that the document leaves open, and what this house does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from houseway.engine.seats_and_wagers import COUPONS
from houseway.engine.table import Table
from houseway.rules.catalogue import shared
from houseway.rules.compare.value_words import setting_in_words
from houseway.rules.loader import all_clauses
from houseway.rules.procedure import CONSEQUENCES, SECTIONS, Step
from houseway.training.act_list import reportable_kinds
from houseway.training.chair import WRONG_COUNT
from houseway.training.open_orders import open_orders
from houseway.training.scenarios.rulebook_comparison import (
    OUR_READING,
    ComparedRow,
    compare_irregularities,
)
from houseway.training.table_wagers import offered_wagers

IRREGULARITIES: Final = "irregularities"
CARDS: Final = "cards"
BETS: Final = "bets"
DEAL: Final = "deal"
PAYMENTS: Final = "payments"
SETTINGS: Final = "settings"
READINGS: Final = "readings"
ORDERS: Final = "orders"
OTHERS: Final = "The document is silent on {}. The house follows the clauses of other documents:"
HEADINGS: Final = {
    IRREGULARITIES: "The document does not say what follows from these irregularities. In this house:",
    CARDS: OTHERS.format("how the cards are prepared"),
    BETS: OTHERS.format("these points about players and their bets"),
    DEAL: OTHERS.format("these points of the deal and the decisions"),
    PAYMENTS: OTHERS.format("these points of the settlement and the end of the round"),
    SETTINGS: "The document leaves these choices to the house:",
    READINGS: "The document contradicts itself or is unclear. The house's reading follows each clause:",
    ORDERS: "The document leaves these orders open. All of them are right:",
}
"""The topics in order, each with a sentence."""
PLAY: Final = (CARDS, BETS, DEAL, PAYMENTS)
"""The topics of the other clauses of other documents."""
ROWS: Final = "irregularity["
"""The start of the key paths of irregularities."""
MATCH_PLAY: Final = "match_play"
SIDE: Final = "{side}"
"""The placeholder of a side of the layout in the text of a house setting."""
BETTING: Final = frozenset({"open", "close betting"})
"""The acts of steps about bets."""
DEALING: Final = frozenset({"deal", "burn", "turn", "look", "ask", "arrange", "remove stub", "count stub"})
"""The acts of steps about the deal and the decisions."""
_FACTS: Final = shared("training.toml")
DEALER_OPTIONS: Final = frozenset(_FACTS["dealer_options"])
DEALER_PROCEDURE: Final = frozenset(_FACTS["dealer_procedure"])
FLOOR_RULES: Final = frozenset(_FACTS["floor_rules"])
SHOWN_SETTINGS: Final = frozenset(_FACTS["shown_settings"])
READ_BETS: Final = frozenset(_FACTS["read_bets"])
ABOUT_WAGER: Final[Mapping[str, str]] = _FACTS["about_wager"]
"""The wager that a rule of a step or a house setting is about."""


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
    """Return the rules that a dealer at this table cannot read in the rulebook's own document.

    A dealer who knows only that document needs them before a test. Rules about wagers and deal modes that
    the table does not have are left out, and so is what the layout shows or the house sees to.
    """
    uses = _uses(table)
    return (
        *_irregularities(table),
        *_play(table, uses),
        *_settings(table),
        *_readings(table, uses),
        *(HouseRule(ORDERS, words, clause) for words, clause in open_orders(table)),
    )


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


def reading_rules(table: Table) -> tuple[HouseRule, ...]:
    """Return the house rules that quote a clause of the document with the house's reading of it."""
    return tuple(_readings(table, _uses(table)))


def _irregularities(table: Table) -> Iterator[HouseRule]:
    """Yield the outcomes of irregularities that the document does not cover."""
    possible = {*reportable_kinds(table), WRONG_COUNT}
    for row in compare_irregularities([table]):
        outcome = row.outcomes[table.book.id]
        if row.kind not in possible:
            continue
        if outcome.borrowed or outcome.clause is None:
            yield HouseRule(IRREGULARITIES, f"{_situation(row)}: {outcome.act}.", outcome.clause)
    for one in table.book.procedure.irregularities:
        if one.kind in possible and "voids" in one.rules and table.cite(one.rules["voids"]) is None:
            outcome_words = f"{CONSEQUENCES['void']} ({OUR_READING})"
            yield HouseRule(IRREGULARITIES, f"{one.kind.capitalize()} (if bets are down): {outcome_words}.")


def _situation(row: ComparedRow) -> str:
    """Return an irregularity with its conditions: "Wrong number of the dealer's cards"."""
    if row.kind == "wrong number":
        cards = row.situation.replace("the community", "community") or "cards"
        return f"Wrong number of {cards}"
    return f"{row.kind.capitalize()} ({row.situation})" if row.situation else row.kind.capitalize()


def _uses(table: Table) -> dict[str, str]:
    """Return the clauses that the dealer of a table carries out, each with its topic, in their order."""
    book, found = table.book, dict[str, str]()
    for path, basis in book.bases():
        clause, topic = basis.clause(table.mode), _topic(table, path)
        if clause and topic:
            found.setdefault(clause, topic)
    return found


def _topic(table: Table, path: str) -> str:
    """Return the topic of a place in a rulebook; empty if a dealer at this table does not need it."""
    root, _, rest = path.partition("[")
    number, _, rest = rest.partition("]")
    names = re.findall(r"\w+", rest)
    about = {ABOUT_WAGER[name] for name in names if name in ABOUT_WAGER}
    if not about <= offered_wagers(table) or not FLOOR_RULES.isdisjoint(names):
        return ""
    if root in SECTIONS:
        return _topic_of_step(table, getattr(table.book.procedure, root)[int(number)], root)
    if root in ("pass", "cap") and number:
        passes = table.book.settlement
        name = passes[int(number)].name if root == "pass" else ""
        return PAYMENTS if root == "cap" or _is_offered(table, name) else ""
    kind, _, name = path.partition(".")
    first = re.split(r"[.\[]", name)[0]
    if kind == "wager":
        return BETS if first in offered_wagers(table) and ".pays" not in name else ""
    if kind == "options":
        return (
            PAYMENTS
            if first in DEALER_OPTIONS - {"cut_least"}
            else CARDS
            if first in DEALER_OPTIONS
            else ""
        )
    if kind == "tables":
        chosen = table.terms.tables.get(first) == name.split(".")[1] and first in offered_wagers(table)
        return PAYMENTS if chosen and name.endswith(".cards") else ""
    return BETS if root == "stage" or (kind == "procedure" and first in DEALER_PROCEDURE) else ""


def _topic_of_step(table: Table, step: Step, section: str) -> str:
    if step.name not in table.steps or not _is_offered(table, step.pass_name):
        return ""
    if section != "round":
        return CARDS
    return BETS if step.act in BETTING else DEAL if step.act in DEALING else PAYMENTS


def _is_offered(table: Table, settlement_pass: str) -> bool:
    """True if a settlement pass settles a wager that the table offers."""
    known = table.passes.get(settlement_pass)
    return known is None or any(wager in offered_wagers(table) for wager in known.wagers)


def _play(table: Table, uses: Mapping[str, str]) -> Iterator[HouseRule]:
    """Yield the other clauses of other documents that the dealer of this table follows."""
    book, clauses = table.book, all_clauses()
    borrowed = {basis.clause(table.mode) for _, basis in book.bases() if basis.filled}
    decided = {rule.clause for rule in _irregularities(table)}
    for topic in PLAY:
        for name, own in uses.items():
            if own == topic and name in borrowed - decided and name in clauses:
                yield HouseRule(topic, clauses[name].says, name)


def _settings(table: Table) -> Iterator[HouseRule]:
    """Yield the house settings in force at the table."""
    terms, offered = table.terms, offered_wagers(table)
    for name, setting in table.book.house.items():
        value = terms.given.get(name, setting.assumed)
        about = ABOUT_WAGER.get(name, setting.wager)
        if value in (None, {}) or name in SHOWN_SETTINGS or (about and about not in offered):
            continue
        if name in (MATCH_PLAY, COUPONS) and not terms.house(MATCH_PLAY):
            continue
        words = (
            _each_side(value)
            if isinstance(value, str) and SIDE in value
            else setting_in_words(setting, value)
        )
        rule = f"{name}: {words}. {_without_templates(setting.about)}"
        yield HouseRule(SETTINGS, rule, f"house.{name}")


def _each_side(template: str) -> str:
    """Return a text with the placeholder of a side as it is for each side of the layout.

    >>> _each_side("the {side} hand")
    'the left hand for the left side of the layout, the right hand for the right side'
    """
    left, right = (template.replace(SIDE, side) for side in ("left", "right"))
    return f"{left} for the left side of the layout, {right} for the right side"


def _without_templates(about: str) -> str:
    """Return the sentences of a description that do not explain placeholders, such as {side}."""
    return " ".join(one for one in re.split(r"(?<=[.]) ", about) if "{" not in one)


def _readings(table: Table, uses: Mapping[str, str]) -> Iterator[HouseRule]:
    """Yield the readings of clauses that conflict with another clause of the same document, and of clauses
    that leave open whether a bet is taken.
    """
    own, offered = table.book.clauses, offered_wagers(table)
    rows = {basis.clause(table.mode) for path, basis in table.book.bases() if path.startswith(ROWS)}
    pays = {
        basis.clause(table.mode)
        for path, basis in table.book.bases()
        if path.startswith("wager.") and path.split(".")[1] in offered
    }
    for name, clause in own.items():
        needed = name in uses or name in rows or name in pays
        unclear = name in READ_BETS or any(other in own for other in clause.conflicts)
        if needed and clause.reading and unclear:
            yield HouseRule(READINGS, f"{clause.says} Our reading: {clause.reading}", name)
