"""The players that are programs: a sensible one, a beginner, an exact one, one that plays by chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from houseway.cards import DECK, RANKS, Card, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View
from houseway.ranking import read

DECISIONS = (c.Check, c.Play, c.Fold, c.Keep, c.Split)

STEPS = 2
"""How many times the least amount a sensible player bets."""
LOWEST = {"A": ("2", "2"), "K": ("2", "5"), "Q": ("6", "8"), "J": ("8", "T")}
"""By the higher of two cards, the lowest partner it plays before the flop: suited, and not."""
LOWEST_PAIR = "3"
KICKER = "T"
"""The lowest card of its own with which it plays four of a suit."""
OUTS = 21
"""From so many cards of the dealer's that beat it on, it folds."""
HIGH = "K"
"""The lowest card a beginner calls high."""
MOST_STEPS = 4
"""How many times the least amount a player that plays by chance bets at most."""


class Bot(Protocol):
    """A player that is a program. It is handed its seat's view, never the state of the table."""

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """Cents by wager for the round that opens; empty to sit it out."""
        ...

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """One of the decisions its seat is asked for."""
        ...


def decisions(options: Sequence[Option]) -> list[Option]:
    """Those of a seat's options that answer the dealer: no standing up, no leaving, no challenge."""
    return [option for option in options if isinstance(option.command, DECISIONS)]


class Basic:
    """The usual short strategy for two cards, the house way for four.

    Bets the wager that gets it dealt in and no side bet; plays the most where it plays at all.
    """

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The first wager there is, a little above the least."""
        main = next((spot for spot in view.yours.spots if not spot.beside), None)
        if main is None:
            return {}
        stake = main.least * STEPS
        return {main.wager: stake if main.most is None else min(stake, main.most)}

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Play, or what costs nothing; of four cards what the house way keeps."""
        own, board = _cards(view)
        kept = [option for option in options if isinstance(option.command, c.Keep)]
        if kept:
            return _by_the_house_way(table, own, kept)
        plays = _plays(options)
        if plays and _worth_playing(table, own, board):
            return max(plays, key=lambda option: option.costs)
        return _without_a_play(options)


class Beginner(Basic):
    """Likes a side bet; plays the least before the flop, with a pair or two high cards."""

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The least on the wager that gets it dealt in, and on the first side bet beside it."""
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            beside = len(wagers) == 1 and any(name in wagers for name in spot.beside)
            if beside or (not wagers and not spot.beside):
                wagers[spot.wager] = spot.least
        return wagers

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Play with any pair or better, or two high cards before the flop."""
        if table.shootout:
            return super().choose(table, view, options)
        own, board = _cards(view)
        if board:
            likes = read((*own, *board), table.terms.order).name != "high card"
        else:
            likes = own[0].rank == own[1].rank or all(card.rank >= RANKS.index(HIGH) for card in own)
        plays = _plays(options)
        return min(plays, key=lambda option: option.costs) if plays and likes else _without_a_play(options)


class Best(Basic):
    """Bets as the sensible player does; plays by exact values, and sensibly where there are none yet."""

    def __init__(self, ready: Callable[[], bool] = lambda: True) -> None:
        self._ready = ready
        """True if the solver is warm: no table waits for a compiler."""

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """The best choice there is."""
        if table.shootout or not self._ready():
            return super().choose(table, view, options)
        # Imported where it is wanted: the kernels take seconds to load.
        from houseway.exact import odds

        best = odds(table.terms, *_cards(view)).best
        return next((option for option in options if _called(option.command) == best), options[0])


class Chance:
    """Every side bet sometimes, every decision sometimes.

    Its choices follow from its seed, its seat and where the round stands, so that a game taken up again
    goes on as it would have.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The wagers that stand by themselves, and each of the others as a coin falls."""
        rng = self._rng(view)
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            first = not spot.beside and not wagers
            joins = not spot.beside or any(name in wagers for name in spot.beside)
            if first or (joins and rng.random() < 0.5):
                stake = spot.least if spot.exact else spot.least * rng.randint(1, MOST_STEPS)
                wagers[spot.wager] = stake if spot.most is None else min(stake, spot.most)
        return wagers

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Any of them."""
        return self._rng(view).choice(list(options))

    def _rng(self, view: View) -> Random:
        at = view.table
        return Random(f"{self._seed}/{view.yours.seat}/{at.round}/{at.step}")


def _cards(view: View) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """A seat's own cards, and the board."""
    return cards(" ".join(view.yours.cards[0])), cards(" ".join(view.table.board))


def _plays(options: Sequence[Option]) -> list[Option]:
    return [option for option in options if isinstance(option.command, c.Play)]


def _without_a_play(options: Sequence[Option]) -> Option:
    return next(option for option in options if not isinstance(option.command, c.Play))


def _called(command: c.Command) -> str:
    """A choice as the solver calls it."""
    return f"{command.times}x" if isinstance(command, c.Play) else type(command).__name__.lower()


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
    """True if two cards are worth the most before the flop."""
    high, low = sorted(own, key=lambda card: -card.rank)
    if high.rank == low.rank:
        return low.rank >= RANKS.index(LOWEST_PAIR)
    lowest = LOWEST.get(RANKS[high.rank])
    return lowest is not None and low.rank >= RANKS.index(lowest[high.suit != low.suit])


def _four_to_a_flush(own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    suits = [card.suit for card in (*own, *board)]
    return any(mine.rank >= RANKS.index(KICKER) and suits.count(mine.suit) >= 4 for mine in own)
