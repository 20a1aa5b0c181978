"""A table the house runs: commands in one at a time, what follows by itself, and who is told.

Everything happens in one thread and in one order: a command is decided, recorded, and only then told to
those who watch. What goes on by itself is the dealer's acts, the floor's word where no person gives it,
deadlines and bots; all of it is on record as if somebody had asked for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

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
    SeenRound,
    Sight,
    Sitter,
    TableCard,
    TableSheet,
    Waits,
)
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import DEADLINE, is_floor
from houseway.engine.codec import read_command
from houseway.engine.evolve import seat_of
from houseway.engine.machine import next_act
from houseway.engine.order import due, turn
from houseway.engine.refusals import Refusal
from houseway.engine.views import Layout, layout_of
from houseway.live import LiveTable, Told
from houseway.live.recent import recent
from houseway.server.authority import allowed, seat_of_person
from houseway.server.clock import Clock, Timer
from houseway.server.people import People
from houseway.server.plans import Plan
from houseway.server.seen import SeenTable
from houseway.server.sheets import table_card, table_sheet
from houseway.server.sights import FIELDS, encoder, moment, sight, taking_wagers

CHIPS: Final = 1000_00
"""What a person sits down with, in cents."""
REMEMBERED: Final = 512
"""Moments kept for those who come back; who was away longer sees the table as it lies."""
AWAY: Final = 30.0
"""Seconds a table without a clock waits for somebody who is not there, and any table for a bot."""
AGAIN: Final = 5.0
"""Seconds until a table whose record could not be written tries again."""
ALONE: Final = 300.0
"""Seconds a table waits for somebody who is gone while nobody else plays."""
ROUNDS_AWAY: Final = 3
"""Rounds a seat is kept for somebody who is not there."""
OUT_OF_ORDER: Final = "the record of this table cannot be written or read just now; nothing is lost"
BEFORE_BOTS: Final = 10.0
"""Seconds bots leave somebody who watches to sit down, before they play among themselves."""
BETWEEN: Final = {"brisk": 1.5, "normal": 3.0, "unhurried": 5.0}
"""Seconds between rounds where only bots play."""


class Watcher(Protocol):
    """Somebody who is told what happens at a table."""

    role: str
    handle: str

    def tell(self, frame: bytes) -> None:
        """Take a message; never waits."""


class Common(NamedTuple):
    """The parts of a sight that are the same for everybody."""

    layout: Layout
    waits: Waits
    people: dict[int, Sitter]
    seen: SeenRound


class HostedTable:
    """One live table, those who watch it and what it waits for."""

    def __init__(self, live: LiveTable, plan: Plan, people: People, clock: Clock) -> None:
        self.live = live
        self.plan = plan
        self.table = live.table
        self._people = people
        self._clock = clock
        self.watchers: set[Watcher] = set()
        self.ready: set[int] = set()
        self.after_flush: list[Callable[[], None]] = []
        """Called when a change has been told: bots look at the table then."""
        self._told: dict[str, dict[str, bytes]] = {}
        """The sight last told to each role, part by part."""
        self._news: list[bytes] = []
        self._remembered: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        self._seen = SeenTable(self.table)
        self._over = False
        self._timer: Timer | None = None
        self._armed: tuple[Any, ...] = ()
        self._until: float | None = None
        self._left: dict[Watcher, int] = {}
        """Who watches from the rail and had a seat, and which."""
        self._away: dict[int, int] = {}
        """By seat, the rounds for which nobody was there."""
        self._alone = 0
        """The round that bots play among themselves."""
        self.trouble = ""
        """Why the table stands still, where it does."""
        self._recall()

    def _recall(self) -> None:
        """Take up the round on record; a long record is read from its end."""
        self._seen, self._over, self._news = SeenTable(self.table), False, []
        self._told = {role: {} for role in self._told}
        for _, event in recent(self.live, 1):
            self._seen.follow(event)
            if isinstance(event, e.RoundOpened | e.RoundClosed):
                self._over = isinstance(event, e.RoundClosed)

    # --- who is there ---

    @property
    def seq(self) -> int:
        """The number of the last event on record."""
        return self.live.head.events

    def here(self, seat: int) -> bool:
        """Whether somebody answers for a seat."""
        return seat in self.plan.bots or any(w.role == f"seat {seat}" for w in self.watchers)

    def persons(self) -> list[int]:
        """The seats of people who sit and are there."""
        seats = self.live.state.seats
        return [n for n, seat in seats.items() if seat.seated and n not in self.plan.bots and self.here(n)]

    def sitters(self) -> dict[int, Sitter]:
        """Who sits where, and whether somebody answers."""
        return {
            n: Sitter(kind="bot" if n in self.plan.bots else "person", here=self.here(n))
            for n in self.live.state.seats
        }

    def places(self) -> tuple[Place, ...]:
        """All positions, as the lobby shows them."""
        seats = self.live.state.seats
        return tuple(
            Place(seat=n, player=seats[n].player, kind="bot" if n in self.plan.bots else "person")
            if n in seats
            else Place(seat=n)
            for n in range(1, self.table.seats + 1)
        )

    def card(self) -> TableCard:
        """The table as the lobby shows it."""
        return table_card(
            self.live, self.plan, self.places(), layout_of(self.table, self.live.state).meters
        )

    def sheet(self) -> TableSheet:
        """The table with everything the page draws it from."""
        return table_sheet(self.live, self.card(), self.plan)

    # --- looking ---

    def sight(self, role: str) -> Sight:
        """What a role sees now."""
        return self._shown(role, self._common())

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
        now = self.live.state.round
        return now.asked is not None or bool(now.challenged)

    @property
    def _wagered(self) -> bool:
        return any(seat.hands[0].wagers for seat in self.live.state.seats.values())

    # --- coming and going ---

    def enter(self, watcher: Watcher, since: int | None = None) -> None:
        """Show the table to somebody who comes, or comes back."""
        self._away.pop(seat_of(watcher.role), None)
        self.watchers.add(watcher)
        known = [text for seq, text in self._remembered if since is not None and seq > since]
        body = encoder.encode(Entered(seq=self.seq, role=watcher.role, sight=self.sight(watcher.role)))
        if known:
            body = body[:-1] + b',"moments":[' + b",".join(known) + b"]}"
        self._told.setdefault(watcher.role, {})
        watcher.tell(body)
        self.go_on()

    def leave(self, watcher: Watcher) -> None:
        """Somebody is gone; the seat stays, and the clock runs."""
        self.watchers.discard(watcher)
        self._left.pop(watcher, None)
        if not any(w.role == watcher.role for w in self.watchers):
            self._told.pop(watcher.role, None)
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
        known = self.live.house.store.keyed(self.live.stream, key)
        if known is not None and not isinstance(command, c.Perform):
            # What a step of the dealer's took from the shoe only the table itself can tell apart.
            return self._again(asked.key, read_entry(known), command)
        self._be_sure()
        granted = allowed(self._people, self.live.stream, self.live.state, person, command, CHIPS)
        if isinstance(granted, c.Perform) and is_floor(granted.by):
            granted = self._floors_own(granted)
        if isinstance(granted, Refusal):
            return self._not(asked.key, granted)
        if isinstance(granted, c.Bet) and (out := set(granted.wagers) & set(self.plan.order.leave_out)):
            sentence = f"this table does not offer {' and '.join(sorted(out))}"
            return self._not(asked.key, Refusal("not-offered", None, "wagers", sentence))
        if known is None and asked.expect not in (None, self.seq):
            sentence = f"the table has gone on to event {self.seq}; look at it and choose again"
            return self._not(asked.key, Refusal("stale", None, "expect", sentence))
        told = self.live.send(granted, key, person.handle)
        if isinstance(told, Refusal):
            return self._not(asked.key, told)
        self.take(told)
        if isinstance(granted, c.Bet | c.TakeBack):
            self.ready.discard(granted.seat)
        self.go_on()
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

    def say_ready(self, person: Person, said: Ready) -> Refusal | None:
        """A person has wagered what it wants, or has seen the round that is over."""
        seat = seat_of_person(self.live.state, person)
        if not seat:
            return Refusal("not-seated", None, "ready", "only who sits at the table is waited for")
        now = (self.live.state.round.number, "next" if self._over else "bets")
        if said.round not in (None, now[0]) or said.why not in (None, now[1]):
            return Refusal("stale", None, "ready", "the table has gone on; look what it waits for")
        self.ready = self.ready | {seat} if said.ready else self.ready - {seat}
        self.go_on()
        return None

    # --- going on ---

    def go_on(self) -> None:
        """Whatever happens by itself now; then tell everybody, and wait.

        A record that cannot be written holds the table up, and nobody else: it is tried again.
        """
        try:
            self._be_sure()
            while self._one_thing():
                pass
            self.trouble = ""
        except StoreError as error:
            self.trouble = str(error)
        self._arm()
        self._flush()

    def _one_thing(self) -> bool:
        state = self.live.state
        if state.section == "closed":
            return False
        _, seats = self._awaited()
        if self._over:
            if seats or not self.persons():
                return False
            return self._next_round()
        if self._held:
            if any(w.role == "floor" for w in self.watchers):
                return False
            return self._give_the_floors_word()
        if turn(self.table, state) is not None:
            return False
        if state.dealer == "person":
            return self._floors_step()
        if taking_wagers(self.table, state):
            bots_wait = any(n not in self.ready for n in self.plan.bots if n in state.seats)
            if self._leave_for_the_absent():
                return True
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
        return self._alone != self.live.state.round.number and all(n in self.plan.bots for n in self.ready)

    @property
    def played(self) -> bool:
        """Whether anybody but bots has to do with the table: watches it, or is ready without a socket."""
        return bool(self.watchers) or any(n not in self.plan.bots for n in self.ready)

    def _leave_for_the_absent(self) -> bool:
        """Free a seat whose player has not been there for some rounds."""
        for seat, rounds in self._away.items():
            sitting = self.live.state.seats.get(seat)
            if rounds >= ROUNDS_AWAY and sitting is not None and not sitting.hands[0].wagers:
                return self._must(c.Leave(seat=seat))
        return False

    def _floors_step(self) -> bool:
        """A step that is the floor's, not the dealer's, where nobody of the floor is there."""
        act = next_act(self.table, self.live.state)
        if act is None or not is_floor(act.by) or any(w.role == "floor" for w in self.watchers):
            return False
        return self._must(act.command())

    def _next_round(self) -> bool:
        self._over = False
        self.ready.clear()
        return True

    def _must(self, command: c.Command) -> bool:
        return self._took(self.live.send(command))

    def _took(self, told: Told | Refusal) -> bool:
        if isinstance(told, Refusal):
            raise StoreError(f"{self.live.stream}: the table cannot go on: {told.message}")
        self.take(told)
        return True

    def take(self, told: Told) -> None:
        """Take in what is on record now; it is told with the next change."""
        for seq, (event, after) in enumerate(told.walk(), told.seq):
            self._seen.follow(event)
            text = encoder.encode(moment(self.table, seq, event, after))
            self._news.append(text)
            self._remembered.append((seq, text))
            if isinstance(event, e.PlayerLeft):
                self._unseat(event.seat)
            elif isinstance(event, e.PlayerSeated):
                self._seat_again(event.seat, event.player)
            if isinstance(event, e.RoundClosed):
                self._over = True
                self.ready.clear()
                seats = [n for n in self.live.state.seats if not self.here(n)]
                self._away = {n: self._away.get(n, 0) + 1 for n in seats}
            elif isinstance(event, e.RoundOpened):
                self._over = False
                self.ready.clear()

    def _unseat(self, seat: int) -> None:
        """A seat has no player any more: who had it sees what everybody sees."""
        self.ready.discard(seat)
        self._away.pop(seat, None)
        for watcher in self.watchers:
            if watcher.role == f"seat {seat}":
                self._move(watcher, "rail")
                self._left[watcher] = seat
        self._told.pop(f"seat {seat}", None)

    def _seat_again(self, seat: int, player: str) -> None:
        """A player sits down; who had the seat last and takes it again sees its cards again."""
        for watcher, left in tuple(self._left.items()):
            if left == seat and watcher.handle == player and watcher in self.watchers:
                self._move(watcher, f"seat {seat}")
                del self._left[watcher]

    def _move(self, watcher: Watcher, role: str) -> None:
        watcher.role = role
        # Whole at first, for all who see it so.
        self._told[role] = {}

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
            if seats[0] in self.plan.bots:
                return AWAY
            if any(n != seats[0] for n in self.persons()):
                return float(order.clock) if order.clock else None if self.here(seats[0]) else AWAY
            # Nobody else waits: a beginner may read as long as it takes.
            return None if self.here(seats[0]) else ALONE
        if why == "next" and not self.persons():
            return BETWEEN[order.pace] if self.watchers else None
        if why == "players":
            return BEFORE_BOTS if self.watchers and self._wagered else None
        if why == "floor":
            return 4 * AWAY
        if why == "dealer" and self.live.state.dealer == "person":
            return None if any(w.role == "dealer" for w in self.watchers) else 4 * AWAY
        if why in ("bets", "next"):
            # Bots wait as long as it takes; the clock runs once a person does.
            return float(order.clock) if order.clock and self._somebody_waits else None
        return None

    @property
    def _somebody_waits(self) -> bool:
        return any(n in self.ready for n in self.persons())

    def _expire(self, key: tuple[Any, ...]) -> None:
        if key != self._armed:
            return
        self._armed, self._timer, self._until = (), None, None
        why, seats = self._awaited()
        if why in ("decision", "floor", "dealer"):
            try:
                self._be_sure()
                self._instead(why, seats)
            except StoreError as error:
                self.trouble = str(error)
        elif why == "players":
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
        challenged = self.live.state.round.challenged
        return self._must(c.AnswerChallenge(by="supervisor") if challenged else c.Approve(by="floor"))

    def stop(self) -> None:
        """Let the clock stand; the record has everything."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # --- telling ---

    def _flush(self) -> None:
        """Tell every role what happened and what changed in its sight."""
        news = b",".join(self._news)
        self._news = []
        common = self._common()
        # What is the same for everybody is written once.
        written = {name: encoder.encode(part) for name, part in common._asdict().items()}
        running = encoder.encode(replace(common.waits, seconds=common.waits.seconds and 1.0))
        for role, before in self._told.items():
            parts = {**written, "yours": encoder.encode(self._shown(role, common).yours)}
            # A clock that has only run on is nothing new.
            marks = {**parts, "waits": running}
            changed = [
                b'"%s":%s' % (name.encode(), parts[name])
                for name in FIELDS
                if marks[name] != before.get(name) or (name == "waits" and news)
            ]
            if not news and not changed:
                continue
            self._told[role] = marks
            frame = b'{"type":"told","seq":%d,"moments":[%s],"sight":{%s}}' % (
                self.seq,
                news,
                b",".join(changed),
            )
            for watcher in tuple(self.watchers):
                if watcher.role == role:
                    watcher.tell(frame)
        for look in tuple(self.after_flush):
            look()
