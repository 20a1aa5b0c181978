"""A table that does not continue: everyone sees why, the floor refunds the round or removes a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.engine import events as e
from page.houses import scripted, state_of
from page.pages import Visitor
from page.test_invitations import menu
from page.test_reports import BOARD, DEALER, OWN, Staffed, form, recorded
from server.houses import Running, running


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        yield server


def test_everyone_sees_that_a_table_is_stalled_until_the_floor_refunds_the_round(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    at = Staffed(house, visit, "stalled")
    runner = house.serving.hall.tables[at.table]

    async def stall() -> None:
        runner.stall.note("the table cannot continue: a hand has too few cards")
        runner._send_all()

    lines = [visitor.page.locator(".stalled") for visitor in (at.floor, at.dealer, at.player)]
    for line in lines:
        expect(line).to_have_count(0)
    house.run(stall())
    for line in lines:
        expect(line).to_be_visible()
        expect(line).to_have_role("status")
        expect(line).to_contain_text("The table cannot continue: a hand has too few cards.")
    expect(lines[0]).to_contain_text("Refund the round with “Ruling…”.")
    for line in lines[1:]:
        expect(line).to_contain_text("the round will be void and every wager returned")
    ruling = form(at.floor, "Ruling…", "Make a ruling")
    ruling.get_by_label("Effect").select_option("refund round")
    ruling.get_by_label("Reason").fill("a hand has too few cards")
    ruling.get_by_role("button", name="Make the ruling").click()
    (made,) = recorded(house, at.table, e.RulingMade)
    assert (made.effect, made.name) == ("refund round", "Floor stalled")
    for line in lines:
        expect(line).to_have_count(0)
    expect(at.player.page.locator("hw-notice")).to_contain_text("Ante and blind returned: $10.00.")


def test_the_floor_removes_a_player_who_holds_up_the_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    floor, quick, slow = (visit(house.url, handle) for handle in ("Flo", "Quick", "Slow"))
    table = floor.open_table("uth-ma")
    quick.sit(table, 3)
    slow.sit(table, 5)
    floor.go(f"/table/{table}?as=floor")
    entry = "Remove Slow for holding up the table"
    quick.bet("ante")
    quick.ready()
    menu(floor).get_by_role("button", name=entry).click()
    (removed,) = recorded(house, table, e.PlayerRemoved)
    assert (removed.seat, removed.name, removed.reason) == (5, "Flo", "holds up the table")
    # The round continues without the player, whose page shows that the seat is free.
    expect(quick.choices().first).to_be_visible()
    assert set(state_of(house, table).seats) == {3}
    expect(slow.page.get_by_role("group", name="Your place, seat 5")).to_have_count(0)
    expect(slow.free(5)).to_be_visible()
    # Neither players nor spectators have this entry.
    for other in (quick, slow):
        expect(menu(other).get_by_role("button", name="Copy the table's link")).to_be_visible()
        expect(other.page.get_by_role("button", name="for holding up the table")).to_have_count(0)
