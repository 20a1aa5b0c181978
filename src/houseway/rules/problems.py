"""A problem in a rulebook: the key, what is wrong, and how to fix it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from houseway.errors import InputError
from houseway.wording import capital


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem in a rulebook."""

    path: str
    """The key, such as `wager.blind.pays[2].when.contest`; a name that TOML would quote is in quotes. It is
    empty if the problem has no key."""
    wrong: str
    right: str
    """What to do."""
    weight: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _quoted(self.path))

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.wrong}; {self.right}"


_DOT: Final = re.compile(r"\.(?! )")
"""The dot between two names of a path. A dot before a space belongs to a name."""
_LINE: Final = re.compile(r"(.*?)( \(line \d+\)|)", re.DOTALL)
"""A path, and the line of the file that some checkers add to it."""
_PLAIN: Final = re.compile(r'[A-Za-z0-9_-]*|".*"')


def _quoted(path: str) -> str:
    """Return a path with quotes around every name that TOML does not allow without them.

    >>> _quoted("pass.what folded hands kept.wagers[0]")
    'pass."what folded hands kept".wagers[0]'
    """
    names, line = _LINE.fullmatch(path).groups()  # type: ignore[union-attr]
    return ".".join(map(_quoted_name, _DOT.split(names))) + line


def _quoted_name(text: str) -> str:
    start = text.index("[") if text.endswith("]") and "[" in text else len(text)
    name, rows = text[:start], text[start:]
    return text if _PLAIN.fullmatch(name) else f"{json.dumps(name, ensure_ascii=False)}{rows}"


class RulebookError(InputError, ValueError):
    """A rulebook cannot be used; `problems` lists every problem in it."""

    def __init__(self, ref: str, problems: list[Problem]) -> None:
        self.ref = ref
        self.problems = problems
        # If the rulebook itself is missing, the sentence already names it.
        super().__init__(
            "\n".join(f"{p.wrong}; {p.right}" if p.path == "rulebook" else f"{ref}: {p}" for p in problems)
        )

    @classmethod
    def of(cls, ref: str, path: str, wrong: str, right: str) -> RulebookError:
        """Return the error of a rulebook with one problem."""
        return cls(ref, [Problem(path, wrong, right)])


def shortened(text: str, most: int = 80) -> str:
    """Return a text cut to at most this many characters, for use in a sentence."""
    return text if len(text) <= most else f"{text[:most]}…"


def closest(word: str, words: Iterable[str], before: str = "") -> str:
    """Return "did you mean …?" after the text `before`, or an empty text if no word is similar."""
    close = get_close_matches(shortened(word), sorted(set(words)), n=1)
    return f"{before}did you mean {close[0]!r}?" if close else ""


def closest_hint(word: str, words: Iterable[str]) -> str:
    """Return the sentence " Did you mean …?", or an empty text if no word is similar."""
    like = closest(word, words)
    return f" {capital(like)}" if like else ""


def suggest(word: str, words: Iterable[str], what: str = "choice") -> str:
    """Return advice about an unknown word: "did you mean …?" or "use one of …".

    `what` says what the words are. It is used if there is only one: "the only choice here is 'named'".
    """
    known = sorted(set(words))
    if close := closest(word, known):
        return close
    if len(known) < 2:
        return f"the only {what} here is {known[0]!r}" if known else "there is nothing to choose from"
    # Names with spaces are quoted, so that the reader sees where each one ends.
    quoted = any(" " in name for name in known)
    named = ", ".join(map(repr, known[:12]) if quoted else known[:12])
    return f"use one of {named}" + (f" and {len(known) - 12} more" if len(known) > 12 else "")


def split_problem(path: str, sentence: str) -> Problem:
    """Return the problem in a sentence of the form "what is wrong; what to do"."""
    wrong, _, right = sentence.partition("; ")
    return Problem(path, wrong, right)


def unknown(path: str, word: object, known: Collection[str], what: str) -> Iterator[Problem]:
    """Yield a problem if a word is not one of the known words."""
    if not isinstance(word, str) or word not in known:
        yield Problem(path, f"{word!r} is not a {what}", suggest(str(word), known))
