"""Hand histories: writing and reading them gives the same round or table, and a person can type them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.audit import history_rounds
from houseway.audit.entries import RecordEntry, read_entry
from houseway.audit.history import read_history, write_history
from houseway.audit.history_commands import KINDS, read_command, write_command
from houseway.audit.history_rounds import read_rounds, write_rounds
from houseway.audit.history_terms import read_terms_of, write_terms
from houseway.audit.history_text import HistoryError, LineReader
from houseway.audit.store import StoreError
from houseway.cards import cards
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine.codec import encode_command
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.rules.loader import load, rulebook_ids
from houseway.testing import random_round
from random_play import Rounds, any_command, modes_of
from record.recorded import Recorded, recorded

EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]

TYPED = """\
houseway history 1
table: uth-ma, device, trips B, progressive PTMGL01

round 12   # a Saturday night
meters: main 52,340.50
seat 1 Ann: Ah Kh, ante $10, trips 5, progressive 5, cover all 5, plays 4x
seat 2: 7c 2d, ante 10, folds
dealer: 9s 9d
flop: Qh Jh Th
turn: 2c
river: 2s
"""


# --- single rounds ---


def normal(data: dict[str, Any]) -> dict[str, Any]:
    """Return a round in a history's canonical form: a list of one amount becomes that amount."""
    seats = [
        {k: v[0] if isinstance(v, list) and len(v) == 1 and k != "hands" else v for k, v in seat.items()}
        for seat in data["seats"]
    ]
    return {**data, "seats": seats}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_random_rounds_survive_a_round_trip(rulebook: str) -> None:
    rng = Random(f"history {rulebook}")
    rounds = [random_round(rng, load(rulebook)) for _ in range(500)]
    read = [history.data for history in read_rounds(write_rounds(rounds))]
    # Rounds are compared one by one, because pytest takes long to show the difference between two long lists.
    for one, two in zip(rounds, read, strict=True):
        assert normal(one) == two
    window = Window()
    for one, two in zip(rounds[:100], read, strict=False):
        assert window.settle(one) == window.settle(two)


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_played_rounds_survive_a_round_trip(rulebook: str, mode: str) -> None:
    played_data = [played.data() for played in Rounds(rulebook, mode, "told", irregular=0.05).play(60)]
    rounds = [data for data in played_data if data is not None and data["seats"]]
    assert len(rounds) > 30
    assert [normal(data) for data in rounds] == [
        history.data for history in read_rounds(write_rounds(rounds))
    ]


def test_a_history_that_drops_cents_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = history_rounds._amounts
    monkeypatch.setattr(history_rounds, "_amounts", lambda stake: honest(stake).replace(".50", ""))
    with pytest.raises(AssertionError):
        test_random_rounds_survive_a_round_trip("uth-sd")


def test_a_typed_history_is_settled() -> None:
    (history,) = read_rounds(TYPED)
    assert history.name == "12"
    answer = Window().settle(history.data)
    assert isinstance(answer, Settlement)
    # A royal flush pays the blind 500 to 1 and takes the whole meter (MA-10.c, MA-13.e).
    paid = {(line.seat, line.wager): line.net for line in answer.lines}
    assert paid[1, "blind"] == "5000.00"
    assert paid[1, "play"] == "40.00"
    assert paid[1, "progressive"] == "52335.50"
    assert paid[2, "ante"] == "-10.00"


