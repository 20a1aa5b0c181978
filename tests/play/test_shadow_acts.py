"""The dealer's acts at a real table: answers to challenges, the keypad, and the order of a held fold."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import Input

from houseway.audit.entries import read_entry
from houseway.cards import codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.live.offload import run_now
from houseway.play.app import TableApp
from houseway.play.in_process import LocalTable
from houseway.play.open_game import OpenGame, PlayError
from play.tables import open_seeded
from play.test_staff import chair, events, typed

SET = ("bet wager 10", "seat 2", "bet wager 10", "deal", "7c 7d", "9s 9d", "Kd Kc 7s 2h")
"""Two players keep their pairs, and the dealer shows four cards."""
FLOP = "Qd Th 6h 5c 3d"
ASKED = (
    'Seat 2 challenges the dealer\'s hand. Type "answer" when the dealer has checked it, or "answer floor"'
)


def shootout(*lines: str, **options: Any) -> tuple[str, OpenGame]:
    setup = open_seeded("shootout-sd", seed="", shadow=True, bots=1, **options)
    return typed(setup, *lines, "quit"), setup


def senders(setup: OpenGame) -> list[str]:
    """The senders of the answers to challenges, as their entries name them."""
    link = setup.game.link
    assert isinstance(link, LocalTable)
    entries = map(read_entry, link.live.house.store.entries(link.live.stream))
    return [entry.by for entry in entries if isinstance(entry.command, c.AnswerChallenge)]


@pytest.mark.clause("TS-11-f")
@pytest.mark.parametrize(("word", "by"), [("answer", "dealer"), ("answer floor", "supervisor Flo")])
def test_a_person_answers_the_challenge_of_a_real_table(word: str, by: str) -> None:
    lines = (*SET, "7s 2h", "challenge 2", FLOP, word, FLOP)
    text, setup = shootout(*lines, floor="Flo", house={"auto_approve": True})
    # The table waits for the answer and does not accept the flop before it.
    assert text.count(f"{ASKED} when a supervisor has.") == 2
    (answered,) = events(setup, e.ChallengeAnswered)
    assert (answered.by, answered.automatic, answered.changed) == (by, False, True)
    assert codes(answered.kept) == "Kd Kc"
    assert senders(setup) == [by]
    # Kings beat sevens and nines.
    assert [closed.net for closed in events(setup, e.RoundClosed)] == [{1: -1000, 2: -1000}]


@pytest.mark.clause("TS-11-c")
def test_a_wrong_hand_of_a_real_table_stands_unless_it_is_challenged_or_reset() -> None:
    _, setup = shootout(*SET, "7s 2h", FLOP)
    assert [codes(event.kept) for event in events(setup, e.DealerHandSet)] == ["7s 2h"]
    assert (events(setup, e.ChallengeAnswered), events(setup, e.DealerHandReset)) == ([], [])
    # The sevens and the nines beat seven high.
    assert [closed.net for closed in events(setup, e.RoundClosed)] == [{1: 1000, 2: 1000}]


@pytest.mark.clause("TS-11-c")
def test_the_dealer_of_a_real_table_resets_a_wrong_hand_without_a_challenge() -> None:
    _, setup = shootout(*SET, "7s 2h", "reset", FLOP)
    (reset,) = events(setup, e.DealerHandReset)
    assert (codes(reset.kept), reset.by, reset.clause) == ("Kd Kc", "dealer", "TS-11-c")
    assert [closed.net for closed in events(setup, e.RoundClosed)] == [{1: -1000, 2: -1000}]


@pytest.mark.clause("TS-11-f")
def test_the_supervisor_of_a_real_table_has_a_name() -> None:
    text, setup = shootout(*SET, "", "challenge 2", "answer floor", "answer me", "answer")
    assert 'Name the floor supervisor first: type "floor NAME"' in text
    assert (
        'Type "answer" if the dealer has checked the hand, or "answer floor" if a supervisor has.' in text
    )
    (answered,) = events(setup, e.ChallengeAnswered)
    assert (answered.by, answered.changed) == ("dealer", False)


@pytest.mark.clause("TS-11-e")
def test_a_challenge_at_a_real_table_names_its_seat() -> None:
    text, setup = shootout(*SET, "7s 2h", "challenge seat", "challenge seat 2", "answer", FLOP)
    assert 'Name the seat that challenges the dealer\'s hand: type "challenge 2", for example.' in text
    assert [event.seat for event in events(setup, e.HandChallenged)] == [2]


@pytest.mark.clause("TS-11-e")
def test_a_player_without_a_hand_cannot_challenge() -> None:
    only_one = ("bet wager 10", "deal", "7c 7d", "Kd Kc 7s 2h", "7s 2h")
    text, setup = shootout(*only_one, "challenge 2", "challenge 3", "challenge 1", "answer", FLOP)
    sentence = "only a player with a hand in this round can challenge; bet in the next round. [TS-11-e]"
    assert f"Not allowed: {sentence}" in text
    assert "seat 3 is empty" in text
    assert [event.seat for event in events(setup, e.HandChallenged)] == [1]


@pytest.mark.clause("TS-11-f")
def test_the_answer_to_a_challenge_is_typed_on_the_full_screen() -> None:
    _, setup = shootout(*SET, "7s 2h")

    async def drive() -> None:
        app = TableApp(setup, fast=True)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            for line in ("challenge 2", "answer"):
                app.query_one("#typed", Input).value = line
                await pilot.press("enter")
                await pilot.pause()

    asyncio.run(drive())
    assert [event.by for event in events(setup, e.ChallengeAnswered)] == ["dealer"]


@pytest.mark.clause("TS-11-f")
def test_a_dealer_in_training_answers_the_challenge() -> None:
    setup = chair("deal the flop", "shootout-sd")
    link = setup.game.link
    assert isinstance(link, LocalTable)
    seat = link.live.state.round.players[0]
    assert run_now(link.runner.send(c.Challenge(seat=seat))) is None
    text = typed(setup, "do deal the flop", "answer", "quit")
    assert f"answer the challenge from seat {seat} first. [TS-11-e]" in text
    assert [event.by for event in events(setup, e.ChallengeAnswered)] == ["dealer"]


# --- the keypad ---

AWARD = ("bet ante 10 progressive 1", "deal", "4x", "9h Th Kh", "4c 2d", "Qc 3s", "2h 7h")
"""A flush on the player's cards and the flop, with the $1 progressive."""
KEY = "Type the award that the dealer keys for seat 1, or press Enter for flush."
PAY = 'The keypad shows flush for seat 1. Press Enter when the dealer pays it, or type "flush" to turn it off.'
OFF = "The keypad shows full house for seat 1. Press Enter when the dealer has turned it off."


