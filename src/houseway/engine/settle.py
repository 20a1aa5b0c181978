"""Settlement: a round's facts looked up in the compiled tables, wager by wager, as a dealer goes.

Nothing here knows odds, orders or limits. The passes of the rulebook say which hands are settled when and
from which side; each wager's outcome is one look-up; caps and approvals follow the payment.
"""

from __future__ import annotations

from typing import Any

from houseway.engine.hands import FOLDED, HELD, PlayerHand, Round
from houseway.engine.lines import (
    ApprovalNeeded,
    CapCut,
    DealerRead,
    HandRead,
    Line,
    SeatTotal,
    Settlement,
)
from houseway.engine.side_bets import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, SideBets, Spot, UnansweredError
from houseway.engine.terms import Terms, Walk
from houseway.money import Flat, Odds, Share, dollars, rounded
from houseway.ranking.fast import KEY
from houseway.rules.compile import Outcome

LOSE, TIE, WIN = 0, 1, 2


def settle(terms: Terms, played: Round) -> Settlement:
    """Settle a round that was read under the same terms."""
    return _Cashier(terms, played).settle()


class _Cashier:
    """One round's settlement in progress."""

    def __init__(self, terms: Terms, played: Round) -> None:
        self.terms = terms
        self.played = played
        self.lines: list[Line] = []
        self.approvals: list[ApprovalNeeded] = []
        self.tips = 0
        self.evaluator = terms.evaluator
        self.board_sum = sum([KEY[c] for c in played.board])
        self.dealer = self._strength(played.dealer)
        places = self.evaluator.places
        self.qualifies = terms.qualifier is None or places[self.dealer] <= terms.qualifier
        self.spots = [self._read(hand, n) for n, hand in enumerate(played.hands)]
        self.from_right = sorted(self.spots, key=lambda s: (-s.hand.seat, s.hand.number))
        self.side = SideBets(terms, played, self.spots)

    def settle(self) -> Settlement:
        """Walk the table as often as the rulebook says."""
        terms = self.terms
        for walk in terms.walks:
            if not walk.when or self._made(walk):
                for spot in self.from_right if walk.from_right else self.spots:
                    if spot.status in walk.hands:
                        stakes, tips = spot.stakes, spot.tips
                        for name in walk.wagers:
                            if name in stakes or name in tips:
                                self._wager(spot, name, stakes.pop(name, 0), tips.pop(name, 0))
                            elif name == "envy":
                                self._envy(spot)
        side = self.side
        return Settlement(
            terms.rulebook.id,
            terms.hash,
            terms.recorded,
            self.lines,
            self._totals(),
            {name: dollars(shown) for name, shown in side.showing().items()},
            dollars(self.tips),
            self.approvals,
            self._cuts(),
            self._dealer_read(),
            [self._hand_read(spot) for spot in self.spots],
            side.highest,
            " ".join(map(str, self.played.house_way)) if self.played.house_way else None,
            terms.warnings,
        )

    def _strength(self, held: tuple[Any, ...]) -> int:
        total = self.board_sum
        for c in held:
            total += KEY[c]
        return self.evaluator.of_sum(total, (*self.played.board, *held))

    def _read(self, hand: PlayerHand, order: int) -> Spot:
        """The facts of a hand: its strength, how it stands against the dealer, whether it folded."""
        terms = self.terms
        spot = Spot(hand, order)
        spot.strength = strength = self._strength(hand.cards)
        spot.place = place = self.evaluator.places[strength]
        if terms.order[place] == "royal flush":
            spot.made = self._royal(hand)
        if hand.folded:
            spot.status = self._folded(hand, spot)
        dealer = self.dealer
        contest = WIN if strength > dealer else TIE if strength == dealer else LOSE
        spot.showdown = ((spot.status * 2 + self.qualifies) * 3 + contest) * len(terms.order) + place
        return spot

    def _royal(self, hand: PlayerHand) -> int:
        board = self.played.board
        name = self.evaluator.name
        if name(self.evaluator.strength(board)) == "royal flush":
            return COMMUNITY
        five = (*hand.cards, *board[:3])
        return FIRST_FIVE if name(self.evaluator.strength(five)) == "royal flush" else FIRST_SEVEN

    def _folded(self, hand: PlayerHand, spot: Spot) -> int:
        """Racked, or held under a trips wager as the rulebook says."""
        held_for = self.terms.held_for
        if "trips" not in hand.stakes or held_for in (None, "no trips"):
            return FOLDED
        if held_for == "any trips":
            return HELD
        outcome = self.terms.outcomes["trips"][spot.place * 4 + spot.made]
        return HELD if outcome and outcome.result == "win" else FOLDED

    def _made(self, walk: Walk) -> bool:
        """Whether a pass with a condition is made in this round."""
        for name, value in walk.when.items():
            actual = self.qualifies if name == "dealer_qualifies" else self.terms.house(name)
            if actual != value:
                return False
        return True

    def _wager(self, spot: Spot, name: str, stake: int, tip: int) -> None:
        looks = self.terms.looks[name]
        if looks == "showdown":
            outcome = self.terms.outcomes[name][spot.showdown]
        elif looks == "hand":
            outcome = self.side.by_hand(spot, name)
        else:
            outcome = self.side.by_table(name)
        if outcome is None:
            raise UnansweredError(f"{self.terms.rulebook.id}: no row of {name} answers this hand")
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
        if result == "lose":
            back, net, cut = 0, -stake, 0
        elif result == "push":
            back, net, cut = stake, 0, 0
        else:
            due = self._winnings(outcome, stake)
            won = self._capped(spot, name, due) if self.terms.caps else due
            cut = due - won
            back = won if outcome.keeps else won + stake
            net = back - stake
            if self.terms.approvals:
                self._approve(hand, name, won)
        spot.returned += back
        self._write(hand, name, stake, result, net, outcome.clause, outcome.odds, cut)

    def _winnings(self, outcome: Outcome, stake: int) -> int:
        pays = outcome.pays
        if type(pays) is Odds:
            return rounded(stake * pays.units, pays.per, self.terms.rounding)
        if type(pays) is Share:
            return self.side.award(pays)
        assert type(pays) is Flat
        return pays.amount

    def _capped(self, spot: Spot, name: str, amount: int) -> int:
        """What is paid of a win once every limit on the hand's winnings has had its say."""
        caps = self.terms.caps
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
        won = self._winnings(outcome, hand.coupon) if outcome.result == "win" else 0
        paid = self._capped(spot, "ante", won) if self.terms.caps else won
        spot.returned += paid
        self._write(
            hand, "ante", 0, outcome.result, paid, self.terms.clause("match_play"),
            odds=outcome.odds, cut=won - paid, coupon=hand.coupon,
        )  # fmt: skip

    def _tip(self, hand: PlayerHand, name: str, tip: int, outcome: Outcome) -> None:
        """A tip wagered for the dealer: what it brings is the dealer's, never the seat's."""
        won = self._winnings(outcome, tip) if outcome.result == "win" else 0
        back = tip if outcome.result == "push" or (outcome.result == "win" and not outcome.keeps) else 0
        net = won + back - tip
        self.tips += tip + net
        self._write(
            hand, name, tip, outcome.result, net, outcome.clause, odds=outcome.odds, for_whom="dealer"
        )  # fmt: skip

    def _envy(self, spot: Spot) -> None:
        """One line for each other hand that triggers envy."""
        hand = spot.hand
        if not self.side.envious(hand):
            return
        for other, listed, clause in self.side.triggers():
            amount = self.side.envy(hand, other, listed)
            if amount is not None:
                spot.returned += amount
                whose = {"seat": other.hand.seat, "hand": other.hand.number}
                self._write(hand, "envy", 0, "win", amount, clause, from_hand=whose)

    def _write(
        self,
        hand: PlayerHand,
        wager: str,
        stake: int,
        result: str,
        net: int,
        clause: str | None,
        odds: str | None = None,
        cut: int = 0,
        for_whom: str | None = None,
        from_hand: dict[str, int] | None = None,
        coupon: int = 0,
    ) -> None:
        line = Line(
            seat=hand.seat,
            hand=hand.number,
            wager=wager,
            stake=dollars(stake),
            result=result,
            odds=odds,
            net=dollars(net),
            clause=clause,
            cut=dollars(cut) if cut else None,
            for_whom=for_whom,
            from_hand=from_hand,
            coupon=dollars(coupon) if coupon else None,
        )
        self.lines.append(line)

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
        name = terms.order[self.evaluator.places[self.dealer]]
        return DealerRead(name, None if terms.qualifier is None else self.qualifies)

    def _hand_read(self, spot: Spot) -> HandRead:
        order = self.terms.order
        five = self.side.read_on_five(spot)
        hand = spot.hand
        return HandRead(
            hand.seat, hand.number, order[spot.place], hand.folded, None if five is None else order[five]
        )

    def _cuts(self) -> list[CapCut]:
        if not self.terms.caps:
            return []
        return [
            CapCut(spot.hand.seat, spot.hand.number, clause, dollars(limit), dollars(due), dollars(paid))
            for spot in self.from_right
            if spot.caps is not None
            for (_, limit, clause), (due, paid) in zip(self.terms.caps, spot.caps, strict=True)
            if due > paid
        ]