def test_a_texas_shootout_history_is_settled() -> None:
    text = """\
houseway history 1
table: shootout-sd, bonus A
house: rounding down
round 1
seat 1: As Ad Kh Kd, wager 10, bonus 5 / 5, splits As Ad / Kh Kd
seat 2 player 2: 2c 3d 4h 5s, wager 10, keeps 4h 5s
dealer: Qs Qd 7c 2h, keeps Qs 7c
board: 9c 8d 3s 6h Jc
"""
    (history,) = read_rounds(text)
    assert history.data["dealer_keeps"] == "Qs 7c"
    assert history.data["seats"][0]["hands"] == ["As Ad", "Kh Kd"]
    assert history.data["seats"][0]["bonus"] == ["5", "5"]
    assert history.data["seats"][1]["player"] == "player 2"
    answer = Window().settle(history.data)
    assert isinstance(answer, Settlement)
    # A pair of aces beats queen high, the hand the dealer kept.
    assert [line.net for line in answer.lines if line.wager == "wager" and line.seat == 1] == [
        "10.00",
        "10.00",
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "where", "expected"),
    [
        ("houseway history 1", "houseway history 2", (1, 1), "'houseway history 1'"),
        ("table: uth-ma", "tabel: uth-ma", (2, 1), "'table:'"),
        ("table: uth-ma, device", "table: uth-ma, , device", (2, 16), "a deal mode"),
        ("round 12", "rund 12", (4, 1), "'round'"),
        ("main 52,340.50", "main ?", (5, 14), "an amount such as 7.50"),
        ("seat 1 Ann:", "seat one:", (6, 6), "the number of a seat"),
        ("seat 1 Ann: Ah Kh", "seat 1 Ann, Ah Kh", (6, 11), "':'"),
        ("Ah Kh, ante", "Ah Kz, ante", (6, 16), "the end of the line"),
        ("Ah Kh, ante", "the ace, ante", (6, 13), "the seat's cards"),
        ("ante $10", "ante ten", (6, 28), "an amount such as 7.50"),
        ("plays 4x", "plays big", (6, 73), "how many times the ante"),
        ("7c 2d, ante 10, folds", "7c 2d, ante 10, folds 3", (7, 31), "the end of the line"),
        ("dealer: 9s 9d", "daeler: 9s 9d", (8, 1), "'dealer:'"),
        ("dealer: 9s 9d\n", "", (10, 1), "the dealer of round 12"),
        ("main 52,340.50", "", (5, 9), "a meter such as main"),
        ("main 52,340.50", "main 1, main 2", (5, 17), "'main' is given twice"),
        ("meters:", "meters: main 1\nmeters:", (6, 1), "'meters' is given twice"),
        ("dealer:", "dealer: 2h 3h\ndealer:", (9, 1), "'dealer' is given twice"),
        ("ante $10, trips 5", "ante $10, ante 5", (6, 30), "'ante' is given twice"),
        ("trips 5", "tip ante 1, tip ante 2", (6, 42), "'ante' is given twice"),
        ("10, folds", "10, coupon 5, coupon 6", (7, 35), "'coupon' is given twice"),
        ("folds", "folds, plays 4x", (7, 32), "'play' is given twice"),
        ("folds", "keeps 7c 2d, splits 7c / 2d", (7, 38), "'hands' is given twice"),
        ("folds", "tips 5, tip ante 1", (7, 25), "'tips' is not a wager"),
        ("folds", "hole 5", (7, 25), "'hole' is not a wager"),
        ("device", "device, manual", (2, 24), "'mode' is given twice"),
        ("trips B", "trips A, trips B", (2, 33), "'trips' is given twice"),
        ("trips B", "trips B, tables none", (2, 33), "'tables' is given twice"),
        ("\n\n", "\nlimits: ante from 5, ante from 6\n", (3, 22), "'ante' is given twice"),
        ("\n\n", "\nhouse: seats 6, seats 5\n", (3, 17), "'seats' is given twice"),
        ("\n\n", "\nhouse: seats 6\nhouse: rounding up\n", (4, 1), "'house' is given twice"),
        ("\n\n", '\ngiven: {"mode": "manual"}\n', (3, 1), "'mode' is given twice"),
    ],
)
def test_errors_name_line_and_column(was: str, becomes: str, where: tuple[int, int], expected: str) -> None:
    assert was in TYPED
    with pytest.raises(HistoryError) as raised:
        read_rounds(TYPED.replace(was, becomes, 1))
    assert (raised.value.line, raised.value.column) == where, raised.value
    assert expected in str(raised.value)


# --- the history of a table ---


def replay_history(playing: Recorded) -> tuple[list[RecordEntry], str]:
    """Check that the history of a record replays to the same events. Return the record's entries and the history."""
    lines = list(write_history(playing.house.store, playing.stream))
    text = "\n".join(lines) + "\n"
    table, steps = read_history(text)
    entries = [read_entry(stored) for stored in playing.house.store.entries(playing.stream)][: len(steps)]
    assert [step.command for step in steps] == [entry.command for entry in entries]
    for step, entry in zip(steps, entries, strict=True):
        assert [encode_command(event) for event in step.events] == [
            encode_command(event) for event in entry.events
        ]
    assert table.book.hash == playing.book.hash
    return entries, text