def award(*lines: str) -> tuple[str, OpenGame]:
    setup = open_seeded("uth-sd", seed="", mode="manual", shadow=True, bots=0)
    return typed(setup, *AWARD, *lines, "quit"), setup


def keypad(setup: OpenGame) -> list[tuple[str, str]]:
    """The presses of the keypad and the payment of the progressive, in order."""
    shown = []
    for event in events(setup, e.Event):
        if isinstance(event, e.AwardKeyed | e.AwardUnkeyed):
            shown.append((type(event).__name__, event.hand))
        elif isinstance(event, e.ApprovalAsked) or (
            isinstance(event, e.WagerSettled) and event.wager == "progressive"
        ):
            shown.append((type(event).__name__, event.wager))
    return shown


PAID = [("AwardKeyed", "flush"), ("ApprovalAsked", "progressive"), ("WagerSettled", "progressive")]


@pytest.mark.clause("SD-18.a.iii-a")
def test_the_award_of_a_real_table_is_keyed_and_then_paid() -> None:
    text, setup = award("", "")
    assert text.index(KEY) < text.index(PAY)
    assert keypad(setup) == PAID
    assert len(events(setup, e.RoundClosed)) == 1


@pytest.mark.clause("SD-18.a.iii-b")
def test_a_second_press_turns_off_an_award_of_a_real_table() -> None:
    text, setup = award("full house", "", "flush", "flush", "flush", "")
    assert (text.count(KEY), text.count(OFF), text.count(PAY)) == (3, 1, 2)
    assert keypad(setup) == [
        ("AwardKeyed", "full house"), ("AwardUnkeyed", "full house"),
        ("AwardKeyed", "flush"), ("AwardUnkeyed", "flush"), *PAID,
    ]  # fmt: skip
    assert events(setup, e.AwardUnkeyed)[0].clause == "SD-18.a.iii-b"


