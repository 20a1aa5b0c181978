"""Seeds never repeat, and if randomness fails no cards are shuffled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.shoe import (
    EntropyError,
    SealedShoe,
    SeededEntropy,
    SystemEntropy,
    keystream,
    order,
    self_test,
)
from samples import sample

FORKS = Path(__file__).with_name("forks.py")


def seeds(kind: str, forks: int, draws: int) -> list[bytes]:
    command = [sys.executable, str(FORKS), kind, str(forks), str(draws)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=300)
    return [done.stdout[at : at + 32] for at in range(0, len(done.stdout), 32)]


def test_seeds_of_many_processes_are_all_different() -> None:
    processes, fresh = sample("seeds"), sample("seeds") // 100
    drawn = seeds("kernel", processes - fresh, 1_000)
    for _ in range(fresh):
        # Started as new processes, not only forked.
        drawn += seeds("kernel", 1, 1_000)
    assert len(drawn) == len(set(drawn)) == 1_000 * processes


def test_a_generator_that_keeps_bytes_over_a_fork_is_noticed() -> None:
    drawn = seeds("buffered", 10, 100)
    assert len(drawn) == 1_000
    assert len(set(drawn)) == 100


def failing(problem: Exception) -> object:
    def urandom(count: int) -> bytes:
        raise problem

    return urandom


@pytest.mark.parametrize(
    "problem", [OSError(38, "Function not implemented"), NotImplementedError("no source")]
)
def test_no_bytes_are_drawn_if_the_kernel_fails(
    problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", failing(problem))
    with pytest.raises(EntropyError, match=r"source of randomness failed .*cards cannot be shuffled"):
        SystemEntropy().draw(32)


def test_no_bytes_are_drawn_if_the_kernel_returns_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda count: bytes(count - 1))
    with pytest.raises(EntropyError, match="returned 31 of 32 bytes"):
        SystemEntropy().draw(32)


def test_only_the_operating_systems_source_counts_as_live() -> None:
    assert SystemEntropy.live
    assert not SeededEntropy.live


def test_a_seeded_game_repeats() -> None:
    first, again = SeededEntropy(7), SeededEntropy("7")
    assert [first.draw(32), first.draw(5)] == [again.draw(32), again.draw(5)]
    assert (
        SeededEntropy(7).draw(37)
        == SeededEntropy(b"7").draw(32) + again.draw(0) + SeededEntropy("7").draw(37)[32:]
    )


def test_other_seeds_and_other_names_draw_other_bytes() -> None:
    drawn = [
        SeededEntropy(7),
        SeededEntropy(8),
        SeededEntropy(""),
        SeededEntropy(7, "table 1"),
        SeededEntropy(7, "table 2"),
    ]
    assert len({source.draw(32) for source in drawn}) == 5


def test_a_seed_gives_a_name_the_same_bytes_regardless_of_earlier_draws() -> None:
    busy = SeededEntropy(7)
    busy.draw(1_000)
    assert busy.named("table 1").draw(32) == SeededEntropy(7, "table 1").draw(32)
    assert busy.named("table 1").draw(32) != busy.named("table 2").draw(32)


def test_the_kernel_never_gives_a_name_the_same_bytes_twice() -> None:
    assert SystemEntropy().named("table 1").draw(32) != SystemEntropy().named("table 1").draw(32)


# --- known-answer tests of the cipher ---


def test_the_cipher_gives_the_block_of_rfc_8439() -> None:
    # RFC 8439, 2.3.2: key 00 to 1f, nonce 000000090000004a00000000, block 1.
    nonce = bytes.fromhex("000000090000004a00000000")
    block = keystream._cipher(bytes(range(32)), nonce, 1).update(bytes(64))
    assert block == bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_the_cipher_encrypts_the_published_text_of_rfc_8439() -> None:
    # RFC 8439, 2.4.2: keystream and plaintext give the published ciphertext.
    plain = b"Ladies and Gentlemen of the class of '99: If I could offer you o"
    cipher = bytes.fromhex(
        "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
        "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
    )
    assert bytes(a ^ b for a, b in zip(plain, cipher, strict=True)) == keystream._KNOWN_BLOCK


def test_no_cards_are_shuffled_if_the_cipher_fails_its_known_answer_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sound = keystream._cipher
    monkeypatch.setattr(keystream, "_cipher", lambda key, nonce, block: sound(key, nonce, block + 1))
    self_test.cache_clear()
    try:
        for _ in range(2):
            with pytest.raises(EntropyError, match="RFC 8439"):
                order(bytes(32), 52)
        with pytest.raises(EntropyError, match="RFC 8439"):
            SealedShoe(bytes(32), 1, "a shoe")
    finally:
        self_test.cache_clear()


def test_the_known_answer_is_checked_once_before_the_first_shuffle() -> None:
    self_test.cache_clear()
    order(bytes(32), 52)
    order(bytes(32), 52)
    assert self_test.cache_info().misses == 1
