"""The dealer's chair in a real browser: whole rounds by hand, judgements, rulings, keys and sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Route, ViewportSize, expect

from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training.chips import total
from houseway.training.model_dealer import right_act
from page.chair_driver import ChairDriver, KeyboardDriver, PageTrainee
from page.chair_steps import reload, send
from page.houses import dollars
from page.pages import PHONE, WIDE, Visitor
from page.test_sizes import OVERFLOW, TARGET, TOO_SMALL
from server.houses import Running, running

STILL = {"reduced_motion": "reduce"}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
LOW: ViewportSize = {"width": 1280, "height": 720}
"""A laptop whose browser has bars: the felt is small."""
LEAST = 24
# Pairs of texts of one part of the room that overlap. Texts that are scrolled out of sight do not count.
OVERLAPS = """(part) => {
  const root = document.querySelector(part);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, .unseen, [hidden], option, .spot-label.figure") || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      for (let up = element; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.clipPath !== "none") right = left;
        if (style.overflowX !== "visible" || style.overflowY !== "visible") {
          const clip = up.getBoundingClientRect();
          [left, top, right, bottom] = [Math.max(left, clip.left), Math.max(top, clip.top), Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
        }
      }
      if (right - left > 2 && bottom - top > 6) texts.push({ text: node.data.trim(), left, top, right, bottom });
    }
  }
  const bad = [];
  texts.forEach((one, n) => texts.slice(n + 1).forEach((other) => {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (across > 2 && down > 5) bad.push(`${one.text} / ${other.text}`);
  }));
  return bad;
}"""


# Lines of text at a place, such as the player's decision, that a card covers.
HIDDEN_LINES = """() => {
  const cards = [...document.querySelectorAll(".place hw-card")].filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect());
  return [...document.querySelectorAll(".place .who :is(strong, .does, .says)")].filter((one) => one.checkVisibility() && one.textContent.trim())
    .filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return [...range.getClientRects()].some((line) => cards.some((card) => Math.min(line.right, card.right) - Math.max(line.left, card.left) > 1
        && Math.min(line.bottom, card.bottom) - Math.max(line.top, card.top) > 1));
    }).map((one) => `a card covers ${one.textContent}`);
}"""
# Labels and cut chips that touch a circle, a diamond or a sensor, and things of the dealer's side beyond the cloth.
TOUCHES = """() => {
  const box = (one) => one.getBoundingClientRect();
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  // A diamond reaches from its centre to its corners; everything else is round.
  const near = (a, ring, gap) => {
    const b = box(ring);
    const [x, y, r] = [b.x + b.width / 2, b.y + b.height / 2, b.width / 2];
    const [dx, dy] = [Math.max(a.left - x, 0, x - a.right), Math.max(a.top - y, 0, y - a.bottom)];
    return (ring.closest(".diamond") ? dx + dy : Math.hypot(dx, dy)) < r + gap;
  };
  const rings = shown(".place .ring");
  const bad = [];
  for (const label of shown(".place .spot-label:not(.figure)")) {
    for (const ring of rings) {
      if (ring.closest("hw-circle") !== label.closest("hw-circle") && near(box(label), ring, 2)) {
        bad.push(`${label.textContent} touches ${ring.getAttribute("aria-label")}`);
      }
    }
  }
  for (const pile of shown(".cut .pile")) {
    for (const ring of rings) {
      if (near(box(pile), ring, -2)) bad.push(`cut chips cover ${ring.getAttribute("aria-label")}`);
    }
  }
  const stage = box(document.querySelector(".chair-stage"));
  const low = shown(".tray, .thing").filter((one) => box(one).bottom > stage.top + stage.height * 630 / 650);
  return [...bad, ...low.map((one) => `${one.className} lies on the rail`)];
}"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


