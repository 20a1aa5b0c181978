"""What every seat stakes, and what each wager brings in each cell of its facts, as the cashier pays it."""

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
from houseway.exact.pay_arrays import Pays
from houseway.exact.progressive_values import envy_amounts
from houseway.exact.solution import labels
from houseway.money import Odds, Share, spoken
from houseway.rules.fact_groups import Reads
from houseway.rules.fact_groups.own_hand import MADE
from houseway.rules.problems import closest
from houseway.simulate.errors import SimulationError
from houseway.simulate.strategy_arrays import PAIRS, by_pair

LOOKS = {
    Reads.SHOWDOWN: ultimate_rounds.SHOWDOWN,
    Reads.OWN_HAND: ultimate_rounds.SEVEN,
    Reads.TABLE: ultimate_rounds.HIGHEST,
}
LARGEST = 1 << 38
"""Cents a round may move: so much squared still adds up in a chunk."""
ANTE = 10 * DOLLAR


@dataclass(frozen=True, slots=True, eq=False)
class Staked:
    """The wagers of every seat, in the order the tables have them."""

    stakes: Mapping[str, int]
    """Cents by wager; the play wager, a multiple of the ante, is one ante."""
    actions: tuple[str, ...]
    sizes: tuple[int, ...]
    """For each action the multiple of the ante, 0 for a fold; in Texas Shootout the hands played."""
    main: tuple[str, ...]
    """The wagers of the main game; the first of them is the unit of all that has none of its own."""
    envious: str | None
    """The wager that envy goes with; None where nobody envies."""
    shares: tuple[Share, ...]
    read: Mapping[str, int]
    """The number of the cell each wager reads."""
    limited: bool
    """Whether these stakes can reach a limit on winnings or a half cent."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers by name."""
        return tuple(self.stakes)

    def unit(self, name: str) -> int:
        """The cents a wager's value counts as one."""
        return self.stakes.get(str(self.envious) if name == "envy" else name, self.stakes[self.main[0]])

    def room(
        self, places: int, early: tuple[int, int] = (0, 0), highest: int = 0
    ) -> ultimate_rounds.Counts:
        """Room to count hands by action and cell, and cents by wager and for three sums of wagers."""
        sums = len(self.stakes) + 3
        showdown, seven = (len(self.actions), 3 * 2 * 3 * places), (places * ultimate_rounds.MADE,)
        shapes: tuple[tuple[int, ...], ...] = (showdown, seven, early, (highest,), (sums,), (sums, 3))
        return ultimate_rounds.Counts(*(np.zeros(shape, np.int64) for shape in shapes))


def stakes(terms: Terms, side: Sequence[str], given: Mapping[str, int]) -> dict[str, int]:
    """What every seat stakes: as given, else what a document fixes, else ten dollars within limits."""
    named = [w.name for w in terms.wagers if not w.optional or w.name in ("play", *side)]
    unknown = [name for name in side if name not in terms.stakeable or name not in named]
    if unknown:
        offered = [w.name for w in terms.wagers if w.optional and w.name in terms.stakeable]
        known = f"its side bets are {', '.join(offered)}{closest(unknown[0], offered, '; ')}"
        raise SimulationError(f"{terms.rulebook.id} offers no side bet {unknown[0]!r}; {known}")
    idle = [name for name in given if name not in named or name == "play"]
    if idle:
        raise SimulationError(f"{idle[0]!r} is not among the wagers made; they are {', '.join(named)}")
    found = {}
    for name in named:
        bounds, exact = terms.bounds[name], terms.rulebook.wagers[name].amount
        amount = exact.value if exact else max(ANTE, bounds.low or 0)
        if name == "progressive":
            amount = terms.progressive_amount[0] or DOLLAR
        found[name] = given.get(name, amount if bounds.high is None else min(amount, bounds.high))
    for name in named:
        equals = terms.rulebook.wagers[name].equals
        if name == "play" or (equals is not None and name not in given):
            found[name] = found["ante" if equals is None else equals.value]
    return found


def lay_out(
    terms: Terms, pays: Pays, stakes: Mapping[str, int], seats: int
) -> tuple[Staked, ultimate_rounds.Bets]:
    """The wagers laid out for playing; refused where a wager is settled in a way rounds do not know."""
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
                tables.append(paid(terms, name, size * stakes["ante"]))
            elif name == "play":
                rows[action, at] = -1
            elif action == 0:
                tables.append(paid(terms, name, stakes[name]))
                rows[:, at] = len(tables) - 1
    widest = max(len(nets) for nets, _ in tables)
    nets, wins = (np.zeros((len(tables) + 1, widest), np.int64) for _ in range(2))
    for row, (net, win) in enumerate(tables):
        nets[row, : len(net)], wins[row, : len(win)] = net, win
    rows[rows < 0] = len(tables)
    looks: dict[str, int] = {}
    early: list[NDArray[np.int16]] = []
    for name in wagers:
        cells = flop_cells(terms, name)
        if cells is None:
            looks[name] = cell_read(terms, name)
        else:
            looks[name] = ultimate_rounds.EARLY + len(early)
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
        np.array(list(looks.values()), np.int64),
        np.array(early, np.int16).reshape(-1, FLOPS, PAIRS),
        np.array([name in main for name in wagers], np.int64),
        rows,
        nets,
        wins,
        folds_to,
        looks.get(HOLDER, ultimate_rounds.SEVEN),
        envy,
        looks["progressive"] if envious else ultimate_rounds.SEVEN,
        int(excludes is None),
        share_of,
        wagers.index("progressive") if shares else -1,
        _share_passes(terms),
        capped,
        limits,
        _orders(terms, wagers, set(folds_to.tolist()), envy=bool(envy.any())),
    )
    bent = len(limits) > 0 or any(half_cents(terms, name, stake) for name, stake in stakes.items())
    known = Staked(dict(stakes), tuple(actions), tuple(sizes), main, envious, shares, looks, limited=bent)
    return known, arrays


