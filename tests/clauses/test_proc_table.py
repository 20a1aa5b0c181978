"""The dealing procedures at the table: the machine deals, the dealer settles, the floor decides."""

from dataclasses import replace
from typing import Any

import pytest

from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.report_options import report_options
from houseway.report import markdown
from houseway.report.rules_card import rules_card
from table_driver import Driver, table

BOARD, QUEENS = "Qd 9s 7h 4c 2d", "Qc 3s"
"""A board with which this dealer has a pair of queens."""
NOTHING = "Kc 8c"
"""A dealer who has no pair on that board."""


def proc(holes: str = "As Ah", dealer: str = QUEENS, board: str = BOARD, **given: Any) -> Driver:
    """A table whose machine dispenses this board, these holes from the left, then the dealer's hand."""
    return table("uth-proc", deck=f"{board} {holes} {dealer}", **given)


def lines(t: Driver, clause: str) -> list[str]:
    """The script lines of a clause so far."""
    return [line.says for line in t.script if line.clause == clause]


def prompt(t: Driver) -> list[tuple[str, str | None]]:
    """The dealer's current prompt."""
    notes = t.view("dealer").yours.notes
    assert notes is not None
    return [(line.says, line.clause) for line in notes.script]


def own_cards(t: Driver, seat: int) -> tuple[tuple[str, ...], ...]:
    """The cards a player sees."""
    return t.view(f"seat {seat}").yours.cards


def settled(t: Driver) -> list[tuple[int, str, str]]:
    """Every wager settled so far: seat, wager, result."""
    return [(s.seat, s.wager, s.result) for s in t.seen(e.WagerSettled)]


# --- the deal ---


@pytest.mark.clause("PROC-D.0-b")
def test_a_failed_machine_is_replaced_by_the_backup() -> None:
    t = proc().bet(1, ante=5, trips=5).deal()
    missing = t.refuses(t.reporting("machine failure"))
    assert (missing.code, missing.clause) == ("backup-missing", "PROC-D.0-b")
    t.report("machine failure", device="shuffler 2")
    swapped = t.last(e.BackupTaken)
    assert (swapped.device, swapped.clause) == ("shuffler 2", "PROC-D.0-b")
    [line] = lines(t, "PROC-D.0-b")
    assert "back-up shuffler shuffler 2" in line
    # For the round itself Massachusetts applies: it is void, and every wager is returned.
    assert t.last(e.RoundVoided).clause == "MA-14.f"
    assert len(lines(t, "MA-14.f")) == 1
    t.finish().check_books()
    assert t.chips_of(1) == "10000.00"
    assert t.next == "shuffle"


@pytest.mark.clause("PROC-D.0-b")
def test_after_a_jam_between_rounds_staff_change_to_the_backup_too() -> None:
    t = table("uth-proc", open=False).open()
    t.perform("shuffle")
    (option,) = [one for one in report_options(t.table, t.state) if one.kind == "shuffler jam"]
    assert option.asks == {"device": "Back-up device"}
    missing = t.refuses(t.reporting("shuffler jam"))
    assert (missing.code, missing.clause) == ("backup-missing", "PROC-D.0-b")
    t.report("shuffler jam", device="shuffler 2")
    assert (t.last(e.BackupTaken).device, t.last(e.BackupTaken).clause) == ("shuffler 2", "PROC-D.0-b")
    assert t.next == "shuffle"
    assert "back-up shuffler shuffler 2" in lines(t, "PROC-D.0-b")[0]
    t.bet(1, ante=5).deal().finish().check_books()


def test_under_an_older_rulebook_a_jam_need_not_name_the_backup() -> None:
    t = table("uth-proc", open=False).open()
    rows = [
        replace(row, rules={**row.rules, "backup": replace(row.rules["backup"], value=True)})
        if row.kind == "shuffler jam"
        else row
        for row in t.table.book.procedure.irregularities
    ]
    procedure = replace(t.table.book.procedure, irregularities=tuple(rows))
    t.table.book = replace(t.table.book, procedure=procedure)
    t.perform("shuffle")
    (option,) = [one for one in report_options(t.table, t.state) if one.kind == "shuffler jam"]
    assert option.asks == {"device": "Back-up device, if one is used"}
    t.report("shuffler jam")
    assert not t.seen(e.BackupTaken)


@pytest.mark.clause("PROC-D.2-a")
def test_the_five_community_cards_are_dealt_first_and_face_down() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5)
    t.perform("announce no more bets")
    early = t.out_of_order("dispense the hands")
    assert (early.code, early.clause) == ("out-of-order", "PROC-D.2-a")
    [dealt] = [x for x in t.perform("dispense the community cards") if isinstance(x, e.CardsDealt)]
    assert (dealt.to, dealt.face, dealt.sealed) == ("board", (), cards(BOARD))
    assert dealt.clause == "PROC-D.2-a"
    layout = t.view("rail").table
    assert (layout.board, layout.board_down) == ((), 5)


@pytest.mark.clause("PROC-D.2-b")
def test_hands_are_dealt_in_pairs_from_the_left_and_the_dealers_last() -> None:
    t = proc("As Ah 9c 8s").bet(4, ante=5).bet(2, ante=5).until("dispense the hands")
    dealt = [x for x in t.perform("dispense the hands") if isinstance(x, e.CardsDealt)]
    assert [(x.to, x.sealed) for x in dealt] == [
        ("seat 2", cards("As Ah")),
        ("seat 4", cards("9c 8s")),
        ("dealer", cards("Qc 3s")),
    ]
    assert {(x.face, x.clause) for x in dealt} == {((), "PROC-D.2-b")}


