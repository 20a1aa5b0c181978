"""The corpus: rounds as package data, one file for each rulebook, one round on each line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """One round with what it must come to."""

    id: str
    rulebook: str
    """The rulebook whose file it stands in."""
    about: str
    clauses: tuple[str, ...]
    """The clauses it shows."""
    round: Mapping[str, Any]
    """The round, as `settle` takes it."""
    expect: Mapping[str, Any]
    """What it comes to, or `refused` with the clauses that forbid it."""

    @property
    def refused(self) -> bool:
        """Whether the round must be refused."""
        return "refused" in self.expect

    @property
    def line(self) -> bytes:
        """The round as one line of JSON, to hand to a program."""
        return json.dumps(self.round, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def rulebooks() -> list[str]:
    """The rulebooks that have rounds."""
    return sorted(f.name.removesuffix(".jsonl") for f in _home().iterdir() if f.name.endswith(".jsonl"))


def cases(*wanted: str) -> Iterator[Case]:
    """The rounds of these rulebooks, or of all; raises KeyError for one that has none."""
    known = rulebooks()
    for rulebook in wanted or known:
        if rulebook not in known:
            raise KeyError(rulebook)
        for text in (_home() / f"{rulebook}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            row["clauses"] = tuple(row["clauses"])
            yield Case(rulebook=rulebook, **row)


def spread(found: list[Case], limit: int | None) -> list[Case]:
    """At most so many rounds, taken at even steps so that every part of the corpus is seen."""
    if limit is None or limit >= len(found):
        return found
    return [found[n * len(found) // limit] for n in range(limit)]


def _home() -> Traversable:
    return resources.files("houseway.conformance") / "rounds"
