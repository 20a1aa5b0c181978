"""A second settlement program, written from the documents alone.

It uses no code and no pay tables of the first one.
"""

from typing import Any

from .checks import SETTINGS, Problems
from .read_shootout import read_round as read_shootout
from .read_ultimate import read_round as read_ultimate
from .shootout import settle_shootout
from .ultimate import settle_ultimate

__all__ = ["DOCUMENTS", "SETTINGS", "settle"]

ULTIMATE = ("uth-card", "uth-ma", "uth-proc", "uth-sd")
DOCUMENTS = ("shootout-sd", *ULTIMATE)
"""The ids of the documents that the second settler was written from."""


def settle(data: dict[str, Any]) -> dict[str, Any]:
    """Settle a round in the JSON format of the `settle` command, or refuse it with all its problems."""
    problems = Problems()
    if not isinstance(data, dict):
        problems.add("malformed", None, "", "A round is an object.")
        return {"refused": problems.found}
    book = data.get("rulebook")
    if book == "shootout-sd":
        shootout = read_shootout(data, problems)
        if not problems.found:
            return settle_shootout(shootout)
    elif book in ULTIMATE:
        ultimate = read_ultimate(data, str(book), problems)
        if not problems.found:
            return settle_ultimate(ultimate)
    else:
        problems.add("unknown_rulebook", None, "rulebook", f"There is no rulebook {book!r}.")
    return {"refused": problems.found}
