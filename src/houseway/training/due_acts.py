"""The acts that are due in the dealer's chair.

The engine knows the dealer's next command. The events with which it would answer that command are the acts
that are due, in order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.close_acts import wrongly_keyed_seat
from houseway.engine.deal_acts import cards_out, stub
from houseway.engine.dealer_act import Act, next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import fold
from houseway.engine.hand_facts import FLOP
from houseway.engine.made_hands import read_hand
from houseway.engine.refusals import Refusal
from houseway.engine.showdown_acts import progressive_hand, settler
from houseway.engine.state import State
from houseway.engine.stub_count import count_stub
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import due, folds_left
from houseway.rules.catalogue import shared
from houseway.rules.procedure import Step
from houseway.training import acts as a
from houseway.training.chips import make, tray_values

FLOOR: Final = "floor supervisor"
"""The sender of the floor's commands at a training table."""
FLOOR_NAME: Final = "the floor"
"""The name that the floor signs with at a training table."""
WITH_THINGS: Final = frozenset(
    {"deal", "burn", "turn", "reveal", "set dealer", "count stub", "take folds", "settle", "collect"}
)
"""The acts of steps that the dealer performs on cards and wagers. Any other step is one `TakeStep`."""
BY_STEP: Final = frozenset({"note", "confirm"})
"""The acts whose names do not say what to do. Their steps are called by the names of the steps."""
ORDER_FIXED: Final = frozenset(shared("training.toml")["wager_order"])
"""The clauses that fix the order of wagers within a hand."""
REMOVED_TO_COUNT: Final = frozenset(shared("training.toml")["removed_to_count"])
"""The clauses by which the stub is removed only to be counted."""
AHEAD: Final = 60
"""The number of engine commands that `ahead` looks ahead."""


class DueAct(msgspec.Struct, frozen=True):
    """An act that is due: the right act, and what it changes."""

    act: a.ChairAct
    events: tuple[e.Event, ...]
    """The engine events of the act. An event that no act causes belongs to the act before it."""
    step: str
    """The step of the procedure; empty if the act belongs to none."""
    clause: str | None
    order: str | None
    """The clause of the act's place in the order."""
    optional: bool = False
    """True if the act is right but need not be done: a wager that pushes may simply stay."""
    automatic: bool = False
    """True if the dealer has nothing to do, for example if a lost wager was taken before the deal."""
    free: bool = False
    """True if the document does not fix the order of this wager among the wagers of its hand."""
    cards: int = 0
    """The number of cards that the act takes off the deck."""
    seat: int = 0
    partial: bool = False
    """True if the engine's command that it belongs to is half done."""
    also: tuple[str, ...] = ()
    """Other classes of hand that are right in an announcement."""
    slip: int = 0
    """The number of the slip that passed over this act earlier; 0 if none did."""
    parts: tuple[DueAct, ...] = ()
    """The parts of an act that may also be done piece by piece, in any order: taking a folded hand."""

    @property
    def place(self) -> tuple[Any, ...]:
        """The act's place in the procedure: what it is about, and its step. A wager has only one place."""
        return self.act.target if self.lines else (self.step, *self.act.target)

    @property
    def lines(self) -> tuple[e.WagerSettled, ...]:
        """The settled wagers of the act."""
        return tuple(event for event in self.events if isinstance(event, e.WagerSettled))

    @property
    def shows_dealer(self) -> bool:
        """True if the act turns up or sets the dealer's hand."""
        return any(isinstance(event, e.DealerRevealed | e.DealerHandSet) for event in self.events)

    @property
    def left(self) -> a.ChairAct:
        """The act that is still to be done: the last part, if only one is left."""
        return self.parts[0].act if len(self.parts) == 1 else self.act

    def part(self, act: a.ChairAct) -> DueAct | None:
        """Return the part that an act does, or None."""
        return next((one for one in self.parts if one.act.target == act.target), None)

    def is_done_by(self, act: a.ChairAct) -> bool:
        """True if an act does this act or a part of it."""
        return self.act.target == act.target or self.part(act) is not None

    def without(self, part: DueAct) -> DueAct:
        """Return the act without a part that is done."""
        events = tuple(event for event in self.events if event not in part.events)
        parts = tuple(one for one in self.parts if one != part)
        return replace(self, events=events, parts=parts, partial=True)


