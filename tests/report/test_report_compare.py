"""Two rulebooks side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.rules.compare import compare, parameters
from houseway.rules.loader import all_clauses, load, rulebook_ids

KNOWN = {
    "decks": ("1", "SD-1-b", "1 or 2", "MA-2.a-a"),
    "burns": ("manual 1, device 1", "SD-8-a", "manual 1, device 0", "MA-7.f.2-a / MA-9.b"),
    "entry": ("ante and blind, or trips", "SD-2-a", "ante and blind", "MA-1.ante-b"),
    "trips.alone": ("allowed", "SD-2-a, SD-2-b, SD-2-c", "not allowed", "MA-6.c-a"),
    "tips": ("ante, blind, trips, play", "SD-3-a", "none", "silent"),
    "odds_wording": ('"to" or "for", as in three to one or four for one', "SD-18-UTHP01-c", '"to" or "win", never "for"', "MA-10.a"),
    "progressive.beside": ("ante or trips", "SD-2-f", "ante", "MA-13.b"),
    "exposed_card": (
        "the card is turned back, and play continues", "SD-5-b",
        "if it is the dealer's and not all players have acted: all hands void, but trips is settled", "MA-14.a-a",
    ),
    "wrong_number_player": ("misdeal", "SD-5-a", "that hand is void", "MA-14.d-a"),
    "steps.lock": ("locked before the deal", "SD-4-b", "not locked", "silent"),
    "steps.collect progressive": ("before the deal", "SD-4-d", "when settled", "MA-13.c"),
    "steps.keyed": ("yes", "SD-18.a.iii-a", "no", "silent"),
    "steps.reset": ("yes", "SD-18.a.vii", "no", "silent"),
}  # fmt: skip
"""Differences listed in the comparison of the documents, with both clauses."""


@pytest.mark.parametrize("ref", rulebook_ids())
def test_a_rulebook_does_not_differ_from_itself(ref: str) -> None:
    assert not [difference for difference in compare(load(ref), load(ref)) if difference.differs]


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_difference_between_two_states_is_listed(name: str) -> None:
    difference = {d.name: d for d in compare(load("uth-sd"), load("uth-ma"))}[name]
    assert difference.differs
    assert difference.a is not None
    assert difference.b is not None
    assert (difference.a.value, difference.a.clause, difference.b.value, difference.b.clause) == KNOWN[name]


def test_a_rule_taken_from_massachusetts_is_not_a_difference() -> None:
    """The rules against spoken wagers and on players who stand up are the same in both."""
    differences = {d.name: d for d in compare(load("uth-sd"), load("uth-ma"))}
    assert not differences["form_of_wagers"].differs
    assert not differences["seated"].differs


def test_a_sixth_community_card_is_compared() -> None:
    void = "every hand is void and wagers are returned"
    for other, clause in (
        ("uth-card", "silent"),
        ("uth-ma", "silent"),
        ("shootout-sd", "SD-5-a (borrowed)"),
    ):
        board = {d.name: d for d in compare(load("uth-sd"), load(other))}["irregular.board"]
        assert board.a is not None
        assert (board.a.value, board.a.clause) == (void, "silent")
        assert board.b is not None
        assert (board.b.value, board.b.clause) == (void, clause)


def test_a_board_with_too_few_cards_is_completed_in_every_ultimate_rulebook() -> None:
    for other in ("uth-ma", "uth-card", "uth-proc"):
        short = {d.name: d for d in compare(load("uth-sd"), load(other))}["irregular.short board"]
        assert not short.differs
        for side in (short.a, short.b):
            assert side is not None
            assert side.value == "the missing cards are dealt, and play continues"
            assert side.clause == "silent"


def test_a_rule_missing_in_one_state_is_a_difference() -> None:
    differences = {d.name: d for d in compare(load("uth-sd"), load("uth-ma"))}
    caps, cover, limit = differences["caps"], differences["tables.cover_all"], differences["bet_limit"]
    assert caps.a is None
    assert caps.b is not None
    assert caps.b.clause == "MA-10.e, MA-13.d"
    assert cover.a is None
    assert limit.b is None
    assert limit.a is not None
    assert limit.a.value == "$1,000 at risk per customer"


def test_the_same_value_under_another_clause_is_not_a_difference() -> None:
    difference = {d.name: d for d in compare(load("uth-sd"), load("uth-ma"))}["qualifier"]
    assert difference.a is not None
    assert difference.b is not None
    assert difference.a.clause != difference.b.clause
    assert not difference.differs


def test_four_rulebooks_share_these_values() -> None:
    agreed = {
        "play.0": "3x or 4x",
        "play.3": "2x",
        "play.5": "1x",
        "fold": "after the river",
        "fold_loses": "ante and blind: lose",
        "unqualified": "ante: push",
        "ties": "ante, blind and play: push",
        "tables.blind": "royal flush to straight: 500, 50, 10, 3, 3:2, 1",
        "blind.low": "push below a straight",
    }
    for ref in ("uth-sd", "uth-card", "uth-proc", "uth-ma"):
        values = {p.name: p.stated.value for p in parameters(load(ref))}
        assert {name: values[name] for name in agreed} == agreed, ref


def test_parameters_are_listed_in_the_order_of_the_comparison() -> None:
    order = [
        "designated_table", "burns", "minimum_bet", "entry", "trips.alone", "tips", "play.0", "fold",
        "folded_trips", "qualifier", "order", "direction", "tables.blind", "tables.trips", "ties", "caps",
        "odds_wording", "postings", "tables.progressive", "tables.envy", "tables.cover_all", "seats",
        "exposed_card", "excluded",
    ]  # fmt: skip
    names = [d.name for d in compare(load("uth-sd"), load("uth-ma"))]
    assert [name for name in names if name in order] == order


@pytest.mark.parametrize("ref", rulebook_ids())
def test_every_parameter_is_named_once_and_cites_clauses_that_exist(ref: str) -> None:
    listed = parameters(load(ref))
    assert len({p.name for p in listed}) == len(listed)
    for parameter in listed:
        assert parameter.stated.value
        assert set(parameter.stated.clauses) <= set(all_clauses()), parameter.name


def test_a_house_file_differs_only_in_its_changes(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[rulebook]\nid = "mine"\ntitle = "My house"\nextends = "uth-ma"\n'
        '[tables.trips.A]\nrows = { "royal flush" = "60 to 1", "straight flush" = "40 to 1",'
        ' "four of a kind" = "30 to 1", "full house" = "9 to 1", "flush" = "7 to 1",'
        ' "straight" = "4 to 1", "three of a kind" = "3 to 1" }\n'
    )
    changed = [d for d in compare(load("uth-ma"), load(str(file))) if d.differs]
    assert [d.name for d in changed] == ["tables.trips"]
    assert changed[0].b is not None
    assert "A: 60, 40, 30, 9, 7, 4, 3" in changed[0].b.parts
    assert main(["diff", "uth-ma", str(file)]) == 0


def test_two_games_are_compared_in_their_common_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "shootout-sd", "uth-sd"]) == 0
    text = capsys.readouterr().out
    shared, _, apart = text.partition("Only in shootout-sd")
    assert "Ties" in shared
    assert "Split" in apart
    assert "Only in uth-sd" in apart
    assert "Play before the flop" in apart.partition("Only in uth-sd")[2]
