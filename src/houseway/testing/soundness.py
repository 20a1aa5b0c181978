"""Find every problem in a rulebook: check its files, clauses, worked rounds and printed sheets, and deal
rounds with it. `houseway check` prints the problems."""

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
from houseway.rules.check_house_changes import house_changes
from houseway.rules.problems import Problem, shortened, suggest, unknown
from houseway.rules.rulebook import Rulebook
from houseway.testing.driver import table
from houseway.wording import several

KINDS: Final = ("configured", "performed", "enforced", "instructed")
LEAST_ROUNDS: Final = 8
"""The fewest worked rounds that a rulebook's folder should have."""
DEALT: Final = 6
"""The number of rounds dealt in each deal mode."""
WIDTH: Final = 80


def problems(ref: str) -> list[Problem]:
    """Return every problem in a rulebook; raises RulebookError if there is no such rulebook."""
    try:
        rulebook, listed = loader.load_with_problems(ref)
    except loader.RulebookError as error:
        if error.problems[0].path in ("rulebook", "rulebooks"):
            raise
        return error.problems
    file = catalogue.find_rules(ref)[1]
    if file.name == catalogue.RULES and (rulebook.clauses or not rulebook.extends):
        clauses = catalogue.folder_of(file).joinpath(catalogue.CLAUSES)
        listed += [*_clauses(catalogue.read_toml(clauses), rulebook), *_folder(rulebook)]
    if not any(problem.weight == "error" for problem in listed):
        if rulebook.extends and not rulebook.clauses:
            listed += house_changes(rulebook, loader.load(rulebook.extends))
        listed += [*_worked_rounds(ref, rulebook), *_dealt(ref, rulebook), *_printed(rulebook)]
        listed += _overpaid(rulebook)
    return list(dict.fromkeys(listed))


# --- the document ---


def _clauses(raw: Mapping[str, Any], rulebook: Rulebook) -> Iterator[Problem]:
    """Yield the problems in clauses.toml, and clauses that the rulebook does not cite."""
    rows = raw.get("clause")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return
    counts: Counter[str] = Counter(str(row.get("id", "")) for row in rows)
    cited = {clause for clause, _ in rulebook.cited()}
    prefixes = Counter(str(row.get("id", "")).partition("-")[0] for row in rows)
    prefix = prefixes.most_common(1)[0][0]
    for n, row in enumerate(rows):
        path, identity = f"clauses.toml[{n}]", str(row.get("id", ""))
        for key in ("id", "kind", "says", "check"):
            if not isinstance(row.get(key), str) or not row[key]:
                yield Problem(f"{path}.{key}", "is missing", "write id, kind, says and check")
        if row.get("kind") not in (*KINDS, None):
            yield Problem(
                f"{path}.kind", f"{row['kind']!r} is not allowed", suggest(str(row["kind"]), KINDS)
            )
        if counts[identity] > 1:
            yield Problem(f"{path}.id", f"{identity!r} is used twice", "give each clause a different id")
        if identity.partition("-")[0] != prefix:
            wrong = f"{identity!r} does not start with {prefix}- like the other ids"
            yield Problem(f"{path}.id", wrong, f"start every id with {prefix}-")
        for other in row.get("conflicts", ()):
            yield from unknown(f"{path}.conflicts", other, rulebook.known, "clause of any document")
        if row.get("kind") in ("performed", "enforced") and identity not in cited:
            wrong = f'{identity} has kind = "{row["kind"]}", but no part of the rulebook cites it'
            yield Problem(path, wrong, 'cite it in the part that applies it, or write kind = "instructed"')
    ids = {name: _ids(name) for name in catalogue.catalogue()} | {rulebook.id: list(counts)}
    owners = {identity: _owner(identity, ids) for identity in counts}
    for owner in dict.fromkeys(name for name in owners.values() if name != rulebook.id):
        first, *more = (identity for identity in counts if owners[identity] == owner)
        also = f"{first!r} and {len(more)} more are clauses" if more else f"{first!r} is a clause"
        right = "start your ids with another prefix"
        yield Problem("clauses.toml", f"{also} of another rulebook, {owner}", right)


def _owner(identity: str, ids: Mapping[str, list[str]]) -> str:
    """Return the rulebook that a clause belongs to.

    If several rulebooks list the clause, it is the one with the most clauses of the same prefix.
    """
    prefix = identity.partition("-")[0]
    counts = {n: sum(i.startswith(f"{prefix}-") for i in own) for n, own in ids.items() if identity in own}
    # On equal counts, the rulebook named after the prefix wins, then the one listed first.
    return max(counts, key=lambda name: (counts[name], prefix.lower() in name))


def _ids(name: str) -> list[str]:
    file = catalogue.catalogue()[name]
    try:
        return list(loader.clauses_of(catalogue.folder_of(file)))
    except loader.RulebookError:
        return []