@pytest.mark.clause("PROC-D.2-b")
def test_a_person_deals_pair_by_pair_in_the_same_order() -> None:
    t = proc("As Ah 9c 8s").bet(2, ante=5).bet(4, ante=5).until("dispense the hands")
    t.perform("dispense the hands", cards=t.shoe.take(2))
    assert (t.hole(2), t.hole(4), t.dealer) == ("As Ah", "", "")
    t.perform("dispense the hands", cards=t.shoe.take(2))
    t.perform("dispense the hands", cards=t.shoe.take(2))
    assert (t.hole(4), t.dealer, t.next) == ("9c 8s", "Qc 3s", "cycle the shuffler")


@pytest.mark.clause("PROC-D.2-b")
def test_dealing_to_a_seat_out_of_order_is_refused() -> None:
    t = proc("As Ah 9c 8s", open=False).open(dealer="person")
    t.ready().bet(2, ante=5).bet(4, ante=5).until("dispense the hands")
    for seat in (5, 4):
        no = t.refuses(c.Perform(step="dispense the hands", seat=seat, cards=cards("As Ah")))
        assert (no.code, no.clause) == ("out-of-order", "PROC-D.2-b")
        assert "the next cards go to seat 2" in no.message
    t.perform("dispense the hands", seat=2)
    assert t.hole(2) == "As Ah"


@pytest.mark.clause("PROC-D.2-c")
def test_cards_are_picked_up_only_once_the_shuffler_is_cycled() -> None:
    t = proc().bet(1, ante=5).until("cycle the shuffler")
    assert own_cards(t, 1) == ()
    for command in (c.Check(seat=1), c.Play(seat=1, times=4)):
        early = t.refuses(command)
        assert (early.code, early.clause) == ("not-now", "PROC-D.2-c")
    assert t.out_of_order("turn up the flop").clause == "PROC-D.2-c"
    t.perform("cycle the shuffler")
    assert (t.last(e.StepTaken).step, t.last(e.PlayersLooked).clause) == (
        "cycle the shuffler",
        "PROC-D.2-c",
    )
    assert own_cards(t, 1) == (("As", "Ah"),)
    assert t.check(1).last(e.Checked).seat == 1


@pytest.mark.clause("PROC-D.2-d")
def test_the_rules_card_says_cards_are_handled_with_one_hand() -> None:
    t = proc().bet(1, ante=5).deal()
    assert "one hand" in markdown.text(rules_card(t.table.terms))
    assert lines(t, "PROC-D.2-d") == ["Players may use only one hand to lift their cards."]


# --- decisions ---


@pytest.mark.clause("PROC-D.3.a-b")
def test_a_tap_on_the_table_is_the_signal_of_a_check() -> None:
    t = proc().bet(1, ante=5).deal()
    assert [says for says, clause in prompt(t) if clause == "PROC-D.3.a-b" and "tap on the table" in says]
    t.check(1)
    assert lines(t, "PROC-D.3.a-b") == ["Seat 1 taps the table: a check."]
    assert t.table.book.option("check_signal") == "tap"


@pytest.mark.clause("PROC-D.3.c")
def test_a_play_bet_ends_the_betting_on_that_hand() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().play(1, 3)
    before = t.wagers(1)
    for command in (c.Play(seat=1, times=4), c.Check(seat=1)):
        again = t.refuses(command)
        assert (again.code, again.clause) == ("locked-in", "PROC-D.3.c")
    assert t.refuses(c.TakeBack(seat=1)).code == "no-more-bets"
    assert t.refuses(t.betting(1, ante=10)).code == "no-more-bets"
    t.check(2).deal()
    assert t.refuses(c.Play(seat=1, times=2)).clause == "PROC-D.3.c"
    t.play(2, 2).deal()
    assert before == {"ante": "5.00", "blind": "5.00", "play": "15.00"}
    assert t.settled("play", 1).stake == 1500


@pytest.mark.clause("PROC-D.note")
@pytest.mark.parametrize(("checks", "times"), [(0, 4), (1, 2), (2, 1)])
def test_cards_go_under_the_blind_whenever_a_play_bet_is_made(checks: int, times: int) -> None:
    t = proc().bet(3, ante=5).deal()
    for _ in range(checks):
        t.check(3).deal()
    assert lines(t, "PROC-D.note") == []
    t.play(3, times)
    [line] = lines(t, "PROC-D.note")
    assert line.startswith(f"Seat 3 plays {times}x and tucks the cards under the blind bet")


@pytest.mark.clause("PROC-D.4")
def test_the_flop_is_turned_when_all_have_acted_and_nothing_is_burned() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().check(1)
    early = t.out_of_order("turn up the flop")
    assert (early.code, early.clause) == ("players-first", "PROC-D.4")
    t.check(2)
    t.perform("turn up the flop")
    turned = t.last(e.BoardTurned)
    assert (turned.face, turned.clause) == (cards("Qd 9s 7h"), "PROC-D.4")
    assert t.view("rail").table.board_down == 2
    assert t.seen(e.CardsBurned) == []


