"""The result of an exam as an entry in the trainee's stream."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.live.personal_streams import MOST_BODY
from houseway.report.exam_result import ExamResult

MOST_ROWS: Final = 200
"""The most rows of a list in a stored result. The record of the exam has all of them."""
MOST_BYTES: Final = MOST_BODY // 2
"""The most bytes of a stored result, well below the limit of an entry."""
LISTS: Final = ("slips", "incidents", "earlier", "round_times", "irregularities")


def exam_key(session: str) -> str:
    """Return the key of the entry with the result of a session, so that it is stored once."""
    return f"exam {session}"


def stored_result(result: ExamResult) -> dict[str, Any]:
    """Return a result as a JSON object that fits into an entry.

    Long lists are shortened. `totals` has the full lengths of the lists that were shortened.
    """
    body: dict[str, Any] = msgspec.to_builtins(result, str_keys=True)
    whole = {name: body[name] or () for name in LISTS}
    most = MOST_ROWS
    while True:
        shortened = {name: rows[:most] for name, rows in whole.items() if len(rows) > most}
        stored = {**body, **shortened}
        if shortened:
            stored["totals"] = {name: len(whole[name]) for name in shortened}
        if not most or len(msgspec.json.encode(stored)) <= MOST_BYTES:
            return stored
        most //= 2
