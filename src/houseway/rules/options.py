"""The options of rulebooks: parameters that belong to no wager, betting point or pay table.

The options and their titles are in rulebooks/shared/options.toml. An option allows either a list of words
or any value of a type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from houseway.rules.catalogue import shared
from houseway.rules.problems import suggest
from houseway.rules.toml_reader import MODES, Reader, kind

ULTIMATE: Final = "ultimate"
SHOOTOUT: Final = "shootout"
GAMES: Final = (ULTIMATE, SHOOTOUT)

TYPES: Final[dict[str, type]] = {
    "flag": bool, "number": int, "text": str, "numbers": list, "texts": list, "by mode": dict,
}  # fmt: skip
ITEMS: Final[dict[str, tuple[type, str]]] = {"numbers": (int, "whole numbers"), "texts": (str, "strings")}
"""For each type of list: the type of its items, and the name of that type in messages."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """An option of a rulebook."""

    name: str
    title: str
    words: Sequence[str] = ()
    """The values it allows; empty if it allows any value of its type."""
    type: str = "text"
    games: Sequence[str] = GAMES
    money: bool = False
    """True if it is about wagers, limits or payments."""

    def read(self, reader: Reader, key: str) -> Any:
        """Return the value of a key; if it is not allowed, report a problem and return None."""
        value = reader.raw(key)
        if self.words:
            if isinstance(value, str) and value in self.words:
                return value
            reader.fault(key, f"{value!r} is not allowed", suggest(str(value), self.words))
            return None
        needed = TYPES[self.type]
        if type(value) is not needed:
            reader.fault(key, f"is {kind(value)}", f"write {kind(needed())}")
            return None
        if isinstance(value, dict):
            reader.table(key).finish(*MODES)
        if isinstance(value, list):
            item, plural = ITEMS[self.type]
            if any(type(v) is not item for v in value):
                reader.fault(key, "has items of another type", f"list only {plural}")
                return None
        return value


BY_NAME: Final = {name: RuleOption(name, **row) for name, row in shared("options.toml").items()}


def options_of(game: str) -> tuple[RuleOption, ...]:
    """Return the options of a game."""
    return tuple(o for o in BY_NAME.values() if game in o.games)
