"""Rulings by the documents: what happens to the hands, the wagers, the board and the card."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.client.training_messages import IrregularityReport
from houseway.engine import commands as c
from houseway.play.ruling_prompt import verdict_lines
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training.chair import Happening
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen
from houseway.training.ruling_form import RETURNED, SETTLED, STAYS, Ruling, judge_ruling, right_ruling
from houseway.training.ruling_review import judge_answers, ruling_form
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


@pytest.mark.parametrize("book", ["uth-ma", "uth-card"])
@pytest.mark.parametrize("before_the_hands", [True, False])
@pytest.mark.parametrize(
    ("given", "right"), [("reshuffle", True), ("set it aside", True), ("use it", False)]
)
def test_two_face_up_cards_are_set_aside_and_all_cards_are_reshuffled(
    book: str, before_the_hands: bool, given: str, right: bool
) -> None:
    """MA-14.b: a face-up card goes to the rack, and after a second one the cards are reshuffled."""
    at = Session(book, "manual", 5, given={**plain_terms(book, "manual"), "house": {}}, seats=2)
    at.bets = {1: {"ante": 1000, "trips": 500}, 2: {"ante": 1000}}
    moment = a.DealCards if before_the_hands else a.Burn
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), moment))
    found = Happening(kind="face-up card", at="deck")
    assert at.happen(found)
    at.act(a.ReportIrregularity(kind="face-up card", at="deck"))
    assert at.happen(found)
    ruled = right_ruling(at.table, at.state, at.chair.open[-1])
    assert ruled is not None
    assert ruled.answers["hands"].answer == "void all"
    (row,) = (row for row in judge_ruling(ruled, {"card": given}) if row.question == "card")
    assert (row.judged, row.is_right) == (True, right)


TRIPS_ELSEWHERE = {1: {"ante": 1000, "trips": 500}, 2: {"ante": 1000}}
EXTRA_AT_2 = Happening(kind="wrong number", at="seat 2", command=c.DealExtra(at="seat 2"))
NOT_WAGERS = {"hands", "board", "card", "call"}


def wrong_hand_at_seat_2(book: str) -> Session:
    """A table at which seat 2 has a card too many, and only seat 1 has trips."""
    at = Session(book, "manual", 5, given=plain_terms(book, "manual"), seats=2)
    at.bets = TRIPS_ELSEWHERE
    at.play_to(lambda s: right_act(s.table, s.chair) == a.TakeStep(what="look"))
    assert at.happen(EXTRA_AT_2)
    return at


@pytest.mark.parametrize(("book", "judged"), [("uth-ma", False), ("uth-sd", True), ("uth-card", False)])
@pytest.mark.parametrize("place", ["seat 2", ""])
def test_every_wager_is_asked_and_those_of_the_void_hands_are_judged(
    book: str, judged: bool, place: str
) -> None:
    """MA-14.d-a voids the hand of seat 2 alone, and SD-5-a voids all hands. Seat 1 has trips."""
    at = wrong_hand_at_seat_2(book)
    form = ruling_form(at.state, IrregularityReport(kind="wrong number", at=place), at.time)
    assert {one.question for one in form.questions} - NOT_WAGERS == {"ante", "blind", "trips"}
    right = right_ruling(at.table, at.state, at.chair.open[-1])
    assert right is not None
    assert {name for name, one in right.answers.items() if not one.clause} - NOT_WAGERS == (
        set() if judged else {"trips"}
    )
    own = {name: one.answer for name, one in right.answers.items()}
    for trips in (RETURNED, STAYS):
        ruled = judge_answers(at.table, at.chair, form, own | {"trips": trips}, ())
        (row,) = (row for row in ruled.rows if row.question == "trips")
        assert row.judged is judged
        assert row.is_right is (not judged or trips == RETURNED)
        assert ruled.returned_yours - ruled.returned == (-500 if judged and trips == STAYS else 0)


@pytest.mark.parametrize("book", ["uth-ma", "uth-card"])
def test_a_second_face_up_card_at_a_seat_returns_every_wager(book: str) -> None:
    """MA-14.b: all hands are void, so the trips of seat 1 is asked and judged too."""
    at = Session(book, "manual", 5, given={**plain_terms(book, "manual"), "house": {}}, seats=2)
    at.bets = TRIPS_ELSEWHERE
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.DealCards))
    assert at.happen(Happening(kind="face-up card", at="deck"))
    at.act(a.ReportIrregularity(kind="face-up card", at="deck"))
    at.play_to(lambda s: right_act(s.table, s.chair) == a.DealCards(place="seat 1"))
    at.step()
    place = at.state.round.served[-1]
    assert at.happen(Happening(kind="face-up card", at=place, which=1))
    form = ruling_form(at.state, IrregularityReport(kind="face-up card", at=place), at.time)
    right = right_ruling(at.table, at.state, at.chair.open[-1])
    assert right is not None
    assert right.answers["hands"].answer == "void all"
    own = {name: one.answer for name, one in right.answers.items()}
    ruled = judge_answers(at.table, at.chair, form, own, ())
    assert {row.question for row in ruled.rows if row.judged} >= {"ante", "blind", "trips"}
    assert ruled.returned == ruled.returned_yours == 4500


def test_other_rulebooks_are_compared_by_the_row_of_the_ruling() -> None:
    """A card exposed on the deck is a face-up card: the comparison is about that row too."""
    at = Session("uth-ma", "manual", 5, given=plain_terms("uth-ma", "manual"), seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.DealCards))
    others = {}
    for kind in ("exposed card", "face-up card"):
        chair = happen(at.table, at.chair, Happening(kind=kind, at="deck"), at.time)
        assert chair is not None
        form = ruling_form(chair.state, IrregularityReport(kind=kind, at="deck"), at.time)
        others[kind] = judge_answers(at.table, chair, form, {}, [load("uth-sd")]).others
    assert others["exposed card"] == others["face-up card"] != ()
    assert others["exposed card"][0].clause == "SD-5-b"


def test_two_right_answers_are_both_named() -> None:
    """Both the set-aside and the reshuffle are right for a second face-up card."""
    at = Session("uth-ma", "manual", 5, given=plain_terms("uth-ma", "manual"), seats=2)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.DealCards))
    found = Happening(kind="face-up card", at="deck")
    assert at.happen(found)
    at.act(a.ReportIrregularity(kind="face-up card", at="deck"))
    assert at.happen(found)
    form = ruling_form(at.state, IrregularityReport(kind="face-up card", at="deck"), at.time)
    ruled = judge_answers(at.table, at.chair, form, {"card": "use it"}, ())
    (row,) = (row for row in ruled.rows if row.question == "card")
    assert (row.right, row.also) == ("reshuffle", ("set it aside",))
    assert any("Right: reshuffle or set it aside." in line for line in verdict_lines(ruled))
