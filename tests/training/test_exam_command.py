"""`houseway exam`, `certificate` and `audit certificate` in the terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from houseway.cli.app import COMMANDS, main, overview
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training.exams.exam import read_exam, shipped_exam
from houseway.training.exams.run import ExamRun
from training.exam_trainee import ExamTrainee, exam_setup
from training.typed_acts import ruling_lines, typed

EXAM = """
[exam]
id = "short"
title = "Short test"
rounds = 2
players = 2
certificate = true
[deck]
irregularities = "every"
[time]
exam = 600
[passes]
slips_per_round = 0.5
gross_mispayment = "5.00"
"""
SEED = "a fixed seed"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a command with typed lines in an empty folder; returns the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def runs(*words: str, lines: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(list(words))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return runs


@pytest.fixture
def exam_file(tmp_path: Path) -> str:
    """The file of a short exam."""
    (tmp_path / "short.toml").write_text(EXAM)
    return "short.toml"


def typed_exam(wrong: bool = False, exam: str = EXAM) -> str:
    """The lines that a right trainee types in an exam; with `wrong`, some pushed bets are paid."""

    class Typist(ExamTrainee):
        lines: list[str]

        def next(self) -> a.ChairAct | None:
            act = super().next()
            if wrong and isinstance(act, a.Take):
                act = a.Pay(seat=act.seat, wager=act.wager, chips={10_000: 1})
            if act is not None:
                self.lines.append(_typed(act))
            if isinstance(act, a.ReportIrregularity):
                self.lines += ruling_lines(self.table, self.run.session.chair, act, self.time)
            return act

    setup = exam_setup(read_exam(exam), "uth-ma", "manual", rulings=True)
    trainee = Typist(ExamRun(setup, SEED, "00" * 16))
    trainee.lines = []
    trainee.take()
    return "\n".join(trainee.lines) + "\n"


def _typed(act: a.ChairAct) -> str:
    """Return an act as typed, a payment as an amount."""
    if not isinstance(act, a.Pay):
        return typed(act)
    cents = sum(value * count for value, count in act.chips.items())
    return f"pay {act.seat} {act.wager.replace('_', ' ')} ${cents // 100}.{cents % 100:02d}"


def test_the_help_has_room_and_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == main([]) == 0
    assert capsys.readouterr().out == 2 * overview()
    lines = overview().splitlines()
    assert len(lines) <= 20  # Room for eight more commands.
    assert max(map(len, lines)) <= 80
    for target in COMMANDS:
        assert any(target.rpartition(":")[2] in line.split() for line in lines)


def test_an_exam_in_both_modes_moves_to_the_second_table(run: Run, tmp_path: Path) -> None:
    both = EXAM.replace("rounds = 2", "rounds = 3\nboth_modes = true").replace('"every"', "0")
    (tmp_path / "both.toml").write_text(both)
    code, out, _ = run(
        "exam", "uth-ma", "--mode", "manual", "--exam", "both.toml", "--seed", SEED, "--record", "r.jsonl",
        lines=typed_exam(exam=both),
    )  # fmt: skip
    assert code == 0, out
    assert "Massachusetts, Ultimate Texas Hold 'Em, manual deal, then device deal." in out
    before, after = out.split("Round 2 of 3 is over.\n")
    differ = before.partition(
        "At the second table (device deal, after round 2), these house rules differ."
    )[2]
    listed = differ.splitlines()
    assert listed[2].startswith("- Device count (if bets are down): every hand is void")
    assert listed[4].startswith("- device_counts: yes.")
    moved = (
        "You move to another table, where a machine deals the cards. Open it as you opened the first one."
    )
    assert after.startswith(f"{moved}\n")
    assert after.index("No round is open.") < after.index("Round 3 of 3 is over.")
    assert "dealt by hand, then by machine" in out
    assert (
        run("exam", "--replay", "r.jsonl")[1].splitlines()
        == out[out.index("Score sheet") :].splitlines()[:-1]
    )


def test_a_right_exam_passes_and_its_record_replays(run: Run, exam_file: str, tmp_path: Path) -> None:
    code, out, err = run(
        "exam", "uth-ma", "--mode", "manual", "--exam", exam_file, "--seed", SEED, "--record", "r.jsonl",
        "--sheet", "s.html", lines=typed_exam(),
    )  # fmt: skip
    assert code == 0, out
    assert "Passed. Name: Trainee. Taken without an examiner (self-administered)." in out
    assert "Slips: none." in out
    assert "The trainee knew the seed: this is a rehearsal." in out
    assert "Self-administered: only a house that examines you can sign a certificate." in out
    assert "wrote the score sheet to s.html" in err
    again, text, _ = run("exam", "--replay", "r.jsonl")
    assert again == 0
    assert text.splitlines() == out[out.index("Score sheet:") :].splitlines()[:-1]
    _, data, _ = run("exam", "--replay", "r.jsonl", "--json", "--sheet", "again.html")
    assert json.loads(data)["passed"] is True
    assert json.loads(data)["score"] == 100
    assert (tmp_path / "again.html").read_text() == (tmp_path / "s.html").read_text()


def test_slips_are_not_shown_before_the_end(run: Run, exam_file: str) -> None:
    code, out, _ = run(
        "exam", "uth-ma", "--mode", "manual", "--exam", exam_file, "--seed", SEED,
        lines="clause MA-9.h.2-b\n" + typed_exam(wrong=True),
    )  # fmt: skip
    assert code == 1
    before, _, sheet = out.partition("Score sheet:")
    # The house rules are read before the exam, and cite clauses.
    rules, _, during = before.partition("You see your slips at the end.")
    assert "[MA-9.g-b]" in rules
    assert "The rulebook is closed during an exam." in during
    assert "Round 2 of 2 is over." in during
    for word in ("slip", "Due:", "overpaid", "MA-9", SEED):
        assert word not in during
    assert "overpaid" in sheet
    assert "Not passed" in sheet
    assert f"Cards: The trainee knew the seed: this is a rehearsal. Seed: {SEED}. Salt: " in sheet


def test_who_leaves_has_aborted(run: Run) -> None:
    code, out, _ = run("exam", "uth-ma", "--record", "r.jsonl", lines="table\nquit\n")
    assert code == 1
    assert "Ended early, after 0 of 10 rounds." in out
    assert "Interruptions: the trainee quit at 0:" in out
    _, text, _ = run("exam", "--replay", "r.jsonl")
    assert "Ended early, after 0 of 10 rounds." in text


def test_an_examiner_signs_and_everyone_can_check(
    run: Run, exam_file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, out, _ = run("certificate", "key", "house.key", "--name", "Charles House")
    assert code == 0
    assert "Only you can read it" in out
    signed = (
        "exam", "uth-ma", "--mode", "manual", "--exam", exam_file, "--trainee", "Noor Haddad", "--examiner",
        "house.key", "--name", "T. Reyes",
    )  # fmt: skip
    code, out, _ = run(*signed, "--record", "first.jsonl", lines="quit\n")
    assert code == 1
    assert "This is the first attempt." in out
    # The seed of a signed exam is drawn in secret; here it is the one that the typed lines are for.
    monkeypatch.setattr("houseway.cli.exam.secrets.token_hex", lambda count: SEED)
    code, out, err = run(
        *signed, "--record", "r.jsonl", "--sheet", "s.html", "--certificate", "c.jwt", lines=typed_exam()
    )
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert code == 0, out
    assert "1 earlier attempt:" in out
    assert "aborted." in out
    assert "Examiner: T. Reyes." in out
    assert "wrote the certificate to c.jwt" in err
    assert "signed by Charles House" in (tmp_path / "s.html").read_text()
    whole: tuple[str, ...] = (
        "audit", "certificate", "c.jwt", "--keys", "house.key.public.json", "--record", "r.jsonl", "--exam",
        exam_file, "--rulebook", "uth-ma",
    )  # fmt: skip
    code, out, _ = run(*whole)
    assert code == 1
    assert out.startswith("c.jwt: the signature fits, but it was not checked for revocation\n")
    assert "Revocation was not checked" in out
    code, out, _ = run("certificate", "refresh", "house.key")
    assert code == 0
    assert "lists 0 certificates" in out
    whole = (*whole, "--revoked", "house.key.revoked.json")
    code, out, _ = run(*whole)
    assert code == 0, out
    assert out.startswith("c.jwt: sound\n")
    assert "Short test" in out
    assert "Noor Haddad, 100 % of the acts right." in out
    # Without --keys, a certificate that anyone made would look the same.
    code, out, _ = run("audit", "certificate", "c.jwt")
    assert code == 1
    assert out.startswith("c.jwt: the signature fits, but the issuer was not checked\n")
    assert "sound" not in out
    code, out, _ = run("audit", "certificate", "c.jwt", "--json")
    assert (code, json.loads(out)["sound"], json.loads(out)["trusted"]) == (1, False, False)
    assert run("certificate", "rotate", "house.key")[0] == 0
    assert run(*whole)[0] == 0
    code, out, _ = run(*whole[:5], "--record", "first.jsonl", "--exam", "table-test", "--json")
    assert code == 1
    assert [fault["code"] for fault in json.loads(out)["faults"]] == ["mismatch", "mismatch"]
    assert run(*whole, "--at", "2199-01-01")[0] == 1
    code, out, _ = run("certificate", "revoke", "house.key", "c.jwt", "--reason", "given by mistake")
    assert code == 0
    code, out, _ = run(*whole)
    assert code == 1
    assert "revoked at" in out
    assert "given by mistake" in out
    assert run("certificate", "rotate", "house.key", "--withdraw")[0] == 0
    assert run(*whole)[0] == 1
    damaged = (tmp_path / "c.jwt").read_text().replace(".", "", 1)
    (tmp_path / "c.jwt").write_text(damaged)
    code, out, _ = run("audit", "certificate", "c.jwt")
    assert code == 1
    assert "bytes 0 to" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("exam", "uth-ma", "--exam", "tabel-test"), "did you mean 'table-test'?"),
        (("exam", "uth-ma", "--name", "T. Reyes"), "--examiner and --name belong together"),
        (("exam", "uth-ma", "--examiner", "k"), "--examiner and --name belong together"),
        (("exam", "uth-ma", "--examiner", "k", "--name", "T."), "--examiner needs --trainee"),
        (("exam", "--examiner", "k", "--name", "T.", "--trainee", "N"), "--examiner needs --record"),
        (("exam", "--examiner", "k", "--name", "T.", "--trainee", "N", "--seed", "1"), "is secret"),
        (("exam", "--examiner", "k", "--name", "T.", "--trainee", "N", "--record", "r"), "cannot read k"),
        (("exam", "uth-proc", "--mode", "manual"), "--mode must be device"),
        (("exam", "--json"), "--json needs --replay"),
        (("exam", "--replay", "nowhere.jsonl"), "cannot read nowhere.jsonl"),
        (("exam", "--trainee", "x" * 101), "--trainee must be printable text"),
        (("audit", "certificate", "nowhere.jwt"), "cannot read nowhere.jwt"),
        (("audit", "certificate", "nowhere.jwt", "--max-age", "0"), "--max-age must be at least 1 (got 0)"),
        (("certificate", "revoke", "nokey", "urn:uuid:1"), "cannot read nokey"),
        (("certificate", "refresh", "nokey"), "cannot read nokey"),
        (("certificate", "key", "k", "--name", ""), "the issuer's name"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_2(run: Run, words: tuple[str, ...], sentence: str) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert sentence in err


def test_check_recognises_exams(run: Run, exam_file: str, tmp_path: Path) -> None:
    assert run("check", exam_file, "table-test")[:2] == (0, "short.toml: sound\ntable-test: sound\n")
    (tmp_path / "bad.toml").write_text(EXAM.replace("rounds = 2", "rounds = 0").replace("[time]", "[tims]"))
    code, out, _ = run("check", "bad.toml")
    assert code == 1
    assert "bad.toml: 2 problems" in out
    assert "exam.rounds" in out
    assert "did you mean 'time'?" in out


def test_the_table_test_is_what_the_certificate_names(run: Run) -> None:
    """The hash on a sheet is the hash of the shipped file, and the rulebook's is the rulebook's."""
    _, out, _ = run("exam", "uth-card", "--exam", "table-test", lines="quit\n")
    assert shipped_exam("table-test").hash in out
    assert load("uth-card").hash in out
