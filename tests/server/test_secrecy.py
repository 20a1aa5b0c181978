"""No client ever receives a card it may not see.

Each round is played twice with the same acts at the same times, but with the cards the viewer has not
seen shuffled among themselves. Every byte the viewer receives must be the same: frames, their order,
HTTP replies, rejections, the exported record. A planted leak must be detected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from houseway.audit.entries import read_entry
from houseway.client.messages import Choice, Do, Rejected
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import seat_of
from houseway.engine.turn_order import turn
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import rulebook_ids
from houseway.server.replays import Replays
from samples import MARGIN, sample
from server.hosted_rounds import RecordingViewer, Room, plant_a_leak, shuffled
from test_views import cards_known_to

ROUNDS = 70
"""Rounds in one test: every viewer at every rulebook, each played twice."""
PARTS = sample("secrecy") // ROUNDS
VIEWERS = (
    "seat 1", "seat 2", "rail", "dealer", "floor", "surveillance", "late", "back", "api", "stale",
    "export", "export to the rail", "replay", "replay at the rail",
)  # fmt: skip
DIGEST = re.compile(rb"[0-9a-f]{32,}|[A-Za-z0-9+/_-]{43,}={0,2}")
HEAD = re.compile(rb'"head":\{[^}]*\}')
ROLE = {
    "late": "rail",
    "back": "seat 1",
    "api": "seat 2",
    "stale": "seat 1",
    "export": "seat 1",
    "export to the rail": "rail",
    "replay": "seat 2",
    "replay at the rail": "rail",
}
FOLD = b'{"type":"Fold","seat":1}'
AFTERWARDS = tuple(viewer for viewer in VIEWERS if viewer.startswith(("export", "replay")))


class Stream:
    """All the bytes one viewer receives."""

    def __init__(self, room: Room, viewer: str, joins: int) -> None:
        self._room = room
        self._viewer = viewer
        self._joins = joins
        self._role = ROLE.get(viewer, viewer)
        self._client: RecordingViewer | None = None
        self._others = [room.watch(f"seat {seat}") for seat in (1, 2, 3)]
        self.received: list[bytes] = []
        self._step = 0

    def step(self) -> None:
        """After each act, collect the bytes that this kind of viewer receives."""
        self._step += 1
        match self._viewer:
            case "api":
                self.received.append(encoder.encode(self._room.hosted.view(self._role)))
            case "stale":
                # A stale rejection includes the current view.
                stale = Do(key=f"s{self._step}", command=msgspec.Raw(FOLD), expect=10**6)
                answer = self._room.hosted.do(self._room.persons[1], stale)
                assert isinstance(answer, Rejected)
                assert answer.view is not None
                self.received.append(encoder.encode(answer))
            case viewer if viewer in AFTERWARDS:
                return
            case "back":
                # This viewer disconnects after every third act and returns after the next.
                if self._client is None:
                    self._connect(since=self._step * 3 if self._joins % 2 else 0)
                elif self._step % 3 == 0:
                    self._disconnect()
            case "late":
                if self._client is None and self._step >= self._joins:
                    self._connect()
            case _:
                if self._client is None:
                    self._connect()
        self._provoke_rejections()

    def _connect(self, since: int | None = None) -> None:
        self._client = self._room.watch(self._role, since)

    def _disconnect(self) -> None:
        assert self._client is not None
        self._room.hosted.leave(self._client)
        # The chain in a signed head covers digests of sealed parts, which are also in an export.
        self.received += [HEAD.sub(b"#", frame) for frame in self._client.frames]
        self._client = None

    def _provoke_rejections(self) -> None:
        """Send commands that are not seat 1's to send, and keep the rejections."""
        room, live = self._room, self._room.hosted.live
        acting = turn(live.table, live.state)
        for command in (c.Fold(seat=3), c.Play(seat=2, times=9), c.Perform(step=live.state.done or "x")):
            answer = room.do(1, command)
            if isinstance(answer, Rejected) and (acting is None or acting[0] != 1):
                self.received.append(encoder.encode(answer.refused))

    def end(self) -> list[bytes]:
        """Return everything received."""
        if self._client is not None:
            self._disconnect()
        if self._viewer in AFTERWARDS:
            replays, seat = Replays(self._room.store), seat_of(self._role)
            player = self._room.persons[seat].handle if seat else ""
            if self._viewer.startswith("export"):
                lines = list(replays.export("room", self._role, player))
            else:
                lines = [encoder.encode(replays.replay("room", 1, self._role, player))]
            # Digests of sealed parts must depend on the cards. Another test shows that they do not reveal them.
            self.received += [DIGEST.sub(b"#", line) for line in lines]
        return self.received


