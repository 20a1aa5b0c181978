"""Check stakes against the rulebook, both for bets at a table and for rounds read from JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from houseway.engine.finished_round import PlayerHand
from houseway.engine.refusals import Refusals
from houseway.engine.terms import Terms
from houseway.money import spoken
from houseway.rules.rulebook import Limit
from houseway.wording import the_wager

PlacedHand = tuple[str, PlayerHand]
"""The path of a hand in refusals, such as "seat 3", and the hand."""
Stakes = Mapping[str, int]


class StakeChecks:
    """Checks stakes under a table's terms and collects the refusals."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.book = terms.rulebook
        self.refusals = Refusals()

    def stakes(self, stakes: Stakes, where: str) -> None:
        """Refuse a stake with a wrong amount, without a wager that it needs, or not offered in the mode."""
        for name, must_equal, needs_one_of, offered, exact, bounds in self.terms.stake_rules:
            stake = stakes.get(name, 0)
            if (
                must_equal is not None
                and stake != stakes.get(must_equal, 0)
                and not self._unread(where, (name, must_equal))
            ):
                self._refuse_unequal(name, must_equal, stakes, f"{where}.{name}")
            if not stake:
                continue
            missing = needs_one_of is not None and stakes.keys().isdisjoint(needs_one_of)
            if needs_one_of is not None and missing and not self._unread(where, needs_one_of):
                sentence = f"to bet {the_wager(name)}, also bet {' or '.join(map(the_wager, needs_one_of))}"
                clause = self.terms.cite(self.book.wagers[name].beside)
                self.refusals.add(f"{name.replace('_', '-')}-alone", sentence, f"{where}.{name}", clause)
            if not offered:
                self._refuse_mode(name, f"{where}.{name}")
            if exact is not None and stake != exact:
                sentence = f"{the_wager(name)} must be exactly {spoken(exact)}, not {spoken(stake)}"
                clause = self.terms.exact_amount(name)[1]
                self.refusals.add(f"{name}-amount", sentence, f"{where}.{name}", clause)
            low, high = bounds.low, bounds.high
            if (low is not None and stake < low) or (high is not None and stake > high):
                self.bounds(name, stake, f"{where}.{name}")

    def _unread(self, where: str, names: Iterable[str]) -> bool:
        """True if the amount of one of these wagers was refused because it cannot be read."""
        places = {f"{where}.{name}" for name in names}
        return any(refusal.code == "bad-amount" and refusal.where in places for refusal in self.refusals)

    def _refuse_unequal(self, name: str, other: str, stakes: Stakes, where: str) -> None:
        wager = self.book.wagers[name]
        clause = self.terms.cite(wager.equals)
        stake, other_stake = spoken(stakes.get(name, 0)), spoken(stakes.get(other, 0))
        sentence = f"the {name} ({stake}) must equal the {other} ({other_stake})"
        if wager.alone is not None and not (stakes.get(name) and stakes.get(other)):
            present, missing = (name, other) if stakes.get(name) else (other, name)
            clause = self.terms.cite(wager.alone)
            sentence = f"to bet the {present}, also bet the {missing}, in the same amount"
        self.refusals.add(f"{other}-{name}-unequal", sentence, where, clause)

    def _refuse_mode(self, name: str, where: str) -> None:
        modes = self.book.wagers[name].modes
        offered = f"only in {' or '.join(modes.value)} mode" if modes else "in no deal mode"
        sentence = f"{the_wager(name)} is offered {offered}; this table's deal mode is {self.terms.mode}"
        self.refusals.add("wrong-mode", sentence, where, self.terms.cite(modes))

    def bounds(self, name: str, stake: int, where: str) -> None:
        """Refuse a stake outside the posted limits."""
        bounds, basis = self.terms.bounds[name], self.book.limit_basis
        if basis is None:
            return
        self.minimum(name, stake, bounds.low, where)
        if bounds.high is not None and stake > bounds.high:
            fixed = self._fixed_limits(name)
            of_document = fixed.maximum if fixed else None
            if of_document is not None and of_document.value > bounds.high:
                # The house posted a lower maximum than the document's.
                of_document = None
            clause = self.terms.cite(of_document or basis)
            sentence = f"{the_wager(name)} can be at most {spoken(bounds.high)}, not {spoken(stake)}"
            self.refusals.add("above-maximum", sentence, where, clause)

    def minimum(self, name: str, stake: int, low: int | None, where: str) -> None:
        """Refuse a stake below the minimum in force."""
        if low is not None and stake < low:
            fixed = self._fixed_limits(name)
            least = self.book.minimum_basis or self.book.limit_basis
            clause = self.terms.cite(fixed.minima if fixed and fixed.minima else least)
            sentence = f"{the_wager(name)} must be at least {spoken(low)}, not {spoken(stake)}"
            self.refusals.add("below-minimum", sentence, where, clause)

    def _fixed_limits(self, name: str) -> Limit | None:
        """Return the limits that the rulebook sets for a wager, or for the wager that it must equal."""
        equals = self.book.wagers[name].equals
        return self.book.limits.get(equals.value if equals else name)

    def tips(self, requested: Stakes, stakes: Stakes, play: int, where: str) -> dict[str, int]:
        """Return the tips on wagers that players may tip on; refuse the other tips."""
        by_house, allowed = self.book.house.get("tips"), self.terms.tip_wagers
        same_wager = not self.book.option("tips")
        clause = self.terms.clause("tips") or self.terms.clause("offered")
        if by_house is not None:
            clause = self.terms.cite(by_house.basis)
        tips: dict[str, int] = {}
        for name, amount in requested.items():
            path = f"{where}.{name}"
            if name not in allowed:
                places = " or ".join(map(the_wager, allowed))
                advice = f"tip on {places} instead" if allowed else "tips are not offered"
                sentence = f"you cannot tip on {the_wager(name)}; {advice}"
                self.refusals.add("tip-not-offered", sentence, path, clause)
                continue
            tips[name] = amount
            self._tip_maximum(name, amount, path)
            if not (name in stakes if same_wager else "ante" in stakes if name != "trips" else stakes):
                needed = name if same_wager or name == "trips" else "ante"
                sentence = f"to tip on {the_wager(name)}, also bet {the_wager(needed)}"
                self.refusals.add("tip-alone", sentence, path, clause)
        due = tips.get("ante", 0) * play
        if "play" in tips and (tips["play"] != due or not due):
            sentence = "to tip on the play wager, also tip on the ante"
            if due:
                sentence = (
                    f"the tip on the play wager must be {play} times the tip on the ante, {spoken(due)}"
                )
            also = self.book.options["tips"].basis.also
            self.refusals.add("tip-play-size", sentence, f"{where}.play", also[-1] if also else clause)
        return tips

    def _tip_maximum(self, name: str, tip: int, where: str) -> None:
        """Refuse a tip above its wager's posted maximum, if the house applies the maximum to tips."""
        high = self.terms.bounds[name].high if name in self.terms.bounds else None
        if self.terms.house("tip_limit") == "posted" and high is not None and tip > high:
            clause = self.terms.cite(self.book.limit_basis)
            sentence = f"a tip on {the_wager(name)} can be at most {spoken(high)}, not {spoken(tip)}"
            self.refusals.add("above-maximum", sentence, where, clause)

    def coupon(self, face: int, stakes: Stakes, where: str) -> None:
        """Refuse a match play coupon if the table takes none or the ante is too small."""
        clause = self.terms.clause("match_play")
        if face < 0:
            self.refusals.add("bad-amount", "a coupon's face value must be more than $0", where, clause)
        elif face and not self.terms.house("match_play"):
            sentence = "this table does not take match play coupons"
            self.refusals.add("match-play-off", sentence, where, clause)
        elif face > stakes.get("ante", 0):
            sentence = f"a {spoken(face)} coupon needs an ante of at least {spoken(face)}"
            self.refusals.add("match-play-chips", sentence, where, clause)

    def entry(self, stakes: Stakes, where: str) -> None:
        """Refuse wagers that are not enough to be dealt in, unless another refusal already says why."""
        entry = self.book.entry
        if (
            entry is None
            or not self.terms.ways_in
            or any(way <= stakes.keys() for way in self.terms.ways_in)
        ):
            return
        if not self.refused(where, "-alone", "-unequal", "bad-amount"):
            ways = ", or ".join(" and ".join(map(the_wager, way)) for way in entry.value)
            sentence = f"to be dealt in, bet {ways}"
            self.refusals.add("no-initial-bet", sentence, where, self.terms.cite(entry))

    def refused(self, where: str, *endings: str) -> bool:
        """True if a wager of the seat was already refused with a code that has one of these endings."""
        return any(r.where.startswith(f"{where}.") and r.code.endswith(endings) for r in self.refusals)

    def primary(self, stakes: Stakes, where: str) -> None:
        """Refuse wagers of Texas Shootout without the primary wager."""
        beside = self.book.wagers["bonus"].beside if "bonus" in stakes else None
        if "wager" in stakes:
            return
        if self._unread(where, ("wager",)):
            return
        if beside is not None:
            sentence = "to bet the bonus, also bet the primary wager"
            self.refusals.add("bonus-alone", sentence, f"{where}.bonus", self.terms.cite(beside))
        elif self.book.entry is not None:
            sentence = "to be dealt in, bet the primary wager"
            self.refusals.add("no-initial-bet", sentence, where, self.terms.cite(self.book.entry))

    def one_amount(self, hands: Sequence[PlacedHand]) -> None:
        """Refuse unequal progressive wagers at a table, if no document sets the amount."""
        if self.terms.progressive_amount[0] is not None:
            return
        staked = [
            (hand.stakes["progressive"], path) for path, hand in hands if "progressive" in hand.stakes
        ]
        for stake, path in staked[1:]:
            first = staked[0][0]
            if stake != first:
                amount = spoken(first)
                sentence = f"every progressive wager at the table must be {amount}, not {spoken(stake)}"
                self.refusals.add("progressive-unequal", sentence, f"{path}.progressive")

    def positions(self, hands: Sequence[PlacedHand]) -> None:
        """Refuse a player who bets at several seats, if the rulebook allows only one."""
        rule = self.terms.one_position
        if rule is None:
            return
        first: dict[str | int, int] = {}
        for path, hand in hands:
            seat = first.setdefault(hand.player, hand.seat)
            if seat != hand.seat:
                sentence = f"{hand.player} already bets at seat {seat}; a player can bet at only one seat"
                self.refusals.add("more-than-one-position", sentence, path, self.terms.cite(rule))

    def bet_limit(self, hands: Sequence[PlacedHand]) -> None:
        """Refuse wagers and tips above the rulebook's bet limit for one player."""
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
                        wagered_on = f"{spoken(stake)} on {the_wager(name)}"
                        sentence = f"{wagered_on} exceeds the bet limit of {spoken(most)}"
                        self.refusals.add("bet-limit", sentence, f"{path}.{name}", clause)
                continue
            totals[hand.player] = totals.get(hand.player, 0) + sum(stake for _, stake in wagered)
            paths.setdefault(hand.player, path)
        for player, total in totals.items():
            if total > most:
                sentence = f"{spoken(total)} at risk in one round exceeds the bet limit of {spoken(most)}"
                self.refusals.add("bet-limit", sentence, paths[player], clause)
