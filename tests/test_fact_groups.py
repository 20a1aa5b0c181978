"""Fact groups: one registry, objects instead of names, and a core that needs no numpy."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

import pytest

import houseway
from houseway.cards import DECK
from houseway.rules.fact_groups import GROUPS, FactGroup, Reads
from houseway.rules.fact_groups.base import HAND, CardGroup
from houseway.rules.loader import RulebookError, load

SOURCES = Path(houseway.__file__).parent
PACKAGE = SOURCES / "rules/fact_groups"


def test_the_names_of_rulebooks_are_the_groups() -> None:
    assert set(GROUPS) == {"showdown", "hand", "table", "others"}
    assert len(GROUPS) == len(
        [file for file in PACKAGE.glob("*.py") if file.stem not in ("__init__", "base")]
    )


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
def test_every_group_has_a_hand_that_pay_tables_list(group: FactGroup) -> None:
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
    by_input: dict[Reads, list[tuple[int, ...]]] = {
        Reads.SHOWDOWN: [
            (status, qualifies, contest, place, places)
            for status in range(3)
            for qualifies in range(2)
            for contest in range(3)
            for place in range(places)
        ],
        Reads.OWN_HAND: [(place, made) for place in range(places) for made in range(4)],
        Reads.TABLE: [(dealt, place, places) for dealt in range(2, 8) for place in range(places)],
        Reads.OTHER_HAND: [(place,) for place in range(places)],
    }
    inputs = by_input[group.reads]
    assert [group.index(*numbers) for numbers in inputs] == list(range(len(domain.cells())))


def test_a_card_has_the_number_groups_read() -> None:
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
    assert problem.wrong == "'hand' does not apply to this game; it belongs to ultimate"
    assert problem.right == "use one of others, showdown, table"


def names_a_group(part: ast.AST) -> bool:
    """True for `wager.looks`, `raw["looks"]` and `group.name`."""
    if isinstance(part, ast.Subscript):
        return isinstance(part.slice, ast.Constant) and part.slice.value == "looks"
    return isinstance(part, ast.Attribute) and (
        part.attr == "looks" or (part.attr == "name" and ast.unparse(part.value).endswith("group"))
    )


class Misnumbered(CardGroup):
    """A group whose author forgot a value."""

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


def test_an_index_that_is_no_position_never_pays_another_cell() -> None:
    cell_of = cast(Callable[[Hole], int], Misnumbered().reader(10))
    assert cell_of(Hole((0, 4))) == 0
    with pytest.raises(ValueError, match=r"misnumbered: index\(0, 5\) is -1; it must be 0 to 0"):
        cell_of(Hole((0, 5)))


def compared(tree: ast.AST) -> Iterator[int]:
    """Lines that compare something with the name of a group, or look one up by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(names_a_group, ast.walk(node))):
            yield node.lineno
        if isinstance(node, ast.Subscript) and ast.unparse(node).startswith(("GROUPS['", 'GROUPS["')):
            yield node.lineno


def test_no_code_outside_a_group_compares_its_name() -> None:
    allowed = {
        # Two modules may not share a name; an unknown name is a load error; an extending file may not put a wager on another group.
        PACKAGE / "__init__.py",
        SOURCES / "rules/check_cells.py",
        SOURCES / "rules/checks.py",
    }
    found = [
        f"{file.relative_to(SOURCES)}:{line}"
        for file in sorted(SOURCES.rglob("*.py"))
        if file not in allowed
        for line in compared(ast.parse(file.read_text()))
    ]
    assert found == []


def test_the_reading_of_the_source_notices_a_comparison() -> None:
    planted = (
        "wager.looks == 'hand'",
        "terms.looks[name] in ('table',)",
        "wager['looks'] != name",
        "wager.group.name == 'others'",
        "GROUPS['hand']",
    )
    assert sorted(compared(ast.parse("\n".join(planted)))) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "package", ["rules.loading", "engine.cashier", "engine.decide", "conformance.__main__"]
)
def test_the_core_loads_no_numpy(package: str) -> None:
    script = f"import sys, houseway.{package}\nprint(sorted({{'numpy', 'numba'}} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert answer.stdout.strip() == "[]"
