"""The values of strategies are compared with simple computations, and the facts that their rules use with the
evaluator."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from exact.games import solution, terms, with_sizes
from houseway.cards import DECK, Card, cards
from houseway.cli.app import main
from houseway.exact import UnsolvableError, find_strategy, mistakes, odds, solve, strategies
from houseway.exact.board_counts import cells, layout
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms
from houseway.exact.strategies import (
    ALWAYS,
    BEGINNER,
    BEST,
    NAMED,
    NEVER,
    PRACTICAL,
    STRATEGIES,
    Price,
    Strategy,
    choices_of,
    price,
)
from houseway.ranking import read
from houseway.rules.loader import load

DEALS = 27_813_810_024_000


@cache
def priced(strategy: Strategy) -> Price:
    """Return the price of a strategy in the Massachusetts game."""
    return price(solution(), strategy)


def by_hand(choice: str) -> Fraction:
    """Return the value if every starting hand makes the same choice and later streets are played in the best way."""
    hands = solution().starting_hands
    return sum((h.combos * h.values[choice] for h in hands), Fraction(0)) / 1_326


@pytest.mark.parametrize(("strategy", "choice"), [(NEVER, "check"), (ALWAYS, "4x")])
def test_a_strategy_with_one_choice_before_the_flop_has_the_value_computed_by_hand(
    strategy: Strategy, choice: str
) -> None:
    price = priced(strategy)
    assert price.value == by_hand(choice)
    assert price.costs == (solution().value - price.value, Fraction(0), Fraction(0))
    worst = price.mistakes[0]
    assert (worst.hand, worst.board, worst.does) == (
        ("AA", "", "check") if choice == "check" else ("32o", "", "4x")
    )
    assert [m.cost for m in price.mistakes] == sorted((m.cost for m in price.mistakes), reverse=True)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
def test_costs_add_up_and_no_strategy_beats_best_play(strategy: Strategy) -> None:
    price = priced(strategy)
    assert price.value + sum(price.costs) == solution().value
    assert min(price.costs) >= 0
    assert (price.value == solution().value) == (strategy is BEST)


def test_the_practical_starting_hands_are_the_best_ones() -> None:
    practical, beginner = priced(PRACTICAL), priced(BEGINNER)
    assert practical.costs[0] == 0
    assert all(mistake.board for mistake in practical.mistakes)
    assert solution().value > practical.value > beginner.value
    # The rule should be close to best play: it costs less than three tenths of a percent of an ante.
    assert solution().value - practical.value < Fraction(3, 1_000)


def test_the_facts_of_a_flop_are_those_of_its_cards() -> None:
    plan, rng = states(), Random("flop facts")
    facts = strategies._facts(terms().order, solution().pays.qualifier).flop
    seen = set()
    for state in rng.sample(range(len(plan.base)), 4_000):
        n, first, second = plan.cards[state].tolist()
        hole = [DECK[first], DECK[second]]
        flop = [c for c in DECK if plan.flop_ranks_by_suit[n][c.suit] >> c.rank & 1]
        assert len(flop) == 3
        better = read([*hole, *flop], terms().order).place <= terms().order.index("two pair")
        hidden = hole[0].rank == hole[1].rank or bool({c.rank for c in hole} & {c.rank for c in flop})
        deuces = all(c.rank == 0 for c in hole)
        draws = any(
            sum(c.suit == s for c in [*hole, *flop]) == 4 and any(c.suit == s and c.rank >= 8 for c in hole)
            for s in range(4)
        )
        trips = len({c.rank for c in flop}) == 1
        expected = (better, hidden, deuces, draws, trips)
        assert tuple(bool(fact[state]) for fact in facts[:5]) == expected
        low, high = sorted(c.rank for c in hole)
        assert (facts.high[state], facts.low[state]) == (high, low)
        assert facts.suited[state] == (hole[0].suit == hole[1].suit)
        seen.add(expected)
    assert {fact for row in seen for fact in enumerate(row)} >= {(n, True) for n in (0, 1, 3, 4)}


def cell(hole: list[Card], board: list[Card]) -> tuple[bool, int, int]:
    """Return True if the board has three cards of a suit, the index of the board, and the index of the hand."""
    for suit in range(4):
        inside = [c.rank for c in board if c.suit == suit]
        if len(inside) >= 3:
            low, high = [*sorted(c.rank for c in board if c.suit != suit), -1, -1][:2]
            at = atoms.board_at(sum(1 << r for r in inside), len(inside), low, high)
            return True, at, atoms.pair_index(*(c.rank if c.suit == suit else 13 + c.rank for c in hole))
    ranks = np.array(sorted(c.rank for c in board))
    return False, atoms.multiset_index(ranks, 5), atoms.pair_index(hole[0].rank, hole[1].rank)


def test_the_facts_of_a_river_are_those_of_its_cards() -> None:
    rng, order = Random("river facts"), terms().order
    facts = strategies._facts(order, solution().pays.qualifier)
    flushes = 0
    for n in range(400):
        # Every other board is drawn from two suits, so that flushes are common.
        pool = [c for c in DECK if n % 2 or c.suit < 2]
        dealt = rng.sample(pool, 7)
        hole, board = dealt[:2], dealt[2:]
        flush, at, hand = cell(hole, board)
        flushes += flush
        by = facts.river if flush else facts.river_by_rank
        mine, alone = read(dealt, order), read(board, order)
        paired = hole[0].rank == hole[1].rank or bool({c.rank for c in hole} & {c.rank for c in board})
        assert bool(by.hidden[at, hand]) == (paired or mine.place < alone.place)
        assert bool(by.better[at, hand]) == (mine.place < alone.place)
        low, high = sorted(c.rank for c in hole)
        assert (by.high[0, hand], by.low[0, hand]) == (high, low)
        outs = [c for c in DECK if c not in dealt and read([*board, c], order).key > mine.key]
        assert int(by.outs[at, hand]) == len(outs)
    assert 100 < flushes < 350


# --- mistakes ---


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
def test_costs_of_mistakes_add_up_to_costs_of_streets(strategy: Strategy) -> None:
    start, flop, *river = mistakes.losses(solution(), choices_of(solution(), strategy))
    unit = solution().pays.unit * DEALS
    lost = (int(start.lost.sum()), int(flop.lost.sum()), sum(int(each.lost.sum()) for each in river))
    assert tuple(Fraction(each, unit) for each in lost) == priced(strategy).costs
    assert min(int(each.lost.min(initial=0)) for each in (start, flop, *river)) == 0


def by_card(mistake: mistakes.Mistake) -> Fraction:
    """The cost of a mistake, computed from the odds of its example cards alone."""
    hole = cards(mistake.hand)
    values = odds(terms(), hole, cards(mistake.board)).values
    assert max(values.values()) == values[mistake.should]
    return values[mistake.should] - values[mistake.does]


def same_but_suits(mistake: mistakes.Mistake) -> int:
    """The number of deals whose hand and flop differ from the mistake's only in the names of suits."""
    hole, flop = ([(c.rank, c.suit) for c in cards(text)] for text in (mistake.hand, mistake.board))
    seen = set()
    for suits in [(a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)]:
        if len(set(suits)) == 4:
            seen.add(tuple(frozenset((r, suits[s]) for r, s in part) for part in (hole, flop)))
    return len(seen) * 1_081 * 990


