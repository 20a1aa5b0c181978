"""Progressive awards: the row that a hand matches, its payment, and the meters after it."""

from fractions import Fraction

from .hands import FOUR, FULL_HOUSE, ROYAL, STRAIGHT_FLUSH, Best
from .pays import FIXED, METERS, SEEDS, SHARES
from .table import House, Seat


class Row:
    """A row of a progressive table: a share of a meter or a fixed payment, with its clause."""

    def __init__(
        self, clause: str, odds: str = "", meter: str = "", percent: int = 0, times: int = 0
    ) -> None:
        self.clause = clause
        self.odds = odds
        self.meter = meter
        self.percent = percent
        self.times = times


def row_of(table: str, first_five: Best, best: Best, board: Best) -> Row:
    """Return the best row that a hand matches. A row without odds means that the wager loses."""
    kind = best[0]
    if table == "UTHP-01":
        if board[0] == ROYAL:
            return Row("SD-18-UTHP01-c", "3000 to 1", times=3000)
        if first_five[0] == ROYAL:
            return Row("SD-18-UTHP01-a", "100 %", "main", 100)
        if kind == ROYAL:
            return Row("SD-18-UTHP01-b", "5 %", "main", 5)
        times = {STRAIGHT_FLUSH: 250, FOUR: 100, FULL_HOUSE: 10}.get(kind, 0)
        return Row("SD-18-UTHP01-d", f"{times} for 1" if times else "", times=times)
    if table == "UTHP-02":
        if board[0] == ROYAL:
            return Row("SD-18-UTHP02-b", "1000 to 1", times=1000)
        if kind == ROYAL:
            return Row("SD-18-UTHP02-a", "100 %", "main", 100)
        times = {STRAIGHT_FLUSH: 250, FOUR: 75, FULL_HOUSE: 10}.get(kind, 0)
        return Row("SD-18-UTHP02-c", f"{times} for 1" if times else "", times=times)
    kind = first_five[0]
    clause = "SD-18-PMG-b" if table.startswith("PMG") else f"MA-13.e-{table}-a"
    if kind in SHARES[table]:
        meter, percent = SHARES[table][kind]
        return Row(clause, f"{percent} %", meter, percent)
    times = FIXED[table].get(kind, 0)
    if times:
        return Row(clause, f"{times} for 1", times=times)
    return Row("SD-18-b" if table.startswith("PMG") else clause)


def seed(table: str, meter: str, wager: int, house: House) -> int:
    """Return the seed (starting amount) of a meter, in cents, for a progressive wager in cents."""
    if table in SEEDS:
        return SEEDS[table][meter] * wager
    return house.seed * wager // 100


def awards(
    table: str,
    wager: int | None,
    shown: dict[str, int],
    bettors: list[Seat],
    rows: dict[int, Row],
    house: House,
) -> tuple[dict[int, int], dict[str, int]]:
    """Return the award of each seat, and the meters after the awards.

    `bettors` must be in the order of settlement. `shown` has the meters before the awards.
    """
    paid: dict[int, int] = {}
    winners: dict[str, list[Seat]] = {name: [] for name in METERS[table]}
    for one in bettors:
        row = rows[one.seat]
        if row.meter:
            winners[row.meter].append(one)
        else:
            paid[one.seat] = row.times * one.progressive
    after: dict[str, int] = {}
    for name, hit in winners.items():
        amount = wager or (bettors[0].progressive if bettors else 100)
        meter = shown[name] if name in shown else seed(table, name, amount, house)
        reserve = house.reserve.get(name, 0)
        if house.awards == "shared":
            total = sum(rows[one.seat].percent for one in hit)
            left = meter
            for one in hit:
                share = Fraction(rows[one.seat].percent, max(total, 100))
                paid[one.seat] = int(meter * share)
                left -= paid[one.seat]
            for one in hit:
                if rows[one.seat].percent == 100:
                    left += seed(table, name, wager or one.progressive, house) + reserve
                    break
            after[name] = left
            continue
        for one in hit:
            if rows[one.seat].percent == 100:
                paid[one.seat] = meter
                meter = seed(table, name, wager or one.progressive, house) + reserve
                reserve = 0
            else:
                paid[one.seat] = meter * rows[one.seat].percent // 100
                meter -= paid[one.seat]
        after[name] = meter
    return paid, after
