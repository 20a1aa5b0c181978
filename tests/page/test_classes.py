"""Classes on the page: an instructor invites, sets an exam and reads results; a trainee erases their data."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from houseway.client.class_messages import ExamChoice
from houseway.server.certificate_desk import KIND, StoredCertificate
from houseway.server.exam_library import ExamLibrary
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running
from server.test_classes import result

TITLE = "Table test"


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    choices = (ExamChoice(id="table-test", title=TITLE),)
    monkeypatch.setattr(ExamLibrary, "choices", lambda library: choices)
    with running() as server:
        yield server


def examiner(house: Running, visit: Callable[..., Visitor], **options: Any) -> Visitor:
    visitor = visit(house.url, "Ines", **options)
    house.run(house.serving.people.give("Ines", "*", "examiner"))
    return visitor


def section(visitor: Visitor, heading: str) -> Locator:
    return (
        visitor.page.locator("section")
        .filter(has=visitor.page.get_by_role("heading", name=heading, exact=True))
        .last
    )


def opened(house: Running, *trainees: str) -> str:
    """Return a class of Ines with an exam and these trainees, made without the page."""
    ines = house.run(house.serving.people.still("Ines"))
    assert ines is not None
    card = house.run(house.serving.classes.open(ines, "Evening class"))
    link = house.run(house.serving.classes.invite(ines, card.id))
    house.run(house.serving.classes.set_exam(ines, card.id, "table-test", "uth-ma"))
    for handle in trainees:
        person = house.run(house.serving.people.still(handle))
        assert person is not None
        house.run(house.serving.classes.join(person, link.invitation))
    return card.id


def take_exam(house: Running, class_id: str, handle: str, outcome: str, **more: Any) -> None:
    session = secrets.token_hex(8)
    house.run(house.serving.classes.start_attempt(class_id, handle, session))
    house.run(house.serving.classes.end_attempt(class_id, handle, session, result(outcome, **more)))


def certify(house: Running, class_id: str, handle: str) -> None:
    """Store a passed exam with a certificate, whose text is not a token."""
    take_exam(house, class_id, handle, "passed", certificate=True, session="s1")
    stored = StoredCertificate(
        session="s1", class_id=class_id, attempt=1, exam="table-test", rulebook="uth-ma", record="",
        id="urn:uuid:1", issued="2027-01-15T08:00:00Z", certificate="a.b.c",
    )  # fmt: skip
    house.run(house.serving.progress.append(handle, KIND, msgspec.to_builtins(stored)))


def test_an_instructor_opens_a_class_and_a_trainee_joins_by_the_link(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ines, ann = examiner(house, visit), visit(house.url, view=PHONE)
    ines.go("/chair/classes")
    expect(ines.page.get_by_text("You have not opened a class yet.")).to_be_visible()
    ines.page.get_by_label("Name of a new class").fill("Evening class")
    ines.page.keyboard.press("Enter")
    expect(ines.page.get_by_role("heading", name="Evening class")).to_be_visible()
    expect(ines.page.get_by_text("No trainees yet. Send them the invitation link.")).to_be_visible()
    ines.button("Create a link").click()
    link = ines.page.get_by_label("Invitation link").input_value()
    assert link.startswith(f"{house.url}/chair/classes#join=")
    ines.page.get_by_label("Rulebook").select_option("uth-ma")
    ines.button("Set the exam").click()
    expect(section(ines, "Exam")).to_contain_text(f"{TITLE}, Massachusetts")
    # The trainee has no name yet.
    ann.page.goto(link)
    ann.page.get_by_label("Your name").fill("Ann")
    ann.button("Continue").click()
    join = ann.page.get_by_role("region", name="Invitation")
    expect(join).to_contain_text("Ines sees your name and the results of exams")
    join.get_by_role("button", name="Join the class").click()
    expect(ann.page.get_by_role("heading", name="Evening class")).to_be_visible()
    expect(ann.page).not_to_have_url(re.compile("join="))
    ann.page.get_by_text("House rules (").click()
    expect(ann.page.get_by_text("three of a kind, a straight and a flush lose")).to_be_visible()
    width = ann.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    ann.button("Start the exam").click()
    expect(ann.page).to_have_url(re.compile(r"/chair/table/\w+$"))
    ((session, taken),) = [
        (card["session"], card["class_id"])
        for card in ann.page.evaluate("() => fetch('/api/training').then((reply) => reply.json())")[
            "sessions"
        ]
    ]
    assert ann.page.url.endswith(f"/{session}")
    assert ines.page.url.endswith(f"/{taken}")
    ines.page.reload()
    expect(ines.page.get_by_role("region", name="Results")).to_contain_text("Ann")


def test_the_instructor_reads_the_results_in_one_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ines, ann = examiner(house, visit), visit(house.url, "Ann")
    visit(house.url, "Bob")
    class_id = opened(house, "Ann", "Bob")
    take_exam(house, class_id, "Ann", "not passed")
    certify(house, class_id, "Ann")
    ines.go(f"/chair/classes/{class_id}")
    table = ines.page.get_by_role("region", name="Results")
    rows = table.get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Passed")
    expect(rows.nth(1).get_by_role("cell").nth(0)).to_have_text("2")
    expect(rows.nth(2)).to_contain_text("no attempt")
    expect(table.get_by_role("columnheader", name="Slips")).to_be_visible()
    ines.button("All attempts").click()
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("Not passed")
    with ines.page.expect_download() as download:
        ines.page.get_by_role("link", name="Download CSV").click()
    assert download.value.path().read_text().count("Ann") == 2
    with ines.page.expect_download() as download:
        ines.page.get_by_role("link", name="Download the certificate of Ann").click()
    assert download.value.suggested_filename == "certificate-s1.jwt"
    assert download.value.path().read_text() == "a.b.c"
    # The trainee sees only their own attempts, and cannot open the table of another class.
    ann.go(f"/chair/classes/{class_id}")
    own = ann.page.get_by_role("region", name="Results")
    expect(own.get_by_role("row")).to_have_count(3)
    expect(own).not_to_contain_text("Bob")
    # Removing a trainee asks once, in words.
    ines.button("Remove Bob from the class").click()
    expect(ines.page.get_by_text("Remove Bob from the class? Their results disappear")).to_be_visible()
    ines.page.keyboard.press("Escape")
    expect(ines.page.get_by_text("Remove Bob from the class?")).to_have_count(0)
    ines.button("Remove Bob from the class").click()
    ines.page.get_by_role("button", name="Remove", exact=True).first.click()
    expect(table).not_to_contain_text("Bob")


def test_a_person_downloads_and_erases_their_data(house: Running, visit: Callable[..., Visitor]) -> None:
    ines, ann = examiner(house, visit), visit(house.url, "Ann", view=PHONE)
    class_id = opened(house, "Ann")
    take_exam(house, class_id, "Ann", "passed")
    house.run(house.serving.progress.append("Ann", "drill", {"right": 9}))
    ann.go("/chair/classes")
    panel = section(ann, "Your data")
    expect(panel).to_contain_text("2 entries about your training")
    expect(panel).to_contain_text("1 drill and 1 exam")
    panel.get_by_role("button", name="Erase my data").click()
    expect(panel).to_contain_text("This cannot be undone.")
    expect(panel).to_contain_text("disappear from 1 class")
    # The offer to download comes first, and Escape keeps everything.
    first = panel.get_by_role("link", name="Download it first")
    expect(first).to_be_focused()
    with ann.page.expect_download() as download:
        first.click()
    document = json.loads(download.value.path().read_text())
    assert [entry["kind"] for entry in document["entries"]] == ["exam", "drill"]
    ann.page.keyboard.press("Escape")
    expect(panel.get_by_role("button", name="Erase my data")).to_be_focused()
    panel.get_by_role("button", name="Erase my data").click()
    panel.get_by_role("button", name="Erase my data", exact=True).click()
    expect(panel).to_contain_text("Your data has been erased.")
    expect(panel).to_contain_text("The server stores nothing about your training.")
    ines.go(f"/chair/classes/{class_id}")
    results = ines.page.get_by_role("region", name="Results")
    expect(results).to_contain_text("erased")
    expect(results.locator(".verdict")).to_have_count(0)
    expect(results.get_by_role("row")).to_have_count(2)


SMALL = """() => [...document.querySelectorAll(
  ".classes a, .classes button, .classes input, .classes select")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width && (width < 24 || height < 24);
}).map((one) => one.outerHTML)"""
UNNAMED = """() => [...document.querySelectorAll(".classes input, .classes select")]
  .filter((one) => !one.labels?.length && !one.getAttribute("aria-label")).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("view", [WIDE, {"width": 320, "height": 568}], ids=["wide", "smallest"])
