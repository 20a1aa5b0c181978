"""The strategy section of a par sheet: grids of starting hands, closest decisions, and the house way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from houseway.report.sheet import charts
from houseway.report.sheet import figures as f
from houseway.report.sheet import html_parts as p
from houseway.report.sheet.charts import Cell
from houseway.report.sheet.model import Hole, Sheet

COSTS = (Fraction(1, 50), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))
WORTHS = (Fraction(-1, 4), Fraction(), Fraction(1, 4), Fraction(1, 2))
PLAYED = (Fraction(1, 1000), Fraction(1, 200), Fraction(1, 100), Fraction(1, 50))
CHECK = "check"


def strategy(sheet: Sheet) -> Iterator[str]:
    if any(hand.cost is not None for hand in sheet.hands):
        yield "<h2>Before the flop</h2>"
        yield from _closest(sheet.hands)
        yield from _choice_grids(sheet)
    elif any(hand.name.endswith("s") and hand.name[0] == hand.name[1] for hand in sheet.hands):
        yield "<h2>Two-card hands</h2>"
        yield from _worth_grids(sheet)
        yield from _house_way(sheet)


def _choice_grids(sheet: Sheet) -> Iterator[str]:
    named = sorted({c for h in sheet.hands for c in h.values if c != CHECK}, key=lambda c: -int(c[:-1]))
    used = {h.best for h in sheet.hands}
    best = [c for c in named if c in used]
    # The largest play is the darkest; a check has the colour of the paper.
    tones = {CHECK: 0, **{c: max(len(charts.RAMP) - 1 - 2 * n, 1) for n, c in enumerate(best)}}
    cells = {h.name: Cell(h.best, tones[h.best]) for h in sheet.hands}
    legend = [(tones[c], f"{c} is best") for c in (*best, CHECK) if c in used]
    never = [c for c in (*named, CHECK) if c not in used]
    also = f" Never best: {', '.join(never)}." if never else ""
    chart = charts.grid("Best choice for each starting hand", cells, legend)
    yield p.picture(chart, f"The best choice. Suited hands are above the diagonal, unsuited below.{also}")
    costs = {
        h.name: Cell("–" if h.cost is None else f.decimal(h.cost, 3), _step(h.cost, COSTS))
        for h in sheet.hands
    }
    chart = charts.grid("Cost of the wrong choice for each starting hand", costs, _steps(COSTS, "antes"))
    about = "checking when a play is best, or playing when a check is best."
    yield p.picture(chart, f"Cost of the wrong choice, in antes: {about}")


def _worth_grids(sheet: Sheet) -> Iterator[str]:
    worths = {
        h.name: Cell(f.decimal(worth, 3, sign=True), _step(worth, WORTHS))
        for h in sheet.hands
        for worth in h.values.values()
    }
    below = "Suited hands are above the diagonal, unsuited below. In the last row, both cards are the same."
    chart = charts.grid("Value of each two-card hand", worths, _steps(WORTHS, "wagers"))
    about = "Value of two cards against the house way, in wagers, with unknown discards."
    yield p.picture(chart, f"{about} {below}")
    played = {h.name: Cell(f.percent(h.share, 2), _step(h.share, PLAYED)) for h in sheet.hands}
    legend = _steps([100 * level for level in PLAYED], "%")
    chart = charts.grid("Frequency of each two-card hand", played, legend)
    yield p.picture(chart, "How often best play uses each hand in a round; a split plays two.")


def _step(value: Fraction | None, levels: Sequence[Fraction]) -> int:
    return 0 if value is None else sum(value >= level for level in levels)


def _steps(levels: Sequence[Fraction], unit: str) -> list[tuple[int, str]]:
    # Print every level with as many places as the finest level needs.
    places = max(len(f.decimal(level, 2).rstrip("0").partition(".")[2]) for level in levels)
    words = [f.decimal(level, places) for level in levels]
    return [(0, f"below {words[0]} {unit}"), *((n, f"from {word}") for n, word in enumerate(words, 1))]


def _closest(hands: Sequence[Hole]) -> Iterator[str]:
    near = sorted((h for h in hands if h.cost is not None), key=lambda h: h.cost or 0)[:6]
    named = list(dict.fromkeys(name for h in near for name in h.values))
    rows = []
    for h in near:
        worths = (p.figure(h.values[c], "signed") if c in h.values else "–" for c in named)
        rows.append(p.row(h.name, h.best, *worths, p.figure(h.cost or Fraction())))
    heads = ("closest decisions", "best", *(f"{c}, in antes" for c in named), "cost of the wrong choice")
    yield p.table(heads, rows)


def _house_way(sheet: Sheet) -> Iterator[str]:
    yield "<h3>The house way</h3>"
    rows = [
        p.row_of(p.cell(str(n), ""), p.label(line), p.cell(p.in_percent(share)))
        for n, (line, share) in enumerate(sheet.lines, 1)
    ]
    yield p.table(("line", "keeps", "decides"), rows, left=2)
