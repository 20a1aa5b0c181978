"""The history of a table: everything that was asked of it, in lines a person reads, to be played again.

The dealer's routine is left out where it follows by itself: "dealer ... STEP" stands for all acts that are
due without cards, up to that step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Final, NamedTuple

from houseway.audit.history_commands import read_command, written_command
from houseway.audit.history_terms import more_terms, read_table, written_terms
from houseway.audit.history_text import LineReader, lines_of, lines_under, plain
from houseway.audit.record_header import recorded
from houseway.audit.store import Store, StoreError
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.money import dollars
from houseway.rules.loader import RulebookError, load

HEAD: Final = "houseway table history 1"
MOST_STEPS: Final = 1000
"""Acts that may follow by themselves at one go."""


class HistoryStep(NamedTuple):
    """A command of a history and what it led to."""

    command: c.Command
    events: tuple[e.Event, ...]
    after: State


# --- writing ---


def written_history(store: Store, stream: str) -> Iterator[str]:
    """The lines of a table's history up to its last closed round; StoreError where cards are not there."""
    table, entries = recorded(store, stream)
    commands: list[tuple[c.Command, str]] = []
    closed = 0
    for stored, entry in entries:
        if entry.seal and not stored.sealed:
            why = f"a history holds every card dealt, and here they are sealed from event {entry.seq} on"
            raise StoreError(f"{why}; take it from the house's store or from a surveillance export")
        commands.append((entry.command, entry.at))
        if any(isinstance(event, e.RoundClosed | e.TableClosed) for event in entry.events):
            closed = len(commands)
    return _written_commands(table, commands[:closed])


def _written_commands(table: Table, commands: Iterable[tuple[c.Command, str]]) -> Iterator[str]:
    """The lines of a history: a table's terms, and commands that its rules accept with their times."""
    yield HEAD
    yield from written_terms(table.book.id, table.terms.chosen)
    yield f"rulebook: {table.book.hash}"
    state = State()
    routine: list[str] = []

    def gone_by() -> Iterator[str]:
        """The routine since the last line."""
        if routine:
            yield f"dealer ... {plain(routine[-1])}"
            routine.clear()

    for command, at in commands:
        act = next_act(table, state)
        # A step without cards that follows by itself from where the table stands is routine.
        step = act.step if act is not None and not act.cards and act.command() == command else None
        events = decide(table, state, command)
        if isinstance(events, Refusal):
            raise StoreError(f"the rules refuse {type(command).__name__}: {events.message}")
        opened = next((event for event in events if isinstance(event, e.RoundOpened)), None)
        if step is None or step in routine or opened is not None:
            yield from gone_by()
        if opened is not None:
            yield ""
            yield f"round {opened.number} at {at}" if at else f"round {opened.number}"
        if step is not None:
            routine.append(step)
        else:
            yield written_command(command)
        state = reduce(evolve, events, state)
        for closed in events:
            if isinstance(closed, e.RoundClosed):
                yield from gone_by()
                nets = (f"seat {n} {'+' if net > 0 else ''}{dollars(net)}" for n, net in closed.net.items())
                yield f"# round {closed.number}: {', '.join(nets) or 'nobody won or lost'}"
    yield from gone_by()


# --- reading ---


def is_table_history(text: str) -> bool:
    """Whether a text says that it is the history of a table, and not rounds told one by one."""
    first = next(lines_of(text), None)
    return first is not None and first.next_is("houseway") and first.next_is("table")


def read_history(text: str) -> tuple[Table, list[HistoryStep]]:
    """The table of a history and all that was asked of it, played again; HistoryError if it cannot be."""
    lines = lines_under(HEAD, text)
    opening = next(lines, None) or LineReader(1, "")
    opening.need("table:")
    terms = read_table(opening)
    table: Table | None = None
    done: list[HistoryStep] = []
    for line in lines:
        if table is None and (more := more_terms(line, terms)) is not None:
            terms = more
            continue
        table = table or _table(opening, terms)
        if line.next_is("rulebook:"):
            start = line.place
            if line.plain("the hash of the rulebook") != table.book.hash:
                raise line.wrong(f"it was played under another text of {table.book.id}", start)
            line.finish()
        elif line.next_is("round"):
            # The number and the time are for the reader.
            line.number_("the number of the round")
            if not line.done:
                line.need("at")
        else:
            done += _steps(line, table, done[-1].after if done else State())
    return table or _table(opening, terms), done


def _table(line: LineReader, terms: dict[str, Any]) -> Table:
    try:
        found, refused = read_terms(load(terms["rulebook"]), terms)
    except RulebookError as error:
        raise line.wrong(f"{terms['rulebook']}: {error.problems[0]}", 0) from error
    if refused:
        raise line.wrong(refused[0].message, 0)
    return Table(found)


def _steps(line: LineReader, table: Table, state: State) -> Iterator[HistoryStep]:
    """What a line leads to; the acts that follow by themselves are worked out as the table goes on."""
    if not line.next_is("dealer ..."):
        yield _step(line, table, state, read_command(line))
        return
    start = line.place
    wanted = line.plain("the step up to which the dealer goes on")
    line.finish()
    if wanted not in table.steps:
        raise line.wrong(f"{wanted!r} is no step of this table", start)
    for _ in range(MOST_STEPS):
        act = next_act(table, state)
        if act is None or act.cards:
            why = "nobody acts" if act is None else f"{act.step!r} needs cards"
            raise line.wrong(f"the dealer does not come to {wanted!r} by himself: {why} first", start)
        step = _step(line, table, state, act.command())
        yield step
        if act.step == wanted:
            return
        state = step.after
    raise line.wrong(f"the dealer never comes to {wanted!r}", start)


def _step(line: LineReader, table: Table, state: State, command: c.Command) -> HistoryStep:
    events = decide(table, state, command)
    if isinstance(events, Refusal):
        raise line.wrong(f"the rules refuse this ({events.clause or events.code}): {events.message}", 0)
    return HistoryStep(command, events, reduce(evolve, events, state))
