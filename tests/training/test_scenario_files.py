"""Scenario files of schools: read, checked, refused with sentences, and used by `houseway train`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.training import acts as a
from houseway.training.model_dealer import right_act
from houseway.training.scenarios import deck_file
from houseway.training.scenarios.deck import QUIET, ScenarioCard, ScenarioDeck
from houseway.training.scenarios.deck_file import ScenarioError, is_scenario, read_deck, shipped_decks
from houseway.training.scenarios.kinds import KINDS
from training.test_train_command import Typist, session

SCHOOL = """
[scenario]
name = "week 1"
about = "Late bets."

[[card]]
kind = "late bet"
chance = 50
rounds = [1, 3]
at = "seat 2"
says = "Wait!"

[[card]]
kind = "exposed card"
rounds = [2]
at = "dealer"
difficulty = 3
after = 2000
"""


def test_a_file_becomes_a_deck() -> None:
    late = ScenarioCard(kind="late bet", chance=50, rounds=(1, 3), at="seat 2", says="Wait!")
    exposed = ScenarioCard(kind="exposed card", rounds=(2,), at="dealer", difficulty=3, after=2000)
    assert read_deck(SCHOOL, "week1.toml") == ScenarioDeck(
        name="week 1", about="Late bets.", cards=(late, exposed)
    )


def test_the_shipped_decks_are_sound_and_name_every_kind() -> None:
    decks = shipped_decks()
    assert set(decks) == {"quiet", "practice", "busy", "every-irregularity"}
    assert decks["quiet"].cards == QUIET.cards == ()
    named = {card.kind for deck in decks.values() for card in deck.cards}
    covered = {"any irregularity", "every irregularity"}
    irregular = {kind for kind in KINDS if kind not in named and kind not in covered}
    assert covered <= named
    assert irregular <= {
        "face-up card", "card drawn in error", "premature flop", "wrong number", "wrong count",
        "device count", "shuffler jam", "machine failure",
    }  # fmt: skip


HEAD = '[scenario]\nname = "x"\n'
CARD = f'{HEAD}[[card]]\nkind = "late bet"\nchance = 10\n'
WRONG = [
    ('[[card]]\nkind = "late bet"\nchance = 5\n', "scenario.name: the scenario has no name"),
    (f"{HEAD}colour = 1\n", "scenario.colour: there is no such key; use one of about, name"),
    (f"{HEAD}abuot = 'y'\n", "scenario.abuot: there is no such key; did you mean 'about'?"),
    ("[scenario]\nname = 5\n", "scenario.name: 5 is not text"),
    (f"[scenario]\nname = '{'x' * 61}'\n", "scenario.name: the text is too long"),
    ("scenario = 3\n[[card]]\n", "scenario: it is not a table"),
    (f"{HEAD}[deck]\n", "deck: a scenario has no table 'deck'"),
    (f"{HEAD}[card]\nkind = 'late bet'\n", r"card: it is not a list of tables; write \[\[card\]\]"),
    (f"{HEAD}[[card]]\nchance = 5\n", r"card\[1\]\.kind \(line 3\): the card has no kind"),
    (
        f"{HEAD}\n[[card]]\nkind = 'late bets'\nchance = 5\n",
        r"card\[1\]\.kind \(line 5\): 'late bets' is not a kind of happening; did you mean 'late bet'\?",
    ),
    (f"{HEAD}[[card]]\nkind = ['late bet']\nchance = 5\n", r"card\[1\]\.kind \(line 4\)"),
    (f"{HEAD}[[card]]\nkind = 'late bet'\n", r"card\[1\] \(line 3\): the card never happens"),
    (f"{CARD}[[card]]\nkind = 'tip'\nchance = 101\n", r"card\[2\]\.chance \(line 8\): 101 is not a whole"),
    (f"{HEAD}[[card]]\nkind = 'tip'\nchance = 0.5\n", r"chance \(line 5\): 0.5 is not a whole number"),
    (f"{HEAD}[[card]]\nkind = 'tip'\nchance = true\n", r"chance \(line 5\): True is not a whole number"),
    (f"{CARD}difficulty = 4\n", r"difficulty \(line 6\): 4 is not a whole number from 1 to 3"),
    (f"{CARD}after = -1\n", r"after \(line 6\): -1 is not a whole number from 0 to 600,000"),
    (f"{CARD}rounds = 3\n", r"rounds \(line 6\): it must be a list of round numbers"),
    (f"{CARD}rounds = [0]\n", r"rounds \(line 6\): it must be a list of round numbers from 1 to 500"),
    (f"{CARD}at = 'table'\n", r"at \(line 6\): 'table' is not a place; use \"seat\""),
    (f"{CARD}at = 'dealer'\n", r"at \(line 6\): a player is not at the dealer"),
    (f"{CARD}at = 7\n", r"at \(line 6\): '7' is not a place"),
    (f"{CARD}says = '{'x' * 201}'\n", r"says \(line 6\): the text is too long"),
    (f"{CARD}says = 3\n", r"says \(line 6\): 3 is not text"),
    (f"{HEAD}[[card]]\nkind = 'shuffler jam'\nchance = 5\nsays = 'Oh.'\n", "is not conduct of a player"),
    (f"{CARD}run = 'rm'\n", r"card\[1\]\.run \(line 6\): there is no such key"),
    (f"{HEAD}[[card]\n", r"is not valid TOML: .*line 3"),
    (f"{HEAD}about = 'a\x1bb'\n", "invalid character"),
    (HEAD + "[[card]]\nkind = 'tip'\nchance = 1\n" * 201, "the deck has 201 cards; use at most 200"),
    (HEAD + f"x = {'[' * 60}{']' * 60}\n", "nested levels"),
    (HEAD + "#" * deck_file.MOST_BYTES, "longer than 100,000 bytes"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_bad_file_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence) as caught:
        read_deck(text, "school.toml")
    assert all(str(one).count("; ") >= 1 for one in caught.value.problems)
    assert str(caught.value).startswith("school.toml: ")


def test_every_problem_is_reported_at_once() -> None:
    text = f"{HEAD}[[card]]\nkind = 'x'\nchance = 200\nat = 1\n[[card]]\nsays = 2\n"
    with pytest.raises(ScenarioError) as caught:
        read_deck(text, "school.toml")
    paths = [problem.path for problem in caught.value.problems]
    assert paths == [
        "card[1].kind (line 4)",
        "card[1].chance (line 5)",
        "card[1].at (line 6)",
        "card[2].kind (line 7)",
        "card[2] (line 7)",
        "card[2].says (line 8)",
    ]


def test_check_recognises_scenario_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(SCHOOL)
    bad.write_text(SCHOOL.replace("late bet", "late bett"))
    assert main(["check", str(good), "busy"]) == 0
    assert capsys.readouterr().out == f"{good}: sound\nbusy: sound\n"
    assert main(["check", str(bad)]) == 1
    assert capsys.readouterr().out == (
        f"{bad}: 1 problem\n"
        "  card[1].kind (line 7)\n"
        "      'late bett' is not a kind of happening\n"
        "      did you mean 'late bet'?\n"
    )
    assert main(["check", "--json", str(bad)]) == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["scenario"], answer["sound"]) == (str(bad), False)
    # A rulebook is not taken for a scenario.
    assert not is_scenario('[rulebook]\nid = "mine"\n')


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--scenario", "bussy"], "there is no scenario or file 'bussy'; did you mean 'busy'?"),
        (["--scenario", "no\0such"], "there is no scenario or file"),
        (["--scenario", "x" * 5000], "there is no scenario or file"),
        (["--difficulty", "4"], "--difficulty must be from 1 to 3 (got 4)"),
    ],
)
def test_train_refuses_unknown_scenarios(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_train_uses_a_file_and_its_record_needs_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, record = tmp_path / "week1.toml", tmp_path / "session.jsonl"
    file.write_text(SCHOOL)
    lines = "quit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    command = ["train", "uth-sd", "--seed", "1", "--difficulty", "1"]
    assert main([*command, "--scenario", str(file), "--record", str(record)]) == 0
    assert "seed 1. Scenario: week 1." in capsys.readouterr().out
    header = json.loads(record.read_text().splitlines()[0])
    assert [card["kind"] for card in header["plan"]["scenario"]["cards"]] == ["late bet"]
    file.unlink()
    assert main(["train", "--replay", str(record)]) == 0
    file.write_bytes(b"\xff\xfe")
    assert main([*command, "--scenario", str(file)]) == 2
    assert "houseway: " in capsys.readouterr().err


def test_the_screen_stops_a_line_when_something_happens() -> None:
    """Acts of one line after the happening would be late."""
    deck = ScenarioDeck(cards=(ScenarioCard(kind="late bet", rounds=(1,), says="Wait!"),))
    stopped = []
    for seed in range(6):
        at = Typist(session("uth-ma", "manual", scenario=deck, seed=str(seed)))
        act: a.ChairAct | None = None
        while not isinstance(act, a.DealCards):
            if act is not None:
                at.session.act(act, 0)
            act = right_act(at.session.table, at.session.chair)
        lines = at.type("deal 1-3 dealer", "wait", "quit").splitlines()
        dealt = [line for line in lines if line.startswith("You dealt")]
        stopped += [(line, len(dealt)) for line in lines if line.endswith("not done.")]
        assert "You wait. Nothing happens: the table waits for you." in lines
    assert stopped
    for line, count in stopped:
        rest = "last act of this line was" if count == 3 else f"other {4 - count} acts of this line were"
        assert line == f"The {rest} not done."


def test_a_refused_bet_is_followed_by_a_right_one_on_the_screen() -> None:
    deck = ScenarioDeck(cards=(ScenarioCard(kind="wrong chips", rounds=(1,), at="seat 2"),))
    at = Typist(session("uth-ma", "manual", scenario=deck))
    printed = at.deal()
    refused = printed.index("You refused seat 2's bet.")
    assert "Seat 2 bets " not in printed[:refused]
    assert printed[refused:].splitlines()[1].startswith("Seat 2 bets ante $")
    assert "no slips" in printed


def test_the_review_says_what_the_document_does_not_say() -> None:
    deck = ScenarioDeck(cards=(ScenarioCard(kind="two hands", rounds=(1,), at="seat 1"),))
    printed = Typist(session("uth-ma", "manual", scenario=deck)).deal()
    assert "Not judged, because the document does not say: two hands, seat 1." in printed
    printed = Typist(session("uth-proc", "device", scenario=deck)).deal(
        lambda act: None if act is None or type(act).__name__ != "Warn" else ["refuse 1 bet"]
    )
    assert "Not judged" not in printed
    assert "What happened: two hands, seat 1. Due: warn seat 1. [PROC-D.2-d]" in printed


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("refuse 3", "Say what you refuse; use one of bet, decision, take-back, tip."),
        ("refuse 3 bett", "You cannot refuse \"bett\"; did you mean 'bet'?\n"),
        ("refuse 9 bet", "There is no seat 9"),
        ("refuse", "The seat is missing."),
        ("warn", "The seat is missing."),
        ("stands 3", "You did not say which wager."),
        ("stands 3 antee", 'There is no wager "antee"'),
    ],
)
def test_typed_answers_are_checked(line: str, sentence: str) -> None:
    printed = Typist(session()).type(line, "quit")
    assert sentence in printed
