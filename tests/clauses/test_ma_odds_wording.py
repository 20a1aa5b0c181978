"""Massachusetts, 10(a): no payout odds are stated with the word "for".

This includes screens and the sentences of `audit explain`.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

from houseway.audit.explain import explain, story_lines
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.play.plain_screen import play
from houseway.play.table_art import settled_rows
from houseway.rules.loader import load
from houseway.rules.odds_words import odds_text, wording
from houseway.testing.driver import stacked
from live.live_rounds import LiveRound
from play.tables import open_seeded
from server.chair_rounds import ChairRound

BOOKS: dict[str, dict[str, Any]] = {
    "uth-ma": {"tables": {"progressive": "PTMGL01"}},
    "uth-sd": {"tables": {"progressive": "PMG-01", "trips": "UTH-02"}},
}
DECK = stacked("device", "7s Kh 7d 4c 2s", "Qc 3h", "7c 5h")
"""Three sevens in the hole cards and the flop: 9 for 1 on the progressive."""
STAKE = {"uth-ma": 500, "uth-sd": 100}
SAYS = {"uth-ma": "9 times the wager", "uth-sd": "9 for 1"}
both = pytest.mark.parametrize("book", BOOKS)


@pytest.mark.clause("MA-10.a")
def test_odds_are_worded_as_the_document_allows() -> None:
    allowed, printed = wording(load("uth-ma")), wording(load("uth-sd"))
    assert odds_text("9 for 1", allowed) == "9 times the wager"
    assert odds_text("9 for 1", printed) == "9 for 1"
    assert odds_text("3 to 2", allowed) == "3 to 2"


@pytest.mark.clause("MA-10.a")
@both
def test_explain_states_odds_without_for_in_massachusetts(book: str) -> None:
    live = LiveRound(book, DECK, **BOOKS[book])
    live.bet(1, ante=1000, progressive=STAKE[book]).advance().send(c.Play(seat=1, times=4))
    if book == "uth-sd":
        live.send(c.Approve(by="supervisor", name="Flo"))
    live.verified()
    for role in ("rail", "seat 1", "surveillance"):
        text = "\n".join(story_lines(explain(live.store, "table:1", 1, role)))
        assert SAYS[book] in text
        assert ("for 1" in text) == (book == "uth-sd")


@pytest.mark.clause("MA-10.a")
@both
def test_the_views_of_a_table_with_a_dealer_state_odds_without_for(book: str) -> None:
    wagers = {1: {"ante": 1000, "blind": 1000, "progressive": STAKE[book]}}
    room = ChairRound(book, DECK, wagers, [c.Play(seat=1, times=4)], **BOOKS[book])
    viewer = room.watch("seat 1")
    room.play().verified()
    assert room.seen(e.RoundClosed)
    said = b"".join(viewer.frames).decode()
    assert f"wins {SAYS[book]}" in said
    lines = room.hosted.view("seat 1").table.settled.values()
    (paid,) = [line for line in lines if line.wager == "progressive"]
    assert SAYS[book] in paid.reason
    # The rows of the terminal's screen.
    rows = "\n".join(row.plain for row in settled_rows([paid], 0, 80, wording(load(book))))
    assert ("win ×9 " in rows, "win 9 for 1" in rows) == (book == "uth-ma", book == "uth-sd")


@pytest.mark.clause("MA-10.a")
@both
def test_the_terminal_states_odds_without_for(book: str) -> None:
    amount = STAKE[book] // 100
    # In South Dakota, Enter confirms the award on the keypad, and then its payment.
    lines = (
        f"bet ante 10 progressive {amount}",
        "deal",
        "4x",
        "7s Kh 7d",
        "4c 2s",
        "Qc 3h",
        "7c 5h",
        "",
        "",
    )
    opened = open_seeded(book, "", shadow=True, mode="device", bots=0, **BOOKS[book])
    out = io.StringIO()
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    assert f"wins {SAYS[book]}" in out.getvalue()
    assert ("for 1" in out.getvalue()) == (book == "uth-sd")