@pytest.mark.clause("SD-18.a.iii-b")
def test_a_keypad_press_names_the_award_and_the_seat() -> None:
    text, setup = award("key", "key flsh 1", "key flush seat 1", "key flush 1", "", "")
    assert 'Name the award and the seat: type "key flush seat 3", for example.' in text
    assert "there is no hand 'flsh'; did you mean 'flush'?" in text
    assert keypad(setup) == [("AwardKeyed", "flush"), ("AwardUnkeyed", "flush"), *PAID]


# --- a fold that stays under its trips bet ---


@pytest.mark.clause("PROC-N.note-c")
def test_the_bets_of_a_held_fold_are_taken_before_its_cards_are_asked_for() -> None:
    setup = open_seeded("uth-proc", seed="", shadow=True, bots=0)
    lines = ("bet ante 10 trips 5", "deal", "check", "7s Kh 9d", "check", "4c 2s", "fold", "held", "Kc 8d")
    text = typed(setup, *lines, "quit")
    # The program was closed at the question: ante and blind are on record, the cards are not.
    assert [event.wager for event in events(setup, e.WagerSettled)] == ["ante", "blind"]
    assert text.index("ante of $10 loses") < text.index("Type 2 cards for seat 1.")
    typed(setup, "7c 7d", "quit")
    order = [
        event.wager if isinstance(event, e.WagerSettled) else "cards"
        for event in events(setup, e.Event)
        if isinstance(event, e.WagerSettled | e.HandTurned)
    ]
    assert order == ["ante", "blind", "cards", "trips"]
    (closed,) = events(setup, e.RoundClosed)
    assert closed.net == {1: -500}


# --- the approvals of a real table ---

STRAIGHT_FLUSH = ("bet ante 7", "deal", "4x", "9h Th Jh", "2c 2d", "Ac Kd", "7h 8h")
"""A straight flush wins $350 on the $7 blind, which needs an approval."""
NAMED: dict[str, Any] = {"shadow": True, "bots": 0, "floor": "Flo", "house": {"auto_approve": False}}


@pytest.mark.clause("PROC-H.7")
def test_an_approval_at_a_real_table_is_recorded_under_the_floor_supervisors_name() -> None:
    setup = open_seeded("uth-proc", seed="", **NAMED)
    text = typed(setup, *STRAIGHT_FLUSH, "quit")
    assert "Press Enter when Flo has approved the blind payment at seat 1." in text
    assert events(setup, e.PaymentApproved) == []
    typed(setup, "", "quit")
    (approved,) = events(setup, e.PaymentApproved)
    assert (approved.by, approved.name, approved.automatic) == ("floor", "Flo", False)
    assert [closed.net for closed in events(setup, e.RoundClosed)] == [{1: 38500}]


@pytest.mark.clause("PROC-H.7")
def test_without_the_house_setting_a_real_table_is_approved_automatically() -> None:
    setup = open_seeded("uth-proc", seed="", shadow=True, bots=0)
    typed(setup, *STRAIGHT_FLUSH, "quit")
    (approved,) = events(setup, e.PaymentApproved)
    assert (approved.by, approved.name, approved.automatic) == ("house", "", True)


