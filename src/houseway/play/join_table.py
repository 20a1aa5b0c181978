"""Coming to a house: known by a handle, to a table there or a new one, down at a seat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from houseway.audit.atomic_files import whole_file
from houseway.bots import style_of
from houseway.client import House, HouseError
from houseway.client.messages import OpenTable, SeatedBot, TableCard
from houseway.live.bot_driver import table_of
from houseway.live.record_files import data_folder
from houseway.play.game import Game
from houseway.play.open_game import Opened, notes
from houseway.play.port import PlayError
from houseway.play.server_link import Link
from houseway.rules.loader import load
from houseway.rules.problems import meant

SECONDS = 10.0
"""How long the house may take to answer before it counts as away."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The table somebody wants to come to, or to open."""

    table: str = ""
    rulebook: str = ""
    seat: int = 0
    """0 for the first that is free."""
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    bots: int = 0
    style: str = "practical"
    new: bool = False


# --- who one is ---


def tokens_file() -> Path:
    """Where the tokens of the houses one is known in are kept."""
    return data_folder() / "houses.json"


def _tokens(file: Path) -> dict[str, dict[str, str]]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, str]])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise PlayError(f"cannot read {file}: {error}; move it away to begin anew") from error


def _keep(file: Path, url: str, handle: str, token: str) -> None:
    """Keep a token for the same handle to come back with; the handle used last comes last."""
    kept = _tokens(file)
    known = {name: other for name, other in kept.get(url, {}).items() if name != handle}
    kept[url] = {**known, handle: token}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file, 0o600) as out:
            out.write(msgspec.json.encode(kept))
    except OSError as error:
        raise PlayError(f"cannot keep the token in {file}: {error.strerror}") from error


def known_at(url: str, handle: str, file: Path | None = None) -> House:
    """The house at an address, where one is known by a handle: the one given, or the one used last."""
    file = file or tokens_file()
    house = House(url, seconds=SECONDS)
    kept = _tokens(file).get(house.url, {})
    name = " ".join(handle.split()) or next(reversed(kept), "")
    if not name:
        raise PlayError(f"{house.url} does not know you yet; say by which name it may: --handle NAME")
    house.token = kept.get(name, "")
    if not house.token or not _still_known(house):
        house.token = ""
        name = house.introduce(name).handle
    _keep(file, house.url, name, house.token)
    return house


def _still_known(house: House) -> bool:
    try:
        house.me()
    except HouseError as error:
        if any(refusal.code == "no-session" for refusal in error.refused):
            return False
        raise
    return True


# --- which table ---


def find_table(house: House, wanted: Wanted) -> TableCard | None:
    """The table named, or the one of this rulebook where one sits already; None where one is to be opened
    or chosen."""
    handle = house.me().handle
    cards = open_tables(house)
    if wanted.table:
        asked = wanted.table.casefold()
        named = [card for card in cards if asked in (card.table.casefold(), card.name.casefold())]
        if not named and not wanted.rulebook:
            known = [card.name for card in cards]
            raise PlayError(f"{house.url} has no table {wanted.table!r}; {meant(wanted.table, known)}")
        found = next(iter(named), None)
        if found is not None and wanted.rulebook not in ("", found.rulebook):
            raise PlayError(f"{found.name} deals {found.rulebook}, not {wanted.rulebook}")
        return found
    if wanted.new:
        return None
    for card in reversed(cards):
        sits = any(place.player == handle and place.kind == "person" for place in card.seats)
        if sits and wanted.rulebook in ("", card.rulebook):
            return card
    return None


def open_tables(house: House) -> list[TableCard]:
    """The tables one may choose from."""
    return [card for card in house.tables() if card.open]


def described(card: TableCard) -> str:
    """A table in a line: its name, its rulebook, what it takes, who sits there."""
    free = sum(place.kind is None for place in card.seats)
    return f"{card.name}: {card.rulebook}, {card.limits}, {free} of {len(card.seats)} seats free"


def no_choice(house: House) -> PlayError:
    """What somebody is told who named neither a table nor a rulebook."""
    listed = "; ".join(map(described, open_tables(house))) or "none yet"
    named = f"Tables at {house.url}: {listed}"
    return PlayError(f"name a table with --table, or a rulebook to open one. {named}")


def open_table(house: House, wanted: Wanted) -> TableCard:
    """A new table, with its bots, and nobody hurried."""
    most = load(wanted.rulebook).seats - 1
    if not 0 <= wanted.bots <= most:
        raise PlayError(f"{wanted.rulebook} has {most + 1} seats: give 0 to {most} bots")
    order = OpenTable(
        rulebook=wanted.rulebook,
        name=wanted.table,
        mode=wanted.mode,
        tables=wanted.tables,
        limits=wanted.limits,
        bots=(SeatedBot(style=style_of(wanted.style)),) * wanted.bots,
        clock=0,
    )
    return house.open_table(order)


def sit_down(house: House, card: TableCard, seat: int, patience: float) -> Opened:
    """The game at one's seat; `patience` is how long a step of it may wait for the house."""
    handle = house.me().handle
    resumed = any(place.player == handle for place in card.seats)
    sheet = house.sheet(card.table)
    table = table_of(sheet)
    link = Link(house, house.sit(card.table, seat), sheet, table)
    game = Game(link, patience)
    where = f"{card.name} at {house.url}, seat {game.you}: {handle}."
    return Opened(game, resumed, tuple(notes(table)), where)


Picked = tuple[Literal["table", "rulebook"], str]


def choices(cards: Sequence[TableCard], books: Sequence[tuple[str, str]]) -> list[tuple[Picked, str, str]]:
    """What somebody may choose from: the tables there are, and a new one for each rulebook."""
    there: list[tuple[Picked, str, str]] = [
        (("table", card.table), card.name, described(card).partition(": ")[2]) for card in cards
    ]
    return there + [(("rulebook", book), f"open {book}", title) for book, title in books]
