"""Join a server's table: sign in with a handle, find or open a table, and take a seat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

import msgspec

from houseway.audit.atomic_files import atomic_file
from houseway.bots import style_of
from houseway.client import House, HouseError
from houseway.client.messages import OpenTable, SeatedBot, TableCard
from houseway.live.bot_driver import table_of
from houseway.live.record_files import data_folder
from houseway.play.game import Game
from houseway.play.open_game import OpenGame, notes
from houseway.play.prompt import PlayError
from houseway.play.server_link import ServerLink
from houseway.rules.loader import load
from houseway.rules.problems import suggest
from houseway.wording import several

SECONDS = 10.0
"""Seconds the server may take to reply."""


class TableChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The table to join or to open."""

    table: str = ""
    rulebook: str = ""
    seat: int = 0
    """0 for the first free seat."""
    positions: int = 1
    """The number of seats to play."""
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    house: dict[str, Any] = {}
    bots: int = 0
    style: str = "practical"
    new: bool = False
    backs: tuple[str, ...] = ()
    designated: tuple[str, ...] = ()


# --- identity ---


def tokens_file() -> Path:
    """Return the file with the user's tokens, by server and handle."""
    return data_folder() / "houses.json"


def _tokens(file: Path) -> dict[str, dict[str, str]]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, str]])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise PlayError(f"cannot read {file}: {error}; move the file away to start over") from error


def _save_token(file: Path, url: str, handle: str, token: str) -> None:
    """Save a handle's token; the handle used last comes last."""
    tokens = _tokens(file)
    others = {name: other for name, other in tokens.get(url, {}).items() if name != handle}
    tokens[url] = {**others, handle: token}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(file, 0o600) as out:
            out.write(msgspec.json.encode(tokens))
    except OSError as error:
        raise PlayError(f"cannot save the token in {file}: {error.strerror}") from error


def sign_in(url: str, handle: str, file: Path | None = None) -> House:
    """Sign in to the server at a URL with the given handle, or with the one used last there."""
    file = file or tokens_file()
    house = House(url, seconds=SECONDS)
    tokens = _tokens(file).get(house.url, {})
    name = " ".join(handle.split()) or next(reversed(tokens), "")
    if not name:
        raise PlayError(f"no name is saved for {house.url}; choose one with --handle NAME")
    house.token = tokens.get(name, "")
    if not house.token or not _still_known(house):
        house.token = ""
        name = house.introduce(name).handle
    _save_token(file, house.url, name, house.token)
    return house


def _still_known(house: House) -> bool:
    try:
        house.me()
    except HouseError as error:
        if any(refusal.code == "no-session" for refusal in error.refused):
            return False
        raise
    return True


# --- tables ---


def find_table(house: House, choice: TableChoice) -> TableCard | None:
    """Return the named table, or the one with this rulebook at which the user already sits.

    Return None if the user must choose a table or open one.
    """
    handle = house.me().handle
    cards = open_tables(house)
    if choice.table:
        name = choice.table.casefold()
        named = [card for card in cards if name in (card.table.casefold(), card.name.casefold())]
        if not named and not choice.rulebook:
            known = [card.name for card in cards]
            raise PlayError(f"{house.url} has no table {choice.table!r}; {suggest(choice.table, known)}")
        match = next(iter(named), None)
        if match is not None and choice.rulebook not in ("", match.rulebook):
            wrong = f"the table {match.name} uses {match.rulebook}, not {choice.rulebook}"
            raise PlayError(f"{wrong}; leave out the rulebook, or name another table")
        return match
    if choice.new:
        return None
    for card in reversed(cards):
        sits = any(place.player == handle and place.kind == "person" for place in card.seats)
        if sits and choice.rulebook in ("", card.rulebook):
            return card
    return None


def open_tables(house: House) -> list[TableCard]:
    """Return the server's open tables."""
    return [card for card in house.tables() if card.open]


def table_line(card: TableCard) -> str:
    """Return a table in one line: its name, rulebook, limits and free seats."""
    return f"{card.name}: {_offer_words(card)}"


def _offer_words(card: TableCard) -> str:
    free = sum(place.kind is None for place in card.seats)
    return f"{card.rulebook}, {card.limits}, {free} of {len(card.seats)} seats free"


def no_choice(house: House) -> PlayError:
    """Return the error for a user who named neither a table nor a rulebook."""
    listed = "; ".join(map(table_line, open_tables(house))) or "none yet"
    tables = f"Tables at {house.url}: {listed}"
    return PlayError(f"name a table with --table, or name a rulebook to open a new table. {tables}")


def open_table(house: House, choice: TableChoice) -> TableCard:
    """Open a new table with its bots and no time limit."""
    most = load(choice.rulebook).seats - 1
    if not 0 <= choice.bots <= most:
        raise PlayError(f"--bots must be 0 to {most} (got {choice.bots}); the table has {most + 1} seats")
    order = OpenTable(
        rulebook=choice.rulebook,
        name=choice.table,
        mode=choice.mode,
        tables=choice.tables,
        limits=choice.limits,
        house=choice.house,
        backs=choice.backs,
        designated=choice.designated,
        bots=(SeatedBot(style=style_of(choice.style)),) * choice.bots,
        clock=0,
    )
    return house.open_table(order)


def sit_down(house: House, card: TableCard, seat: int, patience: float, positions: int = 1) -> OpenGame:
    """Take the seats and return the game; a step may wait `patience` seconds for the server."""
    if positions < 1:
        raise PlayError(f"--positions must be at least 1 (got {positions})")
    handle = house.me().handle
    resumed = any(place.player == handle for place in card.seats)
    at = house.sit(card.table, seat)
    own = [place.seat for place in house.sheet(card.table).card.seats if place.player == handle]
    if len(own) < positions:
        # The socket is opened again afterwards, so that its view has all seats.
        at.close()
        while len(own) < positions:
            own.append(_further_seat(house, card.table, own))
        at = house.at(card.table, at.role)
    sheet = house.sheet(card.table)
    table = table_of(sheet)
    others = [number for number in own if number != at.view.yours.seat]
    game = Game(ServerLink(house, at, sheet, table, others), patience)
    seats = ", ".join(map(str, game.seats))
    where = f"{card.name} at {house.url}, {'seat' if game.you else 'seats'} {seats}: {handle}."
    return OpenGame(game, resumed, tuple(notes(table)), where)


def _further_seat(house: House, table: str, own: Sequence[int]) -> int:
    """Take the next free seat clockwise; the server refuses if a player can have only one seat."""
    places = house.sheet(table).card.seats
    free = [place.seat for place in places if place.kind is None]
    if not free:
        raise PlayError(f"every other seat is taken; play {several(len(own), 'position')}")
    chosen = next((number for number in free if number > own[-1]), free[0])
    house.command(table, {"type": "Sit", "seat": chosen}, f"sit-{token_hex(8)}")
    return chosen


Picked = tuple[Literal["table", "rulebook"], str]


def choices(cards: Sequence[TableCard], books: Sequence[tuple[str, str]]) -> list[tuple[Picked, str, str]]:
    """Return the rows of the table list: the open tables, and a new one for each rulebook."""
    existing: list[tuple[Picked, str, str]] = [
        (("table", card.table), card.name, _offer_words(card)) for card in cards
    ]
    return existing + [(("rulebook", book), f"open {book}", title) for book, title in books]
