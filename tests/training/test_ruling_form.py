"""Rulings by the documents: what happens to the hands, the wagers, the board and the card."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.engine import commands as c
from houseway.training import acts as a
from houseway.training.chair import Happening
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen
from houseway.training.ruling_form import RETURNED, SETTLED, STAYS, Ruling, judge_ruling, right_ruling
from training.sessions import Session
from training.test_happenings import plain_terms


def ruling(book: str, mode: str, happening: Happening, bets: dict[str, int], moment: Any) -> Ruling:
    """The rulebook's ruling on something that happens in a round with these wagers at seats 1 and 2."""
    at = Session(book, mode, 5, given={**plain_terms(book, mode), "house": {}}, seats=2)
    at.bets = {1: bets, 2: {name: cents for name, cents in bets.items() if name in ("ante", "wager")}}
    at.play_to(lambda s: moment(right_act(s.table, s.chair)))
    cards = at.shoe.next(["deck"]) if happening.command is not None else ()
    chair = happen(at.table, at.chair, happening, at.time, cards)
    assert chair is not None
    right = right_ruling(at.table, chair.state, chair.open[-1])
    assert right is not None
    return right


def asking(act: Any) -> bool:
    """A player is to be asked."""
    return isinstance(act, a.Ask)


def answers(right: Ruling) -> dict[str, str]:
    """The answers without their clauses."""
    return {question: one.answer for question, one in right.answers.items()}


ALL = {"ante": 1000, "trips": 500, "progressive": 500}
DEALERS_CARD = Happening(kind="exposed card", at="dealer", which=1)


def test_massachusetts_voids_the_round_for_a_dealers_card_and_settles_trips() -> None:
    """MA-14.a: all hands are void, the board is completed and trips is settled."""
    right = ruling("uth-ma", "device", DEALERS_CARD, ALL, asking)
    assert answers(right) == {
        "hands": "void all",
        "ante": RETURNED,
        "blind": RETURNED,
        "trips": SETTLED,
        "progressive": RETURNED,
        "board": "complete it",
    }
    assert right.answers["hands"].clause == "MA-14.a-a"
    assert right.answers["trips"].clause == right.answers["board"].clause == "MA-14.a-b"
    # Two antes, two blinds and the progressive go back; trips stays to be settled.
    assert right.returned == 4 * 1000 + 500


def test_south_dakota_turns_the_same_card_back() -> None:
    """SD-5-b and SD-5-c: no misdeal, the card is turned back over."""
    right = ruling("uth-sd", "device", DEALERS_CARD, {"ante": 1000, "trips": 500}, asking)
    assert set(answers(right).values()) == {"play on", STAYS, "turn it back"}
    assert right.answers["card"].clause == "SD-5-c"
    assert right.returned == 0


EXTRA = Happening(kind="wrong number", at="seat 1", command=c.DealExtra(at="seat 1"))


@pytest.mark.parametrize(
    ("book", "hands", "clause", "returned"),
    [("uth-ma", "void one", "MA-14.d-a", 2500), ("uth-sd", "void all", "SD-5-a", 4500)],
)
def test_a_card_too_many_voids_one_hand_or_all(book: str, hands: str, clause: str, returned: int) -> None:
    bets = {"ante": 1000, "trips": 500}
    right = ruling(
        book, "manual", EXTRA, bets, lambda act: isinstance(act, a.TakeStep) and act.what == "look"
    )
    assert (right.answers["hands"].answer, right.answers["hands"].clause) == (hands, clause)
    assert right.returned == returned


def test_a_ruling_is_judged_question_by_question() -> None:
    right = ruling("uth-ma", "device", DEALERS_CARD, ALL, asking)
    given = {
        "hands": "void all",
        "ante": RETURNED,
        "blind": RETURNED,
        "trips": RETURNED,
        "board": "leave it",
    }
    rows = judge_ruling(right, given)
    wrong = {row.question: (row.given, row.right, row.clause) for row in rows if not row.is_right}
    assert wrong == {
        "trips": (RETURNED, SETTLED, "MA-14.a-b"),
        "progressive": ("", RETURNED, right.answers["progressive"].clause),
        "board": ("leave it", "complete it", "MA-14.a-b"),
    }


@pytest.mark.parametrize("kind", ["exposed card", "face-up card"])
@pytest.mark.parametrize(
    ("given", "right"), [("turn it back", True), ("use it", True), ("reshuffle", False)]
)
def test_south_dakota_turns_the_next_card_back_and_deals_it(kind: str, given: str, *, right: bool) -> None:
    """SD-5-b and SD-5-c: the dealer turns the card over and continues dealing, so it is dealt next."""
    found = Happening(kind=kind, at="deck")
    ruled = ruling("uth-sd", "manual", found, {"ante": 1000}, lambda act: isinstance(act, a.DealCards))
    (row,) = (row for row in judge_ruling(ruled, {"card": given}) if row.question == "card")
    assert row.judged
    assert row.is_right is right
