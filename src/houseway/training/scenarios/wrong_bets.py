"""Bets that a table does not accept. Each is a valid bet with one error."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.training import conduct as k
from houseway.training.chair import Conduct
from houseway.training.chips import tray_values


def wrong_bets(table: Table, state: State, bet: c.Bet) -> tuple[Conduct, ...]:
    """Return conduct in which a player makes a wrong variant of `bet` and, once that is refused, `bet`
    itself.

    Only bets that a clause forbids are returned.
    """
    conduct = (
        Conduct(kind=k.WRONG_CHIPS, seat=bet.seat, tries=one, then=bet) for one in _variants(table, bet)
    )
    return tuple(one for one in conduct if _refused(table, state, one))


def _variants(table: Table, bet: c.Bet) -> Iterator[c.Bet]:
    main = table.entry_wager if table.entry_wager in bet.wagers else next(iter(bet.wagers))
    twins = {name for pair in table.terms.twins for name in pair if main in pair} | {main}
    stake = bet.wagers[main]
    low = table.terms.bounds[main].low if main in table.terms.bounds else None
    chip = min(tray_values(table))
    if low is not None and low > chip:
        less = dict.fromkeys(twins, low - chip)
        yield replace(bet, wagers={**bet.wagers, **less})
    for twin in twins - {main}:
        yield replace(bet, wagers={**bet.wagers, twin: 2 * stake})
    alone = {name: amount for name, amount in bet.wagers.items() if name not in twins}
    if alone:
        yield replace(bet, wagers=alone)
    yield replace(bet, form="cash")
    yield replace(bet, form="verbal")


def tipped_bets(table: Table, state: State, bet: c.Bet) -> tuple[Conduct, ...]:
    """Return conduct in which a player adds a tip for the dealer that the table does not take.

    It is judged only if a clause forbids the tip.
    """
    conduct = Conduct(kind=k.TIP, seat=bet.seat, tries=_tipped(table, bet), then=bet)
    return (conduct,) if allowed_tip(table, state, bet) is None else ()


def allowed_tip(table: Table, state: State, bet: c.Bet) -> c.Bet | None:
    """Return a bet with a tip for the dealer, if the table takes tips; otherwise None."""
    tipped = _tipped(table, bet)
    return None if isinstance(decide(table, state, tipped), Refusal) else tipped


def _tipped(table: Table, bet: c.Bet) -> c.Bet:
    main = table.entry_wager if table.entry_wager in bet.wagers else next(iter(bet.wagers))
    return replace(bet, tips={main: max(tray_values(table)[-2:])})


def _refused(table: Table, state: State, conduct: Conduct) -> bool:
    assert conduct.tries is not None
    answer = decide(table, state, conduct.tries)
    return isinstance(answer, Refusal) and answer.clause is not None
