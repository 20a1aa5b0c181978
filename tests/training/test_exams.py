"""Exams: their files, their clocks, their records, and a trainee who follows the document."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.engine.table import Table
from houseway.report import exam_result as r
from houseway.report.score_sheet import score_page, score_text
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.problems import Problem
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training import conduct as k
from houseway.training.exams.exam import (
    Exam,
    ExamError,
    PassLimits,
    exam_from_text,
    exam_with_problems,
    read_exam,
    shipped_exam,
    shipped_exams,
)
from houseway.training.exams.measures import automatic_failures
from houseway.training.exams.record import ExamWriter, read_exam_record, result_of
from houseway.training.exams.run import ExamRun, row_name
from houseway.training.judge import Judgement, Verdict
from houseway.training.model_dealer import right_act
from houseway.training.scenarios import rows
from houseway.training.scenarios.deck_file import shipped_decks
from houseway.training.scenarios.rows import all_happenings
from houseway.training.session import SessionError
from houseway.training.session_file import _check_sum
from random_play.chance import modes_of
from samples import LONG
from training.exam_trainee import SALT, ExamTrainee, exam_setup

ENDED = "2026-11-16T14:59:00Z"
MINUTE = 60_000
TEST = shipped_exam("table-test")
WRONG_BOARD = ("wrong count", {"all_there": True})
BOARD_SEEN = "a wrong number of community cards is seen before the stub is counted"
UNREACHABLE = {
    # The document has the device deal only, and a device deals the hands last: no card is dealt after them.
    "uth-proc": {3: "the hands are dealt last, so no card can be found face up after them"},
}
"""The rows that a document makes impossible, by their places from 0, with the reason on the sheet."""


def unreachable(rulebook: str) -> dict[int, str]:
    """The rows of a rulebook that cannot happen, by their places from 0, with the reasons.

    The stub is counted once the board is face up, so no count shows that the board is wrong.
    """
    rows = load(rulebook).procedure.irregularities
    board = (n for n, row in enumerate(rows) if (row.kind, dict(row.when)) == WRONG_BOARD)
    return UNREACHABLE.get(rulebook, {}) | dict.fromkeys(board, BOARD_SEEN)


def small(**changes: Any) -> Exam:
    """An exam of two rounds with one player, in which nothing goes wrong."""
    limits = PassLimits(slips_per_round=1)
    exam = Exam(id="small", title="Small exam", rounds=2, players=1, certificate=True, passes=limits)
    return replace(exam, **changes)


def taken(exam: Exam, rulebook: str = "uth-ma", mode: str = "", seed: str = "7", **more: Any) -> ExamRun:
    """An exam that the document's trainee has taken."""
    return ExamTrainee(ExamRun(exam_setup(exam, rulebook, mode, **more), seed, SALT)).take()


# --- files ---


def test_the_shipped_exams_are_sound_and_keep_their_hash() -> None:
    assert shipped_exams() == ("practice", "table-test")
    for name in shipped_exams():
        exam = shipped_exam(name)
        assert exam_from_text(exam.text) == exam
        assert exam.hash == hashlib.sha256(exam.text.encode()).hexdigest()
    assert (TEST.rounds, TEST.irregularities, TEST.certificate) == (30, "every", True)
    assert shipped_exam("practice").rounds == 10


def test_another_value_gives_another_hash() -> None:
    changed = replace(TEST, passes=replace(TEST.passes, gross_mispayment=2501))
    assert changed.hash != TEST.hash


def test_an_exam_with_problems_is_refused_with_all_of_them() -> None:
    text = """
[exam]
id = "My exam"
round = 3
players = 99
[deck]
irregularities = "all"
people = { "late bat" = 10 }
[time]
exam = 60
round = 90
[passes]
gross_mispayment = 25
hand_readin = 95
payment_accuracy = 120
rounds_per_hour = { many = 30 }
slips_per_round = nan
[automatic_failure]
slips = ["missed floor cal"]
[limits]
"""
    with pytest.raises(ExamError) as refused:
        read_exam(text, "mine.toml")
    paths = {problem.path for problem in refused.value.problems}
    assert paths == {
        "exam.id", "exam.title", "exam.rounds", "exam.round", "exam.players", "deck.irregularities",
        'deck.people."late bat"', "time.round", "passes.gross_mispayment", "passes.hand_readin",
        "passes.payment_accuracy", "passes.rounds_per_hour.many", "passes.slips_per_round",
        "automatic_failure.slips", "limits",
    }  # fmt: skip
    assert "did you mean 'late bet'?" in str(refused.value)
    assert "did you mean 'missed floor call'?" in str(refused.value)
    assert "mine.toml: passes.hand_readin: unknown key; did you mean 'hand_reading'?" in str(refused.value)


