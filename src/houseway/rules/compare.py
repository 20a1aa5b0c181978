"""Two rulebooks side by side: parameter by parameter, what each says and by which clause.

The order is that of the comparison of the documents: the options as registered, and in their midst what
stages, wagers, tables and passes say already. Only values are compared; the same value by another clause
is no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from houseway.money import Cents, Flat, Odds, Payment, Share, spoken
from houseway.rules.compile import answers, branches
from houseway.rules.options import OPTIONS
from houseway.rules.reading import Basis, Said
from houseway.rules.rulebook import Limit, Rulebook
from houseway.rules.settings import Setting
from houseway.rules.wagers import PayTable, Wager


@dataclass(frozen=True, slots=True)
class Stated:
    """What one rulebook says of a parameter, and what that rests on."""

    value: str
    bases: tuple[Basis, ...]

    @property
    def clause(self) -> str:
        """The clauses in print."""
        return cite(*self.bases)


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something in which rulebooks can differ, as one rulebook has it."""

    name: str
    title: str
    stated: Stated
    detail: bool = False
    """Whether it only tells more of what other parameters say, unless both rulebooks have it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A parameter in two rulebooks; None where one of them does not have it."""

    name: str
    title: str
    a: Stated | None
    b: Stated | None

    @property
    def differs(self) -> bool:
        """Whether the values differ; clauses alone make no difference."""
        return (self.a.value if self.a else None) != (self.b.value if self.b else None)


def compare(a: Rulebook, b: Rulebook) -> tuple[Difference, ...]:
    """Every parameter of two rulebooks in order, equal ones included."""
    one = {p.name: p for p in parameters(a)}
    other = {p.name: p for p in parameters(b)}
    found = []
    for name in _merged(list(one), list(other)):
        left, right = one.get(name), other.get(name)
        known = left or right
        if known is None or (known.detail and not (left and right)):
            continue
        sides = left.stated if left else None, right.stated if right else None
        found.append(Difference(name, known.title, *sides))
    return tuple(found)


def parameters(book: Rulebook) -> tuple[Parameter, ...]:
    """Everything a rulebook says, one parameter at a time."""
    return tuple(_walk(book))


def cite(*bases: Basis | None) -> str:
    """The clauses some values rest on, each once: "MA-7.b / MA-8.b.2", "CARD-18 (filled)", "silent"."""
    named = dict.fromkeys(_cited(b) for b in bases if b is not None)
    spoken_of = [text for text in named if text != "silent"]
    return ", ".join(spoken_of) or "silent"


def _cited(basis: Basis) -> str:
    return " / ".join(basis.also) if basis.also and not (basis.clauses or basis.house) else str(basis)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence: "ante, blind and play"."""
    words = list(names)
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def in_words(value: Any, name: str = "", modes: Iterable[str] = ()) -> str:
    """A parameter's value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _JOINED.get(name, ", ").join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        kept = [key for key in value if key in modes] or list(value)
        return ", ".join(f"{key} {value[key]}" for key in kept) or "none"
    return str(value).replace("_", " ")


_JOINED: Final = {"decks": " or ", "cut_card": " to "}


def setting_in_words(setting: Setting, value: Any) -> str:
    """A house setting's value as a person reads it; money in dollars."""
    if value is None:
        return "not set"
    if setting.kind == "money":
        return spoken(value)
    if setting.kind == "amounts":
        return ", ".join(f"{name} {spoken(amount)}" for name, amount in value.items()) or "none"
    return in_words(value)


def called(book: Rulebook, name: str) -> str:
    """A wager's name in a sentence: its own title, or the plain word."""
    wager = book.wagers.get(name)
    plain = name.replace("_", " ")
    return plain if wager is None or wager.title.lower() == plain else wager.title


def results(book: Rulebook, **facts: Any) -> list[tuple[str, Payment, Basis]]:
    """What each wager against the dealer comes to when some facts hold, where the rest does not matter."""
    found = []
    first = {kind: next(iter(tables)) for kind, tables in book.tables.items() if tables}
    for wager in book.wagers.values():
        if wager.looks != "showdown":
            continue
        group = book.group(wager.looks)
        said: dict[Payment, Basis] = {}
        for cell, met, answered in answers(branches(book, wager, first), group):
            at = dict(zip(group.names, cell, strict=True))
            if answered and group.possible(cell) and all(at[k] in v for k, v in facts.items()):
                said.setdefault(met[-1].pays, met[-1].basis)
        if len(said) == 1:
            found += [(wager.name, pays, basis) for pays, basis in said.items()]
    return found


def unqualified(book: Rulebook) -> list[tuple[str, Payment, Basis]]:
    """What wagers come to whatever the hands, when the dealer does not qualify."""
    if book.qualifier is None:
        return []
    return results(book, folded=("no",), dealer_qualifies=(False,))


def ties(book: Rulebook) -> list[tuple[str, Payment, Basis]]:
    """What wagers come to when the hands tie."""
    return results(book, folded=("no",), dealer_qualifies=(True,), contest=("tie",))


def folded(book: Rulebook) -> list[tuple[str, Payment, Basis]]:
    """What the wagers every player must make come to on a fold."""
    if not any(stage.fold for stage in book.stages):
        return []
    found = results(book, folded=("racked", "held"))
    return [line for line in found if not book.wagers[line[0]].optional]


