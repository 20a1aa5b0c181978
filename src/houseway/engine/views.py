"""The view of a table for one role: the public part, and the role's own part."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from houseway.cards import UNSEEN
from houseway.engine.dealer_act import next_act
from houseway.engine.evolve import seat_of
from houseway.engine.legal import Spot, spots, takes_coupons, tip_spots
from houseway.engine.made_hands import known_hand
from houseway.engine.meters import MICRO
from houseway.engine.round_history import Faces, faces
from houseway.engine.script import ScriptLine, prompt
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.table_view import TableView, table_view
from houseway.rules.problems import suggest

ROLES = ("dealer", "floor", "surveillance", "rail")
"""The roles other than "seat 1", "seat 2" and so on."""


class Pile(msgspec.Struct, frozen=True):
    """A group of cards in the rack: the place they came from, and their faces if known."""

    what: str
    count: int
    faces: Faces


class Notes(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The part of a view for the dealer, the floor or surveillance."""

    next: str = ""
    """The dealer's next step."""
    cards: int = 0
    """The number of cards that the step uses."""
    script: tuple[ScriptLine, ...] = ()
    waits_for: str = ""
    """The approval, or the answer to a challenge, that the dealer needs before the step."""
    tips: int = 0
    approval: str = ""
    """The payment that waits for the floor's approval."""
    minima: dict[str, int] = {}
    kept: dict[int, int] = {}
    """The old minimum bets that the floor lets players keep, by seat."""
    decks: tuple[tuple[str, str, str], ...] = ()
    """Each deck's name, back colour and place."""
    house: int | None = None
    """The house's money in cents, including its chip rack."""
    rack: tuple[Pile, ...] = ()
    """The cards in the rack, once the round is closed."""


class OwnView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The part of a view that only this viewer sees."""

    seat: int = 0
    cards: tuple[Faces, ...] = ()
    """The viewer's own hands, once players may look."""
    chips: int = 0
    reads: str = ""
    """The viewer's hand in words, with the board cards that are face up."""
    spots: tuple[Spot, ...] = ()
    tip_spots: tuple[str, ...] = ()
    """The wagers on which the viewer may bet a tip for the dealer now."""
    coupons: bool = False
    """True if the viewer may put a match play coupon on the ante now."""
    notes: Notes | None = None


class RoleView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The view of a table for one viewer."""

    table: TableView
    yours: OwnView


def view(table: Table, state: State, role: str) -> RoleView:
    """Return the view of a role: "seat 3", "dealer", "rail", "floor" or "surveillance"."""
    number = seat_of(role)
    if number:
        yours = replace(own_hand(table, state, number), **betting(table, state, number))
    elif role in ROLES:
        yours = OwnView(notes=notes(table, state, role))
    else:
        raise ValueError(f"there is no role {role!r}; {suggest(role, ('seat 1', *ROLES))}")
    return RoleView(table=table_view(table, state), yours=yours)


def betting(table: Table, state: State, number: int, left_out: Collection[str] = ()) -> dict[str, Any]:
    """Return the OwnView fields for bets that a seat may make now, without the wagers in `left_out`."""
    own = tuple(spot for spot in spots(table, state, number) if spot.wager not in left_out)
    coupons = any(spot.wager == "ante" for spot in own) and takes_coupons(table, state, number)
    return {"spots": own, "tip_spots": tip_spots(table, state, own), "coupons": coupons}


def own_hand(table: Table, state: State, number: int) -> OwnView:
    """Return a seat's own cards and chips. Cards are hidden until the rulebook lets players look."""
    seat = state.seats.get(number)
    if seat is None:
        return OwnView(seat=number)
    now = state.round
    looks = now.looking and "looking" in table.book.options
    own = [h.cards for h in seat.hands if not h.racked and UNSEEN not in h.cards] if looks else []
    first = own[0] if own else ()
    known = (*first, *(now.arranged or now.board[: now.up]))
    hand = known_hand(known, table.terms.order) if len(first) == 2 else None
    reads = hand.words if hand is not None else ""
    return OwnView(seat=number, cards=tuple(map(faces, own)), chips=seat.chips, reads=reads)


def notes(table: Table, state: State, role: str) -> Notes | None:
    """Return the notes of the dealer, the floor or surveillance; None for the rail."""
    decks = tuple((deck.name, deck.back, deck.stands) for deck in state.decks)
    pending = state.round.asked
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
            approval=f"{pending[2]} at seat {pending[0]}: {pending[3]}" if pending else "",
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
        return f"the {who}'s approval of the {wager} payment at seat {seat}"
    return f"an answer to the challenge from seat {now.challenged}" if now.challenged else ""
