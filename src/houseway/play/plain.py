"""The table line by line: sentences out, words in; for pipes, for screen readers, for tests."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from threading import Event
from typing import Any, TextIO

import msgspec

from houseway.audit.store import StoreError
from houseway.cards import card
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live.background_check import BackgroundCheck
from houseway.money import MoneyError, cents, exactly, spoken
from houseway.narrate.render import in_words
from houseway.play.event_text import Announcement
from houseway.play.game import Game
from houseway.play.open_game import Opened
from houseway.play.port import Awaited
from houseway.play.wager_words import clause_text, named, pays_text, room, sentence, signed
from houseway.rules.problems import meant
from houseway.wording import several

HELP = resources.files("houseway.play").joinpath("plain_help.txt").read_text("utf-8").rstrip()

FREE: dict[str, type[c.Check | c.Fold]] = {"check": c.Check, "c": c.Check, "fold": c.Fold, "f": c.Fold}
"""Decisions that cost nothing, by their words."""
TIMES = re.compile("([0-9]{1,3})x?")
LONGEST = 60
"""Characters of a line that is not understood which are said back."""
LOOK = 0.1
"""Seconds between two looks at whether the line has been typed."""
Answer = list[Announcement] | Refusal | str


class PlainScreen:
    """Writes what is told: sentences, or one JSON object a line."""

    def __init__(self, out: TextIO, *, json: bool) -> None:
        self._out = out
        self._json = json
        self.clause = ""
        """The clause named last."""

    def say(self, sayings: list[Announcement]) -> None:
        """What happened."""
        for one in sayings:
            self.clause = one.clause or self.clause
            if self._json:
                self.write("", **msgspec.to_builtins(one))
            else:
                speaker = "Dealer: " if one.kind == "dealer" else ""
                clause = f" [{one.clause}]" if one.clause else ""
                self.write(f"{speaker}{one.text}{clause}")

    def refuse(self, refusal: Refusal) -> None:
        """Why something is not done."""
        self.clause = refusal.clause or self.clause
        self.write(sentence(refusal), kind="refused", **msgspec.to_builtins(refusal))

    def write(self, text: str, /, **told: Any) -> None:
        """A line for a person, or the same as JSON."""
        if self._json:
            text = msgspec.json.encode(told or {"kind": "answer", "text": text}).decode()
        self._out.write(text + "\n")
        self._out.flush()


def play(
    opened: Opened, lines: TextIO, out: TextIO, *, json: bool = False, check: BackgroundCheck | None = None
) -> int:
    """Play until the input ends, or the player quits or leaves."""
    game, teller = opened.game, PlainScreen(out, json=json)
    for text in greeting(opened):
        teller.write(text)
    while True:
        awaited = _awaited(game, teller, Event())
        if awaited is None or awaited.why == "left":
            if game.link.shared:
                teller.write(game.farewell)
            return 0
        if check is not None and check.done:
            teller.write(check.outcome, kind="record", text=check.outcome, sound=check.sound)
            check = None
        _prompt(game, awaited, teller)
        line = _line(game, awaited, lines, teller)
        if line is None:
            late = "the table went on before that; look what is asked now"
            teller.refuse(Refusal("late", None, "you", late))
            continue
        words = line.split()
        if not line or (words and words[0] in ("quit", "q", "exit")):
            teller.write(game.farewell)
            return 0
        answer = heard(game, awaited, words, teller.clause)
        if isinstance(answer, Refusal):
            teller.refuse(answer)
        elif isinstance(answer, str):
            teller.write(answer)
        else:
            teller.say(answer)


def _awaited(game: Game, teller: PlainScreen, stop: Event) -> Awaited | None:
    """Tell what happens by itself until the person is asked for something; None if `stop` is set before."""
    while not stop.is_set():
        awaited = game.awaited
        if awaited is None:
            teller.say(game.step())
        elif awaited.why == "over":
            teller.say(game.go_on())
        else:
            return awaited
    return None


def _line(game: Game, awaited: Awaited, lines: TextIO, teller: PlainScreen) -> str | None:
    """The next line typed; None where the table did not wait for it."""
    if not game.link.shared:
        return lines.readline()
    typed = Event()
    with ThreadPoolExecutor(1) as pool:
        # Until the line is typed the game belongs to the thread.
        asked = pool.submit(_follow, game, awaited, teller, typed)
        try:
            line = lines.readline()
        finally:
            typed.set()
    return line if asked.result() == game.awaited or not line else None


def _follow(game: Game, asked: Awaited | None, teller: PlainScreen, typed: Event) -> Awaited | None:
    """Tell what others do until the line is typed, and ask again where something else is awaited by then.

    Returns what was asked for last; None if the table went on and has not asked again.
    """
    while not typed.is_set():
        teller.say(game.listen(LOOK))
        if game.awaited != asked:
            asked = _awaited(game, teller, typed)
            if asked is not None and asked.why != "left":
                _prompt(game, asked, teller)
    return asked


def greeting(opened: Opened) -> list[str]:
    """What a person should know first: the game, whether it goes on, what the house has not chosen."""
    game = opened.game
    title = f"{game.table.book.title}, {game.table.mode} deal. Play chips only."
    first = f"{opened.where} {title}".strip()
    notes = [f"In force: {'; '.join(opened.notes)}."] if opened.notes else []
    if game.link.shared and game.view.table.seal:
        notes.append(f"Round {game.seen.view.round}. The cards are sealed: {game.view.table.seal}.")
    if not opened.resumed:
        return [first, *notes]
    lies = game.view.table
    told = [f"Round {lies.round} goes on where it stood."]
    if game.you and (game.you, 1) in game.seen.hands:
        told.append(f"Your cards: {in_words(map(card, game.seen.hands[game.you, 1]))}.")
    if game.seen.view.board:
        told.append(f"The board: {in_words(map(card, game.seen.view.board))}.")
    return [first, *notes, *told]


def _prompt(game: Game, awaited: Awaited, teller: PlainScreen) -> None:
    """Say who is awaited for what, and what may be done."""
    game.prompted()
    options = [option.says for option in game.options()] if awaited.why in ("decide", "act") else []
    told: dict[str, Any] = {"kind": "awaits", "why": awaited.why, "seat": awaited.seat}
    lies = game.view.table.seats.get(game.seat)
    chips = lies.chips if lies is not None else 0
    whose = "Your" if game.you else f"Seat {game.seat}'s"
    match awaited.why:
        case "bet":
            spots = game.view.yours.spots
            told["spots"] = msgspec.to_builtins(spots)
            text = f"{whose} wagers, of {exactly(chips)}: {'; '.join(map(room, spots))}. Then deal."
        case "decide":
            costs = {o.says: f", {spoken(o.costs)}" if o.costs else "" for o in game.options()}
            text = f"{whose} turn: {'; '.join(f'{says}{cost}' for says, cost in costs.items())}."
        case "cards":
            told |= {"cards": awaited.cards, "place": awaited.place}
            text = f"Type {several(awaited.cards, 'card')} for {awaited.place}."
        case _:
            text = f"Your act: {'; '.join(options) or 'wait for a wager'}."
    if game.clock is not None:
        told["seconds"] = game.clock
        text = f"{text} {several(game.clock, 'second')}."
    if options:
        told["options"] = options
    teller.write(text, **told)


def heard(game: Game, awaited: Awaited, words: list[str], last_clause: str) -> Answer:
    """Do what a line asks for."""
    word, rest = (words[0].lower(), words[1:]) if words else ("", [])
    anytime = _anytime(game, word, rest, last_clause)
    if anytime is not None:
        return anytime
    if awaited.why == "cards":
        return game.type_cards(" ".join(words))
    if awaited.why == "act":
        return _act(game, word, rest)
    if word in BETTING and (awaited.why == "bet" or word != ""):
        return BETTING[word](game, rest)
    command = _decision(game, word, rest)
    return command if isinstance(command, str) else game.ask(command)


def _anytime(game: Game, word: str, rest: list[str], last_clause: str) -> Answer | None:
    match word:
        case "help" | "h":
            return HELP
        case "clause" | "?":
            asked = rest[0] if rest else last_clause
            return "\n".join((asked, *clause_text(game.table.book, asked))).strip()
        case "history":
            return history(game)
        case "pays":
            return pays_text(game.table)
        case "leave":
            return game.leave()
        case "seat" if len(game.seats) > 1:
            chosen = next((seat for seat in game.seats if rest[:1] == [str(seat)]), 0)
            if not chosen:
                return f"the seats here are {', '.join(map(str, game.seats))}; write seat {game.seats[0]}"
            game.seat = chosen
            return f"Now for seat {chosen}."
    return None


def history(game: Game) -> str:
    """The rounds played, one a line: board, dealer, the own cards and what came of them."""
    try:
        played = game.history
    except StoreError as error:
        return f"The rounds played cannot be told: {error}."
    if not played:
        return "No round is over yet."
    told = []
    for seen in played:
        board, dealer = (" ".join(faces) or "–" for faces in (seen.view.board, seen.dealer))
        own = " ".join(seen.hands.get((game.you, 1), ())) or "–"
        mine = [(seat, net) for seat, net in seen.view.net.items() if game.you in (0, seat)]
        nets = [signed(net) if game.you else f"seat {seat} {signed(net)}" for seat, net in mine]
        came, yours = ", ".join(nets) or "not in it", f", yours {own}" if game.you else ""
        told.append(f"Round {seen.view.round}: board {board}, dealer {dealer}{yours}: {came}")
    return "\n".join(told)


def _wagers(game: Game, rest: list[str]) -> Answer:
    known = {named(spot.wager).replace(" ", "_"): spot for spot in game.view.yours.spots}
    wagers: dict[str, int] = {}
    words = deque(rest)
    while words:
        name = words.popleft().lower()
        if words and f"{name}_{words[0].lower()}" in known:
            name = f"{name}_{words.popleft().lower()}"
        if name not in known:
            return f"{name!r} is no spot here; {meant(name, known)}"
        spot = known[name]
        if spot.exact and not (words and words[0][:1].isdigit()):
            wagers[spot.wager] = spot.least
            continue
        given = words.popleft() if words else ""
        try:
            wagers[spot.wager] = cents(given)
        except MoneyError as error:
            return f"{name}: {error}" if given else f"{name} needs an amount; it takes {room(spot)}"
    return game.bet(wagers) if wagers else "name a spot and an amount, such as: bet ante 10 trips 5"


def _rebet(game: Game, rest: list[str]) -> Answer:
    return game.bet(game.last_bet) if game.last_bet else "there is no bet to repeat; write bet ante 10"


BETTING: dict[str, Callable[[Game, list[str]], Answer]] = {
    "bet": _wagers,
    "b": _wagers,
    "rebet": _rebet,
    "r": _rebet,
    "back": lambda game, rest: game.bet({}),
    "deal": lambda game, rest: game.deal(),
    "d": lambda game, rest: game.deal(),
    "": lambda game, rest: game.deal(),
    "chips": lambda game, rest: game.fresh_chips(),
    "salt": lambda game, rest: game.add_salt("".join(rest).lower()),
}


def _decision(game: Game, word: str, rest: list[str]) -> c.Command | str:
    """The command a word stands for; what may not be done is refused by the engine, with its clause."""
    seat = game.seat
    spoken_words = " ".join((word, *rest))[:LONGEST]
    if word in FREE:
        return FREE[word](seat=seat)
    if word.removesuffix("x").isdecimal() or word == "play":
        times = TIMES.fullmatch(rest[0] if word == "play" and rest else word)
        if times is None:
            return "say how many times the ante, such as play 4x"
        return c.Play(seat=seat, times=int(times[1]))
    options = game.options()
    if word in ("keep", "k"):
        wanted = sorted(word.lower() for word in rest)
        keeps = [option.command for option in options if isinstance(option.command, c.Keep)]
        for keep in keeps:
            if sorted(str(card).lower() for card in keep.cards) == wanted:
                return keep
    if word in ("split", "s"):
        splits = [option.command for option in options if isinstance(option.command, c.Split)]
        for split in sorted(splits, key=_unpaired):
            if bool(split.bonus) == ("bonus" in rest):
                return split
    meaning = [option for option in options if option.says.startswith(spoken_words)] if word else []
    if len(meaning) == 1:
        return meaning[0].command
    if not word:
        return "the dealer waits for you; " + ", ".join(option.says for option in options)
    known = [*(option.says for option in options), *BETTING, "clause", "history", "help", "quit"]
    return f"{spoken_words!r} is nothing to do now; {meant(spoken_words, filter(None, known))}"


def _unpaired(split: c.Split) -> bool:
    """Whether a split breaks up the pairs; those that keep them come first."""
    return split.first[0].rank != split.first[1].rank


def _act(game: Game, word: str, rest: list[str]) -> Answer:
    """An act in the dealer's chair: the one that is due, or one by its name."""
    options = game.options()
    if word in ("", "next", "n"):
        return game.ask(options[0].command) if options else "nothing is due; the table waits for a wager"
    if word == "steps":
        return "\n".join(game.table.steps)
    name = " ".join(rest if word == "do" else (word, *rest))
    due = next((option for option in options if option.says == name), None)
    if due is not None:
        return game.ask(due.command)
    if name not in game.table.steps:
        return f"{name!r} is no step of the dealer's; {meant(name, game.table.steps)}"
    return game.ask(c.Perform(step=name))
