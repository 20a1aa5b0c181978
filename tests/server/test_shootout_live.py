"""Texas Shootout at a live table: a dealer's hand that breaks the house way, tips, the cut, hands set in any order."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.entries import read_entry
from houseway.audit.explain import explain, story_lines
from houseway.audit.verify import verify
from houseway.cards import cards
from houseway.client.messages import Answered, OpenTable, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.legal import legal
from houseway.engine.refusals import Refusal
from houseway.live.table_phase import Automation
from houseway.server.table_sheets import table_card, table_sheet
from record.recorded import SIGNER
from server.hosted_rounds import Room
from table_driver import table

BOOK = "shootout-sd"
FLOP = "Qd Th 6h 5c 3d"
SEVENS, PAIRS, KINGS = "7c 7d Jh 3s", "9s 9d 4h 4c", "Kd Kc 7s 2h"
DANA = 9
"""The dealer, as the number of a person in a `Room`."""


def shoe(*hands: str) -> list[str]:
    """The shoe that burns one card and deals four to each player and, last, to the dealer."""
    rows = [hand.split() for hand in hands]
    return ["8c", *(row[n] for n in range(4) for row in rows), *FLOP.split()]


def room_of(*, seats: tuple[int, ...] = (1, 2), **given: Any) -> Room:
    hands = (SEVENS, PAIRS)[: len(seats)]
    order = OpenTable(rulebook=BOOK, **given)
    return Room(BOOK, [shoe(*hands, KINGS)], seats=seats, order=order)


def dealt_by_dana(**given: Any) -> Room:
    """A table where Dana deals, the players have kept their pairs, and the dealer's cards are up."""
    room = room_of(dealer="person", **given)
    introduced = room.people.introduce("Dana")
    assert isinstance(introduced, tuple)
    room.persons[DANA] = room.people.give(introduced[0].handle, "room", "dealer")
    while not room.hosted.phase.betting:
        take_step(room)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    while room.hosted.waits().why != "decision":
        take_step(room)
    accepted(room.do(2, c.Keep(seat=2, cards=cards("9s 9d"))))
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    while room.hosted.view("dealer").table.step != "set the dealer's hand":
        take_step(room)
    return room


def take_step(room: Room) -> None:
    """Let Dana press the first button of the dealer's bar."""
    accepted(room.do(DANA, room.hosted.view("dealer").yours.choices[0].command))


def accepted(answer: Answered | Rejected) -> None:
    assert isinstance(answer, Answered), answer


def refused(answer: Answered | Rejected) -> Refusal:
    assert isinstance(answer, Rejected), answer
    return answer.refused[0]


def says(room: Room, role: str) -> list[str]:
    return [choice.says for choice in room.hosted.view(role).yours.choices]


def record(room: Room) -> list[e.Event]:
    entries = map(read_entry, room.store.entries("room"))
    return [event for entry in entries for event in entry.events]


def check_record(room: Room) -> None:
    """Check that the record verifies and that every closed round was settled a second time."""
    report = verify(room.store, "room", key=SIGNER.public)
    assert report.faults == ()
    assert report.settled_again == report.rounds == 1


def keep_command(pair: str) -> c.Perform:
    return c.Perform(step="set the dealer's hand", cards=cards(pair))


# --- the players' hands ---


