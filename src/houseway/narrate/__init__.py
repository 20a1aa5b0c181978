"""Turns events into sentences for the record, the page, the terminal and screen readers."""
