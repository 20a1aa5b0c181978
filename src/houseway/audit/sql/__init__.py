"""Stores in an SQL database, with one schema for SQLite and PostgreSQL."""
