"""Results of exams for tests of the score sheet, with the types and the encoding that the server uses."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.report import exam_result as r
from houseway.rules.loader import load
from houseway.server.training_views import sheet_of
from houseway.training import acts as a
from houseway.training.chips import make, total, tray_values
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.run import ExamRun
from training.exam_trainee import SALT, ExamTrainee, exam_setup

SECONDS = (
    118, 106, 114, 128, 109, 107, 96, 102, 113, 108, 126, 104, 99, 107, 116, 106, 94, 138, 112, 106, 102, 110, 124,
    99, 97, 150, 117, 106, 101, 108,
)  # fmt: skip
SLIPS = (
    ("4", "wrong amount", "paid the blind of seat 2 $10.00", "push the blind", "MA-9.h.2-b", 1000),
    ("11", "out of order", "settled seat 4 before seat 5", "settle seat 5", "MA-9.h-a", 0),
    ("17", "missed", "", "count the stub after five rounds", "MA-8.d", 0),
    ("23", "wrong amount", "paid trips of seat 3 $50.00", "pay $60.00", "MA-10.d-B", -1000),
    ("26", "late", "reported a face-up card after 14 seconds", "report it at once", "MA-14.b-a", 0),
)
DRILLS = {"wrong amount": "payouts", "out of order": "order", "missed": "next", "late": "rulings"}
CARDS = (
    r.ShownCards("Seat 2", ("As", "Ah"), "seat"),
    r.ShownCards("Dealer", ("Qc", "3s"), "dealer"),
    r.ShownCards("Board", ("Qd", "9s", "7h", "4c", "2d"), "board"),
)
POINTS = {
    "Card delivery": 10, "Chip handling": 9, "Hand reading": 10, "Side bets": 9, "Announcements": 10,
    "Game protection": 9, "Under pressure": 8, "Appearance": None, "Presence": None, "Shuffle": None,
}  # fmt: skip


def _measures(gross: int, slips: int) -> tuple[r.ExamMeasure, ...]:
    def measure(column: str, label: str, shown: str, value: float, **more: Any) -> r.ExamMeasure:
        return r.ExamMeasure(
            name=label.lower().replace(" ", "_"),
            column=column,
            label=label,
            shown=shown,
            value=value,
            **more,
        )

    return (
        measure(
            r.DOLLARS, "Gross mispayment", f"${gross}.00", 100 * gross, limit=2500, limit_shown="limit $25.00"
        ),
        measure(r.DOLLARS, "Net mispayment", "$0.00", 0, detail="$10.00 over, $10.00 under"),
        measure(r.DOLLARS, "Payments right", "212 of 214", 99.1, detail="99.1 %"),
        measure(
            r.SECONDS, "Rounds an hour", "31.8", 31.8, limit=25, at_least=True,
            limit_shown="at least 25 with 6 players",
        ),
        measure(r.SECONDS, "Median payment", "4.1 s", 4100, detail="214 payments"),
        measure(r.SECONDS, "Handled late", "1", 1, limit=3, limit_shown="limit 3"),
        measure(r.CLAUSES, "Slips", str(slips), slips, limit=9, limit_shown="limit 9 in 30 rounds"),
        measure(r.CLAUSES, "Hands read right", "144 of 144", 100, detail="100 %"),
        measure(r.CLAUSES, "Irregularities", "14 of 14", 100, detail="reported, 1 late"),
    )  # fmt: skip


def exam_sheet(
    *, passed: bool = True, certificate: bool = True, signed: bool = True, examiner: str = "T. Reyes"
) -> Any:
    """Return the reply of the server for a finished exam, as JSON data; `signed` adds a signed certificate."""
    clauses = load("uth-ma").clauses
    slips = tuple(
        r.SlipLine(
            round=int(number), kind=kind, did=did, right=right, clause=clause, amount=amount,
            says=clauses[clause].says if clause in clauses else "", seat=2 if number == "4" else 0,
            sentence=f"{did or 'did not ' + right}.", cards=CARDS if number == "4" else (),
            wager="blind" if number == "4" else "", stake=1000 if number == "4" else 0,
            shape="circle" if number == "4" else "", paid=1000 if number == "4" else 0,
            drill=DRILLS[kind],
        )
        for number, kind, did, right, clause, amount in SLIPS
    )  # fmt: skip
    rounds = {int(number): kind for number, kind, *_ in SLIPS}
    result = r.ExamResult(
        exam="table-test", title="Table test", exam_hash="c81e40f7" + "0" * 52 + "9a13", rulebook="uth-ma",
        rulebook_title="Massachusetts, Ultimate Texas Hold'em", rulebook_hash=load("uth-ma").hash,
        game="ultimate", mode="device", players=6, rounds=30, finished=30, trainee="Noor Haddad",
        examiner=examiner, started="2026-11-16T14:02:00Z", ended="2026-11-16T14:59:00Z",
        outcome=r.FINISHED, passed=passed, certificate=passed and certificate,
        measures=_measures(20 if passed else 40, 5), failures=(), slips=slips,
        categories=tuple(r.Category(name=name, points=points) for name, points in POINTS.items()),
        round_times=tuple(
            r.RoundTime(time=1000 * seconds, slips=int(n in rounds), late=rounds.get(n) == "late")
            for n, seconds in enumerate(SECONDS, 1)
        ),
        irregularities=(), commitment="0" * 64, seed="seed", salt="salt",
        record="7f3a09c1" + "0" * 52 + "e2b6",
    )  # fmt: skip
    return sheet_json(result, signed=signed)


def sheet_json(result: r.ExamResult, *, signed: bool = False) -> Any:
    """Return a result as the server sends it for the score sheet, as JSON data."""
    return {**msgspec.to_builtins(sheet_of("s1", result)), "signed": signed}


class Slipping(ExamTrainee):
    """A trainee who makes a few slips in a table test, and needs a person's time for each act."""

    def __init__(self, run: ExamRun) -> None:
        super().__init__(run)
        self.planned_slips = ["misread", "paid push", "underpaid"]

    def step(self, choose: Any = None) -> None:
        """Do one act after one to three seconds."""
        self.time += self.rng.randrange(2000)
        super().step(choose)

    def next(self) -> a.ChairAct | None:
        """The next act, or a slip: a blind is paid on a pair, a trips payment is $5 short, a pair is named wrongly."""
        act, number = super().next(), len(self.run.session.judgements) + 1
        if not self.planned_slips:
            return act
        match self.planned_slips[-1], act:
            case "paid push", a.Push(wager="blind") if number >= 4:
                slip: a.ChairAct = a.Pay(seat=act.seat, wager="blind", chips={500: 2})
            case "underpaid", a.Pay(wager="trips") if number >= 11 and total(act.chips) > 500:
                slip = replace(act, chips=make(tray_values(self.table), total(act.chips) - 500))
            case "misread", a.ReadHand(reads="pair") if number >= 23:
                slip = replace(act, reads="two pair")
            case _:
                return act
        self.planned_slips.pop()
        return slip


def real_result() -> r.ExamResult:
    """Return the result of a whole table test that was passed with three slips."""
    setup = exam_setup(
        shipped_exam("table-test"), "uth-ma", "device", examiner="T. Reyes", rulings=True, earlier=()
    )
    run = Slipping(ExamRun(setup, "picture", SALT)).take()
    ended = datetime.fromisoformat(setup.started) + timedelta(milliseconds=run.ended_at)
    head = hashlib.sha256(repr(run.session.inputs).encode()).hexdigest()
    return run.result(f"{ended:%Y-%m-%dT%H:%M:%SZ}", head)
