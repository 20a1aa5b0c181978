"""Verify a record in the background, so that play can resume at once from the record's signed head."""

from __future__ import annotations

from contextlib import closing
from threading import Event, Thread

from houseway.audit.store import StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import VerificationReport, verify
from houseway.wording import several


class _StoppedError(Exception):
    """The check was cancelled."""


class BackgroundCheck:
    """Verifies a record in a separate thread with its own store connection."""

    def __init__(self, where: str, stream: str, key: bytes) -> None:
        self._where, self.stream, self._key = where, stream, key
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"check {stream}", daemon=True)
        self.report: VerificationReport | None = None
        """The result; None until the check is done, or if the record could not be read."""
        self.error = ""
        """The reason the record could not be read."""

    @property
    def done(self) -> bool:
        """True if the check is finished."""
        return self.report is not None or bool(self.error)

    @property
    def sound(self) -> bool:
        """True if the check is finished and the record is sound."""
        return self.report is not None and self.report.sound

    @property
    def outcome(self) -> str:
        """The result in a sentence: the record is sound, or its first fault."""
        if self.report is None:
            return f"The record could not be checked: {self.error}."
        if self.report.sound:
            return f"The record is sound ({several(self.report.events, 'event')})."
        first, *others = self.report.faults
        more = f" (and {len(others)} more)." if others else "."
        return f"The record is not sound: {first.message}{more}"

    def start(self) -> BackgroundCheck:
        """Start the check if it has not started, and return at once."""
        if self._thread.ident is None:
            self._thread.start()
        return self

    def stop(self) -> None:
        """Cancel the check and wait until the record is closed."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self, seconds: float | None = None) -> VerificationReport | None:
        """Wait until the check is finished, and return its result."""
        self._thread.join(seconds)
        return self.report

    def _progress(self, *_: object) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _run(self) -> None:
        try:
            with closing(open_store(self._where, read_only=True)) as store:
                self.report = verify(store, self.stream, key=self._key, progress=self._progress)
        except _StoppedError:
            pass
        except StoreError as error:
            self.error = str(error)
