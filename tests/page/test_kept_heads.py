"""The browser keeps the signed head of each table's record, and warns if a later record lacks it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from houseway.audit.kept_heads import KeptHead, read_heads
from houseway.audit.store_factory import open_store
from houseway.audit.verify_house import verify_house
from page.pages import Visitor
from server.forking import ForkedProcess

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
