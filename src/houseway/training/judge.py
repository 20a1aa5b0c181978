"""Judge a round that was dealt in training: one verdict for every act, and for every act that was missed.

The amounts due come from the engine and from the second settler. If the two disagree about a wager, its
payment is not counted as wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from houseway.audit.engine_resettlement import RoundData
from houseway.audit.second_settler_adapter import knows, settle_independently
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.settlement import settlement_line
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.training import acts as a
from houseway.training import chair as ch

RIGHT: Final = "right"
DISPUTED: Final = "disputed"
"""The kind of a wrong amount about which the engine and the second settler disagree."""
LATENESS: Final = (ch.LATE, ch.WRONG_HANDLING)
"""If an act has a slip of one of these kinds, its lateness is not judged separately."""
COMPARED: Final = ("seat", "hand", "wager", "stake", "result", "net", "for", "from", "cut", "coupon")
"""The parts of a settled wager that both programs must agree on."""


class JudgeLimits(msgspec.Struct, frozen=True):
    """The limits of a judgement."""

    notice: int = 10_000
    """The milliseconds within which an irregularity must be reported."""
    rulings: bool = False
    """True if a report without a ruling counts as a report with a wrong ruling."""


LIMITS: Final = JudgeLimits()


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The judgement of one act, or of an act that was missed."""

    kind: str
    """"right", "disputed", or the kind of a slip."""
    entry: int
    """The number of the input."""
    time: int
    act: a.ChairAct | None = None
    due: a.ChairAct | None = None
    clause: str | None = None
    step: str = ""
    amount: int = 0
    """Cents paid beyond the amount due; negative if the player got too little."""
    irregularity: str = ""
    at: str = ""
    cured: bool = False
    """True if the trainee repaired the slip."""
    waits: bool = False
    """True if the seat of `due` was asked already: the trainee had to wait for its decision."""


class Judgement(msgspec.Struct, frozen=True):
    """A judged round."""

    verdicts: tuple[Verdict, ...]
    entries: tuple[ch.ChairEntry, ...]
    settled_twice: bool
    """True if the second settler settled the round too. It cannot settle a void round."""
    differences: tuple[tuple[Any, ...], ...] = ()
    """The wagers about which the engine and the second settler disagree."""

    @property
    def slips(self) -> tuple[Verdict, ...]:
        """The verdicts that are not right."""
        return tuple(one for one in self.verdicts if one.kind not in (RIGHT, DISPUTED))

    @property
    def mispaid(self) -> tuple[int, int]:
        """The cents paid too much, and the cents paid too little (negative), that were not corrected."""
        wrong = [slip.amount for slip in self.slips if not slip.cured]
        return sum(x for x in wrong if x > 0), sum(x for x in wrong if x < 0)


def judge(table: Table, chair: ch.Chair, limits: JudgeLimits = LIMITS) -> Judgement:
    """Judge the round in a chair; it must be closed."""
    entries = chair.entries
    settled_twice, differences = _settle_twice(table, chair)
    disputed = {line[:3] for line in differences}
    cured = {number for entry in entries for number in entry.cured}
    merged, parts = _merged(entries), _paid_in_parts(entries)
    verdicts = [
        verdict
        for entry in entries
        if not parts.intersection(slip.number for slip in entry.slips)
        for verdict in _verdicts(entry, merged, cured, disputed, limits)
    ]
    return Judgement(tuple(verdicts), entries, settled_twice, differences)


def _merged(entries: Iterable[ch.ChairEntry]) -> set[int]:
    """Return the slips whose passed-over acts were all missed: each of those acts gets its own verdict."""
    slips = [slip for entry in entries for slip in entry.slips]
    missed = Counter(slip.of for slip in slips if slip.of)
    return {slip.number for slip in slips if slip.passed and missed[slip.number] >= slip.passed}


