"""Rulebooks added by path: they are listed with the bundled ones, their size is limited, and a broken one does
not hide the others."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
from pathlib import Path

import pytest

from discovered import BOOKS
from houseway.cli.app import main
from houseway.rules import catalogue, loader
from houseway.server import rulebook_library
from houseway.testing import settled

EVIL = "[/] [red]<script>alert(1)</script> {x:>99}"
ROUND = {"board": "Qd 9s 7h 4c 2d", "dealer": "Qc 3s"}


def write_rulebook(file: Path, text: str = "", name: str = "", title: str = "My table") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    own = name or (file.parent.name if file.name == "rules.toml" else file.stem)
    head = f'[rulebook]\nid = "{own}"\ntitle = {json.dumps(title)}\nextends = "uth-card"\n'
    file.write_text(head + text, encoding="utf-8")
    return file


def problems(ref: str) -> list[str]:
    try:
        return list(map(str, loader.load_with_problems(ref)[1]))
    except loader.RulebookError as error:
        return list(map(str, error.problems))


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder of three rulebooks: a file, a folder, and a broken file."""
    write_rulebook(tmp_path / "alpha.toml")
    write_rulebook(tmp_path / "beta" / "rules.toml", title=EVIL)
    (tmp_path / "broken.toml").write_text("id = nonsense\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_files_and_folders_are_listed_with_the_bundled_rulebooks(shelf: Path) -> None:
    with loader.added_rulebooks([str(shelf)]):
        assert loader.rulebook_ids() == sorted([*BOOKS, "alpha", "beta", "broken"])
        assert settled("alpha", **ROUND, hole="As Ah", ante="10", play=1).net("ante") == "10.00"
        sound, broken = loader.sound_rulebooks()
        assert [book.id for book in sound] == sorted([*BOOKS, "alpha", "beta"])
        assert [error.ref for error in broken] == ["broken"]
    assert loader.rulebook_ids() == BOOKS


@pytest.mark.parametrize("part", ["alpha.toml", "beta", "beta/rules.toml"])
def test_one_rulebook_is_added_by_its_file_or_folder(part: str, shelf: Path) -> None:
    with loader.added_rulebooks([str(shelf / part)]):
        assert set(loader.rulebook_ids()) - set(BOOKS) == {part.partition("/")[0].removesuffix(".toml")}


def test_an_environment_variable_adds_several_folders(
    shelf: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = tmp_path_factory.mktemp("other")
    write_rulebook(other / "gamma.toml")
    monkeypatch.setenv("HOUSEWAY_RULEBOOKS", os.pathsep.join([str(shelf), str(other)]))
    assert main(["rulebooks", "--json"]) == 0
    assert {"alpha", "gamma"} <= {book["id"] for book in json.loads(capsys.readouterr().out)}


def test_a_missing_path_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebooks", "--rulebooks", "/nowhere"]) == 2
    errors = capsys.readouterr().err
    assert errors == (
        "houseway: /nowhere: rulebooks: no such file or folder; "
        "give a TOML file, a rulebook's folder, or a folder of rulebooks\n"
    )


def test_a_folder_without_a_rulebook_is_named_as_a_folder(tmp_path: Path) -> None:
    with pytest.raises(loader.RulebookError, match=r"^the folder '.*' has no rules.toml; use one of "):
        loader.load(str(tmp_path))


def test_a_rulebook_id_must_match_its_file_and_be_unique(tmp_path: Path) -> None:
    write_rulebook(tmp_path / "mine.toml", name="other")
    duplicate = write_rulebook(tmp_path / "uth-ma.toml")
    with loader.added_rulebooks([str(tmp_path)]):
        assert problems("mine") == [
            (
                "rulebook.id: 'other' is not the name of its file or folder, 'mine'; "
                "write id = 'mine', or rename the file or folder"
            )
        ]
        assert loader.load("uth-ma").title.startswith("Massachusetts")
        [problem] = problems(str(duplicate))
        assert problem.startswith("rulebook.id: 'uth-ma' is the id of another rulebook")


# --- commands ---


def run(capsys: pytest.CaptureFixture[str], *tokens: str) -> tuple[int, str, str]:
    code = main(list(tokens))
    return code, *capsys.readouterr()


def test_a_broken_rulebook_is_listed_with_its_problem(
    shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = run(capsys, "rulebooks", "--rulebooks", str(shelf))
    assert code == 0
    assert all(name in out for name in (*BOOKS, "alpha", "beta"))
    assert "cannot be used: file: broken.toml is not valid TOML" in " ".join(out.split())
    code, out, _ = run(capsys, "rulebooks", f"--rulebooks={shelf}", "--json")
    listed = {entry["id"]: entry for entry in json.loads(out)}
    assert code == 0
    assert listed["broken"]["problems"][0]["path"] == "file"
    assert set(listed["alpha"]) == {"id", "title", "game", "source", "hash"}


@pytest.mark.parametrize("clause", ["MA-10.c", "house.seats"])
def test_a_broken_rulebook_hides_no_clause(
    clause: str, shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "clause", clause, "--rulebooks", str(shelf))
    assert code == 0
    assert clause in out
    assert err.startswith("houseway: broken is skipped: file: broken.toml is not valid TOML")
    assert err.count("\n") == 1


def test_the_suggested_check_command_lists_the_problems_of_a_skipped_rulebook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my rulebooks"
    folder.mkdir()
    write_rulebook(folder / "mine.toml", "[sizes]\nwrong = 1\n[size]\nwrong = 1\n")
    _, _, err = run(capsys, "clause", "MA-10.c", "--rulebooks", str(folder))
    start = "houseway: mine is skipped: it has 2 problems; run "
    assert err.startswith(start)
    words = shlex.split(err.removeprefix(start))
    assert words == ["houseway", "check", "mine", "--rulebooks", str(folder)]
    code, out, _ = run(capsys, *words[1:])
    assert code == 1
    assert out.startswith("mine: 2 problems\n")


def test_clauses_of_other_rulebooks_are_found_despite_a_broken_clauses_file(
    shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shelf / "beta" / "clauses.toml").write_text('[[clause]]\nid = "BE-1"\nsays = nothing\n', "utf-8")
    code, out, _ = run(capsys, "clause", "envy", "--rulebooks", str(shelf))
    assert code == 0
    assert "SD-" in out
    code, out, err = run(capsys, "clause", "BE-1", "--rulebooks", str(shelf))
    assert (code, out) == (2, "")
    assert "houseway: beta is skipped: file: clauses.toml is not valid TOML" in err
    assert "no clause matches 'BE-1'" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'[[clause]]\nid = "BE-1"\nsays = nothing\n', "file: clauses.toml is not valid TOML: Invalid value"),
        (b'[[clause]]\nid = "BE-1"\nsayz = "x"\n', "clauses.toml[0].sayz: unknown key; did you mean 'says'?"),
        (b'[[clauses]]\nid = "BE-1"\n', "clauses.toml: has no [[clause]] tables"),
        (b'[[clause]]\nid = "\xff"\n', "file: clauses.toml is not UTF-8 text"),
    ],
    ids=["not TOML", "unknown key", "no clause", "not UTF-8"],
)  # fmt: skip
def test_a_broken_clauses_file_is_a_problem_of_its_rulebook(
    text: bytes, message: str, shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shelf / "beta" / "clauses.toml").write_bytes(text)
    _, out, _ = run(capsys, "rulebooks", f"--rulebooks={shelf}", "--json")
    listed = {entry["id"]: entry for entry in json.loads(out)}
    problem = listed["beta"]["problems"][0]
    assert f"{problem['path']}: {problem['wrong']}; {problem['right']}".startswith(message)
    assert set(listed["alpha"]) == {"id", "title", "game", "source", "hash"}
    code, _, err = run(capsys, "show", "beta", "--rulebooks", str(shelf))
    assert code == 2
    assert err.startswith(f"houseway: beta: {message}")
    code, out, _ = run(capsys, "check", "beta", "alpha", "uth-ma", "--rulebooks", str(shelf))
    assert code == 1
    assert out.startswith("beta: ")
    assert out.endswith("alpha: sound\nuth-ma: sound\n")


