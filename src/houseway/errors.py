"""The one kind of error that commands print and do not trace."""


class InputError(Exception):
    """Something that cannot be done as asked; each line of its text is a sentence for a person."""