@pytest.mark.parametrize("irregular", [0, 0.15])
@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_a_history_replays_byte_for_byte(rulebook: str, mode: str, irregular: float) -> None:
    for seed in range(3):
        playing = recorded(rulebook, mode, 6, seed=f"history {seed}", irregular=irregular)
        entries, _ = replay_history(playing)
        assert len(entries) > 60


def test_a_history_omits_routine_steps() -> None:
    playing = recorded("uth-ma", "device", 5, seed="routine", irregular=0, by_hand=0)
    entries, text = replay_history(playing)
    assert len(text.splitlines()) < len(entries)
    assert "dealer ... close the round\n# round 1: seat" in text


def test_every_command_has_a_line() -> None:
    rng = Random("lines")
    playing = recorded("uth-ma", "manual", 1, seed="lines", irregular=0)
    kinds = set()
    for _ in range(2000):
        command = any_command(rng, playing.table, playing.state)
        answer = decide(playing.table, playing.state, command)
        if isinstance(answer, Refusal) and answer.code == "bad-command":
            continue
        kinds.add(type(command))
        assert read_command(LineReader(1, write_command(command))) == command
    # Only the server sends this command, to read a linked meter.
    assert kinds == set(KINDS.values()) - {c.SyncMeters}


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (c.Sit(by="seat 1", seat=1, player="Ann", chips=100_000), "seat 1 Ann: sits with 1000"),
        (c.Bet(by="seat 1", seat=1, wagers={"ante": 1000, "cover_all": 550}, tips={"ante": 200}, form="cash"),
         "seat 1 bets ante 10, cover all 5.50; tips ante 2; in cash"),
        (c.Play(seat=2, times=4), "seat 2 plays 4x (by dealer)"),
        (c.Split(by="seat 3", seat=3, first=cards("As Ad"), second=cards("Kh Kd"), bonus=500),
         "seat 3 splits As Ad / Kh Kd, bonus 5"),
        (c.Perform(step="cut the cards", count=26, name="machine"),
         "dealer: cut the cards; count 26; name machine"),
        (c.Perform(step="deal the flop", cards=cards("Ad Kc 3d")), "dealer: deal the flop: Ad Kc 3d"),
        (c.ChangeMinimum(by="floor", wager="ante", amount=1000, notice="surveillance"),
         "do change minimum: wager ante, amount 10, notice surveillance (by floor)"),
        (c.Mispay(seat=1, wager="ante", amount=-50), "do mispay: seat 1, wager ante, amount -0.50"),
        (c.Sit(by="seat 1", seat=1, player='Ann, "the hand"', chips=1), r'seat 1 "Ann, \"the hand\"": sits with 0.01'),
        (c.Approve(by="supervisor"), "do approve (by supervisor)"),
        (c.Approve(by="floor", name="Ann Lee"), "do approve: name Ann Lee (by floor)"),
    ],
)  # fmt: skip
def test_a_line_is_read_as_its_command(command: c.Command, line: str) -> None:
    assert write_command(command) == line
    assert read_command(LineReader(1, line)) == command


