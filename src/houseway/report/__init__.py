"""What is handed to people: rules cards, layout sheets, signs, placards and comparisons.

Every sheet is a small document made from the rulebook alone; one renderer each for terminal, Markdown
and printable HTML.
"""
