"""The conformance rounds: one file for each rulebook, and on each line a round with its expected result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """One round with its expected result."""

    id: str
    rulebook: str
    about: str
    clauses: tuple[str, ...]
    """The clauses that the round tests."""
    round: Mapping[str, Any]
    """The round in the format of `settle`."""
    expect: Mapping[str, Any]
    """The expected settlement, or `refused` with the clauses that forbid the round."""

    @property
    def refused(self) -> bool:
        """True if the round must be refused."""
        return "refused" in self.expect

    @property
    def line(self) -> bytes:
        """The round as one line of JSON, the input of a program."""
        return json.dumps(self.round, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def rulebooks() -> list[str]:
    """Return the ids of the rulebooks that have rounds."""
    return sorted(f.name.removesuffix(".jsonl") for f in _home().iterdir() if f.name.endswith(".jsonl"))


def cases(*wanted: str) -> Iterator[Case]:
    """Yield the rounds of these rulebooks, or of all; raises KeyError for a rulebook without rounds."""
    known = rulebooks()
    for rulebook in wanted or known:
        if rulebook not in known:
            raise KeyError(rulebook)
        for text in (_home() / f"{rulebook}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            row["clauses"] = tuple(row["clauses"])
            yield Case(rulebook=rulebook, **row)


def sample(rounds: list[Case], limit: int | None) -> list[Case]:
    """Return at most `limit` rounds, spread evenly over the corpus."""
    if limit is None or limit >= len(rounds):
        return rounds
    return [rounds[n * len(rounds) // limit] for n in range(limit)]


def _home() -> Traversable:
    return resources.files("houseway.conformance") / "rounds"
