"""Your own strategy, priced exactly: houseway solve uth-ma --strategy my_strategy.py

Each rule gets all hands of its street at once, as arrays, and returns an array that is true for the hands
to play. Combine conditions with & | ~. A street without a rule is played optimally. Ranks are numbers from
0 (deuce) to 12 (ace).
"""

import houseway
from houseway.exact import Strategy, price, solve
from houseway.exact.strategies import KING, PRACTICAL, TEN, Flags, FlopFacts, RiverFacts, StartFacts


def start(at: StartFacts) -> Flags:
    """Play every pair except deuces, any ace or king, and two cards of ten or higher."""
    pair: Flags = (at.high == at.low) & (at.low > 0)
    return pair | (at.high >= KING) | (at.low >= TEN)


def flop(at: FlopFacts) -> Flags:
    """The published rule, except on a board with three of a kind."""
    pair = at.hidden_pair & ~at.pocket_deuces
    return at.two_pair & ~at.board_trips | pair | at.flush_draw


def river(at: RiverFacts) -> Flags:
    """Play if the hand is better than the board alone, or if few cards help the dealer."""
    return at.better | (at.outs < 21)


# Two readings of the published river rule; choose one by name: --strategy my_strategy.py:by_outs
by_outs = Strategy("by outs", PRACTICAL.start, PRACTICAL.flop, lambda at: at.outs < 21)
by_class = Strategy("by class", PRACTICAL.start, PRACTICAL.flop, river)

if __name__ == "__main__":
    game = solve(houseway.load("uth-ma"))
    for strategy in (Strategy("mine", start, flop, river), by_outs, by_class, PRACTICAL):
        print(f"{strategy.name:<10} {-100 * float(price(game, strategy).value):.4f} % of the ante")
