"""The right handling of every kind of happening, and a comparison of rulebooks.

Everything is read from the rulebooks: the rows of their tables of irregularities, and the rules of their
procedures about players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from houseway.engine.table import Table
from houseway.engine.turn_order import in_order
from houseway.rules.problems import suggest
from houseway.rules.procedure import CONSEQUENCES, KINDS, Irregularity
from houseway.training import conduct as k
from houseway.training.ruling_form import RESHUFFLED

SILENT: Final = "the document does not say"
OUR_READING: Final = "our reading"
"""The mark of an outcome for which no document has a clause."""
CANNOT: Final = "cannot happen"
NO_RULE: Final = "no rule"
BORROWED: Final = "†"
"""The mark of a clause that a rulebook borrows from another document."""
FACTS: Final[Mapping[tuple[str, Any], str]] = {
    ("of", "dealer"): "the dealer's cards",
    ("of", "player"): "a player's cards",
    ("of", "board"): "the community cards",
    ("several", True): "a second face-up card in the round",
    ("all_acted", False): "before every player has acted",
    ("all_acted", True): "after every player has acted",
    ("hands_dealt", True): "after the hands are dealt",
    ("hands_dealt", False): "before the hands are dealt",
    ("cured", True): "if the missing cards can still be dealt",
    ("all_there", True): "no card of the deck is missing and none is extra",
    ("all_there", False): "a card of the deck is missing or extra",
    ("misdealt", True): "a hand has the wrong number of cards",
}
"""The conditions of rows in words, in the order in which a situation names them."""


class HandlingRule(msgspec.Struct, frozen=True):
    """The right handling of a kind of happening under one rulebook."""

    act: str
    """The dealer's act or the outcome; `SILENT`, `CANNOT` or `NO_RULE` if nothing is judged."""
    clause: str | None = None
    borrowed: bool = False
    """True if the clause belongs to another document."""

    @property
    def words(self) -> str:
        """The act with its clause."""
        mark = BORROWED if self.borrowed else ""
        return f"{self.act} ({self.clause}{mark})" if self.clause else self.act


def usual_handling(table: Table, kind: str, facts: Mapping[str, Any] | None = None) -> HandlingRule:
    """Return the right handling of a kind of happening under a table's rulebook.

    `facts` are the facts of an irregularity, such as `{"of": "dealer"}`. The clause of a wrong bet or of a
    dispute depends on the wager, so it is left out.
    """
    match kind:
        case _ if kind in KINDS:
            return _outcome(table, table.wrong(kind, facts or {}))
        case k.SLOW | k.CHATTY | k.ADVICE:
            return HandlingRule(SILENT)
        case k.WRONG_CHIPS | k.TIP:
            return HandlingRule("refuse it, if a clause forbids it")
        case k.OUT_OF_TURN:
            ask = table.find("ask")
            if ask is None or not in_order(ask):
                return HandlingRule(CANNOT)
            clause = table.clause(ask, "order") or table.clause(ask)
            return _judged(table, "refuse the decision", clause)
        case k.LATE_BET | k.CAPPED_BET | k.TAKE_BACK:
            clause = _closed_clause(table, kind)
            act = "refuse to give the bet back" if kind == k.TAKE_BACK else "refuse the bet"
            return _judged(table, act, clause)
        case k.STAND | k.LEAVE:
            return _judged(table, "warn the player", table.rule("stays"))
        case k.TOUCH | k.TWO_HANDS | k.SHOWN:
            return _judged(table, "warn the player", k.card_clause(table, kind))
        case k.RIGHT_DISPUTE:
            return HandlingRule("correct the payment (the clause is that of the wager)")
        case k.WRONG_DISPUTE:
            return HandlingRule("let the payment stand (the clause is that of the wager)")
        case k.COLOUR_UP:
            return HandlingRule("change the chips for the same amount")
    raise ValueError(f"{kind!r} is not a kind of happening; {suggest(kind, [*k.CONDUCT, *KINDS])}")


def _closed_clause(table: Table, kind: str) -> str | None:
    """Return the clause that closes the betting.

    For a capped bet, the document's own clause on locked wagers is preferred to a borrowed clause.
    """
    close = table.find("close betting")
    rule = "no_wager" if kind == k.LATE_BET else "no_change"
    if close is None or rule not in close.rules:
        return None
    locks = [stage.locks for stage in table.stages.values() if stage.locks and not stage.locks.filled]
    if kind == k.CAPPED_BET and locks and close.rules[rule].basis.filled:
        return table.cite(locks[0])
    return table.clause(close, rule)


