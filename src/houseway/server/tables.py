"""The tables of a house: opened, taken up again, found."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.audit.store import HouseStore, StoreError
from houseway.client.messages import OpenTable, Person, Role, SeatedBot, TableCard
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.terms import read_terms
from houseway.live import LiveTable, TableServices
from houseway.live.clock import Clock
from houseway.live.default_terms import offering
from houseway.live.runner import TableRunner
from houseway.live.table_plan import CHIPS, TablePlan
from houseway.live.table_shoes import Maker
from houseway.rules.loader import sound_rulebooks
from houseway.rules.options import SHOOTOUT
from houseway.rules.problems import meant
from houseway.server.bot_tasks import BotTask, bot_name
from houseway.server.people import People
from houseway.server.permissions import allowed
from houseway.server.solver import Solver
from houseway.server.table_sheets import table_card

RIVERS: Final = (
    "Loire", "Tagus", "Elbe", "Tweed", "Duero", "Inn", "Meuse", "Shannon", "Oder", "Ebro", "Tiber",
)  # fmt: skip
"""What tables are called where nobody names them."""
BACKS: Final = ("red", "blue")
MOST_TABLES: Final = 1000
CLOSED: Final = 50
"""Closed tables the lobby still lists, for their records."""
NAME_LETTERS: Final = 40


def run_table(live: LiveTable, plan: TablePlan, people: People, clock: Clock) -> TableRunner:
    """A runner for a table of this server: people are who they say, each may do what their role may."""

    def authorize(state: State, person: Person, command: c.Command) -> c.Command | Refusal:
        return allowed(people, live.stream, state, person, command)

    return TableRunner(live, plan, authorize, clock)


@dataclass(eq=False)
class Hall:
    """All tables of a house."""

    house: TableServices
    _store: HouseStore
    people: People
    _clock: Clock
    _solver: Solver
    _maker: Callable[[], Maker | None]
    tables_each: int
    """How many open tables one person may have opened."""
    tables: dict[str, TableRunner] = field(default_factory=dict)
    """Those that stand, and those closed that somebody looks at."""
    _closed: dict[str, TableCard] = field(default_factory=dict)
    """The tables closed last."""
    _bots: dict[tuple[str, int], BotTask] = field(default_factory=dict)
    _cards: dict[str, tuple[State, TablePlan, TableCard]] = field(default_factory=dict)
    """Cards of tables that have not changed since: lobbies ask again and again."""
    problems: list[str] = field(default_factory=list)
    """Tables that could not be taken up again, and why."""

    def resume(self) -> None:
        """Take up every table on record that is not closed."""
        for name, body in self._store.kept().items():
            kind, _, stream = name.partition(":")
            if kind != "table":
                continue
            # One table that cannot be taken up keeps nobody from the others.
            try:
                plan = msgspec.json.decode(body, type=TablePlan)
                if plan.closed is not None:
                    self._list(plan.closed)
                    continue
                self._take_up(stream, plan)
            except (StoreError, ValueError) as error:
                self.problems.append(f"{stream} is out of order: {error}")

    def open(self, order: OpenTable, host: Person) -> TableRunner | Refusal:
        """Open a table, with its bots seated; who opens it may give roles at it."""
        self._retire()
        standing = self._standing()
        if len(standing) >= MOST_TABLES:
            self._make_room(standing)
            standing = self._standing()
        own = sum(runner.plan.host == host.handle for runner in standing)
        if len(standing) >= MOST_TABLES or own >= self.tables_each:
            most, each = MOST_TABLES, self.tables_each
            sentence = f"a house has at most {most} open tables, {each} opened by one person"
            return Refusal("too-many-tables", None, "tables", sentence)
        known = {book.id: book for book in sound_rulebooks()[0]}
        if order.rulebook not in known:
            sentence = f"{order.rulebook!r} is no rulebook of this house; {meant(order.rulebook, known)}"
            return Refusal("no-rulebook", None, "rulebook", sentence)
        if not order.name.isprintable() or len(order.name) > NAME_LETTERS or not 0 <= order.clock <= 600:
            sentence = f"a name has at most {NAME_LETTERS} letters, a clock between 0 and 600 seconds"
            return Refusal("bad-table", None, "name", sentence)
        book = known[order.rulebook]
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
            return Refusal("no-seat", None, "bots", f"the table has {seats} seats; give each bot its own")
        backs = BACKS[: 1 if book.game == SHOOTOUT else terms.house("decks") or 1]
        opening = c.OpenTable(designated=(book.game,), backs=backs, examples=True, dealer=order.dealer)
        live = LiveTable.open(self.house, stream, book, given, opening, self._maker())
        if isinstance(live, Refusal):
            return live
        plan = TablePlan(name, order, given, host.handle)
        self._keep(stream, plan)
        roles: tuple[Role, ...] = ("floor", "dealer") if order.dealer == "person" else ("floor",)
        self.people.give(host.handle, stream, *roles)
        runner = self._host(live, plan)
        for bot in sorted(order.bots, key=lambda bot: not bot.seat):
            refused = self.seat_bot(runner, bot)
            if refused is not None:
                self._closes(runner)
                return refused
        runner.go_on()
        return runner

    def seat_bot(self, runner: TableRunner, wanted: SeatedBot) -> Refusal | None:
        """Let a bot sit down."""
        state, stream = runner.live.state, runner.live.stream
        free = [n for n in range(1, runner.table.seats + 1) if n not in state.seats and n not in state.held]
        # The farthest seat: who comes next finds a place in the middle.
        seat = wanted.seat or max(free, key=lambda n: abs(2 * n - runner.table.seats - 1), default=0)
        if seat not in free:
            sentence = f"seat {seat} is not free at this table" if seat else "every seat is taken"
            return Refusal("seat-taken", None, "seat", sentence)
        name = bot_name({sitting.player for sitting in state.seats.values()})
        # Plan and player first, because a record may be written and say that it was not: a bot that did not
        # sit down does nothing.
        runner.plan = replace(runner.plan, bots={**runner.plan.bots, seat: (name, wanted.style)})
        self._keep(stream, runner.plan)
        self._add_bot(runner, seat)
        refused = runner.send(c.Sit(seat=seat, player=name, chips=CHIPS))
        if refused is not None:
            self._drop_bot(runner, seat)
            return refused
        runner.go_on()
        return None

    def free_seat(self, runner: TableRunner, seat: int) -> Refusal | None:
        """Send a bot away, or give up the place of somebody who is not there.

        Who has wagered plays the round to its end first.
        """
        if seat not in runner.live.state.seats:
            return Refusal("empty-seat", None, "seat", f"nobody sits at seat {seat}")
        if not runner.presence.is_bot(seat) and runner.presence.here(seat):
            sentence = f"who sits at seat {seat} is there; only bots and those who are gone are sent away"
            return Refusal("seat-taken", None, "seat", sentence)
        refused = runner.send(c.Leave(seat=seat))
        if refused is None:
            self._drop_bot(runner, seat)
        elif runner.live.state.section == "closed":
            return refused
        else:
            runner.presence.leaving[seat] = lambda: self._drop_bot(runner, seat)
        runner.go_on()
        return None

    def _take_up(self, stream: str, plan: TablePlan) -> TableRunner:
        return self._host(LiveTable.resume(self.house, stream, self._maker()), plan)

    def _host(self, live: LiveTable, plan: TablePlan) -> TableRunner:
        seats = live.state.seats
        bots = {n: told for n, told in plan.bots.items() if n in seats and seats[n].player == told[0]}
        runner = run_table(live, replace(plan, bots=bots), self.people, self._clock)
        self.tables[live.stream] = runner
        for seat in bots:
            self._add_bot(runner, seat)
        return runner

    def _add_bot(self, runner: TableRunner, seat: int) -> None:
        name, style = runner.plan.bots[seat]
        self._stop_bot(runner, seat)
        self._bots[runner.live.stream, seat] = BotTask(runner, seat, name, style, self._solver)

    def _stop_bot(self, runner: TableRunner, seat: int) -> None:
        bot = self._bots.pop((runner.live.stream, seat), None)
        if bot is not None:
            bot.stop()

    def _drop_bot(self, runner: TableRunner, seat: int) -> None:
        """Forget a bot that has gone; where that cannot be written, a bot without a seat does nothing."""
        self._stop_bot(runner, seat)
        if seat in runner.plan.bots:
            bots = {n: told for n, told in runner.plan.bots.items() if n != seat}
            runner.plan = replace(runner.plan, bots=bots)
            with suppress(StoreError):
                self._keep(runner.live.stream, runner.plan)

    def _keep(self, stream: str, plan: TablePlan) -> None:
        self._store.keep(f"table:{stream}", msgspec.json.encode(plan))

    def find(self, table: str) -> TableRunner | Refusal:
        """A table by its name in links; one that is closed can still be looked back at."""
        if table in self.tables:
            return self.tables[table]
        body = self._store.kept_as(f"table:{table}") if table.isprintable() else None
        if body is None:
            return Refusal("no-table", None, "table", f"there is no table {table!r} in this house")
        try:
            return self._take_up(table, msgspec.json.decode(body, type=TablePlan))
        except (StoreError, ValueError) as error:
            return Refusal("no-table", None, "table", f"{table} is out of order: {error}")

    def card(self, runner: TableRunner) -> TableCard:
        """A table as the lobby shows it."""
        state, plan, stream = runner.live.state, runner.plan, runner.live.stream
        known = self._cards.get(stream)
        if known is None or known[0] is not state or known[1] is not plan:
            known = self._cards[stream] = (state, plan, table_card(runner))
        return known[2]

    def cards(self) -> tuple[TableCard, ...]:
        """The tables as the lobby lists them: all that stand, and those closed last."""
        self._retire()
        found = [self.card(runner) for runner in self.tables.values()]
        closed = self._closed | {card.table: card for card in found if not card.open}
        return (*(card for card in found if card.open), *closed.values())

    def _retire(self) -> None:
        """Put closed tables away that nobody looks at; their records stay."""
        for stream, runner in tuple(self.tables.items()):
            if runner.live.state.section != "closed" or runner.audience.watchers:
                continue
            if runner.plan.closed is None:
                # Where it cannot be written, the table is found closed when the house opens again.
                with suppress(StoreError):
                    self._keep(stream, replace(runner.plan, bots={}, closed=self.card(runner)))
            for seat in runner.plan.bots:
                self._stop_bot(runner, seat)
            runner.stop()
            self._list(runner.plan.closed or self.card(runner))
            self._cards.pop(stream, None)
            del self.tables[stream]

    def _list(self, card: TableCard) -> None:
        self._closed[card.table] = card
        if len(self._closed) > CLOSED:
            del self._closed[next(iter(self._closed))]

    def _standing(self) -> list[TableRunner]:
        return [t for t in self.tables.values() if t.live.state.section != "closed"]

    def _make_room(self, standing: list[TableRunner]) -> None:
        """Close a table where nobody is, the oldest one; its record stays."""
        for runner in standing:
            if not runner.audience.watchers and not runner.presence.persons() and self._closes(runner):
                return

    def _closes(self, runner: TableRunner) -> bool:
        with suppress(StoreError):
            return runner.send(c.CloseTable(by="floor")) is None
        return False

    def close(self) -> None:
        """Let all clocks stand."""
        for bot in self._bots.values():
            bot.stop()
        for runner in self.tables.values():
            runner.stop()
