"""Lost and restored connections, seats that are lost meanwhile, and a server that does not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from houseway.shoe import SeededEntropy
from page.pages import SocketProxy, Visitor
from server.houses import Running, running

GIVEN_UP = "Your seat was released while you were away. Press a free seat to sit down."
TOO_FAST = {"code": "too-fast", "clause": None, "where": "message", "message": "this one was not read"}
ANSWER = 10_000
"""The milliseconds that a page waits for an answer."""


@pytest.fixture
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("lines")) as server:
        yield server


def notice(visitor: Visitor) -> Locator:
    return visitor.page.locator(".play > hw-notice.beside-bar")


def lost(visitor: Visitor) -> Locator:
    return visitor.page.locator(".play > hw-notice.line-lost")


def free_seat(floor: Visitor, table: str, seat: int) -> None:
    answer = floor.context.request.delete(f"{floor.url}/api/tables/{table}/seats/{seat}")
    assert answer.ok, answer.text()


# --- lost seats ---


def test_a_player_who_lost_the_seat_watches_and_can_take_a_free_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben")
    proxy = SocketProxy(ben)
    table = ada.open_table("uth-ma")
    ada.go(f"/table/{table}")
    ben.sit(table, 3)
    proxy.cut()
    expect(lost(ben)).to_contain_text("Connection lost")
    expect(ada.seat(3)).to_contain_text("away")
    free_seat(ada, table, 3)
    proxy.restore()
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    expect(ben.page.get_by_role("alert").filter(has_text=GIVEN_UP)).to_have_count(1)
    expect(lost(ben)).to_have_count(0)
    expect(ben.page.locator(".corner .role")).to_have_text("You are watching")
    ben.free(5).click()
    expect(ben.page.get_by_role("group", name="Your place, seat 5")).to_be_attached()
    expect(notice(ben)).to_have_count(0)
    expect(ada.seat(5)).to_contain_text("Ben")


def test_the_reason_for_a_lost_seat_stays_after_more_rounds(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """The server frees the seat after three rounds of absence."""
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben")
    proxy = SocketProxy(ben)
    table = ada.open_table("uth-ma")
    ada.sit(table, 1)
    ben.sit(table, 3)
    proxy.cut()
    expect(ada.seat(3)).to_contain_text("away")
    for _ in range(3):
        ada.bet("ante")
        ada.ready()
        ada.finish("Play 4×")
        ada.over().click()
        expect(ada.ring("ante")).to_have_accessible_name("Ante: nothing")
    expect(ada.seat(3)).not_to_contain_text("Ben")
    proxy.restore()
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    # A new round does not remove the reason.
    ada.bet("ante")
    ada.ready()
    ada.finish("Play 4×")
    ada.over().click()
    expect(ben.page.locator(".corner.right")).to_contain_text("Round 5")
    expect(notice(ben)).to_contain_text(GIVEN_UP)
    ben.button("Close").click()
    expect(notice(ben)).to_have_count(0)


def test_a_player_with_another_seat_returns_to_it(house: Running, visit: Callable[..., Visitor]) -> None:
    ben = visit(house.url, "Ben")
    proxy = SocketProxy(ben)
    table = ben.open_table("uth-ma")
    ben.sit(table, 3)
    proxy.cut()
    expect(lost(ben)).to_contain_text("Connection lost")
    for number, command in enumerate(({"type": "Leave", "seat": 3}, {"type": "Sit", "seat": 4})):
        message = {"type": "do", "key": f"elsewhere {number}", "command": command}
        assert ben.context.request.post(f"{ben.url}/api/tables/{table}/commands", data=message).ok
    proxy.restore()
    expect(ben.page.get_by_role("group", name="Your place, seat 4")).to_be_attached()
    expect(notice(ben)).to_contain_text("You have seat 4 now.")


def test_a_seat_left_on_another_page_is_free_on_this_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    ben = visit(house.url, "Ben")
    table = ben.open_table("uth-ma")
    ben.sit(table, 3)
    message = {"type": "do", "key": "elsewhere", "command": {"type": "Leave", "seat": 3}}
    assert ben.context.request.post(f"{ben.url}/api/tables/{table}/commands", data=message).ok
    ben.free(3).click()
    expect(ben.ring("ante")).to_be_visible()


@pytest.mark.parametrize(
    ("role", "reason"),
    [
        ("floor", "You cannot join as the floor supervisor: you do not have the floor role here"),
        ("seat 2", "You cannot join as seat 2: seat 2 is not yours"),
        ("janitor", "You cannot join as janitor: there is no role 'janitor'"),
    ],
)
def test_a_visitor_who_lacks_the_role_in_the_address_joins_as_a_spectator(
    house: Running, visit: Callable[..., Visitor], role: str, reason: str
) -> None:
    host, visitor = visit(house.url, "Host"), visit(house.url, "Stranger")
    table = host.open_table("uth-ma")
    visitor.go(f"/table/{table}?as={role}")
    expect(notice(visitor)).to_contain_text(reason)
    expect(visitor.free(3)).to_be_visible()


# --- wagers during a lost connection ---


def test_the_notice_mentions_wagers_only_while_they_are_in_play(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor, rail = visit(house.url, "Wagers"), visit(house.url, "Onlooker")
    proxy, watched = SocketProxy(visitor), SocketProxy(rail)
    table = visitor.open_table("uth-ma")
    rail.go(f"/table/{table}")
    visitor.sit(table, 3)
    expect(rail.seat(3)).to_contain_text("Wagers")

    def notice_while_cut(client: Visitor, proxy: SocketProxy) -> str:
        proxy.cut()
        expect(lost(client)).to_contain_text("Connection lost. Reconnecting.")
        text = lost(client).inner_text()
        proxy.restore()
        expect(lost(client)).to_have_count(0)
        return text

    assert "wagers" not in notice_while_cut(visitor, proxy), "nothing is out yet"
    visitor.bet("ante")
    expect(rail.seat(3)).to_contain_text("$5")
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()
    assert "Your wagers are safe." in notice_while_cut(visitor, proxy)
    assert "wagers" not in notice_while_cut(rail, watched), "a watcher has no wagers"
    visitor.finish("Check", "Play 1×")
    assert "wagers" not in notice_while_cut(visitor, proxy), "the round is over"
    assert all("wagers" not in text for text in rail.page.get_by_role("alert").all_inner_texts())


# --- a command without an answer ---


def is_check(message: Any) -> bool:
    return bool(message["type"] == "do" and message["command"]["type"] == "Check")


def at_the_first_check(house: Running, visit: Callable[..., Visitor]) -> tuple[Visitor, SocketProxy]:
    visitor = visit(house.url, "Unheard")
    proxy = SocketProxy(visitor)
    visitor.page.clock.install()
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante")
    visitor.ready()
    expect(visitor.choices().filter(has_text="Check")).to_have_attribute("aria-disabled", "false")
    return visitor, proxy


def press_without_answer(visitor: Visitor, proxy: SocketProxy) -> None:
    """Press Check without the server receiving it, and wait until the page gives up."""
    proxy.instead = lambda message: {} if is_check(message) else None
    visitor.choices().filter(has_text="Check").click()
    expect(visitor.page.locator(".choice.sent")).to_have_count(1)
    visitor.page.clock.fast_forward(ANSWER)


def press_again(visitor: Visitor, proxy: SocketProxy) -> None:
    """Press the choice again; this time it counts."""
    proxy.instead = lambda message: None
    visitor.choose("Check")
    expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
    expect(notice(visitor)).to_have_count(0)


def test_an_unanswered_command_is_given_up_and_resent_under_its_key(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor, proxy = at_the_first_check(house, visit)
    press_without_answer(visitor, proxy)
    expect(notice(visitor)).to_contain_text("No answer: the server has not answered for 10 seconds.")
    expect(notice(visitor)).not_to_contain_text("bankroll")
    expect(visitor.page.locator(".choice.sent")).to_have_count(0)
    press_again(visitor, proxy)
    assert len(proxy.done("Check")) == 2
    assert len(set(proxy.done("Check"))) == 1


def test_a_rejection_without_a_key_settles_the_pending_command(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor, proxy = at_the_first_check(house, visit)
    proxy.instead = lambda message: (
        {"type": "refused", "refused": [TOO_FAST]} if is_check(message) else None
    )
    visitor.choices().filter(has_text="Check").click()
    expect(notice(visitor)).to_contain_text("No answer: this one was not read.")
    press_again(visitor, proxy)
    assert len(set(proxy.done("Check"))) == 1


def test_a_rejection_with_a_key_settles_that_command(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor, proxy = at_the_first_check(house, visit)
    proxy.instead = lambda message: (
        {"type": "refused", "key": message["key"], "refused": [TOO_FAST]} if is_check(message) else None
    )
    visitor.choices().filter(has_text="Check").click()
    expect(notice(visitor)).to_contain_text("Refused: this one was not read. No chips were taken.")
    press_again(visitor, proxy)


def test_the_same_choice_on_the_next_street_has_a_new_key(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """A command that was given up but arrived late does not count as the next one."""
    visitor, proxy = at_the_first_check(house, visit)
    press_without_answer(visitor, proxy)
    expect(notice(visitor)).to_contain_text("No answer:")
    proxy.forward(next(message for message in proxy.sent if is_check(message)))
    expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
    expect(notice(visitor)).to_have_count(0)
    proxy.instead = lambda message: None
    visitor.choose("Check")
    expect(visitor.choices().filter(has_text="Play 1×")).to_be_visible()
    assert len(set(proxy.done("Check"))) == 2
