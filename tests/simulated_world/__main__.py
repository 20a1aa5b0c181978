"""Repeat a seed of the simulated world: python -m simulated_world SEED [--verbose].

It prints the strength of each fault, the trace of the run, and every violation.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter

from simulated_world.world import Outcome, rounds_of, simulate


def main(arguments: list[str] | None = None) -> int:
    """Run one seed or a range of seeds; return 1 if there is a violation."""
    parser = argparse.ArgumentParser("python -m simulated_world", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--rounds", type=int, help="rounds under faults (default: as in the tests)")
    parser.add_argument(
        "--to", type=int, help="run every seed from SEED up to, but not including, this one"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="print every message to a client, as it is sent"
    )
    options = parser.parse_args(arguments)
    # The collection after each seed need not visit what was imported.
    gc.freeze()
    out = sys.stdout.write
    if options.to is None:
        show = _print if options.verbose else None
        outcome = simulate(options.seed, options.rounds or rounds_of(options.seed), show=show)
        out("\n".join(([] if options.verbose else outcome.trace) + [f"strengths: {outcome.rates}", ""]))
        return summary([outcome])
    outcomes = []
    for seed in range(options.seed, options.to):
        outcome = simulate(seed, options.rounds or rounds_of(seed))
        outcome.trace.clear()
        outcomes.append(outcome)
        for violation in outcome.violations:
            out(f"seed {seed}: {violation}\n")
        if (seed + 1 - options.seed) % 100 == 0:
            out(f"{seed + 1 - options.seed} seeds\n")
            sys.stdout.flush()
    return summary(outcomes)


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


def summary(outcomes: list[Outcome]) -> int:
    """Print the totals of some seeds; return 1 if there is a violation."""
    happened: Counter[str] = Counter()
    for outcome in outcomes:
        happened.update(outcome.happened)
    rounds = sum(outcome.rounds for outcome in outcomes)
    violations = [violation for outcome in outcomes for violation in outcome.violations]
    sys.stdout.write(f"{len(outcomes)} seeds, {rounds} rounds, {len(violations)} violations\n")
    for kind, times in sorted(happened.items()):
        sys.stdout.write(f"  {kind}: {times}\n")
    for violation in violations[:20]:
        sys.stdout.write(f"VIOLATION: {violation}\n")
    if len(outcomes) == 1:
        sys.stdout.write(f"digest {outcomes[0].digest}\n")
    return bool(violations)


if __name__ == "__main__":
    sys.exit(main())
