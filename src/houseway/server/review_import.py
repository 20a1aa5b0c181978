"""Reads uploaded files with played rounds. A file is imported as a whole or not at all."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from houseway.audit.archive import Archive
from houseway.audit.handles import folded
from houseway.audit.history_text import HistoryError
from houseway.audit.store import StoreError
from houseway.audit.streams import is_table
from houseway.client.review_messages import FilePlayer, ImportRounds
from houseway.engine.terms import Terms, read_terms
from houseway.errors import InputError
from houseway.rules.problems import shortened
from houseway.rules.recorded_rulebook import installed_rulebook, recorded_rulebook
from houseway.school.game_values import game_values
from houseway.school.played_rounds import PlayedRound
from houseway.school.recorded_rounds import ReadRound, rounds_in_history, rounds_in_record
from houseway.school.round_codec import StoredRound, read_stored, store_round
from houseway.school.round_packs import exported_rounds, is_export
from houseway.school.round_review import review_round
from houseway.school.typed_csv import (
    MOST_BYTES,
    MOST_PROBLEMS,
    MOST_ROUNDS,
    ImportRefusedError,
    RowProblem,
    RowProblems,
    read_csv,
)
from houseway.server.rulebook_library import refused
from houseway.server.work_queue import Pauses, without_collections

HISTORY: Final = "houseway"
"""The first word of a hand history."""
MOST_TERMS: Final = 50
"""The most different terms in one export. Each may have to be solved."""
HASH: Final = re.compile(r'"hash":"([0-9a-f]{64})"')
"""The hash of a rulebook's text in an export."""
LARGEST: Final = f"{MOST_BYTES // 1_000_000} MB and {MOST_ROUNDS:,} rounds"


class ImportedFile(NamedTuple):
    """The rounds of a file."""

    rounds: tuple[StoredRound, ...]
    texts: Mapping[str, str]
    """The texts of the rulebooks that are not installed, by their hash."""
    problems: RowProblems | None = None
    """What is wrong with the file. If there is anything, there are no rounds."""
    players: tuple[FilePlayer, ...] = ()
    """The players to choose from. If there are any, there are no rounds."""


def rulebook_hashes(text: str) -> tuple[str, ...]:
    """Return the hashes of the rulebooks of a person's own export."""
    hashes: dict[str, None] = {}
    for found in HASH.finditer(text) if is_export(text) else ():
        hashes[found[1]] = None
        if len(hashes) >= MOST_TERMS:
            break
    return tuple(hashes)


def read_import(order: ImportRounds, handle: str, texts: Mapping[str, str]) -> ImportedFile:
    """Return the rounds of one player of a file, or its problems; raise RefusedError if it cannot be read.

    Without a name in the order, the player is the one with this handle, or the only one. `texts` are the
    texts of the rulebooks of an export, by their hash, as far as the server has them.
    """
    with without_collections():
        return _imported(order, handle, texts)


def _imported(order: ImportRounds, handle: str, texts: Mapping[str, str]) -> ImportedFile:
    size = len(order.text.encode(errors="replace"))
    if size > MOST_BYTES:
        raise refused(413, "too-long", "file", f"the file has {size:,} bytes; the limit is {LARGEST}")
    if is_export(order.text):
        return _exported(order.text, texts)
    try:
        rounds = _read(order)
    except ImportRefusedError as error:
        return ImportedFile((), {}, error.problems)
    except HistoryError as error:
        problem = RowProblem(error.line, "", str(error).partition(": ")[2])
        return ImportedFile((), {}, RowProblems(problem))
    except (StoreError, InputError, ValueError) as error:
        raise refused(400, "bad-file", "file", shortened(str(error), 400)) from error
    chosen = _of_player(rounds, order, handle)
    if not isinstance(chosen, list):
        return ImportedFile((), {}, players=chosen)
    own_texts = {
        terms.hash: terms.rulebook.text
        for terms in {id(terms): terms for terms, _ in chosen}.values()
        if installed_rulebook(terms.rulebook.id) is not terms.rulebook
    }
    stored = (store_round(played, t.rulebook.id, t.hash, t.chosen) for t, played in chosen)
    return ImportedFile(tuple(stored), own_texts)


def _read(order: ImportRounds) -> list[ReadRound]:
    text = order.text.removeprefix("\ufeff")
    if text.startswith("{"):
        return _in_record(text)
    if text.lstrip().startswith(HISTORY):
        return _bounded(rounds_in_history(text))
    if order.rulebook:
        _terms(order.rulebook)
    return list(read_csv(text, _terms, order.rulebook, Pauses()))


