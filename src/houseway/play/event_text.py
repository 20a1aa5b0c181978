"""What happens at a table, as the terminal says it: the narrator's sentences and the dealer's script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from houseway.client.messages import Words
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import render, terminal

UNSAID: Final = ("record", "call")
"""Topics of sentences that the terminal leaves out: the dealer's script says as much."""


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence of what happens."""

    kind: str
    """The speaker: "dealer" for the script, "table" for players and cards, "paid", "round"."""
    text: str
    clause: str | None = None
    seat: int = 0
    wager: str = ""
    """Of a settled wager: its name, its result and what it gained or lost, in cents."""
    result: str = ""
    net: int = 0


class Announcer:
    """Tells events to the person at a seat; 0 for a person without a seat."""

    def __init__(self, table: Table, you: int = 0) -> None:
        self._table = table
        self._you = you
        self._standing: set[str] = set()
        """The dealer's standing instructions that have been said; once is enough."""

    def tell(
        self, scene: Scene, event: e.Event, lines: Iterable[Words], names: Mapping[int, str]
    ) -> Iterator[Announcement]:
        """Return an event in sentences, then the lines the dealer says to it."""
        voice = terminal(self._you, names)
        for sentence in narrate(event, scene):
            if sentence.topic in UNSAID:
                continue
            kind = sentence.topic if sentence.topic in ("round", "paid") else "table"
            wager = sentence.wagers[0] if sentence.wagers else ()
            yield Announcement(kind, f"{render(sentence, voice)}.", sentence.clause, sentence.seat, *wager)
        always = {cue.words.says for cue in self._table.cues if cue.moment == "always"}
        for line in lines:
            if line.says not in self._standing:
                yield Announcement("dealer", line.says, line.clause)
            if line.says in always:
                self._standing.add(line.says)
