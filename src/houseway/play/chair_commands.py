"""Read the typed commands of the dealer's chair, such as `deal 1-3 dealer` and `pay 3 blind $30`, and turn
them into acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from houseway.cards import CardError, cards
from houseway.engine.command_helpers import hand_name
from houseway.engine.report_options import report_options
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import MoneyError, cents, spoken
from houseway.rules.problems import closest_hint, shortened, suggest
from houseway.rules.procedure import ACTS, KINDS
from houseway.training import acts as a
from houseway.training.act_list import ANYTIME, reportable_kinds, step_names, step_words
from houseway.training.chair import Chair
from houseway.training.chips import CENT, make, tray_values
from houseway.training.due_acts import palette
from houseway.training.special_acts import CHIPS
from houseway.wording import alternatives, as_sentence, shown_name

FORMS: Final = {
    "Ask": ("ask 3", "ask a player to decide; `ask 1-3` asks several, one after another"),
    "Burn": ("burn", "burn a card; `burn 2` burns two"),
    "CallFloor": ("floor", "call the floor"),
    "ColourUp": ("colour 3 4x25 for $100", "change chips: those that you take, then those that you give"),
    "CorrectPayment": ("correct 3 trips", "correct a payment; add the right amount if you like: $15"),
    "CountStub": ("count 17", "announce the number of cards in the stub; `count` alone counts them"),
    "DealCards": ("deal 1-3 dealer", "deal a card to each, in this order; `deal 2 x4`, `deal flop`"),
    "Key": ("key 2 flush", "press a progressive award on the keypad; again to withdraw it"),
    "Pay": ("pay 3 blind $30", "pay a wager; `pay 3 blind 1x25 1x5` names the chips"),
    "Push": ("push 3 ante", "return a wager"),
    "Rack": ("rack 3", "put cards into the discard rack; `rack board`, `rack dealer discards`"),
    "LetStand": ("stands 3 blind", "tell a player that a payment was right"),
    "ReadHand": ("read 3 two pair win", "announce a hand; `read dealer pair qualifies`"),
    "Refuse": (
        "refuse 3 bet",
        "refuse a late bet, or a `tip`, a `take-back` (a bet taken back), or a `decision` out of turn",
    ),
    "ReportIrregularity": (
        "report exposed card seat 2",
        "report an irregularity; `report face-up card deck`",
    ),
    "ResetDealer": ("reset dealer", "set the dealer's hand again by the house way"),
    "SetHand": ("set As Kd", "set the dealer's hand: the two cards to keep"),
    "Take": ("take 3 ante blind", "take lost wagers"),
    "TakeFold": ("take fold 3", "take a folded hand"),
    "Warn": ("warn 3", "tell a player to stop"),
    "TurnUp": ("turn flop", "turn up cards; `turn turn river`, `turn dealer`, `turn 3`"),
}
"""For each kind of act, a command as an example and what it does."""
FILLERS: Final = frozenset({"the", "a", "up", "to", "seat", "seats", "for", "and", "cards", "card"})
RESULTS: Final = {"win": "win", "wins": "win", "lose": "lose", "loses": "lose", "tie": "tie", "push": "tie"}
QUALIFIES: Final = (
    (" does not qualify", False), (" not qualified", False), (" no qualify", False), (" qualifies", True),
)  # fmt: skip
WITH_EQUIPMENT: Final = {"set": "SetHand", "reset": "SetHand", "key": "Key"}
"""The commands that need four cards of the dealer or a keypad, which not every table has."""
OTHER_COMMANDS: Final = ("acts", "help", "table", "clause", "quit")
RANGE: Final = re.compile("([0-9]{1,2})-([0-9]{1,2})")
STACK: Final = re.compile(r"([0-9]{1,4})x[$]?([0-9]{1,6}(?:[.][0-9]{1,2})?)")
"""Chips, the count first: 4x5 is four $5 chips."""
TIMES: Final = re.compile("x([0-9]{1,3})")
MOST_ACTS: Final = 20
"""The most acts of one line."""
MOST_MONEY: Final = 10_000_000_00
"""The largest payment, in cents."""


class CommandError(ValueError):
    """A line is not a command. The message is a sentence that says what to type."""


def read_acts(table: Table, line: str) -> tuple[a.ChairAct, ...]:
    """Return the acts of a typed line; raise CommandError if it is not a command."""
    words = line.replace(",", " ").split()
    if not words:
        raise CommandError('Type an act, "acts" for all acts, or "help".')
    step = _step(table, [word.lower() for word in words])
    if step is not None:
        return (step,)
    word = words[0].lower()
    absent = [name for name, kind in WITH_EQUIPMENT.items() if kind not in palette(table)]
    reader = READERS.get(word) if word not in absent else None
    if reader is None:
        known = [*(name for name in READERS if name not in absent), *OTHER_COMMANDS]
        # The first word of several can only be a misspelt command, because a step has its own words.
        like = closest_hint(" ".join(words).lower(), [*known, *_steps(table)])
        like = like or (closest_hint(word, known) if word not in absent else "")
        raise CommandError(
            f'There is no act "{shortened(line.strip(), 40)}".{like} Type "acts" for all acts.'
        )
    read = tuple(reader(table, words[1:]))
    if len(read) > MOST_ACTS:
        raise CommandError(f"A line can have at most {MOST_ACTS} acts. Type fewer.")
    return read


def check_acts(table: Table, chair: Chair, acts: Iterable[a.ChairAct]) -> None:
    """Raise CommandError if a report does not say which of several places it is about."""
    for act in acts:
        if isinstance(act, a.ReportIrregularity) and not act.at:
            options = report_options(table, chair.state, (act.kind,))
            places = [place.place for one in options for place in one.places]
            if len(places) > 1:
                raise CommandError(
                    f'Say where it is: {alternatives(places)}. Example: "report {act.kind} {places[0]}".'
                )


def rack_by_name(state: State, act: a.ChairAct) -> a.ChairAct:
    """Return an act with the name that a hand has in the rack: after a split, with its number.

    `rack 3` is then the first hand, and `rack 3 hand 1` without a split is the only hand.
    """
    match = re.fullmatch(r"seat (\d+)(?: hand (\d+))?", act.what) if isinstance(act, a.Rack) else None
    seat = state.seats.get(int(match[1])) if match is not None else None
    if match is None or seat is None or int(match[2] or 1) > len(seat.hands):
        return act
    return a.Rack(what=hand_name(int(match[1]), int(match[2] or 1), len(seat.hands)))


def act_lines(table: Table) -> list[str]:
    """Return the command of every act, in alphabetical order, so that it does not show what is next."""
    kinds = [*(name for name in palette(table) if name in FORMS), *ANYTIME]
    if "SetHand" in kinds:
        kinds.append("ResetDealer")
    listed = [_own_words(table, kind) for kind in kinds]
    for what, names in step_names(table).items():
        count = " 20" if what == "cut" else ""
        others = [step_words(table, name) for name in names if _plain(name) != _plain(what)]
        # A name that repeats a word of the act, such as "close the round", says enough about it.
        clear = {word for name in others for word in name.split()} & set(what.split())
        means = [alternatives(others) if others else "", "" if clear else ACTS.get(what, "")]
        listed.append((what + count, ": ".join(filter(None, means))))
    width = max(len(form) for form, _ in listed) + 2
    lines = [f"{form:{width}}{means}".rstrip() for form, means in sorted(listed)]
    kinds_reported = reportable_kinds(table)
    wide = max((len(kind) for kind in kinds_reported), default=0) + 2
    reports = [f"  {kind:{wide}}{KINDS[kind]}" for kind in kinds_reported]
    return [*lines, "Irregularities to report:" if reports else "", *reports]


def _own_words(table: Table, kind: str) -> tuple[str, str]:
    """Return an act's example and meaning with wagers that the table has."""
    form, means = FORMS[kind]
    if "turn" not in _board(table):
        means = means.replace(" `turn turn river`,", "")
    if "ante" in table.book.wagers:
        return form, means
    main, side, *_ = table.book.wagers
    words = {"ante blind": f"{main} {side}", "ante": main, "blind": main, "trips": side}
    for word, own in words.items():
        form, means = form.replace(f" {word}", f" {own}"), means.replace(f" {word}", f" {own}")
    return form, means


