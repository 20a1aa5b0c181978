"""The rounds in a record or in a hand history, for review."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.audit.history import is_table_history, read_history
from houseway.audit.history_rounds import HistoryRound, read_rounds
from houseway.audit.history_text import HistoryError
from houseway.audit.record_header import apply_recorded, read_record
from houseway.audit.store import Store
from houseway.engine.evolve import evolve
from houseway.engine.settle_json import Window
from houseway.engine.state import State
from houseway.engine.terms import Terms
from houseway.rules.loader import RulebookError
from houseway.school.played_rounds import PlayedRound, RoundFollower
from houseway.school.typed_rounds import TypedRound, read_typed

ReadRound = tuple[Terms, PlayedRound]


def rounds_in_record(store: Store, stream: str) -> Iterator[ReadRound]:
    """Yield the rounds of every seat at a recorded table. Raises StoreError if it cannot be read."""
    table, entries = read_record(store, stream)
    follower, state = RoundFollower(table), State()
    for stored, entry in entries:
        for seq, event in enumerate(entry.events, stored.seq):
            for played in follower.take(state, event, entry.at):
                yield table.terms, played
            state = apply_recorded(state, event, seq)


def rounds_in_history(text: str) -> Iterator[ReadRound]:
    """Yield the rounds of a hand history of either kind. Raises HistoryError if it cannot be read."""
    if not is_table_history(text):
        window = Window()
        for number, typed in enumerate(read_rounds(text), 1):
            yield from _typed(typed, number, window)
        return
    table, steps = read_history(text)
    follower, state = RoundFollower(table), State()
    for step in steps:
        for event in step.events:
            for played in follower.take(state, event):
                yield table.terms, played
            state = evolve(state, event)


def _typed(typed: HistoryRound, number: int, window: Window) -> Iterator[ReadRound]:
    line = typed.lines[""]
    try:
        terms, refused = window.terms(typed.data["rulebook"], typed.data)
    except RulebookError as error:
        raise HistoryError(typed.lines["rulebook"], 1, str(error)) from error
    read = () if refused else read_typed(TypedRound(typed.name, terms, typed.data), number)
    for each in (*refused, *read):
        if not isinstance(each, PlayedRound):
            raise HistoryError(typed.lines.get(each.where, line), 1, f"round {typed.name}: {each.message}")
        yield terms, each