def due_acts(table: Table, state: State, missing: int = 0) -> tuple[DueAct, ...]:
    """Return the acts of the dealer's next command, in order.

    Empty while players decide, and while the table waits for anyone but the dealer. `missing` is the
    number of cards that a count of the stub shows to be missing.
    """
    now = state.round
    if now.asked is not None:
        return _call_floor(table, state)
    if now.challenged:
        return _one(table, state, a.ResetDealer(), c.AnswerChallenge())
    waiting = due(table, state)
    act = next_act(table, state)
    if waiting is None or act is None:
        return ()
    step = waiting.step
    if act.cards > stub(table, state):
        return _call_for_cards(table, state)
    command = _command(table, state, act, step)
    if missing and command.count and step.act == "count stub":
        command = replace(command, count=command.count - missing)
    answer = decide(table, state, command, well_formed=True)
    if isinstance(answer, Refusal):
        return _required(table, state, step, answer)
    if step.act not in WITH_THINGS:
        what = step.name if step.act in BY_STEP else step.act
        count = command.count if step.act == "cut" else None
        clause = table.clause(step)
        return (
            DueAct(
                a.TakeStep(what=what, count=count),
                answer,
                step.name,
                clause,
                clause,
                optional=_need_not_leave(answer),
            ),
        )
    listed = list(_from_events(table, state, step, answer))
    if step.act == "take folds":
        listed = _as_folds(listed, step, table.clause(step))
    return _with_cards(listed, act.cards)


def counted_now(table: Table, state: State, item: DueAct) -> DueAct:
    """Return a count of the stub that has waited, with its present events, or any other act unchanged."""
    if not isinstance(item.act, a.CountStub):
        return item
    return replace(item, events=count_events(table, state, item.act.count))


def count_events(table: Table, state: State, count: int) -> tuple[e.Event, ...]:
    """Return the events of a count of the stub, whether or not it is due now."""
    step = table.find("count stub")
    if step is None:
        return ()
    command = c.Perform(step=step.name, count=count)
    answer = count_stub(table, state, Due("round", step, state.deck), command)
    return tuple(answer) if isinstance(answer, list | tuple) else (answer,)


def _need_not_leave(events: Sequence[e.Event]) -> bool:
    """True if the stub may stay where it is: it would leave only to be counted, and no count is due."""
    stubs = [event for event in events if isinstance(event, e.StubRemoved)]
    return bool(stubs) and all(one.racked and one.clause in REMOVED_TO_COUNT for one in stubs)


def what_is_due(table: Table, state: State) -> tuple[str, str | None]:
    """Return the name and the clause of the step that is due; empty if none is."""
    now = due(table, state)
    return (now.step.name, table.clause_now(now.step, state)) if now is not None else ("", None)


def _command(table: Table, state: State, act: Act, step: Step) -> c.Perform:
    """Return the engine's next command for a person: one place, one seat, one fold at a time."""
    command = act.command(any_cards(table, state, act.cards))
    if step.act != "take folds":
        return command
    seats = folds_left(table, state, step)
    settlement_pass = table.passes.get(step.pass_name)
    from_right = settlement_pass is not None and settlement_pass.from_right
    return replace(command, seat=seats[-1 if from_right else 0])


def any_cards(table: Table, state: State, count: int) -> tuple[Card, ...]:
    """Return cards that could come off the deck next; the dealer's act replaces them with the real ones."""
    if not count:
        return ()
    out, left = Counter(cards_out(state)), []
    for card in DECK * table.book.ranking.decks:
        if out[card] > 0:
            out[card] -= 1
        else:
            left.append(card)
            if len(left) == count:
                break
    return tuple(left)