def test_the_cost_of_a_mistake_after_the_flop_matches_the_odds() -> None:
    worst = priced(PRACTICAL).mistakes
    assert [len(mistake.board.split()) for mistake in worst] == [3] * 10
    for mistake in worst[:4]:
        assert mistake.loss == by_card(mistake)
        assert mistake.deals == same_but_suits(mistake)
        assert mistake.cost == mistake.loss * mistake.deals / DEALS
    # The published rule counts three of a kind on the flop as the player's own hand.
    assert {len({c.rank for c in cards(mistake.board)}) for mistake in worst} == {1}


def test_the_cost_of_a_mistake_after_the_river_matches_the_odds() -> None:
    folds = Strategy("folds", river=lambda at: np.zeros_like(at.hidden))
    worst = priced(folds).mistakes
    assert [len(mistake.board.split()) for mistake in worst] == [5] * 10
    for mistake in worst:
        assert (mistake.does, mistake.should) == ("fold", "1x")
        assert mistake.loss == by_card(mistake)
        assert mistake.deals % 990 == 0
    assert set(priced(folds).costs[:2]) == {Fraction(0)}


def test_the_example_cards_of_a_cell_belong_to_it() -> None:
    rng, plan = Random("cells"), layout()
    plain, flush = cells(terms().order, solution().pays.qualifier)
    for by_suit, at, example_cards in ((True, flush, mistakes._flush), (False, plain, mistakes._plain)):
        for place in rng.sample(np.flatnonzero(at.ways).tolist(), 300):
            hole, board = (list(cards(text)) for text in example_cards(place))
            assert len({*hole, *board}) == 7
            assert cell(hole, board) == (by_suit, *divmod(place, at.ways.shape[1]))
    assert len(plan.boards) == len(flush.ways)


