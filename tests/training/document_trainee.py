"""A trainee who deals as the automatic dealer of another table does, and never looks at what the chair expects.

Both tables get the same cards, wagers and decisions. The automatic dealer's events say what to do. Hands are
read with the readable evaluator. If the document leaves the order of a hand's wagers open, they come in a
random order, and a wager that pushes is often left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve, fold
from houseway.engine.fold_registry import seat_of
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import places_left, turns
from houseway.ranking.readable_evaluator import compare, read
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import add_chips, make, tray_values
from houseway.training.perform import perform
from training.sessions import SECONDS, Session

FIXED_ORDER = ("uth-sd", "shootout-sd")
"""The rulebooks whose documents give the order of all wagers of a hand: SD-6-a and TS-16-d."""
LAST = ("trips", "progressive")
"""In Massachusetts, trips comes after ante, blind and play (MA-9.h.4-a), then the progressive."""
NAMED = ("note", "confirm")

Planned = tuple[a.ChairAct, tuple[Card, ...]]


class DocumentTrainee(Session):
    """A session whose dealer copies an automatic dealer."""

    def __init__(self, rulebook: str, mode: str, seed: int, **more: Any) -> None:
        super().__init__(rulebook, mode, seed, **more)
        self.mirror: State = replace(self.start, dealer="machine")
        self.planned: list[Planned] = []

    def play_round(self, choose: Any = None) -> list[ch.ChairEntry]:
        """Deal until a round is closed."""
        for _ in range(600):
            inputs = self.chair.inputs
            self._step()
            last = self.chair.entries[-1:] if self.chair.inputs > inputs else ()
            if any(isinstance(x.event, e.RoundClosed) for entry in last for x in entry.changes):
                return list(self.chair.entries)
        raise AssertionError("the round did not end")

    def _step(self) -> None:
        now = self.mirror.round
        if self.planned:
            act, cards = self.planned.pop(0)
            self.time += SECONDS
            self.chair = perform(self.table, self.chair, act, self.time, cards)
            self._after()
        elif now.betting == "open" and not any(s.hands[0].wagers for s in self.mirror.seats.values()):
            self.place_bets()
        elif now.asked is not None:
            self._mirror(c.Approve(by="floor supervisor", name="Flo" if self.table.names_persons else ""))
            self.planned.append((a.CallFloor(), ()))
        elif waiting := turns(self.table, self.mirror):
            number = self.rng.choice(waiting)
            if number in self.chair.asked and self.chair.asking:
                self.decide(number)
            else:
                self.planned.append((a.Ask(seat=number), ()))
        else:
            self._copy()

    def command(self, command: c.Command) -> Refusal | None:
        """Send a player's command to both tables."""
        refused = super().command(command)
        if refused is None:
            self._mirror(command)
        return refused

    def _mirror(self, command: c.Command) -> tuple[e.Event, ...]:
        answer = decide(self.table, self.mirror, command)
        assert not isinstance(answer, Refusal), (command, answer)
        self.mirror = fold(answer, self.mirror)
        return answer

    def _copy(self) -> None:
        """Let the automatic dealer act, and plan the same acts."""
        act = next_act(self.table, self.mirror)
        assert act is not None, self.mirror.done
        step = self.table.steps[act.step]
        places = ["burn"] * act.cards
        if act.act == "deal":
            left = places_left(self.table, self.mirror, step)
            places = [place for place in left for _ in range(step.each)]
        cards = self.shoe.next(places)
        self.shoe.take(cards)
        before = self.mirror
        events = self._mirror(act.command(cards))
        name = step.name if act.act in NAMED else act.act
        planned = list(self._acts(act.act, name, before, events))
        if act.act == "take folds":
            planned = list(_folds(planned))
        if act.act == "settle" and self.book.id not in FIXED_ORDER:
            planned = self._in_any_order(planned)
        self.planned = planned

    # --- what the events ask for ---

    def _acts(self, act: str, name: str, before: State, events: Sequence[e.Event]) -> Iterator[Planned]:
        state, done = before, False
        for event in events:
            for planned in self._of(state, event):
                done = True
                yield planned
            state = evolve(state, event)
        if not done and act not in ("settle", "take folds"):
            count = next((event.count for event in events if isinstance(event, e.DeckCut)), None)
            yield a.TakeStep(what=name, count=count), ()

    def _of(self, state: State, event: e.Event) -> Iterator[Planned]:
        match event:
            case e.CardsDealt():
                yield a.DealCards(place=event.to, count=event.count), event.face or event.sealed
            case e.CardsBurned():
                yield a.Burn(count=event.count), event.sealed
            case e.BoardTurned():
                # TS-12-c turns the cards up together. The other documents let the dealer turn them one by one.
                together = len(event.face) if self.table.shootout else 1
                for _ in range(0, len(event.face), together):
                    yield a.TurnUp(place="board", count=together), ()
            case e.DealerRevealed():
                yield a.TurnUp(place="dealer"), ()
                if not self.table.shootout:
                    yield self._reading("dealer", event.face, state), ()
            case e.HandTurned():
                place = f"seat {event.seat}"
                yield a.TurnUp(place=place), ()
                yield self._reading(place, event.face, state), ()
            case e.DealerHandSet():
                yield a.SetHand(cards=event.kept[::-1]), ()
            case e.StubCounted():
                yield a.CountStub(count=event.count), ()
            case e.AwardKeyed():
                yield a.Key(seat=event.seat, hand=event.hand), ()
            case e.CardsRacked():
                yield a.Rack(what=event.what), ()
            case e.WagerSettled():
                yield from self._settled(state, event)

    def _reading(self, place: str, cards: Sequence[Card], state: State) -> a.ReadHand:
        board, order = state.round.board, self.table.terms.order
        hand = state.seats[seat_of(place)].hands[0] if place != "dealer" else None
        if hand is not None and hand.folded and "progressive" in hand.made and "trips" not in hand.made:
            # MA-13.f and the PMG schedules: the progressive counts the two cards and the flop, so both readings
            # are right. The UTHP schedules of South Dakota pay for hands of all seven cards.
            seven = self.table.terms.tables["progressive"].startswith("UTHP")
            read_from = board if seven else self.rng.choice((board[:3], board))
            return a.ReadHand(place=place, reads=read((*cards, *read_from), order).name)
        own = read((*cards, *board), order)
        if place == "dealer" or not state.round.revealed:
            return a.ReadHand(place=place, reads=own.name)
        dealers = read((*state.round.dealer, *board), order)
        result = ("tie", "win", "lose")[compare(own, dealers)]
        return a.ReadHand(place=place, reads=own.name, result=result)

    def _settled(self, state: State, event: e.WagerSettled) -> Iterator[Planned]:
        target: dict[str, Any] = {
            "seat": event.seat,
            "hand": event.hand,
            "wager": event.wager,
            "tip": event.for_dealer,
            "of": (event.from_seat, event.from_hand),
        }
        collected = state.seats[event.seat].hands[event.hand - 1].collected
        if event.coupon:
            # A coupon is paid in one act with its ante.
            if event.won:
                yield a.Pay(**target, chips=make(tray_values(self.table), event.won)), ()
        elif event.result == "win":
            yield a.Pay(**target, chips=make(tray_values(self.table), event.won)), ()
        elif event.result == "push":
            refund = bool(self.table.book.option("ante_return") == "refund_pass")
            if self.rng.random() < 0.5 or refund:
                yield a.Push(**target), ()
        elif not (event.wager == "progressive" and collected):
            yield a.Take(**target), ()

    def _in_any_order(self, planned: list[Planned]) -> list[Planned]:
        """Shuffle the wagers of each hand, with trips after the others; add a coupon to its ante."""
        done: list[Planned] = []
        hand: list[a.WagerAct] = []
        for act, cards in [*planned, (a.CallFloor(), ())]:
            same = isinstance(act, a.WagerAct) and (
                not hand or (hand[0].seat, hand[0].hand) == (act.seat, act.hand)
            )
            if isinstance(act, a.WagerAct) and same and act.wager not in ("envy", "cover_all"):
                hand.append(act)
                continue
            first = [one for one in _joined(hand) if one.wager not in LAST]
            last = [one for one in _joined(hand) if one.wager in LAST]
            self.rng.shuffle(first)
            done += [(one, ()) for one in (*first, *last)]
            hand = [act] if isinstance(act, a.WagerAct) else []
            if not hand:
                done.append((act, cards))
        return done[:-1]


def _joined(hand: Iterable[a.WagerAct]) -> list[a.WagerAct]:
    """The wagers of a hand, with two payments on one wager made one."""
    joined: dict[Any, a.WagerAct] = {}
    for act in hand:
        other = joined.get(act.target)
        if isinstance(other, a.Pay) and isinstance(act, a.Pay):
            act = replace(other, chips=add_chips(other.chips, act.chips))
        joined[act.target] = act
    return list(joined.values())


def _folds(planned: Iterable[Planned]) -> Iterator[Planned]:
    """One act for each folded hand that takes its lost wagers and racks it, after what it still wins."""
    seat, loses = 0, False
    for act, cards in planned:
        number = getattr(act, "seat", 0) or int(
            str(getattr(act, "what", getattr(act, "place", "seat 0")))[5:]
        )
        if loses and number != seat:
            yield a.TakeFold(seat=seat), ()
            loses = False
        seat = number
        if isinstance(act, a.Take | a.Rack):
            loses = True
        else:
            yield act, cards
    if loses:
        yield a.TakeFold(seat=seat), ()
