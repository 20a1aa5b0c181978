"""A real table followed with `--shadow`: cards are typed as they become visible, and the record verifies."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.dispute import dispute
from houseway.audit.explain import explain, story_lines
from houseway.audit.history import write_history
from houseway.audit.store import StoreError
from houseway.audit.verify import verify
from houseway.cards import UNSEEN, cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.legal import legal
from houseway.engine.refusals import Refusal
from houseway.live import LiveTable, live_table
from houseway.live.recent_events import recorded_events
from houseway.play.plain_screen import play
from play.tables import open_seeded
from table_driver import table

SET = "2 cards for the dealer's hand, or press Enter if it follows the house way"
HELD = '"held" if seat 1\'s cards stay under the trips bet; press Enter if the dealer takes them'
TURNED = "seat {}'s 2 cards if they are turned up; press Enter if the dealer takes them unseen"
ROUNDS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[str], int]] = {
    "a fold without trips is never seen": (
        {"rulebook": "uth-sd", "mode": "manual", "bots": 1},
        ("bet ante 10", "seat 2", "bet ante 10 trips 5", "deal", "check", "check", "2c 3c 9d", "check", "check",
         "Kd 7h", "fold", "fold", "7c 7d", "Kc 8d"),
        ["3 cards for the board", "2 cards for the board", TURNED.format(2), "2 cards for the dealer"],
        0,
    ),
    "a fold with trips may be shown at the fold": (
        {"rulebook": "uth-proc", "bots": 0},
        ("bet ante 10 trips 5", "deal", "check", "2c 3c 9d", "check", "Kd 7h", "fold", "7c 7d", "Kc 8d"),
        ["3 cards for the board", "2 cards for the board", HELD, "2 cards for the dealer"],
        1,
    ),
    "every hand is turned up": (
        {"rulebook": "uth-ma", "mode": "manual", "bots": 0},
        ("bet ante 10", "deal", "4x", "7s Kh 9d", "4c 2s", "Kc 8d", "7c 7d"),
        ["3 cards for the board", "2 cards for the board", "2 cards for the dealer", "2 cards for seat 1"],
        1,
    ),
    "discards are never seen": (
        {"rulebook": "shootout-sd", "bots": 0},
        ("bet wager 10", "deal", "Ah Ad", "Kc Kd 3h 2s", "", "7c 7d 2c 3c 4d"),
        ["2 cards for seat 1 (4 if the player splits)", "4 cards for the dealer", SET, "5 cards for the board"],
        0,
    ),
    "a split shows all four cards": (
        {"rulebook": "shootout-sd", "bots": 0},
        ("bet wager 10", "deal", "Ah Ad Kh Kd", "split Ah Ad / Kh Kd", "Kc Kd 3h 2s", "", "7c 7d 2c 3c 4d"),
        ["2 cards for seat 1 (4 if the player splits)", "4 cards for the dealer", SET, "5 cards for the board"],
        1,
    ),
}  # fmt: skip


def shadowed(lines: tuple[str, ...], **options: Any) -> tuple[str, LiveTable]:
    """Follow a round; return the printed text and the table."""
    opened = open_seeded(options.pop("rulebook"), "", shadow=True, **options)
    out = io.StringIO()
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    link: Any = opened.game.link
    return out.getvalue(), link.live


@pytest.mark.parametrize("name", ROUNDS)
def test_cards_are_asked_for_as_they_become_visible(name: str) -> None:
    options, lines, asked, settled_again = ROUNDS[name]
    text, live = shadowed(lines, **options)
    places = [line[5:-1] for line in text.splitlines() if line.startswith("Type ")]
    assert places == asked
    report = verify(live.house.store, live.stream)
    assert (report.faults, report.rounds, report.settled_again) == ((), 1, settled_again)
    for role in ("rail", "surveillance"):
        assert story_lines(explain(live.house.store, live.stream, 1, role))


def test_a_sealed_deck_has_no_unseen_cards() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).until("deal the first card to each player")
    sealed = replace(t.state, decks=tuple(replace(deck, seal="ab" * 32) for deck in t.state.decks))
    refusal = decide(t.table, sealed, c.Perform(step=t.next, cards=(UNSEEN,)))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "cards-needed"
    assert t.refuses(c.ShowCards(at="dealer", cards=cards("Ah"))).code == "nothing-unseen"


def test_no_text_names_an_unseen_card() -> None:
    with pytest.raises(ValueError, match="not a card"):
        cards("??")


# --- folds with side bets: the program asks only for cards that the table shows ---

BOARD, DEALER, SEAT = "cards for the board", "2 cards for the dealer", "2 cards for seat 1"
FOLDS: dict[str, tuple[dict[str, Any], str, tuple[str, ...], list[str], list[tuple[str, str, str]], int]] = {
    "procedures, taken": (
        {"rulebook": "uth-proc"}, "trips 5", ("", "Kc 8d"), [HELD, DEALER],
        [("ante", "lose", "PROC-D.7-a"), ("blind", "lose", "PROC-D.7-a"), ("trips", "lose", "PROC-Q.7")], 0,
    ),
    "procedures, held": (
        {"rulebook": "uth-proc"}, "trips 5", ("held", "Kc 8d", "7c 7d"), [HELD, DEALER, SEAT],
        [("ante", "lose", "PROC-N.note-c"), ("blind", "lose", "PROC-N.note-c"), ("trips", "win", "PROC-Q.7")], 1,
    ),
    "procedures, held by mistake": (
        {"rulebook": "uth-proc"}, "trips 5", ("held", "Kc 8d", "3c 8h"), [HELD, DEALER, SEAT],
        [("ante", "lose", "PROC-N.note-c"), ("blind", "lose", "PROC-N.note-c"), ("trips", "lose", "PROC-Q.7")], 0,
    ),
    "South Dakota, taken": (
        {"rulebook": "uth-sd", "mode": "manual"}, "trips 5", ("", "Kc 8d"), [TURNED.format(1), DEALER],
        [("ante", "lose", "SD-12-b"), ("blind", "lose", "SD-12-b"), ("trips", "lose", "SD-17-b")], 0,
    ),
    "South Dakota, turned up": (
        {"rulebook": "uth-sd", "mode": "manual"}, "trips 5", ("7c 7d", "Kc 8d"), [TURNED.format(1), DEALER],
        [("ante", "lose", "SD-12-b"), ("blind", "lose", "SD-12-b"), ("trips", "win", "SD-17-t2")], 1,
    ),
    "Massachusetts": (
        {"rulebook": "uth-ma", "mode": "manual"}, "trips 5", ("Kc 8d", "7c 7d"), [DEALER, SEAT],
        [("ante", "lose", "MA-7.f.5.ii"), ("blind", "lose", "MA-7.f.5.ii"), ("trips", "win", "MA-10.d-B")], 1,
    ),
    "Massachusetts, progressive": (
        {"rulebook": "uth-ma", "mode": "manual"}, "progressive 5", ("Kc 8d", "3c 8h"), [DEALER, SEAT],
        [("ante", "lose", "MA-7.f.5.ii"), ("blind", "lose", "MA-7.f.5.ii"), ("progressive", "lose", "MA-13.e-PTMGL01-a")], 1,
    ),
    "South Dakota, progressive": (
        {"rulebook": "uth-sd", "mode": "manual"}, "progressive 1", ("Kc 8d", "3c 8h"), [DEALER, SEAT],
        [("ante", "lose", "SD-12-b"), ("blind", "lose", "SD-12-b"), ("progressive", "lose", "SD-18-b")], 1,
    ),
    "rules card": (
        {"rulebook": "uth-card", "mode": "manual"}, "trips 5", ("Kc 8d", "7c 7d"), [DEALER, SEAT],
        [("ante", "lose", "CARD-13"), ("blind", "lose", "CARD-13"), ("trips", "win", "CARD-24")], 1,
    ),
}  # fmt: skip


@pytest.mark.clause("PROC-D.7-a")
@pytest.mark.clause("PROC-N.note-b")
@pytest.mark.clause("PROC-N.note-c")
@pytest.mark.clause("SD-12-d")
@pytest.mark.clause("MA-7.f.5.ii.a")
@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_asks_only_for_cards_that_the_table_shows(name: str) -> None:
    options, side, answers, asked, settled, settled_again = FOLDS[name]
    lines = (f"bet ante 10 {side}", "deal", "check", "7s Kh 9d", "check", "4c 2s", "fold", *answers)
    text, live = shadowed(lines, bots=0, **options)
    places = [line[5:-1] for line in text.splitlines() if line.startswith("Type ")]
    assert places == [f"3 {BOARD}", f"2 {BOARD}", *asked]
    events = [event for _, event in recorded_events(live)]
    paid = [(w.wager, w.result, w.clause) for w in events if isinstance(w, e.WagerSettled)]
    assert paid == settled
    unseen = [event for event in events if isinstance(event, e.CardsRacked) and UNSEEN in event.sealed]
    assert any(event.what == "seat 1" for event in unseen) == ("" in answers)
    report = verify(live.house.store, live.stream)
    assert (report.faults, report.rounds, report.settled_again) == ((), 1, settled_again)
    for role in ("rail", "surveillance"):
        assert story_lines(explain(live.house.store, live.stream, 1, role))


@pytest.mark.clause("PROC-N.note-b")
def test_a_held_fold_is_recorded_as_it_was_seen() -> None:
    lines = ("bet ante 10 trips 5", "deal", "check", "7s Kh 9d", "check", "4c 2s", "fold", "held")
    text, live = shadowed(lines, rulebook="uth-proc", bots=0)
    assert (
        "Seat 1 folds with winning trips and tucks the cards under the trips bet. [PROC-N.note-b]" in text
    )
    assert "Not allowed" not in text
    (seen,) = [event for _, event in recorded_events(live) if isinstance(event, e.FoldSeen)]
    assert (seen.seat, seen.held, seen.clause) == (1, True, "PROC-N.note-b")
    assert live.state.seats[1].hands[0].folded == "held"
    assert live.state.seats[1].hands[0].cards == (UNSEEN, UNSEEN)


@pytest.mark.clause("PROC-N.note-a")
@pytest.mark.clause("SD-12-c")
@pytest.mark.parametrize(("rulebook", "clause"), [("uth-proc", "PROC-Q.7"), ("uth-sd", "SD-17-t2")])
def test_a_fold_that_wins_with_the_board_alone_must_be_shown(rulebook: str, clause: str) -> None:
    options = {"mode": "manual"} if rulebook == "uth-sd" else {}
    lines = ("bet ante 10 trips 5", "deal", "check", "7s 7h 7d", "check", "4c 2s", "fold", "")
    text, live = shadowed(lines, rulebook=rulebook, bots=0, **options)
    assert "The board alone wins trips for seat 1; turn up its cards first" in text
    refused = live.send(c.SeeFold(seat=1))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clause) == ("cards-unseen", clause)


def test_a_fold_without_a_side_bet_cannot_be_held() -> None:
    lines = ("bet ante 10 trips 5", "deal", "check", "7s Kh 9d", "check", "4c 2s", "fold", "held")
    text, live = shadowed(lines, rulebook="uth-sd", bots=0, mode="manual")
    assert "Seat 1 has no trips bet to keep its folded cards on the table; take the cards" in text
    refused = live.send(c.SeeFold(seat=1, held=True))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clause) == ("not-held", "SD-12-d")


def test_only_a_fold_with_unseen_cards_can_be_taken_unseen() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).until("deal the first card to each player")
    assert t.refuses(c.SeeFold(seat=1)).code == "nothing-unseen"


# --- Texas Shootout: the cards that a player keeps are seen first ---

EXPOSED = ("bet wager 10", "deal", "report exposed card seat 1 2 Ah")


def test_a_player_with_an_exposed_card_still_shows_the_cards_that_are_played() -> None:
    seat = "1 card for seat 1 (3 if the player splits)"
    rest = ("Kc Kd 3h 2s", "", "7c 7d 2c 3c 4d")
    text, live = shadowed((*EXPOSED, "Ad", "keep Ad Ah", *rest), rulebook="shootout-sd", bots=0)
    assert f"Type {seat}." in text
    kept = [event for _, event in recorded_events(live) if isinstance(event, e.HandSet)]
    assert [set(event.face) for event in kept] == [set(cards("Ah Ad"))]
    # The exposed card may be discarded: the player then shows two others.
    text, live = shadowed((*EXPOSED, "Qd Qh", *rest), rulebook="shootout-sd", bots=0)
    kept = [event for _, event in recorded_events(live) if isinstance(event, e.HandSet)]
    assert [set(event.face) for event in kept] == [set(cards("Qd Qh"))]
    assert verify(live.house.store, live.stream).faults == ()


def test_a_hand_is_not_set_with_unseen_cards() -> None:
    _, live = shadowed(EXPOSED, rulebook="shootout-sd", bots=0)
    for command in (
        c.Keep(seat=1, cards=(*cards("Ah"), UNSEEN)),
        c.Keep(seat=1, cards=cards("Ah Kd")),
        c.Split(seat=1, first=(UNSEEN, UNSEEN), second=(*cards("Ah"), UNSEEN)),
        c.ActFor(by="supervisor", seat=1),
    ):
        refused = live.send(command)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.where) == ("cards-unseen", "seat 1")
    options = [option.command for option in legal(live.table, live.state, "seat 1")]
    assert not any(isinstance(command, c.Keep | c.Split) for command in options)


def test_a_record_with_an_unseen_card_in_a_hand_can_be_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    # Earlier versions accepted such a hand.
    monkeypatch.setattr(live_table, "hand_unseen", lambda *given: None)
    _, live = shadowed(EXPOSED, rulebook="shootout-sd", bots=0)
    for command in (
        c.Keep(seat=1, cards=(*cards("Ah"), UNSEEN)),
        c.Perform(step="collect the discards"),
        c.ShowCards(at="dealer", cards=cards("Kc Kd 3h 2s")),
        c.Perform(step="turn up the dealer's cards"),
        c.Perform(step="set the dealer's hand"),
        *(c.Perform(step="deal the flop"),) * 5,
        c.ShowCards(at="board", cards=cards("7c 7d 2c 3c 4d")),
        c.Perform(step="turn the flop"),
        c.Perform(step="arrange the flop"),
        c.Perform(step="rack the dealer's discards"),
        c.Perform(step="settle the hands"),
    ):
        answer = live.send(command)
        assert not isinstance(answer, Refusal), answer
    assert verify(live.house.store, live.stream).faults == ()
    told = "\n".join(story_lines(explain(live.house.store, live.stream, 1, "surveillance")))
    assert "Seat 1's wager" in told
    assert "The dealer had two pair" in told
    assert "Seat 1 had" not in told


def closed_with_an_unseen_board() -> LiveTable:
    """Return a real table after a void round: seat 1's cards were exposed, the board was never seen."""
    lines = ("bet ante 10", "deal", "report exposed card seat 1 1 Ah", "report exposed card seat 1 2 Kd")
    _, live = shadowed(lines, rulebook="uth-ma", bots=0, mode="device")
    ruling = c.MakeRuling(by="supervisor", name="Ann", reason="a spilled drink", effect="void round")
    assert not isinstance(live.send(ruling), Refusal)
    while live.state.round.betting:
        step: Any = next(option.command for option in legal(live.table, live.state, "dealer"))
        assert not isinstance(live.send(step), Refusal)
        if step.step == "close the round":
            break
    assert live.state.rounds == 1
    return live


def test_a_dispute_names_no_hand_with_unseen_cards() -> None:
    live = closed_with_an_unseen_board()
    hands = {hand.place: hand for hand in dispute(live.house.store, live.stream).hands}
    assert (hands["seat 1"].cards, hands["seat 1"].reads) == (("Ah", "Kd"), "")
    assert set(hands["board"].cards) <= {str(UNSEEN)}


def test_a_record_with_unseen_cards_has_no_history() -> None:
    live = closed_with_an_unseen_board()
    with pytest.raises(StoreError, match=r"cards that were never seen, .* export the record as jsonl"):
        write_history(live.house.store, live.stream)
