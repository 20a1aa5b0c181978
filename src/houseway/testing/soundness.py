"""Everything that is wrong with a rulebook: what its files say, its clauses, its worked rounds, a table
dealt by it, and its printed sheets. `houseway check` prints it, and the tests ask for nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from houseway.bots.players import decisions
from houseway.engine.commands import Bet
from houseway.engine.legal import legal, spots
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import read_terms
from houseway.engine.turn_order import turn
from houseway.money import MoneyError, cents, dollars
from houseway.report import terminal
from houseway.report.dealers_script import dealers_script
from houseway.report.document import Bullets, Document
from houseway.report.postings import sheet
from houseway.report.rules_card import rules_card
from houseway.rules import catalogue, loader
from houseway.rules.problems import Problem, meant, shortened
from houseway.rules.rulebook import Rulebook
from houseway.testing.driver import table

KINDS: Final = ("configured", "performed", "enforced", "instructed")
LEAST_ROUNDS: Final = 8
"""Worked rounds that a rulebook's folder should have."""
DEALT: Final = 6
"""Rounds dealt in each deal mode to see that no step is stuck."""
WIDTH: Final = 80


def problems(ref: str) -> list[Problem]:
    """Every problem of a rulebook; raises RulebookError if there is no such rulebook."""
    try:
        rulebook, listed = loader.examine(ref)
    except loader.RulebookError as error:
        if error.problems[0].path in ("rulebook", "rulebooks"):
            raise
        return error.problems
    file = catalogue.find_rules(ref)[1]
    if file.name == catalogue.RULES and (rulebook.clauses or not rulebook.extends):
        clauses = catalogue.folder_of(file).joinpath(catalogue.CLAUSES)
        listed += [*_clauses(catalogue.read_toml(clauses), rulebook), *_folder(rulebook)]
    if not any(problem.weight == "error" for problem in listed):
        listed += [*_worked_rounds(ref, rulebook), *_dealt(ref, rulebook), *_printed(rulebook)]
    return list(dict.fromkeys(listed))


# --- the document ---


def _clauses(raw: Mapping[str, Any], rulebook: Rulebook) -> Iterator[Problem]:
    """What is wrong with clauses.toml, and the clauses nothing in the rulebook rests on."""
    rows = raw.get("clause")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return
    seen: Counter[str] = Counter(str(row.get("id", "")) for row in rows)
    cited = {clause for clause, _ in rulebook.cited()}
    prefixes = Counter(str(row.get("id", "")).partition("-")[0] for row in rows)
    prefix = prefixes.most_common(1)[0][0]
    for n, row in enumerate(rows):
        path, identity = f"clauses.toml[{n}]", str(row.get("id", ""))
        for key in ("id", "kind", "says", "check"):
            if not isinstance(row.get(key), str) or not row[key]:
                yield Problem(f"{path}.{key}", "is missing", "every clause has id, kind, says and check")
        if row.get("kind") not in (*KINDS, None):
            yield Problem(f"{path}.kind", f"{row['kind']!r} is unknown", meant(str(row["kind"]), KINDS))
        if seen[identity] > 1:
            yield Problem(f"{path}.id", f"{identity!r} is there twice", "give each clause an id of its own")
        if identity.partition("-")[0] != prefix:
            wrong = f"{identity!r} begins otherwise than the other clauses"
            yield Problem(f"{path}.id", wrong, f"begin every id with {prefix}-")
        for other in row.get("conflicts", ()):
            if other not in rulebook.known:
                wrong = f"{other!r} is no clause of any document"
                yield Problem(f"{path}.conflicts", wrong, meant(str(other), rulebook.known))
        if row.get("kind") in ("performed", "enforced") and identity not in cited:
            wrong = f"nothing in the rulebook rests on {identity}, which is {row['kind']}"
            yield Problem(path, wrong, "cite it where it is carried out, or call it instructed")
    ids = {name: _ids(name) for name in catalogue.catalogue()} | {rulebook.id: list(seen)}
    owners = {identity: _owner(identity, ids) for identity in seen}
    for owner in dict.fromkeys(name for name in owners.values() if name != rulebook.id):
        first, *more = (identity for identity in seen if owners[identity] == owner)
        also = f"{first!r} and {len(more)} more are clauses" if more else f"{first!r} is a clause"
        right = "begin the ids with a prefix of your own"
        yield Problem("clauses.toml", f"{also} of another rulebook, {owner}", right)


def _owner(identity: str, ids: Mapping[str, list[str]]) -> str:
    """The rulebook a clause belongs to: of those that have it, the one with most clauses of its prefix."""
    prefix = identity.partition("-")[0]
    counts = {n: sum(i.startswith(f"{prefix}-") for i in own) for n, own in ids.items() if identity in own}
    # If several have as many, the rulebook named after the prefix, or the one listed first.
    return max(counts, key=lambda name: (counts[name], prefix.lower() in name))


def _ids(name: str) -> list[str]:
    file = catalogue.catalogue()[name]
    try:
        return list(loader.clauses_of(catalogue.folder_of(file)))
    except loader.RulebookError:
        return []


def _folder(rulebook: Rulebook) -> Iterator[Problem]:
    """What a rulebook's folder should have beside the rules."""
    count = len(rulebook.rounds)
    if count < LEAST_ROUNDS:
        wrong = f"has {count} worked rounds" if count else "is missing, so no round shows what it pays"
        right = f"write {LEAST_ROUNDS} rounds or more with what each wager comes to"
        yield Problem("rounds.toml", wrong, right, "warning")
    if not rulebook.notes.startswith("# "):
        wrong = "has no title" if rulebook.notes else "is missing"
        yield Problem("NOTES.md", wrong, 'begin it with "# " and say which readings you took', "warning")


