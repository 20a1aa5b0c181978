"""What each person at a table may see: a record of its own for every role, filled by an allow-list.

A card becomes text here and in the record's codec, nowhere else. Whatever is not declared visible stays
sealed: the undealt order, burns, the stub, hole cards until they are turned, folded and discarded cards.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from houseway.cards import Card
from houseway.engine.evolve import seat_of
from houseway.engine.legal import Option, Spot, legal, spots
from houseway.engine.machine import next_act
from houseway.engine.order import dealers_cards, due, turn
from houseway.engine.progressive import MICRO
from houseway.engine.script import Line, prompt
from houseway.engine.state import Hand, Seat, State
from houseway.engine.table import Table
from houseway.money import dollars
from houseway.rules.problems import meant


class HandSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hand as it lies for everyone: how many cards, and their faces once they are turned."""

    cards: int
    faces: tuple[str, ...]
    wagers: dict[str, str]
    tips: dict[str, str] = {}
    coupon: str = ""
    folded: bool = False
    played: bool = False
    racked: bool = False
    void: bool = False


class SeatSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position as everyone sees it."""

    seat: int
    player: str
    chips: str
    hands: tuple[HandSeen, ...]
    seated: bool = True
    light: bool = False
    lammer: bool = False


class Paid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wager settled, as everyone sees it."""

    seat: int
    hand: int
    wager: str
    stake: str
    result: str
    back: str
    odds: str | None
    clause: str | None
    for_dealer: bool = False
    cut: str = ""


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """The table as it lies: everything that is face up or said aloud."""

    rulebook: str
    section: str
    step: str
    """The step that is due."""
    turn: int
    """The seat that is asked, or 0."""
    round: int
    betting: str
    board: tuple[str, ...]
    """The community cards face up, in the order they were turned."""
    board_down: int
    dealer: tuple[str, ...]
    """The dealer's cards, once turned up."""
    dealer_cards: int
    seats: tuple[SeatSeen, ...]
    rack: int
    """Cards in the discard rack."""
    meters: dict[str, str]
    settled: tuple[Paid, ...]
    dealer_keeps: tuple[str, ...] = ()
    exposed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    payouts: int = 0
    challenged: int = 0
    """The seat whose challenge to the dealer's hand is open."""
    void: str = ""
    held: dict[int, tuple[str, str]] = {}
    """Seats held for somebody, and until when."""


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player sees: the layout, and the own cards once they may be looked at."""

    layout: Layout
    seat: int
    cards: tuple[tuple[str, ...], ...]
    options: tuple[str, ...]
    spots: tuple[Spot, ...]


class RailView(msgspec.Struct, frozen=True):
    """What a watcher sees: the layout."""

    layout: Layout


class DealerView(msgspec.Struct, frozen=True):
    """What the dealer sees: the layout, the next step, and how many cards it takes."""

    layout: Layout
    next: str
    cards: int
    script: tuple[Line, ...]
    tips: str
    waits_for: str = ""
    """What must happen first: an approval, the answer to a challenge."""


class FloorView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the floor sees: the layout, and what waits for its word."""

    layout: Layout
    approval: str
    options: tuple[str, ...]
    minima: dict[str, str]
    kept: dict[int, str]
    decks: tuple[tuple[str, str, str], ...]


class RackSeen(msgspec.Struct, frozen=True):
    """Cards together in the rack: what they were, and their faces where anybody knows them."""

    what: str
    count: int
    faces: tuple[str, ...]


class SurveillanceView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What surveillance sees: the layout in play, and everything dealt once the round is closed."""

    layout: Layout
    decks: tuple[tuple[str, str, str], ...]
    house: str
    rack: tuple[RackSeen, ...] = ()


View = SeatView | RailView | DealerView | FloorView | SurveillanceView


def view(
    table: Table,
    state: State,
    who: str,
    layout: Layout | None = None,
    options: Sequence[Option] | None = None,
) -> View:
    """What somebody sees now: "seat 3", "dealer", "rail", "floor" or "surveillance". Who looks for several
    of them gives the layout, which is the same for all; who has asked `legal` gives a seat's options."""
    layout = layout or layout_of(table, state)
    number = seat_of(who)
    if number:
        may = legal(table, state, who) if options is None else options
        return _seat_view(table, state, layout, number, may)
    if who == "dealer":
        act = next_act(table, state)
        return DealerView(
            layout,
            act.step if act else "",
            act.cards if act else 0,
            tuple(prompt(table, state)),
            dollars(state.tips),
            _waits_for(state),
        )
    if who == "floor":
        return _floor_view(table, state, layout)
    if who == "surveillance":
        return _surveillance_view(state, layout)
    if who != "rail":
        roles = ("seat 1", "dealer", "rail", "floor", "surveillance")
        raise ValueError(f"{who!r} is nobody at a table; {meant(who, roles)}")
    return RailView(layout)


