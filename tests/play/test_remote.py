"""The terminal at a server's table: full rounds, other players, a killed server, error messages."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.cli.app import main
from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import read_event
from houseway.engine.players_cut import commitment
from houseway.engine.refusals import Refusal
from houseway.play.app import TableApp
from houseway.play.event_text import Announcement
from houseway.play.game import Game
from houseway.play.join_table import TableChoice, find_table, open_table, sign_in, sit_down
from houseway.play.open_game import OpenGame
from houseway.play.plain_screen import play
from houseway.play.prompt import PlayError
from houseway.play.server_link import ServerLink
from houseway.play.wager_words import seal_text
from houseway.rules.loader import load
from play.tables import BOOKS, screen_text
from server.forking import ForkedProcess
from server.houses import Running, running

BETS = {
    "uth-sd": "bet ante 10 trips 5 progressive 1",
    "uth-ma": "bet ante 10 trips 5 progressive cover all 5",
    "uth-card": "bet ante 10 trips 5",
    "uth-proc": "bet ante 10 trips 5",
    "shootout-sd": "bet wager 10 bonus 5",
}
_names = iter(range(10_000))


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def new_client(url: str) -> House:
    client = House(url)
    client.introduce(f"visitor {next(_names)}")
    return client


def seated(person: House, rulebook: str = "uth-ma", patience: float = 0.5, **order: Any) -> OpenGame:
    card = person.open_table(m.OpenTable(rulebook=rulebook, **{"clock": 0, "pace": "brisk", **order}))
    return sit_down(person, card, 0, patience)


def stream_of(game: Game) -> str:
    """Return the name of the game's table."""
    assert isinstance(game.link, ServerLink)
    return game.link.stream


def until(game: Game, why: str, seconds: float = 30) -> list[Announcement]:
    """Play until the player's prompt has the kind `why`, and return the announcements."""
    announcements: list[Announcement] = []
    end = time.monotonic() + seconds
    while (prompt := game.prompt) is None or prompt.kind != why:
        assert time.monotonic() < end, (prompt, game.waiting)
        announcements += game.listen(0.05) if prompt is not None else game.step()
    return announcements


def follow(game: Game, announcements: list[Announcement]) -> None:
    """Collect announcements for about ten seconds."""
    for _ in range(100):
        announcements += game.listen(0.1) + game.step()


class Typist(io.StringIO):
    """A player who bets, deals, takes the first choice offered, and quits after a round."""

    def __init__(self, game: Game, bet: str) -> None:
        super().__init__()
        self._game = game
        self._lines = iter((bet, "deal"))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        prompt = self._game.prompt
        assert prompt is not None
        if self._game.history:
            return "quit\n"
        if prompt.kind == "bet":
            return next(self._lines) + "\n"
        return self._game.options()[0].says + "\n"


@pytest.mark.parametrize("book", BOOKS)
def test_a_full_round_is_played_in_plain_lines(house: Running, book: str) -> None:
    person = new_client(house.url)
    visited = seated(person, book, bots=(m.SeatedBot(style="practical"),))
    game, out = visited.game, io.StringIO()
    assert play(visited, Typist(game, BETS.get(book, f"bet {next(iter(load(book).wagers))} 10")), out) == 0
    text = out.getvalue()
    assert f"seat {game.you}: {person.me().handle}." in text
    spoken = (
        "Your commitment to a salt for the players' cut: ",
        "Your salt for the players' cut: ",
        "Your cards: ",
    )
    for part in ("The cards are sealed: ", *spoken, "The dealer shows "):
        assert part in text, part
    assert "Round 1 is over: you " in text
    assert "stays yours" in text.splitlines()[-1]
    own = [line for line in game.history[0].lines if line.seat == game.you]
    for line in own:
        lines_of_wager = [
            text for text in text.splitlines() if text.startswith(f"Your {line.wager.replace('_', ' ')} ")
        ]
        assert any(text.endswith(f"[{line.clause}]") for text in lines_of_wager), (line, lines_of_wager)
    assert len(own) > 1
    on_record = person.rounds(stream_of(game))[0]
    assert {int(seat): net for seat, net in on_record["net"].items()} == game.history[0].view.net
    assert sum(line.net for line in own) == game.history[0].view.net[game.you]


