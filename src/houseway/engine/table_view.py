"""The public part of every view: the table with all amounts in cents, updated event by event.

Cards become text only here and in the record's codec. Only the fields listed here are visible. The undealt
cards, burns, the stub, folded and discarded cards, and hole cards before they are turned have no field.
Cards that were face up stay in the view until the next round opens, even if they are in the rack.
"""

from __future__ import annotations

from operator import is_

import msgspec

from houseway.engine import events as e
from houseway.engine import round_history
from houseway.engine.made_hands import flop_reading, made_hand
from houseway.engine.meters import in_cents
from houseway.engine.round_history import Faces, Reason, RoundHistory, SettledWager, faces
from houseway.engine.state import PLAIN, Hand, Seat, State
from houseway.engine.table import Table
from houseway.engine.turn_order import dealers_cards, due, turns


class HandView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A hand as everyone sees it: how many cards it has, and their faces once they are turned up."""

    cards: int = 0
    faces: Faces = ()
    reads: str = ""
    """The hand in words, once it and the whole board are face up."""
    plays: Faces = ()
    """The five cards that play."""
    wagers: dict[str, int] = {}
    """Cents on the layout."""
    tips: dict[str, int] = {}
    coupon: int = 0
    folded: bool = False
    played: bool = False
    racked: bool = False
    void: bool = False


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A seat as everyone sees it."""

    player: str
    chips: int
    hands: dict[int, HandView]
    seated: bool = True
    light: bool = False
    lammer: bool = False
    lammers: tuple[int, ...] = ()
    """The hands whose bonus wager has a lammer."""
    act: str = ""
    """The player's last decision in this round, in one or two words."""
    bets: dict[str, int] = {}
    """Cents wagered in this round, settled or not."""
    times: int = 0
    """The multiple of the ante that the player played in this round; 0 if the player did not."""


class TableView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Everything at a table that is face up or said aloud."""

    rulebook: str
    section: str
    round: int
    step: str = ""
    """The step that is due."""
    turn: int = 0
    """The seat whose decision is awaited, or 0; the first one if several may decide."""
    turns: tuple[int, ...] = ()
    """All seats that may decide now, if there are several."""
    betting: str = ""
    """"open", "closed" or empty between rounds."""
    seal: str = ""
    """The seal of the card order, published before the first wager."""
    commitments: dict[int, str] = {}
    """The players' commitments to their salts for the cut, by seat."""
    players_cut: str = PLAIN
    """"committed" if players commit to their salts first, or "plain" if they add them in the clear."""
    deck: str = ""
    back: str = ""
    """The colour of the backs of the cards in play."""
    board: Faces = ()
    """The community cards that are face up, in the order they were turned."""
    board_down: int = 0
    dealer: Faces = ()
    """The dealer's cards, once they are turned up."""
    dealer_cards: int = 0
    dealer_keeps: Faces = ()
    """The two of four cards that the dealer plays."""
    dealer_line: str = ""
    """The line of the house way that decides which two cards the dealer keeps."""
    dealer_reads: str = ""
    dealer_plays: Faces = ()
    qualifies: bool | None = None
    seats: dict[int, SeatView] = {}
    rack: int = 0
    """Cards in the discard rack."""
    meters: dict[str, int] = {}
    """Cents on each progressive meter."""
    settled: dict[int, SettledWager] = {}
    """Settled wagers, numbered in order from 1."""
    net: dict[int, int] = {}
    """Cents that each seat won or lost, once the round is closed."""
    payouts: dict[str, str] = {}
    """The odds that Cover All pays in this round, by hand."""
    payout_hands: int = 0
    """The number of hands those odds are for."""
    exposed: tuple[tuple[str, Faces], ...] = ()
    challenged: int = 0
    """The seat whose challenge to the dealer's hand is open."""
    emptied: bool = False
    """True if the last player has left after a round, and the cards must be spread before play resumes."""
    void: bool = False
    closed: bool = False
    held: dict[int, tuple[str, str]] = {}
    """The held seats, each with its player and the end of the hold."""

    def awaits(self, seat: int) -> bool:
        """True if the table waits for a seat's decision."""
        return bool(seat) and (seat == self.turn or seat in self.turns)


class Follower:
    """Follows the events of one table and keeps its public view up to date."""

    def __init__(self, table: Table, state: State, reason: Reason = round_history.no_reason) -> None:
        self._table = table
        self._reason = reason
        self._history = RoundHistory()
        self._state = state
        self.view = table_view(table, state)

    def remember(self, event: e.Event) -> None:
        """Add an event that happened before the initial state. After the last one, call `look`."""
        self._history = round_history.remember(self._history, event, self._reason)

    def look(self) -> TableView:
        """Return the view with the events that `remember` added."""
        self.view = table_view(self._table, self._state, self._history)
        return self.view

    def follow(self, event: e.Event, after: State) -> TableView:
        """Return the view after an event; unchanged parts are the same objects as before."""
        last = (self._state, self.view, self._history)
        self._state, self._history = after, round_history.remember(self._history, event, self._reason)
        self.view = table_view(self._table, after, self._history, last)
        return self.view


Last = tuple[State, TableView, RoundHistory]


