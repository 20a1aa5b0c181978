"""The page's own files, found once and served with what a browser needs to trust them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from houseway.server.rulebook_library import refused

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


_FILES: Final = {
    path.relative_to(WEB).as_posix(): path
    for path in sorted(WEB.rglob("*"))
    if path.is_file() and path.suffix in KINDS
}
"""By the path they are asked for under; nothing else on the disk can be reached."""


def file_response(request: Request, name: str) -> Response:
    """Return a file of the page, with a tag so that a browser loads it only once."""
    path = _FILES.get(name)
    if path is None:
        raise refused(404, "no-file", name[:80], "there is no such file")
    body = path.read_bytes()
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, headers={**headers, "content-type": KINDS[path.suffix]})
