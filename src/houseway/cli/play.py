"""`play`: a table in the terminal."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from houseway.cli.output import BadInputError, pairs
from houseway.money import MoneyError, cents
from houseway.rules.loading import rulebook_ids

BOOK = "uth-ma"


def play(
    rulebook: str | None = None,
    /,
    *,
    mode: str = "",
    tables: str = "",
    limit: str = "",
    seat: int = 1,
    bots: int = 2,
    style: Literal["basic", "best", "practical", "beginner", "random"] = "basic",
    chips: str = "1000",
    seed: str = "",
    dealer: Literal["machine", "person"] = "machine",
    shadow: bool = False,
    record: Path | None = None,
    no_record: Annotated[bool, Parameter(negative="")] = False,
    new: bool = False,
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
        Your seat; 1 is at the dealer's left.
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
    # A screen is imported when one is wanted: help and pipes start without it.
    from houseway.audit.store import StoreError
    from houseway.play.opening import Choices, PlayError, default_record, keep, open_game

    screen = not (plain or json) and sys.stdin.isatty() and sys.stdout.isatty()
    book = rulebook or (_picked() if screen else BOOK)
    if book is None:
        return 0
    choices = Choices(
        rulebook=book,
        mode=mode,
        tables=pairs(tables, "--tables", "trips=B"),
        limits={name: _range(text) for name, text in pairs(limit, "--limit", "ante=5-100").items()},
        seat=seat,
        bots=bots,
        style=style,
        chips=_money(chips),
        seed=seed,
        dealer=dealer,
        shadow=shadow,
    )
    try:
        kept = None if no_record else record or default_record()
        store, signer = keep(kept)
        check = None
        try:
            opened = open_game(choices, store, signer, new=new)
            if kept is not None and opened.resumed:
                from houseway.live.checking import BackgroundCheck

                check = BackgroundCheck(str(kept), opened.game.live.stream, signer.public).start()
            if screen:
                from houseway.play.app import TableApp

                app = TableApp(opened, fast=fast, four_colours=four_colours, check=check)
                code = app.run()
                if app.problem:
                    raise PlayError(app.problem)
                return code or 0
            from houseway.play.plain import play as play_plain

            if isinstance(sys.stdin, TextIOWrapper):
                # A byte that is no letter is a line that is not understood, not a traceback.
                sys.stdin.reconfigure(errors="replace")
            return play_plain(opened, sys.stdin, sys.stdout, json=json, check=check)
        finally:
            if check is not None:
                check.stop()
            store.close()
    except (PlayError, StoreError) as error:
        raise BadInputError(str(error)) from error


def _readable(**given: object) -> None:
    """Refuse an option with bytes that are no text: it could be neither written down nor told."""
    for name, value in given.items():
        try:
            str(value).encode()
        except UnicodeEncodeError as error:
            option = name.upper() if name == "rulebook" else f"--{name}"
            raise BadInputError(
                f"{option} holds a byte that is no UTF-8 text; write it in letters"
            ) from error


def _picked() -> str | None:
    from houseway.play.picker import Picker

    return Picker(rulebook_ids()).run()


def _range(text: str) -> dict[str, str]:
    low, dash, high = text.partition("-")
    for amount in filter(None, (low, high)):
        _money(amount)
    if not dash:
        raise BadInputError(f"--limit {text}: write the least and the most, such as ante=5-100")
    return {key: amount for key, amount in (("min", low), ("max", high)) if amount}


def _money(text: str) -> int:
    try:
        return cents(text)
    except MoneyError as error:
        raise BadInputError(str(error)) from error
