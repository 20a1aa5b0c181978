"""The cards cannot change after the seal: an independent program checks rounds and notices tampering."""

from __future__ import annotations

import ast
import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import DECK, Card
from houseway.shoe import Deal, SealedShoe, ShoeError, round_proofs, shoe_id, shoe_proofs, verify_round
from houseway.shoe.verify_round import ProofFault, card_lines, faults, read
from js.proofs import proofs as committed_proofs
from samples import sample

PROGRAM = Path(verify_round.__file__)
ROUNDS = sample("proofs")
TAMPERS = sample("tampers")
AFTER_THE_SEATS = (("dealer", 2), ("burn", 1), ("board", 3), ("burn", 1), ("board", 2))


def dealt(shoe: SealedShoe) -> list[Deal]:
    """The deals of a shoe whose cards all went to the board."""
    return [Deal(1, "board", len(shoe.dealt))] if shoe.dealt else []


def proved(shoe: SealedShoe, which: Iterable[int]) -> dict[str, Any]:
    return round_proofs(shoe, dealt(shoe), which)


def rounds(seed: str, count: int) -> Iterator[tuple[bytes, list[Card]]]:
    """Rounds as a table deals them: the file of proofs, and the visible cards, in order.

    Most rounds have their own deck; about one in ten is dealt from a six-deck shoe that lasts several
    rounds. Burned cards and hands that were not turned up stay hidden.
    """
    rng = Random(seed)
    number = 0
    while number < count:
        decks, from_shoe = rng.choice([(1, 1)] * 90 + [(6, 10)])
        shoe = SealedShoe(rng.randbytes(32), decks, shoe_id("table-7", number, "red"))
        shoe.cut(rng.randrange(1, shoe.size))
        seats = rng.sample(range(1, 8), rng.randrange(1, 7))
        shoe.permute({seat: rng.randbytes(16) for seat in seats})
        deals: list[Deal] = []
        for played in range(min(from_shoe, count - number)):
            before = len(shoe.dealt)
            places = [*((f"seat {seat}", 2) for seat in sorted(seats)), *AFTER_THE_SEATS]
            deals += [Deal(played + 1, place, of) for place, of in places]
            cards = [card for _, of in places for card in shoe.take(of)]
            seen = sorted(rng.sample(range(len(cards)), rng.randrange(7, len(cards) + 1)))
            written = json.dumps(round_proofs(shoe, deals, [before + k for k in seen]))
            yield written.encode(), [cards[k] for k in seen]
            number += 1


def test_every_card_of_a_round_was_committed_at_its_position() -> None:
    checked = 0
    for raw, seen in rounds("ten thousand rounds", ROUNDS):
        data = read(raw)
        assert faults(data) == []
        assert [proved["card"] for proved in data["cards"]] == [str(card) for card in seen]
        checked += 1
    assert checked == ROUNDS


# --- single-bit tampers ---


def flip_number(rng: Random, record: dict[str, Any], name: str) -> None:
    record[name] ^= 1 << rng.randrange(9)


def flip_hex(rng: Random, record: Any, key: Any) -> None:
    raw = bytearray.fromhex(record[key])
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    record[key] = raw.hex()


def flip_text(rng: Random, record: dict[str, Any], name: str) -> None:
    raw = bytearray(record[name].encode())
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(7)
    record[name] = raw.decode()


def flip_path(rng: Random, data: dict[str, Any]) -> None:
    path = rng.choice(data["cards"])["path"]
    flip_hex(rng, path, rng.randrange(len(path)))


def flip_salt(rng: Random, data: dict[str, Any]) -> None:
    salts = data["cuts"][1]["salts"]
    flip_hex(rng, salts, rng.choice(list(salts)))


def flip_seat(rng: Random, data: dict[str, Any]) -> None:
    salts = data["cuts"][1]["salts"]
    seat = rng.choice(list(salts))
    free = [other for other in (str(int(seat) ^ 1 << bit) for bit in range(16)) if other not in salts]
    salts[rng.choice(free)] = salts.pop(seat)


def flip_deal(rng: Random, data: dict[str, Any]) -> None:
    """Flip a bit of the public deal of a proved card: its round or its place."""
    number = rng.choice(data["cards"])["dealt"]
    deals = [deal for deal in data["deals"] for _ in range(deal["count"])]
    if rng.random() < 0.5:
        flip_number(rng, deals[number], "round")
    else:
        flip_text(rng, deals[number], "to")


