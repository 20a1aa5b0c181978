"""`audit`: replay a record, tell a round in prose, hand the record over and take it in."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from houseway.audit.archive import Archive, open_record, put_into
from houseway.audit.atomic_files import whole_file
from houseway.audit.explain import explain as tell
from houseway.audit.explain import printed
from houseway.audit.export import exported
from houseway.audit.history import is_table_history, read_history, written_history
from houseway.audit.history_rounds import ToldRound, read_rounds
from houseway.audit.history_text import HistoryError
from houseway.audit.roles import FLOOR, RAIL, SURVEILLANCE, read_role
from houseway.audit.round_proofs import proofs as prove
from houseway.audit.store import Head, Store
from houseway.audit.store_factory import open_store
from houseway.audit.verify import VerificationReport
from houseway.audit.verify import verify as verify_record
from houseway.cli.output import BadInputError, bad_input, complain, file_problem, write, write_json
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement, settlement_line
from houseway.wording import several

LONG = 50_000
"""Events after which a record is long enough to say how far it is read."""

SQLITE = b"SQLite format 3\0"
"""What every SQLite file begins with."""

audit = App(name="audit", help="Verify a record, tell its rounds in prose, hand it over.")


def _only(known: list[str], table: str) -> str:
    """The record meant: the one named, or the only one there is."""
    if table in known:
        return table
    listed = ", ".join(known) or "none"
    if table:
        raise BadInputError(f"there is no record of {table}; on record: {listed}")
    if len(known) != 1:
        raise BadInputError(f"name one with --table; on record: {listed}")
    return known[0]


def _key(text: str) -> bytes | None:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if text and len(found) != 32:
        raise BadInputError(f"--key is 64 hexadecimal digits, not {text!r}")
    return found or None


def _noted(text: str) -> Head | None:
    """A head as it was noted: EVENTS:CHAIN."""
    if not text:
        return None
    events, _, chain = text.partition(":")
    # Checked before it is read as a number: Python refuses one of thousands of digits.
    if re.fullmatch("[0-9]{1,18}", events) is None or re.fullmatch("[0-9a-f]{64}", chain) is None:
        raise BadInputError(f'--at-least is EVENTS:CHAIN, the "head" of verify --json, not {text!r}')
    return Head(int(events), bytes.fromhex(chain))


def _role(text: str) -> str:
    with bad_input("--as: "):
        return read_role(text)


def _progress(done: int, of: int) -> None:
    if of > LONG and done // LONG > (done - 1) // LONG:
        sys.stderr.write(f"houseway: {done} of {of} events\n")


@audit.command(sort_key=0)
def verify(where: str, /, *, table: str = "", key: str = "", at_least: str = "", json: bool = False) -> int:
    """Replay a record from nothing and name everything that is not as it must be; exit 1 if anything.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        The record of one table; without it all are verified.
    key
        The house's public key as you know it; without it that on record is taken.
    at_least
        EVENTS:CHAIN of a head you noted, as --json tells it: the record must go on from there.
    json
        Print one JSON document.
    """
    trusted, noted = _key(key), _noted(at_least)
    with closing(open_record(where)) as store:
        streams = sorted([*store.streams(), *store.strays()])
        if table or noted is not None:
            streams = [_only(streams, table)]
        if not streams:
            raise BadInputError(f"{store.where} holds no record")
        verified = partial(verify_record, store, key=trusted, at_least=noted, progress=_progress)
        reports = [verified(stream) for stream in streams]
        if json:
            write_json([{"sound": report.sound, **msgspec.structs.asdict(report)} for report in reports])
        else:
            for report in reports:
                sys.stdout.write("\n".join(_told(report, store, trusted=trusted is not None)) + "\n")
    return 0 if all(report.sound for report in reports) else 1


def _told(report: VerificationReport, store: Store, *, trusted: bool) -> Iterator[str]:
    count = f"{several(report.events, 'event')}, {several(report.rounds, 'round')}"
    wrong = several(len(report.faults), "fault")
    yield f"{report.stream}: {'sound' if report.sound else wrong} ({count})"
    for fault in report.faults:
        line = f", line {store.line(fault.seq)}" if isinstance(store, Archive) else ""
        place = f"event {fault.seq}{line}: " if fault.seq else ""
        yield f"  {place}{fault.message} ({fault.code})"
    if report.settled_again:
        again = several(report.settled_again, "round was", "rounds were")
        yield f"  {again} settled a second time, apart from the table."
    if report.key and not trusted:
        yield f"  Signed with {report.key}: compare it with the house's key, or give that with --key."
    yield from (f"  Lacked: {lack}." for lack in report.lacked)
    yield from (f"  Note: {note}." for note in report.notes)


@audit.command(sort_key=2)
def export(
    where: str,
    /,
    *,
    table: str = "",
    as_: Annotated[str, Parameter(name="--as")] = "rail",
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    format_: Annotated[Literal["jsonl", "history"], Parameter(name="--format")] = "jsonl",
    secrets: bool = False,
) -> int:
    """Write a record as JSON lines: the public part of every entry, and what a role may see besides.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        Whose record, where there are several.
    as_
        For whom: seat:N, rail or surveillance.
    out
        The file to write; without it stdout.
    format_
        jsonl, or history: every command in lines a person reads, as surveillance may know them.
    secrets
        Everything, with the seeds of the shoes: to move a house, for nobody else's eyes.
    """
    role = _role(as_)
    if format_ == "history" and role != SURVEILLANCE:
        raise BadInputError("a history holds every card that was dealt; export it --as surveillance")
    _require_other(out, where)
    with closing(open_record(where)) as store:
        stream = _only(store.streams(), table)
        if format_ == "history":
            lines: Iterable[bytes] = (f"{line}\n".encode() for line in written_history(store, stream))
        else:
            lines = exported(store, stream, role, secrets=secrets)
        _write(lines, out, private=secrets or role not in (RAIL, FLOOR))
    return 0


def _require_other(out: Path | None, where: str) -> None:
    """Refuse to write over a record."""
    if out is None:
        return
    kept = False
    with file_problem("write", out):
        same = out.exists() and Path(where).exists() and out.samefile(where)
        if out.is_file():
            with out.open("rb") as file:
                kept = file.read(len(SQLITE)) == SQLITE
    if same or kept:
        what = "the record to be exported" if same else "a SQLite file, maybe of other records"
        raise BadInputError(f"{out} is {what}; name another file")


def _write(lines: Iterable[bytes], out: Path | None, *, private: bool) -> None:
    if out is None:
        sys.stdout.buffer.writelines(lines)
        return
    with file_problem("write", out):
        # A pipe or a device is written as it is; a file is there when all of it is.
        special = out.exists() and not out.is_file()
        with out.open("wb") if special else whole_file(out, 0o600 if private else 0o666) as file:
            file.writelines(lines)


@audit.command(name="import", sort_key=3)
def import_(file: Path, /, *, into: str) -> int:
    """Take an exported record into a store; one that does not verify is refused, and nothing written.

    Parameters
    ----------
    file
        An exported file.
    into
        A SQLite file or postgresql://…; the file is made where there is none.
    """
    archive = Archive(file)
    report = verify_record(archive, archive.header.stream, progress=_progress)
    for fault in report.faults:
        sys.stderr.write(f"houseway: {file}, line {archive.line(fault.seq)}: {fault.message}\n")
    if not report.sound:
        sys.stderr.write("houseway: nothing was imported\n")
        return 1
    with closing(open_store(into)) as store:
        put_into(store, archive)
    goes_on = "" if archive.secrets else "; it can be read and verified, not continued"
    sys.stdout.write(f"{report.stream}: {several(report.events, 'event')} imported{goes_on}\n")
    return 0


@audit.command(sort_key=1)
def explain(
    where: str,
    /,
    *,
    table: str = "",
    round_: Annotated[int | None, Parameter(name="--round")] = None,
    as_: Annotated[str, Parameter(name="--as")] = "rail",
    clauses: bool = False,
    json: bool = False,
) -> int:
    """Tell a round in prose, from the shuffle to the last chip, as somebody at the table may know it.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        Whose record, where there are several.
    round_
        The round; without it the last one.
    as_
        Who is told: seat:N, rail, floor, or surveillance, who sees everything once a round is closed.
    clauses
        Say also what the clauses say.
    json
        Print one JSON document.
    """
    role = _role(as_)
    with closing(open_record(where)) as store:
        story = tell(store, _only(store.streams(), table), round_, role, clauses=clauses)
    if json:
        write_json(story)
    else:
        write("\n".join(printed(story)))
    return 0


@audit.command(sort_key=5)
def proofs(
    where: str,
    /,
    *,
    round_: Annotated[int, Parameter(name="--round")],
    table: str = "",
    as_: Annotated[str, Parameter(name="--as")] = "rail",
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
) -> int:
    """Write the proofs of a round's cards, for anybody to check with verify_round.py.

    Parameters
    ----------
    where
        The house's own record: a SQLite file, postgresql://…, or a file exported with --secrets.
    round_
        The round.
    table
        Whose record, where there are several.
    as_
        Whose cards: those that seat:N or the rail saw, or all of them for surveillance.
    out
        The file to write; without it stdout.
    """
    role = _role(as_)
    _require_other(out, where)
    with closing(open_record(where)) as store:
        found = prove(store, _only(store.streams(), table), round_, role)
    _write([msgspec.json.encode(found) + b"\n"], out, private=role not in (RAIL, FLOOR))
    return 0


@audit.command(sort_key=4)
def history(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, json: bool = False) -> int:
    """Settle rounds written as a hand history, wager by wager; play a table's history again.

    The exit code is 2 if a round is refused.

    Parameters
    ----------
    file
        A file, or - for standard input.
    json
        Print one JSON document.
    """
    with file_problem("read", file):
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    with bad_input(f"{file} is no text in UTF-8: "):
        text = raw.decode("utf-8-sig")
    try:
        if is_table_history(text):
            return _replayed(text, json=json)
        return _settled(read_rounds(text), json=json)
    except HistoryError as error:
        raise BadInputError(f"{file}, {error}") from error


def _settled(rounds: list[ToldRound], *, json: bool) -> int:
    from houseway.cli.settlement_output import show_settlement

    window = Window()
    answers = [(told, window.settle(told.data, show_cards=not json)) for told in rounds]
    if json:
        write_json([{"round": told.name, "answer": answer} for told, answer in answers])
    code = 0
    for told, answer in answers:
        if not isinstance(answer, Settlement):
            code = complain(_refused(told, refusal) for refusal in answer.refused)
        elif not json:
            write(f"Round {told.name}")
            show_settlement(told.data, window, answer)
            write("")
    return code


def _refused(told: ToldRound, refusal: Refusal) -> str:
    """A refusal with the line it is about: that of the longest path told."""
    path = max((p for p in told.lines if refusal.where.startswith(p)), key=len)
    return f"line {told.lines[path]}: {refusal.message} ({refusal.clause or refusal.code})"


def _replayed(text: str, *, json: bool) -> int:
    _, steps = read_history(text)
    rounds = [
        (step.after.round.number, [settlement_line(wager) for wager in step.after.round.settled])
        for step in steps
        if any(isinstance(event, e.RoundClosed) for event in step.events)
    ]
    if json:
        told = [{"round": number, "lines": lines} for number, lines in rounds]
        write_json({"commands": len(steps), "events": sum(len(s.events) for s in steps), "rounds": told})
        return 0
    for number, lines in rounds:
        write(f"Round {number}")
        for line in lines:
            seat = f"seat {line.seat}" + (f".{line.hand}" if line.hand > 1 else "")
            wager = line.wager.replace("_", " ")
            write(f"  {seat} {wager} {line.stake} {line.result} {line.net} ({line.clause})")
    write(f"{several(len(steps), 'command')} played again, {several(len(rounds), 'round')} closed.")
    return 0
