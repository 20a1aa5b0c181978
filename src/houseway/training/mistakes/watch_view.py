"""A round as surveillance sees it: cards that are face up, wagers, chips paid and announcements.

The view is built from what is done at the table, never from verdicts. Events that the trainer adds (to let
play continue after an error) move no chips here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from houseway.cards import Card
from houseway.client.find_messages import (
    WatchedHand,
    WatchedPlayer,
    WatchedRound,
    WatchedSpot,
    WatchStep,
)
from houseway.client.layout_spots import betting_spot
from houseway.client.messages import TableInUse
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.fold_registry import card_place
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.engine.turn_order import turns
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.acts import seat_named
from houseway.training.chips import total, tray_values
from houseway.training.early_cards import early_board, exposed_cards
from houseway.training.mistakes.bet_changes import BetChange
from houseway.training.mistakes.watch_words import input_words, spoken_words
from houseway.training.seeded_players import name_of

SHUFFLE, BETS, DEAL, SETTLEMENT, CLOSE = "Shuffle", "Bets", "Deal", "Settlement", "Close"
BEFORE_FLOP, FLOP, RIVER, HANDS = "Before the flop", "Flop", "Turn, river", "Hands"
FLOP_CARDS: Final = 3
Place = tuple[int, int]
"""A seat and the number of a hand."""


class StepView:
    """One input, with the chair after it and the table's state before it."""

    def __init__(self, entry: ch.ChairEntry, chair: ch.Chair, before: State) -> None:
        self.entry, self.chair, self.before = entry, chair, before


def watched_round(table: Table, views: Sequence[StepView], bets: Sequence[BetChange] = ()) -> WatchedRound:
    """Return the replay of a round. `bets` are changes of bets that the engine never received, in order."""
    steps = tuple(FeltWatcher(table, bets).steps(views))
    players = sorted(views[-1].before.seats)
    return WatchedRound(
        rulebook=table.book.id,
        title=table.book.title,
        mode=table.mode,
        notes=tuple(f"{one.title} {one.table}" for one in _tables(table)),
        positions=table.seats,
        players=tuple(WatchedPlayer(seat=seat, name=name_of(seat)) for seat in players),
        spots=tuple(_spots(table)),
        chips=tuple(sorted(tray_values(table))),
        steps=steps,
        duration=steps[-1].time,
        tables=tuple(_tables(table)),
    )


