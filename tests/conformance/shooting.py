"""Texas Shootout: the bonus tables, hands against the dealer, comparisons with six decks, and the house way."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any

from houseway.testing.random_rounds import five_of

from .dealing import NAME, NUMBER, Made, cycle, six_decks, text

ROWS = (
    "suited five of a kind", "royal flush", "straight flush", "five of a kind", "four of a kind",
    "full house", "flush", "straight", "three of a kind", "two pair", "pair", "high card",
)  # fmt: skip
CLASS = {"suited five of a kind": 10, "royal flush": 9, "straight flush": 9, "five of a kind": 8}
CLASS |= {name: 7 - n for n, name in enumerate(ROWS[4:])}
STAKES = ("5", "10", "7.50", "1", "12.34", "0.01", "25")


class Shoe:
    """Six decks, from which cards are taken by name or drawn at random."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(NAME, 6))

    def take(self, cards: list[int]) -> list[int]:
        """Remove these cards from the shoe."""
        self.left.subtract(cards)
        return cards

    def draw(self, count: int) -> list[int]:
        """Draw cards at random."""
        drawn: list[int] = []
        while len(drawn) < count:
            card = self.rng.choice(list(NAME))
            if self.left[card] > 0:
                self.left[card] -= 1
                drawn.append(card)
        return drawn


def is_row(best: tuple[int, ...], row: str) -> bool:
    """True if a hand is paid by this row of the bonus tables."""
    if best[0] != CLASS[row]:
        return False
    return best[0] != 9 or (best[1] == 14) == (row == "royal flush")


def contest(rng: Random, row: str, result: str) -> dict[str, Any]:
    """Return a round with one seat whose hand belongs to this row and wins, ties or loses."""
    while True:
        shoe = Shoe(rng)
        five = shoe.take([NUMBER[str(c)] for c in five_of(rng, row, 6)])
        own = 0 if result == "tie" and rng.random() < 0.7 else rng.choice((2, 1))
        hole = five[:own] + shoe.draw(2 - own)
        board = five[own:] + shoe.draw(own)
        rng.shuffle(board)
        best = six_decks(hole + board)
        if not is_row(best, row):
            continue
        pairs = list(combinations_with_replacement(NAME, 2))
        for pair in map(list, rng.sample(pairs, 400 if result == "win" else len(pairs))):
            other = six_decks(pair + board)
            if ("win", "tie", "lose")[(other >= best) + (other > best)] == result:
                trial = Shoe(rng)
                trial.left = Counter(shoe.left)
                if min(trial.left[c] for c in trial.take(pair)) < 0:
                    continue
                four = pair + trial.draw(2)
                rng.shuffle(four)
                cards = hole + trial.draw(2)
                rng.shuffle(cards)
                seat = {"seat": rng.randrange(1, 8), "cards": text(cards), "hands": [text(hole)]}
                data = {"board": text(board), "dealer": text(four), "dealer_keeps": text(pair)}
                return {"rulebook": "shootout-sd", **data, "seats": [seat]}


def lines() -> Iterator[Made]:
    """Yield rounds for every row of both bonus tables, won and lost against the dealer."""
    rng = Random(1508)
    stakes, bonuses = cycle(*STAKES), cycle("5", "1", "4.99", None, "3.33", "10")
    for table in ("A", "B"):
        for row in ROWS:
            for result in ("win", "tie", "lose"):
                if row in ROWS[:2] and result == "lose":
                    continue
                for n in range(2 if result == "win" else 1):
                    data = contest(rng, row, result)
                    seat = data["seats"][0]
                    wager = next(stakes)
                    seat["wager"] = wager if wager != "0.01" or n else "100"
                    bonus = next(bonuses)
                    if bonus is not None:
                        seat["bonus"] = [bonus]
                    data = {"rulebook": "shootout-sd", "tables": {"bonus": table}} | data
                    yield Made(f"bonus {table}: {row}, {result}", data)


