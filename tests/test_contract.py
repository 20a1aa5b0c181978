"""The public names, options, fields and codes are those in contract.txt, so none changes by accident."""

from __future__ import annotations

import contract
import reference


def test_the_public_surface_matches_contract_txt() -> None:
    listed, current = contract.FILE.read_text(encoding="utf-8").splitlines(), contract.text().splitlines()
    missing = sorted(set(listed) - set(current))
    added = sorted(set(current) - set(listed))
    assert not missing, f"public names are gone: {missing}; keep an alias, or version the change"
    assert not added, f"new public names: {added}; run make contract and commit tests/contract.txt"


def test_the_api_reference_is_current() -> None:
    message = "docs/reference.md is old; run make reference"
    assert reference.FILE.read_text(encoding="utf-8") == reference.text(), message


def test_the_list_of_modules_is_current() -> None:
    message = "the list of modules in docs/architecture.md is old; run make reference"
    assert reference.ARCHITECTURE.read_text(encoding="utf-8") == reference.architecture(), message
