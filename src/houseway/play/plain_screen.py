"""The table in plain mode, for pipes, screen readers and tests: prints sentences and reads commands."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from threading import Event
from typing import Any, TextIO

import msgspec

from houseway.cards import CardError, card, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.refusals import Refusal
from houseway.live.background_check import BackgroundCheck
from houseway.money import MoneyError, cents, exactly, spoken
from houseway.narrate.player_words import bets_text
from houseway.narrate.render import in_words
from houseway.play.betting_spots import affordable, all_spots, bet_example, unknown_spot
from houseway.play.coach import Coach, When
from houseway.play.decision import fold_words
from houseway.play.event_text import Announcement
from houseway.play.game import Game, add_salt
from houseway.play.open_game import OpenGame
from houseway.play.prompt import Prompt
from houseway.play.round_list import history_text
from houseway.play.seat_view import is_standing, on_layout, play_command
from houseway.play.staff_commands import (
    NOT_HERE,
    answer,
    challenge,
    key_award,
    misdeal,
    name_floor,
    order,
    perform,
    recut,
    remove,
    report,
    ruling,
    staff,
    steps_text,
    type_line,
    unquoted,
)
from houseway.play.wager_words import (
    citation,
    clause_text,
    extras_text,
    house_way_text,
    limits_text,
    pays_text,
    refusal_text,
)
from houseway.rules.problems import closest_hint
from houseway.wording import several, shown_name, stored_name

HELP = resources.files("houseway.play").joinpath("plain_help.txt").read_text("utf-8").rstrip()

FREE: dict[str, type[c.Check | c.Fold]] = {"check": c.Check, "c": c.Check, "fold": c.Fold, "f": c.Fold}
"""The words for decisions that cost nothing."""
STAFF: dict[str, Callable[[Game, list[str]], c.Command | str]] = {
    "report": report,
    "ruling": ruling,
    "recut": lambda game, rest: recut(game),
    "misdeal": misdeal,
    "order": order,
    "answer": answer,
    "key": key_award,
    "remove": remove,
}
"""The commands of the dealer and the floor supervisor."""
DECISIONS = ("check", "fold", "play", "keep", "split", "challenge", "stand", "sit")
"""The words of a player's decisions."""
STAFF_HELP: tuple[str, ...] = (
    "next", "do", "steps", "floor", "report", "misdeal", "order", "ruling", "recut", "reset", "answer",
    "key", "remove",
)  # fmt: skip
"""The words that `help` leaves out for a player."""
CHAIR_HELP: tuple[str, ...] = ("next", "do", "steps")
"""The words that `help` leaves out at a real table."""
PLAYER_HELP: tuple[str, ...] = (
    "bet", "rebet", "back", "deal", "check", "4x", "keep", "split", "challenge", "reset", "stand", "salt",
    "chips", "seat",
)  # fmt: skip
"""The words that `help` leaves out in the dealer's chair."""
TIMES = re.compile("([0-9]{1,3})x?")
AMOUNT = re.compile(r"[$]?[0-9]{1,6}([.][0-9]{2})?")
LONGEST = 60
"""An error message repeats at most this many characters of an unknown command."""
LOOK = 0.1
"""Seconds between two checks for messages while a line is being typed."""
Answer = list[Announcement] | Refusal | str