@pytest.mark.clause("TS-8-c")
def test_the_place_of_the_discards_is_recorded_announced_and_in_the_dealers_script() -> None:
    place = "in front of the primary wager, on the dealer's side"
    room = before_the_hands_are_set()
    viewer = room.watch("seat 1")
    notes = room.hosted.view("dealer").yours.notes
    assert notes is not None
    assert "The two discards go face down in front of it, on the dealer's side." in [
        n.says for n in notes.script
    ]
    accepted(room.do(2, c.Keep(seat=2, cards=cards("9s 9d"))))
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    kept = [event for event in record(room) if isinstance(event, e.HandSet)]
    assert [(event.seat, event.sealed, event.discards_lie) for event in kept] == [
        (2, cards("4h 4c"), place),
        (1, cards("Jh 3s"), place),
    ]
    logged = [entry.text for entry in room.hosted.view("seat 1").yours.log.values()]
    assert sum(f"the discards are face down {place}" in text for text in logged) == 2
    received = b"".join(viewer.frames).decode()
    for seat in (2, 1):
        line = (
            f"Seat {seat}'s two discards go face down in front of the primary wager, on the dealer's side."
        )
        assert f'{{"says":"{line}","clause":"TS-8-c"}}' in received
    story = "\n".join(story_lines(explain(room.store, "room", 1, "surveillance")))
    sentence = "Seat 2 kept 9s 9d, discarding 4h 4c; the two cards are face up behind the primary wager;"
    assert f"{sentence} the discards are face down {place}. (TS-8-b)" in story
    check_record(room)


def before_the_hands_are_set() -> Room:
    """A table where both players have bet $5 and must set their hands."""
    room = room_of()
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    return room


@pytest.mark.clause("TS-9-a")
def test_a_live_table_refuses_to_split_one_pair() -> None:
    refusal = refused(
        before_the_hands_are_set().do(1, c.Split(seat=1, first=cards("7c 7d"), second=cards("Jh 3s")))
    )
    assert (refusal.code, refusal.clause) == ("split-not-allowed", "TS-9-a")


@pytest.mark.clause("TS-9-d")
def test_a_live_table_refuses_a_second_wager_that_differs_from_the_first() -> None:
    room = before_the_hands_are_set()
    split = {"type": "Split", "seat": 2, "first": ["9s", "9d"], "second": ["4h", "4c"]}
    for wager in (250, 750):
        refusal = refused(room.do(2, {**split, "wager": wager}))
        assert (refusal.code, refusal.clause) == ("split-wager-unequal", "TS-9-d")
    accepted(room.do(2, {**split, "wager": 500}))
    (event,) = [event for event in record(room) if isinstance(event, e.HandSplit)]
    assert event.wager == 500
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    check_record(room)


@pytest.mark.clause("TS-9-e")
def test_a_second_bonus_needs_a_first_at_a_live_table_and_need_not_be_made() -> None:
    room = room_of()
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    accepted(room.do(1, c.Bet(seat=1, wagers={"wager": 1000})))
    accepted(room.do(2, c.Bet(seat=2, wagers={"wager": 1000})))
    room.ready()
    split = c.Split(seat=2, first=cards("9s 9d"), second=cards("4h 4c"))
    refusal = refused(room.do(2, replace(split, bonus=500)))
    assert (refusal.code, refusal.clause) == ("second-bonus", "TS-9-e")
    assert not [event for event in record(room) if isinstance(event, e.HandSplit)]


@pytest.mark.clause("TS-9-e")
def test_a_player_with_a_bonus_may_split_without_a_second_one_at_a_live_table() -> None:
    room = room_of()
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    accepted(room.do(1, c.Bet(seat=1, wagers={"wager": 1000})))
    accepted(room.do(2, c.Bet(seat=2, wagers={"wager": 1000, "bonus": 500})))
    room.ready()
    accepted(room.do(2, c.Split(seat=2, first=cards("9s 9d"), second=cards("4h 4c"))))
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    settled = [event for event in record(room) if isinstance(event, e.WagerSettled) and event.seat == 2]
    assert [(line.hand, line.wager) for line in settled] == [(1, "wager"), (1, "bonus"), (2, "wager")]
    check_record(room)


def test_a_field_that_a_command_does_not_have_is_refused() -> None:
    room = before_the_hands_are_set()
    refusal = refused(room.do(1, {"type": "Keep", "seat": 1, "cards": ["7c", "7d"], "stake": 500}))
    assert (refusal.code, refusal.where) == ("bad-command", "command.stake")
    assert refusal.message == "Keep has no field 'stake'; leave it out"


