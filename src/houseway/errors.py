"""The base class of errors that commands print without a traceback."""


class InputError(Exception):
    """The user asked for something that cannot be done; each line of the message is a sentence."""
