"""The shoes: the contract they share, then the behaviour of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from houseway.cards import DECK, Card, cards, codes
from houseway.shoe import (
    Act,
    ScriptedShoe,
    SealedShoe,
    Shoe,
    ShoeError,
    TypedShoe,
    order,
    players_cut,
    shoe_id,
)
from shoe.seals import check

SEED = bytes(range(32))


def typed_all(decks: int) -> Shoe:
    """A person who types the whole shoe from the top, deck after deck."""
    lines = iter(DECK * decks)
    return TypedShoe(decks, lambda count, place: codes(next(lines) for _ in range(count)), pytest.fail)


MADE: Mapping[str, Callable[[int], Shoe]] = {
    "sealed": lambda decks: SealedShoe(SEED, decks, "t/1/red"),
    "scripted": lambda decks: ScriptedShoe(cards("Ah Kd 2c"), decks),
    "typed": typed_all,
}


@pytest.fixture(params=MADE)
def make(request: pytest.FixtureRequest) -> Callable[[int], Shoe]:
    return MADE[request.param]


# --- every shoe ---


@pytest.mark.parametrize("decks", [1, 6])
def test_a_shoe_deals_all_its_cards_and_no_more(make: Callable[[int], Shoe], decks: int) -> None:
    shoe = make(decks)
    shoe.cut(20)
    shoe.permute({})
    assert shoe.size == shoe.left == 52 * decks
    dealt = shoe.take(5)
    assert shoe.left == 52 * decks - 5
    dealt += shoe.take(shoe.left)
    assert Counter(dealt) == Counter(DECK * decks)
    with pytest.raises(ShoeError, match="0 cards are left in the shoe; 1 cannot be dealt"):
        shoe.take(1)
    assert shoe.take(0) == ()


def test_peeked_cards_stay_in_the_shoe_and_are_dealt_next(make: Callable[[int], Shoe]) -> None:
    shoe = make(1)
    shoe.take(3)
    seen = shoe.peek(2)
    assert shoe.peek(2) == seen
    assert shoe.peek(0) == shoe.take(0) == ()
    assert shoe.left == 49
    assert shoe.take(2) == seen
    assert seen[0] not in shoe.take(47)
    with pytest.raises(ShoeError, match="0 cards are left in the shoe; 1 cannot be dealt"):
        shoe.peek(1)


@pytest.mark.parametrize("count", [-1, 0, 52, 53])
def test_a_cut_leaves_cards_on_both_sides(make: Callable[[int], Shoe], count: int) -> None:
    with pytest.raises(ShoeError, match=f"a cut takes 1 to 51 of the 52 cards in the shoe, not {count}"):
        make(1).cut(count)


def test_a_shoe_cannot_deal_a_negative_number(make: Callable[[int], Shoe]) -> None:
    with pytest.raises(ShoeError, match="-1 cannot be dealt"):
        make(1).take(-1)


@pytest.mark.parametrize("name", ["scripted", "typed"])
def test_a_players_cut_needs_a_seal(name: str) -> None:
    shoe = MADE[name](1)
    assert shoe.seal == ""
    with pytest.raises(ShoeError, match="a shoe without a seal has no players' cut"):
        shoe.permute({1: bytes(16)})


# --- sealed ---


def test_the_committed_order_is_the_shuffled_factory_order() -> None:
    shoe = SealedShoe(SEED, 1, "t/1/red")
    assert shoe.take(52) == tuple(DECK[n] for n in order(SEED, 52))
    assert shoe.dealt == tuple(range(52))
    large = SealedShoe(SEED, 6, "t/1/red")
    assert large.take(312) == tuple((DECK * 6)[n] for n in order(SEED, 312))


def test_cuts_move_the_remaining_cards() -> None:
    shoe = SealedShoe(SEED, 1, "t/1/red")
    shoe.cut(50)
    shoe.take(3)
    assert shoe.sequence == (50, 51, 0, *range(1, 50))
    shoe.cut(2)
    shoe.take(1)
    assert shoe.dealt == (50, 51, 0, 3)
    assert shoe.sequence == (50, 51, 0, *range(3, 50), 1, 2)


def test_the_players_cut_moves_the_remaining_cards() -> None:
    shoe = SealedShoe(SEED, 1, "t/1/red")
    salts = {2: bytes(16), 5: b"sixteen bytes .."}
    shoe.cut(50)
    shoe.take(3)
    moved = players_cut(salts, shoe.seal, "t/1/red", 49)
    before = shoe.sequence
    shoe.permute(salts)
    assert sorted(moved) == list(range(49))
    assert moved != tuple(range(49))
    assert shoe.sequence == (*before[:3], *[before[3 + n] for n in moved])


def test_the_players_cut_depends_on_every_part() -> None:
    salts = {1: b"a" * 16, 2: b"b" * 16}
    root, other = "00" * 32, "01" + "00" * 31
    cuts = [
        players_cut(salts, root, "t/1/red", 52),
        players_cut({1: b"b" * 16, 2: b"a" * 16}, root, "t/1/red", 52),
        players_cut({1: b"a" * 16, 3: b"b" * 16}, root, "t/1/red", 52),
        players_cut({1: b"a" * 16}, root, "t/1/red", 52),
        players_cut(salts, other, "t/1/red", 52),
        players_cut(salts, root, "t/2/red", 52),
        players_cut({}, root, "t/1/red", 52),
    ]
    assert len(set(cuts)) == len(cuts)
    assert players_cut(dict(reversed(salts.items())), root, "t/1/red", 52) == cuts[0]
    assert cuts[-1] == tuple(range(52))


@pytest.mark.parametrize(
    ("salts", "says"),
    [
        ({3: bytes(15)}, "seat 3 must add 16 bytes to the players' cut, not 15"),
        ({-1: bytes(16)}, "a seat number must be 0 to 65535, not -1"),
    ],
)
def test_invalid_salts_are_refused_and_move_nothing(salts: dict[int, bytes], says: str) -> None:
    shoe = SealedShoe(SEED, 1, "t/1/red")
    with pytest.raises(ShoeError, match=says):
        shoe.permute(salts)
    assert shoe.acts == ()
    assert shoe.sequence == tuple(range(52))


def random_acts(rng: Random, shoe: SealedShoe) -> Iterator[Act]:
    while shoe.left > 2:
        match rng.randrange(4):
            case 0:
                yield "cut", rng.randrange(1, shoe.left)
            case 1:
                seats = rng.sample(range(1, 8), rng.randrange(4))
                yield "permute", {seat: rng.randbytes(16) for seat in seats}
            case _:
                yield "take", rng.randrange(min(20, shoe.left + 1))


def perform(shoe: SealedShoe, act: Act) -> tuple[Card, ...] | None:
    name, argument = act
    cards: tuple[Card, ...] | None = getattr(shoe, name)(argument)
    return cards


@pytest.mark.parametrize("decks", [1, 6])
def test_a_shoe_restored_after_any_act_deals_the_same_cards(decks: int) -> None:
    rng = Random(f"restored {decks}")
    seed = rng.randbytes(32)
    lasting = SealedShoe(seed, decks, "t/9/blue")
    acts, dealt = [], []
    for act in random_acts(rng, lasting):
        acts.append(act)
        dealt.append(perform(lasting, act))
    assert lasting.acts == tuple(acts)
    assert {name for name, _ in acts} == {"cut", "permute", "take"}
    for done in range(len(acts) + 1):
        restored = SealedShoe.restored(seed, decks, "t/9/blue", acts[:done])
        assert restored.seal == lasting.seal
        assert restored.acts == tuple(acts[:done])
        assert [perform(restored, act) for act in acts[done:]] == dealt[done:]
        assert restored.sequence == lasting.sequence


def test_a_record_with_an_unknown_act_cannot_be_restored() -> None:
    record: Any = [("take", 2), ("burn", 1)]
    with pytest.raises(ShoeError, match=r"\('burn', 1\) is not an act on a shoe"):
        SealedShoe.restored(SEED, 1, "t/1/red", record)


def test_a_fully_opened_shoe_has_every_card() -> None:
    shoe = SealedShoe(SEED, 6, shoe_id("t", 1, "red"))
    shoe.cut(100)
    dealt = shoe.take(40)
    opened = shoe.proofs(range(shoe.size))
    assert Counter(proof.card for proof in opened) == Counter(DECK * 6)
    assert all(check(shoe.seal, shoe.shoe_id, 312, proof) for proof in opened)
    assert len({proof.nonce for proof in opened}) == 312
    assert tuple(proof.card for proof in shoe.proofs(shoe.dealt)) == dealt


def test_printing_a_sealed_shoe_reveals_nothing() -> None:
    shoe = SealedShoe(SEED, 1, "t/1/red")
    shown = f"{shoe!r} {shoe}"
    assert str(shoe.proofs([0])[0].card) not in shown
    assert SEED.hex() not in shown


# --- scripted ---


def test_scripted_cards_come_first_then_the_rest_in_factory_order() -> None:
    shoe = ScriptedShoe(cards("Ah 2c Kd"))
    assert codes(shoe.take(5)) == "Ah 2c Kd 2d 2h"
    assert shoe.dealt == (0, 1, 2, 3, 4)


def test_a_scripted_shoe_is_cut_like_any_other() -> None:
    shoe = ScriptedShoe(cards("Ah 2c Kd"))
    shoe.cut(2)
    assert codes(shoe.take(2)) == "Kd 2d"


@pytest.mark.parametrize(("decks", "copies"), [(1, "the deck has only one"), (2, "the shoe has only 2")])
def test_a_script_with_too_many_of_a_card_is_refused(decks: int, copies: str) -> None:
    script: list[Card] = [*cards("Ah")] * (decks + 1)
    with pytest.raises(ShoeError, match=rf"the ace of hearts \(Ah\) is scripted too often; {copies}"):
        ScriptedShoe(script, decks)


# --- typed ---


class Person:
    """Types one line after another and records the questions and messages."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.questions: list[tuple[int, str]] = []
        self.messages: list[str] = []

    def ask(self, count: int, place: str) -> str:
        self.questions.append((count, place))
        return self.lines.pop(0)


