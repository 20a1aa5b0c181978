"""Mistakes with bets: a player bets or changes a bet after betting is closed, and the dealer lets it stand.

The engine refuses such a bet, with its clause. In the replay the player's chips appear at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.events import WagerSettled
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import spoken
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total, tray_values
from houseway.training.mistakes.mistake import CHANGED_BET, LATE_BET, DealerMistake
from houseway.training.mistakes.mistake_moments import paid, wager
from houseway.wording import the_wager

CHIP: Final = 500
"""Cents of the chip that is added to a bet or taken from it."""
PAUSE: Final = 900
"""Milliseconds that a player's move takes."""


class BetChange(msgspec.Struct, frozen=True):
    """A player's change of a bet."""

    seat: int
    wager: str
    before: int
    after: int
    entry: int
    """The number of the input before which the player moves."""
    clause: str | None = None
    pause: int = PAUSE

    @property
    def says(self) -> str:
        """The change as a watcher sees it."""
        name, seat = self.wager.replace("_", " "), self.seat
        if not self.before:
            return f"Seat {seat} puts {spoken(self.after)} on {name}."
        if self.after > self.before:
            return f"Seat {seat} adds {spoken(self.after - self.before)} to {the_wager(self.wager)}."
        return f"Seat {seat} takes {spoken(self.before - self.after)} from {the_wager(self.wager)}."


class BetMistake(msgspec.Struct, frozen=True):
    """A kind of mistake with a side bet. The wager is settled as it lies at the end."""

    name: str
    family: str
    moment: str
    """When the player moves: "dealt", "flop" or "shown"."""
    result: str
    """The result of the wager: "win" or "lose"; empty for either."""
    change: str
    """"made", "raised" or "lowered"."""
    level: int = 1


BETS: Final = (
    BetMistake("side bet made after the cards are dealt", LATE_BET, "dealt", "", "made"),
    BetMistake("side bet made after the flop", LATE_BET, "flop", "win", "made", 2),
    BetMistake("side bet made after the hand is turned up", LATE_BET, "shown", "win", "made", 2),
    BetMistake("side bet raised after the cards are dealt", CHANGED_BET, "dealt", "", "raised"),
    BetMistake("side bet raised after the flop", CHANGED_BET, "flop", "win", "raised", 2),
    BetMistake("side bet raised after the hand is turned up", CHANGED_BET, "shown", "win", "raised", 2),
    BetMistake("losing side bet lowered before it is taken", CHANGED_BET, "shown", "lose", "lowered", 2),
)


def _capped(name: str) -> DealerMistake:
    """Return the mistake of paying chips that the player added to an even-money win just before."""

    def even_money(at: Any, act: a.ChairAct) -> bool:
        if not wager(name, "win")(at, act) or not isinstance(act, a.Pay):
            return False
        line = at.chair.queue[0].lines[0]
        return bool(line.won == line.stake and not line.cut and not line.for_dealer)

    def pays_too_much(at: Any, act: a.WagerAct) -> Sequence[a.ChairAct]:
        line = at.chair.queue[0].lines[0]
        # At the first level, the player doubles the bet.
        return [paid(at, act, line.won + (line.stake if at.level == 1 else CHIP))]

    return DealerMistake(
        name=f"{name} raised before it is paid",
        family=CHANGED_BET,
        moment=even_money,
        wrong=pays_too_much,
        slips=(ch.WRONG_AMOUNT,),
        level=1,
    )


CAPPED: Final = tuple(map(_capped, ("ante", "play", "wager")))
CAPPED_WAGERS: Final = {mistake.name: mistake for mistake in CAPPED}


def bet_changes(table: Table, kind: BetMistake, chairs: Sequence[ch.Chair]) -> Iterator[BetChange]:
    """Yield the changes of a kind that fit a round. `chairs` are the chairs after each input."""
    start, end = chairs[0].start, chairs[-1].state
    lines = {(x.seat, x.hand, x.wager): x for x in settled_lines(chairs[-1])}
    states = [start, *(one.state for one in chairs)]
    for (seat, hand, name), line in lines.items():
        if hand != 1 or not _is_side_bet(table, name) or kind.result not in ("", line.result):
            continue
        if len(end.seats[seat].hands) > 1 or line.for_dealer or line.coupon:
            continue
        amounts = _amounts(table, kind, line.stake)
        number = _moment(kind.moment, chairs, seat, line)
        if amounts is None or number is None:
            continue
        state = states[number - chairs[0].entries[-1].number]
        refused, clause = refusal(table, state, seat, name, amounts[1])
        if refused:
            yield BetChange(seat, name, *amounts, number, clause)


