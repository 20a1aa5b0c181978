"""Massachusetts, sections 7(g), 7(h) and 14: irregularities and their consequences, to the cent."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.play.stub_prompt import StubPrompt
from houseway.rules.loader import load
from houseway.testing.driver import stacked
from table_driver import Driver, table

MODES = ["manual", "device"]
BOARD, DEALER = "7s Kh 9d 4c 2s", "9c 3d"
SEVENS, ACE_HIGH, KINGS = "7c 7d", "Ac Jd", "Kc Ks"
"""With this board, the hands make three sevens, ace high and three kings; the dealer has a pair of nines."""
PROGRESSIVE: dict[str, Any] = {"tables": {"progressive": "PTMGL01"}, "house": {"feed": 20}}
FULL = {"ante": 10, "trips": 5, "progressive": 5}
"""Every wager possible by hand; by machine there is also Cover All."""


def full(mode: str) -> dict[str, int]:
    """Every wager a player can make."""
    return FULL | ({"cover_all": 5} if mode == "device" else {})


def bets(mode: str, terms: dict[str, Any] | None = None, **each: dict[str, Any]) -> Driver:
    """Seats 2, 4 and 6 with three sevens, ace high and three kings, their wagers placed."""
    t = table(
        "uth-ma", mode=mode, deck=stacked(mode, BOARD, DEALER, SEVENS, ACE_HIGH, KINGS), **(terms or {})
    )
    for seat in (2, 4, 6):
        t.bet(seat, **each.get(f"s{seat}", {"ante": 10}))
    return t


def river(t: Driver) -> Driver:
    """Everyone has checked twice."""
    return t.deal().check(2, 4, 6).deal().check(2, 4, 6).deal()


def nets(t: Driver) -> list[str]:
    """Each seat's net once the round is over and the books balance."""
    t.finish().check_books()
    assert [s.hands[0].wagers for s in t.state.seats.values()] == [{}] * len(t.state.seats)
    return [t.net(seat) for seat in t.state.seats]


def extra(t: Driver, place: str, card: str = "8h") -> Driver:
    """An extra card for a hand."""
    t.shoe.stack(card)
    t.send(c.DealExtra(at=place, cards=t.shoe.take(1)))
    return t


NOTHING_LOST = ["0.00", "0.00", "0.00"]


# --- the dealer's card is exposed ---


