"""`houseway review`: the same figures as the modules, for a record, an export, a hand history and a CSV file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from houseway.audit.store_factory import open_store
from houseway.cli import review as command
from houseway.cli.app import main
from houseway.school.game_values import game_values
from houseway.school.play_summary import summarize
from houseway.school.recorded_rounds import rounds_in_record
from houseway.school.review_data import summary_data
from houseway.school.round_review import review_rounds
from record.recorded import house, recorded

HISTORY = """houseway history 1
table: uth-ma, device

round 1
seat 1 Ann: Jd 3c, ante 10, plays 1x
dealer: Qd Ts
board: Jh 9c 8h 5s 2d
"""
HANDS = "hole,board,dealer,play\nJd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x\n"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of random rounds of several players."""
    file = tmp_path_factory.mktemp("review") / "table.db"
    store = open_store(file)
    recorded("uth-ma", rounds=6, at=house(store, seed="command"))
    store.close()
    return file


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["review", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def data_of(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_a_csv_file_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hands.csv"
    file.write_text(HANDS, encoding="utf-8")
    code, out, _ = run(capsys, str(file), "--rulebook", "uth-ma")
    assert code == 0
    assert "1 round, 3 decisions under uth-ma" in out
    assert "Lost through your choices: 34.1011 antes per 100 rounds" in out
    assert "The house has the edge, even against perfect play: 2.1850 % of the ante." in out
    code, out, _ = run(capsys, str(file), "--rulebook", "uth-ma", "--round", "1")
    assert "Cost you 0.3410 antes, $3.41." in out
    assert out.index("Cost you") < out.index("The outcome")
    (game,) = data_of(capsys, str(file), "--rulebook", "uth-ma", "--round", "1")
    (round_,) = game["rounds"]
    assert [each["choice"] for each in round_["decisions"]] == ["check", "check", "1x"]
    assert round_["decisions"][1]["reason"]["figures"]["ahead"] == 933
    assert round_["split"]["result"] == {"num": "-3", "den": "1", "value": -3.0}


def test_a_record_is_reviewed_for_one_player(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, str(record))
    assert (code, out) == (2, "")
    assert "choose one with --player or --seat" in err
    store = open_store(record, read_only=True)
    rounds = [played for _, played in rounds_in_record(store, "table:1")]
    terms = next(terms for terms, _ in rounds_in_record(store, "table:1"))
    store.close()
    player = next(played.player for played in rounds if played.decisions)
    mine = [played for played in rounds if played.player == player]
    (game,) = data_of(capsys, str(record), "--player", player)
    values = game_values(terms)
    expected = summary_data(summarize(review_rounds(values, mine), values.variance))
    assert game["rulebook"] == "uth-ma"
    assert game["summary"] == json.loads(json.dumps(expected))
    code, out, _ = run(capsys, str(record), "--player", player)
    assert code == 0
    assert "under uth-ma" in out
    code, _, err = run(capsys, str(record), "--player", "Nobody")
    assert code == 2
    assert "has no rounds of Nobody" in err
    code, _, err = run(capsys, str(record), "--player", player, "--round", "9999")
    assert code == 2
    assert "there is no such round" in err
    code, _, err = run(capsys, str(record), "--table", "table:9")
    assert code == 2
    assert "no such table" in err


def test_a_hand_history_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rounds.hh"
    file.write_text(HISTORY, encoding="utf-8")
    (game,) = data_of(capsys, str(file), "--round", "1")
    assert game["rounds"][0]["split"]["result"]["value"] == -3.0
    file.write_text(HISTORY.replace("Qd Ts", "Qd Qd"), encoding="utf-8")
    code, out, err = run(capsys, str(file))
    assert (code, out) == (2, "")
    assert "line" in err


def test_a_bad_file_is_refused_with_its_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hands.csv"
    file.write_text(HANDS + "Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,7y\n", encoding="utf-8")
    code, out, err = run(capsys, str(file), "--rulebook", "uth-ma")
    assert (code, out) == (2, "")
    assert "row 3, play: write 4x, 3x, 2x, 1x or fold" in err
    assert "nothing was imported" in err
    code, _, err = run(capsys, str(tmp_path / "none.csv"))
    assert code == 2
    assert "cannot read" in err
    code, _, err = run(capsys, str(file), "--rulebook", "uth-xx")
    assert code == 2
    assert "uth-xx" in err


def test_the_size_of_a_file_is_bounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "MOST_BYTES", 10)
    file = tmp_path / "hands.csv"
    file.write_text(HANDS, encoding="utf-8")
    code, _, err = run(capsys, str(file), "--rulebook", "uth-ma")
    assert code == 2
    assert "larger than" in err


def test_audit_explain_shows_the_values_of_the_seats_that_a_role_may_see(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def explained(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["audit", "explain", str(record), "--round", "2", "--values", *words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    code, _, err = explained()
    assert code == 2
    assert "--values needs --as seat:N or --as surveillance" in err
    every = json.loads(explained("--as", "surveillance", "--json")[1])["values"]
    own = next(one for one in every if one["decisions"])
    seat = own["seat"]
    code, out, _ = explained("--as", f"seat:{seat}")
    assert code == 0
    assert f"Round 2, seat {seat}" in out
    assert own["decisions"][0]["verdict"] in out
    assert json.loads(explained("--as", f"seat:{seat}", "--json")[1])["values"] == [own]
