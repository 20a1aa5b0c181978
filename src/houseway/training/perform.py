"""Apply one input to a training table: an act of the trainee, a player's command or conduct, or a
happening.

In training an act out of order happens: it changes the table, and it is recorded as a slip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from houseway.bots.players import DECISIONS
from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.evolve import fold
from houseway.engine.irregularities import cards_off_deck
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, turns
from houseway.rules.procedure import Step
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import add_chips
from houseway.training.conduct import handling
from houseway.training.conduct_acts import drop_decisions, put_right
from houseway.training.due_acts import AHEAD, DueAct, ahead, counted_now, due_acts, foreseen, is_wrong_count
from houseway.training.early_cards import not_done_early
from houseway.training.free_order import (
    in_any_order,
    keeps_betting_open,
    look,
    may_be_early,
    may_wait,
    racks_once_settled,
    taken_unseen,
    takes_lost_first,
)
from houseway.training.happenings import (
    PREMATURE_FLOP,
    cards_taken,
    other_name,
    premature_board,
    short_deck,
    stuck_card,
)
from houseway.training.keypad_presses import press_again
from houseway.training.missing_cards import deal_again
from houseway.training.special_acts import SPECIAL
from houseway.training.stuck_cards import counts_after_all, turn_up_stuck_card
from houseway.training.unexpected_acts import (
    act_beyond,
    decide_for_players,
    leaves_players_out,
    pay_rest,
    read_again,
    slip_before_decision,
    unexpected,
)
from houseway.training.working_chair import WorkingChair, broken_order, miss_call

WAITS: Final = ("out-of-turn", "not-now")
"""The codes with which the engine refuses a decision that comes too early."""


def take_chair(table: Table, state: State) -> ch.Chair:
    """Return a chair at a table, with the acts that are due."""
    return ch.Chair(state, due_acts(table, state), start=state)


def perform(
    table: Table,
    chair: ch.Chair,
    act: a.ChairAct,
    time: int = 0,
    cards: tuple[Card, ...] = (),
    seal: str = "",
) -> ch.Chair:
    """Return the chair after an act of the trainee.

    `cards` are those that the act takes off the deck; `seal` is the seal of the deck that it shuffles.
    """
    at = WorkingChair(table, chair, act, time)
    at.seal = seal
    at.settle_down()
    put_right(at, act)
    handler = HANDLERS.get(type(act))
    if handler is not None:
        handler(at, act, cards)
    elif isinstance(act, a.DealCards | a.Burn) and len(cards) < cards_needed(table, chair, act):
        # The deck has no more cards.
        step, clause = at.due_clause()
        at.slip(ch.NOT_DUE, clause, step=step)
    else:
        _do(at, act, cards)
    at.settle_down()
    drop_decisions(at)
    return at.done(cards)


def attempt(
    table: Table,
    chair: ch.Chair,
    act: a.ChairAct,
    time: int = 0,
    cards: tuple[Card, ...] = (),
    seal: str = "",
) -> ch.Chair | ch.Slip:
    """Return the chair after a right act; or, for a wrong one, the slip that it would be.

    A live table refuses what training lets happen. The wrong act then changes nothing.
    """
    after = perform(table, chair, act, time, cards, seal)
    slips = after.entries[-1].slips
    return slips[0] if slips else after


def receive(table: Table, chair: ch.Chair, command: c.Command, time: int = 0) -> ch.Chair | Refusal:
    """Return the chair after a command of a player, the floor or the house; or the engine's refusal.

    A decision that comes before the player's turn waits for it.
    """
    at = WorkingChair(table, chair, command, time)
    answer = decide(table, at.state, command)
    if isinstance(answer, Refusal) and isinstance(command, DECISIONS) and answer.code in WAITS:
        later = decide(table, players_state(chair), command)
        if isinstance(later, Refusal):
            at.decisions[command.seat] = command
        else:
            at.apply(later, ch.PLAYER)
    elif isinstance(answer, Refusal):
        return answer
    else:
        at.apply(answer, ch.PLAYER)
        at.clear_queue()
    at.settle_down()
    drop_decisions(at)
    return at.done()


def behave(table: Table, chair: ch.Chair, conduct: ch.Conduct, time: int = 0) -> ch.Chair | None:
    """Return the chair after a player's conduct; None if it breaks no rule now, or cannot happen."""
    at = WorkingChair(table, chair, conduct, time)
    right = handling(table, players_state(chair), conduct, chair.mispaid)
    if right is None:
        return None
    if isinstance(conduct.tries, DECISIONS):
        at.decisions[conduct.seat] = conduct.tries
    at.conduct.append(
        ch.OpenConduct(conduct=conduct, right=right.right, clause=right.clause, since=at.number, time=time)
    )
    at.settle_down()
    return at.done()