def with_real_cards(due_act: DueAct, cards: Sequence[Card]) -> DueAct:
    """Return an act with the cards that came off the deck. Cards drawn earlier stay."""
    if not due_act.cards:
        return due_act
    changed: list[e.Event] = []
    for event in due_act.events:
        if isinstance(event, e.CardsDealt | e.CardsBurned):
            held = event.sealed or getattr(event, "face", ())
            real = (*held[: len(held) - due_act.cards], *cards)
            changed.append(replace(event, **{"sealed" if event.sealed else "face": real}))
        else:
            changed.append(event)
    return replace(due_act, events=tuple(changed))


def _with_cards(listed: list[DueAct], count: int) -> tuple[DueAct, ...]:
    """Return the acts; the one that deals or burns takes the cards off the deck."""
    return tuple(
        replace(one, cards=count) if isinstance(one.act, a.DealCards | a.Burn) else one for one in listed
    )


# --- acts that a refusal requires ---


def _one(table: Table, state: State, act: a.ChairAct, command: c.Command) -> tuple[DueAct, ...]:
    """Return the one act that sends a command; none if the engine refuses it."""
    answer = decide(table, state, command)
    if isinstance(answer, Refusal):
        return ()
    clause = answer[0].clause if answer else None
    return (DueAct(act, answer, "", clause, clause, seat=getattr(act, "seat", 0)),)


def _call_floor(table: Table, state: State) -> tuple[DueAct, ...]:
    name = FLOOR_NAME if table.names_persons else ""
    return _one(table, state, a.CallFloor(), c.Approve(by=FLOOR, name=name))


def _call_for_cards(table: Table, state: State) -> tuple[DueAct, ...]:
    """Return the call to the floor if the deck has too few cards to finish the round."""
    reason = "the deck has too few cards"
    ruling = c.MakeRuling(by=FLOOR, name=FLOOR_NAME, reason=reason, effect="void round")
    return _one(table, state, a.CallFloor(), ruling)


def _required(table: Table, state: State, step: Step, refusal: Refusal) -> tuple[DueAct, ...]:
    """Return the act that must come before the step that the engine refuses."""
    if refusal.code == "wrong-number":
        place = "board" if refusal.where == step.name else refusal.where
        report = a.ReportIrregularity(kind="wrong number", at=place)
        return _one(table, state, report, c.Report(kind="wrong number", at=place))
    if refusal.code == "award-not-keyed":
        return _key(table, state, step, int(refusal.where.removeprefix("seat ")))
    if refusal.code == "award-lit":
        number = wrongly_keyed_seat(state) or 0
        hand = state.round.keyed.get(number, "")
        return _one(table, state, a.Key(seat=number, hand=hand), c.KeyAward(seat=number, hand=hand))
    if refusal.code == "deck-off":
        deck = next(deck.name for deck in state.decks if deck.stands == "off")
        return _one(table, state, a.CallFloor(), c.ReplaceDeck(by=FLOOR, deck=deck))
    return ()


def _key(table: Table, state: State, step: Step, number: int) -> tuple[DueAct, ...]:
    """Return the press of a seat's award; if another button is lit, the press that turns it off."""
    pressed = state.round.keyed.get(number)
    if pressed is None:
        settling = settler(table, state)
        spot = next(spot for spot in settling.spots if spot.hand.seat == number)
        pressed = progressive_hand(table, settling, spot)
    return _one(table, state, a.Key(seat=number, hand=pressed), c.KeyAward(seat=number, hand=pressed))


# --- acts that the events of a command require ---


