"""South Dakota, Texas Shootout: source, decks and shoe, positions, the cut card, and the ranking."""

from itertools import pairwise
from typing import Any

import pytest

from houseway.cards import cards
from houseway.engine import commands as c
from houseway.ranking import read
from houseway.rules import loader
from houseway.testing import refused, settled
from table_driver import table

BOOK = "shootout-sd"
LOW = "Qd 9s 7h 4c 2d"
DEALER = "Kc Qs 8h 3c"
ACES: dict[str, Any] = {"cards": "As Ah Tc 8d", "hands": ["As Ah"], "wager": "10"}


def name_of(text: str) -> str:
    """The class of the best five of some cards."""
    evaluator = loader.load(BOOK).ranking.evaluator
    return evaluator.name(evaluator.strength(cards(text)))


def strength_of(text: str) -> int:
    """The strength of the best five of some cards."""
    return loader.load(BOOK).ranking.evaluator.strength(cards(text))


@pytest.mark.clause("TS-0-b")
def test_the_source_is_named_and_every_rule_rests_on_its_clauses() -> None:
    book = loader.load(BOOK)
    assert "20:18:16:15.08" in book.source.value
    assert book.source.clause() == "TS-0-b"
    own = [c for _, basis in book.bases() if not basis.filled for c in basis.deciding]
    assert own
    assert [c for c in own if c not in book.clauses] == []


@pytest.mark.clause("TS-20")
def test_one_other_section_does_not_apply() -> None:
    rule = loader.load(BOOK).options["excluded"]
    assert (rule.value, rule.clause()) == (["20:18:16:21"], "TS-20")


@pytest.mark.clause("TS-1-a")
@pytest.mark.parametrize("decks", [1, 5, 7])
def test_any_number_of_decks_but_six_is_refused(decks: int) -> None:
    (no,) = refused(BOOK, LOW, DEALER, **ACES, house={"decks": decks})
    assert (no.code, no.clause) == ("bad-setting", "TS-1-a")
    assert settled(BOOK, LOW, DEALER, **ACES, house={"decks": 6}).net("wager") == "10.00"


@pytest.mark.clause("TS-1-a")
def test_six_decks_hold_six_of_each_card() -> None:
    options = loader.load(BOOK).options
    assert (options["decks"].value, options["deck_standard"].value) == ([6], "standard decks of 52 cards")
    board = "Kd Kd Kd 3c 9s"
    six = settled(BOOK, board, "Kd Ah 4h 2c", cards="Kd Kd 7c 2s", hands=["Kd Kd"], wager="10")
    assert six.net("wager") == "10.00"
    (seven,) = refused(BOOK, board, "Kd Kd 4h 2c", cards="Kd Kd 7c 2s", hands=["Kd Kd"], wager="10")
    assert seven.code == "too-many-copies"


@pytest.mark.clause("TS-1-b")
def test_cards_are_dealt_from_a_shoe_and_not_a_device() -> None:
    rule = loader.load(BOOK).options["shoe"]
    assert (rule.value, rule.clause()) == (True, "TS-1-b")
    (no,) = refused(BOOK, LOW, DEALER, **ACES, mode="device")
    assert (no.code, no.clause) == ("unknown-mode", "TS-1-b")
    assert settled(BOOK, LOW, DEALER, **ACES, mode="manual").net("wager") == "10.00"


@pytest.mark.clause("TS-3-d")
@pytest.mark.parametrize(
    ("behind", "allowed"), [(39, False), (40, True), (52, True), (64, True), (65, False)]
)
def test_the_cut_card_is_about_52_cards_from_the_end(behind: int, allowed: bool) -> None:
    assert loader.load(BOOK).house["cut_card"].default == 52
    fields: dict[str, Any] = {**ACES, "house": {"cut_card": behind}}
    if allowed:
        assert settled(BOOK, LOW, DEALER, **fields).net("wager") == "10.00"
    else:
        (no,) = refused(BOOK, LOW, DEALER, **fields)
        assert (no.code, no.clause) == ("bad-setting", "TS-3-d")


@pytest.mark.clause("TS-4-b")
def test_the_licensee_decides_whether_a_player_may_play_two_hands() -> None:
    two: list[dict[str, Any]] = [
        {**ACES, "seat": 1, "player": "Ann"},
        {**ACES, "seat": 2, "player": "Ann"},
    ]
    for off in ({}, {"more_positions": False}):
        (no,) = refused(BOOK, LOW, DEALER, *two, house=off)
        assert (no.code, no.clause) == ("more-than-one-position", "TS-4-b")
    both = settled(BOOK, LOW, DEALER, *two, house={"more_positions": True})
    assert (both.net("wager", 1), both.net("wager", 2)) == ("10.00", "10.00")


