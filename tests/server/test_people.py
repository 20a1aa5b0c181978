"""People: handles that expire, roles that are revoked, tokens that are replaced, and names that look alike."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.audit.handles import skeleton
from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql.people_rows import HandleLimits, NewPerson
from houseway.cli.app import main
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.engine.refusals import Refusal
from houseway.server.log_lines import FIELDS
from houseway.server.people import Expiry, People, PeopleChange
from server.houses import Running, running
from without_a_loop import WithoutLoop

SECOND = 1.0
"""A revocation takes effect on open sockets within this time."""
BUSY = 10.0
"""The wait of a test on a busy machine, where a second may pass between two instructions."""


class Clock:
    """A clock that a test sets, in seconds since 1970."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


def people_at(clock: Clock, store: MemoryStore | None = None, expiry: Expiry | None = None) -> Any:
    return WithoutLoop(People(store or MemoryStore(), clock, expiry=expiry))


def introduced(people: Any, handle: str) -> tuple[m.Person, str]:
    result = people.introduce(handle)
    assert isinstance(result, tuple), result
    return result


# --- handles ---


ADDRESSES, EACH = 1000, 20
"""An attack: the number of addresses, and the number of handles that each address takes in one burst."""


def full_house(clock: Clock) -> Any:
    """Return a house whose 20,000 handles are all taken, 20 by each of 1,000 addresses, and not in use."""
    store = MemoryStore()
    rows, limits = store.people_rows(), HandleLimits(20_000, 20_000, 1 << 50, 1 << 50, 1 << 50)
    now = int(1000 * clock())
    with rows._database.transaction() as transaction:
        for address in range(ADDRESSES):
            for n in range(EACH):
                name = f"a{address} {n}"
                transaction.do(
                    "INSERT INTO people (name, handle, skeleton, token, created_at, last_seen_at)"
                    " VALUES (:name, :name, :name, :name, :now, :now)",
                    name=name,
                    now=now + address,
                )
    assert rows.add(NewPerson("one more", "One more", "one more", "t"), limits, now) is False
    return people_at(clock, store)


def test_a_new_player_can_join_a_house_whose_handles_were_all_taken() -> None:
    clock = Clock()
    people = full_house(clock)
    # All handles are new; their owners may be about to sit down.
    refused = people.introduce("Honest")
    assert isinstance(refused, Refusal)
    assert refused.code == "too-many-people"
    clock.time += 62
    _, token = introduced(people, "Honest")
    assert people.by_token(token) == m.Person(handle="Honest")
    # Only the oldest handle was deleted to make room.
    names = [person.name for person in people._rows.everyone()]
    assert len(names) == ADDRESSES * EACH
    assert "a0 0" not in names
    assert "a0 1" in names
    # A person who visits regularly keeps the handle, however many others register.
    for n in range(40):
        clock.time += 20
        introduced(people, f"Crowd {n}")
        people.forget()
        assert people.by_token(token) is not None


def test_a_handle_on_record_or_with_a_role_never_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.server.people.MOST_PEOPLE", 3)
    clock = Clock()
    people = people_at(clock)
    introduced(people, "Seated"), introduced(people, "Owner"), introduced(people, "Gone")
    people.mark_recorded("Seated")
    people.give("Owner", "*", "floor")
    clock.time += 3601
    introduced(people, "New")
    assert {person.handle for person in people._rows.everyone()} == {"Seated", "Owner", "New"}
    clock.time += 59
    assert isinstance(people.introduce("Newer"), Refusal)
    # After 30 days without a visit, the role has expired, but the house log still names the person.
    clock.time += 31 * 86400
    introduced(people, "Newer")
    assert {person.handle for person in people._rows.everyone()} == {"Seated", "Owner", "Newer"}


def test_unused_handles_of_a_nearly_full_house_expire_after_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("houseway.server.people.MOST_PEOPLE", 10)
    clock = Clock()
    people = people_at(clock)
    for n in range(9):
        introduced(people, f"Guest {n}")
        clock.time += 1
    clock.time += 3590
    introduced(people, "Early")
    assert len(people._rows.everyone()) == 10
    clock.time += 10
    introduced(people, "Later")
    assert "Guest 0" not in {person.handle for person in people._rows.everyone()}


def test_a_request_for_a_taken_name_deletes_no_handle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise, requests for taken names would delete everyone's handles."""
    monkeypatch.setattr("houseway.server.people.MOST_PEOPLE", 2)
    clock = Clock()
    people = people_at(clock)
    introduced(people, "One"), introduced(people, "Two")
    clock.time += 7200
    assert isinstance(people.introduce("two"), Refusal)
    assert len(people._rows.everyone()) == 2