def test_a_full_round_is_played_on_the_screen(house: Running) -> None:
    visited = seated(new_client(house.url), patience=0, bots=(m.SeatedBot(style="practical"),))
    app = TableApp(visited, fast=True)

    async def waits(why: str) -> None:
        for _ in range(400):
            await asyncio.sleep(0.02)
            prompt = app.game.prompt
            if prompt is not None and prompt.kind == why and not app._ticking:
                await asyncio.sleep(0.1)
                return
        raise AssertionError((app.game.prompt, app.game.waiting, screen_text(app)))

    async def run() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await waits("bet")
            assert "(bot)" in screen_text(app)
            await pilot.press("up", "t", "space")
            await waits("decide")
            assert "Play 4×" in screen_text(app)
            await pilot.press("4")
            await waits("over")
            assert "this round" in screen_text(app)
            assert "Next round" in screen_text(app)
            await pilot.press("h")
            await pilot.pause(0.3)
            assert "Rounds played: 1" in screen_text(app)
            await pilot.press("escape", "space")
            await waits("bet")
            assert app.game.view.table.round == 2
            await pilot.press("q")

    asyncio.run(run())
    assert (app.problem, app.return_value) == ("", 0)
    visited.game.link.close()


def test_other_players_acts_are_announced_during_the_players_turn(house: Running) -> None:
    one, two = new_client(house.url), new_client(house.url)
    game = seated(one).game
    until(game, "bet")
    with two.sit(stream_of(game)) as other:
        seat = other.view.yours.seat
        other.send({"type": "Bet", "seat": seat, "wagers": {"ante": 500}})
        texts = [announcement.text for announcement in game.listen(5) + game.listen(0.5)]
        assert any(text.endswith("bets ante $5 and blind $5.") for text in texts), texts
        assert game.prompt is not None
        game.mark_prompted()
        assert not isinstance(game.bet({"ante": 1000}), Refusal)
        assert not isinstance(game.deal(), Refusal)
        while game._queue:
            game.step()
        assert game.prompt is None
        assert game.waiting == f"Waiting for {two.me().handle}"
        other.ready()
        until(game, "decide")
    game.link.close()


def test_a_repeated_key_press_counts_once(house: Running) -> None:
    game = seated(new_client(house.url)).game
    until(game, "bet")
    game.mark_prompted()
    game.bet({"ante": 1000})
    game.deal()
    until(game, "decide")
    game.mark_prompted()
    assert not isinstance(game.ask(c.Check(seat=game.you)), Refusal)
    again = game.ask(c.Check(seat=game.you))
    assert again == [] or (isinstance(again, Refusal) and again.code in ("answered", "stale"))
    until(game, "decide")
    assert len(game.round.view.board) == 3
    game.link.close()


def test_the_clock_is_shown_and_acts_when_time_runs_out(house: Running) -> None:
    game = seated(new_client(house.url), clock=1).game
    # The clock runs only if another player waits.
    with new_client(house.url).sit(stream_of(game)):
        until(game, "bet")
        game.mark_prompted()
        game.bet({"ante": 500})
        game.deal()
        until(game, "decide")
        assert game.clock in (0, 1)
        before = game.prompt
        announcements = []
        while game.prompt == before:
            announcements += game.listen(0.1)
        announcements += until(game, "decide")
    assert any(announcement.text.startswith("You check") for announcement in announcements)
    game.link.close()