class PlainScreen:
    """Prints the game: as sentences, or as one JSON object per line."""

    def __init__(
        self,
        out: TextIO,
        *,
        json: bool,
        borrowed: Collection[str] = (),
        advise: Callable[[], str] = str,
    ) -> None:
        self.advise = advise
        """Returns the coach's line before a decision; empty if there is none."""
        self._out = out
        self._json = json
        self._borrowed = borrowed
        self.clause = ""
        """The last clause that was printed."""

    def say(self, announcements: list[Announcement], quote: str = "Dealer: ") -> None:
        """Write announcements; `quote` introduces words that the dealer says aloud."""
        for announcement in announcements:
            self.clause = announcement.clause or self.clause
            if self._json:
                self.write("", **msgspec.to_builtins(announcement))
            else:
                script = quote if announcement.text.startswith("“") else "Dealer's script: "
                speaker = script if announcement.kind == "dealer" else ""
                self.write(f"{speaker}{announcement.text}{citation(announcement.clause, self._borrowed)}")

    def refuse(self, refusal: Refusal) -> None:
        """Write a refusal."""
        self.clause = refusal.clause or self.clause
        self.write(refusal_text(refusal, self._borrowed), kind="refused", **msgspec.to_builtins(refusal))

    def write(self, text: str, /, **fields: Any) -> None:
        """Write a text, or in JSON mode the fields; without fields the text is an "answer" object."""
        if self._json:
            text = msgspec.json.encode(fields or {"kind": "answer", "text": text}).decode()
        self._out.write(text + "\n")
        self._out.flush()


def play(
    setup: OpenGame,
    lines: TextIO,
    out: TextIO,
    *,
    json: bool = False,
    check: BackgroundCheck | None = None,
    coach: When | None = None,
) -> int:
    """Play until the input ends, or the player quits or leaves."""
    game, advisor = setup.game, Coach(setup.game, coach)
    screen = PlainScreen(out, json=json, borrowed=game.table.book.borrowed(), advise=advisor.before)
    for text in greeting(setup):
        screen.write(text)
    while True:
        prompt = _next_prompt(game, screen, Event())
        if prompt is None or prompt.kind == "left":
            if game.link.shared:
                screen.write(game.farewell)
            return 0
        if check is not None and check.done:
            screen.write(check.outcome, kind="record", text=check.outcome, sound=check.sound)
            check = None
        _show_prompt(game, prompt, screen)
        line = _line(game, prompt, lines, screen)
        if line is None:
            late = "the table moved on before you answered; see the new prompt"
            screen.refuse(Refusal("late", None, "you", late))
            continue
        words = line.split()
        if not line or (words and words[0] in ("quit", "q", "exit")):
            screen.write(game.farewell)
            return 0
        answer = _run_line(game, prompt, words, screen.clause, advisor)
        if isinstance(answer, Refusal):
            screen.refuse(answer)
        elif isinstance(answer, str):
            screen.write(answer)
        else:
            screen.say(answer)


def _next_prompt(game: Game, screen: PlainScreen, stop: Event) -> Prompt | None:
    """Print events until the person is prompted; None if `stop` is set first."""
    while not stop.is_set():
        prompt = game.prompt
        if prompt is None:
            screen.say(game.step())
        elif prompt.kind == "over":
            screen.say(game.go_on())
        else:
            return prompt
    return None


def _line(game: Game, prompt: Prompt, lines: TextIO, screen: PlainScreen) -> str | None:
    """Read the next line. Return None if the prompt changed while the person typed."""
    if not game.link.shared:
        return lines.readline()
    typed = Event()
    with ThreadPoolExecutor(1) as pool:
        # Until a line is typed, only the other thread uses the game. Ctrl-C must always stop that thread.
        try:
            follower = pool.submit(_follow, game, prompt, screen, typed)
            line = lines.readline()
        finally:
            typed.set()
    return line if follower.result() == game.prompt or not line else None


def _follow(game: Game, prompt: Prompt | None, screen: PlainScreen, typed: Event) -> Prompt | None:
    """Print events until the person has typed a line, and show the prompt again if it changes.

    Return the prompt shown last; None if the table moved on without a new one.
    """
    while not typed.is_set():
        screen.say(game.listen(LOOK))
        if game.prompt != prompt:
            prompt = _next_prompt(game, screen, typed)
            if prompt is not None and prompt.kind != "left":
                _show_prompt(game, prompt, screen)
    return prompt


