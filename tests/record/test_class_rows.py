"""The rows for classes: the same on every store, and shared by several servers."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from houseway.audit.sql.class_rows import ChosenExam
from houseway.audit.sql.people_rows import HandleLimits, NewPerson
from houseway.audit.store_factory import open_store

from .places import KINDS, Place
from .servers import Server


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[Place]:
    location = Place.new(request.param, tmp_path, request)
    yield location
    location.close()


def add_people(store: Any, *names: str) -> None:
    limits = HandleLimits(100, 100, 1 << 50, 1 << 50, 1 << 50)
    for name in names:
        assert store.people_rows().add(NewPerson(name, name.title(), name, name), limits, 1) is True


def test_the_rows_of_a_class_are_the_same_on_every_store(place: Place) -> None:
    store: Any = place.open()
    add_people(store, "ines", "ann", "bob")
    rows = store.class_rows()
    assert rows.create("c1", "Class", "ines", 5, 2)
    assert rows.create("c2", "Other", "ines", 6, 2)
    assert not rows.create("c3", "Third", "ines", 7, 2)
    assert rows.invite("c1", "digest", 100)
    assert rows.join("digest", "ann", 10, 1).id == "c1"
    assert rows.join("digest", "ann", 10, 1).members == 1
    assert rows.join("digest", "bob", 10, 1) == "class-full"
    assert rows.join("digest", "bob", 100, 9) == "no-invitation"
    assert rows.start_attempt("c1", "ann", "s1", 20, 9) == "no-exam"
    assert rows.set_exam("c1", ChosenExam("e", "r", ""), 15)
    assert rows.start_attempt("c1", "bob", "s1", 20, 9) == "not-a-trainee"
    assert [rows.start_attempt("c1", "ann", f"s{n}", 20 + n, 9).attempt for n in (1, 2)] == [1, 2]
    assert rows.end_attempt("c1", "ann", "s1", "passed", 4, 30)
    assert not rows.end_attempt("c1", "ann", "s1", "aborted", 5, 31)
    again: Any = place.reopen(store)
    rows = again.class_rows()
    assert [one.id for one in rows.of_instructor("ines")] == ["c2", "c1"]
    assert [(one.handle, one.attempt, one.status, one.entry) for one in rows.attempts("c1")] == [
        ("Ann", 1, "passed", 4),
        ("Ann", 2, "started", None),
    ]
    assert rows.erase_person("ann", 40) == 1
    assert rows.attempts(person="ann") == []
    assert rows.members("c1")[0].erased_at == 40


def test_attempts_keep_their_numbers_after_a_trainee_leaves_and_joins_again(place: Place) -> None:
    store: Any = place.open()
    add_people(store, "ines", "ann", "bob")
    rows = store.class_rows()
    rows.create("c1", "Class", "ines", 1, 9)
    rows.invite("c1", "digest", 100)
    rows.set_exam("c1", ChosenExam("e", "r", ""), 3)
    for name in ("ann", "bob"):
        assert rows.join("digest", name, 10, 2).id == "c1"
    assert rows.start_attempt("c1", "ann", "old", 20, 2).attempt == 1
    assert [rows.leave("c1", name, 30) for name in ("ann", "ann", "bob")] == [True, False, True]
    assert (rows.members("c1"), rows.one("c1").members, rows.of_member("ann")) == ([], 0, [])
    assert rows.start_attempt("c1", "ann", "new", 31, 9) == "not-a-trainee"
    # Only a trainee with attempts has rows that stay.
    assert [len(rows.of_member(name, former=True)) for name in ("ann", "bob")] == [1, 0]
    assert rows.join("digest", "ann", 40, 1).id == "c1"
    assert [(one.handle, one.joined_at) for one in rows.members("c1")] == [("Ann", 40)]
    assert rows.start_attempt("c1", "ann", "new", 41, 2).attempt == 2
    assert rows.start_attempt("c1", "ann", "third", 42, 2) == "too-many"
    assert rows.end_attempt("c1", "ann", "old", "passed", 4, 50)
    assert not rows.end_attempt("c1", "ann", "other", "passed", 4, 50)
    assert [(one.attempt, one.status) for one in rows.attempts("c1")] == [(1, "passed"), (2, "started")]
    # If the entry was refused at first, it can be added later; the time of the end stays.
    assert rows.end_attempt("c1", "ann", "new", "aborted", None, 60)
    assert rows.end_attempt("c1", "ann", "new", "aborted", 7, 70)
    assert (rows.attempts("c1")[1].entry, rows.attempts("c1")[1].ended_at) == (7, 60)
    rows.leave("c1", "ann", 80)
    rows.erase_person("ann", 90)
    assert rows.attempts("c1") == []
    # The row stays with the number of erased attempts, in case the trainee joins again.
    assert [one.id for one in rows.of_member("ann", former=True)] == ["c1"]


def test_two_servers_number_the_attempts_of_one_trainee(postgres: Server) -> None:
    where = postgres.database()
    stores: list[Any] = [open_store(where, shared=True) for _ in range(2)]
    add_people(stores[0], "ines", "ann")
    rows = stores[0].class_rows()
    rows.create("c1", "Class", "ines", 1, 9)
    rows.invite("c1", "digest", 100)
    rows.join("digest", "ann", 2, 9)
    rows.set_exam("c1", ChosenExam("e", "r", ""), 3)
    numbers: list[int] = []

    def work(store: Any) -> None:
        for _ in range(8):
            started = store.class_rows().start_attempt("c1", "ann", secrets.token_hex(8), 9, 99)
            numbers.append(started.attempt)

    threads = [threading.Thread(target=work, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 17))
    for store in stores:
        store.close()
