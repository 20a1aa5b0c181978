"""No client ever receives a card it may not see.

A round is played twice: the same acts at the same times, all cards that a viewer has not been shown
exchanged among themselves. Everything that viewer is sent must be the same to the byte: frames, their
order, what an HTTP request gives, refusals, the exported record. Then a leak is planted, and noticed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from houseway.audit.entries import read_entry
from houseway.client.messages import Choice, Do, NotTaken
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import seat_of
from houseway.engine.turn_order import turn
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import rulebook_ids
from houseway.server.replays import Replays
from samples import MARGIN, sample
from server.hosted_rounds import Looker, Room, plant_a_leak, shuffled
from test_views import seen_by

ROUNDS = 70
"""Rounds looked at in one test: every viewer at every rulebook; each is played twice."""
PARTS = sample("secrecy") // ROUNDS
VIEWERS = (
    "seat 1", "seat 2", "rail", "dealer", "floor", "surveillance", "late", "back", "api", "stale",
    "export", "export to the rail", "replay", "replay at the rail",
)  # fmt: skip
DIGEST = re.compile(rb"[0-9a-f]{32,}|[A-Za-z0-9+/_-]{43,}={0,2}")
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
    """All the bytes one viewer gets."""

    def __init__(self, room: Room, viewer: str, joins: int) -> None:
        self._room = room
        self._viewer = viewer
        self._joins = joins
        self._role = ROLE.get(viewer, viewer)
        self._looker: Looker | None = None
        self._others = [room.look(f"seat {seat}") for seat in (1, 2, 3)]
        self.got: list[bytes] = []
        self._step = 0

    def step(self) -> None:
        """After each act: look, as this viewer looks."""
        self._step += 1
        match self._viewer:
            case "api":
                self.got.append(encoder.encode(self._room.hosted.view(self._role)))
            case "stale":
                # Who is too late is told how the table lies.
                asked = Do(key=f"s{self._step}", command=msgspec.Raw(FOLD), expect=10**6)
                answer = self._room.hosted.do(self._room.persons[1], asked)
                assert isinstance(answer, NotTaken)
                assert answer.view is not None
                self.got.append(encoder.encode(answer))
            case viewer if viewer in AFTERWARDS:
                return
            case "back":
                # Away after every third act, and back with the next one.
                if self._looker is None:
                    self._come(since=self._step * 3 if self._joins % 2 else 0)
                elif self._step % 3 == 0:
                    self._go()
            case "late":
                if self._looker is None and self._step >= self._joins:
                    self._come()
            case _:
                if self._looker is None:
                    self._come()
        self._errors()

    def _come(self, since: int | None = None) -> None:
        self._looker = self._room.look(self._role, since)

    def _go(self) -> None:
        assert self._looker is not None
        self._room.hosted.leave(self._looker)
        self.got += self._looker.frames
        self._looker = None

    def _errors(self) -> None:
        """What somebody hears who asks for what is not theirs."""
        room, live = self._room, self._room.hosted.live
        asked = turn(live.table, live.state)
        for command in (c.Fold(seat=3), c.Play(seat=2, times=9), c.Perform(step=live.state.done or "x")):
            answer = room.do(1, command)
            if isinstance(answer, NotTaken) and (asked is None or asked[0] != 1):
                self.got.append(encoder.encode(answer.refused))

    def end(self) -> list[bytes]:
        """All there was."""
        if self._looker is not None:
            self._go()
        if self._viewer in AFTERWARDS:
            replays, seat = Replays(self._room.store), seat_of(self._role)
            player = self._room.persons[seat].handle if seat else ""
            if self._viewer.startswith("export"):
                lines = list(replays.export("room", self._role, player))
            else:
                lines = [encoder.encode(replays.replay("room", 1, self._role, player))]
            # Digests of sealed parts depend on them, as they must; that they do not tell them is tested apart.
            self.got += [DIGEST.sub(b"#", line) for line in lines]
        return self.got


def decided(choices: Sequence[Choice], rng: Random, *, folds: bool) -> Choice:
    """A choice that does not look at cards."""
    offered = [one for one in choices if one.command["type"] in ("Check", "Play", "Fold", "Keep")]
    kept = [one for one in offered if folds or one.command["type"] != "Fold"]
    if offered[0].command["type"] == "Keep":
        return offered[0]
    return rng.choice(kept)


def may_see(room: Room, role: str) -> set[str]:
    """The cards the rules have shown to a role so far, read from the record and not from what was sent."""
    events = [event for stored in room.store.entries("room") for event in read_entry(stored).events]
    shown = seen_by(events, seat_of(role) or 0)
    if role == "surveillance" and any(isinstance(event, e.RoundClosed) for event in events):
        shown |= {card for event in events for card in getattr(event, "sealed", ())}
    return set(map(str, shown))


def play(
    rulebook: str, order: Sequence[str], viewer: str, seed: str, acts: int
) -> tuple[list[bytes], int, set[str]]:
    """A round, as far as some number of acts: what the viewer got, how many acts there were, and the cards
    the viewer may have seen."""
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
        asked = turn(room.hosted.table, state)
        if asked is None:
            break
        # With side bets nobody folds: what they come to tells of a hidden hand, as the rules want it.
        chosen = decided(room.hosted.view(f"seat {asked[0]}").yours.choices, rng, folds=not side)
        answer = room.do(asked[0], chosen.command)
        assert not isinstance(answer, NotTaken), answer
        done += 1
        stream.step()
    return stream.end(), done, may_see(room, ROLE.get(viewer, viewer))


def exchanged(order: Sequence[str], seen: set[str], rng: Random) -> list[str]:
    """The same cards, those not seen exchanged among themselves."""
    places = [n for n, card in enumerate(order) if card not in seen]
    others = rng.sample([order[n] for n in places], len(places))
    found = list(order)
    for place, card in zip(places, others, strict=True):
        found[place] = card
    return found


def differs(rulebook: str, viewer: str, seed: str) -> bool:
    """Whether a viewer can tell two rounds apart that differ in hidden cards only."""
    rng = Random(seed)
    order = shuffled(rng, rulebook)
    whole = play(rulebook, order, viewer, seed, 99)[1]
    # The last act leads to the showdown, which shows nearly all; most stop before it, and so does who sees
    # the table only as it lies afterwards: what was turned up to decide it is gone by then.
    early = rng.random() < 0.8 or viewer in ("api", "stale")
    acts = rng.randint(0, whole - 1) if whole and early else 99
    first, _, seen = play(rulebook, order, viewer, seed, acts)
    second, _, _ = play(rulebook, exchanged(order, seen, rng), viewer, seed, acts)
    return first != second


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_hidden_cards_change_nothing_a_viewer_gets(part: int) -> None:
    rng = Random(f"secrecy {part}")
    books = rulebook_ids()
    for n in range(ROUNDS):
        rulebook, viewer = books[n % len(books)], VIEWERS[(n // len(books)) % len(VIEWERS)]
        seed = f"{part}/{n}/{rng.random()}"
        assert not differs(rulebook, viewer, seed), (rulebook, viewer, seed)


def test_a_planted_leak_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_a_leak(monkeypatch)
    found = [differs_by_dealer("uth-ma", "rail", f"leak {n}") for n in range(3)]
    assert any(found)


def test_a_planted_leak_changes_what_viewers_get(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_a_leak(monkeypatch)
    rounds = [(rulebook, viewer) for rulebook in ("uth-ma", "uth-sd") for viewer in VIEWERS]
    noticed = [viewer for rulebook, viewer in rounds if differs(rulebook, viewer, f"leak {viewer}")]
    assert len(noticed) >= MARGIN


def differs_by_dealer(rulebook: str, viewer: str, seed: str) -> bool:
    """Whether a viewer can tell two decks apart before anything but own cards is shown."""
    rng = Random(seed)
    order = shuffled(rng, rulebook)
    first, _, _ = play(rulebook, order, viewer, seed, 0)
    second, _, _ = play(rulebook, rng.sample(order, len(order)), viewer, seed, 0)
    return first != second


def test_without_the_leak_nobody_can_tell_two_decks_apart_before_a_card_is_shown() -> None:
    for n in range(3):
        assert not differs_by_dealer("uth-ma", "rail", f"leak {n}")
