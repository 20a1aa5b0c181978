"""Two servers that share one PostgreSQL: one owns the tables, and clients connect to the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from secrets import token_hex

import pytest

from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.server.limits import Limits
from record.servers import Server
from server.houses import GENEROUS, PATIENCE, Running, running


@dataclass(frozen=True)
class Relayed:
    """The server that owns every table, and the server that passes messages on to it."""

    owner: Running
    other: Running

    def person(self, name: str = "person") -> House:
        """Introduce a person, and return their connection to the other server."""
        at_owner = House(self.owner.url)
        at_owner.introduce(f"{name} {token_hex(5)}")
        return self.through(at_owner)

    def through(self, at_owner: House) -> House:
        """Return a person's connection to the other server, once it knows the person."""
        person, until = House(self.other.url, at_owner.token), time.monotonic() + PATIENCE
        while True:
            try:
                person.me()
            except HouseError:
                assert time.monotonic() < until, "the other server never learned of the person"
                time.sleep(0.02)
            else:
                return person

    def direct(self, person: House) -> House:
        """Return a person's connection to the server that owns the tables."""
        return House(self.owner.url, person.token)

    def open_table(self, person: House, rulebook: str = "uth-ma") -> str:
        """Open a table at the owner."""
        table = self.direct(person).open_table(m.OpenTable(rulebook=rulebook, clock=0)).table
        assert table in self.owner.serving.hall.tables
        assert table not in self.other.serving.hall.tables
        return table


@contextmanager
def relayed(postgres: Server, folder: str, limits: Limits = GENEROUS) -> Iterator[Relayed]:
    """Run two servers. `folder` gets their signing key."""
    with pytest.MonkeyPatch.context() as patched, ExitStack() as stack:
        patched.setenv("XDG_DATA_HOME", folder)
        url = postgres.database()
        yield Relayed(*(stack.enter_context(running(limits, url, shared=True)) for _ in range(2)))
