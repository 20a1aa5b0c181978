"""Readings that a regulator could contest: the usual one, and the other one as a house setting.

Each reading is played with the engine alone and at a live table whose record is verified. NOTES.md of each
rulebook explains both readings.
"""

from __future__ import annotations

from typing import Any

import pytest

from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.testing import refused, settled
from houseway.testing.driver import stacked
from live.live_rounds import LiveRound
from table_driver import Driver, table

MODES = ["manual", "device"]
LINK: dict[str, Any] = {"progressive": "PTMGL01"}
TRIP_SEVENS = "7s Kh 7d 4c 2s"
"""A board whose flop gives a seven in the hole three of a kind: 9 for 1 on the progressive."""


def ma(mode: str, board: str, dealer: str, *holes: str, **house: Any) -> Driver:
    """A Massachusetts table with the progressive."""
    deck = stacked(mode, board, dealer, *holes)
    return table("uth-ma", mode=mode, deck=deck, tables=LINK, house={"feed": 20, **house})


def live_ma(board: str, dealer: str, *holes: str, **house: Any) -> LiveRound:
    """A live Massachusetts table, dealt by machine, with the progressive."""
    deck = stacked("device", board, dealer, *holes)
    return LiveRound("uth-ma", deck, tables=LINK, house={"feed": 20, **house})


# --- MA-14.a: the progressive of a round that is void after the flop ---


@pytest.mark.clause("MA-14.a-a", "MA-13.f")
@pytest.mark.parametrize("mode", MODES)
def test_a_void_round_returns_the_progressive_even_if_the_flop_has_decided_it(mode: str) -> None:
    t = ma(mode, TRIP_SEVENS, "9c 3d", "7c As", "Ac Jd")
    t.bet(1, ante=10, progressive=5).bet(2, ante=10, progressive=5).deal().check(1, 2).deal()
    t.report("exposed card", at="dealer", cards="9c").finish().check_books()
    assert (t.net(1), t.net(2), t.meter()) == ("0.00", "0.00", "50000.00")


@pytest.mark.clause("MA-14.a-a", "MA-13.f")
@pytest.mark.parametrize("mode", MODES)
def test_a_house_may_settle_a_progressive_that_the_flop_decided(mode: str) -> None:
    """Three sevens on $5: 9 for 1 is $45, and the wager is not returned. Seat 2 has nothing and loses."""
    t = ma(mode, TRIP_SEVENS, "9c 3d", "7c As", "Ac Jd", void_progressive="settled")
    t.bet(1, ante=10, progressive=5).bet(2, ante=10, progressive=5).deal().check(1, 2).deal()
    t.report("exposed card", at="dealer", cards="9c").finish().check_books()
    # Each wager fed the meter with 20 percent, $1; it stays there.
    assert (t.net(1), t.net(2), t.meter()) == ("40.00", "-5.00", "50002.00")
    assert [turned.seat for turned in t.seen(e.HandTurned)] == [1]
    assert t.last(e.HandTurned).clause == "MA-13.f"
    assert all("progressive" not in back.wagers for back in t.seen(e.WagersReturned))


