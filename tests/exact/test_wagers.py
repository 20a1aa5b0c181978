"""The value of wagers on the player's own hand, counted over every possible hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from exact.games import terms, terms_of, with_row
from houseway.cards import DECK, codes
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.exact import UnsolvableError, hand_class_counts
from houseway.exact.hand_class_counts import class_counts
from houseway.exact.wager_prices import wagers
from houseway.exact.wager_values import WagerValue
from houseway.money import payment
from houseway.ranking import read
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook

SEVEN = {
    "royal flush": 4_324, "straight flush": 37_260, "four of a kind": 224_848, "full house": 3_473_184,
    "flush": 4_047_644, "straight": 6_180_020, "three of a kind": 6_461_620, "two pair": 31_433_400,
    "pair": 58_627_800, "high card": 23_294_460,
}  # fmt: skip
FIVE = [4, 36, 624, 3_744, 5_108, 10_200, 54_912]
# The pay tables as the documents print them, from the royal flush down to three of a kind.
PRINTED = {
    1: (50, 40, 30, 9, 7, 4, 3),
    2: (50, 40, 30, 8, 6, 5, 3),
    3: (50, 40, 30, 8, 7, 4, 3),
    4: (50, 40, 20, 7, 6, 5, 3),
}
EDGES = {1: "0.901835", 2: "1.904049", 3: "3.497937", 4: "6.180824"}
TABLES = {
    "uth-ma": {"A": 1, "B": 2, "C": 3, "D": 4},
    "uth-proc": {"A": 1, "B": 2, "C": 3, "D": 4},
    "uth-sd": {"UTH-01": 1, "UTH-02": 2, "UTH-03": 3, "UTH-04": 4},
    "uth-card": {"CARD": 2},
}
HOUSEWAY = load("uth-card").ranking.order


def trips(book: Rulebook) -> dict[str, WagerValue]:
    """Return the values of trips only, because the other wagers of a rulebook take long."""
    alone = {name: wager for name, wager in book.wagers.items() if not wager.group.on_whole_table}
    return dict(wagers(terms_of(replace(book, wagers=alone)))["trips"])


def test_the_counts_of_each_class_are_the_published_ones() -> None:
    assert class_counts(HOUSEWAY, 7) == tuple(SEVEN.values())
    assert list(class_counts(HOUSEWAY, 5)[:7]) == FIVE
    assert (sum(class_counts(HOUSEWAY, 5)), sum(class_counts(HOUSEWAY, 6))) == (2_598_960, 20_358_520)


@pytest.mark.parametrize(("name", "planted"), [("OTHER_SUITS", 4), ("FLUSH", 6)])
def test_a_miscounted_flush_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str, planted: int) -> None:
    monkeypatch.setattr(hand_class_counts, name, planted)
    assert class_counts.__wrapped__(HOUSEWAY, 7) != tuple(SEVEN.values())


def test_hands_are_counted_by_the_rulebooks_own_order_of_classes() -> None:
    # Three of a kind ranks above a full house, so seven cards with three alike get that name.
    order = ("royal flush", "three of a kind", "full house", "four of a kind", "flush", "pair", "high card")
    counts = class_counts(order, 7)
    assert sum(counts) == 133_784_560
    rng, deals = Random("orders"), 2_500
    seen = dict.fromkeys(order, 0)
    for _ in range(deals):
        seen[read(rng.sample(DECK, 7), order).name] += 1
    for name, ways in zip(order, counts, strict=True):
        expected = deals * ways / 133_784_560
        assert abs(seen[name] - expected) <= 4 * max(expected, 1) ** 0.5


@pytest.mark.parametrize("ref", TABLES)
def test_trips_has_its_published_edge_under_each_table(ref: str) -> None:
    prices = trips(load(ref))
    assert list(prices) == list(TABLES[ref])
    for name, number in TABLES[ref].items():
        value = prices[name]
        pays = dict(zip(SEVEN, PRINTED[number], strict=False))
        nets = {hand: Fraction(pays.get(hand, -1)) for hand in SEVEN}
        assert {case.hand: (case.ways, case.net) for case in value.cases} == {
            hand: (SEVEN[hand], nets[hand]) for hand in SEVEN
        }
        assert (value.deals, value.hits) == (133_784_560, sum(SEVEN[hand] for hand in pays))
        mean = sum(SEVEN[hand] * net for hand, net in nets.items()) / 133_784_560
        assert value.value == mean == -value.edge == value.returned - 1
        assert value.variance == sum(SEVEN[h] * (n - mean) ** 2 for h, n in nets.items()) / 133_784_560
        assert f"{float(100 * value.edge):.6f}" == EDGES[number]
        assert (value.hash, value.table) == (load(ref).hash, name)


def test_a_changed_row_changes_the_edge_by_its_probability() -> None:
    book = load("uth-card")
    table = book.tables["trips"]["CARD"]
    better = tuple(
        replace(row, pays=payment("6 to 1")) if row.when["hand"] == "straight" else row
        for row in table.rows
    )
    tables = {**book.tables, "trips": {"CARD": replace(table, rows=better)}}
    edges = [trips(each)["CARD"].edge for each in (book, replace(book, tables=tables))]
    assert edges[0] - edges[1] == Fraction(SEVEN["straight"], 133_784_560)


def test_a_side_bet_in_a_new_rulebook_is_priced_without_new_code(tmp_path: Path) -> None:
    guide = Path(__file__).parents[2].joinpath("docs/side-bets.md").read_text(encoding="utf-8")
    file = tmp_path / "lucky.toml"
    file.write_text(guide.split("```toml file=lucky.toml\n")[1].split("```")[0], encoding="utf-8")
    book = load(str(file))
    own = {name: wager for name, wager in book.wagers.items() if not wager.group.on_whole_table}
    value = wagers(terms_of(replace(book, wagers=own)))["lucky_flush"]["lucky_flush"]
    assert value.hits == SEVEN["flush"]
    assert value.value == Fraction(13 * SEVEN["flush"], 133_784_560) - 1


def test_wagers_that_push_or_do_not_return_the_stake_are_priced() -> None:
    book, hits = load("uth-card"), sum(list(SEVEN.values())[:7])
    loses, pushes = (trips(each)["CARD"].value for each in (book, with_row(book, "trips", {}, "push")))
    assert pushes - loses == 1 - Fraction(hits, 133_784_560)
    # A wager whose odds are in its own rows has no pay table, so it is listed under its own name.
    without_stake = trips(with_row(book, "trips", {"hand": "three of a kind or better"}, "5 for 1"))[
        "trips"
    ]
    assert without_stake.returned == Fraction(5 * hits, 133_784_560)


@pytest.mark.parametrize("ref", TABLES)
def test_settlement_pays_the_outcomes_that_were_priced(ref: str) -> None:
    rng, window = Random(f"trips {ref}"), Window()
    values = trips(load(ref))
    seen = set()
    for _ in range(400):
        shown = rng.sample(DECK[rng.choice([0, 24, 32]) :], 9)
        name, value = rng.choice(list(values.items()))
        seat = {
            "seat": 1,
            "hole": codes(shown[:2]),
            "ante": "5",
            "trips": "5",
            "play": rng.choice([0, 1]),
        }
        tables = {} if ref == "uth-card" else {"tables": {"trips": name}}
        data = {
            "rulebook": ref,
            "board": codes(shown[2:7]),
            "dealer": codes(shown[7:]),
            "seats": [seat],
        }
        settled = window.settle({**data, **tables})
        assert isinstance(settled, Settlement)
        net = next(Fraction(line.net) for line in settled.lines if line.wager == "trips")
        hand = settled.hands[0].reads
        assert next(case.net for case in value.cases if case.hand == hand) == net / 5
        seen.add(hand)
    assert len(seen) >= 7


def test_a_game_with_several_decks_is_refused() -> None:
    with pytest.raises(
        UnsolvableError, match=r"shootout-sd is dealt from 6 decks; only one deck can be counted"
    ):
        wagers(terms("shootout-sd"))


def test_the_error_for_a_missing_row_names_the_hand() -> None:
    book = load("uth-card")
    old = book.wagers["trips"]
    book = replace(book, wagers={**book.wagers, "trips": replace(old, pays=old.pays[:1])})
    with pytest.raises(
        UnsolvableError, match=r"uth-card: trips has no row for hand two pair, made no royal; add one"
    ):
        wagers(terms_of(book))