def greeting(setup: OpenGame) -> list[str]:
    """Return the first lines: the game, its settings, and the round if the game is resumed."""
    game = setup.game
    title = f"{game.table.book.title}, {game.table.mode} deal. Play chips only."
    first = f"{setup.where} {title}".strip()
    notes = list(setup.notes)
    if game.link.shared and game.view.table.seal:
        notes.append(f"Round {game.round.view.round}. The cards are sealed: {game.view.table.seal}.")
    if not setup.resumed:
        return [first, *notes]
    number = game.view.table.round
    resumed = [f"{f'Round {number}' if number else 'The table'} continues where you left it."]
    if game.you and (game.you, 1) in game.round.hands:
        resumed.append(f"Your cards: {in_words(map(card, game.round.hands[game.you, 1]))}.")
    if game.round.view.board:
        resumed.append(f"The board: {in_words(map(card, game.round.view.board))}.")
    return [first, *notes, *resumed]


def _show_prompt(game: Game, prompt: Prompt, screen: PlainScreen) -> None:
    """Write the prompt with the person's options."""
    game.mark_prompted()
    plays = bool(game.you or game.positions)
    stands = prompt.kind == "bet" and plays and is_standing(game.link.view(game.seat), game.seat)
    listed = prompt.kind in ("decide", "act") or stands
    options = [option.says for option in game.options()] if listed else []
    fields: dict[str, Any] = {"kind": "awaits", "why": prompt.kind, "seat": prompt.seat}
    seat = game.view.table.seats.get(game.seat)
    chips = exactly(seat.chips if seat is not None else 0)
    whose = "your" if game.you else f"seat {game.seat}'s"
    match prompt.kind:
        case "bet":
            spots = game.view.yours.spots
            fields["spots"] = msgspec.to_builtins(spots)
            yours = game.view.yours
            fields |= {"tips": yours.tip_spots} if yours.tip_spots else {}
            fields |= {"coupons": True} if yours.coupons else {}
            limits = "; ".join(map(limits_text, spots))
            extras = extras_text(yours.tip_spots, coupons=yours.coupons)
            has = "You have" if game.you else f"Seat {game.seat} has"
            text = f"Place {whose} wagers. {has} {chips}. Limits: {limits}.{extras}"
            if affordable(game) is not None:
                text += f' Type {bet_example(game)}, then "deal".'
            else:
                needs = "You need" if game.you else f"Seat {game.seat} needs"
                text += f' {needs} more chips to bet: type "chips" for a fresh stack.'
            placed = on_layout(game.view, game.seat)
            if placed[0]:
                change = "Press Enter to deal, or type a new bet to replace these."
                text = f"{whose.capitalize()} bets: {bets_text(*placed)} ({chips} left). {change}"
            if stands:
                text = (
                    f'You have stood up, with {chips} left. Type "sit" to take your seat and bet again, or '
                    '"deal" to let this round continue without you.'
                )
        case "decide":
            costs = {o.says: _cost_text(game, o) for o in game.options()}
            text = f"{whose.capitalize()} turn: {'; '.join(says + cost for says, cost in costs.items())}."
        case "cards":
            fields |= {"cards": prompt.cards, "place": prompt.place}
            text = prompt.text or f"Type {several(prompt.cards, 'card')} for {prompt.place}"
            text += "."
        case _:
            screen.say(game.announce_due(), quote="Say: ")
            text = steps_text(game, options)
            first = next((option.command for option in game.options()), None)
            if isinstance(first, c.Perform) and first.count is not None:
                fields["count"] = first.count
                text += f" This records {several(first.count, 'card')}."
                text += ' To record another number, such as 20, type "next 20".'
    if game.clock is not None:
        fields["seconds"] = game.clock
        text = f"{text} {several(game.clock, 'second')}."
    if options:
        fields["options"] = options
    screen.write(text, **fields)
    if advice := screen.advise():
        screen.write(advice, kind="coach", text=advice)


def _cost_text(game: Game, option: Option) -> str:
    """Return the cost of an option, and the limits of an amount that the player may change."""
    if isinstance(option.command, c.Fold):
        return fold_words(game)
    costs = f", {spoken(option.costs)}" if option.costs else ""
    spot = option.amount
    return f"{costs} ({limits_text(spot)})" if spot is not None and spot.least != spot.most else costs


