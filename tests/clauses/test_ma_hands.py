"""Massachusetts, sections 1 and 5: hand classes, and which of two hands is higher."""

from itertools import combinations

import pytest
from _pytest.mark.structures import ParameterSet

from houseway.cards import cards
from houseway.rules import loader
from houseway.rules.rulebook import Ranking


def ranking() -> Ranking:
    """The ranking of section 5."""
    return loader.load("uth-ma").ranking


def called(hand: str) -> str:
    """The class of the best five of some cards."""
    evaluator = ranking().evaluator
    return evaluator.name(evaluator.strength(cards(hand)))


def strength(hand: str) -> int:
    """The strength of a hand: greater is higher, equal ties."""
    return ranking().evaluator.strength(cards(hand))


ONE_OF_EACH = (
    "As Ks Qs Js Ts",
    "9s 8s 7s 6s 5s",
    "2c 2d 2h 2s 3c",
    "2c 2d 2h 3s 3c",
    "7h 5h 4h 3h 2h",
    "Ah 2c 3d 4s 5h",
    "2c 2d 2h 4s 3c",
    "3c 3d 2h 2s 4c",
    "2c 2d 5h 4s 3c",
    "7c 5d 4h 3s 2c",
)


@pytest.mark.clause("MA-5.b", "MA-1.rank")
@pytest.mark.parametrize(("higher", "lower"), list(combinations(ONE_OF_EACH, 2)))
def test_each_class_beats_every_later_one(higher: str, lower: str) -> None:
    assert strength(higher) > strength(lower)


@pytest.mark.clause("MA-1.hand")
def test_a_hand_is_the_best_five_of_seven() -> None:
    assert called("Qh 4h Ah 9h 6h Kc 2d") == "flush"
    assert strength("Qh 4h Ah 9h 6h Kc 2d") == strength("Ah Qh 9h 6h 4h")


@pytest.mark.clause("MA-1.community")
def test_all_five_community_cards_may_be_used() -> None:
    assert called("2c 2d As Ks Qd Jc Th") == "straight"
    assert strength("2c 2d As Ks Qd Jc Th") == strength("As Ks Qd Jc Th")


def case(clause: str, one: str, other: str) -> ParameterSet:
    """A case that shows a clause of section 5."""
    return pytest.param(one, other, marks=pytest.mark.clause(clause), id=f"{one} | {other}")


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        case("MA-5.b.1", "As Ks Qs Js Ts 4d 4c", "royal flush"),
        case("MA-5.b.1", "As Ks Qs Js Td 4d 4c", "straight"),
        case("MA-5.b.2", "As 2s 3s 4s 5s Kd Kc", "straight flush"),
        case("MA-5.b.3", "9c 9d 9h 9s 4d Kc 2s", "four of a kind"),
        case("MA-5.b.4", "Kh 3d Ks Kd 7c 7h 2s", "full house"),
        case("MA-5.b.5", "Qh 4h Ah 9h 6h Kc 2d", "flush"),
        case("MA-5.b.6-a", "Jc Td 9s 8h 7d Kc 2c", "straight"),
        case("MA-5.b.7", "7c 7d 7s Kh 9d 4c 2s", "three of a kind"),
        case("MA-5.b.8", "Ac 3d As 2h 2d 9c 7s", "two pair"),
        case("MA-5.b.9", "Qc 3s Qd 9s 7h 4c 2d", "pair"),
    ],
)
def test_hands_have_the_names_of_section_5(hand: str, name: str) -> None:
    assert called(hand) == name


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        case("MA-5.b.2", "Ks Qs Js Ts 9s", "Qh Jh Th 9h 8h"),
        case("MA-5.b.2", "6s 5s 4s 3s 2s", "As 2s 3s 4s 5s Kd Kc"),
        case("MA-5.b.3", "Tc Td Th Ts 2c", "9c 9d 9h 9s 4d Kc 2s"),
        case("MA-5.b.3", "Ac Ad Ah As 2c", "Kc Kd Kh Ks Qc"),
        case("MA-5.b.4", "3c 3d 3h 2s 2c", "2c 2d 2h As Ac"),
        case("MA-5.b.4", "Ac Ad Ah Ks Kc", "Kc Kd Kh As Ac"),
        case("MA-5.b.5", "Ah Kh Qh Jh 9h", "As Ks Qs Js 8s"),
        case("MA-5.b.5", "8h 5h 4h 3h 2h", "7s 5s 4s 3s 2s"),
        case("MA-5.b.6-a", "Jc Td 9s 8h 7d Kc 2c", "6c 5d 4s 3h 2c"),
        case("MA-5.b.6-a", "Jc Td 9s 8h 7d Kc 2c", "Ah 2c 3d 4s 5h"),
        case("MA-5.b.6-a", "Ac Kd Qs Jh Tc", "Kc Qd Js Th 9c"),
        case("MA-5.b.7", "Ac Ad Ah 3s 2c", "Kc Kd Kh As Qc"),
        case("MA-5.b.8", "Ac Ad 2h 2s 3c", "Kc Kd Qh Qs Jc"),
        case("MA-5.b.9", "3c 3d 6h 5s 4c", "2c 2d Ah Ks Qc"),
    ],
)
def test_within_a_class_the_defining_ranks_decide(higher: str, lower: str) -> None:
    assert called(higher) == called(lower)
    assert strength(higher) > strength(lower)


