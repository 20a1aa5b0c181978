"""Tests of `--set`: changing single values of a rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.engine.settle import settle
from houseway.engine.settle_json import read_round
from houseway.engine.terms import read_terms
from houseway.money import payment
from houseway.rules.changes import apply_changes
from houseway.rules.loader import RulebookError, load
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import Row

BOARD = "Qd Js Th 4c 2d"


def nets(changes: list[str], hole: str, dealer: str, board: str = BOARD, **seat: Any) -> dict[str, str]:
    """The net of each wager of one $10 hand under a changed rulebook."""
    book = apply_changes("uth-ma", changes)
    row = {"seat": 1, "hole": hole, "ante": "10", "play": 1, **seat}
    data = {"rulebook": book.id, "board": board, "dealer": dealer, "seats": [row]}
    terms, refused = read_terms(book, data)
    played, wrong = read_round(data, terms)
    assert [*refused, *wrong] == []
    return {line.wager: line.net for line in settle(terms, played).lines}


def line(book: Rulebook, kind: str, table: str, hand: str) -> Row:
    """A line of a pay table."""
    return next(row for row in book.tables[kind][table].rows if row.when == {"hand": hand})


STRAIGHT = ("Ah Kc", "9c 8s")
"""An ace-high straight against a queen-high straight."""
UNQUALIFIED = ("Ah Qc", "8c 3s")


def test_without_a_change_the_rulebook_pays_as_printed() -> None:
    assert nets([], *STRAIGHT) == {"ante": "10.00", "blind": "10.00", "play": "10.00"}


@pytest.mark.parametrize(
    ("change", "wager", "net"),
    [
        ("blind.straight=push", "blind", "0.00"),
        ("blind.straight=4 to 1", "blind", "40.00"),
        ("blind.straight = 3 to 2", "blind", "15.00"),
        ("play.win=2 to 1", "play", "20.00"),
        ("ante.straight=2 to 1", "ante", "20.00"),
    ],
)
def test_only_the_changed_payment_differs(change: str, wager: str, net: str) -> None:
    assert nets([change], *STRAIGHT) == {**nets([], *STRAIGHT), wager: net}


def test_a_class_the_pay_table_does_not_list_gets_a_row() -> None:
    assert nets([], *UNQUALIFIED)["blind"] == "0.00"
    assert nets(["blind.pair=1 to 1"], *UNQUALIFIED)["blind"] == "10.00"


def test_the_ante_against_an_unqualified_dealer_can_be_changed() -> None:
    assert nets([], *UNQUALIFIED)["ante"] == "0.00"
    assert nets(["ante.unqualified=lose"], *UNQUALIFIED)["ante"] == "-10.00"
    assert nets(["ante.unqualified=1 to 1"], *UNQUALIFIED)["ante"] == "10.00"


def test_the_qualifier_can_be_changed() -> None:
    pair = ("Ah Qc", "4d 3s")
    assert nets([], *pair)["ante"] == "10.00"
    assert nets(["qualifier=two-pair"], *pair)["ante"] == "0.00"
    assert nets(["qualifier=none"], *UNQUALIFIED)["ante"] == "10.00"


def test_one_pay_table_or_all_tables_of_a_wager_can_be_changed() -> None:
    b = apply_changes("uth-ma", ["trips.B.flush=9 to 1"])
    every = apply_changes("uth-ma", ["trips.flush=9 to 1"])
    nine = payment("9 to 1")
    assert {line(every, "trips", name, "flush").pays for name in every.tables["trips"]} == {nine}
    assert line(b, "trips", "B", "flush").pays == nine
    assert b.tables["trips"]["A"].rows == load("uth-ma").tables["trips"]["A"].rows


def test_play_sizes_are_set_by_street_name() -> None:
    book = apply_changes("uth-ma", ["play.preflop=4", "play.flop=3x,2"])
    assert [stage.sizes.value for stage in book.stages if stage.sizes] == [(4,), (2, 3), (1,)]


def test_a_changed_rulebook_has_its_own_hash_and_title_and_marks_only_the_changed_line() -> None:
    book = apply_changes("uth-ma", ["blind.straight=push"])
    assert book.hash != load("uth-ma").hash
    assert book.title.endswith("with blind.straight=push")
    assert line(load("uth-ma"), "blind", "blind", "straight").basis.own is None
    assert line(book, "blind", "blind", "flush").basis.own is None
    assert line(book, "blind", "blind", "straight").basis.own == "set"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("blind.strait=push", "did you mean 'straight'"),
        ("blnd.straight=push", "did you mean 'blind'"),
        ("blind.straight", "write KEY=VALUE"),
        ("=push", "write KEY=VALUE"),
        ("blind.straight=banana", "is not a payment"),
        ("play.preflop=four", "is not a list of sizes"),
        ("play.preflop=0", "is not a list of sizes"),
        ("qualifier=pear", "did you mean 'pair'"),
        ("trips.Z.flush=1 to 1", "is not a pay table of trips"),
        ("trips.tie=push", "trips is not a bet against the dealer, so it has no payment for 'tie'"),
        ("blind=push", "the hand or case to change is missing; write for example blind."),
    ],
)
def test_the_error_for_an_impossible_change_says_what_to_write(change: str, sentence: str) -> None:
    with pytest.raises(RulebookError, match=sentence):
        apply_changes("uth-ma", [change])


def test_all_wrong_changes_are_reported_together() -> None:
    with pytest.raises(RulebookError) as caught:
        apply_changes("uth-ma", ["blind.strait=push", "qualifier=pear"])
    assert len(caught.value.problems) == 2


def test_a_change_without_a_value_is_named_once() -> None:
    with pytest.raises(RulebookError) as caught:
        apply_changes("uth-ma", ["blind.straight"])
    expected = "uth-ma: 'blind.straight' is not a change; write KEY=VALUE, as in blind.straight=push"
    assert str(caught.value) == expected
