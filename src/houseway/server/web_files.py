"""The page's own files, found once and served with what a browser needs to trust them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).parent / "web"
KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""What goes with every answer."""


class WebFiles:
    """Files by the path they are asked for under; nothing else on the disk can be reached."""

    def __init__(self, folder: Path = WEB) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in KINDS
        }

    def find(self, name: str) -> tuple[bytes, str, str] | None:
        """A file's bytes, its kind and its tag; None where there is none."""
        path = self._files.get(name)
        if path is None:
            return None
        body = path.read_bytes()
        return body, KINDS[path.suffix], f'"{hashlib.sha256(body).hexdigest()[:16]}"'
