"""Roles without a seat: a person deals a full round with the bar's buttons, the floor and the rail watch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from page.houses import scripted, settled
from page.pages import PATIENCE, PHONE, WIDE, Visitor
from server.houses import Running, running

BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"
MOST_ACTS = 60
"""A number of acts that no round exceeds."""
OUTSIDE = """(found) => found.map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, { left, right, bottom }]) => left < 0 || right > innerWidth || bottom > innerHeight)
  .map(([text]) => text)"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        yield server


def at(house: Running, table: str) -> Any:
    return house.serving.hall.tables[table]


def press_first(visitor: Visitor, house: Running, table: str) -> str:
    """Press the bar's first button once it is enabled, wait for the table, and return the label."""
    before = at(house, table).seq
    first = visitor.choices().first
    expect(first).to_have_attribute("aria-disabled", "false")
    label = first.locator("strong").inner_text()
    first.click()
    until = time.monotonic() + PATIENCE / 1000
    while at(house, table).seq == before:
        assert time.monotonic() < until, f"{label}: the table does not continue"
        visitor.page.wait_for_timeout(20)
    return label


def deal(
    dealer: Visitor, player: Visitor, house: Running, table: str, until: str, floor: Visitor | None = None
) -> list[str]:
    """Act for the dealer and the floor until the table waits for `until`, and return the acts."""
    done: list[str] = []
    while (why := at(house, table).waits().why) != until:
        assert len(done) < MOST_ACTS, f"{until!r} does not come: {done}"
        if why == "decision":
            player.rush()
            player.answer("Check", "Play 1×")
        elif why == "floor" and floor is not None:
            done.append(press_first(floor, house, table))
        else:
            done.append(press_first(dealer, house, table))
    return done


def test_a_person_deals_a_full_round_on_the_page(house: Running, visit: Callable[..., Visitor]) -> None:
    # Until the cards are dealt, the dealer's window is wide; then it is as small as a phone.
    dealer, player = visit(house.url, "Dora", view=WIDE), visit(house.url, "Paul")
    table = dealer.open_table("uth-ma", dealer="person")
    player.sit(table, 3)
    dealer.go(f"/table/{table}?as=dealer")
    expect(dealer.choices().first).to_be_visible()
    expect(player.page.get_by_text("Waiting for the dealer")).to_be_visible()
    # Another person verifies the deck that the dealer inspected.
    floor = visit(house.url, "Flora", view=PHONE)
    house.run(house.serving.people.give("Flora", table, "floor"))
    floor.go(f"/table/{table}?as=floor")
    assert "Verify the deck" in deal(dealer, player, house, table, until="bets", floor=floor)
    player.bet("ante", "trips")
    player.ready()
    # The dealer sees the wagers as amounts, and the script's next line with its clause.
    for _ in dealer.resized([WIDE, PHONE]):
        for wager in ("Ante", "Blind", "Trips"):
            expect(dealer.seat(3).locator(".figure").filter(has_text=wager)).to_have_text(f"{wager} $5")
            expect(dealer.seat(3).locator(".figure").filter(has_text=wager)).to_be_visible()
        expect(dealer.page.locator("hw-script")).to_contain_text("No more bets")
        expect(dealer.choices().first).to_contain_text("MA-8.b.2")
    done = deal(dealer, player, house, table, until="next")
    assert "Announce no more bets" in done
    assert "Turn up the dealer's cards" in done
    assert done[-1] == "Close the round"
    assert {event.wager for event in settled(house, table, 3)} == {"ante", "blind", "play", "trips"}
    # Ante, blind and play each pay 1 to 1, and trips pays 5 to 1.
    for _ in dealer.resized([WIDE, PHONE]):
        expect(dealer.seat(3)).to_contain_text("+$40.00")
        dealer.still()
        assert (
            dealer.page.locator(".pod .who, .bar .choice, .bar .waits, .house hw-card").evaluate_all(
                OUTSIDE
            )
            == []
        )
        assert dealer.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.clause("MA-4.c", "MA-4.c.1.ii", "MA-4.d")
