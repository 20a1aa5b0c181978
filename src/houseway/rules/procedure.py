"""The dealer's procedure as data: the steps of opening, shuffling and playing, what the dealer says, and
what follows when something goes wrong.

A step names one act of a closed vocabulary, the clause it rests on, and rules of its own that rest on
clauses of theirs. The engine performs the steps in the order of the file; a step out of order is refused
with the clause of the step that is due.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from houseway.rules.problems import meant
from houseway.rules.reading import MODES, Basis, Reader, Said, kind

ACTS: Final[Mapping[str, str]] = {
    "note": "it is recorded, and nothing else happens",
    "shuffle": "the cards are shuffled, by hand or by device",
    "cut": "some cards are cut off the top; the rest goes on top of them",
    "place cut card": "a cut card is put so many cards from the end of the shoe",
    "load": "the stacked cards go into the shoe or the machine",
    "clear rack": "the discard rack is emptied",
    "take other deck": "the deck out of the device is taken into play, the other goes in",
    "burn": "the next card goes face down to the rack, seen by nobody",
    "open": "the round opens and wagers are taken",
    "close betting": "no wager is taken from here on",
    "lock": "the progressive sensors lock and light up",
    "collect progressive": "the progressive wagers are taken off the table",
    "lammers": "a lammer marks each wager that envy goes with",
    "deal": "cards are dealt to players, dealer or board, in order",
    "look": "players may look at their cards",
    "ask": "each player in turn is asked for a decision",
    "turn": "community cards are turned up",
    "remove stub": "what is left of the deck leaves the shoe",
    "count stub": "the stub is counted face down",
    "take folds": "folded hands are dealt with",
    "reveal": "the dealer's cards are turned up and the hand is called",
    "set dealer": "the dealer keeps two of four cards by the house way",
    "arrange": "the common cards are put in order",
    "show payouts": "the device finds the number of hands and shows what it pays",
    "settle": "wagers are settled, hand by hand",
    "collect": "cards are put into the rack",
    "reset": "the sensors' lights go out",
    "close": "the round is complete",
}
"""What a step can do."""

SECTIONS: Final = ("opening", "shuffling", "round")
TARGETS: Final = ("players", "dealer", "board")
COLLECTED: Final = ("players", "dealer", "board", "discards")

RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "note": ("named",),
    "shuffle": ("single_stack",),
    "cut": ("recut", "turns", "by_player"),
    "close betting": ("no_wager", "no_change"),
    "lock": ("lights", "stays_lit"),
    "ask": ("waits", "order", "kept", "discards", "split", "optional"),
    "take folds": ("at_once", "counted", "racked", "turned", "envy_left"),
    "set dealer": ("challenge", "reset"),
    "turn": ("count",),
    "count stub": ("every", "right"),
    "settle": ("turned", "taken_first", "keyed", "unkeyed", "racked", "left", "replaced", "envy_left"),
    "collect": ("final", "waits", "order", "count"),
}
"""The rules a step may carry, by its act; each rests on a clause of its own."""

KINDS: Final[Mapping[str, str]] = {
    "exposed card": "a card is seen that should not be",
    "face-up card": "a card lies face up in the deck",
    "card drawn in error": "a card left the deck too early, unseen",
    "wrong number": "a hand has too many or too few cards",
    "wrong count": "the stub and the cards on the table do not make a deck",
    "device count": "the device shows a wrong number of cards",
    "shuffler jam": "the shuffling device jams, stops or does not finish",
    "machine failure": "the dealing machine fails during a round",
}
"""What can go wrong."""

CONSEQUENCES: Final[Mapping[str, str]] = {
    "play goes on": "nothing changes",
    "used": "the card is used as the next card",
    "set aside": "the card goes to the rack and the next one takes its place",
    "hand void": "that hand's wagers are returned, the others play on",
    "cured": "the dealer is dealt the right number in sequence and play goes on",
    "void": "every hand is void and wagers are returned",
    "reshuffle": "the cards are shuffled again before anything is dealt",
    "deck off": "the deck leaves the table",
}
"""What may follow."""

CONDITIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "of": ("dealer", "player", "board"),
    "all_acted": (True, False),
    "hands_dealt": (True, False),
    "several": (True, False),
    "cured": (True, False),
    "all_there": (True, False),
}
"""What a consequence may depend on."""

AFTER: Final = ("trips", "deck_off", "backup", "turned_back")
"""What a consequence may carry besides: trips still settled, the deck off the table, a back-up device, the
card turned face down again."""

MOMENTS: Final[Mapping[str, str]] = {
    "always": "a standing instruction at every step",
    "played": "a play wager was made",
    "checked": "a player checked",
    "folded": "a player folded, and trips holds the cards or not",
    "paid": "a wager is paid",
    "turned": "a player's hand is turned up",
    "idle": "the table stands idle",
    "seat held": "a seat is held for a player who comes back",
}
"""When else than at a step the dealer has something to say or do."""


_BLANK: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Words:
    """One line of the dealer's script."""

    says: str
    """What to say or do; a name in braces is filled from what happened."""
    basis: Basis

    def filled(self, blank: Callable[[str], object]) -> str:
        """The line with each name in braces replaced by what `blank` returns for it."""
        return _BLANK.sub(lambda match: str(blank(match[1])), self.says)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the dealer's procedure."""

    name: str
    act: str
    modes: tuple[str, ...]
    when: tuple[Mapping[str, Any], ...]
    """House settings under which the step is made at all: any of these; none asks nothing."""
    to: tuple[str, ...]
    each: int
    """Cards to each target, or to be turned."""
    times: int
    face_up: bool
    stage: str
    walk: str
    """The settlement pass the step performs."""
    rules: Mapping[str, Said[Any]]
    words: tuple[Words, ...]
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
    rules: Mapping[str, Said[Any]]
    words: tuple[Words, ...]
    basis: Basis

    def fits(self, facts: Mapping[str, Any]) -> bool:
        """Whether the conditions are met."""
        return all(facts.get(name) == value for name, value in self.when.items())