@pytest.mark.clause("PROC-D.6")
def test_turn_and_river_are_turned_together_and_nothing_is_burned() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().play(1, 4).check(2).deal()
    early = t.out_of_order("turn up the turn and river")
    assert (early.code, early.clause) == ("players-first", "PROC-D.6")
    t.check(2)
    t.perform("turn up the turn and river")
    turned = t.last(e.BoardTurned)
    assert (turned.face, turned.clause) == (cards("4c 2d"), "PROC-D.6")
    assert t.board == BOARD
    assert t.seen(e.CardsBurned) == []


@pytest.mark.clause("PROC-D.8-a")
def test_the_dealers_cards_are_turned_and_the_hand_is_called() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().play(1, 4).check(2).deal().check(2).deal()
    early = t.out_of_order("turn up the dealer's cards")
    assert (early.code, early.clause) == ("players-first", "PROC-D.8-a")
    assert t.view("rail").table.dealer == ()
    t.fold(2)
    t.perform("turn up the dealer's cards")
    revealed = t.last(e.DealerRevealed)
    assert (revealed.face, revealed.reads, revealed.qualifies) == (cards("Qc 3s"), "pair", True)
    assert revealed.clause == "PROC-D.8-a"
    [line] = lines(t, "PROC-D.8-a")
    assert "pair of queens" in line
    assert {"Qc", "Qd", "9s", "7h", "4c"} <= set(line.replace(".", " ").split())


# --- folds ---


@pytest.mark.clause("PROC-N.note-b")
def test_a_fold_with_winning_trips_is_tucked_under_the_trips_bet() -> None:
    t = (
        proc("7c 7d Kd 5h", "Kc Qs", "7s Kh 9d 4c 2s")
        .bet(1, ante=5, trips=5)
        .bet(2, ante=5, trips=5)
        .deal()
    )
    t.check(1, 2).deal().check(1, 2).deal().fold(1)
    assert lines(t, "PROC-N.note-b") == [
        "Seat 1 folds with winning trips and tucks the cards under the trips bet."
    ]
    assert t.last(e.Folded).held
    assert t.wagers(1) == {"ante": "5.00", "blind": "5.00", "trips": "5.00"}
    # A pair does not win trips: that fold is taken at once and not tucked.
    t.fold(2)
    assert len(lines(t, "PROC-N.note-b")) == 1


@pytest.mark.clause("PROC-N.note-c")
def test_a_tucked_fold_is_settled_in_its_turn_bets_first_then_cards_then_trips() -> None:
    t = proc("As Ah 7c 7d Qs 5h", "Kc Qc", "7s Kh 9d 4c 2s")
    t.bet(1, ante=5).bet(3, ante=5, trips=5).bet(6, ante=5, trips=5).deal()
    t.play(1, 4).check(3, 6).deal().check(3, 6).deal().fold(3, 6)
    # Seat 6 has no cards under its trips: its three bets and its cards are taken at the fold.
    assert settled(t) == [(6, "ante", "lose"), (6, "blind", "lose"), (6, "trips", "lose")]
    assert t.last(e.CardsRacked).what == "seat 6"
    t.deal().check_books()
    at_three = [
        x.wager if isinstance(x, e.WagerSettled) else "cards"
        for x in t.events
        if isinstance(x, e.WagerSettled | e.HandTurned) and x.seat == 3
    ]
    assert at_three == ["ante", "blind", "cards", "trips"]
    order = [s.seat for s in t.seen(e.WagerSettled)]
    assert order == [6, 6, 6, 3, 3, 3, 1, 1, 1]
    assert [s.clause for s in t.seen(e.WagerSettled) if s.seat == 3][:2] == ["PROC-N.note-c"] * 2
    assert t.net(3) == "5.00"


def test_a_fold_of_aces_without_trips_is_taken_and_racked_at_once() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal().check(1, 2).deal().check(1, 2).deal()
    t.send(c.Fold(seat=1))
    waits = t.refuses(c.Fold(seat=2))
    assert (waits.code, waits.clause) == ("not-now", "MA-9.e.2")
    t.perform("take the fold")
    assert settled(t) == [(1, "ante", "lose"), (1, "blind", "lose")]
    assert (t.last(e.CardsRacked).what, t.last(e.CardsRacked).clause) == ("seat 1", "MA-9.e.2.ii")
    assert t.last(e.CardsRacked).face == ()


# --- settlement ---


@pytest.mark.clause("PROC-N.2", "PROC-Q.1-a")
def test_the_clause_of_the_settlement_follows_the_dealer_of_each_round() -> None:
    """The same table settles a round with a qualified dealer, then one without, then one with."""
    qualified = proc("As Ah").bet(1, ante=5).deal().play(1, 4).deal()
    unqualified = proc("As Ah", NOTHING).bet(1, ante=5).deal().play(1, 4)
    unqualified.table = qualified.table
    unqualified.deal()
    again = proc("As Ah").bet(1, ante=5).deal().play(1, 4)
    again.table = qualified.table
    again.deal()
    assert [
        step.clause
        for t in (qualified, unqualified, again)
        for step in t.seen(e.StepTaken)
        if step.step == "settle each hand"
    ] == ["PROC-Q.1-a", "PROC-N.2", "PROC-Q.1-a"]


