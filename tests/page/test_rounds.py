"""Whole rounds through the page, under every rulebook, and what the record says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.audit.entries import read_entry
from houseway.engine import events as e
from houseway.rules.loading import load, rulebook_ids
from houseway.rules.options import SHOOTOUT
from houseway.shoe import Seeded
from page.pages import Visitor
from server.houses import Running, running


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(entropy=Seeded("page")) as found:
        yield found


def settled(house: Running, table: str, seat: int) -> list[e.WagerSettled]:
    """The wagers of a seat as the record has them."""
    events = (event for stored in house.serving.store.entries(table) for event in read_entry(stored).events)
    return [event for event in events if isinstance(event, e.WagerSettled) and event.seat == seat]


def dollars(cents: int) -> str:
    """An amount as the page writes it."""
    return f"{'−' if cents < 0 else '+' if cents else ''}${abs(cents) / 100:,.2f}"


def play(one: Visitor, table: str, *, shootout: bool) -> list[str]:
    """A round from the first chip to the last line, everything wagered; the wagers."""
    expect(one.rings().first).to_be_visible()
    wagers = [ring.get_attribute("data-wager") or "" for ring in one.rings().all()]
    one.bet(*wagers)
    one.ready()
    if shootout:
        expect(one.choices().first).to_be_visible()
        for card in one.page.get_by_role("group", name="Your place").locator("button.pick").all()[:2]:
            card.click()
    one.finish("Check", "Play 1×")
    return wagers


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_round_is_played_and_every_amount_has_its_reason(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    one = visit(house.url, f"one {rulebook}")
    table = one.open_table(rulebook)
    one.sit(table, 3)
    wagers = play(one, table, shootout=load(rulebook).game == SHOOTOUT)
    on_record = settled(house, table, 3)
    assert set(wagers) <= {event.wager for event in on_record}
    shown = one.lines()
    assert [(amount, clause) for _, amount, _, clause in shown] == [
        (dollars(event.back - event.stake), event.clause) for event in on_record
    ]
    for (wager, _, why, _), event in zip(shown, on_record, strict=True):
        assert wager.lower().startswith(event.wager.replace("_", " "))
        assert why
        assert not event.odds or event.odds in why
    _clause_is_read(one, shown[0][3])


def _clause_is_read(one: Visitor, clause: str) -> None:
    """Open a clause from its line, read it, close it again."""
    tag = one.page.get_by_role("region", name="Settlement").get_by_role("button", name=f"Clause {clause}").first
    tag.click()
    paper = one.page.get_by_role("region", name=f"Clause {clause}")
    says = one.asked(f"/api/clauses/{clause}")["says"]
    expect(paper).to_contain_text(says)
    one.button("Close the clause").click()
    expect(paper).to_have_count(0)
    expect(tag).to_be_focused()