def _run_line(game: Game, prompt: Prompt, words: list[str], last_clause: str, coach: Coach) -> Answer:
    """Run a typed line."""
    word, rest = (words[0].lower(), words[1:]) if words else ("", [])
    if word in ("values", "v", "review"):
        return coach.review() if word == "review" else coach.values_text()
    anytime = _anytime(game, word, rest, last_clause)
    if anytime is not None:
        return anytime
    if prompt.kind == "act":
        return _act(game, word, rest)
    if prompt.kind == "cards" and word not in ("bet", "rebet", "back"):
        return type_line(game, words)
    if word in BETTING and (prompt.kind == "bet" or word != ""):
        return BETTING[word](game, rest)
    command = _decision(game, word, rest)
    return command if isinstance(command, str) else coach.ask(command)


def _anytime(game: Game, word: str, rest: list[str], last_clause: str) -> Answer | None:
    """Run a command that is allowed at every prompt; None if the word is not such a command."""
    match word:
        case "help" | "h":
            return _help(game)
        case "clause" | "?":
            clause = rest[0] if rest else last_clause
            return "\n".join((clause, *clause_text(game.table.book, clause))).strip()
        case "history":
            return history_text(game)
        case "pays":
            return pays_text(game.table)
        case "way":
            return house_way_text(game.table)
        case "leave":
            return game.leave()
        case _ if word in STAFF:
            command = STAFF[word](game, rest)
            return command if isinstance(command, str) else game.ask(command)
        case "floor" if staff(game) is not None:
            return name_floor(game, rest)
        case "seat" if len(rest) > 1 and game.link.cards_prompt is not None:
            return None  # the number of cards of a hand, after a wrong count of the stub
        case "seat" if len(game.seats) > 1:
            chosen = next((seat for seat in game.seats if rest[:1] == [str(seat)]), 0)
            if not chosen:
                listed = ", ".join(map(str, game.seats))
                return f'Your seats are {listed}. Type "seat {game.seats[0]}", for example.'
            game.seat = chosen
            return f"You now act for seat {chosen}."
        case "seat":
            return '"seat" works only with --positions or --shadow.'
        case "floor":
            return NOT_HERE
    return None


def _help(game: Game) -> str:
    """Return the commands that the person can type in this game."""
    if game.chair:
        left_out = PLAYER_HELP
    else:
        left_out = STAFF_HELP if staff(game) is None else CHAIR_HELP
        left_out += ("seat",) if game.you else ()
    # A line that starts with a space continues the entry above it.
    entries = re.split(r"\n(?! )", HELP)
    return "\n".join(entry for entry in entries if entry.split()[0].rstrip(",") not in left_out)


def _wagers(game: Game, rest: list[str]) -> Answer:
    """Place the bets, tips and coupon that a line names; return an error if it cannot be read."""
    known = {spot.wager: spot for spot in game.view.yours.spots or all_spots(game)}
    wagers: dict[str, int] = {}
    tips: dict[str, int] = {}
    coupon = 0
    words = deque(rest)
    while words:
        name = words.popleft().lower()
        if name in ("tip", "coupon"):
            on = words.popleft().lower() if name == "tip" and words else ""
            amount = words.popleft() if words else ""
            try:
                face = cents(amount)
            except MoneyError as error:
                example = '"tip ante 2"' if name == "tip" else '"coupon 10"'
                return f"{f'{name} {on}'.strip()}: {error if amount else f'type {example}, for example'}"
            if name == "tip":
                tips[on] = face
            else:
                coupon = face
            continue
        if words and f"{name}_{words[0].lower()}" in known:
            name = f"{name}_{words.popleft().lower()}"
        if name not in known:
            return unknown_spot(game, name, known)
        spot = known[name]
        if spot.exact and not (words and words[0][:1].isdigit()):
            wagers[spot.wager] = spot.least
            continue
        amount = words.popleft() if words else ""
        try:
            wagers[spot.wager] = cents(amount)
        except MoneyError as error:
            return f"{name}: {error}" if amount else f"How much? The limits are: {limits_text(spot)}."
    if not game.view.yours.spots:
        return game.ask(c.Bet(seat=game.seat, wagers=wagers, tips=tips, coupon=coupon))
    if wagers or tips or coupon:
        return game.bet(wagers, tips, coupon)
    return f"Name a bet and an amount: type {bet_example(game)}."


