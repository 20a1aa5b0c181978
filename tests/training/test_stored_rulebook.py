"""A record has the text of its rulebook, so that it gives the same score after the rulebook has changed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cli.app import main
from houseway.rules.catalogue import MOST_TEXT
from houseway.rules.loader import added_rulebooks, load, rulebook_from_text
from houseway.rules.rulebook import Rulebook
from houseway.training.exams.exam import read_exam
from houseway.training.exams.record import ExamWriter, read_exam_record, result_of
from houseway.training.exams.run import ExamRun
from houseway.training.hosted_session import HostedSession, SessionStart
from houseway.training.session import SessionError, TrainingSession
from houseway.training.session_file import SessionWriter, read_session, replay_session
from houseway.training.stored_rulebook import stored_rulebook
from training.exam_trainee import SALT, ExamTrainee, exam_setup
from training.test_train_command import Typist, session

EXAM = '[exam]\nid = "small"\ntitle = "Small"\nrounds = 2\nplayers = 2\n'
ENDED = "2026-11-18T10:00:00Z"
OLD_TITLE = "Massachusetts as it was, Ultimate Texas Hold'em"
COUNTED_EVERY = 1
"""In the old text, the stub is counted in every round."""


def old_rulebook() -> Rulebook:
    """Return an earlier uth-ma: another title, and a count of the stub in every round."""
    raw: dict[str, Any] = json.loads(load("uth-ma").text)
    raw["rulebook"]["title"] = OLD_TITLE
    (count,) = [step for step in raw["round"] if step["act"] == "count stub"]
    assert count["rules"]["every"]["value"] > COUNTED_EVERY
    count["rules"]["every"]["value"] = COUNTED_EVERY
    return rulebook_from_text(json.dumps(raw, ensure_ascii=False, separators=(",", ":")))


def taken_exam(book: Rulebook, *, text: bool = True) -> tuple[ExamRun, bytes]:
    """Return an exam that was taken by the document under a rulebook, and its record."""
    setup = exam_setup(read_exam(EXAM), "uth-ma", "manual", rulings=True)
    setup = replace(setup, rulebook_hash=book.hash, rulebook_text=book.text if text else "")
    run = ExamTrainee(ExamRun(setup, "7", SALT, book)).take()
    return run, ExamWriter(run).lines(ENDED)


def test_a_record_is_scored_under_the_text_that_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = old_rulebook()
    assert old.hash != load("uth-ma").hash
    run, data = taken_exam(old)
    counts = sum("StubCounted" in repr(entry) for one in run.session.judgements for entry in one.entries)
    assert counts == 2, "the old text asks for a count in both rounds"
    again = result_of(read_exam_record(data))
    assert again == run.result(ENDED, hashlib.sha256(data).hexdigest())
    assert (again.score, again.slips, again.rulebook_hash) == (100, (), old.hash)
    assert again.rulebook_title == OLD_TITLE
    # The command reads the same record without any other file.
    (tmp_path / "old.jsonl").write_bytes(data)
    assert main(["exam", "--replay", str(tmp_path / "old.jsonl"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["score"], printed["rulebook_hash"]) == (100, old.hash)


def test_a_record_without_the_text_needs_the_rulebook_of_its_version() -> None:
    _, data = taken_exam(old_rulebook(), text=False)
    assert b'"format":2' in data.splitlines()[0]
    with pytest.raises(SessionError, match="another version of uth-ma"):
        result_of(read_exam_record(data))
    assert result_of(read_exam_record(data), old_rulebook()).score == 100


def test_a_text_that_does_not_have_its_hash_is_refused() -> None:
    run, _ = taken_exam(old_rulebook())
    forged = replace(run.setup, rulebook_text=load("uth-ma").text)
    data = ExamWriter(ExamRun(forged, "7", SALT, old_rulebook())).lines()
    with pytest.raises(SessionError, match="text of uth-ma in the record does not match its hash"):
        result_of(read_exam_record(data))
    broken = "{}"
    with pytest.raises(SessionError, match="cannot be read"):
        stored_rulebook("uth-ma", hashlib.sha256(broken.encode()).hexdigest(), broken)


def test_a_session_file_is_judged_under_the_text_that_it_has() -> None:
    old = old_rulebook()
    plan = replace(session().plan, hash=old.hash, text=old.text)
    at = Typist(TrainingSession(plan, old))
    at.deal()
    assert at.session.score.slips == 0
    data = at.file.getvalue()
    assert b'"format":4' in data.splitlines()[0]
    assert replay_session(*read_session(data)).judgements == at.session.judgements
    with pytest.raises(SessionError, match="another version"):
        replay_session(*read_session(data), load("uth-ma"))


def test_stored_sessions_without_a_text_keep_their_first_line() -> None:
    """The marks of stored inputs depend on it."""
    plan = session().plan
    for rulings, version in ((False, 2), (True, 3)):
        start = SessionStart(session="a", at="", plan=plan, rulings=rulings)
        room = HostedSession(start, load("uth-ma"), "")
        assert room.record == SessionWriter().header(plan, version)


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


NOTE = "Judged under the rulebook text in the record, which differs from the installed uth-ma."


def test_a_replay_says_if_its_text_is_not_the_installed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text of a record proves nothing: a trainee can change the text and its hash."""
    file, sheet = tmp_path / "exam.jsonl", tmp_path / "sheet.html"
    for book, note in ((old_rulebook(), NOTE), (load("uth-ma"), "")):
        file.write_bytes(taken_exam(book)[1])
        assert main(["exam", "--replay", str(file), "--sheet", str(sheet)]) == 0
        printed = capsys.readouterr().out
        assert (NOTE in printed.splitlines()) == (NOTE in sheet.read_text()) == bool(note)
        assert main(["exam", "--replay", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["rulebook_note"] == note


def test_the_replay_of_a_session_says_if_its_text_is_not_the_installed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "session.jsonl"
    raw = json.loads(load("uth-ma").text)
    raw["rulebook"]["id"] = "gone"
    gone = rulebook_from_text(json.dumps(raw))
    missing = "Judged under the rulebook text in the record; no gone is installed to compare."
    for book, note in ((old_rulebook(), NOTE), (gone, missing), (load("uth-ma"), "")):
        plan = replace(session().plan, rulebook=book.id, hash=book.hash, text=book.text)
        file.write_bytes(SessionWriter().header(plan))
        assert main(["train", "--replay", str(file)]) == 0
        assert (capsys.readouterr().out.splitlines()[0] == note) == bool(note)
        assert main(["train", "--replay", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["rulebook_note"] == note


def test_the_text_of_another_rulebook_is_refused() -> None:
    other = load("uth-sd")
    with pytest.raises(SessionError, match="the text in the record is that of uth-sd, not of uth-ma"):
        stored_rulebook("uth-ma", other.hash, other.text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"rulebook":{"id":"uth-ma"},"a":' + "[" * 900 + "]" * 900 + "}", id="nested"),
        pytest.param('{"rulebook":{"id":"uth-ma"}}' + " " * MOST_TEXT, id="long"),
    ],
)
def test_a_text_that_is_nested_too_deeply_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(SessionError, match=r"cannot be read: .*(nested|recursion|characters)"):
        stored_rulebook("uth-ma", digest_of(text), text)


def test_without_a_text_the_name_is_that_of_an_installed_rulebook(tmp_path: Path) -> None:
    """The name may come from a stranger's file, so it is not opened as a path."""
    assert stored_rulebook("uth-ma", "", "") is load("uth-ma")
    file = tmp_path / "own.toml"
    file.write_text('[rulebook]\nid = "own"\ntitle = "Own"\nextends = "uth-ma"\n')
    load(str(file))
    for name in ("gone", str(file)):
        with pytest.raises(SessionError, match="it is not installed; name its TOML file"):
            stored_rulebook(name, "", "")


def test_an_installed_rulebook_with_problems_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[rulebook]\nid = "own"\n')
    text = load("uth-ma").text.replace('"id":"uth-ma"', '"id":"own"')
    with added_rulebooks([str(file)]):
        assert stored_rulebook("own", digest_of(text), text).id == "own"
        with pytest.raises(SessionError, match="not installed"):
            stored_rulebook("own", "", "")