@pytest.mark.clause("PROC-N.1-a", "PROC-N.1-b", "PROC-N.2")
def test_without_a_qualified_dealer_all_antes_are_returned_before_a_hand_is_seen() -> None:
    t = proc("As Ah Kh 5s 9c 8s", NOTHING).bet(1, ante=5).bet(4, ante=5).bet(5, ante=5).deal()
    t.play(1, 4).play(4, 4).play(5, 4).until("refund the antes")
    assert t.out_of_order("settle each hand").clause == "PROC-N.1-a"
    t.perform("refund the antes")
    assert [(s.seat, s.wager, s.result, s.clause) for s in t.seen(e.WagerSettled)] == [
        (seat, "ante", "push", "PROC-N.1-a") for seat in (5, 4, 1)
    ]
    assert t.seen(e.HandTurned) == []
    wrong = t.out_of_order("settle each hand", seat=1)
    # PROC-Q.1 is for a dealer who qualifies.
    assert (wrong.code, wrong.clause) == ("out-of-order", "PROC-N.2")
    assert t.out_of_order("collect the cards left out").clause == "PROC-N.2"
    assert prompt(t)[0][1] == "PROC-N.2"
    t.deal().check_books()
    assert [s.clause for s in t.seen(e.StepTaken) if s.step == "settle each hand"] == ["PROC-N.2"]
    assert settled(t)[3:] == [
        (5, "blind", "push"),
        (5, "play", "win"),
        (4, "blind", "lose"),
        (4, "play", "lose"),
        (1, "blind", "push"),
        (1, "play", "win"),
    ]
    assert [x.seat for x in t.seen(e.HandTurned)] == [5, 4, 1]


@pytest.mark.clause("PROC-N.foot")
def test_with_practised_dealers_each_ante_is_returned_in_its_turn() -> None:
    t = proc("As Ah 9c 8s", NOTHING, house={"ante_return": "in_sequence"}).bet(1, ante=5).bet(4, ante=5)
    t.deal().play(1, 4).play(4, 4).deal().check_books()
    assert [(seat, wager) for seat, wager, _ in settled(t)] == [
        (4, "ante"), (4, "blind"), (4, "play"), (1, "ante"), (1, "blind"), (1, "play"),
    ]  # fmt: skip
    assert (t.net(1), t.net(4)) == ("20.00", "20.00")


def test_a_tucked_fold_gets_no_ante_back() -> None:
    t = proc("As Ad 7c 7d", "Qh Jc", "7s Kh 9d 4c 2s").bet(1, ante=5).bet(2, ante=5, trips=5).deal()
    t.play(1, 4).check(2).deal().check(2).deal().fold(2).deal().check_books()
    assert settled(t) == [
        (1, "ante", "push"),
        (2, "ante", "lose"),
        (2, "blind", "lose"),
        (2, "trips", "win"),
        (1, "blind", "push"),
        (1, "play", "win"),
    ]


STRAIGHT_FLUSH: dict[str, Any] = {"board": "9h Th 2c 2d Jh", "dealer": "Ac Kd"}


@pytest.mark.clause("PROC-H.7")
def test_a_payout_over_300_dollars_waits_for_the_floor_supervisor() -> None:
    t = proc("3c 4d 7h 8h 5s 5d", **STRAIGHT_FLUSH).bet(1, ante=5).bet(2, ante=7).bet(4, ante=5)
    t.deal().play(1, 4).play(2, 4).play(4, 4).until("settle each hand")
    t.perform("settle each hand")
    event = t.last(e.ApprovalAsked)
    assert (event.seat, event.wager, event.amount, event.who) == (2, "blind", 35_000, "floor supervisor")
    assert event.clause == "PROC-H.7"
    # The hand on its right is settled; seat 2 is not, and seat 1 waits behind it.
    assert {s.seat for s in t.seen(e.WagerSettled)} == {4}
    stopped = t.refuses(c.Perform(step="settle each hand"))
    assert (stopped.code, stopped.clause) == ("approval-needed", "PROC-H.7")
    dealer = t.refuses(c.Approve(by="dealer"))
    assert (dealer.code, dealer.clause) == ("not-the-floor", "PROC-H.7")
    nameless = t.refuses(c.Approve(by="floor supervisor"))
    assert (nameless.code, nameless.clause) == ("name-missing", "PROC-H.7")
    t.send(c.Approve(by="floor supervisor", name="Flo"))
    approved = t.last(e.PaymentApproved)
    assert (approved.by, approved.name, approved.automatic) == ("floor supervisor", "Flo", False)
    t.deal().check_books()
    assert len(t.seen(e.ApprovalAsked)) == 1
    assert t.settled("blind", 2).back == 35_700
    assert [x.seat for x in t.seen(e.HandTurned)] == [4, 2, 1]
    assert [s.wager for s in t.seen(e.WagerSettled) if s.seat == 2] == ["ante", "blind", "play"]
    assert t.net(2) == "385.00"


@pytest.mark.clause("PROC-H.7")
def test_300_dollars_are_paid_without_approval() -> None:
    t = proc("7h 8h", **STRAIGHT_FLUSH).bet(1, ante=6).deal().play(1, 4).until("settle each hand")
    t.perform("settle each hand")
    assert t.seen(e.ApprovalAsked) == []
    assert t.settled("blind").back == 30_600


@pytest.mark.clause("PROC-H.7", "PROC-N.note-c")
def test_the_bets_of_a_tucked_fold_are_taken_before_its_trips_is_approved() -> None:
    # Four nines under $25 trips pay 30 to 1, $750.
    t = proc("9c 9d", "3h 5c", "9h 9s 4d Kc Ks").bet(1, ante=10, trips=25).deal()
    t.check(1).deal().check(1).deal().fold(1).until("settle each hand")
    happened = t.perform("settle each hand")
    assert [type(x).__name__ for x in happened] == [
        "WagerSettled", "WagerSettled", "HandTurned", "ApprovalAsked",
    ]  # fmt: skip
    t.send(c.Approve(by="floor supervisor", name="Flo"))
    t.deal().check_books()
    assert settled(t) == [(1, "ante", "lose"), (1, "blind", "lose"), (1, "trips", "win")]
    assert len(t.seen(e.HandTurned)) == 1
    assert t.net(1) == "730.00"