class FeltWatcher:
    """Follows a round, and keeps the cards and chips that are on the felt."""

    def __init__(self, table: Table, bets: Sequence[BetChange]) -> None:
        self.table = table
        self._bets = list(bets)
        """The changes of bets that are still to come."""
        self._phase = SHUFFLE
        self._wagers: dict[Place, dict[str, int]] = {}
        self._paid: dict[Place, dict[str, int]] = {}
        self._shown: dict[Place, WatchedHand] = {}
        self._board: tuple[str, ...] = ()
        self._dealer: tuple[str, ...] = ()
        self._number = 0
        self._delay = 0
        """Milliseconds by which the inserted steps have delayed the steps after them."""

    def steps(self, views: Sequence[StepView]) -> Iterator[WatchStep]:
        """Yield the steps of a round."""
        for one in views:
            while self._bets and one.entry.number == self._bets[0].entry:
                yield self._bet_step(one, self._bets.pop(0))
            self._move(one)
            yield self._step(one)

    def _bet_step(self, one: StepView, bet: BetChange) -> WatchStep:
        """Return the step in which a player changes a bet."""
        place = (bet.seat, 1)
        self._wagers.setdefault(place, {})[bet.wager] = bet.after
        before = self._delay
        self._delay += bet.pause
        hand = replace(self._shown[place], wagers=dict(self._wagers[place]))
        self._shown[place] = hand
        self._number += 1
        return WatchStep(
            number=self._number,
            time=one.entry.time + before,
            phase=self._phase,
            by="player",
            says=bet.says,
            seat=bet.seat,
            hands=(hand,),
        )

    def _step(self, one: StepView) -> WatchStep:
        """Return the step of an input."""
        entry, chair = one.entry, one.chair
        self._phase = self._next_phase(one)
        self._number += 1
        hands = tuple(self._changes(chair))
        board, dealer = _board(chair), _dealer(chair)
        step = WatchStep(
            number=self._number,
            time=entry.time + self._delay,
            phase=self._phase,
            by=_by(entry.input),
            says=input_words(self.table, entry, chair, self._wagers.get((seat_named(entry.input), 1))),
            seat=seat_named(entry.input),
            spoken=spoken_words(entry.input),
            hands=hands,
            board=board if board != self._board else None,
            dealer=dealer if dealer != self._dealer else None,
        )
        self._board, self._dealer = board, dealer
        return step

    # --- chips ---

    def _move(self, one: StepView) -> None:
        """Move chips as the input does."""
        entry, act = one.entry, one.entry.input
        before, after = _layout(one.before), _layout(one.chair.state)
        lines = {_key(x.event): x for x in entry.changes if isinstance(x.event, e.WagerSettled)}
        for place in {*before, *after}:
            own = self._wagers.setdefault(place, {})
            old, new = before.get(place, {}), after.get(place, {})
            for name, cents in new.items():
                if cents != old.get(name, 0):
                    own[name] = self._visible(place, name, cents)
            for name in set(old) - set(new):
                self._remove(place, name, act, lines.get((*place, name)))
        if isinstance(act, a.WagerAct):
            own = self._wagers.setdefault((act.seat, act.hand), {})
            if isinstance(act, a.Take):
                own.pop(act.wager, None)
            elif isinstance(act, a.Pay):
                paid = self._paid.setdefault((act.seat, act.hand), {})
                paid[act.wager] = paid.get(act.wager, 0) + total(act.chips)
        if isinstance(act, a.Rack):
            self._pick_up(act.what, after)
        if any(isinstance(x.event, e.RoundClosed) for x in entry.changes):
            self._wagers, self._paid = {}, {}

    def _visible(self, place: Place, wager: str, cents: int) -> int:
        """Return the amount to show on a spot: `cents`, or the amount before a change of this bet that is
        still to come in the replay."""
        changes = (bet for bet in self._bets if (bet.seat, 1) == place and bet.wager == wager)
        change = next(changes, None)
        return cents if change is None else change.before

    def _remove(self, place: Place, wager: str, act: ch.Input, line: ch.Change | None) -> None:
        """Take a wager off the felt, unless it stays with the player until the cards are collected."""
        own = self._wagers.setdefault(place, {})
        acted = isinstance(act, a.WagerAct) and (act.seat, act.hand, act.wager) == (*place, wager)
        if line is not None and isinstance(line.event, e.WagerSettled):
            loses = line.event.result == "lose" and line.origin != ch.TRAINER
            if acted or not loses:
                return
        own.pop(wager, None)

    def _pick_up(self, what: str, left: dict[Place, dict[str, int]]) -> None:
        """Let a player pick up the chips of a hand whose cards are collected. Open wagers stay."""
        seat, hand, discards = card_place(what)
        if not seat or discards:
            return
        place = (seat, hand)
        stays = left.get(place, {})
        self._wagers[place] = {n: x for n, x in self._wagers.get(place, {}).items() if n in stays}
        self._paid.pop(place, None)

    def _changes(self, chair: ch.Chair) -> Iterator[WatchedHand]:
        """Yield the hands that look different from before."""
        for place, hand in _hands(chair.state):
            shown = WatchedHand(
                seat=place[0],
                hand=place[1],
                cards=_faces(chair, place, hand),
                wagers={n: x for n, x in self._wagers.get(place, {}).items() if x},
                paid=dict(self._paid.get(place, {})),
                folded=bool(hand.folded),
            )
            if shown != self._shown.get(place, WatchedHand(seat=place[0], hand=place[1])):
                self._shown[place] = shown
                yield shown

    # --- phases ---

    def _next_phase(self, one: StepView) -> str:
        """Return the phase of the round that an input belongs to. The phase never goes back."""
        phases = _phases(self.table)
        act, now = one.entry.input, one.before.round
        closes = isinstance(act, a.TakeStep) and act.what == "close"
        settles = isinstance(act, a.WagerAct | a.ReadHand | a.TakeFold) and now.revealed
        shown = isinstance(act, a.TurnUp) and act.place != "board" and not turns(self.table, one.before)
        if one.before.section != "round" or (isinstance(act, a.TakeStep) and act.what == "open"):
            named = SHUFFLE
        elif closes or (isinstance(act, a.Rack) and act.what in ("board", "dealer")):
            named = CLOSE
        elif settles or (shown and not self.table.shootout):
            named = SETTLEMENT
        elif now.betting == "open":
            named = BETS
        elif isinstance(act, a.DealCards) and act.place != "board":
            named = DEAL
        elif self.table.shootout:
            named = HANDS if now.looking or isinstance(act, a.Ask) else DEAL
        else:
            up = one.chair.state.round.up or len(early_board(one.chair))
            asked = isinstance(act, a.Ask | c.Check | c.Play | c.Fold | a.TakeFold)
            streets = (BEFORE_FLOP if now.looking or asked else DEAL, FLOP, RIVER)
            named = streets[0 if up < FLOP_CARDS else 1 if up == FLOP_CARDS else 2]
        return max(self._phase, named, key=phases.index)


