"""Print the dealer's script: what to say and do at every step and after an irregularity, with clauses."""

from __future__ import annotations

from typing import Final

from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.report import document as d
from houseway.report.rules_card import make_document
from houseway.rules.procedure import ACTS, CONSEQUENCES, MOMENTS, Cue, Irregularity, ScriptWords, Step
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Basis
from houseway.wording import shown_name

Row = tuple[str, str, str]

PARTS: Final = {"opening": "Opening the table", "shuffling": "Before the deal", "round": "The round"}
CONDITIONS: Final = {
    ("all_acted", False): "before all players have acted",
    ("all_acted", True): "after all players have acted",
    ("hands_dealt", True): "after all hands are dealt",
    ("hands_dealt", False): "before all hands are dealt",
    ("cured", True): "if the correct number of cards can still be dealt in the right order",
    ("all_there", True): "if no card is missing and none is extra",
    ("misdealt", True): "if a hand has the wrong number of cards",
}
WITH_OWNER: Final = {"exposed card": "exposed {} card", "wrong number": "wrong number of {} cards"}
"""Irregularities with a blank for the dealer, a player or the board."""
BLANKS: Final = {"reads": "hand", "five": "five cards"}
"""Clearer words for some of the blanks in the script."""


def dealers_script(terms: Terms) -> d.Document:
    """Return the script of a table under these terms."""
    table = Table(terms)
    book, mode = terms.rulebook, terms.mode
    blocks: list[d.Block] = []
    for section, title in PARTS.items():
        steps = (step for step in table.sections[section] if _occurs(table, step))
        blocks += _section(title, "Step", [row for step in steps for row in _step(step, mode)])
    blocks = blocks or [d.TextLine("This rulebook has no procedure, so there is no script.")]
    chosen = [cue for cue in table.cues if _at_table(terms, cue)]
    cues = [(_moment(book, cue), _spoken(cue.words), _cite(cue.words.basis, mode)) for cue in chosen]
    wrong = [row for irregular in book.procedure.irregularities for row in _wrong(irregular, mode)]
    blocks += _section("During the round", "When", cues)
    blocks += _section("Irregularities", "Irregularity", wrong)
    blocks.append(d.TextLine(f"The rules card has each wager's payments: houseway show {book.id}."))
    return make_document(book, f"Dealer's script, {mode} mode: {book.title}", blocks)


def _section(title: str, head: str, rows: list[Row]) -> list[d.Block]:
    columns = (d.Column(head), d.Column("The dealer"), d.Column("Clause", clauses=True))
    return [d.Heading(title), d.SheetTable(columns, tuple(rows))] if rows else []


def _occurs(table: Table, step: Step) -> bool:
    """True if a step occurs at this table; False if it settles only wagers that the deal mode does not
    offer."""
    settlement_pass = table.passes.get(step.pass_name)
    if settlement_pass is None or step.act == "take folds":
        return True
    wagers = (table.book.wagers[name] for name in settlement_pass.wagers)
    return any(w.modes is None or table.mode in w.modes.value for w in wagers)


def _at_table(terms: Terms, cue: Cue) -> bool:
    """True if a cue can be given at this table: the deal mode must offer the cue's wager, and the house
    must settle a folded progressive at the moment that the cue names."""
    about = terms.rulebook.wagers.get("cover_all" if cue.moment == "removed" else cue.when.get("wager", ""))
    offered = about is None or about.modes is None or terms.mode in about.modes.value
    return offered and cue.when.get("progressive") in (None, terms.house("folded_progressive"))


def _moment(book: Rulebook, cue: Cue) -> str:
    """Return the moment of a cue in words, with its conditions."""
    if "progressive" in cue.when:
        return "a player folded with a progressive but no trips bet"
    if cue.moment == "folded" and "held" in cue.when:
        return f"a player folded, and {'a' if cue.when['held'] else 'no'} trips bet keeps the cards"
    if cue.moment == "left" and cue.when.get("wager") in book.wagers:
        wager = book.wagers[cue.when["wager"]]
        return f"a settled hand stays on the table for {wager.title or wager.name}"
    stage = cue.when.get("stage")
    text = MOMENTS[cue.moment]
    if cue.when.get("several"):
        text += " in chips of several values"
    return f"{text} {stage}" if stage else text


def _cite(basis: Basis, mode: str) -> str:
    """The clause of a line in the table's deal mode."""
    clause = basis.clause(mode)
    return "" if clause is None else f"{clause} (borrowed)" if basis.filled else clause


def _step(step: Step, mode: str) -> list[Row]:
    rows = _rows(shown_name(step.name), step.words, (ACTS[step.act], step.basis), mode)
    every = step.rules.get("every")
    if every is not None:
        # The step is required at least once in this many rounds.
        head, text, clause = rows[0]
        rows[0] = (head, f"At least once in every {every.value} rounds: {text}", clause)
    return rows


def _wrong(row: Irregularity, mode: str) -> list[Row]:
    if row.kind == "machine failure" and mode != "device":
        return []
    return _rows(_irregularity(row), row.words, (CONSEQUENCES[row.then], row.basis), mode)


def _irregularity(row: Irregularity) -> str:
    """Return an irregularity in words, such as "exposed dealer card, before all players have acted"."""
    when = dict(row.when)
    text = (
        WITH_OWNER[row.kind].format(when.pop("of")) if "of" in when and row.kind in WITH_OWNER else row.kind
    )
    if when.get("several"):
        del when["several"]
        text = f"second or later {text}"
    conditions = (CONDITIONS.get((k, v), f"{k.replace('_', ' ')}: {v}") for k, v in when.items())
    return ", ".join((text, *conditions))


def _rows(head: str, words: tuple[ScriptWords, ...], otherwise: tuple[str, Basis], mode: str) -> list[Row]:
    """Return a row for each thing to say or do in a step, or `otherwise` if the rulebook has no words."""
    lines = [(_spoken(each), each.basis) for each in words] or [otherwise]
    return [("" if n else head, text, _cite(basis, mode)) for n, (text, basis) in enumerate(lines)]


def _spoken(words: ScriptWords) -> str:
    return words.filled(lambda name: f"[{BLANKS.get(name, name.replace('_', ' '))}]")