TAMPER: dict[str, Callable[[Random, dict[str, Any]], None]] = {
    "root": lambda rng, data: flip_hex(rng, data, "root"),
    "size": lambda rng, data: flip_number(rng, data, "size"),
    "shoe": lambda rng, data: flip_text(rng, data, "shoe"),
    "cut": lambda rng, data: flip_number(rng, data["cuts"][0], "count"),
    "when it was cut": lambda rng, data: flip_number(rng, rng.choice(data["cuts"]), "dealt"),
    "salt": flip_salt,
    "seat of a salt": flip_seat,
    "card": lambda rng, data: flip_text(rng, rng.choice(data["cards"]), "card"),
    "number of the deal": lambda rng, data: flip_number(rng, rng.choice(data["cards"]), "dealt"),
    "position": lambda rng, data: flip_number(rng, rng.choice(data["cards"]), "position"),
    "nonce": lambda rng, data: flip_hex(rng, rng.choice(data["cards"]), "nonce"),
    "path": flip_path,
    "place": lambda rng, data: flip_text(rng, rng.choice(data["cards"]), "to"),
    "round": lambda rng, data: flip_number(rng, rng.choice(data["cards"]), "round"),
    "deal": flip_deal,
}


def test_single_bit_tampers_are_all_noticed() -> None:
    rng = Random("tampers")
    kinds = list(TAMPER)
    unnoticed = []
    tampered = 0
    for raw, _ in rounds("tampered rounds", TAMPERS // 40):
        data = read(raw)
        for _ in range(40):
            kind = kinds[tampered % len(kinds)]
            changed = copy.deepcopy(data)
            TAMPER[kind](rng, changed)
            assert changed != data
            if not faults(changed):
                unnoticed.append((kind, tampered))
            tampered += 1
    assert tampered == TAMPERS
    assert unnoticed == []


def sound(raw: bytes, deals: list[dict[str, Any]]) -> bool:
    """True if a player who saw these deals finds no fault."""
    try:
        data = read(raw)
        return not faults(data) and data["deals"] == deals
    except ProofFault:
        return False


def test_a_flipped_bit_anywhere_in_a_file_is_noticed() -> None:
    rng = Random("files")
    for raw, _ in rounds("flipped files", 100):
        deals = read(raw)["deals"]
        assert sound(raw, deals)
        for _ in range(20):
            flipped = bytearray(raw)
            flipped[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            assert not sound(bytes(flipped), deals), bytes(flipped)


# --- planted faults: houses that cheat ---


def honest() -> SealedShoe:
    shoe = SealedShoe(bytes(range(32)), 1, "table-7/1/red")
    shoe.cut(20)
    shoe.permute({1: b"a player's bytes", 4: b"another player's"})
    return shoe


def claims(shoe: SealedShoe, cards: tuple[Card, ...]) -> list[str]:
    """The verifier's faults if the house claims these cards were dealt first."""
    data = proved(shoe, range(len(cards)))
    for record, card in zip(data["cards"], cards, strict=True):
        record["card"] = str(card)
    return faults(data)


def test_an_honest_house_passes() -> None:
    shoe = honest()
    assert claims(shoe, shoe.take(9)) == []


def test_a_house_that_changes_a_card_after_the_seal_is_caught() -> None:
    shoe = honest()
    first, second = shoe.sequence[:2]
    held = list(shoe._cards)
    held[first], held[second] = held[second], held[first]
    shoe._cards = tuple(held)
    dealt_cards = shoe.take(9)
    assert claims(shoe, dealt_cards) == [
        f"card 0 ({dealt_cards[0]}, dealt as number 0): this card was not committed at position {first}",
        f"card 1 ({dealt_cards[1]}, dealt as number 1): this card was not committed at position {second}",
    ]


def test_a_house_that_deals_seconds_is_caught() -> None:
    shoe = honest()
    top = shoe._rest.pop(0)
    shoe._rest.insert(1, top)
    hand = shoe.take(9)
    problems = claims(shoe, hand)
    assert len(problems) == 2
    assert (
        f"after the cuts, card number 0 of the deal is the one committed at position {top}" in problems[0]
    )


def test_a_house_that_ignores_the_players_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "houseway.shoe.sealed_shoe.players_cut", lambda salts, root, shoe, size: tuple(range(size))
    )
    shoe = honest()
    assert len(claims(shoe, shoe.take(9))) >= 8


def test_a_house_with_five_aces_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.shoe.sealed_shoe.DECK", (DECK[51], *DECK[1:]))
    assert faults(shoe_proofs(honest(), [])) == ["the shoe has only 1 of the As, not 2"]


def seated(shoe: SealedShoe) -> list[Deal]:
    """One card to each of three places, twice."""
    shoe.take(6)
    return [Deal(1, place) for place in ("seat 1", "seat 2", "dealer") * 2]


def test_a_house_that_proves_another_seats_cards_is_caught() -> None:
    shoe = honest()
    deals = seated(shoe)
    assert faults(round_proofs(shoe, deals, [0, 3])) == []
    for others in ([2, 5], [1, 4], [0, 2]):
        # The proofs are honest, committed and in order, but those cards were not dealt to seat 1.
        data = round_proofs(shoe, deals, others)
        for record in data["cards"]:
            record["to"] = "seat 1"
        wrong = [number for number in others if deals[number].to != "seat 1"]
        listed = faults(data, shoe.seal)
        assert len(listed) == len(wrong)
        for number, sentence in zip(wrong, listed, strict=True):
            claim = f"it was dealt to {deals[number].to} in round 1, not to seat 1 in round 1 as claimed"
            assert sentence.endswith(claim)


def test_a_house_that_proves_cards_of_another_round_is_caught() -> None:
    shoe = honest()
    shoe.take(4)
    data = round_proofs(shoe, [Deal(1, "seat 1", 2), Deal(2, "seat 1", 2)], [0, 1])
    for record in data["cards"]:
        record["round"] = 2
    assert len(faults(data)) == 2


def test_a_card_still_in_the_shoe_cannot_have_been_dealt() -> None:
    shoe = honest()
    deals = seated(shoe)
    whole = shoe_proofs(shoe, deals)
    assert faults(whole) == []
    whole["cards"][6].update(round=1, to="seat 1")
    (fault,) = faults(whole)
    assert fault.endswith("it was dealt to stub, not to seat 1 in round 1 as claimed")


def test_the_verifier_reports_each_places_cards_and_omissions() -> None:
    shoe = honest()
    deals = [Deal(1, "board"), *(Deal(2, deal.to) for deal in seated(shoe))]
    shoe.take(1)
    data = round_proofs(shoe, deals, [1, 4, 3])
    cards = {record["dealt"]: record["card"] for record in data["cards"]}
    assert faults(data) == []
    assert card_lines(data) == [
        f"seat 1 in round 2: {cards[1]} {cards[4]}",
        "seat 2 in round 2: (2 not shown)",
        f"dealer in round 2: {cards[3]} (1 not shown)",
    ]


def test_proofs_need_a_place_for_every_card() -> None:
    shoe = honest()
    shoe.take(3)
    with pytest.raises(ShoeError, match="3 cards have been dealt, but the deals list 2"):
        round_proofs(shoe, [Deal(1, "board", 2)], [0])


def test_proofs_of_a_shoe_other_than_the_announced_one_are_caught() -> None:
    shoe = honest()
    shoe.take(5)
    data = proved(shoe, range(5))
    assert faults(data, shoe.seal) == []
    assert faults(data, "00" * 32) == [
        f"the proofs are for another shoe: its root is {shoe.seal}, not {'00' * 32}"
    ]


# --- the contents of the file ---


def test_only_named_cards_are_in_the_file() -> None:
    shoe = honest()
    shoe.take(10)
    data = proved(shoe, [7, 2, 7])
    assert [record["dealt"] for record in data["cards"]] == [2, 7]
    hidden = [
        p.nonce.hex()
        for p in shoe.proofs(range(shoe.size))
        if p.position not in (shoe.dealt[2], shoe.dealt[7])
    ]
    assert not any(nonce in json.dumps(data) for nonce in hidden)


@pytest.mark.parametrize("number", [-1, 3, 51])
def test_a_card_not_yet_dealt_is_not_proved(number: int) -> None:
    shoe = honest()
    shoe.take(3)
    with pytest.raises(ShoeError, match=f"card {number} was not dealt; the shoe has dealt 3 cards"):
        proved(shoe, [0, number])


def test_a_whole_shoe_is_opened_and_checked() -> None:
    shoe = SealedShoe(bytes(range(32)), 6, "table-7/1/red")
    shoe.take(30)
    shoe.cut(100)
    data = shoe_proofs(shoe, dealt(shoe))
    assert len(data["cards"]) == 312
    assert faults(data) == []


def test_cuts_in_the_middle_of_a_shoe_are_followed() -> None:
    rng = Random("middle")
    for _ in range(50):
        shoe = SealedShoe(rng.randbytes(32), rng.choice((1, 2, 6)), "table-7/1/red")
        for _ in range(3):
            shoe.take(rng.randrange(8))
            shoe.permute({seat: rng.randbytes(16) for seat in range(rng.randrange(3))})
            shoe.cut(rng.randrange(1, shoe.left))
        shoe.take(5)
        assert faults(proved(shoe, range(len(shoe.dealt)))) == []


def test_a_duplicate_entry_is_a_fault() -> None:
    shoe = honest()
    shoe.take(2)
    data = proved(shoe, [0, 1])
    data["cards"].append(data["cards"][0])
    assert faults(data) == ["number 0 of the deal is listed more than once"]


def test_a_file_without_cards_proves_nothing() -> None:
    assert faults(proved(honest(), [])) == ["the file has no cards to check"]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"{", "the file is not JSON in UTF-8"),
        (b"\xff", "the file is not JSON in UTF-8"),
        (b'{"size": 52, "size": 104}', "'size' appears twice in one JSON object"),
        (b"[" * 100_000, "the file is not JSON in UTF-8"),
    ],
)
def test_files_that_cannot_be_read_are_faults(raw: bytes, says: str) -> None:
    with pytest.raises(ProofFault, match=says):
        read(raw)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "houseway-proofs-3"}, "the file must have the format 'houseway-proofs-1'"),
        ({"extra": 1}, "the file must have exactly these fields: cards, cuts, deals, format, root"),
        ({"shoe": 7}, "shoe must be text"),
        ({"shoe": "\ud800"}, "shoe must be text"),
        ({"size": 53}, "a shoe must hold whole decks of 52 cards, not 53 cards"),
        ({"size": True}, "size must be a whole number from 52 to 65536, not True"),
        ({"root": "AB" * 32}, "the root must be 64 lowercase hexadecimal digits"),
        ({"cuts": 5}, "cuts must be a list"),
        ({"cuts": [5]}, "cut 0 must have exactly these fields: count, dealt"),
        ({"cuts": [{"dealt": 0, "count": 52}]}, "cut 0: count must be a whole number from 1 to 51, not 52"),
        (
            {"cuts": [{"dealt": 0, "salts": {"01": "00" * 16}}]},
            "cut 0: salts must be listed by seat number",
        ),
        (
            {"cuts": [{"dealt": 0, "salts": {"1": "00"}}]},
            "cut 0: the salt of seat 1 must be 32 lowercase",
        ),
        (
            {"cuts": [{"dealt": 3, "count": 5}, {"dealt": 2, "count": 5}]},
            "cut 0: dealt must be a whole number from 0 to 2, not 3",
        ),
        (
            {"cuts": [{"dealt": 2, "count": 5}, {"dealt": 1, "count": 5}]},
            "cut 1: dealt must be a whole number from 2 to 2, not 1",
        ),
        ({"deals": 5}, "deals must be a list"),
        ({"deals": [{"to": "board"}]}, "deal 0 must have exactly these fields: count, round, to"),
        (
            {"deals": [{"round": 1, "to": "seat 01", "count": 2}]},
            "deal 0: cards cannot be dealt to 'seat 01'",
        ),
        (
            {"deals": [{"round": 1, "to": "board", "count": 53}]},
            "deal 0: count must be a whole number from 1",
        ),
        (
            {"deals": [{"round": r, "to": "board", "count": 1} for r in (2, 1)]},
            "deal 1: round must be a whole number from 2",
        ),
        (
            {"cards": [{}]},
            "card 0 must have exactly these fields: card, dealt, nonce, path, position, round, to",
        ),
    ],
)
def test_malformed_values_are_reported(change: dict[str, Any], says: str) -> None:
    shoe = honest()
    shoe.take(2)
    listed = faults({**proved(shoe, [0, 1]), **change})
    assert len(listed) == 1
    assert says in listed[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_no_value_crashes_the_verifier(data: st.DataObject) -> None:
    shoe = honest()
    shoe.take(2)
    proofs = proved(shoe, [0, 1])
    records: list[Any] = [proofs, *proofs["cuts"], *proofs["cards"], proofs["cuts"][1]["salts"]]
    records += [
        proofs["deals"],
        *proofs["deals"],
        proofs["cuts"],
        proofs["cards"],
        proofs["cards"][0]["path"],
    ]
    record = data.draw(st.sampled_from(records))
    key = data.draw(st.sampled_from(sorted(record) if isinstance(record, dict) else range(len(record))))
    before, record[key] = record[key], data.draw(JSON)
    # Only people who saw the deal know how many cards its last act dealt, so a larger count may go unnoticed.
    grown = key == "count" and record in proofs["deals"]
    assert faults(proofs) or before == record[key] or grown


# --- the program ---


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    # -I and -S: no installed package can be imported, including this one.
    command = [sys.executable, "-I", "-S", str(PROGRAM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_program_checks_files(tmp_path: Path) -> None:
    for number, (raw, seen) in enumerate(rounds("files", 10)):
        file = tmp_path / f"{number}.json"
        file.write_bytes(raw)
        root = json.loads(raw)["root"]
        done = program(str(file), root)
        assert (done.returncode, done.stderr) == (0, "")
        first, *places = done.stdout.splitlines()
        assert first == f"{len(seen)} cards are as committed by root {root}"
        assert places == card_lines(read(raw))


def test_the_program_prints_each_fault_on_a_line(tmp_path: Path) -> None:
    shoe = honest()
    shoe.take(3)
    data = proved(shoe, range(3))
    for record in data["cards"][:2]:
        record["nonce"] = "00" * 16
    file = tmp_path / "tampered.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    done = program(str(file))
    assert done.returncode == 1
    assert [line.partition(" (")[0] for line in done.stdout.splitlines()] == ["card 0", "card 1"]
    file.write_text("no JSON", encoding="utf-8")
    done = program(str(file))
    assert done.returncode == 1
    assert done.stdout.startswith("the file is not JSON in UTF-8")


def test_the_program_prints_its_usage(tmp_path: Path) -> None:
    assert program().returncode == 2
    assert program().stderr == "python verify_round.py PROOFS.json [ROOT]\n"
    missing = program(str(tmp_path / "missing.json"))
    assert missing.returncode == 2
    assert missing.stderr == f"cannot read {tmp_path / 'missing.json'}: No such file or directory\n"


def test_the_program_imports_the_standard_library_only() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_its_chacha_gives_the_block_of_rfc_8439() -> None:
    # RFC 8439, 2.3.2.
    block = verify_round.block(bytes(range(32)), bytes.fromhex("000000090000004a00000000"), 1)
    assert block == bytes.fromhex(
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
    )


def test_its_hkdf_gives_the_key_of_rfc_5869() -> None:
    # RFC 5869, A.1; the first 32 of its 42 bytes.
    key = verify_round.hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)))
    assert key.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


