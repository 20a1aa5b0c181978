"""A user's own file that extends a bundled rulebook: the changes it may make, and those that the document
forbids."""

from pathlib import Path
from typing import Any

import pytest

from discovered import BOOKS, ULTIMATE
from houseway.cli.app import main
from houseway.rules import loader
from houseway.rules.problems import Problem
from houseway.testing import refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
ACES: dict[str, Any] = {"hole": "As Ah", "ante": "10", "play": 1}
FLUSH: dict[str, Any] = {"board": "Ah 9h 6h Kc 2d", "dealer": "As Kd", "hole": "Qh 4h"}


def write_own(folder: Path, book: str, text: str = "", name: str = "own.toml") -> str:
    """Write a user's file that extends a bundled rulebook and return its path."""
    file = folder / name
    head = f'[rulebook]\nextends = "{book}"\nid = "own"\ntitle = "My own table"\n'
    file.write_text(head + text, encoding="utf-8")
    return str(file)


def problems(ref: str) -> list[Problem]:
    """Every problem of a rulebook, even if the rulebook cannot be read at all."""
    try:
        return loader.load_with_problems(ref)[1]
    except loader.RulebookError as error:
        return error.problems


def refusal_reasons(ref: str) -> list[str]:
    """The problems for which every round of a rulebook is refused."""
    reasons = refused(ref, BOARD, DEALER, ACES)
    assert {r.code for r in reasons} == {"rulebook-unsound"}
    return [r.message for r in reasons]


