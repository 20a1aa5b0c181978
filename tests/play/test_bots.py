"""Bots play sensibly, make the same choices with the same seed, and see only their seat's view."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from houseway.bots import STYLES, StyleName, bot, style_of
from houseway.bots.players import Basic, Chance, decisions, strong
from houseway.cards import cards
from houseway.client.messages import SeatedBot
from houseway.engine import commands as c
from houseway.engine.legal import legal
from houseway.engine.views import RoleView, view
from houseway.testing import Driver, table

# The published short strategy: every ace, K2 suited or K5, Q6 suited or Q8, J8 suited or JT, a pair of threes, or better.
PLAYED = ("Ah 2c", "Kh 2h", "Kh 5c", "Qh 6h", "Qh 8c", "Jh 8h", "Jh Tc", "3h 3c")
CHECKED = ("Kh 4c", "Qh 5h", "Qh 7c", "Jh 7h", "Jh 9c", "Th 9h", "2h 2c")


@pytest.mark.parametrize("hole", PLAYED)
def test_strong_hands_are_played_before_the_flop(hole: str) -> None:
    assert strong(cards(hole))


@pytest.mark.parametrize("hole", CHECKED)
def test_hands_one_rank_lower_are_checked(hole: str) -> None:
    assert not strong(cards(hole))


def seat_view(t: Driver, seat: int) -> RoleView:
    return view(t.table, t.state, f"seat {seat}")


def choice(t: Driver, seat: int) -> c.Command:
    options = decisions(legal(t.table, t.state, f"seat {seat}"))
    return Basic().choose(t.table, seat_view(t, seat), options).command


@pytest.mark.parametrize(
    ("hole", "flop", "plays"),
    [
        ("9h 4c", "9d Ts 2h", True),  # a pair with a hole card
        ("9h 4c", "Td Ts 2h", False),  # the pair is on the board
        ("2h 2c", "9d Ts 5h", False),  # twos are the exception
        ("Th 4h", "9h 5h 2c", True),  # four hearts with the ten as a hole card
        ("9h 4h", "Kh 5h 2c", False),  # four hearts, no hole card above a nine
        ("9h 4c", "9d 4s 2h", True),  # two pair
    ],
)
def test_a_bot_follows_the_short_strategy_after_the_flop(hole: str, flop: str, plays: bool) -> None:
    one, two = hole.split()
    t = (
        table("uth-ma", mode="manual", deck=f"{one} Jd {two} Jc 8d {flop}")
        .bet(1, ante=10)
        .deal()
        .check(1)
        .deal()
    )
    assert t.hole(1) == hole
    assert t.board == flop
    assert isinstance(choice(t, 1), c.Play if plays else c.Check)


@pytest.mark.parametrize(
    ("hole", "board", "plays"),
    [
        ("9h 4c", "9d Ts 2h Kc Jd", True),  # a pair with a hole card
        ("3h 4c", "9d Ts 2h Kc Jd", False),  # any pair beats a hand that plays the board
        ("Ah 8c", "Kd Ks 9h 9c Qd", True),  # with two pair on the board, only a king or a nine beats an ace
    ],
)
def test_a_bot_follows_the_short_strategy_after_the_river(hole: str, board: str, plays: bool) -> None:
    one, two = hole.split()
    flop, rest = board.split()[:3], board.split()[3:]
    deck = f"{one} 7d {two} 6c 8d {' '.join(flop)} 5s {' '.join(rest)}"
    t = table("uth-ma", mode="manual", deck=deck).bet(1, ante=10).deal().check(1).deal().check(1).deal()
    assert t.board == board
    assert isinstance(choice(t, 1), c.Play if plays else c.Fold)


def test_a_bot_plays_the_largest_legal_amount() -> None:
    t = table("uth-ma", mode="manual", deck="Ah 2c As 3c").bet(1, ante=10).deal()
    assert choice(t, 1) == c.Play(seat=1, times=4)


def test_a_bot_sets_four_cards_by_the_house_way() -> None:
    t = table("shootout-sd", deck="2c Ah 9d As 8s Kc 3h 4d 7c").bet(1, wager=10).deal()
    keep = choice(t, 1)
    assert isinstance(keep, c.Keep)
    way = t.table.book.house_way
    assert way is not None
    assert set(keep.cards) == set(way.keep(cards(" ".join(seat_view(t, 1).yours.cards[0])))[0])


def test_basic_bots_make_no_side_bets_and_random_bots_make_them_all() -> None:
    t = table(
        "uth-ma",
        mode="device",
        limits={n: {"min": "5", "max": "20"} for n in ("ante", "trips", "cover_all")},
    )
    t = t.bet(1, ante=5)
    assert set(Basic().bet(t.table, seat_view(t, 1))) == {"ante"}
    made = [Chance(str(seed)).bet(t.table, seat_view(t, 1)) for seed in range(40)]
    assert {name for wagers in made for name in wagers} == {"ante", "trips", "progressive", "cover_all"}
    assert all(500 <= wagers["ante"] <= 2000 for wagers in made)
    assert all(wagers.get("progressive", 500) == 500 for wagers in made)


def test_random_bots_with_the_same_seed_make_the_same_choices() -> None:
    t = table("uth-ma", mode="manual").bet(1, ante=10).deal()
    options = decisions(legal(t.table, t.state, "seat 1"))
    first = [bot("random", str(n)).choose(t.table, seat_view(t, 1), options) for n in range(20)]
    again = [bot("random", str(n)).choose(t.table, seat_view(t, 1), options) for n in range(20)]
    assert first == again
    assert len({option.says for option in first}) > 1


def test_every_style_has_its_own_bot_and_no_other_style_is_accepted() -> None:
    names = get_args(StyleName)
    assert set(names) == {"best", "practical", "beginner", "random", "basic"}
    assert {style_of(name) for name in names} == set(STYLES)
    assert type(bot("basic", "")) is type(bot("practical", ""))
    assert len({type(bot(style, "")) for style in STYLES}) == len(STYLES)
    for style in STYLES:
        assert msgspec.convert({"style": style}, SeatedBot).style == style
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"style": "reckless"}, SeatedBot)
