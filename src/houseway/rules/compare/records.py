"""What a comparison is made of: a parameter as one rulebook states it, and as two do."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.rules.compare.value_words import cite
from houseway.rules.toml_reader import Basis


@dataclass(frozen=True, slots=True)
class Stated:
    """What one rulebook says of a parameter, part by part, and what that rests on."""

    parts: tuple[str, ...]
    bases: tuple[Basis, ...]

    @property
    def value(self) -> str:
        """The parts in one line."""
        return "; ".join(self.parts)

    @property
    def clause(self) -> str:
        """The clauses in print."""
        return cite(*self.bases)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The deciding clauses, each once."""
        return tuple(dict.fromkeys(c for basis in self.bases for c in basis.deciding or basis.also))


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something in which rulebooks can differ, as one rulebook has it."""

    name: str
    title: str
    stated: Stated
    detail: bool = False
    """Whether other parameters tell of it already, unless both rulebooks have it."""


@dataclass(frozen=True, slots=True)
class ParameterDifference:
    """A parameter in two rulebooks; None where one of them does not have it."""

    name: str
    title: str
    a: Stated | None
    b: Stated | None

    @property
    def differs(self) -> bool:
        """Whether the values differ; another clause alone is no difference."""
        return (self.a.parts if self.a else None) != (self.b.parts if self.b else None)
