"""The PostgreSQL server of the record's tests, for the walk."""

from record.conftest import postgres

__all__ = ["postgres"]
