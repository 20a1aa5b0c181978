"""What a rulebook has against stakes: the checks that a bet at a table and a round given as JSON share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.engine.finished_round import PlayerHand
from houseway.engine.refusals import Refusals
from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.rules.rulebook import Limit

PlacedHand = tuple[str, PlayerHand]
"""A hand and the place that a refusal of it names."""
Stakes = Mapping[str, int]


class StakeChecks:
    """Checks stakes under a table's terms; `found` has every reason to refuse them."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.book = terms.rulebook
        self.found = Refusals()

    def stakes(self, stakes: Stakes, where: str) -> None:
        """Refuse stakes that are unequal, alone, in the wrong mode, of a wrong amount or out of bounds."""
        for name, twin, beside, offered, exact, bounds in self.terms.stake_rules:
            stake = stakes.get(name, 0)
            if twin is not None and stake != stakes.get(twin, 0):
                self._refuse_unequal(name, twin, stakes, f"{where}.{name}")
            if not stake:
                continue
            if beside is not None and stakes.keys().isdisjoint(beside):
                sentence = f"{name} needs {' or '.join(beside)} beside it"
                clause = self.terms.cite(self.book.wagers[name].beside)
                self.found.add(f"{name.replace('_', '-')}-alone", sentence, f"{where}.{name}", clause)
            if not offered:
                self._refuse_mode(name, f"{where}.{name}")
            if exact is not None and stake != exact:
                sentence = f"{name} is {spoken(exact)}, no more and no less, not {spoken(stake)}"
                clause = self.terms.exact_amount(name)[1]
                self.found.add(f"{name}-amount", sentence, f"{where}.{name}", clause)
            low, high = bounds.low, bounds.high
            if (low is not None and stake < low) or (high is not None and stake > high):
                self.bounds(name, stake, f"{where}.{name}")

    def _refuse_unequal(self, name: str, twin: str, stakes: Stakes, where: str) -> None:
        clause = self.terms.cite(self.book.wagers[name].equals)
        sentence = f"{name} {spoken(stakes.get(name, 0))} must equal {twin} {spoken(stakes.get(twin, 0))}"
        self.found.add(f"{twin}-{name}-unequal", sentence, where, clause)

    def _refuse_mode(self, name: str, where: str) -> None:
        modes = self.book.wagers[name].modes
        offered = " or ".join(modes.value) if modes else "no"
        sentence = f"{name} is offered in {offered} mode only, not in {self.terms.mode}"
        self.found.add("wrong-mode", sentence, where, self.terms.cite(modes))

    def bounds(self, name: str, stake: int, where: str) -> None:
        """Refuse a stake outside the posted limits."""
        bounds, basis = self.terms.bounds[name], self.book.limit_basis
        if basis is None:
            return
        self.minimum(name, stake, bounds.low, where)
        if bounds.high is not None and stake > bounds.high:
            fixed = self._fixed_limits(name)
            clause = self.terms.cite(fixed.maximum if fixed and fixed.maximum else basis)
            sentence = f"{name} {spoken(stake)} is above the maximum {spoken(bounds.high)}"
            self.found.add("above-maximum", sentence, where, clause)

    def minimum(self, name: str, stake: int, low: int | None, where: str) -> None:
        """Refuse a stake below the minimum in force."""
        if low is not None and stake < low:
            fixed = self._fixed_limits(name)
            least = self.book.minimum_basis or self.book.limit_basis
            clause = self.terms.cite(fixed.minima if fixed and fixed.minima else least)
            sentence = f"{name} {spoken(stake)} is below the minimum {spoken(low)}"
            self.found.add("below-minimum", sentence, where, clause)

    def _fixed_limits(self, name: str) -> Limit | None:
        """What the rulebook itself says about the limits of a wager, or of the one it must equal."""
        equals = self.book.wagers[name].equals
        return self.book.limits.get(equals.value if equals else name)

    def tips(self, given: Stakes, stakes: Stakes, play: int, where: str) -> dict[str, int]:
        """Return the tips that may stand; the others are refused."""
        allowed = self.book.option("tips") or ()
        clause = self.terms.clause("tips") or self.terms.clause("offered")
        tips: dict[str, int] = {}
        for name, amount in given.items():
            path = f"{where}.{name}"
            if name not in allowed:
                places = (
                    f"it may stand on {', '.join(allowed)}" if allowed else "tip wagers are not offered"
                )
                self.found.add("tip-not-offered", f"no tip on {name}: {places}", path, clause)
                continue
            tips[name] = amount
            if not ("ante" in stakes if name != "trips" else stakes):
                sentence = f"a tip on {name} needs the player's own wager on the same hand"
                self.found.add("tip-alone", sentence, path, clause)
        due = tips.get("ante", 0) * play
        if "play" in tips and (tips["play"] != due or not due):
            sentence = f"a tip play is the player's own multiple of the tip ante: {spoken(due)}"
            also = self.book.options["tips"].basis.also
            self.found.add("tip-play-size", sentence, f"{where}.play", also[-1] if also else clause)
        return tips

    def coupon(self, face: int, stakes: Stakes, where: str) -> None:
        """Refuse a match play coupon that is not taken or has too few chips beside it."""
        clause = self.terms.clause("match_play")
        if face < 0:
            self.found.add("bad-amount", "a coupon has a face of more than nothing", where)
        elif face and not self.terms.house("match_play"):
            self.found.add(
                "match-play-off", "match play coupons are not taken at this table", where, clause
            )
        elif face > stakes.get("ante", 0):
            sentence = f"a coupon of {spoken(face)} needs chips of at least as much on the ante"
            self.found.add("match-play-chips", sentence, where, clause)

    def entry(self, stakes: Stakes, where: str) -> None:
        """Refuse wagers that do not get a player dealt in, unless the reason is told already."""
        entry = self.book.entry
        if (
            entry is None
            or not self.terms.ways_in
            or any(way <= stakes.keys() for way in self.terms.ways_in)
        ):
            return
        if not self.refused(where, "-alone", "-unequal", "bad-amount"):
            ways = " or ".join(" and ".join(way) for way in entry.value)
            sentence = f"to be dealt in a player bets {ways}"
            self.found.add("no-initial-bet", sentence, where, self.terms.cite(entry))

    def refused(self, where: str, *endings: str) -> bool:
        """Whether a part of a seat is refused already with a code of some ending; what follows from that
        is not said again."""
        return any(r.where.startswith(f"{where}.") and r.code.endswith(endings) for r in self.found)

    def primary(self, stakes: Stakes, where: str) -> None:
        """Refuse wagers of Texas Shootout without the primary wager."""
        beside = self.book.wagers["bonus"].beside if "bonus" in stakes else None
        if "wager" in stakes:
            return
        if beside is not None:
            sentence = "a bonus wager needs the primary wager beside it"
            self.found.add("bonus-alone", sentence, f"{where}.bonus", self.terms.cite(beside))
        elif self.book.entry is not None:
            sentence = "the primary wager is required to be dealt in"
            self.found.add("no-initial-bet", sentence, where, self.terms.cite(self.book.entry))

    def one_amount(self, hands: Sequence[PlacedHand]) -> None:
        """Where no document fixes the progressive wager the house has: all at a table bet the same."""
        if self.terms.progressive_amount[0] is not None:
            return
        staked = [
            (hand.stakes["progressive"], path) for path, hand in hands if "progressive" in hand.stakes
        ]
        for stake, path in staked[1:]:
            first = staked[0][0]
            if stake != first:
                sentence = f"the progressive is one amount at a table, {spoken(first)}, not {spoken(stake)}"
                self.found.add("progressive-unequal", sentence, f"{path}.progressive")

    def positions(self, hands: Sequence[PlacedHand]) -> None:
        """Refuse one player at several positions where the rulebook does."""
        said = self.book.options.get("more_positions")
        if said is None or said.value or self.terms.house("more_positions"):
            return
        first: dict[str | int, int] = {}
        for path, hand in hands:
            seat = first.setdefault(hand.player, hand.seat)
            if seat != hand.seat:
                sentence = f"{hand.player} wagers at seats {seat} and {hand.seat}; one position a player"
                self.found.add("more-than-one-position", sentence, path, self.terms.cite(said))

    def bet_limit(self, hands: Sequence[PlacedHand]) -> None:
        """Refuse more at risk than the rulebook lets one customer have, tips included."""
        limit = self.book.bet_limit
        if limit is None or limit.wagered is None:
            return
        clause, most = self.terms.cite(limit.wagered), limit.amount
        totals: dict[str | int, int] = {}
        paths: dict[str | int, str] = {}
        for path, hand in hands:
            wagered = (*hand.stakes.items(), *hand.tips.items())
            if self.terms.house("bet_limit_scope") == "wager":
                for name, stake in wagered:
                    if stake > most:
                        sentence = f"{name} {spoken(stake)} passes the bet limit {spoken(most)}"
                        self.found.add("bet-limit", sentence, f"{path}.{name}", clause)
                continue
            totals[hand.player] = totals.get(hand.player, 0) + sum(stake for _, stake in wagered)
            paths.setdefault(hand.player, path)
        for player, total in totals.items():
            if total > most:
                sentence = f"{spoken(total)} at risk in one round passes the bet limit {spoken(most)}"
                self.found.add("bet-limit", sentence, paths[player], clause)
