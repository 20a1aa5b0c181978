"""The players' cut in a real browser: the page commits and opens by itself, and an aborted round is explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from page.pages import Visitor
from server.houses import Running, running


@pytest.fixture(scope="module")
def house() -> Any:
    with running() as server:
        yield server


def test_a_player_whose_browser_lost_its_salt_sees_why_the_round_starts_again(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Forgetful")
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 3)
    visitor.bet("ante")
    stored = "localStorage.getItem('houseway-committed')"
    visitor.page.wait_for_function(f"{stored} !== null")
    visitor.page.evaluate("localStorage.removeItem('houseway-committed')")
    visitor.ready()
    expect(visitor.page.get_by_text("The round starts again.", exact=True)).to_be_visible()
    why = "Your browser did not send its share of the players' cut (the random bytes that help to shuffle) in time"
    expect(visitor.page.get_by_text(why).first).to_be_visible()
    events = [u["event"] for u in visitor.get_json(f"/api/tables/{table}/rounds/1?as=rail")["updates"]]
    assert [event["seats"] for event in events if event["type"] == "DeckDiscarded"] == [[3]]
    # The next round is played as usual, and the browser's salt is in its cut.
    visitor.bet("ante")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    proofs = visitor.get_json(f"/api/tables/{table}/rounds/2/proofs?as=seat%203")
    assert proofs["format"] == "houseway-proofs-2"
    [cut] = [cut for cut in proofs["cuts"] if "salts" in cut]
    assert set(cut["commitments"]) == {"3"}
    visitor.go(f"/table/{table}/round/2")
    seal = visitor.page.get_by_role("region", name="The shuffle")
    expect(seal).to_contain_text("Shuffle verified in this browser")
