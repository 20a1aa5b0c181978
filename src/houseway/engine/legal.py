"""What may be done now: the one source of buttons, bots and prompts.

Every option listed is accepted when it is sent, and a decision, a step of the dealer or a word of the
floor that is not listed is refused. Amounts are not listed one by one: `spots` says where a seat may
wager and how much. Nor is what may happen at any time: sitting down at a free seat, and reports.
"""

from __future__ import annotations

from itertools import combinations

import msgspec

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.close_acts import lit_by_mistake
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import seat_of
from houseway.engine.read_shootout import may_split
from houseway.engine.refusals import Refusal
from houseway.engine.seats_and_wagers import minimum_in_force
from houseway.engine.showdown_acts import progressive_reads, settler
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import turn


class Spot(msgspec.Struct, frozen=True):
    """A place on the layout where a seat may wager now: the least and the most, in cents."""

    wager: str
    least: int
    most: int | None
    exact: bool = False
    beside: tuple[str, ...] = ()
    """The wagers of which one must lie beside it."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that may be done: a command, ready to be sent, and what it costs."""

    command: c.Command
    says: str
    """The option in a word or two, as it stands on a button."""
    costs: int = 0
    clause: str | None = None
    cards: int = 0
    """Cards off the deck that who holds the shoe must fill in."""


Choice = tuple[c.Command, str, int]
"""A command that may be accepted, its words and what it costs."""


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
    seat = state.seats.get(number)
    if seat is None:
        return []
    found: list[Choice] = []
    asked = turn(table, state)
    hand = seat.hands[0]
    if asked is not None and asked[0] == number:
        stage = table.stage_of(asked[1])
        if stage is None:
            found += _ways_to_set(table, state, number, hand.cards)
        else:
            found.append((c.Check(seat=number), "check", 0))
            for n in sorted(stage.sizes.value, reverse=True) if stage.sizes else ():
                found.append((c.Play(seat=number, times=n), f"play {n}x", n * hand.wagers["ante"]))
            found.append((c.Fold(seat=number), "fold", 0))
    elif hand.acted == "set" and not hand.void:
        other = seat.hands[1].cards if len(seat.hands) == 2 else hand.discards
        found += _ways_to_set(table, state, number, (*hand.cards, *other))
    if state.round.kept:
        found.append((c.Challenge(seat=number), "challenge the dealer's hand", 0))
    if hand.wagers and not hand.cards:
        found.append((c.TakeBack(seat=number), "take the wagers back", 0))
    stand, sit = (c.Stand(seat=number), "stand up", 0), (c.Sit(seat=number), "sit down", 0)
    found += [stand if seat.seated else sit, (c.Leave(seat=number), "leave", 0)]
    return _accepted(table, state, found)


def _accepted(table: Table, state: State, found: list[Choice]) -> list[Option]:
    """Those of some commands that are accepted now, each with the clause it rests on."""
    options = []
    for command, says, costs in found:
        answer = decide(table, state, command)
        if not isinstance(answer, Refusal):
            options.append(Option(command, says, costs, answer[0].clause if answer else None))
    return options


def _ways_to_set(table: Table, state: State, number: int, four: tuple[Card, ...]) -> list[Choice]:
    found: list[Choice] = []
    for pair in dict.fromkeys(combinations(four, 2)):
        found.append((c.Keep(seat=number, cards=pair), f"keep {pair[0]} {pair[1]}", 0))
    if len(four) == 4 and may_split(four, table.terms) and table.book.option("split"):
        wagers = state.seats[number].hands[0].wagers
        for first, second in _divisions(four):
            says = f"split {first[0]} {first[1]} / {second[0]} {second[1]}"
            for bonus in sorted({0, wagers.get("bonus", 0)}):
                command = c.Split(seat=number, first=first, second=second, bonus=bonus)
                costs = wagers.get("wager", 0) + bonus
                found.append((command, says + (" with bonus" if bonus else ""), costs))
    return found


def _divisions(four: tuple[Card, ...]) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The three ways four cards fall into two hands."""
    ways = (((four[0], four[n]), four[1:n] + four[n + 1 :]) for n in (1, 2, 3))
    return list(dict.fromkeys(ways))


def spots(table: Table, state: State, number: int) -> list[Spot]:
    """Where a seat may wager now, and how much."""
    taken = state.round.betting == "open" and state.section == "round" and not state.round.void
    if not taken or number not in state.seats or not state.seats[number].seated:
        return []
    found = []
    for name in table.terms.stakeable:
        wager = table.book.wagers[name]
        offered = name not in state.unoffered and (not wager.modes or table.mode in wager.modes.value)
        if not offered or wager.equals is not None:
            continue
        low, high = minimum_in_force(table, state, number, name) or 1, table.terms.bounds[name].high
        exact, _ = table.terms.exact_amount(name)
        if exact is not None:
            low = high = exact
        beside = wager.beside.value if wager.beside else ()
        found.append(Spot(name, low, high, exact=exact is not None, beside=beside))
    return found


def dealer_options(table: Table, state: State) -> list[Option]:
    """The dealer's next act, an award to be keyed first, or the answer to a challenge."""
    if state.round.challenged:
        return _accepted(table, state, [(c.AnswerChallenge(), "answer the challenge", 0)])
    act = next_act(table, state)
    if act is None or state.round.asked is not None:
        return []
    if act.cards:
        step = table.steps[act.step]
        return [Option(act.command(), act.step, clause=table.clause(step), cards=act.cards)]
    found = _accepted(table, state, [(act.command(), act.step, 0)])
    lit = lit_by_mistake(state)
    if not found and act.act == "reset" and lit is not None:
        key = state.round.keyed[lit]
        return _accepted(table, state, [(c.KeyAward(seat=lit, hand=key), f"turn off {key}", 0)])
    if found or act.seat is None or "keyed" not in table.steps[act.step].rules:
        return found
    at = settler(table, state)
    spot = next(s for s in at.spots if s.hand.seat == act.seat)
    # A wrong key is pressed again to turn it off; then the right one.
    key = state.round.keyed.get(act.seat) or progressive_reads(table, at, spot)
    return _accepted(table, state, [(c.KeyAward(seat=act.seat, hand=key), f"key {key}", 0)])


def floor_options(table: Table, state: State) -> list[Option]:
    """What the floor may order now."""
    found: list[Choice] = [
        (c.Approve(by="floor"), "approve the payment", 0),
        (c.Recut(by="supervisor"), "order a recut", 0),
    ]
    if state.section == "idle":
        found.append((c.Resume(by="floor"), "take up play", 0))
    found += [
        (c.ReplaceDeck(by="floor", deck=deck.name), f"replace deck {deck.name}", 0)
        for deck in state.decks
        if deck.stands == "off"
    ]
    if state.round.challenged:
        found.append((c.AnswerChallenge(by="supervisor"), "answer the challenge", 0))
    for key in state.mispaid:
        seat, hand, wager = key.rsplit("/", 3)[1:]
        right = c.Correct(by="supervisor", seat=int(seat), hand=int(hand), wager=wager)
        found.append((right, f"put right {wager} of seat {seat}", 0))
    asked = turn(table, state)
    if asked is not None:
        found.append((c.ActFor(by="supervisor", seat=asked[0]), f"play seat {asked[0]}'s hand", 0))
    return _accepted(table, state, found)
