"""Turns events into the text that the terminal prints: the narrator's sentences and the dealer's script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from houseway.client.messages import Words
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import render, terminal

SKIPPED_TOPICS: Final = ("record", "call")
"""Topics that the terminal leaves out because the dealer's script covers them."""


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence about an event."""

    kind: str
    """The subject: "dealer" for the dealer's script, "table" for players and cards, "paid" or "round"."""
    text: str
    clause: str | None = None
    seat: int = 0
    wager: str = ""
    """For a settled wager: its name, its result, and the amount won or lost in cents."""
    result: str = ""
    net: int = 0


class Announcer:
    """Turns events into sentences for the person at seat `you`; 0 if the person has no seat."""

    def __init__(self, table: Table, you: int = 0) -> None:
        self._table = table
        self._you = you
        self._standing: set[str] = set()
        """The standing instructions of the dealer's script that were printed; each is printed once."""

    def tell(
        self, scene: Scene, event: e.Event, lines: Iterable[Words], names: Mapping[int, str]
    ) -> Iterator[Announcement]:
        """Yield an event's sentences, then the dealer's lines for it."""
        voice = terminal(self._you, names)
        for sentence in narrate(event, scene):
            if sentence.topic in SKIPPED_TOPICS:
                continue
            kind = sentence.topic if sentence.topic in ("round", "paid") else "table"
            wager = sentence.wagers[0] if sentence.wagers else ()
            text = render(sentence, voice)
            text = f"{text[:1].upper()}{text[1:]}."
            yield Announcement(kind, text, sentence.clause, sentence.seat, *wager)
        always = {cue.words.says for cue in self._table.cues if cue.moment == "always"}
        for line in lines:
            if line.says not in self._standing:
                yield Announcement("dealer", line.says, line.clause)
            if line.says in always:
                self._standing.add(line.says)
