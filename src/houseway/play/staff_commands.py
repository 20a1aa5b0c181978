"""Commands of a person who deals, or who follows a real table: reports, rulings, orders and dealing
errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from houseway.cards import CardError, cards
from houseway.engine import commands as c
from houseway.engine.legal import floor_options, legal
from houseway.engine.report_options import ReportOption, known_reports, report_options, ruling_options
from houseway.engine.turn_order import due, places_left
from houseway.money import MoneyError, cents, spoken
from houseway.play.game import Answer, Game
from houseway.play.in_process import LocalTable
from houseway.play.wager_words import citation
from houseway.rules.problems import suggest
from houseway.wording import alternatives, as_sentence, shown_name

NOT_HERE = "Only a dealer or a supervisor can do this. Start the game with --dealer person or --shadow."
NO_FLOOR = 'Name the floor supervisor first: type "floor NAME", or start the game with --floor NAME.'
PLACE = re.compile(r"(seat [1-9][0-9]?|dealer|board|deck)(?= |$)")
NUMBER = re.compile(r"[0-9]{1,3}(?= |$)")
HOLDS = "The number of cards that the hand has, if the table does not know it"
SHORT_HAND = (
    "No cards are being dealt. If a hand was dealt too few cards, report it with the number of its cards. "
    'For example, type "report wrong number dealer 1".'
)
REPORTS = "You can type one of these reports. N is the number of a card, in the order dealt."
NO_REPORTS = "No irregularity can be reported now."
KEYPAD = re.compile(r"(?P<hand>.+?) (seat )?(?P<seat>[1-9][0-9]?)")
REMOVED = re.compile(r"(seat )?(?P<seat>[1-9][0-9]?) (?P<reason>.+)")
CHALLENGER = re.compile(r"((seat )?(?P<seat>[1-9][0-9]?))?")
RULING = "A ruling needs an effect and a reason. Type one of these:"


def staff(game: Game) -> LocalTable | None:
    """Return the table, if the person is in the dealer's chair or follows a real table; otherwise None."""
    link = game.link
    return link if isinstance(link, LocalTable) and (not link.seats or link.real) else None


def report(game: Game, words: Sequence[str]) -> c.Report | str:
    """Return the report that a line describes; without words, the list of reports; or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    options = {option.kind: _asking(link, option) for option in known_reports(link.table, link.live.state)}
    if not options:
        return "Nothing can be reported while the table is closed."
    if not words:
        possible = report_options(link.table, link.live.state)
        asking = [_asking(link, option) for option in possible]
        lines = (f"{_example(option)}: {option.means}{_details(option)}" for option in asking)
        return "\n".join((REPORTS, *lines)) if possible else NO_REPORTS
    text = " ".join(words).lower()
    option = next((option for kind, option in options.items() if f"{text} ".startswith(f"{kind} ")), None)
    if option is None and f"{text} ".startswith("wrong count "):
        return _wrong_count(link)
    if option is None:
        return f"You cannot report {text[:60]!r}; {suggest(text, options)}"
    return _read_report(option, text.removeprefix(option.kind).strip(), words, real=link.real)


def _asking(link: LocalTable, option: ReportOption) -> ReportOption:
    """Return a report that also asks for the number of cards, if only the person can see it."""
    if not link.real or option.kind != "wrong number":
        return option
    return replace(option, asks={"holds": HOLDS, **option.asks})


def _wrong_count(link: LocalTable) -> str:
    """Return how a wrong count of the stub is entered."""
    step = link.table.find("count stub")
    if step is None:
        return "A wrong count is not reported: this table does not count the stub."
    type_it = "type the number when you are asked for it"
    if not link.real:
        type_it = f'at the step "{step.name}", type the number you counted, such as "next 40"'
    return f"A wrong count is not reported: {type_it}."


def next_place(game: Game) -> str:
    """Return the place that gets the next cards, if the dealer's next step deals cards; else ""."""
    link = staff(game)
    if link is None:
        return ""
    now = due(link.table, link.live.state)
    if now is None or now.step.act != "deal":
        return ""
    place = next(iter(places_left(link.table, link.live.state, now.step)), "")
    # The names of the other steps already say where their cards go.
    return place if place != "board" and place not in now.step.name else ""


