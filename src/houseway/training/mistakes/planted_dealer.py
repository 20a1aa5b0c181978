"""A dealer who follows the document, except for one planted mistake."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.engine.dealer_act import next_act
from houseway.training import acts as a
from houseway.training.mistakes.mistake import DealerMistake, DealtTable
from houseway.training.mistakes.mistake_moments import is_waiting, required_after
from houseway.training.model_dealer import right_act


class PlantedDealer:
    """Chooses the acts of a dealer who makes one mistake.

    The mistake is made at the first suitable moment after `skip` suitable moments have passed.
    """

    def __init__(self, mistake: DealerMistake, skip: int = 0) -> None:
        self.mistake = mistake
        self._skip = skip
        """The number of suitable moments that are still to be let pass."""
        self.entry = 0
        """The number of the first input that is wrong; 0 before the mistake."""
        self.act: a.ChairAct | None = None
        """The act that was due at the moment of the mistake."""
        self.lines: tuple[Any, ...] = ()
        """The settled wagers of that act."""
        self._waiting: list[a.ChairAct] = []
        self._left_out: tuple[Any, ...] | None = None

    @property
    def line(self) -> Any:
        """The first settled wager of that act; None if it has none."""
        return self.lines[0] if self.lines else None

    @property
    def done(self) -> bool:
        """True once the mistake is made."""
        return self.entry > 0

    def choose(self, at: DealtTable) -> a.ChairAct | None:
        """Return the dealer's next act, or None to do what the document says."""
        if self._waiting:
            return self._waiting.pop(0)
        right = right_act(at.table, at.chair)
        if right is None:
            return None
        if self._left_out is not None and _place(at, right) == self._left_out:
            return required_after(at)
        if self._left_out is not None and right.target == self._left_out[1:] and is_waiting(at, right):
            return at.chair.queue[0].act
        if not self.done and self.mistake.moment(at, right):
            if not self._skip:
                return self._plant(at, right)
            self._skip -= 1
        if self.done and self.mistake.unnoticed and isinstance(right, a.ReportIrregularity):
            return _unaware(at)
        return None

    def _plant(self, at: DealtTable, right: a.ChairAct) -> a.ChairAct | None:
        mistake = self.mistake
        self.act = right
        self.lines = at.chair.queue[0].lines if at.chair.queue else ()
        if mistake.happening is not None and not at.happen(mistake.happening(at)):
            raise ValueError(f"{mistake.name!r} cannot happen now")
        self.entry = at.chair.inputs + 1
        if mistake.leave_out:
            self._left_out = _place(at, right)
            return required_after(at)
        self._waiting = list(mistake.wrong(at, right))
        if self._waiting[:1] == [right] and mistake.happening is None:
            # The first act is right, and only the next one is wrong.
            self.entry += 1
        if self._waiting:
            return self._waiting.pop(0)
        return _unaware(at) if mistake.unnoticed else None


def _place(at: DealtTable, act: a.ChairAct) -> tuple[Any, ...]:
    return (at.chair.queue[0].step if at.chair.queue else "", *act.target)


def _unaware(at: DealtTable) -> a.ChairAct | None:
    """Return the act of a dealer who has not noticed the error."""
    act = right_act(at.table, replace(at.chair, open=()))
    if not isinstance(act, a.ReportIrregularity):
        return act
    now = next_act(at.table, at.state)
    return a.TurnUp(place=f"seat {now.seat}" if now is not None and now.seat else "dealer")