def _from_events(table: Table, state: State, step: Step, answer: Iterable[e.Event]) -> Iterator[DueAct]:
    """Yield the acts of a step's events. An event without an act belongs to the act before it."""
    pending: DueAct | None = None
    before: list[e.Event] = []
    for event in answer:
        listed = list(_acts_of(table, state, step, event))
        if pending is not None and listed and _same_wager(pending, listed[0]):
            # A match play coupon is paid together with its ante.
            pending = _paid_together(table, pending, listed[0])
        elif listed:
            if pending is not None:
                yield pending
            first, *others = listed
            pending = replace(first, events=(*before, *first.events))
            before = []
            for other in others:
                yield pending
                pending = other
        elif pending is None:
            before.append(event)
        else:
            pending = replace(pending, events=(*pending.events, event))
    if pending is not None:
        yield pending
    elif before:
        what = step.name if step.act in BY_STEP else step.act
        clause = table.clause_now(step, state)
        act = a.TakeStep(what=what)
        yield DueAct(act, tuple(before), step.name, clause, clause, optional=True, automatic=True)


def _acts_of(table: Table, state: State, step: Step, event: e.Event) -> Iterator[DueAct]:
    clause = event.clause or table.clause_now(step, state)
    order = table.clause(step, "order") or table.clause_now(step, state)
    match event:
        case e.CardsDealt():
            deal = a.DealCards(place=event.to, count=event.count)
            yield DueAct(deal, (event,), step.name, clause, order)
        case e.CardsBurned():
            yield DueAct(a.Burn(count=event.count), (event,), step.name, clause, order)
        case e.BoardTurned():
            turn = a.TurnUp(place="board", count=len(event.face))
            yield DueAct(turn, (event,), step.name, clause, order)
        case e.DealerRevealed():
            yield DueAct(a.TurnUp(place="dealer"), (event,), step.name, clause, order)
            if event.reads:
                reads = a.ReadHand(place="dealer", reads=event.reads, qualifies=event.qualifies)
                yield DueAct(reads, (), step.name, clause, clause)
        case e.DealerHandSet():
            yield DueAct(a.SetHand(cards=event.kept), (event,), step.name, clause, order)
        case e.StubCounted():
            yield DueAct(a.CountStub(count=event.count), (event,), step.name, order, order)
        case e.HandTurned():
            yield from _turned(table, state, step, event)
        case e.WagerSettled():
            settled = _settled(table, state, step, event)
            unseen = _off_layout(state, event)
            yield replace(settled, optional=True, automatic=True) if unseen else settled
        case e.AwardKeyed():
            key = a.Key(seat=event.seat, hand=event.hand)
            yield DueAct(key, (event,), step.name, clause, clause, seat=event.seat)
        case e.CardsRacked():
            ordered = table.clause(step, "order") or clause
            yield DueAct(a.Rack(what=event.what), (event,), step.name, clause, ordered)


def _turned(table: Table, state: State, step: Step, event: e.HandTurned) -> Iterator[DueAct]:
    """Yield the acts that turn a hand up and announce it."""
    place, seat = f"seat {event.seat}", event.seat
    direction = table.direction(step, state)
    turn = a.TurnUp(place=place, hand=event.hand)
    yield DueAct(turn, (event,), step.name, event.clause, direction, seat=seat)
    result = contest(table, state, event.face) if state.round.revealed else ""
    if state.seats[seat].hands[event.hand - 1].folded:
        result = ""
    reads = a.ReadHand(place=place, hand=event.hand, reads=event.reads, result=result)
    also = also_right(table, state, seat, event.hand)
    # A folded hand is only paid. Nothing asks the dealer to announce it.
    folded = bool(state.seats[seat].hands[event.hand - 1].folded)
    yield DueAct(reads, (), step.name, event.clause, event.clause, optional=folded, also=also, seat=seat)


def contest(table: Table, state: State, cards: Sequence[Card]) -> str:
    """Return "win", "lose" or "tie" for a hand against the dealer's; empty if either is incomplete."""
    now = state.round
    held = now.kept or now.dealer
    if len(now.board) != table.board_size or len(held) != table.settled_size or len(cards) != len(held):
        return ""
    strength = table.terms.evaluator.strength
    own, dealers = strength((*cards, *now.board)), strength((*held, *now.board))
    return "tie" if own == dealers else "win" if own > dealers else "lose"