def test_a_person_types_the_cards() -> None:
    person = Person("ah kd", "2C")
    shoe = TypedShoe(1, person.ask, person.messages.append)
    assert codes(shoe.take(2, "seat 3")) == "Ah Kd"
    assert codes(shoe.take(1)) == "2c"
    assert person.questions == [(2, "seat 3"), (1, "")]
    assert person.messages == []
    assert shoe.left == 49


def test_a_person_types_peeked_cards_only_once() -> None:
    person = Person("Ah Kd", "2c", "Ah Kd")
    shoe = TypedShoe(1, person.ask, person.messages.append)
    assert shoe.peek(2, "seat 3") == shoe.peek(2, "seat 3")
    assert person.questions == [(2, "seat 3")]
    # Peeking at another number of cards is a new act, so the cards are typed again.
    assert codes(shoe.take(1, "burn")) == "2c"
    assert codes(shoe.take(2, "seat 3")) == "Ah Kd"
    assert (shoe.left, person.messages) == (49, [])


def test_a_person_who_mistypes_gets_a_message_and_another_try() -> None:
    person = Person("Ah", "Ah Xd", "Ah Kd 2c", "", "Ah Ah", "Ah Kd", "Kd", "2c 3c", "3c")
    shoe = TypedShoe(1, person.ask, person.messages.append)
    assert codes(shoe.take(2, "seat 1")) == "Ah Kd"
    assert codes(shoe.take(1, "burn")) == "3c"
    assert person.messages == [
        "type 2 cards, not 1",
        "'Xd' is not a card; write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s)",
        "type 2 cards, not 3",
        "type 2 cards, not 0",
        "you typed the ace of hearts (Ah) more than once, and the deck has only one",
        "the king of diamonds (Kd) has been dealt already, and the deck has only one",
        "type 1 card, not 2",
    ]
    assert person.questions == [(2, "seat 1")] * 6 + [(1, "burn")] * 3


def test_a_card_can_be_typed_six_times_with_six_decks() -> None:
    person = Person("Ah Ah Ah Ah Ah Ah", "Ah", "As")
    shoe = TypedShoe(6, person.ask, person.messages.append)
    shoe.take(6)
    assert codes(shoe.take(1)) == "As"
    assert person.messages == ["the ace of hearts (Ah) has been dealt already, and the shoe has only 6"]


def test_a_typed_shoe_continues_from_the_record() -> None:
    person = Person("Ah", "As")
    shoe = TypedShoe(1, person.ask, person.messages.append, dealt=cards("Ah Kd"))
    assert shoe.left == 50
    assert codes(shoe.take(1)) == "As"
    assert len(person.messages) == 1


def test_the_end_of_input_is_raised_and_no_card_is_dealt() -> None:
    def ask(count: int, place: str) -> str:
        raise EOFError

    shoe = TypedShoe(1, ask, pytest.fail)
    with pytest.raises(EOFError):
        shoe.take(1)
    assert shoe.left == 52
