"""Settle a Texas Shootout round."""

from typing import Any

from .hands import (
    FIVE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    SIX_DECK_STRAIGHT_FLUSH,
    STRAIGHT,
    SUITED_FIVE,
    six_decks,
)
from .ledger import Ledger
from .money import winnings
from .table import ShootoutRound

# The hand ranking has no class for a royal flush. The pay tables below use the key 11 for it.
ROYAL_ROW = 11
BONUS: dict[str, dict[int, int]] = {
    "A": {
        SUITED_FIVE: 5000,
        ROYAL_ROW: 500,
        SIX_DECK_STRAIGHT_FLUSH: 100,
        FIVE: 50,
        FOUR: 5,
        FULL_HOUSE: 3,
        FLUSH: 2,
        STRAIGHT: 1,
    },
    "B": {
        SUITED_FIVE: 1000,
        ROYAL_ROW: 200,
        SIX_DECK_STRAIGHT_FLUSH: 75,
        FIVE: 40,
        FOUR: 7,
        FULL_HOUSE: 3,
        FLUSH: 2,
        STRAIGHT: 1,
    },
}
# Envy payments, and the smallest bonus wager that earns envy, in cents.
ENVY = {SUITED_FIVE: 100_000, ROYAL_ROW: 25_000, SIX_DECK_STRAIGHT_FLUSH: 5_000, FIVE: 1_000}
ENVY_FROM = 500


def row(best: tuple[int, ...]) -> int:
    """Return the row of a hand in the pay tables: its class, or ROYAL_ROW for a royal flush."""
    if best[0] == SIX_DECK_STRAIGHT_FLUSH and best[1] == 14:
        return ROYAL_ROW
    return best[0]


def settle_shootout(table: ShootoutRound) -> dict[str, Any]:
    """Settle the hands counter-clockwise: for each hand, the primary wager and then the bonus. Envy is paid
    after the last bonus."""
    dealer = six_decks(table.dealer + table.board)
    hands = sorted(table.hands, key=lambda one: (-one.seat, one.hand))
    ledger = Ledger((one.seat for one in hands), [], None)
    for one in hands:
        one.best = six_decks(one.two + table.board)
        # A tip wins or loses with the wager that it was placed beside, and is settled right after it.
        for stake, tip in ((one.wager, False), (one.tips.get("wager", 0), True)):
            if stake and one.best > dealer:
                ledger.wager(one.seat, one.hand, "wager", stake, "win", "TS-15-d", "1 to 1", stake, tip=tip)
            elif stake:
                ledger.wager(one.seat, one.hand, "wager", stake, "lose", "TS-15-b", tip=tip)
        pays = BONUS[table.bonus_table].get(row(one.best), 0)
        for stake, tip in ((one.bonus, False), (one.tips.get("bonus", 0), True)):
            if stake and pays:
                won = winnings(stake, pays, 1, table.rounding)
                clause = f"TS-16-t{table.bonus_table}"
                odds = f"{pays} to 1"
                ledger.wager(one.seat, one.hand, "bonus", stake, "win", clause, odds, won, tip=tip)
            elif stake:
                ledger.wager(one.seat, one.hand, "bonus", stake, "lose", "TS-16-b", tip=tip)
    triggers = [one for one in hands if row(one.best) in ENVY]
    for one in hands:
        if one.bonus < ENVY_FROM:
            continue
        for other in triggers:
            if other is not one:
                amount = ENVY[row(other.best)]
                ledger.envy(one.seat, one.hand, amount, "TS-17-t", other.seat, other.hand)
    output = ledger.output({})
    if table.house_way:
        output["house_way"] = table.house_way
    return output
