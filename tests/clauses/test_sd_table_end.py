"""South Dakota, Ultimate Texas Hold'em, at the table: folds, the dealer's hand, awards, whole rounds."""

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import DECK, cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.money import dollars
from table_driver import Driver, table

BOOK = "uth-sd"
MODES = ["manual", "device"]
HOUSE = {"feed": 25, "seed": {"main": "10000"}}
TABLES = {"trips": "UTH-02", "progressive": "PMG-01"}
LOW, QUEENS = "Qd 9s 7h 4c 2d", "Qc 3s"
"""A board without a hand, and a dealer with a pair on it."""
AWARDS = "pay the progressive winners"


def stacked(mode: str, board: str, dealer: str, holes: tuple[str, ...]) -> str:
    """A deck that deals these cards to the seats in order, the dealer and the board."""
    hands = [hole.split() for hole in (*holes, dealer)]
    five = board.split()
    used = {str(card) for card in cards(" ".join((board, dealer, *holes)))}
    burn, other = [str(card) for card in DECK if str(card) not in used][:2]
    if mode == "device":
        dealt = [*five, *(card for hand in hands for card in hand), burn, other]
    else:
        turns = [hand[n] for n in (0, 1) for hand in hands]
        dealt = [*turns, burn, *five[:3], other, *five[3:]]
    return " ".join(dealt)


def sd(mode: str, board: str, dealer: str, *holes: str, **given: Any) -> Driver:
    """A South Dakota table that will deal these hands."""
    return table(
        BOOK, mode=mode, deck=stacked(mode, board, dealer, holes), house=HOUSE, tables=TABLES, **given
    )


def to_the_river(t: Driver, *seats: int) -> Driver:
    """These seats check twice; the river is face up."""
    return t.deal().check(*seats).deal().check(*seats).deal()


def places(t: Driver, *wanted: type[e.Event]) -> list[tuple[str, int | str]]:
    """Events of some kinds in order: the kind, and the seat or cards concerned."""
    return [
        (type(event).__name__, getattr(event, "seat", "") or getattr(event, "what", ""))
        for event in t.events
        if isinstance(event, wanted)
    ]


def faces(t: Driver, seat: int) -> str:
    """The face-up cards of a seat."""
    shown = t.view("rail").table.seats[seat].hands[1]
    return "" if shown.racked else " ".join(shown.faces)


# --- folds ---


@pytest.mark.clause("SD-12-e")
@pytest.mark.parametrize("mode", MODES)
def test_folded_cards_are_counted_and_then_racked(mode: str) -> None:
    t = sd(mode, LOW, QUEENS, "8c 3d", "As Ah", "Jc 5d").bet(2, ante=10).bet(3, ante=10).bet(4, ante=10)
    to_the_river(t, 2, 3, 4).send(c.Fold(seat=2))
    t.play(3, 1).send(c.Fold(seat=4))
    assert not t.seen(e.CardsCounted)
    t.perform("collect the folded hands")
    assert places(t, e.CardsCounted, e.CardsRacked) == [
        ("CardsCounted", 4),
        ("CardsRacked", "seat 4"),
        ("CardsCounted", 2),
        ("CardsRacked", "seat 2"),
    ]
    assert [(event.count, event.clause) for event in t.seen(e.CardsCounted)] == [(2, "SD-12-e")] * 2
    assert [(codes(event.sealed), event.clause) for event in t.seen(e.CardsRacked)] == [
        ("Jc 5d", "SD-12-e"),
        ("8c 3d", "SD-12-e"),
    ]
    assert t.next == "turn up the dealer's cards"


