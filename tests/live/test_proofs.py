"""Proofs of played rounds: every card a seat saw was committed at its position, for its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.archive import Archive
from houseway.audit.entries import RecordEntry, read_entry, read_public
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.round_proofs import proofs
from houseway.audit.store import StoreError
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.rules.loader import rulebook_ids
from houseway.shoe import shoe_id
from houseway.shoe.verify_round import card_lines, faults, read
from random_play import Played
from record.recorded import Recorded, copy_records, forged, house, modes, recorded
from samples import sample
from scripted import Scripted

TABLES = [(rulebook, mode) for rulebook in rulebook_ids() for mode in modes(rulebook)]
ROUNDS_PER_TABLE = 5
"""Rounds played at each table."""
ROUNDS_PER_TEST = 100
"""Rounds in one test."""


class Salted(Recorded):
    """A table where every player who bets adds salt while the shoe accepts it, and opens it."""

    unopened = 0.0

    def wager(self) -> None:
        super().wager()
        for number, seat in self.state.seats.items():
            if seat.hands[0].wagers:
                self.add_salt(number)


class Folding(Salted):
    """A table where every player checks while possible, then folds."""

    def random_bet(self, number: int, plain: int = 0) -> c.Bet:
        return super().random_bet(number, plain=3)

    def answer(self, number: int) -> None:
        self.must(c.ActFor(by="supervisor", seat=number))


def salted(rulebook: str, mode: str, seed: str, rounds: int = ROUNDS_PER_TABLE) -> Salted:
    playing = Salted(house(seed=seed), "table:1", rulebook, mode, seed=seed, irregular=0, by_hand=0)
    playing.rounds = list(playing.play(rounds))
    return playing


def checked_proofs(playing: Recorded, number: int, role: str, root: str) -> dict[str, Any]:
    """Return the proofs a player gets, after the independent verifier finds them sound."""
    raw = json.dumps(proofs(playing.house.store, playing.stream, number, role)).encode()
    data: dict[str, Any] = read(raw)
    assert faults(data, root) == []
    return data


def places(events: list[e.Event]) -> list[str]:
    """Return where each card went, from the public part of the record."""
    destinations = []
    for event in events:
        if isinstance(event, e.CardsDealt):
            destinations += [event.to] * event.count
        elif isinstance(event, e.CardsBurned):
            destinations += ["burn"] * event.count
    return destinations


def public_rounds(playing: Recorded) -> Iterator[list[e.Event]]:
    """Yield the public events of each round, including those before it opened."""
    events: list[e.Event] = []
    for stored in playing.house.store.entries(playing.stream):
        for event in read_public(stored.public).events:
            events.append(event)
            if isinstance(event, e.RoundClosed):
                yield events
                events = []


def own(played: Played, seat: int) -> list[str]:
    """Return the cards dealt to a seat."""
    dealt = [event for event in played.events if isinstance(event, e.CardsDealt)]
    return [
        str(card) for event in dealt if event.to == f"seat {seat}" for card in event.sealed or event.face
    ]


def check_rounds(count: int, seed: str) -> int:
    """Play and check `count` rounds and return the number of players' cuts."""
    rng = Random(seed)
    cuts = done = 0
    while done < count:
        rulebook, mode = TABLES[done // ROUNDS_PER_TABLE % len(TABLES)]
        playing = salted(rulebook, mode, f"{seed} {done}")
        for played, events in zip(playing.rounds, public_rounds(playing), strict=True):
            opening = next(event for event in events if isinstance(event, e.RoundOpened))
            first_wager = next(n for n, event in enumerate(events) if isinstance(event, e.WagersPlaced))
            assert events.index(opening) < first_wager
            seat = rng.choice([n for n in range(1, 8) if own(played, n)])
            data = checked_proofs(playing, opening.number, f"seat {seat}", opening.seal)
            listed = [
                d["to"] for d in data["deals"] if d["round"] == opening.number for _ in range(d["count"])
            ]
            assert listed == places(events)
            salted_cuts = [cut["salts"] for cut in data["cuts"] if "salts" in cut]
            made = [event for event in events if isinstance(event, e.PlayersCutMade)]
            assert [{int(n): salt for n, salt in salts.items()} for salts in salted_cuts][
                len(salted_cuts) - len(made) :
            ] == [event.salts for event in made]
            cuts += len(made)
            assert {card["round"] for card in data["cards"]} == {opening.number}
            cards = [card["card"] for card in data["cards"] if card["to"] == f"seat {seat}"]
            assert cards == own(played, seat)
            done += 1
    return cuts


@pytest.mark.parametrize("part", range(sample("live proofs") // ROUNDS_PER_TEST))
def test_every_card_of_a_live_round_was_committed_at_its_position(part: int) -> None:
    # The players cut the cards in every round, except in the later rounds of a shoe.
    assert check_rounds(ROUNDS_PER_TEST, f"part {part}") > ROUNDS_PER_TEST * 4 // 5


# --- irregularities ---


def cards_by_place(played: Played) -> Counter[str]:
    """Return how many cards each place got in a round, including mistakes."""
    counts: Counter[str] = Counter(places(played.events))
    for event in played.events:
        if isinstance(event, e.ExtraDealt):
            counts[event.at] += len(event.sealed + event.face)
        elif isinstance(event, e.HandCured):
            counts["dealer"] += len(event.sealed)
        elif isinstance(event, e.CardReplaced):
            counts[event.at] += 1
        elif isinstance(event, e.FaceUpFound) and not event.used:
            counts["face up"] += len(event.face)
            if event.at:
                counts[event.at] -= 1
    return +counts


def test_cards_dealt_in_error_are_proved_for_their_final_place() -> None:
    kinds: Counter[type[e.Event]] = Counter()
    for seed in range(6):
        for rulebook, mode in TABLES:
            playing = recorded(rulebook, mode, 4, irregular=0.15, seed=seed)
            for played in playing.rounds:
                number = played.states[-1].round.number
                if not places(played.events):
                    continue
                kinds.update(type(event) for event in played.events)
                data = checked_proofs(playing, number, "surveillance", "")
                assert Counter(card["to"] for card in data["cards"]) == cards_by_place(played)
    assert kinds[e.FaceUpFound]
    assert kinds[e.CardReplaced]
    assert kinds[e.CardDrawn]
    assert kinds[e.ExtraDealt]


# --- proofs by role ---


def cards_seen_by(playing: Recorded, role: str, number: int = 1) -> set[int]:
    return {card["dealt"] for card in proofs(playing.house.store, "table:1", number, role)["cards"]}


def test_a_seat_gets_proofs_only_of_its_own_cards_and_the_face_up_cards() -> None:
    folded = 0
    for n in range(10):
        playing = Folding(
            house(seed=f"roles {n}"), "table:1", "uth-ma", "manual", seed=n, irregular=0, by_hand=0
        )
        played = playing.one()
        turned = {f"seat {event.seat}" for event in played.events if isinstance(event, e.HandTurned)}
        seats = [f"seat {seat}" for seat in range(1, 8) if own(played, seat)]
        data = proofs(playing.house.store, "table:1", 1, "surveillance")
        where = {card["dealt"]: card["to"] for card in data["cards"]}
        rail = cards_seen_by(playing, "rail")
        assert {where[k] for k in rail} <= {"board", "dealer"} | turned
        assert len(rail) < len(where)
        for seat in seats:
            more = [where[k] for k in cards_seen_by(playing, seat) - rail]
            assert more == ([] if seat in turned else [seat, seat])
            folded += seat not in turned
        nonces = json.dumps(proofs(playing.house.store, "table:1", 1, "rail"))
        assert not any(card["nonce"] in nonces for card in data["cards"] if card["dealt"] not in rail)
    assert folded


def test_a_hidden_card_is_not_revealed_by_an_equal_card_elsewhere() -> None:
    alike = 0
    for n in range(12):
        playing = salted("shootout-sd", "", f"alike {n}", 1)
        every_card = proofs(playing.house.store, "table:1", 1, "surveillance")["cards"]
        rail = proofs(playing.house.store, "table:1", 1, "rail")["cards"]
        assert "burn" not in {card["to"] for card in rail}
        burned = {card["card"] for card in every_card if card["to"] == "burn"}
        alike += bool(burned & {card["card"] for card in rail})
    assert alike


def test_surveillance_sees_hidden_cards_only_once_the_round_is_closed() -> None:
    playing = salted("uth-ma", "manual", "under way", 1)
    while not playing.state.round.looking or playing.state.round.number != 2:
        playing.step()
    with pytest.raises(StoreError, match="surveillance has seen no card of round 2"):
        cards_seen_by(playing, "surveillance", 2)
    seat = next(n for n, s in playing.state.seats.items() if s.hands[0].cards)
    data = proofs(playing.house.store, "table:1", 2, f"seat {seat}")
    assert [card["to"] for card in data["cards"]] == [f"seat {seat}"] * 2
    assert faults(data, playing.state.round.seal) == []


# --- planted faults: a cheating house, and records that cannot be proved ---


def test_a_house_that_gives_a_seat_proofs_of_other_cards_is_caught() -> None:
    playing = salted("uth-ma", "manual", "cheat", 1)
    every_proof = proofs(playing.house.store, "table:1", 1, "surveillance")
    seat = next(seat for seat in range(1, 8) if own(playing.rounds[0], seat))
    others = [dict(card, to=f"seat {seat}") for card in every_proof["cards"] if card["to"] == "dealer"]
    assert len(others) == 2
    errors = faults({**every_proof, "cards": others}, every_proof["root"])
    assert len(errors) == 2
    assert all("it was dealt to dealer in round 1" in sentence for sentence in errors)


def test_a_record_with_another_seed_or_card_cannot_be_proved() -> None:
    playing = salted("uth-ma", "manual", "changed", 1)
    name = shoe_id("table:1", 1, "A")
    store = copy_records(playing.house.store)
    store._records["table:1"].secrets[name] = bytes(32)
    with pytest.raises(StoreError, match=f"the seed of {name} does not match the published seal"):
        proofs(store, "table:1", 1, "rail")

    def swapped(entry: RecordEntry) -> RecordEntry:
        return replace(
            entry,
            events=tuple(
                replace(event, sealed=event.sealed[::-1], face=event.face[::-1])
                if isinstance(event, e.CardsDealt)
                else event
                for event in entry.events
            ),
        )

    store = copy_records(playing.house.store)
    entries = [read_entry(stored) for stored in store.entries("table:1")]
    at = next(n for n, entry in enumerate(entries) if swapped(entry) != entry)
    with pytest.raises(StoreError, match=r"in round 1, but the seal has ..; run `houseway audit verify`"):
        proofs(forged(store, at, swapped), "table:1", 1, "surveillance")


def test_missing_or_unsealed_rounds_are_reported() -> None:
    playing = salted("uth-ma", "manual", "told", 1)
    with pytest.raises(StoreError, match="no card was dealt in round 9; the record has 1 round"):
        proofs(playing.house.store, "table:1", 9, "rail")
    with pytest.raises(StoreError, match="there is no record of table:2"):
        proofs(MemoryStore(), "table:2", 1, "rail")
    stacked = recorded("uth-ma", "manual", 1, irregular=0, maker=Scripted())
    with pytest.raises(StoreError, match="round 1 was dealt from a shoe without a seal"):
        proofs(stacked.house.store, "table:1", 1, "rail")


@pytest.mark.parametrize("role", ["rail", "surveillance"])
def test_a_record_without_secrets_proves_nothing(role: str, tmp_path: Path) -> None:
    playing = salted("uth-ma", "manual", "export", 1)
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"".join(export_lines(playing.house.store, "table:1", role)))
    with pytest.raises(StoreError, match="use the house's own record"):
        proofs(Archive(file), "table:1", 1, "rail")
    file.write_bytes(b"".join(export_lines(playing.house.store, "table:1", secrets=True)))
    assert proofs(Archive(file), "table:1", 1, "rail") == proofs(playing.house.store, "table:1", 1, "rail")


# --- the command ---


def test_the_command_writes_verifiable_proofs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    playing = salted("uth-ma", "manual", "command", 2)
    record, out = tmp_path / "house.jsonl", tmp_path / "proofs.json"
    record.write_bytes(b"".join(export_lines(playing.house.store, "table:1", secrets=True)))
    seat = next(seat for seat in range(1, 8) if own(playing.rounds[1], seat))
    command = ["audit", "proofs", str(record), "--round", "2", "--as", f"seat:{seat}"]
    assert main([*command, "-o", str(out)]) == 0
    data = read(out.read_bytes())
    assert faults(data) == []
    assert f"seat {seat} in round 2: {' '.join(own(playing.rounds[1], seat))}" in card_lines(data)
    assert out.stat().st_mode & 0o077 == 0
    capsys.readouterr()
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == data
    assert main([*command, "-o", str(record)]) == 2
    assert "choose another file" in capsys.readouterr().err
