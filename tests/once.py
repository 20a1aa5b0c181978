"""Values that the workers of one test run compute only once."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from typing import Any

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[], Any]) -> Any:
    """Return a JSON value: the first worker that needs it computes it, the others wait and read it."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    file = folder / f"{name}.json"
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        if not file.exists():
            file.write_text(json.dumps(make()))
    return json.loads(file.read_text())