def happen(
    table: Table, chair: ch.Chair, happening: ch.Happening, time: int = 0, cards: tuple[Card, ...] = ()
) -> ch.Chair | None:
    """Return the chair after something went wrong at the table; None if it cannot happen now."""
    at = WorkingChair(table, chair, happening, time)
    command = happening.command
    if isinstance(command, c.DealExtra | c.DealShort):
        command = replace(command, cards=cards[: cards_taken(table, chair, happening)])
    if happening.kind == ch.WRONG_COUNT:
        possible = short_deck(table, chair) if command is None else stuck_card(table, chair)
        if possible is None or (command is not None and happening != possible):
            return None
    if command is not None and not at.send(command, ch.TRAINER):
        return None
    at.clear_queue()
    if happening.kind == ch.WRONG_COUNT:
        # Nothing shows until the stub is counted, so there is nothing to report.
        at.missing = 0 if command is not None else happening.count or 1
        at.settle_down()
        return at.done(cards)
    board = premature_board(table, at.state, cards) if happening.kind == PREMATURE_FLOP else []
    drawn = tuple(card for one in board for card in one.cards)
    also = other_name(table, happening)
    if not at.open_irregularity(
        happening.kind, happening.at, happening.which, drawn, happening.count, also
    ):
        return None
    at.early += board
    at.settle_down()
    return at.done(cards)


def replay(table: Table, chair: ch.Chair, entries: Iterable[ch.ChairEntry]) -> Iterator[ch.Chair]:
    """Yield the chair after each recorded input. Only inputs, times, cards and seals are read."""
    for entry in entries:
        match entry.input:
            case a.ChairAct() as act:
                after: ch.Chair | Refusal | None = perform(
                    table, chair, act, entry.time, entry.cards, entry.seal
                )
            case ch.Happening() as happening:
                after = happen(table, chair, happening, entry.time, entry.cards)
            case ch.Conduct() as conduct:
                after = behave(table, chair, conduct, entry.time)
            case command:
                after = receive(table, chair, command, entry.time)
        if not isinstance(after, ch.Chair):
            raise ValueError(f"entry {entry.number} cannot be replayed: {entry.input}")
        chair = after
        yield chair


def cards_needed(table: Table, chair: ch.Chair, act: a.ChairAct) -> int:
    """Return how many cards an act takes off the deck."""
    if isinstance(act, a.DealCards | a.Burn):
        waiting = (one for one in chair.queue if one.act.target == act.target)
        item = next(waiting, None)
        drawn = item.act.count - item.cards if item and isinstance(item.act, a.DealCards | a.Burn) else 0
        return max(0, act.count - drawn)
    if isinstance(act, a.ReportIrregularity):
        named = (one for one in chair.open if one.kind == act.kind or one.is_named(act.kind, act.at))
        known = next(named, None)
        if known is None:
            return 0
        report = c.Report(kind=known.named(act.kind).kind, at=act.at, which=act.which)
        return max(0, cards_off_deck(table, chair.state, report) - len(known.cards))
    return 0


def players_state(chair: ch.Chair) -> State:
    """Return the table as players decide at it: a fold that the trainee has passed over counts as taken."""
    passed = [event for one in chair.queue if one.slip and not one.shows_dealer for event in one.events]
    return fold(passed, chair.state) if passed else chair.state


def waits_for(table: Table, chair: ch.Chair) -> tuple[int, ...]:
    """Return the seats that the trainee has asked and that have not decided."""
    return tuple(number for number in turns(table, players_state(chair)) if number in chair.asked)


# --- acts on things ---


