"""Chips: amounts made of chips, sums of stacks, colour changes, and the tray of a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.training.chips import TRAY, change, make, total, tray_values, unknown_chips
from training.sessions import Session


@pytest.mark.parametrize(
    ("amount", "stack"),
    [
        (2250, {500: 4, 100: 2, 50: 1}),
        (50, {50: 1}),
        (150_050, {100_000: 1, 50_000: 1, 50: 1}),
        (0, {}),
        (1234, {500: 2, 100: 2, 1: 34}),
    ],
)
def test_an_amount_is_made_of_the_largest_chips(amount: int, stack: dict[int, int]) -> None:
    assert make(TRAY, amount) == stack


def test_chips_that_do_not_divide_each_other_still_make_the_amount() -> None:
    # $40 is two $20 chips, although a $25 chip fits first.
    assert make((2500, 2000), 4000) == {2000: 2}
    assert make((700, 500), 1900) == {700: 2, 500: 1}
    # The $5 chip is a multiple of the $2.50 chip, but $6 needs three $2 chips.
    assert make((500, 250, 200), 600) == {200: 3}
    assert make((4, 3, 2), 5) == {3: 1, 2: 1}


@given(st.sets(st.integers(2, 12), min_size=1, max_size=4), st.integers(0, 60))
def test_any_chips_leave_as_few_cents_as_possible(values: set[int], amount: int) -> None:
    payable = {0}
    for cents in range(1, amount + 1):
        if any(cents - value in payable for value in values):
            payable.add(cents)
    stack = make(tuple(values), amount)
    assert total(stack) == amount
    assert stack.get(1, 0) == amount - max(payable)


def test_a_tray_that_would_need_a_huge_table_still_makes_the_amount() -> None:
    assert make((10**8, 10**8 - 1), 10**9) == {10**8 - 1: 10, 1: 10}


@given(st.integers(0, 10**8))
def test_the_chips_of_an_amount_sum_to_it(amount: int) -> None:
    stack = make(TRAY, amount)
    assert total(stack) == amount
    assert set(stack) <= {*TRAY, 1}
    # Only cents below the smallest chip are left over.
    assert stack.get(1, 0) < min(TRAY)


def test_colouring_up_keeps_the_sum() -> None:
    assert change(TRAY, {500: 5, 100: 5}) == {2500: 1, 500: 1}
    assert change(TRAY, {50: 3}) == {100: 1, 50: 1}


def test_chips_of_another_table_are_noticed() -> None:
    assert unknown_chips(TRAY, {500: 2, 2000: 1, 700: 0}) == (2000,)


def test_the_tray_has_the_chips_that_the_house_chose() -> None:
    chosen = Session(
        "uth-proc", "device", 1, given={"mode": "device", "house": {"chip_values": "20, 5, 0.25"}}
    )
    assert tray_values(chosen.table) == (2000, 500, 25)
    assert tray_values(Session("uth-sd", "manual", 1).table) == TRAY
