"""A round of a record told in prose, as one of those at the table may know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from houseway.audit.opened import happened, recorded_entry, recorded_table
from houseway.audit.prose import Sees, cards_counted, closing, reading, sentence
from houseway.audit.roles import SURVEILLANCE
from houseway.audit.store import Store, StoreError
from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.engine.evolve import seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import spoken
from houseway.rules.compare.words import listed
from houseway.rules.loading import all_clauses

PARTS: Final = (
    "Before the wagers",
    "Wagers",
    "The deal",
    "Decisions",
    "Showdown",
    "After the hands were void",
    "What it came to",
)
_BEGINS: Final[dict[type[e.Event], int]] = {
    e.RoundOpened: 1,
    e.BettingClosed: 2,
    e.PlayersLooked: 3,
    e.Checked: 3,
    e.PlayMade: 3,
    e.HandSet: 3,
    e.HandSplit: 3,
    e.DealerRevealed: 4,
    e.RoundVoided: 5,
    e.RoundClosed: 6,
}
"""The part of a round's story that an event begins, unless a later one has begun."""


class Said(msgspec.Struct, frozen=True):
    """A sentence of the story, and the clause it rests on."""

    part: str
    says: str
    clause: str | None


class Story(msgspec.Struct, frozen=True):
    """A round told."""

    stream: str
    number: int
    at: str
    """When it was opened."""
    title: str
    terms: str
    seen_as: str
    seats: tuple[str, ...]
    said: tuple[Said, ...]
    clauses: dict[str, str] = {}
    """What the clauses cited say, where that was asked for."""


class _Moment(NamedTuple):
    event: e.Event
    after: State
    at: str


def explain(store: Store, stream: str, number: int | None, role: str, *, clauses: bool = False) -> Story:
    """Tell a round, the last one without a number; StoreError where there is none."""
    table, moments = _round(store, stream, number)
    # A round nobody wagered in may have been opened before it and left.
    opened = next(moment for moment in reversed(moments) if isinstance(moment.event, e.RoundOpened))
    now = opened.after
    names = {n: f", {seat.player}," if seat.player else "" for n, seat in moments[-1].after.seats.items()}
    said = tuple(_told(table, moments, role, names))
    cited = dict.fromkeys(s.clause for s in said if s.clause)
    known = all_clauses()
    return Story(
        stream,
        now.round.number,
        opened.at,
        table.book.title,
        ", ".join([f"{table.mode} deal", *(f"{kind} {name}" for kind, name in table.terms.tables.items())]),
        role,
        tuple(f"Seat {n}{names.get(n, '')} with {spoken(seat.chips)}" for n, seat in now.seats.items()),
        said,
        {c: known[c].says for c in cited if c in known} if clauses else {},
    )


def _round(store: Store, stream: str, number: int | None) -> tuple[Table, list[_Moment]]:
    """The table of a record, and all that happened since the round before the one asked for."""
    table: Table | None = None
    state = State()
    found: list[_Moment] = []
    last: list[_Moment] = []
    for stored in store.entries(stream):
        entry = recorded_entry(stored)
        table = table or recorded_table(store, entry)
        for seq, event in enumerate(entry.events, stored.seq):
            state = happened(state, event, seq)
            found.append(_Moment(event, state, entry.at))
            if isinstance(event, e.RoundClosed):
                if event.number == number:
                    return table, found
                last, found = found, []
    if table is None:
        raise StoreError(f"there is no record of {stream}")
    under_way = any(isinstance(moment.event, e.RoundOpened) for moment in found)
    if number is None and (last or under_way):
        return table, last or found
    if number == state.round.number and under_way:
        return table, found
    there = f"rounds 1 to {state.rounds}" if state.rounds else "no round"
    raise StoreError(f"there is no round {number or ''} on record; it has {there}".replace("  ", " "))