@pytest.mark.clause("MA-2.a-c", "MA-7.a-a", "MA-8.a")
@pytest.mark.parametrize(
    ("mode", "line"),
    [
        (
            "manual",
            "the dealing shoe meets 205 CMR 146.51 and is in the place that the Commission approved. [MA-7.a-a]",
        ),
        ("device", "the Commission approved the dealing machine, its place and its procedures. [MA-8.a]"),
    ],
)
def test_the_screen_says_what_a_house_setting_confirms_at_a_real_table(mode: str, line: str) -> None:
    setup = open_seeded("uth-ma", seed="", mode=mode, shadow=True, bots=0)
    text = typed(setup, "quit")
    for item in (line, "the deck meets 205 CMR 146.48 (deck A). [MA-2.a-c]"):
        assert f"\nConfirmed automatically, as a house setting allows: {item}\n" in text
    assert {(x.by, x.automatic) for x in events(setup, e.ItemConfirmed)} == {("house", True)}


@pytest.mark.clause("MA-2.a-c", "MA-7.a-a", "MA-8.a")
@pytest.mark.parametrize(
    ("mode", "step"), [("manual", "confirm the dealing shoe"), ("device", "confirm the dealing machine")]
)
def test_a_named_floor_supervisor_is_asked_at_a_real_table(mode: str, step: str) -> None:
    setup = open_seeded("uth-ma", seed="", mode=mode, shadow=True, bots=0, floor="Flo")
    text = typed(setup, *("",) * 4, "quit")
    for confirmed in ("confirm the deck", step):
        assert f"Press Enter when Flo has done this: {confirmed}." in text
    assert "automatically" not in text
    assert {(x.name, x.automatic) for x in events(setup, e.ItemConfirmed)} == {("Flo", False)}


@pytest.mark.clause("MA-2.a-b", "MA-2.a-c", "MA-3.b-a", "MA-8.a", "MA-12.d")
def test_the_opening_of_a_real_table_names_its_people() -> None:
    setup = open_seeded("uth-ma", seed="", **NAMED)
    text = typed(setup, "", "", "", "", "", "flo", "Dana", "", "bet ante 10", "quit")
    assert "Press Enter when Flo has done this: confirm the deck." in text
    assert "Type the name of the dealer who has done this: inspect the deck." in text
    assert "Flo is the floor supervisor and verifies the deck; type the dealer's name." in text
    assert {(x.name, x.automatic) for x in events(setup, e.ItemConfirmed)} == {("Flo", False)}
    assert [x.name for x in events(setup, e.DeckInspected)] == ["Dana"]
    assert [(x.name, x.automatic) for x in events(setup, e.DeckVerified)] == [("Flo", False)]
    assert len(events(setup, e.WagersPlaced)) == 1


@pytest.mark.clause("TS-3-b")
@pytest.mark.parametrize("automatic", [True, False])
def test_the_inspection_at_a_real_table_names_a_person_or_is_automatic(*, automatic: bool) -> None:
    given = {"shadow": True, "bots": 0, "house": {}} if automatic else NAMED
    setup = open_seeded("shootout-sd", seed="", **given)
    text = typed(setup, *([] if automatic else ["Dana"]), "quit")
    asked = "Type the name of the dealer who has done this: inspect the decks."
    assert (asked in text) is not automatic
    (inspected,) = events(setup, e.DeckInspected)
    expected = ("house", "", True) if automatic else ("dealer", "Dana", False)
    assert (inspected.by, inspected.name, inspected.automatic) == expected


def test_a_real_table_without_automatic_approvals_needs_a_named_floor_supervisor() -> None:
    with pytest.raises(PlayError) as refused:
        open_seeded("uth-ma", seed="", **{**NAMED, "floor": ""})
    assert str(refused.value) == (
        "--shadow with --house auto_approve=false needs the person who approves; add --floor NAME, or leave "
        "auto_approve out"
    )
