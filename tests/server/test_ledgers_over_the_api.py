"""Linked meters and accounts through the API of a running server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houseway.audit.verify import verify
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from server.houses import Running, running

_names = iter(range(10_000))
MAIN = 50_000_00
"""The starting amount of the meter of PTMGL01 for a wager of $5 (MA-13.e-PTMGL01-b, MA-13.a)."""


@pytest.fixture
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def person(house: Running) -> House:
    client = House(house.url)
    client.introduce(f"guest {next(_names)}")
    return client


def open_table(house: Running, **options: Any) -> m.TableCard:
    order = {"tables": {"progressive": "PTMGL01"}, "house": {"feed": 25}, "link": "north", "clock": 0}
    return person(house).open_table(m.OpenTable(rulebook="uth-ma", **{**order, **options}))


def until(at: AtTable, shows: int) -> None:
    """Wait until a viewer sees this amount on the meter."""
    while at.view.table.meters["main"] != shows:
        at.next()


def bet_and_deal(at: AtTable) -> None:
    answer = at.send(
        {"type": "Bet", "seat": at.view.yours.seat, "wagers": {"ante": 500, "progressive": 500}}
    )
    assert isinstance(answer, m.Answered), answer
    at.ready()


def sound(house: Running) -> bool:
    store = house.serving.store
    return all(verify(store, stream).faults == () for stream in store.streams())


@pytest.mark.clause("MA-13.g")
def test_linked_tables_show_one_meter_to_everyone(house: Running) -> None:
    tables = [open_table(house) for _ in range(2)]
    assert [(card.link, card.meters) for card in tables] == [("north", {"main": MAIN})] * 2
    first, second = person(house), person(house)
    with (
        first.sit(tables[0].table) as north,
        second.sit(tables[1].table) as south,
        first.at(tables[1].table) as rail,
    ):
        bet_and_deal(north)
        for viewer in (north, south, rail):
            until(viewer, MAIN + 125)
        bet_and_deal(south)
        for viewer in (north, south, rail):
            until(viewer, MAIN + 250)
    cards = [card.meters for card in first.tables()]
    assert cards == [{"main": MAIN + 250}] * 2
    assert sound(house)


@pytest.mark.clause("MA-13.g")
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"tables": {"progressive": "PTMGL02"}}, "link-differs"),
        ({"leave_out": ("progressive",)}, "link-not-allowed"),
        ({"rulebook": "shootout-sd", "tables": {}, "house": {}}, "link-not-allowed"),
    ],
    ids=["another pay table", "no progressive", "six decks"],
)
def test_another_game_cannot_join_the_meter(house: Running, options: dict[str, Any], code: str) -> None:
    open_table(house)
    order: dict[str, Any] = {
        "rulebook": "uth-ma",
        "tables": {"progressive": "PTMGL01"},
        "link": "north",
        **options,
    }
    with pytest.raises(HouseError) as refused:
        person(house).open_table(m.OpenTable(**order))
    assert [(one.code, one.clause) for one in refused.value.refused] == [(code, "MA-13.g")]


@pytest.mark.clause("MA-13.g")
@pytest.mark.parametrize(
    ("house_a", "house_b", "message"),
    [
        (
            {"feed": 25, "seed": {"main": "10000"}},
            {"feed": 25, "seed": {"main": "20000"}},
            "the seed of the main meter is $20,000 here but $10,000 on the linked meter; they must be equal",
        ),
        (
            {"feed": 25, "seed": {"main": "10000"}, "reserve": {"main": "500"}},
            {"feed": 25, "seed": {"main": "10000"}, "reserve": {"main": "900"}},
            "the reserve of the main meter is $900 here but $500 on the linked meter; they must be equal",
        ),
    ],
    ids=["seed", "reserve"],
)
def test_a_table_with_another_seed_or_reserve_cannot_join_the_meter(
    house: Running, house_a: dict[str, Any], house_b: dict[str, Any], message: str
) -> None:
    order: dict[str, Any] = {
        "rulebook": "uth-sd",
        "tables": {"trips": "UTH-02", "progressive": "PMG-01"},
        "link": "south",
    }
    person(house).open_table(m.OpenTable(**order, house=house_a))
    with pytest.raises(HouseError) as refused:
        person(house).open_table(m.OpenTable(**order, house=house_b))
    (why,) = refused.value.refused
    assert (why.code, why.clause, why.message) == ("link-differs", "MA-13.g", message)
    # Each table may set its own feed, and the meter brings its reserve with it.
    person(house).open_table(m.OpenTable(**order, house={"feed": 40, "seed": {"main": "10000"}}))
    assert sound(house)


@pytest.mark.clause("MA-13.g")
def test_a_table_with_another_wager_cannot_join_the_meter(house: Running) -> None:
    order: dict[str, Any] = {
        "rulebook": "uth-sd",
        "tables": {"trips": "UTH-02", "progressive": "PMG-01"},
        "link": "wagers",
    }
    terms = {"feed": 25, "seed": {"main": "10000"}}
    person(house).open_table(m.OpenTable(**order, house={**terms, "progressive_wager": "1"}))
    with pytest.raises(HouseError) as refused:
        person(house).open_table(m.OpenTable(**order, house={**terms, "progressive_wager": "5"}))
    (why,) = refused.value.refused
    assert (why.code, why.clause, why.where) == ("link-differs", "MA-13.g", "link.wager")
    assert why.message == (
        "the progressive wager is $5 here but $1 on the linked meter; they must be equal"
    )


def test_a_contribution_from_another_table_does_not_make_a_decision_stale(house: Running) -> None:
    tables = [open_table(house) for _ in range(2)]
    with person(house).sit(tables[0].table) as north, person(house).sit(tables[1].table) as south:
        bet_and_deal(north)
        while north.view.waits.why != "decision":
            north.next()
        seen = north.seq
        bet_and_deal(south)
        until(north, MAIN + 250)
        assert north.seq > seen
        command = {"type": "Play", "seat": north.view.yours.seat, "times": 4}
        key = north.do(command, expect=seen)
        answer = next(one for one in north if isinstance(one, m.Answered | m.Rejected) and one.key == key)
        assert isinstance(answer, m.Answered), answer


def test_a_player_takes_chips_from_table_to_table(house: Running) -> None:
    tables = [open_table(house, link="") for _ in range(2)]
    guest = person(house)
    with guest.sit(tables[0].table) as at:
        bet_and_deal(at)
        while at.view.waits.why != "next":
            if at.view.waits.why == "decision" and at.view.yours.choices:
                at.send(at.view.yours.choices[0].command)
            else:
                at.next()
        chips, seat = at.view.yours.chips, at.view.yours.seat
        assert chips != 1000_00
        at.ready()
        assert isinstance(at.send({"type": "Leave", "seat": seat}), m.Answered)
    with guest.sit(tables[1].table) as at:
        # With play chips, no player sits down with fewer chips than a new player.
        assert at.view.yours.chips == max(chips, 1000_00)
    assert sound(house)
