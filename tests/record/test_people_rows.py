"""The rows for people: on every database, each handle, ticket, invitation and recovery link can be used only once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.audit.backup import back_up, restore
from houseway.audit.sql.short_transactions import Transaction
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import HouseStore, StoreError
from houseway.audit.store_factory import open_store
from houseway.client.messages import Invitation, Person
from houseway.engine.refusals import Refusal
from houseway.live.offload import run_now
from houseway.server.people import People, Session

from .places import DATABASES, Place
from .test_store_schema import downgrade

ROUNDS = 8
"""The number of races of each kind. Without the constraint, at least one race has two winners."""


@pytest.fixture(params=DATABASES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    location = Place.new(request.param, tmp_path, request)
    yield location
    location.close()


def opened(place: Place, *, read_only: bool = False) -> HouseStore:
    store = place.open(read_only=read_only)
    assert isinstance(store, SqlStore)
    return store


def introduced(people: People, handle: str) -> tuple[Person, str]:
    result = run_now(people.introduce(handle))
    assert isinstance(result, tuple), result
    return result


def now(method: Callable[..., Coroutine[Any, Any, Any]], *args: Any) -> Callable[[], Any]:
    """Return a function that calls a coroutine method without an event loop."""
    return lambda: run_now(method(*args))


def race(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls at once, each in its own thread, and return their results."""
    start, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(n: int) -> None:
        start.wait()
        results[n] = calls[n]()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


def two_servers(place: Place) -> tuple[People, People]:
    """Return the people of two servers, each with its own store. Only one store has the writer's lock."""
    return People(opened(place)), People(opened(place, read_only=True))


def winners(place: Place) -> dict[str, list[int]]:
    """Let two servers use the same handle, ticket, invitation and recovery link at once. Return the number of winners of
    each race."""
    one, other = two_servers(place)
    ann, _ = introduced(one, "Ann")
    counts: dict[str, list[int]] = {"handle": [], "ticket": [], "invitation": [], "recovery": []}
    for n in range(ROUNDS):
        ticket = run_now(one.ticket(ann, "loire")).ticket
        invitation = run_now(one.invite("loire", "floor"))
        link = run_now(one.recovery("Ann"))
        assert isinstance(invitation, Invitation)
        assert link is not None
        link_secret, secret, both = link.recovery, invitation.invitation, (one, other)
        tried = {
            # The second handle looks like the first.
            "handle": [now(one.introduce, f"Kim {n} l"), now(other.introduce, f"KIM {n} 1")],
            "ticket": [now(people.admit, ticket, "loire") for people in both],
            "invitation": [now(people.accept, ann, secret) for people in both],
            "recovery": [now(people.recover, link_secret) for people in both],
        }
        for kind, calls in tried.items():
            got = race(*calls)
            counts[kind].append(sum(isinstance(result, tuple | Session | Person) for result in got))
    return counts


def test_two_servers_never_use_the_same_thing_twice(place: Place) -> None:
    assert winners(place) == dict.fromkeys(("handle", "ticket", "invitation", "recovery"), [1] * ROUNDS)


