"""Sheets in Markdown, with the tables GitHub and most others read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houseway.report import document as d
from houseway.report.terminal import drawn

_MARKS = re.compile(r"([\\`*<>|#])")
_RULES: dict[d.Align, str] = {"left": "---", "right": "---:", "center": ":---:"}


def text(sheet: d.Document) -> str:
    """A sheet in Markdown."""
    parts = [f"# {_plain(sheet.title)}"]
    if sheet.subtitle:
        parts.append(f"*{_plain(sheet.subtitle)}*")
    parts += [part for block in sheet.blocks for part in _block(block)]
    if sheet.foot:
        parts += ["---", "  \n".join(_plain(line) for line in sheet.foot)]
    return "\n\n".join(parts) + "\n"


def _block(block: d.Block) -> Iterator[str]:
    match block:
        case d.Heading(words, level):
            yield f"{'#' * (level + 1)} {_plain(words)}"
        case d.Paragraph(line):
            yield _line(line)
        case d.Bullets(lines):
            yield "\n".join(f"- {_line(line)}" for line in lines)
        case d.Table(columns, rows, foot):
            every = [tuple(map(_plain, row)) for row in (*rows, *((foot,) if foot else ()))]
            yield _table([(_plain(c.title), c.align) for c in columns], every)
        case d.Comparison((one, other), rows):
            heads: list[tuple[str, d.Align]] = [
                (title, "left") for title in ("parameter", one, "clause", other, "clause")
            ]
            yield _table(heads, [(_plain(name), *_side(a), *_side(b)) for name, a, b in rows])
        case d.Spots(spots):
            yield f"```\n{drawn(spots)}\n```"
        case d.Rule():
            yield "---"


def _side(side: d.Side) -> tuple[str, str]:
    return "<br>".join(map(_plain, side.parts)), _plain(side.clause)


def _table(heads: list[tuple[str, d.Align]], rows: list[tuple[str, ...]]) -> str:
    lines = [[title for title, _ in heads], [_RULES[align] for _, align in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(line: d.Line) -> str:
    return _plain(line.text) + (f" [{_plain(line.clause)}]" if line.clause else "")


def _plain(words: str) -> str:
    return _MARKS.sub(r"\\\1", words)