def _rebet(game: Game, rest: list[str]) -> Answer:
    if not game.last_bet[0]:
        return f"You have not bet yet. Type {bet_example(game)}."
    return game.bet(*game.last_bet)


def _deal(game: Game, rest: list[str]) -> Answer:
    """Finish betting; a player without a wager sits the round out."""
    seat = game.link.view(game.seat).table.seats.get(game.you)
    answer = game.deal()
    sits_out = seat is not None and not seat.hands[1].wagers and not isinstance(answer, Refusal)
    return [Announcement("table", "You have no wager, so you sit out this round.")] if sits_out else answer


BETTING: dict[str, Callable[[Game, list[str]], Answer]] = {
    **dict.fromkeys(("bet", "b"), _wagers),
    **dict.fromkeys(("rebet", "r"), _rebet),
    "back": lambda game, rest: game.bet({}),
    **dict.fromkeys(("deal", "d", ""), _deal),
    "chips": lambda game, rest: game.fresh_chips(),
    "salt": lambda game, rest: add_salt(game, "".join(rest).lower()),
}


def _decision(game: Game, word: str, rest: list[str]) -> c.Command | str:
    """Return the command for a typed line, or an error. The engine refuses a command that is illegal."""
    seat = game.seat
    typed = " ".join((word, *rest))[:LONGEST]
    if word in FREE:
        return FREE[word](seat=seat)
    if typed in ("stand", "stand up"):
        return c.Stand(by=f"seat {seat}", seat=seat)
    options = game.options()
    if word.removesuffix("x").isdecimal() or word == "play":
        size, *more = rest if word == "play" and rest else [word, *rest]
        times = TIMES.fullmatch(size)
        if (times is None or more) and (hint := _keep_hint(game, options)):
            return hint
        if times is None:
            largest = max((play.times for play in _plays(options)), default=4)
            return f'How many times the ante? Type "play {largest}x", for example.'
        more = [part.lower() for part in more if part.lower() != "with"]
        return _play(game, int(times[1]), more, options)
    if word == "challenge":
        return challenge(game, rest)
    if word in ("keep", "k"):
        faces = sorted(word.lower() for word in rest)
        for keep in (option.command for option in options if isinstance(option.command, c.Keep)):
            if sorted(str(card).lower() for card in keep.cards) == faces:
                return keep
    splits = [option for option in options if isinstance(option.command, c.Split)]
    if word in ("split", "s") and splits:
        return _split([part.lower() for part in rest if part not in ("/", "with")], splits)
    if word in ("split", "s") and any(isinstance(option.command, c.Keep) for option in options):
        four = cards(" ".join(game.view.yours.cards[0]))
        return c.Split(seat=seat, first=four[:2], second=four[2:])
    matches = [option for option in options if option.says.startswith(typed)] if word else []
    if len(matches) == 1:
        return matches[0].command
    if not word:
        return f"Choose one: {', '.join(option.says for option in options)}."
    if word in ("keep", "k") and (hint := _keep_hint(game, options)):
        return hint
    if game.link.real and _are_cards(typed):
        return "No cards are needed now. Type the player's bet or decision."
    if word in ("next", "n", "do", "steps"):
        return f'"{word}" works only with --dealer person.'
    if word == "reset":
        return '"reset" works only with --shadow.'
    if word in DECISIONS:
        return f'{typed!r} is not an option now. Type "help" for the list of commands.'
    betting = BETTING if game.prompt_kind == "bet" else ()
    known = [*(option.says for option in options), *betting, "clause", "history", "help", "quit"]
    like = closest_hint(typed, filter(None, known))
    return f"There is no command {typed!r}." + (like or ' Type "help" for the list.')


