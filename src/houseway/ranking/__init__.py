"""What beats what: the readable ranking, which is the specification, and the fast one."""

from houseway.ranking.classes import CLASSES, HandClass
from houseway.ranking.fast import Evaluator, evaluator
from houseway.ranking.readable import Hand, compare, read

__all__ = ["CLASSES", "Evaluator", "Hand", "HandClass", "compare", "evaluator", "read"]
