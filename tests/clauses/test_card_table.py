"""The rules card at the table: its own rules for the deal and the announcements, and the Massachusetts rules for the rest."""

from typing import Any

import pytest

from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

BOARD, QUEENS = "Qd 9s 7h 4c 2d", "Qc 3s"
"""A board with which this dealer has a pair of queens."""
BURNS = "3d 5d"
MODES = ["manual", "device"]
FLOP = {"manual": "deal the flop", "device": "expose the flop"}
RIVER = {"manual": "deal the turn and river", "device": "expose the turn and river"}


def card(
    mode: str,
    holes: str = "As Ah",
    dealer: str = QUEENS,
    board: str = BOARD,
    burns: str = BURNS,
    **given: Any,
) -> Driver:
    """A table that deals these cards, by hand or by machine: holes from the left, two to each seat."""
    own, house, common = holes.split(), dealer.split(), board.split()
    if mode == "device":
        deck = [*common, *own, *house]
    else:
        first, second = burns.split()
        deck = [*own[::2], house[0], *own[1::2], house[1], first, *common[:3], second, *common[3:]]
    return table("uth-card", mode=mode, deck=" ".join(deck), **given)


def lines(t: Driver, clause: str) -> list[str]:
    """The script lines of a clause so far."""
    return [line.says for line in t.script if line.clause == clause]


def settled(t: Driver) -> list[tuple[int, str, str]]:
    """Every wager settled so far: seat, wager, result."""
    return [(s.seat, s.wager, s.result) for s in t.seen(e.WagerSettled)]


def for_mode(mode: str, by_hand: str, by_machine: str) -> str:
    """Return `by_hand` in manual mode, and `by_machine` otherwise."""
    return by_hand if mode == "manual" else by_machine


# --- the cards ---


@pytest.mark.clause("CARD-7")
@pytest.mark.parametrize("mode", MODES)
def test_each_player_and_the_dealer_get_two_cards(mode: str) -> None:
    t = card(mode, "As Ah Kc Kd 9c 8s").bet(1, ante=5).bet(3, ante=5).bet(5, ante=5).deal()
    assert [t.hole(1), t.hole(3), t.hole(5), t.dealer] == ["As Ah", "Kc Kd", "9c 8s", "Qc 3s"]
    assert t.next == "ask before the flop"
    hands = [seat.hands[1].cards for seat in t.view("rail").table.seats.values()]
    assert (hands, t.view("rail").table.dealer_cards) == ([2, 2, 2], 2)


@pytest.mark.clause("CARD-7")
def test_by_hand_the_cards_are_dealt_one_at_a_time_as_in_massachusetts() -> None:
    t = card("manual", "As Ah Kc Kd").bet(1, ante=5).bet(2, ante=5).deal()
    assert [(x.to, x.count, x.face, x.clause) for x in t.seen(e.CardsDealt)] == [
        ("seat 1", 1, (), "MA-7.d.1"),
        ("seat 2", 1, (), "MA-7.d.1"),
        ("dealer", 1, (), "MA-7.d.2"),
        ("seat 1", 1, (), "MA-7.d.3"),
        ("seat 2", 1, (), "MA-7.d.3"),
        ("dealer", 1, (), "MA-7.d.4"),
    ]


@pytest.mark.clause("CARD-7")
def test_by_machine_the_board_is_dealt_first_and_the_hands_in_pairs() -> None:
    t = card("device", "As Ah Kc Kd").bet(1, ante=5).bet(2, ante=5).deal()
    assert [(x.to, x.count, x.face, x.clause) for x in t.seen(e.CardsDealt)] == [
        ("board", 5, (), "MA-8.c-a"),
        ("seat 1", 2, (), "MA-8.c-b"),
        ("seat 2", 2, (), "MA-8.c-b"),
        ("dealer", 2, (), "MA-8.c-c"),
    ]


def faces(t: Driver) -> list[tuple[tuple[Any, ...], str | None]]:
    """The community cards that each event shows, with the clause of the event."""
    shown = [x for x in t.events if isinstance(x, e.CardsDealt | e.BoardTurned) and x.face]
    return [(x.face, x.clause) for x in shown]


