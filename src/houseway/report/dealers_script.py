"""The dealer's script of a rulebook: every step in order, the words and acts, what to do when something
goes wrong, each line with its clause."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.report.document import Block, Column, Document, Heading, Line, Paragraph
from houseway.report.document import Table as Rows
from houseway.report.rules_card import foot, subtitle
from houseway.rules.procedure import ACTS, CONSEQUENCES, MOMENTS, Cue, Irregularity, Step, Words
from houseway.rules.reading import Basis

PARTS: Final = {"opening": "Opening the table", "shuffling": "Before the deal", "round": "The round"}
STEPS: Final = (Column("Step"), Column("The dealer"), Column("Clause", clauses=True))
CONDITIONS: Final = {
    ("of", "dealer"): "the dealer's",
    ("of", "player"): "a player's",
    ("of", "board"): "a community card",
    ("all_acted", False): "before all have acted",
    ("all_acted", True): "after all have acted",
    ("hands_dealt", True): "once every hand is dealt",
    ("hands_dealt", False): "before every hand is dealt",
    ("several", True): "the second or a later one",
    ("cured", True): "the right number can still be dealt in sequence",
    ("all_there", True): "all cards are there",
}


def dealers_script(terms: Terms) -> Document:
    """The script of a table under these terms."""
    table = Table(terms)
    book = terms.rulebook
    mode = terms.mode
    blocks: list[Block] = []
    for section, title in PARTS.items():
        rows = [row for step in table.sections[section] if _made(table, step) for row in _step(step, mode)]
        if rows:
            blocks += [Heading(title), Rows(STEPS, tuple(rows))]
    if not blocks:
        blocks.append(Paragraph(Line("This rulebook has no procedure, so there is no script.")))
    cues = [(_moment(cue), _said(cue.words), _cite(cue.words.basis, mode)) for cue in table.cues]
    if cues:
        blocks += [Heading("Besides"), Rows((Column("When"), *STEPS[1:]), tuple(cues))]
    wrong = [row for irregular in book.procedure.irregularities for row in _wrong(irregular, mode)]
    if wrong:
        blocks += [Heading("When something goes wrong"), Rows((Column("What"), *STEPS[1:]), tuple(wrong))]
    blocks.append(
        Paragraph(Line(f"What each wager pays stands on the rules card: houseway show {book.id}."))
    )
    title = f"Dealer's script, {mode} mode: {book.title}"
    return Document(title, subtitle(book), tuple(blocks), foot(book))


def _made(table: Table, step: Step) -> bool:
    """Whether a step can come at this table: no pass is made for a wager the deal mode does not offer."""
    passed = table.passes.get(step.walk)
    if passed is None or step.act == "take folds":
        return True
    wagers = (table.book.wagers[name] for name in passed[1].wagers)
    return any(w.modes is None or table.mode in w.modes.value for w in wagers)


def _moment(cue: Cue) -> str:
    """When a cue comes, its conditions written in."""
    if cue.moment == "folded" and "held" in cue.when:
        return f"a player folded, and trips {'holds' if cue.when['held'] else 'does not hold'} the cards"
    stage = cue.when.get("stage")
    told = MOMENTS[cue.moment]
    if cue.when.get("several"):
        told += " in chips of several values"
    return f"{told} {stage}" if stage else told


def _cite(basis: Basis, mode: str) -> str:
    """The clause of a line in the table's deal mode."""
    named = basis.clause(mode)
    return "" if named is None else f"{named} (filled)" if basis.filled else named


def _step(step: Step, mode: str) -> list[tuple[str, str, str]]:
    every = step.rules.get("every")
    if every is not None:
        # Counted at the latest in the last of so many rounds.
        told = f"At least once in every {every.value} rounds: "
        first, *rest = step.words
        step = replace(step, words=(replace(first, says=told + first.says), *rest))
    if not step.words:
        return [(step.name, ACTS[step.act], _cite(step.basis, mode))]
    return [
        (step.name if n == 0 else "", _said(words), _cite(words.basis, mode))
        for n, words in enumerate(step.words)
    ]


def _wrong(row: Irregularity, mode: str) -> list[tuple[str, str, str]]:
    if row.kind == "machine failure" and mode != "device":
        return []
    when = [CONDITIONS.get((k, v), f"{k.replace('_', ' ')}: {v}") for k, v in row.when.items()]
    head = f"{row.kind}, {', '.join(when)}" if when else row.kind
    if not row.words:
        return [(head, CONSEQUENCES[row.then], _cite(row.basis, mode))]
    return [
        (head if n == 0 else "", _said(words), _cite(words.basis, mode))
        for n, words in enumerate(row.words)
    ]


def _said(words: Words) -> str:
    return words.filled(lambda name: f"[{name.replace('_', ' ')}]")
