"""A view of the training chair has only what a dealer can see: hidden cards and due acts do not change it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cards import DECK
from houseway.client.training_messages import ChairView
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import load, rulebook_ids
from houseway.server.training_views import chair_view
from houseway.training import acts as a
from houseway.training.chair import Chair, ChairEntry, Happening
from houseway.training.early_cards import exposed_cards
from houseway.training.happenings import cards_taken, possible_happenings
from houseway.training.hosted_session import HostedSession
from houseway.training.perform import happen
from server.chair_client import ChairClient, ChairHouse

MODES = [(book, mode) for book in rulebook_ids() for mode in load(book).modes]


class Twin:
    """Another session that looks the same from the dealer's side: other hidden cards, nothing due."""

    def __init__(self, rng: Random) -> None:
        shuffled = list(DECK)
        rng.shuffle(shuffled)
        self._other = dict(zip(DECK, shuffled, strict=True))

    def room(self, room: HostedSession) -> HostedSession:
        other, session = copy.copy(room), copy.copy(room.session)
        session.chair = self.chair(session.chair)
        session.plan = replace(session.plan, seed="another seed")
        session._shoe = copy.deepcopy(session._shoe)
        session._shoe._cards = tuple(self._other[card] for card in session._shoe._cards)
        other.session = session
        return other

    def _cards(self, cards: Any) -> Any:
        return tuple(self._other.get(card, card) for card in cards)

    def chair(self, chair: Chair) -> Chair:
        now = chair.state.round
        # Exposed cards can be seen, so the twin has the same ones.
        self._other |= {card: card for _, cards in exposed_cards(chair) for card in cards}
        turned = now.up + sum(
            len(one.cards) or getattr(one.act, "count", 0) for one in chair.early if _turns_board(one.act)
        )
        seats = {
            number: replace(
                seat,
                hands=tuple(
                    hand if hand.shown else replace(hand, cards=self._cards(hand.cards))
                    for hand in seat.hands
                ),
            )
            for number, seat in chair.state.seats.items()
        }
        hidden = replace(
            now,
            board=(*now.board[:turned], *self._cards(now.board[turned:])),
            dealer=now.dealer if now.revealed else self._cards(now.dealer),
            drawn=self._cards(now.drawn),
            settled=(),
            qualifies=None,
        )
        rack = tuple(replace(pile, cards=self._cards(pile.cards)) for pile in chair.state.rack)
        state = replace(chair.state, seats=seats, round=hidden, rack=rack, mispaid={}, done="", owed=())
        happened = {entry.number for entry in chair.entries if isinstance(entry.input, Happening)}
        visible = tuple(one for one in chair.open if one.kind == "exposed card" or one.since in happened)
        return replace(
            chair,
            state=state,
            queue=(),
            passed=(),
            slips=0,
            open=visible,
            entries=tuple(map(self._entry, chair.entries)),
        )

    def _entry(self, entry: ChairEntry) -> ChairEntry:
        return replace(entry, cards=self._cards(entry.cards), slips=(), cured=(), handled=None)


def _turns_board(act: a.ChairAct) -> bool:
    return isinstance(act, a.TurnUp | a.DealCards) and act.place == "board"


def looks_alike(
    room: HostedSession, twin: HostedSession, view: Callable[[HostedSession, int], ChairView] = chair_view
) -> bool:
    """True if both sessions give the same bytes."""
    return encoder.encode(view(room, 0)) == encoder.encode(view(twin, 0))


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_hidden_cards_and_due_acts_do_not_change_the_view(rulebook: str, mode: str) -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", rulebook=rulebook, mode=mode, rounds=1, seats=3, seed="twin")
    rng = Random(f"{rulebook} {mode}")
    acts, hidden = [client.view["acts"]], 0
    for number in range(300):
        if client.view["progress"] != "open":
            break
        room = client.hosted
        felt = client.view["felt"]
        hidden += any("" in hand.get("cards", ()) for seat in felt["seats"] for hand in seat["hands"])
        assert looks_alike(room, Twin(rng).room(room)), number
        act = client.right()
        assert act is not None
        if number % 17 == 5:
            # An act that is not due: the slip must not show either.
            act = a.CallFloor()
        assert client.act(act)[0] == 200
        acts.append(client.view["acts"])
    assert client.view["progress"] == "over"
    assert hidden > 10
    assert all(one == acts[0] for one in acts)


