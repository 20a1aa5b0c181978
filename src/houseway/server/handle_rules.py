"""The names that a person may choose as a handle."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from houseway.audit.handles import folded, letters_problem, skeleton
from houseway.engine.refusals import Refusal

HANDLE_LETTERS: Final = 24
BOT: Final = "(bot)"
"""The suffix of every bot's handle; a person's handle may not end with it."""
RESERVED: Final = frozenset(
    {
        "dealer", "floor", "floorperson", "supervisor", "surveillance", "rail", "house", "machine",
        "deadline", "operator", "examiner", "instructor",
    }
)  # fmt: skip
"""Names that the record uses for the staff, the machine and others who are not players."""
_LIKE_RESERVED: Final = frozenset(map(skeleton, RESERVED))
_LIKE_SEAT: Final = re.compile(r"seat [\do]+")
"""Names that the record uses for players, such as seat 10, and names that look like them."""
_LIKE_BOT: Final = skeleton(BOT)


def tidied(handle: str) -> str:
    """Return a handle as it is shown, with single spaces."""
    return " ".join(normalize("NFKC", handle).split())


def is_bot(handle: str) -> bool:
    """True if this is the handle of a bot."""
    return folded(handle).endswith(folded(BOT))


def handle_refusal(handle: str) -> Refusal | None:
    """Return a refusal if nobody may have this handle."""
    look = skeleton(handle)
    printable = handle.isprintable() and "/" not in handle and not look.endswith(_LIKE_BOT)
    reserved = look in _LIKE_RESERVED or _LIKE_SEAT.fullmatch(look)
    if not handle or len(handle) > HANDLE_LETTERS or not printable or reserved:
        sentence = (
            f"choose another name: up to {HANDLE_LETTERS} letters, without “/”, and not a role or a bot"
        )
        return Refusal("bad-handle", None, "handle", sentence)
    if problem := letters_problem(handle):
        return Refusal("bad-handle", None, "handle", f"choose another name: {problem}")
    return None
