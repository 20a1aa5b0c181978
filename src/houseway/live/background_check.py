"""A record checked while its table is played: opened from its signed head at once, replayed meanwhile."""

from __future__ import annotations

from contextlib import closing
from threading import Event, Thread

from houseway.audit.store import StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import VerificationReport, verify
from houseway.wording import several


class _StoppedError(Exception):
    """Nobody waits for the answer any more."""


class BackgroundCheck:
    """Verifies a record in a thread of its own, over a connection of its own."""

    def __init__(self, where: str, stream: str, key: bytes) -> None:
        self._where, self._stream, self._key = where, stream, key
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"check {stream}", daemon=True)
        self.report: VerificationReport | None = None
        """What was found, once it is done and could be read."""
        self.error = ""
        """Why it could not be read."""

    @property
    def done(self) -> bool:
        """Whether it has come to its end."""
        return self.report is not None or bool(self.error)

    @property
    def sound(self) -> bool:
        """True if it has come to its end and nothing is wrong with the record."""
        return self.report is not None and self.report.sound

    @property
    def outcome(self) -> str:
        """That the record is sound, or the first thing that is wrong with it, in a sentence."""
        if self.report is None:
            return f"The record could not be checked: {self.error}."
        if self.report.sound:
            return f"The record is sound ({several(self.report.events, 'event')})."
        first, *others = self.report.faults
        more = f" (and {len(others)} more)." if others else "."
        return f"The record is not sound: {first.message}{more}"

    def start(self) -> BackgroundCheck:
        """Begin, where it has not begun; the table goes on."""
        if self._thread.ident is None:
            self._thread.start()
        return self

    def stop(self) -> None:
        """Give up, and wait until the record is let go of."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self, seconds: float | None = None) -> VerificationReport | None:
        """Wait for the end."""
        self._thread.join(seconds)
        return self.report

    def _progress(self, *_: object) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _run(self) -> None:
        try:
            with closing(open_store(self._where, read_only=True)) as store:
                self.report = verify(store, self._stream, key=self._key, progress=self._progress)
        except _StoppedError:
            pass
        except StoreError as error:
            self.error = str(error)
