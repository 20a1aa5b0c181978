"""Decks at a live table: a jam with two decks, the people who cut, recuts, and the place of a shuffled deck."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.explain import explain
from houseway.client import House, HouseError
from houseway.client.messages import Answered, OpenTable
from houseway.engine import commands as c
from houseway.engine import events as e
from server.houses import running
from server.test_irregular import DEALER, FLOOR, GUEST, MODES, IrregularRoom

TWO: dict[str, Any] = {"decks": 2, "shuffler": "device"}


def step(room: IrregularRoom) -> str:
    """The step that is due, as everyone sees it."""
    return str(room.hosted.view("rail").table.step)


def shuffled(room: IrregularRoom) -> list[str]:
    """The decks in the order of their shuffles."""
    return [event.deck for event in room.events(e.DeckShuffled)]


@pytest.mark.clause("MA-14.e")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("who", [DEALER, FLOOR])
@pytest.mark.parametrize("when", ["seat 1", "clear the rack", "take the shuffled deck"])
def test_a_deck_that_jams_in_the_device_is_shuffled_again(when: str, who: int, mode: str) -> None:
    room = IrregularRoom("uth-ma", mode, **TWO)
    room.until("seat 1")
    room.until(when)
    assert shuffled(room) == ["A", "B", "B"]
    room.accept(who, c.Report(kind="shuffler jam"))
    (ordered,) = room.events(e.ReshuffleOrdered)
    assert (ordered.decks, ordered.clause) == (("B",), "MA-14.e")
    assert not room.events(e.WagersReturned)
    room.until("shuffle")
    assert room.code(DEALER, c.Perform(step="take the shuffled deck")) == "out-of-order"
    room.until("announce no more bets")
    assert shuffled(room) == ["A", "B", "B", "B"]
    # The deck in play is sealed by the new shuffle.
    again = room.events(e.DeckShuffled)[-1]
    assert (room.hosted.live.state.round.deck, room.hosted.live.state.round.seal) == ("B", again.seal)
    room.verified()


@pytest.mark.clause("MA-4.a-c")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("dealer", ["machine", "person"])
def test_a_device_puts_the_deck_straight_into_the_shoe(dealer: str, decks: int, mode: str) -> None:
    room = IrregularRoom("uth-ma", mode, dealer, decks=decks, shuffler="device", direct_to_shoe=True)
    if dealer == "person":
        room.until("announce no more bets")
    place = "shoe" if mode == "manual" else "machine"
    moved = room.events(e.DecksSwapped if decks == 2 else e.DeckShuffled)[-1]
    assert (moved.stands, room.hosted.live.state.playing.stands) == (place, place)
    assert room.events(e.DeckLoaded) == []
    room.verified()


@pytest.mark.parametrize(
    ("book", "cut"),
    [
        pytest.param("uth-ma", "cut the cards", marks=pytest.mark.clause("MA-4.c"), id="uth-ma"),
        pytest.param("uth-sd", "cut the cards", marks=pytest.mark.clause("SD-4-e"), id="uth-sd"),
        pytest.param("uth-card", "cut the cards", id="uth-card"),
    ],
)
def test_the_record_names_the_person_who_cut(book: str, cut: str) -> None:
    room = IrregularRoom(book)
    room.until(cut)
    # The server enters the name of the sender.
    room.accept(DEALER, c.Perform(step=cut, count=20, name="machine"))
    (event,) = room.events(e.DeckCut)
    assert (event.count, event.by, event.automatic) == (20, "Dana", False)
    room.until("close the round")
    told = [line.says for line in explain(room.store, "room", 1, "rail").said]
    assert "Deck A was cut by Dana, 20 cards from the top" in " ".join(told)
    room.until("open the round")
    assert {cut.by for cut in room.events(e.DeckCut)} == {"Dana"}
    room.verified()


@pytest.mark.clause("MA-4.c")
def test_a_cut_made_for_an_absent_dealer_names_the_automatic_dealer() -> None:
    room = IrregularRoom("uth-ma")
    room.until("cut the cards")
    room.hosted.leave(room.viewers["dealer"])
    room.clock.move(1000)
    cut = room.events(e.DeckCut)[0]
    assert cut.by == "the automatic dealer"


@pytest.mark.clause("MA-4.c")
@pytest.mark.parametrize(("required", "cuts"), [("never", 0), ("hand shuffle", 1), ("always", 1)])
def test_a_house_setting_decides_when_a_hand_shuffle_is_cut(required: str, cuts: int) -> None:
    room = IrregularRoom("uth-ma", "manual", "machine", cut_required=required)
    assert len(room.events(e.DeckCut)) == cuts
    assert step(room) == "announce no more bets"


@pytest.mark.clause("MA-4.d")
@pytest.mark.parametrize("dealer", ["machine", "person"])
def test_a_supervisor_orders_a_recut_and_is_named(dealer: str) -> None:
    room = IrregularRoom("uth-ma", "manual", dealer)
    if dealer == "person":
        room.until("cut the cards")
        assert room.code(FLOOR, c.Recut()) == "no-recut-now"
        room.until("announce no more bets")
    assert room.code(GUEST, c.Recut()) == "not-your-role"
    offered = [
        choice for choice in room.hosted.view("floor").yours.choices if choice.command["type"] == "Recut"
    ]
    assert len(offered) == 1
    for repeated in (False, True):
        answer = room.do(FLOOR, offered[0].command, key="recut")
        assert isinstance(answer, Answered), answer
        assert answer.repeated is repeated
    (ordered,) = room.events(e.RecutOrdered)
    assert (ordered.by, ordered.name, ordered.clause) == ("supervisor", "Flo", "MA-4.d")
    if dealer == "person":
        assert step(room) == "cut the cards"
        assert room.code(DEALER, c.Perform(step="announce no more bets")) == "out-of-order"
        room.until("announce no more bets")
    assert len(room.events(e.DeckCut)) == 2
    room.until("seat 1")
    assert room.code(FLOOR, c.Recut()) == "no-recut-now"
    room.verified()


@pytest.mark.clause("TS-3-b", "TS-3-c")
def test_the_dealer_selects_the_player_who_marks_the_cut() -> None:
    room = IrregularRoom("shootout-sd")
    room.until("cut the cards")
    (inspected,) = room.events(e.DeckInspected)
    assert (inspected.name, inspected.automatic, inspected.clause) == ("Dana", False, "TS-3-b")
    offered = [choice.says for choice in room.hosted.view("dealer").yours.choices]
    assert offered == ["cut the cards", "cut the cards: player 2 marks the cut"]
    assert room.code(DEALER, c.Perform(step="cut the cards", count=100, name="Gus")) == "not-at-the-table"
    room.accept(DEALER, c.Perform(step="cut the cards", count=100, name="player 2"))
    (cut,) = room.events(e.DeckCut)
    assert (cut.count, cut.by, cut.automatic) == (100, "player 2", False)
    room.verified()


@pytest.mark.clause("MA-2.b", "MA-4.d")
def test_a_table_with_two_decks_is_opened_and_recut_over_the_api() -> None:
    with running() as server:
        host = House(server.url)
        host.introduce("Flo")
        settings = {**TWO, "cut_required": "always"}
        table = host.open_table(OpenTable(rulebook="uth-ma", mode="manual", house=settings)).table
        guest = House(server.url)
        guest.introduce("Gus")
        with guest.sit(table), host.at(table, "floor"):
            host.command(table, {"type": "Recut"}, "recut")
            with pytest.raises(HouseError) as refused:
                guest.command(table, {"type": "Recut"}, "recut")
        assert refused.value.refused[0].code == "not-your-role"
        with pytest.raises(HouseError):
            host.open_table(OpenTable(rulebook="uth-ma", house={"decks": 3, "shuffler": "device"}))


@pytest.mark.clause("MA-2.b.2")
def test_the_backs_of_two_decks_are_named_over_the_api() -> None:
    with running() as server:
        host = House(server.url)
        host.introduce("Flo")
        order = OpenTable(rulebook="uth-ma", house=TWO, backs=("green", "gold"))
        live = server.serving.hall.tables[host.open_table(order).table].live
        assert [deck.back for deck in live.state.decks] == ["green", "gold"]
        for alike in (("green", "Green"), ("", "gold")):
            with pytest.raises(HouseError) as wrong:
                host.open_table(replace(order, backs=alike))
            (no,) = wrong.value.refused
            assert (no.code, no.clause) == ("backs-alike", "MA-2.b.2")


def test_everyone_sees_the_colour_of_the_backs_of_the_deck_in_play() -> None:
    room = IrregularRoom("uth-ma", "device", **TWO)
    (opened,) = room.events(e.TableOpened)
    colours = dict(zip("AB", opened.backs, strict=True))
    assert len(set(colours.values())) == 2
    room.until("announce no more bets")
    view = room.hosted.view("rail").table
    assert view.back == colours[view.deck]
    first = view.deck
    room.until("seat 1")
    room.until("take the shuffled deck")
    room.until("announce no more bets")
    view = room.hosted.view("rail").table
    assert view.back == colours[view.deck] != colours[first]