def advance(driver: ChairDriver, until: Callable[[a.ChairAct], bool]) -> a.ChairAct:
    """Deal by the document, over HTTP, until an act is due; then load the page."""
    for _ in range(400):
        session = driver.hosted.session
        act = right_act(session.table, session.chair)
        assert act is not None
        if until(act):
            reload(driver)
            return act
        send(driver, act)
    raise AssertionError("this act is never due")


def test_a_round_is_dealt_without_a_mouse(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "no mouse", **STILL)
    driver = KeyboardDriver(house, visitor, rulebook="uth-proc", mode="device", seats=1, rounds=1, seed="4")
    PageTrainee(driver).deal_round()
    assert driver.hosted.session.judgements[0].slips == ()
    expect(visitor.page.get_by_text("Every act is right.")).to_be_visible()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text("The session is over.")).to_be_visible()


def test_slips_are_shown_after_the_round_with_the_act_the_right_act_and_the_clause(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "slips", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-proc", mode="device", seats=1, rounds=2, seed="4")
    advance(driver, lambda act: isinstance(act, a.Push | a.Take))
    # The blind pushes; the trainee pays it, as in docs/training.md.
    driver.do(a.Pay(seat=1, wager="blind", chips={500: 2, 100: 2}))
    page = visitor.page
    expect(page.locator(".slip, .judged")).to_have_count(0)
    advance(driver, lambda act: act == a.TakeStep(what="close"))
    driver.do(a.TakeStep(what="close"))
    expect(page.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    [slip] = [one for one in driver.hosted.session.judgements[0].slips if one.kind == "wrong amount"]
    shown = page.locator(".slip.open")
    expect(shown).to_contain_text("You did: paid $12.00 on seat 1's blind")
    expect(shown).to_contain_text("Right: push seat 1's blind")
    expect(shown).to_contain_text("$12.00 overpaid")
    expect(shown.locator(".clause-open")).to_contain_text("PROC-Q.6")
    expect(shown.locator(".clause-open")).to_contain_text(
        "If a hand below a straight wins, the blind pushes."
    )
    assert slip.clause == "PROC-Q.6"
    # The felt shows the moment of the slip, and the screen reader hears it.
    expect(page.locator(".chair-stage .said")).to_contain_text("paid $12.00 on seat 1's blind")
    expect(page.locator("#polite")).to_contain_text("Round 1: 1 slip")
    page.get_by_role("slider", name="Step of the round").fill("0")
    expect(page.locator(".chair-stage hw-card")).to_have_count(0)
    page.get_by_role("button", name="Next round").click()
    expect(page.get_by_role("group", name="Acts")).to_be_visible()
    expect(page.locator(".corners")).to_contain_text("Round 2 of 2")


def exposed(house: Running, visitor: Visitor) -> ChairDriver:
    """Deal to the first question, turn up the dealer's cards too early, and load the page."""
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=2, rounds=2, seed="7")
    advance(driver, lambda act: isinstance(act, a.Ask))
    driver.do(a.TurnUp(place="dealer"))
    return driver


@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
def test_a_ruling_is_judged_row_by_row_with_the_clause_and_the_dollars(
    house: Running, visit: Callable[..., Visitor], right: bool
) -> None:
    visitor = visit(house.url, f"ruling {right}", **STILL)
    driver = exposed(house, visitor)
    page, state = visitor.page, driver.hosted.session.state
    kinds = {wager for seat in state.seats.values() for hand in seat.hands for wager in hand.wagers}
    cents = {
        wager: sum(h.wagers.get(wager, 0) for s in state.seats.values() for h in s.hands) for wager in kinds
    }
    page.keyboard.press("i")
    send_report = page.get_by_role("button", name="Stop play and report")
    expect(send_report).to_have_attribute("aria-disabled", "true")
    page.get_by_role("group", name="What happened").get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where").get_by_role("button", name="dealer").click()
    send_report.click()
    rows = page.locator(".ruling-row")
    expect(rows.first).to_be_visible()
    questions = rows.evaluate_all("rows => rows.map((row) => row.dataset.key)")
    assert questions[0] == "hands"
    assert questions[-2:] == ["card", "call"] or questions[-1] == "call"
    # No answer is chosen, and an incomplete form cannot be sent.
    expect(page.locator(".ruling-row [aria-pressed=true]")).to_have_count(0)
    expect(page.get_by_role("button", name="Rule")).to_have_attribute("aria-disabled", "true")
    answers = {"hands": "Void all" if right else "Play on", "card": "Use it", "call": "The floor"}
    answers["board"] = "Complete it" if "trips" in kinds else "Leave it"
    for question in questions:
        back = "Is settled" if question == "trips" else "Is returned"
        wanted = answers.get(question, back if right else "Stays")
        page.get_by_role(
            "group",
            name=re.compile(rf"^(The )?{question.replace('_', ' ')}( in question)?$", re.IGNORECASE),
        ).get_by_role("button", name=wanted).click()
    page.get_by_role("button", name="Rule").click()
    expect(page.locator(".judged-rows")).to_be_visible()
    # MA-14.a-a: every hand is void and the wagers go back, but trips is settled (MA-14.a-b).
    sums = page.locator(".sums")
    due = sum(amount for wager, amount in cents.items() if wager != "trips")
    expect(sums).to_contain_text(f"${due / 100:,.2f} is returned.")
    hands = page.locator('.judged-rows [data-key="hands"]')
    expect(hands).to_have_class(re.compile("right" if right else "wrong"))
    expect(hands).to_contain_text("MA-14.a-a")
    # What happens to the card belongs to what happened; it has no row of its own.
    expect(page.locator('.judged-rows [data-key="card"]')).to_have_count(0)
    if "card" in questions:
        expect(page.locator(".card-line")).to_contain_text(
            "the card in question: Use it, not judged", ignore_case=True
        )
    # The document is silent on whom to call.
    silent = page.locator(".judged-rows .ruling-row.open")
    expect(silent).to_have_count(1)
    expect(silent).to_contain_text("The floor")
    expect(silent).to_contain_text("not judged")
    paper = page.locator(".ruling-paper")
    expect(paper).to_contain_text("all hands are void")
    expect(paper.get_by_role("heading", name="The same irregularity in other rulebooks")).to_be_visible()
    expect(paper.locator(".others")).to_contain_text("South Dakota")
    if right:
        expect(page.locator(".judged-rows .ruling-row.wrong")).to_have_count(0)
        expect(sums).to_contain_text("Both amounts are the same.")
    else:
        expect(sums).to_contain_text(f"Your ruling returns ${due / 100:,.2f} too little.")
        expect(page.locator(".judged-rows .ruling-row.wrong").first).to_contain_text("right")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("group", name="Acts")).to_be_visible()
    assert driver.hosted.session.state.round.void


