"""Happenings: irregularities of the rulebook that occur at a training table without an act of the
trainee."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine.fold_registry import seat_of
from houseway.engine.irregularities import cards_off_deck, early_cards
from houseway.engine.report_options import report_options
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import all_acted, count_due, due, hands_dealt
from houseway.rules.procedure import Irregularity
from houseway.training import acts as a
from houseway.training.chair import WRONG_COUNT, Chair, EarlyAct, Happening, OpenIrregularity
from houseway.training.working_chair import WorkingChair, report_answer

DEALER: Final = "dealer"
MACHINE_FAILURE: Final = "machine failure"
PREMATURE_FLOP: Final = "premature flop"
HABIT: Final = 2
"""A dealer who has counted the stub in this many rounds in a row is expected to count it again."""


def possible_happenings(
    table: Table, chair: Chair, kinds: Container[str] | None = None
) -> tuple[Happening, ...]:
    """Return the irregularities that could happen now, of all kinds or of the given kinds.

    The rulebook has a rule for each of them. Some cannot happen at this moment; `perform.happen` then
    returns None.
    """
    return tuple(_possible(table, chair, kinds))


def _possible(table: Table, chair: Chair, kinds: Container[str] | None) -> Iterator[Happening]:
    for option in report_options(table, chair.state, kinds):
        if option.kind == "wrong number":
            # Two cards stick together while they are dealt, so the extra one is where the last card went.
            last = _served_last(chair)
            if any(place.place == last for place in option.places):
                yield Happening(kind=option.kind, at=last, command=c.DealExtra(at=last))
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
    if happening.kind == PREMATURE_FLOP:
        return cards_off_deck(table, chair.state, c.Report(kind=PREMATURE_FLOP))
    moves = isinstance(command, c.DealExtra | c.DealShort)
    return cards_off_deck(table, chair.state, command) if moves else 0  # type: ignore[arg-type]


def other_name(table: Table, happening: Happening) -> str:
    """Return the other kind by which an irregularity may be reported; empty if there is none.

    If a card does not come out of the dealing machine, a document may say that the machine failed to deal.
    """
    fails = isinstance(happening.command, c.DealShort) and table.mode == "device"
    return MACHINE_FAILURE if fails and table.wrong(MACHINE_FAILURE, {}) is not None else ""


def premature_board(table: Table, state: State, cards: Sequence[Card]) -> list[EarlyAct]:
    """Return the acts that turn up the next community cards too early: a burn and a deal, or a turn."""
    burned, dealt, turned = early_cards(table, state)
    if not dealt:
        return [EarlyAct(a.TurnUp(place="board", count=turned))]
    if len(cards) != burned + dealt:
        # In an older record, the cards stayed in the deck until the report.
        return []
    burn = [EarlyAct(a.Burn(count=burned), tuple(cards[:burned]))] if burned else []
    deal = a.DealCards(place="board", count=dealt)
    turn = [EarlyAct(a.TurnUp(place="board", count=turned))] if turned < dealt else []
    return [*burn, EarlyAct(deal, tuple(cards[burned:])), *turn]


def short_deck(table: Table, chair: Chair) -> Happening | None:
    """Return a card missing from the deck, if the stub is counted later in this round; otherwise None."""
    rule = table.wrong(WRONG_COUNT, {"all_there": False, "misdealt": False})
    alone = rule is not None and not chair.missing and not has_stuck_card(chair)
    return Happening(kind=WRONG_COUNT) if alone and count_comes(table, chair) else None


def stuck_card(table: Table, chair: Chair) -> Happening | None:
    """Return a card that sticks to one of the dealer's cards, if the stub is counted later in this round.

    The two cards look like one, so that only the count shows that the dealer has a card too many.
    """
    rule = table.wrong(WRONG_COUNT, {"all_there": True, "misdealt": True})
    alone = rule is not None and not chair.missing and not has_stuck_card(chair)
    complete = len(chair.state.round.dealer) == table.sizes[DEALER]
    if not alone or not complete or not count_comes(table, chair):
        return None
    return Happening(kind=WRONG_COUNT, at=DEALER, command=c.DealExtra(at=DEALER))


def has_stuck_card(chair: Chair | WorkingChair) -> bool:
    """True if a card sticks to one of the dealer's cards in this round."""
    happened = (entry.input for entry in chair.entries if isinstance(entry.input, Happening))
    return any(one.kind == WRONG_COUNT and one.command is not None for one in happened)


