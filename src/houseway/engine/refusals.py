"""A refusal: what may not be, by which clause, and what is allowed instead."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """One reason why a round is not settled or an act not accepted."""

    code: str
    """A stable name for programs."""
    clause: str | None
    """The clause it rests on; None where no document speaks, as of a card dealt twice."""
    where: str
    message: str


class Refusals(list[Refusal]):
    """Every reason to refuse something, in the order they were found."""

    def add(self, code: str, message: str, where: str, clause: str | None = None) -> None:
        """Add a reason."""
        self.append(Refusal(code, clause, where, message))


class RefusalError(Exception):
    """Raised with code, clause, place and message where a command is found to be refused; `decide` answers
    with the refusal."""


class Refused(msgspec.Struct, frozen=True):
    """A round that breaks a rule: every reason at once, nothing settled."""

    refused: tuple[Refusal, ...]