def table_view(
    table: Table, state: State, history: RoundHistory | None = None, last: Last | None = None
) -> TableView:
    """Return the view of a table.

    `last` is an earlier state with its view and history. Unchanged parts of that view are reused.
    """
    history = history or RoundHistory()
    before, seen = last[:2] if last else (state, None)
    now, was = state.round, before.round
    next_, deciding = due(table, state), turns(table, state)
    same_board = seen and (now.board is was.board and now.up == was.up and now.arranged is was.arranged)
    board = seen.board if seen and same_board else faces(now.arranged or now.board[: now.up])
    dealt = dealers_cards(state)
    dealer, keeps = faces(dealt) if now.revealed else (), faces(now.kept)
    if seen and seen.board is board and seen.dealer == dealer and seen.dealer_keeps == keeps:
        reads, plays = seen.dealer_reads, seen.dealer_plays
    else:
        reads, plays = _read(table, keeps or dealer, board)
    return TableView(
        rulebook=state.rulebook,
        section=state.section,
        round=now.number,
        step=next_.step.name if next_ else "",
        turn=deciding[0] if deciding else 0,
        turns=deciding if len(deciding) > 1 else (),
        betting=now.betting,
        seal=now.seal,
        commitments=now.commitments,
        players_cut=state.players_cut,
        deck=now.deck,
        back=state.playing.back if now.deck else "",
        board=board,
        board_down=len(now.board) - now.up,
        dealer=dealer,
        dealer_cards=len(dealt),
        dealer_keeps=keeps,
        dealer_line=history.dealer_line,
        dealer_reads=reads,
        dealer_plays=plays,
        qualifies=now.qualifies,
        seats=_seats(table, state, history, board, last),
        rack=seen.rack if seen and state.rack is before.rack else sum(pile.count for pile in state.rack),
        meters=seen.meters if seen and state.meters is before.meters else in_cents(state.meters),
        settled=history.settled,
        net=history.net,
        payouts=history.payouts,
        payout_hands=now.payouts,
        exposed=tuple((place, faces(face)) for place, face in now.exposed) if now.exposed else (),
        challenged=now.challenged,
        emptied=state.emptied,
        void=history.void,
        closed=history.closed,
        held=seen.held if seen and state.held is before.held else _held(state),
    )


def _held(state: State) -> dict[int, tuple[str, str]]:
    return {number: (player, until) for number, (player, until, _) in state.held.items()}


def _seats(
    table: Table, state: State, history: RoundHistory, board: Faces, last: Last | None
) -> dict[int, SeatView]:
    now = state.round
    before, seen = (last[0].seats, last[1]) if last else ({}, None)
    same_board = seen is not None and seen.board is board
    same_marks = False
    if last and same_board:
        was, old_history = last[0].round, last[2]
        parts = (now.lit, now.lammers, history.acts, history.bets)
        same_marks = all(map(is_, parts, (was.lit, was.lammers, old_history.acts, old_history.bets)))
        if same_marks and state.seats is before:
            return last[1].seats
    lit = now.lit
    views: dict[int, SeatView] = {}
    changed = seen is None or len(seen.seats) != len(state.seats)
    for number, seat in state.seats.items():
        if same_marks and seen and before.get(number) is seat:
            views[number] = seen.seats[number]
            continue
        light, lammers = number in lit, tuple(hand for at, hand in now.lammers if at == number)
        act, bets = history.acts.get(number, ""), history.bets.get(number, NO_BETS)
        old = seen.seats.get(number) if seen else None
        if (
            old is not None
            and same_board
            and before.get(number) is seat
            and (old.light, old.lammers, old.act, old.bets) == (light, lammers, act, bets)
        ):
            views[number] = old
            continue
        changed = True
        views[number] = SeatView(
            player=seat.player,
            chips=seat.chips,
            hands=_hands(table, seat, board, before.get(number), old, same_board=same_board),
            seated=seat.seated,
            light=light,
            lammer=bool(lammers),
            lammers=lammers,
            act=act,
            bets=bets,
            times=history.times.get(number, 0),
        )
    return views if changed or seen is None else seen.seats


NO_BETS: dict[str, int] = {}


def _hands(
    table: Table, seat: Seat, board: Faces, before: Seat | None, old: SeatView | None, *, same_board: bool
) -> dict[int, HandView]:
    views = {}
    for number, hand in enumerate(seat.hands, 1):
        view = old.hands.get(number) if old else None
        was = before.hands[number - 1] if before and number <= len(before.hands) else None
        if view is None or hand is not was or (hand.shown and not same_board):
            view = hand_view(table, hand, board, view if same_board else None)
        views[number] = view
    return views


def hand_view(table: Table, hand: Hand, board: Faces, last: HandView | None = None) -> HandView:
    """Return a hand as everyone sees it; `last` is an earlier view of it with the same board."""
    face = faces(hand.cards) if hand.shown else ()
    if last is not None and last.faces == face:
        reads, plays = last.reads, last.plays
    else:
        # A folded hand that is turned up without a trips bet is read like its progressive.
        community = flop_reading(table) if hand.folded == "folded" else 0
        reads, plays = _read(table, face, board, community)
    return HandView(
        cards=len(hand.cards) + len(hand.discards),
        faces=face,
        reads=reads,
        plays=plays,
        wagers=hand.wagers,
        tips=hand.tips,
        coupon=hand.coupon,
        folded=bool(hand.folded),
        played="play" in hand.made,
        racked=hand.racked,
        void=hand.void,
    )


def _read(table: Table, own: Faces, board: Faces, community: int = 0) -> tuple[str, Faces]:
    """Return the hand that two cards make with the whole board, in words, and its five cards.

    With `community`, only that number of community cards counts.
    """
    complete = len(own) == 2 and len(board) == table.board_size
    hand = made_hand(table, own, board[: community or None]) if complete else None
    return (hand.words, faces(hand.cards)) if hand is not None else ("", ())
