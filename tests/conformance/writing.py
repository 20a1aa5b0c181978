"""Write rounds to files, each with a number, the clauses that it shows, and the second settler's result as its expectation."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from houseway.rules.loader import load
from houseway.second_settler import DOCUMENTS, settle
from houseway.testing.random_rounds import random_round

from . import (
    checked,
    checked_tables,
    covering,
    folding,
    limiting,
    progressing,
    refusing,
    shooting,
    showing,
    splitting,
    tipping,
)
from .dealing import Made
from .shows import shown

ROUNDS = Path(__file__).resolve().parents[2] / "src" / "houseway" / "conformance" / "rounds"
BOOKS = DOCUMENTS
MAKERS = (
    checked, checked_tables, showing, folding, progressing, covering, limiting, tipping, shooting, splitting,
    refusing,
)  # fmt: skip
RANDOM = 120
"""The number of random rounds for each rulebook, added after the constructed ones."""

SEVERAL_CLAUSES = frozenset({"no_decision", "play_without_ante", "unknown_key", "bad_hands", "no_bet"})
"""Faults that more than one clause forbids; any of them is correct, so the corpus names none."""


def made() -> Iterator[Made]:
    """Yield every round, before its expected result is computed."""
    for maker in MAKERS:
        yield from maker.rounds()
    for book in BOOKS:
        for seed in range(RANDOM):
            yield Made(f"at random, seed {seed}", random_round(Random(seed), load(book)))


def expectation(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the second settler's answer as an expectation, with refusals but not their messages."""
    if "refused" not in answer:
        return {key: value for key, value in answer.items() if key != "house_way" or value}
    return {"refused": _refusals(answer["refused"])}


def _refusals(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for problem in listed:
        entry: dict[str, Any] = {"where": problem["where"]} if problem["where"] else {}
        if problem["clause"] and len(listed) == 1 and not _has_several_clauses(problem):
            entry["clause"] = problem["clause"]
        result.append(entry)
    return result


def _has_several_clauses(problem: dict[str, Any]) -> bool:
    """True if several clauses forbid what the refusal is about."""
    if problem["code"] in SEVERAL_CLAUSES:
        return True
    # MA-6.d only refers to the sections with the multiples. A blind without an ante is both unequal and incomplete.
    return (problem["code"], problem["clause"]) in {
        ("bad_play", "MA-6.d"), ("unequal_blind", "SD-2-b"), ("unequal_blind", "CARD-5-b"),
        ("unequal_blind", "MA-1.ante-b"),
    }  # fmt: skip


def cases() -> dict[str, list[dict[str, Any]]]:
    """The whole corpus by rulebook, without duplicates."""
    by_book: dict[str, list[dict[str, Any]]] = {book: [] for book in BOOKS}
    seen: set[str] = set()
    for about, round_, clauses in made():
        key = json.dumps(round_, sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        answer = settle(json.loads(key))
        # An unknown rulebook is among the Massachusetts rounds.
        book = str(round_["rulebook"])
        listed = by_book.get(book, by_book["uth-ma"])
        listed.append(
            {
                "id": f"{book if book in by_book else 'uth-ma'}-{len(listed) + 1:04d}",
                "about": about,
                "clauses": shown(round_, answer, clauses),
                "round": round_,
                "expect": expectation(answer),
            }
        )
    return by_book


def files() -> dict[str, bytes]:
    """The corpus as file names and contents."""
    return {
        f"{book}.jsonl": "".join(
            json.dumps(case, ensure_ascii=False, separators=(",", ":")) + "\n" for case in listed
        ).encode()
        for book, listed in cases().items()
    }


def main() -> None:
    """Write the files and print the number of rounds."""
    ROUNDS.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (ROUNDS / name).write_bytes(content)
        count = len(content.splitlines())
        print(f"{name:<20}{count:>6} rounds{len(content):>10} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
