"""List the legal options of a player, the dealer or the floor, for buttons, prompts and bots.

Every option listed is accepted. A decision, a dealer's step or a floor's order that is not listed is
refused. Two things are not listed: bets, for which `spots` gives the wagers and their limits, and
commands that are possible at any time, such as taking a free seat or reporting an irregularity.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

import msgspec
from msgspec.structs import replace

from houseway.cards import UNSEEN, Card
from houseway.engine import commands as c
from houseway.engine.close_acts import paid_awards
from houseway.engine.command_helpers import is_floor
from houseway.engine.dealer_act import Act, next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import seat_of
from houseway.engine.idle_table import must_spread
from houseway.engine.persons import floors_step, performed_at_table, role_of
from houseway.engine.read_shootout import may_split
from houseway.engine.refusals import Refusal
from houseway.engine.seats_and_wagers import may_use_coupon, minimum_in_force, next_minima, stays_seated
from houseway.engine.showdown_acts import progressive_hand, settler
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, reset_due, turns
from houseway.money import spoken
from houseway.rules.procedure import Step


class Spot(msgspec.Struct, frozen=True):
    """A wager that a seat may make now, with its minimum and maximum in cents."""

    wager: str
    least: int
    most: int | None
    exact: bool = False
    beside: tuple[str, ...] = ()
    """Other wagers; the seat must also make at least one of them."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """A legal option: a command ready to send, and its cost in cents."""

    command: c.Command
    says: str
    """The label of the option, as on a button."""
    costs: int = 0
    clause: str | None = None
    cards: int = 0
    """The number of cards that the sender must add from the shoe."""
    amount: Spot | None = None
    """The range of an amount in the command that the sender may change, such as a split's second bonus."""


WITH_TIP: Final = "with tip"
"""The end of the label of a play that also bets a tip for the dealer."""
WITHOUT_IT: Final = "opened without it"
"""The reason that is recorded if the table opens without a confirmation and no reason was typed."""
RESET: Final = "set the dealer's hand again by the house way"
Choice = tuple[c.Command, str, int]
"""A command that may be accepted, its label and its cost."""


def legal(table: Table, state: State, who: str) -> list[Option]:
    """Return the legal options of a seat ("seat 3"), the dealer or the floor."""
    number = seat_of(who)
    if number:
        return seat_options(table, state, number)
    if who == "dealer":
        return dealer_options(table, state)
    if who in ("floor", "supervisor"):
        return floor_options(table, state)
    return []


def seat_options(table: Table, state: State, number: int) -> list[Option]:
    """Return a seat's legal options, bets excluded."""
    seat = state.seats.get(number)
    if seat is None:
        return []
    choices: list[Choice] = []
    hand, now, who = seat.hands[0], due(table, state), f"seat {number}"
    if now is not None and number in turns(table, state):
        stage = table.stage_of(now.step)
        if stage is None:
            choices += _ways_to_set(table, state, number, hand.cards)
        else:
            choices.append((c.Check(seat=number), "check", 0))
            ante, tip = hand.wagers.get("ante", 0), hand.tips.get("ante", 0)
            for n in sorted(stage.sizes.value, reverse=True) if stage.sizes and ante else ():
                choices.append((c.Play(seat=number, times=n), f"play {n}x", n * ante))
                if tip:
                    tipped = c.Play(seat=number, times=n, tip=n * tip)
                    choices.append((tipped, f"play {n}x {WITH_TIP}", n * (ante + tip)))
            choices.append((c.Fold(seat=number), "fold", 0))
    elif hand.acted == "set" and not hand.void:
        other = seat.hands[1].cards if len(seat.hands) == 2 else hand.discards
        choices += _ways_to_set(table, state, number, (*hand.cards, *other))
    if state.round.kept:
        choices.append((c.Challenge(seat=number), "challenge the dealer's hand", 0))
    if hand.wagers and not hand.cards:
        choices.append((c.TakeBack(seat=number), "take back the wagers", 0))
    # The floor may also record that a player who must stay seated has stood up; that is not listed here.
    stand = c.Stand(seat=number, by=who), "stand up", 0
    sit = c.Sit(seat=number), "sit down", 0
    choices += [stand if seat.seated else sit, (c.Leave(seat=number), "leave", 0)]
    second = second_bonus(table, state, number)
    return [
        replace(option, amount=second)
        if isinstance(option.command, c.Split) and option.command.bonus
        else option
        for option in _accepted(table, state, choices)
    ]


