"""Money is conserved as seen from outside: what surveillance sees adds up after every message, and what is
handed over as a record adds up after every event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.archive import open_record
from houseway.audit.entries import read_entry
from houseway.audit.verify import verify
from houseway.client import AtTable, House
from houseway.engine import table_view
from houseway.engine.evolve import evolve
from houseway.engine.state import State, total
from server.houses import Running, running
from server.wagering import Wagering

ROUNDS = 12


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as found:
        yield found


def seen(at: AtTable) -> int:
    """All the money surveillance sees, in cents."""
    table, notes = at.view.table, at.view.yours.notes
    assert notes is not None
    assert notes.house is not None
    hands = [hand for seat in table.seats.values() for hand in seat.hands.values()]
    wagered = [stake for hand in hands for stake in (*hand.wagers.values(), *hand.tips.values())]
    chips, meters = [seat.chips for seat in table.seats.values()], table.meters.values()
    return sum((*chips, *wagered, *meters)) + notes.house


class Eye:
    """Surveillance, which adds up after every message."""

    def __init__(self, at: AtTable) -> None:
        self._at = at
        self.sums = {seen(at)}
        self.messages = 0

    def look(self) -> None:
        with suppress(TimeoutError):
            while True:
                self._at.next(0.01)
                self.messages += 1
                self.sums.add(seen(self._at))


def played(house: Running, rulebook: str, rounds: int, **order: Any) -> tuple[Wagering, Eye]:
    with ExitStack() as sockets:
        wagering = Wagering(house, Random(f"money {rulebook}"), rulebook, sockets, people=3, **order)
        eye = Eye(sockets.enter_context(wagering.host.at(wagering.table, "surveillance")))
        for _ in range(rounds):
            for _ in range(3):
                wagering.schedule()
            wagering.play_round()
            eye.look()
    return wagering, eye


# A meter is shown in whole cents and its reserve to nobody: with a progressive, only the record adds up.
WITHOUT_METERS = [("uth-ma", ("progressive",)), ("uth-card", ()), ("shootout-sd", ())]


@pytest.mark.parametrize(("rulebook", "leave_out"), WITHOUT_METERS)
def test_what_surveillance_sees_adds_up(house: Running, rulebook: str, leave_out: tuple[str, ...]) -> None:
    _, eye = played(house, rulebook, ROUNDS, leave_out=leave_out)
    assert eye.messages > 3 * ROUNDS
    assert len(eye.sums) == 1, eye.sums


def exported(person: House, port: int, table: str, to: Path) -> Path:
    """The record, as surveillance downloads it."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"authorization": f"Bearer {person.token}"}
    connection.request("GET", f"/api/tables/{table}/export?as=surveillance", headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200
    to.write_bytes(answer.read())
    connection.close()
    return to


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd"])
def test_what_is_handed_over_adds_up_after_every_event(
    house: Running, rulebook: str, tmp_path: Path
) -> None:
    wagering, _ = played(house, rulebook, ROUNDS)
    file = exported(wagering.host, house.port, wagering.table, tmp_path / "record.jsonl")
    record = open_record(str(file))
    report = verify(record, wagering.table)
    assert report.faults == ()
    assert report.rounds == ROUNDS
    state, sums, stacks = State(), set(), [0]
    for stored in record.entries(wagering.table):
        for event in read_entry(stored).events:
            state = evolve(state, event)
            sums.add(total(state))
            stacks.append(sum(seat.chips for seat in state.seats.values()))
    assert len(sums) == 1
    assert sum(a != b for a, b in pairwise(stacks)) > 2 * ROUNDS, "hardly anything was wagered"


def test_a_cent_that_is_shown_and_not_there_is_noticed(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: who has a wager on the layout is shown with a cent too much."""
    original = table_view.table_view

    def generous(*given: Any) -> table_view.TableView:
        seen = original(*given)
        seats = {
            number: replace(seat, chips=seat.chips + 1) if seat.hands[1].wagers else seat
            for number, seat in seen.seats.items()
        }
        return replace(seen, seats=seats)

    monkeypatch.setattr(table_view, "table_view", generous)
    _, eye = played(house, "uth-card", 1)
    assert len(eye.sums) > 1
