"""What was counted for a rulebook, kept on disk so that it is counted once."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from houseway.exact.kernels.compiling import FOLDER, fingerprint
from houseway.exact.shootout_game import PAIRS
from houseway.exact.shootout_hands import NAMES, Hands
from houseway.rules.rulebook import Rulebook

VERSION = fingerprint(Path(__file__).parent)
"""What the modules that count say now, before anyone changes them under a running program."""
ABOUT = (
    "What each two-card hand of Texas Shootout brings against the house way, summed over all boards and "
    "dealer's hands: alone, and for every two discards."
)


def path_of(book: Rulebook, folder: Path = FOLDER) -> Path:
    """The file of a rulebook; a change of the rulebook or of any module that counts is another file."""
    return folder / f"shootout-{book.hash[:16]}-{VERSION}.json"


def stored(book: Rulebook, folder: Path = FOLDER) -> Hands | None:
    """What was counted before, or None where there is nothing or the file is damaged."""
    try:
        kept = json.loads(path_of(book, folder).read_text("ascii"))
        if kept["hash"] != book.hash or kept["digest"] != _digest(kept):
            return None
        alone = np.array([kept["alone"][name] for name in NAMES], object)
        table = np.array([kept["discards"][name] for name in NAMES], object)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Hands(alone, table) if table.shape == (len(NAMES), len(PAIRS)) else None


def store(book: Rulebook, hands: Hands, folder: Path = FOLDER) -> None:
    """Keep what was counted; a disk that will not take it is no reason to fail."""
    kept: dict[str, Any] = {
        "about": ABOUT,
        "rulebook": book.id,
        "hash": book.hash,
        "alone": dict(zip(NAMES, hands.alone.tolist(), strict=True)),
        "discards": dict(zip(NAMES, hands.by_discards.tolist(), strict=True)),
    }
    kept["digest"] = _digest(kept)
    try:
        # Written aside and renamed, so that nobody ever reads half a file.
        handle, aside = tempfile.mkstemp(dir=folder, suffix=".json")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(kept, file, indent=None)
        Path(aside).replace(path_of(book, folder))
    except OSError:
        return


def _digest(kept: dict[str, Any]) -> str:
    said = json.dumps([kept["hash"], kept["alone"], kept["discards"]], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
