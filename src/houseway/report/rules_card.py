"""The rules card for players, dealers and regulators, each line with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.ranking.classes import KICKERS_RULE
from houseway.report import document as d
from houseway.report.payment_words import conditions
from houseway.report.round_rules import round_lines
from houseway.report.wager_sheets import wager_blocks
from houseway.rules.compare import value_words
from houseway.rules.compare.value_words import called, cite, in_words, setting_in_words
from houseway.rules.house_way import HouseWay
from houseway.rules.options import options_of
from houseway.rules.rulebook import Rulebook
from houseway.rules.settings import Setting
from houseway.wording import shown_name

LEGEND = (
    "Each line ends with its clause. If the clauses for dealing by hand and by device differ, both are "
    "given, in that order. (borrowed): the document has no clause on this, so the rule comes from another "
    "document. house.NAME: a house setting. silent: no document has a clause on this. In a wager's table, "
    "the first line that fits applies."
)
HANDS = (
    "standing: a hand that has not folded. held: a folded hand whose cards stay on the table because its "
    "trips wager is still to be settled."
)

POSTED_ON = {"layout": "the layout", "sign": "a sign", "placard": "a placard", "card": "the rules card"}
"""The places for postings, in words."""
POSTED = {
    "all": "all rules",
    "cap": "the limit on one hand's winnings",
    "max_payout": "the maximum payout",
    "limits": "the minimum and maximum of each wager",
    "house_way": "the house way",
    "envy": "the envy payments",
}
"""Postings that are not the pay table of a wager, in words."""


def rules_card(terms: Terms, wager: str | None = None) -> d.Document:
    """Return the rules card under these terms, or only its section on one wager."""
    book = terms.rulebook
    if wager is not None:
        return make_document(book, book.title, wager_blocks(terms, book.wagers[wager]))
    approvals = [
        d.TextLine(f"Approval by {value_words.approval_in_words(book, approval)}.", cite(approval.basis))
        for approval in book.approvals
    ]
    blocks: list[d.Block] = [
        d.TextLine(LEGEND),
        d.Heading("How a round is played"),
        d.Bullets(tuple(round_lines(book))),
        d.Heading("Wagers"),
        *(block for wager in book.wagers.values() for block in wager_blocks(terms, wager)),
        *_section("Limits", [*limit_lines(terms), *cap_lines(terms), *approvals]),
        *_settlement(book),
        *_ranking(book),
        *(house_way_blocks(book.house_way) if book.house_way else ()),
        *_parameters(book),
        *_house(terms),
        *_postings(book),
    ]
    return make_document(book, book.title, blocks)


def make_document(book: Rulebook, title: str, blocks: Iterable[d.Block]) -> d.Document:
    """Return a sheet with the source of the rules and the hash of the rulebook it is made from."""
    clause = cite(book.source.basis)
    source = f"Document: {book.source.value}" + ("" if clause == "silent" else f" [{clause}]")
    foot = (f"Rulebook {book.id}; to read a clause: houseway clause ID.", f"sha256 {book.hash}")
    return d.Document(title, source, tuple(blocks), foot)


def _section(title: str, lines: list[d.TextLine]) -> list[d.Block]:
    return [d.Heading(title), d.Bullets(tuple(lines))] if lines else []


def limit_lines(terms: Terms) -> list[d.TextLine]:
    """Return the limits on wagers: fixed by the document, posted by the house, or per customer."""
    book = terms.rulebook
    lines = []
    for name, limit in book.limits.items():
        bases = [part.basis for part in (limit.minima, limit.maximum) if part]
        text = f"{book.wagers[name].title}: {value_words.limit_in_words(limit)}."
        lines.append(d.TextLine(text, cite(*bases)))
    for name, bounds in terms.limits.items():
        text = f"{called(book, name).capitalize()}, as posted: {value_words.bounds_in_words(bounds)}."
        lines.append(d.TextLine(text, cite(book.limit_basis)))
    if not book.limits and not terms.limits:
        text = "The house posts the minimum and maximum of each wager."
        lines.append(d.TextLine(text, cite(book.limit_basis)))
    return lines + bet_limit_lines(book)


def bet_limit_lines(book: Rulebook) -> list[d.TextLine]:
    """Return the limit on one customer's total at risk, if the document has one."""
    limit = book.bet_limit
    if limit is None:
        return []
    text = f"No customer may have more than {spoken(limit.amount)} at risk."
    return [d.TextLine(text, cite(limit.posted, limit.wagered))]


def cap_lines(terms: Terms) -> list[d.TextLine]:
    """Return the limits on one hand's winnings."""
    book = terms.rulebook
    lines = []
    for cap in book.caps:
        value = terms.house(cap.setting) if cap.setting else None
        text = f"One hand can win at most {value_words.cap_in_words(book, cap)}."
        if cap.setting:
            on = f"on {value_words.named(book, cap.wagers)}"
            limit = f"limited to {spoken(value)}" if value else "not limited"
            source = (
                f" (house setting {cap.setting})" if value else f", unless the house sets {cap.setting}"
            )
            text = f"One hand's winnings {on} are {limit}{source}."
        lines.append(d.TextLine(text, cite(cap.basis)))
    return lines