def _waits_for(state: State) -> str:
    now = state.round
    if now.asked is not None:
        seat, _, wager, who = now.asked
        return f"the {who} approves the {wager} of seat {seat}"
    return f"the challenge of seat {now.challenged} is answered" if now.challenged else ""


def layout_of(table: Table, state: State) -> Layout:
    """The table as it lies for everyone."""
    now = state.round
    next_ = due(table, state)
    asked = turn(table, state)
    return Layout(
        rulebook=state.rulebook,
        section=state.section,
        step=next_.step.name if next_ else "",
        turn=asked[0] if asked else 0,
        round=now.number,
        betting=now.betting,
        board=_faces(now.arranged or now.board[: now.up]),
        board_down=len(now.board) - now.up,
        dealer=_faces(dealers_cards(state)) if now.revealed else (),
        dealer_cards=len(dealers_cards(state)),
        seats=tuple(_seen(state, number, seat) for number, seat in state.seats.items()),
        rack=sum(entry.count for entry in state.rack),
        meters={name: dollars(micro // MICRO) for name, micro in state.meters.items()},
        settled=tuple(
            Paid(
                seat=s.seat,
                hand=s.hand,
                wager=s.wager,
                stake=dollars(s.stake),
                result=s.result,
                back=dollars(s.back),
                odds=s.odds,
                clause=s.clause,
                for_dealer=s.for_dealer,
                cut=dollars(s.cut) if s.cut else "",
            )
            for s in now.settled
        ),
        dealer_keeps=_faces(now.kept),
        exposed=tuple((place, _faces(face)) for place, face in now.exposed),
        payouts=now.payouts,
        challenged=now.challenged,
        void=now.void,
        held={number: (player, until) for number, (player, until, _) in state.held.items()},
    )


def _seen(state: State, number: int, seat: Seat) -> SeatSeen:
    return SeatSeen(
        seat=number,
        player=seat.player,
        chips=dollars(seat.chips),
        hands=tuple(_hand_seen(hand) for hand in seat.hands),
        seated=seat.seated,
        light=number in state.round.lit,
        lammer=any(number == marked for marked, _ in state.round.lammers),
    )


def _hand_seen(hand: Hand) -> HandSeen:
    return HandSeen(
        cards=len(hand.cards) + len(hand.discards),
        faces=_faces(hand.cards) if hand.shown else (),
        wagers={name: dollars(stake) for name, stake in hand.wagers.items()},
        tips={name: dollars(stake) for name, stake in hand.tips.items()},
        coupon=dollars(hand.coupon) if hand.coupon else "",
        folded=bool(hand.folded),
        played="play" in hand.made,
        racked=hand.racked,
        void=hand.void,
    )


def _seat_view(
    table: Table, state: State, layout: Layout, number: int, options: Sequence[Option]
) -> SeatView:
    seat = state.seats.get(number)
    own: tuple[tuple[str, ...], ...] = ()
    # Sealed until the rulebook lets players look; a rulebook that does not say so shows nothing.
    if seat is not None and state.round.looking and "looking" in table.book.options:
        own = tuple(_faces(hand.cards) for hand in seat.hands if not hand.racked)
    return SeatView(
        layout,
        number,
        own,
        tuple(option.says for option in options),
        tuple(spots(table, state, number)),
    )


def _floor_view(table: Table, state: State, layout: Layout) -> FloorView:
    asked = state.round.asked
    return FloorView(
        layout,
        f"{asked[2]} of seat {asked[0]}: {asked[3]}" if asked else "",
        tuple(option.says for option in legal(table, state, "floor")),
        {name: dollars(amount) for name, amount in state.minima.items()},
        {number: dollars(seat.kept) for number, seat in state.seats.items() if seat.kept},
        tuple((deck.name, deck.back, deck.stands) for deck in state.decks),
    )


def _surveillance_view(state: State, layout: Layout) -> SurveillanceView:
    closed = state.section != "round" or not state.round.betting
    rack = tuple(RackSeen(r.what, r.count, _faces(r.cards)) for r in state.rack) if closed else ()
    decks = tuple((deck.name, deck.back, deck.stands) for deck in state.decks)
    return SurveillanceView(layout, decks, dollars(state.house // MICRO), rack)


def _faces(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)