def _read_report(option: ReportOption, rest: str, words: Sequence[str], *, real: bool) -> c.Report | str:
    """Return the report of a kind; `rest` has the place, the number of the card, and the cards."""
    at, which, count, device, seen, holds = "", 0, None, "", False, None
    if option.places and (place := PLACE.match(rest)):
        at, rest = place[0], rest[place.end() :].strip()
    number = NUMBER.match(rest) if option.places or "count" in option.asks else None
    if number is not None:
        which, rest = int(number[0]), rest[number.end() :].strip()
    if "count" in option.asks:
        which, count = 0, which or None
    if "holds" in option.asks and number is not None:
        which, holds = 0, which
    if "seen" in option.asks and rest.split()[:1] == ["seen"]:
        seen, rest = True, rest.removeprefix("seen").strip()
    if "device" in option.asks:
        # The name of a device is recorded as typed, with its capital letters.
        device, rest = " ".join(words[len(option.kind.split()) :]), ""
    try:
        named = cards(rest)
    except CardError:
        return f"{rest!r} is not part of a report. Type: {_example(option)}"
    if named and not real:
        return f"The table knows its cards; leave them out. Type: {_example(option)}"
    return c.Report(
        kind=option.kind,
        at=at,
        which=which,
        count=count,
        device=device,
        seen=seen,
        cards=named,
        holds=holds,
    )


def _example(option: ReportOption) -> str:
    """Return what to type for a report: "report exposed card PLACE N"."""
    numbered = any(place.cards for place in option.places)
    fields = ["PLACE"] * bool(option.places) + ["N"] * numbered
    shown = {"seen": "[seen]", "holds": "[N]"}
    fields += [shown.get(name, name.upper()) for name in option.asks]
    return " ".join(("report", option.kind, *fields))


def _details(option: ReportOption) -> str:
    """Return the lines under a report: its places with the numbers of their cards, and its other fields."""
    by_cards: dict[tuple[int, ...], list[str]] = {}
    for place in option.places:
        by_cards.setdefault(place.cards, []).append(place.place)
    groups = [f"{', '.join(places)}{_numbers(cards)}" for cards, places in by_cards.items()]
    if len(by_cards) > 1:
        groups = [group if group.endswith(")") else f"{group} (no N)" for group in groups]
    lines = [f"PLACE: {'; '.join(groups)}"] if groups else []
    for field, label in option.asks.items():
        label = f"{label[0].lower()}{label[1:]}"
        seen = f'If {label}, add the word "seen".'
        shown = "N" if field == "holds" else field.upper()
        lines.append(seen if field == "seen" else f"{shown}: {label}")
    return "".join(f"\n  {line}" for line in lines)


def _numbers(cards: Sequence[int]) -> str:
    """Return the numbers of the cards that a report may name at a place, in brackets."""
    if not cards:
        return ""
    return f" (N: {cards[0]})" if len(cards) == 1 else f" (N: {cards[0]} to {cards[-1]})"


def report_lines(game: Game) -> list[str]:
    """Return the commands that report each irregularity now, one for each place and card."""
    link = staff(game)
    lines = []
    for option in report_options(link.table, link.live.state) if link is not None else ():
        if option.asks and not option.places:
            continue
        numbers = {p.place: p.cards or _wrong_numbers(link, option, p.place) for p in option.places}
        places = [f"{place} {n or ''}".strip() for place, some in numbers.items() for n in some]
        lines += [f"report {option.kind} {place}".strip() for place in places or [""]]
    return lines


def _wrong_numbers(link: LocalTable | None, option: ReportOption, place: str) -> Sequence[int]:
    """Return the wrong numbers of cards that a hand of a real table may have: one too few, one too many."""
    if link is None or place == "board" or "holds" not in _asking(link, option).asks:
        return (0,)
    size = link.table.sizes["player" if place.startswith("seat") else place]
    return size - 1, size + 1


