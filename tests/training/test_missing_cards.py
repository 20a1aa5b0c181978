"""A card that does not come out: the dealer who deals it again at once has made no error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.happenings import possible_happenings
from houseway.training.judge import judge
from houseway.training.perform import happen
from houseway.training.ruling_form import HANDS, VOID_ALL, Answer, reported_irregularity, right_ruling
from houseway.training.words import verdict_words
from training.sessions import Session
from training.test_free_order import slips
from training.test_happenings import plain_terms

PLAIN = {"ante": 500, "blind": 500}


def short_table(book: str, mode: str, place: str, again: int = 0) -> Session:
    """Return a table at which a place has not got its card. The deal passes the place `again` times first."""
    at = Session(book, mode, 3, given=plain_terms(book, mode))
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)

    def next_is(place: str) -> Callable[[Session], bool]:
        return lambda at: (
            bool(at.chair.queue)
            and at.chair.queue[0].act == a.DealCards(place=place, count=at.chair.queue[0].cards)
        )

    at.play_to(next_is(place))
    for _ in range(again):
        at.step()
        at.play_to(next_is(place))
    cards = at.shoe.next(["board"] * 4) if place == "board" else ()
    short = ch.Happening(kind="wrong number", at=place, command=c.DealShort())
    chair = happen(at.table, at.chair, short, at.time, tuple(cards))
    assert chair is not None
    at.chair = chair
    at.shoe.take(cards)
    return at


PLACES = [
    ("uth-sd", "manual", "seat 1", 0, 1),
    ("uth-sd", "manual", "seat 3", 1, 1),
    ("uth-sd", "device", "seat 2", 0, 2),
    ("uth-sd", "device", "board", 0, 1),
    ("uth-ma", "manual", "seat 1", 1, 1),
    ("uth-ma", "manual", "dealer", 0, 1),
    ("uth-ma", "manual", "dealer", 1, 1),
    ("uth-ma", "device", "dealer", 0, 2),
]


def deal_again(at: Session, place: str, count: int) -> None:
    """Deal the card that did not come out, and play the round to its end: there is no slip."""
    entry = at.act(a.DealCards(place=place, count=count))
    assert entry.slips == ()
    assert any(isinstance(change.event, e.HandCured) for change in entry.changes)
    assert slips(at) == []
    assert all(not seat.hands[0].void for seat in at.state.seats.values())


@pytest.mark.parametrize(("book", "mode", "place", "again", "count"), PLACES)
def test_the_refused_card_is_dealt_at_once(
    book: str, mode: str, place: str, again: int, count: int
) -> None:
    """MA-14.d-c lets the dealer deal the right number in sequence; a hand that is complete is not wrong."""
    deal_again(short_table(book, mode, place, again), place, count)


@pytest.mark.parametrize(
    ("book", "mode", "place"), [("uth-ma", "manual", "dealer"), ("uth-sd", "device", "board")]
)
def test_the_refused_card_is_dealt_after_a_report(book: str, mode: str, place: str) -> None:
    """The report would take effect when the hands are dealt. By then nothing is wrong."""
    at = short_table(book, mode, place)
    assert at.act(a.ReportIrregularity(kind="wrong number", at=place)).slips == ()
    assert at.chair.open[0].noticed
    deal_again(at, place, 1)


def test_the_missing_community_card_may_be_dealt_after_the_hands() -> None:
    at = short_table("uth-sd", "device", "board")
    at.act(a.ReportIrregularity(kind="wrong number", at="board"))
    at.play_to(lambda at: len(at.state.round.dealer) == 2)
    assert len(at.state.round.board) == 4
    assert slips(at) == []


def test_a_hand_that_stays_short_is_one_slip() -> None:
    """The dealer deals on and never reports it."""
    at = short_table("uth-ma", "manual", "seat 1")
    for place in ("seat 2", "seat 3", "dealer", "seat 1", "seat 2", "seat 3", "dealer"):
        assert at.act(a.DealCards(place=place)).slips == ()
    extra = at.act(a.DealCards(place="seat 1"))
    assert len(extra.slips) == 1
    open_ones = [(one.kind, one.at) for one in at.chair.open]
    assert open_ones == [("wrong number", "seat 1")]
    at.play_round()
    words = [verdict_words(one) for one in judge(at.table, at.chair).slips]
    assert len(words) == len(set(words))


def test_two_cards_stick_together_where_the_last_card_went() -> None:
    """The message follows the deal to that hand, not the next act."""
    at = Session("uth-ma", "manual", 3, given=plain_terms("uth-ma", "manual"))
    at.bets = dict.fromkeys((1, 2, 3), PLAIN)
    at.play_to(lambda at: at.state.round.number == 1)
    seen = set()
    while at.state.section == "round":
        at.step()
        given = at.chair.entries[-1].input
        places = [
            one.at for one in possible_happenings(at.table, at.chair, ("wrong number",)) if one.command
        ]
        extra = [place for place in places if place and _is_extra(at, place)]
        assert extra == [] or (isinstance(given, a.DealCards) and extra == [given.place])
        seen.update(extra)
    assert {"seat 1", "dealer", "board"} <= seen


def _is_extra(at: Session, place: str) -> bool:
    listed = possible_happenings(at.table, at.chair, ("wrong number",))
    return any(one.at == place and isinstance(one.command, c.DealExtra) for one in listed)


@pytest.mark.clause("MA-14.f")
@pytest.mark.parametrize("place", ["seat 2", "dealer"])
def test_a_card_that_does_not_come_out_of_the_machine_may_be_a_machine_failure(place: str) -> None:
    """MA-14.f: if the device fails to deal cards during a round, the round is void."""
    at = short_table("uth-ma", "device", place)
    found = reported_irregularity(at.chair, "machine failure", "", at.time)
    assert found is not None
    ruling = right_ruling(at.table, at.state, found)
    assert ruling is not None
    assert ruling.answers[HANDS] == Answer(VOID_ALL, "MA-14.f")
    entry = at.act(a.ReportIrregularity(kind="machine failure"))
    assert entry.slips == ()
    assert entry.handled is not None
    assert at.state.round.void
    assert at.chair.open == ()
    assert slips(at) == []


def test_a_card_that_the_dealer_does_not_draw_is_no_machine_failure() -> None:
    at = short_table("uth-ma", "manual", "dealer")
    assert reported_irregularity(at.chair, "machine failure", "", at.time) is None
    entry = at.act(a.ReportIrregularity(kind="machine failure"))
    assert [slip.kind for slip in entry.slips] == [ch.WRONG_REPORT]
