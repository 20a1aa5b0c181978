"""From the lobby to a seat: what is pressed says what it does, and does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.shoe import Seeded
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=Seeded("lobby")) as found:
        yield found


def at_a_table(one: Visitor) -> str:
    """The table whose address the page has."""
    expect(one.page).to_have_url(re.compile(r"/table/[^/]+$"))
    return one.page.url.rpartition("/")[2]


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_who_opens_a_table_sits_at_it_and_may_watch_instead(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    one = visit(house.url, "Opener", view=view)
    one.go("/")
    form = one.page.get_by_role("form", name="Open a table")
    expect(form).to_contain_text("You will get a seat, and you can switch to watching.")
    form.get_by_role("button", name="Open the table").click()
    expect(one.page.get_by_role("group", name=re.compile(r"Your place, seat \d"))).to_be_attached()
    expect(one.ring("ante")).to_be_visible()
    table = at_a_table(one)
    (card,) = one.asked("/api/tables")["tables"]
    assert card["table"] == table
    assert [seat["player"] for seat in card["seats"] if seat.get("kind") == "person"] == ["Opener"]
    one.button("Watch instead").click()
    expect(one.page.get_by_text("You are watching.")).to_be_visible()
    expect(one.page.get_by_role("group", name="Your place")).to_have_count(0)
    # And back again, by a press on a free seat.
    seat = next(seat["seat"] for seat in card["seats"] if seat.get("kind") == "person")
    expect(one.free(seat)).to_be_visible()
    one.free(seat).click()
    expect(one.ring("ante")).to_be_visible()


def test_who_opens_a_table_for_a_dealer_comes_to_the_chair(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Chair")
    one.go("/")
    form = one.page.get_by_role("form", name="Open a table")
    form.get_by_role("button", name="a person").click()
    expect(form).to_contain_text("You will be the dealer.")
    form.get_by_role("button", name="Open the table").click()
    expect(one.page.get_by_role("tab", name="Your role")).to_be_visible()


def test_a_seat_with_bots_is_never_at_a_stranger_s_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host = visit(house.url, "Stranger")
    theirs = host.open_table("uth-ma", bots=[{"style": "random"}] * 3)
    one = visit(house.url, "Newcomer")
    one.go("/")
    expect(one.page.get_by_text("table under Massachusetts rules")).to_be_visible()
    press = one.button("Sit down with three bots")
    press.click()
    expect(one.ring("ante")).to_be_visible()
    own = at_a_table(one)
    assert own != theirs
    cards = {card["table"]: card["seats"] for card in one.asked("/api/tables")["tables"]}
    assert [seat.get("kind") for seat in cards[own] if seat.get("kind")].count("bot") == 3
    assert [seat["player"] for seat in cards[own] if seat.get("kind") == "person"] == ["Newcomer"]
    assert all(seat.get("kind") != "person" for seat in cards[theirs])
    # Pressed again it leads back to the same table: nobody else has sat down there.
    one.go("/")
    press.click()
    expect(one.ring("ante")).to_be_visible()
    assert at_a_table(one) == own


def test_the_sentence_about_play_chips_is_the_house_s(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url)
    one.go("/")
    says = one.asked("/api/house")
    expect(one.page.locator(".chips-only")).to_have_text(says["notice"])
    # And of nobody else: the page has no copy of it.
    told = re.compile("/api/house$")
    one.page.route(told, lambda route: route.fulfill(json={**says, "notice": "Peas only."}))
    one.go("/")
    expect(one.page.locator(".chips-only")).to_have_text("Peas only.")


def test_the_steps_are_those_of_the_rulebook_chosen(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url)
    one.go("/")
    told = one.page.get_by_role("region", name="The game in steps")
    one.button("The game in seven steps").click()
    expect(told).to_contain_text("Before the flop, make a play bet of 4 or 3 times the ante")
    expect(told).to_contain_text("Cover All is an optional wager on the highest hand at the table")
    # Chosen among the tables or in the form, it is another game.
    one.button("Texas Shootout").click()
    form = one.page.get_by_role("form", name="Open a table")
    expect(form.get_by_role("combobox", name="Rulebook")).to_have_value("shootout-sd")
    expect(one.button("Texas Shootout in six steps")).to_be_visible()
    for words in (
        "Keep two of your four cards",
        "With two pair or four of a kind you may split instead: two hands, each with its own primary wager.",
        "The dealer keeps two of four by a fixed rule, the house way, and never splits.",
        "Then the community cards are dealt, five at once.",
        "primary wager 1 to 1, and a tie loses",
    ):
        expect(told).to_contain_text(words)
    expect(told).not_to_contain_text("Cover All")
    form.get_by_role("combobox", name="Rulebook").select_option("uth-card")
    expect(told).to_contain_text("After the river, make a play bet equal to the ante, or fold.")
    expect(told).not_to_contain_text("Cover All")


def test_the_lobby_says_with_how_many_chips_one_sits_down(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url)
    says = one.asked("/api/house")
    one.page.route(re.compile("/api/house$"), lambda route: route.fulfill(json={**says, "chips": 77_700}))
    one.go("/")
    expect(one.page.get_by_text("You sit down with $777 in play chips.")).to_be_visible()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("press", ["Sit down with three bots", "Sit down at Last", "Open the table"])
def test_a_newcomer_sees_at_once_where_the_name_is_asked(
    house: Running, visit: Callable[..., Visitor], press: str, view: dict[str, int]
) -> None:
    host, one = visit(house.url, "Host"), visit(house.url, view=view)
    for name in ("Charles", "Lead", "Last"):
        host.open_table("uth-ma", name=name)
    one.go("/")
    one.button(press).click()
    field = one.page.get_by_role("textbox", name="What should we call you?")
    expect(field).to_be_focused()
    box = field.bounding_box()
    assert box is not None
    assert view["height"] / 10 < box["y"] < view["height"] * 3 / 4
    one.page.keyboard.type("Newcomer")
    one.page.keyboard.press("Enter")
    expect(one.ring("ante")).to_be_visible()


def test_a_table_says_who_sits_there(house: Running, visit: Callable[..., Visitor]) -> None:
    host, guest = visit(house.url, "Host"), visit(house.url)
    table = host.open_table("uth-ma", name="Charles", bots=[{"style": "random"}] * 2)
    host.open_table("uth-sd", name="Lead")
    host.take_seat(table, 3)
    guest.go("/")
    listed = guest.page.get_by_role("listitem")
    expect(listed.filter(has_text="Table Charles")).to_contain_text("with Host and two bots")
    expect(listed.filter(has_text="Table Lead")).to_contain_text("no players yet")
    # Who chooses a table with people sits with them.
    guest.button("Sit down at Charles").click()
    guest.page.get_by_role("textbox", name="What should we call you?").fill("Guest")
    listed.get_by_role("button", name="Sit down", exact=True).click()
    expect(host.seats()).to_contain_text("Guest")


def test_a_bot_is_seated_and_sent_away_from_the_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Host")
    table = one.open_table("uth-card", bots=[])
    one.sit(table, 3)
    one.button("Seat a bot").click()
    bot = one.page.locator(".pod").filter(has_text="bot")
    expect(bot).to_have_count(1)
    one.button("Table menu").click()
    one.button(re.compile("^Remove ")).click()
    expect(bot).to_have_count(0)
    assert [
        seat["seat"] for seat in one.asked(f"/api/tables/{table}")["card"]["seats"] if seat.get("player")
    ] == [3]


def test_a_bot_that_has_wagered_is_sent_away_after_the_round(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Host")
    table = one.open_table("uth-card", bots=[{"style": "random", "seat": 5}])
    one.sit(table, 3)
    one.bet("ante")
    one.ready()
    one.rush()
    one.button("Table menu").click()
    one.button(re.compile("^Remove ")).click()
    expect(one.seat(5)).to_contain_text("leaves after this round")
    one.finish()
    one.over().click()
    expect(one.page.locator(".pod").filter(has_text="bot")).to_have_count(0)


def test_who_has_too_few_chips_for_a_play_is_told_before_the_cards(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Short")
    table = one.open_table("uth-ma", bots=[], limits={"ante": {"min": "5", "max": "300"}})
    one.sit(table, 3)
    one.page.get_by_role("radio", name="$100", exact=True).click()
    one.ring("ante").click()
    expect(one.page.get_by_text("A 4× play would add $400.00.")).to_be_visible()
    one.ring("ante").click()
    expect(one.page.get_by_text("You do not have the $800.00 for a 4× play.")).to_be_visible()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_who_leaves_a_table_comes_to_the_lobby_and_is_told_with_what(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    one = visit(house.url, "Leaver", view=view)
    table = one.open_table("uth-ma", name="Charles")
    one.sit(table, 3)
    expect(one.page.locator(".bankroll")).to_contain_text("$1,000.00")
    one.page.locator(".panel-button" if view is PHONE else ".menu-button").click()
    entries = one.page.locator(".panel-goings" if view is PHONE else "#menu")
    entries.get_by_role("button", name="Leave the table").click()
    said = one.page.get_by_role("status").filter(has_text="You left Table Charles")
    expect(said).to_contain_text("You left Table Charles with $1,000.00 in play chips.")
    expect(said).to_be_focused()
    expect(one.page).to_have_url(f"{house.url}/")
    expect(one.page.locator(".bankroll")).not_to_contain_text("$")
    assert all("player" not in seat for seat in one.asked(f"/api/tables/{table}")["card"]["seats"])
    # It is told once.
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
