"""`play`: play at a table in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from cyclopts import Parameter
from msgspec.structs import replace

from houseway.bots import StyleName
from houseway.cli.output import BadInputError, bad_input, house_settings, pairs, write
from houseway.money import cents
from houseway.rules.loader import sound_rulebooks
from houseway.rules.options import GAMES
from houseway.rules.problems import suggest

if TYPE_CHECKING:
    from houseway.client import House
    from houseway.live.background_check import BackgroundCheck
    from houseway.play.join_table import Picked, TableChoice
    from houseway.play.open_game import OpenGame

BOOK = "uth-ma"
CHIPS = "1000"
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class DisplayOptions(NamedTuple):
    """How a game is shown: on a screen or as lines, and at what speed."""

    screen: bool
    fast: bool
    four_colours: bool
    json: bool
    coach: Literal["before", "after"] | None

    @property
    def patience(self) -> float:
        """Seconds a step may wait for the server; 0 for a screen, which must not block."""
        return 0.0 if self.screen else 0.5


def play(
    rulebook: str | None = None,
    /,
    *,
    mode: str = "",
    tables: str = "",
    limit: str = "",
    house: str = "",
    backs: str = "",
    designated: str = "",
    seat: int | None = None,
    positions: int = 1,
    bots: int = 2,
    style: StyleName = "basic",
    chips: str = CHIPS,
    seed: str = "",
    dealer: Literal["machine", "person"] = "machine",
    shadow: bool = False,
    floor: str = "",
    record: Path | None = None,
    no_record: Annotated[bool, Parameter(negative="")] = False,
    new: bool = False,
    server: str = "",
    table: str = "",
    handle: str = "",
    fast: bool = False,
    four_colours: bool = False,
    coach: Literal["before", "after"] | None = None,
    plain: bool = False,
    json: bool = False,
) -> int:
    """Play at a table in the terminal, with play chips.

    Every event is recorded before you see it. After Ctrl-C, a crash or a power cut, run the same command to
    resume the round with the same cards. At the table, F1 shows the keys, and "?" shows the
    clause of the message on the screen. Without a message, it shows the clause of the dealer's latest
    sentence or, once wagers are settled, of the selected wager.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file. If you give none, you choose from a list (in plain
        mode, uth-ma is used).
    mode
        The deal mode: manual (the dealer deals by hand) or device (a machine deals). Some wagers exist in
        only one mode; the default is the mode that offers more kinds of wagers.
    tables
        The pay tables, such as trips=B,progressive=PTMGL01.
    limit
        The limits of wagers in dollars, such as ante=5-100,trips=1-25.
    house
        House settings of the rulebook, such as match_play=true. In uth-ma, decks=2,shuffler=device opens a
        table with two decks that take turns.
    backs
        The colour of each deck's back, such as red,blue; default: red, and blue for a second deck.
    designated
        The games for which the house has designated the table, such as ultimate,shootout; default: the
        rulebook's game. The record names the person of --floor.
    seat
        Your seat; default: seat 1, to the dealer's left. With --server, the first free seat.
    positions
        The number of seats you play, if the house setting more_positions allows several.
    bots
        The number of bots that play with you.
    style
        The strategy of the bots; basic is another name for practical.
    chips
        The chips each player starts with, in dollars.
    seed
        Any text. Games with the same seed deal the same cards, unless you type a salt.
    dealer
        With person, you sit in the dealer's chair and perform every step.
    shadow
        Follow a real table: type the bets, decisions and cards, and see every payment.
    floor
        With --dealer person or --shadow: the name of the floor supervisor, recorded for rulings and orders.
        The name is also recorded when an opening check is confirmed, a deck is verified or a payment is
        approved; with --shadow, but without this option, these are recorded as automatic.
    record
        The file that saves your games; default: play.db in your data folder.
    no_record
        Do not save the game.
    new
        Start a new game instead of resuming the last one.
    server
        Play on a server, such as http://127.0.0.1:8000.
    table
        With --server: the table's name. If you also give a rulebook and no such table exists, it is opened.
    handle
        With --server: your name on that server. It is remembered for your next game.
    fast
        Play without pauses.
    four_colours
        Show diamonds in blue and clubs in green.
    coach
        Show the exact value of each choice before you decide (before), or the verdict on your choice as
        soon as you have decided (after).
    plain
        Print lines instead of a full screen, for pipes and screen readers.
    json
        Print one JSON object per line; implies --plain.
    """
    _require_text(rulebook=rulebook, mode=mode, tables=tables, limit=limit, house=house, backs=backs)
    _require_text(designated=designated)
    _require_text(seed=seed, record=record)
    _require_text(server=server, table=table, handle=handle, floor=floor)
    screen = not (plain or json) and sys.stdin.isatty() and sys.stdout.isatty()
    show = DisplayOptions(screen, fast, four_colours, json, coach)
    chosen_tables = pairs(tables, "--tables", "trips=B")
    limits = {name: _range(name, text) for name, text in pairs(limit, "--limit", "ante=5-100").items()}
    settings = house_settings(house, "match_play=true")
    colours = tuple(colour.strip() for colour in backs.split(",")) if backs else ()
    games = tuple(game.strip() for game in designated.split(",")) if designated else ()
    if strange := [game for game in games if game not in GAMES]:
        raise BadInputError(f"--designated: there is no game {strange[0]!r}; {suggest(strange[0], GAMES)}")
    if server:
        local = {
            "--chips": chips != CHIPS,
            "--seed": bool(seed),
            "--dealer person": dealer == "person",
            "--shadow": shadow,
            "--floor": bool(floor),
            "--record": record is not None,
            "--no-record": no_record,
        }
        _reject("does not work with --server; leave it out", local)
        from houseway.play.join_table import TableChoice

        choice = TableChoice(
            table=table,
            rulebook=rulebook or "",
            seat=seat or 0,
            positions=positions,
            mode=mode,
            tables=chosen_tables,
            limits=limits,
            house=settings,
            backs=colours,
            designated=games,
            bots=bots,
            style=style,
            new=new,
        )
        return _play_on_server(server, handle, choice, show)
    _reject("needs --server", {"--table": bool(table), "--handle": bool(handle)})
    if record is not None and no_record:
        raise BadInputError("--record and --no-record cannot be used together; give only one of them")
    # Imported here: help and --plain start faster without the screen.
    from houseway.play.open_game import GameOptions, default_record, keep, open_game

    book = rulebook or (_choose_rulebook() if show.screen else BOOK)
    if book is None:
        return 0
    options = GameOptions(
        rulebook=book,
        mode=mode,
        tables=chosen_tables,
        limits=limits,
        house=settings,
        backs=colours,
        designated=games,
        seat=1 if seat is None else seat,
        positions=positions,
        bots=bots,
        style=style,
        chips=_money(chips, "--chips"),
        seed=seed,
        dealer=dealer,
        shadow=shadow,
        floor=floor,
    )
    file = None if no_record else record or default_record()
    store, signer = keep(file)
    check = None
    try:
        opened = open_game(options, store, signer, new=new)
        if file is not None and opened.resumed:
            from houseway.live.background_check import BackgroundCheck

            check = BackgroundCheck(str(file), opened.stream, signer.public).start()
        return _run_game(opened, show, check)
    finally:
        if check is not None:
            check.stop()
        store.close()


def _run_game(opened: OpenGame, show: DisplayOptions, check: BackgroundCheck | None = None) -> int:
    """Run a game on a screen or as plain lines, and return the exit code."""
    from houseway.play.open_game import PlayError

    if show.screen:
        from houseway.play.app import TableApp

        app = TableApp(
            opened, fast=show.fast, four_colours=show.four_colours, check=check, coach=show.coach
        )
        code = app.run()
        if app.problem:
            raise PlayError(app.problem)
        return code or 0
    from houseway.play.plain_screen import play as play_plain

    if isinstance(sys.stdin, TextIOWrapper):
        # Undecodable bytes become an unknown command, not a traceback.
        sys.stdin.reconfigure(errors="replace")
    return play_plain(opened, sys.stdin, sys.stdout, json=show.json, check=check, coach=show.coach)


def _play_on_server(server: str, handle: str, choice: TableChoice, show: DisplayOptions) -> int:
    """Join a server's table and play. The player keeps the seat when the program ends."""
    from houseway.play.join_table import find_table, no_choice, open_table, sign_in, sit_down

    house = sign_in(server, handle)
    card = find_table(house, choice)
    if card is None and not choice.rulebook:
        if not show.screen:
            raise no_choice(house)
        picked = _choose_table(house)
        if picked is None:
            return 0
        kind, name = picked
        choice = replace(choice, **{kind: name})
        card = find_table(house, choice) if kind == "table" else None
    card = card or open_table(house, choice)
    opened = sit_down(house, card, choice.seat, show.patience, choice.positions)
    try:
        code = _run_game(opened, show)
        if show.screen:
            write(opened.game.farewell)
        return code
    except KeyboardInterrupt:
        write(f"\n{opened.game.farewell}")
        return INTERRUPTED
    finally:
        opened.game.link.close()


