"""Reports and rulings from the bar: the dealer reports an irregularity, the floor supervisor rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from houseway.audit.entries import read_entry
from houseway.engine import events as e
from page.houses import scripted
from page.pages import PATIENCE, PHONE, WIDE, Visitor
from server.houses import Running, running

BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        yield server


def recorded(house: Running, table: str, kind: type[e.Event]) -> list[Any]:
    """The recorded events of a kind; waits until there is one."""
    until = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < until:
        entries = map(read_entry, house.serving.store.entries(table))
        if listed := [event for entry in entries for event in entry.events if isinstance(event, kind)]:
            return listed
        time.sleep(0.05)
    raise AssertionError(f"{kind.__name__} is not recorded")


class Staffed:
    """A table under the Massachusetts rules with a dealer, a floor supervisor, and a player who must decide."""

    def __init__(self, house: Running, visit: Callable[..., Visitor], name: str, view: Any = WIDE) -> None:
        self.dealer, self.player, self.floor = (
            visit(house.url, f"{role} {name}", view=view if role == "Dealer" else WIDE)
            for role in ("Dealer", "Player", "Floor")
        )
        self.table = self.dealer.open_table("uth-ma", dealer="person")
        house.run(house.serving.people.give(f"Floor {name}", self.table, "floor"))
        self.player.sit(self.table, 3)
        self.deal(house, "bets")
        self.player.bet("ante")
        self.player.ready()
        self.deal(house, "decision")
        self.dealer.go(f"/table/{self.table}?as=dealer")
        self.floor.go(f"/table/{self.table}?as=floor")

    def deal(self, house: Running, until: str) -> None:
        """Act for the dealer and the floor over HTTP until the table waits for `until`."""
        runner = house.serving.hall.tables[self.table]
        staff = {"dealer": self.dealer, "floor": self.floor}
        stop = time.monotonic() + PATIENCE / 1000
        while (why := runner.waits().why) != until:
            assert time.monotonic() < stop, f"{until!r} does not come; the table waits for {why!r}"
            if why in staff:
                staff[why].act(self.table, runner.view(why).yours.choices[0].command)
            else:
                # The page sends the player's wagers and "ready" in the background.
                self.player.page.wait_for_timeout(20)


def form(visitor: Visitor, button: str, title: str) -> Locator:
    """Open a form from the bar with the keyboard."""
    visitor.page.get_by_role("button", name=button).focus()
    visitor.page.keyboard.press("Enter")
    dialog = visitor.page.get_by_role("dialog", name=title)
    expect(dialog).to_be_visible()
    return dialog


@pytest.mark.clause("MA-14.a-a")
@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_dealer_reports_an_exposed_card_and_the_round_is_void(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    at = Staffed(house, visit, f"void {view['width']}", view)
    report = form(at.dealer, "Report…", "Report an irregularity")
    kinds = report.get_by_label("Irregularity")
    assert "a card that should be hidden is exposed" in kinds.inner_text()
    # The form offers the irregularities and the places of the rulebook and of the round, never a card.
    assert not any(card in report.inner_text() for card in (*OWN.split(), *DEALER.split()))
    kinds.select_option("exposed card")
    report.get_by_label("Place").select_option("dealer")
    report.get_by_label("Card, in the order dealt").select_option("1")
    report.get_by_role("button", name="Report", exact=True).focus()
    at.dealer.page.keyboard.press("Enter")
    expect(report).to_be_hidden()
    (exposed,) = recorded(house, at.table, e.CardExposed)
    assert (exposed.at, str(exposed.face[0])) == ("dealer", DEALER.split()[0])
    assert recorded(house, at.table, e.RoundVoided)[0].clause == "MA-14.a-a"
    for visitor in (at.dealer, at.player):
        notice = visitor.page.locator("hw-notice")
        expect(notice).to_contain_text("is void")
        expect(notice).to_contain_text("MA-14.a-a")
    expect(at.player.page.locator("hw-notice")).to_contain_text("Ante and blind returned: $10.00.")


def test_a_report_that_is_refused_is_shown(house: Running, visit: Callable[..., Visitor]) -> None:
    at = Staffed(house, visit, "refused")
    report = form(at.dealer, "Report…", "Report an irregularity")
    report.get_by_label("Irregularity").select_option("wrong number")
    report.get_by_label("Place").select_option("seat 3")
    report.get_by_role("button", name="Report", exact=True).click()
    notice = at.dealer.page.locator("hw-notice")
    expect(notice).to_contain_text("seat 3 has the right number of cards so far")
    expect(at.dealer.page.locator("[aria-live=assertive]").first).to_contain_text(
        "the right number of cards"
    )


def test_the_floor_makes_a_ruling(house: Running, visit: Callable[..., Visitor]) -> None:
    at = Staffed(house, visit, "ruling")
    expect(at.dealer.page.get_by_role("button", name="Ruling…")).to_have_count(0)
    ruling = form(at.floor, "Ruling…", "Make a ruling")
    ruling.get_by_label("Effect").select_option("correct payment")
    ruling.get_by_label("Seat").select_option("3")
    ruling.get_by_label("Wager").select_option("ante")
    ruling.get_by_label("Amount in dollars").fill("2.50")
    ruling.get_by_role("button", name="Make the ruling").click()
    expect(at.floor.page.locator("hw-notice")).to_contain_text("the ruling has no reason; give one")
    ruling = form(at.floor, "Ruling…", "Make a ruling")
    ruling.get_by_label("Reason").fill("a spilled drink")
    at.floor.page.keyboard.press("Enter")
    (made,) = recorded(house, at.table, e.RulingMade)
    assert (made.effect, made.seat, made.wager, made.amount) == ("correct payment", 3, "ante", 250)
    assert (made.name, made.reason) == ("Floor ruling", "a spilled drink")
    assert recorded(house, at.table, e.PaymentCorrected)[0].amount == 250
