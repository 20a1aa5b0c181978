"""Themes are computed from the cards; the list is closed, and every theme is found in positions written here by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from houseway.cards import DECK, cards
from houseway.exact import shootout
from houseway.exact.shootout_game import PAIRS
from houseway.exact.shootout_hands import STARTS, Hands
from houseway.rules.loader import load
from houseway.school.game_values import game_values
from houseway.school.positions import position
from houseway.school.themes import THEMES, themes_of
from school.rounds import SHOOTOUT


def names(hole: str, board: str = "") -> set[str]:
    game = game_values(load("uth-ma"))
    return {theme.name for theme in themes_of(game, position(game, cards(hole), cards(board)))}


@pytest.mark.parametrize(
    ("theme", "hole", "board", "other_hole", "other_board"),
    [
        ("thin-spot", "Kd 4c", "", "As Ad", ""),
        ("big-difference", "As Ad", "", "Kd 4c", ""),
        ("small-pair", "6s 6d", "", "7s 7d", ""),
        ("small-pair", "6s Kd", "6d 9c Ah", "6s Kd", "9d 9c Ah"),
        ("lowest-raise", "Ks 5d", "", "Ks 6d", ""),
        ("lowest-raise", "3s 3d", "", "2s 2d", ""),
        ("highest-check", "Kd 4c", "", "Kd 3c", ""),
        ("highest-check", "2d 2c", "", "3d 3c", ""),
        ("suit-decides", "Kd 4c", "", "Kd 5c", ""),
        ("suited-queen", "Qs 7s", "", "Qs 7d", ""),
        ("suited-jack", "Js 7s", "", "Js 7d", ""),
        ("king-low-kicker", "Ks 5d", "", "Ks 6d", ""),
        ("suited-connectors", "Ts 9s", "", "Js Ts", ""),
        ("paired-board", "Ts 2d", "9c 9d 4h", "Ts 2d", "9c 8d 4h"),
        ("trips-board", "Ts 2d", "9c 9d 9h", "Ts 2d", "9c 9d 4h"),
        ("hidden-pair", "Ts 2d", "Tc 9d 4h", "Ts Td", "7c 9d 4h"),
        ("bottom-pair", "4s 2d", "Tc 9d 4h", "Ts 2d", "Tc 9d 4h"),
        ("pair-below-board", "3s 3d", "Tc 9d 4h", "5s 5d", "Tc 9d 4h"),
        ("flop-of-one-suit", "Ts 2d", "9c 8c 4c", "Ts 2d", "9c 8c 4d"),
        ("four-to-a-flush", "Tc 2d", "9c 8c 4c", "Ts 2d", "9c 8c 4c"),
        ("low-flush-draw", "7c 2c", "9c 8c 4d", "Tc 2c", "9c 8c 4d"),
        ("open-straight-draw", "Ts 9d", "8c 7d 2h", "Ts 9d", "8c 6d 2h"),
        ("inside-straight-draw", "Ts 9d", "8c 6d 2h", "Ts 9d", "8c 7d 2h"),
        ("two-overcards", "Js Td", "8c 6d 2h", "Js 7d", "8c 6d 2h"),
        ("kicker-fight", "As 3d", "7c 7d 5c 2d Jh", "3s 4d", "7c 7d 9c Td Jh"),
        ("board-plays", "3s 4d", "7c 7d 9c Td Jh", "As 3d", "7c 7d 5c 2d Jh"),
        ("counterfeited-pair", "5s 5d", "Kc Kd 9c 9d Jh", "Ts Td", "Kc Kd 9c 9d Jh"),
        ("two-pair-board", "5s 4d", "Kc Kd 9c 9d Jh", "5s 4d", "Kc Kd 9c 8d Jh"),
        ("four-flush-board", "5s 4d", "Kc Qc 9c 8c Jh", "5s 4d", "Kc Qc 9c 8d 2h"),
        ("four-straight-board", "5s 4d", "Kc Qc Js 2d Th", "5s 4d", "Kc Qc 9s 3d 8h"),
        ("missed-flush", "5c 4c", "Kc Qc 9s 8d Jh", "5c 4d", "Kc Qc 9s 8d 2h"),
        ("21-outs", "As 7h", "3h 6c Jc 3c 5c", "Ks 6d", "Qs Ts 7d 4h 2c"),
        ("fold-a-pair", "3s 8d", "7c 7d 5c 2d Jh", "As Kd", "7c 7d 5c 2d Jh"),
        ("ace-high-call", "As 3d", "Kc 9d 7c 4d 2h", "Ks 3d", "Qc 9d 7c 4d 2h"),
        ("dealer-seldom-qualifies", "Jc 7d", "Js 7s 5c 3d 2h", "As 3d", "7c 7d 5c 2d Jh"),
        ("dealer-always-qualifies", "As 3d", "7c 7d 5c 2d Jh", "As 3d", "Kc 9d 7c 4d 2h"),
    ],
)
def test_the_themes_of_a_position(
    theme: str, hole: str, board: str, other_hole: str, other_board: str
) -> None:
    assert theme in names(hole, board)
    assert theme not in names(other_hole, other_board)


def test_the_line_is_where_one_card_changes_the_play() -> None:
    game, rng, found = game_values(load("uth-ma")), Random(7), Counter[bool]()
    for _ in range(600):
        dealt = rng.sample(DECK, 7)
        spot = position(game, dealt[:2], dealt[2:])
        held = {theme.name for theme in themes_of(game, spot)}
        if "at-the-line" in held:
            found[spot.best == "fold"] += 1
            assert spot.lead < 0.35
    assert found[True] > 0
    assert found[False] > 0


def test_the_themes_of_four_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = (
        np.random.default_rng(3).integers(-(10**15), 10**15, (len(STARTS), len(PAIRS))).astype(object)
        * 10**4
    )
    hands = Hands(totals[:, 0], totals)
    monkeypatch.setattr(shootout, "cached_hands", lambda book: hands)
    game, rng, seen = game_values(load(SHOOTOUT)), Random(8), Counter[str]()

    def of(four: str) -> set[str]:
        return {theme.name for theme in themes_of(game, position(game, cards(four)))}

    assert {"two-pairs-dealt", "split-offered"} <= of("As Ad Ks Kd")
    assert "twin-cards" in of("As As Ks 2d")
    assert "low-pair-or-high-cards" in of("9s 9d Ks 2d")
    assert "low-pair-or-high-cards" not in of("Ts Td Ks 2d")
    assert "two-suits" in of("As Ks 2d 3d")
    for _ in range(400):
        four = tuple(rng.sample(list(DECK) * 6, 4))
        spot = position(game, four)
        held = {theme.name for theme in themes_of(game, spot)}
        seen.update(held)
        assert ("split-best" in held) == spot.best.startswith("split")
        assert "split-offered" in held or "split-best" not in held
        if "suited-keep" in held:
            assert spot.best[6] == spot.best[9]
        if "break-a-pair" in held:
            assert spot.best[5] != spot.best[8]
    assert {name for name, theme in THEMES.items() if theme.streets == ("four cards",)} <= {
        *seen,
        "split-best",
    }


def test_themes_belong_to_their_streets_and_do_not_depend_on_suits_or_order() -> None:
    game, rng, suits = game_values(load("uth-ma")), Random(9), str.maketrans("shdc", "chsd")
    for _ in range(100):
        dealt = rng.sample(DECK, 7)
        board = dealt[2 : 2 + rng.choice((0, 3, 5))]
        spot = position(game, dealt[:2], board)
        themes = themes_of(game, spot)
        assert all(spot.street in theme.streets for theme in themes)
        hole, shown = (" ".join(map(str, row)).translate(suits) for row in (dealt[1::-1], board[::-1]))
        assert names(hole, shown) == {theme.name for theme in themes}


def test_the_list_is_closed_and_documented() -> None:
    assert len(THEMES) >= 20
    assert all(name == theme.name for name, theme in THEMES.items())
    page = (Path(__file__).parents[2] / "docs" / "school.md").read_text(encoding="utf-8")
    rows = [f"| `{theme.name}` | {theme.words} |" for theme in THEMES.values()]
    assert "\n".join(rows) in page