def _reject(problem: str, options: Mapping[str, bool]) -> None:
    """Raise an error for each option that is set."""
    wrong = [f"{option} {problem}" for option, is_set in options.items() if is_set]
    if wrong:
        raise BadInputError(*wrong)


def _require_text(**options: object) -> None:
    """Raise an error for an option that is not valid UTF-8, because it could not be saved or printed."""
    for name, value in options.items():
        try:
            str(value).encode()
        except UnicodeEncodeError as error:
            option = name.upper() if name == "rulebook" else f"--{name}"
            raise BadInputError(f"{option} is not valid UTF-8 text; retype it") from error


def _choose_rulebook() -> str | None:
    from houseway.play.screens import RulebookPicker

    sound, broken = sound_rulebooks()
    unusable = [(error.ref, f"cannot be used: {error.problems[0]}") for error in broken]
    return RulebookPicker([*((book.id, book.title) for book in sound), *unusable]).run()


def _choose_table(house: House) -> Picked | None:
    from houseway.play.join_table import choices, open_tables
    from houseway.play.screens import Chooser

    books = [(book.id, book.title) for book in sound_rulebooks()[0]]
    return Chooser(choices(open_tables(house), books)).run()


def _range(name: str, text: str) -> dict[str, str]:
    """Read the minimum and the maximum of a limit, such as 5-100."""
    low, dash, high = text.partition("-")
    for amount in filter(None, (low, high)):
        _money(amount, f"--limit {name}")
    if not dash:
        raise BadInputError(f"--limit {name}={text}: give the minimum and the maximum, such as ante=5-100")
    return {key: amount for key, amount in (("min", low), ("max", high)) if amount}


def _money(text: str, option: str) -> int:
    with bad_input(f"{option}: "):
        return cents(text)
