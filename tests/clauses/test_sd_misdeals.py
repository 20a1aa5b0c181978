"""South Dakota, Ultimate Texas Hold'em, at the table: misdeals and other irregularities."""

from typing import Any

import pytest

from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

BOOK = "uth-sd"
MODES = ["manual", "device"]
HOUSE = {"feed": 33, "reserve_feed": 7, "seed": {"main": "10000"}}
TABLES = {"trips": "UTH-02", "progressive": "PMG-01"}
ORDER = "Kc 8d 9c 3h Ts 6d 2c Qh 7s 5d Jc 4h As 9d 6s 2h Tc 3d Js 7h"
"""The deck from the top. Comments call its cards c1, c2, c3 and so on."""
C = dict(enumerate(ORDER.split(), 1))
FIRST = "deal the first card to each player"


def sd(mode: str = "manual", **given: Any) -> Driver:
    """A South Dakota table with the progressive."""
    return table(BOOK, mode=mode, deck=ORDER, house=HOUSE, tables=TABLES, **given)


def three(mode: str = "manual") -> Driver:
    """Seats 1, 2 and 3 with $10 antes, dealt in; seat 1 is next to act."""
    return sd(mode).bet(1, ante=10).bet(2, ante=10).bet(3, ante=10).deal()


def nth(*numbers: int) -> str:
    """Cards of the deck by position from the top."""
    return " ".join(C[n] for n in numbers)


def one_too_many(t: Driver, place: str) -> None:
    """Deal an extra card to a place, unnoticed."""
    t.send(c.DealExtra(at=place, cards=t.shoe.take(1)))


def too_few(t: Driver, step: str) -> None:
    """Skip the hand whose card is next at a step, unnoticed."""
    t.until(step).send(c.DealShort())


@pytest.mark.clause("SD-5-a")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["seat 2", "dealer"])
def test_an_extra_card_in_any_hand_is_a_misdeal(mode: str, place: str) -> None:
    t = three(mode)
    one_too_many(t, place)
    t.play(1, 4).report("wrong number", at=place)
    assert (t.last(e.WrongNumberFound).at, t.last(e.WrongNumberFound).count) == (place, 3)
    assert (t.last(e.RoundVoided).trips, t.last(e.RoundVoided).clause) == (False, "SD-5-a")
    assert [t.chips_of(n) for n in (1, 2, 3)] == ["10000.00"] * 3
    t.finish()
    assert not t.seen(e.WagerSettled)
    assert t.next == "shuffle"
    t.check_books()


@pytest.mark.clause("SD-5-a")
@pytest.mark.parametrize(
    ("mode", "step", "place"),
    [
        ("manual", "deal the second card to each player", "seat 1"),
        ("manual", "deal the first card to the dealer", "dealer"),
        ("device", "dispense two cards to each player", "seat 1"),
        ("device", "dispense the dealer's hand", "dealer"),
    ],
)
def test_a_missing_card_is_a_misdeal_and_cannot_be_cured(mode: str, step: str, place: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, trips=5)
    t.perform("announce no more bets")
    too_few(t, step)
    t.until("let the players look").report("wrong number", at=place, cards="7h")
    assert t.last(e.RoundVoided).clause == "SD-5-a"
    assert [t.chips_of(1), t.chips_of(2)] == ["10000.00", "10000.00"]
    assert not t.seen(e.HandCured)
    t.finish().check_books()


