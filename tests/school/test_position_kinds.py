"""Every decision has one kind, by its visible cards; the list is closed and every kind occurs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from houseway.cards import DECK, Card, cards
from houseway.engine.terms import Terms, read_terms
from houseway.ranking import read
from houseway.rules.loader import load
from houseway.school.player_decisions import BEFORE, FLOP, FOUR_CARDS, RIVER, STREETS, Decision, Street
from houseway.school.position_kinds import KINDS, kind_of
from school.players import PLANTED
from school.rounds import SHOOTOUT

TERMS: Terms = read_terms(load("uth-ma"), {})[0]
FOURS: Terms = read_terms(load(SHOOTOUT), {})[0]


def kind(hole: str, board: str = "") -> str:
    own, shown = cards(hole), cards(board)
    street: Street = FOUR_CARDS if len(own) == 4 else STREETS[len(shown)]
    return kind_of(FOURS if len(own) == 4 else TERMS, Decision(street, own, shown, "", ())).name


@pytest.mark.parametrize(
    ("name", "hole", "board"),
    [
        ("pair-22-55", "5s 5d", ""),
        ("pair-66-aa", "6s 6d", ""),
        ("ace-high", "As 2d", ""),
        ("king-low-kicker", "7s Kd", ""),
        ("king-high-kicker", "8s Kd", ""),
        ("queen-low-kicker", "Qs 2s", ""),
        ("queen-high-kicker", "Qs Js", ""),
        ("jack-low-kicker", "Js 7s", ""),
        ("jack-high-kicker", "Js Ts", ""),
        ("ten-high-or-lower", "Ts 9s", ""),
        ("flop-straight-or-better", "Ts 9s", "8d 7d 6c"),
        ("flop-three-of-a-kind", "Ts Td", "Tc 7d 6c"),
        ("flop-three-of-a-kind", "Ts 9d", "7c 7d 7h"),
        ("flop-two-pair", "Ts 7s", "Td 7d 6c"),
        ("flop-two-pair", "Ts Td", "7c 7d 6c"),
        ("flop-pocket-pair", "Ts Td", "Ac 7d 6c"),
        ("flop-hidden-pair", "Ts 6d", "Ac 7d 6c"),
        ("flop-flush-draw-high", "Ts 2s", "As 7s 6c"),
        ("flop-flush-draw-high", "Ts 2d", "As 7s 6s"),
        ("flop-flush-draw-low", "9s 2s", "As 7s 6c"),
        ("flop-board-pair", "Ts 2s", "7c 7s 6c"),
        ("flop-straight-draw", "9s 8d", "7c 6s 2c"),
        ("flop-ace-high", "As 8d", "7c 4s 2c"),
        ("flop-king-high", "Ks 8d", "7c 4s 2c"),
        ("flop-queen-or-lower", "Qs 8d", "7c 4s 2c"),
        ("river-straight-or-better", "9s 8d", "7c 6s 5c 2d 2h"),
        ("river-two-pair-or-trips", "7s 6d", "7c 6s 5c 2d Jh"),
        ("river-two-pair-or-trips", "7s Kd", "7c 7d 5c 2d Jh"),
        ("river-own-pair", "7s Kd", "7c Td 5c 2d Jh"),
        ("river-board-made", "3s Kd", "7c 7d 5c 5d Jh"),
        ("river-paired-board-few", "As Kd", "7c 7d 5c 2d Jh"),
        ("river-paired-board-many", "3s 8d", "7c 7d 5c 2d Jh"),
        ("river-17-or-fewer", "As 3d", "Kc 9d 7c 4d 2h"),
        ("river-18-20", "Ks 3d", "Qc 9d 7c 4d 2h"),
        ("river-21-23", "Js 6d", "Qs Ts 7d 4h 2c"),
        ("river-24-or-more", "6s 3d", "Qs Ts 7d 4h 2c"),
        ("four-of-a-kind", "7s 7s 7s 7d", ""),
        ("three-of-a-kind", "7s 7s 7s 2d", ""),
        ("two-pair", "7s 7s 2s 2d", ""),
        ("pair-ten-or-higher", "Ts 7s 2s Td", ""),
        ("pair-nine-or-lower", "9s 7s 2s 9d", ""),
        ("no-pair-ace", "As 7s 2s Td", ""),
        ("no-pair-king", "Ks 7s 2s Td", ""),
        ("no-pair-queen-or-lower", "Qs 7s 2s Td", ""),
    ],
)
def test_the_kind_of_a_position(name: str, hole: str, board: str) -> None:
    assert kind(hole, board) == name
    suits = str.maketrans("shdc", "chsd")
    assert kind(hole.translate(suits), board.translate(suits)) == name
    assert kind(" ".join(reversed(hole.split())), " ".join(reversed(board.split()))) == name


def test_the_list_is_closed_and_long_enough() -> None:
    streets = Counter(each.street for each in KINDS.values())
    assert min(streets[street] for street in (BEFORE, FLOP, RIVER)) >= 10
    assert streets[FOUR_CARDS] >= 8
    assert all(name == each.name for name, each in KINDS.items())
    assert len({(each.street, each.words) for each in KINDS.values()}) == len(KINDS)


def test_the_page_lists_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "school.md").read_text(encoding="utf-8")
    rows = [f"| {each.street} | `{each.name}` | {each.words} |" for each in KINDS.values()]
    assert "\n".join(rows) in page


def test_every_kind_is_dealt() -> None:
    rng, seen = Random(1), Counter[str]()
    shoe = list(DECK) * 6
    for _ in range(1_500):
        dealt = rng.sample(DECK, 7)
        for shown in (0, 3, 5):
            board = tuple(dealt[2 : 2 + shown])
            seen[kind_of(TERMS, Decision(STREETS[shown], tuple(dealt[:2]), board, "", ())).name] += 1
        four = tuple(rng.sample(shoe, 4))
        seen[kind_of(FOURS, Decision(FOUR_CARDS, four, (), "", ())).name] += 1
    assert set(seen) <= set(KINDS)
    assert len(set(KINDS) - set(seen)) <= 1  # four of a kind comes once in 4,000 deals


def test_the_planted_leaks_have_kinds_of_the_list() -> None:
    assert {leak.kind for leak in PLANTED} <= set(KINDS)
    assert len(PLANTED) >= 10


def test_a_hand_of_your_own_beats_the_board() -> None:
    rng = Random(2)
    for _ in range(300):
        dealt: list[Card] = rng.sample(DECK, 7)
        hole, board = tuple(dealt[:2]), tuple(dealt[2:])
        name = kind_of(TERMS, Decision(RIVER, hole, board, "", ())).name
        made, shown = read(dealt, TERMS.order), read(board, TERMS.order)
        own = name in ("river-straight-or-better", "river-two-pair-or-trips", "river-own-pair")
        assert own == (made.place < shown.place)


def test_a_flop_of_one_suit_is_no_draw_without_a_card_of_it() -> None:
    assert kind("Td 2c", "As 7s 6s") != "flop-flush-draw-high"
