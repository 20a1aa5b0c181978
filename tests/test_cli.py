"""The command line: a contract of names, JSON keys and exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import houseway
from houseway.cli.app import main
from houseway.cli.clause_code import code_for
from houseway.rules import loader
from houseway.rules.loader import rulebook_ids

GOOD = {
    "rulebook": "uth-ma", "board": "Qd 9s 7h 4c 2d", "dealer": "Qc 3s",
    "seats": [{"seat": 1, "hole": "As Ah", "ante": "10", "play": 4}],
}  # fmt: skip
BAD: dict[str, Any] = {**GOOD, "seats": [{"seat": 1, "hole": "As Ah", "ante": "10", "play": 5}]}


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Any:
    def feed(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return feed


def test_help_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) <= 24
    for command in ("rulebooks", "show", "check", "diff", "clause", "settle"):
        assert any(command in line for line in shown)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["conformance"], "there is no command 'conformance'; run python -m houseway.conformance"),
        (["solv"], "there is no command 'solv'; did you mean 'solve'?"),
        (["xyz"], "there is no command 'xyz'; houseway --help lists the commands"),
        (["people", "zzz"], "people has no command 'zzz'; houseway people --help lists the commands"),
        (
            ["simulate", "uth-ma", "--rounds", "x"],
            "--rounds must be a whole number (got 'x'); see houseway",
        ),
        (["certificate", "key", "k.key"], "certificate key needs the option --name; see houseway"),
    ],
)
def test_a_wrong_command_line_is_explained(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


def test_the_usage_of_check_names_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--help"]) == 0
    assert "Usage: houseway check [OPTIONS] [REFS...]" in capsys.readouterr().out


def test_the_help_of_simulate_shows_each_way_to_run_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: houseway simulate RULEBOOK --rounds INT")
    assert "houseway simulate merge FILES" in shown


@pytest.mark.parametrize("command", ["rulebooks", "show", "check", "diff", "clause", "settle"])
def test_every_command_has_help_and_takes_json(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["settel"], "settle"),
        (["settle"], "FILE"),
        (["settle", "nowhere.json"], "cannot read nowhere.json"),
        (["clause", "MA-9.h.99"], "did you mean"),
        (["show", "uth-mass"], "did you mean 'uth-ma'"),
        (["diff", "uth-ma", "nope"], "there is no rulebook or file 'nope'"),
        (["rulebooks", "--jsn"], "--json"),
        (["solve", "uth-ma", "--threads", "-1"], "--threads must be 0 (one per core) or more (got -1)"),
        (["solve", "shootout-sd", "--see", "dealer:1"], "shootout-sd is a Texas Shootout rulebook"),
    ],
    ids=" ".join,
)
def test_bad_input_gets_a_sentence_and_exit_2(
    tokens: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tokens) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert all(line.startswith("houseway: ") for line in err.splitlines())


def test_rulebooks_lists_every_rulebook(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebooks"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in rulebook_ids())
    assert main(["rulebooks", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [b["id"] for b in listed] == rulebook_ids()
    assert all(set(b) == {"id", "title", "game", "source", "hash"} for b in listed)


def test_check_reports_every_bundled_rulebook_as_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{name}: sound" for name in rulebook_ids()]
    assert main(["check", "uth-ma", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"rulebook": "uth-ma", "sound": True, "problems": []}]


def test_clause_prints_the_kind_of_a_clause_and_where_it_is_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["clause", "ma-9.h.2-b"]) == 0
    assert "MA-9.h.2-b  (performed: the software does it)" in capsys.readouterr().out
    assert main(["clause", "SD-1-c", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["kind"] == "configured"
    assert {u["rulebook"] for u in output["used"]} == {"uth-sd", "shootout-sd"}


def test_settle_prints_one_round_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(GOOD, indent=2), encoding="utf-8")
    assert main(["settle", str(file)]) == 0
    shown = capsys.readouterr().out
    for words in ("pair of queens, qualifies", "pair of aces", "+40.00", "MA-10.b", "MA-9.h.2-b"):
        assert words in shown


def test_settle_prints_one_round_as_json(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps(GOOD))
    assert main(["settle", "-", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["lines"][0] == {
        "seat": 1, "hand": 1, "wager": "ante", "stake": "10.00", "result": "win", "odds": "1 to 1",
        "net": "10.00", "clause": "MA-10.b",
    }  # fmt: skip
    assert output["seats"] == [{"seat": 1, "staked": "60.00", "returned": "110.00", "net": "50.00"}]
    assert output["meters"] == {}
    assert (output["dealer_tips"], output["approvals"], output["caps"]) == ("0.00", [], [])


def test_a_refused_round_makes_settle_exit_with_2(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps(BAD))
    assert main(["settle", "-", "--json"]) == 2
    out, err = capsys.readouterr()
    refusal = json.loads(out)["refused"][0]
    assert (refusal["code"], refusal["clause"], refusal["where"]) == (
        "play-size",
        "MA-7.f.1-b",
        "seats[0].play",
    )
    assert "4, 3, 2 or 1 times the ante, or 0 for a fold" in refusal["message"]
    assert err.startswith("houseway: seats[0].play: ")


def test_a_refusal_names_the_place_once(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps({**GOOD, "dealer": "Qc"}))
    assert main(["settle", "-"]) == 2
    assert capsys.readouterr().err == "houseway: dealer must have 2 cards, not 1 (wrong-number-of-cards)\n"


def test_settle_continues_after_bad_lines(stdin: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = [
        json.dumps(GOOD),
        json.dumps(BAD),
        '{"rulebook": ',
        "[1]",
        '{"rulebook": "uth-xx"}',
        json.dumps(GOOD),
    ]
    stdin("\n".join(lines) + "\n\n")
    assert main(["settle", "-"]) == 2
    out = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert ["refused" in x for x in out] == [False, True, True, True, True, False]
    assert [x["refused"][0]["code"] for x in out[1:5]] == [
        "play-size", "bad-json", "not-a-round", "unknown-rulebook",
    ]  # fmt: skip
    assert out[0] == out[5]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no round"),
        ("{", "standard input: this is not valid JSON: it ends too early"),
        ("nonsense", "standard input, line 1: this is not valid JSON"),
        ('{"rulebook": "uth-ma",\n\n "board": x\n}', "standard input, line 3: this is not valid JSON"),
        ("7", "JSON object"),
        ("\xff", "not valid JSON"),
    ],
)
def test_settle_rejects_input_that_is_not_a_json_object(
    text: str, sentence: str, stdin: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin(text)
    assert main(["settle", "-"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_number_with_a_decimal_point_is_not_money(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps(GOOD).replace('"10"', "7.5"))
    assert main(["settle", "-"]) == 2
    assert "7.5 is not an amount; write dollars as text" in capsys.readouterr().err


@pytest.mark.parametrize(
    "about",
    ['"house": {"max_payout": 1.5}', '"limits": {"ante": {"max": 1.5}}', '"tables": 1.5', '"mode": 2.5',
     '"house": {"rounding": 1.5}', '"meters": {"main": 2.5}'],
)  # fmt: skip
def test_a_decimal_anywhere_is_refused(about: str, stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(json.dumps(GOOD).replace("uth-ma", "uth-proc").replace("{", "{" + about + ", ", 1))
    assert main(["settle", "-"]) == 2
    assert capsys.readouterr().err.startswith("houseway: ")


def test_a_reader_that_stops_reading_is_not_an_error(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text((json.dumps(GOOD) + "\n") * 5000, encoding="utf-8")
    command = f"{sys.executable} -m houseway settle {file} | head -1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_demo_shows_a_settled_round(capsys: pytest.CaptureFixture[str]) -> None:
    from houseway.cli.demo import demo

    assert demo() == 0
    shown = capsys.readouterr().out
    assert "Massachusetts" in shown
    assert "houseway clause MA-" in shown


ONE = json.dumps(GOOD)
TWICE = ONE[:-1] + ', "board": "As"}'


@pytest.mark.parametrize(
    ("text", "refusals"),
    [
        (f"[{ONE}, {ONE}]", [False, False]),
        (f"[\n{ONE},\n{json.dumps(BAD)}\n]\n", [False, True]),
        (f'{{"rulebook": "uth-ma", "board":\n{ONE}\n{ONE}\n', [True, False, False]),
        (f"\ufeff{ONE}\r\n\r\n{ONE}\r\n", [False, False]),
        (f"{ONE}\n{'[' * 100000}\n{ONE}", [False, True, False]),
        (f"{ONE}\n{TWICE}\n{ONE}", [False, True, False]),
        (ONE + "\n" + ONE.replace("As Ah", "A\u017f Ah") + "\n" + ONE, [False, True, False]),
        (ONE + "\n" + ONE.replace("uth-ma", "a" * 5000) + "\n" + ONE, [False, True, False]),
        (ONE + "\n" + ONE.replace('"10"', '"' + "1" * 5000 + '"') + "\n" + ONE, [False, True, False]),
    ],
    ids=["array", "array over lines", "broken first line", "byte order mark", "deep", "key twice", "long s", "long id",
         "long amount"],
)  # fmt: skip
def test_settle_takes_batches_of_every_shape(
    text: str, refusals: list[bool], stdin: Any, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    stdin(text)
    assert main(["settle", "-"]) == (2 if any(refusals) else 0)
    out = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert ["refused" in x for x in out] == refusals


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD, indent=1),
        "\ufeff" + json.dumps(GOOD, indent=1),
        ONE.replace('"board"', '\n"board"'),
        '{"house": {"rounding": "up"}\n,' + ONE[1:],
    ],
    ids=["indented", "byte order mark", "two lines", "first line ends like an object"],
)
def test_one_round_may_span_lines(text: str, stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(text)
    assert main(["settle", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"][0]["net"] == "50.00"


def test_a_key_named_twice_is_refused(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    stdin(ONE.replace('"ante": "10"', '"ante": "10", "ante": "500"'))
    assert main(["settle", "-"]) == 2
    assert "'ante' is named twice" in capsys.readouterr().err


def test_a_name_is_shown_as_it_is_written(stdin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A colon in a name does not make a key, and a bracket is not markup."""
    stdin(ONE.replace('"seat": 1', '"seat": 1, "player": "Ann: the [/first]"'))
    assert main(["settle", "-"]) == 0
    assert "Ann: the [/first]" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "tokens", [["settle", "FILE", "--json"], ["settle", "FILE"], ["rulebooks"]], ids=" ".join
)
def test_a_full_disk_gets_a_sentence(tokens: list[str], tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(ONE, encoding="utf-8")
    command = [sys.executable, "-m", "houseway", *(str(file) if t == "FILE" else t for t in tokens)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "cannot write" in done.stderr


def test_a_terminal_without_unicode_still_shows_the_card() -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "houseway", "show", "uth-card"]
    done = subprocess.run(command, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert b"MA-9.g-a" in done.stdout


def test_clauses_can_be_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clause", "MA-10.d"]) == 0
    assert "(enforced: the software refuses violations)" in capsys.readouterr().out
    assert main(["clause", "MA-10", "--json"]) == 0
    assert [c["id"] for c in json.loads(capsys.readouterr().out)] == [
        "MA-10.a", "MA-10.b", "MA-10.c", "MA-10.d", "MA-10.d-A", "MA-10.d-B", "MA-10.d-C", "MA-10.d-D", "MA-10.e",
    ]  # fmt: skip
    assert main(["clause", "lammer"]) == 0
    assert "TS-6-b" in capsys.readouterr().out
    assert main(["clause", "house.rounding"]) == 0
    assert "a fraction of a cent" in capsys.readouterr().out
    assert main(["clause", "house.rouding"]) == 2
    assert "did you mean 'rounding'?" in capsys.readouterr().err


def test_diff_with_money_leaves_out_differences_in_equipment(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "uth-sd", "uth-ma", "--money"]) == 0
    output = capsys.readouterr().out
    assert "Trips without ante and blind" in output
    assert "Cover cards" not in output


def test_show_one_wager_and_reject_an_unknown_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "uth-ma", "--wager", "blind"]) == 0
    output = capsys.readouterr().out
    assert "500 to 1" in output
    assert "Trips" not in output
    assert main(["show", "uth-ma", "--wager", "blnd"]) == 2
    assert main(["show", "uth-ma", "-o", str(tmp_path / "card.pdf")]) == 2
    assert not (tmp_path / "card.pdf").exists()


def test_every_performed_or_enforced_clause_names_its_code() -> None:
    books = [loader.load(name) for name in loader.rulebook_ids()]
    used: dict[str, list[str]] = {}
    for book in books:
        for clause, path in book.cited():
            used.setdefault(clause, []).extend(code_for(book, path))
    done = [c.id for book in books for c in book.clauses.values() if c.kind in ("performed", "enforced")]
    assert [c for c in done if not used.get(c)] == []
    text = cache(lambda file: (Path(houseway.__file__).parent / file).read_text("utf-8").splitlines())
    for place in {place for places in used.values() for place in places}:
        file, _, rest = place.partition(":")
        number, _, name = rest.partition(" ")
        line = text(file)[int(number) - 1]
        assert name.rpartition(".")[2] in line or line.startswith("@")
