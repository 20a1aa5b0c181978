"""The lines of the server's log: logfmt or JSON, one line per event, without tokens, cards or passwords."""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from houseway.wording import printable

LogFormat = Literal["text", "json"]

FIELDS: Final = "houseway_fields"
"""The attribute of a log record that has the event's fields."""
HIDDEN: Final = "…"
_SECRETS: Final = (
    # The password in a database address, and in the options of a connection.
    (re.compile(r"(\w+://[^\s:/@]*):[^\s@]*@"), rf"\1:{HIDDEN}@"),
    (re.compile(r"(?i)\b(password|passfile)\s*=\s*('[^']*'|[^\s&]+)"), rf"\1={HIDDEN}"),
    # Tokens, tickets and invitations are 43 characters of base64.
    (re.compile(r"(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])"), HIDDEN),
    (re.compile(r"/join/\S+"), f"/join/{HIDDEN}"),
    # Cards, as the record writes them (Ks) and as sentences do (K♠).
    (re.compile(r"\b(?:[2-9TJQKA]|10)(?:[shdc]\b|[♠♥♦♣])"), HIDDEN),
)
_BARE: Final = re.compile(r"[^\s\"=\\]+")
"""A logfmt value that needs no quotes."""


def without_secrets(text: str) -> str:
    """Return text with passwords, tokens and cards replaced by an ellipsis."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def fields_of(record: logging.LogRecord) -> dict[str, str]:
    """Return a log record as fields: time, level, event, message, and the fields of the event."""
    time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    own: dict[str, str] = getattr(record, FIELDS, {})
    fields = {
        "time": time.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "event": own.get("event", record.name),
        "message": record.getMessage(),
        **{name: value for name, value in own.items() if value},
    }
    if record.exc_info:
        fields["traceback"] = logging.Formatter().formatException(record.exc_info)
    return {name: without_secrets(value) for name, value in fields.items()}


class JsonLines(logging.Formatter):
    """Formats a log record as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(fields_of(record)).decode()


class Logfmt(logging.Formatter):
    """Formats a log record as logfmt: fields with their names, separated by spaces."""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(f"{name}={_value(value)}" for name, value in fields_of(record).items())


def _value(text: str) -> str:
    if _BARE.fullmatch(text):
        return printable(text)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{printable(escaped)}"'


def configure_logs(kind: LogFormat) -> None:
    """Write the log of this process to stderr, as logfmt or as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else Logfmt())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # houseway already logs each start and stop, so uvicorn's messages are not needed.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    for other in ("alembic", "sqlalchemy", "asyncio", "numba", "websockets"):
        logging.getLogger(other).setLevel(logging.WARNING)
