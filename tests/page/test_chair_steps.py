"""Every step of every procedure, in both deal modes, done by hand in the dealer's chair on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest
from playwright.sync_api import expect

from page.chair_driver import ChairDriver
from page.chair_steps import StepTrainee, deal_new_steps
from page.pages import Visitor
from samples import LONG
from server.houses import Running, running
from training.every_step import ORDERS, possible_steps

TABLES = [
    ("uth-ma", "manual"), ("uth-sd", "device"), ("shootout-sd", "manual"), ("uth-card", "device"),
    ("uth-ma", "device"), ("uth-sd", "manual"), ("uth-proc", "device"), ("uth-card", "manual"),
]  # fmt: skip
DAILY = 2
"""The number of tables whose rounds are dealt in a daily run: every table in four days."""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def todays(tables: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the tables at which rounds are dealt in this run: all of them, or today's in a daily run."""
    first = date.today().toordinal() * DAILY % len(tables)
    return tables if LONG else [tables[(first + n) % len(tables)] for n in range(DAILY)]


@pytest.mark.parametrize(("rulebook", "mode"), todays(TABLES))
def test_every_step_is_done_by_hand_and_a_round_dealt_as_the_document_says_has_no_slips(
    house: Running, visit: Callable[..., Visitor], rulebook: str, mode: str
) -> None:
    visitor = visit(house.url, f"dealer {rulebook} {mode}"[:24], reduced_motion="reduce")
    driver = ChairDriver(house, visitor, rulebook=rulebook, mode=mode, seats=2, rounds=1, seed="3")
    trainee = StepTrainee(driver)
    acts = trainee.deal_round()
    judgement = driver.hosted.session.judgements[0]
    assert judgement.slips == ()
    assert len([one for one in judgement.verdicts if one.kind == "right"]) >= acts
    expect(visitor.page.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    expect(visitor.page.get_by_text("Every act is right.")).to_be_visible()
    # Rarer steps come in other sessions. Whatever has been done by hand is sent over HTTP there.
    steps = trainee.steps
    for order in ORDERS[rulebook, mode]:
        more = {name: value for name, value in order.items() if name != "void"}
        driver = ChairDriver(house, visitor, rulebook=rulebook, mode=mode, **more)
        steps |= deal_new_steps(driver, steps, void=order.get("void", False))
        slips = [slip for judgement in driver.hosted.session.judgements for slip in judgement.slips]
        assert all(order.get("void") for _ in slips), slips
    assert steps == possible_steps(driver.table)
