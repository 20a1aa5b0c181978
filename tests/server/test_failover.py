"""R17: servers fail independently. A dead server's tables continue elsewhere, and no table has two owners."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random

import pytest

from houseway.audit.signatures import Signer
from houseway.audit.sql.postgres import PostgresStore
from houseway.audit.store import LeaseLostError
from houseway.audit.store_factory import open_leases, open_store
from houseway.engine import commands as c
from houseway.live import LiveTable, TableServices
from houseway.rules.loader import load
from record.servers import Server, need_postgres, server
from samples import LONG, sample
from server.failing import KINDS, Kind, check_history, cluster
from server.killing import LostError, Memory

PARTS = 2
FAULTS = sample("server faults")
RULEBOOKS = ("uth-ma", "uth-ma", "shootout-sd")
JUST_BEYOND, LONG_STOP = 8.0, 30.0
"""Seconds that a server is stopped or cut off: a little longer than a lease and, in the long run, much
longer."""
FAILOVER = 10.0
"""Seconds within which play continues on another server. Only the long run, on a quiet machine, requires it."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as started:
        yield started


def duration(kind: Kind, n: int) -> float:
    """Return the least number of seconds that the n-th fault lasts. In the long run, every stop is long."""
    if kind == "kill":
        return 0
    return LONG_STOP if LONG and (kind == "stop" or n % 5 == 0) else JUST_BEYOND


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_failed_servers_tables_continue_elsewhere(postgres: Server, tmp_path: Path, part: int) -> None:
    rng = Random(f"faults {part}")
    with cluster(postgres, tmp_path, RULEBOOKS, rng) as servers:
        for n in range(FAULTS // PARTS // 2):
            # Two of three servers fail at once. Every pair of kinds of faults occurs.
            pair = (KINDS[n % 3], KINDS[(n + n // 3) % 3])
            servers.hit([(kind, duration(kind, n)) for kind in pair], rng)
        servers.stop_playing()
        servers.check()
        slowest = max(max(times) for times in servers.times.values())
        sys.stdout.write(f"seconds until play continued: {servers.report}; at most {slowest:.1f} s\n")
        acknowledged = [len(game.memory.acknowledged) for game in servers.games.values()]
        assert min(acknowledged) > 0
        assert sum(map(len, servers.times.values())) >= FAULTS // PARTS // 2
        assert {fence for _, fence in servers.owners} > {1}
        assert not LONG or slowest <= FAILOVER


def test_a_planted_store_without_fences_is_noticed(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers play one table in turn; the first does not know that it has lost the table."""
    url, signer, fences = postgres.database(), Signer(b"s" * 32), [{"t": 1}, {"t": 2}]
    with ExitStack() as stack:
        stores = [open_store(url, shared=True) for _ in fences]
        leases = [open_leases(url, f"server-{n}:8000") for n in range(2)]
        for close in (*(store.close for store in stores), *(lease.close for lease in leases)):
            stack.callback(close)
        services = [
            TableServices(store, signer, fence=partial(known.get))  # type: ignore[arg-type]
            for store, known in zip(stores, fences, strict=True)
        ]
        leases[0].add("t")
        opening = c.OpenTable(designated=("ultimate",), examples=True)
        old = LiveTable.open(services[0], "t", load("uth-ma"), {}, opening)
        assert isinstance(old, LiveTable)
        # The first server has never renewed its row, so the second server may take the table.
        assert leases[1].take("t") == 2
        new = LiveTable.resume(services[1], "t")
        new.send(c.Sit(seat=1, player="Ann", chips=10_000))
        bet = c.Sit(seat=2, player="Bob", chips=10_000)
        for _ in range(2):
            with pytest.raises(LeaseLostError):
                old.send(bet)
        check_history(stores[1], "t", Memory())
        monkeypatch.setattr(PostgresStore, "_require_lease", lambda *args: None)
        old.send(bet)
        with pytest.raises(LostError, match="two owners"):
            check_history(stores[1], "t", Memory())
