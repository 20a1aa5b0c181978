"""The rulebook checker: what it finds, where it says it is, and what it says would be right."""

import json
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.app import main
from houseway.rules import loading
from houseway.rules.problems import Problem

BOOKS = ("shootout-sd", "uth-card", "uth-ma", "uth-proc", "uth-sd")
GONE = object()
NOWHERE = 'names no clause; add clause, filled or house, or "silent = true"'
Step = str | int


def rules(book: str) -> dict[str, Any]:
    """A bundled rules.toml as tables, shared parts not written out."""
    file = resources.files("houseway").joinpath("rulebooks", book, "rules.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def steps(path: str) -> list[Step]:
    """The steps of a key path such as `wager.blind.pays[2].when`."""
    return [int(n) if n else name for name, n in re.findall(r"([^.\[\]]+(?![^\[]*\]))|\[(\d+)\]", path)]


def put(raw: Any, path: str, value: object) -> None:
    """Set a value, or take it out; `[[row]]` lists are added to at their end."""
    *way, last = steps(path)
    for step in way:
        raw = raw.setdefault(step, {}) if isinstance(raw, dict) else raw[step]
    if value is GONE:
        del raw[last]
    elif isinstance(raw, list) and last == len(raw):
        raw.append(value)
    else:
        raw[last] = value


def toml(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(k, ensure_ascii=False)} = {toml(v)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def saved(folder: Path, raw: dict[str, Any], name: str = "mine.toml") -> str:
    """A rulebook written to a file; its path."""
    file = folder / name
    file.write_text(
        "".join(f"{toml(key)} = {toml(value)}\n" for key, value in raw.items()), encoding="utf-8"
    )
    return str(file)


def problems(ref: str) -> list[Problem]:
    """Every problem of a rulebook, also of one that cannot be read at all."""
    try:
        return loading.examine(ref)[1]
    except loading.RulebookError as error:
        return error.problems


def own(folder: Path, book: str, text: str, name: str = "own.toml") -> str:
    """A user's file that extends a bundled rulebook; its path."""
    head = f'[rulebook]\nextends = "{book}"\nid = "own"\ntitle = "My own table"\n'
    file = folder / name
    file.write_text(head + text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("book", BOOKS)
def test_the_bundled_rulebooks_have_no_problem(book: str) -> None:
    assert loading.examine(book)[1] == []


def test_check_says_that_all_bundled_rulebooks_are_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "".join(f"{book}: sound\n" for book in BOOKS)


# Four mistakes at once, and only those.

FOUR = {
    "wager.ante.pays[2].when": {"contst": "lose"},
    "wager.trips.pays[0].clause": "MA-1.trips-z",
    "wager.play.pays[4]": {"when": {"contest": "win"}, "pays": "2 to 1", "clause": "MA-10.b"},
}
FOUND = [
    "wager.ante.pays[2].when.contst: 'contst' is no fact this wager looks at; did you mean 'contest'?",
    "wager.play.pays[4]: can never fire; earlier rows already answer all its cases; move it up or take it out",
    "wager.trips.pays[0]: 'MA-1.trips-z' is no clause of any document; did you mean 'MA-1.trips-a'?",
]
BLIND_ROW = (
    "wager.blind.pays: no row answers contest = win with hand = three of a kind, two pair, pair, high card; "
    "add a row that says what the wager comes to there"
)
BLIND_LINE = (
    "tables.blind.blind.rows: no row answers contest = win with hand = flush; "
    "add a row that says what the wager comes to there"
)
LINES = {
    "royal flush": "500 to 1", "straight flush": "50 to 1", "four of a kind": "10 to 1",
    "full house": "3 to 1", "straight": "1 to 1",
}  # fmt: skip


def with_four_mistakes(folder: Path, kind: str) -> str:
    """A copy of Massachusetts with a blind row left out and three other mistakes."""
    raw = rules("uth-ma")
    for path, value in FOUR.items():
        put(raw, path, value)
    if kind == "row":
        put(raw, "wager.blind.pays[4]", GONE)
    else:
        put(raw, "tables.blind.blind.rows", LINES)
    return saved(folder, raw)


@pytest.mark.parametrize(("kind", "missing"), [("row", BLIND_ROW), ("line", BLIND_LINE)])
def test_four_mistakes_are_named_in_one_go(tmp_path: Path, kind: str, missing: str) -> None:
    ref = with_four_mistakes(tmp_path, kind)
    assert sorted(map(str, problems(ref))) == sorted([*FOUND, missing])
    with pytest.raises(loading.RulebookError) as refusal:
        loading.load(ref)
    assert sorted(map(str, refusal.value.problems)) == sorted([*FOUND, missing])


@pytest.mark.parametrize(("kind", "missing"), [("row", BLIND_ROW), ("line", BLIND_LINE)])
def test_check_prints_the_four_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, missing: str
) -> None:
    ref = with_four_mistakes(tmp_path, kind)
    assert main(["check", ref]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == f"{ref}: 4 problems"
    told = ["".join(f"{line.strip()}\n" for line in rest[n : n + 3]) for n in range(0, len(rest), 3)]
    expected = [
        re.sub("; ", "\n", re.sub(": ", "\n", text, count=1), count=1) + "\n" for text in [*FOUND, missing]
    ]
    assert sorted(told) == sorted(expected)


def test_check_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = with_four_mistakes(tmp_path, "row")
    assert main(["check", ref, "uth-ma", "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["rulebook"], first["sound"], len(first["problems"])) == (ref, False, 4)
    assert set(first["problems"][0]) >= {"path", "wrong", "right", "weight"}
    assert second == {"rulebook": "uth-ma", "sound": True, "problems": []}


# One case for each kind of problem: a change to a copy of a rulebook, and all that must be said of it.

CARD, PROC, SHOOT, MA = "uth-card", "uth-proc", "shootout-sd", "uth-ma"
CASES: list[tuple[str, str, object, list[str]]] = [
    # What a value is.
    (CARD, "wager.ante", 3, ["?"]),
    (CARD, "stage", {"name": "x"}, ["stage: is a table; a list of tables belongs here"]),
    (CARD, "stage[0].board", "0", ["stage[0].board: is a text; a number belongs here"]),
    (CARD, "stage[0].board", GONE, ["stage[0].board: is missing; a number belongs here"]),
    (CARD, "stage[0].name", True, ["stage[0].name: is true or false; a text belongs here"]),
    (CARD, "wager.ante.optional", "no", ["wager.ante.optional: is a text; true or false belongs here"]),
    (
        CARD,
        "stage[0].sizes.value",
        ["3x"],
        ["stage[0].sizes.value: is no list of multiples; write the multiples of the ante, [3, 4]"],
    ),
    (
        CARD,
        "stage[0].sizes.value",
        [],
        ["stage[0].sizes.value: is no list of multiples; write the multiples of the ante, [3, 4]"],
    ),
    (CARD, "pass[0].hands", 2, ["pass[0].hands: is a number; a list of texts belongs here"]),
    (CARD, "pass[0].wagers", "ante", ["pass[0].wagers: is a text; a list of wagers belongs here"]),
    (
        CARD,
        "entry.value",
        ["ante"],
        ['entry.value: is a list; write sets of wagers, [["ante", "blind"], ["trips"]]'],
    ),
    (
        CARD,
        "cap[0].limit",
        50000,
        [
            'cap[0].limit: is a number; write dollars as text, "7.50"',
            "cap[0]: has no limit; give limit or setting, one of the two",
        ],
    ),
    (CARD, "cap[0].limit", "lots", ["?"]),
    (PROC, "approval[0].above", "300.005", ["?"]),
    (PROC, "limits.ante.minima.value", ["3", "five"], ["?"]),
    (CARD, "wager.ante.pays[4].pays", "evens", ["?"]),
    (CARD, "wager.ante.pays[4].pays", 1, ["?"]),
    (CARD, "tables.trips.CARD.rows", {**LINES, "flush": "6 to 0", "three of a kind": "3 to 1"}, ["?"]),
    (CARD, "posting[0].where", "wall", ["?"]),
    (CARD, "rulebook.game", "ultimat", ["?"]),
    # What a value rests on.
    (CARD, "wager.ante.pays[4].clause", GONE, [f"wager.ante.pays[4]: {NOWHERE}"]),
    (CARD, "wager.ante.pays[4].clause", 15, ["?"]),
    (MA, "stage[0].check.clause", {"manual": "MA-7.f.1.ii", "machine": "MA-9.a.2"}, ["?"]),
    (
        CARD,
        "stage[0].sizes",
        {"clause": "CARD-8"},
        ["stage[0].sizes: has no value; write { value = …, clause = … }"],
    ),
    (CARD, "entry.also", ["CARD-99"], ["?"]),
    # Keys.
    (CARD, "wager.ante.optionl", False, ["?"]),
    (CARD, "wagers", {}, ["?"]),
    (CARD, "stage[0].colour", "red", ["?"]),
    (CARD, "rulebook.title", GONE, ["rulebook.title: is missing; a text belongs here"]),
    (CARD, "rulebook.id", GONE, ["rulebook.id: is missing; a text belongs here"]),
    (PROC, "limits.ante.minimum", "3", ["?"]),
    (PROC, "posted.ante", {"low": "3"}, ["?"]),
    # Options.
    (CARD, "options.cut", GONE, ["options.cut: is missing; every parameter has a value in every rulebook"]),
    (CARD, "options.ct", {"value": "none", "silent": True}, ["?"]),
    (CARD, "options.split", {"value": "any four cards", "silent": True}, ["?"]),
    (CARD, "options.cut.value", "if requird", ["?"]),
    (CARD, "options.seats.value", "six", ["options.seats.value: is a text; a number belongs here"]),
    (CARD, "options.burns.value", {"manual": 1, "machine": 0}, ["?"]),
    (CARD, "options.offered.value", ["ante", "blind", "trips"], ["?"]),
    (CARD, "options.qualifier.value", "pear", ["?"]),
    # House settings.
    (PROC, "house.ante_return.default", "in_sequenc", ["?"]),
    (PROC, "house.ante_return.kind", "choise", ["?"]),
    (PROC, "house.ante_return.about", GONE, ["house.ante_return.about: is missing; a text belongs here"]),
    (PROC, "house.max_payout.default", "0", ["?"]),
    (MA, "house.decks.default", 3, ["?"]),
    (MA, "house.match_play.default", "no", ["?"]),
    (MA, "house.reserve.default", {"minr": "5"}, ["?"]),
    (
        MA,
        "house.decks.needs[0].setting",
        GONE,
        ["house.decks.needs[0].setting: is missing; a text belongs here"],
    ),
    # The ranking.
    (CARD, "ranking.decks", GONE, ["ranking.decks: is missing; a number belongs here"]),
    (CARD, "ranking.decks", 0, ["ranking.decks: is no number of decks; write 1 or more"]),
    (
        CARD,
        "ranking.classes[9]",
        GONE,
        ["ranking.classes: does not end with high card; every hand must have a class"],
    ),
    (CARD, "ranking.classes[8].name", "two pair", ["?"]),
    (CARD, "ranking.classes[2].name", "four of a knd", ["?"]),
    # Decision tables.
    (CARD, "wager.ante.looks", "showdwn", ["?"]),
    (CARD, "wager.ante.pays", [], ["?"]),
    (CARD, "wager.ante.pays[1].when.dealer_qualifies", "no", ["?"]),
    (CARD, "wager.blind.pays[3].when.hand", "strait or better", ["?"]),
    (CARD, "wager.trips.pays[0].when.hand", ["three of a kind", "quads"], ["?"]),
    (CARD, "wager.trips.pays[1]", GONE, ["?"]),
    (CARD, "wager.trips.pays[0].table", "trip", ["?"]),
    (MA, "wager.cover_all.pays[0].table", "cover_all.8", ["?"]),
    # Pay tables.
    (CARD, "tables.trips.CARD.rows", "trips-9", ["?"]),
    (CARD, "tables.tripz", {"X": {"rows": "trips-2", "clause": "CARD-24"}}, ["?"]),
    (
        CARD,
        "tables.trips.CARD.rows",
        {**LINES, "flush": "6 to 1", "three of a kind": "3 to 1", "two pair": "1 to 1"},
        ["?"],
    ),
    (MA, "tables.progressive.PTMGL01.cards.value", "first six", ["?"]),
    (MA, "tables.progressive.PTMGL01.meters", ["mane"], ["?"]),
    # Passes, caps, approvals, references.
    (CARD, "pass[0].hands", ["foldd", "held"], ["?"]),
    (CARD, "pass[0].direction.value", "clockwize", ["?"]),
    (CARD, "pass[0].wagers", ["ante", "blnd"], ["?"]),
    (CARD, "pass[1].wagers[3]", {"filled": "MA-9.h.4-a"}, ["?"]),
    (CARD, "pass[1].wagers[2]", GONE, ["wager.play: is settled in no pass; add it to a [[pass]]"]),
    (CARD, "cap[0].wagers", ["ante", "plai"], ["?"]),
    (CARD, "cap[0].setting", "max_payout", ["?"]),
    (PROC, "cap[0].setting", "max_payot", ["?"]),
    (PROC, "approval[0].wagers", ["antes"], ["?"]),
    (CARD, "wager.blind.equals.value", "anti", ["?"]),
    (CARD, "wager.trips.beside.value", ["anti"], ["?"]),
    (
        CARD,
        "posted_limits",
        GONE,
        ["posted_limits: is missing; say what refuses a wager outside the posted limits"],
    ),
    # Posted limits.
    (CARD, "posted.ante", {"min": "10", "max": "5"}, ["?"]),
    (PROC, "posted.ante", {"min": "4"}, ["?"]),
    (PROC, "posted.trips", {"max": "30"}, ["?"]),
    (SHOOT, "posted.wager", {"max": "501"}, ["?"]),
    # The house way.
    (SHOOT, "house_way.version", "1", ["house_way.version: is a text; a number belongs here"]),
    (SHOOT, "house_way.lines[0].text", GONE, ["house_way.lines[0].text: is missing; a text belongs here"]),
    (SHOOT, "house_way.lines[0].suted", True, ["?"]),
    (SHOOT, "house_way.lines[0].pair", 1, ["?"]),
]