@pytest.mark.clause("PROC-H.5")
def test_the_dealer_pays_each_side_of_the_layout_with_the_hand_on_that_side() -> None:
    t = proc("As Ah Ad Ac").bet(2, ante=5).bet(5, ante=5).deal().play(2, 4).play(5, 4).deal()
    assert lines(t, "PROC-H.5") == [
        "Pay $5 on ante at seat 5, on the dealer's right, with the right hand.",
        "Pay $20 on play at seat 5, on the dealer's right, with the right hand.",
        "Pay $5 on ante at seat 2, on the dealer's left, with the left hand.",
        "Pay $20 on play at seat 2, on the dealer's left, with the left hand.",
    ]


@pytest.mark.clause("PROC-H.5")
def test_the_house_chooses_with_which_hand_the_dealer_pays() -> None:
    t = proc(house={"hand_that_pays": "the hand away from the {side}"}).bet(1, ante=5).deal().play(1, 4)
    assert lines(t.deal(), "PROC-H.5")[0].endswith(
        "on the dealer's left, with the hand away from the left."
    )


@pytest.mark.clause("PROC-H.6-b")
def test_a_payout_in_several_chips_is_proven_first() -> None:
    t = proc().bet(1, ante="18.50").deal().check(1).deal().play(1, 2).deal()
    assert t.settled("play").back == 7400
    assert (
        lines(t, "PROC-H.6-b")[1]
        == "Before paying $37, prove it on the layout in chips: 1 x $25, 2 x $5, 2 x $1."
    )
    script = t.says()
    assert script.index(lines(t, "PROC-H.6-b")[1]) + 1 == script.index(lines(t, "PROC-H.5")[1])


@pytest.mark.clause("PROC-H.6-b")
def test_a_payout_in_one_chip_needs_no_proof() -> None:
    t = proc().bet(1, ante=25).deal().play(1, 4).deal()
    assert (t.settled("ante").back, t.settled("play").back) == (5000, 20_000)
    assert lines(t, "PROC-H.6-b") == []
    other = proc(house={"chip_values": "20, 5"}).bet(1, ante=25).deal().play(1, 4).deal()
    assert lines(other, "PROC-H.6-b") == [
        "Before paying $25, prove it on the layout in chips: 1 x $20, 1 x $5."
    ]


@pytest.mark.clause("PROC-H.8")
def test_every_prompt_tells_the_dealer_to_keep_the_cards_in_plain_view() -> None:
    t = table("uth-proc", deck=f"{BOARD} As Ah 9c 8s {NOTHING}", open=False).open()
    shown = []
    while not t.seen(e.RoundClosed):
        assert ("Keep the cards in plain view at all times.", "PROC-H.8") in prompt(t)
        shown.append(t.next)
        if t.next == "announce no more bets":
            t.bet(1, ante=5).bet(2, ante=5)
        if t.next == "ask before the flop":
            t.play(1, 4).check(2)
        elif t.act is None:
            t.pass_turn()
        else:
            t.step()
    assert set(shown) >= {step.name for step in t.table.sections["round"]} - {"collect the cards left out"}
    assert len(lines(t, "PROC-H.8")) == len(t.seen(e.StepTaken)) + len(t.seen(e.FoldTaken)) + 1


# --- the floor ---


def raise_minimum(notice: str = "surveillance") -> c.ChangeMinimum:
    """Change the minimum to $5."""
    return c.ChangeMinimum(by="floor", wager="ante", amount=500, notice=notice)


def at_five() -> Driver:
    """A table whose minimum went from $3 to $5 while seats 2 and 3 were playing at $3."""
    t = proc("As Ah 9c 8s").bet(2, ante=3).bet(3, ante=3).deal().play(2, 3).play(3, 3)
    t.send(raise_minimum())
    return t.deal().ready()


@pytest.mark.clause("PROC-H.2-b")
def test_surveillance_is_notified_before_the_minimum_changes() -> None:
    t = proc().bet(1, ante=3)
    for notice in ("", "the shift manager"):
        untold = t.refuses(raise_minimum(notice))
        assert (untold.code, untold.clause) == ("no-notice", "PROC-H.2-b")
    t.send(raise_minimum())
    changed = t.last(e.LimitsChanged)
    assert (changed.amount, changed.notice, changed.clause) == (500, "surveillance", "PROC-H.2-b")
    # The new minimum applies from the next round on.
    t.bet(1, ante=4).deal().play(1, 3).deal().ready()
    low = t.refuses(t.betting(1, ante=3))
    assert (low.code, low.clause) == ("below-minimum", "PROC-H.2-a")
    t.bet(1, ante=5)


@pytest.mark.clause("PROC-H.2-b")
def test_only_the_floor_changes_the_minimum() -> None:
    t = proc()
    dealer = t.refuses(c.ChangeMinimum(by="dealer", wager="ante", amount=500, notice="surveillance"))
    assert (dealer.code, dealer.clause) == ("not-the-floor", "PROC-H.2-b")


