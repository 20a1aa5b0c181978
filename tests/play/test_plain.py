"""Plain mode: reviewed transcripts, rejections, resuming after a kill, JSON, following a real table."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.chain import Fault
from houseway.cli import main
from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from houseway.play.in_process import LocalTable
from houseway.play.plain_screen import play
from houseway.play.wager_words import clause_text, seal_text
from houseway.rules.loader import load
from play.tables import BOOKS, StubCheck, golden, live_of, open_seeded, report, transcript

ULTIMATE = (
    "bet ante 10 trips 5 {sides}",
    "",
    "fold",
    "check",
    "check",
    "1x",
    "?",
    "history",
    "quit",
)
SIDES = {"uth-ma": "progressive cover all 5", "uth-sd": "progressive 1", "uth-card": "", "uth-proc": ""}
SHOOTOUT = ("bet ante 5", "bet wager 10 bonus 5", "deal", "check", "keep {kept}", "history", "quit")


@pytest.mark.parametrize("book", sorted(SIDES))
def test_a_round_of_ultimate_matches_its_transcript(book: str) -> None:
    lines = [line.format(sides=SIDES[book]) for line in ULTIMATE]
    golden(f"{book}.txt", transcript(book, *lines))


def test_a_round_of_shootout_matches_its_transcript() -> None:
    lines = [line.format(kept="8s 8s") for line in SHOOTOUT]
    golden("shootout-sd.txt", transcript("shootout-sd", *lines))


@pytest.mark.clause("TS-12-d")
@pytest.mark.parametrize("chair", [{}, {"shadow": True, "seed": "", "bots": 0}, {"dealer": "person"}])
def test_the_arranged_flop_is_shown_from_the_dealers_left(chair: dict[str, Any]) -> None:
    lines: tuple[str, ...] = ("bet wager 10", "deal", "keep 8s 8s", "quit")
    if chair.get("shadow"):
        lines = ("bet wager 10", "deal", "Ah Ad", "Kc Qd 3h 2s", "", "4c Ks 4d 9h Kd", "quit")
    elif chair:
        lines = (*("",) * 40, "quit")
    text = transcript("shootout-sd", *lines, **chair)
    (arranged,) = re.findall(r"The dealer arranges the board as .* \((.*)\)\. \[TS-12-d\]", text)
    if chair.get("shadow"):
        assert arranged == "Ks Kd 4c 4d 9h"
    assert len(arranged.split()) == 5


def test_a_split_in_shootout_matches_its_transcript() -> None:
    lines = ("bet wager 10 bonus 5", "", "split bonus", "quit")
    golden("shootout-sd-split.txt", transcript("shootout-sd", *lines, seed="33"))


@pytest.mark.clause("TS-9-a")
@pytest.mark.parametrize("typed", ["split", "s", "split 8s 8s", "split 8s 8s / 4c 5d"])
def test_a_split_that_is_not_allowed_is_refused_with_its_clause(typed: str) -> None:
    text = transcript("shootout-sd", "bet wager 10", "deal", typed, "quit")
    refused = "you can only split two pair or four of a kind, not 8s 4c 5d 8s; keep two cards. [TS-9-a]"
    assert f"Not allowed: {refused}" in text


@pytest.mark.clause("TS-9-d")
@pytest.mark.parametrize(("typed", "taken"), [("5", False), ("$15", False), ("10", True), ("", True)])
def test_a_second_wager_that_differs_from_the_first_is_refused(typed: str, taken: bool) -> None:
    text = transcript("shootout-sd", "bet wager 10", "", f"split {typed}", "quit", seed="33")
    wrong = f"the second wager (${typed.removeprefix('$')}) must equal the first ($10). [TS-9-d]"
    assert (wrong in text) is not taken
    assert ("with $10 on the second hand" in text) is taken


@pytest.mark.parametrize("typed", ["1 2", "4x tip", "play", "play 1 2", "keep"])
def test_a_player_with_four_cards_is_told_how_to_keep_two(typed: str) -> None:
    text = transcript("shootout-sd", "bet wager 10", "deal", typed, "quit", bots=0)
    (dealt,) = re.findall(
        r'\nName two of your four cards \((.*)\): type "keep (?:.*)", for example\.\n', text
    )
    first = " ".join(dealt.split()[:2])
    assert f'type "keep {first}"' in text
    assert " to play" not in text
    assert "times the ante" not in text


def test_a_hint_about_a_play_names_a_size_that_is_offered_now() -> None:
    text = transcript("uth-ma", "bet ante 10", "", "check", "play", "4x now", "2x", "quit", bots=0)
    assert '\nHow many times the ante? Type "play 2x", for example.\n' in text
    assert '\nType "2x" to play.\n' in text
    assert "You play 2x, $20." in text


def test_a_clause_of_another_document_is_marked_as_borrowed() -> None:
    text = transcript("uth-sd", "clause MA-1.round", "clause SD-2-a")
    assert "Borrowed, because uth-sd does not cover this:" in text
    assert text.count("Borrowed, because") == 1


def test_the_house_way_can_be_read_at_any_time() -> None:
    text = transcript("shootout-sd", "way", "quit")
    assert "The house way: list published by 4flush.com, version 1" in text
    assert "1   pair of eights or higher" in text
    assert "14  any other" in text
    assert "This game has no house way" in transcript("uth-ma", "way", "quit")


def test_a_dealer_in_training_may_break_the_house_way() -> None:
    steps = (*("next",) * 23, "keep 2s 5d", "next", "steps", "quit")
    text = transcript("shootout-sd", *steps, dealer="person", seed="7")
    assert "The dealer keeps two of spades, five of diamonds" in text
    assert "; by the house way the dealer would keep " in text
    assert "Next step: deal the flop. Or type: set the dealer's hand again by the house way." in text


def test_the_dealers_chair_rejects_steps_out_of_order() -> None:
    acts = ("next",) * 13
    text = transcript(
        "uth-ma", *acts, "do settle the hands", "settle the hand", "quit",
        mode="manual", dealer="person", floor="Flo",
    )  # fmt: skip
    assert "Not yet: the next step is to announce “no more bets”. [MA-7.b]" in text
    assert "There is no step or command 'settle the hand'. Did you mean 'settle the hands'?" in text


def test_the_script_is_printed_before_its_step() -> None:
    text = transcript("uth-ma", *("",) * 30, dealer="person", floor="Flo")
    script = text.index("Dealer's script: Expose the first three community cards: the flop.")
    assert script < text.index("Next step: expose the flop.") < text.index("\nFlop: ")
    assert text.count("Expose the first three community cards") == 1
    assert text.index("Say: “No more bets.”") < text.index("Next step: announce “no more bets”.")
    text = transcript("uth-ma", "bet ante 10", "", "check", "quit")
    assert text.index("Expose the first three community cards") < text.index("\nFlop: ")


def test_the_script_of_a_settlement_is_printed_before_it() -> None:
    lines = transcript("uth-ma", "bet ante 10 trips 5", "", "4x", "quit").splitlines()
    (order,) = (n for n, line in enumerate(lines) if "one player at a time: turn up the cards" in line)
    settled = [
        n for n, line in enumerate(lines) if " of $" in line and ("loses." in line or "wins" in line)
    ]
    shown = [n for n, line in enumerate(lines) if re.match("(You show|Ines shows|Otto shows) ", line)]
    assert settled
    assert order < min(shown) < min(settled)


def test_a_dealer_who_types_a_players_word_gets_an_explanation() -> None:
    text = transcript("uth-ma", "bet ante 10", "help", "rulng", "leave", dealer="person", floor="Flo")
    assert 'You are the dealer, so you cannot bet. Type "steps" for your steps.' in text
    assert "rebet" not in text
    assert "There is no step or command 'rulng'. Did you mean 'ruling'?" in text
    assert "Ines leaves with $1,000.00." in text


def test_words_of_other_games_are_explained() -> None:
    text = transcript("uth-ma", "seat 2", "next", "reset", "floor Flo", "stand up", "bet ante 5", "quit")
    assert '"seat" works only with --positions or --shadow.' in text
    assert '"next" works only with --dealer person.' in text
    assert '"reset" works only with --shadow.' in text
    assert "Only a dealer or a supervisor can do this." in text
    assert "Not allowed: you are standing; sit down to bet. [MA-6.e-a]" in text
    assert "report" not in transcript("uth-ma", "help", "quit")


CLOSED = {
    "uth-ma": ("bet trips 5", "[MA-6.b-a]", "bet ante 20", "[MA-6.b-b]"),
    "uth-sd": ("bet trips 5", "[MA-6.b-a, borrowed]", "bet ante 20", "[MA-6.b-b, borrowed]"),
    "uth-card": ("bet trips 5", "[MA-6.b-a, borrowed]", "bet ante 20", "[MA-6.b-b, borrowed]"),
    "uth-proc": ("bet trips 5", "[MA-6.b-a, borrowed]", "bet ante 20", "[MA-6.b-b, borrowed]"),
    "shootout-sd": ("bet bonus 5", "[TS-7-a]", "bet wager 20", "[TS-7-a]"),
}
"""The bets that are refused after betting has closed, a new wager and a raise, with the clause of each refusal."""


@pytest.mark.clause("MA-6.b-a", "MA-6.b-b", "TS-7-a")
@pytest.mark.parametrize("book", CLOSED)
def test_a_bet_after_betting_has_closed_cites_its_clause(book: str) -> None:
    new, first, raised, second = CLOSED[book]
    stake = "bet wager 10" if book == "shootout-sd" else "bet ante 10"
    text = transcript(book, stake, "deal", new, raised, "bet", "back", "quit")
    refused = [line for line in text.splitlines() if line.startswith("Not allowed: no more bets;")]
    assert [line.partition("[")[2] for line in refused] == [
        clause.removeprefix("[") for clause in (first, second, second, second)
    ]
    # At a real table, the prompt may ask for cards.
    text = transcript(book, stake, "deal", *(() if book == "shootout-sd" else ("check",)), new, shadow=True)
    assert first in text


SEATED = {
    "uth-ma": "[MA-6.e-a]",
    "uth-card": "[CARD-27]",
    "uth-proc": "[PROC-H.9]",
    "uth-sd": "[MA-6.e-a, borrowed]",
}


@pytest.mark.clause("MA-6.e-a", "CARD-27", "PROC-H.9")
@pytest.mark.parametrize("book", SEATED)
def test_a_standing_player_who_bets_is_refused_with_the_clause(book: str) -> None:
    text = transcript(book, "stand up", "bet ante 10", "bet", "sit", "bet ante 10", "quit")
    assert text.count(f"Not allowed: you are standing; sit down to bet. {SEATED[book]}") == 2
    assert "Your bets: ante $10, blind $10" in text


def test_fresh_chips_are_announced_and_a_player_who_leaves_is_named() -> None:
    text = transcript("uth-ma", "chips", "leave")
    assert "You have a fresh stack of $1,000.\n" in text
    assert "You sit down" not in text
    assert "Ines leaves with $1,000.00." in text


def test_a_player_without_enough_chips_is_told_how_to_get_more() -> None:
    poor = transcript("uth-sd", "leave", chips=300)
    assert "You have $3.00." in poor
    assert 'You need more chips to bet: type "chips" for a fresh stack.' in poor
    assert "bet ante" not in poor
    assert 'Type a bet such as "bet ante 5", then "deal".' in transcript("uth-sd", "leave")


def test_the_seal_and_the_salt_are_one_or_two_numbers() -> None:
    assert "Write this number down" in seal_text("ab12", "")
    assert "Write these numbers down" in seal_text("ab12", "cd34")


def test_before_a_clause_is_shown_the_text_says_how_to_read_one() -> None:
    (none,) = clause_text(load("uth-ma"), "")
    assert none == 'No clause has been shown yet. To read one, type for example "clause MA-1.ante-a".'


def test_a_round_dealt_by_a_person_matches_its_transcript() -> None:
    text = transcript("uth-ma", *("",) * 63, mode="manual", dealer="person", floor="Flo")
    burned = text.index("Next step: burn before the flop.")
    assert text.index("Next step: let the players look.") < burned < text.index("Next step: deal the flop.")
    assert "Ines" in text
    assert "Round 2." in text


def test_a_dealer_alone_names_the_floor_supervisor_who_verifies() -> None:
    opened = open_seeded("uth-ma", mode="manual", dealer="person")
    out = io.StringIO()
    lines = (*("next",) * 6, "floor the dealer", "next", "floor Flo", *("next",) * 3, "quit")
    assert play(opened, io.StringIO("\n".join(lines) + "\n"), out) == 0
    text = out.getvalue()
    assert 'name the floor supervisor first: type "floor NAME", or start with --floor NAME' in text
    assert "the dealer inspected deck A; another person must verify it. [MA-3.b-a]" in text
    assert "The floor supervisor is Flo." in text
    assert isinstance(opened.game.link, LocalTable)
    events = [event for _, event in recorded_events(opened.game.link.live)]
    (inspected,) = [event for event in events if isinstance(event, e.DeckInspected)]
    (verified,) = [event for event in events if isinstance(event, e.DeckVerified)]
    assert (inspected.name, verified.name, verified.automatic) == ("the dealer", "Flo", False)
    confirmed = {event.name for event in events if isinstance(event, e.ItemConfirmed)}
    assert confirmed == {"the dealer"}


SHADOW = (
    "bet ante 10", "seat 2", "bet ante 5 trips 5", "seat 9", "deal",
    "4x", "check", "7s Kh 9d", "check", "4c 2s", "fold", "Kc 8d",
    "7c 7d", "7c Jc", "Qh Jx", "Qh", "Qh Jc",
)  # fmt: skip
"""The cards of the round on the project's front page, at stakes of $10 and $5."""