def test_the_handles_of_hosts_and_players_are_marked_as_recorded(tmp_path: Path) -> None:
    with running(db=tmp_path / "house.db") as house:
        host, watcher = House(house.url), House(house.url)
        host.introduce("Host"), watcher.introduce("Watcher")
        table = host.open_table(m.OpenTable(rulebook="uth-ma")).table
        player = House(house.url)
        player.introduce("Player")
        with player.sit(table, 2):
            pass
        with pytest.raises(HouseError, match="seat 2"):
            watcher.command(table, {"type": "Sit", "seat": 2}, "refused")
        rows = house.serving.people._rows.everyone()
        recorded = {row.handle for row in rows if row.recorded_at is not None}
        # A refused command is not on record, so its sender's handle can expire.
        assert recorded == {"Host", "Player"}


# --- names that look alike ---


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Maren", " maREN "),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Amo", "Arno"),
        ("WALTER", "vvalter"),
        ("paypa", "раура"),  # Cyrillic
        ("HOE", "НОЕ"),  # Cyrillic
        ("TOM", "ΤΟΜ"),  # Greek
        ("room 12", "room １２"),
        ("x-y", "x–y"),
    ],
)
def test_names_that_look_alike_cannot_both_be_taken(first: str, second: str) -> None:
    people = people_at(Clock())
    introduced(people, first)
    refused = people.introduce(second)
    assert isinstance(refused, Refusal)
    assert refused.code in ("handle-looks-alike", "handle-taken")
    assert "choose another" in refused.message


@pytest.mark.parametrize(
    ("handle", "problem"),
    [
        ("Mаren", "it mixes Cyrillic and Latin letters, which can look alike; use one alphabet"),
        ("Maren\ufe0f", "it has characters that cannot be seen"),
        ("ᎪᎠ", "it has letters of a rare alphabet, which can look like other letters"),
    ],
)
def test_a_refusal_names_the_problem_with_the_letters(handle: str, problem: str) -> None:
    refused = people_at(Clock()).introduce(handle)
    assert isinstance(refused, Refusal)
    assert refused.message == f"choose another name: {problem}"


@pytest.mark.parametrize("handle", ["F100R", "dea1er", "0perator", "seat l", "Ines (b0t)"])
def test_a_name_that_looks_like_a_role_is_refused(handle: str) -> None:
    refused = people_at(Clock()).introduce(handle)
    assert isinstance(refused, Refusal)
    assert refused.code == "bad-handle"


def test_different_names_have_different_skeletons() -> None:
    names = [
        "Maren",
        "Marta",
        "Zoë",
        "Zoe",
        "山田たろう",
        "김민준",
        "Мария",
        "Анна",
        "Νίκος",
        "Ada 🎲",
        "O'Neil",
    ]
    people = people_at(Clock())
    for name in names:
        introduced(people, name)
    assert len({skeleton(name) for name in names}) == len(names)


# --- roles, tokens and recovery links ---


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(db=tmp_path / "house.db") as server:
        yield server


def person_at(house: Running, handle: str) -> House:
    client = House(house.url)
    client.introduce(handle)
    return client


def bye(viewer: AtTable, within: float) -> str:
    """Return the reason for which the server closes a socket, or empty if it stays open."""
    until = time.monotonic() + within
    while (left := until - time.monotonic()) > 0:
        try:
            message = viewer.next(left)
        except TimeoutError:
            break
        if isinstance(message, m.Bye):
            return message.code
    return ""


def test_a_revoked_role_closes_its_sockets_and_ends_its_powers(house: Running) -> None:
    host, eye = person_at(house, "Host"), person_at(house, "Eye")
    table = host.open_table(m.OpenTable(rulebook="uth-ma")).table
    eye.accept(host.invite(table, "surveillance").invitation)
    given = {(grant.handle, grant.role, grant.granted_by) for grant in host.roles(table)}
    assert given == {("Host", "floor", "house"), ("Eye", "surveillance", "Host")}
    with eye.at(table, "surveillance") as watching, eye.at(table, "rail") as rail:
        with pytest.raises(HouseError, match="only the floor supervisor may revoke a role"):
            eye.revoke_role("Host", table, "floor")
        left = host.revoke_role("eye", table, "surveillance")
        assert [grant.handle for grant in left] == ["Host"]
        assert bye(watching, BUSY) == "not-your-role"
        # The rail needs no role.
        rail.ping()
    with pytest.raises(HouseError, match="you do not have the surveillance role here"):
        eye.view(table, "surveillance")
    with pytest.raises(HouseError, match="does not have the role surveillance"):
        host.revoke_role("Eye", table, "surveillance")


