"""Whole rounds through the page: under every rulebook, by two people, across reloads and a killed house."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from houseway.rules.loader import load, rulebook_ids
from houseway.shoe import Seeded
from page.houses import dollars, settled
from page.pages import Visitor
from server.houses import Process, Running, running


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running(entropy=Seeded("page")) as found:
        yield found


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_round_is_played_and_every_amount_has_its_reason(
    house: Running, visit: Callable[..., Visitor], rulebook: str
) -> None:
    one = visit(house.url, f"one {rulebook}")
    table = one.open_table(rulebook)
    one.sit(table, 3)
    expect(one.rings().first).to_be_visible()
    wagers = [ring.get_attribute("data-wager") or "" for ring in one.rings().all()]
    one.bet(*wagers)
    one.ready()
    one.finish("Check", "Play 1×")
    on_record = settled(house, table, 3)
    assert set(wagers) <= {event.wager for event in on_record}
    titles = {circle["wager"]: circle["title"] for circle in one.asked(f"/api/tables/{table}")["circles"]}
    shown = one.lines()
    assert [(amount, clause) for _, amount, _, clause in shown] == [
        (dollars(event.back - event.stake), event.clause) for event in on_record
    ]
    for (wager, _, why, _), event in zip(shown, on_record, strict=True):
        assert wager.lower().startswith(titles[event.wager].lower())
        assert why
        assert not event.odds or event.odds in why
    _is_read(one, shown[0][3])


def _is_read(one: Visitor, clause: str) -> None:
    """Open a clause from its line, read it, close it again."""
    lines = one.page.get_by_role("region", name="Settlement")
    tag = lines.get_by_role("button", name=f"Clause {clause}", exact=True).first
    tag.click()
    paper = one.page.get_by_role("region", name=f"Clause {clause}", exact=True)
    expect(paper).to_contain_text(one.asked(f"/api/clauses/{clause}")["says"])
    one.button("Close the clause").click()
    expect(paper).to_have_count(0)


@pytest.mark.parametrize(("rulebook", "borrows"), [("uth-sd", True), ("uth-ma", False)])
def test_a_clause_of_another_document_is_said_to_be_borrowed(
    house: Running, visit: Callable[..., Visitor], rulebook: str, borrows: bool
) -> None:
    """South Dakota does not say when a round is complete; its silence is filled from Massachusetts."""
    one = visit(house.url, f"borrows {rulebook}")
    one.sit(one.open_table(rulebook), 3)
    one.bet("ante")
    one.ready()
    one.finish("Check", "Play 1×")
    one.page.locator("hw-script").get_by_role("button", name="Clause MA-1.round").click()
    paper = one.page.get_by_role("region", name="Clause MA-1.round")
    expect(paper).to_contain_text(one.asked("/api/clauses/MA-1.round")["says"])
    borrowed = paper.get_by_text("Borrowed.").locator("..")
    expect(borrowed).to_have_count(int(borrows))
    if borrows:
        expect(borrowed).to_contain_text(load("uth-sd").title)
        expect(borrowed).to_contain_text(f"filled from {load('uth-ma').source.value}")


def test_a_board_dealt_by_hand_is_in_the_list_of_the_round(visit: Callable[..., Visitor]) -> None:
    with running(entropy=Seeded("by hand")) as house:
        one = visit(house.url, "By hand")
        one.sit(one.open_table("uth-ma", mode="manual"), 3)
        one.bet("ante")
        one.ready()
        one.finish("Check", "Play 1×")
        log = one.page.locator(".log li")
        expect(log.filter(has_text="Flop: ")).to_have_count(1)
        expect(log.filter(has_text="Turn and river: ")).to_have_count(1)
        heard = one.page.locator("#polite p").filter(has_text=re.compile("^(Flop|Turn and river): "))
        expect(heard).to_have_count(2)


def test_two_people_at_a_table_see_what_the_other_does(
    house: Running, visit: Callable[..., Visitor]
) -> None:
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
    # What the other has out stands in figures beside the circles.
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
    # Neither is hurried: the next round opens when both have seen this one.
    ada.over().click()
    expect(ada.button("Ready, waiting")).to_be_visible()
    ben.over().click()
    expect(ada.ring("ante")).to_be_visible()


def test_a_page_loaded_again_in_mid_round_shows_the_same_table(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    one = visit(house.url, "Reloading")
    table = one.open_table("uth-ma")
    one.sit(table, 2)
    one.bet("ante")
    one.ready()
    one.rush()
    one.choose("Check")
    expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
    before = (one.cards(), one.board(), one.choices().all_inner_texts())
    assert [len(part) for part in before] == [2, 3, 2]
    one.page.reload()
    expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
    assert (one.cards(), one.board(), one.choices().all_inner_texts()) == before
    one.finish("Check", "Play 1×")
    assert len(one.lines()) == len(settled(house, table, 2)) == 3


def test_a_house_killed_in_mid_round_comes_back_to_the_page_by_itself(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    house = Process(tmp_path / "house.db").start()
    try:
        one = visit(house.url, "Patient")
        table = one.open_table("uth-ma")
        one.sit(table, 5)
        one.bet("ante", "trips")
        one.ready()
        one.rush()
        one.choose("Check")
        expect(one.choices().filter(has_text="Play 2×")).to_be_visible()
        before = (one.cards(), one.board())
        house.kill()
        expect(one.page.get_by_text("Connection lost")).not_to_have_count(0)
        expect(one.choices().first).to_have_attribute("aria-disabled", "true")
        house.start()
        expect(one.choices().first).to_have_attribute("aria-disabled", "false")
        assert (one.cards(), one.board()) == before
        one.finish("Check", "Play 1×")
        assert len(one.lines()) == 4
        one.over().click()
        expect(one.ring("ante")).to_be_visible()
    finally:
        house.kill()