def test_a_real_table_is_shadowed() -> None:
    text = transcript("uth-ma", *SHADOW, shadow=True, bots=1, seed="")
    assert 'Your seats are 1, 2. Type "seat 1", for example.' in text
    asked = [line for line in text.splitlines() if line.startswith("Type ") and " for " in line]
    # Cards are asked for as they become visible: the board, the dealer's hand, and the hands that are turned.
    places = ("3 cards for the board", "2 cards for the board", "2 cards for the dealer")
    assert list(dict.fromkeys(asked)) == [
        f"Type {place}." for place in (*places, "2 cards for seat 1", "2 cards for seat 2")
    ]
    assert "The seven of clubs (7c) has been dealt already" in text
    assert "'Jx' is not a card" in text
    assert "Type 2 cards, not 1." in text
    # Three sevens beat a pair of kings: ante and play pay even money, the blind pushes below a straight.
    assert "Player 1's ante of $10 wins 1 to 1: $10.00. [MA-10.b]" in text
    assert "Player 1's blind of $10 pushes. [MA-9.h.2-b]" in text
    assert "Player 1's play wager of $40 wins 1 to 1: $40.00. [MA-10.b]" in text
    assert "Player 2's trips bet of $5 loses. [MA-1.trips-b]" in text
    assert "Player 1 wins $50.00." in text
    assert "Player 2 loses $15.00." in text


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("bet anto 5", "There is no bet called 'anto' at this table; did you mean 'ante'?"),
        ("bet 10", 'Say what to bet on: type a bet such as "bet ante 5".'),
        ("bet blind 10", "The blind is placed with the ante and equals it. Bet on the ante. [MA-1.ante-a]"),
        ("bet ante", "How much? The limits are: ante $5 to $100."),
        ("bet ante five", "'five' is not an amount"),
        ("bet", 'Name a bet and an amount: type a bet such as "bet ante 5".'),
        ("bet ante 1", "Not allowed: the ante must be at least $5, not $1. [house.posted_limits]"),
        ("bet trips 5", "[MA-"),
        ("bet ante 10 progressive 6", "progressive must be exactly $5, not $6. [MA-"),
        ("rebet", 'You have not bet yet. Type a bet such as "bet ante 5".'),
        (
            "check",
            "Not allowed: you have no cards in this round; to get cards, bet before betting closes.\n",
        ),
        ("dance", "There is no command 'dance'. Type \"help\" for the list."),
        ("clause MA-10.b", "MA-10.b\n"),
        ("clause MA-99", "No clause matches 'MA-99'; "),
        ("clause house.rounding", "A house setting. "),
        ("pays", "straight flush  50 to 1   MA-10.c"),
        ("history", "You have not finished a round yet."),
        ("help", "keep two of your four cards"),
        ("back", "Not allowed: "),
        ("9" * 5000 + "x", 'How many times the ante? Type "play 4x", for example.'),
        ("play " + "9" * 5000, 'How many times the ante? Type "play 4x", for example.'),
        ("z" * 5000, f"There is no command '{'z' * 60}'."),
        ("salt " + "AB" * 16, "Your commitment to a salt for the players' cut: "),
        (
            "salt me",
            "Not allowed: a salt (random bytes for the players' cut) must be 32 hexadecimal digits",
        ),
    ],
)
def test_every_typed_line_gets_an_answer(line: str, says: str) -> None:
    assert says in transcript("uth-ma", line)


