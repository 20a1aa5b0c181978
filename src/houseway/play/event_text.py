"""Turns events into the text that the terminal prints: the narrator's sentences and the dealer's script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from houseway.client.messages import Words
from houseway.engine import events as e
from houseway.engine.script import ScriptLine
from houseway.engine.table import Table
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import render, terminal
from houseway.wording import capital

SKIPPED_TOPICS: Final = ("record", "call")
"""Topics that the terminal leaves out because the dealer's script covers them."""


class Announcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence about an event."""

    kind: str
    """The subject: "dealer" for the dealer's script, "table" for players and cards, "paid", "round" or
    "coach"."""
    text: str
    clause: str | None = None
    seat: int = 0
    wager: str = ""
    """For a settled wager: its name, its result, and the amount won or lost in cents."""
    result: str = ""
    net: int = 0


STEP_ENDS: Final = (e.StepTaken.__name__, e.FoldTaken.__name__)
"""The last event of each of the dealer's steps, which has the script of the step."""


def follows_script(event: e.Event) -> bool:
    """True if an event shows cards or settles a wager; the script of its step is announced before it."""
    shown = (
        e.BoardTurned
        | e.BoardArranged
        | e.DealerRevealed
        | e.PlayersLooked
        | e.PayoutsShown
        | e.HandTurned
        | e.WagerSettled
    )
    return isinstance(event, shown) or (isinstance(event, e.CardsDealt) and bool(event.face))


def confirms_automatically(event: e.Event) -> bool:
    """True if a house setting confirmed an item of the opening, or inspected or verified a deck."""
    return isinstance(event, e.ItemConfirmed | e.DeckInspected | e.DeckVerified) and event.automatic


class Announcer:
    """Turns events into sentences for the person at seat `you`; 0 if the person has no seat."""

    def __init__(self, table: Table, you: int = 0, *, real: bool = False) -> None:
        self._table = table
        self._you = you
        self._real = real
        """True if the game follows a real table."""
        self._standing: set[str] = set()
        """The standing instructions of the dealer's script that were printed; each is printed once."""
        self._due: tuple[int, str] = (0, "")
        """The round and the step whose script was announced before the step."""
        self._announced: set[str] = set()
        """The script of that step."""

    def tell_due(self, due: tuple[int, str], lines: Iterable[ScriptLine]) -> list[Announcement]:
        """Return the script of the step that is due, once for each round and step."""
        if due == self._due:
            return []
        known = [line for line in lines if line.says not in self._standing]
        self._due, self._announced = due, {line.says for line in known}
        return [Announcement("dealer", line.says, line.clause) for line in known]

    def tell(
        self,
        scene: Scene,
        event: e.Event,
        before: Iterable[Words],
        after: Iterable[Words],
        names: Mapping[int, str],
    ) -> Iterator[Announcement]:
        """Yield an event's sentences, with the lines of the dealer's script before and after them."""
        voice = terminal(self._you, names)
        yield from self._script(before)
        for sentence in narrate(event, scene):
            if sentence.topic in SKIPPED_TOPICS and not (self._real and confirms_automatically(event)):
                continue
            kind = sentence.topic if sentence.topic in ("round", "paid") else "table"
            wager = sentence.wagers[0] if sentence.wagers else ()
            text = f"{capital(render(sentence, voice))}."
            yield Announcement(kind, text, sentence.clause, sentence.seat, *wager)
        yield from self._script(after)

    def _script(self, lines: Iterable[Words]) -> Iterator[Announcement]:
        """Yield lines of the dealer's script that were not announced before the step."""
        always = {cue.words.says for cue in self._table.cues if cue.moment == "always"}
        for line in lines:
            if line.says not in self._standing | self._announced:
                yield Announcement("dealer", line.says, line.clause)
            if line.says in always:
                self._standing.add(line.says)
