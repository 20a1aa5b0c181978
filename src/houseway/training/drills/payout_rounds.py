"""Settled rounds for payout drills: drawn from a seed, settled by the engine and by the second settler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec

from houseway.audit.second_settler_adapter import knows, settle_independently
from houseway.cards import Card, codes
from houseway.engine.events import WagerSettled
from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.read_shootout import may_split
from houseway.engine.settle import Settler
from houseway.engine.settle_json import read_round
from houseway.engine.settlement import settlement_line
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.money import dollars
from houseway.shoe.seeded_draws import RandomSource
from houseway.training.drills.chosen_deals import chosen_deal
from houseway.training.judge import settlement_differences
from houseway.training.seeded_players import stake_within

STAKES: Final[Mapping[int, tuple[int, ...]]] = {
    1: (500, 1000, 1500, 2000, 2500),
    2: (300, 500, 700, 1500, 1750, 2500, 3500),
    3: (300, 500, 750, 1250, 1500, 2250, 3500, 4500, 7500, 10000),
}
"""The stakes of each level, in cents."""
SIDE_BETS: Final[Mapping[int, float]] = {1: 0.4, 2: 0.7, 3: 0.8}
"""How often a player makes a side bet, by level."""
TRIES: Final = 200
METER: Final = (500_000, 9_000_000)
"""The smallest and the largest amount on a meter, in cents."""


class PayoutRound(msgspec.Struct, frozen=True):
    """A settled round."""

    data: dict[str, Any]
    """The round in the format of `houseway settle`."""
    played: FinishedRound
    lines: tuple[WagerSettled, ...]
    reads: dict[tuple[int, int], str]
    """The class of each hand, by seat and hand number."""
    qualifies: bool
    settled_twice: bool
    """True if the second settler settled the round too, with the same result."""


class DisagreementError(RuntimeError):
    """The engine and the second settler disagree about a round. Neither answer may be taught."""


def payout_round(table: Table, draws: RandomSource, level: int, seats: int) -> PayoutRound:
    """Return a settled round with this many players.

    Raise DisagreementError if the second settler does not agree with the engine.
    """
    for _ in range(TRIES):
        data = _round(table, draws, level, seats)
        played, refused = read_round(data, table.terms)
        if not refused:
            return settled_round(table.terms, data, played)
    raise ValueError(f"no round with {seats} seats is allowed at this table of {table.book.id}: {refused}")


def settled_round(terms: Terms, data: dict[str, Any], played: FinishedRound) -> PayoutRound:
    """Settle a round with both settlement programs."""
    settler = Settler(terms, played)
    lines = [line for n in range(len(terms.plan.passes)) for line in settler.settle_pass(n)]
    twice = False
    if knows(terms.rulebook):
        answer = settle_independently(terms.rulebook.id, data)
        ours = [msgspec.to_builtins(settlement_line(line)) for line in lines]
        if "refused" in answer or settlement_differences(ours, answer["lines"]):
            raise DisagreementError(f"{terms.rulebook.id}: the two settlement programs differ on {data}")
        twice = True
    reads = {(spot.hand.seat, spot.hand.number): terms.order[spot.place] for spot in settler.spots}
    return PayoutRound(data, played, tuple(lines), reads, settler.facts.qualifies, twice)


def _round(table: Table, draws: RandomSource, level: int, count: int) -> dict[str, Any]:
    seats = sorted(draws.sample(range(1, table.seats + 1), count))
    board, held = chosen_deal(draws, table.book, count + 1, table.hand_size)
    dealer = held.pop()
    seat = _shootout_seat if table.shootout else _ultimate_seat
    rows = [seat(table, draws, level, n, own) for n, own in zip(seats, held, strict=True)]
    data = {
        "rulebook": table.book.id,
        **table.terms.chosen,
        "house": dict(table.terms.chosen.get("house", {})),
        "board": codes(board),
        "dealer": codes(dealer),
        "seats": rows,
    }
    if any("progressive" in row for row in rows) and table.meters:
        data["meters"] = {name: dollars(draws.randrange(*METER) // 100 * 100) for name in table.meters}
    return data


def _ultimate_seat(
    table: Table, draws: RandomSource, level: int, number: int, cards: Sequence[Card]
) -> dict[str, Any]:
    terms = table.terms
    row: dict[str, Any] = {"seat": number, "hole": codes(cards)}
    for name in terms.stakeable:
        if terms.rulebook.wagers[name].equals is None and _offered(table, name):
            entry = name == table.entry_wager
            if entry or draws.random() < SIDE_BETS[level]:
                row[name] = dollars(_stake(terms, draws, level, name))
    row["play"] = draws.choice((*sorted(terms.sizes), 0))
    return row


def _shootout_seat(
    table: Table, draws: RandomSource, level: int, number: int, cards: Sequence[Card]
) -> dict[str, Any]:
    terms = table.terms
    first = draws.choice(list(combinations(range(len(cards)), table.settled_size)))
    hands = [codes(cards[n] for n in first)]
    if may_split(cards, terms) and draws.random() < SIDE_BETS[level]:
        hands.append(codes(cards[n] for n in range(len(cards)) if n not in first))
    row: dict[str, Any] = {"seat": number, "cards": codes(cards), "hands": hands}
    row["wager"] = dollars(_stake(terms, draws, level, "wager"))
    if draws.random() < SIDE_BETS[level]:
        row["bonus"] = [dollars(_stake(terms, draws, level, "bonus"))] * len(hands)
    return row


def _offered(table: Table, name: str) -> bool:
    modes = table.book.wagers[name].modes
    return (modes is None or table.mode in modes.value) and (
        name != "progressive" or "progressive" in table.terms.in_use
    )


def _stake(terms: Terms, draws: RandomSource, level: int, name: str) -> int:
    exact, _ = terms.exact_amount(name)
    if exact is not None:
        return exact
    bounds = terms.bounds[name]
    low, high = bounds.low or 1, bounds.high
    return stake_within(draws, STAKES[level], low, high)


def envious_hands(table: Table, played: FinishedRound) -> tuple[PlayerHand, ...]:
    """Return the hands that an envy payment could go to, because another hand was dealt."""
    if len(played.hands) < 2:
        return ()
    return tuple(hand for hand in played.hands if table.terms.envious(hand.stakes))


def with_half_dollars(lines: Iterable[WagerSettled]) -> bool:
    """True if a payment is not in whole dollars."""
    return any(line.won % 100 for line in lines)
