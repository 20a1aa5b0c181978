"""Every act of a table with its label, group and key. The order is fixed, so that it gives no hint about
the act that is due."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final

from msgspec.structs import replace

from houseway.client.training_messages import ActOption, Group, IrregularityKind
from houseway.engine import events as e
from houseway.engine.deal_acts import method
from houseway.engine.report_options import ASKS, NAME_PLACES
from houseway.engine.table import Table
from houseway.rules.procedure import ACTS, KINDS, Step
from houseway.training import acts as a
from houseway.training.chair import MISCOUNT, NOT_DUE, ChairEntry
from houseway.training.due_acts import BY_STEP, WITH_THINGS, palette
from houseway.training.judge import Verdict
from houseway.training.words import YOU, act_words, due_words, step_done, verdict_words
from houseway.wording import capital, several

GROUPS: Final[tuple[Group, ...]] = ("cards", "players", "wagers", "table")
CLOSE: Final = a.TakeStep(what="close")
NOT_CLOSED: Final = "tried to close the round"
MOVES: Final = (a.Rack, a.Take, a.Push, a.TakeFold)
"""Acts that move cards or chips. If nothing moved, the dealer only tried."""
SPOT: Final = ("seat", "wager", "hand", "tip", "of")
"""The fields that name a wager."""
LABELS: Final[dict[str, tuple[str, Group, tuple[str, ...], str]]] = {
    "Ask": ("Ask", "players", ("seat",), "ask a player to decide"),
    "Burn": ("Burn", "cards", ("count",), "burn the next card"),
    "CallFloor": ("Call the floor", "table", (), "call the floor supervisor"),
    "ColourUp": ("Colour up", "table", ("seat", "taken", "given"), "change a player's chips for others"),
    "CorrectPayment": ("Correct", "wagers", ("seat", "wager", "hand", "amount"), "correct a payment"),
    "CountStub": ("Count stub", "cards", ("count",), "announce the number of cards in the stub"),
    "DealCards": ("Deal", "cards", ("place", "count"), "deal the next cards to a place"),
    "Key": ("Key meter", "table", ("seat", "hand"), "press an award on the keypad; again to withdraw it"),
    "LetStand": (
        "Let it stand", "wagers", ("seat", "wager", "hand"), "tell a player that a payment was right",
    ),
    "Pay": ("Pay", "wagers", (*SPOT, "chips"), "pay a wager with chips"),
    "Push": ("Push", "wagers", SPOT, "return a wager to the player"),
    "Rack": ("Rack", "cards", ("what",), "put cards into the discard rack"),
    "ReadHand": (
        "Read a hand", "players", ("place", "hand", "reads", "result", "qualifies"), "announce a hand",
    ),
    "Refuse": (
        "Refuse", "players", ("seat", "what"),
        "refuse a late bet, a tip, a bet taken back, or a decision out of turn",
    ),
    "ReportIrregularity": (
        "Report an irregularity", "table", ("kind", "at", "which", "count", "device"), "stop play",
    ),
    "ResetDealer": ("Set the hand again", "cards", (), "set the dealer's hand again by the house way"),
    "SetHand": ("Set the hand", "cards", ("cards",), "choose the two cards that the dealer keeps"),
    "Take": ("Take", "wagers", SPOT, "take a lost wager"),
    "TakeFold": ("Take a fold", "players", ("seat",), "take a folded hand"),
    "TurnUp": ("Turn up", "cards", ("place", "hand", "count"), "turn up a hand or community cards"),
    "Warn": ("Warn", "players", ("seat",), "tell a player to stop"),
}  # fmt: skip
"""For each kind of act: its label, its group, the fields that it asks for, and its meaning."""
ANYTIME: Final = ("CallFloor", "CorrectPayment", "LetStand", "Refuse", "ReportIrregularity", "Warn")
"""Acts that every table has, although no step asks for them."""
STEP_GROUPS: Final[dict[str, Group]] = {
    **dict.fromkeys(
        ("inspect", "verify", "wash", "shuffle", "shuffle other deck", "cut", "place cut card", "load",
         "clear rack", "take other deck", "remove stub", "arrange"),
        "cards",
    ),
    **dict.fromkeys(("offer inspection", "look", "open", "close betting"), "players"),
    **dict.fromkeys(("collect progressive", "lammers"), "wagers"),
}  # fmt: skip
"""The groups of steps by act; a step that is not listed belongs to the table."""
KEYS: Final = {
    "Ask": "q", "Burn": "b", "CallFloor": "f", "ColourUp": "g", "CorrectPayment": "c", "CountStub": "n",
    "DealCards": "d", "Key": "y", "Pay": "p", "Push": "h", "Rack": "k", "ReadHand": "r",
    "LetStand": "z", "Refuse": "x", "ReportIrregularity": "i", "SetHand": "s", "Take": "t", "TakeFold": "o",
    "TurnUp": "u", "Warn": "w",
    "verify": "v", "close": "e", "close betting": "a", "show payouts": "j", "lock": "l",
}  # fmt: skip
"""The suggested keys of acts. Any other act gets the first letter of its name that is free, if any is."""


def act_options(table: Table) -> tuple[ActOption, ...]:
    """Return every act of a table, by group and in alphabetical order. The list never changes."""
    kinds = [*(name for name in palette(table) if name in LABELS), *ANYTIME]
    if "SetHand" in kinds:
        kinds.append("ResetDealer")
    listed = [_with_things(kind) for kind in kinds]
    listed += [_step(table, what, names) for what, names in step_names(table).items()]
    listed.sort(key=lambda one: (GROUPS.index(one.group), one.name.lower()))
    return _with_keys(table, listed)


def _with_things(kind: str) -> ActOption:
    name, group, asks, means = LABELS[kind]
    return ActOption(name=name, group=group, type=kind, asks=asks, means=means)


def _step(table: Table, what: str, names: list[str]) -> ActOption:
    name = step_words(table, names[0]) if len(names) == 1 else what
    act = next(step.act for step in table.steps.values() if step.name == names[0])
    return ActOption(
        name=capital(name),
        group=STEP_GROUPS.get(act, "table"),
        type="TakeStep",
        what=what,
        asks=("count",) if act == "cut" else (),
        means="" if act in BY_STEP else ACTS[act],
        thing="cover" if "cover card" in name else "",
    )


def _with_keys(table: Table, listed: list[ActOption]) -> tuple[ActOption, ...]:
    """Return the acts with their keys. Steps of the round get theirs before those of the opening."""
    keys = {_name(one): KEYS.get(_name(one), "") for one in listed}
    free = [letter for letter in ascii_lowercase if letter not in keys.values()]
    often = {step.act for step in (*table.book.procedure.round, *table.book.procedure.shuffling)}
    for one in sorted(listed, key=lambda one: _name(one) not in often):
        if not keys[_name(one)]:
            own = [letter for letter in one.name.lower() if letter in free]
            letters = own or (free if _name(one) in often else [])
            keys[_name(one)] = letters[0] if letters else ""
            free = [letter for letter in free if letter not in letters[:1]]
    return tuple(replace(one, key=keys[_name(one)]) for one in listed)


def _name(option: ActOption) -> str:
    return option.what or option.type


def irregularity_kinds(table: Table) -> tuple[IrregularityKind, ...]:
    """Return the irregularities that the rulebook has rules for, in alphabetical order."""
    kinds = reportable_kinds(table)
    return tuple(IrregularityKind(kind=kind, means=KINDS[kind], asks=_asked(kind)) for kind in kinds)


def reportable_kinds(table: Table) -> tuple[str, ...]:
    """Return the names of the irregularities that can happen at a table, in alphabetical order.

    A device that the table does not have cannot fail.
    """
    missing = {
        "shuffler jam": method(table) == "hand",
        "machine failure": table.mode != "device",
        "device count": table.terms.house("device_counts") is False,
    }
    kinds = {row.kind for row in table.book.procedure.irregularities}
    return tuple(sorted(kind for kind in kinds if not missing.get(kind)))


def _asked(kind: str) -> tuple[str, ...]:
    places = ("at", "which") if kind in NAME_PLACES else ()
    return (*places, *(field for field in ASKS.get(kind, {}) if field in ("count", "device")))


def step_names(table: Table) -> dict[str, list[str]]:
    """Return the names of the steps that need no more than their names, grouped by act."""
    names: dict[str, list[str]] = {}
    for step in table.steps.values():
        if step.act not in WITH_THINGS and step.act != "ask":
            names.setdefault(step.name if step.act in BY_STEP else step.act, []).append(step.name)
    return names


def step_words(table: Table, name: str) -> str:
    """Return a step's name, as an act of the dealer. Some steps are for another person, who is named."""
    step = table.steps[name]
    person = step.rules["named"].value if "another" in step.rules and "named" in step.rules else ""
    return f"have the {person} {name}" if person else name


