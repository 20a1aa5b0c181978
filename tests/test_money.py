"""Money: dollars to cents and back, payments as printed, one rounding."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.money import (
    Cents,
    Flat,
    MoneyError,
    Odds,
    Payment,
    Share,
    cents,
    dollars,
    payment,
    rounded,
    spoken,
)


@pytest.mark.parametrize(
    ("text", "amount"), [("7.50", 750), ("$1,000", 100000), ("0", 0), ("5.5", 550), ("12,345.67", 1234567)]
)
def test_dollars_are_read_in_cents(text: str, amount: int) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize(
    "text", ["", "-5", "5.001", "1e3", "5,00", "five", ".5", "1,0000", " 5", "5.", "٥"]
)
def test_an_invalid_amount_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not an amount; write dollars"):
        cents(text)


@given(st.integers(min_value=0, max_value=10**12))
def test_text_round_trips(amount: int) -> None:
    assert cents(dollars(amount)) == amount == cents(spoken(amount))


def test_losses_and_signs() -> None:
    assert dollars(-1005) == "-10.05"
    assert spoken(-100050) == "-$1,000.50"
    assert spoken(100000) == "$1,000"


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("3 to 2", Odds(3, 2)),
        ("300 for 1", Odds(300, 1, keeps_stake=True)),
        ("3,000 to 1", Odds(3000, 1)),
        ("10 % of main", Share(10, "main")),
        ("100% of mega", Share(100, "mega")),
        ("$1,000", Flat(Cents(100000))),
        ("push", "push"),
        ("lose", "lose"),
    ],
)
def test_payments_are_read_as_printed(text: str, pays: Payment) -> None:
    assert payment(text) == pays


@pytest.mark.parametrize("text", ["3:2", "0 to 1", "3 to 0", "101 % of main", "1000", "win", "", "$5.001"])
def test_an_invalid_payment_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not a payment; write odds"):
        payment(text)


def test_odds_print_as_they_are_written() -> None:
    assert [str(payment(t)) for t in ("3 to 2", "300 for 1", "10 % of main", "$1,000")] == [
        "3 to 2",
        "300 for 1",
        "10 %",
        "$1,000",
    ]
    assert payment("3 to 2") == Odds(3, 2)
    assert Odds(3, 2).ratio == Fraction(3, 2)


@pytest.mark.parametrize(
    ("rounding", "half", "third"), [("down", 751, 33), ("nearest", 752, 33), ("up", 752, 34)]
)
def test_fractions_of_a_cent_are_rounded_by_the_house_setting(rounding: str, half: int, third: int) -> None:
    # 3 to 2 on $5.01 is 751.5 cents; a third of a dollar is 33.33 cents.
    assert rounded(501 * 3, 2, rounding) == half  # type: ignore[arg-type]
    assert rounded(100, 3, rounding) == third  # type: ignore[arg-type]