@pytest.mark.clause("SD-5-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_misdeal_returns_every_wager_to_the_cent(mode: str) -> None:
    t = sd(mode)
    meters, reserves = t.state.meters, t.state.reserves
    t.bet(
        1,
        ante="10.55",
        trips="5.15",
        progressive=1,
        tips={"ante": "1.05", "blind": "0.35", "trips": "0.10"},
    )
    t.bet(3, trips="7.25", progressive=1, tips={"trips": "0.15"})
    t.bet(4, ante="25.01").deal()
    assert (t.meter(), t.state.meters == meters) == ("10000.66", False)
    one_too_many(t, "seat 4")
    t.play(1, 4, tip="4.20")
    # 10.55 ante and blind, 42.20 play, 5.15 trips, 1 progressive, tips of 1.05 + 0.35 + 0.10 + 4.20.
    assert t.chips_of(1) == "9924.85"
    t.report("wrong number", at="seat 4")
    back = {event.seat: event for event in t.seen(e.WagersReturned)}
    assert back[1].wagers == {"ante": 1055, "blind": 1055, "play": 4220, "trips": 515}
    assert (back[1].tips, back[1].collected) == ({"ante": 105, "blind": 35, "trips": 10, "play": 420}, 100)
    assert (back[3].wagers, back[3].tips, back[3].collected) == ({"trips": 725}, {"trips": 15}, 100)
    assert {event.clause for event in back.values()} == {"SD-5-a"}
    assert [t.chips_of(n) for n in (1, 3, 4)] == ["10000.00"] * 3
    assert (t.state.meters, t.state.reserves, t.state.tips) == (meters, reserves, 0)
    t.finish()
    assert not any(t.last(e.RoundClosed).net.values())
    assert not any(t.last(e.RoundClosed).changes.values())
    assert t.seen(e.SystemReset)
    t.check_books()


@pytest.mark.clause("SD-5-b")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["seat 1", "dealer"])
def test_an_exposed_card_is_not_a_misdeal(mode: str, place: str) -> None:
    t = three(mode)
    held = t.hole(1) if place == "seat 1" else t.dealer
    t.report("exposed card", at=place, cards=held[:2])
    assert "No misdeal: turn the card back over and continue dealing." in t.says()
    assert not t.seen(e.RoundVoided)
    assert not t.seen(e.WagersReturned)
    t.play(1, 3).finish()
    assert t.settled("play", 1).stake == 3000
    t.check_books()


@pytest.mark.clause("SD-5-b")
def test_a_card_face_up_in_the_deck_is_used_like_any_other() -> None:
    t = sd().bet(1, ante=10).bet(2, ante=10).until(FIRST)
    t.report("face-up card", at="deck", cards=codes(t.shoe.take(1)))
    event = t.last(e.FaceUpFound)
    assert (event.used, event.clause) == (True, "SD-5-b")
    assert t.refuses(t.reporting("face-up card", at="deck", cards=nth(2))).code == "drawn-already"
    t.deal()
    assert [t.hole(1), t.hole(2), t.dealer] == [nth(1, 4), nth(2, 5), nth(3, 6)]
    assert t.says().count("No misdeal: turn the card face down and use it as the next card.") == 1


@pytest.mark.clause("SD-5-c")
def test_the_dealer_turns_an_exposed_card_back_and_continues() -> None:
    t = sd().bet(1, ante=10).bet(2, ante=10).bet(3, ante=10).bet(5, ante=10).until(FIRST)
    t.perform(FIRST, cards=t.shoe.take(3))
    t.report("exposed card", at="seat 3", cards="9c")
    seen = t.last(e.CardExposed)
    assert (seen.at, codes(seen.face), seen.turned_back, seen.clause) == ("seat 3", "9c", True, "SD-5-c")
    shown = t.view("rail").table
    assert (shown.exposed, shown.seats[3].hands[1].faces) == ((), ())
    t.step()
    assert (t.last(e.CardsDealt).to, t.hole(5)) == ("seat 5", nth(4))
    assert t.deal().hole(3) == nth(3, 8)


def test_a_card_drawn_in_error_is_the_next_card() -> None:
    t = three().check(1, 2)
    t.report("card drawn in error", at="deck", cards=codes(t.shoe.take(1)))
    t.check(3).deal()
    assert codes(t.last(e.CardsBurned).sealed) == nth(9)
    assert t.board == nth(10, 11, 12)
    t.finish().check_books()


def test_a_jammed_shuffler_causes_another_shuffle_before_the_deal() -> None:
    t = sd("device", open=False).open().until("shuffle")
    t.perform("shuffle")
    t.report("shuffler jam")
    assert t.out_of_order("open the round").clause == "SD-4-a"
    t.bet(1, ante=10).perform("announce no more bets")
    # A card drawn too early goes back into the shuffle.
    t.report("card drawn in error", at="deck", cards=codes(t.shoe.take(1)))
    t.report("shuffler jam")
    assert t.last(e.ReshuffleOrdered).clause == "MA-14.e"
    assert t.next == "shuffle"
    t.perform("shuffle")
    t.deal().finish()
    assert t.settled("ante", 1).stake == 1000
    t.check_books()


