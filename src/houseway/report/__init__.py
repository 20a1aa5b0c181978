"""Printed material: rules cards, layout sheets, signs, placards and comparisons.

Every sheet is a small document made from the rulebook alone, with renderers for the terminal, Markdown and
printable HTML.
"""
