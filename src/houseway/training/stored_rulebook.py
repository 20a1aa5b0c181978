"""The rulebook of a recorded session or exam: a record has the rulebook's canonical text, so that it gives
the same score after the rulebook has changed."""

from __future__ import annotations

from houseway.rules.problems import shortened
from houseway.rules.recorded_rulebook import installed_rulebook, recorded_rulebook
from houseway.rules.rulebook import Rulebook
from houseway.training.session import SessionError


def stored_rulebook(name: str, digest: str, text: str) -> Rulebook:
    """Return the rulebook with this hash: the installed one if it is the same, otherwise the stored text.

    Without a text, which older records do not have, return the installed rulebook with this id. Raise
    SessionError if there is none, if the text does not have the hash or the id, or if it cannot be read.
    """
    if text:
        return recorded_rulebook(name, digest, text, SessionError)
    installed = installed_rulebook(name)
    if installed is None:
        wrong = f"the record does not contain the text of {shortened(name)!r}, and it is not installed"
        raise SessionError(f"{wrong}; name its TOML file")
    return installed


def text_note(name: str, digest: str) -> str:
    """Return a sentence if a record was not judged under an installed rulebook; otherwise empty.

    Whoever writes a record can change the rulebook text in it, together with its hash.
    """
    installed = installed_rulebook(name)
    if installed is None:
        return (
            f"Judged under the rulebook text in the record; no {shortened(name)} is installed to compare."
        )
    if installed.hash != digest:
        return f"Judged under the rulebook text in the record, which differs from the installed {name}."
    return ""
