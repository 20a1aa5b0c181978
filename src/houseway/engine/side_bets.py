"""Side bets whose payment depends on other hands too: progressives (awards in the same round share a meter)
and envy bonuses (paid when another player makes a big hand)."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.hand_facts import SettledHand
from houseway.engine.meters import Award, Meters
from houseway.engine.settlement_plan import UnansweredError
from houseway.engine.terms import Terms
from houseway.money import Flat, Share
from houseway.rules.compile import Outcome


class SideBets:
    """The progressive meters and the envy bonuses of a round."""

    def __init__(
        self, terms: Terms, played: FinishedRound, spots: list[SettledHand], made: Sequence[Award] = ()
    ) -> None:
        self.terms = terms
        self.played = played
        self.spots = spots
        bettors = [s for s in spots if "progressive" in s.hand.stakes]
        self.keyed: Award | None = None
        """The keyed award of the hand that is settled next; its amount was set when it was keyed."""
        self._triggers: list[tuple[SettledHand, int, Outcome]] | None = None
        self.meters: Meters | None = None
        if not (bettors or played.meters or "progressive" in terms.named_tables):
            return
        # All progressive wagers at a table are equal, so the first bettor's stake is the amount.
        stake = bettors[0].hand.stakes["progressive"] if bettors else 100
        self.meters = Meters(terms, played.meters, stake, made)
        if terms.house("awards") == "shared":
            shares = [terms.plan.outcome("progressive", spot).pays for spot in bettors]
            self.meters.share_out([share for share in shares if type(share) is Share])

    def award(self, share: Share) -> Award:
        """Pay a share of a meter."""
        if self.meters is None:
            raise UnansweredError("the pay table awards a share of a meter, but the round has no meters")
        if self.keyed is not None:
            return self.keyed
        return self.meters.award(share)

    def showing(self) -> dict[str, int]:
        """Return the current amount on each meter, in cents."""
        return self.meters.shows if self.meters else {}

    def triggers(self) -> list[tuple[SettledHand, int, Outcome]]:
        """Return the hands that trigger an envy bonus, with amount and outcome, from the dealer's right."""
        if self._triggers is None:
            plan, self._triggers = self.terms.plan, []
            for spot in sorted(self.spots, key=lambda s: (-s.hand.seat, s.hand.number)):
                if not spot.hand.cards:
                    continue
                outcome = plan.outcomes["envy"][plan.cell_of["envy"](spot)]
                if outcome is not None and type(outcome.pays) is Flat:
                    self._triggers.append((spot, outcome.pays.amount, outcome))
        return self._triggers

    def envy(self, hand: PlayerHand, other: SettledHand, listed: int) -> int | None:
        """Return the envy bonus that a hand gets for another hand; None if the rulebook excludes it."""
        wager = self.terms.rulebook.wagers["envy"]
        if wager.excludes is not None:
            by_player = wager.excludes.value == "player"
            if other.hand.player == hand.player if by_player else other.hand is hand:
                return None
        amounts = self.terms.table("envy")
        base = amounts.base.value if amounts and amounts.base else None
        return listed if base is None else listed * hand.stakes["progressive"] // base
