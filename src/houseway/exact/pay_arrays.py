"""The payments of the main game as arrays of integers, read from the pay tables that settlement uses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms, read_terms
from houseway.errors import InputError
from houseway.money import Odds
from houseway.rules.compile import Outcome
from houseway.rules.options import SHOOTOUT, ULTIMATE
from houseway.rules.rulebook import Rulebook
from houseway.rules.stages import Stage

DEALER_HANDS = 990
"""The number of two-card hands that the dealer may have when a player's two cards and the board are
known."""
DEALS_PER_HAND = 19_600 * 1_081 * DEALER_HANDS
"""The number of deals for one pair of hole cards: every flop, turn and river, and dealer hand."""
LOSE, TIE, WIN = range(3)
BOARDS = (0, 3, 5)


class UnsolvableError(InputError, ValueError):
    """Raised if the exact analysis cannot price a game under these terms."""


@dataclass(frozen=True, slots=True)
class Street:
    """The choices at one betting point."""

    sizes: tuple[int, ...]
    checks: bool
    folds: bool


@dataclass(frozen=True, slots=True, eq=False)
class PayArrays:
    """The net results of the main game's wagers, in integers.

    The indexes of an array are whether the dealer qualifies, the contest (lose, tie or win) and the class
    of the player's hand.
    """

    unit: int
    """The number of integer units in one ante."""
    wagers: int
    """The number of wagers of one ante each that a hand starts with."""
    standing: NDArray[np.int64]
    """The result of ante and blind if the hand plays."""
    play: NDArray[np.int64]
    """The result of a 1x play wager."""
    folded: NDArray[np.int64]
    """The result of ante and blind if the hand folds."""
    qualifier: int
    """The place of the lowest class that qualifies the dealer; the last place if every hand qualifies."""
    streets: tuple[Street, Street, Street]
    """The betting points before the flop, after the flop and after the river."""

    @property
    def largest(self) -> int:
        """An upper bound on what any hand can win or lose, in integer units."""
        most = max(max(s.sizes, default=0) for s in self.streets)
        tables = (abs(self.standing).max(), most * abs(self.play).max(), abs(self.folded).max())
        return sum(map(int, tables)) + 1

    def linear(self, dealers: int = DEALER_HANDS) -> NDArray[np.int64]:
        """Return the sum of each array over `dealers` dealer hands as a linear function of three counts.

        For each hand class, the four coefficients are a constant and the amounts to add for each dealer
        hand that does not qualify, that is beaten, and that ties. These three counts are enough, because if
        only one hand reaches the qualifier, that hand wins.
        """
        tables = np.stack([self.standing, self.play, self.folded])
        reaches = np.arange(tables.shape[3]) <= self.qualifier
        low, high = tables[:, 0], tables[:, 1]
        own = np.where(reaches, high, low)
        unqualified = np.where(reaches, low[:, WIN] - high[:, WIN], low[:, LOSE] - high[:, LOSE])
        beaten, tied = own[:, WIN] - own[:, LOSE], own[:, TIE] - own[:, LOSE]
        parts = np.stack([dealers * high[:, LOSE], unqualified, beaten, tied], axis=2)
        return np.ascontiguousarray(parts.transpose(1, 0, 2).reshape(tables.shape[3], -1))


def too_large(pays: PayArrays) -> UnsolvableError:
    """Return the error for payments whose sum over all deals overflows a 64-bit integer."""
    return UnsolvableError(
        f"a hand may win {pays.largest}/{pays.unit} antes, which overflows a 64-bit sum over all deals; "
        "lower the odds or use simpler ones"
    )


def terms_of(game: Terms | Rulebook) -> Terms:
    """Return `game` if it is `Terms`; for a rulebook, return its terms with default settings."""
    return game if isinstance(game, Terms) else read_terms(game, {})[0]


def read_pays(terms: Terms) -> PayArrays:
    """Return the payments of the main game under these terms, without limits on winnings and without
    rounding."""
    book = terms.rulebook
    if book.game != ULTIMATE or book.ranking.decks != 1:
        only = "this analysis handles only Ultimate Texas Hold'em with one deck"
        if book.game == SHOOTOUT:
            wrong = f"{book.id} is a Texas Shootout rulebook"
            raise UnsolvableError(f"{wrong}; {only} (from Python, use exact.shootout)")
        raise UnsolvableError(f"{book.id} has {book.ranking.decks} decks; {only}")
    staked = [w.name for w in terms.wagers if w.group.against_dealer and not w.optional]
    others = [w.name for w in terms.wagers if not w.optional and w.name not in staked]
    if "ante" not in staked or "play" not in terms.outcomes or others:
        raise UnsolvableError(
            f"{book.id}: cannot price the wagers {', '.join([*staked, *others])}; the main game must be an "
            "ante, wagers equal to it and a play wager, all settled at the showdown"
        )
    standing = [_fractions(terms, name, folded=False) for name in staked]
    folded = [_fractions(terms, name, folded=True) for name in staked]
    play = _fractions(terms, "play", folded=False)
    unit = lcm(*(pay.denominator for table in (*standing, *folded, play) for pay in table))
    places = len(terms.order)
    return PayArrays(
        unit,
        len(staked),
        _whole(standing, unit, places),
        _whole([play], unit, places),
        _whole(folded, unit, places),
        places - 1 if terms.qualifier is None else terms.qualifier,
        _streets(book),
    )


def _fractions(terms: Terms, name: str, *, folded: bool) -> list[Fraction]:
    """Return the net result of a unit wager in each cell of the showdown, for a hand that plays or
    folds."""
    outcomes = terms.outcomes[name]
    size = len(outcomes) // 3
    cells = terms.rulebook.domain(terms.groups[name])
    listed = cells.cells()
    nets = []
    for at in range(size * folded, size * (folded + 1)):
        outcome = outcomes[at]
        if outcome is None and cells.possible(listed[at]):
            where = dict(zip(cells.names, listed[at], strict=True))
            raise UnsolvableError(f"{terms.rulebook.id}: {name} has no row for {where}; add one")
        nets.append(Fraction(0) if outcome is None else net(outcome, f"{terms.rulebook.id}: {name}"))
    return nets


def net(outcome: Outcome, where: str, subject: str = "the main game") -> Fraction:
    """Return the net result of an outcome for a unit stake. A stake that is not returned is subtracted."""
    if outcome.result != "win":
        return Fraction(-1 if outcome.result == "lose" else 0)
    if not isinstance(outcome.pays, Odds):
        raise UnsolvableError(f"{where} pays {outcome.pays}; {subject} must pay odds, push or lose")
    return outcome.pays.ratio - outcome.keeps


def _whole(tables: list[list[Fraction]], unit: int, places: int) -> NDArray[np.int64]:
    sums = [int(sum(cell) * unit) for cell in zip(*tables, strict=True)]
    most = max(map(abs, sums))
    if most > 2**31:
        raise UnsolvableError(
            f"a wager may win {most}/{unit} times its stake, which is too much to count; "
            "lower the odds or use simpler ones"
        )
    return np.array(sums, np.int64).reshape(2, 3, places)


def _streets(book: Rulebook) -> tuple[Street, Street, Street]:
    stages = {stage.board: stage for stage in book.stages}
    odd = [s.name for s in book.stages if s.board not in BOARDS or (s.fold and s.board != BOARDS[-1])]
    river = stages.get(BOARDS[-1])
    if odd or river is None or len(stages) != len(book.stages) or not river.sizes:
        raise UnsolvableError(
            f"{book.id}: cannot price {', '.join(odd) or 'the stages'}; betting points must be before the "
            "flop, after it and after the river, with a fold after the river only"
        )
    before, flop, last = (_street(stages.get(board)) for board in BOARDS)
    return before, flop, Street(last.sizes, checks=False, folds=last.folds)


def _street(stage: Stage | None) -> Street:
    if stage is None:
        return Street((), checks=True, folds=False)
    sizes = tuple(sorted(stage.sizes.value)) if stage.sizes else ()
    return Street(sizes, checks=stage.check is not None or not sizes, folds=stage.fold is not None)
