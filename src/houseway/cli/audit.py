"""`audit`: verify and follow records, explain rounds, settle disputes, export and import, prove cards."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from houseway.audit.archive import Archive, import_record, open_record
from houseway.audit.atomic_files import atomic_file
from houseway.audit.dispute import dispute as find_dispute
from houseway.audit.encrypted_store import with_secrets_key
from houseway.audit.explain import explain as explain_round
from houseway.audit.explain import story_lines
from houseway.audit.export import export_lines
from houseway.audit.history import is_table_history, read_history, write_history
from houseway.audit.history_rounds import HistoryRound, read_rounds
from houseway.audit.history_text import HistoryError
from houseway.audit.kept_heads import HeadDocument, KeptHead, read_heads
from houseway.audit.roles import FLOOR, RAIL, SURVEILLANCE, read_role
from houseway.audit.round_proofs import proofs as prove
from houseway.audit.store import Head, Store
from houseway.audit.store_factory import open_store
from houseway.audit.streams import HOUSE_LOG, is_table
from houseway.audit.verify import VerificationReport
from houseway.audit.verify import verify as verify_record
from houseway.audit.verify_house import verify_house
from houseway.cli.certificate_commands import check_certificate_file
from houseway.cli.dispute_output import show_dispute
from houseway.cli.follow import follow
from houseway.cli.output import BadInputError, bad_input, complain, file_problem, write, write_json
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement, settlement_line
from houseway.wording import several

LONG = 50_000
"""The number of events between two progress lines."""

SQLITE = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""

audit = App(name="audit", help="Verify, follow, explain, dispute, export and import records.")
audit.command(check_certificate_file, name="certificate", sort_key=20)
audit.command(follow, sort_key=7)


def _pick_stream(known: list[str], table: str) -> str:
    """Return the stream of the named table or ledger; without a name, the only one in the record."""
    if table in known:
        return table
    listed = ", ".join(known) or "none"
    if table:
        raise BadInputError(f"--table {table}: no such table in this record; it has {listed}")
    tables = [stream for stream in known if is_table(stream)]
    only = tables if len(tables) == 1 else known
    if len(only) != 1:
        raise BadInputError(f"choose a table with --table; this record has {listed}")
    return only[0]


def _key(text: str) -> bytes | None:
    """Read a public key; None for an empty text."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if text and len(key) != 32:
        raise BadInputError(f"--key must be 64 hexadecimal digits (got {text!r})")
    return key or None


def _noted_head(text: str) -> Head | None:
    """Read a head written as EVENTS:CHAIN."""
    if not text:
        return None
    events, _, chain = text.partition(":")
    # Python raises an error for numbers with thousands of digits.
    if re.fullmatch("[0-9]{1,18}", events) is None or re.fullmatch("[0-9a-f]{64}", chain) is None:
        raise BadInputError(f'--at-least must be EVENTS:CHAIN, the "head" of verify --json (got {text!r})')
    return Head(int(events), bytes.fromhex(chain))


def _role(text: str) -> str:
    with bad_input("--as: "):
        return read_role(text)


def _progress(done: int, of: int) -> None:
    if of > LONG and done // LONG > (done - 1) // LONG:
        sys.stderr.write(f"houseway: {done} of {of} events\n")


@audit.command(sort_key=0)
def verify(
    where: str,
    /,
    *,
    table: str = "",
    key: str = "",
    at_least: str = "",
    against: list[Path] | None = None,
    secrets_key: Path | None = None,
    json: bool = False,
) -> int:
    """Replay a record and list every fault in its chain, signatures, shuffles and payments.

    Without --table, all records are also compared with the house log. Exit code 1 means that there are
    faults.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        Verify only this table; default: all of them.
    key
        The house's public key, if you got it from the house itself; default: the key in the record.
    at_least
        A "head" that verify --json printed earlier, as EVENTS:CHAIN. The record must still contain it.
    against
        A file with signed heads that were kept elsewhere: from audit head, from serve --heads, or from a
        player's browser. The records must still contain them. May be repeated; --empty-against means none.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    json
        Print one JSON document.
    """
    trusted, noted = _key(key), _noted_head(at_least)
    with closing(open_record(where, secrets_key)) as store:
        streams = sorted([*store.streams(), *store.strays()])
        kept = _kept_heads(against or ())
        whole = not table and noted is None and not isinstance(store, Archive)
        if not whole:
            streams = [_pick_stream(streams, table)]
        if not streams and not kept:
            raise BadInputError(f"{store.where} has no records")
        if whole:
            reports = verify_house(store, key=trusted, kept=kept, progress=_progress)
        else:
            heads = kept.get(streams[0], ())
            reports = [
                verify_record(
                    store, streams[0], key=trusted, at_least=noted, kept=heads, progress=_progress
                )
            ]
        if json:
            write_json([{"sound": report.sound, **msgspec.structs.asdict(report)} for report in reports])
        else:
            for report in reports:
                sys.stdout.write("\n".join(_report(report, store, trusted=trusted is not None)) + "\n")
    return 0 if all(report.sound for report in reports) else 1