# --- commitments ---


def committed_file() -> dict[str, Any]:
    """Proofs in which seats 2 and 5 committed in events 10 and 11, betting closed in 12, and both opened."""
    data: dict[str, Any] = read(json.dumps(committed_proofs(committed=True)).encode())
    return data


def test_commitments_opened_after_betting_closed_are_valid_and_listed() -> None:
    data = committed_file()
    assert faults(data) == []
    assert card_lines(data)[:2] == [
        "cut by the salt of seat 2, committed before betting closed",
        "cut by the salt of seat 5, committed before betting closed",
    ]


@pytest.mark.parametrize(
    ("seat", "change", "says"),
    [
        ("2", {"commitment": "f" * 64}, "seat 2 opened a salt that it had not committed to"),
        ("5", {"opened": 12}, "seat 5 opened its salt before betting was closed"),
        ("5", {"committed": 13}, "seat 5 committed to its salt after betting was closed"),
        ("3", {}, "the seats that committed to a salt and those that opened one are not the same"),
    ],
)
def test_a_wrong_commitment_is_reported(seat: str, change: dict[str, Any], says: str) -> None:
    data = committed_file()
    records = data["cuts"][1]["commitments"]
    records[seat] = {**records.get(seat, records["2"]), **change}
    assert faults(data) == [f"cut 1: {says}"]


def test_a_cut_without_commitments_is_reported_in_the_format_that_has_them() -> None:
    data = committed_file()
    data["cuts"][1] = {name: data["cuts"][1][name] for name in ("dealt", "salts")}
    assert faults(data) == ["cut 1 must have exactly these fields: closed, commitments, dealt, salts"]


def test_every_flipped_bit_of_a_commitment_is_noticed() -> None:
    for n in range(256):
        data = committed_file()
        record = data["cuts"][1]["commitments"]["2"]
        raw = bytearray.fromhex(record["commitment"])
        raw[n // 8] ^= 1 << n % 8
        record["commitment"] = raw.hex()
        assert faults(data)