# --- steps that are typed by name ---


def _steps(table: Table) -> dict[str, str]:
    """Return the acts of those steps by each text that a person may type for them."""
    return {
        _plain(text): what
        for what, names in step_names(table).items()
        for text in (what, *names, *map(shown_name, names), *(step_words(table, name) for name in names))
    }


def _plain(text: str) -> str:
    return " ".join(word for word in text.lower().split() if word not in ("the", "a"))


def _step(table: Table, words: list[str]) -> a.TakeStep | None:
    steps = _steps(table)
    what = steps.get(_plain(" ".join(words)))
    if what is not None:
        return a.TakeStep(what=what)
    what = steps.get(_plain(" ".join(words[:-1])))
    if what == "cut" and words[-1].isdecimal():
        return a.TakeStep(what=what, count=_count(words[-1]))
    return None


# --- parts of a command ---


def _hint(word: str, words: Iterable[str]) -> str:
    """Return advice about an unknown word, as the end of a sentence."""
    advice = suggest(word, words)
    return advice if advice.endswith("?") else f"{advice}."


def _example(kind: str) -> str:
    return f'Type it like "{FORMS[kind][0]}".'


def _filtered(words: Sequence[str]) -> list[str]:
    """Return words in lower case without articles and other fillers."""
    lower = (word.lower().removesuffix("'s") for word in words)
    return [word for word in lower if word not in FILLERS]


