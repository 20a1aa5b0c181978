"""Verify a house: every record of a database, and the house log that connects them.

A record alone does not show that another record is missing, or that the record itself is an older copy. The
house log shows both: it has the heads that the records had. It also has the house's keys and every change
of a role.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from houseway.audit.chain import Fault
from houseway.audit.house_log import Roles, StreamsFound, StreamsOpened, plain_roles, read_log_entry
from houseway.audit.kept_heads import HeadCheck, KeptHead
from houseway.audit.store import DamagedError, HouseStore, SignedHead, Store
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.verify import Progress, VerificationReport, unreadable_report, verify, verify_chain
from houseway.audit.verify_house_log import HouseLogReplay
from houseway.wording import several

Kept = Mapping[str, Sequence[KeptHead]]
"""The heads that were kept elsewhere, by record."""


class StoredRoles(NamedTuple):
    """The roles in a database."""

    in_force: Roles
    """The roles that are not revoked, including roles that have expired."""
    revoked: Roles
    """The roles that were revoked, or that the house log may not have yet."""

    def problems(self, logged: Roles, earlier: Roles | None = None) -> list[str]:
        """Return the persons who have a role that the log did not give them, or lack a role that it gave
        them.

        `logged` are the roles that follow from the log after the database was read. `earlier` are the roles
        that followed from it before the database was read, if they may differ.
        """
        due = logged if earlier is None else earlier
        persons = {*self.in_force, *due}
        return sorted(
            person
            for person in persons
            if _pairs(self.in_force, person) - _pairs(logged, person)
            or _pairs(due, person) - _pairs(self.in_force, person) - _pairs(self.revoked, person)
        )


def _pairs(roles: Roles, person: str) -> set[tuple[str, str]]:
    return {(table, role) for table, given in roles.get(person, {}).items() for role in given}


def stored_roles(store: HouseStore) -> StoredRoles:
    """Return the roles of all persons in the database."""
    sorted_out: tuple[dict[str, dict[str, list[str]]], ...] = ({}, {})
    for row in store.people_rows().logged_roles():
        kind = sorted_out[row.revoked_by is not None]
        kind.setdefault(row.person, {}).setdefault(row.place, []).append(row.role)
    return StoredRoles(*map(plain_roles, sorted_out))


def verify_house(
    store: Store, *, key: bytes | None = None, kept: Kept | None = None, progress: Progress | None = None
) -> list[VerificationReport]:
    """Verify all records of a store, compare them with its house log, and return a report for each.

    `kept` has heads that were kept elsewhere, by record; the records must contain them. If the log or a
    kept head names a record that is missing, there is a report with a fault for it.
    """
    check = _HouseCheck(store, key, kept or {}, progress)
    return check.reports()


class _HouseCheck:
    """Verifies one house, and collects the reports."""

    def __init__(self, store: Store, key: bytes | None, kept: Kept, progress: Progress | None) -> None:
        self._store = store
        self._key = key
        self._kept = kept
        self._progress = progress
        self._log: HouseLogReplay | None = None
        self._reports: dict[str, VerificationReport] = {}

    def reports(self) -> list[VerificationReport]:
        """Return the report of each record, sorted by name."""
        # The log is read first. A running house may then add to its records, but it removes nothing.
        self._read_log()
        for stream in sorted({*self._store.streams(), *self._store.strays()} - {HOUSE_LOG}):
            self._reports[stream] = self._verify(stream)
        if self._log is not None:
            self._compare_roles(self._log)
            self._find_unlogged(self._log)
        self._find_missing()
        reports = [report for _, report in sorted(self._reports.items())]
        if self._log is None and HOUSE_LOG not in self._reports and reports:
            lack = (
                "the database has no house log (the server's own log of all its records), so a "
                "deleted record or an older copy of the database would not be noticed"
            )
            reports[-1] = replace(reports[-1], lacked=(*reports[-1].lacked, lack))
        return reports

    def _read_log(self) -> None:
        heads = HeadCheck(HOUSE_LOG, self._kept.get(HOUSE_LOG, ()))
        try:
            signed = self._store.head(HOUSE_LOG)
            if signed is None:
                if HOUSE_LOG in self._store.strays():
                    self._reports[HOUSE_LOG] = verify(self._store, HOUSE_LOG)
                return
            log = HouseLogReplay(self._store)
        except DamagedError as error:
            self._reports[HOUSE_LOG] = unreadable_report(HOUSE_LOG, str(error))
            return
        report = verify_chain(self._store, HOUSE_LOG, signed, log, heads, self._key, self._progress)
        self._reports[HOUSE_LOG] = replace(report, faults=(*report.faults, *_key_faults(log, signed)))
        self._log = log

    def _verify(self, stream: str) -> VerificationReport:
        kept, erased = list(self._kept.get(stream, ())), None
        if self._log is not None:
            kept += self._log.heads(stream)
            if stream in self._log.opened and stream not in self._log.state.without_secrets:
                erased = self._log.state.erased.get(stream, [])
        return verify(self._store, stream, key=self._key, kept=kept, erased=erased, progress=self._progress)

    def _add(self, stream: str, *faults: Fault) -> None:
        report = self._reports[stream]
        self._reports[stream] = replace(report, faults=(*report.faults, *faults))

    def _find_missing(self) -> None:
        """Add a report for each missing record that the log or a kept head names."""
        logged = self._log.state.heads if self._log is not None else {}
        for stream in {*logged, *self._kept} - self._reports.keys():
            events = max(
                [int(logged.get(stream, "0").partition(":")[0])]
                + [kept.head.events for kept in self._kept.get(stream, ())]
            )
            where = "the house log" if stream in logged else "a kept head"
            sentence = f"the record is missing; according to {where}, it has {several(events, 'event')}"
            self._reports[stream] = unreadable_report(stream, sentence, "missing-record")
        unlogged = [stream for stream, report in self._reports.items() if report.log]
        if HOUSE_LOG not in self._reports and unlogged:
            tables = several(len(unlogged), "table was", "tables were")
            sentence = f"the house log is missing, but {tables} opened while there was one"
            self._reports[HOUSE_LOG] = unreadable_report(HOUSE_LOG, sentence, "missing-record")

    def _find_unlogged(self, log: HouseLogReplay) -> None:
        """Add a fault to each record of this house that the log does not name, or names at another
        event."""
        opened = {*log.opened, *self._opened_since(log)}
        for stream, report in list(self._reports.items()):
            if stream != HOUSE_LOG and stream not in opened:
                if report.key and report.key != self._reports[HOUSE_LOG].key:
                    note = "the house log does not have this record, which is signed by another house"
                    self._reports[stream] = replace(report, notes=(*report.notes, note))
                else:
                    help_ = "if you imported it or played it with `houseway play`, start the server once"
                    sentence = f"the house log does not have this record; {help_}"
                    self._add(stream, Fault(0, "unlogged", sentence))
            elif report.log and log.opened.get(stream, report.log) != report.log:
                event = log.opened[stream]
                sentence = (
                    f"the record says that event {report.log} of the house log opened it; "
                    f"the log has it at event {event}"
                )
                self._add(stream, Fault(1, "unlogged", sentence))

    def _opened_since(self, log: HouseLogReplay) -> Iterator[str]:
        """Yield the records that were opened after the log was read."""
        for stored in self._store.entries(HOUSE_LOG, log.chain.head.events):
            try:
                event = read_log_entry(stored.public).events[0]
            except ValueError:
                return
            if isinstance(event, StreamsOpened | StreamsFound):
                yield from event.heads

    def _compare_roles(self, log: HouseLogReplay) -> None:
        """Add a fault for each person whose roles in the database differ from the roles in the log."""
        store: Any = self._store
        if not hasattr(store, "people_rows"):
            return
        # A running house may change roles meanwhile, so the log is read before and after the database.
        before = self._logged_roles(log)
        roles = stored_roles(store)
        after = self._logged_roles(log)
        for person in roles.problems(after, before):
            has, due = roles.in_force.get(person, {}), after.get(person, {})
            sentence = f"{person} has {_roles_text(has)}; the house log gave {_roles_text(due)}"
            self._add(HOUSE_LOG, Fault(0, "roles", sentence))

    def _logged_roles(self, log: HouseLogReplay) -> Roles:
        """Return the roles that follow from the log as it is now."""
        state = msgspec.convert(msgspec.to_builtins(log.state), type(log.state))
        for stored in self._store.entries(HOUSE_LOG, log.chain.head.events):
            try:
                state.follow(read_log_entry(stored.public))
            except ValueError:
                break
        return state.roles


def _key_faults(log: HouseLogReplay, signed: SignedHead) -> list[Fault]:
    if not log.state.key or log.state.key == signed.key.hex():
        return []
    sentence = f"the head is signed with {signed.key.hex()}, but the house's key is {log.state.key}"
    return [Fault(signed.head.events, "signature", sentence)]


def _roles_text(tables: Mapping[str, Sequence[str]]) -> str:
    """Describe the roles of a person."""
    listed = [
        f"{'/'.join(roles)} at {'every table' if table == '*' else table}"
        for table, roles in tables.items()
    ]
    return ", ".join(listed) or "no roles"