def _accepted(table: Table, state: State, choices: list[Choice]) -> list[Option]:
    """Return the choices that are accepted now, each with its clause."""
    options = []
    for command, says, costs in choices:
        answer = decide(table, state, command, well_formed=True)
        if not isinstance(answer, Refusal):
            options.append(Option(command, says, costs, answer[0].clause if answer else None))
    return options


def _ways_to_set(table: Table, state: State, number: int, four: tuple[Card, ...]) -> list[Choice]:
    choices: list[Choice] = []
    for pair in dict.fromkeys(combinations([card for card in four if card is not UNSEEN], 2)):
        choices.append((c.Keep(seat=number, cards=pair), f"keep {pair[0]} {pair[1]}", 0))
    splits = len(four) == 4 and UNSEEN not in four and may_split(four, table.terms)
    if splits and table.book.option("split"):
        wagers, spot = state.seats[number].hands[0].wagers, second_bonus(table, state, number)
        most = spot.most or 0 if spot is not None else 0
        for first, second in _divisions(four, ordered="bonus" in wagers):
            says = f"split {first[0]} {first[1]} / {second[0]} {second[1]}"
            for bonus in sorted({0, most}):
                command = c.Split(seat=number, first=first, second=second, bonus=bonus)
                costs = wagers.get("wager", 0) + bonus
                choices.append((command, says + (" with bonus" if bonus else ""), costs))
    return choices


def second_bonus(table: Table, state: State, number: int) -> Spot | None:
    """Return the amounts that a seat may bet on a second hand's bonus; None if it may not bet one."""
    seat, limit = state.seats[number], table.book.bet_limit
    first = seat.hands[0].made
    if table.book.option("second_bonus") is None or not first.get("bonus"):
        return None
    wager, before = first["wager"], sum(hand.staked for hand in seat.hands[1:])
    bounds = [first["bonus"], seat.chips + before - wager]
    bounds += [high] if (high := table.terms.bounds["bonus"].high) is not None else []
    if limit is not None and table.terms.house("bet_limit_scope") != "wager":
        others = [
            s.hands if n != number else s.hands[:1]
            for n, s in state.seats.items()
            if s.player == seat.player
        ]
        placed = sum(sum(h.made.values()) + sum(h.tips.values()) for hands in others for h in hands)
        bounds.append(limit.amount - placed - wager)
    least, most = minimum_in_force(table, state, number, "bonus") or 1, min(bounds)
    return Spot("bonus", least, most) if least <= most else None


def _divisions(four: tuple[Card, ...], *, ordered: bool) -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Return the ways to split four cards into two hands.

    If `ordered`, each way is listed twice, with either hand first: the first hand has the original bonus.
    """
    ways = [((four[0], four[n]), four[1:n] + four[n + 1 :]) for n in (1, 2, 3)]
    return list(dict.fromkeys([*ways, *((second, first) for first, second in ways if ordered)]))


def spots(table: Table, state: State, number: int) -> list[Spot]:
    """Return the wagers that a seat may make now."""
    betting = state.round.betting == "open" and state.section == "round" and not state.round.void
    betting = betting and not state.emptied
    if not betting or number not in state.seats or not state.seats[number].seated:
        return []
    open_spots = []
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
        open_spots.append(Spot(name, low, high, exact=exact is not None, beside=beside))
    return open_spots


def tip_spots(table: Table, state: State, open_spots: Iterable[Spot]) -> tuple[str, ...]:
    """Return the wagers on which a seat with these spots may bet a tip for the dealer now."""
    twins = dict(table.terms.twins)
    names = {spot.wager for spot in open_spots}
    return tuple(w for w in table.terms.tip_wagers if w not in state.unoffered and twins.get(w, w) in names)


def takes_coupons(table: Table, state: State, number: int) -> bool:
    """True if the table takes match play coupons and the player at a seat may use one more."""
    return table.terms.house("match_play") is True and may_use_coupon(table, state, number)


def _idle_choices(table: Table, state: State) -> list[Choice]:
    """Return the dealer's choices at a table without players, or at an idle table with a new player."""
    if "idle" not in table.standing:
        return []
    if state.section == "idle" and state.seats:
        return [(c.Resume(), "resume play", 0)]
    if state.seats and not must_spread(table, state):
        return []
    why = "the last player has left" if state.seats else "no players"
    return [(c.GoIdle(), f"spread the cards: {why}", 0)]


