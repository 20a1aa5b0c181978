"""What a check of the record has shown, in a sentence."""

from __future__ import annotations

from typing import Protocol

from houseway.audit.verify import Report
from houseway.wording import several


class Check(Protocol):
    """A check that runs while the table is played."""

    @property
    def report(self) -> Report | None:
        """What was found."""

    @property
    def error(self) -> str:
        """Why nothing could be found."""

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""


def sound(check: Check) -> bool:
    """Whether nothing is wrong with the record."""
    return check.report is not None and check.report.sound


def outcome(check: Check) -> str:
    """That the record is sound, or the first thing that is wrong with it."""
    report = check.report
    if report is None:
        return f"The record could not be checked: {check.error}."
    if report.sound:
        return f"The record is sound ({several(report.events, 'event')})."
    more = len(report.faults) - 1
    return f"The record is not sound: {report.faults[0].message}" + (
        f" (and {more} more)." if more else "."
    )
