"""The data of a comparison: a parameter in one rulebook, and the same parameter in two rulebooks side by
side."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.rules.compare.value_words import cite
from houseway.rules.toml_reader import Basis


@dataclass(frozen=True, slots=True)
class Statement:
    """The value of a parameter in one rulebook, part by part, with its bases."""

    parts: tuple[str, ...]
    bases: tuple[Basis, ...]

    @property
    def value(self) -> str:
        """The parts in one line."""
        return "; ".join(self.parts)

    @property
    def clause(self) -> str:
        """The clauses as they are printed."""
        return cite(*self.bases)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The deciding clauses, each once."""
        return tuple(dict.fromkeys(c for basis in self.bases for c in basis.deciding or basis.also))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value in which rulebooks can differ, as one rulebook states it."""

    name: str
    title: str
    stated: Statement
    detail: bool = False
    """True if it is a detail of another parameter, to be compared only if both rulebooks have it."""


@dataclass(frozen=True, slots=True)
class ParameterDifference:
    """A parameter in two rulebooks; a side is None if that rulebook does not have it."""

    name: str
    title: str
    a: Statement | None
    b: Statement | None

    @property
    def differs(self) -> bool:
        """True if the values differ; a different clause alone is not a difference."""
        return (self.a.parts if self.a else None) != (self.b.parts if self.b else None)
