"""The pictures of the documentation: a scripted round, the lab, a phone.

PICTURES=write puts them into docs/pictures; any other run takes the same steps and saves nothing.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FloatRect, expect

from houseway.server.solver import Solver
from houseway.training import acts as a
from houseway.training.chips import make, total, tray_values
from page.chair_driver import ChairDriver
from page.houses import scripted
from page.pages import PATIENCE, PHONE, Visitor
from page.png import encode
from page.test_dealer_chair import advance
from server.houses import Running, running

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LARGEST = 300_000
"""The largest size of a picture, in bytes."""
BOARD, DEALER = "Jh 8d 2s 7c 3h", "Ad 8c"
HANDS = ["Ac Kc", "5h 4c", "Ts 9s", "8s 6s", "Qc Jd", "7d 7s"]
"""The hands by seat; the third is the player's."""
BOTS = [{"style": "best", "seat": seat} for seat in (1, 6, 5, 2, 4)]
SETTINGS = '{"pace": "brisk", "coach": "before"}'
PIXELS = """async (given) => {
  const bytes = Uint8Array.from(atob(given), (letter) => letter.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let text = "";
  for (let n = 0; n < data.length; n += 32768) text += String.fromCharCode(...data.subarray(n, n + 32768));
  return [width, height, btoa(text)];
}"""


@pytest.fixture
def house(solver: Solver) -> Iterator[Running]:
    with running(maker=lambda: scripted([BOARD, *HANDS, DEALER])) as server:
        server.serving.solver = solver
        yield server


def take(visitor: Visitor, name: str, clip: FloatRect | None = None) -> None:
    """Take a picture of the page once no animation is running."""
    visitor.page.mouse.move(0, 0)
    visitor.still()
    visitor.page.evaluate("() => document.fonts.ready.then(() => true)")
    drawn = visitor.page.screenshot(clip=clip)
    if os.environ.get("PICTURES") != "write":
        return
    blank = visitor.context.new_page()
    width, height, data = blank.evaluate(PIXELS, b64encode(drawn).decode())
    pixels = np.frombuffer(b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3]
    small = encode(pixels)
    assert len(small) <= LARGEST
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.png").write_bytes(small)


def to_the_flop(visitor: Visitor) -> None:
    """Play to the flop at a full table with every wager bet, until the visitor must act."""
    table = visitor.open_table("uth-ma", name="Charles", bots=BOTS, pace="brisk")
    visitor.take_seat(table, 3)
    visitor.bet("ante", "ante", "trips", "progressive", "cover_all")
    visitor.ready()
    visitor.choose("Check")
    expect(visitor.choices().filter(has_text="Play 2×")).to_have_attribute("aria-disabled", "false")


def test_pictures_of_the_table_the_coach_and_a_settlement_can_be_taken(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Maren", settings=SETTINGS)
    to_the_flop(visitor)
    panel = visitor.page.get_by_role("complementary", name="Table information")
    expect(panel).to_contain_text("+0.1547")
    expect(panel.locator(".log li").filter(has_text="You, Jun and Theo check")).to_have_count(1)
    take(visitor, "table")
    box = panel.bounding_box()
    assert box is not None
    take(visitor, "coach", FloatRect(x=box["x"], y=box["y"], width=box["width"], height=560))
    visitor.choose("Play 2×")
    visitor.finish()
    lines = visitor.page.get_by_role("region", name="Settlement")
    expect(lines).to_contain_text("A winning straight pays 1 to 1")
    lines.locator("hw-line").filter(has_text="Blind").get_by_role("button").click()
    expect(visitor.page.get_by_role("region", name="Clause").get_by_role("table")).to_be_visible()
    take(visitor, "settlement")


def test_a_picture_of_the_lab_can_be_taken(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Maren")
    visitor.go("/lab?rulebook=uth-ma&set=blind.full-house%3D4+to+1")
    main = visitor.page.get_by_role("main")
    expect(main).to_contain_text("Side bets", timeout=3 * PATIENCE)
    visitor.page.get_by_role("gridcell", name="king two, suited").click()
    expect(main).to_contain_text("King two, suited")
    take(visitor, "lab")


def test_a_picture_of_a_phone_can_be_taken(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Maren", view=PHONE, settings=SETTINGS, is_mobile=True, has_touch=True)
    to_the_flop(visitor)
    expect(visitor.button("Coach").filter(has_text="+0.1547")).to_be_visible()
    take(visitor, "phone")


def test_pictures_of_the_dealers_chair_and_of_a_ruling_can_be_taken(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Noor", reduced_motion="reduce")
    page = visitor.page
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=10, seed="7")
    due = advance(driver, lambda act: isinstance(act, a.Pay) and act.seat == 4)
    assert isinstance(due, a.Pay)
    driver.press(driver.thing(f"wager-{due.seat}-1-{due.wager}"))
    for value, count in make(tray_values(driver.table), total(due.chips)).items():
        for _ in range(count):
            driver.press(driver.thing(f"tube-{value}"))
    expect(page.locator(".cut")).to_contain_text(f"${total(due.chips) / 100:,.2f}")
    take(visitor, "chair")
    advance(driver, lambda act: act == a.TakeStep(what="close"))
    driver.do(a.TakeStep(what="close"))
    page.get_by_role("button", name="Next round").click()
    advance(driver, lambda act: isinstance(act, a.Ask) and driver.hosted.session.state.round.up > 0)
    driver.do(a.TurnUp(place="dealer"))
    page.keyboard.press("i")
    page.get_by_role("group", name="What happened").get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where").get_by_role("button", name="dealer").click()
    page.get_by_role("button", name="Stop play and report").click()
    wanted = {"hands": "Void all", "board": "Leave it", "card": "Set it aside", "call": "The floor"}
    rows = page.locator(".ruling-row")
    # The rows come from the server; `all` does not wait for them.
    expect(rows.first).to_be_visible()
    for row in rows.all():
        answer = wanted.get(row.get_attribute("data-key") or "", "Is returned")
        row.get_by_role("button", name=answer).click()
    page.get_by_role("button", name="Rule").click()
    expect(page.locator(".judged-rows")).to_contain_text("right")
    take(visitor, "ruling")
