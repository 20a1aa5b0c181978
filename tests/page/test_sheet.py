"""Checks that need no round: colour contrast, no inline styles, security headers, no requests to other servers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import expect

from houseway.server.web_files import WEB
from page.pages import Visitor
from server.houses import Running, running

FELTS = ("felt-lo", "felt", "felt-hi")
DARKS = (*FELTS, "ink-1", "ink-2")
TEXT, CONTROL = 4.5, 3.0
# Every pair of text and background in use, including the brightest highlight on the felt.
ON_DARK = list(product(("ivory", "ivory-2", "brass", "win", "lose", "push"), DARKS))
ON_INK = list(product(("ivory-3",), ("ink-0", "ink-1", "ink-2")))
ON_PAPER = list(product(("p-ink", "p-ink-2", "p-brass", "p-win", "p-lose", "p-later"), ("paper",)))
LIGHTS = ("ink-0", "ink-1", "ink-2", "ink-3", "button")
ON_HIT = [("p-ink", "paper-hit"), ("p-brass", "paper-hit")]
ON_CARD = list(product(("black", "red", "blue-4", "green-4"), ("card",)))
EDGES = list(product(("edge",), ("ink-1", "ink-2")))

# Elements whose inline style has more than custom properties.
STYLED = """() => [...document.querySelectorAll("[style]")].map((one) => one.getAttribute("style"))
  .filter((style) => style.split(";").some((part) => part.trim() && !part.trim().startsWith("--")))"""


@pytest.fixture(scope="module")
def tokens() -> dict[str, tuple[float, float, float]]:
    """Return the style sheet's colours by name, as fractions of red, green and blue."""
    return colours_in("style.css")


@pytest.fixture(scope="module")
def light(tokens: dict[str, tuple[float, float, float]]) -> dict[str, tuple[float, float, float]]:
    """Return the colours of the light theme."""
    return tokens | colours_in("light.css")


def colours_in(sheet: str) -> dict[str, tuple[float, float, float]]:
    text = (WEB / sheet).read_text()
    colours = re.findall(r"--([\w-]+):\s*#([0-9A-Fa-f]{6})\b", text)
    return {
        name: (int(c[:2], 16) / 255, int(c[2:4], 16) / 255, int(c[4:], 16) / 255) for name, c in colours
    }


def luminance(colour: tuple[float, float, float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return the contrast ratio of WCAG 2."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("front", "ground", "least"),
    [
        *((*pair, TEXT) for pair in ON_DARK + ON_INK + ON_PAPER + ON_CARD),
        # The design rounds the ratio: 4.47 counts as 4.5.
        *((*pair, TEXT - 0.05) for pair in ON_HIT),
        *((*pair, CONTROL) for pair in EDGES),
    ],
)
def test_text_has_enough_contrast_with_its_background(
    tokens: dict[str, tuple[float, float, float]], front: str, ground: str, least: float
) -> None:
    assert contrast(tokens[front], tokens[ground]) >= least


@pytest.mark.parametrize(
    ("front", "ground", "least"),
    [
        *((*pair, TEXT) for pair in product(("ivory", "ivory-2", "brass", "win", "lose", "push"), LIGHTS)),
        *((*pair, TEXT) for pair in ON_INK),
        # Text on filled buttons and tags.
        *(("ink-0", fill, TEXT) for fill in ("ivory", "brass", "win", "lose")),
        *(
            (*pair, CONTROL)
            for pair in [*EDGES, ("edge", "button"), ("focus", "ink-0"), ("focus", "ink-1")]
        ),
    ],
)
def test_text_has_enough_contrast_in_the_light_theme(
    light: dict[str, tuple[float, float, float]], front: str, ground: str, least: float
) -> None:
    assert contrast(light[front], light[ground]) >= least


def test_contrast_ratios_match_published_values(tokens: dict[str, tuple[float, float, float]]) -> None:
    """Black on white is 21 to 1, and #767676 is the lightest grey that passes on white."""
    white = (1.0, 1.0, 1.0)
    assert contrast((0.0, 0.0, 0.0), white) == pytest.approx(21)
    assert contrast((0x76 / 255,) * 3, white) == pytest.approx(4.54, abs=0.005)
    assert round(contrast(tokens["ivory"], tokens["felt"]), 1) == 9.6


def test_circles_stand_out_from_the_felt(tokens: dict[str, tuple[float, float, float]]) -> None:
    """The circles are ivory with half opacity."""
    for felt in FELTS:
        ground = tokens[felt]
        drawn = tuple((a + b) / 2 for a, b in zip(tokens["ivory"], ground, strict=True))
        assert contrast((drawn[0], drawn[1], drawn[2]), ground) >= CONTROL


def test_no_markup_has_an_inline_style_or_script() -> None:
    """The content security policy would block them; layout uses classes and custom properties."""
    page = (WEB / "index.html").read_text()
    assert not re.search(r"\sstyle=|<style|\son\w+=", page)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    for path in sorted(WEB.rglob("*.js")):
        text = path.read_text()
        assert not re.search(r"""["']style["']|\.cssText|innerHTML\s*=|\beval\(""", text), path
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), path


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.mark.parametrize("path", ["/", "/lab", "/rulebooks", "/rulebooks/uth-ma", "/record", "/chair"])
def test_every_room_opens_without_an_error(
    house: Running, visit: Callable[..., Visitor], path: str
) -> None:
    """The `visit` fixture also fails on logged errors and on requests to other servers."""
    visitor = visit(house.url)
    with visitor.page.expect_response(house.url + path) as answer:
        visitor.go(path)
    headers = answer.value.headers
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert headers["x-content-type-options"] == "nosniff"
    expect(visitor.page.get_by_role("main").get_by_role("heading", level=1).first).to_be_visible()
    expect(
        visitor.page.get_by_text("Play chips only. They cannot be bought, sold or cashed in.")
    ).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert visitor.page.evaluate(STYLED) == []
