"""Simulated rounds of Texas Shootout pay like settled rounds, follow the strategy, and have the exact means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway import load
from houseway.cards import DECK, Card, cards
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.exact import shootout
from houseway.exact.kernels import ultimate_rounds as kernels
from houseway.exact.shootout_game import PAIRS, RANK, SUIT
from houseway.exact.shootout_hands import STARTS, Hands, two_cards
from houseway.simulate import CHUNK, Figures, Plan, SimulationError, Tally, figures, plan, run, shards
from houseway.simulate.shootout import Shootout
from simulate.first_rounds import first_rounds

ID = "shootout-sd"
KEPT = 4_000
PLAIN = 200
FAR = 4
# The mean net of a wager if every seat plays the house way, from an exact count over all boards and four-card hands.
AS_THE_DEALER = Fraction("-0.036929406580")


def made(strategy: str = "house", **options: Any) -> Plan:
    tables = {"tables": {"bonus": options.pop("table", "A")}}
    return plan(
        ID, **{"rounds": 200_000, "strategy": strategy, "given": tables, "side": ("bonus",), **options}
    )


def worth(hand: Sequence[Any], discards: Sequence[Any]) -> Any:
    """Return an invented value of a hand that does not depend on the names of suits. Cards are numbers, or arrays of
    numbers."""
    (one, other), (gone, lost) = (tuple(RANK[n] for n in two) for two in (hand, discards))
    inside = sum((SUIT[n] == SUIT[hand[0]]) | (SUIT[n] == SUIT[hand[1]]) for n in discards)
    mixed = np.maximum(one, other) * 7_919 + np.minimum(one, other) * 104_729
    mixed = mixed + (SUIT[hand[0]] == SUIT[hand[1]]) * 611_953 + inside * 32_452_843
    mixed = mixed + np.maximum(gone, lost) * 1_299_709 + np.minimum(gone, lost) * 15_485_863
    return mixed % 1_000_003 - 500_000


@cache
def invented_hands() -> Hands:
    table = np.array([worth(two_cards(start), tuple(PAIRS.T)) for start in range(len(STARTS))])
    return Hands(np.zeros(len(STARTS), object), table.astype(object))


@pytest.fixture
def _made_up_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the hand values by invented ones, because computing the real ones takes minutes. The invented values
    give almost every set of four cards a different best play."""
    monkeypatch.setattr(shootout, "cached_hands", lambda book: invented_hands())


def lines(window: Window, played: dict[str, Any]) -> Counter[tuple[int, int, str]]:
    settlement = window.settle(played)
    assert isinstance(settlement, Settlement), settlement
    paid: Counter[tuple[int, int, str]] = Counter()
    for line in settlement.lines:
        paid[line.seat, line.hand, line.wager] += int(Fraction(line.net) * 100)
    return paid


def compare(table: Plan) -> Counter[str]:
    """Compare simulated rounds with their settlement. Return how often splits and envy occurred."""
    window, seen = Window(), Counter[str]()
    for n, (played, nets) in enumerate(first_rounds(table, KEPT)):
        # Compare the first rounds, then only rounds with a split or with envy.
        if n >= PLAIN and len(nets) == table.seats and not any(row["envy"] for row in nets):
            continue
        spots = [
            (seat["seat"], hand) for seat in played["seats"] for hand in range(1, len(seat["hands"]) + 1)
        ]
        paid = lines(window, played)
        expected = {
            (*spot, name): net for spot, row in zip(spots, nets, strict=True) for name, net in row.items()
        }
        assert {key: paid[key] for key in expected} == expected, played
        seen["round"] += 1
        seen["split"] += any(hand == 2 for _, hand in spots)
        seen["envy"] += any(row["envy"] for row in nets)
    return seen


@pytest.mark.usefixtures("_made_up_hands")
@pytest.mark.parametrize("table", ["A", "B"])
def test_a_simulated_round_pays_every_hand_like_a_settled_one(table: str) -> None:
    seen = compare(made("best", seats=7, table=table, bets={"wager": 25_00, "bonus": 5_00}))
    assert seen["split"] > 100
    assert seen["envy"] > 10


def test_a_small_bonus_earns_no_envy() -> None:
    table = made(seats=3, bets={"bonus": 4_00})
    assert compare(table)["envy"] == 0
    assert "envy" not in {figure.name for figure in figures(table, run(table, range(1))).figures}


def test_a_wrong_payment_in_one_cell_is_noticed() -> None:
    wrong = made(seats=2, seed="planted")
    assert isinstance(wrong.game, Shootout)
    straight = wrong.terms.order.index("straight") * kernels.MADE
    wrong.game.arrays.nets[wrong.bets.wagers.index("bonus"), straight] += 1
    with pytest.raises(AssertionError):
        compare(wrong)


def test_dealer_and_seats_follow_the_house_way() -> None:
    way = load(ID).house_way
    assert way is not None
    for played, _ in first_rounds(made(seats=7), 400):
        for seat in played["seats"]:
            assert (cards(seat["hands"][0]),) == (way.keep(cards(seat["cards"]))[0],)


