"""A file that extends a rulebook: rows changed by name, parts dropped, another jurisdiction."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from houseway.rules import loader
from houseway.rules.rulebook import Rulebook
from houseway.testing import refused, settled

FLUSH: dict[str, Any] = {
    "board": "Ah 9h 6h Kc 2d",
    "dealer": "As Kd",
    "hole": "Qh 4h",
    "ante": "10",
    "play": 1,
}
LUCKY = """
[wager.lucky_flush]
looks = "hand"
beside = { value = ["ante"] }
pays = [{ when = { hand = "flush" }, pays = "12 to 1" }, { pays = "lose" }]

[pass."hands with a play wager"]
add = ["lucky_flush"]

[pass."what folded hands kept"]
add = ["lucky_flush"]
"""


def write_own(folder: Path, text: str = "", base: str = "uth-ma", head: str = "", name: str = "own") -> str:
    file = folder / f"{name}.toml"
    top = f'[rulebook]\nid = "{name}"\ntitle = "My own table"\nextends = "{base}"\n{head}\n'
    file.write_text(top + text, encoding="utf-8")
    return str(file)


def problems(ref: str) -> list[str]:
    try:
        return list(map(str, loader.load_with_problems(ref)[1]))
    except loader.RulebookError as error:
        return list(map(str, error.problems))


def passes(book: Rulebook) -> dict[str, list[str]]:
    return {walk.name: [step.wager for step in walk.steps] for walk in book.settlement}


def test_a_side_bet_is_added_to_the_passes_it_names(tmp_path: Path) -> None:
    ref = write_own(tmp_path, LUCKY)
    assert problems(ref) == []
    book, base = loader.load(ref), loader.load("uth-ma")
    assert passes(book) == passes(base) | {
        "hands with a play wager": [*passes(base)["hands with a play wager"], "lucky_flush"],
        "what folded hands kept": [*passes(base)["what folded hands kept"], "lucky_flush"],
    }
    assert book.option("offered") == [*base.option("offered"), "lucky_flush"]
    paid = settled(ref, **FLUSH, lucky_flush="1")
    assert (paid.net("lucky_flush"), paid.clause("lucky_flush")) == ("12.00", "own.own")
    # Values the file does not change keep the document's clause.
    assert paid.clause("ante") == "MA-10.b"


def test_the_error_for_an_unsettled_side_bet_names_the_pass_to_add_it_to(tmp_path: Path) -> None:
    wager = LUCKY.partition("[pass.")[0]
    hands = {"standing": "hands with a play wager", "folded": "what folded hands kept"}
    hands["held"] = hands["folded"]
    words = {"standing": "did not fold", "folded": "folded", "held": "folded but keeps its cards"}
    assert problems(write_own(tmp_path, wager)) == [
        f"wager.lucky_flush: no pass settles this wager for a hand that {words[state]}; "
        f'write the two lines [pass."{name}"] and add = ["lucky_flush"]'
        for state, name in hands.items()
    ]


def test_the_advice_about_passes_can_be_pasted(tmp_path: Path) -> None:
    wager = LUCKY.partition("[pass.")[0]
    advice = problems(write_own(tmp_path, wager))
    lines = [re.search(r"the two lines (\[.+\]) and (add = .+)$", text) for text in advice]
    pasted = dict.fromkeys("\n".join(found.groups()) for found in lines if found)
    assert len(pasted) == 2
    assert problems(write_own(tmp_path, "\n".join([wager, *pasted]))) == []


def test_a_list_of_passes_that_replaces_the_bases_passes_is_reported(tmp_path: Path) -> None:
    wager = LUCKY.partition("[pass.")[0]
    row = '[[pass]]\nname = "bonus"\nhands = ["standing", "folded", "held"]\nwagers = ["lucky_flush"]\n'
    listed = problems(write_own(tmp_path, wager + row))
    assert listed[0] == (
        "pass: [[pass]] replaces every pass of uth-ma, and the new passes do not always settle "
        "ante, blind, play, trips, progressive, cover_all, envy; "
        'write every pass, or instead of [[pass]] write the two lines [pass."hands with a play wager"] '
        'and add = ["lucky_flush"]'
    )
    assert not any("no pass settles" in problem for problem in listed)


def test_a_row_is_changed_by_its_name(tmp_path: Path) -> None:
    ref = write_own(tmp_path, '[stage."before the flop".sizes]\nvalue = [2, 3]\n')
    assert problems(ref) == []
    first, *others = loader.load(ref).stages
    assert first.sizes is not None
    assert (first.sizes.value, first.sizes.clause()) == ((2, 3), "own.own")
    assert tuple(others) == loader.load("uth-ma").stages[1:]


def test_a_step_is_added_after_another(tmp_path: Path) -> None:
    text = '[round."greet the players"]\nafter = "open the round"\nact = "note"\nsays = "Good evening."\n'
    ref = write_own(tmp_path, text)
    assert problems(ref) == []
    names = [step.name for step in loader.load(ref).procedure.round]
    assert names[names.index("open the round") + 1] == "greet the players"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[pass.envi]\nadd = ["trips"]\n', "'envi' is not a row of [[pass]]; did you mean 'envy'?"),
        ('[round."greet"]\nact = "note"\n', "'greet' is not a row of [[round]]"),
        ('[round."greet"]\nafter = "opn the round"\n', "did you mean 'open the round'?"),
    ],
)
def test_an_unknown_row_name_is_reported(text: str, message: str, tmp_path: Path) -> None:
    [problem] = problems(write_own(tmp_path, text))
    assert message in problem


def test_a_dropped_wager_disappears_from_every_list(tmp_path: Path) -> None:
    ref = write_own(tmp_path, head='drop = ["wager.progressive", "wager.envy", "wager.cover_all"]')
    assert problems(ref) == []
    book = loader.load(ref)
    assert list(book.wagers) == ["ante", "blind", "play", "trips"]
    assert set(book.tables) == {"blind", "trips"}
    assert set(passes(book)) == set(passes(loader.load("uth-ma"))) - {"envy", "Cover All"}
    assert not [step.name for step in book.procedure.round if step.pass_name in ("envy", "Cover All")]
    assert book.option("offered") == ["ante", "blind", "play", "trips"]
    assert settled(ref, **FLUSH).net("blind") == "15.00"
    seat = {"hole": "Qh 4h", "ante": "10", "play": 1, "progressive": "5"}
    [refusal] = refused(ref, "Ah 9h 6h Kc 2d", "As Kd", seat)
    assert refusal.where == "seats[0].progressive"


def test_a_table_is_dropped_or_replaced(tmp_path: Path) -> None:
    rows = '[tables.blind.blind]\nrows = { "royal flush" = "100 to 1", "flush or better" = "2 to 1" }\n'
    text = rows.replace('"flush or better"', '"flush"')
    ref = write_own(
        tmp_path, text, head='drop = ["tables.trips.A", "tables.trips.C", "tables.blind.blind"]'
    )
    # The blind table of the base is gone, so some hands have no row.
    assert any(p.startswith("tables.blind.blind.rows: no row covers") for p in problems(ref))
    whole = text.replace("}", '}\nrest = { pays = "push" }')
    ref = write_own(tmp_path, whole, head='drop = ["tables.trips.A", "tables.blind.blind"]', name="whole")
    assert problems(ref) == []
    assert list(loader.load(ref).tables["trips"]) == ["B", "C", "D"]
    assert settled(ref, **FLUSH).net("blind") == "20.00"


@pytest.mark.parametrize(
    ("drop", "message"),
    [
        ('["wager.progresive"]', "the base has no 'wager.progresive'; did you mean 'wager.progressive'?"),
        ('["wagr"]', "the base has no 'wagr'; did you mean 'wager'?"),
        ('["pass.envi"]', "the base has no 'pass.envi'; did you mean 'pass.envy'?"),
        (
            '["pass.qqqqqqqqqqqq"]',
            (
                "the base has no 'pass.qqqqqqqqqqqq'; use one of 'pass.Cover All', 'pass.envy', "
                "'pass.folds, as they happen', 'pass.hands with a play wager', 'pass.what folded hands kept'"
            ),
        ),
        ('"wager.envy"', 'is not a list of key paths; write drop = ["wager.progressive"]'),
        ("[1]", 'is not a list of key paths; write drop = ["wager.progressive"]'),
    ],
)
def test_dropping_a_missing_part_is_reported(drop: str, message: str, tmp_path: Path) -> None:
    assert problems(write_own(tmp_path, head=f"drop = {drop}")) == [f"rulebook.drop: {message}"]


# --- another jurisdiction ---

CLAUSE = '[[clause]]\nid = "PA-{n}"\nkind = "configured"\nsays = "{says}"\ncheck = "It is paid."\n\n'


def jurisdiction(folder: Path, text: str) -> str:
    folder.mkdir()
    clauses = (
        CLAUSE.format(n=1, says="A flush on the blind pays 2 to 1."),
        CLAUSE.format(n=2, says="Source."),
    )
    (folder / "clauses.toml").write_text("".join(clauses), encoding="utf-8")
    head = 'as = "jurisdiction"\nsource = { value = "Pennsylvania, 58 Pa. Code 649a", clause = "PA-2" }'
    rules = f'[rulebook]\nid = "uth-pa"\ntitle = "Pennsylvania"\nextends = "uth-ma"\n{head}\n{text}'
    (folder / "rules.toml").write_text(rules, encoding="utf-8")
    return str(folder)


def test_another_jurisdiction_cites_its_own_clauses_and_fills_the_rest(tmp_path: Path) -> None:
    line = '[tables.blind.blind.rows]\nflush = { pays = "2 to 1", clause = "PA-1" }\n'
    ref = jurisdiction(tmp_path / "uth-pa", line)
    assert problems(ref) == []
    book = loader.load(ref)
    assert (list(book.clauses), book.source.clause()) == (["PA-1", "PA-2"], "PA-2")
    paid = settled(ref, **FLUSH)
    assert (paid.net("blind"), paid.clause("blind")) == ("20.00", "PA-1")
    foreign = [basis for _, basis in book.bases() if any(c.startswith("MA-") for c in basis.deciding)]
    assert foreign
    assert all(basis.filled for basis in foreign)


def test_another_jurisdiction_is_not_bound_by_the_base_document(tmp_path: Path) -> None:
    line = '[tables.trips.B.rows]\nflush = { pays = "5 to 1", clause = "PA-1" }\n'
    assert problems(jurisdiction(tmp_path / "uth-pa", line)) == []
    assert problems(write_own(tmp_path, line.replace(', clause = "PA-1"', ""))) != []


def test_a_change_in_another_jurisdiction_needs_a_clause(tmp_path: Path) -> None:
    [problem] = problems(jurisdiction(tmp_path / "uth-pa", '[tables.blind.blind.rows]\nflush = "2 to 1"\n'))
    assert problem.startswith("tables.blind.blind.rows.flush: names no clause")


def test_another_jurisdiction_needs_clauses_and_a_source(tmp_path: Path) -> None:
    assert problems(write_own(tmp_path, head='as = "jurisdiction"')) == [
        (
            "rulebook.as: another jurisdiction must have its own clauses; "
            "write clauses.toml next to rules.toml"
        ),
        "rulebook.source: is missing; name the document that the rulebook implements",
    ]
    [problem] = problems(write_own(tmp_path, head='as = "jurisdicton"'))
    assert problem == "rulebook.as: 'jurisdicton' is not allowed; did you mean 'jurisdiction'?"


def test_a_house_extends_an_added_jurisdiction(tmp_path: Path) -> None:
    line = '[tables.blind.blind.rows]\nflush = { pays = "2 to 1", clause = "PA-1" }\n'
    jurisdiction(tmp_path / "uth-pa", line)
    with loader.added_rulebooks([str(tmp_path)]):
        ref = write_own(tmp_path, '[tables.blind.blind.rows]\nstraight = "2 to 1"\n', base="uth-pa")
        assert problems(ref) == []
        assert settled(ref, **FLUSH).clause("blind") == "PA-1"
        straight: dict[str, Any] = {
            "board": "9s 8h 7d Kc 2c",
            "dealer": "Kd Ks",
            "hole": "Jc Td",
            "ante": "10",
            "play": 1,
        }
        assert settled(ref, **straight).clause("blind") == "own.own"
        restored = loader.rulebook_from_text(loader.load(ref).text)
        assert restored.hash == loader.load(ref).hash
        assert restored.known["PA-1"].says == "A flush on the blind pays 2 to 1."


def test_rulebooks_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    write_own(tmp_path, base="two", name="one")
    write_own(tmp_path, base="one", name="two")
    with loader.added_rulebooks([str(tmp_path)]):
        assert problems("one") == [
            "rulebook.extends: 'two' itself extends this rulebook; extend another rulebook"
        ]


def test_the_error_names_a_base_rulebook_that_has_problems(tmp_path: Path) -> None:
    write_own(tmp_path, "[wagr]\n", name="one")
    ref = write_own(tmp_path, base="one", name="two")
    with loader.added_rulebooks([str(tmp_path)]):
        assert problems(ref) == ["rulebook.extends: 'one' has problems; run houseway check one"]


def test_a_wrong_name_does_not_hide_other_problems(tmp_path: Path) -> None:
    text = '[round."greet"]\nafter = "opn the round"\n[wager.ante]\nloks = "hand"\n'
    listed = problems(write_own(tmp_path, text, head='drop = ["wagers.envy"]'))
    assert [problem.partition(";")[0] for problem in listed] == [
        "rulebook.drop: the base has no 'wagers.envy'",
        "round.greet.after: 'opn the round' is not a row of [[round]]",
        "wager.ante.loks: unknown key",
    ]
    assert not any("write after" in problem for problem in listed)


def test_a_rulebook_that_extends_itself_is_refused(tmp_path: Path) -> None:
    write_own(tmp_path, base="one", name="one")
    with loader.added_rulebooks([str(tmp_path)]):
        assert problems("one") == [
            "rulebook.extends: a rulebook cannot extend itself; extend another rulebook"
        ]