@pytest.mark.clause("SD-1-c")
def test_the_states_bet_limit_counts_both_hands_of_a_split() -> None:
    pairs: dict[str, Any] = {"cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"]}
    board = "9h 4d 4s Kc 7s"
    (over,) = refused(BOOK, board, DEALER, **pairs, wager="480", bonus=["21", "20"])
    assert (over.code, over.clause) == ("bet-limit", "SD-1-c")
    assert "$1,001" in over.message
    assert settled(BOOK, board, DEALER, **pairs, wager="480", bonus=["20", "20"]).settlement
    posted: dict[str, Any] = {**ACES, "limits": {"wager": {"max": "450"}, "bonus": {"max": "50"}}}
    assert settled(BOOK, LOW, DEALER, **posted).net("wager") == "10.00"
    posted["limits"] = {"wager": {"max": "450"}, "bonus": {"max": "51"}}
    (above,) = refused(BOOK, LOW, DEALER, **posted)
    assert (above.code, above.clause) == ("limits-above-bet-limit", "SD-1-c")


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("limits", "where"),
    [
        ({"wager": {"min": "5"}}, "limits.wager"),
        ({"bonus": {"min": "1"}, "wager": {"max": "100"}}, "limits.bonus"),
    ],
)
def test_a_minimum_without_a_maximum_is_refused(limits: dict[str, Any], where: str) -> None:
    (no,) = refused(BOOK, LOW, DEALER, **ACES, limits=limits)
    assert (no.code, no.clause, no.where) == ("limits-open", "SD-1-c", where)


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("limits", "where"),
    [
        ({}, "limits.wager"),
        ({"wager": {"max": "100"}}, "limits.bonus"),
        ({"wager": {"max": "450"}, "bonus": {"max": "50"}}, None),
    ],
)
def test_a_table_opens_only_with_limits_that_keep_the_bet_limit(
    limits: dict[str, Any], where: str | None
) -> None:
    t = table(BOOK, open=False, limits=limits)
    opening = c.OpenTable(designated=("shootout",), examples=True)
    if where is None:
        t.send(opening)
        return
    no = t.refuses(opening)
    assert (no.code, no.clause, no.where) == ("limits-open", "SD-1-c", where)


LOWEST = [
    ("suited five of a kind", "2d 2d 2d 2d 2d"),
    ("straight flush", "5c 4c 3c 2c Ac"),
    ("five of a kind", "2d 2d 2d 2d 2c"),
    ("four of a kind", "2d 2d 2d 2d 3d"),
    ("full house", "2d 2d 2d 3d 3d"),
    ("flush", "3d 3d 2d 2d 4d"),
    ("straight", "5h 4c 3s 2c Ac"),
    ("three of a kind", "2h 2h 2d 4c 3d"),
    ("two pair", "3h 3h 2d 2d 4c"),
    ("pair", "2h 2h 5d 4c 3d"),
    ("high card", "Ah Kd Qs Jc 9h"),
]
"""The lowest hand of each class or one near it, best class first; of high cards the highest."""


@pytest.mark.clause("TS-14-a")
def test_each_of_the_eleven_classes_beats_every_class_after_it() -> None:
    assert [name_of(five) for _, five in LOWEST] == [name for name, _ in LOWEST]
    strengths = [strength_of(five) for _, five in LOWEST]
    assert all(one > other for one, other in pairwise(strengths))


@pytest.mark.clause("TS-14-a", "TS-14-b")
def test_a_royal_flush_is_only_the_highest_straight_flush() -> None:
    royal, king_high = "Ah Kh Qh Jh Th", "Kh Qh Jh Th 9h"
    assert strength_of("2d 2d 2d 2d 2d") > strength_of(royal) > strength_of(king_high)
    assert strength_of(king_high) > strength_of("Ad Ad Ad Ad Ac")


@pytest.mark.clause("TS-14-b")
def test_the_lowest_straight_flush_is_five_high() -> None:
    five_high = "As 2s 3s 4s 5s Kd Kc"
    seven_high = "6h 7h 3h 4h 5h Kd Kc"
    assert (name_of(five_high), name_of(seven_high)) == ("straight flush", "straight flush")
    assert strength_of(seven_high) > strength_of("6h 2h 3h 4h 5h Kd Kc") > strength_of(five_high)


@pytest.mark.clause("TS-14-c")
def test_an_ace_is_high_or_low_in_a_straight_and_never_between() -> None:
    hand = read(cards("As 2d 3s 4h 5c Kd Kc"), loader.load(BOOK).ranking.order)
    assert (hand.name, str(hand.cards[0])) == ("straight", "5c")
    assert name_of("As 2d 3s 4h 5c Kd Kc") == "straight"
    assert name_of("Qs Kd As 2h 3c 7d 8c") == "high card"
    ace_high, six_high = "As Kd Qc Jh Tc 2d 2h", "6s 5d 4c 3h 2c Kd Kh"
    assert strength_of(ace_high) > strength_of(six_high) > strength_of("As 2d 3s 4h 5c Kd Kc")


@pytest.mark.clause("TS-14-d")
def test_five_of_a_kind_is_suited_when_it_is_five_times_one_card() -> None:
    assert name_of("Kd Kd Kd Kd Kd 3c 9s") == "suited five of a kind"
    assert name_of("8c 8d 8h 8s 8s Kc 2d") == "five of a kind"


@pytest.mark.clause("TS-14-d")
def test_a_flush_may_hold_pairs_and_compares_rank_by_rank() -> None:
    assert name_of("Ks Ks 9s 9s 2s") == "flush"
    assert name_of("Ks Ks Ks 9s 9s") == "full house"
    assert name_of("Ks Ks Ks Ks 9s") == "four of a kind"
    assert name_of("Ks Ks Ks Ks Ks") == "suited five of a kind"
    assert strength_of("As Qs 9s 7s 4s") > strength_of("Ks Ks 9s 9s 2s") > strength_of("Ks Qs Js Ts 8s")
