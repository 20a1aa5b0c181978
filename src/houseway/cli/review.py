"""`review`: the exact value of every decision in a record, a hand history or a CSV file, and the leaks."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.audit.archive import open_record
from houseway.audit.history_text import HistoryError
from houseway.audit.streams import is_table
from houseway.cli.output import BadInputError, bad_input, complain, file_problem, write, write_json
from houseway.cli.review_output import review_lines, summary_lines
from houseway.engine.terms import Terms, read_terms
from houseway.errors import InputError
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from houseway.school.game_values import GameValues, game_values, is_counted
from houseway.school.play_summary import summarize
from houseway.school.recorded_rounds import ReadRound, rounds_in_history, rounds_in_record
from houseway.school.review_data import review_data, summary_data
from houseway.school.round_review import ReviewedRound, review_rounds
from houseway.school.typed_csv import MOST_BYTES, MOST_ROUNDS, read_csv
from houseway.wording import alternatives, printable, several

SQLITE = b"SQLite format 3\0"
EXPORTED = b"{"
HISTORY = "houseway"
"""The first word of a hand history."""


def review(
    file: str,
    /,
    *,
    rulebook: str = "",
    table: str = "",
    seat: int = 0,
    player: str = "",
    round_: Annotated[int, Parameter(name="--round")] = 0,
    secrets_key: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Review your decisions: the value of each choice, your losses, your luck and your leaks.

    Each decision is judged by its exact value over all cards that you could not see, never by the cards
    that came. Try houseway review hands.csv --rulebook uth-ma, with this file:

    hole,board,dealer,play

    Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x

    Parameters
    ----------
    file
        A record (a SQLite file or an exported file), a hand history, or a CSV file with one hand in each
        row.
    rulebook
        The rulebook of a CSV file without a rulebook column.
    table
        The table, if the record has several.
    seat
        Review only this seat.
    player
        Review only this player.
    round_
        Review one round: every decision with its reason.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    json
        Print one JSON document.
    """
    every = _read(file, rulebook, table, secrets_key)
    rounds = [(terms, played) for terms, played in every if seat in (0, played.seat)]
    rounds = [(terms, played) for terms, played in rounds if player in ("", played.player)]
    if not rounds:
        raise BadInputError(f"{file} has no rounds of {_wanted(seat, player)}; it has {_players(every)}")
    if len({(played.player, 0 if played.player else played.seat) for _, played in rounds}) > 1:
        raise BadInputError(
            f"{file} has rounds of several players; choose one with --player or --seat: {_players(rounds)}"
        )
    if round_:
        rounds = [(terms, played) for terms, played in rounds if played.number == round_]
        if not rounds:
            raise BadInputError(
                f"--round {round_}: there is no such round; leave the option out to see all"
            )
    if any(terms.rulebook.game == SHOOTOUT and not is_counted(terms) for terms, _ in rounds):
        how = "run houseway solve shootout-sd once to make it fast"
        complain([f"the hands of Texas Shootout are not counted yet, so each takes seconds; {how}"])
    games = _games(rounds)
    unknown = sum(len(r.played.decisions) - len(r.decisions) for _, reviews in games for r in reviews)
    if unknown:
        left_out = several(unknown, "decision has unknown cards", "decisions have unknown cards")
        complain([f"{left_out}; review the house's own record, or an export made for the seat"])
    if json:
        write_json([_game_data(game, reviews, whole=bool(round_)) for game, reviews in games])
        return 0
    for game, reviews in games:
        lines = [line for each in reviews for line in review_lines(game, each)] if round_ else []
        write("\n".join(lines or summary_lines(game, summarize(reviews, game.variance))))
    return 0


def _games(rounds: Iterable[ReadRound]) -> list[tuple[GameValues, tuple[ReviewedRound, ...]]]:
    """Return the reviews of each game, in the order the games were first played."""
    by_game: dict[int, tuple[GameValues, list[ReadRound]]] = {}
    values: dict[int, GameValues] = {}
    for terms, played in rounds:
        if id(terms) not in values:
            values[id(terms)] = game_values(terms)
        game = values[id(terms)]
        by_game.setdefault(id(game), (game, []))[1].append((terms, played))
    return [(game, review_rounds(game, (p for _, p in listed))) for game, listed in by_game.values()]


def _game_data(game: GameValues, reviews: tuple[ReviewedRound, ...], *, whole: bool) -> dict[str, object]:
    data: dict[str, object] = {"rulebook": game.terms.rulebook.id, "hash": game.terms.hash}
    if whole:
        return data | {"rounds": [review_data(game, each) for each in reviews]}
    return data | {"summary": summary_data(summarize(reviews, game.variance))}


# --- reading ---


def _read(file: str, rulebook: str, table: str, secrets_key: Path | None) -> list[ReadRound]:
    """Return all rounds of a file, or raise an error; a file is never read in part."""
    path = Path(file)
    with file_problem("read", file), path.open("rb") as opened:
        start = opened.read(len(SQLITE))
    if start == SQLITE or start.startswith(EXPORTED):
        return _in_record(file, table, secrets_key)
    with file_problem("read", file):
        if path.stat().st_size > MOST_BYTES:
            raise BadInputError(f"{file} is larger than {MOST_BYTES // 1_000_000} MB; split it")
        raw = path.read_bytes()
    with bad_input(f"{file} is not UTF-8 text: "):
        text = raw.decode("utf-8-sig")
    if text.lstrip().startswith(HISTORY):
        try:
            return _bounded(file, rounds_in_history(text))
        except HistoryError as error:
            raise BadInputError(f"{file}, {error}") from error
    if rulebook:
        _terms(rulebook)
    with bad_input(f"{file}: "):
        return list(read_csv(text, _terms, rulebook))


def _in_record(file: str, table: str, secrets_key: Path | None) -> list[ReadRound]:
    with closing(open_record(file, secrets_key)) as store:
        tables = [stream for stream in store.streams() if is_table(stream)]
        if table and table not in tables:
            raise BadInputError(f"--table {table}: no such table in {file}; it has {alternatives(tables)}")
        if not table and len(tables) != 1:
            listed = ", ".join(tables) or "none"
            raise BadInputError(f"choose a table with --table; {file} has {listed}")
        return _bounded(file, rounds_in_record(store, table or tables[0]))


def _bounded(file: str, rounds: Iterable[ReadRound]) -> list[ReadRound]:
    listed = list(islice(rounds, MOST_ROUNDS + 1))
    if len(listed) > MOST_ROUNDS:
        raise BadInputError(f"{file} has more than {MOST_ROUNDS:,} rounds; split it")
    return listed


def _terms(rulebook: str) -> Terms:
    terms, refused = read_terms(load(rulebook), {})
    if refused:
        raise InputError(*(refusal.message for refusal in refused))
    return terms


def _wanted(seat: int, player: str) -> str:
    wanted = [f"seat {seat}"] * bool(seat) + [printable(player)] * bool(player)
    return " and ".join(wanted) or "any seat"


def _players(rounds: Iterable[ReadRound]) -> str:
    names = dict.fromkeys(p.player or f"seat {p.seat}" for _, p in rounds)
    return ", ".join(map(printable, islice(names, 20))) or "no rounds"