@pytest.mark.parametrize("text", ["", "= 3", "[exam]\nid = 3", "exam = 3", "x" * 70_000])
def test_a_file_that_is_no_exam_has_problems(text: str) -> None:
    _, problems = exam_with_problems(text)
    assert problems
    assert all(isinstance(problem, Problem) and problem.right for problem in problems)


def test_a_certificate_needs_limits() -> None:
    _, problems = exam_with_problems(
        '[exam]\nid = "x"\ntitle = "X"\nrounds = 1\nplayers = 1\ncertificate = true'
    )
    assert [problem.path for problem in problems] == ["passes"]


# --- the document's trainee ---


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_who_follows_the_document_scores_100_percent(rulebook: str) -> None:
    """The whole table test, with its six players; in the daily profile in the usual mode only."""
    modes = modes_of(rulebook) if LONG else load(rulebook).modes[:1]
    for mode in modes:
        result = taken(TEST, rulebook, mode, "1").result()
        assert (result.slips, result.outcome, result.finished) == ((), r.FINISHED, 30)
        assert result.passed
        assert result.score == 100
        assert {one.points for one in result.categories if one.seen} <= {10}
        shown = {one.name: one.shown for one in result.measures}
        assert shown["gross_mispayment"] == "$0.00"
        irregularities = next(one for one in result.measures if one.name == "irregularities")
        assert irregularities.value == 100
        assert int(irregularities.shown.split()[0]) >= 8


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_who_rules_by_the_document_scores_100_percent(rulebook: str) -> None:
    exam = replace(TEST, players=2, people={})
    run = taken(exam, rulebook, rulings=True)
    result = run.result()
    assert (result.slips, result.score, result.passed) == ((), 100, True)
    right, judged = (
        int(n) for n in next(m.shown for m in result.measures if m.name == "rulings").split(" of ")
    )
    assert right == judged
    # Almost every irregularity raises several questions.
    assert judged > len(result.irregularities)


def test_rulings_are_judged_only_if_the_exam_asks_for_them() -> None:
    exam = small(rounds=2, irregularities=100, passes=PassLimits(slips_per_round=0, rulings=90))
    told = taken(exam).result()
    rulings = next(one for one in told.measures if one.name == "rulings")
    assert (rulings.shown, told.passed) == ("not asked", True)
    run = ExamRun(exam_setup(exam, "uth-ma", rulings=True), "7", SALT)
    trainee = ExamTrainee(run)
    trainee._ruling = lambda act: {}  # type: ignore[method-assign]
    asked = trainee.take().result()
    assert not asked.passed
    assert {one.kind for one in asked.slips} == {ch.WRONG_RULING}
    assert all(one.clause and one.sentence.startswith("Ruling on ") for one in asked.slips)
    assert next(one for one in asked.categories if one.name == "Game protection").points != 10


def followed(exam: Exam, rulebook: str, mode: str, seed: str) -> ExamRun:
    """An exam that the model dealer has taken."""
    run = ExamRun(exam_setup(exam, rulebook, mode), seed, SALT)
    time = 0
    while not run.over:
        time += 1000
        run.tick(time)
        act = right_act(run.session.table, run.session.chair)
        if act is not None:
            run.act(act, time)
    return run


def missing_rows(rulebook: str, mode: str, seed: str) -> set[int]:
    """The rows of a rulebook that do not happen in one table test, by their places from 0."""
    run = followed(replace(TEST, players=2, people={}), rulebook, mode, seed)
    assert not run.result().slips
    return set(range(len(load(rulebook).procedure.irregularities))) - set(run.session.rows)


@pytest.mark.parametrize("seed", [str(n) for n in range(10 if LONG else 2)])
@pytest.mark.parametrize(
    ("rulebook", "mode"), [(book, m) for book in rulebook_ids() for m in modes_of(book)]
)
def test_every_irregularity_of_the_rulebook_happens_in_every_table_test(
    rulebook: str, mode: str, seed: str
) -> None:
    """In each single test, whichever deal mode comes first."""
    assert missing_rows(rulebook, mode, seed) == set(unreachable(rulebook))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_irregularity_has_its_own_name_on_the_sheet(rulebook: str) -> None:
    """Two rows can differ only in their conditions, such as the rows about the community cards."""
    book = load(rulebook)
    rows = range(len(book.procedure.irregularities))
    names = [row_name(book, number, ruled=False).partition(". ")[2] for number in rows]
    assert len(set(names)) == len(names)