def _seat(table: Table, word: str, kind: str) -> int:
    if not word.isdecimal():
        raise CommandError(f'"{shortened(word, 20)}" is not a seat. {_example(kind)}')
    number = int(word[:4])
    if not 1 <= number <= table.seats:
        raise CommandError(f"There is no seat {number}; the table has seats 1 to {table.seats}.")
    return number


def _seats(table: Table, words: Sequence[str], kind: str) -> list[int]:
    """Return the seats that words name, such as 1 or 1-3, in their order."""
    numbers: list[int] = []
    for word in words:
        span = RANGE.fullmatch(word)
        if span is None:
            numbers.append(_seat(table, word, kind))
            continue
        first, last = (_seat(table, end, kind) for end in span.groups())
        numbers += range(first, last + 1) if first <= last else range(first, last - 1, -1)
    if not numbers:
        raise CommandError(f"The seat is missing. {_example(kind)}")
    return numbers


def _count(word: str) -> int:
    number = int(word[:6]) if word.isdecimal() else 0
    if not 1 <= number <= 1000:
        raise CommandError(f'"{shortened(word, 20)}" is not a number of cards.')
    return number


def _number_after(words: list[str], label: str, kind: str) -> int:
    """Take a label and its number out of the words; return 0 if the label is not there."""
    if label not in words:
        return 0
    index = words.index(label)
    number = words[index + 1 : index + 2]
    if not number or not number[0].isdecimal() or not 0 < int(number[0][:4]) < 1000:
        raise CommandError(f'A number must follow "{label}". {_example(kind)}')
    del words[index : index + 2]
    return int(number[0][:4])


def _hand(words: list[str], kind: str) -> int:
    number = _number_after(words, "hand", kind) or 1
    if number > 2:
        raise CommandError("A seat has at most two hands. Type hand 1 or hand 2.")
    return number


def _money(text: str) -> int:
    try:
        amount = cents(text)
    except MoneyError as error:
        raise CommandError(as_sentence(str(error))) from error
    if amount > MOST_MONEY:
        raise CommandError("The largest payment is $10,000,000.")
    return amount


def _is_money(word: str) -> bool:
    return word[:1] in "$0123456789" and word != ""


