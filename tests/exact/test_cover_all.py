"""The highest hand at the table: the counts are compared with dealing hands card by card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from exact.games import terms_of, with_row
from houseway.cards import DECK, Card, cards, codes
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.exact import highest_hand, matchings
from houseway.exact.highest_hand import RANK_BOARDS, Boards, all_below, boards, highest_counts
from houseway.exact.matchings import allowed, dealt, forbidden, with_card
from houseway.exact.wager_prices import wagers
from houseway.exact.wager_values import WagerValue
from houseway.rules.loader import load

ORDER = load("uth-ma").ranking.order
BY = load("uth-ma").ranking.evaluator
PAYING = (0, 1, 2, 3)
MOST = 7
SEVEN = (4_324, 37_260, 224_848, 3_473_184)
# Simulated over a billion deals, in percent; the last digit is uncertain by one or two.
SIMULATED = {2: 10.00, 3: 10.01, 4: 9.22, 5: 8.62, 6: 9.96, 7: 10.56}
PRINTED = {
    2: (200, 100, 70, 12), 3: (150, 80, 50, 8), 4: (125, 70, 40, 6), 5: (100, 40, 35, 5), 6: (80, 40, 30, 4),
    7: (70, 30, 20, 4),
}  # fmt: skip
BOARDS = [
    "2c 5d 9h Jc Ks", "2c 5c 9c Jd Ks", "9c 9d 5h 2c Ks", "9c 9d 5c 2c Kc", "9c 9d 5h 5s Ks", "9c 9d 5c 5s 6c",
    "9c 9d 9h 5s 6c", "5c 5d 5h 6c 7c", "9c 9d 9h 5s 5c", "9c 9d 9h 9s 5c", "5c 6c 7c 8c Kd", "5c 6c 7c 9c Tc",
    "Ac Kc Qc Jc 2d", "Ac 2c 3c 4c 9h", "Tc Jc Qc Kc Ac", "4c 5c 6c 7c 8c", "8c 9d Th Js 2c",
]  # fmt: skip


@cache
def cover_all() -> dict[str, WagerValue]:
    return dict(wagers(terms_of(load("uth-ma")))["cover_all"])


def test_boards_and_deals_have_the_known_totals() -> None:
    assert (len(boards().ways), boards().ways.sum()) == (42_783, comb(52, 5))
    assert (boards().copies.sum(axis=1) == 47).all()
    assert dealt(4, 2) == 3
    assert dealt(47, 2) == comb(47, 2) * comb(45, 2) // 2
    assert dealt(3, 2) == 0


def test_counts_for_one_hand_match_the_counts_of_seven_cards() -> None:
    # Seven cards are a board and a hand in C(7, 2) ways.
    assert highest_counts(ORDER, PAYING, MOST)[1] == (
        *(21 * n for n in SEVEN),
        21 * (133_784_560 - sum(SEVEN)),
    )


def test_counts_for_two_hands_match_another_method() -> None:
    # Two hands without a shared card: any two allowed pairs, minus those that share a card.
    on = boards()
    counts = np.zeros(len(PAYING), np.object_)
    for start in range(0, len(on.ways), 2048):
        part = on.part(start, start + 2048)
        places = highest_hand._places(part, BY)
        for place in PAYING:
            other = part.copies[:, None, :] - np.eye(26, dtype=np.int64)
            near = (other * (places > place)).sum(axis=2)
            pairs = (part.copies * near).sum(axis=1) // 2
            meeting = (part.copies * near * (near - 1)).sum(axis=1) // 2
            counts[place] += sum((pairs * (pairs - 1) // 2 - meeting) * part.ways.astype(np.object_))
    counted = highest_counts(ORDER, PAYING, MOST)[2]
    assert [sum(counted[place + 1 :]) for place in PAYING] == list(counts)


def one_board(board: list[Card]) -> Boards:
    """These cards as a list of one board."""
    suit = next((s for s in range(4) if sum(c.suit == s for c in board) >= 3), None)
    suited = sum(1 << c.rank for c in board if c.suit == suit)
    number = RANK_BOARDS.index(tuple(sorted(c.rank for c in board)))
    on = boards()
    (at,) = np.flatnonzero((on.suited == suited) & (on.ranks == number))
    return Boards(on.suited[[at]], on.ranks[[at]], on.copies[[at]], np.ones(1, np.int64))


def by_hand(board: list[Card]) -> dict[int, tuple[int, int, int]]:
    """Return, for each class, the number of ways to deal one, two and three hands on a board that are all below the class."""
    held = list(combinations([c for c in DECK if c not in board], 2))
    places = np.array([BY.places[BY.strength((*board, *pair))] for pair in held])
    bits = np.array([a.bit | b.bit for a, b in held], np.uint64)
    apart = ((bits[:, None] & bits) == 0).astype(np.float32)
    counts = {}
    for place in (*PAYING, 5, 8):
        fine = places > place
        both: NDArray[np.float32] = apart[fine][:, fine]
        # Three hands without a common card are a triangle of the graph. Sums are at most 1,081, so floats are exact.
        triangles = (both @ both * both).astype(np.int64).sum()
        counts[place] = (int(fine.sum()), int(both.astype(np.int64).sum()) // 2, int(triangles) // 6)
    return counts


def agrees(text: str) -> bool:
    """True if the count on one board matches dealing in every way."""
    board = list(cards(text))
    expected = by_hand(board)
    counted = all_below(one_board(board), ORDER, list(expected), 3)
    return [below[1:] for below in counted] == list(expected.values())


def drawn() -> Iterator[str]:
    rng = Random("boards")
    for _ in range(3):
        yield codes(rng.sample(DECK, 5))


@pytest.mark.parametrize("text", [*BOARDS, *drawn()])
def test_counts_for_up_to_three_hands_match_dealing_in_every_way(text: str) -> None:
    assert agrees(text)


def _adds_one_card_too_many(counts: matchings.Counts, number: int) -> matchings.Counts:
    return with_card(counts, number + 1)


def _subtracts_only_once(counts: matchings.Counts, number: int, hands: int) -> int:
    return dealt(number, hands) - (counts[1] * dealt(number - 2, hands - 1) if hands else 0)


@pytest.mark.parametrize(
    ("name", "planted", "text"),
    [
        ("with_card", _adds_one_card_too_many, "9c 9d 5h 5s Ks"),
        ("allowed", _subtracts_only_once, "9c 9d 5h 2c Ks"),
    ],
)
def test_a_planted_fault_is_noticed(
    monkeypatch: pytest.MonkeyPatch, name: str, planted: Callable[..., Any], text: str
) -> None:
    assert agrees(text)
    monkeypatch.setattr(highest_hand, name, planted)
    assert not agrees(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("9c 9d 5h 2c Ks", 3),
        ("9c 9d 5h 5s Ks", 3),
        ("9c 9d 5c 2c Kc", 2),
        ("5c 6c 7c 9d Kd", 1),
        ("5c 6c 7c 8c Kd", 4),
    ],
)
def test_counts_for_up_to_seven_hands_match_dealing_only_allowed_pairs(text: str, place: int) -> None:
    # Cards are added one by one, in a graph whose edges are the allowed hands, so no forbidden hand is ever dealt.
    board = list(cards(text))
    left = [c for c in DECK if c not in board]
    near = {
        a: {b for b in left if b is not a and BY.places[BY.strength((*board, a, b))] > place} for a in left
    }
    # A card with no allowed partner is never dealt; a card with every partner allowed is added last.
    used = [c for c in left if near[c]]
    core = [c for c in used if len(near[c]) < len(used) - 1]
    lines = tuple(tuple(n for n, b in enumerate(core) if b in near[a]) for a in core)
    counts = forbidden([1] * len(core), lines, MOST)
    for number in range(len(core), len(used)):
        counts = with_card(counts, number)
    assert all_below(one_board(board), ORDER, [place], MOST) == [counts]


def test_counts_for_small_decks_match_dealing_in_every_way() -> None:
    rng = Random("small tables")
    for _ in range(60):
        copies = [rng.choice([1, 1, 2, 3]) for _ in range(rng.choice([3, 4, 5]))]
        kinds = range(len(copies))
        bad = {(a, b) for a in kinds for b in kinds if a <= b and rng.random() < 0.4}
        lines = tuple(tuple(b for b in kinds if (min(a, b), max(a, b)) in bad) for a in kinds)
        table = [kind for kind in kinds for _ in range(copies[kind])][:10]
        copies = [table.count(kind) for kind in kinds]
        counts = forbidden(copies, lines, 4)
        extra = len(table) + 1
        for hands in range(5):
            assert counts[hands] == in_every_way(table, hands, bad)
            fine = in_every_way(table, hands, {(a, b) for a in kinds for b in kinds} - bad)
            assert allowed(counts, len(table), hands) == fine
            # A card that cannot be paired with any other is in no hand.
            assert allowed(with_card(counts, len(table)), extra, hands) == fine


def in_every_way(table: list[int], hands: int, fits: set[tuple[int, int]]) -> int:
    """Count the ways to deal hands from some cards. The first card is in no hand, or in a hand with a later card."""
    if hands == 0:
        return 1
    if len(table) < 2 * hands:
        return 0
    first, *rest = table
    ways = in_every_way(rest, hands, fits)
    for n, other in enumerate(rest):
        if (min(first, other), max(first, other)) in fits:
            ways += in_every_way(rest[:n] + rest[n + 1 :], hands - 1, fits)
    return ways


def test_random_deals_agree_with_the_count() -> None:
    rng, deals = Random("tables"), 60_000
    seen = {hands: [0] * len(ORDER) for hands in PRINTED}
    for _ in range(deals):
        shown = rng.sample(DECK, 5 + 2 * MOST)
        best = 0
        for hand in range(MOST):
            best = max(best, BY.strength((*shown[:5], *shown[5 + 2 * hand : 7 + 2 * hand])))
            if hand + 1 in seen:
                seen[hand + 1][BY.places[best]] += 1
    for hands, met in seen.items():
        counted = highest_counts(ORDER, PAYING, MOST)[hands]
        for number, ways in zip([*met[:4], sum(met[4:])], counted, strict=True):
            chance = ways / sum(counted)
            assert abs(number - deals * chance) <= 4 * (deals * chance * (1 - chance)) ** 0.5


def test_the_house_edge_agrees_with_a_simulation_for_two_to_seven_hands() -> None:
    tables = cover_all()
    assert list(tables) == [str(hands) for hands in PRINTED]
    for hands, simulated in SIMULATED.items():
        value = tables[str(hands)]
        counted = highest_counts(ORDER, PAYING, MOST)[hands]
        assert [case.hand for case in value.cases] == [*ORDER[:4], "below full house"]
        assert [case.ways for case in value.cases] == list(counted)
        assert [case.net for case in value.cases] == [*PRINTED[hands], -1]
        assert value.deals == comb(52, 5) * dealt(47, hands)
        returned = sum(n * (odds + 1) for n, odds in zip(counted, PRINTED[hands], strict=False))
        assert value.edge == 1 - Fraction(returned, value.deals)
        assert abs(float(100 * value.edge) - simulated) <= 0.03


def test_settlement_pays_the_outcomes_that_were_priced() -> None:
    rng, window, met = Random("cover all"), Window(), set()
    for _ in range(300):
        players = rng.choice(range(1, 7))
        shown = rng.sample(DECK[rng.choice([0, 24, 32]) :], 7 + 2 * players)
        seats: list[dict[str, Any]] = [
            {"seat": n + 1, "hole": codes(shown[7 + 2 * n : 9 + 2 * n]), "ante": "5", "play": 1}
            for n in range(players)
        ]
        seats[0]["cover_all"] = "5"
        settled = window.settle(
            {
                "rulebook": "uth-ma",
                "board": codes(shown[:5]),
                "dealer": codes(shown[5:7]),
                "seats": seats,
            }
        )
        assert isinstance(settled, Settlement)
        net = next(Fraction(line.net) for line in settled.lines if line.wager == "cover_all")
        cases = {case.hand: case.net for case in cover_all()[str(players + 1)].cases}
        assert cases.get(str(settled.highest), cases["below full house"]) == net / 5
        met.add((players, settled.highest in cases))
    assert len(met) == 12


def test_classes_are_merged_only_if_they_pay_the_same_for_every_number_of_hands() -> None:
    book = with_row(
        load("uth-ma"), "cover_all", {"hands_dealt": 2, "hand": "full house or better"}, "9 to 1"
    )
    tables = wagers(terms_of(book))["cover_all"]
    nets = {hands: [case.net for case in tables[hands].cases] for hands in ("2", "3")}
    assert nets == {"2": [9, 9, 9, 9, -1], "3": [150, 80, 50, 8, -1]}


@pytest.mark.exhaustive
def test_every_class_is_counted_as_the_highest() -> None:
    # For one hand these are the seven-card counts, each in C(7, 2) ways; more hands only raise the highest.
    seven = (*SEVEN, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)
    by_class = highest_counts(ORDER, tuple(range(9)), MOST)
    assert by_class[1] == tuple(21 * n for n in seven)
    for fewer, more in pairwise(by_class[1:]):
        for place in range(1, 10):
            lower = [Fraction(sum(counts[place:]), sum(counts)) for counts in (fewer, more)]
            assert lower[0] > lower[1]
