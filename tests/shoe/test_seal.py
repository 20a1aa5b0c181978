"""The seal: a Merkle tree that anyone can build from docs/shuffle.md, and proofs that depend on every value."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from houseway.cards import DECK, card
from houseway.shoe.seal import Proof, Seal, shoe_id
from shoe.seals import check


def seal(size: int, shoe: str = "t/1/red") -> Seal:
    return Seal(shoe, (DECK * 6)[:size], [bytes([n % 256]) * 16 for n in range(size)])


def test_the_root_of_three_cards_is_the_one_computed_by_hand() -> None:
    nonces = [bytes([n]) * 16 for n in (7, 8, 9)]
    leaves = [
        sha256(b"\x00" + b"\x00\x00\x00" + bytes([n]) + nonces[n] + text).digest()
        for n, text in enumerate((b"Ah", b"Kd", b"2c"))
    ]
    pair = sha256(b"\x01" + leaves[0] + leaves[1]).digest()
    top = sha256(b"\x01" + pair + leaves[2]).digest()
    root = sha256(b"\x02" + top + b"\x00\x00\x00\x03" + b"t/1/red").hexdigest()
    made = Seal("t/1/red", [card("Ah"), card("Kd"), card("2c")], nonces)
    assert made.root == root
    assert made.proof(2) == Proof(2, card("2c"), nonces[2], (pair,))
    assert made.proof(0) == Proof(0, card("Ah"), nonces[0], (leaves[1], leaves[2]))


@pytest.mark.parametrize("size", [*range(1, 18), 52, 104, 312])
def test_every_card_of_a_shoe_of_any_size_is_proved(size: int) -> None:
    made = seal(size)
    for position in range(size):
        proof = made.proof(position)
        assert proof.card is (DECK * 6)[position]
        assert check(made.root, "t/1/red", size, proof)


def changed(proof: Proof) -> dict[str, Proof]:
    new = msgspec.structs.replace
    flipped = tuple(bytes([hash_[0] ^ 1]) + hash_[1:] for hash_ in proof.path)
    return {
        "card": new(proof, card=DECK[(DECK.index(proof.card) + 1) % 52]),
        "position": new(proof, position=proof.position ^ 1),
        "position outside": new(proof, position=proof.position + 64),
        "position below": new(proof, position=-1),
        "nonce": new(proof, nonce=bytes(16)),
        "nonce and card run together": new(proof, nonce=proof.nonce[:15]),
        "hashes": new(proof, path=flipped),
        "order of the path": new(proof, path=proof.path[::-1]),
        "path too short": new(proof, path=proof.path[:-1]),
        "path too long": new(proof, path=(*proof.path, bytes(32))),
    }


def test_a_changed_proof_is_invalid() -> None:
    made = seal(52)
    for position in (1, 30, 50):
        for what, proof in changed(made.proof(position)).items():
            assert not check(made.root, "t/1/red", 52, proof), what


def test_the_root_binds_the_shoe_and_its_size() -> None:
    made = seal(52)
    proof = made.proof(3)
    assert not check(made.root, "t/2/red", 52, proof)
    assert not check(made.root, "t/1/red", 51, proof)
    assert not check(seal(52, "t/2/red").root, "t/1/red", 52, proof)


def test_a_node_cannot_pass_as_a_leaf() -> None:
    # In a tree of two, the root is a node; a tree of one with the same bytes must have another root.
    two = seal(2)
    one = seal(1)
    assert not check(two.root, "t/1/red", 1, one.proof(0))
    assert two.root != one.root


def test_a_nonce_hides_its_card() -> None:
    # Trying all 52 cards without the nonce finds no match.
    made = seal(52)
    opened = made.proof(17)
    guesses = [Proof(17, guess, bytes(16), opened.path) for guess in DECK]
    assert not any(check(made.root, "t/1/red", 52, guess) for guess in guesses)


def test_a_shoe_is_named_by_record_shuffle_and_deck() -> None:
    assert shoe_id("table-7", 3, "red") == "table-7/3/red"
    assert (
        len(
            {
                shoe_id("a", 1, "red"),
                shoe_id("a", 2, "red"),
                shoe_id("b", 1, "red"),
                shoe_id("a", 1, "blue"),
            }
        )
        == 4
    )
