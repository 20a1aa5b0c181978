"""Every payout is right: the engine and the second settler agree on every line and clause.

Random rounds for each rulebook, chosen so that every line of every pay table occurs at least ten times in
10,000 rounds; mistakes planted in the rulebooks are noticed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import twins
from discovered import ULTIMATE, with_second_settler
from houseway import second_settler
from houseway.engine.settle_json import Window
from houseway.money import Flat, Odds, Share
from houseway.rules import loader
from houseway.rules.loader import load
from samples import MARGIN, sample

ROUNDS = 10_000
PARTS = sample("payouts") // ROUNDS


def paying_lines(rulebook: str) -> set[tuple[str, str, str]]:
    """Every line of every pay table a rulebook prints: wager, clause, payment."""
    book = load(rulebook)
    lines = set()
    for wager in book.wagers.values():
        for row in wager.pays:
            if row.table is None:
                continue
            for table in book.tables[row.table.partition(".")[0]].values():
                basis = table.basis if not table.basis.filled else row.basis
                for line in table.rows:
                    clause = (line.basis if line.basis.clauses else basis).deciding[0]
                    if isinstance(line.pays, (Odds, Share)):
                        lines.add((wager.name, clause, str(line.pays)))
                    elif isinstance(line.pays, Flat):
                        lines.add((wager.name, clause, "win"))
    return lines


@pytest.mark.parametrize("number", range(PARTS))
@pytest.mark.parametrize("rulebook", with_second_settler())
def test_the_two_settlers_agree(rulebook: str, number: int) -> None:
    different, hits = twins.differences(rulebook, ROUNDS, f"{rulebook} {number}")
    assert different[:3] == []
    rare = {line: hits[line] for line in paying_lines(rulebook) if hits[line] < MARGIN}
    assert rare == {}


PLANTED = [
    ("uth-ma", {"tables": {"blind": {"blind": {"rows": {"flush": "3 to 1"}}}}}),
    ("uth-ma", {"tables": {"cover_all": {"5": {"rows": {"straight flush": "70 to 1"}}}}}),
    ("uth-sd", {"tables": {"trips": {"UTH-02": {"rows": {"full house": "9 to 1"}}}}}),
    ("uth-ma", {"wager": {"progressive": {"kept": {"value": False}}}}),
    ("uth-card", {"options": {"qualifier": {"value": "two pair"}}}),
    ("shootout-sd", {"wager": {"envy": {"least": {"value": "6"}}}}),
    ("shootout-sd", {"tables": {"bonus": {"A": {"rows": {"five of a kind": "40 to 1"}}}}}),
]
"""One wrong figure each, somewhere in a rulebook."""


@pytest.mark.parametrize(("rulebook", "change"), PLANTED, ids=[f"{b} {json.dumps(c)}" for b, c in PLANTED])
def test_a_planted_mistake_is_noticed(
    rulebook: str, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = loader.resolve

    def mistaken(ref: str, *args: Any) -> tuple[dict[str, Any], Any]:
        raw, folder = resolve(ref, *args)
        return loader._merged(raw, change), folder

    monkeypatch.setattr(loader, "resolve", mistaken)
    load.cache_clear()
    try:
        disagreements, _ = twins.differences(rulebook, 4_000, "planted", enough=MARGIN)
    finally:
        monkeypatch.undo()
        load.cache_clear()
    assert len(disagreements) == MARGIN


BAD = [
    ("play of five", {"seats": [{"play": 5}]}),
    ("a card twice", {"dealer": "As Ah"}),
    ("unequal blind", {"seats": [{"blind": "5"}]}),
    ("no play", {"seats": [{"play": None}]}),
    ("three hole cards", {"seats": [{"hole": "2c 2d 2h"}]}),
    ("half a cent", {"seats": [{"ante": "5.001"}]}),
    ("four on the board", {"board": "As Ks Qd Jc"}),
    ("an unknown table", {"tables": {"trips": "Z"}}),
    ("an unknown setting", {"house": {"luck": True}}),
    ("a bad mode", {"mode": "by post"}),
    ("seat nine", {"seats": [{"seat": 9}]}),
    ("trips alone", {"seats": [{"ante": None, "play": None, "trips": "5"}]}),
    ("nothing wagered", {"seats": [{"ante": None, "play": None}]}),
    ("cover all", {"seats": [{"cover_all": "5"}]}),
    ("progressive of two dollars", {"seats": [{"progressive": "2"}]}),
    ("a tip", {"seats": [{"tips": {"ante": "1"}}]}),
    ("a tip play too large", {"seats": [{"tips": {"ante": "1", "play": "9"}}]}),
    ("above the limit", {"limits": {"ante": {"min": "20", "max": "50"}}}),
    ("a coupon", {"seats": [{"match_play": "5"}]}),
    ("six hundred dollars", {"seats": [{"ante": "600"}]}),
]
"""Changes to a plain round, most of which most rulebooks refuse."""


@pytest.mark.parametrize("rulebook", with_second_settler(ULTIMATE))
@pytest.mark.parametrize(("name", "change"), BAD, ids=[n for n, _ in BAD])
def test_the_two_settlers_refuse_the_same_rounds(rulebook: str, name: str, change: dict[str, Any]) -> None:
    seat: dict[str, Any] = {"seat": 1, "hole": "7c 7d", "ante": "10", "play": 4}
    seat |= change.get("seats", [{}])[0]
    data = {"rulebook": rulebook, "board": "As Ks Qd Jc Th", "dealer": "3c 3d", **change}
    data["seats"] = [{k: v for k, v in seat.items() if v is not None}]
    assert twins.compare(Window(), data)[0] is None


def test_the_second_settler_does_not_import_houseway() -> None:
    folder = Path(second_settler.__file__).parent
    texts = [file.read_text(encoding="utf-8") for file in folder.glob("*.py")]
    assert texts
    assert not [text for text in texts if "houseway" in text]
