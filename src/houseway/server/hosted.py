"""A table the house runs: commands in one at a time, what follows by itself, and who is told.

Everything happens in one thread and in one order: a command is decided, recorded, and only then told to
those who watch. What goes on by itself is the dealer's acts, the floor's word where no person gives it,
deadlines and bots; all of it is on record as if somebody had asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.audit.entries import Entry, read_entry
from houseway.audit.store import StoreError
from houseway.client.messages import (
    Answered,
    Do,
    Entered,
    NotTaken,
    Person,
    Place,
    Ready,
    Sight,
    Sitter,
    TableCard,
    TableSheet,
    Waits,
)
from houseway.client.messages2 import View
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import DEADLINE, is_floor
from houseway.engine.codec import read_command
from houseway.engine.evolve import seat_of
from houseway.engine.machine import next_act
from houseway.engine.order import due, turn
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.views import layout_of
from houseway.live import LiveTable, Told
from houseway.live import audience as live_audience
from houseway.live.recent import recent
from houseway.server.audience import Audience, Common, Watcher
from houseway.server.authority import allowed, floors_word, seat_of_person
from houseway.server.clock import AGAIN, ALONE, AWAY, BEFORE_BOTS, BETWEEN, Clock, Timer
from houseway.server.people import People
from houseway.server.plans import Plan
from houseway.server.seen import SeenTable
from houseway.server.sheets import table_card, table_sheet
from houseway.server.sights import encoder, moment, sight, taking_wagers

CHIPS: Final = 1000_00
"""What a person sits down with, in cents."""
ROUNDS_AWAY: Final = 3
"""Rounds a seat is kept for somebody who is not there."""
OUT_OF_ORDER: Final = "the record of this table cannot be written or read just now; nothing is lost"


class HostedTable:
    """One live table, those who watch it and what it waits for."""

    def __init__(self, live: LiveTable, plan: Plan, people: People, clock: Clock) -> None:
        self.live = live
        self.plan = plan
        self.table = live.table
        self._people = people
        self._clock = clock
        self._audience = Audience()
        self._updates = live_audience.Audience(live, plan.order.leave_out)
        """Viewers who are sent message version 2."""
        self.ready: set[int] = set()
        self.after_flush: list[Callable[[], None]] = []
        """Called when a change has been told: bots look at the table then."""
        self._untold: list[Told] = []
        """What is decided and not yet on record, or on record and not yet told."""
        self._seen = SeenTable(self.table)
        self._over = False
        self._before = (0, False, self.ready)
        """The number of events, whether the round was over and who was ready before what is decided now."""
        self._timer: Timer | None = None
        self._armed: tuple[Any, ...] = ()
        self._until: float | None = None
        self._away: dict[int, int] = {}
        """By seat, the rounds for which nobody was there."""
        self.leaving: dict[int, Callable[[], None]] = {}
        """By seat, who was sent away and goes once nothing of theirs lies there; called when they have."""
        self._alone = 0
        """The round that bots play among themselves."""
        self._card: tuple[State, Plan, TableCard | None] = (live.state, plan, None)
        self.trouble = ""
        """Why the table stands still, where it does."""
        self._recall()

    def _recall(self) -> None:
        """Take up the round on record; a long record is read from its end."""
        self._seen, self._over, self._untold = SeenTable(self.table), False, []
        self._audience.anew()
        self._updates.restart()
        self._place()
        for _, event in recent(self.live, 1):
            self._seen.follow(event)
            if isinstance(event, e.RoundOpened | e.RoundClosed):
                self._over = isinstance(event, e.RoundClosed)
        # Where the dealer has begun with the next round already, nobody is asked once more.
        self._over = self._over and not self.live.state.done

    def _place(self) -> None:
        self._audience.place({n: seat.player for n, seat in self.live.state.seats.items()})
        self._updates.place()

    def _has(self, role: str) -> bool:
        return self._audience.has(role) or self._updates.has(role)

    # --- who is there ---

    @property
    def watchers(self) -> set[Watcher]:
        """All who watch."""
        return {*self._audience.watchers, *self._updates.watchers}  # type: ignore[arg-type]

    @property
    def seq(self) -> int:
        """The number of the last event on record."""
        return self.live.head.events

    def is_bot(self, seat: int) -> bool:
        """Whether a bot of the house sits at a seat."""
        planned, sitting = self.plan.bots.get(seat), self.live.state.seats.get(seat)
        return planned is not None and sitting is not None and sitting.player == planned[0]

    def here(self, seat: int) -> bool:
        """Whether somebody answers for a seat."""
        return self.is_bot(seat) or self._has(f"seat {seat}")

    def persons(self) -> list[int]:
        """The seats of people who sit and are there."""
        seats = self.live.state.seats
        return [n for n, seat in seats.items() if seat.seated and not self.is_bot(n) and self.here(n)]

    def sitters(self) -> dict[int, Sitter]:
        """Who sits where, and whether somebody answers."""
        return {
            n: Sitter(
                kind="bot" if self.is_bot(n) else "person", here=self.here(n), leaves=n in self.leaving
            )
            for n in self.live.state.seats
        }

    def places(self) -> tuple[Place, ...]:
        """All positions, as the lobby shows them."""
        seats = self.live.state.seats
        return tuple(
            Place(seat=n, player=seats[n].player, kind="bot" if self.is_bot(n) else "person")
            if n in seats
            else Place(seat=n)
            for n in range(1, self.table.seats + 1)
        )

    def card(self) -> TableCard:
        """The table as the lobby shows it, worked out once for each change: lobbies ask again and again."""
        state, plan, card = self._card
        if card is None or state is not self.live.state or plan is not self.plan:
            meters = layout_of(self.table, self.live.state).meters
            card = table_card(self.live, self.plan, self.places(), meters)
            self._card = (self.live.state, self.plan, card)
        return card

    def sheet(self) -> TableSheet:
        """The table with everything the page draws it from."""
        return table_sheet(self.live, self.card(), self.plan)

    # --- looking ---

    def sight(self, role: str) -> Sight:
        """What a role sees now."""
        return self._shown(role, self._common())

    def view(self, role: str) -> View:
        """Return the table as a role sees it now."""
        return self._updates.view(role, self.waits(), self.sitters())

    def _common(self) -> Common:
        """What everybody sees alike."""
        layout = layout_of(self.table, self.live.state)
        return Common(layout, self.waits(), self.sitters(), self._seen.round())

    def _shown(self, role: str, common: Common) -> Sight:
        return sight(
            self.table,
            self.live.state,
            role,
            waits=common.waits,
            people=common.people,
            seen=common.seen,
            left_out=self.plan.order.leave_out,
            salt=self.live.house.entropy.live,
            layout=common.layout,
        )

    def waits(self) -> Waits:
        """Whom the table waits for, and how long."""
        why, seats = self._awaited()
        left = None if self._until is None else max(0.0, round(self._until - self._clock.now(), 1))
        return Waits(why=why, seats=seats, ready=tuple(sorted(self.ready)), seconds=left)  # type: ignore[arg-type]

    def _awaited(self) -> tuple[str, tuple[int, ...]]:
        state = self.live.state
        if state.section == "closed":
            return "closed", ()
        unready = tuple(n for n in self.persons() if n not in self.ready)
        if self._over:
            return "next", unready
        if self._held:
            return "floor", ()
        asked = turn(self.table, state)
        if asked is not None:
            return "decision", (asked[0],)
        if taking_wagers(self.table, state):
            if unready:
                return "bets", unready
            return ("dealer" if state.dealer == "person" and self._wagered else "players"), ()
        return "dealer", ()

    @property
    def betting(self) -> bool:
        """Whether wagers are taken now."""
        return not self._over and taking_wagers(self.table, self.live.state)

    @property
    def _held(self) -> bool:
        return floors_word(self.table, self.live.state) is not None

    @property
    def _wagered(self) -> bool:
        return any(seat.hands[0].wagers for seat in self.live.state.seats.values())

    # --- coming and going ---

    def enter(self, watcher: Watcher, since: int | None = None) -> None:
        """Show the table to somebody who comes, or comes back."""
        self._away.pop(seat_of(watcher.role), None)
        self.leaving.pop(seat_of(watcher.role), None)
        if watcher.version == 2:
            self._updates.welcome(watcher, since, self.view(watcher.role))
        else:
            entered = Entered(seq=self.seq, role=watcher.role, sight=self.sight(watcher.role))
            self._audience.welcome(watcher, entered, since)
        self.go_on()

    def leave(self, watcher: Watcher) -> None:
        """Somebody is gone; the seat stays, and the clock runs."""
        self._audience.lose(watcher)
        self._updates.lose(watcher)
        self.go_on()

    # --- commands ---

    def do(self, person: Person, asked: Do) -> Answered | NotTaken:
        """Answer a person's command and let the table go on."""
        key = f"{person.handle}/{asked.key}"
        if not asked.key or not asked.key.isprintable() or len(key) > 200:
            return self._not(asked.key, Refusal("bad-key", None, "key", "a command has a key of its own"))
        try:
            command = read_command(bytes(asked.command))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            return self._not(
                asked.key, Refusal("bad-command", None, "command", f"this is no command: {error}")
            )
        self._be_sure()
        known = self.live.keyed(key)
        if known is not None and not isinstance(command, c.Perform):
            # What a step of the dealer's took from the shoe only the table itself can tell apart.
            return self._again(asked.key, read_entry(known), command)
        granted = allowed(self._people, self.live.stream, self.live.state, person, command, CHIPS)
        if known is None and isinstance(granted, c.Perform) and is_floor(granted.by):
            granted = self._floors_own(granted)
        if isinstance(granted, Refusal):
            return self._not(asked.key, granted)
        if isinstance(granted, c.Bet) and (out := set(granted.wagers) & set(self.plan.order.leave_out)):
            sentence = f"this table does not offer {' and '.join(sorted(out))}"
            return self._not(asked.key, Refusal("not-offered", None, "wagers", sentence))
        if known is None and asked.expect not in (None, self.seq):
            sentence = f"the table has gone on to event {self.seq}; look at it and choose again"
            return self._stale(asked.key, person, Refusal("stale", None, "expect", sentence))
        with self._in_one_piece():
            told = self.live.send(granted, key, person.handle)
            if isinstance(told, Refusal):
                return self._not(asked.key, told)
            self._note(told)
            if isinstance(granted, c.Bet | c.TakeBack):
                self.ready.discard(granted.seat)
            self._away.pop(seat_of_person(self.live.state, person), None)
            self._deal()
        self._wait()
        return Answered(key=asked.key, seq=told.seq, repeated=told.repeated)

    def _again(self, key: str, entry: Entry, command: c.Command) -> Answered | NotTaken:
        """What stands on record under a key, told again; refused where it is another command.

        Who may give it is not looked at a second time: it was done, and nothing is done now.
        """
        recorded = entry.command
        same = replace(command, by=recorded.by) == recorded
        if isinstance(command, c.Sit) and isinstance(recorded, c.Sit):
            # The house filled in the name and the chips.
            same = command.seat == recorded.seat
        if not same:
            sentence = f"the key {key!r} stands on record with another command; take a new key"
            return self._not(key, Refusal("key-used", None, "key", sentence))
        return Answered(key=key, seq=entry.seq, repeated=True)

    def _not(self, key: str, refusal: Refusal) -> NotTaken:
        return NotTaken(refused=(refusal,), key=key, seq=self.seq)

    def _stale(self, key: str, person: Person, refusal: Refusal) -> NotTaken:
        """Refuse what came too late, with the table as the person sees it now."""
        seat = seat_of_person(self.live.state, person)
        now = self.sight(f"seat {seat}" if seat else "rail")
        return replace(self._not(key, refusal), sight=now)

    def _floors_own(self, command: c.Perform) -> c.Perform | Refusal:
        """A step taken for the floor, where it is the floor's and is due."""
        act = next_act(self.table, self.live.state)
        if act is None or act.step != command.step or not is_floor(act.by):
            return Refusal("not-the-floors", None, "step", "this step is not the floor's to take now")
        return replace(command, by=act.by)

    def _be_sure(self) -> None:
        """Read the record again where it may hold more than is known here."""
        if self.live.unsure:
            self.live.reload()
            self._recall()
            seq, over, ready = self._before
            if seq == self.seq:
                # Nothing of it was written: the table waits for what it waited for.
                self._over, self.ready = over, ready

    def say_ready(self, person: Person, said: Ready) -> Refusal | None:
        """A person has wagered what it wants, or has seen the round that is over."""
        seat = seat_of_person(self.live.state, person)
        if not seat:
            return Refusal("not-seated", None, "ready", "only who sits at the table is waited for")
        now = (self.live.state.round.number, "next" if self._over else "bets" if self.betting else "")
        if said.round not in (None, now[0]) or said.why not in (None, now[1]):
            return Refusal("stale", None, "ready", "the table has gone on; look what it waits for")
        self.ready = self.ready | {seat} if said.ready else self.ready - {seat}
        self._away.pop(seat, None)
        self.go_on()
        return None

    # --- going on ---

    def go_on(self, first: Callable[[], None] | None = None) -> None:
        """Whatever happens by itself now; then tell everybody, and wait.

        A record that cannot be written holds the table up, and nobody else: it is tried again.
        """
        with suppress(StoreError), self._in_one_piece():
            self._deal(first)
        self._wait()

    @contextmanager
    def _in_one_piece(self) -> Iterator[None]:
        """Put what a command leads to on record as one; only then is it shown."""
        try:
            self._mark()
            self._be_sure()
            self._mark()
            with self.live.together():
                yield
        except StoreError as error:
            self.trouble, self._untold = str(error), []
            _, self._over, self.ready = self._before
            self._arm()
            raise
        self._show()

    def _mark(self) -> None:
        self._before = (self.seq, self._over, set(self.ready))

    def _deal(self, first: Callable[[], None] | None = None) -> None:
        """What happens by itself, until somebody is awaited."""
        try:
            if first is not None:
                first()
            while self._one_thing():
                pass
            self.trouble = ""
        except StoreError as error:
            # What came before stays.
            self.trouble = str(error)

    def _wait(self) -> None:
        """Start the clock, and tell what is new."""
        self._place()
        self._arm()
        self._updates.send(self.waits(), self.sitters())
        self._audience.tell(
            self.seq, self._common(), lambda role, common: self._shown(role, common).yours, self.live.state
        )
        for look in tuple(self.after_flush):
            look()

    def _one_thing(self) -> bool:
        state = self.live.state
        if state.section == "closed":
            return False
        _, seats = self._awaited()
        if self._over:
            # Who plays without a socket is not waited for, and is enough to go on.
            if seats or not (self.persons() or self._somebody_ready):
                return False
            return self._next_round()
        if self._held:
            if self._has("floor"):
                return False
            return self._give_the_floors_word()
        if turn(self.table, state) is not None:
            return False
        betting = taking_wagers(self.table, state)
        if betting and self._leave_for_the_absent():
            return True
        if state.dealer == "person":
            return self._floors_step()
        if betting:
            bots_wait = any(self.is_bot(n) and n not in self.ready for n in state.seats)
            if seats or bots_wait or not self._wagered or not self.played or self._room_for_a_player:
                return False
            self.ready.clear()
        told = self.live.act()
        if told is None:
            return False
        return self._took(told)

    @property
    def _room_for_a_player(self) -> bool:
        """Whether bots wait a while for somebody to sit down with them."""
        return self._alone != self.live.state.round.number and not self._somebody_ready

    @property
    def played(self) -> bool:
        """Whether anybody but bots has to do with the table: watches it, or is ready without a socket."""
        return bool(self.watchers) or self._somebody_ready

    @property
    def _somebody_ready(self) -> bool:
        return not all(map(self.is_bot, self.ready))

    def _leave_for_the_absent(self) -> bool:
        """Free a seat whose player has not been there for some rounds, or was sent away."""
        absent = {seat for seat, rounds in self._away.items() if rounds >= ROUNDS_AWAY}
        for seat in sorted(absent | set(self.leaving)):
            sitting = self.live.state.seats.get(seat)
            if sitting is not None and not sitting.hands[0].wagers:
                return self._must(c.Leave(seat=seat))
        return False

    def _floors_step(self) -> bool:
        """A step that is the floor's, not the dealer's, where nobody of the floor is there."""
        act = next_act(self.table, self.live.state)
        if act is None or not is_floor(act.by) or self._has("floor"):
            return False
        return self._must(act.command())

    def _next_round(self) -> bool:
        self._over = False
        self.ready.clear()
        return True

    def send(self, command: c.Command) -> Refusal | None:
        """Do something for the house itself; it is told with the next change."""
        with self._in_one_piece():
            told = self.live.send(command)
            if isinstance(told, Refusal):
                return told
            self._note(told)
        return None

    def _must(self, command: c.Command) -> bool:
        return self._took(self.live.send(command))

    def _took(self, told: Told | Refusal) -> bool:
        if isinstance(told, Refusal):
            raise StoreError(f"{self.live.stream}: the table cannot go on: {told.message}")
        self._note(told)
        return True

    def _note(self, told: Told) -> None:
        """Let what was decided steer the table; it is shown once it is on record."""
        if told.repeated:
            return
        self._untold.append(told)
        for event in told.events:
            match event:
                case e.PlayerLeft():
                    self.ready.discard(event.seat)
                    self._away.pop(event.seat, None)
                case e.RoundClosed():
                    self._over = True
                    self.ready.clear()
                case e.RoundOpened():
                    self._over = False
                    self.ready.clear()

    def _show(self) -> None:
        """Take in what is on record now."""
        for told in self._untold:
            for seq, (event, after) in enumerate(told.walk(), told.seq):
                self._seen.follow(event)
                self._updates.record(seq, event, after)
                self._audience.happened(seq, encoder.encode(moment(self.table, seq, event, after)))
                if isinstance(event, e.PlayerLeft) and event.seat in self.leaving:
                    self.leaving.pop(event.seat)()
                if isinstance(event, e.RoundClosed):
                    self._away = {n: self._away.get(n, 0) + 1 for n in after.seats if not self.here(n)}
        self._untold = []

    # --- deadlines ---

    def _arm(self) -> None:
        """Start the clock where the table waits for somebody new."""
        why, seats = self._awaited()
        state, now = self.live.state, due(self.table, self.live.state)
        step = now.step.name if now else ""
        seconds = AGAIN if self.trouble else self._patience(why, seats)
        key = (why, seats if why == "decision" else (), state.round.number, step, seconds)
        if key == self._armed:
            return
        self._armed, self._until = key, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._until = self._clock.now() + seconds
            self._timer = self._clock.later(seconds, lambda: self._expire(key))

    def _patience(self, why: str, seats: tuple[int, ...]) -> float | None:
        """How long the table waits; None for as long as it takes."""
        order = self.plan.order
        if why == "decision":
            if self.is_bot(seats[0]):
                return AWAY
            here = self.here(seats[0])
            if any(n != seats[0] for n in self._waiting()):
                return float(order.clock or (ALONE if here else AWAY))
            # Nobody else waits: a beginner may read as long as it takes.
            return None if here else ALONE
        if why == "next" and not self.persons():
            return BETWEEN[order.pace] if self.watchers else None
        if why == "players":
            return BEFORE_BOTS if self.watchers and self._wagered else None
        if why == "floor":
            return 4 * AWAY
        if why == "dealer" and self.live.state.dealer == "person":
            return None if self._has("dealer") else 4 * AWAY
        if why in ("bets", "next"):
            # Bots wait as long as it takes; the clock runs once a person does.
            return float(order.clock) if order.clock and self._somebody_waits else None
        return None

    def _waiting(self) -> set[int]:
        """The seats of people whom a seat that does not answer keeps waiting."""
        dealt_in = (n for n, seat in self.live.state.seats.items() if seat.hands[0].made)
        return {*self.persons(), *(n for n in dealt_in if not self.is_bot(n))}

    @property
    def _somebody_waits(self) -> bool:
        return any(n in self.ready for n in self.persons())

    def _expire(self, key: tuple[Any, ...]) -> None:
        if key != self._armed:
            return
        self._armed, self._timer, self._until = (), None, None
        if self.trouble:
            # The clock was the record's, not a player's.
            self.go_on()
            return
        why, seats = self._awaited()
        if why in ("decision", "floor", "dealer"):
            self.go_on(lambda: self._instead(why, seats))
            return
        if why == "players":
            self._alone = self.live.state.round.number
        elif why == "next":
            self._next_round()
        elif why == "bets":
            self.ready.update(seats)
        self.go_on()

    def _instead(self, why: str, seats: tuple[int, ...]) -> None:
        """Do what somebody who did not answer would have had to do."""
        if why == "decision":
            self._must(c.ActFor(by=DEADLINE, seat=seats[0]))
        elif why == "floor":
            self._give_the_floors_word()
        elif (told := self.live.act()) is not None:
            self._took(told)

    def _give_the_floors_word(self) -> bool:
        word = floors_word(self.table, self.live.state)
        return word is not None and self._must(word)

    def stop(self) -> None:
        """Let the clock stand; the record has everything."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
