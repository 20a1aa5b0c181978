"""A round of a record told in prose, as one of those at the table may know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from houseway.audit.opened import happened, recorded_entry, recorded_table
from houseway.audit.roles import SURVEILLANCE
from houseway.audit.store import Store, StoreError
from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.engine.evolve import seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import spoken
from houseway.narrate.grouping import deal
from houseway.narrate.record import RoundTeller
from houseway.narrate.render import record, render
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
    names = {n: seat.player for n, seat in moments[-1].after.seats.items() if seat.player}
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
        tuple(_stack(n, names.get(n, ""), seat.chips) for n, seat in now.seats.items()),
        said,
        {c: known[c].says for c in cited if c in known} if clauses else {},
    )


def _stack(seat: int, player: str, chips: int) -> str:
    """A seat with its player and chips at the start of the round."""
    return f"Seat {seat}{f', {player},' if player else ''} with {spoken(chips)}"


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

    teller, voice = RoundTeller(table.terms.order), record(names)
    part = 0
    dealt: dict[str, tuple[int, tuple[Card, ...]]] = {}
    clause: str | None = None
    for event, _, _ in moments:
        sentences = teller.tell(event, sees)
        if isinstance(event, e.CardsDealt):
            count, cards = dealt.get(event.to, (0, ()))
            dealt[event.to] = (count + event.count, (*cards, *(sees(event, "sealed") or event.face)))
            clause = clause or event.clause
            continue
        begins = max(part, _BEGINS.get(type(event), 0))
        if dealt and (sentences or begins > part):
            yield Said(PARTS[max(part, 2)], render(deal(dealt), voice), clause)
            dealt, clause = {}, None
        part = begins
        for sentence in sentences:
            cited = None if isinstance(event, e.RoundClosed) else sentence.clause
            yield Said(PARTS[part], render(sentence, voice), cited)
    if dealt:
        yield Said(PARTS[max(part, 2)], render(deal(dealt), voice), clause)


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