def choose(choices: Sequence[Choice], rng: Random, *, folds: bool) -> Choice:
    """Return a choice that does not depend on the cards."""
    offered = [one for one in choices if one.command["type"] in ("Check", "Play", "Fold", "Keep")]
    allowed = [one for one in offered if folds or one.command["type"] != "Fold"]
    if offered[0].command["type"] == "Keep":
        return offered[0]
    return rng.choice(allowed)


def visible_cards(room: Room, role: str) -> set[str]:
    """Return the cards the rules have shown to a role so far, read from the record, not from messages."""
    events = [event for stored in room.store.entries("room") for event in read_entry(stored).events]
    visible = cards_known_to(events, seat_of(role) or 0)
    if role == "surveillance" and any(isinstance(event, e.RoundClosed) for event in events):
        visible |= {card for event in events for card in getattr(event, "sealed", ())}
    return set(map(str, visible))


def play(
    rulebook: str, order: Sequence[str], viewer: str, seed: str, acts: int
) -> tuple[list[bytes], int, set[str]]:
    """Play a round up to `acts` acts.

    Return the bytes the viewer received, the number of acts, and the cards the viewer may have seen.
    """
    rng = Random(seed)
    side = rng.random() < 0.3
    room = Room(rulebook, [order])
    stream = Stream(room, viewer, rng.randint(1, 12))
    done = 0
    for seat in (1, 2, 3):
        room.bet(seat, side=side)
        stream.step()
    room.ready()
    stream.step()
    while done < acts:
        state = room.hosted.live.state
        acting = turn(room.hosted.table, state)
        if acting is None:
            break
        # With side bets no player folds: their settlement legitimately reveals facts about a hidden hand.
        chosen = choose(room.hosted.view(f"seat {acting[0]}").yours.choices, rng, folds=not side)
        answer = room.do(acting[0], chosen.command)
        assert not isinstance(answer, Rejected), answer
        done += 1
        stream.step()
    return stream.end(), done, visible_cards(room, ROLE.get(viewer, viewer))


def shuffle_unseen(order: Sequence[str], visible: set[str], rng: Random) -> list[str]:
    """Return the same deck with the unseen cards shuffled among themselves."""
    places = [n for n, card in enumerate(order) if card not in visible]
    others = rng.sample([order[n] for n in places], len(places))
    deck = list(order)
    for place, card in zip(places, others, strict=True):
        deck[place] = card
    return deck


def differs(rulebook: str, viewer: str, seed: str) -> bool:
    """True if a viewer can distinguish two rounds that differ only in hidden cards."""
    rng = Random(seed)
    order = shuffled(rng, rulebook)
    all_acts = play(rulebook, order, viewer, seed, 99)[1]
    # The last act leads to the showdown, which shows nearly every card, so most runs stop before it. Runs for viewers
    # who see only the final table stop there too, because the cards that decided the round are gone by then.
    early = rng.random() < 0.8 or viewer in ("api", "stale")
    acts = rng.randint(0, all_acts - 1) if all_acts and early else 99
    first, _, visible = play(rulebook, order, viewer, seed, acts)
    second, _, _ = play(rulebook, shuffle_unseen(order, visible, rng), viewer, seed, acts)
    return first != second


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hidden_cards_change_no_byte_a_viewer_receives(part: int) -> None:
    rng = Random(f"secrecy {part}")
    books = rulebook_ids()
    for n in range(ROUNDS):
        rulebook, viewer = books[n % len(books)], VIEWERS[(n // len(books)) % len(VIEWERS)]
        seed = f"{part}/{n}/{rng.random()}"
        assert not differs(rulebook, viewer, seed), (rulebook, viewer, seed)


def test_a_planted_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_a_leak(monkeypatch)
    differences = [differs_by_dealer("uth-ma", "rail", f"leak {n}") for n in range(3)]
    assert any(differences)


def test_a_planted_leak_reaches_many_kinds_of_viewers(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_a_leak(monkeypatch)
    rounds = [(rulebook, viewer) for rulebook in ("uth-ma", "uth-sd") for viewer in VIEWERS]
    noticed = [viewer for rulebook, viewer in rounds if differs(rulebook, viewer, f"leak {viewer}")]
    assert len(noticed) >= MARGIN


def differs_by_dealer(rulebook: str, viewer: str, seed: str) -> bool:
    """True if a viewer can distinguish two decks before any card but their own is shown."""
    rng = Random(seed)
    order = shuffled(rng, rulebook)
    first, _, _ = play(rulebook, order, viewer, seed, 0)
    second, _, _ = play(rulebook, rng.sample(order, len(order)), viewer, seed, 0)
    return first != second


def test_without_the_leak_two_decks_look_the_same_before_a_card_is_shown() -> None:
    for n in range(3):
        assert not differs_by_dealer("uth-ma", "rail", f"leak {n}")
