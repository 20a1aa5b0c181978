"""The count of a real table's stub, as a person types it; after a wrong count, the count of the hands."""

from __future__ import annotations

import re
from typing import Final

from houseway.engine import commands as c
from houseway.engine.deal_acts import stub
from houseway.engine.state import State
from houseway.engine.stub_count import asks_for_hands
from houseway.engine.table import Table
from houseway.play.prompt import Prompt

HAND: Final = re.compile(r"\s*(seat \d+|dealer) (\d+)\s*")
"""The number of cards in one hand, as in "seat 1 3"."""


class StubPrompt:
    """The question for the count of the stub, and after a wrong count the question for the hands."""

    def __init__(self) -> None:
        self.count: int | None = None
        """The wrong count, while the person counts the hands; otherwise None."""

    def prompt(self) -> Prompt:
        """Return the question to ask now."""
        text = "Type how many cards the stub has, or press Enter if the deck is complete"
        if self.count is not None:
            text = (
                f"{self.count} is wrong. Type the hands with too many or too few cards, "
                'as in "seat 1 3, dealer 1", or press Enter if there are none. '
                "If you counted wrong, type the new count"
            )
        return Prompt("cards", place="the stub", text=text)

    def read(self, table: Table, state: State, step: str, text: str) -> c.Perform | str | None:
        """Return the command for the text that the person typed, or an error.

        Return None if the count is wrong and the hands must be counted first.
        """
        typed = text.strip().lower()
        if self.count is not None and not asks_for_hands(table, state, self.count):
            self.count = None
        if self.count is not None and not typed.isdecimal():
            return self._hands(step, typed)
        typed = typed or str(stub(table, state))
        if not typed.isdecimal():
            return f"{typed[:20]!r} is not a number of cards; type a number such as 41"
        self.count = int(typed) if asks_for_hands(table, state, int(typed)) else None
        return c.Perform(step=step, count=int(typed)) if self.count is None else None

    def _hands(self, step: str, typed: str) -> c.Perform | str:
        """Return the command for a wrong count with the number of cards in each hand, or an error."""
        holds: dict[str, int] = {}
        for part in filter(None, typed.split(",")):
            hand = HAND.fullmatch(part)
            if hand is None:
                example = 'type a hand and its number of cards, as in "seat 1 3"'
                return f"{part.strip()[:20]!r} is not the count of a hand; {example}"
            holds[hand[1]] = int(hand[2])
        return c.Perform(step=step, count=self.count, holds=holds)