def act_text(table: Table, act: a.ChairAct) -> str:
    """Return an act as it was done; a step by its name in the procedure, if only one step has this act."""
    if not isinstance(act, a.TakeStep):
        return act_words(act)
    names = step_names(table).get(act.what, [])
    if act.count:
        return act_words(act)
    return step_done(step_words(table, names[0]) if len(names) == 1 else act.what)


def done_text(table: Table, act: a.ChairAct, entry: ChairEntry) -> str:
    """Return the trainee's act of an entry in words.

    A round cannot be closed before the players have decided, so the words do not say that it was. Nor do
    they say that cards or chips moved if they are still where they were.
    """
    if changes_nothing(table, act, entry):
        return f"tried to {_instruction(table, act)}, but nothing changed"
    closed = any(isinstance(change.event, e.RoundClosed) for change in entry.changes)
    return act_text(table, act) if act != CLOSE or closed else f"{NOT_CLOSED}, but it cannot be closed now"


def changes_nothing(table: Table, act: a.ChairAct, entry: ChairEntry) -> bool:
    """True if an act was not due and moved neither cards nor chips. It is a slip all the same."""
    moves = isinstance(act, MOVES) or _moves_cards(table, act)
    return moves and not entry.changes and any(slip.kind == NOT_DUE for slip in entry.slips)


