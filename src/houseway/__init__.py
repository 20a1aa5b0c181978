"""House-banked hold'em exactly as the written rules say."""

__version__ = "0.1.0"