# --- groups of similar mistakes ---


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
def test_the_cost_of_a_group_is_the_sum_of_its_mistakes(strategy: Strategy) -> None:
    price = priced(strategy)
    streets = ("before the flop", "after the flop", "after the river")
    costs = [sum((a.cost for a in price.alike if a.street == street), Fraction()) for street in streets]
    assert tuple(costs) == price.costs
    one_by_one = mistakes.losses(solution(), choices_of(solution(), strategy))
    lost = [(each.deals[each.lost > 0], each.lost[each.lost > 0]) for each in one_by_one]
    assert sum(a.deals for a in price.alike) == sum(int(deals.sum()) for deals, _ in lost)
    unit = solution().pays.unit * DEALS
    assert sum(a.cost for a in price.alike) == Fraction(sum(int(each.sum()) for _, each in lost), unit)
    assert [a.cost for a in price.alike] == sorted((a.cost for a in price.alike), reverse=True)
    assert len({(a.street, a.hand, a.does, a.should) for a in price.alike}) == len(price.alike)
    # The costliest mistake of all is the example of its group.
    assert set(price.mistakes[:1]) <= {a.example for a in price.alike}


def test_mistakes_with_starting_hands_are_grouped_by_their_ranks() -> None:
    groups = {a.hand: a for a in priced(NEVER).alike}
    hands = {h.hand: h for h in solution().starting_hands}
    kings = [hands[f"K{low}s"] for low in "QJT98765432"]
    together = sum(4 * (h.values["4x"] - h.values["check"]) for h in kings) / 1_326
    assert groups["king high, suited"].cost == together
    assert groups["king high, suited"].deals == DEALS * 44 // 1_326
    assert groups["king high, suited"].loss == together * 1_326 / 44
    assert groups["king high, suited"].example.hand == "KQs"
    pairs = sum(6 * (hands[r + r].values["4x"] - hands[r + r].values["check"]) for r in "3456789TJQKA")
    assert groups["pair in hand"].cost == pairs / 1_326


def named_by_hand(hole: list[Card], board: list[Card]) -> str:
    """The name of a hand by the readable evaluator, and whether the community cards alone make it."""
    order = terms().order
    mine = order[read([*hole, *board], order).place]
    most = max([c.rank for c in board].count(card.rank) for card in board)
    shown = (
        {1: "high card", 2: "pair", 3: "three of a kind"}[most]
        if len(board) == 3
        else order[read(board, order).place]
    )
    where = " on the flop" if len(board) == 3 else " on the board"
    return mine + (where if mine == shown and mine != "high card" else "")


@pytest.mark.parametrize("street", [1, 2, 3])
def test_hands_match_the_name_of_their_group(street: int) -> None:
    rng, plan = Random("kinds"), states()
    plain, flush = cells(terms().order, solution().pays.qualifier)
    every = (np.arange(len(plan.base)), np.flatnonzero(flush.ways), np.flatnonzero(plain.ways))[street - 1]
    places = rng.sample(every.tolist(), 400)
    hands, words = mistakes._HANDS[street](solution(), np.array(places))
    names = [words[hand] for hand in hands.tolist()]
    example_cards = (mistakes._flop, mistakes._flush, mistakes._plain)[street - 1]
    assert names == [
        named_by_hand(*(list(cards(text)) for text in example_cards(place))) for place in places
    ]
    assert len(set(names)) > 4


@pytest.mark.parametrize("strategy", [PRACTICAL, BEGINNER], ids=lambda s: s.name)
def test_examples_belong_to_their_group(strategy: Strategy) -> None:
    for each in priced(strategy).alike:
        shown = each.example
        assert (shown.does, shown.should) == (each.does, each.should)
        assert shown.cost <= each.cost
        if shown.board:
            assert each.hand == named_by_hand(list(cards(shown.hand)), list(cards(shown.board)))
            assert each.street == ("after the flop" if len(cards(shown.board)) == 3 else "after the river")


# --- custom strategies ---


def test_a_strategy_plays_the_largest_size_offered() -> None:
    game = solve(with_sizes(load("uth-ma"), (2, 5), (1, 2), (1,)))
    assert choices_of(game, ALWAYS).start.tolist() == [2] * 169
    assert price(game, ALWAYS).mistakes[0].does == "5x"


def test_strategy_names_and_aliases() -> None:
    assert find_strategy("practical") is PRACTICAL
    assert find_strategy("never") is find_strategy("never-4x") is NEVER
    assert {strategy.name for strategy in STRATEGIES} == {
        "best",
        "practical",
        "never-4x",
        "always-4x",
        "beginner",
    }
    assert all(strategy.says for strategy in STRATEGIES)
    assert set(strategies.OTHER_NAMES.values()) <= set(NAMED)
    with pytest.raises(UnsolvableError, match="did you mean 'best'"):
        find_strategy("optimal")


