"""The settlement plan: how every wager of a rulebook is settled under a table's terms.

The plan is compiled once from the rulebook. The engine, exact analysis and simulation all settle by it. It
contains the passes and their order, the outcome of every wager, the rule for folded hands that stay on the
table for their trips bets, the limits on winnings, and the approvals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from houseway.engine.events import WagerSettled
from houseway.engine.finished_round import FOLDED, HELD
from houseway.money import Cents, Flat, Odds, Payment, Rounding, rounded
from houseway.rules.compile import Outcome, choices, compile_wager
from houseway.rules.fact_groups import HandFacts
from houseway.rules.posted_limits import Limits, minimum_bettor
from houseway.rules.rulebook import Approval, Pass, Rulebook

STATUS: Final = ("standing", "folded", "held")
"""The statuses of a hand. Code uses their indexes 0, 1 and 2, as does the fact `folded`."""
HAND: Final = "hand"
"""Used in place of a wager's name if all wagers of a hand are approved together."""
HOLDER: Final = "trips"
"""The wager for which folded cards may stay on the table."""


@dataclass(frozen=True, slots=True)
class SettlementPass:
    """One pass: the dealer goes around the table once and settles certain wagers of certain hands."""

    hands: frozenset[int]
    """The statuses of the hands that the pass settles."""
    wagers: tuple[str, ...]
    from_right: bool
    when: Mapping[str, Any]
    in_use: bool
    """False if a house setting leaves the pass out."""
    only: Mapping[str, frozenset[int]]
    """For a wager that is settled only for some of the hands, the statuses of those hands."""

    def wagers_of(self, status: int) -> tuple[str, ...]:
        """Return the wagers that the pass settles for a hand with this status."""
        if not self.only:
            return self.wagers
        return tuple(name for name in self.wagers if status in self.only.get(name, self.hands))

    def applies(self, qualifies: bool | None) -> bool:
        """True if this pass takes place; `qualifies` is None while the dealer's hand is unknown."""
        return self.in_use and self.when.get("dealer_qualifies", qualifies) == qualifies


class WinningsCap(NamedTuple):
    """A limit on a hand's total winnings on some wagers."""

    wagers: frozenset[str]
    limit: Cents
    clause: str | None


class UnansweredError(LookupError):
    """No row of the rulebook covers a case. A rulebook that passes the checks has no such case."""


