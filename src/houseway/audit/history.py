"""The history of a table: a text with every command as a readable line. The table can be replayed from it.

The dealer's routine is abbreviated: "dealer ... STEP" stands for all steps without cards that are due, up
to and including STEP.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, Final, NamedTuple

from houseway.audit.history_commands import read_command, write_command
from houseway.audit.history_terms import more_terms, read_table, write_terms
from houseway.audit.history_text import LineReader, lines_of, lines_under, plain
from houseway.audit.record_header import read_record
from houseway.audit.store import Store, StoreError
from houseway.cards import UNSEEN
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
"""The maximum number of steps that one "dealer ..." line can stand for."""


class HistoryStep(NamedTuple):
    """A command of a history, its events, and the state after them."""

    command: c.Command
    events: tuple[e.Event, ...]
    after: State


# --- writing ---


def write_history(store: Store, stream: str) -> Iterator[str]:
    """Return the lines of a table's history up to its last closed round. Raises StoreError if cards are
    missing."""
    table, entries = read_record(store, stream)
    commands: list[tuple[c.Command, str]] = []
    closed = 0
    for stored, entry in entries:
        if entry.seal and not stored.sealed:
            why = f"a history needs every card, but hidden cards are missing from event {entry.seq} on"
            raise StoreError(f"{why}; use the house's store or a surveillance export")
        if UNSEEN in getattr(entry.command, "cards", ()):
            why = f"a history needs every card, but event {entry.seq} has cards that were never seen"
            raise StoreError(f"{why}, as at a real table; export the record as jsonl")
        commands.append((entry.command, entry.at))
        if any(isinstance(event, e.RoundClosed | e.TableClosed) for event in entry.events):
            closed = len(commands)
    return _written_commands(table, commands[:closed])


def _written_commands(table: Table, commands: Iterable[tuple[c.Command, str]]) -> Iterator[str]:
    """Yield the lines of a history: the table's terms, then its commands.

    Each command comes with its time.
    """
    yield HEAD
    yield from write_terms(table.book.id, table.terms.chosen)
    yield f"rulebook: {table.book.hash}"
    state = State()
    routine: list[str] = []

    def flush_routine() -> Iterator[str]:
        """Yield a line for the routine steps since the last line."""
        if routine:
            yield f"dealer ... {plain(routine[-1])}"
            routine.clear()

    for command, at in commands:
        act = next_act(table, state)
        # A step is routine if it is the next one due and takes no cards.
        step = act.step if act is not None and not act.cards and act.command() == command else None
        events = decide(table, state, command)
        if isinstance(events, Refusal):
            raise StoreError(f"the rules refuse {type(command).__name__}: {events.message}")
        opened = next((event for event in events if isinstance(event, e.RoundOpened)), None)
        if step is None or step in routine or opened is not None:
            yield from flush_routine()
        if opened is not None:
            yield ""
            yield f"round {opened.number} at {at}" if at else f"round {opened.number}"
        if step is not None:
            routine.append(step)
        else:
            yield write_command(command)
        state = reduce(evolve, events, state)
        for closed in events:
            if isinstance(closed, e.RoundClosed):
                yield from flush_routine()
                nets = (f"seat {n} {'+' if net > 0 else ''}{dollars(net)}" for n, net in closed.net.items())
                yield f"# round {closed.number}: {', '.join(nets) or 'no one won or lost'}"
    yield from flush_routine()


# --- reading ---


def is_table_history(text: str) -> bool:
    """True if a text is the history of a table rather than a list of rounds."""
    first = next(lines_of(text), None)
    return first is not None and first.next_is("houseway") and first.next_is("table")


def read_history(text: str) -> tuple[Table, list[HistoryStep]]:
    """Replay a history and return its table and steps; raises HistoryError if that fails."""
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
                raise line.wrong(f"it was played under another version of {table.book.id}", start)
            line.finish()
        elif line.next_is("round"):
            # The number and the time are for people; the program does not use them.
            line.number_("the number of the round")
            if not line.done:
                line.need("at")
        else:
            done += _steps(line, table, done[-1].after if done else State())
    return table or _table(opening, terms), done


def _table(line: LineReader, terms: dict[str, Any]) -> Table:
    try:
        table_terms, refused = read_terms(load(terms["rulebook"]), terms)
    except RulebookError as error:
        raise line.wrong(f"{terms['rulebook']}: {error.problems[0]}", 0) from error
    if refused:
        raise line.wrong(refused[0].message, 0)
    return Table(table_terms)


def _steps(line: LineReader, table: Table, state: State) -> Iterator[HistoryStep]:
    """Yield the steps of a line. A "dealer ..." line stands for every due step up to the step it names."""
    if not line.next_is("dealer ..."):
        yield _step(line, table, state, read_command(line))
        return
    start = line.place
    last = line.plain("the last step of the dealer's routine")
    line.finish()
    if last not in table.steps:
        raise line.wrong(f"{last!r} is not a step of this table", start)
    for _ in range(MOST_STEPS):
        act = next_act(table, state)
        if act is None or act.cards:
            why = "no step is due" if act is None else f"{act.step!r} needs cards"
            raise line.wrong(f"the dealer's routine stops before {last!r}: {why}", start)
        step = _step(line, table, state, act.command())
        yield step
        if act.step == last:
            return
        state = step.after
    raise line.wrong(f"the dealer's routine never reaches {last!r}", start)


def _step(line: LineReader, table: Table, state: State, command: c.Command) -> HistoryStep:
    events = decide(table, state, command)
    if isinstance(events, Refusal):
        raise line.wrong(f"the rules refuse this ({events.clause or events.code}): {events.message}", 0)
    return HistoryStep(command, events, reduce(evolve, events, state))
