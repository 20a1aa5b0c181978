"""What a table must show: layout sheets, signs and placards, each naming the clause that asks for it."""

from __future__ import annotations

from typing import Final

from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.report.document import (
    Block,
    Bullets,
    Document,
    Heading,
    Line,
    Paragraph,
    Shape,
    Spot,
    Spots,
    clause_table,
)
from houseway.report.pay_tables import in_use, schedules
from houseway.report.round import round_lines
from houseway.report.rules_card import cap_lines, foot, house_way_blocks, limit_lines, subtitle
from houseway.report.wager_sheets import wager_blocks
from houseway.rules.compare.cases import metered, tables_of
from houseway.rules.compare.words import bounds_in_words, called, cite, setting_in_words
from houseway.rules.posted import largest_play
from houseway.rules.reading import Basis
from houseway.rules.rulebook import Posting, Rulebook
from houseway.rules.wagers import Wager

SHEETS: Final = {
    "layout": ("Layout sheet", ("layout",), "printed on the layout"),
    "signs": ("Table signs", ("sign",), "posted on a sign"),
    "placard": ("Placards and table cards", ("placard", "card"), "put on a placard or a table card"),
}
"""Each sheet's title, the places it covers, and what its content must be."""


def sheet(terms: Terms, name: str) -> Document:
    """One of the sheets a table must post."""
    book = terms.rulebook
    title, places, must = SHEETS[name]
    postings = [p for p in book.postings if p.where in places]
    blocks: list[Block] = []
    if not postings:
        blocks.append(Paragraph(Line(f"By this rulebook nothing has to be {must}.")))
    elif name == "layout":
        blocks += _position(book)
    for posting in postings:
        blocks += _posting(terms, posting)
    return Document(f"{title}: {book.title}", subtitle(book), tuple(blocks), foot(book))


def _posting(terms: Terms, posting: Posting) -> list[Block]:
    book = terms.rulebook
    told = posting.basis.deciding and posting.shows != "cap"
    lines = [Line(_says(book, posting.basis), cite(posting.basis))] if told else []
    return [Heading(_title(book, posting)), *map(Paragraph, lines), *_content(terms, posting)]


def _title(book: Rulebook, posting: Posting) -> str:
    wager = _asking(book, posting.shows)
    what = "the rules card" if posting.shows == "all" else posting.shows.replace("_", " ")
    return wager.title if wager else what[:1].upper() + what[1:]


def _says(book: Rulebook, basis: Basis) -> str:
    """The clause that asks for it, in its own words."""
    return " ".join(book.known[clause].says for clause in basis.deciding if clause in book.known)


def _asking(book: Rulebook, kind: str) -> Wager | None:
    """The wager whose pay tables are of a kind, or that has the name."""
    readers = (w for w in book.wagers.values() if any(t.kind == kind for t in tables_of(book, w).values()))
    return next(readers, book.wagers.get(kind))


def _content(terms: Terms, posting: Posting) -> list[Block]:
    book, shows = terms.rulebook, posting.shows
    wager = _asking(book, shows)
    if shows == "limits":
        return _limits(terms)
    if shows == "house_way" and book.house_way:
        return house_way_blocks(book.house_way)[1:]
    if shows == "cap":
        return [Bullets(tuple(cap_lines(terms)))]
    if shows == "all":
        lines = Bullets(tuple(round_lines(book)))
        wagers = [block for w in book.wagers.values() for block in wager_blocks(terms, w)]
        return [lines, *wagers, Bullets(tuple(limit_lines(terms)))]
    if shows in book.house:
        return [_setting(terms, posting)]
    if wager is not None and shows in book.tables:
        return _schedule(terms, posting, wager)
    return []


