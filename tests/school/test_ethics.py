"""The school grades the choice before the outcome, rewards nothing else, states the house edge, and makes no sound."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

import houseway
from houseway.cli.app import main
from houseway.cli.practice_output import answer_lines
from houseway.rules.loader import load
from houseway.school.game_values import game_values
from houseway.school.practice_positions import Practice, link_of, practice_position
from houseway.school.practice_progress import PracticeProgress, after_notes, note_of

SOURCE = Path(houseway.__file__).parent
EDGE = "The house has the edge, even against perfect play"
HANDS = """rulebook,hole,board,dealer,play,ante
uth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x,10
uth-ma,Kd 4c,Qs Ts 7d 4h 2c,Ac 9d,4x,10
"""
FOR_PLAYERS = ("school", "play", "server/web/rooms/school", "server/web/rooms/table")
REWARDS = re.compile(
    r"streak|reward|trophy|trophies|achievement|jackpot!|bonus points|level up|days in a row|confetti", re.I
)
SOUNDS = re.compile(
    r"\bnew Audio\b|AudioContext|<audio|\.bell\(|\\a\"|\\x07|navigator\.vibrate|Oscillator|\.(mp3|ogg|wav)\b"
)


def sources(*folders: str) -> list[Path]:
    suffixes = {".py", ".js", ".html", ".css", ".txt", ".tcss"}
    found = [file for folder in folders for file in (SOURCE / folder).rglob("*") if file.suffix in suffixes]
    assert found
    return found


def run_practice(monkeypatch: pytest.MonkeyPatch, *options: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("c\nf\n1\n2\n3\n4\n" * 20))
    return main(["practice", "uth-ma", *options])


@pytest.mark.parametrize("options", [(), ("--round", "1"), ("--round", "2")])
def test_a_review_states_the_house_edge(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.csv"
    file.write_text(HANDS)
    assert main(["review", str(file), *options]) == 0
    assert f"{EDGE}: 2.1850 % of the ante." in capsys.readouterr().out


def test_a_review_grades_every_choice_before_it_shows_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.csv"
    file.write_text(HANDS)
    assert main(["review", str(file), "--round", "1"]) == 0
    out = capsys.readouterr().out
    outcome = out.index("The outcome: dealer Qd Ts")
    assert "Qd" not in out[:outcome]
    verdicts = [match.start() for match in re.finditer(r"Cost you|You chose|Close call", out)]
    assert len(verdicts) == 3
    assert max(verdicts) < outcome


@pytest.mark.parametrize("options", [("--count", "2"), ("--daily",), ("--exam", "--seed", "e")])
def test_every_form_of_practice_ends_with_the_house_edge(
    options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_practice(monkeypatch, *options)
    assert capsys.readouterr().out.rstrip().endswith(f"{EDGE}: 2.1850 % of the ante.")


def test_the_page_states_the_house_edge_wherever_it_shows_results() -> None:
    rooms = SOURCE / "server" / "web" / "rooms" / "school"
    for room in ("play.js", "review.js", "position.js"):
        assert EDGE in (rooms / room).read_text(encoding="utf-8"), room


def test_an_answer_is_judged_the_same_after_many_right_answers_and_on_another_visit() -> None:
    """Nothing grows with the number of answers, of right answers in a row, or of visits."""
    game = game_values(load("uth-ma"))
    shown = practice_position(game, Practice("ethics"), 0)
    valued = shown.position.answer(shown.position.best)
    first = list(answer_lines(game, shown, valued))
    progress = PracticeProgress()
    for day in range(1, 29):
        at = f"2026-11-{day:02d}T12:00:00+00:00"
        note = note_of(shown, valued, link_of(game, shown), at)
        progress = after_notes(progress, (note,) * 5)
    assert list(answer_lines(game, shown, valued)) == first
    # A gap of a week between visits costs nothing: the ratings depend on the answers, never on the days.
    same = after_notes(
        PracticeProgress(),
        tuple(
            note_of(shown, valued, link_of(game, shown), "2026-11-01T12:00:00+00:00") for _ in range(140)
        ),
    )
    assert same.ratings() == progress.ratings()


def test_nothing_counts_streaks_or_hands_out_rewards() -> None:
    for file in sources(*FOR_PLAYERS):
        text = file.read_text(encoding="utf-8")
        assert not REWARDS.search(text), (file, REWARDS.search(text))


def test_nothing_makes_a_sound_for_money() -> None:
    """One module makes sounds, of a card and of a chip that a player places; tests/page/test_sound.py listens."""
    for file in sources("play", "school", "server/web"):
        text = file.read_text(encoding="utf-8")
        if file.name != "sound.js":
            assert not SOUNDS.search(text), (file, SOUNDS.search(text))
            if "/sound.js" in text:
                assert file.name in {"betting.js", "motion.js"}, file
                assert set(re.findall(r'\bplay\("(\w+)"\)', text)) <= {"card", "chip"}, file
    assert not [file for file in SOURCE.rglob("*") if file.suffix in {".mp3", ".ogg", ".wav"}]