def test_the_sheet_says_why_an_irregularity_is_impossible() -> None:
    result = followed(replace(TEST, players=1, people={}), "uth-proc", "device", "1").result()
    when = "a second face-up card in the round, after the hands are dealt"
    name = f"4. face-up card, {when}: every hand is void and wagers are returned (MA-14.b-c)"
    assert result.absent == (name,)
    assert result.impossible == (f"{name}: {UNREACHABLE['uth-proc'][3]}",)
    text = "\n".join(score_text(result))
    assert (
        f"14 of the 15 in the rulebook came up. Impossible under this document: {name}: the hands" in text
    )
    assert "Did not come up" not in text


@pytest.mark.planted
def test_a_deck_without_one_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def others(table: Table, chair: ch.Chair, kinds: set[str]) -> tuple[ch.Happening, ...]:
        return all_happenings(table, chair, kinds - {"premature flop"})

    monkeypatch.setattr(rows, "all_happenings", others)
    assert missing_rows("uth-sd", "manual", "3") == {5}


def test_everyone_of_a_real_table_sits_at_the_table_test() -> None:
    """The conduct that a dealer meets, and the jams and short decks of the rulebook's own table."""
    people = {
        k.SLOW, k.CHATTY, k.WRONG_CHIPS, k.OUT_OF_TURN, k.LATE_BET, k.TOUCH, k.STAND, k.RIGHT_DISPUTE,
        k.WRONG_DISPUTE, k.TIP, k.COLOUR_UP,
    }  # fmt: skip
    assert people <= set(TEST.people)
    busy = {card.kind for card in shipped_decks()["busy"].cards}
    assert people | {k.CAPPED_BET, k.TWO_HANDS, k.SHOWN, k.LEAVE, "any irregularity"} <= busy
    rows = {row.kind for row in load("uth-ma").procedure.irregularities}
    assert {"shuffler jam", "machine failure", "wrong count"} <= rows


# --- measures ---


class Sloppy(ExamTrainee):
    """A trainee who pays some blinds that push, and forgets to report what goes wrong."""

    def next(self) -> a.ChairAct | None:
        """The next act of a person who pays even money on every second push."""
        act = super().next()
        if isinstance(act, a.Push) and act.wager == "blind" and act.seat % 2:
            return a.Pay(seat=act.seat, wager="blind", chips={500: 2})
        return act


def test_slips_are_measured_against_the_limits_and_listed_with_their_clauses() -> None:
    run = Sloppy(
        ExamRun(exam_setup(replace(TEST, people={}, players=3), "uth-ma", "manual"), "1", SALT)
    ).take()
    result = run.result(ENDED)
    wrong = [slip for slip in result.slips if slip.kind == ch.WRONG_AMOUNT]
    assert len(wrong) >= 3
    gross = sum(abs(slip.amount) for slip in wrong)
    by_name = {one.name: one for one in result.measures}
    assert by_name["gross_mispayment"].value == gross == 1000 * len(wrong)
    assert not by_name["gross_mispayment"].passed
    assert {one.heading for one in wrong} <= {
        "blind paid on a pair", "blind paid on two pair", "blind paid on three of a kind", "blind paid on a high card", "blind paid in a tie",
    }  # fmt: skip
    assert not result.passed
    assert not result.certificate
    # A blind pushes with a hand below a straight, and in a tie.
    assert {one.clause for one in wrong} <= {"MA-9.h.2-b", "MA-9.h.3"}
    first = next(one for one in wrong if one.clause == "MA-9.h.2-b")
    assert (first.wager, first.stake > 0) == ("blind", True)
    assert re.fullmatch(r"paid \$10\.00 on seat \d's blind", first.did)
    assert re.fullmatch(r"push seat \d's blind", first.right)
    assert {one.place for one in first.cards} == {f"Seat {first.seat}", "Dealer", "Board"}
    text = "\n".join(score_text(result))
    assert "Not passed" in text
    assert f"Gross mispayment ${gross // 100}.00: limit $25.00." in text
    page = score_page(result)
    assert "Not passed" in page
    assert "MA-9.h.2-b" in page