def test_a_player_takes_fresh_chips_reads_the_history_and_leaves(house: Running) -> None:
    person = new_client(house.url)
    game = seated(person).game
    until(game, "bet")
    game.mark_prompted()
    assert isinstance(game.deal(), Refusal)
    game.bet({"ante": 10000})
    game.deal()
    for _ in range(3):
        until(game, "decide")
        game.mark_prompted()
        game.ask(game.options()[0].command)
    until(game, "over")
    assert [seen_round.view.round for seen_round in game.history] == [1]
    game.go_on()
    until(game, "bet")
    game.mark_prompted()
    game.fresh_chips()
    until(game, "bet")
    # A player with more chips keeps them.
    assert game.view.yours.chips >= 1000_00
    stream = stream_of(game)
    game.link.close()
    back = sit_down(person, person.sheet(stream).card, 0, 0.5)
    assert back.resumed
    assert [seen_round.view.round for seen_round in back.game.history] == [1]
    assert back.game.history[0].hands[back.game.you, 1] == game.history[0].hands[game.you, 1]
    assert not isinstance(back.game.leave(), Refusal)
    assert back.game.prompt is not None
    assert back.game.prompt.kind == "left"
    assert person.sheet(stream).card.seats[back.game.you - 1].kind is None


@pytest.mark.slow
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded before", "not recorded"])
def test_a_server_killed_mid_round_continues_with_the_same_cards(tmp_path: Path, recorded: bool) -> None:
    process = ForkedProcess(tmp_path / "house.db").start()
    person = new_client(process.url)
    game = seated(person).game
    until(game, "bet")
    game.mark_prompted()
    game.bet({"ante": 1000, "trips": 500})
    game.deal()
    until(game, "decide")
    game.mark_prompted()
    cards, seal, salt = game.view.yours.cards, game.view.table.seal, game.round.salt
    assert cards[0]
    check = c.Check(seat=game.you)
    if recorded:
        # The server records the command, but the client never receives the answer.
        game.link.do(check, game._prompt_key, late=False)
        time.sleep(1)
    process.kill()
    game.ask(check)
    assert game.prompt is None
    assert "does not answer" in game.waiting
    process.start()
    texts = [announcement.text for announcement in until(game, "decide", 60)]
    assert "Reconnected. The round continues." in texts
    assert (game.view.yours.cards, game.view.table.seal, game.round.salt) == (cards, seal, salt)
    assert len(game.round.view.board) == 3
    game.mark_prompted()
    game.ask(c.Check(seat=game.you))
    until(game, "decide")
    game.mark_prompted()
    game.ask(c.Play(seat=game.you, times=1))
    until(game, "over")
    assert game.history[-1].hands[game.you, 1] == cards[0]
    updates = person.replay(stream_of(game), 1, f"seat {game.you}").updates
    assert sum((update.event or {})["type"] == "Checked" for update in updates) == 2
    game.link.close()
    assert process.stop() == 0


def test_a_server_that_stays_down_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.play.server_link.TRIES", 3)
    monkeypatch.setattr("houseway.play.server_link.PAUSE", 0.01)
    with running() as house:
        game = seated(new_client(house.url)).game
        until(game, "bet")
    announcements: list[Announcement] = []
    with pytest.raises(PlayError, match="cannot reconnect to the table: no houseway server answers"):
        follow(game, announcements)
    assert any("does not answer; retrying" in announcement.text for announcement in announcements)


def test_a_record_that_lacks_the_last_signed_head_ends_the_game(house: Running) -> None:
    game = seated(new_client(house.url)).game
    until(game, "bet")
    link = game.link
    assert isinstance(link, ServerLink)
    newest = House(house.url).head(link.stream).head
    for head in (newest, replace(newest, chain="00" * 32)):
        link.at.head = head
        link.lose()
        if head is not newest:
            with pytest.raises(PlayError, match="older copy, so ask the operator"):
                link.receive(1)
        else:
            assert link.receive(1) is not None
            assert link.at.head == head


