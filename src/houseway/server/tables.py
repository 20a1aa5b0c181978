"""The tables of a server: opening, resuming, finding, listing and closing them."""

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
from houseway.live.default_terms import card_backs, offering
from houseway.live.runner import TableRunner
from houseway.live.table_plan import CHIPS, TablePlan
from houseway.live.table_shoes import ShoeSource
from houseway.rules.loader import sound_rulebooks
from houseway.rules.problems import suggest
from houseway.server.bot_tasks import BotTask, bot_name
from houseway.server.people import People
from houseway.server.permissions import allowed
from houseway.server.solver import Solver
from houseway.server.table_sheets import table_card

RIVERS: Final = (
    "Loire", "Tagus", "Elbe", "Tweed", "Duero", "Inn", "Meuse", "Shannon", "Oder", "Ebro", "Tiber",
)  # fmt: skip
"""Names for tables that are opened without a name."""
MOST_TABLES: Final = 1000
CLOSED: Final = 50
"""The number of closed tables that the lobby still lists, so that their records can be read."""
NAME_LETTERS: Final = 40


def run_table(live: LiveTable, plan: TablePlan, people: People, clock: Clock) -> TableRunner:
    """Return a runner for a table that authorizes commands by the sender's roles."""

    def authorize(state: State, person: Person, command: c.Command) -> c.Command | Refusal:
        return allowed(people, live.stream, state, person, command, terms=live.table.terms)

    return TableRunner(live, plan, authorize, clock)


