"""The record of a table: tamper-evident entries, and the stores for them."""
