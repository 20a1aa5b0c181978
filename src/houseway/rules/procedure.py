"""The dealer's procedure as data: the steps of opening, shuffling and playing, what the dealer says, and
what follows when something goes wrong.

A step names one act of a closed vocabulary, the clause it rests on, and rules of its own that rest on
clauses of theirs. The engine performs the steps in the order of the file; a step out of order is refused
with the clause of the step that is due.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from houseway.rules.catalogue import shared
from houseway.rules.problems import meant
from houseway.rules.toml_reader import MODES, Basis, Cited, Reader, texts_or_tables

SECTIONS: Final = ("opening", "shuffling", "round")
PLACES: Final = ("players", "dealer", "board", "discards")
"""Where cards are dealt to or collected from."""

_VOCABULARY: Final = shared("vocabulary.toml")
_ACTS: Final[Mapping[str, Mapping[str, Any]]] = _VOCABULARY["acts"]
ACTS: Final[Mapping[str, str]] = {name: act["means"] for name, act in _ACTS.items()}
"""What a step can do."""
RULES: Final[Mapping[str, Sequence[str]]] = {name: act.get("rules", ()) for name, act in _ACTS.items()}
"""The rules a step may carry, by its act; each rests on a clause of its own."""
NEEDS: Final[Mapping[str, Sequence[str]]] = {name: act.get("after", ()) for name, act in _ACTS.items()}
"""What must have happened in a round before an act."""
NEEDED: Final = [name for name, act in _ACTS.items() if "needed" in act]
"""The acts no round can be dealt without."""
KINDS: Final[Mapping[str, str]] = _VOCABULARY["kinds"]
"""What can go wrong."""
CONSEQUENCES: Final[Mapping[str, str]] = _VOCABULARY["consequences"]
"""What may follow."""
MOMENTS: Final[Mapping[str, str]] = _VOCABULARY["moments"]
"""When else than at a step the dealer has something to say or do."""
TABLE_RULES: Final[Mapping[str, str]] = _VOCABULARY["table_rules"]
"""The rules a procedure may have beside its steps."""

CONDITIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "of": ("dealer", "player", "board"),
    **dict.fromkeys(("all_acted", "hands_dealt", "several", "cured", "all_there"), (True, False)),
}
"""What a consequence may depend on."""

AFTER: Final = ("trips", "deck_off", "backup", "turned_back")
"""What a consequence may carry besides: trips still settled, the deck off the table, a back-up device, the
card turned face down again."""

_BLANK: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class ScriptWords:
    """One line of the dealer's script."""

    says: str
    """What to say or do; a name in braces is filled from what happened."""
    basis: Basis

    def filled(self, blank: Callable[[str], object]) -> str:
        """The line with each name in braces replaced by what `blank` returns for it."""
        return _BLANK.sub(lambda match: str(blank(match[1])), self.says)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the dealer's procedure."""

    name: str = field(metadata={"key": "step"})
    act: str
    modes: tuple[str, ...]
    when: tuple[Mapping[str, Any], ...]
    """House settings under which the step is made at all: any of these; none asks nothing."""
    to: tuple[str, ...]
    each: int = 1
    """Cards to each target, or to be turned."""
    times: int = 1
    face_up: bool
    stage: str = ""
    walk: str = field(default="", metadata={"key": "pass"})
    """The settlement pass the step performs."""
    rules: Mapping[str, Cited[Any]]
    words: tuple[ScriptWords, ...] = field(metadata={"key": "says"})
    basis: Basis

    def rule(self, name: str, mode: str) -> str | None:
        """The clause of one of the step's rules; None where it has no such rule or the rule no clause."""
        said = self.rules.get(name)
        return None if said is None else said.clause(mode)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What follows when something goes wrong, under some conditions."""

    kind: str
    when: Mapping[str, Any]
    then: str
    rules: Mapping[str, Cited[Any]]
    words: tuple[ScriptWords, ...] = field(metadata={"key": "says"})
    basis: Basis

    def fits(self, facts: Mapping[str, Any]) -> bool:
        """Whether the conditions are met."""
        return all(facts.get(name) == value for name, value in self.when.items())


@dataclass(frozen=True, slots=True)
class Cue:
    """Something the dealer says or does outside the steps."""

    moment: str
    when: Mapping[str, Any]
    words: ScriptWords = field(metadata={"key": "says"})


@dataclass(frozen=True, slots=True)
class Procedure:
    """Everything the dealer does at a table."""

    opening: tuple[Step, ...] = ()
    shuffling: tuple[Step, ...] = ()
    round: tuple[Step, ...] = ()
    irregularities: tuple[Irregularity, ...] = field(default=(), metadata={"key": "irregularity"})
    cues: tuple[Cue, ...] = field(default=(), metadata={"key": "cue"})
    standing: Mapping[str, Cited[Any]] = field(default_factory=dict, metadata={"key": "procedure"})
    """Rules of the table itself: each deck opened apart, what is done again after idle time, …"""

    def steps(self, section: str) -> tuple[Step, ...]:
        """The steps of a section."""
        return getattr(self, section)  # type: ignore[no-any-return]


def read_procedure(file: Reader) -> Procedure:
    """The procedure from a file's tables."""
    sections = {name: tuple(map(_step, file.rows(name))) for name in SECTIONS}
    irregularities = tuple(map(_irregularity, file.rows("irregularity")))
    cues = tuple(map(_cue, file.rows("cue")))
    standing = _rules(file.table("procedure"), TABLE_RULES)
    return Procedure(**sections, irregularities=irregularities, cues=cues, standing=standing)


