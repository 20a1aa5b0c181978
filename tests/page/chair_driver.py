"""A person in the dealer's chair on the page: does acts with presses, and a trainee who follows the document there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine.turn_order import turns
from houseway.training import acts as a
from houseway.training.act_list import act_options
from houseway.training.chips import make, total, tray_values
from houseway.training.hosted_session import HostedSession
from page.pages import Visitor
from server.houses import Running
from training.document_trainee import DocumentTrainee

MOST_ACTS = 400
"""A number of acts that no round of a few players exceeds."""


def hosted(house: Running, session: str) -> HostedSession:
    """Return a session on the server."""
    return house.serving.training._rooms[session].hosted


class ChairDriver:
    """A visitor who deals at a training table on the page, with presses."""

    def __init__(self, house: Running, visitor: Visitor, /, **order: Any) -> None:
        self.visitor, self.page = visitor, visitor.page
        answer = visitor.context.request.post(f"{house.url}/api/training", data=order)
        assert answer.status == 201, answer.text()
        self.session = str(answer.json()["session"])
        self.hosted = hosted(house, self.session)
        self.table = self.hosted.session.table
        self.names = {one.what or one.type: one.name for one in act_options(self.table)}
        visitor.go(f"/chair/table/{self.session}")
        expect(self.page.locator(".chair-stage")).to_be_visible()

    # --- things on the page ---

    def act_button(self, kind: str) -> Locator:
        """Return the button of an act in the palette, or of one of the acts beside it."""
        name = re.compile(rf"^{re.escape(self.names[kind])}( ?[A-Z])?$")
        return self.page.locator("button.act, button.always").filter(has_text=name).first

    def thing(self, name: str) -> Locator:
        """Return a thing on the felt."""
        found = self.page.locator(f'[data-thing="{name}"]')
        return found.locator("button.ring") if name.startswith("wager-") else found

    def place(self, place: str, hand: int = 1) -> Locator:
        """Return the cards of a place, or the name of its player if it has no cards."""
        if not place.startswith("seat"):
            return self.thing(place)
        seat = place.removeprefix("seat ")
        cards = self.thing(f"hand-{seat}-{hand}")
        return cards if cards.count() else self.thing(f"seat-{seat}")

    def option(self, group: str, name: str) -> Locator:
        """Return a choice of the panel."""
        return self.page.get_by_role("group", name=group, exact=True).get_by_role(
            "button", name=name, exact=True
        )

    # --- acting ---

    def do(self, act: a.ChairAct) -> None:
        """Do an act and wait until the server has answered."""
        before = self.hosted.inputs
        self.perform(act)
        key = f"houseway-chair-{self.session}"
        self.page.wait_for_function("(key) => sessionStorage.getItem(key) === '[]'", arg=key)
        assert self.hosted.inputs == before + 1, act
        assert self.page.locator(".beside-palette .notice.refused").count() == 0, act

    def pick(self, kind: str) -> None:
        """Pick an act that needs more presses, unless it is picked."""
        button = self.act_button(kind)
        if button.get_attribute("aria-pressed") != "true":
            button.click()

    def press(self, button: Locator) -> None:
        button.click()

    def choose(self, group: str, name: str) -> None:
        """Press a choice of the panel, unless it is pressed."""
        option = self.option(group, name)
        if option.get_attribute("aria-pressed") != "true":
            self.press(option)

    def finish(self) -> None:
        """Press the button that does the act."""
        self.press(self.page.locator(".chair-panel .hand-acts .button.main"))

    def perform(self, act: a.ChairAct) -> None:
        """Press whatever the act needs."""
        kind = type(act).__name__
        match act:
            case a.TakeStep():
                self.act_button(act.what).click()
                if act.what == "cut":
                    self.page.locator(".chair-panel input.count").fill(str(act.count))
                    self.finish()
            case a.CallFloor() | a.ResetDealer():
                self.act_button(kind).click()
            case a.DealCards() | a.TurnUp():
                self.pick(kind)
                if isinstance(act, a.DealCards) or act.place == "board":
                    self.choose("Cards", f"{act.count} card{'s' if act.count != 1 else ''}")
                self.press(self.place(act.place, getattr(act, "hand", 1)))
            case a.Burn():
                self.pick(kind)
                self.choose("Cards", f"{act.count} card{'s' if act.count != 1 else ''}")
                self.finish()
            case a.Ask() | a.TakeFold() | a.Warn():
                self.pick(kind)
                self.press(self.thing(f"seat-{act.seat}"))
            case a.ReadHand():
                self.pick(kind)
                self.press(self.place(act.place, act.hand))
                self.choose("Hand named", act.reads)
                if act.result:
                    self.choose(
                        "Result", {"win": "player wins", "lose": "player loses", "tie": "push"}[act.result]
                    )
                if act.qualifies is not None:
                    self.choose("Dealer", "qualifies" if act.qualifies else "does not qualify")
                self.finish()
            case a.Pay():
                self.pick(kind)
                self.wager(act)
                for value, count in make(tray_values(self.table), total(act.chips)).items():
                    for _ in range(count):
                        self.press(self.thing(f"tube-{value}"))
                self.finish()
            case a.Take() | a.Push():
                self.pick(kind)
                self.wager(act)
            case a.SetHand():
                self.pick(kind)
                chosen = self.page.locator(".chair-panel .face-option")
                for card in act.cards:
                    self.press(chosen.filter(has=self.page.locator(f'hw-card[card="{card}"]')).first)
                self.finish()
            case a.Key():
                self.pick(kind)
                self.press(self.thing(f"seat-{act.seat}"))
                self.choose("Award", act.hand)
                self.finish()
            case a.CountStub():
                self.pick(kind)
                self.page.locator(".chair-panel input.count").fill(str(act.count))
                self.finish()
            case a.Rack():
                self.pick(kind)
                self.rack(act.what)
            case a.ColourUp():
                self.pick(kind)
                self.press(self.thing(f"seat-{act.seat}"))
                for side, stack in (("what you take", act.taken), ("what you give back", act.given)):
                    self.choose("Add chips to", side)
                    for value, count in stack.items():
                        for _ in range(count):
                            self.press(self.thing(f"tube-{value}"))
                self.finish()
            case a.CorrectPayment():
                self.pick(kind)
                self.press(self.thing(f"wager-{act.seat}-{act.hand}-{act.wager}"))
                self.page.locator(".chair-panel input.count").fill(f"{(act.amount or 0) / 100:.2f}")
                self.finish()
            case _:
                raise AssertionError(f"no presses for {act}")

    def wager(self, act: a.WagerAct) -> None:
        """Choose a bet: on the felt, or in the panel if it has no circle."""
        spot = self.thing(f"wager-{act.seat}-{act.hand}-{act.wager}")
        if not act.tip and act.of == (0, 0) and spot.count():
            self.press(spot)
            return
        self.press(self.thing(f"seat-{act.seat}"))
        if act.tip:
            self.choose("Whose", "the dealer's tip")
        if act.hand > 1:
            self.choose("Hand", str(act.hand))
        bet = self.page.locator(f'.chair-panel [data-key="ask-Bet"] [data-key="{act.wager}"]')
        if bet.get_attribute("aria-pressed") != "true":
            self.press(bet)
        if act.of != (0, 0):
            self.press(self.page.locator(f'.chair-panel [data-key="{act.of[0]} {act.of[1]}"]'))
        if not isinstance(act, a.Pay):
            self.finish()

    def rack(self, what: str) -> None:
        """Put cards into the rack: press the cards, or their name in the panel."""
        match = re.fullmatch(r"seat (\d+)(?: hand (\d+))?", what)
        if what in ("board", "dealer"):
            self.press(self.thing(what))
        elif match and self.thing(f"hand-{match[1]}-{match[2] or 1}").count():
            self.press(self.thing(f"hand-{match[1]}-{match[2] or 1}"))
        else:
            self.press(self.page.locator(f'.chair-panel .option[data-key="{what}"]'))


class _ServerCards:
    """The cards of a session on the server, for the automatic dealer of the other table."""

    def __init__(self, room: HostedSession) -> None:
        self._room = room

    def next(self, places: Sequence[str]) -> tuple[Card, ...]:
        return tuple(self._room.session._shoe.peek(len(places)))

    def take(self, cards: Sequence[Card]) -> None:
        """The server takes them when the trainee deals."""


class PageTrainee(DocumentTrainee):
    """A trainee on the page who deals as the automatic dealer of another table does.

    The other table gets the same cards, wagers and decisions. The trainee never reads what the chair expects.
    """

    def __init__(self, driver: ChairDriver, seed: int = 1) -> None:
        session = driver.hosted.session
        self.driver = driver
        self.table, self.book = session.table, session.table.book
        self.rng = Random(f"page {seed}")
        self.mirror = replace(session.state, dealer="machine")
        self.planned = []
        self.shoe: Any = _ServerCards(driver.hosted)
        self._seen = 0

    def deal_round(self, wrong: Any = None) -> int:
        """Deal a round on the page and return the number of acts. `wrong` may change an act before it is done."""
        session, acts = self.driver.hosted.session, 0
        judged = len(session.judgements)
        while len(session.judgements) == judged:
            assert acts < MOST_ACTS, "the round does not end"
            self._plan()
            if self.planned:
                act, _ = self.planned.pop(0)
                self.driver.do(wrong(act) if wrong is not None else act)
                acts += 1
            self._follow_players()
        return acts

    def _plan(self) -> None:
        """Plan the next acts, if none are planned."""
        if self.planned:
            return
        if self.mirror.round.asked is not None:
            name = "Flo" if self.table.names_persons else ""
            self._mirror(c.Approve(by="floor supervisor", name=name))
            self.planned.append((a.CallFloor(), ()))
        elif waiting := turns(self.table, self.mirror):
            self.planned.append((a.Ask(seat=self.rng.choice(waiting)), ()))
        else:
            self._copy()

    def _follow_players(self) -> None:
        """Give the other table the commands of the players."""
        inputs = self.driver.hosted.session.inputs
        for one in inputs[self._seen :]:
            if isinstance(one.input, c.Command):
                self._mirror(one.input)
        self._seen = len(inputs)


# The arrows that lead from the focused thing to another one, by the fewest presses; null if there are none.
ARROWS = """async (name) => {
  const { neighbour } = await import("/web/rooms/chair/geometry.js");
  const { things } = await import("/web/rooms/chair/keys.js");
  const all = things(document.getElementById("felt"));
  const target = all.findIndex((one) => one.closest("[data-thing]").dataset.thing === name);
  const centres = all.map((one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  const first = all.indexOf(document.activeElement);
  // Without a focus, the first arrow goes to the first thing.
  const start = first < 0 ? ["ArrowRight"] : [];
  const paths = new Map([[Math.max(0, first), start]]);
  for (const [at, path] of paths) {
    if (at === target) return path;
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      const next = neighbour(centres, at, key);
      if (!paths.has(next)) paths.set(next, [...path, key]);
    }
  }
  return null;
}"""
MOST_ARROWS = 14
"""The most arrows from one thing on the felt to another."""


class KeyboardDriver(ChairDriver):
    """The same person without a mouse."""

    def act_key(self, kind: str) -> None:
        """Press the key of an act; an act without a key is found by its name."""
        key = self.act_button(kind).get_attribute("aria-keyshortcuts")
        if key or kind == "CallFloor":
            self.page.keyboard.press((key or "f").lower())
            return
        self.page.keyboard.press("/")
        self.page.keyboard.type(self.names[kind])
        self.page.keyboard.press("Enter")

    def pick(self, kind: str) -> None:
        if self.act_button(kind).get_attribute("aria-pressed") != "true":
            self.act_key(kind)

    def walk(self, name: str) -> None:
        """Walk on the felt to a thing with the arrows, and press it with Enter."""
        if self.page.evaluate("document.activeElement.closest('.chair-felt') === null"):
            self.page.evaluate("document.activeElement.blur()")
        arrows = self.page.evaluate(ARROWS, name)
        assert arrows is not None, f"the arrows do not reach {name}"
        assert len(arrows) <= MOST_ARROWS, (name, arrows)
        for arrow in arrows:
            self.page.keyboard.press(arrow)
        assert self.page.evaluate("document.activeElement.closest('[data-thing]')?.dataset.thing") == name
        self.page.keyboard.press("Enter")

    def finish(self) -> None:
        self.page.keyboard.press("Enter")

    def perform(self, act: a.ChairAct) -> None:
        kind, keys = type(act).__name__, self.page.keyboard
        match act:
            case a.TakeStep():
                self.act_key(act.what)
            case a.CallFloor():
                self.act_key(kind)
            case a.DealCards() | a.TurnUp():
                self.pick(kind)
                if isinstance(act, a.DealCards) or act.place == "board":
                    keys.press(str(act.count))
                self.walk(self.name_of(act.place))
            case a.Ask() | a.TakeFold():
                self.pick(kind)
                self.walk(f"seat-{act.seat}")
            case a.ReadHand():
                self.pick(kind)
                self.walk(self.name_of(act.place))
                keys.press(str((self.table.terms.order.index(act.reads) + 1) % 10))
                if act.result:
                    keys.press({"win": "+", "lose": "-", "tie": "="}[act.result])
                self.finish()
            case a.Pay():
                self.pick(kind)
                self.walk(f"wager-{act.seat}-{act.hand}-{act.wager}")
                tubes = sorted(tray_values(self.table))
                for value, count in make(tubes, total(act.chips)).items():
                    for _ in range(count):
                        keys.press(str(tubes.index(value) + 1))
                self.finish()
            case a.Take() | a.Push():
                self.pick(kind)
                self.walk(f"wager-{act.seat}-{act.hand}-{act.wager}")
            case a.Rack():
                self.pick(kind)
                self.walk(self.name_of(act.what))
            case _:
                raise AssertionError(f"no keys for {act}")

    def name_of(self, place: str) -> str:
        """Return the thing of a place: its cards, or the name of its player."""
        if not place.startswith("seat"):
            return place
        seat = place.removeprefix("seat ")
        return f"hand-{seat}-1" if self.thing(f"hand-{seat}-1").count() else f"seat-{seat}"
