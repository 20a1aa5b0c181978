"""Charts as SVG of our own: no script, nothing fetched, and never told by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from houseway.cards import RANKS
from houseway.report.sheet.figures import decimal, money, net, percent

WIDTH = 676
INK, SOFT, LINE, PAPER = "#221F19", "#5A5242", "#D9CDB2", "#FFFDF7"
RAMP = ("#FFFDF7", "#F4E7C5", "#E6CD8F", "#CFA855", "#8F6A1E", "#6B4E12")
"""From paper to brass; the last two carry light text."""
LOSS, PUSH, WIN = "#8A8170", "#D9CDB2", "#A67C28"
BARS = 36
"""More results than fit beside each other are left to the table."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A square of a grid: the hand, what is said of it, how strongly it is tinted."""

    name: str
    mark: str
    tone: int


def hand_at(row: int, column: int) -> str:
    """The hand of a square, aces first: suited above the diagonal, unsuited below, pairs on it."""
    high, low = (RANKS[-1 - n] for n in sorted((row, column)))
    return high + low + ("" if row == column else "s" if row < column else "o")


def grid(title: str, cells: Mapping[str, Cell], legend: Sequence[tuple[int, str]]) -> str:
    """The starting hands, thirteen by thirteen; pairs of one card twice in a row of their own."""
    wide, high = WIDTH / 13, 28
    parts = []
    for row in range(13):
        for column in range(13):
            cell = cells[hand_at(row, column)]
            parts.append(_square(cell, column * wide, row * high, wide, high))
    bottom = 13 * high
    pairs = [f"{rank}{rank}s" for rank in reversed(RANKS)]
    if all(name in cells for name in pairs):
        bottom += 8
        parts += [_square(cells[name], n * wide, bottom, wide, high) for n, name in enumerate(pairs)]
        bottom += high
    parts += _legend(legend, bottom + 10)
    return _svg(title, bottom + 28, parts)


def choices(shares: Sequence[tuple[str, Fraction]]) -> str:
    """How often each choice ends a round, as one bar; words that do not fit in stand below."""
    parts, below, at = [], [], Fraction()
    for n, (name, share) in enumerate(shares):
        left, wide = float(at * WIDTH), float(share * WIDTH)
        tone = 0 if n == len(shares) - 1 else max(len(RAMP) - 1 - n, 1)
        words = f"{name}  {percent(share, 2)}"
        parts.append(_box(left, 0, wide, 30, RAMP[tone], SOFT))
        if wide > 6.5 * len(words):
            parts.append(_text(left + wide / 2, 19, words, "mid", tone=tone))
        else:
            below.append((tone, words))
        at += share
    return _svg(
        "How often a round ends with each choice", 54 if below else 31, [*parts, *_legend(below, 38)]
    )


def outcomes(found: Sequence[tuple[Fraction, int]]) -> str:
    """How often a round brings each result, in antes."""
    total = sum(count for _, count in found)
    often = sorted(found, key=lambda row: -row[1])[:BARS]
    bars = sorted(often)
    most = max(count for _, count in bars)
    wide = WIDTH / len(bars)
    floor = 168
    parts = [f'<line x1="0" y1="{floor}" x2="{WIDTH}" y2="{floor}" stroke="{SOFT}"/>']
    for n, (brings, count) in enumerate(bars):
        high = 140 * count / most
        colour = WIN if brings > 0 else LOSS if brings < 0 else PUSH
        parts.append(_box(n * wide + 1.5, floor - high, wide - 3, high, colour))
        share = Fraction(count, total)
        middle = n * wide + wide / 2
        if share >= Fraction(1, 1000):
            parts.append(_text(middle, floor - high - 4, decimal(100 * share, 1), "tiny"))
        parts.append(_text(middle, floor + 12, net(brings), "tiny"))
    parts += [
        _text(WIDTH, floor + 27, "what a round brings, in antes: losses below zero, wins above it", "end"),
        _text(WIDTH, 12, "percent of all rounds; rarer results have no figure here", "end"),
    ]
    return _svg("How often a round brings each result", floor + 32, parts)


