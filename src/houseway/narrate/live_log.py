"""Sentences for viewers of a live table: the round's log and the text for screen readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import aloud, render, short
from houseway.narrate.sentence_groups import SentenceGroup, group
from houseway.narrate.sentences import Sentence
from houseway.rules.odds_words import wording

LOGGED: Final = ("act", "board", "call", "news", "paid")
"""The topics that the log shows. Viewers see everything else on the table itself."""
SAID: Final = ("act", "board", "paid")
"""The topics that a screen reader speaks; the dealer's script covers the others."""
TO_EACH_SEAT: Final = frozenset({e.PlayersLooked, e.RoundClosed})
"""The events for which each seat hears its own sentences from a screen reader, whatever the topic."""


class LogLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the round's log."""

    text: str
    clause: str | None = None


Log = dict[int, LogLine]
"""The lines of a round's log, by line number."""


class LogEntry:
    """A sentence in the log. All viewers whom it does not name share one rendered line."""

    __slots__ = ("_lines", "_names", "_seats", "_sentence")

    def __init__(self, sentence: Sentence, names: Mapping[int, str]) -> None:
        self._sentence = sentence
        self._names = names
        self._seats = tuple(sentence.seats())
        self._lines: dict[int, LogLine] = {}

    def line(self, seat: int) -> LogLine | None:
        """Return the line for a seat; None if it reports another player's settled wagers.

        `seat` is 0 for a viewer without a seat.
        """
        sentence = self._sentence
        if sentence.topic == "paid" and sentence.seat != seat:
            return None
        listener = seat if seat in self._seats else 0
        if listener not in self._lines:
            text = render(sentence, short(listener, self._names))
            self._lines[listener] = LogLine(text, sentence.clause)
        return self._lines[listener]


class RoundLog:
    """The log of the current round, for every viewer of a table."""

    def __init__(self) -> None:
        self._group = SentenceGroup()
        self._entries: dict[int, LogEntry] = {}

    def take(
        self, event: e.Event, sentences: Sequence[Sentence], names: Mapping[int, str]
    ) -> dict[int, LogEntry]:
        """Add an event and return the entries that are new or changed. A new round starts a new log."""
        if isinstance(event, e.RoundOpened):
            self._group, self._entries = SentenceGroup(), {}
        changed: dict[int, LogEntry] = {}
        for sentence in sentences:
            if sentence.topic in LOGGED:
                number = self._group.add(sentence)
                changed[number] = LogEntry(self._group.sentences[number], names)
        self._entries |= changed
        return changed

    def lines(self, seat: int) -> Log:
        """Return the lines for a seat; `seat` is 0 for a viewer without a seat."""
        return lines(self._entries, seat)


def lines(entries: Mapping[int, LogEntry], seat: int) -> Log:
    """Return the lines that a seat sees, by line number."""
    return {n: line for n, entry in entries.items() if (line := entry.line(seat)) is not None}


def scene_of(table: Table, state: State, event: e.Event, seat: int = 0) -> Scene:
    """Return the scene right after an event, with only the cards that the player at a seat may see."""
    place = state.seats.get(seat)
    looks = isinstance(event, e.PlayersLooked) and "looking" in table.book.options
    return Scene(
        table.terms.order,
        board=state.round.board[: state.round.up],
        listener=seat,
        own=place.hands[0].cards if place and looks else (),
        chips=place.chips if place else 0,
        tips=sum(line.stake for line in state.round.settled if line.seat == seat and line.for_dealer),
        wording=wording(table.book),
    )


class LiveEvent(NamedTuple):
    """An event and everything that its spoken sentences need."""

    event: e.Event
    sentences: tuple[Sentence, ...]
    after: State
    names: Mapping[int, str]
    reason: str = ""
    """The reason for a wager's result."""


def listeners(news: Sequence[LiveEvent]) -> set[int]:
    """Return the seats that hear other sentences about these events than viewers without a seat do."""
    seats: set[int] = set()
    for heard in news:
        if type(heard.event) in TO_EACH_SEAT:
            seats.update(heard.after.seats)
        for sentence in heard.sentences:
            if sentence.topic in SAID:
                seats.add(sentence.seat)
                seats |= sentence.seats()
    return seats


def say_aloud(table: Table, news: Sequence[LiveEvent], seat: int) -> list[tuple[str, ...]]:
    """Return the sentences that a screen reader says after each event.

    They report the decisions of other seats (one sentence for seats that decide the same), the board, the
    player's own cards and settled wagers, and the result of each seat. The dealer's script covers the rest.
    `seat` is 0 for a viewer without a seat.
    """
    spoken: list[list[str]] = [[] for _ in news]
    acts: list[Sentence] = []
    last_act = 0
    for number, heard in enumerate(news):
        event, sentences, after, names, reason = heard
        to_each = type(event) in TO_EACH_SEAT
        if to_each and seat:
            sentences = narrate(event, scene_of(table, after, event, seat))
        for sentence in sentences:
            topic = sentence.topic
            if topic == "act" and seat not in sentence.seats():
                acts.append(sentence)
                last_act = number
            elif (
                topic == "board"
                or (to_each and topic != "record")
                or (topic == "paid" and sentence.seat == seat)
            ):
                spoken[last_act] += _acts_aloud(acts, seat, names)
                acts = []
                spoken[number].append(f"{render(sentence, aloud(seat, names))}.")
                spoken[number] += [f"{reason}."] if reason else []
    if acts:
        spoken[last_act] += _acts_aloud(acts, seat, news[last_act].names)
    return [tuple(texts) for texts in spoken]


def _acts_aloud(acts: Sequence[Sentence], seat: int, names: Mapping[int, str]) -> list[str]:
    return [f"{render(sentence, aloud(seat, names))}." for sentence in group(acts)] if acts else []
