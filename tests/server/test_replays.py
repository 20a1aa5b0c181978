"""Replays show each role exactly what it saw live, and no other card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.entries import StoredEntry, read_entry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.round_proofs import proofs
from houseway.audit.store import Snapshot
from houseway.client.messages import View
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import hide
from houseway.engine.evolve import evolve
from houseway.engine.patches import apply_patch
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.table_view import TableView
from houseway.engine.views import view
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import all_clauses, rulebook_ids
from houseway.server.replays import Replays
from houseway.server.rulebook_library import RefusedError
from record.recorded import SIGNER, Recorded, copy_records, entries_of, house, modes, recorded, resign

TABLES = [(rulebook, mode) for rulebook in rulebook_ids() for mode in modes(rulebook)]
STREAM = "table:1"
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def walk(store: MemoryStore) -> Iterator[tuple[int, e.Event, State]]:
    """Yield each event of a record with the state after it."""
    state = State()
    for stored in store.entries(STREAM):
        for seq, event in enumerate(read_entry(stored).events, stored.seq):
            state = evolve(state, event)
            yield seq, event, state


def store_of(playing: Recorded) -> MemoryStore:
    assert isinstance(playing.house.store, MemoryStore)
    return playing.house.store


def views(replay: dict[str, Any]) -> Iterator[tuple[int, View]]:
    """Yield the full view after each event, built by patching the first view."""
    now = msgspec.json.decode(encoder.encode(replay["view"]))
    for update in replay["updates"]:
        now = apply_patch(now, msgspec.json.decode(encoder.encode(update.patch)))
        yield update.seq, msgspec.convert(now, View, str_keys=True)


def players(state: State) -> dict[int, str]:
    return {number: seat.player for number, seat in state.seats.items() if seat.player}


def face_up_cards(view: TableView) -> set[str]:
    """Return the cards that are face up."""
    faces = {*view.board, *view.dealer, *view.dealer_keeps}
    faces |= {face for seat in view.seats.values() for hand in seat.hands.values() for face in hand.faces}
    return faces | {face for _, exposed in view.exposed for face in exposed}


def without_history(view: TableView) -> TableView:
    """Return a view without the facts known only from the round's earlier events."""
    seats = {n: replace(seat, act="", bets={}, times=0) for n, seat in view.seats.items()}
    known = {"settled": {}, "net": {}, "payouts": {}, "void": False, "closed": False, "dealer_line": ""}
    return replace(view, seats=seats, **known)


