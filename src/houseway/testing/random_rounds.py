"""Random rounds for any rulebook, in which rare hands are frequent.

A round is in the format of `houseway settle`. The wagers depend on the rulebook's rules for betting but not
on its payments, so the rounds can test any settlement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from houseway.cards import DECK, Card, codes
from houseway.money import cents, dollars
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

STAKES = ("1", "2", "3", "5", "7.50", "10", "12.34", "15", "25")

ALIKE = {
    "five of a kind": (5,),
    "four of a kind": (4, 1),
    "full house": (3, 2),
    "three of a kind": (3, 1, 1),
    "two pair": (2, 2, 1),
    "pair": (2, 1, 1, 1),
}
"""The group sizes of the classes made of cards of the same rank."""


def _suited(ranks: Sequence[int], suit: int) -> list[Card]:
    return [DECK[rank * 4 + suit] for rank in ranks]


def _mixed(rng: Random, ranks: Sequence[int], decks: int) -> list[Card]:
    """Return cards of these ranks, not all of one suit, with at most one copy of a card from each deck."""
    while True:
        cards = [DECK[rank * 4 + rng.randrange(4)] for rank in ranks]
        if max(Counter(cards).values()) <= decks and len({c.suit for c in cards}) > 1:
            return cards


def five_of(rng: Random, name: str, decks: int = 1) -> list[Card]:
    """Return five cards that make a hand of this class, in random order."""
    ranks = rng.sample(range(13), 4)
    low, suit = rng.randrange(-1, 8), rng.randrange(4)
    run = [(low + n) % 13 for n in range(5)]
    if name in ALIKE:
        same_ranks = [rank for rank, count in zip(ranks, ALIKE[name], strict=False) for _ in range(count)]
        five = _mixed(rng, same_ranks, decks)
    elif name == "suited five of a kind":
        five = _suited([ranks[0]] * 5, suit)
    elif name == "royal flush":
        five = _suited(range(8, 13), suit)
    elif name == "straight flush":
        five = _suited(run, suit)
    elif name == "flush":
        five = _suited(rng.sample(range(13), 5), suit)
    elif name == "straight":
        five = _mixed(rng, run if rng.random() < 0.8 else range(8, 13), decks)
    else:
        five = _mixed(rng, rng.sample(range(13), 5), decks)
    rng.shuffle(five)
    return five


class _Shoe:
    """The cards of a round: some placed on purpose, the rest drawn at random."""

    def __init__(self, rng: Random, decks: int) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(DECK, decks))

    def take(self, cards: Sequence[Card]) -> bool:
        """Remove these cards and return True, or return False if any of them is used up."""
        counts = Counter(cards)
        if any(self.left[c] < n for c, n in counts.items()):
            return False
        self.left -= counts
        return True

    def draw(self, count: int) -> list[Card]:
        """Draw cards at random."""
        drawn: list[Card] = []
        while len(drawn) < count:
            card = DECK[self.rng.randrange(52)]
            if self.left[card]:
                self.left[card] -= 1
                drawn.append(card)
        return drawn


def _dealt(rng: Random, book: Rulebook, hands: int, size: int) -> tuple[list[Card], list[list[Card]]]:
    """Return a board and the hands, the dealer's last; often one of them has a class picked at random."""
    decks = book.ranking.decks
    shoe = _Shoe(rng, decks)
    board: list[Card | None] = [None] * 5
    held: list[list[Card]] = [[] for _ in range(hands)]
    if rng.random() < 0.75:
        five = five_of(rng, rng.choice(book.ranking.order), decks)
        own = rng.choice((0, 1, 2, 2, 2))
        lucky = rng.randrange(hands)
        if shoe.take(five):
            held[lucky] = five[:own]
            spots = [0, 1, 2] if own == 2 and rng.random() < 0.7 else rng.sample(range(5), 5 - own)
            for spot, card in zip(spots, five[own:], strict=True):
                board[spot] = card
    filled = [card or shoe.draw(1)[0] for card in board]
    for hand in held:
        if size == 4 and not hand and rng.random() < 0.3:
            # Four cards that may be split are too rare in random deals.
            pairs = _mixed(rng, [r for r in rng.choices(range(13), k=2) for _ in range(2)], decks)
            if shoe.take(pairs):
                hand += pairs
        hand += shoe.draw(size - len(hand))
        rng.shuffle(hand)
    return filled, held


def random_round(rng: Random, book: Rulebook) -> dict[str, Any]:
    """Return one random round that the rulebook allows."""
    round_ = _shootout(rng, book) if book.game == SHOOTOUT else _ultimate(rng, book)
    if "rounding" in book.house and rng.random() < 0.3:
        round_.setdefault("house", {})["rounding"] = rng.choice(book.house["rounding"].choices)
    return {"rulebook": book.id, **round_}


def _stake(rng: Random, book: Rulebook, wager: str) -> str:
    fixed = book.limits.get(wager)
    if fixed and fixed.minima:
        return rng.choice([s for s in STAKES if min(fixed.minima.value) <= cents(s)])
    return rng.choice(STAKES)


