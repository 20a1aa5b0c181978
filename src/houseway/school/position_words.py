"""The words of a position: its wagers, what each choice bets or gives up, and the values of the choices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from houseway.engine.terms import Terms
from houseway.money import exactly
from houseway.school.decision_values import ValuedDecision
from houseway.school.player_decisions import CHECK, FOLD
from houseway.school.reason_words import choice_words, signed

STAKE: Final = 1000
"""The ante (in Texas Shootout: the wager) of a practised position, in cents."""


def choice_key(choice: str, place: int) -> str:
    """Return the key of a choice: C, F, the number of antes, or, for four cards, its place in the list."""
    if choice in (CHECK, FOLD):
        return choice[0].upper()
    return choice[:-1] if choice[:1].isdecimal() else str(place)


def wager_words(terms: Terms) -> str:
    """Return the wagers that are made before the deal: "Ante $10.00, blind $10.00"."""
    words = ", ".join(f"{title} {exactly(STAKE)}" for title in _entry_wagers(terms))
    return words[:1].upper() + words[1:].lower()


def effect_words(terms: Terms, choice: str) -> str:
    """Return what a choice bets or gives up."""
    if choice == FOLD:
        return f"lose {exactly(entry_stake(terms))}"
    if choice[:1].isdecimal():
        return f"bet {exactly(STAKE * int(choice[:-1]))}"
    return f"bet {exactly(STAKE)} more" if choice.startswith("split") else "no bet"


def entry_stake(terms: Terms) -> int:
    """Return the cents that a player bets before the deal, and loses with a fold."""
    return STAKE * len(_entry_wagers(terms))


def _entry_wagers(terms: Terms) -> list[str]:
    """Return the titles of the wagers that every player makes before the deal."""
    return [wager.title for wager in terms.wagers if wager.group.against_dealer and not wager.optional]


def plus(value: Fraction) -> str:
    """Return a value with its sign and four decimals: "+0.6156"."""
    return ("+" if value > 0 else "") + signed(value)


def dollars_words(value: Fraction) -> str:
    """Return the value of a choice in dollars: "−$1.03"."""
    cents = round(value * STAKE)
    return ("+" if cents > 0 else "") + exactly(cents).replace("-", "−")


def value_lines(valued: ValuedDecision, unit: str) -> Iterator[str]:
    """Yield the values of the choices below a heading with their unit."""
    yield f"  {'Choice':<16}{f'value, in {unit}s':>17}"
    for name, value in valued.values.items():
        marks = ["best"] * (name == valued.best) + ["yours"] * (name == valued.decision.choice)
        tail = f"   {', '.join(marks)}" if marks else ""
        yield f"  {choice_words(name):<24}{plus(value):>9}{tail}"
