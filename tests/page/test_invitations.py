"""The floor gives roles by links: only the first person to open a link gets the role."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import SeededEntropy
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("invitations")) as server:
        yield server


def menu(visitor: Visitor) -> Locator:
    """Open the menu, which is in the panel on a phone."""
    narrow = (visitor.page.viewport_size or WIDE)["width"] < 600
    button = visitor.page.locator(".panel-button" if narrow else ".menu-button")
    button.click()
    return visitor.page.locator(".panel-menu" if narrow else "#menu")


def link(visitor: Visitor, words: str, title: str) -> str:
    """Press a menu entry and return the link shown."""
    menu(visitor).get_by_role("button", name=words).click()
    box = visitor.page.get_by_role("dialog", name=title)
    expect(box).to_contain_text("The link works once, for the first person who opens it.")
    address = box.get_by_role("textbox", name="Link").input_value()
    assert address.startswith(f"{visitor.url}/join/")
    return address


@pytest.mark.parametrize(
    ("words", "title", "view", "role", "heading"),
    [
        ("Invite a dealer", "An invitation to deal", WIDE, "dealer", "You are the dealer"),
        (
            "Invite a floor supervisor",
            "An invitation to be a floor supervisor",
            PHONE,
            "floor",
            "You are the floor supervisor",
        ),
        (
            "Invite surveillance",
            "An invitation to watch as surveillance",
            WIDE,
            "surveillance",
            "You are watching as surveillance",
        ),
    ],
    ids=["dealer", "floor", "surveillance"],
)
def test_the_first_visitor_to_open_the_link_gets_the_role(
    house: Running,
    visit: Callable[..., Visitor],
    words: str,
    title: str,
    view: dict[str, int],
    role: str,
    heading: str,
) -> None:
    host = visit(house.url, "Host", view=view, permissions=["clipboard-read", "clipboard-write"])
    guest, late = visit(house.url), visit(house.url, "Late")
    table = host.open_table("uth-ma", dealer="person")
    host.go(f"/table/{table}")
    address = link(host, words, title)
    box = host.page.get_by_role("dialog", name=title)
    box.get_by_role("button", name="Copy").click()
    expect(box.get_by_role("button", name="Copied")).to_be_visible()
    assert host.page.evaluate("navigator.clipboard.readText()") == address
    box.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    # A new visitor enters a name and gets the role.
    guest.page.goto(address)
    guest.page.get_by_role("textbox", name="What should we call you?").fill("Guest")
    guest.page.get_by_role("textbox", name="What should we call you?").press("Enter")
    expect(guest.page.get_by_role("heading", name=heading)).to_be_visible()
    assert guest.get_json("/api/house")["you"]["roles"] == {table: [role]}
    late.page.goto(address)
    expect(late.page.get_by_text("this invitation has been used")).to_be_visible()
    late.complaints.clear()


def test_a_seated_player_who_opens_the_link_keeps_the_seat(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host, player = visit(house.url, "Host"), visit(house.url, "Player")
    table = host.open_table("uth-ma")
    player.sit(table, 3)
    host.go(f"/table/{table}")
    address = link(host, "Invite a floor supervisor", "An invitation to be a floor supervisor")
    player.page.goto(address)
    expect(player.ring("ante")).to_be_visible()
    expect(menu(player).get_by_role("button", name="Invite a floor supervisor")).to_be_visible()


def test_only_the_floor_invites_and_no_dealer_is_invited_if_the_dealer_is_automatic(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host, rail = visit(house.url, "Host"), visit(house.url, "Onlooker")
    entries = re.compile("^Invite ")
    table = host.open_table("uth-ma")
    host.go(f"/table/{table}")
    expect(menu(host).get_by_role("button", name=entries)).to_have_text(
        ["Invite a floor supervisor", "Invite surveillance"]
    )
    rail.go(f"/table/{table}")
    expect(menu(rail).get_by_role("button", name="Copy the table's link")).to_be_visible()
    expect(rail.page.locator("#menu").get_by_role("button", name=entries)).to_have_count(0)


def test_a_link_that_works_only_on_this_machine_says_so(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host = visit(house.url, "Host", permissions=["clipboard-read", "clipboard-write"])
    table = host.open_table("uth-ma")
    host.go(f"/table/{table}")
    menu(host).get_by_role("button", name="Copy the table's link").click()
    alone = "This link only works on this computer. To invite friends on your network, start the server with make run HOST=0.0.0.0"
    notice = host.page.locator(".play > hw-notice")
    expect(notice).to_contain_text(f"Link copied. {alone}")
    expect(notice).to_contain_text(f"{house.url}/table/{table}")
    assert host.page.evaluate("navigator.clipboard.readText()") == f"{house.url}/table/{table}"
    link(host, "Invite a floor supervisor", "An invitation to be a floor supervisor")
    expect(host.page.get_by_role("dialog")).to_contain_text(alone)
    host.go("/")
    expect(host.page.get_by_role("form", name="Open a table")).to_contain_text(alone)


def test_the_floor_revokes_a_role(house: Running, visit: Callable[..., Visitor]) -> None:
    host, guest = visit(house.url, "Host"), visit(house.url, "Guest")
    table = host.open_table("uth-ma", dealer="person")
    house.run(house.serving.people.give("Guest", table, "surveillance"))
    guest.go(f"/table/{table}?as=surveillance")
    expect(guest.page.get_by_role("heading", name="You are watching as surveillance")).to_be_visible()
    host.go(f"/table/{table}")
    menu(host).get_by_role("button", name="Roles at this table").click()
    box = host.page.get_by_role("dialog", name="Roles at this table")
    expect(box.get_by_role("listitem")).to_have_count(3)
    box.get_by_role("button", name="Revoke Guest's role surveillance").click()
    expect(box.get_by_role("listitem")).to_have_count(2)
    expect(guest.page.get_by_text("you no longer have the surveillance role here").first).to_be_visible()
    guest.complaints.clear()


def test_a_recovery_link_moves_a_person_to_another_device(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    laptop, phone, thief = visit(house.url, "Ann"), visit(house.url, view=PHONE), visit(house.url)
    laptop.go("/")
    laptop.page.get_by_role("button", name="Move to another device").click()
    address = laptop.page.get_by_role("textbox", name="Recovery link").input_value()
    phone.page.goto(address)
    phone.page.get_by_role("button", name="Sign in").click()
    expect(phone.page.get_by_text("You are signed in as Ann.")).to_be_visible()
    assert phone.get_json("/api/house")["you"]["handle"] == "Ann"
    assert laptop.get_json("/api/house")["you"] is None
    thief.page.goto(address)
    thief.page.get_by_role("button", name="Sign in").click()
    expect(thief.page.get_by_text("this recovery link has been used")).to_be_visible()
    for visitor in (laptop, phone, thief):
        visitor.complaints.clear()
