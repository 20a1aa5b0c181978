"""Checks of a command before the engine decides it: its idempotency key (a command that is sent again with
the same key is not carried out again), its sender's permission, and its timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec.structs import replace

from houseway.audit.entries import RecordEntry, read_entry
from houseway.client.messages import Answered, Do, Person
from houseway.engine import commands as c
from houseway.engine.codec import read_command, unknown_field
from houseway.engine.command_helpers import is_floor
from houseway.engine.dealer_act import next_act
from houseway.engine.persons import floors_step, names_person, role_of
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import due
from houseway.live.live_table import LONGEST, LiveTable

Authorize = Callable[[State, Person, c.Command], c.Command | Refusal]
"""Returns the command with the sender's role filled in, or a refusal."""
STALE: Final = "stale"
FROM_THE_SHOE: Final = (c.Perform, c.Report, c.DealExtra, c.DealShort)
"""Commands whose cards the table takes from its shoe."""
NAMED: Final = (
    c.MakeRuling, c.Recut, c.RemovePlayer, c.AnswerChallenge, c.ResetHand, c.ChangeMinimum, c.KeepMinimum,
    c.HoldSeat, c.ReleaseSeat, c.Correct, c.ReplaceDeck, c.Stand, c.ActFor,
)  # fmt: skip
"""Commands in which the server enters the sender's name."""


def seats_of_person(state: State, person: Person) -> tuple[int, ...]:
    """Return the seats of a person: none, one, or several if the house allows more positions."""
    return tuple(n for n, seat in state.seats.items() if seat.player == person.handle)


def parse(text: bytes) -> c.Command | Refusal:
    """Return the command in a JSON text, or a refusal."""
    try:
        command = read_command(text)
        unknown = unknown_field(text, command)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Refusal("bad-command", None, "command", f"the command cannot be read: {error}")
    if unknown:
        sentence = f"{type(command).__name__} has no field {unknown[:LONGEST]!r}; leave it out"
        return Refusal("bad-command", None, f"command.{unknown[:LONGEST]}", sentence)
    return command


def check_key(key: str, request: Do) -> Refusal | None:
    """Refuse a command without a key, or with a key that cannot be recorded."""
    if not request.key or not request.key.isprintable() or len(key) > LONGEST:
        return Refusal("bad-key", None, "key", "each command needs its own key of printable characters")
    return None


@dataclass
class CommandChecks:
    """Decides whether a command may reach the engine."""

    _live: LiveTable
    _authorize: Authorize
    _left_out: tuple[str, ...]
    """Wagers that the table does not offer."""

    def check(
        self, person: Person, request: Do, key: str, command: c.Command
    ) -> c.Command | Answered | Refusal:
        """Return the command to send, its recorded answer if it is a repeat, or a refusal."""
        known = self._live.keyed(key)
        if known is not None and not isinstance(command, FROM_THE_SHOE):
            # A repeated act of the dealer is sent to the table: only the table knows the cards it took.
            return self._again(request.key, read_entry(known), command)
        granted = self._authorize(self._live.state, person, command)
        if known is None and isinstance(granted, c.Perform):
            granted = self._named(person, granted)
        if known is None and isinstance(granted, c.Approve) and self._live.table.names_persons:
            granted = replace(granted, name=person.handle)
        if isinstance(granted, c.Bet) and (out := set(granted.wagers).intersection(self._left_out)):
            sentence = f"this table does not offer {' and '.join(sorted(out))}"
            return Refusal("not-offered", None, "wagers", sentence)
        seq = self._live.head.events
        # A new reading of the linked meter changes no choice, so a view from before it is still current.
        current = request.expect is None or self._live.acted <= request.expect <= seq
        if not isinstance(granted, Refusal) and known is None and not current:
            sentence = f"the table has changed (it is at event {seq}); look at it and choose again"
            return Refusal(STALE, None, "expect", sentence)
        return granted

    def _named(self, person: Person, command: c.Perform) -> c.Perform | Refusal:
        """Return a step with the name of the person who takes it, if it needs one.

        A step in the floor's name must be due, and must belong to the floor.
        """
        table, state = self._live.table, self._live.state
        now = due(table, state)
        step = now.step if now is not None and now.step.name == command.step else None
        if is_floor(command.by):
            act = next_act(table, state)
            floors = step is not None and (floors_step(table, state, step) or (act and is_floor(act.by)))
            if step is None or not floors:
                return Refusal("not-the-floors", None, "step", "the floor cannot take this step now")
            role = role_of(step)
            command = replace(command, by=role if is_floor(role) else "floor")
        if step is not None and names_person(table, step):
            return replace(command, name=person.handle)
        return command

    def _again(self, key: str, entry: RecordEntry, command: c.Command) -> Answered | Refusal:
        """Return the recorded answer to a key; a refusal if the key belongs to another command.

        A repeat does nothing, so the permission is not checked again.
        """
        recorded = entry.command
        same = replace(command, by=recorded.by) == recorded
        if isinstance(command, c.Approve) and isinstance(recorded, c.Approve):
            # The table filled in the name.
            same = True
        if isinstance(command, c.Sit) and isinstance(recorded, c.Sit):
            # The table filled in the name and the chips.
            same = command.seat == recorded.seat
        elif isinstance(recorded, NAMED) and type(command) is type(recorded):
            # The server filled in the name.
            same = replace(command, by=recorded.by, name=recorded.name) == recorded
        if not same:
            sentence = f"the key {key!r} belongs to another command; use a new key"
            return Refusal("key-used", None, "key", sentence)
        return Answered(key=key, seq=entry.seq, repeated=True)
