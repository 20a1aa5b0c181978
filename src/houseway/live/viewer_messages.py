"""The messages for a viewer: the private part of their view, their choices, and updates for events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from houseway.client.messages import Choice, Update, View, Words, Yours
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import encode_card, hide
from houseway.engine.command_helpers import is_floor
from houseway.engine.evolve import seat_of
from houseway.engine.legal import Option, legal, takes_coupons
from houseway.engine.persons import HOUSE
from houseway.engine.players_cut import fresh, may_commit
from houseway.engine.report_options import report_options, ruling_options
from houseway.engine.script import script
from houseway.engine.state import COMMITTED, State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, turns, unopened_salts
from houseway.engine.views import betting, notes, own_hand
from houseway.narrate.render import RECORD, render
from houseway.narrate.sentences import Sentence

KEYS: Final[dict[type[c.Command], str]] = {c.Check: "c", c.Fold: "f", c.Keep: "k", c.Split: "s"}
"""Keyboard shortcuts by command. The shortcut of a Play is its multiple, such as "4"."""
FREE: Final = frozenset({c.Check, c.Fold})
"""Choices that wager nothing come first."""
LATER: Final = frozenset({c.Stand, c.Sit, c.Leave, c.TakeBack, c.Challenge})
"""Choices that do not answer the dealer come last."""

NO_CHOICES: Final[dict[str, Any]] = {
    "choices": (), "spots": (), "tip_spots": (), "coupons": False,
    "salt_due": False, "commit_due": False, "commitment": "", "openings": {},
}  # fmt: skip
"""The fields for a viewer's choices, empty, as they are between two automatic acts."""

SET: Final = "set"
"""The mark of a Texas Shootout hand that its player has set and may still change. The options of that seat
also depend on the player's other seats, because all their bets count towards one bet limit."""

REPORTERS: Final = ("dealer", "floor")
"""The roles that report irregularities."""

Last = tuple[State, View] | None
"""An earlier state with a role's view of it."""

encoder: Final = msgspec.json.Encoder(enc_hook=encode_card)


def update(table: Table, seq: int, event: e.Event, after: State, sentences: Iterable[Sentence]) -> Update:
    """Return the public form of an event, with its sentences and the dealer's script but no patch."""
    shown, _ = hide(event)
    return Update(
        seq=seq,
        event=msgspec.to_builtins(shown, enc_hook=encode_card),
        sentences=tuple(render(sentence, RECORD) for sentence in sentences),
        script=tuple(
            Words(says=line.says, clause=line.clause, spoken=line.spoken)
            for line in script(table, after, event)
        ),
        clause=event.clause,
    )


def yours_of(
    table: Table,
    state: State,
    role: str,
    last: Last = None,
    *,
    left_out: Iterable[str] = (),
    salt: bool = False,
) -> Yours:
    """Return a role's own part of the view, with all that the role may do now; reuse parts of `last`."""
    number = seat_of(role)
    if last is not None and (last[0] is state or (number and _same_options(table, last, state, number))):
        return last[1].yours
    if not number:
        # A machine that deals makes no report.
        reports = report_options(table, state) if state.dealer == "person" and role in REPORTERS else ()
        return Yours(
            choices=choices(table, state, role),
            reports=reports,
            rulings=ruling_options(table, state) if role == "floor" else (),
            notes=notes(table, state, role),
        )
    before, yours = (last[0], last[1].yours) if last is not None else (None, Yours())
    return msgspec.structs.replace(
        yours_between(table, yours, before, state, role),
        **betting(table, state, number, frozenset(left_out)),
        choices=choices(table, state, role),
        **_salt(table, state, number, due_now=salt),
    )


def _salt(table: Table, state: State, number: int, *, due_now: bool) -> dict[str, Any]:
    """Return the fields that ask a seat's player for a salt, a commitment or opened salts."""
    now = state.round
    if state.players_cut != COMMITTED:
        return {"salt_due": due_now and number not in now.salts and takes_salts(table, state)}
    if now.betting == "open":
        commitment = now.commitments.get(number, "")
        commits = taking_wagers(table, state) and may_commit(state, number)
        return {"commit_due": due_now and commits and not commitment, "commitment": commitment}
    player = state.seats[number].player if number in state.seats else ""
    own = [n for n in unopened_salts(state) if state.seats[n].player == player]
    return {"openings": {n: now.commitments[n] for n in own}}


