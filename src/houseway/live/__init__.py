"""Tables that run: the engine's answers, cards out of a shoe, a record durable before it is told."""

from houseway.live.live_table import Accepted, LiveTable
from houseway.live.table_services import TableServices, now

__all__ = ["Accepted", "LiveTable", "TableServices", "now"]
