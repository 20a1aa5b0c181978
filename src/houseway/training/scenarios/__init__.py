"""Scenario decks: what people do and what goes wrong at a training table, drawn from a seed."""