def hides_stuck_card(chair: Chair | WorkingChair) -> bool:
    """True if a card sticks to one of the dealer's cards, and nothing has shown it yet."""
    now = chair.state.round
    return has_stuck_card(chair) and not now.counted and not now.revealed


def wrong_count(chair: Chair | WorkingChair, time: int) -> OpenIrregularity | None:
    """Return the wrong number of cards that a count of the stub shows now; None if it shows none.

    The stub must lie on the table. Once it is counted, or the round is void, there is nothing to report.
    """
    now = chair.state.round
    wrong = bool(chair.missing) or has_stuck_card(chair)
    if not wrong or not now.stub_out or now.void or now.counted:
        return None
    count = len(DECK) - now.out - chair.missing
    return OpenIrregularity(kind=WRONG_COUNT, count=count, since=chair.inputs, time=time)


def must_count(chair: Chair | WorkingChair) -> bool:
    """True if a count of the stub is due now, or was due and may still be made."""
    acts = [*(one.act for one in chair.queue), *(one.due.act for one in chair.passed)]
    return any(isinstance(act, a.CountStub) for act in acts)


def count_comes(table: Table, chair: Chair) -> bool:
    """True if the stub is counted later in this round: a count is due, or the dealer counts every round."""
    step, state = table.find("count stub"), chair.state
    waiting = due(table, state)
    steps = table.sections["round"]
    if step not in steps or waiting is None or waiting.step not in steps or state.round.betting != "closed":
        return False
    if any(isinstance(one.act, a.CountStub) for one in chair.early):
        return False
    coming = chair.counts >= HABIT or count_due(table, state, step)
    return coming and steps.index(waiting.step) < steps.index(step)


def ruling_row(table: Table, chair: Chair, happening: Happening) -> Irregularity | None:
    """Return the row of the rulebook's table that decides an irregularity, once it has happened."""
    if happening.kind == WRONG_COUNT:
        stuck = happening.command is not None
        return table.wrong(WRONG_COUNT, {"all_there": stuck, "misdealt": stuck})
    return row_facts(table, chair.state, chair.open[-1]).row if chair.open else None


class RowFacts(msgspec.Struct, frozen=True):
    """How the engine looks up the row for an irregularity."""

    kind: str
    facts: Mapping[str, Any]
    row: Irregularity | None = None


def row_facts(table: Table, state: State, irregularity: OpenIrregularity) -> RowFacts:
    """Return how the engine looks up the row of the rulebook's table that decides an irregularity.

    An irregularity that cannot be reported now is looked up by its kind and its place.
    """
    watched = _WatchedTable(table)
    report_answer(watched, state, irregularity)
    if watched.last is not None:
        return watched.last
    facts = {"of": "player" if seat_of(irregularity.at) else irregularity.at, "several": False}
    moment = {"all_acted": all_acted(table, state), "hands_dealt": hands_dealt(table, state)}
    return RowFacts(irregularity.kind, facts | moment)


class _WatchedTable(Table):
    """A table that remembers the last row that the engine looked up."""

    def __init__(self, table: Table) -> None:
        self.__dict__.update(table.__dict__)
        self.last: RowFacts | None = None

    def wrong(self, kind: str, facts: Mapping[str, Any]) -> Irregularity | None:
        """Return the row, and remember it."""
        row = super().wrong(kind, facts)
        self.last = RowFacts(kind, facts, row)
        return row


def _served_last(chair: Chair) -> str:
    """Return the place that the trainee's last act dealt to; empty if it dealt no cards."""
    acts = (entry.input for entry in reversed(chair.entries) if isinstance(entry.input, a.ChairAct))
    last = next(acts, None)
    return last.place if isinstance(last, a.DealCards) else ""


def _served_next(chair: Chair) -> str:
    """Return the place that is dealt to next; empty if no cards are being dealt."""
    return str(getattr(chair.queue[0].act, "place", "")) if chair.queue and chair.queue[0].cards else ""