def test_one_large_mispayment_fails_by_itself() -> None:
    exam = small(players=3, fails=replace(TEST.fails, mispayment=1000))
    run = ExamRun(exam_setup(exam, "uth-ma", "manual"), "7", SALT)

    class Generous(ExamTrainee):
        def next(self) -> a.ChairAct | None:
            act = super().next()
            if isinstance(act, a.WagerAct) and act.wager == "ante":
                return a.Pay(seat=act.seat, wager="ante", chips={10_000: 5})
            return act

    result = Generous(run).take().result()
    assert len(result.failures) == sum(slip.amount >= 1000 for slip in result.slips) > 0
    assert result.failures[0].endswith("overpaid in one payment.")
    assert not result.passed


# --- clocks ---


def test_the_time_limit_is_the_servers() -> None:
    exam = small(time=replace(TEST.time, exam=10 * MINUTE))
    run = ExamRun(exam_setup(exam, "uth-ma", "manual"), "7", SALT)
    trainee = ExamTrainee(run)
    while len(run.session.judgements) < 1:
        trainee.step()
    act = right_act(run.session.table, run.session.chair)
    assert act is not None
    inputs = len(run.session.inputs)
    assert run.act(act, 10 * MINUTE + 1) == ()
    assert (run.state, run.ended_at, len(run.session.inputs)) == (r.OUT_OF_TIME, 10 * MINUTE, inputs)
    result = run.result()
    assert (result.finished, result.passed) == (1, False)
    assert "Out of time after 1 of 2 rounds." in score_text(result)


def test_an_act_at_the_last_moment_counts() -> None:
    run = ExamRun(exam_setup(small(time=replace(TEST.time, exam=10 * MINUTE)), "uth-ma"), "7", SALT)
    act = right_act(run.session.table, run.session.chair)
    assert act is not None
    assert run.act(act, 10 * MINUTE)
    assert not run.over


def test_one_minute_is_announced_once() -> None:
    run = ExamRun(exam_setup(small(time=replace(TEST.time, exam=10 * MINUTE)), "uth-ma"), "7", SALT)
    assert run.wakes_at == 9 * MINUTE
    notices = []
    for time in (0, 9 * MINUTE - 1, 9 * MINUTE, 9 * MINUTE + 1, 10 * MINUTE):
        run.tick(time)
        notices.append(run.notice())
    assert notices == ["", "", "One minute is left.", "", ""]
    assert run.public(9 * MINUTE + 500).left == 0  # Time never runs backwards.


def test_a_long_round_is_over_time() -> None:
    exam = small(rounds=1, time=replace(TEST.time, exam=0, round=30_000))
    result = taken(exam, "uth-ma", "manual").result()
    over = next(one for one in result.measures if one.name == "rounds_over_time")
    assert (over.value, [one.over_time for one in result.round_times]) == (0, [False])
    slow = ExamTrainee(ExamRun(exam_setup(exam, "uth-ma", "manual"), "7", SALT))
    while not slow.run.over:
        slow.time += 5000
        slow.step()
    over = next(one for one in slow.run.result().measures if one.name == "rounds_over_time")
    assert over.value == 1


# --- attempts, aborts and reconnections ---


def test_attempts_aborts_and_reconnections_are_printed() -> None:
    earlier = (
        r.EarlierAttempt(started="2026-11-14T09:00:00Z", outcome="not passed"),
        r.EarlierAttempt(started="2026-11-15T09:00:00Z", outcome="not finished"),
    )
    run = ExamRun(exam_setup(small(), "uth-ma", earlier=earlier), "7", SALT)
    trainee = ExamTrainee(run)
    for _ in range(5):
        trainee.step()
    run.disconnect(trainee.time + 61_000)
    run.reconnect(trainee.time + 70_000)
    run.abort(trainee.time + 80_000, "the fire alarm")
    assert [one.kind for one in run.incidents] == ["connection lost", "reconnected", "left"]
    result = run.result()
    assert (result.outcome, result.passed) == (r.ABORTED, False)
    for text in ("\n".join(score_text(result)), score_page(result)):
        assert (
            "2 earlier attempts: 2026-11-14T09:00:00Z not passed; 2026-11-15T09:00:00Z not finished."
            in text
        )
        assert (
            "connection lost at 0:01:06; reconnected at 0:01:15; ended early (the fire alarm) at 0:01:25."
            in text
        )
        assert "Ended early, after 0 of 2 rounds." in text