def meters(lines: Sequence[tuple[str, Fraction, Fraction, Fraction, Fraction]]) -> str:
    """Return against what a meter shows: for each table its name, fixed part, worth of a dollar for a unit
    of the wager, seed, and the meter at which all comes back."""
    right = max(max(seed, even) for *_, seed, even in lines) * Fraction(21, 20)
    left, floor, high = 44.0, 206.0, 176.0
    wide = WIDTH - left - 14
    top = max(Fraction(5, 4), *(fixed + worth * seed for _, fixed, worth, seed, _ in lines))

    def x(shows: Fraction) -> float:
        return left + wide * float(shows / right)

    def y(back: Fraction) -> float:
        return floor - high * float(back / top)

    parts = []
    for quarter in range(int(top * 4) + 1):
        level = Fraction(quarter, 4)
        colour, dash = (INK, ' stroke-dasharray="5 3"') if level == 1 else (LINE, "")
        at = f"{y(level):.1f}"
        parts.append(f'<line x1="{left}" y1="{at}" x2="{WIDTH}" y2="{at}" stroke="{colour}"{dash}/>')
        parts.append(_text(left - 6, y(level) + 3.5, percent(level, 0), "end"))
    for n, (name, fixed, worth, seed, even) in enumerate(lines):
        dash = f' stroke-dasharray="{2 + 4 * n} 4"' if n else ""
        end = min(right, (top - fixed) / worth)
        parts.append(
            f'<line x1="{x(Fraction()):.1f}" y1="{y(fixed):.1f}" x2="{x(end):.1f}" '
            f'y2="{y(fixed + worth * end):.1f}" stroke="{RAMP[5]}" stroke-width="1.8"{dash}/>'
        )
        parts.append(
            f'<circle cx="{x(seed):.1f}" cy="{y(fixed + worth * seed):.1f}" r="3.2" fill="{INK}"/>'
        )
        parts.append(
            f'<circle cx="{x(even):.1f}" cy="{y(Fraction(1)):.1f}" r="4" fill="{PAPER}" stroke="{INK}" '
            'stroke-width="1.6"/>'
        )
        # Above the line where there is room to its left, else below it.
        side, shift, drop = ("end", -9, -7) if x(even) > WIDTH / 3 else ("start", 9, 16)
        parts.append(_text(x(even) + shift, y(Fraction(1)) + drop, f"{name}: {money(even)}", side))
    parts.append(_text(WIDTH, floor + 18, "what the meter shows; ● seed, ○ all comes back", "end"))
    return _svg("Return against the meter", floor + 24, parts)


def _square(cell: Cell, left: float, top: float, wide: float, high: float) -> str:
    return (
        _box(left, top, wide, high, RAMP[cell.tone], LINE)
        + _text(left + wide / 2, top + 12, cell.name, "mid bold", tone=cell.tone)
        + _text(left + wide / 2, top + 23.5, cell.mark, "small", tone=cell.tone)
    )


def _legend(entries: Sequence[tuple[int, str]], top: float) -> Iterable[str]:
    at = 0.0
    for tone, words in entries:
        yield _box(at, top, 14, 12, RAMP[tone], SOFT)
        yield _text(at + 19, top + 10, words, "start")
        at += 34 + 5.6 * len(words)


def _box(left: float, top: float, wide: float, high: float, fill: str, edge: str = "") -> str:
    line = f' stroke="{edge}"' if edge else ""
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{fill}"{line}/>'
    )


def _text(left: float, base: float, words: str, kind: str, *, tone: int = 0) -> str:
    fill = "#FFFDF7" if tone >= 4 else INK
    return f'<text x="{left:.1f}" y="{base:.1f}" class="{kind}" fill="{fill}">{escape(words)}</text>'


def _svg(title: str, high: float, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="-1 -1 {WIDTH + 2} {high + 2:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
