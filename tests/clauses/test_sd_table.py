"""South Dakota, Ultimate Texas Hold'em, at the table: the shuffle, the deal and the betting points."""

from typing import Any

import pytest

from houseway.cards import cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from table_driver import Driver, table

BOOK = "uth-sd"
MODES = ["manual", "device"]
HOUSE = {"feed": 25, "seed": {"main": "10000"}}
TABLES = {"trips": "UTH-02", "progressive": "PMG-01"}
ORDER = "Kc 8d 9c 3h Ts 6d 2c Qh 7s 5d Jc 4h As 9d 6s 2h Tc 3d Js 7h"
"""The deck from the top. Comments call its cards c1, c2, c3 and so on."""
C = dict(enumerate(ORDER.split(), 1))

FIRST = {"manual": "deal the first card to each player", "device": "dispense the community cards"}
FLOP = {"manual": "deal the flop", "device": "expose the flop"}
RIVER = {"manual": "deal the turn and river", "device": "expose the turn and river"}


def sd(mode: str = "manual", deck: str = ORDER, **given: Any) -> Driver:
    """A South Dakota table with the progressive."""
    return table(BOOK, mode=mode, deck=deck, house=HOUSE, tables=TABLES, **given)


def three(mode: str = "manual", **given: Any) -> Driver:
    """Seats 1, 2 and 3 with $10 antes, dealt in; seat 1 is next to act."""
    return sd(mode, **given).bet(1, ante=10).bet(2, ante=10).bet(3, ante=10).deal()


def nth(*numbers: int) -> str:
    """Cards of the deck by position from the top."""
    return " ".join(C[n] for n in numbers)


def lights(t: Driver) -> list[int]:
    """The seats whose sensor is lit."""
    return [number for number, seat in t.view("rail").table.seats.items() if seat.light]


def decisions(t: Driver, seat: int) -> list[str]:
    """The decisions a seat may make now."""
    return [says for says in t.legal(f"seat {seat}") if says.startswith(("check", "play", "fold"))]


def own(t: Driver, seat: int) -> tuple[tuple[str, ...], ...]:
    """The cards of a player's own hand in that player's view."""
    return t.view(f"seat {seat}").yours.cards


# --- before the deal ---


@pytest.mark.clause("SD-1-a")
def test_only_a_table_designated_for_the_game_is_opened() -> None:
    t = sd(open=False)
    refusal = t.refuses(c.OpenTable(designated=("shootout",)))
    assert (refusal.code, refusal.clause) == ("not-designated", "SD-1-a")
    assert "not designated this table for ultimate" in refusal.message
    assert t.out_of_order("open the round").code == "table-closed"
    assert t.open().ready().last(e.RoundOpened).number == 1


@pytest.mark.clause("SD-4-a")
@pytest.mark.parametrize("mode", MODES)
def test_the_cards_are_shuffled_before_play_and_after_each_round(mode: str) -> None:
    t = sd(mode, open=False).open().until("shuffle")
    assert t.out_of_order("open the round").clause == "SD-4-a"
    t.bet(1, ante=10).deal().finish()
    for step in ("open the round", FIRST[mode]):
        assert (t.out_of_order(step).code, t.out_of_order(step).clause) == ("out-of-order", "SD-4-a")
    t.perform("shuffle")
    assert [event.clause for event in t.seen(e.DeckShuffled)] == ["SD-4-a", "SD-4-a"]
    t.bet(1, ante=10).deal()
    assert len(t.state.seats[1].hands[0].cards) == 2


@pytest.mark.clause("SD-4-e")
def test_a_hand_shuffled_deck_is_cut_before_the_deal() -> None:
    t = sd(open=False).open().until("shuffle")
    t.perform("shuffle")
    for step in ("open the round", FIRST["manual"]):
        assert t.out_of_order(step).clause == "SD-4-e"
    assert t.refuses(t.performing("cut the cards", count=9)).code == "cut-size"
    t.perform("cut the cards", count=10)
    assert (t.last(e.DeckCut).count, t.last(e.DeckCut).rest_on_top) == (10, True)
    assert t.next == "open the round"


@pytest.mark.clause("SD-4-e")
def test_a_devices_cycle_counts_as_shuffle_and_cut() -> None:
    t = sd("device", open=False).open().until("shuffle")
    t.perform("shuffle")
    assert t.next == "open the round"
    by_hand = sd(open=False).open().until("shuffle")
    by_hand.perform("shuffle")
    assert by_hand.next == "cut the cards"


