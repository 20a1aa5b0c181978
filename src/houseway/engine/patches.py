"""Merge patches between two views: changed fields by name, null for what is gone, lists whole."""

from __future__ import annotations

from typing import Any

import msgspec

Patch = dict[Any, Any]


def difference(old: msgspec.Struct, new: msgspec.Struct) -> Patch:
    """Return the patch that makes one view out of another of the same type; empty if they are equal."""
    return {
        name: change
        for name in new.__struct_fields__
        for change in _changes(getattr(old, name), getattr(new, name))
    }


def _changes(old: Any, new: Any) -> tuple[Any, ...]:
    """Return the change between two values, if there is one."""
    if old is new:
        return ()
    if isinstance(new, dict):
        nested: Patch = _entries(old, new)
    elif isinstance(new, msgspec.Struct) and isinstance(old, msgspec.Struct):
        nested = difference(old, new)
    else:
        return (new,) if old != new else ()
    return (nested,) if nested else ()


def _entries(old: Patch, new: Patch) -> Patch:
    patch: Patch = {key: None for key in old if key not in new}
    for key, value in new.items():
        for change in _changes(old[key], value) if key in old else (value,):
            patch[key] = change
    return patch


def apply_patch(value: Any, patch: Any) -> Any:
    """Return a JSON value with a patch applied; what it did not change is the same object as before."""
    if not isinstance(patch, dict):
        return patch
    patched = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            patched.pop(key, None)
        else:
            patched[key] = apply_patch(patched.get(key), change)
    return patched