def _same_options(table: Table, last: tuple[State, View], after: State, number: int) -> bool:
    """True if only other seats have changed, and the seat has no decision to make.

    Its options then depend only on its own state and on the step that is due, and for coupons on the
    player's other seats.
    """
    before, view = last
    seat, now = after.seats.get(number), due(table, after)
    return (
        seat is not None
        and seat is before.seats.get(number)
        and not (seat.hands[0].acted == SET or view.table.awaits(number) or number in turns(table, after))
        and view.table.step == (now.step.name if now else "")
        and msgspec.structs.replace(before, seats=after.seats) == after
        and takes_coupons(table, before, number) == takes_coupons(table, after, number)
    )


def yours_between(table: Table, yours: Yours, before: State | None, after: State, role: str) -> Yours:
    """Return a role's own part of the view between two automatic acts, when the role has no choices.

    It is the same object as before if nothing changed.
    """
    number = seat_of(role)
    if number and (before is None or not _same_hand(before, after, number)):
        own = own_hand(table, after, number)
        return Yours(seat=number, cards=own.cards, chips=own.chips, reads=own.reads, log=yours.log)
    if (
        yours.choices
        or yours.spots
        or yours.salt_due
        or yours.commit_due
        or yours.commitment
        or yours.openings
    ):
        return msgspec.structs.replace(yours, **NO_CHOICES)
    return yours


def _same_hand(before: State, after: State, number: int) -> bool:
    """True if a seat's own part of the view is the same in both states."""
    one, other = before.round, after.round
    return before.seats.get(number) is after.seats.get(number) and (
        one is other or (one.looking, one.up, one.arranged) == (other.looking, other.up, other.arranged)
    )


def choices(table: Table, state: State, role: str) -> tuple[Choice, ...]:
    """Return a role's options as buttons: free options first, then the others by cost."""
    options = legal(table, state, role)
    if role == "dealer" and table.names_persons:
        # The floor's steps, and those that the house performs automatically, are not the dealer's.
        options = [o for o in options if not is_floor(o.command.by) and o.command.by != HOUSE]
    if role == "floor" and state.dealer == "person" and not table.names_persons:
        # The floor's own steps appear on the floor's bar, not on the dealer's.
        options = options + [o for o in legal(table, state, "dealer") if is_floor(o.command.by)]
    # The floor may act only for a player who has left the seat; the deadline acts for other absent players.
    options = [o for o in options if not isinstance(o.command, c.ActFor) or _has_left(state, o.command)]
    options.sort(key=lambda o: (type(o.command) in LATER, type(o.command) not in FREE, o.costs))
    return tuple(
        Choice(
            says=option.says,
            command=msgspec.to_builtins(option.command, enc_hook=encode_card),
            costs=option.costs,
            clause=option.clause,
            key=_key(option.command),
            amount=option.amount,
            action=_action(option),
        )
        for option in options
    )


def _has_left(state: State, command: c.ActFor) -> bool:
    """True if the floor has recorded that the player of a seat has left it."""
    return not state.seats[command.seat].seated


def _key(command: c.Command) -> str:
    return str(command.times) if isinstance(command, c.Play) else KEYS.get(type(command), "")


def _action(option: Option) -> str:
    """Return a seat's choice as the coach names it, such as "4x" or "check"; empty for other choices."""
    match option.command:
        case c.Play(times=times):
            return f"{times}x"
        case c.Split(first=first, second=second):
            return f"split {first[0]} {first[1]} / {second[0]} {second[1]}"
        case c.Check() | c.Fold() | c.Keep():
            return option.says
    return ""


def taking_wagers(table: Table, state: State) -> bool:
    """True while betting is open."""
    now = due(table, state)
    return now is not None and now.step.act == "close betting"


def takes_salts(table: Table, state: State) -> bool:
    """True if players may add salts to the cut now: while betting is open, once per shoe."""
    return taking_wagers(table, state) and fresh(state)
