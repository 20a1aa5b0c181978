"""No text from a rulebook or a record can control the terminal of the person who prints it."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from houseway.audit.export import export_lines
from houseway.audit.store_factory import open_store
from houseway.cli.app import main
from houseway.cli.safe_stdout import SafeText
from houseway.engine import commands as c
from houseway.live import LiveTable
from houseway.rules.loader import load, rulebook_from_text
from houseway.wording import printable
from record.recorded import house

CLEAR = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e"
STREAM = f"table {CLEAR}"
COMMANDS = [
    ["audit", "verify", "evil.db"],
    ["audit", "verify", "evil.db", "--json"],
    ["audit", "verify", "evil.jsonl"],
    ["audit", "explain", "evil.db"],
    ["audit", "dispute", "evil.db"],
    ["audit", "import", "evil.jsonl", "--into", "new.db"],
    ["audit", "import", "evil.jsonl", "--into", "evil.db"],
    ["audit", "verify", "evil.db", "--table", "x\x1b[2J"],
    ["check", "nothing\x1b[2J"],
    ["check", "evil.toml"],
]


def evil_record(folder: Path) -> str:
    """Record a round under a rulebook whose title controls a terminal, and return the escaped title."""
    text = load("uth-ma").text
    title = json.loads(text)["rulebook"]["title"]
    book = rulebook_from_text(text.replace(json.dumps(title), json.dumps(title + CLEAR)))
    with closing(open_store(folder / "evil.db")) as store:
        opening = c.OpenTable(designated=("ultimate",), examples=True)
        live = LiveTable.open(house(store), STREAM, book, {}, opening)
        assert isinstance(live, LiveTable)
        for command in (
            c.Sit(seat=1, player="Ann", chips=100_000),
            c.Bet(seat=1, wagers={"ante": 1000}),
            c.Play(seat=1, times=4),
        ):
            live.advance()
            live.send(command)
        live.advance()
        (folder / "evil.jsonl").write_bytes(b"".join(export_lines(store, STREAM, secrets=True)))
    assert "\\u001b" in book.text
    return book.title


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: printable(" ".join(command)))
def test_no_command_prints_control_characters(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    title = evil_record(tmp_path)
    (tmp_path / "evil.toml").write_text("[rulebook]\nid = '\x1b'\n", encoding="utf-8")
    main(command)
    printed = capsys.readouterr()
    assert printed.out + printed.err
    for text in (title, printed.out, printed.err):
        assert not set(text) & set("\x1b\x07\x9b\u202e\r")
    assert title.endswith("\\x1b[2J\\x1b]0;owned\\x07\\x9b31m\\u202e")


def test_control_characters_are_written_as_escapes() -> None:
    assert printable("a\x1b[1mb\tc\nd\r") == "a\\x1b[1mb\tc\nd\\x0d"
    assert printable("‮x") == "\\u202ex"
    assert printable("♠ é 漢 “x”") == "♠ é 漢 “x”"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_but_no_other_control_characters() -> None:
    terminal, pipe = _Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        SafeText(stream).write("\x1b[1;31mbold\x1b[0m \x1b[2J \x1b]0;x\x07")
    assert terminal.getvalue() == "\x1b[1;31mbold\x1b[0m \\x1b[2J \\x1b]0;x\\x07"
    assert "\x1b" not in pipe.getvalue()
