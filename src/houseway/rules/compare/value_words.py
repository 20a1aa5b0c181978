"""Values of a rulebook in words, for comparisons and rules cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from houseway.money import Flat, Odds, Payment, Share, spoken
from houseway.rules.rulebook import Approval, Bounds, Cap, Limit, Rulebook
from houseway.rules.settings import Setting
from houseway.rules.stages import Stage
from houseway.rules.toml_reader import Basis
from houseway.rules.wagers import PayTable

SILENT: Final = "silent"
_PHRASES: Final = {
    "one": "one deck only",
    "board, pairs, dealer last": "board, then two cards to each player, dealer last",
    "board, pairs, dealer's left in the nest": (
        "board, then two cards to each player; the dealer's two cards stay in the machine's nest"
    ),
    "one at a time": "one card at a time",
    "one at a time, dealer's under a cover card": (
        "one card at a time; the dealer's cards are under a cover card"
    ),
    "four at a time": "four cards at a time",
    "after the shuffler is cycled, one hand": (
        "when all cards are dealt and the dealer has cycled the shuffler; with one hand only"
    ),
    "chips or plaques, no verbal cash": "chips or plaques; no verbal bets backed by cash",
    "turned back, play goes on": "the card is turned back, and play continues",
    "turned back and used": "the card is turned back and used",
    "dealer's before all have acted: void, trips settled": (
        "if it is the dealer's and not all players have acted: all hands void, but trips is settled"
    ),
    "one set aside, two void": "one card: set aside; two or more: all hands void",
    "that hand void": "that hand is void",
    "change to the back-up, round void": "the back-up is used, and the round is void",
    "every five rounds unless the device counts": (
        "at least once in five rounds, unless the device counts the cards"
    ),
    "no trips": "never",
    "winning trips": "with winning trips",
    "any trips": "with any trips bet",
    "all returned, trips settled where saved": "all returned, except trips if the rules still settle it",
    "all void unless cured in sequence": (
        "all hands void, unless the dealer can still get the right cards in the right order"
    ),
    "held, settled when reached": (
        "if the cards stay on the table, settled when the dealer reaches that hand; otherwise at the fold"
    ),
    "held, settled at the end of the round": "cards stay on the table; settled at the end of the round",
    "spread and racked at once, unless trips holds them": (
        "spread and racked immediately, unless trips keeps them on the table"
    ),
    "spread and racked at once, unless trips or the progressive holds them": (
        "spread and racked immediately, unless trips or the progressive keeps them on the table"
    ),
}
"""Phrases to print for values that are too short to understand without the rulebook."""
_BY_OPTION: Final = {
    ("ante_return", "in_sequence"): "in each player's turn",
    ("ante_return", "refund_pass"): "all together, before the hands are settled",
    ("odds_wording", "to"): '"to", as in three to one',
    ("odds_wording", "to and for"): '"to" or "for", as in three to one or four for one',
    ("odds_wording", "to or win"): '"to" or "win", never "for"',
    ("minimum_bet", "house"): "posted by the house",
    ("minimum_bet", "3 or 5"): "$3 or $5",
    ("maximum_bet", "house"): "posted by the house",
    ("maximum_bet", "25"): "$25",
    ("shuffle", "each shoe"): "before each new shoe",
    ("cut", "with every hand shuffle"): "after every shuffle by hand",
    ("cut", "a player's cut card"): "where a player puts the blank card",
    ("second_bonus", "up to the original"): "at most the bonus on the first hand",
    ("flop", "five at once"): "all five together",
    ("rebuildable", "in order"): "discards kept in order, so that each hand can be rebuilt",
    ("rebuildable", "cards in plain view"): "cards kept in plain view at all times",
}
"""Phrases to print for values whose meaning depends on their option."""
_JOINED: Final = {"decks": " or ", "cut_card": " to "}
"""The separators of lists that mean "one of these" or "from … to"; other lists have a comma."""


def cite(*bases: Basis | None) -> str:
    """Return the clauses of bases, each once: "MA-7.b / MA-8.b.2", "CARD-18 (borrowed)", "silent"."""
    named = dict.fromkeys(_cited(b) for b in bases if b is not None)
    return ", ".join(text for text in named if text != SILENT) or SILENT


def _cited(basis: Basis) -> str:
    """Return the deciding clauses, or the `also` clauses if there are none."""
    if basis.also and not (basis.clauses or basis.house):
        return ", ".join(basis.also)
    return str(basis)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Join names for a sentence: "ante, blind and play"."""
    words = list(names)
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def in_words(value: Any, name: str = "", modes: Iterable[str] = ()) -> str:
    """Return the value of an option; if it depends on the deal mode, only for the modes offered."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _JOINED.get(name, ", ").join(str(v).replace("_", " ") for v in value) or "none"
    if isinstance(value, Mapping):
        keys = [key for key in value if key in modes] or list(value)
        return ", ".join(f"{key} {value[key]}" for key in keys) or "none"
    return _BY_OPTION.get((name, value)) or _PHRASES.get(value, str(value).replace("_", " "))


def setting_in_words(setting: Setting, value: Any) -> str:
    """Return the value of a house setting; amounts are in dollars."""
    if value is None:
        return "not set"
    if setting.kind == "money":
        return spoken(value)
    if setting.kind == "amounts":
        return ", ".join(f"{name} {spoken(amount)}" for name, amount in value.items()) or "none"
    if setting.kind == "percent":
        return f"{value} %"
    return in_words(value)


def called(book: Rulebook, name: str) -> str:
    """Return a wager's name for use in a sentence: its key, or its title if that is a different word."""
    wager = book.wagers.get(name)
    plain = name.replace("_", " ")
    return plain if wager is None or wager.title.lower() == plain else wager.title


