"""The rules card as a message: sections with lines and tables, each with the clauses to open."""

from __future__ import annotations

from houseway.client import learn_messages as lm
from houseway.engine.terms import Terms
from houseway.report import document as d
from houseway.report.rules_card import FOR_STAFF, LEGEND, rules_card

NOT_CLAUSES = frozenset({"silent", ""})
"""Citations that name no clause: no document says anything on the point."""


def players_card(terms: Terms, table: str = "") -> lm.PlayersCard:
    """Return the rules card under these terms. `table` is the name of their table, if they have one."""
    document = rules_card(terms)
    sections: list[lm.CardSection] = []
    title, parts = "", list[lm.CardPart]()
    for block in (*document.blocks, d.Heading("")):
        if isinstance(block, d.Heading) and block.level == 1:
            if parts:
                sections.append(lm.CardSection(title, title in FOR_STAFF, _titled(parts)))
            title, parts = block.text, []
        elif not (isinstance(block, d.TextLine) and block.text == LEGEND):
            parts.append(_part(block))
    return lm.PlayersCard(
        rulebook=terms.rulebook.id,
        title=document.title,
        source=terms.rulebook.source.value,
        table=table,
        sections=tuple(sorted(sections, key=lambda one: one.for_staff)),
        hash=terms.rulebook.hash,
    )


def clause_ids(cited: str) -> tuple[str, ...]:
    """Return the clauses of a citation, without marks such as "(borrowed)".

    >>> clause_ids("MA-7.f.1-b / MA-9.a-c, SD-1-a (borrowed)")
    ('MA-7.f.1-b', 'MA-9.a-c', 'SD-1-a')
    """
    named = (one.partition(" (")[0].strip() for one in cited.replace(" / ", ", ").split(", "))
    return tuple(dict.fromkeys(one for one in named if one not in NOT_CLAUSES))


def _part(block: d.Block) -> lm.CardPart:
    match block:
        case d.Heading(text):
            return lm.CardPart(title=text)
        case d.TextLine():
            return lm.CardPart(lines=(_line(block),))
        case d.Bullets(lines):
            return lm.CardPart(lines=tuple(map(_line, lines)))
        case d.SheetTable():
            return _table(block)
    return lm.CardPart()


def _titled(parts: list[lm.CardPart]) -> tuple[lm.CardPart, ...]:
    """Return the parts of a section; a heading is joined with the part that follows it."""
    joined: list[lm.CardPart] = []
    title = ""
    for part in parts:
        if part.title:
            title = part.title
            continue
        joined.append(lm.CardPart(title, part.lines, part.columns, part.rows, part.foot))
        title = ""
    return tuple(joined)


def _line(line: d.TextLine) -> lm.CardLine:
    return lm.CardLine(line.text, clause_ids(line.clause))


def _table(table: d.SheetTable) -> lm.CardPart:
    shown = [n for n, column in enumerate(table.columns) if not column.clauses]
    cited = [n for n, column in enumerate(table.columns) if column.clauses]
    return lm.CardPart(
        columns=tuple(table.columns[n].title for n in shown),
        rows=tuple(
            lm.CardRow(
                tuple(row[n] for n in shown), tuple(one for n in cited for one in clause_ids(row[n]))
            )
            for row in table.rows
        ),
        foot=tuple(clause_ids(table.foot[n]) if n else () for n in shown) if table.foot else (),
    )
