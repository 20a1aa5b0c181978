"""Several servers write to one house log at the same time, and none of them logs an older head of a table."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.audit.house_log import HouseClosed, RoleGranted, RoleRevoked, head_text
from houseway.audit.store import HouseStore
from houseway.audit.verify_house import stored_roles
from houseway.client import messages as m
from houseway.live import LiveTable
from houseway.live import house_log_writer as writer
from houseway.live.house_log_writer import HouseLog
from houseway.live.offload import run_now
from houseway.server.people import People
from record.places import Place
from record.recorded import SIGNER
from record.test_house_log import Grown, faults, give, log_events, opened, play, services


def test_two_servers_write_one_log() -> None:
    grown = Grown(Place("memory", ":memory:"))
    other = HouseLog(grown.store, SIGNER)
    other.open()
    for n in range(5):
        grown.log.note("north", grown.tables[0].head)
        other.note("south", grown.tables[1].head)
        grown.log.checkpoint()
        other.checkpoint()
        give(grown.store, grown.log, f"p{n}", "north", "player")
        give(grown.store, other, f"q{n}", "south", "player")
    opened(services(grown.store, other), "west")
    opened(services(grown.store, grown.log), "east")
    assert faults(grown.store) == {}


def test_a_server_that_has_lost_a_table_does_not_set_its_head_back() -> None:
    grown = Grown(Place("memory", ":memory:"))
    other, head = HouseLog(grown.store, SIGNER), grown.tables[0].head
    grown.log.note("north", head)
    # This server is paused here, and another server continues the table.
    continued = LiveTable.resume(services(grown.store, other), "north")
    play(continued)
    other.checkpoint()
    grown.log.checkpoint()
    assert grown.log._state.heads["north"] == head_text(continued.head)
    # A checkpoint may log the same head again, because it may say that the table is closed.
    grown.log.note("north", continued.head, closed=True)
    grown.log.checkpoint()
    assert log_events(grown.store)[-1].closed == ("north",)
    assert faults(grown.store) == {}


def test_a_role_given_by_another_server_during_a_start_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grown = Grown(Place("memory", ":memory:"))
    read = stored_roles

    def give_and_read(store: HouseStore) -> Any:
        give(grown.store, grown.log, "bob", "north", "floor")
        return read(store)

    monkeypatch.setattr(writer, "stored_roles", give_and_read)
    assert HouseLog(grown.store, SIGNER).open() == []


def test_a_role_that_another_server_wrongly_revokes_ends_up_in_the_log() -> None:
    grown = Grown(Place("memory", ":memory:"))
    store = grown.store
    other = HouseLog(store, SIGNER)

    class Overtaken(HouseLog):
        """A log to which another server writes before the new role is in force."""

        def role_granted(self, *args: Any) -> None:
            super().role_granted(*args)
            other.log_revocations()

    people = People(store, log=Overtaken(store, SIGNER))
    run_now(people.introduce("Bob"))
    run_now(people.give("Bob", "north", "floor"))
    invitation = run_now(people.invite("south", "dealer"))
    assert isinstance(invitation, m.Invitation)
    run_now(people.accept(m.Person(handle="Bob"), invitation.invitation))
    kinds = [type(event) for event in log_events(store)[-6:]]
    assert kinds == [RoleGranted, RoleRevoked, RoleGranted] * 2
    assert faults(store) == {}


def test_opening_a_table_is_retried_if_another_server_takes_its_log_event() -> None:
    grown = Grown(Place("memory", ":memory:"))
    log, numbers = grown.log, []

    class Overtaken(HouseLog):
        """A log to which another server appends right after this server got its first event number."""

        def next_event(self) -> int:
            numbers.append(super().next_event())
            if len(numbers) == 1:
                log._append(lambda: [HouseClosed()])
            return numbers[-1]

    opened(services(grown.store, Overtaken(grown.store, SIGNER)), "west")
    assert numbers == [numbers[0], numbers[0] + 1]
    assert faults(grown.store) == {}