def hand_class(table: Table, state: State, cards: Sequence[Card]) -> str:
    """Return the class of the hand that cards make with the whole board; empty if a card is missing."""
    seven = (*cards, *state.round.board)
    complete = len(state.round.board) == table.board_size and len(cards) == table.settled_size
    return read_hand(seven, table.terms.order).name if complete else ""


def also_right(table: Table, state: State, seat: int, number: int = 1) -> tuple[str, ...]:
    """Return the classes of a hand that are right in an announcement, whichever the document names.

    A folded hand has no contest with the dealer. If the pay tables of all wagers on its own cards count the
    first five cards, only the payment is judged: the hand may be read at the flop or from all seven cards.
    """
    hand, board = state.seats[seat].hands[number - 1], state.round.board
    own = [name for name in hand.made if table.terms.groups[name].on_own_cards]
    alone = bool(hand.folded and own) and all(name in table.terms.on_five for name in own)
    if not alone or len(hand.cards) != table.settled_size or len(board) < FLOP:
        return ()
    at_flop = read_hand((*hand.cards, *board[:FLOP]), table.terms.order).name
    return tuple(dict.fromkeys(filter(None, (at_flop, hand_class(table, state, hand.cards)))))


def _off_layout(state: State, event: e.WagerSettled) -> bool:
    """True for a lost progressive wager that was collected before the deal: nothing is left to take."""
    collected = state.seats[event.seat].hands[event.hand - 1].collected
    return event.result == "lose" and event.wager == "progressive" and bool(collected)


def _settled(table: Table, state: State, step: Step, event: e.WagerSettled) -> DueAct:
    """Return the act that takes, pushes or pays a wager."""
    target = {
        "seat": event.seat,
        "hand": event.hand,
        "wager": event.wager,
        "tip": event.for_dealer,
        "of": (event.from_seat, event.from_hand),
    }
    act: a.WagerAct
    if event.result == "win":
        act = a.Pay(**target, chips=make(tray_values(table), event.won))  # type: ignore[arg-type]
    else:
        act = (a.Push if event.result == "push" else a.Take)(**target)  # type: ignore[arg-type]
    fixed = fixing_clause(table, step, event.wager)
    order = fixed or table.direction(step, state)
    # In a pass that only returns wagers, each return is an act. In any other pass, a push needs none.
    returns = bool(table.passes[step.pass_name].when) if step.pass_name in table.passes else False
    optional = event.result == "push" and not returns
    return DueAct(
        act, (event,), step.name, event.clause, order, optional, free=fixed is None, seat=event.seat
    )


def fixing_clause(table: Table, step: Step, wager: str) -> str | None:
    """Return the clause that fixes the place of a wager among the wagers of its hand, or None."""
    settlement_pass = next((p for p in table.book.settlement if p.name == step.pass_name), None)
    if settlement_pass is None:
        return None
    bases = [settlement_pass.basis, *(s.basis for s in settlement_pass.steps if s.wager == wager)]
    return next((clause for basis in bases if (clause := table.cite(basis)) in ORDER_FIXED), None)


def _same_wager(one: DueAct, other: DueAct) -> bool:
    return isinstance(one.act, a.WagerAct) and one.act.target == other.act.target


def _paid_together(table: Table, one: DueAct, other: DueAct) -> DueAct:
    """Return one act for two payments on the same wager."""
    events = (*one.events, *other.events)
    won = sum(event.won for event in events if isinstance(event, e.WagerSettled))
    if not won:
        return replace(one, events=events)
    seat = one.act
    assert isinstance(seat, a.WagerAct)
    chips = make(tray_values(table), won)
    paid = a.Pay(seat=seat.seat, hand=seat.hand, wager=seat.wager, tip=seat.tip, of=seat.of, chips=chips)
    return replace(one, act=paid, events=events, optional=False)