# The player's hand, the board and the dealer's cards, with what decides between the hands.
COMPARED = (
    ("suited five of a kind over a royal", "Kd Kd", "Kd Kd Kd Ad Qd", "Jd Td"),
    ("suited five of a kind by rank", "Kd Kd", "Kd Kd Kd Ad Qd", "Ad Ad"),
    ("royal over five of a kind", "Ah Kh", "Qh Jh Th 8c 8c", "8d 8s"),
    ("straight flush over five of a kind", "7h 6h", "8h 9h Th 8c 8c", "8d 8s"),
    ("five of a kind loses to a straight flush", "8c 8d", "8h 8s 8s 9s Ts", "Js Qs"),
    ("five of a kind over quads", "8c 8d", "8h 8s 8s Kc Kd", "Kh Ks"),
    ("five nines over five eights", "9c 9d", "9h 9s 9s 8c 8d", "8h 8s"),
    ("quads over a full house", "Kc Kd", "Kh Ks 9c 9d 2s", "9h Ah"),
    ("a full house outranks the flush of the same cards", "Ks Ks", "Ks 9s 9s 2d 3c", "As Qs"),
    ("quads of one suit outrank the flush of the same cards", "9s 9s", "9s 9s As 2d 3c", "Ks Qs"),
    ("a flush with two pair against a flush with a pair", "Ks Ks", "9s 9s 2s 7d 4h", "As Qs"),
    ("a flush with a pair, card by card", "As Qs", "9s 9s 2s 7d 4h", "As Js"),
    ("a flush with three of a rank", "As 4s", "9s 9s 9s 7d 4h", "Ks Qs"),
    ("equal flushes tie and lose", "As Qs", "9s 9s 2s 7d 4h", "As Qs"),
    ("identical cards tie and lose", "As Ad", "Qd 9s 7h 4c 2d", "As Ad"),
    ("seven-high straight flush over five-high", "6h 7h", "3h 4h 5h Kd Kc", "Ah 2h"),
    ("a steel wheel", "As 2s", "3s 4s 5s Kd Kc", "Kh Ks"),
    ("a wheel loses to six high", "As 2d", "3s 4h 5c Kd Kc", "6h 7d"),
    ("queen, king, ace, two, three is no straight", "Qs Kd", "As 2h 3c 8d 7c", "8h 6d"),
    ("the board plays for both and loses", "2c 3d", "As Kd Qc Jh Tc", "4d 5h"),
    ("a pair by its kicker", "As Kc", "Ad 9s 7h 4c 2d", "Ah Qc"),
    ("two pair on the board by the kicker", "Ah 3c", "Ks Kd 9s 9h 2c", "Qc Jc"),
    ("three of a kind by kicker", "7c Ad", "7s 7h 9d 4c 2s", "7d Kc"),
    ("a suited pair is only a pair", "As As", "Qd 9s 7h 4c 2d", "Ah Ad"),
    ("kings full of twos over queens full of aces", "Kh 2d", "Ks Kd 2c Qh Qs", "Qc Ad"),
    ("a straight of duplicates", "Jc Td", "9s 9s 8h 7d 7d", "9h 9c"),
)  # fmt: skip


def compared() -> Iterator[Made]:
    """Yield rounds that compare hands of six decks."""
    stakes = cycle("10", "5", "25")
    for name, hole, board, dealer in COMPARED:
        for mine, theirs in ((hole, dealer), (dealer, hole)):
            seat = {
                "seat": 1,
                "cards": f"{mine} 3c 2h",
                "hands": [mine],
                "wager": next(stakes),
                "bonus": ["5"],
            }
            data = {"board": board, "dealer": f"{theirs} 2d 3h", "dealer_keeps": theirs, "seats": [seat]}
            yield Made(name, {"rulebook": "shootout-sd", **data})


# The dealer's four cards: two examples for each line of the house way and for each tie-break.
FOURS = (
    "Kd Kc 7s 2h", "8c 8d As Kh", "As Ah Ks Kh", "Ah Jd 7s 7c", "As Kd Qh 2c", "Ah Qd 8s 8c", "7s 7s Ah Th",
    "7s 7c Ah 9h", "2d 2d 7s 7c", "6c 6c 6d 6h", "7s 7c 6d 6d", "Ah 9h Kd Qd", "Ah Th 9h 2c", "As 9s Ah 9h",
    "Kh Th Qd Jc", "Kd Qd Ks Qs", "Ks Qd Jh 9c", "Ts Jd 4h 2c", "Ah Td 8c 5s", "Ah 9d 8c 7s", "Kd 9d 8c 7c",
    "Jh 2h 9s 8s", "Kc 9d 8s 7h", "Jc 9d 9h 2s", "Qc 8d 8h 2s", "Ts 9s 7d 5c", "9h 8h 7d 6d", "Ts 9d 7h 5c",
    "9c 8d 7h 5s", "Tc 8c 6d 4h", "9h 7h 5d 3s", "Tc 8d 6h 4s", "9c 7d 5h 3s", "5h 4d 3h 2s", "Ac 2d 3h 5s",
    "Kd Kc Kh Ks", "8h 8h 8d 8c", "Qs Jd Qh Jc", "As Ks As Ks", "Ks Qs Ks Qs", "Ad 5d 9c Kc", "4c 4h 4d 4s",
    "Ks Qd Kd Qs", "Th 9d Ts 9c", "7d 6s 7h 6c",
)  # fmt: skip


def house_way() -> Iterator[Made]:
    """Yield rounds for every line of the house way, and rounds in which the dealer kept the wrong two cards."""
    for n, four in enumerate(FOURS):
        board = ("Qd 9s 7h 4c 2d", "As 8d 6h 3c Jh", "Td 9c 5h 5d 2s")[n % 3]
        for order in (four, " ".join(reversed(four.split()))):
            seat = {"seat": 1, "cards": "Jc Jd Ts 6s", "hands": ["Jc Jd"], "wager": "10", "bonus": ["5"]}
            data = {"rulebook": "shootout-sd", "board": board, "dealer": order, "seats": [seat]}
            yield Made(f"house way of {order}", data, ("TS-11-b",))
        cards = four.split()
        one, two = list(combinations(range(4), 2))[n % 6]
        seat = {"seat": 1, "cards": "Jc Jd Ts 6s", "hands": ["Jc Jd"], "wager": "10"}
        data = {"rulebook": "shootout-sd", "board": board, "dealer": four, "seats": [seat]}
        data["dealer_keeps"] = f"{cards[one]} {cards[two]}"
        yield Made(f"the dealer keeps {data['dealer_keeps']} of {four}", data, ("TS-11-c",))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from lines()
    yield from compared()
    yield from house_way()
