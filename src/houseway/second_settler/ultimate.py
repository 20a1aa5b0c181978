"""Settle an Ultimate Texas Hold'em round under one of the four rulebooks."""

from typing import Any

from .hands import FLUSH, PAIR, STRAIGHT, THREE, Best, one_deck
from .ledger import Cap, Ledger
from .money import winnings
from .pays import BLIND, COVER_ALL, ENVY, EVEN, TRIPS, Odds
from .progressive import Row, awards, row_of
from .table import Seat, UltimateRound

# The clauses of each rulebook for eight cases: even money, loss of ante and play, loss of the blind, tie,
# blind push, blind odds, return of the ante if the dealer does not qualify, loss of trips.
CLAUSES: dict[str, tuple[str, str, str, str, str, str, str, str]] = {
    "uth-sd": (
        "SD-15-a",
        "SD-15-b",
        "SD-16-a",
        "SD-14-a",
        "SD-13.b-b",
        "SD-16-t",
        "SD-13.a-a",
        "SD-17-b",
    ),
    "uth-card": (
        "CARD-15",
        "CARD-16",
        "CARD-16",
        "CARD-17",
        "CARD-19",
        "CARD-18",
        "CARD-21",
        "CARD-23",
    ),
    "uth-proc": (
        "PROC-Q.2",
        "PROC-Q.3",
        "PROC-Q.3",
        "PROC-Q.4",
        "PROC-Q.6",
        "PROC-Q.5",
        "PROC-N.1-a",
        "PROC-Q.7",
    ),
    "uth-ma": (
        "MA-10.b",
        "MA-9.h.1",
        "MA-9.h.1",
        "MA-9.h.3",
        "MA-9.h.2-b",
        "MA-10.c",
        "MA-9.g-b",
        "MA-1.trips-b",
    ),
}
BASE = ("ante", "blind", "play", "trips")


def caps_of(table: UltimateRound) -> list[Cap]:
    """Return the limits on a hand's winnings. Limits on fewer wagers come first."""
    if table.book == "uth-card":
        return [Cap("CARD-25", 5_000_000, BASE)]
    if table.book == "uth-proc" and table.house.max_payout is not None:
        return [Cap("PROC-H.4-a", table.house.max_payout, BASE)]
    if table.book == "uth-ma":
        least = table.limits.get("ante", (None, None))[0] or 0
        least_trips = table.limits.get("trips", (None, None))[0]
        if least_trips is None:
            least_trips = least
        # With minimum bets, a player can win 1 (ante) + 4 (play) + 500 (blind) times the minimum, and 50
        # times the minimum of trips.
        inner = max(5_000_000, 505 * least + 50 * least_trips)
        return [Cap("MA-10.e", inner, BASE), Cap("MA-13.d", 7_500_000, (*BASE, "cover_all"))]
    return []


