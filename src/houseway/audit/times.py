"""The times of entries: they never go back, even if the clock does."""

from __future__ import annotations

from datetime import UTC, datetime

from houseway.audit.chain import Fault


def read_time(text: str) -> datetime | None:
    """Return the time in a text, or None if it cannot be read."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def utc_time(text: str) -> datetime:
    """Return the time in a text; raise ValueError if it is not a time in UTC."""
    time = read_time(text)
    if time is None or time.utcoffset():
        raise ValueError(f"{text!r} is not a time in UTC; write it as in 2026-11-17T20:00:00+00:00")
    return time


def time_text(milliseconds: int) -> str:
    """Return milliseconds since 1970 as a time in UTC.

    >>> time_text(1_794_945_600_000)
    '2026-11-17T20:00:00.000Z'
    """
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def milliseconds(text: str) -> int:
    """Return a time in UTC as milliseconds since 1970."""
    return round(1000 * utc_time(text).timestamp())


def is_earlier(at: str, last: str) -> bool:
    """True if a time is earlier than another one; False if one of them cannot be read."""
    if len(at) == len(last) and at >= last:
        # Times in the same format sort like their texts.
        return False
    one, other = read_time(at), read_time(last)
    return one is not None and other is not None and one < other


def entry_time(clock: str, last: str) -> tuple[str, str]:
    """Return the values of `at` and `clock` for a new entry.

    `last` is the time of the last entry, or empty. If the clock is behind it, `at` repeats it, and `clock`
    has the clock's time; otherwise `clock` is empty.
    """
    return (last, clock) if is_earlier(clock, last) else (clock, "")


class TimeCheck:
    """Compares the time of each entry with the time of the entry before it."""

    def __init__(self) -> None:
        self._last = ""

    def take(self, seq: int, at: str) -> list[Fault]:
        """Return a fault if the time of the next entry is earlier than the time of the entry before it."""
        last, self._last = self._last, at
        if last and read_time(last) is not None and read_time(at) is None:
            return [Fault(seq, "time", f"event {seq} has the time {at!r}, which cannot be read")]
        if not is_earlier(at, last):
            return []
        return [Fault(seq, "time", f"event {seq} is from {at}, but the entry before it is from {last}")]
