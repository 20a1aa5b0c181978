"""The value of exposed cards, compared with published edges and with results from dealing every card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from exact import plain
from exact.games import changed, solution, terms, terms_of, with_blind
from houseway import exact
from houseway.cli import solve_exposed_cards as command
from houseway.cli.app import main
from houseway.engine.terms import Terms
from houseway.exact import backward_pass
from houseway.exact.exposed_pass import ExposedCards, ExposedPass, shown
from houseway.exact.exposed_views import CARDS, flops, hands
from houseway.exact.kernels import exposed_hands as kernels
from houseway.exact.pay_arrays import UnsolvableError, read_pays
from houseway.rules.loader import load

DEALS = 27_813_810_024_000
PUBLISHED = {(1, 0): "13.5922", (2, 0): "38.5816", (1, 1): "22.3286"}
"""The player's edge in percent of the ante, published by E. Jacobson, by exposed dealer cards and flop cards."""
Row = list[Fraction]


def cards_of(bits: int) -> list[int]:
    return [card for card in range(52) if bits >> card & 1]


def by_dealing(game: Terms, hole: tuple[int, ...], dealer: list[int], flop: list[int]) -> Row:
    """Return the values after a flop, by dealing every unseen card and evaluating each deal separately."""
    pays = plain.PlainPays(game)
    left = [c for c in range(52) if c not in (*hole, *dealer, *flop)]
    boards = np.array([(*flop, *two) for two in combinations(left, 2)])
    own, place = plain.scores(np.hstack([boards, np.tile(hole, (len(boards), 1))]))
    met = np.zeros((len(boards), 2, 3), np.int64)
    for card in left if len(dealer) == 1 else [-1]:
        # A card on the board cannot be in the dealer's hand, so the result of its row is dropped.
        held = [*dealer, card][:2]
        theirs, rank = plain.scores(np.hstack([boards, np.tile(held, (len(boards), 1))]))
        live = (boards != card).all(axis=1)
        contest = 1 + np.sign(own - theirs)
        np.add.at(met, (np.flatnonzero(live), (rank <= pays.qualifier)[live].astype(int), contest[live]), 1)
    best, standing, play = pays.rivers(place, met)
    folded = np.einsum("nqc,nqc->n", met, pays.folded.transpose(2, 0, 1)[place])
    _, after, last = pays.sizes
    river = np.array([folded, *(standing + k * play for k in last)])
    chosen = np.argmax(river, axis=0)
    played = [int(met[chosen == n + 1].sum()) for n in range(len(last))]
    choices = [int(best.sum()), *(int((standing + k * play).sum()) for k in after)]
    choice = choices.index(max(choices))
    return [
        *(Fraction(n, pays.unit) for n in (max(choices), int(standing.sum()), int(play.sum()))),
        *(Fraction(choice == n + 1) for n in range(len(after))),
        *(Fraction(n if choice == 0 else 0) for n in played),
    ]


def kernel_sums(work: ExposedPass, one: ExposedCards, flop: int) -> Any:
    """Return the kernel's sums for one flop, for each hand of the player."""
    listed, held, street = flops(len(set(one.suits))), hands(), work.pays.streets[1]
    looks = sorted(set(one.patterns))
    sizes = np.array(street.sizes, np.int64)
    sums = np.zeros((1, work.tables + len(sizes), *held.cards.shape), np.int64)
    kernels.choose(flop, flop + 1, listed, np.array([looks.index(look) for look in one.patterns]), one.cards,
                   held, work.rank_flops, work.by_hand, street.checks, sizes, False, sums)  # fmt: skip
    assert (sums % listed.alike[flop] == 0).all()
    return sums[0].reshape(sums.shape[1], -1).T // listed.alike[flop]


