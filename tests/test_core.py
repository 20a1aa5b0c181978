"""Rules for the core's source: no floats, no odds or clauses in code, no clock, no randomness, no files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import houseway

SRC = Path(houseway.__file__).parent
CORE = ("cards.py", "money.py", "ranking", "rules", "engine")
SECOND_SETTLER = SRC / "second_settler"
"""This package is written from the documents alone, so its code contains odds and clauses."""
MODULES = sorted(m for m in SRC.rglob("*.py") if SECOND_SETTLER not in m.parents)
ODDS = re.compile(r"\b\d[\d,]* (to|for) \d+\b")
CLAUSE = re.compile(r"\b(SD|CARD|PROC|TS|MA)-[0-9A-Z]")


def name_of(module: Path) -> str:
    return str(module.relative_to(SRC))


def core_modules() -> list[Path]:
    # ranking/generate.py is the program that writes the tables; no module imports it.
    return [m for m in MODULES if name_of(m).startswith(CORE) and m.name != "generate.py"]


def parse_module(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def docstrings(tree: ast.Module) -> set[int]:
    """Strings used as statements: docstrings of modules, classes, functions and fields."""
    return {
        id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    }


def texts(module: Path) -> Iterator[tuple[int, str]]:
    tree = parse_module(module)
    documentation = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, node.value


def test_there_are_modules_to_check() -> None:
    assert len(core_modules()) > 20


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_no_odds_and_no_clause_is_typed_into_code(module: Path) -> None:
    typed = [(line, t) for line, t in texts(module) if ODDS.search(t) or CLAUSE.search(t)]
    assert typed == []


@pytest.mark.parametrize("module", core_modules(), ids=name_of)
def test_no_float_touches_money(module: Path) -> None:
    for node in ast.walk(parse_module(module)):
        where = f"{name_of(module)}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
        assert not (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)), where
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        assert called not in ("float", "round"), where


@pytest.mark.parametrize("module", core_modules(), ids=name_of)
def test_the_core_uses_no_clock_no_randomness_and_no_files(module: Path) -> None:
    forbidden = {
        "random",
        "secrets",
        "time",
        "datetime",
        "socket",
        "os",
        "sys",
        "subprocess",
        "asyncio",
        "io",
    }
    for node in ast.walk(parse_module(module)):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {n.partition(".")[0] for n in names} & forbidden, name_of(module)
        if isinstance(node, ast.Call):
            called = (
                node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            )
            reads = called in ("open", "read_text", "read_bytes", "write_text", "write_bytes")
            # Only the loader and its catalogue read rulebooks, and the evaluator reads its own tables.
            readers = ("rules/catalogue.py", "rules/loader.py", "ranking/lookup_tables.py")
            assert not reads or name_of(module) in readers, name_of(module)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_no_module_has_more_than_600_lines(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 600


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_no_code_compares_rulebook_ids(module: Path) -> None:
    ids = {p.name for p in (SRC / "rulebooks").iterdir() if (p / "rules.toml").is_file()}
    for node in ast.walk(parse_module(module)):
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
            named = {c.value for c in compared if isinstance(c, ast.Constant)}
            assert not named & ids, f"{name_of(module)}:{node.lineno}"


def test_no_class_has_more_than_twenty_public_methods() -> None:
    for module in MODULES:
        for node in ast.walk(parse_module(module)):
            if isinstance(node, ast.ClassDef):
                methods = (m for m in node.body if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef)))
                public = {method.name for method in methods if not method.name.startswith("_")}
                assert len(public) <= 20, f"{name_of(module)}: {node.name}"
