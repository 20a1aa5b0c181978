"""The parameters in which rulebooks differ and that no wager, stage or table says already.

Each has a title for people and the words it may take, or a type where any value will do. They are listed in
rulebooks/shared/options.toml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from houseway.rules.catalogue import shared
from houseway.rules.problems import meant
from houseway.rules.toml_reader import MODES, Reader, kind

ULTIMATE: Final = "ultimate"
SHOOTOUT: Final = "shootout"
GAMES: Final = (ULTIMATE, SHOOTOUT)

TYPES: Final[dict[str, type]] = {
    "flag": bool, "number": int, "text": str, "numbers": list, "texts": list, "by mode": dict,
}  # fmt: skip
ITEMS: Final[dict[str, tuple[type, str]]] = {"numbers": (int, "whole numbers"), "texts": (str, "texts")}
"""What the lists hold, and its name."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A parameter of a rulebook."""

    name: str
    title: str
    words: Sequence[str] = ()
    """The values it may have; any value of its type if there are none."""
    type: str = "text"
    games: Sequence[str] = GAMES
    money: bool = False
    """True if it is about wagers, limits or payments."""

    def read(self, reader: Reader, key: str) -> Any:
        """Return the value of a key, or None, with a fault noted, if it is not one of this parameter."""
        value = reader.raw(key)
        if self.words:
            if isinstance(value, str) and value in self.words:
                return value
            reader.fault(key, f"{value!r} is unknown", meant(str(value), self.words))
            return None
        needed = TYPES[self.type]
        if type(value) is not needed:
            reader.fault(key, f"is {kind(value)}", f"{kind(needed())} belongs here")
            return None
        if isinstance(value, dict):
            reader.table(key).finish(*MODES)
        if isinstance(value, list):
            item, plural = ITEMS[self.type]
            if any(type(v) is not item for v in value):
                reader.fault(key, "lists something else", f"list {plural}")
                return None
        return value


BY_NAME: Final = {name: RuleOption(name, **row) for name, row in shared("options.toml").items()}


def options_of(game: str) -> tuple[RuleOption, ...]:
    """The parameters a game has."""
    return tuple(o for o in BY_NAME.values() if game in o.games)
