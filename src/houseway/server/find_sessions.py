"""Sessions of "Find the mistake": one for each person, in memory, with a limit on number and age."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, Final

from houseway.client.find_messages import (
    ONE_PLACE,
    PLACES,
    FindJudgementReply,
    FindMistake,
    FindRoundReply,
    MistakeJudgement,
    ReportMistake,
)
from houseway.engine.table import Table
from houseway.live.default_terms import offering
from houseway.server.rulebook_library import RefusedError, bundled, refused
from houseway.training.drills.all_drills import drill_tables
from houseway.training.drills.question import LEVELS
from houseway.training.mistakes.find_round import FindRound, find_round
from houseway.training.mistakes.mistake import BY_KEY, FAMILIES
from houseway.training.mistakes.report_judge import judge_report, tally
from houseway.training.mistakes.report_text import missing_parts, missing_words, unnamed_parts
from houseway.wording import alternatives

MOST_SESSIONS: Final = 500
"""The most sessions in memory; the least recently used one is dropped first."""
LONGEST_AGE: Final = 2 * 3600.0
"""Seconds without a request after which a session ends."""
MOST_ROUNDS: Final = 100
LARGEST_AMOUNT: Final = 10_000_000_00
"""The largest amount of a report, in cents."""


class FindSession:
    """The rounds of one person."""

    def __init__(
        self, tables: tuple[Table, ...], level: int, rounds: int, clock: Callable[[], float]
    ) -> None:
        self.id = secrets.token_hex(8)
        self._tables, self._level, self._rounds, self._clock = tables, level, rounds, clock
        self._seed = secrets.token_hex(16)
        self._number = 0
        self._lock = Lock()
        """Held while a round is made, so that two requests do not make the same one."""
        self._judged: list[MistakeJudgement] = []
        self._round: FindRound
        self._started = 0.0
        self.touched = clock()

    def deal(self) -> None:
        """Make the next round; it takes processor time. Refuse if the current one is not reported."""
        with self._lock:
            self._deal()

    def _deal(self) -> None:
        if self._number > len(self._judged):
            raise refused(409, "report-first", "round", "report on this round first")
        if self._number >= self._rounds:
            raise refused(409, "session-over", "round", "the session is over; start a new one")
        self._round = find_round(self._tables, f"{self._seed}/{self._number + 1}", self._level)
        self._number += 1
        self._started = self._clock()

    def reply(self) -> FindRoundReply:
        """Return the current round without its answer."""
        return FindRoundReply(
            session=self.id,
            round=self._number,
            rounds=self._rounds,
            level=self._level,
            families=FAMILIES,
            places=PLACES,
            replay=self._round.replay,
            tally=tally(self._judged),
            judged=self._judged[-1] if self._number == len(self._judged) else None,
        )

    def report(self, body: ReportMistake) -> FindJudgementReply:
        """Judge a report on the current round. Each round takes one report."""
        if body.round != self._number:
            sentence = f"the session is at round {self._number}, not {body.round}; load it again"
            raise refused(409, "other-round", "round", sentence)
        if self._number == len(self._judged):
            raise refused(409, "already-reported", "round", "this round has a report; go to the next round")
        _check(body, len(self._round.replay.steps))
        judged = judge_report(self._round.answer, body.report, self._notice(body))
        self._judged.append(judged)
        return self.judgement()

    def stored(self) -> dict[str, Any]:
        """Return the result of the last report as an entry of the person's progress."""
        judged = self._judged[-1]
        return {
            "session": self.id,
            "rulebook": self._round.replay.rulebook,
            "mode": self._round.replay.mode,
            "level": self._level,
            "round": self._number,
            "rounds": self._rounds,
            "outcome": judged.outcome,
            "mistake": judged.answer.name,
            "clause": judged.answer.clause,
            "notice": judged.notice,
        }

    def judgement(self) -> FindJudgementReply:
        """Return the last judgement."""
        return FindJudgementReply(
            session=self.id,
            round=self._number,
            judgement=self._judged[-1],
            tally=tally(self._judged),
            over=self._number >= self._rounds,
        )

    def _notice(self, body: ReportMistake) -> int | None:
        """Return the milliseconds from the mistake to the report, by the watcher's clock.

        The clock cannot show more time than has passed here.
        """
        step, passed = self._round.answer.step, round((self._clock() - self._started) * 1000)
        if not 0 < step <= len(body.shown) or body.shown[step - 1] < 0:
            return None
        return max(0, min(body.used, passed) - body.shown[step - 1])