def _step(row: Reader) -> Step:
    act = row.choice("act", ACTS, "note")
    return row.record(
        Step,
        act=act,
        modes=_words_of(row, "modes", MODES),
        when=_settings(row),
        to=_words_of(row, "to", PLACES),
        face_up=row.choice("face", ("up", "down"), "down") == "up",
        rules=_rules(row.table("rules"), RULES.get(act, ())),
        words=_script(row),
    )


def _irregularity(row: Reader) -> Irregularity:
    when = {}
    for name, values in CONDITIONS.items():
        value = row.raw(name)
        if value in values and type(value) is type(values[0]):
            when[name] = value
        elif value is not None:
            known = ", ".join(map(str, values))
            row.fault(name, f"{value!r} is no such condition", f"write one of {known}")
    return row.record(
        Irregularity,
        kind=row.choice("kind", KINDS),
        when=when,
        then=row.choice("then", CONSEQUENCES),
        rules=_rules(row.table("rules"), AFTER),
        words=_script(row),
    )


def _cue(row: Reader) -> Cue:
    words = ScriptWords(row.text("says", needed=True), row.basis())
    return row.record(Cue, moment=row.choice("on", MOMENTS), words=words)


def _rules(reader: Reader, known: Collection[str]) -> dict[str, Cited[Any]]:
    """Rules by name; one without a value is simply in force."""
    rules = {}
    for name, below in reader.tables():
        if name not in known:
            reader.fault(name, "is unknown here", meant(name, known) if known else "this act has no rules")
            continue
        value = below.raw("value")
        rules[name] = below.record(Cited, value=True if value is None else value)
    return rules


def _script(row: Reader) -> tuple[ScriptWords, ...]:
    """The lines of a step: one text resting on the step's own clause, or lines with clauses of theirs."""
    value = row.raw("says")
    if isinstance(value, str):
        return (ScriptWords(value, row.basis()),)
    return texts_or_tables(row, "says", ScriptWords, "a text or a list of lines belongs here")


def _settings(row: Reader) -> tuple[Mapping[str, Any], ...]:
    """One table of house settings, or several of which one must hold."""
    value = row.raw("when")
    if isinstance(value, dict):
        return (value,)
    return tuple(row.listed("when", dict, "a table of settings, or a list of them, belongs here"))


def _words_of(row: Reader, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    listed = row.texts(key)
    for word in listed:
        if word not in known:
            row.fault(key, f"{word!r} is unknown", meant(word, known))
    return listed