@pytest.mark.clause("SD-2-b")
@pytest.mark.parametrize("line", ["bet ante 5 blind 0", "bet blind 5"])
def test_a_bet_on_the_ante_or_the_blind_alone_is_answered_with_the_clause(line: str) -> None:
    answer = "The blind is placed with the ante and equals it. Bet on the ante. [SD-2-b]"
    assert answer in transcript("uth-sd", line)


def test_a_standing_player_sits_out_while_others_play() -> None:
    text = transcript("uth-ma", "stand up", "deal", "deal", "sit down", "bet ante 10", "stand up")
    assert text.count("You have no wager, so you sit out this round.") == 2
    assert (
        text.count(
            'Type "sit" to take your seat and bet again, or "deal" to let this round continue without you.'
        )
        == 3
    )
    assert "Round 3." in text
    assert "Not yet: only seated players may wager; take back your wagers first. [MA-6.e-a]" in text


def test_without_a_bet_the_table_of_a_standing_player_waits() -> None:
    text = transcript("uth-ma", "stand up", "deal", "sit down", bots=0)
    assert "Not allowed: no player has bet, so the table waits; sit down and place a wager." in text
    assert "You sit down again." in text


def test_a_seat_number_with_too_many_digits_is_rejected() -> None:
    text = transcript("uth-ma", "seat " + "9" * 5000, shadow=True, bots=1, seed="")
    assert 'Your seats are 1, 2. Type "seat 1", for example.' in text