def _as_folds(listed: list[DueAct], step: Step, clause: str | None) -> list[DueAct]:
    """Return the acts that take one folded hand: what it still wins, then one act for all that it loses.

    That act has a part for each wager, and one for the cards.
    """
    own = [one for one in listed if not isinstance(one.act, a.Take | a.Rack | a.TakeStep)]
    rest = [one for one in listed if isinstance(one.act, a.Take | a.Rack | a.TakeStep)]
    events = tuple(event for one in rest for event in one.events)
    seats = {getattr(event, "seat", 0) for one in listed for event in one.events} - {0}
    if not rest or not seats:
        return listed
    seat = seats.pop()
    counts = tuple(event for event in events if isinstance(event, e.CardsCounted))
    parts = tuple(
        replace(one, events=_part_events(one, counts), optional=False, seat=seat)
        for one in rest
        if isinstance(one.act, a.Take | a.Rack) and not one.automatic
    )
    taken = DueAct(a.TakeFold(seat=seat), events, step.name, clause, clause, seat=seat, parts=parts)
    return [*own, taken]


def _part_events(one: DueAct, counts: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """Return the events of one part of a fold. The cards are counted when they are racked."""
    own = tuple(event for event in one.events if isinstance(event, e.WagerSettled | e.CardsRacked))
    return (*counts, *own) if isinstance(one.act, a.Rack) else own


def ahead(
    table: Table, state: State, queue: Sequence[DueAct], missing: int = 0, *, counts_wait: bool = False
) -> list[tuple[DueAct, ...]]:
    """Return the acts due from now on, by command, until a player must decide or the round is closed.

    `queue` has the acts of the engine's current command. Cards that are not dealt yet are placeholders. If
    `counts_wait`, a wrong count that may be made later does not make the round void yet.
    """
    commands = [tuple(queue)]
    simulated = fold(foreseen(table, queue, counts_wait=counts_wait), state)
    for _ in range(AHEAD):
        if any(isinstance(event, e.RoundClosed) for one in commands[-1] for event in one.events):
            break
        more = due_acts(table, simulated, missing)
        if not more:
            break
        commands.append(more)
        simulated = fold(foreseen(table, more, counts_wait=counts_wait), simulated)
    return commands


def foreseen(table: Table, items: Iterable[DueAct], *, counts_wait: bool) -> Iterator[e.Event]:
    """Yield the events of acts that are not done yet.

    If `counts_wait`, a wrong count that may be made later only ends its step.
    """
    for one in items:
        waits = counts_wait and is_wrong_count(one) and bool(table.steps[one.step].free_until)
        yield from (event for event in one.events if not waits or isinstance(event, e.StepTaken))


def is_wrong_count(item: DueAct) -> bool:
    """True if an act is a count of the stub that makes the round void."""
    voids = any(isinstance(event, e.RoundVoided) for event in item.events)
    return isinstance(item.act, a.CountStub) and voids


def palette(table: Table) -> tuple[str, ...]:
    """Return every act of the table by name, in alphabetical order, so that it does not show what is next.

    Acts on cards and wagers are named by their kind; any other act by the name that `TakeStep` uses.
    """
    kinds = {
        "DealCards",
        "Burn",
        "TurnUp",
        "Ask",
        "TakeFold",
        "ReadHand",
        "Take",
        "Push",
        "Pay",
        "Rack",
        "ColourUp",
    }
    for act, kind in (("set dealer", "SetHand"), ("count stub", "CountStub")):
        if table.find(act) is not None:
            kinds.add(kind)
    if table.find("burn") is None:
        kinds.discard("Burn")
    if any("keyed" in step.rules for step in table.steps.values()):
        kinds.add("Key")
    others = {
        step.name if step.act in BY_STEP else step.act
        for step in table.steps.values()
        if step.act not in WITH_THINGS and step.act != "ask"
    }
    return tuple(sorted(kinds | others, key=str.lower))