def sample(one: ExposedCards, rng: Random, size: int) -> tuple[int, list[tuple[int, ...]]]:
    """Return a flop and hands of every kind, none with an exposed card."""
    listed = flops(len(set(one.suits)))
    flop = rng.choice([n for n, bits in enumerate(listed.cards.tolist()) if not bits & one.cards])
    gone = int(listed.cards[flop]) | one.cards
    left = [c for c in range(52) if not gone >> c & 1]
    like = [c for c in left if c // 4 in one.ranks]
    suited = [c for c in left if c % 4 == cards_of(int(listed.cards[flop]))[0] % 4]
    hands = [
        rng.sample(suited, 2),
        [*rng.sample(like, 1), *rng.sample([c for c in left if c not in like], 1)],
    ]
    hands += [rng.sample(left, 2) for _ in range(size - len(hands))]
    return flop, [(min(hole), max(hole)) for hole in hands]


def differences(
    game: Terms, work: ExposedPass, one: ExposedCards, seed: str, many: int, size: int
) -> list[str]:
    """Try random flops. Return the hands for which the kernels and `by_dealing` give different values."""
    wrong, rng = [], Random(seed)
    work.count(one.ranks, sorted(set(one.patterns)))
    for _ in range(many):
        flop, holes = sample(one, rng, size)
        rows = kernel_sums(work, one, flop)
        board = cards_of(int(flops(len(set(one.suits))).cards[flop]))
        for hole in holes:
            row = rows[hands().at[hole]].tolist()
            ours = [*(Fraction(n, work.pays.unit) for n in row[:3]), *map(Fraction, row[3:])]
            theirs = by_dealing(game, hole, cards_of(one.cards), board)
            if ours != theirs:
                wrong.append(f"{hole} on {board} against {cards_of(one.cards)}: {ours}, not {theirs}")
    return wrong


def ready(game: Terms, cards: int, threads: int = 2) -> ExposedPass:
    return ExposedPass(read_pays(game), game.order, cards, threads)


def test_exposed_cards_flops_and_hands_are_each_counted_once() -> None:
    assert sum(one.alike for part in shown(1) for one in part) == 52
    assert sum(one.alike for part in shown(2) for one in part) == 1_326
    for suits, number in ((1, 22_100), (2, 22_100)):
        assert flops(suits).alike.sum() == number
    assert len(np.unique(hands().cards[hands().cards > 0])) == 1_326


@pytest.mark.parametrize("rank", [3, 12])
def test_the_value_of_a_flop_with_one_dealer_card_exposed_matches_dealing_every_card(rank: int) -> None:
    assert differences(terms(), ready(terms(), 1), ExposedCards((rank,), (0,), 4), "one", 3, 4) == []


@pytest.mark.parametrize(
    ("ranks", "suits"), [((3, 9), (0, 0)), ((3, 9), (0, 1)), ((11, 12), (0, 0)), ((6, 6), (0, 1))]
)
def test_the_value_of_a_flop_with_both_dealer_cards_exposed_matches_dealing_every_card(
    ranks: tuple[int, int], suits: tuple[int, int]
) -> None:
    assert differences(terms(), ready(terms(), 2), ExposedCards(ranks, suits, 1), "two", 12, 12) == []


@pytest.mark.parametrize("qualifier", ["pair", "two pair", None])
def test_the_values_of_changed_games_match_dealing_every_card(qualifier: str | None) -> None:
    game = terms_of(changed(f"{qualifier} seen", qualifier))
    assert differences(game, ready(game, 1), ExposedCards((8,), (0,), 4), "one", 2, 3) == []
    assert differences(game, ready(game, 2), ExposedCards((2, 10), (0, 1), 12), "two", 6, 6) == []


def test_a_wrong_payment_is_noticed() -> None:
    work = ready(terms_of(changed("planted", "pair")), 2)
    assert len(differences(terms(), work, ExposedCards((4, 8), (0, 1), 12), "planted", 1, 8)) == 8


def test_large_payments_are_counted_in_wide_numbers_or_refused() -> None:
    game = terms_of(with_blind(load("uth-ma"), {"royal flush": "1000000 to 1"}))
    work = ready(game, 2)
    assert work.width == np.int64
    one, hole = ExposedCards((3, 9), (0, 1), 12), (int(CARDS[12, 2]), int(CARDS[11, 2]))
    flop = [int(CARDS[rank, suit]) for rank, suit in ((10, 2), (8, 2), (2, 3))]
    at = flops(2).cards.tolist().index(sum(1 << card for card in flop))
    work.count(one.ranks, sorted(set(one.patterns)))
    row = kernel_sums(work, one, at)[hands().at[hole[::-1]]].tolist()
    expected = by_dealing(game, hole, cards_of(one.cards), flop)
    assert [Fraction(n, work.pays.unit) for n in row[:3]] == expected[:3]
    assert expected[1] > 1_000_000
    with pytest.raises(UnsolvableError, match="overflows a 64-bit sum"):
        ready(terms_of(with_blind(load("uth-ma"), {"royal flush": "1000000000 to 1"})), 1)


@pytest.mark.parametrize("by_card", [False, True])
def test_the_number_of_threads_does_not_change_the_sums(by_card: bool) -> None:
    part = shown(1)[7]
    one, three = (list(ready(terms(), 1, n).hand_sums(part, by_card=by_card)) for n in (1, 3))
    assert (one[0][1] == three[0][1]).all()


def test_with_a_flop_card_exposed_each_flop_counts_once_for_each_of_its_cards() -> None:
    # Each flop occurs once for each of its three cards, so the sums are three times as large.
    work, part = ready(terms(), 1), shown(1)[3]
    [(_, alone)], [(_, by_card)] = (list(work.hand_sums(part, by_card=by)) for by in (False, True))
    assert len(alone) == 1_275
    assert len(by_card) == 1_275 * 49
    assert (by_card.sum(axis=0) == 3 * alone.sum(axis=0)).all()


@pytest.fixture
def staked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return an array that a run fills with two sums over all deals: the results of ante and blind
    together, and the results of a 1x play."""
    total = np.zeros(2, object)
    met = ExposedPass.hand_sums

    def watched(
        self: ExposedPass, many: list[ExposedCards], *, by_card: bool
    ) -> Iterator[tuple[ExposedCards, Any]]:
        for one, sums in met(self, many, by_card=by_card):
            total[:] += one.alike * sums[:, [kernels.STANDING, kernels.PLAY]].sum(axis=0).astype(object)
            yield one, sums

    monkeypatch.setattr(ExposedPass, "hand_sums", watched)
    return total


def check(result: exact.Exposure, staked: Any) -> None:
    """Check the properties that every result must have."""
    percent = f"{100 * float(result.value):.4f}"
    assert percent == PUBLISHED.get((result.dealer, result.flop), percent)
    assert result.unseen == solution().value < result.value
    assert result.gain == result.value - result.unseen
    ways = (2 if result.dealer == 1 else 1) * (3 if result.flop else 1)
    assert result.deals == DEALS * ways
    assert sum(result.actions.values()) == result.deals
    bets = {"4x": 6, "2x": 4, "1x": 3, "fold": 2}
    assert set(result.actions) == set(bets)
    assert result.average_bet == Fraction(sum(bets[a] * n for a, n in result.actions.items()), result.deals)
    assert result.edge == 2 * result.edge_per_initial_bet == result.element_of_risk * result.average_bet
    assert (result.rulebook, result.hash) == ("uth-ma", terms().rulebook.hash)
    # If every hand plays before the flop, exposed cards gain nothing: over all deals, the wagers have the same value as
    # in the game without exposed cards.
    _, three, four = (solution().result.starts * backward_pass.COMBOS[:, None]).astype(object).sum(axis=0)
    assert staked.tolist() == [ways * (four - 4 * (four - three)), ways * (four - three)]


def test_one_exposed_dealer_card_gives_the_published_edge(staked: Any) -> None:
    heard: list[tuple[int, int]] = []
    check(exact.seen(terms(), progress=lambda done, parts: heard.append((done, parts))), staked)
    assert heard == [(n, 13) for n in range(1, 14)]


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
def test_more_exposed_cards_give_the_published_edges(staked: Any) -> None:
    values = []
    for dealer, flop in ((1, 0), (1, 1), (2, 0), (2, 1)):
        staked[:] = 0
        result = exact.seen(terms(), dealer, flop)
        check(result, staked)
        values.append(result.value)
    assert values == sorted(set(values))


@pytest.mark.parametrize(("dealer", "flop"), [(0, 1), (3, 0), (1, 2), (0, 0)])
def test_other_numbers_of_exposed_cards_are_refused(dealer: int, flop: int) -> None:
    with pytest.raises(ValueError, match="dealer must be 1 or 2 and flop 0 or 1"):
        exact.seen(terms(), dealer, flop)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (
            ["uth-ma", "--see", "dealer:3"],
            "--see must be dealer:1 or dealer:2 or dealer:1,flop:1 or dealer:2,flop:1 (got 'dealer:3')",
        ),
        (["uth-ma", "--see", "flop:1"], "--see must be dealer:1 or dealer:2 or dealer:1,flop:1"),
        (
            ["uth-ma", "--see", "dealer:1", "--strategy", "practical"],
            "--see does not work with --strategy, --bets or --only; leave them out",
        ),
        (["shootout-sd", "--see", "dealer:1"], "only Ultimate Texas Hold'em with one deck"),
    ],
)
def test_bad_input_is_reported(
    capsys: pytest.CaptureFixture[str], tokens: list[str], sentence: str
) -> None:
    assert main(["solve", *tokens]) == 2
    assert sentence in capsys.readouterr().err


def test_the_command_prints_the_edge_of_a_player_who_sees_cards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def fake_seen(game: Terms, dealer: int, flop: int, **_: Any) -> exact.Exposure:
        calls.append((game.rulebook.hash, dealer, flop))
        value, unseen = Fraction(1, 4), Fraction(-1, 50)
        return exact.Exposure(
            "uth-ma", "ab12", dealer, flop, value, unseen, 2, Fraction(4), {"4x": 3, "fold": 1}, 4, 0.5
        )

    monkeypatch.setattr(command, "seen", fake_seen)
    assert main(["solve", "uth-ma", "--see", "dealer:1, flop:1"]) == 0
    printed = capsys.readouterr().out
    assert "seen                one of the dealer's cards and one flop card\n" in printed
    assert (
        "+25.0000 % of the ante, +12.5000 % of ante and blind, +6.2500 % of every unit wagered" in printed
    )
    assert "-2.0000 % of the ante; seeing the cards gains +27.0000 %" in printed
    assert "4x 75.0000 %, fold 25.0000 %" in printed
    assert main(["solve", "uth-ma", "--see", "dealer:2", "--set", "blind.flush=2 to 1", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["see"] == {"dealer": 2, "flop": 0}
    assert output["game"]["ev"] == {"num": "1", "den": "4", "value": 0.25}
    assert (output["game"]["edge"], output["game"]["element_of_risk"]) == (-0.25, -0.0625)
    assert output["game"]["actions"] == {"4x": "3", "fold": "1"}
    assert output["gain"]["num"] == "27"
    assert [(dealer, flop) for _, dealer, flop in calls] == [(1, 1), (2, 0)]
    assert calls[0][0] == terms().rulebook.hash != calls[1][0]
