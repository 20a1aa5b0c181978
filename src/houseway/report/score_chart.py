"""The drawings of a score sheet as SVG: bars with limits, points, marks and the times of the rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from houseway.report.exam_result import ExamMeasure, RoundTime

WIDTH: Final = 1000
HEIGHT: Final = 110
LEFT: Final = 50
TOP: Final = 16
BASE: Final = HEIGHT - 18
MINUTE: Final = 60_000
MOST_POINTS: Final = 10
MARKS: Final = {
    "right": ("right", "#14633B", '<circle cx="8" cy="8" r="7.5"/>', "M4.6 8.3l2.3 2.3 4.5-5"),
    "wrong": (
        "wrong",
        "#9C2B1C",
        '<rect x="1" y="1" width="14" height="14" rx="2.5"/>',
        "M5 5l6 6M11 5l-6 6",
    ),
    "late": ("late", "#8A6414", '<path d="M8 .5L15.5 8 8 15.5.5 8z"/>', "M8 4.6V8.3l2.4 1.4"),
}
"""For each judgement its word, its colour, its shape and its glyph. Shape, glyph and word go together."""


def mark(kind: str) -> str:
    """Return the mark of a judgement: a circle for right, a diamond for late, a square for wrong."""
    word, colour, shape, glyph = MARKS[kind]
    return (
        f'<svg class="mark {kind}" viewBox="0 0 16 16" role="img" aria-label="{word}">'
        f'<g fill="{colour}">{shape}</g>'
        f'<path d="{glyph}" fill="none" stroke="#F7F1E3" stroke-width="1.8" stroke-linecap="round"/></svg>'
    )


def bar_svg(one: ExamMeasure) -> str:
    """Return the bar of a measure, with a tick at its limit."""
    length, limit = (round(share * WIDTH, 1) for share in one.bar)
    tick = (
        f'<rect class="tick" x="{limit - 4}" y="0" width="8" height="14"/>' if one.limit is not None else ""
    )
    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} 14" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="all" y="4" width="{WIDTH}" height="6" rx="3"/>'
        f'<rect class="got" y="4" width="{length}" height="6" rx="3"/>{tick}</svg>'
    )


def points_svg(points: int) -> str:
    """Return ten squares, as many of them filled as there are points."""
    squares = "".join(
        f'<rect class="{"on" if n < points else "off"}" x="{n * 11.2}" width="9" height="9" rx="2"/>'
        for n in range(MOST_POINTS)
    )
    return f'<svg viewBox="0 0 110 9" aria-hidden="true">{squares}</svg>'


def rounds_svg(times: Sequence[RoundTime], rounds: int) -> str:
    """Return a bar for the time of each round, with a mark if the round has a slip."""
    if not times:
        return '<p class="quiet">No round was finished.</p>'
    longest = max(2 * MINUTE, *(one.time for one in times))
    minutes = longest // MINUTE
    unit = 1 if minutes <= 4 else -(-minutes // 4)
    scale = (BASE - TOP) / (longest * 1.02)
    parts = []
    for line in range(unit, minutes + 1, unit):
        y = round(BASE - line * MINUTE * scale, 1)
        words = f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{line * 60} s</text>'
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{WIDTH}"/>{words}')
    parts += _bars(times, rounds, scale)
    parts.append(f'<path class="base" d="M{LEFT} {BASE}H{WIDTH}"/>')
    wrong = sum(bool(one.slips) for one in times)
    label = f"Times of {len(times)} rounds; {wrong} of them have slips."
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg class="chart" {size} role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _bars(times: Sequence[RoundTime], rounds: int, scale: float) -> Iterator[str]:
    step = (WIDTH - LEFT) / max(rounds, len(times))
    width = min(40.0, step * 0.6)
    labels = 5 if rounds > 12 else 1
    for number, one in enumerate(times, 1):
        x = round(LEFT + (number - 0.5) * step - width / 2, 1)
        height = round(max(1.5, one.time * scale), 1)
        kind = "late" if one.late else "wrong" if one.slips else "plain"
        y = round(BASE - height, 1)
        yield f'<rect class="{kind}" x="{x}" y="{y}" width="{width:.1f}" height="{height}" rx="2"/>'
        middle = round(x + width / 2, 1)
        if kind == "wrong":
            yield f'<rect class="wrong" x="{middle - 4.5}" y="{y - 13}" width="9" height="9" rx="1.5"/>'
        elif kind == "late":
            yield f'<path class="late" d="M{middle} {y - 14}l6 5-6 5-6-5z"/>'
        if number == 1 or number % labels == 0:
            yield f'<text x="{middle}" y="{HEIGHT - 3}" text-anchor="middle">{number}</text>'
