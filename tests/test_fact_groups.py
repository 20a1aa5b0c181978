"""Fact groups: each is registered once, no other code compares their names, and the core needs no numpy."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import NamedTuple, cast

import pytest

import houseway
from houseway.cards import DECK
from houseway.rules import fact_groups
from houseway.rules.changes import apply_changes
from houseway.rules.check_groups import group_fault
from houseway.rules.fact_groups import GROUPS, FactGroup, Inputs
from houseway.rules.fact_groups.base import HAND, CardGroup
from houseway.rules.loader import RulebookError, load
from houseway.testing.soundness import problems

SOURCES = Path(houseway.__file__).parent
PACKAGE = SOURCES / "rules/fact_groups"


def test_each_module_of_the_package_is_one_fact_group() -> None:
    assert set(GROUPS) == {"showdown", "hand", "table", "others"}
    assert len(GROUPS) == len(
        [file for file in PACKAGE.glob("*.py") if file.stem not in ("__init__", "base")]
    )


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_every_group_has_the_fact_hand_and_only_words_that_can_be_printed(group: FactGroup) -> None:
    book = load("uth-ma")
    domain = book.domain(group)
    assert HAND in domain.names
    cells = domain.cells()
    assert any(map(domain.possible, cells))
    assert len(set(cells)) == len(cells)
    for fact in domain.facts:
        # A word for a value that no row can name would never be printed.
        assert set(fact.words) <= {*fact.domain, *fact.short}


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_the_index_counts_through_the_cells_in_order(group: FactGroup) -> None:
    domain = load("uth-ma").domain(group)
    places = len(domain.hands)
    by_input: dict[Inputs, list[tuple[int, ...]]] = {
        Inputs.SHOWDOWN: [
            (status, qualifies, contest, place, places)
            for status in range(3)
            for qualifies in range(2)
            for contest in range(3)
            for place in range(places)
        ],
        Inputs.OWN_HAND: [(place, made) for place in range(places) for made in range(4)],
        Inputs.TABLE: [(dealt, place, places) for dealt in range(2, 8) for place in range(places)],
        Inputs.OTHER_HAND: [(place,) for place in range(places)],
    }
    inputs = by_input[group.reads]
    assert [group.index(*numbers) for numbers in inputs] == list(range(len(domain.cells())))


def test_a_cards_number_encodes_its_rank_and_suit() -> None:
    assert [card.number for card in DECK] == list(range(52))
    assert all((card.number // 4, card.number % 4) == (card.rank, card.suit) for card in DECK)


def test_a_group_that_does_not_apply_to_the_game_is_a_load_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = SOURCES / "rulebooks/shootout-sd"
    text = "\n".join((folder / name).read_text() for name in ("rules.toml", "procedure.toml"))
    file = tmp_path / "own.toml"
    file.write_text(text)
    assert load(str(file)).wagers["bonus"].group is GROUPS["hand"]
    monkeypatch.setattr(GROUPS["hand"], "games", ("ultimate",), raising=False)
    load.cache_clear()
    with pytest.raises(RulebookError) as refused:
        load(str(file))
    (problem,) = refused.value.problems
    assert problem.path == "wager.bonus.looks"
    assert problem.wrong == "'hand' is not for this game, only for ultimate"
    assert problem.right == "use one of others, showdown, table"


def names_a_group(part: ast.AST) -> bool:
    """True for an expression whose value is a group's name: `wager.looks`, `raw["looks"]` or `group.name`."""
    if isinstance(part, ast.Subscript):
        return isinstance(part.slice, ast.Constant) and part.slice.value == "looks"
    return isinstance(part, ast.Attribute) and (
        part.attr == "looks" or (part.attr == "name" and ast.unparse(part.value).endswith("group"))
    )


class Misnumbered(CardGroup):
    """A group whose index can be outside its values: it has no value for cards of two suits."""

    name = "misnumbered"
    about = "A test"
    values = ("suited",)

    @staticmethod
    def index(first: int, second: int) -> int:
        """Return -1 for cards of two suits."""
        return 0 if first % 4 == second % 4 else -1


class Hole(NamedTuple):
    """A hand with two cards."""

    hole: tuple[int, int]


def test_an_index_out_of_range_never_pays_another_cell() -> None:
    cell_of = cast(Callable[[Hole], int], Misnumbered().reader(10))
    assert cell_of(Hole((0, 4))) == 0
    with pytest.raises(
        ValueError, match=r"'misnumbered' returns index -1 for 2c 3d; index must return 0 to 0 \(1 values\)"
    ):
        cell_of(Hole((0, 5)))


BOOK = """
[rulebook]
id = "connected"
title = "The card with connectors"
extends = "uth-card"

[wager.connectors]
looks = "connectors"
beside = { value = ["ante"] }
pays = [{ when = { hand = "suited ace-king" }, pays = "40 to 1" }, { pays = "lose" }]

[pass."hands with a play wager"]
add = ["connectors"]

[pass."what folded hands kept"]
hands = ["folded", "held"]
add = ["connectors"]
"""
ACE, KING, QUEEN = 12, 11, 10


