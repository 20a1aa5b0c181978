"""The shuffle: computed by hand, compared with the verifier's, and the arithmetic that prevents bias."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from random import Random

import pytest

from houseway.shoe import order, shuffle, verify_round


def test_three_cards_have_the_order_computed_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def words(seed: bytes, purpose: bytes, chunk: int) -> Iterator[bytes]:
        # 255 is rejected: 0 to 254 are 85 times three values, and 255 is left over. 4 modulo 3 is 1: the last and
        # second card change places. The words are in two chunks. 7 modulo 2 is 1: the second card stays.
        yield bytes([255])
        yield bytes([4, 7])

    monkeypatch.setattr(shuffle, "keystream", words)
    assert order(bytes(32), 3) == (0, 2, 1)


def test_a_shoe_of_many_cards_reads_two_bytes_low_byte_first(monkeypatch: pytest.MonkeyPatch) -> None:
    # 65,535 is 255 times 257, so for 257 cards only the word 65,535 is rejected. 256 modulo 257 is 256: the last
    # card stays. All other words are 0: each card in turn changes places with the first.
    def words(seed: bytes, purpose: bytes, chunk: int) -> Iterator[bytes]:
        yield b"\xff\xff" + b"\x00\x01" + bytes(2 * 255)

    monkeypatch.setattr(shuffle, "keystream", words)
    assert order(bytes(32), 257) == (*range(1, 256), 0, 256)


@pytest.mark.parametrize("size", [2, 52, 104, 208, 256, 257, 312, 416])
def test_every_choice_is_equally_likely(size: int) -> None:
    # The number of accepted words is a multiple of the number of choices, and no more words are rejected than needed.
    wide, steps = shuffle._steps(size)
    words = 65_536 if size > 256 else 256
    assert wide == (size > 256)
    assert [(last, count) for last, count, _ in steps] == [(n, n + 1) for n in range(size - 1, 0, -1)]
    for _, count, limit in steps:
        assert limit % count == 0
        assert words - count < limit <= words


@pytest.mark.parametrize("size", [0, 1, 2, 10, 52, 104, 208, 256, 257, 312, 416])
def test_the_order_matches_the_independent_verifiers(size: int) -> None:
    # Sizes 208 and 256 reject many bytes, so more of the keystream is read. The verifier has its own ChaCha20.
    rng = Random(f"twin {size}")
    for _ in range(20):
        seed = rng.randbytes(32)
        assert list(order(seed, size)) == verify_round.shuffled(seed, b"card order 1", size)


def test_every_card_appears_once() -> None:
    rng = Random("all there")
    for size in (52, 312):
        for _ in range(200):
            assert sorted(order(rng.randbytes(32), size)) == list(range(size))


def test_different_purposes_share_no_bytes() -> None:
    seed = Random("purposes").randbytes(32)
    purposes = (b"card order 1", b"leaf nonce 1", b"player cut 1", b"seed draws 1")
    assert len({order(seed, 52, purpose) for purpose in purposes}) == 4


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="the seed of a shuffle must have 32 bytes, not 31"):
        order(bytes(31), 52)


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="0 to 65536 cards, not 65537"):
        order(bytes(32), 65_537)


def test_the_docstring_example_holds() -> None:
    assert doctest.testmod(shuffle) == doctest.TestResults(0, 1)