@pytest.mark.parametrize("book", ULTIMATE)
def test_a_file_that_only_extends_is_the_bundled_rulebook(
    book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, base = write_own(tmp_path, book), loader.load(book)
    mine = loader.load(ref)
    assert (mine.id, mine.title, mine.extends) == ("own", "My own table", book)
    assert mine.wagers == base.wagers
    assert mine.hash != base.hash
    assert settled(ref, BOARD, DEALER, ACES).settlement.hash == mine.hash
    assert settled(ref, BOARD, DEALER, ACES).seat_net() == "20.00"
    assert main(["check", ref]) == 0
    assert capsys.readouterr().out == f"{ref}: sound\n"


def test_only_the_values_in_the_file_differ(tmp_path: Path) -> None:
    ref = write_own(
        tmp_path,
        "uth-card",
        '[options.seats]\nvalue = 5\nhouse = "seats"\n[house.seats]\nhigh = 5\ndefault = 5\n',
    )
    mine, base = loader.load(ref), loader.load("uth-card")
    assert (mine.seats, base.seats) == (5, 6)
    assert mine.tables == base.tables
    assert [r.code for r in refused(ref, BOARD, DEALER, ACES | {"seat": 6})] == ["no-such-seat"]
    assert settled("uth-card", BOARD, DEALER, ACES | {"seat": 6}).net("ante", seat=6) == "10.00"


def test_the_folder_of_a_rulebook_works_as_its_file_does(tmp_path: Path) -> None:
    file = write_own(tmp_path, "uth-ma", name="rules.toml")
    assert loader.load_with_problems(str(tmp_path))[1] == []
    assert loader.load(str(tmp_path)).hash == loader.load(file).hash
    assert settled(str(tmp_path), BOARD, DEALER, ACES).clause("ante") == "MA-10.b"


def test_the_same_file_has_the_same_hash_in_any_folder(tmp_path: Path) -> None:
    one, other = write_own(tmp_path, "uth-ma", name="a.toml"), write_own(tmp_path, "uth-ma", name="b.toml")
    assert loader.load(one).hash == loader.load(other).hash
    changed = write_own(tmp_path, "uth-ma", '[posted.ante]\nmin = "10"\n', name="c.toml")
    assert loader.load(changed).hash != loader.load(one).hash


@pytest.mark.parametrize(
    ("base", "right"),
    [
        ("uth-mass", "did you mean 'uth-ma'?"),
        ("zzz", f"use one of {', '.join(BOOKS)}"),
    ],
)
def test_the_extended_rulebook_must_be_bundled(base: str, right: str, tmp_path: Path) -> None:
    [problem] = problems(write_own(tmp_path, base))
    assert (problem.path, problem.right) == ("rulebook.extends", right)
    assert problem.wrong == f"{base!r} is not a rulebook id"


def test_a_users_file_cannot_be_extended(tmp_path: Path) -> None:
    first = write_own(tmp_path, "uth-ma", name="first.toml")
    second = write_own(tmp_path, first, name="second.toml")
    [problem] = problems(second)
    assert (problem.path, problem.wrong) == ("rulebook.extends", f"{first!r} is not a rulebook id")
    assert refusal_reasons(second) == [f"{second}: {problem}"]


def test_a_clause_of_another_document_must_be_marked_as_filled(tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-card", '[wager.trips.beside]\nvalue = ["ante"]\nclause = "MA-6.c-a"\n')
    [problem] = problems(ref)
    assert (problem.path, problem.wrong) == ("wager.trips.beside", "MA-6.c-a belongs to another document")
    assert problem.right == 'write filled = "…" instead of clause = "…"'


def test_a_misspelt_key_of_a_users_file_is_reported(tmp_path: Path) -> None:
    [problem] = problems(write_own(tmp_path, "uth-card", '[postd.ante]\nmin = "5"\n'))
    assert str(problem) == "postd: unknown key; did you mean 'posted'?"


# South Dakota limits a customer's risk to $1,000, so posted limits must leave room for every wager.

SD_ANTE = '[posted.ante]\nmin = "5"\nmax = "150"\n'


@pytest.mark.clause("SD-1-c")
def test_posted_limits_of_exactly_1000_dollars_are_sound(tmp_path: Path) -> None:
    # Ante and blind 150 each, play 600, trips 95, progressive 5: exactly 1,000.
    ref = write_own(tmp_path, "uth-sd", SD_ANTE + '[posted.trips]\nmax = "95"\n')
    assert problems(ref) == []
    most = ACES | {"ante": "150", "trips": "95", "play": 4, "progressive": "5"}
    paid = settled(ref, BOARD, DEALER, most, tables={"progressive": "PMG-02"})
    assert [paid.line(w).stake for w in ("ante", "blind", "play", "trips", "progressive")] == [
        "150.00", "150.00", "600.00", "95.00", "5.00",
    ]  # fmt: skip


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("text", "sum_"),
    [
        pytest.param(
            SD_ANTE + '[posted.trips]\nmax = "95.01"\n',
            "$1,000.01 at risk (ante $150 + blind $150 + play $600 + trips $95.01 + progressive $5)",
            id="a cent too much on trips",
        ),
        pytest.param(
            '[posted.ante]\nmax = "200"\n',
            "$1,205 at risk (ante $200 + blind $200 + play $800 + progressive $5)",
            id="$200 on the ante",
        ),
    ],
)
def test_posted_limits_above_1000_dollars_are_refused(text: str, sum_: str, tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-sd", text)
    [problem] = problems(ref)
    assert (problem.path, problem.right, problem.weight) == (
        "posted.ante",
        "change the limits (SD-1-c)",
        "error",
    )
    assert problem.wrong == f"with these limits, one player could have {sum_}; the bet limit is $1,000"
    assert refusal_reasons(ref) == [f"{ref}: {problem}"]


# Massachusetts: with a minimum above $135, a player could win more than a hand may be paid. The house gets a
# warning, not a refusal.


@pytest.mark.parametrize(
    ("minimum", "figure"),
    [
        ("135", None),
        pytest.param("136", "$75,480"),
        pytest.param("200", "$111,000"),
    ],
)
def test_a_high_minimum_gets_a_warning(
    minimum: str, figure: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = write_own(tmp_path, "uth-ma", f'[posted.ante]\nmin = "{minimum}"\n')
    listed = problems(ref)
    assert [(p.path, p.right, p.weight) for p in listed] == (
        [("posted.ante", "change the limits (MA-13.d)", "warning")] if figure else []
    )
    assert [p.wrong for p in listed] == (
        [f"a minimum bettor could win {figure}, but a hand is paid at most $75,000"] if figure else []
    )
    assert loader.load(ref).posted["ante"].low == int(minimum) * 100
    assert main(["check", ref]) == 0
    assert capsys.readouterr().out.startswith(f"{ref}: sound\n")


# Massachusetts' pay tables: trips lines may be raised, never lowered; progressive tables may not change.


@pytest.mark.clause("MA-10.d")
def test_a_raised_trips_line_is_accepted_and_paid(tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-ma", '[tables.trips.B.rows]\nflush = "7 to 1"\n')
    assert problems(ref) == []
    paid = settled(ref, ante="10", trips="10", play=1, tables={"trips": "B"}, **FLUSH)
    assert (paid.net("trips"), paid.line("trips").odds) == ("70.00", "7 to 1")
    printed = settled("uth-ma", ante="10", trips="10", play=1, tables={"trips": "B"}, **FLUSH)
    assert printed.net("trips") == "60.00"


@pytest.mark.clause("MA-10.d")
@pytest.mark.parametrize("now", ["5 to 1", "11 to 2", "push", "lose"])
def test_a_lowered_trips_line_is_refused(now: str, tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-ma", f'[tables.trips.B.rows]\nflush = "{now}"\n')
    [problem] = problems(ref)
    assert problem.path == "tables.trips.B.rows.flush"
    assert problem.wrong == f"pays flush {now}, less than the printed 6 to 1"
    assert problem.right == "pay at least 6 to 1 (MA-10.d)"
    assert refusal_reasons(ref) == [f"{ref}: {problem}"]


@pytest.mark.clause("MA-10.d")
def test_a_new_trips_table_is_refused(tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-ma", '[tables.trips.E]\nrows = "trips-1"\nsilent = true\n')
    [problem] = problems(ref)
    assert (problem.path, problem.wrong) == ("tables.trips.E", "is not a table that the document prints")
    assert problem.right == "use a printed table: A, B, C, D (MA-10.d)"


@pytest.mark.clause("MA-13.e-a")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param(
            '[tables.progressive.PTMGL01.rows]\nflush = "50 for 1"\n', "PTMGL01", id="a line changed"
        ),
        pytest.param(
            '[tables.progressive.PTMGL01.seeds.main]\nvalue = "20000"\n', "PTMGL01", id="a seed changed"
        ),
        pytest.param(
            '[tables.progressive.MINE]\nrows = "link"\nmeters = ["main"]\nsilent = true\n'
            'rest = { pays = "lose", silent = true }\n',
            "MINE",
            id="another table",
        ),
    ],
)
def test_another_progressive_table_is_refused(text: str, name: str, tmp_path: Path) -> None:
    ref = write_own(tmp_path, "uth-ma", text)
    [problem] = problems(ref)
    assert (problem.path, problem.wrong) == (
        f"tables.progressive.{name}", "is not a table that the document prints",
    )  # fmt: skip
    printed = "PTMGL01, PTMGL02, PTMGL04, PTMGLML01, PTMGLML02, PTMGLML03"
    assert problem.right == f"use a printed table: {printed} (MA-13.e-a)"
    assert refusal_reasons(ref) == [f"{ref}: {problem}"]


@pytest.mark.clause("TS-16-e")
def test_the_shootout_bonus_tables_cannot_be_changed(tmp_path: Path) -> None:
    [problem] = problems(write_own(tmp_path, "shootout-sd", '[tables.bonus.A.rows]\nflush = "3 to 1"\n'))
    assert (problem.path, problem.right) == ("tables.bonus.A", "use a printed table: A, B (TS-16-e)")


@pytest.mark.parametrize("rule", ['""', "[]", "false", "0"])
def test_the_documents_rule_on_tables_cannot_be_removed(rule: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        f'table_rules = {rule}\n[rulebook]\nextends = "uth-ma"\n[tables.trips.B.rows]\nflush = "1 to 1"\n',
        encoding="utf-8",
    )
    assert "tables.trips.B.rows.flush" in [p.path for p in problems(str(file))]


def test_a_changed_value_cites_the_file(tmp_path: Path) -> None:
    text = '[options.qualifier]\nvalue = "two pair"\n[tables.blind.blind.rows]\n"flush" = "2 to 1"\n'
    file = write_own(tmp_path, "uth-ma", text)
    paid = settled(file, **FLUSH, ante="10", play=1)
    assert (paid.net("blind"), paid.clause("blind")) == ("20.00", "own.own")
    # Lines the file does not change keep the document's clause.
    straight = settled(file, "9s 8h 7d Kc 2c", "Kd Ks", hole="Jc Td", ante="10", play=1)
    assert (straight.net("blind"), straight.clause("blind")) == ("10.00", "MA-10.c")
    book = loader.load(file)
    assert book.options["qualifier"].clause() == "own.own"
    assert book.source.value.startswith("a house's own, after Massachusetts")


def test_a_file_can_cite_its_own_source_for_a_value(tmp_path: Path) -> None:
    file = write_own(tmp_path, "uth-ma", '[options.qualifier]\nvalue = "two pair"\nsilent = true\n')
    assert loader.load(file).options["qualifier"].clause() is None


def test_a_list_in_the_file_replaces_the_whole_list(tmp_path: Path) -> None:
    text = '[[stage]]\nname = "before the flop"\nboard = 0\nsizes = { value = [2, 3], silent = true }\n'
    _, problems = loader.load_with_problems(write_own(tmp_path, "uth-ma", text))
    assert [(p.path, p.wrong) for p in problems if p.path == "stage"] == [
        ("stage", "has no betting point at which a player can fold")
    ]
    # The dealer's steps still refer to the removed betting points.
    lost = [p.wrong for p in problems if p.path.endswith(".stage")]
    assert lost == ["'after the flop' is not a betting point", "'after the river' is not a betting point"]


def test_extends_outside_its_table_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "top.toml"
    file.write_text('extends = "uth-ma"\n[rulebook]\nid = "x"\n', encoding="utf-8")
    with pytest.raises(
        loader.RulebookError,
        match=r"outside the table \[rulebook\], so checking stopped; move it into \[rulebook\]",
    ):
        loader.load_with_problems(str(file))


def test_a_new_row_cannot_lower_a_line_by_coming_before_it(tmp_path: Path) -> None:
    text = (
        "[tables.trips.B]\nsilent = true\nrows = [\n"
        '  { when = { hand = "royal flush", made = "first five" }, pays = "1 to 1", silent = true },\n'
        '  { when = { hand = "royal flush" }, pays = "50 to 1", silent = true },\n'
        '  { when = { hand = "straight flush" }, pays = "40 to 1", silent = true },\n'
        '  { when = { hand = "four of a kind" }, pays = "30 to 1", silent = true },\n'
        '  { when = { hand = "full house" }, pays = "8 to 1", silent = true },\n'
        '  { when = { hand = "flush" }, pays = "6 to 1", silent = true },\n'
        '  { when = { hand = "straight" }, pays = "5 to 1", silent = true },\n'
        '  { when = { hand = "three of a kind" }, pays = "3 to 1", silent = true },\n]\n'
    )
    _, problems = loader.load_with_problems(write_own(tmp_path, "uth-ma", text))
    assert [p.wrong for p in problems] == ["pays royal flush 1 to 1, less than the printed 50 to 1"]


def test_more_seats_than_cover_all_pays_for_are_reported(tmp_path: Path) -> None:
    _, problems = loader.load_with_problems(
        write_own(tmp_path, "uth-ma", "[options.seats]\nvalue = 8\nsilent = true\n")
    )
    # The house setting allows at most six seats, so it does not agree with the eight of the option.
    assert [p.path for p in problems] == ["wager.cover_all.pays", "options.seats"]
    assert "hands_dealt = [8, 9]" in problems[0].wrong


@pytest.mark.parametrize(
    "key", ["modes", "tips", "decks", "offered", "excluded", "seats", "burns", "qualifier"]
)
@pytest.mark.parametrize(
    "value", ["1", "1.5", "true", "[1.5]", "[[]]", "[{a = 1}]", "2026-01-01", '"x"', "{a = 1}", "[]"]
)
def test_an_option_of_the_wrong_type_never_crashes_the_checker(
    key: str, value: str, tmp_path: Path
) -> None:
    text = f"[options.{key}]\nvalue = {value}\nsilent = true\n"
    rulebook, problems = loader.load_with_problems(write_own(tmp_path, "uth-ma", text))
    assert rulebook.id == "own"
    assert problems or value in ("[]", '"x"', "1") or (key, value) == ("decks", "[1.5]")


def test_a_table_on_the_flop_may_depend_on_how_the_royal_was_made(tmp_path: Path) -> None:
    text = (
        "[tables.progressive.PMG-01]\nsilent = true\nrows = [\n"
        '  { when = { hand = "royal flush", made = "first five" }, pays = "700 for 1", silent = true },\n'
        '  { when = { hand = "royal flush" }, pays = "lose", silent = true },\n'
        '  { when = { hand = "flush", made = "no royal" }, pays = "40 for 1", silent = true },\n]\n'
    )
    file = write_own(tmp_path, "uth-sd", text)
    fields = {"tables": {"progressive": "PMG-01"}, "ante": "5", "progressive": "1", "play": 1}
    royal = settled(file, "Qs Js Ts 4d 4c", "2c 2d", hole="As Ks", **fields)
    assert royal.net("progressive") == "699.00"
    flush = settled(file, "Qs Js 3s 4d 4c", "2c 2d", hole="As Ks", **fields)
    assert flush.net("progressive") == "39.00"


def test_rows_that_cannot_be_read_are_one_problem(tmp_path: Path) -> None:
    """The payments of the wager are unknown, so none of them is reported as too low."""
    ref = write_own(tmp_path, "uth-ma", "[wager.trips]\npays = 3")
    assert [(p.path, p.wrong) for p in problems(ref)] == [("wager.trips.pays", "is a number")]


def test_the_advice_about_an_unknown_key_names_drop(tmp_path: Path) -> None:
    """`drop` is removed when the file is merged, but the file may have it."""
    ref = write_own(tmp_path, "uth-ma", 'drop_wagers = ["trips"]')
    (unknown,) = problems(ref)
    assert (unknown.path, unknown.wrong) == ("rulebook.drop_wagers", "unknown key")
    assert "drop" in unknown.right.replace(",", "").split()
