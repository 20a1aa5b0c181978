"""Clauses played at a live table: confirmations, approvals, Cover All, misdeals, irregularities, stub counts, the house way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houseway.audit.explain import explain
from houseway.audit.verify import verify
from houseway.cards import codes
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.testing.driver import stacked
from server.hosted_rounds import Room
from server.test_dealt_wrong import DEALER, Staffed
from server.test_irregular import DEALER as CHAIR
from server.test_irregular import IrregularRoom
from server.test_named_people import by_hand, deal_until, first, recorded, staff
from server.test_shootout_live import DANA, dealt_by_dana, keep_command, refused, room_of, take_step

CONFIRMED = [
    ("uth-ma", "confirm the deck", "MA-2.a-c", {}),
    ("uth-ma", "confirm each deck", "MA-2.b.1", {"house": {"decks": 2, "shuffler": "device"}}),
    ("uth-ma", "confirm the cover cards", "MA-2.a-b", {}),
    ("uth-ma", "confirm the dealing shoe", "MA-7.a-a", {"mode": "manual"}),
    ("uth-ma", "confirm the dealing machine", "MA-8.a", {"mode": "device"}),
    ("uth-ma", "confirm the Cover All mode", "MA-12.d", {"mode": "device"}),
    ("uth-sd", "post the limits", "SD-1-f", {}),
    ("uth-sd", "post the progressive schedule", "SD-18-c", {"tables": {"progressive": "PMG-02"}}),
    ("uth-proc", "post the maximum payout", "PROC-H.4-b", {"house": {"max_payout": "10000"}}),
]


ITEMS = {
    "MA-2.a-c": "the deck meets 205 CMR 146.48",
    "MA-2.b.1": "the deck meets 205 CMR 146.48",
    "MA-2.a-b": "two solid yellow cover cards",
    "MA-7.a-a": "the dealing shoe meets 205 CMR 146.51 and is in the place that the Commission approved",
    "MA-8.a": "the Commission approved the dealing machine, its place and its procedures",
    "MA-12.d": "the shuffler is set to its Cover All mode",
    "SD-1-f": "a sign with the limits of the table is posted",
    "SD-18-c": "the progressive pay table PMG-02 is on a placard or the video sign",
    "PROC-H.4-b": "a table card shows the maximum payout of $10,000",
}


@pytest.mark.parametrize(
    ("rulebook", "step", "clause", "order"),
    [pytest.param(*row, marks=pytest.mark.clause(row[2]), id=row[2]) for row in CONFIRMED],
)
def test_no_card_is_shuffled_before_the_dealer_has_confirmed_the_item(
    rulebook: str, step: str, clause: str, order: dict[str, Any]
) -> None:
    room = by_hand(rulebook, **order)
    deal_until(room, step)
    early = room.do(9, c.Perform(step="shuffle"))
    assert isinstance(early, Rejected)
    assert (early.refused[0].code, early.refused[0].clause) == ("out-of-order", clause)
    assert recorded(room, e.DeckShuffled) == []
    assert isinstance(room.do(9, first(room, "dealer")), Answered)
    confirmed = recorded(room, e.ItemConfirmed)[-1]
    assert (confirmed.clause, confirmed.name, confirmed.automatic) == (clause, "Dana", False)
    assert confirmed.item == ITEMS[clause]


@pytest.mark.clause("SD-18.a.iv")
def test_a_progressive_award_is_not_paid_before_the_floor_approves_it() -> None:
    deck = stacked("manual", "9h Th Jh 2c 2d", "Ac Kd", "7h 8h")
    house = {"auto_approve": False}
    room = Staffed("uth-sd", deck, seats=(1,), mode="manual", tables={"progressive": "PMG-02"}, house=house)
    staff(room, 8, "Flo", "floor")
    for _ in range(60):
        if room.hosted.phase.betting:
            break
        by = 8 if room.hosted.waits().why == "floor" else DEALER
        answer = room.do(by, first(room, "floor" if by == 8 else "dealer"))
        assert isinstance(answer, Answered), answer
    room.bets(1, ante=7, progressive=5)
    room.ready()
    room.until("KeyAward")
    room.sends(c.KeyAward(seat=1, hand="straight flush"))
    for _ in range(20):
        if room.hosted.waits().why == "floor":
            break
        room.sends_choice()
    paid = [line for line in recorded(room, e.WagerSettled) if line.wager == "progressive"]
    assert (room.hosted.waits().why, paid) == ("floor", [])
    assert isinstance(room.do(8, first(room, "floor")), Answered)
    (approved,) = recorded(room, e.PaymentApproved)
    assert (approved.clause, approved.name, approved.automatic) == ("SD-18.a.iv", "Flo", False)
    room.until("close the round")
    assert [line.wager for line in recorded(room, e.WagerSettled) if line.wager == "progressive"]
    room.verified()


@pytest.mark.clause("MA-12.b")
@pytest.mark.parametrize(("low", "back", "clause"), [("lose", 0, "MA-12.k"), ("push", 500, "MA-12.b")])
def test_three_of_a_kind_on_cover_all_follows_the_house_setting(low: str, back: int, clause: str) -> None:
    # Seat 1 has three sevens, the highest hand.
    deck = stacked("device", "7s Kh 9d 4c 2s", "Kc Qd", "7c 7d").split()
    order = OpenTable(rulebook="uth-ma", mode="device", house={"cover_all_low": low})
    room = Room("uth-ma", [deck], seats=(1,), order=order)
    player = room.watch("seat 1")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000, "cover_all": 500})), Answered)
    room.ready()
    assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
    (line,) = [line for line in recorded(room, e.WagerSettled) if line.wager == "cover_all"]
    assert (line.back, line.clause) == (back, clause)
    assert player.view.table.closed
    assert verify(room.store, "room").faults == ()


# --- Texas Shootout: the dealer's hand and the cut ---


@pytest.mark.clause("TS-11-c", "TS-11-e")
def test_a_wrong_dealers_hand_stands_once_the_board_is_turned_at_a_training_table() -> None:
    room = dealt_by_dana(purpose="training")
    assert isinstance(room.do(DANA, keep_command("7s 2h")), Answered)
    assert refused(room.do(DANA, c.AnswerChallenge())).code == "no-challenge"
    while room.hosted.view("dealer").table.step != "settle the hands":
        take_step(room)
    late = refused(room.do(1, c.Challenge(seat=1)))
    assert (late.code, late.clause) == ("challenge-closed", "TS-11-e")
    reset = refused(room.do(DANA, c.ResetHand()))
    assert (reset.code, reset.clause) == ("reset-closed", "TS-11-c")
    assert codes(room.hosted.live.state.round.kept) == "7s 2h"


@pytest.mark.clause("TS-11-c", "TS-11-f")
@pytest.mark.parametrize(
    ("person", "by"), [(DANA, "dealer"), (8, "supervisor")], ids=["the dealer", "the floor"]
)
@pytest.mark.parametrize("challenged", [False, True])
def test_the_record_names_the_person_who_reset_the_dealers_hand(
    person: int, by: str, challenged: bool
) -> None:
    room = dealt_by_dana()
    staff(room, 8, "Flo", "floor")
    name = {DANA: "Dana", 8: "Flo"}[person]
    assert isinstance(room.do(DANA, keep_command("7s 2h")), Answered)
    if challenged:
        assert isinstance(room.do(2, c.Challenge(seat=2)), Answered)
    act = c.AnswerChallenge(name="Somebody") if challenged else c.ResetHand(name="Somebody")
    answers = [room.do(person, act, key="once") for _ in range(2)]
    assert [answer.repeated for answer in answers if isinstance(answer, Answered)] == [False, True]
    (reset,) = recorded(room, e.ChallengeAnswered if challenged else e.DealerHandReset)
    assert (codes(reset.kept), reset.by, reset.name) == ("Kd Kc", by, name)
    said = [line.says for line in explain(room.store, "room", 1, "rail").said]
    printed = f"{'checked' if challenged else 'reset'} by the {by} ({name})"
    assert any(printed in sentence for sentence in said), said
    while not room.hosted.phase.over:
        take_step(room)
    assert verify(room.store, "room").faults == ()


@pytest.mark.clause("TS-3-c")
def test_a_named_employee_marks_the_cut() -> None:
    room = room_of(dealer="person")
    staff(room, DANA, "Dana", "dealer")
    while room.hosted.view("dealer").table.step != "cut the cards":
        take_step(room)
    nameless = refused(room.do(DANA, c.Perform(step="cut the cards", count=90, name="supervisor")))
    assert (nameless.code, nameless.clause) == ("not-at-the-table", "TS-3-c")
    by_bea = c.Perform(step="cut the cards", count=90, name="supervisor Bea")
    assert isinstance(room.do(DANA, by_bea), Answered)
    (cut,) = recorded(room, e.DeckCut)
    assert (cut.by, cut.count, cut.automatic, cut.clause) == ("supervisor Bea", 90, False, "TS-3-c")


# --- misdeals and exposed cards ---


@pytest.mark.clause("SD-5-a")
def test_a_third_card_of_the_dealer_found_after_the_folds_returns_every_wager() -> None:
    room = Staffed("uth-sd", "2c 8d 9c 5h Ts  6d Qd Jh 4c  3s Kd 7s", mode="manual")
    chips = {number: seat.chips for number, seat in room.state.seats.items()}
    room.to_bets()
    room.bets(1, ante=25)
    room.bets(2, ante=10)
    room.ready()
    room.until("burn before the flop")
    room.sends(c.DealExtra(at="dealer"))
    room.until("collect the folded hands")
    room.sends(c.Perform(step="collect the folded hands"))
    assert room.state.seats[1].chips == chips[1] - 5_000
    room.sends(c.Report(kind="wrong number", at="dealer"))
    assert {number: seat.chips for number, seat in room.state.seats.items()} == chips
    assert [void.clause for void in recorded(room, e.RoundVoided)] == ["SD-5-a"]
    room.until("close the round")
    room.verified()


@pytest.mark.clause("MA-14.a-a", "MA-14.a-b")
def test_trips_is_settled_on_the_completed_board_of_a_void_round() -> None:
    # Seat 1 has three sevens once the board is complete.
    deck = stacked("manual", "7s Kh 9d 4c 2s", "Ac Qd", "7c 7d", "Jh 5s")
    room = Staffed("uth-ma", deck, mode="manual")
    chips = {number: seat.chips for number, seat in room.state.seats.items()}
    room.to_bets()
    room.bets(1, ante=10, trips=5)
    room.bets(2, ante=10, trips=5)
    room.ready()
    while room.hosted.waits().why != "decision":
        room.sends_choice()
    room.sends(c.Report(kind="exposed card", at="dealer", which=1))
    assert [void.clause for void in recorded(room, e.RoundVoided)] == ["MA-14.a-b"]
    room.until("close the round")
    assert codes(room.state.round.board) == "7s Kh 9d 4c 2s"
    assert [(line.seat, line.wager) for line in recorded(room, e.WagerSettled)] == [
        (2, "trips"),
        (1, "trips"),
    ]
    assert [room.state.seats[number].chips - chips[number] for number in (1, 2)] == [1500, -500]
    room.verified()


@pytest.mark.clause("SD-5-b")
def test_a_card_face_up_in_the_deck_is_dealt_next_in_south_dakota() -> None:
    room = IrregularRoom("uth-sd")
    room.until("deal the first card to each player")
    room.accept(CHAIR, c.Report(kind="face-up card", at="deck"))
    (found,) = room.events(e.FaceUpFound)
    assert (codes(found.face), found.used, found.clause) == ("2c", True, "SD-5-b")
    room.until("close the round")
    assert codes(room.hosted.live.state.seats[1].hands[0].cards[:1]) == "2c"
    assert not room.events(e.RoundVoided)
    room.verified()


# --- the stub count ---


@pytest.mark.clause("MA-7.g")
def test_a_void_round_counts_toward_the_count_that_is_due_after_five_rounds() -> None:
    room = Staffed("uth-ma", seats=(1,), mode="manual")
    for number in range(1, 6):
        room.to_bets()
        room.bets(1, ante=10)
        room.ready()
        if number == 3:
            room.until("burn before the flop")
            room.sends(c.DealExtra(at="dealer"))
            room.sends(c.Report(kind="wrong number", at="dealer"))
        if number == 5:
            break
        room.until("close the round")
        room.sends(c.Perform(step="close the round"))
    assert len(recorded(room, e.RoundVoided)) == 1
    assert recorded(room, e.StubCounted) == []
    room.until("count the stub")
    for later in ("turn up the dealer's cards", "close the round"):
        early = room.do(DEALER, c.Perform(step=later))
        assert isinstance(early, Rejected)
        assert (early.refused[0].code, early.refused[0].clause) == ("out-of-order", "MA-7.g")
    # 52 cards less two hands, two burned cards and the board.
    room.sends(c.Perform(step="count the stub", count=41))
    (counted,) = recorded(room, e.StubCounted)
    assert (counted.right, counted.clause) == (True, "MA-7.g.1")
    room.until("close the round")
    room.verified()


# --- signs and automatic approvals ---


@pytest.mark.parametrize(
    ("rulebook", "step", "clause", "order"),
    [
        pytest.param(*row, marks=pytest.mark.clause(row[2]), id=row[2])
        for row in CONFIRMED
        if row[2] != "SD-1-f"
    ],
)
def test_a_table_opens_without_a_sign_but_not_without_an_approval(
    rulebook: str, step: str, clause: str, order: dict[str, Any]
) -> None:
    room = by_hand(rulebook, **order)
    deal_until(room, step)
    offered = [choice.says for choice in room.hosted.view("dealer").yours.choices]
    answer = room.do(9, c.Perform(step=step, exception="the printer is broken"))
    if clause == "PROC-H.4-b":
        assert isinstance(answer, Answered), answer
        item = recorded(room, e.ItemConfirmed)[-1]
        assert (item.clause, item.name, item.exception) == (clause, "Dana", "the printer is broken")
    else:
        assert isinstance(answer, Rejected)
        assert (answer.refused[0].code, answer.refused[0].clause) == ("confirmation-needed", clause)
    assert (f'open without the step "{step}"' in offered) is (clause == "PROC-H.4-b")


@pytest.mark.clause("SD-18.a.iv")
def test_an_automatic_approval_of_an_award_is_recorded_and_printed() -> None:
    deck = stacked("manual", "9h Th Jh 2c 2d", "Ac Kd", "7h 8h").split()
    order = OpenTable(rulebook="uth-sd", mode="manual", tables={"progressive": "PMG-02"})
    room = Room("uth-sd", [deck], seats=(1,), order=order)
    room.watch("seat 1")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 700, "progressive": 500})), Answered)
    room.ready()
    assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
    (approved,) = recorded(room, e.PaymentApproved)
    assert (approved.clause, approved.by, approved.automatic) == ("SD-18.a.iv", "house", True)
    said = [
        line.says for line in explain(room.store, "room", 1, "rail").said if line.clause == "SD-18.a.iv"
    ]
    assert any("approved automatically, as a house setting allows" in sentence for sentence in said), said
    assert verify(room.store, "room").faults == ()


# --- a bet on trips alone ---


@pytest.mark.clause("SD-2-c")
def test_a_player_with_only_a_trips_bet_has_no_decision_at_a_live_table() -> None:
    deck = stacked("manual", "7s Kh 9d 4c 2s", "9c 3d", "7c 7d", "Ac Jd").split()
    room = Room("uth-sd", [deck], seats=(1, 2), order=OpenTable(rulebook="uth-sd", mode="manual"))
    room.watch("seat 1")
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"trips": 500})), Answered)
    assert isinstance(room.do(2, c.Bet(seat=2, wagers={"ante": 1000})), Answered)
    room.ready()
    assert room.hosted.waits().seats == (2,)
    for command in (c.Fold(seat=1), c.Check(seat=1)):
        answer = room.do(1, command)
        assert isinstance(answer, Rejected)
        assert (answer.refused[0].code, answer.refused[0].clause) == ("no-decision", "SD-2-c")
    assert isinstance(room.do(2, c.Play(seat=2, times=4)), Answered)
    assert recorded(room, e.Folded) == []
    (trips,) = [line for line in recorded(room, e.WagerSettled) if line.seat == 1]
    assert (trips.wager, trips.result) == ("trips", "win")


# --- the dealer's cover card ---


@pytest.mark.clause("CARD-7")
def test_the_dealers_cards_are_dealt_under_a_cover_card_at_a_live_table() -> None:
    room = by_hand("uth-card", mode="manual", house={"auto_approve": True})
    script: list[str] = []
    for _ in range(60):
        if room.hosted.phase.over:
            break
        waits, notes = room.hosted.waits(), room.hosted.view("dealer").yours.notes
        script += [line.says for line in notes.script] if notes is not None else []
        if waits.why == "bets":
            room.bet(1, side=False)
            room.ready()
        elif waits.why == "decision":
            assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
        else:
            assert isinstance(room.do(9, first(room, "dealer")), Answered), waits
    lines = (
        "Deal one card face down to the dealer's area, under a cover card.",
        "Deal a second card face down to the dealer's area, under the cover card.",
        "Take the cover card off the dealer's cards.",
    )
    places = [script.index(line) for line in lines]
    assert places == sorted(places)
    steps = [x.step for x in recorded(room, e.StepTaken)]
    assert steps.index("take the cover card off") < steps.index("turn up the dealer's cards")


# --- a house's own Cover All rows ---


@pytest.mark.clause("MA-12.k")
def test_a_table_pays_the_cover_all_rows_that_the_house_has_loaded(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    rows = '[tables.cover_all.2.rows]\n"full house" = "15 to 1"\n'
    own.write_text(f'[rulebook]\nid = "own"\ntitle = "Our Cover All"\nextends = "uth-ma"\n{rows}')
    # Seat 1 has sevens full; the printed matrix pays 12 to 1.
    deck = stacked("device", "7s Kh Kd 4c 2s", "Qc Jd", "7c 7d").split()
    for book, odds in (("uth-ma", "12 to 1"), (str(own), "15 to 1")):
        order = OpenTable(rulebook=book, mode="device")
        room = Room(book, [deck], seats=(1,), order=order)
        room.watch("seat 1")
        assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 1000, "cover_all": 500})), Answered)
        room.ready()
        assert isinstance(room.do(1, c.Play(seat=1, times=4)), Answered)
        (line,) = [line for line in recorded(room, e.WagerSettled) if line.wager == "cover_all"]
        assert line.odds == odds
        (shown,) = recorded(room, e.PayoutsShown)
        assert shown.odds["full house"] == odds
        assert verify(room.store, "room").faults == ()
