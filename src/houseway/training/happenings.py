"""Happenings: irregularities of the rulebook that occur at a training table without an act of the
trainee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from houseway.engine import commands as c
from houseway.engine.irregularities import cards_off_deck
from houseway.engine.report_options import report_options
from houseway.engine.table import Table
from houseway.engine.turn_order import count_due, due
from houseway.rules.procedure import Irregularity
from houseway.training.chair import Chair, Happening
from houseway.training.working_chair import report_answer

WRONG_COUNT: Final = "wrong count"
"""The irregularity that is not reported: it shows when the stub is counted."""
DEALER: Final = "dealer"


def possible_happenings(table: Table, chair: Chair) -> tuple[Happening, ...]:
    """Return what could go wrong now. Each is an irregularity that the rulebook has a rule for.

    Some of them cannot happen at this moment; `perform.happen` then returns None.
    """
    return tuple(_possible(table, chair))


def _possible(table: Table, chair: Chair) -> Iterator[Happening]:
    for option in report_options(table, chair.state):
        if option.kind == "wrong number":
            for place in option.places:
                yield Happening(kind=option.kind, at=place.place, command=c.DealExtra(at=place.place))
            short = _served_next(chair)
            if short:
                yield Happening(kind=option.kind, at=short, command=c.DealShort())
        elif option.places:
            for place in option.places:
                for which in place.cards or (0,):
                    yield Happening(kind=option.kind, at=place.place, which=which)
        else:
            count = table.deck_size - 1 if "count" in option.asks else None
            yield Happening(kind=option.kind, count=count)


def cards_taken(table: Table, chair: Chair, happening: Happening) -> int:
    """Return how many cards a happening takes off the deck."""
    command = happening.command
    moves = isinstance(command, c.DealExtra | c.DealShort)
    return cards_off_deck(table, chair.state, command) if moves else 0  # type: ignore[arg-type]


def short_deck(table: Table, chair: Chair) -> Happening | None:
    """Return a card missing from the deck, if the stub is counted later in this round; otherwise None."""
    rule = table.wrong(WRONG_COUNT, {"all_there": False})
    alone = rule is not None and not chair.missing and not has_stuck_card(chair)
    return Happening(kind=WRONG_COUNT) if alone and count_comes(table, chair) else None


def stuck_card(table: Table, chair: Chair) -> Happening | None:
    """Return a card that sticks to one of the dealer's cards, if the stub is counted later in this round.

    The two cards look like one, so that only the count shows that the dealer has a card too many.
    """
    rule = table.wrong(WRONG_COUNT, {"all_there": True})
    alone = rule is not None and not chair.missing and not has_stuck_card(chair)
    complete = len(chair.state.round.dealer) == table.sizes[DEALER]
    if not alone or not complete or not count_comes(table, chair):
        return None
    return Happening(kind=WRONG_COUNT, at=DEALER, command=c.DealExtra(at=DEALER))


def has_stuck_card(chair: Chair) -> bool:
    """True if a card sticks to one of the dealer's cards in this round."""
    happened = (entry.input for entry in chair.entries if isinstance(entry.input, Happening))
    return any(one.kind == WRONG_COUNT and one.command is not None for one in happened)


def hides_stuck_card(chair: Chair) -> bool:
    """True if a card sticks to one of the dealer's cards, and nothing has shown it yet."""
    now = chair.state.round
    return has_stuck_card(chair) and not now.counted and not now.revealed


def count_comes(table: Table, chair: Chair) -> bool:
    """True if the stub is counted later in this round."""
    step, state = table.find("count stub"), chair.state
    waiting = due(table, state)
    steps = table.sections["round"]
    if step not in steps or waiting is None or waiting.step not in steps or state.round.betting != "closed":
        return False
    return steps.index(waiting.step) < steps.index(step) and count_due(table, state, step)


def ruling_row(table: Table, chair: Chair, happening: Happening) -> Irregularity | None:
    """Return the row of the rulebook's table that decides an irregularity, once it has happened."""
    if happening.kind == WRONG_COUNT:
        return table.wrong(WRONG_COUNT, {"all_there": happening.command is not None})
    watched = _WatchedTable(table)
    if chair.open:
        report_answer(watched, chair.state, chair.open[-1])
    return watched.row


class _WatchedTable(Table):
    """A table that remembers the last row that the engine looked up."""

    def __init__(self, table: Table) -> None:
        self.__dict__.update(table.__dict__)
        self.row: Irregularity | None = None

    def wrong(self, kind: str, facts: Mapping[str, Any]) -> Irregularity | None:
        """Return the row, and remember it."""
        self.row = super().wrong(kind, facts)
        return self.row


def _served_next(chair: Chair) -> str:
    """Return the place that is dealt to next; empty if no cards are being dealt."""
    return str(getattr(chair.queue[0].act, "place", "")) if chair.queue and chair.queue[0].cards else ""