def _kept_heads(files: Iterable[Path]) -> dict[str, list[KeptHead]]:
    """Return the heads in files, by record."""
    kept: dict[str, list[KeptHead]] = {}
    for file in files:
        for document in read_heads(file):
            head = KeptHead(document.signed.head, f"the head in {file}")
            kept.setdefault(document.stream, []).append(head)
    return kept


@audit.command(sort_key=8)
def head(where: str, /, *, table: str = HOUSE_LOG) -> int:
    """Print the newest signed head of the house log as JSON, to be kept outside the database.

    `verify --against` compares it with the database later: an older copy does not contain it.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        Print the head of this table or ledger instead.
    """
    with closing(open_record(where)) as store:
        signed = store.head(table)
        if signed is None:
            listed = ", ".join(store.streams()) or "no records"
            raise BadInputError(f"{store.where} has no {table}; it has {listed}")
        write(msgspec.json.encode(HeadDocument.of(table, signed)).decode())
    return 0


def _report(report: VerificationReport, store: Store, *, trusted: bool) -> Iterator[str]:
    """Yield the lines of a verification report."""
    count = f"{several(report.events, 'event')}, {several(report.rounds, 'round')}"
    faults = several(len(report.faults), "fault")
    yield f"{report.stream}: {'sound' if report.sound else faults} ({count})"
    for fault in report.faults:
        event = f"event {fault.seq}"
        # Many messages name the event themselves.
        places = [event] if fault.seq and not fault.message.startswith(f"{event} ") else []
        places += [f"line {store.line(fault.seq)}"] if fault.seq and isinstance(store, Archive) else []
        place = f"{', '.join(places)}: " if places else ""
        yield f"  {place}{fault.message} ({fault.code})"
    if report.settled_again:
        again = several(report.settled_again, "round was", "rounds were")
        yield f"  {again} settled again, independently of the table.{_not_settled(report)}"
    if report.key and not trusted:
        advice = "compare this key with the house's public key, or pass the house's key with --key"
        yield f"  Signed with {report.key}: {advice}."
    yield from (f"  Not fully checked: {lack}." for lack in report.lacked)
    yield from (f"  Note: {note}." for note in report.notes)


def _not_settled(report: VerificationReport) -> str:
    """Return a sentence about the rounds that could not be settled again; empty if there are none."""
    count = report.rounds - report.settled_again
    if not count:
        return ""
    if count == 1:
        return " 1 was not: it is void, or some of its cards were never shown."
    return f" {count} were not: they are void, or some of their cards were never shown."


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
    secrets_key: Path | None = None,
) -> int:
    """Export a record as JSON lines, with the hidden cards that the chosen role may see.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        The table to export, if the store has several.
    as_
        The role to export for: seat:N (the cards dealt to this seat alone in one command), rail (a
        spectator), floor (the floor supervisor) or surveillance (sees every card).
    out
        The file to write; default: stdout.
    format_
        jsonl, or history for a text with one line per command (needs --as surveillance).
    secrets
        Export everything, including the random seeds of the shuffles. Use it only to move your own server.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    """
    role = _role(as_)
    if format_ == "history" and role != SURVEILLANCE:
        raise BadInputError("--format history contains every card dealt; add --as surveillance")
    _check_target(out, where)
    with closing(open_record(where, secrets_key)) as store:
        stream = _pick_stream(store.streams(), table)
        if format_ == "history":
            lines: Iterable[bytes] = (f"{line}\n".encode() for line in write_history(store, stream))
        else:
            lines = export_lines(store, stream, role, secrets=secrets)
        _write(lines, out, private=secrets or role not in (RAIL, FLOOR))
    return 0


