"""Wagers, amounts, clauses and pay tables in the words a player reads."""

from __future__ import annotations

from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.money import exactly, spoken
from houseway.report.document import Block, Document, Heading
from houseway.report.pay_tables import schedules
from houseway.report.terminal import text
from houseway.rules.loader import all_clauses, own_clause
from houseway.rules.problems import meant
from houseway.rules.rulebook import Rulebook


def named(wager: str) -> str:
    """A wager as players call it."""
    return wager.replace("_", " ")


def signed(amount: int) -> str:
    """What a wager gained or lost: "+$15.00", "−$5.00", "$0.00"."""
    return ("+" if amount > 0 else "") + exactly(amount).replace("-", "−")


def room(spot: Spot) -> str:
    """What a spot takes: "ante $5 to $100", "progressive $5"."""
    if spot.exact or spot.most is None:
        return f"{named(spot.wager)} {spoken(spot.least)}" + ("" if spot.exact else " or more")
    return f"{named(spot.wager)} {spoken(spot.least)} to {spoken(spot.most)}"


def sentence(refusal: Refusal) -> str:
    """A refusal as a person reads it, with its clause or, where no document speaks, its code."""
    return f"Not taken: {refusal.message}. [{refusal.clause or refusal.code}]"


def clause_text(book: Rulebook, identity: str) -> tuple[str, ...]:
    """A clause in paragraphs: what it says, the reading taken, what it contradicts; or a house setting."""
    known = all_clauses()
    by_lower = {name.lower(): name for name in known}
    found = known.get(by_lower.get(identity.lower(), "")) or own_clause(identity)
    if found is not None:
        told = [found.says]
        if found.reading:
            told.append(f"Reading: {found.reading}")
        if found.conflicts:
            told.append(f"Disagrees with {', '.join(found.conflicts)}.")
        return tuple(told)
    setting = book.house.get(identity.removeprefix("house."))
    if setting is not None:
        return (f"A house setting. {setting.about}",)
    if not identity:
        return ("No document speaks of this.",)
    return (f"{identity!r} is no clause; {meant(identity, known)}",)


def seal_text(seal: str, salt: str) -> str:
    """What the cards of a round are sealed with, and what the player put into the cut."""
    if not seal:
        return "The cards are not sealed: they come from a real table."
    told = f"The cards were sealed before the first wager:\n\n{seal}"
    if salt:
        told += f"\n\nYour salt, added after that, cuts them:\n\n{salt}"
    return f"{told}\n\nNote them down; `houseway audit proofs` opens your cards against the seal."


def pays_text(table: Table, width: int = 72) -> str:
    """The pay tables in use, as a rules card prints them."""
    blocks: list[Block] = []
    for wager in table.terms.wagers:
        found = schedules(table.terms, wager, chosen=True)
        blocks += [Heading(wager.title, 2), *found] if found else []
    return text(Document("What the wagers pay", "", tuple(blocks)), width).rstrip()
