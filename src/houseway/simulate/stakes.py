"""The stakes of every seat, and the result of each wager in each cell, as settlement pays it.

A cell is one combination of the facts that decide a wager.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houseway.engine.finished_round import FOLDED, HELD, STANDING
from houseway.engine.meters import DOLLAR
from houseway.engine.settlement_plan import HOLDER, STATUS
from houseway.engine.terms import Terms
from houseway.exact.flop_cells import flop_cells
from houseway.exact.flop_states import FLOPS
from houseway.exact.kernels import ultimate_rounds
from houseway.exact.pay_arrays import PayArrays
from houseway.exact.progressive_values import envy_amounts
from houseway.exact.solution import labels
from houseway.money import Odds, Share, spoken
from houseway.rules.fact_groups import Inputs
from houseway.rules.fact_groups.own_hand import MADE
from houseway.rules.problems import closest
from houseway.simulate.errors import SimulationError
from houseway.simulate.strategy_arrays import PAIRS, by_pair

READS = {
    Inputs.SHOWDOWN: ultimate_rounds.SHOWDOWN,
    Inputs.OWN_HAND: ultimate_rounds.SEVEN,
    Inputs.TABLE: ultimate_rounds.HIGHEST,
}
LARGEST = 1 << 38
"""The maximum number of cents that a round may move. With more, the sums of squares could overflow."""
ANTE = 10 * DOLLAR


@dataclass(frozen=True, slots=True, eq=False)
class SeatStakes:
    """The wagers that each seat makes, the same at every seat, in table order."""

    stakes: Mapping[str, int]
    """The cents staked on each wager. The play wager, a multiple of the ante, is listed as one ante."""
    actions: tuple[str, ...]
    sizes: tuple[int, ...]
    """The multiple of the ante for each action; 0 for a fold.

    In Texas Shootout, the number of hands played.
    """
    main: tuple[str, ...]
    """The wagers of the main game. The first one is the unit for results that belong to no single wager."""
    envious: str | None
    """The wager that includes envy, or None if there is no envy."""
    shares: tuple[Share, ...]
    """The meter shares that can be won."""
    read: Mapping[str, int]
    """For each wager, the cell that decides it: that of the showdown, of the player's own hand, or of the
    table's highest hand."""
    limited: bool
    """True if, for these stakes, a limit on winnings can apply or a payment can include half a cent."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """The names of the wagers."""
        return tuple(self.stakes)

    def unit(self, name: str) -> int:
        """Return the unit of a wager's value, in cents."""
        return self.stakes.get(str(self.envious) if name == "envy" else name, self.stakes[self.main[0]])

    def buffers(
        self, places: int, early: tuple[int, int] = (0, 0), highest: int = 0
    ) -> ultimate_rounds.Counts:
        """Return empty counts: of hands for each action and cell, and of cents for each wager and total."""
        sums = len(self.stakes) + 3
        showdown, seven = (len(self.actions), 3 * 2 * 3 * places), (places * ultimate_rounds.MADE,)
        shapes: tuple[tuple[int, ...], ...] = (showdown, seven, early, (highest,), (sums,), (sums, 3))
        return ultimate_rounds.Counts(*(np.zeros(shape, np.int64) for shape in shapes))


def stakes(terms: Terms, side: Sequence[str], bets: Mapping[str, int]) -> dict[str, int]:
    """Return the stakes of every seat: as given in `bets`, or as the rulebook fixes them, otherwise $10
    within the limits."""
    names = [w.name for w in terms.wagers if not w.optional or w.name in ("play", *side)]
    unknown = [name for name in side if name not in terms.stakeable or name not in names]
    if unknown:
        offered = [w.name for w in terms.wagers if w.optional and w.name in terms.stakeable]
        known = f"its side bets are {', '.join(offered)}{closest(unknown[0], offered, '; ')}"
        raise SimulationError(f"{terms.rulebook.id} offers no side bet named {unknown[0]!r}; {known}")
    idle = [name for name in bets if name not in names or name == "play"]
    if idle:
        given = ", ".join(name for name in names if name != "play")
        sentence = (
            f"the stake of {idle[0]!r} cannot be set in this simulation (only those of {given});"
            " add side bets with --side"
        )
        raise SimulationError(sentence)
    amounts = {}
    for name in names:
        bounds, exact = terms.bounds[name], terms.rulebook.wagers[name].amount
        amount = exact.value if exact else max(ANTE, bounds.low or 0)
        if name == "progressive":
            amount = terms.progressive_amount[0] or DOLLAR
        amounts[name] = bets.get(name, amount if bounds.high is None else min(amount, bounds.high))
    for name in names:
        equals = terms.rulebook.wagers[name].equals
        if name == "play" or (equals is not None and name not in bets):
            amounts[name] = amounts["ante" if equals is None else equals.value]
    return amounts


