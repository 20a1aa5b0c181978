"""Settlement: a round's facts looked up in the compiled tables, wager by wager, as a dealer goes.

Nothing here knows odds, orders or limits. The passes of the rulebook say which hands are settled when and
from which side; each wager's outcome is one look-up; caps and approvals follow the payment.
"""

from __future__ import annotations

from collections.abc import Sequence

from houseway.engine.hand_facts import Spot, TableFacts
from houseway.engine.hands import FOLDED, HELD, PlayerHand, Round
from houseway.engine.lines import (
    ApprovalNeeded,
    CapCut,
    DealerRead,
    Entry,
    HandRead,
    SeatTotal,
    Settlement,
)
from houseway.engine.progressive import Award
from houseway.engine.side_bets import SideBets
from houseway.engine.terms import Terms, Walk
from houseway.money import Flat, Odds, Share, dollars, rounded
from houseway.rules.compile import Outcome
from houseway.rules.fact_groups.own_hand import ROYAL


def settle(terms: Terms, played: Round) -> Settlement:
    """Settle a round that was read under the same terms."""
    cashier = Cashier(terms, played)
    entries = [entry for n in range(len(terms.walks)) for entry in cashier.walk(n)]
    return cashier.settlement(entries)


class Cashier:
    """A round's settlement, pass by pass."""

    def __init__(self, terms: Terms, played: Round, made: Sequence[Award] = ()) -> None:
        self.terms = terms
        self.played = played
        self.entries: list[Entry] = []
        self.approvals: list[ApprovalNeeded] = []
        self.caps = terms.caps
        self.tips = 0
        self.evaluator = terms.evaluator
        self.facts = facts = TableFacts(terms, played)
        self.qualifies = facts.qualifies
        royal = terms.order.index(ROYAL) if ROYAL in terms.order else -1
        self.spots = facts.spots = [Spot(hand, facts, royal) for hand in played.hands]
        for spot in self.spots:
            if spot.hand.folded:
                spot.status = self._folded(spot)
        self.from_right = self.spots
        if len(self.spots) > 1:
            self.from_right = sorted(self.spots, key=lambda s: (-s.hand.seat, s.hand.number))
        self.side = SideBets(terms, played, self.spots, made)

    def walk(self, number: int) -> list[Entry]:
        """Settle one pass of the rulebook; what it came to, in order."""
        walk = self.terms.walks[number]
        self.entries = []
        if not walk.when or self._made(walk):
            for spot in self.ordered(walk):
                self.at(spot, walk)
        return self.entries

    def ordered(self, walk: Walk) -> list[Spot]:
        """The hands a pass goes to, in its direction."""
        spots = self.from_right if walk.from_right else self.spots
        return [spot for spot in spots if spot.status in walk.hands]

    def at(self, spot: Spot, walk: Walk) -> None:
        """Settle the wagers of one hand that a pass settles."""
        stakes, tips = spot.stakes, spot.tips
        for name in walk.wagers:
            if name in stakes or name in tips:
                self.wager(spot, name, stakes.pop(name, 0), tips.pop(name, 0))
            elif name == "envy":
                self._envy(spot)

    def settlement(self, entries: list[Entry]) -> Settlement:
        """Everything a settlement says, once every pass is walked."""
        terms, side = self.terms, self.side
        return Settlement(
            terms.rulebook.id,
            terms.hash,
            terms.recorded,
            [entry.line() for entry in entries],
            self._totals(),
            {name: dollars(shown) for name, shown in side.showing().items()},
            dollars(self.tips),
            self.approvals,
            self._cuts(),
            self._dealer_read(),
            [self._hand_read(spot) for spot in self.spots],
            self.facts.highest_read,
            " ".join(map(str, self.played.house_way)) if self.played.house_way else None,
            terms.warnings,
        )

    def _folded(self, spot: Spot) -> int:
        """Racked, or held under a trips wager as the rulebook says."""
        held_for = self.terms.held_for
        if "trips" not in spot.hand.stakes or held_for in (None, "no trips"):
            return FOLDED
        if held_for == "any trips":
            return HELD
        outcome = self.terms.outcomes["trips"][self.terms.cell_of["trips"](spot)]
        return HELD if outcome and outcome.result == "win" else FOLDED

    def _made(self, walk: Walk) -> bool:
        """Whether a pass with a condition is made in this round."""
        for name, value in walk.when.items():
            actual = self.qualifies if name == "dealer_qualifies" else self.terms.house(name)
            if actual != value:
                return False
        return True

    def wager(self, spot: Spot, name: str, stake: int, tip: int) -> None:
        """Settle one wager of a hand, the dealer's tip on it included."""
        outcome = self.side.outcome(spot, name)
        spot.staked += stake + tip
        if stake:
            self._pay(spot, name, stake, outcome)
            if spot.hand.coupon and name == "ante":
                self._coupon(spot, outcome)
        if tip:
            self._tip(spot.hand, name, tip, outcome)

    def _pay(self, spot: Spot, name: str, stake: int, outcome: Outcome) -> None:
        hand = spot.hand
        result = outcome.result
        award = None
        won = cut = 0
        if result == "lose":
            back = 0
        elif result == "push":
            back = stake
        else:
            due, award = self._winnings(outcome, stake)
            won = self.capped(spot, name, due) if self.caps else due
            cut = due - won
            back = won if outcome.keeps else won + stake
            if self.terms.approvals:
                self._approve(hand, name, won)
        spot.returned += back
        self.entries.append(
            Entry(
                hand.seat,
                hand.number,
                name,
                stake,
                result,
                back,
                outcome.clause,
                outcome.odds,
                cut,
                award=award,
                won=won,
            )
        )

    def _winnings(self, outcome: Outcome, stake: int) -> tuple[int, Award | None]:
        pays = outcome.pays
        if type(pays) is Odds:
            return rounded(stake * pays.units, pays.per, self.terms.rounding), None
        if type(pays) is Share:
            award = self.side.award(pays)
            return award.amount, award
        assert type(pays) is Flat
        return pays.amount, None

    def capped(self, spot: Spot, name: str, amount: int) -> int:
        """What is paid of a win once every limit on the hand's winnings has had its say."""
        caps = self.caps
        if spot.caps is None:
            spot.caps = [[0, 0] for _ in caps]
        for (wagers, limit, _), used in zip(caps, spot.caps, strict=True):
            if name in wagers:
                used[0] += amount
                amount = min(amount, limit - used[1])
                used[1] += amount
        return amount

    def _approve(self, hand: PlayerHand, name: str, amount: int) -> None:
        for needed in self.terms.approvals:
            if amount > needed.above and name in needed.wagers:
                clause = needed.basis.clause(self.terms.mode)
                self.approvals.append(
                    ApprovalNeeded(hand.seat, hand.number, name, dollars(amount), needed.who, clause)
                )

    def _coupon(self, spot: Spot, outcome: Outcome) -> None:
        """A match play coupon beside the ante: it has no value of its own and wins its face."""
        hand = spot.hand
        won = self._winnings(outcome, hand.coupon)[0] if outcome.result == "win" else 0
        paid = self.capped(spot, "ante", won) if self.caps else won
        spot.returned += paid
        clause = self.terms.clause("match_play")
        self.entries.append(
            Entry(
                hand.seat,
                hand.number,
                "ante",
                0,
                outcome.result,
                paid,
                clause,
                outcome.odds,
                won - paid,
                coupon=hand.coupon,
                won=paid,
            )
        )

    def _tip(self, hand: PlayerHand, name: str, tip: int, outcome: Outcome) -> None:
        """A tip wagered for the dealer: what it brings is the dealer's, never the seat's."""
        won, award = self._winnings(outcome, tip) if outcome.result == "win" else (0, None)
        returned = outcome.result == "push" or (outcome.result == "win" and not outcome.keeps)
        back = won + (tip if returned else 0)
        self.tips += back
        self.entries.append(
            Entry(
                hand.seat,
                hand.number,
                name,
                tip,
                outcome.result,
                back,
                outcome.clause,
                outcome.odds,
                for_dealer=True,
                award=award,
                won=won,
            )
        )

    def _envy(self, spot: Spot) -> None:
        """One entry for each other hand that triggers envy."""
        hand = spot.hand
        if not self.side.envious(hand):
            return
        for other, listed, clause in self.side.triggers():
            amount = self.side.envy(hand, other, listed)
            if amount is not None:
                spot.returned += amount
                whose = (other.hand.seat, other.hand.number)
                self.entries.append(
                    Entry(hand.seat, hand.number, "envy", 0, "win", amount, clause, whose=whose, won=amount)
                )

    def _totals(self) -> list[SeatTotal]:
        totals: dict[int, list[int]] = {}
        for spot in self.spots:
            total = totals.setdefault(spot.hand.seat, [0, 0])
            total[0] += spot.staked
            total[1] += spot.returned
        return [
            SeatTotal(seat, dollars(staked), dollars(back), dollars(back - staked))
            for seat, (staked, back) in totals.items()
        ]

    def _dealer_read(self) -> DealerRead:
        terms = self.terms
        name = terms.order[self.evaluator.places[self.facts.dealer]]
        return DealerRead(name, None if terms.qualifier is None else self.qualifies)

    def _hand_read(self, spot: Spot) -> HandRead:
        order = self.terms.order
        five = spot.first_five_read
        hand = spot.hand
        return HandRead(
            hand.seat, hand.number, order[spot.place], hand.folded, None if five is None else order[five]
        )

    def _cuts(self) -> list[CapCut]:
        if not self.caps:
            return []
        return [
            CapCut(spot.hand.seat, spot.hand.number, clause, dollars(limit), dollars(due), dollars(paid))
            for spot in self.from_right
            if spot.caps is not None
            for (_, limit, clause), (due, paid) in zip(self.caps, spot.caps, strict=True)
            if due > paid
        ]
