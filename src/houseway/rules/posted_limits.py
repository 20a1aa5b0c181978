"""Check the limits posted at a table against the document: its bounds, its bet limit for one player, and
its limits on winnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from houseway.money import Cents, Odds, spoken
from houseway.rules.compile import compile_wager
from houseway.rules.rulebook import Bounds, Cap, Rulebook

Limits = Mapping[str, Bounds]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with the posted limits: an error if a document does not allow them, otherwise a warning."""

    code: str
    wager: str
    clause: str | None
    sentence: str
    weight: Literal["error", "warning"] = "error"


def largest_play(rulebook: Rulebook) -> int:
    """Return the largest play wager, as a multiple of the ante; 0 in a game without play wagers."""
    return max((n for s in rulebook.stages if s.sizes for n in s.sizes.value), default=0)


def bounds(rulebook: Rulebook, posted: Limits, wager: str) -> Bounds:
    """Return the bounds of a wager: the posted ones, or those of the document if none are posted.

    A posted bound that the document does not allow, which `findings` reports, is replaced as well.
    """
    own = posted.get(wager, Bounds())
    fixed = rulebook.limits.get(wager)
    low, high = own.low, own.high
    if fixed is not None:
        if fixed.minima and low not in fixed.minima.value:
            # A table has one minimum: the posted minimum of the ante also applies to the other wagers.
            ante = posted.get("ante", Bounds()).low
            low = ante if ante in fixed.minima.value else min(fixed.minima.value)
        if fixed.maximum and (high is None or high > fixed.maximum.value):
            high = fixed.maximum.value
    return Bounds(low, high)


ABOVE_BET_LIMIT: Final = "limits-above-bet-limit"
"""The code of the problem that one player could exceed the document's bet limit."""


def findings(
    rulebook: Rulebook,
    posted: Limits,
    chosen: Mapping[str, str],
    scope: str = "round",
    progressive: Cents | None = None,
    mode: str = "manual",
    positions: int = 1,
) -> Iterator[Finding]:
    """Yield every problem with posted limits."""
    for name, own in posted.items():
        low, high = own.low, own.high
        if low is not None and high is not None and low > high:
            sentence = f"the minimum {spoken(low)} is above the maximum {spoken(high)}"
            yield Finding("limits-crossed", name, None, sentence)
        fixed = rulebook.limits.get(name)
        if fixed and fixed.minima and low is not None and low not in fixed.minima.value:
            allowed = " or ".join(spoken(m) for m in fixed.minima.value)
            sentence = f"the minimum must be {allowed}, not {spoken(low)}"
            yield Finding("minimum-not-offered", name, fixed.minima.clause(mode), sentence)
        if fixed and fixed.maximum and high is not None and high > fixed.maximum.value:
            sentence = f"the maximum must be at most {spoken(fixed.maximum.value)}, not {spoken(high)}"
            yield Finding("maximum-too-high", name, fixed.maximum.clause(mode), sentence)
    yield from without_maximum(rulebook, posted, posted, progressive, mode)
    yield from _worst_case(rulebook, posted, scope, progressive, mode, positions)
    yield from minimum_above_caps(rulebook, posted, chosen, mode)


def without_maximum(
    rulebook: Rulebook, posted: Limits, wagers: Iterable[str], progressive: Cents | None, mode: str
) -> Iterator[Finding]:
    """Yield a problem for each wager without a maximum, if the bet limit requires maxima."""
    limit = rulebook.bet_limit
    if limit is None or limit.maxima is None:
        return
    for name in wagers:
        wager = rulebook.wagers.get(name)
        exact = progressive if name == "progressive" else wager and wager.amount
        if exact is None and bounds(rulebook, posted, name).high is None:
            most = f"so a player could exceed the bet limit of {spoken(limit.amount)}"
            sentence = f"{name} has no maximum, {most}; post a maximum for it"
            yield Finding("limits-open", name, limit.maxima.clause(mode), sentence)


