"""Write sheets in Markdown, with GitHub-style tables."""

from __future__ import annotations

import re

from houseway.report import document as d
from houseway.report.terminal import draw_spots

_MARKS = re.compile(r"([\\`*<>|#])")
_RULES: dict[d.Align, str] = {"left": "---", "right": "---:", "center": ":---:"}


def text(sheet: d.Document) -> str:
    """Return a sheet in Markdown."""
    parts = [f"# {_plain(sheet.title)}"]
    if sheet.subtitle:
        parts.append(f"*{_plain(sheet.subtitle)}*")
    parts += map(_block, sheet.blocks)
    if sheet.foot:
        parts += ["---", "  \n".join(map(_plain, sheet.foot))]
    return "\n\n".join(parts) + "\n"


def _block(block: d.Block) -> str:
    match block:
        case d.Heading(words, level):
            return f"{'#' * (level + 1)} {_plain(words)}"
        case d.TextLine():
            return _line(block)
        case d.Bullets(lines):
            return "\n".join(f"- {_line(line)}" for line in lines)
        case d.SheetTable(columns, rows, foot):
            heads = [_plain(column.title) for column in columns]
            marks = [_RULES[column.align] for column in columns]
            cells = [[_cell(words) for words in row] for row in (*rows, *((foot,) if foot else ()))]
            return "\n".join(f"| {' | '.join(row)} |" for row in (heads, marks, *cells))
        case d.Spots(spots):
            return f"```\n{draw_spots(spots)}\n```"


def _cell(words: str) -> str:
    return _plain(words).replace("\n", "<br>")


def _line(line: d.TextLine) -> str:
    return _plain(line.text) + (f" [{_plain(line.clause)}]" if line.clause else "")


def _plain(words: str) -> str:
    return _MARKS.sub(r"\\\1", words)
