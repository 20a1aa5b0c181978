"""The cost of limits on a hand's winnings, compared with settled rounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from exact.games import table, terms
from houseway.cards import DECK, cards, codes
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.settlement_plan import SettlementPlan
from houseway.engine.terms import Terms, read_terms
from houseway.exact import WholeBet, capped_wager, wagers
from houseway.exact.board_counts import first_five
from houseway.exact.flop_cells import Sample, samples
from houseway.exact.outcome_table import Counts
from houseway.exact.whole_bet import count_results, one_cap
from houseway.rules.loader import load

SEVENS = 133_784_560
FIFTY_THOUSAND = 5_000_000


def one_deal(game: Terms, choice: str, qualifies: int, contest: int, hand: str) -> Counts:
    """Return the counts of a single deal."""
    counts = np.zeros((len(game.order), 2, 3, len(game.order)), np.int64)
    counts[-1, qualifies, contest, game.order.index(hand)] = 1
    return {choice: counts}


def capped_game(game: Terms, stakes: dict[str, int], counts: Counts) -> WholeBet:
    """Return the results of these stakes and an equal blind, under the limits of the rulebook."""
    return count_results(
        game, {**stakes, "blind": stakes["ante"]}, by_class(game), counts, {}, game.plan.caps
    )


@cache
def by_class(game: Terms) -> tuple[Sample, ...]:
    """Return sample hole cards and a flop for each class."""
    return samples(game, first_five(game.order))


def settled_nets(
    text: str, ref: str, ante: int, trips: int, **given: object
) -> tuple[dict[str, Fraction], Settlement]:
    """Settle a hand given as "hole / board / dealer / play"; return the net of each wager in cents, and the settlement."""
    hole, board, dealer, play = text.split(" / ")
    seat = {"seat": 1, "hole": hole, "ante": str(ante), "trips": str(trips), "play": int(play)}
    round_ = {"rulebook": ref, "board": board, "dealer": dealer, "seats": [seat], **given}
    settled = Window().settle(round_)
    assert isinstance(settled, Settlement)
    return {line.wager: 100 * Fraction(line.net) for line in settled.lines}, settled


def deal(rng: Random) -> str:
    """A deal in which strong hands are common."""
    if rng.random() < 0.4:
        suit = [c for c in DECK if c.suit == 2][rng.choice([4, 8]) :]
        hearts = rng.sample(suit, 5)
        others = rng.sample([c for c in DECK if c not in hearts], 4)
        shown = [*hearts[:2], *hearts[2:], *others]
    else:
        shown = rng.sample(DECK[rng.choice([0, 28, 36]) :], 9)
    play = rng.choice([0, 1, 2, 4])
    return f"{codes(shown[:2])} / {codes(shown[2:7])} / {codes(shown[7:])} / {play}"


@pytest.mark.parametrize(
    ("ref", "house", "antes", "trips"),
    [
        ("uth-ma", {}, (100, 500, 5_000), (100, 2_000)),
        ("uth-card", {}, (100, 500, 5_000), (100, 2_000)),
        ("uth-proc", {"max_payout": "200"}, (10, 25), (5, 25)),
    ],
)
def test_a_limit_reduces_one_deal_as_in_settlement(
    ref: str, house: dict[str, str], antes: tuple[int, ...], trips: tuple[int, ...]
) -> None:
    rng = Random(f"caps {ref}")
    game = read_terms(load(ref), {"house": house})[0]
    by = game.evaluator
    cuts = folds = 0
    for _ in range(250):
        text, ante, side = deal(rng), rng.choice(antes), rng.choice(trips)
        nets, settled = settled_nets(text, ref, ante, side, house=house)
        hole, board, dealer, play = text.split(" / ")
        own, house_hand = (by.strength(cards(f"{held} {board}")) for held in (hole, dealer))
        contest = 1 + (own > house_hand) - (own < house_hand)
        counts = one_deal(
            game, "fold" if play == "0" else f"{play}x", int(bool(settled.dealer.qualifies)), contest,
            settled.hands[0].reads,
        )  # fmt: skip
        result = capped_game(game, {"ante": 100 * ante, "trips": 100 * side}, counts)
        assert result.paid == nets
        assert sum(result.cut.values()) == sum(
            100 * Fraction(line.cut) for line in settled.lines if line.cut is not None
        )
        cuts += sum(result.cut.values()) > 0
        folds += play == "0" and result.cut["trips"] > 0
    assert cuts > 20
    assert folds > 2


def test_a_wrong_order_of_settlement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ah Kh / Qh Jh Th 2c 3d / 4s 4d / 4"
    game = terms("uth-ma")
    nets, _ = settled_nets(text, "uth-ma", 200, 5)
    counts = one_deal(game, "4x", 1, 2, "royal flush")
    assert capped_game(game, {"ante": 20_000, "trips": 500}, counts).paid == nets
    monkeypatch.setattr(SettlementPlan, "order", lambda *_, **__: ("trips", "play", "blind", "ante"))
    assert capped_game(game, {"ante": 20_000, "trips": 500}, counts).paid != nets


def test_a_200_dollar_blind_with_a_royal_flush_is_limited_to_50_000_in_all() -> None:
    game = terms("uth-ma")
    result = capped_game(game, {"ante": 20_000}, one_deal(game, "4x", 1, 2, "royal flush"))
    # The limit is 50,000. The ante takes 200 of it. The blind is due 100,000 (500 to 1) but gets only the
    # remaining 49,800, and the play gets nothing.
    assert result.due == {"ante": 20_000, "blind": 10_000_000, "play": 80_000}
    assert result.paid == {"ante": 20_000, "blind": FIFTY_THOUSAND - 20_000, "play": 0}
    assert result.edges("ante") == (-Fraction(10_100_000, 20_000), -Fraction(FIFTY_THOUSAND, 20_000))


def test_a_high_posted_minimum_raises_the_limit() -> None:
    # With a minimum of 100, a player with minimum bets could win 100 + 400 + 50,000 + 5,000 on ante, play, blind and trips.
    game = read_terms(load("uth-ma"), {"limits": {"ante": {"min": "100"}, "trips": {"min": "100"}}})[0]
    result = capped_game(game, {"ante": 20_000}, one_deal(game, "4x", 1, 2, "royal flush"))
    assert sum(result.paid.values()) == 5_550_000


def test_a_limit_reduces_a_trips_wager_that_is_made_alone() -> None:
    game = terms("uth-card")
    value = wagers(game)["trips"]["CARD"]
    plain, same = capped_wager(game, "trips", value, 100_000).edges("trips")
    assert plain == same == value.edge
    # At 2,000 dollars a royal flush is due 100,000, a straight flush 80,000 and four of a kind 60,000.
    lost = Fraction(4_324 * 50_000 + 37_260 * 30_000 + 224_848 * 10_000, SEVENS)
    plain, cut = capped_wager(game, "trips", value, 200_000).edges("trips")
    assert (plain, cut) == (value.edge, value.edge + lost / 2_000)


def test_a_limit_costs_nothing_at_small_stakes_and_reduces_royal_flushes_at_large_stakes() -> None:
    # No wager depends on the hole cards and the flop alone, so all deals are counted as if these made the lowest class.
    counts = {
        name: np.concatenate([np.zeros((9, *tally.shape), np.int64), tally[None]])
        for name, tally in table("uth-ma").counts.items()
    }
    game = terms("uth-ma")
    small = capped_game(game, {"ante": 2_500}, counts)
    # With an ante of 25 dollars, the largest win is 12,500 + 100 + 25.
    assert small.edges("ante")[0] == small.edges("ante")[1] == Fraction(50_643_648_973, 2_317_817_502_000)
    assert set(small.cut.values()) == {0}
    large = capped_game(game, {"ante": 20_000}, counts)
    assert large.edges("ante")[0] == small.edges("ante")[0]
    # Only a royal flush wins 250 antes or more. Each one loses the amount above 250.
    royals = {
        int(name.removesuffix("x")): int(tally[-1, :, 2, 0].sum())
        for name, tally in counts.items()
        if name != "fold"
    }
    unqualified = sum(int(tally[-1, 0, 2, 0].sum()) for tally in counts.values())
    lost = sum(ways * (500 + play + 1 - 250) for play, ways in royals.items()) - unqualified
    assert large.edges("ante")[1] - large.edges("ante")[0] == Fraction(lost, 27_813_810_024_000)


def test_the_payments_that_a_limit_reduces_are_listed() -> None:
    game = terms("uth-ma")
    result = capped_game(game, {"ante": 20_000}, one_deal(game, "4x", 1, 2, "royal flush"))
    assert [(c.wager, c.hand, c.due, c.paid, c.deals, c.cost) for c in result.cuts] == [
        ("blind", "royal flush", 10_000_000, 4_980_000, 1, Fraction(5_020_000)),
        ("play", "royal flush", 80_000, 0, 1, Fraction(80_000)),
    ]
    assert capped_game(game, {"ante": 2_000}, one_deal(game, "4x", 1, 2, "royal flush")).cuts == ()


def test_a_given_limit_replaces_the_limits_of_the_rulebook() -> None:
    game = terms("uth-ma")
    counts = one_deal(game, "4x", 1, 2, "royal flush")
    stakes = {"ante": 1_000, "blind": 1_000, "trips": 500}
    result = count_results(game, stakes, by_class(game), counts, {}, one_cap(game, 100_000))
    # The ante's 10 and 990 of the blind's 5,000 reach the limit of 1,000. Play and trips, settled later, get nothing.
    assert result.paid == {"ante": 1_000, "blind": 99_000, "play": 0, "trips": 0}
    # South Dakota has no limit, so the given limit applies to every wager that is not paid from a meter.
    (named, limit, clause) = one_cap(terms("uth-sd"), 100_000)[0]
    assert {"ante", "blind", "play", "trips"} <= named
    assert "progressive" not in named
    assert (limit, clause) == (100_000, None)


def test_a_share_of_a_meter_is_paid_at_its_seed() -> None:
    game = terms("uth-sd")
    value = wagers(game)["progressive"]["PMG-01"]
    assert capped_wager(game, "progressive", value, 100).edges("progressive")[0] == value.edge
