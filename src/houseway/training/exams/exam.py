"""An exam as data: its rounds, its scenario deck, its time limits, the limits for passing, the automatic
failures.

An exam is a TOML file. It names no rulebook, so it works for all of them. Its hash is the SHA-256 of its
canonical text: every value in force, as JSON with sorted keys.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib import resources
from typing import Any, Final

import msgspec

from houseway.errors import InputError
from houseway.money import exactly
from houseway.rules.catalogue import parsed
from houseway.rules.problems import Problem, RulebookError, suggest
from houseway.rules.toml_reader import Reader, kind
from houseway.training import chair as ch
from houseway.training.conduct import CONDUCT
from houseway.training.scenarios import kinds
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck

DEVICE: Final = "device"
EVERY: Final = "every"
"""The deck in which each irregularity of the rulebook happens at least once."""
MOST_BYTES: Final = 1 << 16
"""The most bytes of a file."""
MOST_ROUNDS: Final = 200
MOST_PLAYERS: Final = 8
LONGEST: Final = 24 * 3600
"""The longest time limit, in seconds."""
LONGEST_TEXT: Final = 400
PERCENT: Final = 100
SECOND: Final = 1000
"""Milliseconds."""
_ID: Final = re.compile("[a-z0-9][a-z0-9-]{0,39}")


class ExamError(InputError, ValueError):
    """An exam cannot be used; `problems` lists every problem in its file."""

    def __init__(self, ref: str, problems: list[Problem]) -> None:
        self.ref = ref
        self.problems = problems
        super().__init__("\n".join(f"{ref}: {problem}" if ref else str(problem) for problem in problems))


class TimeLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The clocks of an exam, in milliseconds; 0 if a clock does not run."""

    exam: int = 0
    """The time for the whole exam. The exam ends when it is over."""
    round: int = 0
    """The time for one round. A longer round counts as over time."""
    notice: int = 10_000
    """The time within which an irregularity must be reported."""
    away: int = 0
    """The time for which the connection may be lost. After that, the exam is aborted."""


class PassLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The limits of the measures; None if a measure is shown and has no limit.

    Amounts are in cents, times in milliseconds, shares in percent.
    """

    gross_mispayment: int | None = None
    net_mispayment: int | None = None
    payment_accuracy: float | None = None
    rounds_per_hour: dict[int, float] | None = None
    """The lowest number of rounds per hour. Each key is a number of players; its value applies from that
    number up."""
    payments_per_minute: float | None = None
    median_payment: int | None = None
    late_reports: int | None = None
    rounds_over_time: int | None = None
    slips_per_round: float | None = None
    hand_reading: float | None = None
    irregularities: float | None = None
    rulings: float | None = None
    conduct: float | None = None
    floor_calls: int | None = None


class AutomaticFailure(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The failures that decide alone, whatever the measures say."""

    mispayment: int | None = None
    """Cents: one wrong payment of at least this amount that was not corrected."""
    slips: tuple[str, ...] = ()
    """A single slip of one of these kinds fails the exam."""
    abort: bool = False
    """True if leaving the exam before its last round fails it, even if all measures are met so far."""
    reconnections: int | None = None
    """More reconnections than this."""


