"""Print pay tables: side by side if they are alternatives for the house to choose from; one below the other
if each has its own meters, cards and amounts."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.engine.meters import seed
from houseway.engine.terms import Terms
from houseway.money import Cents, Flat, spoken
from houseway.report.document import Block, Bullets, Column, Heading, SheetTable, TextLine, clause_table
from houseway.report.payment_words import CARDS, basis_of, conditions, payment_text
from houseway.rules.compare.cases import tables_of
from houseway.rules.compare.value_words import cite
from houseway.rules.odds_words import wording
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import PayTable, Row, Wager

ENVY = "envy"

DOLLAR = 100
"""House seeds are per dollar of the wager."""

LONGEST = 74
"""The maximum number of characters in the three cells of a line, so that it fits on an 80-column page."""


def schedules(terms: Terms, wager: Wager, *, chosen: bool) -> list[Block]:
    """Return a wager's pay tables: all that may be chosen or, with `chosen`, only those in use."""
    book = terms.rulebook
    tables = in_use(terms, wager, chosen=chosen)
    if not tables:
        return []
    first = next(iter(tables.values()))
    if any(row.table and "." in row.table for row in wager.pays):
        heads = (
            "Use the column for the number of hands dealt, counting each player's hand and the dealer's."
        )
        return [TextLine(heads), side_by_side(book, list(tables.values()), "{} hands")]
    if first.meters:
        return [block for name in tables for block in _metered_table(terms, first.kind, name)]
    if any(name in book.tables.get("progressive", ()) for name in tables):
        # A progressive's envy is printed with its table.
        return []
    if len(tables) > 1:
        return [side_by_side(book, list(tables.values()))]
    return [one_table(book, first)]


def in_use(terms: Terms, wager: Wager, *, chosen: bool) -> Mapping[str, PayTable]:
    """Return the tables for a sheet: with `chosen`, those in use; otherwise, all that may be in use."""
    selected = terms.tables if chosen else terms.named_tables
    fixed = {row.table for row in wager.pays}
    return {
        name: table
        for name, table in tables_of(terms.rulebook, wager).items()
        if f"{table.kind}.{name}" in fixed or selected.get(table.kind, name) == name
    }


def side_by_side(book: Rulebook, tables: list[PayTable], head: str = "{}") -> SheetTable:
    """Return several tables as columns, with each table's clause at the foot of its column."""
    words = wording(book)
    lines: dict[str, dict[str, str]] = {}
    for table in tables:
        for row in table.rows:
            lines.setdefault(hand(row.when), {})[table.name] = _pays(table, row, words)
    columns = (Column("hand"), *(Column(head.format(t.name), "right") for t in tables))
    rows = tuple((label, *(odds.get(t.name, "–") for t in tables)) for label, odds in lines.items())
    return SheetTable(columns, rows, ("clause", *(cite(t.basis) for t in tables)))


def one_table(book: Rulebook, table: PayTable) -> SheetTable:
    """Return one table with a clause on each line, or with one clause at the foot if lines are too long."""
    words = wording(book)
    rows = tuple(
        (hand(row.when), _pays(table, row, words), cite(basis_of(row, table))) for row in table.rows
    )
    clauses = {clause for *_, clause in rows}
    if len(clauses) == 1 and any(sum(map(len, row)) > LONGEST for row in rows):
        lines = tuple((label, pays) for label, pays, _ in rows)
        return SheetTable((Column("hand"), Column("pays")), lines, ("clause", *clauses))
    return clause_table("hand", "pays", rows=rows)


def _pays(table: PayTable, row: Row, words: str | None) -> str:
    """Return the payment of a line. Envy is not a wager, so it cannot lose: it pays nothing."""
    if table.kind == ENVY and row.pays in (None, "lose"):
        return "nothing"
    return payment_text(row.pays or "lose", words)


def hand(when: Mapping[str, object]) -> str:
    """Return the label of a line: the hand or other condition."""
    return conditions(when) or "anything else"


def scaled(pays: Flat, scale: tuple[int, int]) -> Flat:
    """Return a flat amount for the wager in use, scaled from the wager that the amount is listed for."""
    wager, base = scale
    return Flat(Cents(pays.amount * wager // base))


def _metered_table(terms: Terms, kind: str, name: str) -> list[Block]:
    """Return a progressive table with its cards, wager, meters and envy."""
    chosen = {**terms.named_tables, kind: name}
    terms = Terms(terms.rulebook, terms.mode, chosen, terms.limits, terms.given)
    table = terms.rulebook.tables[kind][name]
    lines = []
    if table.cards:
        cards = CARDS.get(table.cards.value, table.cards.value)
        lines.append(TextLine(f"The table pays on {cards}.", cite(table.cards.basis)))
    lines += [_wager_line(terms), *_meter_lines(terms, table), *_envy_lines(terms)]
    head = Heading(f"{kind.capitalize()} table {table.name}", 2)
    return [head, Bullets(tuple(lines)), one_table(terms.rulebook, table)]


def _wager_line(terms: Terms) -> TextLine:
    amount, clause = terms.progressive_amount
    if amount is None:
        setting = terms.rulebook.house.get("progressive_wager")
        return TextLine("The house sets the wager.", cite(setting.basis if setting else None))
    return TextLine(f"The wager is {spoken(amount)}.", clause or "")


def _meter_lines(terms: Terms, table: PayTable) -> list[TextLine]:
    """Return the starting amount of each meter, for the wager in use and for the wager it is listed for."""
    setting = terms.rulebook.house.get("seed")
    lines = []
    for meter in table.meters:
        listed = table.seeds.get(meter)
        base = table.base.value if listed and table.base else DOLLAR
        amount = listed.value if listed else (terms.house("seed") or {}).get(meter)
        basis = listed.basis if listed else setting.basis if setting else None
        if amount is None:
            lines.append(TextLine(f"The {meter} meter's seed is not set.", cite(basis)))
            continue
        wager = terms.progressive_amount[0]
        per = f"{spoken(amount)} per {spoken(base)} of the wager"
        text = per if wager is None else spoken(seed(terms, meter, wager))
        notes = [per] if wager not in (None, base) else []
        notes += [] if listed or "seed" in terms.given else ["an example, to be set by the house"]
        text += f" ({'; '.join(notes)})" if notes else ""
        lines.append(TextLine(f"The {meter} meter starts at {text}.", cite(basis)))
    return lines


def _envy_lines(terms: Terms) -> list[TextLine]:
    table = terms.table(ENVY)
    if table is None or table.name != terms.tables.get("progressive"):
        return []
    wager, base = terms.progressive_amount[0], table.base.value if table.base else None
    scale = (wager, base) if wager and base else (1, 1)
    words = wording(terms.rulebook)
    paid = {}
    for row in table.rows:
        if isinstance(row.pays, Flat):
            amount = payment_text(scaled(row.pays, scale), words)
            per = (
                f" ({spoken(row.pays.amount)} per {spoken(base)} of the wager)"
                if base and wager != base
                else ""
            )
            paid[f"{hand(row.when)} {amount}{per}"] = basis_of(row, table)
    return [TextLine(f"Envy for another player's hand: {', '.join(paid)}.", cite(*paid.values()))]