NO_RULES = "file: the folder half has no rules.toml; write that file, or remove the folder"


@pytest.mark.parametrize("name", ["clauses.toml", "procedure.toml"])
def test_a_folder_without_rules_is_listed_with_its_problem(
    name: str, shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = shelf / "half"
    half.mkdir()
    (half / name).touch()
    for added in (shelf, half):
        _, out, _ = run(capsys, "rulebooks", "--json", "--rulebooks", str(added))
        [entry] = [entry for entry in json.loads(out) if entry["id"] == "half"]
        assert entry["problems"][0]["wrong"] == "the folder half has no rules.toml"
        code, out, _ = run(capsys, "check", "half", "uth-ma", "--rulebooks", str(added))
        assert (code, out.splitlines()[0], out.splitlines()[-1]) == (1, "half: 1 problem", "uth-ma: sound")
    assert problems(str(half)) == [NO_RULES]


def test_a_bundled_folder_without_rules_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "clauses.toml").touch()
    (tmp_path / "shared").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr(catalogue, "bundled_folder", lambda: tmp_path)
        catalogue.bundled.cache_clear()
        try:
            assert loader.rulebook_ids() == ["half"]
            assert problems("half") == [NO_RULES]
        finally:
            catalogue.bundled.cache_clear()


def test_files_beside_a_rulebook_are_not_rulebooks(tmp_path: Path) -> None:
    write_rulebook(tmp_path / "mine.toml")
    for name in ("clauses.toml", "procedure.toml", "rounds.toml"):
        (tmp_path / name).touch()
    with loader.added_rulebooks([str(tmp_path)]):
        assert set(loader.rulebook_ids()) - set(BOOKS) == {"mine"}