def bet_arrays(
    terms: Terms, pays: PayArrays, stakes: Mapping[str, int], seats: int
) -> tuple[SeatStakes, ultimate_rounds.Bets]:
    """Return the wagers, also as arrays for the kernel. Raise an error if a wager cannot be simulated."""
    actions, sizes, offsets = ["fold"], [0], []
    for street in pays.streets:
        offsets.append(len(actions) - 1)
        actions += labels(street.sizes, "")[1:]
        sizes += street.sizes
    wagers = list(stakes)
    tables: list[tuple[list[int], list[int]]] = []
    rows = np.zeros((len(actions), len(wagers)), np.int64)
    for at, name in enumerate(wagers):
        for action, size in enumerate(sizes):
            if name == "play" and size:
                rows[action, at] = len(tables)
                tables.append(cell_results(terms, name, size * stakes["ante"]))
            elif name == "play":
                rows[action, at] = -1
            elif action == 0:
                tables.append(cell_results(terms, name, stakes[name]))
                rows[:, at] = len(tables) - 1
    widest = max(len(nets) for nets, _ in tables)
    nets, wins = (np.zeros((len(tables) + 1, widest), np.int64) for _ in range(2))
    for row, (net, win) in enumerate(tables):
        nets[row, : len(net)], wins[row, : len(win)] = net, win
    rows[rows < 0] = len(tables)
    reads: dict[str, int] = {}
    early: list[NDArray[np.int16]] = []
    for name in wagers:
        cells = flop_cells(terms, name)
        if cells is None:
            reads[name] = cell_read(terms, name)
        else:
            reads[name] = ultimate_rounds.EARLY + len(early)
            early.append(by_pair(cells.astype(np.int16)))
    shares, share_of = _shares(terms, stakes)
    amounts, envious = envy_amounts(terms, stakes)
    envy = np.array(amounts, np.int64)
    folds_to = _folds_to(terms, stakes)
    capped, limits = _caps(terms, wagers, rows, wins)
    check_largest(seats * (int(abs(nets).max(axis=1).sum()) + seats * int(envy.max())))
    main = main_wagers(terms, stakes)
    excludes = terms.rulebook.wagers["envy"].excludes if "envy" in terms.rulebook.wagers else None
    arrays = ultimate_rounds.Bets(
        np.array(offsets, np.int64),
        np.array(list(reads.values()), np.int64),
        np.array(early, np.int16).reshape(-1, FLOPS, PAIRS),
        np.array([name in main for name in wagers], np.int64),
        rows,
        nets,
        wins,
        folds_to,
        reads.get(HOLDER, ultimate_rounds.SEVEN),
        envy,
        reads["progressive"] if envious else ultimate_rounds.SEVEN,
        int(excludes is None),
        share_of,
        wagers.index("progressive") if shares else -1,
        _share_passes(terms),
        capped,
        limits,
        _orders(terms, wagers, set(folds_to.tolist()), envy=bool(envy.any())),
    )
    limited = len(limits) > 0 or any(half_cents(terms, name, stake) for name, stake in stakes.items())
    staked = SeatStakes(dict(stakes), tuple(actions), tuple(sizes), main, envious, shares, reads, limited)
    return staked, arrays


def main_wagers(terms: Terms, stakes: Mapping[str, int]) -> tuple[str, ...]:
    """Return the staked wagers that belong to the main game."""
    wagers = terms.rulebook.wagers
    return tuple(name for name in stakes if name == "play" or not wagers[name].optional)


def cell_read(terms: Terms, name: str) -> int:
    """Return which cell decides a wager: that of the showdown, of the player's own hand, or of the table's
    highest hand.

    Only for wagers that depend on more than the hole cards and the flop.
    """
    group = terms.groups[name]
    if group.reads not in READS:
        problem = f"{name} depends on {group.name}, which cannot be simulated"
        raise SimulationError(f"{terms.rulebook.id}: {problem}")
    return READS[group.reads]


def check_largest(largest: int) -> None:
    """Raise an error if a round could move more money than the sums can hold."""
    if largest >= LARGEST:
        raise SimulationError(f"a round could move {spoken(largest)}, which is too much; lower the stakes")