def _stack(table: Table, words: Sequence[str], kind: str) -> dict[int, int]:
    """Return chips: counts and values (2x25), or an amount ($30) in the fewest chips."""
    stack: dict[int, int] = {}
    values = tray_values(table)
    for word in words:
        chips = STACK.fullmatch(word)
        if chips is None:
            for value, count in make(values, _money(word)).items():
                stack[value] = stack.get(value, 0) + count
            continue
        value = _money(chips[2])
        if value not in values:
            tray = ", ".join(f"{one / 100:g}" for one in values)
            hint = "Type the count first: 4x5 is four $5 chips."
            raise CommandError(f"The tray has no ${chips[2]} chips. Its chips are {tray}. {hint}")
        stack[value] = stack.get(value, 0) + int(chips[1])
    if not stack:
        raise CommandError(f"You did not say how much. {_example(kind)}")
    return {value: count for value, count in stack.items() if count}


def _wagers(table: Table, words: Sequence[str], kind: str) -> list[str]:
    """Return the wagers that words name, one after another."""
    names = {name.replace("_", " "): name for name in table.book.wagers}
    text, wagers = " ".join(words).replace("_", " "), []
    while text:
        name = next((n for n in names if text == n or text.startswith(f"{n} ")), None)
        if name is None:
            raise CommandError(f'There is no wager "{shortened(text, 30)}"; {_hint(text, names)}')
        wagers.append(names[name])
        text = text[len(name) :].strip()
    if not wagers:
        raise CommandError(f"You did not say which wager. {_example(kind)}")
    return wagers


def _place(table: Table, words: list[str], kind: str) -> str:
    """Take a place out of the words: a seat, the dealer or the board."""
    if not words:
        raise CommandError(f"The place is missing. {_example(kind)}")
    word = words.pop(0)
    return word if word in ("dealer", "board", "deck") else f"seat {_seat(table, word, kind)}"


def _no_hand(table: Table, text: str) -> CommandError:
    return CommandError(f'There is no hand "{shortened(text, 30)}"; {_hint(text, table.terms.order)}')


# --- the commands ---


def _board(table: Table) -> dict[str, int]:
    """Return the number of community cards that each word stands for; the flop are those shown first."""
    steps = table.sections["round"]
    shown = (s for s in steps if s.act == "turn" or (s.act == "deal" and s.face_up and "board" in s.to))
    flop = next((step.each * step.times for step in shown), table.board_size)
    left = table.board_size - flop
    return {"flop": flop, "turn": 1, "river": left - 1} if left else {"flop": flop}