def named(book: Rulebook, names: Iterable[str], last: str = "and") -> str:
    """Return several wagers' names for use in a sentence."""
    return listed((called(book, name) for name in names), last)


def limit_in_words(limit: Limit) -> str:
    """Return the limits that a document sets on a wager's amount."""
    parts = []
    if limit.minima:
        parts.append(f"minimum {listed(map(spoken, limit.minima.value), 'or')}")
    if limit.maximum:
        parts.append(f"maximum {spoken(limit.maximum.value)}")
    return "; ".join(parts)


def bounds_in_words(bounds: Bounds) -> str:
    """Return posted bounds: "$5 to $160", "at least $5"."""
    low, high = bounds.low, bounds.high
    if low is None:
        return "to be set by the house" if high is None else f"at most {spoken(high)}"
    if high is None:
        return f"at least {spoken(low)}"
    return spoken(low) if low == high else f"{spoken(low)} to {spoken(high)}"


def entry_in_words(book: Rulebook) -> str:
    """Return the wagers that get a player dealt in."""
    return ", or ".join(named(book, names) for names in (book.entry.value if book.entry else ()))


def play_in_words(stage: Stage) -> str:
    """Return the play wagers at a betting point: "3x or 4x"."""
    return listed((f"{n}x" for n in stage.sizes.value), "or") if stage.sizes else "none"


def cap_in_words(book: Rulebook, cap: Cap) -> str:
    """Return a limit on a hand's winnings."""
    most = f"the house setting {cap.setting}" if cap.limit is None else spoken(cap.limit)
    if cap.or_minimum_bettor:
        most += " (or the most that a player with the minimum bet can win, if that is more)"
    return f"{most} on {named(book, cap.wagers)}"


def approval_in_words(book: Rulebook, approval: Approval) -> str:
    """Return the approver, and the payments that need approval."""
    above = f"above {spoken(approval.above)}" if approval.above else "of any amount"
    return f"{approval.who}: a win {above} on {named(book, approval.wagers, 'or')}"


def brief(pays: Payment | None) -> str:
    """Return a short form of a payment: "50", "3:2", "×300" if the house keeps the stake, "10 % main"."""
    match pays:
        case Odds(units, per, keeps):
            return ("×" if keeps else "") + (f"{units:,}" if per == 1 else f"{units:,}:{per}")
        case Share(percent, meter):
            return f"{percent} % {meter}"
        case Flat(amount):
            return spoken(amount)
        case word:
            return word or "by pay table"


def label(when: Mapping[str, Any]) -> str:
    """Return a short form of a row's conditions: "royal flush (community)"."""
    hand = _either(when.get("hand", ""))
    rest = ", ".join(_condition(name, value) for name, value in when.items() if name != "hand")
    return f"{hand} ({rest})" if hand and rest else hand or rest or "otherwise"


def _condition(name: str, value: Any) -> str:
    if not isinstance(value, list) and (words := _CONDITIONS.get((name, value))):
        return words
    plain = name.replace("_", " ")
    if isinstance(value, bool):
        return plain if value else f"not {plain}"
    return _either(value) if name in ("contest", "made") else f"{_either(value)} {plain}"


_CONDITIONS = {
    ("dealer_qualifies", False): "dealer does not qualify",
    ("folded", "no"): "not folded",
    ("folded", "held"): "folded, cards held",
    ("folded", "racked"): "folded, cards racked",
    ("contest", "win"): "player's hand wins",
    ("contest", "tie"): "hands tie",
    ("contest", "lose"): "player's hand loses",
}
"""Short forms of conditions whose name and value together do not read as English."""


def _either(value: Any) -> str:
    return listed(map(str, value), "or") if isinstance(value, list) else str(value)


def tables_in_words(book: Rulebook, tables: Iterable[PayTable]) -> tuple[str, ...]:
    """Return a short form of pay tables: the hands if all tables list the same, then each set of odds."""
    by_odds: dict[tuple[str, str], list[str]] = {}
    for table in tables:
        by_odds.setdefault(_run_and_odds(table, book.ranking.order), []).append(table.name)
    runs = {run for run, _ in by_odds}
    head = (next(iter(runs)),) if len(runs) == 1 and len(by_odds) > 1 and all(runs) else ()
    lines = (_line(names, "" if head else run, pays, book) for (run, pays), names in by_odds.items())
    return (*head, *lines)


def table_label(name: str) -> str:
    """Return the name of a pay table for the reader: a table for a number of hands is named by the number.

    >>> table_label("7"), table_label("UTH-01")
    ('7 hands', 'UTH-01')
    """
    return f"{name} hands" if name.isdecimal() else name


def _line(names: list[str], run: str, pays: str, book: Rulebook) -> str:
    """Return a line of odds after the names of its tables; a table named after its kind is not named."""
    if names[0] in book.tables:
        return f"{run}: {pays}" if run else pays
    listed = ", ".join(map(table_label, names))
    return f"{listed} ({run}): {pays}" if run else f"{listed}: {pays}"


def _run_and_odds(table: PayTable, order: tuple[str, ...]) -> tuple[str, str]:
    """Return the hands as a run, "straight flush to pair", and their odds.

    If the hands are not consecutive, the run is empty and each hand is listed with its odds.
    """
    rows = [row for row in table.rows if row.when or row.pays != "lose"]
    hands = tuple(label(row.when) for row in rows)
    first = order.index(hands[0]) if hands and hands[0] in order else None
    if first is not None and hands == order[first : first + len(hands)]:
        run = f"{hands[0]} to {hands[-1]}" if len(hands) > 1 else hands[0]
        return run, ", ".join(brief(row.pays) for row in rows)
    return "", ", ".join(f"{hand} {brief(row.pays)}" for hand, row in zip(hands, rows, strict=True))
