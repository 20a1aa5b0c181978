"""Two tables with one linked meter, compared with a small model of the meter.

Commands are sent late, repeatedly, out of order, at the same time, and over connections that fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, TypeVar

from houseway.audit.ledgers import LedgerMoved, read_ledger_entry
from houseway.audit.store import Batch, Head, StaleHeadError, Store, StoreError
from houseway.audit.verify import verify
from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.persons import HOUSE
from houseway.engine.refusals import Refusal
from houseway.engine.turn_order import turn
from houseway.live import Accepted, LiveTable, TableServices
from houseway.rules.loader import load
from scripted import Scripted

from .kill_script import house

LINK = "jackpot"
METER = f"meter:{LINK}"
TABLES = ("north", "south")
SEED = 50_000_00 * 1_000_000
"""The seed of the meter. PTMGL01 starts at $10,000 for a wager of $1 (MA-13.e-PTMGL01-b); the wager is $5 (MA-13.a)."""
FEED = 125 * 1_000_000
"""The contribution of a wager to the meter: a quarter of $5, in millionths of a cent."""
ROYAL, STRAIGHT = "AhKhQhJhTh", "9h8h7h6h5h"
HANDS = {
    "royal flush": "Ah 2c Kh 3d 4s Qh Jh Th 4d 8c 9s",
    "straight flush": "9h 2c 8h 3d 4s 7h 6h 5h 4d Jc Qs",
    "nothing": "Ac 2c 8d 3d 4s 7h 6s Jh 4d Jc Qs",
}
"""The cards of each kind of hand in the order of the deal: player, dealer, player, dealer; a burn card and the flop; a burn
card, turn and river."""
PIECES = ("bet", "deal", "play")
TRIES: Final = 10

T = TypeVar("T")


class MeterError(AssertionError):
    """A contribution or an award was lost, counted twice, or paid from the wrong amount."""


def read(work: Callable[[], T]) -> T:
    """Return the result of a read. A database on a busy machine may need several tries."""
    for _ in range(TRIES - 1):
        with suppress(StoreError):
            return work()
    return work()


class JackpotDecks(Scripted):
    """Decks that often deal a jackpot."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def secret(self, name: str) -> bytes:
        return HANDS[self._rng.choices(list(HANDS), (1, 2, 4))[0]].encode()


