"""The tables of a server: opening, resuming, finding, listing and closing them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from houseway.audit.handles import folded
from houseway.audit.sql.host_rows import HostRows
from houseway.audit.store import HouseStore, StoreError
from houseway.client.messages import OpenTable, Person, Role, SeatedBot, TableCard
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.terms import read_terms
from houseway.live import LiveTable, TableServices
from houseway.live.clock import DEFAULT_PATIENCE, Clock, Patience
from houseway.live.default_terms import card_backs, offering
from houseway.live.offload import DIRECT, AbandonedError, Offload, StoreDownError
from houseway.live.runner import TableRunner
from houseway.live.table_plan import CHIPS, TablePlan
from houseway.live.table_shoes import ShoeSource
from houseway.rules.loader import sound_rulebooks
from houseway.rules.options import GAMES
from houseway.rules.problems import suggest
from houseway.server.bot_tasks import BotTask, bot_name
from houseway.server.ownership import MOVING, Ownership
from houseway.server.people import People
from houseway.server.permissions import allowed
from houseway.server.solver import Solver
from houseway.server.table_sheets import table_card
from houseway.wording import alternatives

RIVERS: Final = (
    "Loire", "Tagus", "Elbe", "Tweed", "Duero", "Inn", "Meuse", "Shannon", "Oder", "Ebro", "Tiber",
)  # fmt: skip
"""Names for tables that are opened without a name."""
MOST_TABLES: Final = 1000
CLOSED: Final = 50
"""The number of closed tables that the lobby still lists, so that their records can be read."""
NAME_LETTERS: Final = 40

T = TypeVar("T")


def run_table(
    live: LiveTable,
    plan: TablePlan,
    people: People,
    clock: Clock,
    offload: Offload = DIRECT,
    patience: Patience = DEFAULT_PATIENCE,
) -> TableRunner:
    """Return a runner for a table that authorizes commands by the sender's roles."""

    def authorize(state: State, person: Person, command: c.Command) -> c.Command | Refusal:
        return allowed(people, live.stream, state, person, command, terms=live.table.terms)

    runner = TableRunner(live, plan, authorize, clock, offload=offload, patience=patience)
    runner.before_recording = lambda person: people.mark_recorded(person.handle)
    return runner


