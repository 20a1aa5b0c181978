"""Refusals. Each has a code, a clause, a place, and a message that says what is wrong and what to do."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """One reason why a round or a command is refused."""

    code: str
    """A stable name for programs."""
    clause: str | None
    """The clause that is broken; None if no clause covers the case, as for a card dealt twice."""
    where: str
    message: str


class Refusals(list[Refusal]):
    """All refusals of a round or a command, in order."""

    def add(self, code: str, message: str, where: str, clause: str | None = None) -> None:
        """Add a refusal."""
        self.append(Refusal(code, clause, where, message))


class RefusalError(Exception):
    """Raised with code, clause, place and message to refuse a command; `decide` returns it as a Refusal."""


class Refused(msgspec.Struct, frozen=True):
    """A round that was not settled, with every reason."""

    refused: tuple[Refusal, ...]