def legal_raise(table: Table, chairs: Sequence[ch.Chair], besides: Sequence[BetChange]) -> BetChange | None:
    """Return a raise of a side bet while betting is open, by another player; None if there is none."""
    kind = BetMistake("", CHANGED_BET, "open", "", "raised")
    taken = {bet.seat for bet in besides}
    for before, after in pairwise(chairs):
        act = after.entries[-1].input
        if isinstance(act, a.TakeStep) and before.state.round.betting == "open":
            for seat, one in before.state.seats.items():
                for name, stake in one.hands[0].wagers.items():
                    amounts = _amounts(table, kind, stake)
                    if seat in taken or amounts is None or not _is_side_bet(table, name):
                        continue
                    return BetChange(seat, name, *amounts, after.entries[-1].number)
    return None


def capped_bet(table: Table, chairs: Sequence[ch.Chair], entry: int) -> BetChange | None:
    """Return the late raise that the dealer paid in an input; None if the raise was legal."""
    at = next(one for one in chairs if one.entries[-1].number == entry)
    act = at.entries[-1].input
    assert isinstance(act, a.Pay)
    lines = (x.event for x in at.entries[-1].changes if isinstance(x.event, WagerSettled))
    line = next(x for x in lines if (x.seat, x.hand, x.wager) == (act.seat, act.hand, act.wager))
    stake, raised = line.stake, line.stake + total(act.chips) - line.won
    if act.hand != 1:
        return None
    before = next((one.state for one in chairs if one.entries[-1].number == entry - 1), chairs[0].start)
    refused, clause = refusal(table, before, act.seat, act.wager, raised)
    return BetChange(act.seat, act.wager, stake, raised, entry, clause) if refused else None


def refusal(table: Table, state: State, seat: int, name: str, cents: int) -> tuple[bool, str | None]:
    """Return True if the engine refuses a bet now, and the clause of its refusal."""
    answer = decide(table, state, c.Bet(by=f"seat {seat}", seat=seat, wagers={name: cents}))
    return isinstance(answer, Refusal), answer.clause if isinstance(answer, Refusal) else None


def settled_lines(chair: ch.Chair) -> Iterator[WagerSettled]:
    """Yield the settled wagers of a round."""
    for entry in chair.entries:
        for change in entry.changes:
            if isinstance(change.event, WagerSettled):
                yield change.event


def _is_side_bet(table: Table, name: str) -> bool:
    """True for a wager that a player may leave out and that stays on the layout until it is settled."""
    bet = table.book.wagers[name]
    pays = table.terms.in_use.get(name)
    metered = pays is not None and bool(pays.meters)
    return bet.optional and not bet.group.against_dealer and not bet.group.on_other_hands and not metered


def _amounts(table: Table, kind: BetMistake, stake: int) -> tuple[int, int] | None:
    """Return the cents on the spot before and after the change; None if it is not possible."""
    chip = CHIP if CHIP in tray_values(table) else min(tray_values(table))
    if kind.change == "made":
        return 0, stake
    if kind.change == "lowered":
        return stake + chip, stake
    return (stake - chip, stake) if stake > chip else None


def _moment(name: str, chairs: Sequence[ch.Chair], seat: int, line: WagerSettled) -> int | None:
    """Return the number of the input before which the player moves; None if the moment does not come."""
    for before, after in pairwise(chairs):
        now, entry = before.state.round, after.entries[-1]
        hand = before.state.seats[seat].hands[0]
        if not isinstance(entry.input, a.ChairAct) or not hand.cards or hand.folded or hand.racked:
            continue
        asks = isinstance(entry.input, a.Ask)
        settles = isinstance(entry.input, a.WagerAct) and entry.input.seat == seat
        ready = {
            "dealt": asks and not now.up,
            "flop": now.up >= 3 and not now.revealed and not hand.shown,
            "shown": settles and hand.shown and line.wager in hand.wagers,
        }
        if ready[name]:
            return entry.number
    return None
