"""What is wrong with a rulebook, where, and what would be right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from houseway.errors import InputError


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a rulebook."""

    path: str
    """The key, as `wager.blind.pays[2].when.contest`."""
    wrong: str
    right: str
    weight: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        return f"{self.path}: {self.wrong}; {self.right}"


class RulebookError(InputError, ValueError):
    """A rulebook that cannot be used, with every problem it has."""

    def __init__(self, ref: str, problems: list[Problem]) -> None:
        self.ref = ref
        self.problems = problems
        super().__init__("\n".join(f"{ref}: {p}" for p in problems))

    @classmethod
    def of(cls, ref: str, path: str, wrong: str, right: str) -> RulebookError:
        """The error of a rulebook with one problem."""
        return cls(ref, [Problem(path, wrong, right)])


def shortened(text: str, most: int = 80) -> str:
    """A text cut to so many letters, for use within a sentence."""
    return text if len(text) <= most else f"{text[:most]}…"


def closest(word: str, words: Iterable[str], before: str = "") -> str:
    """The question whether a similar word was meant, after some text; nothing if no word is similar."""
    close = get_close_matches(shortened(word), sorted(set(words)), n=1)
    return f"{before}did you mean {close[0]!r}?" if close else ""


def meant(word: str, words: Iterable[str]) -> str:
    """What would be right in place of an unknown word: the word meant, or all there are."""
    known = sorted(set(words))
    if close := closest(word, known):
        return close
    if not known:
        return "there is none"
    named = ", ".join(known[:12])
    return f"there is {named}" + (f" and {len(known) - 12} more" if len(known) > 12 else "")


def unknown(path: str, word: object, known: Collection[str], what: str) -> Iterator[Problem]:
    """A problem if a word is not among those known."""
    if not isinstance(word, str) or word not in known:
        yield Problem(path, f"{word!r} is no {what}", meant(str(word), known))