def by_trying(four: tuple[Card, ...], *, may_split: bool) -> tuple[int, bool]:
    """Return the best value of four cards, and True if it is a split, by trying every choice."""
    numbers = [DECK.index(card) for card in four]
    single, both = [], []
    for keep in combinations(range(4), 2):
        rest = [n for n in range(4) if n not in keep]
        hand, left = (numbers[keep[0]], numbers[keep[1]]), (numbers[rest[0]], numbers[rest[1]])
        single.append(worth(hand, left))
        both.append(worth(hand, left) + worth(left, hand))
    ranks = sorted(Counter(card.rank for card in four).values())
    splits = may_split and ranks in ([2, 2], [4]) and max(both) > max(single)
    return max(both) if splits else max(single), splits


@pytest.mark.usefixtures("_made_up_hands")
@pytest.mark.parametrize("strategy", ["best", "never"])
def test_seats_make_the_most_valuable_choice(strategy: str) -> None:
    seen: Counter[bool] = Counter()
    for played, _ in first_rounds(made(strategy, seats=7), 300):
        for seat in played["seats"]:
            four = cards(seat["cards"])
            best, splits = by_trying(four, may_split=strategy == "best")
            hands = [[DECK.index(card) for card in cards(hand)] for hand in seat["hands"]]
            rest = [
                DECK.index(card) for card in (Counter(four) - Counter(cards(seat["hands"][0]))).elements()
            ]
            other = hands[1] if len(hands) > 1 else rest
            got = worth(hands[0], other) + worth(other, hands[0]) * (len(hands) > 1)
            assert (got, len(hands) > 1) == (best, splits), seat
            seen[splits] += 1
    assert (seen[True] > 10) == (strategy == "best")
    assert seen[False] > 1_000


def test_every_card_of_six_decks_reaches_every_place_equally_often() -> None:
    number, copies = 10_000, 0
    seen = np.zeros((17, 52), np.int64)
    for played, _ in first_rounds(made(seats=2), number):
        dealt = [*cards(played["board"]), *cards(played["dealer"])]
        dealt += [card for seat in played["seats"] for card in cards(seat["cards"])]
        copies += len(dealt) - len(set(dealt))
        for place, card in enumerate(dealt):
            seen[place, DECK.index(card)] += 1
    expected = number / 52
    squares = ((seen - expected) ** 2 / expected).sum(axis=1)
    # With 51 degrees of freedom, one position in a hundred thousand is above 105.
    assert squares.max() < 105
    assert squares.min() > 15
    # The expected number of different cards among 17 of 312 is 52 (1 - C(306, 17) / C(312, 17)).
    none = np.prod([1 - 6 / (312 - n) for n in range(17)])
    assert abs(copies / number - (17 - 52 * (1 - none))) < 0.05


@cache
def as_the_dealer() -> tuple[Plan, Tally]:
    table = made(rounds=1_000_000)
    return table, run(table)


def test_a_seat_that_plays_the_house_way_loses_only_because_of_ties() -> None:
    table, tally = as_the_dealer()
    wager = figures(table, tally)["wager"]
    assert wager.error is not None
    assert abs(wager.value - AS_THE_DEALER) < FAR * wager.error
    lose, tie, win = np.array(tally.showdown).sum(axis=0).reshape(3, 2, 3, -1)[0, 1].sum(axis=1).tolist()
    assert lose + tie + win == 1_000_000
    # Seat and dealer play the same way, so the seat wins as often as it loses.
    assert abs(win - lose) < FAR * (win + lose) ** 0.5
    assert wager.net == (win - lose - tie) * 10_00


def test_shards_merged_in_any_order_give_the_whole_run(tmp_path: Path) -> None:
    table = made(seats=2)
    files = []
    for number in (3, 1, 2):
        chunks = shards.part(table, number, 3)
        files.append(tmp_path / shards.name(table, chunks))
        shards.write(table, chunks, run(table, chunks, threads=1), files[-1])
    again, tally = shards.merge(files)
    assert tally == run(table, threads=2)
    assert tally.rounds == 200_000 > CHUNK
    assert again.told == table.told


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {"strategy": "practical"},
            "there is no strategy named 'practical'; use one of best, house, never",
        ),
        ({"seats": 8}, "seat"),
        ({"bets": {"wager": 600_00}}, "limit"),
        ({"side": ("trips",)}, "shootout-sd offers no side bet named 'trips'; its side bets are bonus"),
    ],
)
def test_a_run_that_cannot_be_simulated_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        made(**options)


@pytest.mark.exhaustive
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("strategy", ["best", "never", "house"])
@pytest.mark.parametrize("table", ["A", "B"])
def test_means_agree_with_the_exact_values(strategy: str, table: str) -> None:
    known = shootout.solve(load(ID))
    result: Figures = figures(many := made(strategy, rounds=20_000_000, table=table), run(many))
    assert result.far == ()
    value, bonus = result["wager"].exact, result["bonus"].exact
    if strategy == "best":
        assert (value, bonus) == (known.best.value, known.best.staked * dict(known.bonus)[table].value)
        assert round(float(known.best.value), 8) == -0.02965269
        splits = known.best.split * result.hands
        assert abs(result.actions["split"] - splits) < FAR * float(splits) ** 0.5
    elif strategy == "never":
        assert value == known.no_split.value
    else:
        assert value is not None
        assert round(value, 12) == AS_THE_DEALER


@pytest.mark.exhaustive
def test_envy_agrees_with_the_exact_count_if_no_hand_is_split() -> None:
    shootout.solve(load(ID))
    table = made("never", rounds=2_000_000, seats=4)
    envy = figures(table, run(table))["envy"]
    assert envy.exact is not None
    assert envy.off is not None
    assert envy.off < FAR
