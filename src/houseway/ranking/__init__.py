"""Hand ranking: the readable evaluator, which is the specification, and the fast one."""

from houseway.ranking.classes import CLASSES, HandClass
from houseway.ranking.fast import Evaluator
from houseway.ranking.readable import Hand, compare, read
from houseway.ranking.tables import evaluator

__all__ = ["CLASSES", "Evaluator", "Hand", "HandClass", "compare", "evaluator", "read"]