@pytest.mark.parametrize("width", [1440, 390])
def test_the_display_shows_the_odds_of_cover_all(
    house: Running, visit: Callable[..., Visitor], width: int
) -> None:
    """MA-12.e: the green button shows the payouts for the hands dealt. They stay until the round is over."""
    visitor = visit(house.url, f"odds-{width}", view={"width": width, "height": 900}, **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=6, seed="7")
    green = a.TakeStep(what="show payouts")
    advance(driver, lambda act: act == green)
    odds = driver.page.locator(".payouts")
    expect(odds).to_have_count(0)
    send(driver, green)
    reload(driver)
    expect(odds).to_contain_text("full house")
    expect(odds).to_contain_text("to 1")
    shown = odds.bounding_box()
    assert shown is not None
    for one in driver.page.locator(".place, .place .ring, .middle-row, .tray, .machine").all():
        box = one.bounding_box()
        if box is None:
            continue
        apart = (
            shown["x"] >= box["x"] + box["width"] or box["x"] >= shown["x"] + shown["width"],
            shown["y"] >= box["y"] + box["height"] or box["y"] >= shown["y"] + shown["height"],
        )
        assert any(apart), (one.get_attribute("data-key"), shown, box)


# True once the last of the other rulebooks is above the buttons.
IN_SIGHT = """() => {
  const last = [...document.querySelectorAll(".ruling-paper .others dd")].at(-1);
  const foot = document.querySelector(".ruling-foot");
  return last.getBoundingClientRect().bottom <= foot.getBoundingClientRect().top;
}"""