FAULT = Fault(5, "changed", "event 5 is not as it was")


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (StubCheck(report()), "The record is sound (66 events)."),
        (StubCheck(report(FAULT)), "The record is not sound: event 5 is not as it was."),
        (StubCheck(report(FAULT, FAULT)), "event 5 is not as it was (and 1 more)."),
        (
            StubCheck(error="there is no record at r.db"),
            "could not be checked: there is no record at r.db.",
        ),
    ],
)
def test_the_result_of_the_record_check_is_printed_once(check: StubCheck, says: str) -> None:
    out = io.StringIO()
    play(open_seeded("uth-ma"), io.StringIO("history\nhistory\n"), out, check=check)
    lines = out.getvalue().splitlines()
    index = next(n for n, line in enumerate(lines) if says in line)
    assert lines[index + 1].startswith("Place your wagers")
    assert out.getvalue().count(says) == 1


def test_a_record_check_that_still_runs_prints_nothing() -> None:
    out = io.StringIO()
    play(open_seeded("uth-ma"), io.StringIO(""), out, check=StubCheck())
    assert "The record" not in out.getvalue()


def test_the_result_of_the_record_check_is_printed_as_json() -> None:
    out = io.StringIO()
    play(open_seeded("uth-ma"), io.StringIO(""), out, json=True, check=StubCheck(report(FAULT)))
    messages = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["sound"] for one in messages if one["kind"] == "record"] == [False]


