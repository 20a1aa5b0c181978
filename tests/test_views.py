"""Cards stay hidden until the rules show them: replacing hidden cards changes no view.

A round is played; then the same acts and decisions are sent again, with the cards a viewer cannot know yet
replaced by others. Until the cards are shown, every view and every refusal must be the same to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine import table_view, views
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.refusals import Refusal
from houseway.engine.round_history import faces
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.engine.table_view import HandView, TableView
from houseway.engine.turn_order import due
from houseway.engine.views import view
from houseway.rules.loader import rulebook_ids
from random_play import Played, Rounds, modes_of

ROUNDS = 60
"""Rounds of each rulebook; each is compared twice."""
PUBLIC = ("dealer", "rail", "floor", "surveillance")
FACES = ("face", "first", "second")
SHOWS = (
    e.CardsDealt,
    e.BoardTurned,
    e.DealerRevealed,
    e.HandTurned,
    e.HandSet,
    e.HandSplit,
    e.CardExposed,
    e.FaceUpFound,
    e.CardReplaced,
    e.BoardExposed,
    e.ExtraDealt,
)
"""Events that show cards to everyone."""
REVEALS = (e.Folded, e.HandSet, e.WagerSettled, e.AwardKeyed, e.ApprovalAsked)
"""Events that tell everyone something about a hidden hand: whether a folded hand is held for its trips bet,
the cards kept by the house way, the result of a wager."""

Mapping = dict[Card, Card]


def cards_known_to(events: Sequence[e.Event], seat: int) -> set[Card]:
    """The cards a seat knows after some events: cards shown to all, and its own once it may look."""
    shown: set[Card] = set()
    own: set[Card] = set()
    looked = False
    for event in events:
        if isinstance(event, SHOWS):
            for name in FACES:
                shown.update(getattr(event, name, ()))
        if (isinstance(event, e.CardsDealt) and event.to == f"seat {seat}") or (
            isinstance(event, e.ExtraDealt | e.CardReplaced) and event.at == f"seat {seat}"
        ):
            own.update(event.sealed)
        looked = looked or isinstance(event, e.PlayersLooked)
    return shown | own if looked else shown


def map_hidden(rng: Random, known: set[Card]) -> Mapping:
    """Map every card that is not known to another such card."""
    hidden = [card for card in DECK if card not in known]
    others = rng.sample(hidden, len(hidden))
    return {card: card for card in known} | dict(zip(hidden, others, strict=True))


def with_other_cards(command: c.Command, mapping: Mapping) -> c.Command:
    """A command with its cards replaced."""
    changes = {
        name: tuple(mapping[card] for card in value)
        for name in ("cards", "first", "second")
        if (value := getattr(command, name, ()))
    }
    return replace(command, **changes) if changes else command


class RoundsDifferError(Exception):
    """The rules reveal something about the replaced cards, so the two rounds differ."""


def replay(
    table: Table, played: Played, sent: list[c.Command], mapping: Mapping, count: int
) -> list[State]:
    """The states of the same round with other hidden cards, up to some event."""
    state = played.start
    states: list[State] = []
    for command in sent:
        answer = decide(table, state, with_other_cards(command, mapping))
        if isinstance(answer, Refusal):
            if answer.code == "too-many-copies":
                raise RoundsDifferError
            raise AssertionError(f"{command} refused: {answer.message}")
        for event in answer:
            state = evolve(state, event)
            first = played.events[len(states)]
            if type(event) is not type(first) or (isinstance(event, REVEALS) and event != first):
                assert isinstance(event, REVEALS) or isinstance(first, REVEALS), (first, event)
                raise RoundsDifferError
            states.append(state)
            if len(states) == count:
                return states
    raise AssertionError("the replay has fewer events than the original round")


def view_bytes(table: Table, state: State, who: str) -> bytes:
    return msgspec.json.encode(view(table, state, who))


def probing_commands(table: Table, state: State, seat: int) -> list[c.Command]:
    """Commands that a player may send to learn about hidden cards; they name no cards except the player's own."""
    now = due(table, state)
    commands: list[c.Command] = [
        c.Check(seat=seat),
        c.Fold(seat=seat),
        c.Play(seat=seat, times=4),
        c.Challenge(seat=seat),
        c.ActFor(by="supervisor", seat=seat),
        c.Split(seat=seat, first=(), second=()),
        c.Leave(seat=seat),
        c.Report(kind="wrong number", at="dealer"),
    ]
    if now is not None:
        commands += [c.Perform(step=now.step.name, seat=number) for number in state.seats]
    return commands