@pytest.mark.parametrize("place", ["dealer", "board", "seat 1"])
def test_only_the_exposed_card_is_face_up_and_no_words_name_it(place: str) -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="device", rounds=1, seats=3, seed="exposed")
    client.follow(a.Ask)
    session = client.training
    exposed = Happening(kind="exposed card", at=place, which=2)
    after = happen(session.table, session.chair, exposed)
    assert after is not None
    session.chair = after
    view = chair_view(client.hosted, 0)
    now = session.state.round
    held = {
        "dealer": now.dealer,
        "board": now.board[now.up :],
        "seat 1": session.state.seats[1].hands[0].cards,
    }
    shown = {
        "dealer": view.felt.dealer,
        "board": view.felt.board,
        "seat 1": view.felt.seats[0].hands[0].cards,
    }
    second = str(held[place][1])
    assert [(one.place, one.cards) for one in view.felt.exposed] == [(place, (second,))]
    # The card is face up in its place; the trainee has to notice it.
    assert [code for code in shown[place][-len(held[place]) :] if code] == [second]
    assert shown[place][-len(held[place]) + 1] == second
    assert view.felt.incidents == ()
    assert looks_alike(client.hosted, Twin(Random(3)).room(client.hosted))


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_a_dealer_can_see_every_irregularity_that_happens_by_itself(rulebook: str, mode: str) -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", rulebook=rulebook, mode=mode, rounds=1, seats=2, seed="seen")
    seen = set()
    for until in (a.DealCards, a.Ask):
        client.follow(until)
        room = client.hosted
        before = encoder.encode(chair_view(room, 0))
        session = room.session
        for one in possible_happenings(session.table, session.chair):
            cards = session._shoe.peek(cards_taken(session.table, session.chair, one))
            after = happen(session.table, session.chair, one, cards=cards)
            if after is None:
                continue
            twin = copy.copy(room)
            twin.session = copy.copy(session)
            twin.session.chair = after
            assert encoder.encode(chair_view(twin, 0)) != before, one
            seen.add(one.kind)
    assert len(seen) >= 2, seen


def test_the_check_finds_a_leak() -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=3, seed="leak")
    client.follow(a.Burn)
    room, twin = client.hosted, Twin(Random(1)).room(client.hosted)
    assert looks_alike(room, twin)

    def leaky_dealer(room: HostedSession, clock: int) -> Any:
        view = chair_view(room, clock)
        first = room.session.state.round.dealer[:1]
        return replace(view, felt=replace(view.felt, dealer=tuple(map(str, first))))

    def leaky_queue(room: HostedSession, clock: int) -> Any:
        view = chair_view(room, clock)
        return replace(view, acts=view.acts[: 10 + len(room.session.chair.queue)])

    for leak in (leaky_dealer, leaky_queue):
        assert not looks_alike(room, twin, leak)


def test_the_key_letters_are_unique() -> None:
    house = ChairHouse()
    house.person("Noor")
    for rulebook, mode in MODES:
        client = ChairClient(house, "Noor", rulebook=rulebook, mode=mode)
        house.call("Noor", "DELETE", client.path)
        keys = [one["key"] for one in client.view["acts"] if one.get("key")]
        assert len(keys) == len(set(keys)) >= 19
        assert {"f", "i", "p", "t", "d", "u"} <= set(keys)
        names = [(one["group"], one["name"].lower()) for one in client.view["acts"]]
        groups = ["cards", "players", "wagers", "table"]
        assert names == sorted(names, key=lambda one: (groups.index(one[0]), one[1]))
