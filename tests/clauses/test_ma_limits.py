"""Massachusetts, 10(e) and 13(d): the most one hand may be paid, and the posted limits."""

from typing import Any

import pytest

from houseway.engine.settle_json import Window
from houseway.testing import SettledRound, refused, round_of, settled

BETS: dict[str, Any] = {"hole": "Ah Kh", "ante": "120", "blind": "120", "trips": "20", "play": 4}


def royal(minimum: str, **given: Any) -> SettledRound:
    """A royal flush with $120 on ante and blind, $480 on the play and $20 on trips."""
    limits = {"ante": {"min": minimum}}
    return settled("uth-ma", "Qh Jh Th 2c 2d", "9s 9d", limits=limits, **{**BETS, **given})


def cuts(paid: SettledRound) -> list[tuple[str | None, str, str, str]]:
    """Clause, limit, amount due and amount paid."""
    return [(c.clause, c.limit, c.due, c.paid) for c in paid.settlement.caps]


@pytest.mark.clause("MA-10.e")
def test_base_wagers_of_a_hand_pay_fifty_thousand_at_most() -> None:
    paid = royal("10")
    assert cuts(paid) == [("MA-10.e", "50000.00", "61600.00", "50000.00")]
    assert paid.seat_net() == "50000.00"
    # In the order of settlement: the ante is paid in full, the blind is paid in part, and for play and
    # trips only the stakes are returned.
    assert [paid.net(w) for w in ("ante", "blind", "play", "trips")] == [
        "120.00",
        "49880.00",
        "0.00",
        "0.00",
    ]


@pytest.mark.clause("MA-10.e")
def test_a_minimum_of_100_raises_the_limit() -> None:
    paid = royal("100", trips="100")
    assert cuts(paid) == [("MA-10.e", "55500.00", "65600.00", "55500.00")]
    assert paid.seat_net() == "55500.00"


@pytest.mark.clause("MA-10.e")
def test_each_hand_has_its_own_limit() -> None:
    first = {"hole": "Ah Kh", "ante": "120", "play": 4}
    second = {"hole": "9h 8h", "ante": "120", "play": 4}
    paid = settled("uth-ma", "Qh Jh Th 2c 2d", "9s 9d", first, second)
    # The royal is cut, the straight flush beside it is paid in full: 120 + 6,000 + 480.
    assert (paid.seat_net(1), paid.seat_net(2)) == ("50000.00", "6600.00")


@pytest.mark.clause("MA-13.d")
def test_all_bets_but_the_progressive_pay_seventy_five_thousand_at_most() -> None:
    side: dict[str, Any] = {"cover_all": "150", "progressive": "5", "mode": "device"}
    paid = royal("10", meters={"main": "100000"}, **side)
    assert cuts(paid) == [
        ("MA-10.e", "50000.00", "61600.00", "50000.00"),
        ("MA-13.d", "75000.00", "80000.00", "75000.00"),
    ]
    assert (paid.net("cover_all"), paid.line("cover_all").cut) == ("25000.00", "5000.00")
    assert (paid.net("progressive"), paid.line("progressive").cut) == ("99995.00", None)


@pytest.mark.clause("MA-13.d")
def test_seventy_five_thousand_is_the_limit_even_with_a_high_minimum() -> None:
    paid = royal("200", ante="250", blind="250", trips="200")
    assert [c[:2] for c in cuts(paid)] == [("MA-10.e", "111000.00"), ("MA-13.d", "75000.00")]
    assert paid.seat_net() == "75000.00"


@pytest.mark.clause("MA-13.d", "MA-10.e")
@pytest.mark.parametrize(("minimum", "warnings"), [("135", 0), ("136", 1)])
def test_a_minimum_above_135_is_accepted_with_a_warning(minimum: str, warnings: int) -> None:
    about = {"limits": {"ante": {"min": minimum}}}
    data = round_of("uth-ma", "Qh Jh Th 2c 2d", "9s 9d", hole="Ah Kh", ante="136", play=4, **about)
    terms, wrong = Window().terms("uth-ma", data)
    assert wrong == []
    listed = terms.warnings
    assert len(listed) == warnings
    assert all("MA-13.d" in sentence for sentence in listed)


def test_the_house_sets_its_posted_limits() -> None:
    seat = {"hole": "As Ah", "play": 1}
    limits = {"ante": {"min": "10", "max": "100"}}
    for ante, code in (("9.99", "below-minimum"), ("100.01", "above-maximum")):
        reasons = refused("uth-ma", "Qd 9s 7h 4c 2d", "Qc 3s", {**seat, "ante": ante}, limits=limits)
        assert [(r.code, r.clause) for r in reasons] == [(code, "house.posted_limits")] * 2
    for ante in ("10", "100"):
        paid = settled("uth-ma", "Qd 9s 7h 4c 2d", "Qc 3s", {**seat, "ante": ante}, limits=limits)
        assert paid.net("ante") == f"{ante}.00"