@pytest.mark.parametrize(
    "point", ["dispense two cards to each player", "burn before the flop", "settle the hands"]
)
def test_a_machine_that_fails_voids_the_round_and_the_next_one_is_played(point: str) -> None:
    t = sd("device")
    meters, reserves = t.state.meters, t.state.reserves
    t.bet(1, ante="10.05", trips=5, progressive=1, tips={"ante": "1.50"}).bet(2, trips="5.55")
    t.perform("announce no more bets")
    t.until("ask before the flop" if point != "dispense two cards to each player" else point)
    if point == "settle the hands":
        t.play(1, 4, tip="6.00")
    t.until(point).report("machine failure")
    assert t.last(e.RoundVoided).clause == "MA-14.f"
    assert [t.chips_of(1), t.chips_of(2)] == ["10000.00", "10000.00"]
    assert (t.state.meters, t.state.reserves) == (meters, reserves)
    t.finish()
    assert (t.seen(e.WagerSettled), len(t.seen(e.SystemReset))) == ([], 1)
    assert t.next == "shuffle"
    t.check_books()
    t.bet(1, ante=10, progressive=1).deal().finish()
    assert t.settled("progressive", 1).stake == 100
    assert t.last(e.RoundClosed).number == 2
    t.check_books()


def test_a_machine_cannot_fail_when_cards_are_dealt_by_hand() -> None:
    assert three().refuses(c.Report(kind="machine failure")).code == "no-machine"


# --- wagers already collected ---


def folded_then_found(mode: str, place: str) -> Driver:
    """Seats 1 and 3 folded and their folds were collected; then three cards are found at a place."""
    # Seat 3 gets three queens, which pay trips on a fold.
    deck = {
        "manual": "Kc 8d Qs 3h Ts 6d Qh 2c  7s  7d Qd 4c 5h  Jc 9s 2d",
        "device": "Qd 4c 5h 9s 2d  Kc Ts 8d 6d Qs Qh 3h 2c  7s Jc 7d",
    }
    t = table(BOOK, mode=mode, deck=deck[mode], house=HOUSE, tables=TABLES)
    t.bet(1, ante=25, trips=5, progressive=1, tips={"ante": 2, "blind": 2, "trips": 1})
    t.bet(2, ante=10, progressive=1).bet(3, ante=25, trips=5, tips={"trips": 1}).deal()
    one_too_many(t, place)
    t.check(1).play(2, 4).check(3).deal().check(1, 3).deal().fold(1, 3)
    assert t.settled("ante", 1).result == "lose"
    assert t.settled("trips", 3).result == "win"
    return t


@pytest.mark.clause("SD-5-a")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", ["dealer", "seat 2"])
def test_a_misdeal_found_after_the_folds_were_collected_returns_their_wagers(mode: str, place: str) -> None:
    t = folded_then_found(mode, place)
    # 25 + 25 + 5 lost, 5 in tips lost, the progressive collected.
    assert t.net(1) == "-61.00"
    assert t.state.tips > 0
    t.report("wrong number", at=place)
    assert {event.clause for event in t.seen(e.WagerRestored)} == {"SD-5-a"}
    back = {event.seat: event for event in t.seen(e.WagersReturned)}
    assert back[1].wagers == {"ante": 2500, "blind": 2500, "trips": 500}
    assert (back[1].tips, back[1].collected) == ({"ante": 200, "blind": 200, "trips": 100}, 100)
    assert back[3].wagers == {"ante": 2500, "blind": 2500, "trips": 500}
    assert [t.net(n) for n in (1, 2, 3)] == ["0.00"] * 3
    assert (t.state.tips, t.state.round.settled, t.meter()) == (0, (), "10000.00")
    t.finish()
    assert not any(t.last(e.RoundClosed).net.values())
    assert not any(t.last(e.RoundClosed).changes.values())
    assert t.next == "shuffle"
    t.check_books()


@pytest.mark.clause("SD-5-a")
@pytest.mark.parametrize("error", [300, -300], ids=["overpaid", "underpaid"])
def test_a_mispaid_fold_is_returned_to_the_cent_in_a_misdeal(error: int) -> None:
    t = folded_then_found("manual", "dealer")
    t.send(c.Mispay(seat=3, wager="trips", amount=error))
    t.report("wrong number", at="dealer")
    assert [t.net(n) for n in (1, 2, 3)] == ["0.00"] * 3
    assert t.state.mispaid == {}
    t.finish().check_books()


# --- a board with too few cards ---


def four_on_the_board(**bets: Any) -> Driver:
    """The device gave the board four cards instead of five; everyone has the right number."""
    t = sd("device").bet(1, ante=10, **bets).bet(2, ante=10)
    t.until("dispense the community cards")
    t.send(c.DealShort(cards=t.shoe.take(4)))
    return t.deal()


