"""Void hands and rounds: return the wagers and, if the rulebook requires it, undo settled ones."""

from __future__ import annotations

from collections.abc import Collection

from houseway.cards import UNSEEN
from houseway.engine import events as e
from houseway.engine.command_helpers import hand_name, refuse
from houseway.engine.deal_acts import feed_meters
from houseway.engine.evolve import fold
from houseway.engine.fold_registry import mispaid_key
from houseway.engine.hand_facts import FLOP
from houseway.engine.keypad import unkey_event
from houseway.engine.made_hands import flop_reading
from houseway.engine.showdown_acts import settler
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.rules.procedure import Irregularity


def void_if_ruled(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Return the events that void the round, if the rulebook's row requires it."""
    return void_round(table, state, row) if row.then == "void" else []


def void_round(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Void every hand and return its wagers.

    Wagers lost by a fold stay lost, unless the house or the rulebook returns them too. Some rulebooks still
    settle trips, and some let the house settle a progressive that the flop has decided.
    """
    events: list[e.Event] = _unkey_events(table, state)
    if "settled" in row.rules:
        events += _restored(table, fold(events, state), table.cite(row.rules["settled"]))
    state = fold(events, state)
    bet = any("trips" in h.wagers for s in state.seats.values() for h in s.hands if not h.void)
    trips = row.rules.get("trips") if bet else None
    # Without a trips wager, only some rows complete the board.
    board = None if bet else row.rules.get("board")
    clause = table.cite(row.basis)
    voided = e.RoundVoided(
        why=row.kind, trips=trips is not None, board=board is not None,
        clause=table.cite(trips or board) or clause,
    )  # fmt: skip
    stays = {"trips"} if trips is not None else set()
    decided = _decided_progressives(table, state, row)
    settled = {(s.seat, s.hand) for s in decided if isinstance(s, e.WagerSettled)}
    folds_lose = "settled" not in row.rules
    refunds = [
        refund
        for number in state.seats
        for refund in _refunds(
            table, state, number, clause, stays, folds_lose=folds_lose, progressive=settled
        )
    ]
    events += [voided, *decided, *refunds, *_unfed(table, state, refunds)]
    if "deck_off" in row.rules:
        off = table.cite(row.rules["deck_off"])
        events.append(e.DeckRemoved(deck=state.playing.name, clause=off))
    return events


def _unkey_events(table: Table, state: State) -> list[e.Event]:
    """Return the events that turn off keyed awards that are not paid, the last one first."""
    step = next((s for s in table.sections["round"] if "unkeyed" in s.rules), None)
    clause = table.clause(step, "unkeyed") if step is not None else None
    return [unkey_event(state, number, clause) for number in reversed(state.round.awards)]


def _restored(table: Table, state: State, clause: str | None) -> list[e.Event]:
    """Return the events that undo every settled wager of the round, the last one first."""
    events: list[e.Event] = []
    for line in reversed(state.round.settled):
        seat, hand, wager = line.seat, line.hand, line.wager
        if seat not in state.seats or not state.seats[seat].hands[0].cards:
            # The player has left with the chips, so this wager and those settled before it stay settled.
            break
        own = not line.for_dealer and not line.coupon
        key = mispaid_key(state.seats[seat].player, seat, hand, wager)
        mispaid = state.mispaid.get(key, (0, None))[0] if own else 0
        collected = own and wager == "progressive" and table.collects
        restored = e.WagerRestored(
            seat, hand, wager, line.stake, line.back, line.for_dealer, line.coupon, collected, mispaid,
            line.meter, line.awarded, line.seeded, line.released, clause=clause,
        )  # fmt: skip
        events.append(restored)
    return events


def _decided_progressives(table: Table, state: State, row: Irregularity) -> list[e.Event]:
    """Return the events that settle the progressives of a void round, if the flop has decided them.

    Unless the house setting `void_progressive` is "settled", the progressives are returned.
    """
    rule = row.rules.get("progressive")
    decided = state.round.up >= FLOP and "progressive" in table.terms.on_five
    if rule is None or not decided or table.terms.house("void_progressive") != "settled":
        return []
    clause = table.cite(rule)
    for number, seat in state.seats.items() if table.reads_folds else ():
        hand = seat.hands[0]
        if "progressive" in hand.wagers and UNSEEN in hand.cards and not hand.void:
            sentence = f"seat {number}'s cards decide its progressive; name them, then report this again"
            refuse("cards-unseen", sentence, clause, f"seat {number}")
    settling = settler(table, state)
    events: list[e.Event] = []
    for spot in settling.from_right:
        stake = spot.stakes.get("progressive", 0)
        if not stake:
            continue
        settling.settled = []
        settling.wager(spot, "progressive", stake, 0)
        if settling.settled[0].result == "win":
            played, reads = spot.hand, table.terms.order[spot.first_five]
            turned = e.HandTurned(
                seat=played.seat, hand=played.number, face=played.cards, reads=reads,
                community=flop_reading(table), clause=clause,
            )  # fmt: skip
            events.append(turned)
        events += settling.settled
    return events


def void_hand(table: Table, state: State, number: int, clause: str | None, which: int = 1) -> list[e.Event]:
    """Void one hand at a seat: return its wagers and rack its cards."""
    hands = state.seats[number].hands
    hand = hands[which - 1]
    refunds = _refunds(table, state, number, clause, set(), folds_lose=False)
    refunds = [refund for refund in refunds if refund.hand == which]
    voided = e.HandVoided(seat=number, hand=which, clause=clause)
    events: list[e.Event] = [voided, *refunds, *_unfed(table, state, refunds)]
    if hand.cards and not hand.racked:
        what, count = hand_name(number, which, len(hands)), len(hand.cards)
        events.append(e.CardsRacked(what=what, count=count, sealed=hand.cards, clause=clause))
    return events


def _refunds(
    table: Table,
    state: State,
    number: int,
    clause: str | None,
    stays: set[str],
    *,
    folds_lose: bool,
    progressive: Collection[tuple[int, int]] = (),
) -> list[e.WagersReturned]:
    """Return the refunds for a seat's void hands.

    Wagers in `stays` are not refunded. `progressive` lists the seats and hands whose progressive is not
    refunded. If `folds_lose`, wagers lost by a fold are not refunded, unless the setting `void_folds`
    returns them.
    """
    refunds = []
    folds_back = folds_lose and table.terms.house("void_folds") == "returned"
    for n, hand in enumerate(state.seats[number].hands, 1):
        kept = stays | _lost_by_fold(table, hand) if folds_lose and not folds_back else set(stays)
        if (number, n) in progressive:
            kept.add("progressive")
        wagers = {w: a for w, a in hand.wagers.items() if w not in kept}
        tips = {w: a for w, a in hand.tips.items() if w not in kept}
        taken = _taken_from_fold(state, number, n) if folds_back and hand.folded else {}
        if hand.void or not (wagers or tips or hand.collected or taken):
            continue
        coupon, collected = hand.coupon if "ante" in wagers else 0, hand.collected
        refund = e.WagersReturned(number, n, wagers, tips, coupon, collected, taken, clause=clause)
        refunds.append(refund)
    return refunds


def _taken_from_fold(state: State, number: int, hand: int) -> dict[str, int]:
    """Return the ante and blind that the dealer has already taken from a folded hand."""
    lines = [s for s in state.round.settled if (s.seat, s.hand, s.result) == (number, hand, "lose")]
    return {s.wager: s.stake for s in lines if s.wager in ("ante", "blind") and not s.for_dealer}


def _lost_by_fold(table: Table, hand: Hand) -> set[str]:
    """Return the wagers that a fold loses at once."""
    step = table.find("take folds")
    fold_pass = table.passes.get(step.pass_name) if step is not None and "at_once" in step.rules else None
    if not hand.folded or fold_pass is None or len(hand.cards) != table.hand_size:
        return set()
    return {"ante", "blind"}.intersection(fold_pass.wagers)


def _unfed(table: Table, state: State, refunds: list[e.WagersReturned]) -> list[e.Event]:
    """Return the event that takes refunded progressive wagers off the meters."""
    stakes = {r.seat: back for r in refunds if (back := r.wagers.get("progressive", 0) + r.collected)}
    return feed_meters(table, state, stakes, -1) if state.round.fed else []