@pytest.mark.clause("MA-5.b.3", "MA-5.b.7")
def test_the_highest_kickers_complete_four_and_three_of_a_kind() -> None:
    assert strength("9c 9d 9h 9s 4d Kc 2s") == strength("9c 9d 9h 9s Kc")
    assert strength("7c 7d 7s Kh 9d 4c 2s") == strength("7c 7d 7s Kh 9d")
    assert (called("9c 9d 9h 9s Kc"), called("7c 7d 7s Kh 9d")) == ("four of a kind", "three of a kind")


@pytest.mark.clause("MA-5.a-a")
def test_cards_rank_from_ace_down_to_two() -> None:
    order = ranking().card_order
    assert order is not None
    assert (order.value, order.clause()) == ("AKQJT98765432", "MA-5.a-a")
    assert strength("Ac Qd 9h 7s 4c") > strength("Kc Qh Jd 9c 7h")


@pytest.mark.clause("MA-5.a-b")
def test_an_ace_completes_two_to_five() -> None:
    low_ace = ranking().low_ace
    assert low_ace is not None
    assert (low_ace.value, low_ace.clause()) == (True, "MA-5.a-b")
    assert called("Ah 2c 3d 4s 5h Kc Kd") == "straight"
    assert strength("Ah 2c 3d 4s 5h Kc Kd") < strength("6h 2c 3d 4s 5h Kc Kd")


@pytest.mark.clause("MA-5.b.6-b")
def test_an_ace_does_not_wrap_around_in_a_straight() -> None:
    low_ace = ranking().low_ace
    assert low_ace is not None
    assert "MA-5.b.6-b" in low_ace.basis.all
    assert called("Qh Kd Ac 2s 3h 7d 9c") == "high card"
    assert strength("Qh Kd Ac 2s 3h 7d 9c") == strength("Ac Kd Qh 9c 7d")


@pytest.mark.clause("MA-1.suit")
def test_no_suit_ranks_above_another() -> None:
    equal = ranking().suits_equal
    assert equal is not None
    assert (equal.value, equal.clause()) == (True, "MA-1.suit")
    assert strength("Ah Qh 9h 6h 4h") == strength("As Qs 9s 6s 4s")
    assert len({strength(f"A{s} K{s} Q{s} J{s} T{s}") for s in "cdhs"}) == 1


@pytest.mark.clause("MA-1.rank")
def test_hands_rank_in_the_order_of_section_5() -> None:
    assert ranking().order == (
        "royal flush",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
        "two pair",
        "pair",
        "high card",
    )
    assert strength("Ac Ad 9h 7s 4c") == strength("Ah As 9d 7c 4s")


@pytest.mark.clause("MA-5.c-a")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("Ac Ad Qh 9s 7c", "Ah As Qd 9c 5h", id="the last kicker"),
        pytest.param("Kc Kd Kh 2s 2c", "Qc Qd Qh As Ac", id="the three before the unshared ace"),
        pytest.param("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac", id="the straight before the unshared ace"),
        pytest.param("9c 9d 9h 9s Kc", "9c 9d 9h 9s 4d", id="the card beside four of a kind"),
        pytest.param("7c 7d 7s Kh 9d", "7c 7d 7s Kh 8d", id="the second card beside three"),
        pytest.param("Kc Kd Qh Qs Ac", "Kh Ks Qc Qd Jc", id="the card beside two pairs"),
        pytest.param("Ac Qd 9h 7s 4c", "Ad Qh 9s 7c 3d", id="no listed hand, the fifth card"),
    ],
)
def test_kickers_decide_within_the_same_defining_ranks(higher: str, lower: str) -> None:
    rule = ranking().kickers
    assert rule is not None
    assert rule.value == "same class and defining ranks first, then the highest card not shared"
    assert rule.clause() == "MA-5.c-a"
    assert strength(higher) > strength(lower)
