"""A strategy of one's own, priced exactly: houseway solve uth-ma --strategy my_strategy.py

Each rule is asked about every hand of its street at once and answers when to play; conditions are joined
by & | ~. A street without a rule is played best. Ranks are numbers, twos being 0 and aces 12.
"""

import houseway
from houseway.exact import Strategy, price, solve
from houseway.exact.strategies import KING, PRACTICAL, TEN, Flags, FlopFacts, RiverFacts, StartFacts


def start(at: StartFacts) -> Flags:
    """Pairs but twos, aces, kings, and two cards of ten or higher."""
    pair: Flags = (at.high == at.low) & (at.low > 0)
    return pair | (at.high >= KING) | (at.low >= TEN)


def flop(at: FlopFacts) -> Flags:
    """The published rule, but not on three of a kind that lies on the table."""
    pair = at.hidden_pair & ~at.pocket_deuces
    return at.two_pair & ~at.board_trips | pair | at.flush_draw


def river(at: RiverFacts) -> Flags:
    """A hand that betters the board, or few cards that beat it."""
    return at.better | (at.outs < 21)


# Two readings of the published rule for the river, each to be named: --strategy my_strategy.py:by_outs
by_outs = Strategy("by outs", PRACTICAL.start, PRACTICAL.flop, lambda at: at.outs < 21)
by_class = Strategy("by class", PRACTICAL.start, PRACTICAL.flop, river)

if __name__ == "__main__":
    game = solve(houseway.load("uth-ma"))
    for strategy in (Strategy("mine", start, flop, river), by_outs, by_class, PRACTICAL):
        print(f"{strategy.name:<10} {-100 * float(price(game, strategy).value):.4f} % of the ante")
