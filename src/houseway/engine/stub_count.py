"""The count of the stub (the cards left after the deal), as a step of the round or as a check between
rounds."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.deal_acts import PartialStep, stub
from houseway.engine.evolve import fold
from houseway.engine.irregularities import cards_at, number_held, unseen
from houseway.engine.irregularity_rules import in_play
from houseway.engine.state import Hand, State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import count_due, due
from houseway.engine.void_hands import void_round
from houseway.rules.procedure import Step


def may_count(table: Table, state: State, step: Step) -> bool:
    """True if this step may count the stub between rounds, and it is between rounds now.

    Between rounds means from the close of a round until the shuffle begins, and from the opening of the
    next round until its betting closes.
    """
    before_shuffle = state.section == "shuffling" and not state.done and not state.owed
    return "between_rounds" in step.rules and (before_shuffle or state.round.betting == "open")


def is_voluntary(table: Table, state: State, step: Step) -> bool:
    """True if this step may count the stub now although no count is due in this round.

    The document sets only the lowest number of counts. The stub is counted when it leaves the shoe, before
    it goes into the discard rack.
    """
    now = due(table, state) if step.act == "count stub" and "every" in step.rules else None
    return now is not None and now.step.act == "remove stub" and not count_due(table, state, step)


def count_voluntarily(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Return the events of a count that is not due: the stub leaves the shoe first."""
    removal = due(table, state)
    assert removal is not None
    clause = table.clause(removal.step)
    removed = e.StubRemoved(count=stub(table, state), racked=False, clause=clause)
    taken = e.StepTaken(removal.step.name, removal.section, command.by, clause=clause)
    counted = count_stub(table, state, now, command)
    return [removed, taken, *(counted if isinstance(counted, list | tuple) else [counted])]


def count_stub(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Return the events of a count of the stub; a wrong count makes the round void.

    The count is right if it is the number of cards that remain after a correct deal. Between rounds and in
    a void round, it is right if it is the number of cards that remain after the deal as it was made.
    """
    step, count = now.step, command.count
    if type(count) is not int or count < 0:
        refuse(
            "count-needed",
            "the count is missing; count the stub",
            table.clause(step),
        )
    between = may_count(table, state, step)
    if between or state.round.void:
        refuse_hands(command)
        return _count_deck(table, state, step, count, between=between)
    nominal = _expected(table, state)
    right = count == nominal and table.deck_size - state.round.out == nominal
    racked = right and "right" in step.rules
    clause = table.clause(step, "right") if right else table.clause(step)
    counted = e.StubCounted(count=count, expected=nominal, right=right, racked=racked, clause=clause)
    if right:
        refuse_hands(command)
        return counted
    found = _hands_counted(table, state, command)
    state = fold(found, state)
    wrong = _misdealt(table, state)
    row = table.wrong(
        "wrong count", {"all_there": count == table.deck_size - state.round.out, "misdealt": wrong}
    )
    if row is None:
        refuse("no-rule", f"{table.book.id} has no rule for a wrong count")
    cited = [replace(event, clause=table.cite(row.basis)) for event in found]
    return [counted, *cited, *void_round(table, state, row)]


def asks_for_hands(table: Table, state: State, count: int) -> list[str]:
    """Return the places whose hands must be counted after this count, because their cards are unseen.

    Empty if the count is right or the round is void, and if the table knows all cards.
    """
    if state.round.void or count == _expected(table, state):
        return []
    return [place for place in _places(state) if unseen(cards_at(state, place))]


def _expected(table: Table, state: State) -> int:
    """Return the number of cards in the stub after a correct deal."""
    # A hand that is void because of a wrong number of cards counts with the cards it had.
    players = sum(len(h.cards) if h.void else table.hand_size for h in _dealt_in(state).values())
    aside = sum(entry.count for entry in state.rack if entry.what == "face up")
    return table.deck_size - players - table.dealer_size - table.board_size - table.burns - aside


def _dealt_in(state: State) -> dict[int, Hand]:
    """Return the hand of each player in the round, by seat."""
    return {n: seat.hands[0] for n, seat in state.seats.items() if n in state.round.players}


def _places(state: State) -> list[str]:
    """Return the places whose hands are in play: the players' seats and the dealer's."""
    return [*(f"seat {n}" for n, hand in _dealt_in(state).items() if not hand.void), "dealer"]


def _misdealt(table: Table, state: State) -> bool:
    """True if a hand in play has the wrong number of cards."""
    hands = (hand for hand in _dealt_in(state).values() if not hand.void)
    wrong = any(len(hand.cards) != table.hand_size for hand in hands)
    return wrong or len(state.round.dealer) != table.dealer_size


def _hands_counted(table: Table, state: State, command: c.Perform) -> list[e.WrongNumberFound]:
    """Return an event for each hand that has another number of cards than it was dealt."""
    places = _places(state)
    found = []
    for place, holds in command.holds.items():
        if place not in places:
            refuse(
                "unknown-place",
                f"{place!r} has no hand in play; name one of {', '.join(places)}",
                where=place,
            )
        if number_held(table, state, place, holds) != len(cards_at(state, place)):
            found.append(e.WrongNumberFound(at=place, count=holds))
            # The next hand can only have cards that are left.
            state = fold(found[-1:], state)
    return found


def refuse_hands(command: c.Perform) -> None:
    """Refuse numbers of cards in hands where no hand is counted."""
    if command.holds:
        sentence = "no hand is counted here; report a wrong number of cards instead"
        refuse("right-number", sentence, where=next(iter(command.holds)))


def _count_deck(table: Table, state: State, step: Step, count: int, *, between: bool) -> list[e.Event]:
    """Return the events of a count between rounds or in a void round.

    If a round has opened, a wrong count makes it void; otherwise it takes the deck off the table.
    """
    expected = stub(table, state)
    right = count == expected
    racked = right and not between and "right" in step.rules
    clause = (
        table.clause(step, "right") if right else table.clause(step, "between_rounds" if between else "")
    )
    counted = e.StubCounted(count, expected, right, racked, between, clause=clause)
    row = None if right else table.wrong("wrong count", {"all_there": False, "misdealt": False})
    if not right and row is None:
        refuse("no-rule", f"{table.book.id} has no rule for a wrong count")
    events: list[e.Event] = [counted]
    if row is not None and in_play(state) and not state.round.void:
        events += void_round(table, state, row)
    elif row is not None and "deck_off" in row.rules:
        events.append(e.DeckRemoved(deck=state.playing.name, clause=table.cite(row.rules["deck_off"])))
    return PartialStep(events) if between else events