@pytest.mark.clause("MA-14.a-a", "MA-14.a-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_progressive_that_the_flop_has_not_decided_is_returned(mode: str) -> None:
    t = ma(mode, TRIP_SEVENS, "9c 3d", "7c As", void_progressive="settled")
    t.bet(1, ante=10, trips=5, progressive=5).deal()
    t.report("exposed card", at="dealer", cards="9c").finish().check_books()
    # The board is completed to settle trips: three sevens pay 3 to 1.
    assert (t.net(1), t.meter()) == ("15.00", "50000.00")


@pytest.mark.clause("MA-14.a-a", "MA-13.f")
@pytest.mark.parametrize(("reading", "net"), [("returned", 0), ("settled", 4000)])
def test_a_live_table_returns_or_settles_the_progressive_of_a_void_round(reading: str, net: int) -> None:
    live = live_ma(TRIP_SEVENS, "9c 3d", "7c As", void_progressive=reading)
    live.bet(1, ante=1000, progressive=500).advance().send(c.Check(seat=1))
    live.send(c.Report(kind="exposed card", at="dealer", cards=cards("9c")))
    assert live.seen(e.RoundClosed)
    assert live.verified().net(1) == net


# --- a fold in a round that is voided later ---


@pytest.mark.clause("MA-14.a-a")
@pytest.mark.parametrize("book", ["uth-ma", "uth-card", "uth-proc"])
@pytest.mark.parametrize(("reading", "net"), [("stand", "-20.00"), ("returned", "0.00")])
def test_a_fold_counts_or_is_refunded_when_every_hand_is_void(book: str, reading: str, net: str) -> None:
    """Seat 1 folds and its ante and blind are taken; then the dealer's card is exposed."""
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Qc 3s", "Jc 5h", "As Ah")
    t = table(book, mode="device", deck=deck, house={"void_folds": reading})
    t.bet(1, ante=10).bet(2, ante=10).deal().check(1, 2).deal().check(1, 2).deal().fold(1).deal()
    taken = [line.wager for line in t.state.round.settled if line.seat == 1]
    assert taken == ["ante", "blind"]
    t.report("exposed card", at="dealer", cards="Qc").finish().check_books()
    assert (t.net(1), t.net(2)) == (net, "0.00")
    backs = [back for back in t.seen(e.WagersReturned) if back.seat == 1]
    assert [back.taken for back in backs] == ([{"ante": 1000, "blind": 1000}] if net == "0.00" else [])


@pytest.mark.clause("MA-14.a-a")
def test_a_refunded_fold_with_trips_still_has_its_trips_settled() -> None:
    deck = stacked("device", TRIP_SEVENS, "Qc 3s", "7c 5h", "As Ah")
    t = table("uth-ma", mode="device", deck=deck, house={"void_folds": "returned"})
    t.bet(1, ante=10, trips=5).bet(2, ante=10)
    t.deal().check(1, 2).deal().check(1, 2).deal().fold(1).deal()
    t.report("exposed card", at="dealer", cards="Qc").finish().check_books()
    assert (t.net(1), t.net(2)) == ("15.00", "0.00")


@pytest.mark.clause("MA-14.a-a")
@pytest.mark.parametrize(("reading", "net"), [("stand", -2000), ("returned", 0)])
def test_a_live_table_keeps_or_refunds_a_fold_in_a_void_round(reading: str, net: int) -> None:
    live = live_ma("Qd 9s 7h 4c 2d", "Qc 3s", "Jc 5h", "As Ah", void_folds=reading)
    live.bet(1, ante=1000).bet(2, ante=1000).advance()
    for _ in range(2):
        live.send(c.Check(seat=1)).send(c.Check(seat=2))
    live.send(c.Fold(seat=1)).send(c.Report(kind="exposed card", at="dealer", cards=cards("Qc")))
    assert live.seen(e.RoundClosed)
    assert (live.verified().net(1), live.net(2)) == (net, 0)


# --- SD-12: a fold with trips alone ---

SD: dict[str, Any] = {"feed": 25, "seed": {"main": "10000"}}


def sd(mode: str, *holes: str, board: str = "Qd 9s 7h 4c 2d", tables: Any = None, **house: Any) -> Driver:
    """A South Dakota table."""
    deck = stacked(mode, board, "Qc 3s", *holes)
    return table("uth-sd", mode=mode, deck=deck, house=SD | house, tables=tables or {"trips": "UTH-02"})


@pytest.mark.clause("SD-2-c", "SD-12-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_with_trips_alone_has_no_decision_and_cannot_fold(mode: str) -> None:
    t = sd(mode, "As Ah", "8c 8d").bet(1, trips=5).bet(2, ante=10).deal().check(2).deal().check(2).deal()
    reason = t.refuses(c.Fold(seat=1))
    assert (reason.code, reason.clause) == ("no-decision", "SD-2-c")


@pytest.mark.clause("SD-12-b", "SD-12-d")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("hole", "net"), [("As Ah", "-5.00"), ("7c 7d", "15.00")])
def test_a_house_may_let_a_player_with_trips_alone_fold_after_the_river(
    mode: str, hole: str, net: str
) -> None:
    """The amounts are the same: a fold below three of a kind loses trips, three of a kind is paid."""
    t = sd(mode, hole, "8c 8d", trips_alone="may fold").bet(1, trips=5).bet(2, ante=10)
    t.deal()
    assert t.refuses(c.Fold(seat=1)).code == "out-of-turn"
    t.check(2).deal().check(2).deal()
    assert {"check", "fold"} <= set(t.legal("seat 1"))
    assert not [says for says in t.legal("seat 1") if says.startswith("play")]
    reason = t.refuses(c.Play(seat=1, times=1))
    assert (reason.code, reason.clause) == ("no-ante", "SD-11-b")
    t.fold(1).play(2, 1).finish().check_books()
    assert t.net(1) == net
    trips = t.events.index(t.settled("trips"))
    assert trips < t.events.index(t.last(e.DealerRevealed))
    assert [counted.seat for counted in t.seen(e.CardsCounted)] == [1]


@pytest.mark.clause("SD-12-b")
def test_a_hand_with_trips_alone_stays_in_if_its_player_checks_or_is_absent() -> None:
    t = sd("manual", "As Ah", "Ks Kh", trips_alone="may fold").bet(1, trips=5).bet(2, trips=5).deal()
    assert t.send(c.Check(seat=1))[0].clause == "SD-2-c"
    t.send(c.ActFor(seat=2, by="supervisor"))
    t.finish().check_books()
    assert (t.net(1), t.net(2), t.seen(e.Folded)) == ("-5.00", "-5.00", [])


@pytest.mark.clause("SD-12-c")
def test_a_fold_with_trips_alone_in_data_is_refused_unless_the_house_allows_it() -> None:
    seats: list[dict[str, Any]] = [
        {"hole": "7c 7d", "trips": "5", "play": 0},
        {"hole": "As Ah", "ante": "10", "play": 1},
    ]
    board = "7s Kh 9d 4c 2s"
    [reason] = refused("uth-sd", board, "Kc Qd", *seats)
    assert (reason.code, reason.clause) == ("play-without-ante", "SD-2-c")
    paid = settled("uth-sd", board, "Kc Qd", *seats, house={"trips_alone": "may fold"})
    assert [(line.seat, line.wager) for line in paid.lines()][:1] == [(1, "trips")]
    assert paid.net("trips", seat=1) == "15.00"


@pytest.mark.clause("SD-12-b")
def test_a_fold_with_trips_alone_loses_the_wager_at_a_live_table() -> None:
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Qc 3s", "As Ah", "8c 8d")
    live = LiveRound("uth-sd", deck, house={**SD, "trips_alone": "may fold"})
    live.bet(1, trips=500).bet(2, ante=1000).advance()
    live.send(c.Check(seat=2)).send(c.Check(seat=2)).send(c.Fold(seat=1)).send(c.Play(seat=2, times=1))
    assert live.verified().net(1) == -500


# --- SD-4-e: the cut when a device shuffles ---


@pytest.mark.clause("SD-4-e")
def test_a_devices_cards_are_not_cut_unless_the_house_always_cuts() -> None:
    usual = table("uth-sd", mode="device", house=SD).bet(1, ante=10)
    assert not usual.seen(e.DeckCut)
    t = table("uth-sd", mode="device", house={**SD, "cut_required": "always"}, open=False).open()
    t.until("cut the device's cards")
    early = t.refuses(c.Perform(step="open the round"))
    assert (early.code, early.clause) == ("out-of-order", "SD-4-e")
    small = t.refuses(c.Perform(step="cut the device's cards", count=9))
    assert (small.code, small.clause) == ("cut-size", "MA-4.c.1.ii")
    t.perform("cut the device's cards", count=20)
    assert t.last(e.DeckCut).count == 20


@pytest.mark.clause("SD-4-e")
@pytest.mark.parametrize(("reading", "cuts"), [("hand shuffle", 0), ("always", 1)])
def test_a_live_table_in_device_mode_cuts_only_if_the_house_always_cuts(reading: str, cuts: int) -> None:
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Qc 3s", "As Ah")
    live = LiveRound("uth-sd", deck, house={**SD, "cut_required": reading})
    assert len(live.seen(e.DeckCut)) == cuts
    live.bet(1, ante=1000).advance().send(c.Play(seat=1, times=4))
    assert live.verified().net(1) == 5000


# --- MA-7.f.5.ii.b: folded cards with a progressive and no trips ---


@pytest.mark.clause("MA-7.f.5.ii.b", "MA-9.e.2.ii", "MA-13.f")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reading", ["last", "at once"])
def test_a_folded_hand_with_a_progressive_is_read_last_or_at_the_fold(mode: str, reading: str) -> None:
    """Seat 1 folds. Its hole cards and the flop make three sevens: 9 for 1 on $5."""
    t = ma(mode, TRIP_SEVENS, "Qc 3h", "7c 5h", "As Ah", folded_progressive=reading)
    t.bet(1, ante=10, progressive=5).bet(2, ante=10)
    t.deal().check(1, 2).deal().check(1, 2).deal().fold(1).deal()
    racked = [pile.what for pile in t.seen(e.CardsRacked) if pile.what == "seat 1"]
    paid = [line.wager for line in t.state.round.settled if line.seat == 1]
    if reading == "last":
        assert (racked, paid) == ([], ["ante", "blind"])
    else:
        assert (racked, paid) == (["seat 1"], ["ante", "blind", "progressive"])
        assert (t.last(e.HandTurned).seat, t.last(e.HandTurned).clause) == (1, "MA-13.f")
    t.play(2, 1).finish().check_books()
    assert t.net(1) == "20.00"
    assert [pile.what for pile in t.seen(e.CardsRacked)].count("seat 1") == 1


@pytest.mark.clause("MA-7.f.5.ii.a", "MA-9.e.2.i")
@pytest.mark.parametrize("mode", MODES)
def test_a_fold_with_trips_keeps_its_cards_and_its_progressive_in_both_readings(mode: str) -> None:
    t = ma(mode, TRIP_SEVENS, "Qc 3h", "7c 5h", "As Ah", folded_progressive="at once")
    t.bet(1, ante=10, trips=5, progressive=5).bet(2, ante=10)
    t.deal().check(1, 2).deal().check(1, 2).deal().fold(1).deal()
    assert t.wagers(1) == {"trips": "5.00", "progressive": "5.00"}
    t.play(2, 1).finish().check_books()
    assert t.net(1) == "35.00"


@pytest.mark.clause("MA-13.c", "MA-13.f")
@pytest.mark.parametrize(("reading", "first", "second"), [("last", 2, 1), ("at once", 1, 2)])
def test_the_reading_decides_who_is_paid_first_from_one_meter(
    reading: str, first: int, second: int
) -> None:
    """Both players have a straight flush on the flop. Each wins 10 percent of the meter at that moment."""
    paid = settled(
        "uth-ma", "6h 7h 8h Kc 2d", "Qc 3s",
        {"hole": "4h 5h", "ante": "10", "progressive": "5", "play": 0},
        {"hole": "9h Th", "ante": "10", "progressive": "5", "play": 4},
        tables=LINK, meters={"main": "50000"}, house={"folded_progressive": reading},
    )  # fmt: skip
    assert (paid.net("progressive", first), paid.net("progressive", second)) == ("4995.00", "4495.00")


@pytest.mark.clause("MA-9.e.2.ii", "MA-13.f")
@pytest.mark.parametrize(("reading", "count"), [("last", 2), ("at once", 3)])
def test_a_live_table_reads_a_folded_progressive_last_or_at_the_fold(reading: str, count: int) -> None:
    live = live_ma(TRIP_SEVENS, "Qc 3h", "7c 5h", "As Ah", folded_progressive=reading)
    live.bet(1, ante=1000, progressive=500).bet(2, ante=1000).advance()
    for _ in range(2):
        live.send(c.Check(seat=1)).send(c.Check(seat=2))
    live.send(c.Fold(seat=1))
    assert len(live.seen(e.WagerSettled)) == count
    live.send(c.Play(seat=2, times=1))
    assert live.verified().net(1) == 2000


# --- PROC-H.7: the approval limit counts each wager, or the whole hand ---

KINGS_FULL: dict[str, Any] = {"board": "Ks Kd 7c 7h 2s", "dealer": "Qd Jc"}
"""Seat 1 has Kh 3d: kings full of sevens, 3 to 1 on the blind and 8 to 1 on trips."""


@pytest.mark.clause("PROC-H.7")
@pytest.mark.parametrize(
    ("ante", "reading", "approvals"),
    [
        # Ante 25, blind 75, play 100, trips 200: $400 in all, and no wager above $300.
        ("25", "wager", []),
        ("25", "hand", [("hand", "400.00")]),
        # Ante 15, blind 45, play 60, trips 120: $240 in all.
        ("15", "hand", []),
    ],
)
def test_the_approval_limit_of_300_dollars_counts_a_wager_or_a_hand(
    ante: str, reading: str, approvals: list[tuple[str, str]]
) -> None:
    paid = settled(
        "uth-proc", hole="Kh 3d", ante=ante, trips=ante, play=4, house={"approval_scope": reading},
        **KINGS_FULL,
    )  # fmt: skip
    assert [(a.wager, a.amount) for a in paid.settlement.approvals] == approvals
    assert all(a.who == "floor supervisor" and a.clause == "PROC-H.7" for a in paid.settlement.approvals)


@pytest.mark.clause("PROC-H.7")
def test_exactly_300_dollars_on_a_hand_needs_no_approval() -> None:
    """Ante 20, blind 60, play 80 and trips 140 at 7 to 1 of table D: $300."""
    paid = settled(
        "uth-proc", hole="Kh 3d", ante="20", trips="20", play=4, tables={"trips": "D"},
        house={"approval_scope": "hand"}, **KINGS_FULL,
    )  # fmt: skip
    assert (paid.seat_net(), paid.settlement.approvals) == ("300.00", [])


@pytest.mark.clause("PROC-H.7")
def test_a_hand_is_approved_before_its_first_payment_at_a_table() -> None:
    deck = stacked("device", KINGS_FULL["board"], KINGS_FULL["dealer"], "Kh 3d")
    t = table("uth-proc", deck=deck, house={"approval_scope": "hand"}).bet(1, ante=25, trips=25)
    t.deal().play(1, 4).until("settle each hand")
    t.step()
    asked = t.last(e.ApprovalAsked)
    assert (asked.wager, asked.amount, asked.clause, t.state.round.settled) == (
        "hand",
        40_000,
        "PROC-H.7",
        (),
    )
    waits = t.refuses(c.Perform(step="settle each hand"))
    assert (waits.code, waits.clause) == ("approval-needed", "PROC-H.7")
    assert "hand payment" in waits.message
    t.send(c.Approve(by="floor supervisor", name="Flo"))
    t.finish().check_books()
    assert (t.net(1), len(t.seen(e.ApprovalAsked))) == ("400.00", 1)


@pytest.mark.clause("PROC-H.7")
@pytest.mark.parametrize(("reading", "asks"), [("wager", 0), ("hand", 1)])
def test_a_live_table_asks_for_approval_of_a_wager_or_of_a_whole_hand(reading: str, asks: int) -> None:
    deck = stacked("device", KINGS_FULL["board"], KINGS_FULL["dealer"], "Kh 3d")
    live = LiveRound("uth-proc", deck, house={"approval_scope": reading})
    live.bet(1, ante=2500, trips=2500).advance().send(c.Play(seat=1, times=4))
    assert len(live.seen(e.ApprovalAsked)) == asks
    if live.live.state.round.asked is not None:
        live.send(c.Approve(by="floor supervisor", name="Flo"))
    assert live.verified().net(1) == 40_000


# --- SD-3: a tip above the posted maximum ---

POSTED: dict[str, Any] = {"ante": {"min": "5", "max": "50"}, "trips": {"min": "5", "max": "25"}}


@pytest.mark.clause("SD-3-a", "SD-2-d")
@pytest.mark.parametrize(("tip", "reading", "code"), [
    ("60", "bet limit", None), ("60", "posted", "above-maximum"), ("50", "posted", None),
])  # fmt: skip
def test_a_tip_is_limited_by_the_bet_limit_or_by_the_posted_maximum(
    tip: str, reading: str, code: str | None
) -> None:
    seat = {"hole": "As Ah", "ante": "10", "play": 4, "tips": {"ante": tip}}
    given: dict[str, Any] = {"limits": POSTED, "house": {"tip_limit": reading}}
    if code is None:
        assert settled("uth-sd", "Qd 9s 7h 4c 2d", "Qc 3s", seat, **given).net("ante") == "10.00"
        return
    [reason] = refused("uth-sd", "Qd 9s 7h 4c 2d", "Qc 3s", seat, **given)
    assert (reason.code, reason.clause) == (code, "SD-2-d")
    assert "$50" in reason.message


@pytest.mark.clause("SD-3-a", "SD-2-d")
@pytest.mark.parametrize("reading", ["bet limit", "posted"])
def test_a_table_and_a_live_table_limit_tips_by_the_house_setting(reading: str) -> None:
    deck = stacked("device", "Qd 9s 7h 4c 2d", "Qc 3s", "As Ah")
    given: dict[str, Any] = {"limits": POSTED, "house": {**SD, "tip_limit": reading}}
    t = table("uth-sd", mode="device", deck=deck, **given)
    live = LiveRound("uth-sd", deck, **given)
    live.send(c.Sit(seat=1, player="player 1", chips=1_000_000))
    bet = c.Bet(seat=1, wagers={"ante": 1000}, tips={"ante": 6000})
    t.sit(1)
    if reading == "posted":
        for reason in (t.refuses(bet), live.refused(bet)):
            assert (reason.code, reason.clause) == ("above-maximum", "SD-2-d")
        return
    t.send(bet)
    t.deal().play(1, 4).finish().check_books()
    live.send(bet).advance().send(c.Play(seat=1, times=4))
    # The player wins $50 and gives the tip of $60; the tip wins $60 more for the dealer.
    assert (t.net(1), live.verified().net(1)) == ("-10.00", -1000)
    assert t.state.tips == live.live.state.tips == 12_000