def _ultimate(rng: Random, book: Rulebook) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 7), rng.choice((1, 1, 2, 2, 3, 4, 5, 6))))
    board, held = _dealt(rng, book, len(seats) + 1, 2)
    dealer = held.pop()
    tables = {
        kind: rng.choice(list(book.tables[kind]))
        for kind in ("trips", "progressive")
        if kind in book.tables and len(book.tables[kind]) > 1
    }
    round_: dict[str, Any] = {"board": codes(board), "dealer": codes(dealer)}
    if tables and rng.random() < 0.9:
        round_["tables"] = tables
    if rng.random() < 0.5:
        round_["mode"] = rng.choice(book.modes)
    table = book.tables.get("progressive", {}).get(tables.get("progressive", ""))
    round_["seats"] = [
        _seat(rng, book, seat, codes(hole), round_, table) for seat, hole in zip(seats, held, strict=True)
    ]
    if table is not None and "tables" in round_:
        if rng.random() < 0.7:
            round_["meters"] = {m: dollars(rng.randrange(20_000, 9_000_000)) for m in table.meters}
        if rng.random() < 0.3:
            round_["house"] = {"awards": "shared"}
        if rng.random() < 0.2:
            round_.setdefault("house", {})["reserve"] = {table.meters[-1]: "750.25"}
    if "ante_return" in book.house and rng.random() < 0.3:
        round_["house"] = {"ante_return": "in_sequence"}
    if "max_payout" in book.house and rng.random() < 0.2:
        round_.setdefault("house", {})["max_payout"] = rng.choice(("50", "200", "1000"))
    if any("match_play" in s for s in round_["seats"]):
        round_.setdefault("house", {})["match_play"] = True
    return round_


def _seat(
    rng: Random, book: Rulebook, seat: int, hole: str, round_: Mapping[str, Any], table: Any
) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat, "hole": hole}
    no_ante = book.entry is not None and ("trips",) in book.entry.value and rng.random() < 0.1
    big = book.caps and book.bet_limit is None and not book.limits and rng.random() < 0.15
    if not no_ante:
        data["ante"] = rng.choice(("120", "150", "200")) if big else _stake(rng, book, "ante")
        if rng.random() < 0.5:
            data["blind"] = data["ante"]
        data["play"] = rng.choice((0, 0, 1, 2, 3, 4))
    if no_ante or rng.random() < 0.7:
        data["trips"] = _stake(rng, book, "trips")
    if "progressive" in book.wagers and "tables" in round_ and rng.random() < 0.8:
        wager = book.wagers["progressive"].amount or (table.wager if table else None)
        data["progressive"] = str(wager.value // 100) if wager else "1"
    if "cover_all" in book.wagers and not no_ante and round_.get("mode") != "manual" and rng.random() < 0.4:
        data["cover_all"] = "150" if big else rng.choice(STAKES)
    if book.option("tips") and rng.random() < 0.25:
        data["tips"] = _tips(rng, data)
    if "match_play" in book.house and not no_ante and rng.random() < 0.1:
        data["match_play"] = "1"
    return data


def _tips(rng: Random, data: Mapping[str, Any]) -> dict[str, str]:
    tips = {}
    if "ante" in data:
        if rng.random() < 0.7:
            tips["ante"] = "2"
            if data["play"] and rng.random() < 0.5:
                tips["play"] = str(2 * data["play"])
        if rng.random() < 0.4:
            tips["blind"] = "1.01"
    if rng.random() < 0.5 or not tips:
        tips["trips"] = "1"
    return tips


def _shootout(rng: Random, book: Rulebook) -> dict[str, Any]:
    seats = sorted(rng.sample(range(1, 8), rng.choice((1, 1, 2, 2, 3, 7))))
    board, held = _dealt(rng, book, len(seats) + 1, 4)
    dealer = held.pop()
    round_: dict[str, Any] = {"board": codes(board), "dealer": codes(dealer)}
    if rng.random() < 0.8:
        round_["tables"] = {"bonus": rng.choice(list(book.tables["bonus"]))}
    if rng.random() < 0.15:
        round_["dealer_keeps"] = codes(rng.sample(dealer, 2))
    round_["seats"] = [_set(rng, seat, four) for seat, four in zip(seats, held, strict=True)]
    return round_


def _set(rng: Random, seat: int, four: Sequence[Card]) -> dict[str, Any]:
    """Return a Texas Shootout seat that keeps two of its four cards, or splits them if that is allowed."""
    groups = sorted(Counter(c.rank for c in four).values())
    split = groups in ([2, 2], [4]) and rng.random() < 0.7
    one = rng.choice(list(combinations(range(4), 2)))
    first = [four[n] for n in one]
    rest = [four[n] for n in range(4) if n not in one]
    data: dict[str, Any] = {"seat": seat, "cards": codes(four), "wager": rng.choice(STAKES)}
    data["hands"] = [codes(first), codes(rest)] if split else [codes(first)]
    if rng.random() < 0.7:
        bonus = rng.choice(STAKES)
        data["bonus"] = [bonus, bonus] if split and rng.random() < 0.6 else [bonus]
    return data
