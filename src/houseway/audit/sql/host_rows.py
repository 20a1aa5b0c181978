"""Database rows that count the open tables of each person, so that the limit per person holds across
servers.

Each open table takes one of its host's numbered slots. The primary key allows a slot to be taken once, so
two servers that open tables of one person at the same moment cannot exceed the limit together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houseway.audit.sql.short_transactions import ShortTransactions, Transaction


class HostRows:
    """The slots of open tables in one database."""

    def __init__(self, database: ShortTransactions) -> None:
        self._database = database

    def host(self, name: str, stream: str, most: int) -> bool:
        """Count a table for its host; return False if the host already has `most` open tables."""
        with self._database.transaction() as transaction:
            return _take_slot(transaction, name, stream, most)

    def free_slots(self, streams: Iterable[str]) -> None:
        """Stop counting tables that are closed, or that were never opened."""
        with self._database.transaction() as transaction:
            for stream in sorted(streams):
                transaction.do("DELETE FROM table_hosts WHERE stream = :stream", stream=stream)

    def reconcile_hosts(self, hosts: Mapping[str, str]) -> None:
        """Make the count match these tables, given with their hosts.

        Only for a house with one server: a second server could be opening a table meanwhile, and
        the slot of that table would be lost.
        """
        with self._database.transaction() as transaction:
            counted = {stream for (stream,) in transaction.read("SELECT stream FROM table_hosts")}
            for stream in sorted(counted - hosts.keys()):
                transaction.do("DELETE FROM table_hosts WHERE stream = :stream", stream=stream)
            for stream in sorted(hosts.keys() - counted):
                _take_slot(transaction, hosts[stream], stream)


def _take_slot(transaction: Transaction, name: str, stream: str, most: int | None = None) -> bool:
    """Take the first free slot of a person; return False if `most` slots are taken."""
    while True:
        rows = transaction.read("SELECT slot FROM table_hosts WHERE person = :name", name=name)
        taken = {slot for (slot,) in rows}
        # Count the slots instead of looking for a free number: after the limit is lowered, slot 1 can be
        # free while the person has too many tables.
        if most is not None and len(taken) >= most:
            return False
        added = transaction.do(
            "INSERT INTO table_hosts (person, slot, stream) VALUES (:name, :slot, :stream)"
            " ON CONFLICT (person, slot) DO NOTHING",
            name=name,
            slot=min(set(range(1, len(taken) + 2)) - taken),
            stream=stream,
        )
        if added:
            return True
        # Another server has taken the slot since.