def low_wins(book: Rulebook, wager: Wager) -> tuple[str, Basis] | None:
    """The lowest hand that pays and what lets a lower winning hand push, where one does."""
    if wager.looks != "showdown":
        return None
    lowest = None
    for hand in book.ranking.order:
        won = results(book, folded=("no",), dealer_qualifies=(True,), contest=("win",), hand=(hand,))
        pays, basis = next(((p, b) for name, p, b in won if name == wager.name), (None, None))
        if pays == "push" and basis is not None and lowest is not None:
            return lowest, basis
        lowest = hand
    return None


def brief(pays: Payment) -> str:
    """A payment in a list of many: "50", "3:2", "×300" where the stake is kept, "10 % main"."""
    match pays:
        case Odds(units, per, keeps):
            return ("×" if keeps else "") + (f"{units:,}" if per == 1 else f"{units:,}:{per}")
        case Share(percent, meter):
            return f"{percent} % {meter}"
        case Flat(amount):
            return spoken(amount)
        case word:
            return word


def _walk(book: Rulebook) -> Iterator[Parameter]:
    yield _p("ranking", "What beats what", ", ".join(book.ranking.order), book.ranking.basis)
    for option in OPTIONS:
        said = book.options.get(option.name)
        if said is not None:
            text = in_words(said.value, option.name, book.modes)
            yield _p(option.name, option.title, text, said.basis)
        for part in _AFTER.get(option.name, ()):
            yield from part(book)
    for name, setting in book.house.items():
        yield _p(f"house.{name}", f"House setting {name}", _setting(setting), setting.basis)


def _p(name: str, title: str, value: str, *bases: Basis | None) -> Parameter:
    return Parameter(name, title, Stated(value, tuple(b for b in bases if b is not None)))


def _setting(setting: Setting) -> str:
    value = setting_in_words(setting, setting.assumed)
    must = f", to be set; example {value}" if setting.assumed is not None else ", to be set"
    within = f" ({setting.low} to {setting.high})" if setting.high is not None else ""
    return f"required{must}{within}" if setting.required else f"{value}{within}"


def _limits(book: Rulebook) -> Iterator[Parameter]:
    for name, limit in book.limits.items():
        bases = [said.basis for said in (limit.minima, limit.maximum) if said]
        yield _p(f"limits.{name}", f"{book.wagers[name].title} limits", limits_in_words(limit), *bases)
    for name, bounds in book.posted.items():
        ends = [("from", bounds.low), ("to", bounds.high)]
        text = " ".join(f"{word} {spoken(end)}" for word, end in ends if end is not None)
        yield _p(f"posted.{name}", f"{called(book, name).capitalize()} as posted", text, book.limit_basis)
    if book.bet_limit:
        text = f"{spoken(book.bet_limit.amount)} at risk for one customer"
        yield _p("bet_limit", "Bet limit", text, book.bet_limit.posted, book.bet_limit.wagered)


def limits_in_words(limit: Limit) -> str:
    """What a document fixes of a wager's amounts."""
    low = listed(map(spoken, limit.minima.value), "or") if limit.minima else ""
    parts = [
        f"minimum {low}" if low else "",
        f"maximum {spoken(limit.maximum.value)}" if limit.maximum else "",
    ]
    return "; ".join(part for part in parts if part)


def entry_in_words(book: Rulebook) -> str:
    """What must be wagered to be dealt in."""
    sets = book.entry.value if book.entry else ()
    return ", or ".join(listed(called(book, n) for n in names) for names in sets)


def _entry(book: Rulebook) -> Iterator[Parameter]:
    if book.entry:
        yield _p("entry", "To be dealt in", entry_in_words(book), book.entry.basis)
    for wager in book.wagers.values():
        if wager.optional and wager.looks == "hand" and not metered(book, wager):
            alone = book.entry is not None and (wager.name,) in book.entry.value
            basis = book.entry.basis if alone and book.entry else (wager.beside or _NOWHERE).basis
            text = "allowed" if alone else "refused"
            yield _p(f"{wager.name}.alone", f"{wager.title} without the main wagers", text, basis)
        if _main(book, wager):
            yield from _terms(book, wager)


_NOWHERE: Final = Said[None](None)


def metered(book: Rulebook, wager: Wager) -> bool:
    """Whether a wager pays from meters."""
    return any(t.meters for t in tables_of(book, wager).values())


def tables_of(book: Rulebook, wager: Wager) -> Mapping[str, PayTable]:
    """The pay tables a wager's rows send their cases to, by name."""
    found: dict[str, PayTable] = {}
    for row in wager.pays:
        kind, _, name = (row.table or "").partition(".")
        known = book.tables.get(kind, {})
        found |= {n: t for n, t in known.items() if not name or n == name}
    return found


def _main(book: Rulebook, wager: Wager) -> bool:
    return wager.looks in ("showdown", "hand") and not metered(book, wager)


def _terms(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    """What a wager asks of a player, each with a title of its own."""
    told: tuple[tuple[str, str, Said[Any] | None, Callable[[Any], str]], ...] = (
        ("equals", "equals", wager.equals, lambda v: called(book, v)),
        ("amount", "amount", wager.amount, spoken),
        ("kept", "wager returned", wager.kept, lambda v: "never" if v else "on a win"),
        (
            "beside",
            "beside which wager",
            wager.beside,
            lambda v: listed((called(book, n) for n in v), "or"),
        ),
        ("least", "due from a wager of", wager.least, spoken),
        (
            "excludes",
            "not given by a player's own",
            wager.excludes,
            lambda v: "hands" if v == "player" else v,
        ),
        ("modes", "offered in deal mode", wager.modes, ", ".join),
    )
    for name, title, said, words in told:
        if said is not None:
            yield _p(f"{wager.name}.{name}", f"{wager.title}, {title}", words(said.value), said.basis)
