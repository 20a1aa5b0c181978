"""Time the analysis of the game for a player who sees hidden cards, compared with published times.

Run it on an idle machine. Before the measurement, kernels are compiled, and counts that do not depend on
the pay tables are cached.
"""

from __future__ import annotations

import resource

from houseway import exact
from houseway.exact.exposed_pass import ExposedPass, shown
from houseway.exact.pay_arrays import read_pays, terms_of
from houseway.rules.loader import load

CASES = {
    (1, 0): ("one card of the dealer's", "13.5922", "4 to 5 days"),
    (2, 0): ("both of the dealer's cards", "38.5816", "2 days"),
    (1, 1): ("one of the dealer's, one of the flop's", "22.3286", "8 days 6 h"),
}
"""The cards seen, and the figures E. Jacobson published: the player's edge in percent, and the time."""


def main() -> None:
    terms = terms_of(load("uth-ma"))
    for dealer, flop in CASES:
        list(
            ExposedPass(read_pays(terms), terms.order, dealer, 2).hand_sums(
                shown(dealer)[1], by_card=flop > 0
            )
        )
    print(f"{'cards seen':<40}{'1 thread':>10}{'2 threads':>11}{'edge':>12}   published")
    for (dealer, flop), (words, edge, took) in CASES.items():
        one, two = (exact.seen(terms, dealer, flop, threads=n) for n in (1, 2))
        assert one.value == two.value
        percent = f"{100 * float(one.value):.4f} %"
        print(f"{words:<40}{one.seconds:>8.1f} s{two.seconds:>9.1f} s{percent:>12}   {edge} % in {took}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory {peak / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
