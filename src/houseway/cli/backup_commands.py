"""`backup` and `restore`: copy a server's whole database while it runs, and put a copy into an empty
database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from houseway.audit.backup import Watermark, back_up, backup_name, watermark_file
from houseway.audit.backup import restore as restore_backup
from houseway.audit.verify import VerificationReport
from houseway.cli.output import complain, file_problem, write, write_json
from houseway.wording import several


class _Reports:
    """Counts the records of a backup, and prints the faults."""

    def __init__(self) -> None:
        self.records = self.events = self.faults = 0

    def __call__(self, report: VerificationReport) -> None:
        self.records += 1
        self.events += report.events
        self.faults += len(report.faults)
        complain(f"{report.stream}, event {fault.seq}: {fault.message}" for fault in report.faults)

    @property
    def text(self) -> str:
        return f"{several(self.records, 'record')}, {several(self.events, 'event')}"


def backup(db: str, target: Path, /, *, json: bool = False) -> int:
    """Copy a running server's database to a verified SQLite file.

    The copy has everything that was on record at one moment. A file beside it, with .json added to its
    name, lists the last event of every record at that moment. Exit code 1 means that the server's own
    records have faults; the copy is kept.

    Parameters
    ----------
    db
        The server's database: a SQLite file or postgresql://….
    target
        The file to write, or a folder; a file in a folder is named after the current time.
    json
        Print one JSON document.
    """
    reports = _Reports()
    if target.is_dir():
        target /= backup_name(datetime.now(UTC))
    with file_problem("write", target):
        mark = back_up(db, target, reports)
    sound = not reports.faults
    if json:
        write_json({"file": str(target), "sound": sound, "watermark": mark})
    else:
        found = "verified" if sound else several(reports.faults, "fault")
        write(f"{target}: {reports.text}, {found}, as of {mark.at}")
        write(f"{watermark_file(target)}: the last event of every record; keep a copy elsewhere")
    return 0 if sound else 1


def restore(file: Path, db: str, /, *, json: bool = False) -> int:
    """Copy a verified backup into an empty database.

    The backup is verified before anything is written, and the database afterwards.

    The signing key is not in the backup: before you start the server, put the key file where the server
    expects it.

    Parameters
    ----------
    file
        A file that `houseway backup` wrote.
    db
        A new SQLite file, or an empty PostgreSQL database as postgresql://….
    json
        Print one JSON document.
    """
    reports = _Reports()
    with file_problem("read", file):
        mark: Watermark | None = restore_backup(file, db, reports)
    if json:
        write_json({"sound": True, "records": reports.records, "events": reports.events, "watermark": mark})
    else:
        moment = f", as of {mark.at}" if mark else "; there was no watermark file (.json) beside the backup"
        write(f"{reports.text} restored and verified{moment}")
    return 0
