"""Simulated rounds pay like settled rounds, follow their strategy, and are dealt from a fair shuffle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from houseway import exact
from houseway.cards import DECK, Card, cards
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.exact.kernels import ultimate_rounds as kernels
from houseway.ranking import read
from houseway.simulate import Plan, SimulationError, plan, run
from houseway.simulate.chunk_runner import stream
from houseway.simulate.ultimate import Ultimate
from simulate.first_rounds import first_rounds
from simulate.plans import SIDES, made


def arrays(table: Plan) -> kernels.Bets:
    """Return the arrays of wagers that the kernel uses."""
    assert isinstance(table.game, Ultimate)
    return table.game.arrays


KEPT = 8_000
PLAIN = 300
WAGERS = ("ante", "blind", "play")
SMALL_STAKES = (("ante", 15), ("trips", 35))
LARGE_STAKES = (("ante", 1_000_00), ("trips", 1_500_00), ("cover_all", 3_000_00))

TABLES: dict[str, dict[str, Any]] = {
    "every side bet": {"seats": 6, "side": SIDES, "tables": (("trips", "A"), ("progressive", "PTMGLML02"))},
    "limits on winnings": {"seats": 2, "side": SIDES, "bets": LARGE_STAKES},
    "seven cards": {"ref": "uth-sd", "seats": 3, "side": ("trips", "progressive"), "strategy": "beginner"},
    "a linked meter": {
        "ref": "uth-sd", "seats": 6, "side": ("progressive",), "tables": (("progressive", "PMG-02"),),
        "strategy": "never",
    },
    "half cents": {
        "ref": "uth-card", "seats": 4, "side": ("trips",), "strategy": "practical", "bets": SMALL_STAKES,
    },
    "held for trips": {"ref": "uth-proc", "seats": 1, "side": ("trips",), "strategy": "always"},
}  # fmt: skip


def settled(window: Window, played: dict[str, Any]) -> Settlement:
    settlement = window.settle(played)
    assert isinstance(settlement, Settlement), settlement
    return settlement


def paid(settlement: Settlement) -> Counter[tuple[int, str]]:
    """Return the net in cents for each seat and wager. Shares of a meter are left out; test_meters.py tests them."""
    nets: Counter[tuple[int, str]] = Counter()
    for line in settlement.lines:
        share = line.wager == "progressive" and "%" in (line.odds or "")
        net = -Fraction(line.stake) if share else Fraction(line.net)
        nets[line.seat, line.wager] += int(net * 100)
    return nets


@pytest.mark.parametrize("name", TABLES)
def test_a_simulated_round_pays_every_seat_like_a_settled_one(name: str) -> None:
    compare(made(**TABLES[name]))


def compare(table: Plan) -> None:
    window, seen = Window(), 0
    ordinary = 3 * sum(table.bets.stakes[name] for name in WAGERS)
    for n, (played, nets) in enumerate(first_rounds(table, KEPT)):
        # Compare the first rounds, then only rounds with a large win.
        if n >= PLAIN and max(sum(row.values()) for row in nets) < 3 * ordinary:
            continue
        lines = paid(settled(window, played))
        expected = {(seat, name): net for seat, row in enumerate(nets, 1) for name, net in row.items()}
        assert {key: lines[key] for key in expected} == expected, played
        seen += 1
    assert seen > PLAIN


def test_the_compared_rounds_include_limits_on_winnings_and_half_cents() -> None:
    dear, cheap = made(**TABLES["limits on winnings"]), made(**TABLES["half cents"])
    assert len(arrays(dear).limits) == 2
    window = Window()
    cut = sum(
        bool(settled(window, played).caps)
        for played, nets in first_rounds(dear, KEPT)
        if max(sum(row.values()) for row in nets) > 40_000_00
    )
    assert cut
    assert 22 in arrays(cheap).nets  # A flush pays 22.5 cents on a blind of 15 cents.
    assert not len(arrays(cheap).limits)


def test_a_payment_changed_by_a_cent_is_noticed() -> None:
    wrong = made(side=("trips",), seed="planted")
    paying = arrays(wrong)
    paying.nets[paying.rows[1, wrong.bets.wagers.index("trips")]] += 1
    with pytest.raises(AssertionError):
        compare(wrong)


def test_sums_and_squares_match_the_rounds() -> None:
    table = made(rounds=3_000, seats=6, side=SIDES)
    totals: dict[str, list[int]] = {}
    for _, nets in first_rounds(table, 3_000):
        both = {name: sum(row[name] for row in nets) for name in nets[0]}
        both["main game"] = sum(both[name] for name in WAGERS)
        both["everything"] = sum(both[name] for name in nets[0])
        for name, total in both.items():
            totals.setdefault(name, []).append(total)
    tally = run(table)
    assert list(tally.sums) == [sum(each) for each in totals.values()]
    assert list(tally.squares) == [sum(total**2 for total in each) for each in totals.values()]


def choices(hole: tuple[Card, ...], board: tuple[Card, ...], table: Plan) -> int:
    """Return the best multiple of the ante, from the exact value of each choice."""
    for shown in (0, 3, 5):
        best = exact.odds(table.terms, hole, board[:shown]).best
        if best.endswith("x"):
            return int(best.removesuffix("x"))
    return 0


def practical(hole: tuple[Card, ...], board: tuple[Card, ...], table: Plan) -> int:
    """Return the multiple of the ante in the practical strategy, written from its published rules."""
    order = table.terms.order
    high, low = sorted((card.rank for card in hole), reverse=True)
    suited = hole[0].suit == hole[1].suit
    partners = {12: (0, 0), 11: (0, 3), 10: (4, 6), 9: (6, 8)}
    if (high == low and low >= 1) or (
        high in partners and low >= partners[high][not suited] and high > low
    ):
        return 4
    flop, deuces = read((*hole, *board[:3]), order), high == low == 0
    hidden = high == low or any(card.rank in (high, low) for card in board[:3])
    drawn = any(
        mine.rank >= 8 and sum(card.suit == mine.suit for card in (*hole, *board[:3])) == 4 for mine in hole
    )
    if flop.name not in ("pair", "high card") or (hidden and not deuces) or drawn:
        return 2
    hand, alone = read((*hole, *board), order), read(board, order)
    unseen = [card for card in DECK if card not in (*hole, *board)]
    outs = sum(read((*board, card), order).key > hand.key for card in unseen)
    hidden = high == low or any(card.rank in (high, low) for card in board)
    return int(hidden or hand.place < alone.place or outs < 21)


@pytest.mark.parametrize(("strategy", "plain"), [("best", choices), ("practical", practical)])
def test_seats_follow_the_strategy(strategy: str, plain: Any) -> None:
    table = made(seats=6, strategy=strategy, side=("trips",))
    seen: Counter[int] = Counter()
    for played, _ in first_rounds(table, 60, chunk=3):
        board = cards(played["board"])
        for seat in played["seats"]:
            assert seat["play"] == plain(cards(seat["hole"]), board, table), (seat, played["board"])
            seen[seat["play"]] += 1
    assert set(seen) == {0, 1, 2, 4}
    other = made(seats=6, strategy="beginner", side=("trips",))
    wrong = [
        seat["play"] != plain(cards(seat["hole"]), cards(played["board"]), other)
        for played, _ in first_rounds(other, 8, chunk=3)
        for seat in played["seats"]
    ]
    assert any(wrong)


def xoshiro(state: list[int]) -> int:
    """Return the next upper 32 bits of the published xoshiro generator, computed with Python integers."""
    mask = (1 << 64) - 1

    def rotated(number: int, by: int) -> int:
        return (number << by | number >> 64 - by) & mask

    result = (rotated((state[0] + state[3]) & mask, 23) + state[0]) & mask
    shifted = state[1] << 17 & mask
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return result >> 32


def test_random_numbers_match_the_published_generator() -> None:
    state = stream("a seed", 7)
    plain = [int(part) for part in state]
    assert [int(kernels.draw(state)) for _ in range(1_000)] == [xoshiro(plain) for _ in range(1_000)]
    small = np.array([1, 2, 3, 4], np.uint64)
    # Computed by hand: (1 + 4) rotated by 23 bits, plus 1, is below 2**32, so the upper half is 0.
    assert int(kernels.draw(small)) == 0


def unlikely(dealt: Iterable[Sequence[Card]]) -> bool:
    """True if the frequencies of cards at each position, or of the card that follows at the same position in the next round,
    rule out a fair shuffle."""
    rounds = np.array([[DECK.index(card) for card in cards] for cards in dealt])
    number, places = rounds.shape
    seen = np.stack([np.bincount(column, minlength=52) for column in rounds.T])
    squares = ((seen - number / 52) ** 2 / (number / 52)).sum(axis=1)
    again = int((rounds[1:] == rounds[:-1]).sum())
    expected = (number - 1) * places / 52
    whole = number * places / 52
    in_all = ((seen.sum(axis=0) - whole) ** 2 / whole).sum()
    # With 51 degrees of freedom, one position in a hundred thousand is above 105.
    return bool(
        max(squares.max(), in_all) > 105 or squares.min() < 15 or abs(again - expected) > 5 * expected**0.5
    )


def dealt_by(table: Plan, number: int) -> Iterator[list[Card]]:
    for played, _ in first_rounds(table, number):
        dealt = [*cards(played["board"]), *cards(played["dealer"])]
        dealt += [card for seat in played["seats"] for card in cards(seat["hole"])]
        assert len(set(dealt)) == len(dealt)
        yield dealt


def test_every_card_reaches_every_place_equally_often() -> None:
    assert not unlikely(dealt_by(made(seats=6), 20_000))


BIASED: dict[str, Callable[[Any, int], int]] = {
    "the last card is never drawn": lambda state, size: int(kernels.draw(state)) * (size - 1) >> 32,
    "no card stays where it lies": lambda state, size: 1 + (int(kernels.draw(state)) * (size - 1) >> 32),
    "near cards are likelier": lambda state, size: min(
        int(kernels.draw(state)) * size >> 32, int(kernels.draw(state)) * size >> 32
    ),
}


@pytest.mark.parametrize("how", BIASED)
def test_a_biased_shuffle_is_noticed(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Run the kernel as Python code, so that its random draw can be replaced.
    plain: Any = kernels.play_chunk
    monkeypatch.setattr(kernels, "play_chunk", plain.py_func)
    assert not unlikely(dealt_by(made(), 1_500))
    monkeypatch.setattr(kernels, "below", BIASED[how])
    assert unlikely(dealt_by(made(), 1_500))


def test_all_numbers_below_a_size_are_equally_likely() -> None:
    size, number = 3 << 30, 20_000
    state, other = stream("below", 1), stream("below", 1)
    rest = Counter(int(kernels.below(state, size)) % 3 for _ in range(number))
    assert all(abs(rest[n] - number / 3) < 5 * (number / 3) ** 0.5 for n in range(3))
    # Without redrawing to avoid bias, one number in three would occur twice as often.
    biased = Counter(int(kernels.draw(other)) * size // (1 << 32) % 3 for _ in range(number))
    assert any(abs(biased[n] - number / 3) > 5 * (number / 3) ** 0.5 for n in range(3))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"strategy": "bset"}, "there is no strategy named 'bset'"),
        ({"side": ("insurance",)}, "uth-ma offers no side bet named 'insurance'; its side bets are trips"),
        ({"side": ("tripps",)}, "its side bets are trips, progressive, cover_all; did you mean 'trips'\\?$"),
        ({"seats": 7}, "--seats must be 1 to 6 \\(got 7\\)"),
        ({"seats": 0}, "--seats must be 1 to 6 \\(got 0\\)"),
        ({"rounds": 0}, "rounds must be at least 1 \\(got 0\\)"),
        ({"bets": {"trips": 500}}, "the stake of 'trips' cannot be set in this simulation"),
        ({"side": ("trips", "progressive"), "bets": {"progressive": 100}}, "progressive must be exactly \\$5"),
        ({"bets": {"ante": 10**12}}, "which is too much; lower the stakes"),
        ({"given": {"tables": {"trips": "Z"}}}, "uth-ma has no trips table 'Z'"),
        ({"meters": {"mian": 100}, "side": ("progressive",)}, "mian"),
    ],
)  # fmt: skip
def test_a_run_that_cannot_be_simulated_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        plan(**{"rulebook": "uth-ma", "rounds": 10, **options})
