"""What may be done now: the one source of buttons, bots and prompts.

Every option listed is accepted when it is sent; what a seat may do and is not listed is refused.
"""

from __future__ import annotations

from itertools import combinations

import msgspec

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.evolve import seat_of
from houseway.engine.machine import Act, next_act
from houseway.engine.order import turn
from houseway.engine.refusals import Refusal
from houseway.engine.shootout import may_split
from houseway.engine.state import State
from houseway.engine.table import Table


class Spot(msgspec.Struct, frozen=True):
    """A place on the layout where a seat may wager now: the least and the most, in cents."""

    wager: str
    least: int
    most: int | None
    exact: bool = False


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that may be done: a command, ready to be sent, and what it costs."""

    command: c.Command
    says: str
    """The option in a word or two, as it stands on a button."""
    costs: int = 0
    clause: str | None = None


def legal(table: Table, state: State, who: str) -> list[Option]:
    """What a seat ("seat 3"), the dealer or the floor may do now."""
    number = seat_of(who)
    if number:
        return seat_options(table, state, number)
    if who == "dealer":
        return dealer_options(table, state)
    if who in ("floor", "supervisor"):
        return floor_options(table, state)
    return []


def seat_options(table: Table, state: State, number: int) -> list[Option]:
    """A seat's decisions: at a betting point, with four cards, or against the dealer's hand."""
    found: list[Option] = []
    seat = state.seats.get(number)
    if seat is None:
        return found
    asked = turn(table, state)
    hand = seat.hands[0]
    if asked is not None and asked[0] == number:
        stage = table.stage_of(asked[1])
        if stage is None:
            four = hand.cards
            found += _set_options(table, state, number, four)
        else:
            if stage.check is not None:
                found.append(_option(table, state, c.Check(seat=number), "check"))
            for times in sorted(stage.sizes.value, reverse=True) if stage.sizes else ():
                costs = times * hand.wagers["ante"]
                play = c.Play(seat=number, times=times)
                found.append(_option(table, state, play, f"play {times}x", costs))
            if stage.fold is not None:
                found.append(_option(table, state, c.Fold(seat=number), "fold"))
    elif hand.acted == "set" and not hand.void:
        four = (*hand.cards, *hand.discards)
        if len(seat.hands) == 2:
            four = (*hand.cards, *seat.hands[1].cards)
        found += _set_options(table, state, number, four)
    if state.round.kept:
        found.append(_option(table, state, c.Challenge(seat=number), "challenge the dealer's hand"))
    if hand.wagers and not hand.cards:
        found.append(_option(table, state, c.TakeBack(seat=number), "take the wagers back"))
    if not seat.seated:
        found.append(_option(table, state, c.Sit(seat=number), "sit down"))
    else:
        found.append(_option(table, state, c.Stand(seat=number), "stand up"))
    found.append(_option(table, state, c.Leave(seat=number), "leave"))
    return [option for option in found if option.clause != REFUSED]


REFUSED = "refused"


def _option(table: Table, state: State, command: c.Command, says: str, costs: int = 0) -> Option:
    """An option with the clause it rests on, marked where it would be refused."""
    answer = decide(table, state, command)
    if isinstance(answer, Refusal):
        return Option(command, says, costs, REFUSED)
    return Option(command, says, costs, answer[0].clause if answer else None)


def _set_options(table: Table, state: State, number: int, four: tuple[Card, ...]) -> list[Option]:
    found = []
    for pair in dict.fromkeys(combinations(four, 2)):
        command: c.Command = c.Keep(seat=number, cards=pair)
        found.append(_option(table, state, command, f"keep {pair[0]} {pair[1]}"))
    if len(four) == 4 and may_split(four, table.terms) and table.book.option("split"):
        wagers = state.seats[number].hands[0].wagers
        for first, second in _divisions(four):
            says = f"split {first[0]} {first[1]} / {second[0]} {second[1]}"
            for bonus in sorted({0, wagers.get("bonus", 0)}):
                command = c.Split(seat=number, first=first, second=second, bonus=bonus)
                costs = wagers.get("wager", 0) + bonus
                found.append(_option(table, state, command, says + (" with bonus" if bonus else ""), costs))
    return found


def _divisions(four: tuple[Card, ...]) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The three ways four cards fall into two hands."""
    first = four[0]
    found = []
    for n in (1, 2, 3):
        rest = tuple(card for m, card in enumerate(four) if m not in (0, n))
        found.append(((first, four[n]), rest))
    return list(dict.fromkeys(found))


def spots(table: Table, state: State, number: int) -> list[Spot]:
    """Where a seat may wager now, and how much."""
    taken = state.round.betting == "open" and state.section == "round" and not state.round.void
    if not taken or number not in state.seats:
        return []
    found = []
    for name in table.terms.stakeable:
        wager = table.book.wagers[name]
        if (
            name in state.unoffered
            or wager.equals is not None
            or (wager.modes is not None and table.mode not in wager.modes.value)
        ):
            continue
        bounds = table.terms.bounds[name]
        low = state.minima.get(name, bounds.low) or 1
        kept = state.seats[number].kept
        low = min(low, kept) if kept else low
        exact = wager.amount.value if wager.amount else None
        if name == "progressive":
            exact = table.terms.progressive_amount[0]
        if exact is not None:
            found.append(Spot(name, exact, exact, exact=True))
        else:
            found.append(Spot(name, low, bounds.high))
    return found


def dealer_options(table: Table, state: State) -> list[Option]:
    """The dealer's next act, or the answer to a challenge."""
    if state.round.challenged:
        answer = _option(table, state, c.AnswerChallenge(), "answer the challenge")
        return [] if answer.clause == REFUSED else [answer]
    act = next_act(table, state)
    if act is None or act.cards:
        # An act that needs cards is told by `next_act`; only who holds the shoe can fill it in.
        return []
    option = _option(table, state, act.command(), act.step)
    return [] if option.clause == REFUSED else [option]


def floor_options(table: Table, state: State) -> list[Option]:
    """What the floor may order now."""
    found = [
        _option(table, state, c.Approve(by="floor"), "approve the payment"),
        _option(table, state, c.Recut(by="supervisor"), "order a recut"),
    ]
    asked = turn(table, state)
    if asked is not None:
        absent = c.ActFor(by="supervisor", seat=asked[0])
        found.append(_option(table, state, absent, f"play seat {asked[0]}'s hand"))
    return [option for option in found if option.clause != REFUSED]


__all__ = ["Act", "Option", "Spot", "legal", "next_act", "spots"]
