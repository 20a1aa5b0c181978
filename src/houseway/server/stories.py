"""A round on paper: the phases its events fall into, and what happened told sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple

from houseway.audit.prose import Sees, cards_counted, closing, reading, sentence
from houseway.engine import events as e
from houseway.engine.evolve import seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.rules.compare.words import listed

Data = dict[str, Any]
SeesAt = Callable[[State], Sees]
"""The cards a reader may see, as the table stood at a moment."""

FLOP: Final = 3
BETS, DEAL, SETTING = "Bets", "Deal", "Setting hands"
TURNED, LATER = "Flop", "Turn and river"
DEALER, SETTLING, VOID = "The dealer's hand", "Settlement", "Void hands"


class Step(NamedTuple):
    """An event of a record with the table right after it."""

    seq: int
    event: e.Event
    after: State
    at: str
    """When it was put on record."""


def phase_names(table: Table, steps: Sequence[Step]) -> list[str]:
    """The phase of the round that each of its events belongs to."""
    asked = next((stage.name.capitalize() for stage in table.book.stages if not stage.board), SETTING)
    name, up, open_ = BETS, 0, False
    found = []
    for _, event, after, _ in steps:
        match event:
            case e.BettingClosed():
                name = DEAL
            case e.PlayersLooked():
                name = asked
            case e.DealerRevealed():
                name, open_ = DEALER, True
            case e.RoundVoided():
                name, open_ = VOID, True
            case e.HandTurned() | e.WagerSettled() if open_:
                name = SETTLING
        if after.round.up > up and name != VOID:
            name = LATER if up >= FLOP else TURNED
        up = after.round.up
        found.append(name)
    return found


def phases(names: Sequence[str]) -> list[Data]:
    """Phases one after the other, from which event to which."""
    starts = [n for n, name in enumerate(names) if n == 0 or name != names[n - 1]]
    return [{"name": names[a], "from": a, "to": b - 1} for a, b in pairwise([*starts, len(names)])]


@dataclass
class _Passage:
    """Sentences that belong together."""

    key: object
    start: int
    says: list[str] = field(default_factory=list)
    acts: dict[str, list[int]] = field(default_factory=dict)
    """What seats did, by what it was."""
    dealt: dict[str, int] = field(default_factory=dict)
    """Cards that were dealt, by place."""
    clauses: dict[str, None] = field(default_factory=dict)

    def text(self) -> str:
        """All of it."""
        acts = [f"{_seats(seats)} {act}" for act, seats in self.acts.items()]
        dealt = [_dealt(self.dealt)] if self.dealt else []
        return " ".join(f"{part}." for part in (*self.says, *acts, *dealt))


class Telling:
    """A round being told."""

    def __init__(self, table: Table, sees: SeesAt) -> None:
        self._table = table
        self._sees = sees
        self._passages: list[tuple[str, _Passage]] = []
        """With the heading each stands under."""
        self._turned: set[tuple[int, int]] = set()
        """Hands that have been read out; the dealer's as seat 0."""

    def story(self, lead: Iterable[Step], steps: Sequence[Step], names: Sequence[str],
              held: Sequence[str]) -> list[Data]:  # fmt: skip
        """The round told, sentences under the names of its phases; `lead` is what came before it, `held`
        the reader's own cards at each event."""
        for step in lead:
            self._tell(BETS, 0, step, "lead", "")
        for n, (name, step) in enumerate(zip(names, steps, strict=True)):
            opens = isinstance(step.event, e.RoundOpened)
            self._tell(name, n, step, "lead" if opens else None, held[n])
        told: list[Data] = []
        ends = [passage.start - 1 for _, passage in self._passages[1:]] + [len(steps) - 1]
        heading = ""
        for (name, passage), last in zip(self._passages, ends, strict=True):
            if name != heading:
                heading = name
                told.append({"heading": name})
            told.append(
                {
                    "says": passage.text(),
                    "clauses": list(passage.clauses),
                    "from": passage.start,
                    "to": last,
                }
            )
        return told

    def _tell(self, name: str, at: int, step: Step, key: object, held: str) -> None:
        event, after = step.event, step.after
        sees = self._sees(after)
        match event:
            case e.CardsDealt() if not event.face:
                dealt = self._passage(name, at, "deal").dealt
                dealt[event.to] = dealt.get(event.to, 0) + event.count
                self._cite(event)
                return
            case e.RoundClosed():
                players = {n: f", {seat.player}," if seat.player else "" for n, seat in after.seats.items()}
                self._passage(name, at, "close").says += closing(event, players)
                self._cite(event)
                return
        board = after.round.arranged or after.round.board[: after.round.up]
        says = sentence(event, board, self._table.terms.order, sees)
        if not says:
            return
        if isinstance(event, e.Checked | e.PlayMade | e.Folded | e.HandSet | e.HandSplit):
            stage = getattr(event, "stage", "")
            _, _, act = says.partition(f"eat {event.seat} ")
            self._passage(name, at, ("acts", stage)).acts.setdefault(act, []).append(event.seat)
        elif isinstance(event, e.HandTurned | e.WagerSettled):
            own = self._passage(name, at, ("hand", event.seat, event.hand))
            own.says += [*self._read_out(event, after), says]
        else:
            looked = f"; {held}" if isinstance(event, e.PlayersLooked) and held else ""
            self._passage(name, at, key or step.seq).says.append(says + looked)
        self._cite(event)

    def _passage(self, name: str, at: int, key: object) -> _Passage:
        """The passage under way, or a new one where what is told now belongs to another."""
        if not self._passages or (name, key) != (self._passages[-1][0], self._passages[-1][1].key):
            self._passages.append((name, _Passage(key, at)))
        return self._passages[-1][1]

    def _cite(self, event: e.Event) -> None:
        if event.clause:
            self._passages[-1][1].clauses[event.clause] = None

    def _read_out(self, event: e.HandTurned | e.WagerSettled, after: State) -> list[str]:
        """What hands make that were laid open before the board was there, once each."""
        now = after.round
        board = now.arranged or now.board[: now.up]
        seat = after.seats.get(event.seat)
        hand = seat.hands[event.hand - 1] if seat and event.hand <= len(seat.hands) else None
        found = [((0, 0), "The dealer", now.kept)]
        if isinstance(event, e.WagerSettled) and hand is not None and hand.shown:
            second = "'s second hand" if event.hand > 1 else ""
            found.append(((event.seat, event.hand), f"Seat {event.seat}{second}", hand.cards))
        elif isinstance(event, e.HandTurned):
            self._turned.add((event.seat, event.hand))
        told = []
        for place, who, cards in found:
            reads = reading(cards, board, self._table.terms.order)
            if reads and place not in self._turned:
                self._turned.add(place)
                told.append(f"{who} has {reads}")
        return told


def _seats(seats: Sequence[int]) -> str:
    return f"Seat{'s' if len(seats) > 1 else ''} {listed(map(str, seats), 'and')}"


def _dealt(dealt: dict[str, int]) -> str:
    """Cards dealt one after another, those who got as many together."""
    by_count: dict[int, list[str]] = {}
    for place, count in dealt.items():
        by_count.setdefault(count, []).append(place)
    told = []
    for count, places in by_count.items():
        seats = [seat_of(place) for place in places if seat_of(place)]
        names = [_seats(seats).lower()] if seats else []
        names += [f"the {place}" for place in places if not seat_of(place)]
        each = " each" if len(places) > 1 else ""
        told.append(f"{cards_counted(count)}{each} to {listed(names, 'and')}")
    return f"Dealt: {'; '.join(told)}"