# --- the dealer's hand ---


@pytest.mark.clause("TS-11-c")
@pytest.mark.parametrize("who", ["dealer", "floor"])
def test_a_live_table_waits_until_the_dealers_hand_is_reset(who: str) -> None:
    room = dealt_by_dana()
    accepted(room.do(DANA, keep_command("7s 2h")))
    refusal = refused(room.do(DANA, c.Perform(step="deal the flop")))
    assert (refusal.code, refusal.clause) == ("not-the-house-way", "TS-11-c")
    assert says(room, "dealer") == ["set the dealer's hand again by the house way"]
    sender = DANA
    if who == "floor":
        introduced = room.people.introduce("Flora")
        assert isinstance(introduced, tuple)
        room.persons[8] = room.people.give(introduced[0].handle, "room", "floor")
        assert "set the dealer's hand again by the house way" in says(room, "floor")
        sender = 8
    assert refused(room.do(1, c.ResetHand())).code == "not-your-role"
    accepted(room.do(sender, c.ResetHand()))
    (reset,) = [event for event in record(room) if isinstance(event, e.DealerHandReset)]
    assert (reset.kept, reset.by) == (cards("Kd Kc"), "dealer" if who == "dealer" else "supervisor")
    while not room.hosted.phase.over:
        take_step(room)
    results = [event.result for event in record(room) if isinstance(event, e.WagerSettled)]
    assert results == ["lose", "lose"]
    check_record(room)


@pytest.mark.clause("TS-11-b")
@pytest.mark.parametrize("dealer", ["machine", "person"])
def test_the_line_of_the_house_way_that_chose_the_cards_is_recorded_and_shown(dealer: str) -> None:
    line = "pair of eights or higher"
    if dealer == "person":
        room = dealt_by_dana()
        take_step(room)
    else:
        room = room_of()
        for seat in (1, 2):
            room.watch(f"seat {seat}")
            room.bet(seat, side=False)
        room.ready()
        accepted(room.do(2, c.Keep(seat=2, cards=cards("9s 9d"))))
        accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    (event,) = [event for event in record(room) if isinstance(event, e.DealerHandSet)]
    assert (event.kept, event.line) == (cards("Kd Kc"), line)
    assert room.hosted.view("seat 1").table.dealer_line == line
    told = "\n".join(story_lines(explain(room.store, "room", 1, "seat 1")))
    assert f"following the line “{line}”" in told
    logged = [entry.text for entry in room.hosted.view("seat 1").yours.log.values()]
    assert any(f"following the line “{line}”" in text for text in logged)


@pytest.mark.clause("TS-11-b", "TS-11-c")
def test_a_hand_that_is_set_again_names_the_line_and_the_reasons_use_the_new_hand() -> None:
    room = dealt_by_dana()
    accepted(room.do(DANA, keep_command("7s 2h")))
    accepted(room.do(DANA, c.ResetHand()))
    (reset,) = [event for event in record(room) if isinstance(event, e.DealerHandReset)]
    assert reset.line == "pair of eights or higher"
    while not room.hosted.phase.over:
        take_step(room)
    reasons = [line.reason for line in room.hosted.view("rail").table.settled.values()]
    assert all("pair of kings" in reason for reason in reasons), reasons