def refusals(table: Table, state: State, seat: int) -> list[str]:
    """The code, place and message of each refusal of a probing command."""
    answers = (decide(table, state, command) for command in probing_commands(table, state, seat))
    return [f"{a.code} {a.where} {a.message}" for a in answers if isinstance(a, Refusal)]


def compare_views(rng: Random, table: Table, played: Played, sent: list[c.Command]) -> bool:
    """True if the round could be played with other hidden cards; fails if a view shows them."""
    seats = [event.seat for event in played.events if isinstance(event, e.WagersPlaced)]
    seat = rng.choice(seats or [1])
    count = rng.randint(1, len(played.events))
    if rng.random() < 0.5:
        # Stop just before cards are shown: by then the most actions depend on hidden cards.
        ends = [n for n, event in enumerate(played.events) if isinstance(event, (*SHOWS, e.RoundClosed))]
        count = rng.choice([n for n in ends if n] or [count])
    known = cards_known_to(played.events[:count], seat)
    try:
        again = replay(table, played, sent, map_hidden(rng, known), count)
    except RoundsDifferError:
        return False
    roles = [f"seat {seat}", *rng.sample(PUBLIC, 2)]
    for n in range(count):
        one, other = played.states[n], again[n]
        for who in roles:
            if who == "surveillance" and not (one.section == "round" and one.round.betting):
                continue
            assert view_bytes(table, one, who) == view_bytes(table, other, who), (who, played.events[n])
        # A void round is complete only once every wager is returned; no command arrives before that.
        refunding = isinstance(next(iter(played.events[n + 1 : n + 2]), None), e.WagersReturned)
        if n % 5 == 0 and not refunding:
            assert refusals(table, one, seat) == refusals(table, other, seat), played.events[n]
    return True


def count_equal_views(rulebook: str, seed: str, rounds: int) -> int:
    """The number of pairs of rounds that no viewer could tell apart."""
    modes = modes_of(rulebook)
    alike = 0
    for mode in modes:
        playing = Rounds(rulebook, mode, seed, irregular=0.01, lasts=5, keep=True)
        rng = Random(f"{rulebook} {mode} {seed}")
        for played in playing.play(rounds // len(modes)):
            sent = [command for command, answer in playing.sent if not isinstance(answer, Refusal)]
            alike += sum(compare_views(rng, playing.table, played, sent) for _ in range(2))
    return alike


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_hidden_cards_change_no_view(rulebook: str) -> None:
    assert count_equal_views(rulebook, "views", ROUNDS) > ROUNDS


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_hidden_cards_change_no_view_over_many_rounds(rulebook: str, part: int) -> None:
    assert count_equal_views(rulebook, f"long {part}", 20 * ROUNDS) > 20 * ROUNDS


def test_surveillance_sees_the_rack_once_the_round_is_closed() -> None:
    playing = Rounds("uth-ma", "manual", "rack", irregular=0)
    played = playing.one()
    notes = view(playing.table, played.end, "surveillance").yours.notes
    assert notes is not None
    assert {pile.what for pile in notes.rack} >= {"board", "dealer"}
    under_way = [
        view(playing.table, state, "surveillance").yours.notes
        for state in played.states[:-1]
        if state.section == "round" and state.round.betting
    ]
    assert under_way
    assert all(notes is not None and not notes.rack for notes in under_way)


# --- planted faults ---

ROLE = r"^\('(seat \d|dealer|rail|floor|surveillance)'"


def test_a_view_that_shows_a_hole_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = table_view.hand_view

    def careless(
        table: Table, hand: Hand, board: tuple[str, ...], last: HandView | None = None
    ) -> HandView:
        return replace(honest(table, hand, board, last), faces=faces(hand.cards[:1]))

    monkeypatch.setattr(table_view, "hand_view", careless)
    with pytest.raises(AssertionError, match=ROLE):
        count_equal_views("uth-ma", "planted", 20)


def test_a_view_that_shows_the_dealers_cards_early_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = table_view.table_view

    def careless(table: Table, state: State) -> TableView:
        return replace(honest(table, state), dealer=faces(state.round.dealer))

    monkeypatch.setattr(views, "table_view", careless)
    with pytest.raises(AssertionError, match=ROLE):
        count_equal_views("uth-sd", "planted", 20)


def test_a_refusal_that_reveals_a_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = decide

    def careless(table: Table, state: State, command: c.Command) -> Any:
        answer = honest(table, state, command)
        if isinstance(answer, Refusal) and state.round.dealer:
            return replace(answer, message=f"{answer.message}; the dealer has {state.round.dealer[0]}")
        return answer

    monkeypatch.setattr("test_views.decide", careless)
    with pytest.raises(AssertionError, match="the dealer has"):
        count_equal_views("uth-ma", "planted", 20)