@pytest.mark.clause("PROC-H.3-a")
def test_the_floor_may_keep_a_player_at_the_old_minimum() -> None:
    t = at_five()
    assert t.refuses(t.betting(2, ante=3)).code == "below-minimum"
    dealer = t.refuses(c.KeepMinimum(by="dealer", seat=2))
    assert (dealer.code, dealer.clause) == ("not-the-floor", "PROC-H.3-a")
    t.send(c.KeepMinimum(by="floor", seat=2))
    event = t.last(e.MinimumKept)
    assert (event.seat, event.amount, event.clause) == (2, 300, "PROC-H.3-a")
    t.bet(2, ante=3, trips=3)
    # The floor chooses for each player: seat 3 was not marked, seat 4 is new.
    assert t.refuses(t.betting(3, ante=3)).clause == "PROC-H.2-a"
    assert t.refuses(t.betting(4, ante=3)).clause == "PROC-H.2-a"
    new = t.refuses(c.KeepMinimum(by="floor", seat=4))
    assert (new.code, new.clause) == ("not-in-play", "PROC-H.3-a")
    t.deal().play(2, 3).deal().ready()
    t.bet(2, ante=3).check_books()


@pytest.mark.clause("PROC-H.3-a")
def test_a_player_who_never_bet_less_has_no_old_minimum_to_keep() -> None:
    t = proc("As Ah 9c 8s").bet(2, ante=3).bet(3, ante=5).deal().play(2, 3).play(3, 3).deal()
    # A later bet of $5 at the $3 table does not take the old minimum away.
    t.bet(2, ante=5).bet(3, ante=5).deal().play(2, 3).play(3, 3)
    t.send(raise_minimum())
    t.deal().ready()
    no = t.refuses(c.KeepMinimum(by="floor", seat=3))
    assert (no.code, no.clause) == ("not-in-play", "PROC-H.3-a")
    t.send(c.KeepMinimum(by="floor", seat=2))
    t.bet(2, ante=3).check_books()


@pytest.mark.clause("PROC-H.3-b")
def test_a_player_kept_at_the_old_minimum_who_leaves_returns_at_the_new_one() -> None:
    t = at_five()
    t.send(c.KeepMinimum(by="floor", seat=2))
    t.send(c.Leave(seat=2))
    assert t.last(e.PlayerLeft).clause == "PROC-H.3-b"
    t.sit(2)
    low = t.refuses(t.betting(2, ante=3))
    assert (low.code, low.clause) == ("below-minimum", "PROC-H.2-a")
    t.bet(2, ante=5).check_books()


@pytest.mark.clause("PROC-H.3-c")
def test_a_player_kept_at_the_old_minimum_who_returns_to_a_held_seat_keeps_it() -> None:
    t = at_five()
    t.send(c.KeepMinimum(by="floor", seat=2))
    t.send(c.HoldSeat(by="floor", seat=2, until="half past nine"))
    assert t.last(e.SeatHeld).clause == "PROC-H.3-c"
    t.send(c.Leave(seat=2))
    t.sit(2)
    assert t.last(e.PlayerSeated).clause == "PROC-H.3-c"
    t.bet(2, ante=3).check_books()


@pytest.mark.clause("PROC-H.3-c")
@pytest.mark.parametrize("order", ["raise, then hold", "hold, then raise", "raise while away"])
def test_a_player_with_a_held_seat_keeps_the_minimum_they_were_playing_at(order: str) -> None:
    # The floor never marks seat 2 as kept: the hold itself is the exception.
    t = proc("As Ah 9c 8s").bet(2, ante=3).bet(3, ante=3).deal().play(2, 3).play(3, 3).deal().ready()
    hold = c.HoldSeat(by="floor", seat=2, until="half past nine")
    for command in {
        "raise, then hold": (raise_minimum(), hold, c.Leave(seat=2)),
        "hold, then raise": (hold, raise_minimum(), c.Leave(seat=2)),
        "raise while away": (hold, c.Leave(seat=2), raise_minimum()),
    }[order]:
        t.send(command)
    assert (t.last(e.SeatHeld).keeps, t.last(e.PlayerLeft).clause) == (300, "PROC-H.3-c")
    t.bet(3, ante=5).deal().play(3, 3).deal().ready()
    t.sit(2)
    assert (t.last(e.PlayerSeated).keeps, t.last(e.PlayerSeated).clause) == (300, "PROC-H.3-c")
    t.bet(2, ante=3)
    assert t.refuses(t.betting(3, ante=3)).clause == "PROC-H.2-a"
    t.check_books()


@pytest.mark.clause("PROC-H.3-a", "PROC-H.3-c")
def test_a_hold_does_not_protect_from_a_minimum_that_is_raised_after_the_return() -> None:
    t = proc("As Ah 9c 8s").bet(2, ante=3).deal().play(2, 3).deal().ready()
    t.send(c.HoldSeat(by="floor", seat=2))
    t.send(c.Leave(seat=2))
    t.sit(2)
    assert t.last(e.PlayerSeated).keeps == 0
    t.bet(2, ante=3)
    t.send(raise_minimum())
    t.deal().play(2, 3).deal().ready()
    # The player is back, so the floor decides again.
    assert t.refuses(t.betting(2, ante=3)).clause == "PROC-H.2-a"


