"""Rounds looked at again: the shuffle is checked in the browser, and what was tampered with is noticed."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from houseway.shoe.verify_round import Fault, faults, read
from page.houses import dollars
from page.pages import Visitor
from server.houses import Running, running
from shoe.test_verifier import TAMPER, rounds

TAMPERS = 4
"""Documents of each kind of tampering."""


@pytest.fixture(scope="module")
def house() -> Any:
    with running() as found:
        yield found


def played(one: Visitor) -> str:
    """A table with a round of one's own behind it, salts in its cut."""
    table = one.open_table("uth-ma")
    one.sit(table, 3)
    one.bet("ante", "trips")
    one.ready()
    one.finish("Check", "Play 1×")
    return table


def test_a_link_from_ones_seat_shows_others_what_everybody_saw(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one, other = visit(house.url, "Sharing"), visit(house.url, "Friend")
    link = f"/table/{played(one)}/round/1?as=seat%203&event=20"
    one.go(link)
    expect(one.page.get_by_role("article")).to_contain_text("Sharing")
    stranger = visit(house.url)
    for looks in (other, stranger):
        looks.go(link)
        expect(looks.page.get_by_role("article")).to_contain_text("Sharing")
        expect(looks.page.get_by_text("Event 20 of")).to_be_visible()


def test_a_round_is_verified_in_the_browser_and_told(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Replaying")
    table = played(one)
    hand, board = one.cards(), one.board()
    one.go(f"/table/{table}/round/1")
    seal = one.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("Shuffle verified in this browser")
    expect(seal).to_contain_text("9 cards shown, 9 match the seal")
    expect(seal).to_contain_text("43 cards stay face down")
    proofs = one.asked(f"/api/tables/{table}/rounds/1/proofs?as=seat%203")
    assert any("salts" in cut for cut in proofs["cuts"]), "the browser's own bytes are in the cut"
    assert faults(proofs) == []
    assert (one.cards(), one.board()) == (hand, board)
    story = one.page.get_by_role("article")
    told = one.asked(f"/api/tables/{table}/rounds/1?as=seat%203")["story"]
    expect(story.get_by_role("heading", level=3)).to_have_text(
        [p["heading"] for p in told if "heading" in p]
    )
    one.page.keyboard.press("Home")
    expect(one.page.get_by_text("Event 1 of")).to_be_visible()
    # Every event says what it is, to a reader too, where the record has no sentence for it as well.
    steps = one.asked(f"/api/tables/{table}/rounds/1?as=seat%203")["updates"]
    at = next(n for n, step in enumerate(steps) if step["event"].get("step") == "expose the flop")
    one.page.get_by_role("slider", name="Event").fill(str(at))
    expect(one.page.locator(".event")).to_have_text(
        f"Event {at + 1} of {len(steps)} · FlopDealer's step: expose the flop"
    )
    expect(one.page.get_by_role("slider", name="Event")).to_have_attribute(
        "aria-valuetext", f"Event {at + 1} of {len(steps)}, Flop, Dealer's step: expose the flop"
    )
    one.page.keyboard.press("Home")
    assert one.cards() == one.board() == []
    one.page.keyboard.press("End")
    assert one.board() == board
    one.button("Rail").click()
    expect(seal).to_contain_text("match the seal")


def test_the_list_of_rounds_names_who_sat_there_then(house: Running, visit: Callable[..., Visitor]) -> None:
    """The same seat, two people one after the other."""
    first, second = visit(house.url, "First"), visit(house.url, "Second")
    table = played(first)
    first.over().click()
    first.button("Watch instead").click()
    expect(first.page.get_by_text("You are watching.")).to_be_visible()
    second.sit(table, 3)
    second.bet("ante")
    second.ready()
    second.finish("Check", "Play 1×")
    second.go(f"/record?table={table}")
    rounds = second.page.get_by_role("region", name="Rounds").get_by_role("listitem")
    expect(rounds).to_have_count(2)
    newest, oldest = second.asked(f"/api/tables/{table}/rounds")["rounds"]
    for row, round_, name in ((0, newest, "Second"), (1, oldest, "First")):
        expect(rounds.nth(row)).to_contain_text(f"Round {round_['number']}")
        expect(rounds.nth(row)).to_contain_text(name)
        expect(rounds.nth(row)).to_contain_text(dollars(round_["net"]["3"]))
    expect(rounds.nth(1)).not_to_contain_text("Second")


def test_a_proof_tampered_with_on_its_way_is_told(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Tampered")
    table = played(one)

    def tampered(route: Route) -> None:
        answer = route.fetch()
        proofs = answer.json()
        first, second = proofs["cards"][:2]
        first["card"], second["card"] = second["card"], first["card"]
        route.fulfill(response=answer, json=proofs)

    one.page.route("**/proofs*", tampered)
    one.go(f"/table/{table}/round/1")
    seal = one.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("The seal does not match")
    expect(seal).to_contain_text("was not committed at position")
    expect(seal.get_by_role("alert")).to_be_visible()
    expect(seal.get_by_role("link", name="Export the proofs")).to_be_visible()


def test_sound_proofs_of_other_cards_are_noticed(house: Running, visit: Callable[..., Visitor]) -> None:
    """The felt shows one card, the proofs are of another."""
    one = visit(house.url, "Swapped")
    table = played(one)

    def swapped(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        patches = [step.get("patch", {}).get("table", {}) for step in answer.json()["updates"]]
        board = next(patch["board"] for patch in reversed(patches) if patch.get("board"))
        other = next(card for card in ("2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c") if card not in text)
        route.fulfill(response=answer, body=text.replace(f'"{board[0]}"', f'"{other}"'))

    one.page.route(re.compile(r"/rounds/1\?.*as="), swapped)
    one.go(f"/table/{table}/round/1")
    seal = one.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("is not among the cards proved for it")


def test_another_round_does_not_pass_for_one_s_own(house: Running, visit: Callable[..., Visitor]) -> None:
    """Sound in itself, cards and proofs alike, but under another seal than the one seen before the wagers."""
    one = visit(house.url, "Watchful")
    own, other = played(one), played(one)

    def exchanged(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(own, other)))

    one.page.route(f"**/api/tables/{own}/rounds/1*", exchanged)
    one.page.route(f"**/api/tables/{own}/rounds/1/*", exchanged)
    one.go(f"/table/{own}/round/1")
    seal = one.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("The seal does not match")
    expect(seal).to_contain_text("another shoe")


def documents() -> list[Any]:
    """Sound proofs, and proofs tampered with in every way there is."""
    rng = Random("browser")
    sound = [read(raw) for raw, _ in rounds("browser", TAMPERS)]
    changed = []
    for document in sound:
        for tamper in TAMPER.values():
            changed.append(copy.deepcopy(document))
            tamper(rng, changed[-1])
    odd: list[Any] = [{}, [], None, {**sound[0], "format": "other"}, {**sound[0], "more": 1}]
    odd += [{**sound[0], "cards": []}, {**sound[0], "deals": {}}, {**sound[0], "cuts": [{"dealt": 0}]}]
    return [*sound, *changed, *odd]


def found(document: Any) -> bool:
    """Whether the stranger's program finds something wrong."""
    try:
        return bool(faults(json.loads(json.dumps(document))))
    except Fault:
        return True


def test_the_browser_s_verifier_finds_what_the_stranger_s_program_finds(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url)
    one.go("/")
    given = documents()
    said = one.page.evaluate(
        """async (documents) => {
          const { faults } = await import("/web/verify.js");
          return Promise.all(documents.map(async (one) => (await faults(one)).length > 0));
        }""",
        given,
    )
    assert said == [found(document) for document in given]
    assert said.count(False) == TAMPERS


def test_the_digest_written_out_is_sha_256(house: Running, visit: Callable[..., Visitor]) -> None:
    """Over plain http between two machines a browser offers no other."""
    one = visit(house.url)
    one.go("/")
    lengths = [0, 1, 3, 55, 56, 63, 64, 65, 119, 1000]
    said = one.page.evaluate(
        """async (lengths) => {
          const { digest } = await import("/web/verify.js");
          const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
          return lengths.map((length) => hex(digest(Uint8Array.from({ length }, (_, n) => n % 251))));
        }""",
        lengths,
    )
    assert said == [hashlib.sha256(bytes(n % 251 for n in range(length))).hexdigest() for length in lengths]


def test_the_newest_table_stands_first_on_record(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url, "Shelves")
    one.open_table("uth-ma", name="Older")
    one.open_table("uth-sd", name="Newer")
    one.go("/record")
    tables = one.page.get_by_role("navigation", name="Tables").get_by_role("link")
    expect(tables.first).to_contain_text("Table Newer")
    expect(tables.first).to_have_attribute("aria-current", "page")
    expect(tables.nth(1)).to_contain_text("Table Older")


def test_the_end_of_a_seal_is_no_card(house: Running, visit: Callable[..., Visitor]) -> None:
    one = visit(house.url)
    one.go("/record")
    sentence = """async () => (await import("/web/rooms/record/story.js"))
      .formatSentence("Sealed d9147536c516c, then 6c.").map((part) => part.textContent ?? part)"""
    assert one.page.evaluate(sentence) == ["Sealed d9147536c516c, then ", "6♣\ufe0esix of clubs", "."]
