"""The kinds of position: a closed list. Every decision has exactly one kind, computed from its cards.

So the losses of all kinds add up to the whole loss. The names are stable; records of a player's progress
contain them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from houseway.cards import DECK, RANKS, Card
from houseway.engine.terms import Terms
from houseway.school.player_decisions import BEFORE, FLOP, FOUR_CARDS, RIVER, Decision, Street
from houseway.school.position_facts import flop_facts

SIX, SEVEN, TEN, JACK, QUEEN, KING, ACE = (RANKS.index(rank) for rank in "67TJQKA")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of position."""

    name: str
    street: Street
    words: str


_LISTED: Final = (
    Kind("pair-22-55", BEFORE, "pair of twos to fives"),
    Kind("pair-66-aa", BEFORE, "pair of sixes or higher"),
    Kind("ace-high", BEFORE, "ace high"),
    Kind("king-low-kicker", BEFORE, "king with a kicker of two to seven"),
    Kind("king-high-kicker", BEFORE, "king with a kicker of eight or higher"),
    Kind("queen-low-kicker", BEFORE, "queen with a kicker of two to seven"),
    Kind("queen-high-kicker", BEFORE, "queen with a kicker of eight or higher"),
    Kind("jack-low-kicker", BEFORE, "jack with a kicker of two to seven"),
    Kind("jack-high-kicker", BEFORE, "jack with a kicker of eight to ten"),
    Kind("ten-high-or-lower", BEFORE, "ten high or lower"),
    Kind("flop-straight-or-better", FLOP, "straight or better on the flop"),
    Kind("flop-three-of-a-kind", FLOP, "three of a kind on the flop"),
    Kind("flop-two-pair", FLOP, "two pair on the flop"),
    Kind("flop-pocket-pair", FLOP, "pair in hand after the flop"),
    Kind("flop-hidden-pair", FLOP, "hidden pair: a hole card pairs the flop"),
    Kind("flop-flush-draw-high", FLOP, "four to a flush with a ten or higher"),
    Kind("flop-flush-draw-low", FLOP, "four to a flush with a nine or lower"),
    Kind("flop-board-pair", FLOP, "pair on the flop, not in your hand"),
    Kind("flop-straight-draw", FLOP, "four to a straight, eight or more outs"),
    Kind("flop-ace-high", FLOP, "ace in hand, no pair"),
    Kind("flop-king-high", FLOP, "king in hand, no pair"),
    Kind("flop-queen-or-lower", FLOP, "queen or lower in hand, no pair"),
    Kind("river-straight-or-better", RIVER, "straight or better with your cards"),
    Kind("river-two-pair-or-trips", RIVER, "two pair or three of a kind with your cards"),
    Kind("river-own-pair", RIVER, "pair with your cards on an unpaired board"),
    Kind("river-board-made", RIVER, "two pair or better on the board, not improved by your cards"),
    Kind("river-paired-board-few", RIVER, "pair on the board, up to 20 cards against you"),
    Kind("river-paired-board-many", RIVER, "pair on the board, 21 or more cards against you"),
    Kind("river-17-or-fewer", RIVER, "no pair, up to 17 cards against you"),
    Kind("river-18-20", RIVER, "no pair, 18, 19 or 20 cards against you"),
    Kind("river-21-23", RIVER, "no pair, 21, 22 or 23 cards against you"),
    Kind("river-24-or-more", RIVER, "no pair, 24 or more cards against you"),
    Kind("four-of-a-kind", FOUR_CARDS, "four of a kind dealt"),
    Kind("three-of-a-kind", FOUR_CARDS, "three of a kind dealt"),
    Kind("two-pair", FOUR_CARDS, "two pair dealt"),
    Kind("pair-ten-or-higher", FOUR_CARDS, "pair of tens or higher dealt"),
    Kind("pair-nine-or-lower", FOUR_CARDS, "pair of nines or lower dealt"),
    Kind("no-pair-ace", FOUR_CARDS, "no pair, with an ace"),
    Kind("no-pair-king", FOUR_CARDS, "no pair, with a king"),
    Kind("no-pair-queen-or-lower", FOUR_CARDS, "no pair, queen or lower"),
)
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _LISTED}
"""Every kind, by name, in the order of the streets."""


