"""The rulebook of a record: the installed one if it has not changed since, otherwise the recorded text."""

from __future__ import annotations

import hashlib

from houseway.errors import InputError
from houseway.rules.loader import RulebookError, load, rulebook_from_text, rulebook_ids
from houseway.rules.problems import shortened
from houseway.rules.rulebook import Rulebook


def installed_rulebook(name: str) -> Rulebook | None:
    """Return the listed rulebook with this id; None if there is none, or if it has problems.

    A path is not accepted: the name may come from a stranger's file.
    """
    if name not in rulebook_ids():
        return None
    try:
        return load(name)
    except RulebookError:
        return None


def recorded_rulebook(name: str, digest: str, text: str | None, error: type[InputError]) -> Rulebook:
    """Return the rulebook with this id and hash; raise `error` if the record does not have it.

    `text` is the rulebook's text in the record, if it has one.
    """
    shown = shortened(name)
    if text and hashlib.sha256(text.encode()).hexdigest() != digest:
        raise error(f"the text of {shown} in the record does not match its hash; use another copy")
    installed = installed_rulebook(name)
    if installed is not None and installed.hash == digest:
        return installed
    if not text:
        raise error(f"the record does not contain the text of {shown} ({digest[:12]}…)")
    try:
        book = rulebook_from_text(text)
    except RulebookError as problem:
        raise error(f"the text of {shown} in the record cannot be read: {problem}") from problem
    if book.id != name:
        wrong = f"the text in the record is that of {shortened(book.id)}, not of {shown}"
        raise error(f"{wrong}; use another copy")
    return book