@pytest.mark.clause("SD-12-e", "SD-5-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_folded_hand_without_exactly_two_cards_is_a_misdeal(mode: str) -> None:
    t = sd(mode, LOW, QUEENS, "8c 3d", "As Ah").bet(1, ante=10).bet(2, ante=10).deal()
    t.send(c.DealExtra(at="seat 1", cards=t.shoe.take(1)))
    t.check(1).play(2, 4).deal().check(1).deal().send(c.Fold(seat=1))
    refusal = t.refuses(c.Perform(step="collect the folded hands"))
    assert (refusal.code, refusal.clause) == ("wrong-number", "SD-5-a")
    assert "folded hand has 3 cards" in refusal.message
    t.report("wrong number", at="seat 1")
    assert t.last(e.RoundVoided).clause == "SD-5-a"
    assert [t.chips_of(1), t.chips_of(2)] == ["10000.00", "10000.00"]
    t.finish().check_books()


@pytest.mark.clause("SD-12-e")
def test_a_folded_hand_with_a_progressive_is_counted_at_once_and_racked_after_it_is_read() -> None:
    # Three nines on the flop pay nine for one, folded or not.
    t = sd("manual", "9s 9h 9d 4c 2d", QUEENS, "8c 3d").bet(1, ante=10, progressive=1)
    to_the_river(t, 1).fold(1).finish()
    assert places(t, e.CardsCounted, e.DealerRevealed, e.CardsRacked)[:3] == [
        ("CardsCounted", 1),
        ("DealerRevealed", ""),
        ("CardsRacked", "seat 1"),
    ]
    assert t.settled("progressive", 1).back == 900
    assert t.net(1) == "-12.00"
    t.check_books()


# --- the dealer's hand ---


@pytest.mark.clause("SD-13-a")
@pytest.mark.parametrize("mode", MODES)
def test_the_dealers_hand_is_called_once_everyone_has_played_or_folded(mode: str) -> None:
    t = sd(mode, LOW, QUEENS, "As Ah", "8c 3d").bet(1, ante=10).bet(2, ante=10)
    to_the_river(t, 1, 2).play(1, 1)
    refusal = t.out_of_order("turn up the dealer's cards")
    assert (refusal.code, refusal.clause) == ("players-first", "SD-13-a")
    assert t.view("rail").table.dealer == ()
    t.fold(2)
    t.perform("turn up the dealer's cards")
    shown = t.last(e.DealerRevealed)
    assert (codes(shown.face), shown.reads, shown.qualifies) == ("Qc 3s", "pair", True)
    assert t.view("rail").table.dealer == ("Qc", "3s")
    called = t.says()[-1].partition("Dealer has ")[2].removesuffix(".”")
    name, _, five = called.partition(": ")
    assert (name, set(five.split()[:2]), five.split()[2:]) == (
        "a pair of queens",
        {"Qc", "Qd"},
        ["9s", "7h", "4c"],
    )


# --- progressive awards ---


def at_the_awards(mode: str = "manual", seat: int = 1) -> Driver:
    """A flush on hole cards and flop with the $1 progressive; the awards are due."""
    t = sd(mode, "9h Th Kh 4c 2d", QUEENS, "2h 7h").bet(seat, ante=10, progressive=1).deal()
    return t.play(seat, 4).until(AWARDS)


@pytest.mark.clause("SD-18.a.iii-a")
@pytest.mark.parametrize("mode", MODES)
def test_an_award_is_keyed_before_it_is_paid(mode: str) -> None:
    t = at_the_awards(mode)
    unkeyed = t.refuses(c.Perform(step=AWARDS, seat=1))
    assert (unkeyed.code, unkeyed.clause) == ("award-not-keyed", "SD-18.a.iii-a")
    t.send(c.KeyAward(seat=1, hand="flush"))
    keyed = t.last(e.AwardKeyed)
    assert (keyed.hand, keyed.right, keyed.clause) == ("flush", True, "SD-18.a.iii-a")
    assert t.state.round.keyed == {1: "flush"}
    t.perform(AWARDS, seat=1)
    assert t.last(e.ApprovalAsked).clause == "SD-18.a.iv"
    t.send(c.Approve(by="supervisor", name="Sue"))
    t.perform(AWARDS, seat=1)
    assert t.settled("progressive", 1).back == 4000
    t.finish().check_books()


@pytest.mark.clause("SD-18.a.iii-a")
def test_a_person_keys_every_award() -> None:
    """A command without a seat does not key the award for a person in the dealer's chair."""
    cards = ("9h Th Kh 4c 2d", QUEENS, "2h 7h")
    t = sd("manual", *cards, open=False).open(dealer="person").ready()
    t.bet(1, ante=10, progressive=1).deal().play(1, 4).until(AWARDS)
    for _ in range(2):
        refusal = t.refuses(c.Perform(step=AWARDS))
        assert (refusal.code, refusal.clause) == ("award-not-keyed", "SD-18.a.iii-a")
    t.send(c.KeyAward(seat=1, hand="flush"))
    t.perform(AWARDS)
    assert t.last(e.ApprovalAsked).clause == "SD-18.a.iv"


@pytest.mark.clause("SD-18.a.iii-a")
def test_an_award_the_cards_do_not_make_is_flagged_and_cannot_be_paid() -> None:
    t = at_the_awards()
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    assert t.last(e.AwardKeyed).right is False
    for command in (c.Perform(step=AWARDS, seat=1), c.Perform(step=AWARDS)):
        refusal = t.refuses(command)
        assert (refusal.code, refusal.clause) == ("award-not-keyed", "SD-18.a.iii-a")
    # Keying the award took 10 % off the meter; pressing the button again puts it back.
    assert t.meter() == "9000.23"
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    assert t.meter() == "10000.25"


@pytest.mark.clause("SD-18.a.iii-a")
def test_a_machine_keys_the_award_before_the_supervisor_is_called() -> None:
    t = at_the_awards().finish()
    assert places(t, e.AwardKeyed, e.ApprovalAsked, e.PaymentApproved) == [
        ("AwardKeyed", 1),
        ("ApprovalAsked", 1),
        ("PaymentApproved", ""),
    ]
    assert t.settled("progressive", 1).back == 4000
    t.check_books()


@pytest.mark.clause("SD-18.a.iii-b")
def test_a_button_pressed_by_mistake_is_pressed_again_to_turn_it_off() -> None:
    t = at_the_awards(seat=3)
    t.send(c.KeyAward(seat=3, hand="full house"))
    t.send(c.KeyAward(seat=3, hand="full house"))
    assert places(t, e.AwardKeyed, e.AwardUnkeyed) == [("AwardKeyed", 3), ("AwardUnkeyed", 3)]
    assert (t.last(e.AwardUnkeyed).hand, t.last(e.AwardUnkeyed).clause) == ("full house", "SD-18.a.iii-b")
    assert t.state.round.keyed == {}
    t.send(c.KeyAward(seat=3, hand="flush"))
    t.finish()
    assert t.settled("progressive", 3).back == 4000


@pytest.mark.clause("SD-18.a.iii-b")
def test_turning_an_award_off_is_offered_until_the_award_is_paid() -> None:
    t = at_the_awards()
    t.state = replace(t.state, dealer="person")
    assert t.legal("dealer") == ["key flush"]
    t.send(c.KeyAward(seat=1, hand="full house"))
    # A button pressed by mistake must be turned off before anything else.
    assert t.legal("dealer") == ["turn off full house at seat 1"]
    t.send(c.KeyAward(seat=1, hand="full house"))
    t.send(c.KeyAward(seat=1, hand="flush"))
    assert t.legal("dealer") == [AWARDS, "turn off flush at seat 1"]
    t.perform(AWARDS, seat=1)
    t.send(c.Approve(by="supervisor", name="Sue"))
    assert t.legal("dealer") == [AWARDS, "turn off flush at seat 1"]
    t.perform(AWARDS, seat=1)
    assert not [says for says in t.legal("dealer") if says.startswith("turn off")]
    late = t.refuses(c.KeyAward(seat=1, hand="flush"))
    assert (late.code, late.clause) == ("award-paid", "SD-18.a.iii-b")
    assert t.state.round.keyed == {1: "flush"}
    t.finish()


@pytest.mark.clause("SD-18.a.iii-b")
def test_the_button_of_a_seat_that_won_nothing_is_turned_off_before_the_reset() -> None:
    t = sd("manual", "9h Th Kd 4c 2d", QUEENS, "2h 7h").bet(1, ante=10, progressive=1).deal()
    t.play(1, 4).until(AWARDS)
    t.send(c.KeyAward(seat=1, hand="flush"))
    t.perform(AWARDS, seat=1)
    t.until("reset the progressive system")
    assert t.legal("dealer") == ["turn off flush at seat 1"]
    t.send(c.KeyAward(seat=1, hand="flush"))
    t.finish().check_books()


def at_two_awards(meter: str = "22000", **house: Any) -> Driver:
    """Seat 5 has a royal flush on the flop (100 %), seat 2 a straight flush (10 %); the awards are due."""
    deck = stacked("manual", "Th Jh Qh 4c 2d", QUEENS, ("8h 9h", "Ah Kh"))
    t = table(BOOK, deck=deck, house={**HOUSE, "feed": 0, **house}, tables=TABLES, open=False)
    t.open(meters={"main": int(meter) * 100}).ready()
    t.bet(2, ante=10, progressive=1).bet(5, ante=10, progressive=1).deal()
    return t.play(2, 4).play(5, 4).until(AWARDS)


def pay(t: Driver, seat: int) -> None:
    """Pay a keyed award, with the supervisor's approval."""
    t.perform(AWARDS, seat=seat)
    t.send(c.Approve(by="supervisor", name="Sue"))
    t.perform(AWARDS, seat=seat)


@pytest.mark.clause("SD-18.a.vi-a", "SD-18.a.iii-b")
def test_keying_an_award_lowers_the_meter_and_unkeying_raises_it_again() -> None:
    # PMG-01 and a meter of $20,000: a straight flush takes 10 %, three of a kind nothing.
    t = table(
        BOOK, deck=stacked("manual", "9h Th Jh 4c 2d", QUEENS, ("7h 8h",)), tables=TABLES, open=False,
        house={**HOUSE, "feed": 0},
    )  # fmt: skip
    t.open(meters={"main": 2_000_000}).ready().bet(1, ante=10, progressive=1).deal()
    t.play(1, 4).until(AWARDS)
    t.send(c.KeyAward(seat=1, hand="three of a kind"))
    assert t.meter() == "20000.00"
    t.send(c.KeyAward(seat=1, hand="three of a kind"))
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    keyed = t.last(e.AwardKeyed)
    assert (keyed.meter, keyed.awarded, t.meter()) == ("main", 200_000, "18000.00")
    t.check_books()
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    assert (t.last(e.AwardUnkeyed).awarded, t.meter()) == (200_000, "20000.00")
    t.check_books()
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    pay(t, 1)
    assert (t.settled("progressive", 1).won, t.meter()) == (200_000, "18000.00")
    t.finish().check_books()


@pytest.mark.clause("SD-18.a.vi-b", "SD-18.a.vi-a")
def test_keying_the_whole_meter_resets_it_to_the_seed_and_the_reserve() -> None:
    t = at_two_awards("31000", reserve={"main": "750"})
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    assert (t.last(e.AwardKeyed).awarded, t.meter(), t.state.reserves) == (
        3_100_000,
        "10750.00",
        {"main": 0},
    )
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    assert (t.meter(), t.state.reserves["main"]) == ("31000.00", 75_000 * 1_000_000)
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    pay(t, 5)
    assert (t.settled("progressive", 5).won, t.meter()) == (3_100_000, "10750.00")
    t.finish().check_books()


@pytest.mark.clause("SD-18.a.v", "SD-18.a.vi-a", "SD-18.a.vi-c")
@pytest.mark.parametrize(
    ("awards", "royal", "flush", "left"),
    [("sequential", 2_200_000, 100_000, "9000.00"), ("shared", 2_000_000, 200_000, "10000.00")],
)
def test_two_awards_are_keyed_in_the_order_of_payment(
    awards: str, royal: int, flush: int, left: str
) -> None:
    t = at_two_awards(awards=awards)
    early = t.refuses(c.KeyAward(seat=2, hand="straight flush"))
    assert (early.code, early.clause) == ("out-of-order", "SD-18.a.vi-c")
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    t.send(c.KeyAward(seat=2, hand="straight flush"))
    assert t.meter() == left
    later = t.refuses(c.KeyAward(seat=5, hand="royal flush"))
    assert (later.code, later.clause) == ("keyed-later", "SD-18.a.iii-b")
    pay(t, 5)
    pay(t, 2)
    assert [t.settled("progressive", n).won for n in (5, 2)] == [royal, flush]
    assert t.meter() == left
    t.finish().check_books()


@pytest.mark.clause("SD-18.a.iii-b", "SD-18.a.vi-a")
def test_nothing_is_paid_from_a_meter_that_a_mistaken_key_has_moved() -> None:
    t = at_two_awards()
    t.send(c.KeyAward(seat=2, hand="royal flush"))
    assert t.meter() == "10000.00"
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    lit = t.refuses(c.Perform(step=AWARDS, seat=5))
    assert (lit.code, lit.clause) == ("award-lit", "SD-18.a.iii-b")
    for seat in (5, 2):
        t.send(c.KeyAward(seat=seat, hand="royal flush"))
    assert t.meter() == "22000.00"
    t.send(c.KeyAward(seat=5, hand="royal flush"))
    pay(t, 5)
    assert t.settled("progressive", 5).won == 2_200_000
    t.check_books()


@pytest.mark.clause("SD-18.a.vi-a")
def test_a_machine_that_fails_after_an_award_was_keyed_moves_the_meter_back() -> None:
    deck = stacked("device", "9h Th Jh 4c 2d", QUEENS, ("7h 8h",))
    t = table(BOOK, mode="device", deck=deck, house={**HOUSE, "feed": 25}, tables=TABLES)
    meters = t.state.meters
    t.bet(1, ante=10, progressive=1).deal().play(1, 4).until(AWARDS)
    t.send(c.KeyAward(seat=1, hand="straight flush"))
    t.report("machine failure")
    assert (t.state.meters, t.state.round.awards) == (meters, {})
    t.finish().check_books()


@pytest.mark.clause("SD-18.a.vii")
@pytest.mark.parametrize("mode", MODES)
def test_the_system_is_reset_once_all_is_settled_and_before_the_next_round(mode: str) -> None:
    t = at_the_awards(mode)
    reset = "reset the progressive system"
    assert t.out_of_order(reset).code == "out-of-order"
    t.step()
    assert t.out_of_order(reset).code == "approval-needed"
    t.until(reset)
    for step in ("close the round", "shuffle", "open the round"):
        refusal = t.out_of_order(step)
        assert (refusal.code, refusal.clause) == ("out-of-order", "SD-18.a.vii")
    assert [s.light for s in t.view("rail").table.seats.values()] == [True]
    t.perform(reset)
    assert t.last(e.SystemReset).clause == "SD-18.a.vii"
    assert [s.light for s in t.view("rail").table.seats.values()] == [False]
    t.finish().ready()
    assert t.last(e.RoundOpened).number == 2


@pytest.mark.clause("SD-18.b.ii")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "side", [{}, {"progressive": 1}], ids=["without the side bet", "with the side bet"]
)
def test_a_hand_that_triggers_envy_stays_face_up_until_the_last_payment(
    mode: str, side: dict[str, int]
) -> None:
    t = sd(mode, "Qs Js Ts 4d 4c", "Qc 3d", "9c 2h", "As Ks", "8c 3h")
    t.bet(1, ante=10, progressive=1).bet(3, ante=10, **side).bet(4, ante=10, progressive=1).deal()
    t.play(1, 4).play(3, 4).play(4, 4).until(AWARDS)
    assert [(left.seat, left.clause) for left in t.seen(e.CardsLeft)] == [(3, "SD-18.b.ii")]
    assert faces(t, 3) == "As Ks"
    assert faces(t.until("settle envy"), 3) == "As Ks"
    assert (faces(t, 1), faces(t, 4)) == ("", "")
    t.finish()
    order = [
        (event.seat, event.wager) if isinstance(event, e.WagerSettled) else event.what
        for event in t.events
        if (isinstance(event, e.WagerSettled) and event.wager == "envy")
        or (isinstance(event, e.CardsRacked) and event.what == "seat 3")
    ]
    assert order == [(4, "envy"), (1, "envy"), "seat 3"]
    assert [event.back for event in t.seen(e.WagerSettled) if event.wager == "envy"] == [100_000, 100_000]
    t.check_books()