@dataclass(eq=False)
class Tables:
    """All tables of a server."""

    house: TableServices
    _store: HouseStore
    people: People
    _clock: Clock
    _solver: Solver
    _maker: Callable[[], ShoeSource | None]
    tables_each: int
    """The most tables that one person may have open."""
    tables: dict[str, TableRunner] = field(default_factory=dict)
    """Open tables, and closed tables that still have viewers."""
    _closed: dict[str, TableCard] = field(default_factory=dict)
    """The most recently closed tables."""
    _bots: dict[tuple[str, int], BotTask] = field(default_factory=dict)
    _cards: dict[str, tuple[State, TablePlan, TableCard]] = field(default_factory=dict)
    """Cached lobby cards, valid while state and plan are the same objects."""
    problems: dict[str, str] = field(default_factory=dict)
    """A message for each table that could not be resumed. It may name the database."""
    on_change: Callable[[TableRunner], None] = lambda runner: None
    """Called after each change of a table."""

    def resume(self) -> None:
        """Resume every table on record that is not closed."""
        for name, body in self._store.kept().items():
            kind, _, stream = name.partition(":")
            if kind != "table":
                continue
            # If one table cannot be resumed, the others still open.
            try:
                plan = msgspec.json.decode(body, type=TablePlan)
                if plan.closed is not None:
                    self._list(plan.closed)
                    continue
                self._resume(stream, plan)
            except (StoreError, ValueError) as error:
                self.problems[stream] = f"{stream} cannot be resumed: {error}"

    def open(self, order: OpenTable, host: Person) -> TableRunner | Refusal:
        """Open a table and seat its bots. The host becomes its floor supervisor and may invite others."""
        self._retire()
        running = self._open_tables()
        if len(running) >= MOST_TABLES:
            self._make_room(running)
            running = self._open_tables()
        hosted = sum(runner.plan.host == host.handle for runner in running)
        if len(running) >= MOST_TABLES or hosted >= self.tables_each:
            most, each = MOST_TABLES, self.tables_each
            sentence = f"at most {most} tables may be open, and {each} per person; close one first"
            return Refusal("too-many-tables", None, "tables", sentence)
        known = {book.id: book for book in sound_rulebooks()[0]}
        if order.rulebook not in known:
            sentence = f"there is no rulebook {order.rulebook!r}; {suggest(order.rulebook, known)}"
            return Refusal("no-rulebook", None, "rulebook", sentence)
        if not order.name.isprintable() or len(order.name) > NAME_LETTERS or not 0 <= order.clock <= 600:
            sentence = (
                f"a table's name may have up to {NAME_LETTERS} letters, and its clock at most 600 seconds"
            )
            return Refusal("bad-table", None, "name", sentence)
        if not all(back.isprintable() and len(back) <= NAME_LETTERS for back in order.backs):
            sentence = f"the colour of a back may have up to {NAME_LETTERS} letters"
            return Refusal("bad-table", None, "backs", sentence)
        book = known[order.rulebook]
        settings: dict[str, Any] = offering(book, order.mode, order.tables, order.limits, order.house)
        settings |= {"house": order.house} if order.house else {}
        river = RIVERS[len(self.tables) % len(RIVERS)]
        name = " ".join(order.name.split()) or river
        stream = f"{river.lower()}-{secrets.token_hex(4)}"
        terms, refusals = read_terms(book, settings)
        if refusals:
            return refusals[0]
        if order.link and "progressive" in order.leave_out:
            sentence = "a linked meter needs the progressive; offer it, or open the table without a link"
            return Refusal("link-not-allowed", terms.clause("linked_games"), "link", sentence)
        seats, named = terms.house("seats") or book.seats, [bot.seat for bot in order.bots if bot.seat]
        once = len(set(named)) == len(named) and all(1 <= n <= seats for n in named)
        if len(order.bots) > seats or not once:
            return Refusal("no-seat", None, "bots", f"the table has {seats} seats; give each bot its own")
        opening = c.OpenTable(
            designated=(book.game,),
            backs=card_backs(terms, order.backs),
            examples=True,
            dealer=order.dealer,
            purpose=order.purpose,
            leave_out=order.leave_out,
        )
        live = LiveTable.open(self.house, stream, book, settings, opening, self._maker(), link=order.link)
        if isinstance(live, Refusal):
            return live
        plan = TablePlan(name, order, settings, host.handle)
        self._keep(stream, plan)
        roles: tuple[Role, ...] = ("floor", "dealer") if order.dealer == "person" else ("floor",)
        self.people.give(host.handle, stream, *roles)
        runner = self._host(live, plan)
        for bot in sorted(order.bots, key=lambda bot: not bot.seat):
            refused = self.seat_bot(runner, bot)
            if refused is not None:
                self._close_table(runner)
                return refused
        runner.go_on()
        return runner

    def seat_bot(self, runner: TableRunner, order: SeatedBot) -> Refusal | None:
        """Seat a bot."""
        state, stream = runner.live.state, runner.live.stream
        free = [n for n in range(1, runner.table.seats + 1) if n not in state.seats and n not in state.held]
        # Choose the free seat farthest from the middle, to leave the middle for people.
        seat = order.seat or max(free, key=lambda n: abs(2 * n - runner.table.seats - 1), default=0)
        if seat not in free:
            sentence = f"seat {seat} is not free at this table" if seat else "every seat is taken"
            return Refusal("seat-taken", None, "seat", sentence)
        name = bot_name({sitting.player for sitting in state.seats.values()})
        # The plan is stored first, because the write of `Sit` may succeed and still report an error. A bot
        # in the plan without a seat does nothing.
        runner.plan = replace(runner.plan, bots={**runner.plan.bots, seat: (name, order.style)})
        self._keep(stream, runner.plan)
        self._add_bot(runner, seat)
        refused = runner.send(c.Sit(seat=seat, player=name, chips=CHIPS))
        if refused is not None:
            self._drop_bot(runner, seat)
            return refused
        runner.go_on()
        return None

    def free_seat(self, runner: TableRunner, seat: int) -> Refusal | None:
        """Remove a bot, or free the seat of an absent player.

        If the seat has a wager, it is freed after the round.
        """
        if seat not in runner.live.state.seats:
            return Refusal("empty-seat", None, "seat", f"seat {seat} is already free")
        if not runner.presence.is_bot(seat) and runner.presence.here(seat):
            sentence = f"the player at seat {seat} is here; only bots and absent players can be removed"
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

    def _resume(self, stream: str, plan: TablePlan) -> TableRunner:
        return self._host(LiveTable.resume(self.house, stream, self._maker()), plan)

    def _host(self, live: LiveTable, plan: TablePlan) -> TableRunner:
        seats = live.state.seats
        bots = {n: bot for n, bot in plan.bots.items() if n in seats and seats[n].player == bot[0]}
        runner = run_table(live, replace(plan, bots=bots), self.people, self._clock)
        self.tables[live.stream] = runner
        for seat in bots:
            self._add_bot(runner, seat)
        if live.state.link:
            runner.after_send.append(lambda: self._show_meter(runner))
        runner.after_send.append(lambda: self.on_change(runner))
        return runner

    def _show_meter(self, runner: TableRunner) -> None:
        """Make the other tables with the same linked meter show its new amount."""
        meters, link = runner.live.state.meters, runner.live.state.link
        for other in tuple(self.tables.values()):
            state = other.live.state
            behind = state.link == link and state.meters != meters and state.section != "closed"
            # A table whose last write failed is already retrying.
            if behind and not other.trouble:
                self._clock.later(0, other.go_on)

    def _add_bot(self, runner: TableRunner, seat: int) -> None:
        name, style = runner.plan.bots[seat]
        self._stop_bot(runner, seat)
        self._bots[runner.live.stream, seat] = BotTask(runner, seat, name, style, self._solver)

    def _stop_bot(self, runner: TableRunner, seat: int) -> None:
        bot = self._bots.pop((runner.live.stream, seat), None)
        if bot is not None:
            bot.stop()

    def _drop_bot(self, runner: TableRunner, seat: int) -> None:
        """Remove a bot. A failed write is harmless: a bot in the plan without a seat does nothing."""
        self._stop_bot(runner, seat)
        if seat in runner.plan.bots:
            bots = {n: bot for n, bot in runner.plan.bots.items() if n != seat}
            runner.plan = replace(runner.plan, bots=bots)
            with suppress(StoreError):
                self._keep(runner.live.stream, runner.plan)

    def _keep(self, stream: str, plan: TablePlan) -> None:
        self._store.keep(f"table:{stream}", msgspec.json.encode(plan))

    def find(self, table: str) -> TableRunner | Refusal:
        """Return a table by its ID, as in URLs. Closed tables are included, so they can be replayed."""
        if table in self.tables:
            return self.tables[table]
        body = self._store.kept_as(f"table:{table}") if table.isprintable() else None
        if body is None:
            return Refusal("no-table", None, "table", f"there is no table {table!r} on this server")
        try:
            return self._resume(table, msgspec.json.decode(body, type=TablePlan))
        except (StoreError, ValueError) as error:
            self.problems[table] = f"{table} cannot be resumed: {error}"
            return Refusal("no-table", None, "table", f"{table} cannot be resumed; ask the operator why")

    def card(self, runner: TableRunner) -> TableCard:
        """Return a table as the lobby shows it."""
        state, plan, stream = runner.live.state, runner.plan, runner.live.stream
        cached = self._cards.get(stream)
        if cached is None or cached[0] is not state or cached[1] is not plan:
            cached = self._cards[stream] = (state, plan, table_card(runner))
        return cached[2]

    def cards(self) -> tuple[TableCard, ...]:
        """Return the tables for the lobby: all open tables and the most recently closed ones."""
        self._retire()
        cards = [self.card(runner) for runner in self.tables.values()]
        closed = self._closed | {card.table: card for card in cards if not card.open}
        return (*(card for card in cards if card.open), *closed.values())

    def _retire(self) -> None:
        """Unload closed tables without viewers; their records are kept."""
        for stream, runner in tuple(self.tables.items()):
            if runner.live.state.section != "closed" or runner.audience.watchers:
                continue
            if runner.plan.closed is None:
                # If the write fails, the next start finds the table closed and tries again.
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

    def _open_tables(self) -> list[TableRunner]:
        return [t for t in self.tables.values() if t.live.state.section != "closed"]

    def _make_room(self, running: list[TableRunner]) -> None:
        """Close the oldest table without players or viewers; its record is kept."""
        for runner in running:
            if not runner.audience.watchers and not runner.presence.persons() and self._close_table(runner):
                return

    def _close_table(self, runner: TableRunner) -> bool:
        with suppress(StoreError):
            return runner.send(c.CloseTable(by="floor")) is None
        return False

    def close(self) -> None:
        """Stop all bots and all clocks."""
        for bot in self._bots.values():
            bot.stop()
        for runner in self.tables.values():
            runner.stop()