def test_another_process_revokes_a_role_and_a_token(
    house: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host, eye = person_at(house, "Host"), person_at(house, "Eye")
    table = host.open_table(m.OpenTable(rulebook="uth-ma")).table
    eye.accept(host.invite(table, "surveillance").invitation)
    db = str(tmp_path / "house.db")
    with eye.at(table, "surveillance") as watching, host.at(table, "floor") as floor:
        assert main(["people", "roles", db, "--table", table]) == 0
        assert f"Eye: surveillance at {table}, given by Host" in capsys.readouterr().out
        assert main(["people", "revoke-role", db, "Eye", "surveillance", "--table", table]) == 0
        assert bye(watching, BUSY) == "not-your-role"
        assert main(["people", "revoke-token", db, "Host"]) == 0
        assert bye(floor, BUSY) == "no-session"
    with pytest.raises(HouseError, match="sign in first"):
        host.me()
    capsys.readouterr()
    assert main(["people", "recovery-link", db, "Host", "--address", house.url]) == 0
    link = capsys.readouterr().out.split()[0]
    assert link.startswith(f"{house.url}/recover/")
    device = House(house.url)
    assert device.recover(link.rpartition("/")[2]).roles == {table: ("floor",)}
    assert device.me().handle == "Host"
    assert main(["people", "list", db]) == 0
    assert "2 handles" in capsys.readouterr().out
    assert main(["people", "revoke-token", db, "Nobody"]) == 2
    assert "there is no person 'Nobody'" in capsys.readouterr().err


def test_a_replaced_token_stops_working(house: Running) -> None:
    ann = person_at(house, "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma")).table
    old = House(house.url, ann.token)
    with ann.at(table, "rail") as watching:
        assert ann.rotate_token().handle == "Ann"
        assert bye(watching, BUSY) == "no-session"
    assert ann.me().roles == {table: ("floor",)}
    with pytest.raises(HouseError, match="sign in first"):
        old.me()


def test_a_recovery_link_works_once_and_replaces_the_token(house: Running) -> None:
    ann, device = person_at(house, "Ann"), House(house.url)
    first, second = ann.recovery_link(), ann.recovery_link()
    with pytest.raises(HouseError, match="this recovery link has been used or has expired"):
        device.recover(first.recovery)
    assert device.recover(second.recovery).handle == "Ann"
    with pytest.raises(HouseError, match="this recovery link has been used or has expired"):
        House(house.url).recover(second.recovery)
    with pytest.raises(HouseError, match="sign in first"):
        ann.me()
    assert device.me().handle == "Ann"


def test_links_expire() -> None:
    clock = Clock()
    people = people_at(clock, expiry=Expiry(invitation_days=2))
    ann, _ = introduced(people, "Ann")
    people.mark_recorded("Ann")
    invitation, link = people.invite("loire", "floor"), people.recovery("Ann")
    clock.time += 86400
    late = people.recover(link.recovery)
    assert isinstance(late, Refusal)
    assert late.code == "no-recovery"
    clock.time += 86400
    late = people.accept(ann, invitation.invitation)
    assert isinstance(late, Refusal)
    assert late.code == "no-invitation"
    in_time = people.invite("loire", "floor")
    clock.time += 2 * 86400 - 1
    assert isinstance(people.accept(ann, in_time.invitation), m.Person)


def test_a_role_expires_after_the_days_of_the_setting() -> None:
    clock = Clock()
    people = people_at(clock, expiry=Expiry(role_days=3))
    introduced(people, "Ann")
    people.give("Ann", "loire", "floor")
    clock.time += 3 * 86400
    assert people.grants() == ()
    assert not people.may(people.still("Ann"), "loire", "floor")


