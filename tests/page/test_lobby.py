"""From the lobby to a seat: every button does what its label says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.shoe import SeededEntropy
from page.pages import PHONE, WIDE, Visitor
from server.houses import Running, running


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("lobby")) as server:
        yield server


def at_a_table(visitor: Visitor) -> str:
    """Return the table in the page's address."""
    expect(visitor.page).to_have_url(re.compile(r"/table/[^/]+$"))
    return visitor.page.url.rpartition("/")[2]


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_visitor_who_opens_a_table_sits_at_it_and_may_watch_instead(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    visitor = visit(house.url, "Opener", view=view)
    visitor.go("/")
    form = visitor.page.get_by_role("form", name="Open a table")
    expect(form).to_contain_text("You will get a seat, and you can switch to watching.")
    form.get_by_role("button", name="Open the table").click()
    expect(visitor.page.get_by_role("group", name=re.compile(r"Your place, seat \d"))).to_be_attached()
    expect(visitor.ring("ante")).to_be_visible()
    table = at_a_table(visitor)
    (card,) = visitor.get_json("/api/tables")["tables"]
    assert card["table"] == table
    assert [seat["player"] for seat in card["seats"] if seat.get("kind") == "person"] == ["Opener"]
    visitor.button("Watch instead").click()
    expect(visitor.page.get_by_text("You are watching.")).to_be_visible()
    expect(visitor.page.get_by_role("group", name="Your place")).to_have_count(0)
    # A press on a free seat leads back.
    seat = next(seat["seat"] for seat in card["seats"] if seat.get("kind") == "person")
    expect(visitor.free(seat)).to_be_visible()
    visitor.free(seat).click()
    expect(visitor.ring("ante")).to_be_visible()


def test_a_visitor_who_opens_a_table_for_a_dealer_becomes_the_dealer(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Chair")
    visitor.go("/")
    form = visitor.page.get_by_role("form", name="Open a table")
    form.get_by_role("button", name="a person").click()
    expect(form).to_contain_text("You will be the dealer.")
    form.get_by_role("button", name="Open the table").click()
    expect(visitor.page.get_by_role("tab", name="Your role")).to_be_visible()


def test_the_button_to_sit_with_bots_never_leads_to_another_visitors_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host = visit(house.url, "Stranger")
    theirs = host.open_table("uth-ma", bots=[{"style": "random"}] * 3)
    visitor = visit(house.url, "Newcomer")
    visitor.go("/")
    expect(visitor.page.get_by_text("table under Massachusetts rules")).to_be_visible()
    press = visitor.button("Sit down with three bots")
    press.click()
    expect(visitor.ring("ante")).to_be_visible()
    own = at_a_table(visitor)
    assert own != theirs
    cards = {card["table"]: card["seats"] for card in visitor.get_json("/api/tables")["tables"]}
    assert [seat.get("kind") for seat in cards[own] if seat.get("kind")].count("bot") == 3
    assert [seat["player"] for seat in cards[own] if seat.get("kind") == "person"] == ["Newcomer"]
    assert all(seat.get("kind") != "person" for seat in cards[theirs])
    # A second press leads back to the same table; no other player has sat down there.
    visitor.go("/")
    press.click()
    expect(visitor.ring("ante")).to_be_visible()
    assert at_a_table(visitor) == own


def test_the_page_shows_the_servers_sentence_about_play_chips(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    visitor.go("/")
    says = visitor.get_json("/api/house")
    expect(visitor.page.locator(".chips-only")).to_have_text(says["notice"])
    # The page has no copy of the sentence.
    address = re.compile("/api/house$")
    visitor.page.route(address, lambda route: route.fulfill(json={**says, "notice": "Peas only."}))
    visitor.go("/")
    expect(visitor.page.locator(".chips-only")).to_have_text("Peas only.")


def test_the_steps_match_the_chosen_rulebook(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url)
    visitor.go("/")
    steps = visitor.page.get_by_role("region", name="The game in steps")
    visitor.button("The game in eight steps").click()
    expect(steps).to_contain_text(
        "Trips pays on your own hand (three of a kind or better), whatever the dealer has."
    )
    expect(steps).to_contain_text("You and the dealer get two cards each, face down.")
    expect(steps).to_contain_text(
        "five community cards, the board: first three (the flop), then two (the turn and river)."
    )
    expect(steps).to_contain_text("Before the flop, make a play bet of 4 or 3 times the ante")
    expect(steps).to_contain_text("After the flop, make a play bet of twice the ante")
    expect(steps).to_contain_text("The better five-card hand wins. The ante and play pay 1 to 1.")
    expect(steps).to_contain_text("Cover All is an optional wager on the highest hand at the table")
    # Another game chosen in the list or in the form changes the steps.
    visitor.button("Texas Shootout").click()
    form = visitor.page.get_by_role("form", name="Open a table")
    expect(form.get_by_role("combobox", name="Rulebook")).to_have_value("shootout-sd")
    expect(visitor.button("Texas Shootout in six steps")).to_be_visible()
    for words in (
        "Shootout bonus pays on your own hand (straight or better), whatever the dealer has.",
        "Keep two of your four cards",
        "you may split them into two hands instead, each with its own primary wager.",
        "The dealer keeps two of four cards by a fixed rule, the house way, and never splits.",
        "Then the community cards, which all hands share, are dealt: five at once.",
        "The better five-card hand wins. The primary wager pays 1 to 1. A tie loses.",
    ):
        expect(steps).to_contain_text(words)
    expect(steps).not_to_contain_text("Cover All")
    form.get_by_role("combobox", name="Rulebook").select_option("uth-card")
    expect(steps).to_contain_text("After the river, make a play bet equal to the ante, or fold.")
    expect(steps).not_to_contain_text("Cover All")


def test_the_lobby_shows_the_starting_chips(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url)
    says = visitor.get_json("/api/house")
    visitor.page.route(
        re.compile("/api/house$"), lambda route: route.fulfill(json={**says, "chips": 77_700})
    )
    visitor.go("/")
    expect(visitor.page.get_by_text("You sit down with $777 in play chips.")).to_be_visible()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("press", ["Sit down with three bots", "Sit down at Last", "Open the table"])
def test_a_new_visitor_sees_the_name_field_at_once(
    house: Running, visit: Callable[..., Visitor], press: str, view: dict[str, int]
) -> None:
    host, visitor = visit(house.url, "Host"), visit(house.url, view=view)
    for name in ("Charles", "Lead", "Last"):
        host.open_table("uth-ma", name=name)
    visitor.go("/")
    visitor.button(press).click()
    field = visitor.page.get_by_role("textbox", name="What should we call you?")
    expect(field).to_be_focused()
    # The list of tables may be repainted once more, so the field may move after it gets the focus.
    middle = "(field) => innerHeight / 10 < field.getBoundingClientRect().y && "
    middle += "field.getBoundingClientRect().y < innerHeight * 3 / 4"
    visitor.page.wait_for_function(middle, arg=field.element_handle(), timeout=5_000)
    visitor.page.keyboard.type("Newcomer")
    visitor.page.keyboard.press("Enter")
    expect(visitor.ring("ante")).to_be_visible()


def test_a_table_card_names_its_players(house: Running, visit: Callable[..., Visitor]) -> None:
    host, guest = visit(house.url, "Host"), visit(house.url)
    table = host.open_table("uth-ma", name="Charles", bots=[{"style": "random"}] * 2)
    host.open_table("uth-sd", name="Lead")
    host.take_seat(table, 3)
    guest.go("/")
    listed = guest.page.get_by_role("listitem")
    expect(listed.filter(has_text="Table Charles")).to_contain_text("with Host and two bots")
    expect(listed.filter(has_text="Table Lead")).to_contain_text("no players yet")
    # A visitor who chooses a table with people sits with them.
    guest.button("Sit down at Charles").click()
    guest.page.get_by_role("textbox", name="What should we call you?").fill("Guest")
    listed.get_by_role("button", name="Sit down", exact=True).click()
    expect(host.seats()).to_contain_text("Guest")


def test_a_bot_can_be_seated_and_removed(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Host")
    table = visitor.open_table("uth-card", bots=[])
    visitor.sit(table, 3)
    visitor.button("Seat a bot").click()
    bot = visitor.page.locator(".pod").filter(has_text="bot")
    expect(bot).to_have_count(1)
    visitor.button("Table menu").click()
    visitor.button(re.compile("^Remove ")).click()
    expect(bot).to_have_count(0)
    assert [
        seat["seat"]
        for seat in visitor.get_json(f"/api/tables/{table}")["card"]["seats"]
        if seat.get("player")
    ] == [3]


def test_a_bot_with_a_wager_is_removed_after_the_round(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Host")
    table = visitor.open_table("uth-card", bots=[{"style": "random", "seat": 5}])
    visitor.sit(table, 3)
    visitor.bet("ante")
    visitor.ready()
    visitor.rush()
    visitor.button("Table menu").click()
    visitor.button(re.compile("^Remove ")).click()
    expect(visitor.seat(5)).to_contain_text("leaves after this round")
    visitor.finish()
    visitor.over().click()
    expect(visitor.page.locator(".pod").filter(has_text="bot")).to_have_count(0)


def test_a_player_with_too_few_chips_for_a_play_is_warned_before_the_deal(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Short")
    table = visitor.open_table("uth-ma", bots=[], limits={"ante": {"min": "5", "max": "300"}})
    visitor.sit(table, 3)
    visitor.page.get_by_role("radio", name="$100", exact=True).click()
    visitor.ring("ante").click()
    expect(visitor.page.get_by_text("A 4× play would add $400.00.")).to_be_visible()
    visitor.ring("ante").click()
    expect(visitor.page.get_by_text("You do not have the $800.00 for a 4× play.")).to_be_visible()


@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_player_who_leaves_sees_the_final_chips_in_the_lobby(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    visitor = visit(house.url, "Leaver", view=view)
    table = visitor.open_table("uth-ma", name="Charles")
    visitor.sit(table, 3)
    expect(visitor.page.locator(".bankroll")).to_contain_text("$1,000.00")
    visitor.page.locator(".panel-button" if view is PHONE else ".menu-button").click()
    entries = visitor.page.locator(".panel-menu" if view is PHONE else "#menu")
    entries.get_by_role("button", name="Leave the table").click()
    message = visitor.page.get_by_role("status").filter(has_text="You left Table Charles")
    expect(message).to_contain_text("You left Table Charles with $1,000.00 in play chips.")
    expect(message).to_be_focused()
    expect(visitor.page).to_have_url(f"{house.url}/")
    expect(visitor.page.locator(".bankroll")).not_to_contain_text("$")
    assert all("player" not in seat for seat in visitor.get_json(f"/api/tables/{table}")["card"]["seats"])
    # The message is shown once.
    message.get_by_role("button", name="Close").click()
    expect(message).to_have_count(0)


def test_tables_opened_with_the_same_meter_share_one_progressive(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    for name in ("Ada", "Bo"):
        visitor = visit(house.url, name)
        visitor.go("/")
        form = visitor.page.get_by_role("form", name="Open a table")
        form.get_by_label("Rulebook").select_option("uth-ma")
        form.get_by_text("Name, pace and other options").click()
        form.get_by_label("Linked progressive (optional)").fill("jackpot")
        form.get_by_role("button", name="Open the table").click()
        at_a_table(visitor)
    visitor.go("/")
    linked = visitor.page.locator(".table-card").filter(has_text="Linked progressive jackpot")
    expect(linked).to_have_count(2)
    cards = visitor.get_json("/api/tables")["tables"]
    assert [card["link"] for card in cards] == ["jackpot", "jackpot"]
    assert cards[0]["meters"] == cards[1]["meters"] != {}


def test_a_rulebook_without_linked_games_has_no_field_for_a_meter(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Cass")
    visitor.go("/")
    form = visitor.page.get_by_role("form", name="Open a table")
    field = form.get_by_label("Linked progressive (optional)")
    for rulebook, count in (("uth-ma", 1), ("uth-proc", 0), ("shootout-sd", 0), ("uth-sd", 1)):
        form.get_by_label("Rulebook").select_option(rulebook)
        expect(field).to_have_count(count)