def test_a_ruling_shows_the_completed_board_the_trips_of_each_seat_and_where_the_clause_is(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "trips", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=2, seed="7")
    advance(driver, lambda act: isinstance(act, a.Ask) and driver.hosted.session.state.round.up > 0)
    send(driver, a.TurnUp(place="dealer"))
    reload(driver)
    report_exposed(visitor, "dealer")
    page = visitor.page
    for row in page.locator(".ruling-row").all():
        row.get_by_role("button").first.click()
    page.get_by_role("button", name="Rule").click()
    paper = page.locator(".ruling-paper")
    expect(paper).to_contain_text("Massachusetts, section 14(a)")
    expect(paper.locator(".hit")).to_contain_text("all hands are void")
    # The other rulebooks are in sight without scrolling; the reading opens when it is pressed.
    others = paper.locator(".others dd")
    assert others.count() > 1
    page.wait_for_function(IN_SIGHT)
    reading = paper.locator(".reading")
    expect(reading.get_by_text("We return every unsettled wager")).to_be_hidden()
    reading.locator("summary").click()
    expect(reading.get_by_text("We return every unsettled wager")).to_be_visible()
    expect(page.locator('.judged-rows [data-key="progressive"] .question')).to_have_text("Progressive")
    shown = page.locator(".ruled-wagers li")
    words = [" ".join(text.split()) for text in shown.all_inner_texts()]
    rest = page.locator(".sums .rest").inner_text()
    # The dealer finishes the round: the same board, and the same result of every trips bet.
    session = driver.hosted.session
    first, before = len(session.inputs), len(session.judgements)
    board: tuple[str, ...] = ()
    settled: list[e.WagerSettled] = []
    while len(session.judgements) == before:
        act = right_act(session.table, session.chair)
        assert act is not None
        send(driver, act)
        board = max(board, tuple(map(str, session.state.round.board)), key=len)
        settled += [
            x.event for x in session.chair.entries[-1].changes if isinstance(x.event, e.WagerSettled)
        ]
    assert len(session.inputs) > first
    assert [one.wager for one in settled] == ["trips"] * len(words)
    for one, text in zip(settled, words, strict=True):
        assert text.startswith(f"Seat {one.seat}, ")
        assert dollars(one.back - one.stake) in text
    assert [card[0].replace("T", "10") for card in board[3:]] == [
        sign[:-1].rstrip("♠♥♦♣") for sign in rest.split()
    ]


def test_the_live_way_refuses_a_wrong_act_beside_the_palette_with_its_clause(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "live", **STILL)
    driver = ChairDriver(
        house, visitor, rulebook="uth-ma", mode="manual", way="live", seats=1, rounds=1, seed="1"
    )
    before = len(driver.hosted.session.inputs)
    driver.act_button("close").click()
    notice = visitor.page.locator(".beside-palette")
    expect(notice).to_contain_text("Refused.")
    expect(notice.locator("hw-clause")).to_have_count(1)
    assert len(driver.hosted.session.inputs) == before
    expect(visitor.page.locator("#assertive")).not_to_be_empty()
    refused_only(visitor, 409)


def refused_only(visitor: Visitor, status: int) -> None:
    """Check that the browser logged no error but one request that the server refused on purpose."""
    assert [str(status) in one for one in visitor.complaints] == [True]
    visitor.complaints.clear()


