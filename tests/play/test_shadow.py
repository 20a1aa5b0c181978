"""A real table followed with `--shadow`: cards are typed as they become visible, and the record verifies."""

from __future__ import annotations

import io
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.explain import explain, story_lines
from houseway.audit.verify import verify
from houseway.cards import UNSEEN, cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.live import LiveTable
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
