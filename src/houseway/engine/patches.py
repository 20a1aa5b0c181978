"""JSON merge patches from one view to the next: changed fields by name, null for removed fields, and each
changed list as a whole."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec.structs import astuple

Patch = dict[Any, Any]
MISSING: Final = object()
PLAIN: Final = (str, int, tuple)
"""The types of most values. They are replaced as a whole."""


def difference(old: msgspec.Struct, new: msgspec.Struct) -> Patch:
    """Return the patch that turns one view into another of the same type; empty if they are equal."""
    patch: Patch = {}
    for name, was, now in zip(new.__struct_fields__, astuple(old), astuple(new), strict=True):
        if was is not now:
            _add(patch, name, was, now)
    return patch


def _add(patch: Patch, key: Any, was: Any, now: Any) -> None:
    """Add the change between two values to a patch, if there is one."""
    if isinstance(now, PLAIN):
        if was != now:
            patch[key] = now
        return
    if isinstance(now, dict):
        nested = entries_difference(was, now)
    elif isinstance(now, msgspec.Struct) and isinstance(was, msgspec.Struct):
        nested = difference(was, now)
    else:
        if was != now:
            patch[key] = now
        return
    if nested:
        patch[key] = nested


def entries_difference(old: Patch, new: Patch) -> Patch:
    """Return the patch that turns one mapping into another."""
    patch: Patch = {} if old.keys() <= new.keys() else {key: None for key in old if key not in new}
    for key, now in new.items():
        was = old.get(key, MISSING)
        if was is MISSING:
            patch[key] = now
        elif was is not now:
            _add(patch, key, was, now)
    return patch


def apply_patch(value: Any, patch: Any) -> Any:
    """Return a JSON value with a patch applied; unchanged parts are the same objects as before."""
    if not isinstance(patch, dict):
        return patch
    patched = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            patched.pop(key, None)
        else:
            patched[key] = apply_patch(patched.get(key), change)
    return patched
