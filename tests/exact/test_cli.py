"""The output of `houseway solve` and `houseway odds`: keys, exact counts and exit codes."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from houseway.cli.app import main


def run_json(capsys: pytest.CaptureFixture[str], *tokens: str) -> dict[str, Any]:
    assert main([*tokens, "--json"]) == 0
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output


def exactly(value: dict[str, Any]) -> Fraction:
    return Fraction(int(value["num"]), int(value["den"]))


def test_solve_prints_the_published_game(capsys: pytest.CaptureFixture[str]) -> None:
    output = run_json(capsys, "solve", "uth-ma", "--strategy", "practical")
    assert output["deals"] == "27813810024000"
    assert exactly(output["game"]["ev"]) == Fraction(-50_643_648_973, 2_317_817_502_000)
    assert output["game"]["sd"] == pytest.approx(4.939298891, abs=5e-10)
    assert sum(int(count) for count in output["game"]["actions"].values()) == 27_813_810_024_000
    assert sum(int(row["count"]) for row in output["game"]["outcomes"]) == 27_813_810_024_000
    assert len(output["starting_hands"]) == 169
    assert sum(hand["combos"] for hand in output["starting_hands"]) == 1326
    assert sum(hand["combos"] for hand in output["starting_hands"] if hand["best"] == "4x") == 500
    assert f"{output['wagers']['trips']['B']['edge']:.8f}" == "0.01904049"
    assert output["strategy"]["cost"] > 0
    assert {"seconds", "seconds_outcomes", "hash", "rulebook"} <= set(output)


def test_a_changed_payment_changes_the_value_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    output = run_json(capsys, "solve", "uth-ma", "--set", "blind.straight=push")
    assert exactly(output["game"]["ev"]) < Fraction(-5, 100)


def test_only_the_requested_parts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*parts: str) -> list[str]:
        assert main(["solve", "uth-card", *parts]) == 0
        return capsys.readouterr().out.splitlines()

    edge = [line.split("  ")[1].strip() for line in printed("--only", "edge")]
    assert edge == ["value", "house edge", "element of risk"]
    hands = printed("--only", "hands")
    assert (hands[0].strip(), len(hands)) == (
        "best choice before the flop (· = check; suited hands above the diagonal)",
        14,
    )
    both = printed("--only", "outcomes, choices,spread")
    assert [line.split()[0] for line in both[:3]] == ["average", "standard", "choices"]
    counts = {net: int(deals.replace(",", "")) for net, deals, *_ in map(str.split, both[6:])}
    assert sum(counts.values()) == 27_813_810_024_000
    # The net result is 0 only if ante, blind and play all push, which happens exactly on ties.
    assert counts["0"] == 895_070_709_736
    every = printed()
    assert every[0].endswith("main game, best play")
    assert every[-1].startswith("rulebook ")
    assert all(line in every for line in hands)


def test_only_the_requested_parts_are_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    made_from = {"rulebook", "hash", "deals", "seconds", "seconds_outcomes"}
    edge = run_json(capsys, "solve", "uth-card", "--only", "edge,sides")
    assert set(edge) == made_from | {"game", "wagers"}
    assert set(edge["game"]) == {"ev", "edge", "edge_per_initial_bet", "element_of_risk"}
    assert set(edge["wagers"]) == {"trips"}
    hands = run_json(capsys, "solve", "uth-card", "--only", "hands")
    assert set(hands) == made_from | {"starting_hands"}
    bets = run_json(capsys, "solve", "uth-card", "--only", "bets,outcomes", "--bets", "ante=10")
    assert set(bets) == made_from | {"game", "whole_bet"}
    assert set(bets["game"]) == {"outcomes"}


def test_odds_prints_the_published_rivers(capsys: pytest.CaptureFixture[str]) -> None:
    board = "4s 5h 6d 8c 9d"
    output = run_json(capsys, "odds", "uth-ma", "Kd Qh", board)
    values = {row["action"]: exactly(row["ev"]) for row in output["actions"]}
    assert values["fold"] == -2
    assert f"{float(values['1x']):.6f}" == "-2.172727"
    assert output["best"] == "fold"
    assert run_json(capsys, "odds", "uth-ma", "Ad Jh", board)["best"] == "1x"


def test_odds_prints_the_cost_of_the_other_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "uth-ma", "Kd Qh", "4s 5h 6d 8c 9d"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["fold  -2.000000 antes   best", "1x    -2.172727 antes   costs you 0.172727 antes"]


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["odds", "uth-ma", "Kd"], "a hand must have two cards"),
        (["odds", "uth-ma", "Kd Qh", "4s 5h"], "give 0, 3 or 5 board cards (got 2)"),
        (["odds", "uth-ma", "Kd Kd"], "only once (repeated: Kd)"),
        (["odds", "uth-ma", "K2s"], "is not a card"),
        (["solve", "uth-ma", "--strategy", "practicl"], "did you mean 'practical'?"),
        (["solve", "uth-ma", "--set", "blind.strait=push"], "did you mean 'straight'?"),
        (
            ["solve", "uth-ma", "--only", "edges"],
            "--only edges: unknown part 'edges'; did you mean 'edge'?",
        ),
        (
            ["solve", "uth-ma", "--only", "?"],
            "use one of bets, choices, edge, hands, outcomes, sides, spread, strategy",
        ),
        (["solve", "uth-ma", "--only", "strategy"], "--only strategy needs --strategy as well"),
        (["solve", "uth-ma", "--only", "bets"], "--only bets needs --bets as well"),
        (["solve", "shootout-sd", "--only", "edge"], "--only are for Ultimate Texas Hold'em"),
        (
            ["solve", "uth-ma", "--see", "dealer:1", "--only", "edge"],
            "--see does not work with --strategy, --bets or --only; leave them out",
        ),
        (["solve", "uth-xx"], "there is no rulebook or file 'uth-xx'"),
    ],
)
def test_bad_input_is_reported(
    capsys: pytest.CaptureFixture[str], tokens: list[str], sentence: str
) -> None:
    assert main(tokens) == 2
    assert sentence in capsys.readouterr().err


def test_odds_prints_the_choices_of_four_shootout_cards(capsys: pytest.CaptureFixture[str]) -> None:
    # With two pairs of equal cards, only three different hands have to be counted.
    output = run_json(capsys, "odds", "shootout-sd", "As As Kh Kh")
    assert output["best"] == "split As As / Kh Kh"
    values = {row["action"]: exactly(row["ev"]) for row in output["actions"]}
    # A split plays both hands, so its value is the sum of their values.
    assert values["split As As / Kh Kh"] == values["keep As As"] + values["keep Kh Kh"]