def main_wagers(terms: Terms, stakes: Mapping[str, int]) -> tuple[str, ...]:
    """The wagers of the main game among those staked."""
    wagers = terms.rulebook.wagers
    return tuple(name for name in stakes if name == "play" or not wagers[name].optional)


def cell_read(terms: Terms, name: str) -> int:
    """Which of a hand's cells decides a wager that later cards than the flop decide."""
    group = terms.groups[name]
    if group.reads not in LOOKS:
        what = f"{name} depends on {group.name}, which is not simulated"
        raise SimulationError(f"{terms.rulebook.id}: {what}")
    return LOOKS[group.reads]


def check_largest(largest: int) -> None:
    """Refuse stakes with which a round moves more than is added up."""
    if largest >= LARGEST:
        raise SimulationError(f"a round could move {spoken(largest)}, more than is added up; stake less")


def paid(terms: Terms, name: str, stake: int) -> tuple[list[int], list[int]]:
    """What a stake brings, and what of it is paid on top of the stake, in every cell; shares apart."""
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
    """Whether some payment of a stake does not come out in whole cents."""
    paid = (outcome.pays for outcome in terms.outcomes[name] if outcome)
    return any(isinstance(pays, Odds) and stake * pays.units % pays.per for pays in paid)


def _folds_to(terms: Terms, stakes: Mapping[str, int]) -> NDArray[np.int64]:
    """What becomes of a folded hand, racked or held, by the cell of the wager that holds it."""
    plan = terms.plan
    if HOLDER not in stakes or plan.held_for in (None, "no trips"):
        return np.full(len(terms.order) * len(MADE), FOLDED, np.int64)
    cells = range(len(plan.outcomes[HOLDER]))
    return np.array([HELD if plan.holds_fold(cell) else FOLDED for cell in cells], np.int64)


def _shares(terms: Terms, stakes: Mapping[str, int]) -> tuple[tuple[Share, ...], NDArray[np.int64]]:
    """The shares of meters there are to win, and which one each cell of the progressive wins."""
    for name in stakes:
        if name != "progressive" and any(o and isinstance(o.pays, Share) for o in terms.outcomes[name]):
            known = "only the progressive's shares are known"
            raise SimulationError(f"{name} pays a share of a meter; {known}")
    outcomes = terms.outcomes["progressive"] if "progressive" in stakes else ()
    won = [o.pays if o and isinstance(o.pays, Share) else None for o in outcomes]
    listed = tuple(dict.fromkeys(share for share in won if share))
    if listed and any("progressive" in cap for cap, _, _ in terms.plan.caps):
        raise SimulationError("a limit on what a meter pays is not simulated; leave the progressive out")
    none = [-1] * (len(terms.order) * len(MADE))
    return listed, np.array([listed.index(s) if s else -1 for s in won] or none, np.int64)


def _orders(terms: Terms, wagers: Sequence[str], folded: set[int], *, envy: bool) -> NDArray[np.int64]:
    """The wagers in the order they are settled, by dealer qualifying and the statuses hands can have."""
    orders = np.zeros((2 * len(STATUS), len(wagers)), np.int64)
    for status in (STANDING, *folded):
        for qualifies in range(2):
            settled = list(terms.plan.order(status, qualifies=bool(qualifies)))
            if status != STANDING and "play" not in settled:
                settled.append("play")
            left = [name for name in (*wagers, *("envy",) * envy) if name not in settled]
            if left:
                lack = f"no pass settles the {left[0]} of a {STATUS[status]} hand"
                raise SimulationError(f"{terms.rulebook.id}: {lack}")
            orders[status * 2 + qualifies] = [wagers.index(name) for name in settled if name in wagers]
    return orders


def _share_passes(terms: Terms) -> NDArray[np.int64]:
    """The passes that pay the progressive: statuses as bits, whether from the right, dealer qualifying."""
    rows = []
    for qualifies in range(2):
        paid: set[int] = set()
        for walk in terms.plan.passes:
            if walk.applies(bool(qualifies)) and "progressive" in walk.wagers:
                bits = sum(1 << status for status in walk.hands - paid)
                rows.append((bits, int(walk.from_right), qualifies))
                paid |= walk.hands
    return np.array(rows, np.int64).reshape(-1, 3)


def _caps(
    terms: Terms, wagers: Sequence[str], rows: NDArray[np.int64], wins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The limits on winnings that these stakes can reach at all."""
    most = [int(wins[rows[:, at]].max()) for at in range(len(wagers))]
    reached = [
        ([name in capped for name in wagers], limit)
        for capped, limit, _ in terms.plan.caps
        if sum(won for name, won in zip(wagers, most, strict=True) if name in capped) > limit
    ]
    capped = np.array([row for row, _ in reached], np.int64).reshape(-1, len(wagers))
    return capped, np.array([limit for _, limit in reached], np.int64)
