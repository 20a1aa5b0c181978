"""The value of exposed cards: solve the main game for a player who sees cards before the first decision."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from houseway.engine.terms import Terms
from houseway.exact.board_counts import CORES
from houseway.exact.exposed_pass import DECK, ExposedPass, shown
from houseway.exact.kernels.exposed_hands import CHOICE, PLAY, PLAYED, STANDING
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import PayArrays, read_pays, terms_of
from houseway.exact.solution import solve
from houseway.rules.rulebook import Rulebook

METHOD = "every deal counted in integers; best play on every street given the exposed cards"


@dataclass(frozen=True, slots=True)
class Exposure:
    """A game's exact value in antes for a player who sees exposed cards and plays perfectly."""

    rulebook: str
    hash: str
    dealer: int
    """How many of the dealer's two cards are exposed."""
    flop: int
    """How many of the three flop cards are exposed before the flop."""
    value: Fraction
    unseen: Fraction
    """The value under best play with no card exposed."""
    wagers: int
    """The number of wagers of one ante each that a hand starts with."""
    average_bet: Fraction
    actions: Mapping[str, int]
    """The number of deals that end with each choice."""
    deals: int
    """The number of deals. A deal counts once for each set of its cards that could be exposed."""
    seconds: float
    method: str = METHOD

    @property
    def edge(self) -> Fraction:
        """The house edge per ante; negative if the player has the advantage."""
        return -self.value

    @property
    def edge_per_initial_bet(self) -> Fraction:
        """The house edge per unit of the initial wagers."""
        return -self.value / self.wagers

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit wagered in total."""
        return -self.value / self.average_bet

    @property
    def gain(self) -> Fraction:
        """The value of seeing the cards, in antes."""
        return self.value - self.unseen


def seen(game: Terms | Rulebook, dealer: int = 1, flop: int = 0, *, threads: int | None = None,
         progress: Callable[[int, int], object] | None = None) -> Exposure:  # fmt: skip
    """Solve the main game for a player who sees one or both dealer cards and perhaps a flop card.

    The player sees the cards before the first decision and plays perfectly on every street. If two choices
    have the same value, the player checks or folds. After each part of the work, `progress` is called with
    the number of finished parts and the number of all parts.
    """
    if dealer not in (1, 2) or flop not in (0, 1):
        raise ValueError(f"dealer must be 1 or 2 and flop 0 or 1 (got dealer={dealer}, flop={flop})")
    terms = terms_of(game)
    threads = threads or CORES
    unseen = solve(terms, threads=threads).value
    began = time.perf_counter()
    pays = read_pays(terms)
    work = ExposedPass(pays, terms.order, dealer, threads)
    deals_of_flop = work.runouts * work.dealers
    deals_of_hand = comb(DECK - 2 - dealer - flop, 3 - flop) * deals_of_flop
    total = deals = 0
    actions: Counter[int] = Counter()
    parts = shown(dealer)
    for done, part in enumerate(parts, 1):
        for cards, sums in work.hand_sums(part, by_card=flop > 0):
            best, plays = _first_choice(pays, sums, deals_of_flop, deals_of_hand)
            total += cards.alike * best
            deals += cards.alike * len(sums) * deals_of_hand
            for size, number in plays:
                actions[size] += cards.alike * number
        if progress is not None:
            progress(done, len(parts))
    staked = sum(size * number for size, number in actions.items())
    if folds := deals - actions.total():
        actions[0] = folds
    book = terms.rulebook
    return Exposure(
        book.id,
        book.hash,
        dealer,
        flop,
        Fraction(total, pays.unit * deals),
        unseen,
        pays.wagers,
        pays.wagers + Fraction(staked, deals),
        {f"{size}x" if size else "fold": n for size, n in sorted(actions.items(), reverse=True) if n},
        deals,
        time.perf_counter() - began,
    )


def _first_choice(
    pays: PayArrays, sums: Integers, deals_of_flop: int, deals_of_hand: int
) -> tuple[int, list[tuple[int, int]]]:
    """Make the best preflop choice for every hand.

    Returns the total value, and the number of deals that end with each size of play wager.
    """
    before, after, river = pays.streets
    plays = [sums[:, STANDING] + size * sums[:, PLAY] for size in before.sizes]
    options = [sums[:, CHOICE], *plays] if before.checks else plays
    choice = np.argmax(options, axis=0) + (not before.checks)
    checked = sums[choice == 0, PLAYED:].sum(axis=0).tolist()
    counts = [
        *((size, int((choice == n).sum()) * deals_of_hand) for n, size in enumerate(before.sizes, 1)),
        *((size, number * deals_of_flop) for size, number in zip(after.sizes, checked, strict=False)),
        *zip(river.sizes, checked[len(after.sizes) :], strict=True),
    ]
    return sum(np.max(options, axis=0).tolist()), counts
