"""Settlement: settle every wager of a round by the settlement plan, in the dealer's order.

This module contains no odds, orders or limits. The plan's passes give the order of hands and wagers, and
each outcome is one lookup in the plan. Limits and approvals apply to the payment.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from houseway.cards import Card, codes
from houseway.engine import settlement
from houseway.engine.events import WagerSettled
from houseway.engine.finished_round import FinishedRound
from houseway.engine.hand_facts import SettledHand, TableFacts
from houseway.engine.meters import MICRO, Award
from houseway.engine.settlement import ApprovalNeeded, CapCut, DealerRead, HandRead, SeatTotal, Settlement
from houseway.engine.settlement_plan import HAND, CappedWinnings, SettlementPass
from houseway.engine.side_bets import SideBets
from houseway.engine.terms import Terms
from houseway.money import Share, dollars
from houseway.ranking import read
from houseway.rules.compile import Outcome


def settle(
    terms: Terms, played: FinishedRound, *, show_cards: bool = False, unoffered: Collection[str] = ()
) -> Settlement:
    """Settle a round that was read under the same terms; with `show_cards` the result lists the cards.

    `unoffered` names wagers of the rulebook that the table did not offer.
    """
    settler = Settler(terms, played)
    if unoffered and settler.caps:
        settler.caps = terms.plan.caps_at(terms.limits, unoffered)
    settled = [wager for n in range(len(terms.plan.passes)) for wager in settler.settle_pass(n)]
    return settler.settlement(settled, show_cards=show_cards)


class Settler:
    """Settles a round, pass by pass."""

    def __init__(self, terms: Terms, played: FinishedRound, made: Sequence[Award] = ()) -> None:
        self.terms = terms
        self.plan = plan = terms.plan
        self.played = played
        self.settled: list[WagerSettled] = []
        """The wagers settled since the list was last cleared. `settle_pass` and some callers clear it."""
        self.approvals: list[ApprovalNeeded] = []
        self.caps = plan.caps
        self.tips = 0
        self.evaluator = terms.evaluator
        self.facts = facts = TableFacts(terms, played)
        self.spots = facts.spots = [SettledHand(hand, facts) for hand in played.hands]
        for spot in self.spots:
            if spot.hand.folded:
                spot.status = plan.folded_status(spot.hand.stakes, spot)
        self.from_right = self.spots
        if len(self.spots) > 1:
            self.from_right = sorted(self.spots, key=lambda s: (-s.hand.seat, s.hand.number))
        self.side = SideBets(terms, played, self.spots, made)

    def settle_pass(self, number: int) -> list[WagerSettled]:
        """Settle one pass of the plan and return its wagers in order."""
        settlement_pass = self.plan.passes[number]
        self.settled = []
        if settlement_pass.applies(self.facts.qualifies):
            for spot in self.ordered(settlement_pass):
                self.settle_hand(spot, settlement_pass)
        return self.settled

    def ordered(self, settlement_pass: SettlementPass) -> list[SettledHand]:
        """Return the hands that a pass settles, in its direction."""
        spots = self.from_right if settlement_pass.from_right else self.spots
        return [spot for spot in spots if spot.status in settlement_pass.hands]

    def settle_hand(self, spot: SettledHand, settlement_pass: SettlementPass) -> None:
        """Settle one hand's wagers in a pass."""
        stakes, tips = spot.stakes, spot.tips
        for name in settlement_pass.wagers_of(spot.status):
            if name in stakes or name in tips:
                self.wager(spot, name, stakes.pop(name, 0), tips.pop(name, 0))
            elif name == "envy":
                self._envy(spot)

    def settlement(self, settled: list[WagerSettled], *, show_cards: bool = False) -> Settlement:
        """Return the whole settlement, after every pass."""
        terms, played = self.terms, self.played
        if self.plan.approves_hands:
            self.approvals = [
                ApprovalNeeded(line.seat, line.hand, HAND, dollars(won), a.who, a.basis.clause(terms.mode))
                for a, line, won in self.plan.hand_approvals(settled)
            ]
        return Settlement(
            terms.rulebook.id,
            terms.hash,
            terms.recorded,
            [settlement.settlement_line(wager) for wager in settled],
            self._totals(),
            {name: dollars(amount) for name, amount in self.side.showing().items()},
            dollars(self.tips),
            self.approvals,
            self._cuts(),
            self._dealer_read(show_cards=show_cards),
            [self._hand_read(spot, show_cards=show_cards) for spot in self.spots],
            self.facts.highest_read,
            codes(played.house_way) if played.house_way else None,
            terms.warnings,
            codes(played.board) if show_cards else None,
        )

    def wager(self, spot: SettledHand, name: str, stake: int, tip: int) -> None:
        """Settle one wager of a hand, and the tip on it."""
        outcome = self.plan.outcome(name, spot)
        spot.staked += stake + tip
        if stake:
            self._pay(spot, name, stake, outcome)
            if spot.hand.coupon and name == "ante":
                self._coupon(spot, outcome)
        if tip:
            self._tip(spot, name, tip, outcome)

    def _pay(self, spot: SettledHand, name: str, stake: int, outcome: Outcome) -> None:
        result = outcome.result
        award = None
        due = won = 0
        back = stake if result == "push" else 0
        if result == "win":
            due, award = self._winnings(outcome, stake)
            won = self.capped(spot, name, due) if self.caps else due
            back = won if outcome.keeps else won + stake
            if self.plan.approvals and not self.plan.approves_hands:
                self._approve(spot, name, won)
        spot.returned += back
        settled = _settled(spot, name, stake, outcome, back, won, due)
        self.settled.append(settled if award is None else _with_award(settled, award))

    def _approve(self, spot: SettledHand, name: str, won: int) -> None:
        hand = spot.hand
        for needed in self.plan.approvals_for(name, won):
            clause = needed.basis.clause(self.terms.mode)
            self.approvals.append(
                ApprovalNeeded(hand.seat, hand.number, name, dollars(won), needed.who, clause)
            )

    def _winnings(self, outcome: Outcome, stake: int) -> tuple[int, Award | None]:
        pays = outcome.pays
        if type(pays) is Share:
            award = self.side.award(pays)
            return award.amount, award
        return self.plan.winnings(pays, stake), None

    def capped(self, spot: SettledHand, name: str, amount: int) -> int:
        """Return the amount paid on a win after every limit on the hand's winnings."""
        if spot.winnings is None:
            spot.winnings = CappedWinnings(self.caps)
        paid = spot.winnings.pay(name, amount)
        if not self.plan.names_cuts:
            spot.winnings.cut_clause = ""
        return paid

    def _coupon(self, spot: SettledHand, outcome: Outcome) -> None:
        """Settle a match play coupon on the ante: it wins its face value if the ante wins.

        No money is returned for the coupon itself. On a push, the player gets the coupon back.
        """
        face = spot.hand.coupon
        due = self._winnings(outcome, face)[0] if outcome.result == "win" else 0
        won = self.capped(spot, "ante", due) if self.caps else due
        spot.returned += won
        settled = _settled(spot, "ante", 0, outcome, won, won, due)
        self.settled.append(replace(settled, coupon=face, clause=self.terms.clause("match_play")))

    def _tip(self, spot: SettledHand, name: str, tip: int, outcome: Outcome) -> None:
        """Settle a tip wagered for the dealer; its stake and winnings go to the dealer."""
        won, award = self._winnings(outcome, tip) if outcome.result == "win" else (0, None)
        returned = outcome.result == "push" or (outcome.result == "win" and not outcome.keeps)
        back = won + (tip if returned else 0)
        self.tips += back
        settled = replace(_settled(spot, name, tip, outcome, back, won, won), for_dealer=True)
        self.settled.append(settled if award is None else _with_award(settled, award))

    def _envy(self, spot: SettledHand) -> None:
        """Pay a hand's envy bonus for every other hand that triggers one."""
        if not self.terms.envious(spot.hand.stakes):
            return
        for other, listed, outcome in self.side.triggers():
            amount = self.side.envy(spot.hand, other, listed)
            if amount is not None:
                spot.returned += amount
                settled = _settled(spot, "envy", 0, outcome, amount, amount, amount)
                whose = other.hand
                self.settled.append(replace(settled, from_seat=whose.seat, from_hand=whose.number))

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

    def _dealer_read(self, *, show_cards: bool) -> DealerRead:
        terms = self.terms
        name = terms.order[self.evaluator.places[self.facts.dealer]]
        qualifies = None if terms.qualifier is None else self.facts.qualifies
        return DealerRead(name, qualifies, **self._shown(self.played.dealer) if show_cards else {})

    def _hand_read(self, spot: SettledHand, *, show_cards: bool) -> HandRead:
        order, hand, five = self.terms.order, spot.hand, spot.first_five_read
        read_five = None if five is None else order[five]
        hand_read = HandRead(hand.seat, hand.number, order[spot.place], hand.folded, read_five)
        if not show_cards:
            return hand_read
        player = None if hand.player == hand.seat else str(hand.player)
        return replace(hand_read, player=player, **self._shown(hand.cards))

    def _shown(self, held: tuple[Card, ...]) -> dict[str, str]:
        """Return the cards, the hand in words and the five cards that play."""
        best = read((*held, *self.played.board), self.terms.order)
        return {"cards": codes(held), "words": best.words, "plays": codes(best.cards)}

    def _cuts(self) -> list[CapCut]:
        return [
            CapCut(spot.hand.seat, spot.hand.number, cap.clause, *map(dollars, (cap.limit, due, paid)))
            for spot in self.from_right
            if spot.winnings is not None
            for cap, due, paid in spot.winnings.uses()
            if due > paid
        ]


def _settled(
    spot: SettledHand, name: str, stake: int, outcome: Outcome, back: int, won: int, due: int
) -> WagerSettled:
    hand, result, cut = spot.hand, outcome.result, due - won
    settled = WagerSettled(
        hand.seat, hand.number, name, stake, result, back, won, outcome.odds, cut, clause=outcome.clause
    )
    return replace(settled, cut_clause=spot.winnings.cut_clause) if cut and spot.winnings else settled


def _with_award(settled: WagerSettled, award: Award) -> WagerSettled:
    """Return a settled wager with the award that paid it."""
    meter, amount, seeded, released = award
    return replace(settled, meter=meter, awarded=amount, seeded=seeded, released=released * MICRO)