def _check(body: ReportMistake, steps: int) -> None:
    """Refuse a report that cannot be meant."""
    report = body.report
    if report.family and report.family not in BY_KEY:
        known = ", ".join(BY_KEY)
        raise refused(400, "bad-report", "family", f"the families are {known}; send one of them or none")
    if not 0 <= report.step <= steps:
        raise refused(400, "bad-report", "step", f"a step is from 0 to {steps}")
    if report.amount is not None and abs(report.amount) > LARGEST_AMOUNT:
        raise refused(400, "bad-report", "amount", "the amount is too large")
    if report.place not in ("", *PLACES):
        raise refused(400, "bad-report", "place", f"a place is {alternatives(PLACES)}, or leave it out")
    if report.place and report.seat:
        raise refused(400, "bad-report", "place", ONE_PLACE)
    named = [part for part in report.unknown if part not in unnamed_parts(report)]
    if named:
        sentence = f"the {named[0]} is in the report or is not needed; take it out of this list"
        raise refused(400, "bad-report", "unknown", sentence)
    missing = missing_parts(report)
    if missing:
        needs = f"a report of this kind needs {missing_words(missing)}"
        sentence = f"{needs}; send the whole report, and list the parts that you do not know in `unknown`"
        raise refused(400, "incomplete-report", "report", sentence)
    if len(body.shown) > steps:
        raise refused(400, "bad-report", "shown", f"the replay has {steps} steps")


class FindSessions:
    """The sessions of all persons."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._by_handle: OrderedDict[str, FindSession] = OrderedDict()

    def prepare(self, asked: FindMistake) -> FindSession:
        """Return a new session with its first round. This takes processor time and changes nothing."""
        session = FindSession(_tables(asked), asked.level, asked.rounds, self._clock)
        session.deal()
        return session

    def keep(self, handle: str, session: FindSession) -> FindRoundReply:
        """Keep a session in place of the person's last one, and return its round."""
        self._drop_old()
        self._by_handle.pop(handle, None)
        self._by_handle[handle] = session
        if len(self._by_handle) > MOST_SESSIONS:
            self._by_handle.popitem(last=False)
        return session.reply()

    def session(self, handle: str) -> FindSession:
        """Return a person's session; refuse if there is none."""
        self._drop_old()
        session = self._by_handle.get(handle)
        if session is None:
            raise _no_session()
        session.touched = self._clock()
        self._by_handle.move_to_end(handle)
        return session

    def forget(self, handle: str) -> None:
        """Drop the session of a person whose progress was erased."""
        self._by_handle.pop(handle, None)

    def _drop_old(self) -> None:
        """Drop the sessions that have not been used for a long time."""
        oldest = self._clock() - LONGEST_AGE
        for handle, session in list(self._by_handle.items()):
            if session.touched >= oldest:
                break
            del self._by_handle[handle]


def _no_session() -> RefusedError:
    return refused(404, "no-find-session", "find", "there is no session; start one: POST /api/find")


def _tables(asked: FindMistake) -> tuple[Table, ...]:
    """Return the tables of a session; refuse what no session can be about."""
    book = bundled(asked.rulebook)
    if asked.mode and asked.mode not in book.modes:
        raise refused(400, "bad-mode", "mode", f"the deal mode is {' or '.join(book.modes)} in {book.id}")
    if asked.level not in LEVELS:
        raise refused(400, "bad-level", "level", f"a level is 1, 2 or 3, not {asked.level}")
    if not 1 <= asked.rounds <= MOST_ROUNDS:
        raise refused(400, "bad-rounds", "rounds", f"a session has 1 to {MOST_ROUNDS} rounds")
    if not book.procedure.round:
        raise refused(
            400, "no-procedure", "rulebook", f"{book.id} has no procedure, so nothing can be watched"
        )
    return drill_tables(book, [offering(book, one, {}, {}) for one in _modes(asked.mode, book.modes)])


def _modes(mode: str, modes: tuple[str, ...]) -> tuple[str, ...]:
    return (mode,) if mode else tuple(modes)
