"""Layout sheets, signs and placards that a table must show, each with the clause that requires it."""

from __future__ import annotations

from typing import Final

from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.report import document as d
from houseway.report import rules_card as card
from houseway.report.pay_tables import in_use, schedules
from houseway.report.round_rules import round_lines
from houseway.report.wager_sheets import wager_blocks
from houseway.rules.compare.cases import metered, tables_of
from houseway.rules.compare.value_words import bounds_in_words, called, cite, setting_in_words
from houseway.rules.posted_limits import largest_play
from houseway.rules.rulebook import Posting, Rulebook
from houseway.rules.wagers import Shape, Wager
from houseway.wording import capital

SHEETS: Final = {
    "layout": ("Layout sheet", ("layout",), "printed on the layout"),
    "signs": ("Table signs", ("sign",), "posted on a sign"),
    "placard": ("Placards and table cards", ("placard", "card"), "put on a placard or a table card"),
}
"""Each sheet's title, the places it covers, and a phrase for its content."""


def sheet(terms: Terms, name: str) -> d.Document:
    """Return one of the sheets that a table must post."""
    book = terms.rulebook
    title, places, must = SHEETS[name]
    postings = [p for p in book.postings if p.where in places]
    blocks: list[d.Block] = []
    if not postings:
        blocks.append(d.TextLine(f"This rulebook requires nothing to be {must}."))
    elif name == "layout":
        blocks += _position(book)
    for posting in postings:
        blocks += _posting(terms, posting)
    return card.make_document(book, f"{title}: {book.title}", blocks)


def _posting(terms: Terms, posting: Posting) -> list[d.Block]:
    """Return an item to post, below the words of the clause that requires it."""
    book = terms.rulebook
    quoted = posting.basis.deciding and posting.shows != "cap"
    says = " ".join(book.known[clause].says for clause in posting.basis.deciding if clause in book.known)
    lines = [d.TextLine(says, cite(posting.basis))] if quoted else []
    return [d.Heading(_title(book, posting)), *lines, *_content(terms, posting)]


def _title(book: Rulebook, posting: Posting) -> str:
    wager = _wager_of(book, posting.shows)
    subject = "the rules card" if posting.shows == "all" else posting.shows.replace("_", " ")
    return wager.title if wager else capital(subject)


def _wager_of(book: Rulebook, kind: str) -> Wager | None:
    """Return the wager that has pay tables of this kind, or that has this name."""
    readers = (w for w in book.wagers.values() if any(t.kind == kind for t in tables_of(book, w).values()))
    return next(readers, book.wagers.get(kind))


def _content(terms: Terms, posting: Posting) -> list[d.Block]:
    book, shows = terms.rulebook, posting.shows
    wager = _wager_of(book, shows)
    if shows == "limits":
        return _limits(terms)
    if shows == "house_way" and book.house_way:
        return card.house_way_blocks(book.house_way)[1:]
    if shows == "cap":
        return [d.Bullets(tuple(card.cap_lines(terms)))]
    if shows == "all":
        lines = d.Bullets(tuple(round_lines(book)))
        wagers = [block for w in book.wagers.values() for block in wager_blocks(terms, w)]
        return [lines, *wagers, d.Bullets(tuple(card.limit_lines(terms)))]
    if shows in book.house:
        return [_setting(terms, shows)]
    if wager is not None and shows in book.tables:
        return _schedule(terms, posting, wager)
    return []


def _schedule(terms: Terms, posting: Posting, wager: Wager) -> list[d.Block]:
    """Return the odds in use or, if the layout shows only the spot, a line on where they are posted."""
    book = terms.rulebook
    others = [p for p in book.postings if p.shows == posting.shows and p.where != posting.where]
    if posting.where == "layout" and others:
        text = f"The layout has only the spot; the odds are posted on a {others[0].where}."
        return [d.TextLine(text, cite(others[0].basis))]
    tables = list(in_use(terms, wager, chosen=True).values())
    blocks = _chosen(terms, posting.shows)
    if len(tables) > 1 and f"{posting.shows}_table" in book.house:
        return [*blocks, d.TextLine("No pay table has been chosen, so there are no odds to post.")]
    return [*blocks, *schedules(terms, wager, chosen=True)]


def _chosen(terms: Terms, kind: str) -> list[d.TextLine]:
    """Return a line that names the pay table in use and says if the house chose it."""
    setting = terms.rulebook.house.get(f"{kind}_table")
    name = terms.tables.get(kind)
    if setting is None or name is None:
        return []
    chosen = kind in terms.named_tables or f"{kind}_table" in terms.given
    unchosen = "an example; the house must choose one" if setting.default is None else "the default"
    origin = "chosen by the house" if chosen else unchosen
    return [d.TextLine(f"Pay table {name} ({origin}).", cite(setting.basis))]


def _setting(terms: Terms, name: str) -> d.TextLine:
    setting, value = terms.rulebook.house[name], terms.house(name)
    if value is None:
        sentence = f"{setting.about} The house has not set this yet, so there is nothing to post."
    else:
        sentence = f"{setting_in_words(setting, value)}. {setting.about}"
    return d.TextLine(sentence, cite(setting.basis))


def _limits(terms: Terms) -> list[d.Block]:
    book = terms.rulebook
    rows: list[tuple[str, ...]] = []
    for name, wager in book.wagers.items():
        if wager.group.on_other_hands:
            continue
        text, clause = bounds_in_words(terms.bounds[name]), cite(book.limit_basis)
        if wager.later:
            text = f"up to {largest_play(book)} times the ante"
            clause = cite(*(stage.sizes.basis for stage in book.stages if stage.sizes))
        elif metered(book, wager):
            text, clause = _metered(terms, clause)
        elif wager.amount:
            text, clause = spoken(wager.amount.value), cite(wager.amount.basis)
        elif wager.equals:
            clause = cite(wager.equals.basis)
        rows.append((called(book, name), text, clause))
    unset = "The house must set these limits and post them before the table opens."
    missing = [] if terms.limits or book.limits else [d.TextLine(unset, cite(book.limit_basis))]
    return [*missing, d.clause_table("wager", "limits", rows=rows), *card.bet_limit_lines(book)]


def _metered(terms: Terms, clause: str) -> tuple[str, str]:
    """Return the price of the progressive and its clause."""
    amount, fixed = terms.progressive_amount
    if amount is None:
        return "set by the house", clause
    table = terms.tables.get("progressive")
    offered = "" if "progressive" in terms.named_tables else f", if table {table} is chosen"
    return f"{spoken(amount)}{offered}", fixed or clause


def _position(book: Rulebook) -> list[d.Block]:
    """Return the betting spots of one position, as drawn on the layout."""
    spots, rows = [], []
    for wager in book.wagers.values():
        if wager.group.on_other_hands:
            continue
        shape = wager.shape(metered=metered(book, wager))
        spots.append(d.LayoutSpot(wager.title, shape, joined=wager.equals is not None))
        rows.append((wager.title, _MARKED[shape], cite(wager.basis)))
    seats = book.options.get("seats")
    text = f"Each of the {book.seats} positions has these spots, from the player's left."
    return [
        d.TextLine(text, cite(seats.basis if seats else None)),
        d.Spots(tuple(spots)),
        d.clause_table("spot", "drawn as", rows=rows),
    ]


_MARKED: Final[dict[Shape, str]] = {
    "circle": "a circle: a wager against the dealer",
    "diamond": "a diamond: a side bet",
    "sensor": "a sensor: the progressive",
}
