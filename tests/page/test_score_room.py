"""The score sheet: measures with limits, slips, categories, the certificate strip, print, states and sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.report.score_sheet import MOST_SLIPS
from page.exam_results import POINTS, SLIPS, exam_sheet, sheet_json
from page.pages import PHONE, WIDE, Visitor
from page.test_drill_room import LAPTOP, NAMELESS, SMALLEST
from page.test_score_sheet import crowded
from page.test_sizes import TOO_SMALL, check_no_overflow
from server.houses import Running, running

FACTS = ["Attempts", "Interruptions", "Planted irregularities", "Table", "Cards", "SHA-256"]
RESULT = re.compile("/api/training/s1/result$")
# The left edge of the limit's tick, as a share of the bar, for each bar.
TICKS = """() => [...document.querySelectorAll(".measure-bar")].map((bar) =>
  [".filled", ".tick"].map((part) => bar.querySelector(part)).map((rect) => (Number(rect.getAttribute("x") ?? 0)
    + (rect.matches(".filled") ? Number(rect.getAttribute("width")) : 1)) / 300))"""
COLOURS = """() => [...document.querySelectorAll(".score-paper *")].flatMap((one) => {
  const { color, fill, backgroundColor } = getComputedStyle(one);
  return [color, backgroundColor, one.closest("svg") ? fill : ""];
}).filter((one) => /^rgba?\\(/.test(one)).map((one) => one.match(/[\\d.]+/g).map(Number))
  .filter(([r, g, b, a = 1]) => a > 0 && Math.max(r, g, b) - Math.min(r, g, b) > 8)"""
ORDER = """() => [".columns-three", ".sheet-slips", ".sheet-categories", ".score-strip"].map((one) =>
  document.querySelector(one).getBoundingClientRect().top)"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def open_sheet(visitor: Visitor, **result: Any) -> None:
    """Open the sheet of an exam whose result the test makes up."""
    show_sheet(visitor, exam_sheet(**result))


def show_sheet(visitor: Visitor, sheet: Any) -> None:
    """Open the sheet of a result that the test sends instead of the server."""
    body = json.dumps(sheet)
    visitor.page.route(RESULT, lambda route: route.fulfill(content_type="application/json", body=body))
    visitor.go("/chair/score/s1")
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Table test, Ultimate Texas Hold")


def test_a_passed_sheet_has_measures_slips_categories_and_the_certificate(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Noor")
    open_sheet(visitor)
    sheet = visitor.page.get_by_role("article", name="Score sheet")
    expect(sheet.locator(".verdict-word")).to_have_text("Passed")
    expect(sheet.locator(".columns-three h2")).to_have_text(
        ["Dollars", "Seconds", "Clauses"], use_inner_text=True
    )
    # The first line of each column has a bar: $20 of $50 with the tick at $25, 31.8 of 45 with the tick at 25,
    # 5 slips of 18 with the tick at 9.
    expected = [[20 / 50, 0.5], [31.8 / 45, 25 / 45], [5 / 18, 0.5]]
    for bar, wanted in zip(visitor.page.evaluate(TICKS), expected, strict=True):
        assert bar == pytest.approx(wanted, abs=0.005)
    expect(sheet.locator(".sheet-slips tbody tr")).to_have_count(len(SLIPS))
    expect(sheet.locator(".sheet-slips .judgement.late")).to_have_count(1)
    blank = [name for name, points in POINTS.items() if points is None]
    expect(sheet.locator(".sheet-categories div:has(.blank) dt")).to_have_text(blank, use_inner_text=True)
    expect(sheet.locator(".round-bar")).to_have_count(30)
    expect(sheet.locator(".round-bar.wrong")).to_have_count(4)
    strip = visitor.page.locator(".score-strip")
    expect(strip).to_contain_text("Certificate for Noor Haddad")
    expect(strip.get_by_role("button", name="Print sheet")).to_be_visible()
    expect(strip.get_by_role("link", name="Download certificate")).to_be_visible()
    expect(strip).to_be_in_viewport(ratio=1)


def test_slips_open_on_the_right_by_pointer_and_keys(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Slips")
    open_sheet(visitor)
    panel = visitor.page.get_by_role("complementary", name="The open slip")
    expect(panel).to_contain_text("Slip 1 of 5, round 4, seat 2")
    cards = panel.locator("hw-card").evaluate_all("all => all.map(one => one.getAttribute('card'))")
    assert cards == ["As", "Ah", "Qc", "3s", "Qd", "9s", "7h", "4c", "2d"]
    expect(panel).to_contain_text("$10.00 overpaid")
    expect(panel.locator(".slip-clause")).to_contain_text("MA-9.h.2-b")
    replay = panel.get_by_role("link", name="Replay on the felt")
    assert replay.get_attribute("href") == "/chair/table/s1?round=4"
    visitor.page.get_by_role("button", name="Settled seat 4 before seat 5").click()
    expect(panel).to_contain_text("Slip 2 of 5, round 11")
    visitor.page.keyboard.press(".")
    expect(panel).to_contain_text("Slip 3 of 5")
    expect(panel.locator(".slip-facts")).to_contain_text("Nothing")
    visitor.page.keyboard.press(",")
    expect(panel).to_contain_text("Slip 2 of 5")
    expect(visitor.page.locator(".sheet-slips tr.open")).to_contain_text("Round 11")
    panel.get_by_role("link", name="Drill this kind").click()
    expect(visitor.page).to_have_url(re.compile("drill=order"))


def test_a_failed_sheet_looks_the_same_and_names_what_is_outside(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Failed")
    open_sheet(visitor, passed=False)
    expect(visitor.page.locator(".verdict-word")).to_have_text("Not passed")
    reasons = visitor.page.get_by_role("region", name="Why it was not passed").locator("li")
    expect(reasons).to_have_text(["Gross mispayment $40.00: limit $25.00."], use_inner_text=True)
    expect(visitor.page.locator(".sheet-measure.outside")).to_have_count(1)
    expect(visitor.page.locator(".measure-bar")).to_have_count(3)
    strip = visitor.page.locator(".score-strip")
    expect(strip).not_to_contain_text("Certificate for")
    expect(strip.get_by_role("button", name="Print sheet")).to_be_visible()


def test_a_practice_exam_says_that_it_gives_no_certificate(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Practice")
    open_sheet(visitor, certificate=False)
    strip = visitor.page.locator(".score-strip")
    expect(strip).to_contain_text("Practice exams give no certificate.")
    expect(strip.get_by_role("link")).to_have_count(0)


def test_a_self_administered_exam_says_that_only_an_examiner_signs(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Alone")
    open_sheet(visitor, certificate=False, examiner="self-administered")
    strip = visitor.page.locator(".score-strip")
    expect(strip).to_contain_text(
        "Self-administered. Only a house that examines you can sign a certificate."
    )


def test_a_server_that_signs_no_certificates_offers_the_record(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Unsigned")
    open_sheet(visitor, signed=False)
    strip = visitor.page.locator(".score-strip")
    expect(strip).to_contain_text("This server does not sign certificates.")
    record = strip.get_by_role("link", name="Download record")
    assert record.get_attribute("href") == "/api/training/s1/record"


def test_it_prints_on_one_page_in_black_and_white(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Print")
    open_sheet(visitor, passed=False)
    for paper in ("A4", "Letter"):
        assert re.findall(rb"/Count (\d+)", visitor.page.pdf(format=paper)) == [b"1"]
    visitor.page.emulate_media(media="print")
    assert visitor.page.evaluate(COLOURS) == []
    expect(visitor.page.locator(".top")).to_be_hidden()
    expect(visitor.page.locator(".score-slip")).to_be_hidden()
    # In black and white, the shapes still tell late from wrong.
    expect(visitor.page.locator(".sheet-slips .judgement.wrong rect")).to_have_count(4)


def test_a_real_session_has_a_sheet_without_limits(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Session")
    order = {"rulebook": "uth-ma", "rounds": 1, "seats": 1}
    answer = visitor.context.request.post(f"{house.url}/api/training", data=order)
    assert answer.status == 201, answer.text()
    visitor.go(f"/chair/score/{answer.json()['session']}")
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Practice, ")
    expect(visitor.page.locator(".sheet-slips")).to_contain_text("No slips.")
    expect(visitor.page.locator(".score-strip")).to_contain_text("Practice gives no certificate.")
    expect(visitor.page.locator(".measure-bar, .verdict-word")).to_have_count(0)
    visitor.complaints = [one for one in visitor.complaints if "404" not in one]


def test_an_aborted_exam_has_a_sheet(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Aborted")
    order = {"rulebook": "uth-ma", "exam": "practice"}
    answer = visitor.context.request.post(f"{house.url}/api/training", data=order)
    assert answer.status == 201, answer.text()
    path = f"/api/training/{answer.json()['session']}"
    ended = visitor.context.request.delete(f"{house.url}{path}")
    assert ended.ok, ended.text()
    visitor.go(f"/chair/score/{answer.json()['session']}")
    expect(visitor.page.locator(".verdict-word")).to_have_text("Not passed")
    reasons = visitor.page.get_by_role("region", name="Why it was not passed")
    expect(reasons).to_contain_text(re.compile(r"Ended early, after 0 of \d+ rounds\."))
    assert visitor.page.locator(".sheet-categories .blank").count() >= 3


def test_it_prints_attempts_interruptions_irregularities_terms_and_the_seed(
    visit: Callable[..., Visitor],
) -> None:
    now = [datetime(2026, 11, 16, 14, 2, tzinfo=UTC)]
    with running(wall_clock=lambda: now[0].isoformat()) as house:
        visitor = visit(house.url, "Interrupted")
        check_facts(visitor, now)


def check_facts(visitor: Visitor, now: list[datetime]) -> None:
    """Take an exam twice, lose the connection in both, and compare the second sheet with its result."""

    def call(method: str, path: str, data: Any = None) -> Any:
        answer = visitor.context.request.fetch(
            f"{visitor.url}/api/training{path}", method=method, data=data
        )
        assert answer.ok, answer.text()
        return answer.json()

    sessions = []
    for _ in range(2):
        sessions.append(call("POST", "", {"rulebook": "uth-ma", "exam": "table-test"})["session"])
        # The connection is lost 15 seconds after the last request, and the exam continues.
        now[0] += timedelta(seconds=30)
        call("GET", f"/{sessions[-1]}")
        now[0] += timedelta(seconds=1)
        call("DELETE", f"/{sessions[-1]}")
    result = call("GET", f"/{sessions[1]}/result")["result"]
    visitor.go(f"/chair/score/{sessions[1]}")
    facts = visitor.page.get_by_role("article", name="Score sheet").locator(".sheet-facts")
    shown = {name: facts.locator(f'[data-key="{name}"] dd') for name in FACTS}
    expect(facts.locator("dt")).to_have_text(FACTS, use_inner_text=True)
    expect(shown["Attempts"]).to_have_text(re.compile(r"^1 earlier attempt: 2026-11-16\S+ aborted\.$"))
    expect(shown["Interruptions"]).to_have_text(
        "connection lost at 0:00:15; reconnected at 0:00:30; the trainee quit at 0:00:31."
    )
    expect(shown["Planted irregularities"]).to_contain_text("None of the ")
    for name in result["absent"]:
        expect(shown["Planted irregularities"]).to_contain_text(name)
    for words in result["terms"]:
        expect(shown["Table"]).to_contain_text(words)
    expect(shown["Cards"]).to_contain_text(f"Seed: {result['seed']}. Salt: {result['salt']}.")
    for name in ("rulebook_hash", "exam_hash", "record", "terms_hash"):
        expect(shown["SHA-256"]).to_contain_text(result[name])
    visitor.page.emulate_media(media="print")
    expect(facts).to_be_visible()


def test_a_sheet_with_more_slips_than_fit_prints_on_one_page(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Crowded")
    result = crowded(slips=60)
    show_sheet(visitor, sheet_json(result))
    rows = visitor.page.locator(".sheet-slips tbody tr")
    expect(rows).to_have_count(60)
    expect(visitor.page.get_by_text("50 more slips are in the record.")).to_be_hidden()
    expect(rows.last).to_be_visible()
    for paper in ("A4", "Letter"):
        assert re.findall(rb"/Count (\d+)", visitor.page.pdf(format=paper)) == [b"1"]
    visitor.page.emulate_media(media="print")
    expect(visitor.page.get_by_text("50 more slips are in the record.")).to_be_visible()
    expect(visitor.page.locator(".sheet-facts")).to_contain_text("20 earlier attempts: ")
    expect(rows.nth(MOST_SLIPS - 1)).to_be_visible()
    expect(rows.nth(MOST_SLIPS)).to_be_hidden()


def test_a_missing_sheet_an_error_and_a_lost_connection_are_told(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "States")
    visitor.go("/chair/score/none")
    expect(visitor.page.get_by_role("heading", name="There is no such sheet")).to_be_visible()
    visitor.page.route(RESULT, lambda route: route.abort("connectionrefused"))
    visitor.go("/chair/score/s1")
    expect(visitor.page.get_by_role("heading", name="The server does not answer")).to_be_visible()
    visitor.page.unroute(RESULT)
    body = json.dumps(exam_sheet())
    visitor.page.route(RESULT, lambda route: route.fulfill(content_type="application/json", body=body))
    visitor.page.get_by_role("button", name="Try again").click()
    expect(visitor.page.locator(".verdict-word")).to_have_text("Passed")
    visitor.complaints = [one for one in visitor.complaints if "404" not in one]
    stranger = visit(house.url)
    stranger.go("/chair/score/s1")
    expect(stranger.page.get_by_role("heading", name="Sign in to see this sheet")).to_be_visible()
    stranger.complaints = [one for one in stranger.complaints if "401" not in one]


@pytest.mark.parametrize("view", [WIDE, LAPTOP, PHONE], ids=lambda view: str(view["width"]))
def test_the_sheet_fits_every_width(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    visitor = visit(house.url, f"Fits {view['width']}", view=view)
    open_sheet(visitor)
    visitor.still()
    check_no_overflow(visitor)
    assert visitor.page.evaluate(TOO_SMALL, SMALLEST) == []
    assert visitor.page.evaluate(NAMELESS) == []
    tops = visitor.page.evaluate(ORDER)
    if view is PHONE:
        assert tops == sorted(tops), "measures, slips, categories, certificate"
