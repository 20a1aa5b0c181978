"""Open a game, or resume it from its record."""

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
from houseway.engine.terms import read_terms
from houseway.live import LiveTable, TableServices
from houseway.live.default_terms import card_backs, offering
from houseway.live.live_table import ASK
from houseway.live.record_files import data_folder, keep
from houseway.live.table_plan import CHIPS
from houseway.live.table_shoes import SealedShoes, ShoeSource, TypedShoes
from houseway.money import exactly, spoken
from houseway.play.game import Game
from houseway.play.in_process import Dictation, LocalTable
from houseway.play.prompt import PlayError
from houseway.play.wager_words import refusal_text
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook
from houseway.shoe import Entropy, SeededEntropy, SystemEntropy
from houseway.wording import wager_name

SENTENCES = {"seed": "{}", "feed": "{} of each progressive bet goes to the meter"}
"""The text for settings whose names alone are unclear; {} is the value."""
NAMES = ("Ines", "Otto", "Vera", "Jun", "Theo", "Maren")


class GameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a game. Opening a game with the same options resumes it."""

    rulebook: str = "uth-ma"
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    seat: int = 1
    positions: int = 1
    bots: int = 2
    style: str = "basic"
    chips: int = CHIPS
    seed: str = ""
    dealer: str = "machine"
    shadow: bool = False
    floor: str = ""
    """The name of the floor supervisor, if the person deals or follows a real table."""
    house: dict[str, Any] = {}
    backs: tuple[str, ...] = ()
    """The colour of each deck's back; empty for the default colours."""
    designated: tuple[str, ...] = ()
    """The games for which the house has designated the table; empty for the rulebook's game."""


class OpenGame(msgspec.Struct, frozen=True):
    """A game, and the notes to show before it starts."""

    game: Game
    resumed: bool
    """True if the game continues from its record."""
    notes: tuple[str, ...]
    """Sentences about the decks, the example settings in use and the limits."""
    where: str = ""
    """A sentence with the server, table and seat; empty for a game on this machine."""
    stream: str = ""
    """The name of the game's record on this machine; empty for a game on a server."""


def default_record() -> Path:
    """Return the file that games are saved in by default."""
    return data_folder() / "play.db"


class _SeededShoes(SealedShoes):
    """Shoes that depend only on the seed and the shuffle's number. Games with the same seed deal the same
    cards, unless a player adds a salt."""

    def __init__(self, seed: str, stream: str) -> None:
        super().__init__(SeededEntropy(seed))
        self._stream = stream

    def secret(self, name: str) -> bytes:
        return super().secret(name.removeprefix(f"{self._stream}/"))


def open_game(options: GameOptions, store: Store, signer: Signer, *, new: bool = False) -> OpenGame:
    """Resume the last game with these options; open a new one if the player left it or `new` is set."""
    book = load(options.rulebook)
    terms = offering(book, options.mode, options.tables, options.limits, options.house)
    terms |= {"house": options.house} if options.house else {}
    _check(options, book)
    _check_positions(options, book, terms)
    series = _series(options, book)
    number = next(n for n in count(1) if store.head(f"{series}-{n}") is None)
    entropy: Entropy = SeededEntropy(options.seed) if options.seed else SystemEntropy()
    house = TableServices(store, signer, entropy)
    dictation = Dictation() if options.shadow else None
    if number > 1 and not new:
        last = f"{series}-{number - 1}"
        try:
            live = LiveTable.resume(house, last, _shoe_source(options, last, dictation))
        except (msgspec.MsgspecError, ValueError) as error:
            raise PlayError(f"the record of {last} cannot be read ({error}); {ASK}") from error
        if live.state.section != "closed":
            return _seat(options, live, dictation, resumed=True)
    opening = c.OpenTable(
        designated=options.designated or (book.game,),
        designated_by=options.floor if options.designated else "",
        backs=card_backs(read_terms(book, terms)[0], options.backs),
        examples=True,
        # With --shadow, cards are recorded for one place at a time, so the table needs a person as dealer.
        dealer="person" if options.shadow else options.dealer,
        purpose=_purpose(options),
    )
    stream = f"{series}-{number}"
    if options.shadow and "auto_approve" in book.house:
        # This program does not see the approvals of a real table, so the record marks them as automatic,
        # unless the floor supervisor is named: then the program asks, and records them under that name.
        terms["house"] = {"auto_approve": not options.floor, **terms.get("house", {})}
    source = _shoe_source(options, stream, dictation)
    opened = LiveTable.open(house, stream, book, terms, opening, source)
    if isinstance(opened, Refusal):
        raise PlayError(refusal_text(opened))
    return _seat(options, opened, dictation, resumed=False)


def _series(options: GameOptions, book: Rulebook) -> str:
    """Return the first part of the names of all games with these options.

    An option that a later version added is left out if it has its default value, so that earlier games
    keep their names.
    """
    chosen = msgspec.to_builtins(options)
    if not options.house:
        del chosen["house"]
    if options.positions == 1:
        del chosen["positions"]
    if not options.backs:
        del chosen["backs"]
    if not options.designated:
        del chosen["designated"]
    digest = hashlib.sha256(msgspec.json.encode((chosen, book.hash))).hexdigest()[:8]
    return f"play-{book.id}-{digest}"


