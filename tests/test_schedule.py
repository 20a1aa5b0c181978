"""The order of the tests: equal shares, the longest tests first, and no name of a file that has gone."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from schedule import LONGEST, in_shares

HERE = Path(__file__).parent
FILES = [file.relative_to(HERE).as_posix() for file in HERE.rglob("test_*.py")]


def stand_ins(file: str, count: int) -> list[Any]:
    """Stand-ins for the tests of a file."""
    return [
        SimpleNamespace(nodeid=f"tests/{file}::test_{n}", path=HERE / file, file=file) for n in range(count)
    ]


@pytest.mark.parametrize("prefix", LONGEST)
def test_a_long_test_exists(prefix: str) -> None:
    file, _, name = prefix.partition("::")
    named = [HERE / one for one in FILES if one.startswith(file)]
    assert any(f"def {name}(" in one.read_text(encoding="utf-8") for one in named) if name else named


@pytest.mark.parametrize("processes", [1, 2, 4, 6])
def test_shares_are_equal_and_long_files_stay_whole_and_come_first(processes: int) -> None:
    long = [f"page/test_{n}.py" for n in range(8)]
    items = [*stand_ins("test_short.py", 101), *(test for file in long for test in stand_ins(file, 3))]
    ordered: list[Any] = in_shares(items, processes)
    assert sorted(item.nodeid for item in ordered) == sorted(item.nodeid for item in items)
    begins, shares = 0, []
    for number in range(processes):
        # `--dist worksteal` gives each process this many of the tests that are left.
        size = (len(items) - begins) // (processes - number)
        shares.append([item.file for item in ordered[begins : begins + size]])
        begins += size
    for file in long:
        assert [share.count(file) for share in shares if file in share] == [3]
    for share in shares:
        assert share == sorted(share, key=lambda file: file == "test_short.py")
    files = [len(set(share) & set(long)) for share in shares]
    assert max(files) - min(files) <= 1
