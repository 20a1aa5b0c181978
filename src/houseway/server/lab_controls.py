"""The lab's controls for pay rows, play sizes and the qualifier. Each has the key that `rules/changes.py`
uses for that value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from houseway.engine.terms import Terms
from houseway.money import Odds, Payment
from houseway.report.payment_words import basis_of
from houseway.rules.changes import STREETS, WHENS
from houseway.rules.compare.cases import tables_of
from houseway.rules.options import BY_NAME, ULTIMATE
from houseway.rules.wagers import PayTable, Wager

Data = dict[str, Any]
NOTCHES: Final = tuple(n * 10**power for power in range(3) for n in range(1, 10))
"""The odds (to 1) that a payout control offers in addition to those in the pay table."""
LARGEST: Final = 20
"""Controls offer play sizes up to `LARGEST + LARGEST_STEP`, even if the rulebook allows larger ones."""
LARGEST_STEP: Final = 2
"""The controls offer sizes up to this much above the rulebook's largest play size, but never above the
limit given for `LARGEST`."""
LOW_CLASSES: Final = 3
"""The number of low hand classes that are offered as qualifiers."""


class Control(NamedTuple):
    """A value that can be changed."""

    key: str
    title: str
    group: str
    kind: str
    value: str
    choices: list[str]
    clause: str | None


def controls(book: Terms, now: Terms) -> list[Data]:
    """Return the controls, each with the rulebook's own value and the current one."""
    if book.rulebook.game != ULTIMATE:
        return []
    values = {control.key: control.value for control in _read(now)}
    return [
        {**control._asdict(), "value": values.get(control.key, control.value), "book": control.value}
        for control in _read(book)
    ]


def _read(terms: Terms) -> Iterator[Control]:
    book = terms.rulebook
    for wager in book.wagers.values():
        yield from _pays(terms, wager)
    for street, board in STREETS.items():
        stage = next((s for s in book.stages if s.board == board and s.sizes), None)
        if stage is not None and stage.sizes is not None:
            key, title, sizes = f"play.{street}", stage.name.capitalize(), stage.sizes.value
            clause = stage.sizes.clause(terms.mode)
            yield Control(key, title, "Play sizes", "size", _sizes(sizes), _size_choices(sizes), clause)
    rule = book.options.get("qualifier")
    if rule is not None:
        title, lowest = BY_NAME["qualifier"].title, book.ranking.order[-2 : -2 - LOW_CLASSES : -1]
        choices = _with(("none", *lowest), rule.value)
        yield Control("qualifier", title, title, "choice", rule.value, choices, rule.clause(terms.mode))
    for wager in book.wagers.values():
        yield from _unqualified(terms, wager)


def _pays(terms: Terms, wager: Wager) -> Iterator[Control]:
    """Yield a control for each row of a wager's pay table. If the wager has several
    pay tables, only the one in use gets controls."""
    book = terms.rulebook
    tables = tables_of(book, wager)
    kinds = {table.kind for table in tables.values()}
    table = terms.in_use.get(next(iter(kinds))) if len(kinds) == 1 else None
    # A table with meters has no controls, because a row does not give the value of a meter's payment.
    if table is None or table.name not in tables or table.meters:
        return
    named = f"{wager.name}.{table.name}" if len(tables) > 1 else wager.name
    group = f"{wager.title} pays" + (f", table {table.name}" if len(tables) > 1 else "")
    for row in table.rows:
        hand, pays = row.when.get("hand"), row.pays
        if list(row.when) == ["hand"] and hand in book.ranking.order and isinstance(pays, Odds | str):
            key, title = f"{named}.{str(hand).replace(' ', '-')}", str(hand).capitalize()
            clause = basis_of(row, table).clause(terms.mode)
            yield Control(key, title, group, "odds", str(pays), _odds_choices(pays, table), clause)


def _unqualified(terms: Terms, wager: Wager) -> Iterator[Control]:
    """Yield the control for a wager's result when the dealer does not qualify, if it has such a row."""
    row = next((r for r in wager.pays if r.when == WHENS["unqualified"] and r.pays), None)
    if row is None:
        return
    won = next((str(r.pays) for r in wager.pays if r.when == WHENS["win"] and r.pays), "push")
    key, title = f"{wager.name}.unqualified", f"{wager.title} when the dealer does not qualify"
    value, clause = str(row.pays), row.basis.clause(terms.mode)
    yield Control(key, title, title, "choice", value, _with(("push", "lose", won), value), clause)


def _odds_choices(pays: Payment, table: PayTable) -> list[str]:
    """Return "lose", "push", then ascending odds: those in `NOTCHES` and all odds in the pay table."""
    listed = [row.pays for row in table.rows if isinstance(row.pays, Odds)]
    keeps = isinstance(pays, Odds) and pays.house_keeps_stake
    steps = {odds.ratio: odds for odds in (Odds(n, 1, keeps) for n in NOTCHES)}
    steps |= {odds.ratio: odds for odds in listed if odds.house_keeps_stake == keeps}
    return ["lose", "push", *(str(steps[ratio]) for ratio in sorted(steps))]


def _sizes(sizes: Iterable[int]) -> str:
    return ",".join(map(str, sorted(sizes)))


def _size_choices(sizes: tuple[int, ...]) -> list[str]:
    """Return each size as a choice. If the rulebook allows several, such as 3 and 4, "3,4" follows "4"."""
    choices = [str(n) for n in range(1, min(max(sizes), LARGEST) + LARGEST_STEP + 1)]
    if len(sizes) > 1:
        choices.insert(max(sizes), _sizes(sizes))
    return choices


def _with(choices: Iterable[str], value: str) -> list[str]:
    return list(dict.fromkeys((*choices, value)))
