"""Sheets as one printable HTML page: its own style sheet, nothing fetched from anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from houseway.report import document as d

STYLE = """
:root { --paper: #F7F1E3; --line: #D9CDB2; --ink: #221F19; --ink-2: #5A5242; --brass: #7A5A17; }
* { box-sizing: border-box; }
html { background: #E9E1CE; }
body {
  max-width: 52rem; margin: 2rem auto; padding: 2.5rem 3rem; background: var(--paper); color: var(--ink);
  border: 1px solid var(--line);
  font: 0.97rem/1.45 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", P052,
    "URW Palladio L", "Noto Serif", Georgia, serif;
  font-variant-numeric: tabular-nums lining-nums;
}
header { border-bottom: 3px double var(--line); margin-bottom: 1.2rem; padding-bottom: 0.8rem; }
h1 { font-size: 1.95rem; line-height: 1.2; margin: 0; font-weight: 600; }
header p { margin: 0.35rem 0 0; color: var(--ink-2); }
h2 { font-size: 1.3rem; margin: 2rem 0 0.5rem; font-weight: 600; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.06rem; margin: 1.2rem 0 0.3rem; font-weight: 600; }
p { margin: 0.4rem 0; max-width: 68ch; }
ul { margin: 0.4rem 0; padding-left: 1.2rem; }
li { margin: 0.2rem 0; }
table { border-collapse: collapse; margin: 0.5rem 0 0.9rem; width: 100%; }
th, td { padding: 0.22rem 0.9rem 0.22rem 0; text-align: left; vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-bottom: 1px solid var(--ink-2); font-weight: 600; }
tbody td { border-bottom: 1px solid var(--line); }
tfoot td { font-size: 0.8rem; color: var(--ink-2); }
.right { text-align: right; } .center { text-align: center; }
.clause { font-size: 0.8rem; color: var(--ink-2); }
.id { white-space: nowrap; }
.name { font-weight: 600; width: 19%; }
.said { width: 26%; }
.spots { display: flex; flex-wrap: wrap; align-items: center; gap: 1.1rem; margin: 1.2rem 0; }
.spot {
  width: 6.4rem; height: 6.4rem; display: grid; place-items: center; text-align: center; padding: 0.5rem;
  border: 2px solid var(--ink); line-height: 1.15; font-size: 0.9rem; font-weight: 600;
}
.circle { border-radius: 50%; }
.diamond { clip-path: none; transform: rotate(45deg) scale(0.74); }
.diamond span { transform: rotate(-45deg) scale(1.35); }
.sensor { border-radius: 50%; border-width: 7px; border-style: double; }
.equals { font-size: 1.5rem; margin: 0 -0.6rem; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.4rem 0; }
footer { border-top: 3px double var(--line); margin-top: 2rem; padding-top: 0.6rem; }
footer p {
  margin: 0.1rem 0; font-size: 0.8rem; color: var(--ink-2); max-width: none; overflow-wrap: anywhere;
}
@media (max-width: 40rem) { body { margin: 0; padding: 1.2rem; border: 0; } .wide { overflow-x: auto; } }
@page { margin: 16mm 15mm 18mm; }
@media print {
  html, body { background: none; }
  body { max-width: none; margin: 0; padding: 0; border: 0; font-size: 9.6pt; }
  h2, h3 { break-after: avoid; }
  tr, li, .spots, .short { break-inside: avoid; }
  thead { display: table-header-group; }
}
"""

SHORT = 16
"""Rows up to which a table is kept on one printed page."""


def text(sheet: d.Document) -> str:
    """A sheet as a complete page."""
    head = f"<h1>{escape(sheet.title)}</h1>"
    if sheet.subtitle:
        head += f"\n<p>{escape(sheet.subtitle)}</p>"
    body = "\n".join(part for block in sheet.blocks for part in _block(block))
    foot = "".join(f"<p>{escape(line)}</p>\n" for line in sheet.foot)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(sheet.title)}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
{head}
</header>
<main>
{body}
</main>
<footer>
{foot}</footer>
</body>
</html>
"""


def _block(block: d.Block) -> Iterator[str]:
    match block:
        case d.Heading(words, level):
            yield f"<h{level + 1}>{escape(words)}</h{level + 1}>"
        case d.Paragraph(line):
            yield f"<p>{_line(line)}</p>"
        case d.Bullets(lines):
            items = "\n".join(f"<li>{_line(line)}</li>" for line in lines)
            yield f"<ul>\n{items}\n</ul>"
        case d.Table(columns, rows, foot):
            yield _table(
                columns,
                [[_cell(c, cell) for c, cell in zip(columns, row, strict=True)] for row in rows],
                foot,
            )
        case d.Comparison((one, other), rows):
            yield _comparison(one, other, rows)
        case d.Spots(spots):
            yield f'<div class="spots">{"".join(map(_spot, spots))}</div>'
        case d.Rule():
            yield "<hr>"


def _comparison(one: str, other: str, rows: tuple[tuple[str, d.Side, d.Side], ...]) -> str:
    clauses = d.Column("clause", clauses=True)
    columns = (d.Column("parameter"), d.Column(one), clauses, d.Column(other), clauses)
    cells = []
    for name, a, b in rows:
        sides = [cell for side in (a, b) for cell in (_parts(side), _cell(clauses, side.clause))]
        cells.append([f'<td class="name">{escape(name)}</td>', *sides])
    return _table(columns, cells, None)


def _parts(side: d.Side) -> str:
    return f'<td class="said">{"<br>".join(map(escape, side.parts))}</td>'


def _table(columns: tuple[d.Column, ...], rows: list[list[str]], foot: tuple[str, ...] | None) -> str:
    heads = "".join(f'<th scope="col"{_class(c.align)}>{escape(c.title)}</th>' for c in columns)
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    below = ""
    if foot:
        cells = "".join(f"<td{_class(c.align)}>{_ids(f)}</td>" for c, f in zip(columns, foot, strict=True))
        below = f"\n<tfoot><tr>{cells}</tr></tfoot>"
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>{below}\n</table>"
    return f'<div class="wide{" short" if len(rows) <= SHORT else ""}">{table}</div>'


def _cell(column: d.Column, words: str) -> str:
    if column.clauses:
        return f"<td{_class('clause')}>{_ids(words)}</td>"
    return f"<td{_class(column.align)}>{escape(words)}</td>"


def _class(name: str) -> str:
    return "" if name == "left" else f' class="{name}"'


def _line(line: d.Line) -> str:
    return escape(line.text) + (
        f' <span class="clause">[{_ids(line.clause)}]</span>' if line.clause else ""
    )


def _ids(clauses: str) -> str:
    """Clauses that are never broken at their hyphens."""
    return " ".join(f'<span class="id">{escape(word)}</span>' for word in clauses.split())


def _spot(spot: d.Spot) -> str:
    joined = '<span class="equals">=</span>' if spot.joined else ""
    return f'{joined}<div class="spot {spot.shape}"><span>{escape(spot.label)}</span></div>'
