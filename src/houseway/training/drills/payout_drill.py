"""The payout drill: take, push or pay one wager, a whole hand or a whole table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houseway.cards import codes
from houseway.engine.events import WagerSettled
from houseway.engine.finished_round import PlayerHand
from houseway.engine.table import Table
from houseway.money import cents, exactly
from houseway.rules.odds_words import odds_text, wording
from houseway.shoe.seeded_draws import RandomSource
from houseway.training.chips import CENT, make, tray_values
from houseway.training.drills.payout_rounds import (
    PayoutRound,
    envious_hands,
    payout_round,
    with_half_dollars,
)
from houseway.training.drills.question import (
    PAYMENT,
    PLAIN,
    FeltFacts,
    FeltHand,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
    kind_key,
    kind_parts,
)
from houseway.wording import capital, wager_name

PAYOUTS = "payouts"
WINS_ASKED = 0.7
"""How often a question about one wager is about a wager that wins, if the round has one."""
SEATS = {1: (1,), 2: (1, 2, 3), 3: (2, 3, 4, 6)}
"""The numbers of players, by level."""
WAGER, HAND, TABLE = SCOPES = ("wager", "hand", "table")
"""What a question can be about."""
WHOLE = {1: (WAGER,), 2: (WAGER, WAGER, HAND), 3: (WAGER, HAND, TABLE)}
"""What is asked, by level, if the caller does not choose."""
WHOLE_SCOPES = {f"whole {scope}": scope for scope in (HAND, TABLE)}
"""The first part of the kind of a question about a whole hand or table."""
TABLE_SEATS = 2
"""The lowest number of players for a question about a whole table."""
TRIES = 40


def scope_of(kind: str) -> str:
    """Return what a kind of question is about: "wager", "hand" or "table".

    >>> scope_of("blind, flush, plain"), scope_of("whole table, capped")
    ('wager', 'table')
    """
    return WHOLE_SCOPES.get(kind_parts(kind)[0], WAGER)


def payout_question(table: Table, draws: RandomSource, level: int, scope: str = "") -> Question:
    """Return a question about the payments of a round; `scope` is one of `SCOPES`, or empty for any."""
    # The draw is made in any case, so that a seed gives the same round with and without a scope.
    drawn = draws.choice(WHOLE[level])
    asks = scope or drawn
    count = min(draws.choice(SEATS[level]), table.seats)
    if asks == TABLE:
        count = max(count, TABLE_SEATS)
    for _ in range(TRIES):
        question = _question(table, draws, level, asks, count)
        if all(_payable(table, one.amount) for one in question.key):
            return question
    raise ValueError(f"no payment of {table.book.id} can be made with the chips of the tray")


def _payable(table: Table, amount: int) -> bool:
    """True if the chips of the tray make an amount exactly."""
    return CENT not in make(tray_values(table), amount)


def _question(table: Table, draws: RandomSource, level: int, asks: str, count: int) -> Question:
    dealt = payout_round(table, draws, level, count)
    answers = _answers(table, dealt)
    hand = draws.choice(dealt.played.hands)
    place = f"seat {hand.seat}{f' hand {hand.number}' if hand.number > 1 else ''}"
    if asks == "table":
        chosen, kind = _in_order(dealt, answers), kind_key("whole table", _feature(dealt, dealt.lines))
    elif asks == "hand":
        chosen = _in_order(dealt, (one for one in answers if _belongs(one.part, hand)))
        lines = [line for one in chosen for line in one.lines]
        kind = kind_key("whole hand", dealt.reads[hand.seat, hand.number], _feature(dealt, lines))
    else:
        paying = [one for one in answers if any(line.won for line in one.lines)]
        one = draws.choice(paying if paying and draws.random() < WINS_ASKED else answers)
        chosen, kind = [one], _wager_kind(dealt, one)
    what = {"wager": chosen[0].part, "hand": f"every wager of {place}", "table": "every wager"}[asks]
    facts = QuestionFacts(
        drill=PAYOUTS,
        rulebook=table.book.id,
        mode=table.mode,
        difficulty=level,
        asks=f"{capital(what)}: take, push or pay?",
        parts=tuple(_part(one) for one in chosen),
        felt=round_felt(dealt),
        notes=_notes(table, dealt),
        scope=asks,
        tables=_tables(table, dealt),
        meters=_meters(dealt),
        limit=table.terms.house("max_payout") or 0,
    )
    return Question(kind, facts, tuple(chosen), dealt.settled_twice)


def round_felt(dealt: PayoutRound) -> FeltFacts:
    """Return the felt of a finished round, with all cards face up."""
    played = dealt.played
    hands = tuple(
        FeltHand(
            seat=hand.seat, cards=codes(hand.cards), wagers=dict(hand.stakes), hand=hand.number,
            folded=hand.folded,
        )
        for hand in played.hands
    )  # fmt: skip
    return FeltFacts(codes(played.board), codes(played.dealer), hands)


def _part_name(seat: int, hand: int, wager: str) -> str:
    second = f" hand {hand}" if hand > 1 else ""
    return f"seat {seat}{second} {wager_name(wager)}"


def _part(one: RightAnswer) -> QuestionPart:
    seat, hand, wager = one.place
    return QuestionPart(one.part, PAYMENT, seat=seat, hand=hand, wager=wager)


def _belongs(part: str, hand: PlayerHand) -> bool:
    """True if a part is a wager of this hand, or its envy."""
    return part in {_part_name(hand.seat, hand.number, wager) for wager in (*hand.stakes, "envy")}


def _answers(table: Table, dealt: PayoutRound) -> list[RightAnswer]:
    """Return the right answer for each wager on the layout and for each possible envy payment, by seat."""
    grouped: dict[tuple[int, int, str], list[WagerSettled]] = {}
    for hand in dealt.played.hands:
        for wager in hand.stakes:
            grouped[hand.seat, hand.number, wager] = []
    for hand in envious_hands(table, dealt.played):
        grouped[hand.seat, hand.number, "envy"] = []
    for line in dealt.lines:
        grouped[line.seat, line.hand, line.wager].append(line)
    return [_answer(table, dealt, *place, lines) for place, lines in grouped.items()]


def _in_order(dealt: PayoutRound, answers: Iterable[RightAnswer]) -> list[RightAnswer]:
    """Return answers in the order of the settlement. An envy payment that is not due comes last."""
    settled = [(line.seat, line.hand, line.wager) for line in dealt.lines]
    return sorted(
        answers, key=lambda one: settled.index(one.place) if one.place in settled else len(settled)
    )


def _answer(
    table: Table, dealt: PayoutRound, seat: int, hand: int, wager: str, lines: Sequence[WagerSettled]
) -> RightAnswer:
    won = sum(line.won for line in lines)
    wins = any(line.result == "win" for line in lines)
    if wins:
        does = "pay"
    elif wager == "envy":
        does = "none"
    else:
        does = "push" if any(line.result == "push" for line in lines) else "take"
    clause = next((line.clause for line in lines), None) or table.cite(table.book.wagers[wager].basis)
    return RightAnswer(
        part=_part_name(seat, hand, wager),
        answer=f"pay {exactly(won)}" if wins else does,
        clause=clause,
        amount=won,
        lines=tuple(lines),
        reason=_reason(table, dealt, seat, hand, lines),
        group=kind_key(wager_name(wager), does),
        place=(seat, hand, wager),
        reads=dealt.reads[seat, hand],
    )


def _reason(table: Table, dealt: PayoutRound, seat: int, hand: int, lines: Iterable[WagerSettled]) -> str:
    """Return the reason for a payment: the hand, the odds and the limit."""
    parts = [dealt.reads[seat, hand]]
    for line in lines:
        if line.odds:
            parts.append(odds_text(line.odds, wording(table.book)))
        if line.cut:
            parts.append(f"reduced by {exactly(line.cut)}")
        if line.from_seat:
            parts.append(f"for seat {line.from_seat} hand {line.from_hand}")
    return ", ".join(parts)


def _wager_kind(dealt: PayoutRound, one: RightAnswer) -> str:
    name = wager_name(one.place[2])
    if not one.lines:
        return kind_key(name, "none")
    line = one.lines[0]
    reads = dealt.reads[line.from_seat or line.seat, line.from_hand or line.hand]
    if line.result != "win":
        return kind_key(name, "take" if line.result == "lose" else line.result)
    return kind_key(name, reads, _feature(dealt, one.lines))


def _feature(dealt: PayoutRound, lines: Sequence[WagerSettled]) -> str:
    """Return the hardest thing about some payments."""
    wagers = {line.wager for line in lines if line.won}
    if any(line.cut for line in lines):
        return "capped"
    for wager in ("envy", "progressive"):
        if wager in wagers:
            return wager
    if with_half_dollars(lines):
        return "half-dollars"
    if any(hand.number > 1 for hand in dealt.played.hands):
        return "split"
    return PLAIN if dealt.qualifies else "dealer does not qualify"


def _notes(table: Table, dealt: PayoutRound) -> tuple[str, ...]:
    """Return what a dealer reads off the table: the pay tables, the meters, the payout limit."""
    tables = [f"{kind.replace('_', ' ')} {name}" for kind, name in _tables(table, dealt).items()]
    notes = [f"Pay tables: {', '.join(tables)}."] if tables else []
    notes += [f"Progressive meter ({name}): {exactly(amount)}." for name, amount in _meters(dealt).items()]
    limit = table.terms.house("max_payout")
    if limit:
        notes.append(f"The house pays at most {exactly(limit)} for one hand.")
    return tuple(notes)


def _tables(table: Table, dealt: PayoutRound) -> dict[str, str]:
    """Return the pay tables of the wagers that were made, if the rulebook has several for a wager."""
    bet = {wager for hand in dealt.played.hands for wager in hand.stakes}
    named = table.terms.tables.items()
    return {kind: name for kind, name in named if len(table.book.tables[kind]) > 1 and kind in bet}


def _meters(dealt: PayoutRound) -> dict[str, int]:
    return {name: cents(amount) for name, amount in dealt.data.get("meters", {}).items()}