def _check_target(out: Path | None, where: str) -> None:
    """Raise an error if the output would overwrite a record."""
    if out is None:
        return
    is_database = False
    with file_problem("write", out):
        same = out.exists() and Path(where).exists() and out.samefile(where)
        if out.is_file():
            with out.open("rb") as file:
                is_database = file.read(len(SQLITE)) == SQLITE
    if same or is_database:
        what = "the record itself" if same else "a SQLite file that may hold other records"
        raise BadInputError(f"--out {out} is {what}; choose another file")


def _write(lines: Iterable[bytes], out: Path | None, *, private: bool) -> None:
    if out is None:
        sys.stdout.buffer.writelines(lines)
        return
    with file_problem("write", out):
        # A pipe or a device is written directly; a file appears only when it is complete.
        special = out.exists() and not out.is_file()
        with out.open("wb") if special else atomic_file(out, 0o600 if private else 0o666) as file:
            file.writelines(lines)


@audit.command(name="import", sort_key=3)
def import_(file: Path, /, *, into: str, secrets_key: Path | None = None) -> int:
    """Verify an exported record and import it. If the record has faults, nothing is written.

    Parameters
    ----------
    file
        An exported file.
    into
        A SQLite file or postgresql://…; the file is created if it does not exist.
    secrets_key
        The file with the key under which the record's secrets are encrypted; it is created if it does not
        exist.
    """
    archive = Archive(file)
    report = verify_record(archive, archive.header.stream, progress=_progress)
    for fault in report.faults:
        complain([f"{file}, line {archive.line(fault.seq)}: {fault.message}"])
    if not report.sound:
        complain(["nothing was imported"])
        return 1
    with closing(with_secrets_key(open_store(into), secrets_key, writes=True)) as store:
        import_record(store, archive)
    complete = archive.secrets or not is_table(report.stream)
    limits = "" if complete else "; you can read and verify this record, but not continue its game"
    sys.stdout.write(f"{report.stream}: {several(report.events, 'event')} imported{limits}\n")
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
    values: Annotated[bool, Parameter(negative="")] = False,
    secrets_key: Path | None = None,
    json: bool = False,
) -> int:
    """Explain a round in sentences, from the shuffle to the last payment, as one role saw it.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or an exported file.
    table
        The table to explain, if the store has several.
    round_
        The round's number; default: the last round.
    as_
        The role: seat:N, rail (a spectator), floor (the floor supervisor), or surveillance, which sees
        every card of a finished round.
    clauses
        Also print the text of the clauses.
    values
        Also print the exact value of each choice: of the seat's own decisions, or for surveillance of
        every seat's.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    json
        Print one JSON document.
    """
    role = _role(as_)
    with closing(open_record(where, secrets_key)) as store:
        stream = _pick_stream(store.streams(), table)
        story = explain_round(store, stream, round_, role, clauses=clauses)
        if values:
            # Only this option needs the solver, which takes a moment to import.
            from houseway.cli.explained_values import reviewed_seats, values_data, values_lines

            reviews = reviewed_seats(store, stream, story.number, role)
            if json:
                write_json(msgspec.to_builtins(story) | {"values": values_data(reviews)})
            else:
                write("\n".join([*story_lines(story), *values_lines(reviews)]))
            return 0
    if json:
        write_json(story)
    else:
        write("\n".join(story_lines(story)))
    return 0


@audit.command(sort_key=6)
def dispute(
    where: str,
    /,
    *,
    round_: Annotated[int | None, Parameter(name="--round")] = None,
    table: str = "",
    secrets_key: Path | None = None,
    json: bool = False,
) -> int:
    """Rebuild a round from the discard rack, settle it again, and compare each payment with the rules.

    It prints every card of the round, including folded hands. Exit code 1 means that a wager was not paid
    as the rules say.

    Parameters
    ----------
    where
        A SQLite file, postgresql://…, or a file exported for surveillance.
    round_
        The round's number; default: the last closed round.
    table
        The round's table, if the store has several.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    json
        Print one JSON document, with amounts in cents.
    """
    with closing(open_record(where, secrets_key)) as store:
        found = find_dispute(store, _pick_stream(store.streams(), table), round_)
    if json:
        write_json(found)
    else:
        show_dispute(found)
    return 1 if found.difference else 0


