"""Whatever goes wrong, and whenever: a trainee who reports it once, as soon as it shows, has no slip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.rules.loader import load, rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.happenings import possible_happenings
from houseway.training.model_dealer import right_act
from houseway.training.scenarios.deck import QUIET
from houseway.training.scenarios.director import Director
from houseway.training.session import SessionPlan, TrainingSession
from random_play.chance import modes_of
from training.test_happenings import plain_terms

ROUNDS = 40
SECOND = 1000
MODES = [(rulebook, mode) for rulebook in rulebook_ids() for mode in modes_of(rulebook)]


class Mishaps(Director):
    """Lets one thing go wrong in each round: each kind, place and direction in turn, at any moment."""

    def __init__(self, rng: Random) -> None:
        super().__init__(QUIET, "")
        self.rng = rng
        self.seen: Counter[tuple[str, str, str]] = Counter()
        self.ready = 1
        self.only = ""
        """The only place that is dealt a wrong number of cards; empty for any mishap."""

    def happenings(self, table: Table, chair: ch.Chair, time: int) -> tuple[ch.Conduct | ch.Happening, ...]:
        """What could go wrong now, the rarest first."""
        if chair.open or self._round < self.ready or (self.rng.random() < 0.75 and not self.only):
            return ()
        listed = list(possible_happenings(table, chair))
        if self.only:
            return tuple(one for one in listed if (one.kind, one.at) == ("wrong number", self.only))
        self.rng.shuffle(listed)
        return tuple(sorted(listed, key=lambda one: self.seen[_what(one)]))

    def happened(self, table: Table, chair: ch.Chair, happening: ch.Conduct | ch.Happening) -> None:
        """Count it, and wait for the next round."""
        assert isinstance(happening, ch.Happening)
        self.seen[_what(happening)] += 1
        self.ready = self._round + 1


def _what(one: ch.Happening) -> tuple[str, str, str]:
    return one.kind, one.at.split(" ")[0], type(one.command).__name__


class PromptTrainee:
    """A dealer who reports once, at once, and otherwise follows the document."""

    def __init__(self, rulebook: str, mode: str) -> None:
        terms = plain_terms(rulebook, mode)
        book = load(rulebook)
        backs = ("red", "blue")
        plan = SessionPlan(
            rulebook=rulebook, hash=book.hash, terms=terms, seats=3, rounds=ROUNDS, seed="at once"
        )
        table = TrainingSession(plan, book).table
        plan = replace(plan, backs=backs[: table.decks] or backs[:1])
        self.session = TrainingSession(plan, book)
        self.mishaps = Mishaps(Random(f"at once {rulebook} {mode}"))
        self.session._director = self.mishaps
        self.reports: list[a.ReportIrregularity] = []
        self.time = 0

    def play(self) -> None:
        """Deal all rounds."""
        for _ in range(ROUNDS * 300):
            if self.session.over:
                return
            self.time += SECOND
            self.see(self.session.act(self.next(), self.time))
        raise AssertionError("the session is stuck")

    def see(self, entries: Iterable[ch.ChairEntry]) -> None:
        """Plan the report of what has just gone wrong."""
        for entry in entries:
            if isinstance(entry.input, ch.Happening):
                act = right_act(self.session.table, self.session.chair)
                assert isinstance(act, a.ReportIrregularity)
                self.reports = [act]

    def next(self) -> a.ChairAct:
        """A report, if something has just gone wrong, or else what is due."""
        if self.reports:
            return self.reports.pop()
        return self.due()

    def due(self) -> a.ChairAct:
        """What is due, if nothing has gone wrong."""
        act = right_act(self.session.table, replace(self.session.chair, open=()))
        assert act is not None
        return act


@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_an_irregularity_that_is_reported_once_and_at_once_is_no_slip(rulebook: str, mode: str) -> None:
    trainee = PromptTrainee(rulebook, mode)
    trainee.play()
    wrong = [
        (slip.kind, slip.irregularity, slip.at, number)
        for number, each in enumerate(trainee.session.judgements, 1)
        for slip in each.slips
    ]
    assert wrong == []
    kinds = Counter(kind for kind, _, _ in trainee.mishaps.seen.elements())
    assert sum(kinds.values()) == ROUNDS
    assert min(kinds["exposed card"], kinds["wrong number"]) > 0


def test_a_board_that_a_device_deals_short_is_completed_once_the_hands_are_dealt() -> None:
    """The report comes before the hands are dealt, and takes effect after them, even if it is repeated."""
    for again in (False, True):
        trainee = ShortBoard("uth-sd", "device")
        trainee.play(again=again)
        entries = trainee.session.judgements[0].entries
        cured = [entry for entry in entries for x in entry.changes if isinstance(x.event, e.HandCured)]
        reports = [entry for entry in entries if isinstance(entry.input, a.ReportIrregularity)]
        assert [entry.number for entry in cured] == [reports[1].number]
        assert not reports[0].changes
        assert len(reports) == 2 + again
        dealt = entries[reports[1].number - entries[0].number - 1].input
        assert isinstance(dealt, a.DealCards)
        assert dealt.place == "dealer"
        assert trainee.session.judgements[0].slips == ()


def test_a_short_board_may_be_reported_as_soon_as_the_hands_are_dealt() -> None:
    """Before that, no report can take effect, so it is not late; one act later, it is."""
    for more, kinds in ((0, []), (1, [ch.LATE])):
        trainee = ShortBoard("uth-sd", "device")
        trainee.play(wait=more)
        assert [slip.kind for slip in trainee.session.judgements[0].slips] == kinds


class ShortBoard(PromptTrainee):
    """A dealer at a table where the device deals the first board one card short."""

    def __init__(self, rulebook: str, mode: str) -> None:
        super().__init__(rulebook, mode)
        self.mishaps.only = "board"

    def play(self, *, again: bool = False, wait: int | None = None) -> None:
        """Deal the first round. Report at once, also `again` after the deal; or `wait` acts after it."""
        left, repeat = wait, again
        while not self.session.judgements:
            self.time += SECOND
            chair = self.session.chair
            if self.reports and wait is not None:
                dealt = len(chair.state.round.dealer) == self.session.table.sizes["dealer"]
                hold = not dealt or left
                left = left - 1 if dealt and left else left
                act = self.due() if hold else self.reports.pop()
            else:
                act = self.next()
            self.see(self.session.act(act, self.time))
            cured = any(entry.handled for entry in self.session.chair.entries)
            if repeat and cured:
                repeat = False
                self.reports = [a.ReportIrregularity(kind="wrong number", at="board")]
