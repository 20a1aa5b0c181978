"""The auditor recomputes every payment with the second settler, and reports the first wrong one."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.verify import verify
from houseway.auditor.follower import Alarm, Auditor
from houseway.cli.app import main
from houseway.engine import events as e
from houseway.rules.loader import load, rulebook_from_text, rulebook_ids
from houseway.second_settler import DOCUMENTS
from random_play import modes_of
from record.recorded import Recorded, house, recorded

EVERYWHERE = [(book, mode) for book in rulebook_ids() if book in DOCUMENTS for mode in modes_of(book)]
WRONG_LINES = {
    "uth-card": ('"three of a kind":"3 to 1"', '"three of a kind":"4 to 1"'),
    "uth-ma": ('"three of a kind":"3 to 1"', '"three of a kind":"2 to 1"'),
}
"""For each rulebook, a line of the trips pay table as printed, and with a mistake."""


class Misprinted(Recorded):
    """A table whose rulebook pays one line of trips wrong."""

    def new_table(self) -> None:
        right, wrong = WRONG_LINES[self.book.id]
        text = load(self.book.id).text
        assert right in text
        self.book = rulebook_from_text(text.replace(right, wrong))
        super().new_table()


def uncorrected(playing: Recorded) -> set[tuple[int, int]]:
    """The rounds and seats with a wrong payment that was not corrected by the end of its round."""
    number, owed, reported = 0, dict[int, int](), dict[int, int]()
    listed = set()
    for event in playing.record:
        if isinstance(event, e.RoundOpened):
            number = event.number
        elif isinstance(event, e.MispaymentMade | e.PaymentCorrected):
            owed[event.seat] = owed.get(event.seat, 0) + event.amount
        elif isinstance(event, e.RoundClosed):
            listed |= {
                (number, seat) for seat, cents in owed.items() if cents not in (0, reported.get(seat))
            }
            reported = dict(owed)
    return listed


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_correct_payments_raise_no_alarm(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 25, seed="auditor", irregular=0.04)
    auditor = Auditor(playing.house.store)
    alarms = list(auditor.poll())
    expected = uncorrected(playing)
    assert {(alarm.kind, alarm.round, alarm.message.split(" was paid")[0]) for alarm in alarms} == {
        ("payment", number, f"seat {seat}") for number, seat in expected
    }
    assert auditor.counts.settled >= 12
    assert auditor.counts.by_engine == 0


@pytest.mark.planted
@pytest.mark.parametrize("rulebook", sorted(WRONG_LINES))
def test_a_wrong_line_of_a_pay_table_is_reported_at_its_first_payment(rulebook: str) -> None:
    playing = Misprinted(house(), "table:1", rulebook, "", irregular=0, seed="misprint")
    auditor = Auditor(playing.house.store)
    alarms: list[Alarm] = []
    paid_wrong: list[int] = []
    for _ in range(400):
        (played,) = playing.play(1)
        wrong_odds = WRONG_LINES[rulebook][1].split('"')[3]
        if any(
            isinstance(event, e.WagerSettled) and (event.wager, event.odds) == ("trips", wrong_odds)
            for event in played.events
        ):
            paid_wrong.append(played.end.round.number)
        alarms += auditor.poll()
        if paid_wrong:
            break
        assert not alarms
    assert paid_wrong
    assert {alarm.round for alarm in alarms} == set(paid_wrong)
    assert "trips" in alarms[0].message
    assert "3 to 1" not in alarms[0].message
    # The record is consistent with its own rulebook, so only the second settler can notice.
    assert verify(playing.house.store, "table:1").sound


def test_records_are_followed_as_they_grow(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    with closing(SqliteStore(file)) as store:
        playing = recorded("uth-ma", "manual", 3, at=house(store), irregular=0, seed="grow")
        with closing(SqliteStore(file, read_only=True)) as reading:
            auditor = Auditor(reading)
            assert not list(auditor.poll())
            assert auditor.counts.rounds == 3
            assert not list(auditor.poll())
            assert auditor.counts.rounds == 3
            list(playing.play(2))
            assert not list(auditor.poll())
            assert auditor.counts.rounds == 5


def test_the_command_prints_alarms_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "house.db"
    with closing(SqliteStore(file)) as store:
        recorded("uth-card", "manual", 4, at=house(store), irregular=0, seed="sound")
    assert main(["audit", "follow", str(file), "--once"]) == 0
    assert "no alarm" in capsys.readouterr().out
    wrong = tmp_path / "wrong.db"
    with closing(SqliteStore(wrong)) as store:
        playing = Misprinted(house(store), "table:1", "uth-card", "", irregular=0, seed="misprint")
        paid = False
        while not paid:
            (played,) = playing.play(1)
            paid = any(
                isinstance(event, e.WagerSettled) and event.odds == "4 to 1" for event in played.events
            )
    assert main(["audit", "follow", str(wrong), "--once", "--json"]) == 1
    alarm = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (alarm["kind"], alarm["stream"]) == ("payment", "table:1")


def test_a_bad_interval_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "follow", "nowhere.db", "--every", "0"]) == 2
    assert "--every must be 0.05 to 3600 seconds (got 0)" in capsys.readouterr().err