class Faulty:
    """A store whose next append can be made to fail, before or after it takes effect."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.fails = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise StoreError("the disk is gone")
        self._store.append(stream, after, batch)
        if fails == "after":
            raise StoreError("the answer is lost")


class LinkedTables:
    """Two tables with one meter, two connections to each table, and the expected amount of the meter."""

    def __init__(
        self,
        rng: Random,
        store: Store,
        resume: Callable[..., LiveTable] = LiveTable.resume,
        reopen: Callable[[], Store] | None = None,
    ) -> None:
        self._rng = rng
        self._resume = resume
        self._reopen = reopen
        self._meter = SEED
        self._moves: list[int] = []
        self._sent: dict[tuple[str, int, str], list[tuple[str, c.Command]]] = {}
        self._nested = False
        self.conflicts = 0
        """How often a table repeated its decision because the other table had changed the meter."""
        book = load("uth-ma")
        opening = c.OpenTable(designated=(book.game,), examples=True)
        given = {"tables": {"progressive": "PTMGL01"}, "house": {"feed": 25}}
        for table in TABLES:
            live = LiveTable.open(house(store), table, book, given, opening, JackpotDecks(rng), link=LINK)
            assert isinstance(live, LiveTable), live
            live.advance()
            live.send(c.Sit(seat=1, player="Maren", chips=1_000_000_00))
            live.advance()
        self.connect(store)

    def connect(self, store: Store) -> None:
        """Open all connections again, as after a restart."""
        self._store = Faulty(store)
        at: TableServices = house(self._store, every=100)
        self._lines = {t: [self._resume(at, t, JackpotDecks(self._rng)) for _ in range(2)] for t in TABLES}

    # --- schedules ---

    def schedule(self) -> None:
        """Play a round at each table in pieces, in a random order, with repeats, failures and restarts."""
        rng = self._rng
        left = {table: list(PIECES) for table in TABLES}
        while any(left.values()):
            table = rng.choice([table for table in TABLES if left[table]])
            other = next(t for t in TABLES if t != table)
            inside = None
            if left[other] and rng.random() < 0.4:
                # The other table acts after this table has decided and before the decision is stored.
                inside = (other, left[other].pop(0))
            self._play(table, left[table].pop(0), inside)
            for _ in range(rng.choice((0, 0, 1, 3))):
                self._repeat(*rng.choice(list(self._sent)))
            if rng.random() < 0.05:
                store = self._reopen() if self._reopen else self._store._store
                self.connect(store)
        self.check()

    def _play(self, table: str, piece: str, inside: tuple[str, str] | None = None) -> None:
        line = self._rng.choice(self._lines[table])
        read(line.reload)
        number = line.state.round.number
        key = (table, number, piece)
        fails = self._rng.choice(("before", "after")) if self._rng.random() < 0.1 else ""
        for _ in range(TRIES):
            sent: list[tuple[str, c.Command]] = []
            hand: list[str] = []
            try:
                with line.together():
                    line.sync()
                    for answer in self._pieces(line, key, sent):
                        hand += [_hand(s.seats[1].hands[0].cards, s.round.board) for s in answer.states]
                    if inside is not None:
                        nested, inside = inside, None
                        self._play(*nested)
                    self._store.fails, fails = fails, ""
            except StaleHeadError as error:
                self.conflicts += error.stream == METER
            except StoreError:
                pass
            else:
                break
            read(line.reload)
            if sent and read(partial(self._store.keyed, table, sent[0][0])) is not None:
                # The command was stored, but the answer was lost.
                break
        else:
            raise MeterError(f"{key} failed {TRIES} times")
        self._sent[key] = sent
        self._account(piece, hand)

    def _pieces(
        self, line: LiveTable, key: tuple[str, int, str], sent: list[tuple[str, c.Command]]
    ) -> Iterator[Accepted]:
        """Send the commands of one piece of a round, with keys."""
        _, number, piece = key
        command: c.Command | None
        if piece == "bet":
            command = c.Bet(seat=1, wagers={"ante": 1000, "progressive": 500})
        elif piece == "play":
            command = c.Play(seat=1, times=4)
        else:
            command = line.dealers_command()
        while command is not None:
            name = " ".join(map(str, (*key, len(sent))))
            sent.append((name, command))
            answer = line.send(command, name)
            if isinstance(answer, Refusal):
                raise MeterError(f"{name} was refused: {answer.message}")
            yield answer
            opened = line.state.round.number > number and line.state.round.betting == "open"
            if piece == "bet" or opened or turn(line.table, line.state) is not None:
                return
            command = line.dealers_command()
            if line.state.round.asked is not None:
                command = c.Approve(by=HOUSE)

    def _repeat(self, table: str, number: int, piece: str) -> None:
        """Send a piece of an earlier round again, over any connection."""
        line = self._rng.choice(self._lines[table])
        with suppress(StaleHeadError):
            self._send_again(line, (table, number, piece))
            return
        line.reload()
        self._send_again(line, (table, number, piece))

    def _send_again(self, line: LiveTable, key: tuple[str, int, str]) -> None:
        for name, command in self._sent[key]:
            answer = line.send(command, name)
            if not isinstance(answer, Accepted) or not answer.repeated:
                raise MeterError(f"{name} counted again")

    # --- the model ---

    def _account(self, piece: str, hands: list[str]) -> None:
        if piece == "deal":
            self._move(FEED)
        if piece == "play" and ROYAL in hands:
            self._move(-(self._meter // 1_000_000) * 1_000_000 + SEED)
        elif piece == "play" and STRAIGHT in hands:
            self._move(-(self._meter // 1_000_000 * 10 // 100) * 1_000_000)

    def _move(self, change: int) -> None:
        self._meter += change
        self._moves.append(change)

    def check(self) -> None:
        """Compare the stored meter and the meters that both tables show with the model."""
        store = self._store
        events = [read_ledger_entry(stored.public).events[0] for stored in store.entries(METER)]
        moved = [event.changes.get("main", 0) for event in events if isinstance(event, LedgerMoved)]
        if moved != self._moves:
            raise MeterError(f"the meter has {len(moved)} moves, not {len(self._moves)}, or other amounts")
        if events[-1].balances["main"] != self._meter:
            raise MeterError(f"the meter has {events[-1].balances}, not {self._meter}")
        for table in TABLES:
            line = self._lines[table][0]
            line.reload()
            line.sync()
            if line.state.meters["main"] != self._meter:
                raise MeterError(f"{table} shows {line.state.meters}, not {self._meter}")

    def audit(self) -> None:
        """Verify every stream."""
        for stream in self._store.streams():
            faults = verify(self._store, stream).faults
            if faults:
                raise MeterError(f"{stream}: {faults[0]}")

    @property
    def awards(self) -> int:
        """The number of awards so far."""
        return sum(change != FEED for change in self._moves)


def _hand(hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    return "".join(map(str, (*hole, *board[:3])))