def cell_results(terms: Terms, name: str, stake: int) -> tuple[list[int], list[int]]:
    """Return the net result and the winnings of a stake in every cell, without meter shares."""
    nets, wins = [], []
    for outcome in terms.outcomes[name]:
        won = 0
        if outcome is None or outcome.result != "win":
            net = -stake if outcome is not None and outcome.result == "lose" else 0
        else:
            won = terms.plan.winnings(outcome.pays, stake)
            net = won - stake * outcome.keeps
        nets.append(net)
        wins.append(won)
    return nets, wins


def half_cents(terms: Terms, name: str, stake: int) -> bool:
    """True if a payment for this stake is not in whole cents."""
    payments = (outcome.pays for outcome in terms.outcomes[name] if outcome)
    return any(isinstance(pays, Odds) and stake * pays.units % pays.per for pays in payments)


def _folds_to(terms: Terms, stakes: Mapping[str, int]) -> NDArray[np.int64]:
    """For each cell of the trips bet, return the status of a folded hand: racked, or held on the table
    because of trips."""
    plan = terms.plan
    if HOLDER not in stakes or plan.held_for in (None, "no trips"):
        return np.full(len(terms.order) * len(MADE), FOLDED, np.int64)
    cells = range(len(plan.outcomes[HOLDER]))
    return np.array([HELD if plan.holds_fold(cell) else FOLDED for cell in cells], np.int64)


def _shares(terms: Terms, stakes: Mapping[str, int]) -> tuple[tuple[Share, ...], NDArray[np.int64]]:
    """Return the meter shares that can be won, and the share that each cell of the progressive wins."""
    for name in stakes:
        if name != "progressive" and any(o and isinstance(o.pays, Share) for o in terms.outcomes[name]):
            problem = "a simulation supports this only for the progressive"
            raise SimulationError(f"{name} pays a share of a meter; {problem}")
    outcomes = terms.outcomes["progressive"] if "progressive" in stakes else ()
    won = [o.pays if o and isinstance(o.pays, Share) else None for o in outcomes]
    listed = tuple(dict.fromkeys(share for share in won if share))
    if listed and any("progressive" in cap for cap, _, _ in terms.plan.caps):
        raise SimulationError(
            "a limit on payments from a meter cannot be simulated; leave out the progressive"
        )
    none = [-1] * (len(terms.order) * len(MADE))
    return listed, np.array([listed.index(s) if s else -1 for s in won] or none, np.int64)


def _orders(terms: Terms, wagers: Sequence[str], folded: set[int], *, envy: bool) -> NDArray[np.int64]:
    """Return the wagers in settlement order, for each status of a hand, with and without a qualifying
    dealer."""
    orders = np.zeros((2 * len(STATUS), len(wagers)), np.int64)
    for status in (STANDING, *folded):
        for qualifies in range(2):
            settled = list(terms.plan.order(status, qualifies=bool(qualifies)))
            if status != STANDING and "play" not in settled:
                settled.append("play")
            left = [name for name in (*wagers, *("envy",) * envy) if name not in settled]
            if left:
                problem = f"no pass settles the {left[0]} of a {STATUS[status]} hand"
                raise SimulationError(f"{terms.rulebook.id}: {problem}")
            orders[status * 2 + qualifies] = [wagers.index(name) for name in settled if name in wagers]
    return orders


def _share_passes(terms: Terms) -> NDArray[np.int64]:
    """Return a row for each pass that pays the progressive: the statuses of its hands as bits, 1 if the
    pass starts from the right, and 1 if it is for a dealer who qualifies."""
    rows = []
    for qualifies in range(2):
        paid: set[int] = set()
        for settlement_pass in terms.plan.passes:
            if settlement_pass.applies(bool(qualifies)) and "progressive" in settlement_pass.wagers:
                hands = settlement_pass.only.get("progressive", settlement_pass.hands)
                bits = sum(1 << status for status in hands - paid)
                rows.append((bits, int(settlement_pass.from_right), qualifies))
                paid |= hands
    return np.array(rows, np.int64).reshape(-1, 3)


def _caps(
    terms: Terms, wagers: Sequence[str], rows: NDArray[np.int64], wins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the limits on winnings that these stakes can reach."""
    most = [int(wins[rows[:, at]].max()) for at in range(len(wagers))]
    reached = [
        ([name in capped for name in wagers], limit)
        for capped, limit, _ in terms.plan.caps
        if sum(won for name, won in zip(wagers, most, strict=True) if name in capped) > limit
    ]
    capped = np.array([row for row, _ in reached], np.int64).reshape(-1, len(wagers))
    return capped, np.array([limit for _, limit in reached], np.int64)
