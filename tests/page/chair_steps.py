"""The steps of a procedure that a trainee has performed on the page, by their names in the rulebook."""

from __future__ import annotations

import json
import secrets

from playwright.sync_api import expect

from houseway.engine.turn_order import due
from houseway.training import acts as a
from houseway.training.act_codec import encode_act
from houseway.training.model_dealer import right_act
from page.chair_driver import MOST_ACTS, ChairDriver, PageTrainee


class StepTrainee(PageTrainee):
    """A trainee on the page who notes the step of each act, as the procedure of the other table names it."""

    def __init__(self, driver: ChairDriver) -> None:
        super().__init__(driver)
        self.steps: set[str] = set()

    def _plan(self) -> None:
        planned = bool(self.planned)
        now = due(self.table, self.mirror)
        super()._plan()
        if not planned and self.planned and now is not None:
            self.steps.add(now.step.name)


def send(driver: ChairDriver, act: a.ChairAct) -> None:
    """Do an act over HTTP."""
    visitor = driver.visitor
    body = {"key": secrets.token_hex(8), "act": json.loads(encode_act(act))}
    answer = visitor.context.request.post(f"{visitor.url}/api/training/{driver.session}/acts", data=body)
    assert answer.ok, answer.text()


def reload(driver: ChairDriver) -> None:
    """Load the page again after acts over HTTP."""
    driver.page.reload()
    expect(driver.page.locator(".chair-stage")).to_be_visible()


def deal_new_steps(driver: ChairDriver, known: set[str], *, void: bool = False) -> set[str]:
    """Deal a session as the document says and return the steps that were performed on the page.

    The acts of steps in `known` are sent over HTTP. With `void`, the trainee exposes the dealer's cards before
    the first question, reports it and rules, so that the round is void.
    """
    session, done, fresh = driver.hosted.session, set[str](), True
    for _ in range(MOST_ACTS):
        act = right_act(session.table, session.chair)
        assert act is not None
        now = due(session.table, session.state)
        step = now.step.name if now is not None else ""
        if void and isinstance(act, a.Ask):
            reload(driver)
            _void_the_round(driver)
            void, fresh = False, True
            continue
        if step in known:
            send(driver, act)
            fresh = False
        else:
            if not fresh:
                reload(driver)
            driver.do(act)
            fresh = True
            done.add(step)
        if session.over:
            return done
        if act == a.TakeStep(what="close"):
            # The judgement of the round covers the table.
            reload(driver)
            fresh = True
    raise AssertionError("the session does not end")


def _void_the_round(driver: ChairDriver) -> None:
    """Expose the dealer's cards, report it, and give the first answer to every question of the ruling."""
    page = driver.page
    driver.do(a.TurnUp(place="dealer"))
    page.keyboard.press("i")
    page.get_by_role("group", name="What happened").get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where").get_by_role("button", name="dealer").click()
    page.get_by_role("button", name="Stop play and report").click()
    rows = page.locator(".ruling-row")
    expect(rows.first).to_be_visible()
    for row in rows.all():
        row.get_by_role("button").first.click()
    page.get_by_role("button", name="Rule").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("group", name="Acts")).to_be_visible()
    assert driver.hosted.session.state.round.void