def text_of(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# --- views ---


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_a_replayed_view_equals_the_engines_view_at_that_event(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 4, irregular=0.05)
    store = store_of(playing)
    replays = Replays(store)
    states = {seq: state for seq, _, state in walk(store)}
    seen_cards = 0
    for row in replays.rounds(STREAM)["rounds"]:
        for seat, player in players(states[row["to"]]).items():
            role = f"seat {seat}"
            if role not in replays.replay(STREAM, row["number"], "rail", player)["roles"]:
                continue  # A player who sat down after the deal has seen no cards.
            replay = replays.replay(STREAM, row["number"], role, player)
            assert [seq for seq, _ in views(replay)] == list(range(row["from"], row["to"] + 1))
            for seq, replayed in views(replay):
                expected = view(playing.table, states[seq], role)
                assert without_history(replayed.table) == expected.table
                assert replayed.yours.cards == expected.yours.cards
                sits = players(states[seq]).get(seat) == player
                assert replayed.yours.seat == (seat if sits else 0)
                seen_cards += len(expected.yours.cards)
        rail = replays.replay(STREAM, row["number"])
        for seq, replayed in views(rail):
            assert without_history(replayed.table) == view(playing.table, states[seq], "rail").table
            assert not replayed.yours.cards
    assert seen_cards


def cut(store: MemoryStore, at: int) -> MemoryStore:
    """Return a copy of the record cut after `at` entries."""
    shortened = copy_records(store)
    del entries_of(shortened)[at:]
    resign(shortened)
    return shortened


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_a_replay_of_an_unfinished_round_holds_no_unseen_card(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 2, irregular=0, by_hand=0)
    full = store_of(playing)
    rng = Random(rulebook + mode)
    entries = entries_of(full)
    opening = next(n for n, stored in enumerate(entries) if round_numbers(stored, e.RoundOpened) == [2])
    hidden_at_all = 0
    for at in sorted(rng.sample(range(opening + 2, len(entries)), 12)):
        store = cut(full, at)
        replays = Replays(store)
        steps = [(event, state) for _, event, state in walk(store) if state.round.number == 2]
        table, last = playing.table, steps[-1][1]
        roles = {f"seat {seat}": player for seat, player in players(last).items()}
        roles |= dict.fromkeys(("rail", "dealer", "floor", "surveillance"), "")
        for role, player in roles.items():
            visible = cards_seen_by(table, steps, role)
            text = text_of(replays.replay(STREAM, 2, role, player))
            assert set(CARD.findall(text)) <= visible, (role, at)
            hidden_at_all += bool(dealt_cards(last) - visible)
    assert hidden_at_all, "no card was hidden at any point"


def round_numbers(stored: StoredEntry, kind: type[e.RoundOpened]) -> list[int]:
    return [event.number for event in read_entry(stored).events if isinstance(event, kind)]


def cards_seen_by(table: Table, steps: list[tuple[e.Event, State]], role: str) -> set[str]:
    """Return the cards a role has seen in the engine's views or face up on their way to the rack."""
    visible: set[str] = set()
    for event, state in steps:
        now = view(table, state, role)
        visible |= face_up_cards(now.table)
        visible |= {card for hand in now.yours.cards for card in hand}
        if now.yours.notes is not None:
            visible |= {card for pile in now.yours.notes.rack for card in pile.faces}
        visible |= {str(card) for card in getattr(hide(event)[0], "face", ())}
    return visible


def dealt_cards(state: State) -> set[str]:
    cards = [*state.round.board, *state.round.dealer]
    cards += [card for seat in state.seats.values() for hand in seat.hands for card in hand.cards]
    return set(map(str, cards))


def test_a_seat_is_replayed_only_for_the_player_who_had_it() -> None:
    playing = recorded("uth-ma", "device", 3, irregular=0, by_hand=0)
    replays = Replays(store_of(playing))
    seated = players(playing.rounds[-1].states[-1])
    seat, player = next(iter(seated.items()))
    # A player may have two seats.
    roles = [*(f"seat {n}" for n, name in seated.items() if name == player), "rail"]
    assert replays.replay(STREAM, 3, f"seat {seat}", player)["roles"] == roles
    assert replays.replay(STREAM, 3, "rail", player)["roles"] == roles
    assert replays.replay(STREAM, 3)["roles"] == ["rail"]
    for stranger in ("", "somebody else"):
        for ask in (replays.replay, replays.proofs):
            with pytest.raises(RefusedError) as caught:
                ask(STREAM, 3, f"seat {seat}", stranger)
            assert caught.value.status == 403
        with pytest.raises(RefusedError) as caught:
            replays.export(STREAM, f"seat {seat}", stranger)
        assert caught.value.status == 403


def test_a_later_player_does_not_see_the_earlier_players_cards() -> None:
    playing = recorded("uth-ma", "device", 2, irregular=0, by_hand=0)
    seat, player = next(iter(players(playing.state).items()))
    playing.must(c.Leave(by=f"seat {seat}", seat=seat))
    playing.must(c.Sit(seat=seat, player="the next", chips=100_00))
    replays = Replays(store_of(playing))
    with pytest.raises(RefusedError):
        replays.replay(STREAM, 2, f"seat {seat}", "the next")
    assert replays.replay(STREAM, 2, f"seat {seat}", player)["seen_as"] == f"seat {seat}"
    assert b"".join(replays.export(STREAM, f"seat {seat}", "the next"))
    with pytest.raises(RefusedError):
        replays.export(STREAM, f"seat {seat}", player)


@pytest.mark.parametrize(
    ("stream", "number", "role", "status"),
    [
        (STREAM, 9, "rail", 404),
        (STREAM, 0, "rail", 404),
        (STREAM, -1, "rail", 404),
        ("table:2", 1, "rail", 404),
        (STREAM, 1, "seat 99", 403),
        (STREAM, 1, "house", 400),
        (STREAM, 1, "", 400),
    ],
)
def test_a_missing_replay_is_rejected_with_its_status(
    stream: str, number: int, role: str, status: int
) -> None:
    replays = Replays(store_of(recorded("uth-card", rounds=2, irregular=0)))
    with pytest.raises(RefusedError) as caught:
        replays.replay(stream, number, role, "player 1")
    assert caught.value.status == status


# --- phases and story ---

ULTIMATE = ["Bets", "Deal", "Before the flop", "Flop", "Turn and river", "The dealer's hand", "Settlement"]
SHOOTOUT = ["Bets", "Deal", "Setting hands", "The dealer's hand", "Flop", "Settlement"]


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_phases_follow_the_order_of_play(rulebook: str, mode: str) -> None:
    replays = Replays(store_of(recorded(rulebook, mode, 3, irregular=0, by_hand=0)))
    expected = SHOOTOUT if rulebook.startswith("shootout") else ULTIMATE
    lengths = []
    for number in (1, 2, 3):
        replay = replays.replay(STREAM, number)
        phases = replay["phases"]
        names = [phase["name"] for phase in phases]
        assert names == expected[: len(names)], "if every player folds, the last phases are missing"
        lengths.append(len(names))
        joined = [n for phase in phases for n in range(phase["from"], phase["to"] + 1)]
        assert joined == list(range(len(replay["updates"])))
    assert max(lengths) == len(expected)


@pytest.mark.parametrize(("rulebook", "mode"), TABLES)
def test_the_story_has_a_sentence_for_every_moment_and_clauses_that_exist(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 4, irregular=0.05)
    replays = Replays(store_of(playing))
    known = all_clauses()
    for row in replays.rounds(STREAM)["rounds"]:
        replay = replays.replay(STREAM, row["number"])
        passages = [passage for passage in replay["story"] if "says" in passage]
        covered = [n for passage in passages for n in range(passage["from"], passage["to"] + 1)]
        assert covered == list(range(len(replay["updates"])))
        assert all(passage["says"].endswith(".") for passage in passages)
        cited = {clause for passage in passages for clause in passage["clauses"]}
        assert all(clause in known or clause.startswith("house.") for clause in cited)
        events = [update.event for update in replay["updates"]]
        settled = [event for event in events if event["type"] == "WagerSettled"]
        assert {event["clause"] for event in settled if "clause" in event} <= cited
        assert passages[-1]["says"].endswith("the books balance.")
        headings = [passage["heading"] for passage in replay["story"] if "heading" in passage]
        assert headings[0] == "Bets"


def test_the_story_shows_a_player_their_cards_and_the_rail_none() -> None:
    playing = recorded("uth-ma", "device", 1, irregular=0, by_hand=0)
    store = store_of(playing)
    seat, player = next(iter(players(playing.state).items()))
    state = next(state for _, event, state in walk(store) if isinstance(event, e.PlayersLooked))
    own = " ".join(map(str, state.seats[seat].hands[0].cards))
    passages = Replays(store).replay(STREAM, 1, f"seat {seat}", player)["story"]
    looked = next(p for p in passages if p.get("says", "").startswith("Players looked"))
    assert looked["says"] == f"Players looked at their cards; seat {seat} held {own}."
    rail = Replays(store).replay(STREAM, 1)["story"]
    assert next(p for p in rail if p.get("says", "").startswith("Players looked"))["says"].endswith(
        "cards."
    )


# --- lists ---


def closed_rounds(store: MemoryStore) -> list[tuple[int, dict[int, int]]]:
    return [(event.number, event.net) for _, event, _ in walk(store) if isinstance(event, e.RoundClosed)]


@pytest.mark.parametrize("remembered", [2000, 3])
def test_rounds_are_listed_newest_first_page_by_page(
    remembered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.server.replays.ROUNDS", remembered)
    monkeypatch.setattr("houseway.server.replays.INDEXES", 1)
    store = store_of(recorded("uth-sd", rounds=11, irregular=0.05))
    replays = Replays(store)
    pages: list[dict[str, Any]] = []
    before = None
    while page := replays.rounds(STREAM, before, 4)["rounds"]:
        pages += page
        before = page[-1]["number"]
    assert [(row["number"], row["net"]) for row in reversed(pages)] == closed_rounds(store)
    for row in pages:
        assert row["events"] == row["to"] - row["from"] + 1
        inside = [event for seq, event, _ in walk(store) if row["from"] <= seq <= row["to"]]
        assert isinstance(inside[0], e.RoundOpened)
        assert isinstance(inside[-1], e.RoundClosed)
        assert row["lines"] == sum(isinstance(event, e.WagerSettled) for event in inside)
        # The seat belongs to the last player who sat down before the round closed.
        sat = {
            event.seat: event.player
            for seq, event, _ in walk(store)
            if isinstance(event, e.PlayerSeated) and seq <= row["to"]
        }
        assert row["players"] == {seat: sat[seat] for seat in row["net"]}


def test_a_list_grows_with_its_record_and_omits_the_unfinished_round() -> None:
    playing = recorded("uth-card", rounds=2, irregular=0)
    replays = Replays(store_of(playing))
    assert [row["number"] for row in replays.rounds(STREAM)["rounds"]] == [2, 1]
    for number, _ in enumerate(playing.play(3), 3):
        assert [row["number"] for row in replays.rounds(STREAM)["rounds"]] == list(range(number, 0, -1))


# --- long records ---


class Counting(MemoryStore):
    """A store that counts the entries read."""

    read = 0

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        for entry in super().entries(stream, after):
            self.read += 1
            yield entry


@pytest.fixture(scope="module")
def long() -> Counting:
    """Return a record with a snapshot every hundred events."""
    store = Counting()
    recorded("uth-ma", "device", 40, at=house(store, every=100), irregular=0.02)
    return store


def test_a_late_round_is_found_without_reading_the_whole_record(long: Counting) -> None:
    entries, last = len(entries_of(long)), closed_rounds(long)[-1][0]
    replays = Replays(long)
    long.read = 0
    replays.replay(STREAM, last)
    assert long.read < entries / 5
    long.read = 0
    replays.rounds(STREAM, limit=3)
    assert long.read < entries / 5
    long.read = 0
    replays.rounds(STREAM, limit=3)
    assert long.read == 0, "cached entries are not read again"


@pytest.mark.parametrize("damage", ["none kept", "of another version", "forged", "of another key"])
def test_the_answer_is_the_same_without_trusted_snapshots(long: Counting, damage: str) -> None:
    other = copy_records(long)
    snapshots = other._records[STREAM].snapshots
    for at, snapshot in list(snapshots.items()):
        body = snapshot.body.replace(b'"engine":"', b'"engine":"0.0', 1)
        if damage == "none kept":
            del snapshots[at]
        elif damage == "of another version":
            snapshots[at] = SIGNER.snapshot(STREAM, snapshot.signed.head, body)
        elif damage == "forged":
            snapshots[at] = Snapshot(snapshot.signed, snapshot.body.replace(b'"rounds":', b'"rounds":1', 1))
        else:
            snapshots[at] = replace(snapshot, signed=replace(snapshot.signed, key=bytes(32)))
    one, two = Replays(long), Replays(other)
    assert one.rounds(STREAM, 30) == two.rounds(STREAM, 30)
    for number in (1, 17, 40):
        assert text_of(one.replay(STREAM, number)) == text_of(two.replay(STREAM, number))


def test_proofs_for_a_viewer_equal_the_proofs_from_the_record(long: Counting) -> None:
    assert Replays(long).proofs(STREAM, 40) == proofs(long, STREAM, 40, "rail")
    with pytest.raises(RefusedError) as caught:
        Replays(long).proofs(STREAM, 400)
    assert caught.value.status == 404


def test_only_a_closed_round_can_be_disputed() -> None:
    playing = recorded("uth-ma", "device", 2, irregular=0, by_hand=0)
    replays = Replays(store_of(playing))
    assert replays.dispute(STREAM, 2).difference == 0
    with pytest.raises(RefusedError) as caught:
        replays.dispute(STREAM, 3)
    assert caught.value.status == 404