def _moves_cards(table: Table, act: a.ChairAct) -> bool:
    """True if an act is a step that moves the cards of the deck, such as taking out the stub."""
    acts = {step.act for step in table.steps.values() if isinstance(act, a.TakeStep) and _names(step, act)}
    return bool(acts) and all(STEP_GROUPS.get(one) == "cards" for one in acts)


def _names(step: Step, act: a.TakeStep) -> bool:
    return act.what == (step.name if step.act in BY_STEP else step.act)


def _instruction(table: Table, act: a.ChairAct) -> str:
    """Return an act as an instruction; a step by its name in the procedure, if only one has this act."""
    names = step_names(table).get(act.what, []) if isinstance(act, a.TakeStep) else []
    return step_words(table, names[0]) if len(names) == 1 else act_words(act, due=True)


def judged_act_text(table: Table, verdict: Verdict) -> str:
    """Return the act of a verdict as it was done; empty if an act was missed."""
    if verdict.act is None:
        return ""
    return NOT_CLOSED if verdict.act == CLOSE and verdict.kind == NOT_DUE else act_text(table, verdict.act)


def verdict_text(table: Table, verdict: Verdict, who: str = YOU) -> str:
    """Return a verdict as a sentence about the dealer `who`; a step has its name in the procedure."""
    return verdict_words(verdict, judged_act_text(table, verdict), due_text(table, verdict), who)


def due_text(table: Table, verdict: Verdict) -> str:
    """Return the act that was due, as an instruction; for a cut, the numbers of cards that are allowed."""
    if verdict.kind == MISCOUNT and isinstance(verdict.due, a.TakeStep):
        least = table.book.option("cut_least") or 1
        return f"cut at least {several(least, 'card')} and leave at least one"
    return due_words(verdict)
