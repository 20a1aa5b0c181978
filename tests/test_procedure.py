"""Procedures as data: the five procedures are sound, mistakes are found, and code and documents use the same
words."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.engine import commands, decide, events
from houseway.engine.codec import encode_command, kinds, read_command, read_event
from houseway.engine.fold_registry import FOLDS
from houseway.rules import loader, procedure
from houseway.rules.checks import check
from houseway.rules.problems import Problem
from houseway.testing import table

DOCS = Path(__file__).parent.parent / "docs"
Raw = dict[str, Any]


def problems(change: Callable[[Raw], object], ref: str = "uth-ma") -> list[Problem]:
    """The problems of a rulebook after a change to its tables."""
    raw, folder = loader.resolve(ref)
    changed = copy.deepcopy(raw)
    change(changed)
    book, listed = loader.assemble(changed, folder)
    return [*listed, *check(book)]


def step(raw: Raw, name: str) -> Raw:
    listed = [*raw["opening"], *raw["shuffling"], *raw["round"]]
    return next(row for row in listed if row["step"] == name)


def drop(raw: Raw, name: str) -> None:
    for section in procedure.SECTIONS:
        raw[section] = [row for row in raw[section] if row["step"] != name]


def move(raw: Raw, name: str, to: int) -> None:
    row = step(raw, name)
    raw["round"].remove(row)
    raw["round"].insert(to, row)


CASES: dict[str, tuple[Callable[[Raw], object], str, str]] = {
    "an unknown act": (
        lambda r: step(r, "shuffle").update(act="shufle"),
        "@act",
        "shuffle",
    ),
    "a rule of another act": (
        lambda r: step(r, "shuffle").update(rules={"recut": {"clause": "MA-4.d"}}),
        "@rules.recut",
        "unknown key",
    ),
    "an unknown betting point": (
        lambda r: step(r, "ask after the flop").update(stage="after the flopp"),
        "@stage",
        "after the flop",
    ),
    "an unknown pass": (
        lambda r: step(r, "settle envy").update({"pass": "envi"}),
        "@pass",
        "envy",
    ),
    "an unknown setting": (
        lambda r: step(r, "count the stub").update(when={"device_count": False}),
        "@when",
        "device_counts",
    ),
    "an unknown clause": (
        lambda r: step(r, "shuffle").update(clause="MA-4.a-z"),
        "@",
        "MA-4.a",
    ),
    "a betting point never asked": (
        lambda r: drop(r, "ask after the flop"),
        "round",
        "no step asks for decisions",
    ),
    "no close": (lambda r: drop(r, "close the round"), "round", "'close'"),
    "four community cards": (
        lambda r: step(r, "deal the turn and river").update(each=1),
        "round",
        "deals 4",
    ),
    "a duplicate name": (
        lambda r: step(r, "deal the flop").update(step="let the players look"),
        "@step",
        "is the name of two steps",
    ),
    "a pass never made": (lambda r: drop(r, "settle Cover All"), "round", "'Cover All'"),
    "a flop dealt late": (lambda r: move(r, "deal the flop", 99), "@", "with 0 community cards"),
    "hands settled early": (
        lambda r: move(r, "settle the hands", 2),
        "@",
        "before the players and the dealer have all their cards",
    ),
    "bets closed late": (lambda r: move(r, "announce no more bets", 99), "@", "'close betting'"),
    "a round opened late": (lambda r: move(r, "open the round", 99), "@", "'open'"),
    "a round closed first": (
        lambda r: move(r, "close the round", 0),
        "@",
        "before the players have decided",
    ),
    "a round not closed last": (lambda r: move(r, "close the round", -2), "round", "does not end"),
    "players asked before the deal": (
        lambda r: move(r, "ask before the flop", 2),
        "@",
        "before the players and the dealer have all their cards",
    ),
    "the dealer revealed after settlement": (
        lambda r: move(r, "turn up the dealer's cards", -2),
        "@",
        "'reveal'",
    ),
    "an unknown step after idle time": (
        lambda r: r["procedure"]["after_idle"].update(value=["wash"]),
        "procedure.after_idle",
        "'wash' is not a step",
    ),
    "an unknown irregularity": (
        lambda r: r["irregularity"][0].update(kind="exposed cards"),
        "irregularity[0].kind",
        "exposed card",
    ),
    "an unknown condition": (
        lambda r: r["irregularity"][0].update(of="dealers"),
        "irregularity[0].of",
        "dealer",
    ),
    "an unknown standing rule": (
        lambda r: r["procedure"].update(verbl={"clause": "MA-6.a-c"}),
        "procedure.verbl",
        "verbal",
    ),
    "burns the parameter denies": (
        lambda r: drop(r, "burn before the flop"),
        "options.burns",
        "not what the procedure does",
    ),
    "a void the parameter denies": (
        lambda r: r["irregularity"].pop(0),
        "options.exposed_card",
        "not what the procedure does",
    ),
    "a stub count the parameter denies": (
        lambda r: drop(r, "count the stub"),
        "options.stub_count",
        "not what the procedure does",
    ),
}


def _is_step_or_key(path: str, key: str) -> bool:
    """True if a path is a step, or a step's key."""
    return (
        re.fullmatch(r"(opening|shuffling|round)\[\d+\]" + re.escape(f".{key}" if key else ""), path)
        is not None
    )


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_in_a_procedure_is_found_with_its_place(case: str) -> None:
    change, path, message = CASES[case]
    listed = problems(change)
    at = [p for p in listed if p.path == path or (path[0] == "@" and _is_step_or_key(p.path, path[1:]))]
    assert at, [str(p) for p in listed]
    assert any(message in f"{p.wrong} {p.right}" for p in at), [str(p) for p in at]


