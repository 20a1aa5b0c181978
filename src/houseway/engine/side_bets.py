"""A hand while it is settled, and what side bets look at: meters, the highest hand, other hands."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.engine.hands import FOLDED, STANDING, PlayerHand, Round
from houseway.engine.progressive import Award, Meters
from houseway.engine.terms import Terms
from houseway.money import Flat, Share
from houseway.rules.compile import Outcome

NO_ROYAL, FIRST_FIVE, FIRST_SEVEN, COMMUNITY = 0, 1, 2, 3
"""How a royal flush was made, in the order of the fact `made`."""


class UnansweredError(LookupError):
    """A case no row of the rulebook answers; a checked rulebook has none."""


class Spot:
    """A hand while it is being settled."""

    __slots__ = (
        "caps",
        "hand",
        "made",
        "order",
        "place",
        "returned",
        "showdown",
        "staked",
        "stakes",
        "status",
        "strength",
        "tips",
    )

    strength: int
    place: int
    showdown: int
    """The cell of the facts a showdown is decided by."""

    def __init__(self, hand: PlayerHand, order: int) -> None:
        self.hand = hand
        self.order = order
        # What is still to be settled; a wager is taken out when its turn comes.
        self.stakes = dict(hand.stakes)
        self.tips = dict(hand.tips)
        self.staked = 0
        self.returned = 0
        self.caps: list[list[int]] | None = None
        self.status = STANDING
        self.made = NO_ROYAL


class SideBets:
    """What side bets look at beyond the hand itself: meters, the highest hand, other hands."""

    def __init__(self, terms: Terms, played: Round, spots: list[Spot], made: Sequence[Award] = ()) -> None:
        self.terms = terms
        self.played = played
        self.spots = spots
        self.dealt = len(spots) + 1
        """Hands dealt, the dealer's and void ones included."""
        bettors = [s for s in spots if "progressive" in s.hand.stakes]
        self.metered = bool(bettors) or bool(played.meters) or "progressive" in terms.named_tables
        self._highest: int | None = None
        self._five: dict[int, int] = {}
        self._triggers: list[tuple[Spot, int, str | None]] | None = None
        self.meters: Meters | None = None
        if not self.metered:
            return
        shares = [(s, o.pays) for s in bettors if (o := self.by_hand(s, "progressive")) is not None]
        won = [(s, p) for s, p in shares if type(p) is Share]
        # One wager amount at a table: where no document fixes it, what the bettors staked.
        stake = bettors[0].hand.stakes["progressive"] if bettors else 100
        self.meters = Meters(terms, played.meters, stake, made)
        if terms.house("awards") == "shared":
            self.meters.share_out([p for _, p in won])

    def award(self, share: Share) -> Award:
        """Pay a share of a meter."""
        if self.meters is None:
            raise UnansweredError("a share of a meter in a round that has none")
        return self.meters.award(share)

    def showing(self) -> dict[str, int]:
        """What the meters show now."""
        return self.meters.shows if self.meters else {}

    def by_hand(self, spot: Spot, name: str) -> Outcome | None:
        """The outcome of a wager that looks at the hand alone, on the cards its table reads."""
        if name in self.terms.on_five:
            place = self.first_five(spot)
            made = FIRST_FIVE if self.terms.order[place] == "royal flush" else NO_ROYAL
            return self.terms.outcomes[name][place * 4 + made]
        return self.terms.outcomes[name][spot.place * 4 + spot.made]

    def first_five(self, spot: Spot) -> int:
        """The class of a player's own two cards with the flop."""
        place = self._five.get(spot.order)
        if place is None:
            evaluator = self.terms.evaluator
            place = evaluator.places[evaluator.strength((*spot.hand.cards, *self.played.board[:3]))]
            self._five[spot.order] = place
        return place

    def read_on_five(self, spot: Spot) -> int | None:
        """The class of hole cards and flop, where something looked at it."""
        return self._five.get(spot.order)

    @property
    def highest(self) -> str | None:
        """The highest hand at the table, where something looked at it."""
        return None if self._highest is None else self.terms.order[self._highest]

    def by_table(self, name: str) -> Outcome | None:
        """The outcome of a wager on the highest hand at the table; racked hands do not count."""
        if self._highest is None:
            evaluator = self.terms.evaluator
            dealer = evaluator.strength((*self.played.dealer, *self.played.board))
            shown = [s.strength for s in self.spots if s.status != FOLDED]
            self._highest = evaluator.places[max([dealer, *shown])]
        outcomes = self.terms.outcomes[name]
        return outcomes[(self.dealt - 2) * len(self.terms.order) + self._highest]

    def envious(self, hand: PlayerHand) -> bool:
        """Whether a hand carries the wager that envy goes with, large enough."""
        wager = self.terms.rulebook.wagers["envy"]
        if "envy" not in self.terms.tables:
            return False
        beside = wager.beside.value if wager.beside else ()
        stakes = [hand.stakes[name] for name in beside if name in hand.stakes]
        return any(wager.least is None or stake >= wager.least.value for stake in stakes)

    def triggers(self) -> list[tuple[Spot, int, str | None]]:
        """The hands that pay envy to others, from the dealer's right: what each lists, by which clause."""
        if self._triggers is None:
            outcomes = self.terms.outcomes["envy"]
            on_five = "progressive" in self.terms.on_five
            self._triggers = []
            for spot in sorted(self.spots, key=lambda s: (-s.hand.seat, s.hand.number)):
                outcome = outcomes[self.first_five(spot) if on_five else spot.place]
                if outcome is not None and type(outcome.pays) is Flat:
                    self._triggers.append((spot, outcome.pays.amount, outcome.clause))
        return self._triggers

    def envy(self, hand: PlayerHand, other: Spot, listed: int) -> int | None:
        """What another hand's cards pay this one of the amount listed; None for a hand that is left out."""
        wager = self.terms.rulebook.wagers["envy"]
        if wager.excludes is not None:
            by_player = wager.excludes.value == "player"
            if other.hand.player == hand.player if by_player else other.hand is hand:
                return None
        amounts = self.terms.table("envy")
        base = amounts.base.value if amounts and amounts.base else None
        return listed if base is None else listed * hand.stakes["progressive"] // base
