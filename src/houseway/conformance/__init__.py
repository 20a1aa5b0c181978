"""The conformance suite: rounds with the expected result of every wager, and a runner for any program.

>>> from houseway.conformance import cases, compare
>>> case = next(cases("uth-ma"))
>>> compare(case, {"refused": []})[0].says
'refused, but it must be settled'
"""

from houseway.conformance.answer_comparison import Difference, compare
from houseway.conformance.corpus import Case, cases, rulebooks

__all__ = ["Case", "Difference", "cases", "compare", "rulebooks"]
