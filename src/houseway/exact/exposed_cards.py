"""What a seen card is worth: the main game for a player who sees cards before the first decision."""

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
from houseway.exact.exposed_pass import DECK, SeenPass, shown
from houseway.exact.kernels.exposed import CHOICE, PLAY, PLAYED, STANDING
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import Pays, read_pays, terms_of
from houseway.exact.solution import solve
from houseway.rules.rulebook import Rulebook

METHOD = "every deal counted in whole numbers; best play on every street with the seen cards known"


@dataclass(frozen=True, slots=True)
class Seen:
    """A game's exact value in antes to a player who sees cards and plays best with them."""

    rulebook: str
    hash: str
    dealer: int
    """How many of the dealer's two cards are seen."""
    flop: int
    """How many of the flop's three cards are seen before the flop."""
    value: Fraction
    unseen: Fraction
    """The value under best play with no card seen."""
    wagers: int
    """How many wagers of one ante each a hand starts with."""
    average_bet: Fraction
    actions: Mapping[str, int]
    """Deals that end with each choice."""
    deals: int
    """A deal counts once for each way in which its cards may be the seen ones."""
    seconds: float
    method: str = METHOD

    @property
    def edge(self) -> Fraction:
        """What the house wins of each ante; below zero the player has the edge."""
        return -self.value

    @property
    def edge_per_initial_bet(self) -> Fraction:
        """What the house wins of each unit a hand starts with."""
        return -self.value / self.wagers

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins of each unit wagered."""
        return -self.value / self.average_bet

    @property
    def gain(self) -> Fraction:
        """What seeing is worth, in antes."""
        return self.value - self.unseen


def seen(game: Terms | Rulebook, dealer: int = 1, flop: int = 0, *, threads: int | None = None,
         progress: Callable[[int, int], object] | None = None) -> Seen:  # fmt: skip
    """Solve the main game for a player who sees one or both of the dealer's cards and perhaps a flop card.

    Cards are seen before the first decision and used perfectly on every street; ties go to check and to
    fold. `progress` is told how many parts of the work are done, and of how many.
    """
    if dealer not in (1, 2) or flop not in (0, 1):
        raise ValueError(
            f"{dealer} of the dealer's cards and {flop} of the flop's: a player may see one or two of the "
            "dealer's cards, and one of the flop's beside them or none"
        )
    terms = terms_of(game)
    threads = threads or CORES
    unseen = solve(terms, threads=threads).value
    began = time.perf_counter()
    pays = read_pays(terms)
    work = SeenPass(pays, terms.order, dealer, threads)
    deals_of_flop = work.runouts * work.dealers
    deals_of_hand = comb(DECK - 2 - dealer - flop, 3 - flop) * deals_of_flop
    total = deals = 0
    actions: Counter[int] = Counter()
    parts = shown(dealer)
    for done, part in enumerate(parts, 1):
        for cards, sums in work.met(part, by_card=flop > 0):
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
    return Seen(
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
    pays: Pays, sums: Integers, deals_of_flop: int, deals_of_hand: int
) -> tuple[int, list[tuple[int, int]]]:
    """Choose before the flop for every hand: what all comes to, and the deals in which a size is played."""
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