@pytest.mark.clause("PROC-H.3-c")
def test_a_hold_keeps_no_minimum_for_a_player_who_never_bet_less() -> None:
    t = proc("As Ah 9c 8s").bet(2, ante=5).deal().play(2, 3).deal().ready()
    t.send(c.HoldSeat(by="floor", seat=2))
    t.send(c.Leave(seat=2))
    t.send(raise_minimum())
    t.bet(3, ante=5).deal().play(3, 3).deal().ready()
    t.sit(2)
    assert t.refuses(t.betting(2, ante=3)).clause == "PROC-H.2-a"


@pytest.mark.clause("PROC-H.2-b", "PROC-H.3-a", "PROC-H.3-d")
def test_the_floors_options_include_orders_about_minimums_and_seats() -> None:
    t = proc("As Ah 9c 8s").bet(2, ante=3).deal().play(2, 3).deal().ready()
    says = "set the minimum to $5, surveillance notified"
    assert {says, "hold seat 2 for its player"} <= set(t.legal("floor"))
    assert "let seat 2 keep the old minimum" not in t.legal("floor")
    t.send(raise_minimum())
    assert says not in t.legal("floor")
    assert "let seat 2 keep the old minimum" in t.legal("floor")
    t.send(c.HoldSeat(by="floor", seat=2))
    assert "release seat 2" in t.legal("floor")


@pytest.mark.clause("PROC-H.3-c")
def test_a_player_loses_the_old_minimum_when_the_hold_expires() -> None:
    t = at_five()
    t.send(c.KeepMinimum(by="floor", seat=2))
    t.send(c.HoldSeat(by="floor", seat=2))
    t.send(c.Leave(seat=2))
    t.send(c.ReleaseSeat(by="floor", seat=2))
    t.sit(2)
    assert t.refuses(t.betting(2, ante=3)).clause == "PROC-H.2-a"


@pytest.mark.clause("PROC-H.3-d")
def test_how_long_a_seat_is_held_is_the_floor_persons_judgement() -> None:
    t = at_five()
    dealer = t.refuses(c.HoldSeat(by="dealer", seat=2))
    assert (dealer.code, dealer.clause) == ("not-the-floor", "PROC-H.3-d")
    t.send(c.HoldSeat(by="floor", seat=2, until="half past nine"))
    t.send(c.HoldSeat(by="floor", seat=3))
    for number in (2, 3):
        t.send(c.Leave(seat=number))
    assert t.view("floor").table.held == {2: ("player 2", "half past nine"), 3: ("player 3", "")}
    first, second = lines(t, "PROC-H.3-d")
    assert first.startswith("Seat 2 is held until half past nine.")
    assert second.startswith("Seat 3 is held until the floor releases it.")
    other = t.refuses(c.Sit(seat=2, player="somebody else", chips=10_000))
    assert (other.code, other.clause) == ("seat-held", "PROC-H.3-d")
    assert t.refuses(c.ReleaseSeat(by="dealer", seat=2)).clause == "PROC-H.3-d"
    t.send(c.ReleaseSeat(by="floor", seat=2))
    assert (t.last(e.SeatReleased).clause, t.view("floor").table.held) == (
        "PROC-H.3-d",
        {3: ("player 3", "")},
    )


# --- players ---


@pytest.mark.clause("PROC-H.9")
def test_a_standing_patron_may_not_wager_until_seated() -> None:
    t = proc().sit(1)
    t.send(c.Stand(seat=1))
    standing = t.refuses(t.betting(1, ante=5))
    assert (standing.code, standing.clause) == ("not-seated", "PROC-H.9")
    t.send(c.Sit(seat=1))
    t.bet(1, ante=5).deal()
    # A patron with cards may not stand up. If one leaves anyway, the floor records it.
    stays = t.refuses(c.Stand(seat=1, by="seat 1"))
    assert (stays.code, stays.clause) == ("round-not-complete", "PROC-H.9")
    assert "stand up" not in t.legal("seat 1")
    assert "seat 1 has left" in t.legal("floor")
    t.send(c.Stand(seat=1, by="floor"))
    assert t.last(e.PlayerStood).clause == "PROC-H.9"
    standing = t.refuses(c.Play(seat=1, times=4))
    assert (standing.code, standing.clause) == ("not-seated", "PROC-H.9")
    t.send(c.Sit(seat=1))
    t.play(1, 4)


@pytest.mark.clause("PROC-H.9")
def test_a_seat_is_not_released_before_the_round_is_over() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal()
    early = t.refuses(c.Leave(seat=1))
    assert (early.code, early.clause) == ("round-not-complete", "PROC-H.9")
    t.check(1, 2).deal().check(1, 2).deal().fold(1)
    # A player who has folded stays too: the cards were received.
    assert t.refuses(c.Leave(seat=1)).clause == "PROC-H.9"
    t.play(2, 1).deal()
    t.send(c.Leave(seat=1))
    assert (t.last(e.PlayerLeft).chips, t.last(e.PlayerLeft).clause) == (999_000, None)
    t.check_books()


@pytest.mark.clause("PROC-H.9")
def test_an_absent_players_hand_is_checked_and_then_folded_by_a_supervisor() -> None:
    t = proc("As Ah").bet(1, ante=5).deal()
    dealer = t.refuses(c.ActFor(by="dealer", seat=1))
    assert (dealer.code, dealer.clause) == ("not-the-floor", "PROC-H.9")
    for _ in range(2):
        t.send(c.ActFor(by="supervisor", seat=1))
        assert t.last(e.Checked).by == "supervisor"
        t.deal()
    t.send(c.ActFor(by="supervisor", seat=1))
    assert (t.last(e.Folded).by, t.last(e.Folded).clause) == ("supervisor", "PROC-D.7-a")
    t.finish().check_books()
    assert t.net(1) == "-10.00"


