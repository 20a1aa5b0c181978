"""Sounds of cards and chips: off by default, only for cards and wagers, and never for a payment."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from page.houses import scripted
from page.pages import Visitor
from server.houses import Running, running

BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"
# Count the sounds that start.
COUNT = """window.sounds = 0;
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...args) { window.sounds += 1; return start.apply(this, args); };"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    """Run a server that deals a straight to seat 3, so that every wager but the trips is paid."""
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        yield server


def listener(house: Running, visit: Callable[..., Visitor], name: str, sound: str) -> Visitor:
    visitor = visit(house.url, name, settings=f'{{"pace": "brisk", "coach": "off"{sound}}}')
    visitor.page.add_init_script(COUNT)
    visitor.take_seat(visitor.open_table("uth-ma"), 3)
    visitor.bet("ante")
    expect(visitor.ring("ante")).to_have_accessible_name("Ante: 5 dollars")
    return visitor


def sounds(visitor: Visitor) -> int:
    return int(visitor.page.evaluate("() => window.sounds"))


def test_there_is_no_sound_unless_it_is_switched_on(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = listener(house, visit, "Quiet", "")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    assert sounds(visitor) == 0


def test_chips_and_cards_have_a_sound_and_payments_have_none(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = listener(house, visit, "Loud", ', "sound": "on"')
    assert sounds(visitor) == 1
    visitor.ready()
    visitor.rush()
    assert sounds(visitor) > 1
    for choice in ("Check", "Check"):
        visitor.choose(choice)
        visitor.rush()
    visitor.choose("Play 1×")
    # The dealer's cards are turned up and have a sound. The lines of the settlement have none.
    expect(visitor.page.locator(".dealer hw-card[card]")).to_have_count(2)
    expect(visitor.page.locator("hw-line")).not_to_have_count(0)
    before = sounds(visitor)
    expect(visitor.over()).to_be_visible()
    assert sounds(visitor) == before