@pytest.mark.clause("TS-9-f", "TS-6-b")
@pytest.mark.parametrize("bonus", [100, 750, 1000])
def test_a_second_bonus_of_any_amount_is_accepted_at_a_live_table(bonus: int) -> None:
    room = room_of(limits={"wager": {"min": "5", "max": "50"}, "bonus": {"min": "1", "max": "20"}})
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    accepted(room.do(1, c.Bet(seat=1, wagers={"wager": 1000})))
    accepted(room.do(2, c.Bet(seat=2, wagers={"wager": 1000, "bonus": 1000})))
    room.ready()
    splits = [o for o in room.hosted.view("seat 2").yours.choices if o.command["type"] == "Split"]
    # The list stays short: no bonus or the largest bonus, and the range of the amounts between them.
    assert {o.command.get("bonus", 0) for o in splits} == {0, 1000}
    ranges = {(o.amount.least, o.amount.most) for o in splits if o.amount is not None}
    assert (ranges, len(splits)) == ({(100, 1000)}, 12)
    split = c.Split(seat=2, first=cards("4h 4c"), second=cards("9s 9d"), bonus=bonus)
    over = refused(room.do(2, replace(split, bonus=1001)))
    assert (over.code, over.clause) == ("second-bonus", "TS-9-f")
    accepted(room.do(2, split))
    accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
    stakes = {x.hand: x.stake for x in record(room) if isinstance(x, e.WagerSettled) and x.wager == "bonus"}
    assert stakes == {1: 1000, 2: bonus}
    # Each bonus wager of at least $5 has its own lammer.
    assert room.hosted.view("rail").table.seats[2].lammers == ((1, 2) if bonus >= 500 else (1,))
    check_record(room)


@pytest.mark.clause("TS-9-f")
def test_the_range_of_a_second_bonus_stops_at_the_players_chips() -> None:
    t = table(BOOK, deck=" ".join(shoe(PAIRS, KINGS))).sit(1, chips=26)
    t.bet(1, wager=10, bonus=5).deal()
    options = [option for option in legal(t.table, t.state, "seat 1") if option.amount is not None]
    # $26 minus $15 on the layout and $10 for the second hand leaves $1.
    assert {(o.amount.least, o.amount.most, o.costs) for o in options if o.amount} == {(1, 100, 1100)}


@pytest.mark.clause("TS-11-c")
def test_at_a_training_table_a_wrong_dealers_hand_is_recorded_and_counts() -> None:
    room = dealt_by_dana(purpose="training")
    accepted(room.do(DANA, keep_command("7s 2h")))
    (wrong,) = [event for event in record(room) if isinstance(event, e.DealerHandSet)]
    assert (wrong.kept, wrong.house_way) == (cards("7s 2h"), cards("Kd Kc"))
    while not room.hosted.phase.over:
        take_step(room)
    # Queen high loses to both pairs.
    results = [event.result for event in record(room) if isinstance(event, e.WagerSettled)]
    assert results == ["win", "win"]
    check_record(room)


