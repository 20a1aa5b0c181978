"""Money is conserved over the API: surveillance's view balances after every message, and the exported record
balances after every event."""

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
    with running() as server:
        yield server


def total_money(at: AtTable) -> int:
    """Return all the money surveillance sees, in cents."""
    table, notes = at.view.table, at.view.yours.notes
    assert notes is not None
    assert notes.house is not None
    hands = [hand for seat in table.seats.values() for hand in seat.hands.values()]
    wagered = [stake for hand in hands for stake in (*hand.wagers.values(), *hand.tips.values())]
    chips, meters = [seat.chips for seat in table.seats.values()], table.meters.values()
    return sum((*chips, *wagered, *meters)) + notes.house


class Surveillance:
    """A surveillance socket that sums the money after every message."""

    def __init__(self, at: AtTable) -> None:
        self._at = at
        self.sums = {total_money(at)}
        self.messages = 0

    def read(self) -> None:
        with suppress(TimeoutError):
            while True:
                self._at.next(0.01)
                self.messages += 1
                self.sums.add(total_money(self._at))


def play(house: Running, rulebook: str, rounds: int, **order: Any) -> tuple[Wagering, Surveillance]:
    with ExitStack() as sockets:
        wagering = Wagering(house, Random(f"money {rulebook}"), rulebook, sockets, people=3, **order)
        surveillance = Surveillance(sockets.enter_context(wagering.host.at(wagering.table, "surveillance")))
        for _ in range(rounds):
            for _ in range(3):
                wagering.schedule()
            wagering.play_round()
            surveillance.read()
    return wagering, surveillance


# Views round meters to whole cents and leave out the reserve, so with a progressive only the record balances.
WITHOUT_METERS = [("uth-ma", ("progressive",)), ("uth-card", ()), ("shootout-sd", ())]


@pytest.mark.parametrize(("rulebook", "leave_out"), WITHOUT_METERS)
def test_surveillances_view_balances_after_every_message(
    house: Running, rulebook: str, leave_out: tuple[str, ...]
) -> None:
    _, surveillance = play(house, rulebook, ROUNDS, leave_out=leave_out)
    assert surveillance.messages > 3 * ROUNDS
    assert len(surveillance.sums) == 1, surveillance.sums


def export(person: House, port: int, table: str, to: Path) -> Path:
    """Download the record as surveillance."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"authorization": f"Bearer {person.token}"}
    connection.request("GET", f"/api/tables/{table}/export?as=surveillance", headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200
    to.write_bytes(answer.read())
    connection.close()
    return to


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd"])
def test_an_exported_record_balances_after_every_event(
    house: Running, rulebook: str, tmp_path: Path
) -> None:
    wagering, _ = play(house, rulebook, ROUNDS)
    file = export(wagering.host, house.port, wagering.table, tmp_path / "record.jsonl")
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


def test_a_view_with_an_extra_cent_is_detected(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the view shows one cent too many for every seat with a wager."""
    original = table_view.table_view

    def generous(*args: Any) -> table_view.TableView:
        view = original(*args)
        seats = {
            number: replace(seat, chips=seat.chips + 1) if seat.hands[1].wagers else seat
            for number, seat in view.seats.items()
        }
        return replace(view, seats=seats)

    monkeypatch.setattr(table_view, "table_view", generous)
    _, surveillance = play(house, "uth-card", 1)
    assert len(surveillance.sums) > 1
