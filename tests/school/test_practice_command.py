"""`houseway practice`: a session by keyboard alone, the exam, the daily position, links, JSON and the progress file."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.rules.loader import load
from houseway.school.game_values import game_values
from houseway.school.position_links import HASH_LETTERS
from houseway.school.practice_positions import Practice, practice_position
from houseway.school.practice_progress import (
    FORMAT,
    MOST_NOTES,
    PracticeFileError,
    PracticeProgress,
    RepeatRequest,
    after_notes,
    note_of,
    read_notes,
    write_notes,
)
from houseway.school.rating import LEAST_DECISIONS, exam_positions

HASH = load("uth-ma").hash[:HASH_LETTERS]
LINK = f"uth-ma~{HASH}~9d7c~6h4hQsAd4c"
AT = "2026-11-18T12:00:00+00:00"


def run(monkeypatch: pytest.MonkeyPatch, lines: list[str], *tokens: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["practice", *tokens])


def test_a_session_shows_values_only_after_the_answer_and_ends_with_a_score_sheet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = game_values(load("uth-ma"))
    shown = [practice_position(game, Practice("x"), n).position for n in range(4)]
    keys = [one.decision.choices[-1].removesuffix("x") for one in shown]
    lines = ["s", "dance", keys[0], keys[1], keys[2].upper(), keys[3]]
    assert run(monkeypatch, lines, "uth-ma", "--seed", "x", "--count", "4") == 0
    out = capsys.readouterr().out
    assert re.search(r"'dance' is not a choice; type [cf](, 3)? or \d\n", out)
    right = sum(one.best == one.decision.choices[-1] for one in shown)
    assert f"{right} of 4 right." in out
    assert "The house has the edge, even against perfect play: 2.1850 % of the ante." in out
    assert re.search(rf"Not enough decisions yet: \d of {LEAST_DECISIONS}", out)
    # No value stands between a position and its answer.
    asked = re.split(r"^Position \d of 4\. ", out, flags=re.M)[1:]
    assert len(asked) == 5, "s repeats the position"
    assert not any(re.search(r"\d\.\d{4}|best", one.split("> ")[0]) for one in asked)
    for one, spot in zip(asked[1:], shown, strict=True):
        best = next(line for line in one.splitlines() if re.search(r"   best", line))
        assert f"{float(spot.values[spot.best]):.4f}".replace("-", "−") in best


def test_an_exam_grades_at_the_end_and_missed_positions_return(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game, file = game_values(load("uth-ma")), tmp_path / "progress.json"
    positions = exam_positions(game, "e")
    worst = [min(one.position.values, key=lambda name: one.position.values[name]) for one in positions]
    lines = [name[0] for name in worst]
    options = ("uth-ma", "--progress", str(file))
    assert run(monkeypatch, lines, *options, "--exam", "--seed", "e") == 0
    out = capsys.readouterr().out
    before, _, sheet = out.partition("Mistakes, costliest first:")
    assert "Cost you" not in before
    assert "best" not in before
    graded = sum(not one.position.close for one in positions)
    assert len(re.findall(r"^ +\d+\. 0?\d*\.\d{4}", sheet, re.M)) == graded
    notes = read_notes(file.read_bytes())
    assert len(notes) == len(positions)
    assert len(after_notes(PracticeProgress(), notes).misses) == graded
    # Weak kinds come from the file.
    assert run(monkeypatch, ["q"], *options, "--leaks") == 0
    assert "You answered no positions." in capsys.readouterr().out


def test_single_positions_and_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "progress.json"
    assert run(monkeypatch, ["1"], "--position", LINK, "--progress", str(file)) == 0
    out = capsys.readouterr().out
    assert "Cost you 0.1000 antes, $1.00." in out
    assert "23 of the 45 unseen cards beat you." in out
    progress = after_notes(PracticeProgress(), read_notes(file.read_bytes()))
    assert [rating.decisions for rating in progress.ratings()] == [0, 0, 0], "others may have discussed it"
    assert list(progress.misses) == [LINK]
    assert run(monkeypatch, [], "--daily", "--json") == 0
    (daily,) = json.loads(capsys.readouterr().out)
    assert run(monkeypatch, [], "--position", daily["link"], "--json") == 0
    (same,) = json.loads(capsys.readouterr().out)
    assert (same["choices"], same["best"]) == (daily["choices"], daily["best"])
    assert run(monkeypatch, [], "--theme", "kicker-fight", "--seed", "k", "--count", "2", "--json") == 0
    assert all("kicker-fight" in one["themes"] for one in json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--count", "0"], "--count must be from 1 to 1000 (got 0)"),
        (["--exam", "--street", "flop"], "--street and --exam cannot be used together; choose one"),
        (
            ["--kind", "flop-hiden-pair"],
            "there is no kind 'flop-hiden-pair'; did you mean 'flop-hidden-pair'?",
        ),
        (["--theme", "split-best"], "uth-ma has no graded position of 'split-best'"),
        (["--position", "nothing"], "--position: this link is not complete; copy the whole link"),
        (["--position", LINK.replace(HASH, HASH[::-1])], "--position: the rules of uth-ma have changed"),
        (["--leaks"], "--leaks needs --progress FILE"),
        (["--progress", "nowhere/x.json"], "there is no folder"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, ["c"], *options) == 2
    assert says in capsys.readouterr().err


# --- the progress file ---


def test_a_progress_file_is_read_back_and_bounded() -> None:
    game = game_values(load("uth-ma"))
    shown = practice_position(game, Practice("file"), 0)
    worst = min(shown.position.values, key=lambda name: shown.position.values[name])
    answer = note_of(shown, shown.position.answer(worst), LINK, AT)
    notes = (answer, RepeatRequest(link=LINK, at=AT))
    assert read_notes(write_notes(notes)) == notes
    assert len(read_notes(write_notes(notes * MOST_NOTES))) == MOST_NOTES
    progress = after_notes(PracticeProgress(), notes)
    assert progress.weak_kinds() == {shown.kind.name: answer.loss}
    assert list(progress.misses) == [LINK]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "it is not a progress file"),
        (b'{"format": %d}' % (FORMAT + 1), "upgrade houseway"),
        (b'{"format": 1, "notes": [{"type": "dance"}]}', "it is damaged"),
        (b'{"format": 1, "notes": [{"type": "repeat", "link": "x", "at": "y"}]}', "it is damaged"),
        (
            f'{{"format": 1, "notes": [{{"type": "repeat", "link": "{LINK}", "at": "y"}}]}}'.encode(),
            "is not a time",
        ),
    ],
)
def test_a_damaged_progress_file_is_refused_and_left_unchanged(
    data: bytes,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    with pytest.raises(PracticeFileError, match=says):
        read_notes(data)
    file = tmp_path / "progress.json"
    file.write_bytes(data)
    assert run(monkeypatch, ["c"], "--progress", str(file)) == 2
    assert says in capsys.readouterr().err
    assert file.read_bytes() == data
