"""What happens at a table, in words: one narrator for the record, the page, the terminal and readers."""
