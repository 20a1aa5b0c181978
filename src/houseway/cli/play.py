"""`play`: a table in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from cyclopts import Parameter
from msgspec.structs import replace

from houseway.bots import StyleName
from houseway.cli.output import BadInputError, bad_input, pairs, write
from houseway.money import cents
from houseway.rules.loader import sound_rulebooks

if TYPE_CHECKING:
    from houseway.client import House
    from houseway.live.background_check import BackgroundCheck
    from houseway.play.join_table import Picked, TableChoice
    from houseway.play.open_game import OpenGame

BOOK = "uth-ma"
CHIPS = "1000"
INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended."""


class Show(NamedTuple):
    """How a game is shown."""

    screen: bool
    fast: bool
    four_colours: bool
    json: bool

    @property
    def patience(self) -> float:
        """Seconds a step of a game may wait for a house: a screen stays alive meanwhile."""
        return 0.0 if self.screen else 0.5


def play(
    rulebook: str | None = None,
    /,
    *,
    mode: str = "",
    tables: str = "",
    limit: str = "",
    seat: int | None = None,
    bots: int = 2,
    style: StyleName = "basic",
    chips: str = CHIPS,
    seed: str = "",
    dealer: Literal["machine", "person"] = "machine",
    shadow: bool = False,
    record: Path | None = None,
    no_record: Annotated[bool, Parameter(negative="")] = False,
    new: bool = False,
    server: str = "",
    table: str = "",
    handle: str = "",
    fast: bool = False,
    four_colours: bool = False,
    plain: bool = False,
    json: bool = False,
) -> int:
    """Play at a table in the terminal, with play chips.

    Every round goes on record before it is told: after Ctrl-C, a crash or a power cut the same command goes
    on with the same cards. `?` tells what a clause says, `F1` shows all keys.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file; without one you choose from a list.
    mode
        The deal mode, manual or device; the one that offers the most wagers where none is given.
    tables
        Pay tables, such as trips=B,progressive=PTMGL01.
    limit
        Least and most of wagers, such as ante=5-100,trips=1-25.
    seat
        Your seat; 1, at the dealer's left, where none is given, and at a house the first that is free.
    bots
        How many bots play with you.
    style
        How they play.
    chips
        What everybody sits down with.
    seed
        Deal the same cards again in every game with this seed.
    dealer
        With person you sit in the dealer's chair and perform each act.
    shadow
        Follow a real table: type bets, decisions and every card as it is dealt, and hear each payment.
    record
        The file that keeps your games; without one, a file in your own data folder.
    no_record
        Keep nothing: the game is gone with the program.
    new
        Begin a new game where an old one waits.
    server
        Play at a table of a running house, such as http://127.0.0.1:8000.
    table
        With --server: the table's name; with a rulebook it is opened where there is none of that name.
    handle
        With --server: the name the house knows you by; afterwards your own data folder keeps it.
    fast
        No pauses.
    four_colours
        Diamonds blue and clubs green.
    plain
        Lines in place of a screen, for pipes and screen readers.
    json
        With --plain: everything told as JSON, one object a line.
    """
    _readable(rulebook=rulebook, mode=mode, tables=tables, limit=limit, seed=seed, record=record)
    _readable(server=server, table=table, handle=handle)
    screen = not (plain or json) and sys.stdin.isatty() and sys.stdout.isatty()
    show = Show(screen, fast, four_colours, json)
    chosen_tables = pairs(tables, "--tables", "trips=B")
    limits = {name: _range(text) for name, text in pairs(limit, "--limit", "ante=5-100").items()}
    if server:
        alone = {
            "--chips": chips != CHIPS,
            "--seed": bool(seed),
            "--dealer person": dealer == "person",
            "--shadow": shadow,
            "--record": record is not None,
            "--no-record": no_record,
        }
        _only("is for a table of your own; leave it out with --server", alone)
        from houseway.play.join_table import TableChoice

        wanted = TableChoice(
            table=table,
            rulebook=rulebook or "",
            seat=seat or 0,
            mode=mode,
            tables=chosen_tables,
            limits=limits,
            bots=bots,
            style=style,
            new=new,
        )
        return _at_house(server, handle, wanted, show)
    _only("is for a table of a house; give --server", {"--table": bool(table), "--handle": bool(handle)})
    # A screen is imported when one is wanted: help and pipes start without it.
    from houseway.play.open_game import GameOptions, default_record, keep, open_game

    book = rulebook or (_picked() if show.screen else BOOK)
    if book is None:
        return 0
    choices = GameOptions(
        rulebook=book,
        mode=mode,
        tables=chosen_tables,
        limits=limits,
        seat=1 if seat is None else seat,
        bots=bots,
        style=style,
        chips=_money(chips),
        seed=seed,
        dealer=dealer,
        shadow=shadow,
    )
    kept = None if no_record else record or default_record()
    store, signer = keep(kept)
    check = None
    try:
        opened = open_game(choices, store, signer, new=new)
        if kept is not None and opened.resumed:
            from houseway.live.background_check import BackgroundCheck

            check = BackgroundCheck(str(kept), opened.stream, signer.public).start()
        return _played(opened, show, check)
    finally:
        if check is not None:
            check.stop()
        store.close()


