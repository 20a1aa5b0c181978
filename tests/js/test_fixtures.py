"""The page's JavaScript is checked against the messages and proofs that the server really sends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houseway.shoe.verify_round import faults
from js.message_types import DECLARATIONS, declared
from js.proofs import COMMITTED, PROOFS, written


def test_the_declarations_match_the_messages() -> None:
    assert DECLARATIONS.read_text(encoding="utf-8") == declared(), (
        "The message definitions have changed. Run `make message-types`, then `make js`."
    )


@pytest.mark.parametrize(("file", "committed"), [(PROOFS, False), (COMMITTED, True)])
def test_the_proofs_match_the_sealed_shoe(file: Path, committed: bool) -> None:
    text = file.read_text(encoding="utf-8")
    assert text == written(committed=committed), "Run `python -m js.proofs` in tests/ to write it again."
    assert faults(json.loads(text)) == []
