"""The results of all wagers of a seat together, compared with single wagers, with enumerated deals and with settled rounds."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from exact.games import solution, table, terms
from houseway.cards import DECK, Card, codes
from houseway.cli.app import main
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import Terms, read_terms
from houseway.exact import (
    UnsolvableError,
    WholeBet,
    forward_counts,
    odds,
    strategies,
    strengths,
    wagers,
    whole_bet,
)
from houseway.exact.board_counts import first_five
from houseway.exact.flop_cells import Sample, parts, samples
from houseway.exact.flop_states import states
from houseway.exact.kernels.forward_deals import NOT_HERE
from houseway.exact.outcome_table import Counts, counts_by_part
from houseway.exact.whole_bet import DealKind, count_results, pay, settled
from houseway.ranking import read
from houseway.rules.loader import load

DEALS = 27_813_810_024_000
STAKES = {"ante": 1_000, "blind": 1_000, "trips": 500, "progressive": 500}
FIVE = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
SEVEN = (
    4_324,
    37_260,
    224_848,
    3_473_184,
    4_047_644,
    6_180_020,
    6_461_620,
    31_433_400,
    58_627_800,
    23_294_460,
)
HOLES, SEVENS, FIVES = 1_326, 133_784_560, 2_598_960


@cache
def count_deals() -> Counts:
    """Return the counts of every deal of the Massachusetts game. The first index is the class of hole cards with flop."""
    return counts_by_part(solution(), first_five(terms().order))


@cache
def by_class(game: Terms) -> tuple[Sample, ...]:
    """Return sample hole cards and a flop for each class."""
    return samples(game, first_five(game.order))


@cache
def bet() -> WholeBet:
    return whole_bet(solution(), terms(), {"ante": 1_000, "trips": 500, "progressive": 500})


def test_summed_counts_match_the_main_game_and_seven_and_five_cards() -> None:
    for name, apart in table().counts.items():
        assert (count_deals()[name].sum(axis=0) == apart).all()
    assert count_deals().keys() == table().counts.keys()
    total = sum(count_deals().values())
    assert isinstance(total, np.ndarray)
    assert total.sum() == DEALS
    assert total.sum(axis=(1, 2, 3)).tolist() == [n * DEALS // FIVES for n in FIVE]
    assert [n * SEVENS for n in total.sum(axis=(0, 1, 2)).tolist()] == [n * DEALS for n in SEVEN]


def test_royal_flushes_are_counted_by_how_they_are_made() -> None:
    total = sum(count_deals().values())
    assert isinstance(total, np.ndarray)
    # A royal flush is on one board in 649,740, in one of 649,740 hole cards with flop, and in one of 30,940 seven cards.
    assert total[:, :, 1, 0].sum() * 649_740 == DEALS
    assert total[0, :, :, 0].sum() * 649_740 == total[0].sum() * 649_740 == DEALS
    assert total[:, :, :, 0].sum() * 30_940 == DEALS
    assert total[0, :, 1].sum() == total[:, :, 0, 0].sum() == 0


def test_each_wager_has_the_same_value_as_when_it_is_made_alone() -> None:
    result = bet()
    sides = wagers(terms())
    assert result.deals == DEALS
    assert result.paid["trips"] == 500 * sides["trips"]["B"].value
    assert result.paid["progressive"] == 500 * sides["progressive"]["PTMGL01"].value
    main = sum(result.paid[name] for name in ("ante", "blind", "play"))
    assert main == 1_000 * table().value
    assert result.value == sum(result.paid.values())
    assert result.risked == 1_000 * table().average_bet + 1_000


def test_combined_wagers_vary_more_than_separate_ones() -> None:
    sides = wagers(terms())
    apart = (
        1_000**2 * table().variance
        + 500**2 * sides["trips"]["B"].variance
        + 500**2 * sides["progressive"]["PTMGL01"].variance
    )
    # A good hand wins all three wagers, so the result of a round varies more than if each wager had its own cards.
    assert bet().variance > apart * Fraction(105, 100)


def test_the_main_game_alone_has_the_distribution_of_the_outcome_table() -> None:
    result = whole_bet(solution(), terms(), {"ante": 200})
    assert {Fraction(net, 200): deals for net, deals in result.nets.items()} == table().nets
    assert result.variance == 200**2 * table().variance
    lost = sum(deals for net, deals in table().nets.items() if net < 0)
    assert result.chance(below=0) == Fraction(lost, DEALS)
    assert result.chance(above=-1, below=1) == Fraction(table().nets[Fraction(0)], DEALS)
    assert result.chance(below=-1_199) == Fraction(table().nets[Fraction(-6)], DEALS)
    assert result.chance() == 1


def test_a_half_cent_is_rounded_as_in_settlement() -> None:
    # A flush pays the blind 3 to 2: on 10.01 that is 15.01; the house keeps the half cent.
    paid = pay(terms(), settled(terms(), {"ante": 1_001, "blind": 1_001}, flush()), (), {})
    assert {each.wager: each.won for each in paid} == {"ante": 1_001, "blind": 1_501, "play": 1_001}


def flush() -> DealKind:
    game = terms()
    return DealKind(game.order, "1x", *by_class(game)[9], True, 2, game.order.index("flush"))


@pytest.mark.parametrize("place", [0, 3, 4, 6, 8, 9])
def test_one_hand_and_flop_have_the_counts_of_dealing_every_card(place: int) -> None:
    """Deal every turn, river and dealer's hand after the flop and evaluate each deal separately."""
    plan, game, made = states(), terms(), solution().result.choices
    rng = Random(f"state {place}")
    state = rng.choice(np.flatnonzero(first_five(game.order) == place).tolist())
    n, *hole = plan.cards[state].tolist()
    on_flop = plan.flop_ranks_by_suit[n]
    flop = [4 * rank + suit for suit in range(4) for rank in range(13) if on_flop[suit] >> rank & 1]
    left = np.array([c for c in range(52) if c not in (*hole, *flop)], np.uint8)
    checks = made.start[plan.start[state]] == 0 == made.flop[state]
    alone = np.where(np.arange(len(plan.base)) == state, 0, NOT_HERE)
    deal_counts, _ = forward_counts.count(solution(), made, alone, 1 if checks else 2, 2)
    counts = np.array([forward_counts.contests(each, solution().pays.qualifier) for each in deal_counts])
    by, expected = game.evaluator, np.zeros_like(counts)
    places = np.frombuffer(by.places, np.uint8)
    for turn in combinations(left.tolist(), 2):
        board = [*flop, *turn]
        pairs = np.array(list(combinations([c for c in left.tolist() if c not in turn], 2)), np.uint8)
        rows = np.concatenate([np.tile(np.array(board, np.uint8), (len(pairs), 1)), pairs], axis=1)
        dealers = strengths(rows, game.rulebook.ranking)
        mine = by.strength([DECK[c] for c in (*hole, *board)])
        contest = 1 + (mine > dealers) - (mine < dealers.astype(np.int64))
        qualifies = (places[dealers] <= game.order.index("pair")).astype(np.int64)
        chosen = 0
        if checks:
            chosen = int(odds(game, [DECK[c] for c in hole], [DECK[c] for c in board]).best != "fold")
        met = np.bincount(qualifies * 3 + contest, minlength=6).reshape(2, 3)
        expected[chosen, :, :, by.places[mine]] += met * plan.weight[state]
    assert (counts == expected).all()