@pytest.mark.clause("SD-18.b.ii")
def test_a_folded_hand_that_triggers_envy_stays_face_up_too() -> None:
    t = (
        sd("manual", "9h Th Jh 4d 2c", "Qc 3d", "7h 8h", "As Ah")
        .bet(1, ante=10)
        .bet(2, ante=10, progressive=1)
    )
    to_the_river(t, 1, 2).send(c.Fold(seat=1))
    t.play(2, 1).perform("collect the folded hands")
    assert [left.clause for left in t.seen(e.CardsLeft)] == ["SD-18.b.ii"]
    assert faces(t, 1) == "7h 8h"
    t.finish()
    envy = [event for event in t.seen(e.WagerSettled) if event.wager == "envy"]
    assert [(event.seat, event.from_seat, event.back) for event in envy] == [(2, 1, 30_000)]
    racked = next(event for event in t.seen(e.CardsRacked) if event.what == "seat 1")
    assert t.events.index(racked) > t.events.index(envy[0])
    t.check_books()


# --- whole rounds ---


@pytest.mark.parametrize("mode", MODES)
def test_a_trips_only_hand_makes_no_decision_and_is_settled_on_trips(mode: str) -> None:
    t = sd(mode, "7s Kh 9d 4c 2s", "Kc Kd", "7c 7d", "As Ah").bet(1, trips=5).bet(2, ante=10)
    turns = []
    t.deal()
    assert t.hole(1) == "7c 7d"
    for times in (0, 0, 1):
        turns.append(t.view("rail").table.turn)
        refusal = t.refuses(c.Check(seat=1))
        assert (refusal.code, refusal.clause) == ("no-decision", "SD-2-c")
        assert t.refuses(c.Fold(seat=1)).code == "no-decision"
        if times:
            t.play(2, times)
        else:
            t.check(2).deal()
    assert turns == [2, 2, 2]
    t.finish()
    assert [line.wager for line in t.state.round.settled if line.seat == 1] == ["trips"]
    assert (t.settled("trips", 1).back, t.net(1), t.net(2)) == (2000, "15.00", "-30.00")
    t.check_books()


