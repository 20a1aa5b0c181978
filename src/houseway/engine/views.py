"""A table as one role sees it: what everyone sees, and the role's own part."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from houseway.engine.dealer_act import next_act
from houseway.engine.evolve import seat_of
from houseway.engine.legal import Spot, spots
from houseway.engine.made_hands import hand_words
from houseway.engine.meters import MICRO
from houseway.engine.round_history import Faces, faces
from houseway.engine.script import ScriptLine, prompt
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.table_view import TableView, table_view
from houseway.rules.problems import meant

ROLES = ("dealer", "floor", "surveillance", "rail")
"""The roles beside "seat 1", "seat 2" and so on."""


class Pile(msgspec.Struct, frozen=True):
    """Cards together in the rack: what they were, and their faces if they are known."""

    what: str
    count: int
    faces: Faces


class Notes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the dealer, the floor or surveillance sees beside the table."""

    next: str = ""
    """The dealer's next step, and the number of cards it takes."""
    cards: int = 0
    script: tuple[ScriptLine, ...] = ()
    waits_for: str = ""
    """What must happen before that step: an approval, the answer to a challenge."""
    tips: int = 0
    approval: str = ""
    """The payment that the floor is asked to approve."""
    minima: dict[str, int] = {}
    kept: dict[int, int] = {}
    """Minimum bets that the floor lets a seat keep."""
    decks: tuple[tuple[str, str, str], ...] = ()
    """Each deck's name, its back and where it is."""
    house: int | None = None
    rack: tuple[Pile, ...] = ()
    """The cards in the rack, once the round is closed."""


class Yours(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What only this viewer sees."""

    seat: int = 0
    cards: tuple[Faces, ...] = ()
    """The viewer's own hands, once players may look."""
    chips: int = 0
    reads: str = ""
    """The viewer's hand in words, with as much of the board as is face up."""
    spots: tuple[Spot, ...] = ()
    notes: Notes | None = None


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table as one viewer sees it."""

    table: TableView
    yours: Yours


def view(table: Table, state: State, role: str) -> View:
    """Return what a role sees now: "seat 3", "dealer", "rail", "floor" or "surveillance"."""
    number = seat_of(role)
    if number:
        yours = replace(own_hand(table, state, number), spots=tuple(spots(table, state, number)))
    elif role in ROLES:
        yours = Yours(notes=notes(table, state, role))
    else:
        raise ValueError(f"{role!r} is nobody at a table; {meant(role, ('seat 1', *ROLES))}")
    return View(table=table_view(table, state), yours=yours)


def own_hand(table: Table, state: State, number: int) -> Yours:
    """Return a seat's own cards and chips. Cards are sealed until the rulebook lets players look."""
    seat = state.seats.get(number)
    if seat is None:
        return Yours(seat=number)
    now = state.round
    own: tuple[Faces, ...] = ()
    if now.looking and "looking" in table.book.options:
        own = tuple(faces(hand.cards) for hand in seat.hands if not hand.racked)
    first = own[0] if own else ()
    board = faces(now.arranged or now.board[: now.up])
    reads = hand_words(table, first, board) if len(first) == 2 else ""
    return Yours(seat=number, cards=own, chips=seat.chips, reads=reads)


def notes(table: Table, state: State, role: str) -> Notes | None:
    """Return what the dealer, the floor or surveillance sees beside the table."""
    decks = tuple((deck.name, deck.back, deck.stands) for deck in state.decks)
    asked = state.round.asked
    if role == "dealer":
        act = next_act(table, state)
        return Notes(
            next=act.step if act else "",
            cards=act.cards if act else 0,
            script=tuple(prompt(table, state)),
            waits_for=_waits_for(state),
            tips=state.tips,
        )
    if role == "floor":
        return Notes(
            approval=f"{asked[2]} of seat {asked[0]}: {asked[3]}" if asked else "",
            minima=state.minima,
            kept={number: seat.kept for number, seat in state.seats.items() if seat.kept},
            decks=decks,
        )
    if role == "surveillance":
        open_ = state.section == "round" and state.round.betting
        rack = () if open_ else tuple(Pile(pile.what, pile.count, faces(pile.cards)) for pile in state.rack)
        return Notes(decks=decks, house=state.house // MICRO, rack=rack)
    return None


def _waits_for(state: State) -> str:
    now = state.round
    if now.asked is not None:
        seat, _, wager, who = now.asked
        return f"the {who} approves the {wager} of seat {seat}"
    return f"the challenge of seat {now.challenged} is answered" if now.challenged else ""