def with_progressives(mode: str, *seats: int) -> Driver:
    """Seats 1 to 4 with $10 antes, some with the $1 progressive, betting closed."""
    t = sd(mode)
    for seat in (1, 2, 3, 4):
        t.bet(seat, ante=10, **({"progressive": 1} if seat in seats else {}))
    t.perform("announce no more bets")
    return t


@pytest.mark.clause("SD-4-b")
@pytest.mark.parametrize("mode", MODES)
def test_one_button_takes_all_progressive_bets_once_wagers_are_down(mode: str) -> None:
    t = with_progressives(mode, 1, 3)
    refusal = t.out_of_order(FIRST[mode])
    assert (refusal.code, refusal.clause) == ("out-of-order", "SD-4-b")
    t.perform("lock the progressive bets")
    assert [(lock.seats, lock.clause) for lock in t.seen(e.SensorsLocked)] == [((1, 3), "SD-4-b")]
    assert not t.seen(e.CardsDealt)


@pytest.mark.clause("SD-4-c")
def test_the_sensors_lock_and_light_up() -> None:
    t = with_progressives("manual", 1)
    assert lights(t) == []
    t.perform("lock the progressive bets")
    assert lights(t) == [1]
    late = t.refuses(t.betting(2, ante=10, progressive=1))
    assert late.code == "no-more-bets"
    assert "The sensors lock, and the light comes on at each seat with a progressive bet." in t.says()


@pytest.mark.clause("SD-4-d")
def test_locked_progressive_bets_leave_the_table_before_a_card_is_dealt() -> None:
    t = with_progressives("manual", 1, 2, 4)
    t.perform("lock the progressive bets")
    assert [t.wagers(n).get("progressive") for n in (1, 2, 3, 4)] == ["1.00", "1.00", None, "1.00"]
    t.perform("collect the progressive bets")
    assert [t.wagers(n).get("progressive") for n in (1, 2, 3, 4)] == [None] * 4
    event = t.last(e.ProgressiveCollected)
    assert (event.stakes, event.clause) == ({1: 100, 2: 100, 4: 100}, "SD-4-d")
    assert t.meter() == "10000.75"  # a quarter of each dollar, as the house feeds it
    assert not t.seen(e.CardsDealt)
    t.check_books()


@pytest.mark.clause("SD-6-b")
@pytest.mark.parametrize("mode", MODES)
def test_no_card_is_dealt_before_the_progressive_is_collected(mode: str) -> None:
    t = with_progressives(mode, 2)
    t.perform("lock the progressive bets")
    refusal = t.out_of_order(FIRST[mode])
    assert (refusal.code, refusal.message) == (
        "out-of-order",
        "the next step is to collect the progressive bets",
    )
    t.perform("collect the progressive bets")
    t.perform(FIRST[mode])
    assert t.seen(e.CardsDealt)


@pytest.mark.clause("SD-6-c")
@pytest.mark.parametrize("mode", MODES)
def test_the_light_stays_on_until_the_reset_at_the_end(mode: str) -> None:
    t = with_progressives(mode, 4)
    for step in (
        FIRST[mode],
        FLOP[mode],
        RIVER[mode],
        "turn up the dealer's cards",
        "pay the progressive winners",
        "reset the progressive system",
    ):
        assert lights(t.until(step)) == [4], step
    t.perform("reset the progressive system")
    assert lights(t) == []


# --- the deal ---


@pytest.mark.clause("SD-4-f")
def test_by_hand_everyone_gets_two_cards_face_down_one_at_a_time() -> None:
    t = three()
    assert [t.hole(n) for n in (1, 2, 3)] == [nth(1, 5), nth(2, 6), nth(3, 7)]
    assert t.dealer == nth(4, 8)
    seats = t.view("rail").table.seats.values()
    assert [(s.hands[1].cards, s.hands[1].faces) for s in seats] == [(2, ())] * 3
    assert {dealt.count for dealt in t.seen(e.CardsDealt)} == {1}


@pytest.mark.clause("SD-4-g")
def test_the_first_card_is_dealt_to_the_dealers_left_and_the_dealer_is_last() -> None:
    t = sd().bet(5, ante=10).bet(2, ante=10).deal()
    assert [dealt.to for dealt in t.seen(e.CardsDealt)] == ["seat 2", "seat 5", "dealer"] * 2
    assert [t.hole(2), t.hole(5), t.dealer] == [nth(1, 4), nth(2, 5), nth(3, 6)]


