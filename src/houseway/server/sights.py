"""What somebody at a table is sent: the sight of a role, and events in their public form.

All that leaves the house about cards goes through `engine.views` and `engine.codec.apart`; what they seal
has no field here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from houseway.client.messages import Choice, Moment, SeenRound, Sight, Sitter, Waits, Words, Yours
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import is_floor
from houseway.engine.codec import apart, card_out
from houseway.engine.legal import Option, legal
from houseway.engine.script import script
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.views import DealerView, FloorView, Layout, SeatView, SurveillanceView, view
from houseway.live.seen import called
from houseway.live.viewing import taking_wagers
from houseway.narrate.narrator import Scene, narrate
from houseway.narrate.render import RECORD, render

FIELDS: Final = ("layout", "yours", "waits", "people", "seen")
"""The parts of a sight, in the order they are sent."""

KEYS: Final[dict[type[c.Command], str]] = {c.Check: "c", c.Fold: "f", c.Keep: "k", c.Split: "s"}
"""The keys of choices that cost nothing or come once; a play has its size."""

FREE: Final = (c.Check, c.Fold)
"""What stands on the left: it wagers nothing."""

encoder: Final = msgspec.json.Encoder(enc_hook=card_out)


def moment(table: Table, seq: int, event: e.Event, after: State) -> Moment:
    """An event on record as everybody may see it, in words and with the dealer's script."""
    shown, _ = apart(event)
    scene = Scene(table.terms.order, after.round.board[: after.round.up])
    return Moment(
        seq=seq,
        event=msgspec.to_builtins(shown, enc_hook=card_out),
        tells=". ".join(render(sentence, RECORD) for sentence in narrate(shown, scene)),
        script=tuple(Words(says=line.says, clause=line.clause) for line in script(table, after, event)),
        clause=event.clause,
    )


def choices(table: Table, state: State, role: str, options: list[Option]) -> tuple[Choice, ...]:
    """What a role may do now, as buttons: what wagers nothing first, then by its cost."""
    if role == "floor" and state.dealer == "person":
        # A step that is the floor's comes to its bar, not to the dealer's.
        options = options + [o for o in legal(table, state, "dealer") if is_floor(o.command.by)]
    # At a deadline the house plays for who is away; nobody else does.
    options = [option for option in options if not isinstance(option.command, c.ActFor)]
    placed = sorted(
        options, key=lambda o: (isinstance(o.command, LATER), not isinstance(o.command, FREE), o.costs)
    )
    return tuple(
        Choice(
            says=option.says,
            command=msgspec.to_builtins(option.command, enc_hook=card_out),
            costs=option.costs,
            clause=option.clause,
            key=_key(option.command),
        )
        for option in placed
    )


LATER: Final = (c.Stand, c.Sit, c.Leave, c.TakeBack, c.Challenge)
"""What is no answer to the dealer stands on the right."""


def _key(command: c.Command) -> str:
    return str(command.times) if isinstance(command, c.Play) else KEYS.get(type(command), "")


def sight(
    table: Table,
    state: State,
    role: str,
    *,
    waits: Waits,
    people: dict[int, Sitter],
    seen: SeenRound,
    left_out: Iterable[str] = (),
    salt: bool = False,
    layout: Layout | None = None,
) -> Sight:
    """All that a role sees of a table."""
    options = legal(table, state, role)
    found = view(table, state, role, layout, options)
    yours = Yours()
    if isinstance(found, SeatView):
        seat = state.seats.get(found.seat)
        first = found.cards[0] if found.cards else ()
        yours = Yours(
            seat=found.seat,
            cards=found.cards,
            choices=choices(table, state, role, options),
            spots=tuple(spot for spot in found.spots if spot.wager not in left_out),
            chips=seat.chips if seat else 0,
            reads=called(table, first, found.layout.board) if len(first) == 2 else "",
            salt_due=salt and found.seat not in state.round.salts and fresh(table, state),
        )
    elif isinstance(found, DealerView | FloorView | SurveillanceView):
        notes: dict[str, Any] = msgspec.to_builtins(found)
        notes.pop("layout")
        notes.pop("options", None)
        yours = Yours(choices=choices(table, state, role, options), notes=notes)
    return Sight(layout=found.layout, yours=yours, waits=waits, people=people, seen=seen)


def fresh(table: Table, state: State) -> bool:
    """Whether salts may go into the players' cut now: once a shoe, while wagers are taken."""
    return taking_wagers(table, state) and bool(state.round.seal) and not state.playing.mixed
