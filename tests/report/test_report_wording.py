"""The wording of odds, the clauses every line cites, and whether every format can be read."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from houseway.engine.terms import read_terms
from houseway.money import payment
from houseway.report import html_page
from houseway.report.comparison import comparison
from houseway.report.dealers_script import dealers_script
from houseway.report.document import Bullets, Document, Heading, SheetTable, TextLine
from houseway.report.payment_words import payment_text
from houseway.rules.compare import compare
from houseway.rules.loader import all_clauses, load, rulebook_ids

SHEETS = ("card", "layout", "signs", "placard")
ID = re.compile(r"\b(?:SD|CARD|PROC|TS|MA)-[\w.-]*\w")
FOR = re.compile(r"\d for\b|\bfor (?:\d|\$)")
SETTING = re.compile(r"house\.(\w+)")


class PageReader(HTMLParser):
    """Reads a page: open tags, attributes and the text outside the style sheet."""

    VOID = frozenset({"meta", "br", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} closed out of order")

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        """The text a reader of the page sees."""
        return " ".join(" ".join(self.words).split())


def every_sheet(make_sheet: Any, ref: str) -> list[Document]:
    return [make_sheet(ref, name) for name in SHEETS]


@pytest.mark.clause("MA-10.a")
def test_massachusetts_sheets_never_state_odds_with_for(make_sheet: Any, formats: Any) -> None:
    for sheet in every_sheet(make_sheet, "uth-ma"):
        for name, text in formats(sheet).items():
            assert not FOR.search(text), (sheet.title, name)
    for text in formats(make_sheet("uth-ma")).values():
        assert "win 300 times the wager; the wager is not returned" in text


def test_south_dakota_sheets_state_odds_with_for_as_the_document_does(
    make_sheet: Any, formats: Any
) -> None:
    for text in formats(make_sheet("uth-sd", "placard")).values():
        assert "300 for 1" in text


@pytest.mark.parametrize(
    ("pays", "wording", "words"),
    [
        ("3 to 2", "to or win", "3 to 2"),
        ("3,000 to 1", "to and for", "3,000 to 1"),
        ("300 for 1", "to and for", "300 for 1"),
        ("300 for 1", "to", "300 for 1"),
        ("300 for 1", "to or win", "win 300 times the wager; the wager is not returned"),
        ("1 for 1", "to or win", "win the wager; the wager is not returned"),
        ("3 for 2", "to or win", "win 1.5 times the wager; the wager is not returned"),
        ("4 for 3", "to or win", "win 1 1/3 times the wager; the wager is not returned"),
        ("10 % of main", "to or win", "10 % of the main meter"),
        ("$1,000", "to", "$1,000"),
        ("push", "to", "pushes"),
    ],
)
def test_a_payment_is_printed_in_the_wording_of_the_rulebook(pays: str, wording: str, words: str) -> None:
    assert payment_text(payment(pays), wording) == words


@pytest.mark.parametrize("ref", rulebook_ids())
def test_every_clause_and_setting_printed_exists(ref: str, make_sheet: Any, formats: Any) -> None:
    known, house = all_clauses(), load(ref).house
    for sheet in every_sheet(make_sheet, ref):
        for text in formats(sheet).values():
            cited = set(ID.findall(text))
            assert cited <= set(known), cited - set(known)
            named = set(SETTING.findall(text)) - {"NAME"}
            assert named <= set(house), named - set(house)


@pytest.mark.parametrize("ref", rulebook_ids())
def test_every_line_of_a_rules_card_has_its_clause(ref: str, make_sheet: Any) -> None:
    for block in make_sheet(ref).blocks:
        if isinstance(block, Bullets):
            assert all(line.clause for line in block.lines), block
        if isinstance(block, SheetTable):
            last = block.columns[-1].clauses and all(row[-1] for row in block.rows)
            assert last or (block.foot and all(block.foot)), block


@pytest.mark.parametrize("ref", rulebook_ids())
def test_a_rules_card_shows_every_rule(ref: str, make_sheet: Any) -> None:
    book, card = load(ref), make_sheet(ref)
    heads = [block.text for block in card.blocks if isinstance(block, Heading)]
    assert [wager.title for wager in book.wagers.values()] == [
        head for head in heads if head in {wager.title for wager in book.wagers.values()}
    ]
    tables = [block for block in card.blocks if isinstance(block, SheetTable)]
    (options,) = [t for t in tables if t.columns[0].title == "parameter"]
    assert len(options.rows) == len(book.options)


@pytest.mark.parametrize("ref", rulebook_ids())
def test_pages_are_well_formed_and_load_nothing_from_the_network(ref: str, make_sheet: Any) -> None:
    for sheet in (*every_sheet(make_sheet, ref), compared(ref, "uth-ma")):
        text = html_page.text(sheet)
        reader = PageReader()
        reader.feed(text)
        reader.close()
        assert text.startswith("<!DOCTYPE html>")
        assert not reader.faults
        assert not reader.open
        assert not reader.tags & {"link", "script", "img", "iframe", "object"}
        assert not reader.attributes & {"src", "href", "srcset", "data", "onclick", "style"}
        assert not re.search(r"https?:|url\(|@import|//", text)
        assert sheet.title in reader.text


def test_text_is_escaped(formats: Any) -> None:
    sheet = Document("a < b & <i>c</i>", "", (SheetTable((), ()),))
    assert "<h1>a &lt; b &amp; &lt;i&gt;c&lt;/i&gt;</h1>" in formats(sheet)["html"]
    assert formats(sheet)["markdown"].startswith("# a \\< b & \\<i\\>c\\</i\\>\n")


@pytest.mark.parametrize("ref", rulebook_ids())
def test_terminal_sheets_fit_eighty_columns(ref: str, make_sheet: Any, formats: Any) -> None:
    for sheet in (*every_sheet(make_sheet, ref), compared(ref, "uth-sd"), compared("shootout-sd", ref)):
        lines = formats(sheet)["terminal"].splitlines()
        assert max(map(len, lines)) <= 80
        assert not any("…" in line for line in lines)


def compared(one: str, other: str) -> Document:
    a, b = load(one), load(other)
    return comparison(a, b, compare(a, b), everything=True)


def test_an_irregularity_reads_as_a_phrase() -> None:
    script = dealers_script(read_terms(load("uth-ma"), {})[0])
    heads = {row[0] for block in script.blocks if isinstance(block, SheetTable) for row in block.rows}
    assert "exposed dealer card, before all players have acted" in heads
    assert "second or later face-up card, after all hands are dealt" in heads
    assert "wrong number of board cards" in heads


def test_a_comparison_explains_the_dash_for_a_missing_value() -> None:
    def legend(other: str) -> str:
        a, b = load("uth-ma"), load(other)
        line = comparison(a, b, compare(a, b), everything=True).blocks[0]
        assert isinstance(line, TextLine)
        return line.text

    assert "–: the rulebook has no such parameter" in legend("uth-sd")
    assert "–:" not in legend("uth-ma")
