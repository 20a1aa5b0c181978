"""Practice: positions from a seed, chosen by frequency and difficulty; missed ones return; links and the daily position."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import exp, log
from random import Random

import numpy as np
import pytest

from discovered import ULTIMATE
from houseway.cards import DECK, cards
from houseway.exact import shootout
from houseway.exact.shootout_game import PAIRS
from houseway.exact.shootout_hands import STARTS, Hands
from houseway.rules.loader import load
from houseway.school.choice_model import difficulty, error_chance, expected_loss
from houseway.school.daily_position import daily_position
from houseway.school.decision_values import CLOSE, value_decision
from houseway.school.game_values import GameValues, game_values
from houseway.school.player_decisions import BEFORE, FLOP, FOUR_CARDS, RIVER
from houseway.school.position_links import LinkError, linked_position, read_link, write_link
from houseway.school.positions import position
from houseway.school.practice_positions import (
    NoPositionError,
    Practice,
    dealt_position,
    link_of,
    practice_position,
)
from houseway.school.repeated_misses import KNOWN_DAYS, MOST_MISSES, Miss, after_answer, due_misses
from houseway.shoe.seeded_draws import SeedDraws
from samples import LONG
from school.rounds import SHOOTOUT

NUMBER = 1_000 if LONG else 100
NOW = "2026-11-18T12:00:00+00:00"


def game(rulebook: str = "uth-ma") -> GameValues:
    return game_values(load(rulebook))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up counts for Texas Shootout, because counting the real ones takes minutes."""
    totals = (
        np.random.default_rng(3).integers(-(10**15), 10**15, (len(STARTS), len(PAIRS))).astype(object)
        * 10**4
    )
    hands = Hands(totals[:, 0], totals)
    monkeypatch.setattr(shootout, "cached_hands", lambda book: hands)


# The choice model.


def test_difficulty_is_the_log_odds_of_an_error() -> None:
    assert difficulty([Fraction(1, 20)]) == Decimal("-1.0000")
    assert difficulty([Fraction(1, 2)]) == Decimal("-10.0000")
    assert difficulty([Fraction(0)]) == Decimal("0.0000")
    for gaps in ([0.03], [0.1, 0.2], [0.02, 0.02, 0.4]):
        weights = [exp(-gap / 0.05) for gap in gaps]
        exact = [Fraction(str(gap)) for gap in gaps]
        assert float(difficulty(exact)) == pytest.approx(log(sum(weights)), abs=1e-4)
        assert float(error_chance(exact)) == pytest.approx(sum(weights) / (1 + sum(weights)), abs=1e-6)
        lost = sum(w * g for w, g in zip(weights, gaps, strict=True)) / (1 + sum(weights))
        assert expected_loss(exact) == pytest.approx(lost)
    assert difficulty([]) == difficulty([Fraction(1000)]) == -200
    assert error_chance([]) == 0


# Practice.


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_the_same_seed_gives_the_same_positions(rulebook: str) -> None:
    practice = Practice("seed")
    first = [practice_position(game(rulebook), practice, n) for n in range(10)]
    assert first == [practice_position(game(rulebook), practice, n) for n in range(10)]
    assert first != [
        practice_position(game(rulebook), replace(practice, seed="other"), n) for n in range(10)
    ]
    for shown in first:
        spot = shown.position
        valued = value_decision(game(rulebook), replace(spot.decision, choice=spot.best))
        assert dict(valued.values) == dict(spot.values)
        assert spot.answer(spot.best) == valued
        assert spot.decision.choice == ""