def dealer_options(table: Table, state: State) -> list[Option]:
    """Return the dealer's legal options: the next act, an award to key or to turn off, or the answer to a
    challenge."""
    if state.round.challenged:
        return _accepted(table, state, [(c.AnswerChallenge(), "answer the challenge", 0)])
    reset: list[Choice] = [(c.ResetHand(), RESET, 0)] if state.round.kept else []
    if reset_due(table, state):
        return _accepted(table, state, reset)
    act = next_act(table, state)
    if act is None:
        return _accepted(table, state, _idle_choices(table, state))
    if state.round.asked is not None:
        return []
    if act.cards:
        step = table.steps[act.step]
        option = Option(act.command(), act.step, clause=table.clause_now(step, state), cards=act.cards)
        return [option, *_accepted(table, state, reset)]
    step = table.steps[act.step]
    further = exceptions(step, act.command()) if act.by == "dealer" and step.act == "confirm" else []
    further += _markers(table, state, act)
    choices: list[Choice] = [(act.command(), act.step, 0), *further, *_pairs(table, state, act), *reset]
    options, lit = _accepted(table, state, choices), _lit_keys(table, state)
    unkeyed = act.seat is not None and act.seat not in state.round.keyed
    if not options and unkeyed and "keyed" in table.steps[act.step].rules:
        settling = settler(table, state)
        spot = next(s for s in settling.spots if s.hand.seat == act.seat)
        key = progressive_hand(table, settling, spot)
        options = _accepted(table, state, [(c.KeyAward(seat=spot.hand.seat, hand=key), f"key {key}", 0)])
    return [*options, *_accepted(table, state, lit)]


def _lit_keys(table: Table, state: State) -> list[Choice]:
    """Return the choices that turn off keyed awards not paid yet; those keyed by mistake come first."""
    now, paid = state.round, paid_awards(state)
    lit = {number: key for number, key in now.keyed.items() if number not in paid}
    if not lit or now.betting != "closed" or now.void:
        return []
    settling = settler(table, state)
    reads = {s.hand.seat: progressive_hand(table, settling, s) for s in settling.spots}
    return [
        (c.KeyAward(seat=number, hand=key), f"turn off {key} at seat {number}", 0)
        for number, key in sorted(lit.items(), key=lambda pressed: reads.get(pressed[0]) == pressed[1])
    ]


def _markers(table: Table, state: State, act: Act) -> list[Choice]:
    """If a person deals, return a choice for each other player who may mark the cut."""
    if act.act != "cut" or state.dealer != "person" or not performed_at_table(table.steps[act.step]):
        return []
    others = dict.fromkeys(seat.player for seat in state.seats.values() if seat.player != act.name)
    return [(replace(act.command(), name=name), f"{act.step}: {name} marks the cut", 0) for name in others]


def _pairs(table: Table, state: State, act: Act) -> list[Choice]:
    """Return the pairs of cards that a person may keep as the dealer's hand."""
    if act.act != "set dealer" or state.dealer != "person":
        return []
    pairs = dict.fromkeys(combinations(state.round.dealer, 2))
    return [(c.Perform(step=act.step, cards=pair), f"keep {pair[0]} {pair[1]}", 0) for pair in pairs]


