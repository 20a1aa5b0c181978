"""Tips for the dealer and match play coupons in the terminal: plain lines, a real table, the full screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from houseway.play.app import TableApp
from houseway.play.open_game import GameOptions, PlayError, _series
from houseway.rules.loader import load
from play.tables import live_of, on_screen, open_seeded, press, screen_text, transcript


@pytest.mark.clause("SD-3-a", "SD-3-b", "SD-3-c")
def test_tips_on_ante_and_play_are_typed_in_plain_lines() -> None:
    text = transcript(
        "uth-sd", "bet ante 10 tip ante 2 tip trips 1", "", "4x tip 5", "play 4x with tip", "quit", bots=0
    )
    assert 'You can tip the dealer on ante, blind or trips: add "tip ante 2" to your bet.' in text
    assert (
        "You bet ante $10 and blind $10, with tips for the dealer: $2 on the ante and $1 on trips." in text
    )
    assert "Your bets: ante $10, blind $10, tip ante $2, tip trips $1 ($977.00 left)." in text
    assert "play 4x, $40; play 4x with tip, $48." in text
    assert (
        "Not allowed: the tip on the play wager must be 4 times the tip on the ante, $8. [SD-3-c]" in text
    )
    assert "You play 4x, $40, with a tip of $8 for the dealer." in text
    assert "The $8 tip on your play wager wins 1 to 1: $8.00 for the dealer." in text
    # Tips on the ante, trips and play: $2, $1 and $8.
    assert " $11.00 in tips. You have " in text


@pytest.mark.clause("SD-3-a", "SD-3-c")
@pytest.mark.parametrize(("lines", "says"), [
    (("bet tip ante 2",), "Not allowed: to tip on the ante, also bet the ante. [SD-3-a]"),
    (("bet ante 10 tip progressive 1",), "Not allowed: you cannot tip on the progressive;"),
    (("bet ante 10 tip",), 'tip: type "tip ante 2", for example'),
    (("bet ante 10 tip ante x",), "tip ante: 'x' is not an amount"),
    (("bet ante 10", "", "4x tip"), "Not allowed: to tip on the play wager, also tip on the ante. [SD-3-c]"),
    (("bet ante 10 tip ante 2", "", "4x please"),
     '\nType "4x" to play, or "4x tip" to add a tip play for the dealer.\n'),
    (("bet ante 10", "", "4x please"), '\nType "4x" to play.\n'),
    (("bet ante 10", "", "2x please"), '\nType "4x" to play.\n'),
])  # fmt: skip
def test_wrong_tips_are_explained(lines: tuple[str, ...], says: str) -> None:
    assert says in transcript("uth-sd", *lines, "quit", bots=0)


@pytest.mark.clause("SD-3-a", "SD-3-c")
def test_tips_of_a_real_table_are_followed() -> None:
    lines = ("bet ante 10 tip ante 2", "deal", "4x tip", "7s Kh 9d", "4c 2s", "7c 7d", "Kc 8d")
    text = transcript("uth-sd", *lines, shadow=True, bots=0, seed="", mode="manual")
    assert "$40, with a tip of $8 for the dealer." in text


def test_shootout_takes_tips_if_the_house_setting_allows_them() -> None:
    text = transcript("shootout-sd", "bet wager 10 tip wager 2", "quit", bots=0, house={"tips": True})
    assert "Your bets: wager $10, tip wager $2" in text
    refused = transcript("shootout-sd", "bet wager 10 tip wager 2", "quit", bots=0)
    assert "tips are not offered. [house.tips]" in refused


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_is_typed_in_plain_lines() -> None:
    lines = ("bet ante 10 coupon 11", "bet ante 10 coupon 10", "", "4x", "quit")
    text = transcript("uth-ma", *lines, bots=0, house={"match_play": True})
    assert 'You can use a match play coupon: add "coupon 10" to your bet.' in text
    assert "Not allowed: a $11 coupon needs an ante of at least $11. [MA-6.a-b]" in text
    assert "You bet ante $10 and blind $10, with a coupon of $10." in text
    assert "Your $10 coupon wins 1 to 1: $10.00. [MA-6.a-b]" in text
    off = transcript("uth-ma", "bet ante 10 coupon 10", "quit", bots=0)
    assert "Not allowed: this table does not take match play coupons. [MA-6.a-b]" in off


@pytest.mark.clause("SD-2-a")
def test_the_terminal_opens_no_table_without_a_minimum() -> None:
    limits = {"ante": {"max": "100"}, "trips": {"min": "5", "max": "100"}}
    with pytest.raises(PlayError, match=r"ante has no minimum; .* \[SD-2-a\]"):
        open_seeded("uth-sd", limits=limits)


def test_games_with_different_house_settings_have_different_names() -> None:
    book = load("uth-card")
    plain, set_ = (
        GameOptions(rulebook="uth-card"),
        GameOptions(rulebook="uth-card", house={"rounding": "up"}),
    )
    assert _series(plain, book) != _series(set_, book)


@pytest.mark.clause("SD-3-a", "SD-3-c")
def test_tips_on_ante_and_play_are_placed_on_the_full_screen() -> None:
    opened = open_seeded("uth-sd", bots=0)

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "1 0 d up up d up d")
        assert "tip $2" in screen_text(app)
        assert "tip $1" in screen_text(app)
        await press(pilot, "space")
        assert "Play 4×" in screen_text(app)
        await press(pilot, "d")
        assert "Play 4× + tip" in screen_text(app)
        await press(pilot, "4")

    on_screen(opened, drive)
    events = [event for _, event in recorded_events(live_of(opened.game))]
    (bet,) = [event for event in events if isinstance(event, e.WagersPlaced)]
    (play,) = [event for event in events if isinstance(event, e.PlayMade)]
    assert (bet.tips, play.tip) == ({"ante": 200, "blind": 100}, 800)


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_is_placed_on_the_full_screen() -> None:
    opened = open_seeded("uth-ma", bots=0, house={"match_play": True})

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "1 0 u")
        assert "coupon" in screen_text(app)
        await press(pilot, "space")

    on_screen(opened, drive)
    events = [event for _, event in recorded_events(live_of(opened.game))]
    (bet,) = [event for event in events if isinstance(event, e.WagersPlaced)]
    assert bet.coupon == 1000
