"""The public surface is the checked-in one: names, options, fields and codes do not change by accident."""

from __future__ import annotations

from contract import FILE, text


def test_the_public_surface_is_the_checked_in_one() -> None:
    listed, found = FILE.read_text(encoding="utf-8").splitlines(), text().splitlines()
    missing = sorted(set(listed) - set(found))
    added = sorted(set(found) - set(listed))
    assert not missing, f"public names are gone: {missing}; keep an alias, or version the change"
    assert not added, f"new public names: {added}; run make contract and commit tests/contract.txt"
