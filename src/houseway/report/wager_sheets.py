"""Print a wager: the bets it requires, its results and its pay tables."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.report.document import Block, Bullets, Heading, SheetTable, TextLine, clause_table
from houseway.report.pay_tables import in_use, schedules
from houseway.report.payment_words import conditions, row_payment, row_text
from houseway.rules.compare.value_words import cite, named
from houseway.rules.odds_words import wording
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import Row, Wager


def wager_blocks(terms: Terms, wager: Wager) -> list[Block]:
    """Return a wager's section of the rules card."""
    return [
        Heading(wager.title, 2),
        Bullets(tuple(requirements(terms.rulebook, wager))),
        rows_table(terms, wager),
        *_choice(terms, wager),
        *schedules(terms, wager, chosen=False),
    ]


def requirements(book: Rulebook, wager: Wager) -> Iterator[TextLine]:
    """Yield the description of a wager and its requirements."""
    about = wager.group.about
    if wager.later:
        about += ", which you make at a betting point"
    yield TextLine(f"{about}.", cite(wager.basis))
    if wager.equals:
        yield TextLine(f"Equal to the {named(book, [wager.equals.value])}.", cite(wager.equals.basis))
    if wager.beside:
        yield TextLine(f"Requires the {named(book, wager.beside.value, 'or')}.", cite(wager.beside.basis))
    if wager.amount:
        yield TextLine(f"Exactly {spoken(wager.amount.value)}.", cite(wager.amount.basis))
    if wager.least:
        beside = named(book, wager.beside.value, "or") if wager.beside else "wager"
        text = f"Included with at least {spoken(wager.least.value)} on the {beside}."
        yield TextLine(text, cite(wager.least.basis))
    if wager.excludes:
        by_player = wager.excludes.value == "player"
        text = (
            "A player gets no payment for their own hands"
            if by_player
            else "A hand gets no payment for its own cards"
        )
        yield TextLine(f"{text}.", cite(wager.excludes.basis))
    if wager.kept and wager.kept.value:
        yield TextLine("The wager is never returned.", cite(wager.kept.basis))
    if wager.modes:
        text = f"Offered only if the cards are dealt by {' or '.join(wager.modes.value)}."
        yield TextLine(text, cite(wager.modes.basis))


def rows_table(terms: Terms, wager: Wager) -> SheetTable:
    """Return the results of a wager, case by case. The first matching line applies."""
    book = terms.rulebook
    rows: dict[tuple[str, str], list[Row]] = {}
    for row in wager.rows(terms.house):
        # Rows that differ only in the number of hands dealt are one line of the card.
        column = row.table is not None and "." in row.table
        when = {k: v for k, v in row.when.items() if not (column and k == "hands_dealt")}
        text = conditions(when) or ("anything else" if rows else "always")
        # A play wager is made instead of a fold, so a fold cannot lose it.
        unmade = wager.later and when.get("folded") not in (None, "no")
        result = "is not made" if unmade else row_text(row, wording(book))
        if row.table is not None and not when:
            # The table itself says which hands lose.
            result = f"is settled {row_payment(row, wording(book))}"
        rows.setdefault((text, result), []).append(row)
    lines = ((*case, cite(*(row.basis for row in same))) for case, same in rows.items())
    return clause_table("when", "the wager", rows=lines)


def _choice(terms: Terms, wager: Wager) -> list[Block]:
    """Return the lines about the choice of pay table: who chooses, and what is not allowed."""
    tables = in_use(terms, wager, chosen=False)
    kind = next((table.kind for table in tables.values()), "")
    setting = terms.rulebook.house.get(f"{kind}_table")
    rule = terms.rulebook.table_rules.get(kind)
    # The envy of a progressive is printed with its table.
    elsewhere = wager.group.on_other_hands and not schedules(terms, wager, chosen=False)
    only = "The envy amounts are listed with each progressive table above; no others may be used."
    bases = {
        "The house chooses one of these tables.": setting.basis if setting and len(tables) > 1 else None,
        "No line may pay less than shown here.": rule.no_less if rule else None,
        only if elsewhere else "No other table may be used.": rule.closed if rule else None,
    }
    lines = tuple(TextLine(text, cite(basis)) for text, basis in bases.items() if basis)
    return [Bullets(lines)] if lines else []
