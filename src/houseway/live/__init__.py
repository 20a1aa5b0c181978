"""Tables that run: the engine's answers, cards out of a shoe, a record durable before it is told."""

from houseway.live.live_table import LiveTable, Told
from houseway.live.table_services import House, now

__all__ = ["House", "LiveTable", "Told", "now"]
