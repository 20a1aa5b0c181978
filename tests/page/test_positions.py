"""On the page: playing several seats, a second bonus after a split, and repeating tips."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from page.houses import scripted, settled, state_of
from page.pages import PHONE, WIDE, Visitor
from page.test_sizes import check_no_overflow
from server.houses import running

LIMITS = {"wager": {"min": "5", "max": "50"}, "bonus": {"min": "1", "max": "20"}}
FLOP = "2c 7d Jc 4h 5s"


def shoe(*hands: str) -> list[str]:
    """The shoe in deal order: the burned card, four rounds of one card each (players, then dealer), the board."""
    return ["2h", *(hand.split()[turn] for turn in range(4) for hand in hands), FLOP]


@pytest.mark.clause("TS-4-b")
def test_a_player_takes_and_plays_two_positions(visit: Callable[..., Visitor]) -> None:
    dealt = shoe("As Ad 9h 8s", "Qs Qd 3h 2s", "Ks Kc 5d 4d")
    with running(maker=lambda: scripted(dealt)) as house:
        visitor = visit(house.url, "Ann", view=PHONE)
        table = visitor.open_table("shootout-sd", house={"more_positions": True}, limits=LIMITS)
        visitor.sit(table, 2)
        visitor.bet("wager")
        visitor.free(5).click()
        place = visitor.page.get_by_role("group", name="Your place, seat 5")
        place.wait_for(state="attached")
        visitor.bet("wager")
        expect(visitor.button("Bet for seat 2")).to_be_visible()
        # The page sent the wagers of the first seat before the player took the second seat.
        assert state_of(house, table).seats[2].hands[0].wagers
        visitor.ready()
        # The page shows each seat in turn when it must decide.
        for seat in (5, 2):
            visitor.page.get_by_role("group", name=f"Your place, seat {seat}").wait_for(state="attached")
            expect(visitor.choices().filter(has_text="Keep two cards")).to_be_visible()
            visitor.pick(0, 1)
            keep = visitor.choices().filter(has_text="Keep").first
            expect(keep).to_have_attribute("aria-disabled", "false")
            keep.click()
        expect(visitor.over()).to_be_visible()
        for _ in visitor.resized([WIDE, PHONE]):
            check_no_overflow(visitor)
        assert {seat: len(settled(house, table, seat)) for seat in (2, 5)} == {2: 1, 5: 1}
        kept = {n: len(seat.hands[0].cards) for n, seat in state_of(house, table).seats.items()}
        assert kept == {2: 2, 5: 2}


@pytest.mark.clause("TS-4-b")
def test_a_seated_player_is_offered_no_other_seat_unless_the_house_allows_it(
    visit: Callable[..., Visitor],
) -> None:
    with running() as house:
        visitor = visit(house.url, "Ann")
        visitor.sit(visitor.open_table("shootout-sd", limits=LIMITS), 2)
        expect(visitor.page.locator(".pod.free button")).to_have_count(0)


@pytest.mark.clause("TS-9-f", "TS-9-c")
@pytest.mark.parametrize("view", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_split_takes_a_smaller_second_bonus_and_moves_the_first_to_the_chosen_hand(
    visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    with running(maker=lambda: scripted(shoe("As Ad 9h 9s", "Ks Kc 5d 4d"))) as house:
        visitor = visit(house.url, "Splitting", view=view)
        table = visitor.open_table("shootout-sd", limits=LIMITS)
        visitor.sit(table, 3)
        visitor.bet("wager")
        visitor.page.get_by_role("radio", name="$5", exact=True).click()
        visitor.bet("bonus")
        visitor.ready()
        expect(visitor.choices().filter(has_text="Split")).to_be_visible()
        panel = visitor.page.get_by_role("region", name="Your hand")
        if not panel.is_visible():
            visitor.page.locator(".panel-button").click()
        amount = panel.get_by_label("Second bonus in dollars")
        amount.fill("3.50")
        amount.press("Tab")
        panel.get_by_role("group", name="First bonus goes with").get_by_role("button").nth(1).click()
        check_no_overflow(visitor)
        if view == PHONE:
            visitor.button("Close the panel").click()
        visitor.choose("Split")
        visitor.finish()
        bonuses = {line.hand: line.stake for line in settled(house, table, 3) if line.wager == "bonus"}
        assert bonuses == {1: 500, 2: 350}
        hands = [[str(card) for card in hand.cards] for hand in state_of(house, table).seats[3].hands]
        assert hands == [["9h", "9s"], ["As", "Ad"]]


@pytest.mark.clause("SD-3-a")
def test_the_button_same_as_last_round_repeats_the_tips(visit: Callable[..., Visitor]) -> None:
    with running() as house:
        visitor = visit(house.url, "Again")
        table = visitor.open_table("uth-sd")
        visitor.sit(table, 3)
        visitor.bet("ante")
        visitor.button("Tip the dealer").click()
        visitor.page.get_by_role("radio", name="$1", exact=True).click()
        visitor.bet("ante", "ante")
        visitor.ready()
        visitor.finish("Check", "Fold")
        visitor.button("Next round").click()
        visitor.button("Same as last round").click()
        expect(visitor.ring("ante")).to_have_accessible_name("Ante: 5 dollars, tip 2 dollars")
        visitor.ready()
        expect(visitor.choices().first).to_be_visible()
        assert state_of(house, table).seats[3].hands[0].tips == {"ante": 200}