def _deal(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    times = [int(match[1]) for word in rest if (match := TIMES.fullmatch(word))]
    count = times[0] if times else 1
    if not 1 <= count <= 100:
        raise CommandError(f"A deal has at least one card, and at most a hundred. {_example('DealCards')}")
    places = [word for word in rest if not TIMES.fullmatch(word)]
    if not places:
        raise CommandError(f"Say where the cards go. {_example('DealCards')}")
    board = _board(table)
    if all(word in board for word in places):
        yield a.DealCards(place="board", count=sum(board[word] for word in places))
        return
    for word in places:
        if word in ("dealer", "board"):
            yield a.DealCards(place=word, count=count)
        else:
            for seat in _seats(table, [word], "DealCards"):
                yield a.DealCards(place=f"seat {seat}", count=count)


def _burn(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    yield a.Burn(count=_count(rest[0]) if rest else 1)


def _turn(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    # "turn" is also the name of a community card, so "turn turn" is right.
    rest, board = _filtered(words), _board(table)
    if rest and all(word in board for word in rest):
        yield a.TurnUp(place="board", count=sum(board[word] for word in rest))
        return
    hand = _hand(rest, "TurnUp")
    place = _place(table, rest, "TurnUp")
    count = _count(rest[0].removeprefix("x")) if rest else 1
    yield a.TurnUp(place=place, hand=hand, count=count if place == "board" else 0)


def _ask(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    for seat in _seats(table, _filtered(words), "Ask"):
        yield a.Ask(seat=seat)


def _read(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    kind = "ReadHand"
    # Only the place may have fillers: "four of a kind" keeps its article.
    rest = [word.lower().removesuffix("'s") for word in words]
    while rest and rest[0] in FILLERS:
        rest.pop(0)
    place = _place(table, rest, kind)
    hand = _hand(rest, kind)
    text = f" {' '.join(rest)}"
    qualifies = None
    for ending, value in QUALIFIES:
        if text.endswith(ending):
            text, qualifies = text.removesuffix(ending), value
    result = RESULTS.get(text.rpartition(" ")[2], "")
    reads = (text.rpartition(" ")[0] if result else text).strip()
    if reads not in table.terms.order:
        raise _no_hand(table, reads)
    yield a.ReadHand(place=place, hand=hand, reads=reads, result=result, qualifies=qualifies)


def _wager_act(table: Table, words: Sequence[str], kind: type[a.WagerAct]) -> Iterator[a.ChairAct]:
    name = kind.__name__
    rest = _filtered(words)
    of = (0, 0)
    if "of" in rest:
        start = rest.index("of")
        other = rest[start + 1 :]
        money = [word for word in other[1:] if _is_money(word) and other[other.index(word) - 1] != "hand"]
        other = [word for word in other if word not in money]
        rest = rest[:start] + money
        hand_of = _hand(other, name)
        of = (_seats(table, other[:1], name)[0], hand_of)
    hand = _hand(rest, name)
    tip = "tip" in rest
    rest = [word for word in rest if word not in ("tip", "on")]
    seat = _seats(table, rest[:1], name)[0]
    money = [word for word in rest[1:] if _is_money(word)]
    wagers = _wagers(table, [word for word in rest[1:] if not _is_money(word)], name)
    target: dict[str, Any] = {"seat": seat, "hand": hand, "tip": tip, "of": of}
    if kind is not a.Pay:
        if money:
            raise CommandError(f"{name} the whole wager, without an amount. {_example(name)}")
        for wager in wagers:
            yield kind(wager=wager, **target)
        return
    if len(wagers) > 1:
        raise CommandError(f"Pay one wager at a time. {_example(name)}")
    yield a.Pay(wager=wagers[0], chips=_stack(table, money, name), **target)


def _take(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    if rest[:1] == ["fold"]:
        for seat in _seats(table, rest[1:], "TakeFold"):
            yield a.TakeFold(seat=seat)
        return
    yield from _wager_act(table, words, a.Take)


def _colour(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    lower = [word.lower() for word in words if word.lower() not in ("seat", "up", "the")]
    if "for" not in lower[1:]:
        raise CommandError(f"Name the chips that you take and those that you give. {_example('ColourUp')}")
    seat = _seats(table, lower[:1], "ColourUp")[0]
    middle = lower.index("for")
    taken, given = (_stack(table, part, "ColourUp") for part in (lower[1:middle], lower[middle + 1 :]))
    if CENT in taken or CENT in given:
        smallest = spoken(min(tray_values(table)))
        raise CommandError(f"No chips make this amount: the smallest chip is {smallest}.")
    yield a.ColourUp(seat=seat, taken=taken, given=given)


def _set(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    try:
        kept = cards(" ".join(words))
    except CardError as error:
        raise CommandError(f"{as_sentence(str(error))} {_example('SetHand')}") from error
    if len(kept) != 2:
        raise CommandError(f"Name the two cards that the dealer keeps. {_example('SetHand')}")
    yield a.SetHand(cards=kept)


def _reset(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    if _filtered(words)[:1] != ["dealer"]:
        raise CommandError(_example("ResetDealer"))
    yield a.ResetDealer()


def _key(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = [word.lower() for word in words if word.lower() != "seat"]
    seat = _seats(table, rest[:1], "Key")[0]
    hand = " ".join(rest[1:])
    if hand not in table.terms.order:
        raise _no_hand(table, hand)
    yield a.Key(seat=seat, hand=hand)


def _count_stub(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = [word for word in _filtered(words) if word != "stub"]
    if not rest:
        raise CommandError(_example("CountStub"))
    yield a.CountStub(count=_count(rest[0]))


def _rack(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    discards = " discards" if "discards" in rest else ""
    hand = _number_after(rest, "hand", "Rack")
    second = f" hand {hand}" if hand > 1 else ""
    places = [word for word in rest if word != "discards"]
    if not places:
        raise CommandError(f"Say which cards. {_example('Rack')}")
    for word in places:
        if word in ("board", "dealer"):
            yield a.Rack(what=f"{word}{discards}")
        else:
            for seat in _seats(table, [word], "Rack"):
                yield a.Rack(what=f"seat {seat}{second}{discards}")


def _floor(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    yield a.CallFloor()


def _report(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    kinds = reportable_kinds(table)
    text = " ".join(words).lower()
    kind = next((name for name in kinds if text == name or text.startswith(f"{name} ")), None)
    if kind is None:
        # A word of the name is enough for a suggestion: "jam" means "shuffler jam".
        named = [name for name in kinds if text and set(text.split()) <= set(name.split())]
        advice = f"did you mean {named[0]!r}?" if len(named) == 1 else _hint(text, kinds)
        raise CommandError(f'There is no irregularity "{shortened(text, 40)}"; {advice}')
    example = "ReportIrregularity"
    rest = text[len(kind) :].split()
    device = ""
    if "device" in rest:
        device = " ".join(rest[rest.index("device") + 1 :])[:80]
        rest = rest[: rest.index("device")]
    which = _number_after(rest, "card", example)
    count = _number_after(rest, "count", example) or None
    places = _filtered(rest)
    at = _place(table, places, example) if places else ""
    yield a.ReportIrregularity(kind=kind, at=at, which=which, count=count, device=device)


def _correct(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    hand = _hand(rest, "CorrectPayment")
    seat = _seats(table, rest[:1], "CorrectPayment")[0]
    money = [_money(word) for word in rest[1:] if _is_money(word)]
    names = [word for word in rest[1:] if not _is_money(word)]
    wager = CHIPS if names == [CHIPS] else _wagers(table, names, "CorrectPayment")[0]
    yield a.CorrectPayment(seat=seat, wager=wager, hand=hand, amount=money[0] if money else None)


def _refuse(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    seat = _seats(table, rest[:1], "Refuse")[0]
    what = " ".join(rest[1:])
    if what not in a.REFUSED:
        wrong = f'You cannot refuse "{shortened(what, 30)}"' if what else "Say what you refuse"
        raise CommandError(f"{wrong}; {_hint(what, a.REFUSED)}")
    yield a.Refuse(seat=seat, what=what)


def _warn(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    for seat in _seats(table, _filtered(words), "Warn"):
        yield a.Warn(seat=seat)


def _stands(table: Table, words: Sequence[str]) -> Iterator[a.ChairAct]:
    rest = _filtered(words)
    hand = _hand(rest, "LetStand")
    seat = _seats(table, rest[:1], "LetStand")[0]
    yield a.LetStand(seat=seat, wager=_wagers(table, rest[1:], "LetStand")[0], hand=hand)


READERS: Final[dict[str, Callable[[Table, Sequence[str]], Iterator[a.ChairAct]]]] = {
    "deal": _deal,
    "burn": _burn,
    "turn": _turn,
    "ask": _ask,
    "read": _read,
    "take": _take,
    "push": lambda table, words: _wager_act(table, words, a.Push),
    "pay": lambda table, words: _wager_act(table, words, a.Pay),
    "colour": _colour,
    "color": _colour,
    "set": _set,
    "reset": _reset,
    "key": _key,
    "count": _count_stub,
    "rack": _rack,
    "floor": _floor,
    "report": _report,
    "correct": _correct,
    "refuse": _refuse,
    "warn": _warn,
    "stands": _stands,
}
"""The readers of commands, by their first words."""
