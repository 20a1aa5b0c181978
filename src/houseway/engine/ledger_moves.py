"""The money that a table's events move into and out of ledgers: linked meters and players' accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from houseway.engine import events as e
from houseway.engine.state import State

METER: Final = "meter:"
ACCOUNT: Final = "account:"
CHIPS: Final = "chips"
"""The balance of an account, in cents."""
RESERVE: Final = " reserve"


def is_ledger(stream: str) -> bool:
    """True if a stream is a ledger and not the record of a table."""
    return stream.startswith((METER, ACCOUNT))


def meter_balances(meters: Mapping[str, int], reserves: Mapping[str, int]) -> dict[str, int]:
    """Return meters and reserves as the balances of one ledger, in millionths of a cent."""
    return {**meters, **{name + RESERVE: amount for name, amount in reserves.items()}}


def split_balances(balances: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Return a ledger's balances as meters and reserves; the inverse of `meter_balances`."""
    meters = {name: amount for name, amount in balances.items() if not name.endswith(RESERVE)}
    return meters, {name: balances[name + RESERVE] for name in meters}


def ledger_move(event: e.Event, before: State, after: State) -> tuple[str, dict[str, int]] | None:
    """Return the ledger that an event changes and the change in each balance; None if it changes none."""
    match event:
        case e.PlayerSeated() if event.account:
            return ACCOUNT + event.account, {CHIPS: -event.chips}
        case e.PlayerLeft() if account := before.seats[event.seat].account:
            return ACCOUNT + account, {CHIPS: event.chips}
        case e.MetersSynced():
            return None
    if not before.link or (before.meters is after.meters and before.reserves is after.reserves):
        return None
    old, new = (meter_balances(state.meters, state.reserves) for state in (before, after))
    # An award of exactly the starting amount changes no balance, but it is still a move.
    return METER + before.link, {name: new[name] - amount for name, amount in old.items()}