class SettlementPlan:
    """The settlement of all wagers under a table's terms."""

    def __init__(
        self,
        rulebook: Rulebook,
        mode: str,
        tables: Mapping[str, str],
        limits: Limits,
        house: Callable[[str], Any],
        first_five: Collection[str],
    ) -> None:
        """`first_five` names the wagers that the player's two cards and the flop decide."""
        self._rulebook, self._mode, self._tables, self._house = rulebook, mode, tables, house
        wagers = rulebook.wagers
        self.outcomes: dict[str, tuple[Outcome | None, ...]] = {
            name: compile_wager(rulebook, wager, choices(wager, tables, house), mode).outcomes
            for name, wager in wagers.items()
        }
        """For each wager, the outcome in each cell of its fact group."""
        self.cell_of: dict[str, Callable[[HandFacts], int]] = {
            name: wager.group.reader(len(rulebook.ranking.order), first_five=name in first_five)
            for name, wager in wagers.items()
        }
        """For each wager, the function that returns a hand's cell."""
        self.passes = tuple(map(self._pass, rulebook.settlement))
        self.caps = self.caps_at(limits)
        self.names_cuts = any(cap.named for cap in rulebook.caps)
        """True if a settled wager names the limit that reduced its payment."""
        self.approvals: tuple[Approval, ...] = rulebook.approvals
        self.approves_hands = house("approval_scope") == "hand"
        """True if a hand's total winnings, not each wager's, decide whether approval is needed."""
        self.rounding: Rounding = house("rounding") or "down"
        self.held_for = rulebook.option("held_for")
        """"no trips", "winning trips" or "any trips": the bets that keep folded cards on the table."""

    def _pass(self, rulebook_pass: Pass) -> SettlementPass:
        settings = {name: value for name, value in rulebook_pass.when.items() if name != "dealer_qualifies"}
        steps = [s for s in rulebook_pass.steps if s.wager in self._rulebook.wagers and self._holds(s.when)]
        return SettlementPass(
            _statuses(rulebook_pass.hands),
            tuple(step.wager for step in steps),
            rulebook_pass.direction is not None and rulebook_pass.direction.value == "counter-clockwise",
            rulebook_pass.when,
            self._holds(settings),
            {step.wager: _statuses(step.hands) for step in steps if step.hands},
        )

    def _holds(self, settings: Mapping[str, Any]) -> bool:
        """True if the house's settings have these values."""
        return all(self._house(name) == value for name, value in settings.items())

    def order(self, status: int, *, qualifies: bool) -> tuple[str, ...]:
        """Return the wagers of a hand in the order of settlement."""
        by_pass = [p.wagers_of(status) for p in self.passes if status in p.hands and p.applies(qualifies)]
        return tuple(dict.fromkeys(name for wagers in by_pass for name in wagers))

    def outcome(self, name: str, hand: HandFacts) -> Outcome:
        """Return the outcome of a wager for a hand."""
        outcome = self.outcomes[name][self.cell_of[name](hand)]
        if outcome is None:
            raise UnansweredError(f"{self._rulebook.id}: no row of {name} covers this hand")
        return outcome

    def folded_status(self, staked: Collection[str], hand: HandFacts) -> int:
        """Return HELD if a folded hand stays on the table for its trips bet, otherwise FOLDED."""
        held = self.may_hold(staked) and self.holds_fold(self.cell_of[HOLDER](hand))
        return HELD if held else FOLDED

    def may_hold(self, staked: Collection[str]) -> bool:
        """True if a folded hand with these wagers can stay on the table."""
        return HOLDER in staked and self.held_for not in (None, "no trips")

    def holds_fold(self, cell: int) -> bool:
        """True if a trips bet on a hand in `cell` keeps the folded cards on the table."""
        outcome = self.outcomes[HOLDER][cell]
        return self.held_for == "any trips" or (outcome is not None and outcome.result == "win")

    def winnings(self, pays: Payment, stake: int) -> int:
        """Return the winnings on a stake; 0 for a share of a meter, which the meter pays."""
        if type(pays) is Odds:
            return rounded(stake * pays.units, pays.per, self.rounding)
        return pays.amount if type(pays) is Flat else 0

    def approvals_for(self, wager: str, amount: int) -> Iterator[Approval]:
        """Return the approvals that a payment of this amount needs."""
        return (a for a in self.approvals if amount > a.above and wager in a.wagers)

    def hand_approvals(self, lines: Sequence[WagerSettled]) -> Iterator[tuple[Approval, WagerSettled, int]]:
        """Return the approvals that hands need, each with the hand's first win and its total winnings."""
        won: dict[tuple[int, int], list[WagerSettled]] = {}
        for line in lines:
            if line.result == "win" and not line.for_dealer:
                won.setdefault((line.seat, line.hand), []).append(line)
        for approval in self.approvals:
            for paid in won.values():
                counted = [line for line in paid if line.wager in approval.wagers]
                amount = sum(line.won for line in counted)
                if amount > approval.above:
                    yield approval, counted[0], amount

    def caps_at(self, limits: Limits, unoffered: Collection[str] = ()) -> tuple[WinningsCap, ...]:
        """Return the limits on a hand's winnings under the minimum bets in force, at a table that does not
        offer some wagers."""
        caps = []
        for cap in self._rulebook.caps:
            limit = self._house(cap.setting) if cap.setting is not None else cap.limit
            if limit is not None and cap.or_minimum_bettor:
                figure = minimum_bettor(self._rulebook, cap, limits, self._tables, unoffered)
                limit = max(limit, figure)
            if limit is not None:
                caps.append(WinningsCap(frozenset(cap.wagers), limit, cap.basis.clause(self._mode)))
        return tuple(caps)


def _statuses(hands: Sequence[str]) -> frozenset[int]:
    return frozenset(STATUS.index(hand) for hand in hands if hand in STATUS)


class CappedWinnings:
    """One hand's winnings under limits, added wager by wager."""

    __slots__ = ("caps", "cut_clause", "due", "paid")

    def __init__(self, caps: Sequence[WinningsCap]) -> None:
        self.caps = caps
        self.due = [0] * len(caps)
        self.paid = [0] * len(caps)
        self.cut_clause = ""
        """The clause of the limit that reduced the last payment; empty if none did."""

    def pay(self, wager: str, amount: int) -> int:
        """Return the amount paid on a win after every limit that applies to the wager."""
        self.cut_clause = ""
        for n, cap in enumerate(self.caps):
            if wager in cap.wagers:
                self.due[n] += amount
                left = cap.limit - self.paid[n]
                if amount > left:
                    amount, self.cut_clause = left, cap.clause or ""
                self.paid[n] += amount
        return amount

    def uses(self) -> Iterator[tuple[WinningsCap, int, int]]:
        """Return each limit with the winnings due and the winnings paid under it."""
        return zip(self.caps, self.due, self.paid, strict=True)
