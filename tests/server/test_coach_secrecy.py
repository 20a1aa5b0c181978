"""Twin rounds with the coach on, and the daily position: nothing that a player has not seen changes a byte before the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, cast

import msgspec
import pytest

from discovered import ULTIMATE
from houseway.client.messages import Rejected, View
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.turn_order import turn
from houseway.live.bot_driver import offered
from houseway.play import coach as coach_module
from houseway.play.coach import Coach
from houseway.play.game import Game
from houseway.rules.loader import load
from houseway.school.daily_position import daily_position
from houseway.school.game_values import game_values
from houseway.server.practice_views import spot_message
from samples import LONG, MARGIN
from server.hosted_rounds import Room, shuffled
from server.test_secrecy import choose, shuffle_unseen, visible_cards

TWINS = 300 if LONG else 12


class SeatOne:
    """What the coach reads of a game, for seat 1 of a hosted table."""

    seat = 1

    def __init__(self, room: Room) -> None:
        self._room = room

    @property
    def table(self) -> Table:
        table: Table = self._room.hosted.table
        return table

    @property
    def view(self) -> View:
        view: View = self._room.hosted.view("seat 1")
        return view

    @property
    def prompt_kind(self) -> str:
        acting = turn(self.table, self._room.hosted.live.state)
        return "decide" if acting is not None and acting[0] == 1 else ""

    def options(self) -> list[Option]:
        return offered(self.view.yours.choices)


def coached(rulebook: str, order: Sequence[str], seed: str, acts: int) -> tuple[list[str], int, set[str]]:
    """Play up to `acts` acts. Return the coach's lines, the number of acts, and the cards seat 1 may have seen."""
    rng, room = Random(seed), Room(rulebook, [order])
    advisor = Coach(cast(Game, SeatOne(room)), "before")
    for seat in (1, 2, 3):
        room.bet(seat, side=False)
    room.ready()
    lines, done = [advisor.before()], 0
    while done < acts and (acting := turn(room.hosted.table, room.hosted.live.state)) is not None:
        chosen = choose(room.hosted.view(f"seat {acting[0]}").yours.choices, rng, folds=True)
        assert not isinstance(room.do(acting[0], chosen.command), Rejected)
        done += 1
        lines += [advisor.before(), advisor.values_text()]
    return lines, done, visible_cards(room, "seat 1")


def differing(rulebook: str) -> tuple[int, int]:
    """Return the number of twin rounds whose coach's lines differ, and the number of lines with values."""
    rng, different, spoken = Random(f"coach {rulebook}"), 0, 0
    for number in range(TWINS):
        order = shuffled(rng, rulebook)
        acts = rng.randint(0, coached(rulebook, order, str(number), 99)[1] - 1)
        first, _, visible = coached(rulebook, order, str(number), acts)
        second, _, _ = coached(rulebook, shuffle_unseen(order, visible, rng), str(number), acts)
        different += first != second
        spoken += sum(line.startswith("Coach: ") for line in first)
    return different, spoken


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_hidden_cards_change_no_line_of_the_coach(rulebook: str) -> None:
    different, spoken = differing(rulebook)
    assert different == 0
    assert spoken >= TWINS // 2


def test_a_coach_who_knows_the_dealers_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the coach's line names the cards of the dealer and of the other seats."""
    line = Coach.values_line

    def leaking(self: Coach, most: int | None = None) -> str:
        room = cast(Any, self._game)._room
        state = room.hosted.live.state
        dealer = " ".join(map(str, state.round.dealer)) if state.round.dealer else ""
        hidden = "".join(str(card) for seat in state.seats.values() for card in seat.hands[0].cards)
        return f"{line(self, most)}{dealer}{hidden}" if line(self, most) else ""

    monkeypatch.setattr(coach_module.Coach, "values_line", leaking)
    assert differing("uth-ma")[0] >= min(MARGIN, TWINS) // 2


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_the_frame_of_a_daily_position_depends_on_its_visible_cards_only(rulebook: str) -> None:
    """A twin position with other values, another best choice and other themes has the same frame before the answer."""
    game = game_values(load(rulebook))
    for day in range(1, 9):
        shown = daily_position(game, f"2026-11-{day:02d}", "house")
        spot = shown.position
        twin = replace(
            spot,
            values={name: Fraction(n) for n, name in enumerate(spot.values)},
            best=next(name for name in spot.values if name != spot.best),
        )
        frames = {
            msgspec.json.encode(spot_message(game, one.decision, badge=shown.badge)) for one in (spot, twin)
        }
        assert len(frames) == 1
        frame = frames.pop().decode()
        for value in spot.values.values():
            assert str(value.denominator) not in frame or value.denominator < 1000
        for word in (shown.kind.name, *(theme.name for theme in shown.themes), "best"):
            assert f'"{word}"' not in frame