RULES = """
from houseway.exact.strategies import PRACTICAL, Strategy

def start(at):
    return (at.high == at.low) & (at.low >= 1) | (at.high == 12)

def river(at):
    return at.hidden | (at.outs < 21)

by_outs = Strategy("by outs", PRACTICAL.start, PRACTICAL.flop, lambda at: at.outs < 21)
by_class = Strategy("by class", PRACTICAL.start, PRACTICAL.flop, lambda at: at.better | (at.outs < 21))
"""


def test_a_strategy_file_with_rules_is_priced(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RULES, encoding="utf-8")
    mine = find_strategy(str(file))
    made = choices_of(solution(), mine)
    assert mine.name == "mine"
    plays = {
        hand.hand
        for hand, choice in zip(solution().starting_hands, made.start[::-1], strict=True)
        if choice
    }
    assert plays == {a + b for a, b in combinations("AA", 2)} | {
        *(f"A{rank}{kind}" for rank in "KQJT98765432" for kind in "so"),
        *(rank + rank for rank in "KQJT9876543"),
    }
    # On a street without a rule, the best choice is made.
    assert (made.flop == solution().result.choices.flop).all()
    assert (made.river == choices_of(solution(), PRACTICAL).river).all()


def test_the_published_edge_of_the_practical_strategy_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RULES, encoding="utf-8")
    edges = {
        name: f"{-100 * float(priced(find_strategy(f'{file}:{name}')).value):.2f}"
        for name in ("by_outs", "by_class")
    }
    # Published: 2.43 % of the ante.
    assert edges == {"by_outs": "2.43", "by_class": "2.43"}
    assert f"{-100 * float(priced(PRACTICAL).value):.2f}" == "2.45"


@pytest.mark.parametrize(
    ("text", "ref", "sentence"),
    [
        ("", "mine.py", "mine.py has no rules; define a function start, flop or river in it"),
        ("def start(at:\n", "mine.py", "mine.py line 1: SyntaxError"),
        ("\nimport nothing_of_this_name\n", "mine.py", "mine.py line 2: ModuleNotFoundError"),
        (RULES, "mine.py:by_out", "mine.py has no strategy named 'by_out'; did you mean 'by_outs'?"),
        (
            RULES.replace("def ", "def a_"),
            "mine.py",
            "mine.py defines by_outs, by_class; name one, such as",
        ),
        (None, "mine.py", "mine.py: no such file"),
        (
            "def flop(at):\n    return at.two_pairs\n",
            "mine.py",
            "'two_pairs'; it can use two_pair, hidden_pair",
        ),
        ("def flop(at):\n    return at.two_pair and at.flush_draw\n", "mine.py", "combined with & | ~"),
        (
            "def river(at):\n    return at.outs\n",
            "mine.py",
            "must return True or False for each hand (got uint8)",
        ),
        (
            "def start(at):\n    return at.suited[:9]\n",
            "mine.py",
            "must return an array of shape (169,) (got (9,))",
        ),
    ],
)
def test_a_bad_strategy_file_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | None, ref: str,
    sentence: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    with pytest.raises(UnsolvableError) as refused:
        choices_of(solution(), find_strategy(ref))
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    if text is None:
        assert main(["solve", "uth-ma", "--strategy", ref]) == 2
        assert sentence in capsys.readouterr().err


def test_the_command_prints_names_and_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "uth-ma", "--strategy", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        s.name for s in STRATEGIES
    ]
    assert main(["solve", "uth-ma", "--strategy", "never-4x", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)["strategy"]
    assert output["edge"] == float(-by_hand("check"))
    aces = next(h for h in solution().starting_hands if h.hand == "AA")
    loss = aces.values["4x"] - aces.values["check"]
    assert output["mistakes"][0] == {
        "hand": "AA", "board": "", "does": "check", "should": "4x", "count": str(6 * DEALS // 1_326),
        "loss": {"num": str(loss.numerator), "den": str(loss.denominator), "value": float(loss)},
        "cost": float(loss * 6 / 1_326),
    }  # fmt: skip
    costs = [Fraction(int(each["cost"]["num"]), int(each["cost"]["den"])) for each in output["alike"]]
    assert sum(costs) == solution().value - by_hand("check")
    assert main(["solve", "uth-ma", "--strategy", "always-4x", "--only", "strategy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "strategy: always-4x"
    assert [line.split(":")[0] for line in lines if "82o" in line] == [
        "  costliest mistakes  before the flop, eight high, unsuited"
    ]
    # There are 22 groups: unsuited kings, pocket deuces, and suited and unsuited hands of each rank from queen to three.
    # Ten of them are listed.
    assert lines[-1].startswith(" " * 22 + "12 other kinds cost ")
