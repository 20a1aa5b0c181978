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
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.live import LiveTable
from houseway.play.plain_screen import play
from play.tables import open_seeded
from table_driver import table

SET = "2 cards for the dealer's hand, or press Enter if it follows the house way"
ROUNDS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[str], int]] = {
    "a fold without trips is never seen": (
        {"rulebook": "uth-sd", "mode": "manual", "bots": 1},
        ("bet ante 10", "seat 2", "bet ante 10 trips 5", "deal", "check", "check", "2c 3c 9d", "check", "check",
         "Kd 7h", "fold", "fold", "7c 7d", "Kc 8d"),
        ["3 cards for the board", "2 cards for the board", "2 cards for seat 2", "2 cards for the dealer"],
        0,
    ),
    "a fold with trips is read at the fold": (
        {"rulebook": "uth-proc", "bots": 0},
        ("bet ante 10 trips 5", "deal", "check", "2c 3c 9d", "check", "Kd 7h", "fold", "7c 7d", "Kc 8d"),
        ["3 cards for the board", "2 cards for the board", "2 cards for seat 1", "2 cards for the dealer"],
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
    """Follow a round; return what was printed, and the table."""
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