def _no_table(table: str) -> Refusal:
    return Refusal("no-table", None, "table", f"there is no table {table!r} on this server")


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
    _offload: Offload = DIRECT
    patience: Patience = DEFAULT_PATIENCE
    """How long the tables wait for people."""
    tables: dict[str, TableRunner] = field(default_factory=dict)
    """Open tables, and closed tables that still have viewers."""
    _closed: dict[str, TableCard] = field(default_factory=dict)
    """The most recently closed tables."""
    _bots: dict[tuple[str, int], BotTask] = field(default_factory=dict)
    _cards: dict[str, tuple[State, TablePlan, TableCard]] = field(default_factory=dict)
    """Cached lobby cards, valid while state and plan are the same objects."""
    _opening: int = 0
    """The number of tables that are being opened."""
    _counted: set[str] = field(default_factory=set)
    """The open tables that run here. In the database, each counts towards its host's limit."""
    _uncounted: set[str] = field(default_factory=set)
    """Tables that are closed, or were never opened, but may still count towards their hosts' limits."""
    _loading: dict[str, asyncio.Lock] = field(default_factory=dict)
    """Held while a table is read from its record, so that it is loaded once."""
    _seating: dict[str, asyncio.Lock] = field(default_factory=dict)
    """Held while a bot sits down or leaves, so that two bots cannot take the same seat."""
    problems: dict[str, str] = field(default_factory=dict)
    """A message for each table that could not be resumed. It may name the database."""
    on_change: Callable[[TableRunner], None] = lambda runner: None
    """Called after each change of a table."""
    on_host: Callable[[TableRunner], None] = lambda runner: None
    """Called when this server starts to run a table."""
    owned: Ownership | None = None
    """The leases of this server, if it shares the database with others."""

    def __post_init__(self) -> None:
        self._hosts: HostRows = self._store.people_rows()

    async def resume(self) -> None:
        """Resume every table on record that is not closed, and that no other server runs."""
        plans: dict[str, TablePlan] = {}
        for name, body in (await self._offload.call(self._store.kept, long=True)).items():
            kind, _, stream = name.partition(":")
            if kind != "table":
                continue
            # If one table cannot be resumed, the others still open.
            try:
                plan = msgspec.json.decode(body, type=TablePlan)
                if plan.closed is not None:
                    self._list(plan.closed)
                    continue
                plans[stream] = plan
            except ValueError as error:
                self.problems[stream] = f"{stream} cannot be resumed: {error}"
        if self.owned is not None:
            await self.owned.add_missing(plans)
            await self.owned.take_over_now()
            return
        hosts = {stream: folded(plan.host) for stream, plan in plans.items()}
        await self._offload.call(partial(self._hosts.reconcile_hosts, hosts))
        for stream, plan in plans.items():
            try:
                await self._resume(stream, plan)
            except (StoreError, ValueError) as error:
                self.problems[stream] = f"{stream} cannot be resumed: {error}"

    async def open(self, order: OpenTable, host: Person) -> TableRunner | Refusal:
        """Open a table and seat its bots. The host becomes its floor supervisor and may invite others."""
        self._opening += 1
        try:
            return await self._offload.whole(self._open(order, host))
        finally:
            self._opening -= 1

    async def _open(self, order: OpenTable, host: Person) -> TableRunner | Refusal:
        self._retire()
        running = self._open_tables()
        if len(running) >= MOST_TABLES:
            await self._make_room(running)
            running = self._open_tables()
        most, each = MOST_TABLES, self.tables_each
        sentence = f"at most {most} tables may be open, and {each} per person; close one first"
        too_many = Refusal("too-many-tables", None, "tables", sentence)
        # The table that is being opened counts too.
        if len(running) + self._opening > MOST_TABLES:
            return too_many
        known = {book.id: book for book in sound_rulebooks()[0]}
        if order.rulebook not in known:
            sentence = f"there is no rulebook {order.rulebook!r}; {suggest(order.rulebook, known)}"
            return Refusal("no-rulebook", None, "rulebook", sentence)
        if not order.name.isprintable() or len(order.name) > NAME_LETTERS or not 0 <= order.clock <= 600:
            sentence = (
                f"a table's name may have up to {NAME_LETTERS} letters, and its clock at most 600 seconds"
            )
            return Refusal("bad-table", None, "name", sentence)
        if not all(name.isprintable() and len(name) <= NAME_LETTERS for name in order.backs):
            sentence = f"the colour of a card back may have up to {NAME_LETTERS} letters"
            return Refusal("bad-table", None, "backs", sentence)
        if len(order.designated) > len(GAMES) or not set(order.designated) <= set(GAMES):
            sentence = f"a table is designated for {alternatives(GAMES)}"
            return Refusal("bad-table", None, "designated", sentence)
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
            designated=order.designated or (book.game,),
            designated_by=host.handle if order.designated else "",
            backs=card_backs(terms, order.backs),
            examples=True,
            dealer=order.dealer,
            purpose=order.purpose,
            leave_out=order.leave_out,
        )
        plan, maker, owned = TablePlan(name, order, settings, host.handle), self._maker(), self.owned

        def create() -> TableRunner | Refusal:
            self.people.mark_recorded(host.handle)
            if owned is not None:
                owned.open(stream)
            live: LiveTable | Refusal = too_many
            if self._hosts.host(folded(host.handle), stream, self.tables_each):
                live = LiveTable.open(self.house, stream, book, settings, opening, maker, link=order.link)
            if isinstance(live, Refusal):
                self._hosts.free_slots([stream])
                if owned is not None:
                    owned.end(stream)
                return live
            self._keep(stream, plan)
            return self._runner(live, plan)

        await self._stop_counting()
        try:
            runner = await self._offload.call(create)
            if isinstance(runner, Refusal):
                return runner
            self._host(runner)
        except StoreError as error:
            # In a shared house, the server that adopts the table learns whether it was opened.
            if owned is None and isinstance(error, AbandonedError):
                error.when_ended.append(partial(self._uncounted.add, stream))
            elif owned is None:
                self._uncounted.add(stream)
            raise
        finally:
            if owned is not None:
                owned.opened(stream)
        roles: tuple[Role, ...] = ("floor", "dealer") if order.dealer == "person" else ("floor",)
        await self.people.give(host.handle, stream, *roles)
        for bot in sorted(order.bots, key=lambda bot: not bot.seat):
            refused = await self.seat_bot(runner, bot)
            if refused is not None:
                await self._close_table(runner)
                return refused
        await runner.go_on()
        return runner

    async def seat_bot(self, runner: TableRunner, order: SeatedBot) -> Refusal | None:
        """Seat a bot."""
        return await self._alone(runner, partial(self._seat_bot, runner, order))

    async def _seat_bot(self, runner: TableRunner, order: SeatedBot) -> Refusal | None:
        state, stream = runner.state, runner.stream
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
        await self._offload.call(partial(self._keep, stream, runner.plan))
        self._add_bot(runner, seat)
        refused = await runner.send(c.Sit(seat=seat, player=name, chips=CHIPS))
        if refused is not None:
            await self._drop_bot(runner, seat)
            return refused
        await runner.go_on()
        return None

    async def free_seat(self, runner: TableRunner, seat: int) -> Refusal | None:
        """Remove a bot, or free the seat of an absent player.

        If the seat has a wager, it is freed after the round.
        """
        return await self._alone(runner, partial(self._free_seat, runner, seat))

    async def _free_seat(self, runner: TableRunner, seat: int) -> Refusal | None:
        if seat not in runner.state.seats:
            return Refusal("empty-seat", None, "seat", f"seat {seat} is already free")
        if not runner.presence.is_bot(seat) and runner.presence.here(seat):
            sentence = f"the player at seat {seat} is here; only bots and absent players can be removed"
            return Refusal("seat-taken", None, "seat", sentence)
        refused = await runner.send(c.Leave(seat=seat))
        if refused is None:
            await self._drop_bot(runner, seat)
        elif runner.state.section == "closed":
            return refused
        else:
            runner.presence.leaving[seat] = lambda: self._offload.start(self._drop_bot(runner, seat))
        await runner.go_on()
        return None

    async def _alone(self, runner: TableRunner, steps: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Change the bots of a table after all earlier changes. The change is completed even if the caller
        is cancelled."""

        async def in_order() -> T:
            async with self._seating.setdefault(runner.stream, asyncio.Lock()):
                return await steps()

        return await self._offload.whole(in_order())

    async def _resume(self, stream: str, plan: TablePlan) -> TableRunner:
        maker = self._maker()

        def load() -> TableRunner:
            live = LiveTable.resume(self.house, stream, maker)
            return self._runner(live, plan)

        runner = await self._offload.call(load, long=True)
        if stream not in self.tables:
            self._host(runner)
        return self.tables[stream]

    def _runner(self, live: LiveTable, plan: TablePlan) -> TableRunner:
        return run_table(live, plan, self.people, self._clock, self._offload, self.patience)

    def _host(self, runner: TableRunner) -> None:
        seats, plan = runner.state.seats, runner.plan
        bots = {n: bot for n, bot in plan.bots.items() if n in seats and seats[n].player == bot[0]}
        runner.plan = replace(plan, bots=bots)
        self.tables[runner.stream] = runner
        for seat in bots:
            self._add_bot(runner, seat)
        if runner.state.link:
            runner.after_send.append(lambda: self._show_meter(runner))
        runner.after_send.append(lambda: self.on_change(runner))
        self.on_host(runner)
        if plan.closed is None:
            self._counted.add(runner.stream)
            runner.after_send.append(lambda: self._note_closed(runner))
            self._note_closed(runner)

    def _note_closed(self, runner: TableRunner) -> None:
        """Stop counting a table towards its host's limit once it is closed."""
        if runner.state.section == "closed" and runner.stream in self._counted:
            self._counted.discard(runner.stream)
            self._uncounted.add(runner.stream)
            self._offload.start(self._stop_counting())

    async def _stop_counting(self) -> None:
        """Stop counting closed tables in the database; if that fails, try again when a table is opened."""
        if streams := frozenset(self._uncounted):
            with suppress(StoreError):
                await self._offload.call(partial(self._hosts.free_slots, streams))
                self._uncounted -= streams

    def _show_meter(self, runner: TableRunner) -> None:
        """Make the other tables with the same linked meter show its new amount."""
        meters, link = runner.state.meters, runner.state.link
        for other in tuple(self.tables.values()):
            state = other.state
            behind = state.link == link and state.meters != meters and state.section != "closed"
            # A table whose last write failed is already retrying.
            if behind and not other.trouble:
                self._clock.later(0, partial(self._continue, other))

    def show_meters(self) -> None:
        """Make the tables with a linked meter show an amount that another server has changed."""
        for runner in self.tables.values():
            if runner.state.link and runner.state.section != "closed" and not runner.trouble:
                self._continue(runner)

    def _continue(self, runner: TableRunner) -> None:
        self._offload.start(runner.go_on())

    def retry(self) -> None:
        """Let the tables whose record could not be written try again."""
        for runner in self.tables.values():
            if runner.trouble:
                self._continue(runner)

    def _add_bot(self, runner: TableRunner, seat: int) -> None:
        name, style = runner.plan.bots[seat]
        self._stop_bot(runner, seat)
        self._bots[runner.stream, seat] = BotTask(runner, seat, name, style, self._solver)

    def _stop_bot(self, runner: TableRunner, seat: int) -> None:
        bot = self._bots.pop((runner.stream, seat), None)
        if bot is not None:
            bot.stop()

    async def _drop_bot(self, runner: TableRunner, seat: int) -> None:
        """Remove a bot. A failed write is harmless: a bot in the plan without a seat does nothing."""
        self._stop_bot(runner, seat)
        if seat in runner.plan.bots:
            bots = {n: bot for n, bot in runner.plan.bots.items() if n != seat}
            runner.plan = replace(runner.plan, bots=bots)
            with suppress(StoreError):
                await self._offload.call(partial(self._keep, runner.stream, runner.plan))

    def _keep(self, stream: str, plan: TablePlan) -> None:
        self._store.keep(f"table:{stream}", msgspec.json.encode(plan))

    async def find(self, table: str) -> TableRunner | Refusal:
        """Return a table by its ID, as in URLs. Closed tables are included, so they can be replayed."""
        if table in self.tables:
            return self.tables[table]
        if not table.isprintable():
            return _no_table(table)
        return await self._offload.whole(self._load(table))

    async def _load(self, table: str) -> TableRunner | Refusal:
        lock = self._loading.setdefault(table, asyncio.Lock())
        try:
            async with lock:
                if table in self.tables:
                    return self.tables[table]
                body = await self._offload.call(partial(self._store.kept_as, f"table:{table}"))
                if body is None:
                    return _no_table(table)
                elsewhere = self.owned is not None and not self.owned.fence(table)
                if elsewhere and msgspec.json.decode(body, type=TablePlan).closed is None:
                    return MOVING
                return await self._reopen(table, body)
        finally:
            self._loading.pop(table, None)

    async def _reopen(self, table: str, body: bytes) -> TableRunner | Refusal:
        """Resume a table by its stored plan."""
        try:
            return await self._resume(table, msgspec.json.decode(body, type=TablePlan))
        except (AbandonedError, StoreDownError):
            raise
        except (StoreError, ValueError) as error:
            self.problems[table] = f"{table} cannot be resumed: {error}"
            return Refusal("no-table", None, "table", f"{table} cannot be resumed; ask the operator why")

    # --- tables shared with other servers ---

    async def adopt(self, stream: str) -> None:
        """Continue a table that this server owns now."""
        assert self.owned is not None
        if stream in self.problems:
            return
        try:
            body = await self._offload.call(partial(self._store.kept_as, f"table:{stream}"))
            plan = msgspec.json.decode(body, type=TablePlan) if body else None
            if plan is None or plan.closed is not None:
                # The table was closed, or never opened completely.
                closed = plan.closed if plan else None
                await self._offload.call(partial(self._hosts.free_slots, [stream]))
                await self._offload.call(partial(self.owned.end, stream, closed))
                return
            runner = await self.find(stream)
            if isinstance(runner, TableRunner):
                await runner.go_on()
        except ValueError as error:
            self.problems[stream] = f"{stream} cannot be resumed: {error}"
        except StoreError:
            # The server tries again after it next renews its leases.
            return

    def give_away(self, stream: str) -> None:
        """Drop a table that another server owns now."""
        runner = self.tables.pop(stream, None)
        self._counted.discard(stream)
        self.problems.pop(stream, None)
        self._cards.pop(stream, None)
        if runner is not None:
            for seat in runner.plan.bots:
                self._stop_bot(runner, seat)
            runner.give_away()

    def running(self) -> dict[str, TableCard]:
        """Return the lobby cards of the tables that run here, by table."""
        return {stream: self.card(runner) for stream, runner in self.tables.items()}

    async def all_cards(self) -> tuple[TableCard, ...]:
        """Return the tables for the lobby, of all servers that share the database."""
        own = self.cards()
        if self.owned is None:
            return own
        others = await self.owned.cards(CLOSED)
        cards = {**others, **{card.table: card for card in own if card.table in self.tables}}
        return tuple(sorted(cards.values(), key=lambda card: not card.open))

    def card(self, runner: TableRunner) -> TableCard:
        """Return a table as the lobby shows it."""
        state, plan, stream = runner.state, runner.plan, runner.stream
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
            if runner.state.section != "closed" or runner.audience.watchers:
                continue
            if runner.plan.closed is None:
                # If the write fails, the next start finds the table closed and tries again.
                plan = replace(runner.plan, bots={}, closed=self.card(runner))
                self._offload.start(self._keep_closed(stream, plan))
            for seat in runner.plan.bots:
                self._stop_bot(runner, seat)
            runner.stop()
            self._list(runner.plan.closed or self.card(runner))
            self._cards.pop(stream, None)
            self._seating.pop(stream, None)
            del self.tables[stream]

    async def _keep_closed(self, stream: str, plan: TablePlan) -> None:
        with suppress(StoreError):
            await self._stop_counting()
            await self._offload.call(partial(self._keep, stream, plan))
            if self.owned is not None:
                await self._offload.call(partial(self.owned.end, stream, plan.closed))

    def _list(self, card: TableCard) -> None:
        self._closed[card.table] = card
        if len(self._closed) > CLOSED:
            del self._closed[next(iter(self._closed))]

    def _open_tables(self) -> list[TableRunner]:
        return [t for t in self.tables.values() if t.state.section != "closed"]

    async def _make_room(self, running: list[TableRunner]) -> None:
        """Close the oldest table without players or viewers; its record is kept."""
        for runner in running:
            in_use = runner.audience.watchers or runner.presence.persons()
            if not in_use and await self._close_table(runner):
                return

    async def _close_table(self, runner: TableRunner) -> bool:
        with suppress(StoreError):
            refused = await runner.send(c.CloseTable(by="floor"))
            self._note_closed(runner)
            return refused is None
        return False

    def close(self) -> None:
        """Stop all bots and all clocks."""
        for bot in self._bots.values():
            bot.stop()
        for runner in self.tables.values():
            runner.stop()
