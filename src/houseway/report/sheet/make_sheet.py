"""Compute a rulebook's par sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources

from houseway import __version__, exact
from houseway.engine.terms import Terms
from houseway.exact.shootout_hands import Progress
from houseway.exact.solution import DEALS
from houseway.report.sheet import shootout, ultimate
from houseway.report.sheet.model import SettingRow, Sheet
from houseway.rules.compare.value_words import bounds_in_words, called, cap_in_words, setting_in_words
from houseway.rules.options import SHOOTOUT


def par_sheet(terms: Terms, *, date: str = "", progress: Progress | None = None) -> Sheet:
    """Solve a rulebook's game under these terms and collect every figure.

    `progress` is called during a long count: Texas Shootout takes minutes the first time.
    """
    book = terms.rulebook
    head = book.id, book.title, book.game, book.source.value, book.hash, __version__, date
    foot = tuple(_settings(terms)), tuple(cap_in_words(book, cap) for cap in book.caps)
    if book.game == SHOOTOUT:
        from houseway.exact.shootout import solve

        solved = solve(terms, progress=progress)
        return Sheet(
            *head, solved.deals, shootout.measures(solved), shootout.actions(solved), (),
            shootout.hands(solved), tuple(shootout.entries(terms, solved)), solved.lines, *foot,
            _method(solved.deals, "shootout"),
        )  # fmt: skip
    solution = exact.solve(terms)
    counted = exact.outcomes(solution)
    entries = tuple(ultimate.entries(terms, counted))
    return Sheet(
        *head, DEALS, ultimate.measures(solution, counted), ultimate.actions(counted),
        tuple(counted.nets.items()), ultimate.hands(solution), entries, (), *foot,
        _method(DEALS, "ultimate", *(["metered"] if any(e.metered for e in entries) else [])),
    )  # fmt: skip


def _settings(terms: Terms) -> Iterator[SettingRow]:
    """Yield every house setting and the value in use."""
    book = terms.rulebook
    for name, setting in book.house.items():
        if setting.kind == "limits":
            limits = "; ".join(f"{called(book, n)} {bounds_in_words(b)}" for n, b in terms.limits.items())
            yield SettingRow(name, setting.about, limits or "not set", "set" if limits else "open")
            continue
        value = terms.house(name)
        if value is None:
            origin = "open"
        elif name in terms.given:
            origin = "set"
        else:
            origin = "example" if setting.default is None else "default"
        yield SettingRow(name, setting.about, setting_in_words(setting, value), origin)


def _method(deals: int, *parts: str) -> tuple[str, ...]:
    """Return the method as paragraphs: the general part, the given parts, and what the figures exclude."""
    file = resources.files("houseway.report.sheet").joinpath("method.toml")
    written = tomllib.loads(file.read_text("utf-8"))
    text = "\n".join(written[part] for part in ("exact", *parts, "not_in_it")).format(deals=deals)
    return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
