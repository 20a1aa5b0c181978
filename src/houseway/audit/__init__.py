"""The record of a table: entries nobody can change unseen, and the stores that keep them."""
