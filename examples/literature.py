"""Recompute published figures of the games, and show to how many digits they agree.

    python examples/literature.py        the main game, trips and progressives, in seconds
    python examples/literature.py all    also Cover All and the six-deck counts of Texas Shootout

"WoO" is wizardofodds.com; "public" is a figure found on many pages. "twice" marks figures computed by two
independent programs. "simulated" marks results of a billion random deals; their last digit can be off by
two. The exit code is 1 if a figure disagrees.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod

import houseway
from houseway import exact
from houseway.cards import DECK
from houseway.ranking import evaluator

Figure = tuple[str, Fraction | int, str, str]
"""The name, our figure, the published figure as printed, and its source."""

STARTS = {
    "K2s": "0.005413", "J8s": "0.011068", "Q6s": "0.022046", "T9s": "-0.020316", "Q5s": "-0.021212",
    "K4o": "-0.022797",
}  # fmt: skip
TRIPS = {"UTH-01": "0.901835", "UTH-02": "1.904049", "UTH-03": "3.497937", "UTH-04": "6.180824"}
PROGRESSIVES = {
    "PTMGL01": ("53.0569", "55.9812"), "PTMGL04": ("53.0569", "54.5960"),
    "PTMGLML01": ("53.0569", "55.9812"), "PTMGLML02": ("47.9669", "56.8935"),
    "PTMGLML03": ("45.8540", "54.7807"),
}  # fmt: skip
COVER_ALL = {"2": "10.00", "3": "10.01", "4": "9.22", "5": "8.62", "6": "9.96", "7": "10.56"}
SEVEN_OF_312 = {
    "suited five of a kind": 14_575_392, "royal flush": 1_344_475_584, "straight flush": 11_611_512_000,
    "five of a kind": 23_329_720_440, "four of a kind": 544_254_879_168, "full house": 2_977_407_823_104,
    "flush": 2_394_114_840_864, "straight": 1_966_679_637_120, "three of a kind": 4_096_700_997_120,
    "two pair": 14_197_941_208_800, "pair": 20_625_558_508_800, "high card": 6_520_957_954_560,
}  # fmt: skip


def main_game() -> Iterator[Figure]:
    game = exact.solve(houseway.load("uth-ma"))
    dealt = exact.outcomes(game)
    deals = sum(dealt.actions.values())
    yield "value, antes", game.value, "-0.021849713762753", "twice"
    yield "edge, % of the ante", 100 * game.edge, "2.185", "WoO"
    yield "edge, % of ante and blind", 50 * game.edge, "1.09", "public"
    yield "element of risk, %", 100 * dealt.element_of_risk, "0.53", "public"
    yield "element of risk, %", 100 * dealt.element_of_risk, "0.52622", "twice"
    yield "average bet, antes", dealt.average_bet, "4.152209545741", "twice"
    yield "variance", dealt.variance, "24.396673537660", "twice"
    yield "standard deviation", root(dealt.variance), "4.94", "public"
    for choice, theirs in {"4x": "37.7074", "2x": "21.2846", "1x": "21.8221", "fold": "19.1858"}.items():
        yield f"{choice}, %", Fraction(100 * dealt.actions[choice], deals), theirs, "twice"
    for hand in game.starting_hands:
        if hand.hand in STARTS:
            gain = hand.values["4x"] - hand.values["check"]
            yield f"{hand.hand}, 4x less check", gain, STARTS[hand.hand], "twice"
    yield "states after the flop reached", dealt.states_reached, "794240", "twice"
    yield "river deals where choices tie", dealt.tied_rivers, "1180512", "twice"


def side_bets() -> Iterator[Figure]:
    trips = exact.wagers(houseway.load("uth-sd"))["trips"]
    for table, theirs in TRIPS.items():
        yield f"trips {table}, edge %", 100 * trips[table].edge, theirs, "twice"
    book = houseway.load("uth-ma")
    own = {name: wager for name, wager in book.wagers.items() if not wager.group.on_whole_table}
    progressives = exact.wagers(replace(book, wagers=own))["progressive"]
    for table, (fixed, at_seed) in PROGRESSIVES.items():
        progressive = progressives[table]
        assert isinstance(progressive, exact.Progressive)
        yield f"progressive {table}, fixed part %", 100 * progressive.fixed, fixed, "twice"
        yield f"progressive {table}, return at seed %", 100 * progressive.returned, at_seed, "twice"


def cover_all() -> Iterator[Figure]:
    for hands, wager in exact.wagers(houseway.load("uth-ma"))["cover_all"].items():
        yield f"Cover All, {hands} hands, edge %", 100 * wager.edge, COVER_ALL[hands], "simulated"


def six_decks() -> Iterator[Figure]:
    """Count seven-card hands of six decks: by rank, corrected for hands with five or more of a suit."""
    ranking = houseway.load("shootout-sd").ranking
    by = evaluator(ranking.order, ranking.decks)
    counts: Counter[str] = Counter()
    flushes: Counter[int] = Counter()
    for inside in (5, 6, 7):
        for held in multisets(inside, 6):
            suited = by.strength([DECK[4 * n] for n in held])
            for others in multisets(7 - inside, 18):
                ways = 4 * choices(held, 6) * choices(others, 18)
                total = sum(1 << 3 * n for n in (*held, *others))
                flushes[total] += ways
                counts[by.name(max(suited, by.of_sum(total, ())))] += ways
    for held in multisets(7, 24):
        total = sum(1 << 3 * n for n in held)
        counts[by.name(by.of_sum(total, ()))] += choices(held, 24) - flushes[total]
    for name, theirs in SEVEN_OF_312.items():
        yield f"six decks, {name}", counts[name], str(theirs), "twice"


def multisets(size: int, copies: int) -> Iterator[tuple[int, ...]]:
    for held in combinations_with_replacement(range(13), size):
        if all(held.count(n) <= copies for n in held):
            yield held


def choices(held: tuple[int, ...], copies: int) -> int:
    return prod(comb(copies, held.count(n)) for n in set(held))


def root(square: Fraction) -> Fraction:
    with localcontext() as exactly:
        exactly.prec = 30
        return Fraction((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def decimal(ours: Fraction | int, places: int) -> str:
    """A figure rounded to a number of decimal places."""
    return f"{Decimal(round(ours * 10**places)).scaleb(-places):.{places}f}"


def off_by(ours: Fraction | int, theirs: str) -> int:
    """The difference between our rounded figure and theirs, in units of the last digit."""
    places = len(theirs.partition(".")[2])
    mine: int = round(ours * 10**places)
    return abs(mine - int(Decimal(theirs).scaleb(places)))


if __name__ == "__main__":
    wrong = 0
    parts = [main_game, side_bets, *([cover_all, six_decks] if sys.argv[1:] == ["all"] else [])]
    for part in parts:
        for what, ours, theirs, source in part():
            shown = decimal(ours, len(theirs.partition(".")[2]))
            digits, off = len(theirs.lstrip("-0.").replace(".", "")), off_by(ours, theirs)
            wrong += off > (2 if source == "simulated" else 0)
            verdict = f"off by {off} in the last digit" if off else f"agrees to {digits} digits"
            print(f"{what:<40}{shown:>20}{theirs:>20}  {source:<10}{verdict}")
    sys.exit(int(wrong > 0))
