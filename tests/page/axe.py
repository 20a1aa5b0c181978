"""axe-core on the page: violations of accessibility rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Each violation with the parts of the page that have it.
# Parts behind a sticky bar count as too small for axe, although they can be scrolled; other tests check the sizes of targets.
VIOLATIONS = """async ([tags, exclude]) => (await axe.run({ include: [["html"]], exclude }, { runOnly: tags, resultTypes: ["violations"],
  rules: { "target-size": { enabled: false } } })).violations
  .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`))"""


def violations(page: Page, axe: str, exclude: Sequence[str] = ()) -> list[str]:
    """Return the violations on a page without the parts in `exclude`; `axe` is the source of axe-core."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    found: list[str] = page.evaluate(VIOLATIONS, [RULES, [[css] for css in exclude]])
    return found
