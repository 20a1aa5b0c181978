"""Tables that run: the engine's answers, cards out of a shoe, a record durable before it is told."""

from houseway.live.house import House, now
from houseway.live.table import LiveTable, Told

__all__ = ["House", "LiveTable", "Told", "now"]
