"""The table's pure core: commands in, events or refusals out; rounds in, settlements out."""