def ruling(game: Game, words: Sequence[str]) -> c.MakeRuling | str:
    """Return the ruling that a line describes; without words, the list of effects; or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    options = {option.effect: option for option in ruling_options(link.table, link.live.state)}
    forms = {
        effect: f"ruling {' '.join((effect, *(name.upper() for name in option.asks), 'REASON'))}"
        for effect, option in options.items()
    }
    text = " ".join(words)
    effect = next((effect for effect in options if f"{text.lower()} ".startswith(f"{effect} ")), "")
    if not effect:
        return "\n".join((RULING, *(f"{form}: {options[name].means}" for name, form in forms.items())))
    if not link.floor:
        return NO_FLOOR
    left = text[len(effect) :].split()
    seat, wager, amount = 0, "", 0
    asks = options[effect].asks
    if "seat" in asks:
        left = left[1:] if left[:1] == ["seat"] else left
        if not left or not left[0].isdecimal():
            return f"Name the seat. Type: {forms[effect]}"
        seat, left = int(left[0]), left[1:]
    if "wager" in asks:
        known = link.table.book.wagers
        wager, left = next(
            ((name, left[len(name.split("_")) :]) for name in known
             if [w.lower() for w in left[: len(name.split("_"))]] == name.split("_")),
            ("", left),
        )  # fmt: skip
        if not wager:
            return f"Name the wager: {', '.join(name.replace('_', ' ') for name in known)}."
    if "amount" in asks:
        given = left[0] if left else ""
        try:
            amount = cents(given.lstrip("-+"))
        except MoneyError as error:
            return f"Type an amount such as 2.50, or -2.50 to take it back: {error}."
        amount, left = (-amount if given.startswith("-") else amount), left[1:]
    return c.MakeRuling(
        by="supervisor",
        name=link.floor,
        effect=effect,
        seat=seat,
        wager=wager,
        amount=amount,
        reason=" ".join(left),
    )


ANSWER = 'Type "answer" if the dealer has checked the hand, or "answer floor" if a supervisor has.'


def answer(game: Game, words: Sequence[str]) -> c.AnswerChallenge | str:
    """Return the answer of the dealer, or of the floor supervisor, to a challenge; or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    match [word.lower() for word in words]:
        case [] | ["dealer"]:
            return c.AnswerChallenge()
        case ["floor"]:
            return c.AnswerChallenge(by=f"supervisor {link.floor}") if link.floor else NO_FLOOR
    return ANSWER


def key_award(game: Game, words: Sequence[str]) -> c.KeyAward | str:
    """Return the press of a keypad button that a line describes, or an error."""
    if staff(game) is None:
        return NOT_HERE
    pressed = KEYPAD.fullmatch(" ".join(words).lower())
    if pressed is None:
        example = 'Name the award and the seat: type "key flush seat 3", for example.'
        return f"{example} Type it again to turn the award off."
    return c.KeyAward(hand=pressed["hand"], seat=int(pressed["seat"]))


def remove(game: Game, words: Sequence[str]) -> c.RemovePlayer | str:
    """Return the floor supervisor's order that removes a player from a seat, or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    named = REMOVED.fullmatch(" ".join(words))
    if named is None:
        return 'Name the seat and the reason: type "remove seat 2 holds up the table", for example.'
    if not link.floor:
        return NO_FLOOR
    return c.RemovePlayer(by="supervisor", name=link.floor, seat=int(named["seat"]), reason=named["reason"])


def challenge(game: Game, words: Sequence[str]) -> c.Challenge | str:
    """Return the challenge of the seat that a line names, or of the current seat; or an error."""
    seat = CHALLENGER.fullmatch(" ".join(words).lower())
    if seat is None:
        return 'Name the seat that challenges the dealer\'s hand: type "challenge 2", for example.'
    return c.Challenge(seat=int(seat["seat"] or game.seat))


def type_line(game: Game, words: Sequence[str]) -> Answer | str:
    """Run a line typed at a real table: a challenge, its answer, a press of the keypad, or cards."""
    word, rest = (words[0].lower(), words[1:]) if words else ("", ())
    match word:
        case "challenge":
            command: c.Command | str = challenge(game, rest)
        case "reset":
            command = c.ResetHand()
        case "answer":
            command = answer(game, rest)
        case "key":
            command = key_award(game, rest)
        case _:
            return as_sentence(game.link.type_cards(" ".join(words))) or []
    return command if isinstance(command, str) else game.ask(command)


RECUT = "order a recut"
"""The floor supervisor's order for a new cut, in the list of the dealer's steps."""


def recut(game: Game) -> c.Recut | str:
    """Return the floor supervisor's order for a new cut, or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    return c.Recut(by="supervisor", name=link.floor) if link.floor else NO_FLOOR


def recut_lines(game: Game) -> list[str]:
    """Return the command that orders a new cut, if the floor supervisor may order one now."""
    link = staff(game)
    options = legal(link.table, link.live.state, "floor") if link is not None else []
    return [RECUT for option in options if isinstance(option.command, c.Recut)]


