"""Wagers, amounts, clauses and pay tables as text for the player."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.money import exactly, spoken
from houseway.report.document import Block, Document, Heading
from houseway.report.pay_tables import schedules
from houseway.report.rules_card import house_way_blocks
from houseway.report.terminal import text
from houseway.rules.loader import all_clauses, document_of, own_clause
from houseway.rules.problems import closest
from houseway.rules.rulebook import Clause, Rulebook
from houseway.wording import alternatives, wager_name

NOT_YET = (
    "out-of-order",
    "players-first",
    "round-under-way",
    "challenged",
    "deal-not-done",
    "deck-opening",
    "drawn-already",
    "no-notice",
    "wagers-down",
)
"""Refusal codes of requests that will be allowed later."""


def fold_cost(table: Table, bets: Mapping[str, int]) -> int:
    """Return what a seat with these bets loses by folding: the wagers that every player makes, in cents."""
    wagers = table.terms.wagers
    return sum(bets.get(w.name, 0) for w in wagers if w.group.against_dealer and not w.optional)


def signed(amount: int) -> str:
    """Return a net amount with its sign: "+$15.00", "−$5.00", "$0.00"."""
    return ("+" if amount > 0 else "") + exactly(amount).replace("-", "−")


def limits_text(spot: Spot) -> str:
    """Return a spot with its limits: "ante $5 to $100", "progressive $5"."""
    name = "primary wager" if spot.wager == "wager" else wager_name(spot.wager)
    most = "" if spot.exact else " or more" if spot.most is None else f" to {spoken(spot.most)}"
    return f"{name} {spoken(spot.least)}{most}"


def extras_text(tip_spots: Sequence[str], *, coupons: bool) -> str:
    """Return how to add a tip and a coupon to a bet; empty if the table takes neither."""
    offers = []
    if tip_spots:
        names = [wager_name(name) for name in tip_spots]
        add = f'add "tip {names[0]} 2" to your bet.'
        offers.append(f" You can tip the dealer on {alternatives(names)}: {add}")
    if coupons:
        offers.append(' You can use a match play coupon: add "coupon 10" to your bet.')
    return "".join(offers)


def refusal_text(refusal: Refusal, borrowed: Collection[str] = ()) -> str:
    """Return a refusal as a sentence, with its clause if it has one."""
    start = "Not yet" if refusal.code in NOT_YET else "Not allowed"
    return f"{start}: {refusal.message}.{citation(refusal.clause, borrowed)}"


def citation(clause: str | None, borrowed: Collection[str]) -> str:
    """Return the clause in brackets after a space, marked if it is borrowed; empty without a clause."""
    return f" [{clause}{', borrowed' if clause in borrowed else ''}]" if clause else ""


def clause_text(book: Rulebook, identity: str) -> tuple[str, ...]:
    """Return a clause in paragraphs (text, our reading, conflicts), a house setting, or an error."""
    known = all_clauses()
    by_lower = {name.lower(): name for name in known}
    clause = known.get(by_lower.get(identity.lower(), "")) or own_clause(identity)
    if clause is not None:
        silent = f"Borrowed, because {book.id} does not cover this:"
        paragraphs = [silent, clause.says] if clause.id in book.borrowed() else [clause.says]
        if clause.reading:
            paragraphs.append(f"Our reading: {clause.reading}")
        if clause.conflicts:
            paragraphs += _different(clause)
        return tuple(paragraphs)
    if setting := book.house.get(identity.removeprefix("house.")):
        return (f"A house setting. {setting.about}",)
    example = min(book.clauses or known)
    if not identity:
        return (f'No clause has been shown yet. To read one, type for example "clause {example}".',)
    like = closest(identity, known) or f"ids look like {example}"
    return (f"No clause matches {identity!r}; {like}",)


def is_known_clause(book: Rulebook, identity: str) -> bool:
    """True if `clause_text` has a clause or a house setting of this name, and not only an error."""
    known = {name.lower() for name in all_clauses()}
    setting = identity.removeprefix("house.") in book.house
    return identity.lower() in known or own_clause(identity) is not None or setting


def _different(clause: Clause) -> Iterator[str]:
    """Yield sentences that name the clauses that say something different, with their documents."""
    document = document_of(clause.id)
    elsewhere = [
        f"{other} ({name})" for other in clause.conflicts if (name := document_of(other)) != document
    ]
    here = [other for other in clause.conflicts if document_of(other) == document]
    if here:
        yield f"This document also has a clause that conflicts with this one: {', '.join(here)}."
    if elsewhere:
        yield f"Other documents have a different rule: {', '.join(elsewhere)}."


def seal_text(seal: str, salt: str, cut: str = "") -> str:
    """Return the seal of a round's cards, the player's salt, and the result of the check of the cut."""
    if not seal:
        return "The cards are not sealed: they come from a real table."
    text = f"The order of the cards was sealed before the first wager:\n\n{seal}"
    if salt:
        text += (
            f"\n\nYour salt, random digits that help to decide the cut, was chosen after that:\n\n{salt}"
        )
    if cut:
        text += f"\n\n{cut}"
    numbers = "these numbers" if salt else "this number"
    return f"{text}\n\nWrite {numbers} down to check your cards later with `houseway audit proofs`."


def pays_text(table: Table, width: int = 72) -> str:
    """Return the pay tables in use, as a rules card shows them."""
    blocks: list[Block] = []
    for wager in table.terms.wagers:
        tables = schedules(table.terms, wager, chosen=True)
        blocks += [Heading(wager.title, 2), *tables] if tables else []
    return text(Document("What the wagers pay", "", tuple(blocks)), width).rstrip()


def house_way_text(table: Table, width: int = 72) -> str:
    """Return the dealer's house way line by line; a sentence if the game has none."""
    way = table.book.house_way
    if way is None:
        return "This game has no house way: the dealer has only two cards."
    title = f"The house way: {way.name}, version {way.version}"
    return text(Document(title, "", tuple(house_way_blocks(way)[1:])), width).rstrip()