@pytest.mark.parametrize("ref", loader.rulebook_ids())
def test_a_procedure_is_sound(ref: str) -> None:
    assert loader.load_with_problems(ref)[1] == []


def test_a_file_without_a_procedure_gets_only_a_warning() -> None:
    def emptied(raw: Raw) -> None:
        for key in ("opening", "shuffling", "round", "irregularity", "cue", "procedure"):
            raw.pop(key, None)

    listed = problems(emptied)
    assert [(p.path, p.weight) for p in listed] == [("round", "warning")]


def test_every_act_and_command_has_a_handler_and_every_event_a_fold_function() -> None:
    assert set(decide.ACTS) == set(procedure.ACTS) - {"ask"}
    assert set(FOLDS) == set(kinds(events.Event))
    assert set(decide.HANDLERS) == set(kinds(commands.Command))


@pytest.mark.parametrize("words", ["ACTS", "TABLE_RULES", "KINDS", "CONSEQUENCES", "MOMENTS"])
def test_the_page_lists_the_vocabulary(words: str) -> None:
    page = (DOCS / "procedures.md").read_text(encoding="utf-8")
    for name, about in getattr(procedure, words).items():
        assert f"| `{name}` | {about} |" in page, f"docs/procedures.md does not list {name!r}"


def test_every_word_of_the_vocabulary_is_used_by_some_rulebook() -> None:
    books = [loader.load(ref).procedure for ref in loader.rulebook_ids()]
    steps = [s for book in books for section in procedure.SECTIONS for s in book.steps(section)]
    rows = [row for book in books for row in book.irregularities]
    assert {s.act for s in steps} == set(procedure.ACTS)
    # The rulebooks of older records name people in notes.
    older = {("note", "named")}
    assert {(s.act, rule) for s in steps for rule in s.rules} | older == {
        (act, rule) for act, rules in procedure.RULES.items() for rule in rules
    }
    assert {row.kind for row in rows} == set(procedure.KINDS)
    assert {row.then for row in rows} == set(procedure.CONSEQUENCES)
    assert {rule for row in rows for rule in row.rules} == set(procedure.AFTER)
    assert {cue.moment for book in books for cue in book.cues} == set(procedure.MOMENTS)
    assert {name for book in books for name in book.standing} == set(procedure.TABLE_RULES)


@pytest.mark.parametrize("cards", ["[5]", '["Zz"]', "[null]", '"Ah"', '[["Ah"]]'])
def test_invalid_cards_in_a_command_are_a_decode_error(cards: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        read_command(f'{{"type": "Keep", "seat": 1, "cards": {cards}}}')


def test_events_and_commands_round_trip_through_text() -> None:
    t = table("uth-ma", mode="device")
    t.bet(1, ante=10, trips=5, progressive=5, cover_all=5).bet(2, ante=10).deal()
    t.play(1, 4).finish()
    for event in t.events:
        assert read_event(encode_command(event)) == event
    command = commands.Perform(step="burn", cards=t.state.round.board[:1], by="dealer")
    assert read_command(encode_command(command)) == command