def _keep_hint(game: Game, options: list[Option]) -> str:
    """Return how to keep two of four cards; empty if the player has no four cards to choose from."""
    keeps = [option.says for option in options if isinstance(option.command, c.Keep)]
    if not keeps:
        return ""
    dealt = " ".join(game.view.yours.cards[0])
    return f'Name two of your four cards ({dealt}): type "{keeps[0]}", for example.'


def _are_cards(text: str) -> bool:
    try:
        return bool(cards(text))
    except CardError:
        return False


def _split(words: list[str], options: list[Option]) -> c.Command | str:
    """Return the command for a split. `words` may name the first hand or both, the second hand's wager and
    its bonus."""
    bonus, amount = "bonus" in words, 0
    faces, typed = (
        (words[: words.index("bonus")], words[words.index("bonus") + 1 :]) if bonus else (words, [])
    )
    if typed:
        try:
            amount = cents(typed[0])
        except MoneyError as error:
            return f"bonus: {error}"
    wager = cents(faces.pop()) if faces and AMOUNT.fullmatch(faces[-1]) else None
    # Splits that break up a pair come last.
    splits = [option.command for option in options if isinstance(option.command, c.Split)]
    for split in sorted(splits, key=lambda split: split.first[0].rank != split.first[1].rank):
        first, second = (sorted(str(face).lower() for face in hand) for hand in (split.first, split.second))
        named = not faces or (sorted(faces[:2]) == first and sorted(faces[2:]) in ([], second))
        if named and (typed or bool(split.bonus) == bonus):
            return msgspec.structs.replace(split, bonus=amount if typed else split.bonus, wager=wager)
    if bonus and not typed:
        return 'You cannot add a bonus for the second hand. Type "split" to split without one.'
    return f'Name the cards of the first hand: type "{options[0].says}", for example.'


def _plays(options: list[Option]) -> list[c.Play]:
    """Return the plays among the options."""
    return [option.command for option in options if isinstance(option.command, c.Play)]


def _play(game: Game, times: int, more: list[str], options: list[Option]) -> c.Command | str:
    """Return the command for a play, with the dealer's tip play if the line names it."""
    plays = _plays(options)
    if not more or not plays:
        return play_command(game.view, game.seat, times)
    if more[0] != "tip" or len(more) > 2:
        sizes = [play.times for play in plays]
        size = times if times in sizes else max(sizes)
        also = f', or "{size}x tip" to add a tip play for the dealer' * any(play.tip for play in plays)
        return f'Type "{size}x" to play{also}.'
    try:
        tip = cents(more[1]) if len(more) == 2 else None
        return play_command(game.view, game.seat, times, tip)
    except MoneyError as error:
        return f"tip: {error}"


def _act(game: Game, word: str, rest: list[str]) -> Answer:
    """Perform the dealer's next step, or the step that the line names."""
    options = game.options()
    count = int(rest[-1]) if rest and TIMES.fullmatch(rest[-1]) and rest[-1].isdecimal() else None
    words = (word, *(rest if count is None else rest[:-1]))
    if words in (("",), ("next",), ("n",)):
        if not options:
            return "There is nothing to do until a player bets."
        return perform(game, options[0].command, count)
    if word == "steps":
        return "\n".join(map(shown_name, game.table.steps))
    name = stored_name(" ".join(words[1:] if word == "do" else words))
    due = next((option for option in options if unquoted(option.says) == unquoted(name)), None)
    if due is not None:
        return perform(game, due.command, count)
    if name in ("deal", "d"):
        return 'You are the dealer: type "next" to perform the next step.'
    if name not in game.table.steps:
        known = (*game.table.steps, *STAFF, "floor", "steps", "history", "help")
        like = closest_hint(name, known)
        if not like and (word in BETTING or word in DECISIONS or word in FREE):
            return f'You are the dealer, so you cannot {word}. Type "steps" for your steps.'
        missing = f"There is no step or command {name!r}." if name else 'Type "do" and the name of a step.'
        return missing + (like or ' Type "steps" for the list.')
    return perform(game, c.Perform(step=name), count)