@audit.command(sort_key=5)
def proofs(
    where: str,
    /,
    *,
    round_: Annotated[int, Parameter(name="--round")],
    table: str = "",
    as_: Annotated[str, Parameter(name="--as")] = "rail",
    secrets_key: Path | None = None,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
) -> int:
    """Write proofs that a round's cards match their seal. Check them with verify_round.py.

    Parameters
    ----------
    where
        The server's own record: a SQLite file, postgresql://…, or a file exported with --secrets.
    round_
        The round's number.
    table
        The round's table, if the store has several.
    as_
        The role whose cards to prove: seat:N, rail (a spectator), or surveillance for all cards.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    out
        The file to write; default: stdout.
    """
    role = _role(as_)
    _check_target(out, where)
    with closing(open_record(where, secrets_key)) as store:
        document = prove(store, _pick_stream(store.streams(), table), round_, role)
    _write([msgspec.json.encode(document) + b"\n"], out, private=role not in (RAIL, FLOOR))
    return 0


@audit.command(sort_key=4)
def history(file: Annotated[str, Parameter(allow_leading_hyphen=True)], /, *, json: bool = False) -> int:
    """Settle the rounds of a hand history, or replay a table's exported history.

    Exit code 2 means that a round was refused.

    Parameters
    ----------
    file
        A text file, or - for standard input.
    json
        Print one JSON document.
    """
    with file_problem("read", file):
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    if raw.startswith(SQLITE):
        how = f"houseway audit export {file} --as surveillance --format history"
        raise BadInputError(f"{file} is a record, not a hand history in text; export it first: {how}")
    with bad_input(f"{file} is not UTF-8 text: "):
        text = raw.decode("utf-8-sig")
    try:
        if is_table_history(text):
            return _replay_history(text, json=json)
        return _settle_rounds(read_rounds(text), json=json)
    except HistoryError as error:
        raise BadInputError(f"{file}, {error}") from error


def _settle_rounds(rounds: list[HistoryRound], *, json: bool) -> int:
    """Settle the rounds of a hand history and print them; return the exit code."""
    from houseway.cli.settlement_output import show_settlement

    window = Window()
    answers = [(round_, window.settle(round_.data, show_cards=not json)) for round_ in rounds]
    if json:
        write_json([{"round": round_.name, "answer": answer} for round_, answer in answers])
    code = 0
    for round_, answer in answers:
        if not isinstance(answer, Settlement):
            code = complain(_refusal_text(round_, refusal) for refusal in answer.refused)
        elif not json:
            write(f"Round {round_.name}")
            show_settlement(round_.data, window, answer)
            write("")
    return code


def _refusal_text(round_: HistoryRound, refusal: Refusal) -> str:
    """Return a refusal with its line of the history."""
    path = max((p for p in round_.lines if refusal.where.startswith(p)), key=len)
    return f"line {round_.lines[path]}: {refusal.message} ({refusal.clause or refusal.code})"


def _replay_history(text: str, *, json: bool) -> int:
    """Replay a table's history, and print its rounds."""
    _, steps = read_history(text)
    rounds = [
        (step.after.round.number, [settlement_line(wager) for wager in step.after.round.settled])
        for step in steps
        if any(isinstance(event, e.RoundClosed) for event in step.events)
    ]
    if json:
        listed = [{"round": number, "lines": lines} for number, lines in rounds]
        write_json({"commands": len(steps), "events": sum(len(s.events) for s in steps), "rounds": listed})
        return 0
    for number, lines in rounds:
        write(f"Round {number}")
        for line in lines:
            seat = f"seat {line.seat}" + (f".{line.hand}" if line.hand > 1 else "")
            wager = line.wager.replace("_", " ")
            write(f"  {seat} {wager} {line.stake} {line.result} {line.net} ({line.clause})")
    write(f"{several(len(steps), 'command')} replayed, {several(len(rounds), 'round')} finished.")
    return 0