def test_who_stays_away_too_long_has_left() -> None:
    exam = small(time=replace(TEST.time, exam=0, away=MINUTE), fails=replace(TEST.fails, abort=True))
    run = ExamRun(exam_setup(exam, "uth-ma"), "7", SALT)
    run.disconnect(1000)
    assert run.wakes_at == 1000 + MINUTE
    run.reconnect(1001 + MINUTE)
    assert (run.state, run.ended_at) == (r.ABORTED, 1000 + MINUTE)
    assert run.result().failures == ("Left after 0 of 2 rounds.",)


def test_many_reconnections_fail() -> None:
    exam = small(rounds=1, fails=replace(TEST.fails, reconnections=1))
    results = []
    for times in (1, 2):
        run = ExamRun(exam_setup(exam, "uth-ma", "manual"), "7", SALT)
        for _ in range(times):
            run.disconnect(10)
            run.reconnect(20)
        results.append(ExamTrainee(run).take().result().failures)
    assert results == [(), ("Reconnected 2 times; the limit is 1.",)]


# --- no answers, and the seal ---


def test_the_public_view_has_no_answer_and_the_seed_is_sealed() -> None:
    seed = "a seed that nobody may see"
    run = ExamRun(exam_setup(replace(TEST, players=2), "uth-ma"), seed, SALT)
    writer = ExamWriter(run)
    trainee = ExamTrainee(run)
    sent = writer.lines()
    for _ in range(400):
        trainee.step()
        sent += writer.lines() + msgspec.json.encode(run.public(trainee.time))
    assert not run.over
    assert seed.encode() not in sent
    assert SALT.encode() not in sent
    public = msgspec.to_builtins(run.public(trainee.time))
    assert set(public) == {
        "exam", "title", "exam_hash", "rulebook", "rulebook_hash", "commitment", "rounds", "closed",
        "state", "left", "examiner",
    }  # fmt: skip
    for hidden in (run.opened, run.result):
        with pytest.raises(SessionError, match="stays secret until the exam is over"):
            hidden()
    run.abort(trainee.time)
    assert run.opened() == (seed, SALT)
    assert hashlib.sha256(f"{seed}{SALT}".encode()).hexdigest() == run.commitment == public["commitment"]


def test_a_seed_that_the_trainee_chose_gives_no_certificate() -> None:
    passed = taken(small(), examiner="T. Reyes").result()
    assert passed.certificate
    known = taken(small(), examiner="T. Reyes", seed_known=True).result()
    assert known.passed
    assert not known.certificate
    assert "The trainee knew the seed" in "\n".join(score_text(known))
    alone = taken(small()).result()
    assert (alone.passed, alone.certificate, alone.examiner) == (True, False, "self-administered")


# --- the record ---


def recorded(exam: Exam = TEST, seed: str = "1", stop: int = 0) -> tuple[bytes, r.ExamResult]:
    """The record of an exam with slips and a lost connection, and its result."""
    run = ExamRun(exam_setup(replace(exam, players=2), "uth-ma", "manual"), seed, SALT)
    writer, trainee = ExamWriter(run), Sloppy(run)
    data = writer.lines()
    for number in range(5000):
        if run.over:
            break
        if number == 50:
            run.disconnect(trainee.time)
            data += writer.lines()
            run.reconnect(trainee.time + 5000)
        if number == stop > 0:
            run.abort(trainee.time)
        trainee.step()
        data += writer.lines(ENDED)
    return data, run.result(ENDED, writer.head)


@pytest.fixture(scope="module")
def record() -> tuple[bytes, r.ExamResult]:
    """A record, and the result that was printed for it."""
    return recorded()


def test_a_record_replays_to_the_same_result(record: tuple[bytes, r.ExamResult]) -> None:
    data, result = record
    again = result_of(read_exam_record(data), load("uth-ma"))
    assert again == result
    assert again.record == hashlib.sha256(data).hexdigest()
    assert result.slips
    assert [one.kind for one in result.incidents] == ["connection lost", "reconnected"]


@pytest.mark.parametrize("limit", [0, MINUTE])
def test_the_record_of_an_exam_that_did_not_finish_replays(limit: int) -> None:
    """An exam that was aborted, and one whose time was over."""
    exam = replace(TEST, time=replace(TEST.time, exam=limit, round=0))
    data, result = recorded(exam, stop=0 if limit else 60)
    assert result.outcome == (r.OUT_OF_TIME if limit else r.ABORTED)
    assert result_of(read_exam_record(data), load("uth-ma")) == result