def test_acts_without_a_connection_are_kept_and_sent_once(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "no line", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-proc", mode="device", seats=1, rounds=1, seed="4")
    keys: list[str] = []
    lost = [True]

    def line(route: Route) -> None:
        keys.append(json.loads(route.request.post_data or "{}")["key"])
        if lost[0]:
            # The server has counted the act, but the answer does not arrive.
            if len(keys) == 1:
                route.fetch()
            route.abort("connectionrefused")
        else:
            route.continue_()

    visitor.page.route("**/acts", line)
    driver.act_button("shuffle").click()
    expect(visitor.page.get_by_text("No connection.")).to_be_visible()
    driver.act_button("load").click()
    expect(
        visitor.page.get_by_text("2 acts wait, and will be sent when the server answers. Each counts once.")
    ).to_be_visible()
    lost[0] = False
    expect(visitor.page.get_by_text("No connection.")).to_have_count(0)
    visitor.page.wait_for_function(
        "(key) => sessionStorage.getItem(key) === '[]'", arg=f"houseway-chair-{driver.session}"
    )
    own = [one.input for one in driver.hosted.session.inputs if isinstance(one.input, a.ChairAct)]
    assert own == [a.TakeStep(what="shuffle"), a.TakeStep(what="load")]
    assert len(set(keys)) == 2


def test_an_exam_shows_no_judgement_after_a_round(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "examinee", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-proc", exam="practice")
    expect(visitor.page.locator(".corners")).to_contain_text("Practice exam")
    expect(visitor.page.locator(".panel-foot")).to_contain_text("Your acts are judged when it is over.")
    closes = advance(driver, lambda act: act == a.TakeStep(what="close"))
    driver.do(closes)
    expect(visitor.page.locator(".corners")).to_contain_text("Round 2 of 10")
    expect(visitor.page.locator(".slip, .judged, .sheet-head")).to_have_count(0)


def test_the_palette_never_changes_and_a_key_can_be_changed(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "palette", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=2, rounds=1, seed="7")
    acts = "acts => acts.map((act) => [act.textContent, act.className, act.disabled, act.getAttribute('aria-disabled')])"
    first = driver.page.locator(".palette button").evaluate_all(acts)
    assert len(first) > 25
    assert not any(disabled or off for _, _, disabled, off in first)
    advance(driver, lambda act: isinstance(act, a.Ask))
    assert driver.page.locator(".palette button").evaluate_all(acts) == first
    expect(driver.page.locator(".palette [aria-pressed=true]")).to_have_count(0)
    driver.page.keyboard.press("?")
    driver.page.get_by_role("button", name=re.compile("^Ask: key Q")).click()
    driver.page.keyboard.press("v")
    driver.page.keyboard.press("Escape")
    driver.page.keyboard.press("v")
    expect(driver.act_button("Ask")).to_have_attribute("aria-pressed", "true")
    driver.page.reload()
    expect(driver.act_button("Ask").locator("kbd")).to_have_text("V")


def test_chips_are_cut_put_back_and_sized_into_the_bet(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "chips", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=1, seed="7")
    due = advance(driver, lambda act: isinstance(act, a.Pay))
    assert isinstance(due, a.Pay)
    page = visitor.page
    driver.press(driver.thing(f"wager-{due.seat}-1-{due.wager}"))
    for key in ("3", "3", "2", "1"):
        page.keyboard.press(key)
    cut = page.locator(".cut")
    expect(cut).to_contain_text("$11.50")
    expect(page.locator(".chair-panel .sum-in-hand")).to_contain_text("$11.50")
    expect(driver.act_button("Pay")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Backspace")
    expect(cut).to_contain_text("$11.00")
    page.keyboard.press("Enter")
    expect(cut).to_have_count(0)
    expect(page.locator(".done li").filter(has_text="$11.00")).to_have_count(1)
    paid = [one.input for one in driver.hosted.session.inputs if isinstance(one.input, a.Pay)][-1]
    assert (paid.seat, paid.wager, total(paid.chips)) == (due.seat, due.wager, 1100)
    # The payment was wrong. The trainee corrects it, and changes a player's chips.
    correction = a.CorrectPayment(seat=due.seat, wager=due.wager, amount=total(due.chips))
    change = a.ColourUp(seat=due.seat, taken={500: 5}, given={2500: 1})
    for act in (correction, change):
        driver.do(act)
        assert driver.hosted.session.inputs[-1].input == act
    assert driver.hosted.session.state.mispaid == {}


@pytest.mark.parametrize("view", [WIDE, LAPTOP, PHONE], ids=lambda view: str(view["width"]))
def test_no_text_overlaps_and_every_target_is_large_enough(
    house: Running, visit: Callable[..., Visitor], view: dict[str, int]
) -> None:
    more = {"is_mobile": True, "has_touch": True} if view is PHONE else {}
    visitor = visit(house.url, f"sizes {view['width']}", view=view, **STILL, **more)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=2, seed="7")
    due = advance(driver, lambda act: isinstance(act, a.Pay))
    assert isinstance(due, a.Pay)
    page = visitor.page

    parts = (".chair-main", ".chair-panel") if view is not PHONE else (".chair-stage-frame", ".palette-bar")
    overlaps = {}

    def check(moment: str) -> None:
        overlaps[moment] = [pair for part in parts for pair in page.evaluate(OVERLAPS, part)]
        overlaps[moment] += page.evaluate(HIDDEN_LINES)
        if view is not PHONE:
            overlaps[moment] += page.evaluate(TOUCHES)
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0, moment

    check("nothing picked")
    for seat in range(1, 7):
        if view is PHONE:
            page.get_by_role("button", name=f"Show seat {seat},").click()
        driver.press(driver.thing(f"wager-{seat}-1-ante"))
        for tube in (500, 100, 50):
            driver.press(driver.thing(f"tube-{tube}"))
        check(f"seat {seat}")
        page.keyboard.press("Escape")
    assert {moment: pairs for moment, pairs in overlaps.items() if pairs} == {}
    assert page.evaluate(TOO_SMALL, LEAST) == []
    if view is PHONE:
        expect(page.locator(".place.opened")).to_have_count(1)
        assert page.evaluate(TOO_SMALL, TARGET) == []
        assert page.evaluate(TOO_SMALL, [TARGET, ".chair-stage button"]) == []
        spots = page.locator(".place.opened .ring").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().bottom)"
        )
        board = driver.thing("board").bounding_box()
        assert board is not None
        assert max(spots) <= board["y"], "the board does not cover a bet"
        page.get_by_role("button", name="Acts", exact=True).click()
        expect(page.get_by_role("group", name="Acts")).to_be_visible()
        assert page.evaluate(TOO_SMALL, [TARGET, ".palette button"]) == []
        page.get_by_role("button", name="Close the acts").click()
        expect(page.get_by_role("group", name="Acts")).to_be_hidden()