def _judged(table: Table, act: str, clause: str | None) -> HandlingRule:
    if clause is None:
        return HandlingRule(SILENT)
    return HandlingRule(act, clause, clause in table.book.borrowed())


# --- irregularities ---


class ComparedRow(msgspec.Struct, frozen=True):
    """One irregularity in one situation, under several rulebooks."""

    kind: str
    when: dict[str, Any]
    outcomes: dict[str, HandlingRule]
    """The outcome under each rulebook, by id."""

    @property
    def situation(self) -> str:
        """The conditions in words; empty for the row that covers all remaining cases."""
        return situation_words(self.when)


def situation_words(when: Mapping[str, Any]) -> str:
    """Return the conditions of a row of a table of irregularities in words; empty if it has none.

    >>> situation_words({"of": "board", "cured": True})
    'the community cards, if the missing cards can still be dealt'
    """
    return ", ".join(words for fact, words in FACTS.items() if fact in when.items())


def compare_irregularities(tables: Iterable[Table]) -> tuple[ComparedRow, ...]:
    """Return every row of every rulebook's table of irregularities, side by side.

    For each situation that any rulebook names, the first row of a rulebook that fits decides its outcome.
    """
    listed = list(tables)
    rows: list[ComparedRow] = []
    for kind in KINDS:
        whens: list[Mapping[str, Any]] = []
        for table in listed:
            own = (row.when for row in table.book.procedure.irregularities if row.kind == kind)
            whens += [when for when in own if when not in whens]
        # The most exact situation comes first, as in the rulebooks.
        own_rows = [
            ComparedRow(kind, dict(when), {t.book.id: usual_handling(t, kind, when) for t in listed})
            for when in sorted(whens, key=lambda when: -len(when))
        ]
        rows += [row for row in own_rows if not _says_nothing_new(row, own_rows)]
    return tuple(rows)


def _says_nothing_new(row: ComparedRow, rows: Sequence[ComparedRow]) -> bool:
    """True if under every rulebook a row has no rule, or the same outcome as all other rows."""
    others = [one for one in rows if one is not row]
    return bool(others) and all(
        outcome.act == NO_RULE or all(one.outcomes[book] == outcome for one in others)
        for book, outcome in row.outcomes.items()
    )


def _outcome(table: Table, row: Irregularity | None) -> HandlingRule:
    if row is None:
        return HandlingRule(NO_RULE)
    clause = table.cite(row.basis)
    again = [ALL_RESHUFFLED] if clause in RESHUFFLED else []
    words = "; ".join(
        [CONSEQUENCES[row.then], *(RULES[name] for name in row.rules if name in RULES), *again]
    )
    if row.kind == "premature flop":
        words = words.replace(RULES["turned_back"], "the cards are turned back over")
    return HandlingRule(words if clause else f"{words} ({OUR_READING})", clause, row.basis.filled)


RULES: Final[Mapping[str, str]] = {
    "trips": "trips bets are settled with the whole board",
    "board": "the board is dealt even if there is no trips bet",
    "turned_back": "the card is turned back over",
    "deck_off": "the deck is removed from the table",
    "backup": "the back-up device is used",
    "settled": "wagers that were settled are returned too",
}
"""The rules of rows that change the outcome, in words."""
ALL_RESHUFFLED: Final = "all cards are taken out and reshuffled"
"""The outcome that a clause of `RESHUFFLED` adds. A ruling is judged on it."""


# --- the page ---


def comparison_page(tables: Sequence[Table]) -> str:
    """Return the tables of docs/irregularities.md as Markdown: irregularities, then conduct."""
    books = [table.book.id for table in tables]
    rows = compare_irregularities(tables)
    parts: list[str] = []
    for kind, means in KINDS.items():
        own = [row for row in rows if row.kind == kind]
        if own:
            parts += [f"### {kind.capitalize()}", f"{means.capitalize()}.", _irregularity_table(books, own)]
    heading = "| what happens | " + " | ".join(books) + " |"
    lines = [heading, "|---" * (len(books) + 1) + "|"]
    for kind, means in k.CONDUCT.items():
        cells = [usual_handling(table, kind).words for table in tables]
        lines.append(f"| {means} | " + " | ".join(cells) + " |")
    return "\n\n".join(["## Irregularities", *parts, "## People", "\n".join(lines)]) + "\n"


def _irregularity_table(books: Sequence[str], rows: Sequence[ComparedRow]) -> str:
    lines = ["| situation | " + " | ".join(books) + " |", "|---" * (len(books) + 1) + "|"]
    for row in rows:
        situation = row.situation or ("any other" if len(rows) > 1 else "any")
        lines.append(f"| {situation} | " + " | ".join(row.outcomes[book].words for book in books) + " |")
    return "\n".join(lines)
