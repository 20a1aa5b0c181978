"""The story of a round: its phases, each with passages of sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.narrate.narrator import Sees
from houseway.narrate.record import RoundTeller
from houseway.narrate.render import Voice, record, render
from houseway.narrate.sentence_groups import deal, retold
from houseway.narrate.sentences import Cards, Sentence
from houseway.rules.odds_words import wording

Data = dict[str, Any]
SeesAt = Callable[[State], Sees]
"""Given the state after an event, returns the function that decides which cards a reader may see."""

FLOP: Final = 3
BETS, DEAL, SETTING = "Bets", "Deal", "Setting hands"
TURNED, LATER = "Flop", "Turn and river"
DEALER, SETTLING, VOID = "The dealer's hand", "Settlement", "Void hands"


class StoryStep(NamedTuple):
    """A recorded event with the state of the table right after it."""

    seq: int
    event: e.Event
    after: State
    at: str
    """The time at which the event was recorded."""


def phase_names(table: Table, steps: Sequence[StoryStep]) -> list[str]:
    """Return the phase of the round for each of its events."""
    first_decision = next(
        (stage.name.capitalize() for stage in table.book.stages if not stage.board), SETTING
    )
    name, board_cards_up, may_settle = BETS, 0, False
    names = []
    for _, event, after, _ in steps:
        match event:
            case e.BettingClosed():
                name = DEAL
            case e.PlayersLooked():
                name = first_decision
            case e.DealerRevealed():
                name, may_settle = DEALER, True
            case e.RoundVoided():
                name, may_settle = VOID, True
            case e.HandTurned() | e.WagerSettled() if may_settle:
                name = SETTLING
        if after.round.up > board_cards_up and name != VOID:
            name = LATER if board_cards_up >= FLOP else TURNED
        board_cards_up = after.round.up
        names.append(name)
    return names


def phases(names: Sequence[str]) -> list[Data]:
    """Return the phases in order, each with the indexes of its first and last event."""
    starts = [n for n, name in enumerate(names) if n == 0 or name != names[n - 1]]
    return [{"name": names[a], "from": a, "to": b - 1} for a, b in pairwise([*starts, len(names)])]


class Passage(NamedTuple):
    """Sentences of a story that belong together."""

    phase: str
    key: object
    start: int
    """The index of the first event that the passage tells."""
    sentences: list[Sentence]
    dealt: dict[str, tuple[int, Cards]]
    """Cards dealt face down, by place."""
    clauses: dict[str, None]

    def text(self, voice: Voice) -> str:
        """Return the passage as text."""
        sentences = [*retold(self.sentences), *([deal(self.dealt)] if self.dealt else [])]
        return " ".join(f"{render(sentence, voice, staged=False)}." for sentence in sentences)


class Storyteller:
    """Tells a round in passages for one reader."""

    def __init__(self, table: Table, sees: SeesAt, seat: int = 0) -> None:
        self._teller = RoundTeller(table.terms.order, seat, wording(table.book))
        self._sees = sees
        self._passages: list[Passage] = []

    def story(self, lead: Iterable[StoryStep], steps: Sequence[StoryStep], names: Sequence[str],
              held: Sequence[Cards]) -> list[Data]:  # fmt: skip
        """Return the round as passages under the names of its phases.

        `lead` contains the events since the previous round. `names` gives the phase of each event in the
        round, and `held` the reader's own cards at that event.
        """
        players: dict[int, str] = {}
        for step in lead:
            self._tell(BETS, 0, step, ())
        for n, (name, step) in enumerate(zip(names, steps, strict=True)):
            self._tell(name, n, step, held[n])
            players = {number: seat.player for number, seat in step.after.seats.items()}
        voice = record(players)
        parts: list[Data] = []
        ends = [passage.start - 1 for passage in self._passages[1:]] + [len(steps) - 1]
        heading = ""
        for passage, last in zip(self._passages, ends, strict=True):
            if passage.phase != heading:
                heading = passage.phase
                parts.append({"heading": heading})
            events = {"from": passage.start, "to": last}
            parts.append({"says": passage.text(voice), "clauses": list(passage.clauses), **events})
        return parts

    def _tell(self, phase: str, at: int, step: StoryStep, held: Cards) -> None:
        event = step.event
        sentences = self._teller.tell(event, self._sees(step.after), held)
        if not sentences:
            return
        match event:
            case e.CardsDealt() if not event.face:
                passage = self._passage(phase, at, "deal")
                count, cards = passage.dealt.get(event.to, (0, ()))
                passage.dealt[event.to] = (count + event.count, cards)
                sentences = ()
            case e.RoundClosed():
                passage = self._passage(phase, at, "close")
            case e.Checked() | e.PlayMade() | e.Folded() | e.HandSet() | e.HandSplit():
                passage = self._passage(phase, at, ("acts", getattr(event, "stage", "")))
            case e.HandTurned() | e.WagerSettled():
                passage = self._passage(phase, at, ("hand", event.seat, event.hand))
            case _:
                opening = at == 0 and phase == BETS
                passage = self._passage(phase, at, "lead" if opening else step.seq)
        passage.sentences.extend(sentences)
        if event.clause:
            passage.clauses[event.clause] = None

    def _passage(self, phase: str, at: int, key: object) -> Passage:
        """Return the current passage, or a new passage if the phase or the key is different."""
        last = self._passages[-1] if self._passages else None
        if last is None or (phase, key) != (last.phase, last.key):
            last = Passage(phase, key, at, [], {}, {})
            self._passages.append(last)
        return last
