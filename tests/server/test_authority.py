"""Permissions: every command is rejected from every person who may not send it."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgspec
import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.cards import DECK
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.engine.refusals import Refusal
from houseway.live.viewer_messages import encoder
from houseway.server.handle_rules import HANDLE_LETTERS
from houseway.server.people import TICKET_SECONDS, People
from houseway.server.permissions import WHOSE, allowed
from samples import MARGIN, sample
from server.hosted_rounds import Room
from without_a_loop import WithoutLoop

ATTEMPTS = sample("attempts")
ROLES = get_args(m.Role)


class SettableClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def known_people(store: MemoryStore, clock: SettableClock | None = None) -> Any:
    return WithoutLoop(People(store, clock or SettableClock()))


def introduce(people: Any, handle: str) -> tuple[m.Person, str]:
    introduced = people.introduce(handle)
    assert isinstance(introduced, tuple), introduced
    return introduced


def random_command(kind: type[c.Command], seat: int, rng: Random) -> c.Command:
    """Return a command of a kind with arbitrary values."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.name == "seat":
            values["seat"] = seat
        elif field.name == "by":
            values["by"] = rng.choice(["dealer", "floor", "supervisor", "seat 1", "deadline", "Maren"])
        elif field.required:
            values[field.name] = {"wagers": {"ante": 500}, "times": 4, "amount": 500, "bonus": 0}.get(
                field.name, () if "tuple" in str(field.type) else "x"
            )
    return kind(**values)


def test_every_command_has_a_role_that_may_send_it() -> None:
    assert set(WHOSE) == set(kinds(c.Command))


def betting_room() -> Room:
    """Return a table where three players have bet."""
    room = Room("uth-ma", [()])
    room.watch("seat 1")
    for seat in (1, 2, 3):
        room.bet(seat, side=False)
    return room


def attempts(room: Room, count: int, seed: str = "authority") -> list[tuple[str, c.Command]]:
    """Send commands from people who may not send them, and return those that were accepted."""
    rail, _ = introduce(room.people, "Rita")
    elsewhere, _ = introduce(room.people, "Elsewhere")
    elsewhere = room.people.give(elsewhere.handle, "another table", "floor", "dealer", "surveillance")
    rng, accepted = Random(seed), []
    every = kinds(c.Command)
    for n in range(count):
        kind = every[n % len(every)]
        person = rng.choice([rail, elsewhere, room.persons[2]])
        seat = rng.choice([1, 3, 0, 7, -1]) if person is room.persons[2] else rng.choice([1, 2, 3, 0, 7])
        if kind is c.Sit and person is not room.persons[2] and seat not in (1, 2, 3):
            # A free seat is open to everyone.
            continue
        raw = msgspec.Raw(msgspec.json.encode(msgspec.to_builtins(random_command(kind, seat, rng))))
        answer = room.hosted.do(person, m.Do(key=f"x{n}", command=raw))
        if not isinstance(answer, m.Rejected):
            accepted.append((person.handle, random_command(kind, seat, rng)))
    return accepted


def test_commands_from_the_wrong_person_are_rejected() -> None:
    room = betting_room()
    before = room.hosted.seq
    assert attempts(room, ATTEMPTS) == []
    assert room.hosted.seq == before


def test_a_planted_missing_check_of_the_sender_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check of the sender, another person's command is accepted."""
    # The commands may make all players leave. Such a table accepts little more, so several are tried.
    rooms = [betting_room() for _ in range(4)]
    monkeypatch.setattr("houseway.server.tables.allowed", lambda *args, **terms: args[4])
    accepted = [attempts(room, 300, f"gap {n}") for n, room in enumerate(rooms)]
    assert sum(map(len, accepted)) >= MARGIN


def test_a_command_is_signed_with_its_senders_role() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    state = room.hosted.live.state
    floor = room.people.give(introduce(room.people, "Flora")[0].handle, "room", "floor")
    as_seat = allowed(room.people, "room", state, room.persons[1], c.Check(seat=1, by="floor"), 0)
    as_floor = allowed(room.people, "room", state, floor, c.Approve(by="seat 1"), 0)
    assert isinstance(as_seat, c.Check)
    assert isinstance(as_floor, c.Approve)
    assert (as_seat.by, as_floor.by) == ("seat 1", "floor")


def test_a_player_cannot_choose_chips_or_another_name() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    state = room.hosted.live.state
    person, _ = introduce(room.people, "Maren")
    greedy = c.Sit(seat=2, player="Theo", chips=10**9, account="Theo")
    granted = allowed(room.people, "room", state, person, greedy, 500)
    # The chips come from her own account.
    assert granted == c.Sit(seat=2, player="Maren", account="Maren")


def test_rejections_do_not_reveal_hidden_cards() -> None:
    """A command that names a card gets the same rejection for each of the 52 cards."""
    room = Room("uth-ma", [()], seats=(1, 2))
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.ready()
    staff, _ = introduce(room.people, "Flora")
    staff = room.people.give(staff.handle, "room", "floor", "dealer")
    answers = set()
    for card in DECK:
        for command in (
            c.Report(kind="exposed card", at="dealer", cards=(card,)),
            c.DealExtra(at="seat 1", cards=(card,)),
            c.Perform(step="deal the flop", cards=(card,)),
        ):
            raw = msgspec.Raw(encoder.encode(command))
            answer = room.hosted.do(staff, m.Do(key=f"{card}{type(command).__name__}", command=raw))
            assert isinstance(answer, m.Rejected)
            answers.add(answer.refused[0].code)
    assert answers == {"cards-from-the-shoe"}