def suited_ace_king(first: int, second: int) -> int:
    return int({first // 4, second // 4} != {ACE, KING} or first % 4 != second % 4)


def wrong_for_two_queens(first: int, second: int) -> int:
    return 9 if first // 4 == second // 4 == QUEEN else suited_ace_king(first, second)


def raise_error(*_: object) -> int:
    raise KeyError("no such rank")


def straight_flush(*five: int) -> int:
    """Index 2 for a flush of five ranks in a row, else 1."""
    ranks, suits = sorted(card // 4 for card in five), {card % 4 for card in five}
    return 2 if len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + 5)) else 1


def connectors(
    index: object = suited_ace_king, describe: object = None, *, flop: bool = False
) -> CardGroup:
    """A group with its own index and words."""
    parts = {
        "name": "connectors",
        "about": "A test",
        "values": ("suited ace-king", "other cards"),
        "index": staticmethod(cast(Callable[..., int], index)),
        "reads": Inputs.HOLE_AND_FLOP if flop else Inputs.HOLE,
        **({"describe": describe} if describe else {}),
    }
    return cast(CardGroup, type("Connectors", (CardGroup,), parts)())


@pytest.fixture
def book(tmp_path: Path) -> str:
    file = tmp_path / "connected.toml"
    file.write_text(BOOK)
    return str(file)


def problems_with(group: CardGroup, book: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The output of `houseway check` for a rulebook that uses the group."""
    monkeypatch.setitem(cast(dict[str, FactGroup], GROUPS), "connectors", group)
    load.cache_clear()
    return [str(problem) for problem in problems(book)]


@pytest.mark.parametrize(
    ("group", "sentence"),
    [
        (connectors(wrong_for_two_queens), "returns index 9 for Qd Qc; index must return 0 to 1 (2 values)"),
        (connectors(lambda *_: -1), "returns index -1 for 2d 2c; index must return 0 to 1 (2 values)"),
        (connectors(lambda *_: None), "returns index None for 2d 2c; index must return 0 to 1 (2 values)"),
        (connectors(lambda *_: "aces"), "returns index 'aces' for 2d 2c; index must return 0 to 1 (2 values)"),
        (connectors(lambda *_: 1.0), "returns index 1.0 for 2d 2c; index must return 0 to 1 (2 values)"),
        (connectors(raise_error), "raises KeyError('no such rank') in index for 2d 2c; index must return 0 to 1 (2 values)"),
        (
            connectors(lambda first, second: int(first // 4 < second // 4)),
            "has different values for 3c 2c and 2c 3c; the order of the cards must not matter",
        ),
        (
            connectors(lambda first, second: int(first % 4 == second % 4 == 2)),
            "has different values for 2h 3h and 2c 3c; a group may test whether suits match, but not which suit it is",
        ),
        (connectors(describe=raise_error), "cannot describe 2d 2c: KeyError('no such rank'); describe must return a string"),
        (
            connectors(describe=lambda *_: None),
            """cannot describe 2d 2c: TypeError("'NoneType' object is not subscriptable"); describe must return a string""",
        ),
        (
            connectors(straight_flush, flop=True),
            "returns index 2 for 4s 6s 2s 3s 5s; index must return 0 to 1 (2 values)",
        ),
        (
            connectors(lambda *five: int(five[2] // 4 == ACE), flop=True),
            "has different values for 2s 2c Ad 2d 4h and 2s 2c 2d Ad 4h; the order of the cards must not matter",
        ),
        (
            connectors(lambda *five: int(all(card % 4 == 2 for card in five)), flop=True),
            "has different values for 5h 4h Qh 2h 3h and 5c 4c Qc 2c 3c; a group may test whether suits match, but not which suit it is",
        ),
    ],
)  # fmt: skip
def test_a_group_that_would_pay_wrongly_is_a_load_error(
    group: CardGroup, sentence: str, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems_with(group, book, monkeypatch) == [
        f"wager.connectors.looks: the fact group 'connectors' {sentence}"
    ]
    with pytest.raises(RulebookError, match="the fact group 'connectors'"):
        load(book)


@pytest.mark.parametrize("flop", [False, True])
def test_a_sound_group_is_checked_only_once(flop: bool, book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, ...]] = []

    def index(*cards: int) -> int:
        calls.append(cards)
        return suited_ace_king(*cards[:2])

    group = connectors(index, flop=flop)
    assert group_fault(group) is None
    # Every pair of cards is tried in both orders, and again with the suits renamed.
    assert flop or {tuple(two) for two in calls} == set(permutations(range(52), 2))
    assert all(len(set(cards)) == len(cards) == (5 if flop else 2) for cards in calls)
    assert len(calls) < 30_000
    calls.clear()
    monkeypatch.setitem(cast(dict[str, FactGroup], GROUPS), "connectors", group)
    load.cache_clear()
    load(book)
    assert calls == []


def test_a_value_with_a_hyphen_can_be_changed(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems_with(connectors(), book, monkeypatch) == []
    rows = apply_changes(book, ["connectors.suited ace-king=50 to 1"]).wagers["connectors"].pays
    assert [str(row.pays) for row in rows] == ["50 to 1", "lose"]
    rows = apply_changes(book, ["connectors.other-cards=push"]).wagers["connectors"].pays
    assert [str(row.pays) for row in rows] == ["push", "40 to 1", "lose"]


TABLE = """pays = [{ table = "connectors" }]

[tables.connectors.A]
rows = { "suited ace-king" = "40 to 1" }
rest = { pays = "lose" }
"""


@pytest.mark.parametrize("table", [False, True])
def test_a_wager_without_looks_is_a_problem_that_names_the_assumed_group(
    table: bool, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BOOK.replace('looks = "connectors"\n', "")
    Path(book).write_text(re.sub(r"pays = \[\{ when.*\n", TABLE, text) if table else text)
    listed = problems_with(connectors(), book, monkeypatch)
    assert (
        "wager.connectors.looks: is missing, so 'hand' was assumed; "
        "name the fact group that the wager depends on"
    ) in listed
    where = 'tables.connectors.A.rows."suited ace-king"' if table else "wager.connectors.pays[0]"
    assert any(p.startswith(f"{where}.when.hand: 'suited ace-king' is not a value of hand") for p in listed)
    Path(book).write_text(text.replace("suited ace-king", "flush"))
    assert problems_with(connectors(), book, monkeypatch) == []


NEEDS = "; it must define GROUP = YourGroup(), a CardGroup with name, about, values and index"
MODULE = """
from houseway.rules.fact_groups.base import CardGroup

class Unfinished(CardGroup):
    name = "unfinished"
    about = "A test"
    values = ("one", "two")

    @staticmethod
    def index(first, second):
        return 0

GROUP = Unfinished()
"""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("GROUP = Unfinished()", "", "defines no GROUP"),
        (
            "GROUP = Unfinished()",
            "GROUP = Unfinished",
            "defines GROUP as <class 'houseway.rules.fact_groups.unfinished.Unfinished'>, not as a fact group",
        ),
        ('name = "unfinished"', "", "defines a GROUP without name"),
        ('about = "A test"', "", "defines a GROUP without about"),
        ('values = ("one", "two")', "", "defines a GROUP without values"),
        ("def index", "def indexes", "defines a GROUP without index"),
        ('("one", "two")', '("one")', "has values 'one', which are not a tuple of different strings"),
        ('("one", "two")', '("one", "one")', "has values ('one', 'one'), which are not a tuple of different strings"),
        ('("one", "two")', '("one", "")', "has values ('one', ''), which are not a tuple of different strings"),
        ('("one", "two")', "(1, 2)", "has values (1, 2), which are not a tuple of different strings"),
        ('"unfinished"', '"hand"', "uses the name 'hand' of another group"),
    ],
)  # fmt: skip
def test_a_module_whose_group_cannot_be_used_is_named(
    old: str, new: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old in MODULE
    (tmp_path / "unfinished.py").write_text(MODULE.replace(old, new))
    monkeypatch.setattr(fact_groups, "__path__", [*fact_groups.__path__, str(tmp_path)])
    try:
        with pytest.raises(ImportError) as refused:
            fact_groups._discover()
    finally:
        del sys.modules["houseway.rules.fact_groups.unfinished"]
    assert str(refused.value) == f"rules/fact_groups/unfinished.py {sentence}{NEEDS}"


def group_name_lines(tree: ast.AST) -> Iterator[int]:
    """Lines that compare a value with the name of a group, or look up a group by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(names_a_group, ast.walk(node))):
            yield node.lineno
        if isinstance(node, ast.Subscript) and ast.unparse(node).startswith(("GROUPS['", 'GROUPS["')):
            yield node.lineno


def test_no_code_outside_a_group_compares_its_name() -> None:
    allowed = {
        # These modules check that no two groups have the same name, that every name is known, and that a file
        # which extends a rulebook does not move a wager to another group.
        PACKAGE / "__init__.py",
        SOURCES / "rules/check_cells.py",
        SOURCES / "rules/checks.py",
    }
    lines = [
        f"{file.relative_to(SOURCES)}:{line}"
        for file in sorted(SOURCES.rglob("*.py"))
        if file not in allowed
        for line in group_name_lines(ast.parse(file.read_text()))
    ]
    assert lines == []


def test_a_comparison_with_a_groups_name_is_noticed() -> None:
    planted = (
        "wager.looks == 'hand'",
        "terms.looks[name] in ('table',)",
        "wager['looks'] != name",
        "wager.group.name == 'others'",
        "GROUPS['hand']",
    )
    assert sorted(group_name_lines(ast.parse("\n".join(planted)))) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "package", ["rules.loader", "engine.settle_json", "engine.decide", "conformance.__main__"]
)
def test_the_core_loads_no_numpy(package: str) -> None:
    script = f"import sys, houseway.{package}\nprint(sorted({{'numpy', 'numba'}} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert answer.stdout.strip() == "[]"
