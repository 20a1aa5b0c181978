"""The rules card: what a player, a dealer or a regulator wants to read, each line with its clause."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.report.document import (
    Block,
    Bullets,
    Document,
    Heading,
    Line,
    Paragraph,
    clause_table,
)
from houseway.report.round import round_lines
from houseway.report.wager_sheets import wager_blocks
from houseway.rules.compare.words import (
    approval_in_words,
    bounds_in_words,
    called,
    cap_in_words,
    cite,
    in_words,
    limit_in_words,
    setting_in_words,
)
from houseway.rules.house_way import HouseWay
from houseway.rules.options import options_of
from houseway.rules.rulebook import Rulebook
from houseway.rules.settings import Setting

LEGEND = (
    "The clause stands at the end of each line: two clauses divided by a stroke are for cards dealt by "
    "hand and by device; (filled) is a silence filled from another document; house.NAME is a house "
    "setting; silent means that no document speaks."
)


def rules_card(terms: Terms, wager: str | None = None) -> Document:
    """The whole card of a rulebook under some terms, or what it says of one wager."""
    book = terms.rulebook
    if wager is not None:
        only = wager_blocks(terms, book.wagers[wager])
        return Document(book.title, subtitle(book), tuple(only), foot(book))
    blocks: list[Block] = [
        Paragraph(Line(LEGEND)),
        Heading("How a round goes"),
        Bullets(tuple(round_lines(book))),
        Heading("The wagers"),
        *(block for wager in book.wagers.values() for block in wager_blocks(terms, wager)),
        *_section("Limits", [*limit_lines(terms), *cap_lines(terms), *approval_lines(book)]),
        *_settlement(book),
        *_ranking(book),
        *(house_way_blocks(book.house_way) if book.house_way else ()),
        *_parameters(book),
        *_house(terms),
        *_postings(book),
    ]
    return Document(book.title, subtitle(book), tuple(blocks), foot(book))


def subtitle(book: Rulebook) -> str:
    """Where the rules come from."""
    clause = cite(book.source.basis)
    return book.source.value if clause == "silent" else f"{book.source.value} [{clause}]"


def foot(book: Rulebook) -> tuple[str, ...]:
    """Which text of which rulebook a sheet was made from."""
    return (f"Rulebook {book.id}; what a clause says: houseway clause ID.", f"sha256 {book.hash}")


def _section(title: str, lines: list[Line]) -> list[Block]:
    return [Heading(title), Bullets(tuple(lines))] if lines else []


def limit_lines(terms: Terms) -> list[Line]:
    """What may be wagered: fixed by the document, posted by the house, bound for each customer."""
    book = terms.rulebook
    lines = []
    for name, limit in book.limits.items():
        bases = [said.basis for said in (limit.minima, limit.maximum) if said]
        lines.append(Line(f"{book.wagers[name].title}: {limit_in_words(limit)}.", cite(*bases)))
    for name, bounds in terms.limits.items():
        text = f"{called(book, name).capitalize()}, as posted: {bounds_in_words(bounds)}."
        lines.append(Line(text, cite(book.limit_basis)))
    if not book.limits and not terms.limits:
        lines.append(Line("The house posts the least and the most of each wager.", cite(book.limit_basis)))
    if book.bet_limit:
        text = f"No customer may have more than {spoken(book.bet_limit.amount)} at risk."
        lines.append(Line(text, cite(book.bet_limit.posted, book.bet_limit.wagered)))
    return lines


def cap_lines(terms: Terms) -> list[Line]:
    """What one hand's winnings may come to at most."""
    book = terms.rulebook
    lines = []
    for cap in book.caps:
        value = terms.house(cap.setting) if cap.setting else None
        said = f", which is {spoken(value) if value else 'not set'}" if cap.setting else ""
        text = f"One hand's winnings stop at {cap_in_words(book, cap)}{said}."
        lines.append(Line(text, cite(cap.basis)))
    return lines


