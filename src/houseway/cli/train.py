"""`train`: deal to bots in the terminal, and see every slip with its clause."""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

import msgspec

from houseway.cli.output import BadInputError, file_problem, house_settings, write, write_json
from houseway.rules.loader import load

BOOK = "uth-ma"
LONGEST_SEED = 200
FIGURES = (
    "gross", "net", "slips_per_round", "rounds_per_hour", "payments_per_minute", "reading_accuracy",
)  # fmt: skip
"""The figures of a score that are computed from others."""


def train(
    rulebook: str | None = None,
    /,
    *,
    mode: str = "",
    rounds: int = 5,
    seats: int = 3,
    seed: str = "",
    scenario: str = "quiet",
    house: str = "",
    difficulty: int = 3,
    record: Path | None = None,
    replay: Path | None = None,
    json: bool = False,
) -> int:
    """Deal to bots in training, and see your slips with their clauses.

    You type acts, such as "deal 1-3 dealer", "ask 2", "read 2 two pair win" and "pay 2 blind $30". You can
    do every act of the rulebook at any time, and nothing tells you which act is next. Type "acts" to list
    all acts in alphabetical order. A wrong act is not refused: it takes effect, and play continues from
    there. You can repair some slips, for example by typing "correct 2 blind" or "report exposed card
    seat 2".

    With --scenario, the players behave like people: they bet late, act out of turn, dispute payments and
    ask for larger chips. Cards are exposed and machines jam. Refuse, warn, answer and report as your
    document says.

    After each round you see every slip: what you should have done, the clause and its sentence, and the
    dollars overpaid or underpaid. At the end you see your score. Type "help" at the table for the commands.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file; default: uth-ma.
    mode
        The deal mode: manual (you deal by hand) or device (a machine deals). Some wagers exist in only one
        mode; the default is the mode that offers more kinds of wagers.
    rounds
        The number of rounds, from 1 to 500.
    seats
        The number of players.
    seed
        Any text. Sessions with the same seed have the same cards and wagers. By default a new seed is
        chosen and shown.
    scenario
        What people do and what goes wrong: quiet, practice, busy, every-irregularity, or a TOML file of
        your own.
    house
        House settings of the rulebook, such as device_counts=true: the device counts the cards, as in the
        device part of an exam.
    difficulty
        How hard the problems may get: 1 (only the easiest) to 3 (all of them).
    record
        A new file for your acts and the players' decisions, with their times and cards.
    replay
        A file that --record wrote: judge its rounds again and print the score, under the rulebook whose
        text is in the file. Older files have no text: if their rulebook is a TOML file, name it too.
    json
        With --replay: print the score as JSON, with amounts in cents and times in milliseconds.
    """
    if replay is not None:
        return _replay(replay, rulebook, json=json)
    if json:
        raise BadInputError("--json needs --replay; record a session first")
    # Imported here: the help starts faster without the table.
    from houseway.cli.scenario_file import read_scenario
    from houseway.engine.terms import read_terms
    from houseway.live.default_terms import card_backs, offering
    from houseway.play.chair_screen import ChairScreen
    from houseway.training.scenarios.deck import HARDEST
    from houseway.training.session import SessionPlan, TrainingSession

    if not seed.isprintable() or len(seed) > LONGEST_SEED:
        raise BadInputError(f"--seed must be printable text of at most {LONGEST_SEED} characters")
    if not 1 <= difficulty <= HARDEST:
        raise BadInputError(f"--difficulty must be from 1 to {HARDEST} (got {difficulty})")
    book = load(rulebook or BOOK)
    if mode and mode not in book.modes:
        raise BadInputError(f"--mode must be {' or '.join(book.modes)} for {book.id} (got {mode!r})")
    settings = house_settings(house, "device_counts=true")
    chosen = offering(book, mode, {}, {}, settings) | ({"house": settings} if settings else {})
    plan = SessionPlan(
        rulebook=book.id,
        hash=book.hash,
        terms=chosen,
        seats=seats,
        rounds=rounds,
        seed=seed or secrets.token_hex(4),
        backs=card_backs(read_terms(book, chosen)[0]),
        scenario=read_scenario(scenario).up_to(difficulty),
        text=book.text,
    )
    session = TrainingSession(plan, book)
    start = time.monotonic_ns()
    with new_file(record) as file:
        screen = ChairScreen(session, sys.stdout, lambda: (time.monotonic_ns() - start) // 1_000_000, file)
        if isinstance(sys.stdin, TextIOWrapper):
            # Undecodable bytes become an unknown command, not a traceback.
            sys.stdin.reconfigure(errors="replace")
        return screen.run(sys.stdin, "> " if sys.stdin.isatty() and sys.stdout.isatty() else "")


def new_file(path: Path | None) -> AbstractContextManager[BinaryIO | None]:
    """Open a file that does not exist yet, so that no session is overwritten."""
    if path is None:
        return nullcontext()
    with file_problem("create", path):
        return path.open("xb")


def _replay(path: Path, rulebook: str | None, *, json: bool) -> int:
    """Print the score of a recorded session."""
    from houseway.training.session_file import MOST_BYTES, read_session, replay_session
    from houseway.training.stored_rulebook import text_note
    from houseway.training.words import score_lines
    from houseway.wording import printable

    with file_problem("read", path), path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    plan, inputs = read_session(data)
    score = replay_session(plan, inputs, load(rulebook) if rulebook is not None else None).score
    note = text_note(plan.rulebook, plan.hash) if rulebook is None else ""
    if json:
        figures = {name: getattr(score, name) for name in FIGURES}
        write_json(msgspec.to_builtins(score) | figures | {"rulebook_note": note})
    else:
        write("\n".join(filter(None, (printable(note), *score_lines(score)))))
    return 0
