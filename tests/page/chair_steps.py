"""The steps of a procedure that a trainee has performed on the page, by their names in the rulebook."""

from __future__ import annotations

import json
import secrets
from typing import Any

from playwright.sync_api import expect

from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.training import acts as a
from houseway.training.act_codec import encode_act
from houseway.training.model_dealer import right_act
from page.chair_driver import MOST_ACTS, ChairDriver, PageTrainee


def possible_steps(table: Table) -> set[str]:
    """Return the steps of the table's procedure, without the settlement of wagers that its deal mode does not offer.

    In Massachusetts, only a table with a dealing machine offers Cover All (MA-12.d).
    """
    offered = {one.name for one in table.terms.wagers if not one.modes or table.mode in one.modes.value}
    settled = {name: set(one.wagers) for name, one in table.passes.items()}
    return {
        name
        for name, step in table.steps.items()
        if not step.pass_name or step.pass_name not in settled or settled[step.pass_name] & offered
    }


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


Order = dict[str, Any]
STUB: Order = {"seats": 1, "rounds": 5, "seed": "1"}
"""The stub is counted in the fifth round."""
VOID: Order = {"seats": 1, "rounds": 1, "seed": "1", "void": True}
"""The players' cards are collected at the end of a void round."""
ORDERS: dict[tuple[str, str], tuple[Order, ...]] = {
    # The sessions with six players are chosen so that one of them has a straight flush, and others win envy.
    ("uth-ma", "manual"): ({"seats": 6, "rounds": 1, "seed": "55124"}, STUB),
    ("uth-ma", "device"): ({"seats": 6, "rounds": 1, "seed": "50284"}, STUB),
    ("uth-sd", "manual"): ({"seats": 6, "rounds": 1, "seed": "55124"},),
    ("uth-sd", "device"): ({"seats": 6, "rounds": 1, "seed": "35599"},),
    # A player with two pairs plays two hands; with the other seed, a hand wins envy.
    ("shootout-sd", "manual"): (
        {"seats": 2, "rounds": 1, "seed": "33"},
        {"seats": 6, "rounds": 1, "seed": "109"},
    ),
    ("uth-proc", "device"): (
        {"seats": 6, "rounds": 1, "seed": "1", "house": {"max_payout": "$50,000"}},
        VOID,
    ),
    ("uth-card", "manual"): (STUB, VOID),
    ("uth-card", "device"): (STUB, VOID),
}
"""Sessions that together have every step of a table's procedure that the first round lacks."""
