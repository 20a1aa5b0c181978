"""The dealer's procedure as data: the steps of opening, shuffling and playing, the dealer's script, and the
consequences of irregularities.

A step has one act from a fixed vocabulary and cites a clause. It may have rules, each with its own clause.
The engine performs the steps in the order of the file. It refuses a step out of order, and cites the clause
of the step that is due.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from houseway.rules.catalogue import shared
from houseway.rules.problems import suggest
from houseway.rules.toml_reader import MODES, Basis, Cited, Reader, texts_or_tables

SECTIONS: Final = ("opening", "shuffling", "round")
PLACES: Final = ("players", "dealer", "board", "discards")
"""The places that cards are dealt to or collected from."""

_VOCABULARY: Final = shared("vocabulary.toml")
_ACTS: Final[Mapping[str, Mapping[str, Any]]] = _VOCABULARY["acts"]
ACTS: Final[Mapping[str, str]] = {name: act["means"] for name, act in _ACTS.items()}
"""The acts of steps, with their meanings."""
RULES: Final[Mapping[str, Sequence[str]]] = {name: act.get("rules", ()) for name, act in _ACTS.items()}
"""The rules that a step may have, by its act."""
_ALL_RULES: Final = frozenset(chain.from_iterable(RULES.values()))
NEEDS: Final[Mapping[str, Sequence[str]]] = {name: act.get("after", ()) for name, act in _ACTS.items()}
"""The acts that must come before an act in a round."""
NEEDED: Final = [name for name, act in _ACTS.items() if "needed" in act]
"""The acts that every round needs."""
KINDS: Final[Mapping[str, str]] = _VOCABULARY["kinds"]
EXPOSED_CARD: Final = "exposed card"
FACE_UP_CARD: Final = "face-up card"
"""The irregularities, with their meanings."""
CONSEQUENCES: Final[Mapping[str, str]] = _VOCABULARY["consequences"]
"""The consequences of irregularities, with their meanings."""
MOMENTS: Final[Mapping[str, str]] = _VOCABULARY["moments"]
"""The moments, other than steps, at which the dealer says or does something."""
TABLE_RULES: Final[Mapping[str, str]] = _VOCABULARY["table_rules"]
"""The rules that a procedure may have in addition to its steps."""

TITLES: Final[Mapping[str, Sequence[str]]] = _VOCABULARY["titles"]
"""The titles of people with the authority of a role."""

CONDITIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "of": ("dealer", "player", "board"),
    **dict.fromkeys(
        ("all_acted", "hands_dealt", "several", "cured", "all_there", "misdealt"), (True, False)
    ),
}
"""The conditions that a consequence may depend on, with their values."""

AFTER: Final = (
    "trips", "board", "progressive", "deck_off", "backup", "in_device", "turned_back", "settled", "ends",
    "shuffled", "voids",
)  # fmt: skip
"""The rules that a consequence may have:

- `trips`: trips wagers are still settled.
- `board`: the community cards are still dealt if there is no trips wager.
- `progressive`: the house decides whether progressive wagers are settled.
- `deck_off`: the deck is taken off the table.
- `backup`: a back-up device is used. With the value "needed", every report must name it.
- `in_device`: the decks in the device are shuffled again before they are used.
- `turned_back`: the card is turned face down again. With the value "once", the same premature
  flop cannot be reported a second time.