def cut_with_another_player(house: Running) -> tuple[Game, int, list[str]]:
    """Play a round with another person up to the cut; return the game, the other seat and what was said."""
    game = seated(new_client(house.url)).game
    until(game, "bet")
    said: list[Announcement] = []
    with new_client(house.url).sit(stream_of(game), game.you % 6 + 1) as other:
        seat, salt = other.view.yours.seat, "0f" * 16
        committed = commitment(other.view.table.seal, seat, salt)
        bet = {"type": "Bet", "seat": seat, "wagers": {"ante": 1000, "blind": 1000}}
        for command in ({"type": "CommitSalt", "seat": seat, "commitment": committed}, bet):
            assert isinstance(other.send(command), m.Answered)
        other.ready()
        game.mark_prompted()
        game.bet({"ante": 1000})
        game.deal()
        while not other.view.yours.openings:
            other.next(15)
        assert isinstance(other.send({"type": "OpenSalt", "seat": seat, "salt": salt}), m.Answered)
        end = time.monotonic() + 30
        while not game.salts.cut:
            assert time.monotonic() < end
            said += game.listen(0.05) + game.step()
    return game, seat, [announcement.text for announcement in said]


def test_the_terminal_checks_the_commitments_in_the_cut(house: Running) -> None:
    game, _, said = cut_with_another_player(house)
    assert not any("Warning" in text for text in said)
    shown = seal_text(game.view.table.seal, game.round.salt, game.salts.cut)
    assert "You saw the commitments to the 2 salts in the cut before your own salt was opened." in shown


@pytest.mark.planted
@pytest.mark.parametrize("forged", [{"salt": "ab" * 16}, {"salt": None}, {"late": 6}], ids=str)
def test_a_salt_that_its_seat_did_not_commit_to_is_announced(
    house: Running, monkeypatch: pytest.MonkeyPatch, forged: dict[str, Any]
) -> None:
    """The server exchanges the other player's salt, drops it, or adds a salt for a seat that never committed."""
    seats: list[int] = []

    def forging(body: bytes) -> e.Event:
        event = read_event(body)
        if isinstance(event, e.PlayersCutMade):
            (other,) = event.salts.keys() - {game_seat(event)}
            seats.append(forged.get("late", other))
            salts = {**event.salts, seats[0]: forged.get("salt", "cd" * 16)}
            return replace(event, salts={seat: salt for seat, salt in salts.items() if salt})
        return event

    def game_seat(event: e.PlayersCutMade) -> int:
        return next(seat for seat, salt in event.salts.items() if salt != "0f" * 16)

    monkeypatch.setattr("houseway.play.game.read_event", forging)
    game, _, said = cut_with_another_player(house)
    (warning,) = [text for text in said if text.startswith("Warning")]
    assert f"the salt of seat {seats[0]} is not the one it committed to before your salt" in warning
    assert "does not match the commitments" in game.salts.cut


def test_a_revoked_session_ends_the_game(house: Running) -> None:
    person = new_client(house.url)
    game = seated(person).game
    until(game, "bet")
    person.ask("DELETE", "/api/session")
    with pytest.raises(PlayError, match="cannot reconnect to the table: sign in first"):
        follow(game, [])


# --- at the command line ---