@pytest.mark.clause("SD-4-h")
def test_a_device_deals_the_board_first_then_pairs_and_the_dealers_hand_last() -> None:
    t = sd("device").bet(1, ante=10).bet(2, ante=10).deal()
    assert codes(t.state.round.board) == nth(1, 2, 3, 4, 5)
    assert t.board == ""
    assert [t.hole(1), t.hole(2), t.dealer] == [nth(6, 7), nth(8, 9), nth(10, 11)]
    assert [dealt.to for dealt in t.seen(e.CardsDealt)] == ["board", "seat 1", "seat 2", "dealer"]


# --- the betting points ---


@pytest.mark.clause("SD-7-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_who_has_looked_checks_or_bets(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).until("let the players look")
    assert own(t, 1) == ()
    t.deal()
    assert own(t, 1) == (tuple(t.hole(1).split()),)
    assert decisions(t, 1) == ["check", "play 4x", "play 3x"]
    assert t.refuses(c.Fold(seat=1)).code == "no-fold-yet"
    assert t.refuses(c.Check(seat=2)).code == "out-of-turn"
    t.check(1)
    assert t.last(e.Checked).clause == "SD-7-a"


UNDER = "Seat 1 puts the play wager in the play area and slides the cards under it, face down."


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("checks", "times", "clause"),
    [
        pytest.param(0, 4, "SD-7-c", marks=pytest.mark.clause("SD-7-c"), id="before the flop"),
        pytest.param(1, 2, "SD-9-c", marks=pytest.mark.clause("SD-9-c"), id="after the flop"),
        pytest.param(2, 1, "SD-11-c", marks=pytest.mark.clause("SD-11-c"), id="after the river"),
    ],
)
def test_the_cards_go_face_down_under_the_play_wager(
    mode: str, checks: int, times: int, clause: str
) -> None:
    t = sd(mode).bet(1, ante=10).deal()
    for _ in range(checks):
        t.check(1).deal()
    assert UNDER not in t.says()
    t.play(1, times)
    assert [line.clause for line in t.script if line.says == UNDER] == [clause]
    assert t.last(e.PlayMade).clause == clause
    assert t.wagers(1)["play"] == f"{times}0.00"


def check_locked_in(t: Driver, clause: str) -> None:
    """Seat 1 has played: it may not check, bet again or fold."""
    for command in (c.Check(seat=1), c.Play(seat=1, times=1), c.Fold(seat=1)):
        refusal = t.refuses(command)
        assert (refusal.code, refusal.clause) == ("locked-in", clause)
    assert t.refuses(c.TakeBack(seat=1)).code == "no-more-bets"
    assert decisions(t, 1) == []


@pytest.mark.clause("SD-7-d")
@pytest.mark.parametrize("mode", MODES)
def test_a_play_before_the_flop_locks_the_player_in(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).deal()
    t.play(1, 4)
    check_locked_in(t, "SD-7-d")
    t.check(2).deal().check(2).deal()
    assert t.next == "ask after the river"
    check_locked_in(t, "SD-7-d")
    assert t.wagers(1)["play"] == "40.00"


@pytest.mark.clause("SD-9-d")
@pytest.mark.parametrize("mode", MODES)
def test_a_play_after_the_flop_locks_the_player_in(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).deal().check(1, 2).deal()
    t.play(1, 2).check(2).deal()
    assert (t.next, t.view("rail").table.turn) == ("ask after the river", 2)
    check_locked_in(t, "SD-9-d")


@pytest.mark.clause("SD-11-d")
@pytest.mark.parametrize("mode", MODES)
def test_a_play_after_the_river_locks_the_player_in(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).deal().check(1, 2).deal().check(1, 2).deal()
    t.play(1, 1)
    check_locked_in(t, "SD-11-d")
    t.play(2, 1)
    assert t.next == "turn up the dealer's cards"
    check_locked_in(t, "SD-11-d")


@pytest.mark.clause("SD-8-a")
def test_a_card_is_burned_once_all_have_acted_before_the_flop() -> None:
    t = three().check(1, 2, 3)
    t.perform("burn before the flop")
    burned = t.last(e.CardsBurned)
    assert (codes(burned.sealed), burned.clause) == (nth(9), "SD-8-a")
    assert t.board == ""
    assert t.view("rail").table.rack == 1