def _in_record(text: str) -> list[ReadRound]:
    """Return the rounds of an exported record."""
    with tempfile.TemporaryDirectory(prefix="houseway-import-") as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(text.encode())
        try:
            archive = Archive(path)
            if not is_table(archive.header.stream):
                raise InputError("this is not the record of a table; export a table's record")
            return _bounded(rounds_in_record(archive, archive.header.stream))
        except (StoreError, InputError) as error:
            raise InputError(str(error).replace(str(path), "the file")) from error
        except Exception as error:  # a forged record can break the engine in any way
            raise InputError("the record cannot be read; export it again") from error


def _bounded(rounds: Iterable[ReadRound]) -> list[ReadRound]:
    pause, listed = Pauses(), list[ReadRound]()
    for one in islice(rounds, MOST_ROUNDS + 1):
        pause()
        listed.append(one)
    if len(listed) > MOST_ROUNDS:
        raise InputError(f"the file has more than {MOST_ROUNDS:,} rounds; split it")
    return listed


def _terms(rulebook: str) -> Terms:
    book = installed_rulebook(rulebook)
    if book is None:
        raise InputError(f"there is no rulebook {shortened(rulebook)!r}; use an id, such as uth-ma")
    terms, refusals = read_terms(book, {})
    if refusals:
        raise InputError(*(refusal.message for refusal in refusals))
    return terms


def _of_player(
    rounds: Sequence[ReadRound], order: ImportRounds, handle: str
) -> list[ReadRound] | tuple[FilePlayer, ...]:
    """Return the rounds of the player that the order names, or of the person who imports; if neither is in
    the file, return its players."""
    players: dict[tuple[str, int], list[ReadRound]] = {}
    for terms, played in rounds:
        # The seat counts only if the file has no names.
        players.setdefault((played.player, 0 if played.player else played.seat), []).append((terms, played))
    if order.player or order.seat:
        wanted = (order.player, 0 if order.player else order.seat)
    elif len(players) == 1:
        wanted = next(iter(players))
    else:
        own = [key for key in players if key[0] and folded(key[0]) == folded(handle)]
        if not own:
            listed = list(players)[:MOST_PROBLEMS]
            return tuple(FilePlayer(title=shortened(n) or f"Seat {s}", player=n, seat=s) for n, s in listed)
        wanted = own[0]
    if wanted not in players:
        raise refused(400, "no-player", "player", "the file has no rounds of this player; choose another")
    return players[wanted]


def _exported(text: str, texts: Mapping[str, str]) -> ImportedFile:
    """Return the rounds of a person's own export. Each round must be possible under its rulebook."""
    problems = RowProblems()
    rounds: list[StoredRound] = []
    terms_of: dict[tuple[str, str, str], Terms | str] = {}
    pause = Pauses()
    for read, (line, stored) in enumerate(exported_rounds(text)):
        pause()
        if read >= MOST_ROUNDS:
            problems.add(line, "", f"a file can have at most {MOST_ROUNDS:,} rounds")
            break
        if isinstance(stored, str):
            problems.add(line, "", shortened(stored, 200))
            continue
        try:
            _check(stored, terms_of, texts)
            rounds.append(stored)
        except (InputError, ValueError, TypeError, KeyError) as error:
            problems.add(line, "", shortened(str(error), 200))
    if not rounds and not problems:
        problems.add(1, "", "the file has no rounds")
    return ImportedFile((), {}, problems) if problems else ImportedFile(tuple(rounds), {})


def _check(
    stored: StoredRound, terms_of: dict[tuple[str, str, str], Terms | str], texts: Mapping[str, str]
) -> PlayedRound:
    played = read_stored(stored)
    key = (stored.rulebook, stored.hash, repr(stored.terms))
    if key not in terms_of:
        if len(terms_of) >= MOST_TERMS:
            raise InputError(f"the file has more than {MOST_TERMS} different sets of rules; split it")
        terms_of[key] = _stored_terms(stored, texts)
    terms = terms_of[key]
    if isinstance(terms, str):
        raise InputError(terms)
    review_round(game_values(terms), played)
    return played


def _stored_terms(stored: StoredRound, texts: Mapping[str, str]) -> Terms | str:
    try:
        book = recorded_rulebook(stored.rulebook, stored.hash, texts.get(stored.hash), InputError)
    except InputError:
        return f"the rules of {shortened(stored.rulebook)} have changed, or are not known here"
    terms, refusals = read_terms(book, stored.terms)
    return refusals[0].message if refusals else terms
