"""Runs a table: takes commands one at a time, performs the automatic acts, and sends out the result.

A command is decided and recorded in another thread, and only then sent to the viewers. The changes of one
table are made in the order in which they were requested. The dealer's acts, the floor's acts if no floor
person is connected, and deadlines are automatic, and are recorded like any other command.

Viewers, timers and bots belong to the event loop. They read the table as it was last recorded, so they
never see half of a change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from houseway.audit.store import LeaseLostError, StaleHeadError, StoreError
from houseway.client.messages import Answered, Do, Person, Ready, Rejected, View, Waits
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.live.audience import Audience, Watcher
from houseway.live.clock import DEFAULT_PATIENCE, Clock, Patience
from houseway.live.command_checks import STALE, Authorize, CommandChecks, check_key, parse, seats_of_person
from houseway.live.deadlines import DeadlineKey, Deadlines
from houseway.live.live_table import ATTEMPTS, Accepted, LiveTable
from houseway.live.offload import DIRECT, AbandonedError, Offload
from houseway.live.presence import Presence
from houseway.live.recent_events import Numbered, recent, recorded_events
from houseway.live.recorded_table import RecordedTable
from houseway.live.stalls import Stall
from houseway.live.table_change import ActRefusedError, First, TableChange, no_command
from houseway.live.table_phase import Automation, Phase
from houseway.live.table_plan import TablePlan

T = TypeVar("T")

RECORD_UNAVAILABLE: Final = (
    "the record of this table cannot be read or written at the moment; nothing is lost, try again"
)


class TableRunner:
    """One live table, its viewers, and the players or acts that it waits for."""

    def __init__(
        self,
        live: LiveTable,
        plan: TablePlan,
        authorize: Authorize,
        clock: Clock | None,
        automation: Automation | None = None,
        offload: Offload = DIRECT,
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        self.live = live
        """The table on which a change works. It may be ahead of the record; all other code reads `now`."""
        self.plan = plan
        self.table = live.table
        self.stream = live.stream
        self.now = RecordedTable.of(live)
        self.audience = audience = Audience(self.now, recent(live, 1), plan.order.leave_out)
        self.presence = Presence(self.now, audience, lambda: self.plan.bots, patience)
        self._automation = automation or Automation()
        self.phase = Phase(self.now, self.presence, audience, self._automation)
        self.after_send: list[Callable[[], None]] = []
        """Callbacks that run after a change has been sent; bots use them."""
        self.after_event: list[Callable[[int, e.Event, State], None]] = []
        """Callbacks that get each recorded event with its number and the state after it."""
        self.before_recording: Callable[[Person], None] = lambda person: None
        """Called in the thread of a change, before a person's command is recorded."""
        self.trouble = ""
        """The reason the last automatic act failed, or empty."""
        self.unavailable = False
        """True if the last attempt to read or write the record failed."""
        self.stall = Stall(self.now, clock, patience.stalled)
        self._offload = offload
        self._order = asyncio.Lock()
        """Held for each change, so that changes are made in the order in which they were requested."""
        self._lost = False
        """True if the thread of an earlier change may still be at work with `live`."""
        self._given_up = 0
        """How many changes were given up and may still be recorded."""
        self._reread = False
        """True if a change that was given up has ended since the record was read."""
        self._deadlines = Deadlines(
            clock, plan.order, self.now, self.phase, self.presence, audience, self._expired, patience
        )
        self._authorize = authorize
        self._given_away = False
        self._set_over()

    def _set_over(self) -> None:
        """Set `phase.over` from the record: true if a round is over and the next one has not begun."""
        # If the dealer has already begun the next round, do not wait for players again.
        state = self.state
        self.phase.over = self.audience.follower.view.closed and not state.done and state.section != "idle"

    # --- views ---

    @property
    def state(self) -> State:
        """The table at the end of its record."""
        return self.now.state

    @property
    def seq(self) -> int:
        """The number of the last event on record."""
        return self.now.head.events

    @property
    def stuck_reason(self) -> str:
        """The reason the last automatic act failed or no act is possible; empty if the table can continue.

        It is for the log, because it may name the database.
        """
        return self.trouble or self.stall.reason

    def view(self, role: str) -> View:
        """Return the table as a role sees it now."""
        return self.audience.view(role, self.waits(), self.presence.sitters())

    def waits(self) -> Waits:
        """Return the seats that the table waits for, the reason, and the seconds left."""
        return self._waits(self.phase.awaited())

    def _waits(self, awaited: Waits) -> Waits:
        seconds = self._deadlines.seconds_left()
        ready = tuple(sorted(self.phase.ready))
        unavailable, stalled = self.unavailable, self.stall.reason
        return replace(awaited, ready=ready, seconds=seconds, unavailable=unavailable, stalled=stalled)

    def enter(self, watcher: Watcher, since: int | None = None) -> None:
        """Add a viewer and send them the table. The table continues in the background."""
        self.presence.enter(seat_of(watcher.role))
        self.audience.welcome(watcher, since, self.waits(), self.presence.sitters())
        self._offload.start(self.go_on())

    def leave(self, watcher: Watcher) -> None:
        """Remove a viewer. A player keeps the seat, and the seat's deadline keeps running."""
        self.audience.lose(watcher)
        self._offload.start(self.go_on())

    # --- commands ---

    async def do(self, person: Person, request: Do) -> Answered | Rejected:
        """Answer a person's command, then run the automatic acts that follow."""
        key = f"{person.handle}/{request.key}"
        command = check_key(key, request) or parse(bytes(request.command))
        if isinstance(command, Refusal):
            return self._reject(person, request, command)

        def act(change: TableChange) -> Accepted | Answered | Refusal:
            checks = CommandChecks(change.live, self._authorize, self.plan.order.leave_out)
            granted = checks.check(person, request, key, command)
            if isinstance(granted, Answered) and granted.seq > change.live.head.events:
                change.live.unsure = True
                raise StaleHeadError(f"{self.stream} has events that are not read yet", self.stream)
            if isinstance(granted, Answered | Refusal):
                return granted
            recording = partial(self.before_recording, person)
            return change.record(partial(_send_and_deal, change, granted, key, person, recording))

        return await self._alone(partial(self._answer, person, request, act))

    async def _answer(
        self, person: Person, request: Do, act: Callable[[TableChange], Accepted | Answered | Refusal]
    ) -> Answered | Rejected:
        before = (self.seq, self.unavailable)
        answer = await self._change(act)
        if isinstance(answer, Accepted) or (self.seq, self.unavailable) != before:
            # A refused command may have changed the table too: the linked meter was read.
            self._send_all()
        if isinstance(answer, Answered):
            return answer
        if isinstance(answer, Refusal):
            return self._reject(person, request, answer)
        return Answered(key=request.key, seq=answer.seq, repeated=answer.repeated)

    def _reject(self, person: Person, request: Do, refusal: Refusal) -> Rejected:
        """Return a rejection, with the person's current view if the command came too late."""
        refused = Rejected(refused=(refusal,), key=request.key, seq=self.seq)
        if refusal.code != STALE:
            return refused
        seats, command = seats_of_person(self.state, person), parse(bytes(request.command))
        seat = getattr(command, "seat", None)
        seat = seat if seat in seats else next(iter(seats), 0)
        return replace(refused, view=self.view(f"seat {seat}" if seat else "rail"))

    async def say_ready(self, person: Person, said: Ready) -> Refusal | None:
        """Note that a player has finished betting, or has seen the result of the round.

        A message without a seat is for all seats of the player.
        """
        return await self._alone(partial(self._note_ready, person, said))

    async def _note_ready(self, person: Person, said: Ready) -> Refusal | None:
        seats = seats_of_person(self.state, person)
        if not seats:
            return Refusal(
                "not-seated", None, "ready", "only a seated player can be ready; take a seat first"
            )
        why = "next" if self.phase.over else "bets" if self.phase.betting else ""
        if said.round not in (None, self.state.round.number) or said.why not in (None, why):
            return Refusal(STALE, None, "ready", "the table has moved on; look at it and try again")
        if said.seat is not None and said.seat not in seats:
            return Refusal("not-your-seat", None, "ready", f"seat {said.seat} is not yours")
        chosen = set(seats) if said.seat is None else {said.seat}
        self.phase.ready = self.phase.ready | chosen if said.ready else self.phase.ready - chosen
        for seat in chosen:
            self.presence.acted(seat)
        await self._go_on()
        return None

    async def send(self, command: c.Command) -> Refusal | None:
        """Perform a command of the table itself; viewers get its events with the next change."""

        def act(change: TableChange) -> Refusal | None:
            return change.record(partial(_send, change, command))

        return await self._alone(partial(self._change, act))

    # --- automatic acts ---

    async def go_on(self) -> None:
        """Perform the automatic acts that are due and send every viewer the result.

        If the record cannot be written, only this table stops, and it retries.
        """
        await self._alone(self._go_on)

    async def _go_on(self, first: First = no_command) -> None:
        if first is no_command and not self._has_act():
            self._send_all()
            return
        with suppress(StoreError):
            await self._change(lambda change: change.record(partial(change.deal, first)))
            self._send_all()

    def _has_act(self) -> bool:
        """True if an automatic act may be due. If none is, the record need not be read."""
        if self.trouble or self._is_unsure or self.state.link:
            return True
        phase = self.phase.copy(self.now, self.presence, self.audience)
        if not self._automation.paced and phase.next_command() is not None:
            return True
        self.phase.adopt(phase)
        return False

    async def step(self) -> bool:
        """Perform and send the next automatic act; return False if none is due."""
        return await self._alone(self._step)

    async def _step(self) -> bool:
        acted = await self._change(lambda change: change.record(change.step))
        self._send_all()
        return acted

    # --- changes ---

    async def _alone(self, steps: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run steps after all earlier changes, and to their end even if the caller is cancelled."""

        async def in_order() -> T:
            async with self._order:
                return await steps()

        return await self._offload.whole(in_order())

    async def _change(self, act: Callable[[TableChange], T]) -> T:
        """Let an act record its commands, then pass their events to the viewers' queue.

        If another table changes the linked meter or an account first, nothing is recorded, and the act is
        repeated.
        """
        attempt = 0
        while True:
            if self._given_away:
                raise LeaseLostError(f"{self.stream} has moved to another server; reconnect")
            attempt += 1
            try:
                await self._reload_if_unsure()
                return await self._attempt(act)
            except StoreError as error:
                if isinstance(error, StaleHeadError) and attempt < ATTEMPTS:
                    if error.stream != self.stream:
                        continue
                    if self._given_up or self._reread:
                        # A change that was given up has been recorded after all.
                        continue
                self.trouble = str(error)
                if isinstance(error, ActRefusedError):
                    self.stall.note(self.trouble)
                else:
                    self.unavailable = True
                self._send_all()
                raise

    async def _attempt(self, act: Callable[[TableChange], T]) -> T:
        viewers = self.audience.attendance()
        presence = self.presence.copy(self.live, viewers)
        phase = self.phase.copy(self.live, presence, viewers)
        change = TableChange(self.live, phase, presence, self._automation.paced)
        try:
            result = await self._call(partial(act, change))
        except BaseException:
            # Part of the change may be on record. If that is unknown, the record is read again.
            if not self._lost and not self.live.unsure:
                self._publish(change)
            raise
        self._publish(change)
        self.unavailable = bool(change.trouble) and not change.refused
        return result

    async def _call(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Run a call that works with the live table."""
        lost, self._lost = self._lost, True
        try:
            result = await self._offload.call(work, long=long)
        except AbandonedError as error:
            self._given_up += 1
            error.when_ended.append(self._look_again)
            raise
        except Exception:
            # If the record could not be read, an earlier thread may still be at work with the live table.
            self._lost = lost
            raise
        self._lost = False
        return result

    def _look_again(self) -> None:
        """Read the record, because a change that was given up has ended and may be on it after all."""
        self._given_up -= 1
        self._reread = True
        self._offload.start(self.go_on())

    def _publish(self, change: TableChange) -> None:
        """Show viewers what a change has recorded."""
        self.now.publish(change.live)
        self.phase.adopt(change.phase)
        self.presence.adopt(change.presence)
        if change.trouble is not None:
            self.trouble = change.trouble
        if change.refused:
            self.stall.note(self.trouble)
        for answer in change.accepted:
            for seq, (event, after) in enumerate(answer.walk(), answer.seq):
                self.audience.record(seq, event, after)
                self.presence.recorded(event, after)
                for note in self.after_event:
                    note(seq, event, after)

    @property
    def _is_unsure(self) -> bool:
        """True if the record may have events that this process has not read."""
        return self._lost or self._reread or self.live.unsure

    async def _reload_if_unsure(self) -> None:
        """Read the record again if it may have events that this process has not read."""
        if not self._is_unsure:
            return
        lost, live, before = self._lost, self.live, self.seq
        self._reread = False

        def read() -> tuple[LiveTable, list[Numbered], list[Numbered]]:
            if not lost:
                live.reload()
            fresh = live.reopened() if lost else live
            return fresh, recent(fresh, 1), list(recorded_events(fresh, before))

        try:
            self.live, events, unread = await self._call(read, long=True)
        except BaseException:
            # The table may have been read, but not the events that viewers still need.
            self._reread = True
            raise
        self.now.publish(self.live)
        self.audience.restart(events)
        if unread:
            for _, event in unread:
                self.presence.decided(event)
                self.phase.decided(event)
            self._set_over()

    def _send_all(self) -> None:
        """Start the timer, and send the changes to the viewers."""
        if self._given_away:
            return
        self.audience.place()
        awaited = self.phase.awaited()
        if awaited.why == "dealer" and (blocked := self.phase.blocked()):
            self.stall.note(f"the table cannot continue: {blocked}")
        self._deadlines.arm(awaited, retry=bool(self.stuck_reason))
        self.audience.send(self._waits(awaited), self.presence.sitters())
        for look in tuple(self.after_send):
            look()

    # --- deadlines ---

    def _expired(self, key: DeadlineKey) -> None:
        self._offload.start(self._alone(partial(self._act_instead, key)))

    async def _act_instead(self, key: DeadlineKey) -> None:
        """Continue after a deadline without the act that the table waited for."""
        awaited = self.phase.awaited()
        if self._deadlines.key(awaited, retry=bool(self.stuck_reason)) != key:
            # The act was done while this call waited.
            self._send_all()
            return
        if self.stall.overdue and not self.audience.has("floor"):
            await self._go_on(partial(Phase.void_round, reason=self.stall.void_reason))
            return
        if self.trouble:
            # The timer was for a retry, not for a player.
            await self._go_on()
            return
        if awaited.openings:
            await self._go_on(partial(Phase.instead, awaited=awaited))
            return
        match awaited.why:
            case "decision":
                for seat in self._deadlines.late(awaited):
                    await self._go_on(partial(Phase.instead, awaited=awaited, seat=seat))
                return
            case "floor" | "dealer":
                await self._go_on(partial(Phase.instead, awaited=awaited))
                return
            case "players":
                self.phase.bots_only_round = self.state.round.number
            case "next":
                self.phase.begin_next()
            case "bets":
                self.presence.missed(awaited.seats)
                self.phase.ready.update(awaited.seats)
        await self._go_on()

    def give_away(self) -> None:
        """Stop for good: another server owns the table."""
        self._given_away = True
        self.stop()

    def stop(self) -> None:
        """Cancel the timer. Nothing else needs saving: everything is on record."""
        self._deadlines.stop()


def _send(change: TableChange, command: c.Command) -> Refusal | None:
    answer = change.live.send(command)
    if isinstance(answer, Refusal):
        return answer
    change.note(answer)
    return None


def _send_and_deal(
    change: TableChange, command: c.Command, key: str, person: Person, recording: Callable[[], None]
) -> Accepted | Refusal:
    """Send a person's command, then perform the automatic acts that follow it."""
    answer = change.live.send(command, key, person.handle)
    if isinstance(answer, Refusal):
        return answer
    try:
        recording()
    except StoreError:
        # The command must not be recorded.
        change.live.unsure = True
        raise
    change.note(answer)
    if isinstance(command, c.Bet | c.TakeBack):
        change.phase.ready.discard(command.seat)
    for seat in seats_of_person(change.live.state, person):
        change.presence.acted(seat)
    change.deal()
    return answer