class Settling:
    """The settlement of one round."""

    def __init__(self, table: UltimateRound) -> None:
        self.table = table
        self.book = table.book
        self.clauses = CLAUSES[table.book]
        self.dealer = one_deck(table.board + table.dealer)
        self.qualified = self.dealer[0] >= PAIR
        self.trips_pays = TRIPS[table.trips_table]
        flop = table.board[:3]
        for seat in table.seats:
            seat.best = one_deck(seat.hole + table.board)
            if table.progressive_table:
                seat.first_five = one_deck(seat.hole + flop)
        self.right_to_left = sorted(table.seats, key=lambda seat: -seat.seat)
        above = 30_000 if table.book == "uth-proc" else None
        self.ledger = Ledger((s.seat for s in self.right_to_left), caps_of(table), above)
        self.ledger.by_hand = table.house.approval_scope == "hand"
        self.rows: dict[int, Row] = {}
        self.awarded: dict[int, int] = {}
        self.meters: dict[str, int] = {}

    def fold_clause(self, seat: Seat) -> str:
        """Return the clause under which a folded ante and blind are taken."""
        if self.book == "uth-sd":
            return "SD-12-b"
        if self.book == "uth-card":
            return "CARD-13"
        if self.book == "uth-proc":
            return "PROC-N.note-c" if self.wins_trips(seat) else "PROC-D.7-a"
        return "MA-7.f.5.ii" if self.table.mode == "manual" else "MA-9.e.2"

    def wins_trips(self, seat: Seat) -> bool:
        """True if the seat has a trips wager that wins."""
        return seat.trips > 0 and seat.best[0] in self.trips_pays

    def outcome(self, seat: Seat, wager: str) -> tuple[str, str, Odds]:
        """Return the result, the clause and the odds of ante, blind or play."""
        even, lost, lost_blind, tie, blind_push, blind_odds, unqualified, _ = self.clauses
        if seat.play == 0:
            return "lose", self.fold_clause(seat), EVEN
        if wager == "ante" and not self.qualified:
            return "push", unqualified, EVEN
        if seat.best < self.dealer:
            return "lose", lost_blind if wager == "blind" else lost, EVEN
        if seat.best == self.dealer:
            return "push", tie, EVEN
        if wager != "blind":
            return "win", even, EVEN
        if seat.best[0] in BLIND:
            return "win", blind_odds, BLIND[seat.best[0]]
        return "push", blind_push, EVEN

    def enter(self, seat: Seat, wager: str, stake: int, result: str, clause: str, odds: Odds) -> None:
        """Add the line of the player's stake, then the lines of the tip and the coupon, if there are
        any."""
        text, pays, per = odds
        rounding = self.table.house.rounding
        put = self.ledger.wager
        if stake:
            won = winnings(stake, pays, per, rounding) if result == "win" else 0
            put(seat.seat, 1, wager, stake, result, clause, text, won)
        tip = seat.tips.get(wager, 0)
        if tip:
            won = winnings(tip, pays, per, rounding) if result == "win" else 0
            put(seat.seat, 1, wager, tip, result, clause, text, won, tip=True)
        if wager == "ante" and seat.coupon:
            face = seat.coupon
            put(seat.seat, 1, wager, 0, result, "MA-6.a-b", text, face, coupon=face)

    def base(self, seat: Seat, *wagers: str) -> None:
        """Settle ante, blind and play, in the order given."""
        for wager in wagers:
            stake = seat.ante * (seat.play or 0) if wager == "play" else seat.ante
            result, clause, odds = self.outcome(seat, wager)
            self.enter(seat, wager, stake, result, clause, odds)

    def trips(self, seat: Seat) -> None:
        """Settle trips. The dealer's hand does not matter."""
        if not seat.trips and "trips" not in seat.tips:
            return
        name = self.table.trips_table
        if seat.best[0] not in self.trips_pays:
            self.enter(seat, "trips", seat.trips, "lose", self.clauses[7], EVEN)
            return
        clause = "CARD-24"
        if self.book == "uth-sd":
            clause = f"SD-17-t{name[-1]}"
        elif self.book == "uth-ma":
            clause = f"MA-10.d-{name}"
        elif self.book == "uth-proc":
            clause = "PROC-Q.7"
        self.enter(seat, "trips", seat.trips, "win", clause, self.trips_pays[seat.best[0]])

    def decide_progressive(self, bettors: list[Seat]) -> None:
        """Compute all progressive awards, in the order of settlement."""
        table = self.table
        name = table.progressive_table
        if not name:
            return
        board = one_deck(table.board)
        for seat in bettors:
            self.rows[seat.seat] = row_of(name, seat.first_five, seat.best, board)
        self.awarded, self.meters = awards(
            name, table.progressive_wager, table.meters, bettors, self.rows, table.house
        )

    def progressive(self, seat: Seat) -> None:
        """Settle the progressive wager. Its stake is never returned."""
        if not seat.progressive:
            return
        row = self.rows[seat.seat]
        award = self.awarded[seat.seat]
        self.ledger.progressive(seat.seat, seat.progressive, award, row.odds, row.clause)
        if row.odds and self.book == "uth-sd":
            self.ledger.approve(seat.seat, 1, "progressive", award, "supervisor", "SD-18.a.iv")

    def envy(self) -> None:
        """Pay each progressive bettor for each other player's royal or straight flush."""
        name = self.table.progressive_table
        if name not in ENVY:
            return
        clause = f"MA-13.e-{name}-b"
        if self.book == "uth-sd":
            clause = "SD-18-PMG-c" if name == "PMG-01" else "SD-18-PMG-d"
        triggers = [seat for seat in self.right_to_left if seat.first_five[0] in ENVY[name]]
        for seat in self.right_to_left:
            if not seat.progressive:
                continue
            for other in triggers:
                if other.player != seat.player:
                    amount = ENVY[name][other.first_five[0]] * seat.progressive
                    self.ledger.envy(seat.seat, 1, amount, clause, other.seat, 1)

    def cover_all(self) -> None:
        """Settle Cover All by the highest hand that is still on the table."""
        hands: list[Best] = [self.dealer]
        for seat in self.right_to_left:
            if seat.play or seat.trips:
                hands.append(seat.best)
        dealt = len(self.right_to_left) + 1
        highest = max(hands)[0]
        odds = COVER_ALL[dealt].get(highest)
        returned = highest in (FLUSH, STRAIGHT, THREE) and self.table.house.cover_all_low == "push"
        clause = "MA-12.f" if dealt == 7 else f"MA-12.k-{dealt}"
        for seat in self.right_to_left:
            if not seat.cover_all:
                continue
            if odds:
                self.enter(seat, "cover_all", seat.cover_all, "win", clause, odds)
            elif returned:
                self.enter(seat, "cover_all", seat.cover_all, "push", "MA-12.b", EVEN)
            else:
                # The pay table has no line for the hand, so the clause of the whole pay table is cited.
                matrix = "MA-12.f" if dealt == 7 else "MA-12.k"
                self.enter(seat, "cover_all", seat.cover_all, "lose", matrix, EVEN)


