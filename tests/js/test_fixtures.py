"""The page's JavaScript is checked against the messages and proofs that the server really sends."""

from __future__ import annotations

import json

from houseway.shoe.verify_round import faults
from js.message_types import DECLARATIONS, declared
from js.proofs import PROOFS, written


def test_the_declarations_match_the_messages() -> None:
    assert DECLARATIONS.read_text(encoding="utf-8") == declared(), (
        "The message definitions have changed. Run `make message-types`, then `make js`."
    )


def test_the_proofs_match_the_sealed_shoe() -> None:
    text = PROOFS.read_text(encoding="utf-8")
    assert text == written(), "Run `python -m js.proofs` in tests/ to write proofs.json again."
    assert faults(json.loads(text)) == []