def approval_lines(book: Rulebook) -> list[Line]:
    """Who must be asked before a payment."""
    return [Line(f"To approve: {approval_in_words(book, a)}.", cite(a.basis)) for a in book.approvals]


def _settlement(book: Rulebook) -> list[Block]:
    rows: list[tuple[str, ...]] = []
    for n, walk in enumerate(book.settlement, 1):
        made = [f"{name.replace('_', ' ')} is {in_words(value)}" for name, value in walk.when.items()]
        hands = f"hands: {', '.join(walk.hands)}" + (f"; when {' and '.join(made)}" if made else "")
        rows.append((str(n), f"{walk.name} ({hands})", cite(walk.basis)))
        if walk.direction:
            rows.append(("", walk.direction.value, cite(walk.direction.basis)))
        rows += [("", f"– {called(book, step.wager)}", cite(step.basis)) for step in walk.steps]
    return [Heading("Order of settlement"), clause_table("", "walk and wagers", rows=tuple(rows))]


def _ranking(book: Rulebook) -> list[Block]:
    rows = []
    for n, ranked in enumerate(book.ranking.classes, 1):
        within = f", ranks as {ranked.within}" if ranked.within else ""
        rows.append((str(n), ranked.name + within, cite(ranked.basis)))
    rows += [("", text, clause) for text, clause in _comparing(book)]
    return [Heading("What beats what"), clause_table("", "hand", rows=tuple(rows))]


def _comparing(book: Rulebook) -> Iterator[tuple[str, str]]:
    ranking = book.ranking
    if ranking.card_order:
        yield f"cards: {' '.join(ranking.card_order.value)}", cite(ranking.card_order.basis)
    if ranking.low_ace:
        low = "also" if ranking.low_ace.value else "never"
        yield f"an ace is {low} the low card of a straight", cite(ranking.low_ace.basis)
    if ranking.suits_equal and ranking.suits_equal.value:
        yield "no suit is above another", cite(ranking.suits_equal.basis)
    if ranking.kickers:
        yield ranking.kickers.value, cite(ranking.kickers.basis)


def house_way_blocks(way: HouseWay) -> list[Block]:
    """The dealer's choice of two cards from four, line by line."""
    head = f"The house way: {way.name}, version {way.version}"
    clause = cite(way.basis)
    intro = Line("The dealer keeps two of four cards: the first line that any two of them fill.", clause)
    rows = tuple((str(n), line.text, clause) for n, line in enumerate(way.lines, 1))
    return [Heading(head), Paragraph(intro), clause_table("", "the dealer keeps", rows=rows)]


def _parameters(book: Rulebook) -> list[Block]:
    rows = []
    for option in options_of(book.game):
        said = book.options.get(option.name)
        if said is not None:
            value = in_words(said.value, option.name, book.modes)
            rows.append((option.title, value, cite(said.basis)))
    return [Heading("Parameters"), clause_table("parameter", "value", rows=tuple(rows))]


def _house(terms: Terms) -> list[Block]:
    lines = [
        Line(f"{name}: {_value(terms, setting)}. {setting.about}", cite(setting.basis))
        for name, setting in terms.rulebook.house.items()
    ]
    return _section("House settings", lines)


def _value(terms: Terms, setting: Setting) -> str:
    """What holds, and whether the house has said so."""
    if setting.name in terms.given:
        return setting_in_words(setting, terms.given[setting.name])
    value = setting_in_words(setting, setting.assumed)
    if not setting.required:
        return value if setting.default is None else f"{value} unless the house says otherwise"
    return "to be set" if setting.assumed is None else f"to be set, such as {value}"


def _postings(book: Rulebook) -> list[Block]:
    rows = tuple((p.where, p.shows.replace("_", " "), cite(p.basis)) for p in book.postings)
    return [Heading("What the table posts"), clause_table("where", "what", rows=rows)] if rows else []
