"""Find the reason why an act cannot happen at the table now, for example because a card, hand, bet or chip
that it needs is not there.

A wrong act happens and is judged. An impossible one does not happen. Only things that the dealer can see
decide which is which, so the answer gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from houseway.engine import commands as c
from houseway.engine.deal_acts import stub
from houseway.engine.fold_registry import card_place, seat_of
from houseway.engine.irregularities import face_down_cards
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.money import exactly, spoken
from houseway.training import acts as a
from houseway.training.chair import Chair
from houseway.training.chips import CENT, total, tray_values, unknown_chips
from houseway.training.due_acts import ahead
from houseway.training.early_cards import racked_early
from houseway.training.happenings import hides_stuck_card
from houseway.wording import as_sentence, several, the_wager


def impossible(table: Table, chair: Chair, act: a.ChairAct) -> str:
    """Return a sentence that says why an act cannot happen now; empty if it can."""
    return as_sentence(obstacle(table, chair, act))


def obstacle(table: Table, chair: Chair, act: a.ChairAct) -> str:
    """Return why an act cannot happen now, without a capital letter and a full stop; empty if it can."""
    return next(_reasons(table, chair, act), "")


def _reasons(table: Table, chair: Chair, act: a.ChairAct) -> Iterator[str]:
    state = chair.state
    number = act.seat if isinstance(act, a.SeatAct) else seat_of(str(getattr(act, "place", "")))
    if number and number not in state.seats:
        yield f"no player sits in seat {number}"
        return
    match act:
        case a.DealCards() | a.Burn():
            yield from _deck(table, chair, act)
        case a.TurnUp() | a.ReadHand():
            yield from _cards(chair, act)
        case a.Ask() if not _in_play(state, act.seat):
            yield f"seat {act.seat} has no cards, so there is nothing to ask"
        case a.TakeFold():
            yield from _fold(chair, act)
        case a.Rack():
            yield from _racked(state, act.what)
        case a.Take() | a.Push():
            yield from _wager(state, act)
        case a.Pay():
            yield from _tray(table, chair, act.chips)
        case a.ColourUp():
            yield from _whole_chips(table, act.taken)
            yield from _whole_chips(table, act.given)
        case a.SetHand() if not _is_open(state) or not state.round.dealer:
            yield "the dealer has no cards to set"


def _is_open(state: State) -> bool:
    return state.section == "round"


def _hand(state: State, number: int, hand: int = 1) -> Hand | None:
    """Return a hand with cards on the table, or None."""
    hands = state.seats[number].hands if number in state.seats and _is_open(state) else ()
    found = hands[hand - 1] if 1 <= hand <= len(hands) else None
    return found if found is not None and found.cards and not found.racked else None


def _in_play(state: State, number: int) -> bool:
    return _hand(state, number) is not None


def _deck(table: Table, chair: Chair, act: a.DealCards | a.Burn) -> Iterator[str]:
    """Yield why cards cannot be dealt. A stuck card counts as undealt until it is noticed."""
    undealt = stub(table, chair.state) + hides_stuck_card(chair)
    most = undealt if _is_open(chair.state) else table.deck_size
    if act.count > most:
        verb = "deal" if isinstance(act, a.DealCards) else "burn"
        yield f"you cannot {verb} {several(act.count, 'card')}: the deck does not have that many"


def _cards(chair: Chair, act: a.TurnUp | a.ReadHand) -> Iterator[str]:
    """Yield why cards cannot be turned up or announced."""
    state = chair.state
    now, number = state.round, seat_of(act.place)
    gone = not _is_open(state) or act.place in now.gone
    down = () if gone else face_down_cards(state, act.place)
    does = "turn up" if isinstance(act, a.TurnUp) else "announce"
    hand = _hand(state, number, act.hand)
    # The dealer takes a hand out of the rack again if nobody has seen it: its cards may decide a payment.
    seen = hand is not None and hand.shown and isinstance(act, a.TurnUp)
    if number and (hand is None or (seen and racked_early(chair, number, act.hand))):
        yield f"seat {number} has no cards to {does}"
    elif act.place == "dealer" and (gone or not now.dealer):
        yield f"the dealer has no cards to {does}"
    elif isinstance(act, a.TurnUp) and act.place == "board" and not down:
        yield "no community cards are face down"
    elif isinstance(act, a.TurnUp) and act.place == "board" and act.count > len(down):
        yield f"you cannot turn up {several(act.count, 'card')}: fewer are face down"
    elif act.place == "board" and (gone or not now.board):
        yield f"there are no community cards to {does}"


def _fold(chair: Chair, act: a.TakeFold) -> Iterator[str]:
    """Yield why a folded hand cannot be taken. A player may have folded out of turn."""
    seat = chair.state.seats[act.seat]
    folded = _is_open(chair.state) and seat.hands[0].folded and (seat.hands[0].cards or seat.hands[0].made)
    taken = bool(folded) and seat.hands[0].racked and not seat.hands[0].staked
    if taken:
        yield f"the folded hand of seat {act.seat} is already taken"
    elif not folded and not isinstance(chair.decisions.get(act.seat), c.Fold):
        yield f"seat {act.seat} has not folded"


def _racked(state: State, what: str) -> Iterator[str]:
    """Yield why cards cannot be racked: there are none."""
    now, (number, second, discards) = state.round, card_place(what)
    if number and number not in state.seats:
        yield f"no player sits in seat {number}"
        return
    if number:
        hands = state.seats[number].hands if _is_open(state) else ()
        hand = hands[second - 1] if second <= len(hands) else None
        cards = () if hand is None or hand.racked else hand.discards if discards else hand.cards
        where = f"at seat {number}"
    else:
        there = now.board if what == "board" else now.dealer
        cards = () if not _is_open(state) or what in now.gone else there
        where = "on the board" if what == "board" else "in front of the dealer"
    if not cards:
        yield f"there are no {'discards' if discards else 'cards'} {where} to rack"


def _wager(state: State, act: a.Take | a.Push) -> Iterator[str]:
    """Yield why a bet cannot be taken or pushed: it was never made."""
    hands = state.seats[act.seat].hands
    hand = hands[act.hand - 1] if act.hand <= len(hands) else None
    lines = (line for line in state.round.settled if (line.seat, line.hand) == (act.seat, act.hand))
    settled = any((line.wager, line.for_dealer) == (act.wager, act.tip) for line in lines)
    bets = {} if hand is None else hand.tips if act.tip else {**hand.made, **hand.wagers}
    if act.wager not in bets and not settled and not act.of[0]:
        bet = f"tip on {the_wager(act.wager)}" if act.tip else f"{act.wager.replace('_', ' ')} bet"
        yield f"seat {act.seat} has no {bet}"


def _tray(table: Table, chair: Chair, chips: Mapping[int, int]) -> Iterator[str]:
    """Yield why an amount cannot be paid. Single cents are paid only below the smallest chip."""
    odd = chips.get(CENT, 0)
    smallest = min(tray_values(table))
    if odd and CENT not in tray_values(table) and (odd >= smallest or not pays_cents(table, chair)):
        yield f"no chips make {exactly(total(chips))}: the smallest chip is {spoken(smallest)}"
        return
    yield from _whole_chips(table, {value: count for value, count in chips.items() if value != CENT})


def _whole_chips(table: Table, chips: Mapping[int, int]) -> Iterator[str]:
    unknown = unknown_chips(tray_values(table), chips)
    if unknown:
        tray = ", ".join(map(spoken, tray_values(table)))
        yield f"the tray has no {spoken(unknown[0])} chips. Its chips are {tray}"


def pays_cents(table: Table, chair: Chair) -> bool:
    """True if a payment that is due ends below the smallest chip, such as the award of a jackpot meter."""
    later = [one for group in ahead(table, chair.state, chair.queue, chair.missing) for one in group]
    due = [*later, *(one.due for one in chair.passed)]
    return any(isinstance(one.act, a.Pay) and CENT in one.act.chips for one in due)