def _played(opened: OpenGame, show: Show, check: BackgroundCheck | None = None) -> int:
    """A game on a screen, or line by line."""
    from houseway.play.open_game import PlayError

    if show.screen:
        from houseway.play.app import TableApp

        app = TableApp(opened, fast=show.fast, four_colours=show.four_colours, check=check)
        code = app.run()
        if app.problem:
            raise PlayError(app.problem)
        return code or 0
    from houseway.play.plain import play as play_plain

    if isinstance(sys.stdin, TextIOWrapper):
        # A byte that is no letter is a line that is not understood, not a traceback.
        sys.stdin.reconfigure(errors="replace")
    return play_plain(opened, sys.stdin, sys.stdout, json=show.json, check=check)


def _at_house(server: str, handle: str, wanted: TableChoice, show: Show) -> int:
    """Come to a table of a house and play; the seat stays when the program ends, however it ends."""
    from houseway.play.join_table import find_table, known_at, no_choice, open_table, sit_down

    house = known_at(server, handle)
    card = find_table(house, wanted)
    if card is None and not wanted.rulebook:
        if not show.screen:
            raise no_choice(house)
        picked = _picked_at(house)
        if picked is None:
            return 0
        kind, name = picked
        wanted = replace(wanted, **{kind: name})
        card = find_table(house, wanted) if kind == "table" else None
    opened = sit_down(house, card or open_table(house, wanted), wanted.seat, show.patience)
    try:
        code = _played(opened, show)
        if show.screen:
            write(opened.game.farewell)
        return code
    except KeyboardInterrupt:
        write(f"\n{opened.game.farewell}")
        return INTERRUPTED
    finally:
        opened.game.link.close()


def _only(sentence: str, given: Mapping[str, bool]) -> None:
    """Refuse options that mean nothing here."""
    wrong = [f"{option} {sentence}" for option, there in given.items() if there]
    if wrong:
        raise BadInputError(*wrong)


def _readable(**given: object) -> None:
    """Refuse an option with bytes that are no text: it could be neither written down nor told."""
    for name, value in given.items():
        try:
            str(value).encode()
        except UnicodeEncodeError as error:
            option = name.upper() if name == "rulebook" else f"--{name}"
            sentence = f"{option} holds a byte that is no UTF-8 text; write it in letters"
            raise BadInputError(sentence) from error


def _picked() -> str | None:
    from houseway.play.screens import Picker

    sound, broken = sound_rulebooks()
    unusable = [(error.ref, f"cannot be used: {error.problems[0]}") for error in broken]
    return Picker([*((book.id, book.title) for book in sound), *unusable]).run()


def _picked_at(house: House) -> Picked | None:
    from houseway.play.join_table import choices, open_tables
    from houseway.play.screens import Chooser

    books = [(book.id, book.title) for book in sound_rulebooks()[0]]
    return Chooser(choices(open_tables(house), books)).run()


def _range(text: str) -> dict[str, str]:
    low, dash, high = text.partition("-")
    for amount in filter(None, (low, high)):
        _money(amount)
    if not dash:
        raise BadInputError(f"--limit {text}: write the least and the most, such as ante=5-100")
    return {key: amount for key, amount in (("min", low), ("max", high)) if amount}


def _money(text: str) -> int:
    with bad_input():
        return cents(text)
