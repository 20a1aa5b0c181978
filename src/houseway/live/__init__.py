"""Live tables: the engine decides, a shoe deals, and each event is durable before viewers see it."""

from houseway.live.live_table import Accepted, LiveTable
from houseway.live.table_services import TableServices, now

__all__ = ["Accepted", "LiveTable", "TableServices", "now"]
