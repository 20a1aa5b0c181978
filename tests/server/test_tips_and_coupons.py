"""Tips, match play coupons, plaques and posted minimums at a live table, as players send them to a server."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.client.messages import OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.terms import read_terms
from houseway.live.offload import DIRECT
from houseway.live.record_files import keep
from houseway.live.runner import TableRunner
from houseway.rules.loader import load
from houseway.server.house import HouseServer
from houseway.testing.driver import stacked
from live.live_rounds import LiveRound
from server.hosted_rounds import Room
from server.houses import GENEROUS
from server.test_shootout_live import accepted, check_record, record, refused
from table_driver import table
from without_a_loop import WithoutLoop

BOARD, DEALER, ACES = "Qd 9s 7h 4c 2d", "Qc 3s", "As Ah"


def room_of(rulebook: str, mode: str = "device", **given: Any) -> Room:
    """A table with one player, who gets a pair of aces and wins."""
    order = OpenTable(rulebook=rulebook, mode=mode, **given)
    room = Room(rulebook, [stacked(mode, BOARD, DEALER, ACES).split()], seats=(1,), order=order)
    room.watch("seat 1")
    return room


# --- tips ---


@pytest.mark.clause("SD-3-a", "SD-3-b", "SD-3-c")
def test_the_view_offers_tips_and_a_tip_on_the_play_of_the_same_multiple() -> None:
    room = room_of("uth-sd")
    assert room.hosted.view("seat 1").yours.tip_spots == ("ante", "blind", "trips")
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, tips={"ante": 200, "trips": 100})))
    room.ready()
    plays = {
        o.says: o.costs for o in room.hosted.view("seat 1").yours.choices if o.command["type"] == "Play"
    }
    assert plays == {
        "play 3x": 3000, "play 3x with tip": 3600, "play 4x": 4000, "play 4x with tip": 4800,
    }  # fmt: skip
    assert room.hosted.view("seat 1").yours.tip_spots == ()
    wrong = refused(room.do(1, c.Play(seat=1, times=4, tip=1000)))
    assert (wrong.code, wrong.clause) == ("tip-play-size", "SD-3-c")
    accepted(room.do(1, c.Play(seat=1, times=4, tip=800)))
    tips = [event for event in record(room) if isinstance(event, e.WagerSettled) and event.for_dealer]
    assert {line.wager: (line.stake, line.back) for line in tips} == {
        "ante": (200, 400), "play": (800, 1600), "trips": (100, 0),
    }  # fmt: skip
    check_record(room)


@pytest.mark.clause("SD-3-c")
def test_a_hand_without_a_tip_on_the_ante_has_none_on_the_play() -> None:
    room = room_of("uth-sd")
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, tips={"blind": 200})))
    room.ready()
    assert not [o for o in room.hosted.view("seat 1").yours.choices if "tip" in o.says]
    refusal = refused(room.do(1, c.Play(seat=1, times=4, tip=800)))
    assert (refusal.code, refusal.clause, refusal.message) == (
        "tip-play-size",
        "SD-3-c",
        "to tip on the play wager, also tip on the ante",
    )


@pytest.mark.parametrize(("book", "house", "spots"), [
    ("shootout-sd", {}, ()), ("shootout-sd", {"tips": True}, ("wager", "bonus")), ("uth-ma", {}, ()),
])  # fmt: skip
def test_tips_are_offered_only_at_tables_that_take_them(
    book: str, house: dict[str, Any], spots: tuple[str, ...]
) -> None:
    room = Room(book, [()], seats=(1,), order=OpenTable(rulebook=book, house=house))
    assert room.hosted.view("seat 1").yours.tip_spots == spots


# --- coupons and the form of wagers ---


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_is_taken_and_wins_its_face_value() -> None:
    room = room_of("uth-ma", house={"match_play": True})
    assert room.hosted.view("seat 1").yours.coupons
    for face in (1001, 1_000_000):
        over = refused(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, coupon=face)))
        assert (over.code, over.clause) == ("match-play-chips", "MA-6.a-b")
    below = refused(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, coupon=-1000)))
    assert (below.code, below.clause) == ("bad-amount", "MA-6.a-b")
    chips = room.hosted.view("seat 1").yours.chips
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, coupon=1000)))
    # The coupon is not chips: only the ante and the blind leave the player's stack.
    assert room.hosted.view("seat 1").yours.chips == chips - 2000
    room.ready()
    accepted(room.do(1, c.Play(seat=1, times=4)))
    ante, coupon = [x for x in record(room) if isinstance(x, e.WagerSettled) and x.wager == "ante"]
    assert (ante.stake, ante.back) == (1000, 2000)
    assert (coupon.coupon, coupon.stake, coupon.back, coupon.clause) == (1000, 0, 1000, "MA-6.a-b")
    check_record(room)


@pytest.mark.clause("MA-6.a-b")
@pytest.mark.parametrize(
    ("book", "clause"), [("uth-ma", "MA-6.a-b"), ("uth-sd", None), ("shootout-sd", None)]
)
def test_a_coupon_is_refused_at_a_table_that_takes_none(book: str, clause: str | None) -> None:
    room = Room(book, [()], seats=(1,))
    assert not room.hosted.view("seat 1").yours.coupons
    wager = "wager" if book == "shootout-sd" else "ante"
    bet = c.Bet(seat=1, wagers={wager: 1000}, coupon=1000)
    for refusal in (table(book).sit(1).refuses(bet), refused(room.do(1, bet))):
        assert (refusal.code, refusal.clause) == ("match-play-off", clause)


@pytest.mark.clause("MA-6.a-a", "MA-6.a-c")
@pytest.mark.parametrize("book", ["uth-ma", "uth-sd", "shootout-sd"])
def test_a_server_takes_plaques_and_refuses_cash_with_the_clause(book: str) -> None:
    room = Room(book, [()], seats=(1,))
    wagers = {"wager" if book == "shootout-sd" else "ante": 1000}
    cash = refused(room.do(1, c.Bet(seat=1, wagers=wagers, form="cash")))
    assert (cash.code, cash.clause) == ("not-chips", "MA-6.a-a")
    verbal = refused(room.do(1, c.Bet(seat=1, wagers=wagers, form="verbal")))
    assert (verbal.code, verbal.clause) == ("verbal-wager", "MA-6.a-c")
    assert refused(room.do(1, c.Bet(seat=1, wagers=wagers, form="peas"))).code == "chips-only"
    accepted(room.do(1, c.Bet(seat=1, wagers=wagers, form="plaques")))


# --- the posted minimum ---

MAXIMA: dict[str, Any] = {"ante": {"max": "100"}, "trips": {"max": "100"}}
BOTH: dict[str, Any] = {"ante": {"min": "5", "max": "100"}, "trips": {"min": "5", "max": "100"}}


@pytest.mark.clause("SD-2-a")
@pytest.mark.parametrize(("limits", "where"), [
    (MAXIMA, "limits.ante"),
    ({**BOTH, "trips": {"max": "100"}}, "limits.trips"),
    ({**BOTH, "ante": {"min": "0", "max": "100"}}, "limits.ante"),
    (BOTH, None),
])  # fmt: skip
def test_a_live_table_must_post_the_minimum_of_its_initial_bets(
    limits: dict[str, Any], where: str | None
) -> None:
    terms, wrong = read_terms(load("uth-sd"), {"limits": limits})
    assert not wrong
    assert [r.where for r in terms.open_minima(examples=True)][:1] == ([where] if where else [])
    house = HouseServer(*keep(None), limits=GENEROUS, offload=DIRECT)
    people, hall = WithoutLoop(house.people), WithoutLoop(house.hall)
    host = people.introduce("Host")
    assert isinstance(host, tuple)
    opened = hall.open(OpenTable(rulebook="uth-sd", limits=limits), host[0])
    if where is None:
        assert isinstance(opened, TableRunner)
        return
    assert isinstance(opened, Refusal)
    assert (opened.code, opened.clause, opened.where) == ("no-minimum", "SD-2-a", where)


@pytest.mark.parametrize("book", ["uth-ma", "uth-card", "uth-proc", "shootout-sd"])
def test_the_other_documents_open_without_a_posted_minimum(book: str) -> None:
    """Only South Dakota's rules say that the table specifies the minimum. PROC-H.2-a fixes it."""
    terms, _ = read_terms(load(book), {})
    assert terms.open_minima(examples=True) == []
    assert (terms.bounds["ante"].low == 300) if book == "uth-proc" else True


