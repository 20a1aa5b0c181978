"""The rulebook checker: the problems it reports, their places, and the corrections it suggests."""

import copy
import json
import re
import tempfile
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovered import BOOKS
from houseway.cli.app import main
from houseway.rules import loader
from houseway.rules.problems import Problem

GONE = object()
Steps = list[str | int]


def bundled(book: str) -> str:
    """The text of a bundled rulebook in one file."""
    folder = resources.files("houseway").joinpath("rulebooks", book)
    files = (folder.joinpath(name) for name in ("rules.toml", "procedure.toml"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def steps(path: str) -> Steps:
    """The steps of a key path such as `wager.blind.pays[2].when`."""
    matches = re.findall(r"(?<=\[)(\d+)(?=\])|([^.\[\]]+)", path)
    return [int(number) if number else name for number, name in matches]


def put(raw: Any, path: Steps, value: object) -> None:
    """Set a value or delete it; a new row goes at the end of its list."""
    *way, last = path
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
        return "{" + ", ".join(f"{toml(key)} = {toml(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def save(folder: Path, raw: dict[str, Any]) -> str:
    """Write a rulebook to a file and return its path."""
    file = folder / "mine.toml"
    file.write_text(
        "".join(f"{toml(key)} = {toml(below)}\n" for key, below in raw.items()), encoding="utf-8"
    )
    return str(file)


def problems(ref: str) -> list[Problem]:
    """Every problem of a rulebook, even if the rulebook cannot be read at all."""
    try:
        return loader.load_with_problems(ref)[1]
    except loader.RulebookError as error:
        return error.problems


@pytest.mark.parametrize("book", BOOKS)
def test_the_bundled_rulebooks_have_no_problem(book: str) -> None:
    assert loader.load_with_problems(book)[1] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_copy_of_a_bundled_rulebook_has_no_problem(book: str, tmp_path: Path) -> None:
    assert problems(save(tmp_path, tomllib.loads(bundled(book)))) == []


def test_check_says_that_all_bundled_rulebooks_are_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "".join(f"{book}: sound\n" for book in BOOKS)


# Four mistakes at once, and only those.

THREE = [
    (
        "wager.ante.pays[2].when.contst",
        "'contst' is not a fact that this wager depends on",
        "did you mean 'contest'?",
    ),
    (
        "wager.play.pays[4]",
        "can never apply",
        "earlier rows already cover all its cases: move it up or remove it",
    ),
    (
        "wager.trips.pays[0]",
        "'MA-1.tripz-a' is not a clause of any document",
        "did you mean 'MA-1.trips-a'?",
    ),
]
ADD = "add a row for it"
ROW = (
    "wager.blind.pays",
    'no row covers the case folded = "no", contest = "win", hand = "below straight"',
    ADD,
)
LINE = (
    "tables.blind.blind.rows",
    'no row covers the case folded = "no", contest = "win", hand = "flush"',
    ADD,
)
BLIND = {
    "royal flush": "500 to 1",
    "straight flush": "50 to 1",
    "four of a kind": "10 to 1",
    "full house": "3 to 1",
    "straight": "1 to 1",
}
either = pytest.mark.parametrize(
    ("path", "value", "missing"),
    [
        pytest.param("wager.blind.pays[4]", GONE, ROW, id="row of the blind"),
        pytest.param("tables.blind.blind.rows", BLIND, LINE, id="line of its pay table"),
    ],
)


def with_four_mistakes(folder: Path, path: str, value: object) -> str:
    """A copy of Massachusetts with a blind row missing and three other mistakes."""
    raw = tomllib.loads(bundled("uth-ma"))
    put(raw, steps("wager.ante.pays[2].when"), {"contst": "lose"})
    put(raw, steps("wager.trips.pays[0].clause"), "MA-1.tripz-a")
    dead = {"when": {"contest": "win"}, "pays": "2 to 1", "clause": "MA-10.b"}
    put(raw, steps("wager.play.pays[4]"), dead)
    put(raw, steps(path), value)
    return save(folder, raw)


@either
def test_four_mistakes_are_reported_at_once(
    tmp_path: Path, path: str, value: object, missing: tuple[str, str, str]
) -> None:
    ref = with_four_mistakes(tmp_path, path, value)
    listed = problems(ref)
    assert sorted((p.path, p.wrong, p.right) for p in listed) == sorted([*THREE, missing])
    assert {p.weight for p in listed} == {"error"}
    with pytest.raises(loader.RulebookError) as refusal:
        loader.load(ref)
    assert refusal.value.problems == listed


@either
def test_check_prints_the_four_mistakes_and_exits_with_1(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    path: str,
    value: object,
    missing: tuple[str, str, str],
) -> None:
    ref = with_four_mistakes(tmp_path, path, value)
    assert main(["check", ref]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == f"{ref}: 4 problems"
    lines = [line.strip() for line in rest]
    assert sorted(zip(lines[::3], lines[1::3], lines[2::3], strict=True)) == sorted([*THREE, missing])


def test_check_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = with_four_mistakes(tmp_path, "wager.blind.pays[4]", GONE)
    assert main(["check", ref, "uth-ma", "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["rulebook"], first["sound"], len(first["problems"])) == (ref, False, 4)
    dead = dict(zip(("path", "wrong", "right"), THREE[1], strict=True))
    assert dead | {"weight": "error"} in first["problems"]
    assert second == {"rulebook": "uth-ma", "sound": True, "problems": []}


# One case for each kind of problem: a change to a copy of a rulebook, and every message about it.

CASES = """
# The steps between which a step may be done.
uth-sd: round[28].free_from = ["settle the hand"]
    round."reset the progressive system".free_from: 'settle the hand' is not a step; did
        you mean 'settle the hands'?
uth-sd: round[1].free_until = ["dispense the community card"]
    round."announce no more bets".free_until: 'dispense the community card' is not a
        step; did you mean 'dispense the community cards'?
uth-sd: round[1].free_until = ["open the round"]
    round."announce no more bets".free_until: 'open the round' is not a later step; name
        a later step
uth-sd: round[1].free_from = ["announce no more bets"]
    round."announce no more bets".free_from: 'announce no more bets' is not an earlier
        step; name an earlier step
uth-sd: round[1].any_order = "yes"
    round."announce no more bets".any_order: is a string; write true or false
# What a value is.
uth-proc: limits.ante = 3
    limits.ante: is a number; write a table
uth-card: stage = {"name" = "x"}
    stage: is a table; write a list of TOML tables, as in [{ … }]
uth-card: stage[0].board = "0"
    stage[0].board: is a string; write a number
uth-card: stage[0].board is gone
    stage[0].board: is missing; write a number
uth-card: stage[0].name = true
    stage[0].name: is true or false; write a string
uth-card: wager.ante.optional = "no"
    wager.ante.optional: is a string; write true or false
uth-card: stage[0].sizes.value = ["3x"]
    stage[0].sizes.value: is not a list of sizes; write multiples of the ante, as in
        [3, 4]
uth-card: stage[0].sizes.value = []
    stage[0].sizes.value: is not a list of sizes; write multiples of the ante, as in
        [3, 4]
uth-card: pass[3] = {"name" = "again", "hands" = 2, "wagers" = ["ante"], "silent" = true}
    pass[3].hands: is a number; write a list of strings
uth-card: pass[3] = {"name" = "again", "hands" = ["held"], "wagers" = "ante", "silent" = true}
    pass[3].wagers: is a string; list the wagers that this pass settles
uth-card: entry.value = ["ante"]
    entry.value: is a list; write sets of wagers, as in [["ante", "blind"], ["trips"]]
uth-proc: approval[0].above = 300
    approval[0].above: is a number; write dollars as a string, as in "7.50"
uth-proc: approval[0].above = "300.005"
    approval[0].above: '300.005' is not an amount; write dollars with up to two decimals, such as
        7.50
uth-proc: limits.ante.minima.value = ["3", "five"]
    limits.ante.minima.value: 'five' is not an amount; write dollars with up to two decimals, such
        as 7.50
uth-card: wager.ante.pays[4].pays = "evens"
    wager.ante.pays[4].pays: 'evens' is not a payment; write odds as "A to B" or "A for B", a share
        as "P % of METER", an amount as "$D", or "push" or "lose"
uth-card: wager.ante.pays[4].pays = 1
    wager.ante.pays[4].pays: is a number; write odds as "A to B", or "push" or "lose"
shootout-sd: tables.bonus.A.rows.flush = "2 to 0"
    tables.bonus.A.rows.flush: '2 to 0' is not a payment; write odds as "A to B" or "A for B", a
        share as "P % of METER", an amount as "$D", or "push" or "lose"
uth-card: posting[0].where = "wall"
    posting[0].where: 'wall' is not allowed; use one of card, layout, placard, sign
uth-card: rulebook.game = "ultimat"
    rulebook.game: 'ultimat' is not allowed; did you mean 'ultimate'?
# What a value rests on.
uth-card: wager.ante.pays[4].clause is gone
    wager.ante.pays[4]: names no clause; add clause = "…", filled = "…", house = "…" or silent
        = true
uth-card: wager.ante.pays[4].clause = 15
    wager.ante.pays[4].clause: is a number; write a clause id
uth-card: stage[0].sizes = {"clause" = "CARD-8"}
    stage[0].sizes: has no value; write { value = …, clause = "…" }
uth-card: entry.also = ["CARD-99"]
    entry: 'CARD-99' is not a clause of any document; did you mean 'CARD-9'?
uth-card: wager.trips.also = "CARD-99"
    wager.trips: 'CARD-99' is not a clause of any document; did you mean 'CARD-9'?
# Keys.
uth-card: wager.ante.optionl = false
    wager.ante.optionl: unknown key; did you mean 'optional'?
uth-card: wagers = {}
    wagers: unknown key; did you mean 'wager'?
uth-card: stage[0].colour = "red"
    stage[0].colour: unknown key; use one of board, check, fold, laid, locks, name, sizes
uth-card: rulebook.title is gone
    rulebook.title: is missing; write a string
uth-card: rulebook.id is gone
    rulebook.id: is missing; write a string
uth-card: rulebook.extend = "uth-ma"
    rulebook.extend: unknown key; did you mean 'extends'?
uth-proc: limits.ante.minimum = "3"
    limits.ante.minimum: unknown key; did you mean 'minima'?
uth-proc: posted.ante = {"low" = "3"}
    posted.ante.low: unknown key; use one of max, min
uth-card: ranking.card_orders = "AKQ"
    ranking.card_orders: unknown key; did you mean 'card_order'?
# Options.
uth-card: options.cut is gone
    options.cut: is missing; write cut = { value = …, clause = "…" }
uth-card: options.ct = {"value" = "none", "silent" = true}
    options.ct: is not an option of this game; did you mean 'cut'?
shootout-sd: options.burns = {"value" = {}, "silent" = true}
    options.burns: is not an option of this game; use one of burn_per_shoe, cover_cards, cut,
        cut_card, deal_by_device, deal_by_hand, dealer_splits, deck_standard, decks,
        designated_table, device_failure, drawn_in_error and 30 more
uth-card: options.cut.value = "if requird"
    options.cut.value: 'if requird' is not allowed; did you mean 'if required'?
uth-card: options.cut_least.value = "ten"
    options.cut_least.value: is a string; write a number
uth-card: options.shoe.value = "yes"
    options.shoe.value: is a string; write true or false
uth-card: options.burns.value = {"manual" = 1, "machine" = 0}
    options.burns.value.machine: unknown key; use one of device, manual
uth-card: options.offered.value = ["ante", "blind", "trips"]
    options.offered.value: does not list play; list every wager of the rulebook once: ante, blind,
        play, trips
uth-card: options.qualifier.value = "pear"
    options.qualifier.value: 'pear' is not a class of hands; did you mean 'pair'?
# House settings.
uth-proc: house.ante_return.default = "in_sequenc"
    house.ante_return.default: 'in_sequenc' is not a choice; did you mean 'in_sequence'?
uth-proc: house.ante_return.kind = "choise"
    house.ante_return.kind: 'choise' is not allowed; did you mean 'choice'?
uth-proc: house.ante_return.about is gone
    house.ante_return.about: is missing; write a string
uth-proc: house.max_payout.default = "0"
    house.max_payout.default: is 0; write an amount above 0
uth-ma: house.decks.default = 3
    house.decks.default: 3 is not allowed; write a whole number from 1 to 2
uth-ma: house.match_play.default = "no"
    house.match_play.default: is a string; write true or false
uth-ma: house.reserve.default = {"minr" = "5"}
    house.reserve.default: unknown name 'minr'; did you mean 'minor'?
uth-ma: house.reserve.default = "5"
    house.reserve.default: is a string; write amounts by name, as in {"main": "10000"}
uth-proc: house.hand_that_pays.default = 7
    house.hand_that_pays.default: is a number; write a string
uth-ma: house.decks.needs[0].setting is gone
    house.decks.needs[0].setting: is missing; write a string
uth-ma: house.decks.needs[0].below = 1
    house.decks.needs[0].below: unknown key; use one of above, also, clause, filled, house, own,
        setting, silent
# The ranking.
uth-card: ranking.decks is gone
    ranking.decks: is missing; write a number
uth-card: ranking.decks = 0
    ranking.decks: is 0; write 1 or more
uth-card: ranking.low_ace.value = false
    ranking.low_ace.value: false is not supported; write true
uth-card: ranking.suits_equal.value = false
    ranking.suits_equal.value: false is not supported; write true
uth-card: ranking.card_order.value = "23456789TJQKA"
    ranking.card_order.value: "23456789TJQKA" is not supported; write "AKQJT98765432"
uth-card: ranking.kickers.value = "lowest card wins"
    ranking.kickers.value: "lowest card wins" is not supported; write "same class and defining ranks first, then the highest card not shared"
uth-card: options.shoe.value = false
    options.shoe: false is not what the procedure does; change the option or the procedure
uth-card: options.paid_separately.value = false
    options.paid_separately: false is not what the procedure does; change the option or the procedure
uth-card: options.turn_order.value = "any order"
    options.turn_order: 'any order' is not what the procedure does; change the option or the procedure
uth-card: ranking.classes[9] is gone
    ranking.classes: does not end with high card; add high card as the last class
uth-card: ranking.classes[7].name = "flush"
    ranking.classes: lists a class twice; list each class once
uth-card: ranking.classes[2].name = "four of a knd"
    ranking.classes[2].name: 'four of a knd' is not a class of hands; did you mean 'four of a kind'?
# Decision tables.
uth-card: wager.ante.looks = "showdwn"
    wager.ante.looks: 'showdwn' is not a fact group; did you mean 'showdown'?
uth-card: wager.ante.pays = []
    wager.ante.pays: is empty; add rows that cover every case
uth-card: wager.ante.pays[2].when.contest = "loose"
    wager.ante.pays[2].when.contest: 'loose' is not a value of contest; did you mean 'lose'?
uth-card: wager.ante.pays[2].when = {"hands_dealt" = 7}
    wager.ante.pays[2].when.hands_dealt: 'hands_dealt' is not a fact that this wager depends on; use
        one of contest, dealer_qualifies, folded, hand
uth-card: wager.blind.pays[3].when.hand = "strait or better"
    wager.blind.pays[3].when.hand: 'strait' is not a value of hand; did you mean 'straight'?
uth-card: wager.trips.pays[0].when.hand = ["three of a kind", "quads"]
    wager.trips.pays[0].when.hand: 'quads' is not a value of hand; use one of 'flush', 'four of a kind',
        'full house', 'high card', 'pair', 'royal flush', 'straight', 'straight flush',
        'three of a kind', 'two pair'
uth-card: wager.trips.pays[1] is gone
    wager.trips.pays: no row covers the case hand = "below three of a kind", made = "no royal"; add a row
        for it
uth-card: wager.ante.pays[1] = {"pays" = "push", "clause" = "CARD-21"}
    wager.ante.pays[2]: can never apply; earlier rows already cover all its cases: move it up or
        remove it
    wager.ante.pays[3]: can never apply; earlier rows already cover all its cases: move it up or
        remove it
    wager.ante.pays[4]: can never apply; earlier rows already cover all its cases: move it up or
        remove it
uth-ma: wager.cover_all.pays[8] is gone
    wager.cover_all.pays: no row covers the case hands_dealt = [2, 3, 4, 5, 6], hand = "below full house";
        add a row for it
    wager.cover_all.pays: no row covers the case hands_dealt = [2, 3, 4, 5, 6],
        hand = "below three of a kind"; add a row for it
uth-ma: wager.cover_all.pays[6].setting.cover_all_low = "win"
    wager.cover_all.pays[6].setting.cover_all_low: 'win' is not allowed; use one of lose, push
uth-ma: wager.cover_all.pays[6].setting.generosity = "push"
    wager.cover_all.pays[6].setting.generosity: 'generosity' is not a house setting; use one of
        auto_approve, awards, coupons_per_player, cover_all_left, cover_all_low, cover_cards, cut_required,
        decks, device_counts, direct_to_shoe, feed, folded_progressive and 11 more
# Pay tables.
uth-card: tables.trips.CARD.rows = {}
    tables.trips.CARD.rows: no row covers the case hand = "three of a kind or better"; add a row for it
    tables.trips.CARD.rows: is empty; name a shared pay table or write the rows
uth-card: tables.trips.CARD.rows = "trips-99"
    tables.trips.CARD.rows: 'trips-99' is not a shared pay table; name a table of shared/pays.toml
        or write the rows
uth-card: tables.tripz = {"X" = {"rows" = "trips-2", "clause" = "CARD-24"}}
    tables.tripz: no wager uses this kind of pay table; did you mean 'trips'?
shootout-sd: tables.bonus.A.rows.two pair = "1 to 1"
    tables.bonus.A.rows."two pair": can never apply; the wager's rows never use the table for this
        case: change them or remove this row
shootout-sd: tables.bonus.A.rows.strait = "1 to 1"
    tables.bonus.A.rows.strait.when.hand: 'strait' is not a value of hand; did you mean 'straight'?
shootout-sd: tables.bonus.A.rows.flush is gone
    tables.bonus.A.rows: no row covers the case hand = "flush", made = "no royal"; add a row for it
shootout-sd: tables.bonus.A.row = {}
    tables.bonus.A.row: unknown key; did you mean 'rows'?
shootout-sd: tables.bonus.A.clause is gone
    tables.bonus.A: names no clause; add clause = "…", filled = "…", house = "…" or silent
        = true
uth-ma: tables.progressive.PTMGL01.cards.value = "first six"
    tables.progressive.PTMGL01.cards: 'first six' is not allowed; did you mean 'first five'?
uth-ma: tables.progressive.PTMGLML01.meters = ["major"]
    tables.progressive.PTMGLML01.meters: names the meter 'minor', which the table does not have; did
        you mean 'major'?
# Passes, caps, approvals, names of wagers.
uth-card: pass[0].hands = ["folded", "held", "heldd"]
    pass[0].hands: 'heldd' is not a kind of hand; did you mean 'held'?
uth-card: pass[0].direction.value = "clockwize"
    pass[0].direction: 'clockwize' is not a direction; did you mean 'clockwise'?
uth-card: pass[0].wagers = ["ante", "blind", "blnd"]
    pass[0].wagers: 'blnd' is not a wager of this rulebook; did you mean 'blind'?
uth-card: pass[1].wagers[2] is gone
    wager.play: no pass settles this wager for a hand that did not fold; add it to a [[pass]] with
        "standing" in `hands` and without `when`
uth-card: cap[0].limit is gone
    cap[0]: has no limit; write limit = "50000" or setting = "…"
uth-card: cap[0].limit = "x"
    cap[0].limit: 'x' is not an amount; write dollars with up to two decimals, such as 7.50
uth-card: cap[0].wagers = ["ante", "plai"]
    cap[0].wagers: 'plai' is not a wager of this rulebook; did you mean 'play'?
uth-proc: cap[0].setting = "max_payot"
    cap[0].setting: 'max_payot' is not a house setting; did you mean 'max_payout'?
uth-proc: approval[0].wagers = ["antes"]
    approval[0].wagers: 'antes' is not a wager of this rulebook; did you mean 'ante'?
uth-card: wager.blind.equals.value = "anti"
    wager.blind.equals: 'anti' is not a wager of this rulebook; did you mean 'ante'?
uth-card: wager.trips.beside.value = ["anti"]
    wager.trips.beside: 'anti' is not a wager of this rulebook; did you mean 'ante'?
uth-card: posted_limits is gone
    posted_limits: is missing; cite the clause that forbids wagers outside the limits
# The procedure.
uth-card: opening[1].act = "inspekt"
    opening."inspect the deck".act: 'inspekt' is not allowed; did you mean 'inspect'?
uth-card: opening[1].rules.witnessed = {"silent" = true}
    opening."inspect the deck".rules.witnessed: unknown key; use one of by_player, named
# Posted limits.
uth-card: posted.ante = {"min" = "10", "max" = "5"}
    posted.ante: the minimum $10 is above the maximum $5; change the limits
uth-proc: posted.ante = {"min" = "4"}
    posted.ante: the minimum must be $3 or $5, not $4; change the limits (PROC-H.2-a)
uth-proc: posted.trips = {"max" = "30"}
    posted.trips: the maximum must be at most $25, not $30; change the limits (PROC-H.1)
shootout-sd: posted.wager = {"max" = "501"}
    posted.wager: with these limits, one player could have $1,002 at risk (wager $1,002); the bet limit is
        $1,000; change the limits (SD-1-c)
# The house way.
shootout-sd: house_way.version = "1"
    house_way.version: is a string; write a number
shootout-sd: house_way.lines[0].text is gone
    house_way.lines[0].text: is missing; write a string
shootout-sd: house_way.lines[0].hihg = "A"
    house_way.lines[0].hihg: unknown key; did you mean 'high'?
shootout-sd: house_way.lines[0].pair = 1
    house_way.lines[0].pair: is a number; write true or false
"""


def cases(listed: str) -> list[Any]:
    """Parse the listed cases: the first line has the rulebook and the change, the lines below the messages."""
    whole = re.sub(r"\n {8}", " ", re.sub(r"(?m)^#.*\n", "", listed).strip())
    parsed = []
    for head, below in re.findall(r"(?m)^(\S.*)\n((?: +.*(?:\n|$))+)", whole):
        book, _, change = head.partition(": ")
        parsed.append(pytest.param(book, change, below.strip().split("\n    "), id=f"{book} {change}"[:70]))
    return parsed


def save_changed(folder: Path, book: str, change: str) -> str:
    """A copy of a rulebook with `PATH = VALUE` set, or without the key in `PATH is gone`."""
    raw = tomllib.loads(bundled(book))
    path, is_set, value = change.partition(" = ")
    if is_set:
        put(raw, steps(path), tomllib.loads(f"value = {value}")["value"])
    else:
        put(raw, steps(path.removesuffix(" is gone")), GONE)
    return save(folder, raw)


@pytest.mark.parametrize(("book", "change", "messages"), cases(CASES))
def test_every_kind_of_problem_is_reported(
    book: str, change: str, messages: list[str], tmp_path: Path
) -> None:
    assert [str(p) for p in problems(save_changed(tmp_path, book, change))] == messages


# Changes that leave a rulebook unusable, with the key that a message must name.

UNUSABLE = """
# Stakes that would never be settled.
uth-card: pass[2] is gone
    wager.trips
uth-card: pass[1].hands is gone
    pass[1]
uth-card: pass[0].wagers[1] is gone
    wager.blind
uth-ma: pass[2].hands = ["held"]
    wager.progressive
# Payments that cannot be computed.
uth-ma: house.trips_table.example = "Z"
    house.trips_table
uth-ma: tables.trips.B is gone
    house.trips_table
uth-ma: house.trips_table is gone
    house.trips_table
uth-proc: house.max_payout.kind = "text"
    cap[0]
uth-card: wager.ante.pays[4].pays = "10 % of main"
    wager.ante.pays[4]
shootout-sd: house_way.lines[13] is gone
    house_way
uth-card: wager.trips.pays[0].table = "trip"
    wager.trips.pays[0].table
# Names of nothing.
uth-card: posted.antee = { min = "5" }
    posted.antee
uth-proc: limits.tripz = { maximum = { value = "25", clause = "PROC-H.1" } }
    limits.tripz
uth-ma: table_rules.tripz = { no_less = { clause = "MA-10.d" } }
    table_rules.tripz
uth-card: entry.value = [["antee", "blind"]]
    entry
uth-card: options.modes.value = ["manuel"]
    options.modes
uth-card: options.tips.value = ["antee"]
    options.tips
uth-ma: wager.cover_all.modes.value = ["devise"]
    wager.cover_all.modes
uth-sd: wager.envy.excludes.value = "playr"
    wager.envy.excludes
uth-ma: house.decks.needs[0].setting = "shufler"
    house.decks.needs[0]
uth-proc: pass[1].when = { dealer_qualfies = false }
    pass[1].when
uth-proc: pass[1].when = { ante_return = "refund" }
    pass[1].when
uth-card: posted_limits.house = "posted_limit"
    posted_limits
shootout-sd: ranking.classes[1].within = "strait flush"
    ranking.classes[1]
# Values of the wrong kind.
uth-card: wager.ante.pays[1].when = ""
    wager.ante.pays[1].when
uth-card: options.seats.value = "six"
    options.seats
uth-card: options.seats.value = -3
    options.seats
uth-card: options.offered.value = 4
    options.offered
uth-card: options.offered.value = ["ante", 1]
    options.offered
uth-card: options.decks.value = ["one"]
    options.decks
uth-card: house.use = ["rounding", 1]
    house.use
uth-card: house.use = ["roundin"]
    house.use
shootout-sd: house.seats = 7
    house.seats
shootout-sd: house.seats.high = "seven"
    house.seats.high
uth-card: stage = []
    stage
"""


@pytest.mark.parametrize(("book", "change", "key"), cases(UNUSABLE))
def test_a_change_that_makes_a_rulebook_unusable_is_reported(
    book: str, change: str, key: list[str], tmp_path: Path
) -> None:
    listed = problems(save_changed(tmp_path, book, change))
    assert any(p.path.startswith(key[0]) for p in listed if p.weight == "error")


def test_a_misspelt_hand_in_a_pay_table_is_the_only_problem_reported(tmp_path: Path) -> None:
    lines = dict(BLIND)
    lines["flsh"] = "3 to 2"
    lines["straight"] = lines.pop("straight")
    raw = tomllib.loads(bundled("uth-card"))
    put(raw, steps("tables.blind.blind.rows"), lines)
    assert [p.path for p in problems(save(tmp_path, raw))] == ["tables.blind.blind.rows.flsh.when.hand"]


def test_a_clause_of_another_document_must_be_marked_as_filled(tmp_path: Path) -> None:
    raw = tomllib.loads(bundled("uth-card"))
    put(raw, steps("wager.ante.pays[4].clause"), "MA-10.b")
    clauses = resources.files("houseway").joinpath("rulebooks", "uth-card", "clauses.toml")
    (tmp_path / "clauses.toml").write_text(clauses.read_text(encoding="utf-8"), encoding="utf-8")
    [problem] = problems(save(tmp_path, raw))
    assert (problem.path, problem.wrong) == ("wager.ante.pays[4]", "MA-10.b belongs to another document")
    assert problem.right == 'write filled = "…" instead of clause = "…"'
    put(raw, steps("wager.ante.pays[4].filled"), raw["wager"]["ante"]["pays"][4].pop("clause"))
    assert problems(save(tmp_path, raw)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        pytest.param(
            "[rulebook\n", "mine.toml is not valid TOML: Expected ']' at the end of a table", id="bracket"
        ),
        pytest.param(
            "[rulebook]\nid = 'a'\nid = 'b'\n",
            "mine.toml is not valid TOML: Cannot overwrite a value",
            id="key twice",
        ),
        pytest.param("id = uth-ma\n", "mine.toml is not valid TOML: Invalid value", id="bare word"),
    ],
)
def test_a_file_that_is_not_toml_is_reported(text: str, wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    [problem] = problems(str(file))
    assert (problem.path, problem.right) == ("file", "fix that line")
    assert problem.wrong.startswith(wrong)
    assert "line " in problem.wrong


def test_a_file_that_is_not_text_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe[rulebook]")
    [problem] = problems(str(file))
    assert (problem.path, problem.wrong[:27]) == ("file", "mine.toml is not UTF-8 text")
    assert main(["check", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{file}: 1 problem\n  file\n")


def test_a_missing_rulebook_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    [problem] = problems("uth-mx")
    assert (problem.path, problem.wrong) == ("rulebook", "there is no rulebook or file 'uth-mx'")
    assert problem.right == "did you mean 'uth-ma'? (`houseway rulebooks` lists them)"
    assert main(["check", "uth-mx"]) == 2
    assert "there is no rulebook or file 'uth-mx'" in capsys.readouterr().err


def test_an_empty_file_lacks_everything(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.touch()
    missing = [p.path for p in problems(str(file))]
    assert {"rulebook.id", "rulebook.title", "ranking.decks", "options.modes", "posted_limits"} <= set(
        missing
    )


# The checker never crashes, whichever line or key is removed or repeated.


def paths(value: object, parent: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every key and every row of a rulebook."""
    below = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, part in below:
        yield (*parent, key)
        yield from paths(part, (*parent, key))


def check_messages(ref: str) -> None:
    """Every message names a place and a correction; a rulebook without errors loads."""
    listed = problems(ref)
    assert all(p.path and p.wrong and p.right for p in listed)
    if not any(p.weight == "error" for p in listed):
        assert loader.load(ref).wagers


@given(st.sampled_from(BOOKS), st.data())
def test_a_rulebook_with_a_key_or_row_removed_or_repeated_is_checked(
    book: str, data: st.DataObject
) -> None:
    raw = tomllib.loads(bundled(book))
    *parent, last = data.draw(st.sampled_from(list(paths(raw))))
    holder: Any = raw
    for step in parent:
        holder = holder[step]
    if data.draw(st.booleans()):
        del holder[last]
    elif isinstance(holder, list) and isinstance(last, int):
        holder.insert(last, copy.deepcopy(holder[last]))
    else:
        holder[f"{last}2"] = copy.deepcopy(holder[last])
    with tempfile.TemporaryDirectory() as folder:
        check_messages(save(Path(folder), raw))


@given(st.sampled_from(BOOKS), st.data())
def test_a_file_with_a_line_removed_or_repeated_is_checked(book: str, data: st.DataObject) -> None:
    lines = bundled(book).splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = data.draw(st.sampled_from(("", 2 * lines[at])))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mine.toml"
        file.write_text("".join(lines), encoding="utf-8")
        check_messages(str(file))
