"""Runs a table: takes commands one at a time, performs the automatic acts, and sends out the result.

Everything happens in one thread and in one order: a command is decided, recorded, and only then sent to
the viewers. The dealer's acts, the floor's acts if no floor person is connected, and deadlines are
automatic, and are recorded like any other command.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from houseway.audit.store import StaleHeadError, StoreError
from houseway.client.messages import Answered, Do, Person, Ready, Rejected, View, Waits
from houseway.engine import commands as c
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.live.audience import Audience, Watcher
from houseway.live.clock import Clock
from houseway.live.command_checks import STALE, Authorize, CommandChecks, check_key, parse, seats_of_person
from houseway.live.deadlines import Deadlines
from houseway.live.live_table import ATTEMPTS, Accepted, LiveTable
from houseway.live.presence import Presence
from houseway.live.stalls import RECORD, REFUSED, Stall
from houseway.live.table_phase import Automation, Phase
from houseway.live.table_plan import TablePlan

T = TypeVar("T")


class ActRefusedError(StoreError):
    """An automatic act was refused, so the table cannot continue by itself."""


class TableRunner:
    """One live table, its viewers, and the players or acts that it waits for."""

    def __init__(
        self,
        live: LiveTable,
        plan: TablePlan,
        authorize: Authorize,
        clock: Clock | None,
        automation: Automation | None = None,
    ) -> None:
        self.live = live
        self.plan = plan
        self.table = live.table
        self.audience = audience = Audience(live, plan.order.leave_out)
        self.presence = Presence(live, audience, lambda: self.plan.bots)
        self._automation = automation or Automation()
        self.phase = Phase(live, self.presence, audience, self._automation)
        self.after_send: list[Callable[[], None]] = []
        """Callbacks that run after a change has been sent; bots use them."""
        self.trouble = ""
        """The reason the table is stuck, or empty."""
        self.stall = Stall(live, clock)
        self._deadlines = Deadlines(
            clock, plan.order, live, self.phase, self.presence, audience, self._expired
        )
        self._checks = CommandChecks(live, authorize, plan.order.leave_out)
        self._unsent: list[Accepted] = []
        """Answers that have not been recorded or sent yet."""
        self._before = self.phase.save()
        """The phase before the command in progress."""
        self._recall()

    def _recall(self) -> None:
        """Continue from the recorded events."""
        self._unsent = []
        self.audience.restart()
        # If the dealer has already begun the next round, do not wait for players again.
        state = self.live.state
        self.phase.over = self.audience.follower.view.closed and not state.done and state.section != "idle"

    # --- views ---

    @property
    def seq(self) -> int:
        """The number of the last event on record."""
        return self.live.head.events

    def view(self, role: str) -> View:
        """Return the table as a role sees it now."""
        return self.audience.view(role, self.waits(), self.presence.sitters())

    def waits(self) -> Waits:
        """Return the seats that the table waits for, the reason, and the seconds left."""
        return self._waits(self.phase.awaited())

    def _waits(self, awaited: Waits) -> Waits:
        seconds = self._deadlines.seconds_left()
        ready = tuple(sorted(self.phase.ready))
        return replace(awaited, ready=ready, seconds=seconds, stalled=self.stall.reason)

    def enter(self, watcher: Watcher, since: int | None = None) -> None:
        """Add a viewer and send them the table."""
        self.presence.enter(seat_of(watcher.role))
        self.audience.welcome(watcher, since, self.waits(), self.presence.sitters())
        self.go_on()

    def leave(self, watcher: Watcher) -> None:
        """Remove a viewer. A player keeps the seat, and its clock keeps running."""
        self.audience.lose(watcher)
        self.go_on()

    # --- commands ---

    def do(self, person: Person, request: Do) -> Answered | Rejected:
        """Answer a person's command, then run the automatic acts that follow."""
        key = f"{person.handle}/{request.key}"
        command = check_key(key, request) or parse(bytes(request.command))
        if isinstance(command, Refusal):
            return self._reject(person, request, command)
        self._reload_if_unsure()
        granted = self._checks.check(person, request, key, command)
        if isinstance(granted, Answered):
            return granted
        if isinstance(granted, Refusal):
            return self._reject(person, request, granted)

        def act() -> Accepted | Refusal:
            answer = self.live.send(granted, key, person.handle)
            if isinstance(answer, Refusal):
                return answer
            self._note(answer)
            if isinstance(granted, c.Bet | c.TakeBack):
                self.phase.ready.discard(granted.seat)
            for seat in seats_of_person(self.live.state, person):
                self.presence.acted(seat)
            self._deal()
            return answer

        before = self.seq
        answer = self._in_one_piece(act)
        if isinstance(answer, Refusal):
            if self.seq != before:
                # The linked meter was read.
                self._send_all()
            return self._reject(person, request, answer)
        self._send_all()
        return Answered(key=request.key, seq=answer.seq, repeated=answer.repeated)

    def _reject(self, person: Person, request: Do, refusal: Refusal) -> Rejected:
        """Return a rejection, with the person's current view if the command came too late."""
        refused = Rejected(refused=(refusal,), key=request.key, seq=self.seq)
        if refusal.code != STALE:
            return refused
        seats, command = seats_of_person(self.live.state, person), parse(bytes(request.command))
        seat = getattr(command, "seat", None)
        seat = seat if seat in seats else next(iter(seats), 0)
        return replace(refused, view=self.view(f"seat {seat}" if seat else "rail"))

    def say_ready(self, person: Person, said: Ready) -> Refusal | None:
        """Note that a player has finished betting, or has seen the result of the round.

        A message without a seat is for all seats of the player.
        """
        seats = seats_of_person(self.live.state, person)
        if not seats:
            return Refusal(
                "not-seated", None, "ready", "only a seated player can be ready; take a seat first"
            )
        why = "next" if self.phase.over else "bets" if self.phase.betting else ""
        if said.round not in (None, self.live.state.round.number) or said.why not in (None, why):
            return Refusal(STALE, None, "ready", "the table has moved on; look at it and try again")
        if said.seat is not None and said.seat not in seats:
            return Refusal("not-your-seat", None, "ready", f"seat {said.seat} is not yours")
        chosen = set(seats) if said.seat is None else {said.seat}
        self.phase.ready = self.phase.ready | chosen if said.ready else self.phase.ready - chosen
        for seat in chosen:
            self.presence.acted(seat)
        self.go_on()
        return None

    def send(self, command: c.Command) -> Refusal | None:
        """Perform a command of the table itself; viewers get its events with the next change."""

        def act() -> Refusal | None:
            answer = self.live.send(command)
            if isinstance(answer, Refusal):
                return answer
            self._note(answer)
            return None

        return self._in_one_piece(act)

    # --- automatic acts ---

    def go_on(self, first: Callable[[], c.Command | None] = lambda: None) -> None:
        """Perform the automatic acts that are due and send every viewer the result.

        If the record cannot be written, only this table stops, and it retries.
        """
        with suppress(StoreError):
            self._in_one_piece(lambda: self._deal(first))
        self._send_all()

    def step(self) -> bool:
        """Perform and send the next automatic act; return False if none is due."""

        def act() -> bool:
            command = self.phase.next_command()
            if command is not None:
                self._must(command)
            return command is not None

        acted = self._in_one_piece(act)
        self._send_all()
        return acted

    def _in_one_piece(self, act: Callable[[], T]) -> T:
        """Record all commands of an act together, then pass their events to the viewers' queue.

        If another table moves the linked meter or an account first, nothing is recorded, and the act is
        repeated.
        """
        attempt = 0
        while True:
            attempt += 1
            try:
                self._before = self.phase.save()
                self._reload_if_unsure()
                self._before = self.phase.save()
                with self.live.together():
                    synced = self.live.sync()
                    if synced is not None:
                        self._note(synced)
                    result = act()
                break
            except StoreError as error:
                self._unsent = []
                self.phase.restore(self._before)
                others = isinstance(error, StaleHeadError) and error.stream != self.live.stream
                if others and attempt < ATTEMPTS:
                    continue
                self.trouble = str(error)
                self.stall.note(REFUSED if isinstance(error, ActRefusedError) else RECORD, self.trouble)
                self._deadlines.arm(self.phase.awaited(), retry=True)
                raise
        self.stall.written()
        for answer in self._unsent:
            for seq, (event, after) in enumerate(answer.walk(), answer.seq):
                self.audience.record(seq, event, after)
                self.presence.recorded(event, after)
        self._unsent = []
        return result

    def _reload_if_unsure(self) -> None:
        """Read the record again if it may have events that this process has not read."""
        if self.live.unsure:
            self.live.reload()
            self._recall()
            if self._before.seq == self.seq:
                # Nothing was written, so the table waits as before.
                self.phase.restore(self._before)

    def _deal(self, first: Callable[[], c.Command | None] = lambda: None) -> None:
        """Perform automatic acts until the table waits for a person; none if `step` paces the table."""
        if self._automation.paced:
            return
        try:
            command = first() or self.phase.next_command()
            while command is not None:
                self._must(command)
                command = self.phase.next_command()
            self.trouble = ""
        except StoreError as error:
            # The acts before the error are kept.
            self.trouble = str(error)
            self.stall.note(REFUSED if isinstance(error, ActRefusedError) else RECORD, self.trouble)

    def _must(self, command: c.Command) -> None:
        answer = self.live.send(command)
        if isinstance(answer, Refusal):
            raise ActRefusedError(f"the table cannot continue: {answer.message}")
        self._note(answer)

    def _note(self, answer: Accepted) -> None:
        """Update presence and phase with an answer, and queue it to be sent."""
        if answer.repeated:
            return
        self._unsent.append(answer)
        for event in answer.events:
            self.presence.decided(event)
            self.phase.decided(event)

    def _send_all(self) -> None:
        """Start the timer, and send the changes to the viewers."""
        self.audience.place()
        awaited = self.phase.awaited()
        if awaited.why == "dealer" and (blocked := self.phase.blocked()):
            self.stall.note(REFUSED, f"the table cannot continue: {blocked}")
        self._deadlines.arm(awaited, retry=bool(self.trouble or self.stall.reason))
        self.audience.send(self._waits(awaited), self.presence.sitters())
        for look in tuple(self.after_send):
            look()

    def _expired(self) -> None:
        """Continue after a deadline without the act that the table waited for."""
        if self.stall.overdue and not self.audience.has("floor"):
            self.go_on(partial(self.stall.ruling, self.stall.reason))
            return
        if self.trouble:
            # The timer was for a retry, not for a player.
            self.go_on()
            return
        awaited = self.phase.awaited()
        match awaited.why:
            case "decision":
                for seat in self._deadlines.late(awaited):
                    self.go_on(partial(self.phase.instead, awaited, seat))
                return
            case "floor" | "dealer":
                self.go_on(lambda: self.phase.instead(awaited) or self._without_floor(awaited))
                return
            case "players":
                self.phase.bots_only_round = self.live.state.round.number
            case "next":
                self.phase.begin_next()
            case "bets":
                self.presence.missed(awaited.seats)
                self.phase.ready.update(awaited.seats)
        self.go_on()

    def _without_floor(self, awaited: Waits) -> c.Command | None:
        """Return the ruling that voids a round which has waited too long for a floor person."""
        waits = awaited.why == "floor" and not self.phase.automatic and not self.audience.has("floor")
        return self.stall.ruling("no floor person was there to approve a payment") if waits else None

    def stop(self) -> None:
        """Cancel the timer. Nothing else needs saving: everything is on record."""
        self._deadlines.stop()
