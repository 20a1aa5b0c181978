"""List everything in a rulebook as parameters, in the order in which a comparison prints them.

The order is that of shared/options.toml. The parameters of stages, wagers, pay tables, passes and caps are
inserted after the options listed in `_AFTER`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, Final

from houseway.money import Cents, Payment, spoken
from houseway.rules.compare import value_words
from houseway.rules.compare.cases import WagerCase, folds, low_win, metered, tables_of, ties, unqualified
from houseway.rules.compare.records import Parameter, Statement
from houseway.rules.compare.value_words import brief, called, label, listed, named
from houseway.rules.options import BY_NAME
from houseway.rules.procedure import CONSEQUENCES
from houseway.rules.rulebook import PassStep, Rulebook
from houseway.rules.settings import Setting
from houseway.rules.toml_reader import Basis, Cited
from houseway.rules.wagers import PayTable, Row, Wager
from houseway.wording import shown_name

OWN_HANDS: Final = {"hand": "the same hand", "player": "a player's own hands"}
"""The values of `excludes` in words."""
Part = Callable[[Rulebook], Iterator[Parameter]]
WagerPart = Callable[[Rulebook, Wager], Iterator[Parameter]]


def parameters(book: Rulebook) -> tuple[Parameter, ...]:
    """Return every parameter of a rulebook."""
    return tuple(_walk(book))


def _walk(book: Rulebook) -> Iterator[Parameter]:
    yield _one("ranking", "Hand ranking", ", ".join(book.ranking.order), book.ranking.basis)
    for option in BY_NAME.values():
        cited = book.options.get(option.name)
        if cited is not None:
            text = value_words.in_words(cited.value, option.name, book.modes)
            yield _one(option.name, option.title, text, cited.basis)
        for part in _AFTER.get(option.name, ()):
            yield from part(book)
    for name, setting in book.house.items():
        yield _one(f"house.{name}", f"House setting {name}", setting_text(setting), setting.basis)


def _one(name: str, title: str, value: str | Iterable[str], *bases: Basis | None) -> Parameter:
    parts = (value,) if isinstance(value, str) else tuple(value)
    return Parameter(name, title, Statement(parts, tuple(b for b in bases if b is not None)))


def setting_text(setting: Setting) -> str:
    """Return the default of a house setting, or "must be set", with its range."""
    value = value_words.setting_in_words(setting, setting.assumed)
    within = f" ({setting.low} to {setting.high})" if setting.high not in (None, setting.low) else ""
    if not setting.required:
        return value + within
    return "must be set" + (within if setting.assumed is None else f"{within}; example {value}")


def _limits(book: Rulebook) -> Iterator[Parameter]:
    for name, limit in book.limits.items():
        bases = [cited.basis for cited in (limit.minima, limit.maximum) if cited is not None]
        title = f"Limits, {called(book, name)}"
        yield _one(f"limits.{name}", title, value_words.limit_in_words(limit), *bases)
    for name, bounds in book.posted.items():
        title = f"Posted limits, {called(book, name)}"
        yield _one(f"posted.{name}", title, value_words.bounds_in_words(bounds), book.limit_basis)
    if book.bet_limit:
        text = f"{spoken(book.bet_limit.amount)} at risk per customer"
        yield _one("bet_limit", "Bet limit", text, book.bet_limit.posted, book.bet_limit.wagered)


def _entry(book: Rulebook) -> Iterator[Parameter]:
    if book.entry is not None:
        yield _one("entry", "To be dealt in", value_words.entry_in_words(book), book.entry.basis)


def _alone(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    """Yield the parameter that says whether a side bet alone gets a player dealt in."""
    if not wager.optional or not wager.group.on_own_cards or book.entry is None:
        return
    main = [n for n, w in book.wagers.items() if not w.optional]
    name, title = f"{wager.name}.alone", f"{wager.title} without {named(book, main)}"
    if (wager.name,) in book.entry.value:
        # The rulebook does not say which clause of the entry admits this wager, so all are cited.
        yield _one(name, title, "allowed", Basis(also=book.entry.basis.all))
    else:
        yield _one(name, title, "not allowed", wager.beside.basis if wager.beside else None)


def _for_each(chosen: Callable[[Rulebook, Wager], bool], *parts: WagerPart) -> Part:
    """Return a function that yields the parameters of the chosen wagers."""

    def walk(book: Rulebook) -> Iterator[Parameter]:
        wagers = [wager for wager in book.wagers.values() if chosen(book, wager)]
        for wager, part in product(wagers, parts):
            yield from part(book, wager)

    return walk


def _main(book: Rulebook, wager: Wager) -> bool:
    group = wager.group
    return (group.against_dealer or group.on_own_cards) and not metered(book, wager)


def _side_bet(book: Rulebook, wager: Wager) -> bool:
    """True if a wager is paid from meters or on other players' hands."""
    return metered(book, wager) or wager.group.on_other_hands


