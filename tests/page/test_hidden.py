"""No card that somebody may not see is in their browser: not drawn, not named, not stored, not sent.

What may be seen is looked up at the house itself, at every decision of a round with scripted cards, for two
seats and for somebody who only watches. Then a leak is planted, and noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from houseway.cards import DECK
from houseway.engine.turn_order import turn
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from page.houses import state_of
from page.pages import MOST_PRESSES, Visitor
from scripted import Scripted
from server.hosted_rounds import plant_a_leak, shuffled
from server.houses import Running, running

SEATS = (1, 4)
SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
# "As" begins sentences too; an ace of spades that leaks does not stand before a small letter.
TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQK][cdhs]|A[cdhs](?! [a-z]))(?![A-Za-z0-9])")
WRITTEN = {card.words: str(card) for card in DECK} | {
    f"{'10' if str(card)[0] == 'T' else str(card)[0]}{SIGNS[str(card)[1]]}": str(card) for card in DECK
}
# Everything in the document but how a path is drawn: attributes, text, what fields hold.
DOCUMENT = """() => {
  const drawn = new Set(["d", "transform", "viewBox", "points"]);
  const found = [];
  const nodes = document.createNodeIterator(document, NodeFilter.SHOW_ALL);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node.nodeType !== Node.ELEMENT_NODE) found.push(node.nodeValue ?? "");
    else {
      for (const { name, value } of node.attributes) if (!drawn.has(name)) found.push(`${name}=${value}`);
      if ("value" in node) found.push(String(node.value));
    }
  }
  return [...found, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join("\\n");
}"""
COVERED = """() => [...document.querySelectorAll("hw-card:not([card])")]
  .map((card) => `${card.getAttribute("size")} ${card.getAttribute("back")} ${card.innerHTML}`)"""


def faces(text: str) -> set[str]:
    """All cards that a text tells: as they are written down, in words, in signs."""
    plain = text.replace("\ufe0e", "")
    return set(TOKEN.findall(plain)) | {card for words, card in WRITTEN.items() if words in plain}


def shown(house: Running, table: str, seat: int) -> set[str]:
    """The cards that a seat may have seen by now; 0 is somebody who only watches."""
    state = state_of(house, table)
    seen = set(state.round.board[: state.round.up])
    for number, sitting in state.seats.items():
        for hand in sitting.hands:
            if number == seat:
                seen |= {*hand.cards, *hand.discards}
            elif hand.shown:
                seen |= {*hand.cards}
    return {str(card) for card in seen}


def leaked(one: Visitor, house: Running, table: str, seat: int) -> set[str]:
    """Cards found with a visitor who may not have seen them."""
    found = faces(one.page.evaluate(DOCUMENT))
    for frame in list(one.frames):
        found |= faces(frame)
    return found - shown(house, table, seat)


def play(house: Running, visit: Callable[..., Visitor], rulebook: str) -> set[str]:
    """A round as far as its last decision; all that leaked."""
    table = ""
    here: dict[int, Visitor] = {}
    # Texas Shootout is counted for minutes once somebody asks the coach.
    coach = "off" if load(rulebook).game == SHOOTOUT else "before"
    settings = f'{{"pace": "brisk", "coach": "{coach}"}}'
    for seat in (*SEATS, 0):
        here[seat] = visit(house.url, f"viewer {seat}", settings=settings)
        table = table or here[seat].open_table(rulebook)
        here[seat].sit(table, seat) if seat else here[seat].go(f"/table/{table}")
    for seat in SEATS:
        wagers = [ring.get_attribute("data-wager") or "" for ring in here[seat].rings().all()]
        here[seat].bet(*wagers)
        here[seat].ready()
    expect(here[SEATS[0]].choices().or_(here[SEATS[0]].over()).first).to_be_visible()
    found: set[str] = set()
    decisions = 0
    while decisions < MOST_PRESSES and (asked := decides(house, table)):
        expect(here[asked].choices().first).to_be_visible()
        for seat, one in here.items():
            found |= leaked(one, house, table, seat)
            covered = one.page.evaluate(COVERED)
            assert len(set(covered)) <= 2, "a face-down card is drawn like any other of its size"
        decisions += 1
        here[asked].answer()
    assert decisions >= len(SEATS)
    return found


def decides(house: Running, table: str) -> int:
    """The seat that is asked now; 0 where none is."""
    hosted = house.serving.hall.tables[table]
    now = turn(hosted.table, hosted.live.state)
    return now[0] if now else 0


@pytest.mark.parametrize("rulebook", ["uth-ma", "shootout-sd"])
def test_no_hidden_card_is_anywhere_in_a_browser(visit: Callable[..., Visitor], rulebook: str) -> None:
    order = " ".join(shuffled(Random(f"hidden {rulebook}"), rulebook))
    with running(maker=lambda: Scripted([order])) as house:
        assert play(house, visit, rulebook) == set()


def test_a_planted_leak_is_noticed(visit: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch) -> None:
    plant_a_leak(monkeypatch)
    order = " ".join(shuffled(Random("planted"), "uth-ma"))
    with running(maker=lambda: Scripted([order])) as house:
        assert len(play(house, visit, "uth-ma")) == 2


def test_the_search_finds_a_card_however_it_is_told() -> None:
    assert faces('data-card="Ah"') == {"Ah"}
    assert faces("the ten of spades") == faces("10♠\ufe0e") == faces("Ts") == {"Ts"}
    assert faces("As fractions, round 2, loire-2d82as, As Kd") == {"As", "Kd"}