def _folder(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield warnings about missing worked rounds and notes."""
    count = len(rulebook.rounds)
    if count < LEAST_ROUNDS:
        wrong = f"has {several(count, 'worked round')}" if count else "is missing"
        right = f"write at least {LEAST_ROUNDS} rounds with the result of each wager"
        yield Problem("rounds.toml", wrong, right, "warning")
    if not rulebook.notes.startswith("# "):
        wrong = "has no title" if rulebook.notes else "is missing"
        yield Problem("NOTES.md", wrong, 'start with a "# " title and explain your readings', "warning")


# --- worked rounds ---


def _worked_rounds(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    window = Window()
    for n, worked in enumerate(rulebook.rounds):
        path = f"rounds.toml[{n}]"
        if not isinstance(worked, dict) or not isinstance(worked.get("round"), dict):
            yield Problem(path, "has no round", "write [round.round] with board, dealer and seats")
            continue
        for key in ("name", "tells", "shows"):
            if not worked.get(key):
                yield Problem(f"{path}.{key}", "is missing", "write name, tells and shows")
        for clause in worked.get("shows", ()):
            yield from unknown(f"{path}.shows", clause, rulebook.known, "clause of any document")
        answer = window.settle({"rulebook": ref, **worked["round"]})
        if isinstance(answer, Settlement):
            yield from _expected(answer, worked.get("expect"), path)
        else:
            for refusal in answer.refused:
                right = f"correct the round{f' ({refusal.clause})' if refusal.clause else ''}"
                yield Problem(f"{path}.round.{refusal.where}", refusal.message, right)


def _expected(answer: Settlement, expect: Any, path: str) -> Iterator[Problem]:
    """Yield the differences between a settlement and a worked round's expected nets, wager by wager."""
    split = {line.seat for line in answer.lines if line.hand == 2}
    nets: dict[str, Counter[str]] = {str(seat.seat): Counter() for seat in answer.seats}
    for line in answer.lines:
        by_hand = line.seat in split and line.wager != "envy"
        nets[str(line.seat)][f"{line.wager}.{line.hand}" if by_hand else line.wager] += _signed(line.net)
    for seat in answer.seats:
        nets[str(seat.seat)]["net"] = _signed(seat.net)
    written = expect if isinstance(expect, dict) else {}
    for number in sorted({*nets, *written}):
        due = written.get(number)
        due = due if isinstance(due, dict) else {}
        for wager in dict.fromkeys([*nets.get(number, {}), *due]):
            place = f"{path}.expect.{number}.{wager}"
            net = nets.get(number, {}).get(wager)
            if net is None:
                yield Problem(place, "the seat has no such wager", "remove it, or correct its name")
            elif wager not in due:
                yield Problem(
                    place, "is missing", f'the settled net is "{dollars(net)}": check it and add it'
                )
            elif _amount(due[wager]) != net:
                wrong = f"expected {shortened(str(due[wager]))}, but the net is {dollars(net)}"
                yield Problem(place, wrong, "correct the round or the rulebook")


def _signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


def _amount(value: Any) -> int | None:
    try:
        return _signed(value) if isinstance(value, str) else None
    except MoneyError:
        return None


def _overpaid(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a warning for each bet on the highest hand at the table that loses money for the house.

    Only a house's own rulebook is checked.
    """
    from houseway.exact.wager_prices import by_table
    from houseway.exact.wager_values import advantage_warning

    names = [name for name, wager in rulebook.wagers.items() if wager.group.on_whole_table]
    terms, refused = read_terms(rulebook, {}, names)
    # The count takes seconds, so the documents' own tables are left out; tests check those.
    if not rulebook.extends or refused:
        return
    for name in names:
        values = by_table(terms, name).values()
        wrong = advantage_warning(rulebook.wagers[name].title, (value.returned for value in values))
        if wrong:
            yield Problem(f"wager.{name}", wrong, "pay less, or keep this risk on purpose", "warning")


# --- dealt and printed ---


def _dealt(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each deal mode in which an automatic table gets stuck."""
    for mode in rulebook.modes if rulebook.procedure.round else ():
        try:
            deal_rounds(ref, mode)
        except Exception as error:  # a bad procedure can make a table raise any exception
            stuck = isinstance(error, AssertionError) and not isinstance(getattr(error, "command", 0), Bet)
            cause = shortened(str(error) if isinstance(error, AssertionError) else repr(error), 200)
            right = "change the order of the steps" if stuck else "correct the cause"
            yield Problem("round", f"a round dealt in {mode} mode cannot be finished: {cause}", right)


def deal_rounds(ref: str, mode: str) -> None:
    """Deal rounds with every seat taken and every possible wager made.

    In every second round the players decide at random; in the others a supervisor acts for them.
    """
    rng = Random(f"{ref} {mode}")
    t = table(ref, mode=mode)
    t.sit(*range(1, t.table.seats + 1))
    wagers = {spot.wager: dollars(spot.least) for spot in spots(t.table, t.state, 1)}
    for number in range(DEALT):
        for seat in t.state.seats:
            t.bet(seat, **wagers)
        t.deal()
        while number % 2 and (current := turn(t.table, t.state)) is not None:
            options = decisions(legal(t.table, t.state, f"seat {current[0]}"))
            t.send(rng.choice(options).command)
            t.deal()
        t.finish()
    t.check_books()


def _printed(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield the problems in the printed sheets: refused terms, lines too wide, lines without a clause."""
    terms, refused = read_terms(rulebook, {})
    if refused:
        right = "correct the defaults of the house settings"
        yield from (Problem(r.where or "house", r.message, r.clause or right) for r in refused)
        return
    card = rules_card(terms)
    sheets = {"card": card, "script": dealers_script(terms)}
    sheets |= {name: sheet(terms, name) for name in ("layout", "signs", "placard")}
    for name, document in sheets.items():
        widest = max(terminal.text(document, WIDTH).splitlines(), key=len, default="")
        if len(widest) > WIDTH:
            wrong = f"the {name} has a line of {len(widest)} characters: {shortened(widest)}"
            yield Problem("rulebook.title", wrong, "shorten titles and names", "warning")
    if rulebook.clauses and not rulebook.extends:
        yield from _uncited(card)


def _uncited(card: Document) -> Iterator[Problem]:
    """Yield the lines of a document's rules card that have no clause."""
    for block in card.blocks:
        for line in block.lines if isinstance(block, Bullets) else ():
            if not line.clause:
                wrong = f"a line of the rules card has no clause: {shortened(line.text)}"
                yield Problem("options", wrong, "cite a clause, or fill it from another document")