@pytest.mark.parametrize(
    "command",
    [
        c.Mispay(seat=1, wager="ante", amount=500_000),
        c.Report(kind="machine failure"),
        c.DealShort(),
        c.Recut(),
        c.GoIdle(),
    ],
)
def test_a_player_has_no_floor_or_dealer_powers(command: c.Command) -> None:
    room = Room("uth-ma", [()], seats=(1, 2))
    room.people.give(room.persons[1].handle, "room", "floor", "dealer")
    for seat in (1, 2):
        room.watch(f"seat {seat}")
        room.bet(seat, side=False)
    room.persons[1] = room.people.still("player 1") or room.persons[1]
    answer = room.do(1, command)
    assert isinstance(answer, m.Rejected)
    assert answer.refused[0].code in ("plays", "machine-deals")


@pytest.mark.parametrize("handle", ["dealer", "Floor", "DEADLINE", "house", "a/b"])
def test_a_role_name_is_not_a_handle(handle: str) -> None:
    refused = known_people(MemoryStore()).introduce(handle)
    assert isinstance(refused, Refusal)
    assert refused.code == "bad-handle"


def test_new_tickets_of_one_person_invalidate_no_ticket_of_another() -> None:
    clock = SettableClock()
    people = known_people(MemoryStore(), clock)
    one, other = introduce(people, "One")[0], introduce(people, "Other")[0]

    def ticket(person: m.Person) -> str:
        clock.time += 0.001
        return str(people.ticket(person, "loire").ticket)

    other_ticket, first = ticket(other), ticket(one)
    last = [ticket(one) for _ in range(100)][-1]
    assert people.admit(other_ticket, "loire").person == other
    assert people.admit(last, "loire").person == one
    assert people.admit(first, "loire") is None


# --- handles, tokens, tickets ---


@pytest.mark.parametrize(
    "handle", ["", "   ", "x" * (HANDLE_LETTERS + 1), "a\x00b", "Ines (bot)", "\u202e"]
)
def test_an_invalid_handle_is_rejected(handle: str) -> None:
    refused = known_people(MemoryStore()).introduce(handle)
    assert isinstance(refused, Refusal)
    assert refused.code == "bad-handle"


def test_handles_ignore_case_and_spaces() -> None:
    people = known_people(MemoryStore())
    introduce(people, "Maren")
    refused = people.introduce("  mAREN ")
    assert isinstance(refused, Refusal)
    assert refused.code == "handle-taken"


def test_a_token_survives_a_restart_until_it_is_revoked() -> None:
    store = MemoryStore()
    people = known_people(store)
    person, token = introduce(people, "Maren")
    again = known_people(store)
    assert again.by_token(token) == person
    again.revoke("Maren")
    assert again.by_token(token) is None
    assert known_people(store).by_token(token) is None
    assert token.encode() not in b"".join(store.kept().values())


def test_a_ticket_works_once_at_one_table_until_it_expires() -> None:
    clock = SettableClock()
    people = known_people(MemoryStore(), clock)
    person, _ = introduce(people, "Maren")

    def ticket() -> str:
        return str(people.ticket(person, "loire").ticket)

    once = ticket()
    assert people.admit(once, "loire").person == person
    assert people.admit(once, "loire") is None
    other = ticket()
    assert people.admit(other, "tagus") is None
    assert people.admit(other, "loire") is None
    late = ticket()
    clock.time += TICKET_SECONDS
    assert people.admit(late, "loire") is None
    revoked = ticket()
    people.revoke("Maren")
    assert people.admit(revoked, "loire") is None


def test_forged_tickets_and_tokens_are_rejected() -> None:
    people = known_people(MemoryStore())
    person, token = introduce(people, "Maren")
    ticket = people.ticket(person, "loire")
    rng = Random("forged")
    for _ in range(ATTEMPTS):
        text = list(rng.choice([token, ticket.ticket]))
        text[rng.randrange(len(text))] = rng.choice("abcXYZ019-_")
        forged = "".join(text)
        if forged in (token, ticket.ticket):
            continue
        assert people.admit(forged, "loire") is None
        assert people.by_token(forged) is None


def test_an_invitation_gives_its_role_once() -> None:
    store = MemoryStore()
    people = known_people(store)
    one, other = introduce(people, "One")[0], introduce(people, "Other")[0]
    invitation = people.invite("loire", "dealer")
    assert invitation.invitation.encode() not in b"".join(store.kept().values())
    accepted = people.accept(one, invitation.invitation)
    assert isinstance(accepted, m.Person)
    assert people.may(accepted, "loire", "dealer")
    assert not people.may(accepted, "tagus", "dealer")
    assert not people.may(accepted, "loire", "floor")
    refused = known_people(store).accept(other, invitation.invitation)
    assert isinstance(refused, Refusal)
    assert refused.code == "no-invitation"


def test_people_and_invitations_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.server.people.MOST_PEOPLE", 2)
    monkeypatch.setattr("houseway.server.people.MOST_INVITATIONS", 2)
    people = known_people(MemoryStore())
    introduce(people, "One"), introduce(people, "Two")
    refused = people.introduce("Three")
    assert isinstance(refused, Refusal)
    assert refused.code == "too-many-people"
    people.invite("loire", "floor")
    link = people.invite("loire", "floor")
    many = people.invite("loire", "floor")
    assert isinstance(many, Refusal)
    assert many.code == "too-many-invitations"
    assert isinstance(people.invite("tagus", "floor"), m.Invitation)
    person = people.still("One")
    assert person is not None
    people.accept(person, link.invitation)
    assert isinstance(people.invite("loire", "floor"), m.Invitation)
