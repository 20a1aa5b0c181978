"""The PostgreSQL server that tests/record starts, also for the commands of docs/operate.md."""

from record.conftest import postgres

__all__ = ["postgres"]