def settle_ultimate(table: UltimateRound) -> dict[str, Any]:
    """Settle a round in the order and direction of its rulebook."""
    act = Settling(table)
    seats = act.right_to_left
    folded = [seat for seat in seats if seat.play == 0]
    staying = [seat for seat in seats if seat.play != 0]
    if table.book == "uth-sd":
        act.decide_progressive([seat for seat in seats if seat.progressive])
        for seat in folded:
            act.base(seat, "ante", "blind")
            act.trips(seat)
        for seat in staying:
            if seat.ante:
                act.base(seat, "play", "ante", "blind")
            act.trips(seat)
        for seat in seats:
            act.progressive(seat)
        act.envy()
    elif table.book == "uth-proc":
        refunding = table.house.ante_return == "refund_pass" and not act.qualified
        for seat in reversed(folded):
            if not act.wins_trips(seat):
                act.base(seat, "ante", "blind")
                act.trips(seat)
        if refunding:
            for seat in staying:
                act.base(seat, "ante")
        for seat in seats:
            if seat.play == 0:
                if act.wins_trips(seat):
                    act.base(seat, "ante", "blind")
                    act.trips(seat)
                continue
            if refunding:
                act.base(seat, "blind", "play")
            else:
                act.base(seat, "ante", "blind", "play")
            act.trips(seat)
    else:
        racked = [seat for seat in reversed(folded) if not seat.trips]
        if table.house.folded_progressive == "last":
            racked = []
        kept = [seat for seat in folded if seat not in racked]
        in_turn = [seat for seat in [*racked, *staying, *kept] if seat.progressive]
        act.decide_progressive(in_turn)
        for seat in reversed(folded):
            act.base(seat, "ante", "blind")
            if seat in racked:
                act.progressive(seat)
        for seat in staying:
            act.base(seat, "ante", "blind", "play")
            act.trips(seat)
            act.progressive(seat)
        for seat in kept:
            act.trips(seat)
            act.progressive(seat)
        if table.book == "uth-ma":
            act.cover_all()
            act.envy()
    return act.ledger.output(act.meters)