@pytest.mark.parametrize("sizes", [[WIDE, LAPTOP, LOW], [PHONE]], ids=["wide", "phone"])
def test_a_judged_ruling_is_readable(
    house: Running, visit: Callable[..., Visitor], sizes: list[ViewportSize]
) -> None:
    more = {"is_mobile": True, "has_touch": True} if PHONE in sizes else {}
    visitor = visit(house.url, f"judged {len(sizes)}", view=sizes[-1], **STILL, **more)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=6, rounds=2, seed="7")
    advance(driver, lambda act: isinstance(act, a.Ask) and driver.hosted.session.state.round.up > 0)
    send(driver, a.TurnUp(place="dealer"))
    page = visitor.page
    page.reload()
    expect(page.locator(".chair-stage")).to_be_visible()
    report_exposed(visitor, "dealer")
    for row in page.locator(".ruling-row").all():
        row.get_by_role("button").first.click()
    parts = (".chair-main", ".chair-panel")
    assert page.locator(".place .does").filter(has_text=re.compile(".")).count() >= 3
    for _ in visitor.resized(sizes):
        assert page.evaluate(HIDDEN_LINES) == []
        assert [pair for part in parts for pair in page.evaluate(OVERLAPS, part)] == []
    page.get_by_role("button", name="Rule").click()
    expect(page.locator(".judged-rows")).to_be_visible()
    visitor.still()
    for _ in visitor.resized(sizes):
        # The buttons stay in sight while the panel is scrolled; at its end they cover nothing.
        page.locator(".chair-panel").evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
        assert page.evaluate(HIDDEN_LINES) == []
        assert [pair for part in parts for pair in page.evaluate(OVERLAPS, part)] == []
        page.locator(".chair-panel").evaluate("panel => panel.scrollTo(0, 0)")
        assert page.evaluate(OVERFLOW) <= 0
        # The clause is read in the panel, not in a slit of its own, and the panel's colour reaches its end.
        assert page.evaluate(SLICED) == []
        felt = page.locator(".chair-stage").bounding_box()
        line = page.locator(".points").bounding_box()
        assert felt is not None
        assert line is not None
        assert -12 <= line["y"] - (felt["y"] + felt["height"]) <= 40, "the time line follows the felt"
        assert page.evaluate(TOO_SMALL, [TARGET if PHONE in sizes else LEAST, ".ruling-foot .button"]) == []
    page.get_by_role("link", name="Drill rulings").click()
    expect(page.locator(".drill-panel h2").first).to_contain_text("Ruling 1 of")