# --- an ante without a blind ---


@pytest.mark.clause("CARD-5-a", "PROC-D.1-a", "SD-2-b")
@pytest.mark.parametrize(("book", "clause"), [
    ("uth-card", "CARD-5-a"), ("uth-proc", "PROC-D.1-a"), ("uth-sd", "SD-2-b"),
])  # fmt: skip
def test_a_blind_of_zero_is_refused_with_its_clause(book: str, clause: str) -> None:
    room = Room(book, [()], seats=(1,))
    live = LiveRound(book, "", load(book).modes[0]).send(c.Sit(seat=1, player="Ann", chips=100_000))
    for wagers in ({"ante": 500, "blind": 0}, {"ante": 0, "blind": 500}):
        bet = c.Bet(seat=1, wagers=wagers)
        for refusal in (table(book).sit(1).refuses(bet), live.refused(bet), refused(room.do(1, bet))):
            assert (refusal.code, refusal.clause) == ("ante-blind-unequal", clause)


@pytest.mark.clause("MA-6.a-b")
def test_a_second_coupon_is_refused_unless_the_house_allows_more() -> None:
    room = room_of("uth-ma", house={"match_play": True})
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, coupon=1000)))
    room.ready()
    accepted(room.do(1, c.Play(seat=1, times=4)))
    while room.hosted.waits().why != "bets":
        room.ready()
    assert not room.hosted.view("seat 1").yours.coupons
    refusal = refused(room.do(1, c.Bet(seat=1, wagers={"ante": 1000}, coupon=1000)))
    assert (refusal.code, refusal.clause) == ("match-play-used", "house.coupons_per_player")
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 1000})))