@pytest.mark.parametrize(
    ("line", "column", "part"),
    [
        ("seat 1 Ann: sits with 500 with 5", 27, "chips"),
        ("seat 2 plays 4x, tip 1, tip 2", 23, "tip"),
        ("seat 3 splits Ah Kd / 2c 2d, bonus 5, bonus 9", 37, "bonus"),
        ("seat 1 bets ante 10, ante 5", 22, "ante"),
        ("seat 1 bets cover all 10, trips 5, cover all 5", 36, "cover all"),
        ("seat 1 bets ante 10; tips ante 1, ante 2", 35, "ante"),
        ("seat 1 bets ante 10; tips ante 1; tips ante 2", 33, "tips"),
        ("seat 1 bets ante 10; coupon 5; in cash; coupon 6", 39, "coupon"),
        ("seat 1 bets ante 10; in cash; in chips", 29, "form"),
        ("dealer: deal the flop: Ah Kd: 2c", 29, "cards"),
        ("dealer: cut the cards; count 26; count 27", 32, "count"),
        ("dealer: cut the cards; name Ann; name Bob", 32, "name"),
        ("do mispay: seat 1, wager ante, amount 5, amount 50", 42, "amount"),
        ("do open table: cover_cards one, cover cards two", 33, "cover cards"),
    ],
)
def test_a_part_of_a_command_given_twice_is_refused(line: str, column: int, part: str) -> None:
    with pytest.raises(HistoryError) as raised:
        read_command(LineReader(7, line))
    assert str(raised.value) == f"line 7, column {column}: {part!r} is given twice; keep only one"


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("do go idle:", 11, "go idle has no fields; remove the ':'"),
        ("do go idle: (by floor)", 11, "go idle has no fields; remove the ':'"),
        ("do hold seat:", 14, "expected one of seat, until, name, found the end of the line"),
        ("do open table: (by floor)", 16, "expected one of designated, designated by, backs, "),
        ("seat 2 keeps none", 14, "expected cards such as Ah Kd, found 'none'"),
        ("seat 2 keeps", 13, "expected cards such as Ah Kd, found the end of the line"),
        ("seat 2 splits none / Ah Kd", 15, "expected cards such as Ah Kd, found 'none / Ah Kd'"),
        ("seat 2 splits Ah Kd / none", 23, "expected cards such as Ah Kd, found 'none'"),
        ("dealer: deal the flop: none", 24, "expected cards such as Ah Kd, found 'none'"),
        ("seat 1 bets ante 10; tips", 26, "expected a wager such as ante, found the end of the line"),
    ],
)
def test_a_list_that_may_not_be_empty_is_refused(line: str, column: int, message: str) -> None:
    with pytest.raises(HistoryError) as raised:
        read_command(LineReader(7, line))
    assert str(raised.value).startswith(f"line 7, column {column}: {message}")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("seat 1 bets", c.Bet(by="seat 1", seat=1, wagers={})),
        ("seat 1 bets; coupon 5", c.Bet(by="seat 1", seat=1, wagers={}, coupon=500)),
        ("do keep: seat 2, cards none", c.Keep(by="seat 2", seat=2, cards=())),
        ("do recut (by floor)", c.Recut(by="floor")),
        ("do recut: name Flo (by supervisor)", c.Recut(by="supervisor", name="Flo")),
    ],
)
def test_an_optional_part_may_be_left_out(line: str, command: c.Command) -> None:
    assert read_command(LineReader(1, line)) == command
    assert write_command(command) == line


@pytest.mark.parametrize(
    "terms",
    [
        {"mode": "device"},
        {"tables": {}},
        {"limits": {}, "house": {}},
        {"limits": {"ante": {"min": 5}}},
        {
            "house": {
                "seats": 6,
                "rounding": "no",
                "reserve": {"main": "1"},
                "match_play": True,
                "odd": None,
            }
        },
        {"mode": "by, post", "tables": {"trips": "A B"}},
    ],
)
def test_terms_survive_a_round_trip(terms: dict[str, Any]) -> None:
    assert read_terms_of(write_terms("uth-ma", terms)) == {"rulebook": "uth-ma", **terms}


def test_a_refused_line_is_named() -> None:
    playing = recorded("uth-ma", "manual", 1, seed="refused", irregular=0, by_hand=0)
    lines = list(write_history(playing.house.store, playing.stream))
    at = next(n for n, line in enumerate(lines) if line.startswith("dealer: deal the first card"))
    lines.insert(at, "seat 1 folds")
    with pytest.raises(HistoryError, match="the rules refuse this") as raised:
        read_history("\n".join(lines))
    assert raised.value.line == at + 1


def test_a_history_under_another_rulebook_is_refused() -> None:
    playing = recorded("uth-card", "device", 1, seed="other", irregular=0)
    text = "\n".join(write_history(playing.house.store, playing.stream))
    with pytest.raises(HistoryError, match="another version of uth-card"):
        read_history(text.replace(playing.book.hash, "0" * 64))
    with pytest.raises(HistoryError, match="'uth-crd'"):
        read_history(text.replace("table: uth-card", "table: uth-crd"))


