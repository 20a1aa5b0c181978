"""Ranking of hands: the readable evaluator is the specification, and the fast one gives the same results."""

import math
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from itertools import combinations, combinations_with_replacement, permutations
from random import Random

import pytest

from counted import FIVE_OF_52, SEVEN_OF_52, SEVEN_OF_312
from houseway.cards import DECK, Card, cards, codes
from houseway.ranking import Evaluator, Hand, compare, evaluator, read
from houseway.ranking.lookup_tables import build, unpack
from houseway.rules.loader import load, rulebook_ids

ONE = ("royal flush", "straight flush", "four of a kind", "full house", "flush", "straight",
       "three of a kind", "two pair", "pair", "high card")  # fmt: skip
SIX = ("suited five of a kind", "royal flush", "straight flush", "five of a kind", *ONE[2:])


def multisets(size: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement(range(13), size)


def ways(ranks: tuple[int, ...], copies: int) -> int:
    """The number of sets of cards with these ranks, if there are `copies` cards of each rank."""
    return math.prod(math.comb(copies, n) for n in Counter(ranks).values())


def key(ranks: tuple[int, ...]) -> int:
    return sum(1 << (3 * r) for r in ranks)


def count_by_class(fast: Evaluator, size: int, decks: int) -> Counter[str]:
    """The number of hands of each class: first counted by rank alone, then flushes moved to their own classes."""
    by_class: Counter[str] = Counter()
    for ranks in multisets(size):
        if number := ways(ranks, 4 * decks):
            by_class[fast.name(fast.ranks[key(ranks)])] += number
    for suited in range(5, size + 1):
        outside = [(key(rest), n) for rest in multisets(size - suited) if (n := ways(rest, 3 * decks))]
        for held in multisets(suited):
            one_suit, suit_key = 4 * ways(held, decks), key(held)
            # Cards of one suit in one deck all have different ranks.
            for rest, others in outside if one_suit else ():
                by_rank = fast.ranks[suit_key + rest]
                by_class[fast.name(by_rank)] -= one_suit * others
                by_class[fast.name(max(by_rank, fast.suited[suit_key]))] += one_suit * others
    return by_class


@pytest.mark.parametrize(
    ("order", "decks", "size", "expected"),
    [(ONE, 1, 7, SEVEN_OF_52), (ONE, 1, 5, FIVE_OF_52), (SIX, 6, 7, SEVEN_OF_312)],
    ids=["one deck, seven", "one deck, five", "six decks, seven"],
)
def test_the_number_of_hands_of_each_class_is_as_published(
    order: tuple[str, ...], decks: int, size: int, expected: dict[str, int]
) -> None:
    assert sum(expected.values()) == math.comb(52 * decks, size)
    assert dict(count_by_class(evaluator(order, decks), size, decks)) == expected


@pytest.mark.parametrize(("name", "order", "decks"), [("one-deck", ONE, 1), ("six-decks", SIX, 6)])
def test_the_shipped_tables_match_the_generator(name: str, order: tuple[str, ...], decks: int) -> None:
    file = resources.files("houseway.ranking").joinpath("data", f"{name}.bin").read_bytes()
    assert unpack(file, order, decks) == build(order, decks)


def test_every_rulebook_has_a_shipped_table() -> None:
    orders = {(load(name).ranking.order, load(name).ranking.decks) for name in rulebook_ids()}
    assert orders == {(ONE, 1), (SIX, 6)}


def agree(fast: Evaluator, order: tuple[str, ...], held: list[Card]) -> Hand:
    slow = read(held, order)
    strength = fast.strength(held)
    assert fast.name(strength) == slow.name, codes(held)
    # The best five alone have the same strength as all the cards.
    assert fast.strength(slow.cards) == strength, codes(held)
    return slow


@pytest.mark.parametrize(("order", "decks"), [(ONE, 1), (SIX, 6)], ids=["one deck", "six decks"])
@pytest.mark.parametrize("seed", range(2))
def test_fast_and_readable_agree_on_random_hands(order: tuple[str, ...], decks: int, seed: int) -> None:
    rng = Random(f"{decks} decks, {seed}")
    fast = evaluator(order, decks)
    shoe = list(DECK) * decks
    few = [[c for c in shoe if c.suit < 2 and c.rank % 3 == n] for n in range(3)]
    previous = None
    for n in range(10_000):
        # Every other hand has few ranks and suits, so that rare classes are common.
        held = rng.sample(few[n % 3] if n % 2 else shoe, rng.choice((5, 6, 7)))
        hand = agree(fast, order, held)
        if previous is not None:
            higher = fast.strength(held) - fast.strength(previous.cards)
            assert (higher > 0) - (higher < 0) == compare(hand, previous)
        previous = hand


def suit_distinct(counts: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Seven-card hands up to renaming suits: ranks in each suit, suits of equal size in order."""

    def chosen(
        left: tuple[int, ...], last: tuple[int, ...] | None, size: int
    ) -> Iterator[tuple[tuple[int, ...], ...]]:
        if not left:
            yield ()
            return
        for ranks in combinations(range(13), left[0]):
            if last is not None and left[0] == size and ranks > last:
                continue
            for rest in chosen(left[1:], ranks, left[0]):
                yield (ranks, *rest)

    return chosen(counts, None, -1)


PARTITIONS = [
    p for p in combinations_with_replacement(range(7, -1, -1), 4) if sum(p) == 7
]  # fmt: skip


def weight(suits: tuple[tuple[int, ...], ...]) -> int:
    return len(set(permutations(suits)))


def test_hands_up_to_renaming_suits_represent_every_hand() -> None:
    """6,009,159 of them represent all 133,784,560: Burnside's count over each partition."""
    classes = total = 0
    for counts in PARTITIONS:
        # Suits holding equally many cards are interchangeable: choose multisets of rank sets.
        sizes = Counter(counts)
        classes += math.prod(math.comb(math.comb(13, n) + k - 1, k) for n, k in sizes.items())
        arrangements = math.factorial(4) // math.prod(math.factorial(k) for k in sizes.values())
        total += arrangements * math.prod(math.comb(13, n) for n in counts)
    assert classes == 6_009_159
    assert total == 133_784_560


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("counts", PARTITIONS, ids=str)
def test_fast_and_readable_agree_on_every_hand(counts: tuple[int, ...]) -> None:
    fast = evaluator(ONE, 1)
    by_class: Counter[str] = Counter()
    weights = 0
    for suits in suit_distinct(counts):
        held = [DECK[rank * 4 + suit] for suit, ranks in enumerate(suits) for rank in ranks]
        agree(fast, ONE, held)
        number = weight(suits)
        weights += number
        by_class[fast.name(fast.strength(held))] += number
    arrangements = len(set(permutations(counts)))
    assert weights == arrangements * math.prod(math.comb(13, n) for n in counts)
    assert sum(by_class.values()) == weights


WORDS = [
    ("Ah Kh Qh Jh Th 2c 2d", "royal flush", "Ah Kh Qh Jh Th"),
    ("As 2s 3s 4s 5s Kd Kc", "straight flush, five high", "5s 4s 3s 2s As"),
    ("9c 9d 9h 9s 4d Kc 2s", "four of a kind, nines", "9s 9h 9d 9c Kc"),
    ("9c 9d 9h Ks Kd 2s 3s", "full house, nines over kings", "9h 9d 9c Ks Kd"),
    ("Qh 4h Ah 9h 6h Kc 2d", "flush, ace high", "Ah Qh 9h 6h 4h"),
    ("Jc Td 9s 8h 7d Kc 2c", "straight, jack high", "Jc Td 9s 8h 7d"),
    ("6c 6d 6s Kh 9d 4c 2s", "three of a kind, sixes", "6s 6d 6c Kh 9d"),
    ("As Ac 2d 2h 3c 4d 9s", "two pair, aces and twos", "As Ac 2h 2d 9s"),
    ("Qc 3s Qd 9s 7h 4c 2d", "pair of queens", "Qd Qc 9s 7h 4c"),
    ("Qh Kd Ac 2s 3h 7d 9c", "ace high", "Ac Kd Qh 9c 7d"),
]


@pytest.mark.parametrize(("held", "words", "five"), WORDS, ids=[w for _, w, _ in WORDS])
def test_a_hand_is_named_and_shows_the_five_that_play(held: str, words: str, five: str) -> None:
    hand = read(cards(held), ONE)
    assert hand.words == words
    assert codes(hand.cards) == five


def test_six_decks_have_classes_with_five_of_a_kind() -> None:
    assert read(cards("Kd Kd Kd Kd Kd 3c 9s"), SIX).words == "suited five of a kind, kings"
    assert read(cards("8c 8d 8h 8s 8s Kc 2d"), SIX).words == "five of a kind, eights"
    assert read(cards("Ks Ks 9s 9s 2s 3d 4d"), SIX).words == "flush, king high"


@pytest.mark.parametrize("count", [4, 8])
def test_a_hand_of_fewer_than_five_or_more_than_seven_cards_is_rejected(count: int) -> None:
    with pytest.raises(ValueError, match="five to seven"):
        read(DECK[:count], ONE)


def test_a_rulebook_can_rank_a_flush_above_a_full_house() -> None:
    """The tables of another order of classes are built on demand."""
    other = tuple(
        {"full house": "flush", "flush": "full house"}.get(name, name) for name in ONE
    )  # fmt: skip
    fast = evaluator(other, 1)
    flush, full = cards("Qh 4h Ah 9h 6h Kc 2d"), cards("9c 9d 9h Ks Kd 2s 3s")
    assert fast.strength(flush) > fast.strength(full)
    assert read(flush, other).key > read(full, other).key


def test_an_order_must_end_with_high_card() -> None:
    with pytest.raises(ValueError, match="high card"):
        read(cards("Qh Kd Ac 2s 7d"), ("pair",))
    with pytest.raises(ValueError, match="high card"):
        build(("pair",), 1)