def kind_of(terms: Terms, decision: Decision) -> Kind:
    """Return the kind of a decision."""
    hole, board = decision.hole, decision.board
    match decision.street:
        case "before the flop":
            name = _before(hole)
        case "after the flop":
            name = _flop(terms, hole, board)
        case "after the river":
            name = _river(terms, hole, board)
        case _:
            name = _four(hole)
    return KINDS[name]


def _before(hole: Sequence[Card]) -> str:
    low, high = sorted(card.rank for card in hole)
    if low == high:
        return "pair-22-55" if low < SIX else "pair-66-aa"
    kicker = "low" if low <= SEVEN else "high"
    names = {ACE: "ace-high", KING: f"king-{kicker}-kicker", QUEEN: f"queen-{kicker}-kicker"}
    return names.get(high, f"jack-{kicker}-kicker" if high == JACK else "ten-high-or-lower")


def _flop(terms: Terms, hole: Sequence[Card], flop: Sequence[Card]) -> str:
    facts = flop_facts(terms, hole, flop)
    if facts.hand not in ("high card", "pair", "two pair", "three of a kind"):
        return "flop-straight-or-better"
    if facts.hand != "high card" and not (facts.hand == "pair" and facts.board_pair):
        made = {"three of a kind": "flop-three-of-a-kind", "two pair": "flop-two-pair"}
        return made.get(facts.hand, "flop-pocket-pair" if facts.pocket else "flop-hidden-pair")
    if facts.flush_card >= 0:
        return "flop-flush-draw-high" if facts.flush_card >= TEN else "flop-flush-draw-low"
    if facts.board_pair:
        return "flop-board-pair"
    if facts.outs.get("straight", 0) + facts.outs.get("straight flush", 0) >= 8:
        return "flop-straight-draw"
    return {ACE: "flop-ace-high", KING: "flop-king-high"}.get(facts.high, "flop-queen-or-lower")


def cards_against(terms: Terms, hole: Sequence[Card], board: Sequence[Card]) -> int:
    """Return how many unseen cards beat the player after the river, each with the board alone."""
    by = terms.evaluator
    own = by.strength((*hole, *board))
    known = {*hole, *board}
    return sum(card not in known and by.strength((*board, card)) > own for card in DECK)


def _river(terms: Terms, hole: Sequence[Card], board: Sequence[Card]) -> str:
    by, order = terms.evaluator, terms.order
    hand = order[by.places[by.strength((*hole, *board))]]
    shown = order[by.places[by.strength(board)]]
    if hand != shown:
        made = {
            "pair": "river-own-pair",
            "two pair": "river-two-pair-or-trips",
            "three of a kind": "river-two-pair-or-trips",
        }
        return made.get(hand, "river-straight-or-better")
    if shown not in ("pair", "high card"):
        return "river-board-made"
    against = cards_against(terms, hole, board)
    if shown == "pair":
        return "river-paired-board-few" if against <= 20 else "river-paired-board-many"
    bands = ((17, "river-17-or-fewer"), (20, "river-18-20"), (23, "river-21-23"))
    return next((name for most, name in bands if against <= most), "river-24-or-more")


def _four(four: Sequence[Card]) -> str:
    groups = Counter(card.rank for card in four)
    sizes = sorted(groups.values(), reverse=True)
    if sizes[0] >= 3:
        return "four-of-a-kind" if sizes[0] == 4 else "three-of-a-kind"
    if sizes[:2] == [2, 2]:
        return "two-pair"
    if sizes[0] == 2:
        pair = next(rank for rank, number in groups.items() if number == 2)
        return "pair-ten-or-higher" if pair >= TEN else "pair-nine-or-lower"
    high = max(groups)
    return {ACE: "no-pair-ace", KING: "no-pair-king"}.get(high, "no-pair-queen-or-lower")