def error_of(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Run a command that fails and return its one-sentence error."""
    assert main(["play", "--plain", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("houseway: ")
    return err.removeprefix("houseway: ").rstrip("\n")


def test_invalid_requests_are_reported_in_a_sentence(
    house: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    new_client(house.url).introduce("Taken")
    host = new_client(house.url)
    card = host.open_table(m.OpenTable(rulebook="uth-sd", name="The Quiet One", clock=0))
    at = ("--server", house.url, "--handle")
    assert "no houseway server answers at 127.0.0.1:9" in error_of(
        capsys, "--server", "127.0.0.1:9", "--handle", "X"
    )
    for wrong in ("ftp://x", "http://", "http://h:99999", "http://h:x"):
        assert "is not the address of a houseway server" in error_of(
            capsys, "--server", wrong, "--handle", "X"
        )
    assert "no name is saved for" in error_of(capsys, "--server", house.url)
    assert error_of(capsys, *at, "taken") == "the name taken is taken; choose another"
    assert "letters" in error_of(capsys, *at, "x" * 99)
    assert "name a table with --table" in error_of(capsys, *at, "Ann")
    assert "The Quiet One: uth-sd, " in error_of(capsys, *at, "Ann")
    assert "did you mean 'The Quiet One'?" in error_of(capsys, *at, "Ann", "--table", "quiet one")
    assert "uses uth-sd, not uth-ma; leave out the rulebook" in error_of(
        capsys, *at, "Ann", "--table", card.table, "uth-ma"
    )
    host.sit(card.table, 2).close()
    error = error_of(capsys, *at, "Ann", "--table", "the quiet one", "--seat", "2")
    assert error.startswith("seat 2 is not free at this table; free seats: 1, 3")
    assert "seat 40 is not free" in error_of(capsys, *at, "Ann", "--table", card.table, "--seat", "40")
    assert "--bots must be 0 to " in error_of(capsys, *at, "Ann", "uth-ma", "--bots", "40", "--new")
    assert "there is no rulebook or file 'uth-na'" in error_of(capsys, *at, "Ann", "uth-na", "--new")
    assert "--seed does not work with --server" in error_of(capsys, *at, "Ann", "--seed", "7")
    assert "--table needs --server" in error_of(capsys, "--table", "x")


def test_the_same_handle_returns_to_the_same_seat(house: Running, tmp_path: Path) -> None:
    name = f"regular {next(_names)}"
    first = sign_in(house.url, name)
    choice = TableChoice(rulebook="uth-card", bots=1, seat=4)
    assert find_table(first, choice) is None
    card = open_table(first, choice)
    sit_down(first, card, 4, 0.5).game.link.close()
    file = tmp_path / "houseway" / "houses.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = sign_in(house.url, "")
    assert again.me().handle == name
    table = find_table(again, TableChoice())
    assert table is not None
    assert table.table == card.table
    assert find_table(again, TableChoice(rulebook="uth-card", new=True)) is None
    visited = sit_down(again, table, 0, 0.5)
    assert (visited.game.you, visited.resumed) == (4, True)
    with pytest.raises(HouseError, match="you have seat 4"):
        again.sit(card.table, 5)
    visited.game.link.close()
    file.write_text("{", encoding="utf-8")
    with pytest.raises(PlayError, match="move the file away"):
        sign_in(house.url, name)


def test_a_handle_the_server_forgot_is_introduced_again(house: Running) -> None:
    name = f"forgotten {next(_names)}"
    sign_in(house.url, name)
    with running() as fresh:
        file = Path(os.environ["XDG_DATA_HOME"]) / "houseway" / "houses.json"
        file.write_text(file.read_text().replace(house.url, fresh.url))
        assert sign_in(fresh.url, name).me().handle == name


def test_ctrl_c_keeps_the_seat(house: Running) -> None:
    command = [sys.executable, "-m", "houseway", "play", "uth-ma", "--plain"]
    options = ["--server", house.url, "--handle", f"hasty {next(_names)}"]
    running_game = subprocess.Popen(
        [*command, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A program that a shell starts in the background ignores Ctrl-C, and so would its children.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert running_game.stdout is not None
    for line in running_game.stdout:
        if line.startswith("Place your wagers"):
            break
    # The input stays open, because its end would also quit the game. A signal just before the program waits
    # for a line may be missed, so it is sent again.
    until = time.monotonic() + 120
    while running_game.poll() is None and time.monotonic() < until:
        os.kill(running_game.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            running_game.wait(30)
    assert running_game.returncode == 130
    out, err = running_game.communicate(timeout=30)
    assert "stays yours: run the same command to return to it." in out
    assert err == ""
