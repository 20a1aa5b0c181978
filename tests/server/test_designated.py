"""The house designates a table for games: a table of any other game is not opened (SD-1-a, TS-0-a)."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.audit.record_header import read_record
from houseway.cli.app import main
from houseway.client import House, HouseError
from houseway.client.messages import OpenTable
from houseway.engine import commands as c
from server.houses import running

ULTIMATE, SHOOTOUT = "ultimate", "shootout"


@pytest.mark.clause("SD-1-a", "TS-0-a")
@pytest.mark.parametrize(("rulebook", "games", "clause"), [
    ("uth-sd", (SHOOTOUT,), "SD-1-a"),
    ("shootout-sd", (ULTIMATE,), "TS-0-a"),
])  # fmt: skip
def test_a_table_that_is_designated_for_another_game_is_not_opened_on_a_server(
    rulebook: str, games: tuple[str, ...], clause: str
) -> None:
    with running() as server:
        host = House(server.url)
        host.introduce("Flo")
        with pytest.raises(HouseError) as wrong:
            host.open_table(OpenTable(rulebook=rulebook, designated=games))
        (no,) = wrong.value.refused
        assert (no.code, no.clause) == ("not-designated", clause)


@pytest.mark.clause("SD-1-a")
@pytest.mark.parametrize(("games", "designated", "by"), [
    ((), (ULTIMATE,), ""),
    ((ULTIMATE,), (ULTIMATE,), "Flo"),
    ((SHOOTOUT, ULTIMATE), (SHOOTOUT, ULTIMATE), "Flo"),
])  # fmt: skip
def test_the_record_has_the_designation_and_the_person(
    games: tuple[str, ...], designated: tuple[str, ...], by: str
) -> None:
    with running() as server:
        host = House(server.url)
        host.introduce("Flo")
        live = server.serving.hall.tables[
            host.open_table(OpenTable(rulebook="uth-sd", designated=games)).table
        ].live
        _, entries = read_record(live.house.store, live.stream)
        opening = next(entry.command for _, entry in entries)
        assert isinstance(opening, c.OpenTable)
        assert (opening.designated, opening.designated_by) == (designated, by)


@pytest.mark.parametrize("games", [("ultimte",), ("",), (ULTIMATE, SHOOTOUT, ULTIMATE)])
def test_a_table_is_designated_only_for_games_that_exist(games: tuple[str, ...]) -> None:
    with running() as server:
        host = House(server.url)
        host.introduce("Flo")
        with pytest.raises(HouseError, match="a table is designated for ultimate or shootout"):
            host.open_table(OpenTable(rulebook="uth-sd", designated=games))


@pytest.mark.clause("SD-1-a")
def test_a_table_that_is_designated_for_another_game_is_not_opened_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "play.db")
    assert main(["play", "uth-sd", "--plain", "--designated", "shootout", "--record", record]) == 2
    assert "the house has not designated this table for ultimate" in capsys.readouterr().err


def test_the_terminal_refuses_a_game_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "uth-sd", "--plain", "--no-record", "--designated", "ultimte"]) == 2
    assert "--designated: there is no game 'ultimte'" in capsys.readouterr().err
