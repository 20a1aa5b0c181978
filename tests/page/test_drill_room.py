"""The drill room: payments by keyboard alone, every drill answered right and wrong, states, speech and sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from string import ascii_lowercase
from typing import Any

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from houseway.money import cents, exactly
from houseway.server.drill_desk import RunningDrill
from houseway.training.chips import make
from houseway.training.drills.question import QuestionPart, RightAnswer
from page.pages import PHONE, WIDE, Visitor
from page.test_dealer_chair import OVERLAPS
from page.test_sizes import TARGET, TOO_SMALL, check_no_overflow
from server.houses import Running, running

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
SIZES: dict[str, ViewportSize] = {"1440": WIDE, "1280": LAPTOP, "390": PHONE}
HAND = ("payouts", {"scope": "hand"})
TABLE = ("payouts", {"scope": "table"})
FLAT_TABLE = ("payouts", {"scope": "table", "rulebook": "shootout-sd"})
DRAWN: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "1440": (HAND, ("rulings", {})),
    "1280": (HAND, TABLE, FLAT_TABLE, ("order", {})),
    "390": (HAND, TABLE, FLAT_TABLE, ("rulings", {}), ("order", {}), ("hands", {}), ("chips", {})),
}
"""The drills that are drawn at each width, with their queries."""
MOST_CHIPS = 16
"""A payment with more chips is typed."""
SMALLEST = 24
"""WCAG 2.2: the least size of a target in CSS pixels."""
# True if a bet has a meter, in the right half of the felt if that is asked for.
METERS = """(right) => [...document.querySelectorAll(".bet:has(.bet-meter)")].some((one) => {
  const { left } = one.getBoundingClientRect();
  const felt = one.closest(".cloth").getBoundingClientRect();
  return !right || left > felt.left + felt.width / 2 - 10;
})"""
# Lines of text on the felt that run off it.
BEYOND = """() => {
  const felt = document.querySelector(".drill-felt .cloth").getBoundingClientRect();
  return [...document.querySelectorAll(".drill-felt .bet-label *")].filter((one) =>
    one.getBoundingClientRect().right > felt.right + 1).map((one) => one.textContent);
}"""
# Pairs of rings, labels and cards on the felt that cover each other.
COVERED = """() => {
  const parts = [...document.querySelectorAll(".felt-box :is(.bet-ring, .bet-label, hw-card, .read-aloud, .cut-chips p)")]
    .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()]);
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
  const name = (one) => `${one.className || one.tagName} ${one.textContent.trim().slice(0, 24)}`;
  return parts.flatMap(([one, box], n) => parts.slice(n + 1).filter(([other, of]) => !one.contains(other)
    && !(one.localName === "hw-card" && other.localName === "hw-card") && covers(box, of))
    .map(([other]) => `${name(one)} / ${name(other)}`));
}"""
NAMELESS = """() => [...document.querySelectorAll("main :is(button, input, select)")].filter((one) => one.checkVisibility()
  && !(one.getAttribute("aria-label") || one.textContent.trim() || one.closest("label")?.textContent.trim()))
  .map((one) => one.outerHTML)"""


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


class Drill:
    """A visitor in a drill, and the same drill on the server, whose key the test reads."""

    def __init__(self, house: Running, visitor: Visitor, drill: str, **query: str) -> None:
        self.house, self.visitor, self.page = house, visitor, visitor.page
        asked = {"drill": drill, "rulebook": "uth-ma", "seed": "page", **query}
        visitor.go(f"/chair/drills?{'&'.join(f'{name}={value}' for name, value in asked.items())}")
        expect(self.heading()).to_contain_text(re.compile(r" 1 of \d+"))

    def heading(self) -> Locator:
        return self.page.locator(".drill-panel h2").first

    @property
    def running(self) -> RunningDrill:
        drills = self.house.serving.drills.drills
        session = re.search(r"session=([\w-]+)", self.page.url)
        assert session is not None
        return drills[session[1]]

    def open_parts(self) -> list[tuple[QuestionPart, RightAnswer]]:
        """The parts that are not answered yet, with their right answers."""
        drill = self.running
        assert drill.asked is not None
        question = drill.asked.question
        key = {one.part: one for one in question.key}
        return [(part, key[part.name]) for part in question.facts.parts if part.name not in drill.settled]

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def pay(self, answer: str) -> None:
        """Settle the wager with keys alone. A win that a limit cuts to nothing is pushed."""
        answer = "push" if answer == "pay $0.00" else answer
        if answer in ("take", "push"):
            self.press({"take": "t", "push": "h"}[answer])
            return
        amount = 0 if answer == "none" else cents(answer.removeprefix("pay ").replace("$", ""))
        tray = sorted(make((100000, 50000, 10000, 2500, 500, 100, 50), amount).items())
        values = [50, 100, 500, 2500, 10000, 50000, 100000]
        if sum(count for _, count in tray) > MOST_CHIPS:
            self.press("a")
            self.page.keyboard.type(f"{amount / 100:.2f}")
        else:
            self.press(*(str(values.index(value) + 1) for value, count in tray for _ in range(count)))
        self.press("Enter")

    def answer(self, *, right: bool) -> None:
        """Answer the whole question with keys, except for the amount of a stack, which is typed."""
        for part, key in self.open_parts():
            wanted = key.answer
            match part.form:
                case "choice":
                    choices = list(part.choices)
                    at = choices.index(wanted)
                    self.press(ascii_lowercase[at if right else (at + 1) % len(choices)])
                case "sequence":
                    self.press(*(wanted if right else wanted[::-1]))
                case "amount":
                    field = self.page.get_by_label("The stack is worth")
                    expect(field).to_be_focused()
                    self.page.keyboard.type(wanted if right else "0.50")
                case "stack":
                    amount = key.amount if right else key.amount + 50
                    values = [50, 100, 500, 2500, 10000, 50000, 100000]
                    stack = make(tuple(reversed(values)), amount)
                    self.press(*(str(values.index(v) + 1) for v, n in stack.items() for _ in range(n)))
        self.press("Enter")


def test_sixty_payments_by_keyboard_alone_are_graded_in_order_without_waiting(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    drill = Drill(house, visit(house.url, "Noor"), "payouts", scope="hand")
    requests: list[str] = []
    drill.page.on("request", lambda request: requests.append(f"{request.method} {request.url}"))
    expected = []
    for number in range(1, 61):
        expect(drill.heading()).to_have_text(f"Payment {number} of 60")
        (_, key), *_ = drill.open_parts()
        if number % 10 == 4:
            drill.pay({"take": "push", "none": "pay $5.00"}.get(key.answer, "take"))
            expect(drill.page.locator(".hand-note")).to_contain_text("Answer once more")
            expected.append("wrong")
        else:
            expected.append("right")
        drill.pay(key.answer)
    expect(drill.page.get_by_role("heading", level=1)).to_have_text("Payouts: 54 of 60 right")
    assert [mark.judgement for mark in drill.running.marks] == expected
    # Each answer is one request, and the next hand comes with its grade.
    assert len(requests) == 60 + 6
    assert {request.split("/")[-1] for request in requests} == {"answers"}
    # Finished: marks, weak kinds, Again.
    marks = drill.page.get_by_role("list", name="Marks in order").locator("li")
    expect(marks).to_have_text(expected, use_inner_text=True)
    expect(drill.page.get_by_role("heading", name="Practise more")).to_be_visible()
    drill.page.get_by_role("button", name="Again").click()
    expect(drill.heading()).to_have_text("Payment 1 of 60")


def test_the_result_stays_beside_its_bet_and_a_second_wrong_answer_shows_sum_and_clause(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    drill = Drill(house, visit(house.url, "Beside"), "payouts", scope="hand", rulebook="uth-sd", seed="sum")
    while True:
        (part, key), *others = drill.open_parts()
        bet = drill.page.locator(f'.bet[data-part="{part.name}"]')
        # The bet to settle is outlined.
        expect(bet.locator(".bet-ring")).to_have_class(re.compile("chosen"))
        if key.answer.startswith("pay") and others and any(line.odds for line in key.lines):
            break
        drill.pay(key.answer)
        if others:
            expect(bet.locator(".bet-result.right")).to_be_visible()
        else:
            expect(bet).to_have_count(0)
    drill.press("1", "Enter")
    expect(bet.locator(".bet-result.wrong")).to_contain_text("once more")
    expect(bet).not_to_contain_text(exactly(key.amount))
    drill.press("1", "1", "Enter")
    expect(bet.locator(".bet-result.wrong")).to_contain_text(f"{key.answer} · ")
    expect(bet).to_contain_text(exactly(key.amount))
    expect(bet.get_by_role("button", name=f"Clause {key.clause}")).to_be_visible()
    miss = drill.page.locator(".miss")
    expect(miss).to_contain_text("You paid $1.00. The right answer: ")
    expect(drill.page.locator(".marks .mark-wrong")).to_have_count(1)


def test_the_bet_is_not_outlined_for_a_whole_table_and_arrows_choose_it(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    drill = Drill(house, visit(house.url, "Table"), "payouts", scope="table")
    expect(drill.page.locator(".bet-ring.chosen")).to_have_count(0)
    drill.press("t")
    expect(drill.page.locator(".missing")).to_have_text("Choose a wager first.")
    drill.press("ArrowRight")
    chosen = drill.page.locator(".bet-ring.chosen")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    name = chosen.get_attribute("data-part")
    key = next(key for part, key in drill.open_parts() if part.name == name)
    drill.pay(key.answer)
    expect(drill.page.locator(f'.pod-bet[data-part="{name}"] .bet-result.right')).to_be_visible()
    expect(drill.page.locator(".bet-ring.chosen")).to_have_count(0)
    other = drill.open_parts()[-1][0].name
    drill.page.locator(f'button[data-part="{other}"]').click()
    expect(drill.page.locator(".bet-ring.chosen")).to_have_attribute("data-part", other)


@pytest.mark.parametrize("drill_name", ["hands", "order", "next", "rulings", "chips"])
def test_every_other_drill_is_answered_right_and_then_wrong(
    house: Running, visit: Callable[..., Visitor], drill_name: str
) -> None:
    drill = Drill(house, visit(house.url, f"Kind {drill_name}"), drill_name)
    drill.answer(right=True)
    expect(drill.heading()).to_contain_text(" 2 of ")
    forms = {"hands": 1, "order": 1, "next": 1, "rulings": 1, "chips": 2}
    for number in range(forms[drill_name]):
        drill.answer(right=False)
        judged = drill.page.get_by_role("button", name="Continue")
        expect(judged).to_be_visible()
        if drill_name == "chips":
            expect(drill.page.locator(".judged")).to_contain_text("The right answer: ")
        else:
            expect(drill.page.locator(".judged hw-clause, .row-clause hw-clause").first).to_be_visible()
        drill.press("Enter")
        expect(drill.heading()).to_contain_text(f" {3 + number} of ")
    expected = ["right", *["wrong"] * forms[drill_name]]
    assert [mark.judgement for mark in drill.running.marks] == expected


def test_an_order_is_made_with_the_pointer(house: Running, visit: Callable[..., Visitor]) -> None:
    drill = Drill(house, visit(house.url, "Pointer"), "order")
    ((part, key),) = drill.open_parts()
    acts = drill.page.locator(".act")
    for letter in key.answer:
        acts.nth(ascii_lowercase.index(letter)).click()
    drill.page.get_by_role("button", name=re.compile("^Move .* down$")).first.click()
    drill.page.get_by_role("button", name=re.compile("^Move .* up$")).nth(1).click()
    drill.page.get_by_role("button", name="Answer").click()
    expect(drill.heading()).to_contain_text(" 2 of ")
    assert [mark.judgement for mark in drill.running.marks] == ["right"]
    assert len(part.choices) >= 3


def test_the_screen_reader_hears_the_hand_and_each_sum(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    drill = Drill(house, visit(house.url, "Reader"), "payouts", scope="hand")
    said = drill.page.locator("#polite p")
    drill.press("s")
    expect(said.last).to_contain_text("Wagers: ")
    text = said.last.inner_text()
    assert re.search(r"Board: \w+ of \w+(, \w+ of \w+){4}\.", text)
    assert re.search(r"Dealer: \w+ of \w+, \w+ of \w+\.", text)
    assert re.search(r"Seat \d: \w+ of \w+, .*Wagers: ante \$", text)
    drill.press("4", "1")
    expect(said.last).to_have_text("25 dollars and 50 cents.")
    assert said.all_inner_texts()[-2:] == ["25 dollars.", "25 dollars and 50 cents."]
    drill.press("Shift+4")
    assert said.last.inner_text() == "0 dollars and 50 cents."
    drill.press("Backspace")
    (_, key), *_ = drill.open_parts()
    drill.pay(key.answer)
    expect(said.last).to_contain_text("Right")
    assert drill.page.evaluate(NAMELESS) == []


# --- states ---


def test_a_first_visit_asks_for_a_name_and_offers_three_drills_without_figures(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    visitor.go("/chair/drills")
    visitor.page.get_by_label("Your name").fill("First visit")
    visitor.page.get_by_role("button", name="Continue").click()
    first = visitor.page.locator(".drill-menu > .drill-cards .drill-card h2")
    expect(first).to_have_text(["Payouts", "Hand reading", "What next?"])
    more = visitor.page.locator(".more-drills .drill-card h2")
    expect(more).to_have_text(["Order", "Rulings", "Chips"])
    expect(visitor.page.locator(".drill-menu")).not_to_contain_text("Level")
    expect(visitor.page.locator(".drill-panel")).to_be_hidden()


def test_the_menu_says_that_nothing_is_to_be_repeated_now(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Nothing due")
    drill = Drill(house, visitor, "chips")
    drill.answer(right=True)
    expect(drill.heading()).to_contain_text(" 2 of ")
    visitor.page.get_by_role("button", name="Other drills").click()
    expect(visitor.page.get_by_text("Nothing to repeat now.")).to_be_visible()
    expect(visitor.page.get_by_text("The next repeat is due in 10 minutes.")).to_be_visible()
    expect(visitor.page.locator(".drill-card")).to_have_count(6)


def test_the_felt_and_the_tray_are_shown_while_the_drill_loads(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Loading")
    held: list[Any] = []
    visitor.page.route(re.compile("/api/drills$"), lambda route: held.append(route))
    visitor.go("/chair/drills?drill=payouts&scope=hand&rulebook=uth-ma")
    expect(visitor.page.locator(".drill-felt .cloth")).to_be_visible()
    expect(visitor.page.get_by_role("group", name="Chip tray").get_by_role("button")).to_have_count(7)
    expect(visitor.page.locator(".drill-felt hw-card")).to_have_count(0)
    visitor.page.wait_for_timeout(50)
    held[0].continue_()
    expect(visitor.page.locator(".drill-felt hw-card").first).to_be_visible()


def test_an_error_says_what_failed_and_offers_another_try(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Error")
    refusal = {
        "refused": [{"code": "record", "clause": None, "where": "record", "message": "the record is down"}]
    }
    # The browser logs the status of the reply as an error.
    visitor.page.route(
        re.compile(r"/api/drills\?"),
        lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps(refusal)),
    )
    visitor.go("/chair/drills")
    expect(visitor.page.get_by_role("alert").filter(has_text="The record is down")).to_be_visible()
    visitor.page.unroute(re.compile(r"/api/drills\?"))
    visitor.page.get_by_role("button", name="Try again").click()
    expect(visitor.page.locator(".drill-card").first).to_be_visible()
    assert all("503" in one for one in visitor.complaints)
    visitor.complaints.clear()


def test_an_answer_without_a_connection_is_kept_and_sent_once(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    drill = Drill(house, visit(house.url, "Offline"), "payouts", scope="wager")
    lost: list[Any] = []

    def lose(route: Any) -> None:
        """Let the first answer arrive, but lose its reply; then lose the next one."""
        if not lost:
            route.fetch()
        lost.append(route)
        route.abort("connectionrefused")

    drill.page.route(re.compile("/answers$"), lose)
    (_, key), *_ = drill.open_parts()
    drill.pay(key.answer)
    notice = drill.page.get_by_text("The server does not answer.")
    expect(notice).to_be_visible()
    drill.page.unroute(re.compile("/answers$"))
    expect(drill.heading()).to_have_text("Payment 2 of 60")
    expect(notice).to_have_count(0)
    assert [mark.judgement for mark in drill.running.marks] == ["right"]


def test_a_drill_that_has_ended_can_be_started_again(house: Running, visit: Callable[..., Visitor]) -> None:
    drill = Drill(house, visit(house.url, "Expired"), "payouts", scope="wager")
    drill.page.reload()
    expect(drill.heading()).to_have_text("Payment 1 of 60")
    house.serving.drills.drills.clear()
    drill.press("t")
    expect(drill.page.get_by_role("heading", name="This drill has ended")).to_be_visible()
    drill.page.get_by_role("button", name="Start again").click()
    expect(drill.heading()).to_have_text("Payment 1 of 60")
    drill.visitor.complaints = [one for one in drill.visitor.complaints if "404" not in one]


# --- sizes ---


@pytest.mark.parametrize("size", list(SIZES))
def test_nothing_overlaps_or_overflows(house: Running, visit: Callable[..., Visitor], size: str) -> None:
    visitor = visit(house.url, f"Size {size}", view=SIZES[size])
    for name, query in DRAWN[size]:
        drill = Drill(house, visitor, name, **query)
        if query.get("scope") == "hand":
            (_, key), *_ = drill.open_parts()
            drill.pay(key.answer)
            expect(drill.heading()).to_have_text("Payment 2 of 60")
            drill.press("4", "3", "2")
        visitor.still()
        assert visitor.page.evaluate(COVERED) == [], (name, query)
        check_no_overflow(visitor)
        assert visitor.page.evaluate(TOO_SMALL, TARGET if size == "390" else SMALLEST) == [], (name, query)
        if size != "390" and name == "payouts" and query["scope"] == "hand":
            pay = visitor.page.get_by_role("button", name="Pay").bounding_box()
            assert pay is not None
            assert pay["y"] + pay["height"] <= SIZES[size]["height"], (
                "Pay is on the screen without scrolling"
            )
    widths = {}
    drill = Drill(house, visitor, "payouts", scope="wager")
    for kind in ("Take", "Push", "Pay"):
        box = visitor.page.get_by_role("button", name=kind).bounding_box()
        assert box is not None
        widths[kind] = (round(box["width"]), round(box["height"]))
    assert len(set(widths.values())) == 1, "Take, Push and Pay weigh the same"


@pytest.mark.parametrize("size", list(SIZES))
def test_a_meter_stays_on_the_felt(house: Running, visit: Callable[..., Visitor], size: str) -> None:
    """The words of a meter are longer than its bet. On a phone, the bet is in the right column of two."""
    visitor = visit(house.url, f"Meter {size}", view=SIZES[size], reduced_motion="reduce")
    drill = Drill(house, visitor, "payouts", scope="hand", seed="p")
    for number in range(2, 40):
        if visitor.page.evaluate(METERS, size == "390"):
            break
        drill.pay(drill.open_parts()[0][1].answer)
        expect(drill.heading()).to_have_text(f"Payment {number} of 60")
    assert visitor.page.evaluate(METERS, size == "390")
    visitor.still()
    assert visitor.page.evaluate(COVERED) == []
    assert visitor.page.evaluate(BEYOND) == []
    check_no_overflow(visitor)


@pytest.mark.parametrize("size", list(SIZES))
def test_a_wrong_answer_leaves_every_act_in_reach(
    house: Running, visit: Callable[..., Visitor], size: str
) -> None:
    visitor = visit(house.url, f"Wrong {size}", view=SIZES[size], reduced_motion="reduce")
    # The fifth payment of this seed has a play and four other bets, and the longest notes.
    drill = Drill(house, visitor, "payouts", scope="hand", seed="p")
    for number in range(2, 6):
        drill.pay(drill.open_parts()[0][1].answer)
        expect(drill.heading()).to_have_text(f"Payment {number} of 60")
    (part, key), *_ = drill.open_parts()
    drill.pay("push" if key.answer != "push" else "take")
    page = visitor.page
    expect(page.locator(".hand-note")).to_contain_text("Answer once more")
    drill.press("4", "3", "2")
    visitor.still()
    assert page.evaluate(COVERED) == []
    assert page.evaluate(OVERLAPS, ".chips-controls") == []
    check_no_overflow(visitor)
    note = page.locator(".hand-note p").bounding_box()
    pay = page.get_by_role("button", name="Pay").bounding_box()
    bet = page.locator(f'.bet[data-part="{part.name}"] .bet-ring').bounding_box()
    tray = page.get_by_role("group", name="Chip tray").bounding_box()
    assert note is not None
    assert pay is not None
    assert bet is not None
    assert tray is not None
    assert note["height"] <= 40, "the note is not squeezed into a column"
    assert note["y"] + note["height"] <= pay["y"]
    assert pay["y"] + pay["height"] <= SIZES[size]["height"]
    assert bet["y"] + bet["height"] <= tray["y"], "the outlined bet is in sight"
    if size != "390":
        assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(TOO_SMALL, TARGET if size == "390" else SMALLEST) == []
