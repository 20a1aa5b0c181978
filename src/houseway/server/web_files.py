"""The page's static files and the security headers sent with every response."""

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
"""Sent with every response."""
SECURE_HEADERS: Final = {"strict-transport-security": "max-age=31536000"}
"""Sent with every response over HTTPS: browsers then use only HTTPS for a year."""

_FILES: Final = {
    path.relative_to(WEB).as_posix(): path
    for path in sorted(WEB.rglob("*"))
    if path.is_file() and path.suffix in KINDS
}
"""The files by request path. Nothing else on the disk can be served."""


def file_response(request: Request, name: str) -> Response:
    """Return one of the page's files, with an ETag so that a browser downloads it only once."""
    path = _FILES.get(name)
    if path is None:
        raise refused(404, "no-file", name[:80], "there is no file at this address")
    body = path.read_bytes()
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, headers={**headers, "content-type": KINDS[path.suffix]})