def _paid_in_parts(entries: Iterable[ch.ChairEntry]) -> set[int]:
    """Return the slips of payments that were too small, if the trainee at once paid the rest.

    A payment in several moves is one payment; only its sum is judged.
    """
    parts: set[int] = set()
    before: ch.ChairEntry | None = None
    for entry in entries:
        if not isinstance(entry.input, a.ChairAct):
            continue
        if isinstance(entry.input, a.Pay) and before is not None:
            same = isinstance(before.input, a.Pay) and before.input.target == entry.input.target
            # The payment itself may have been out of order. That slip stays.
            short = {before.slips[0].number} if same and len(before.slips) == 1 else set()
            parts |= short.intersection(entry.cured)
        before = entry
    return parts


def _verdicts(
    entry: ch.ChairEntry,
    merged: set[int],
    cured: set[int],
    disputed: set[tuple[Any, ...]],
    limits: JudgeLimits,
) -> Iterator[Verdict]:
    act = entry.input if isinstance(entry.input, a.ChairAct) else None
    slips = [slip for slip in entry.slips if slip.number not in merged]
    late = None if any(slip.kind in LATENESS for slip in slips) else _late(entry, limits)
    if late is not None:
        yield late
    elif act is not None and not any(slip.did is not None for slip in slips):
        clause = next((change.event.clause for change in entry.changes if change.event.clause), None)
        clause = entry.answered.clause if entry.answered is not None else clause
        yield Verdict(kind=RIGHT, entry=entry.number, time=entry.time, act=act, clause=clause)
    for slip in slips:
        wager = slip.due if isinstance(slip.due, a.WagerAct) else None
        doubtful = wager is not None and (wager.seat, wager.hand, wager.wager) in disputed
        yield Verdict(
            kind=DISPUTED if doubtful else slip.kind,
            entry=entry.number,
            time=entry.time,
            act=slip.did,
            due=slip.due,
            clause=slip.clause,
            step=slip.step,
            amount=slip.amount,
            irregularity=slip.irregularity,
            at=slip.at,
            cured=slip.number in cured,
            waits=slip.waits,
        )


def _late(entry: ch.ChairEntry, limits: JudgeLimits) -> Verdict | None:
    """Return the verdict on a report or an answer that came after the time limit, or None."""
    facts = {"kind": ch.LATE, "entry": entry.number, "time": entry.time, "act": entry.input}
    handled, answered = entry.handled, entry.answered
    if handled is not None and not handled.noticed and entry.time - handled.time > limits.notice:
        return Verdict(**facts, clause=handled.clause, irregularity=handled.kind, at=handled.at)  # type: ignore[arg-type]
    if answered is not None and answered.judged and entry.time - answered.time > limits.notice:
        conduct = answered.conduct
        place = f"seat {conduct.seat}"
        return Verdict(**facts, clause=answered.clause, irregularity=conduct.kind, at=place)  # type: ignore[arg-type]
    return None


# --- the amounts, settled twice ---


def _settle_twice(table: Table, chair: ch.Chair) -> tuple[bool, tuple[tuple[Any, ...], ...]]:
    """Return True if the second settler settled the round too, and the wagers on which it differs."""
    if not knows(table.book):
        return False, ()
    data, end = _round_data(table, chair)
    if data is None:
        return False, ()
    answer = settle_independently(table.book.id, data)
    if "refused" in answer:
        return False, ()
    ours = [msgspec.to_builtins(settlement_line(line)) for line in end.round.settled]
    return True, settlement_differences(ours, answer["lines"])


def _round_data(table: Table, chair: ch.Chair) -> tuple[dict[str, Any] | None, State]:
    """Return the round as data for settlement, and the state at its close."""
    collected, state, end = RoundData(table.book, table.terms.chosen), chair.start, None
    for entry in chair.entries:
        for change in entry.changes:
            collected.take(change.event, state)
            state = evolve(state, change.event)
            if isinstance(change.event, e.RoundClosed):
                end = state
    return (None if end is None else collected.data(end)), end or state


def settlement_differences(ours: Sequence[Any], theirs: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return the settled wagers that only one of two settlements has; the order does not matter."""
    one, other = Counter(map(_compared, ours)), Counter(map(_compared, theirs))
    return tuple(((one - other) + (other - one)).keys())


def _compared(line: Any) -> tuple[Any, ...]:
    return tuple(_hashable(line.get(part)) for part in COMPARED)


def _hashable(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value