@dataclass(frozen=True, slots=True)
class Cue:
    """Something the dealer says or does outside the steps."""

    moment: str
    when: Mapping[str, Any]
    words: Words


@dataclass(frozen=True, slots=True)
class Procedure:
    """Everything the dealer does at a table."""

    opening: tuple[Step, ...] = ()
    shuffling: tuple[Step, ...] = ()
    round: tuple[Step, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()
    cues: tuple[Cue, ...] = ()
    standing: Mapping[str, Said[Any]] = field(default_factory=dict)
    """Rules of the table itself: each deck opened apart, what is done again after idle time, …"""

    def steps(self, section: str) -> tuple[Step, ...]:
        """The steps of a section."""
        return getattr(self, section)  # type: ignore[no-any-return]


TABLE_RULES: Final[Mapping[str, str]] = {
    "each_deck": "the opening is gone through for each deck by itself",
    "after_idle": "the steps done again when an idle table resumes",
    "lasts": "how long shuffled cards are dealt from",
    "ends": "what ends them",
    "notice": "who is told of a changed minimum before it counts",
    "kept": "a player in the game may be kept at the old minimum",
    "kept_lost": "a kept player who leaves with the chips loses that",
    "kept_hold": "unless the floor holds the seat",
    "hold": "who says how long a seat is held",
    "stays": "who holds cards stays to the end of the round",
    "chips": "what wagers are made with",
    "verbal": "a spoken wager backed by cash is not taken",
    "one_deck": "one deck at a time is dealt from",
    "cover_colours": "the colours cover cards may have",
}
"""The rules a procedure may have beside its steps."""


def read_procedure(file: Reader) -> Procedure:
    """The procedure from a file's tables."""
    opening, shuffling, round_ = (tuple(_step(row) for row in file.rows(name)) for name in SECTIONS)
    return Procedure(
        opening,
        shuffling,
        round_,
        tuple(_irregularity(row) for row in file.rows("irregularity")),
        tuple(_cue(row) for row in file.rows("cue")),
        _rules(file.table("procedure"), tuple(TABLE_RULES)),
    )


def _step(row: Reader) -> Step:
    act = row.choice("act", ACTS, "note")
    return row.make(
        Step,
        row.text("step", needed=True),
        act,
        _words_of(row, "modes", MODES),
        _settings(row),
        _words_of(row, "to", tuple(dict.fromkeys(TARGETS + COLLECTED))),
        row.typed("each", int, 1),
        row.typed("times", int, 1),
        row.choice("face", ("up", "down"), "down") == "up",
        row.text("stage"),
        row.text("pass"),
        _rules(row.table("rules"), RULES.get(act, ())),
        _script(row),
        row.basis(),
    )


def _irregularity(row: Reader) -> Irregularity:
    when = {}
    for name, values in CONDITIONS.items():
        value = row.raw(name)
        if value is None:
            continue
        if value not in values or type(value) is not type(values[0]):
            row.fault(
                name, f"{value!r} is no such condition", f"write one of {', '.join(map(str, values))}"
            )
            continue
        when[name] = value
    return row.make(
        Irregularity,
        row.choice("kind", KINDS),
        when,
        row.choice("then", CONSEQUENCES),
        _rules(row.table("rules"), AFTER),
        _script(row),
        row.basis(),
    )


def _cue(row: Reader) -> Cue:
    return row.make(
        Cue,
        row.choice("on", MOMENTS),
        row.table("when").data,
        Words(row.text("says", needed=True), row.basis()),
    )


def _rules(reader: Reader, known: tuple[str, ...]) -> dict[str, Said[Any]]:
    """Rules by name; one without a value is simply in force."""
    rules = {}
    for name, below in reader.tables_here():
        if name not in known:
            reader.fault(name, "is unknown here", meant(name, known) if known else "this act has no rules")
            continue
        value = below.raw("value")
        rules[name] = Said(True if value is None else value, below.basis())
        below.finish()
    return rules


def _script(row: Reader) -> tuple[Words, ...]:
    """The lines of a step: one text resting on the step's own clause, or lines with clauses of theirs."""
    value = row.raw("says")
    if value is None:
        return ()
    if isinstance(value, str):
        return (Words(value, row.basis()),)
    if not isinstance(value, list):
        row.fault("says", f"is {kind(value)}", "a text or a list of lines belongs here")
        return ()
    lines = []
    for n, item in enumerate(value):
        if isinstance(item, str):
            lines.append(Words(item, row.basis()))
        else:
            below = row.below(item, f"says[{n}]")
            lines.append(Words(below.text("says", needed=True), below.basis()))
            below.finish()
    return tuple(lines)


def _settings(row: Reader) -> tuple[Mapping[str, Any], ...]:
    """One table of house settings, or several of which one must hold."""
    value = row.raw("when")
    if value is None:
        return ()
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(v, dict) for v in listed):
        row.fault("when", f"is {kind(value)}", "a table of settings, or a list of them, belongs here")
        return ()
    return tuple(listed)


def _words_of(row: Reader, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    listed = row.texts(key)
    for word in listed:
        if word not in known:
            row.fault(key, f"{word!r} is unknown", meant(word, known))
    return listed