def test_every_change_is_reported_without_its_token(
    caplog: pytest.LogCaptureFixture, house: Running
) -> None:
    changes: list[PeopleChange] = []
    house.serving.people.on_change.append(changes.append)
    with caplog.at_level(logging.INFO, "houseway"):
        host, guest = person_at(house, "Host"), person_at(house, "Guest")
        table = host.open_table(m.OpenTable(rulebook="uth-ma")).table
        invitation = host.invite(table, "dealer").invitation
        guest.accept(invitation)
        host.revoke_role("guest", table, "dealer")
        tokens = [guest.token]
        guest.rotate_token()
        tokens.append(guest.token)
        link = guest.recovery_link()
        guest.recover(link.recovery)
        guest.ask("DELETE", "/api/session")
    expected = [
        ("role-granted", "house", "Host", table, "floor"),
        ("invitation-created", "Host", "", table, "dealer"),
        ("role-granted", "Host", "Guest", table, "dealer"),
        ("role-revoked", "Host", "Guest", table, "dealer"),
        ("token-rotated", "Guest", "Guest", "", ""),
        ("recovery-created", "Guest", "Guest", "", ""),
        ("recovery-used", "Guest", "Guest", "", ""),
        ("token-revoked", "Guest", "Guest", "", ""),
    ]
    assert [(one.kind, one.who, one.whom, one.table, one.role) for one in changes] == expected
    assert all(one.at.endswith("Z") for one in changes)
    fields = [getattr(record, FIELDS) for record in caplog.records if hasattr(record, FIELDS)]
    logged = [field for field in fields if field["event"] in {kind for kind, *_ in expected}]
    assert [(field["event"], field["who"], field.get("role", "")) for field in logged] == [
        (kind, "house" if who == "house" else "a person", role) for kind, who, _, _, role in expected
    ]
    # The log contains no handles.
    assert not any(handle in str(logged) for handle in ("Host", "Guest"))
    secrets = (*tokens, guest.token, invitation, link.recovery)
    assert not any(secret in str(fields) + str(changes) for secret in secrets)


def test_a_revoked_role_is_missing_when_a_waiting_command_is_decided() -> None:
    """The `Person` was read before the revocation and still has the role; `current` reads it again."""
    people = people_at(Clock())
    introduced(people, "Flora")
    floor = people.give("Flora", "loire", "floor")
    people.take("Flora", "loire", "floor", "house")
    assert people.may(floor, "loire", "floor")
    assert not people.may(people.current(floor), "loire", "floor")


def test_a_players_session_is_read_again_only_after_a_revocation(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, store, reads = Clock(), MemoryStore(), list[str]()
    plain = People(store, clock, ticks=clock)
    here, other = WithoutLoop(plain), people_at(clock, store)
    _, token = introduced(other, "Ann")
    by_name = plain._rows.by_name

    def counted(name: str, now: int) -> Any:
        reads.append(name)
        return by_name(name, now)

    monkeypatch.setattr(plain._rows, "by_name", counted)

    def later() -> Any:
        clock.time += 0.4
        return here.sessions("Ann", roles=False)["Ann"]

    for _ in range(5):
        here.revocations()
        assert later().person.handle == "Ann"
    assert len(reads) == 1
    # If the number of revocations is not read, the row is remembered for half a second.
    first = later().key
    assert len(reads) == 2
    here.revocations()
    assert other.rotate("Ann", token)
    here.revocations()
    assert later().key != first
    other.revoke("Ann")
    here.revocations()
    assert later() is None


def test_a_replaced_token_cannot_get_a_new_token_or_a_recovery_link() -> None:
    """Another server may remember the old token for half a second."""
    people = people_at(Clock())
    _, stolen = introduced(people, "Ann")
    assert isinstance(people.rotate("Ann", stolen), str)
    assert people.rotate("Ann", stolen) is None
    assert people.recovery("Ann", stolen) is None


def test_unused_invitations_by_a_person_whose_role_is_revoked_stop_working() -> None:
    people = people_at(Clock())
    ann, _ = introduced(people, "Ann")
    people.give("Ann", "loire", "floor"), people.give("Ann", "tagus", "floor")
    here, elsewhere = (people.invite(table, "floor", "Ann").invitation for table in ("loire", "tagus"))
    others = people.invite("loire", "floor", "Host").invitation
    people.take("Ann", "loire", "floor", "Host")
    refused = people.accept(ann, here)
    assert isinstance(refused, Refusal)
    assert refused.code == "no-invitation"
    assert isinstance(people.accept(ann, elsewhere), m.Person)
    assert isinstance(people.accept(ann, others), m.Person)


def test_forged_links_are_refused() -> None:
    people = people_at(Clock())
    introduced(people, "Ann")
    link, rng = people.recovery("Ann").recovery, Random("links")
    for _ in range(50):
        text = list(link)
        text[rng.randrange(len(text))] = rng.choice("abcXYZ019-_")
        if "".join(text) != link:
            assert isinstance(people.recover("".join(text)), Refusal)
    assert isinstance(people.recover(link), tuple)
