"""The facts of the showdown: the player's hand against the dealer's, whether the dealer qualifies, and
folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from houseway.cards import RANK_WORDS
from houseway.ranking import Hand, HandClass
from houseway.rules.fact_groups.base import (
    HAND,
    Domain,
    Fact,
    FactGroup,
    HandFacts,
    Inputs,
    Payment,
    subject,
)

FOLDED: Final = ("no", "racked", "held")
"""Not folded; folded and racked; folded with the cards held under a trips wager."""
QUALIFIES: Final = (False, True)
CONTEST: Final = ("lose", "tie", "win")
LOSE, TIE, WIN = range(3)
EITHER: Final = {False: frozenset(FOLDED[:1]), True: frozenset(FOLDED[1:])}
FOLDS: Final = {
    True: "the player folds",
    False: "the player does not fold",
    "no": "the player does not fold",
    "held": "the player folds and the cards are held under the trips wager",
    "racked": "the player folds and the cards are racked",
}
REACHES: Final = {False: "the dealer does not qualify", True: "the dealer qualifies"}
BEATS: Final = {"lose": "the dealer's hand wins", "tie": "the hands tie", "win": "the player's hand wins"}
NOT_QUALIFIED: Final = "The dealer does not qualify"


class Showdown(FactGroup):
    """The player's hand against the dealer's."""

    name = "showdown"
    about = "A bet against the dealer's hand"
    reads = Inputs.SHOWDOWN

    @staticmethod
    def index(status: int, qualifies: int, contest: int, place: int, places: int) -> int:
        """Return the number of the cell."""
        return ((status * 2 + qualifies) * 3 + contest) * places + place

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return the facts: folding, qualifying, the contest and the player's hand."""
        return (
            Fact("folded", FOLDED, "folded or not, and whether trips holds the cards", EITHER, FOLDS),
            Fact("dealer_qualifies", QUALIFIES, "the dealer's hand reaches the qualifier", words=REACHES),
            Fact("contest", CONTEST, "the player's hand against the dealer's", words=BEATS),
            Fact(HAND, tuple(classes), "the player's best five"),
        )

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return a function that reads how the hand compares with the dealer's."""
        index = self.index
        return lambda hand: index(hand.status, hand.qualifies, hand.contest, hand.place, places)

    def possible(self, at: Mapping[str, Any], domain: Domain) -> bool:
        """True unless the contest contradicts the qualifier.

        A dealer below the qualifier loses to every hand at or above it. A dealer who qualifies beats every
        hand below it.
        """
        if domain.qualifier is None:
            return True
        reaches = domain.hands.index(at[HAND]) <= domain.qualifier
        if at["dealer_qualifies"] == reaches:
            return True
        return bool(at["contest"] == ("win" if reaches else "lose"))

    def reason(self, settled: Payment) -> str:
        """Return a sentence that compares the two hands, or names what else decides."""
        if settled.folded:
            return "Folded"
        own, dealer, result = settled.own, settled.dealer, settled.result
        unqualified = result == "push" and settled.unqualified
        if own is None and unqualified:
            # Some procedures push the wager before the hand is turned up.
            return NOT_QUALIFIED
        if own is None or dealer is None:
            return {"win": "Won", "push": "Push"}.get(result, "Lost")
        if own.key == dealer.key:
            return f"A tie: both have {own.words}"
        if own.key < dealer.key:
            lost = compared(own, "loses to", dealer)
            return lost if result == "lose" else f"{lost}, but the dealer does not qualify"
        if unqualified:
            return NOT_QUALIFIED
        if settled.pays_by_hand:
            paid = f"pays {settled.odds}" if result == "win" else "pushes"
            return f"A winning {own.name} {paid}"
        won = compared(own, "beats", dealer)
        return f"{won}: {settled.odds}" if settled.odds else won


def compared(own: Hand, verb: str, dealer: Hand) -> str:
    """Return a comparison with the dealer's hand; if both read the same, it names the deciding cards."""
    words = f"{subject(own.words)} {verb} the dealer's {dealer.words}"
    if own.words != dealer.words:
        return words
    one, other = next(pair for pair in zip(own.ranks, dealer.ranks, strict=True) if pair[0] != pair[1])
    return f"{words}, {RANK_WORDS[one]} against {RANK_WORDS[other]}"


GROUP = Showdown()
