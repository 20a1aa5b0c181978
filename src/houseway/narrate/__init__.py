"""The narrator: events in words for the record, the page, the terminal and screen readers."""
