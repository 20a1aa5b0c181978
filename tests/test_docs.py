"""The documents are true: every command, file and snippet in them is run.

A fence ```json file=round.json writes that file; ```console runs the lines after "$ " and compares what
they print ("…" alone on a line matches any lines); ```python runs, with >>> as a doctest.
A command that starts with `houseway` runs in this process, whatever its output is piped into.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.rules.loader import load

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOUSEWAY = re.compile(r"""houseway ((?:[^|<>;&$`'"]|'[^']*'|"[^"$`]*")+)(?:\| (.*))?""", re.DOTALL)
"""A houseway command that needs no shell, and the command its output is piped into."""
TERMINAL = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def matches(expected: list[str], actual: list[str]) -> bool:
    """True if the lines are the same; "…" matches any number of lines."""
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(matches(expected[1:], actual[n:]) for n in range(len(actual) + 1))
    return bool(actual) and expected[0].rstrip() == actual[0].rstrip() and matches(expected[1:], actual[1:])


def run(command: str, folder: Path) -> list[str]:
    """The lines a command prints, error lines last."""
    ours = HOUSEWAY.fullmatch(command)
    if ours is None:
        printed, errors = in_shell(command, folder)
    else:
        printed, errors = in_process(shlex.split(ours[1]))
        if ours[2]:
            printed, more = in_shell(ours[2], folder, printed)
            errors += more
    return (printed + errors).rstrip("\n").splitlines()


def in_process(words: list[str]) -> tuple[str, str]:
    """The output of a houseway command, and its errors."""
    # A file named in one example may have different content in the next.
    load.cache_clear()
    out, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        for name, value in TERMINAL.items():
            patch.setenv(name, value)
        main(words)
        out.flush()
    return out.buffer.getvalue().decode(), errors.getvalue()


def in_shell(command: str, folder: Path, text: str | None = None) -> tuple[str, str]:
    """The output of a shell, and its errors."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, **TERMINAL},
        text=True,
        input=text,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.stdout, done.stderr


def check_console(text: str, folder: Path) -> None:
    commands = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert commands
    for block in commands:
        command, _, expected = block.partition("\n")
        printed = run(command, folder)
        assert matches(expected.rstrip("\n").splitlines(), printed), f"$ {command}\n" + "\n".join(printed)


@pytest.fixture
def stopping(tmp_path: Path) -> Iterator[None]:
    """Stop the servers that an example has started, if it failed before it stopped them."""
    yield
    for file in tmp_path.glob("*.pid"):
        with suppress(ProcessLookupError):
            os.kill(int(file.read_text()), signal.SIGTERM)


@pytest.mark.usefixtures("stopping")
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_examples_on_the_page_run_as_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, info, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if named := re.search(r"file=(\S+)", info):
            (tmp_path / named[1]).parent.mkdir(exist_ok=True)
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        if language == "console":
            check_console(text, tmp_path)
        elif language == "python" and ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
            assert result.failed == 0
            names |= test.globs
        elif language == "python" and not named:
            exec(compile(text, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_index_lists_every_page() -> None:
    listed = set(LINK.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8")))
    assert {p.name for p in (ROOT / "docs").glob("*.md")} - {"index.md"} <= listed


def test_the_architecture_page_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+/[a-z_/]+\.(?:py|toml))`", page)
    assert len(named) > 40
    for file in named:
        assert (ROOT / "src" / "houseway" / file).is_file() or (ROOT / file).is_file(), file


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(file: Path) -> None:
    done = subprocess.run([sys.executable, file], text=True, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_docstring_examples_hold() -> None:
    import houseway
    import houseway.audit.handles
    import houseway.cards
    import houseway.money
    import houseway.testing.settle_helpers
    import houseway.wording

    for module in (
        houseway,
        houseway.audit.handles,
        houseway.cards,
        houseway.money,
        houseway.testing.settle_helpers,
        houseway.wording,
    ):
        globs = {**vars(module)}
        result = doctest.testmod(module, globs=globs)
        assert result.attempted
        assert result.failed == 0
