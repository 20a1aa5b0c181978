"""A visitor's browser holds no card the visitor may not see: not drawn, named, stored or sent.

The visible cards are read from the server's state at every decision of a round with scripted cards, for two
seats and a watcher. A planted leak must be detected.
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
# A sentence can begin with "As", so "As" before a lowercase word is not the ace of spades.
TOKEN = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQK][cdhs]|A[cdhs](?! [a-z]))(?![A-Za-z0-9])")
WRITTEN = {card.words: str(card) for card in DECK} | {
    f"{'10' if str(card)[0] == 'T' else str(card)[0]}{SIGNS[str(card)[1]]}": str(card) for card in DECK
}
# All attributes, text and field values in the document, except the attributes that draw paths.
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
    """Return all cards in a text: as codes, in words or with suit symbols."""
    plain = text.replace("\ufe0e", "")
    return set(TOKEN.findall(plain)) | {card for words, card in WRITTEN.items() if words in plain}


def visible_cards(house: Running, table: str, seat: int) -> set[str]:
    """Return the cards that a seat may have seen by now; seat 0 is a watcher."""
    state = state_of(house, table)
    visible = set(state.round.board[: state.round.up])
    for number, sitting in state.seats.items():
        for hand in sitting.hands:
            if number == seat:
                visible |= {*hand.cards, *hand.discards}
            elif hand.shown:
                visible |= {*hand.cards}
    return {str(card) for card in visible}


def leaked_cards(visitor: Visitor, house: Running, table: str, seat: int) -> set[str]:
    """Return the cards in a visitor's browser that the visitor may not see."""
    cards = faces(visitor.page.evaluate(DOCUMENT))
    for frame in list(visitor.frames):
        cards |= faces(frame)
    return cards - visible_cards(house, table, seat)


def play(house: Running, visit: Callable[..., Visitor], rulebook: str) -> set[str]:
    """Play a round up to its last decision and return the leaked cards."""
    table = ""
    visitors: dict[int, Visitor] = {}
    # With the coach, Texas Shootout would be computed for minutes.
    coach = "off" if load(rulebook).game == SHOOTOUT else "before"
    settings = f'{{"pace": "brisk", "coach": "{coach}"}}'
    for seat in (*SEATS, 0):
        visitors[seat] = visit(house.url, f"viewer {seat}", settings=settings)
        table = table or visitors[seat].open_table(rulebook)
        visitors[seat].sit(table, seat) if seat else visitors[seat].go(f"/table/{table}")
    for seat in SEATS:
        # `all` does not wait for the circles.
        expect(visitors[seat].rings().first).to_be_visible()
        wagers = [ring.get_attribute("data-wager") or "" for ring in visitors[seat].rings().all()]
        visitors[seat].bet(*wagers)
        visitors[seat].ready()
    expect(visitors[SEATS[0]].choices().or_(visitors[SEATS[0]].over()).first).to_be_visible()
    leaks: set[str] = set()
    decisions = 0
    while decisions < MOST_PRESSES and (acting := acting_seat(house, table)):
        expect(visitors[acting].choices().first).to_be_visible()
        for seat, visitor in visitors.items():
            leaks |= leaked_cards(visitor, house, table, seat)
            covered = visitor.page.evaluate(COVERED)
            assert len(set(covered)) <= 2, "a face-down card is drawn like any other of its size"
        decisions += 1
        visitors[acting].answer()
    assert decisions >= len(SEATS)
    return leaks


def acting_seat(house: Running, table: str) -> int:
    """Return the seat that must act, or 0."""
    hosted = house.serving.hall.tables[table]
    now = turn(hosted.table, hosted.state)
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


def test_the_search_for_cards_knows_every_notation() -> None:
    assert faces('data-card="Ah"') == {"Ah"}
    assert faces("the ten of spades") == faces("10♠\ufe0e") == faces("Ts") == {"Ts"}
    assert faces("As fractions, round 2, loire-2d82as, As Kd") == {"As", "Kd"}
