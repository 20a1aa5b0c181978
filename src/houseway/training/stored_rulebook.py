"""The rulebook of a recorded session or exam: a record has the rulebook's canonical text, so that it gives
the same score after the rulebook has changed."""

from __future__ import annotations

import hashlib

from houseway.rules.loader import RulebookError, load, rulebook_from_text, rulebook_ids
from houseway.rules.rulebook import Rulebook
from houseway.training.session import SessionError


def stored_rulebook(name: str, digest: str, text: str) -> Rulebook:
    """Return the rulebook with this hash: the present one if it has not changed, otherwise the stored text.

    Without a text, which older records do not have, return the present rulebook. Raise SessionError if the
    text does not have the hash or cannot be read.
    """
    if text and hashlib.sha256(text.encode()).hexdigest() != digest:
        raise SessionError(f"the text of {name} in the record does not match its hash; use another copy")
    if not text or (name in rulebook_ids() and load(name).hash == digest):
        return load(name)
    try:
        return rulebook_from_text(text)
    except RulebookError as error:
        raise SessionError(f"the text of {name} in the record cannot be read: {error}") from error