def test_mixed_practice_has_15_percent_dealt_positions_and_harder_ones() -> None:
    shown = [practice_position(game(), Practice("mixed"), n) for n in range(4 * NUMBER)]
    dealt = [one for one in shown if one.origin == "dealt"]
    chosen = [one for one in shown if one.origin == "mixed"]
    assert len(dealt) + len(chosen) == len(shown)
    assert 0.09 < len(dealt) / len(shown) < 0.21
    assert {one.badge for one in dealt} == {""}
    assert {one.badge for one in chosen} == {"chosen, not dealt"}
    assert not any(one.position.close for one in chosen)
    assert (
        sorted(d.difficulty for d in dealt)[len(dealt) // 2]
        < sorted(c.difficulty for c in chosen)[len(chosen) // 2]
    )
    assert {one.position.street for one in chosen} == {BEFORE, FLOP, RIVER}


def test_chosen_positions_are_as_frequent_as_dealt_ones_times_their_cost() -> None:
    draws = SeedDraws("dealt", "test")
    dealt = [dealt_position(game(), draws).position for _ in range(10 * NUMBER)]
    costs = [(spot.street, 0.0 if spot.close else expected_loss(spot.gaps)) for spot in dealt]
    total = sum(cost for _, cost in costs)
    shown = [practice_position(game(), Practice("cost", "timed"), n) for n in range(4 * NUMBER)]
    for street in (BEFORE, FLOP, RIVER):
        expected = sum(cost for where, cost in costs if where == street) / total
        got = sum(one.position.street == street for one in shown) / len(shown)
        assert got == pytest.approx(expected, abs=0.1)


def test_dealt_positions_are_those_that_best_play_reaches() -> None:
    draws = SeedDraws("reached", "test")
    for _ in range(NUMBER):
        spot = dealt_position(game(), draws).position
        board = spot.decision.board
        for shown in (0, 3):
            if shown < len(board):
                assert position(game(), spot.decision.hole, board[:shown]).best == "check"


def test_leak_practice_takes_70_percent_from_weak_kinds_and_never_names_them() -> None:
    practice = Practice("leaks", "leaks", weak={"queen-low-kicker": 3.0, "flop-hidden-pair": 1.0})
    shown = [practice_position(game(), practice, n) for n in range(3 * NUMBER)]
    weak = Counter(one.kind.name for one in shown if one.origin == "weak kind")
    assert set(weak) == set(practice.weak)
    assert 0.6 < weak.total() / len(shown) < 0.8
    assert weak["queen-low-kicker"] > weak["flop-hidden-pair"]
    assert {one.badge for one in shown if one.origin != "dealt"} == {"chosen, not dealt"}
    none = Practice("leaks", "leaks")
    assert {practice_position(game(), none, n).origin for n in range(NUMBER)} == {"dealt", "mixed"}


def test_one_street_one_kind_or_one_theme() -> None:
    for n in range(10):
        assert practice_position(game(), Practice("s", "street", FLOP), n).position.street == FLOP
        kind = practice_position(game(), Practice("s", "endless", kind="river-18-20"), n)
        assert (kind.kind.name, kind.origin) == ("river-18-20", "endless")
        theme = practice_position(game(), Practice("s", "endless", theme="kicker-fight"), n)
        assert "kicker-fight" in {each.name for each in theme.themes}


def test_a_kind_that_best_play_never_reaches_can_be_practised() -> None:
    """Aces always raise, but a player may check them."""
    shown = practice_position(game(), Practice("s", "endless", kind="flop-ace-high"), 0)
    assert shown.kind.name == "flop-ace-high"


def test_what_cannot_be_practised_is_named() -> None:
    with pytest.raises(NoPositionError, match="uth-ma has no graded position of 'two-pair'"):
        practice_position(game(), Practice("s", "endless", kind="two-pair"), 0)
    for wrong in (
        {"seed": ""},
        {"seed": "x" * 201},
        {"seed": "s", "mode": "street"},
        {"seed": "s", "mode": "endless"},
        {"seed": "s", "mode": "endless", "kind": "ace-high", "theme": "21-outs"},
        {"seed": "s", "mode": "leaks", "weak": {"none": 1.0}},
        {"seed": "s", "mode": "none"},
    ):
        with pytest.raises(ValueError, match=r"."):
            Practice(**wrong)


@pytest.mark.usefixtures("counted")
def test_texas_shootout_has_positions() -> None:
    four = game(SHOOTOUT)
    shown = [practice_position(four, Practice("s"), n) for n in range(20)]
    assert {one.position.street for one in shown} == {FOUR_CARDS}
    assert shown == [practice_position(four, Practice("s"), n) for n in range(20)]
    for one in shown:
        link = link_of(four, one)
        assert linked_position(four, read_link(link)) == one.position
    theme = practice_position(four, Practice("s", "endless", theme="split-offered"), 0)
    assert any(name.startswith("split") for name in theme.position.values)


# Missed positions.


def test_a_missed_position_returns_until_it_is_known() -> None:
    shown = practice_position(game(), Practice("s"), 0)
    link = link_of(game(), shown)
    assert after_answer({}, link, right=True, now=NOW) == {}
    misses = after_answer({}, link, right=False, now=NOW)
    assert due_misses(misses, NOW) == []
    now, gaps = NOW, []
    for _ in range(20):
        if link not in misses:
            break
        assert due_misses(misses, misses[link].due) == [link]
        before, now = now, misses[link].due
        gaps.append((np.datetime64(now[:19]) - np.datetime64(before[:19])).astype(int))
        misses = after_answer(misses, link, right=True, now=now)
    assert misses == {}
    assert gaps == sorted(gaps)
    assert gaps[-1] < KNOWN_DAYS * 86_400


def test_due_positions_are_asked_again() -> None:
    shown = practice_position(game(), Practice("s"), 0)
    link = link_of(game(), shown)
    origins = Counter(practice_position(game(), Practice("t"), n, [link]).origin for n in range(2 * NUMBER))
    assert 0.18 < origins["repeated"] / origins.total() < 0.42
    numbers = (
        n for n in range(100) if practice_position(game(), Practice("t"), n, [link]).origin == "repeated"
    )
    again = practice_position(game(), Practice("t"), next(numbers), [link])
    assert again.position == shown.position
    assert again.badge == "chosen, not dealt"
    other = practice_position(game("uth-sd"), Practice("t"), 0, [link])
    assert other.origin != "repeated"


def test_missed_positions_are_bounded() -> None:
    rng = Random(5)
    misses: dict[str, Miss] = {}
    for _ in range(MOST_MISSES + 5):
        hole = rng.sample(DECK, 7)
        misses = after_answer(misses, write_link(game(), hole[:2], hole[2:]), right=False, now=NOW)
    assert len(misses) == MOST_MISSES


# Links and the daily position.


def test_a_link_reads_as_its_position() -> None:
    rng = Random(6)
    for _ in range(NUMBER):
        dealt = rng.sample(DECK, 7)
        board = dealt[2 : 2 + rng.choice((0, 3, 5))]
        link = read_link(write_link(game(), dealt[:2], board))
        assert (link.hole, link.board) == (tuple(dealt[:2]), tuple(board))
        assert linked_position(game(), link) == position(game(), dealt[:2], board)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not complete"),
        ("uth-ma~fe0a9efef334", "not complete"),
        ("uth-ma~fe0a9efef334~Qd7c~", "not complete"),
        ("uth-ma~fe0a9efef334~Qd7c~As", "not complete"),
        ("uth-ma~fe0a9efef334~Qd7c\n", "not complete"),
        ("uth-ma~fe0a9efef33~Qd7c", "not complete"),
        ("../x~fe0a9efef334~Qd7c", "not complete"),
        ("uth-ma~fe0a9efef334~Qd7x", "not complete"),
        ("u" * 65 + "~fe0a9efef334~Qd7c", "not complete"),
        ("uth-ma~fe0a9efef334~Qd7c" * 1000, "not complete"),
        ("uth-ma~fe0a9efef334~QdQd", "Qd twice"),
        ("uth-ma~fe0a9efef334~Qd7c~7c8c9c", "7c twice"),
        ("uth-ma~fe0a9efef334~Qd7cAsAs~7c8c9c", "no board"),
    ],
)
def test_a_wrong_link_is_rejected(text: str, why: str) -> None:
    with pytest.raises(LinkError, match=why):
        read_link(text)


def test_a_link_to_other_rules_is_rejected() -> None:
    link = read_link("uth-ma~" + "0" * 12 + "~Qd7c")
    with pytest.raises(LinkError, match="the rules of uth-ma have changed"):
        linked_position(game(), link)
    four = read_link(write_link(game(), cards("As Ad Ah Ac"), ()))
    with pytest.raises(LinkError, match="another game"):
        linked_position(game(), four)


def test_the_daily_position_is_the_same_for_everyone_in_the_house() -> None:
    days = [f"2026-11-{day:02}" for day in range(1, 29)]
    shown = [daily_position(game(), day, "The house") for day in days]
    assert shown == [daily_position(game(), day, "The house") for day in days]
    assert len({link_of(game(), one) for one in shown}) > 25
    assert daily_position(game(), days[0], "Another house") != shown[0]
    assert all(one.badge == "chosen, not dealt" and one.position.lead >= CLOSE for one in shown)
    for date in ("", "2026-13-01", "2026-1-1", "2026-11-18T00", "2026-11-18\n", "٢026-11-18"):
        with pytest.raises(ValueError, match="the date must be like"):
            daily_position(game(), date, "The house")
    with pytest.raises(ValueError, match="the house's name"):
        daily_position(game(), days[0], "")
