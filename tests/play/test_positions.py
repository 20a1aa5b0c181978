"""In the terminal: playing several seats, the amount of a second bonus, and repeating tips."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from textual.pilot import Pilot

from houseway.client import House
from houseway.client import messages as m
from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from houseway.play.app import TableApp
from houseway.play.join_table import sit_down
from houseway.play.open_game import PlayError
from houseway.play.plain_screen import play
from play.tables import live_of, on_screen, open_seeded, press, screen_text, transcript
from server.houses import Running, running

ON = {"more_positions": True}
LIMITS = {"wager": {"min": "5", "max": "50"}, "bonus": {"min": "1", "max": "20"}}
SPLIT_SEED = "33"
"""A seed that deals the player at seat 1 four cards that may be split."""


def events_of(opened: Any, kind: type[Any]) -> list[Any]:
    return [event for _, event in recorded_events(live_of(opened.game)) if isinstance(event, kind)]


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as house:
        yield house


# --- more positions ---


@pytest.mark.clause("TS-4-b")
def test_a_player_takes_two_positions_in_plain_lines() -> None:
    lines = ("bet wager 10", "seat 2", "bet wager 20", "deal", "keep", "quit")
    text = transcript("shootout-sd", *lines, house=ON, limits=LIMITS, positions=2, bots=0)
    assert "Your seat 1 bets $10." in text
    assert "You now act for seat 2." in text
    assert "Your seat 2 bets $20." in text
    assert "Your cards at seat 1: " in text
    assert "Your cards at seat 2: " in text
    assert "Seat 1's turn: keep " in text


@pytest.mark.clause("TS-4-b")
def test_two_positions_are_refused_with_the_clause_unless_the_house_allows_them() -> None:
    with pytest.raises(PlayError, match=r"one position only; add --house more_positions=true \(TS-4-b\)"):
        open_seeded("shootout-sd", positions=2)
    with pytest.raises(PlayError, match=r"one position only \(MA-11\)"):
        open_seeded("uth-ma", positions=2)


@pytest.mark.parametrize(("book", "most"), [("uth-sd", "$20"), ("shootout-sd", "$25")])
def test_the_default_limits_of_several_positions_stay_within_the_bet_limit(book: str, most: str) -> None:
    text = transcript(book, "quit", house=ON, positions=2, bots=0)
    assert f" $5 to {most}, " in text
    high = {name: {"min": "5", "max": "100"} for name in ("ante", "trips")}
    too_much = r"on all 6 seats could have \$4,200 at risk \(6 × \$700: .*; lower the maximums"
    with pytest.raises(PlayError, match=too_much):
        open_seeded("uth-sd", house=ON, limits=high, positions=2)


@pytest.mark.clause("TS-4-b")
def test_a_player_takes_two_positions_on_the_full_screen() -> None:
    opened = open_seeded("shootout-sd", house=ON, limits=LIMITS, positions=2, bots=0)

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "1 0 tab 2 0 space")
        for _ in range(2):
            await press(pilot, "1 2 k")
        assert "2 You" in screen_text(app)

    on_screen(opened, drive, (130, 40))
    placed = events_of(opened, e.WagersPlaced)
    assert [(bet.seat, bet.wagers) for bet in placed] == [(1, {"wager": 1000}), (2, {"wager": 2000})]
    assert sorted(hand.seat for hand in events_of(opened, e.HandSet)) == [1, 2]
    (closed,) = events_of(opened, e.RoundClosed)
    assert sorted(closed.net) == [1, 2]


@pytest.mark.clause("TS-4-b")
def test_a_player_takes_two_positions_at_a_servers_table(server: Running) -> None:
    house = House(server.url)
    house.introduce("Ann")
    card = house.open_table(m.OpenTable(rulebook="shootout-sd", house=ON, limits=LIMITS, clock=0))
    opened = sit_down(house, card, 2, 0.5, 2)
    assert opened.game.seats == (2, 3)
    out = io.StringIO()
    lines = ("bet wager 10", "seat 3", "bet wager 20", "deal", "quit")
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    text = out.getvalue()
    assert "seats 2, 3: Ann." in text
    assert "Your cards at seat 2: " in text
    assert "Your cards at seat 3: " in text
    assert "Seats 2 and 3 at" in text
    opened.game.link.close()


# --- the second bonus of a split ---


@pytest.mark.clause("TS-9-f")
@pytest.mark.parametrize(("typed", "bonus"), [("7.50", 750), ("1", 100), ("10", 1000), ("", 1000)])
def test_a_second_bonus_can_have_any_amount_up_to_the_first_in_plain_lines(typed: str, bonus: int) -> None:
    opened = open_seeded("shootout-sd", seed=SPLIT_SEED, limits=LIMITS)
    out = io.StringIO()
    lines = ("bet wager 10 bonus 10", "", f"split bonus {typed}", "quit")
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    assert "with bonus, $20 (bonus $1 to $10)" in out.getvalue()
    (split,) = events_of(opened, e.HandSplit)
    assert split.bonus == bonus


@pytest.mark.clause("TS-9-f")
def test_a_second_bonus_above_the_first_is_refused_with_the_clause() -> None:
    lines = ("bet wager 10 bonus 10", "", "split bonus 11", "split bonus x", "quit")
    text = transcript("shootout-sd", *lines, seed=SPLIT_SEED, limits=LIMITS)
    assert "the second hand's bonus cannot be more than the first hand's, $10. [TS-9-f]" in text
    assert "bonus: 'x' is not an amount" in text


@pytest.mark.clause("TS-9-c", "TS-9-f")
def test_the_first_bonus_belongs_to_the_hand_that_the_player_names_first() -> None:
    opened = open_seeded("shootout-sd", seed=SPLIT_SEED, limits=LIMITS)
    out = io.StringIO()
    play(opened, io.StringIO("bet wager 10 bonus 10\n\n"), out)
    four = [str(card) for card in live_of(opened.game).state.seats[1].hands[0].cards]
    # Any two of the four cards can be the first hand, including the two dealt last.
    play(opened, io.StringIO(f"split {four[2]} {four[3]} bonus 3\nquit\n"), out)
    (split,) = events_of(opened, e.HandSplit)
    assert ([str(card) for card in split.first], split.bonus) == (four[2:], 300)


@pytest.mark.clause("TS-9-f")
def test_a_second_bonus_is_typed_on_the_full_screen() -> None:
    opened = open_seeded("shootout-sd", seed=SPLIT_SEED, limits=LIMITS)

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "1 0 right 1 0 space")
        assert "bonus $10" in screen_text(app)
        await press(pilot, "b 3 . 5 enter")
        assert "bonus $3.50" in screen_text(app)
        await press(pilot, "S")

    on_screen(opened, drive, (130, 40))
    (split,) = events_of(opened, e.HandSplit)
    assert split.bonus == 350


# --- the same as last round ---


@pytest.mark.clause("SD-3-a")
def test_a_repeated_bet_repeats_its_tips() -> None:
    first = ("bet ante 10 trips 5 tip ante 2 tip trips 1", "", "check", "check", "fold")
    opened = open_seeded("uth-sd", bots=0)
    out = io.StringIO()
    assert play(opened, io.StringIO("\n".join((*first, "rebet", "quit")) + "\n"), out) == 0
    placed = events_of(opened, e.WagersPlaced)
    assert len(placed) == 2
    assert (placed[0].wagers, placed[0].tips) == (placed[1].wagers, placed[1].tips)
    assert placed[1].tips == {"ante": 200, "trips": 100}


@pytest.mark.clause("SD-3-a")
def test_a_repeated_bet_repeats_its_tips_on_the_full_screen() -> None:
    opened = open_seeded("uth-sd", bots=0)

    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "1 0 d 2 space c c f space r space")

    on_screen(opened, drive, (130, 40))
    assert [bet.tips for bet in events_of(opened, e.WagersPlaced)] == [{"ante": 200}] * 2


# --- the floor's orders, and coupons ---


@pytest.mark.clause("PROC-H.3-c", "PROC-H.3-d")
def test_the_floors_orders_about_seats_are_typed_at_a_real_table() -> None:
    bets = ("bet ante 3", "deal", "check", "7s Kh 9d", "check", "4c 2s", "fold", "7c 7d")
    lines = ("order", *bets, "order hold seat 1 until 9 pm", "order release seat 1", "order hold seat 9")
    opened, out = open_seeded("uth-proc", shadow=True, bots=0, seed="", floor="Flo"), io.StringIO()
    assert play(opened, io.StringIO("\n".join((*lines, "quit")) + "\n"), out) == 0
    text = out.getvalue()
    assert "order set the minimum to $5, surveillance notified" in text
    assert "order hold seat 1 for its player" in text
    assert "Seat 1 is held until 9 pm." in text
    (held,) = events_of(opened, e.SeatHeld)
    assert (held.until, held.keeps, held.name, held.clause) == ("9 pm", 300, "Flo", "PROC-H.3-c")
    assert len(events_of(opened, e.SeatReleased)) == 1
    assert "You cannot give the order 'hold seat 9' now. You can type:" in text


def test_a_player_cannot_give_the_floor_supervisors_orders() -> None:
    assert "Only a dealer or a supervisor can do this." in transcript("uth-proc", "order", "quit")


@pytest.mark.clause("MA-6.a-b")
def test_a_second_coupon_is_refused_in_plain_lines() -> None:
    first = ("bet ante 10 coupon 10", "", "4x")
    text = transcript("uth-ma", *first, "bet ante 10 coupon 10", "quit", bots=0, house={"match_play": True})
    assert "each player may use 1 match play coupon at this table, and you have used yours" in text
    assert "[house.coupons_per_player]" in text
