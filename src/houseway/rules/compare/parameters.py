"""Everything a rulebook says, one parameter at a time, in the order readers compare rulebooks in.

That is the order of the registered options, and in their midst what stages, wagers, pay tables, passes
and caps say already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any, Final

from houseway.money import Cents, Payment, spoken
from houseway.rules.compare import value_words
from houseway.rules.compare.cases import WagerCase, folds, low_win, metered, tables_of, ties, unqualified
from houseway.rules.compare.records import Parameter, Stated
from houseway.rules.compare.value_words import brief, called, label, listed, named
from houseway.rules.options import BY_NAME
from houseway.rules.rulebook import Rulebook
from houseway.rules.settings import Setting
from houseway.rules.toml_reader import Basis, Cited
from houseway.rules.wagers import PayTable, Wager

Part = Callable[[Rulebook], Iterator[Parameter]]
WagerPart = Callable[[Rulebook, Wager], Iterator[Parameter]]


def parameters(book: Rulebook) -> tuple[Parameter, ...]:
    """Everything a rulebook says."""
    return tuple(_walk(book))


def _walk(book: Rulebook) -> Iterator[Parameter]:
    yield _one("ranking", "What beats what", ", ".join(book.ranking.order), book.ranking.basis)
    for option in BY_NAME.values():
        said = book.options.get(option.name)
        if said is not None:
            text = value_words.in_words(said.value, option.name, book.modes)
            yield _one(option.name, option.title, text, said.basis)
        for part in _AFTER.get(option.name, ()):
            yield from part(book)
    for name, setting in book.house.items():
        yield _one(f"house.{name}", f"House setting {name}", setting_told(setting), setting.basis)


def _one(name: str, title: str, value: str | Iterable[str], *bases: Basis | None) -> Parameter:
    parts = (value,) if isinstance(value, str) else tuple(value)
    return Parameter(name, title, Stated(parts, tuple(b for b in bases if b is not None)))


def setting_told(setting: Setting) -> str:
    """What holds of a house setting: its default, or that it must be set."""
    value = value_words.setting_in_words(setting, setting.assumed)
    within = f" ({setting.low} to {setting.high})" if setting.high not in (None, setting.low) else ""
    if not setting.required:
        return value + within
    return "to be set" + (within if setting.assumed is None else f"{within}; example {value}")


def _limits(book: Rulebook) -> Iterator[Parameter]:
    for name, limit in book.limits.items():
        bases = [said.basis for said in (limit.minima, limit.maximum) if said is not None]
        yield _one(
            f"limits.{name}", f"Limits, {called(book, name)}", value_words.limit_in_words(limit), *bases
        )
    for name, bounds in book.posted.items():
        title = f"Posted limits, {called(book, name)}"
        yield _one(f"posted.{name}", title, value_words.bounds_in_words(bounds), book.limit_basis)
    if book.bet_limit:
        text = f"{spoken(book.bet_limit.amount)} at risk, one customer"
        yield _one("bet_limit", "Bet limit", text, book.bet_limit.posted, book.bet_limit.wagered)


def _entry(book: Rulebook) -> Iterator[Parameter]:
    if book.entry is not None:
        yield _one("entry", "To be dealt in", value_words.entry_in_words(book), book.entry.basis)


def _alone(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    """Whether a side bet lets a player in by itself."""
    if not wager.optional or not wager.group.on_own_cards or book.entry is None:
        return
    main = [n for n, w in book.wagers.items() if not w.optional]
    name, title = f"{wager.name}.alone", f"{wager.title} without {named(book, main)}"
    if (wager.name,) in book.entry.value:
        # Which of the entry's clauses admits it the rulebook does not say; all are named.
        yield _one(name, title, "allowed", Basis(also=book.entry.basis.all))
    else:
        yield _one(name, title, "refused", wager.beside.basis if wager.beside else None)


def _for_each(chosen: Callable[[Rulebook, Wager], bool], *parts: WagerPart) -> Part:
    """Return the part that goes through the chosen wagers."""

    def walk(book: Rulebook) -> Iterator[Parameter]:
        wagers = [wager for wager in book.wagers.values() if chosen(book, wager)]
        for wager, part in product(wagers, parts):
            yield from part(book, wager)

    return walk


def _main(book: Rulebook, wager: Wager) -> bool:
    group = wager.group
    return (group.against_dealer or group.on_own_cards) and not metered(book, wager)


def _side_bet(book: Rulebook, wager: Wager) -> bool:
    """True if a wager is paid from meters, or for what others at the table hold."""
    return metered(book, wager) or wager.group.on_other_hands


def _table_bet(book: Rulebook, wager: Wager) -> bool:
    """True if a wager is paid on the highest hand at the table."""
    return wager.group.on_whole_table


def _terms(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    """What a wager asks of a player."""
    told: tuple[tuple[str, str, Cited[Any] | None, Callable[[Any], str]], ...] = (
        ("equals", "equals", wager.equals, lambda v: called(book, v)),
        ("amount", "amount", wager.amount, spoken),
        ("kept", "returned", wager.kept, lambda v: "never" if v else "on a win"),
        ("beside", "beside which wager", wager.beside, lambda v: named(book, v, "or")),
        ("least", "due from a wager of", wager.least, spoken),
        ("excludes", "never from a player's own", wager.excludes, lambda v: {"player": "hands"}.get(v, v)),
        ("modes", "offered when dealt by", wager.modes, ", ".join),
    )
    for name, title, said, worded in told:
        if said is not None:
            yield _one(f"{wager.name}.{name}", f"{wager.title}, {title}", worded(said.value), said.basis)
    lines = tuple(f"{label(row.when)}: {brief(row.pays)}" for row in wager.pays)
    stated = Stated(lines, tuple(row.basis for row in wager.pays))
    yield Parameter(f"{wager.name}.pays", f"{wager.title}, line by line", stated, detail=True)


def _stages(book: Rulebook) -> Iterator[Parameter]:
    for stage in book.stages:
        basis = stage.sizes.basis if stage.sizes else None
        yield _one(f"play.{stage.board}", f"Play {stage.name}", value_words.play_in_words(stage), basis)


def _folds(book: Rulebook) -> Iterator[Parameter]:
    for name, title in (("check", "Check"), ("fold", "Fold")):
        offered = [(stage.name, basis) for stage in book.stages if (basis := getattr(stage, name))]
        if book.stages:
            text = listed(stage for stage, _ in offered) or "never"
            yield _one(name, title, text, *(basis for _, basis in offered))
    yield from _cases("fold_loses", "What a fold makes of the main wagers", folds, book)


def _cases(
    name: str, title: str, find: Callable[[Rulebook], list[WagerCase]], book: Rulebook
) -> Iterator[Parameter]:
    said: dict[Payment, list[str]] = {}
    found = find(book)
    for case in found:
        said.setdefault(case.pays, []).append(case.wager)
    if found:
        parts = (f"{named(book, wagers)}: {brief(pays)}" for pays, wagers in said.items())
        yield _one(name, title, parts, *(basis for case in found for basis in case.bases))


def _passes(book: Rulebook) -> Iterator[Parameter]:
    walks = list(enumerate(book.settlement, 1))
    orders = (f"{n} {w.name}: {', '.join(called(book, s.wager) for s in w.steps)}" for n, w in walks)
    bases = [basis for _, w in walks for basis in (w.basis, *(s.basis for s in w.steps))]
    yield _one("order", "Order of settlement", orders, *bases)
    ways = [(str(n), w.direction.value, w.direction.basis) for n, w in walks if w.direction]
    yield from _grouped("direction", "Settlement direction", ways, len(walks))


def _grouped(
    name: str, title: str, told: list[tuple[str, str, Basis]], everyone: int
) -> Iterator[Parameter]:
    """What several tables or passes say, the like ones together; no names where all say the same."""
    said: dict[str, list[str]] = {}
    for who, text, _ in told:
        said.setdefault(text, []).append(who)
    if not told:
        return
    alike = len(said) == 1 and len(told) == everyone
    parts = (text if alike else f"{', '.join(who)}: {text}" for text, who in said.items())
    yield _one(name, title, parts, *(basis for _, _, basis in told))


def _low_win(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    low = low_win(book, wager)
    if low is not None:
        text = f"{brief(low[1].pays)} below a {low[0]}"
        yield _one(f"{wager.name}.low", f"{wager.title} on a low winning hand", text, *low[1].bases)


def _schedules(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    tables = list(tables_of(book, wager).values())
    if not tables:
        return
    kind = tables[0].kind
    parts = value_words.tables_in_words(book, tables)
    bases = [basis for t in tables for basis in (t.basis, *(r.basis for r in t.rows if r.basis.clauses))]
    rule = book.table_rules.get(kind)
    if rule and rule.no_less:
        parts, bases = (*parts, "no less than these"), [*bases, rule.no_less]
    if rule and rule.closed:
        parts, bases = (*parts, "no others"), [*bases, rule.closed]
    yield _one(f"tables.{kind}", f"{wager.title} pay tables", parts, *bases)


def _caps(book: Rulebook) -> Iterator[Parameter]:
    if book.caps:
        parts = (value_words.cap_in_words(book, cap) for cap in book.caps)
        yield _one("caps", "Cap on payouts", parts, *(cap.basis for cap in book.caps))
    if book.approvals:
        parts = (value_words.approval_in_words(book, a) for a in book.approvals)
        yield _one("approvals", "Approvals", parts, *(a.basis for a in book.approvals))


def _postings(book: Rulebook) -> Iterator[Parameter]:
    places: dict[str, list[str]] = {}
    for posting in book.postings:
        places.setdefault(posting.where, []).append(posting.shows.replace("_", " "))
    if places:
        parts = (f"{where}: {', '.join(shows)}" for where, shows in places.items())
        yield _one("postings", "Schedules posted", parts, *(p.basis for p in book.postings))


def _by_table(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    tables = tables_of(book, wager).values()

    def amounts(of: Callable[[PayTable], Cited[Cents] | None]) -> list[tuple[str, str, Basis]]:
        return [(t.name, spoken(s.value), s.basis) for t in tables if (s := of(t))]

    told = {
        "wager": ("wager of the table", amounts(lambda t: t.wager)),
        "cards": ("cards", [(t.name, t.cards.value, t.cards.basis) for t in tables if t.cards]),
        "base": ("amounts listed per wager of", amounts(lambda t: t.base)),
        "seeds": ("meter seeds", [_seeds(t) for t in tables if t.seeds]),
        "meters": ("meters", [(t.name, ", ".join(t.meters), t.basis) for t in tables if t.meters]),
    }
    for name, (title, lines) in told.items():
        yield from _grouped(f"{wager.name}.{name}", f"{wager.title}, {title}", lines, len(tables))


def _seeds(table: PayTable) -> tuple[str, str, Basis]:
    text = ", ".join(f"{meter} {spoken(seed.value)}" for meter, seed in table.seeds.items())
    return table.name, text, next(iter(table.seeds.values())).basis


def _house_way(book: Rulebook) -> Iterator[Parameter]:
    way = book.house_way
    if way is not None:
        lines = (f"{n} {line.text}" for n, line in enumerate(way.lines, 1))
        yield _one("house_way", "House way", (f"{way.name}, version {way.version}", *lines), way.basis)


_UNQUALIFIED: Final = partial(_cases, "unqualified", "When the dealer does not qualify", unqualified)
_TIES: Final = partial(_cases, "ties", "Ties", ties)
_AFTER: Final[dict[str, tuple[Part, ...]]] = {
    "maximum_bet": (_limits,),
    "match_play": (_entry, _for_each(_main, _alone, _terms)),
    "tips": (_stages,),
    "check_signal": (_folds,),
    "ante_return": (_UNQUALIFIED, _passes),
    "paid_separately": (_for_each(_main, _schedules, _low_win), _TIES, _caps),
    "odds_wording": (_postings, _for_each(_side_bet, _schedules, _terms, _by_table)),
    "cover_all_device": (_for_each(_table_bet, _schedules, _terms),),
    "flop": (_house_way,),
}
"""What follows an option: the parameters other parts of a rulebook say."""
