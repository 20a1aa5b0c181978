"""The exact figures of one game for reviews: the value and variance of a round, and values of side bets.

A game is solved once per process, as for `houseway odds`. Texas Shootout has figures for the whole round
only once its hands have been counted (`houseway solve shootout-sd`). The values of single decisions do not
need that count, but without it each hand takes seconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from houseway.engine.terms import Terms
from houseway.exact import outcomes, solve, wagers
from houseway.exact.advice import odds
from houseway.exact.outcome_table import Counts
from houseway.exact.pay_arrays import read_pays, terms_of
from houseway.exact.progressive_values import Progressive
from houseway.exact.shootout import cached_hands
from houseway.exact.shootout import odds as shootout_odds
from houseway.exact.shootout_strategies import BEST, price
from houseway.exact.solution import StartingHand
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook
from houseway.school.player_decisions import Decision


@dataclass(frozen=True, slots=True, eq=False)
class GameValues:
    """The figures of one game. All values are in units of the ante (in Texas Shootout: of the wager)."""

    terms: Terms
    shootout: bool
    value: Fraction | None
    """The expected result of a round under best play; None if it has not been counted."""
    variance: Fraction | None
    """The variance of a round's result under best play; None if it has not been counted."""
    main: frozenset[str]
    """The wagers of the main game, which the values include."""
    side_bets: Mapping[str, Fraction]
    """The expected result of each side bet per unit wagered, if the rulebook alone decides it."""
    by_hands: Mapping[str, Mapping[int, Fraction]]
    """The same for side bets whose price depends on the number of hands dealt."""
    starts: Mapping[str, StartingHand]
    """The starting hands of Ultimate Texas Hold'em by name, such as "AKs"."""

    @property
    def unit(self) -> str:
        """The wager in whose units values are stated."""
        return "wager" if self.shootout else "ante"

    def choice_values(self, decision: Decision) -> Mapping[str, Fraction]:
        """Return the value of every choice that the rulebook offers, as `houseway odds` prints them."""
        if self.shootout:
            return {move.action: move.value for move in shootout_odds(self.terms, decision.hole)}
        return odds(self.terms, decision.hole, decision.board).values

    def side_bet(self, wager: str, hands: int) -> Fraction | None:
        """Return the expected result of a side bet per unit wagered; None if it depends on more, such as
        a meter."""
        return self.side_bets.get(wager, self.by_hands.get(wager, {}).get(hands))


def is_counted(terms: Terms) -> bool:
    """True if the hands of a Texas Shootout rulebook have been counted, so that its values are quick."""
    return cached_hands(terms.rulebook) is not None


def game_key(terms: Terms) -> Hashable:
    """Return a value that two terms share if their main game has the same values.

    Their side bets may be different.
    """
    return terms.hash if terms.rulebook.game == SHOOTOUT else (terms.hash, *_main_payments(terms))


def game_values(game: Terms | Rulebook) -> GameValues:
    """Return the figures of a game.

    The first call for a game of Ultimate Texas Hold'em solves it, which takes about two seconds.
    """
    terms = terms_of(game)
    if terms.rulebook.game == SHOOTOUT:
        return _shootout(terms)
    return _ultimate(_SolvedGame(_payments(terms), terms))


@dataclass(frozen=True, slots=True)
class _SolvedGame:
    """Terms that are compared by their payments, so that all tables of a game share one solution."""

    payments: tuple[object, ...]
    terms: Terms = field(compare=False)


def _payments(terms: Terms) -> tuple[object, ...]:
    """Return everything that the values of a game depend on."""
    return (terms.hash, terms.mode, *sorted(terms.tables.items()), *_main_payments(terms))


def _main_payments(terms: Terms) -> tuple[object, ...]:
    """Return everything that the values of the main game depend on, besides the rulebook."""
    pays = read_pays(terms)
    arrays = tuple(table.tobytes() for table in (pays.standing, pays.play, pays.folded))
    return arrays, pays.unit, pays.streets


def _main(terms: Terms) -> frozenset[str]:
    """Return the wagers of the main game; side bets against the dealer are not among them."""
    return frozenset(
        w.name
        for w in terms.wagers
        if w.group.against_dealer and not (w.optional and w.name in terms.stakeable)
    )


def _shootout(terms: Terms) -> GameValues:
    hands = cached_hands(terms.rulebook)
    if hands is None:
        return _shootout_values(terms, None, {})
    return _counted(_SolvedGame((terms.hash, *sorted(terms.tables.items()), hands), terms))


@lru_cache(maxsize=4)
def _counted(game: _SolvedGame) -> GameValues:
    terms = game.terms
    best = price(terms, BEST)
    assert best is not None  # Its hands are counted.
    bonus = {"bonus": best.bonus() / best.hands} if "bonus" in terms.tables else {}
    return _shootout_values(terms, best.value, bonus)


def _shootout_values(terms: Terms, value: Fraction | None, side_bets: Mapping[str, Fraction]) -> GameValues:
    return GameValues(
        terms=terms,
        shootout=True,
        value=value,
        variance=None,
        main=_main(terms),
        side_bets=side_bets,
        by_hands={},
        starts={},
    )


@dataclass(frozen=True, slots=True)
class _MainGame:
    """The figures of a main game, which tables with other side bets share."""

    value: Fraction
    variance: Fraction
    starts: Mapping[str, StartingHand]
    counts: Counts


@lru_cache(maxsize=8)
def _main_game(game: _SolvedGame) -> _MainGame:
    solution = solve(game.terms)
    result = outcomes(solution)
    starts = {start.hand: start for start in solution.starting_hands}
    return _MainGame(solution.value, result.variance, starts, result.counts)


@lru_cache(maxsize=32)
def _ultimate(game: _SolvedGame) -> GameValues:
    terms = game.terms
    solved = _main_game(_SolvedGame((terms.hash, *_main_payments(terms)), terms))
    side_bets: dict[str, Fraction] = {}
    by_hands: dict[str, dict[int, Fraction]] = {}
    for name, priced in wagers(terms, solved.counts).items():
        if terms.groups[name].on_whole_table:
            by_hands[name] = {int(hands): worth.value for hands, worth in priced.items()}
        elif (worth_in_use := priced.get(terms.tables.get(name, ""))) is None:
            continue
        elif not isinstance(worth_in_use, Progressive):
            side_bets[name] = worth_in_use.value
    return GameValues(
        terms=terms,
        shootout=False,
        value=solved.value,
        variance=solved.variance,
        main=_main(terms),
        side_bets=side_bets,
        by_hands=by_hands,
        starts=solved.starts,
    )