class Exam(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exam."""

    id: str
    title: str
    about: str = ""
    rounds: int
    players: int
    """The number of players; fewer if the table has fewer seats."""
    certificate: bool = False
    """True if an examiner may sign a certificate for a pass."""
    both_modes: bool = False
    """True if a part of the rounds is dealt in the other deal mode, if the rulebook has two."""
    irregularities: int | str = 0
    """"every" if each irregularity of the rulebook happens; otherwise the percentage of rounds with one."""
    people: dict[str, int] = {}
    """What players do: each kind of conduct, with the percentage of rounds in which it happens."""
    time: TimeLimits = TimeLimits()
    passes: PassLimits = PassLimits()
    fails: AutomaticFailure = AutomaticFailure()

    @property
    def scenario(self) -> ScenarioDeck:
        """What goes wrong and what players do, as the deck of a training session."""
        every = self.irregularities == EVERY
        chance = PERCENT if every else int(self.irregularities)
        wrong = ScenarioCard(kind=kinds.EVERY if every else kinds.ANY, chance=chance)
        people = (ScenarioCard(kind=name, chance=chance) for name, chance in self.people.items())
        return ScenarioDeck(name=self.id, cards=(*((wrong,) if chance else ()), *people))

    def rounds_in(self, mode: str) -> int:
        """Return the number of rounds in a deal mode, if the exam is dealt in both.

        One third is dealt by device. More goes wrong when cards are dealt by hand, so that takes longer.
        """
        by_device = self.rounds // 3
        return by_device if mode == DEVICE else self.rounds - by_device

    @property
    def values(self) -> dict[str, Any]:
        """Every value in force, as JSON has them."""
        values: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        if not self.both_modes:
            # An exam in one deal mode keeps the hash that it had before there was a choice.
            del values["both_modes"]
        return values

    @property
    def text(self) -> str:
        """The canonical text."""
        return json.dumps(self.values, ensure_ascii=False, sort_keys=True)

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def shipped_exams() -> tuple[str, ...]:
    """Return the ids of the exams that come with the program."""
    names = (file.name for file in resources.files("houseway.training.exams").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def shipped_exam(name: str) -> Exam:
    """Return an exam that comes with the program; raise ExamError if there is none of this name."""
    known = shipped_exams()
    if name not in known:
        advice = f"{suggest(name, known)}; or give an exam's file"
        raise ExamError("", [Problem("exam", f"there is no exam {name!r}", advice)])
    text = resources.files("houseway.training.exams").joinpath(f"{name}.toml").read_text("utf-8")
    return read_exam(text, name)


def is_exam(text: str) -> bool:
    """True if a TOML text looks like an exam's file: it has a table [exam]."""
    return re.search(r"^\s*\[\s*exam\s*\]", text, re.MULTILINE) is not None


def read_exam(text: str, ref: str = "exam") -> Exam:
    """Return the exam of a TOML text; raise ExamError, with every problem, if it cannot be used."""
    exam, problems = exam_with_problems(text, ref)
    if exam is None or problems:
        raise ExamError(ref, problems)
    return exam


def exam_from_text(text: str) -> Exam:
    """Return the exam of a canonical text; raise ExamError if it is not one."""
    try:
        exam = msgspec.json.decode(text, type=Exam)
        again, problems = _read(_as_file(exam))
    except (ValueError, RecursionError) as error:
        raise ExamError("exam", [Problem("text", str(error), "use the text of a record")]) from error
    if again != exam or problems:
        raise ExamError("exam", problems or [Problem("text", "is not canonical", "use another copy")])
    return exam


def exam_with_problems(text: str, ref: str = "exam") -> tuple[Exam | None, list[Problem]]:
    """Return the exam of a TOML text, and every problem in it; None if it is not TOML."""
    if len(text.encode()) > MOST_BYTES:
        too_large = Problem("exam", f"is larger than {MOST_BYTES >> 10} KB", "give an exam's file")
        return None, [too_large]
    try:
        data = parsed(text, ref)
    except RulebookError as error:
        return None, error.problems
    return _read(data)


# --- the checker ---


def _read(data: dict[str, Any]) -> tuple[Exam, list[Problem]]:
    problems: list[Problem] = []
    file = Reader(data, "", problems)
    head = file.table("exam")
    exam = Exam(
        id=_identity(head),
        title=_text(head, "title", needed=True),
        about=_text(head, "about"),
        rounds=_count(head, "rounds", 1, MOST_ROUNDS),
        players=_count(head, "players", 1, MOST_PLAYERS),
        certificate=head.typed("certificate", bool, default=False),
        both_modes=head.typed("both_modes", bool, default=False),
        **_deck(file.table("deck")),
        time=_time(file.table("time")),
        passes=_passes(file.table("passes")),
        fails=_fails(file.table("automatic_failure")),
    )
    head.finish()
    file.finish()
    if exam.certificate and exam.passes == PassLimits():
        wrong = "has no limits, and the exam gives a certificate"
        problems.append(Problem("passes", wrong, "add a limit, such as slips_per_round = 0.3"))
    return exam, problems


def _identity(head: Reader) -> str:
    value = head.text("id", needed=True)
    if value and not _ID.fullmatch(value):
        head.fault(
            "id", f"{value[:40]!r} is not an id", "use small letters, digits and hyphens, at most 40"
        )
    return value


def _text(reader: Reader, key: str, *, needed: bool = False) -> str:
    value = reader.text(key, needed=needed)
    if len(value) > LONGEST_TEXT or not value.isprintable():
        reader.fault(key, "is too long, or not printable", f"use at most {LONGEST_TEXT} characters")
    return value


def _count(reader: Reader, key: str, least: int, most: int) -> int:
    value = reader.typed(key, int, 0, needed=True)
    if key in reader and type(reader.raw(key)) is int and not least <= value <= most:
        reader.fault(key, f"is {value}", f"use {least} to {most}")
        return least
    return value or least


def _deck(deck: Reader) -> dict[str, Any]:
    people = deck.table("people")
    chances: dict[str, int] = {}
    for kind_ in people.data:
        if kind_ not in CONDUCT:
            people.fault(kind_, "is not something that players do", suggest(kind_, CONDUCT))
        else:
            chances[kind_] = int(_number(people, kind_, 0, PERCENT) or 0)
    value = deck.raw("irregularities")
    deck.finish()
    if value is not None and value != EVERY and not (type(value) is int and 0 <= value <= PERCENT):
        advice = f'write "{EVERY}", or the percentage of rounds in which an irregularity happens'
        deck.fault("irregularities", f"{value!r} is not allowed", advice)
        value = 0
    return {"irregularities": value or 0, "people": chances}


def _time(time: Reader) -> TimeLimits:
    given = {key: _number(time, key, 1, LONGEST) for key in ("exam", "round", "notice", "away")}
    time.finish()
    limits = TimeLimits(**{key: round(SECOND * value) for key, value in given.items() if value is not None})
    if limits.exam and limits.round > limits.exam:
        time.fault("round", "is longer than the exam", "make it shorter than time.exam")
    return limits


def _passes(passes: Reader) -> PassLimits:
    percent = ("payment_accuracy", "hand_reading", "irregularities", "rulings", "conduct")
    counts = ("late_reports", "rounds_over_time", "floor_calls")
    values: dict[str, Any] = {
        **{key: passes.amount(key) for key in ("gross_mispayment", "net_mispayment")},
        **{key: _number(passes, key, 0, PERCENT) for key in percent},
        **{key: _number(passes, key, 0, 10_000) for key in ("payments_per_minute", "slips_per_round")},
        **{key: _whole(passes, key) for key in counts},
        "rounds_per_hour": _pace(passes),
    }
    median = _number(passes, "median_payment", 0, LONGEST)
    passes.finish()
    return PassLimits(**values, median_payment=None if median is None else round(SECOND * median))


def _fails(fails: Reader) -> AutomaticFailure:
    kinds = fails.texts("slips")
    for one in kinds:
        if one not in ch.KINDS:
            fails.fault("slips", f"{one!r} is not a kind of slip", suggest(one, ch.KINDS))
    failure = AutomaticFailure(
        mispayment=fails.amount("mispayment"),
        slips=kinds,
        abort=fails.typed("abort", bool, default=False),
        reconnections=_whole(fails, "reconnections"),
    )
    fails.finish()
    if failure.mispayment is not None and failure.mispayment <= 0:
        fails.fault("mispayment", f"is {exactly(failure.mispayment)}", "use an amount above zero")
    return failure


def _number(reader: Reader, key: str, least: float, most: float) -> float | None:
    value = reader.raw(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not least <= value <= most:
        given = str(value) if type(value) in (int, float) else kind(value)
        reader.fault(key, f"is {given}", f"write a number from {least:,} to {most:,}")
        return None
    return float(value)


def _whole(reader: Reader, key: str) -> int | None:
    value = _number(reader, key, 0, 10_000)
    if value is not None and not value.is_integer():
        reader.fault(key, f"is {value}", "write a whole number")
    return None if value is None else int(value)


def _pace(passes: Reader) -> dict[int, float] | None:
    """Return the lowest number of rounds per hour: one for all, or one for each number of players."""
    if not isinstance(passes.raw("rounds_per_hour"), dict):
        value = _number(passes, "rounds_per_hour", 0, 10_000)
        return None if value is None else {1: value}
    table = passes.table("rounds_per_hour")
    pace: dict[int, float] = {}
    for key in table.data:
        value = _number(table, key, 0, 10_000)
        if not (key.isdecimal() and 1 <= int(key) <= MOST_PLAYERS):
            table.fault(key, "is not a number of players", f"use 1 to {MOST_PLAYERS}")
        elif value is not None:
            pace[int(key)] = value
    return pace


def _as_file(exam: Exam) -> dict[str, Any]:
    """Return an exam as the tables of its file."""

    def dollars(cents: int | None) -> str | None:
        return None if cents is None else f"{cents // 100}.{cents % 100:02d}"

    limits = msgspec.structs.asdict(exam.passes)
    passes = limits | {key: dollars(limits[key]) for key in ("gross_mispayment", "net_mispayment")}
    median = exam.passes.median_payment
    passes["median_payment"] = None if median is None else median / SECOND
    pace = exam.passes.rounds_per_hour
    passes["rounds_per_hour"] = None if pace is None else {str(n): value for n, value in pace.items()}
    fails = msgspec.structs.asdict(exam.fails) | {"mispayment": dollars(exam.fails.mispayment)}
    times = {key: value / SECOND for key, value in msgspec.structs.asdict(exam.time).items() if value}
    head = ("id", "title", "about", "rounds", "players", "certificate", "both_modes")
    return {
        "exam": {key: getattr(exam, key) for key in head},
        "deck": {"irregularities": exam.irregularities, "people": exam.people},
        "time": times,
        "passes": {key: value for key, value in passes.items() if value is not None},
        "automatic_failure": {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in fails.items()
            if value is not None
        },
    }
