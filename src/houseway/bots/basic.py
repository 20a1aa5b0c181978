"""A sensible player: the usual short strategy for two cards, the house way for four."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import DECK, RANKS, Card, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View
from houseway.ranking import read

STEPS = 2
"""How many times the least amount it bets."""

LOWEST = {"A": ("2", "2"), "K": ("2", "5"), "Q": ("6", "8"), "J": ("8", "T")}
"""By the higher of two cards, the lowest partner it plays before the flop: suited, and not."""
LOWEST_PAIR = "3"
KICKER = "T"
"""The lowest card of its own with which it plays four of a suit."""
OUTS = 21
"""From so many cards of the dealer's that beat it on, it folds."""


class Basic:
    """Bets the wager that gets it dealt in and no side bet; plays the most where it plays at all."""

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The first wager there is, a little above the least."""
        main = next((spot for spot in view.yours.spots if not spot.beside), None)
        if main is None:
            return {}
        stake = main.least * STEPS
        return {main.wager: stake if main.most is None else min(stake, main.most)}

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Play, or what costs nothing; of four cards what the house way keeps."""
        own = cards(" ".join(view.yours.cards[0]))
        kept = [option for option in options if isinstance(option.command, c.Keep)]
        if kept:
            return _by_the_house_way(table, own, kept)
        plays = [option for option in options if isinstance(option.command, c.Play)]
        board = cards(" ".join(view.table.board))
        if plays and _worth_playing(table, own, board):
            return max(plays, key=lambda option: option.costs)
        return next(option for option in options if not isinstance(option.command, c.Play))


def _by_the_house_way(table: Table, four: tuple[Card, ...], options: Sequence[Option]) -> Option:
    way = table.book.house_way
    wanted = set(way.keep(four)[0]) if way is not None else set(four[:2])
    return next(o for o in options if isinstance(o.command, c.Keep) and set(o.command.cards) == wanted)


def _worth_playing(table: Table, own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    if not board:
        return strong(own)
    hand = read((*own, *board), table.terms.order)
    paired = any(mine.rank == other.rank for mine in own for other in (*board, *own) if other is not mine)
    if len(board) < table.board_size:
        pocket_twos = {card.rank for card in own} == {0} and hand.name == "pair"
        made = hand.name not in ("pair", "high card")
        return made or (paired and not pocket_twos) or _four_to_a_flush(own, board)
    shared = read(board, table.terms.order)
    unseen = [card for card in DECK if card not in own and card not in board]
    beaten = sum(read((*board, card), table.terms.order).key > hand.key for card in unseen)
    return hand.place < shared.place or beaten < OUTS


def strong(own: tuple[Card, ...]) -> bool:
    """Whether two cards are worth the most before the flop."""
    high, low = sorted(own, key=lambda card: -card.rank)
    if high.rank == low.rank:
        return low.rank >= RANKS.index(LOWEST_PAIR)
    lowest = LOWEST.get(RANKS[high.rank])
    return lowest is not None and low.rank >= RANKS.index(lowest[high.suit != low.suit])


def _four_to_a_flush(own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    for mine in own:
        if mine.rank >= RANKS.index(KICKER) and sum(c.suit == mine.suit for c in (*own, *board)) >= 4:
            return True
    return False
