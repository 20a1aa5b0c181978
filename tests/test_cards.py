"""Cards: notation, identity, and rejected input."""

import copy
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import DECK, Card, CardError, card, cards, codes


def test_a_deck_is_52_different_cards() -> None:
    assert len(DECK) == len({str(c) for c in DECK}) == 52


@pytest.mark.parametrize("text", ["Ah Td 2c", "ahTD2C", "AH, td;2c", "ah-10d-2c", " Ah  Td\n2c "])
def test_letter_case_and_separators_do_not_matter(text: str) -> None:
    assert codes(cards(text)) == "Ah Td 2c"


@pytest.mark.parametrize(
    ("text", "named"), [("Ah Xd", "'Xd'"), ("1h", "'1h'"), ("Ah 2", "'2'"), ("hA", "'hA'")]
)
def test_an_invalid_card_is_named(text: str, named: str) -> None:
    with pytest.raises(CardError, match=named):
        cards(text)


def test_one_card_is_read_from_its_text() -> None:
    assert card("10d") is card("Td")
    with pytest.raises(CardError, match="2 cards"):
        card("Ah Kd")


@given(st.lists(st.sampled_from(DECK), max_size=9))
def test_cards_round_trip_through_text(held: list[Card]) -> None:
    assert list(cards(codes(held))) == held


def test_copies_of_a_card_are_the_same_object() -> None:
    ace = card("As")
    assert pickle.loads(pickle.dumps(ace)) is ace
    assert copy.deepcopy([ace])[0] is ace
    assert copy.copy(ace) is ace


def test_a_card_is_immutable_and_cannot_be_serialised_by_accident() -> None:
    with pytest.raises(AttributeError, match="are immutable"):
        card("As").rank = 3
    with pytest.raises(TypeError):
        msgspec.json.encode(card("As"))


def test_a_card_has_words_and_a_short_form() -> None:
    assert card("Ts").words == "ten of spades"
    assert repr(card("Ts")) == "Ts"
