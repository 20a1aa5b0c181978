"""The par sheet: its figures are the published ones, its page is complete, its formats agree."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import houseway
from counted import SEVEN_OF_312
from houseway.exact import Outcomes, outcomes, solve
from houseway.exact.shootout import BestPlay, ShootoutSolution, SideBet
from houseway.report.sheet import Entry, Sheet, html, par_sheet, sheet_data, shootout, ultimate
from houseway.report.sheet.figures import against, chances, decimal, digits, money, net, root
from houseway.rules.loader import load
from report.conftest import terms_of
from report.sheets import fractions, page, parsed, rows, sheet, words

DEALS = 27_813_810_024_000
ULTIMATE = ["uth-ma", "uth-sd", "uth-card", "uth-proc"]


def measure(par_sheet: Sheet, name: str) -> Fraction:
    return next(m.value for m in par_sheet.measures if m.name == name)


def entries_of(par_sheet: Sheet, wager: str) -> dict[str, Entry]:
    return {e.table: e for e in par_sheet.of(wager)}


def percent(value: Fraction | None, places: int) -> str:
    assert value is not None
    return f"{100 * float(value):.{places}f}"


# --- published figures ---


@pytest.mark.parametrize("ref", ULTIMATE)
def test_the_main_game_has_its_published_measures(ref: str) -> None:
    par_sheet = sheet(ref)
    assert measure(par_sheet, "value") == Fraction(-50_643_648_973, 2_317_817_502_000)
    assert percent(measure(par_sheet, "edge"), 4) == "2.1850"
    assert percent(measure(par_sheet, "edge_per_initial_bet"), 4) == "1.0925"
    assert percent(measure(par_sheet, "element_of_risk"), 5) == "0.52622"
    assert f"{float(measure(par_sheet, 'average_bet')):.12f}" == "4.152209545741"
    assert f"{float(measure(par_sheet, 'variance')):.9f}" == "24.396673538"
    assert par_sheet.deals == DEALS
    assert {name: percent(share, 4) for name, share in par_sheet.actions} == {
        "4x": "37.7074", "2x": "21.2846", "1x": "21.8221", "fold": "19.1858",
    }  # fmt: skip


def test_ante_blind_and_play_add_up_to_the_game() -> None:
    par_sheet = sheet()
    parts = {name: entries_of(par_sheet, name)[""] for name in ("ante", "blind", "play")}
    assert sum(e.made * e.value for e in parts.values()) == measure(par_sheet, "value")
    assert sum(e.made * e.staked for e in parts.values()) == measure(par_sheet, "average_bet")
    assert [e.ways for e in parts.values()] == [DEALS, DEALS, DEALS - sum(folds(par_sheet))]
    # The play wager's value is the game's value minus those of ante and blind, divided by the average play wager.
    rest = measure(par_sheet, "value") - parts["ante"].value - parts["blind"].value
    assert parts["play"].returned == 1 + rest / (measure(par_sheet, "average_bet") - 2)
    # The first matching line decides: a fold first, then a dealer who does not qualify.
    assert [line.when for line in parts["ante"].lines][:2] == [
        "the player folds",
        "the dealer does not qualify",
    ]
    assert [line.when for line in parts["play"].lines][-3:] == [
        f"{n}x, the player's hand wins" for n in (4, 2, 1)
    ]
    # The blind is paid by its table, from the best hand down.
    won = {line.when: line.ways for line in parts["blind"].lines if line.net > 0}
    assert list(won) == [
        f"the player's hand wins, {hand}"
        for hand in ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight")
    ]


def folds(par_sheet: Sheet) -> list[int]:
    return [
        line.ways for line in entries_of(par_sheet, "ante")[""].lines if line.when == "the player folds"
    ]


@pytest.mark.parametrize(
    ("ref", "names"), [("uth-ma", "ABCD"), ("uth-sd", ["UTH-01", "UTH-02", "UTH-03", "UTH-04"])]
)
def test_trips_has_its_published_edge_under_each_table(ref: str, names: str | list[str]) -> None:
    entries = entries_of(sheet(ref), "trips")
    edges = [percent(entries[name].edge, 6) for name in names]
    assert edges == ["0.901835", "1.904049", "3.497937", "6.180824"]
    assert list(entries) == list(names)
    hits = 4_324 + 37_260 + 224_848 + 3_473_184 + 4_047_644 + 6_180_020 + 6_461_620
    assert {e.hits for e in entries.values()} == {Fraction(hits, 133_784_560)}


@pytest.mark.parametrize(
    ("ref", "table", "fixed", "at_seed"),
    [
        ("uth-ma", "PTMGL01", "53.0569", "55.9812"),
        ("uth-ma", "PTMGL04", "53.0569", "54.5960"),
        ("uth-ma", "PTMGLML01", "53.0569", "55.9812"),
        ("uth-ma", "PTMGLML02", "47.9669", "56.8935"),
        ("uth-ma", "PTMGLML03", "45.8540", "54.7807"),
        ("uth-sd", "PMG-01", "53.0569", "55.9812"),
    ],
)
def test_a_progressive_has_its_published_fixed_part_and_return_at_seed(
    ref: str, table: str, fixed: str, at_seed: str
) -> None:
    entry = entries_of(sheet(ref), "progressive")[table]
    assert entry.metered is not None
    assert percent(entry.metered.fixed, 4) == fixed
    assert percent(entry.returned, 4) == at_seed


@pytest.mark.parametrize(("table", "even"), [("PTMGL01", "160530.53"), ("PTMGL04", "30500.80")])
def test_a_meter_without_envy_breaks_even_at_the_published_amount(table: str, even: str) -> None:
    metered = entries_of(sheet(), "progressive")[table].metered
    assert metered is not None
    assert metered.stake == 500
    # Published for a wager of one dollar; Massachusetts plays it with five.
    assert f"{float(metered.meters[0].break_even[0] / 5):.2f}" == even


def test_break_even_of_one_meter_depends_on_the_other() -> None:
    metered = entries_of(sheet(), "progressive")["PTMGLML01"].metered
    assert metered is not None
    major, minor = metered.meters
    for one, other in ((major.break_even[0], minor.seed), (major.seed, minor.break_even[0])):
        assert (4 * one + 36 * other) / 5 == 1_220_032


def test_envy_lowers_the_break_even_meter() -> None:
    par_sheet = sheet()
    envy = entries_of(par_sheet, "envy")["PTMGL01"]
    assert f"{float(envy.value):.6f}" == "0.005695"
    metered = entries_of(par_sheet, "progressive")["PTMGL01"].metered
    assert metered is not None
    assert metered.envy == envy.value
    meter = metered.meters[0]
    assert len(meter.break_even) == 6
    for others, even in enumerate(meter.break_even):
        assert metered.fixed + meter.worth * even / 5 + others * envy.value == 1


def test_a_seven_card_progressive_has_its_published_fixed_part() -> None:
    entry = entries_of(sheet("uth-sd"), "progressive")["UTHP-01"]
    assert entry.metered is not None
    # The published figure excludes the royal flush on the board, which pays 3,000 once in 649,740 deals.
    assert percent(entry.metered.fixed - Fraction(3_000, 649_740), 4) == "49.7304"
    assert all(len(m.break_even) == 1 for m in entry.metered.meters), "no envy, no other hands"


def test_cover_all_agrees_with_a_simulation() -> None:
    entries = entries_of(sheet(), "cover_all")
    simulated = {"2": 10.00, "3": 10.01, "4": 9.22, "5": 8.62, "6": 9.96, "7": 10.56}
    assert list(entries) == list(simulated)
    for hands, edge in simulated.items():
        # A billion deals, standard error up to 0.02 percent.
        assert abs(100 * float(entries[hands].edge or 0) - edge) < 0.08


def test_the_shootout_bonus_is_priced_from_the_frequencies_of_classes() -> None:
    total = sum(SEVEN_OF_312.values())
    classes = tuple((name, Fraction(n, total)) for name, n in SEVEN_OF_312.items())
    best = BestPlay(Fraction(-1, 30), Fraction(1, 100))
    bets = (("A", SideBet(Fraction(), Fraction())),)
    solved = ShootoutSolution(
        "shootout-sd", "", 1, best, best, best, (), (("any", Fraction(1)),), classes, bets, Fraction()
    )  # fmt: skip
    entries = list(shootout.entries(terms_of("shootout-sd"), solved))
    assert [(e.wager, e.table) for e in entries] == [
        ("wager", ""),
        ("bonus", "A"),
        ("bonus", "B"),
        ("envy", ""),
    ]
    # As the regulation prints them, from the suited five of a kind down to the straight.
    printed = {"A": (5000, 500, 100, 50, 5, 3, 2, 1), "B": (1000, 200, 75, 40, 7, 3, 2, 1)}
    counts = list(SEVEN_OF_312.values())
    for e in entries[1:3]:
        won = sum(n * odds for n, odds in zip(counts[:8], printed[e.table], strict=True))
        assert e.value == Fraction(won - sum(counts[8:]), total)
        squares = sum(n * odds**2 for n, odds in zip(counts[:8], printed[e.table], strict=True))
        assert e.variance == Fraction(squares + sum(counts[8:]), total) - e.value**2
        assert e.hits == Fraction(sum(counts[:8]), total)
    envy = sum(n * paid for n, paid in zip(counts[:4], (1000, 250, 50, 10), strict=True))
    assert entries[3].value == Fraction(envy, total)
    assert entries[0].edge == Fraction(1, 30)
    assert entries[0].variance is None


@pytest.mark.exhaustive
def test_texas_shootout_has_its_edge_and_every_starting_hand() -> None:
    par_sheet = sheet("shootout-sd")
    text = page("shootout-sd")
    assert percent(measure(par_sheet, "edge"), 4) == "2.9653"
    assert len(par_sheet.hands) == 182
    assert sum(share for _, share in par_sheet.lines) == 1
    # Every round plays one hand, and a split plays one more.
    assert sum(h.share for h in par_sheet.hands) == measure(par_sheet, "average_bet")
    assert "AAs" in text
    assert "not counted" in words(parsed(text))


# --- the page ---


def test_figures_are_rounded_once_and_half_to_even() -> None:
    assert decimal(Fraction(-50_643_648_973, 2_317_817_502_000), 6) == "−0.021850"
    assert [decimal(Fraction(n, 8), 2) for n in (1, 3, -1)] == ["0.12", "0.38", "−0.12"]
    assert decimal(Fraction(-1, 10**9), 4) == "0.0000"
    assert decimal(Fraction(1_234_567), 0) == "1,234,567"
    assert (money(Fraction(-5, 2)), money(Fraction(1_220_032))) == ("−$2.50", "$1,220,032.00")
    assert (net(Fraction(-5, 2)), net(Fraction(50)), net(Fraction(0))) == ("−2.5", "+50", "0")
    assert chances([Fraction(4, 2_598_960), Fraction(1, 2), Fraction()]) == [
        "0.000154 %", "50.000000 %", "0.000000 %",
    ]  # fmt: skip
    assert chances([Fraction(1, 3)]) == ["33.3333 %"]
    assert against(Fraction(4_324, 133_784_560)) == "30,939.00 to 1"
    assert against(Fraction(2_598_920, 2_598_960)) == "less than 0.01 to 1"
    assert against(Fraction(1)) == "0.00 to 1"
    assert against(Fraction(0)) == "never"
    assert digits(Fraction(-1, 3)) == "-0.333333333333"
    assert decimal(root(Fraction(24_396_673_537_660, 10**12)), 9) == "4.939298891"


@pytest.mark.parametrize("ref", ULTIMATE)
def test_figures_of_one_kind_have_the_same_number_of_decimal_places(ref: str) -> None:
    """Each column of one kind of figure has one number of decimal places, and none has fractions."""
    tree = parsed(page(ref))
    for table in tree.iter("table"):
        columns: dict[tuple[int, str], set[int]] = {}
        for row in table.findall("tbody/tr"):
            for n, text in enumerate(words(each) for each in row):
                kind = re.sub(r"[\d.,−+]", "", text)
                if kind in ("", " %", " to 1", " ¢", "$") and "." in text:
                    columns.setdefault((n, kind), set()).add(
                        len(re.sub(r"[^\d.]", "", text).partition(".")[2])
                    )
        assert all(len(places) == 1 for places in columns.values()), (words(table)[:60], columns)
    assert not re.search(r"\d / ?\d|\b1 (times|antes|others)\b", words(tree))


@pytest.mark.parametrize("ref", ULTIMATE)
def test_every_wager_of_the_rulebook_is_on_the_page(ref: str) -> None:
    book = load(ref)
    text = page(ref)
    listed = {(e.wager, e.table) for e in sheet(ref).entries}
    assert {wager for wager, _ in listed} == set(book.wagers)
    for kind, tables in book.tables.items():
        if kind in book.wagers and kind != "blind":
            assert {table for wager, table in listed if wager == kind} == set(tables)
    cells = {cell for row in rows(text) for cell in row}
    for wager in book.wagers.values():
        assert wager.title in cells
    assert {f"{t} hands" if kind == "cover_all" else t for kind, ts in book.tables.items() for t in ts if kind != "blind"} <= cells  # fmt: skip


def test_rows_of_the_summary_show_the_published_figures() -> None:
    row = next(row for row in rows(page()) if row[:2] == ["", "B"])
    assert row[2:6] == ["15.2700 %", "6.549", "98.0960 %", "1.9040 %"]
    envy = next(row for row in rows(page()) if row[:2] == ["Envy", "PTMGL01"])
    assert envy[4] == "0.5695 % of the wager per other hand"


def test_a_custom_side_bet_is_on_the_sheet(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs/side-bets.md"
    file = tmp_path / "lucky.toml"
    file.write_text(page.read_text("utf-8").split("```toml file=lucky.toml\n")[1].split("```")[0], "utf-8")
    par_sheet = sheet(str(file))
    lucky = entries_of(par_sheet, "lucky_flush")[""]
    # The side bet pays 12 to 1, for a flush only, counted over all seven-card hands.
    assert lucky.value == Fraction(13 * 4_047_644, 133_784_560) - 1
    assert "Lucky flush" in words(parsed(html.text(par_sheet)))


def test_the_page_is_complete_and_fetches_nothing() -> None:
    text = page()
    tree = parsed(text)
    assert tree.tag == "html"
    assert not re.search(r"https?:|//|<script|<link|<img|@import|url\(|\bon\w+=|src=|href=", text)
    assert {svg.get("role") for svg in tree.iter("svg")} == {"img"}
    assert all(svg.find("title") is not None for svg in tree.iter("svg"))
    for table in tree.iter("table"):
        sizes = {sum(int(c.get("colspan", "1")) for c in row) for row in table.iter("tr")}
        assert len(sizes) == 1, words(table)


def test_the_sources_of_the_sheet_are_on_it() -> None:
    tree = parsed(page())
    text = words(tree)
    assert load("uth-ma").hash in text
    assert f"houseway {houseway.__version__}" in text
    assert "27,813,810,024,000" in text
    assert "Prepared by" in text
    assert "Reviewed by" in text
    settings = {row[0]: row[1:3] for row in rows(page()) if len(row) == 4}
    assert settings["trips table"] == ["B", "example; the house must set it"]
    assert settings["rounding"] == ["down", "default"]
    assert "$50,000" in text, "the limit on a hand's winnings"


def test_the_same_input_gives_the_same_bytes() -> None:
    terms = terms_of("uth-ma")
    again = par_sheet(terms)
    assert html.text(again) == page()
    assert sheet_data.document(again) == sheet_data.document(sheet())
    assert "<dt>Date</dt>" not in page()
    dated = html.text(par_sheet(terms, date="2026-11-16"))
    assert dated.replace("<dt>Date</dt><dd>2026-11-16</dd>", "") == page()


def rounded(value: Fraction, text: str) -> str:
    """A fraction rounded to the decimal places of a text, computed with `decimal`."""
    share = text.endswith("%")
    cents = text.endswith("¢")
    bare = re.sub(r"[^\d.]", "", text)
    places = len(bare.partition(".")[2])
    with localcontext() as context:
        context.prec = 60
        scale = 100 if share else 100_000 if cents else 1
        exact = Decimal(value.numerator * scale) / Decimal(value.denominator)
        return str(abs(exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)))


@pytest.mark.parametrize("ref", ["uth-ma", "uth-sd"])
def test_json_and_page_agree(ref: str) -> None:
    document = sheet_data.document(sheet(ref))
    known = set(fractions(document))
    for wager in document["wagers"]:
        total = sum(int(line["ways"]) for line in wager["lines"])
        known |= {Fraction(int(line["ways"]), total) for line in wager["lines"]}
    known |= {Fraction(int(row["count"]), DEALS) for row in document["outcomes"]}
    shown = list(parsed(page(ref)).iter("data"))
    assert len(shown) > 150
    for element in shown:
        value, text = Fraction(element.get("value", "")), words(element)
        assert value in known, text
        assert re.sub(r"[^\d.]", "", text) == rounded(value, text), text
        assert ("−" in text) == (value < 0), text
    on_page = {Fraction(element.get("value", "")) for element in shown}
    assert {value for wager in document["wagers"] for value in fractions({k: wager[k] for k in ("hits", "edge", "variance")})} <= on_page  # fmt: skip


def test_the_csv_has_a_line_for_every_wager_and_pay_table() -> None:
    head, *lines = sheet_data.csv_text(sheet()).splitlines()
    columns = head.split(",")
    assert len(lines) == len(sheet().entries)
    trips = next(
        dict(zip(columns, line.split(","), strict=True)) for line in lines if line.startswith("trips,B")
    )
    assert trips["edge"][:10] == "0.01904049"
    assert Fraction(trips["return"]) + Fraction(trips["edge"]) == 1
    envy = next(
        dict(zip(columns, line.split(","), strict=True)) for line in lines if line.startswith("envy")
    )
    assert (envy["return"], envy["edge"]) == ("", "")


# --- charts ---


def best_with(hand: str) -> str:
    """The published best choice: 4x with pairs from threes, any ace, K2s, K5o, Q6s, Q8o, J8s or JTo, and better."""
    high, low = ("23456789TJQKA".index(card) for card in hand[:2])
    if high == low:
        return "4x" if high >= 1 else "check"
    suited = {"A": 0, "K": 0, "Q": 4, "J": 6}.get(hand[0])
    other = {"A": 0, "K": 3, "Q": 6, "J": 8}.get(hand[0])
    least = suited if hand.endswith("s") else other
    return "4x" if least is not None and low >= least else "check"


def squares(ref: str, number: int) -> dict[str, tuple[float, float, str, str]]:
    """The squares of a grid: the position of each hand, its text, its fill."""
    charts = [
        svg for svg in parsed(page(ref)).iter("svg") if "starting hand" in (svg.get("aria-label") or "")
    ]
    parts = [part for part in charts[number] if part.tag in ("rect", "text")]
    by_hand = {}
    for box, name, mark in zip(
        parts[0 : 169 * 3 : 3], parts[1 : 169 * 3 : 3], parts[2 : 169 * 3 : 3], strict=True
    ):
        place = float(box.get("x", "")), float(box.get("y", ""))
        by_hand[name.text or ""] = (*place, mark.text or "", box.get("fill", ""))
    return by_hand


def test_the_grid_shows_the_best_choice_for_every_hand() -> None:
    grid = squares("uth-ma", 0)
    assert len(grid) == 169
    assert {hand: mark for hand, (_, _, mark, _) in grid.items()} == {
        hand: best_with(hand) for hand in grid
    }
    for hand, (x, y, *_) in grid.items():
        assert (x > y * 52 / 28 + 5) == hand.endswith("s"), f"{hand}: suited above the diagonal"
    assert len({(mark, fill) for *_, mark, fill in grid.values()}) == 2, "one fill for each choice"


def test_the_grid_shows_the_cost_of_the_wrong_choice() -> None:
    grid = squares("uth-ma", 1)
    costs = {"K2s": "0.005", "J8s": "0.011", "Q6s": "0.022", "T9s": "0.020", "Q5s": "0.021", "K4o": "0.023"}
    assert {hand: grid[hand][2] for hand in costs} == costs
    assert min(float(mark) for _, _, mark, _ in grid.values()) == 0.005
    # A darker square never costs less.
    by_fill: dict[str, list[float]] = {}
    for _, _, mark, fill in grid.values():
        by_fill.setdefault(fill, []).append(float(mark))
    spans = sorted((min(marks), max(marks)) for marks in by_fill.values())
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_the_outcome_chart_shows_every_result() -> None:
    chart = next(
        s for s in parsed(page()).iter("svg") if s.get("aria-label") == "Distribution of net results"
    )
    labels = [t.text for t in chart.iter("text")]
    for brings in ("−6", "−2", "0", "+1", "+2.5", "+5", "+13", "+501", "+505"):
        assert brings in labels
    bars = [float(box.get("height", "")) for box in chart.iter("rect")]
    assert len(bars) == 31
    assert max(bars) == bars[4], "two antes are lost most often"


def test_the_closest_decisions_are_listed_first() -> None:
    calls = [row for row in rows(page()) if len(row) == 6 and row[1] in ("4x", "check")]
    assert [row[0] for row in calls] == ["K2s", "J8s", "T9s", "Q5s", "Q6s", "K4o"]
    assert [row[-1] for row in calls] == [
        "0.005413",
        "0.011068",
        "0.020316",
        "0.021212",
        "0.022046",
        "0.022797",
    ]


def test_a_missing_outcome_in_the_count_is_noticed() -> None:
    """A planted bug: without some winning hands, the parts do not add up to the game."""
    terms = terms_of("uth-card")
    table = outcomes(solve(terms))

    def value(counted: Outcomes) -> Fraction:
        listed = [e for e in ultimate.entries(terms, counted) if e.wager in ("ante", "blind", "play")]
        return sum((e.made * e.value for e in listed), Fraction())

    assert value(table) == table.value
    counts = {name: tally.copy() for name, tally in table.counts.items()}
    counts["4x"][:, 2] = 0
    assert value(replace(table, counts=counts)) != table.value
