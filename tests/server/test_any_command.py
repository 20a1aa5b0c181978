"""Random values in every field of every command at live tables: each command is refused or accepted, and play continues."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import fields

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.engine.rulings import EFFECTS
from houseway.engine.state import total
from houseway.rules.loader import rulebook_ids
from houseway.rules.procedure import KINDS as PROBLEMS
from houseway.server.permissions import WHOSE
from record.recorded import SIGNER
from server.hosted_rounds import Room, shuffled

COMMANDS = 1000
"""The number of random commands at each of the ten tables."""
FLOOR, DEALER, VISITOR = 7, 8, 9
"""The floor person, the dealer and a visitor without a seat, as numbers of people in a `Room`."""
NUMBERS = (0, 1, 2, 3, 4, 5, 26, 52, 100, 500, 1000, 2500, -1, -500, 2**31, 2**53 + 1, 2**63 - 1)
ODD: tuple[Any, ...] = (
    None,
    True,
    1.5,
    -1,
    2**63 - 1,
    "",
    "\x00",
    "x" * 300,
    [],
    {},
    ["Ah"],
    {"ante": -1},
    "seat 1",
)
TEXTS = (
    "",
    "seat 1",
    "seat 9",
    "dealer",
    "board",
    "deck",
    "A",
    "Z",
    "chips",
    "cash",
    "0" * 32,
    "flush",
    "é" * 70,
)
CARDS = ("Ah", "Kd", "7c", "2s", "??", "Xx")


COMMON = (
    "bad-command",
    "not-yours",
    "not-your-role",
    "not-your-seat",
    "cards-from-the-shoe",
    "machine-deals",
)
"""The refusals of commands that do not reach the engine."""


class Fuzz:
    """A live table, its staff and players, and random commands from each of them."""

    def __init__(self, rulebook: str, dealer: Any, seed: int = 1) -> None:
        self.rng = Random(f"{rulebook} {dealer} {seed}")
        orders = [shuffled(self.rng, rulebook) for _ in range(400)]
        order = OpenTable(rulebook=rulebook, dealer=dealer)
        self.room = Room(rulebook, orders, seats=(1, 2, 3), order=order)
        for place, name, role in (
            (FLOOR, "Flo", "floor"),
            (DEALER, "Dana", "dealer"),
            (VISITOR, "Vic", ""),
        ):
            introduced = self.room.people.introduce(name)
            assert isinstance(introduced, tuple)
            self.room.persons[place] = introduced[0]
            if role:
                given: Any = role
                self.room.persons[place] = self.room.people.give(introduced[0].handle, "room", given)
        for role in ("seat 1", "seat 2", "seat 3", "floor", "dealer", "rail"):
            self.room.watch(role)
        self.table = self.room.hosted.table
        self.seen: Counter[str] = Counter()
        self.stalled = 0

    def value(self, kind: type[c.Command], name: str) -> Any:
        """Return a value for a field: mostly of the right type, sometimes of any type."""
        rng, table = self.rng, self.table
        if rng.random() < 0.05:
            return rng.choice(ODD)
        wagers = [*table.book.wagers, "luck", "", "x" * 100]
        match name:
            case "wagers" | "tips" | "meters" | "reserves":
                return {rng.choice(wagers): rng.choice(NUMBERS) for _ in range(rng.randrange(4))}
            case "cards" | "first" | "second":
                return [rng.choice(CARDS) for _ in range(rng.randrange(4))]
            case "step":
                return rng.choice([*table.steps, "dance"])
            case "wager" if kind is not c.Split:
                return rng.choice(wagers)
            case "kind":
                return rng.choice([*PROBLEMS, "fire"])
            case "effect":
                return rng.choice([*EFFECTS, "dance"])
            case "seat" | "hand" | "count" | "times" | "which" if kind is not c.KeyAward or name == "seat":
                return rng.choice((*NUMBERS[:6], *NUMBERS[:6], *NUMBERS))
            case "amount" | "chips" | "coupon" | "tip" | "bonus" | "at" | "wager" if (
                name != "at" or kind is c.SyncMeters
            ):
                return rng.choice(NUMBERS)
            case "held" | "seen" | "examples":
                return rng.random() < 0.5
            case "hand":
                return rng.choice([*table.terms.order, "nothing"])
            case "link":
                return {"name": "north", "meters": {"main": 5}}
            case "designated" | "backs" | "leave_out":
                return [rng.choice(wagers)]
        return rng.choice(TEXTS)

    def command(self) -> dict[str, Any]:
        """A random command, as a client might send it."""
        kind = self.rng.choice([kind for kind in kinds(c.Command) if kind is not c.CloseTable])
        named = [field.name for field in fields(kind) if field.required or self.rng.random() < 0.6]
        return {"type": kind.__name__, **{name: self.value(kind, name) for name in named}}

    def sender(self, command: dict[str, Any]) -> int:
        """Return the person who may send a command; sometimes any other person."""
        whose = WHOSE[getattr(c, command["type"])]
        if self.rng.random() < 0.1 or whose == "house":
            return self.rng.choice(list(self.room.persons))
        if whose in ("dealer", "floor"):
            return DEALER if whose == "dealer" else FLOOR
        seat = self.rng.choice((1, 2, 3))
        command["seat"] = seat if self.rng.random() < 0.8 else command["seat"]
        return seat

    def send(self) -> None:
        """Send a random command as a random person; it must be answered."""
        command = self.command()
        before = total(self.room.hosted.live.state)
        answer = self.room.do(self.sender(command), command)
        self.seen[command["type"] if isinstance(answer, Answered) else answer.refused[0].code] += 1
        assert total(self.room.hosted.live.state) == before

    def play_on(self) -> None:
        """Let each person take a legal choice, say ready, or let the time run out.

        The floor person voids the round of a stalled table.
        """
        hosted, rng = self.room.hosted, self.rng
        if hosted.waits().stalled:
            self.stalled += 1
            ruling = c.MakeRuling(effect="refund round", reason="the table is stalled")
            assert isinstance(self.room.do(FLOOR, ruling), Answered), hosted.waits().stalled
        for place, role in (
            (1, "seat 1"),
            (2, "seat 2"),
            (3, "seat 3"),
            (DEALER, "dealer"),
            (FLOOR, "floor"),
        ):
            if place <= 3 and place not in hosted.live.state.seats:
                self.room.do(place, c.Sit(seat=place))
                continue
            yours = hosted.view(role).yours
            if yours.spots and hosted.phase.betting and rng.random() < 0.7:
                spot = yours.spots[0]
                self.room.do(place, c.Bet(seat=place, wagers={spot.wager: spot.least}))
            elif yours.choices and rng.random() < 0.8:
                leaving = ("leave", "stand up", "take back the wagers")
                listed = [choice for choice in yours.choices if choice.says not in leaving]
                if listed:
                    self.room.do(place, rng.choice(listed[:3]).command)
        self.room.ready()
        if rng.random() < 0.1:
            self.room.clock.move(400)


@pytest.mark.parametrize("dealer", ["machine", "person"])
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_command_stops_a_live_table(rulebook: str, dealer: str) -> None:
    fuzz = Fuzz(rulebook, dealer)
    hosted = fuzz.room.hosted
    for number in range(COMMANDS):
        fuzz.send()
        if number % 8 == 0:
            fuzz.play_on()
    assert len([code for code in fuzz.seen if code not in COMMON]) > 30
    rounds = hosted.live.state.rounds
    for _ in range(300):
        fuzz.play_on()
        if hosted.live.state.rounds >= rounds + 2:
            break
    assert hosted.live.state.rounds >= rounds + 2, hosted.waits()
    assert verify(fuzz.room.store, "room", key=SIGNER.public).faults == ()
