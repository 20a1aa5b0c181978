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


class RefusalError(Exception):
    """Raised where a command is found to be refused; `decide` answers with the refusal."""

    def __init__(self, code: str, clause: str | None, where: str, message: str) -> None:
        self.refusal = Refusal(code, clause, where, message)
        super().__init__(message)


class Refused(msgspec.Struct, frozen=True):
    """A round that breaks a rule: every reason at once, nothing settled."""

    refused: tuple[Refusal, ...]