def test_players_act_clockwise() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5).deal()
    early = t.refuses(c.Check(seat=2))
    assert (early.code, early.clause) == ("out-of-turn", "MA-9.a-b")
    third = t.check(1, 2).deal().check(1, 2).deal().refuses(c.Check(seat=1))
    assert (third.code, third.clause) == ("no-check", "PROC-D.7-a")


# --- irregularities: the procedures say nothing, so Massachusetts applies ---


def test_an_exposed_dealer_card_voids_the_hands_and_saves_trips() -> None:
    t = proc("7c 7d", "Kc Qs", "7s Kh 9d 4c 2s").bet(1, ante=5, trips=5).deal()
    t.report("exposed card", at="dealer", cards="Kc")
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.a-b", True)
    assert t.last(e.WagersReturned).wagers == {"ante": 500, "blind": 500}
    t.finish().check_books()
    assert settled(t) == [(1, "trips", "win")]
    assert t.net(1) == "15.00"


def test_a_tucked_fold_still_counts_when_the_other_hands_are_void() -> None:
    t = proc("7c 7d As Ah", "Kc Qs", "7s Kh 9d 4c 2s").bet(1, ante=5, trips=5).bet(2, ante=5).deal()
    t.check(1, 2).deal().check(1, 2).deal().fold(1).report("exposed card", at="dealer", cards="Kc")
    t.finish().check_books()
    assert settled(t) == [(1, "ante", "lose"), (1, "blind", "lose"), (1, "trips", "win")]
    assert (t.net(1), t.net(2)) == ("5.00", "0.00")


def test_a_tucked_fold_still_counts_when_the_machine_fails() -> None:
    t = proc("7c 7d As Ah", "Kc Qs", "7s Kh 9d 4c 2s").bet(1, ante=5, trips=5).bet(2, ante=5).deal()
    t.check(1, 2).deal().check(1, 2).deal().fold(1).report("machine failure", device="shuffler 2")
    t.finish().check_books()
    assert settled(t) == [(1, "ante", "lose"), (1, "blind", "lose")]
    assert (t.net(1), t.net(2)) == ("-10.00", "0.00")


def test_another_exposed_card_is_turned_back() -> None:
    t = proc().bet(1, ante=5).deal().report("exposed card", at="board", cards="2d")
    assert (t.last(e.CardExposed).turned_back, t.last(e.CardExposed).clause) == (True, "SD-5-c")
    t.play(1, 4).deal().check_books()
    assert t.net(1) == "25.00"


def test_one_face_up_card_is_set_aside_and_two_void_the_round() -> None:
    t = proc().bet(1, ante=5).until("dispense the hands")
    t.shoe.stack("3d")
    t.report("face-up card", cards="3d")
    assert (t.last(e.FaceUpFound).used, t.last(e.FaceUpFound).clause) == (False, "MA-14.b-a")
    t.report("face-up card", cards="5d")
    assert (t.last(e.RoundVoided).clause, t.last(e.RoundVoided).trips) == ("MA-14.b-b", False)
    t.finish().check_books()
    assert t.net(1) == "0.00"


def test_a_card_drawn_in_error_is_the_next_card() -> None:
    t = proc().bet(1, ante=5).until("dispense the hands")
    t.report("card drawn in error", cards="As")
    assert t.last(e.CardDrawn).clause == "MA-14.c"
    t.perform("dispense the hands")
    assert (t.hole(1), t.dealer) == ("As Ah", "Qc 3s")


def test_a_wrong_number_of_cards_voids_the_players_hand_or_every_hand() -> None:
    t = proc("As Ah 9c 8s").bet(1, ante=5).bet(2, ante=5, trips=5).deal()
    t.send(c.DealExtra(at="seat 2", cards=t.shoe.take(1)))
    t.report("wrong number", at="seat 2")
    assert t.last(e.HandVoided).clause == "MA-14.d-a"
    assert t.last(e.WagersReturned).wagers == {"ante": 500, "blind": 500, "trips": 500}
    t.play(1, 4).send(c.DealExtra(at="dealer", cards=t.shoe.take(1)))
    t.report("wrong number", at="dealer")
    assert t.last(e.RoundVoided).clause == "MA-14.d-b"
    t.finish().check_books()
    assert (t.net(1), t.net(2)) == ("0.00", "0.00")


def test_a_short_dealer_is_dealt_the_card_in_sequence() -> None:
    t = proc().bet(1, ante=5).until("dispense the hands")
    t.perform("dispense the hands", cards=t.shoe.take(2))
    t.send(c.DealShort())
    t.report("wrong number", at="dealer", cards="Qc 3s")
    t.shoe.take(2)
    assert t.last(e.HandCured).clause == "MA-14.d-c"
    t.deal().play(1, 4).deal().check_books()
    assert t.net(1) == "25.00"


def test_a_deck_with_a_wrong_number_of_cards_leaves_the_table() -> None:
    t = proc().bet(1, ante=5).report("device count", count=51)
    assert t.last(e.DeckRemoved).clause == "MA-7.h-b"
    t.finish().check_books()
    assert t.net(1) == "0.00"
    assert t.refuses(c.Perform(step="shuffle")).code == "deck-off"
    t.send(c.ReplaceDeck(by="floor", deck="A"))
    t.ready()
