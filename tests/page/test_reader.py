"""Accessibility: screen reader names, the text table, reduced motion, forced colours and high contrast."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from houseway.cards import card
from page.houses import dollars, scripted, settled
from page.pages import Visitor
from server.houses import Running, running

# Animations that move or turn something.
TRAVELS = """() => document.getAnimations().flatMap((one) => one.effect.getKeyframes())
  .flatMap(({ transform, translate }) => [transform, translate]).filter((way) => way && way !== "none")"""
BOARD, OWN, DEALER = "Jh 8d 2s 7c 3h", "Ts 9s", "Ad 8c"


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    """Run a server that deals a straight to the player and a pair to the dealer in every round."""
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as server:
        yield server


def words(faces: str) -> list[str]:
    return [card(face).words for face in faces.split()]


def at_the_flop(visitor: Visitor) -> str:
    """Play to the flop, until the visitor must act."""
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante", "trips")
    visitor.ready()
    visitor.choose("Check")
    expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
    return table


def test_a_screen_reader_can_read_the_table(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Reader")
    table = at_the_flop(visitor)
    place = visitor.page.get_by_role("group", name="Your place, seat 3")
    board = visitor.page.get_by_role("group", name="Dealer and board")
    for card_words in words(OWN):
        expect(place).to_contain_text(card_words)
    for card_words in words("Jh 8d 2s"):
        expect(board).to_contain_text(card_words)
    expect(board).to_contain_text("a face-down card")
    expect(visitor.choices()).to_have_count(2)
    expect(visitor.choices().nth(0)).to_have_accessible_name("Check no bet")
    expect(visitor.choices().nth(1)).to_have_accessible_name("Play 2× bet $10.00")
    expect(visitor.seats()).to_contain_text("Free")
    expect(visitor.page.get_by_role("alert")).to_contain_text(
        "Your turn. Check: no bet; Play 2×: bet $10.00."
    )
    log = visitor.page.get_by_role("log")
    expect(log).to_contain_text(f"Your cards: {', '.join(words(OWN))}.")
    expect(log).to_contain_text(f"Flop: {', '.join(words('Jh 8d 2s'))}.")
    visitor.choose("Play 2×")
    visitor.finish()
    for event in settled(house, table, 3):
        won, stake = event.back - event.stake, f"{event.stake // 100} dollars"
        result = (
            f"wins {event.odds}: {won // 100} dollars" if won > 0 else "pushes" if won == 0 else "loses"
        )
        name = {"play": "play wager", "trips": "trips bet"}.get(event.wager, event.wager)
        expect(log).to_contain_text(f"Your {name} of {stake} {result}.")
    expect(visitor.page.locator("svg:not([aria-hidden=true])")).to_have_count(0)
    visitor.over().click()


def test_acts_are_described_in_plain_words(house: Running, visit: Callable[..., Visitor]) -> None:
    """The page uses the server's sentences and the dealer's spoken lines from the script."""
    visitor = visit(house.url)
    visitor.go("/")
    visitor.page.evaluate(
        """async () => {
          const { announceUpdates } = await import("/web/rooms/table/announce.js");
          announceUpdates([{ seq: 1, aloud: ["Ada and Ben play 1 times the ante, 5 dollars."] },
            { seq: 2, script: [{ says: "Say “No more bets.”", spoken: "No more bets." },
              { says: "Lock the rack" }] }]);
        }"""
    )
    log = visitor.page.get_by_role("log")
    expect(log.locator("p")).to_have_text(
        ["Ada and Ben play 1 times the ante, 5 dollars.", "No more bets."]
    )


def test_the_text_table_shows_the_same_state_with_the_same_buttons(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Text")
    table = at_the_flop(visitor)
    offered = visitor.choices().all_inner_texts()
    visitor.button("Settings").click()
    visitor.page.get_by_role("group", name="Table as text").get_by_role("button", name="on").click()
    visitor.page.keyboard.press("Escape")
    main = visitor.page.get_by_role("main")
    for heading in ("Board", "Dealer", "Your place, seat 3", "Seats"):
        expect(main.get_by_role("heading", name=heading)).to_be_visible()
    expect(main).to_contain_text(f"{', '.join(words('Jh 8d 2s'))}, 2 face down")
    expect(main).to_contain_text(f"Your cards: {', '.join(words(OWN))}")
    expect(main.get_by_role("listitem").filter(has_text="Trips $5.00")).to_be_visible()
    expect(visitor.choices()).to_have_text(offered, use_inner_text=True)
    visitor.choose("Play 2×")
    visitor.finish()
    expect(main).to_contain_text(f"{', '.join(words(DEALER))}: pair of eights, qualifies")
    for event in settled(house, table, 3):
        line = main.get_by_role("listitem").filter(has_text=f"({event.clause})")
        expect(line.filter(has_text=dollars(event.back - event.stake)).first).to_be_visible()
    visitor.over().click()
    visitor.ring("ante").click()
    visitor.ready()
    expect(visitor.choices().first).to_be_visible()


@pytest.mark.parametrize(
    "preferences",
    [
        {"reduced_motion": "reduce"},
        {"forced_colors": "active"},
        {"color_scheme": "light", "contrast": "more"},
    ],
    ids=["reduced motion", "forced colours", "more contrast"],
)
def test_a_round_respects_the_browsers_preferences(
    house: Running, visit: Callable[..., Visitor], preferences: dict[str, str]
) -> None:
    visitor = visit(house.url, f"likes {'-'.join(preferences)}"[:24], **preferences)
    table = at_the_flop(visitor)
    visitor.choose("Play 2×")
    visitor.finish()
    assert [amount for _, amount, _, _ in visitor.lines()] == [
        dollars(event.back - event.stake) for event in settled(house, table, 3)
    ]
    if "reduced_motion" in preferences:
        assert visitor.page.evaluate(TRAVELS) == []