@pytest.mark.parametrize("mode", MODES)
def test_a_round_of_trips_alone_needs_no_decision(mode: str) -> None:
    t = sd(mode, LOW, QUEENS, "As Ah", "8c 3d").bet(1, trips=5).bet(4, trips=5, progressive=1).deal()
    assert t.state.section == "shuffling"
    assert (t.net(1), t.net(4)) == ("-5.00", "-6.00")
    assert not t.seen(e.Checked)
    t.check_books()


@pytest.mark.clause("SD-3-a", "SD-3-b", "SD-3-c")
@pytest.mark.parametrize("mode", MODES)
def test_tips_win_push_and_lose_with_the_players_hand(mode: str) -> None:
    t = sd(mode, LOW, QUEENS, "As Ah", "Kc 8c").bet(
        1, ante=10, trips=5, tips={"ante": 2, "blind": 1, "trips": 3}
    )
    assert t.refuses(c.Bet(seat=1, wagers={"trips": 500}, tips={"ante": 200})).clause == "SD-3-a"
    t.bet(2, ante=10, tips={"ante": 2}).deal()
    assert t.refuses(c.Play(seat=1, times=4, tip=1000)).clause == "SD-3-c"
    t.play(1, 4, tip=8).play(2, 3).finish()
    tips = {
        (line.seat, line.wager): (line.result, dollars(line.back))
        for line in t.state.round.settled
        if line.for_dealer
    }
    assert tips == {
        (1, "play"): ("win", "16.00"),
        (1, "ante"): ("win", "4.00"),
        (1, "blind"): ("push", "1.00"),
        (1, "trips"): ("lose", "0.00"),
        (2, "ante"): ("lose", "0.00"),
    }
    assert dollars(t.state.tips) == "21.00"
    # Won 40 and 10, lost 5 on trips; the 14 in tips no longer belong to the player.
    assert (t.net(1), t.net(2)) == ("31.00", "-52.00")
    t.check_books()


@pytest.mark.clause("SD-3-c")
def test_tips_of_a_folded_hand_are_taken_with_it() -> None:
    t = sd("manual", LOW, QUEENS, "8c 3d").bet(1, ante=10, tips={"ante": 2, "trips": 1})
    to_the_river(t, 1).fold(1).finish()
    assert (dollars(t.state.tips), t.net(1)) == ("0.00", "-23.00")
    t.check_books()
