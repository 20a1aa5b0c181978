"""The pure core of a table: rounds in, settlements and refusals out."""
