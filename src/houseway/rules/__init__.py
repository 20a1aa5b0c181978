"""The one definition of a game: a rulebook read from data, checked, compiled and compared."""