# Parts of the panel of a ruling that have less room than their content, and parts that reach beyond the panel.
SLICED = """() => {
  const panel = document.querySelector(".chair-panel");
  const bottom = panel.getBoundingClientRect().top + panel.scrollHeight + 1;
  return [...panel.querySelectorAll(":scope > *")].filter((one) => (one.scrollHeight > one.clientHeight + 1
    && one.matches(".ruling-paper") && one.clientHeight < 240) || one.getBoundingClientRect().bottom > bottom)
    .map((one) => one.className);
}"""


def report_exposed(visitor: Visitor, place: str) -> None:
    """Report an exposed card of a place."""
    page = visitor.page
    page.keyboard.press("i")
    page.get_by_role("group", name="What happened").get_by_role("button", name="Exposed card").click()
    page.get_by_role("group", name="Where").get_by_role("button", name=place).click()
    page.get_by_role("button", name="Stop play and report").click()
    expect(page.locator(".ruling-row").first).to_be_visible()


@pytest.mark.parametrize("place", ["dealer", "board"])
def test_an_exposed_card_lies_face_up_and_no_words_say_so_before_the_report(
    house: Running, visit: Callable[..., Visitor], place: str
) -> None:
    visitor = visit(house.url, f"exposed {place}", **STILL)
    driver = ChairDriver(house, visitor, rulebook="uth-ma", mode="device", seats=2, rounds=2, seed="7")
    if place == "dealer":
        advance(driver, lambda act: isinstance(act, a.Ask))
        send(driver, a.TurnUp(place="dealer"))
    else:
        # One community card too many is turned up with the flop.
        advance(driver, lambda act: isinstance(act, a.TurnUp) and act.place == "board")
        send(driver, a.TurnUp(place="board", count=4))
    page = visitor.page
    page.reload()
    faces = driver.thing(place).locator("hw-card[card]")
    expect(faces).to_have_count({"dealer": 1, "board": 4}[place])
    expect(driver.thing(place)).to_have_attribute("aria-label", re.compile("1 card face down"))
    said = page.locator(".chair-main").inner_text().lower()
    assert "exposed" not in said
    assert "flips" not in said
    expect(page.locator(".by-mistake, .incident")).to_have_count(0)
    report_exposed(visitor, place)
    expect(page.locator(".by-mistake")).to_have_count(1)
    expect(page.locator(".exposed, .exposed-words")).to_contain_text("exposed")


