"""The score sheet in a browser: it prints on one page, fits a phone, and works with the keyboard."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace

from houseway.report.exam_result import EarlierAttempt, ExamResult, Incident
from houseway.report.score_sheet import MOST_SLIPS, score_page
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.run import ExamRun
from page.pages import PHONE, WIDE, browsing, need_a_browser
from training.exam_trainee import SALT, exam_setup
from training.test_exams import Sloppy

PAGES = re.compile(rb"/Type\s*/Page[^s]")


def crowded(slips: int = MOST_SLIPS + 6) -> ExamResult:
    """A result with more slips, attempts and lost connections than a sheet can show."""
    run = ExamRun(exam_setup(shipped_exam("table-test"), "uth-ma", "manual"), "1", SALT)
    result = Sloppy(run).take().result("2026-11-16T14:59:00Z", "7f" * 32)
    return replace(
        result,
        slips=(result.slips * 20)[:slips],
        earlier=(EarlierAttempt(started="2026-11-14T09:00:00Z", outcome="not passed"),) * 20,
        irregularities=result.irregularities[:6],
        absent=result.irregularities[6:],
        incidents=tuple(Incident(60_000 * n, ("connection lost", "reconnected")[n % 2]) for n in range(20)),
    )


def test_the_sheet_prints_on_one_page_and_fits_a_phone(tmp_path: Path) -> None:
    need_a_browser()
    result = crowded()
    failed, passed = tmp_path / "failed.html", tmp_path / "passed.html"
    failed.write_text(score_page(result), encoding="utf-8")
    good = replace(result, passed=True, certificate=True, examiner="T. Reyes")
    passed.write_text(score_page(good, "a.b.c", "Charles House"), encoding="utf-8")
    with browsing() as browser:
        page = browser.new_page(viewport={"width": WIDE["width"], "height": WIDE["height"]})
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        for file in (failed, passed):
            page.goto(file.as_uri())
            for size in ("A4", "Letter"):
                assert len(PAGES.findall(page.pdf(format=size))) == 1, (file.name, size)
        assert page.get_by_text("6 more slips are in the record.").is_visible()
        assert page.get_by_text("Certificate for Noor Haddad").is_visible()
        assert page.locator("#panel-1").is_visible()
        page.locator("#slip-1").focus()
        page.keyboard.press("ArrowDown")
        assert page.locator("#panel-2").is_visible()
        assert not page.locator("#panel-1").is_visible()
        page.goto(failed.as_uri())
        assert not page.get_by_text("Certificate for").count()
        assert page.get_by_text("Not passed", exact=True).is_visible()
        page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.get_by_role("button", name="Print sheet").is_visible()
        assert problems == []