def _settlement(book: Rulebook) -> list[d.Block]:
    rows: list[tuple[str, ...]] = []
    for n, walk in enumerate(book.settlement, 1):
        hands = f"hands: {', '.join(walk.hands)}" + _given(book, walk.when)
        rows.append((str(n), f"{shown_name(walk.name)} ({hands})", cite(walk.basis)))
        if walk.direction:
            rows.append(("", walk.direction.value, cite(walk.direction.basis)))
        if walk.unqualified:
            unqualified = f"{walk.unqualified.value}, if the dealer does not qualify"
            rows.append(("", unqualified, cite(walk.unqualified.basis)))
        for step in walk.steps:
            rows.append(("", f"– {called(book, step.wager)}{_given(book, step.when)}", cite(step.basis)))
    blocks: list[d.Block] = [d.Heading("Order of settlement")]
    if any("held" in walk.hands for walk in book.settlement):
        blocks.append(d.TextLine(HANDS))
    return [*blocks, d.clause_table("", "pass and wagers", rows=rows)]


def _given(book: Rulebook, when: Mapping[str, Any]) -> str:
    """The conditions of a pass or of a wager in it: "; if the house setting seats is “6”"."""
    made = [
        f"the house setting {name} is “{in_words(value)}”"
        if name in book.house
        else conditions({name: value})
        for name, value in when.items()
    ]
    return f"; if {', and '.join(made)}" if made else ""


def _ranking(book: Rulebook) -> list[d.Block]:
    rows = [
        (str(n), hand.name + (f", ranks as {hand.within}" if hand.within else ""), cite(hand.basis))
        for n, hand in enumerate(book.ranking.classes, 1)
    ]
    rows += [("", text, clause) for text, clause in _comparing(book)]
    return [d.Heading("Hand ranking"), d.clause_table("", "hand", rows=rows)]


def _comparing(book: Rulebook) -> Iterator[tuple[str, str]]:
    ranking = book.ranking
    if ranking.card_order:
        yield f"cards: {' '.join(ranking.card_order.value)}", cite(ranking.card_order.basis)
    if ranking.low_ace:
        low = "also" if ranking.low_ace.value else "never"
        yield f"an ace is {low} the low card of a straight", cite(ranking.low_ace.basis)
    if ranking.suits_equal and ranking.suits_equal.value:
        yield "all suits are equal", cite(ranking.suits_equal.basis)
    if ranking.kickers:
        yield KICKERS_RULE, cite(ranking.kickers.basis)


def house_way_blocks(way: HouseWay) -> list[d.Block]:
    """Return the house way, the list by which the dealer keeps two of four cards."""
    head, clause = f"The house way: {way.name}, version {way.version}", cite(way.basis)
    intro = (
        "Read the list from the top and stop at the first line that fits two of the dealer's cards: "
        "the dealer keeps those two."
    )
    rows = ((str(n), line.text, clause) for n, line in enumerate(way.lines, 1))
    return [d.Heading(head), d.TextLine(intro, clause), d.clause_table("", "the dealer keeps", rows=rows)]


def _parameters(book: Rulebook) -> list[d.Block]:
    rows = [
        (option.title, in_words(cited.value, option.name, book.modes), cite(cited.basis))
        for option in options_of(book.game)
        if (cited := book.options.get(option.name))
    ]
    return [d.Heading("Parameters"), d.clause_table("parameter", "value", rows=rows)]


def _house(terms: Terms) -> list[d.Block]:
    lines = [
        d.TextLine(f"{name}: {_value(terms, setting)}. {setting.about}", cite(setting.basis))
        for name, setting in terms.rulebook.house.items()
    ]
    return _section("House settings", lines)


def _value(terms: Terms, setting: Setting) -> str:
    """Return the value in use, with a note if the house has not set it."""
    if setting.name in terms.given:
        return setting_in_words(setting, terms.given[setting.name])
    value = setting_in_words(setting, setting.assumed)
    if not setting.required:
        return value if setting.default is None else f"{value} (the house may set another value)"
    return (
        "to be set by the house"
        if setting.assumed is None
        else f"to be set by the house, for example {value}"
    )


def _postings(book: Rulebook) -> list[d.Block]:
    rows = [(POSTED_ON[p.where], _posted(book, p.shows), cite(p.basis)) for p in book.postings]
    return [d.Heading("Postings"), d.clause_table("posted on", "what", rows=rows)] if rows else []


def _posted(book: Rulebook, shows: str) -> str:
    """Return words for what is posted: a name in `POSTED`, or the pay table of a wager."""
    if shows in POSTED:
        return POSTED[shows]
    return f"the {called(book, shows)} pay table" if shows in book.wagers else shows.replace("_", " ")
