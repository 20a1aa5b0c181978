"""Stores in a database: one schema, SQLite for a table or a house, PostgreSQL for a house that has one."""
