"""A line that breaks and comes back, a seat that is gone by then, and a house that does not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import Seeded
from page.pages import Line, Visitor
from server.houses import Running, running

GIVEN_UP = "Your seat was released while you were away; press a free one to sit down."
TOO_FAST = {"code": "too-fast", "clause": None, "where": "message", "message": "this one was not read"}
ANSWER = 10_000
"""Milliseconds a page waits for an answer."""


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=Seeded("lines")) as found:
        yield found


def notice(one: Visitor) -> Locator:
    return one.page.locator(".play > hw-notice.beside-bar")


def lost(one: Visitor) -> Locator:
    return one.page.locator(".play > hw-notice.line-lost")


def free_seat(floor: Visitor, table: str, seat: int) -> None:
    answer = floor.context.request.delete(f"{floor.url}/api/tables/{table}/seats/{seat}")
    assert answer.ok, answer.text()


# --- a seat that is gone ---


def test_who_lost_the_seat_while_away_watches_and_takes_a_free_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben")
    line = Line(ben)
    table = ada.open_table("uth-ma")
    ada.go(f"/table/{table}")
    ben.sit(table, 3)
    line.cut()
    expect(lost(ben)).to_contain_text("Connection lost")
    expect(ada.seat(3)).to_contain_text("away")
    free_seat(ada, table, 3)
    line.mend()
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    expect(ben.page.get_by_role("alert").filter(has_text=GIVEN_UP)).to_have_count(1)
    expect(lost(ben)).to_have_count(0)
    expect(ben.page.locator(".corner .role")).to_have_text("You are watching")
    ben.free(5).click()
    expect(ben.page.get_by_role("group", name="Your place, seat 5")).to_be_attached()
    expect(notice(ben)).to_have_count(0)
    expect(ada.seat(5)).to_contain_text("Ben")


def test_the_reason_stays_though_rounds_were_played_meanwhile(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """Three rounds away, and the house itself gives the seat up."""
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben")
    line = Line(ben)
    table = ada.open_table("uth-ma")
    ada.sit(table, 1)
    ben.sit(table, 3)
    line.cut()
    expect(ada.seat(3)).to_contain_text("away")
    for _ in range(3):
        ada.bet("ante")
        ada.ready()
        ada.finish("Play 4×")
        ada.over().click()
        expect(ada.ring("ante")).to_have_accessible_name("Ante: nothing")
    expect(ada.seat(3)).not_to_contain_text("Ben")
    line.mend()
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    # A new round does not take the reason away.
    ada.bet("ante")
    ada.ready()
    ada.finish("Play 4×")
    ada.over().click()
    expect(ben.page.locator(".corner.right")).to_contain_text("Round 5")
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    ben.button("Close").click()
    expect(notice(ben)).to_have_count(0)


def test_who_has_another_seat_by_then_comes_to_it(house: Running, visit: Callable[..., Visitor]) -> None:
    ben = visit(house.url, "Ben")
    line = Line(ben)
    table = ben.open_table("uth-ma")
    ben.sit(table, 3)
    line.cut()
    expect(lost(ben)).to_contain_text("Connection lost")
    for number, command in enumerate(({"type": "Leave", "seat": 3}, {"type": "Sit", "seat": 4})):
        wish = {"type": "do", "key": f"elsewhere {number}", "command": command}
        assert ben.context.request.post(f"{ben.url}/api/tables/{table}/commands", data=wish).ok
    line.mend()
    expect(ben.page.get_by_role("group", name="Your place, seat 4")).to_be_attached()
    expect(notice(ben)).to_contain_text("You have seat 4 now.")


def test_a_seat_left_on_another_page_is_free_on_this_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ben = visit(house.url, "Ben")
    table = ben.open_table("uth-ma")
    ben.sit(table, 3)
    wish = {"type": "do", "key": "elsewhere", "command": {"type": "Leave", "seat": 3}}
    assert ben.context.request.post(f"{ben.url}/api/tables/{table}/commands", data=wish).ok
    ben.free(3).click()
    expect(ben.ring("ante")).to_be_visible()


@pytest.mark.parametrize(
    ("role", "reason"),
    [
        ("floor", "You cannot enter as floor: you do not have the floor role here"),
        ("seat 2", "You cannot enter as seat 2: seat 2 is not yours"),
        ("janitor", "You cannot enter as janitor: there is no role 'janitor'"),
    ],
)
def test_who_is_not_what_the_address_says_watches(
    house: Running, visit: Callable[..., Visitor], role: str, reason: str
) -> None:
    host, one = visit(house.url, "Host"), visit(house.url, "Stranger")
    table = host.open_table("uth-ma")
    one.go(f"/table/{table}?as={role}")
    expect(notice(one)).to_contain_text(reason)
    expect(one.free(3)).to_be_visible()


# --- what is said of the wagers ---


def test_wagers_are_said_to_stand_only_while_they_do(house: Running, visit: Callable[..., Visitor]) -> None:
    one, rail = visit(house.url, "Wagers"), visit(house.url, "Onlooker")
    line, watched = Line(one), Line(rail)
    table = one.open_table("uth-ma")
    rail.go(f"/table/{table}")
    one.sit(table, 3)
    expect(rail.seat(3)).to_contain_text("Wagers")

    def said(visitor: Visitor, line: Line) -> str:
        line.cut()
        expect(lost(visitor)).to_contain_text("Connection lost. Reconnecting.")
        found = lost(visitor).inner_text()
        line.mend()
        expect(lost(visitor)).to_have_count(0)
        return found

    assert "wagers" not in said(one, line), "nothing is out yet"
    one.bet("ante")
    expect(rail.seat(3)).to_contain_text("$5")
    one.ready()
    expect(one.choices().first).to_be_visible()
    assert "Your wagers are safe." in said(one, line)
    assert "wagers" not in said(rail, watched), "who watches has none"
    one.finish("Check", "Play 1×")
    assert "wagers" not in said(one, line), "the round is over"
    assert all("wagers" not in text for text in rail.page.get_by_role("alert").all_inner_texts())


# --- a command without an answer ---


def checks(message: Any) -> bool:
    return bool(message["type"] == "do" and message["command"]["type"] == "Check")


def at_the_first_check(house: Running, visit: Callable[..., Visitor]) -> tuple[Visitor, Line]:
    one = visit(house.url, "Unheard")
    line = Line(one)
    one.page.clock.install()
    table = one.open_table("uth-ma")
    one.sit(table, 3)
    one.bet("ante")
    one.ready()
    expect(one.choices().filter(has_text="Check")).to_have_attribute("aria-disabled", "false")
    return one, line


def gives_up(one: Visitor, line: Line) -> None:
    """A check is pressed that the house never hears of, and the page has waited long enough."""
    line.instead = lambda message: {} if checks(message) else None
    one.choices().filter(has_text="Check").click()
    expect(one.page.locator(".choice.sent")).to_have_count(1)
    one.page.clock.fast_forward(ANSWER)


def goes_on(one: Visitor, line: Line) -> None:
    """The choice takes a press again, and this time it counts."""
    line.instead = lambda message: None
    one.choose("Check")
    expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
    expect(notice(one)).to_have_count(0)


def test_a_command_the_house_does_not_answer_is_given_up_and_sent_again_under_its_key(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one, line = at_the_first_check(house, visit)
    gives_up(one, line)
    expect(notice(one)).to_contain_text("No answer: the server has not answered for 10 seconds.")
    expect(notice(one)).not_to_contain_text("bankroll")
    expect(one.page.locator(".choice.sent")).to_have_count(0)
    goes_on(one, line)
    assert len(line.done("Check")) == 2
    assert len(set(line.done("Check"))) == 1


def test_a_refusal_that_does_not_say_of_what_settles_the_command_that_waits(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one, line = at_the_first_check(house, visit)
    line.instead = lambda message: {"type": "refused", "refused": [TOO_FAST]} if checks(message) else None
    one.choices().filter(has_text="Check").click()
    expect(notice(one)).to_contain_text("No answer: this one was not read.")
    goes_on(one, line)
    assert len(set(line.done("Check"))) == 1


def test_a_refusal_with_its_key_is_of_that_command(house: Running, visit: Callable[..., Visitor]) -> None:
    one, line = at_the_first_check(house, visit)
    line.instead = lambda message: (
        {"type": "refused", "key": message["key"], "refused": [TOO_FAST]} if checks(message) else None
    )
    one.choices().filter(has_text="Check").click()
    expect(notice(one)).to_contain_text("Refused: this one was not read. No chips were taken.")
    goes_on(one, line)


def test_the_same_choice_on_the_next_street_has_a_key_of_its_own(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """What was given up and came through all the same is not taken for what is done next."""
    one, line = at_the_first_check(house, visit)
    gives_up(one, line)
    expect(notice(one)).to_contain_text("No answer:")
    line.forward(next(message for message in line.said if checks(message)))
    expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
    expect(notice(one)).to_have_count(0)
    line.instead = lambda message: None
    one.choose("Check")
    expect(one.choices().filter(has_text="Play 1×")).to_be_visible()
    assert len(set(line.done("Check"))) == 2