- `settled`: wagers settled earlier in the round are also returned.
- `ends`: the round ends if no hand is left in it.
- `shuffled`: the device counts the cards only after a shuffle, so not during the opening.
- `voids`: the clause by which a round in play is void, if it is not the clause of the consequence.
"""

_BLANK: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class ScriptWords:
    """One line of the dealer's script."""

    says: str
    """What to say or do; a name in braces is replaced by a value from the round."""
    basis: Basis

    def filled(self, blank: Callable[[str], object]) -> str:
        """Return the line, with each name in braces replaced by what `blank` returns for it."""
        return _BLANK.sub(lambda match: str(blank(match[1])), self.says)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the dealer's procedure."""

    name: str = field(metadata={"key": "step"})
    act: str
    modes: tuple[str, ...]
    when: tuple[Mapping[str, Any], ...]
    """Tables of house settings. The step is performed if any of them matches, or if there are none."""
    to: tuple[str, ...]
    each: int = 1
    """The number of cards dealt to each place, or turned up."""
    times: int = 1
    face_up: bool
    stage: str = ""
    pass_name: str = field(default="", metadata={"key": "pass"})
    """The settlement pass the step performs."""
    free_from: tuple[str, ...] = ()
    """The step may be done once these steps are over: the document asks for no later moment."""
    free_until: tuple[str, ...] = ()
    """The step may wait until the first of these steps begins: the document asks for no earlier moment."""
    any_order: bool = False
    """True if the acts of the step may come in any order."""
    rules: Mapping[str, Cited[Any]]
    words: tuple[ScriptWords, ...] = field(metadata={"key": "says"})
    basis: Basis

    def rule(self, name: str, mode: str) -> str | None:
        """Return the clause of one of the step's rules; None if there is no such rule or no clause."""
        cited = self.rules.get(name)
        return None if cited is None else cited.clause(mode)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """The consequence of an irregularity if certain conditions are met."""

    kind: str
    when: Mapping[str, Any]
    then: str
    rules: Mapping[str, Cited[Any]]
    words: tuple[ScriptWords, ...] = field(metadata={"key": "says"})
    basis: Basis

    def fits(self, facts: Mapping[str, Any]) -> bool:
        """True if the conditions are met."""
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
    """Rules of the table itself, such as the steps to repeat after idle time."""

    def steps(self, section: str) -> tuple[Step, ...]:
        """Return the steps of a section."""
        return getattr(self, section)  # type: ignore[no-any-return]


def read_procedure(file: Reader) -> Procedure:
    """Return the procedure from a file's tables."""
    sections = {name: tuple(map(_step, file.rows(name))) for name in SECTIONS}
    irregularities = tuple(map(_irregularity, file.rows("irregularity")))
    cues = tuple(map(_cue, file.rows("cue")))
    standing = _rules(file.table("procedure"), TABLE_RULES)
    return Procedure(**sections, irregularities=irregularities, cues=cues, standing=standing)


def _step(row: Reader) -> Step:
    act, written = row.choice("act", ACTS, "note"), row.raw("act")
    # If the act is misspelled, its rules are unknown, so a step may have any rule.
    misspelled = isinstance(written, str) and written not in ACTS
    return row.record(
        Step,
        act=act,
        modes=_words_of(row, "modes", MODES),
        when=_settings(row),
        to=_words_of(row, "to", PLACES),
        face_up=row.choice("face", ("up", "down"), "down") == "up",
        free_from=row.texts("free_from"),
        free_until=row.texts("free_until"),
        rules=_rules(row.table("rules"), _ALL_RULES if misspelled else RULES[act]),
        words=_script(row),
    )


def _irregularity(row: Reader) -> Irregularity:
    when = {}
    for name, values in CONDITIONS.items():
        value = row.raw(name)
        if value in values and type(value) is type(values[0]):
            when[name] = value
        elif value is not None:
            row.fault(name, f"{value!r} is not allowed", f"use one of {', '.join(map(str, values))}")
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
    """Return rules by name; a rule without a value has the value True."""
    rules = {}
    for name, below in reader.tables():
        if name not in known:
            reader.fault(
                name,
                "unknown key",
                suggest(name, known, "key") if known else "remove it: there are no rules here",
            )
            continue
        value = below.raw("value")
        rules[name] = below.record(Cited, value=True if value is None else value)
    return rules


def _script(row: Reader) -> tuple[ScriptWords, ...]:
    """Return the lines of a step: one with the step's clause, or several with their own clauses."""
    value = row.raw("says")
    if isinstance(value, str):
        return (ScriptWords(value, row.basis()),)
    return texts_or_tables(row, "says", ScriptWords, "write a string or a list of lines")


def _settings(row: Reader) -> tuple[Mapping[str, Any], ...]:
    """Return the tables of house settings in `when`; the step is performed if any of them matches."""
    value = row.raw("when")
    if isinstance(value, dict):
        return (value,)
    return tuple(row.listed("when", dict, "write a table of settings, or a list of such tables"))


def _words_of(row: Reader, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    listed = row.texts(key)
    for word in listed:
        if word not in known:
            row.fault(key, f"{word!r} is not allowed", suggest(word, known))
    return listed
