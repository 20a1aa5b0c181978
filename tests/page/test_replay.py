"""Replays on the page: the browser verifies the shuffle and detects tampering."""

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

from houseway.shoe.verify_round import ProofFault, faults, read
from page.houses import dollars
from page.pages import Visitor
from server.houses import Running, running
from server.mispaid import play_a_mispaid_round
from shoe.test_verifier import TAMPER, rounds

TAMPERS = 4
"""The number of documents for each kind of tampering."""


@pytest.fixture(scope="module")
def house() -> Any:
    with running() as server:
        yield server


def play_round(visitor: Visitor) -> str:
    """Play a round with the visitor's salt and return the table."""
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante", "trips")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    return table


def test_a_shared_link_from_a_seat_shows_others_the_public_view(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor, other = visit(house.url, "Sharing"), visit(house.url, "Friend")
    link = f"/table/{play_round(visitor)}/round/1?as=seat%203&event=20"
    visitor.go(link)
    expect(visitor.page.get_by_role("article")).to_contain_text("Sharing")
    stranger = visit(house.url)
    for looks in (other, stranger):
        looks.go(link)
        expect(looks.page.get_by_role("article")).to_contain_text("Sharing")
        expect(looks.page.get_by_text("Event 20 of")).to_be_visible()


def test_a_round_is_verified_and_explained_in_the_browser(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Replaying")
    table = play_round(visitor)
    hand, board = visitor.cards(), visitor.board()
    visitor.go(f"/table/{table}/round/1")
    seal = visitor.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("Shuffle verified in this browser")
    expect(seal).to_contain_text("9 cards shown, 9 match the seal")
    expect(seal).to_contain_text("43 cards stay face down")
    proofs = visitor.get_json(f"/api/tables/{table}/rounds/1/proofs?as=seat%203")
    assert any("salts" in cut for cut in proofs["cuts"]), "the browser's own bytes are in the cut"
    assert faults(proofs) == []
    assert (visitor.cards(), visitor.board()) == (hand, board)
    story = visitor.page.get_by_role("article")
    passages = visitor.get_json(f"/api/tables/{table}/rounds/1?as=seat%203")["story"]
    expect(story.get_by_role("heading", level=3)).to_have_text(
        [p["heading"] for p in passages if "heading" in p]
    )
    visitor.page.keyboard.press("Home")
    expect(visitor.page.get_by_text("Event 1 of")).to_be_visible()
    # Every event has a name for screen readers, even if the record has no sentence for it.
    steps = visitor.get_json(f"/api/tables/{table}/rounds/1?as=seat%203")["updates"]
    at = next(n for n, step in enumerate(steps) if step["event"].get("step") == "expose the flop")
    visitor.page.get_by_role("slider", name="Event").fill(str(at))
    expect(visitor.page.locator(".event")).to_have_text(
        f"Event {at + 1} of {len(steps)} · FlopDealer's step: expose the flop"
    )
    expect(visitor.page.get_by_role("slider", name="Event")).to_have_attribute(
        "aria-valuetext", f"Event {at + 1} of {len(steps)}, Flop, Dealer's step: expose the flop"
    )
    visitor.page.keyboard.press("Home")
    assert visitor.cards() == visitor.board() == []
    visitor.page.keyboard.press("End")
    assert visitor.board() == board
    visitor.button("Rail").click()
    expect(seal).to_contain_text("match the seal")


def test_the_list_of_rounds_names_the_players_of_each_round(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """Two people use the same seat, one after the other."""
    first, second = visit(house.url, "First"), visit(house.url, "Second")
    table = play_round(first)
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
    newest, oldest = second.get_json(f"/api/tables/{table}/rounds")["rounds"]
    for row, round_, name in ((0, newest, "Second"), (1, oldest, "First")):
        expect(rounds.nth(row)).to_contain_text(f"Round {round_['number']}")
        expect(rounds.nth(row)).to_contain_text(name)
        expect(rounds.nth(row)).to_contain_text(dollars(round_["net"]["3"]))
    expect(rounds.nth(1)).not_to_contain_text("Second")


def test_a_tampered_proof_is_reported(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Tampered")
    table = play_round(visitor)

    def tampered(route: Route) -> None:
        answer = route.fetch()
        proofs = answer.json()
        first, second = proofs["cards"][:2]
        first["card"], second["card"] = second["card"], first["card"]
        route.fulfill(response=answer, json=proofs)

    visitor.page.route("**/proofs*", tampered)
    visitor.go(f"/table/{table}/round/1")
    seal = visitor.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("The seal does not match")
    expect(seal).to_contain_text("was not committed at position")
    expect(seal.get_by_role("alert")).to_be_visible()
    expect(seal.get_by_role("link", name="Export the proofs")).to_be_visible()


def test_sound_proofs_of_other_cards_are_detected(house: Running, visit: Callable[..., Visitor]) -> None:
    """The table on the page shows one card, and the proofs are for another."""
    visitor = visit(house.url, "Swapped")
    table = play_round(visitor)

    def swapped(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        patches = [step.get("patch", {}).get("table", {}) for step in answer.json()["updates"]]
        board = next(patch["board"] for patch in reversed(patches) if patch.get("board"))
        other = next(card for card in ("2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c") if card not in text)
        route.fulfill(response=answer, body=text.replace(f'"{board[0]}"', f'"{other}"'))

    visitor.page.route(re.compile(r"/rounds/1\?.*as="), swapped)
    visitor.go(f"/table/{table}/round/1")
    seal = visitor.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("is not among the cards that the proofs list for that place")


def test_another_round_is_not_accepted_in_place_of_this_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    """The other round's cards and proofs are sound, but its seal is not the one seen before the wagers."""
    visitor = visit(house.url, "Watchful")
    own, other = play_round(visitor), play_round(visitor)

    def exchanged(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(own, other)))

    visitor.page.route(f"**/api/tables/{own}/rounds/1*", exchanged)
    visitor.page.route(f"**/api/tables/{own}/rounds/1/*", exchanged)
    visitor.go(f"/table/{own}/round/1")
    seal = visitor.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("The seal does not match")
    expect(seal).to_contain_text("another shoe")


def documents() -> list[Any]:
    """Return sound proofs, and proofs tampered with in every way."""
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


def has_faults(document: Any) -> bool:
    """True if the independent verifier finds a fault."""
    try:
        return bool(faults(json.loads(json.dumps(document))))
    except ProofFault:
        return True


def test_the_browsers_verifier_agrees_with_the_independent_one(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url)
    visitor.go("/")
    proofs = documents()
    results = visitor.page.evaluate(
        """async (documents) => {
          const { faults } = await import("/web/verify.js");
          return Promise.all(documents.map(async (one) => (await faults(one)).length > 0));
        }""",
        proofs,
    )
    assert results == [has_faults(document) for document in proofs]
    assert results.count(False) == TAMPERS


def test_the_javascript_digest_is_sha_256(house: Running, visit: Callable[..., Visitor]) -> None:
    """Over plain HTTP between two machines a browser offers no other implementation."""
    visitor = visit(house.url)
    visitor.go("/")
    lengths = [0, 1, 3, 55, 56, 63, 64, 65, 119, 1000]
    results = visitor.page.evaluate(
        """async (lengths) => {
          const { digest } = await import("/web/verify.js");
          const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
          return lengths.map((length) => hex(digest(Uint8Array.from({ length }, (_, n) => n % 251))));
        }""",
        lengths,
    )
    assert results == [
        hashlib.sha256(bytes(n % 251 for n in range(length))).hexdigest() for length in lengths
    ]


def test_the_newest_table_is_listed_first(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url, "Shelves")
    visitor.open_table("uth-ma", name="Older")
    visitor.open_table("uth-sd", name="Newer")
    visitor.go("/record")
    tables = visitor.page.get_by_role("navigation", name="Tables").get_by_role("link")
    expect(tables.first).to_contain_text("Table Newer")
    expect(tables.first).to_have_attribute("aria-current", "page")
    expect(tables.nth(1)).to_contain_text("Table Older")


def test_the_end_of_a_seal_is_not_shown_as_a_card(house: Running, visit: Callable[..., Visitor]) -> None:
    visitor = visit(house.url)
    visitor.go("/record")
    script = """async () => (await import("/web/rooms/record/story.js"))
      .formatSentence("Sealed d9147536c516c, then 6c.").map((part) => part.textContent ?? part)"""
    assert visitor.page.evaluate(script) == ["Sealed d9147536c516c, then ", "6♣\ufe0esix of clubs", "."]


def test_the_floor_opens_a_dispute_and_players_cannot(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    host, player = visit(house.url, "Flora"), visit(house.url, "Disputing")
    table = host.open_table("uth-ma")
    player.sit(table, 3)
    player.bet("ante", "trips")
    player.ready()
    player.finish("Check", "Play 1×")
    path = f"/api/tables/{table}/rounds/1/dispute"
    player.go(f"/table/{table}/round/1")
    expect(player.page.get_by_role("button", name="Copy link")).to_be_visible()
    expect(player.button("Dispute")).to_have_count(0)
    assert player.page.request.get(f"{house.url}{path}").status == 403
    host.go(f"/table/{table}/round/1")
    host.button("Dispute").click()
    sheet = host.page.get_by_role("article")
    expect(sheet).to_contain_text("Every wager was paid as the rules say.")
    expect(sheet).to_contain_text("cards match the seal of the shuffle")
    found = host.get_json(path)
    paid = {wager["wager"]: wager["paid"] for wager in found["wagers"]}
    assert paid.keys() >= {"ante", "blind", "trips"}
    assert all(wager["due"] == wager["paid"] for wager in found["wagers"])
    places = {hand["place"]: hand["cards"] for hand in found["hands"]}
    proofs = player.get_json(f"/api/tables/{table}/rounds/1/proofs?as=seat%203")["cards"]
    assert sorted(places["seat 3"]) == sorted(card["card"] for card in proofs if card["to"] == "seat 3")
    assert len(places["board"]) == 5
    expect(sheet.get_by_role("row")).to_have_count(len(found["wagers"]) + 1)
    host.button("Dispute").click()
    expect(sheet).to_contain_text("The round in words")


@pytest.mark.clause("MA-9.i")
@pytest.mark.parametrize("role", ["floor", "surveillance"])
def test_a_dispute_of_a_mispaid_round_names_the_wager_and_the_difference(
    visit: Callable[..., Visitor], role: Any
) -> None:
    with running() as server:
        table, host, _, _ = play_a_mispaid_round(server.url)
        visitor, staff = visit(server.url, "Sue"), visit(server.url, "Stan")
        invited: Any
        for person, invited in ((visitor, role), (staff, "dealer")):
            invitation = {"invitation": host.invite(table, invited).invitation}
            answer = person.context.request.post(f"{server.url}/api/invitations/accept", data=invitation)
            assert answer.ok, answer.text()
        visitor.go(f"/table/{table}/round/1")
        visitor.button("Dispute").click()
        sheet = visitor.page.get_by_role("article")
        expect(sheet).to_contain_text("Seat 1 was paid $3.00 too much on the ante.")
        expect(sheet.get_by_role("row").filter(has_text="ante")).to_have_class("hit")
        staff.go(f"/table/{table}/round/1")
        expect(staff.page.get_by_role("button", name="Copy link")).to_be_visible()
        expect(staff.button("Dispute")).to_have_count(0)
