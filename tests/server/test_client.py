"""The Python client, and bots that play over the network against a real server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.bots import STYLES, Style
from houseway.bots.players import decisions
from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.engine.table_view import TableView
from houseway.live.bot_driver import OtherRulesError, offered, short_of_chips, table_of
from houseway.live.clock import DEFAULT_PATIENCE
from houseway.live.offload import run_now
from houseway.live.remote_bot import RemoteBot
from houseway.rules.loader import rulebook_ids
from server.houses import Running, running

_names = iter(range(10_000))


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def new_client(house: Running) -> House:
    client = House(house.url)
    client.introduce(f"caller {next(_names)}")
    return client


def open_table(person: House, rulebook: str = "uth-ma", **options: Any) -> str:
    return person.open_table(
        m.OpenTable(rulebook=rulebook, **{"clock": 0, "pace": "brisk", **options})
    ).table


@pytest.mark.parametrize("style", STYLES)
def test_a_bot_of_each_style_plays_over_the_network(house: Running, style: Style) -> None:
    person = new_client(house)
    table = open_table(person)
    with closing(RemoteBot(person, table, style)) as guest:
        played = list(guest.play(2))
    assert [view.round for view in played] == [1, 2]
    for view in played:
        own = [line for line in view.settled.values() if line.seat == guest.seat]
        assert own
        assert sum(line.net for line in own) == view.net[guest.seat]


@pytest.mark.parametrize("book", rulebook_ids())
def test_two_bots_play_a_round_of_every_rulebook(house: Running, book: str) -> None:
    first, second = new_client(house), new_client(house)
    table = open_table(first, book)
    with (
        closing(RemoteBot(first, table, "practical")) as one,
        closing(RemoteBot(second, table, "random")) as two,
    ):
        played: list[TableView] = []
        other = threading.Thread(target=lambda: played.extend(two.play(1)))
        other.start()
        played += list(one.play(1))
        other.join(60)
    assert [view.round for view in played] == [1, 1]
    seats = {one.seat, two.seat}
    assert set(played[0].net) == seats
    # Both bots add to the players' cut: they commit, and then open what they committed to.
    events = [update.event or {} for update in first.replay(table, 1, "rail").updates]
    for kind in ("SaltCommitted", "SaltOpened"):
        assert {event["seat"] for event in events if event.get("type") == kind} == seats
    (cut,) = [event for event in events if event.get("type") == "PlayersCutMade"]
    assert {int(seat) for seat in cut["salts"]} == seats


def test_a_bot_without_chips_buys_in_again(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    person = new_client(house)
    table = open_table(person)
    with closing(RemoteBot(person, table)) as guest:
        while guest.seat not in guest._at.view.waits.seats:
            guest._at.next()
        view = guest._at.view
        assert not short_of_chips(view)
        poor = replace(view, yours=replace(view.yours, chips=1_00))
        assert short_of_chips(poor)
        guest._at._view = poor
        sent: list[Any] = []
        do = guest._at.do

        def recording_do(command: Any, key: str = "") -> str:
            sent.append(command)
            return do(command, key)

        monkeypatch.setattr(guest._at, "do", recording_do)
        run_now(guest.driver.play())
        assert [msgspec.json.decode(command)["type"] for command in sent] == ["Leave", "Sit", "Bet"]
        assert guest._at.view.yours.chips < 1000_00
        assert guest._at.view.table.seats[guest.seat].bets


def test_a_view_has_everything_a_bot_needs(house: Running) -> None:
    person = new_client(house)
    with person.sit(open_table(person)) as at:
        yours = at.view.yours
        assert {spot.wager for spot in yours.spots} == {"ante", "trips", "progressive", "cover_all"}
        assert decisions(offered(yours.choices)) == []
        at.send({"type": "Bet", "seat": yours.seat, "wagers": {"ante": 500}})
        at.ready()
        while at.view.waits.why != "decision":
            at.next()
        says = {option.says for option in decisions(offered(at.view.yours.choices))}
        assert says == {"check", "play 3x", "play 4x"}


def test_a_server_with_other_rules_is_rejected(house: Running) -> None:
    person = new_client(house)
    sheet = person.sheet(open_table(person))
    assert table_of(sheet).terms.hash == sheet.hash
    with pytest.raises(OtherRulesError, match="install the same version of houseway"):
        table_of(replace(sheet, hash="0" * 64))
    with pytest.raises(OtherRulesError, match="uth-xx"):
        table_of(replace(sheet, card=replace(sheet.card, rulebook="uth-xx")))


def test_a_pong_follows_every_earlier_message(house: Running) -> None:
    person = new_client(house)
    with person.sit(open_table(person)) as at:
        at.send({"type": "Bet", "seat": at.view.yours.seat, "wagers": {"ante": 500}})
        at.ready()
        at.ping()
        assert at.view.waits.why == "decision"


def test_a_returning_player_gets_the_missed_events(house: Running) -> None:
    one, two = new_client(house), new_client(house)
    table = open_table(one)
    with one.sit(table) as at:
        since = at.seq
    with two.sit(table) as other:
        other.send({"type": "Bet", "seat": other.view.yours.seat, "wagers": {"ante": 500}})
        with one.at(table, at.role, since) as back:
            kinds = [step.update.event["type"] for step in back.steps if step.update.event]
            assert kinds == ["PlayerSeated", "WagersPlaced"]
            assert all(step.update.seq > since for step in back.steps)


def test_a_repeated_command_counts_once(house: Running) -> None:
    person = new_client(house)
    with person.sit(open_table(person)) as at:
        bet = {"type": "Bet", "seat": at.view.yours.seat, "wagers": {"ante": 500}}
        # `answer` is the old name of `send`.
        first, second = at.send(bet, "once"), at.answer(bet, "once")
        assert isinstance(first, m.Answered)
        assert isinstance(second, m.Answered)
        assert (second.seq, second.repeated) == (first.seq, True)


def test_the_client_takes_a_seat_and_explains_why_another_is_refused(house: Running) -> None:
    one, two = new_client(house), new_client(house)
    table = open_table(one, "uth-card")
    with one.sit(table, 3) as at:
        assert at.role == "seat 3"
    with one.sit(table) as at:
        assert at.role == "seat 3"
    with pytest.raises(HouseError, match="you have seat 3 at this table"):
        one.sit(table, 2)
    with pytest.raises(HouseError, match="seat 3 is not free at this table; free seats: 1, 2, 4"):
        two.sit(table, 3)
    places = one.sheet(table).card.seats
    for _ in range(len(places) - 1):
        one.seat_bot(table, m.SeatedBot(style="random"))
    with pytest.raises(HouseError, match="every seat is taken; watch from the rail"):
        two.sit(table)
    with pytest.raises(HouseError, match="seat 3 is not yours") as refused:
        two.at(table, "seat 3")
    assert refused.value.refused[0].code == "not-your-seat"


def test_seats_of_bots_and_absent_players_can_be_freed(house: Running) -> None:
    host, player, stranger = new_client(house), new_client(house), new_client(house)
    table = open_table(host, "uth-card")
    host.seat_bot(table, m.SeatedBot(style="random", seat=1))
    host.seat_bot(table, m.SeatedBot(style="random", seat=2))
    with player.sit(table, 3):
        with pytest.raises(HouseError, match="players may remove bots"):
            stranger.free_seat(table, 1)
        assert player.free_seat(table, 1).seats[0].player == ""
        with pytest.raises(HouseError, match="seat 1 is already free"):
            host.free_seat(table, 1)
        with pytest.raises(HouseError, match="the player at seat 3 is here"):
            host.free_seat(table, 3)
        with pytest.raises(HouseError, match="only the floor supervisor may free"):
            player.free_seat(table, 3)
    assert set(house.serving.hall.tables[table].plan.bots) == {2}
    places = free_absent_seat(host, table, 3)
    assert [place.kind for place in places if place.player] == ["bot"]


def test_rounds_are_played_without_a_socket(house: Running) -> None:
    """A player who sends HTTP requests without a socket is not absent, so the seat is not freed."""
    person = new_client(house)
    table = open_table(person, "uth-ma")
    path = f"/api/tables/{table}"
    person.seat_bot(table, m.SeatedBot(style="random", seat=6))
    person.command(table, {"type": "Sit", "seat": 2}, "sit")
    for number in range(1, DEFAULT_PATIENCE.rounds_away + 3):
        person.command(table, {"type": "Bet", "seat": 2, "wagers": {"ante": 500}}, f"bet {number}")
        person.ask("POST", f"{path}/ready", m.Ready(round=number, why="bets"))
        end = time.monotonic() + 30
        while True:
            assert time.monotonic() < end
            now: m.Entered = person.ask("GET", f"{path}/view?as=seat:2", gives=m.Entered)
            if now.view.waits.why == "next":
                break
            if now.view.waits.seats == (2,):
                person.command(table, now.view.yours.choices[0].command, f"{number} {now.seq}")
            time.sleep(0.02)
        person.ask("POST", f"{path}/ready", m.Ready(round=number, why="next"))
        now = person.ask("GET", f"{path}/view?as=seat:2", gives=m.Entered)
        assert now.view.table.round == number + 1


def free_absent_seat(host: House, table: str, seat: int) -> tuple[m.Place, ...]:
    """Free a seat, retrying until the server has noticed that its socket closed."""
    end = time.monotonic() + 10
    while True:
        try:
            return host.free_seat(table, seat).seats
        except HouseError:
            assert time.monotonic() < end


@pytest.mark.parametrize(
    "url", ["ftp://house", "http://", "http://h:0", "http://h:65536", "http://h:p", ""]
)
def test_an_invalid_address_is_rejected(url: str) -> None:
    with pytest.raises(HouseError, match="is not the address of a houseway server"):
        House(url)


def test_an_address_needs_no_scheme(house: Running) -> None:
    assert House(f"127.0.0.1:{house.port}").url == house.url


@pytest.mark.parametrize("answer", [b"hello\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n<ht>", b""])
def test_a_reply_that_is_not_from_houseway_is_rejected(answer: bytes) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            caller, _ = listening.accept()
            with closing(caller):
                caller.recv(4096)
                caller.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(
            HouseError, match=r"no houseway server answers|is not a houseway server of this version"
        ):
            House(f"http://127.0.0.1:{listening.getsockname()[1]}").tables()