def test_a_record_without_hidden_cards_has_no_history() -> None:
    playing = recorded("uth-sd", "manual", 1, seed="sealed", irregular=0)
    record = playing.house.store._records["table:1"]  # type: ignore[attr-defined]
    record.entries = [type(s)(s.seq, s.count, s.key, s.public, b"", s.chain) for s in record.entries]
    with pytest.raises(StoreError, match="but hidden cards are missing"):
        list(write_history(playing.house.store, playing.stream))


def test_a_history_ends_with_the_last_closed_round() -> None:
    playing = recorded("uth-sd", "manual", 2, seed="open", irregular=0, by_hand=0)
    expected = list(write_history(playing.house.store, playing.stream))
    while not playing.state.round.looking:
        playing.step()
    assert list(write_history(playing.house.store, playing.stream)) == expected


# --- invalid texts ---


def mutate(rng: Random, text: str) -> str:
    """Return a text with random damage."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 1, 3, 20)))
        lines = text.split("\n")
        match rng.randrange(5):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + rng.choice('0aA:,;/"#$(){}[]-.x\t \x00é\\') + text[at:]
            case 2:
                text = text[:at] + text[at:end] * 3 + text[end:]
            case 3:
                n, m = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[n], lines[m] = lines[m], lines[n]
                text = "\n".join(lines)
            case _:
                text = text[:at] + str(10 ** rng.randrange(40)) + text[end:]
    return text


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_damaged_rounds_raise_only_history_errors(rulebook: str) -> None:
    rng = Random(f"mutated {rulebook}")
    window = Window()
    text = write_rounds([random_round(rng, load(rulebook)) for _ in range(3)])
    refused = []
    for _ in range(1500):
        try:
            for history in read_rounds(mutate(rng, text)):
                window.settle(history.data)
        except HistoryError as error:
            refused.append((error.line, error.column))
    assert len(refused) > 500
    assert min(refused) >= (1, 1)


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_damaged_table_histories_raise_only_history_errors(rulebook: str, mode: str) -> None:
    rng = Random(f"mutated {rulebook} {mode}")
    playing = recorded(rulebook, mode, 2, seed="mutated", irregular=0.1)
    text = "\n".join(write_history(playing.house.store, playing.stream))
    refused = 0
    for _ in range(60):
        try:
            read_history(mutate(rng, text))
        except HistoryError:
            refused += 1
    assert refused > 20


# --- the command ---


def test_the_command_settles_a_typed_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rounds.hh"
    file.write_text(TYPED, encoding="utf-8")
    assert main(["audit", "history", str(file)]) == 0
    out = capsys.readouterr().out
    assert "royal flush" in out
    assert "+5000.00" in out
    assert main(["audit", "history", str(file), "--json"]) == 0
    (settlement,) = json.loads(capsys.readouterr().out)
    assert settlement["answer"]["seats"][1]["net"] == "-20.00"
    file.write_text(TYPED.replace("trips 5", "trps 5"), encoding="utf-8")
    assert main(["audit", "history", str(file)]) == 2
    assert "line 6: unknown key 'trps'; did you mean 'trips'?" in capsys.readouterr().err
    file.write_text(TYPED.replace("Qh Jh Th", "Qh Jh Tx"), encoding="utf-8")
    assert main(["audit", "history", str(file)]) == 2
    assert f"{file}, line 9, column 13: expected" in capsys.readouterr().err
    file.write_bytes(b"\xff\xfe")
    assert main(["audit", "history", str(file)]) == 2
    assert "is not UTF-8 text" in capsys.readouterr().err


def test_the_command_replays_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from houseway.audit.export import export_lines

    playing = recorded("uth-proc", "device", 2, seed="command", irregular=0)
    record, text = tmp_path / "record.jsonl", tmp_path / "table.hh"
    record.write_bytes(b"".join(export_lines(playing.house.store, playing.stream, "surveillance")))
    arguments = ["audit", "export", str(record), "--format", "history"]
    assert main(arguments) == 2
    assert "add --as surveillance" in capsys.readouterr().err
    assert main([*arguments, "--as", "surveillance", "-o", str(text)]) == 0
    assert main(["audit", "history", str(text)]) == 0
    assert capsys.readouterr().out.endswith("commands replayed, 2 rounds finished.\n")
    assert main(["audit", "history", str(text), "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert [r["round"] for r in output["rounds"]] == [1, 2]