def without_minimum(
    rulebook: Rulebook, posted: Limits, wagers: Iterable[str], mode: str
) -> Iterator[Finding]:
    """Yield a problem for each wager without a minimum, if the document requires minima."""
    basis = rulebook.minimum_basis
    for name in wagers if basis is not None else ():
        if not bounds(rulebook, posted, name).low:
            sentence = f"{name} has no minimum; post the least amount that a player may bet on it"
            yield Finding("no-minimum", name, basis.clause(mode) if basis else None, sentence)


def _worst_case(
    rulebook: Rulebook, posted: Limits, scope: str, progressive: Cents | None, mode: str, positions: int
) -> Iterator[Finding]:
    limit = rulebook.bet_limit
    if limit is None or limit.posted is None:
        return
    parts = list(_at_most(rulebook, posted, progressive))
    if scope == "wager":
        name, worst = max(parts, key=lambda part: part[1], default=("", 0))
        named = f"the largest wager, {name}, can be {spoken(worst)}"
    else:
        worst = sum(amount for _, amount in parts) * positions
        named = " + ".join(f"{name} {spoken(amount)}" for name, amount in parts)
        player = "one player"
        if positions > 1:
            named = f"{positions} × {spoken(worst // positions)}: {named}"
            player = f"one player on all {positions} seats"
        named = f"with these limits, {player} could have {spoken(worst)} at risk ({named})"
    if worst > limit.amount:
        main = "ante" if "ante" in rulebook.wagers else "wager"
        sentence = f"{named}; the bet limit is {spoken(limit.amount)}"
        yield Finding(ABOVE_BET_LIMIT, main, limit.posted.clause(mode), sentence)


def _at_most(rulebook: Rulebook, posted: Limits, progressive: Cents | None) -> Iterator[tuple[str, int]]:
    """Yield each wager and the most that one player can bet on it in a round, without tips."""
    for name, wager in rulebook.wagers.items():
        twin = wager.equals.value if wager.equals else name
        high = bounds(rulebook, posted, twin).high
        if name == "progressive" and (high is None or progressive is not None):
            high = progressive
        if name == "play":
            ante = bounds(rulebook, posted, "ante").high
            high = None if ante is None else Cents(ante * largest_play(rulebook))
        if high and name != "envy":
            # After a split, the second hand has an equal primary wager and may have its own bonus.
            yield name, high * (2 if rulebook.option("split") else 1)


def minimum_above_caps(
    rulebook: Rulebook,
    posted: Limits,
    chosen: Mapping[str, str],
    mode: str,
    unoffered: Collection[str] = (),
) -> Iterator[Finding]:
    """Yield a warning for each fixed cap that is below what a minimum bettor can win.

    A minimum bettor is a player who makes only minimum bets. Some caps rise to the most that such a player
    can win; the fixed caps do not. If no cap rises, there is no warning.
    """
    flexible = [cap for cap in rulebook.caps if cap.or_minimum_bettor]
    figures = [minimum_bettor(rulebook, cap, posted, chosen, unoffered) for cap in flexible]
    for cap in rulebook.caps:
        if cap.limit is None or cap.or_minimum_bettor:
            continue
        for figure in figures:
            if figure > cap.limit:
                capped = f"but a hand is paid at most {spoken(cap.limit)}"
                sentence = f"a minimum bettor could win {spoken(figure)}, {capped}"
                yield Finding("minimum-above-cap", "ante", cap.basis.clause(mode), sentence, "warning")


def minimum_bettor(
    rulebook: Rulebook,
    cap: Cap,
    posted: Limits,
    chosen: Mapping[str, str],
    unoffered: Collection[str] = (),
) -> Cents:
    """Return the most that one player can win in a round with minimum bets on the wagers of a cap.

    If `cap.named`, wagers that the table does not offer do not count.
    """
    total = 0
    ante = bounds(rulebook, posted, "ante").low or 0
    for name in cap.wagers:
        wager = rulebook.wagers.get(name)
        if wager is None or (cap.named and name in unoffered):
            continue
        low = bounds(rulebook, posted, name).low
        stake = ante if low is None or wager.equals else low
        if name == "play":
            stake = ante * largest_play(rulebook)
        if stake:
            rules = compile_wager(rulebook, wager, chosen, "manual").rules
            best = max((r.pays.ratio for r in rules if isinstance(r.pays, Odds)), default=0)
            total += int(stake * best)
    return Cents(total)
