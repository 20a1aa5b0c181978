"""Full rounds on the page: every rulebook, two players, reloads and a killed server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from houseway.rules.loader import load, rulebook_ids
from houseway.shoe import SeededEntropy
from page.houses import dollars, settled
from page.pages import Visitor
from server.forking import ForkedProcess
from server.houses import Running, running


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(entropy=SeededEntropy("page")) as server:
        yield server


def says_odds(why: str, odds: str) -> bool:
    """True if a reason has the odds. Some documents do not allow "for", so "9 for 1" can be "9 times the wager"."""
    return odds in why or re.sub(r" for 1$", " times the wager", odds) in why


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_settled_amount_has_a_reason_and_a_clause(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    visitor = visit(house.url, f"one {rulebook}")
    table = visitor.open_table(rulebook)
    visitor.sit(table, 3)
    expect(visitor.rings().first).to_be_visible()
    wagers = [ring.get_attribute("data-wager") or "" for ring in visitor.rings().all()]
    visitor.bet(*wagers)
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    on_record = settled(house, table, 3)
    assert set(wagers) <= {event.wager for event in on_record}
    titles = {
        circle["wager"]: circle["title"] for circle in visitor.get_json(f"/api/tables/{table}")["circles"]
    }
    rows = visitor.lines()
    assert [(amount, clause) for _, amount, _, clause in rows] == [
        (dollars(event.back - event.stake), event.clause) for event in on_record
    ]
    for (wager, _, why, _), event in zip(rows, on_record, strict=True):
        assert wager.lower().startswith(titles[event.wager].lower())
        assert why
        assert not event.odds or says_odds(why, event.odds)
    _read_clause(visitor, rows[0][3])


def _read_clause(visitor: Visitor, clause: str) -> None:
    """Open a clause from its line, check its text and close it."""
    lines = visitor.page.get_by_role("region", name="Settlement")
    tag = lines.get_by_role("button", name=f"Clause {clause}", exact=True).first
    tag.click()
    paper = visitor.page.get_by_role("region", name=f"Clause {clause}", exact=True)
    expect(paper).to_contain_text(visitor.get_json(f"/api/clauses/{clause}")["says"])
    visitor.button("Close the clause").click()
    expect(paper).to_have_count(0)


@pytest.mark.parametrize(("rulebook", "borrows"), [("uth-sd", True), ("uth-ma", False)])
def test_a_borrowed_clause_is_marked_as_borrowed(
    house: Running, visit: Callable[..., Visitor], rulebook: str, borrows: bool
) -> None:
    """South Dakota does not define when a round is complete, so the Massachusetts clause is used."""
    visitor = visit(house.url, f"borrows {rulebook}")
    visitor.sit(visitor.open_table(rulebook), 3)
    visitor.bet("ante")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    visitor.page.locator("hw-script").get_by_role("button", name="Clause MA-1.round").click()
    paper = visitor.page.get_by_role("region", name="Clause MA-1.round")
    expect(paper).to_contain_text(visitor.get_json("/api/clauses/MA-1.round")["says"])
    borrowed = paper.get_by_text("Borrowed.").locator("..")
    expect(borrowed).to_have_count(int(borrows))
    if borrows:
        expect(borrowed).to_contain_text(load("uth-sd").title)
        expect(borrowed).to_contain_text(f"taken from {load('uth-ma').source.value}")


def test_a_board_dealt_by_hand_is_in_the_log(visit: Callable[..., Visitor]) -> None:
    with running(entropy=SeededEntropy("by hand")) as house:
        visitor = visit(house.url, "By hand")
        visitor.sit(visitor.open_table("uth-ma", mode="manual"), 3)
        visitor.bet("ante")
        visitor.ready()
        visitor.finish("Check", "Play 1×")
        log = visitor.page.locator(".log li")
        expect(log.filter(has_text="Flop: ")).to_have_count(1)
        expect(log.filter(has_text="Turn and river: ")).to_have_count(1)
        announcements = visitor.page.locator("#polite p").filter(
            has_text=re.compile("^(Flop|Turn and river): ")
        )
        expect(announcements).to_have_count(2)


def test_two_players_see_each_others_acts(house: Running, visit: Callable[..., Visitor]) -> None:
    ada, ben = visit(house.url, "Ada"), visit(house.url, "Ben")
    table = ada.open_table("uth-ma")
    ada.sit(table, 1)
    ben.sit(table, 4)
    expect(ada.seat(4)).to_contain_text("Ben")
    expect(ben.seat(1)).to_contain_text("Ada")
    ada.bet("ante", "trips")
    ada.ready()
    expect(ben.seat(1)).to_contain_text("ready")
    ben.bet("ante")
    ben.ready()
    ada.rush()
    expect(ben.seat(1)).to_contain_text("decides")
    ada.choose("Play 4×")
    expect(ben.seat(1)).to_contain_text("4×")
    # The other player's wagers are shown as amounts next to the circles.
    out = {"Ante": "$5", "Blind": "$5", "Trips": "$5", "Play": "$20"}
    figures = ben.seat(1).locator(".figure")
    expect(figures).to_have_count(len(out))
    for wager, amount in out.items():
        expect(figures.filter(has_text=wager).locator("strong")).to_have_text(amount)
    ben.choose("Check")
    expect(ada.page.get_by_role("log")).to_contain_text("Ben checks.")
    ben.finish("Check", "Fold")
    expect(ada.seat(4)).to_contain_text("−$10.00")
    ada.finish()
    net = dollars(sum(event.back - event.stake for event in settled(house, table, 1)))
    expect(ben.seat(1)).to_contain_text(net)
    # The next round opens when both players are ready.
    ada.over().click()
    expect(ada.button("Ready, waiting")).to_be_visible()
    ben.over().click()
    expect(ada.ring("ante")).to_be_visible()


def test_a_page_reloaded_mid_round_shows_the_same_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Reloading")
    table = visitor.open_table("uth-ma")
    visitor.sit(table, 2)
    visitor.bet("ante")
    visitor.ready()
    visitor.rush()
    visitor.choose("Check")
    expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
    before = (visitor.cards(), visitor.board(), visitor.choices().all_inner_texts())
    assert [len(part) for part in before] == [2, 3, 2]
    visitor.page.reload()
    expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
    assert (visitor.cards(), visitor.board(), visitor.choices().all_inner_texts()) == before
    visitor.finish("Check", "Play 1×")
    assert len(visitor.lines()) == len(settled(house, table, 2)) == 3


def test_the_page_reconnects_to_a_server_killed_mid_round(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    house = ForkedProcess(tmp_path / "house.db").start()
    try:
        visitor = visit(house.url, "Patient")
        table = visitor.open_table("uth-ma")
        visitor.sit(table, 5)
        visitor.bet("ante", "trips")
        visitor.ready()
        visitor.rush()
        visitor.choose("Check")
        expect(visitor.choices().filter(has_text="Play 2×")).to_be_visible()
        before = (visitor.cards(), visitor.board())
        house.kill()
        expect(visitor.page.get_by_text("Connection lost")).not_to_have_count(0)
        expect(visitor.choices().first).to_have_attribute("aria-disabled", "true")
        house.start()
        expect(visitor.choices().first).to_have_attribute("aria-disabled", "false")
        assert (visitor.cards(), visitor.board()) == before
        visitor.finish("Check", "Play 1×")
        assert len(visitor.lines()) == 4
        visitor.over().click()
        expect(visitor.ring("ante")).to_be_visible()
    finally:
        house.kill()
