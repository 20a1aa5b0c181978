"""Runs a table: takes commands one at a time, does what follows by itself, and has everyone told.

Everything happens in one thread and in one order: a command is decided, recorded, and only then sent to
the viewers. The dealer's acts, the floor's when no one of the floor is there, and deadlines follow by
themselves; all of it is on record as if someone had asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from msgspec.structs import replace

from houseway.audit.store import StoreError
from houseway.client.messages import Answered, Do, NotTaken, Person, Ready, View, Waits
from houseway.engine import commands as c
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.live.audience import Audience, Watcher
from houseway.live.clock import Clock
from houseway.live.command_checks import STALE, Authorize, CommandChecks, check_key, parse, seat_of_person
from houseway.live.deadlines import Deadlines
from houseway.live.live_table import Accepted, LiveTable
from houseway.live.presence import Presence
from houseway.live.table_phase import Conduct, Phase
from houseway.live.table_plan import TablePlan

OUT_OF_ORDER: Final = "the record of this table cannot be written or read just now; nothing is lost"


class TableRunner:
    """One live table, its viewers and what it waits for."""

    def __init__(
        self,
        live: LiveTable,
        plan: TablePlan,
        authorize: Authorize,
        clock: Clock | None,
        conduct: Conduct | None = None,
    ) -> None:
        self.live = live
        self.plan = plan
        self.table = live.table
        self.audience = audience = Audience(live, plan.order.leave_out)
        self.presence = Presence(live, audience, lambda: self.plan.bots)
        self._conduct = conduct or Conduct()
        self.phase = Phase(live, self.presence, audience, self._conduct)
        self.after_send: list[Callable[[], None]] = []
        """Called when a change has been sent: bots look at the table then."""
        self.trouble = ""
        """Why the table cannot go on, or empty."""
        self._deadlines = Deadlines(
            clock, plan.order, live, self.phase, self.presence, audience, self._expired
        )
        self._checks = CommandChecks(live, authorize, plan.order.leave_out)
        self._untold: list[Accepted] = []
        """Decided and not yet on record, or on record and not yet sent."""
        self._before = self.phase.save()
        """The phase before what is decided now."""
        self._recall()

    def _recall(self) -> None:
        """Continue from the record; a long one is read from its end."""
        self._untold = []
        self.audience.restart()
        # If the dealer has begun with the next round already, no one is asked again.
        self.phase.over = self.audience.follower.view.closed and not self.live.state.done

    # --- looking ---

    @property
    def seq(self) -> int:
        """The number of the last event on record."""
        return self.live.head.events

    def view(self, role: str) -> View:
        """The table as a role sees it now."""
        return self.audience.view(role, self.waits(), self.presence.sitters())

    def waits(self) -> Waits:
        """What the table waits for, and how long."""
        return self._waits(self.phase.awaited())

    def _waits(self, awaited: Waits) -> Waits:
        seconds = self._deadlines.seconds_left()
        return replace(awaited, ready=tuple(sorted(self.phase.ready)), seconds=seconds)

    def enter(self, watcher: Watcher, since: int | None = None) -> None:
        """Send the table to a viewer who enters, or returns."""
        self.presence.enter(seat_of(watcher.role))
        self.audience.welcome(watcher, since, self.waits(), self.presence.sitters())
        self.go_on()

    def leave(self, watcher: Watcher) -> None:
        """Forget a viewer; a seat stays, and its clock runs."""
        self.audience.lose(watcher)
        self.go_on()

    # --- commands ---

    def do(self, person: Person, asked: Do) -> Answered | NotTaken:
        """Answer a person's command and let the table go on."""
        key = f"{person.handle}/{asked.key}"
        command = check_key(key, asked) or parse(bytes(asked.command))
        if isinstance(command, Refusal):
            return self._not(person, asked, command)
        self._be_sure()
        granted = self._checks.check(person, asked, key, command)
        if isinstance(granted, Answered):
            return granted
        if isinstance(granted, Refusal):
            return self._not(person, asked, granted)
        with self._in_one_piece():
            told = self.live.send(granted, key, person.handle)
            if isinstance(told, Refusal):
                return self._not(person, asked, told)
            self._note(told)
            if isinstance(granted, c.Bet | c.TakeBack):
                self.phase.ready.discard(granted.seat)
            self.presence.acted(seat_of_person(self.live.state, person))
            self._deal()
        self._send_all()
        return Answered(key=asked.key, seq=told.seq, repeated=told.repeated)

    def _not(self, person: Person, asked: Do, refusal: Refusal) -> NotTaken:
        """A refusal; a late command gets the table as the person sees it now."""
        refused = NotTaken(refused=(refusal,), key=asked.key, seq=self.seq)
        if refusal.code != STALE:
            return refused
        seat = seat_of_person(self.live.state, person)
        return replace(refused, view=self.view(f"seat {seat}" if seat else "rail"))

    def say_ready(self, person: Person, said: Ready) -> Refusal | None:
        """Note that a person has wagered all they want, or has seen the round that is over."""
        seat = seat_of_person(self.live.state, person)
        if not seat:
            return Refusal("not-seated", None, "ready", "only who sits at the table is waited for")
        why = "next" if self.phase.over else "bets" if self.phase.betting else ""
        if said.round not in (None, self.live.state.round.number) or said.why not in (None, why):
            return Refusal(STALE, None, "ready", "the table has gone on; look what it waits for")
        self.phase.ready = self.phase.ready | {seat} if said.ready else self.phase.ready - {seat}
        self.presence.acted(seat)
        self.go_on()
        return None

    def send(self, command: c.Command) -> Refusal | None:
        """Do something in the table's own name; viewers hear of it with the next change."""
        with self._in_one_piece():
            told = self.live.send(command)
            if isinstance(told, Refusal):
                return told
            self._note(told)
        return None

    # --- going on ---

    def go_on(self, first: Callable[[], c.Command | None] = lambda: None) -> None:
        """Do what happens by itself now; then send it to everyone, and wait.

        A record that cannot be written stops this table only: it is tried again.
        """
        with suppress(StoreError), self._in_one_piece():
            self._deal(first)
        self._send_all()

    def step(self) -> bool:
        """Do the next thing that follows by itself, and send it; False if there is none."""
        with self._in_one_piece():
            command = self.phase.next_command()
            if command is not None:
                self._must(command)
        self._send_all()
        return command is not None

    @contextmanager
    def _in_one_piece(self) -> Iterator[None]:
        """Put what a command leads to on record together; only then may it be sent."""
        try:
            self._before = self.phase.save()
            self._be_sure()
            self._before = self.phase.save()
            with self.live.together():
                yield
        except StoreError as error:
            self.trouble, self._untold = str(error), []
            self.phase.restore(self._before)
            self._deadlines.arm(self.phase.awaited(), retry=True)
            raise
        for told in self._untold:
            for seq, (event, after) in enumerate(told.walk(), told.seq):
                self.audience.record(seq, event, after)
                self.presence.recorded(event, after)
        self._untold = []

    def _be_sure(self) -> None:
        """Read the record again if it may hold more than is known here."""
        if self.live.unsure:
            self.live.reload()
            self._recall()
            if self._before.seq == self.seq:
                # Nothing of it was written: the table waits for what it waited for.
                self.phase.restore(self._before)

    def _deal(self, first: Callable[[], c.Command | None] = lambda: None) -> None:
        """Do what happens by itself until a person is awaited; a paced table waits for `step`."""
        if self._conduct.paced:
            return
        try:
            command = first() or self.phase.next_command()
            while command is not None:
                self._must(command)
                command = self.phase.next_command()
            self.trouble = ""
        except StoreError as error:
            # What came before stays.
            self.trouble = str(error)

    def _must(self, command: c.Command) -> None:
        told = self.live.send(command)
        if isinstance(told, Refusal):
            raise StoreError(f"{self.live.stream}: the table cannot go on: {told.message}")
        self._note(told)

    def _note(self, told: Accepted) -> None:
        """Let a decision steer the table; it is sent once it is on record."""
        if told.repeated:
            return
        self._untold.append(told)
        for event in told.events:
            self.presence.decided(event)
            self.phase.decided(event)

    def _send_all(self) -> None:
        """Start the timer, and send what is new."""
        self.audience.place()
        awaited = self.phase.awaited()
        self._deadlines.arm(awaited, retry=bool(self.trouble))
        self.audience.send(self._waits(awaited), self.presence.sitters())
        for look in tuple(self.after_send):
            look()

    def _expired(self) -> None:
        """Go on without what the table waited for."""
        if self.trouble:
            # The timer ran for the record, not for a player.
            self.go_on()
            return
        awaited = self.phase.awaited()
        match awaited.why:
            case "decision" | "floor" | "dealer":
                self.go_on(lambda: self.phase.instead(awaited))
                return
            case "players":
                self.phase.bots_alone = self.live.state.round.number
            case "next":
                self.phase.begin_next()
            case "bets":
                self.phase.ready.update(awaited.seats)
        self.go_on()

    def stop(self) -> None:
        """Cancel the timer; the record has everything."""
        self._deadlines.stop()
