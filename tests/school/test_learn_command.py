"""`houseway learn`: the lesson in the terminal, with piped input and with Enter at a terminal."""

from __future__ import annotations

import io
import json

import pytest

from houseway.cli.app import main


class Keyboard(io.StringIO):
    """Typed lines that come from a terminal."""

    def isatty(self) -> bool:
        return True


def run(monkeypatch: pytest.MonkeyPatch, typed: str, *tokens: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["learn", *tokens])


def test_piped_choices_play_the_three_rounds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "b\n4\nb\nC\n2\nB\ncheck\nc\nf\n") == 0
    out = capsys.readouterr().out
    assert "  F  Fold: lose $20.00" in out
    assert "Your cards: As 8h, board: Ad 9c 4h 7s 2d, dealer: Qh 9s." in out
    assert "  Blind $0.00: A winning pair pushes [MA-9.h.2-b]" in out
    assert "  Ante $0.00: The dealer does not qualify [MA-9.g-b]" in out
    assert "   1  Royal flush     As Ks Qs Js Ts" in out
    # 4× in the first round, 2× in the second, a fold in the third.
    rounds = [line for line in out.splitlines() if line.startswith("The round: ")]
    assert rounds == ["The round: +$50.00.", "The round: +$30.00.", "The round: −$20.00."]
    assert "houseway play" in out.splitlines()[-1]


def test_a_wrong_key_is_named_and_q_ends_the_lesson(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "b\nraise\nq\n") == 0
    out = capsys.readouterr().out
    assert "'raise' is not a choice; type c, 3 or 4" in out
    assert "The flop" not in out


def test_the_end_of_the_input_ends_the_lesson(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "b\n") == 0
    assert capsys.readouterr().out.endswith("> \n")


def test_at_a_terminal_enter_continues_and_q_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard("\nb\n\n4\n\nq\n"))
    assert main(["learn"]) == 0
    out = capsys.readouterr().out
    assert "Press Enter to continue." in out
    assert "The turn and the river" in out
    assert "The dealer qualifies" not in out


def test_json_prints_the_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--json"]) == 0
    lesson = json.loads(capsys.readouterr().out)
    assert lesson["lesson"]["rulebook"] == "uth-ma"
    assert [one["name"] for one in lesson["round"]] == ["A pair of aces", "A straight", "A hand to fold"]


def test_an_unknown_lesson_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "poker"]) == 2
    assert "there is no lesson 'poker'" in capsys.readouterr().err
