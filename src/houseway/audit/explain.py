"""Tell a recorded round in prose, with only the cards that a role at the table may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

import msgspec

from houseway.audit.record_header import apply_recorded, read_record
from houseway.audit.roles import SURVEILLANCE, place_of
from houseway.audit.store import Store, StoreError
from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.engine.command_helpers import seats_text
from houseway.engine.evolve import seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import spoken
from houseway.narrate.record import RoundTeller
from houseway.narrate.render import record, render
from houseway.narrate.sentence_groups import deal
from houseway.rules.loader import all_clauses
from houseway.rules.odds_words import wording

PARTS: Final[dict[str, tuple[type[e.Event], ...]]] = {
    "Before the wagers": (),
    "Wagers": (e.RoundOpened,),
    "The deal": (e.BettingClosed,),
    "Decisions": (e.PlayersLooked, e.Checked, e.PlayMade, e.HandSet, e.HandSplit),
    "Showdown": (e.DealerRevealed,),
    "After the round was voided": (e.RoundVoided,),
    "Result": (e.RoundClosed,),
}
"""The parts of a round's story, and the events that start each part. A part never starts twice."""
_TITLES: Final = tuple(PARTS)
_BEGINS: Final = {kind: n for n, kinds in enumerate(PARTS.values()) for kind in kinds}
_DEAL: Final = _TITLES.index("The deal")


class RoundSentence(msgspec.Struct, frozen=True):
    """A sentence of the story, and the clause that it cites."""

    part: str
    says: str
    clause: str | None


class Story(msgspec.Struct, frozen=True):
    """A round in prose."""

    stream: str
    number: int
    at: str
    """The time at which the round was opened."""
    title: str
    terms: str
    seen_as: str
    seats: tuple[str, ...]
    said: tuple[RoundSentence, ...]
    clauses: dict[str, str] = {}
    """The texts of the cited clauses, if requested."""
    borrowed: tuple[str, ...] = ()
    """The cited clauses that come from other documents, because the table's own document is silent."""


class _Moment(NamedTuple):
    event: e.Event
    after: State
    at: str


def explain(store: Store, stream: str, number: int | None, role: str, *, clauses: bool = False) -> Story:
    """Return the story of a round, by default the last one. Raises StoreError if there is no such round."""
    table, moments = _round(store, stream, number)
    # An earlier round may have been opened and abandoned before any wager.
    opened = next(moment for moment in reversed(moments) if isinstance(moment.event, e.RoundOpened))
    played = moments[moments.index(opened) :]
    now = opened.after
    _check_seat(role, now.round.number, {n for moment in played for n in moment.after.seats})
    # A player may leave before the end of the story.
    names = {n: seat.player for one in moments for n, seat in one.after.seats.items() if seat.player}
    sentences = tuple(_sentences(table, moments, role, names))
    cited = dict.fromkeys(s.clause for s in sentences if s.clause)
    known, borrowed = all_clauses(), table.book.borrowed()
    chosen = [
        f"{kind} {name}"
        for kind, name in table.terms.tables.items()
        if kind != "envy" and len(table.book.tables[kind]) > 1
    ]
    tables = f"; pay {'table' if len(chosen) == 1 else 'tables'}: {', '.join(chosen)}" if chosen else ""
    players = {n: f", {names[n]}," if n in names else "" for n in now.seats}
    return Story(
        stream,
        now.round.number,
        opened.at,
        table.book.title,
        f"{table.mode} deal{tables}",
        role,
        tuple(f"Seat {n}{players[n]} with {spoken(seat.chips)}" for n, seat in now.seats.items()),
        sentences,
        {c: known[c].says for c in cited if c in known} if clauses else {},
        tuple(c for c in cited if c in borrowed),
    )


def _check_seat(role: str, number: int, taken: set[int]) -> None:
    """Raise StoreError if the role is a seat that was empty in the round."""
    if role.startswith("seat ") and role not in {f"seat {n}" for n in taken}:
        others = f"the players sat at {seats_text(taken)}" if taken else "no player was seated"
        raise StoreError(f"{role} was empty in round {number}; {others}")


def _round(store: Store, stream: str, number: int | None) -> tuple[Table, list[_Moment]]:
    """Return the table of a record, and all events from the end of the previous round to the end of the
    chosen round."""
    table, entries = read_record(store, stream)
    state = State()
    moments: list[_Moment] = []
    last: list[_Moment] = []
    closed = 0
    for stored, entry in entries:
        for seq, event in enumerate(entry.events, stored.seq):
            state = apply_recorded(state, event, seq)
            moments.append(_Moment(event, state, entry.at))
            if isinstance(event, e.RoundClosed):
                if event.number == number:
                    return table, moments
                last, moments, closed = moments, [], event.number
    under_way = any(isinstance(moment.event, e.RoundOpened) for moment in moments)
    if number is None and (last or under_way):
        return table, last or moments
    if number == state.round.number and under_way:
        return table, moments
    there = f"rounds 1 to {closed}" if closed > 1 else "round 1" if closed else "no rounds"
    if under_way:
        unfinished = f"round {state.rounds}, which is not finished"
        there = f"{there} and {unfinished}" if closed else f"only {unfinished}"
    raise StoreError(f"there is no round {number or ''}: the record has {there}".replace(" :", ":"))


def _sentences(
    table: Table, moments: list[_Moment], role: str, names: Mapping[int, str]
) -> Iterator[RoundSentence]:
    closed = isinstance(moments[-1].event, e.RoundClosed)
    looked = "looking" in table.book.options and any(isinstance(m.event, e.PlayersLooked) for m in moments)

    def sees(event: e.Event, field: str) -> tuple[Card, ...]:
        cards: tuple[Card, ...] = getattr(event, field)
        if field not in hidden_fields(event) or (role == SURVEILLANCE and closed):
            return cards
        return cards if looked and seat_of(role) and place_of(event) == role else ()

    teller, voice = RoundTeller(table.terms.order, wording=wording(table.book)), record(names)
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
            yield RoundSentence(_TITLES[max(part, _DEAL)], render(deal(dealt), voice), clause)
            dealt, clause = {}, None
        part = begins
        for sentence in sentences:
            cited = None if isinstance(event, e.RoundClosed) else sentence.clause
            yield RoundSentence(_TITLES[part], render(sentence, voice), cited)
    if dealt:
        yield RoundSentence(_TITLES[max(part, _DEAL)], render(deal(dealt), voice), clause)


def story_lines(story: Story) -> Iterator[str]:
    """Yield a story line by line, for printing."""
    yield f"Round {story.number} at {story.stream}, {story.at}"
    yield f"{story.title}; {story.terms}"
    yield f"Shows {_SEEN.get(story.seen_as, f'only what {story.seen_as} could see')}."
    yield ""
    yield "At the table"
    yield from (f"  {seat}." for seat in story.seats or ("No players yet",))
    for part, sentences in groupby(story.said, attrgetter("part")):
        yield ""
        yield part
        for sentence in sentences:
            mark = ", borrowed" if sentence.clause in story.borrowed else ""
            yield f"  {sentence.says}." + (f" ({sentence.clause}{mark})" if sentence.clause else "")
    if story.clauses:
        yield ""
        yield "Clauses, in our words"
        yield from (f"  {clause}: {says}" for clause, says in story.clauses.items())


_SEEN: Final = {
    "rail": "only what everyone at the table could see",
    "floor": "only what the floor could see",
    SURVEILLANCE: "what surveillance may see, including hidden cards once the round is closed",
}