def test_the_dealer_types_how_many_cards_to_cut_and_is_named(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    dealer, player = visit(house.url, "Cutter", view=PHONE), visit(house.url, "Cut")
    settings = {"auto_approve": True}
    table = dealer.open_table("uth-ma", dealer="person", mode="manual", house=settings)
    player.sit(table, 3)
    dealer.go(f"/table/{table}?as=dealer")
    number = dealer.page.get_by_label("Number of cards")

    def cut(typed: str) -> None:
        for _ in range(MOST_ACTS):
            expect(dealer.choices().first).to_have_attribute("aria-disabled", "false")
            if "Cut the cards" in dealer.choices().first.inner_text():
                break
            expect(number).to_have_count(0)
            press_first(dealer, house, table)
        number.fill(typed)

    cut("9")
    dealer.choices().first.click()
    expect(dealer.page.get_by_text("9 cards is not a legal cut; cut 10 to 51 cards").first).to_be_visible()
    cut("20")
    press_first(dealer, house, table)
    expect(number).to_have_count(0)
    # The floor supervisor has the cards cut again, and the dealer's window is now wide.
    dealer.resize(WIDE)
    floor = visit(house.url, "Recutter", view=PHONE)
    house.run(house.serving.people.give("Recutter", table, "floor"))
    floor.go(f"/table/{table}?as=floor")
    floor.page.get_by_role("button", name="Order a recut").click()
    expect(dealer.choices().first).to_contain_text("Cut the cards")
    cut("30")
    press_first(dealer, house, table)
    events = [event for _, event in recorded_events(at(house, table).live)]
    cuts = [(event.count, event.by) for event in events if isinstance(event, e.DeckCut)]
    assert cuts == [(20, "Cutter"), (30, "Cutter")]
    assert [event.name for event in events if isinstance(event, e.RecutOrdered)] == ["Recutter"]
    for _ in dealer.resized([WIDE, PHONE]):
        assert dealer.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_each_role_sees_its_name_and_its_tasks(house: Running, visit: Callable[..., Visitor]) -> None:
    host, rail = visit(house.url, "Chairs"), visit(house.url, "Onlooker")
    table = host.open_table("uth-ma", dealer="person")
    host.go(f"/table/{table}?as=dealer")
    chair = host.page.get_by_role("region", name="Your role")
    expect(chair.get_by_role("heading", name="You are the dealer")).to_be_visible()
    expect(chair).to_contain_text("Next step")
    # Only seats have a coach.
    expect(host.page.get_by_role("tab")).to_have_text(["Your role", "Payouts", "Rounds"])
    host.go(f"/table/{table}?as=floor")
    expect(chair.get_by_role("heading", name="You are the floor supervisor")).to_be_visible()
    expect(chair).to_contain_text("Nothing to do right now.")
    expect(chair).to_contain_text("deck A, red back")
    rail.go(f"/table/{table}")
    expect(rail.page.locator(".corner .role")).to_have_text("You are watching")
    expect(rail.page.get_by_role("tab")).to_have_text(["Payouts", "Rounds"])


def test_surveillance_and_the_floor_follow_a_round_on_the_page(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    floor, eye, player = (visit(house.url, name) for name in ("Pit", "Eye", "Watched"))
    table = floor.open_table("uth-ma")
    floor.go(f"/table/{table}?as=floor")
    request = {"table": table, "role": "surveillance"}
    invitation = floor.context.request.post(f"{house.url}/api/invitations", data=request).json()
    eye.context.request.post(
        f"{house.url}/api/invitations/accept", data={"invitation": invitation["invitation"]}
    )
    eye.go(f"/table/{table}?as=surveillance")
    for visitor in (floor, eye):
        expect(visitor.page.get_by_role("region", name="Your role")).to_be_visible()
    player.sit(table, 3)
    player.bet("ante")
    player.ready()
    player.finish("Check", "Play 1×")
    for visitor in (floor, eye):
        log = visitor.page.locator(".panel .log")
        expect(log).to_contain_text("Watched checks")
        expect(log).to_contain_text("Flop: ")
    # Ante, blind and play, each $5, paid from the house's funds.
    expect(eye.page.get_by_role("region", name="Your role")).to_contain_text("−$50,015.00")