@pytest.mark.clause("CARD-9")
@pytest.mark.parametrize("mode", MODES)
def test_three_community_cards_are_face_up_once_all_have_acted(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().check(1)
    early = t.out_of_order(FLOP[mode])
    assert (early.code, early.clause) == ("players-first", "CARD-9")
    assert t.board == ""
    t.play(2, 4).deal()
    assert faces(t) == [(cards("Qd 9s 7h"), "CARD-9")]
    assert t.board == "Qd 9s 7h"
    assert lines(t, "CARD-9") == [
        for_mode(mode, "Deal three", "Turn the first three") + " community cards face up."
    ]


@pytest.mark.clause("CARD-11")
@pytest.mark.parametrize("mode", MODES)
def test_two_final_community_cards_are_then_face_up(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().check(1, 2).deal().check(1)
    early = t.out_of_order(RIVER[mode])
    assert (early.code, early.clause) == ("players-first", "CARD-11")
    t.check(2).deal()
    assert faces(t)[1:] == [(cards("4c 2d"), "CARD-11")]
    assert t.board == BOARD


@pytest.mark.parametrize("mode", MODES)
def test_cards_are_burned_by_hand_only(mode: str) -> None:
    t = card(mode).bet(1, ante=5).deal().play(1, 4).deal()
    burned = [(x.sealed, x.clause) for x in t.seen(e.CardsBurned)]
    by_hand = [(cards("3d"), "MA-7.f.2-a"), (cards("5d"), "MA-7.f.4-a")]
    assert burned == (by_hand if mode == "manual" else [])


@pytest.mark.clause("CARD-14")
@pytest.mark.parametrize("mode", MODES)
def test_the_dealer_reveals_two_cards_and_announces_the_hand(mode: str) -> None:
    t = (
        card(mode, "As Ah 9c 8s")
        .bet(1, ante=5)
        .bet(2, ante=5)
        .deal()
        .play(1, 4)
        .check(2)
        .deal()
        .check(2)
        .deal()
    )
    early = t.out_of_order("turn up the dealer's cards")
    assert (early.code, early.clause) == ("players-first", "CARD-14")
    assert t.view("rail").table.dealer == ()
    t.fold(2).until("turn up the dealer's cards")
    t.perform("turn up the dealer's cards")
    revealed = t.last(e.DealerRevealed)
    assert (revealed.face, revealed.reads, revealed.clause) == (cards("Qc 3s"), "pair", "CARD-14")
    assert "pair of queens" in lines(t, "CARD-14")[0]
    assert t.view("rail").table.dealer == ("Qc", "3s")


# --- players ---


@pytest.mark.clause("CARD-28")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_with_cards_stays_until_the_round_is_completed(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal()
    early = t.refuses(c.Leave(seat=2))
    assert (early.code, early.clause) == ("round-not-complete", "CARD-28")
    assert "leave" not in t.legal("seat 2")
    t.play(1, 4).check(2).deal().check(2).deal().fold(2)
    # Folding does not let a player leave: the cards were received.
    folded = t.refuses(c.Leave(seat=2))
    assert (folded.code, folded.clause) == ("round-not-complete", "CARD-28")
    t.until("collect the board and the dealer's cards")
    assert t.refuses(c.Leave(seat=1)).clause == "CARD-28"
    t.deal()
    t.send(c.Leave(seat=2))
    assert t.last(e.PlayerLeft).chips == 999_000
    t.check_books()


@pytest.mark.clause("CARD-28")
@pytest.mark.parametrize("mode", MODES)
def test_an_absent_players_hand_is_checked_and_then_folded(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().play(1, 4)
    stays = t.refuses(c.Stand(seat=2))
    assert (stays.code, stays.clause) == ("round-not-complete", "CARD-28")
    t.send(c.Stand(seat=2, by="supervisor"))
    assert t.last(e.PlayerStood).clause == "CARD-28"
    unasked = t.refuses(c.ActFor(by="dealer", seat=2))
    assert (unasked.code, unasked.clause) == ("not-the-floor", "CARD-28")
    for _ in range(2):
        t.send(c.ActFor(by="supervisor", seat=2))
        t.deal()
    t.send(c.ActFor(by="supervisor", seat=2))
    assert [(x.stage, x.by) for x in t.seen(e.Checked)] == [
        ("before the flop", "supervisor"),
        ("after the flop", "supervisor"),
    ]
    assert (t.last(e.Folded).by, t.last(e.Folded).clause) == ("supervisor", "CARD-12-a")
    t.finish().check_books()
    assert (t.net(1), t.net(2)) == ("25.00", "-10.00")


def test_a_player_without_cards_may_take_wagers_back_and_leave() -> None:
    t = card("manual").bet(1, ante=5)
    assert t.refuses(c.Leave(seat=1)).code == "wagers-down"
    t.send(c.TakeBack(seat=1))
    t.send(c.Leave(seat=1))
    t.check_books()


@pytest.mark.parametrize("mode", MODES)
def test_players_without_a_play_bet_act_clockwise(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal()
    early = t.refuses(c.Check(seat=2))
    assert (early.code, early.clause) == ("out-of-turn", for_mode(mode, "MA-7.f.1-a", "MA-9.a-b"))
    t.play(1, 3).check(2).deal()
    again = t.refuses(c.Play(seat=1, times=2))
    assert (again.code, again.clause) == ("locked-in", "CARD-10-a")
    t.check(2).deal()
    third = t.refuses(c.Check(seat=2))
    assert (third.code, third.clause) == ("no-check", "CARD-12-a")
    assert t.legal("seat 2")[:2] == ["play 1x", "fold"]


# --- whole rounds ---


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_round_follows_massachusetts(mode: str) -> None:
    t = card(mode, "As Ah 7c 7d Kd 5h", "Kc Qs", "7s Kh 9d 4c 2s")
    t.bet(1, ante=10).bet(3, ante=10, trips=5).bet(5, ante=10).deal()
    t.play(1, 4).check(3, 5).deal().check(3, 5).deal().fold(3, 5).deal().check_books()
    assert settled(t) == [
        (3, "ante", "lose"),
        (3, "blind", "lose"),
        (5, "ante", "lose"),
        (5, "blind", "lose"),
        (1, "ante", "win"),
        (1, "blind", "push"),
        (1, "play", "win"),
        (3, "trips", "win"),
    ]
    assert [t.net(n) for n in (1, 3, 5)] == ["50.00", "-5.00", "-20.00"]
    # Folded cards without trips are spread and racked at once; those under trips are turned up at the end.
    assert [(x.seat, x.clause) for x in t.seen(e.CardsCounted)] == [
        (5, for_mode(mode, "MA-7.f.5.ii.b", "MA-9.e.2.ii"))
    ]
    assert [x.seat for x in t.seen(e.HandTurned)] == [1, 3]
    assert lines(t, for_mode(mode, "MA-7.f.5.ii.a", "MA-9.e.2.i"))[0] == (
        "Put the folded cards face down under the trips wager."
    )
    assert t.next == "shuffle"


@pytest.mark.parametrize("mode", MODES)
def test_a_large_payment_needs_no_approval(mode: str) -> None:
    t = card(mode, "7h 8h", "Ac Kd", "9h Th 2c 2d Jh").bet(1, ante=7).deal().play(1, 4).deal()
    assert t.seen(e.ApprovalAsked) == []
    assert (t.settled("blind").back, t.net(1)) == (35_700, "385.00")
    t.check_books()


@pytest.mark.parametrize("mode", MODES)
def test_the_stub_is_counted_once_in_five_rounds_unless_the_device_counts(mode: str) -> None:
    t = table("uth-card", mode=mode)
    other = table("uth-card", mode=mode, house={"device_counts": True})
    for driver in (t, other):
        for _ in range(5):
            driver.bet(1, ante=5).deal().play(1, 4).deal()
        driver.check_books()
    [counted] = t.seen(e.StubCounted)
    # 52 cards minus two hands of two, five community cards and, by hand, two burned cards.
    assert (counted.count, counted.right, counted.clause) == (
        41 if mode == "manual" else 43,
        True,
        "MA-7.g.1",
    )
    assert other.seen(e.StubCounted) == []


def test_the_table_is_opened_as_in_massachusetts() -> None:
    t = table("uth-card", open=False).open()
    t.perform("receive the cards")
    unnamed = t.refuses(c.Perform(step="inspect the deck"))
    assert (unnamed.code, unnamed.clause) == ("name-missing", "MA-3.b-a")
    assert t.out_of_order("shuffle").clause == "MA-3.b-a"
    t.ready()
    assert [x.step for x in t.seen(e.StepTaken)] == [
        "receive the cards",
        "inspect the deck",
        "verify the deck",
        "spread the cards",
        "offer the inspection",
        "wash and stack",
        "shuffle",
        "cut the cards",
        "load the shoe",
        "open the round",
    ]


# --- irregularities: the card says nothing, so Massachusetts applies ---


@pytest.mark.parametrize("mode", MODES)
def test_an_exposed_dealer_card_voids_the_hands_and_saves_trips(mode: str) -> None:
    t = card(mode, "7c 7d", "Kc Qs", "7s Kh 9d 4c 2s").bet(1, ante=5, trips=5).deal()
    t.report("exposed card", at="dealer", cards="Kc")
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.a-b", True)
    assert t.last(e.WagersReturned).wagers == {"ante": 500, "blind": 500}
    t.finish().check_books()
    assert settled(t) == [(1, "trips", "win")]
    assert (t.board, t.net(1)) == ("7s Kh 9d 4c 2s", "15.00")


@pytest.mark.parametrize("mode", MODES)
def test_another_exposed_card_is_turned_back(mode: str) -> None:
    t = card(mode).bet(1, ante=5).deal().report("exposed card", at="seat 1", cards="As")
    assert (t.last(e.CardExposed).turned_back, t.last(e.CardExposed).clause) == (True, "SD-5-c")
    assert t.play(1, 4).deal().net(1) == "25.00"


def test_one_face_up_card_is_set_aside_and_two_void_the_round() -> None:
    t = card("manual").bet(1, ante=5, trips=5).deal().check(1).until("deal the flop")
    t.shoe.stack("3h")
    t.report("face-up card", cards="3h")
    assert (t.last(e.FaceUpFound).used, t.last(e.FaceUpFound).clause) == (False, "MA-14.b-a")
    t.shoe.stack("5h")
    t.report("face-up card", cards="5h")
    # Every hand has its two cards: the board is completed without the face-up cards and trips settled.
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.b-c", True)
    t.finish().check_books()
    assert (t.board, settled(t), t.net(1)) == (BOARD, [(1, "trips", "lose")], "-5.00")


def test_two_face_up_cards_before_the_hands_are_dealt_return_every_wager() -> None:
    t = card("device").bet(1, ante=5, trips=5).until("dispense two cards to each player")
    for face_up in ("3h", "5h"):
        t.shoe.stack(face_up)
        t.report("face-up card", cards=face_up)
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.b-b", False)
    assert t.finish().net(1) == "0.00"


def test_a_card_drawn_in_error_is_the_next_card() -> None:
    t = card("manual").bet(1, ante=5).deal().check(1).until("deal the flop")
    [drawn] = t.shoe.take(1)
    t.report("card drawn in error", cards=str(drawn))
    assert t.last(e.CardDrawn).clause == "MA-14.c"
    t.deal()
    assert t.board == "Qd 9s 7h"


@pytest.mark.parametrize("mode", MODES)
def test_a_wrong_number_of_cards_voids_the_players_hand_or_every_hand(mode: str) -> None:
    t = card(mode, "As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal()
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.report("wrong number", at="seat 2")
    assert t.last(e.HandVoided).clause == "MA-14.d-a"
    assert t.net(2) == "0.00"
    t.send(c.DealExtra(at="dealer", cards=t.shoe.take(1)))
    t.report("wrong number", at="dealer")
    assert t.last(e.RoundVoided).clause == "MA-14.d-b"
    t.finish().check_books()
    assert t.net(1) == "0.00"


def test_a_short_dealer_is_dealt_the_card_in_sequence() -> None:
    t = card("manual").bet(1, ante=5).until("deal the second card to the dealer")
    t.send(c.DealShort())
    t.report("wrong number", at="dealer", cards="3s")
    t.shoe.take(1)
    assert t.last(e.HandCured).clause == "MA-14.d-c"
    t.deal().play(1, 4).deal().check_books()
    assert t.net(1) == "25.00"


@pytest.mark.parametrize("mode", MODES)
def test_a_wrong_count_voids_the_round_and_removes_the_deck(mode: str) -> None:
    t = table("uth-card", mode=mode)
    for _ in range(4):
        t.bet(1, ante=5).deal().play(1, 4).deal()
    t.bet(1, ante=5).deal().play(1, 4).until("count the stub")
    t.perform("count the stub", count=40 if mode == "manual" else 42)
    assert (t.last(e.RoundVoided).clause, t.last(e.DeckRemoved).clause) == ("MA-7.g.2-b", "MA-7.g.2-b")
    t.finish().check_books()
    assert t.net(1) == "0.00"


def test_a_jammed_shuffler_causes_a_new_shuffle() -> None:
    t = card("device").bet(1, ante=5)
    t.report("shuffler jam")
    assert (t.last(e.DeviceJammed).clause, t.next) == ("MA-14.e", "shuffle")


def test_a_machine_that_fails_voids_the_round() -> None:
    t = card("device", "7c 7d", "Kc Qs", "7s Kh 9d 4c 2s").bet(1, ante=5, trips=5).deal().play(1, 4)
    t.report("machine failure")
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.f", False)
    assert t.finish().net(1) == "0.00"
    assert (
        card("manual").bet(1, ante=5).deal().refuses(c.Report(kind="machine failure")).code == "no-machine"
    )