def test_a_server_that_does_not_check_its_deletion_is_noticed(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a server does not check whether it deleted the ticket itself, so two servers accept the same ticket."""
    place = Place.new("postgres", tmp_path, request)
    both = threading.Barrier(2)
    original = Transaction.do

    def careless(self: Transaction, statement: str, **values: Any) -> int:
        if statement.startswith("DELETE FROM tickets WHERE digest"):
            both.wait(10)
            original(self, statement, **values)
            return 1
        return original(self, statement, **values)

    one, other = two_servers(place)
    ann, _ = introduced(one, "Ann")
    ticket = run_now(one.ticket(ann, "loire")).ticket
    monkeypatch.setattr(Transaction, "do", careless)
    admitted = race(now(one.admit, ticket, "loire"), now(other.admit, ticket, "loire"))
    assert all(isinstance(session, Session) for session in admitted)
    place.close()


def test_a_revocation_on_another_server_takes_effect_within_half_a_second(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two_servers(place)
    _, token = introduced(one, "Ann")
    run_now(one.give("Ann", "loire", "floor"))
    at = 0.0
    monkeypatch.setattr(other, "_ticks", lambda: at)

    def may() -> bool:
        person = run_now(other.by_token(token))
        assert person is not None
        return other.may(person, "loire", "floor")

    before = run_now(other.revocations())
    assert may()
    assert run_now(one.take("Ann", "loire", "floor", "house")) is None
    at = 0.5
    assert not may()
    assert run_now(other.revocations()) > before
    assert run_now(one.rotate("Ann", token))
    at = 1.0
    assert run_now(other.by_token(token)) is None


def test_an_expired_role_gives_no_rights(place: Place) -> None:
    time = 1e9
    people = People(opened(place), lambda: time)
    _, token = introduced(people, "Ann")
    run_now(people.give("Ann", "loire", "dealer"))
    # A visit extends the role by 30 days.
    for days, has_role in ((29, True), (58, True), (89, False)):
        time = 1e9 + days * 86400
        people.forget()
        person = run_now(people.by_token(token))
        assert person is not None
        assert people.may(person, "loire", "dealer") == has_role


# --- the schema ---


def old_values() -> dict[str, bytes]:
    """Return people and invitations as version 0003 stored them."""
    values: dict[str, Any] = {
        "person:ann": {
            "person": {"handle": "Ann", "roles": {"*": ["floor"], "loire": ["floor", "dealer"]}}
        },
        # These two look alike; both keep their handles.
        "person:ian": {"person": {"handle": "Ian"}},
        "person:lan": {"person": {"handle": "lan"}},
        "invitation:aa11": {"table": "loire", "role": "surveillance", "used": False},
        "invitation:bb22": {"table": "loire", "role": "floor", "used": True},
    }
    for name, digest in (("ann", "ab" * 32), ("ian", ""), ("lan", "cd" * 32)):
        values[f"person:{name}"]["digest"] = digest
    return {name: msgspec.json.encode(value) for name, value in values.items()}


def older(place: Place, values: dict[str, bytes]) -> None:
    """Create a database of the previous version with these values."""
    with closing(open_store(place.where)) as store:
        assert isinstance(store, SqlStore)
        for name, body in values.items():
            store.keep(name, body)
        store.keep("table:loire", b"{}")
        downgrade(store, "0003")


def test_people_of_the_previous_version_become_rows(place: Place) -> None:
    older(place, old_values())
    store = opened(place)
    rows = store.people_rows()
    ann = rows.by_token("ab" * 32, 1)
    assert ann is not None
    assert (ann.handle, ann.recorded_at is not None) == ("Ann", True)
    assert {where: set(roles) for where, roles in ann.roles.items()} == {
        "*": {"floor"},
        "loire": {"floor", "dealer"},
    }
    assert [(row.handle, bool(row.token)) for row in rows.everyone()] == [
        ("Ann", True),
        ("Ian", False),
        ("lan", True),
    ]
    assert store.kept() == {"table:loire": b"{}"}
    accepted = rows.use_invitation("aa11", "ann", 1, 1 << 50)
    assert accepted is not None
    assert (accepted.place, accepted.role) == ("loire", "surveillance")
    assert rows.use_invitation("bb22", "ann", 1, 1 << 50) is None


def test_a_damaged_person_stops_the_migration(place: Place) -> None:
    older(place, {"person:ann": b"{"})
    with pytest.raises(StoreError, match="the value person:ann cannot be read; restore it from a backup"):
        open_store(place.where)


def test_a_backup_has_the_people(place: Place, tmp_path: Path) -> None:
    people = People(opened(place))
    person, token = introduced(people, "Ann")
    run_now(people.give("Ann", "loire", "floor"))
    run_now(people.ticket(person, "loire"))
    place.close()
    mark = back_up(place.where, tmp_path / "copy.db")
    counts = {"people": 1, "role_grants": 1, "tickets": 1, "invitations": 0, "recoveries": 0}
    assert {name: mark.rows[name] for name in counts} == counts
    restore(tmp_path / "copy.db", tmp_path / "again.db")
    with closing(open_store(tmp_path / "again.db")) as store:
        again = run_now(People(store).by_token(token))
        assert again is not None
        assert again.roles == {"loire": ("floor",)}


def test_a_backup_of_people_is_restored_into_postgresql(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """PostgreSQL checks that a role belongs to a person, so people are copied first."""
    with closing(open_store(tmp_path / "house.db")) as store:
        people = People(store)
        person, token = introduced(people, "Ann")
        run_now(people.give("Ann", "loire", "floor"))
        run_now(people.ticket(person, "loire"))
        run_now(people.recovery("Ann"))
    back_up(tmp_path / "house.db", tmp_path / "copy.db")
    place = Place.new("postgres", tmp_path, request)
    restore(tmp_path / "copy.db", place.where)
    again = run_now(People(opened(place)).by_token(token))
    assert again is not None
    assert again.roles == {"loire": ("floor",)}
    place.close()


def test_a_refused_handle_names_the_one_that_looks_alike(place: Place) -> None:
    people = People(opened(place))
    introduced(people, "Ian")
    refused = run_now(people.introduce("1an"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.message) == (
        "handle-looks-alike",
        "the name 1an looks like Ian, which is taken; choose another",
    )