FLOOR_NAME: Final = "the floor supervisor"
"""The placeholder for the floor supervisor's name in an option."""


def _floors_steps(table: Table, state: State) -> list[Choice]:
    """Return the step that is due, if the floor performs it."""
    now = due(table, state)
    if now is None or not floors_step(table, state, now.step):
        return []
    role = role_of(now.step)
    sender = role if is_floor(role) else "floor"
    step = c.Perform(step=now.step.name, by=sender, name=f"the {sender}")
    return [(step, now.step.name, 0), *exceptions(now.step, step)]


def exceptions(step: Step, command: c.Perform) -> list[Choice]:
    """Return the option to open the table without a step's item, if its clause allows that."""
    if "exception" not in step.rules:
        return []
    without = replace(command, exception=WITHOUT_IT)
    return [(without, f'open without the step "{step.name}"', 0)]


def _left_seats(table: Table, state: State) -> list[Choice]:
    """Return the option to record that a player with cards has left the seat."""
    if not stays_seated(table):
        return []
    return [
        (c.Stand(seat=number, by="floor"), f"seat {number} has left", 0)
        for number, seat in state.seats.items()
        if seat.seated and seat.hands[0].cards
    ]


def floor_options(table: Table, state: State) -> list[Option]:
    """Return the floor's legal options."""
    name = FLOOR_NAME if table.names_persons else ""
    choices: list[Choice] = [
        *_floors_steps(table, state),
        (c.Approve(by="floor", name=name), "approve the payment", 0),
        (c.Recut(by="supervisor"), "order a recut", 0),
        *_left_seats(table, state),
    ]
    if state.section == "idle":
        choices.append((c.Resume(by="floor"), "resume play", 0))
    choices += [
        (c.ReplaceDeck(by="floor", deck=deck.name), f"replace deck {deck.name}", 0)
        for deck in state.decks
        if deck.stands == "off"
    ]
    if state.round.challenged:
        choices.append((c.AnswerChallenge(by="supervisor"), "answer the challenge", 0))
    if state.round.kept:
        choices.append((c.ResetHand(by="supervisor"), RESET, 0))
    for key in state.mispaid:
        seat, hand, wager = key.rsplit("/", 3)[1:]
        correct = c.Correct(by="supervisor", seat=int(seat), hand=int(hand), wager=wager)
        choices.append((correct, f"correct the {wager} payment at seat {seat}", 0))
    for number in turns(table, state):
        choices.append((c.ActFor(by="supervisor", seat=number), f"play seat {number}'s hand", 0))
    return _accepted(table, state, [*choices, *_orders_about_minimums(table, state)])


def _orders_about_minimums(table: Table, state: State) -> list[Choice]:
    """Return the floor's orders about minimums and held seats, if the rulebook has rules for them."""
    choices: list[Choice] = []
    fixed, notice = table.book.limits.get(table.entry_wager), table.standing.get("notice")
    posted = next_minima(table, state).get(table.entry_wager, table.terms.bounds[table.entry_wager].low)
    for amount in fixed.minima.value if fixed is not None and fixed.minima is not None else ():
        department = str(notice.value) if notice is not None else ""
        order = c.ChangeMinimum(by="floor", wager=table.entry_wager, amount=amount, notice=department)
        if amount != posted:
            notified = f", {department} notified" if department else ""
            choices.append((order, f"set the minimum to {spoken(amount)}{notified}", 0))
    for number, seat in state.seats.items():
        if "kept" in table.standing and not seat.kept:
            keep = c.KeepMinimum(by="floor", seat=number)
            choices.append((keep, f"let seat {number} keep the old minimum", 0))
        if "kept_hold" in table.standing and number not in state.held:
            choices.append((c.HoldSeat(by="floor", seat=number), f"hold seat {number} for its player", 0))
    for number in state.held:
        choices.append((c.ReleaseSeat(by="floor", seat=number), f"release seat {number}", 0))
    return choices
