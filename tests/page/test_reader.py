"""The page for those who hear it or see it otherwise: names, the text table, still and in few colours."""

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
    """A player's straight against a pair, in every round."""
    with running(maker=lambda: scripted([BOARD, OWN, DEALER])) as found:
        yield found


def words(faces: str) -> list[str]:
    return [card(face).words for face in faces.split()]


def at_the_flop(one: Visitor) -> str:
    """A table where the flop is out and the choice is one's own."""
    table = one.open_table("uth-ma")
    one.sit(table, 3)
    one.bet("ante", "trips")
    one.ready()
    one.choose("Check")
    expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
    return table


def test_a_reader_hears_the_table(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Reader")
    table = at_the_flop(one)
    place = one.page.get_by_role("group", name="Your place, seat 3")
    board = one.page.get_by_role("group", name="Dealer and board")
    for said in words(OWN):
        expect(place).to_contain_text(said)
    for said in words("Jh 8d 2s"):
        expect(board).to_contain_text(said)
    expect(board).to_contain_text("a face-down card")
    expect(one.choices()).to_have_count(2)
    expect(one.choices().nth(0)).to_have_accessible_name("Check no bet")
    expect(one.choices().nth(1)).to_have_accessible_name("Play 2× bet $10.00")
    expect(one.seats()).to_contain_text("Free")
    expect(one.page.get_by_role("alert")).to_contain_text("Your turn. Check: no bet; Play 2×: bet $10.00.")
    log = one.page.get_by_role("log")
    expect(log).to_contain_text(f"Your cards: {', '.join(words(OWN))}.")
    expect(log).to_contain_text(f"Flop: {', '.join(words('Jh 8d 2s'))}.")
    one.choose("Play 2×")
    one.finish()
    for event in settled(house, table, 3):
        won, stake = event.back - event.stake, f"{event.stake // 100} dollars"
        result = (
            f"wins {event.odds}: {won // 100} dollars" if won > 0 else "pushes" if won == 0 else "loses"
        )
        expect(log).to_contain_text(f"Your {event.wager} of {stake} {result}.")
    expect(one.page.locator("svg:not([aria-hidden=true])")).to_have_count(0)
    one.over().click()


def test_acts_are_told_in_plain_words(house: Running, visit: Callable[..., Visitor]) -> None:
    """The sentences of the server, and of the script what the dealer speaks."""
    one = visit(house.url)
    one.go("/")
    one.page.evaluate(
        """async () => {
          const { announceUpdates } = await import("/web/rooms/table/announce.js");
          announceUpdates([{ seq: 1, aloud: ["Ada and Ben play once the ante, 5 dollars."] },
            { seq: 2, script: [{ says: "Say “No more bets.”" }, { says: "Lock the rack" }] }]);
        }"""
    )
    log = one.page.get_by_role("log")
    expect(log.locator("p")).to_have_text(["Ada and Ben play once the ante, 5 dollars.", "No more bets."])


def test_the_text_table_shows_the_same_state_with_the_same_buttons(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Text")
    table = at_the_flop(one)
    offered = one.choices().all_inner_texts()
    one.button("Settings").click()
    one.page.get_by_role("group", name="Table as text").get_by_role("button", name="on").click()
    one.page.keyboard.press("Escape")
    main = one.page.get_by_role("main")
    for heading in ("Board", "Dealer", "Your place, seat 3", "Seats"):
        expect(main.get_by_role("heading", name=heading)).to_be_visible()
    expect(main).to_contain_text(f"{', '.join(words('Jh 8d 2s'))}, 2 face down")
    expect(main).to_contain_text(f"Your cards: {', '.join(words(OWN))}")
    expect(main.get_by_role("listitem").filter(has_text="Trips $5.00")).to_be_visible()
    assert one.choices().all_inner_texts() == offered
    one.choose("Play 2×")
    one.finish()
    expect(main).to_contain_text(f"{', '.join(words(DEALER))}: pair of eights, qualifies")
    for event in settled(house, table, 3):
        line = main.get_by_role("listitem").filter(has_text=f"({event.clause})")
        expect(line.filter(has_text=dollars(event.back - event.stake)).first).to_be_visible()
    one.over().click()
    one.ring("ante").click()
    one.ready()
    expect(one.choices().first).to_be_visible()


@pytest.mark.parametrize(
    "given",
    [
        {"reduced_motion": "reduce"},
        {"forced_colors": "active"},
        {"color_scheme": "light", "contrast": "more"},
    ],
    ids=["still", "few colours", "more contrast"],
)
def test_a_round_is_played_as_the_browser_s_owner_likes_it(
    house: Running, visit: Callable[..., Visitor], given: dict[str, str]
) -> None:
    one = visit(house.url, f"likes {'-'.join(given)}"[:24], **given)
    table = at_the_flop(one)
    one.choose("Play 2×")
    one.finish()
    assert [amount for _, amount, _, _ in one.lines()] == [
        dollars(event.back - event.stake) for event in settled(house, table, 3)
    ]
    if "reduced_motion" in given:
        assert one.page.evaluate(TRAVELS) == []
