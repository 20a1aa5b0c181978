"""The floor supervisor sees the significant events of the server; other people do not."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from page.pages import Visitor
from server.houses import running


def test_only_the_floor_sees_the_servers_significant_events(visit: Callable[..., Visitor]) -> None:
    with running() as house:
        host, other = visit(house.url, "Host"), visit(house.url, "Other")
        table = host.open_table("uth-ma")
        log = house.serving.log
        log.write("store-trouble", reason="/var/lib/house.db: disk I/O error")
        log.table_changed(table, "/var/lib/house.db: disk I/O error")
        log.table_changed("loire-1", "nothing to do with this table")
        host.go(f"/table/{table}?as=floor")
        listed = host.page.get_by_label("Server events")
        stuck = listed.get_by_role("listitem").filter(has_text="a table cannot continue")
        expect(stuck).to_have_count(1)
        expect(stuck).to_contain_text(f"{table}: a table cannot continue")
        expect(listed).to_contain_text("the database cannot be read or written")
        expect(listed).not_to_contain_text("/var")
        other.go(f"/table/{table}")
        expect(other.page.locator("#panel")).to_be_visible()
        expect(other.page.get_by_label("Server events")).to_have_count(0)