def _schedule(terms: Terms, posting: Posting, wager: Wager) -> list[Block]:
    """The odds in use, or where they are posted if this place has the spot only."""
    book = terms.rulebook
    others = [p for p in book.postings if p.shows == posting.shows and p.where != posting.where]
    if posting.where == "layout" and others:
        text = f"The layout has the spot; the odds are posted on a {others[0].where}."
        return [Paragraph(Line(text, cite(others[0].basis)))]
    tables = list(in_use(terms, wager, chosen=True).values())
    blocks = [*map(Paragraph, _chosen(terms, posting.shows))]
    if len(tables) > 1 and f"{posting.shows}_table" in book.house:
        return [*blocks, Paragraph(Line("No pay table is chosen, so there are no odds to post."))]
    return [*blocks, *schedules(terms, wager, chosen=True)]


def _chosen(terms: Terms, kind: str) -> list[Line]:
    """Which of several tables is in use, and whether the house has said so."""
    setting = terms.rulebook.house.get(f"{kind}_table")
    name = terms.tables.get(kind)
    if setting is None or name is None:
        return []
    if kind in terms.named_tables or f"{kind}_table" in terms.given:
        return [Line(f"Pay table {name}, chosen by the house.", cite(setting.basis))]
    return [Line(f"Pay table {name}, until the house chooses one.", cite(setting.basis))]


def _setting(terms: Terms, posting: Posting) -> Paragraph:
    setting = terms.rulebook.house[posting.shows]
    value = terms.house(posting.shows)
    about = setting.about
    if value is None:
        return Paragraph(Line(f"Not set, so nothing is posted yet. {about}", cite(setting.basis)))
    return Paragraph(Line(f"{setting_in_words(setting, value)}. {about}", cite(setting.basis)))


def _limits(terms: Terms) -> list[Block]:
    book = terms.rulebook
    rows: list[tuple[str, ...]] = []
    for name, wager in book.wagers.items():
        if wager.group.on_other_hands:
            continue
        clause = cite(book.limit_basis)
        bounds = terms.bounds[name]
        text = bounds_in_words(bounds)
        if wager.group.against_dealer and wager.optional:
            text = f"up to {largest_play(book)} times the ante"
            clause = cite(*(stage.sizes.basis for stage in book.stages if stage.sizes))
        elif metered(book, wager):
            text, clause = _metered(terms, clause)
        elif wager.amount:
            text, clause = spoken(wager.amount.value), cite(wager.amount.basis)
        elif wager.equals:
            clause = cite(wager.equals.basis)
        rows.append((called(book, name), text, clause))
    blocks: list[Block] = [clause_table("wager", "limits", rows=tuple(rows))]
    if not terms.limits and not book.limits:
        text = "The limits are not set; no table opens before the house has posted them."
        blocks.insert(0, Paragraph(Line(text, cite(book.limit_basis))))
    if book.bet_limit:
        text = f"No customer may have more than {spoken(book.bet_limit.amount)} at risk."
        blocks.append(Paragraph(Line(text, cite(book.bet_limit.posted, book.bet_limit.wagered))))
    return blocks


def _metered(terms: Terms, clause: str) -> tuple[str, str]:
    """What the progressive costs, where it is offered."""
    amount, fixed = terms.progressive_amount
    if amount is None:
        return "as the house sets it", clause
    table = terms.tables.get("progressive")
    offered = "" if "progressive" in terms.named_tables else f", if table {table} is chosen"
    return f"{spoken(amount)}{offered}", fixed or clause


def _position(book: Rulebook) -> list[Block]:
    """One position as drawn on the layout."""
    spots, rows = [], []
    for wager in book.wagers.values():
        if wager.group.on_other_hands:
            continue
        shape: Shape = "sensor" if metered(book, wager) else "diamond"
        if wager.group.against_dealer:
            shape = "circle"
        spots.append(Spot(wager.title, shape, joined=wager.equals is not None))
        rows.append((wager.title, _MARKED[shape], cite(wager.basis)))
    said = book.options.get("seats")
    text = f"Every one of the {book.seats} positions has these spots, from the player's left."
    return [
        Paragraph(Line(text, cite(said.basis if said else None))),
        Spots(tuple(spots)),
        clause_table("spot", "drawn as", rows=tuple(rows)),
    ]


_MARKED: Final[dict[Shape, str]] = {
    "circle": "a circle: a wager against the dealer",
    "diamond": "a diamond: a side bet",
    "sensor": "a sensor: the progressive",
}
