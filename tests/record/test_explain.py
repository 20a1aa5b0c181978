"""Rounds in prose: they agree with the record and reveal nothing that is hidden from the reader."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from discovered import parameters_for
from houseway.audit import explain as explaining
from houseway.audit.archive import Archive
from houseway.audit.explain import Story, explain, story_lines
from houseway.audit.export import export_lines
from houseway.audit.store import StoreError
from houseway.cards import Card
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.money import spoken
from houseway.narrate.narrator import Scene, narrate
from houseway.rules.loader import rulebook_ids
from houseway.second_settler import DOCUMENTS
from random_play import Played, modes_of
from record.recorded import recorded

GOLDEN = Path(__file__).parent / "golden"
EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]
GOLDEN_TEXTS = {
    "shootout-sd-split": ("shootout-sd-manual", 2, "surveillance"),
    "shootout-sd-void": ("shootout-sd-manual", 3, "rail"),
    "uth-card-void-hand": ("uth-card-manual", 2, "surveillance"),
    "uth-ma-exposed": ("uth-ma-device", 3, "surveillance"),
    "uth-ma-void": ("uth-ma-manual", 3, "seat 1"),
    "uth-proc-failure": ("uth-proc-device", 3, "floor"),
    "uth-proc-wins": ("uth-proc-device", 4, "rail"),
    "uth-sd-wins": ("uth-sd-manual", 2, "surveillance"),
}
"""The golden texts: for each, the golden record, the round and the role of the reader."""
MISSING = "has no golden text yet: tests/record/golden/build.py makes records"
SILENT = {
    e.StepTaken,
    e.DeckLoaded,
    e.RackCleared,
    e.SensorsLocked,
    e.StubRemoved,
    e.CardsRacked,
    e.FoldTaken,
    e.CardsCounted,
    e.CardsLeft,
    e.SystemReset,
}
"""Routine events that the prose omits."""


def says(story: Story) -> str:
    return "\n".join(story_lines(story))


@pytest.mark.parametrize("name", GOLDEN_TEXTS)
def test_a_round_matches_its_golden_text(name: str) -> None:
    record, number, role = GOLDEN_TEXTS[name]
    story = explain(Archive(GOLDEN / f"{record}.jsonl"), f"golden:{record}", number, role, clauses=True)
    assert says(story) + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "book", parameters_for({r.rpartition("-")[0] for r, _, _ in GOLDEN_TEXTS.values()}, MISSING)
)
def test_every_rulebook_has_a_golden_text(book: str) -> None:
    names = [name for name, (record, _, _) in GOLDEN_TEXTS.items() if record.rpartition("-")[0] == book]
    assert all((GOLDEN / f"{name}.txt").read_text(encoding="utf-8") for name in names)
    assert {record.rpartition("-")[0] for record, _, _ in GOLDEN_TEXTS.values()} >= set(DOCUMENTS)


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_every_wager_and_every_net_result_is_in_the_text(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 8, seed="told", irregular=0.05)
    for played in playing.rounds:
        number = played.end.round.number
        story = explain(playing.house.store, playing.stream, number, "rail")
        text = says(story)
        settled = [event for event in played.events if isinstance(event, e.WagerSettled)]
        sentences = [
            sentence
            for sentence in story.said
            if sentence.clause
            and sentence.part != "Result"
            and re.search(r" (won|pushed|lost)\b", sentence.says)
        ]
        assert len(sentences) == len(settled)
        for event, sentence in zip(settled, sentences, strict=True):
            assert sentence.clause == event.clause
            assert (spoken(event.won) in sentence.says) or event.result != "win"
        closed = played.events[-1]
        assert isinstance(closed, e.RoundClosed)
        for seat, net in closed.net.items():
            if net:
                assert re.search(rf"Seat {seat}.* (won|lost) {re.escape(spoken(abs(net)))}\.", text), text
        assert "the books balance." in text


def test_every_event_has_a_sentence_unless_it_is_routine() -> None:
    narrated: set[type[e.Event]] = set()
    recorded_kinds: set[type[e.Event]] = set()
    for rulebook, mode in EVERYWHERE:
        playing = recorded(rulebook, mode, 40, seed="sentences", irregular=0.15)
        for event in playing.record:
            recorded_kinds.add(type(event))
            if narrate(event, Scene(playing.table.terms.order, (), lambda of, field: getattr(of, field))):
                narrated.add(type(event))
    assert recorded_kinds - narrated <= SILENT
    assert narrated & SILENT == set()
    assert len(narrated) > 45


def hidden_cards(played: Played) -> set[Card]:
    """Return the cards of a round that were never face up."""
    face_up: set[Card] = set()
    hidden: set[Card] = set()
    for event in played.events:
        for name in event.__struct_fields__:
            value = getattr(event, name)
            if isinstance(value, tuple):
                cards = {card for card in value if isinstance(card, Card)}
                (hidden if name in hidden_fields(event) else face_up).update(cards)
    return hidden - face_up


@pytest.mark.parametrize(("rulebook", "mode"), [place for place in EVERYWHERE if place[0] != "shootout-sd"])
def test_face_down_cards_are_hidden_from_the_rail(rulebook: str, mode: str) -> None:
    secret = 0
    for seed in ("rail", "rail again", "rail once more", "rail a fourth time", "rail at last"):
        playing = recorded(rulebook, mode, 15, seed=seed, irregular=0.03)
        for played in playing.rounds:
            number = played.end.round.number
            hidden = hidden_cards(played)
            secret += len(hidden)
            for role in ("rail", "floor"):
                text = says(explain(playing.house.store, playing.stream, number, role))
                assert not [card for card in hidden if re.search(rf"\b{card}\b", text)]
            full = says(explain(playing.house.store, playing.stream, number, "surveillance"))
            assert any(re.search(rf"\b{card}\b", full) for card in hidden) or not hidden
        if secret > 4:
            break
    assert secret > 4


def test_a_narrator_that_reveals_hidden_cards_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "hidden_fields", lambda event: ())
    with pytest.raises(AssertionError):
        test_face_down_cards_are_hidden_from_the_rail("uth-ma", "manual")


def test_a_player_sees_their_own_cards() -> None:
    playing = recorded("uth-sd", "manual", 1, seed="own", irregular=0, by_hand=0)
    dealt = {
        event.to: event.sealed
        for event in playing.rounds[0].events
        if isinstance(event, e.CardsDealt) and event.sealed
    }
    place, cards = next((place, cards) for place, cards in dealt.items() if place.startswith("seat "))
    own = says(explain(playing.house.store, playing.stream, 1, place))
    assert f"to {place} (" in own
    assert all(str(card) in own for card in cards)
    assert f"to {place} (" not in says(explain(playing.house.store, playing.stream, 1, "rail"))


def test_surveillance_sees_hidden_cards_after_the_round_closes() -> None:
    playing = recorded("uth-sd", "manual", 1, seed="open", irregular=0, by_hand=0)
    while not playing.state.round.looking:
        playing.step()
    story = explain(playing.house.store, playing.stream, 2, "surveillance")
    assert re.search(r"Dealt: two cards each to seats? [\d, and]+ and the dealer\. \(", says(story))
    assert explain(playing.house.store, playing.stream, None, "surveillance").number == 1


def test_an_export_gives_the_same_text(tmp_path: Path) -> None:
    playing = recorded("uth-ma", "manual", 2, seed="export", irregular=0.05)
    file = tmp_path / "rail.jsonl"
    file.write_bytes(b"".join(export_lines(playing.house.store, playing.stream, "rail")))
    for number in (1, 2):
        expected = explain(playing.house.store, playing.stream, number, "rail")
        assert explain(Archive(file), playing.stream, number, "rail") == expected


def test_a_missing_round_is_rejected() -> None:
    playing = recorded("uth-card", "device", 2, seed="there", irregular=0)
    with pytest.raises(StoreError, match="there is no round 9: the record has rounds 1 to 2"):
        explain(playing.house.store, playing.stream, 9, "rail")


def test_an_unfinished_round_is_named_and_keeps_the_names_of_players_who_left() -> None:
    playing = recorded("uth-card", "device", 2, seed="there", irregular=0)
    while playing.state.round.number < 3 or playing.state.round.betting != "open":
        playing.step()
    names = {n: seat.player for n, seat in playing.state.seats.items() if seat.player}
    assert names
    for seat in names:
        playing.send(c.Leave(seat=seat))
    with pytest.raises(StoreError, match="has rounds 1 to 2 and round 3, which is not finished"):
        explain(playing.house.store, playing.stream, 9, "rail")
    story = explain(playing.house.store, playing.stream, 3, "rail")
    assert [f"Seat {n}, {name}," for n, name in names.items() if f"Seat {n}, {name}," in says(story)]


def test_the_command_prints_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(GOLDEN / "uth-ma-device.jsonl")
    assert main(["audit", "explain", file, "--round", "2"]) == 0
    assert capsys.readouterr().out.startswith("Round 2 at golden:uth-ma-device")
    assert main(["audit", "explain", file, "--round", "2", "--json", "--clauses"]) == 0
    story = json.loads(capsys.readouterr().out)
    assert (
        {sentence["clause"] for sentence in story["said"] if sentence["clause"]}
        >= set(story["clauses"])
        != set()
    )
    assert main(["audit", "explain", file, "--as", "dealer"]) == 2
    assert "'dealer' is not a role" in capsys.readouterr().err
    assert main(["audit", "explain", file, "--round", "99"]) == 2
    assert "there is no round 99: the record has rounds 1 to" in capsys.readouterr().err
    assert main(["audit", "explain", file, "--round", "2", "--as", "seat:50"]) == 2
    assert "seat 50 was empty in round 2; the players sat at seat" in capsys.readouterr().err