def check_record(record: Path) -> str:
    """Return the program's line about its record check, sending commands until the check is done."""
    process = subprocess.Popen(plain(record), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    line = ""
    while not line.startswith("The record"):
        process.stdin.write("clause MA-10.b\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line
    process.communicate("quit\n")
    return line


def test_a_reopened_record_is_checked(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    subprocess.run(plain(record), input="bet ante 10\n\n4x\n", text=True, capture_output=True, check=True)
    assert check_record(record).startswith("The record is sound (")
    with closing(sqlite3.connect(record)) as touched, touched:
        # The seed of the first deck: the game continues without it, but the seal no longer matches.
        touched.execute("UPDATE secrets SET value = zeroblob(32) WHERE name LIKE '%/1/%'")
        assert touched.total_changes == 1
    assert check_record(record).startswith("The record is not sound: ")


def test_an_unreadable_record_ends_with_a_sentence(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    subprocess.run(plain(record), input="bet ante 10\n", text=True, capture_output=True, check=True)
    with closing(sqlite3.connect(record)) as touched, touched:
        touched.execute("UPDATE entries SET public = CAST('{' AS BLOB) WHERE seq = 1")
    done = subprocess.run(plain(record), input="", text=True, capture_output=True, check=False)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_unreadable_rounds_do_not_end_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_seeded("uth-ma")
    store, first = (
        live_of(opened.game).house.store,
        next(live_of(opened.game).house.store.entries(live_of(opened.game).stream)),
    )
    store.entries = lambda stream, after=0: iter([replace(first, public=b"{")])  # type: ignore[method-assign]
    out = io.StringIO()
    assert play(opened, io.StringIO("history\nquit\n"), out) == 0
    assert "The history cannot be read: event 1 cannot be read" in out.getvalue()


@pytest.mark.parametrize("option", ["--seed", "--mode", "--tables", "--limit", "--record"])
def test_an_option_with_invalid_utf_8_is_rejected(option: str) -> None:
    command = [
        *(part.encode() for part in HOUSEWAY),
        b"play",
        b"uth-ma",
        b"--plain",
        option.encode(),
        b"a\xff",
    ]
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == f"houseway: {option} is not valid UTF-8 text; retype it\n"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--limit", "ante=x"], "--limit ante: 'x' is not an amount"),
        (["--chips", "x"], "--chips: 'x' is not an amount"),
        (["--record", "r.db", "--no-record"], "--record and --no-record cannot be used together"),
    ],
)
def test_wrong_options_are_named(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "uth-ma", "--plain", *options]) == 2
    assert says in capsys.readouterr().err


def test_a_table_without_a_round_is_saved(tmp_path: Path) -> None:
    text = transcript("uth-ma", "quit", dealer="person", record=tmp_path / "r.db")
    assert text.endswith("The table is saved. Run the same command to resume.\n")


def test_a_line_with_invalid_utf_8_is_answered() -> None:
    command = [*HOUSEWAY, "play", "uth-ma", "--plain", "--no-record", "--seed", "11"]
    done = subprocess.run(command, input=b"be\xfft ante 10\nquit\n", capture_output=True, check=True)
    assert b"There is no command " in done.stdout


def test_json_output_has_one_object_per_line() -> None:
    text = transcript("uth-ma", "bet ante 10", "", "fold", "4x", "quit", json=True)
    messages = [json.loads(line) for line in text.splitlines()]
    kinds = {one["kind"] for one in messages}
    assert kinds == {"answer", "dealer", "table", "round", "paid", "awaits", "refused"}
    prompt = next(one for one in messages if one.get("why") == "decide")
    assert prompt["options"] == ["check", "play 3x", "play 4x"]
    refused = next(one for one in messages if one["kind"] == "refused")
    assert refused["clause"] == "MA-9.e"
    assert refused["code"]
    paid = [one for one in messages if one["kind"] == "paid" and one["seat"] == 1]
    closed = next(one["text"] for one in messages if one["kind"] == "round" and "over" in one["text"])
    net = sum(one.get("net", 0) for one in paid)
    assert f"${abs(net) // 100}" in closed


HOUSEWAY = (sys.executable, "-m", "houseway")


def plain(record: Path, *more: str) -> list[str]:
    return [*HOUSEWAY, "play", "uth-ma", "--plain", "--record", str(record), "--seed", "11", *more]


def result_lines(text: str) -> list[str]:
    """Return the result of a round: everything from the dealer's hand on."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("The dealer shows"))
    return lines[first : next(n for n, line in enumerate(lines) if line.startswith("Round 1 is over")) + 1]


def test_the_same_command_finishes_a_round_killed_midway(tmp_path: Path) -> None:
    twin = subprocess.run(
        plain(tmp_path / "twin.db"),
        input="bet ante 10 trips 5\n\ncheck\n2x\n",
        text=True,
        capture_output=True,
        check=True,
    )
    command = plain(tmp_path / "killed.db")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("bet ante 10 trips 5\n\ncheck\n")
    process.stdin.flush()
    first = ""
    while "play 2x" not in first:
        first += process.stdout.readline()
    process.kill()
    assert process.wait() == -9
    process.stdin.close()
    process.stdout.close()
    again = subprocess.run(command, input="2x\n", text=True, capture_output=True, check=True)
    cards = next(line for line in first.splitlines() if line.startswith("Your cards"))
    assert cards.partition(" [")[0] in again.stdout
    assert "Round 1 continues where you left it." in again.stdout
    assert result_lines(again.stdout) == result_lines(twin.stdout)


def test_without_a_record_nothing_is_resumed(tmp_path: Path) -> None:
    """A game without a record starts again, so the test above would notice if resuming failed."""
    lines = "bet ante 10\n\nquit\n"
    command = [*HOUSEWAY, "play", "uth-ma", "--plain", "--no-record", "--seed", "11"]
    for _ in range(2):
        done = subprocess.run(command, input=lines, text=True, capture_output=True, check=True)
        assert "continues where you left it" not in done.stdout


def test_two_programs_do_not_share_a_record(tmp_path: Path) -> None:
    command = plain(tmp_path / "r.db")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    second = subprocess.run(command, input="", text=True, capture_output=True, check=False)
    process.communicate("quit\n")
    assert second.returncode == 2
    assert "is already writing to" in second.stderr


def test_help_and_plain_mode_do_not_import_the_screen() -> None:
    program = (
        "import sys; from houseway.cli.app import main; sys.stdin = open({0!r}); main({1!r}); "
        "sys.stderr.write(str('textual' in sys.modules))"
    )
    for tokens in (["play", "--help"], ["play", "--plain", "--no-record"]):
        run = [sys.executable, "-c", program.format(os.devnull, tokens)]
        done = subprocess.run(run, text=True, capture_output=True, check=True)
        assert done.stderr == "False"


@pytest.mark.parametrize(
    ("tokens", "says"),
    [
        (("--tables", "trips"), "--tables trips: give NAME=VALUE, such as trips=B"),
        (("--limit", "ante=5"), "--limit ante=5: give the minimum and the maximum, such as ante=5-100"),
        (("--chips", "many"), "'many' is not an amount"),
        (("--bots", "9"), "--bots must be 0 to 5 (got 9); the table has 6 seats"),
        (
            ("--record", "/dev/null/x/y.db"),
            "there is no folder /dev/null/x for y.db; create it first",
        ),
    ],
)
def test_the_error_for_a_wrong_option_says_what_is_allowed(
    tokens: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from houseway.cli.app import main

    record = () if "--record" in tokens else ("--record", str(tmp_path / "r.db"))
    assert main(["play", "uth-ma", "--plain", *record, *tokens]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("book", BOOKS)
def test_the_input_may_end_anywhere(book: str) -> None:
    assert transcript(book).endswith("This game was not saved.\n")


def test_a_recorded_game_says_that_it_can_be_resumed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "houseway", "play", "uth-ma", "--plain", "--seed", "4", "--record", tmp_path / "g.db"],
        input="", capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.endswith("Round 1 is saved. Run the same command to resume.\n")
