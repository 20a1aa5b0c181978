"""The table line by line: sentences out, words in; for pipes, for screen readers, for tests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TextIO

import msgspec

from houseway.audit.store import StoreError
from houseway.cards import card
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.money import MoneyError, cents, exactly, spoken
from houseway.narrate.render import in_words
from houseway.play.asked import clause_text, pays_text
from houseway.play.checked import Check, outcome, sound
from houseway.play.game import Game
from houseway.play.opening import Opened
from houseway.play.port import Awaited
from houseway.play.telling import Said
from houseway.play.watching import Watching
from houseway.play.words import named, room, sentence, signed
from houseway.rules.problems import meant
from houseway.wording import several

HELP = """bet ante 10 trips 5   put these wagers down, in place of those that lie there
rebet                 the wagers of the last round
back                  take the wagers back
deal                  no more bets (an empty line, once a wager lies)
check, fold, 4x       what the dealer asks for; 3x, 2x and 1x likewise
keep Ah Ad            keep two of four cards
split                 split four cards; split bonus puts a bonus on the second hand as well
challenge             say that the dealer's hand is not set by the house way
clause ID             what a clause says; ? tells of the last one named
pays                  what the pay tables pay
history               the rounds played
salt DIGITS           your own 32 hexadecimal digits for the cut of the sealed cards, before the deal
chips                 fresh play chips, between rounds
seat 2                act for another seat (with --shadow)
next, do STEP, steps  the dealer's acts (with --dealer person)
leave                 leave the table for good; the next game is a new one
quit                  stop; the same command goes on from here"""

TIMES = re.compile("([0-9]{1,3})x?")
LONGEST = 60
"""Characters of a line that is not understood which are said back."""
Answer = list[Said] | Refusal | str


class Teller:
    """Writes what is told: sentences, or one JSON object a line."""

    def __init__(self, out: TextIO, *, json: bool) -> None:
        self._out = out
        self._json = json
        self.clause = ""
        """The clause named last."""

    def say(self, sayings: list[Said]) -> None:
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
        line = (
            msgspec.json.encode(told or {"kind": "answer", "text": text}).decode() if self._json else text
        )
        self._out.write(line + "\n")
        self._out.flush()


def play(
    opened: Opened, lines: TextIO, out: TextIO, *, json: bool = False, check: Check | None = None
) -> int:
    """Play until the input ends, or the player quits or leaves."""
    game, teller = opened.game, Teller(out, json=json)
    for text in greeting(opened):
        teller.write(text)
    while True:
        while (awaited := game.awaited) is None:
            teller.say(game.step())
        if awaited.why == "left":
            if game.link.shared:
                teller.write(game.farewell)
            return 0
        if awaited.why == "over":
            teller.say(game.go_on())
            continue
        if check is not None and check.done:
            teller.write(outcome(check), kind="record", text=outcome(check), sound=sound(check))
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


def _line(game: Game, awaited: Awaited, lines: TextIO, teller: Teller) -> str | None:
    """The next line typed; None where the table did not wait for it."""
    if not game.link.shared:
        return lines.readline()
    with Watching(game, awaited, teller.say, lambda asked: _prompt(game, asked, teller)) as watching:
        line = lines.readline()
    return line if watching.asked == game.awaited or not line else None


def greeting(opened: Opened) -> list[str]:
    """What a person should know first: the game, whether it goes on, what the house has not chosen."""
    game = opened.game
    title = f"{game.table.book.title}, {game.table.mode} deal. Play chips only."
    first = f"{opened.where} {title}".strip()
    notes = [f"In force: {'; '.join(opened.notes)}."] if opened.notes else []
    if game.link.shared and game.view.table.seal:
        notes.append(f"Round {game.seen.number}. The cards are sealed: {game.view.table.seal}.")
    if not opened.resumed:
        return [first, *notes]
    lies = game.view.table
    told = [f"Round {lies.round} goes on where it stood."]
    if game.you and (game.you, 1) in game.seen.hands:
        told.append(f"Your cards: {in_words(map(card, game.seen.hands[game.you, 1]))}.")
    if game.seen.board:
        told.append(f"The board: {in_words(map(card, game.seen.board))}.")
    return [first, *notes, *told]


def _prompt(game: Game, awaited: Awaited, teller: Teller) -> None:
    """Say who is awaited for what, and what may be done."""
    game.prompted()
    options = [option.says for option in game.options()] if awaited.why in ("decide", "act") else []
    told: dict[str, Any] = {"kind": "awaits", "why": awaited.why, "seat": awaited.seat}
    lies = game.view.table.seats.get(game.seat)
    chips = lies.chips if lies is not None else 0
    whose = "Your" if game.you else f"Seat {game.seat}'s"
    match awaited.why:
        case "bet":
            told["spots"] = msgspec.to_builtins(game.spots())
            text = f"{whose} wagers, of {exactly(chips)}: {'; '.join(map(room, game.spots()))}. Then deal."
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
    if isinstance(command, (str, list, Refusal)):
        return command
    return game.ask(command)


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
        board, dealer = (" ".join(faces) or "–" for faces in (seen.board, seen.dealer))
        own = " ".join(seen.hands.get((game.you, 1), ())) or "–"
        mine = [(seat, net) for seat, net in seen.net.items() if game.you in (0, seat)]
        came = ", ".join(signed(net) if game.you else f"seat {seat} {signed(net)}" for seat, net in mine)
        yours = f", yours {own}" if game.you else ""
        told.append(f"Round {seen.number}: board {board}, dealer {dealer}{yours}: {came or 'not in it'}")
    return "\n".join(told)


def _wagers(game: Game, rest: list[str]) -> Answer:
    known = {named(spot.wager).replace(" ", "_"): spot for spot in game.spots()}
    wagers: dict[str, int] = {}
    at = 0
    while at < len(rest):
        name = rest[at].lower()
        if f"{name}_{rest[at + 1].lower() if at + 1 < len(rest) else ''}" in known:
            name, at = f"{name}_{rest[at + 1].lower()}", at + 1
        if name not in known:
            return f"{name!r} is no spot here; {meant(name, known)}"
        spot = known[name]
        given = rest[at + 1] if at + 1 < len(rest) else ""
        if not given[:1].lstrip("$").isdigit() and spot.exact:
            wagers[spot.wager] = spot.least
            at += 1
            continue
        try:
            wagers[spot.wager] = cents(given)
        except MoneyError as error:
            return f"{name}: {error}" if given else f"{name} needs an amount; it takes {room(spot)}"
        at += 2
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


def _decision(game: Game, word: str, rest: list[str]) -> c.Command | Answer:
    """The command a word stands for; what may not be done is refused by the engine, with its clause."""
    seat = game.seat
    spoken_words = " ".join((word, *rest))[:LONGEST]
    if word in ("check", "c"):
        return c.Check(seat=seat)
    if word in ("fold", "f"):
        return c.Fold(seat=seat)
    if word.removesuffix("x").isdecimal() or word == "play":
        times = TIMES.fullmatch(rest[0] if word == "play" and rest else word)
        if times is None:
            return "say how many times the ante, such as play 4x"
        return c.Play(seat=seat, times=int(times[1]))
    options = game.options()
    if word in ("keep", "k"):
        wanted = sorted(" ".join(rest).lower().split())
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