def test_the_class_of_hole_cards_with_flop_is_that_of_the_evaluator() -> None:
    plan, order = states(), terms().order
    classes = first_five(order)
    assert np.bincount(classes, plan.weight.astype(np.int64)).tolist() == [10 * n for n in FIVE]
    rng = Random("first five")
    rare = np.flatnonzero(classes <= order.index("straight")).tolist()
    for state in [*rng.sample(range(len(classes)), 2_000), *rng.sample(rare, 500)]:
        n, *hole = plan.cards[state].tolist()
        flop = [c for c in DECK if plan.flop_ranks_by_suit[n][c.suit] >> c.rank & 1]
        assert order[classes[state]] == read([*flop, *(DECK[c] for c in hole)], order).name


GAMES: list[tuple[str, dict[str, Any], dict[str, str], dict[str, str]]] = [
    ("uth-ma", {}, {"ante": "10", "trips": "5", "progressive": "5"}, {"main": "52340.55"}),
    ("uth-ma", {"tables": {"trips": "D", "progressive": "PTMGLML02"}},
     {"ante": "3000", "trips": "200", "progressive": "5"}, {"major": "20000.01"}),
    ("uth-sd", {}, {"ante": "5", "trips": "1", "progressive": "1"}, {}),
    ("uth-card", {}, {"ante": "2500", "trips": "600"}, {}),
    ("uth-proc", {"house": {"max_payout": "200"}}, {"ante": "15", "trips": "5"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("ref", "fields", "bets", "meters"), GAMES)
def test_random_rounds_are_paid_as_they_are_settled(
    ref: str, fields: dict[str, Any], bets: dict[str, str], meters: dict[str, str]
) -> None:
    rng = Random(f"whole bet {ref} {bets}")
    game = read_terms(load(ref), fields)[0]
    cents = {name: int(amount) * 100 for name, amount in bets.items()}
    stakes = {**cents, "blind": cents["ante"]}
    shows = {name: round(float(shown) * 100) for name, shown in meters.items()}
    won = set()
    for _ in range(300):
        dealt = deal(rng)
        play = rng.choice([0, 1, 2, 4])
        seat = {"seat": 1, "hole": codes(dealt[:2]), "play": play, **bets}
        round_ = {
            "rulebook": ref, "board": codes(dealt[2:7]), "dealer": codes(dealt[7:]), "seats": [seat],
            "meters": meters, **fields,
        }  # fmt: skip
        settled_round = Window().settle({part: value for part, value in round_.items() if value})
        assert isinstance(settled_round, Settlement), settled_round
        kind = kind_of(game, dealt, play)
        lines = pay(game, settled(game, stakes, kind), game.plan.caps, shows)
        assert {line.wager: 100 * Fraction(line.net) for line in settled_round.lines} == {
            each.wager: each.back - each.stake for each in lines
        }
        won |= {(each.wager, game.order[kind.first_five]) for each in lines if each.won > 0}
    wagers_won = {name for name, _ in won}
    assert wagers_won == {*stakes, "play"}


def deal(rng: Random) -> list[Card]:
    """Nine cards among which strong hands are common, including five-card ones."""
    if rng.random() < 0.5:
        suit = [c for c in DECK if c.suit == 2][rng.choice([4, 8]) :]
        hearts = rng.sample(suit, 5)
        dealt = [*hearts, *rng.sample([c for c in DECK if c not in hearts], 4)]
        if rng.random() < 0.3:
            dealt[:7] = rng.sample(dealt[:7], 7)
        return dealt
    return rng.sample(DECK[rng.choice([0, 28, 36]) :], 9)


def kind_of(game: Terms, dealt: list[Card], play: int) -> DealKind:
    hole, board, dealer = dealt[:2], dealt[2:7], dealt[7:]
    mine, theirs = read([*hole, *board], game.order), read([*dealer, *board], game.order)
    contest = 1 + (mine.key > theirs.key) - (mine.key < theirs.key)
    qualifies = game.qualifier is None or theirs.place <= game.qualifier
    first = read([*hole, *board[:3]], game.order).place
    cards = (tuple(DECK.index(card) for card in part) for part in (hole, board[:3]))
    choice = f"{play}x" if play else "fold"
    return DealKind(game.order, choice, *Sample(first, *cards), qualifies, contest, mine.place)


def classes_by_part(game: Terms, stakes: Mapping[str, int]) -> list[set[int]]:
    """Return the classes of hole cards with flop in each part. Check that a part has all states of its classes."""
    classes, apart = first_five(game.order), parts(game, stakes)
    groups = [set(classes[apart == part].tolist()) for part in range(apart.max() + 1)]
    assert sum(map(len, groups)) == len(game.order)
    return sorted(groups, key=min)


def test_a_seven_card_progressive_needs_the_royal_flush_as_its_own_class() -> None:
    game = read_terms(load("uth-sd"), {"tables": {"progressive": "UTHP-01"}})[0]
    stakes = {"ante": 500, "blind": 500, "progressive": 100}
    assert "progressive" not in game.on_five
    assert classes_by_part(game, stakes) == [{0}, {*range(1, 10)}]
    assert classes_by_part(terms(), STAKES) == [*({place} for place in range(7)), {7, 8, 9}]
    assert classes_by_part(terms(), {"ante": 1_000, "blind": 1_000, "trips": 500}) == [{*range(10)}]
    merged = {name: merge_places(each, [0, *[9] * 9]) for name, each in count_deals().items()}
    result = count_results(game, stakes, by_class(game), merged, {}, game.plan.caps)
    value = wagers(game)["progressive"]["UTHP-01"]
    assert result.paid["progressive"] == 100 * value.value
    assert result.due == count_results(game, stakes, by_class(game), count_deals(), {}, game.plan.caps).due


def merge_places(apart: Any, places: list[int]) -> Any:
    merged = np.zeros_like(apart)
    for place, under in enumerate(places):
        merged[under] += apart[place]
    return merged


def test_a_given_meter_and_a_given_strategy_are_used() -> None:
    shown = {"main": 5_234_050}
    rich = count_results(terms(), STAKES, by_class(terms()), count_deals(), shown, terms().plan.caps)
    value = wagers(terms())["progressive"]["PTMGL01"]
    at = {"main": Fraction(5_234_050, 500)}
    # A tenth of the meter is a whole number of cents, so nothing is rounded.
    assert rich.paid["progressive"] == 500 * (value.returned_at(at) - 1)  # type: ignore[attr-defined]
    made = strategies.choices_of(solution(), strategies.PRACTICAL)
    practical = whole_bet(solution(), terms(), {"ante": 1_000, "trips": 500}, choices=made)
    assert practical.paid["trips"] == bet().paid["trips"]
    main = sum(practical.paid[name] for name in ("ante", "blind", "play"))
    assert main == 1_000 * strategies.price(solution(), strategies.PRACTICAL).value


@pytest.mark.parametrize(
    ("bets", "meters", "sentence"),
    [
        ({"trips": 500}, {}, r"the stakes have no ante; add one, such as \$10 \(in Python, 1000 cents\)"),
        (
            {"ante": 500, "tripps": 500},
            {},
            "unknown wager 'tripps'; the wagers are ante, blind, trips",
        ),
        ({"ante": 500, "tripps": 500}, {}, r"the wagers are ante, blind, trips.*; did you mean 'trips'\?$"),
        ({"ante": 500, "cover_all": 500}, {}, "cover_all depends on every hand at the table"),
        ({"ante": 500}, {"mega": 500}, "mega"),
        ({"ante": 500, "blind": 400}, {}, "blind"),
    ],
)
def test_stakes_that_no_table_accepts_are_refused(
    bets: Mapping[str, int], meters: Mapping[str, int], sentence: str
) -> None:
    with pytest.raises(UnsolvableError, match=sentence):
        whole_bet(solution(), terms(), bets, meters=meters)


def test_a_planted_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_results(terms(), STAKES, by_class(terms()), count_deals(), {}, ()).paid == bet().paid
    monkeypatch.setattr(sys.modules[DealKind.__module__], "FIRST_FIVE", 2)
    monkeypatch.setattr(sys.modules[DealKind.__module__], "TIE", 2)
    game = read_terms(load("uth-sd"), {"tables": {"progressive": "UTHP-01"}})[0]
    result = count_results(
        game, {"ante": 500, "blind": 500, "progressive": 100}, by_class(game), count_deals(), {}, ()
    )
    assert result.paid["progressive"] != 100 * wagers(game)["progressive"]["UTHP-01"].value


def test_the_command_prints_the_whole_bet(capsys: pytest.CaptureFixture[str]) -> None:
    tokens = ["solve", "uth-ma", "--bets", "ante=10,trips=5,progressive=5", "--tables", "trips=A"]
    assert main([*tokens, "--meters", "main=52340.50", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)["whole_bet"]
    assert output["stakes"] == {"ante": "10.00", "blind": "10.00", "trips": "5.00", "progressive": "5.00"}
    assert sum(int(row["count"]) for row in output["outcomes"]) == DEALS
    mean = sum(Fraction(row["net"]) * int(row["count"]) for row in output["outcomes"]) / DEALS
    assert mean == Fraction(int(output["ev"]["num"]), int(output["ev"]["den"]))
    trips = output["wagers"]["trips"]
    # Table A: 0.901835 % of the wager.
    assert f"{-trips['value'] / 5:.8f}" == "0.00901835"
    assert output["limits"]["cuts"] == []
    assert sum(chance["value"] for chance in output["chances"].values()) == pytest.approx(1)


def test_the_command_prints_the_cost_of_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "uth-card", "--bets", "ante=200", "--cap", "50000"]) == 0
    printed = capsys.readouterr().out
    assert "all wagers together, best play: ante $200, blind $200\n" in printed
    assert "edge, no limits   2.1850 % of the ante, 0.5262 % of every dollar staked\n" in printed
    assert "cut               blind, royal flush: $100,000 due, $49,800 paid, 1 in 32,487" in printed


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["uth-ma", "--bets", "ante=ten"], "--bets ante=ten: 'ten' is not an amount"),
        (["uth-ma", "--bets", "ante"], "--bets ante: give NAME=VALUE, such as ante=10,trips=5"),
        (["uth-ma", "--bets", "ante=10", "--tables", "trips=Z"], "'Z'"),
        (["uth-ma", "--bets", "ante=10", "--cap", "much"], "--cap: 'much' is not an amount"),
        (["uth-ma", "--cap", "50000"], "need --bets"),
        (["shootout-sd", "--bets", "wager=10"], "are for Ultimate Texas Hold'em"),
    ],
)
def test_a_bet_that_cannot_be_read_is_refused(
    capsys: pytest.CaptureFixture[str], tokens: list[str], sentence: str
) -> None:
    assert main(["solve", *tokens]) == 2
    assert sentence in capsys.readouterr().err
