"""A pytest plug-in that connects tests to clauses and reports clauses without a test.

`@pytest.mark.clause("MA-9.h.1")` names the clauses that a test shows. `--clauses` prints which clauses
have tests. `--bite` runs every such test with each of its clauses muted. If no test of a clause fails then,
the clause is a survivor: its tests do not test it, and the run fails. Both work with several processes
(`-n 2`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from houseway.rules import loader
from houseway.testing.mute import mute
from houseway.wording import several

KINDS = ("configured", "performed", "enforced", "instructed")

tests_of = pytest.StashKey[dict[str, list[str]]]()
outcome_of = pytest.StashKey[dict[str, list[bool]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("houseway")
    group.addoption("--clauses", action="store_true", help="print which clauses have tests")
    group.addoption("--bite", action="store_true", help="mute each clause; one of its tests must fail")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the clauses of the rule documents that a test shows")
    config.stash[tests_of] = {}
    config.stash[outcome_of] = {}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--bite`, skip files without clause marks."""
    if not config.getoption("--bite") or collection_path.suffix != ".py":
        return None
    return True if "mark.clause" not in collection_path.read_text(encoding="utf-8") else None


def clauses_shown(item: pytest.Item) -> list[str]:
    """Return the clauses that a test names."""
    return list(dict.fromkeys(str(i) for mark in item.iter_markers("clause") for i in mark.args))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tests: dict[str, list[str]] = defaultdict(list)
    known = loader.all_clauses()
    for item in items:
        for clause in clauses_shown(item):
            if clause not in known:
                raise pytest.UsageError(f"{item.nodeid}: {clause!r} is not a clause of any document")
            tests[clause].append(item.nodeid)
    config.stash[tests_of] = dict(tests)
    if config.getoption("--bite"):
        # Tests marked as slow come last: by then, another test has noticed most of their clauses.
        slow_last = sorted(items, key=lambda item: item.get_closest_marker("slow") is not None)
        items[:] = [item for item in slow_last if clauses_shown(item)]


def _run(item: pytest.Item) -> list[pytest.TestReport]:
    """Run a test with new fixtures and tear them down, so that the next run starts clean."""
    item._initrequest()  # type: ignore[attr-defined]
    return runtestprotocol(item, log=False, nextitem=None)


def _noticed(config: pytest.Config) -> Path:
    """Return the file that lists, one per line, the muted clauses that a test in some process noticed."""
    folder: Path = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    return (folder.parent if hasattr(config, "workerinput") else folder) / "noticed-clauses"


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not item.config.getoption("--bite"):
        return None
    outcomes, shared = item.config.stash[outcome_of], _noticed(item.config)
    noticed = shared.read_text(encoding="utf-8").splitlines() if shared.exists() else ()
    waiting = [c for c in clauses_shown(item) if not any(outcomes.setdefault(c, [])) and c not in noticed]
    # If a test fails even with its clause in force, its failure without the clause proves nothing.
    broken = [report for report in _run(item) if report.failed] if waiting else []
    if broken:
        item.ihook.pytest_runtest_logreport(report=broken[0])
        return True
    for clause in waiting:
        with mute(clause):
            outcomes[clause].append(any(report.failed for report in _run(item)))
        if outcomes[clause][-1]:
            with shared.open("a", encoding="utf-8") as file:
                file.write(f"{clause}\n")
    # The test itself counts as passed; the summary lists the survivors.
    report = pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "call")
    item.ihook.pytest_runtest_logreport(report=report)
    return True


def survivors(config: pytest.Config) -> list[str]:
    """Return the clauses whose tests all pass without them."""
    return sorted(clause for clause, failures in config.stash[outcome_of].items() if not any(failures))


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["clauses"] = config.stash[tests_of], config.stash[outcome_of]
    elif config.getoption("--bite") and survivors(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the results of a worker process."""
    stash = node.config.stash
    tests, outcomes = getattr(node, "workeroutput", {}).get("clauses", ({}, {}))
    stash[tests_of] |= tests
    for clause, failures in outcomes.items():
        stash[outcome_of].setdefault(clause, []).extend(failures)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    write = terminalreporter.write_line
    if config.getoption("--clauses"):
        for line in coverage_table(config.stash[tests_of]):
            write(line)
    if config.getoption("--bite"):
        tried, alive = config.stash[outcome_of], survivors(config)
        for clause in alive:
            write(f"survivor: without {clause}, these tests still pass:")
            for test in config.stash[tests_of][clause]:
                write(f"    {test}")
        muted = f"{several(len(tried), 'clause')} muted"
        write(f"{muted}, {len(tried) - len(alive)} noticed, {len(alive)} survivors")


def coverage_table(tests: dict[str, list[str]]) -> Iterable[str]:
    """Return lines that count the clauses with tests by rulebook and kind, and list the others."""
    yield f"{'rulebook':<14}" + "".join(f"{kind:>14}" for kind in KINDS)
    tested = known = 0
    untested: list[str] = []
    for name in loader.rulebook_ids():
        clauses = loader.load(name).clauses
        row = f"{name:<14}"
        for kind in KINDS:
            of_kind = [c for c in clauses if clauses[c].kind == kind]
            missing = [c for c in of_kind if c not in tests]
            row += f"{len(of_kind) - len(missing):>8} / {len(of_kind):<3}"
            tested += len(of_kind) - len(missing)
            known += len(of_kind)
            if missing:
                untested.append(f"{name}, {kind}, without a test: {', '.join(missing)}")
        yield row
    yield f"{tested} of {known} clauses have a test"
    yield from untested
