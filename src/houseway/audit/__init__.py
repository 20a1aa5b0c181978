"""Tamper-evident records of tables: entries, stores, verification, exports and backups."""
