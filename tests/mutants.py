"""Mutation testing of settlement: small faults planted one at a time, each of which the corpus must notice.

`make mutants` copies the package, changes one operator, constant or condition of the modules that decide money, and
settles the whole conformance corpus with the changed copy, then runs the tests of settlement. A mutant that
neither notices is a survivor and is listed with its line.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src" / "houseway"
MODULES = ("engine/settle.py", "engine/side_bets.py", "engine/meters.py")
HERE = Path(__file__).parent
TESTS = (
    HERE / "test_settle.py",
    HERE / "test_refusals.py",
    HERE / "test_checker_extends.py",
    HERE / "clauses",
)
NEEDED = 95
"""Percent of mutants that must be noticed."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """The faults that can be planted at one node."""
    other = deepcopy(node)
    if isinstance(other, ast.Compare) and type(other.ops[0]) in COMPARED:
        other.ops[0] = COMPARED[type(other.ops[0])]()
        yield other
    elif isinstance(other, (ast.BinOp, ast.AugAssign)) and type(other.op) in COUNTED:
        other.op = COUNTED[type(other.op)]()
        yield other
    elif isinstance(other, ast.BoolOp):
        other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
        yield other
    elif isinstance(other, ast.Constant) and type(other.value) is int:
        other.value += 1
        yield other
    elif isinstance(other, ast.UnaryOp) and isinstance(other.op, (ast.Not, ast.USub)):
        yield other.operand
    elif isinstance(other, ast.IfExp):
        other.body, other.orelse = other.orelse, other.body
        yield other


class _Plant(ast.NodeTransformer):
    """Replace the node with a given number by one change."""

    def __init__(self, number: int, change: ast.AST) -> None:
        self.left, self.change = number, change

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if self.left == 0:
            self.left -= 1
            return ast.copy_location(self.change, node)
        self.left -= 1
        return super().generic_visit(node)


def has_no_effect(node: ast.AST) -> bool:
    """True if a node has no effect on settlement: annotations and docstrings."""
    return isinstance(node, (ast.AnnAssign, ast.arg)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def visited(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes in the order a transformer visits them."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from visited(child)


def mutants(module: str) -> Iterator[tuple[str, str]]:
    """Every mutant of a module: its name and its source."""
    source = (SRC / module).read_text(encoding="utf-8")
    lines = source.splitlines()
    tree = ast.parse(source)
    for number, node in enumerate(visited(tree)):
        if has_no_effect(node):
            continue
        for change in changes(node):
            changed = _Plant(number, change).visit(deepcopy(tree))
            line = getattr(node, "lineno", 0)
            name = f"{module}:{line}: {ast.unparse(node)} -> {ast.unparse(change)}  in  {lines[line - 1].strip()}"
            yield name, ast.unparse(ast.fix_missing_locations(changed))


def noticed(module: str, text: str) -> bool:
    """True if the corpus or the settlement tests notice a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "houseway"
        shutil.copytree(SRC, copy, ignore=shutil.ignore_patterns("__pycache__", "server", "report"))
        (copy / module).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "houseway.conformance", "--strict"]
        env = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        if subprocess.run(
            command, env=env, capture_output=True, timeout=120, check=False, cwd=folder
        ).returncode:
            return True
        # Some faults show only in the settlement tests, not in the rounds of the corpus.
        command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *map(str, TESTS)]
        return (
            subprocess.run(command, env=env, capture_output=True, timeout=300, check=False).returncode != 0
        )


def main() -> int:
    """Try every mutant and list the survivors."""
    if noticed(MODULES[0], (SRC / MODULES[0]).read_text(encoding="utf-8")):
        sys.stdout.write("the corpus fails even without a planted fault\n")
        return 2
    tried = [(module, name, text) for module in MODULES for name, text in mutants(module)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        results = list(pool.map(lambda mutant: noticed(mutant[0], mutant[2]), tried))
    alive = [name for (_, name, _), dead in zip(tried, results, strict=True) if not dead]
    for name in alive:
        sys.stdout.write(f"survivor: {name}\n")
    score = 100 * (len(tried) - len(alive)) // len(tried)
    sys.stdout.write(f"{len(tried)} mutants, {len(alive)} survivors, {score} % noticed\n")
    return 0 if score >= NEEDED else 1


if __name__ == "__main__":
    sys.exit(main())
