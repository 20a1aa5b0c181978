"""The ledgers of a live table: its linked meter and the accounts of its players.

A ledger is read from the store before each command. Its new entries are stored in the same transaction as
the table's entries. If another table has changed the ledger in the meantime, nothing is stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from houseway.audit.ledgers import LedgerState, PendingLedger, ledger_terms, read_ledger
from houseway.audit.store import Batch, Head, StaleHeadError, StoreError
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.ledger_moves import (
    ACCOUNT,
    CHIPS,
    METER,
    ledger_move,
    meter_balances,
    split_balances,
)
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.live.table_plan import CHIPS as BUY_IN
from houseway.live.table_services import TableServices

LINK_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class TableLedgers:
    """Reads the ledgers whose balances a table changes, and collects their entries for the next batch."""

    def __init__(self, house: TableServices, table: str) -> None:
        self._house = house
        self._table = table
        self._known: dict[str, LedgerState] = {}
        """The last reading of each ledger, used only while the stored head is the same."""
        self._pending: dict[str, PendingLedger] = {}

    def clear(self) -> None:
        """Drop all cached readings and all entries that are not stored yet."""
        self._known, self._pending = {}, {}

    def _read(self, ledger: str) -> LedgerState | None:
        if ledger in self._pending:
            return self._pending[ledger].reading()
        house, known = self._house, self._known.get(ledger)
        reading = read_ledger(house.store, house.signer, ledger, known)
        if reading is not None:
            self._known[ledger] = reading
        return reading

    # --- commands ---

    def link(self, name: str) -> dict[str, Any] | Refusal:
        """Return the value of `link` in the command that opens a table with this linked meter."""
        if not LINK_NAME.fullmatch(name):
            sentence = (
                "a linked meter needs a name of up to 40 letters, digits, dots, hyphens and underscores"
            )
            return Refusal("bad-link", None, "link", sentence)
        reading = self._read(METER + name)
        if reading is None:
            return {"name": name}
        meters, reserves = split_balances(reading.balances)
        there = {"at": reading.head.events, "meters": meters, "reserves": reserves}
        return {"name": name, **ledger_terms(self._house.store, METER + name), **there}

    def sync(self, state: State) -> c.SyncMeters | None:
        """Return the command that updates a table's meters; None if they are up to date."""
        if not state.link:
            return None
        reading = self._read(METER + state.link)
        if reading is None:
            raise StoreError(f"{self._table}: {METER}{state.link} is not in this store; import it too")
        if reading.balances == meter_balances(state.meters, state.reserves):
            return None
        meters, reserves = split_balances(reading.balances)
        return c.SyncMeters(meters=meters, reserves=reserves, at=reading.head.events)

    def with_chips(self, command: c.Sit) -> c.Sit:
        """Return the command with all chips of the account, and new play chips up to the usual buy-in."""
        reading = self._read(ACCOUNT + command.account)
        return replace(command, chips=max(BUY_IN, reading.balances[CHIPS] if reading else 0))

    # --- entries ---

    def move(
        self, table: Table, seq: int, at: str, before: State, walk: Iterable[tuple[e.Event, State]]
    ) -> None:
        """Add the ledger entries of a command's events; `seq` is the number of the first event."""
        for number, (event, after) in enumerate(walk, seq):
            if isinstance(event, e.TableOpened) and event.link and not event.link_at:
                balances = meter_balances(event.meters, event.reserves)
                self._ledger(METER + event.link).open(self._table, number, at, balances, table.link_terms)
            moved = ledger_move(event, before, after)
            if moved is not None:
                ledger, changes = moved
                if ledger.startswith(METER):
                    self._move_meter(ledger, number, at, before, changes)
                else:
                    self._move_account(ledger, number, at, changes)
            before = after

    def _ledger(self, ledger: str) -> PendingLedger:
        if ledger not in self._pending:
            self._pending[ledger] = PendingLedger(ledger, self._known.get(ledger))
        return self._pending[ledger]

    def _move_meter(
        self, ledger: str, number: int, at: str, before: State, changes: dict[str, int]
    ) -> None:
        pending = self._ledger(ledger)
        if pending.balances != meter_balances(before.meters, before.reserves):
            raise StaleHeadError(f"{ledger} has changed since {self._table} read it; try again", ledger)
        pending.move(self._table, number, at, changes)

    def _move_account(self, ledger: str, number: int, at: str, changes: dict[str, int]) -> None:
        reading = self._read(ledger)
        pending = self._ledger(ledger)
        if reading is None:
            pending.open(self._table, number, at, {CHIPS: 0}, {})
        short = -changes[CHIPS] - pending.balances[CHIPS]
        if short > 0 and -changes[CHIPS] > BUY_IN:
            raise StaleHeadError(f"{ledger} has changed since {self._table} read it; try again", ledger)
        if short > 0:
            pending.fund(self._table, number, at, {CHIPS: short})
        pending.move(self._table, number, at, changes)

    def take(self) -> list[tuple[str, Head, Batch]]:
        """Return the batches of all ledgers, and start new batches after them."""
        pending, self._pending = self._pending, {}
        for ledger, one in pending.items():
            self._known[ledger] = one.reading()
        return [one.batch(self._house.signer) for _, one in sorted(pending.items())]
