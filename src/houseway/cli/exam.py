"""`exam`: take an exam for dealers in the terminal, and print its score sheet."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from houseway.cli.output import BadInputError, file_problem, unused, write, write_json, wrote
from houseway.cli.train import BOOK, new_file
from houseway.rules.loader import load

if TYPE_CHECKING:
    from houseway.certificates.keys import SigningKey
    from houseway.report.exam_result import ExamResult
    from houseway.training.exams.run import ExamSetup

LONGEST_NAME = 100
SEED_BYTES = 16


def exam(
    rulebook: str | None = None,
    /,
    *,
    exam: str = "practice",
    mode: str = "",
    trainee: str = "",
    examiner: Path | None = None,
    name: str = "",
    record: Path | None = None,
    sheet: Path | None = None,
    certificate: Path | None = None,
    attempts: Path | None = None,
    seed: str = "",
    replay: Path | None = None,
    json: bool = False,
) -> int:
    """Take an exam for dealers: deal by the rulebook, and see your score sheet at the end.

    You type acts as in "houseway train". During the exam you see no slips and no clauses. The cards are
    fixed before the exam starts, and their seed stays secret until the end. If the exam has a time
    limit, you get one warning, when one minute is left. Type "quit" to end the exam early; the record
    shows that you quit.

    Without --examiner, the exam is self-administered: no examiner vouches for the result, and there is
    no certificate. With --examiner and --name, a passed exam gives you a certificate signed with that
    house's key.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file; default: uth-ma.
    exam
        practice, table-test, or a TOML file of your own.
    mode
        The deal mode: manual or device. Some wagers exist in only one mode; the default is the mode that
        offers more kinds of wagers.
    trainee
        The trainee's name on the sheet and the certificate; the trainee can choose any name.
    examiner
        The key file that signs the certificate; "houseway certificate key" creates one.
    name
        The examiner's name, with --examiner.
    record
        A new file for the record of the exam: every act with its time.
    sheet
        Write the score sheet to this HTML file.
    certificate
        A new file for the certificate; default: certificate.jwt in this folder.
    attempts
        The file with the list of attempts. With --examiner, the default is the key file's name plus
        .attempts.
    seed
        A seed of your own, to rehearse. The sheet says that the seed was known.
    replay
        A file that --record wrote: print its score sheet again, under the rulebook whose text is in the
        file. Older files have no text: if their rulebook is a TOML file, name it too.
    json
        With --replay: print the result as JSON, with amounts in cents and times in milliseconds.
    """
    if replay is not None:
        return _replay(replay, rulebook, sheet, json=json)
    if json:
        raise BadInputError("--json needs --replay; record an exam first")
    from houseway.certificates.attempts import note_end, note_start
    from houseway.certificates.keys import read_key
    from houseway.play.exam_screen import ExamScreen
    from houseway.training.exams.run import SALT_BYTES, ExamRun

    _check_names(trainee, examiner, name, seed)
    if examiner is not None and record is None:
        raise BadInputError("--examiner needs --record: the certificate names the record of the exam")
    if certificate is not None and certificate.exists():
        raise BadInputError(f"--certificate {certificate} exists already; name a new file")
    key = read_key(examiner) if examiner is not None else None
    listed = attempts or (examiner.with_name(f"{examiner.name}.attempts") if examiner is not None else None)
    setup = _setup(rulebook or BOOK, exam, mode, trainee or "Trainee", name, listed, known=bool(seed))
    run = ExamRun(
        setup, seed or secrets.token_hex(SEED_BYTES), secrets.token_hex(SALT_BYTES), load(rulebook or BOOK)
    )
    start = time.monotonic_ns()
    with new_file(record) as file:
        if listed is not None:
            note_start(listed, setup, run.commitment)
        screen = ExamScreen(run, sys.stdout, lambda: (time.monotonic_ns() - start) // 1_000_000, _now, file)
        if isinstance(sys.stdin, TextIOWrapper):
            # Undecodable bytes become an unknown command, not a traceback.
            sys.stdin.reconfigure(errors="replace")
        with suppress(KeyboardInterrupt):
            screen.run(sys.stdin, "> " if sys.stdin.isatty() and sys.stdout.isatty() else "")
        if not run.over:
            screen.abort()
    result = screen.result()
    if listed is not None:
        note_end(listed, result)
    return _finish(result, key, sheet, certificate)


def _check_names(trainee: str, examiner: Path | None, name: str, seed: str) -> None:
    for option, text in (("--trainee", trainee), ("--name", name), ("--seed", seed)):
        if not text.isprintable() or len(text) > LONGEST_NAME:
            raise BadInputError(f"{option} must be printable text of at most {LONGEST_NAME} characters")
    if (examiner is None) == bool(name):
        raise BadInputError("--examiner and --name belong together: the key file and the examiner's name")
    if examiner is not None and not trainee:
        raise BadInputError("--examiner needs --trainee, the name on the certificate")
    if examiner is not None and seed:
        raise BadInputError("--seed cannot be used with --examiner: the seed of a signed exam is secret")


def _setup(
    ref: str, exam: str, mode: str, trainee: str, examiner: str, attempts: Path | None, *, known: bool
) -> ExamSetup:
    from houseway.certificates.attempts import earlier_attempts
    from houseway.cli.exam_file import find_exam
    from houseway.live.exam_tables import exam_tables
    from houseway.training.exams.run import ExamSetup

    book, data = load(ref), find_exam(exam)
    if mode and mode not in book.modes:
        raise BadInputError(f"--mode must be {' or '.join(book.modes)} for {book.id} (got {mode!r})")
    tables = exam_tables(data, book, mode)
    before = None
    if attempts is not None:
        before = earlier_attempts(attempts, trainee, data.hash, book.hash)
    return ExamSetup(
        exam=data,
        rulebook=book.id,
        rulebook_hash=book.hash,
        terms=tables.terms,
        backs=tables.backs,
        trainee=trainee,
        examiner=examiner,
        started=_now(),
        earlier=before,
        seed_known=known,
        next_table=tables.next_table,
        rulings=True,
        rulebook_text=book.text,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _finish(result: ExamResult, key: SigningKey | None, sheet: Path | None, file: Path | None) -> int:
    """Sign the certificate, write the sheet, and return the exit code: 0 if the exam was passed."""
    from houseway.certificates.credential import issue

    token = ""
    if key is not None and result.certificate:
        token = issue(key, result, int(time.time()))
        target = file or unused("certificate", ".jwt", token)
        with file_problem("create", target), target.open("x", encoding="ascii") as out:
            out.write(token + "\n")
        wrote("the certificate", target)
    if sheet is not None:
        _write_sheet(result, sheet, token, key.listed.issuer.name if key is not None else "")
    return 0 if result.passed else 1


def _write_sheet(result: ExamResult, sheet: Path, token: str = "", issuer: str = "") -> None:
    from houseway.report.score_sheet import score_page

    write(score_page(result, token, issuer), sheet)
    wrote("the score sheet", sheet)


def _replay(path: Path, rulebook: str | None, sheet: Path | None, *, json: bool) -> int:
    """Print the score sheet of a record."""
    from houseway.report.score_sheet import score_text
    from houseway.training.exams.record import read_exam_record, result_of
    from houseway.training.session_file import MOST_BYTES
    from houseway.training.stored_rulebook import text_note

    with file_problem("read", path), path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    record = read_exam_record(data)
    result = result_of(record, load(rulebook) if rulebook is not None else None)
    if rulebook is None:
        note = text_note(result.rulebook, result.rulebook_hash)
        result = msgspec.structs.replace(result, rulebook_note=note)
    if json:
        write_json(msgspec.to_builtins(result) | {"score": result.score})
    else:
        write("\n".join(score_text(result)))
    if sheet is not None:
        _write_sheet(result, sheet)
    return 0 if result.passed else 1