def _phases(table: Table) -> tuple[str, ...]:
    middle = (HANDS,) if table.shootout else (BEFORE_FLOP, FLOP, RIVER)
    return (SHUFFLE, BETS, DEAL, *middle, SETTLEMENT, CLOSE)


def _key(event: e.WagerSettled) -> tuple[int, int, str]:
    return event.seat, event.hand, event.wager


def _hands(state: State) -> Iterator[tuple[Place, Hand]]:
    for number, seat in state.seats.items():
        for index, hand in enumerate(seat.hands, 1):
            yield (number, index), hand


def _layout(state: State) -> dict[Place, dict[str, int]]:
    return {place: dict(hand.wagers) for place, hand in _hands(state)}


def _codes(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _faces(chair: ch.Chair, place: Place, hand: Hand) -> tuple[str, ...]:
    """Return the cards of a hand; empty text for a card that is face down."""
    if hand.racked or not hand.cards:
        return ()
    if hand.shown:
        return _codes(hand.cards)
    up = {card for at, cards in exposed_cards(chair) if at == f"seat {place[0]}" for card in cards}
    return tuple(str(card) if card in up else "" for card in hand.cards)


def _board(chair: ch.Chair) -> tuple[str, ...]:
    state, now = chair.state, chair.state.round
    if state.section != "round" or "board" in now.gone:
        return ()
    up = (*(now.arranged or now.board[: now.up]), *early_board(chair))
    return (*_codes(up), *("" for _ in now.board[len(up) :]))


def _dealer(chair: ch.Chair) -> tuple[str, ...]:
    state, now = chair.state, chair.state.round
    if state.section != "round" or "dealer" in now.gone:
        return ()
    up = {card for at, cards in exposed_cards(chair) if at == "dealer" for card in cards}
    held = now.kept if now.kept and "dealer discards" in now.gone else now.dealer
    early = any(isinstance(one.act, a.TurnUp) and one.act.place == "dealer" for one in chair.early)
    return tuple(str(card) if now.revealed or early or card in up else "" for card in held)


def _by(act: ch.Input) -> Literal["dealer", "player", "table"]:
    return "dealer" if isinstance(act, a.ChairAct) else "player" if isinstance(act, c.Command) else "table"


def _spots(table: Table) -> Iterator[WatchedSpot]:
    for wager in table.terms.wagers:
        if wager.group.on_other_hands or (wager.modes is not None and table.mode not in wager.modes.value):
            continue
        pays = table.terms.in_use.get(wager.name)
        if wager.name == "progressive" and pays is None:
            continue
        yield betting_spot(WatchedSpot, table.terms, wager)


def _tables(table: Table) -> Iterator[TableInUse]:
    """Yield the side bets with their pay tables."""
    for wager in table.terms.wagers:
        name = table.terms.named_tables.get(wager.name) or table.terms.tables.get(wager.name)
        if wager.optional and name:
            yield TableInUse(wager=wager.name, title=wager.title, table=name)


def step_views(chair: ch.Chair, chairs: Iterable[ch.Chair]) -> list[StepView]:
    """Return each input of a round, with the chair after it and the table's state before it."""
    views, before = [], chair.start
    for after in chairs:
        entry = after.entries[-1]
        views.append(StepView(entry, after, before))
        for change in entry.changes:
            before = evolve(before, change.event)
    return views
