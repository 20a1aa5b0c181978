"""All kinds of dealer mistakes, by name."""

from __future__ import annotations

from typing import Final

from houseway.training.mistakes.mistake import DealerMistake
from houseway.training.mistakes.money_mistakes import MONEY
from houseway.training.mistakes.procedure_mistakes import PROCEDURE
from houseway.training.mistakes.report_mistakes import FLOOR_AND_REPORTS, READINGS

CATALOGUE: Final = (*MONEY, *PROCEDURE, *READINGS, *FLOOR_AND_REPORTS)
MISTAKES: Final[dict[str, DealerMistake]] = {mistake.name: mistake for mistake in CATALOGUE}
