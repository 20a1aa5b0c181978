"""How a game is opened, or taken up again from its record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import count, cycle
from pathlib import Path
from typing import Any

import msgspec

from houseway.audit.signatures import Signer
from houseway.audit.store import Store, StoreError
from houseway.bots import style_of
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.live import LiveTable, TableServices
from houseway.live.default_terms import offering
from houseway.live.live_table import ASK
from houseway.live.record_files import data_folder, keep
from houseway.live.table_plan import CHIPS
from houseway.live.table_shoes import Maker, SealedShoes, Typed
from houseway.money import dollars, spoken
from houseway.play.game import Game
from houseway.play.in_process import Dictation, InProcess
from houseway.play.port import PlayError
from houseway.play.wager_words import sentence
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook
from houseway.shoe import Entropy, Kernel, Seeded

NAMES = ("Ines", "Otto", "Vera", "Jun", "Theo", "Maren")


class GameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a game the same game: chosen alike, it is taken up again."""

    rulebook: str = "uth-ma"
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    seat: int = 1
    bots: int = 2
    style: str = "basic"
    chips: int = CHIPS
    seed: str = ""
    dealer: str = "machine"
    shadow: bool = False


class Opened(msgspec.Struct, frozen=True):
    """A game with what a person should know of it first."""

    game: Game
    resumed: bool
    """True if it continues where it stopped."""
    notes: tuple[str, ...]
    """What is in force that nobody chose."""
    where: str = ""
    """Where it is played, in a sentence; empty for this machine."""
    stream: str = ""
    """Its record on this machine."""


def default_record() -> Path:
    """The file games are kept in where none is named."""
    return data_folder() / "play.db"


class _Repeating(SealedShoes):
    """Shoes that depend on the seed and the number of the shuffle alone: games of a seed are the same."""

    def __init__(self, seed: str, stream: str) -> None:
        super().__init__(Seeded(seed))
        self._stream = stream

    def secret(self, name: str) -> bytes:
        return super().secret(name.removeprefix(f"{self._stream}/"))


def open_game(choices: GameOptions, store: Store, signer: Signer, *, new: bool = False) -> Opened:
    """The game last begun with these choices and not left, or a new one."""
    book = load(choices.rulebook)
    given = offering(book, choices.mode, choices.tables, choices.limits)
    _check(choices, book)
    named = hashlib.sha256(msgspec.json.encode((choices, book.hash))).hexdigest()[:8]
    series = f"play-{book.id}-{named}"
    number = next(n for n in count(1) if store.head(f"{series}-{n}") is None)
    entropy: Entropy = Seeded(choices.seed) if choices.seed else Kernel()
    house = TableServices(store, signer, entropy)
    dictation = Dictation() if choices.shadow else None
    if number > 1 and not new:
        last = f"{series}-{number - 1}"
        try:
            live = LiveTable.resume(house, last, _maker(choices, last, dictation))
        except (msgspec.MsgspecError, ValueError) as error:
            raise PlayError(f"the record of {last} cannot be read ({error}); {ASK}") from error
        if live.state.section != "closed":
            return _seated(choices, live, dictation, resumed=True)
    opening = c.OpenTable(
        designated=(book.game,),
        backs=("red",),
        examples=True,
        # At a real table cards come to one place at a time, as they do where a person deals.
        dealer="person" if choices.shadow else choices.dealer,
    )
    stream = f"{series}-{number}"
    opened = LiveTable.open(house, stream, book, given, opening, _maker(choices, stream, dictation))
    if isinstance(opened, Refusal):
        raise PlayError(sentence(opened))
    return _seated(choices, opened, dictation, resumed=False)


def _check(choices: GameOptions, book: Rulebook) -> None:
    own = 0 if choices.dealer == "person" else 1
    if not 0 <= choices.bots <= book.seats - own:
        raise PlayError(f"{book.id} has {book.seats} seats: give 0 to {book.seats - own} bots")
    if own == 0 and (choices.shadow or not choices.bots):
        wrong = "is for a real dealer" if choices.shadow else "needs players"
        right = "give --shadow or --dealer person" if choices.shadow else "give one bot or more"
        raise PlayError(f"the dealer's chair {wrong}; {right}")
    if own and not 1 <= choices.seat <= book.seats:
        raise PlayError(f"seats are numbered from 1 to {book.seats}; there is no seat {choices.seat}")
    if choices.chips <= 0:
        raise PlayError("a player sits down with chips; give --chips an amount such as 1000")


def _maker(choices: GameOptions, stream: str, dictation: Dictation | None) -> Maker | None:
    if dictation is not None:
        return Typed(dictation.shoe)
    return _Repeating(choices.seed, stream) if choices.seed else None


def _seated(choices: GameOptions, live: LiveTable, dictation: Dictation | None, *, resumed: bool) -> Opened:
    """The game with everybody in a seat."""
    every = range(1, live.table.seats + 1)
    if choices.shadow:
        yours, others = list(every)[: choices.bots + 1], []
    else:
        yours = [] if choices.dealer == "person" else [choices.seat]
        others = [seat for seat in (*every[choices.seat :], *every[: choices.seat]) if seat not in yours]
    # A game without a seed plays anew each time; taken up again it goes on as it would have.
    seed = choices.seed or live.stream
    bots = dict.fromkeys(sorted(others[: choices.bots]), style_of(choices.style))
    names = dict(zip(bots, cycle(NAMES), strict=False))
    for seat in (*yours, *bots):
        if seat not in live.state.seats:
            own = "You" if len(yours) == 1 else f"Player {seat}"
            told = live.send(c.Sit(seat=seat, player=names.get(seat, own), chips=choices.chips))
            if isinstance(told, Refusal):
                raise PlayError(sentence(told))
    link = InProcess(live, yours, bots, seed=seed, chips=choices.chips, dictation=dictation)
    return Opened(Game(link), resumed, tuple(notes(live.table)), stream=live.stream)


def notes(table: Table) -> list[str]:
    """What is in force that the house has not chosen itself, and the limits posted."""
    terms = table.terms
    found = []
    for name, setting in terms.rulebook.house.items():
        if setting.required and setting.assumed is not None and not terms.chooses(name):
            found.append(f"{name} is the example {_told(setting.kind, terms.house(name))}")
    limits = [
        f"{name} {spoken(bound.low or 0)} to {spoken(bound.high) if bound.high else 'any amount'}"
        for name, bound in terms.limits.items()
    ]
    return [*found, f"limits: {', '.join(limits)}"] if limits else found


def _told(kind: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} ${dollars(amount)}" for name, amount in value.items())
    return f"${dollars(value)}" if kind == "money" else f"{value} %" if kind == "percent" else str(value)


__all__ = [
    "GameOptions",
    "Opened",
    "PlayError",
    "StoreError",
    "default_record",
    "keep",
    "notes",
    "open_game",
]
