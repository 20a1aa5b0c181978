"""Muting a clause finds weak tests: a test that depends on the clause fails, and a test that only names it is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.rules.loader import all_clauses, load
from houseway.second_settler import DOCUMENTS
from houseway.testing import mute, settled, without
from houseway.testing.mute import cites

pytest_plugins = ["pytester"]

TESTS = """
    import pytest
    from houseway.testing import settled

    HAND = dict(board="Qh Jh Th 2c 2d", dealer="9s 9d", hole="Ah Kh", ante="10", play=4)

    @pytest.mark.clause("MA-10.c")
    def test_that_shows_its_clause():
        assert settled("uth-ma", **HAND).net("blind") == "5000.00"

    @pytest.mark.clause({named!r})
    def test_that_names_another():
        assert settled("uth-ma", **HAND).net("blind") == "5000.00"
"""


def run(pytester: pytest.Pytester, named: str, *options: str) -> pytest.RunResult:
    pytester.makeini("[pytest]\nmarkers = clause(*ids): the clauses shown")
    pytester.makepyfile(TESTS.format(named=named))
    return pytester.runpytest("-p", "houseway.testing.clauses", "--bite", *options)


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_a_clause_that_a_test_only_names_is_a_survivor(
    pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    result = run(pytester, "MA-10.d-A", *options)
    result.stdout.fnmatch_lines(
        [
            "survivor: without MA-10.d-A, these tests still pass:",
            "*test_that_names_another",
            "2 clauses muted, 1 noticed, 1 survivors",
        ]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_a_run_without_survivors_passes(pytester: pytest.Pytester, options: tuple[str, ...]) -> None:
    result = run(pytester, "MA-10.c", *options)
    result.stdout.fnmatch_lines(["1 clause muted, 1 noticed, 0 survivors"])
    assert result.ret == 0


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["one process", "two processes"])
def test_a_table_of_clauses_that_is_out_of_date_fails(
    pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    here = str(Path(__file__).parent)
    pytester.makeconftest(f"import sys\nsys.path.insert(0, {here!r})\npytest_plugins = ['clauses_page']")
    pytester.path.joinpath("page.md").write_text("# Clauses\n", encoding="utf-8")
    result = run(pytester, "MA-10.c", "--clauses-current", "page.md", *options)
    result.stdout.fnmatch_lines(["page.md is out of date; run make clauses-page"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_an_unknown_clause_is_an_error(pytester: pytest.Pytester) -> None:
    result = run(pytester, "MA-77")
    result.stderr.fnmatch_lines(["*'MA-77' is not a clause of any document*"])


def test_the_coverage_report_counts_and_lists_clauses_without_a_test(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers = clause(*ids): the clauses shown")
    pytester.makepyfile(TESTS.format(named="MA-10.c"))
    result = pytester.runpytest("-p", "houseway.testing.clauses", "--clauses", "--collect-only")
    result.stdout.fnmatch_lines(
        [f"1 of {len(all_clauses())} clauses have a test", "uth-ma, configured, without a test: *MA-10.b*"]
    )


def test_the_five_documents_have_477_clauses() -> None:
    assert sum(len(load(book).clauses) for book in DOCUMENTS) == 477


def test_a_test_that_already_fails_does_not_count_as_noticing(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers = clause(*ids): the clauses shown")
    pytester.makepyfile(
        "import pytest\n@pytest.mark.clause('MA-7.b')\ndef test_broken() -> None:\n    assert False\n"
    )
    result = pytester.runpytest("-p", "houseway.testing.clauses", "--bite")
    result.stdout.fnmatch_lines(["*1 clause muted, 0 noticed, 1 survivors*", "*1 failed*"])
    assert result.ret != 0


def test_an_unknown_clause_cannot_be_muted() -> None:
    with pytest.raises(ValueError, match="'ZZ-1' is not a clause"), mute("ZZ-1"):
        pass


def test_muting_removes_only_the_parts_that_cite_the_clause() -> None:
    raw = {
        "a": {"clause": "X", "v": 1},
        "b": [{"also": ["X"]}, {"clause": "Y"}],
        "c": {"clause": {"manual": "X"}},
    }
    assert without(raw, "X") == {"b": [{"clause": "Y"}]}
    assert cites({"filled": "X"}, "X")
    assert not cites({"below": {"clause": "X"}}, "X")


def test_muting_ends_when_its_context_manager_exits() -> None:
    before = load("uth-ma").hash
    with mute("MA-10.c"):
        assert load("uth-ma").hash != before
    assert load("uth-ma").hash == before
    assert (
        settled("uth-ma", "Qd 9s 7h 4c 2d", "Qc 3s", hole="As Ah", ante="10", play=4).net("ante") == "10.00"
    )