@pytest.mark.clause("TS-11-f")
def test_the_dealer_may_answer_a_challenge() -> None:
    room = dealt_by_dana(purpose="training")
    room.watch("floor")
    accepted(room.do(DANA, keep_command("7s 2h")))
    accepted(room.do(2, c.Challenge(seat=2)))
    assert room.hosted.waits().why == "dealer"
    accepted(room.do(DANA, c.AnswerChallenge()))
    (answered,) = [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    assert (answered.kept, answered.changed, answered.by) == (cards("Kd Kc"), True, "dealer")


@pytest.mark.clause("TS-11-f")
def test_a_player_who_answers_a_challenge_or_resets_the_hand_is_told_the_clause() -> None:
    room = dealt_by_dana(purpose="training")
    accepted(room.do(DANA, keep_command("7s 2h")))
    accepted(room.do(2, c.Challenge(seat=2)))
    for command, clause in ((c.AnswerChallenge(), "TS-11-f"), (c.ResetHand(), "TS-11-c")):
        refusal = refused(room.do(1, command))
        assert (refusal.code, refusal.clause) == ("not-your-role", clause)


@pytest.mark.clause("TS-11-e", "TS-11-f")
def test_a_challenge_waits_for_the_dealer_without_a_deadline() -> None:
    room = dealt_by_dana()
    room.watch("dealer")
    accepted(room.do(DANA, keep_command("Kd Kc")))
    accepted(room.do(2, c.Challenge(seat=2)))
    assert (room.hosted.waits().why, room.hosted.waits().seconds) == ("dealer", None)
    room.clock.move(100_000)
    assert not [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    refusal = refused(room.do(DANA, c.Perform(step="deal the flop")))
    assert (refusal.code, refusal.clause) == ("challenged", "TS-11-e")
    assert says(room, "dealer") == ["answer the challenge"]
    take_step(room)
    (answered,) = [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    assert (answered.by, answered.changed, answered.automatic) == ("dealer", False, False)
    again = refused(room.do(1, c.Challenge(seat=1)))
    assert (again.code, again.clause) == ("challenged-before", "TS-11-f")
    while not room.hosted.phase.over:
        take_step(room)
    check_record(room)


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize("floor", [False, True], ids=["alone", "beside the floor"])
def test_the_table_answers_a_challenge_for_an_absent_dealer_and_records_that(*, floor: bool) -> None:
    room = dealt_by_dana(purpose="training")
    if floor:
        room.watch("floor")
    accepted(room.do(DANA, keep_command("7s 2h")))
    accepted(room.do(2, c.Challenge(seat=2)))
    assert room.hosted.waits().why == "dealer"
    room.clock.move(119)
    assert not [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    room.clock.move(1)
    (answered,) = [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    assert (answered.by, answered.changed, answered.automatic) == ("deadline", True, True)


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize("person", [False, True], ids=["machine", "person"])
def test_a_machine_or_the_house_setting_answers_a_challenge_at_once(*, person: bool) -> None:
    if person:
        room = dealt_by_dana(house={"auto_approve": True})
        accepted(room.do(DANA, keep_command("Kd Kc")))
    else:
        room = room_of(house={"challenge_until": "settlement"})
        for seat in (1, 2):
            room.watch(f"seat {seat}")
            room.bet(seat, side=False)
        room.ready()
        # A paced table stops after each act, so that a player can challenge the dealer's hand.
        room.hosted._automation = room.hosted.phase._automation = Automation(paced=True)
        accepted(room.do(2, c.Keep(seat=2, cards=cards("9s 9d"))))
        accepted(room.do(1, c.Keep(seat=1, cards=cards("7c 7d"))))
        while not room.hosted.live.state.round.kept:
            assert room.hosted.step()
    accepted(room.do(2, c.Challenge(seat=2)))
    if not person:
        assert room.hosted.step()
    (answered,) = [event for event in record(room) if isinstance(event, e.ChallengeAnswered)]
    assert (answered.by, answered.automatic) == ("house", True)
    told = [line.says for line in explain(room.store, "room", 1, "rail").said]
    assert any("the table compared it with the house way automatically" in line for line in told)


@pytest.mark.clause("TS-11-e")
def test_a_house_may_accept_challenges_until_settlement() -> None:
    room = dealt_by_dana(purpose="training", house={"challenge_until": "settlement"})
    accepted(room.do(DANA, keep_command("7s 2h")))
    while room.hosted.view("dealer").table.step != "settle the hands":
        take_step(room)
    assert "challenge the dealer's hand" in says(room, "seat 1")
    accepted(room.do(1, c.Challenge(seat=1)))
    while not room.hosted.phase.over:
        take_step(room)
    assert [event.result for event in record(room) if isinstance(event, e.WagerSettled)] == ["lose", "lose"]
    check_record(room)


def test_a_dealer_names_only_cards_that_are_face_up() -> None:
    room = dealt_by_dana()
    for pair in ("Qd Th", "3s Jh"):
        assert refused(room.do(DANA, keep_command(pair))).code == "cards-from-the-shoe"
    assert refused(room.do(DANA, keep_command("Kd Kd"))).clause == "TS-11-b"
    assert {"keep Kd Kc", "keep 7s 2h"} <= set(says(room, "dealer"))
    accepted(room.do(DANA, keep_command("Kd Kc")))
    assert refused(room.do(DANA, c.Perform(step="deal the flop", cards=cards("Kd")))).code == (
        "cards-from-the-shoe"
    )


@pytest.mark.clause("TS-11-c")
def test_an_absent_dealers_hand_is_reset_when_the_time_is_over() -> None:
    room = dealt_by_dana()
    accepted(room.do(DANA, keep_command("7s 2h")))
    room.clock.move(119)
    assert not [event for event in record(room) if isinstance(event, e.DealerHandReset)]
    room.clock.move(1)
    (reset,) = [event for event in record(room) if isinstance(event, e.DealerHandReset)]
    assert (reset.kept, reset.by, reset.name, reset.automatic) == (cards("Kd Kc"), "deadline", "", True)
    told = [line.says for line in explain(room.store, "room", 1, "rail").said]
    assert any("set again by the house way" in t and "the table reset it automatically" in t for t in told)
    assert not room.hosted.trouble
    while not room.hosted.phase.over:
        take_step(room)
    check_record(room)


# --- hands in any order, the house way, the cut and the inspection ---


@pytest.mark.clause("TS-8-a")
def test_hands_are_set_in_any_order_with_one_deadline() -> None:
    room = room_of(seats=(1, 2), clock=15)
    viewers = [room.watch(f"seat {seat}") for seat in (1, 2)]
    for seat in (1, 2):
        room.bet(seat, side=False)
    room.ready()
    assert room.hosted.waits().seats == (1, 2)
    assert [viewer.view.table.awaits(seat) for seat, viewer in enumerate(viewers, 1)] == [True, True]
    room.clock.move(10)
    accepted(room.do(2, c.Keep(seat=2, cards=cards("4h 4c"))))
    # The other player's deadline does not change.
    assert (room.hosted.waits().seats, room.hosted.waits().seconds) == ((1,), 5.0)
    room.clock.move(6)
    sets = [(event.seat, event.by) for event in record(room) if isinstance(event, e.HandSet)]
    assert sets == [(2, ""), (1, "deadline")]
    check_record(room)


def test_a_deadline_sets_every_hand_that_is_late() -> None:
    room = room_of(seats=(1, 2), clock=15)
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    room.clock.move(15)
    sets = [(event.seat, event.by) for event in record(room) if isinstance(event, e.HandSet)]
    assert sets == [(1, "deadline"), (2, "deadline")]
    assert room.hosted.waits().why == "next"


@pytest.mark.clause("TS-11-d")
def test_the_house_way_is_sent_to_everyone_at_the_table() -> None:
    room = room_of()
    lines = table_sheet(room.hosted, table_card(room.hosted)).house_way
    assert [line.keeps for line in lines[:3]] == [
        "pair of eights or higher",
        "ace with a jack or higher",
        "suited pair, twos to sevens",
    ]
    assert (len(lines), {line.clause for line in lines}) == (14, {"TS-11-d"})


@pytest.mark.clause("TS-3-b", "TS-3-c")
def test_the_automatic_dealer_waits_for_a_player_who_marks_the_cut() -> None:
    room = room_of(seats=())
    room.hosted.go_on()
    assert (room.hosted.waits().why, room.hosted.view("rail").table.step) == ("players", "cut the cards")
    (inspected,) = [event for event in record(room) if isinstance(event, e.DeckInspected)]
    assert (inspected.by, inspected.name, inspected.automatic) == ("house", "", True)
    room.sit(1)
    assert room.hosted.phase.betting
    told = [line.says for line in explain(room.store, "room", 1, "rail").said if line.clause == "TS-3-b"]
    assert told == ["Deck A was inspected automatically, as a house setting allows"]
    (cut,) = [event for event in record(room) if isinstance(event, e.DeckCut)]
    assert (cut.by, cut.automatic) == (room.persons[1].handle, True)


@pytest.mark.clause("TS-3-b")
def test_the_floor_inspects_the_decks_if_the_house_setting_is_off() -> None:
    room = room_of(house={"auto_approve": False})
    room.watch("seat 1")
    assert (room.hosted.waits().why, room.hosted.view("rail").table.step) == ("floor", "inspect the decks")
    room.clock.move(100_000)
    assert not [event for event in record(room) if isinstance(event, e.DeckInspected)]
    player = refused(room.do(1, c.Perform(step="inspect the decks", name=room.persons[1].handle)))
    assert player.code == "not-your-role"
    introduced = room.people.introduce("Flora")
    assert isinstance(introduced, tuple)
    room.persons[8] = room.people.give(introduced[0].handle, "room", "floor")
    assert "inspect the decks" in says(room, "floor")
    accepted(room.do(8, c.Perform(step="inspect the decks", by="floor", name="Somebody")))
    (inspected,) = [event for event in record(room) if isinstance(event, e.DeckInspected)]
    assert (inspected.by, inspected.name, inspected.automatic) == ("floor", "Flora", False)
    assert room.hosted.phase.betting


@pytest.mark.clause("TS-3-c")
def test_a_dealer_names_the_player_who_marked_the_cut() -> None:
    room = room_of(dealer="person")
    introduced = room.people.introduce("Dana")
    assert isinstance(introduced, tuple)
    room.persons[DANA] = room.people.give(introduced[0].handle, "room", "dealer")
    while room.hosted.view("dealer").table.step != "cut the cards":
        take_step(room)
    stranger = refused(room.do(DANA, c.Perform(step="cut the cards", count=77, name="Zoe")))
    assert (stranger.code, stranger.clause) == ("not-at-the-table", "TS-3-c")
    second = room.persons[2].handle
    accepted(room.do(DANA, c.Perform(step="cut the cards", count=77, name=second)))
    (cut,) = [event for event in record(room) if isinstance(event, e.DeckCut)]
    assert (cut.by, cut.count, cut.automatic) == (second, 77, False)


# --- tips ---


def test_tips_are_refused_unless_the_house_takes_them() -> None:
    room = room_of()
    for tips in ({"bonus": 100}, {"wager": 100}, {"no_such_wager": 100}):
        bet = c.Bet(seat=1, wagers={"wager": 1000, "bonus": 500}, tips=tips)
        refusal = refused(room.do(1, bet))
        assert (refusal.code, refusal.clause) == ("tip-not-offered", "house.tips")


def test_tips_on_real_wagers_are_settled_and_the_record_verifies() -> None:
    room = room_of(house={"tips": True})
    for seat in (1, 2):
        room.watch(f"seat {seat}")
    wagers = {"wager": 1000, "bonus": 500}
    for tips, code in (({"ghost": 100}, "tip-not-offered"), ({"envy": 100}, "tip-not-offered")):
        assert refused(room.do(1, c.Bet(seat=1, wagers=wagers, tips=tips))).code == code
    alone = refused(room.do(1, c.Bet(seat=1, wagers={"wager": 1000}, tips={"bonus": 100})))
    assert (alone.code, alone.clause) == ("tip-alone", "house.tips")
    accepted(room.do(1, c.Bet(seat=1, wagers=wagers, tips={"wager": 200, "bonus": 100})))
    accepted(room.do(2, c.Bet(seat=2, wagers=wagers, tips={"bonus": 300})))
    room.ready()
    accepted(room.do(1, c.Keep(seat=1, cards=cards("Jh 3s"))))
    accepted(room.do(2, c.Split(seat=2, first=cards("9s 9d"), second=cards("4h 4c"))))
    settled = [event for event in record(room) if isinstance(event, e.WagerSettled) and event.for_dealer]
    assert [(line.seat, line.hand, line.wager, line.stake, line.back) for line in settled] == [
        (2, 1, "bonus", 300, 0),
        (1, 1, "wager", 200, 0),
        (1, 1, "bonus", 100, 0),
    ]
    check_record(room)