UNNAMED = """() => [...document.querySelectorAll("button, a[href], input, select, [role=img], [role=group], [tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[popover]:not(:popover-open)"))
  .filter((one) => !(one.getAttribute("aria-label") || document.getElementById(one.getAttribute("aria-labelledby"))
    || one.closest("label") || one.textContent.trim())).map((one) => one.outerHTML.slice(0, 120))"""
INCIDENT = """async (place) => {
  const { incidentWords } = await import("/web/rooms/chair/felt.js");
  const cards = ["7s", ""];
  const seats = [{ seat: 2, name: "Jun", hands: [{ cards }] }];
  return incidentWords({ board: [], dealer: [] }, { board: cards, dealer: cards, seats, exposed: [{ place, cards: ["7s"] }] });
}"""
TWICE = """() => [...document.querySelectorAll("[id]")].map((one) => one.id).filter((id, n, all) => all.indexOf(id) !== n)"""


def test_every_thing_has_a_name_for_screen_readers_and_the_clock_stays_silent(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "reader", **STILL)
    driver = exposed(house, visitor)
    page = visitor.page
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(TWICE) == []
    expect(driver.thing("seat-1")).to_have_attribute("aria-label", re.compile("^Seat 1, Ines"))
    expect(driver.thing("board")).to_have_attribute("aria-label", re.compile("^Board: "))
    expect(driver.thing("hand-1-1")).to_have_attribute("aria-label", "Seat 1's cards: 2 cards face down")
    expect(driver.thing("wager-1-1-ante")).to_have_attribute(
        "aria-label", re.compile(r"^Seat 1, ante: \d+ dollars", re.IGNORECASE)
    )
    assert (
        page.locator(".chair-clock").evaluate_all(
            "all => all.filter((one) => one.closest('[aria-live], [role=status], [role=log], [role=alert]')).length"
        )
        == 0
    )
    driver.do(a.Ask(seat=1))
    expect(page.locator("#polite")).to_contain_text("Asked seat 1")
    # A card that comes face up by itself is spoken with its place, as the thing on the felt is.
    assert page.evaluate(INCIDENT, "seat 2") == "Seat 2's cards: seven of spades, 1 card face down."
    assert page.evaluate(INCIDENT, "dealer") == "Your cards: seven of spades, 1 card face down."
    assert page.evaluate(INCIDENT, "board") == "Board: seven of spades, 1 card face down."
    page.keyboard.press("i")
    assert page.evaluate(UNNAMED) == []


def test_the_landing_room_starts_a_session_for_a_newcomer_and_lists_it(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, **STILL)
    visitor.go("/chair")
    page = visitor.page
    expect(page.get_by_text("You are not signed in.")).to_be_visible()
    page.get_by_role("combobox", name="Rulebook").select_option("uth-sd")
    page.get_by_role("group", name="Players").get_by_role("button", name="2").click()
    page.get_by_role("group", name="Rounds").get_by_role("button", name="1", exact=True).click()
    page.get_by_role("textbox", name="Your name").fill("Newcomer")
    page.get_by_role("button", name="Take the chair").click()
    expect(page.locator(".chair-stage")).to_be_visible()
    expect(page.locator(".corners")).to_contain_text("Round 1 of 1")
    expect(page.locator(".place:not(.free)")).to_have_count(2)
    page.get_by_role("link", name="Chair").click()
    expect(page.get_by_role("link", name="Continue South Dakota")).to_be_visible()
    for name in ("Drills", "Find the mistake", "Exams and classes"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_role("button", name="End").click()
    expect(page.locator(".session-card")).to_contain_text("ended early")
    assert page.evaluate(OVERFLOW) <= 0


def test_a_session_of_another_person_is_not_shown(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "stranger", **STILL)
    visitor.go("/chair/table/nothing")
    expect(visitor.page.get_by_role("heading", name="There is no such session")).to_be_visible()
    refused_only(visitor, 404)
