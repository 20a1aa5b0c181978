"""The coach and the review in the terminal: values of `houseway odds`, the verdict before the outcome, the house edge."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from discovered import ULTIMATE
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.exact import odds
from houseway.play.app import TableApp
from houseway.play.coach import NO_DECISION, NO_REVIEW, When
from houseway.play.decision import CardSelection
from houseway.play.plain_screen import play
from houseway.play.screens import PaperScreen
from houseway.rules.loader import load
from play.tables import BOOKS, SMALL, game, on_screen, open_seeded, press, screen_text

EDGE = "The house has the edge, even against perfect play"
ROUND = ("bet ante 10", "", "check", "check", "fold")
"""Seed 7 deals 7h 4d, and a flush on the river: the fold is a large mistake."""


def coached(*lines: str, when: When | None = None, json: bool = False, rulebook: str = "uth-ma") -> str:
    out = io.StringIO()
    typed = io.StringIO("\n".join(lines) + "\n")
    assert play(open_seeded(rulebook), typed, out, json=json, coach=when) == 0
    return out.getvalue()


def value(choice: str, board: str = "") -> str:
    exact = odds(game("uth-ma").table.terms, cards("7h 4d"), cards(board) if board else ()).values[choice]
    return f"{float(exact):+.4f}".replace("-", "−")


def test_before_the_act_the_coach_gives_the_exact_values() -> None:
    text = coached(*ROUND, "quit", when="before")
    turns = re.findall(r"\nYour turn: (.*)\n(Coach: .*)\n", text)
    assert [turn for turn, _ in turns] == [
        "check; play 3x, $30; play 4x, $40.",
        "check; play 2x, $20.",
        "fold: lose $20; play 1x, $10.",
    ]
    river = "Th 3d Kh 2h 9h"
    assert turns[0][1] == (
        f"Coach: Check {value('check')} antes (best); Play 3× {value('3x')} antes; Play 4× {value('4x')} antes."
    )
    assert (
        turns[2][1]
        == f"Coach: Fold {value('fold', river)} antes; Play 1× {value('1x', river)} antes (best)."
    )


def test_after_the_act_the_verdict_comes_before_the_outcome() -> None:
    text = coached(*ROUND, "quit", when="after")
    verdicts = re.findall(r"\nCoach: (.*)\n", text)
    assert len(verdicts) == 3
    assert verdicts[0].startswith("You chose the best play. ")
    assert verdicts[2].startswith("Cost you 4.1596 antes, $41.60. Your flush, king high, beats 820 of ")
    assert text.index("You fold") < text.index(verdicts[2])
    for outcome in ("The dealer shows", "Your ante of", "Round 1 is over", "shows "):
        assert text.index(verdicts[2]) < text.index(outcome), outcome


def test_without_the_option_no_value_is_shown_unless_asked_for() -> None:
    assert "Coach" not in coached(*ROUND, "quit")
    text = coached("values", "bet ante 10", "", "values", "quit")
    assert NO_DECISION in text
    assert f"Check                     {value('check')}   best\n" in text
    assert f"{EDGE}: 2.1850 % of the ante." in text


def test_the_review_names_every_choice_of_the_last_round() -> None:
    assert NO_REVIEW in coached("review", "bet ante 10", "", "check", "review", "quit")
    text = coached(*ROUND, "review", "quit")
    review = text[text.index("Round 1. The outcome does not count") :]
    for street in ("Before the flop: 7h 4d\n", "After the flop: 7h 4d   board ", "After the river: "):
        assert street in review
    assert review.count("yours") == 3
    assert "Cost you 4.1596 antes, $41.60." in review
    assert f"{EDGE}: 2.1850 % of the ante." in review
    assert "houseway review" in review


def test_the_list_of_results_names_the_house_edge() -> None:
    text = coached(*ROUND, "history", "quit")
    assert text.index("Round 1: board") < text.index(EDGE)


def test_a_json_line_has_the_coach() -> None:
    lines = list(map(json.loads, coached(*ROUND, "quit", when="before", json=True).splitlines()))
    assert [line["kind"] for line in lines].count("coach") == 3


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_the_coach_and_the_key_lines_keep_their_places(rulebook: str) -> None:
    """Check or fold is first, then the plays by size; a fold says what it loses; nobody stands up here."""
    text = coached(*ROUND, "quit", rulebook=rulebook)
    turns = re.findall(r"\nYour turn: (.*)\n", text)
    assert len(turns) >= 3
    for turn in turns:
        first, *plays = turn.rstrip(".").split("; ")
        assert first.startswith(("check", "fold: lose $20"))
        sizes = [int(re.match(r"play (\d)x", one)[1]) for one in plays]  # type: ignore[index]
        assert sizes == sorted(sizes)
        assert "stand" not in turn


@pytest.mark.parametrize("rulebook", BOOKS)
def test_standing_up_is_never_a_choice_of_a_decision(rulebook: str) -> None:
    wager = "wager" if load(rulebook).game == "shootout" else "ante"
    text = coached(f"bet {wager} 10", "", "quit", rulebook=rulebook, json=True)
    decisions = [line for line in map(json.loads, text.splitlines()) if line.get("why") == "decide"]
    assert decisions
    assert not [says for line in decisions for says in line["options"] if "stand" in says]


def test_the_screen_has_the_players_prompt_the_values_and_the_review() -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up up space")
        text = screen_text(app)
        assert "Your turn: check, play 3× or play 4×." in text
        assert "Let the players look at their cards." not in text
        await press(pilot, "v")
        assert isinstance(app.screen, PaperScreen)
        sheet = str(app.screen.query_one("#sheet-text", Static).render())
        assert EDGE in sheet
        assert value("check") in sheet
        await press(pilot, "escape c c")
        assert "Fold: lose $" in screen_text(app)
        await press(pilot, "f")
        await press(pilot, "r")
        assert isinstance(app.screen, PaperScreen)
        assert "Cost you 4.1596 antes" in str(app.screen.query_one("#sheet-text", Static).render())

    on_screen(open_seeded("uth-ma"), drive)


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_screen_shows_the_coach(when: When) -> None:
    async def drive(app: TableApp, pilot: Pilot[int]) -> None:
        await press(pilot, "up up space")
        assert ("Coach: Check" in screen_text(app)) is (when == "before")
        await press(pilot, "c")
        shown = screen_text(app)
        assert ("Coach: You chose the best play." in shown) is (when == "after")

    on_screen(open_seeded("uth-ma"), drive, SMALL, coach=when)


def test_cards_on_a_button_look_like_drawn_cards() -> None:
    selection = CardSelection(game("shootout-sd"))
    keep = Option(c.Keep(seat=1, cards=cards("Ts 5d")), "keep Ts 5d")
    selection._arrangement = lambda key, options: keep if key == "K" else None  # type: ignore[method-assign]
    assert selection.bar_choices([])[0][0] == "Keep 10♠ 5♦"


def test_the_terminal_has_no_sound() -> None:
    folder = Path(__file__).parents[2] / "src" / "houseway" / "play"
    for file in folder.glob("*.py"):
        assert not re.search(r"\.bell\(|\\a|\\x07", file.read_text(encoding="utf-8")), file