MISDEAL = """You can make a dealing mistake on purpose, to practise reporting it:
misdeal extra PLACE: deal one card too many to a place, as in "misdeal extra seat 2"
misdeal short: skip the hand that should get the next card
Then type "report wrong number" and the place."""


def misdeal(game: Game, words: Sequence[str]) -> c.DealExtra | c.DealShort | str:
    """Return the dealing error that a line describes; without words, the list of errors; or an error."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    text = " ".join(words).lower()
    place = PLACE.fullmatch(text.removeprefix("extra "))
    if text.startswith("extra ") and place is not None and place[0] != "deck":
        return c.DealExtra(at=place[0])
    if text == "short" and link.real and not _deals(link):
        return SHORT_HAND
    return c.DealShort() if text == "short" else MISDEAL


def _deals(link: LocalTable) -> bool:
    """True if the step that is due deals cards."""
    now = due(link.table, link.live.state)
    return now is not None and now.step.act == "deal"


def misdeal_lines(game: Game) -> list[str]:
    """Return the commands that deal a card too many or skip a hand; empty if no cards can be dealt."""
    link = staff(game)
    if link is None or link.live.state.round.betting != "closed" or link.live.state.round.void:
        return []
    seats = (f"seat {number}" for number in link.live.state.round.players)
    return [*(f"misdeal extra {place}" for place in (*seats, "dealer", "board")), "misdeal short"]


ORDERS: Final = (c.ChangeMinimum, c.KeepMinimum, c.HoldSeat, c.ReleaseSeat, c.ReplaceDeck)


def order(game: Game, words: Sequence[str]) -> c.Command | str:
    """Return the floor supervisor's order that a line names; without words, the list of orders.

    Orders are about minimums, held seats and removed decks.
    """
    link = staff(game)
    if link is None:
        return NOT_HERE
    options = floor_options(link.table, link.live.state)
    orders = {option.says: option.command for option in options if isinstance(option.command, ORDERS)}
    if not orders:
        return "There are no orders about minimums, seats or decks now."
    if not words:
        return "\n".join(f"order {says}" for says in orders)
    text, _, until = " ".join(words).partition(" until ")
    says = next((says for says in orders if text and says.startswith(text)), "")
    if not says:
        fixed = link.table.book.limits.get(link.table.entry_wager)
        if "minimum" in words and fixed is not None and fixed.minima is not None:
            clause = citation(link.table.cite(fixed.minima), link.table.book.borrowed())
            offered = f"The minimum here is {alternatives(map(spoken, fixed.minima.value))}.{clause}"
            return "\n".join((f"{offered} You can type:", *(f"order {says}" for says in orders)))
        listed = "\n".join(f"order {says}" for says in orders)
        return f"You cannot give the order {text[:60]!r} now. You can type:\n{listed}"
    if not link.floor:
        return NO_FLOOR
    command = replace(orders[says], name=link.floor)
    return replace(command, until=until) if isinstance(command, c.HoldSeat) else command


def name_floor(game: Game, words: Sequence[str]) -> str:
    """Name the floor supervisor; without a name, return the current one."""
    link = staff(game)
    if link is None:
        return NOT_HERE
    link.floor = " ".join(words) or link.floor
    if not link.floor:
        return 'The floor supervisor has no name yet. Type "floor NAME".'
    return f"The floor supervisor is {link.floor}."


def steps_text(game: Game, options: list[str]) -> str:
    """Return the dealer's next step, and the other lines that the dealer may type instead."""
    if not options:
        return f"Next step: {game.view.waits.stalled or 'wait for a wager'}."
    first, *others = map(shown_name, options)
    place = next_place(game)
    text = f"Next step: {first}{f' ({place})' if place else ''}."
    if others:
        text += f" Or type{' one of' if len(others) > 1 else ''}: {'; '.join(others)}."
    return text


def unquoted(text: str) -> str:
    """Return a text without quotation marks, which a person may leave out."""
    return re.sub('["“”]', "", text)


COUNTED: Final = ("cut", "count stub", "place cut card")
"""The dealer's acts that record a number of cards."""


def perform(game: Game, command: c.Command, count: int | None) -> Answer | str:
    """Perform a step with the number of cards that the person typed, if any.

    Return an error if there is a number and the step does not record one.
    """
    if count is None:
        return game.ask(command)
    if not isinstance(command, c.Perform) or game.table.steps[command.step].act not in COUNTED:
        return f'This step does not record a number of cards. Type the line without "{count}".'
    return game.ask(replace(command, count=count))
