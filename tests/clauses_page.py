"""A pytest plug-in for docs/clauses.md: writes the table of clauses and their tests, or compares it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing.clauses import tests_of
from houseway.wording import several

MARK = "<!-- what follows is generated -->"

stale_page = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("houseway")
    group.addoption("--clauses-page", metavar="FILE", help="write the table of clauses into a page")
    group.addoption("--clauses-current", metavar="FILE", help="fail if such a page is not up to date")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[stale_page] = ""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config) -> Any:
    """Write or compare the page once the clause plug-in has collected the tests of each clause."""
    done = yield
    tests = config.stash[tests_of]
    page, current = config.getoption("--clauses-page"), config.getoption("--clauses-current")
    if page:
        Path(page).write_text(page_with_table(Path(page), tests), encoding="utf-8")
    if current and Path(current).read_text(encoding="utf-8") != page_with_table(Path(current), tests):
        config.stash[stale_page] = f"{current} is out of date; run make clauses-page"
    return done


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["stale_page"] = config.stash[stale_page]
    elif config.stash[stale_page]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Merge the results of a worker process."""
    stale = getattr(node, "workeroutput", {}).get("stale_page", "")
    node.config.stash[stale_page] = node.config.stash[stale_page] or stale


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[stale_page]:
        terminalreporter.write_line(config.stash[stale_page])


def page_with_table(page: Path, tests: Mapping[str, list[str]]) -> str:
    """Return the page with its generated part rewritten: each clause, its text, and the tests that show it."""
    head = page.read_text(encoding="utf-8").partition(MARK)[0]
    lines = [f"{head}{MARK}", ""]
    for name in loader.rulebook_ids():
        clauses = loader.load(name).clauses
        shown = sum(c in tests for c in clauses)
        lines += [f"## {name}: {shown} of {len(clauses)}", "", "| clause | kind | says | shown by |"]
        lines.append("|---|---|---|---|")
        for clause in clauses.values():
            says = clause.says.replace("|", "\\|")
            by = _shown_by(tests.get(clause.id, []))
            lines.append(f"| {clause.id} | {clause.kind} | {says} | {by} |")
        lines.append("")
    return "\n".join(lines)


def _shown_by(tests: list[str]) -> str:
    """The first test of a clause, and the number of its other tests."""
    names = list(dict.fromkeys(test.partition("[")[0] for test in tests))
    if not names:
        return "no test"
    file, _, test = names[0].rpartition("/")[2].partition("::")
    others = f" (and {several(len(names) - 1, 'more test')})" if len(names) > 1 else ""
    return f"{file.removesuffix('.py')}: {test.removeprefix('test_').replace('_', ' ')}{others}"
