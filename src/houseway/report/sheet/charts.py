"""Charts as self-contained SVG without scripts; colour is never the only cue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import product
from typing import NamedTuple

from houseway.cards import RANKS
from houseway.report.sheet.figures import decimal, money, net, percent

WIDTH = 676
INK, SOFT, LINE, PAPER = "#221F19", "#5A5242", "#D9CDB2", "#FFFDF7"
RAMP = ("#FFFDF7", "#F4E7C5", "#E6CD8F", "#CFA855", "#8F6A1E", "#6B4E12")
"""Colours from paper to brass. Text on the last two is light."""
LOSS, PUSH, WIN = "#8A8170", "#D9CDB2", "#A67C28"
BARS = 36
"""The most results in a chart; the rest are only in the table."""


class Cell(NamedTuple):
    """A square of a grid: its text and how strongly it is tinted."""

    mark: str
    tone: int


def hand_at(row: int, column: int) -> str:
    """Return the hand in a square, aces first. Suited hands are above the diagonal, unsuited below."""
    high, low = (RANKS[-1 - n] for n in sorted((row, column)))
    return high + low + ("" if row == column else "s" if row < column else "o")


def grid(title: str, cells: Mapping[str, Cell], legend: Sequence[tuple[int, str]]) -> str:
    """Draw the starting hands, thirteen by thirteen. Two copies of one card are in a separate row."""
    wide, high = WIDTH / 13, 28
    parts = []
    for row, column in product(range(13), repeat=2):
        name = hand_at(row, column)
        parts.append(_square(name, cells[name], column * wide, row * high, wide, high))
    bottom = 13 * high
    pairs = [f"{rank}{rank}s" for rank in reversed(RANKS)]
    if all(name in cells for name in pairs):
        bottom += 8
        parts += [_square(name, cells[name], n * wide, bottom, wide, high) for n, name in enumerate(pairs)]
        bottom += high
    parts += _legend(legend, bottom + 10)
    return _svg(title, bottom + 28, parts)


def choices(shares: Sequence[tuple[str, Fraction]]) -> str:
    """Draw how often each choice ends a round, as one bar. Labels that do not fit are below it."""
    parts, below, at = [], [], Fraction()
    for n, (name, share) in enumerate(shares):
        left, wide = float(at * WIDTH), float(share * WIDTH)
        tone = 0 if n == len(shares) - 1 else max(len(RAMP) - 1 - n, 1)
        words = f"{name}  {percent(share)}"
        parts.append(_box(left, 0, wide, 30, RAMP[tone], SOFT))
        if wide > 6.5 * len(words):
            parts.append(_text(left + wide / 2, 19, words, "mid", tone=tone))
        else:
            below.append((tone, words))
        at += share
    parts += _legend(below, 38)
    return _svg("How often a round ends with each choice", 54 if below else 31, parts)


def outcomes(results: Sequence[tuple[Fraction, int]]) -> str:
    """Draw how often a round has each net result, in antes."""
    total = sum(count for _, count in results)
    often = sorted(results, key=lambda row: -row[1])[:BARS]
    bars = sorted(often)
    most = max(count for _, count in bars)
    wide = WIDTH / len(bars)
    floor = 168
    parts = [_stroke(0, floor, WIDTH, floor, SOFT, 1)]
    for n, (result, count) in enumerate(bars):
        high = 140 * count / most
        colour = WIN if result > 0 else LOSS if result < 0 else PUSH
        parts.append(_box(n * wide + 1.5, floor - high, wide - 3, high, colour))
        share = Fraction(count, total)
        middle = n * wide + wide / 2
        if share >= Fraction(1, 1000):
            parts.append(_text(middle, floor - high - 4, decimal(100 * share, 1), "tiny"))
        parts.append(_text(middle, floor + 12, net(result), "tiny"))
    parts += [
        _text(WIDTH, floor + 27, "net result of a round, in antes", "end"),
        _text(WIDTH, 12, "percent of all rounds; rare results have no label", "end"),
    ]
    return _svg("Distribution of net results", floor + 32, parts)


@dataclass(frozen=True, slots=True)
class MeterCurve:
    """The return of a progressive table as its meter rises, per dollar of the wager."""

    name: str
    fixed: Fraction
    worth: Fraction
    seed: Fraction
    even: Fraction
    """The break-even meter amount."""

    def at(self, shows: Fraction) -> Fraction:
        """The return at a meter amount."""
        return self.fixed + self.worth * shows


def meters(lines: Sequence[MeterCurve]) -> str:
    """Draw the return by meter amount, with a numbered line for each table and a legend below."""
    right = max(max(line.seed, line.even) for line in lines) * Fraction(21, 20)
    top = max(Fraction(5, 4), *(line.at(line.seed) for line in lines))
    left, floor, high = 44, 190, 170
    wide = WIDTH - left

    def x(shows: Fraction) -> float:
        return left + wide * float(shows / right)

    def y(back: Fraction) -> float:
        return floor - high * float(back / top)

    parts = []
    for quarter in range(int(top * 4) + 1):
        level = Fraction(quarter, 4)
        parts.append(_stroke(left, y(level), WIDTH, y(level), INK if level == 1 else LINE, 1))
        parts.append(_text(left - 6, y(level) + 3.5, percent(level, 0), "end"))
    parts.append(_text(WIDTH, floor + 14, "meter amount per $1 of the wager", "end"))
    for n, line in enumerate(lines, 1):
        end = min(right, (top - line.fixed) / line.worth)
        parts.append(_stroke(left, y(line.fixed), x(end), y(line.at(end)), RAMP[5], 1.8, 4 * (n - 1)))
        parts.append(_dot(x(line.seed), y(line.at(line.seed)), 3, INK))
        parts.append(_dot(x(line.even), y(Fraction(1)), 4, PAPER))
        # Put the numbers on alternating sides, because break-even points may be close together.
        shift, drop = (-9, -7) if n % 2 else (9, 15)
        parts.append(_text(x(line.even) + shift, y(Fraction(1)) + drop, str(n), "mid bold"))
        label = f"{n}  {line.name}: ● seed {money(line.seed)}, ○ breaks even at {money(line.even)}"
        parts.append(_text(left, floor + 16 + 15 * n, label, "start"))
    return _svg("Return by meter amount", floor + 22 + 15 * len(lines), parts)


def _stroke(
    left: float, top: float, right: float, bottom: float, colour: str, wide: float, dash: int = 0
) -> str:
    ends = f'x1="{left:.1f}" y1="{top:.1f}" x2="{right:.1f}" y2="{bottom:.1f}"'
    dashed = f' stroke-dasharray="{dash} 3"' if dash else ""
    return f'<line {ends} stroke="{colour}" stroke-width="{wide}"{dashed}/>'


def _dot(left: float, top: float, size: float, fill: str) -> str:
    at = f'cx="{left:.1f}" cy="{top:.1f}" r="{size}"'
    return f'<circle {at} fill="{fill}" stroke="{INK}" stroke-width="1.4"/>'


def _square(name: str, cell: Cell, left: float, top: float, wide: float, high: float) -> str:
    return (
        _box(left, top, wide, high, RAMP[cell.tone], LINE)
        + _text(left + wide / 2, top + 12, name, "mid bold", tone=cell.tone)
        + _text(left + wide / 2, top + 23.5, cell.mark, "small", tone=cell.tone)
    )


def _legend(entries: Sequence[tuple[int, str]], top: float) -> Iterable[str]:
    at = 0.0
    for tone, words in entries:
        yield _box(at, top, 14, 12, RAMP[tone], SOFT)
        yield _text(at + 19, top + 10, words, "start")
        at += 34 + 5.6 * len(words)


def _box(left: float, top: float, wide: float, high: float, fill: str, edge: str = "") -> str:
    at = f'x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    line = f' stroke="{edge}"' if edge else ""
    return f'<rect {at} fill="{fill}"{line}/>'


def _text(left: float, base: float, words: str, kind: str, *, tone: int = 0) -> str:
    fill = "#FFFDF7" if tone >= 4 else INK
    return f'<text x="{left:.1f}" y="{base:.1f}" class="{kind}" fill="{fill}">{escape(words)}</text>'


def _svg(title: str, high: float, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="-1 -1 {WIDTH + 2} {high + 2:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