def _terms(book: Rulebook, wager: Wager) -> Iterator[Parameter]:
    """Yield the conditions of a wager, and its payments line by line."""
    terms: tuple[tuple[str, str, Cited[Any] | None, Callable[[Any], str]], ...] = (
        ("equals", "same amount as", wager.equals, lambda v: called(book, v)),
        ("amount", "amount", wager.amount, spoken),
        ("kept", "stake returned", wager.kept, lambda v: "never" if v else "on a win"),
        ("beside", "required wagers", wager.beside, lambda v: named(book, v, "or")),
        ("least", "with a wager of at least", wager.least, spoken),
        ("excludes", "not paid on", wager.excludes, lambda v: OWN_HANDS.get(v, v)),
        ("modes", "offered in deal mode", wager.modes, ", ".join),
    )
    for name, title, cited, worded in terms:
        if cited is not None:
            yield _one(f"{wager.name}.{name}", f"{wager.title}, {title}", worded(cited.value), cited.basis)
    lines = tuple(f"{_row_label(row)}: {brief(row.pays)}" for row in wager.pays)
    stated = Statement(lines, tuple(row.basis for row in wager.pays))
    yield Parameter(f"{wager.name}.pays", f"{wager.title}, line by line", stated, detail=True)


def _settings_text(settings: Mapping[str, Any]) -> str:
    """Return conditions on house settings, such as 'rounding is "up"'."""
    values = {n: ("on" if v else "off") if isinstance(v, bool) else f'"{v}"' for n, v in settings.items()}
    return " and ".join(f"{name} is {value}" for name, value in values.items())


def _row_label(row: Row) -> str:
    """Return the conditions of a row, with the house settings under which it applies."""
    given = _settings_text(row.setting)
    return f"{label(row.when)} if {given}" if given else label(row.when)


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
    yield from _cases("fold_loses", "Main wagers on a fold", folds, book)


def _cases(
    name: str, title: str, find: Callable[[Rulebook], list[WagerCase]], book: Rulebook
) -> Iterator[Parameter]:
    by_payment: dict[Payment, list[str]] = {}
    cases = find(book)
    for case in cases:
        by_payment.setdefault(case.pays, []).append(case.wager)
    if cases:
        parts = (f"{named(book, wagers)}: {brief(pays)}" for pays, wagers in by_payment.items())
        yield _one(name, title, parts, *(basis for case in cases for basis in case.bases))


def _passes(book: Rulebook) -> Iterator[Parameter]:
    passes = list(enumerate(book.settlement, 1))
    orders = (
        f"{n} {shown_name(p.name)}: {', '.join(_step_words(book, s) for s in p.steps)}" for n, p in passes
    )
    bases = [basis for _, p in passes for basis in (p.basis, *(s.basis for s in p.steps))]
    yield _one("order", "Order of settlement", orders, *bases)
    ways = [(str(n), p.direction.value, p.direction.basis) for n, p in passes if p.direction]
    yield from _grouped("direction", "Settlement direction", ways, len(passes))


def _step_words(book: Rulebook, step: PassStep) -> str:
    """Return the name of a wager in a pass, with the house settings under which it is settled there."""
    given = _settings_text(step.when)
    return f"{called(book, step.wager)} (if {given})" if given else called(book, step.wager)