@pytest.mark.clause("SD-5-a")
def test_a_board_of_four_cards_is_completed_and_is_not_a_misdeal() -> None:
    t = four_on_the_board(trips=5, progressive=1)
    # The board has c1 to c4; the hands follow.
    assert (codes(t.state.round.board), t.hole(1), t.hole(2), t.dealer) == (
        nth(1, 2, 3, 4), nth(5, 6), nth(7, 8), nth(9, 10),
    )  # fmt: skip
    t.play(1, 4).check(2).deal()
    assert t.board == nth(1, 2, 3)
    t.check(2).until("expose the turn and river")
    refusal = t.refuses(c.Perform(step="expose the turn and river"))
    assert (refusal.code, refusal.where) == ("wrong-number", "board")
    # c11 and c12 were burned, so c13 is the top card.
    assert t.refuses(c.Report(kind="wrong number", at="seat 1")).code == "right-number"
    t.report("wrong number", at="board", cards=codes(t.shoe.take(1)))
    cured = t.last(e.HandCured)
    assert (cured.at, codes(cured.sealed), cured.clause) == ("board", nth(13), None)
    assert not t.seen(e.RoundVoided)
    assert "No misdeal: deal the missing community cards from the top of the deck." in t.says()
    t.step()
    assert t.board == nth(1, 2, 3, 4, 13)
    t.play(2, 1).finish()
    assert t.settled("play", 1).stake == 4000
    t.check_books()


def test_a_short_board_is_completed_as_soon_as_the_hands_are_dealt() -> None:
    t = sd("device").bet(1, ante=10).until("dispense the community cards")
    for wrong in ((), t.shoe.cards[:5]):
        assert t.refuses(c.DealShort(cards=tuple(wrong))).code == "cards-needed"
    t.send(c.DealShort(cards=t.shoe.take(4)))
    early = t.refuses(t.reporting("wrong number", at="board", cards=nth(5)))
    assert early.code == "deal-not-done"
    t.deal().report("wrong number", at="board", cards=codes(t.shoe.take(1)))
    assert codes(t.state.round.board) == nth(1, 2, 3, 4, 9)
    t.play(1, 4).finish().check_books()


def test_a_board_with_an_extra_card_still_voids_the_round() -> None:
    t = three("device")
    one_too_many(t, "board")
    t.report("wrong number", at="board")
    assert t.last(e.RoundVoided).why == "wrong number"
    assert "No misdeal" not in " ".join(t.says())
    assert [t.net(n) for n in (1, 2, 3)] == ["0.00"] * 3
    t.finish().check_books()


@pytest.mark.clause("SD-5-b")
@pytest.mark.parametrize("mode", MODES)
def test_a_premature_flop_is_turned_back_and_used_in_its_turn(mode: str) -> None:
    plain = three(mode).check(1, 2, 3).deal()
    t = three(mode).check(1)
    t.report("premature flop", cards=codes(t.shoe.take(4)) if mode == "manual" else "")
    early = t.last(e.BoardExposed)
    assert (codes(early.face), early.clause) == (plain.board, "SD-5-c")
    assert t.says().count("Turn the cards back over. Use them once every player has acted.") == 1
    assert t.view("rail").table.board == ()
    assert not t.seen(e.RoundVoided)
    t.check(2, 3).deal()
    assert t.board == plain.board
    assert codes(t.last(e.CardsBurned).sealed) == codes(plain.last(e.CardsBurned).sealed)
    t.finish().check_books()


@pytest.mark.clause("SD-5-c")
def test_without_a_number_the_exposed_card_is_the_one_dealt_last() -> None:
    t = three()
    t.report("exposed card", at="seat 2")
    t.report("exposed card", at="seat 2", which=1)
    assert [codes(event.face) for event in t.seen(e.CardExposed)] == [nth(6), nth(2)]
    assert t.refuses(c.Report(kind="exposed card", at="seat 2", which=3)).code == "not-there"


@pytest.mark.clause("SD-5-c")
@pytest.mark.parametrize("mode", MODES)
def test_a_premature_flop_is_reported_once(mode: str) -> None:
    t, again = three(mode).check(1), c.Report(kind="premature flop")
    t.report("premature flop", cards=codes(t.shoe.take(4)) if mode == "manual" else "")
    no = t.refuses(again)
    code, then = ("drawn-already", "dealt") if mode == "manual" else ("reported-already", "turned up")
    assert (no.code, no.clause) == (code, "SD-5-c")
    assert no.message.startswith("the flop was already reported as turned up too early")
    assert no.message.endswith(f"it is {then} when every player has acted")
    # The turn and river can still be turned up too early, once.
    t.check(2, 3).deal()
    t.report("premature flop", cards=codes(t.shoe.take(3)) if mode == "manual" else "")
    assert t.refuses(again).code == code
    t.check(1, 2, 3).finish().check_books()
