"""A hand during settlement, with the facts that decide its wagers. Costly facts are computed on demand."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import Card
from houseway.engine.finished_round import FOLDED, STANDING, FinishedRound, PlayerHand
from houseway.engine.settlement_plan import CappedWinnings
from houseway.engine.terms import Terms
from houseway.ranking.fast_evaluator import KEY
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, NO_ROYAL
from houseway.rules.fact_groups.showdown import LOSE, TIE, WIN

FLOP = 3
FIVE = 5


class TableFacts:
    """The facts of a round that all hands share."""

    def __init__(self, terms: Terms, played: FinishedRound) -> None:
        self.evaluator = terms.evaluator
        self.order = terms.order
        self.royal = terms.royal
        self.board = played.board
        self.board_sum = sum([KEY[c] for c in played.board])
        # Folded hands are settled before the dealer's cards are known, and do not depend on them.
        self.dealer = self.strength(played.dealer) if played.dealer else 0
        """The strength of the dealer's hand."""
        self.qualifies = terms.qualifier is None or self.evaluator.places[self.dealer] <= terms.qualifier
        self.spots: list[SettledHand] = []
        self.hands_dealt = len(played.hands) + 1
        """The number of hands dealt, including the dealer's and void hands."""
        self._highest: int | None = None

    def strength(self, held: tuple[Card, ...]) -> int:
        """Return the strength of the hand that cards make with the board."""
        total = self.board_sum
        for c in held:
            total += KEY[c]
        return self.evaluator.of_sum(total, (*self.board, *held))

    def place(self, cards: Sequence[Card]) -> int:
        """Return the class of hand that cards make, as a position in the order of classes."""
        return self.evaluator.places[self.evaluator.strength(cards)]

    @property
    def highest(self) -> int:
        """The class of the highest hand at the table, not counting racked hands."""
        if self._highest is None:
            strengths = [s.strength for s in self.spots if s.status != FOLDED]
            self._highest = self.evaluator.places[max([self.dealer, *strengths])]
        return self._highest

    @property
    def highest_read(self) -> str | None:
        """The class of the highest hand, or None if no wager depended on it."""
        return None if self._highest is None else self.order[self._highest]


class SettledHand:
    """A hand during settlement, with the facts that fact groups read."""

    def __init__(self, hand: PlayerHand, table: TableFacts) -> None:
        self.hand = hand
        self.table = table
        # The wagers not yet settled; each is removed when it is settled.
        self.stakes = dict(hand.stakes)
        self.tips = dict(hand.tips)
        self.staked = 0
        self.returned = 0
        self.winnings: CappedWinnings | None = None
        self.first_five_read: int | None = None
        """The class of the hole cards with the flop, once a wager has used it."""
        self.status = STANDING
        self.strength = strength = table.strength(hand.cards)
        self.place = table.evaluator.places[strength]
        self.made = NO_ROYAL if self.place != table.royal else self._royal(table.royal)
        self.qualifies = table.qualifies
        dealer = table.dealer
        self.contest = WIN if strength > dealer else TIE if strength == dealer else LOSE

    def _royal(self, royal: int) -> int:
        # In training, a hand may be settled although a community card was never dealt.
        board = self.table.board
        if len(board) >= FIVE and self.table.place(board) == royal:
            return COMMUNITY
        first = (*self.hand.cards, *self.table.board[:FLOP])
        return FIRST_FIVE if self.table.place(first) == royal else FIRST_SEVEN

    @property
    def first_five(self) -> int:
        """The class of the hole cards with the flop."""
        if self.first_five_read is None and not self.hand.cards:
            self.first_five_read = self._least_five()
        if self.first_five_read is None:
            self.first_five_read = self.table.place((*self.hand.cards, *self.table.board[:FLOP]))
        return self.first_five_read

    def _least_five(self) -> int:
        """Return the lowest class that two unknown cards can have with the flop.

        Needed only for old records, in which the dealer could take a folded hand with a
        progressive bet unseen.
        """
        flop, order = self.table.board[:FLOP], self.table.order
        equal_ranks = max((sum(card.rank == other.rank for other in flop) for card in flop), default=1)
        name = {2: "pair", 3: "three of a kind"}.get(equal_ranks, "")
        return order.index(name) if name in order else len(order) - 1

    @property
    def first_five_made(self) -> int:
        """FIRST_FIVE if the hole cards and the flop make a royal flush, otherwise NO_ROYAL."""
        return FIRST_FIVE if self.first_five == self.table.royal else NO_ROYAL

    @property
    def hole(self) -> tuple[int, ...]:
        """The player's cards as numbers."""
        return tuple([card.number for card in self.hand.cards])

    @property
    def flop(self) -> tuple[int, ...]:
        """The flop as card numbers."""
        return tuple([card.number for card in self.table.board[:FLOP]])

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, the dealer's included."""
        return self.table.hands_dealt

    @property
    def highest(self) -> int:
        """The class of the highest hand at the table."""
        return self.table.highest