def _grouped(name: str, title: str, lines: list[tuple[str, str, Basis]], count: int) -> Iterator[Parameter]:
    """Yield one parameter for several tables or passes, with their names grouped by text.

    Each line is the name of a table or pass, its text and its basis. The names are left out if all `count`
    of them have the same text.
    """
    by_text: dict[str, list[str]] = {}
    for owner, text, _ in lines:
        by_text.setdefault(text, []).append(owner)
    if not lines:
        return
    same = len(by_text) == 1 and len(lines) == count
    parts = (text if same else f"{', '.join(owners)}: {text}" for text, owners in by_text.items())
    yield _one(name, title, parts, *(basis for _, _, basis in lines))


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
        parts, bases = (*parts, "the house may pay more, not less"), [*bases, rule.no_less]
    if rule and rule.closed:
        parts, bases = (*parts, "no other pay table is allowed"), [*bases, rule.closed]
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

    terms = {
        "wager": ("fixed wager", amounts(lambda t: t.wager)),
        "cards": ("cards", [(t.name, t.cards.value, t.cards.basis) for t in tables if t.cards]),
        "base": ("stake to which the listed amounts apply", amounts(lambda t: t.base)),
        "seeds": ("meter seeds", [_seeds(t) for t in tables if t.seeds]),
        "meters": ("meters", [(t.name, ", ".join(t.meters), t.basis) for t in tables if t.meters]),
    }
    for name, (title, lines) in terms.items():
        yield from _grouped(f"{wager.name}.{name}", f"{wager.title}, {title}", lines, len(tables))


def _seeds(table: PayTable) -> tuple[str, str, Basis]:
    text = ", ".join(f"{meter} {spoken(seed.value)}" for meter, seed in table.seeds.items())
    return table.name, text, next(iter(table.seeds.values())).basis


def _progressive_steps(book: Rulebook) -> Iterator[Parameter]:
    """Yield the dealer's steps with the progressive system, if the rulebook has a progressive."""
    if "progressive" not in book.wagers:
        return
    steps = book.procedure.round
    by_act = {step.act: step.basis for step in reversed(steps)}
    keyed = next((step.rules["keyed"].basis for step in steps if "keyed" in step.rules), None)
    lines = (
        ("lock", "Progressive sensors", by_act.get("lock"), "locked before the deal", "not locked"),
        ("keyed", "Progressive awards keyed on a keypad", keyed, "yes", "no"),
        ("reset", "Progressive system reset after the round", by_act.get("reset"), "yes", "no"),
    )
    for name, title, basis, there, absent in lines:
        yield _one(f"steps.{name}", title, absent if basis is None else there, basis)
    early, title = by_act.get("collect progressive"), "Progressive wagers collected"
    settled = [s.basis for walk in book.settlement for s in walk.steps if s.wager == "progressive"]
    when = "before the deal" if early else "when settled"
    yield _one("steps.collect progressive", title, when, *([early] if early else settled[-1:]))


def _board_number(book: Rulebook) -> Iterator[Parameter]:
    """Yield the consequences of too many and of too few community cards."""
    # A rulebook may have a board with too few cards completed (SD-5-a, MA-14.d).
    for name, title, cured in (
        ("board", "Wrong number of cards, board", None),
        ("short board", "Too few cards, board", True),
    ):
        facts = {"of": "board", "cured": cured}
        rows = (r for r in book.procedure.irregularities if r.kind == "wrong number" and r.fits(facts))
        row = next(rows, None)
        text = CONSEQUENCES[row.then] if row else "no rule"
        yield _one(f"irregular.{name}", title, text, row.basis if row else None)


def _house_way(book: Rulebook) -> Iterator[Parameter]:
    way = book.house_way
    if way is not None:
        lines = (f"{n} {line.text}" for n, line in enumerate(way.lines, 1))
        yield _one("house_way", "House way", (f"the {way.name}, version {way.version}", *lines), way.basis)


_UNQUALIFIED: Final = partial(_cases, "unqualified", "When the dealer does not qualify", unqualified)
_TIES: Final = partial(_cases, "ties", "Ties", ties)
_AFTER: Final[dict[str, tuple[Part, ...]]] = {
    "no_more_bets": (_progressive_steps,),
    "maximum_bet": (_limits,),
    "match_play": (_entry, _for_each(_main, _alone, _terms)),
    "tips": (_stages,),
    "check_signal": (_folds,),
    "ante_return": (_UNQUALIFIED, _passes),
    "paid_separately": (_for_each(_main, _schedules, _low_win), _TIES, _caps),
    "odds_wording": (_postings, _for_each(_side_bet, _schedules, _terms, _by_table)),
    "cover_all_device": (_for_each(lambda _, wager: wager.group.on_whole_table, _schedules, _terms),),
    "wrong_number_dealer": (_board_number,),
    "flop": (_house_way,),
}
"""For an option, the functions that yield the parameters to list after it."""