def test_check_continues_after_a_broken_rulebook(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "--rulebooks", str(shelf), "broken", "alpha")
    assert (code, out.splitlines()[0], out.splitlines()[-1]) == (1, "broken: 1 problem", "alpha: sound")


def test_a_house_value_has_a_sentence_instead_of_a_clause(
    shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "No document says this: the house's own rulebook alpha changed the value."
    code, out, _ = run(capsys, "clause", "own.alpha", "--rulebooks", str(shelf))
    assert code == 0
    assert out.startswith("own.alpha  (own: set by the house's own rulebook)\n")
    assert says in " ".join(out.split())
    with loader.added_rulebooks([str(shelf)]):
        entry = rulebook_library.clause("own.alpha")
        assert (entry["says"], entry["rulebook"]) == (says, "alpha")
        with pytest.raises(
            rulebook_library.RefusedError, match=r"the rulebook of 'own\.nobody' cannot be used"
        ):
            rulebook_library.clause("own.nobody")


def test_house_values_are_listed_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_rulebook(tmp_path / "mine.toml", '[tables.trips.CARD.rows]\n"flush" = "8 to 1"\n')
    code, out, _ = run(capsys, "clause", "own.mine", "--json", "--rulebooks", str(file))
    assert code == 0
    assert {"rulebook": "mine", "at": "tables.trips.CARD.rows[4]"} in json.loads(out)["used"]
    code, out, err = run(capsys, "clause", "own.nine", "--rulebooks", str(file))
    assert (code, out) == (2, "")
    assert err == "houseway: no added rulebook uses 'own.nine'; did you mean 'own.mine'?\n"
    code, out, err = run(capsys, "clause", "own.nine")
    assert (code, err) == (
        2,
        "houseway: no added rulebook uses 'own.nine'; add a rulebook with --rulebooks FILE\n",
    )
    file.write_text("nothing", "utf-8")
    code, out, err = run(capsys, "clause", "own.mine", "--rulebooks", str(file))
    assert (code, out) == (2, "")
    assert err.endswith("no added rulebook uses 'own.mine'; no added rulebook could be loaded\n")
    copy = shutil.copytree(str(catalogue.bundled_folder().joinpath("uth-card")), tmp_path / "copy")
    rules = (copy / "rules.toml").read_text("utf-8").replace('id = "uth-card"', 'id = "copy"', 1)
    (copy / "rules.toml").write_text(rules, "utf-8")
    _, _, err = run(capsys, "clause", "own.nine", "--rulebooks", str(copy))
    assert err == "houseway: no added rulebook uses 'own.nine'; no added rulebook extends another\n"


def test_the_server_lists_added_and_broken_rulebooks(shelf: Path) -> None:
    with loader.added_rulebooks([str(shelf)]):
        listing = rulebook_library.rulebooks()
        assert {"alpha", "beta"} <= {book["id"] for book in listing["rulebooks"]}
        assert [book["id"] for book in listing["broken"]] == ["broken"]
        assert rulebook_library.bundled("beta").title == EVIL
        with pytest.raises(rulebook_library.RefusedError):
            rulebook_library.bundled("broken")
    assert "broken" not in rulebook_library.rulebooks()


@pytest.mark.parametrize(
    "tokens",
    [
        ["rulebooks"],
        ["show", "beta"],
        ["show", "beta", "--as", "script"],
        ["show", "beta", "--format", "markdown"],
        ["diff", "uth-card", "beta"],
        ["check", "beta"],
        ["clause", "house.seats"],
    ],
    ids=" ".join,
)
def test_markup_in_a_title_is_printed_as_text(
    tokens: list[str], shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    code, out, _ = run(capsys, *tokens, "--rulebooks", str(shelf))
    assert code == 0
    assert "\x1b[31m" not in out
    if tokens[0] in ("rulebooks", "diff") or tokens[-1] == "script":
        assert EVIL in out


def test_markup_in_a_title_is_escaped_on_a_page(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "beta", "--format", "html", "--rulebooks", str(shelf))
    assert code == 0
    assert "<script>" not in out
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in out


def test_markup_in_a_title_is_text_in_the_terminal(
    shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("bet ante 10\ndeal\ncheck\ncheck\n1x\nquit\n"))
    tokens = ("play", "beta", "--plain", "--no-record", "--seed", "7", "--rulebooks", str(shelf))
    code, out, _ = run(capsys, *tokens)
    assert code == 0
    assert out.startswith(EVIL)


# --- limits ---


def test_a_link_that_leaves_the_folder_is_not_followed(
    shelf: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    secret = write_rulebook(outside / "secret.toml")
    write_rulebook(outside / "house" / "rules.toml")
    (shelf / "link.toml").symlink_to(secret)
    (shelf / "linked").symlink_to(outside / "house")
    (shelf / "beta" / "NOTES.md").symlink_to(secret)
    with loader.added_rulebooks([str(shelf)]):
        for ref, name in (("link", "link.toml"), ("linked", "rules.toml"), ("beta", "NOTES.md")):
            assert problems(ref) == [
                f"file: {name} is a link to a file outside its folder; copy the file into the folder"
            ]
        assert problems("alpha") == []


@pytest.mark.parametrize("base", ["../uth-ma", "/etc/passwd", "./alpha.toml", "uth-ma/../uth-ma"])
def test_extends_takes_the_id_of_a_rulebook_and_not_a_path(base: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(f'[rulebook]\nid = "own"\ntitle = "X"\nextends = "{base}"\n', encoding="utf-8")
    [problem] = problems(str(file))
    assert problem.startswith(f"rulebook.extends: {base!r} is not a rulebook id")


@pytest.mark.parametrize("name", ["../pays", "/etc/passwd", "../../uth-ma/rules"])
def test_rows_takes_the_name_of_a_shared_pay_table_and_not_a_path(name: str, tmp_path: Path) -> None:
    file = write_rulebook(tmp_path / "own.toml", f'[tables.trips.CARD]\nrows = "{name}"\n')
    assert f"tables.trips.CARD.rows: {name!r} is not a shared pay table" in problems(str(file))[0]


LIMITED = {
    "a long file": ("#" + "x" * catalogue.MOST_BYTES, "is longer than 500,000 bytes"),
    "many values": ("a = [" + "1, " * catalogue.MOST_VALUES + "]", "has more than 20,000 values"),
    "deep tables": ("[" + "a." * 40 + "a]", "more than 20 nested levels"),
    "deep lists": ("a = " + "[" * 5000 + "]" * 5000, "is not valid TOML"),
    "a long number": ("a = " + "9" * 5000, "is not valid TOML"),
    "a control character": ("# \x1b[2J", "control character"),
    "an escaped one": ('a = "\\u001b[2J"', "control character '\\x1b'"),
    "a line that turns round": ('a = "\\u202e"', "control character"),
    "too many sizes": (
        f'[stage."before the flop".sizes]\nvalue = {list(range(1, 12))}',
        "stage[0].sizes.value: 11 is above the limit; write at most 10",
    ),
    "a huge size": (
        '[stage."before the flop".sizes]\nvalue = [101]',
        "101 is above the limit; write multiples of at most 100",
    ),
    "many seats": ("[house.seats]\nhigh = 12000\ndefault = 12000", "house.seats.high: is 12,000"),
    "many decks": ("[ranking]\ndecks = 9", "ranking.decks: 9 is above the limit"),
    "many wagers": (
        "".join(f'[wager.w{n}]\npays = [{{ pays = "lose" }}]\n' for n in range(24)),
        "wager: 28 is above the limit; write at most 24",
    ),
    "many pay tables": (
        "".join(f'[tables.trips.t{n}]\nrows = "trips-1"\n' for n in range(24)),
        "tables.trips: 25 is above the limit",
    ),
    "many cards": (
        '[round."deal the flop"]\neach = 1000000\n',
        "deals 1000000 cards",
    ),
    "a long name": ('[wager.ante]\ntitle = "' + "x" * 81 + '"', "has 81 characters; write at most 80"),
}


@pytest.mark.parametrize("case", LIMITED)
def test_a_file_over_a_limit_is_a_problem(case: str, tmp_path: Path) -> None:
    text, message = LIMITED[case]
    listed = problems(str(write_rulebook(tmp_path / "own.toml", text + "\n")))
    assert any(message in problem for problem in listed), listed


def test_many_choices_of_pay_tables_are_refused(tmp_path: Path) -> None:
    kinds = [f"k{n}" for n in range(5)]
    tables = "".join(
        f'[tables.{kind}.t{n}]\nrows = {{ "high card" = "1 to 1" }}\n' for kind in kinds for n in range(8)
    )
    rows = ", ".join(f'{{ table = "{kind}" }}' for kind in kinds)
    listed = problems(str(write_rulebook(tmp_path / "own.toml", f"[wager.odd]\npays = [{rows}]\n{tables}")))
    assert listed == [
        "wager.odd.pays: uses pay tables with 32,768 combinations; use fewer kinds: at most 500 combinations"
    ]


def test_a_script_line_replaces_only_plain_names_in_braces(tmp_path: Path) -> None:
    text = '[round."open the round"]\nsays = "{seat.__class__} {x:>999999999} {seat}"\n'
    step = next(
        step
        for step in loader.load(str(write_rulebook(tmp_path / "own.toml", text))).procedure.round
        if step.name == "open the round"
    )
    filled = step.words[0].filled({"seat": 3}.get)
    assert filled == "{seat.__class__} {x:>999999999} 3"