@pytest.mark.clause("SD-8-a", "SD-10-a")
def test_with_a_device_burned_cards_are_taken_from_the_undealt_cards() -> None:
    t = sd("device").bet(1, ante=10).bet(2, ante=10).deal().check(1, 2).deal().check(1, 2).deal()
    burns = [(codes(burn.sealed), burn.clause) for burn in t.seen(e.CardsBurned)]
    assert burns == [(nth(12), "SD-8-a"), (nth(13), "SD-10-a")]
    assert t.board == nth(1, 2, 3, 4, 5)


@pytest.mark.clause("SD-8-b")
def test_the_flop_is_the_next_three_cards_after_the_burn() -> None:
    t = three().check(1, 2, 3)
    assert t.out_of_order("deal the flop").clause == "SD-8-a"
    t.deal()
    assert t.board == nth(10, 11, 12)
    assert t.last(e.CardsDealt).face == cards(nth(10, 11, 12))
    device = sd("device").bet(1, ante=10).deal().check(1).deal()
    assert device.board == nth(1, 2, 3)
    assert device.last(e.BoardTurned).clause == "SD-8-b"


WAITS = [
    pytest.param(1, "SD-8-c", FLOP, "burn before the flop", marks=pytest.mark.clause("SD-8-c"), id="flop"),
    pytest.param(
        2,
        "SD-10-c",
        RIVER,
        "burn before the turn and river",
        marks=pytest.mark.clause("SD-10-c"),
        id="turn and river",
    ),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("point", "clause", "cards_of", "burn"), WAITS)
def test_the_next_community_cards_wait_until_every_player_has_acted(
    mode: str, point: int, clause: str, cards_of: dict[str, str], burn: str
) -> None:
    t = three(mode)
    if point == 2:
        t.check(1, 2, 3).deal()
    t.check(1)
    for step in (cards_of[mode], burn):
        refusal = t.out_of_order(step)
        assert (refusal.code, refusal.clause) == ("players-first", clause)
        assert "seat 2 has not acted" in refusal.message
    t.check(2, 3)
    t.perform(burn)
    t.perform(cards_of[mode])


@pytest.mark.clause("SD-9-a")
@pytest.mark.parametrize("mode", MODES)
def test_after_the_flop_only_players_who_checked_act(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).deal().check(1).play(2, 3).deal()
    assert (t.next, t.view("rail").table.turn) == ("ask after the flop", 1)
    assert (decisions(t, 1), decisions(t, 2)) == (["check", "play 2x"], [])
    t.check(1)
    assert t.last(e.Checked).clause == "SD-9-a"
    assert t.next == "burn before the turn and river"


@pytest.mark.clause("SD-10-a")
def test_a_card_is_burned_once_all_have_acted_on_the_flop() -> None:
    t = three().check(1, 2, 3).deal().check(1, 2, 3)
    t.perform("burn before the turn and river")
    assert (codes(t.last(e.CardsBurned).sealed), t.last(e.CardsBurned).clause) == (nth(13), "SD-10-a")
    assert t.board == nth(10, 11, 12)


@pytest.mark.clause("SD-10-b")
def test_turn_and_river_are_dealt_together_without_betting_between() -> None:
    t = three().check(1, 2, 3).deal().check(1, 2, 3).until("deal the turn and river")
    t.perform("deal the turn and river")
    assert codes(t.last(e.CardsDealt).face) == nth(14, 15)
    assert t.board == nth(10, 11, 12, 14, 15)
    assert t.next == "ask after the river"
    device = sd("device").bet(1, ante=10).deal().check(1).deal().check(1).deal()
    assert (codes(device.last(e.BoardTurned).face), device.board) == (nth(4, 5), nth(1, 2, 3, 4, 5))


@pytest.mark.clause("SD-11-a")
@pytest.mark.parametrize("mode", MODES)
def test_a_player_who_checked_twice_bets_or_folds(mode: str) -> None:
    t = sd(mode).bet(1, ante=10).bet(2, ante=10).deal().check(1, 2).deal().check(1).play(2, 2).deal()
    assert (t.next, t.view("rail").table.turn) == ("ask after the river", 1)
    assert decisions(t, 1) == ["play 1x", "fold"]
    refusal = t.refuses(c.Check(seat=1))
    assert (refusal.code, refusal.clause) == ("no-check", "SD-11-a")