def test_every_control_has_a_name_and_a_target_that_is_large_enough(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    ines = examiner(house, visit, view=view)
    house.run(house.serving.people.give("Ines", "*", "floor"))
    visit(house.url, "Ann")
    class_id = opened(house, "Ann")
    certify(house, class_id, "Ann")
    ines.go("/chair/classes")
    ines.button("Invite an examiner").click()
    assert "/join/" in ines.page.get_by_label("Link for an examiner").input_value()
    expect(section(ines, "Your data")).to_contain_text("stores nothing")
    for path in ("", f"/{class_id}"):
        if path:
            ines.go(f"/chair/classes{path}")
            expect(ines.page.get_by_role("region", name="Results")).to_be_visible()
        assert ines.page.evaluate(SMALL) == []
        assert ines.page.evaluate(UNNAMED) == []
        assert ines.page.evaluate("document.documentElement.scrollWidth") <= view["width"]
    # The instructor can do everything with the keyboard: close the class and cancel.
    close = ines.button("Close the class")
    close.focus()
    ines.page.keyboard.press("Enter")
    expect(ines.page.get_by_role("button", name="Close the class", exact=True)).to_be_focused()
    ines.page.keyboard.press("Escape")
    expect(ines.page.get_by_text("Close this class?")).to_have_count(0)


def test_links_that_expired_and_servers_that_do_not_answer_are_explained(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ines, ann = examiner(house, visit), visit(house.url, "Ann")
    class_id = opened(house, "Ann")
    ann.go("/chair/classes#join=gone")
    notice = ann.page.get_by_role("alert").filter(has_text="This link does not work.")
    expect(notice).to_be_visible()
    ann.button("Close").click()
    expect(notice).to_have_count(0)
    # Another person's class looks like no class at all.
    ann.go("/chair/classes/0123456789ab")
    expect(ann.page.get_by_role("alert").filter(has_text="no such class")).to_be_visible()
    ann.complaints.clear()
    # Offline: the page says so, and loads the class when the server answers again.
    ines.page.route("**/api/classes/**", lambda route: route.abort("connectionrefused"))
    ines.go(f"/chair/classes/{class_id}")
    expect(ines.page.get_by_text("The server does not answer.")).to_be_visible()
    ines.page.unroute("**/api/classes/**")
    ines.button("Try again").click()
    expect(ines.page.get_by_role("heading", name="Evening class")).to_be_visible()
    # Expired: the session was revoked in the meantime.
    house.run(house.serving.people.revoke("Ines"))
    ines.button("Create a new link").click()
    expect(ines.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    ines.complaints.clear()
    ann.complaints.clear()