# --- worked rounds ---


def _worked_rounds(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    window = Window()
    for n, told in enumerate(rulebook.rounds):
        path = f"rounds.toml[{n}]"
        if not isinstance(told, dict) or not isinstance(told.get("round"), dict):
            yield Problem(path, "has no round", "write [round.round] with board, dealer and seats")
            continue
        for key in ("name", "tells", "shows"):
            if not told.get(key):
                yield Problem(f"{path}.{key}", "is missing", "every round has name, tells and shows")
        for clause in told.get("shows", ()):
            if clause not in rulebook.known:
                wrong = f"{clause!r} is no clause of any document"
                yield Problem(f"{path}.shows", wrong, meant(str(clause), rulebook.known))
        answer = window.settle({"rulebook": ref, **told["round"]})
        if isinstance(answer, Settlement):
            yield from _expected(answer, told.get("expect"), path)
        else:
            for refusal in answer.refused:
                yield Problem(f"{path}.round.{refusal.where}", refusal.message, refusal.clause or "mend it")


def _expected(answer: Settlement, expect: Any, path: str) -> Iterator[Problem]:
    """Where a settlement and what a worked round expects differ, wager by wager."""
    split = {line.seat for line in answer.lines if line.hand == 2}
    nets: dict[str, Counter[str]] = {str(seat.seat): Counter() for seat in answer.seats}
    for line in answer.lines:
        by_hand = line.seat in split and line.wager != "envy"
        nets[str(line.seat)][f"{line.wager}.{line.hand}" if by_hand else line.wager] += _signed(line.net)
    for seat in answer.seats:
        nets[str(seat.seat)]["net"] = _signed(seat.net)
    written = expect if isinstance(expect, dict) else {}
    for number in sorted({*nets, *written}):
        given = written.get(number)
        given = given if isinstance(given, dict) else {}
        for wager in dict.fromkeys([*nets.get(number, {}), *given]):
            place = f"{path}.expect.{number}.{wager}"
            comes_to = nets.get(number, {}).get(wager)
            right = "it is not wagered" if comes_to is None else f"it settles at {dollars(comes_to)}"
            if wager not in given:
                yield Problem(place, "is missing", right)
            elif comes_to is None or _amount(given[wager]) != comes_to:
                yield Problem(place, f"expects {shortened(str(given[wager]))}", right)


def _signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


def _amount(value: Any) -> int | None:
    try:
        return _signed(value) if isinstance(value, str) else None
    except MoneyError:
        return None


# --- dealt and printed ---


def _dealt(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    """Where a table that deals by itself cannot go on."""
    for mode in rulebook.modes if rulebook.procedure.round else ():
        try:
            deal_rounds(ref, mode)
        except Exception as error:  # whatever a procedure makes a table stumble over
            steps = isinstance(error, AssertionError) and not isinstance(getattr(error, "command", 0), Bet)
            told = shortened(str(error) if isinstance(error, AssertionError) else repr(error), 200)
            right = "put the steps in the order in which they are dealt" if steps else "correct its cause"
            yield Problem("round", f"a round dealt in {mode} mode cannot go on: {told}", right)


def deal_rounds(ref: str, mode: str) -> None:
    """Deal rounds with every seat taken: each makes every wager it may, and in every other round decides
    at random; in the others a supervisor acts for all of them."""
    rng = Random(f"{ref} {mode}")
    t = table(ref, mode=mode)
    t.sit(*range(1, t.table.seats + 1))
    wagers = {spot.wager: dollars(spot.least) for spot in spots(t.table, t.state, 1)}
    for number in range(DEALT):
        for seat in t.state.seats:
            t.bet(seat, **wagers)
        t.deal()
        while number % 2 and (asked := turn(t.table, t.state)) is not None:
            options = decisions(legal(t.table, t.state, f"seat {asked[0]}"))
            t.send(rng.choice(options).command)
            t.deal()
        t.finish()
    t.check_books()


def _printed(rulebook: Rulebook) -> Iterator[Problem]:
    """Sheets that cannot be printed, or are too wide for a terminal."""
    terms, refused = read_terms(rulebook, {})
    if refused:
        yield from (
            Problem(r.where or "house", r.message, r.clause or "mend the defaults") for r in refused
        )
        return
    card = rules_card(terms)
    sheets = {"card": card, "script": dealers_script(terms)}
    sheets |= {name: sheet(terms, name) for name in ("layout", "signs", "placard")}
    for name, document in sheets.items():
        widest = max(terminal.text(document, WIDTH).splitlines(), key=len, default="")
        if len(widest) > WIDTH:
            wrong = f"the {name} has a line of {len(widest)} letters: {shortened(widest)}"
            yield Problem("rulebook.title", wrong, "shorten titles and names", "warning")
    if rulebook.clauses and not rulebook.extends:
        yield from _unfounded(card)


def _unfounded(card: Document) -> Iterator[Problem]:
    """Lines of a document's rules card that rest on nothing."""
    for block in card.blocks:
        for line in block.lines if isinstance(block, Bullets) else ():
            if not line.clause:
                wrong = f"the rules card says, without a clause: {shortened(line.text)}"
                yield Problem("options", wrong, "cite the clause, or fill it from another document")
