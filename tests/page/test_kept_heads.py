"""The browser checks and keeps the signed head of each table's record, and warns if a later record lacks it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from houseway.audit.kept_heads import KeptHead, read_heads
from houseway.audit.store_factory import open_store
from houseway.audit.verify_house import verify_house
from page.pages import SocketProxy, Visitor
from server.forking import ForkedProcess
from server.houses import Running, running

KEPT = "() => JSON.parse(localStorage.getItem('houseway-heads') ?? '[]')"


def test_the_page_warns_if_the_server_runs_an_older_copy(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    db = tmp_path / "house.db"
    house = ForkedProcess(db).start()
    try:
        visitor = visit(house.url, "Witness")
        table = visitor.open_table("uth-ma")
        visitor.sit(table, 5)
        house.stop()
        older = tmp_path / "older.db"
        shutil.copyfile(db, older)
        house.start()
        visitor.go(f"/table/{table}")
        visitor.bet("ante")
        visitor.ready()
        visitor.finish("Check", "Play 1×")
        visitor.page.wait_for_function(f"() => ({KEPT})().length === 1")
        warning = visitor.page.get_by_role("region", name="Warning about the record")
        (kept,) = visitor.page.evaluate(KEPT)
        answer = visitor.get_json(f"/api/tables/{table}/head?events={kept['events']}")
        assert answer["chain_at"] == kept["chain"]
        expect(rounds_tab(visitor)).to_contain_text(
            f"signed summary of the record (its head) at event {kept['events']}. Its signature is valid."
        )
        visitor.page.reload()
        expect(visitor.over().or_(visitor.rings().first).first).to_be_visible()
        expect(warning).to_have_count(0)
        house.stop()
        shutil.copyfile(older, db)
        house.start()
        for _ in range(2):
            visitor.go(f"/table/{table}")
            expect(warning).to_be_visible()
            expect(warning).to_contain_text(f"event {kept['events']}")
        with visitor.page.expect_download() as download:
            visitor.button("Save the signed head").click()
        saved = tmp_path / download.value.suggested_filename
        download.value.save_as(saved)
        assert visitor.page.evaluate(KEPT) == [kept]
    finally:
        house.kill()
    (head,) = read_heads(saved)
    with closing(open_store(db, read_only=True)) as store:
        reports = verify_house(store, kept={head.stream: [KeptHead(head.signed.head)]})
    assert {
        report.stream: [fault.code for fault in report.faults] for report in reports if not report.sound
    } == {table: ["rollback"]}


@pytest.fixture(scope="module")
def house() -> Any:
    with running() as server:
        yield server


def play_round(visitor: Visitor, seat: int) -> str:
    """Play one round at a new table and return the table's name."""
    table = visitor.open_table("uth-ma")
    visitor.sit(table, seat)
    visitor.bet("ante")
    visitor.ready()
    visitor.finish("Check", "Play 1×")
    return table


def rounds_tab(visitor: Visitor) -> Any:
    """Open the panel's list of rounds and return it."""
    visitor.page.get_by_role("tab", name="Rounds").click()
    return visitor.page.get_by_role("tabpanel", name="Rounds")


@pytest.mark.planted
def test_the_page_rejects_a_head_with_a_bad_signature(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Forged")

    def forge(message: Any) -> Any:
        if head := message.get("head"):
            head["signature"] = ("1" if head["signature"][0] == "0" else "0") + head["signature"][1:]
        return message

    SocketProxy(visitor).altered = forge
    table = play_round(visitor, 3)
    warning = visitor.page.get_by_role("region", name="Warning about the record")
    expect(warning).to_contain_text("The server sent a signed summary of this record (its head) at event")
    expect(warning).to_contain_text("its signature is invalid")
    assert visitor.page.evaluate(KEPT) == []
    # A head that was changed in the browser's storage is rejected too.
    newest = visitor.get_json(f"/api/tables/{table}/head?events=1")["head"]
    changed = newest | {"events": newest["events"] - 1}
    visitor.page.evaluate("head => localStorage.setItem('houseway-heads', JSON.stringify([head]))", changed)
    visitor.page.reload()
    expect(warning).to_contain_text("Your browser kept a signed summary of this record (its head) at event")


def test_a_browser_without_ed25519_says_that_the_signature_was_not_checked(
    house: Running, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house.url, "Plain")
    # As on a page over plain http from another machine.
    visitor.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    play_round(visitor, 4)
    expect(rounds_tab(visitor)).to_contain_text("the signature was not checked")
    assert len(visitor.page.evaluate(KEPT)) == 1
