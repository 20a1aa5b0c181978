"""The conformance suite: rounds with what every wager must come to, and a runner for any implementation.

>>> from houseway.conformance import cases, compare
>>> case = next(cases("uth-ma"))
>>> compare(case, {"refused": []})[0].says
'refused, but it must be settled'
"""

from houseway.conformance.comparison import Difference, compare
from houseway.conformance.corpus import Case, cases, rulebooks

__all__ = ["Case", "Difference", "cases", "compare", "rulebooks"]