@pytest.mark.clause("MA-14.a-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_dealers_card_exposed_before_all_have_acted_voids_every_hand(mode: str) -> None:
    t = bets(mode).deal().play(2, 4)
    t.report("exposed card", at="dealer", cards="9c")
    voided = t.last(e.RoundVoided)
    assert (voided.why, voided.trips, voided.clause) == ("exposed card", False, "MA-14.a-a")
    returned = {r.seat: r.wagers for r in t.seen(e.WagersReturned)}
    assert returned[2] == {"ante": 1000, "blind": 1000, "play": 4000}
    assert returned[4] == returned[6] == {"ante": 1000, "blind": 1000}
    # There is no trips wager, so no community card is dealt for it.
    assert nets(t) == NOTHING_LOST
    assert t.board == ""


@pytest.mark.clause("MA-14.a-a")
@pytest.mark.parametrize("mode", MODES)
def test_after_the_last_decision_an_exposed_card_of_the_dealer_changes_nothing(mode: str) -> None:
    t = river(bets(mode)).play(2, 1).play(4, 1)
    t.report("exposed card", at="seat 4", cards="Ac")
    # A card already face up cannot be exposed.
    assert t.refuses(t.reporting("exposed card", at="board", cards="2s")).code == "unknown-place"
    assert not t.state.round.void
    t.play(6, 1).report("exposed card", at="dealer", cards="3d")
    assert t.last(e.CardExposed).clause == "SD-5-c"
    assert nets(t) == ["20.00", "-30.00", "20.00"]
    early = river(bets(mode)).play(2, 1).play(4, 1).report("exposed card", at="dealer", cards="3d")
    assert early.state.round.void


@pytest.mark.clause("MA-14.a-b")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("when", ["before the flop", "after the flop", "after the river"])
def test_trips_is_settled_on_the_completed_board(mode: str, when: str) -> None:
    t = bets(mode, s2={"ante": 10, "trips": 5}, s4={"ante": 10, "trips": 5})
    t.until(f"ask {when}").report("exposed card", at="dealer", cards="9c")
    assert (t.last(e.RoundVoided).trips, t.last(e.RoundVoided).clause) == (True, "MA-14.a-b")
    assert t.wagers(2) == t.wagers(4) == {"trips": "5.00"}
    assert nets(t) == ["15.00", "-5.00", "0.00"]
    assert t.board == BOARD
    assert (t.settled("trips", 2).odds, t.settled("trips", 2).clause) == ("3 to 1", "MA-10.d-B")
    assert [s.wager for s in t.state.round.settled] == ["trips", "trips"]


@pytest.mark.clause("MA-14.a-b")
@pytest.mark.parametrize("served", [0, 1, 2])
def test_an_interrupted_deal_is_completed_in_order(served: int) -> None:
    t = bets("manual", s2={"ante": 10}, s4={"ante": 10, "trips": 5}, s6={"ante": 10, "trips": 5})
    t.until("deal the second card to each player")
    for _ in range(served):
        t.perform("deal the second card to each player", cards=t.shoe.take(1))
    t.report("exposed card", at="dealer", cards="9c")
    # Every player dealt in gets the second card, so no hand changes.
    assert nets(t) == ["0.00", "-5.00", "15.00"]
    assert [t.hole(n) for n in (2, 4, 6)] == [SEVENS, ACE_HIGH, KINGS]
    assert (t.board, t.dealer) == (BOARD, DEALER)


@pytest.mark.clause("MA-14.a-b")
def test_all_other_wagers_and_the_meter_contributions_are_returned() -> None:
    t = bets("device", PROGRESSIVE, s2=full("device"), s4=full("device"), s6=full("device")).deal()
    assert t.meter() == "50003.00"
    t.play(2, 4).report("exposed card", at="dealer", cards="3d")
    assert t.meter() == "50000.00"
    assert t.last(e.MeterFed).meters == {"main": -300_000_000}
    assert nets(t) == ["15.00", "-5.00", "15.00"]
    assert t.state.reserves == {"main": 0}


@pytest.mark.clause("MA-14.a-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_fold_made_before_the_void_still_counts(mode: str) -> None:
    t = river(bets(mode, PROGRESSIVE, s2=full(mode), s4=full(mode), s6=full(mode)))
    t.fold(2).report("exposed card", at="dealer", cards="9c")
    assert t.meter() == "50000.00"
    # Seat 2 has lost ante and blind and won on trips; every player gets the progressive and Cover All back.
    assert nets(t) == ["-5.00", "-5.00", "15.00"]


@pytest.mark.clause("MA-14.a-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_fold_the_dealer_has_not_collected_yet_counts_too(mode: str) -> None:
    t = river(bets(mode, s2={"ante": 10, "trips": 5}))
    t.send(c.Fold(by="seat 2", seat=2))
    t.report("exposed card", at="dealer", cards="9c")
    assert nets(t) == ["-5.00", "0.00", "0.00"]


@pytest.mark.clause("MA-14.a-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_hand_that_cannot_be_read_gets_its_trips_back_in_a_void_round(mode: str) -> None:
    t = extra(bets(mode, s2={"ante": 10, "trips": 5}, s6={"ante": 10, "trips": 5}).deal(), "seat 2")
    t.report("exposed card", at="dealer", cards="9c").until("settle the hands")
    assert t.refuses(c.Perform(step="settle the hands")).clause == "MA-14.d-a"
    t.report("wrong number", at="seat 2")
    assert nets(t) == ["0.00", "0.00", "15.00"]


# --- cards face up in the deck ---


def face_up(t: Driver, text: str) -> Driver:
    """The next card of the shoe is found face up."""
    t.shoe.stack(text)
    return t.report("face-up card", cards=codes(t.shoe.take(1)))


@pytest.mark.clause("MA-14.b-a")
@pytest.mark.parametrize(
    ("mode", "step"),
    [
        ("manual", "deal the first card to each player"),
        ("manual", "deal the second card to the dealer"),
        ("manual", "burn before the flop"),
        ("manual", "deal the turn and river"),
        ("device", "dispense the community cards"),
        ("device", "dispense two cards to each player"),
    ],
)
def test_one_face_up_card_is_racked_and_the_next_takes_its_place(mode: str, step: str) -> None:
    t = face_up(bets(mode, s2={"ante": 10, "trips": 5}).until(step), "7h")
    event = t.last(e.FaceUpFound)
    assert (codes(event.face), event.used, event.clause) == ("7h", False, "MA-14.b-a")
    assert ("face up", 1) in [(r.what, r.count) for r in t.state.rack]
    assert not t.state.round.void
    # All check and fold: ante and blind are lost, trips wins.
    assert nets(t) == ["-5.00", "-20.00", "-20.00"]
    assert (t.board, t.dealer) == (BOARD, DEALER)


@pytest.mark.clause("MA-14.b-b")
@pytest.mark.parametrize("mode", MODES)
def test_two_face_up_cards_before_every_hand_is_dealt_void_the_round(mode: str) -> None:
    deal = {"manual": "deal the second card to each player", "device": "dispense two cards to each player"}
    t = bets(mode, PROGRESSIVE, s2=full(mode), s4=full(mode), s6=full(mode)).until(deal[mode])
    face_up(t, "7h")
    face_up(t, "Kd")
    voided = t.last(e.RoundVoided)
    assert (voided.trips, voided.clause) == (False, "MA-14.b-b")
    assert t.meter() == "50000.00"
    assert nets(t) == NOTHING_LOST
    assert t.next == "shuffle"
    assert t.out_of_order("open the round").clause == "MA-4.a-a"


@pytest.mark.clause("MA-14.b-c")
def test_two_face_up_cards_at_the_flop_leave_trips_to_be_settled() -> None:
    t = bets("manual", PROGRESSIVE, s2=FULL, s4=FULL, s6={"ante": 10}).deal().play(2, 4).check(4, 6)
    face_up(t.until("deal the flop"), "7h")
    t.perform("deal the flop")
    face_up(t, "Kd")
    voided = t.last(e.RoundVoided)
    assert (voided.trips, voided.clause) == (True, "MA-14.b-c")
    # Another face-up card is set aside as well; the board is the same as without them.
    face_up(t, "As")
    assert nets(t) == ["15.00", "-5.00", "0.00"]
    assert t.board == BOARD
    assert t.meter() == "50000.00"
    assert t.next == "shuffle"


@pytest.mark.clause("MA-14.b-c")
def test_two_face_up_cards_after_the_hands_complete_the_board_even_without_a_trips_wager() -> None:
    # 14(b) deals the community cards without a condition; 14(a) asks for a trips wager.
    t = bets("manual").deal().check(2, 4, 6)
    face_up(t, "7h")
    face_up(t, "Kd")
    voided = t.last(e.RoundVoided)
    assert (voided.trips, voided.board, voided.clause) == (False, True, "MA-14.b-c")
    assert (nets(t), t.board) == (NOTHING_LOST, BOARD)
    assert t.next == "shuffle"


def test_a_face_up_card_after_the_deal_cannot_be_reported() -> None:
    t = bets("device").deal()
    assert t.refuses(t.reporting("face-up card", cards="7h")).code == "nothing-to-deal"


# --- a card drawn in error ---


@pytest.mark.clause("MA-14.c")
@pytest.mark.parametrize(
    ("mode", "step"),
    [
        ("manual", "deal the first card to each player"),
        ("manual", "deal the first card to the dealer"),
        ("manual", "ask before the flop"),
        ("manual", "deal the flop"),
        ("device", "dispense the community cards"),
        ("device", "dispense the dealer's hand"),
    ],
)
def test_an_unseen_card_drawn_too_early_is_the_next_card(mode: str, step: str) -> None:
    t = bets(mode).until(step)
    t.report("card drawn in error", cards=codes(t.shoe.take(1)))
    drawn = t.last(e.CardDrawn)
    assert (len(drawn.sealed), drawn.clause) == (1, "MA-14.c")
    assert nets(t) == ["-20.00", "-20.00", "-20.00"]
    assert [t.hole(n) for n in (2, 4, 6)] == [SEVENS, ACE_HIGH, KINGS]
    assert (t.board, t.dealer) == (BOARD, DEALER)
    assert sum(r.count for r in t.state.rack) == 52


# --- a wrong number of cards ---


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize("mode", MODES)
def test_three_cards_void_only_that_players_hand(mode: str) -> None:
    t = extra(bets(mode, PROGRESSIVE, s2=full(mode), s4=full(mode), s6=full(mode)).deal(), "seat 4")
    t.report("wrong number", at="seat 4")
    assert (t.last(e.WrongNumberFound).count, t.last(e.HandVoided).clause) == (3, "MA-14.d-a")
    assert [r.seat for r in t.seen(e.WagersReturned)] == [4]
    assert (t.net(4), t.wagers(4)) == ("0.00", {})
    # Two of the three contributions stay on the meter.
    assert t.meter() == "50002.00"
    t.play(2, 4).play(6, 4)
    # Ante, play at four times, trips, and nine times the progressive for three of a kind on the flop.
    cover = -5 if mode == "device" else 0
    assert nets(t) == [f"{10 + 40 + 15 + 40 + cover}.00", "0.00", f"{10 + 40 + 15 + 40 + cover}.00"]


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_passed_over_in_the_deal_is_out_and_the_others_get_their_cards(mode: str) -> None:
    step = {"manual": "deal the second card to each player", "device": "dispense two cards to each player"}
    t = bets(mode).until(step[mode])
    t.send(c.DealShort())
    # Noticed at once, before seats 4 and 6 have theirs.
    t.report("wrong number", at="seat 2")
    assert t.next == step[mode]
    t.deal()
    assert [len(t.state.seats[n].hands[0].cards) for n in (4, 6)] == [2, 2]
    assert len(t.state.round.dealer) == 2
    assert nets(t) == ["0.00", "-20.00", "-20.00"]


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_folded_hand_of_three_cards_is_void(mode: str) -> None:
    t = extra(bets(mode, s4={"ante": 10, "trips": 5}).deal(), "seat 4")
    t.until("ask after the river")
    t.play(2, 1)
    t.send(c.Fold(by="seat 4", seat=4))
    refusal = t.refuses(c.Perform(step="take the fold"))
    assert (refusal.code, refusal.clause) == ("wrong-number", "MA-14.d-a")
    t.report("wrong number", at="seat 4").play(6, 1)
    assert nets(t)[1] == "0.00"


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_hand_with_a_wrong_number_of_cards_is_not_settled_before_it_is_reported(mode: str) -> None:
    t = extra(bets(mode).deal(), "seat 2")
    t.until("ask after the river")
    # A fold at another seat is collected as usual.
    t.play(2, 1).fold(4).play(6, 1).until("settle the hands")
    assert t.refuses(c.Perform(step="settle the hands")).clause == "MA-14.d-a"
    t.report("wrong number", at="seat 2")
    assert nets(t)[0] == "0.00"


@pytest.mark.clause("MA-14.d-a")
@pytest.mark.parametrize(
    ("book", "mode"),
    [(book, mode) for book in ("uth-ma", "uth-card", "uth-proc") for mode in load(book).modes],
)
@pytest.mark.parametrize("seats", [(1,), (1, 3)], ids=["one hand", "both hands"])
def test_a_round_ends_without_a_board_once_every_hand_is_void(
    book: str, mode: str, seats: tuple[int, ...]
) -> None:
    t = table(book, mode=mode)
    for seat in seats:
        t.bet(seat, ante=5)
    t.deal()
    for seat in seats:
        t.send(c.DealExtra(at=f"seat {seat}", cards=t.shoe.take(1)))
    turned = len(t.seen(e.CardsDealt)) + len(t.seen(e.CardsBurned))
    for seat in seats:
        assert not t.seen(e.RoundVoided)
        t.report("wrong number", at=f"seat {seat}")
    voided = t.last(e.RoundVoided)
    assert (voided.why, voided.trips, voided.clause) == ("wrong number", False, "MA-14.d-a")
    t.finish()
    assert not t.seen(e.BoardTurned)
    assert not t.seen(e.DealerRevealed)
    assert len(t.seen(e.CardsDealt)) + len(t.seen(e.CardsBurned)) == turned
    assert [t.net(seat) for seat in seats] == ["0.00"] * len(seats)
    assert sum(line.startswith("That player's hand is void") for line in t.says()) == len(seats)
    t.check_books()
    t.bet(1, ante=5).deal().finish().check_books()


@pytest.mark.clause("MA-14.d-b")
@pytest.mark.parametrize("mode", MODES)
def test_three_cards_for_the_dealer_void_every_hand(mode: str) -> None:
    t = extra(bets(mode, PROGRESSIVE, s2=full(mode), s4=full(mode), s6=full(mode)).deal(), "dealer")
    t.play(2, 4).report("wrong number", at="dealer")
    voided = t.last(e.RoundVoided)
    assert (voided.why, voided.trips, voided.clause) == ("wrong number", False, "MA-14.d-b")
    assert t.meter() == "50000.00"
    assert nets(t) == NOTHING_LOST


@pytest.mark.clause("MA-14.d-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_dealers_hand_of_three_cards_is_not_turned_up(mode: str) -> None:
    t = extra(bets(mode).deal(), "dealer")
    t.until("turn up the dealer's cards")
    assert t.refuses(c.Perform(step="turn up the dealer's cards")).clause == "MA-14.d-b"
    # The players had folded before the report, so their folds count.
    assert nets(t.report("wrong number", at="dealer")) == ["-20.00", "-20.00", "-20.00"]


LAST = {"manual": "deal the second card to the dealer", "device": "dispense the dealer's hand"}


def dealer_skipped(mode: str) -> Driver:
    """A table where the dealer got no card in the last step of the deal."""
    t = bets(mode, s2={"ante": 10, "trips": 5}).until(LAST[mode])
    t.send(c.DealShort())
    return t


def missing_cards(t: Driver) -> str:
    """Take the cards that the dealer lacks from the shoe."""
    return codes(t.shoe.take(2 - len(t.state.round.dealer)))


@pytest.mark.clause("MA-14.d-c")
@pytest.mark.parametrize("mode", MODES)
def test_the_dealers_missing_cards_are_dealt_in_sequence(mode: str) -> None:
    t = dealer_skipped(mode)
    t.report("wrong number", at="dealer", cards=missing_cards(t), count=52)
    assert t.last(e.HandCured).clause == "MA-14.d-c"
    assert (t.dealer, t.state.round.void) == (DEALER, "")
    t.deal().play(2, 4)
    assert nets(t) == ["65.00", "-20.00", "-20.00"]
    assert t.board == BOARD


@pytest.mark.clause("MA-14.d-c")
@pytest.mark.parametrize(
    "detail",
    [
        pytest.param({"seen": True}, id="the card was turned up"),
        pytest.param({"count": 51}, id="the deck does not hold 52"),
    ],
)
def test_an_exposed_card_or_an_incomplete_deck_cannot_complete_the_dealers_hand(
    detail: dict[str, Any],
) -> None:
    t = dealer_skipped("manual")
    t.report("wrong number", at="dealer", cards=missing_cards(t), **detail)
    assert t.last(e.RoundVoided).clause == "MA-14.d-b"
    assert nets(t) == NOTHING_LOST
    right = dealer_skipped("manual")
    right.report("wrong number", at="dealer", cards=missing_cards(right))
    assert not right.state.round.void


@pytest.mark.clause("MA-14.d-c")
@pytest.mark.parametrize("mode", MODES)
def test_the_dealers_hand_cannot_be_completed_once_other_cards_have_been_dealt(mode: str) -> None:
    later = {"manual": "deal the flop", "device": "ask after the river"}
    t = dealer_skipped(mode).until(later[mode])
    t.report("wrong number", at="dealer", cards=missing_cards(t))
    assert t.last(e.RoundVoided).clause == "MA-14.d-b"
    assert nets(t) == NOTHING_LOST
    right = dealer_skipped(mode).until("ask before the flop")
    right.report("wrong number", at="dealer", cards=missing_cards(right))
    assert not right.state.round.void


@pytest.mark.clause("MA-14.d-c")
def test_a_card_drawn_in_error_completes_the_dealers_hand() -> None:
    t = dealer_skipped("manual").until("ask before the flop")
    t.report("card drawn in error", cards=missing_cards(t)).report("wrong number", at="dealer")
    assert (t.dealer, t.state.round.void, t.state.round.drawn) == (DEALER, "", ())
    assert sum(r.count for r in t.finish().state.rack) == 52


# --- the stub count ---


def fifth(**each: dict[str, Any]) -> Driver:
    """The fifth round, five players, dealt by hand, the stub count due."""
    t = table("uth-ma", **PROGRESSIVE)
    for _ in range(4):
        t.bet(1, ante=10).deal().finish()
    for seat in (1, 2, 3, 4, 6):
        t.bet(seat, **each.get(f"s{seat}", {"ante": 10}))
    return t.deal()


@pytest.mark.clause("MA-7.g.2-a")
def test_a_misdeal_found_by_the_count_voids_every_hand_and_keeps_the_deck() -> None:
    t = fifth(s2=FULL)
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.until("count the stub")
    t.perform("count the stub", count=32)
    counted = t.last(e.StubCounted)
    assert (counted.count, counted.expected, counted.right) == (32, 33, False)
    assert (t.last(e.RoundVoided).why, t.last(e.RoundVoided).clause) == ("wrong count", "MA-7.g.2-a")
    assert t.meter() == "50000.00"
    assert nets(t) == ["0.00"] * 5
    assert t.seen(e.DeckRemoved) == []
    assert t.bet(1, ante=10).deal().finish().state.round.number == 6


@pytest.mark.clause("MA-7.g.2-a")
def test_the_hands_of_a_table_that_knows_its_cards_are_not_counted_again() -> None:
    t = fifth().until("count the stub")
    for holds, count, code in (
        ({"seat 2": 3}, 32, "number-known"),
        ({"seat 2": 3}, 33, "right-number"),
        ({"seat 5": 3}, 32, "unknown-place"),
        ({"board": 6}, 32, "unknown-place"),
    ):
        assert t.refuses(c.Perform(step="count the stub", count=count, holds=holds)).code == code


@pytest.mark.clause("MA-7.g.2-a")
def test_hands_are_counted_only_with_the_stub() -> None:
    t = fifth().until("ask before the flop").check(1, 2, 3, 4, 6)
    step = t.next
    assert t.refuses(c.Perform(step=step, cards=t.shoe.take(1), holds={"seat 2": 3})).code == "right-number"


@pytest.mark.clause("MA-7.g.2-a")
def test_a_wrong_count_is_forgotten_if_no_hand_must_be_counted_any_more() -> None:
    t = fifth().until("count the stub")
    asking = StubPrompt()
    asking.count = 32
    assert asking.read(t.table, t.state, "count the stub", "") == c.Perform(step="count the stub", count=33)
    assert asking.count is None


@pytest.mark.clause("MA-7.g.2-a")
def test_a_count_that_finds_six_community_cards_does_not_say_that_a_hand_is_wrong() -> None:
    t = fifth().until("ask after the flop").check(1, 2, 3, 4, 6).until("deal the turn and river")
    t.perform("deal the turn and river")
    t.send(c.DealExtra(at="board", cards=t.shoe.take(1)))
    t.until("count the stub")
    # All 52 cards are there and every hand has two, so no clause says what follows.
    t.perform("count the stub", count=32)
    assert (t.last(e.RoundVoided).why, t.last(e.RoundVoided).clause) == ("wrong count", None)
    assert any(line.startswith("The board has the wrong number of cards") for line in t.says())
    assert not any(line.startswith("A hand has the wrong number") for line in t.says())
    assert nets(t) == ["0.00"] * 5
    assert t.seen(e.DeckRemoved) == []


@pytest.mark.clause("MA-7.g.2-b")
@pytest.mark.parametrize("misdealt", [False, True])
def test_a_missing_card_voids_every_hand_and_removes_the_deck(misdealt: bool) -> None:
    t = fifth(s2=FULL)
    if misdealt:
        t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.until("count the stub")
    t.perform("count the stub", count=31 if misdealt else 32)
    assert t.last(e.RoundVoided).clause == "MA-7.g.2-b"
    removed = t.last(e.DeckRemoved)
    assert (removed.deck, removed.clause) == ("A", "MA-7.g.2-b")
    assert nets(t) == ["0.00"] * 5
    refusal = t.refuses(c.Perform(step="shuffle"))
    assert (refusal.code, refusal.clause) == ("deck-off", "MA-7.g.2-b")
    t.send(c.ReplaceDeck(by="floor", deck="A"))
    assert t.next == "confirm the deck"
    assert t.bet(1, ante=10).deal().finish().state.round.number == 6


@pytest.mark.clause("MA-7.h-b")
def test_a_deck_that_the_device_counts_as_short_is_not_used_until_it_is_replaced() -> None:
    house = {"shuffler": "device", "device_counts": True}
    t = table("uth-ma", mode="device", house=house).bet(1, ante=10).deal().finish()
    assert t.refuses(t.reporting("device count", count=52)).code == "right-number"
    t.report("device count", count=51)
    assert t.last(e.DeckRemoved).clause == "MA-7.h-b"
    refusal = t.refuses(c.Perform(step="shuffle"))
    assert (refusal.code, refusal.clause) == ("deck-off", "MA-7.h-b")
    assert t.refuses(t.reporting("device count", count=51)).code == "deck-off"
    t.send(c.ReplaceDeck(by="floor", deck="A"))
    assert t.bet(1, ante=10).deal().finish().state.round.number == 2


@pytest.mark.clause("MA-7.h-a")
def test_a_device_shows_no_count_before_the_cards_are_shuffled() -> None:
    """MA-7.h: the device counts the cards after the completion of each shuffle."""
    house = {"shuffler": "device", "device_counts": True}
    t = table("uth-ma", mode="device", house=house).bet(1, ante=10).deal().finish()
    t.report("device count", count=51)
    t.send(c.ReplaceDeck(by="floor", deck="A"))
    assert t.next == "confirm the deck"
    refusal = t.refuses(t.reporting("device count", count=51))
    assert (refusal.code, refusal.clause) == ("not-shuffling", "MA-7.h-a")
    t.bet(1, ante=10).report("device count", count=51)
    assert t.last(e.DeckRemoved).clause == "MA-7.h-b"


@pytest.mark.clause("MA-7.h-b")
def test_a_short_deck_found_before_the_deal_voids_the_round() -> None:
    counts = {**PROGRESSIVE, "house": {**PROGRESSIVE.get("house", {}), "device_counts": True}}
    t = bets("device", counts, s2=full("device"), s4=full("device"), s6=full("device"))
    t.report("device count", count=51)
    assert t.refuses(t.betting(2, ante=10)).code == "no-more-bets"
    assert t.meter() == "50000.00"
    assert nets(t) == NOTHING_LOST
    assert t.refuses(c.Perform(step="shuffle")).clause == "MA-7.h-b"


# --- devices ---


@pytest.mark.clause("MA-14.e")
@pytest.mark.parametrize("mode", MODES)
def test_a_shuffler_jam_requires_a_reshuffle_and_changes_no_wager(mode: str) -> None:
    t = table("uth-ma", mode=mode, house={"shuffler": "device"}).bet(2, ante=10, trips=5)
    t.report("shuffler jam")
    assert t.last(e.ReshuffleOrdered).clause == "MA-14.e"
    assert t.wagers(2) == {"ante": "10.00", "blind": "10.00", "trips": "5.00"}
    assert t.out_of_order("announce no more bets").clause == "MA-4.a-a"
    shuffles = len(t.seen(e.DeckShuffled))
    t.until("announce no more bets")
    assert len(t.seen(e.DeckShuffled)) == shuffles + 1
    assert t.deal().next == "ask before the flop"


@pytest.mark.clause("MA-14.e")
def test_a_jam_between_two_rounds_does_not_change_the_deck_in_play() -> None:
    t = table("uth-ma", house={"shuffler": "device", "decks": 2}).bet(2, ante=10).deal().finish()
    t.until("load the shoe")
    deck = t.state.playing.name
    t.report("shuffler jam")
    assert (t.next, t.state.playing.name) == ("shuffle", deck)
    t.bet(2, ante=10)
    assert (t.state.round.number, t.state.playing.name, deck) == (2, "B", "B")


TWO = {"shuffler": "device", "decks": 2}


def shuffled(t: Driver) -> list[str]:
    """The decks in the order of their shuffles."""
    return [event.deck for event in t.seen(e.DeckShuffled)]


@pytest.mark.clause("MA-14.e")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("direct", [False, True], ids=["stacked", "direct"])
@pytest.mark.parametrize(
    "when", ["ask before the flop", "ask after the river", "close the round", "clear the rack", "take the shuffled deck"]
)  # fmt: skip
def test_a_deck_that_jams_in_the_device_is_shuffled_again_before_it_is_used(
    when: str, direct: bool, mode: str
) -> None:
    t = table("uth-ma", mode=mode, house={**TWO, "direct_to_shoe": direct}).bet(2, ante=10, trips=5)
    t.until(when)
    assert (shuffled(t), t.state.playing.name) == (["A", "B", "B"], "A")
    stakes = t.wagers(2)
    t.report("shuffler jam")
    ordered = t.last(e.ReshuffleOrdered)
    assert (ordered.decks, ordered.clause) == (("B",), "MA-14.e")
    # No wager is affected: the round with deck A continues.
    assert (t.wagers(2), t.state.round.void) == (stakes, "")
    t.until("shuffle")
    for early in ("take the shuffled deck", "open the round"):
        assert t.out_of_order(early).clause == "MA-4.a-a"
    t.bet(2, ante=10)
    again = t.seen(e.DeckShuffled)[-1]
    assert (again.deck, again.method, shuffled(t)) == ("B", "device", ["A", "B", "B", "B"])
    place = "shoe" if mode == "manual" else "machine"
    assert [(d.name, d.stands) for d in t.state.decks] == [("A", "device"), ("B", place)]
    assert t.deal().state.round.deck == "B"
    t.finish().check_books()


@pytest.mark.clause("MA-14.e")
def test_a_jam_before_the_shuffle_of_a_round_needs_no_additional_shuffle() -> None:
    t = table("uth-ma", house=TWO).bet(2, ante=10)
    t.report("shuffler jam").deal().finish().bet(2, ante=10)
    # The opening shuffles both decks; the round shuffles the deck in the device after the jam.
    assert shuffled(t) == ["A", "B", "B"]


@pytest.mark.clause("MA-14.e")
def test_a_jam_at_the_end_of_the_opening_repeats_the_shuffle() -> None:
    t = table("uth-ma", open=False, house=TWO).open().until("take the shuffled deck")
    t.report("shuffler jam")
    assert (t.last(e.ReshuffleOrdered).decks, t.next) == (("A", "B"), "shuffle")
    t.bet(2, ante=10).deal().finish().bet(2, ante=10)
    assert shuffled(t) == ["A", "B", "A", "B"]
    # Deck A, already shuffled, may jam in the device during the opening steps of deck B.
    t = table("uth-ma", open=False, house=TWO).open().until("shuffle the deck")
    assert t.refuses(t.reporting("shuffler jam")).code == "not-shuffling"
    t.step()
    t.report("shuffler jam").bet(2, ante=10)
    assert shuffled(t) == ["A", "B", "A"]


@pytest.mark.clause("MA-14.e")
def test_the_very_first_shuffle_may_jam() -> None:
    t = table("uth-ma", open=False, house={"shuffler": "device"}).open().until("shuffle")
    t.report("shuffler jam")
    assert t.next == "shuffle"
    assert t.bet(2, ante=10).deal().next == "ask before the flop"


@pytest.mark.clause("MA-14.f")
def test_a_dealing_machine_that_jams_voids_the_round_and_all_cards_are_reshuffled() -> None:
    t = bets("device", PROGRESSIVE, s2=full("device"), s4=full("device"), s6=full("device"))
    t.until("dispense two cards to each player")
    t.perform("dispense two cards to each player", cards=t.shoe.take(4))
    assert [len(s.hands[0].cards) for s in t.state.seats.values()] == [2, 2, 0]
    t.report("machine failure")
    voided = t.last(e.RoundVoided)
    assert (voided.why, voided.trips, voided.clause) == ("machine failure", False, "MA-14.f")
    assert t.meter() == "50000.00"
    assert nets(t) == NOTHING_LOST
    assert t.next == "shuffle"
    assert t.out_of_order("open the round").clause == "MA-4.a-a"
    t.until("open the round")
    assert (t.state.playing.used, t.state.rack) == (0, ())


@pytest.mark.clause("MA-14.f")
@pytest.mark.parametrize("when", ["announce no more bets", "ask after the flop", "ask after the river"])
def test_trips_is_returned_unsettled_when_the_machine_fails(when: str) -> None:
    t = bets("device", s2={"ante": 10, "trips": 5}).until(when).report("machine failure")
    assert nets(t) == NOTHING_LOST
    assert t.seen(e.WagerSettled) == []


def test_by_hand_there_is_no_machine_to_fail() -> None:
    t = bets("manual").deal()
    assert t.refuses(t.reporting("machine failure")).code == "no-machine"


# --- coupons ---

COUPON: dict[str, Any] = {"house": {"match_play": True, "feed": 20}, "tables": {"progressive": "PTMGL01"}}


@pytest.mark.clause("MA-6.a-b")
@pytest.mark.parametrize("fault", ["dealer", "seat 2"])
def test_a_coupon_is_returned_with_a_void_ante(fault: str) -> None:
    t = extra(bets("manual", COUPON, s2={"ante": 10, "coupon": 10}).deal().play(2, 4), fault)
    t.report("wrong number", at=fault)
    returned = next(r for r in t.seen(e.WagersReturned) if r.seat == 2)
    assert (returned.coupon, returned.wagers) == (1000, {"ante": 1000, "blind": 1000, "play": 4000})
    assert t.state.seats[2].hands[0].coupon == 0
    assert nets(t)[0] == "0.00"


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_of_a_folded_ante_stays_lost_when_the_round_is_void() -> None:
    t = river(bets("manual", COUPON, s2={"ante": 10, "coupon": 10})).fold(2)
    t.report("exposed card", at="dealer", cards="9c")
    assert [r.coupon for r in t.seen(e.WagersReturned)] == [0, 0]
    assert nets(t) == ["-20.00", "0.00", "0.00"]


# --- community cards and the deck ---


@pytest.mark.clause("MA-14.b-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_card_exposed_on_top_of_the_deck_is_not_used(mode: str) -> None:
    t = bets(mode).until("deal the flop" if mode == "manual" else "dispense the dealer's hand")
    top = codes(t.shoe.take(1))
    t.report("exposed card", at="deck", cards=top)
    assert (codes(t.last(e.FaceUpFound).face), t.last(e.FaceUpFound).clause) == (top, "MA-14.b-a")
    t.deal()
    assert top not in (*t.board.split(), *t.dealer.split())
    t.finish().check_books()


@pytest.mark.clause("SD-5-b", "SD-5-c")
@pytest.mark.parametrize("mode", MODES)
def test_a_premature_flop_does_not_change_the_cards(mode: str) -> None:
    t = bets(mode).deal().check(2)
    t.report("premature flop", cards=codes(t.shoe.take(4)) if mode == "manual" else "")
    exposed = t.last(e.BoardExposed)
    # Massachusetts says nothing about it, so its rulebook follows South Dakota.
    assert (codes(exposed.face), exposed.clause) == ("7s Kh 9d", "SD-5-c")
    assert not t.seen(e.RoundVoided)
    again = t.reporting("premature flop", cards="2c 3c 4d 5d" if mode == "manual" else "")
    if mode == "manual":
        assert t.refuses(again).code == "drawn-already"
    t.check(4, 6).deal()
    assert t.board == "7s Kh 9d"
    t.check(2).report("premature flop", cards=codes(t.shoe.take(3)) if mode == "manual" else "")
    t.check(4, 6).deal()
    assert t.board == BOARD
    assert t.refuses(c.Report(kind="premature flop")).code == "nothing-to-deal"
    t.play(2, 1).play(4, 1).play(6, 1)
    assert nets(t) == ["20.00", "-30.00", "20.00"]


def test_a_flop_is_not_premature_if_every_player_has_acted() -> None:
    t = bets("manual").deal().check(2, 4, 6)
    assert t.next == "burn before the flop"
    assert t.refuses(c.Report(kind="premature flop")).code == "not-early"


@pytest.mark.parametrize("book", ["uth-ma", "uth-proc", "uth-card"])
def test_a_board_of_six_cards_voids_the_round(book: str) -> None:
    t = table(book, mode="device", deck=stacked("device", BOARD, DEALER, SEVENS, ACE_HIGH))
    t.bet(1, ante=10, trips=5).bet(2, ante=10).deal()
    extra(t, "board")
    t.play(1, 4).play(2, 4).until("turn up the dealer's cards").step()
    # Nothing is settled on six community cards.
    settle = "settle each hand" if book == "uth-proc" else "settle the hands"
    t.until(settle)
    assert t.refuses(t.performing(settle)).code == "wrong-number"
    t.report("wrong number", at="board")
    assert (t.last(e.WrongNumberFound).at, t.last(e.WrongNumberFound).count) == ("board", 6)
    assert [t.chips_of(1), t.chips_of(2)] == ["10000.00", "10000.00"]
    assert any(line.startswith("No hand can be read with this board") for line in t.says())
    t.finish().check_books()


@pytest.mark.parametrize("street", ["flop", "river"])
def test_an_extra_community_card_dealt_by_hand_voids_the_round(street: str) -> None:
    t = bets("manual", s2={"ante": 10, "trips": 5}).deal().check(2, 4, 6).deal()
    assert t.refuses(c.Report(kind="wrong number", at="board")).code == "right-number"
    if street == "river":
        t.check(2, 4, 6)
        t.perform("burn before the turn and river")
        t.perform("deal the turn and river")
    extra(t, "board")
    assert codes(t.last(e.ExtraDealt).face) == "8h"
    t.report("wrong number", at="board")
    assert t.last(e.WrongNumberFound).count == (4 if street == "flop" else 6)
    assert t.last(e.RoundVoided).trips is False
    assert nets(t) == NOTHING_LOST


# --- a board with too few cards ---

BEFORE_THE_TURN = {
    "uth-ma": "expose the turn and river",
    "uth-card": "expose the turn and river",
    "uth-proc": "turn up the turn and river",
}


@pytest.mark.clause("MA-14.d-a", "MA-14.d-b")
@pytest.mark.parametrize("book", list(BEFORE_THE_TURN))
def test_a_board_of_four_cards_is_completed_because_14_d_names_only_players_and_the_dealer(
    book: str,
) -> None:
    deck = "7s Kh 9d 4c 7c 7d Ac Jd 3c 3d 2s"
    t = table(book, mode="device", deck=deck).bet(1, ante=10, trips=5).bet(2, ante=10)
    t.until("dispense the community cards")
    for wrong in ((), t.shoe.cards[:5]):
        assert t.refuses(c.DealShort(cards=tuple(wrong))).code == "cards-needed"
    t.send(c.DealShort(cards=t.shoe.take(4)))
    t.deal().check(1, 2).deal()
    t.check(1, 2).until(BEFORE_THE_TURN[book])
    short = t.refuses(c.Perform(step=BEFORE_THE_TURN[book]))
    assert (short.code, short.where) == ("wrong-number", "board")
    t.report("wrong number", at="board", cards=codes(t.shoe.take(1)))
    cured = t.last(e.HandCured)
    # No document covers it, so no clause is cited.
    assert (cured.at, codes(cured.sealed), cured.clause) == ("board", "2s", None)
    assert not t.seen(e.RoundVoided)
    assert "Deal the missing community cards from the top of the deck, and continue." in t.says()
    t.step()
    assert t.board == "7s Kh 9d 4c 2s"
    t.deal()
    for seat in (1, 2):
        t.play(seat, 1)
    t.finish().check_books()
    assert t.settled("play", 1).stake == 1000


@pytest.mark.clause("MA-14.d-a")
def test_a_board_dealt_face_up_cannot_be_dealt_short_unseen() -> None:
    t = bets("manual").deal().check(2, 4, 6).until("deal the flop")
    refusal = t.refuses(c.DealShort())
    assert (refusal.code, refusal.where) == ("not-dealing", "board")
    assert refusal.message.startswith("the board is dealt face up, so a missing card is seen at once")
    assert refusal.clause is not None
