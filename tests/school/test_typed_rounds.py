"""Typed hands: a CSV file or a hand history gives the same rounds as the table; a bad file names every bad row."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

from discovered import ULTIMATE
from houseway.audit.history_rounds import write_rounds
from houseway.audit.history_text import HistoryError
from houseway.cards import DECK, codes
from houseway.engine.terms import Terms, read_terms
from houseway.money import dollars
from houseway.rules.loader import load
from houseway.school import typed_csv
from houseway.school.game_values import game_values
from houseway.school.play_summary import summarize
from houseway.school.played_rounds import PlayedRound
from houseway.school.recorded_rounds import rounds_in_history
from houseway.school.round_review import review_rounds
from houseway.school.typed_csv import ImportRefusedError, RowProblem, read_csv
from samples import LONG
from school.rounds import SHOOTOUT, random_table, rounds_of

TERMS: dict[str, Terms] = {}
HEAD = "rulebook,hole,board,dealer,play,ante\n"
UNKNOWN = (
    "row 6, rulebook: there is no rulebook or file 'uth-xx'; did you mean 'uth-sd'? "
    "(`houseway rulebooks` lists them)"
)
ROUND = "uth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x,10\n"


def terms_of(rulebook: str) -> Terms:
    if rulebook not in TERMS:
        TERMS[rulebook] = read_terms(load(rulebook), {})[0]
    return TERMS[rulebook]


def problems(text: str) -> list[str]:
    with pytest.raises(ImportRefusedError) as caught:
        read_csv(text, terms_of)
    return [str(problem) for problem in caught.value.problems.first]


def row_of(rulebook: str, played: PlayedRound, dealer: str) -> str:
    last = played.decisions[-1]
    choice = last.choice.removeprefix("keep ").removeprefix("split ")
    board = codes(played.outcome.board) if played.outcome else ""
    return f"{rulebook},{codes(last.hole)},{board},{dealer},{choice},{dollars(played.stake)}\n"


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_a_typed_hand_is_the_hand_that_was_played(rulebook: str) -> None:
    """The rounds of a table, typed into a CSV file, have the same decisions and the same results."""
    for played in rounds_of(random_table(rulebook, 25, seed=31)):
        assert played.outcome is not None
        text = HEAD + row_of(rulebook, played, codes(played.outcome.dealer))
        ((terms, typed),) = read_csv(text, terms_of)
        assert terms is TERMS[rulebook]
        assert typed.decisions == played.decisions
        assert typed.stake == played.stake
        assert typed.outcome is not None
        main = {(w.wager, w.stake, w.net) for w in played.outcome.wagers if w.wager != "trips"}
        assert {(w.wager, w.stake, w.net) for w in typed.outcome.wagers} == main


def test_four_typed_cards_are_kept_or_split() -> None:
    text = (
        "rulebook,hole,board,dealer,play\n"
        f"{SHOOTOUT},As Ad Kh Kd,2c 3c 7d 8d 9s,Qd Ts 4c 4d,As Ad / Kh Kd\n"
        f"{SHOOTOUT},As Kd Qh 2d,2c 3c 7d 8d 9s,Qd Ts 4c 4d,Kd As\n"
    )
    (_, split), (_, kept) = read_csv(text, terms_of)
    assert split.decisions[0].choice == "split As Ad / Kh Kd"
    assert len(split.decisions[0].choices) == 9
    assert kept.decisions[0].choice == "keep As Kd"
    assert len(kept.decisions[0].choices) == 6
    assert split.outcome is not None
    assert [w.net for w in split.outcome.wagers] == [1000, 1000]


def test_a_hand_history_has_the_same_rounds() -> None:
    seat: dict[str, Any] = {"seat": 1, "hole": "Jd 3c", "ante": "10", "play": 1}
    data = {"rulebook": "uth-ma", "seats": [seat], "dealer": "Qd Ts", "board": "Jh 9c 8h 5s 2d"}
    ((_, history),) = rounds_in_history(write_rounds([data]))
    ((_, typed),) = read_csv(HEAD + ROUND, terms_of)
    assert history == typed
    with pytest.raises(HistoryError, match="twice"):
        list(rounds_in_history(write_rounds([{**data, "dealer": "Jd Ts"}])))


def test_every_bad_row_is_named_and_nothing_is_imported() -> None:
    found = problems(
        HEAD
        + ROUND
        + ROUND.replace("1x", "5x")
        + ROUND.replace("1x", "raise")
        + ROUND.replace("Jd 3c", "Jd")
        + ROUND.replace("uth-ma", "uth-xx")
        + ROUND.replace("\n", ",9\n")
        + ROUND.replace("1x", "")
        + ROUND.replace("Qd Ts", "Jd Ts")
        + ROUND.replace("10", "ten")
        + "\n"
        + ROUND
    )
    assert found == [
        "row 3, play: play must be 4, 3, 2 or 1 times the ante, or 0 for a fold (got 5)",
        "row 4, play: write 4x, 3x, 2x, 1x or fold (got 'raise')",
        "row 5, hole: hole must have 2 cards, not 1",
        UNKNOWN,
        "row 7: the row has 7 cells, but there are 6 columns; quote a cell that contains a comma",
        "row 8, play: the cell is empty; fill it in",
        "row 9, hole: the jack of diamonds (Jd) appears twice, but the deck has only one",
        "row 10, ante: 'ten' is not an amount; write dollars with up to two decimals, such as 7.50",
    ]


def test_a_header_that_does_not_fit_is_explained() -> None:
    assert problems("hole,board,dealer\n") == [
        "row 1, rulebook: the column rulebook is missing; add it",
        "row 1, play: the column play is missing; add it",
    ]
    assert "there is no such column" in problems("rulebook,hole,board,dealer,play,antes\n")[0]
    assert "twice" in problems("rulebook,hole,hole,board,dealer,play\n")[0]
    assert problems(HEAD) == ["row 2: the file has no hands; write one in each row"]
    assert problems(HEAD + '"uth-ma') == [
        "row 2: the row is not CSV (unexpected end of data); check its quotes"
    ]
    assert len(problems("")) == 5


def test_the_number_of_rounds_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_csv, "MOST_ROUNDS", 3)
    assert len(read_csv(HEAD + ROUND * 3, terms_of)) == 3
    assert problems(HEAD + ROUND * 4) == ["row 5: a file can have at most 3 rounds"]


def test_wrong_rows_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    with pytest.raises(ImportRefusedError, match="50 more problems") as caught:
        read_csv(HEAD + "x\n" * 150, terms_of, each_row=lambda: steps.append(1))
    assert (len(caught.value.problems.first), caught.value.problems.more) == (100, 50)
    assert len(steps) == 150
    monkeypatch.setattr(typed_csv, "MOST_ROUNDS", 3)
    assert problems(HEAD + "x\n" * 90)[3:] == ["row 5: a file can have at most 3 rounds"]
    assert len(problems(",".join(f"c{n}" for n in range(5_000)))) == 100


def test_any_text_is_imported_or_refused_with_rows() -> None:
    rng = Random(5)
    cells = [
        "uth-ma",
        "Jd 3c",
        "Jh 9c 8h 5s 2d",
        "Qd Ts",
        "1x",
        "10",
        "",
        "x",
        '"',
        "\x00",
        "é",
        "99999999999999",
        "-1",
    ]
    refused: list[RowProblem] = []
    for _ in range(2_000 if LONG else 300):
        text = HEAD + "".join(",".join(rng.choices(cells, k=6)) + "\n" for _ in range(3))
        try:
            read_csv(text, terms_of)
        except ImportRefusedError as error:
            refused += error.problems.first
    assert all(problem.row >= 1 and problem.sentence for problem in refused)
    assert len(refused) > 100


def test_a_thousand_rounds_are_reviewed_in_five_seconds() -> None:
    """Of processor time, once the game is solved; the limit of a decision is 10 ms."""
    rng = Random(6)
    rows = []
    for _ in range(1_000):
        dealt = [str(card) for card in rng.sample(DECK, 9)]
        play = rng.choice(["4x", "2x", "1x", "fold"])
        rows.append(
            f"uth-ma,{' '.join(dealt[:2])},{' '.join(dealt[2:7])},{' '.join(dealt[7:])},{play},10\n"
        )
    game = game_values(terms_of("uth-ma"))
    ((_, first),) = read_csv(HEAD + rows[0], terms_of)
    review_rounds(game, [first])
    started = time.process_time()
    reviews = review_rounds(game, [played for _, played in read_csv(HEAD + "".join(rows), terms_of)])
    summary = summarize(reviews, game.variance)
    taken = time.process_time() - started
    assert summary.rounds == 1_000
    assert taken < 5
    assert taken / summary.decisions < 0.01