# --- a held seat ---


@pytest.mark.clause("PROC-H.3-c", "PROC-H.2-b")
@pytest.mark.parametrize("held", [True, False])
def test_a_player_returns_to_a_held_seat_at_a_live_table(held: bool) -> None:
    room = Room("uth-proc", [()] * 3, seats=(1, 2), order=OpenTable(rulebook="uth-proc"))
    introduced = room.people.introduce("Flo")
    assert isinstance(introduced, tuple)
    room.persons[8] = room.people.give(introduced[0].handle, "room", "floor")
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        accepted(room.do(seat, c.Bet(seat=seat, wagers={"ante": 300})))
    _finish(room)
    if held:
        says = {choice.says: choice.command for choice in room.hosted.view("floor").yours.choices}
        accepted(room.do(8, says["hold seat 2 for its player"]))
    accepted(room.do(2, c.Leave(seat=2)))
    says = {choice.says: choice.command for choice in room.hosted.view("floor").yours.choices}
    accepted(room.do(8, says["set the minimum to $5, surveillance notified"]))
    accepted(room.do(1, c.Bet(seat=1, wagers={"ante": 500})))
    _finish(room)
    accepted(room.do(2, c.Sit(seat=2)))
    answer = room.do(2, c.Bet(seat=2, wagers={"ante": 300}))
    if held:
        accepted(answer)
    else:
        assert refused(answer).clause == "PROC-H.2-a"


def _finish(room: Room) -> None:
    """Play the round to its end: every player checks, then folds; then open the next."""
    for _ in range(40):
        waits = room.hosted.waits()
        if waits.why == "decision":
            seat = waits.seats[0]
            if isinstance(room.do(seat, c.Check(seat=seat)), Rejected):
                accepted(room.do(seat, c.Fold(seat=seat)))
        elif waits.why == "bets" and not room.hosted.live.state.seats[waits.seats[0]].hands[0].wagers:
            return
        else:
            room.ready()
    raise AssertionError(f"the round does not end: {room.hosted.waits()}")
