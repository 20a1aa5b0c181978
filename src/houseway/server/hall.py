"""The tables of a house: opened, taken up again, found."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.audit.store import HouseStore, StoreError
from houseway.client.messages import OpenTable, Person, SeatedBot, TableCard
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.terms import read_terms
from houseway.live import House, LiveTable
from houseway.live.offering import offering
from houseway.live.shoes import Maker
from houseway.rules.loading import load, rulebook_ids
from houseway.rules.options import SHOOTOUT
from houseway.rules.problems import meant
from houseway.server.clock import Clock
from houseway.server.hosted import CHIPS, HostedTable
from houseway.server.hosted_bots import HostedBot, bot_name
from houseway.server.people import People
from houseway.server.plans import Plan

RIVERS: Final = (
    "Loire", "Tagus", "Elbe", "Tweed", "Duero", "Inn", "Meuse", "Shannon", "Oder", "Ebro", "Tiber",
)  # fmt: skip
"""What tables are called where nobody names them."""
BACKS: Final = ("red", "blue")
MOST_TABLES: Final = 1000
CLOSED: Final = 50
"""Closed tables the lobby still lists, for their records."""
NAME_LETTERS: Final = 40


class Hall:
    """All tables of a house."""

    def __init__(
        self,
        house: House,
        store: HouseStore,
        people: People,
        clock: Clock,
        *,
        solver_ready: Callable[[], bool] = lambda: False,
        maker: Callable[[], Maker | None] = lambda: None,
        tables_each: int = 20,
    ) -> None:
        self.house = house
        self._store = store
        self.people = people
        self._clock = clock
        self._solver_ready = solver_ready
        self._maker = maker
        self.tables_each = tables_each
        """How many open tables one person may have opened."""
        self.tables: dict[str, HostedTable] = {}
        """Those that stand, and those closed that somebody looks at."""
        self._closed: dict[str, TableCard] = {}
        """The tables closed last."""
        self._bots: dict[tuple[str, int], HostedBot] = {}
        self.problems: list[str] = []
        """Tables that could not be taken up again, and why."""

    def resume(self) -> None:
        """Take up every table on record that is not closed."""
        for name, body in self._store.kept().items():
            kind, _, stream = name.partition(":")
            if kind != "table":
                continue
            # One table that cannot be taken up keeps nobody from the others.
            try:
                plan = msgspec.json.decode(body, type=Plan)
                if plan.closed is not None:
                    self._list(plan.closed)
                    continue
                self._host(LiveTable.resume(self.house, stream, self._maker()), plan)
            except (StoreError, ValueError) as error:
                self.problems.append(f"{stream} is out of order: {error}")

    def open(self, order: OpenTable, host: Person) -> HostedTable | Refusal:
        """Open a table, with its bots seated; who opens it may give roles at it."""
        self._retire()
        standing = self._standing()
        if len(standing) >= MOST_TABLES:
            self._make_room(standing)
            standing = self._standing()
        own = sum(hosted.plan.host == host.handle for hosted in standing)
        if len(standing) >= MOST_TABLES or own >= self.tables_each:
            sentence = (
                f"a house has at most {MOST_TABLES} open tables, {self.tables_each} opened by one person"
            )
            return Refusal("too-many-tables", None, "tables", sentence)
        known = rulebook_ids()
        if order.rulebook not in known:
            sentence = f"{order.rulebook!r} is no rulebook of this house; {meant(order.rulebook, known)}"
            return Refusal("no-rulebook", None, "rulebook", sentence)
        if not order.name.isprintable() or len(order.name) > NAME_LETTERS or not 0 <= order.clock <= 600:
            sentence = f"a name has at most {NAME_LETTERS} letters, a clock between 0 and 600 seconds"
            return Refusal("bad-table", None, "name", sentence)
        book = load(order.rulebook)
        given: dict[str, Any] = offering(book, order.mode, order.tables, order.limits)
        given |= {"house": order.house} if order.house else {}
        river = RIVERS[len(self.tables) % len(RIVERS)]
        name = " ".join(order.name.split()) or river
        stream = f"{river.lower()}-{secrets.token_hex(4)}"
        terms, wrong = read_terms(book, given)
        if wrong:
            return wrong[0]
        seats, named = terms.house("seats") or book.seats, [bot.seat for bot in order.bots if bot.seat]
        once = len(set(named)) == len(named) and all(1 <= n <= seats for n in named)
        if len(order.bots) > seats or not once:
            sentence = f"the table has {seats} seats; give each bot one of its own"
            return Refusal("no-seat", None, "bots", sentence)
        backs = BACKS[: 1 if book.game == SHOOTOUT else terms.house("decks") or 1]
        opening = c.OpenTable(designated=(book.game,), backs=backs, examples=True, dealer=order.dealer)
        live = LiveTable.open(self.house, stream, book, given, opening, self._maker())
        if isinstance(live, Refusal):
            return live
        plan = Plan(name, order, given, host.handle)
        self._keep(stream, plan)
        self.people.give(host.handle, stream, "floor", *_chair(order))
        hosted = self._host(live, plan)
        for bot in sorted(order.bots, key=lambda bot: not bot.seat):
            refused = self.seat_bot(hosted, bot)
            if refused is not None:
                self._closes(hosted)
                return refused
        hosted.go_on()
        return hosted

    def seat_bot(self, hosted: HostedTable, wanted: SeatedBot) -> Refusal | None:
        """Let a bot sit down."""
        state, stream = hosted.live.state, hosted.live.stream
        free = [n for n in range(1, hosted.table.seats + 1) if n not in state.seats and n not in state.held]
        # The far seats first: who comes next finds a place in the middle.
        order = sorted(free, key=lambda n: -abs(2 * n - hosted.table.seats - 1))
        seat = wanted.seat or next(iter(order), 0)
        if seat not in free:
            sentence = f"seat {seat} is not free at this table" if seat else "every seat is taken"
            return Refusal("seat-taken", None, "seat", sentence)
        name = bot_name({sitting.player for sitting in state.seats.values()})
        # Plan and player first, because a record may be written and say that it was not: a bot that did not
        # sit down does nothing.
        before = hosted.plan
        hosted.plan = replace(before, bots={**before.bots, seat: (name, wanted.style)})
        self._keep(stream, hosted.plan)
        self._add_bot(hosted, seat)
        refused = hosted.send(c.Sit(seat=seat, player=name, chips=CHIPS))
        if refused is not None:
            self._drop_bot(hosted, seat)
            return refused
        hosted.go_on()
        return None

    def free_seat(self, hosted: HostedTable, seat: int) -> Refusal | None:
        """Send a bot away, or give up the place of somebody who is not there.

        Who has wagered plays the round to its end first.
        """
        if seat not in hosted.live.state.seats:
            return Refusal("empty-seat", None, "seat", f"nobody sits at seat {seat}")
        if not hosted.is_bot(seat) and hosted.here(seat):
            sentence = f"who sits at seat {seat} is there; only bots and those who are gone are sent away"
            return Refusal("seat-taken", None, "seat", sentence)
        refused = hosted.send(c.Leave(seat=seat))
        if refused is not None:
            if hosted.live.state.section == "closed":
                return refused
            hosted.leaving[seat] = lambda: self._drop_bot(hosted, seat)
        else:
            self._drop_bot(hosted, seat)
        hosted.go_on()
        return None

    def _host(self, live: LiveTable, plan: Plan) -> HostedTable:
        seats = live.state.seats
        bots = {n: told for n, told in plan.bots.items() if n in seats and seats[n].player == told[0]}
        plan = replace(plan, bots=bots)
        hosted = HostedTable(live, plan, self.people, self._clock)
        self.tables[live.stream] = hosted
        for seat in plan.bots:
            self._add_bot(hosted, seat)
        return hosted

    def _add_bot(self, hosted: HostedTable, seat: int) -> None:
        name, style = hosted.plan.bots[seat]
        self._stop_bot(hosted, seat)
        self._bots[hosted.live.stream, seat] = HostedBot(hosted, seat, name, style, self._solver_ready)

    def _stop_bot(self, hosted: HostedTable, seat: int) -> None:
        bot = self._bots.pop((hosted.live.stream, seat), None)
        if bot is not None:
            bot.stop()

    def _drop_bot(self, hosted: HostedTable, seat: int) -> None:
        """Forget a bot that has gone; where that cannot be written, a bot without a seat does nothing."""
        self._stop_bot(hosted, seat)
        bots = {n: told for n, told in hosted.plan.bots.items() if n != seat}
        if bots != hosted.plan.bots:
            hosted.plan = replace(hosted.plan, bots=bots)
            with suppress(StoreError):
                self._keep(hosted.live.stream, hosted.plan)

    def _keep(self, stream: str, plan: Plan) -> None:
        self._store.keep(f"table:{stream}", msgspec.json.encode(plan))

    def find(self, table: str) -> HostedTable | Refusal:
        """A table by its name in links; one that is closed can still be looked back at."""
        found = self.tables.get(table)
        if found is not None:
            return found
        body = self._store.kept_as(f"table:{table}") if table.isprintable() else None
        if body is None:
            return Refusal("no-table", None, "table", f"there is no table {table!r} in this house")
        try:
            plan = msgspec.json.decode(body, type=Plan)
            return self._host(LiveTable.resume(self.house, table, self._maker()), plan)
        except (StoreError, ValueError) as error:
            return Refusal("no-table", None, "table", f"{table} is out of order: {error}")

    def cards(self) -> tuple[TableCard, ...]:
        """The tables as the lobby lists them: all that stand, and those closed last."""
        self._retire()
        found = [hosted.card() for hosted in self.tables.values()]
        closed = self._closed | {card.table: card for card in found if not card.open}
        return (*(card for card in found if card.open), *closed.values())

    def _retire(self) -> None:
        """Put closed tables away that nobody looks at; their records stay."""
        for stream, hosted in tuple(self.tables.items()):
            if hosted.live.state.section != "closed" or hosted.watchers:
                continue
            if hosted.plan.closed is None:
                # Where it cannot be written, the table is found closed when the house opens again.
                with suppress(StoreError):
                    self._keep(stream, replace(hosted.plan, bots={}, closed=hosted.card()))
            for seat in hosted.plan.bots:
                self._stop_bot(hosted, seat)
            hosted.stop()
            del self.tables[stream]
            self._list(hosted.plan.closed or hosted.card())

    def _list(self, card: TableCard) -> None:
        self._closed[card.table] = card
        if len(self._closed) > CLOSED:
            del self._closed[next(iter(self._closed))]

    def _standing(self) -> list[HostedTable]:
        return [t for t in self.tables.values() if t.live.state.section != "closed"]

    def _make_room(self, standing: list[HostedTable]) -> None:
        """Close a table where nobody is, the oldest one; its record stays."""
        for hosted in standing:
            if not hosted.watchers and not hosted.persons() and self._closes(hosted):
                return

    def _closes(self, hosted: HostedTable) -> bool:
        with suppress(StoreError):
            return hosted.send(c.CloseTable(by="floor")) is None
        return False

    def close(self) -> None:
        """Let all clocks stand."""
        for bot in self._bots.values():
            bot.stop()
        for hosted in self.tables.values():
            hosted.stop()


def _chair(order: OpenTable) -> tuple[Any, ...]:
    return ("dealer",) if order.dealer == "person" else ()