def _do(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> None:
    """Do an act that is due now, due later, or not due at all."""
    if isinstance(act, a.Pay) and pay_rest(at, act):
        return
    if deal_again(at, act, cards):
        return
    item = _due_now(at, act)
    if item is not None:
        _complete(at, item, act, cards)
        return
    if isinstance(act, a.Key) and press_again(at, act):
        return
    if _look(at, act) or (isinstance(act, a.TakeFold) and _taken_in_parts(at, act)):
        return
    if isinstance(act, a.ReadHand) and read_again(at, act):
        return
    if _late_board(at, act, cards):
        return
    if turn_up_stuck_card(at, act):
        return
    if at.queue and not counts_after_all(at, act) and _without(at, at.queue[0]):
        if at.state.round.void:
            # In a round that the trainer has declared void, the act has no place.
            at.forget_passed()
        else:
            _do(at, act, cards)
        return
    late = next((one for one in at.passed if one.due.is_done_by(act)), None)
    if late is not None:
        at.passed.remove(late)
        rest = at.complete(counted_now(at.table, at.state, late.due), act, cards)
        if rest is not None:
            at.passed.append(ch.PassedAct(rest, late.slip))
        if any(isinstance(one.event, e.RoundVoided) for one in at.changes):
            # A count that had waited was wrong.
            at.forget_passed()
            at.clear_queue()
        if isinstance(act, a.DealCards):
            # The act that is due now may have become the last one of the deal, which ends its step.
            at.ask_again()
        return
    if _jump(at, act, cards):
        return
    if act_beyond(at, act, cards):
        return
    if leaves_players_out(at) and at.to_ask() and decide_for_players(at):
        _do(at, act, cards)
        return
    unexpected(at, act, cards)


def _look(at: WorkingChair, act: a.ChairAct) -> bool:
    """Turn up a folded hand before its turn, if the document lets the dealer look; return False if not."""
    turned = look(at.table, at.state, act)
    if turned is None:
        return False
    place = f"seat {turned.seat}"
    listed = (one for group in ahead(at.table, at.state, at.queue, at.missing) for one in group)
    reads = [one for one in listed if isinstance(one.act, a.ReadHand) and one.act.place == place]
    at.apply([turned])
    at.ask_again()
    # The hand may still be announced.
    at.passed += [ch.PassedAct(one, 0) for one in reads[:1]]
    return True


def _taken_in_parts(at: WorkingChair, act: a.TakeFold) -> bool:
    """True if a folded hand was taken piece by piece. To take it as a whole then changes nothing."""
    hand = at.state.seats[act.seat].hands[0] if act.seat in at.state.seats else None
    due_later = any(one.due.is_done_by(act) for one in at.passed)
    if hand is None or not hand.folded or due_later or any(one.is_done_by(act) for one in at.queue):
        return False
    inputs = [entry.input for entry in at.entries]
    taken = any(isinstance(one, a.Take) and one.seat == act.seat for one in inputs)
    return (taken or a.Rack(what=f"seat {act.seat}") in inputs) and act not in inputs


def _late_board(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> bool:
    """Deal the community cards that the trainee passed over; return False for any other act."""
    if not isinstance(act, a.DealCards) or act.place != "board":
        return False
    late = next((one for one in at.passed if one.due.act.target == act.target), None)
    if late is None:
        return False
    at.passed.remove(late)
    at.clear_queue()
    at.complete(late.due, act, cards)
    return True


def _due_now(at: WorkingChair, act: a.ChairAct) -> DueAct | None:
    """Return the due act that an act does. Wagers of a hand come in any order, unless a clause fixes it."""
    for index, item in enumerate(at.queue):
        if item.is_done_by(act):
            before = at.queue[:index]
            free = [one for one in before if _is_free(at, act, item, one)]
            if all(one.optional or one in free for one in before):
                for one in before:
                    if one not in free:
                        at.queue.remove(one)
                        at.apply(one.events)
                return item
    return None


def _is_free(at: WorkingChair, act: a.ChairAct, item: DueAct, other: DueAct) -> bool:
    in_order = may_precede(item, other) or in_any_order(at.table, at.state, item, other)
    return in_order or takes_lost_first(at.table, act, item, other)


def may_precede(item: DueAct, other: DueAct) -> bool:
    """True if an act may come before another one that is due earlier: two wagers of one hand."""
    both = isinstance(item.act, a.WagerAct) and isinstance(other.act, a.WagerAct)
    return both and item.free and item.seat == other.seat


def _complete(at: WorkingChair, item: DueAct, act: a.ChairAct, cards: tuple[Card, ...]) -> None:
    """Do a due act; at the close of the round, settle what was left unsettled first."""
    if not _closes(item):
        at.complete(item, act, cards)
        return
    # Wagers that were never settled: their stakes stay with the players.
    for passed in [one for one in at.passed if one.due.lines]:
        at.passed.remove(passed)
        at.miss(passed.due, passed.slip)
    at.queue = []
    for _ in range(AHEAD):
        closing = due_acts(at.table, at.state, at.missing)
        if not closing or _closes(closing[0]):
            break
        # Acts that become due only now, such as an envy payment, were never done either.
        for one in closing:
            if not at.count_early(one):
                at.miss(one)
    at.complete(closing[0] if closing else item, act, cards)
    at.finish_round()


def _closes(item: DueAct) -> bool:
    return any(isinstance(event, e.RoundClosed) for event in item.events)


def _without(at: WorkingChair, head: DueAct) -> bool:
    """Let the program do an act that the trainee left out, if play cannot continue without it."""
    if isinstance(head.act, a.CallFloor):
        miss_call(at, head)
    elif isinstance(head.act, a.ReportIrregularity):
        kind, place = head.act.kind, head.act.at
        at.slip(ch.UNSEEN, head.clause, due=head.act, irregularity=kind, at=place)
        at.open = [one for one in at.open if (one.kind, one.at) != (kind, place)]
    else:
        return False
    at.queue.remove(head)
    at.apply(head.events, ch.TRAINER)
    at.settle_down()
    return True


def _jump(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> bool:
    """Do an act that is due later and pass over those before it; return False if it is not due later."""
    if isinstance(act, a.DealCards) and at.state.round.served[-1:] == (act.place,):
        # A second card in a row to the same hand is a card too many.
        return False
    commands = ahead(at.table, at.state, at.queue, at.missing, counts_wait=True)
    for index, group in enumerate(commands):
        for place, item in enumerate(group):
            if not item.is_done_by(act):
                continue
            before = [one for earlier in commands[:index] for one in earlier]
            if any(_blocks(at, one, act, item.step) for one in not_done_early(before, at.early)):
                return False
            passed = [*before, *group[:place]]
            open_acts = [one for one in not_done_early(passed, at.early) if not one.optional]
            free = bool(open_acts) and (
                may_be_early(at.table, item, open_acts) or keeps_betting_open(at.table, item, open_acts)
            )
            # A hand that is racked too early leaves the turns of the other hands as they are.
            racked = racks_once_settled(at.table, item) and any(one.step != item.step for one in open_acts)
            if free or racked or (any(one.shows_dealer for one in passed) and not _closes(item)):
                _keep_early(at, act, cards, passed, item, free=free)
                return True
            if taken_unseen(at.table, at.state, act, item):
                _take_unseen(at, act, cards, passed, item)
                return True
            _pass_and_do(at, act, cards, passed, item, group[place + 1 :], len(before))
            return True
    return False


def _keep_early(
    at: WorkingChair,
    act: a.ChairAct,
    cards: tuple[Card, ...],
    passed: list[DueAct],
    item: DueAct,
    *,
    free: bool,
) -> None:
    """Do an act before its turn, for example before the dealer's hand is turned up. It counts when its turn
    comes.

    The dealer's cards stay as they are. Only the first such act is a slip: the others follow from it. If
    the document leaves the order `free`, none is.
    """
    drawn = isinstance(act, a.DealCards | a.Burn | a.TurnUp) and not item.seat
    again = next((one for one in at.early if one.act.target == act.target and not drawn), None)
    if again is not None and not (isinstance(again.act, a.Pay) and isinstance(act, a.Pay)):
        at.slip(ch.NOT_DUE, item.clause, due=passed[0].left, step=passed[0].step)
        return
    first = next(one for one in passed if not one.optional)
    if not first.slip and not free:
        clause = broken_order(first, item)
        slip = at.slip(ch.OUT_OF_ORDER, clause, due=first.left, step=first.step, passed=1)
        at.queue = [replace(one, slip=slip) if one == first else one for one in at.queue]
    if again is not None and isinstance(again.act, a.Pay) and isinstance(act, a.Pay):
        at.early.remove(again)
        act = replace(act, chips=add_chips(again.act.chips, act.chips))
    at.early.append(ch.EarlyAct(act, cards))


def _take_unseen(
    at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...], passed: list[DueAct], item: DueAct
) -> None:
    """Take all of a folded hand without a look at its cards, and so also the wagers that it wins.

    Each of these is a wrong amount. The table does not show which hands win.
    """
    others = [one for one in passed if one.seat != item.seat]
    at.queue = []
    at.pass_over(others, item)
    for one in passed:
        if one.seat == item.seat and isinstance(one.act, a.WagerAct):
            wager = one.act
            taken = a.Take(seat=wager.seat, hand=wager.hand, wager=wager.wager, tip=wager.tip, of=wager.of)
            at.complete(one, taken)
    at.queue = [item]
    _complete(at, item, act, cards)


def _blocks(at: WorkingChair, item: DueAct, act: a.ChairAct, step: str) -> bool:
    """True if an act of a step cannot come before this one: a ruling is made first.

    Only hands can be dealt before the board; any other act needs the community cards. A count that may wait
    has no effect before it is made.
    """
    if is_wrong_count(item) and may_wait(at.table, item, step):
        return False
    rules = any(isinstance(event, e.RulingMade | e.RoundVoided) for event in item.events)
    board = isinstance(item.act, a.DealCards) and item.act.place == "board"
    hand = isinstance(act, a.DealCards) and act.place != "board"
    return (board and not hand) or rules or isinstance(item.act, a.ReportIrregularity)


def _pass_and_do(
    at: WorkingChair,
    act: a.ChairAct,
    cards: tuple[Card, ...],
    passed: list[DueAct],
    item: DueAct,
    rest: tuple[DueAct, ...],
    others: int,
) -> None:
    """Pass over acts and do a later one.

    `rest` are the acts after it in the same command of the engine. The first `others` of the passed acts
    belong to earlier commands.
    """
    at.queue = []
    at.pass_over(passed, item)
    if any(one.step != item.step for one in passed):
        fresh = due_acts(at.table, at.state, at.missing)
        again = next((one for one in fresh if one.is_done_by(act)), None)
        if again is not None:
            at.set_queue(fresh[fresh.index(again) :])
            _complete(at, at.queue[0], act, cards)
            return
    if any(one.step == item.step for one in passed[:others]):
        # Acts of this step are still to be done, so the step is not over.
        item, *left = (_unfinished(one) for one in (item, *rest))
        rest = tuple(left)
    at.queue = [item, *rest]
    _complete(at, item, act, cards)


def _unfinished(item: DueAct) -> DueAct:
    """Return an act without the event that ends its step."""
    return replace(item, events=tuple(ev for ev in item.events if not isinstance(ev, e.StepTaken)))


def _ask(at: WorkingChair, act: a.Ask, cards: tuple[Card, ...]) -> None:
    """Ask a player to decide."""
    asking = _question(at, act)
    undecided = asking is not None and _undecided(at.state, act.seat, asking)
    if not undecided and asking is not None and leaves_players_out(at) and decide_for_players(at):
        _ask(at, act, cards)
        return
    if not undecided or asking is None:
        step, clause = at.due_clause()
        at.slip(ch.NOT_DUE, clause, step=step)
        return
    seats = at.to_ask()
    if seats and act.seat not in seats:
        clause = at.table.clause(asking, "order") or at.table.clause(asking)
        slip_before_decision(at, ch.OUT_OF_ORDER, clause, seats[0], asking.name)
    if act.seat not in at.asked:
        at.asked = (*at.asked, act.seat)


def _question(at: WorkingChair, act: a.Ask) -> Step | None:
    """Return the step in which players are asked: now, or next, after acts that the trainee passes over."""
    if at.to_ask():
        return at.table.steps[at.asking]
    commands = ahead(at.table, at.state, at.queue, at.missing, counts_wait=True)
    passed = [one for group in commands for one in group]
    then = fold(foreseen(at.table, passed, counts_wait=True), at.state)
    asks = due(at.table, then)
    if not turns(at.table, then) or asks is None or any(one.cards for one in passed):
        return None
    if any(_blocks(at, one, act, asks.step.name) for one in not_done_early(passed, at.early)):
        # After a premature flop, the community cards are off the deck, but not on the board yet.
        return None
    at.queue = []
    at.pass_over(passed, DueAct(act, (), asks.step.name, None, None))
    at.settle_down()
    if at.asking != asks.step.name:
        at.asked, at.asking = (), asks.step.name
    return asks.step


def _undecided(state: State, number: int, asking: Step) -> bool:
    """True if a seat has a hand in play and has not decided at this betting point."""
    hand = state.seats[number].hands[0] if number in state.seats else None
    if hand is None or not hand.cards or hand.locked or hand.void:
        return False
    return hand.acted != (asking.stage or "set")


HANDLERS: Final[dict[type[a.ChairAct], Callable[[WorkingChair, Any, tuple[Card, ...]], None]]] = {
    **SPECIAL,
    a.Ask: _ask,
}
"""The handlers of the acts that `_do` does not handle."""
