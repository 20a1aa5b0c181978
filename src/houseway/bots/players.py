"""The bots: basic strategy, a beginner, exact best play and random play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Protocol

from houseway.cards import DECK, RANKS, Card, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import RoleView
from houseway.ranking import read

DECISIONS: Final = (c.Check, c.Play, c.Fold, c.Keep, c.Split)
"""The commands by which players decide."""

STEPS = 2
"""The basic player's bet, as a multiple of the minimum."""
LOWEST = {"A": ("2", "2"), "K": ("2", "5"), "Q": ("6", "8"), "J": ("8", "T")}
"""For each high card, the lowest second card worth a play before the flop: suited, then offsuit."""
LOWEST_PAIR = "3"
KICKER = "T"
"""With four cards to a flush, the lowest hole card of that suit worth a play."""
OUTS = 21
"""After the river, a hand of no better class than the board is folded if at least this many unseen cards,
each combined with the board, would beat it."""
HIGH = "K"
"""The lowest card that a beginner counts as high."""
MOST_STEPS = 4
"""The random player's largest bet, as a multiple of the minimum."""


class Bot(Protocol):
    """A bot. It sees its seat's view, never the state of the table."""

    def bet(self, table: Table, view: RoleView) -> dict[str, int]:
        """Return the cents to bet on each wager; an empty dict sits the round out."""
        ...

    def choose(self, table: Table, view: RoleView, options: Sequence[Option]) -> Option:
        """Return one of the seat's options."""
        ...


def decisions(options: Sequence[Option]) -> list[Option]:
    """Return the options that play the hand; standing up, leaving and challenging are left out."""
    return [option for option in options if isinstance(option.command, DECISIONS)]


class Basic:
    """Plays Ultimate Texas Hold'em by the well-known short strategy, and Texas Shootout by the house way.

    It makes no side bets. When it plays, it makes the largest play.
    """

    def bet(self, table: Table, view: RoleView) -> dict[str, int]:
        """Bet twice the minimum on the main wager."""
        main = next((spot for spot in view.yours.spots if not spot.beside), None)
        if main is None:
            return {}
        stake = main.least * STEPS
        return {main.wager: stake if main.most is None else min(stake, main.most)}

    def choose(self, table: Table, view: RoleView, options: Sequence[Option]) -> Option:
        """Play a good hand; otherwise check or fold. Keep two of four cards by the house way."""
        own, board = _cards(view)
        keeps = [option for option in options if isinstance(option.command, c.Keep)]
        if keeps:
            return _by_the_house_way(table, own, keeps)
        plays = _plays(options)
        if plays and _worth_playing(table, own, board):
            return max(plays, key=lambda option: option.costs)
        return _without_a_play(options)


class Beginner(Basic):
    """Makes a side bet, and makes the smallest play with a pair or, before the flop, two high cards."""

    def bet(self, table: Table, view: RoleView) -> dict[str, int]:
        """Bet the minimum on the main wager and on its first side bet."""
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            beside = len(wagers) == 1 and any(name in wagers for name in spot.beside)
            if beside or (not wagers and not spot.beside):
                wagers[spot.wager] = spot.least
        return wagers

    def choose(self, table: Table, view: RoleView, options: Sequence[Option]) -> Option:
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
    """Bets like the basic player and decides by exact values. It plays basic until the solver is ready."""

    def __init__(self, ready: Callable[[], bool] = lambda: True) -> None:
        self._ready = ready
        """Returns True once the solver is compiled. No table waits for it."""

    def choose(self, table: Table, view: RoleView, options: Sequence[Option]) -> Option:
        """Return the option with the highest exact value."""
        if table.shootout or not self._ready():
            return super().choose(table, view, options)
        # Imported here: the kernels take seconds to load.
        from houseway.exact import odds

        best = odds(table.terms, *_cards(view)).best
        return next((option for option in options if _called(option.command) == best), options[0])


class Chance:
    """Bets and decides at random.

    Its choices depend only on its seed, its seat, the round and the step, so that a resumed game
    continues unchanged.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def bet(self, table: Table, view: RoleView) -> dict[str, int]:
        """Bet the main wager, and each other wager with a chance of one half."""
        rng = self._rng(view)
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            first = not spot.beside and not wagers
            joins = not spot.beside or any(name in wagers for name in spot.beside)
            if first or (joins and rng.random() < 0.5):
                stake = spot.least if spot.exact else spot.least * rng.randint(1, MOST_STEPS)
                wagers[spot.wager] = stake if spot.most is None else min(stake, spot.most)
        return wagers

    def choose(self, table: Table, view: RoleView, options: Sequence[Option]) -> Option:
        """Return a random option."""
        return self._rng(view).choice(list(options))

    def _rng(self, view: RoleView) -> Random:
        at = view.table
        return Random(f"{self._seed}/{view.yours.seat}/{at.round}/{at.step}")


def _cards(view: RoleView) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the seat's own cards and the board."""
    return cards(" ".join(view.yours.cards[0])), cards(" ".join(view.table.board))


def _plays(options: Sequence[Option]) -> list[Option]:
    """Return the plays without a tip."""
    return [option for option in options if isinstance(option.command, c.Play) and not option.command.tip]


def _without_a_play(options: Sequence[Option]) -> Option:
    return next(option for option in options if not isinstance(option.command, c.Play))


def _called(command: c.Command) -> str:
    """Return the solver's name for a choice."""
    return f"{command.times}x" if isinstance(command, c.Play) else type(command).__name__.lower()


def _by_the_house_way(table: Table, four: tuple[Card, ...], options: Sequence[Option]) -> Option:
    way = table.book.house_way
    two = set(way.keep(four)[0]) if way is not None else set(four[:2])
    return next(o for o in options if isinstance(o.command, c.Keep) and set(o.command.cards) == two)


def _worth_playing(table: Table, own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    if not board:
        return strong(own)
    hand = read((*own, *board), table.terms.order)
    paired = any(mine.rank == other.rank for mine in own for other in (*board, *own) if other is not mine)
    if len(board) < table.board_size:
        pocket_twos = {card.rank for card in own} == {0} and hand.name == "pair"
        better_than_pair = hand.name not in ("pair", "high card")
        return better_than_pair or (paired and not pocket_twos) or _four_to_a_flush(own, board)
    shared = read(board, table.terms.order)
    unseen = [card for card in DECK if card not in own and card not in board]
    beaten = sum(read((*board, card), table.terms.order).key > hand.key for card in unseen)
    return hand.place < shared.place or beaten < OUTS


def strong(own: tuple[Card, ...]) -> bool:
    """True if two cards are worth the largest play before the flop."""
    high, low = sorted(own, key=lambda card: -card.rank)
    if high.rank == low.rank:
        return low.rank >= RANKS.index(LOWEST_PAIR)
    lowest = LOWEST.get(RANKS[high.rank])
    return lowest is not None and low.rank >= RANKS.index(lowest[high.suit != low.suit])


def _four_to_a_flush(own: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    suits = [card.suit for card in (*own, *board)]
    return any(mine.rank >= RANKS.index(KICKER) and suits.count(mine.suit) >= 4 for mine in own)