def _told(table: Table, moments: list[_Moment], role: str, names: Mapping[int, str]) -> Iterator[Said]:
    closed = isinstance(moments[-1].event, e.RoundClosed)
    looked = "looking" in table.book.options and any(isinstance(m.event, e.PlayersLooked) for m in moments)

    def sees(event: e.Event, field: str) -> tuple[Card, ...]:
        cards: tuple[Card, ...] = getattr(event, field)
        if field not in hidden_fields(event) or (role == SURVEILLANCE and closed):
            return cards
        place = getattr(event, "to", "") or getattr(event, "at", "") or f"seat {getattr(event, 'seat', 0)}"
        return cards if looked and seat_of(role) and place == role else ()

    part = 0
    board: tuple[Card, ...] = ()
    hands: dict[str, tuple[Card, ...]] = {}
    dealt: dict[str, tuple[int, list[Card]]] = {}
    clause: str | None = None
    for event, _, _ in moments:
        if isinstance(event, e.BoardTurned) or (isinstance(event, e.CardsDealt) and event.to == "board"):
            board = (*board, *event.face)
        elif isinstance(event, e.BoardArranged):
            board = event.face
        if isinstance(event, e.CardsDealt):
            count, cards = dealt.get(event.to, (0, []))
            dealt[event.to] = (count + event.count, [*cards, *(sees(event, "sealed") or event.face)])
            clause = clause or event.clause
            continue
        says = sentence(event, board, table.terms.order, sees)
        begins = max(part, _BEGINS.get(type(event), 0))
        if dealt and (says or begins > part):
            yield Said(PARTS[max(part, 2)], _dealt(dealt), clause)
            dealt, clause = {}, None
        part = begins
        _lay(event, hands, sees)
        if isinstance(event, e.WagerSettled):
            for place in ("The dealer", _hand(event.seat, event.hand)):
                reads = reading(hands.pop(place, ()), board, table.terms.order)
                if reads:
                    yield Said(PARTS[part], f"{place} has {reads}", None)
        if isinstance(event, e.RoundClosed):
            yield from (Said(PARTS[part], text, None) for text in closing(event, names))
        elif says:
            yield Said(PARTS[part], says, event.clause)
    if dealt:
        yield Said(PARTS[max(part, 2)], _dealt(dealt), clause)


def _hand(seat: int, hand: int) -> str:
    return f"Seat {seat}" + ("'s second hand" if hand > 1 else "")


def _lay(event: e.Event, hands: dict[str, tuple[Card, ...]], sees: Sees) -> None:
    """Note the hands that are set before the board is there, to read them when their wagers are settled."""
    match event:
        case e.HandSet():
            hands[_hand(event.seat, 1)] = sees(event, "face")
            hands.pop(_hand(event.seat, 2), None)
        case e.HandSplit():
            hands[_hand(event.seat, 1)] = sees(event, "first")
            hands[_hand(event.seat, 2)] = sees(event, "second")
        case e.DealerHandSet() | e.ChallengeAnswered():
            hands["The dealer"] = event.kept


def _dealt(dealt: Mapping[str, tuple[int, list[Card]]]) -> str:
    """Cards dealt one after another, by place."""
    told = []
    for place, (count, cards) in dealt.items():
        where = place if place.startswith("seat ") else f"the {place}"
        told.append(f"{cards_counted(count)} to {where}" + (f" ({written(cards)})" if cards else ""))
    return f"Dealt: {listed(told, 'and')}"


def printed(story: Story) -> Iterator[str]:
    """A story on paper, line by line."""
    yield f"Round {story.number} at {story.stream}, {story.at}"
    yield f"{story.title}; {story.terms}"
    yield f"Told as {_SEEN.get(story.seen_as, f'{story.seen_as} saw it')}."
    yield ""
    yield "At the table"
    yield from (f"  {seat}." for seat in story.seats or ("Nobody yet",))
    part = ""
    for said in story.said:
        if said.part != part:
            part = said.part
            yield ""
            yield part
        yield f"  {said.says}." + (f" ({said.clause})" if said.clause else "")
    if story.clauses:
        yield ""
        yield "The clauses, in our words"
        yield from (f"  {clause}: {says}" for clause, says in story.clauses.items())


_SEEN: Final = {
    "rail": "everybody could see it",
    "floor": "the floor saw it",
    SURVEILLANCE: "surveillance may see it, hidden cards included once the round is closed",
}
