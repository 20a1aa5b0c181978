"""Hand ranking: a readable evaluator, which is the specification, and a fast evaluator."""

from houseway.ranking.classes import CLASSES, HandClass
from houseway.ranking.fast_evaluator import Evaluator
from houseway.ranking.lookup_tables import evaluator
from houseway.ranking.readable_evaluator import Hand, compare, read

__all__ = ["CLASSES", "Evaluator", "Hand", "HandClass", "compare", "evaluator", "read"]