def _purpose(options: GameOptions) -> str:
    """Return the purpose of the table; a person who deals to bots is in training."""
    if options.shadow:
        return "shadow"
    return "training" if options.dealer == "person" else "live"


def _check(options: GameOptions, book: Rulebook) -> None:
    """Refuse seats, bots or chips that the table cannot have."""
    own = 0 if options.dealer == "person" else options.positions
    if not 0 <= options.bots <= book.seats - own:
        wrong = f"--bots must be 0 to {book.seats - own} (got {options.bots})"
        raise PlayError(f"{wrong}; the table has {book.seats} seats")
    if own == 0 and options.shadow:
        raise PlayError("--shadow and --dealer person cannot be used together; give only one of them")
    if options.shadow and options.house.get("auto_approve") is False and not options.floor:
        wrong = "--shadow with --house auto_approve=false needs the person who approves"
        raise PlayError(f"{wrong}; add --floor NAME, or leave auto_approve out")
    if own == 0 and not options.bots:
        raise PlayError("--dealer person needs players to deal to; give --bots 1 or more")
    if own and not 1 <= options.seat <= book.seats:
        raise PlayError(f"--seat must be 1 to {book.seats} (got {options.seat})")
    if options.chips <= 0:
        raise PlayError("--chips must be more than 0; give an amount such as 1000")


def _check_positions(options: GameOptions, book: Rulebook, data: Mapping[str, Any]) -> None:
    """Refuse several positions unless the house allows them."""
    if options.positions < 1:
        raise PlayError(f"--positions must be at least 1 (got {options.positions})")
    if options.positions == 1:
        return
    if options.shadow or options.dealer == "person":
        raise PlayError("--positions is for a player; leave it out with --shadow and --dealer person")
    terms, _ = read_terms(book, data)
    rule = terms.one_position
    if rule is not None:
        sentence = f"--positions {options.positions} is refused: a player can take one position only"
        allow = "; add --house more_positions=true" if "more_positions" in book.house else ""
        raise PlayError(f"{sentence}{allow} ({terms.cite(rule) or 'house setting more_positions'})")


def _shoe_source(options: GameOptions, stream: str, dictation: Dictation | None) -> ShoeSource | None:
    """Return the source of shoes for typed or seeded cards; None for the default, random shoes."""
    if dictation is not None:
        return TypedShoes(dictation.shoe)
    return _SeededShoes(options.seed, stream) if options.seed else None


def _seat(options: GameOptions, live: LiveTable, dictation: Dictation | None, *, resumed: bool) -> OpenGame:
    """Seat the person and the bots, and return the game."""
    seats = range(1, live.table.seats + 1)
    if options.shadow:
        yours, others = list(seats)[: options.bots + 1], []
    else:
        clockwise = (*seats[options.seat - 1 :], *seats[: options.seat - 1])
        yours = [] if options.dealer == "person" else sorted(clockwise[: options.positions])
        others = [seat for seat in (*seats[options.seat :], *seats[: options.seat]) if seat not in yours]
    # Without a seed the bots use the record's name, so that a resumed game plays on unchanged.
    seed = options.seed or live.stream
    bots = dict.fromkeys(sorted(others[: options.bots]), style_of(options.style))
    names = dict(zip(bots, cycle(NAMES), strict=False))
    for seat in (*yours, *bots):
        if seat not in live.state.seats:
            own = f"Player {seat}" if options.shadow else "You"
            answer = live.send(c.Sit(seat=seat, player=names.get(seat, own), chips=options.chips))
            if isinstance(answer, Refusal):
                raise PlayError(refusal_text(answer))
    link = LocalTable(
        live, yours, bots, seed=seed, chips=options.chips, dictation=dictation, floor=options.floor
    )
    backs = tuple(deck.back for deck in live.state.decks)
    return OpenGame(Game(link), resumed, tuple(notes(live.table, backs)), stream=live.stream)


def notes(table: Table, backs: tuple[str, ...] = ()) -> list[str]:
    """Return sentences about the decks, with their back colours if known, the limits, and the settings that
    have example values."""
    terms = table.terms
    examples = []
    for name, setting in terms.rulebook.house.items():
        if setting.required and setting.assumed is not None and not terms.chooses(name):
            value = _value_text(setting.kind, terms.house(name))
            examples.append(SENTENCES.get(name, f"{wager_name(name)} {{}}").format(value))
    limits = [
        f"{wager_name(n)} {spoken(bound.low or 1)} to {spoken(bound.high) if bound.high else 'any amount'}"
        for n, bound in terms.limits.items()
        if (modes := terms.rulebook.wagers[n].modes) is None or terms.mode in modes.value
    ]
    number = len(card_backs(terms))
    decks = f"{' and '.join(backs)} decks" if backs else f"{number} decks"
    sentences = [f"The {decks} take turns."] if number > 1 else []
    if examples:
        sentences.append(f"Example settings from the rulebook: {'; '.join(examples)}.")
    if limits:
        sentences.append(f"Limits: {', '.join(limits)}.")
    return [*sentences, *(f"{warning}." for warning in terms.warnings)]


def _value_text(kind: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"the {name} meter starts at {exactly(amount)}" for name, amount in value.items())
    return exactly(value) if kind == "money" else f"{value} %" if kind == "percent" else str(value)


__all__ = ["GameOptions", "OpenGame", "PlayError", "StoreError", "default_record", "keep", "open_game"]