def test_a_record_that_stops_in_the_middle_is_an_abort(record: tuple[bytes, r.ExamResult]) -> None:
    data, whole = record
    lines = data.splitlines(keepends=True)
    result = result_of(read_exam_record(b"".join(lines[:200])), load("uth-ma"))
    assert (result.outcome, result.commitment) == (r.ABORTED, whole.commitment)
    assert (result.seed, result.passed) == ("", False)


def test_a_changed_record_is_refused(record: tuple[bytes, r.ExamResult]) -> None:
    data, _ = record
    lines = data.splitlines(keepends=True)
    changes = [
        data.replace(b'"seed":"1"', b'"seed":"2"'),
        data.replace(b'"trainee":"Noor Haddad"', b'"trainee":"Anyone Else"'),
        data[:-1],
        b"".join([*lines[:40], *lines[41:]]),
        data + lines[-2],
        b"{}\n" + data,
        b"",
    ]
    for changed in changes:
        with pytest.raises(SessionError):
            result_of(read_exam_record(changed), load("uth-ma"))


def of_present_rulebook(data: bytes) -> bytes:
    """Return a record with the hash of the rulebook as it is worded now, and with its sums computed again."""
    lines, check_sum = [], ""
    for line in data.splitlines():
        old = msgspec.json.decode(line).get("setup", {}).get("rulebook_hash", "")
        body = line.rpartition(b',"sum":"')[0] + b"}"
        body = body.replace(old.encode(), load("uth-ma").hash.encode()) if old else body
        check_sum = _check_sum(check_sum, body)
        lines.append(body[:-1] + f',"sum":"{check_sum}"}}\n'.encode())
    return b"".join(lines)


def test_a_record_of_the_first_format_keeps_its_score_and_its_head() -> None:
    """It has reports without rulings, which were not asked for at that time."""
    data = of_present_rulebook((Path(__file__).parent / "records" / "exam-format-1.jsonl").read_bytes())
    record = read_exam_record(data)
    result = result_of(record, load("uth-ma"))
    assert (result.passed, result.score, result.slips) == (True, 100, ())
    assert "rulings" not in {one.name for one in result.measures}
    assert record.head == hashlib.sha256(data).hexdigest()
    # Written again, its first line is the same.
    assert record.end is not None
    run = ExamRun(record.setup, record.end.seed, record.end.salt)
    again, first = (msgspec.json.decode(text.splitlines()[0]) for text in (ExamWriter(run).lines(), data))
    assert {**again, "sum": ""} == {**first, "sum": ""}


def test_a_seed_that_was_not_sealed_is_refused() -> None:
    """The sums fit, so the writer itself has cheated about the seed."""

    class Cheat(ExamRun):
        def opened(self) -> tuple[str, str]:
            return "another seed", SALT

    run = Cheat(exam_setup(small(rounds=1), "uth-ma"), "7", SALT)
    writer = ExamWriter(run)
    run.abort(1)
    with pytest.raises(SessionError, match="does not fit the commitment"):
        result_of(read_exam_record(writer.lines(ENDED)), load("uth-ma"))


def test_the_sheet_says_what_the_program_cannot_see() -> None:
    result = taken(small(rounds=1)).result()
    blank = [one.name for one in result.categories if not one.seen]
    assert blank == ["Appearance", "Presence", "Shuffle"]
    page = score_page(result)
    assert page.count("for the examiner") == 3
    assert "The program cannot see the last three." in page


def test_a_name_cannot_write_html() -> None:
    result = taken(small(rounds=1), trainee="<script>alert(1)</script>").result()
    page = score_page(result, "<b>", "<i>x</i>")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(("clause", "fails"), [("MA-10.e", True), (None, False)])
@pytest.mark.parametrize("kind", ch.KINDS)
def test_a_slip_without_a_clause_never_fails_an_exam_at_once(
    kind: str, clause: str | None, fails: bool
) -> None:
    """An exam may name any kind of slip. A missed call to the floor, for example, may have no clause."""
    exam = replace(TEST, fails=replace(TEST.fails, slips=(kind,)))
    slip = Verdict(kind=kind, entry=1, time=0, due=a.CallFloor(), clause=clause)
    judgement = Judgement((slip,), (), settled_twice=True)
    assert judgement.slips == (slip,)
    assert bool(list(automatic_failures(exam, [judgement], (), exam.rounds))) is fails
